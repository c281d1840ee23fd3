/* tsr/engine/test.h - the engine of a context, for tests that call its functions themselves, as
 * `tsr conform` does. */
#ifndef TSR_ENGINE_TEST_H
#define TSR_ENGINE_TEST_H
#include "tsr/engine/engine.h"
#include "tsr/tsr.h"

/* As tsr_open_at, with the devices of each process divided evenly and in order among this many
 * memories. comm: how this process reaches the others, with `given` for its open (src/comm/comm.h);
 * NULL: as .comm says */
struct comm_type;
TSR_API tsr_ctx *tsr__open_among(const char *where, const tsr_open_args *, int memories,
                                 const struct comm_type *comm, const void *given);
/* Around each run of an executable that exchanges with other processes; all of them call these.
 * begin: false: an error is recorded, and there is no run. end: ok says whether it went well here;
 * whether it did everywhere comes back, and if not, all have the same error */
TSR_API bool tsr__run_begin(tsr_ctx *, executable *);
TSR_API bool tsr__run_end(tsr_ctx *, bool ok);
TSR_API engine *tsr__ctx_engine(tsr_ctx *); /* NULL: the context could not be opened */
/* A per-device program, from its text. A reference; NULL: an error with line and column is
 * recorded */
TSR_API program *tsr__program_parse(tsr_ctx *, const char *text);
/* the n-th request for memory of the context from now on fails, and all after it; n < 0: none */
TSR_API void tsr__fail_memory(tsr_ctx *, int64_t n);
TSR_API const char *tsr__row_name(int k); /* of the k-th primitive; NULL: there is none */

#endif
