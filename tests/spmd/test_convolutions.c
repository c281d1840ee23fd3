/* test_convolutions.c - convolutions and pooling: values and both gradients are JAX's, bit for bit
 * since all numbers are whole, on one device, and with each dim of each operand cut over a mesh.
 *
 * Operands are x(i) = (a i + b) mod m - s, with 7, 3, 9, 4 for lhs and 5, 1, 7, 3 for rhs; what
 * each result counts in the loss has 3, 2, 5, 2. The lists are what jax 0.10.2 gives for these: y =
 * lax.conv_general_dilated(lhs, rhs, ...), or lax.conv_transpose or conv_general_dilated_local with
 * these keywords, and jax.vjp of it at the third one. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <tsr/tsr.h>

#define D TSR_DIMS
#define L(...) {__VA_ARGS__}
enum { MOST = 80 };

#define CONVS(_) \
	_(plain, D(1, 2, 3, 3), D(2, 2, 2, 2), D(1, 2, 2, 2), L(-8, 41, -23, -10, -14, -11, \
	  22, -11), L(6, 6, -6, -10, -2, 0, 3, 3, -2, 4, 6, -4, -11, 13, 2, 4, -10, 5), L(8, \
	  -6, -7, 6, 8, -6, -7, 6, -6, -8, 15, -5, -6, -8, 15, -5), .strides = D(1, 1)) \
	_(same_nhwc, D(1, 3, 4, 1), D(2, 3, 1, 2), D(1, 2, 4, 2), L(10, 1, -15, 18, -11, \
	  -18, 3, 21, 4, -3, 6, -2, -13, 8, 10, -13), L(-3, -6, 4, -9, 0, 8, 6, -7, -9, 4, -6, \
	  -3), L(-22, 4, 5, 14, 13, 2, 4, -4, -16, 5, 2, 8), .padding = TSR_SAME, .strides = \
	  D(2, 1), .lhs_spec = "NHWC", .rhs_spec = "HWIO") \
	_(lower, D(1, 1, 5), D(1, 1, 2), D(1, 1, 5), L(-3, -7, 18, -2, -4), L(4, -8, 5, -7, \
	  6), L(-1, 8), .padding = TSR_SAME_LOWER) \
	_(dilated, D(1, 1, 4), D(1, 1, 2), D(1, 1, 7), L(-9, 2, 12, 6, 6, -8, 0), L(4, 2, 3, \
	  6), L(5, 8), .low = D(1), .high = D(2), .lhs_dilation = D(2), .rhs_dilation = D(3)) \
	_(cut_off, D(1, 1, 6), D(1, 1, 2), D(1, 1, 1), L(18), L(0, 0, 0, 0, 0, 0), L(0, 0), \
	  .low = D(-1), .high = D(-2), .strides = D(2)) \
	_(features, D(1, 4, 3), D(4, 2, 2), D(1, 4, 2), L(-5, 20, -3, 21, 1, 1, -15, 24), \
	  L(-3, 9, -8, 0, -4, 4, 2, 4, 0, 2, -14, 3), L(6, -8, 0, 4, 2, -7, 2, 2, -8, 6, -2, \
	  -6, 11, -5, -1, 10), .feature_group_count = 2) \
	_(depthwise, D(2, 3, 3), D(3, 1, 2), D(2, 3, 2), L(-7, 18, 2, 2, 18, -7, -7, 18, 2, \
	  2, 18, -7), L(0, 4, -6, 1, -2, 1, -6, 4, 0, 4, -8, 3, -1, 3, -2, 0, 6, -4), L(5, 2, \
	  0, -2, -14, 4), .feature_group_count = 3) \
	_(batches, D(4, 2, 3), D(2, 2, 2), D(2, 2, 2), L(-5, 20, -12, -6, 19, -10, -3, 21), \
	  L(0, 4, -6, 0, -2, 2, -4, 6, 0, 2, -2, 0, -3, 5, -2, 0, -2, 2, 6, -7, 2, 0, 4, -2), \
	  L(-2, -2, -2, -2, 1, 12, -11, 0), .batch_group_count = 2) \
	_(specs, D(3, 2, 2, 1), D(2, 1, 2, 2), D(1, 2, 2, 2), L(7, -20, 3, 2, 7, -2, 1, -9), \
	  L(1, 0, 3, 6, -7, -8, -4, -2, 8, 8, -1, -2), L(-8, 10, -9, -1, -8, -8, 2, 1), \
	  .lhs_spec = "HNWC", .rhs_spec = "WIOH", .out_spec = "WHCN") \
	_(no_places, D(2, 3), D(2, 3), D(2, 2), L(-3, 18, -6, -6), L(2, 6, -4, -1, 6, -1), \
	  L(2, 0, -2, 0, 6, -6), .strides = {.d = {0}}) \
	_(cube, D(1, 1, 2, 3, 2), D(1, 1, 2, 2, 2), D(1, 1, 1, 2, 1), L(15, -13), L(0, 0, 4, \
	  -6, -2, 2, 0, 0, 6, -4, 0, 4), L(-8, -4, 0, 4, -2, 2, 6, -8), .padding = TSR_VALID)

#define TRANSPOSES(_) \
	_(t_same, D(1, 2, 3, 2), D(3, 2, 2, 2), D(1, 4, 3, 2), L(-9, -1, 14, -11, -8, -2, 4, \
	  -9, 4, 14, 14, -8, 12, 15, -29, 11, 10, 21, -14, 9, -11, -16, -10, 16), L(-8, -1, 1, \
	  7, 8, -2, 0, 10, -1, 10, 0, -10), L(-10, 4, -10, 2, 7, 1, 5, 1, 2, -3, 2, -15, -1, \
	  0, 5, 9, -3, 2, 9, 2, 8, -1, -9, 5), .strides = D(2, 1), .padding = TSR_SAME) \
	_(t_valid, D(1, 3, 1), D(2, 1, 2), D(1, 9, 2), L(-1, 1, 2, -3, 0, 0, -3, 3, 6, -9, \
	  0, 0, 4, -4, -8, 12, 0, 0), L(-3, 5, -2), L(10, -5, 10, -5), .strides = D(3)) \
	_(t_wide, D(2, 3, 1), D(4, 1, 1), D(2, 6, 1), L(-1, 0, -1, -13, 10, 12, 2, 6, -4, 2, \
	  -2, -6), L(-8, -4, 3, 3, 4, -8), L(-9, 11, 1, -2), .strides = D(2), .padding = \
	  TSR_SAME) \
	_(t_pads, D(1, 3, 1), D(3, 1, 1), D(1, 2, 1), L(0, -3), L(4, -6, -2), L(2, 6, -8), \
	  .strides = D(2), .low = D(1), .rhs_dilation = D(2)) \
	_(t_forward, D(1, 3, 1), D(3, 1, 1), D(1, 8, 1), L(0, -6, 0, -3, 0, 18, 0, -8), \
	  L(-4, -5, -3), L(5, 5, 2), .strides = D(2), .low = D(1), .rhs_dilation = D(2), \
	  .forward_padding = true) \
	_(t_turned, D(1, 3, 2, 2), D(2, 2, 3, 2), D(1, 6, 4, 3), L(-7, 2, -3, 6, -6, 10, -2, \
	  2, -8, -4, 14, -10, -2, -7, 2, -3, 6, -6, 8, -2, 2, -8, -4, 14, -6, 2, -4, 4, -2, 6, \
	  17, -7, 18, -6, -9, -5, 0, -6, 2, -4, 4, -2, -8, 17, -7, 18, -6, -9, -5, 2, -5, 2, \
	  2, 2, 18, -7, 17, -8, -5, -9, 2, -5, 2, -5, 2, 2, -6, 18, -7, 17, -8, -5), L(10, 8, \
	  7, -8, -22, -1, 10, 8, 16, -10, -22, -1), L(-15, 1, 16, 0, -3, -6, 8, 8, -6, -3, \
	  -15, 1, -3, -6, 8, 8, -6, -3, -15, 1, 16, 0, -3, -6), .strides = D(2, 2), \
	  .transpose_kernel = true) \
	_(t_specs, D(1, 2, 3, 2), D(2, 2, 3, 2), D(1, 6, 2, 2), L(10, -3, -8, -7, -3, 5, -7, \
	  -13, 10, -11, -19, 20, -3, 10, 4, 0, 19, -1, -13, 0, -3, 6, -3, -14), L(-15, 8, -8, \
	  -3, -3, -8, 2, -12, 8, 6, 21, 8), L(-4, -9, 10, 10, -1, -5, -1, 3, 7, -11, -1, 4, \
	  10, 12, -1, -5, -7, 5, 10, -15, -1, 4, -4, 14), .strides = D(2, 1), .padding = \
	  TSR_SAME, .lhs_spec = "NCHW", .rhs_spec = "OIHW", .out_spec = "NHWC")

#define LOCALS(_) \
	_(l_plain, D(2, 2, 4), D(3, 4, 3), D(2, 3, 3), L(3, -13, -13, -7, -12, -7, -3, 3, \
	  20, -1, 8, 11, -7, -9, -2, 1, 9, 20), L(0, -12, 5, -1, 1, 5, 14, -1, -2, 7, -1, -3, \
	  -3, 0, -12, 6), L(2, 6, 10, -2, -8, -6, 4, 4, 0, 0, 8, 11, 2, -5, -6, 2, 11, 8, 2, \
	  -4, -4, 2, -6, -8, 2, -1, -7, 6, 10, 2, 0, -2, 2, 4, 0, -7), D(2)) \
	_(l_specs, D(1, 3, 3, 1), D(2, 2, 4, 1), D(1, 2, 2, 1), L(-5, 21, 1, -3), L(0, 6, \
	  -4, 3, -1, 4, -1, -1, -3), L(-0, -0, 0, 0, 6, -8, -0, 4, 2, 0, -4, 3, -0, 2, -3, \
	  -1), D(2, 2), .lhs_spec = "NHWC", .rhs_spec = "HWIO")

#define POOLS(_) \
	_(sums, D(3, 4), tsr_reduce_window(x, TSR_COMBINE_ADD, D(2, 2), .strides = D(1, 2)), \
	  L(-6, 5, -2, 0)) \
	_(products, D(5), tsr_reduce_window(x, TSR_COMBINE_MUL, D(2), .padding = TSR_SAME), \
	  L(3, -12, 8, 0, 0)) \
	_(largest, D(2, 4), tsr_reduce_window(x, TSR_COMBINE_MAX, D(1, 3), .low = D(0, 1), \
	  .high = D(0, 2)), L(-1, 4, 4, 4, 2, 0, 0, 3, 3, 3)) \
	_(smallest, D(4), tsr_reduce_window(x, TSR_COMBINE_MIN, D(2), .base_dilation = D(3), \
	  .window_dilation = D(2), .low = D(2)), L(-1, INFINITY, -1, -3, INFINITY, -3, 4, \
	  INFINITY, 4, 2)) \
	_(cut, D(6), tsr_reduce_window(x, TSR_COMBINE_ADD, D(2), .low = D(-1), .high = \
	  D(-1)), L(1, 6, 2)) \
	_(max_pool, D(1, 3, 3, 2), tsr_max_pool(x, D(2, 2), .strides = D(2, 2), .padding = \
	  TSR_SAME), L(4, 3, 0, 4, 2, 0, 3, 1)) \
	_(min_pool, D(2, 4, 1), tsr_min_pool(x, D(3)), L(-3, -3, -4, -4)) \
	_(avg_pool, D(3, 2), tsr_avg_pool(x, D(2), .padding = TSR_SAME), L(1.5, -0.5, 2, 0, \
	  0, -1)) \
	_(avg_own, D(3, 2), tsr_avg_pool(x, D(2), .padding = TSR_SAME, .exclude_padding = \
	  true), L(1.5, -0.5, 2, 0, 0, -2)) \
	_(p_same, D(1, 2, 3, 3), tsr_conv_general_dilated_patches(x, D(2, 2), .strides = \
	  D(2, 2), .padding = TSR_SAME), L(-1, 4, -4, 1, -3, 0, 3, 0, 2, -2, 0, 0, 0, 0, 0, 0, \
	  -1, 4, -4, 1, -3, 0, 3, 0, 2, -2, 0, 0, 0, 0, 0, 0)) \
	_(p_specs, D(1, 3, 2, 2), tsr_conv_general_dilated_patches(x, D(2, 1), .low = D(1, \
	  0), .rhs_dilation = D(2, 1), .lhs_spec = "NHWC", .rhs_spec = "WHIO", .out_spec = \
	  "CHWN"), L(0, 0, 0, 4, -4, -3, 0, 0, 0, 2, 3, 4)) \
	_(by_both, D(3, 5), tsr_reduce(both, x, 1, .dims = D(1)), L(-1, -1, 59)) \
	_(of_all, D(3, 5), tsr_reduce(tsr_add, x, 0), L(0)) \
	_(by_size, D(3, 5), tsr_reduce(larger, x, 0, .dims = D(0)), L(3, 4, 4, 2, 2)) \
	_(windows_by_size, D(3, 5), tsr_reduce_window_by(larger, x, 0, D(2, 3), .strides = \
	  D(1, 2), .low = D(1, 1), .high = D(0, 1)), L(3, 4, 2, 4, 4, 2, 4, 4, 2))

/* ---- what is tried */

/* associative and commutative: (1 + a)(1 + b) - 1, and the larger of two sizes */
static tsr *both(tsr *a, tsr *b) { return tsr_add(tsr_add(a, b), tsr_mul(a, b)); }
static tsr *larger(tsr *a, tsr *b) { return tsr_maximum(tsr_abs(a), tsr_abs(b)); }

#define DEFINE_CONV(name, x, w, y, values, dx, dw, ...) \
	static tsr *conv_##name(tsr *lhs, tsr *rhs) \
	{ \
		return OPERATION(lhs, rhs, __VA_ARGS__); \
	} \
	static tsr *loss_##name(tsr *lhs, tsr *rhs, tsr *ct) \
	{ \
		return tsr_sum(tsr_mul(conv_##name(lhs, rhs), ct)); \
	} \
	static const float y_##name[] = values, dx_##name[] = dx, dw_##name[] = dw;
#define OPERATION tsr_conv_general_dilated
CONVS(DEFINE_CONV)
#undef OPERATION
#define OPERATION tsr_conv_transpose
TRANSPOSES(DEFINE_CONV)
#undef OPERATION
#define OPERATION tsr_conv_general_dilated_local
LOCALS(DEFINE_CONV)
#define CONV_LINE(name, x, w, y, values, dx, dw, ...) \
	{#name, conv_##name, loss_##name, x, w, y, y_##name, dx_##name, dw_##name},
struct conv {
	const char *name;
	tsr *(*run)(tsr *, tsr *);
	tsr *(*loss)(tsr *, tsr *, tsr *);
	tsr_dims x, w, y;
	const float *values, *dx, *dw;
};

#define DEFINE_POOL(name, dims, expression, values) \
	static tsr *pool_##name(tsr *x) { return expression; } \
	static const float p_##name[] = values;
POOLS(DEFINE_POOL)
#define POOL_LINE(name, dims, expression, values) \
	{#name, pool_##name, dims, p_##name, sizeof p_##name / sizeof(float)},
struct pool {
	const char *name;
	tsr *(*run)(tsr *);
	tsr_dims x;
	const float *values;
	size_t n;
};

static int64_t size_of(const tsr_dims *d)
{
	int64_t n = 1;

	for (int i = 1; i < d->d[0]; i++) n *= d->d[i];
	return n;
}

static tsr *numbers(tsr_ctx *c, tsr_dims dims, int a, int b, int m, int s)
{
	float x[MOST];

	assert_true(size_of(&dims) <= MOST);
	for (int i = 0; i < size_of(&dims); i++) x[i] = (float)((a * i + b) % m - s);
	return tsr_from(c, x, TSR_F32, dims);
}

static void check(const char *name, const char *what, tsr *y, const float *want, size_t n)
{
	float got[MOST];
	tsr_ctx *c = tsr_ctx_of(y);

	if (tsr_status(c)) fail_msg("%s, %s: %s", name, what, tsr_message(c));
	if ((size_t)tsr_size(y) != n)
		fail_msg("%s, %s: %lld elements, not %zu", name, what, (long long)tsr_size(y), n);
	tsr_read(y, got, n * sizeof *got);
	for (size_t i = 0; i < n; i++)
		if (got[i] != want[i])
			fail_msg("%s, %s: element %zu is %g, not %g", name, what, i,
			         (double)got[i], (double)want[i]);
}

/* x with a dim cut over an axis; dim -1: none */
static tsr *cut(tsr *x, tsr_mesh *mesh, int dim, const char *axis)
{
	tsr_spec spec = {.n1 = 1 + tsr_ndim(x)};

	if (dim < 0) return x;
	spec.d[1 + dim] = axis;
	return tsr_put(x, mesh, spec);
}

static void check_conv(tsr_ctx *c, const struct conv *k, tsr_mesh *mesh, int dx, int dw)
{
	TSR_SCOPE(c);
	char where[64];
	tsr *x = cut(numbers(c, k->x, 7, 3, 9, 4), mesh, dx, "x");
	tsr *w = cut(numbers(c, k->w, 5, 1, 7, 3), mesh, dw, "y");
	tsr *ct = numbers(c, k->y, 3, 2, 5, 2);

	snprintf(where, sizeof where, "dims %d and %d cut", dx, dw);
	check(k->name, where, tsr_call(tsr_jit(c, k->run), x, w), k->values,
	      (size_t)size_of(&k->y));
	check(k->name, "of lhs", tsr_call(tsr_grad(c, k->loss), x, w, ct), k->dx,
	      (size_t)size_of(&k->x));
	check(k->name, "of rhs", tsr_call(tsr_grad(c, k->loss, .wrt = D(1)), x, w, ct), k->dw,
	      (size_t)size_of(&k->w));
}

static void convolutions(void **state)
{
	const struct conv convs[] = {CONVS(CONV_LINE) TRANSPOSES(CONV_LINE) LOCALS(CONV_LINE)};
	tsr_ctx *c = tsr_open(.devices = 4);
	tsr_mesh *mesh = tsr_mesh_make(c, {"x", 2}, {"y", 2});

	(void)state;
	for (size_t i = 0; i < sizeof convs / sizeof *convs; i++) {
		const int n = (int)convs[i].x.d[0] - 1;
		for (int dx = -1; dx < n; dx++)
			for (int dw = -1; dw < n; dw++)
				check_conv(c, &convs[i], mesh, dx, dw);
	}
	assert_int_equal(tsr_close(c), 0);
}

static void pooling(void **state)
{
	const struct pool pools[] = {POOLS(POOL_LINE)};
	tsr_ctx *c = tsr_open(.devices = 4);
	tsr_mesh *mesh = tsr_mesh_make(c, {"x", 4});

	(void)state;
	for (size_t i = 0; i < sizeof pools / sizeof *pools; i++)
		for (int d = -1; d < (int)pools[i].x.d[0] - 1; d++) {
			TSR_SCOPE(c);
			tsr *x = cut(numbers(c, pools[i].x, 7, 3, 9, 4), mesh, d, "x");
			check(pools[i].name, d < 0 ? "whole" : "cut",
			      tsr_call(tsr_jit(c, pools[i].run), x), pools[i].values, pools[i].n);
		}
	assert_int_equal(tsr_close(c), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(convolutions),
		cmocka_unit_test(pooling),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
