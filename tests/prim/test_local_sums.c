/* test_local_sums.c - the order of sums and products to the bit, against the order of
 * docs/numerics.md written down literally.
 *
 * The oracle has the whole tree in memory: 16 lanes a block, every place that nothing falls on
 * filled up with the neutral element, up to a power of two. Dot products are chains, block after
 * block. */
#include "prim/local_rig.h"
#include <complex.h>
#include <fenv.h>

typedef float _Complex cf;
typedef double _Complex cd;

#define MOST 70000

/* ---- oracles: the tree of n partial results, n a power of two */

#define ORACLE(name, wide_, JOIN, STEP, NEUTRAL) \
	static wide_ name##_tree(const wide_ *v, int64_t n) \
	{ \
		if (n == 1) return *v; \
		const wide_ l = name##_tree(v, n / 2), r = name##_tree(v + n / 2, n / 2); \
		return JOIN(l, r); \
	} \
	static wide_ name(const wide_ *a, const wide_ *b, int64_t n) \
	{ \
		int64_t blocks = 1; \
		while (blocks * 256 < n) blocks *= 2; \
		wide_ *lane = malloc((size_t)blocks * 16 * sizeof *lane); \
		assert_non_null(lane); \
		for (int64_t i = 0; i < blocks * 16; i++) lane[i] = NEUTRAL; \
		for (int64_t i = 0; i < n; i++) { \
			wide_ *at = &lane[i / 256 * 16 + i % 16]; \
			*at = STEP(a[i], b[i], *at); \
		} \
		const wide_ sum = name##_tree(lane, blocks * 16); \
		free(lane); \
		return sum; \
	}

#define ADD(l, r) ((l) + (r))
#define MUL(l, r) ((l) * (r))
#define TAKE_SUM(x, unused, sum) ((void)(unused), (sum) + (x))
#define TAKE_PRODUCT(x, unused, sum) ((void)(unused), (sum) * (x))

static cf step_cf(cf a, cf b, cf sum)
{
	float re = fmaf(crealf(a), crealf(b), crealf(sum)),
	      im = fmaf(crealf(a), cimagf(b), cimagf(sum));

	re = fmaf(-cimagf(a), cimagf(b), re);
	im = fmaf(cimagf(a), crealf(b), im);
	return __builtin_complex(re, im);
}

static cd step_cd(cd a, cd b, cd sum)
{
	double re = fma(creal(a), creal(b), creal(sum)), im = fma(creal(a), cimag(b), cimag(sum));

	re = fma(-cimag(a), cimag(b), re);
	im = fma(cimag(a), creal(b), im);
	return __builtin_complex(re, im);
}

ORACLE(sum_f, float, ADD, TAKE_SUM, 0)
ORACLE(sum_d, double, ADD, TAKE_SUM, 0)
ORACLE(sum_cf, cf, ADD, TAKE_SUM, 0)
ORACLE(sum_cd, cd, ADD, TAKE_SUM, 0)
ORACLE(product_f, float, MUL, TAKE_PRODUCT, 1)
ORACLE(product_d, double, MUL, TAKE_PRODUCT, 1)

#define DOT_ORACLE(name, wide_, STEP) \
	static wide_ name(const wide_ *a, const wide_ *b, int64_t n) \
	{ \
		wide_ sum = 0, chain = 0; \
		for (int64_t i = 0; i < n; i++) { \
			if (i % 256 == 0) chain = 0; \
			chain = STEP(a[i], b[i], chain); \
			if (i % 256 < 255 && i < n - 1) continue; \
			sum = i < 256 ? chain : sum + chain; \
		} \
		return sum; \
	}
DOT_ORACLE(dot_f, float, fmaf)
DOT_ORACLE(dot_d, double, fma)
DOT_ORACLE(dot_cf, cf, step_cf)
DOT_ORACLE(dot_cd, cd, step_cd)

/* ---- one result, from n elements of each operand in order: the bits */

enum what { SUM, PRODUCT, DOT };

#define WIDEN(wide_, wide_dtype, element) \
	wide_ *a = malloc((size_t)n * sizeof *a + 1), *b = malloc((size_t)n * sizeof *b + 1); \
	assert_true(a && b); \
	dtype_convert(wide_dtype, a, dtype, x, n); \
	dtype_convert(wide_dtype, b, dtype, y, n); \
	const wide_ value = element; \
	dtype_convert(result, out, wide_dtype, &value, 1); \
	free(a); \
	free(b);

static void oracle(enum what what, tsr_dtype dtype, tsr_dtype result, const void *x, const void *y,
                   int64_t n, void *out)
{
	if (result == TSR_F64) {
		WIDEN(double, TSR_F64,
		      what == SUM   ? sum_d(a, b, n)
		      : what == DOT ? dot_d(a, b, n)
		                    : product_d(a, b, n))
	} else if (result == TSR_C64) {
		WIDEN(cf, TSR_C64, what == SUM ? sum_cf(a, b, n) : dot_cf(a, b, n))
	} else if (result == TSR_C128) {
		WIDEN(cd, TSR_C128, what == SUM ? sum_cd(a, b, n) : dot_cd(a, b, n))
	} else {
		WIDEN(float, TSR_F32,
		      what == SUM   ? sum_f(a, b, n)
		      : what == DOT ? dot_f(a, b, n)
		                    : product_f(a, b, n))
	}
}

static const tsr_dtype inexact[] = {TSR_F16, TSR_BF16, TSR_F32, TSR_F64, TSR_C64, TSR_C128};

/* numbers of many sizes; near 1 for products */
static void fill(void *x, tsr_dtype dtype, int64_t n, enum what what, uint64_t seed)
{
	double *v = malloc((size_t)n * 2 * sizeof *v + 1);

	assert_non_null(v);
	for (int64_t i = 0; i < 2 * n; i++) {
		const double size = what == PRODUCT ? 0.01 : exp2(floor(random_in(&seed, -8, 8)));
		v[i] = (what == PRODUCT ? 1 : 0) + random_in(&seed, -size, size);
	}
	dtype_convert(dtype, x, TSR_C128, v, n);
	free(v);
}

static const int64_t lengths[] = {0,   1,   2,   3,   15,  16,   17,   31,   255,  256,  257,
                                  300, 511, 512, 513, 768, 1000, 1281, 4096, 5000, 65537};

/* ---- sums of a line */

static void line(rig *r, enum what what, tsr_dtype dtype, int64_t n)
{
	char operand[32], want[16];
	void *x = block_make((size_t)n * 16);

	snprintf(operand, sizeof operand, "T[%lld]", (long long)n);
	program *p = rig_program(r, operand,
	                         what == SUM ? "reduce_sum %0 dims=[0]" : "reduce_prod %0 dims=[0]",
	                         "T[]", dtype);
	fill(x, dtype, n, what, (uint64_t)n);
	void *y = rig_eval(p, (void *[]){x});
	oracle(what, dtype, dtype, x, x, n, want);
	assert_memory_equal(y, want, tsr_dtype_size(dtype));
	free(x);
	free(y);
	program_release(p);
}

static void sums_of_lines(void **state)
{
	for (size_t d = 0; d < ARRAY_LEN(inexact); d++)
		for (size_t k = 0; k < ARRAY_LEN(lengths); k++)
			line(*state, SUM, inexact[d], lengths[k]);
}

static void products_of_lines(void **state)
{
	for (size_t d = 0; d < 4; d++)
		for (size_t k = 0; k < ARRAY_LEN(lengths); k++)
			line(*state, PRODUCT, inexact[d], lengths[k]);
}

/* ---- several dims: the reduced ones are flattened row-major, however they lie in memory */

static void sums_over_dims(void **state)
{
	enum { A = 5, B = 7, C = 3, D = 40 };
	static const struct { const char *equation, *result; bool over[4];
	} cases[] = {
		{"reduce_sum %0 dims=[0,2]", "T[7,40]", {1, 0, 1, 0}},
		{"reduce_sum %0 dims=[1,3]", "T[5,3]", {0, 1, 0, 1}},
		{"reduce_sum %0 dims=[0,1,3]", "T[3]", {1, 1, 0, 1}},
		{"reduce_sum %0 dims=[0,1,2,3]", "T[]", {1, 1, 1, 1}},
		{"reduce_sum %0 dims=[0]", "T[7,3,40]", {1, 0, 0, 0}},
		{"reduce_sum %0 dims=[1,2]", "T[5,40]", {0, 1, 1, 0}},
	};
	const int64_t dims[] = {A, B, C, D};

	for (size_t d = 0; d < ARRAY_LEN(inexact); d++)
		for (size_t k = 0; k < ARRAY_LEN(cases); k++) {
			const tsr_dtype dtype = inexact[d];
			const size_t item = tsr_dtype_size(dtype);
			char *x = block_make(A * B * C * D * 16),
			     *part = block_make(A * B * C * D * 16), want[16];
			fill(x, dtype, A * B * C * D, SUM, k);
			program *p = rig_program(*state, "T[5,7,3,40]", cases[k].equation,
			                         cases[k].result, dtype);
			char *y = rig_eval(p, (void *[]){x});
			const int64_t results = type_of(p, p->out[0])->size;
			for (int64_t i = 0; i < results; i++) {
				int64_t n = 0, index[4] = {0};
				do {
					int64_t kept = 0, at = 0;
					for (int j = 0; j < 4; j++) {
						at = at * dims[j] + index[j];
						if (!cases[k].over[j])
							kept = kept * dims[j] + index[j];
					}
					if (kept == i)
						memcpy(part + (size_t)n++ * item,
						       x + (size_t)at * item, item);
				} while (dims_next(index, dims, 4));
				oracle(SUM, dtype, dtype, part, part, n, want);
				assert_memory_equal(y + (size_t)i * item, want, item);
			}
			free(x);
			free(y);
			free(part);
			program_release(p);
		}
}

/* no partial sum is -0; an infinity stays, and meets another one as NaN */
static void corners_of_sums(void **state)
{
	static const struct { float x[3], want;
	} cases[] = {
		{{-0.0f, -0.0f, -0.0f}, 0},
		{{INFINITY, 1, -1}, INFINITY},
		{{INFINITY, 1, -INFINITY}, NAN},
		{{1, NAN, 1}, NAN},
		{{0x1.fffffep127f, 0x1.fffffep127f, -0x1.fffffep127f}, INFINITY},
		{{0x1p-149f, 0x1p-149f, 0}, 0x1p-148f},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		float x[3];
		memcpy(x, cases[i].x, sizeof x);
		program *p =
			rig_program(*state, "f32[3]", "reduce_sum %0 dims=[0]", "f32[]", TSR_F32);
		float *y = rig_eval(p, (void *[]){x});
		assert_true(isnan(cases[i].want) ? isnan(*y) : *y == cases[i].want && !signbit(*y));
		free(y);
		program_release(p);
	}
}

/* integers wrap, whatever the order; a wider result of a dot product holds more */
static void integers_wrap(void **state)
{
	enum { N = 300, X = 101 };
	static const char *const equations[][2] = {
		{"reduce_sum %0 dims=[0]", "i8[]"},
		{"reduce_prod %0 dims=[0]", "i8[]"},
		{"dot_general %0 %0 contract_a=[0] contract_b=[0] batch_a=[] batch_b=[] dtype=i8",
	         "i8[]"},
		{"dot_general %0 %0 contract_a=[0] contract_b=[0] batch_a=[] batch_b=[] dtype=i32",
	         "i32[]"},
	};
	uint8_t sum = 0, product = 1, dot = 0;
	int8_t x[N];

	for (int i = 0; i < N; i++) {
		x[i] = X;
		sum = (uint8_t)(sum + X);
		product = (uint8_t)(product * X);
		dot = (uint8_t)(dot + X * X);
	}
	const int64_t want[] = {(int8_t)sum, (int8_t)product, (int8_t)dot, N * X * X};
	for (size_t i = 0; i < ARRAY_LEN(equations); i++) {
		int64_t got;
		program *p =
			rig_program(*state, "i8[300]", equations[i][0], equations[i][1], TSR_I8);
		void *y = rig_eval(p, (void *[]){x});
		dtype_convert(TSR_I64, &got, type_of(p, p->out[0])->dtype, y, 1);
		assert_int_equal(got, want[i]);
		free(y);
		program_release(p);
	}
}

/* ---- dot products */

static void dot_line(rig *r, tsr_dtype dtype, tsr_dtype result, int64_t n)
{
	char operands[64], equation[128], to[16], want[16];
	void *a = block_make((size_t)n * 16), *b = block_make((size_t)n * 16);

	snprintf(operands, sizeof operands, "T[%lld]; T[%lld]", (long long)n, (long long)n);
	snprintf(equation, sizeof equation,
	         "dot_general %%0 %%1 contract_a=[0] contract_b=[0] batch_a=[] batch_b=[] dtype=%s",
	         tsr_dtype_name(result));
	snprintf(to, sizeof to, "%s[]", tsr_dtype_name(result));
	program *p = rig_program(r, operands, equation, to, dtype);
	fill(a, dtype, n, DOT, (uint64_t)n);
	fill(b, dtype, n, DOT, (uint64_t)n + 1);
	void *y = rig_eval(p, (void *[]){a, b});
	oracle(DOT, dtype, result, a, b, n, want);
	assert_memory_equal(y, want, tsr_dtype_size(result));
	free(a);
	free(b);
	free(y);
	program_release(p);
}

static void dots_of_lines(void **state)
{
	static const tsr_dtype pairs[][2] = {
		{TSR_F16, TSR_F16}, {TSR_F16, TSR_F32},  {TSR_BF16, TSR_BF16}, {TSR_BF16, TSR_F32},
		{TSR_F16, TSR_F64}, {TSR_F32, TSR_F32},  {TSR_F32, TSR_F64},   {TSR_F64, TSR_F64},
		{TSR_C64, TSR_C64}, {TSR_C64, TSR_C128}, {TSR_C128, TSR_C128},
	};

	for (size_t d = 0; d < ARRAY_LEN(pairs); d++)
		for (size_t k = 0; k < ARRAY_LEN(lengths); k++)
			dot_line(*state, pairs[d][0], pairs[d][1], lengths[k]);
}

/* a product that underflows to -0 in every step: a chain begins with +0, a sum of chains with the
 * first of them */
static void dots_of_minus_zero(void **state)
{
	static const int64_t n[] = {1, 15, 16, 256, 257, 272, 512, 768, 1024, 1280};

	for (size_t k = 0; k < ARRAY_LEN(n); k++) {
		char operands[64];
		float a[1280], b[1280], want;
		for (int i = 0; i < 1280; i++) a[i] = 1e-30f, b[i] = -1e-30f;
		snprintf(operands, sizeof operands, "f32[%lld]; f32[%lld]", (long long)n[k],
		         (long long)n[k]);
		program *p = rig_program(*state, operands,
		                         "dot_general %0 %1 contract_a=[0] contract_b=[0] "
		                         "batch_a=[] batch_b=[] dtype=f32",
		                         "f32[]", TSR_F32);
		float *y = rig_eval(p, (void *[]){a, b});
		want = dot_f(a, b, n[k]);
		assert_true(*y == 0 && !signbit(*y) == !signbit(want));
		free(y);
		program_release(p);
	}
}

/* dims in any place and order; the contracted ones are flattened in the order of the lists */
static void dots_over_dims(void **state)
{
	enum { G = 2, M = 3, N = 4, K = 9, L = 31 };
	static const char *const equation = "dot_general %0 %1 contract_a=[3,1] contract_b=[0,2] "
	                                    "batch_a=[2] batch_b=[3] dtype=T";
	for (size_t d = 0; d < ARRAY_LEN(inexact); d++) {
		const tsr_dtype dtype = inexact[d];
		const size_t item = tsr_dtype_size(dtype);
		char *a = block_make(M * K * G * L * 16), *b = block_make(L * N * K * G * 16),
		     want[16];
		char *x = block_make(K * L * 16), *z = block_make(K * L * 16);
		fill(a, dtype, M * K * G * L, DOT, d);
		fill(b, dtype, L * N * K * G, DOT, d + 50);
		program *p = rig_program(*state, "T[3,9,2,31]; T[31,4,9,2]", equation, "T[2,3,4]",
		                         dtype);
		char *y = rig_eval(p, (void *[]){a, b});
		for (size_t i = 0; i < G * M * N; i++) {
			const size_t g = i / (M * N), m = i / N % M, n = i % N;
			for (size_t s = 0; s < K * L; s++) {
				const size_t l = s / K, k = s % K;
				memcpy(x + s * item, a + (((m * K + k) * G + g) * L + l) * item,
				       item);
				memcpy(z + s * item, b + (((l * N + n) * K + k) * G + g) * item,
				       item);
			}
			oracle(DOT, dtype, dtype, x, z, K * L, want);
			assert_memory_equal(y + i * item, want, item);
		}
		free(a);
		free(b);
		free(x);
		free(z);
		free(y);
		program_release(p);
	}
}

/* whether any product is true */
static void dots_of_bools(void **state)
{
	uint8_t a[] = {1, 0, 1, 0, 1, 0}, b[] = {0, 1, 0, 1, 0, 1};
	const uint8_t want[] = {0, 1, 0, 1};

	program *p = rig_program(
		*state, "bool[2,3]; bool[3,2]",
		"dot_general %0 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] dtype=bool",
		"bool[2,2]", TSR_BOOL);
	uint8_t *y = rig_eval(p, (void *[]){a, b});
	assert_memory_equal(y, want, sizeof want);
	free(y);
	program_release(p);
}

/* A tile of three columns has room for more: what the scratch memory has there takes part in no
 * step. Signalling NaNs would show; numbers below the normal ones would only take long */
static void narrow_products_leave_the_scratch_memory(void **state)
{
	program *p = rig_program(
		*state, "T[2,5]; T[5,3]",
		"dot_general %0 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] dtype=T",
		"T[2,3]", TSR_F32);
	const eqn *e = &p->eqns[0];
	const type *in[] = {type_of(p, e->in[0]), type_of(p, e->in[1])};
	const type *out = type_of(p, e->out[0]);
	const uint32_t signalling = 0x7fa00000;
	const size_t bytes = eqn_scratch(e, in);
	uint32_t *scratch = block_make(bytes);
	const float a[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, b[15] = {[0] = 1, [4] = 1, [8] = 1};
	float y[6];

	for (size_t i = 0; i < bytes / sizeof *scratch; i++) scratch[i] = signalling;
	feclearexcept(FE_ALL_EXCEPT);
	eqn_eval(&(eval_args){.eqn = e, .in = in, .out = &out, .n = 1, .x = (const void *[]){a, b},
	                      .y = (void *[]){y}, .scratch = scratch});
	assert_false(fetestexcept(FE_INVALID));
	assert_memory_equal(y, ((float[]){1, 2, 3, 6, 7, 8}), sizeof y);
	free(scratch);
	program_release(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_of_lines),      cmocka_unit_test(products_of_lines),
		cmocka_unit_test(sums_over_dims),     cmocka_unit_test(corners_of_sums),
		cmocka_unit_test(integers_wrap),      cmocka_unit_test(dots_of_lines),
		cmocka_unit_test(dots_of_minus_zero), cmocka_unit_test(dots_over_dims),
		cmocka_unit_test(dots_of_bools),
		cmocka_unit_test(narrow_products_leave_the_scratch_memory),
	};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
