/* test_vmap.c - batches: mapped dims of arguments, of their leaves and of results, sizes, captures,
 * and batches of batches. Each is compared with the body on one element after the other. */
#include "support/near.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#define D TSR_DIMS

/* f64 0.5, 1.5, ... of these dims */
static tsr *range(tsr_ctx *ctx, tsr_dims dims)
{
	int64_t n = 1;
	for (int d = 1; d < dims.d[0]; d++) n *= dims.d[d];
	return tsr_reshape(tsr_arange(ctx, n, .start = 0.5, .dtype = TSR_F64), dims);
}

/* element i of what is mapped along a dim, negative from the end; x itself if it is not mapped */
static tsr *element(tsr *x, int dim, int64_t i)
{
	return dim == TSR_UNMAPPED ? x : tsr_index(x, dim, i);
}

/* ---- dims of arguments and results */

static tsr *affine(tsr *a, tsr *b) /* f64[2,3], f64[3] -> f64[2,3] */
{
	return tsr_add(tsr_mul(a, 10), tsr_sin(b));
}

/* affine on 4 elements, with the batch in these dims */
static void check_dims(tsr_ctx *ctx, int a_dim, int b_dim, int out_dim)
{
	const int64_t a_dims[] = {2, 3}, b_dims[] = {3};
	tsr_dims da = TSR_DIMS(), db = TSR_DIMS();
	const int at = a_dim < 0 ? a_dim + 3 : a_dim, bt = b_dim < 0 ? b_dim + 2 : b_dim;
	for (int d = 0; d < 3; d++)
		if (a_dim == TSR_UNMAPPED ? d < 2 : 1)
			da.d[da.d[0]++] =
				d == at ? 4 : a_dims[d - (a_dim != TSR_UNMAPPED && d > at)];
	for (int d = 0; d < 2; d++)
		if (b_dim == TSR_UNMAPPED ? d < 1 : 1)
			db.d[db.d[0]++] =
				d == bt ? 4 : b_dims[d - (b_dim != TSR_UNMAPPED && d > bt)];
	tsr *a = range(ctx, da), *b = range(ctx, db), *one[4];
	for (int i = 0; i < 4; i++) one[i] = affine(element(a, a_dim, i), element(b, b_dim, i));
	tsr_fn *f =
		tsr_vmap(ctx, affine, .in = TSR_MAPPED(a_dim, b_dim), .out = TSR_MAPPED(out_dim));
	tsr *want = tsr_stack(out_dim, one[0], one[1], one[2], one[3]);
	SAME(tsr_call(f, a, b), want);
	SAME(tsr_call(tsr_jit(ctx, f), a, b), want);
}

static void all_dims(void **state)
{
	const int a_dims[] = {0, 1, 2, -1, -2, -3, TSR_UNMAPPED};
	const int b_dims[] = {0, 1, -1, -2, TSR_UNMAPPED};
	for (size_t i = 0; i < 7; i++)
		for (size_t k = 0; k < 5; k++)
			for (int out = -3; out < 3; out++)
				if (a_dims[i] != TSR_UNMAPPED || b_dims[k] != TSR_UNMAPPED)
					check_dims(*state, a_dims[i], b_dims[k], out);
}

static void dim_0_when_not_given(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *a = range(ctx, D(4, 2, 3)), *b = range(ctx, D(4, 3));
	SAME(tsr_call(tsr_vmap(ctx, affine), a, b),
	     tsr_call(tsr_vmap(ctx, affine, .in = TSR_MAPPED(0, 0), .out = TSR_MAPPED(0)), a, b));
	/* public functions are bodies too */
	SAME(tsr_call(tsr_vmap(ctx, tsr_dot), b, b), tsr_sum(tsr_square(b), .dims = D(1)));
}

/* ---- trees */

TSR_TREE_TYPE(dense, { tsr *w, *b; });
TSR_TREE_TYPE(pair, { dense up, down; });

static tsr *apply(const dense *l, tsr *x)
{
	tsr *y = tsr_dot(x, l->w);
	return l->b ? tsr_add(y, l->b) : y;
}

static tsr *ensemble(tsr_tree params, tsr *x)
{
	const pair *p = TSR_TREE_OF(pair, params);
	return apply(&p->down, tsr_tanh(apply(&p->up, x)));
}

static void by_leaf(void **state)
{
	tsr_ctx *ctx = *state;
	/* up.w along its last dim, up.b not at all, down.w along dim 1; down.b is absent */
	const int dims[] = {-1, TSR_UNMAPPED, 1, 0};
	pair p = {.up = {.w = range(ctx, D(3, 2, 4)), .b = range(ctx, D(2))},
	          .down.w = range(ctx, D(2, 4, 2))};
	tsr *x = tsr_div(range(ctx, D(3)), 100), *one[4];
	for (int i = 0; i < 4; i++) {
		pair e = {.up = {.w = tsr_index(p.up.w, 2, i), .b = p.up.b},
		          .down.w = tsr_index(p.down.w, 1, i)};
		one[i] = ensemble(TSR_TREE(pair, &e), x);
	}
	tsr *want = tsr_stack(0, one[0], one[1], one[2], one[3]);
	tsr_fn *f =
		tsr_vmap(ctx, ensemble, .in = {TSR_FOR_EACH(dims), TSR_MAPPED_ALL(TSR_UNMAPPED)});
	SAME(tsr_call(f, TSR_TREE(pair, &p), x), want);
	/* one dim for all leaves of a tree, another argument not mapped */
	pair q = {.up = {.w = range(ctx, D(4, 3, 2)), .b = range(ctx, D(4, 2))},
	          .down.w = range(ctx, D(4, 2, 2))};
	for (int i = 0; i < 4; i++) {
		pair e = {.up = {.w = tsr_index(q.up.w, 0, i), .b = tsr_index(q.up.b, 0, i)},
		          .down.w = tsr_index(q.down.w, 0, i)};
		one[i] = ensemble(TSR_TREE(pair, &e), x);
	}
	SAME(tsr_call(tsr_vmap(ctx, ensemble, .in = TSR_MAPPED(0, TSR_UNMAPPED)),
	              TSR_TREE(pair, &q), x),
	     tsr_stack(0, one[0], one[1], one[2], one[3]));
}

static void pair_and_sum(tsr_frame *frame)
{
	tsr *x = tsr_frame_arg(frame, 0), *y = tsr_frame_arg(frame, 1);
	dense d = {.w = tsr_mul(x, y), .b = tsr_add(y, 1)};
	tsr_return(frame, TSR_TREE(dense, &d), tsr_sum(x));
}

/* x: f64[2] of each element, y the same for all */
static void results_by_leaf(void **state)
{
	tsr_ctx *ctx = *state;
	const int dims[] = {1, TSR_UNMAPPED}, absent[] = {0, 1};
	tsr *x = range(ctx, D(3, 2)), *y = range(ctx, D(2)), *s;
	dense d = {0};
	tsr_fn *f = tsr_vmap(ctx, pair_and_sum, .in = TSR_MAPPED(0, TSR_UNMAPPED),
	                     .out = {TSR_FOR_EACH(dims), TSR_MAPPED_ALL(-1)});
	tsr_call_into(TSR_OUT(TSR_TREE(dense, &d), &s), f, x, y);
	SAME(d.w, tsr_t(tsr_mul(x, y)));
	SAME(d.b, tsr_add(y, 1));
	SAME(s, tsr_sum(x, .dims = D(1)));
	/* what does not depend on the batch is repeated where a dim is asked for */
	f = tsr_vmap(ctx, pair_and_sum, .in = TSR_MAPPED(0, TSR_UNMAPPED),
	             .out = {TSR_FOR_EACH(absent), TSR_MAPPED_ALL(0)});
	tsr_call_into(TSR_OUT(TSR_TREE(dense, &d), &s), f, x, y);
	SAME(d.b, tsr_t(tsr_stack(0, tsr_add(y, 1), tsr_add(y, 1), tsr_add(y, 1))));
}

/* ---- sizes */

static tsr *half(tsr *x) { return tsr_mul(x, 0.5); }
static tsr *seven(tsr_ctx *ctx) { return tsr_scalar(ctx, 7); }

static void sizes(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = range(ctx, D(2));
	tsr_fn *f = tsr_vmap(ctx, half, .in = TSR_MAPPED(TSR_UNMAPPED), .axis_size = 3);
	SAME(tsr_call(f, x), tsr_mul(tsr_stack(0, x, x, x), 0.5));
	f = tsr_vmap(ctx, half, .in = TSR_MAPPED(TSR_UNMAPPED), .out = TSR_MAPPED(TSR_UNMAPPED),
	             .axis_size = 3);
	SAME(tsr_call(f, x), tsr_mul(x, 0.5));
	f = tsr_vmap(ctx, half, .axis_size = 2); /* agrees with what is mapped */
	SAME(tsr_call(f, x), tsr_mul(x, 0.5));
	NEAR(tsr_call(tsr_vmap(ctx, seven, .axis_size = 4)), 7, 7, 7, 7);
}

static tsr *row_sum(tsr *a, tsr *b) { return tsr_sum(tsr_sin(tsr_mul(a, b))); }

static void of_none_and_of_one(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_fn *f = tsr_vmap(ctx, row_sum, .in = TSR_MAPPED(0, TSR_UNMAPPED));
	tsr *b = range(ctx, D(3));
	SHAPE(tsr_call(f, range(ctx, D(0, 3)), b), 0);
	tsr *one = tsr_call(f, range(ctx, D(1, 3)), b);
	SHAPE(one, 1);
	SAME(tsr_index(one, 0, 0), row_sum(range(ctx, D(3)), b));
	tsr_fn *g = tsr_vmap(ctx, tsr_grad(ctx, row_sum), .in = TSR_MAPPED(0, TSR_UNMAPPED));
	SHAPE(tsr_call(g, range(ctx, D(0, 3)), b), 0, 3);
	SHAPE(tsr_call(tsr_vmap(ctx, tsr_vmap(ctx, half)), range(ctx, D(2, 0))), 2, 0);
	SHAPE(tsr_call(tsr_vmap(ctx, tsr_vmap(ctx, half)), range(ctx, D(0, 2))), 0, 2);
}

/* ---- nested */

static void of_batches(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *a = range(ctx, D(4, 3)), *b = range(ctx, D(5, 3)), *want = tsr_dot(a, tsr_t(b));
	tsr_fn *rows = tsr_vmap(ctx, tsr_dot, .in = TSR_MAPPED(TSR_UNMAPPED, 0));
	ALIKE(tsr_call(tsr_vmap(ctx, rows, .in = TSR_MAPPED(0, TSR_UNMAPPED)), a, b), want, 1e-15);
	ALIKE(tsr_call(tsr_vmap(ctx, rows, .in = TSR_MAPPED(0, TSR_UNMAPPED), .out = TSR_MAPPED(1)),
	               a, b),
	      tsr_t(want), 1e-15);
	/* three deep: one number at a time */
	tsr_fn *f = tsr_vmap(ctx, tsr_vmap(ctx, tsr_vmap(ctx, tsr_sin), .in = TSR_MAPPED(1)),
	                     .in = TSR_MAPPED(-1), .out = TSR_MAPPED(2));
	tsr *x = range(ctx, D(2, 3, 4)); /* mapped: dim 2, then dim 1 of the rest, then dim 0 */
	SAME(tsr_call(f, x), tsr_transpose(tsr_sin(x), .perm = D(1, 0, 2)));
}

/* ---- captures, and values from the trace around */

static tsr *outside;
static tsr *plus_outside(tsr *x) { return tsr_add(x, outside); }

static tsr *sums_with(tsr *x) /* f64[3] -> f64[3,3]: x[i] + x */
{
	outside = x;
	return tsr_call(tsr_vmap(x, plus_outside), x);
}

static tsr *sum_of_sums(tsr *x) { return tsr_sum(tsr_call(tsr_jit(x, sums_with), x)); }

static void captured(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *slot[1] = {outside = range(ctx, D(2))}, *x = range(ctx, D(3));
	tsr_fn *f = tsr_vmap(ctx, plus_outside, .captures = TSR_LEAVES(slot, 1));
	tsr *column = tsr_expand_dims(x, D(1));
	SAME(tsr_call(f, x), tsr_add(column, slot[0]));
	outside = slot[0] = tsr_neg(slot[0]); /* read afresh */
	SAME(tsr_call(f, x), tsr_add(column, slot[0]));
	SAME(tsr_call(tsr_jit(ctx, sums_with), x), tsr_add(column, x));
	SAME(sums_with(x), tsr_add(column, x));
	/* what is lifted is itself mapped by a batch around */
	tsr *y = range(ctx, D(2, 3));
	tsr *want = tsr_stack(0, sums_with(tsr_index(y, 0, 0)), sums_with(tsr_index(y, 0, 1)));
	SAME(tsr_call(tsr_vmap(ctx, sums_with), y), want);
	NEAR(tsr_call(tsr_grad(ctx, sum_of_sums), x), 6, 6, 6);
}

/* ---- what does not depend on the batch is computed once */

static tsr *once(tsr *x, tsr *w) { return tsr_add(x, tsr_exp(w)); }

static void unmapped_parts(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_fn *f = tsr_vmap(ctx, once, .in = TSR_MAPPED(0, TSR_UNMAPPED));
	tsr *x = range(ctx, D(5, 2)), *w = range(ctx, D(2));
	const char *text = tsr_fn_text(f, x, w);
	assert_non_null(strstr(text, "f64[2] = exp"));
	assert_null(strstr(text, "f64[5,2] = exp"));
	SAME(tsr_call(f, x, w), tsr_add(x, tsr_exp(w)));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, near_open, near_close)
	const struct CMUnitTest tests[] = {
		TEST(all_dims),       TEST(dim_0_when_not_given),
		TEST(by_leaf),        TEST(results_by_leaf),
		TEST(sizes),          TEST(of_none_and_of_one),
		TEST(of_batches),     TEST(captured),
		TEST(unmapped_parts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
