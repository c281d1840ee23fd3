/* test_derive_cost.c - the cost of derivatives: fns are interned, bodies run once a type, a
 * gradient has at most four times the equations of its loss, tracing takes time in proportion to
 * them, loops take time in proportion to their steps, values repeated in a map are summed before
 * they move, and calls leave no memory behind. */
#include "support/equations.h"
#include "support/near.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <cmocka.h>
#define D TSR_DIMS

static tsr *cubes(tsr *x) { return tsr_sum(tsr_integer_pow(x, 3)); }
static tsr *product(tsr *x, tsr *y) { return tsr_sum(tsr_mul(x, y)); }

/* ---- interned fns, and how often their bodies run */

static void interned(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_fn *g = tsr_grad(ctx, cubes), *j = tsr_jit(ctx, cubes);
	for (int k = 0; k < 3; k++) {
		assert_ptr_equal(tsr_grad(ctx, cubes), g);
		assert_ptr_equal(tsr_grad(ctx, j), tsr_grad(ctx, j));
		assert_ptr_equal(tsr_hessian(ctx, cubes), tsr_hessian(ctx, cubes));
		assert_ptr_equal(tsr_vmap(ctx, product, .in = TSR_MAPPED(0, TSR_UNMAPPED)),
		                 tsr_vmap(ctx, product, .in = TSR_MAPPED(0, TSR_UNMAPPED)));
	}
	assert_ptr_equal(tsr_grad(ctx, product, .wrt = D(1)), tsr_grad(ctx, product, .wrt = D(1)));
	/* what makes them different */
	tsr_fn *const all[] = {
		g,
		tsr_grad(ctx, j),
		tsr_value_and_grad(ctx, cubes),
		tsr_jvp(ctx, cubes),
		tsr_jacfwd(ctx, cubes),
		tsr_jacrev(ctx, cubes),
		tsr_hessian(ctx, cubes),
		tsr_grad(ctx, cubes, .has_aux = true),
		tsr_grad(ctx, cubes, .name = "other"),
		tsr_grad(ctx, product),
		tsr_grad(ctx, product, .wrt = D(1)),
		tsr_grad(ctx, product, .wrt = D(0, 1)),
		tsr_grad(ctx, product, .wrt = D(1, 0)),
		tsr_vmap(ctx, cubes),
		tsr_vmap(ctx, cubes, .axis = "i"),
		tsr_vmap(ctx, cubes, .axis_size = 2),
		tsr_vmap(ctx, cubes, .in = TSR_MAPPED(1)),
		tsr_vmap(ctx, cubes, .out = TSR_MAPPED(0)),
		tsr_vmap(ctx, cubes, .spmd_axis = "i"),
	};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		for (size_t k = 0; k < i; k++)
			if (all[i] == all[k]) fail_msg("fns %zu and %zu are the same", i, k);
}

static int runs;
static tsr *counted(tsr *x)
{
	runs++;
	return cubes(x);
}

static void traced_once(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = F64(ctx, 1, 2), *y, *dx;
	runs = 0;
	for (int k = 0; k < 5; k++) {
		tsr_fn *g = tsr_grad(ctx, counted);
		NEAR(tsr_call(g, x), 3, 12);
		assert_int_equal(tsr_fn_stats(g).calls, k + 1);
		assert_int_equal(tsr_fn_stats(g).traces, 1);
	}
	assert_int_equal(runs, 1);
	tsr_call(tsr_grad(ctx, counted), tsr_ones(ctx, D(3))); /* another type */
	assert_int_equal(runs, 2);
	assert_int_equal(tsr_fn_stats(tsr_grad(ctx, counted)).traces, 2);
	/* transformations of a jitted fn share its tracing */
	tsr_fn *f = tsr_jit(ctx, counted);
	runs = 0;
	for (int k = 0; k < 3; k++) {
		tsr_call(f, x);
		tsr_call(tsr_grad(ctx, f), x);
		tsr_call_into(TSR_OUT(&y, &dx), tsr_value_and_grad(ctx, f), x);
		tsr_call(tsr_hessian(ctx, f), x);
		tsr_call_into(TSR_OUT(&y, &dx), tsr_jvp(ctx, f), x, x);
		tsr_linearized l = tsr_vjp(TSR_OUT(&y), f, x);
		tsr_call(l.fn, l.residuals, y);
	}
	assert_int_equal(runs, 1);
	assert_int_equal(tsr_fn_stats(f).traces, 1);
}

/* ---- equations */

TSR_TREE_TYPE(dense, { tsr *w, *b; });
TSR_TREE_TYPE(mlp, { dense layer[6]; });

static tsr *mlp_loss(tsr_tree params, tsr *x, tsr *targets)
{
	const mlp *p = TSR_TREE_OF(mlp, params);
	tsr *y = x;
	for (int i = 0; i < 6; i++) {
		y = tsr_add(tsr_dot(x, p->layer[i].w), p->layer[i].b);
		x = tsr_relu(y);
	}
	tsr *error = tsr_sum(tsr_square(tsr_sub(y, targets)), .dims = D(-1));
	return tsr_mean(error);
}

static void of_six_layers(void **state)
{
	tsr_ctx *ctx = *state;
	mlp p;
	for (int i = 0; i < 6; i++)
		p.layer[i] = (dense){.w = tsr_ones(ctx, D(i ? 16 : 24, i < 5 ? 16 : 8)),
		                     .b = tsr_ones(ctx, D(i < 5 ? 16 : 8))};
	tsr *x = tsr_ones(ctx, D(32, 24)), *t = tsr_ones(ctx, D(32, 8));
	const tsr_tree tree = TSR_TREE(mlp, &p);
	at_most_four_times("six layers", tsr_fn_text(tsr_jit(ctx, mlp_loss), tree, x, t),
	                   tsr_fn_text(tsr_value_and_grad(ctx, mlp_loss), tree, x, t));
}

/* the classifier: sum of targets * log_softmax(relu(x w1) w2) */
static tsr *classifier(tsr *w1, tsr *w2, tsr *x, tsr *targets)
{
	tsr *y = tsr_dot(tsr_relu(tsr_dot(x, w1)), w2);
	tsr *norm = tsr_logsumexp(y, .dims = D(-1), .keep = true);
	return tsr_neg(tsr_sum(tsr_mul(targets, tsr_sub(y, norm))));
}

static void of_a_classifier(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *w1 = tsr_ones(ctx, D(4, 4)), *w2 = tsr_ones(ctx, D(4, 8)),
	    *x = tsr_ones(ctx, D(16, 4));
	tsr *t = tsr_ones(ctx, D(16, 1));
	tsr_fn *g = tsr_value_and_grad(ctx, classifier, .wrt = D(0, 1));
	at_most_four_times("classifier", tsr_fn_text(tsr_jit(ctx, classifier), w1, w2, x, t),
	                   tsr_fn_text(g, w1, w2, x, t));
}

/* ---- a transformer layer: attention, then two dense layers, each with a residual */

enum { HEADS = 4 };
TSR_TREE_TYPE(transformer, { tsr *q, *k, *v, *o, *up, *down; });

/* [batch, seq, hidden] [hidden, out] */
static tsr *project(tsr *x, tsr *w)
{
	return tsr_dot_general(x, w, .contract_a = D(2), .contract_b = D(0));
}

/* -> [batch, heads, seq, each] */
static tsr *heads(tsr *x)
{
	tsr *parts = tsr_reshape(x, D(tsr_dim(x, 0), tsr_dim(x, 1), HEADS, -1));
	return tsr_transpose(parts, .perm = D(0, 2, 1, 3));
}

static tsr *softmax(tsr *x)
{
	tsr *e = tsr_exp(tsr_sub(x, tsr_max(x, .dims = D(-1), .keep = true)));
	return tsr_div(e, tsr_sum(e, .dims = D(-1), .keep = true));
}

static tsr *attention(const transformer *p, tsr *x)
{
	tsr *q = heads(project(x, p->q)), *k = heads(project(x, p->k)),
	    *v = heads(project(x, p->v));
	tsr *scores = tsr_dot_general(q, k, .contract_a = D(3), .contract_b = D(3),
	                              .batch_a = D(0, 1), .batch_b = D(0, 1));
	tsr *mixed = tsr_dot_general(softmax(tsr_div(scores, 8)), v, .contract_a = D(3),
	                             .contract_b = D(2), .batch_a = D(0, 1), .batch_b = D(0, 1));
	return tsr_reshape(tsr_transpose(mixed, .perm = D(0, 2, 1, 3)), tsr_shape(x));
}

static tsr *transformer_loss(tsr_tree params, tsr *x)
{
	const transformer *p = TSR_TREE_OF(transformer, params);
	x = tsr_add(x, project(attention(p, x), p->o));
	x = tsr_add(x, project(tsr_relu(project(x, p->up)), p->down));
	return tsr_sum(tsr_square(x));
}

static void of_a_transformer(void **state)
{
	tsr_ctx *ctx = *state;
	transformer p;
	for (size_t i = 0; i < TSR_TREE(transformer, &p).count; i++)
		p.leaf[i] = tsr_ones(ctx, D(64, 64));
	tsr *x = tsr_ones(ctx, D(2, 16, 64));
	const tsr_tree tree = TSR_TREE(transformer, &p);
	at_most_four_times("transformer", tsr_fn_text(tsr_jit(ctx, transformer_loss), tree, x),
	                   tsr_fn_text(tsr_value_and_grad(ctx, transformer_loss), tree, x));
}

/* ---- time and memory */

typedef struct chain {
	int n;
} chain;

static void chained(tsr_frame *frame)
{
	const chain *c = tsr_frame_env(frame);
	tsr *x = tsr_frame_arg(frame, 0), *y = x;
	for (int i = 0; i < c->n; i++) y = i % 2 ? tsr_sin(y) : tsr_mul(y, x);
	tsr_return(frame, y);
}

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* n updates of arrays in turn, each by a row of the next one, which is read before it is updated */
static void updated(tsr_frame *frame)
{
	const chain *c = tsr_frame_env(frame);
	tsr *x = tsr_frame_arg(frame, 0), *y[8];
	for (int i = 0; i < 8; i++) y[i] = tsr_full(x, D(64, 64), i);
	for (int i = 0; i < c->n; i++) {
		tsr *row = tsr_dynamic_slice(y[(i + 1) % 8], 0, tsr_add(x, i), 1);
		y[i % 8] = tsr_dynamic_update(y[i % 8], row, 0, x);
	}
	tsr_return(frame, tsr_sum(tsr_add(y[0], y[7])));
}

static tsr_fn *gradient(tsr_ctx *ctx, const chain *c) { return tsr_grad(ctx, chained, TSR_ENV(c)); }
static tsr_fn *updates(tsr_ctx *ctx, const chain *c) { return tsr_jit(ctx, updated, TSR_ENV(c)); }

/* a tenth as many branches, one after the other, which pass on how four devices have their value */
static void branched(tsr_frame *frame)
{
	const chain *c = tsr_frame_env(frame);
	tsr *x = tsr_frame_arg(frame, 0);
	tsr_mesh *grid = tsr_mesh_make(x, {"a", 2}, {"b", 2});
	tsr *y = tsr_constrain(tsr_full(x, D(8, 8), 1), grid, TSR_P("a", "b"));
	for (int i = 0; i < c->n / 10; i++) y = tsr_cond(tsr_gt(x, i), tsr_sin, tsr_cos, y);
	tsr_return(frame, y);
}
static tsr_fn *branches(tsr_ctx *ctx, const chain *c) { return tsr_jit(ctx, branched, TSR_ENV(c)); }

/* of a first call of a fn with so many equations */
static double time_to_trace(tsr_fn *(*make)(tsr_ctx *, const chain *), int n)
{
	tsr_ctx *ctx = tsr_open(.devices = 4);
	const chain c = {n};
	tsr *x = make == updates ? tsr_scalar(ctx, 3) : tsr_scalar(ctx, 0.5);
	const double start = seconds();
	tsr *y = tsr_call(make(ctx, &c), x);
	const double took = seconds() - start;

	assert_false(tsr_is_poison(y));
	assert_int_equal(tsr_close(ctx), 0);
	return took;
}

static double less(double a, double b) { return a < b ? a : b; }

/* the least times of some rounds; more of them on a machine that is busy with something else */
static void is_linear(tsr_fn *(*make)(tsr_ctx *, const chain *), const char *what)
{
	double one = 1e9, four = 1e9;

	for (int round = 0; round < 3 || (round < 30 && four >= 8 * one); round++) {
		one = less(one, time_to_trace(make, 1000));
		four = less(four, time_to_trace(make, 4000));
	}
	print_message("%s 1000, 4000 equations: %.1f, %.1f ms\n", what, 1e3 * one, 1e3 * four);
	assert_true(four < 8 * one); /* quadratic: 16 */
}
static void in_linear_time(void **state)
{
	(void)state;
	is_linear(gradient, "gradients through");
	is_linear(updates, "updates in");
	is_linear(branches, "branches in");
}

/* ---- loops that change one row of their carry in each step */

static tsr *after_the_one_before(tsr *y, tsr *x, tsr *i)
{
	tsr *before = tsr_dynamic_index(y, 0, tsr_maximum(tsr_sub(i, 1), 0));
	tsr *row = tsr_add(tsr_mul(before, 0.9), tsr_sin(tsr_dynamic_index(x, 0, i)));
	return tsr_dynamic_update(y, tsr_expand_dims(row, D(0)), 0, i);
}
static tsr *on_its_own(tsr *y, tsr *x, tsr *i)
{
	return tsr_dynamic_update(y, tsr_sin(tsr_dynamic_slice(x, 0, i, 1)), 0, i);
}
static tsr *set(tsr *y, tsr *x, tsr *i) { return tsr_at_set(y, 0, i, tsr_sin(tsr_take(x, 0, i))); }
static tsr *added(tsr *y, tsr *x, tsr *i)
{
	return tsr_at_add(y, 0, i, tsr_sin(tsr_take(x, 0, i)));
}
static tsr *multiplied(tsr *y, tsr *x, tsr *i)
{
	return tsr_at_mul(y, 0, i, tsr_sin(tsr_take(x, 0, i)));
}
typedef tsr *row_change(tsr *y, tsr *x, tsr *i);
typedef struct rows {
	row_change *change;
	int n;
} rows;

static void change_row(tsr_frame *frame)
{
	const rows *r = tsr_frame_env(frame);
	tsr *i = tsr_frame_arg(frame, 0), *y = tsr_frame_arg(frame, 1),
	    *x = tsr_frame_captures(frame).leaf[0];
	tsr_return(frame, r->change(y, x, i));
}
static void changed_rows(tsr_frame *frame)
{
	const rows *r = tsr_frame_env(frame);
	tsr *x = tsr_frame_arg(frame, 0);
	tsr_fn *step = tsr_jit(x, change_row, TSR_ENV(r), .captures = TSR_LEAVES(&x, 1));
	tsr_return(frame, tsr_sum(tsr_square(tsr_fori(0, r->n, step, tsr_cos(x)))));
}
typedef struct run_of_rows {
	tsr_ctx *ctx;
	tsr_fn *gradient;
	tsr *x;
	double least;
} run_of_rows;

static run_of_rows rows_begin(const char *engine, const rows *r)
{
	tsr_ctx *ctx = tsr_open(.devices = 1, .engine = engine, .debug = "c");
	return (run_of_rows){ctx, tsr_jit(ctx, tsr_grad(ctx, changed_rows, TSR_ENV(r))),
	                     tsr_ones(ctx, D(r->n, 64)), 1e9};
}
static void rows_again(run_of_rows *r)
{
	TSR_SCOPE(r->ctx);
	const double start = seconds();
	tsr *dx = tsr_call(r->gradient, r->x);
	const double took = seconds() - start;
	assert_false(tsr_is_poison(dx));
	r->least = less(r->least, took);
}

/* a row is read, or added to, where it is: copies of the carry took the square of the steps */
static void rows_in_linear_time(void **state)
{
	static const char *const engine[] = {"cpu", "interp"};
	static row_change *const change[] = {after_the_one_before, on_its_own, set, added,
	                                     multiplied};

	(void)state;
	for (size_t i = 0; i < 2 * sizeof change / sizeof *change; i++) {
		const rows few = {.change = change[i / 2], .n = 500},
			   many = {.change = change[i / 2], .n = 2000};
		run_of_rows one = rows_begin(engine[i % 2], &few),
			    four = rows_begin(engine[i % 2], &many);
		for (int k = 0; k < 3 || (k < 30 && four.least >= 8 * one.least); k++) {
			rows_again(&one);
			rows_again(&four);
		}
		if (four.least >= 8 * one.least)
			fail_msg("change %zu, %s: 500 steps %.2f ms, 2000 steps %.2f ms", i / 2,
			         engine[i % 2], 1e3 * one.least, 1e3 * four.least);
		assert_int_equal(tsr_close(one.ctx), 0);
		assert_int_equal(tsr_close(four.ctx), 0);
	}
}

/* ---- what an operand that is repeated costs in a map: its own bytes, once, in one sum */

static tsr *biased(tsr *x, tsr *b) { return tsr_psum(tsr_sum(tsr_add(x, b)), "i"); }
static tsr *chosen(tsr *x, tsr *b)
{
	return tsr_psum(tsr_sum(tsr_where(tsr_gt(x, 0), x, b)), "i");
}
static tsr *batched(tsr *x, tsr *b) { return tsr_psum(tsr_sum(tsr_matmul(x, b)), "i"); }
static tsr *solved(tsr *x, tsr *b)
{
	tsr *a = tsr_add(b, tsr_mul(16, tsr_eye(b, 8)));
	return tsr_psum(tsr_sum(tsr_solve(a, x)), "i");
}

static void repeated_operands(void **state)
{
	static const struct {
		const char *name;
		tsr *(*loss)(tsr *x, tsr *b);
	} cases[] = {
		{"biased", biased},
		{"chosen", chosen},
		{"batched", batched},
		{"solved", solved},
	};
	tsr_ctx *ctx = *state;
	tsr_mesh *m = tsr_mesh_make(ctx, {"i", 4});
	tsr *x = tsr_put(tsr_ones(ctx, D(16, 8, 8)), m, TSR_P("i")), *b = tsr_ones(ctx, D(8, 8));

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		tsr_fn *f = tsr_shard_map(m, cases[i].loss, .sig = "[i] [] -> []");
		tsr_fn *g = tsr_jit(ctx, tsr_grad(ctx, f, .wrt = D(1)));
		tsr_costs c = {.size = sizeof c};
		assert_true(tsr_fn_costs(g, &c, x, b));
		if (c.collectives != 1 || c.bytes > 1.5 * (double)tsr_nbytes(b))
			fail_msg("%s: %s", cases[i].name, tsr_explain_text(g, x, b));
	}
}

static void without_leaks(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = tsr_arange(ctx, 64, .dtype = TSR_F64), *y;
	size_t before = 0;
	for (int k = 0; k < 1000; k++) {
		if (k == 3) before = tsr_memory(ctx).in_use;
		TSR_SCOPE(ctx);
		tsr_fn *f = tsr_jit(ctx, cubes);
		tsr_call(tsr_grad(ctx, f), x);
		tsr_call(tsr_jit(ctx, tsr_vmap(ctx, tsr_grad(ctx, tsr_sin))), x);
		tsr_linearized l = tsr_vjp(TSR_OUT(&y), f, x);
		tsr_call(l.fn, l.residuals, y);
	}
	assert_int_equal(tsr_memory(ctx).in_use, before);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, near_open, near_close)
	const struct CMUnitTest tests[] = {
		TEST(interned),        TEST(traced_once),      TEST(of_six_layers),
		TEST(of_a_classifier), TEST(of_a_transformer), cmocka_unit_test(in_linear_time),
		TEST(without_leaks),   cmocka_unit_test(rows_in_linear_time),
		TEST(repeated_operands),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
