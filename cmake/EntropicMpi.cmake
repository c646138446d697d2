# Fits over ranks: libentropic_mpi and the command entropic-mpi, where there is an MPI.

option(ENTROPIC_MPI "Build entropic-mpi if there is an MPI" ON)
if(ENTROPIC_MPI AND NOT ENTROPIC_SANITIZE)
  find_package(MPI COMPONENTS C QUIET)
endif()
add_custom_target(entropic_ranks) # what there is of it
if(MPI_C_FOUND)
  file(GLOB mpi_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/mpi/*.c")
  add_library(entropic_mpi STATIC ${mpi_sources})
  target_compile_definitions(entropic_mpi PRIVATE ENTROPIC_EXPERIMENTAL)
  target_include_directories(entropic_mpi PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(entropic_mpi PUBLIC entropic_static MPI::MPI_C
    PRIVATE $<BUILD_INTERFACE:entropic_flags>) # which is not exported
  add_library(entropic::entropic_mpi ALIAS entropic_mpi)

  file(GLOB mpi_command_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cli/*.c")
  list(FILTER mpi_command_sources EXCLUDE REGEX "/cli/main\\.c$")
  add_executable(entropic_mpi_command ${mpi_command_sources})
  target_link_libraries(entropic_mpi_command PRIVATE entropic_mpi entropic_study entropic_flags m)
  set_target_properties(entropic_mpi_command PROPERTIES OUTPUT_NAME entropic-mpi)
  add_dependencies(entropic_ranks entropic_mpi_command)
endif()
