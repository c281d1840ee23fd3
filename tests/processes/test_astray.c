/* test_astray.c - one process of three is killed, stopped or slow, does another call than the
 * others, leaves one out, or has no memory, at a random place: the others name it, the call and the
 * line, or go on with right results; nobody hangs. The processes are forked.
 *
 * TSR_SEED=n runs that draw alone; TSR_DRAWS says how many there are. */
#include "runtime/runtime.h"
#include "support/comm_shared.h"
#include "tsr/engine/test.h"
#include "support/quiet.h"
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

enum { RANKS = 3, CALLS = 8, DRAWS = 30, TEXT = 1024, MOST_CALLS = 100000 };
typedef enum fault { KILL, STOP, SLOW, LITERAL, SHAPE, ORDER, MISSING, MEMORY, FAULTS } fault;
static const char *const words[] = {"kill",  "stop",  "slow",    "literal",
                                    "shape", "order", "missing", "memory"};

typedef struct trial {
	fault kind;
	int victim, at; /* the call, from 0 */
	int64_t number; /* microseconds, or which request for memory fails */
	const char *engine;
} trial;

typedef struct outcome {        /* in memory that all share */
	char text[RANKS][TEXT]; /* of the first error */
	bool wrong[RANKS];      /* a result that is none */
} outcome;

static tsr *step(tsr *x) { return tsr_psum(tsr_mul(tsr_psum(x, "x"), 2), "x"); }
static tsr *other_step(tsr *x) { return tsr_psum(tsr_mul(tsr_psum(x, "x"), 3), "x"); }
static tsr *loss(tsr *x) { return tsr_add(tsr_psum(tsr_square(x), "x"), tsr_axis_size(x, "x")); }

static void stop_here(int number) { (void)number, raise(SIGSTOP); }

/* the victim's time comes by the clock */
static void set_clock(const trial *t)
{
	const struct itimerval when = {.it_value = {.tv_usec = t->number}};

	if (t->kind == STOP) signal(SIGALRM, stop_here);
	setitimer(ITIMER_REAL, &when, NULL);
}

typedef struct run {
	tsr_ctx *ctx;
	tsr_fn *step, *loss, *other;
	tsr *x, *longer;
} run;

/* call i is step or loss, on a line of its own */
static tsr *call(const run *r, int i, const trial *t)
{
	char where[32];
	tsr *x = t && t->kind == SHAPE ? r->longer : r->x;
	tsr_fn *f = i % 2 ? r->loss : t && t->kind == LITERAL ? r->other : r->step;

	snprintf(where, sizeof where, "app.c:%d", 100 + i);
	return tsr_call_at(where, f, (tsr_arg[]){TSR_ARG(x)}, 1);
}

static void check(const run *r, int i, const tsr *y, outcome *o, int rank)
{
	if (tsr_status(r->ctx)) {
		if (!o->text[rank][0]) snprintf(o->text[rank], TEXT, "%s", tsr_message(r->ctx));
		if (tsr_status(r->ctx) == TSR_ERROR_MEMORY) tsr_clear(r->ctx);
	} else if (tsr_item(y) != (i % 2 ? 8 : 18)) {
		o->wrong[rank] = true;
	}
}

static void calls(const run *r, const trial *t, outcome *o, int rank)
{
	const bool by_clock = t->kind == KILL || t->kind == STOP, own = rank == t->victim;
	const int n = by_clock ? MOST_CALLS : CALLS;

	if (by_clock && own) set_clock(t);
	for (int i = 0; i < n && !tsr_status(r->ctx); i++) {
		TSR_SCOPE(r->ctx);
		const bool now = own && i == t->at;
		int what = i;
		if (t->kind == SLOW && own) usleep(20000);
		if (now && t->kind == MISSING) continue;
		if (own && t->kind == ORDER && (i == t->at || i == t->at + 1))
			what = 2 * t->at + 1 - i;
		if (now && t->kind == MEMORY) tsr__fail_memory(r->ctx, t->number);
		tsr *y = call(r, what, now ? t : NULL);
		tsr__fail_memory(r->ctx, -1);
		check(r, what, y, o, rank);
	}
}

static int on_rank(shared_world *w, int rank, const trial *t, outcome *o)
{
	const tsr_open_args args = {.size = sizeof args,
	                            .devices = RANKS,
	                            .engine = t->engine,
	                            .log = log_nothing,
	                            .workers = 1,
	                            .wait_limit = t->kind == SLOW ? 60 : 2};
	const shared_place at = {w, rank};
	tsr_ctx *ctx = ctx_open("app.c:1", &args, 1, &shared_comm, &at);
	tsr_mesh *line = tsr_mesh_make(ctx, {"x", RANKS});
	const run r = {.ctx = ctx,
	               .step = tsr_shard_map(line, step, .sig = "[x] -> []"),
	               .loss = tsr_shard_map(line, loss, .sig = "[x] -> []"),
	               .other = tsr_shard_map(line, other_step, .sig = "[x] -> []"),
	               .x = tsr_arange(ctx, RANKS, .dtype = TSR_F32),
	               .longer = tsr_arange(ctx, 2 * RANKS, .dtype = TSR_F32)};

	calls(&r, t, o, rank);
	return tsr_close(ctx);
}

static bool has(const char *text, const char *format, ...)
{
	char all[128];
	va_list args;

	va_start(args, format);
	vsnprintf(all, sizeof all, format, args);
	va_end(args);
	return strstr(text, all);
}

/* is what a survivor says right? */
static bool is_told(const trial *t, const char *text, int code, int victim_pid)
{
	const int number = t->at + 1, line = 100 + t->at;

	switch (t->kind) {
	case KILL:
	case STOP:
		return code == TSR_ERROR_PROCESS && has(text, "rank %d (host ", t->victim) &&
		       has(text, "pid %d) is %s", victim_pid,
		           t->kind == KILL ? "dead" : "stopped") &&
		       has(text, "last in call ");
	case SLOW: return code == TSR_OK;
	case MEMORY:
		return !*text || has(text, "rank %d: ", t->victim) ||
		       has(text, "rank %d runs", t->victim);
	default: break;
	}
	return code == TSR_ERROR_PROCESS && has(text, "call %d differs: ", number) &&
	       has(text, "(app.c:%d)", line) && has(text, "rank %d runs \"", t->victim) &&
	       (t->kind != ORDER || has(text, "(app.c:%d)", line + 1)) &&
	       (t->kind != MISSING || t->at == CALLS - 1 || has(text, "(app.c:%d)", line + 1)) &&
	       (t->kind != MISSING || t->at < CALLS - 1 || has(text, "\"tsr_close\""));
}

static void attempt(const trial *t, uint64_t seed)
{
	shared_world *w = shared_world_make(RANKS);
	outcome *o =
		mmap(NULL, sizeof *o, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid[RANKS];

	assert_true(o != MAP_FAILED);
	fflush(NULL);
	for (int rank = 0; rank < RANKS; rank++) {
		pid[rank] = fork();
		if (pid[rank] == 0) _exit(on_rank(w, rank, t, o));
		assert_true(pid[rank] > 0);
	}
	for (int k = 1; k <= RANKS; k++) { /* the victim last */
		const int rank = (t->victim + k) % RANKS;
		int status;
		if (k == RANKS && t->kind == STOP) kill(pid[rank], SIGCONT);
		assert_int_equal(waitpid(pid[rank], &status, 0), pid[rank]);
		if (k == RANKS && t->kind == KILL) break;
		if (k == RANKS && t->kind == MEMORY) break; /* its own errors are anything */
		if (k == RANKS && t->kind == MISSING && t->at == CALLS - 1) break; /* it closed */
		const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
		const bool told = is_told(t, o->text[rank], code, (int)pid[t->victim]);
		/* nobody stays behind, stopped for ever: those that were waited for are gone */
		for (int j = k + 1; !told && j <= RANKS; j++)
			kill(pid[(t->victim + j) % RANKS], SIGKILL);
		if (o->wrong[rank] || !told)
			fail_msg("TSR_SEED=%llu: %s of rank %d at call %d: rank %d has %s, %d: %s",
			         (unsigned long long)seed, words[t->kind], t->victim, t->at, rank,
			         o->wrong[rank] ? "a wrong result" : "status", code, o->text[rank]);
	}
	munmap(o, sizeof *o);
	shared_world_free(w);
}

static void test_draws(void **state)
{
	const char *one = getenv("TSR_SEED"), *many = getenv("TSR_DRAWS");
	const uint64_t first = one ? strtoull(one, NULL, 10) : 0;
	const uint64_t n = one ? 1 : many ? strtoull(many, NULL, 10) : DRAWS;

	(void)state;
	for (uint64_t seed = first; seed < first + n; seed++) {
		const uint64_t draw = hash_u64(seed, 77);
		trial t = {.kind = (fault)(seed % FAULTS),
		           .victim = (int)(draw % RANKS),
		           .at = (int)(draw / 16 % CALLS),
		           .engine = draw >> 40 & 1 ? "cpu" : "interp"};
		t.number = t.kind == MEMORY ? 1 + (int64_t)(draw >> 20) % 40
		                            : 2000 + (int64_t)(draw >> 20) % 60000;
		if (t.kind == LITERAL) t.at -= t.at % 2; /* step has one */
		if (t.kind == ORDER && t.at == CALLS - 1) t.at--;
		attempt(&t, seed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_draws)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
