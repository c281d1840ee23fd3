# Flags.cmake - how every object is compiled: language, numbers, paths, warnings, sanitizers.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)

# docs/numerics.md says what a number is to the bit; these options would change it
# behind the library's back.
foreach(flags IN ITEMS "${CMAKE_C_FLAGS}" "${CMAKE_C_FLAGS_RELEASE}" "$ENV{CFLAGS}")
  if(flags MATCHES "-Ofast|-ffast-math|-funsafe-math-optimizations|-fassociative-math")
    message(FATAL_ERROR
      "The library fixes its results to the bit and cannot be compiled with ${CMAKE_MATCH_0}")
  endif()
endforeach()
add_compile_options(-ffp-contract=off)

# An exception of a C++ body, or the end of a thread, passes through the library: clean-ups run.
add_compile_options(-fexceptions)

# A call of one public function by another goes to this library's own, whatever a program defines.
add_compile_options(-fno-semantic-interposition)

# Paths in messages, assertions and debug information start at the root of the source tree.
add_compile_options(
  "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/="
  "-ffile-prefix-map=${PROJECT_BINARY_DIR}/=")

# A variable may be called like a type of ours, `mesh`, which gcc's plain -Wshadow takes for a
# mistake and clang's does not. The public headers are tested with the plain one.
if(TSR_WERROR)
  add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Werror
    $<IF:$<C_COMPILER_ID:GNU>,-Wshadow=local,-Wshadow>)
endif()

if(TSR_SANITIZE)
  add_compile_options(-fsanitize=${TSR_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TSR_SANITIZE})
endif()
if(TSR_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "TSR_FUZZ needs clang: -DCMAKE_C_COMPILER=clang")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
