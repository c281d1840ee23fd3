/* test_derive.c - derivatives of bodies: the arguments that are derived by, results beside the
 * loss, trees and absent leaves, forward and reverse mode, linear functions that are called again
 * and again. */
#include "support/near.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#define D TSR_DIMS

/* ---- grad, value_and_grad */

static tsr *cubes(tsr *x) { return tsr_sum(tsr_integer_pow(x, 3)); }

/* sum(a b + a sin c): of a: b + sin c; of b: a; of c: a cos c */
static tsr *mixed(tsr *a, tsr *b, tsr *c)
{
	return tsr_sum(tsr_add(tsr_mul(a, b), tsr_mul(a, tsr_sin(c))));
}

static void of_one_argument(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = F64(ctx, 1, -2, 3), *y, *dx;
	NEAR(tsr_call(tsr_grad(ctx, cubes), x), 3, 12, 27);
	tsr_call_into(TSR_OUT(&y, &dx), tsr_value_and_grad(ctx, cubes), x);
	SCALAR(y);
	NEAR(y, 20);
	NEAR(dx, 3, 12, 27);
	/* a number is an argument like others */
	NEAR(tsr_call(tsr_grad(ctx, cubes), 2.0), 12);
	SHAPE(tsr_call(tsr_grad(ctx, cubes), tsr_ones(ctx, D(2, 0, 3))), 2, 0, 3);
}

static void of_some_arguments(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *a = F64(ctx, 1, 2), *b = F64(ctx, 3, 5), *c = F64(ctx, 0, 1), *y, *da, *db, *dc;
	NEAR(tsr_call(tsr_grad(ctx, mixed), a, b, c), 3, 5 + sin(1));
	NEAR(tsr_call(tsr_grad(ctx, mixed, .wrt = D(1)), a, b, c), 1, 2);
	NEAR(tsr_call(tsr_grad(ctx, mixed, .wrt = D(2)), a, b, c), 1, 2 * cos(1));
	tsr_call_into(TSR_OUT(&dc, &da), tsr_grad(ctx, mixed, .wrt = D(2, 0)), a, b, c);
	NEAR(dc, 1, 2 * cos(1));
	NEAR(da, 3, 5 + sin(1));
	tsr_call_into(TSR_OUT(&y, &db, &da, &dc), tsr_value_and_grad(ctx, mixed, .wrt = D(1, 0, 2)),
	              a, b, c);
	NEAR(y, 13 + 2 * sin(1));
	NEAR(db, 1, 2);
	NEAR(da, 3, 5 + sin(1));
	NEAR(dc, 1, 2 * cos(1));
	/* the same array twice is two arguments */
	tsr_call_into(TSR_OUT(&da, &db), tsr_grad(ctx, mixed, .wrt = D(0, 1)), a, a, c);
	NEAR(da, 1, 2 + sin(1));
	NEAR(db, 1, 2);
}

static tsr *first_alone(tsr *x, tsr *y)
{
	(void)y;
	return tsr_sum(x);
}
static tsr *argument_itself(tsr *x) { return x; }
static tsr *constant(tsr *x) { return tsr_scalar(x, 4, .dtype = tsr_dtype_of(x)); }

/* what the loss does not depend on has zeros of its own dtype and dims */
static void of_what_does_not_matter(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = tsr_ones(ctx, D(2), .dtype = TSR_F16), *y = tsr_ones(ctx, D(3, 2)), *dx, *dy;
	tsr_call_into(TSR_OUT(&dx, &dy), tsr_grad(ctx, first_alone, .wrt = D(0, 1)), x, y);
	SAME(dx, tsr_ones_like(x));
	SAME(dy, tsr_zeros_like(y));
	SAME(tsr_call(tsr_grad(ctx, constant), y), tsr_zeros_like(y));
	NEAR(tsr_call(tsr_grad(ctx, argument_itself), 7.0), 1);
}

static tsr *picks(tsr *x, tsr *at) { return tsr_dynamic_index(tsr_square(x), 0, at); }
static tsr *rounds(tsr *x)
{
	return tsr_sum(tsr_mul(tsr_astype(tsr_astype(x, TSR_I32), TSR_F64), x));
}

static void through_integers(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = F64(ctx, 1.5, 2.5, -3.5);
	NEAR(tsr_call(tsr_grad(ctx, picks), x, 1), 0, 5, 0);
	NEAR(tsr_call(tsr_grad(ctx, rounds), x), 1, 2, -3); /* the whole part has no slope */
}

static tsr *in_f32(tsr *x) { return tsr_sum(tsr_square(tsr_astype(x, TSR_F32))); }

static void through_other_precisions(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = F64(ctx, 1, 2), *dx = tsr_call(tsr_grad(ctx, in_f32), x);
	SAME(dx, F64(ctx, 2, 4));
	dx = tsr_call(tsr_grad(ctx, in_f32), tsr_astype(x, TSR_BF16));
	SAME(dx, tsr_astype(F64(ctx, 2, 4), TSR_BF16));
}

/* ---- results beside the loss */

TSR_TREE_TYPE(notes, { tsr *count, *nothing, *doubled; });

static void with_notes(tsr_frame *frame)
{
	tsr *x = tsr_frame_arg(frame, 0);
	notes n = {.count = tsr_sum(tsr_astype(tsr_gt(x, 0), TSR_I32)), .doubled = tsr_mul(x, 2)};
	tsr_return(frame, tsr_sum(tsr_square(x)), TSR_TREE(notes, &n), tsr_exp(x));
}

static void beside_the_loss(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = F64(ctx, 1, -2), *y, *dx, *e, *dy;
	notes n = {.nothing = x};
	tsr_call_into(TSR_OUT(&dx, TSR_TREE(notes, &n), &e),
	              tsr_grad(ctx, with_notes, .has_aux = true), x);
	NEAR(dx, 2, -4);
	NEAR(e, exp(1), exp(-2));
	NEAR(n.count, 1);
	NEAR(n.doubled, 2, -4);
	assert_null(n.nothing);
	n = (notes){0};
	tsr_call_into(TSR_OUT(&y, TSR_TREE(notes, &n), &e, &dx),
	              tsr_value_and_grad(ctx, with_notes, .has_aux = true), x);
	NEAR(y, 5);
	NEAR(dx, 2, -4);
	NEAR(n.doubled, 2, -4);
	tsr_call_into(TSR_OUT(&y, &dy, TSR_TREE(notes, &n), &e),
	              tsr_jvp(ctx, with_notes, .has_aux = true), x, F64(ctx, 10, 1));
	NEAR(y, 5);
	NEAR(dy, 16);
	NEAR(e, exp(1), exp(-2));
	tsr_call_into(TSR_OUT(&dx, TSR_TREE(notes, &n), &e),
	              tsr_jacrev(ctx, with_notes, .has_aux = true), x);
	NEAR(dx, 2, -4);
	NEAR(n.count, 1);
	tsr_call_into(TSR_OUT(&dx, TSR_TREE(notes, &n), &e),
	              tsr_hessian(ctx, with_notes, .has_aux = true), x);
	NEAR(dx, 2, 0, 0, 2);
	NEAR(n.doubled, 2, -4);
}

/* ---- trees */

TSR_TREE_TYPE(layer, { tsr *w, *b; });
TSR_TREE_TYPE(network, {
	layer up, down;
	tsr *scale;
});

static tsr *apply(const layer *l, tsr *x)
{
	tsr *y = tsr_dot(x, l->w);
	return l->b ? tsr_add(y, l->b) : y;
}

static tsr *network_loss(tsr_tree params, tsr *x)
{
	const network *n = TSR_TREE_OF(network, params);
	tsr *y = apply(&n->down, tsr_square(apply(&n->up, x)));
	return tsr_sum(n->scale ? tsr_mul(y, n->scale) : y);
}

/* x: [1, 2]; up: [2, 2] and a bias; down: [2, 1] without; no scale */
static network small(tsr_ctx *ctx)
{
	return (network){
		.up = {.w = tsr_reshape(F64(ctx, 1, 2, 3, 4), D(2, 2)), .b = F64(ctx, 1, -1)},
		.down.w = tsr_reshape(F64(ctx, 5, 7), D(2, 1))};
}

static void of_trees(void **state)
{
	tsr_ctx *ctx = *state;
	network n = small(ctx), g = n;
	tsr *x = tsr_reshape(F64(ctx, 1, 10), D(1, 2)), *y, *dx;
	/* h = [32, 41], h^2 w = 5 * 1024 + 7 * 1681; by h: [320, 574] */
	tsr_call_into(TSR_OUT(&y, TSR_TREE(network, &g), &dx),
	              tsr_value_and_grad(ctx, network_loss, .wrt = D(0, 1)), TSR_TREE(network, &n),
	              x);
	NEAR(y, 5 * 1024 + 7 * 1681);
	NEAR(g.up.w, 320, 574, 3200, 5740);
	SHAPE(g.up.w, 2, 2);
	NEAR(g.up.b, 320, 574);
	NEAR(g.down.w, 1024, 1681);
	SHAPE(g.down.w, 2, 1);
	assert_null(g.down.b);
	assert_null(g.scale);
	NEAR(dx, 320 + 2 * 574, 3 * 320 + 4 * 574);
	/* gradients into owned slots */
	network owned = {0};
	tsr_call_into(TSR_OUT(TSR_OWN(network, &owned)), tsr_grad(ctx, network_loss),
	              TSR_TREE(network, &n), x);
	NEAR(owned.down.w, 1024, 1681);
	assert_null(owned.scale);
	tsr_drop_tree(TSR_TREE(network, &owned));
}

static void all_squares(tsr_frame *frame)
{
	const tsr_tree t = tsr_frame_tree(frame, 0);
	tsr *sum = tsr_scalar(frame, 0.0, .dtype = TSR_F64);
	for (size_t i = 0; i < t.count; i++)
		if (t.leaf[i]) sum = tsr_add(sum, tsr_sum(tsr_square(t.leaf[i])));
	tsr_return(frame, sum);
}

static void of_lists_of_leaves(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x[4] = {F64(ctx, 1), NULL, F64(ctx, 2, 3), F64(ctx, 4)}, *g[4] = {x[0], x[0]};
	tsr_call_into(TSR_OUT(TSR_LEAVES(g, 4)), tsr_grad(ctx, all_squares), TSR_LEAVES(x, 4));
	NEAR(g[0], 2);
	assert_null(g[1]);
	NEAR(g[2], 4, 6);
	NEAR(g[3], 8);
}

/* ---- forward */

/* a b, and how many of a are positive */
static void product_and_count(tsr_frame *frame)
{
	tsr *a = tsr_frame_arg(frame, 0), *b = tsr_frame_arg(frame, 1);
	tsr_return(frame, tsr_mul(a, b), tsr_sum(tsr_astype(tsr_gt(a, 0), TSR_I32)));
}

static void forward(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *a = F64(ctx, 1, 2), *b = F64(ctx, 3, 5), *da = F64(ctx, 10, 0), *db = F64(ctx, 0, 1);
	tsr *y, *n, *dy, *dn = a;
	tsr_call_into(TSR_OUT(&y, &n, &dy, &dn), tsr_jvp(ctx, product_and_count), a, b, da, db);
	NEAR(y, 3, 10);
	NEAR(n, 2);
	NEAR(dy, 30, 2);
	assert_null(dn); /* a count has no tangent */
	tsr_call_into(TSR_OUT(&y, &n, &dy, &dn), tsr_jvp(ctx, product_and_count, .wrt = D(1)), a, b,
	              db);
	NEAR(dy, 0, 2);
	tsr_call_into(TSR_OUT(&y, &n, &dy, &dn), tsr_jvp(ctx, product_and_count, .wrt = D(1, 0)), a,
	              b, db, da);
	NEAR(dy, 30, 2);
}

static void forward_of_trees(void **state)
{
	tsr_ctx *ctx = *state;
	network n = small(ctx), d = {.up.b = F64(ctx, 1, 0)};
	tsr *x = tsr_reshape(F64(ctx, 1, 10), D(1, 2)), *y, *dy;
	tsr_call_into(TSR_OUT(&y, &dy), tsr_jvp(ctx, network_loss, .wrt = D(0)),
	              TSR_TREE(network, &n), x, TSR_TREE(network, &d));
	NEAR(y, 5 * 1024 + 7 * 1681);
	NEAR(dy, 320); /* absent tangents are zeros */
	d = (network){0};
	tsr_call_into(TSR_OUT(&y, &dy), tsr_jvp(ctx, network_loss, .wrt = D(0)),
	              TSR_TREE(network, &n), x, TSR_TREE(network, &d));
	NEAR(dy, 0);
}

/* ---- jacobians */

static tsr *bend(tsr *x, tsr *y) /* f64[3], f64[2] -> f64[2,3] */
{
	tsr *column = tsr_expand_dims(tsr_tanh(y), D(1));
	return tsr_add(tsr_mul(tsr_sin(x), column), tsr_mul(tsr_sum(tsr_square(x)), column));
}

/* [dims of f, dims of argument `at`], by central differences */
static tsr *differences(tsr_fn *f, tsr *const *x, int n, int at)
{
	enum { MOST = 8 };
	const double h = 1e-6;
	tsr *column[MOST], *moved[2];
	tsr_arg args[2];
	const int64_t size = tsr_size(x[at]);

	assert_true(size <= MOST && n <= 2);
	for (int64_t i = 0; i < size; i++) {
		for (int side = 0; side < 2; side++) {
			double unit[MOST] = {0};
			unit[i] = side ? h : -h;
			for (int k = 0; k < n; k++) args[k] = TSR_ARG(x[k]);
			args[at] = TSR_ARG(
				tsr_add(x[at], tsr_from(f, unit, TSR_F64, tsr_shape(x[at]))));
			moved[side] = tsr_call_at(TSR_HERE, f, args, (size_t)n);
		}
		column[i] = tsr_div(tsr_sub(moved[1], moved[0]), 2 * h);
	}
	return tsr_stack_at(TSR_HERE, tsr_ndim(column[0]), column, (size_t)size);
}

static void jacobians(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x[2] = {F64(ctx, 0.5, -1, 2), F64(ctx, 0.25, -0.75)}, *a, *b, *c, *d;
	tsr_fn *f = tsr_jit(ctx, bend);
	tsr_call_into(TSR_OUT(&a, &b), tsr_jacfwd(ctx, bend, .wrt = D(0, 1)), x[0], x[1]);
	tsr_call_into(TSR_OUT(&c, &d), tsr_jacrev(ctx, bend, .wrt = D(0, 1)), x[0], x[1]);
	SHAPE(a, 2, 3, 3);
	SHAPE(b, 2, 3, 2);
	ALIKE(a, c, 1e-14);
	ALIKE(b, d, 1e-14);
	ALIKE(a, differences(f, x, 2, 0), 1e-8);
	ALIKE(b, differences(f, x, 2, 1), 1e-8);
	ALIKE(tsr_call(tsr_jacrev(ctx, f), x[0], x[1]), a, 0);
	ALIKE(tsr_call(tsr_jacfwd(ctx, f, .wrt = D(1)), x[0], x[1]), b, 0);
}

static void two_results(tsr_frame *frame)
{
	const layer *l = TSR_TREE_OF(layer, tsr_frame_tree(frame, 0));
	layer out = {.w = tsr_mul(l->w, tsr_sum(l->b)), .b = tsr_sum(tsr_square(l->b))};
	tsr_return(frame, TSR_TREE(layer, &out), tsr_sum(l->w));
}

/* for each result a group of leaves: those of the result in turn, each by those of the argument */
static void jacobians_of_trees(void **state)
{
	tsr_ctx *ctx = *state;
	layer l = {.w = F64(ctx, 2, 3), .b = F64(ctx, 5, 7)};
	tsr_fn *const both[] = {tsr_jacfwd(ctx, two_results), tsr_jacrev(ctx, two_results)};
	for (int k = 0; k < 2; k++) {
		tsr *j[4], *s[2];
		tsr_call_into(TSR_OUT(TSR_LEAVES(j, 4), TSR_LEAVES(s, 2)), both[k],
		              TSR_TREE(layer, &l));
		NEAR(j[0], 12, 0, 0, 12);
		NEAR(j[1], 2, 2, 3, 3);
		SHAPE(j[1], 2, 2);
		NEAR(j[2], 0, 0);
		NEAR(j[3], 10, 14);
		SHAPE(j[3], 2);
		NEAR(s[0], 1, 1);
		NEAR(s[1], 0, 0);
	}
	tsr *half[2] = {F64(ctx, 2), NULL}, *j[2]; /* nothing by an absent leaf */
	tsr_call_into(TSR_OUT(TSR_LEAVES(j, 2)), tsr_jacrev(ctx, all_squares), TSR_LEAVES(half, 2));
	NEAR(j[0], 4);
	assert_null(j[1]);
}

static tsr *saddle(tsr *x, tsr *y) /* sum x^2 y: by xx: 2 y, by xy: 2 x */
{
	return tsr_sum(tsr_mul(tsr_square(x), y));
}

static void hessians(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = F64(ctx, 2, 3), *y = F64(ctx, 5, 7), *xx, *xy, *yx, *yy;
	NEAR(tsr_call(tsr_hessian(ctx, saddle), x, y), 10, 0, 0, 14);
	tsr_call_into(TSR_OUT(&xx, &xy, &yx, &yy), tsr_hessian(ctx, saddle, .wrt = D(0, 1)), x, y);
	NEAR(xx, 10, 0, 0, 14);
	NEAR(xy, 4, 0, 0, 6);
	NEAR(yx, 4, 0, 0, 6);
	NEAR(yy, 0, 0, 0, 0);
	x = F64(ctx, 0.5, -1, 2);
	tsr *h = tsr_call(tsr_hessian(ctx, bend), x, y);
	SHAPE(h, 2, 3, 3, 3);
	ALIKE(tsr_call(tsr_jacrev(ctx, tsr_jacfwd(ctx, bend)), x, y), h, 1e-14);
	ALIKE(tsr_call(tsr_jacrev(ctx, tsr_jacrev(ctx, bend)), x, y), h, 1e-14);
	ALIKE(tsr_call(tsr_jacfwd(ctx, tsr_jacfwd(ctx, bend)), x, y), h, 1e-14);
	ALIKE(tsr_transpose(h, .perm = D(0, 1, 3, 2)), h, 1e-14);
}

/* ---- linear functions at a point */

static void linearized(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = F64(ctx, 0.5, -1, 2), *y = F64(ctx, 0.25, -0.75), *z;
	tsr_fn *f = tsr_jit(ctx, bend);
	tsr_linearized l = tsr_linearize(TSR_OUT(&z), f, x, y);
	SAME(z, tsr_call(f, x, y));
	for (int k = 0; k < 4; k++) {
		tsr *dx = F64(ctx, k, 1, -k), *dy = F64(ctx, 1, k), *want;
		tsr_call_into(TSR_OUT(&z, &want), tsr_jvp(ctx, bend), x, y, dx, dy);
		ALIKE(tsr_call(l.fn, l.residuals, dx, dy), want, 1e-14);
	}
	assert_int_equal(tsr_fn_stats(f).traces, 1);
}

/* the first of two results is differentiated, and the other one passed on */
static void sines_and_more(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0), *y = tsr_frame_arg(f, 1);
	tsr_return(f, tsr_mul(tsr_sin(x), y), tsr_mul(tsr_cos(x), y), tsr_astype(x, TSR_I32));
}
static tsr *sines_alone(tsr *x, tsr *y) { return tsr_mul(tsr_sin(x), y); }

static void with_aux(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = F64(ctx, 0.5, -1, 2), *y = F64(ctx, 3, 4, 5), *a, *b, *c, *z, *jx, *jy, *kx, *ky;
	tsr *dx = F64(ctx, 1, 2, 3), *dy = F64(ctx, -1, 0, 1);
	for (int back = 0; back < 2; back++) {
		tsr_fn *f = tsr_jit(ctx, sines_and_more), *alone = tsr_jit(ctx, sines_alone);
		tsr_linearized l = back ? tsr_vjp_aux(TSR_OUT(&a, &b, &c), f, x, y)
		                    : tsr_linearize_aux(TSR_OUT(&a, &b, &c), f, x, y);
		tsr_linearized want = back ? tsr_vjp(TSR_OUT(&z), alone, x, y)
		                       : tsr_linearize(TSR_OUT(&z), alone, x, y);
		SAME(a, z);
		SAME(b, tsr_mul(tsr_cos(x), y));
		SAME(c, tsr_astype(x, TSR_I32));
		if (back) {
			tsr_call_into(TSR_OUT(&jx, &jy), l.fn, l.residuals, dx);
			tsr_call_into(TSR_OUT(&kx, &ky), want.fn, want.residuals, dx);
			SAME(jy, ky);
		} else {
			jx = tsr_call(l.fn, l.residuals, dx, dy);
			kx = tsr_call(want.fn, want.residuals, dx, dy);
		}
		SAME(jx, kx);
	}
}

/* residuals that outlive the scope of the call */
static void kept(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = F64(ctx, 0.5, -1), *y, *mine[4] = {NULL};
	tsr_linearized l;
	size_t n = 0;
	{
		TSR_SCOPE(ctx);
		l = tsr_linearize(TSR_OUT(&y), tsr_jit(ctx, cubes), x);
		n = l.residuals.count;
		assert_true(n <= 4);
		tsr_set_tree(TSR_LEAVES(mine, n), l.residuals);
	}
	NEAR(tsr_call(l.fn, TSR_LEAVES(mine, n), F64(ctx, 1, 1)), 0.75 + 3);
	tsr_drop_tree(TSR_LEAVES(mine, n));
}

static void backwards(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = F64(ctx, 0.5, -1, 2), *y = F64(ctx, 0.25, -0.75), *z, *jx, *jy, *dx, *dy;
	tsr_linearized l = tsr_vjp(TSR_OUT(&z), tsr_jit(ctx, bend), x, y);
	tsr_call_into(TSR_OUT(&jx, &jy), tsr_jacrev(ctx, bend, .wrt = D(0, 1)), x, y);
	for (int k = 0; k < 4; k++) {
		tsr *ct = tsr_reshape(F64(ctx, 1, k, -k, 2, 3, k), D(2, 3));
		tsr_call_into(TSR_OUT(&dx, &dy), l.fn, l.residuals, ct);
		tsr *row = tsr_reshape(ct, D(1, 6));
		ALIKE(dx, tsr_ravel(tsr_dot(row, tsr_reshape(jx, D(6, 3)))), 1e-14);
		ALIKE(dy, tsr_ravel(tsr_dot(row, tsr_reshape(jy, D(6, 2)))), 1e-14);
	}
}

TSR_TREE_TYPE(mixed_leaves, { tsr *number, *index, *none; });

static void index_and_scale(tsr_frame *frame)
{
	const mixed_leaves *m = TSR_TREE_OF(mixed_leaves, tsr_frame_tree(frame, 0));
	tsr *table = tsr_frame_arg(frame, 1), *which = tsr_frame_arg(frame, 2);
	tsr *row = tsr_dynamic_index(table, 0, m->index);
	tsr_return(frame, tsr_mul(row, m->number), tsr_add(which, m->index));
}

/* leaves of integers are absent on the linear side, an argument of nothing else has no place */
static void linear_parts_without_integers(void **state)
{
	tsr_ctx *ctx = *state;
	mixed_leaves m = {.number = tsr_scalar(ctx, 3.0, .dtype = TSR_F64),
	                  .index = tsr_scalar(ctx, 1)};
	mixed_leaves d = {.number = tsr_scalar(ctx, 10.0, .dtype = TSR_F64)}, g = m;
	tsr *table = tsr_reshape(F64(ctx, 1, 2, 5, 7), D(2, 2)), *y, *n, *dy, *dn = y = table;
	tsr_fn *f = tsr_jit(ctx, index_and_scale);
	tsr_linearized l = tsr_linearize(TSR_OUT(&y, &n), f, TSR_TREE(mixed_leaves, &m), table, 4);
	NEAR(y, 15, 21);
	NEAR(n, 5);
	tsr_call_into(TSR_OUT(&dy, &dn), l.fn, l.residuals, TSR_TREE(mixed_leaves, &d),
	              tsr_ones_like(table));
	NEAR(dy, 53, 73);
	assert_null(dn);
	l = tsr_vjp(TSR_OUT(&y, &n), f, TSR_TREE(mixed_leaves, &m), table, 4);
	tsr_call_into(TSR_OUT(TSR_TREE(mixed_leaves, &g), &dy), l.fn, l.residuals, F64(ctx, 1, 10));
	NEAR(g.number, 75);
	assert_null(g.index);
	assert_null(g.none);
	NEAR(dy, 0, 0, 3, 30);
}

static tsr *weights;
static tsr *weighted(tsr *x) { return tsr_mul(tsr_dot(weights, x), 2); }
static tsr *difference(tsr *x, tsr *y) { return tsr_sub(tsr_sum(x), tsr_mul(3, y)); }

static void transposed(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *captured[1] = {weights = tsr_reshape(F64(ctx, 1, 2, 3, 4, 5, 6), D(2, 3))}, *a, *b;
	tsr *x = F64(ctx, NAN, NAN, NAN); /* only its type counts */
	tsr_fn *f = tsr_jit(ctx, weighted, .captures = TSR_LEAVES(captured, 1));
	tsr_linearized l = tsr_linear_transpose(f, x);
	NEAR(tsr_call(l.fn, l.residuals, F64(ctx, 1, 0)), 2, 4, 6);
	NEAR(tsr_call(l.fn, l.residuals, F64(ctx, 1, 10)), 82, 104, 126);
	l = tsr_linear_transpose(tsr_jit(ctx, difference), x, tsr_index(x, 0, 0));
	tsr_call_into(TSR_OUT(&a, &b), l.fn, l.residuals, tsr_scalar(ctx, 2, .dtype = TSR_F64));
	NEAR(a, 2, 2, 2);
	NEAR(b, -6);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, near_open, near_close)
	const struct CMUnitTest tests[] = {
		TEST(of_one_argument),
		TEST(of_some_arguments),
		TEST(of_what_does_not_matter),
		TEST(through_integers),
		TEST(through_other_precisions),
		TEST(beside_the_loss),
		TEST(of_trees),
		TEST(of_lists_of_leaves),
		TEST(forward),
		TEST(forward_of_trees),
		TEST(jacobians),
		TEST(jacobians_of_trees),
		TEST(hessians),
		TEST(linearized),
		TEST(with_aux),
		TEST(kept),
		TEST(backwards),
		TEST(linear_parts_without_integers),
		TEST(transposed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
