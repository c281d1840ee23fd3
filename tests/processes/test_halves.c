/* test_halves.c - sums over numbers of processes that are no power of two, each a node of its own,
 * give the bits of one process where their parts (pass/crossing_halves.c), or roots
 * (crossing_whole.c), go in rounds: several dtypes, and sizes where the model chooses that. */
#include "pass/replicate.h"
#include "runtime/runtime.h"
#include "../tools/conform/threads.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { MUCH = 64 << 10, LITTLE = 16 << 10 }; /* bytes, as f32 */

static tsr *flat(tsr *x) { return tsr_astype(tsr_ravel(x), TSR_F32); }

/* x: f32[MUCH / 4], different on each device. All results in one row */
static tsr *sums(tsr *x)
{
	const int64_t n = tsr_axis_size(tsr_ctx_of(x), "x"), rows = MUCH / 8 / n;
	tsr *few = tsr_slice(x, 0, 0, LITTLE / 4);
	tsr *cut = tsr_reshape(tsr_slice(x, 0, 0, 2 * rows * n), TSR_DIMS(2, n * rows));
	tsr *const parts[] = {
		flat(tsr_psum(x, "x")),
		flat(tsr_psum(tsr_astype(x, TSR_BF16), "x")),
		flat(tsr_psum(few, "x")),
		flat(tsr_psum(tsr_astype(few, TSR_F16), "x")),
		flat(tsr_psum(tsr_astype(few, TSR_F64), "x")),
		flat(tsr_psum(tsr_astype(tsr_mul(few, 1000), TSR_I32), "x")),
		flat(tsr_pmax(x, "x")),
		flat(tsr_psum_scatter(cut, "x", .dim = TSR_DIMS(1), .tiled = true)),
		flat(tsr_psum_scatter(tsr_astype(cut, TSR_BF16), "x", .dim = TSR_DIMS(1),
	                              .tiled = true)),
	};

	return tsr_concatenate_list(0, parts, ARRAY_LEN(parts));
}

typedef struct job {
	int devices;
	float *wants, *gets; /* of all devices, in their order */
	int64_t each;        /* of one */
} job;

static void run(tsr_ctx *ctx, job *j, float *to)
{
	tsr_mesh *line = tsr_mesh_make(ctx, {"x", j->devices});
	tsr *x = tsr_normal(tsr_key(ctx, 11), TSR_DIMS(MUCH / 4 * j->devices));
	tsr_fn *f = tsr_shard_map(line, sums, .sig = "[x] -> [x]", .unchecked = true);
	tsr *y = tsr_call(f, tsr_put(x, line, TSR_P("x")));

	for (int64_t k = 0; k < j->devices; k++) {
		if (tsr_device(ctx, k).process != tsr_process(ctx)) continue;
		tsr *shard = tsr_shard_data(y, k);
		j->each = tsr_size(shard);
		assert_true(
			tsr_read(shard, (void *)(to + k * j->each), (size_t)j->each * sizeof *to));
	}
	if (tsr_status(ctx)) fprintf(stderr, "%s\n", tsr_message(ctx));
}

static const tsr_open_args *opens(tsr_open_args *a, const job *j)
{
	*a = (tsr_open_args){.size = sizeof *a,
	                     .devices = j->devices,
	                     .workers = 1,
	                     .debug = "c",
	                     .engine = "cpu"};
	return a;
}

static void on_rank(const threads_place *at, void *of)
{
	tsr_open_args args;
	job own = *(const job *)of;
	tsr_ctx *ctx = ctx_open(TSR_HERE, opens(&args, of), 1, &threads_comm, at);

	run(ctx, &own, own.gets);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* parts of much go in rounds, of psum and psum_scatter, and roots of little */
static bool is_chosen(int n)
{
	base b;

	assert_true(base_init(&b, NULL, NULL, 0));
	const bool chosen = scatters_in_rounds(LEVEL_NETWORK, n, MUCH) &&
	                    doubles_in_rounds(&b, LEVEL_NETWORK, n, LITTLE) &&
	                    !reduces_by_roots(&b, LEVEL_NETWORK, n, MUCH) &&
	                    reduces_by_roots(&b, LEVEL_NETWORK, n, LITTLE);
	base_fini(&b);
	return chosen;
}

static void check(int processes, int each, bool both)
{
	enum { ROOM = 1 << 18 };
	tsr_open_args args;
	job j = {.devices = processes * each};
	assert_true(both ? is_chosen(processes)
	                 : scatters_in_rounds(LEVEL_NETWORK, processes, MUCH));
	const size_t bytes = (size_t)j.devices * ROOM * sizeof *j.wants;

	j.wants = calloc(bytes, 1);
	j.gets = calloc(bytes, 1);
	tsr_ctx *one = tsr_open_at(TSR_HERE, opens(&args, &j));
	run(one, &j, j.wants);
	assert_true(j.each > 0 && j.each <= ROOM);
	assert_int_equal(tsr_close(one), TSR_OK);
	threads_world *w = threads_world_make(processes, 1, (uint64_t)processes);
	threads_run(w, on_rank, &j);
	threads_world_free(w);
	for (int64_t i = 0; i < j.devices * j.each; i++)
		if (memcmp(&j.gets[i], &j.wants[i], sizeof *j.gets))
			fail_msg("%d processes: number %lld of device %lld is %a, and not %a",
			         processes, (long long)(i % j.each), (long long)(i / j.each),
			         (double)j.gets[i], (double)j.wants[i]);
	free(j.wants);
	free(j.gets);
}

/* the last processes exchange all at once */
static void at_once(void **state)
{
	(void)state;
	check(7, 1, true);
	check(11, 1, true);
	check(15, 1, true);
}

/* the rest sends to its block when both have their sums */
static void late(void **state)
{
	(void)state;
	check(13, 2, true);
	check(21, 1, true);
}

/* the rest sends early, to some of its block; that of 19 has exchanged all at once */
static void early(void **state)
{
	(void)state;
	check(9, 1, false);
	check(17, 1, true);
	check(18, 1, true);
	check(19, 1, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_once),
		cmocka_unit_test(late),
		cmocka_unit_test(early),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
