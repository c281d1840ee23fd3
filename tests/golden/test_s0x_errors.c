/* test_s0x_errors.c - the mistakes with recorded messages, made again in C: one function each. A
 * row of the table says which facts (names, shapes, axes, sizes) both messages must carry, and
 * which ours has in addition. The context stays usable after each. */
#include "support/golden.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#define P TSR_P
#define D TSR_DIMS

static tsr_mesh *ring(tsr_ctx *ctx) { return tsr_mesh_make(ctx, {"i", 4}); }
static tsr_mesh *pair(tsr_ctx *ctx) { return tsr_mesh_make(ctx, {"i", 2}); }
static tsr_mesh *grid(tsr_ctx *ctx) { return tsr_mesh_make(ctx, {"i", 4}, {"j", 2}); }
static tsr *range(tsr_ctx *ctx, int64_t n) { return tsr_arange(ctx, n, .dtype = TSR_F32); }
static tsr *matrix(tsr_ctx *ctx) { return tsr_reshape(range(ctx, 32), D(8, 4)); }

static tsr *block_itself(tsr *v) { return v; }

/* ---- specs and shapes */

static void indivisible(tsr_ctx *ctx)
{
	tsr_call(tsr_shard_map(ring(ctx), block_itself, .sig = "[i] -> [i]"), range(ctx, 6));
}

static void indivisible_tuple(tsr_ctx *ctx)
{
	tsr_call(tsr_shard_map(grid(ctx), block_itself, .sig = "[i*j] -> [i*j]"), range(ctx, 12));
}

static void spec_too_long(tsr_ctx *ctx)
{
	tsr_call(tsr_shard_map(ring(ctx), block_itself, .in = TSR_SPECS(P("i", NULL)),
	                       .out = TSR_SPECS(P("i"))), range(ctx, 8));
}

static void scalar_input(tsr_ctx *ctx)
{
	tsr_call(tsr_shard_map(ring(ctx), block_itself, .sig = "[i] -> [i]"), 1.0f);
}

static tsr *total(tsr *v) { return tsr_sum(v); }

static void out_rank(tsr_ctx *ctx)
{
	tsr_call(tsr_shard_map(ring(ctx), total, .sig = "[i] -> [i]"), range(ctx, 8));
}

static void unknown_axis_spec(tsr_ctx *ctx)
{
	tsr_call(tsr_shard_map(ring(ctx), block_itself, .sig = "[q] -> [i]"), range(ctx, 8));
}

static void one_spec_too_many(tsr_ctx *ctx)
{
	tsr_call(tsr_shard_map(ring(ctx), block_itself, .sig = "[i] [i] -> [i]"), range(ctx, 8));
}

static void duplicate_axis(tsr_ctx *ctx) { (void)!tsr_sharding_make(grid(ctx), P("i", "i")); }
static void unknown_axis(tsr_ctx *ctx) { (void)!tsr_sharding_make(grid(ctx), P("q")); }
static void put_rank(tsr_ctx *ctx) { (void)!tsr_put(range(ctx, 8), ring(ctx), P("i", NULL)); }

/* ---- axes and collectives */

static void call_on_ring(tsr_ctx *ctx, tsr *(*body)(tsr *), tsr *x)
{
	tsr_call(tsr_shard_map(ring(ctx), body, .sig = "[i] -> [i]"), x);
}

static tsr *psum_q(tsr *v) { return tsr_psum(v, "q"); }
static void unbound_axis(tsr_ctx *ctx) { call_on_ring(ctx, psum_q, range(ctx, 8)); }
static void unbound_outside(tsr_ctx *ctx) { (void)!tsr_psum(range(ctx, 8), "i"); }

static tsr *scatter_untiled(tsr *v) { return tsr_psum_scatter(v, "i"); }
static tsr *scatter_tiled(tsr *v) { return tsr_psum_scatter(v, "i", .tiled = true); }
static tsr *swap_untiled(tsr *v) { return tsr_all_to_all(v, "i"); }
static tsr *swap_tiled(tsr *v) { return tsr_all_to_all(v, "i", .tiled = true); }
static tsr *two_to_one(tsr *v) { return tsr_ppermute(v, "i", TSR_PAIRS({0, 1}, {2, 1})); }
static void scatter_size(tsr_ctx *ctx) { call_on_ring(ctx, scatter_untiled, range(ctx, 8)); }
static void swap_size(tsr_ctx *ctx) { call_on_ring(ctx, swap_untiled, range(ctx, 8)); }
static void swap_tiled_size(tsr_ctx *ctx) { call_on_ring(ctx, swap_tiled, range(ctx, 8)); }
static void same_destination(tsr_ctx *ctx) { call_on_ring(ctx, two_to_one, range(ctx, 8)); }

static void scatter_tiled_size(tsr_ctx *ctx)
{
	tsr_call(tsr_shard_map(ring(ctx), scatter_tiled, .sig = "[] -> [i]"), range(ctx, 6));
}

static void map_again(tsr_frame *frame)
{
	tsr *v = tsr_frame_arg(frame, 0);
	tsr_fn *inner = tsr_shard_map(ring(tsr_frame_ctx(frame)), block_itself,
	                              .sig = "[i] -> [i]");
	tsr_return(frame, tsr_call(inner, v));
}

static void nested(tsr_ctx *ctx)
{
	tsr_call(tsr_shard_map(ring(ctx), map_again, .sig = "[i] -> [i]"), range(ctx, 8));
}

/* ---- results that may differ where their spec says that they do not */

static tsr *gather(tsr *v) { return tsr_all_gather(v, "i", .tiled = true); }

static void gather_differs(tsr_ctx *ctx)
{
	tsr_fn *f = tsr_shard_map(ring(ctx), gather, .sig = "[i] -> []");
	tsr_call(tsr_jit(ctx, f), range(ctx, 8));
}

static void block_differs(tsr_ctx *ctx)
{
	tsr_fn *f = tsr_shard_map(pair(ctx), block_itself, .sig = "[i] -> []");
	tsr_call(tsr_jit(ctx, f), range(ctx, 6));
}

static void block_differs_eager(tsr_ctx *ctx)
{
	tsr_call(tsr_shard_map(pair(ctx), block_itself, .sig = "[i] -> []"), range(ctx, 6));
}

static void one_of_two_axes(tsr_ctx *ctx)
{
	tsr_fn *f = tsr_shard_map(grid(ctx), block_itself, .sig = "[i,j] -> [i]");
	tsr_call(tsr_jit(ctx, f), matrix(ctx));
}

static void two_axes(tsr_ctx *ctx)
{
	tsr_fn *f = tsr_shard_map(grid(ctx), block_itself, .sig = "[i,j] -> []");
	tsr_call(tsr_jit(ctx, f), matrix(ctx));
}

/* ---- meshes, pictures, arrays */

static void six_of_eight(tsr_ctx *ctx)
{
	static const int64_t ids[] = {0, 1, 2, 3, 4, 5, 6, 7};
	(void)tsr_mesh_make_devices(ctx, ids, 8, {"x", 3}, {"y", 2});
}

static void split_sizes(tsr_ctx *ctx)
{
	tsr *parts[3];
	tsr_split(range(ctx, 8), 0, parts, 3);
}

static void other_devices(tsr_ctx *ctx)
{
	tsr *x = tsr_put(range(ctx, 8), ring(ctx), P("i"));
	(void)!tsr_add(x, tsr_put(range(ctx, 8), pair(ctx), P("i")));
}

/* ---- gradients */

static tsr *squared(tsr *v) { return tsr_mul(v, v); }
static void grad_int(tsr_ctx *ctx) { tsr_call(tsr_grad(ctx, squared), tsr_scalar(ctx, 3)); }
static void grad_vector(tsr_ctx *ctx) { tsr_call(tsr_grad(ctx, squared), range(ctx, 8)); }

static tsr *largest(tsr *w) { return tsr_pmax(w, "i"); }

static tsr *sum_of_largest(tsr *v)
{
	tsr_fn *f = tsr_shard_map(ring(tsr_ctx_of(v)), largest, .sig = "[i] -> []");
	return tsr_sum(tsr_call(f, v));
}

static void pmax_grad(tsr_ctx *ctx) { tsr_call(tsr_grad(ctx, sum_of_largest), range(ctx, 8)); }

/* ---- the table */

typedef struct mistake {
	const char *id, *name;
	void (*make)(tsr_ctx *ctx);
	int code;
	const char *facts[8], *own[6];
} mistake;

static mistake mistakes[] = {
	{"s0x.errors", "error_indivisible", indivisible, TSR_ERROR_SHARDING,
	 {"args[0]", "f32[6]", "P('i',)", "'i'", "4"}, {"block_itself"}},
	{"s0x.errors", "error_indivisible_tuple", indivisible_tuple, TSR_ERROR_SHARDING,
	 {"args[0]", "f32[12]", "P(('i', 'j'),)", "8"}, {"block_itself"}},
	{"s0x.errors", "error_spec_too_long", spec_too_long, TSR_ERROR_SHARDING,
	 {"args[0]", "f32[8]", "P('i', None)", "2", "1"}, {"block_itself"}},
	{"s0x.errors", "error_scalar_input", scalar_input, TSR_ERROR_SHARDING,
	 {"args[0]", "f32[]", "P('i',)", "1", "0"}, {"block_itself"}},
	{"s0x.errors", "error_out_rank", out_rank, TSR_ERROR_SHARDING,
	 {"f32[]", "P('i',)", "1", "0"}, {"total"}},
	{"s0x.errors", "error_unknown_axis_spec", unknown_axis_spec, TSR_ERROR_SHARDING,
	 {"'q'", "'i'"}, {NULL}},
	{"s0x.errors", "error_prefix", one_spec_too_many, TSR_ERROR_ARGUMENT,
	 {"2", "1"}, {"block_itself"}},
	{"s0x.errors", "error_duplicate_axis", duplicate_axis, TSR_ERROR_SHARDING,
	 {"P('i', 'i')", "i"}, {NULL}},
	{"s0x.errors", "error_unknown_axis", unknown_axis, TSR_ERROR_SHARDING,
	 {"P('q',)", "q", "'i'", "'j'"}, {NULL}},
	{"s0x.errors", "error_device_put_rank", put_rank, TSR_ERROR_SHARDING,
	 {"P('i'", "2", "1"}, {"put"}},
	{"s0x.errors", "error_unbound_axis", unbound_axis, TSR_ERROR_SHARDING,
	 {NULL}, {"psum", "q"}},
	{"s0x.errors", "error_unbound_outside", unbound_outside, TSR_ERROR_SHARDING,
	 {"unbound axis name", "i"}, {"psum"}},
	{"s0x.errors", "error_psum_scatter_size", scatter_size, TSR_ERROR_TYPE,
	 {"2", "4"}, {"psum_scatter", "i"}},
	{"s0x.errors", "error_psum_scatter_tiled_size", scatter_tiled_size, TSR_ERROR_TYPE,
	 {"6", "4"}, {"psum_scatter", "i"}},
	{"s0x.errors", "error_all_to_all_size", swap_size, TSR_ERROR_TYPE,
	 {"all_to_all", "4", "2"}, {"i"}},
	{"s0x.errors", "error_all_to_all_tiled_size", swap_tiled_size, TSR_ERROR_TYPE,
	 {"all_to_all", "i", "2", "4"}, {NULL}},
	{"s0x.errors", "error_ppermute_duplicate", same_destination, TSR_ERROR_ARGUMENT,
	 {"ppermute", "((0, 1), (2, 1))"}, {NULL}},
	{"s0x.errors", "error_nested_same_mesh", nested, TSR_ERROR_SHARDING,
	 {"i"}, {"manual", "block_itself"}},
	{"s0x.errors", "error_all_gather_invariant", gather_differs, TSR_ERROR_SHARDING,
	 {"P()", "'i'"}, {"gather", "{i}"}},
	{"s0x.wrong_promise", "error_vma", block_differs, TSR_ERROR_SHARDING,
	 {"P()", "'i'"}, {"block_itself", "{i}"}},
	{"s0x.wrong_promise", "error_vma_eager", block_differs_eager, TSR_ERROR_SHARDING,
	 {"P()", "'i'"}, {"block_itself", "{i}"}},
	{"s0x.wrong_promise", "error_vma_one_of_two_axes", one_of_two_axes, TSR_ERROR_SHARDING,
	 {"P('i',)", "'j'"}, {"block_itself", "{j}"}},
	{"s0x.wrong_promise", "error_vma_two_axes", two_axes, TSR_ERROR_SHARDING,
	 {"P()", "{i,j}"}, {"block_itself"}},
	{"s0x.errors", "error_create_device_mesh_size", six_of_eight, TSR_ERROR_SHARDING,
	 {"8"}, {"6"}},
	{"s0x.errors", "error_split_sizes", split_sizes, TSR_ERROR_TYPE,
	 {"split", "2"}, {"8", "3"}},
	{"s0x.errors", "error_grad_int", grad_int, TSR_ERROR_TYPE,
	 {"grad requires real- or complex-valued inputs"}, {"i32", "args[0]", "squared", "wrt"}},
	{"s0x.errors", "error_pmax_grad", pmax_grad, TSR_ERROR_UNSUPPORTED,
	 {"Differentiation rule for 'pmax' not implemented"}, {"tsr_max", "tsr_all_gather"}},
	{"s0x.errors", "error_grad_vector", grad_vector, TSR_ERROR_TYPE,
	 {"Gradient only defined for scalar-output functions", "8"}, {"f32[8]", "squared"}},
	{"s0x.errors", "error_incompatible_devices", other_devices, TSR_ERROR_SHARDING,
	 {"add", "f32[8]", "[0, 1, 2, 3]", "[0, 1]"}, {NULL}},
};

static void run(void **state)
{
	const mistake *m = *state;
	tsr_ctx *ctx = tsr_open(.devices = 8);
	m->make(ctx);
	golden_error(ctx, m->code, __FILE__, m->id, m->name, m->facts, m->own);
	assert_true(tsr_item(tsr_sum(range(ctx, 4))) == 6);
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	enum { MISTAKES = sizeof mistakes / sizeof *mistakes };
	struct CMUnitTest tests[MISTAKES];
	for (size_t i = 0; i < MISTAKES; i++)
		tests[i] = (struct CMUnitTest){.name = mistakes[i].name, .test_func = run,
		                               .initial_state = &mistakes[i]};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
