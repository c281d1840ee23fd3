/* test_partial_maps.c - maps over some axes of a mesh: cuts along the others stay inside, and
 * results are placed as by JAX 0.10.2. Values are those of the same without maps, bit for bit:
 * whole numbers, so that sums are exact in any order. */
#include "support/recorded_bytes.h"
#include "support/near.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#define D TSR_DIMS
#define P TSR_P

static tsr_mesh *grid; /* a:2, b:2, c:2 */

#define MAP_A(body, x) tsr_call(tsr_shard_map(grid, body, .sig = "[a] -> [a]", .axes = "a"), x)

/* ---- bodies, and the same without a map */

static tsr *twice(tsr *x) { return tsr_mul(x, 2); }
static tsr *map_twice(tsr *x) { return MAP_A(twice, x); }

static tsr *added(tsr *x) { return tsr_psum(twice(x), "a"); }
static tsr *map_added(tsr *x)
{
	return tsr_call(tsr_shard_map(grid, added, .sig = "[a,b] -> [-,b]", .axes = "a*b"), x);
}
static tsr *plain_added(tsr *x) /* of the halves of dim 0 */
{
	return twice(tsr_add(tsr_slice(x, 0, 0, 2), tsr_slice(x, 0, 2, 4)));
}

static tsr *summed(tsr *x) { return tsr_sum(x, .dims = D(2)); }
static tsr *map_summed(tsr *x) { return MAP_A(summed, x); }

static tsr *by_b(tsr *x) { return tsr_mul(x, tsr_add(tsr_axis_index(x, "b"), 1)); }
static tsr *nested(tsr *x)
{
	return tsr_call(tsr_shard_map(grid, by_b, .sig = "[-,b] -> [-,b]", .axes = "b"), twice(x));
}
static tsr *map_nested(tsr *x) { return MAP_A(nested, x); }
static tsr *plain_nested(tsr *x)
{
	tsr *y = twice(x);
	return tsr_concatenate(1, tsr_slice(y, 1, 0, 2), twice(tsr_slice(y, 1, 2, 4)));
}

static void add_one(tsr_frame *f) { tsr_return(f, tsr_add(twice(tsr_frame_arg(f, 0)), 1)); }
static tsr *thrice(tsr *x)
{
	tsr *y = NULL;
	tsr_scan_into(TSR_OUT(&y), add_one, x, TSR_NONE, .length = 3);
	return y;
}
static tsr *map_loop(tsr *x) { return MAP_A(thrice, x); }
static tsr *plain_loop(tsr *x) { return tsr_add(tsr_mul(x, 8), 7); }

/* devices along a part; what they exchange along the other axes is in a branch */
static tsr *less_sum(tsr *x) { return tsr_sub(x, tsr_sum(x)); }
static tsr *parted(tsr *x)
{
	return tsr_cond(tsr_eq(tsr_axis_index(x, "a"), 0), less_sum, twice, x);
}
static tsr *map_parted(tsr *x) { return MAP_A(parted, x); }
static tsr *plain_parted(tsr *x)
{
	return tsr_concatenate(0, less_sum(tsr_slice(x, 0, 0, 2)), twice(tsr_slice(x, 0, 2, 4)));
}

static tsr *gathered(tsr *x) { return tsr_all_gather(x, "a", .tiled = true); }
static tsr *map_gathered(tsr *x)
{
	return tsr_call(
		tsr_shard_map(grid, gathered, .sig = "[a] -> []", .axes = "a", .unchecked = true),
		x);
}
static tsr *turned(tsr *x)
{
	return tsr_all_to_all(x, "a", .split = D(1), .concat = D(0), .tiled = true);
}
static tsr *map_turned(tsr *x)
{
	return tsr_call(tsr_shard_map(grid, turned, .sig = "[a] -> [-,a]", .axes = "a"), x);
}
static tsr *same(tsr *x) { return tsr_copy(x); }

static tsr *constrained(tsr *x) { return tsr_constrain(twice(x), grid, P(NULL, "c")); }
static tsr *map_constrained(tsr *x) { return MAP_A(constrained, x); }

static tsr *loss(tsr *x) { return tsr_psum(tsr_sum(tsr_square(x)), "a"); }
static tsr *map_loss(tsr *x)
{
	return tsr_call(tsr_shard_map(grid, loss, .sig = "[a] -> []", .axes = "a"), x);
}
static tsr *map_grad(tsr *x) { return tsr_call(tsr_grad(x, map_loss), x); }
static tsr *map_vmap(tsr *x) { return tsr_call(tsr_vmap(x, map_twice), x); }
static tsr *product(tsr *x) { return tsr_einsum("ijk,ijl->kl", x, x); }
static tsr *map_product(tsr *x)
{
	return tsr_call(tsr_shard_map(grid, product, .sig = "[-,-,a] -> [a]", .axes = "a"), x);
}
static tsr *plain_product(tsr *x)
{
	return tsr_concatenate(0, product(tsr_slice(x, 2, 0, 2)), product(tsr_slice(x, 2, 2, 4)));
}

/* dims that the axes do not divide: 3 and 5 over c */
static tsr *uneven(tsr *x) /* f32[2,3,5] */
{
	tsr *rows = tsr_constrain(x, grid, P(NULL, "b", "c"));
	return tsr_add(rows, tsr_cumsum(tsr_sum(rows, .dims = D(2), .keep = true), .dim = D(1)));
}
static tsr *odd(tsr *x) { return tsr_slice(tsr_concatenate(2, x, x), 2, 0, 5); }
static tsr *map_uneven(tsr *x) { return MAP_A(uneven, odd(tsr_slice(x, 1, 0, 3))); }
static tsr *plain_uneven(tsr *x)
{
	tsr *rows = odd(tsr_slice(x, 1, 0, 3));
	return tsr_add(rows, tsr_cumsum(tsr_sum(rows, .dims = D(2), .keep = true), .dim = D(1)));
}
/* blocks of 3 over c: of the whole 6, these are no blocks that a spec says */
static tsr *in_threes(tsr *x) { return tsr_square(tsr_constrain(x, grid, P("c"))); }
static tsr *six(tsr *x) { return tsr_slice(tsr_concatenate(0, x, x), 0, 0, 6); }
static tsr *map_threes(tsr *x) { return MAP_A(in_threes, six(x)); }
static tsr *plain_threes(tsr *x) { return tsr_square(six(x)); }

/* ---- derivatives, loops and choices, in the body and around the map */

static tsr *ones(tsr *x) { return tsr_ones_like(x); }
static tsr *cube(tsr *x) { return tsr_mul(x, tsr_square(x)); }
static tsr *cube_slope(tsr *x) { return tsr_mul(3, tsr_square(x)); }
static tsr *cube_bend(tsr *x) { return tsr_mul(6, x); }
static tsr *cubes_of(tsr *x) { return tsr_psum(tsr_sum(cube(x)), "a"); }
static tsr *map_cubes(tsr *x)
{
	return tsr_call(tsr_shard_map(grid, cubes_of, .sig = "[a] -> []", .axes = "a"), x);
}
static tsr *forward(tsr *x, tsr *(*f)(tsr *)) /* the tangent of f along ones */
{
	tsr *y = NULL, *dy = NULL;
	tsr_call_into(TSR_OUT(&y, &dy), tsr_jvp(x, f), x, ones(x));
	return dy;
}
static tsr *map_cube(tsr *x) { return MAP_A(cube, x); }
static tsr *map_forward(tsr *x) { return forward(x, map_cube); }
static tsr *cubes_slope(tsr *x) { return tsr_call(tsr_grad(x, map_cubes), x); }
static tsr *map_second(tsr *x) { return forward(x, cubes_slope); }
static tsr *slope_inside(tsr *x) { return tsr_call(tsr_grad(x, cubes_of), x); }
static tsr *map_slope_inside(tsr *x) { return MAP_A(slope_inside, x); }
static tsr *cubes_nested(tsr *x)
{
	tsr *y = tsr_call(tsr_shard_map(grid, cube, .sig = "[-,b] -> [-,b]", .axes = "b"), x);
	return tsr_psum(tsr_sum(y), "a");
}
static tsr *map_cubes_nested(tsr *x)
{
	return tsr_call(tsr_shard_map(grid, cubes_nested, .sig = "[a] -> []", .axes = "a"), x);
}
static tsr *map_nested_slope(tsr *x) { return tsr_call(tsr_grad(x, map_cubes_nested), x); }
static tsr *cube_constrained(tsr *x) { return cube(tsr_constrain(x, grid, P(NULL, "c"))); }
static tsr *cubes_constrained(tsr *x) { return tsr_sum(MAP_A(cube_constrained, x)); }
static tsr *map_constrained_slope(tsr *x) { return tsr_call(tsr_grad(x, cubes_constrained), x); }
static tsr *cube_again(tsr *x) { return tsr_call(tsr_remat(x, cube), x); }
static tsr *cubes_again(tsr *x) { return tsr_sum(MAP_A(cube_again, x)); }
static tsr *map_again_slope(tsr *x) { return tsr_call(tsr_grad(x, cubes_again), x); }

static void add_row(tsr_frame *f) /* carries a sum of rows, and gives each with it */
{
	tsr *sum = tsr_add(tsr_frame_arg(f, 0), tsr_frame_arg(f, 1));
	tsr_return(f, sum, tsr_mul(sum, tsr_frame_arg(f, 1)));
}
static tsr *rows(tsr *x)
{
	tsr *sum = NULL, *all = NULL;
	tsr_scan_into(TSR_OUT(&sum, &all), add_row, tsr_index(x, 0, 0), x);
	return all;
}
static tsr *map_rows(tsr *x)
{
	return tsr_call(tsr_shard_map(grid, rows, .sig = "[-,a] -> [-,a]", .axes = "a"), x);
}
static void map_step(tsr_frame *f) { tsr_return(f, tsr_add(map_twice(tsr_frame_arg(f, 0)), 1)); }
static tsr *map_around(tsr *x)
{
	tsr *y = NULL;
	tsr_scan_into(TSR_OUT(&y), map_step, x, TSR_NONE, .length = 3);
	return y;
}
static void is_small(tsr_frame *f) { tsr_return(f, tsr_lt(tsr_max(tsr_frame_arg(f, 0)), 100)); }
static void all_are_small(tsr_frame *f)
{
	tsr_return(f, tsr_lt(tsr_pmax(tsr_max(tsr_frame_arg(f, 0)), "a"), 100));
}
static tsr *until(tsr *x) { return tsr_while(is_small, add_one, x); }
static tsr *until_all(tsr *x) { return tsr_while(all_are_small, add_one, x); }
static tsr *map_until(tsr *x) { return MAP_A(until, x); }
static tsr *map_until_all(tsr *x) { return MAP_A(until_all, x); }
static tsr *plain_until(tsr *x)
{
	return tsr_concatenate(0, until(tsr_slice(x, 0, 0, 2)), until(tsr_slice(x, 0, 2, 4)));
}
static tsr *until_around(tsr *x) { return tsr_while(is_small, map_step, x); }
static tsr *choice(tsr *x) { return tsr_cond(tsr_gt(tsr_sum(x), 0), cube, twice, x); }
static tsr *map_choice(tsr *x) { return tsr_cond(tsr_gt(tsr_sum(x), 0), map_cube, map_twice, x); }

/* ---- random numbers: a key for each block, of whatever part of it a device makes */

static tsr *drawn(tsr *x)
{
	tsr *key = tsr_fold_in(tsr_key(x, 3), tsr_axis_index(x, "a"));
	return tsr_add(x, tsr_uniform(key, tsr_shape(x)));
}
static tsr *map_drawn(tsr *x) { return MAP_A(drawn, x); }
static tsr *plain_drawn(tsr *x)
{
	tsr *key = tsr_key(x, 3), *half[2];
	for (int k = 0; k < 2; k++)
		half[k] = tsr_add(tsr_slice(x, 0, 2 * k, 2 * k + 2),
		                  tsr_uniform(tsr_fold_in(key, k), D(2, 4, 4)));
	return tsr_concatenate(0, half[0], half[1]);
}

static tsr *sorted(tsr *x) { return tsr_sort(x, .dim = D(1)); }
static tsr *map_sorted(tsr *x) { return MAP_A(sorted, x); }
static tsr *summing(tsr *x) { return tsr_cumsum(x, .dim = D(1)); }
static tsr *map_summing(tsr *x) { return MAP_A(summing, x); }
static tsr *less_most(tsr *x) { return tsr_sub(x, tsr_max(x, .dims = D(2), .keep = true)); }
static tsr *map_less_most(tsr *x) { return MAP_A(less_most, x); }

#define ABC TSR_SPEC("a", "b", "c")
static const struct one {
	const char *name;
	tsr *(*map)(tsr *), *(*plain)(tsr *);
	double moved;     /* bytes that a device gets in JAX; -1: not compared */
	tsr_spec at, jax; /* of x, and of the result; not given: it is not compared */
} programs[] = {
	{"one", map_twice, twice, 0, TSR_SPEC("a", "b", "c"), TSR_SPEC("a", "b", "c")},
	{"minor", map_twice, twice, 0, TSR_SPEC("a*c", "b"), TSR_SPEC("a*c", "b")},
	{"major", map_twice, twice, -1, TSR_SPEC("c*a", "b"), TSR_SPEC("a", "b")},
	{"uncommitted", map_twice, twice, 0, .jax = TSR_SPEC("a")},
	{"added", map_added, plain_added, 32, TSR_SPEC("a", "b", "c"), TSR_SPEC(NULL, "b", "c")},
	{"summed", map_summed, summed, 16, TSR_SPEC("a", "b", "c"), TSR_SPEC("a", "b")},
	{"nested", map_nested, plain_nested, 0, TSR_SPEC("a", "b", "c"), TSR_SPEC("a", "b", "c")},
	{"loop", map_loop, plain_loop, 0, TSR_SPEC("a", "b", "c"), TSR_SPEC("a", "b", "c")},
	{"parted", map_parted, plain_parted, 8, TSR_SPEC("a", "b", "c"), TSR_SPEC("a", "b", "c")},
	{"gathered", map_gathered, same, 224, TSR_SPEC("a", "b", "c"), TSR_SPEC(NULL, "b", "c")},
	{"turned", map_turned, same, 96, TSR_SPEC("a", "b", "c"), TSR_SPEC(NULL, "a", "c")},
	{"constrained", map_constrained, twice, 0, TSR_SPEC("a"), TSR_SPEC("a", "c")},
	{"grad", map_grad, twice, 0, TSR_SPEC("a", "b", "c"), TSR_SPEC("a", "b", "c")},
	{"vmap", map_vmap, twice, 0, TSR_SPEC("c", "a", "b"), TSR_SPEC("c", "a", "b")},
	{"product", map_product, plain_product, 32, TSR_SPEC("b", "c", "a"), TSR_SPEC("a")},
	{"uneven", map_uneven, plain_uneven, -1, .at = TSR_SPEC("a")},
	{"in threes", map_threes, plain_threes, -1, .at = TSR_SPEC("a")},
	{"forward", map_forward, cube_slope, 0, ABC, ABC},
	{"second", map_second, cube_bend, 0, ABC, ABC},
	{"slope inside", map_slope_inside, cube_slope, 0, ABC, ABC},
	{"slope of nested", map_nested_slope, cube_slope, 0, ABC, ABC},
	{"slope of constrained", map_constrained_slope, cube_slope, 0, TSR_SPEC("a"),
	 TSR_SPEC("a", "c")},
	{"slope again", map_again_slope, cube_slope, 0, ABC, ABC},
	{"rows", map_rows, rows, 48, TSR_SPEC("c", "a", "b"), TSR_SPEC(NULL, "a", "b")},
	{"loop around", map_around, plain_loop, 0, ABC, ABC},
	{"until", map_until, plain_until, 8, ABC, ABC},
	{"until all", map_until_all, until, 12, ABC, ABC},
	{"until around", until_around, until, 12, ABC, ABC},
	{"choice around", map_choice, choice, 12, ABC, ABC},
	{"drawn", map_drawn, plain_drawn, 0, ABC, ABC},
	{"sorted", map_sorted, sorted, -1, ABC, ABC},
	{"summing", map_summing, summing, 32, ABC, ABC},
	{"less most", map_less_most, less_most, 16, ABC, ABC},
};

static void check(tsr_ctx *ctx, const struct one *p)
{
	TSR_SCOPE(ctx);
	tsr *x = tsr_reshape(
		tsr_sub(tsr_rem(tsr_mul(tsr_arange(ctx, 64, .dtype = TSR_F32), 7), 11), 4),
		D(4, 4, 4));
	tsr *want = p->plain(x), *there = p->at.n1 ? tsr_put(x, grid, p->at) : x;
	tsr *jitted = tsr_call(tsr_jit(ctx, p->map), there), *eager = p->map(there);
	if (tsr_status(ctx)) fail_msg("%s: %s", p->name, tsr_message(ctx));
	if (!tsr_array_equal(jitted, want)) fail_msg("%s differs", p->name);
	if (!tsr_array_equal(eager, want)) fail_msg("%s differs eagerly", p->name);
	const double moved = MOVED(tsr_jit(ctx, p->map), there);
	if (p->moved >= 0 && moved > p->moved)
		fail_msg("%s moves %g bytes, and in JAX %g", p->name, moved, p->moved);
	if (!p->jax.n1) return;
	const tsr_sharding *at = tsr_sharding_of(jitted), *jax = tsr_sharding_make(grid, p->jax);
	if (!tsr_sharding_equivalent(at, jax, tsr_ndim(jitted)))
		fail_msg("%s is at %s, and in JAX at %s", p->name, tsr_sharding_text(at),
		         tsr_sharding_text(jax));
}

static void all_programs(void **state)
{
	tsr_ctx *ctx = *state;
	grid = tsr_mesh_make(ctx, {"a", 2}, {"b", 2}, {"c", 2});
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) check(ctx, &programs[i]);
}

/* a dim that comes apart inside of an axis: that is in parts in the body */
static tsr *in_heads(tsr *x)
{
	return tsr_reshape(tsr_square(tsr_reshape(x, D(2, 2, 4))), D(2, 8));
}
static tsr *map_heads(tsr *x) { return MAP_A(in_heads, x); }

static void heads_move_nothing(void **state)
{
	tsr_ctx *ctx = *state;
	grid = tsr_mesh_make(ctx, {"a", 2}, {"x", 4});
	tsr *whole = tsr_reshape(tsr_arange(ctx, 32, .dtype = TSR_F32), D(4, 8));
	tsr *x = tsr_put(whole, grid, P("a", "x"));
	tsr_fn *f = tsr_jit(ctx, map_heads);
	tsr *y = tsr_call(f, x);
	assert_true(tsr_array_equal(y, tsr_square(whole)));
	assert_ptr_equal(tsr_sharding_of(y), tsr_sharding_make(grid, P("a", "x")));
	assert_null(strstr(tsr_fn_compiled_text(f, x), "all_gather"));
}

static void moves_nothing(void **state)
{
	tsr_ctx *ctx = *state;
	grid = tsr_mesh_make(ctx, {"a", 2}, {"b", 2});
	tsr *x = tsr_put(tsr_zeros(ctx, D(4, 8)), grid, P("a", "b"));
	const char *text = tsr_fn_compiled_text(tsr_jit(ctx, map_twice), x);
	assert_non_null(text);
	assert_null(strstr(text, "all_gather"));
	assert_null(strstr(text, "dynamic_slice"));
	tsr *y = tsr_call(tsr_pmap(ctx, tsr_pmap(ctx, twice)), x = tsr_zeros(ctx, D(4, 2)));
	assert_string_equal(tsr_sharding_text(tsr_sharding_of(y)),
	                    "NamedSharding(mesh=Mesh('_pmap': 4, '_pmap_1': 2), "
	                    "spec=P('_pmap', '_pmap_1'))");
	text = tsr_fn_compiled_text(tsr_pmap(ctx, tsr_pmap(ctx, twice)), y);
	assert_null(strstr(text, "all_gather"));
}

/* ---- two meshes of the same devices, of other axes */

static tsr_mesh *two; /* p:4, q:2 */

static tsr *map_p(tsr *x)
{
	return tsr_call(tsr_shard_map(two, tsr_square, .sig = "[p] -> [p]", .axes = "p"), x);
}
static tsr *map_a_then_p(tsr *x) { return map_p(map_twice(x)); }

static void second_mesh(void **state)
{
	tsr_ctx *ctx = *state;
	grid = tsr_mesh_make(ctx, {"a", 2}, {"b", 2}, {"c", 2});
	two = tsr_mesh_make(ctx, {"p", 4}, {"q", 2});
	tsr *whole = tsr_reshape(tsr_arange(ctx, 64, .dtype = TSR_F32), D(4, 4, 4));
	tsr *x = tsr_put(whole, grid, P("a*b", "c"));
	tsr_fn *f = tsr_jit(ctx, map_p), *g = tsr_jit(ctx, map_a_then_p);
	tsr *y = tsr_call(f, x);
	assert_true(tsr_array_equal(y, tsr_square(whole)));
	assert_ptr_equal(tsr_sharding_of(y), tsr_sharding_make(two, P("p", "q")));
	assert_true(MOVED(f, x) == 0);
	/* no spec over the other mesh says these */
	y = tsr_put(whole, grid, P("b", NULL, "c"));
	assert_true(tsr_array_equal(tsr_call(f, y), tsr_square(whole)));
	y = tsr_put(whole, grid, P("a", "b", "c"));
	assert_true(tsr_array_equal(tsr_call(g, y), tsr_square(tsr_mul(whole, 2))));
}

/* ---- dims that the axes do not divide, at the edge of a map: 6 over a*c, and its blocks of 3 over
 * c, have other parts */

static tsr *in_threes_twice(tsr *x) { return in_threes(tsr_constrain(x, grid, P("c"))); }
static tsr *edge_of_threes(tsr *x) { return MAP_A(in_threes_twice, x); }
static tsr *into_whole(tsr *x) { return MAP_A(tsr_square, tsr_constrain(x, grid, P("a*c"))); }
static tsr *into_threes(tsr *x) { return MAP_A(in_threes, tsr_constrain(x, grid, P("a*c"))); }
static tsr *out_of_threes(tsr *x) { return tsr_constrain(MAP_A(in_threes, x), grid, P("a*c")); }

#define TWO_GATHERS \
	"2x collective-permute f32[1,8]->f32[1,8] {{0,4}}; " \
	"2x all-gather f32[2,8]->f32[4,8] {{0,1},{2,3},{4,5},{6,7}}"
static const struct edge {
	const char *name;
	tsr *(*map)(tsr *);
	const char *jax; /* what JAX 0.10.2 moves */
} edges[] = {
	{"threes", edge_of_threes, "1x all-gather f32[2,8]->f32[4,8] {{0,1},{2,3},{4,5},{6,7}}"},
	{"into whole", into_whole, TWO_GATHERS},
	{"into threes", into_threes, TWO_GATHERS},
	{"out of threes", out_of_threes, TWO_GATHERS},
};

static void uneven_edges(void **state)
{
	tsr_ctx *ctx = *state;
	grid = tsr_mesh_make(ctx, {"a", 2}, {"b", 2}, {"c", 2});
	tsr *whole = tsr_reshape(tsr_arange(ctx, 48, .dtype = TSR_F32), D(6, 8));
	tsr *x = tsr_put(whole, grid, P("a")), *want = tsr_square(whole);
	for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
		tsr_fn *f = tsr_jit(ctx, edges[i].map);
		if (!tsr_array_equal(tsr_call(f, x), want)) fail_msg("%s differs", edges[i].name);
		moves_at_most(edges[i].name, MOVED(f, x), edges[i].jax);
	}
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, near_open, near_close)
	const struct CMUnitTest tests[] = {TEST(all_programs), TEST(moves_nothing),
	                                   TEST(heads_move_nothing), TEST(second_mesh),
	                                   TEST(uneven_edges)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
