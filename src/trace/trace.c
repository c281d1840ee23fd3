/* trace.c - one trace in progress: handles to its variables, and the lifting of values that belong
 * elsewhere.
 *
 * Traces nest: while a fn is traced inside another body, the inner trace is ctx->trace and its
 * `outer` waits. A handle of an outer trace, or of a concrete array, becomes an extra input of the
 * trace that uses it; the call that ends it passes the value. */
#include "trace/trace.h"

static void trace_free(void *object)
{
	trace *t = object;

	for (size_t i = 0; i < t->nlifted; i++) handle_drop(&t->lifted[i].handle);
	base *bs = &t->ctx->base;
	mem_free(bs, t->lifted);
	mem_free(bs, t);
}

trace *trace_begin(tsr_ctx *ctx, const char *name, const axis *axes, int naxes, bool unchecked)
{
	trace *t = mem_zalloc(&ctx->base, sizeof *t);
	if (!t) return NULL;
	*t = (trace){.counted = {1, trace_free},
	             .ctx = ctx,
	             .outer = ctx->trace,
	             .unchecked = unchecked,
	             .lift_varying = ctx->trace ? ctx->trace->lift_varying : 0,
	             .lifts = {.base = &ctx->base},
	             .depth = ctx->trace ? ctx->trace->depth + 1 : 1};
	if (!(t->build = build_begin(&ctx->ir, name, axes, naxes))) {
		mem_free(&ctx->base, t);
		return NULL;
	}
	ctx->trace = t;
	return t;
}

program *trace_end(trace *t, const var *out, int nout)
{
	program *p = NULL;

	if (out)
		p = build_end(t->build, out, nout);
	else
		build_abandon(t->build);
	t->build = NULL;
	t->ctx->trace = t->outer;
	table_free(&t->lifts, NULL);
	return p;
}

tsr *trace_handle(trace *t, var v)
{
	counted_retain(t);
	return handle_make(&t->ctx->handles, HANDLE_TRACED, t, v.id);
}

/* ---- lifting */

typedef struct payload {
	const void *of;
	int32_t var;
} payload;
typedef struct payload_entry {
	payload is;
	var input;
} payload_entry;

static payload payload_of(const tsr *h)
{
	const handle_slot *s = handle_slot_of(h);

	return (payload){s->payload, s->kind == HANDLE_TRACED ? s->var : 0};
}

static bool same_payload(const void *entry, const void *key)
{
	const payload_entry *e = entry;
	const payload *want = key;

	return e->is.of == want->of && e->is.var == want->var;
}

static const type *lifted_type(const trace *t, const tsr *h)
{
	const type *own = handle_type(h);

	return type_vary(&t->ctx->ir, own, own->varying | t->lift_varying);
}

const type *trace_type(tsr_ctx *ctx, const tsr *h)
{
	const handle_slot *s = handle_slot_of(h);
	const bool own = s->kind == HANDLE_TRACED && s->payload == ctx->trace;

	return own || !ctx->trace ? handle_type(h) : lifted_type(ctx->trace, h);
}

static bool lift(trace *t, const tsr *h, payload is, uint64_t hash, var *out)
{
	base *bs = &t->ctx->base;
	payload_entry *entry = arena_alloc(build_arena(t->build), sizeof *entry);

	if (!entry ||
	    !mem_room(bs, (void **)&t->lifted, t->nlifted, &t->lifted_cap, sizeof *t->lifted))
		return false;
	const type *type_in = lifted_type(t, h);
	if (!type_in || !(*out = build_input(t->build, type_in)).id) return false;
	*entry = (payload_entry){is, *out};
	t->lifted[t->nlifted] = (struct lifted){NULL, *out};
	if (!handle_own(&t->ctx->handles, &t->lifted[t->nlifted].handle, (tsr *)(uintptr_t)h))
		return false;
	t->nlifted++;
	return table_add(&t->lifts, hash, entry);
}

bool trace_var(trace *t, const tsr *h, var *out)
{
	const handle_slot *s = handle_slot_of(h);

	if (s->kind == HANDLE_TRACED && s->payload == t) {
		*out = (var){s->var};
		return true;
	}
	if (s->kind == HANDLE_POISON) return false;
	const payload is = payload_of(h);
	const uint64_t hash = hash_u64((uint64_t)is.var, hash_u64((uint64_t)(uintptr_t)is.of, 0));
	const payload_entry *known = table_find(&t->lifts, hash, same_payload, &is);
	if (known) {
		*out = known->input;
		return true;
	}
	return lift(t, h, is, hash, out);
}
