/* test_kills.c - a process is killed, stopped, slow or calls exit(): the others name it and the
 * call, and end; or they wait. The processes are forked. */
#include "engine/cpu/cpu.h"
#include "runtime/runtime.h"
#include "support/comm_shared.h"
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

enum { RANKS = 3, TEXT = 1024 };

typedef struct outcome { /* in memory that all share */
	_Atomic int64_t calls[RANKS];
	char text[RANKS][TEXT];
	char warned[RANKS][TEXT]; /* the last warning */
	double seconds[RANKS];    /* when it ended */
} outcome;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void log_to(void *user, int level, const char *text)
{
	if (level == 1 && strstr(text, "rank 1 (host")) snprintf(user, TEXT, "%s", text);
}

static tsr *sum_twice(tsr *x) { return tsr_psum(tsr_add(tsr_psum(x, "x"), x), "x"); }

static tsr_ctx *open_rank(shared_world *w, int rank, outcome *o, double limit)
{
	const tsr_open_args args = {.size = sizeof args,
	                            .devices = RANKS,
	                            .engine = "interp",
	                            .log = log_to,
	                            .user = o->warned[rank],
	                            .workers = 1,
	                            .wait_limit = limit};
	const shared_place at = {w, rank};

	return ctx_open("test.c:1", &args, 1, &shared_comm, &at);
}

/* calls until something is wrong; what is, goes to the outcome */
static int work(shared_world *w, int rank, outcome *o, double limit, int slow)
{
	tsr_ctx *ctx = open_rank(w, rank, o, limit);
	tsr_mesh *line = tsr_mesh_make(ctx, {"x", RANKS});
	tsr_fn *f = tsr_shard_map(line, sum_twice, .sig = "[x] -> []");
	tsr *x = tsr_arange(ctx, RANKS, .dtype = TSR_F32);

	while (!tsr_status(ctx) && !(slow && o->calls[rank] == 3)) {
		TSR_SCOPE(ctx);
		tsr *y = tsr_call_at("test.c:7", f, (tsr_arg[]){TSR_ARG(x)}, 1);
		if (!tsr_status(ctx) && tsr_item(y) != 12) return 99;
		atomic_fetch_add(&o->calls[rank], 1);
		for (int i = 0; slow == 1 + rank && i < 60; i++) usleep(10000);
	}
	snprintf(o->text[rank], TEXT, "%s", tsr_message(ctx));
	o->seconds[rank] = now();
	return tsr_close(ctx);
}

static outcome *outcome_make(void)
{
	outcome *o =
		mmap(NULL, sizeof *o, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_true(o != MAP_FAILED);
	return o;
}

static void start(shared_world *w, outcome *o, pid_t *pid, double limit, int slow)
{
	fflush(NULL);
	for (int rank = 0; rank < RANKS; rank++) {
		pid[rank] = fork();
		if (pid[rank] == 0) _exit(work(w, rank, o, limit, slow));
		assert_true(pid[rank] > 0); /* or kill() would mean others */
	}
	while (!slow && (o->calls[0] < 3 || o->calls[1] < 3 || o->calls[2] < 3)) usleep(200);
}

static int status_of(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* how: a signal for one of them, after some microseconds; a_node: so many share a node */
static void check_signal(int how, int victim, int after, int a_node)
{
	shared_world *w = shared_world_make(RANKS);
	outcome *o = outcome_make();
	pid_t pid[RANKS];
	char who[128], what[32], host[28] = "";

	shared_world_nodes(w, a_node);
	start(w, o, pid, 1, 0);
	usleep((useconds_t)after);
	const double then = now();
	kill(pid[victim], how);
	gethostname(host, sizeof host - 1);
	snprintf(who, sizeof who, "rank %d (host %s, pid %d)", victim, host, (int)pid[victim]);
	snprintf(what, sizeof what, how == SIGKILL ? "is dead" : "is stopped");
	if (how == SIGKILL) assert_int_equal(status_of(pid[victim]), -1);
	for (int rank = 0; rank < RANKS; rank++) {
		if (rank == victim) continue;
		const int status = status_of(pid[rank]);
		if (status != TSR_ERROR_PROCESS || !strstr(o->text[rank], who) ||
		    !strstr(o->text[rank], what) || !strstr(o->text[rank], "last in call "))
			fail_msg("rank %d: status %d, %s", rank, status, o->text[rank]);
		/* it takes 0.2 s, or the limit of 1 s; other tests may take the processor */
		assert_true(o->seconds[rank] - then < 6);
	}
	if (how == SIGSTOP) {
		kill(pid[victim], SIGCONT);
		assert_int_equal(status_of(pid[victim]), TSR_ERROR_PROCESS);
		assert_non_null(strstr(o->text[victim], "is stopped"));
	}
	munmap(o, sizeof *o);
	shared_world_free(w);
}

static int rounds(int few)
{
	const char *every = getenv("TSR_EVERY");

	return every && *every ? 40 * few : few;
}

static void killed(void **state)
{
	(void)state;
	for (int i = 0; i < rounds(6); i++) check_signal(SIGKILL, i % RANKS, 37 * i % 1000, RANKS);
}

static void stopped(void **state)
{
	(void)state;
	for (int i = 0; i < rounds(2); i++) check_signal(SIGSTOP, i % RANKS, 91 * i % 1000, RANKS);
}

/* all are stopped together, for longer than the limit, as a batch system does: they go on, though
 * rank 1 has still some way to go */
static void suspended(void **state)
{
	shared_world *w = shared_world_make(RANKS);
	outcome *o = outcome_make();
	pid_t pid[RANKS];

	(void)state;
	start(w, o, pid, 1, 2);
	while (o->calls[1] < 1) usleep(200);
	usleep(50000);
	for (int rank = 0; rank < RANKS; rank++) kill(pid[rank], SIGSTOP);
	usleep(2500000);
	for (int rank = 0; rank < RANKS; rank++) kill(pid[rank], SIGCONT);
	for (int rank = 0; rank < RANKS; rank++)
		if (status_of(pid[rank]) != TSR_OK) fail_msg("rank %d: %s", rank, o->text[rank]);
	munmap(o, sizeof *o);
	shared_world_free(w);
}

/* what has become of rank 1, rank 0 sees, and tells rank 2, which cannot */
static void elsewhere(void **state)
{
	(void)state;
	check_signal(SIGKILL, 1, 100, 2);
	check_signal(SIGSTOP, 1, 100, 2);
}

/* who is slow is waited for */
static void slow(void **state)
{
	shared_world *w = shared_world_make(RANKS);
	outcome *o = outcome_make();
	pid_t pid[RANKS];

	(void)state;
	start(w, o, pid, 600, 2);
	for (int rank = 0; rank < RANKS; rank++) assert_int_equal(status_of(pid[rank]), TSR_OK);
	munmap(o, sizeof *o);
	shared_world_free(w);
}

/* ---- a warning, which says what the other one does, and then all go on */

static outcome *slept_by; /* rank 1 sleeps until another one has said so */

static bool sleeps_on_1(const tsr_host_call *c)
{
	const volatile char *said[] = {slept_by->warned[0], slept_by->warned[2]};

	while (tsr_process(c->ctx) == 1 && !*said[0] && !*said[1]) usleep(10000);
	*(float *)c->out[0] = 1;
	return true;
}

static bool sleeps_not(const tsr_host_call *c) { return *(float *)c->out[0] = 1, true; }

static _Thread_local tsr_fn *sleeper;

static tsr *sum_after_sleep(tsr *x)
{
	return tsr_psum(tsr_mul(tsr_call(sleeper, tsr_sum(x)), x), "x");
}

static int warns(shared_world *w, int rank, outcome *o)
{
	tsr_ctx *ctx = open_rank(w, rank, o, 4);
	tsr_mesh *line = tsr_mesh_make(ctx, {"x", RANKS});

	slept_by = o;
	sleeper =
		tsr_pure_callback(ctx, sleeps_on_1, .results = TSR_RESULTS({TSR_F32, TSR_DIMS()}));
	tsr_fn *f = tsr_shard_map(line, sum_after_sleep, .sig = "[x] -> []");
	tsr *x = tsr_arange(ctx, RANKS, .dtype = TSR_F32);
	tsr *y = tsr_call_at("test.c:7", f, (tsr_arg[]){TSR_ARG(x)}, 1);
	if (!tsr_status(ctx) && tsr_item(y) != 3) return 99;
	return tsr_close(ctx);
}

static void warned(void **state)
{
	shared_world *w = shared_world_make(RANKS);
	outcome *o = outcome_make();
	pid_t pid[RANKS];
	char text[TEXT], host[28] = "";

	(void)state;
	fflush(NULL);
	for (int rank = 0; rank < RANKS; rank++) {
		pid[rank] = fork();
		if (pid[rank] == 0) _exit(warns(w, rank, o));
		assert_true(pid[rank] > 0);
	}
	for (int rank = 0; rank < RANKS; rank++) assert_int_equal(status_of(pid[rank]), TSR_OK);
	gethostname(host, sizeof host - 1);
	snprintf(text, sizeof text,
	         "rank 1 (host %s, pid %d) does not come yet, in user code, last in call 1, "
	         "\"sum_after_sleep\" (test.c:7); rank",
	         host, (int)pid[1]);
	const int by = o->warned[0][0] ? 0 : 2; /* the first one that waits says it */
	assert_int_equal(o->warned[by][1], '0' + by);
	assert_memory_equal(o->warned[by] + strlen("[0] "), text, strlen(text));
	assert_string_equal(o->warned[1], "");
	munmap(o, sizeof *o);
	shared_world_free(w);
}

/* ---- what the others say of a process that is long in something of its own */

static void start_all(shared_world *w, outcome *o, pid_t *pid,
                      int (*body)(shared_world *, int rank, outcome *))
{
	fflush(NULL);
	for (int rank = 0; rank < RANKS; rank++) {
		pid[rank] = fork();
		if (pid[rank] == 0) _exit(body(w, rank, o));
		assert_true(pid[rank] > 0);
	}
}

/* rank 1 runs programs of its own, for three times as long as the limit */
static int moves_alone(shared_world *w, int rank, outcome *o)
{
	tsr_ctx *ctx = open_rank(w, rank, o, 1);
	tsr_mesh *line = tsr_mesh_make(ctx, {"x", RANKS});
	tsr_fn *f = tsr_shard_map(line, sum_twice, .sig = "[x] -> []");
	tsr *x = tsr_arange(ctx, RANKS, .dtype = TSR_F32);

	for (const double end = now() + 3; rank == 1 && now() < end; usleep(10000)) {
		TSR_SCOPE(ctx);
		if (tsr_item(tsr_sum(x)) != 3) return 99;
	}
	tsr *y = tsr_call_at("test.c:7", f, (tsr_arg[]){TSR_ARG(x)}, 1);
	snprintf(o->text[rank], TEXT, "%s", tsr_message(ctx));
	if (!tsr_status(ctx) && tsr_item(y) != 12) return 99;
	return tsr_close(ctx);
}

static void moving(void **state)
{
	shared_world *w = shared_world_make(RANKS);
	outcome *o = outcome_make();
	pid_t pid[RANKS];

	(void)state;
	start_all(w, o, pid, moves_alone);
	for (int rank = 0; rank < RANKS; rank++)
		if (status_of(pid[rank]) != TSR_OK) fail_msg("rank %d: %s", rank, o->text[rank]);
	assert_non_null(strstr(o->warned[o->warned[0][0] ? 0 : 2], "does not come yet"));
	munmap(o, sizeof *o);
	shared_world_free(w);
}

#ifndef WITHOUT_NATIVE
/* The machine code of rank 1 takes until another one has said so: code_make of the engine cpu is
 * this one (--wrap) */
static outcome *compiled_by;
static bool compiles_long;

coded *__real_code_make(base *, const native_type *, void *machine, const target *,
                        const program *fused, int workers, str *why);
coded *__wrap_code_make(base *, const native_type *, void *machine, const target *,
                        const program *fused, int workers, str *why);

coded *__wrap_code_make(base *b, const native_type *native, void *machine, const target *on,
                        const program *fused, int workers, str *why)
{
	const volatile char *said[] = {compiled_by->warned[0], compiled_by->warned[2]};

	while (compiles_long && !*said[0] && !*said[1]) usleep(10000);
	return __real_code_make(b, native, machine, on, fused, workers, why);
}

static int compiles(shared_world *w, int rank, outcome *o)
{
	const tsr_open_args args = {.size = sizeof args,
	                            .devices = RANKS,
	                            .engine = "cpu",
	                            .plugin_dir = PLUGIN_DIR,
	                            .debug = "c",
	                            .log = log_to,
	                            .user = o->warned[rank],
	                            .workers = 1,
	                            .wait_limit = 4};
	const shared_place at = {w, rank};

	compiled_by = o;
	compiles_long = rank == 1;
	tsr_ctx *ctx = ctx_open("test.c:1", &args, 1, &shared_comm, &at);
	tsr_mesh *line = tsr_mesh_make(ctx, {"x", RANKS});
	tsr_fn *f = tsr_shard_map(line, sum_twice, .sig = "[x] -> []");
	tsr *x = tsr_arange(ctx, RANKS, .dtype = TSR_F32);
	tsr *y = tsr_call_at("test.c:7", f, (tsr_arg[]){TSR_ARG(x)}, 1);
	if (!tsr_status(ctx) && tsr_item(y) != 12) return 99;
	return tsr_close(ctx);
}

static void compiling(void **state)
{
	shared_world *w = shared_world_make(RANKS);
	outcome *o = outcome_make();
	pid_t pid[RANKS];

	(void)state;
	start_all(w, o, pid, compiles);
	for (int rank = 0; rank < RANKS; rank++) assert_int_equal(status_of(pid[rank]), TSR_OK);
	const char *said = o->warned[o->warned[0][0] ? 0 : 2];
	if (!strstr(said, "does not come yet, compiling, last in call ")) fail_msg("%s", said);
	munmap(o, sizeof *o);
	shared_world_free(w);
}
#endif

/* ---- exit() in one process, in its third call or after it */

static bool exits_on_1(const tsr_host_call *c)
{
	static int calls;

	if (tsr_process(c->ctx) == 1 && ++calls == 3) exit(0);
	*(float *)c->out[0] = 1;
	return true;
}

static int calls_until_exit(shared_world *w, int rank, outcome *o, bool in_callback)
{
	tsr_ctx *ctx = open_rank(w, rank, o, 60);
	tsr_mesh *line = tsr_mesh_make(ctx, {"x", RANKS});

	sleeper = tsr_io_callback(ctx, in_callback ? exits_on_1 : sleeps_not,
	                          .results = TSR_RESULTS({TSR_F32, TSR_DIMS()}));
	tsr_fn *f = tsr_shard_map(line, sum_after_sleep, .sig = "[x] -> []");
	tsr *x = tsr_arange(ctx, RANKS, .dtype = TSR_F32);
	for (int i = 0; i < 10 && !tsr_status(ctx); i++) {
		tsr *y = tsr_call_at("test.c:7", f, (tsr_arg[]){TSR_ARG(x)}, 1);
		if (!tsr_status(ctx) && tsr_item(y) != 3) return 99;
		if (rank == 1 && i == 2) exit(0);
	}
	snprintf(o->text[rank], TEXT, "%s", tsr_message(ctx));
	return tsr_close(ctx);
}

static void check_exit(bool in_callback)
{
	shared_world *w = shared_world_make(RANKS);
	outcome *o = outcome_make();
	pid_t pid[RANKS];
	char said[TEXT], host[28] = "";

	fflush(NULL);
	for (int rank = 0; rank < RANKS; rank++) {
		pid[rank] = fork();
		if (pid[rank] == 0) _exit(calls_until_exit(w, rank, o, in_callback));
		assert_true(pid[rank] > 0);
	}
	assert_int_equal(status_of(pid[1]), 0);
	const double then = now();
	gethostname(host, sizeof host - 1);
	snprintf(said, sizeof said,
	         "rank 1 (host %s, pid %d) is dead, in user code, last in call 3, "
	         "\"sum_after_sleep\" (test.c:7); rank",
	         host, (int)pid[1]);
	for (int rank = 0; rank < RANKS; rank += 2) {
		assert_int_equal(status_of(pid[rank]), TSR_ERROR_PROCESS);
		if (!strstr(o->text[rank], said)) fail_msg("rank %d: %s", rank, o->text[rank]);
	}
	assert_true(now() - then < 6);
	munmap(o, sizeof *o);
	shared_world_free(w);
}

static void exits(void **state)
{
	(void)state;
	check_exit(false);
	check_exit(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(killed),    cmocka_unit_test(stopped), cmocka_unit_test(elsewhere),
		cmocka_unit_test(slow),      cmocka_unit_test(warned),  cmocka_unit_test(exits),
		cmocka_unit_test(suspended), cmocka_unit_test(moving),
#ifndef WITHOUT_NATIVE
		cmocka_unit_test(compiling),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
