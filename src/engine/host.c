/* host.c - buffers in the memory of the host, for the engines that compute there.
 *
 * A small result costs one allocation, as the header and the bytes are one block:
 *
 *     | host_buffer, 64 bytes | bytes ...        data points behind the header
 *     | host_buffer, 64 bytes |                  wrapped: data points to the caller's memory */
#include "engine/engine.h"

typedef struct host_buffer {
	buffer buffer;
	void *data;
	void (*release)(void *user, void *data); /* of wrapped memory */
	void *user;
	bool writable;
} host_buffer;

enum { HEADER = 64 }; /* keeps the data as aligned as mem_alloc makes it */
_Static_assert(sizeof(host_buffer) <= HEADER, "the header fits before the data");

static host_buffer *own(const buffer *b) { return (host_buffer *)(uintptr_t)b; }

buffer *host_alloc(engine *of, int memory, size_t bytes, bool clear)
{
	if (bytes > PTRDIFF_MAX - HEADER) {
		fail(of->base, NULL, TSR_ERROR_MEMORY, "a buffer of %zu bytes cannot exist", bytes);
		return NULL;
	}
	host_buffer *b = mem_alloc(of->base, HEADER + bytes);
	if (!b) return NULL;
	tsr__buffer_init(&b->buffer, of, memory, bytes, HEADER);
	b->data = (char *)b + HEADER;
	b->release = NULL;
	b->writable = true;
	if (clear) memset(b->data, 0, bytes);
	return &b->buffer;
}

/* that an address has, up to that of our own memory */
static size_t alignment(const void *at)
{
	const uintptr_t lowest = (uintptr_t)at & -(uintptr_t)at;

	return !lowest || lowest > HEADER ? HEADER : lowest;
}

buffer *host_wrap(engine *of, int memory, void *data, size_t bytes, bool writable,
                  void (*release)(void *user, void *data), void *user)
{
	host_buffer *b = mem_alloc(of->base, HEADER);

	if (!b) return NULL;
	tsr__buffer_init(&b->buffer, of, memory, bytes, alignment(data));
	b->data = data;
	b->release = release;
	b->user = user;
	b->writable = writable;
	return &b->buffer;
}

bool host_may_write(const buffer *b) { return own(b)->writable; }

void host_free(buffer *b)
{
	host_buffer *h = own(b);

	if (h->release) h->release(h->user, h->data);
	mem_free(b->engine->base, h);
}

void *host_bytes(buffer *b) { return own(b)->data; }

bool host_ready(buffer *b, bool wait) { return (void)b, (void)wait, true; }

bool host_read(buffer *b, elements at, void *to, const int64_t *strides, const extent *x)
{
	copy_box(to, strides, (char *)own(b)->data + at.offset, at.strides, x->dims, x->ndim,
	         x->size);
	return true;
}

bool host_write(buffer *b, elements at, const void *from, const int64_t *strides, const extent *x)
{
	copy_box((char *)own(b)->data + at.offset, at.strides, from, strides, x->dims, x->ndim,
	         x->size);
	return true;
}

bool host_copy(buffer *to, elements at, buffer *from, elements there, const extent *x)
{
	return host_write(to, at, (char *)own(from)->data + there.offset, there.strides, x);
}

/* ---- runs on the caller's thread */

void host_cancel(engine *of) { atomic_store(&of->cancelled, true); }

bool host_goes_on(engine *of, engine_run *r, const eqn *next)
{
	if (of->progress) of->progress(of->progress_user, r);
	const bool stops =
		next->number &&
		next->number == atomic_load_explicit(&r->stop, memory_order_relaxed);
	if (!stops && !atomic_load_explicit(&of->cancelled, memory_order_relaxed)) return true;
	return host_cancelled(of, next->where);
}

bool host_cancelled(engine *of, const char *where)
{
	atomic_store(&of->cancelled, false);
	return fail(of->base, where, TSR_ERROR_CANCELLED, "the run was cancelled");
}
