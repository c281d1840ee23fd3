/* test_s0x_collectives.c - one collective in a map, for each that the tutorial shows: a table of
 * bodies, meshes and specs. Each runs checked, unchecked and under jit on x, and on the floats xf
 * where they were recorded; there the sum over ct * result and its gradient are compared. */
#include "support/golden.h"
#include "support/recorded_bytes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#define D TSR_DIMS

/* ---- bodies */

static tsr *psum_i(tsr *v) { return tsr_psum(v, "i"); }
static tsr *psum_ij(tsr *v) { return tsr_psum(v, "i*j"); }
static tsr *pmean_i(tsr *v) { return tsr_pmean(v, "i"); }
static tsr *pmax_i(tsr *v) { return tsr_pmax(v, "i"); }
static tsr *pmin_i(tsr *v) { return tsr_pmin(v, "i"); }
static tsr *gather_tiled(tsr *v) { return tsr_all_gather(v, "i", .tiled = true); }
static tsr *gather_untiled(tsr *v) { return tsr_all_gather(v, "i"); }
static tsr *gather_dim1(tsr *v) { return tsr_all_gather(v, "i", .dim = D(1), .tiled = true); }
static tsr *gather_ji(tsr *v) { return tsr_all_gather(v, "j*i", .tiled = true); }
static tsr *scatter_tiled(tsr *v) { return tsr_psum_scatter(v, "i", .tiled = true); }
static tsr *scatter_untiled(tsr *v) { return tsr_psum_scatter(v, "i"); }
static tsr *scatter_dim1(tsr *v) { return tsr_psum_scatter(v, "i", .dim = D(1), .tiled = true); }
static tsr *next(tsr *v) { return tsr_ppermute(v, "i", TSR_SHIFT(1)); }
static tsr *next_three(tsr *v) { return tsr_ppermute(v, "i*j", TSR_SHIFT(3)); }
static tsr *swap_tiled(tsr *v) { return tsr_all_to_all(v, "i", .tiled = true); }
static tsr *swap_1_0(tsr *v) { return tsr_all_to_all(v, "i", .split = D(1)); }
static tsr *swap_1_2(tsr *v) { return tsr_all_to_all(v, "i", .split = D(1), .concat = D(2)); }

static tsr *to_columns(tsr *v)
{
	return tsr_all_to_all(v, "i", .split = D(1), .concat = D(0), .tiled = true);
}

static tsr *some_next(tsr *v)
{
	return tsr_ppermute(v, "i", TSR_PAIRS({0, 1}, {1, 2}, {3, 0}));
}

static tsr *psum_pairs(tsr *v)
{
	static const int pairs[] = {0, 1, 2, 3};
	return tsr_psum(v, "i", .groups = {.member = pairs, .count = 2, .size = 2});
}

static tsr *gather_even_odd(tsr *v)
{
	static const int groups[] = {0, 2, 1, 3};
	return tsr_all_gather(v, "i", .groups = {.member = groups, .count = 2, .size = 2},
	                      .tiled = true);
}

static tsr *indices(tsr *v)
{
	tsr *row = tsr_stack(0, tsr_axis_index(v, "i"), tsr_axis_index(v, "j"),
	                     tsr_axis_index(v, "i*j"), tsr_axis_index(v, "j*i"));
	return tsr_add(v, tsr_reshape(row, D(1, 4)));
}

/* part k mod n of n parts along dim 0 */
static tsr *part(tsr *parts, tsr *k)
{
	return tsr_dynamic_index(parts, 0, tsr_rem(k, tsr_dim(parts, 0)));
}

/* psum_scatter from exchanges between neighbours: the running sum walks down the ring */
static tsr *ring_scatter(tsr *v)
{
	const int64_t n = tsr_axis_size(v, "i");
	tsr *me = tsr_axis_index(v, "i"), *parts = tsr_reshape(v, D(n, -1));
	tsr *sum = part(parts, tsr_add(me, 1));
	for (int64_t step = 2; step <= n; step++)
		sum = tsr_add(tsr_ppermute(sum, "i", TSR_SHIFT(-1)),
		              part(parts, tsr_add(me, step)));
	return sum;
}

/* all_gather from exchanges between neighbours */
static tsr *ring_gather(tsr *v)
{
	const int64_t n = tsr_axis_size(v, "i");
	tsr *me = tsr_axis_index(v, "i");
	tsr *out = tsr_zeros(v, D(n, tsr_dim(v, 0)), .dtype = tsr_dtype_of(v));
	for (int64_t step = 0; step < n; step++) {
		tsr *from = tsr_rem(tsr_add(me, n - step), n);
		out = tsr_dynamic_update(out, tsr_expand_dims(v, TSR_DIMS(0)), 0, from);
		v = tsr_ppermute(v, "i", TSR_SHIFT(1));
	}
	return tsr_ravel(out);
}

/* ---- the table */

enum grid { RING_4, GRID_2_2, GRID_4_2 };

typedef struct trial {
	const char *id, *names;
	tsr *(*body)(tsr *);
	enum grid grid;
	tsr_spec in, out;
} trial;

#define I    TSR_SPEC("i")
#define IJ   TSR_SPEC("i", "j")
#define ROWS TSR_SPEC("i", NULL)
#define COLS TSR_SPEC(NULL, "i")
#define NONE TSR_SPEC()

static trial trials[] = {
	{"s0x.psum", "x y xf vma.ct vma.loss vma.grad_x novma.ct novma.loss novma.grad_x "
	 "forward.moves vma.value_and_grad.moves novma.value_and_grad.moves",
	 psum_i, RING_4, I, NONE},
	{"s0x.psum_one_of_two",
	 "x y xf vma.ct vma.loss vma.grad_x novma.ct novma.loss novma.grad_x "
	 "forward.moves vma.value_and_grad.moves novma.value_and_grad.moves",
	 psum_i, GRID_2_2, IJ, TSR_SPEC(NULL, "j")},
	{"s0x.psum_both", "x y xf vma.ct vma.loss vma.grad_x novma.ct novma.loss novma.grad_x "
	 "forward.moves vma.value_and_grad.moves novma.value_and_grad.moves",
	 psum_ij, GRID_2_2, IJ, NONE},
	{"s0x.psum_of_invariant",
	 "x y xf vma.ct vma.loss vma.grad_x novma.ct novma.loss novma.grad_x "
	 "forward.moves vma.value_and_grad.moves novma.value_and_grad.moves",
	 psum_i, RING_4, NONE, NONE},
	{"s0x.psum_axis_index_groups", "x y xf novma.ct novma.loss novma.grad_x "
	 "forward.moves novma.value_and_grad.moves",
	 psum_pairs, RING_4, I, I},
	{"s0x.psum_bool", "x y forward.moves", psum_i, RING_4, I, NONE},
	{"s0x.pmax", "x y forward.moves", pmax_i, RING_4, I, NONE},
	{"s0x.pmin", "x y forward.moves", pmin_i, RING_4, I, NONE},
	{"s0x.pmean", "x y xf vma.ct vma.loss vma.grad_x novma.ct novma.loss novma.grad_x "
	 "forward.moves vma.value_and_grad.moves novma.value_and_grad.moves",
	 pmean_i, RING_4, I, NONE},
	{"s0x.pmean_int", "x y forward.moves", pmean_i, RING_4, I, NONE},
	{"s0x.all_gather_tiled",
	 "x y xf vma.ct vma.loss vma.grad_x novma.ct novma.loss novma.grad_x "
	 "forward.moves vma.value_and_grad.moves novma.value_and_grad.moves",
	 gather_tiled, RING_4, I, I},
	{"s0x.all_gather_untiled",
	 "x y xf vma.ct vma.loss vma.grad_x novma.ct novma.loss novma.grad_x "
	 "forward.moves vma.value_and_grad.moves novma.value_and_grad.moves",
	 gather_untiled, RING_4, I, I},
	{"s0x.all_gather_groups",
	 "x y xf vma.ct vma.loss vma.grad_x novma.ct novma.loss novma.grad_x "
	 "forward.moves vma.value_and_grad.moves novma.value_and_grad.moves",
	 gather_even_odd, RING_4, I, I},
	{"s0x.all_gather_axis1",
	 "x y xf vma.ct vma.loss vma.grad_x novma.ct novma.loss novma.grad_x "
	 "forward.moves vma.value_and_grad.moves novma.value_and_grad.moves",
	 gather_dim1, RING_4, COLS, ROWS},
	{"s0x.all_gather_two_axes",
	 "x y xf vma.ct vma.loss vma.grad_x novma.ct novma.loss novma.grad_x "
	 "forward.moves vma.value_and_grad.moves novma.value_and_grad.moves",
	 gather_ji, GRID_4_2, TSR_SPEC("i*j"), TSR_SPEC("i*j")},
	{"s0x.psum_scatter_tiled",
	 "x y xf vma.ct vma.loss vma.grad_x novma.ct novma.loss novma.grad_x "
	 "forward.moves vma.value_and_grad.moves novma.value_and_grad.moves",
	 scatter_tiled, RING_4, I, I},
	{"s0x.psum_scatter_untiled",
	 "x y xf vma.ct vma.loss vma.grad_x novma.ct novma.loss novma.grad_x "
	 "forward.moves vma.value_and_grad.moves novma.value_and_grad.moves",
	 scatter_untiled, RING_4, I, I},
	{"s0x.psum_scatter_axis1",
	 "x y xf vma.ct vma.loss vma.grad_x novma.ct novma.loss novma.grad_x "
	 "forward.moves vma.value_and_grad.moves novma.value_and_grad.moves",
	 scatter_dim1, RING_4, ROWS, ROWS},
	{"s0x.ppermute_ring", "x y xf vma.ct vma.loss vma.grad_x novma.ct novma.loss novma.grad_x "
	 "forward.moves vma.value_and_grad.moves novma.value_and_grad.moves",
	 next, RING_4, I, I},
	{"s0x.ppermute_partial",
	 "x y xf vma.ct vma.loss vma.grad_x novma.ct novma.loss novma.grad_x "
	 "forward.moves vma.value_and_grad.moves novma.value_and_grad.moves",
	 some_next, RING_4, I, I},
	{"s0x.ppermute_two_axes",
	 "x y xf vma.ct vma.loss vma.grad_x novma.ct novma.loss novma.grad_x "
	 "forward.moves vma.value_and_grad.moves novma.value_and_grad.moves",
	 next_three, GRID_2_2, IJ, IJ},
	{"s0x.all_to_all_tiled",
	 "x y xf vma.ct vma.loss vma.grad_x novma.ct novma.loss novma.grad_x "
	 "forward.moves vma.value_and_grad.moves novma.value_and_grad.moves",
	 swap_tiled, RING_4, I, I},
	{"s0x.all_to_all_tiled_10",
	 "x y xf vma.ct vma.loss vma.grad_x novma.ct novma.loss novma.grad_x "
	 "forward.moves vma.value_and_grad.moves novma.value_and_grad.moves",
	 to_columns, RING_4, ROWS, COLS},
	{"s0x.all_to_all_untiled", "x y xf vma.ct vma.loss vma.grad_x "
	 "forward.moves",
	 swap_1_0, RING_4, I, I},
	{"s0x.all_to_all_untiled_2", "x y xf vma.ct vma.loss vma.grad_x "
	 "forward.moves",
	 swap_1_2, RING_4, I, I},
	{"s0x.axis_index", "x y "
	 "forward.moves",
	 indices, GRID_4_2, TSR_SPEC("i*j", NULL), TSR_SPEC("i*j", NULL)},
	{"s0x.ring_psum_scatter",
	 "x y xf vma.ct vma.loss vma.grad_x novma.ct novma.loss novma.grad_x "
	 "forward.moves vma.value_and_grad.moves novma.value_and_grad.moves",
	 ring_scatter, RING_4, I, I},
	{"s0x.ring_all_gather",
	 "x y xf vma.ct vma.loss vma.grad_x novma.ct novma.loss novma.grad_x "
	 "forward.moves vma.value_and_grad.moves novma.value_and_grad.moves",
	 ring_gather, RING_4, I, I},
};

static tsr_mesh *mesh_of(tsr_ctx *ctx, enum grid grid)
{
	switch (grid) {
	case RING_4: return tsr_mesh_make(ctx, {"i", 4});
	case GRID_2_2: return tsr_mesh_make(ctx, {"i", 2}, {"j", 2});
	default: return tsr_mesh_make(ctx, {"i", 4}, {"j", 2});
	}
}

static void same(tsr *y, const trial *t, const tsr_mesh *mesh)
{
	golden_equal(y, t->id, "y");
	golden_sharded(y, mesh, t->out);
}

/* Gradients lie where x is cut to. kind: vma or novma. Where JAX gives only one of them, the other
 * is the same */
static void differentiate(tsr_fn *f, const trial *t, const tsr_mesh *mesh, const char *kind)
{
	tsr *x = golden_load(tsr_mesh_ctx(mesh), t->id, "xf"), *dx;
	char ct[16], program[32], names[128];

	snprintf(ct, sizeof ct, "%s.ct", kind);
	snprintf(program, sizeof program, "%s.value_and_grad.moves", kind);
	if (!golden_has(t->names, ct)) kind = *kind == 'v' ? "novma" : "vma";
	snprintf(names, sizeof names, "%s.ct %s.loss %s.grad_x %s", kind, kind, kind,
	         golden_has(t->names, program) ? program : "");
	golden_grads(f, &x, &dx, t->id, names);
	golden_sharded(dx, mesh, t->in);
}

static void run(void **state)
{
	const trial *t = *state;
	tsr_ctx *ctx = tsr_open(.devices = 8);
	tsr_mesh *mesh = mesh_of(ctx, t->grid);
	tsr_fn *checked = tsr_shard_map(mesh, t->body, .name = t->id, .in = TSR_SPECS(t->in),
	                                .out = TSR_SPECS(t->out));
	tsr_fn *unchecked = tsr_shard_map(mesh, t->body, .name = t->id, .in = TSR_SPECS(t->in),
	                                  .out = TSR_SPECS(t->out), .unchecked = true);
	tsr *x = golden_load(ctx, t->id, "x");

	same(tsr_call(checked, x), t, mesh);
	same(tsr_call(unchecked, x), t, mesh);
	same(tsr_call(tsr_jit(ctx, checked), x), t, mesh);
	tsr *put = tsr_put(x, mesh, t->in);
	same(tsr_call(checked, put), t, mesh);
	golden_moves(MOVED(checked, put), t->id, "forward.moves");
	golden_moves(MOVED(unchecked, put), t->id, "forward.moves");
	if (golden_has(t->names, "xf")) {
		differentiate(checked, t, mesh, "vma");
		differentiate(unchecked, t, mesh, "novma");
	}
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- psum of each dtype */

static void psum_of(tsr_ctx *ctx, const char *id, const char *x, const char *y)
{
	tsr_mesh *ring = mesh_of(ctx, RING_4);
	tsr_fn *f = tsr_shard_map(ring, psum_i, .sig = "[i] -> []");
	tsr *sum = tsr_call(f, golden_load(ctx, id, x));
	golden_equal(sum, id, y);
	golden_sharded(sum, ring, TSR_P());
}

static void psum_dtypes(void **state)
{
	tsr_ctx *ctx = *state;
	psum_of(ctx, "s0x.psum_dtypes", "float32.x", "float32.y");
	psum_of(ctx, "s0x.psum_dtypes", "bfloat16.x", "bfloat16.y");
	psum_of(ctx, "s0x.psum_dtypes", "float16.x", "float16.y");
	psum_of(ctx, "s0x.psum_dtypes", "int32.x", "int32.y");
	psum_of(ctx, "s0x.psum_dtypes", "uint32.x", "uint32.y");
	psum_of(ctx, "s0x.psum_dtypes", "int8.x", "int8.y");
	psum_of(ctx, "s0x.psum_dtypes", "uint8.x", "uint8.y");
	psum_of(ctx, "s0x.psum_dtypes", "complex64.x", "complex64.y");
	psum_of(ctx, "s0x.psum_dtypes", "bool.x", "bool.y");
}

int main(void)
{
	enum { TRIALS = sizeof trials / sizeof *trials };
	struct CMUnitTest tests[TRIALS + 1];
	for (size_t i = 0; i < TRIALS; i++)
		tests[i] = (struct CMUnitTest){.name = trials[i].id, .test_func = run,
		                               .initial_state = &trials[i]};
	tests[TRIALS] = (struct CMUnitTest)cmocka_unit_test_setup_teardown(psum_dtypes, golden_open,
	                                                                   golden_close);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
