# Install.cmake - what `cmake --install` puts where; the tree may be moved afterwards.
include(CMakePackageConfigHelpers)

install(TARGETS tsr_shared tsr_static EXPORT tsrTargets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
# A program with libtsr.a in it lies anywhere: the archive is told where it was installed, which
# only the installation knows (--prefix), to find plug-ins there (src/engine/plugin.c).
install(CODE "set(objcopy \"${CMAKE_OBJCOPY}\")
set(folder \"${CMAKE_INSTALL_LIBDIR}\")
set(note \"${PROJECT_BINARY_DIR}/installed_in\")
set(archive \"${CMAKE_STATIC_LIBRARY_PREFIX}tsr${CMAKE_STATIC_LIBRARY_SUFFIX}\")")
install(SCRIPT cmake/InstalledIn.cmake)
if(TARGET tsr_tool)
  install(TARGETS tsr_tool RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  set(tool "${PROJECT_BINARY_DIR}/tool")
  install(FILES "${tool}/tsr.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
  # each shell has its own place and name for what it completes
  set(share "${CMAKE_INSTALL_DATADIR}")
  install(FILES "${tool}/tsr.bash" DESTINATION "${share}/bash-completion/completions" RENAME tsr)
  install(FILES "${tool}/tsr.zsh" DESTINATION "${share}/zsh/vendor-completions" RENAME _tsr)
  install(FILES "${tool}/tsr.fish" DESTINATION "${share}/fish/vendor_completions.d")
endif()
install(DIRECTORY include/tsr DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
# a Fortran module is compiled by the program's own compiler
install(DIRECTORY bindings/fortran DESTINATION "${CMAKE_INSTALL_DATADIR}/tsr"
  FILES_MATCHING PATTERN "*.f90" PATTERN "*.inc")
install(FILES LICENSE NOTICE THIRD-PARTY.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
# programs to read and to begin with, and the engine to begin a new one with
file(GLOB tsr_examples CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*.c")
install(FILES ${tsr_examples} DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples")
install(DIRECTORY examples/engine DESTINATION "${CMAKE_INSTALL_DOCDIR}")
# headers and messages cite pages as docs/NAME.md
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}" FILES_MATCHING PATTERN "*.md")

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/tsr")
install(EXPORT tsrTargets NAMESPACE tsr:: DESTINATION "${package_dir}")
configure_package_config_file(cmake/tsrConfig.cmake.in "${PROJECT_BINARY_DIR}/tsrConfig.cmake"
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tsrConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/tsrConfig.cmake" "${PROJECT_BINARY_DIR}/tsrConfigVersion.cmake"
  DESTINATION "${package_dir}")

file(RELATIVE_PATH TSR_PC_UP "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
list(TRANSFORM TSR_FORMAT_LIBRARIES PREPEND " -l" OUTPUT_VARIABLE TSR_PC_FORMATS)
list(JOIN TSR_PC_FORMATS "" TSR_PC_FORMATS)
configure_file(cmake/tsr.pc.in "${PROJECT_BINARY_DIR}/tsr.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/tsr.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
