/* print.c - the public text of an array: NumPy's, for users, logs and debuggers. */
#include <stdio.h>
#include "lib/host.h"
#include "lib/lib.h"

/* the data of an array that is whole and contiguous in memory that we can read; else NULL */
static const void *value_in_place(const array *a)
{
	buffer *b = a->nshards ? a->shard[0] : NULL;

	if (a->strides || !sharding_is_replicated(a->sharding) || !b) return NULL;
	return b->engine->type->borrow(b);
}

bool array_put_text(str *out, const array *a, const text_options *o)
{
	const type *t = a->type;
	const void *data = value_in_place(a);
	void *copy = NULL;

	if (!a->nshards || !a->shard[0] || sharding_lacking(a->sharding, false) >= 0) return false;
	if (!data) data = copy = mem_alloc(out->base, (size_t)array_bytes(a) + 1);
	const bool ok = data && (!copy || array_to_host(NULL, a, copy, NULL));
	if (ok) array_text(out, t->dtype, data, t->dims, t->ndim, o);
	mem_free(out->base, copy);
	return ok && !out->lost;
}

static void put_array_type(str *out, const tsr_ctx *ctx, const type *t)
{
	int n;
	const axis *axes = trace_axes(ctx, &n);

	type_text(out, t, axes, n);
}

static bool is_usable(const tsr *x)
{
	return handle_live(x) && (handle_slot_of(x)->kind == HANDLE_ARRAY ||
	                          (handle_slot_of(x)->kind == HANDLE_TRACED &&
	                           ((const trace *)handle_slot_of(x)->payload)->build));
}

/* of a usable handle: its value, or its type if it is traced or parts are in other processes */
static void put_handle(str *out, const tsr *x, const text_options *o)
{
	const tsr_ctx *ctx = handles_of(x)->ctx;

	if (handle_slot_of(x)->kind == HANDLE_TRACED) {
		put_array_type(out, ctx, handle_type(x));
	} else if (!array_put_text(out, handle_slot_of(x)->payload, o) && !out->lost) {
		put_array_type(out, ctx, handle_type(x));
		str_put(out, " (not all of it is here)");
	}
}

/* No number of a dtype has more digits behind its point */
enum { MOST_DIGITS = 1074 };

text_options text_options_of(int precision, int linewidth, int64_t threshold)
{
	text_options o = *TEXT_OPTIONS;

	if (precision) o.precision = precision < 0 ? 0 : precision;
	if (o.precision > MOST_DIGITS) o.precision = MOST_DIGITS;
	o.scalars = precision != 0;
	if (linewidth > 0) o.linewidth = linewidth;
	if (threshold > 0) o.threshold = threshold;
	return o;
}

static text_options options_of(const tsr_print_args *a)
{
	return text_options_of(a->precision, a->linewidth, a->threshold);
}

/* why x has no text of its own; NULL: it has */
static const char *no_text(const tsr *x)
{
	if (!x) return "NULL";
	if (!handle_live(x)) return "stale handle";
	const base *b = &handles_of(x)->ctx->base;
	if (!is_usable(x)) return *error_text(b) ? error_text(b) : "poison";
	return handle_fault(handles_of(x)->ctx, x);
}

const char *tsr_text_at(const char *where, const tsr *x, const tsr_print_args *given)
{
	TURN_OF(tsr_ctx_of(x), where, "");
	const char *no = no_text(x);

	if (no) return no;
	const tsr_print_args *a = KEYWORDS(tsr_print_args, where, tsr_ctx_of(x), given);
	if (!a) return error_text(&tsr_ctx_of(x)->base);
	const text_options o = options_of(a);
	str s = {.base = &handles_of(x)->ctx->base};
	put_handle(&s, x, &o);
	return scope_text(handles_of(x)->ctx, &s);
}

const char *tsr_type_text(const tsr *x)
{
	TURN_OF(tsr_ctx_of(x), NULL, "");
	const char *no = no_text(x);

	if (no) return no;
	tsr_ctx *ctx = handles_of(x)->ctx;
	str s = {.base = &ctx->base};
	put_array_type(&s, ctx, handle_type(x));
	return scope_text(ctx, &s);
}

const char *tsr_device_text(const tsr_ctx *given, int64_t id)
{
	tsr_ctx *ctx = (tsr_ctx *)(uintptr_t)given;
	str s = {.base = ctx ? &ctx->base : NULL};

	if (!ctx_alive(ctx) || id < 0 || id >= ctx->ndevices) return "";
	str_printf(&s, "cpu:%lld", (long long)id);
	return scope_text(ctx, &s);
}

void tsr_print_at(const char *where, const tsr *x, const tsr_print_args *given)
{
	TURN_OF(tsr_ctx_of(x), where, );
	const tsr_print_args *a = KEYWORDS(tsr_print_args, where, tsr_ctx_of(x), given);
	if (!a) return;
	const text_options o = options_of(a);
	call_site site = {.where = where, .op = "print"};
	tsr *h = (tsr *)(uintptr_t)x;
	tsr_ctx *ctx = operands_check(&site, &h, 1);

	if (!ctx) {
		error_log_once(&site.ctx->base);
		return;
	}
	const array *value = is_traced(x) ? NULL : handle_slot_of(x)->payload;
	const int process = value && !a->all ? process_printing(value) : ctx->process;
	if (value && !array_readable(where, value, !a->all)) return;
	if (process != ctx->process) return;
	str s = {.base = &ctx->base};
	put_handle(&s, x, &o);
	str_put(&s, "\n");
	if (!s.lost) print_in(ctx, process, a->all, s.s);
	str_free(&s);
}
