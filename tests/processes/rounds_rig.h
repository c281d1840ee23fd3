/* rounds_rig.h - runs a body on processes that are threads, each a node of its own, and compares
 * the bits with those of one process. */
#ifndef TSR_TESTS_ROUNDS_RIG_H
#define TSR_TESTS_ROUNDS_RIG_H
#include "runtime/runtime.h"
#include "../tools/conform/threads.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static inline tsr *flat(tsr *x) { return tsr_astype(tsr_ravel(x), TSR_F32); }

typedef struct job {
	tsr *(*body)(tsr *); /* of numbers that differ on each device; all results in one row */
	int64_t size;        /* of its operand */
	int devices;
	float *wants, *gets; /* of all devices, in their order */
	int64_t each;        /* of one */
} job;

static inline void run(tsr_ctx *ctx, job *j, float *to)
{
	tsr_mesh *line = tsr_mesh_make(ctx, {"x", j->devices});
	tsr *x = tsr_normal(tsr_key(ctx, 11), TSR_DIMS(j->size * j->devices));
	tsr_fn *f = tsr_shard_map(line, j->body, .sig = "[x] -> [x]", .unchecked = true);
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

static inline const tsr_open_args *opens(tsr_open_args *a, const job *j)
{
	*a = (tsr_open_args){.size = sizeof *a,
	                     .devices = j->devices,
	                     .workers = 1,
	                     .plugin_dir = PLUGIN_DIR,
	                     .debug = "c",
	                     .engine = "cpu"};
	return a;
}

static inline void on_rank(const threads_place *at, void *of)
{
	tsr_open_args args;
	job own = *(const job *)of;
	tsr_ctx *ctx = ctx_open(TSR_HERE, opens(&args, of), 1, &threads_comm, at);

	run(ctx, &own, own.gets);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static inline void check_rounds(tsr *(*body)(tsr *), int64_t size, int processes, int each)
{
	enum { ROOM = 1 << 18 };
	tsr_open_args args;
	job j = {.body = body, .size = size, .devices = processes * each};
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

#endif
