/* test_maps.c - meshes, specs and shard_map: indivisible blocks, specs longer than the array,
 * unknown, repeated, manual and unbound axes, results that may vary over an axis their spec leaves
 * out, wrong numbers of specs. */
#include "support/mistakes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#define P TSR_P
#define D TSR_DIMS
TSR_TREE_TYPE(linear, { tsr *weight, *bias; });
TSR_TREE_TYPE(network, { linear up; tsr *scale; });

static tsr *same(tsr *x)
{
	return tsr_copy(x);
}

static tsr *first(tsr *x, tsr *y)
{
	(void)y;
	return tsr_copy(x);
}

static tsr *total(tsr *x)
{
	return tsr_sum(x);
}

/* x of a map with these specs; text names the body */
#define MAP(w, body, in_spec, out_spec) \
	tsr_shard_map((w)->mesh, body, .in = TSR_SPECS(in_spec), .out = TSR_SPECS(out_spec))

/* ---- meshes */

#define MESH(name, ...) static tsr *name(world *w) \
{ \
	tsr_mesh *mesh = WRONG(w, tsr_mesh_make(w->ctx, __VA_ARGS__)); \
	return tsr_put(w->a, mesh, P()); \
}
MESH(mesh_too_large, {"x", 4}, {"y", 3})
MESH(mesh_repeated_name, {"x", 2}, {"x", 2})
MESH(mesh_empty_name, {"x", 2}, {"", 2})
MESH(mesh_null_name, {NULL, 2})
MESH(mesh_bad_name, {"x*y", 2})
MESH(mesh_zero_size, {"x", 0})
MESH(mesh_negative_size, {"rows", -2})
MESH(mesh_overflow, {"x", INT64_MAX}, {"y", INT64_MAX})

static tsr *mesh_without_axes(world *w)
{
	tsr_mesh *mesh = WRONG(w, tsr_mesh_make_at(TSR_HERE, w->ctx, NULL, 0));
	return tsr_put(w->a, mesh, P());
}

static tsr *mesh_of_ids(world *w, const int64_t *ids, size_t count, int line)
{
	const tsr_axis x = {"x", 4};
	tsr_mesh *mesh = tsr_mesh_make_devices_at("test_maps.c:1", w->ctx, ids, count, &x, 1);
	w->line = line;
	return tsr_put(w->a, mesh, P());
}

static tsr *mesh_too_few_ids(world *w)
{
	return mesh_of_ids(w, (int64_t[]){0, 1, 2}, 3, 1);
}

static tsr *mesh_repeated_id(world *w)
{
	return mesh_of_ids(w, (int64_t[]){0, 1, 2, 1}, 4, 1);
}

static tsr *mesh_unknown_id(world *w)
{
	return mesh_of_ids(w, (int64_t[]){0, 1, 2, 88}, 4, 1);
}

/* ---- specs of put */
#define CASE(name, call) static tsr *name(world *w) { return WRONG(w, call); }
CASE(put_unknown_axis, tsr_put(w->a, w->mesh, P("rows")))
CASE(put_repeated_axis, tsr_put(w->a, w->mesh, P("x", "x")))
CASE(put_repeated_in_entry, tsr_put(w->a, w->mesh, P("y*x*y")))
CASE(put_long_spec, tsr_put(w->v, w->mesh, P(NULL, "x")))
CASE(put_on_scalar, tsr_put(tsr_scalar(w->a, 1.0), w->mesh, P("x")))
CASE(put_on_no_device, tsr_put_device(w->a, 8))
CASE(put_on_negative_device, tsr_put_device(w->a, -1))
CASE(put_on_no_mesh, tsr_put(w->a, NULL, P("x")))
CASE(put_on_no_sharding, tsr_put_sharding(w->a, NULL))
CASE(put_malformed_entry, tsr_put(w->a, w->mesh, P("x*")))
CASE(committed_apart, tsr_add(tsr_put_device(w->a, 1), tsr_put_device(w->a, 2)))
CASE(shard_out_of_range, tsr_shard_data(tsr_put(w->a, w->mesh, P("x")), 8))

static tsr *pieces_of_wrong_number(world *w)
{
	tsr *piece[] = {w->v, w->v};
	const tsr_sharding *s = tsr_sharding_make(w->mesh, P("x"));
	return WRONG(w, tsr_from_shards(w->ctx, s, D(24), piece, 2));
}

/* ---- blocks that do not divide */
CASE(block_does_not_divide, tsr_call(MAP(w, same, P("x"), P("x")), w->v))

static tsr *block_does_not_divide_tuple(world *w)
{
	tsr *x = tsr_zeros(w->ctx, D(3, 12));
	return WRONG(w, tsr_call(MAP(w, same, P(NULL, "x*y"), P(NULL, "x*y")), x));
}

static tsr *block_does_not_divide_nor_there(world *w)
{
	tsr *x = tsr_zeros(w->ctx, D(6, 7));
	return WRONG(w, tsr_call(MAP(w, same, P("x", "y"), P("x", "y")), x));
}

static tsr *uses_linear(tsr_tree t, tsr *x)
{
	const linear *p = TSR_TREE_OF(linear, t);
	return tsr_add(tsr_dot(x, p->weight), p->bias);
}

static tsr *leaf_does_not_divide(world *w)
{
	linear p = {.weight = w->b, .bias = tsr_zeros(w->ctx, D(3))};
	static const tsr_spec leaf[] = {TSR_SPEC(NULL, "y"), TSR_SPEC("y")};
	tsr_fn *f = tsr_shard_map(w->mesh, uses_linear, .name = "layer",
	                          .out = TSR_SPECS(P("x", "y")),
	                          .in = {TSR_FOR_EACH(leaf), TSR_FOR_ALL(P("x"))});
	return WRONG(w, tsr_call(f, TSR_TREE(linear, &p), w->a));
}

static tsr *uses_network(tsr_tree t, tsr *x)
{
	const network *p = TSR_TREE_OF(network, t);
	return tsr_mul(tsr_dot(x, p->up.weight), p->scale);
}

static tsr *leaf_of_a_nested_tree(world *w)
{
	network p = {.up = {.weight = w->b, .bias = w->v}, .scale = tsr_ones(w->a, D(4))};
	tsr_fn *f = tsr_shard_map(w->mesh, uses_network, .out = TSR_SPECS(P("x")),
	                          .in = {TSR_FOR_ALL(P("x")), TSR_FOR_ALL(P("x"))}, .name = "net");
	return WRONG(w, tsr_call(f, TSR_TREE(network, &p), w->a));
}

/* ---- specs that are too long */
CASE(in_spec_too_long, tsr_call(MAP(w, same, P(NULL, "x"), P()), w->i))
CASE(in_spec_on_scalar, tsr_call(MAP(w, same, P("x"), P("x")), tsr_scalar(w->a, 1.0)))
CASE(out_spec_too_long, tsr_call(MAP(w, same, P("x"), P("x", NULL, "y")), w->a))
CASE(out_spec_on_scalar, tsr_call(MAP(w, total, P("x"), P("x")), w->i))

/* ---- axes of specs */
CASE(in_unknown_axis, tsr_call(MAP(w, same, P("rows"), P()), w->a))
CASE(out_unknown_axis, tsr_call(MAP(w, same, P("x"), P("cols")), w->a))
CASE(in_repeated_axis, tsr_call(MAP(w, same, P("x", "x"), P("x")), w->a))
CASE(out_repeated_axis, tsr_call(MAP(w, same, P("x"), P("x*x")), w->a))
#define SIG(...) tsr_shard_map(w->mesh, same, .sig = __VA_ARGS__)
CASE(in_axis_not_manual, tsr_call(SIG("[x,y] -> [x]", .axes = "x"), w->a))
CASE(unknown_manual_axis, tsr_call(SIG("[x] -> [x]", .axes = "x*rows"), w->a))
CASE(repeated_manual_axis, tsr_call(SIG("[x] -> [x]", .axes = "x*x"), w->a))
CASE(sig_malformed, tsr_call(SIG("[x -> [x]"), w->a))
CASE(sig_without_arrow, tsr_call(SIG("[x] [x]"), w->a))
CASE(sig_unknown_axis, tsr_call(SIG("[rows] -> [x]"), w->a))
CASE(sig_and_specs, tsr_call(SIG("[x] -> [x]", .out = TSR_SPECS(P("x"))), w->a))

/* ---- numbers of specs */
CASE(too_few_in_specs, tsr_call(MAP(w, first, P("x"), P("x")), w->a, w->a))
CASE(too_many_in_specs, tsr_call(SIG("[x] [y] -> [x]"), w->a))
CASE(too_many_out_specs, tsr_call(SIG("[x] -> [x] [x]"), w->a))
CASE(no_out_spec, tsr_call(tsr_shard_map(w->mesh, same, .in = TSR_SPECS(P("x"))), w->a))

static tsr *fewer_arguments_than_specs(world *w)
{
	tsr_fn *f = tsr_shard_map(w->mesh, first, .sig = "[x] [x] -> [x]");
	return WRONG(w, tsr_call(f, w->a));
}

static tsr *leaf_specs_of_other_number(world *w)
{
	linear p = {.weight = w->b, .bias = tsr_zeros(w->ctx, D(4))};
	static const tsr_spec leaf[] = {TSR_SPEC(), TSR_SPEC(), TSR_SPEC()};
	tsr_fn *f = tsr_shard_map(w->mesh, uses_linear, .name = "layer", .out = TSR_SPECS(P("x")),
	                          .in = {TSR_FOR_EACH(leaf), TSR_FOR_ALL(P("x"))});
	return WRONG(w, tsr_call(f, TSR_TREE(linear, &p), w->a));
}

/* ---- results that may vary over an axis that their spec leaves out */
CASE(varies_over_one, tsr_call(MAP(w, same, P("x", "y"), P("x")), w->a))
CASE(varies_over_two, tsr_call(MAP(w, same, P("x", "y"), P()), w->a))

static tsr *tall_mesh(world *w, tsr_spec in, tsr_spec out, int line)
{
	tsr_mesh *mesh = tsr_mesh_make(w->ctx, {"x", 2}, {"y", 2}, {"z", 2});
	tsr_fn *f = tsr_shard_map(mesh, same, .in = TSR_SPECS(in), .out = TSR_SPECS(out));
	w->line = line;
	return tsr_call_at("test_maps.c:1", f, &(tsr_arg){.kind = TSR_KIND_ONE, .as.one = w->a}, 1);
}

static tsr *varies_over_two_of_three(world *w)
{
	return tall_mesh(w, P("x*y", "z"), P("x"), 1);
}

static tsr *varies_over_one_of_three(world *w)
{
	return tall_mesh(w, P("x", "z"), P("x*y"), 1);
}

static tsr *sums_half(tsr *x)
{
	return tsr_psum(x, "y");
}
CASE(sum_over_the_wrong_axis, tsr_call(MAP(w, sums_half, P("x", "y"), P(NULL, "y")), w->a))

static tsr *position(tsr_ctx *ctx)
{
	return tsr_ravel(tsr_axis_index(ctx, "x"));
}
CASE(axis_index_varies, tsr_call(tsr_shard_map(w->mesh, position, .out = TSR_SPECS(P()))))

/* ---- names that are not bound */

static int body_line;

static tsr *unbound(tsr *x)
{
	body_line = __LINE__ + 1;
	return tsr_psum(x, "rows");
}

static tsr *unbound_in_a_map(world *w)
{
	tsr *y = tsr_call(MAP(w, unbound, P("x"), P("x")), w->a);
	w->line = body_line;
	return y;
}

static tsr *unbound_in_jit(world *w)
{
	tsr *y = tsr_call(tsr_jit(w->ctx, unbound), w->a);
	w->line = body_line;
	return y;
}

static tsr *not_yet_manual(tsr *x)
{
	body_line = __LINE__ + 1;
	return tsr_psum(x, "y");
}

static tsr *axis_of_the_mesh_but_not_manual(world *w)
{
	tsr_fn *f = tsr_shard_map(w->mesh, not_yet_manual, .sig = "[x] -> [x]", .axes = "x");
	tsr *y = tsr_call(f, w->a);
	w->line = body_line;
	return y;
}

CASE(psum_outside, tsr_psum(w->a, "x"))
CASE(all_gather_outside, tsr_all_gather(w->a, "x"))
CASE(all_to_all_outside, tsr_all_to_all(w->a, "x"))
CASE(ppermute_outside, tsr_ppermute(w->a, "x", TSR_SHIFT(1)))
CASE(axis_index_outside, tsr_axis_index(w->a, "x"))
CASE(pcast_outside, tsr_pcast(w->a, "x"))

static tsr *axis_size_outside(world *w)
{
	return WRONG(w, tsr_axis_size(w->a, "x")) == 0 ? NULL : w->a;
}

static tsr *varying_outside(world *w)
{
	return WRONG(w, tsr_varying(w->a, "x")) ? w->a : NULL;
}

/* ---- maps in maps: .env is the mesh, which the inner map is over */

static tsr *calls_inner(world *w, tsr_spec in, const char *axes, tsr *x, int line)
{
	tsr_fn *f = tsr_shard_map(w->mesh, same, .in = TSR_SPECS(in), .out = TSR_SPECS(in),
	                          .axes = axes);
	body_line = line;
	return tsr_call_at("test_maps.c:2", f, &(tsr_arg){.kind = TSR_KIND_ONE, .as.one = x}, 1);
}

static void same_axes_again(tsr_frame *frame)
{
	world *const *w = tsr_frame_env(frame);
	tsr_return(frame, calls_inner(*w, P("x"), "x", tsr_frame_arg(frame, 0), 2));
}

static void outer_axis_in_a_spec(tsr_frame *frame)
{
	world *const *w = tsr_frame_env(frame);
	tsr_return(frame, calls_inner(*w, P("x"), "y", tsr_frame_arg(frame, 0), 2));
}

static void no_axis_left(tsr_frame *frame)
{
	world *const *w = tsr_frame_env(frame);
	tsr_return(frame, calls_inner(*w, P(), NULL, tsr_frame_arg(frame, 0), 2));
}

static void inner_does_not_divide(tsr_frame *frame)
{
	world *const *w = tsr_frame_env(frame);
	tsr *three = tsr_slice(tsr_frame_arg(frame, 0), 1, 0, 3);
	tsr_return(frame, calls_inner(*w, P(NULL, "y"), "y", three, 2));
}

static void other_mesh_inside(tsr_frame *frame)
{
	world *const *w = tsr_frame_env(frame);
	tsr_mesh *mesh = tsr_mesh_make((*w)->ctx, {"y", 2});
	tsr_fn *f = tsr_shard_map(mesh, same, .sig = "[y] -> [y]");
	tsr_return(frame, tsr_call_at("test_maps.c:2", f,
	                              (tsr_arg[]){TSR_ARG(tsr_frame_arg(frame, 0))}, 1));
}

#define NESTED(id, body, outer_axes) static tsr *id(world *w) \
{ \
	tsr_fn *f = tsr_shard_map(w->mesh, body, .sig = "[x] -> [x]", .axes = outer_axes, \
	                          TSR_ENV(&w), .name = "outer"); \
	w->line = 2; \
	return tsr_call(f, w->a); \
}
NESTED(manual_axis_again, same_axes_again, "x")
NESTED(manual_axis_in_inner_spec, outer_axis_in_a_spec, "x")
NESTED(nothing_left_to_map, no_axis_left, NULL)
NESTED(inner_block_does_not_divide, inner_does_not_divide, "x")
NESTED(inner_mesh_is_another, other_mesh_inside, "x")

/* ---- errors in a body get notes on their way out */

static tsr *wrong_inside(tsr *x)
{
	body_line = __LINE__ + 1;
	return tsr_dot(x, x);
}

static tsr *body_fails(world *w)
{
	tsr_fn *f = tsr_shard_map(w->mesh, wrong_inside, .sig = "[x,y] -> [x,y]", .name = "wrong");
	tsr *y = tsr_call(f, tsr_ones(w->ctx, D(8, 8)));
	w->line = body_line;
	return y;
}

static tsr *body_fails_under_jit(world *w)
{
	tsr_fn *f = tsr_shard_map(w->mesh, wrong_inside, .sig = "[x,y] -> [x,y]", .name = "wrong");
	tsr *y = tsr_call(tsr_jit(w->ctx, f, .name = "step"), tsr_ones(w->ctx, D(8, 8)));
	w->line = body_line;
	return y;
}

#define S TSR_ERROR_SHARDING
/* ---- operands on other devices, as the caller knows them */

TSR_TREE_TYPE(weights, { tsr *w, *b; });

static tsr *three_values(tsr_tree t, tsr *x)
{
	const weights *k = TSR_TREE_OF(weights, t);
	return tsr_add(tsr_add(k->w, k->b), x);
}

static tsr *leaf_on_other_devices(world *w)
{
	tsr_mesh *half = tsr_mesh_make(w->ctx, {"x", 4});
	tsr *here = tsr_put(w->i, half, P("x")), *there = tsr_put_device(w->i, 7);
	weights k = {.w = here, .b = there};
	tsr_fn *f = tsr_jit(w->ctx, three_values);
	return WRONG(w, tsr_call(f, TSR_TREE(weights, &k), here));
}

enum { LAYERS = 2 };
#define HEADS 3
TSR_TREE_TYPE(dense, { tsr *w, *b; });
TSR_TREE_TYPE(block, { tsr *const scale; dense head[HEADS], out; });
TSR_TREE_TYPE(model, { tsr *embed; block layer[LAYERS]; tsr *grid[2][3]; });

static tsr *last_leaf_copied(tsr_tree t)
{
	return tsr_copy(t.leaf[t.count - 1]);
}

/* the error of a call on a tree whose leaf that `at` points to lies on other devices */
static tsr *apart(world *w, tsr_tree t, tsr *const *at)
{
	tsr *there = tsr_put_device(w->i, 7);
	for (size_t i = 0; i < t.count; i++) t.leaf[i] = tsr_put_device(w->i, 3);
	t.leaf[at - t.leaf] = there;
	return WRONG(w, tsr_call(tsr_jit(w->ctx, last_leaf_copied), t));
}
#define APART(name, field) static tsr *name(world *w) \
{ \
	model m = {.embed = NULL}; \
	return apart(w, TSR_TREE(model, &m), &m.field); \
}
APART(nested_leaf_apart, layer[1].head[2].b)
APART(leaf_behind_arrays_apart, layer[0].out.w)
APART(first_of_nested_apart, layer[1].scale)
APART(leaf_of_a_grid_apart, grid[1][2])

static model kept;

static tsr *reads_kept(tsr *x)
{
	return tsr_add(x, kept.layer[1].out.b);
}

static tsr *captured_leaf_apart(world *w)
{
	tsr *there = tsr_put_device(w->i, 7), *here = tsr_put_device(w->i, 3);
	for (size_t i = 0; i < sizeof kept.leaf / sizeof *kept.leaf; i++) kept.leaf[i] = NULL;
	kept.layer[1].out.b = there;
	tsr_fn *f = tsr_jit(w->ctx, reads_kept, .captures = TSR_TREE(model, &kept));
	return WRONG(w, tsr_call(f, here));
}

static tsr *slots[2];

static tsr *reads_slots(tsr *x)
{
	return tsr_add(x, tsr_add(slots[0], slots[1]));
}

static tsr *capture_on_other_devices(world *w)
{
	tsr_fn *f = tsr_jit(w->ctx, reads_slots, .captures = TSR_LEAVES(slots, 2));
	tsr *here = tsr_put_device(w->i, 3);
	slots[0] = here;
	slots[1] = tsr_put_device(w->i, 4);
	return WRONG(w, tsr_call(f, here));
}

static tsr *lifted_on_other_devices(world *w)
{
	tsr_fn *f = tsr_jit(w->ctx, reads_slots);
	tsr *here = tsr_put_device(w->i, 3);
	slots[0] = here;
	slots[1] = tsr_put_device(w->i, 4);
	return WRONG(w, tsr_call(f, here));
}

static tsr *maps_over_x(tsr *x)
{
	tsr_mesh *m = tsr_mesh_make(x, {"x", 4});
	return tsr_call(tsr_shard_map(m, same, .sig = "[x] -> [x]"), x);
}

static tsr *argument_on_other_devices(world *w)
{
	tsr_fn *f = tsr_jit(w->ctx, maps_over_x);
	tsr *there = tsr_put_device(w->i, 7);
	return WRONG(w, tsr_call(f, there));
}

static const mistake table[] = {
	MISTAKE(mesh_too_large, S, "12", "8"),
	MISTAKE(mesh_repeated_name, S, "'x'"),
	MISTAKE(mesh_empty_name, S, "name"),
	MISTAKE(mesh_null_name, S, "name"),
	MISTAKE(mesh_bad_name, S, "x*y"),
	MISTAKE(mesh_zero_size, S, "'x'", "0"),
	MISTAKE(mesh_negative_size, S, "'rows'", "-2"),
	MISTAKE(mesh_overflow, S, "8"),
	MISTAKE(mesh_without_axes, S, "1 to 64 axes", "0"),
	MISTAKE(mesh_too_few_ids, S, "3", "4"),
	MISTAKE(mesh_repeated_id, S, "1"),
	MISTAKE(mesh_unknown_id, S, "88"),
	MISTAKE(put_unknown_axis, S, "rows", "'x'", "'y'"),
	MISTAKE(put_repeated_axis, S, "x"),
	MISTAKE(put_repeated_in_entry, S, "y"),
	MISTAKE(put_long_spec, S, "P(None, 'x')", "2", "1"),
	MISTAKE(put_on_scalar, S, "P('x'", "0"),
	MISTAKE(put_on_no_device, S, "8"),
	MISTAKE(put_on_negative_device, S, "-1"),
	MISTAKE(put_on_no_mesh, TSR_ERROR_ARGUMENT, "put", "mesh", "NULL"),
	MISTAKE(put_on_no_sharding, TSR_ERROR_ARGUMENT, "put", "sharding", "NULL"),
	MISTAKE(put_malformed_entry, S, "x*"),
	MISTAKE(committed_apart, S, "add", "1", "2"),
	MISTAKE(shard_out_of_range, TSR_ERROR_ARGUMENT, "8"),
	MISTAKE(pieces_of_wrong_number, S, "2", "8"),
	MISTAKE(block_does_not_divide, S, "same", "args[0]", "f32[6]", "'x'", "4",
	        ".in[0]", "pad"),
	MISTAKE(block_does_not_divide_tuple, S, "same", "f32[3,12]", "('x', 'y')", "8", "12", "1"),
	MISTAKE(block_does_not_divide_nor_there, S, "f32[6,7]", "'x'", "4", "'y'", "2", "7"),
	MISTAKE(leaf_does_not_divide, S, "layer", "bias", "f32[3]", "'y'", "2"),
	MISTAKE(leaf_of_a_nested_tree, S, "net", "args[0].up.bias", "f32[6]", "'x'", "4"),
	MISTAKE(in_spec_too_long, S, "same", ".in[0]", "P(None, 'x')", "2", "i32[8]", "1"),
	MISTAKE(in_spec_on_scalar, S, "same", ".in[0]", "P('x'", "f32[]", "P()"),
	MISTAKE(out_spec_too_long, S, "same", ".out[0]", "'y'", "3", "f32[2,16]", "2"),
	MISTAKE(out_spec_on_scalar, S, "total", ".out[0]", "P('x'", "i32[]", "dim of size 1"),
	MISTAKE(in_unknown_axis, S, "rows"),
	MISTAKE(out_unknown_axis, S, "cols"),
	MISTAKE(in_repeated_axis, S, "'x'"),
	MISTAKE(out_repeated_axis, S, "'x'"),
	MISTAKE(in_axis_not_manual, S, ".in[0]", "{y}"),
	MISTAKE(unknown_manual_axis, S, "rows"),
	MISTAKE(repeated_manual_axis, S, "x"),
	MISTAKE(sig_malformed, S, "[x -> [x]", "column 7"),
	MISTAKE(sig_without_arrow, S, "[x] [x]", "->", "column 8"),
	MISTAKE(sig_unknown_axis, S, "rows"),
	MISTAKE(sig_and_specs, TSR_ERROR_ARGUMENT, "sig"),
	MISTAKE(too_few_in_specs, TSR_ERROR_ARGUMENT, "first", "1", "2"),
	MISTAKE(too_many_in_specs, TSR_ERROR_ARGUMENT, "same", "1", "2"),
	MISTAKE(too_many_out_specs, TSR_ERROR_ARGUMENT, "same", "1", "2"),
	MISTAKE(no_out_spec, TSR_ERROR_ARGUMENT, "out"),
	MISTAKE(fewer_arguments_than_specs, TSR_ERROR_ARGUMENT, "first", "1", "2"),
	MISTAKE(leaf_specs_of_other_number, TSR_ERROR_ARGUMENT, "layer", "3", "2"),
	MISTAKE(varies_over_one, S, "same", ".out[0]", "P('x'", "Mesh('x': 4, 'y': 2)",
	        "{y}", "{x,y}"),
	MISTAKE(varies_over_two, S, "same", ".out[0]", "P()", "{x,y}"),
	MISTAKE(varies_over_two_of_three, S, "'x': 2, 'y': 2, 'z': 2", "{x}", "{y,z}", "{x,y,z}"),
	MISTAKE(varies_over_one_of_three, S, "'x': 2, 'y': 2, 'z': 2", "P(('x', 'y')", "{z}",
	        "{x,z}"),
	MISTAKE(sum_over_the_wrong_axis, S, "sums_half", "'x'", "'y'"),
	MISTAKE(axis_index_varies, S, "position", "x"),
	MISTAKE(unbound_in_a_map, S, "unbound axis name", "rows", "psum", "while tracing"),
	MISTAKE(unbound_in_jit, S, "unbound axis name", "rows", "psum", "shard_map"),
	MISTAKE(axis_of_the_mesh_but_not_manual, S, "unbound axis name: y; in scope there is x",
	        "psum"),
	MISTAKE(psum_outside, S, "unbound axis name", "x", "psum", "shard_map"),
	MISTAKE(all_gather_outside, S, "unbound axis name", "x", "all_gather", "shard_map"),
	MISTAKE(all_to_all_outside, S, "x", "all_to_all", "shard_map"),
	MISTAKE(ppermute_outside, S, "unbound axis name", "x", "ppermute", "shard_map"),
	MISTAKE(axis_index_outside, S, "unbound axis name", "x", "axis_index", "shard_map"),
	MISTAKE(pcast_outside, S, "x", "pcast"),
	MISTAKE(axis_size_outside, S, "unbound axis name", "x", "axis_size"),
	MISTAKE(varying_outside, S, "x"),
	MISTAKE(manual_axis_again, S, "x", "manual", "while tracing outer"),
	MISTAKE(manual_axis_in_inner_spec, S, "x", "manual", "while tracing outer"),
	MISTAKE(nothing_left_to_map, S, "axes", "while tracing outer"),
	MISTAKE(inner_block_does_not_divide, S, "f32[2,3]", "'y'", "2", "while tracing outer"),
	MISTAKE(inner_mesh_is_another, S, "mesh", "while tracing outer"),
	MISTAKE(body_fails, TSR_ERROR_TYPE, "dot", "(2, 4)", "while tracing wrong"),
	MISTAKE(leaf_on_other_devices, S, "three_values",
	        "args[0].w of type i32[8] is on device ids [0, 1, 2, 3]",
	        "args[0].b of type i32[8] is on device ids [7]"),
	MISTAKE(nested_leaf_apart, S, "args[0].layer[1].head[2].b"),
	MISTAKE(leaf_behind_arrays_apart, S, "args[0].layer[0].out.w"),
	MISTAKE(first_of_nested_apart, S, "args[0].layer[1].scale"),
	MISTAKE(leaf_of_a_grid_apart, S, "args[0].grid[1][2]"),
	MISTAKE(captured_leaf_apart, S, ".captures slot 18", ".captures.layer[1].out.b"),
	MISTAKE(capture_on_other_devices, S, "args[0] of type i32[8] is on device ids [3]",
	        ".captures slot 1 of type i32[8] is on device ids [4]"),
	MISTAKE(lifted_on_other_devices, S, "args[0] of type i32[8] is on device ids [3]",
	        "that the body takes from outside of type i32[8] is on device ids [4]"),
	MISTAKE(argument_on_other_devices, S, "args[0] of type i32[8] is on device ids [7]",
	        "it computes on device ids [0, 1, 2, 3]"),
	MISTAKE(body_fails_under_jit, TSR_ERROR_TYPE, "dot", "while tracing wrong",
	        "while tracing step"),
};

static void test_mistakes(void **state)
{
	(void)state;
	assert_int_equal(mistakes_check("test_maps.c", table, sizeof table / sizeof *table), 0);
}

/* what may differ is an error where it is checked, and the first device's value where it is not */
static void test_unchecked_takes_the_first(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.devices = 4);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4});
	tsr_fn *f = tsr_shard_map(mesh, same, .sig = "[x] -> []", .unchecked = true);
	tsr *y = tsr_call(f, tsr_arange(ctx, 8));
	assert_true(tsr_array_equal(y, tsr_arange(ctx, 2)));
	assert_true(tsr_is_fully_replicated(y));
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_unchecked_takes_the_first),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
