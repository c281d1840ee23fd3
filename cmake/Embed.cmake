# Embed.cmake - tsr_embed: files as rows of C, {"NAME", "text"}, in a file to include.

function(tsr_embed out)
  set(rows "")
  foreach(file IN LISTS ARGN)
    cmake_path(GET file FILENAME name)
    file(READ "${file}" bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(APPEND rows "{\"${name}\", (const char[]){${bytes}0}},\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  endforeach()
  file(GENERATE OUTPUT "${out}" CONTENT "${rows}")
endfunction()
