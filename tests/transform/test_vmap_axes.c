/* test_vmap_axes.c - batches with a name: the axis that a collective means, and batches of maps and
 * in maps with the specs that they get.
 *
 * Worked values are written out; what a batch gives must also be what a map over as many devices
 * gives. Every collective over every choice of axes: test_collective_vmap.c. */
#include "support/near.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#define P TSR_P
#define D TSR_DIMS

static tsr *range(tsr_ctx *ctx, tsr_dims dims)
{
	int64_t n = 1;
	for (int d = 1; d < dims.d[0]; d++) n *= dims.d[d];
	return tsr_reshape(tsr_arange(ctx, n, .dtype = TSR_F64), dims);
}

/* ---- a named batch is a map over so many devices */

static tsr *normalized(tsr *x) { return tsr_div(x, tsr_psum(x, "i")); }
static tsr *mean(tsr *x) { return tsr_pmean(x, "i"); }
static tsr *most(tsr *x) { return tsr_sub(tsr_pmax(x, "i"), tsr_pmin(x, "i")); }
static tsr *gathered(tsr *x) { return tsr_all_gather(x, "i", .dim = D(1), .tiled = true); }
static tsr *stacked(tsr *x) { return tsr_all_gather(x, "i", .dim = D(-1)); }
static tsr *scattered(tsr *x) { return tsr_psum_scatter(x, "i"); }
static tsr *turned(tsr *x)
{
	return tsr_all_to_all(x, "i", .split = D(0), .concat = D(1), .tiled = true);
}
static tsr *swapped(tsr *x) { return tsr_pswapaxes(x, "i", 0); }
static tsr *next(tsr *x) { return tsr_ppermute(x, "i", TSR_SHIFT(1)); }
static tsr *first_two(tsr *x) { return tsr_ppermute(x, "i", TSR_PAIRS({0, 1}, {1, 0})); }
static tsr *from_two(tsr *x) { return tsr_pbroadcast(x, "i", 2); }
static tsr *numbered(tsr *x) { return tsr_add(tsr_mul(tsr_axis_index(x, "i"), 100), x); }
static tsr *sized(tsr *x) { return tsr_mul(x, tsr_axis_size(x, "i")); }
static const int order[] = {3, 0, 2, 1};
static tsr *shuffled(tsr *x) { return tsr_pshuffle(x, "i", order, 4); }
static tsr *in_pairs(tsr *x)
{
	return tsr_psum(x, "i", .groups = {.member = order, .count = 2, .size = 2});
}

static tsr *scattered_0(tsr *x) { return tsr_psum_scatter(x, "i", .tiled = true); }
static tsr *from_one(tsr *x) { return tsr_pbroadcast(x, "i", 0); }
static tsr *sum_i(tsr *x) { return tsr_psum(x, "i"); }
static tsr *max_i(tsr *x) { return tsr_pmax(x, "i"); }
static tsr *alone(tsr *x)
{
	return tsr_psum(x, "i", .groups = {.member = (const int[]){0}, .count = 1, .size = 1});
}

typedef struct one {
	tsr *(*body)(tsr *);
} one;

/* a block [1, 4, 3] of a map over 4 devices as an element [4, 3] */
static void on_block(tsr_frame *frame)
{
	const one *o = tsr_frame_env(frame);
	tsr *x = tsr_squeeze(tsr_frame_arg(frame, 0), D(0));
	tsr_return(frame, tsr_expand_dims(o->body(x), D(0)));
}

static void as_over_devices(void **state)
{
	tsr *(*const all[])(tsr *) = {normalized, mean,     most,    gathered, stacked,
	                              scattered,  turned,   swapped, next,     first_two,
	                              from_two,   numbered, sized,   shuffled, in_pairs};
	tsr_ctx *ctx = *state;
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"i", 4});
	tsr *x = tsr_add(range(ctx, D(4, 4, 3)), 1);
	for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
		const one o = {all[k]};
		tsr_fn *mapped = tsr_shard_map(mesh, on_block, .sig = "[i] -> [i]", TSR_ENV(&o));
		tsr_fn *batch = tsr_vmap(ctx, all[k], .axis = "i", .name = "batch");
		SAME(tsr_call(batch, x), tsr_call(mapped, x));
		batch = tsr_vmap(ctx, all[k], .axis = "i", .in = TSR_MAPPED(-1),
		                 .out = TSR_MAPPED(1));
		SAME(tsr_call(batch, tsr_transpose(x, .perm = D(1, 2, 0))),
		     tsr_call(tsr_vmap(ctx, all[k], .axis = "i", .out = TSR_MAPPED(1)), x));
	}
}

/* a body is traced for one element where there is none: what holds all members then has one */
static void without_elements(void **state)
{
	tsr *(*const all[])(tsr *) = {normalized, mean,  most,   next,        from_one,
	                              numbered,   sized, turned, scattered_0, alone};
	tsr_ctx *ctx = *state;
	tsr *x = tsr_ones(ctx, D(0, 4, 3));
	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		SHAPE(tsr_call(tsr_vmap(ctx, all[k], .axis = "i", .name = "batch"), x), 0, 4, 3);
	SHAPE(tsr_call(tsr_vmap(ctx, stacked, .axis = "i"), x), 0, 4, 3, 1);
	tsr_fn *sums = tsr_vmap(ctx, sum_i, .axis = "i", .out = TSR_MAPPED(TSR_UNMAPPED));
	SAME(tsr_call(sums, x), tsr_zeros(ctx, D(4, 3)));
	tsr_fn *most_of = tsr_vmap(ctx, max_i, .axis = "i", .out = TSR_MAPPED(TSR_UNMAPPED));
	SAME(tsr_call(most_of, x), tsr_full(ctx, D(4, 3), -INFINITY));
}

/* ---- names: nested, shadowed, mixed */

static tsr *over_both(tsr *x)
{
	tsr *all = tsr_psum(x, "rows*cols");
	return tsr_stack(0, tsr_div(x, all), tsr_div(x, tsr_psum(x, "rows")),
	                 tsr_div(x, tsr_psum(x, "cols")));
}

static tsr *rows_of(tsr *x) { return tsr_call(tsr_vmap(x, over_both, .axis = "cols"), x); }

static void nested_names(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = tsr_add(range(ctx, D(2, 3)), 1), *all = tsr_sum(x);
	tsr *want = tsr_stack(-1, tsr_div(x, all), tsr_div(x, tsr_sum(x, .dims = D(0))),
	                      tsr_div(x, tsr_sum(x, .dims = D(1), .keep = true)));
	ALIKE(tsr_call(tsr_vmap(ctx, rows_of, .axis = "rows"), x), want, 1e-15);
	ALIKE(tsr_call(tsr_jit(ctx, tsr_vmap(ctx, rows_of, .axis = "rows")), x), want, 1e-15);
}

static tsr *inner_i(tsr *x)
{
	return tsr_sub(tsr_psum(x, "i"), tsr_call(tsr_vmap(x, sum_i, .axis = "i"), x));
}

/* the inner name is the nearest one */
static void shadowed_names(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = range(ctx, D(2, 3)); /* 0 1 2; 3 4 5 */
	NEAR(tsr_call(tsr_vmap(ctx, inner_i, .axis = "i"), x), 3 - 3, 5 - 3, 7 - 3, 3 - 12, 5 - 12,
	     7 - 12);
}

static tsr *index_ij(tsr *x) { return tsr_axis_index(x, "i*j"); }
static tsr *index_ji(tsr *x) { return tsr_axis_index(x, "j*i"); }
static tsr *gather_ji(tsr *x) { return tsr_all_gather(x, "j*i"); }
static tsr *batch_in_map(tsr *x) { return tsr_call(tsr_vmap(x, index_ij, .axis = "j"), x); }
static tsr *batch_in_map_ji(tsr *x) { return tsr_call(tsr_vmap(x, index_ji, .axis = "j"), x); }
static tsr *gather_in_map(tsr *x)
{
	return tsr_call(
		tsr_vmap(x, gather_ji, .axis = "j", .in = TSR_MAPPED(1), .out = TSR_MAPPED(1)), x);
}
static tsr *sum_of_batch_and_axis(tsr *x) { return tsr_psum(tsr_sin(x), "i*j"); }
static tsr *sums_in_map(tsr *x)
{
	return tsr_call(tsr_vmap(x, sum_of_batch_and_axis, .axis = "j"), x);
}

static void names_of_both_kinds(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"i", 4});
	tsr *x = range(ctx, D(4 * 3)); /* a block has 3, which are the batch */
	NEAR(tsr_call(tsr_shard_map(mesh, batch_in_map, .sig = "[i] -> [i]"), x), 0, 1, 2, 3, 4, 5,
	     6, 7, 8, 9, 10, 11);
	NEAR(tsr_call(tsr_shard_map(mesh, batch_in_map_ji, .sig = "[i] -> [i]"), x), 0, 4, 8, 1, 5,
	     9, 2, 6, 10, 3, 7, 11);
	/* x[i, j] of all, j major, on every device and for every element: [12, 3, 1] each */
	tsr *y = tsr_reshape(x, D(4, 3)), *column = tsr_reshape(tsr_t(y), D(12));
	tsr *all = tsr_call(tsr_shard_map(mesh, gather_in_map, .sig = "[i] -> [-,-,i]"), y);
	SHAPE(all, 12, 3, 4);
	SAME(tsr_index(tsr_index(all, 2, 3), 1, 1), column);
	tsr *sum = tsr_call(tsr_shard_map(mesh, sums_in_map, .sig = "[i] -> []"), x);
	ALIKE(sum, tsr_broadcast_to(tsr_sum(tsr_sin(x)), D(3)), 1e-14);
}

/* ---- batches of maps */

static tsr *product(tsr *a, tsr *b) { return tsr_psum(tsr_dot(a, b), "y"); }

static void of_maps(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr *a = range(ctx, D(3, 4, 6)), *b = range(ctx, D(6, 2)), *one[3];
	for (int unchecked = 0; unchecked < 2; unchecked++) {
		tsr_fn *f = tsr_shard_map(mesh, product, .sig = "[x,y] [y,-] -> [x,-]",
		                          .unchecked = unchecked);
		for (int i = 0; i < 3; i++) one[i] = tsr_call(f, tsr_index(a, 0, i), b);
		tsr *want = tsr_stack(0, one[0], one[1], one[2]);
		tsr_fn *g = tsr_vmap(ctx, f, .in = TSR_MAPPED(0, TSR_UNMAPPED));
		SAME(tsr_call(g, a, b), want);
		SAME(tsr_call(tsr_jit(ctx, g), a, b), want);
		g = tsr_vmap(ctx, f, .in = TSR_MAPPED(2, TSR_UNMAPPED), .out = TSR_MAPPED(1));
		SAME(tsr_call(g, tsr_transpose(a, .perm = D(1, 2, 0)), b),
		     tsr_transpose(want, .perm = D(1, 0, 2)));
		/* both mapped, twice */
		tsr *a4 = range(ctx, D(2, 3, 4, 6)), *b4 = range(ctx, D(3, 6, 2));
		g = tsr_vmap(ctx, tsr_vmap(ctx, f), .in = TSR_MAPPED(0, TSR_UNMAPPED));
		SAME(tsr_call(g, a4, b4), tsr_matmul(a4, b4));
	}
}

static void text_has(const char *text, const char *want)
{
	if (!strstr(text, want)) fail_msg("no %s in\n%s", want, text);
}

/* an entry for the batch goes into the specs of what is mapped; others stay, and so does what
 * varies */
static void specs_of_batches(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr_fn *f = tsr_shard_map(mesh, product, .sig = "[x,y] [y,-] -> [x,-]");
	tsr *a = range(ctx, D(3, 4, 6)), *b = range(ctx, D(6, 2)), *b3 = range(ctx, D(3, 6, 2));
	tsr_fn *left = tsr_vmap(ctx, f, .in = TSR_MAPPED(0, TSR_UNMAPPED));
	tsr_fn *right = tsr_vmap(ctx, f, .in = TSR_MAPPED(TSR_UNMAPPED, 0));
	const char *text = tsr_fn_text(left, a, b);
	text_has(text, "in=[[-,x,y],[y]] out=[[-,x]]");
	text_has(text, "(%0: f64[3,1,3]{x,y}, %1: f64[3,2]{y}) -> f64[3,1,2]{x}");
	text_has(tsr_fn_text(right, tsr_index(a, 0, 0), b3), "in=[[x,y],[-,y]] out=[[-,x]]");
	text_has(tsr_fn_text(tsr_vmap(ctx, f), a, b3), "in=[[-,x,y],[-,y]] out=[[-,x]]");
	/* the axis of a name is gone, a mesh axis of that name is the one the body means */
	tsr_fn *named = tsr_vmap(ctx, f, .in = TSR_MAPPED(0, TSR_UNMAPPED), .axis = "y");
	SAME(tsr_call(named, a, b), tsr_call(left, a, b));
}

/* ---- a mesh axis for the batch */

static tsr *weighted(tsr *x, tsr *w) { return tsr_psum(tsr_mul(x, w), "x"); }

static void two_results(tsr_frame *frame)
{
	tsr *x = tsr_frame_arg(frame, 0), *w = tsr_frame_arg(frame, 1);
	tsr_return(frame, weighted(x, w), tsr_neg(w));
}

static void split_over_an_axis(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2}, {"b", 4});
	tsr *x = range(ctx, D(8, 6)), *w = range(ctx, D(6)), *plain[2], *spread[2];
	for (int unchecked = 0; unchecked < 2; unchecked++) {
		tsr_fn *f = tsr_shard_map(mesh, two_results, .sig = "[x] [x] -> [] [x]",
		                          .unchecked = unchecked);
		tsr_fn *one = tsr_vmap(ctx, f, .in = TSR_MAPPED(0, TSR_UNMAPPED),
		                       .out = TSR_MAPPED(0, TSR_UNMAPPED));
		tsr_fn *each = tsr_vmap(ctx, f, .in = TSR_MAPPED(0, TSR_UNMAPPED),
		                        .out = TSR_MAPPED(0, TSR_UNMAPPED), .spmd_axis = "b");
		tsr_call_into(TSR_OUT(&plain[0], &plain[1]), one, x, w);
		tsr_call_into(TSR_OUT(&spread[0], &spread[1]), each, x, w);
		SAME(spread[0], plain[0]);
		SAME(spread[1], plain[1]);
		SAME(spread[1], tsr_neg(w));
		text_has(tsr_fn_text(each, x, w), "in=[[b,x],[x]] out=[[b],[x]]");
		const tsr_sharding *want = tsr_sharding_make(mesh, P("b"));
		assert_true(tsr_sharding_equivalent(tsr_sharding_of(spread[0]), want, 2));
	}
}

static tsr *sum_y(tsr *x) { return tsr_psum(tsr_exp(x), "y"); }

static tsr *map_in_map(tsr *x)
{
	tsr_mesh *mesh = tsr_mesh_make(tsr_ctx_of(x), {"x", 2}, {"b", 2}, {"y", 2});
	return tsr_call(tsr_shard_map(mesh, sum_y, .sig = "[y] -> []", .axes = "y"), x);
}

/* the outer map splits the batch, the inner one has a part of it */
static void split_over_an_axis_once(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2}, {"b", 2}, {"y", 2});
	tsr_fn *f = tsr_shard_map(mesh, map_in_map, .sig = "[x] -> [x]", .axes = "x*b");
	tsr *x = range(ctx, D(4, 8));
	SAME(tsr_call(tsr_vmap(ctx, f, .spmd_axis = "b"), x), tsr_call(tsr_vmap(ctx, f), x));
}

static tsr *energy_of(tsr *x, tsr *w)
{
	return tsr_psum(tsr_sum(tsr_integer_pow(tsr_mul(x, w), 3)), "x");
}

static tsr *on_some_axes(tsr *x, tsr *w)
{
	tsr_mesh *mesh = tsr_mesh_make(tsr_ctx_of(x), {"x", 2}, {"b", 4});
	return tsr_call(tsr_shard_map(mesh, energy_of, .sig = "[x] [x] -> []"), x, w);
}

/* a gradient for each element, of what is and what is not its own */
static void gradients_over_an_axis(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = tsr_div(range(ctx, D(8, 6)), 48), *w = range(ctx, D(6)), *dx[2], *dw[2];
	tsr_fn *g = tsr_grad(ctx, on_some_axes, .wrt = D(0, 1));
	tsr_call_into(TSR_OUT(&dx[0], &dw[0]), tsr_vmap(ctx, g, .in = TSR_MAPPED(0, TSR_UNMAPPED)),
	              x, w);
	tsr_call_into(TSR_OUT(&dx[1], &dw[1]),
	              tsr_vmap(ctx, g, .in = TSR_MAPPED(0, TSR_UNMAPPED), .spmd_axis = "b"), x, w);
	tsr *xw = tsr_mul(3, tsr_square(tsr_mul(x, w)));
	ALIKE(dx[0], tsr_mul(xw, w), 1e-14);
	ALIKE(dw[0], tsr_mul(xw, x), 1e-14);
	SAME(dx[1], dx[0]);
	SAME(dw[1], dw[0]);
}

/* ---- several mesh axes for the batch, and derivatives of maps inside. An unchecked map's values
 * vary over all axes: what its derivative keeps must not name those that split the batch */

static tsr *wave(tsr *x) { return tsr_mul(tsr_sin(x), tsr_exp(x)); }
static tsr *wave_sum(tsr *x) { return tsr_psum(tsr_sum(wave(x)), "x"); }
static tsr *wave_step(tsr *c) { return wave(tsr_sin(c)); }
static tsr *wave_steps(tsr *x) { return tsr_scan(wave_step, x, TSR_NONE, .length = 3); }
static tsr *wave_or_not(tsr *x) { return tsr_cond(tsr_gt(tsr_sum(x), 0.5), wave, tsr_sin, x); }

static const struct split_body {
	tsr *(*body)(tsr *);
	const char *signature;
} split_bodies[] = {{wave, "[x] -> [x]"},
                    {wave_sum, "[x] -> []"},
                    {wave_sum, "[] -> []"},
                    {wave_steps, "[x] -> [x]"},
                    {wave_or_not, "[x] -> [x]"}};

static const struct split_body *split_case;
static bool split_unchecked;

static tsr *split_map(tsr *x)
{
	tsr_mesh *mesh = tsr_mesh_make(tsr_ctx_of(x), {"b", 2}, {"x", 2}, {"c", 2});
	return tsr_sum(tsr_call(tsr_shard_map(mesh, split_case->body, .sig = split_case->signature,
	                                      .unchecked = split_unchecked),
	                        x));
}
static tsr *split_grad(tsr *x) { return tsr_call(tsr_grad(x, split_map), x); }
static tsr *split_grad_sum(tsr *x) { return tsr_sum(tsr_sin(split_grad(x))); }
static tsr *split_second(tsr *x) { return tsr_call(tsr_grad(x, split_grad_sum), x); }
static tsr *split_jit(tsr *x) { return tsr_call(tsr_jit(x, split_grad), x); }
static tsr *split_jvp(tsr *x)
{
	tsr *y, *dy;
	tsr_call_into(TSR_OUT(&y, &dy), tsr_jvp(x, split_map), x, tsr_cos(x));
	return dy;
}
static tsr *split_rows(tsr *x) { return tsr_call(tsr_jacrev(x, split_map), x); }

/* fns remember what their bodies did, so each case has a context of its own */
static void derive_split_case(void)
{
	static tsr *(*const derive[])(tsr *) = {split_map,    split_grad, split_jvp,
	                                        split_second, split_jit,  split_rows};
	static const char *const over[] = {"b", "c", "b*c", "c * b"};
	tsr_ctx *ctx = tsr_open(.devices = 8);
	tsr *x = tsr_div(range(ctx, D(4, 6)), 24);

	for (size_t i = 0; i < sizeof derive / sizeof *derive; i++)
		for (size_t a = 0; a < sizeof over / sizeof *over; a++) {
			tsr *y = tsr_call(tsr_vmap(ctx, derive[i], .spmd_axis = over[a]), x);
			ALIKE(y, tsr_call(tsr_vmap(ctx, derive[i]), x), 1e-14);
		}
	assert_int_equal(tsr_close(ctx), 0);
}

static void derivatives_over_axes(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof split_bodies / sizeof *split_bodies; k++) {
		split_case = &split_bodies[k];
		for (int unchecked = 0; unchecked < 2; unchecked++) {
			split_unchecked = unchecked;
			derive_split_case();
		}
	}
}

static tsr *doubled(tsr *x) { return tsr_add(x, x); }

static void split_over_axes(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"b", 2}, {"x", 2}, {"c", 2});
	tsr_fn *f = tsr_shard_map(mesh, doubled, .sig = "[x] -> [x]");
	tsr_fn *both = tsr_vmap(ctx, f, .spmd_axis = "c*b");
	tsr *x = range(ctx, D(4, 6));
	tsr *y = tsr_call(both, x);

	SAME(y, tsr_add(x, x));
	text_has(tsr_fn_text(both, x), "in=[[c*b,x]] out=[[c*b,x]]");
	assert_true(tsr_sharding_equivalent(tsr_sharding_of(y),
	                                    tsr_sharding_make(mesh, P("c*b", "x")), 2));
}

/* ---- derivatives and batches of maps and in maps, in any order */

static tsr *energy(tsr *x) { return tsr_psum(tsr_sum(tsr_integer_pow(x, 3)), "x"); }
static tsr *energies(tsr *x) { return tsr_sum(tsr_call(tsr_vmap(x, energy), x)); }

static tsr *mapped_energy(tsr *x)
{
	tsr_mesh *mesh = tsr_mesh_make(tsr_ctx_of(x), {"x", 4});
	return tsr_call(tsr_shard_map(mesh, energy, .sig = "[x] -> []"), x);
}

static tsr *sum_of_batch(tsr *x) { return tsr_sum(tsr_call(tsr_vmap(x, mapped_energy), x)); }

static tsr *batch_inside(tsr *x)
{
	tsr_mesh *mesh = tsr_mesh_make(tsr_ctx_of(x), {"x", 4});
	return tsr_call(tsr_shard_map(mesh, energies, .sig = "[-,x] -> []"), x);
}

static void with_derivatives(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = tsr_div(range(ctx, D(3, 8)), 8), *want = tsr_mul(3, tsr_square(x)), *y, *dy;
	tsr *cubes = tsr_sum(tsr_integer_pow(x, 3), .dims = D(1)), *ones = tsr_ones_like(x);
	ALIKE(tsr_call(tsr_vmap(ctx, mapped_energy), x), cubes, 1e-14);
	ALIKE(tsr_call(tsr_vmap(ctx, tsr_grad(ctx, mapped_energy)), x), want, 1e-14);
	ALIKE(tsr_call(tsr_grad(ctx, sum_of_batch), x), want, 1e-14);
	ALIKE(tsr_call(tsr_grad(ctx, batch_inside), x), want, 1e-14);
	tsr_call_into(TSR_OUT(&y, &dy), tsr_vmap(ctx, tsr_jvp(ctx, mapped_energy)), x, ones);
	ALIKE(y, cubes, 1e-14);
	ALIKE(dy, tsr_sum(want, .dims = D(1)), 1e-14);
	tsr *h = tsr_call(tsr_vmap(ctx, tsr_hessian(ctx, mapped_energy)), x);
	SHAPE(h, 3, 8, 8);
	ALIKE(tsr_sum(h, .dims = D(2)), tsr_mul(6, x), 1e-14);
	ALIKE(tsr_call(tsr_vmap(ctx, tsr_vmap(ctx, tsr_grad(ctx, mapped_energy))),
	               tsr_reshape(x, D(3, 2, 4))),
	      tsr_reshape(want, D(3, 2, 4)), 1e-14);
}

/* ---- a body in a map reads a value of the batch around */

static tsr *outside;
static tsr *plus_outside(tsr *x) { return tsr_add(x, outside); }

static tsr *around_a_map(tsr *x, tsr *y)
{
	tsr_mesh *mesh = tsr_mesh_make(tsr_ctx_of(x), {"x", 4});
	outside = y;
	return tsr_call(tsr_shard_map(mesh, plus_outside, .sig = "[x] -> [x]"), x);
}

static void read_inside_a_map(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = range(ctx, D(3, 8)), *y = range(ctx, D(3));
	tsr *column = tsr_expand_dims(y, D(1)), *row = range(ctx, D(8));
	SAME(tsr_call(tsr_vmap(ctx, around_a_map), x, y), tsr_add(x, column));
	SAME(tsr_call(tsr_vmap(ctx, around_a_map, .in = TSR_MAPPED(TSR_UNMAPPED, 0)), row, y),
	     tsr_add(row, column));
	SAME(tsr_call(tsr_vmap(ctx, around_a_map, .in = TSR_MAPPED(0, TSR_UNMAPPED)), x,
	              tsr_index(y, 0, 2)),
	     tsr_add(x, 2));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, near_open, near_close)
	const struct CMUnitTest tests[] = {
		TEST(as_over_devices),
		TEST(without_elements),
		TEST(nested_names),
		TEST(shadowed_names),
		TEST(names_of_both_kinds),
		TEST(of_maps),
		TEST(specs_of_batches),
		TEST(split_over_an_axis),
		TEST(split_over_an_axis_once),
		TEST(gradients_over_an_axis),
		TEST(split_over_axes),
		TEST(derivatives_over_axes),
		TEST(with_derivatives),
		TEST(read_inside_a_map),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
