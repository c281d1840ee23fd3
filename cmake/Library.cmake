# Library.cmake - libtsr.so, libtsr.a and what the tests link, all from one set of objects.

# all but the plug-ins, engine/cpu/native and comm/mpi
file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*.c")
list(FILTER sources EXCLUDE REGEX "/src/(engine/cpu/native|comm/mpi)/")

# debuggers call these: print tsr_add(x, x) wants their types, but not those of all other files
set_source_files_properties("${PROJECT_SOURCE_DIR}/src/lib/values.c" PROPERTIES
  COMPILE_OPTIONS "-g;-fno-lto")

# the linker leads calls there that are not among what is optimized across files
set_source_files_properties("${PROJECT_SOURCE_DIR}/src/lib/files/no_encryption.c" PROPERTIES
  COMPILE_OPTIONS -fno-lto)

set(elementwise_files math binary compare unary)
# Contexts open on processors with fused multiply-add alone (math_works_here), so these files need
# not call the C library for each one; and where loops over elements are vectors, formulas that are
# evaluated strip by strip (src/program/expand.c) take half the time
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(TRANSFORM elementwise_files REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/src/prim/elementwise/\\1.c"
    OUTPUT_VARIABLE elementwise_sources)
  set_source_files_properties(${elementwise_sources} PROPERTIES COMPILE_OPTIONS
    "-mfma;$<$<CONFIG:Release,RelWithDebInfo>:-O3>")
endif()

# the transforms of vectors take ten times as long where these are not kept in registers
if(TSR_SANITIZE)
  file(GLOB transforms CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/prim/fourier/*.c")
  set_source_files_properties(${transforms} PROPERTIES COMPILE_OPTIONS -O2)
endif()

function(tsr_add_objects name)
  add_library(${name} OBJECT ${ARGN})
  target_include_directories(${name}
    PUBLIC "${PROJECT_SOURCE_DIR}/include" PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_compile_definitions(${name} PRIVATE _GNU_SOURCE=)
  target_link_libraries(${name} PRIVATE tsr_dependencies)
  set_target_properties(${name} PROPERTIES
    C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
endfunction()
tsr_add_objects(tsr_objects ${sources})

# A call crosses many small files: optimized as one, jit_add of the bench takes 0.34 us instead of
# 0.44. So a released libtsr.so has objects of its own, which other linkers need not understand, of
# the folders that calls cross; to optimize all would take four times as long and gain nothing.
string(CONCAT crossed "/src/((base|comm|engine|kernel|program|runtime|shard|trace)/.*"
  "|lib/((arrays|maths)/)?[^/]*|pass/debug\\.c[^/]*)$")
set(shared_objects $<TARGET_OBJECTS:tsr_objects>)
if(TSR_LTO AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT TSR_SANITIZE AND NOT TSR_FUZZ)
  include(CheckIPOSupported)
  check_ipo_supported(RESULT has_lto OUTPUT why_not LANGUAGES C)
  if(has_lto)
    set(crossed_sources ${sources})
    list(FILTER crossed_sources INCLUDE REGEX "${crossed}")
    tsr_add_objects(tsr_lto_objects ${crossed_sources})
    set(shared_objects
      $<FILTER:$<TARGET_OBJECTS:tsr_objects>,EXCLUDE,${crossed}> $<TARGET_OBJECTS:tsr_lto_objects>)
    set_target_properties(tsr_lto_objects PROPERTIES INTERPROCEDURAL_OPTIMIZATION ON)
  endif()
endif()

# Plug-ins that others may write to are not loaded (src/engine/plugin_file.c), whatever the umask
function(tsr_protect target)
  add_custom_command(TARGET ${target} POST_BUILD COMMAND chmod go-w "$<TARGET_FILE:${target}>")
endfunction()

# ---- libtsr.so: two version nodes, see libtsr.map.in
configure_file(cmake/libtsr.map.in "${PROJECT_BINARY_DIR}/libtsr.map" @ONLY)
add_library(tsr_shared SHARED ${shared_objects})
add_library(tsr::tsr ALIAS tsr_shared)
target_include_directories(tsr_shared INTERFACE
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
  "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
target_link_libraries(tsr_shared PRIVATE $<BUILD_INTERFACE:tsr_dependencies>)
target_link_options(tsr_shared PRIVATE "LINKER:--version-script=${PROJECT_BINARY_DIR}/libtsr.map")
if(TSR_MINIZIP)
  # src/lib/files/no_encryption.c
  target_link_options(tsr_shared PRIVATE LINKER:--wrap=rand LINKER:--wrap=srand)
endif()
if(NOT TSR_SANITIZE AND NOT TSR_FUZZ)
  target_link_options(tsr_shared PRIVATE LINKER:-z,defs)
endif()
if(has_lto)
  set_target_properties(tsr_shared PROPERTIES INTERPROCEDURAL_OPTIMIZATION ON)
endif()
set_target_properties(tsr_shared PROPERTIES
  OUTPUT_NAME tsr EXPORT_NAME tsr LINKER_LANGUAGE C
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  LINK_DEPENDS "${PROJECT_BINARY_DIR}/libtsr.map" LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")

# ---- libtsr.a: one object whose hidden names are local, so that they never meet those of a program
set(one_object "${PROJECT_BINARY_DIR}/libtsr.o")
add_custom_command(OUTPUT "${one_object}"
  COMMAND ${CMAKE_LINKER} -r -o "${one_object}" $<TARGET_OBJECTS:tsr_objects>
  COMMAND ${CMAKE_OBJCOPY} --localize-hidden "${one_object}"
  DEPENDS tsr_objects $<TARGET_OBJECTS:tsr_objects> COMMAND_EXPAND_LISTS VERBATIM)
set_source_files_properties("${one_object}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
add_library(tsr_static STATIC "${one_object}")
add_library(tsr::static ALIAS tsr_static)
target_include_directories(tsr_static INTERFACE
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
  "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
target_link_libraries(tsr_static INTERFACE
  $<BUILD_INTERFACE:tsr_dependencies>
  $<INSTALL_INTERFACE:sleef> "$<INSTALL_INTERFACE:${TSR_FORMAT_LIBRARIES}>" $<INSTALL_INTERFACE:m>
  $<INSTALL_INTERFACE:${CMAKE_THREAD_LIBS_INIT}> $<INSTALL_INTERFACE:${CMAKE_DL_LIBS}>)
# the loader looks for plug-ins along the run path of the program, also when the tree was moved
set(installed_in "$<INSTALL_PREFIX>/${CMAKE_INSTALL_LIBDIR}")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(installed_in "${CMAKE_INSTALL_LIBDIR}")
endif()
target_link_options(tsr_static INTERFACE
  "$<BUILD_INTERFACE:LINKER:-rpath,${PROJECT_BINARY_DIR}>"
  "$<INSTALL_INTERFACE:LINKER:-rpath,${installed_in}>")
set_target_properties(tsr_static PROPERTIES
  OUTPUT_NAME tsr EXPORT_NAME static LINKER_LANGUAGE C
  ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")

# ---- for tests and fuzzers: the same objects with their internal names
add_library(tsr_internal STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:tsr_objects>)
target_include_directories(tsr_internal INTERFACE
  "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(tsr_internal INTERFACE tsr_dependencies)
set_target_properties(tsr_internal PROPERTIES LINKER_LANGUAGE C)

# ---- the command-line tool
if(EXISTS "${PROJECT_SOURCE_DIR}/tools/tsr.c")
  file(GLOB tool_sources CONFIGURE_DEPENDS
    "${PROJECT_SOURCE_DIR}/tools/*.c" "${PROJECT_SOURCE_DIR}/tools/conform/*.c")
  add_executable(tsr_tool ${tool_sources})
  target_compile_definitions(tsr_tool PRIVATE _GNU_SOURCE= "TSR_LIBDIR=\"${CMAKE_INSTALL_LIBDIR}\"")
  # for the contract of a comm, the cases of rows, and what `tsr new` writes
  target_include_directories(tsr_tool PRIVATE src tests "${PROJECT_BINARY_DIR}/tool")
  file(GLOB template CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/template/*")
  tsr_embed("${PROJECT_BINARY_DIR}/tool/template.inc" ${template})
  target_link_libraries(tsr_tool PRIVATE tsr::tsr Threads::Threads m)
  set_target_properties(tsr_tool PROPERTIES
    OUTPUT_NAME tsr RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}"
    INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  # the manual page, and what shells complete, as the tool prints them
  set(tsr_tool $<TARGET_FILE:tsr_tool>)
  add_custom_command(TARGET tsr_tool POST_BUILD WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tool"
    COMMAND ${tsr_tool} manual > tsr.1
    COMMAND ${tsr_tool} completions bash > tsr.bash
    COMMAND ${tsr_tool} completions zsh > tsr.zsh
    COMMAND ${tsr_tool} completions fish > tsr.fish)
endif()
