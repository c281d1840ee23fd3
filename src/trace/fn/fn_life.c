/* fn_life.c - keeps a fn alive for its handle and its other holders, and ends it.
 *
 * A fn is held by its handle, by fns that were made of it, by tracings that give it away (linear
 * fns), and by each call that is in progress. When nothing holds a fn whose handle was released, it
 * goes at once. One that never had a handle, such as the body of a loop, stays in the cache for the
 * next time, and goes when that needs the room.
 *
 * Example, where at_end() notes that f goes:
 *
 *     tsr_fn *f = tsr_jit(ctx, tsr_sum, TSR_ENV(&s), .env_release = at_end);
 *     tsr_fn *g = tsr_grad(ctx, f);
 *     tsr_fn_release(f);
 *     tsr_fn_release(g);
 *
 * g calls f, so f goes with it:
 *
 *     after the first release: held, after the second: gone */
#include <stdio.h>
#include "trace/trace.h"

/* ---- holds */

/* does it go, after a hold was given back? If nothing holds it, it was used just now */
static bool goes(fn *f)
{
	if (f->cached.pins) return false;
	if (!f->released) cached_renew(&f->ctx->cache, &f->cached);
	return f->released;
}

static void free_one(fn *f)
{
	tsr_ctx *ctx = f->ctx;

	cached_forget(ctx, &f->cached);
	table_remove(&ctx->fns, f->hash, f);
	for (size_t at = 0; at < f->traces.cap; at++) {
		traced *t = table_at(&f->traces, at);
		if (!t) continue;
		cached_forget(ctx, &t->cached);
		traced_free(t);
	}
	table_free(&f->traces, NULL);
	if (f->kind == FN_TEXT) program_release(f->given.program);
	if (f->env_release) f->env_release((void *)(uintptr_t)f->env);
	for (int i = 0; !ctx->cache.closed && i < f->nused; i++) fn_unhold(f->used[i]);
	arena_free(f->arena);
}

/* it goes, and with it those that only it has held: the body of the body, and so on */
static void go(fn *f)
{
	while (f) {
		fn *inner = f->body.fn;
		const bool last = f->ctx->cache.closed;
		free_one(f);
		if (last) return;
		if (!inner) return;
		cached_unpin(&inner->cached);
		f = goes(inner) ? inner : NULL;
	}
}

void fn_evict(tsr_ctx *ctx, cached *entry)
{
	(void)ctx;
	go((fn *)entry);
}

void fn_unheld(fn *f)
{
	if (goes(f)) go(f);
}

static void unhold(void *f) { fn_unhold(f); }

bool fn_hold_in(arena *a, fn *f)
{
	if (!arena_defer(a, unhold, f)) return false;
	fn_hold(f);
	return true;
}

/* ---- handles */

tsr_fn *fn_give(tsr_ctx *ctx, fn *f)
{
	if (!f) return fn_poison(ctx);
	if (f->handle)
		cached_unpin(&f->cached); /* the handle holds it already */
	else if (!(f->handle = fn_handle_make(&ctx->handles, f))) {
		fn_unhold(f);
		return fn_poison(ctx);
	}
	if (!f->times_given++) cached_set_aside(&ctx->cache, &f->cached);
	f->released = false;
	return f->handle;
}

/* Forgets what the library has made of a fn for its own use, such as the fn that tsr_vjp() calls,
 * and no call needs now */
static void drop_made_of(fn *f)
{
	const table *all = &f->ctx->fns;

	for (size_t at = 0; f->cached.pins && at < all->cap;) {
		fn *made = table_at(all, at++);
		if (!made || made->body.fn != f || made->handle) continue;
		drop_made_of(made);
		if (made->cached.pins) continue;
		free_one(made);
		cached_unpin(&f->cached);
		at = 0; /* others may have moved */
	}
}

/* was it given for the last time? Then its handle ends */
static bool taken_back(fn *f)
{
	if (--f->times_given) return false;
	fn_handle_end(f->handle);
	f->handle = NULL;
	cached_renew(&f->ctx->cache, &f->cached);
	return true;
}

static void take_back(void *h)
{
	fn *f = fn_of_handle(h);

	if (f && taken_back(f)) fn_unhold(f);
}

bool fn_give_in(arena *a, tsr_fn *h)
{
	if (!fn_is_poison(h) && arena_defer(a, take_back, h)) return true;
	take_back(h);
	return false;
}

void tsr_fn_release_at(const char *where, tsr_fn *h)
{
	fn *f = h && !fn_is_poison(h) ? fn_of(where, "fn_release", h) : NULL;

	if (!f || !taken_back(f)) return;
	f->released = true;
	cached_unpin(&f->cached);
	drop_made_of(f);
	if (!f->cached.pins) go(f);
}

/* the context's poison handle also represents the fns that could not be made */
tsr_fn *fn_poison(tsr_ctx *ctx) { return (tsr_fn *)poison_of(ctx); }

bool fn_is_poison(const tsr_fn *h)
{
	return handle_live((const tsr *)h) && handle_is_poison((const tsr *)h);
}

tsr_ctx *tsr_fn_ctx(const tsr_fn *h) { return tsr_ctx_of((const tsr *)h); }

fn *fn_of(const char *where, const char *op, const tsr_fn *h)
{
	fn *f = fn_of_handle(h);
	tsr_ctx *ctx = f ? f->ctx : tsr_fn_ctx(h);
	char what[80];

	if (ctx) ctx_use(ctx);
	if (f) return f;
	if (!h) {
		fail(&ctx_here()->base, where, TSR_ERROR_ARGUMENT, "%s: the fn is NULL", op);
		return NULL;
	}
	snprintf(what, sizeof what, "%s: the fn", op);
	if (fn_is_poison(h))
		fail_poison(&ctx->base, where, what);
	else
		fail(&ctx->base, where, TSR_ERROR_HANDLE,
		     "%s is a stale handle: it was released (tsr_fn_release) as often as it was "
		     "made",
		     what);
	return NULL;
}
