/* spares.c - blocks that were freed, kept for the next request of their size.
 *
 * A size up to SMALL is rounded up to one of 56 sizes, by at most an eighth: 1200 bytes are 19
 * units of 64 bytes, and become 20. Each of these has a list of its own, so any block of that list
 * fits. Larger sizes are rounded up to pages and listed by powers of two; the smallest block that
 * fits is taken, if it is at most an eighth too large.
 *
 * A freed block goes onto one stack that all threads share. The thread that the context belongs to
 * now and then takes the whole stack, and moves its blocks to the lists, which only this thread
 * uses. Since nobody takes single blocks off the stack, a compare-and-exchange of its first block
 * suffices. */
#include "base/base.h"

#define UNIT ((size_t)64)
#define PAGE ((size_t)4096)
#define SMALL ((size_t)32768)

enum { SMALL_LISTS = 56 };

static int log2_of(size_t x) { return 63 - __builtin_clzll(x); }

/* rounds a number of units of 64 bytes up to a size that has a list of its own: to four bits from
 * the highest one. 19, 10011 in base two, becomes 10100; 8 and less stay */
static size_t round_small(size_t units, int *list)
{
	if (units <= 8) {
		*list = (int)units - 1;
		return units;
	}
	const int shift = log2_of(units - 1) - 3;
	const size_t eighth = (units - 1) >> shift; /* 8 .. 15 */
	*list = 8 * shift + (int)eighth;
	return (eighth + 1) << shift;
}

static size_t round_up(size_t size, int *list)
{
	if (size <= SMALL) return UNIT * round_small(size ? (size + UNIT - 1) / UNIT : 1, list);
	size = (size + PAGE - 1) & ~(PAGE - 1);
	*list = SMALL_LISTS + log2_of(size - 1) - log2_of(SMALL);
	return size;
}

size_t spare_size(size_t size)
{
	int list;

	return round_up(size, &list);
}

void spare_return(spares *s, block_head *b)
{
	b->next = atomic_load_explicit(&s->returned, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(&s->returned, &b->next, b,
	                                              memory_order_release, memory_order_relaxed))
		continue;
}

block_head *spares_returned(spares *s)
{
	if (!atomic_load_explicit(&s->returned, memory_order_relaxed)) return NULL;
	return atomic_exchange_explicit(&s->returned, NULL, memory_order_acquire);
}

void spare_keep(spares *s, block_head *b)
{
	int list;

	round_up(b->size, &list);
	b->next = s->list[list];
	s->list[list] = b;
}

static block_head *unlink_block(block_head **at)
{
	block_head *b = *at;

	if (b) *at = b->next;
	return b;
}

/* unlinks the smallest block that is large enough and not much too large */
static block_head *take_fitting(block_head **list, size_t size)
{
	block_head **best = NULL;

	for (block_head **at = list; *at; at = &(*at)->next) {
		const size_t has = (*at)->size;
		if (has < size || has - size > size / 8 || (best && has >= (*best)->size)) continue;
		best = at;
		if (has == size) break;
	}
	return best ? unlink_block(best) : NULL;
}

block_head *spare_take(spares *s, size_t size)
{
	int list;

	size = round_up(size, &list);
	return list < SMALL_LISTS ? unlink_block(&s->list[list])
	                          : take_fitting(&s->list[list], size);
}

block_head *spare_take_any(spares *s)
{
	for (size_t i = 0; i < ARRAY_LEN(s->list); i++) {
		block_head *b = unlink_block(&s->list[i]);
		if (b) return b;
	}
	return NULL;
}
