# What `make install` leaves behind. Everything finds its neighbours by relative paths, so the folder can be moved.

include(CMakePackageConfigHelpers)
set(config_folder "${CMAKE_INSTALL_LIBDIR}/cmake/entropic")

install(TARGETS entropic EXPORT entropic-targets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(TARGETS entropic_static EXPORT entropic-static-targets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
if(TARGET entropic_command)
  install(TARGETS entropic_command RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/entropic" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/python/entropic" DESTINATION "${CMAKE_INSTALL_LIBDIR}/python3"
  FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)

file(GLOB manual_pages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/man/*.1")
install(FILES ${manual_pages} DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
if(TARGET entropic_command)
  install(FILES "${PROJECT_SOURCE_DIR}/completions/entropic.bash" RENAME entropic
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  install(FILES "${PROJECT_SOURCE_DIR}/completions/_entropic"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
endif()

# Two sets of targets: who links the shared library needs no zlib to build against.
foreach(set entropic-targets entropic-static-targets)
  install(EXPORT ${set} NAMESPACE entropic:: DESTINATION "${config_folder}")
endforeach()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/entropic-config.cmake.in" entropic-config.cmake
  INSTALL_DESTINATION "${config_folder}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(entropic-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/entropic-config.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/entropic-config-version.cmake" DESTINATION "${config_folder}")

set(pc_folder "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH pc_to_prefix "/${pc_folder}" "/")
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
configure_file("${PROJECT_SOURCE_DIR}/cmake/entropic.pc.in" entropic.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/entropic.pc" DESTINATION "${pc_folder}")
