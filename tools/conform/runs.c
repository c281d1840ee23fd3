/* runs.c - checks the runs of one executable: many, several at once, on two threads; and the memory
 * that they hold. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "conform.h"

enum { DEVICES = 4, MEMORIES = 2, MANY = 60, AT_ONCE = 3 };

static const char text[] =
	"axes (x of (x:4)) f(%0: f32[50,40]{x}, %1: f32[40]) -> f32[50,40]{x}, f32[40], f32[40] {\n"
	"  %2: f32[40]{x} = pcast %1 axes=(x)\n"
	"  %3: f32[50,40]{x} = broadcast_in_dim %2 dims=[50,40] at=[1]\n"
	"  %4: f32[50,40]{x} = scan %3 %0 length=3 consts=1 carry=1 unroll=1 "
	"body=(%0: f32[50,40]{x}, %1: f32[50,40]{x}) -> f32[50,40]{x} {\n"
	"    %2: f32[50,40]{x} = mul %0 %1\n"
	"    %3: f32[50,40]{x} = sin %2\n"
	"    %4: f32[50,40]{x} = ppermute %3 axes=(x) perm=[0>1,1>2,2>3,3>0]\n"
	"    return %4\n  }\n"
	"  %5: f32[40]{x} = reduce_sum %4 dims=[0]\n"
	"  %6: f32[40] = psum %5 axes=(x) to=invarying\n"
	"  return %4 %6 %1\n}\n";

/* the results of a draw, in list[i] */
static void take_results(rig *r, void **list)
{
	for (int64_t i = 0; i < r->program->nout * r->n; i++) list[i] = rig_result(r, i);
	rig_drop_out(r);
}

static void free_results(const rig *r, void **list)
{
	for (int64_t i = 0; i < r->program->nout * r->n; i++) free(list[i]);
}

static bool same_results(rig *r, void **a, void **b)
{
	for (int64_t i = 0; i < r->program->nout * r->n; i++)
		if (!a[i] || !b[i] || !same_values(result_type(r, i), a[i], b[i], 0)) return false;
	return true;
}

/* what interp gives for the draw */
static bool reference(trial *t, uint64_t draw, void **list)
{
	rig r;

	if (!rig_open(&r, t, "interp", DEVICES, MEMORIES, text)) return false;
	const bool ok = rig_fill(&r, draw, false) && check(t, rig_run(&r), "interp fails");
	if (ok) take_results(&r, list);
	rig_close(&r, TSR_OK);
	return ok;
}

enum { RESULTS = 3 * DEVICES };

/* an engine may compile when that pays: it must not show */
static void many_runs(trial *t)
{
	void *want[RESULTS], *got[RESULTS];
	rig r;

	if (!reference(t, 1, want) || !rig_open(&r, t, NULL, DEVICES, MEMORIES, text)) return;
	check(t, r.engine->type->bytes(r.executable) > 0, "an executable takes no memory");
	for (int i = 0; i < MANY; i++) {
		const bool before = r.engine->type->compiled(r.executable);
		if (!rig_fill(&r, 1, false) || !check(t, rig_run(&r), "run %d fails", i)) break;
		check(t, !before || r.engine->type->compiled(r.executable),
		      "run %d: what was compiled is not any more", i);
		take_results(&r, got);
		check(t, same_results(&r, want, got), "run %d gives other results", i);
		free_results(&r, got);
	}
	free_results(&r, want);
	rig_close(&r, TSR_OK);
}

/* all begin before the first one ends, and they end in another order */
static void several_at_once(trial *t)
{
	static const int order[AT_ONCE] = {1, 2, 0};
	void *want[AT_ONCE][RESULTS], *got[RESULTS];
	engine_run *run[AT_ONCE];
	rig r;

	for (int i = 0; i < AT_ONCE; i++)
		if (!reference(t, (uint64_t)i, want[i])) return;
	if (!rig_open(&r, t, NULL, DEVICES, MEMORIES, text)) return;
	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < AT_ONCE; i++) {
			rig_fill(&r, (uint64_t)i, false);
			run[i] = r.engine->type->start(r.executable, r.in, NULL);
			if (!check(t, run[i], "start while another run goes on")) return;
		}
		memset(r.in, 0, (size_t)(r.program->nin * r.n) * sizeof *r.in);
		for (int k = 0; k < AT_ONCE; k++) {
			const int i = order[k];
			r.engine->type->poll(run[i]);
			if (!check(t, r.engine->type->wait(run[i], r.out), "wait: %s",
			           tsr_message(r.ctx)))
				continue;
			take_results(&r, got);
			check(t, same_results(&r, want[i], got),
			      "runs at once: run %d gives other results", i);
			free_results(&r, got);
		}
	}
	for (int i = 0; i < AT_ONCE; i++) free_results(&r, want[i]);
	rig_close(&r, TSR_OK);
}

/* ---- threads */

typedef struct turn {
	rig *rig;
	engine_run *run;
	bool ok;
} turn;

static void *wait_there(void *of)
{
	turn *x = of;

	x->ok = x->rig->engine->type->wait(x->run, x->rig->out);
	return NULL;
}

/* begun on one thread, waited for on another, while the first one does nothing with it */
static void handed_over(trial *t)
{
	void *want[RESULTS], *got[RESULTS];
	pthread_t thread;
	rig r;

	if (!reference(t, 3, want) || !rig_open(&r, t, NULL, DEVICES, MEMORIES, text)) return;
	for (int i = 0; i < 10 && rig_fill(&r, 3, false); i++) {
		turn x = {&r, r.engine->type->start(r.executable, r.in, NULL), false};
		memset(r.in, 0, (size_t)(r.program->nin * r.n) * sizeof *r.in);
		if (!check(t, x.run && !pthread_create(&thread, NULL, wait_there, &x), "start"))
			break;
		pthread_join(thread, NULL);
		if (!check(t, x.ok, "wait on another thread: %s", tsr_message(r.ctx))) break;
		take_results(&r, got);
		check(t, same_results(&r, want, got), "wait on another thread: other results");
		free_results(&r, got);
	}
	free_results(&r, want);
	rig_close(&r, TSR_OK);
}

typedef struct worker {
	trial trial; /* of its own */
	void **want;
} worker;

static void *run_often(void *of)
{
	worker *w = of;
	void *got[RESULTS];
	rig r;

	if (!rig_open(&r, &w->trial, NULL, DEVICES, MEMORIES, text)) return NULL;
	for (int i = 0; i < MANY && rig_fill(&r, 5, false); i++) {
		if (!check(&w->trial, rig_run(&r), "two threads: %s", tsr_message(r.ctx))) break;
		take_results(&r, got);
		check(&w->trial, same_results(&r, w->want, got), "two threads: other results");
		free_results(&r, got);
	}
	rig_close(&r, TSR_OK);
	return NULL;
}

/* a context each, at the same time */
static void two_threads(trial *t)
{
	void *want[RESULTS];
	pthread_t thread;

	if (!reference(t, 5, want)) return;
	worker a = {{.engine = t->engine, .plugin_dir = t->plugin_dir}, want}, b = a;
	if (check(t, pthread_create(&thread, NULL, run_often, &b) == 0, "no thread")) {
		run_often(&a);
		pthread_join(thread, NULL);
	}
	t->checks += a.trial.checks + b.trial.checks;
	t->faults += a.trial.faults + b.trial.faults;
	for (int i = 0; i < RESULTS; i++) free(want[i]);
}

/* ---- references */

/* one reference to each operand goes, whatever happens, and those that others hold stay as they
 * are: the bytes too */
static void operands_are_taken(trial *t)
{
	buffer *held[2 * DEVICES];
	rig r;

	if (!rig_open(&r, t, NULL, DEVICES, MEMORIES, text)) return;
	void *before[2 * DEVICES], *after;
	rig_fill(&r, 7, false);
	for (int i = 0; i < 2 * DEVICES; i++) {
		const int64_t one = 1, bytes = (int64_t)r.in[i]->bytes;
		held[i] = tsr__buffer_retain(r.in[i]);
		before[i] = malloc((size_t)bytes);
		r.engine->type->read(held[i], (elements){0, &one}, before[i], &one,
		                     &(extent){&bytes, 1, 1});
	}
	const bool ran = check(t, rig_run(&r), "%s", tsr_message(r.ctx));
	rig_drop_out(&r);
	for (int i = 0; ran && i < 2 * DEVICES; i++) {
		const int64_t one = 1, bytes = (int64_t)held[i]->bytes;
		check(t, held[i]->refs == 1, "operand %d has %d references after a run", i,
		      held[i]->refs);
		after = malloc((size_t)bytes);
		r.engine->type->read(held[i], (elements){0, &one}, after, &one,
		                     &(extent){&bytes, 1, 1});
		check(t, memcmp(before[i], after, (size_t)bytes) == 0,
		      "a run writes operand %d, which somebody else holds", i);
		free(after);
	}
	for (int i = 0; i < 2 * DEVICES; i++) {
		free(before[i]);
		tsr__buffer_release(held[i]);
	}
	rig_close(&r, TSR_OK);
}

/* the caller's memory is not written, even if the run has the last reference to the buffer */
static void wrapped_stays(trial *t)
{
	float data[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8];
	const int64_t one = 1, bytes = sizeof data;
	rig r;

	if (!rig_open(&r, t, NULL, 1, 1,
	              "f(%0: f32[8]) -> f32[8] {\n  %1: f32[8] = add %0 %0\n  return %1\n}\n"))
		return;
	for (int i = 0; i < MANY; i++) {
		r.in[0] = r.engine->type->wrap(r.engine, 0, data, sizeof data, false, NULL, NULL);
		if (!check(t, r.in[0] && rig_run(&r), "%s", tsr_message(r.ctx))) break;
		check(t, data[0] == 1 && data[7] == 8, "a run writes into wrapped memory");
		r.engine->type->read(r.out[0], (elements){0, &one}, back, &one,
		                     &(extent){&bytes, 1, 1});
		check(t, back[0] == 2 && back[7] == 16, "a wrapped operand is read wrongly");
		rig_drop_out(&r);
	}
	rig_close(&r, TSR_OK);
}

/* A place for a result is the caller's memory: the engine makes the result there, or elsewhere,
 * and takes no reference to the place but for the result. Wrapped operands that may be written may
 * be reused */
static void into_a_place(trial *t)
{
	float data[8] = {1, 2, 3, 4, 5, 6, 7, 8}, place[8], back[8];
	const int64_t one = 1, bytes = sizeof data;
	rig r;

	if (!rig_open(&r, t, NULL, 1, 1,
	              "f(%0: f32[8]) -> f32[8] {\n  %1: f32[8] = add %0 %0\n  return %1\n}\n"))
		return;
	const engine_type *by = r.engine->type;
	for (int i = 0; i < MANY; i++) {
		memset(place, 0, sizeof place);
		r.in[0] = by->wrap(r.engine, 0, data, sizeof data, i % 2, NULL, NULL);
		buffer *to = by->wrap(r.engine, 0, place, sizeof place, true, NULL, NULL);
		engine_run *run = to && r.in[0] ? by->start(r.executable, r.in, &to) : NULL;
		if (!check(t, run && by->wait(run, r.out), "%s", tsr_message(r.ctx))) break;
		const bool there = r.out[0] == to;
		by->read(r.out[0], (elements){0, &one}, back, &one, &(extent){&bytes, 1, 1});
		check(t, back[0] == 2 && back[7] == 16, "a result with a place is wrong");
		check(t, !there || by->borrow(to) != place || place[7] == 16,
		      "a result is in the caller's memory, which has something else");
		check(t, to->refs == 1 + there, "the place of a result has %d references",
		      to->refs);
		check(t, i % 2 || data[7] == 8, "a run writes into wrapped memory");
		rig_drop_out(&r);
		tsr__buffer_release(to);
		for (int k = 0; k < 8; k++) data[k] = (float)(k + 1);
	}
	r.in[0] = NULL;
	rig_close(&r, TSR_OK);
}

/* results outlive what made them */
static void results_outlive(trial *t)
{
	void *want[RESULTS], *got[RESULTS];
	rig r;

	if (!reference(t, 9, want) || !rig_open(&r, t, NULL, DEVICES, MEMORIES, text)) return;
	if (rig_fill(&r, 9, false) && check(t, rig_run(&r), "%s", tsr_message(r.ctx))) {
		r.engine->type->release(r.executable);
		r.executable = NULL;
		take_results(&r, got);
		check(t, same_results(&r, want, got), "results change when the executable goes");
		free_results(&r, got);
	}
	free_results(&r, want);
	rig_close(&r, TSR_OK);
}

void conform_runs(trial *t)
{
	many_runs(t);
	several_at_once(t);
	handed_over(t);
	two_threads(t);
	operands_are_taken(t);
	wrapped_stays(t);
	into_a_place(t);
	results_outlive(t);
}
