/* test_linalg_laws.c - laws of linear algebra, on both engines, for small matrices and for such as
 * LAPACK takes: factors make up what was factorised, also where it is of little rank or holds what
 * is no number; batches that are split over devices stay so. */
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

/* Hermitian and positive definite */
static tsr *definite(tsr_ctx *c, tsr_dtype dtype, int64_t n)
{
	tsr *x = draw(c, dtype, D(BATCH, n, n)), *eye = tsr_eye(c, n, .dtype = dtype);

	return tsr_add(tsr_matmul(x, tsr_conj(mirrored(x))), tsr_mul((double)n + 1, eye));
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
	tsr *a = tsr_add(noise, eye);

	for (unsigned way = 0; way < 32; way++) {
		const bool left = way & 1, low = way & 2, turn = way & 4, mirror = way & 8;
		const bool unit = way & 16;
		tsr *b = draw(c, dtype, left ? D(BATCH, n, 3) : D(BATCH, 3, n));
		tsr *x = tsr_triangular_solve(a, b, .left_side = left, .lower = low,
		                              .transpose_a = turn, .conjugate_a = mirror,
		                              .unit_diagonal = unit);
		tsr *op = triangle(mirror ? tsr_conj(a) : a, low, unit, n);
		if (turn) op = mirrored(op);
		ALIKE(left ? tsr_matmul(op, x) : tsr_matmul(x, op), b, tolerance);
	}
}

/* columns of q are orthogonal and of size 1: q^H q */
static void check_columns(tsr *q, double tolerance)
{
	tsr *eye = tsr_eye(q, tsr_dim(q, 2), .dtype = tsr_dtype_of(q));

	ALIKE(tsr_matmul(tsr_conj(mirrored(q)), q),
	      tsr_broadcast_to(eye, D(BATCH, tsr_dim(q, 2), tsr_dim(q, 2))), tolerance);
}

/* s along the rows of x */
static tsr *scaled(tsr *x, tsr *s)
{
	return tsr_mul(x, tsr_astype(tsr_expand_dims(s, D(1)), tsr_dtype_of(x)));
}

static void check_sides(tsr_ctx *c, tsr_dtype dtype, int64_t m, int64_t n, double tolerance)
{
	tsr *x = draw(c, dtype, D(BATCH, m, n)), *y[3];
	const int64_t k = m < n ? m : n;

	for (int full = 0; full < 2; full++) {
		assert_true(tsr_qr(x, y, .full_matrices = full));
		check_columns(y[0], tolerance);
		ALIKE(tsr_matmul(y[0], y[1]), x, tolerance);
		SHAPE(y[0], BATCH, m, full ? m : k);
		assert_true(tsr_svd(x, y, .thin = !full));
		check_columns(y[0], tolerance);
		check_columns(tsr_conj(mirrored(y[2])), tolerance);
		tsr *u = tsr_slice(y[0], 2, 0, k), *vh = tsr_slice(y[2], 1, 0, k);
		ALIKE(tsr_matmul(scaled(u, y[1]), vh), x, tolerance);
		ALIKE(tsr_svdvals(x), y[1], tolerance);
		SHAPE(y[2], BATCH, full ? n : k, n);
		assert_true(tsr_array_equal(y[1], tsr_sort(y[1], .descending = true)));
	}
	assert_true(tsr_lu(x, y));
	tsr *row = tsr_iota(c, D(m, n), 0), *column = tsr_iota(c, D(m, n), 1);
	tsr *low = tsr_where(tsr_gt(row, column), y[0], tsr_astype(tsr_eq(row, column), dtype));
	tsr *up = tsr_slice(tsr_where(tsr_le(row, column), y[0], 0), 1, 0, k);
	tsr *rows = tsr_broadcast_to(tsr_expand_dims(y[2], D(2)), D(BATCH, m, n));
	ALIKE(tsr_matmul(tsr_slice(low, 2, 0, k), up), tsr_take_along(x, 1, rows), tolerance);
	/* the largest of each column was chosen, of complex numbers by |re| + |im| */
	const double most = dtype == TSR_C64 || dtype == TSR_C128 ? sqrt(2) : 1;
	assert_true(tsr_item(tsr_max(tsr_abs(low), .initial = TSR_ARG(0.))) <= most + tolerance);
}

static void check_rectangles(tsr_ctx *c, tsr_dtype dtype, int64_t n, double tolerance)
{
	check_sides(c, dtype, n, n, tolerance);
	check_sides(c, dtype, n, n / 2, tolerance);
	check_sides(c, dtype, n / 2, n, tolerance);
	check_sides(c, dtype, n + 1, n, tolerance);
}

static void check_eigh(tsr_ctx *c, tsr_dtype dtype, int64_t n, double tolerance)
{
	tsr *x = draw(c, dtype, D(BATCH, n, n)), *y[2];
	tsr *a = tsr_mul(tsr_add(x, tsr_conj(mirrored(x))), 0.5);

	for (int upper = 0; upper < 2; upper++) {
		assert_true(tsr_eigh(a, y, .triangle_only = upper, .upper = upper));
		check_columns(y[1], tolerance);
		ALIKE(tsr_matmul(scaled(y[1], y[0]), tsr_conj(mirrored(y[1]))), a, tolerance);
		ALIKE(tsr_eigvalsh(a), y[0], tolerance);
		assert_true(tsr_array_equal(y[0], tsr_sort(y[0])));
	}
}

static void check_inverse(tsr_ctx *c, tsr_dtype dtype, int64_t n, double tolerance)
{
	tsr *a = definite(c, dtype, n), *b = draw(c, dtype, D(BATCH, n, 2)), *out[2];
	tsr *eye = tsr_broadcast_to(tsr_eye(c, n, .dtype = dtype), D(BATCH, n, n));

	ALIKE(tsr_matmul(a, tsr_solve(a, b)), b, tolerance);
	ALIKE(tsr_matmul(a, tsr_inv(a)), eye, tolerance);
	assert_true(tsr_slogdet(a, out));
	tsr *det = tsr_mul(out[0], tsr_astype(tsr_exp(out[1]), dtype));
	if (n < 10) ALIKE(det, tsr_det(a), 10 * tolerance);
}

/* matrices of little rank, of zeros, and with what is no number */
static void hard_matrices(void **state)
{
	static const char *const engines[] = {"interp", "cpu"};

	(void)state;
	for (size_t e = 0; e < COUNT(engines); e++)
		for (int64_t n = 3; n < 50; n += 44) {
			tsr_ctx *c = tsr_open(.engine = engines[e], .plugin_dir = PLUGIN_DIR);
			tsr *zeros = tsr_zeros(c, D(BATCH, n, n), .dtype = TSR_F64), *y[3];
			tsr *flat = tsr_add(zeros, 2), *bad = tsr_add(zeros, NAN);
			assert_true(tsr_svd(zeros, y));
			check_columns(y[0], 0);
			check_columns(y[2], 0);
			assert_true(tsr_svd(flat, y));
			check_columns(y[0], 1e-13);
			assert_true(fabs(tsr_item(tsr_max(y[1])) - 2 * (double)n) < 1e-12);
			assert_true(tsr_item(tsr_sum(tsr_gt(y[1], 1e-12))) == BATCH);
			assert_true(tsr_eigh(flat, y));
			check_columns(y[1], 1e-13);
			assert_true(fabs(tsr_item(tsr_max(y[0])) - 2 * (double)n) < 1e-12);
			assert_true(tsr_eigh(bad, y));
			assert_true(isnan(tsr_item(tsr_sum(y[0]))));
			assert_true(isnan(tsr_item(tsr_sum(y[1]))));
			assert_true(isnan(tsr_item(tsr_sum(tsr_svdvals(bad)))));
			assert_true(isnan(tsr_item(tsr_sum(tsr_cholesky(bad)))));
			assert_int_equal(tsr_close(c), TSR_OK);
		}
}

static void factors_make_it_up(void **state)
{
	static const char *const engines[] = {"interp", "cpu"};
	static void (*const checks[])(tsr_ctx *, tsr_dtype, int64_t, double) = {
		check_cholesky, check_solve, check_rectangles, check_eigh, check_inverse};
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
					          (t % 2 ? 1e-14 : 5e-6) *
					                  (double)(8 + orders[i]) / 4);
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
		cmocka_unit_test(factors_make_it_up),
		cmocka_unit_test(hard_matrices),
		cmocka_unit_test_setup_teardown(batches_are_split, near_open, near_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

