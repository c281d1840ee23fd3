# InstalledIn.cmake - runs during installation: writes the folder of libtsr.a into its section
# tsr_installed_in. Gets objcopy, folder, note (a file to use) and archive.

set(section tsr_installed_in)
set(room 4096) # as in src/engine/plugin.c
if(NOT IS_ABSOLUTE "${folder}")
  get_filename_component(folder "${folder}" ABSOLUTE BASE_DIR "${CMAKE_INSTALL_PREFIX}")
endif()
file(WRITE "${note}" "${folder}")
file(SIZE "${note}" length)
if(length LESS room)
  execute_process(COMMAND truncate -s ${room} "${note}" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${objcopy}" --update-section "${section}=${note}"
    "$ENV{DESTDIR}${folder}/${archive}" COMMAND_ERROR_IS_FATAL ANY)
endif()
