/* buffer.c - buffers are counted; the engine that made one frees it. */
#include "engine/engine.h"

void tsr__buffer_init(buffer *b, engine *of, int memory, size_t bytes, size_t align)
{
	*b = (buffer){.memory = memory, .engine = of, .bytes = bytes, .align = align};
	atomic_init(&b->refs, 1);
}

buffer *buffer_retain(buffer *b)
{
	if (b) atomic_fetch_add_explicit(&b->refs, 1, memory_order_relaxed);
	return b;
}

void buffer_share(buffer *b, int refs)
{
	if (refs == 0) tsr__buffer_release(b);
	if (refs > 1) atomic_fetch_add_explicit(&b->refs, refs - 1, memory_order_relaxed);
}

void tsr__buffer_release(buffer *b)
{
	if (!b || atomic_fetch_sub_explicit(&b->refs, 1, memory_order_acq_rel) != 1) return;
	b->engine->type->free(b);
}

buffer *buffer_alloc(engine *of, int memory, size_t bytes, bool clear)
{
	buffer *b = of->type->alloc(of, memory, bytes, clear);

	engine_did(of, "alloc", b);
	return b;
}

bool engine_did(engine *of, const char *what, bool ok)
{
	if (!ok && !failed(of->base))
		fail(of->base, NULL, TSR_ERROR_PLUGIN,
		     "the engine %s failed in its function `%s`, and recorded no error",
		     of->type->name, what);
	return ok;
}
