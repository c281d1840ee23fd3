/* numbers.c - numbers without a pattern that matters, the same on all sides. */
#include "bench.h"

/* the finaliser of MurmurHash3 */
static uint32_t mixed(uint32_t h)
{
	h = (h ^ h >> 16) * 0x85ebca6bu;
	h = (h ^ h >> 13) * 0xc2b2ae35u;
	return h ^ h >> 16;
}

void scatter_numbers(float *x, int64_t n, uint32_t seed, double scale)
{
	for (int64_t i = 0; i < n; i++) {
		const uint32_t h = mixed((uint32_t)i + seed * 0x9e3779b9u);
		x[i] = ((float)(h >> 8) * 0x1p-24f - 0.5f) * (float)scale;
	}
}
