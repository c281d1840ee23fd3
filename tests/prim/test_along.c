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
	static const int64_t lengths[] = {0, 1, 2, 17, 255, 256, 257, 512, 513, 2049, 3000};

	for (size_t k = 0; k < ARRAY_LEN(lengths); k++)
		for (int d = TSR_I8; d < TSR_DTYPE_COUNT_; d++)
			for (int form = 0; form < 4; form++)
				check_cumsum(*state, lengths[k], form & 1, form & 2, (tsr_dtype)d);
	for (int form = 0; form < 4; form++) /* cut into parts */
		check_cumsum(*state, 140000, form & 1, form & 2, TSR_F32);
}

/* ---- top_k: a place is the number of elements that are larger, or as large and before it */

/* the order of the bits of floats, but for NaNs, which are equal: NaN inf 1 0 -0 -1 -inf */
static int64_t rank_of(tsr_dtype dtype, const void *x, int64_t i)
{
	const size_t item = tsr_dtype_size(dtype);
	int64_t v = 0;

	memcpy((char *)&v + 8 - item, (const char *)x + (size_t)i * item, item);
	if (dtype_kind(dtype) == KIND_FLOAT) {
		double number;
		dtype_convert(TSR_F64, &number, dtype, (const char *)x + (size_t)i * item, 1);
		return number != number ? INT64_MAX : v < 0 ? v ^ INT64_MAX : v;
	}
	return dtype_kind(dtype) == KIND_INT ? v : v ^ INT64_MIN;
}

static void check_top_k(rig *r, const char *dims, int64_t n, int64_t step, int64_t k, int dim,
                        tsr_dtype dtype, uint64_t *seed)
{
	char operand[64], equation[64], result[128];
	void *y[2];

	snprintf(operand, sizeof operand, dims, (long long)n);
	snprintf(result, sizeof result, "%s; ", dims);
	const size_t half = strlen(result);
	snprintf(result + half, sizeof result - half, "i32%s", dims + 1);
	char types[128];
	snprintf(types, sizeof types, result, (long long)k, (long long)k);
	snprintf(equation, sizeof equation, "top_k %%0 k=%lld dim=%d", (long long)k, dim);
	program *p = rig_program(r, operand, equation, types, dtype);
	const type *t = type_of(p, p->in[0]);
	void *x = block_make(type_bytes(t));
	fill_few(dtype, x, t->size, seed);
	rig_eval_all(p, (void *[]){x}, y);
	const size_t item = tsr_dtype_size(dtype);
	for (int64_t i = 0; i < t->size; i++) {
		const int64_t along = i / step % n, first = i - along * step;
		int64_t place = 0;
		for (int64_t j = 0; j < n; j++) {
			const int64_t a = rank_of(dtype, x, first + j * step),
			              b = rank_of(dtype, x, i);
			place += a > b || (a == b && j < along);
		}
		if (place >= k) continue;
		const int64_t to = first / (n * step) * k * step + first % step + place * step;
		assert_memory_equal((char *)y[0] + (size_t)to * item,
		                    (char *)x + (size_t)i * item, item);
		assert_int_equal(((int32_t *)y[1])[to], along);
	}
	free(x);
	free(y[0]);
	free(y[1]);
	program_release(p);
}

static void top_k_picks_the_largest(void **state)
{
	static const struct { int64_t n, k; } sizes[] = {
		{0, 0}, {1, 0}, {1, 1}, {7, 3}, {7, 7}, {300, 1}, {300, 5}, {300, 200}, {300, 300},
	};
	uint64_t seed = 11;

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		for (int d = TSR_BOOL; d < TSR_C64; d++) {
			const int64_t n = sizes[i].n, k = sizes[i].k;
			check_top_k(*state, "T[%lld]", n, 1, k, 0, (tsr_dtype)d, &seed);
			check_top_k(*state, "T[2,%lld,3]", n, 3, k, 1, (tsr_dtype)d, &seed);
		}
}

/* ---- long lines are cut into parts, which go from phase to phase together: in whatever order
 * parts come within a phase, results are those of one call. Orders that can be seen to be right
 * are checked besides */

enum { LONG = 200003 };

static void eval_in_parts(const program *p, const void *const *x, void **y)
{
	const eqn *e = &p->eqns[0];
	const type *in[4], *out[4];

	for (int i = 0; i < e->nin; i++) in[i] = type_of(p, e->in[i]);
	for (int j = 0; j < e->nout; j++)
		y[j] = block_make(type_bytes(out[j] = type_of(p, e->out[j])));
	const int64_t parts = eqn_parts(e, in), phases = eqn_phases(e, in);
	void *scratch = block_make(eqn_scratch(e, in));
	assert_true(parts > 2 && phases > 1);
	for (int64_t phase = 0; phase < phases; phase++)
		for (int64_t k = parts; k-- > 0;)
			eqn_eval(&(eval_args){.eqn = e,
			                           .in = in,
			                           .out = out,
			                           .n = 1,
			                           .x = x,
			                           .y = y,
			                           .scratch = scratch,
			                           .first = k,
			                           .end = k + 1,
			                           .phase = phase});
	free(scratch);
}

/* y: sorted keys, and where they were */
static void check_order(tsr_dtype dtype, const void *x, void *const *y, int64_t n)
{
	const size_t item = tsr_dtype_size(dtype);
	const int32_t *from = y[1];

	for (int64_t i = 0; i < n; i++) {
		assert_memory_equal((char *)y[0] + (size_t)i * item,
		                    (const char *)x + (size_t)from[i] * item, item);
		if (!i) continue;
		const int order = compare(dtype, y[0], i - 1, i);
		assert_true(order < 0 || (order == 0 && from[i - 1] < from[i]));
	}
}

static void long_lines_go_in_phases(void **state)
{
	static const struct { const char *operands, *equation, *results; } rows[] = {
		{"T[200003]; i32[200003]", "sort %0 %1 dim=0 num_keys=1", "T[200003]; i32[200003]"},
		{"T[2,200003]; i32[2,200003]", "sort %0 %1 dim=1 num_keys=2",
	         "T[2,200003]; i32[2,200003]"},
		{"T[200003,3]; i32[200003,3]", "sort %0 %1 dim=0 num_keys=1",
	         "T[200003,3]; i32[200003,3]"},
		{"f32[200003]", "cumsum %0 dim=0", "f32[200003]"},
		{"i32[200003,2]", "cumsum %0 dim=0 reverse=true", "i32[200003,2]"},
		{"c64[200003]", "cumprod %0 dim=0", "c64[200003]"},
		{"f64[2,200003]", "cumlogsumexp %0 dim=1", "f64[2,200003]"},
		{"f16[200003]", "top_k %0 k=9 dim=0", "f16[9]; i32[9]"},
		{"f64[2,200003]", "top_k %0 k=900 dim=1", "f64[2,900]; i32[2,900]"},
	};
	static const tsr_dtype dtypes[] = {TSR_F32, TSR_U8, TSR_I64, TSR_C64, TSR_BF16};
	uint64_t seed = 5;

	for (size_t k = 0; k < ARRAY_LEN(rows); k++)
		for (size_t d = 0; d < (k < 3 ? ARRAY_LEN(dtypes) : 1); d++) {
			program *p = rig_program(*state, rows[k].operands, rows[k].equation,
			                         rows[k].results, dtypes[d]);
			const eqn *e = &p->eqns[0];
			void *x[2], *y[2], *z[2];
			for (int i = 0; i < e->nin; i++) {
				const type *t = type_of(p, p->in[i]);
				x[i] = block_make(type_bytes(t));
				if (t->dtype == TSR_F32)
					fill_sums(t->dtype, x[i], t->size, &seed);
				else
					fill_few(t->dtype, x[i], t->size, &seed);
				for (int64_t j = 0; i && j < t->size; j++)
					((int32_t *)x[i])[j] = (int32_t)j;
			}
			eval_in_parts(p, (const void *const *)x, y);
			rig_eval_all(p, x, z);
			for (int j = 0; j < e->nout; j++)
				assert_memory_equal(y[j], z[j], type_bytes(type_of(p, e->out[j])));
			if (k == 0) check_order(dtypes[d], x[0], y, LONG);
			for (int i = 0; i < e->nin; i++) free(x[i]);
			for (int j = 0; j < e->nout; j++) free(y[j]), free(z[j]);
			program_release(p);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sort_puts_each_in_its_place),
		cmocka_unit_test(hard_numbers_stand_as_in_jax),
		cmocka_unit_test(cumsum_adds_in_order),
		cmocka_unit_test(top_k_picks_the_largest),
		cmocka_unit_test(long_lines_go_in_phases),
	};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
