/* test_mesh_use.c - TSR_MESH(): NULL means the mesh in use where arrays are placed and fns are
 * made, until its block ends, and no fn and no tracing keeps the mesh of another block. */
#include "support/quiet.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <tsr/tsr.h>
#define P TSR_P

static tsr_ctx *ctx;
static tsr_mesh *a, *b; /* x:4, y:2 and x:2, y:4 */
static tsr *x;          /* f32[8] */

/* c: an interpreted run that a callback leaves is not released before the process ends */
static int open_all(void **state)
{
	(void)state;
	ctx = tsr_open(.devices = 8, .log = log_nothing, .debug = "c");
	a = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	b = tsr_mesh_make(ctx, {"x", 2}, {"y", 4});
	x = tsr_arange(ctx, 8, .dtype = TSR_F32);
	return 0;
}

static int close_all(void **state)
{
	(void)state;
	return tsr_close(ctx);
}

static void over(const tsr *y, const tsr_mesh *mesh)
{
	const tsr_sharding *at = tsr_sharding_of(y), *want = tsr_sharding_make(mesh, P("x"));

	if (!at) fail_msg("poison: %s", tsr_message(tsr_ctx_of(y)));
	if (at != want) fail_msg("at %s, not %s", tsr_sharding_text(at), tsr_sharding_text(want));
}

/* the first error is of this code and says all this; it is cleared */
static void refused(tsr_ctx *of, tsr_code code, const char *says)
{
	if (tsr_status(of) != (int)code || !strstr(tsr_message(of), says))
		fail_msg("status %d: %s", tsr_status(of), tsr_message(of));
	tsr_clear(of);
}
#define NONE "the mesh is NULL, and none is in use: name one, or declare TSR_MESH(mesh)"

/* ---- bodies that leave the mesh to whoever calls them */

static tsr *halve(tsr *y) { return tsr_constrain(tsr_mul(y, 0.5), NULL, P("x")); }
static tsr *same(tsr *y) { return y; }
static tsr *calls_halve(tsr *y) { return tsr_call(tsr_jit(ctx, halve), y); }
static tsr *step(tsr *i, tsr *y)
{
	(void)i;
	return halve(y);
}
static tsr *loops(tsr *y) { return tsr_fori(0, 2, step, y); }
static tsr *maps(tsr *y) { return tsr_call(tsr_shard_map(NULL, same, .sig = "[x] -> [x]"), y); }
static tsr *branches(tsr *y) { return tsr_cond(1, halve, maps, y); }
static tsr *pins(tsr *y) { return tsr_call(tsr_jit(ctx, same, .out = TSR_SPECS(P("x"))), y); }
static tsr *loss(tsr *y) { return tsr_sum(halve(tsr_square(y))); }

static tsr *(*const bodies[])(tsr *) = {halve, calls_halve, loops, branches, maps, pins};
#define NBODIES (sizeof bodies / sizeof *bodies)

static void each_mesh_has_a_tracing(tsr_fn *f)
{
	for (int turn = 0; turn < 2; turn++) {
		{
			TSR_MESH(a);
			over(tsr_call(f, x), a);
		}
		TSR_MESH(b);
		over(tsr_call(f, x), b);
	}
	const tsr_fn_info is = tsr_fn_stats(f);
	assert_int_equal(is.traces, 2);
	assert_int_equal(is.hits, 2);
}

static void test_bodies(void **state)
{
	(void)state;
	for (size_t i = 0; i < NBODIES; i++) {
		each_mesh_has_a_tracing(tsr_jit(ctx, bodies[i]));
		each_mesh_has_a_tracing(tsr_jit(ctx, tsr_jit(ctx, bodies[i]), .name = "outer"));
		each_mesh_has_a_tracing(tsr_remat(ctx, bodies[i]));
	}
	each_mesh_has_a_tracing(tsr_grad(ctx, loss));
	assert_int_equal(tsr_status(ctx), TSR_OK);
}

/* a body that says itself which mesh it means is traced once for each mesh around it, too: it might
 * have asked */
static tsr *means_b(tsr *y)
{
	TSR_MESH(b);
	return tsr_call(tsr_jit(ctx, halve), y);
}

static void test_block_in_a_body(void **state)
{
	(void)state;
	TSR_MESH(a);
	over(tsr_call(tsr_jit(ctx, means_b), x), b);
	over(tsr_call(tsr_jit(ctx, halve), x), a);
}

/* ---- where NULL may be */

static void test_calls(void **state)
{
	(void)state;
	TSR_MESH(a);
	tsr *to[2] = {x, x};
	const tsr_tree tree = TSR_LEAVES(to, 2);

	assert_ptr_equal(tsr_sharding_make(NULL, P("x")), tsr_sharding_make(a, P("x")));
	over(tsr_put(x, NULL, P("x")), a);
	over(tsr_constrain(x, NULL, P("x")), a);
	assert_true(tsr_put_tree(tree, tree, NULL, .spec = TSR_FOR_ALL(P("x"))));
	over(to[0], a), over(to[1], a);
	to[0] = x;
	to[1] = NULL;
	assert_true(tsr_constrain_tree(tree, tree, NULL, .spec = TSR_FOR_ALL(P("x"))));
	over(to[0], a);
	assert_ptr_equal(tsr_shard_map(NULL, same, .sig = "[x] -> [x]"),
	                 tsr_shard_map(a, same, .sig = "[x] -> [x]"));
	assert_ptr_equal(tsr_jit(ctx, same, .in = TSR_SPECS(P("x"))),
	                 tsr_jit(ctx, same, .mesh = a, .in = TSR_SPECS(P("x"))));
	assert_ptr_equal(tsr_jit(ctx, same, .mesh = b, .in = TSR_SPECS(P("x"))),
	                 tsr_jit(ctx, same, .mesh = b, .in = TSR_SPECS(P("x"))));
	over(tsr_call(tsr_jit(ctx, same, .in = TSR_SPECS(P("x"))), x), a);
	/* a mesh in use pins nothing by itself */
	assert_ptr_equal(tsr_sharding_of(tsr_call(tsr_jit(ctx, same), tsr_put_device(x, 3))),
	                 tsr_sharding_device(ctx, 3));
}

static void test_fns_keep_their_mesh(void **state)
{
	tsr_fn *of_a, *of_b, *pinned;

	(void)state;
	{
		TSR_MESH(a);
		of_a = tsr_shard_map(NULL, same, .sig = "[x] -> [x]");
		pinned = tsr_jit(ctx, same, .out = TSR_SPECS(P("x")));
	}
	TSR_MESH(b);
	of_b = tsr_shard_map(NULL, same, .sig = "[x] -> [x]");
	assert_ptr_not_equal(of_a, of_b);
	over(tsr_call(of_a, x), a);
	over(tsr_call(of_b, x), b);
	over(tsr_call(pinned, x), a);
}

/* the body of a map has its mesh, of which no other may be meant there */
static tsr *inner(tsr *y) { return tsr_psum(y, "y"); }
static tsr *outer(tsr *y)
{
	return tsr_call(tsr_shard_map(NULL, inner, .sig = "[y] -> []", .axes = "y"), y);
}

static void test_inside_a_map(void **state)
{
	(void)state;
	TSR_MESH(b);
	tsr *y = tsr_call(tsr_shard_map(a, outer, .sig = "[x] -> [x]", .axes = "x"), x);
	assert_true(tsr_sharding_equivalent(tsr_sharding_of(y), tsr_sharding_make(a, P("x")), 1));
	assert_int_equal(tsr_dim(y, 0), 4);
	over(tsr_put(x, NULL, P("x")), b);
}

/* ---- until when */

static tsr *leaves_early(bool early)
{
	TSR_MESH(a);
	for (;;) {
		TSR_MESH(b);
		if (early) return tsr_put(x, NULL, P("x"));
		break;
	}
	return tsr_put(x, NULL, P("x"));
}

static void test_blocks_end(void **state)
{
	(void)state;
	over(leaves_early(true), b);
	over(leaves_early(false), a);
	TSR_MESH(b);
	over(leaves_early(false), a);
	over(tsr_put(x, NULL, P("x")), b);
	tsr_mesh_use first = tsr_mesh_begin(a), second = tsr_mesh_begin(b);
	tsr_mesh_end(&first); /* and with it the second */
	over(tsr_put(x, NULL, P("x")), b);
	tsr_mesh_end(&first);
	(void)second;
}

static jmp_buf out;
static tsr *jumps(tsr *y)
{
	TSR_MESH(b);
	tsr *z = tsr_put(y, NULL, P("x"));
	longjmp(out, 1);
	return z;
}

static void jump_out_of(tsr_fn *f)
{
	if (!setjmp(out)) (void)!tsr_call(f, x);
}

static void test_bodies_that_are_left(void **state)
{
	(void)state;
	TSR_MESH(a);
	jump_out_of(tsr_jit(ctx, jumps));
	refused(ctx, TSR_ERROR_ARGUMENT, "was left without a return");
	over(tsr_put(x, NULL, P("x")), a);
}

static bool host_jumps(const tsr_host_call *c)
{
	TSR_MESH(b);
	(void)c;
	longjmp(out, 1);
}

static tsr *calls_host(tsr *y)
{
	tsr_call_into(TSR_NO_OUT, tsr_debug_callback(ctx, host_jumps), y);
	return y;
}

static void test_callbacks_that_are_left(void **state)
{
	(void)state;
	TSR_MESH(a);
	jump_out_of(tsr_jit(ctx, calls_host));
	over(tsr_put(x, NULL, P("x")), a);
}

/* a program that closes its context in the block that uses a mesh */
static int main_of_a_program(bool scope)
{
	tsr_ctx *own = tsr_open(.devices = 2);
	TSR_MESH(tsr_mesh_make(own, {"x", 2}));
	if (scope) {
		TSR_SCOPE(own);
		TSR_MESH(tsr_mesh_make(own, {"y", 2}));
		return tsr_close(own);
	}
	return tsr_close(own);
}

static void test_closed_in_the_block(void **state)
{
	(void)state;
	assert_int_equal(main_of_a_program(false), TSR_OK);
	assert_int_equal(main_of_a_program(true), TSR_OK);
}

/* ---- without one */

static void test_none(void **state)
{
	tsr *to[1] = {x};
	const tsr_tree tree = TSR_LEAVES(to, 1);

	(void)state;
	assert_true(tsr_is_poison(tsr_put(x, NULL, P("x"))));
	refused(ctx, TSR_ERROR_ARGUMENT, "put: " NONE);
	assert_true(tsr_is_poison(tsr_constrain(x, NULL, P("x"))));
	refused(ctx, TSR_ERROR_ARGUMENT, "constrain: " NONE);
	assert_false(tsr_put_tree(tree, tree, NULL));
	refused(ctx, TSR_ERROR_ARGUMENT, "put_tree: " NONE);
	assert_false(tsr_constrain_tree(tree, tree, NULL));
	refused(ctx, TSR_ERROR_ARGUMENT, "constrain_tree: " NONE);
	(void)!tsr_sharding_make(NULL, P("x"));
	refused(ctx, TSR_ERROR_ARGUMENT, "sharding_make: " NONE);
	(void)!tsr_shard_map(NULL, same, .sig = "[x] -> [x]");
	refused(ctx, TSR_ERROR_ARGUMENT, "shard_map: " NONE);
	(void)!tsr_jit(ctx, same, .in = TSR_SPECS(P("x")));
	refused(ctx, TSR_ERROR_ARGUMENT, "which is not given, and no mesh is in use");
	assert_true(tsr_is_poison(tsr_call(tsr_jit(ctx, halve), x)));
	refused(ctx, TSR_ERROR_ARGUMENT, "constrain: " NONE);
}

/* NULL is then no mesh, not that of the block around */
static void test_what_cannot_be_used(void **state)
{
	(void)state;
	TSR_MESH(a);
	{
		TSR_MESH(NULL);
		refused(ctx, TSR_ERROR_ARGUMENT, "TSR_MESH: the mesh is NULL");
		assert_true(tsr_is_poison(tsr_put(x, NULL, P("x"))));
		refused(ctx, TSR_ERROR_HANDLE, "put: the mesh is poison");
	}
	over(tsr_put(x, NULL, P("x")), a);
}

/* ---- several contexts: a call that names none means the last block */
static void test_contexts(void **state)
{
	tsr_ctx *other = tsr_open(.devices = 2, .log = log_nothing);
	tsr_mesh *c = tsr_mesh_make(other, {"x", 2});

	(void)state;
	{
		TSR_MESH(c);
		assert_ptr_equal(tsr_sharding_mesh(tsr_sharding_make(NULL, P("x"))), c);
		TSR_MESH(a);
		assert_ptr_equal(tsr_sharding_mesh(tsr_sharding_make(NULL, P("x"))), a);
		over(tsr_put(tsr_ones(other, TSR_DIMS(2)), NULL, P("x")), c);
		{
			TSR_MESH(c);
			assert_ptr_equal(tsr_sharding_mesh(tsr_sharding_make(NULL, P("x"))), c);
			over(tsr_put(x, NULL, P("x")), a);
		}
		assert_ptr_equal(tsr_sharding_mesh(tsr_sharding_make(NULL, P("x"))), a);
	}
	assert_true(tsr_is_poison(tsr_put(tsr_ones(other, TSR_DIMS(2)), NULL, P("x"))));
	refused(other, TSR_ERROR_ARGUMENT, "put: " NONE);
	assert_int_equal(tsr_close(other), TSR_OK);
	assert_int_equal(tsr_status(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bodies),
		cmocka_unit_test(test_block_in_a_body),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_fns_keep_their_mesh),
		cmocka_unit_test(test_inside_a_map),
		cmocka_unit_test(test_blocks_end),
		cmocka_unit_test(test_bodies_that_are_left),
		cmocka_unit_test(test_callbacks_that_are_left),
		cmocka_unit_test(test_closed_in_the_block),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_what_cannot_be_used),
		cmocka_unit_test(test_contexts),
	};
	return cmocka_run_group_tests(tests, open_all, close_all);
}
