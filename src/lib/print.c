/* print.c - the public text of an array: NumPy's, for users, logs and debuggers. */
#include <stdio.h>
#include "lib/host.h"
#include "lib/lib.h"

static bool value_is_here(const array *a)
{
	for (int64_t k = 0; k < a->ndevices; k++)
		if (!a->shard[k] && !a->shard[sharding_first(a->sharding, k)]) return false;
	return true;
}

/* the whole value contiguous, where an array holds it so already; else NULL */
static const void *value_in_place(const array *a)
{
	if (a->strides || !sharding_is_replicated(a->sharding) || !a->shard[0]) return NULL;
	return a->shard[0]->data;
}

/* false: no memory, or a part is elsewhere; nothing is recorded then but the lack of memory */
static bool put_array(str *out, const array *a)
{
	const type *t = a->type;
	const void *data = value_in_place(a);
	void *copy = NULL;

	if (!value_is_here(a)) return false;
	if (!data) data = copy = mem_alloc(out->base, (size_t)array_bytes(a) + 1);
	const bool ok = data && (!copy || array_to_host(NULL, a, copy, NULL));
	if (ok) array_text(out, t->dtype, data, t->dims, t->ndim);
	mem_free(out->base, copy);
	return ok && !out->lost;
}

static void put_type(str *out, const tsr_ctx *ctx, const type *t)
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
static void put_handle(str *out, const tsr *x)
{
	const tsr_ctx *ctx = handles_of(x)->ctx;

	if (handle_slot_of(x)->kind == HANDLE_TRACED) {
		put_type(out, ctx, handle_type(x));
	} else if (!put_array(out, handle_slot_of(x)->payload) && !out->lost) {
		put_type(out, ctx, handle_type(x));
		str_put(out, " (not all of it is here)");
	}
}

const char *tsr_text(const tsr *x)
{
	if (!x) return "NULL";
	if (!handle_live(x)) return "stale handle";
	tsr_ctx *ctx = handles_of(x)->ctx;
	if (!is_usable(x)) return *error_text(&ctx->base) ? error_text(&ctx->base) : "poison";
	const char *fault = handle_fault(ctx, x);
	if (fault) return fault;
	str s = {.base = &ctx->base};
	put_handle(&s, x);
	return scope_text(ctx, &s);
}

void tsr_print_at(const char *where, const tsr *x)
{
	tsr *poison, *h = (tsr *)(uintptr_t)x;
	tsr_ctx *ctx = operands_check(where, "print", &h, 1, &poison);

	if (!ctx) {
		error_log_once(&handles_of(poison)->ctx->base);
		return;
	}
	str s = {.base = &ctx->base};
	put_handle(&s, x);
	if (!s.lost) puts(s.s);
	str_free(&s);
}
