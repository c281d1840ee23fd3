/* time.c - measures how long calls of a fn take.
 *
 * The clock stops when the results are there: what a call returns may still be computed. Each loop
 * has a scope, so that 10,000 of them take the memory of one. */
#include <math.h>
#include "lib/timing/timing.h"

static void free_scratch(arena *const *scratch) { arena_free(*scratch); }

/* of any number of results. *alone: there is one, which is not absent */
static bool call_all(const timed *t, bool *alone)
{
	tsr_ctx *ctx = t->fn->ctx;
	_Alignas(16) char room[2048];
	__attribute__((cleanup(free_scratch))) arena *scratch =
		arena_in(&ctx->base, room, sizeof room);
	results got = {0};
	TSR_SCOPE(ctx);

	bool ok = scratch && call_fn(t->fn, t->where, t->args, t->n, scratch, NULL, &got, NULL);
	for (int i = 0; ok && i < got.n; i++)
		ok = !got.leaf[i] || tsr_wait_at(t->where, got.leaf[i]);
	*alone = ok && got.n == 1 && got.leaf[0];
	return ok;
}

/* As a program calls it. What the public call does besides took 30 of 250 ns for a tiny program */
bool timed_call(const timed *t)
{
	bool alone;

	if (!t->alone) return call_all(t, &alone);
	TSR_SCOPE(t->fn->ctx);
	return tsr_wait_at(t->where, tsr_call_at(t->where, t->handle, t->args, t->n));
}

/* ---- the call that is not measured
 *
 * Machine code is made in it. Otherwise that would be in the middle of a run, once interpreting has
 * taken as long as compiling does */

typedef struct hurry { /* letter c of TSR_DEBUG, until the block ends */
	ir *of;
	uint64_t before;
} hurry;

static void hurry_end(const hurry *h) { h->of->debug = h->before; }

bool timed_first(timed *t)
{
	tsr_ctx *ctx = t->fn->ctx;
	__attribute__((cleanup(hurry_end), unused)) const hurry h = {&ctx->ir, ctx->ir.debug};

	return debug_read(&ctx->base, t->where, "", "c", &ctx->ir.debug) &&
	       call_all(t, &t->alone);
}

/* ---- runs */

/* seconds of a loop; NaN: an error is recorded */
static double run_loops(const timed *t, int loops)
{
	const double start = now();

	for (int i = 0; i < loops; i++)
		if (!timed_call(t)) return NAN;
	return (now() - start) / loops;
}

/* adds a run to those that were measured: by Welford's formula, which needs no list of them
 * (https://doi.org/10.1080/00401706.1962.10490022). *squares: the sum of (x - mean)^2 */
static void add_run(tsr_timing *to, double *squares, double x)
{
	const double off = x - to->mean;

	to->mean += off / ++to->runs;
	*squares += off * (x - to->mean);
	to->least = to->runs == 1 ? x : fmin(to->least, x);
	to->most = to->runs == 1 ? x : fmax(to->most, x);
}

static const tsr_timing nothing = {sizeof nothing, 0, 0, NAN, NAN, NAN, NAN};

static tsr_timing measure(timed *t, int runs, int loops)
{
	tsr_timing to = {.size = sizeof to, .loops = loops};
	double squares = 0;

	if (!timed_first(t)) return nothing;
	for (int i = 0; i < runs; i++) {
		const double each = run_loops(t, loops);
		if (isnan(each)) return nothing;
		add_run(&to, &squares, each);
	}
	to.deviation = sqrt(squares / runs);
	return to;
}

/* ---- what can be measured */

static bool counts_ok(const timed *t, int runs, int loops)
{
	return (runs >= 1 && loops >= 1) ||
	       fail(&t->fn->ctx->base, t->where, TSR_ERROR_ARGUMENT,
	            "time: there must be a run and a loop at least, got runs = %d and loops = %d",
	            runs, loops);
}

static bool keeps_arguments(const timed *t)
{
	const fn *fn = t->fn;

	return !fn->donate ||
	       fail(&fn->ctx->base, t->where, TSR_ERROR_ARGUMENT,
	            "%s: %s donates argument %d, which is gone after the first loop: measure a fn "
	            "without .donate",
	            t->op, fn->name, __builtin_ctz(fn->donate));
}

static bool outside_bodies(const timed *t)
{
	return !in_trace(t->fn->ctx) ||
	       fail(&t->fn->ctx->base, t->where, TSR_ERROR_HANDLE,
	            "%s: a body is being traced, and a call of %s inside it computes nothing: "
	            "measure outside of bodies",
	            t->op, t->fn->name);
}

bool timed_ok(const timed *t) { return t->fn && keeps_arguments(t) && outside_bodies(t); }

tsr_timing tsr_time_at(const char *where, int runs, int loops, tsr_fn *h, const tsr_arg *args,
                       size_t n)
{
	TURN_OF(tsr_fn_ctx(h), where, nothing);
	timed t = {.fn = fn_of(where, "time", h),
	           .handle = h,
	           .where = where,
	           .op = "time",
	           .args = args,
	           .n = n};

	if (!t.fn || !counts_ok(&t, runs, loops) || !timed_ok(&t)) return nothing;
	return measure(&t, runs, loops);
}
