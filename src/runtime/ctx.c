/* ctx.c - opening and closing a context, its devices, its errors. */
#include <stdlib.h>
#include "runtime/runtime.h"

static void retain_payload(handle_slot *s) { counted_retain(s->payload); }
static void release_payload(handle_slot *s) { counted_release(s->payload); }

/* One process's virtual devices share a memory; memories are numbered by process. */
static bool devices_make(tsr_ctx *ctx, int64_t n, int processes)
{
	if (n < 1 || n > 1 << 20 || processes < 1 || n % processes)
		return fail(&ctx->base, NULL, TSR_ERROR_ARGUMENT,
		            ".devices must be from 1 to %d, got %lld", 1 << 20, (long long)n);
	ctx->devices = mem_array(&ctx->base, (size_t)n, sizeof *ctx->devices);
	if (!ctx->devices) return false;
	for (int64_t k = 0; k < n; k++) {
		const int process = (int)(k / (n / processes));
		ctx->devices[k] = (device){k, process, process};
	}
	ctx->ndevices = n;
	return true;
}

/* .workers, else TSR_WORKERS, else 0: as many as the machine has */
static bool workers_read(base *bs, const char *where, int given, int *out)
{
	const char *text = getenv("TSR_WORKERS"), *at = text;
	int64_t n = given;

	if (given < 0 || given > WORKERS_MOST)
		return fail(bs, where, TSR_ERROR_ARGUMENT, ".workers must be from 0 to %d, got %d",
		            WORKERS_MOST, given);
	if (!given && text && *text && (!integer_read(&at, &n) || *at || n < 0 || n > WORKERS_MOST))
		return fail(bs, where, TSR_ERROR_ARGUMENT,
		            "TSR_WORKERS must be a number from 0 to %d, got \"%s\"", WORKERS_MOST,
		            text);
	*out = (int)n;
	return true;
}

static bool engine_make(tsr_ctx *ctx, const char *where, const tsr_open_args *args)
{
	const char *name = args->engine ? args->engine : getenv("TSR_ENGINE");
	base *bs = &ctx->base;
	plugin from;
	const engine_type *t = engine_find(bs, where, name, ctx->plugin_dir, &from);
	const char *path = t && from.object ? arena_str(ctx->arena, from.path) : NULL;
	int workers;

	if (!t || (from.object && !path) || !workers_read(bs, where, args->workers, &workers) ||
	    !(ctx->engine = mem_zalloc(bs, sizeof *ctx->engine)))
		return false;
	*ctx->engine = (engine){.type = t,
	                        .base = bs,
	                        .devices = ctx->devices,
	                        .ndevices = ctx->ndevices,
	                        .workers = workers,
	                        .plugin_dir = ctx->plugin_dir,
	                        .plugin = path};
	return true;
}

static bool ctx_fill(tsr_ctx *ctx, const char *where, const tsr_open_args *args, int processes)
{
	base *bs = &ctx->base;

	ctx->executables.base = ctx->eager.base = ctx->fns.base = bs;
	if (!math_works_here())
		return fail(bs, where, TSR_ERROR_UNSUPPORTED,
		            "this processor has no fused multiply-add, which the arithmetic needs");
	if (!(ctx->arena = arena_make(bs)) ||
	    !handles_init(&ctx->handles, bs, ctx, retain_payload, release_payload))
		return false;
	const char *dir = args->plugin_dir ? args->plugin_dir : getenv("TSR_PLUGIN_DIR");
	if (dir && !(ctx->plugin_dir = arena_str(ctx->arena, dir))) return false;
	return devices_make(ctx, args->devices ? args->devices : 1, processes) &&
	       shards_init(&ctx->shards, bs, ctx, ctx->devices, ctx->ndevices) &&
	       ir_init(&ctx->ir, bs, &ctx->shards, all_prims, all_prims_count) &&
	       debug_read(bs, where, ".debug", args->debug, &ctx->ir.debug) &&
	       debug_read(bs, where, "TSR_DEBUG", getenv("TSR_DEBUG"), &ctx->ir.debug) &&
	       engine_make(ctx, where, args);
}

/* all but the handles' slots, which scopes of blocks may still look at */
static void ctx_empty(tsr_ctx *ctx)
{
	handles_empty(&ctx->handles);
	arena_free(ctx->arena);
	table_free(&ctx->fns, NULL);
	forget_executables(ctx);
	ir_fini(&ctx->ir);
	shards_fini(&ctx->shards);
	if (ctx->engine) ctx->engine->type->close(ctx->engine);
	mem_free(&ctx->base, ctx->engine);
	mem_free(&ctx->base, ctx->devices);
}

static void ctx_free(tsr_ctx *ctx)
{
	handles_fini(&ctx->handles);
	base own = ctx->base;
	mem_free(&own, ctx);
	base_fini(&own);
}

/* ---- the dead context: where errors go that have no other place. It is never closed and allocates
 * nothing */

tsr_ctx *ctx_dead(void)
{
	static tsr_ctx dead;
	static _Atomic int ready;
	int none = 0;

	if (atomic_compare_exchange_strong(&ready, &none, 1)) {
		base_init(&dead.base, NULL, NULL, 0);
		handles_init(&dead.handles, &dead.base, &dead, retain_payload, release_payload);
		atomic_store(&ready, 2);
	}
	while (atomic_load(&ready) != 2) continue;
	return &dead;
}

static tsr_ctx *open_failed(tsr_ctx *ctx, base *own)
{
	tsr_ctx *dead = ctx_dead();
	const int code = error_code(own) ? error_code(own) : TSR_ERROR_MEMORY;

	error_log_once(own);
	error_clear(&dead->base);
	fail(&dead->base, NULL, (tsr_code)code, "%s",
	     *error_text(own) ? error_text(own) : "tsr_open: no memory for a context");
	error_mark_logged(&dead->base);
	if (ctx) {
		ctx_empty(ctx);
		ctx_free(ctx);
	} else {
		base_fini(own);
	}
	return dead;
}

bool ctx_alive(const tsr_ctx *ctx) { return ctx && ctx != ctx_dead(); }

/* ---- texts and lists that a scope owns: a handle that nobody sees holds them */

typedef struct block {
	counted counted;
	base *base;
	max_align_t bytes[];
} block;

static void block_free(void *object)
{
	block *b = object;

	mem_free(b->base, b);
}

void *scope_bytes(tsr_ctx *ctx, size_t size)
{
	block *b = ctx_alive(ctx) ? mem_zalloc(&ctx->base, sizeof *b + size) : NULL;

	if (!b) return NULL;
	b->counted = (counted){1, block_free};
	b->base = &ctx->base;
	const tsr *h = handle_make(&ctx->handles, HANDLE_BYTES, b, 0);
	return handle_slot_of(h)->kind == HANDLE_BYTES ? b->bytes : NULL;
}

const char *scope_text(tsr_ctx *ctx, str *s)
{
	char *text = s->s && !s->lost ? scope_bytes(ctx, s->len + 1) : NULL;

	if (text) memcpy(text, s->s, s->len + 1);
	str_free(s);
	return text ? text : "?";
}

/* ---- open and close */

tsr_ctx *ctx_open(const char *where, const tsr_open_args *args, int process, int processes)
{
	base own;

	if (!base_init(&own, args->alloc, args->user, args->memory_limit))
		return open_failed(NULL, &own);
	errors_log_to(&own, args->log, args->user);
	own.mem.fail_at = args->fail_at > 0 ? args->fail_at : -1;
	tsr_ctx *ctx = mem_zalloc(&own, sizeof *ctx);
	if (!ctx) return open_failed(NULL, &own);
	ctx->base = own;
	ctx->process = process;
	if (ctx_fill(ctx, where, args, processes)) return ctx;
	own = ctx->base;
	return open_failed(ctx, &own);
}

tsr_ctx *tsr_open_at(const char *where, const tsr_open_args *args)
{
	return ctx_open(where, KEYWORDS(tsr_open_args, args), 0, 1);
}

int tsr_close(tsr_ctx *ctx)
{
	if (!ctx) return TSR_OK;
	if (ctx->trace)
		fail(&ctx->base, NULL, TSR_ERROR_ARGUMENT,
		     "tsr_close: a body cannot close the context that traces it");
	const int code = error_code(&ctx->base);
	error_log_once(&ctx->base);
	if (ctx == ctx_dead() || ctx->trace || ctx->closed) return code;
	ctx_empty(ctx);
	ctx->closed = ctx->handles.block_scopes > 0;
	if (!ctx->closed) ctx_free(ctx);
	return code;
}

/* ---- errors, memory, devices */

tsr_ctx *tsr_ctx_of(const tsr *x) { return x ? handles_of(x)->ctx : ctx_dead(); }
int tsr_status(const tsr_ctx *ctx) { return error_code(&ctx->base); }
const char *tsr_message(const tsr_ctx *ctx) { return error_text(&ctx->base); }
void tsr_clear(tsr_ctx *ctx) { error_clear(&ctx->base); }
tsr *tsr_poison(tsr_ctx *ctx) { return ctx->handles.poison; }
bool tsr_is_poison(const tsr *x) { return !x || !handle_live(x) || handle_is_poison(x); }

tsr *tsr_fail_at(const char *where, tsr_ctx *ctx, const char *why)
{
	fail(&ctx->base, where, TSR_ERROR_USER, "%s", why ? why : "tsr_fail was given no text");
	return ctx->handles.poison;
}

tsr_memory_info tsr_memory(const tsr_ctx *ctx)
{
	tsr_ctx *own = (tsr_ctx *)(uintptr_t)ctx; /* what other threads have freed is counted now */

	return (tsr_memory_info){mem_in_use(&own->base), own->base.mem.peak};
}

int64_t tsr_device_count(const tsr_ctx *ctx) { return ctx->ndevices; }

tsr_device_info tsr_device(const tsr_ctx *ctx, int64_t k)
{
	if (k < 0 || k >= ctx->ndevices) return (tsr_device_info){.id = -1};
	return (tsr_device_info){ctx->devices[k].id, ctx->devices[k].process,
	                         ctx->devices[k].memory};
}

/* ---- scopes and slots */

tsr_scope *tsr_scope_open(tsr_ctx *ctx) { return scope_open(&ctx->handles, false); }
void tsr_scope_close(tsr_scope *scope) { scope_close(scope); }
tsr_scope *tsr_scope_open_(tsr_ctx *ctx) { return scope_open(&ctx->handles, true); }

void tsr_scope_close_(tsr_scope **scope)
{
	handles *home = scope_home(*scope);

	if (!home) return;
	tsr_ctx *ctx = home->ctx;
	scope_close(*scope);
	*scope = NULL;
	if (ctx->closed && !ctx->handles.block_scopes) ctx_free(ctx);
}

tsr *tsr_keep(tsr *x) { return x && handle_live(x) ? handle_keep(x) : x; }

void tsr_set(tsr **slot, tsr *value)
{
	handles *home = value   ? handles_of(value)
	                : *slot ? handles_of(*slot)
	                        : &ctx_dead()->handles;

	if (value && !handle_live(value))
		fail(home->base, NULL, TSR_ERROR_HANDLE,
		     "tsr_set: the value is a stale handle: its scope has ended, or it was "
		     "dropped");
	handle_own(home, slot, value ? value : home->poison);
}

void tsr_drop(tsr **slot) { handle_drop(slot); }

void tsr_set_tree(tsr_tree slots, tsr_tree values)
{
	if (slots.count != values.count) {
		tsr_ctx *ctx = ctx_dead();
		for (size_t i = 0; i < values.count && ctx == ctx_dead(); i++)
			if (values.leaf[i]) ctx = tsr_ctx_of(values.leaf[i]);
		fail(&ctx->base, NULL, TSR_ERROR_ARGUMENT, "tsr_set_tree: %zu slots for %zu values",
		     slots.count, values.count);
		return;
	}
	for (size_t i = 0; i < slots.count; i++) {
		if (values.leaf[i])
			tsr_set(&slots.leaf[i], values.leaf[i]);
		else
			tsr_drop(&slots.leaf[i]);
	}
}

void tsr_drop_tree(tsr_tree slots)
{
	for (size_t i = 0; i < slots.count; i++) tsr_drop(&slots.leaf[i]);
}
