/* test_along.c - rows that work along a dim: sort against counting, with the values that JAX 0.10.2
 * gives for hard numbers, and cumsum to the bit against the order of docs/numerics.md. */
#include "prim/local_rig.h"
#include <complex.h>

/* ---- sort: a place is the number of elements that stand before */

/* -1, 0, 1 */
static int compare_parts(double a, double b)
{
	if (isnan(a) || isnan(b)) return !!isnan(a) - !!isnan(b);
	return (a > b) - (a < b);
}

static int compare(tsr_dtype dtype, const void *x, int64_t i, int64_t j)
{
	double a[2], b[2];
	int64_t whole[2];
	const char *p = (const char *)x + (size_t)i * tsr_dtype_size(dtype);
	const char *q = (const char *)x + (size_t)j * tsr_dtype_size(dtype);

	if (dtype_kind(dtype) < KIND_FLOAT) {
		dtype_convert(TSR_I64, &whole[0], dtype, p, 1);
		dtype_convert(TSR_I64, &whole[1], dtype, q, 1);
		if (dtype == TSR_U64)
			return ((uint64_t)whole[0] > (uint64_t)whole[1]) -
			       ((uint64_t)whole[0] < (uint64_t)whole[1]);
		return (whole[0] > whole[1]) - (whole[0] < whole[1]);
	}
	dtype_convert(TSR_C128, a, dtype, p, 1);
	dtype_convert(TSR_C128, b, dtype, q, 1);
	const int by_real = compare_parts(a[0], b[0]);
	return by_real ? by_real : compare_parts(a[1], b[1]);
}

/* few different numbers, so that many are equal */
static void fill_few(tsr_dtype dtype, void *x, int64_t n, uint64_t *seed)
{
	static const double floats[] = {0, -0.0, 1, -1, NAN, -NAN, INFINITY, -INFINITY, 0.5, -3};
	static const int64_t wholes[] = {0, 1, -1, INT64_MAX, INT64_MIN, 2, 127, -128, 5, 3};
	const size_t item = tsr_dtype_size(dtype);

	for (int64_t i = 0; i < n; i++) {
		char *to = (char *)x + (size_t)i * item;
		const double pair[2] = {floats[random_bits(seed) % 10],
		                        floats[random_bits(seed) % 10]};
		const int64_t whole = wholes[random_bits(seed) % 10];
		if (dtype_kind(dtype) < KIND_FLOAT)
			dtype_convert(dtype, to, TSR_I64, &whole, 1);
		else
			dtype_convert(dtype, to, TSR_C128, pair, 1);
	}
}

typedef struct sorting {
	const program *p;
	const type *t[3];
	void *x[3], *y[3];
	int64_t dim, nkeys;
} sorting;

static bool stands_before(const sorting *s, int64_t i, int64_t j)
{
	for (int64_t k = 0; k < s->nkeys; k++) {
		const int order = compare(s->t[k]->dtype, s->x[k], i, j);
		if (order) return order < 0;
	}
	return i < j;
}

/* each element of each operand is where it has to be */
static void check_places(const sorting *s)
{
	const eqn *e = &s->p->eqns[0];
	const type *t = s->t[0];
	int64_t inner = 1;

	for (int d = (int)s->dim + 1; d < t->ndim; d++) inner *= t->dims[d];
	for (int64_t i = 0; i < t->size; i++) {
		const int64_t n = t->dims[s->dim], along = i / inner % n;
		const int64_t first = i - along * inner;
		int64_t place = 0;
		for (int64_t k = 0; k < n; k++)
			place += stands_before(s, first + k * inner, i);
		for (int k = 0; k < e->nin; k++) {
			const size_t item = tsr_dtype_size(s->t[k]->dtype);
			const char *y = (const char *)s->y[k];
			assert_memory_equal(y + (size_t)(first + place * inner) * item,
			                    (const char *)s->x[k] + (size_t)i * item, item);
		}
	}
}

static void check_sort(rig *r, const char *dims, int dim, int nkeys, tsr_dtype dtype,
                       uint64_t *seed)
{
	char operands[128], equation[128];
	sorting s = {.dim = dim, .nkeys = nkeys};

	snprintf(operands, sizeof operands, "T[%s]; i8[%s]; f64[%s]", dims, dims, dims);
	snprintf(equation, sizeof equation, "sort %%0 %%1 %%2 dim=%d num_keys=%d%s", dim, nkeys,
	         *seed % 2 ? " is_stable=true" : "");
	s.p = rig_program(r, operands, equation, operands, dtype);
	for (int k = 0; k < 3; k++) {
		s.t[k] = type_of(s.p, s.p->in[k]);
		s.x[k] = block_make(type_bytes(s.t[k]));
		fill_few(s.t[k]->dtype, s.x[k], s.t[k]->size, seed);
	}
	rig_eval_all(s.p, s.x, s.y);
	check_places(&s);
	for (int k = 0; k < 3; k++) {
		free(s.x[k]);
		free(s.y[k]);
	}
	program_release(s.p);
}

static void sort_puts_each_in_its_place(void **state)
{
	static const struct { const char *dims; int dim; } shapes[] = {
		{"0", 0},   {"1", 0},   {"2", 0},   {"3", 0},   {"16", 0},    {"37", 0},
		{"257", 0}, {"3,0", 0}, {"0,3", 0}, {"5,4", 1}, {"2,7,3", 1}, {"1,6,1,2", 1},
	};
	uint64_t seed = 7;

	for (size_t k = 0; k < ARRAY_LEN(shapes); k++)
		for (int d = TSR_BOOL; d < TSR_DTYPE_COUNT_; d++)
			for (int nkeys = 1; nkeys <= 3; nkeys++)
				check_sort(*state, shapes[k].dims, shapes[k].dim, nkeys,
				           (tsr_dtype)d, &seed);
}

/* where JAX puts them: order[i] is the number of the element that comes i-th */
static void hard_numbers_stand_as_in_jax(void **state)
{
	static const struct {
		int n;
		double x[10][2];
		int order[10];
	} rows[] = {
		{10,
	         {{1}, {-0.0}, {0}, {NAN}, {-INFINITY}, {-NAN}, {INFINITY}, {-1}, {0}, {-0.0}},
	         {4, 7, 1, 2, 8, 9, 0, 6, 3, 5}},
		{8,
	         {{1, 2}, {1, 1}, {NAN, 0}, {0, NAN}, {0, 1}, {-0.0, 0.5}, {0, -0.0}, {0, 0}},
	         {6, 7, 5, 4, 3, 1, 0, 2}},
	};
	static const tsr_dtype dtypes[][4] = {{TSR_F16, TSR_BF16, TSR_F32, TSR_F64},
	                                      {TSR_C64, TSR_C128, TSR_C64, TSR_C128}};

	for (size_t k = 0; k < ARRAY_LEN(rows); k++)
		for (int d = 0; d < 4; d++) {
			char operands[64], x[10 * 16];
			int32_t number[10];
			void *y[2];
			snprintf(operands, sizeof operands, "T[%d]; i32[%d]", rows[k].n, rows[k].n);
			program *p = rig_program(*state, operands, "sort %0 %1 dim=0 num_keys=1",
			                         operands, dtypes[k][d]);
			dtype_convert(dtypes[k][d], x, TSR_C128, rows[k].x, rows[k].n);
			for (int i = 0; i < rows[k].n; i++) number[i] = i;
			rig_eval_all(p, (void *[]){x, number}, y);
			for (int i = 0; i < rows[k].n; i++)
				assert_int_equal(((int32_t *)y[1])[i], rows[k].order[i]);
			free(y[0]);
			free(y[1]);
			program_release(p);
		}
}

/* ---- cumsum: all blocks first, then what is before each, then the results */

#define ORACLE(name, wide_) \
	static void name(const wide_ *x, wide_ *y, int64_t n, bool reverse) \
	{ \
		const int64_t blocks = (n + 255) / 256; \
		wide_ *before = calloc((size_t)blocks + 1, sizeof *before); \
		assert_non_null(before); \
		for (int64_t b = 0; b < blocks; b++) { \
			wide_ sum = 0; \
			for (int64_t i = 256 * b; i < n && i < 256 * b + 256; i++) { \
				const int64_t at = reverse ? n - 1 - i : i; \
				y[at] = sum = sum + x[at]; \
			} \
			before[b + 1] = before[b] + sum; \
		} \
		for (int64_t i = 0; i < n; i++) { \
			const int64_t at = reverse ? n - 1 - i : i; \
			y[at] = before[i / 256] + y[at]; \
		} \
		free(before); \
	}
ORACLE(sums_of_f32, float)
ORACLE(sums_of_f64, double)
ORACLE(sums_of_c64, float _Complex)
ORACLE(sums_of_c128, double _Complex)
ORACLE(sums_of_u64, uint64_t)

static tsr_dtype computed_in(tsr_dtype dtype)
{
	return dtype_kind(dtype) < KIND_FLOAT ? TSR_U64 : dtype_wide(dtype);
}

static void oracle(tsr_dtype wide, const void *x, void *y, int64_t n, bool reverse)
{
	switch (wide) {
	case TSR_F32: sums_of_f32(x, y, n, reverse); break;
	case TSR_F64: sums_of_f64(x, y, n, reverse); break;
	case TSR_C64: sums_of_c64(x, y, n, reverse); break;
	case TSR_C128: sums_of_c128(x, y, n, reverse); break;
	default: sums_of_u64(x, y, n, reverse);
	}
}

static void fill_sums(tsr_dtype dtype, void *x, int64_t n, uint64_t *seed)
{
	for (int64_t i = 0; i < n; i++) {
		const double size = exp2(floor(random_in(seed, -8, 8)));
		const double pair[2] = {i % 7 ? random_in(seed, -size, size) : -0.0,
		                        random_in(seed, -size, size)};
		const int64_t whole = (int64_t)random_bits(seed);
		char *to = (char *)x + (size_t)i * tsr_dtype_size(dtype);
		if (dtype_kind(dtype) < KIND_FLOAT)
			dtype_convert(dtype, to, TSR_I64, &whole, 1);
		else
			dtype_convert(dtype, to, TSR_C128, pair, 1);
	}
}

/* [n] along dim 0, or [2,n,3] along dim 1: every line of it */
static void check_cumsum(rig *r, int64_t n, bool nested, bool reverse, tsr_dtype dtype)
{
	const int64_t lines = nested ? 6 : 1, step = nested ? 3 : 1;
	const size_t item = tsr_dtype_size(dtype), room = (size_t)(lines * n) + 1;
	const tsr_dtype wide = computed_in(dtype);
	uint64_t seed = (uint64_t)n;
	char operand[64], equation[64], want[16];
	char *x = block_make(room * 16);
	void *in = block_make(room * 16), *out = block_make(room * 16);

	snprintf(operand, sizeof operand, nested ? "T[2,%lld,3]" : "T[%lld]", (long long)n);
	snprintf(equation, sizeof equation, "cumsum %%0 dim=%d%s", nested,
	         reverse ? " reverse=true" : "");
	program *p = rig_program(r, operand, equation, operand, dtype);
	fill_sums(dtype, x, lines * n, &seed);
	char *y = rig_eval(p, (void *[]){x});
	for (int64_t l = 0; l < lines; l++) {
		const int64_t first = l / step * step * n + l % step;
		for (int64_t i = 0; i < n; i++)
			dtype_convert(wide, (char *)in + (size_t)i * tsr_dtype_size(wide), dtype,
			              x + (size_t)(first + i * step) * item, 1);
		oracle(wide, in, out, n, reverse);
		for (int64_t i = 0; i < n; i++) {
			dtype_convert(dtype, want, wide,
			              (char *)out + (size_t)i * tsr_dtype_size(wide), 1);
			assert_memory_equal(y + (size_t)(first + i * step) * item, want, item);
		}
	}
	free(x);
	free(in);
	free(out);
	free(y);
	program_release(p);
}

static void cumsum_adds_in_order(void **state)
{
	static const int64_t lengths[] = {0, 1, 2, 17, 255, 256, 257, 512, 513, 3000};

	for (size_t k = 0; k < ARRAY_LEN(lengths); k++)
		for (int d = TSR_I8; d < TSR_DTYPE_COUNT_; d++)
			for (int form = 0; form < 4; form++)
				check_cumsum(*state, lengths[k], form & 1, form & 2, (tsr_dtype)d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sort_puts_each_in_its_place),
		cmocka_unit_test(hard_numbers_stand_as_in_jax),
		cmocka_unit_test(cumsum_adds_in_order),
	};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
