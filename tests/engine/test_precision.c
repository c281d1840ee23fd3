/* test_precision.c - products of f32 in parts that are bf16: the interpreter and machine code, for
 * several workers and devices, have the bits of docs/numerics.md, "Parts", written down literally,
 * and so have gradients. */
#include <math.h>
#include <tsr/tsr.h>
#include "kernel/kernel_rig.h"
#include "support/pair_step.h"

#ifdef __SANITIZE_ADDRESS__ /* where compiling takes long */
#define SANITIZED true
#else
#define SANITIZED false
#endif
#define D TSR_DIMS
enum { M = 21, K = 300, N = 13, DEVICES = 4 };

/* which parts of a and b are multiplied, in the order in which these products are added */
#define PRECISIONS(_) \
	_(TSR_BF16_BF16_F32, "00") \
	_(TSR_BF16_BF16_F32_X3, "10 01 00") \
	_(TSR_PRECISION_HIGH, "10 01 00") \
	_(TSR_BF16_BF16_F32_X6, "11 20 02 10 01 00") \
	_(TSR_BF16_BF16_F32_X9, "22 12 21 11 20 02 10 01 00") \
	_(TSR_BF16_PAIRS, "pairs")
#define DEFINE(precision_, terms) \
	static tsr *dot_##precision_(tsr *a, tsr *b) \
	{ \
		return tsr_dot(a, b, .precision = precision_); \
	} \
	static tsr *loss_##precision_(tsr *a, tsr *b) \
	{ \
		return tsr_sum(tsr_mul(dot_##precision_(a, b), 3)); \
	}
PRECISIONS(DEFINE)
#define LINE(precision_, terms_) {precision_, terms_, dot_##precision_, loss_##precision_},
static const struct precise {
	tsr_precision precision;
	const char *terms;
	tsr *(*dot)(tsr *, tsr *);
	tsr *(*loss)(tsr *, tsr *);
} precise[] = {PRECISIONS(LINE)};

/* ---- the oracle */

static float to_bf16(float x) { return bf16_to_f32(f32_to_bf16(x)); }

static float part_of(float x, int which)
{
	const float high = to_bf16(x);

	if (!which) return high;
	return part_of(isinf(high) || isnan(high) ? 0 : x - high, which - 1);
}

/* parts 0, 1 and 2 of all numbers */
static void parts_of(const float *x, int n, float part[3][M * K])
{
	for (int i = 0; i < n; i++)
		for (int k = 0; k < 3; k++) part[k][i] = part_of(x[i], k);
}

static float chains(const float *a, const float *b, int i, int j)
{
	float sum = 0, chain = 0;

	for (int k = 0; k < K; k++) {
		chain = fmaf(a[i * K + k], b[k * N + j], k % 256 ? chain : 0);
		if (k % 256 == 255 || k == K - 1) sum = k < 256 ? chain : sum + chain;
	}
	return sum;
}

static float chains_of_pairs(const float *a, const float *b, int i, int j)
{
	float sum = 0, chain = 0;

	for (int k = 0; k < K; k += 2) {
		const float *x = a + i * K + k, *y = b + k * N + j;
		chain = pair_step((float[]){x[0], y[0]}, (float[]){x[1], y[N]},
		                  k % 256 ? chain : 0);
		if (k % 256 == 254 || k == K - 2) sum = k < 256 ? chain : sum + chain;
	}
	return sum;
}

static void oracle(const char *terms, const float *a, const float *b, float *y)
{
	static float part[2][3][M * K];

	if (strcmp(terms, "pairs") == 0) {
		for (int i = 0; i < M * N; i++) y[i] = chains_of_pairs(a, b, i / N, i % N);
		return;
	}
	parts_of(a, M * K, part[0]);
	parts_of(b, K * N, part[1]);
	for (int i = 0; i < M * N; i++)
		for (const char *t = terms;; t += 3) {
			const float one =
				chains(part[0][t[0] - '0'], part[1][t[1] - '0'], i / N, i % N);
			if (t > terms && !t[2] && isnan(y[i])) y[i] = 0;
			y[i] = t == terms ? one : y[i] + one;
			if (!t[2]) break;
		}
}

/* ---- */

static void fill(float *x, int n, uint64_t seed, bool hard)
{
	for (int i = 0; i < n; i++) x[i] = (float)random_in(&seed, -8, 8);
	if (!hard) return;
	for (int i = 0; i < n; i += 97) {
		static const float special[] = {INFINITY, 0x1.fffffep127f, -0.0f, 1e-40f,
		                                0x1p-149f};
		x[i] = special[random_bits(&seed) % ARRAY_LEN(special)];
	}
}

static void check(const struct precise *p, const char *who, tsr *y, const float *want)
{
	float got[M * N];

	if (!tsr_read(y, got, sizeof got)) fail_msg("%s", tsr_message(tsr_ctx_of(y)));
	for (int i = 0; i < M * N; i++)
		if (memcmp(&got[i], &want[i], sizeof *want) && !(isnan(got[i]) && isnan(want[i])))
			fail_msg("%s, %s: element %d is %.9g, not %.9g", p->terms, who, i,
			         (double)got[i], (double)want[i]);
}

static void values(tsr_ctx *c, const struct precise *p, const char *who, bool hard)
{
	TSR_SCOPE(c);
	static float a[M * K], b[K * N], want[M * N];
	tsr_mesh *mesh = tsr_mesh_make(c, {"x", DEVICES});
	tsr_fn *f = tsr_jit(c, p->dot);

	fill(a, M * K, 5, hard);
	fill(b, K * N, 6, hard);
	oracle(p->terms, a, b, want);
	tsr *x = tsr_from(c, a, TSR_F32, D(M, K)), *z = tsr_from(c, b, TSR_F32, D(K, N));
	check(p, who, tsr_call(f, x, z), want);
	check(p, "alone", p->dot(x, z), want);
	check(p, "in rows", tsr_call(f, tsr_put(x, mesh, TSR_P("x")), z), want);
	check(p, "in columns", tsr_call(f, x, tsr_put(z, mesh, TSR_P(NULL, "x"))), want);
}

/* the derivative of a product is products of the same precision */
static void gradients(tsr_ctx *c, const struct precise *p)
{
	TSR_SCOPE(c);
	tsr *a = tsr_normal(tsr_key(c, 1), D(M, K)), *b = tsr_normal(tsr_key(c, 2), D(K, N)), *da,
	    *db;
	tsr *ct = tsr_full(c, D(M, N), 3, .dtype = TSR_F32);

	tsr_call_into(TSR_OUT(&da, &db), tsr_jit(c, tsr_grad(c, p->loss, .wrt = D(0, 1))), a, b);
	assert_true(tsr_array_equal(da, tsr_dot(ct, tsr_t(b), .precision = p->precision)));
	assert_true(tsr_array_equal(db, tsr_dot(tsr_t(a), ct, .precision = p->precision)));
}

static void all_give_the_same(void **state)
{
	tsr_ctx *c[] = {
		tsr_open(.engine = "interp", .devices = DEVICES, .reproducible = TSR_BY_MESH),
		tsr_open(.debug = "c", .devices = DEVICES, .workers = 1,
	                 .reproducible = TSR_BY_MESH),
		tsr_open(.debug = "cw", .devices = DEVICES, .workers = 5,
	                 .reproducible = TSR_BY_MESH)};
	static const char *const who[] = {"interpreted", "compiled", "by workers"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(c); i++)
		for (size_t k = 0; k < ARRAY_LEN(precise); k += SANITIZED ? 3 : 1) {
			values(c[i], &precise[k], who[i], false);
			values(c[i], &precise[k], who[i], true);
			gradients(c[i], &precise[k]);
		}
	for (size_t i = 0; i < ARRAY_LEN(c); i++) assert_int_equal(tsr_close(c[i]), TSR_OK);
}

/* rows as they are evaluated and lowered, without the pass that makes parts */
static void rows_are_the_same(void **state)
{
	static const char *const words[] = {"bf16_bf16_f32", "bf16_bf16_f32_x3", "bf16_bf16_f32_x6",
	                                    "bf16_bf16_f32_x9"};
	static float a[M * K], b[K * N], y[M * N], want[M * N];
	bool fits;

	fill(a, M * K, 7, true);
	fill(b, K * N, 8, true);
	for (size_t w = 0; w < ARRAY_LEN(words); w++) {
		char equation[160];
		snprintf(equation, sizeof equation,
		         "dot_general %%0 %%1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] "
		         "dtype=f32 precision=%s",
		         words[w]);
		program *p = rig_program(*state, "f32[21,300]; f32[300,13]", equation, "f32[21,13]",
		                         TSR_F32);
		kernel *k = kernel_lower(p, &fits);
		float *eval = rig_eval(p, (void *[]){a, b});
		assert_non_null(k);
		assert_true(kernel_eval(k, (const void *[]){a, b}, (void *[]){y}));
		oracle(precise[w + (w > 1)].terms, a, b, want);
		for (int i = 0; i < M * N; i++)
			assert_true(isnan(want[i]) ? isnan(eval[i]) && isnan(y[i])
			                           : eval[i] == want[i] && y[i] == want[i]);
		free(eval);
		kernel_free(k);
		program_release(p);
	}
}

static tsr *plain(tsr *a, tsr *b) { return tsr_einsum("mk,kn->mn", a, b); }

/* the context's precision is that of products that name none, of f32 */
static void contexts_have_one(void **state)
{
	tsr_ctx *c = tsr_open(.precision = TSR_BF16_BF16_F32);
	tsr *a = tsr_normal(tsr_key(c, 1), D(M, K)), *b = tsr_normal(tsr_key(c, 2), D(K, N));
	tsr *low = tsr_dot(tsr_astype(a, TSR_BF16), tsr_astype(b, TSR_BF16), .dtype = TSR_F32);
	tsr *wide = tsr_astype(a, TSR_F64), *more = tsr_astype(b, TSR_F64);

	(void)state;
	assert_true(tsr_array_equal(tsr_call(tsr_jit(c, plain), a, b), low));
	assert_true(tsr_array_equal(plain(a, b), low));
	assert_false(tsr_array_equal(tsr_dot(a, b, .precision = TSR_PRECISION_HIGHEST), low));
	assert_true(tsr_array_equal(tsr_dot(wide, more), tsr_call(tsr_jit(c, plain), wide, more)));
	assert_int_equal(tsr_close(c), TSR_OK);
}

static tsr *loss_of_pairs(tsr *a, tsr *b)
{
	return tsr_sum(tsr_astype(tsr_mul(tsr_dot(a, b, .precision = TSR_BF16_PAIRS), 3), TSR_F32));
}

/* those of a context are also of bf16; not where sums are in f64 */
static void pairs_are_of_bf16_too(void **state)
{
	tsr_ctx *c = tsr_open(.precision = TSR_BF16_PAIRS, .debug = "c");
	tsr *a = tsr_astype(tsr_normal(tsr_key(c, 1), D(M, K)), TSR_BF16), *da, *db;
	tsr *b = tsr_astype(tsr_normal(tsr_key(c, 2), D(K, N)), TSR_BF16);
	tsr *exact = tsr_dot(a, b, .precision = TSR_PRECISION_HIGHEST, .dtype = TSR_F32);
	tsr *pairs = tsr_dot(a, b, .precision = TSR_BF16_PAIRS, .dtype = TSR_F32);
	tsr *ct = tsr_full(c, D(M, N), 3, .dtype = TSR_BF16);

	(void)state;
	assert_false(tsr_array_equal(exact, pairs));
	assert_true(tsr_array_equal(tsr_dot(a, b, .dtype = TSR_F32), pairs));
	assert_true(tsr_array_equal(
		tsr_call(tsr_jit(c, plain), tsr_astype(a, TSR_F32), tsr_astype(b, TSR_F32)),
		pairs));
	assert_true(tsr_array_equal(
		tsr_dot(a, b, .dtype = TSR_F64),
		tsr_dot(a, b, .dtype = TSR_F64, .precision = TSR_PRECISION_HIGHEST)));
	tsr_call_into(TSR_OUT(&da, &db), tsr_jit(c, tsr_grad(c, loss_of_pairs, .wrt = D(0, 1))), a,
	              b);
	assert_true(tsr_array_equal(da, tsr_dot(ct, tsr_t(b), .precision = TSR_BF16_PAIRS)));
	assert_true(tsr_array_equal(db, tsr_dot(tsr_t(a), ct, .precision = TSR_BF16_PAIRS)));
	assert_int_equal(tsr_close(c), TSR_OK);
}

static void wrong_ones_are_refused(void **state)
{
	int code = 0;
	tsr_ctx *c = tsr_open(.precision = (tsr_precision)8, .code = &code);

	(void)state;
	assert_int_equal(code, TSR_ERROR_ARGUMENT);
	assert_non_null(strstr(tsr_message(c), ".precision"));
	tsr_close(c);
	c = tsr_open();
	tsr *x = tsr_ones(c, D(3, 3)), *d = tsr_astype(x, TSR_F64);
	assert_true(tsr_is_poison(tsr_dot(x, x, .precision = (tsr_precision)-1)));
	assert_int_equal(tsr_status(c), TSR_ERROR_ARGUMENT);
	assert_non_null(strstr(tsr_message(c), ".precision must be one of"));
	tsr_clear(c);
	assert_true(tsr_is_poison(tsr_matmul(d, d, .precision = TSR_BF16_BF16_F32_X3)));
	assert_int_equal(tsr_status(c), TSR_ERROR_TYPE);
	assert_non_null(strstr(tsr_message(c), "bf16_bf16_f32_x3 is of products of f32 or bf16"));
	tsr_clear(c);
	assert_true(tsr_is_poison(tsr_matmul(d, d, .precision = TSR_BF16_PAIRS)));
	assert_int_equal(tsr_status(c), TSR_ERROR_TYPE);
	assert_non_null(strstr(tsr_message(c), "bf16_pairs is of products of f32 or bf16"));
	tsr_clear(c);
	assert_true(tsr_is_poison(tsr_matmul(x, x, .precision = TSR_BF16_PAIRS, .dtype = TSR_F64)));
	assert_int_equal(tsr_status(c), TSR_ERROR_TYPE);
	assert_non_null(strstr(tsr_message(c), "by pairs sums in f32, got f64"));
	tsr_clear(c);
	assert_false(tsr_is_poison(tsr_matmul(d, d, .precision = TSR_PRECISION_HIGH)));
	tsr_close(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_give_the_same), cmocka_unit_test(rows_are_the_same),
		cmocka_unit_test(contexts_have_one), cmocka_unit_test(pairs_are_of_bf16_too),
		cmocka_unit_test(wrong_ones_are_refused)};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
