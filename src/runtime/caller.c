/* caller.c - wraps memory of the caller's as an array, and as a place for a result.
 *
 * Example:
 *
 *     float row[4] = {1, 2, 3, 4};
 *     x = tsr_wrap(ctx, row, TSR_F32, TSR_DIMS(4));
 *     tsr_call_into(TSR_OUT(TSR_INTO(row, TSR_F32, TSR_DIMS(4))), tsr_jit(ctx, reversed), x);
 *
 * A result is made right in its place where an engine can do that. Otherwise, as here, it is made
 * elsewhere and copied at the end, when no operand is needed any more: so a place may be the memory
 * of an operand, or overlap it.
 *
 *     row = 4 3 2 1 */
#include "runtime/runtime.h"

/* How far strided data reaches. false: too far */
static bool reach_of(caller_memory *m)
{
	const type *t = m->type;

	m->low = 0;
	m->high = t->size ? (int64_t)tsr_dtype_size(t->dtype) : 0;
	for (int d = 0; t->size && d < t->ndim; d++) {
		const int64_t stride = m->strides[d];
		int64_t reach, *side = stride < 0 ? &m->low : &m->high;
		if (stride == INT64_MIN ||
		    !mul_ok(t->dims[d] - 1, stride < 0 ? -stride : stride, &reach) ||
		    !add_ok(*side, reach, side))
			return false;
	}
	return true;
}

static bool is_dense(const type *t, const int64_t *strides)
{
	int64_t dense[MAX_NDIM];

	dims_strides(t->dims, t->ndim, dense);
	for (int d = 0; d < t->ndim; d++)
		if (t->dims[d] > 1 && strides[d] != dense[d] * (int64_t)tsr_dtype_size(t->dtype))
			return false;
	return true;
}

bool element_fits(tsr_ctx *ctx, const char *where, const char *op, tsr_dtype element,
                  tsr_dtype dtype)
{
#define BITS(T, of, also) (element == (of) ? 1u << (of) | (also) : 0) |
	const unsigned holds = TSR_C_TYPES_(BITS) 0;

	return !element || holds >> dtype & 1 ||
	       fail(&ctx->base, where, TSR_ERROR_TYPE,
	            "%s: the memory holds %s by its C type, and the dtype is %s",
	            op, tsr_dtype_name(element), tsr_dtype_name(dtype));
}

bool memory_measure(tsr_ctx *ctx, const char *where, const char *op, caller_memory *m)
{
	const type *t = m->type;

	if (m->strides && !reach_of(m))
		return fail(&ctx->base, where, TSR_ERROR_ARGUMENT,
		            "%s: the .strides (in bytes) are too large", op);
	if (m->strides && is_dense(t, m->strides)) m->strides = NULL;
	if (!m->strides) m->low = 0, m->high = t->size * (int64_t)tsr_dtype_size(t->dtype);
	return true;
}

array *array_wrap(tsr_ctx *ctx, const char *where, const caller_memory *m, bool writable,
                  void (*release)(void *user, void *data), void *user)
{
	const sharding *s = sharding_one(&ctx->shards, where, ctx->home);
	const size_t bytes = (size_t)m->type->ndim * sizeof *m->strides;
	array *x = s ? array_make(ctx, m->type, s, false) : NULL;
	engine *of = ctx->engine;

	if (!x) return NULL;
	if (m->strides && (x->strides = mem_alloc(&ctx->base, bytes)))
		memcpy(x->strides, m->strides, bytes);
	if (x->strides || !m->strides) {
		x->shard[0] = of->type->wrap(of, ctx->devices[ctx->home].memory, m->data,
		                             (size_t)m->high, writable, release, user);
		engine_did(of, "wrap", x->shard[0]);
	}
	if (x->shard[0]) return x;
	array_release(x);
	return NULL;
}

/* ---- a place for a result */

static bool overlap(const char *a, int64_t na, const char *b, int64_t nb)
{
	const uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;

	return na && nb && (x < y ? y - x < (uintptr_t)na : x - y < (uintptr_t)nb);
}

bool memory_overlaps(const caller_memory *a, const caller_memory *b)
{
	return overlap(a->data - a->low, a->low + a->high, b->data - b->low, b->low + b->high);
}

bool memory_has(const caller_memory *m, buffer *b)
{
	const char *at = b ? b->engine->type->borrow(b) : NULL;

	return at && overlap(m->data - m->low, m->low + m->high, at, (int64_t)b->bytes);
}

bool memory_buffer(tsr_ctx *ctx, const caller_memory *m, int memory, buffer **out)
{
	const engine_type *e = ctx->engine->type;

	*out = NULL;
	if (m->strides || !m->high || (uintptr_t)m->data % tsr_dtype_size(m->type->dtype))
		return true;
	buffer *b = e->wrap(ctx->engine, memory, m->data, (size_t)m->high, true, NULL, NULL);
	if (b && e->borrow(b) == m->data)
		*out = b;
	else
		tsr__buffer_release(b); /* the engine computes elsewhere */
	return engine_did(ctx->engine, "wrap", b);
}

bool memory_holds(const caller_memory *m, const array *a)
{
	if (m->strides || a->strides || !m->high || sharding_ndevices(a->sharding) != 1)
		return false;
	const engine_type *e = a->shard[0]->engine->type;
	return e->borrow(a->shard[0]) == m->data && e->ready(a->shard[0], true);
}

bool memory_meets(const caller_memory *m, const array *a)
{
	for (int64_t i = 0; i < a->nshards; i++)
		if (memory_has(m, a->shard[i])) return true;
	return false;
}
