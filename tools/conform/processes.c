/* processes.c - checks programs on devices of several processes: each process is a thread, with a
 * context and an engine of its own. All must get what one process gets, and who fails alone fails
 * for all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "conform.h"

enum { MOST = 8, DRAWS = 2, MANY = 40 }; /* processes; different operands; runs */

/* what the threads of one check share: a program, and the results that it must give */
typedef struct shared {
	const trial *trial;
	const char *what, *text;
	int devices, memories; /* of all; of each process */
	int runs;
	void **want[DRAWS]; /* results of one process: want[d][i * devices + k] */
	trial rank[MOST];   /* what each thread has found */
} shared;

static void compare_here(rig *r, const shared *s, int draw)
{
	for (int64_t i = 0; i < r->program->nout * r->n; i++) {
		const int64_t k = r->first + i % r->n;
		const void *want = s->want[draw][i / r->n * s->devices + k];
		void *got = rig_result(r, i);
		check(r->trial, got && want && same_values(result_type(r, i), got, want, 0),
		      "%s: result %lld on device %lld is not that of one process", s->what,
		      (long long)(i / r->n), (long long)k);
		free(got);
	}
	rig_drop_out(r);
}

static void on_rank(const threads_place *at, void *of)
{
	shared *s = of;
	trial *t = &s->rank[at->rank];
	rig r;

	*t = (trial){.engine = s->trial->engine, .plugin_dir = s->trial->plugin_dir, .place = at};
	if (!rig_open(&r, t, NULL, s->devices, s->memories, s->text)) return;
	for (int i = 0; i < s->runs && rig_fill(&r, (uint64_t)i % DRAWS, i % DRAWS); i++) {
		if (!check(t, rig_run(&r), "%s: %s", s->what, tsr_message(r.ctx))) break;
		compare_here(&r, s, i % DRAWS);
	}
	rig_close(&r, tsr_status(r.ctx));
}

/* what one process gives, of interp. false: a fault */
static bool reference(trial *t, shared *s)
{
	rig r;
	bool ok = true;

	if (!rig_open(&r, t, "interp", s->devices, 1, s->text)) return false;
	for (int draw = 0; ok && draw < DRAWS; draw++) {
		ok = rig_fill(&r, (uint64_t)draw, draw) &&
		     check(t, rig_run(&r), "%s: interp: %s", s->what, tsr_message(r.ctx));
		const int64_t n = ok ? r.program->nout * r.n : 0;
		s->want[draw] = calloc((size_t)n + 1, sizeof *s->want[draw]); /* NULL ends it */
		for (int64_t i = 0; s->want[draw] && i < n; i++)
			s->want[draw][i] = rig_result(&r, i);
		rig_drop_out(&r);
	}
	rig_close(&r, TSR_OK);
	return ok;
}

static void run_on(trial *t, shared *s, int processes,
                   void (*body)(const threads_place *, void *of))
{
	threads_world *w = threads_world_make(processes, 0, 0);

	s->trial = t;
	threads_run(w, body, s);
	threads_world_free(w);
	for (int i = 0; i < processes; i++) {
		t->checks += s->rank[i].checks;
		t->faults += s->rank[i].faults;
	}
}

/* each device has a memory. runs: an engine may compile when that pays, and it must not show */
static void check_processes(trial *t, const char *what, const char *text, int devices,
                            int processes, int runs)
{
	shared s = {.what = what,
	            .text = text,
	            .devices = devices,
	            .memories = devices / processes,
	            .runs = runs};

	if (reference(t, &s)) run_on(t, &s, processes, on_rank);
	for (int draw = 0; draw < DRAWS; draw++) {
		for (void **x = s.want[draw]; x && *x; x++) free(*x);
		free(s.want[draw]);
	}
}

static const char on_grid[] =
	"axes (x, y of (x:2,y:4)) f(%0: f32[6]{x,y}) -> f32[6]{y}, f32[6]{x}, f32[6]{x,y} {\n"
	"  %1: f32[6]{y} = psum %0 axes=(x) to=invarying\n"
	"  %2: f32[6]{x} = psum %0 axes=(y) to=invarying\n"
	"  %3: f32[6]{x,y} = psum %0 axes=(y) groups=[[3,0],[1,2]] to=varying\n"
	"  return %1 %2 %3\n}\n";

/* ---- effects: a function of the user is called by one process, which sends the results */

enum { DEVICES = 4, PROCESSES = 2 };
static _Atomic int calls; /* in all processes */

/* half of what it gets; of negative numbers there is none */
static bool halve(const tsr_host_call *c)
{
	const float *x = c->in[0];
	float *y = c->out[0];

	calls++;
	for (int i = 0; i < 2; i++) y[i] = x[i] / 2;
	return x[0] >= 0;
}

static tsr *half_of(tsr *x)
{
	return tsr_call(tsr_io_callback(x, halve, .results = TSR_RESULTS({TSR_F32, TSR_DIMS(2)})),
	                x);
}

static tsr *step(tsr *i, tsr *x)
{
	return (void)i, tsr_add(tsr_ppermute(half_of(x), "x", TSR_SHIFT(1)), tsr_psum(x, "x"));
}

static tsr *steps(tsr *x) { return tsr_fori(0, 3, step, x); }

/* each device calls the user about its own block, and one for all about the sums */
static tsr *with_effects(tsr *x)
{
	tsr_fn *of_blocks =
		tsr_shard_map(tsr_mesh_make(x, {"x", DEVICES}), steps, .sig = "[x] -> [x]");
	tsr *blocks = tsr_reshape(tsr_call(of_blocks, x), TSR_DIMS(DEVICES, 2));

	return tsr_add(blocks, half_of(tsr_sum(blocks, .dims = TSR_DIMS(0))));
}

typedef struct gathered {
	float of[2 * DEVICES];
	int code;
} gathered;

/* x on four devices, of which the last one has -1 if `negative` says so */
static void call_it(trial *t, tsr_ctx *ctx, tsr_fn *f, bool negative, gathered *out)
{
	TSR_SCOPE(ctx);
	float data[2 * DEVICES];

	for (int i = 0; i < 2 * DEVICES; i++) data[i] = (float)(i + 1);
	if (negative) data[2 * DEVICES - 2] = -1;
	tsr *x = tsr_put(tsr_from(ctx, data, TSR_F32, TSR_DIMS(2 * DEVICES)),
	                 tsr_mesh_make(ctx, {"x", DEVICES}), TSR_P("x"));
	tsr *y = tsr_gather_whole(tsr_call(f, x));
	check(t, tsr_is_poison(y) || tsr_read(y, (void *)out->of, sizeof out->of), "a result");
	out->code = tsr_status(ctx);
	tsr_clear(ctx);
}

static void call_often(trial *t, const char *engine, gathered out[3])
{
	tsr_ctx *ctx = trial_open(t, engine, DEVICES, 1);

	if (!ctx) return;
	tsr_fn *f = tsr_jit(ctx, with_effects);
	for (int i = 0; i < 3; i++) call_it(t, ctx, f, i == 1, &out[i]);
	trial_close(t, ctx, TSR_OK);
}

typedef struct calling {
	const char *engine, *plugin_dir;
	trial rank[PROCESSES];
	gathered got[PROCESSES][3];
} calling;

static void call_on_rank(const threads_place *at, void *of)
{
	calling *c = of;
	trial *t = &c->rank[at->rank];

	*t = (trial){.engine = c->engine, .plugin_dir = c->plugin_dir, .place = at};
	call_often(t, NULL, c->got[at->rank]);
}

/* the second of three calls fails in one process, and so in all; the third one is right again */
static void effects_of_all(trial *t)
{
	static calling c;
	gathered want[3] = {{{0}, 0}};

	c = (calling){.engine = t->engine, .plugin_dir = t->plugin_dir};
	calls = 0;
	call_often(t, "interp", want);
	const int once = calls;
	calls = 0;
	threads_world *w = threads_world_make(PROCESSES, 0, 0);
	threads_run(w, call_on_rank, &c);
	threads_world_free(w);
	/* those that went on beside the one that failed may have called more */
	check(t, calls >= once, "a function is called %d times, not %d", (int)calls, once);
	for (int i = 0; i < PROCESSES; i++) {
		t->checks += c.rank[i].checks;
		t->faults += c.rank[i].faults;
		for (int k = 0; k < 3; k++) {
			const gathered *got = &c.got[i][k];
			check(t, got->code == want[k].code,
			      "call %d in process %d has code %d, not %d", k, i, got->code,
			      want[k].code);
			check(t, memcmp(got->of, want[k].of, sizeof got->of) == 0,
			      "call %d in process %d gives other results", k, i);
		}
	}
}

void conform_processes(trial *t)
{
	char text[LONGEST_TEXT], what[128];
	const char *name;

	for (int processes = 2; processes <= 4; processes++)
		for (int k = 0; (name = exchange_text(k, 2 * processes, "f32", text)); k++) {
			snprintf(what, sizeof what, "%s on %d devices in %d processes", name,
			         2 * processes, processes);
			check_processes(t, what, text, 2 * processes, processes, DRAWS);
		}
	check_processes(t, "a grid in 2 processes", on_grid, 8, 2, MANY);
	check_processes(t, "a grid in 4 processes", on_grid, 8, 4, DRAWS);
	check_processes(t, "a grid in 8 processes", on_grid, 8, 8, DRAWS);
	effects_of_all(t);
}
