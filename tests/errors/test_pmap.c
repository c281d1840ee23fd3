/* test_pmap.c - tsr_pmap: mapped dims, numbers of devices, pmaps inside others, and pmaps beside a
 * map over a mesh of the user's. */
#include "support/mistakes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#define D TSR_DIMS

static tsr *same(tsr *x) { return tsr_copy(x); }
static tsr *sum(tsr *x, tsr *y) { return tsr_add(x, y); }

#define CASE(name, call) static tsr *name(world *w) { return WRONG(w, call); }
#define PMAP(...) tsr_pmap(w->ctx, __VA_ARGS__)

/* ---- what is mapped */
CASE(nothing_mapped, tsr_call(PMAP(same, .in = TSR_MAPPED(TSR_UNMAPPED)), w->i))
CASE(no_argument, tsr_call(PMAP(tsr_add, .in = TSR_MAPPED(TSR_UNMAPPED, TSR_UNMAPPED)), 1, 2))
CASE(scalar_is_mapped, tsr_call(PMAP(same), 1.0))
CASE(dim_out_of_range, tsr_call(PMAP(same, .in = TSR_MAPPED(2)), w->a))
CASE(out_dim_out_of_range, tsr_call(PMAP(same, .out = TSR_MAPPED(2)), w->a))
CASE(axis_size_differs, tsr_call(PMAP(same, .axis_size = 3), w->i))
CASE(negative_axis_size, tsr_call(PMAP(same, .axis_size = -1), w->i))
CASE(bad_name, tsr_call(PMAP(same, .axis = "a b"), w->i))
CASE(too_many_dims, tsr_call(PMAP(same, .in = TSR_MAPPED(0, 0)), w->i))
CASE(nothing_to_map, tsr_call(PMAP(same), tsr_zeros(w->ctx, D(0, 2))))

static tsr *sizes_differ(world *w)
{
	tsr *four = tsr_zeros(w->ctx, D(4)), *three = tsr_zeros(w->ctx, D(3));
	return WRONG(w, tsr_call(PMAP(sum), four, three));
}

static tsr *count_without_dims(world *w)
{
	return WRONG(w, tsr_call(PMAP(same, .out = {{.count = 1}}), w->i));
}

/* ---- axes without a name are not named */
static world *here;
static tsr *is_small(tsr *x) { return tsr_lt(tsr_sum(x), 3); }
static tsr *narrower(tsr *x) { return tsr_astype(tsr_mul(x, 2), TSR_F16); }
static tsr *narrows(tsr *x)
{
	return WRONG(here, tsr_cond(is_small(x), same, narrower, x));
}
static tsr *branches_differ(world *w)
{
	here = w;
	tsr *x = tsr_slice(tsr_slice(w->a, 0, 0, 2), 1, 0, 2);
	return tsr_call(tsr_pmap(w->ctx, tsr_pmap(w->ctx, narrows)), x);
}

/* ---- axes with a name are */
static tsr *det_of_block(tsr *x) { return WRONG(here, tsr_det(x)); }
static tsr *det_of_vector(world *w)
{
	here = w;
	return tsr_call(tsr_pmap(w->ctx, det_of_block, .axis = "k"), tsr_zeros(w->ctx, D(2, 3)));
}

/* ---- devices */
CASE(too_many, tsr_call(PMAP(same), tsr_zeros(w->ctx, D(9))))
CASE(far_too_many, tsr_call(PMAP(same, .axis_size = INT64_MAX, .in = TSR_MAPPED(TSR_UNMAPPED)),
                            w->i))
CASE(nested_too_many, tsr_call(PMAP(tsr_pmap(w->ctx, same, .axis = "j"), .axis = "i"), w->a))

static const int64_t three_ids[] = {0, 1, 2}, twice[] = {1, 2, 1}, unknown[] = {0, 88};

CASE(more_than_listed, tsr_call(PMAP(same, TSR_DEVICES(three_ids)), w->i))
CASE(listed_twice, tsr_call(PMAP(same, TSR_DEVICES(twice)), tsr_zeros(w->ctx, D(3))))
CASE(not_there, tsr_call(PMAP(same, TSR_DEVICES(unknown)), tsr_zeros(w->ctx, D(2))))
CASE(empty_list, tsr_call(PMAP(same, .devices = three_ids), w->i))
#define ENDLESS .devices = three_ids, .device_count = SIZE_MAX
CASE(longer_than_there_are, tsr_call(PMAP(same, ENDLESS), w->i))
CASE(no_list, tsr_call(PMAP(same, .device_count = 3), w->i))

/* ---- donation */
CASE(donates_what_is_not_there, tsr_call(PMAP(same, .donate = D(1)), w->i))
CASE(donates_out_of_range, tsr_call(PMAP(same, .donate = D(8)), w->i))

static tsr *given_up(world *w)
{
	tsr *x = tsr_zeros(w->ctx, D(8));
	tsr_call(PMAP(same, .donate = D(0), .name = "eats"), x);
	return WRONG(w, tsr_neg(x));
}

/* ---- one inside another */

static int body_line;

static tsr *inner_with_devices(tsr *x)
{
	tsr_fn *f = tsr_pmap(x, same, TSR_DEVICES(three_ids), .name = "inner");
	body_line = __LINE__ + 1;
	return tsr_call(f, x);
}

static tsr *devices_inside(world *w)
{
	tsr *y = tsr_call(PMAP(inner_with_devices), tsr_zeros(w->ctx, D(2, 2)));
	w->line = body_line;
	return y;
}

static tsr *two_sizes(tsr *x)
{
	tsr *one = tsr_call(tsr_pmap(x, same, .axis = "j"), tsr_slice(x, 0, 0, 2));
	tsr_fn *four = tsr_pmap(x, same, .axis = "k");
	body_line = __LINE__ + 1;
	return tsr_concatenate(0, one, tsr_call(four, tsr_slice(x, 0, 0, 4)));
}

static tsr *sizes_side_by_side(world *w)
{
	tsr *y = tsr_call(PMAP(two_sizes), tsr_zeros(w->ctx, D(2, 4)));
	w->line = body_line;
	return y;
}

/* ---- beside tsr_shard_map */

static tsr *pmap_inside(tsr *x)
{
	tsr_fn *f = tsr_pmap(x, same, .name = "inner");
	body_line = __LINE__ + 1;
	return tsr_call(f, x);
}

static tsr *inside_a_map(world *w)
{
	tsr *y = tsr_call(tsr_shard_map(w->mesh, pmap_inside, .sig = "[x] -> [x]"), w->i);
	w->line = body_line;
	return y;
}

static void map_inside(tsr_frame *frame)
{
	world *const *w = tsr_frame_env(frame);
	tsr_fn *f = tsr_shard_map((*w)->mesh, same, .sig = "[] -> []", .name = "map");
	body_line = __LINE__ + 1;
	tsr_return(frame, tsr_call(f, tsr_frame_arg(frame, 0)));
}

static tsr *around_a_map(world *w)
{
	tsr *y = tsr_call(PMAP(map_inside, TSR_ENV(&w)), w->i);
	w->line = body_line;
	return y;
}

static tsr *sums(tsr *x)
{
	body_line = __LINE__ + 1;
	return tsr_psum(x, "i");
}

static tsr *without_a_name(world *w)
{
	tsr *y = tsr_call(PMAP(sums), w->i);
	w->line = body_line;
	return y;
}

static tsr *other_devices(world *w) /* tsr_pmap alone takes them; within tsr_jit nothing does */
{
	tsr *there = tsr_put_device(tsr_zeros(w->ctx, D(4)), 7);
	return WRONG(w, tsr_call(tsr_jit(w->ctx, PMAP(same)), there));
}

#define S TSR_ERROR_SHARDING
#define A TSR_ERROR_ARGUMENT
static const mistake table[] = {
	MISTAKE(nothing_mapped, A, "pmap of 'same'", "at least one argument that is mapped",
	        ".axis_size"),
	MISTAKE(no_argument, A, "pmap of 'tsr_add'", "at least one argument"),
	MISTAKE(scalar_is_mapped, A, "pmap of 'same'", "args[0]", "rank", "1"),
	MISTAKE(dim_out_of_range, A, "pmap of 'same'", "args[0]", "dim 2", "3", "only 2"),
	MISTAKE(out_dim_out_of_range, A, "pmap of 'same'", ".out[0]", "dim 2", "2 dims"),
	MISTAKE(axis_size_differs, TSR_ERROR_TYPE, "pmap of 'same'", ".axis_size is 3", "args[0]",
	        "8"),
	MISTAKE(negative_axis_size, A, "pmap: .axis_size is negative"),
	MISTAKE(bad_name, A, "pmap: 'a b' cannot name an .axis"),
	MISTAKE(too_many_dims, A, "pmap of 'same'", ".in has 2 entries", "1 argument"),
	MISTAKE(nothing_to_map, S, "pmap of 'same'", "size 0", "tsr_vmap"),
	MISTAKE(sizes_differ, TSR_ERROR_TYPE, "pmap of 'sum'", "args[0] has size 4",
	        "args[1] has size 3"),
	MISTAKE(count_without_dims, A, "pmap: .out[0]"),
	MISTAKE(det_of_vector, TSR_ERROR_TYPE, "det takes square matrices, and got f32[3]{k}"),
	MISTAKE(branches_differ, TSR_ERROR_TYPE, "has type f16[] but", "true_fn has type f32[]"),
	MISTAKE(too_many, S, "pmap of 'same'", "of its axes (9)", "8 devices", "tsr_vmap"),
	MISTAKE(far_too_many, S, "9223372036854775807", "8 devices"),
	MISTAKE(nested_too_many, S, "'i': 8", "'j': 16", "8 devices"),
	MISTAKE(more_than_listed, S, "of its axes (8)", ".devices has 3 devices"),
	MISTAKE(listed_twice, S, "device 1 is listed twice"),
	MISTAKE(not_there, S, "no device 88"),
	MISTAKE(empty_list, A, "pmap: .devices has ids", "TSR_DEVICES(ids)"),
	MISTAKE(longer_than_there_are, A, "pmap: .device_count is 18446744073709551615",
	        "the context has 8 devices"),
	MISTAKE(no_list, A, "pmap: .device_count is 3"),
	MISTAKE(donates_what_is_not_there, A, "same donates argument 1", "1 argument"),
	MISTAKE(donates_out_of_range, A, "pmap: .donate names argument 8"),
	MISTAKE(given_up, TSR_ERROR_HANDLE, "was donated to eats"),
	MISTAKE(devices_inside, S, "pmap of 'inner'", ".devices", "outermost"),
	MISTAKE(sizes_side_by_side, S, "pmap of 4 (axis 'k', test_pmap.c:",
	        "beside a pmap of 2 (axis 'j', test_pmap.c:", "tsr_shard_map"),
	MISTAKE(inside_a_map, S, "pmap of 'inner'", "inside tsr_shard_map", "tsr_vmap"),
	MISTAKE(around_a_map, S, "shard_map of 'map'", "inside tsr_pmap"),
	MISTAKE(without_a_name, S, "unbound axis name: i", "tsr_pmap"),
	MISTAKE(other_devices, S, "incompatible devices", "args[0]", "[7]", "[0, 1, 2, 3]"),
};

static void mistakes(void **state)
{
	(void)state;
	assert_int_equal(mistakes_check("test_pmap.c", table, sizeof table / sizeof *table), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(mistakes)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
