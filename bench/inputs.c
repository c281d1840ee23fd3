/* inputs.c - the numbers of numbers.c as arrays. */
#include "bench.h"
#include <stdlib.h>

static void release(void *user, void *data)
{
	(void)user;
	free(data);
}

tsr *scattered(tsr_ctx *ctx, uint32_t seed, tsr_dims dims, double scale)
{
	int64_t n = 1;
	for (int64_t d = 1; d < dims.d[0]; d++) n *= dims.d[d];
	/* as aligned as our own arrays are, and those of the other sides */
	float *x = aligned_alloc(64, ((size_t)n * sizeof *x + 63) / 64 * 64);
	if (!x) return tsr_fail(ctx, "no memory for an input");
	scatter_numbers(x, n, seed, scale);
	return tsr_wrap(ctx, x, TSR_F32, dims, .release = release);
}
