/* memory.c - gives and counts every byte of a context: one hook, aligned blocks, a limit, failures.
 *
 * Blocks are 64-byte aligned whatever the hook returns: each request asks for SLACK bytes more, and
 * a head below the block holds its size and where the hook's memory begins. `in_use` and `peak`
 * count what the hook was asked for, so that a limit bounds the memory that is really taken.
 *
 * A freed block is kept (spares.c). The next request of its size gets it, with its pages, and
 * without a call of the hook. All kept blocks go back before a request is refused, and when more is
 * held than KEPT_AT_LEAST and than twice the peak. Then what can be made again is reclaimed, one
 * thing at a time, until there is room.
 *
 * Only mem_free may be called from another thread than the context's. It only pushes the block onto
 * a stack of returned blocks. The context's own thread collects these before it relies on its
 * counts.
 *
 * With the address sanitizer nothing is kept, because it finds more when each block is new:
 * returned blocks go back with the next request, and are poisoned until then. */
#include "base/base.h"
#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#define ALIGN ((size_t)64)
#define SLACK (sizeof(block_head) + ALIGN)
#define KEPT_AT_LEAST ((size_t)1 << 26)

#if defined __SANITIZE_ADDRESS__
#define WITH_ASAN
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define WITH_ASAN
#endif
#endif
#ifdef WITH_ASAN
#include <sanitizer/asan_interface.h>
enum { KEEPS = false };
#else
#define ASAN_POISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
enum { KEEPS = true };
#endif

static block_head *head_of(void *block) { return (block_head *)block - 1; }

/* Where the system makes large pages only for who asks, ask: a page of 2 MiB is cleared and found
 * at once instead of 512 of 4 KiB. Only whole ones, so nothing outside is touched */
static void ask_for_large_pages(char *at, size_t size)
{
#ifdef MADV_HUGEPAGE
	const size_t page = (size_t)1 << 21, before = -(uintptr_t)at & (page - 1);

	if (size >= 2 * page) madvise(at + before, (size - before) / page * page, MADV_HUGEPAGE);
#else
	(void)at, (void)size;
#endif
}

static void *system_memory(void *user, void *old, size_t size)
{
	(void)user;
	if (!size) {
		free(old);
		return NULL;
	}
	void *raw = realloc(old, size);
	if (raw) ask_for_large_pages(raw, size);
	return raw;
}

bool base_init(base *b, void *(*hook)(void *, void *, size_t), void *user, size_t limit)
{
	*b = (base){.mem = {.hook = hook ? hook : system_memory,
	                    .user = user,
	                    .limit = limit,
	                    .fail_at = -1,
	                    .keeps = KEEPS}};
	return (b->errors = errors_make(b)) != NULL;
}

static bool injected(mem *m)
{
	if (m->fail_at < 0) return false;
	if (m->fail_at) m->fail_at--;
	return !m->fail_at;
}

/* ---- blocks and the hook's memory */

static char *block_in(char *raw)
{
	return raw + sizeof(block_head) + (-((uintptr_t)raw + sizeof(block_head)) & (ALIGN - 1));
}

static void *with_head(char *block, const char *raw, size_t size)
{
	*head_of(block) = (block_head){size, (size_t)(block - raw), NULL};
	return block;
}

static void give_back(mem *m, block_head *b)
{
	m->held -= b->size + SLACK;
	ASAN_UNPOISON_MEMORY_REGION(b + 1, b->size);
	m->hook(m->user, (char *)(b + 1) - b->offset, 0);
}

/* counts and keeps the blocks that were returned until now */
static void collect(mem *m)
{
	for (block_head *b = spares_returned(&m->spares), *next; b; b = next) {
		next = b->next;
		m->in_use -= b->size + SLACK;
		if (m->keeps)
			spare_keep(&m->spares, b);
		else
			give_back(m, b);
	}
}

size_t mem_refusals(const base *b) { return b->mem.refusals; }

size_t mem_in_use(base *b)
{
	TURN(b, NULL);
	if (turn_) collect(&b->mem);
	return b->mem.in_use;
}

size_t mem_held(base *b)
{
	TURN(b, NULL);
	if (turn_) collect(&b->mem);
	return b->mem.held;
}

/* gives all kept blocks back to the hook; false: there were none */
static bool give_back_kept(mem *m)
{
	bool any = false;

	collect(m);
	for (block_head *b; (b = spare_take_any(&m->spares)); any = true) give_back(m, b);
	return any;
}

void base_fini(base *b)
{
	errors *kept = b->errors;

	b->errors = NULL;
	mem_free(b, kept);
	give_back_kept(&b->mem);
}

static void count_use(mem *m, size_t more)
{
	m->in_use += more;
	if (m->in_use > m->peak) collect(m);
	if (m->in_use > m->peak) m->peak = m->in_use;
}

/* Is there room for `more` bytes, after giving back what is kept if need be? */
static bool fits(mem *m, size_t more)
{
	const size_t most = m->peak > KEPT_AT_LEAST / 2 ? 2 * m->peak : KEPT_AT_LEAST;

	if (m->held + more > (m->limit && m->limit < most ? m->limit : most)) give_back_kept(m);
	return !m->limit || (m->held <= m->limit && more <= m->limit - m->held);
}

/* Asks the hook for `whole` bytes in place of `old`, the hook's memory of `had` bytes (or NULL). On
 * NULL everything is as it was. */
static void *ask_once(mem *m, void *old, size_t had, size_t whole)
{
	if (whole > had && !fits(m, whole - had)) return NULL;
	void *raw = m->hook(m->user, old, whole);
	if (!raw && give_back_kept(m)) raw = m->hook(m->user, old, whole);
	if (!raw) return NULL;
	m->held += whole - had;
	count_use(m, whole - had);
	return raw;
}

static void *ask(mem *m, void *old, size_t had, size_t whole)
{
	void *raw;

	do raw = ask_once(m, old, had, whole);
	while (!raw && m->reclaim && m->reclaim(m->reclaims));
	return raw;
}

/* ---- requests */

static void *refused(base *b, size_t size)
{
	const size_t in_use = mem_in_use(b);
	const char *at = turn_place(b), *where = *at ? at : NULL;

	b->mem.refusals++;
	if (b->mem.limit)
		fail(b, where, TSR_ERROR_MEMORY,
		     "out of memory: %zu bytes wanted, %zu in use, the limit is %zu", size, in_use,
		     b->mem.limit);
	else
		fail(b, where, TSR_ERROR_MEMORY, "out of memory: %zu bytes wanted, %zu in use",
		     size, in_use);
	return NULL;
}

static void *from_spares(mem *m, size_t size)
{
	block_head *b = spare_take(&m->spares, size);

	if (!b) {
		collect(m);
		b = spare_take(&m->spares, size);
	}
	if (!b) return NULL;
	count_use(m, b->size + SLACK);
	ASAN_UNPOISON_MEMORY_REGION(b + 1, b->size);
	return b + 1;
}

void *mem_alloc_quiet(base *b, size_t size)
{
	mem *m = &b->mem;

	if (!OWN_TURN(b) || injected(m) || size > PTRDIFF_MAX - 2 * SLACK) return NULL;
	void *block = from_spares(m, size);
	if (block) return block;
	if (m->keeps) size = spare_size(size);
	char *raw = ask(m, NULL, 0, size + SLACK);
	return raw ? with_head(block_in(raw), raw, size) : NULL;
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

/* The hook may return an address with another remainder modulo ALIGN; then the contents must be
 * moved to the new aligned place. */
static void *resize(mem *m, char *old, size_t had, size_t size)
{
	const size_t offset = head_of(old)->offset;
	char *raw = ask(m, old - offset, had + SLACK, size + SLACK);

	if (!raw) return NULL;
	char *block = block_in(raw);
	if (block != raw + offset) memmove(block, raw + offset, had < size ? had : size);
	return with_head(block, raw, size);
}

/* Growing also looks for a kept block before it asks the hook. Take a text that grows from 64 bytes
 * to 8 KiB and is freed, again and again: with the hook alone each round would leave one more kept
 * block of 8 KiB, which the requests for 64 bytes cannot use. */
void *mem_grow(base *b, void *old, size_t size)
{
	mem *m = &b->mem;

	if (!old) return mem_alloc(b, size);
	if (!OWN_TURN(b) || injected(m) || size > PTRDIFF_MAX - 2 * SLACK) return refused(b, size);
	const size_t had = head_of(old)->size, whole = m->keeps ? spare_size(size) : size;
	if (whole == had) return old;
	void *block = from_spares(m, size);
	if (block) {
		memcpy(block, old, had < size ? had : size);
		mem_free(b, old);
		return block;
	}
	block = resize(m, old, had, whole);
	return block ? block : refused(b, size);
}

void mem_free(base *b, void *block)
{
	if (!block) return;
	block_head *head = head_of(block);
	ASAN_POISON_MEMORY_REGION(block, head->size);
	spare_return(&b->mem.spares, head);
}

size_t mem_bytes(const void *block)
{
	return block ? ((const block_head *)block - 1)->size + SLACK : 0;
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
