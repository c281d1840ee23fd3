/* cache.c - keeps things of a context that need not be made again: counted in bytes, and evicted
 * least recently used first.
 *
 * All of it is in one ring, in the order of last use: executables, one-equation programs, tracings
 * and fns. An entry counts what it alone has. Programs are shared by entries, so the ir counts
 * them, each once, together with types. Whenever something is added the oldest entries go until the
 * sum is within the limit. They also go, one by one, when there is no memory for a request.
 *
 *     limit 100       ring, oldest first     ir   sum
 *                     a 30   b 20   c 20     20    90
 *     d, 30, is made; a is pinned:
 *                     a 30   c 20   d 30     20   100
 *
 * A pinned entry is in use, or something else refers to it: it stays, even above the limit. Whoever
 * has found or made an entry pins it until he no longer reads it. What will be pinned for long, as
 * fns are by their handles, is set aside, so that eviction need not step over it. If siglongjmp
 * leaves a run, what that run had pinned stays until tsr_close. */
#include "runtime/runtime.h"

enum { LIMIT = 256 << 20 }; /* bytes, where nobody says otherwise */

/* "64M" -> 64 << 20. false: it is no number of bytes */
static bool bytes_read(const char *text, size_t *bytes)
{
	static const char units[] = "kMG";
	int64_t n;

	if (!integer_read(&text, &n) || n < 0) return false;
	const char *unit = *text ? strchr(units, *text) : NULL;
	const int shift = unit ? 10 * (int)(unit - units + 1) : 0;
	if (text[unit != NULL] || n > PTRDIFF_MAX >> shift) return false;
	*bytes = (size_t)n << shift;
	return true;
}

bool cache_init(tsr_ctx *ctx, const char *where, size_t limit)
{
	cache *c = &ctx->cache;
	const char *text = environment("TSR_CACHE");

	*c = (cache){.ring = {.older = &c->ring, .newer = &c->ring},
	             .aside = {.older = &c->aside, .newer = &c->aside},
	             .limit = limit};
	if (!limit && text && *text && !bytes_read(text, &c->limit))
		return fail(&ctx->base, where, TSR_ERROR_ARGUMENT,
		            "TSR_CACHE must be a number of bytes such as 65536, 64k, 256M or 1G, "
		            "got \"%s\"",
		            text);
	if (!c->limit) c->limit = LIMIT;
	ctx->base.mem.reclaims = ctx;
	ctx->base.mem.reclaim = cache_reclaim;
	return true;
}

static void link_newest(cached *ring, cached *x)
{
	x->older = ring->older;
	x->newer = ring;
	x->older->newer = ring->older = x;
}

static void unlink_cached(cached *x)
{
	x->older->newer = x->newer;
	x->newer->older = x->older;
}

void cached_renew(cache *c, cached *x)
{
	unlink_cached(x);
	link_newest(&c->ring, x);
}

void cached_set_aside(cache *c, cached *x)
{
	unlink_cached(x);
	link_newest(&c->aside, x);
}

static size_t total(const tsr_ctx *ctx)
{
	return ctx->cache.bytes + ir_bytes(&ctx->ir) + mem_bytes(ctx->executables.slot) +
	       mem_bytes(ctx->eager.slot) + mem_bytes(ctx->fns.slot);
}

/* evicts the oldest entry that is not pinned */
static bool evict_one(tsr_ctx *ctx)
{
	cache *c = &ctx->cache;
	cached *x = c->ring.newer;

	while (x != &c->ring && x->pins) x = x->newer;
	if (x == &c->ring) return false;
	x->evict(ctx, x);
	return true;
}

bool cache_reclaim(void *ctx) { return evict_one(ctx); }

static void trim(tsr_ctx *ctx)
{
	while (total(ctx) > ctx->cache.limit && evict_one(ctx)) continue;
}

void cache_add(tsr_ctx *ctx, cached *x, size_t bytes, void (*evict)(tsr_ctx *, cached *))
{
	*x = (cached){.bytes = bytes, .evict = evict, .pins = 1};
	link_newest(&ctx->cache.ring, x);
	ctx->cache.bytes += bytes;
	trim(ctx);
}

void cached_count(tsr_ctx *ctx, cached *x, size_t bytes)
{
	ctx->cache.bytes += bytes - x->bytes;
	x->bytes = bytes;
	trim(ctx);
}

void cached_forget(tsr_ctx *ctx, cached *x)
{
	unlink_cached(x);
	ctx->cache.bytes -= x->bytes;
}

void cache_empty(tsr_ctx *ctx)
{
	cache *c = &ctx->cache;

	c->closed = true;
	while (c->ring.newer != &c->ring) c->ring.newer->evict(ctx, c->ring.newer);
	while (c->aside.newer != &c->aside) c->aside.newer->evict(ctx, c->aside.newer);
}
