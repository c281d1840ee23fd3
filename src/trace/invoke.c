/* invoke.c - the public calls of a fn: one result, many, or the text of its program. */
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

/* what a call gives, in scratch memory that begins on the stack */
typedef struct outcome {
	arena *scratch; /* must be freed, by outcome_free */
	results got;
	_Alignas(16) char room[2048];
} outcome;

/* at the end of the block, also where an exception leaves it */
static void outcome_free(outcome *o) { arena_free(o->scratch); }
#define OUTCOME(o) __attribute__((cleanup(outcome_free))) outcome o; o.scratch = NULL

static bool call_with(fn *fn, const char *where, const tsr_arg *args, size_t n, outcome *o,
                      tsr_fn **linear)
{
	o->got = (results){0};
	if (!fn) return false;
	o->scratch = arena_in(&fn->ctx->base, o->room, sizeof o->room);
	return call_fn(fn, where, args, n, o->scratch, &o->got, linear);
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
	const bool ok = call_with(fn_of(where, "call", h), where, args, n, &o, NULL);

	const call_site site = site_of(where, h);
	return result_alone(&site, "call", ok, &o.got);
}

/* ---- many results */

static void give_poison(const tsr_out *outs, size_t nout, tsr *poison)
{
	for (size_t i = 0; outs && i < nout; i++)
		for (size_t k = 0; !outs[i].own && outs[i].to.leaf && k < outs[i].to.count; k++)
			outs[i].to.leaf[k] = poison;
}

static bool places_fit(const call_site *s, const tsr_out *outs, size_t nout,
                       const result_shape *shape)
{
	base *bs = &s->ctx->base;

	if (nout != (size_t)shape->n)
		return fail(bs, s->where, TSR_ERROR_ARGUMENT,
		            "%s returns %d results, and there are %zu places for them", s->op,
		            shape->n, nout);
	if (nout && !outs)
		return fail(bs, s->where, TSR_ERROR_ARGUMENT, "%s: the list of places is NULL",
		            s->op);
	for (size_t i = 0; i < nout; i++) {
		if (outs[i].to.count && !outs[i].to.leaf)
			return fail(bs, s->where, TSR_ERROR_ARGUMENT,
			            "the place for result %zu of %s is NULL", i, s->op);
		if (!tree_type_ok(s, outs[i].to.type)) return false;
		if (outs[i].to.count != (size_t)shape->count[i])
			return fail(bs, s->where, TSR_ERROR_ARGUMENT,
			            "result %zu of %s has %d leaves, and its place %zu", i, s->op,
			            shape->count[i], outs[i].to.count);
	}
	return true;
}

/* Makes the handles of all owned results before any slot changes, so that without memory all slots
 * keep what they hold. */
static bool twins_make(arena *scratch, const tsr_out *outs, size_t nout, tsr *const *result,
                       tsr ***twin)
{
	size_t n = 0, made = 0;

	for (size_t i = 0; i < nout; i++) n += outs[i].to.count;
	*twin = arena_array(scratch, n + 1, sizeof **twin);
	bool ok = *twin;
	for (size_t i = 0; ok && i < nout; i++)
		for (size_t k = 0; ok && k < outs[i].to.count; k++, made++)
			if (outs[i].own && result[made])
				ok = handle_own(handles_of(result[made]), &(*twin)[made],
				                result[made]);
	for (size_t i = 0; !ok && *twin && i < made; i++) handle_drop(&(*twin)[i]);
	return ok;
}

static bool give_results(arena *scratch, const tsr_out *outs, size_t nout, tsr *const *result)
{
	tsr **twin;
	size_t at = 0;

	if (!twins_make(scratch, outs, nout, result, &twin)) return false;
	for (size_t i = 0; i < nout; i++)
		for (size_t k = 0; k < outs[i].to.count; k++, at++) {
			tsr **slot = &outs[i].to.leaf[k];
			if (outs[i].own) handle_drop(slot);
			*slot = outs[i].own ? twin[at] : result[at];
		}
	return true;
}

void results_into(const call_site *s, arena *scratch, bool ok, const tsr_out *outs, size_t nout,
                  const results *r)
{
	if (!ok || !places_fit(s, outs, nout, &r->shape) ||
	    !give_results(scratch, outs, nout, r->leaf))
		give_poison(outs, nout, poison_of(s->ctx));
}

void tsr_call_into_at(const char *where, const tsr_out *outs, size_t nout, tsr_fn *h,
                      const tsr_arg *args, size_t n)
{
	OUTCOME(o);
	const bool ok = call_with(fn_of(where, "call", h), where, args, n, &o, NULL);

	const call_site site = site_of(where, h);
	results_into(&site, o.scratch, ok, outs, nout, &o.got);
}

/* ---- a linear function at a point */

void call_linear(const call_site *of, const tsr_out *outs, size_t nout, fn *fn,
                 const tsr_arg *args, size_t n, tsr_linear *l)
{
	tsr **kept;
	tsr_fn *linear = NULL;
	OUTCOME(o);
	bool ok = call_with(fn, of->where, args, n, &o, &linear);
	const size_t residuals = ok ? (size_t)o.got.shape.count[--o.got.shape.n] : 0;
	const call_site site = {of->ctx, of->where, fn ? fn->name : NULL};

	ok = ok && !fn_is_poison(linear) &&
	     (kept = scope_bytes(fn->ctx, (residuals + 1) * sizeof *kept)) &&
	     places_fit(&site, outs, nout, &o.got.shape) &&
	     give_results(o.scratch, outs, nout, o.got.leaf);
	if (ok) {
		memcpy(kept, o.got.leaf + (size_t)o.got.n - residuals, residuals * sizeof *kept);
		*l = (tsr_linear){linear, {kept, residuals, NULL}};
	} else {
		tsr_fn_release_at(of->where, linear);
		give_poison(outs, nout, poison_of(of->ctx));
	}
}

/* ---- text */

static bool put_traced(str *s, const char *where, const program *p)
{
	(void)where;
	program_print(s, p, PRINT_WHERE);
	return true;
}

static bool put_compiled(str *s, const char *where, const program *p)
{
	placed to;

	if (p->naxes)
		return fail(s->base, where, TSR_ERROR_ARGUMENT,
		            "fn_compiled_text: the program of a call inside a map is compiled as "
		            "a part of the one around it: ask for that one's text");
	if (!pipeline(p, where, &to)) return false;
	program_print(s, to.program, PRINT_WHERE);
	placed_free(&to);
	return true;
}

typedef bool (*put_program)(str *, const char *where, const program *);

static bool print_call(fn *fn, const char *where, const tsr_arg *args, size_t n, arena *scratch,
                       put_program put, str *s)
{
	const call_site site = {fn->ctx, where, fn->name};
	fn_call c = {.fn = fn, .where = where, .scratch = scratch};

	if (!leaves_read(&site, scratch, args, n, &c.args)) return false;
	traced *t = trace_fn(&c);
	if (!t) return false;
	const program *p = traced_program(&c, t);
	const bool ok = p && put(s, where, p);
	traced_done(t);
	return ok && !s->lost;
}

static const char *text_of_call(const char *where, tsr_fn *h, const tsr_arg *args, size_t n,
                                put_program put)
{
	fn *fn = fn_of(where, "fn_text", h);

	if (!fn) return "";
	arena *scratch = call_arena(fn->ctx);
	str s = {.base = &fn->ctx->base};
	const char *text = "";

	if (scratch && print_call(fn, where, args, n, scratch, put, &s))
		text = scope_text(fn->ctx, &s);
	str_free(&s);
	call_arena_free(fn->ctx, scratch);
	return text;
}

const char *tsr_fn_text_at(const char *where, tsr_fn *fn, const tsr_arg *args, size_t n)
{
	return text_of_call(where, fn, args, n, put_traced);
}

const char *tsr_fn_compiled_text_at(const char *where, tsr_fn *fn, const tsr_arg *args, size_t n)
{
	return text_of_call(where, fn, args, n, put_compiled);
}
