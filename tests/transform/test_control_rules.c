/* test_control_rules.c - control flow under jvp, grad, hessian, vmap and their compositions,
 * against the same computation written out without it: at the same points, alone, in batches with
 * elements that go different ways, and on the devices of a mesh. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include "transform/twins.h"
#include <cmocka.h>

#define D TSR_DIMS
enum { N = 4, BATCH = 5, STEPS = 6 };

/* points of f64[N], of which some lie on one side of each condition below and some on the other */
static tsr *point(tsr_ctx *ctx, int k)
{
	double x[N];

	for (int i = 0; i < N; i++) x[i] = 0.3 * sin(1.7 * i + 2.1 * k) + 0.25 * cos(0.9 * k);
	return tsr_copy(tsr_from(ctx, x, TSR_F64, D(N)));
}
static tsr *points(tsr_ctx *ctx)
{
	tsr *x[BATCH];

	for (int k = 0; k < BATCH; k++) x[k] = point(ctx, k);
	return tsr_stack(0, x[0], x[1], x[2], x[3], x[4]);
}
static tsr *one(tsr *x, int64_t i) { return tsr_index(x, 0, i); }
static bool cast; /* in a checked map, numbers vary like what they meet */
static tsr *number(tsr *x, double v)
{
	tsr *y = tsr_full(x, D(), v, .dtype = TSR_F64);
	return cast ? tsr_pcast(y, "x") : y;
}

/* ---- computations, with control flow and without */

static tsr *outer; /* a value from outside of bodies */

/* a carry, slices, stacked results, a constant */
static void wave(tsr_frame *f)
{
	tsr *c = tsr_frame_arg(f, 0), *x = tsr_frame_arg(f, 1);
	tsr *next = tsr_add(tsr_mul(tsr_sin(c), tsr_exp(outer)), tsr_mul(x, tsr_cos(outer)));
	tsr_return(f, next, tsr_mul(next, tsr_mul(c, x)));
}
static tsr *scan_loop(tsr *x, bool reverse)
{
	tsr *c, *ys;
	outer = tsr_mul(tsr_sum(x), 0.5);
	tsr_scan_into(TSR_OUT(&c, &ys), wave, one(x, 0), x, .reverse = reverse);
	return tsr_add(c, tsr_sum(tsr_mul(ys, x)));
}
static tsr *scan_flat(tsr *x, bool reverse)
{
	tsr *c = one(x, 0), *total = number(x, 0);
	outer = tsr_mul(tsr_sum(x), 0.5);
	for (int k = 0; k < N; k++) {
		tsr *slice = one(x, reverse ? N - 1 - k : k);
		tsr *next = tsr_add(tsr_mul(tsr_sin(c), tsr_exp(outer)),
		                    tsr_mul(slice, tsr_cos(outer)));
		total = tsr_add(total, tsr_mul(tsr_mul(next, tsr_mul(c, slice)), slice));
		c = next;
	}
	return tsr_add(c, total);
}
static tsr *forward_loop(tsr *x) { return scan_loop(x, false); }
static tsr *forward_flat(tsr *x) { return scan_flat(x, false); }
static tsr *reverse_loop(tsr *x) { return scan_loop(x, true); }
static tsr *reverse_flat(tsr *x) { return scan_flat(x, true); }

/* a step that knows its number, on a whole array */
static tsr *count_step(tsr *i, tsr *c)
{
	return tsr_add(tsr_sin(c), tsr_mul(outer, tsr_astype(i, TSR_F64)));
}
static tsr *fori_loop(tsr *x)
{
	outer = tsr_square(x);
	return tsr_sum(tsr_fori(1, STEPS, count_step, x));
}
static tsr *fori_flat(tsr *x)
{
	tsr *c = x;
	for (int i = 1; i < STEPS; i++) c = tsr_add(tsr_sin(c), tsr_mul(tsr_square(x), (double)i));
	return tsr_sum(c);
}
static tsr *fori_dynamic(tsr *x)
{
	outer = tsr_square(x);
	return tsr_sum(tsr_fori(1, tsr_scalar(x, STEPS), count_step, x));
}

/* parts of the carry that move at once, later, never, and one that stops moving */
TSR_TREE_TYPE(parts, { tsr *moves, *later, *count, *fixed, *reset; });
static void parts_step(tsr_frame *f)
{
	const parts *p = TSR_TREE_OF(parts, tsr_frame_tree(f, 0));
	parts next = {.moves = tsr_mul(tsr_cos(p->moves), tsr_add(p->fixed, p->reset)),
	              .later = tsr_add(p->later, tsr_mul(p->moves, tsr_astype(p->count, TSR_F64))),
	              .count = tsr_add(p->count, 1),
	              .fixed = tsr_mul(p->fixed, 1.25),
	              .reset = number(p->reset, 0.75)};
	tsr_return(f, TSR_TREE(parts, &next));
}
static tsr *parts_loop(tsr *x)
{
	parts p = {.moves = one(x, 0),
	           .later = number(x, 0),
	           .count = tsr_scalar(x, 1),
	           .fixed = number(x, 0.5),
	           .reset = one(x, 1)};
	tsr_scan_into(TSR_OUT(TSR_TREE(parts, &p)), parts_step, TSR_TREE(parts, &p), TSR_NONE,
	              .length = STEPS);
	return tsr_add(tsr_mul(p.moves, p.later), tsr_mul(p.reset, one(x, 2)));
}
static tsr *parts_flat(tsr *x)
{
	tsr *moves = one(x, 0), *later = number(x, 0), *reset = one(x, 1);
	double fixed = 0.5;
	for (int k = 1; k <= STEPS; k++) {
		later = tsr_add(later, tsr_mul(moves, (double)k));
		moves = tsr_mul(tsr_cos(moves), tsr_add(reset, fixed));
		reset = number(x, 0.75);
		fixed *= 1.25;
	}
	return tsr_add(tsr_mul(moves, later), tsr_mul(reset, one(x, 2)));
}

/* branches with residuals of their own, one that is flat, one that gives an operand back */
static tsr *curved(tsr *x) { return tsr_mul(tsr_sin(tsr_mul(x, outer)), tsr_exp(x)); }
static tsr *level(tsr *x) { return tsr_mul(tsr_ones(x, D(N), .dtype = TSR_F64), 0.5); }
static tsr *same(tsr *x) { return x; }
static tsr *cond_loop(tsr *x)
{
	outer = tsr_sum(x);
	return tsr_sum(tsr_square(tsr_cond(tsr_gt(outer, 0.3), curved, same, x)));
}
static tsr *cond_flat(tsr *x)
{
	outer = tsr_sum(x);
	return tsr_sum(tsr_square(tsr_where(tsr_gt(outer, 0.3), curved(x), x)));
}
static tsr *third(tsr *x) { return tsr_astype(tsr_floor(tsr_mul(tsr_sum(x), 2)), TSR_I32); }
static tsr *switch_loop(tsr *x)
{
	outer = tsr_cos(one(x, 0));
	return tsr_sum(tsr_exp(tsr_switch(third(x), TSR_BRANCHES(same, level, curved), x)));
}
static tsr *switch_flat(tsr *x)
{
	outer = tsr_cos(one(x, 0));
	tsr *i = third(x);
	tsr *y = tsr_where(tsr_ge(i, 2), curved(x), tsr_where(tsr_le(i, 0), x, level(x)));
	return tsr_sum(tsr_exp(y));
}

/* a choice in each step, by the carry, and a scan in one of its branches */
static tsr *shrink(tsr *c, tsr *x) { return tsr_mul(tsr_sin(c), tsr_add(x, 0.5)); }
static tsr *by_scan(tsr *c) { return tsr_scan(shrink, c, outer); }
static tsr *by_square(tsr *c) { return tsr_sub(tsr_square(c), 0.7); }
static tsr *nested_step(tsr *c, tsr *x)
{
	return tsr_add(tsr_cond(tsr_gt(c, 0.2), by_scan, by_square, c), x);
}
static tsr *nested_loop(tsr *x)
{
	outer = tsr_mul(x, 2);
	return tsr_scan(nested_step, one(x, 1), x);
}
static tsr *nested_flat(tsr *x)
{
	tsr *c = one(x, 1);
	for (int k = 0; k < N; k++) {
		tsr *deep = c;
		for (int i = 0; i < N; i++) deep = shrink(deep, one(tsr_mul(x, 2), i));
		c = tsr_add(tsr_where(tsr_gt(c, 0.2), deep, by_square(c)), one(x, k));
	}
	return c;
}

static tsr *pair_product(tsr *a, tsr *b) { return tsr_mul(tsr_exp(a), b); }
static tsr *map_loop(tsr *x) { return tsr_sum(tsr_square(tsr_map(pair_product, x, tsr_cos(x)))); }
static tsr *map_flat(tsr *x) { return tsr_sum(tsr_square(pair_product(x, tsr_cos(x)))); }
static tsr *times(tsr *a, tsr *b) { return tsr_mul(a, b); }
static tsr *prefix_loop(tsr *x)
{
	return tsr_sum(tsr_mul(tsr_associative_scan(times, tsr_add(x, 1)), x));
}
static tsr *prefix_flat(tsr *x)
{
	tsr *p = tsr_add(one(x, 0), 1), *total = tsr_mul(p, one(x, 0));
	for (int k = 1; k < N; k++) {
		p = tsr_mul(p, tsr_add(one(x, k), 1));
		total = tsr_add(total, tsr_mul(p, one(x, k)));
	}
	return total;
}

/* a loop in which some of the carry is known without the rest, and the number of steps depends on
 * the values */
static tsr *while_below(tsr *i, tsr *c)
{
	(void)c;
	return tsr_lt(tsr_mul(tsr_astype(i, TSR_F64), 0.25), tsr_add(outer, 1));
}
static void while_step(tsr_frame *f)
{
	tsr *i = tsr_frame_arg(f, 0), *c = tsr_frame_arg(f, 1);
	tsr_return(f, tsr_add(i, 1), tsr_mul(tsr_cos(c), tsr_add(outer, 0.5)));
}
static tsr *while_loop(tsr *x)
{
	tsr *i, *c;
	outer = tsr_sum(x);
	tsr_while_into(TSR_OUT(&i, &c), while_below, while_step, 0, x);
	return tsr_add(tsr_sum(c), tsr_mul(tsr_astype(i, TSR_F64), one(x, 3)));
}
static tsr *while_flat(tsr *x) /* runs at most 12 steps at the points used */
{
	tsr *c = x, *n = number(x, 0);
	outer = tsr_sum(x);
	for (int i = 0; i < 12; i++) {
		tsr *goes_on = tsr_lt(number(x, 0.25 * i), tsr_add(outer, 1));
		c = tsr_where(goes_on, tsr_mul(tsr_cos(c), tsr_add(outer, 0.5)), c);
		n = tsr_where(goes_on, number(x, i + 1.), n);
	}
	return tsr_add(tsr_sum(c), tsr_mul(n, one(x, 3)));
}

typedef struct twin {
	const char *name;
	body loop, flat;
	bool forward_only;
} twin;
static const twin twins[] = {
	{"scan", forward_loop, forward_flat, false},
	{"reverse", reverse_loop, reverse_flat, false},
	{"fori", fori_loop, fori_flat, false},
	{"parts", parts_loop, parts_flat, false},
	{"cond", cond_loop, cond_flat, false},
	{"switch", switch_loop, switch_flat, false},
	{"nested", nested_loop, nested_flat, false},
	{"map", map_loop, map_flat, false},
	{"associative_scan", prefix_loop, prefix_flat, false},
	{"while", while_loop, while_flat, true},
	{"fori_dynamic", fori_dynamic, fori_flat, true},
};

/* ---- comparing */

/* what a transformation makes of the loop and of the flat computation is the same */
#define AGREE(what, f, x) \
	assert_true(close_to(what, t->name, tsr_call((f)(ctx, t->loop), x), \
	                     tsr_call((f)(ctx, t->flat), x)))
static tsr_fn *batched(tsr_ctx *ctx, body f) { return tsr_vmap(ctx, f); }
static tsr_fn *batch_of_grad(tsr_ctx *ctx, body f) { return tsr_vmap(ctx, tsr_grad(ctx, f)); }
static tsr_fn *batch_of_forward(tsr_ctx *ctx, body f) { return tsr_vmap(ctx, tsr_jacfwd(ctx, f)); }
static tsr_fn *batch_of_curvature(tsr_ctx *ctx, body f)
{
	return tsr_vmap(ctx, tsr_hessian(ctx, f));
}

#define EACH_TWIN(t) for (const twin *t = twins; t < twins + sizeof twins / sizeof *twins; t++)

static void derivatives(void **state)
{
	tsr_ctx *ctx = tsr_open();

	(void)state;
	EACH_TWIN(t)
	for (int k = 0; k < BATCH; k++) {
		TSR_SCOPE(ctx);
		tsr *x = point(ctx, k);
		AGREE("value", plain, x);
		AGREE("jvp", forward, x);
		AGREE("jvp of jvp", forward_twice, x);
		if (t->forward_only) continue;
		AGREE("grad", gradient, x);
		AGREE("hessian", curvature, x);
		AGREE("grad of grad", reverse_twice, x);
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void batches(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *x = points(ctx);

	(void)state;
	EACH_TWIN(t)
	{
		TSR_SCOPE(ctx);
		AGREE("vmap", batched, x);
		AGREE("vmap of jvp", batch_of_forward, x);
		if (t->forward_only) continue;
		AGREE("vmap of grad", batch_of_grad, x);
		AGREE("vmap of hessian", batch_of_curvature, x);
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* derivatives of batches: of the sum over all elements */
static body of_each;
static tsr *sum_over_batch(tsr *x) { return tsr_sum(tsr_call(tsr_vmap(x, of_each), x)); }
static tsr *sum_of_nested_batches(tsr *x)
{
	tsr_fn *f = tsr_vmap(x, tsr_vmap(x, of_each));
	return tsr_sum(tsr_call(f, tsr_stack(0, x, tsr_mul(x, 0.5))));
}

static void derivatives_of_batches(void **state)
{
	(void)state;
	EACH_TWIN(t)
	for (int nested = 0; nested < 2; nested++) {
		const body total = nested ? sum_of_nested_batches : sum_over_batch;
		tsr *y[2][2];
		tsr_ctx *ctx[2];
		for (int flat = 0; flat < 2; flat++) {
			tsr_ctx *c = ctx[flat] = tsr_open();
			tsr *x = points(c);
			of_each = flat ? t->flat : t->loop;
			y[flat][0] = tsr_call(tsr_jacfwd(c, total), x);
			y[flat][1] = t->forward_only ? y[flat][0] : tsr_call(tsr_grad(c, total), x);
		}
		for (int k = 0; k < 2; k++) {
			double got[BATCH * N], want[BATCH * N];
			assert_true(tsr_read(y[0][k], got, sizeof got));
			assert_true(tsr_read(y[1][k], want, sizeof want));
			for (int i = 0; i < BATCH * N; i++)
				assert_true(fabs(got[i] - want[i]) < 1e-11);
		}
		for (int flat = 0; flat < 2; flat++) assert_int_equal(tsr_close(ctx[flat]), TSR_OK);
	}
}

/* ---- on a mesh: x and the result are whole, and what happens to a block is told by the body */

static tsr_mesh *mesh;
static bool unchecked;
static body on_block;
static tsr *block_and_sum(tsr *x) { return tsr_psum(on_block(x), "x"); }
static tsr *mapped(tsr *x)
{
	tsr_fn *f = tsr_shard_map(mesh, block_and_sum, .sig = "[x] -> []", .unchecked = unchecked);
	return tsr_call(f, x);
}
static tsr *block_after_block(tsr *x)
{
	tsr *total = number(x, 0);
	for (int k = 0; k < 3; k++)
		total = tsr_add(total, on_block(tsr_slice(x, 0, k * N, (k + 1) * N)));
	return total;
}
static tsr *three_blocks(tsr_ctx *ctx)
{
	return tsr_concatenate(0, point(ctx, 0), point(ctx, 1), point(ctx, 3));
}

static void on_devices(void **state)
{
	(void)state;
	EACH_TWIN(t)
	for (int turn = 0; turn < 2; turn++) {
		tsr_ctx *ctx = tsr_open(.devices = 3);
		tsr *x = three_blocks(ctx), *want[3];
		on_block = t->flat;
		want[0] = block_after_block(x);
		want[1] = tsr_call(tsr_jacfwd(ctx, block_after_block), x);
		want[2] = tsr_call(tsr_hessian(ctx, block_after_block), x);
		on_block = t->loop;
		mesh = tsr_mesh_make(ctx, {"x", 3});
		unchecked = turn;
		cast = !unchecked;
		assert_true(close_to("map", t->name, mapped(x), want[0]));
		tsr *y = tsr_call(tsr_jacfwd(ctx, mapped), x);
		assert_true(close_to("jvp of map", t->name, y, want[1]));
		if (!t->forward_only) {
			y = tsr_call(tsr_grad(ctx, mapped), x);
			assert_true(close_to("grad of map", t->name, y, want[1]));
			y = tsr_call(tsr_hessian(ctx, mapped), x);
			assert_true(close_to("hessian of map", t->name, y, want[2]));
		}
		cast = false;
		assert_int_equal(tsr_close(ctx), TSR_OK);
	}
}

/* weights that all devices share reach a branch that only some enter, and a loop with exchanges */
static tsr *weighted(tsr *x) { return tsr_mul(tsr_sin(x), outer); }
static tsr *own_way(tsr *x, tsr *w)
{
	outer = w;
	tsr *first = tsr_lt(tsr_axis_index(x, "x"), 2);
	return tsr_psum(tsr_sum(tsr_cond(first, weighted, same, x)), "x");
}
static tsr *pass_on(tsr *c) { return tsr_mul(tsr_ppermute(tsr_sin(c), "x", TSR_SHIFT(1)), outer); }
static tsr *around(tsr *x, tsr *w)
{
	outer = tsr_pcast(w, "x");
	return tsr_psum(tsr_sum(tsr_scan(pass_on, x, TSR_NONE, .length = 4)), "x");
}
static tsr *own_way_flat(tsr *x, tsr *w)
{
	tsr *in = tsr_slice(x, 0, 0, 2 * N), *out = tsr_slice(x, 0, 2 * N, TSR_END);
	tsr *twice = tsr_concatenate(0, w, w);
	return tsr_add(tsr_sum(tsr_mul(tsr_sin(in), twice)), tsr_sum(out));
}
static tsr *around_flat(tsr *x, tsr *w)
{
	tsr *c = tsr_reshape(x, D(3, N));
	for (int k = 0; k < 4; k++) {
		tsr *s = tsr_sin(c);
		s = tsr_concatenate(0, tsr_slice(s, 0, 2, 3), tsr_slice(s, 0, 0, 2));
		c = tsr_mul(s, tsr_broadcast_to(w, D(3, N)));
	}
	return tsr_sum(c);
}

static void shared_weights(void **state)
{
	typedef tsr *(*two)(tsr *, tsr *);
	const struct {
		two map, flat;
	} cases[] = {{own_way, own_way_flat}, {around, around_flat}};

	(void)state;
	for (int k = 0; k < 2; k++) {
		tsr_ctx *ctx = tsr_open(.devices = 3);
		tsr *x = three_blocks(ctx), *w = tsr_add(point(ctx, 2), 1), *got[3], *want[3];
		mesh = tsr_mesh_make(ctx, {"x", 3});
		tsr_fn *f = tsr_shard_map(mesh, cases[k].map, .sig = "[x] [] -> []");
		tsr_fn *g = tsr_jit(ctx, cases[k].flat);
		tsr_call_into(TSR_OUT(&got[0], &got[1], &got[2]),
		              tsr_value_and_grad(ctx, f, .wrt = D(0, 1)), x, w);
		tsr_call_into(TSR_OUT(&want[0], &want[1], &want[2]),
		              tsr_value_and_grad(ctx, g, .wrt = D(0, 1)), x, w);
		for (int i = 0; i < 3; i++)
			assert_true(close_to("grad", k ? "around" : "own_way", got[i], want[i]));
		assert_int_equal(tsr_close(ctx), TSR_OK);
	}
}

/* ---- what only control flow has to take care of */

/* the derivative of a branch at elements that do not take it does not count, even where it is
 * infinite */
static tsr *root(tsr *x) { return tsr_sqrt(x); }
static tsr *nothing(tsr *x) { return tsr_mul(x, 0); }
static tsr *guarded_root(tsr *x) { return tsr_cond(tsr_gt(x, 0), root, nothing, x); }
static tsr *sum_of_roots(tsr *x) { return tsr_sum(tsr_call(tsr_vmap(x, guarded_root), x)); }

static void other_branches_do_not_count(void **state)
{
	tsr_ctx *ctx = tsr_open();
	const double x[] = {4, 0, -1, 0.25}, want[] = {0.25, 0, 0, 1};
	double got[4];

	(void)state;
	tsr *y = tsr_call(tsr_grad(ctx, sum_of_roots), tsr_from(ctx, x, TSR_F64, D(4)));
	assert_true(tsr_read(y, got, sizeof got));
	for (int i = 0; i < 4; i++) assert_true(got[i] == want[i]);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static tsr *frozen(tsr *x) { return tsr_mul(x, tsr_stop_gradient(tsr_mul(x, 3))); }
static void stopped_gradients(void **state)
{
	tsr_ctx *ctx = tsr_open();

	(void)state;
	assert_true(tsr_item(tsr_call(tsr_grad(ctx, frozen), 2.f)) == 6);
	assert_true(tsr_item(tsr_call(tsr_jacfwd(ctx, frozen), 2.f)) == 6);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* loops without steps pass their carry on */
static tsr *no_steps(tsr *x)
{
	return tsr_mul(tsr_scan(shrink, tsr_sum(x), tsr_slice(x, 0, 0, 0)), 3);
}

static void gradients_of_no_steps(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *x = point(ctx, 0);

	(void)state;
	assert_true(tsr_array_equal(tsr_call(tsr_grad(ctx, no_steps), x),
	                            tsr_full(x, D(N), 3., .dtype = TSR_F64)));
	assert_true(tsr_item(tsr_sum(tsr_call(tsr_hessian(ctx, no_steps), x))) == 0);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* where the batch has a name, elements that have stopped still take part in exchanges; the values
 * are those of JAX */
static tsr *all_below_100(tsr *x) { return tsr_lt(tsr_psum(x, "i"), 100); }
static tsr *below_20(tsr *x) { return tsr_lt(x, 20); }
static tsr *twice(tsr *x) { return tsr_mul(x, 2); }
static tsr *twice_and_mean(tsr *x) { return tsr_add(tsr_mul(x, 2), tsr_pmean(x, "i")); }
static tsr *one_loop_for_all(tsr *x) { return tsr_while(all_below_100, twice, x); }
static tsr *each_its_loop(tsr *x) { return tsr_while(below_20, twice_and_mean, x); }

static void named_batches_of_loops(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *x = tsr_arange(ctx, 3, .start = 1, .dtype = TSR_F32);
	float got[2][3];

	(void)state;
	assert_true(tsr_read(tsr_call(tsr_vmap(ctx, one_loop_for_all, .axis = "i"), x), got[0],
	                     sizeof got[0]));
	assert_true(tsr_read(tsr_call(tsr_vmap(ctx, each_its_loop, .axis = "i"), x), got[1],
	                     sizeof got[1]));
	assert_memory_equal(got, ((float[2][3]){{32, 64, 96}, {46, 54, 22}}), sizeof got);
	assert_int_equal(
		tsr_size(tsr_call(tsr_vmap(ctx, each_its_loop, .axis = "i"), tsr_zeros(ctx, D(0)))),
		0);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* a linear loop that counts its steps */
static tsr *weigh(tsr *i, tsr *sum) { return tsr_add(sum, tsr_mul(outer, tsr_astype(i, TSR_F64))); }
static tsr *linear_loop(tsr *x) /* 0 x + 1 x + .. + 4 x */
{
	outer = x;
	return tsr_fori(0, 5, weigh, tsr_zeros(x, D(N), .dtype = TSR_F64));
}

static void linear_transpose_of_a_loop(void **state)
{
	tsr_ctx *ctx = tsr_open();

	(void)state;
	tsr_linearized l = tsr_linear_transpose(tsr_jit(ctx, linear_loop), point(ctx, 0));
	tsr *ct = point(ctx, 1);
	assert_true(tsr_allclose(tsr_call(l.fn, l.residuals, ct), tsr_mul(ct, 10), 1e-14, 0));
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* a loop of ten thousand steps has a gradient of as many equations as one of ten, and what is the
 * same in each step is not stacked */
static int length;
static tsr *decay(tsr *c) { return tsr_mul(tsr_sin(c), tsr_exp(outer)); }
static tsr *long_loop(tsr *x)
{
	outer = tsr_mul(x, 0.01);
	return tsr_sum(tsr_scan(decay, x, TSR_NONE, .length = length));
}
static int lines_of(const char *text)
{
	int n = 0;

	for (; *text; text++) n += *text == '\n';
	return n;
}

static void ten_thousand_steps(void **state)
{
	tsr_ctx *ctx = tsr_open();
	int lines[2];

	(void)state;
	for (int k = 0; k < 2; k++) {
		tsr *x = point(ctx, 2);
		length = k ? 10000 : 10;
		const struct {
			int length;
		} env = {length};
		tsr_fn *f = tsr_grad(ctx, long_loop, TSR_ENV(&env));
		const char *text = tsr_fn_text(f, x);
		lines[k] = lines_of(text);
		const char *stack = k ? "f64[10000,4]" : "f64[10,4]";
		int stacked = 0;
		for (const char *at = text; (at = strstr(at, stack)); at++) stacked++;
		assert_int_equal(stacked, 2); /* cos(c) e^w and sin(c), once each */
		tsr *g = tsr_call(f, x);
		assert_true(isfinite(tsr_item(tsr_sum(g))));
	}
	assert_int_equal(lines[0], lines[1]);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(derivatives),
		cmocka_unit_test(batches),
		cmocka_unit_test(derivatives_of_batches),
		cmocka_unit_test(on_devices),
		cmocka_unit_test(shared_weights),
		cmocka_unit_test(other_branches_do_not_count),
		cmocka_unit_test(stopped_gradients),
		cmocka_unit_test(gradients_of_no_steps),
		cmocka_unit_test(named_batches_of_loops),
		cmocka_unit_test(linear_transpose_of_a_loop),
		cmocka_unit_test(ten_thousand_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
