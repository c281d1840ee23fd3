/* trace.c - keeps a trace in progress: handles to its variables, and the lifting of values that
 * belong elsewhere.
 *
 * Example:
 *
 *     static tsr *shifted(tsr *x) { return tsr_add(x, table); }
 *     table = tsr_ones(ctx, TSR_DIMS(4));
 *     return tsr_fn_text(tsr_jit(ctx, shifted), x);
 *
 * The array is neither argument nor capture. It is lifted: it becomes an input of the program, not
 * a constant in it, so that the program has no numbers in it that may be large:
 *
 *     shifted(%0: f32[4], %1: f32[4]) -> f32[4] {
 *       %2: f32[4] = add %0 %1
 *       return %2
 *     }
 *
 * Traces nest: while a fn is traced inside another body, the inner trace is ctx->trace and its
 * `outer` waits. A handle of an outer trace, or of a concrete array, becomes an extra input of the
 * trace that uses it; the call that ends it passes the value. */
#include <stdio.h>
#include "trace/trace.h"

static void trace_free(void *object)
{
	trace *t = object;

	for (size_t i = 0; i < t->nlifted; i++) handle_drop(&t->lifted[i].handle);
	base *bs = &t->ctx->base;
	mem_free(bs, t->lifted);
	mem_free(bs, t);
}

static void body_left(tsr_ctx *);

static bool trace_prepare(trace *t, const trace_of *of)
{
	tsr_ctx *ctx = t->ctx;

	return (t->build = build_begin(&ctx->ir, of->name, of->axes, of->naxes)) &&
	       (t->where = arena_str(build_arena(t->build),
	                             of->where ? base_name(of->where) : "an unknown place")) &&
	       (t->scope = scope_open(&ctx->handles, false));
}

trace *trace_begin(tsr_ctx *ctx, const trace_of *of)
{
	trace *outer = ctx->trace, *t = mem_zalloc(&ctx->base, sizeof *t);

	if (!t) return NULL;
	*t = (trace){.counted = {1, trace_free},
	             .ctx = ctx,
	             .outer = outer,
	             .unchecked = of->unchecked,
	             .lift_varying = outer ? outer->lift_varying : 0,
	             .lifts = {.base = &ctx->base},
	             .depth = outer ? outer->depth + 1 : 1,
	             .name = of->name,
	             .captures = of->captures,
	             .held = ctx->held,
	             .in_use = ctx->in_use};
	if (of->mesh) mesh_put_in_use(ctx, of->mesh);
	ctx->trace = t;
	ctx->body = &t->body;
	ctx->body_left = body_left;
	if (trace_prepare(t, of)) return t;
	trace_end(t);
	return NULL;
}

static void step_out(trace *t)
{
	t->ctx->trace = t->outer;
	t->ctx->in_use = t->in_use;
	t->ctx->body = t->outer ? &t->outer->body : NULL;
}

/* What logs on the way, and computes with the context, is not in the trace any more */
program *trace_program(trace *t, const var *out, int nout)
{
	build *b = t->build;

	t->build = NULL;
	step_out(t);
	return build_end(b, out, nout);
}

void trace_end(trace *t)
{
	if (!t) return;
	if (t->build) build_abandon(t->build);
	t->build = NULL;
	step_out(t);
	table_free(&t->lifts, NULL);
	scope_close(t->scope);
	counted_release(t);
}

/* ---- a body that did not return */

/* Restores only slots that still hold the handles of the body: a slot on a stack frame that is gone
 * may hold anything by now. */
__attribute__((no_sanitize("address", "thread"))) static void restore_slots(const trace *t)
{
	for (size_t i = 0; t->slots[0] && i < t->captures->count; i++)
		if (t->captures->leaf[i] == t->slots[1][i])
			t->captures->leaf[i] = t->slots[0][i];
}

/* ends the innermost trace, and frees what the calls around its body hold */
static void leave(trace *t)
{
	tsr_ctx *ctx = t->ctx;
	struct held *const down_to = t->outer ? t->outer->held : NULL;
	traced *made = t->made;

	restore_slots(t);
	if (t->outer) t->outer->lift_varying = t->outer->own_lift;
	trace_end(t);
	traced_free(made);
	call_arenas_free(ctx, down_to);
}

static void body_left(tsr_ctx *ctx)
{
	trace *t = ctx->trace;

	fail(&ctx->base, NULL, TSR_ERROR_ARGUMENT,
	     "the body of %s, called at %s, was left without a return, by longjmp or the like: its "
	     "trace has ended, and the call has no result",
	     t->name, t->where);
	leave(t);
}

void trace_unwound(trace **t)
{
	char text[256];

	if (!*t) return;
	tsr_ctx *ctx = (*t)->ctx;
	snprintf(text, sizeof text,
	         "the body of %s, called at %s, was left by an exception or the end of its thread",
	         (*t)->name, (*t)->where);
	leave(*t);
	log_text(&ctx->base, 1, text);
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
	const payload_entry *known = entry;
	const payload *want = key;

	return known->is.of == want->of && known->is.var == want->var;
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
