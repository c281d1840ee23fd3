/* inputs.c - numbers without a pattern that matters, the same here and in jax_cases.py. */
#include "bench.h"
#include <stdlib.h>

/* the finaliser of MurmurHash3 */
static uint32_t mixed(uint32_t h)
{
	h = (h ^ h >> 16) * 0x85ebca6bu;
	h = (h ^ h >> 13) * 0xc2b2ae35u;
	return h ^ h >> 16;
}

static void release(void *user, void *data)
{
	(void)user;
	free(data);
}

tsr *scattered(tsr_ctx *ctx, uint32_t seed, tsr_dims dims, double scale)
{
	int64_t n = 1;
	for (int64_t d = 1; d < dims.d[0]; d++) n *= dims.d[d];
	float *x = malloc((size_t)n * sizeof *x);
	if (!x) return tsr_fail(ctx, "no memory for an input");
	for (int64_t i = 0; i < n; i++) {
		const uint32_t h = mixed((uint32_t)i + seed * 0x9e3779b9u);
		x[i] = ((float)(h >> 8) * 0x1p-24f - 0.5f) * (float)scale;
	}
	return tsr_wrap(ctx, x, TSR_F32, dims, .release = release);
}
