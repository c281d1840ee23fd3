/* effects.c - checks effects of programs (prints and calls): all of them happen, once, in program
 * order, however often a program has run and whether or not it was compiled meanwhile; and a
 * callback may compute in the same context, even with the same fn. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "conform.h"

enum { RUNS = 12, LONGEST = 20000 };

/* ---- what is said on standard output, as a text */

typedef struct recording {
	FILE *file;
	int before;
} recording;

static bool record(recording *r)
{
	fflush(stdout);
	r->file = tmpfile();
	r->before = dup(STDOUT_FILENO);
	return r->file && r->before >= 0 && dup2(fileno(r->file), STDOUT_FILENO) >= 0;
}

static void recorded(recording *r, char *text)
{
	fflush(stdout);
	dup2(r->before, STDOUT_FILENO);
	close(r->before);
	rewind(r->file);
	text[fread(text, 1, LONGEST - 1, r->file)] = 0;
	fclose(r->file);
}

/* ---- a program with effects in all places that there are */

static tsr_fn *again; /* the fn that is running */
static int depth;     /* of runs inside runs */

static bool twice(const tsr_host_call *c)
{
	const float *x = c->in[0];
	float *y = c->out[0];

	printf("%*stwice", depth, "");
	for (int64_t i = 0; i < c->in_type[0].size; i++) printf(" %g", (double)(y[i] = 2 * x[i]));
	printf("\n");
	return true;
}

/* computes with the context that calls it, and with the fn that is running */
static bool compute(const tsr_host_call *c)
{
	if (depth < 2) {
		depth++;
		tsr *x = tsr_arange(c->ctx, 8, .dtype = TSR_F32);
		tsr *y = tsr_call(again, tsr_add(x, (float)depth));
		printf("%*sinside %g\n", depth, "", tsr_item(tsr_sum(y)));
		depth--;
	}
	return tsr_status(c->ctx) == TSR_OK;
}

static tsr *step(tsr *i, tsr *x)
{
	tsr_debug_print("step {}: {}", i, x);
	return tsr_mul(x, 2.0f);
}

static tsr *of_block(tsr *x)
{
	tsr_debug_print("block {}", x);
	tsr *y = tsr_call(tsr_io_callback(x, twice,
	                                  .results = TSR_RESULTS({TSR_F32, TSR_DIMS(2)})),
	                  tsr_sin(x));
	tsr *sum = tsr_psum(tsr_sum(y), "x");
	tsr_debug_print("sum {}", sum);
	return tsr_fori(0, 2, step, sum);
}

static tsr *with_effects(tsr *x)
{
	tsr_debug_print("whole {}", x);
	tsr *y = tsr_call(tsr_shard_map(tsr_mesh_make(x, {"x", 4}), of_block, .sig = "[x] -> []"),
	                  tsr_add(x, 1.0f));
	tsr_call_into(TSR_NO_OUT, tsr_debug_callback(x, compute), y);
	/* once, for all devices */
	tsr_fn *f = tsr_io_callback(x, twice, .results = TSR_RESULTS({TSR_F32, TSR_DIMS(1)}));
	y = tsr_call(f, tsr_reshape(y, TSR_DIMS(1)));
	tsr_debug_print("result {}", y);
	return y;
}

/* what `RUNS` calls say, one behind the other */
static bool say_all(trial *t, const char *engine, int memories, char *text)
{
	tsr_ctx *ctx = trial_open(t, engine, 4, memories);
	recording r;

	if (!ctx) return false;
	if (!check(t, record(&r), "no temporary file")) return false;
	again = tsr_jit(ctx, with_effects);
	for (int i = 0; i < RUNS; i++)
		tsr_print(tsr_call(again, tsr_arange(ctx, 8, .dtype = TSR_F32)));
	recorded(&r, text);
	trial_close(t, ctx, TSR_OK);
	return true;
}

static void same_effects(trial *t)
{
	static char want[LONGEST], got[LONGEST];

	for (int memories = 1; memories <= 4; memories *= 2) {
		if (!say_all(t, "interp", memories, want) || !say_all(t, NULL, memories, got))
			continue;
		check(t, strlen(want) > 100 * RUNS, "the program says too little: %s", want);
		size_t same = 0, line = 0;
		for (; got[same] && got[same] == want[same]; same++)
			if (got[same] == '\n') line = same + 1;
		check(t, got[same] == want[same],
		      "what is printed and called in %d memories: '%.*s', not '%.*s'", memories,
		      (int)strcspn(got + line, "\n"), got + line,
		      (int)strcspn(want + line, "\n"), want + line);
		const size_t one = strlen(got) / RUNS;
		for (int i = 1; i < RUNS; i++)
			check(t, strncmp(got, got + (size_t)i * one, one) == 0,
			      "run %d says something else than the first one", i);
	}
}

/* ---- a run that stops at the number of an effect */

static int seen;

static bool count(const tsr_host_call *c) { return (void)c, seen++, true; }

static tsr *three_effects(tsr *x)
{
	tsr_fn *f = tsr_debug_callback(x, count);

	for (int i = 0; i < 3; i++) {
		tsr_call_into(TSR_NO_OUT, f, x);
		x = tsr_sin(x);
	}
	return x;
}

static void stop_there(void *user, engine_run *run) { run->stop = *(int32_t *)user; }

static void stops_at_effects(trial *t)
{
	int32_t number = 0;
	tsr_ctx *ctx = trial_open(t, NULL, 1, 1);

	if (!ctx) return;
	engine *e = tsr__ctx_engine(ctx);
	tsr_fn *f = tsr_jit(ctx, three_effects);
	tsr *x = tsr_arange(ctx, 3, .dtype = TSR_F32);
	e->progress_user = &number;
	e->progress = stop_there;
	for (int i = 0; i < 2 * RUNS; i++) {
		number = i % 4;
		seen = 0;
		tsr *y = tsr_call(f, x);
		check(t, seen == (number ? number - 1 : 3),
		      "a run that stops at effect %d has had %d of 3", number, seen);
		check(t, tsr_is_poison(y) == (number != 0), "a stopped run gives a result");
		check_error(t, ctx, number ? TSR_ERROR_CANCELLED : TSR_OK,
		            "a run that stops at an effect");
	}
	e->progress = NULL;
	trial_close(t, ctx, TSR_OK);
}

/* ---- a function of the user that fails */

static bool refuse(const tsr_host_call *c) { return (void)c, false; }

static tsr *refused(tsr *x)
{
	tsr_call_into(TSR_NO_OUT, tsr_debug_callback(x, refuse), x);
	return tsr_sin(x);
}

static void fails_with_the_user(trial *t)
{
	tsr_ctx *ctx = trial_open(t, NULL, 1, 1);

	if (!ctx) return;
	tsr_fn *f = tsr_jit(ctx, refused);
	for (int i = 0; i < RUNS; i++) {
		check(t, tsr_is_poison(tsr_call(f, tsr_arange(ctx, 3, .dtype = TSR_F32))),
		      "a callback fails, and the run does not");
		check_error(t, ctx, TSR_ERROR_USER, "a callback that fails");
	}
	trial_close(t, ctx, TSR_OK);
}

void conform_effects(trial *t)
{
	same_effects(t);
	stops_at_effects(t);
	fails_with_the_user(t);
}
