# Dependencies.cmake - what the library links and includes; what is missing is named.

find_package(Threads REQUIRED)
find_path(SLEEF_INCLUDE_DIR sleef.h)
find_library(SLEEF_LIBRARY sleef)
find_path(XXHASH_INCLUDE_DIR xxhash.h)
mark_as_advanced(SLEEF_INCLUDE_DIR SLEEF_LIBRARY XXHASH_INCLUDE_DIR)

if(NOT SLEEF_INCLUDE_DIR OR NOT SLEEF_LIBRARY)
  message(FATAL_ERROR
    "SLEEF was not found: it gives the elementary functions. Debian and Ubuntu: libsleef-dev")
endif()
if(NOT XXHASH_INCLUDE_DIR)
  message(FATAL_ERROR
    "xxhash.h was not found: it gives the hashes of programs. Debian and Ubuntu: libxxhash-dev")
endif()

add_library(tsr_dependencies INTERFACE)
target_include_directories(tsr_dependencies SYSTEM INTERFACE
  "${SLEEF_INCLUDE_DIR}" "${XXHASH_INCLUDE_DIR}")
target_link_libraries(tsr_dependencies INTERFACE
  "${SLEEF_LIBRARY}" m Threads::Threads ${CMAKE_DL_LIBS})

# ---- what formats of files need. An archive becomes part of libtsr.so, and hidden there, if its
# code can be: programs that read no such files then load no library for them. A distribution has
# one copy of each library, which it repairs

option(TSR_SHARED_FORMATS "load what formats of files need, though it could be linked in" OFF)
set(format_kinds archives libraries)
if(TSR_SHARED_FORMATS)
  set(format_kinds libraries)
endif()
include(CheckCSourceCompiles)
# VARIABLE: the archives of these libraries if a shared object can have them, else the libraries
function(tsr_find_format variable source)
  set(archives "")
  set(libraries "")
  foreach(name IN LISTS ARGN)
    find_library(${variable}_${name}_ARCHIVE lib${name}.a)
    find_library(${variable}_${name}_LIBRARY ${name})
    mark_as_advanced(${variable}_${name}_ARCHIVE ${variable}_${name}_LIBRARY)
    list(APPEND archives "${${variable}_${name}_ARCHIVE}")
    list(APPEND libraries "${${variable}_${name}_LIBRARY}")
  endforeach()
  set(CMAKE_REQUIRED_FLAGS -fPIC)
  set(CMAKE_REQUIRED_LINK_OPTIONS -shared -Wl,-z,defs -Wl,--exclude-libs,ALL)
  foreach(kind IN LISTS format_kinds)
    string(TOUPPER ${variable}_${kind} works)
    set(CMAKE_REQUIRED_LIBRARIES ${${kind}})
    if(NOT "${${kind}}" MATCHES NOTFOUND)
      check_c_source_compiles("${source}" ${works})
    endif()
    if(${works})
      set(${variable} "${${kind}}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${variable} "" PARENT_SCOPE)
endfunction()

tsr_find_format(TSR_JANSSON "
  #include <jansson.h>
  json_t *f(const char *text, size_t n, json_error_t *e);
  json_t *f(const char *text, size_t n, json_error_t *e) { return json_loadb(text, n, 0, e); }"
  jansson)
tsr_find_format(TSR_MINIZIP "
  #include <minizip/unzip.h>
  #include <minizip/zip.h>
  int f(void);
  int f(void) { return unzClose(0) + zipClose(0, 0); }" minizip z)
if(TSR_JANSSON)
  target_compile_definitions(tsr_dependencies INTERFACE TSR_JANSSON)
  target_link_libraries(tsr_dependencies INTERFACE ${TSR_JANSSON})
  list(APPEND TSR_FORMAT_LIBRARIES jansson)
else()
  message(NOTICE "Jansson was not found: files named .safetensors are written and not read (Debian "
    "and Ubuntu: libjansson-dev)")
endif()
if(TSR_MINIZIP)
  target_compile_definitions(tsr_dependencies INTERFACE TSR_MINIZIP)
  target_link_libraries(tsr_dependencies INTERFACE ${TSR_MINIZIP})
  list(APPEND TSR_FORMAT_LIBRARIES minizip z)
else()
  message(NOTICE "minizip was not found: files named .npz are off (Debian and Ubuntu: "
    "libminizip-dev zlib1g-dev)")
endif()
