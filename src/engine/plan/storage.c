/* storage.c - memory of one program while it is planned: the least hole that is large enough, and
 * of equal ones the first.
 *
 * Example, with a letter for each 64 bytes that are taken, and a dot where they were given back:
 *
 *     take  64 at   0    a
 *     take 128 at  64    abb
 *     take  64 at 192    abbc
 *     take  64 at 256    abbcd
 *     give 128 at  64    a..cd
 *     give  64 at 256    a..c.
 *     take  64 at 256    a..ce
 *     take 192 at 320    a..cefff
 *     give  64 at 192    a...efff
 *     take 192 at  64    agggefff
 *
 * The hole at 256 is taken although the other one comes first, since it is smaller. No hole has 192
 * bytes then, so the end moves. The block at 192 is given back, and with its neighbour becomes one
 * hole that has as many.
 *
 * Each hole is in two trees: by size, where one is looked for, and by offset, where its neighbours
 * are. They are treaps: no hole has a higher rank than the one above it, and ranks are like drawn,
 * so that n holes have a depth of about log n. */
#include "engine/plan/plan.h"

typedef enum order { BY_SIZE, BY_OFFSET } order;
struct hole { /* number 0 is none */
	int64_t offset, bytes;
	uint64_t rank;
	int32_t child[2][2]; /* by order: before it, behind it */
};
enum { ALIGNED = 64 };

static int64_t rounded(int64_t bytes)
{
	return bytes > 0 ? (bytes + ALIGNED - 1) / ALIGNED * ALIGNED : ALIGNED;
}

/* ---- trees */

static bool stands_before(order o, const struct hole *a, const struct hole *b)
{
	return o == BY_SIZE && a->bytes != b->bytes ? a->bytes < b->bytes : a->offset < b->offset;
}

/* the last hole before one that may be none of them, and the first that is not: 0: there is none */
static void find_around(const storage *s, order o, const struct hole *h, int32_t around[2])
{
	around[0] = around[1] = 0;
	for (int32_t at = s->top[o]; at;) {
		const bool before = stands_before(o, &s->hole[at], h);
		around[!before] = at;
		at = s->hole[at].child[o][before];
	}
}

/* splits a tree into the holes before one and those behind it */
static void split(const storage *s, order o, int32_t at, const struct hole *by, int32_t *first,
                  int32_t *second)
{
	while (at) {
		const bool before = stands_before(o, &s->hole[at], by);
		int32_t **to = before ? &first : &second;
		**to = at;
		*to = &s->hole[at].child[o][before];
		at = **to;
	}
	*first = *second = 0;
}

static void tree_add(storage *s, order o, int32_t i)
{
	struct hole *h = &s->hole[i];
	int32_t *at = &s->top[o];

	while (*at && s->hole[*at].rank > h->rank)
		at = &s->hole[*at].child[o][stands_before(o, &s->hole[*at], h)];
	const int32_t below = *at;
	*at = i;
	split(s, o, below, h, &h->child[o][0], &h->child[o][1]);
}

static void tree_remove(storage *s, order o, int32_t i)
{
	const struct hole *h = &s->hole[i];
	int32_t *at = &s->top[o], first = h->child[o][0], second = h->child[o][1];

	while (*at != i) at = &s->hole[*at].child[o][stands_before(o, &s->hole[*at], h)];
	while (first && second) {
		const bool higher = s->hole[first].rank > s->hole[second].rank;
		int32_t *top = higher ? &first : &second;
		*at = *top;
		at = &s->hole[*top].child[o][higher];
		*top = *at;
	}
	*at = first ? first : second;
}

/* ---- holes */

static bool hole_add(storage *s, int64_t offset, int64_t bytes)
{
	int32_t i = s->spare;

	if (i)
		s->spare = s->hole[i].child[0][0];
	else if (mem_room(s->base, (void **)&s->hole, s->nholes + 1, &s->cap, sizeof *s->hole))
		i = (int32_t)++s->nholes;
	else
		return false;
	s->hole[i] = (struct hole){offset, bytes, hash_u64((uint64_t)i, 0), {{0}}};
	tree_add(s, BY_SIZE, i);
	tree_add(s, BY_OFFSET, i);
	return true;
}

static struct hole hole_remove(storage *s, int32_t i)
{
	tree_remove(s, BY_SIZE, i);
	tree_remove(s, BY_OFFSET, i);
	s->hole[i].child[0][0] = s->spare;
	s->spare = i;
	return s->hole[i];
}

int64_t storage_take(storage *s, int64_t bytes)
{
	int32_t around[2];

	if (bytes > INT64_MAX / 4 || s->end > INT64_MAX / 4) {
		fail(s->base, NULL, TSR_ERROR_MEMORY, "a program needs more than 2^61 bytes");
		return -1;
	}
	bytes = rounded(bytes);
	find_around(s, BY_SIZE, &(struct hole){.bytes = bytes}, around);
	if (!around[1]) {
		const int64_t offset = s->end;
		s->end += bytes;
		return offset;
	}
	const struct hole h = hole_remove(s, around[1]);
	if (h.bytes > bytes && !hole_add(s, h.offset + bytes, h.bytes - bytes)) return -1;
	return h.offset;
}

bool storage_give(storage *s, int64_t offset, int64_t bytes)
{
	struct hole all = {.offset = offset, .bytes = rounded(bytes)};
	int32_t around[2];

	find_around(s, BY_OFFSET, &all, around);
	if (around[1] && s->hole[around[1]].offset == offset + all.bytes)
		all.bytes += hole_remove(s, around[1]).bytes;
	if (around[0] && s->hole[around[0]].offset + s->hole[around[0]].bytes == offset) {
		const struct hole h = hole_remove(s, around[0]);
		all.offset = h.offset;
		all.bytes += h.bytes;
	}
	return hole_add(s, all.offset, all.bytes);
}

void storage_free(storage *s) { mem_free(s->base, s->hole); }
