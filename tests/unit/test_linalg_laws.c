/* test_linalg_laws.c - laws of linear algebra, on both engines, for small matrices and for such as
 * LAPACK takes: the product of factors is the matrix, also of little rank or with NaN; batches that
 * are split over devices stay so. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include "unit/matrix_laws.h"

/* ---- factors make up what was factorised. 48 is more than LAPACK is asked for */

static const int64_t orders[] = {0, 1, 2, 5, 48};

/* Hermitian and positive definite */
static tsr *definite(tsr_ctx *c, tsr_dtype dtype, int64_t n)
{
	tsr *x = draw(c, dtype, D(BATCH, n, n)), *eye = tsr_eye(c, n, .dtype = dtype);

	return tsr_add(tsr_matmul(x, adjoint(x)), tsr_mul((double)n + 1, eye));
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
		if (turn) op = tsr_matrix_transpose(op);
		ALIKE(left ? tsr_matmul(op, x) : tsr_matmul(x, op), b, tolerance);
	}
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
		check_columns(adjoint(y[2]), tolerance);
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
	const double most = is_complex(dtype) ? sqrt(2) : 1;
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
	tsr *a = tsr_mul(tsr_add(x, adjoint(x)), 0.5);

	for (int upper = 0; upper < 2; upper++) {
		assert_true(tsr_eigh(a, y, .triangle_only = upper, .upper = upper));
		check_columns(y[1], tolerance);
		ALIKE(tsr_matmul(scaled(y[1], y[0]), adjoint(y[1])), a, tolerance);
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
static void try_hard(tsr_ctx *c)
{
	for (int64_t n = 3; n < 50; n += 44) {
		TSR_SCOPE(c);
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
	}
}

static void hard_matrices(void **state)
{
	(void)state;
	on_each_engine(try_hard);
}

static void try_all(tsr_ctx *c)
{
	static matrix_law *const laws[] = {check_cholesky, check_solve, check_rectangles,
	                                   check_eigh, check_inverse};

	srand(7);
	try_laws(c, laws, COUNT(laws), orders, COUNT(orders));
}

static void factors_make_it_up(void **state)
{
	(void)state;
	on_each_engine(try_all);
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

	x = tsr_add(tsr_matmul(x, tsr_matrix_transpose(x)), tsr_eye(c, 5));
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

