# What `make install` leaves behind. Everything finds its neighbours by relative paths, so the folder can be moved. It has
# four components, for `cmake --install BUILD --component NAME`: runtime, development, python and doc.

include(CMakePackageConfigHelpers)
set(config_folder "${CMAKE_INSTALL_LIBDIR}/cmake/entropic")

install(TARGETS entropic EXPORT entropic-targets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT runtime NAMELINK_COMPONENT development
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(TARGETS entropic_static EXPORT entropic-static-targets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
if(TARGET entropic_command)
  install(TARGETS entropic_command RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT runtime)
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/entropic" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  COMPONENT development FILES_MATCHING PATTERN "*.h")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/python/entropic" DESTINATION "${CMAKE_INSTALL_LIBDIR}/python3"
  COMPONENT python FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)

file(GLOB manual_pages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/man/*.1")
install(FILES ${manual_pages} DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT doc)
if(TARGET entropic_command)
  install(FILES "${PROJECT_SOURCE_DIR}/completions/entropic.bash" RENAME entropic
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" COMPONENT runtime)
  install(FILES "${PROJECT_SOURCE_DIR}/completions/_entropic"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" COMPONENT runtime)
endif()

# Sets of targets of their own: who links the shared library needs no zlib to build against, nor MPI.
set(target_sets entropic-targets entropic-static-targets)
if(TARGET entropic_mpi)
  install(TARGETS entropic_mpi_command RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT runtime)
  install(TARGETS entropic_mpi EXPORT entropic-mpi-targets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
  list(APPEND target_sets entropic-mpi-targets)
endif()
foreach(set IN LISTS target_sets)
  install(EXPORT ${set} NAMESPACE entropic:: DESTINATION "${config_folder}" COMPONENT development)
endforeach()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/entropic-config.cmake.in" entropic-config.cmake
  INSTALL_DESTINATION "${config_folder}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(entropic-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/entropic-config.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/entropic-config-version.cmake" DESTINATION "${config_folder}" COMPONENT development)

set(pc_folder "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH pc_to_prefix "/${pc_folder}" "/")
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
set(pc_files entropic)
if(TARGET entropic_mpi)
  list(APPEND pc_files entropic_mpi)
endif()
foreach(name IN LISTS pc_files)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in" ${name}.pc @ONLY)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/${name}.pc" DESTINATION "${pc_folder}" COMPONENT development)
endforeach()
