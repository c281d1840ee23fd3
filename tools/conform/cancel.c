/* cancel.c - checks runs that are cancelled, at once or at a number, runs that fail, and progress
 * during runs. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "conform.h"

static const char forever[] = "f(%0: f32[4], %1: i32[]) -> f32[4] {\n"
			      "  %2: f32[4], %3: i32[] = while %0 %1 cond_consts=0 body_consts=0 "
			      "cond=(%0: f32[4], %1: i32[]) -> bool[] {\n"
			      "    return true:bool\n"
			      "  } body=(%0: f32[4], %1: i32[]) -> f32[4], i32[] {\n"
			      "    %2: f32[4] = sin %0\n"
			      "    %3: i32[] = add %1 1:i32\n"
			      "    return %2 %3\n  }\n"
			      "  return %2\n}\n";
static const char exchanges[] =
	"axes (x of (x:4)) f(%0: f32[8]{x}) -> f32[8]{x}, f32[8] {\n"
	"  %1: f32[8]{x} = ppermute %0 axes=(x) perm=[0>1,1>2,2>3,3>0]\n" /* 1 */
	"  %2: f32[8]{x} = sin %1\n"
	"  %3: f32[8]{x} = scan %2 length=3 consts=0 carry=1 unroll=1 body=(%0: f32[8]{x}) -> "
	"f32[8]{x} {\n"
	"    %1: f32[8]{x} = ppermute %0 axes=(x) perm=[0>1,1>2,2>3,3>0]\n" /* 2 */
	"    %2: f32[8]{x} = cos %1\n"
	"    return %2\n  }\n"
	"  %4: f32[8] = psum %0 axes=(x) to=invarying\n" /* 3 */
	"  return %3 %4\n}\n";
enum { EXCHANGES = 3, MANY = 40 };

/* ---- all runs */

/* the operands, held once more: a failed run takes its own references alone */
static void keep(rig *r, buffer **held)
{
	for (int64_t i = 0; i < r->program->nin * r->n; i++) held[i] = tsr__buffer_retain(r->in[i]);
}

static void check_kept(rig *r, buffer **held, const char *what)
{
	for (int64_t i = 0; i < r->program->nin * r->n; i++) {
		check(r->trial, held[i]->refs == 1,
		      "%s: operand %lld has %d references afterwards, not 1", what, (long long)i,
		      held[i]->refs);
		tsr__buffer_release(held[i]);
	}
}

static void run_cancelled(rig *r, const char *what)
{
	buffer *held[16];

	keep(r, held);
	if (!check(r->trial, !rig_run(r), "%s: the run does not fail", what)) rig_drop_out(r);
	check_error(r->trial, r->ctx, TSR_ERROR_CANCELLED, what);
	check_kept(r, held, what);
}

/* false: it is not */
static bool before_a_run(trial *t)
{
	const int faults = t->faults;
	rig r;

	if (!rig_open(&r, t, NULL, 4, 2, exchanges)) return false;
	for (int i = 0; i < MANY; i++) {
		if (!rig_fill(&r, 0, false)) break;
		if (i % 2)
			check(t, rig_run(&r), "after a cancelled run: %s", tsr_message(r.ctx));
		else
			r.engine->type->cancel(r.engine), run_cancelled(&r, "cancelled before");
		rig_drop_out(&r);
	}
	rig_close(&r, TSR_OK);
	return t->faults == faults;
}

static void *cancel_soon(void *of)
{
	const struct timespec soon = {.tv_nsec = 20000000};
	engine *e = of;

	nanosleep(&soon, NULL);
	e->type->cancel(e);
	return NULL;
}

static void from_another_thread(trial *t)
{
	pthread_t thread;
	rig r;

	if (!rig_open(&r, t, NULL, 1, 1, forever)) return;
	for (int i = 0; i < 3; i++) {
		if (!rig_fill(&r, 0, false) ||
		    pthread_create(&thread, NULL, cancel_soon, r.engine) != 0)
			break;
		run_cancelled(&r, "cancelled by another thread");
		pthread_join(thread, NULL);
	}
	rig_close(&r, TSR_OK);
}

/* ---- who makes progress */

typedef struct watcher {
	engine *engine;
	pthread_t caller;
	int calls, elsewhere, cancel_at;
	int32_t stop; /* at this number, from the first call on */
} watcher;

static void watch(void *user, engine_run *run)
{
	watcher *w = user;

	w->elsewhere += !pthread_equal(pthread_self(), w->caller);
	if (++w->calls == w->cancel_at) w->engine->type->cancel(w->engine);
	if (w->stop) run->stop = w->stop;
}

static void set_watch(engine *e, watcher *w)
{
	w->engine = e;
	w->caller = pthread_self();
	e->progress_user = w;
	e->progress = watch;
}

static void while_it_runs(trial *t)
{
	watcher w = {.cancel_at = 100};
	rig r;

	if (!rig_open(&r, t, NULL, 1, 1, forever)) return;
	set_watch(r.engine, &w);
	for (int i = 0; i < 3 && rig_fill(&r, 0, false); i++) {
		w.calls = 0;
		run_cancelled(&r, "cancelled by who makes progress");
	}
	check(t, !w.elsewhere, "progress is called on another thread");
	rig_close(&r, TSR_OK);
}

/* it is called in every run, and changes nothing. false: it is not */
static bool progress_is_made(trial *t)
{
	const int faults = t->faults;
	watcher w = {0};
	rig r;

	if (!rig_open(&r, t, NULL, 4, 4, exchanges)) return false;
	set_watch(r.engine, &w);
	for (int i = 0; i < MANY && rig_fill(&r, 0, false); i++) {
		w.calls = 0;
		check(t, rig_run(&r), "%s", tsr_message(r.ctx));
		check(t, w.calls > 0 && !w.elsewhere, "a run of exchanges makes no progress");
		rig_drop_out(&r);
	}
	rig_close(&r, TSR_OK);
	return t->faults == faults;
}

/* ---- at a number: where every exchange is one between memories, all engines stop there */

/* the numbers that the library's passes would give */
static void number(const program *p, int32_t *last)
{
	for (int i = 0; i < p->neqns; i++) {
		eqn *e = (eqn *)(uintptr_t)&p->eqns[i];
		if (tsr__eqn_reach(e) == REACH_GROUP && e->nin) e->number = ++*last;
		for (inner k = {0}; tsr__eqn_next(e, &k);) number(k.program, last);
	}
}

static void at_a_number(trial *t)
{
	watcher w = {0};
	int32_t last = 0;
	rig r;

	if (!rig_open(&r, t, NULL, 4, 4, exchanges)) return;
	number(r.program, &last);
	set_watch(r.engine, &w);
	for (int i = 0; i < MANY; i++) {
		w.stop = i % (EXCHANGES + 2);
		if (!rig_fill(&r, 0, false)) break;
		if (w.stop && w.stop <= EXCHANGES)
			run_cancelled(&r, "stopped at a number");
		else
			check(t, rig_run(&r), "with no number to come to: %s", tsr_message(r.ctx));
		rig_drop_out(&r);
	}
	check(t, last == EXCHANGES, "%d exchanges were counted", last);
	rig_close(&r, TSR_OK);
}

/* ---- errors */

static const char missed[] =
	"axes (x of (x:2)) f(%0: f32[3]{x}) -> f32[3]{x} {\n"
	"  %1: i32[]{x} = axis_index axes=(x)\n"
	"  %2: f32[3]{x} = cond %1 %0 branches=[(%0: f32[3]{x}) -> f32[3]{x} {\n"
	"    return %0\n"
	"  }, (%0: f32[3]{x}) -> f32[3]{x} {\n"
	"    %1: f32[3]{x} = psum %0 axes=(x) to=varying\n"
	"    return %1\n  }]\n"
	"  return %2\n}\n";

/* devices of one group go different ways: who came must not wait for ever */
static void not_all_arrive(trial *t)
{
	buffer *held[16];
	rig r;

	for (int memories = 1; memories <= 2; memories++) {
		if (!rig_open(&r, t, NULL, 2, memories, missed)) return;
		if (rig_fill(&r, 0, false)) {
			keep(&r, held);
			check(t, !rig_run(&r), "an exchange that one device misses succeeds");
			check_error(t, r.ctx, TSR_ERROR_SHARDING, "a missed exchange");
			check_kept(&r, held, "a missed exchange");
		}
		rig_close(&r, TSR_OK);
	}
}

/* Fewer and fewer requests for the context's memory are granted while it runs: an error, all
 * references are taken, and later runs have what they need. An engine may have other memory too,
 * which this does not see. true: that many were enough */
static bool with_so_much_memory(trial *t, int64_t requests)
{
	buffer *held[16];
	bool enough = true;
	rig r;

	if (!rig_open(&r, t, NULL, 4, 4, exchanges)) return true;
	if (rig_fill(&r, 0, false)) {
		keep(&r, held);
		tsr__fail_memory(r.ctx, requests + 1);
		enough = rig_run(&r);
		tsr__fail_memory(r.ctx, -1);
		rig_drop_out(&r);
		if (!enough) check_error(t, r.ctx, TSR_ERROR_MEMORY, "a run without memory");
		check_kept(&r, held, "a run without memory");
	}
	if (rig_fill(&r, 0, false))
		check(t, rig_run(&r), "after a run without memory: %s", tsr_message(r.ctx));
	rig_drop_out(&r);
	rig_close(&r, TSR_OK);
	return enough;
}

static void without_memory(trial *t)
{
	enum { MOST = 1000 };
	int64_t requests = 0;

	while (requests < MOST && !with_so_much_memory(t, requests)) requests++;
	check(t, requests < MOST, "a run asks %d times for memory", MOST);
}

void conform_control_of_runs(trial *t)
{
	/* what cannot be cancelled is not given a loop without end */
	const bool cancels = before_a_run(t), progresses = progress_is_made(t);

	if (cancels) from_another_thread(t);
	if (cancels && progresses) while_it_runs(t);
	if (progresses) at_a_number(t);
	not_all_arrive(t);
	without_memory(t);
}
