/* arena.c - gives memory that is freed all at once.
 *
 * An arena is a list of chunks. Each chunk is twice as large as the one before, up to CHUNK_MOST.
 * A request that is too large for that gets a chunk of its own, which is linked behind the one in
 * use. The arena record is in the first chunk, the records of deferred calls in any. */
#include "base/base.h"

#define CHUNK_FIRST ((size_t)2048)
#define CHUNK_MOST ((size_t)1 << 18)
#define UNIT ((size_t)16)

typedef struct chunk {
	struct chunk *next;
	size_t size, used;          /* bytes, this header included: multiples of UNIT */
	size_t lent;                /* not 0: the caller's memory */
} chunk;

typedef struct deferred {
	struct deferred *next;
	void (*call)(void *);
	void *argument;
} deferred;

struct arena {
	base *base;
	chunk *chunks;              /* the first is the one in use */
	deferred *deferred;         /* last first */
};

static chunk *chunk_make(base *b, size_t size)
{
	chunk *c = mem_alloc(b, size);

	if (c) *c = (chunk){.size = size, .used = sizeof *c};
	return c;
}

static size_t whole_units(size_t size) { return (size + UNIT - 1) & ~(UNIT - 1); }

/* `size` is a multiple of UNIT and there is room */
static void *chunk_take(chunk *c, size_t size)
{
	void *at = (char *)c + c->used;

	c->used += size;
	return memset(at, 0, size);
}

static arena *arena_begin(base *b, chunk *c)
{
	arena *a = chunk_take(c, whole_units(sizeof *a));
	a->base = b;
	a->chunks = c;
	return a;
}

arena *arena_make(base *b)
{
	chunk *c = chunk_make(b, CHUNK_FIRST);

	return c ? arena_begin(b, c) : NULL;
}

arena *arena_in(base *b, void *room, size_t size)
{
	chunk *c = room;

	*c = (chunk){.size = size & ~(UNIT - 1), .used = sizeof *c, .lent = true};
	return arena_begin(b, c);
}

void arena_free(arena *a)
{
	if (!a) return;
	while (a->deferred) {
		const deferred *d = a->deferred;
		a->deferred = d->next;
		d->call(d->argument);
	}
	base *b = a->base;
	for (chunk *c = a->chunks, *next; c; c = next) {
		next = c->next;
		if (!c->lent) mem_free(b, c);
	}
}

static void *alloc_apart(arena *a, size_t size)
{
	chunk *c = chunk_make(a->base, sizeof *c + size);

	if (!c) return NULL;
	c->next = a->chunks->next;
	a->chunks->next = c;
	return chunk_take(c, size);
}

static void *alloc_in_next(arena *a, size_t size)
{
	const size_t last = a->chunks->size;
	chunk *c = chunk_make(a->base, last < CHUNK_MOST ? 2 * last : CHUNK_MOST);

	if (!c) return NULL;
	c->next = a->chunks;
	a->chunks = c;
	return chunk_take(c, size);
}

/* no bytes, or more than the chunk in use has */
static void *alloc_elsewhere(arena *a, size_t size)
{
	if (size > PTRDIFF_MAX - sizeof(chunk) - UNIT) {
		fail(a->base, NULL, TSR_ERROR_MEMORY, "out of memory: %zu bytes wanted at once",
		     size);
		return NULL;
	}
	size = size ? whole_units(size) : UNIT;
	if (size <= a->chunks->size - a->chunks->used) return chunk_take(a->chunks, size);
	return size > a->chunks->size / 2 ? alloc_apart(a, size) : alloc_in_next(a, size);
}

void *arena_alloc(arena *a, size_t size)
{
	chunk *c = a->chunks;

	if (size && size <= c->size - c->used) return chunk_take(c, whole_units(size));
	return alloc_elsewhere(a, size);
}

void *arena_array(arena *a, size_t n, size_t size)
{
	size_t bytes;

	return arena_alloc(a, __builtin_mul_overflow(n, size, &bytes) ? SIZE_MAX : bytes);
}

void *arena_copy(arena *a, const void *from, size_t size)
{
	void *to = arena_alloc(a, size);

	if (to && size) memcpy(to, from, size);
	return to;
}

char *arena_str(arena *a, const char *s) { return arena_copy(a, s, strlen(s) + 1); }

bool arena_defer(arena *a, void (*call)(void *), void *argument)
{
	deferred *d = arena_alloc(a, sizeof *d);

	if (!d) return false;
	*d = (deferred){a->deferred, call, argument};
	a->deferred = d;
	return true;
}

base *arena_base(const arena *a) { return a->base; }

size_t arena_bytes(const arena *a)
{
	size_t bytes = 0;

	for (const chunk *c = a ? a->chunks : NULL; c; c = c->next)
		if (!c->lent) bytes += mem_bytes(c);
	return bytes;
}
