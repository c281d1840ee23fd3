/* here.c - finds the context that a call belongs to: the one it names, else the one in use on this
 * thread, else the dead one.
 *
 * A call names a context by a handle, a mesh or a fn; where that is NULL, its error belongs to the
 * context that is tracing on this thread (the innermost, if several are). If none is tracing, it
 * belongs to the context that this thread opened or used last, if there is exactly one of these;
 * otherwise to the dead context.
 *
 * Example, where ctx is open already:
 *
 *     static tsr *careless(tsr *x)
 *     {
 *             seen = tsr_neg(NULL);
 *             return x;
 *     }
 *     tsr_ctx *other = tsr_open(.log = log_nothing);
 *     tsr *alone = tsr_neg(NULL);
 *     tsr *y = tsr_call(tsr_jit(ctx, careless), x);
 *
 * With two contexts open nothing tells which of them `alone` is about, so the error
 * is in neither; in the body there is no doubt:
 *
 *     alone: neither, in the body: ctx, y: poison */
#include <pthread.h>
#include <stdio.h>
#include "runtime/runtime.h"

/* ---- the dead context. It is static and needs no memory: its poison has a slot of its own, and
 * every request for memory is refused */

static tsr_ctx dead;
static _Alignas(64) handle_slot dead_poison = {
	.home = &dead.handles, .kind = HANDLE_POISON, .serial = 1};
static tsr_ctx dead = {
	.base = {.mem = {.fail_at = 0}, .errors = &errors_process},
	.handles = {.base = &dead.base, .ctx = &dead, .poison = (tsr *)((char *)&dead_poison + 1)},
	.poison_mesh = {.ctx = &dead},
	.poison_sharding = {.ctx = &dead},
};

tsr_ctx *ctx_dead(void) { return &dead; }

/* ---- those that are open */

static struct {
	pthread_mutex_t lock;
	tsr_ctx *first;
} opened = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void before_fork(void) { pthread_mutex_lock(&opened.lock); }
static void after_fork(void) { pthread_mutex_unlock(&opened.lock); }
static void watch_forks(void) { pthread_atfork(before_fork, after_fork, after_fork); }

void ctx_enter(tsr_ctx *ctx)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, watch_forks);
	atomic_store(&ctx->thread, thread_here());
	pthread_mutex_lock(&opened.lock);
	ctx->next_open = opened.first;
	opened.first = ctx;
	pthread_mutex_unlock(&opened.lock);
}

void ctx_leave(const tsr_ctx *ctx)
{
	pthread_mutex_lock(&opened.lock);
	tsr_ctx **at = &opened.first;
	while (*at && *at != ctx) at = &(*at)->next_open;
	if (*at) *at = ctx->next_open;
	pthread_mutex_unlock(&opened.lock);
}

/* stacks grow down: the innermost of the traces on one stack has the lowest frame */
static bool traces_within(const tsr_ctx *a, const tsr_ctx *b)
{
	if (!a->trace || !b->trace) return a->trace != NULL;
	return (uintptr_t)a->body->at < (uintptr_t)b->body->at;
}

tsr_ctx *ctx_here(void)
{
	tsr_ctx *best = NULL;
	bool several = false;

	pthread_mutex_lock(&opened.lock);
	for (tsr_ctx *c = opened.first; c; c = c->next_open) {
		if (atomic_load(&c->thread) != thread_here()) continue;
		several = best;
		if (!best || traces_within(c, best)) best = c;
	}
	pthread_mutex_unlock(&opened.lock);
	return !best || (several && !best->trace) ? &dead : best;
}

bool ctx_any_here(void)
{
	bool any = false;

	pthread_mutex_lock(&opened.lock);
	for (tsr_ctx *c = opened.first; c; c = c->next_open)
		any |= atomic_load(&c->thread) == thread_here();
	pthread_mutex_unlock(&opened.lock);
	return any;
}

tsr_ctx *ctx_using_mesh(void)
{
	tsr_ctx *last = NULL;

	pthread_mutex_lock(&opened.lock);
	for (tsr_ctx *c = opened.first; c; c = c->next_open) {
		if (atomic_load(&c->thread) != thread_here() || !c->in_use.mesh) continue;
		if (!last || c->in_use.since > last->in_use.since) last = c;
	}
	pthread_mutex_unlock(&opened.lock);
	return last;
}

/* ---- what a call names */

bool ctx_alive(const tsr_ctx *ctx) { return ctx && ctx != &dead; }
tsr_ctx *ctx_or_here(tsr_ctx *ctx) { return ctx ? ctx : ctx_here(); }

void ctx_use(tsr_ctx *ctx)
{
	const void *thread = thread_here();

	if (ctx == &dead) return;
	if (atomic_load_explicit(&ctx->thread, memory_order_relaxed) != thread)
		atomic_store_explicit(&ctx->thread, thread, memory_order_relaxed);
	while (ctx->trace && guard_left(ctx->body)) ctx->body_left(ctx);
	if (ctx->host_calls && guard_left(&ctx->host_call)) {
		ctx->host_calls = 0;
		run_left(ctx);
		ctx->in_use = ctx->host_in_use;
		scope_close(ctx->host_scope);
	}
}

bool ctx_ok(const char *where, const char *op, tsr_ctx *ctx)
{
	if (!ctx)
		return fail(&ctx_here()->base, where, TSR_ERROR_ARGUMENT, "%s: the context is NULL",
		            op);
	ctx_use(ctx);
	return ctx != &dead;
}

bool mesh_ok(const char *where, const char *op, const tsr_mesh *m)
{
	char what[80];

	if (!m)
		return fail(&ctx_here()->base, where, TSR_ERROR_ARGUMENT, "%s: the mesh is NULL",
		            op);
	ctx_use(m->ctx);
	if (m != &m->ctx->poison_mesh) return true;
	snprintf(what, sizeof what, "%s: the mesh", op);
	return fail_poison(&m->ctx->base, where, what);
}

bool sharding_ok(const char *where, const char *op, const tsr_sharding *s)
{
	char what[80];

	if (!s)
		return fail(&ctx_here()->base, where, TSR_ERROR_ARGUMENT,
		            "%s: the sharding is NULL", op);
	ctx_use(s->ctx);
	if (s != &s->ctx->poison_sharding) return true;
	snprintf(what, sizeof what, "%s: the sharding", op);
	return fail_poison(&s->ctx->base, where, what);
}

/* ---- of objects and handles */

tsr_ctx *tsr_ctx_of(const tsr *x) { return x ? handles_of(x)->ctx : NULL; }
tsr_ctx *tsr_mesh_ctx(const tsr_mesh *m) { return m ? m->ctx : NULL; }
