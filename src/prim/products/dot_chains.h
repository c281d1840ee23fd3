/* dot_chains.h - adds chains of fused steps for one set of instructions; dot_chains.c includes
 * it for each. */

#define CHAINS(suffix_, number_, FMA) \
	TARGET static void OF(chains_##suffix_)(const void *x, const void *y, int n, void *to) \
	{ \
		const number_ *a = x, *b = y; \
		number_ sum[DOT_ABREAST] = {0}; \
		for (int k = 0; k < n; k++) \
			for (int j = 0; j < DOT_ABREAST; j++) \
				sum[j] = FMA(a[k], b[k * DOT_ABREAST + j], sum[j]); \
		memcpy(to, sum, sizeof sum); \
	} \
	TARGET static void OF(chain_##suffix_)(const void *x, const void *y, int n, void *to) \
	{ \
		const number_ *a = x, *b = y; \
		number_ sum = 0; \
		for (int k = 0; k < n; k++) sum = FMA(a[k], b[k * DOT_ABREAST], sum); \
		*(number_ *)to = sum; \
	}
CHAINS(f32, float, __builtin_fmaf)
CHAINS(f64, double, __builtin_fma)
CHAINS(u64, uint64_t, MULTIPLY_ADD)
CHAINS(c64, c64, FMA_C64)
CHAINS(c128, c128, FMA_C128)
#undef CHAINS

/* the same of f32, by pairs; columns: how many of DOT_ABREAST */
TARGET static void OF(pairs)(const float *a, const float *b, int n, int columns, float *sum)
{
	for (int k = 0; k < n; k += 2) {
		const bool one = k + 1 == n;
		for (int j = 0; j < columns; j++) {
			const float *low = b + k * DOT_ABREAST + j;
			const float high = one ? PAIR_STEP(0, 0, sum[j])
			                       : PAIR_STEP(a[k + 1], low[DOT_ABREAST], sum[j]);
			sum[j] = PAIR_STEP(a[k], *low, high);
		}
	}
}
TARGET static void OF(chains_pairs)(const void *x, const void *y, int n, void *to)
{
	float sum[DOT_ABREAST] = {0};

	OF(pairs)(x, y, n, DOT_ABREAST, sum);
	memcpy(to, sum, sizeof sum);
}
TARGET static void OF(chain_pairs)(const void *x, const void *y, int n, void *to)
{
	float sum = 0;

	OF(pairs)(x, y, n, 1, &sum);
	*(float *)to = sum;
}

static dot_chains *const OF(chains)[][2] = {
	[TSR_F32] = {OF(chains_f32), OF(chain_f32)}, [TSR_F64] = {OF(chains_f64), OF(chain_f64)},
	[TSR_C64] = {OF(chains_c64), OF(chain_c64)}, [TSR_C128] = {OF(chains_c128), OF(chain_c128)},
	[TSR_U64] = {OF(chains_u64), OF(chain_u64)}, [PAIRS] = {OF(chains_pairs), OF(chain_pairs)},
};

#undef OF
#undef TARGET
