/* instances.c - finds the devices of a crew that share a value. */
#include "pass/replicate.h"

typedef struct joined {
	const instances *a, *b, *of;
} joined;

static void free_tables(void *of)
{
	crew *t = of;

	table_free(&t->known, NULL);
	table_free(&t->joins, NULL);
	table_free(&t->parts, NULL);
	table_free(&t->settled, NULL);
}

crew *crew_make(arena *a, int n, const int *device)
{
	const table none = {.base = arena_base(a)};
	crew *t = arena_alloc(a, sizeof *t);
	uint64_t *key = arena_array(a, (size_t)n, sizeof *key);

	if (!t || !key) return NULL;
	*t = (crew){a, n, device, NULL, NULL, none, none, none, none};
	if (!arena_defer(a, free_tables, t)) return NULL;
	t->one = instances_by(t, key);
	for (int k = 0; k < n; k++) key[k] = (uint64_t)k;
	t->each = instances_by(t, key);
	return t->one && t->each ? t : NULL;
}

/* ---- parts of a crew */

typedef struct parts {
	const instances *of;
	crew **crew;
} parts;

static bool same_parts(const void *entry, const void *of)
{
	return ((const parts *)entry)->of == of;
}

static crew **parts_make(crew *t, const instances *of)
{
	crew **part = arena_array(t->arena, (size_t)of->n, sizeof *part);
	int *device = arena_array(t->arena, (size_t)t->n, sizeof *device);
	int *end = arena_array(t->arena, (size_t)of->n + 1, sizeof *end); /* of the part before */

	if (!part || !device || !end) return NULL;
	for (int k = 0; k < t->n; k++) end[of->of[k] + 1]++;
	for (int i = 0; i < of->n; i++) end[i + 1] += end[i];
	for (int k = 0; k < t->n; k++) device[end[of->of[k]]++] = t->device[k];
	for (int i = 0, start = 0; i < of->n; start = end[i++])
		if (!(part[i] = crew_make(t->arena, end[i] - start, device + start))) return NULL;
	return part;
}

crew *const *crew_parts(crew *t, const instances *of)
{
	const uint64_t hash = hash_u64((uint64_t)(uintptr_t)of, 0);
	parts *known = table_find(&t->parts, hash, same_parts, of);

	if (known) return known->crew;
	if (!(known = arena_alloc(t->arena, sizeof *known))) return NULL;
	*known = (parts){of, parts_make(t, of)};
	return known->crew && table_add(&t->parts, hash, known) ? known->crew : NULL;
}

int crew_find(const crew *t, int64_t position)
{
	int low = 0, high = t->n;

	while (low < high) {
		const int middle = low + (high - low) / 2;
		if (t->device[middle] < position)
			low = middle + 1;
		else
			high = middle;
	}
	return low < t->n && t->device[low] == position ? low : -1;
}

/* ---- equal ones are one pointer */

typedef struct wanted_instances {
	const crew *crew;
	const int *of;
} wanted_instances;

static bool same_instances(const void *entry, const void *key)
{
	const instances *known = entry;
	const wanted_instances *want = key;

	return memcmp(known->of, want->of, (size_t)want->crew->n * sizeof *want->of) == 0;
}

static const instances *intern(crew *t, int n, const int *of, const int *first)
{
	const size_t bytes = (size_t)t->n * sizeof *of;
	const uint64_t hash = hash_bytes(of, bytes, 0);
	instances *known = table_find(&t->known, hash, same_instances, &(wanted_instances){t, of});

	if (known) return known;
	if (!(known = arena_alloc(t->arena, sizeof *known))) return NULL;
	*known = (instances){n, arena_copy(t->arena, of, bytes),
	                     arena_copy(t->arena, first, (size_t)n * sizeof *first)};
	return known->of && known->first && table_add(&t->known, hash, known) ? known : NULL;
}

/* the place of device k's key. slot: a power of two of places, each 0 or 1 + a first device */
static int *slot_of(int *slot, size_t places, const uint64_t *key, const int *first, int k)
{
	size_t i = hash_u64(key[k], 0) & (places - 1);

	while (slot[i] && key[first[slot[i] - 1]] != key[k]) i = (i + 1) & (places - 1);
	return &slot[i];
}

const instances *instances_by(crew *t, const uint64_t *key)
{
	size_t places = 2;

	while (places < 2 * (size_t)t->n) places *= 2;
	base *bs = arena_base(t->arena);
	int *of = mem_array(bs, 2 * (size_t)t->n + places, sizeof *of), n = 0;
	if (!of) return NULL;
	int *first = of + t->n, *slot = first + t->n;
	for (int k = 0; k < t->n; k++) {
		int *at = slot_of(slot, places, key, first, k);
		if (!*at) {
			first[n++] = k;
			*at = n;
		}
		of[k] = *at - 1;
	}
	const instances *made = intern(t, n, of, first);
	mem_free(bs, of);
	return made;
}

/* ---- of two values together */

static bool same_join(const void *entry, const void *key)
{
	const joined *known = entry, *want = key;

	return known->a == want->a && known->b == want->b;
}

static const instances *join_anew(crew *t, const instances *a, const instances *b)
{
	uint64_t *key = mem_array(arena_base(t->arena), (size_t)t->n, sizeof *key);

	for (int k = 0; key && k < t->n; k++)
		key[k] = (uint64_t)a->of[k] << 32 | (uint64_t)b->of[k];
	const instances *made = key ? instances_by(t, key) : NULL;
	mem_free(arena_base(t->arena), key);
	return made;
}

const instances *instances_join(crew *t, const instances *a, const instances *b)
{
	if (a == b || b->n == 1 || a->n == t->n) return a;
	if (a->n == 1 || b->n == t->n) return b;
	const uint64_t hash = hash_u64((uint64_t)(uintptr_t)a, hash_u64((uint64_t)(uintptr_t)b, 0));
	const joined *known = table_find(&t->joins, hash, same_join, &(joined){a, b, NULL});
	if (known) return known->of;
	joined *made = arena_alloc(t->arena, sizeof *made);
	if (!made) return NULL;
	*made = (joined){a, b, join_anew(t, a, b)};
	return made->of && table_add(&t->joins, hash, made) ? made->of : NULL;
}

const instances *instances_within(crew *part, const crew *t, const instances *of)
{
	if (part == t) return of;
	if (of == t->one || of == t->each) return of == t->one ? part->one : part->each;
	uint64_t *key = mem_array(arena_base(t->arena), (size_t)part->n, sizeof *key);
	for (int k = 0; key && k < part->n; k++)
		key[k] = (uint64_t)of->of[crew_find(t, part->device[k])];
	const instances *made = key ? instances_by(part, key) : NULL;
	mem_free(arena_base(t->arena), key);
	return made;
}
