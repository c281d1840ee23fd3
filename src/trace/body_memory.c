/* body_memory.c - keeps the scratch memory of calls that are running bodies.
 *
 * A body may never return to the call that runs it: longjmp, an exception or the end of the thread
 * may leave both. Memory that a call needs across the body is therefore in an arena that the
 * context knows, and the end of the trace frees it. Calls nest, so the arenas are a list, the
 * innermost first.
 *
 * Example:
 *
 *     static tsr *calls_it(tsr *x) { return tsr_call(tsr_jit(x, jumps), x); }
 *     if (!setjmp(before)) tsr_call(tsr_jit(ctx, calls_it), x);
 *
 * jumps() leaves two calls by longjmp(before, 1). The next call on the context ends their traces,
 * so that another such jump leaves nothing behind:
 *
 *     0 bytes more */
#include "trace/trace.h"

typedef struct held {
	struct held *outer;
	arena *arena; /* which holds this record too */
} held;

arena *call_arena(tsr_ctx *ctx)
{
	arena *a = arena_make(&ctx->base);
	held *h = a ? arena_alloc(a, sizeof *h) : NULL;

	if (!h) {
		arena_free(a);
		return NULL;
	}
	*h = (held){ctx->held, a};
	ctx->held = h;
	return a;
}

void call_arena_free(tsr_ctx *ctx, arena *a)
{
	if (a) call_arenas_free(ctx, ctx->held->outer);
}

void call_arenas_free(tsr_ctx *ctx, const held *down_to)
{
	while (ctx->held != down_to) {
		arena *last = ctx->held->arena;
		ctx->held = ctx->held->outer;
		arena_free(last);
	}
}
