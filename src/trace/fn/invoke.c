/* invoke.c - calls a fn for the user: for one result, many, or its program, as text or as a graph.
 *
 * Example, on a mesh x:2:
 *
 *     tsr_fn *f = tsr_jit(ctx, tsr_sum, .mesh = mesh, .in = TSR_SPECS(TSR_P("x")));
 *     return tsr_fn_compiled_text(f, x);
 *
 * tsr_fn_text() shows the program on whole arrays (pinned.c), and this one what each device runs.
 * Both are made as a call makes them, from the same trace, so that a text cannot differ from what
 * runs:
 *
 *     axes (x of (x:2)) tsr_sum(%0: f32[2]{x}) -> f32[] {
 *       %1: f32[]{x} = reduce_sum %0 dims=[0]
 *       %2: f32[] = psum %1 axes=(x) to=invarying
 *       return %2
 *     } */
#include "trace/trace.h"

const char *tsr_fn_name(const tsr_fn *h)
{
	if (!h || fn_is_poison(h)) return h ? "poison" : "";
	const fn *fn = fn_of(NULL, "fn_name", h);
	return fn ? fn->name : "";
}

/* of the programs that calls outside a trace run */
static int64_t executables_of(const fn *fn)
{
	int64_t n = 0;

	for (size_t at = 0; at < fn->traces.cap; at++) {
		const traced *t = table_at(&fn->traces, at);
		const program *p = t && t->map ? t->alone : t ? t->program : NULL;
		if (p) n += count_executables(fn->ctx, p);
	}
	return n;
}

void tsr_fn_stats_fill(const tsr_fn *h, tsr_fn_info *info)
{
	tsr_fn_info is = {.size = sizeof is};
	const fn *fn = h && !fn_is_poison(h) ? fn_of(NULL, "fn_stats", h) : NULL;

	if (fn)
		is = (tsr_fn_info){sizeof is,     fn->calls,        fn->traced, fn->hits,
		                   fn->compiles, executables_of(fn)};
	RECORD_FILL(tsr_fn_ctx(h), info, &is);
}

tsr_fn_info tsr_fn_stats(const tsr_fn *fn)
{
	tsr_fn_info info = {.size = sizeof info};

	tsr_fn_stats_fill(fn, &info);
	return info;
}

/* what a call gives, in scratch memory that begins on the stack */
typedef struct outcome {
	arena *scratch; /* must be freed, by outcome_free */
	results got;
	_Alignas(16) char room[2048];
} outcome;

/* at the end of the block, also where an exception leaves it */
static void outcome_free(outcome *o) { arena_free(o->scratch); }
#define OUTCOME(o) __attribute__((cleanup(outcome_free))) outcome o; o.scratch = NULL

static bool call_with(fn *fn, const char *where, const tsr_arg *args, size_t n, places *to,
                      outcome *o, tsr_fn **linear)
{
	o->got = (results){0};
	if (!fn) return false;
	TURN(&fn->ctx->base, where);
	if (!turn_) return false;
	o->scratch = arena_in(&fn->ctx->base, o->room, sizeof o->room);
	return call_fn(fn, where, args, n, o->scratch, to, &o->got, linear);
}

/* after the call, whose body may have released the fn */
static call_site site_of(const char *where, const tsr_fn *h)
{
	const fn *fn = fn_of_handle(h);

	return (call_site){fn ? fn->ctx : tsr_fn_ctx(h), where, fn ? fn->name : "the fn"};
}

tsr *result_alone(const call_site *s, const char *call, bool ok, const results *r)
{
	if (!ok) return poison_of(s->ctx);
	if (r->n == 1 && r->leaf[0]) return r->leaf[0];
	if (r->n == 1)
		return refuse(s, TSR_ERROR_ARGUMENT,
		              "the result of %s is an absent leaf; use tsr_%s_into", s->op, call);
	return refuse(s, TSR_ERROR_ARGUMENT,
	              "%s returns %d values; tsr_%s takes one, use tsr_%s_into", s->op, r->n, call,
	              call);
}

tsr *tsr_call_at(const char *where, tsr_fn *h, const tsr_arg *args, size_t n)
{
	OUTCOME(o);
	const bool ok = call_with(fn_of(where, "call", h), where, args, n, NULL, &o, NULL);

	const call_site site = site_of(where, h);
	return result_alone(&site, "call", ok, &o.got);
}

void tsr_call_into_at(const char *where, const tsr_out *outs, size_t nout, tsr_fn *h,
                      const tsr_arg *args, size_t n)
{
	OUTCOME(o);
	places to = {outs, nout, NULL};
	const bool ok = call_with(fn_of(where, "call", h), where, args, n, &to, &o, NULL);

	const call_site site = site_of(where, h);
	if (!ok || !places_give(&site, o.scratch, &to, &o.got))
		places_poison(&to, poison_of(site.ctx));
}

/* ---- a linear function at a point */

void call_linear(const call_site *of, const tsr_out *outs, size_t nout, fn *fn,
                 const tsr_arg *args, size_t n, tsr_linearized *l)
{
	tsr **kept;
	tsr_fn *linear = NULL;
	OUTCOME(o);
	places to = {outs, nout, NULL};
	bool ok = call_with(fn, of->where, args, n, &to, &o, &linear);
	const size_t residuals = ok ? (size_t)o.got.shape.count[o.got.shape.n - 1] : 0;
	const call_site site = {of->ctx, of->where, fn ? fn->name : NULL};

	ok = ok && !fn_is_poison(linear) &&
	     (kept = scope_bytes(fn->ctx, (residuals + 1) * sizeof *kept)) &&
	     places_give(&site, o.scratch, &to, &o.got);
	if (ok) {
		memcpy(kept, o.got.leaf + (size_t)o.got.n - residuals, residuals * sizeof *kept);
		*l = (tsr_linearized){linear, {.leaf = kept, .count = residuals}};
	} else {
		tsr_fn_release_at(of->where, linear);
		places_poison(&to, poison_of(of->ctx));
	}
}

/* ---- the program */

static bool put_text(str *s, const program *p)
{
	program_print(s, p, PRINT_WHERE);
	return true;
}

/* what is asked about the program of a call */
typedef struct asked {
	const char *op;
	bool compiled;                         /* as each device runs it */
	bool (*put)(str *, const program *);   /* false: an error is recorded */
} asked;

/* of the operands that stay where they are; NULL: no memory */
static const sharding **call_shardings(const fn_call *c)
{
	const sharding **held = arena_array(c->scratch, (size_t)c->n + 1, sizeof *held);

	for (int i = 0; held && !in_trace(c->fn->ctx) && i < c->n; i++)
		held[i] = array_held(handle_slot_of(c->x[i])->payload);
	return held;
}

/* the per-device program of a call, and what partition records of it if it is asked to */
static bool place_call(const fn_call *c, const program *p, const char *op, report *r, placed *to)
{
	if (p->naxes)
		return fail(&c->fn->ctx->base, c->where, TSR_ERROR_ARGUMENT,
		            "%s: the program of a call inside a map is compiled as a part of the "
		            "one around it: ask for that one's", op);
	const sharding **held = c->n ? call_shardings(c) : NULL;
	return (held || !c->n) && pipeline(p, held, c->where, r, to);
}

static bool put_compiled(str *s, const fn_call *c, const program *p, const asked *a)
{
	placed to;

	if (!place_call(c, p, a->op, NULL, &to)) return false;
	const bool ok = a->put(s, to.program);
	placed_free(&to);
	return ok;
}

static bool print_call(fn *fn, const char *where, const tsr_arg *args, size_t n, arena *scratch,
                       const asked *a, str *s)
{
	const call_site site = {fn->ctx, where, fn->name};
	fn_call c = {.fn = fn, .where = where, .scratch = scratch};

	if (!leaves_read(&site, scratch, args, n, &c.args)) return false;
	traced *t = trace_fn(&c);
	if (!t) return false;
	const program *p = traced_program(&c, t);
	const bool ok = p && (a->compiled ? put_compiled(s, &c, p, a) : a->put(s, p));
	traced_done(t);
	return ok && !s->lost;
}

static const char *text_of_call(const char *where, tsr_fn *h, const tsr_arg *args, size_t n,
                                const asked *a)
{
	fn *fn = fn_of(where, a->op, h);

	if (!fn) return "";
	TURN(&fn->ctx->base, where);
	arena *scratch = turn_ ? call_arena(fn->ctx) : NULL;
	str s = {.base = &fn->ctx->base};
	const char *text = "";

	if (scratch && print_call(fn, where, args, n, scratch, a, &s))
		text = scope_text(fn->ctx, &s);
	str_free(&s);
	call_arena_free(fn->ctx, scratch);
	return text;
}

const char *tsr_fn_text_at(const char *where, tsr_fn *fn, const tsr_arg *args, size_t n)
{
	return text_of_call(where, fn, args, n, &(asked){"fn_text", false, put_text});
}

const char *tsr_fn_compiled_text_at(const char *where, tsr_fn *fn, const tsr_arg *args, size_t n)
{
	return text_of_call(where, fn, args, n, &(asked){"fn_compiled_text", true, put_text});
}

const char *tsr_fn_graph_at(const char *where, tsr_fn *fn, const tsr_arg *args, size_t n)
{
	return text_of_call(where, fn, args, n, &(asked){"fn_graph", false, program_graph});
}

const char *tsr_fn_compiled_graph_at(const char *where, tsr_fn *fn, const tsr_arg *args, size_t n)
{
	return text_of_call(where, fn, args, n, &(asked){"fn_compiled_graph", true, program_graph});
}

/* ---- the report of a call */

static bool report_traced(const fn_call *c, const program *p, const char *op, report *r)
{
	placed to;

	if (!report_begin(r, &c->fn->ctx->base)) return false;
	r->name = arena_str(r->arena, c->fn->name);
	bool ok = r->name && place_call(c, p, op, r, &to);
	if (ok) {
		ok = report_program(r, to.program);
		placed_free(&to);
	}
	if (!ok) report_free(r);
	return ok;
}

bool report_of_call(const char *where, const char *op, tsr_fn *h, const tsr_arg *args, size_t n,
                    report *r)
{
	fn *fn = fn_of(where, op, h);
	arena *scratch = fn ? call_arena(fn->ctx) : NULL;

	if (!scratch) return false;
	const call_site site = {fn->ctx, where, fn->name};
	fn_call c = {.fn = fn, .where = where, .scratch = scratch};
	const bool alone = fn->kind == FN_TEXT && !n;
	traced *t = !alone && leaves_read(&site, scratch, args, n, &c.args) ? trace_fn(&c) : NULL;
	const program *p = alone ? fn->given.program : t ? traced_program(&c, t) : NULL;
	const bool ok = p && report_traced(&c, p, op, r);
	if (t) traced_done(t);
	call_arena_free(fn->ctx, scratch);
	return ok;
}
