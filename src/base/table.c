/* table.c - keeps pointers in a hash table by 64-bit hash: open addressing with linear probing, a
 * power of two of slots, at most three quarters full. */
#include "base/base.h"

struct table_slot { uint64_t hash; void *entry; };           /* entry NULL: empty */

/* the first slot from the hash's place on that is empty or has this hash and, with `same`, this
 * key */
static struct table_slot *slot_for(const table *t, uint64_t hash,
                                   bool (*same)(const void *entry, const void *key),
                                   const void *key)
{
	for (size_t i = (size_t)hash & (t->cap - 1); ; i = (i + 1) & (t->cap - 1)) {
		struct table_slot *s = &t->slot[i];
		if (!s->entry || (same && s->hash == hash && same(s->entry, key))) return s;
	}
}

void *table_find(const table *t, uint64_t hash, bool (*same)(const void *entry, const void *key),
                 const void *key)
{
	return t->cap ? slot_for(t, hash, same, key)->entry : NULL;
}

static bool grow(table *t)
{
	const size_t cap = t->cap ? 2 * t->cap : 16;
	table larger = {t->base, mem_array(t->base, cap, sizeof *t->slot), 0, cap};

	if (!larger.slot) return false;
	larger.count = t->count; /* memory that was reclaimed may have been that of entries */
	for (size_t i = 0; i < t->cap; i++)
		if (t->slot[i].entry) *slot_for(&larger, t->slot[i].hash, NULL, NULL) = t->slot[i];
	mem_free(t->base, t->slot);
	*t = larger;
	return true;
}

bool table_add(table *t, uint64_t hash, void *entry)
{
	if (4 * (t->count + 1) > 3 * t->cap && !grow(t)) return false;
	*slot_for(t, hash, NULL, NULL) = (struct table_slot){hash, entry};
	t->count++;
	return true;
}

/* Empties the entry's slot. An entry further on that was put behind it for want of room is moved
 * into the gap, which thereby moves on, until nothing needs it: in  [a1 a2 b3 -]  of places 1 1 3,
 * removing the first leaves  [a2 - b3 -]. */
void table_remove(table *t, uint64_t hash, const void *entry)
{
	const size_t mask = t->cap - 1;
	size_t gap = (size_t)hash & mask;

	while (t->slot[gap].entry != entry) gap = (gap + 1) & mask;
	for (size_t i = (gap + 1) & mask; t->slot[i].entry; i = (i + 1) & mask) {
		const size_t home = (size_t)t->slot[i].hash & mask;
		if (((i - home) & mask) < ((i - gap) & mask)) continue;
		t->slot[gap] = t->slot[i];
		gap = i;
	}
	t->slot[gap].entry = NULL;
	t->count--;
}

void *table_at(const table *t, size_t place) { return t->slot[place].entry; }

void table_free(table *t, void (*each)(base *, void *entry))
{
	for (size_t i = 0; each && i < t->cap; i++)
		if (t->slot[i].entry) each(t->base, t->slot[i].entry);
	mem_free(t->base, t->slot);
	t->slot = NULL;
	t->count = t->cap = 0;
}
