# The benchmarks, which race against random features on OpenBLAS; left out where there is none. Each file of bench/ is a
# program bench-NAME, but for rks.c, the rival that all are linked with. They use the tools of the static library.

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(OPENBLAS QUIET IMPORTED_TARGET openblas)
endif()
if(NOT TARGET PkgConfig::OPENBLAS)
  message(STATUS "OpenBLAS not found: no benchmarks")
  return()
endif()

# The rival gets every advantage: this processor's instructions and the vector cosine of the C library.
set(rival "${PROJECT_SOURCE_DIR}/bench/rks.c")
set_source_files_properties("${rival}" PROPERTIES COMPILE_OPTIONS "-O3;-march=native;-ffast-math")

file(GLOB bench_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.c")
list(REMOVE_ITEM bench_sources "${rival}")
if(bench_sources)
  add_library(bench_rival OBJECT "${rival}")
  target_compile_definitions(bench_rival PRIVATE ENTROPIC_EXPERIMENTAL)
  target_link_libraries(bench_rival PRIVATE entropic_static entropic_flags PkgConfig::OPENBLAS)
endif()
foreach(source IN LISTS bench_sources)
  cmake_path(GET source STEM name)
  add_executable(bench-${name} "${source}" $<TARGET_OBJECTS:bench_rival>)
  target_compile_definitions(bench-${name} PRIVATE ENTROPIC_EXPERIMENTAL)
  target_link_libraries(bench-${name} PRIVATE entropic_static entropic_flags PkgConfig::OPENBLAS m)
endforeach()
