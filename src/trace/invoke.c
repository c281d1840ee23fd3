/* invoke.c - the public calls of a fn: one result, many, or the text of its program. */
#include "trace/trace.h"

tsr_ctx *tsr_fn_ctx(const tsr_fn *fn) { return fn ? fn->ctx : ctx_dead(); }
const char *tsr_fn_name(const tsr_fn *fn) { return fn ? fn->name : ""; }

tsr_fn_info tsr_fn_stats(const tsr_fn *fn)
{
	return fn ? (tsr_fn_info){fn->calls, fn->traced} : (tsr_fn_info){0};
}

/* a call with its own scratch memory; *scratch must be freed even on failure */
static bool call_with(tsr_fn *fn, const char *where, const tsr_arg *args, size_t n, arena **scratch,
                      tsr ***out, int *nout, result_shape *shape)
{
	*scratch = NULL;
	if (!fn || fn->poison) return false;
	*scratch = arena_make(&fn->ctx->base);
	return *scratch && call_fn(fn, where, args, n, *scratch, out, nout, shape);
}

tsr *tsr_call_at(const char *where, tsr_fn *fn, const tsr_arg *args, size_t n)
{
	tsr *y = poison_of(tsr_fn_ctx(fn)), **out;
	arena *scratch;
	result_shape shape;
	int nout;

	if (call_with(fn, where, args, n, &scratch, &out, &nout, &shape)) {
		if (nout == 1 && out[0])
			y = out[0];
		else
			fail(&fn->ctx->base, where, TSR_ERROR_ARGUMENT,
			     "%s returns %d values; tsr_call takes one, use tsr_call_into",
			     fn->name, nout);
	}
	arena_free(scratch);
	return y;
}

/* ---- many results */

static void give_poison(const tsr_out *outs, size_t nout, tsr *poison)
{
	for (size_t i = 0; i < nout; i++)
		for (size_t k = 0; !outs[i].own && k < outs[i].to.count; k++)
			outs[i].to.leaf[k] = poison;
}

static bool places_fit(const tsr_fn *fn, const char *where, const tsr_out *outs, size_t nout,
                       const result_shape *shape)
{
	if (nout != (size_t)shape->n)
		return fail(&fn->ctx->base, where, TSR_ERROR_ARGUMENT,
		            "%s returns %d results, and there are %zu places for them", fn->name,
		            shape->n, nout);
	for (size_t i = 0; i < nout; i++)
		if (outs[i].to.count != (size_t)shape->count[i])
			return fail(&fn->ctx->base, where, TSR_ERROR_ARGUMENT,
			            "result %zu of %s has %d leaves, and its place %zu", i,
			            fn->name, shape->count[i], outs[i].to.count);
	return true;
}

static void give_results(const tsr_out *outs, size_t nout, tsr *const *result)
{
	for (size_t i = 0; i < nout; i++)
		for (size_t k = 0; k < outs[i].to.count; k++, result++) {
			if (!outs[i].own)
				outs[i].to.leaf[k] = *result;
			else if (*result)
				tsr_set(&outs[i].to.leaf[k], *result);
			else
				tsr_drop(&outs[i].to.leaf[k]);
		}
}

void tsr_call_into_at(const char *where, const tsr_out *outs, size_t nout, tsr_fn *fn,
                      const tsr_arg *args, size_t n)
{
	tsr **out;
	arena *scratch;
	result_shape shape;
	int count;

	if (call_with(fn, where, args, n, &scratch, &out, &count, &shape) &&
	    places_fit(fn, where, outs, nout, &shape))
		give_results(outs, nout, out);
	else
		give_poison(outs, nout, poison_of(tsr_fn_ctx(fn)));
	arena_free(scratch);
}

/* ---- text */

static bool print_call(tsr_fn *fn, const char *where, const tsr_arg *args, size_t n, arena *scratch,
                       str *s)
{
	leaves all;
	tsr **x;
	int nx;

	if (!leaves_read(fn->ctx, scratch, where, fn->name, args, n, &all)) return false;
	traced *t = trace_fn(fn, where, scratch, &all, &x, &nx);
	if (!t) return false;
	const program *p = traced_program(fn, where, t, x, nx);
	if (p) program_print(s, p, PRINT_WHERE);
	traced_done(fn, t);
	return p && !s->lost;
}

const char *tsr_fn_text_at(const char *where, tsr_fn *fn, const tsr_arg *args, size_t n)
{
	if (!fn || fn->poison) return "";
	arena *scratch = arena_make(&fn->ctx->base);
	str s = {.base = &fn->ctx->base};
	const char *text = "";

	if (scratch && print_call(fn, where, args, n, scratch, &s)) text = scope_text(fn->ctx, &s);
	str_free(&s);
	arena_free(scratch);
	return text;
}
