/* test_constrain.c - constraints, and .in and .out of tsr_jit, that cannot be met: each mistake in
 * its own words, at its line. */
#include "support/mistakes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#define P TSR_P
#define S TSR_ERROR_SHARDING

static tsr_mesh *mesh; /* of the bodies */
static tsr *free_axis(tsr *x) { return tsr_constrain(x, mesh, P("y")); }

#define CASE(name, ...) \
	static tsr *name(world *w) { return WRONG(w, __VA_ARGS__); }
/* in a body, over a mesh that is said here */
#define BODY(name, over, how, body_call, ...) \
	static world *name##_world; \
	static tsr *name##_body(tsr *x) \
	{ \
		world *w = name##_world; \
		(void)w; \
		return WRONG(w, body_call); \
	} \
	static tsr *name(world *w) \
	{ \
		name##_world = w; \
		mesh = over; \
		tsr *y = tsr_call(how(__VA_ARGS__), w->i); \
		return y; \
	}
#define PAIR tsr_mesh_make(w->ctx, {"x", 2})

CASE(rank, tsr_constrain(w->v, w->mesh, P("x", "y")))
CASE(rank_as_written, tsr_constrain(w->v, w->mesh, P("x", NULL)))
CASE(rank_of_sharding, tsr_constrain_sharding(w->v, tsr_sharding_make(w->mesh, P("x", "y"))))
CASE(unknown_axis, tsr_constrain(w->v, w->mesh, P("q")))
CASE(axis_twice, tsr_constrain(w->a, w->mesh, P("x", "x")))
CASE(no_mesh, tsr_constrain(w->a, NULL, P("x")))
CASE(no_sharding, tsr_constrain_sharding(w->a, NULL))
CASE(one_device, tsr_constrain_sharding(w->a, tsr_sharding_device(w->ctx, 1)))
CASE(another_context, tsr_constrain(w->a, tsr_mesh_make(w->other, {"x", 4}), P("x")))
CASE(on_other_devices, tsr_constrain(tsr_put(w->a, PAIR, P("x")), w->mesh, P("x")))
CASE(on_one_device, tsr_constrain(tsr_put_device(w->a, 3), w->mesh, P("x")))

BODY(rank_in_a_body, w->mesh, tsr_jit, tsr_constrain(x, mesh, P("x", "y")), w->ctx,
     rank_in_a_body_body)
BODY(two_meshes, PAIR, tsr_jit, tsr_constrain(tsr_constrain(x, w->mesh, P("x")), mesh, P("x")),
     w->ctx, two_meshes_body)
BODY(manual, w->mesh, tsr_shard_map, tsr_constrain(x, mesh, P("x")), w->mesh, manual_body,
     .sig = "[x] -> [x]")
BODY(manual_half, w->mesh, tsr_shard_map, tsr_constrain(x, mesh, P("y*x")), w->mesh,
     manual_half_body, .sig = "[x] -> [x]", .axes = "x")
BODY(put_in_a_map, w->mesh, tsr_shard_map, tsr_put(x, mesh, P("x")), w->mesh, put_in_a_map_body,
     .sig = "[x] -> [x]")
BODY(put_of_long_spec, w->mesh, tsr_jit, tsr_put(x, mesh, P("x", "y")), w->ctx,
     put_of_long_spec_body)
BODY(put_to_a_device, w->mesh, tsr_jit, tsr_put_device(x, 1), w->ctx, put_to_a_device_body)
BODY(put_to_one, w->mesh, tsr_jit, tsr_put_sharding(x, tsr_sharding_device(w->ctx, 1)), w->ctx,
     put_to_one_body)
#define RING tsr_mesh_make(w->ctx, {"z", 8})
BODY(mesh_of_a_map, RING, tsr_shard_map, tsr_constrain(x, mesh, P("z")), w->mesh,
     mesh_of_a_map_body, .sig = "[x] -> [x]", .axes = "x")

static tsr *committed(world *w)
{
	mesh = w->mesh;
	return WRONG(w, tsr_call(tsr_jit(w->ctx, free_axis), tsr_put(w->i, PAIR, P("x"))));
}

static tsr *in_batch(world *w, const char *spmd)
{
	mesh = w->mesh;
	return tsr_call(tsr_vmap(w->ctx, free_axis, .spmd_axis = spmd), w->a);
}
static tsr *spmd_in_spec(world *w) { return in_batch(w, "y"); }
static tsr *spmd_unknown(world *w) { return in_batch(w, "q"); }
static tsr *spmd_twice(world *w) { return in_batch(w, "x*x"); }

TSR_TREE_TYPE(pair, { tsr *w, *b; });
static pair both;
#define BOTH(...) TSR_TREE(pair, (both = (pair){__VA_ARGS__}, &both))
/* the place of the call, and poison where it gave false */
#define TREE(name, ...) \
	static tsr *name(world *w) \
	{ \
		const bool ok = WRONG(w, tsr_constrain_tree(__VA_ARGS__)); \
		return ok ? w->a : NULL; \
	}
static const tsr_spec three[] = {TSR_SPEC("x"), TSR_SPEC("x"), TSR_SPEC("x")};
TREE(fewer_leaves, TSR_LEAVES(both.leaf, 1), TSR_TREE(pair, &both), w->mesh)
TREE(specs_of_three, TSR_TREE(pair, &both), TSR_TREE(pair, &both), w->mesh,
     .spec = TSR_FOR_EACH(three))
TREE(rank_of_leaf, TSR_TREE(pair, &both), BOTH(.w = w->a, .b = w->v), w->mesh,
     .spec = TSR_FOR_ALL(P("x", "y")))

/* ---- .in and .out of tsr_jit */

static tsr *twice(tsr *x) { return tsr_mul(x, 2); }
static tsr *first_of(tsr_tree t) { return t.leaf[0]; }
static void a_pair(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0);
	tsr_return(f, TSR_TREE(pair, (&(pair){.w = x, .b = x})));
}
#define JIT(body, ...) tsr_jit(w->ctx, body, __VA_ARGS__)
#define ON .mesh = w->mesh
#define PINNED(name, ...) CASE(name, tsr_call(JIT(twice, __VA_ARGS__), w->i))
PINNED(specs_without_mesh, .in = TSR_SPECS(P("x")))
PINNED(out_without_mesh, .out = {[3] = TSR_FOR_ALL(P())})
PINNED(mesh_of_another, .mesh = tsr_mesh_make(w->other, {"x", 4}), .in = TSR_SPECS(P("x")))
PINNED(unknown_in, ON, .in = TSR_SPECS(P("q")))
PINNED(unknown_out, ON, .out = TSR_SPECS(P("x"), P("x*x")))
PINNED(no_specs, ON, .in = {{.count = 1}})
PINNED(long_in, ON, .in = TSR_SPECS(P("x", NULL)))
PINNED(long_out, ON, .out = TSR_SPECS(P("x", "y")))
PINNED(too_many_in, ON, .in = TSR_SPECS(P("x"), P("x")))
PINNED(too_many_out, ON, .out = {[2] = TSR_FOR_ALL(P("x"))})
CASE(leaves_in, tsr_call(JIT(first_of, ON, .in = {TSR_FOR_EACH(three)}),
                         TSR_TREE(pair, (&(pair){.w = w->a, .b = w->b}))))
CASE(leaves_out, tsr_call(JIT(a_pair, ON, .out = {TSR_FOR_EACH(three)}), w->i))
static tsr *call_with(world *w, tsr *x)
{
	tsr_fn *f = JIT(twice, ON, .in = TSR_SPECS(P("x")));
	return WRONG(w, tsr_call(f, x));
}
static tsr *committed_by_y(world *w) { return call_with(w, tsr_put(w->i, w->mesh, P("y"))); }
static tsr *committed_elsewhere(world *w) { return call_with(w, tsr_put(w->i, PAIR, P("x"))); }
static tsr *committed_to_one(world *w) { return call_with(w, tsr_put_device(w->i, 0)); }
static tsr *out_of_reach(world *w)
{
	tsr_fn *f = JIT(twice, ON, .out = TSR_SPECS(P("x")));
	return WRONG(w, tsr_call(f, tsr_put(w->i, PAIR, P("x"))));
}

/* ---- in program text */

#define TEXT(name, equation) \
	static tsr *name(world *w) \
	{ \
		return tsr_call(tsr_parse(w->ctx, "f(%0: f32[6]) -> f32[6] {\n%1: f32[6] = " \
		                                  equation "\nreturn %1\n}"), w->v); \
	}
TEXT(two_specs, "sharding_constraint %0 mesh=(x:2) to=[[x],[x]] open=[]")
TEXT(long_spec, "sharding_constraint %0 mesh=(x:2) to=[[-,x]] open=[]")
TEXT(open_and_cut, "sharding_constraint %0 mesh=(x:2) to=[[x]] open=[0]")
TEXT(open_outside, "sharding_constraint %0 mesh=(x:2) to=[[]] open=[1]")
TEXT(open_falls, "sharding_constraint %0 mesh=(x:2) to=[[]] open=[0,0]")
TEXT(spec_before_mesh, "sharding_constraint %0 to=[[x]] mesh=(x:2) open=[]")

static const mistake table[] = {
	MISTAKE(rank, S, "constrain: ", "P('x', 'y')", "rank at least 2", "f32[6] of rank 1"),
	MISTAKE(rank_as_written, S, "constrain: ", "P('x', None)", "rank at least 2"),
	MISTAKE(rank_of_sharding, S, "NamedSharding", "rank at least 2", "of rank 1"),
	MISTAKE(unknown_axis, S, "constrain: ", "axis 'q'", "Mesh('x': 4, 'y': 2)"),
	MISTAKE(axis_twice, S, "constrain: ", "duplicate", "'x'"),
	MISTAKE(no_mesh, TSR_ERROR_ARGUMENT, "constrain: the mesh is NULL"),
	MISTAKE(no_sharding, TSR_ERROR_ARGUMENT, "constrain_sharding: the sharding is NULL"),
	MISTAKE(one_device, S, "one device", "tsr_put_device"),
	MISTAKE(another_context, TSR_ERROR_HANDLE, "constrain: the mesh", "another context"),
	MISTAKE(on_other_devices, S, "sharding_constraint", "f32[8,16] is on device ids [0, 1]",
	        "[0, 1, 2, 3, 4, 5, 6, 7]"),
	MISTAKE(on_one_device, S, "on device ids [3]", "[0, 1, 2, 3, 4, 5, 6, 7]"),
	MISTAKE(rank_in_a_body, S, "constrain: ", "rank at least 2", "i32[8] of rank 1"),
	MISTAKE(two_meshes, S, "device ids [0, 1, 2, 3, 4, 5, 6, 7]", "device ids [0, 1]"),
	MISTAKE(manual, S, "under a shard_map", "not manual", "'x'"),
	MISTAKE(manual_half, S, "under a shard_map", "names 'x'"),
	MISTAKE(mesh_of_a_map, S, "inside a shard_map", "same mesh"),
	MISTAKE(put_in_a_map, S, "under a shard_map", "not manual", "'x'"),
	MISTAKE(put_of_long_spec, S, "put: ", "rank at least 2", "i32[8] of rank 1"),
	MISTAKE(put_to_a_device, S, "put_device: ", "a body that is traced", "before the call"),
	MISTAKE(put_to_one, S, "put_sharding: ", "a body that is traced", "before the call"),
	MISTAKE(committed, S, "free_axis", "args[0]", "device ids [0, 1]",
	        "[0, 1, 2, 3, 4, 5, 6, 7]"),
	MISTAKE(spmd_in_spec, S, ".spmd_axis 'y' cannot appear in the spec"),
	MISTAKE(spmd_unknown, S, ".spmd_axis 'q' is no axis of the mesh"),
	MISTAKE(spmd_twice, S, ".spmd_axis 'x' is named twice"),
	MISTAKE(fewer_leaves, TSR_ERROR_ARGUMENT, "constrain_tree: ", "numbers of leaves"),
	MISTAKE(specs_of_three, TSR_ERROR_ARGUMENT, "constrain_tree: .spec", "one a leaf"),
	MISTAKE(rank_of_leaf, S, "constrain: ", "rank at least 2", "f32[6] of rank 1"),
	MISTAKE(specs_without_mesh, TSR_ERROR_ARGUMENT, "jit: .in and .out", ".mesh"),
	MISTAKE(out_without_mesh, TSR_ERROR_ARGUMENT, "jit: .in and .out", ".mesh"),
	MISTAKE(mesh_of_another, TSR_ERROR_ARGUMENT, "jit: .mesh belongs to another context"),
	MISTAKE(unknown_in, S, ".in[0]", "axis 'q'", "Mesh('x': 4, 'y': 2)"),
	MISTAKE(unknown_out, S, ".out[1]", "duplicate", "'x'"),
	MISTAKE(no_specs, TSR_ERROR_ARGUMENT, "jit: .in[0]", "no list"),
	MISTAKE(long_in, S, ".in[0] of twice is P('x', None)", "rank at least 2",
	        "i32[8] of rank 1"),
	MISTAKE(long_out, S, ".out[0] of twice is P('x', 'y')", "rank at least 2"),
	MISTAKE(too_many_in, TSR_ERROR_ARGUMENT, ".in of twice", "argument 1", "there are 1"),
	MISTAKE(too_many_out, TSR_ERROR_ARGUMENT, ".out of twice", "result 2", "there are 1"),
	MISTAKE(leaves_in, TSR_ERROR_ARGUMENT, ".in[0] of first_of has 3 specs", "2 leaves"),
	MISTAKE(leaves_out, TSR_ERROR_ARGUMENT, ".out[0] of a_pair has 3 specs", "2 leaves"),
	MISTAKE(committed_by_y, S, "tsr_jit of twice does not match", "spec=P('x',)",
	        "args[0] of type i32[8]", "spec=P('y',)"),
	MISTAKE(committed_elsewhere, S, "does not match", "Mesh('x': 4, 'y': 2)", "Mesh('x': 2)"),
	MISTAKE(committed_to_one, S, "does not match", "SingleDeviceSharding(device=0)"),
	MISTAKE(out_of_reach, S, "args[0]", "device ids [0, 1]", "[0, 1, 2, 3, 4, 5, 6, 7]"),
	MISTAKE(two_specs, TSR_ERROR_TYPE, "sharding_constraint has one spec, not 2"),
	MISTAKE(long_spec, S, "rank at least 2"),
	MISTAKE(open_and_cut, TSR_ERROR_TYPE, "open is (0,)", "f32[6]"),
	MISTAKE(open_outside, TSR_ERROR_TYPE, "open is (1,)", "f32[6]"),
	MISTAKE(open_falls, TSR_ERROR_TYPE, "open is (0, 0)", "rising"),
	MISTAKE(spec_before_mesh, TSR_ERROR_TEXT, "to of sharding_constraint comes after mesh"),
};

static void test_mistakes(void **state)
{
	(void)state;
	assert_int_equal(
		mistakes_check("test_constrain.c", table, sizeof table / sizeof *table), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_mistakes)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
