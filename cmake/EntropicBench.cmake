# The demo and the benchmarks, which race against random features on OpenBLAS; left out where there is none.

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(OPENBLAS QUIET IMPORTED_TARGET openblas)
endif()
file(GLOB bench_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.c")
if(NOT TARGET PkgConfig::OPENBLAS)
  message(STATUS "OpenBLAS not found: no demo and no benchmarks")
  return()
elseif(NOT bench_sources)
  return()
endif()

# The rival gets every advantage: this processor's instructions and the vector cosine of the C library.
set(rival "${PROJECT_SOURCE_DIR}/bench/rks.c")
set_source_files_properties("${rival}" PROPERTIES COMPILE_OPTIONS "-O3;-march=native;-ffast-math")
add_library(bench_rival OBJECT "${rival}")
target_link_libraries(bench_rival PRIVATE entropic entropic_flags PkgConfig::OPENBLAS)

function(entropic_bench program source)
  add_executable(${program} "${PROJECT_SOURCE_DIR}/bench/${source}" $<TARGET_OBJECTS:bench_rival>)
  target_link_libraries(${program} PRIVATE entropic entropic_flags PkgConfig::OPENBLAS m)
endfunction()

entropic_bench(demo demo.c)
entropic_bench(bench-lift lift.c)
