# Mpi.cmake - the comm `mpi`, one plug-in for each MPI whose compiler is found. libtsr links none of
# them, and opens one by its name (src/runtime/processes.c).

function(tsr_add_mpi compiler)
  # which MPI is it? Its header says so
  set(probe "${PROJECT_BINARY_DIR}/mpi_probe.c")
  file(WRITE "${probe}" "#include <mpi.h>
#ifdef OPEN_MPI
tsr_mpi_is openmpi
#elif defined MPICH_VERSION || defined MPICH_NAME
tsr_mpi_is mpich
#endif
")
  execute_process(COMMAND "${compiler}" -E "${probe}" OUTPUT_VARIABLE text ERROR_QUIET)
  if(NOT text MATCHES "tsr_mpi_is ([a-z]+)")
    return()
  endif()
  set(kind ${CMAKE_MATCH_1})
  if(TARGET tsr_mpi_${kind})
    return()
  endif()
  set(file "${PROJECT_BINARY_DIR}/libtsr-mpi-${kind}-${PROJECT_VERSION}.so")
  set(source "${PROJECT_SOURCE_DIR}/src/comm/mpi/mpi.c")
  add_custom_command(OUTPUT "${file}"
    COMMAND "${compiler}" -std=gnu17 -O2 -Wall -Wextra -Wno-stringop-overflow
      -fPIC -fvisibility=hidden -shared
      "-DMPI_NAME=\"${kind}\"" "-I${PROJECT_SOURCE_DIR}/include" "-I${PROJECT_SOURCE_DIR}/src"
      "${source}" -o "${file}"
    COMMAND chmod go-w "${file}"
    DEPENDS "${source}" "${PROJECT_SOURCE_DIR}/src/comm/comm.h"
      "${PROJECT_SOURCE_DIR}/src/base/base.h"
    VERBATIM)
  add_custom_target(tsr_mpi_${kind} ALL DEPENDS "${file}")
  install(FILES "${file}" DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  set(TSR_MPICC_${kind} "${compiler}" PARENT_SCOPE)
  list(APPEND TSR_MPI_KINDS ${kind})
  set(TSR_MPI_KINDS "${TSR_MPI_KINDS}" PARENT_SCOPE)
endfunction()

set(TSR_MPI_KINDS "")
if(TSR_MPI)
  foreach(name mpicc.openmpi mpicc.mpich mpicc)
    find_program(TSR_${name} ${name})
    mark_as_advanced(TSR_${name})
    if(TSR_${name})
      tsr_add_mpi("${TSR_${name}}")
    endif()
  endforeach()
  if(NOT TSR_MPI_KINDS)
    message(NOTICE "No MPI was found: programs run in one process (Debian and Ubuntu: "
      "libopenmpi-dev or libmpich-dev)")
  endif()
endif()
