/* tsr/mpi.h - contexts on a communicator of the program's own MPI. It includes <mpi.h>, so it is
 * not part of tsr/tsr.h, and is compiled with mpicc. docs/processes.md says more.
 *
 *     MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
 *     tsr_ctx *ctx = tsr_mpi_open(MPI_COMM_WORLD, .devices = 8);
 *     ...
 *     const int code = tsr_close(ctx);
 *     MPI_Finalize(); */
/** @file */
#ifndef TSR_MPI_H
#define TSR_MPI_H
#include <mpi.h>
#include "context.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined OPEN_MPI
#define TSR_MPI_KIND_ "openmpi"
#elif defined MPICH_VERSION || defined MPICH_NAME
#define TSR_MPI_KIND_ "mpich"
#else
#error "tsr/mpi.h knows Open MPI, and MPICH and those with its binary interface"
#endif

/** What tsr_mpi_open() calls: comm points to the MPI_Comm, and mpi names the MPI of its header,
 * "openmpi" or "mpich". */
TSR_API tsr_ctx *tsr_mpi_open_at(const char *where, const void *comm, const char *mpi,
                                 const tsr_open_args *args);

/** tsr_mpi_open() for C++, and with the caller's place. */
static inline tsr_ctx *tsr_mpi_open_on(const char *where, MPI_Comm comm, const tsr_open_args *args)
{
	return tsr_mpi_open_at(where, &comm, TSR_MPI_KIND_, args);
}

#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
/** Opens a context as tsr_open() does, whose processes are those of the communicator:
 * tsr_mpi_open(half, .devices = 4). All of them open it together. It works on a copy of the
 * communicator, so messages of the program are its own. MPI must be initialised, with
 * MPI_Init_thread() and MPI_THREAD_FUNNELED or more, and the context is used on the thread that did
 * that; it is closed before the program calls MPI_Finalize(). .comm has no meaning here. Errors, a
 * dead context as of tsr_open(): MPI_COMM_NULL, another MPI than the program is linked with, MPI
 * not initialised, finalised, or for a single thread (TSR_ERROR_PROCESS, TSR_ERROR_PLUGIN). */
#define tsr_mpi_open(...) TSR_MPI_OPEN_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_MPI_OPEN_(v_, comm, ...) \
	__extension__({ \
		TSR_KW_(tsr_open_args, v_, __VA_ARGS__) \
		tsr_mpi_open_on(TSR_HERE, comm, &v_); \
	})
#endif

#endif
