# Native.cmake - libtsr-cpu-VERSION.so, the plug-in of the CPU engine: LLVM (19 or newer), linked in
# and hidden, and hwloc. Where they are not found the library is built without it, and interprets.

option(TSR_NATIVE "build the plug-in that compiles kernels (LLVM)" ON)
if(NOT TSR_NATIVE)
  return()
endif()

find_program(LLVM_CONFIG NAMES llvm-config-21 llvm-config-20 llvm-config-19 llvm-config)
find_path(HWLOC_INCLUDE_DIR hwloc.h)
find_library(HWLOC_LIBRARY hwloc)
mark_as_advanced(LLVM_CONFIG HWLOC_INCLUDE_DIR HWLOC_LIBRARY)

function(llvm_config variable)
  execute_process(COMMAND "${LLVM_CONFIG}" ${ARGN} OUTPUT_VARIABLE text RESULT_VARIABLE failed
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(failed)
    set(text "")
  endif()
  separate_arguments(text UNIX_COMMAND "${text}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

set(llvm_version 0)
if(LLVM_CONFIG)
  llvm_config(llvm_version --version)
endif()
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  message(NOTICE "Kernels are compiled for x86-64 alone: programs are interpreted")
  return()
endif()
if(llvm_version VERSION_LESS 19 OR NOT HWLOC_INCLUDE_DIR OR NOT HWLOC_LIBRARY)
  message(NOTICE "LLVM 19 or newer and hwloc were not both found: compiled kernels are off, "
    "programs are interpreted (Debian and Ubuntu: llvm-19-dev libhwloc-dev)")
  return()
endif()

llvm_config(llvm_include --includedir)
llvm_config(llvm_folder --libdir)
# the archives, or where the distribution has none the shared library
set(components x86codegen orcjit passes)
llvm_config(llvm_libraries --link-static --libs ${components})
llvm_config(llvm_system --link-static --system-libs)
llvm_config(llvm_disassembler --link-static --libs x86disassembler) # for a test
list(FILTER llvm_system EXCLUDE REGEX "z3|xml2")
# whose files for programmers may be missing
list(REMOVE_ITEM llvm_system -lz -lzstd)
find_library(ZLIB_LIBRARY NAMES z libz.so.1)
find_library(ZSTD_LIBRARY NAMES zstd libzstd.so.1)
mark_as_advanced(ZLIB_LIBRARY ZSTD_LIBRARY)
if(ZLIB_LIBRARY AND ZSTD_LIBRARY)
  llvm_config(llvm_archives --link-static --libfiles ${components})
  list(APPEND llvm_system "${ZLIB_LIBRARY}" "${ZSTD_LIBRARY}")
else()
  set(llvm_archives missing)
endif()
foreach(archive IN LISTS llvm_archives)
  if(NOT EXISTS "${archive}")
    llvm_config(llvm_libraries --link-shared --libs ${components})
    set(llvm_system "")
    set(llvm_disassembler "")
    break()
  endif()
endforeach()

file(GLOB_RECURSE native_sources CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/src/engine/cpu/native/*.c")
list(FILTER native_sources EXCLUDE REGEX "/openblas\\.c$")
list(APPEND native_sources
  "${PROJECT_SOURCE_DIR}/src/base/environment.c" "${PROJECT_SOURCE_DIR}/src/base/processor.c")
# the objects and what they are linked with, for the plug-in and for tests that look inside
add_library(tsr_native_objects OBJECT ${native_sources})
add_library(tsr_native_needs INTERFACE)
target_include_directories(tsr_native_objects PRIVATE
  "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
target_include_directories(tsr_native_objects SYSTEM PRIVATE "${HWLOC_INCLUDE_DIR}")
target_include_directories(tsr_native_needs SYSTEM INTERFACE "${llvm_include}")
target_compile_definitions(tsr_native_objects PRIVATE _GNU_SOURCE=)
set_target_properties(tsr_native_objects PROPERTIES
  POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
target_link_libraries(tsr_native_objects PRIVATE tsr_native_needs)
target_link_directories(tsr_native_needs INTERFACE "${llvm_folder}")
target_link_libraries(tsr_native_needs INTERFACE
  ${llvm_libraries} -Wl,--as-needed ${llvm_system} "${HWLOC_LIBRARY}" "${SLEEF_LIBRARY}" stdc++ m)
target_link_options(tsr_native_needs INTERFACE LINKER:--gc-sections LINKER:--wrap=__cxa_atexit)

add_library(tsr_native MODULE $<TARGET_OBJECTS:tsr_native_objects>)
target_link_libraries(tsr_native PRIVATE tsr_native_needs)
target_link_options(tsr_native PRIVATE LINKER:--exclude-libs,ALL LINKER:-z,nodelete)
if(NOT TSR_SANITIZE AND NOT TSR_FUZZ)
  target_link_options(tsr_native PRIVATE LINKER:-z,defs)
endif()
set_target_properties(tsr_native PROPERTIES
  PREFIX "" OUTPUT_NAME libtsr-cpu-${PROJECT_VERSION} LINKER_LANGUAGE C
  LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
tsr_protect(tsr_native)

# factorisations: the single-threaded OpenBLAS, whose question which processor it is on we answer,
# and whose memory we hand out, since several of our threads call it (lapack/openblas.c, behind the
# library: destructors run from the last to the first)
find_path(OPENBLAS_INCLUDE_DIR openblas_config.h PATH_SUFFIXES openblas-serial openblas)
find_library(OPENBLAS_LIBRARY libopenblas.a PATH_SUFFIXES openblas-serial)
mark_as_advanced(OPENBLAS_INCLUDE_DIR OPENBLAS_LIBRARY)
if(OPENBLAS_INCLUDE_DIR AND OPENBLAS_LIBRARY)
  target_compile_definitions(tsr_native_objects PRIVATE TSR_OPENBLAS)
  target_include_directories(tsr_native_objects SYSTEM PRIVATE "${OPENBLAS_INCLUDE_DIR}")
  add_library(tsr_packing STATIC "${PROJECT_SOURCE_DIR}/src/engine/cpu/native/lapack/openblas.c")
  target_include_directories(tsr_packing PRIVATE
    "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
  set_target_properties(tsr_packing PROPERTIES
    POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
  target_link_libraries(tsr_native_needs INTERFACE "${OPENBLAS_LIBRARY}" tsr_packing)
  target_link_options(tsr_native_needs INTERFACE LINKER:--wrap=getenv
    LINKER:--wrap=blas_memory_alloc LINKER:--wrap=blas_memory_free LINKER:--wrap=mmap)
  # its LAPACK, where that needs no more of the Fortran runtime than what native/lapack/lapack.c has
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_LIBRARIES "${OPENBLAS_LIBRARY}" m pthread)
  check_c_source_compiles("
    void dpotrf_(void), dgetrf_(void), dgeqrf_(void), zungqr_(void), zheevd_(void), zgesdd_(void);
    void dgehrd_(void), dsytrd_(void), zhetrd_(void), dgees_(void), zgees_(void), dgeev_(void);
    void zgeev_(void);
    void _gfortran_concat_string(void) {}
    int main(void)
    {
      dpotrf_(), dgetrf_(), dgeqrf_(), zungqr_(), zheevd_(), zgesdd_();
      dgehrd_(), dsytrd_(), zhetrd_(), dgees_(), zgees_(), dgeev_(), zgeev_();
      return 0;
    }" TSR_HAS_LAPACK)
  unset(CMAKE_REQUIRED_LIBRARIES)
  if(TSR_HAS_LAPACK)
    target_compile_definitions(tsr_native_objects PRIVATE TSR_LAPACK)
  else()
    message(NOTICE "OpenBLAS has no LAPACK that links without a Fortran runtime: plain code "
      "factorises large matrices, which is slower")
  endif()
else()
  message(NOTICE "OpenBLAS was not found: plain code factorises all matrices, which is slower "
    "(Debian and Ubuntu: libopenblas-serial-dev)")
endif()
install(TARGETS tsr_native LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
