/* test_linalg.c - linear algebra: factors make up what was factorised, on both engines, for small
 * matrices and for such as LAPACK takes; numbers and derivatives as JAX 0.10.2 has them (64-bit
 * types on; jnp.linalg, jax.scipy.linalg and lax.linalg of what the lines say); batches that are
 * split over devices. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include "support/near.h"
#include <cmocka.h>

#ifndef PLUGIN_DIR
#define PLUGIN_DIR NULL
#endif
#define D        TSR_DIMS
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- as JAX has it */

#define MATRIX(rows, ...) tsr_reshape(F64(c, __VA_ARGS__), D(rows, -1))
#define A    MATRIX(3, 4, 1, 2, 1, 5, 3, 2, 3, 6)
#define H    tsr_reshape(C128(c, 4, 1 + I, 2, 1 - I, 5, 3 * I, 2, -3 * I, 6), D(3, 3))
#define B    MATRIX(3, 1, 2, 3, 4, 5, 6)
#define BT   tsr_t(B)
#define W    MATRIX(3, 1, 2, 3, 4, 5, 6, 7, 8, 9)
#define GRAD(f, ...)   tsr_call(tsr_grad(c, f), __VA_ARGS__)
#define GRAD_1(f, ...) tsr_call(tsr_grad(c, f, .wrt = D(1)), __VA_ARGS__)

static tsr *weighed(tsr *x, tsr *w) { return tsr_sum(tsr_mul(x, w)); }
static tsr *lower(tsr *a, tsr *w) { return weighed(tsr_cholesky(a), w); }
static tsr *upper(tsr *a, tsr *w) { return weighed(tsr_cholesky(a, .upper = true), w); }
static tsr *as_it_is(tsr *a, tsr *w) { return weighed(tsr_cholesky(a, .lower_only = true), w); }
static tsr *sizes(tsr *a, tsr *w) { return weighed(tsr_abs(tsr_cholesky(a)), w); }
static tsr *slope(tsr *a, tsr *w) { return tsr_call(tsr_grad(tsr_ctx_of(a), lower), a, w); }
static tsr *bent(tsr *a, tsr *w) { return weighed(slope(a, w), w); }

static tsr *waves(tsr *x) { return tsr_sum(tsr_sin(x)); }
static tsr *solved(tsr *a, tsr *b) { return waves(tsr_solve_triangular(a, b)); }
static tsr *solved_low(tsr *a, tsr *b) { return waves(tsr_solve_triangular(a, b, .lower = true)); }
static tsr *solved_t(tsr *a, tsr *b) { return waves(tsr_solve_triangular(a, b, .trans = 1)); }
static tsr *solved_h(tsr *a, tsr *b)
{
	return waves(tsr_solve_triangular(a, b, .trans = 2, .lower = true));
}
static tsr *solved_1(tsr *a, tsr *b)
{
	return waves(tsr_solve_triangular(a, b, .unit_diagonal = true));
}
static tsr *solved_c(tsr *a, tsr *b)
{
	return tsr_sum(tsr_abs(tsr_solve_triangular(a, b, .trans = 2)));
}

/* name, dtype, expression, elements */
#define CASES(_) \
	_(cholesky, F64, tsr_cholesky(A), 2, 0, 0, 0.5, 2.17944947177034, 0, 1, 1.14707866935281, \
	  1.91942973987479) \
	_(cholesky_complex, C128, tsr_cholesky(H), 2, 0, 0, 0.5 - 0.5 * I, 2.1213203435596424, 0, \
	  1, -0.23570226039551587 - 1.649915822768611 * I, 1.4907119849998596) \
	_(cholesky_of_none, F64, tsr_cholesky(MATRIX(2, 1, 2, 2, 1)), NAN, 0, NAN, NAN) \
	_(cholesky_of_nan, F64, tsr_cholesky(MATRIX(2, 1, 0, 0, NAN)), NAN, 0, NAN, NAN) \
	_(cholesky_of_i32, F32, tsr_cholesky(tsr_astype(MATRIX(2, 4, 2, 2, 5), TSR_I32)), 2, 0, 1, \
	  2) \
	_(cholesky_lower_only, F64, tsr_cholesky(MATRIX(2, 4, 9, 2, 5), .lower_only = true), 2, 0, \
	  1, 2) \
	_(cholesky_grad, F64, GRAD(lower, A, W), -0.0866274306215486, 0.491659423855749, \
	  0.427425149315223, 0.491659423855749, 0.830548799629882, 0.60140675247356, \
	  0.427425149315223, 0.60140675247356, 2.34444632513277) \
	_(cholesky_upper_grad, F64, GRAD(upper, A, W), 0.438757842829392, 0.160702596181426, \
	  -0.457866983749496, 0.160702596181426, 1.07203904580942, 0.142575284732437, \
	  -0.457866983749496, 0.142575284732437, 2.34444632513277) \
	_(cholesky_lower_only_grad, F64, GRAD(as_it_is, A, W), -0.0866274306215486, \
	  -1.4260035116265, -0.863743382943654, 2.409322359338, 0.830548799629882, \
	  -1.23391911849093, 1.7185936815741, 2.43673262343805, 2.34444632513277) \
	_(cholesky_complex_grad, C128, GRAD(sizes, H, W), 0.10865908694774928, \
	  0.2826300657709158 - 0.07639947589601051 * I, \
	  0.10316705527103842 - 0.10311529493745283 * I, \
	  0.2826300657709158 + 0.07639947589601051 * I, 1.5604198017459228, \
	  0.06874352995830187 + 0.481204709708113 * I, \
	  0.10316705527103842 + 0.10311529493745283 * I, \
	  0.06874352995830187 - 0.481204709708113 * I, 3.0186917696247164) \
	_(cholesky_hessian, F64, GRAD(bent, A, W), 0.636630401479534, -0.51671313151028, \
	  -2.71514253096483, -0.51671313151028, 0.209316589391859, -1.81640182423197, \
	  -2.71514253096483, -1.81640182423197, -0.200952542154238) \
	_(solve, F64, tsr_solve_triangular(A, B), -0.191666666666667, -0.05, 0.1, 0.2, \
	  0.833333333333333, 1) \
	_(solve_grad, F64, GRAD(solved, A, B), 0.0595236000268169, -0.0744797156833378, \
	  -0.454205920628654, 0, -0.0442068032825426, -0.271006158988855, 0, 0, 0.103464079269975) \
	_(solve_grad_b, F64, GRAD_1(solved, A, B), 0.245422026635895, 0.249687565098742, \
	  0.149916427728426, 0.1460758025485, -0.0446968487290019, -0.0662167053291406) \
	_(solve_low, F64, tsr_solve_triangular(A, B, .lower = true), 0.25, 0.5, 0.55, 0.7, 0.475, \
	  0.483333333333333) \
	_(solve_low_grad, F64, GRAD(solved_low, A, B), -0.101682736787668, 0, 0, \
	  -0.0526055900925304, -0.0899629525794594, 0, -0.110841424564823, -0.184821085111524, \
	  -0.141730316253563) \
	_(solve_low_grad_b, F64, GRAD_1(solved_low, A, B), 0.147726470563334, 0.129502238293668, \
	  0.0815756322495843, 0.0644233640602685, 0.148215453603861, 0.147575122327715) \
	_(solve_t_grad, F64, GRAD(solved_t, A, B), -0.101682736787668, -0.0526055900925304, \
	  -0.110841424564823, 0, -0.0899629525794594, -0.184821085111524, 0, 0, \
	  -0.141730316253563) \
	_(solve_h_grad, F64, GRAD(solved_h, A, B), 0.0595236000268169, 0, 0, -0.0744797156833378, \
	  -0.0442068032825426, 0, -0.454205920628654, -0.271006158988855, 0.103464079269975) \
	_(solve_1, F64, tsr_solve_triangular(A, B, .unit_diagonal = true), 3, 4, -12, -14, 5, 6) \
	_(solve_1_grad, F64, GRAD(solved_1, A, B), 0, -21.0309206512959, 8.8718242081839, 0, 0, \
	  -13.9115173110934, 0, 0, 0) \
	_(solve_complex, C128, tsr_solve_triangular(H, B, .trans = 2), 0.25, 0.5, 0.55 + 0.05 * I, \
	  0.7 + 0.1 * I, 0.725 + 0.275 * I, 0.7833333333333333 + 0.35 * I) \
	_(solve_complex_grad, C128, GRAD(solved_c, H, B), \
	  -0.07287650040566243 + 0.05631026194104802 * I, \
	  -0.17805296865201783 + 0.050356450762879125 * I, \
	  -0.11504228948122666 - 0.048772264937526684 * I, 0, \
	  -0.2861316789013681 + 0.12118814548308927 * I, \
	  -0.20198024247181545 - 0.05709452082030998 * I, 0, 0, -0.27222871656318737) \
	_(solve_vector, F64, tsr_solve_triangular(MATRIX(2, 0, 1, 0, 1), F64(c, 1, 1)), NAN, 1) \
	_(triangular_solve, F64, tsr_triangular_solve(A, BT, .lower = true), -0.191666666666667, \
	  0.1, 0.833333333333333, -0.05, 0.2, 1) \
	_(triangular_solve_conj, C128, tsr_triangular_solve(H, BT, .conjugate_a = true), 0.25, \
	  0.55 + 0.05 * I, 0.725 + 0.275 * I, 0.5, 0.7 + 0.1 * I, 0.7833333333333333 + 0.35 * I) \
	_(cho_solve, F64, tsr_cho_solve(tsr_cholesky(A), B, .lower = true), -0.2, 0, \
	  0.142857142857143, 0.285714285714286, 0.828571428571429, 0.857142857142857) \
	_(cho_solve_upper, F64, \
	  tsr_cho_solve(tsr_cholesky(A, .upper = true), tsr_index(B, 1, 0)), -0.2, \
	  0.142857142857143, 0.828571428571429)

#define DEFINE(name, dtype, expression, ...) \
	static tsr *make_##name(tsr_ctx *c) { return expression; } \
	static const double _Complex want_##name[] = {__VA_ARGS__};
CASES(DEFINE)

#define LINE(name, dtype, expression, ...) \
	{#name, make_##name, TSR_##dtype, want_##name, COUNT(want_##name)},
static const struct {
	const char *name;
	tsr *(*make)(tsr_ctx *);
	tsr_dtype dtype;
	const double _Complex *want;
	size_t n;
} cases[] = {CASES(LINE)};

static void as_jax_has_it(void **state)
{
	tsr_ctx *ctx = tsr_open();

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		TSR_SCOPE(ctx);
		tsr *y[] = {cases[i].make(ctx), tsr_call(tsr_jit(ctx, cases[i].make))};
		for (int k = 0; k < 2; k++) {
			near_at(cases[i].name, y[k], cases[i].want, cases[i].n, 1e-13);
			if (tsr_dtype_of(y[k]) != cases[i].dtype)
				fail_msg("%s gives %s", cases[i].name,
				         tsr_dtype_name(tsr_dtype_of(y[k])));
		}
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- factors make up what was factorised. 48 is more than LAPACK is asked for */

static const int64_t orders[] = {0, 1, 2, 5, 48};
enum { BATCH = 3 };

/* numbers between -1 and 1, complex ones where the dtype is */
static tsr *draw(tsr_ctx *c, tsr_dtype dtype, tsr_dims dims)
{
	int64_t n = 1;
	for (int64_t d = 1; d < dims.d[0]; d++) n *= dims.d[d];
	double *x = calloc((size_t)n + 1, 2 * sizeof *x);
	assert_non_null(x);
	for (int64_t i = 0; i < 2 * n; i++) x[i] = (rand() % 2001 - 1000) / 1000.0;
	tsr *y = tsr_astype(tsr_from(c, x, TSR_C128, dims), dtype);
	free(x);
	return y;
}

static tsr *mirrored(tsr *x) { return tsr_transpose(x, .perm = D(0, 2, 1)); }

/* Hermitian and positive definite: of complex ones, a product L L^H with L as cholesky gives it */
static tsr *definite(tsr_ctx *c, tsr_dtype dtype, int64_t n)
{
	tsr *x = draw(c, dtype, D(BATCH, n, n)), *eye = tsr_eye(c, n, .dtype = dtype);
	tsr *plain = tsr_add(tsr_matmul(x, mirrored(x)), tsr_mul(2.0 * (double)n + 1, eye));

	if (dtype == TSR_F32 || dtype == TSR_F64) return plain;
	/* a real part that is definite, and a small imaginary part with opposite signs across */
	const tsr_dtype real = dtype == TSR_C64 ? TSR_F32 : TSR_F64;
	tsr *re = tsr_astype(tsr_astype(x, real), dtype), *odd = tsr_sub(re, mirrored(re));
	tsr *definite = tsr_add(tsr_matmul(re, mirrored(re)), tsr_mul(2.0 * (double)n + 1, eye));
	return tsr_add(definite, tsr_mul(0.5 * I, odd));
}

static void check_cholesky(tsr_ctx *c, tsr_dtype dtype, int64_t n, double tolerance)
{
	tsr *a = definite(c, dtype, n), *b = draw(c, dtype, D(BATCH, n, 4));
	tsr *low = tsr_cholesky(a), *up = tsr_cholesky(a, .upper = true);

	ALIKE(tsr_matmul(low, up), a, tolerance);
	ALIKE(tsr_matmul(a, tsr_cho_solve(low, b, .lower = true)), b, tolerance);
	ALIKE(tsr_matmul(a, tsr_cho_solve(up, b)), b, tolerance);
	tsr *above = tsr_mul(low, tsr_lt(tsr_iota(c, D(n, n), 0), tsr_iota(c, D(n, n), 1)));
	if (n) assert_false(tsr_item_int(tsr_any(above)));
}

/* the triangle that is read; op of it */
static tsr *triangle(tsr *a, bool low, bool unit, int64_t n)
{
	tsr_ctx *c = tsr_ctx_of(a);
	tsr *row = tsr_iota(c, D(n, n), 0), *column = tsr_iota(c, D(n, n), 1);
	tsr *t = tsr_where(low ? tsr_ge(row, column) : tsr_le(row, column), a, 0);

	return unit ? tsr_where(tsr_eq(row, column), 1, t) : t;
}

static void check_solve(tsr_ctx *c, tsr_dtype dtype, int64_t n, double tolerance)
{
	tsr *eye = tsr_eye(c, n, .dtype = dtype);
	tsr *noise = tsr_div(draw(c, dtype, D(BATCH, n, n)), n ? (double)n : 1.0);
	tsr *a = tsr_add(noise, eye), *conj = noise;

	/* the conjugate: twice the real part less the number */
	if (dtype == TSR_C64 || dtype == TSR_C128) {
		const tsr_dtype real = dtype == TSR_C64 ? TSR_F32 : TSR_F64;
		conj = tsr_sub(tsr_mul(2, tsr_astype(tsr_astype(noise, real), dtype)), noise);
	}
	conj = tsr_add(conj, eye);
	for (unsigned way = 0; way < 32; way++) {
		const bool left = way & 1, low = way & 2, turn = way & 4, mirror = way & 8;
		const bool unit = way & 16;
		tsr *b = draw(c, dtype, left ? D(BATCH, n, 3) : D(BATCH, 3, n));
		tsr *x = tsr_triangular_solve(a, b, .left_side = left, .lower = low,
		                              .transpose_a = turn, .conjugate_a = mirror,
		                              .unit_diagonal = unit);
		tsr *op = triangle(mirror ? conj : a, low, unit, n);
		if (turn) op = mirrored(op);
		ALIKE(left ? tsr_matmul(op, x) : tsr_matmul(x, op), b, tolerance);
	}
}

static void factors_make_it_up(void **state)
{
	static const char *const engines[] = {"interp", "cpu"};
	static void (*const checks[])(tsr_ctx *, tsr_dtype, int64_t, double) = {check_cholesky,
	                                                                        check_solve};
	static const tsr_dtype dtypes[] = {TSR_F32, TSR_F64, TSR_C64, TSR_C128};

	(void)state;
	for (size_t e = 0; e < COUNT(engines); e++) {
		tsr_ctx *ctx = tsr_open(.engine = engines[e], .plugin_dir = PLUGIN_DIR);
		srand(7);
		for (size_t t = 0; t < COUNT(dtypes); t++)
			for (size_t i = 0; i < COUNT(orders); i++)
				for (size_t k = 0; k < COUNT(checks); k++) {
					TSR_SCOPE(ctx);
					checks[k](ctx, dtypes[t], orders[i],
					          t % 2 ? 1e-13 : 1e-5);
				}
		assert_int_equal(tsr_close(ctx), TSR_OK);
	}
}

/* ---- a batch that is split over devices stays so, and each matrix is as it would be alone */

static void check_split(tsr *x, tsr *y, tsr *(*of)(tsr *, tsr *))
{
	tsr_ctx *c = tsr_ctx_of(x);
	static const char *const specs[] = {"x", "y", "x*y"};
	tsr_mesh *meshes[] = {tsr_mesh_make(c, {"x", 2}, {"y", 1}),
	                      tsr_mesh_make(c, {"x", 4}, {"y", 1}),
	                      tsr_mesh_make(c, {"x", 2}, {"y", 2})};
	tsr *whole = of(x, y);

	for (size_t m = 0; m < COUNT(meshes); m++)
		for (size_t i = 0; i < COUNT(specs); i++) {
			tsr *split = tsr_put(x, meshes[m], TSR_P(specs[i]));
			tsr *with = tsr_put(y, meshes[m], TSR_P(specs[i]));
			tsr *got[] = {of(split, with), tsr_call(tsr_jit(c, of), split, with)};
			for (int k = 0; k < 2; k++) {
				SAME(got[k], whole);
				assert_ptr_equal(tsr_sharding_of(got[k]), tsr_sharding_of(split));
			}
		}
}

static tsr *factor(tsr *x, tsr *y) { return tsr_is_poison(y) ? y : tsr_cholesky(x); }
static tsr *system_of(tsr *x, tsr *y) { return tsr_triangular_solve(x, y, .lower = true); }

static void batches_are_split(void **state)
{
	static tsr *(*const of[])(tsr *, tsr *) = {factor, system_of};
	tsr_ctx *c = *state;
	tsr *x = draw(c, TSR_F32, D(8, 5, 5)), *y = draw(c, TSR_F32, D(8, 3, 5));

	x = tsr_add(tsr_matmul(x, mirrored(x)), tsr_eye(c, 5));
	for (size_t i = 0; i < COUNT(of); i++) check_split(x, y, of[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_jax_has_it),
		cmocka_unit_test(factors_make_it_up),
		cmocka_unit_test_setup_teardown(batches_are_split, near_open, near_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
