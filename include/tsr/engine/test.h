/* tsr/engine/test.h - the engine of a context, for tests that call its functions themselves, as
 * `tsr conform` does. */
#ifndef TSR_ENGINE_TEST_H
#define TSR_ENGINE_TEST_H
#include "tsr/engine/engine.h"
#include "tsr/tsr.h"

/* as tsr_open_at, with the devices divided evenly and in order among this many memories */
TSR_API tsr_ctx *tsr__open_divided(const char *where, const tsr_open_args *, int memories);
TSR_API engine *tsr__ctx_engine(tsr_ctx *); /* NULL: the context could not be opened */
/* A per-device program, from its text. A reference; NULL: an error with line and column is
 * recorded */
TSR_API program *tsr__program_parse(tsr_ctx *, const char *text);
/* the n-th request for memory of the context from now on fails, and all after it; n < 0: none */
TSR_API void tsr__fail_memory(tsr_ctx *, int64_t n);
TSR_API const char *tsr__row_name(int k); /* of the k-th primitive; NULL: there is none */

#endif
