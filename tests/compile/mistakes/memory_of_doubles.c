/* memory_of_doubles.c - memory of doubles for an array of f32 */
#include <tsr/tsr.h>
tsr *of(tsr_ctx *ctx);
tsr *of(tsr_ctx *ctx)
{
	const double in[4] = {1, 2, 3, 4};
#ifdef MISTAKE
	return tsr_from(ctx, in, TSR_F32, TSR_DIMS(4));
#else
	return tsr_from(ctx, in, TSR_F64, TSR_DIMS(4));
#endif
}
