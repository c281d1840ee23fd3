/* test_order.c - sorts and the largest elements along dims that are cut, in automatic mode: on
 * every mesh, and for lengths that do not divide, the bits of one device, equal elements in their
 * order. test_windows.c has slices and other moves of elements. */
#include "support/quiet.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <tsr/tsr.h>

enum { COLUMNS = 3, MOST = 1001 * COLUMNS, RESULTS = 3 };
#define ALONG .dim = TSR_DIMS(0)

/* ---- what is computed of [n, COLUMNS]: all of it along dim 0 */

static int sort(tsr **x, tsr **y)
{
	y[0] = tsr_sort(x[0], ALONG);
	return 1;
}

static int sort_whole_numbers(tsr **x, tsr **y)
{
	y[0] = tsr_sort(x[1], ALONG, .descending = true);
	return 1;
}

static int sort_complex(tsr **x, tsr **y)
{
	y[0] = tsr_sort(tsr_complex(x[0], x[2]), ALONG);
	return 1;
}

static int order(tsr **x, tsr **y)
{
	y[0] = tsr_argsort(x[0], ALONG);
	y[1] = tsr_argsort(x[1], ALONG, .descending = true);
	return 2;
}

static int by_two(tsr **x, tsr **y)
{
	tsr *const all[] = {x[1], x[0], x[2]};

	tsr_sort_operands(all, y, 3, ALONG, .num_keys = 2);
	return 3;
}

static int best(tsr **x, tsr **y)
{
	const int64_t n = tsr_shape(x[0]).d[1];

	tsr_top_k(x[0], n < 4 ? n : 4, y, ALONG);
	return 2;
}

static int nearly_all(tsr **x, tsr **y)
{
	tsr_top_k(x[1], tsr_shape(x[1]).d[1], y, ALONG);
	return 2;
}

static tsr *loss(tsr *x)
{
	tsr *first[2];

	tsr_top_k(x, 1, first, ALONG);
	return tsr_sum(tsr_mul(tsr_cumsum(tsr_sort(x, ALONG), ALONG), first[0]));
}

static int gradient(tsr **x, tsr **y)
{
	y[0] = tsr_call(tsr_grad(tsr_ctx_of(x[2]), loss), x[3]);
	return 1;
}

static int (*const programs[])(tsr **x, tsr **y) = {
	sort, sort_whole_numbers, sort_complex, order, by_two, best, nearly_all, gradient,
};

/* ---- numbers: few, so that many are equal; sums of the last ones are exact */

static float data[4][MOST];

static void draw(void)
{
	static const float few[] = {0.0f, -0.0f, 1, -1, INFINITY, -INFINITY, NAN, 2.5f};
	uint32_t state = 1;

	for (int i = 0; i < MOST; i++)
		for (int k = 0; k < 4; k++) {
			state = state * 1664525u + 1013904223u;
			const uint32_t dice = state >> 16;
			data[k][i] = k == 0   ? (dice % 16 == 9 ? -NAN : few[dice % 8])
			             : k == 1 ? (float)((int)(dice % 5) - 2)
			             : k == 2 ? (float)(dice % 1000) / 8
			                      : (float)(dice % 8);
		}
}

static void operands(tsr_ctx *ctx, int64_t n, tsr **x)
{
	for (int k = 0; k < 4; k++) x[k] = tsr_from(ctx, data[k], TSR_F32, TSR_DIMS(n, COLUMNS));
	x[1] = tsr_astype(x[1], TSR_I32);
}

static void check(tsr_ctx *ctx, int program, int64_t n, tsr_mesh *mesh, tsr_spec spec)
{
	static char want[8 * MOST], got[8 * MOST];
	TSR_SCOPE(ctx);
	tsr *x[4], *placed[4], *y[RESULTS], *z[RESULTS];

	operands(ctx, n, x);
	for (int k = 0; k < 4; k++) placed[k] = tsr_put(x[k], mesh, spec);
	const int nout = programs[program](x, y);
	programs[program](placed, z);
	for (int j = 0; j < nout; j++) {
		const size_t bytes = (size_t)tsr_size(y[j]) * tsr_dtype_size(tsr_dtype_of(y[j]));
		assert_true(tsr_read(y[j], want, bytes) && tsr_read(z[j], got, bytes));
		if (memcmp(want, got, bytes))
			fail_msg("program %d, result %d, %d rows, %d devices", program, j, (int)n,
			         (int)tsr_mesh_size(mesh));
	}
	if (tsr_status(ctx)) fail_msg("%s", tsr_message(ctx));
}

static void as_on_one_device(void **state)
{
	static const int64_t rows[] = {1, 2, 5, 8, 9, 64, 100, 1001};
	enum { PROGRAMS = sizeof programs / sizeof *programs };

	(void)state;
	draw();
	tsr_ctx *ctx = tsr_open(.devices = 8, .log = log_nothing);
	tsr_mesh *meshes[] = {
		tsr_mesh_make(ctx, {"x", 2}), tsr_mesh_make(ctx, {"x", 3}),
		tsr_mesh_make(ctx, {"x", 4}), tsr_mesh_make(ctx, {"x", 8}),
	};
	tsr_mesh *square = tsr_mesh_make(ctx, {"x", 2}, {"y", 2});
	for (int p = 0; p < PROGRAMS; p++)
		for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
			for (int m = 0; m < 4; m++)
				check(ctx, p, rows[k], meshes[m], TSR_P("x"));
			check(ctx, p, rows[k], square, TSR_P("x*y"));
			check(ctx, p, rows[k], square, TSR_P("y", "x"));
		}
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_on_one_device),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
