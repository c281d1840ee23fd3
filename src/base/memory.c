/* memory.c - every byte of a context: one hook, aligned blocks, accounting, a limit, failures.
 *
 * A block is 64-byte aligned whatever the hook returns: SLACK bytes more are asked for, and the
 * 16 bytes below the block say where the hook's memory begins and how much it is. `in_use`, `peak`
 * and `limit` count what the hook was asked for, so that a limit bounds what is really taken. Only
 * mem_free may come from another thread than the context's, and all that it shares with the others
 * is the atomic count. */
#include "base/base.h"
#include <stdlib.h>

#define ALIGN ((size_t)64)
#define SLACK (sizeof(header) + ALIGN)

typedef struct header {
	uint64_t whole;             /* bytes of the hook's memory */
	uint64_t offset;            /* from its begin to the block */
} header;

_Static_assert(sizeof(header) == 16, "a header fits between the hook's memory and the block");

static header *header_of(void *block) { return (header *)block - 1; }

static void *system_memory(void *user, void *old, size_t size)
{
	(void)user;
	if (size) return realloc(old, size);
	free(old);
	return NULL;
}

bool base_init(base *b, void *(*hook)(void *, void *, size_t), void *user, size_t limit)
{
	b->errors = NULL;
	b->mem.hook = hook ? hook : system_memory;
	b->mem.user = user;
	atomic_init(&b->mem.in_use, 0);
	b->mem.peak = 0;
	b->mem.limit = limit;
	b->mem.fail_at = -1;
	return (b->errors = errors_make(b)) != NULL;
}

void base_fini(base *b)
{
	errors *e = b->errors;

	b->errors = NULL;
	mem_free(b, e);
}

static bool injected(mem *m)
{
	if (m->fail_at < 0) return false;
	if (m->fail_at) m->fail_at--;
	return !m->fail_at;
}

/* `old` is the hook's memory, of `had` bytes; *whole is what is asked for now. NULL leaves
 * everything as it was. */
static void *ask(mem *m, void *old, size_t had, size_t size, size_t *whole)
{
	const size_t others = atomic_load_explicit(&m->in_use, memory_order_relaxed) - had;

	if (injected(m) || size > PTRDIFF_MAX - SLACK) return NULL;
	*whole = size + SLACK;
	if (m->limit && (others > m->limit || *whole > m->limit - others)) return NULL;
	void *raw = m->hook(m->user, old, *whole);
	if (!raw) return NULL;
	const size_t more = *whole - had;
	const size_t now = atomic_fetch_add_explicit(&m->in_use, more, memory_order_relaxed) + more;
	if (now > m->peak) m->peak = now;
	return raw;
}

static char *block_in(char *raw)
{
	return raw + sizeof(header) + (-((uintptr_t)raw + sizeof(header)) & (ALIGN - 1));
}

static void *with_header(char *block, const char *raw, size_t whole)
{
	*header_of(block) = (header){whole, (uint64_t)(block - raw)};
	return block;
}

static void *refused(base *b, size_t size)
{
	const size_t in_use = atomic_load_explicit(&b->mem.in_use, memory_order_relaxed);

	if (b->mem.limit)
		fail(b, NULL, TSR_ERROR_MEMORY,
		     "out of memory: %zu bytes wanted, %zu in use, the limit is %zu", size, in_use,
		     b->mem.limit);
	else
		fail(b, NULL, TSR_ERROR_MEMORY, "out of memory: %zu bytes wanted, %zu in use",
		     size, in_use);
	return NULL;
}

void *mem_alloc_quiet(base *b, size_t size)
{
	size_t whole;
	char *raw = ask(&b->mem, NULL, 0, size, &whole);

	return raw ? with_header(block_in(raw), raw, whole) : NULL;
}

void *mem_alloc(base *b, size_t size)
{
	void *block = mem_alloc_quiet(b, size);

	return block ? block : refused(b, size);
}

void *mem_zalloc(base *b, size_t size)
{
	void *block = mem_alloc(b, size);

	return block ? memset(block, 0, size) : NULL;
}

void *mem_array(base *b, size_t n, size_t size)
{
	size_t bytes;

	if (!__builtin_mul_overflow(n, size, &bytes)) return mem_zalloc(b, bytes);
	fail(b, NULL, TSR_ERROR_MEMORY,
	     "out of memory: %zu items of %zu bytes are more than an address can hold", n, size);
	return NULL;
}

/* The hook may move the memory to another place modulo ALIGN; then the contents move once more. */
void *mem_grow(base *b, void *old, size_t size)
{
	size_t whole;

	if (!old) return mem_alloc(b, size);
	const size_t offset = (size_t)header_of(old)->offset, had = (size_t)header_of(old)->whole;
	char *raw = ask(&b->mem, (char *)old - offset, had, size, &whole);
	if (!raw) return refused(b, size);
	char *block = block_in(raw);
	if (block != raw + offset)
		memmove(block, raw + offset, (had < whole ? had : whole) - SLACK);
	return with_header(block, raw, whole);
}

void mem_free(base *b, void *block)
{
	if (!block) return;
	const header *h = header_of(block);
	const size_t had = (size_t)h->whole;
	b->mem.hook(b->mem.user, (char *)block - h->offset, 0);
	atomic_fetch_sub_explicit(&b->mem.in_use, had, memory_order_relaxed);
}

bool mem_room(base *b, void **items, size_t count, size_t *cap, size_t size)
{
	size_t more = *cap ? *cap : 4, bytes;

	if (count < *cap) return true;
	if (__builtin_add_overflow(*cap, more, &more) || __builtin_mul_overflow(more, size, &bytes))
		return refused(b, SIZE_MAX) != NULL;
	void *moved = mem_grow(b, *items, bytes);
	if (!moved) return false;
	*items = moved;
	*cap = more;
	return true;
}
