/* buffer.c - counted bytes in one memory.
 *
 * The header and the bytes are one block, so that a small result costs one allocation. */
#include "engine/engine.h"

enum { HEADER = 64 }; /* keeps the data as aligned as mem_alloc makes it */
_Static_assert(sizeof(buffer) <= HEADER, "a buffer's header fits before its data");

static void buffer_init(buffer *b, base *bs, int memory, void *data, size_t bytes)
{
	*b = (buffer){.memory = memory, .base = bs, .data = data, .bytes = bytes};
	atomic_init(&b->refs, 1);
}

buffer *tsr__buffer_make(base *bs, int memory, size_t bytes)
{
	if (bytes > PTRDIFF_MAX - HEADER) {
		fail(bs, NULL, TSR_ERROR_MEMORY, "a buffer of %zu bytes cannot exist", bytes);
		return NULL;
	}
	buffer *b = mem_alloc(bs, HEADER + bytes);
	if (b) buffer_init(b, bs, memory, (char *)b + HEADER, bytes);
	return b;
}

buffer *buffer_wrap(base *bs, int memory, void *data, size_t bytes, void (*release)(void *, void *),
                    void *user)
{
	buffer *b = mem_alloc(bs, HEADER);
	if (!b) return NULL;
	buffer_init(b, bs, memory, data, bytes);
	b->release = release;
	b->user = user;
	return b;
}

bool buffer_is_wrapped(const buffer *b) { return b->data != (const char *)b + HEADER; }

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
	if (b->release) b->release(b->user, b->data);
	mem_free(b->base, b);
}
