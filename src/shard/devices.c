/* devices.c - interns lists of devices, so that all meshes and shardings over one list share it.
 *
 * Meshes over one list share it, so two meshes have the same devices in the same order if their
 * lists are one pointer, and the same devices in any order if these lists have one `set`. So who
 * compares meshes, or looks a device up, need not go through all devices. Of the lists [0 1 2 3],
 * which is that of most meshes, and [2 0 3 1]:
 *
 *     list        ordered   by_id        set
 *     [0 1 2 3]   yes       -            [0 1 2 3]
 *     [2 0 3 1]   no        [1 3 0 2]    [0 1 2 3]     device 0 is at place 1, device 1 at 3, .. */
#include <stdlib.h>
#include "shard/shard.h"

/* ---- looking devices up */

int64_t device_list_place(const device_list *l, int64_t id)
{
	int64_t low = 0, high = l->n;

	if (!l->by_id) return id >= 0 && id < l->n ? id : -1;
	while (low < high) {
		const int64_t mid = low + (high - low) / 2;
		if (l->id[l->by_id[mid]] < id) low = mid + 1;
		else high = mid;
	}
	return low < l->n && l->id[l->by_id[low]] == id ? l->by_id[low] : -1;
}

/* the i-th lowest id */
static int64_t rising(const device_list *l, int64_t i) { return l->by_id ? l->id[l->by_id[i]] : i; }

/* ---- making one */

typedef struct list_key {
	int64_t n;
	const int64_t *id; /* NULL: it is ordered */
} list_key;

static bool same_list(const void *entry, const void *wanted)
{
	const device_list *l = entry;
	const list_key *key = wanted;

	if (l->n != key->n || l->ordered != !key->id) return false;
	return l->ordered || memcmp(l->id, key->id, (size_t)key->n * sizeof *key->id) == 0;
}

static bool same_set(const void *entry, const void *wanted)
{
	const device_list *a = entry, *b = wanted;
	bool same = a->n == b->n;

	for (int64_t i = 0; same && i < a->n; i++) same = rising(a, i) == rising(b, i);
	return same;
}

static int compare_ids(const void *a, const void *b)
{
	const int64_t x = ((const int64_t *)a)[0], y = ((const int64_t *)b)[0];

	return (x > y) - (x < y);
}

static bool sort_places(shards *all, device_list *l)
{
	int64_t *place = arena_array(all->arena, (size_t)l->n, sizeof *place);
	int64_t(*pair)[2] = mem_array(all->base, (size_t)l->n, sizeof *pair); /* {id, place} */

	for (int64_t k = 0; pair && k < l->n; k++) pair[k][0] = l->id[k], pair[k][1] = k;
	if (pair) qsort(pair, (size_t)l->n, sizeof *pair, compare_ids);
	for (int64_t k = 0; place && pair && k < l->n; k++) place[k] = pair[k][1];
	const bool ok = place && pair;
	l->by_id = place;
	mem_free(all->base, pair);
	return ok;
}

/* the places of the devices of a process, n of them */
static const int64_t *places_of(const shards *all, const device_list *l, int process, int64_t *n)
{
	for (int64_t k = *n = 0; k < l->n; k++)
		*n += shards_device(all, l->id[k])->process == process;
	int64_t *place = arena_array(all->arena, (size_t)*n + 1, sizeof *place), at = 0;
	for (int64_t k = 0; place && k < l->n; k++)
		if (shards_device(all, l->id[k])->process == process) place[at++] = k;
	return place;
}

static bool find_places(const shards *all, device_list *l)
{
	const int process = shards_device(all, rising(l, 0))->process;

	for (int64_t k = 0; k < l->n; k++)
		l->nhere += shards_device(all, l->id[k])->process == all->process;
	return l->nhere == l->n || ((l->here = places_of(all, l, all->process, &l->nhere)) &&
	                            (l->printer = places_of(all, l, process, &l->nprinter)));
}

static bool find_set(shards *all, device_list *l)
{
	uint64_t hash = (uint64_t)l->n;

	for (int64_t i = 0; i < l->n; i++) hash = hash_u64((uint64_t)rising(l, i), hash);
	const device_list *set = table_find(&all->sets, hash, same_set, l);
	l->set = set ? set : l;
	return set || table_add(&all->sets, hash, l);
}

static device_list *list_make(shards *all, const list_key *key)
{
	device_list *l = arena_alloc(all->arena, sizeof *l);
	int64_t *id = arena_array(all->arena, (size_t)key->n, sizeof *id);

	if (!l || !id) return NULL;
	for (int64_t k = 0; k < key->n; k++) id[k] = key->id ? key->id[k] : k;
	*l = (device_list){.n = key->n, .id = id, .ordered = !key->id};
	if ((!l->ordered && !sort_places(all, l)) || !find_set(all, l)) return NULL;
	return find_places(all, l) ? l : NULL;
}

static bool is_ordered(const int64_t *id, int64_t n)
{
	bool ordered = true;

	for (int64_t k = 0; ordered && k < n; k++) ordered = id[k] == k;
	return ordered;
}

static list_key key_of(const int64_t *ids, int64_t n)
{
	return (list_key){n, ids && is_ordered(ids, n) ? NULL : ids};
}

static uint64_t key_hash(const list_key *key)
{
	const uint64_t seed = hash_u64((uint64_t)key->n, !key->id);

	return key->id ? hash_bytes(key->id, (size_t)key->n * sizeof *key->id, seed) : seed;
}

const device_list *device_list_find(const shards *all, const int64_t *ids, int64_t n)
{
	const list_key key = key_of(ids, n);

	return table_find(&all->lists, key_hash(&key), same_list, &key);
}

const device_list *device_list_make(shards *all, const int64_t *ids, int64_t n)
{
	const list_key key = key_of(ids, n);
	const uint64_t hash = key_hash(&key);
	device_list *l = list_make(all, &key);

	if (!l || !table_add(&all->lists, hash, l)) return NULL;
	l->hash = hash;
	return l;
}

/* ---- how far apart */

static axis_level level_between(const shards *all, int64_t a, int64_t b)
{
	const int p = shards_device(all, a)->process, q = shards_device(all, b)->process;

	return processes_level(all->node, p, q);
}

bool axis_levels(shards *all, const device_list *l, const tsr_axis *axis, int naxes,
                 const axis_level **out)
{
	axis_level *level = arena_array(all->arena, (size_t)naxes, sizeof *level);
	int64_t stride = 1;

	*out = level;
	for (int a = naxes - 1; level && a >= 0; stride *= axis[a--].size)
		for (int64_t k = 0; l->here && k < l->n && level[a] < LEVEL_NETWORK; k++) {
			if (k / stride % axis[a].size == axis[a].size - 1) continue;
			const axis_level of = level_between(all, l->id[k], l->id[k + stride]);
			if (of > level[a]) level[a] = of;
		}
	return level;
}
