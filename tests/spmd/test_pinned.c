/* test_pinned.c - .in and .out of tsr_jit: results are placed as by JAX 0.10.2 with in_shardings
 * and out_shardings, and fns with different ones share nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <tsr/tsr.h>
#define P TSR_P
#define SPECS TSR_SPECS

TSR_TREE_TYPE(pair, { tsr *w, *b; });

typedef struct world {
	tsr_ctx *ctx;
	tsr_mesh *mesh; /* x:4, y:2 */
	tsr *v, *m;     /* i32[8], f32[8,8] */
} world;

static void log_text(void *user, int level, const char *text)
{
	(void)user;
	if (level == 0) print_error("%s\n", text);
}

static int world_open(void **state)
{
	static world w;
	static float of_m[64];

	for (int i = 0; i < 64; i++) of_m[i] = (float)(i * 7 % 11 - 4);
	w.ctx = tsr_open(.devices = 8, .log = log_text);
	w.mesh = tsr_mesh_make(w.ctx, {"x", 4}, {"y", 2});
	w.v = tsr_arange(w.ctx, 8);
	w.m = tsr_from(w.ctx, of_m, TSR_F32, TSR_DIMS(8, 8));
	*state = &w;
	return 0;
}

static int world_close(void **state) { return tsr_close(((world *)*state)->ctx); }

static void is_at(const tsr *x, const tsr_mesh *mesh, tsr_spec spec)
{
	const tsr_sharding *at = tsr_sharding_of(x), *want = tsr_sharding_make(mesh, spec);

	if (!at) fail_msg("poison: %s", tsr_message(tsr_ctx_of(x)));
	if (at != want) fail_msg("at %s, not %s", tsr_sharding_text(at), tsr_sharding_text(want));
}

static void has_sum(tsr *x, double sum)
{
	const double got = tsr_item(tsr_sum(x));

	if (got != sum) fail_msg("the sum is %g, not %g", got, sum);
}

/* ---- one argument, one result; jax: f = lambda v: v * 2 and the like */

static tsr *twice(tsr *x) { return tsr_mul(x, 2); }
static tsr *sum_of_squares(tsr *x) { return tsr_sum(tsr_mul(x, x)); }

static void arguments(void **state)
{
	const world *w = *state;
	tsr_fn *f = tsr_jit(w->ctx, twice, .mesh = w->mesh, .in = SPECS(P("x")));

	/* jax.jit(f, in_shardings=NamedSharding(mesh, P('x')))(v) */
	is_at(tsr_call(f, w->v), w->mesh, P("x"));
	has_sum(tsr_call(f, w->v), 56);
	/* an argument that is committed there, also by a mesh of another name */
	is_at(tsr_call(f, tsr_put(w->v, w->mesh, P("x"))), w->mesh, P("x"));
	tsr_mesh *same = tsr_mesh_make(w->ctx, {"a", 4}, {"b", 2});
	has_sum(tsr_call(f, tsr_put(w->v, same, P("a"))), 56);
	/* whole */
	is_at(tsr_call(tsr_jit(w->ctx, twice, .mesh = w->mesh, .in = SPECS(P())), w->v), w->mesh,
	      P());
}

static void results(void **state)
{
	const world *w = *state;
	tsr_fn *f = tsr_jit(w->ctx, twice, .mesh = w->mesh, .out = SPECS(P("x")));
	tsr *by_y = tsr_put(w->v, w->mesh, P("y"));

	is_at(tsr_call(f, w->v), w->mesh, P("x"));
	is_at(tsr_call(f, by_y), w->mesh, P("x"));
	has_sum(tsr_call(f, by_y), 56);
	f = tsr_jit(w->ctx, twice, .mesh = w->mesh, .out = SPECS(P()));
	is_at(tsr_call(f, by_y), w->mesh, P());
	f = tsr_jit(w->ctx, twice, .mesh = w->mesh, .in = SPECS(P("y")), .out = SPECS(P("x*y")));
	is_at(tsr_call(f, by_y), w->mesh, P("x*y"));
	/* dims that do not divide are legal here */
	tsr *uneven = tsr_call(tsr_jit(w->ctx, twice, .mesh = w->mesh, .out = SPECS(P("x"))),
	                       tsr_arange(w->ctx, 7));
	is_at(uneven, w->mesh, P("x"));
	has_sum(uneven, 42);
	uneven = tsr_call(tsr_jit(w->ctx, twice, .mesh = w->mesh, .in = SPECS(P("x*y"))),
	                  tsr_arange(w->ctx, 7));
	has_sum(uneven, 42);
}

/* ---- several, and trees */

static void some(tsr_frame *f)
{
	tsr *a = tsr_frame_arg(f, 0), *b = tsr_frame_arg(f, 1);

	tsr_return(f, tsr_add(a, b), a);
}

static tsr *layer(tsr_tree of, tsr *x)
{
	const pair *p = TSR_TREE_OF(pair, of);

	return tsr_add(tsr_dot(x, p->w), p->b);
}

static void both(tsr_frame *f)
{
	const pair *p = TSR_TREE_OF(pair, tsr_frame_tree(f, 0));

	tsr_return(f, TSR_TREE(pair, (&(pair){.w = twice(p->w), .b = twice(p->b)})), p->b);
}

/* jax.jit(lambda a, b: (a + b, a), in_shardings=(s, None), out_shardings=(None, t)) */
static void what_is_not_given(void **state)
{
	const world *w = *state;
	tsr *sum, *a;

	tsr_call_into(TSR_OUT(&sum, &a),
	              tsr_jit(w->ctx, some, .mesh = w->mesh, .in = {TSR_FOR_ALL(P("x"))},
	                      .out = {[1] = TSR_FOR_ALL(P("y"))}),
	              w->v, w->v);
	is_at(sum, w->mesh, P("x"));
	is_at(a, w->mesh, P("y"));
	tsr_call_into(TSR_OUT(&sum, &a),
	              tsr_jit(w->ctx, some, .mesh = w->mesh, .in = {[1] = TSR_FOR_ALL(P("y"))}),
	              tsr_put(w->v, w->mesh, P("y")), w->v);
	is_at(sum, w->mesh, P("y"));
	has_sum(sum, 56);
}

static void trees(void **state)
{
	const world *w = *state;
	pair p = {.w = w->m, .b = tsr_ones(w->ctx, TSR_DIMS(8))}, q;
	tsr *b;
	const tsr_spec each[] = {P("x", "y"), P("y")}, first[] = {P(NULL, "x"), {.n1 = 0}};
	tsr_fn *f = tsr_jit(w->ctx, layer, .mesh = w->mesh, .in = {TSR_FOR_EACH(each)});

	/* x is not given: the product is where w has its columns, b too */
	is_at(tsr_call(f, TSR_TREE(pair, &p), w->m), w->mesh, P(NULL, "y"));
	tsr_call_into(TSR_OUT(TSR_TREE(pair, &q), &b),
	              tsr_jit(w->ctx, both, .mesh = w->mesh, .in = {TSR_FOR_ALL(P("x"))},
	                      .out = {TSR_FOR_EACH(first), TSR_FOR_ALL(P("y"))}),
	              TSR_TREE(pair, &p));
	is_at(q.w, w->mesh, P(NULL, "x"));
	is_at(q.b, w->mesh, P("x"));
	is_at(b, w->mesh, P("y"));
}

/* ---- in other bodies, derivatives and batches */

static const world *in_body;
static tsr *rows_inside(tsr *x)
{
	return tsr_call(tsr_jit(x, twice, .mesh = in_body->mesh, .in = SPECS(P("x"))), x);
}

static void inside(void **state)
{
	const world *w = in_body = *state;
	tsr_fn *rows = tsr_jit(w->ctx, twice, .mesh = w->mesh, .in = SPECS(P("x")));
	tsr_fn *loss = tsr_jit(w->ctx, sum_of_squares, .mesh = w->mesh, .in = SPECS(P("x")));

	/* jax.jit(lambda v: jax.jit(f, in_shardings=s)(v)): a committed argument is moved */
	is_at(tsr_call(tsr_jit(w->ctx, rows_inside), w->v), w->mesh, P("x"));
	is_at(tsr_call(tsr_jit(w->ctx, rows_inside), tsr_put(w->v, w->mesh, P("y"))), w->mesh,
	      P("x"));
	/* jax.jit(jax.grad(jax.jit(f, in_shardings=s))) */
	is_at(tsr_call(tsr_jit(w->ctx, tsr_grad(w->ctx, loss)), w->m), w->mesh, P("x"));
	has_sum(tsr_call(tsr_grad(w->ctx, loss), w->m), 2 * tsr_item(tsr_sum(w->m)));
	/* jax.jit(jax.vmap(jax.jit(f, in_shardings=s))) */
	is_at(tsr_call(tsr_jit(w->ctx, tsr_vmap(w->ctx, rows)), w->m), w->mesh, P(NULL, "x"));
}

/* ---- what is remembered */

static void nothing_is_mixed_up(void **state)
{
	const world *w = *state;
	tsr_mesh *other = tsr_mesh_make(w->ctx, {"a", 4}, {"b", 2});
	const tsr_spec specs[] = {P("x"), P("y"), P("x*y"), P()};
	tsr_fn *f[5];

	for (int k = 0; k < 4; k++)
		f[k] = tsr_jit(w->ctx, twice, .mesh = w->mesh, .out = SPECS(specs[k]));
	f[4] = tsr_jit(w->ctx, twice, .mesh = other, .out = SPECS(P("a")));
	for (int round = 0; round < 3; round++) {
		for (int k = 0; k < 4; k++) is_at(tsr_call(f[k], w->v), w->mesh, specs[k]);
		is_at(tsr_call(f[4], w->v), other, P("a"));
	}
	assert_ptr_equal(f[0], tsr_jit(w->ctx, twice, .mesh = w->mesh, .out = SPECS(P("x"))));
	assert_ptr_not_equal(f[0], tsr_jit(w->ctx, twice, .mesh = w->mesh, .in = SPECS(P("x"))));
	assert_ptr_not_equal(f[0], tsr_jit(w->ctx, twice));
	assert_int_equal(tsr_fn_stats(f[0]).calls, 3);
	assert_int_equal(tsr_fn_stats(f[0]).traces, 1);
}

static tsr_mesh *named;
static const char *axis_name;
static tsr *constrained(tsr *x) { return twice(tsr_constrain(x, named, P(axis_name))); }

/* programs that differ in the names of axes alone give results on their own meshes */
static void names_of_axes(void **state)
{
	const world *w = *state;
	tsr_mesh *other = tsr_mesh_make(w->ctx, {"a", 4}, {"b", 2});

	for (int k = 0; k < 2; k++) {
		named = k ? other : w->mesh;
		axis_name = k ? "a" : "x";
		const char *name = k ? "second" : "first";
		is_at(tsr_call(tsr_jit(w->ctx, constrained, .name = name), w->v), named,
		      P(axis_name));
		is_at(tsr_call(tsr_shard_map(named, twice, .in = SPECS(P(axis_name)),
		                             .out = SPECS(P(axis_name))),
		               w->v),
		      named, P(axis_name));
	}
}

static void donated(void **state)
{
	const world *w = *state;
	tsr *mine = tsr_copy(w->m);

	is_at(tsr_call(tsr_jit(w->ctx, twice, .mesh = w->mesh, .in = SPECS(P("x", "y")),
	                       .donate = TSR_DIMS(0)),
	               mine),
	      w->mesh, P("x", "y"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(arguments, world_open, world_close),
		cmocka_unit_test_setup_teardown(results, world_open, world_close),
		cmocka_unit_test_setup_teardown(what_is_not_given, world_open, world_close),
		cmocka_unit_test_setup_teardown(trees, world_open, world_close),
		cmocka_unit_test_setup_teardown(inside, world_open, world_close),
		cmocka_unit_test_setup_teardown(nothing_is_mixed_up, world_open, world_close),
		cmocka_unit_test_setup_teardown(names_of_axes, world_open, world_close),
		cmocka_unit_test_setup_teardown(donated, world_open, world_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
