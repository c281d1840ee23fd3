/* test_derive_nested.c - derivatives of derivatives, of jitted and of batched fns, and inside the
 * bodies of others; values that a body reads from the traces around it. */
#include "support/near.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#define P TSR_P
#define D TSR_DIMS

static tsr *wave(tsr *x) { return tsr_sum(tsr_mul(tsr_sin(x), tsr_integer_pow(x, 5))); }
static tsr *fifth(tsr *x) { return tsr_integer_pow(x, 5); }
static tsr *layer_loss(tsr *w, tsr *x) { return tsr_sum(tsr_tanh(tsr_dot(w, x))); }

/* ---- jit */

static void of_jit_and_in_jit(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = F64(ctx, 0.5, -1.5), *y, *dx, *plain = tsr_call(tsr_grad(ctx, wave), x);
	tsr_fn *jitted = tsr_jit(ctx, wave);
	SAME(tsr_call(tsr_grad(ctx, jitted), x), plain);
	SAME(tsr_call(tsr_jit(ctx, tsr_grad(ctx, wave)), x), plain);
	SAME(tsr_call(tsr_jit(ctx, tsr_grad(ctx, tsr_jit(ctx, jitted))), x), plain);
	tsr_call_into(TSR_OUT(&y, &dx), tsr_jit(ctx, tsr_value_and_grad(ctx, jitted)), x);
	SAME(y, tsr_call(jitted, x));
	SAME(dx, plain);
}

/* ---- of each other */

static void higher_orders(void **state)
{
	tsr_ctx *ctx = *state;
	const double want[] = {80, 160, 240, 240, 120, 0}; /* of x^5 at 2 */
	tsr_fn *f = tsr_jit(ctx, fifth);
	tsr *x = tsr_scalar(ctx, 2, .dtype = TSR_F64);
	for (int order = 0; order < 6; order++) {
		f = tsr_grad(ctx, f);
		NEAR(tsr_call(f, x), want[order]);
	}
}

static tsr *along(tsr *x, tsr *v)
{
	tsr *y, *dy;
	tsr_call_into(TSR_OUT(&y, &dy), tsr_jvp(x, wave), x, v);
	return dy;
}

/* a Hessian times a vector, in every order of forward and reverse */
static void forward_and_reverse(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = F64(ctx, 0.5, -1.5, 1), *v = F64(ctx, 1, -2, 0.25), *y, *dy;
	tsr *want = tsr_dot(tsr_call(tsr_hessian(ctx, wave), x), v);
	tsr_call_into(TSR_OUT(&y, &dy), tsr_jvp(ctx, tsr_grad(ctx, wave)), x, v);
	ALIKE(dy, want, 1e-14);
	ALIKE(tsr_call(tsr_grad(ctx, along), x, v), want, 1e-14);
	SAME(tsr_call(tsr_grad(ctx, along, .wrt = D(1)), x, v), tsr_call(tsr_grad(ctx, wave), x));
	tsr_linearized l = tsr_vjp(TSR_OUT(&y), tsr_grad(ctx, wave), x);
	ALIKE(tsr_call(l.fn, l.residuals, v), want, 1e-14);
	l = tsr_linearize(TSR_OUT(&y), tsr_grad(ctx, wave), x);
	ALIKE(tsr_call(l.fn, l.residuals, v), want, 1e-14);
}

/* ---- batches */

static tsr *over_rows(tsr *w, tsr *x)
{
	tsr_fn *each = tsr_vmap(w, layer_loss, .in = TSR_MAPPED(TSR_UNMAPPED, 0));
	return tsr_sum(tsr_call(each, w, x));
}

static void of_batches(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *w = tsr_reshape(F64(ctx, 1, -2, 0.5, 3, 0.25, 1), D(3, 2));
	tsr *x = tsr_reshape(F64(ctx, 0.5, 1, -1, 0.25, 0, 2, 1, 1), D(4, 2)), *one[4];
	tsr_fn *g = tsr_grad(ctx, layer_loss);
	for (int i = 0; i < 4; i++) one[i] = tsr_call(g, w, tsr_index(x, 0, i));
	tsr *rows = tsr_stack(0, one[0], one[1], one[2], one[3]),
	    *sum = tsr_sum(rows, .dims = D(0));
	tsr_fn *each = tsr_vmap(ctx, g, .in = TSR_MAPPED(TSR_UNMAPPED, 0));
	ALIKE(tsr_call(each, w, x), rows, 1e-15);
	ALIKE(tsr_call(tsr_jit(ctx, each), w, x), rows, 1e-15);
	ALIKE(tsr_call(tsr_grad(ctx, over_rows), w, x), sum, 1e-15);
	ALIKE(tsr_call(tsr_jit(ctx, tsr_grad(ctx, tsr_jit(ctx, over_rows))), w, x), sum, 1e-15);
	ALIKE(tsr_sum(tsr_call(tsr_jacrev(ctx, tsr_vmap(ctx, layer_loss,
	                                                .in = TSR_MAPPED(TSR_UNMAPPED, 0))),
	                       w, x),
	              .dims = D(0)),
	      sum, 1e-15);
}

/* second derivatives as a batch of directions */
static void a_batch_of_directions(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = F64(ctx, 0.5, -1.5, 1), *unit = tsr_eye(ctx, 3, .dtype = TSR_F64);
	tsr_fn *hv = tsr_grad(ctx, along);
	tsr *h = tsr_call(tsr_vmap(ctx, hv, .in = TSR_MAPPED(TSR_UNMAPPED, 0)), x, unit);
	ALIKE(h, tsr_call(tsr_hessian(ctx, wave), x), 1e-14);
	tsr *each = tsr_call(tsr_vmap(ctx, tsr_hessian(ctx, fifth)), x);
	NEAR(each, 20 * 0.125, 20 * -3.375, 20);
}

/* ---- inside a body */

static tsr *steepest(tsr *x) { return tsr_sub(x, tsr_mul(0.01, tsr_call(tsr_grad(x, wave), x))); }

static tsr *there_and_back(tsr *x)
{
	tsr *y, *dy;
	tsr_linearized forward = tsr_linearize(TSR_OUT(&y), tsr_jit(x, tsr_sin), x);
	tsr_linearized back = tsr_vjp(TSR_OUT(&y), tsr_jit(x, tsr_sin), x);
	dy = tsr_call(forward.fn, forward.residuals, tsr_call(back.fn, back.residuals, y));
	return tsr_sum(dy); /* cos x (cos x sin x) */
}

static tsr *doubled(tsr *x) { return tsr_mul(x, 2); }

static tsr *transposed(tsr *x)
{
	tsr_linearized l = tsr_linear_transpose(tsr_jit(x, doubled), x);
	return tsr_sum(tsr_call(l.fn, l.residuals, tsr_sin(x)));
}

static void in_bodies(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = F64(ctx, 0.5, -1.5), *y = x, *z = x;
	tsr_fn *step = tsr_jit(ctx, steepest);
	for (int k = 0; k < 3; k++) {
		y = tsr_call(step, y);
		z = steepest(z);
	}
	SAME(y, z);
	const double a = cos(0.5), b = cos(-1.5);
	NEAR(tsr_call(tsr_jit(ctx, there_and_back), x), a * a * sin(0.5) + b * b * sin(-1.5));
	NEAR(there_and_back(x), a * a * sin(0.5) + b * b * sin(-1.5));
	NEAR(tsr_call(tsr_grad(ctx, there_and_back), x), a * a * a - 2 * a * sin(0.5) * sin(0.5),
	     b * b * b - 2 * b * sin(-1.5) * sin(-1.5));
	NEAR(tsr_call(tsr_grad(ctx, transposed), x), 2 * a, 2 * b);
	NEAR(tsr_call(tsr_vmap(ctx, transposed), x), 2 * sin(0.5), 2 * sin(-1.5));
}

/* ---- inside the body of a map. The numbers are JAX 0.10.2's: jax.grad(loss, (0, 1)) inside
 * jax.shard_map with in_specs (P(), P("x")), checked and not */

static tsr *block_loss(tsr *w, tsr *x) { return tsr_sum(tsr_mul(w, tsr_square(x))); }
static tsr *sum_loss(tsr *w, tsr *x) { return tsr_psum(block_loss(w, x), "x"); }
static tsr *mean_loss(tsr *w, tsr *x) { return tsr_pmean(block_loss(w, x), "x"); }

typedef struct loss {
	tsr *(*of)(tsr *, tsr *);
} loss;

static void both_gradients(tsr_frame *frame)
{
	const loss *l = tsr_frame_env(frame);
	tsr *w = tsr_frame_arg(frame, 0), *x = tsr_frame_arg(frame, 1), *dw, *dx;
	tsr_call_into(TSR_OUT(&dw, &dx), tsr_grad(frame, l->of, .wrt = D(0, 1), .name = "loss"), w,
	              x);
	tsr_return(frame, dw, dx);
}

static void in_maps(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4});
	tsr *w = F64(ctx, 2), *x = F64(ctx, 1, 2, 3, 4), *dw, *dx;
	const loss block = {block_loss}, sum = {sum_loss}, mean = {mean_loss};
	const char *const sig = "[] [x] -> [] [x]", *const apart = "[] [x] -> [x] [x]";
#define GRADIENTS(loss_, ...) \
	tsr_call_into(TSR_OUT(&dw, &dx), \
	              tsr_shard_map(mesh, both_gradients, TSR_ENV(&loss_), __VA_ARGS__), w, x)
	/* w is the same on all devices: its cotangents are summed */
	GRADIENTS(block, .sig = sig);
	NEAR(dw, 30);
	NEAR(dx, 4, 8, 12, 16);
	GRADIENTS(sum, .sig = sig);
	NEAR(dw, 30);
	NEAR(dx, 4, 8, 12, 16);
	GRADIENTS(mean, .sig = sig);
	NEAR(dw, 7.5);
	NEAR(dx, 1, 2, 3, 4);
	/* unchecked, each device has a w of its own, and psum is its own transpose */
	GRADIENTS(block, .sig = apart, .unchecked = true);
	NEAR(dw, 1, 4, 9, 16);
	NEAR(dx, 4, 8, 12, 16);
	GRADIENTS(sum, .sig = apart, .unchecked = true);
	NEAR(dw, 4, 16, 36, 64);
	NEAR(dx, 16, 32, 48, 64);
	GRADIENTS(mean, .sig = apart, .unchecked = true);
	NEAR(dw, 1, 4, 9, 16);
	NEAR(dx, 4, 8, 12, 16);
#undef GRADIENTS
}

static tsr *in_a_map(tsr *w, tsr *x)
{
	tsr_mesh *mesh = tsr_mesh_make(tsr_ctx_of(w), {"x", 4});
	return tsr_call(tsr_shard_map(mesh, sum_loss, .sig = "[] [x] -> []"), w, x);
}

static tsr *product_of_slopes(tsr *w, tsr *x)
{
	tsr *dw, *dx;
	tsr_call_into(TSR_OUT(&dw, &dx), tsr_grad(w, in_a_map, .wrt = D(0, 1)), w, x);
	return tsr_mul(tsr_sum(dw), tsr_sum(dx)); /* sum(x^2) * sum(2 w x) */
}

/* linear functions and second derivatives of maps; a scalar that differs between devices is a
 * residual */
static void of_maps(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *w = tsr_scalar(ctx, 2, .dtype = TSR_F64), *x = F64(ctx, 1, 2, 3, 4), *y, *dw, *dx;
	tsr_fn *f = tsr_jit(ctx, in_a_map);
	tsr_linearized l = tsr_linearize(TSR_OUT(&y), f, w, x);
	NEAR(y, 60);
	NEAR(tsr_call(l.fn, l.residuals, w, F64(ctx, 1, 0, 0, 0)), 2 * 30 + 4);
	NEAR(tsr_call(l.fn, l.residuals, w, F64(ctx, 0, 0, 0, 1)), 2 * 30 + 16);
	l = tsr_vjp(TSR_OUT(&y), f, w, x);
	for (int k = 1; k < 3; k++) {
		tsr_call_into(TSR_OUT(&dw, &dx), l.fn, l.residuals,
		              tsr_scalar(ctx, k, .dtype = TSR_F64));
		NEAR(dw, 30 * k);
		NEAR(dx, 4 * k, 8 * k, 12 * k, 16 * k);
	}
	tsr *hessian[4];
	tsr_call_into(TSR_OUT(&hessian[0], &hessian[1], &hessian[2], &hessian[3]),
	              tsr_hessian(ctx, in_a_map, .wrt = D(0, 1)), w, x);
	NEAR(hessian[0], 0);
	NEAR(hessian[1], 2, 4, 6, 8);
	NEAR(hessian[2], 2, 4, 6, 8);
	SAME(hessian[3], tsr_mul(4, tsr_eye(ctx, 4, .dtype = TSR_F64)));
	/* sum(x^2) * 2 w sum(x) = 30 * 2 w * 10; by x: 2 x * 40 + 30 * 4 */
	tsr_call_into(TSR_OUT(&dw, &dx), tsr_grad(ctx, product_of_slopes, .wrt = D(0, 1)), w, x);
	NEAR(dw, 600);
	NEAR(dx, 200, 280, 360, 440);
}

/* ---- what a body reads besides its arguments */

TSR_TREE_TYPE(slots, { tsr *x; });
static slots outer;

/* x + y, where x belongs to the trace around */
static tsr *with_lifted(tsr *y) { return tsr_add(outer.x, y); }
static tsr *with_powers(tsr *y) { return tsr_mul(tsr_square(outer.x), tsr_integer_pow(y, 3)); }

/* x * d(x + y)/dy = x: a derivative that took x for y would give 2 x */
static tsr *not_confused(tsr *x)
{
	outer.x = x;
	tsr *slope = tsr_call(tsr_grad(x, with_lifted), tsr_scalar(x, 1, .dtype = TSR_F64));
	return tsr_mul(x, slope);
}

/* d(x^2 y^3)/dy at y = 2: 12 x^2 */
static tsr *by_the_inner(tsr *x)
{
	outer.x = x;
	tsr_fn *g = tsr_grad(x, with_powers, .captures = TSR_TREE(slots, &outer));
	return tsr_call(g, tsr_scalar(x, 2, .dtype = TSR_F64));
}

static tsr *by_the_inner_lifted(tsr *x)
{
	outer.x = x;
	return tsr_call(tsr_grad(x, with_powers), tsr_scalar(x, 2, .dtype = TSR_F64));
}

static void of_values_from_outside(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = tsr_scalar(ctx, 5, .dtype = TSR_F64), *y, *dy;
	NEAR(tsr_call(tsr_grad(ctx, not_confused), x), 1);
	NEAR(tsr_call(tsr_grad(ctx, by_the_inner), x), 120);
	NEAR(tsr_call(tsr_grad(ctx, by_the_inner_lifted), x), 120);
	NEAR(tsr_call(tsr_grad(ctx, tsr_grad(ctx, by_the_inner)), x), 24);
	tsr_call_into(TSR_OUT(&y, &dy), tsr_jvp(ctx, by_the_inner_lifted), x, x);
	NEAR(y, 300);
	NEAR(dy, 600);
	NEAR(tsr_call(tsr_vmap(ctx, tsr_grad(ctx, by_the_inner)), F64(ctx, 1, 2)), 24, 48);
	NEAR(tsr_call(tsr_vmap(ctx, by_the_inner_lifted), F64(ctx, 1, 2)), 12, 48);
	/* a slot is read afresh: the derivative by y of x^2 y^3 */
	tsr_fn *g = tsr_grad(ctx, with_powers, .captures = TSR_TREE(slots, &outer));
	const int64_t traces = tsr_fn_stats(g).traces;
	for (int k = 1; k < 4; k++) {
		outer.x = tsr_scalar(ctx, k, .dtype = TSR_F64);
		NEAR(tsr_call(g, tsr_scalar(ctx, 2, .dtype = TSR_F64)), 12 * k * k);
	}
	assert_true(tsr_fn_stats(g).traces <= traces + 1);
}

typedef struct power {
	int n;
} power;

static void powered(tsr_frame *frame)
{
	const power *p = tsr_frame_env(frame);
	tsr_return(frame, tsr_integer_pow(tsr_frame_arg(frame, 0), p->n));
}

static void of_records(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = tsr_scalar(ctx, 2, .dtype = TSR_F64);
	const double want[] = {1, 4, 12};
	for (int n = 1; n < 4; n++) {
		const power p = {n};
		NEAR(tsr_call(tsr_grad(ctx, powered, TSR_ENV(&p)), x), want[n - 1]);
		NEAR(tsr_call(tsr_grad(ctx, tsr_jit(ctx, powered, TSR_ENV(&p))), x), want[n - 1]);
	}
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, near_open, near_close)
	const struct CMUnitTest tests[] = {
		TEST(of_jit_and_in_jit), TEST(higher_orders), TEST(forward_and_reverse),
		TEST(of_batches),        TEST(in_bodies),     TEST(a_batch_of_directions),
		TEST(in_maps),           TEST(of_maps),       TEST(of_values_from_outside),
		TEST(of_records),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
