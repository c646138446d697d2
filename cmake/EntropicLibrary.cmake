# The library, shared and static, from objects that are compiled once.

file(GLOB library_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*/*.c")
# MPI is a library of its own, so that nobody else needs it.
list(FILTER library_sources EXCLUDE REGEX "/src/mpi/")

# Code for AVX2 is chosen at run time. No -mfma: the tuned loops give the same bits as the plain ones.
set(avx2_sources ${library_sources})
list(FILTER avx2_sources INCLUDE REGEX "_avx2\\.c$")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set_source_files_properties(${avx2_sources} PROPERTIES COMPILE_OPTIONS "-mavx2")
elseif(avx2_sources)
  list(REMOVE_ITEM library_sources ${avx2_sources})
endif()

add_library(entropic_objects OBJECT ${library_sources})
set_target_properties(entropic_objects PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
target_include_directories(entropic_objects PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(entropic_objects PRIVATE entropic_flags ZLIB::ZLIB Threads::Threads)

add_library(entropic SHARED $<TARGET_OBJECTS:entropic_objects>)
set_target_properties(entropic PROPERTIES
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}
  LINKER_LANGUAGE C)
if(NOT ENTROPIC_SANITIZE)
  target_link_options(entropic PRIVATE -Wl,-z,defs)
endif()

add_library(entropic_static STATIC $<TARGET_OBJECTS:entropic_objects>)
set_target_properties(entropic_static PROPERTIES OUTPUT_NAME entropic LINKER_LANGUAGE C)

foreach(library entropic entropic_static)
  target_link_libraries(${library} PRIVATE ZLIB::ZLIB Threads::Threads m)
  target_include_directories(${library} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  add_library(entropic::${library} ALIAS ${library})
endforeach()
