/* test_rounds.c - collectives of many processes, each a node of its own, so that exchanges go in
 * rounds (pass/crossing_rounds.c, crossing_sums.c), give the bits of one process: numbers of
 * processes that are powers of two and others, one and two devices each, little data and much. */
#include "runtime/runtime.h"
#include "../tools/conform/threads.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { MUCH = 40000 };

static tsr *flat(tsr *x) { return tsr_astype(tsr_ravel(x), TSR_F32); }

/* x: f32[MUCH], different on each device. All results in one row */
static tsr *collectives(tsr *x)
{
	const int64_t n = tsr_axis_size(tsr_ctx_of(x), "x");
	tsr *few = tsr_slice(x, 0, 0, 7), *half = tsr_astype(few, TSR_F16);
	tsr *box = tsr_reshape(tsr_slice(x, 0, 0, 6), TSR_DIMS(2, 3));
	tsr *cut = tsr_reshape(tsr_slice(x, 0, 0, 2 * n * 3 * n), TSR_DIMS(2 * n, 3 * n));
	tsr *by_n = tsr_reshape(tsr_slice(x, 0, 7, 7 + 2 * n * 3), TSR_DIMS(2, n, 3));
	tsr *const parts[] = {
		flat(tsr_psum(few, "x")),
		flat(tsr_psum(half, "x")),
		flat(tsr_pmax(few, "x")),
		flat(tsr_slice(tsr_psum(x, "x"), 0, MUCH - 50, MUCH)),
		flat(tsr_slice(tsr_pmin(x, "x"), 0, 0, 50)),
		flat(tsr_psum_scatter(cut, "x", .dim = TSR_DIMS(1), .tiled = true)),
		flat(tsr_psum_scatter(by_n, "x", .dim = TSR_DIMS(1))),
		flat(tsr_psum_scatter(tsr_astype(cut, TSR_BF16), "x", .tiled = true)),
		flat(tsr_all_gather(box, "x", .dim = TSR_DIMS(1))),
		flat(tsr_all_gather(box, "x", .dim = TSR_DIMS(1), .tiled = true)),
		flat(tsr_all_gather(box, "x")),
		flat(tsr_all_to_all(cut, "x", .concat = TSR_DIMS(1), .tiled = true)),
		flat(tsr_all_to_all(cut, "x", .split = TSR_DIMS(1), .tiled = true)),
		flat(tsr_all_to_all(by_n, "x", .split = TSR_DIMS(1), .concat = TSR_DIMS(2))),
		flat(tsr_all_to_all(by_n, "x", .split = TSR_DIMS(1), .concat = TSR_DIMS(0))),
		flat(tsr_pbroadcast(box, "x", 2)),
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
	tsr *x = tsr_normal(tsr_key(ctx, 11), TSR_DIMS(MUCH * j->devices));
	tsr_fn *f = tsr_shard_map(line, collectives, .sig = "[x] -> [x]", .unchecked = true);
	tsr *y = tsr_call(f, tsr_put(x, line, TSR_P("x")));

	for (int64_t k = 0; k < j->devices; k++) {
		if (tsr_device(ctx, k).process != tsr_process(ctx)) continue;
		tsr *shard = tsr_shard_data(y, k);
		j->each = tsr_size(shard);
		assert_true(tsr_read(shard, (void *)(to + k * j->each),
		                     (size_t)j->each * sizeof *to));
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

static void check(int processes, int each)
{
	enum { ROOM = 1 << 16 };
	tsr_open_args args;
	job j = {.devices = processes * each};
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

static void powers_of_two(void **state)
{
	(void)state;
	check(8, 1);
	check(4, 2);
}

static void other_numbers(void **state)
{
	(void)state;
	check(6, 1);
	check(5, 2);
	check(7, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(powers_of_two),
		cmocka_unit_test(other_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
