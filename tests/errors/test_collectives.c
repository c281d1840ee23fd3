/* test_collectives.c - collectives with a wrong axis, dim, size, permutation or group, inside a
 * body over the mesh x:4, y:2 with blocks f32[2,8]. */
#include "support/mistakes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#define D TSR_DIMS

/* .env of a body: which mistake it makes */
typedef struct choice { tsr *(*make)(world *, tsr *x); world *world; } choice;

static void body(tsr_frame *frame)
{
	const choice *c = tsr_frame_env(frame);
	tsr_return(frame, c->make(c->world, tsr_frame_arg(frame, 0)));
}

static tsr *in_a_body(world *w, tsr *(*make)(world *, tsr *))
{
	const choice c = {make, w};
	tsr_fn *f = tsr_shard_map(w->mesh, body, .sig = "[x,y] -> [x,y]", TSR_ENV(&c));
	return tsr_call(f, w->a);
}

#define CASE(name, call) \
	static tsr *name##_in(world *w, tsr *x) { return WRONG(w, call); } \
	static tsr *name(world *w) { return in_a_body(w, name##_in); }

#define GROUPS(n, each, ...) \
	.groups = {.member = (const int[]){__VA_ARGS__}, .count = n, .size = each}

/* ---- axes */
CASE(psum_unknown_axis, tsr_psum(x, "rows"))
CASE(psum_repeated_axis, tsr_psum(x, "x*y*x"))
CASE(psum_no_axis, tsr_psum_at(TSR_HERE, x, NULL, NULL))
CASE(psum_empty_axis, tsr_psum(x, ""))
CASE(psum_malformed_axis, tsr_psum(x, "x**y"))
CASE(gather_unknown_axis, tsr_all_gather(x, "x*rows"))
CASE(permute_repeated_axis, tsr_ppermute(x, "y*y", TSR_SHIFT(1)))
CASE(index_unknown_axis, tsr_axis_index(x, "cols"))
CASE(cast_twice, tsr_pcast(x, "x", .to = TSR_TO_VARYING))
CASE(cast_to_equal, tsr_pcast(x, "x", .to = TSR_TO_INVARYING))
CASE(cast_unknown_axis, tsr_pcast(x, "cols"))

static tsr *size_of_unknown_axis_in(world *w, tsr *x)
{
	return WRONG(w, tsr_axis_size(x, "rows")) == 0 ? NULL : x;
}
static tsr *size_of_unknown_axis(world *w)
{
	return in_a_body(w, size_of_unknown_axis_in);
}

/* ---- dims and sizes */
CASE(gather_dim, tsr_all_gather(x, "x", .dim = D(3)))
CASE(gather_tiled_dim, tsr_all_gather(x, "x", .dim = D(2), .tiled = true))
CASE(gather_negative_dim, tsr_all_gather(x, "x", .dim = D(-4)))
CASE(gather_two_dims, tsr_all_gather(x, "x", .dim = D(0, 1)))
CASE(gather_scalar_tiled, tsr_all_gather(tsr_sum(x), "x", .tiled = true))
CASE(scatter_dim, tsr_psum_scatter(x, "x", .dim = D(2), .tiled = true))
CASE(scatter_size, tsr_psum_scatter(x, "x", .dim = D(1)))
CASE(scatter_tiled_size, tsr_psum_scatter(x, "x", .dim = D(0), .tiled = true))
CASE(exchange_split_size, tsr_all_to_all(x, "x", .split = D(1), .concat = D(0)))
CASE(exchange_tiled_size, tsr_all_to_all(x, "x*y", .split = D(0), .concat = D(1), .tiled = true))
CASE(exchange_split_dim, tsr_all_to_all(x, "y", .split = D(2), .concat = D(0)))
CASE(exchange_concat_dim, tsr_all_to_all(x, "y", .split = D(0), .concat = D(-3)))
CASE(exchange_two_dims, tsr_all_to_all(x, "y", .concat = D(0, 1)))
CASE(swap_size, tsr_pswapaxes(x, "x", 0))
CASE(swap_dim, tsr_pswapaxes(x, "x", 5))

/* ---- permutations */
CASE(permute_source_twice, tsr_ppermute(x, "x", TSR_PAIRS({0, 1}, {0, 2})))
CASE(permute_destination_twice, tsr_ppermute(x, "x", TSR_PAIRS({0, 3}, {2, 3})))
CASE(permute_out_of_range, tsr_ppermute(x, "x", TSR_PAIRS({0, 3}, {2, 7})))
CASE(permute_negative, tsr_ppermute(x, "x", TSR_PAIRS({0, 3}, {-1, 2})))
CASE(pairs_null, tsr_ppermute(x, "x", TSR_PAIRS_OF(NULL, 3)))
CASE(broadcast_source, tsr_pbroadcast(x, "x", 4))
CASE(broadcast_equal, tsr_pbroadcast(x, "x", 0, GROUPS(2, 2, 0, 1, 2, 3), .to = TSR_TO_INVARYING))
CASE(broadcast_negative_source, tsr_pbroadcast(x, "x", -1))

static const int repeated[] = {0, 1, 1, 3}, outside[] = {0, 1, 2, 4}, negative[] = {0, 1, 2, -1};
CASE(shuffle_repeated, tsr_pshuffle(x, "x", repeated, 4))
CASE(shuffle_outside, tsr_pshuffle(x, "x", outside, 4))
CASE(shuffle_negative, tsr_pshuffle(x, "x", negative, 4))
CASE(shuffle_count, tsr_pshuffle(x, "x", repeated, 2))
CASE(shuffle_null, tsr_pshuffle(x, "x", NULL, 4))

/* ---- groups */
CASE(groups_leave_one_out, tsr_psum(x, "x", GROUPS(1, 3, 0, 1, 2)))
CASE(groups_list_one_twice, tsr_psum(x, "x", GROUPS(2, 2, 0, 1, 2, 2)))
CASE(groups_list_too_many, tsr_psum(x, "x", GROUPS(3, 2, 0, 1, 2, 3, 0, 1)))
CASE(groups_out_of_range, tsr_pmax(x, "x", GROUPS(2, 2, 0, 1, 2, 4)))
CASE(groups_negative, tsr_pmin(x, "x", GROUPS(2, 2, 0, 1, 2, -1)))
CASE(groups_of_gather_leave_out, tsr_all_gather(x, "x", GROUPS(1, 2, 0, 1)))
CASE(groups_typed_equal, tsr_all_gather(x, "x", GROUPS(2, 2, 0, 1, 2, 3), .to = TSR_TO_INVARYING))
CASE(groups_and_scatter, tsr_psum_scatter(x, "x", .dim = D(1), GROUPS(2, 2, 0, 1, 2, 3)))

static const size_t sizes[] = {1, 3};
#define UNEVEN .groups = {.member = (const int[]){0, 1, 2, 3}, .count = 2, .sizes = sizes}
static tsr *size_of_uneven_groups_in(world *w, tsr *x)
{
	return WRONG(w, tsr_axis_size(x, "x", UNEVEN)) == 0 ? NULL : x;
}
static tsr *size_of_uneven_groups(world *w)
{
	return in_a_body(w, size_of_uneven_groups_in);
}
CASE(uneven_gather, tsr_all_gather(x, "x", UNEVEN))
CASE(uneven_scatter, tsr_psum_scatter(x, "x", .dim = D(1), .tiled = true, UNEVEN))
CASE(uneven_exchange, tsr_all_to_all(x, "x", .split = D(1), .concat = D(1), .tiled = true, UNEVEN))
CASE(uneven_mean, tsr_pmean(x, "x", UNEVEN))

/* ---- dtypes */
CASE(max_of_complex, tsr_pmax(tsr_astype(x, TSR_C64), "x"))

/* ---- ragged: f32[2,8] on each device; lists of two over y */
static tsr *ragged(tsr *x, tsr *output, tsr *list)
{
	return tsr_ragged_all_to_all_at("test_collectives.c:3", x, output, list, list, list, list,
	                                "y", NULL);
}
#define RAGGED(name, output, list) \
	static tsr *name##_in(world *w, tsr *x) { w->line = 3; return ragged(x, output, list); } \
	static tsr *name(world *w) { return in_a_body(w, name##_in); }
#define LIST(n) tsr_zeros(x, D n, .dtype = TSR_I32)
RAGGED(ragged_floats, x, tsr_zeros(x, D(2)))
RAGGED(ragged_matrix, x, LIST((2, 1, 1)))
RAGGED(ragged_count, x, LIST((3)))
RAGGED(ragged_empty, x, LIST((0)))
RAGGED(ragged_other_dims, tsr_zeros(x, D(2, 7)), LIST((2)))
RAGGED(ragged_other_dtype, tsr_zeros(x, D(2, 8), .dtype = TSR_I32), LIST((2)))

#define S TSR_ERROR_SHARDING
#define A TSR_ERROR_ARGUMENT
#define T TSR_ERROR_TYPE
static const mistake table[] = {
	MISTAKE(psum_unknown_axis, S, "psum", "unbound axis name", "rows"),
	MISTAKE(psum_repeated_axis, S, "psum", "x"),
	MISTAKE(psum_no_axis, A, "psum", "axis"),
	MISTAKE(psum_empty_axis, A, "psum", "axis"),
	MISTAKE(psum_malformed_axis, A, "psum", "x**y"),
	MISTAKE(gather_unknown_axis, S, "all_gather", "rows"),
	MISTAKE(permute_repeated_axis, S, "ppermute", "y"),
	MISTAKE(index_unknown_axis, S, "axis_index", "cols"),
	MISTAKE(cast_twice, S, "pcast", "x", "varying"),
	MISTAKE(cast_to_equal, S, "pcast", "invarying"),
	MISTAKE(cast_unknown_axis, S, "pcast", "cols"),
	MISTAKE(size_of_unknown_axis, S, "axis_size", "rows"),
	MISTAKE(size_of_uneven_groups, A, "axis_size", "groups", "size"),
	MISTAKE(gather_dim, A, "all_gather", "3"),
	MISTAKE(gather_tiled_dim, A, "all_gather", "2"),
	MISTAKE(gather_negative_dim, A, "all_gather", "-4"),
	MISTAKE(gather_two_dims, A, "all_gather", ".dim takes one dim"),
	MISTAKE(gather_scalar_tiled, A, "all_gather", "0"),
	MISTAKE(scatter_dim, A, "psum_scatter", "2"),
	MISTAKE(scatter_size, T, "psum_scatter", "size 8", "4"),
	MISTAKE(scatter_tiled_size, T, "psum_scatter", "size 2", "4"),
	MISTAKE(exchange_split_size, T, "all_to_all", "4", "8"),
	MISTAKE(exchange_tiled_size, T, "all_to_all", "(2)", "(8)"),
	MISTAKE(exchange_split_dim, A, "all_to_all", "2"),
	MISTAKE(exchange_concat_dim, A, "all_to_all", "-3"),
	MISTAKE(exchange_two_dims, A, "all_to_all", ".concat takes one dim"),
	MISTAKE(swap_size, T, "2", "4"),
	MISTAKE(swap_dim, A, "pswapaxes", "5"),
	MISTAKE(permute_source_twice, A, "ppermute", "source", "0"),
	MISTAKE(permute_destination_twice, A, "ppermute", "destination", "3"),
	MISTAKE(permute_out_of_range, A, "ppermute", "{2, 7} is out of range", "0 to 3"),
	MISTAKE(permute_negative, A, "ppermute", "{-1, 2} is out of range"),
	MISTAKE(pairs_null, A, "ppermute", "3 pairs is NULL"),
	MISTAKE(broadcast_source, A, "pbroadcast", "4"),
	MISTAKE(broadcast_equal, S, "pbroadcast", "groups", "invarying"),
	MISTAKE(broadcast_negative_source, A, "pbroadcast", "-1"),
	MISTAKE(shuffle_repeated, A, "pshuffle", "permutation", "4"),
	MISTAKE(shuffle_outside, A, "pshuffle", "permutation", "4"),
	MISTAKE(shuffle_negative, A, "pshuffle", "permutation", "4"),
	MISTAKE(shuffle_count, A, "pshuffle", "2", "4"),
	MISTAKE(shuffle_null, A, "pshuffle", "NULL"),
	MISTAKE(groups_leave_one_out, S, "psum", "groups", "3"),
	MISTAKE(groups_list_one_twice, S, "psum", "groups", "2"),
	MISTAKE(groups_list_too_many, S, "psum", "groups"),
	MISTAKE(groups_out_of_range, S, "pmax", "groups", "4"),
	MISTAKE(groups_negative, S, "pmin", "groups", "-1"),
	MISTAKE(groups_of_gather_leave_out, S, "all_gather", "groups"),
	MISTAKE(groups_typed_equal, S, "all_gather", "groups", "invarying"),
	MISTAKE(groups_and_scatter, T, "psum_scatter", "size 8", "2"),
	MISTAKE(uneven_gather, S, "all_gather", "groups", "size"),
	MISTAKE(uneven_scatter, S, "psum_scatter", "groups", "size"),
	MISTAKE(uneven_exchange, S, "all_to_all", "groups", "size"),
	MISTAKE(uneven_mean, A, "pmean", "groups", "size"),
	MISTAKE(max_of_complex, T, "pmax", "c64"),
	MISTAKE(ragged_floats, T, "ragged_all_to_all", "input_offsets", "integer"),
	MISTAKE(ragged_matrix, T, "ragged_all_to_all", "input_offsets", "2,1,1"),
	MISTAKE(ragged_count, T, "ragged_all_to_all", "3", "2"),
	MISTAKE(ragged_empty, T, "ragged_all_to_all", "input_offsets", "0"),
	MISTAKE(ragged_other_dims, T, "ragged_all_to_all", "2,8", "2,7"),
	MISTAKE(ragged_other_dtype, T, "ragged_all_to_all", "f32", "i32"),
};

static void test_mistakes(void **state)
{
	(void)state;
	const size_t count = sizeof table / sizeof *table;
	assert_int_equal(mistakes_check("test_collectives.c", table, count), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_mistakes)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
