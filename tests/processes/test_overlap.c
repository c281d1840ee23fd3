/* test_overlap.c - messages travel while other work is done: an exchange beside work that does not
 * need it takes as long as the longer of the two. The processes are threads, whose messages are
 * late without taking a processor.
 *
 *     before   between                           after
 *     ..       begin, work, (waits for the) end  ..
 *
 * On a busy machine nothing takes as long as it should. So what is measured is processor time of
 * one rank: of the work alone; of both, with messages that are there at once; and of what stands
 * before the begin and after the end, with a message that comes long after the work. Beside a
 * message that travels for as long as the work takes, both would then take before + after + the
 * longer of the work and `between`. */
#include "runtime/runtime.h"
#include "../tools/conform/threads.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static const double late = 0.03, most = 1.1; /* seconds; both to the longer of the two */
enum { FIRST = 2, LEAST = 5, MOST = 60 };    /* rounds: the first ones compile */

/* ---- work of some milliseconds: of a library, of a row, of machine code in a loop */

static tsr *product(tsr *w) { return tsr_dot(w, w); }
static tsr *sums(tsr *w) { return tsr_cumsum(w, .dim = TSR_DIMS(0)); }
static tsr *turn(tsr *i, tsr *w) { return (void)i, tsr_sin(tsr_add(w, 1)); }
static tsr *loop(tsr *w) { return tsr_fori(0, 12, turn, w); }

#define BESIDE(work) \
	static void work##_beside(tsr_frame *frame) \
	{ \
		tsr *x = tsr_frame_arg(frame, 0), *w = tsr_frame_arg(frame, 1); \
		tsr_return(frame, tsr_ppermute(x, "x", TSR_SHIFT(1)), work(w)); \
	}
BESIDE(product)
BESIDE(sums)
BESIDE(loop)

static const struct kind {
	const char *name;
	tsr *(*work)(tsr *);
	void (*beside)(tsr_frame *);
	int64_t rows, columns;
} kinds[] = {
	{"product", product, product_beside, 400, 400},
	{"sums", sums, sums_beside, 1000, 1000},
	{"loop", loop, loop_beside, 1000, 300},
};

/* ---- measuring */

typedef struct job {
	const struct kind *kind;
	threads_world *world;
	pthread_barrier_t together;
	_Atomic bool good; /* as rank 0 says */
} job;

static double processor_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct span {
	double begin, end;
} span;

static span run(job *j, int rank, tsr_fn *f, tsr *w, tsr *x, double delay)
{
	tsr *y, *z = NULL;
	span s;
	TSR_SCOPE(tsr_ctx_of(w));

	if (!rank) threads_world_delay(j->world, delay);
	pthread_barrier_wait(&j->together);
	s.begin = processor_seconds();
	if (x)
		tsr_call_into(TSR_OUT(&y, &z), f, x, w);
	else
		y = tsr_call(f, w);
	tsr_wait(y);
	if (z) tsr_wait(z);
	s.end = processor_seconds();
	pthread_barrier_wait(&j->together);
	return s;
}

static double smaller(double a, double b) { return a < b ? a : b; }

static void on_rank(const threads_place *at, void *of)
{
	job *j = of;
	const struct kind *k = j->kind;
	const tsr_open_args args = {
		.size = sizeof args, .devices = 2, .workers = 1, .debug = "c", .engine = "cpu"};
	tsr_ctx *ctx = ctx_open(TSR_HERE, &args, 1, &threads_comm, at);
	tsr_mesh *line = tsr_mesh_make(ctx, {"x", 2});
	tsr_fn *alone = tsr_jit(ctx, tsr_shard_map(line, k->work, .sig = "[x] -> [x]"));
	tsr_fn *both = tsr_jit(ctx, tsr_shard_map(line, k->beside, .sig = "[x] [x] -> [x] [x]"));
	tsr *x = tsr_put(tsr_ones(ctx, TSR_DIMS(2000)), line, TSR_P("x"));
	tsr *w = tsr_put(tsr_full(ctx, TSR_DIMS(2 * k->rows, k->columns), 1e-3), line, TSR_P("x"));
	double work = 1e9, all = 1e9, around = 1e9, time = 0;

	for (int round = 0; round < MOST && !j->good; round++) {
		const span a = run(j, at->rank, alone, w, NULL, 0);
		const span b = run(j, at->rank, both, w, x, 0);
		const span c = run(j, at->rank, both, w, x, late);
		const threads_times t = threads_world_times(j->world, at->rank);
		if (round < FIRST) continue;
		work = smaller(work, a.end - a.begin);
		all = smaller(all, b.end - b.begin);
		around = smaller(around, t.began - c.begin + c.end - t.over);
		time = around + (all - around > work ? all - around : work);
		if (!at->rank) j->good = round >= LEAST && time <= most * work;
		pthread_barrier_wait(&j->together);
	}
	if (!at->rank)
		print_message("%s: %.3f ms, beside a message of that time %.2f of it\n", k->name,
		              work * 1e3, time / work);
	if (tsr_status(ctx)) fprintf(stderr, "rank %d: %s\n", at->rank, tsr_message(ctx));
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void test_overlap(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		job j = {.kind = &kinds[i], .world = threads_world_make(2, 0, 0)};
		pthread_barrier_init(&j.together, NULL, 2);
		threads_run(j.world, on_rank, &j);
		pthread_barrier_destroy(&j.together);
		threads_world_free(j.world);
		assert_true(j.good);
	}
}

/* ---- messages that move only when they are asked for, as those of MPI: one is there when it was
 * asked for twice. That is before the work is done, since it is asked for between parts of that,
 * the longest of which are blocks of the product: a third of a millisecond */

enum { ASKED = 2 };
static _Thread_local processes *here;
static _Thread_local int asked;        /* since the run began */
static _Thread_local double was_there; /* processor time, when it was there */

/* others, of agreements, are there as soon as they can be */
static bool is_of_program(const transfer *t)
{
	for (const flight *f = here->flights; f; f = f->next)
		if (f->transfer == t) return true;
	return false;
}

static comm_state test_slowly(comm *c, transfer *t)
{
	const bool slow = is_of_program(t);

	if (slow && ++asked < ASKED) return COMM_BUSY;
	const comm_state s = threads_comm.test(c, t);
	if (slow && s != COMM_BUSY && was_there == 0) was_there = processor_seconds();
	return s;
}

static void poked_on_rank(const threads_place *at, void *of)
{
	job *j = of;
	const struct kind *k = j->kind;
	const tsr_open_args args = {
		.size = sizeof args, .devices = 2, .workers = 1, .debug = "c", .engine = "cpu"};
	tsr_ctx *ctx = ctx_open(TSR_HERE, &args, 1, &threads_comm, at);
	tsr_mesh *line = tsr_mesh_make(ctx, {"x", 2});
	tsr_fn *both = tsr_jit(ctx, tsr_shard_map(line, k->beside, .sig = "[x] [x] -> [x] [x]"));
	tsr *x = tsr_put(tsr_ones(ctx, TSR_DIMS(2000)), line, TSR_P("x"));
	tsr *w = tsr_put(tsr_full(ctx, TSR_DIMS(2 * k->rows, k->columns), 1e-3), line, TSR_P("x"));
	const comm_type slow = {.start = threads_comm.start,
	                        .test = test_slowly,
	                        .drop = threads_comm.drop,
	                        .cancel = threads_comm.cancel,
	                        .stop = threads_comm.stop,
	                        .board = threads_comm.board,
	                        .close = threads_comm.close};

	for (int round = 0; round < MOST && !j->good; round++) {
		const comm_type *own = ctx->processes->comm->type;
		here = ctx->processes;
		ctx->processes->comm->type = round < FIRST ? own : &slow;
		asked = 0;
		was_there = 0;
		const span s = run(j, at->rank, both, w, x, 0);
		ctx->processes->comm->type = own;
		if (!at->rank && round >= FIRST)
			j->good = was_there > 0 && was_there - s.begin < 0.7 * (s.end - s.begin);
		pthread_barrier_wait(&j->together);
	}
	if (tsr_status(ctx)) fprintf(stderr, "rank %d: %s\n", at->rank, tsr_message(ctx));
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void test_poked(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		job j = {.kind = &kinds[i], .world = threads_world_make(2, 0, 0)};
		pthread_barrier_init(&j.together, NULL, 2);
		threads_run(j.world, poked_on_rank, &j);
		pthread_barrier_destroy(&j.together);
		threads_world_free(j.world);
		if (!j.good) fail_msg("%s: a message was not moved meanwhile", kinds[i].name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_poked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
