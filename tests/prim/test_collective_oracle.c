/* test_collective_oracle.c - the rows of the collectives against naive oracles, written apart. */
#include "collective_net.h"

/* ---- naive oracles: for each element of each result, where it comes from */

typedef struct source {
	int64_t member, index[3];
} source;
typedef source origin(int64_t n, const int64_t *block, int64_t me, const int64_t *at, int64_t d,
                      int64_t c);

static source gathered(int64_t n, const int64_t *block, int64_t me, const int64_t *at, int64_t d,
                       int64_t c)
{
	source s = {at[d], {0}};

	(void)n, (void)me, (void)c, (void)block;
	for (int i = 0, j = 0; j < 3; j++)
		if (j != d) s.index[i++] = at[j];
	return s;
}

static source gathered_tiled(int64_t n, const int64_t *block, int64_t me, const int64_t *at,
                             int64_t d, int64_t c)
{
	source s = {at[d] / block[d], {at[0], at[1], at[2]}};

	(void)n, (void)me, (void)c;
	s.index[d] %= block[d];
	return s;
}

static source exchanged(int64_t n, const int64_t *block, int64_t me, const int64_t *at,
                        int64_t split, int64_t concat)
{
	source s = {at[concat], {0}};
	int64_t left[2];

	(void)n, (void)block;
	for (int i = 0, j = 0; j < 3; j++)
		if (j != concat) left[i++] = at[j];
	for (int i = 0, j = 0; j < 3; j++) s.index[j] = j == split ? me : left[i++];
	return s;
}

static source exchanged_tiled(int64_t n, const int64_t *block, int64_t me, const int64_t *at,
                              int64_t split, int64_t concat)
{
	const int64_t s = block[split] / n, piece = split == concat ? s : block[concat];
	source from = {at[concat] / piece, {at[0], at[1], at[2]}};

	from.index[concat] %= piece;
	from.index[split] += me * s;
	return from;
}

static void check_origin(net *w, value x, value y, origin *of, int64_t d, int64_t c)
{
	const size_t item = tsr_dtype_size(x.type->dtype);
	int64_t at[3] = {0}, i = 0;

	do {
		for (int64_t me = 0; me < w->n; me++) {
			const source s = of(w->n, x.type->dims, me, at, d, c);
			int64_t flat = 0;
			for (int j = 0; j < x.type->ndim; j++)
				flat = flat * x.type->dims[j] + s.index[j];
			assert_memory_equal((char *)y.block[me] + (size_t)i * item,
			                    (char *)x.block[s.member] + (size_t)flat * item, item);
		}
		i++;
	} while (dims_next(at, y.type->dims, 3));
	assert_int_equal(i, y.type->size);
}

static void moves_against_oracle(void **state)
{
	(void)state;
	for (int n = 1; n <= DEVICES; n++) {
		net w;
		net_open(&w, n, 0);
		for (tsr_dtype dtype = TSR_BOOL; dtype < TSR_DTYPE_COUNT_; dtype++) {
			forget_blocks(&w);
			for (int64_t d = 0; d < 3; d++) {
				const value flat = random_value(&w, dtype, DIMS(2, 3)),
					    x = random_value(&w, dtype, DIMS(2, 1, 3));
				check_origin(&w, flat, all_gather(&w, flat, d, false), gathered, d,
				             0);
				check_origin(&w, x, all_gather(&w, x, d, true), gathered_tiled, d,
				             0);
				for (int64_t c = 0; c < 3; c++) {
					int64_t dims[3] = {2, 1, 3};
					dims[d] = n;
					const value z = random_value(&w, dtype, dims, 3);
					check_origin(&w, z, all_to_all(&w, z, d, c, false),
					             exchanged, d, c);
					dims[d] = 2 * n;
					const value t = random_value(&w, dtype, dims, 3);
					check_origin(&w, t, all_to_all(&w, t, d, c, true),
					             exchanged_tiled, d, c);
				}
			}
		}
		net_close(&w);
	}
}

/* the tree, level by level over 8 places */
#define TREE(T)                                                             \
	static T tree_##T(const T *term)                                    \
	{                                                                   \
		T s[8];                                                     \
		memcpy(s, term, sizeof s);                                  \
		for (int m = 4; m; m /= 2)                                  \
			for (int i = 0; i < m; i++) s[i] = s[2 * i] + s[2 * i + 1]; \
		return s[0];                                                \
	}
TREE(float)
TREE(double)
TREE(uint64_t)

static void sum_oracle(net *w, tsr_dtype dtype, const value *x, int64_t i, void *out)
{
	float f[8] = {0};
	double g[8] = {0};
	uint64_t u[8] = {0};
	const size_t size = tsr_dtype_size(dtype);

	for (int64_t k = 0; k < w->n; k++) {
		const char *at = (const char *)x->block[k] + (size_t)i * size;
		memcpy(&u[k], at, size < 8 ? size : 8);
		f[k] = dtype == TSR_F16    ? f16_to_f32((uint16_t)u[k])
		       : dtype == TSR_BF16 ? bf16_to_f32((uint16_t)u[k])
		                           : 0;
		if (dtype == TSR_F32) memcpy(&f[k], at, 4);
		if (dtype == TSR_F64) memcpy(&g[k], at, 8);
	}
	const float fs = tree_float(f);
	const double gs = tree_double(g);
	const uint64_t us = tree_uint64_t(u);
	const uint16_t h = dtype == TSR_F16 ? f32_to_f16(fs) : f32_to_bf16(fs);
	const void *from = dtype == TSR_F32   ? (const void *)&fs
	                   : dtype == TSR_F64 ? (const void *)&gs
	                                      : (const void *)&us;
	memcpy(out, dtype == TSR_F16 || dtype == TSR_BF16 ? (const void *)&h : from, size);
}

/* bit for bit the tree; and near the sum of doubles */
static void sums_against_oracle(void **state)
{
	(void)state;
	for (int n = 1; n <= DEVICES; n++) {
		net w;
		net_open(&w, n, 0);
		for (tsr_dtype dtype = TSR_I8; dtype <= TSR_F64; dtype++) {
			const value x = value_like(&w, dtype, DIMS(50));
			fill_rough(&w, &x);
			const value y = psum(&w, x);
			for (int64_t i = 0; i < 50; i++) {
				char want[8];
				double sum = 0, scale = 0;
				sum_oracle(&w, dtype, &x, i, want);
				assert_memory_equal((char *)y.block[n - 1] +
				                            (size_t)i * tsr_dtype_size(dtype),
				                    want, tsr_dtype_size(dtype));
				for (int k = 0; k < n; k++) {
					sum += dtype_get(dtype, x.block[k], i);
					scale += fabs(dtype_get(dtype, x.block[k], i));
				}
				const double eps = dtype == TSR_F16    ? 0x1p-10
				                   : dtype == TSR_BF16 ? 0x1p-7
				                                       : 0x1p-21;
				if (dtype_kind(dtype) == KIND_FLOAT)
					assert_true(fabs(dtype_get(dtype, y.block[0], i) - sum) <=
					            eps * scale);
			}
		}
		net_close(&w);
	}
}

/* the filling with +0 to a power of two shows where every term is -0, and nowhere else */
static void sums_of_minus_zero(void **state)
{
	(void)state;
	for (int n = 1; n <= DEVICES; n++) {
		net w;
		net_open(&w, n, 0);
		for (tsr_dtype dtype = TSR_F16; dtype <= TSR_F64; dtype++) {
			const value x = value_like(&w, dtype, DIMS(1));
			for (int k = 0; k < n; k++) put(dtype, x.block[k], 0, -0.0);
			const double sum = dtype_get(dtype, psum(&w, x).block[0], 0);
			assert_true(sum == 0 && !signbit(sum) == !!(n & (n - 1)));
		}
		net_close(&w);
	}
}

/* complex: real and imaginary parts are summed by themselves */
static void complex_sums(void **state)
{
	(void)state;
	for (int n = 1; n <= DEVICES; n++) {
		net w;
		net_open(&w, n, 0);
		const value c = value_like(&w, TSR_C64, DIMS(2 * n, 3)),
			    f = value_like(&w, TSR_F32, DIMS(2 * n, 6));
		fill_rough(&w, &f);
		for (int k = 0; k < n; k++) memcpy(c.block[k], f.block[k], type_bytes(f.type));
		const value cs = psum(&w, c), fs = psum(&w, f), ct = psum_scatter(&w, c, 0, true),
			    ft = psum_scatter(&w, f, 0, true);
		for (int k = 0; k < n; k++) {
			assert_memory_equal(cs.block[k], fs.block[k], type_bytes(fs.type));
			assert_memory_equal(ct.block[k], ft.block[k], type_bytes(ft.type));
		}
		net_close(&w);
	}
}

static void extremes_against_oracle(void **state)
{
	(void)state;
	for (int n = 1; n <= DEVICES; n++) {
		net w;
		net_open(&w, n, 0);
		for (tsr_dtype dtype = TSR_BOOL; dtype <= TSR_F64; dtype++) {
			const value x = random_value(&w, dtype, DIMS(40));
			const value top =
				call1(&w, &tsr__prim_pmax, REDUCE(.on = OVER_X), x);
			const value low =
				call1(&w, &tsr__prim_pmin, REDUCE(.on = OVER_X), x);
			for (int64_t i = 0; i < 40; i++) {
				double most = -INFINITY, least = INFINITY;
				for (int k = 0; k < n; k++) {
					most = fmax(most, dtype_get(dtype, x.block[k], i));
					least = fmin(least, dtype_get(dtype, x.block[k], i));
				}
				for (int k = 0; k < n; k++) {
					assert_true(dtype_get(dtype, top.block[k], i) == most);
					assert_true(dtype_get(dtype, low.block[k], i) == least);
				}
			}
		}
		net_close(&w);
	}
}

/* NaN wins from any place; -0 is below +0 in any order; integers are compared exactly */
static void extremes_at_the_edges(void **state)
{
	(void)state;
	static const tsr_dtype floats[] = {TSR_F16, TSR_BF16, TSR_F32, TSR_F64};
	net w;
	net_open(&w, 3, 0);
	const void *params = REDUCE(.on = OVER_X);
	for (size_t f = 0; f < ARRAY_LEN(floats); f++) {
		const value x = value_like(&w, floats[f], DIMS(5));
		static const double number[3][5] = {
			{NAN, 1, 2, -0.0, 0.0}, {1, NAN, 3, 0.0, -0.0}, {2, 2, NAN, -0.0, 0.0}};
		for (int k = 0; k < 3; k++)
			dtype_convert(floats[f], x.block[k], TSR_F64, number[k], 5);
		const value top = call1(&w, &tsr__prim_pmax, params, x),
			    low = call1(&w, &tsr__prim_pmin, params, x);
		for (int i = 0; i < 5; i++) {
			const double a = dtype_get(floats[f], top.block[1], i),
				     b = dtype_get(floats[f], low.block[1], i);
			if (i < 3) assert_true(isnan(a) && isnan(b));
			else assert_true(a == 0 && !signbit(a) && b == 0 && signbit(b));
		}
	}
	const value big = value_like(&w, TSR_U64, DIMS(1));
	for (int k = 0; k < 3; k++) *(uint64_t *)big.block[k] = UINT64_MAX - (uint64_t)(k + 1) % 3;
	assert_true(*(uint64_t *)call1(&w, &tsr__prim_pmax, params, big).block[0] == UINT64_MAX);
	assert_true(*(uint64_t *)call1(&w, &tsr__prim_pmin, params, big).block[0] ==
	            UINT64_MAX - 2);
	net_close(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moves_against_oracle),
		cmocka_unit_test(sums_against_oracle),
		cmocka_unit_test(sums_of_minus_zero),
		cmocka_unit_test(complex_sums),
		cmocka_unit_test(extremes_against_oracle),
		cmocka_unit_test(extremes_at_the_edges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
