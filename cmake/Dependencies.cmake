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
