/* mesh.c - makes meshes: named axes over a grid of devices, checked once and interned.
 *
 * Example, of meshes of the devices 0, 1, ..., each but the first compared with the first:
 *
 *     x:2 y:3
 *     x:2 y:3
 *     a:2 b:3
 *     x:3 y:2
 *
 * All that ask for a mesh get one address, so that equal meshes are compared by it. The hash counts
 * no names, for devices hold the same parts under any:
 *
 *     Mesh('x': 2, 'y': 3): the same
 *     Mesh('a': 2, 'b': 3): the same but for names
 *     Mesh('x': 3, 'y': 2): another one of the same devices */
#include <stdio.h>
#include "shard/shard.h"

/* A mesh as asked for, before it exists. */
typedef struct mesh_key {
	shards *all;
	const char *where, *text; /* text: its axes, for messages */
	const tsr_axis *axis;
	int naxes;
	const int64_t *ids; /* NULL: the context's devices in their order */
	size_t count;       /* of ids */
	const device_list *list; /* of them; NULL: there is none yet, or the mesh is open */
	bool open;          /* it has no devices */
	bool positional;
	const mesh *line;
	int64_t size;       /* product of the axis sizes */
	uint64_t hash;
} mesh_key;

bool shards_init(shards *all, base *b, tsr_ctx *ctx, const device *devices, int64_t ndevices)
{
	*all = (shards){.base = b, .ctx = ctx, .devices = devices, .ndevices = ndevices};
	all->meshes.base = all->shardings.base = all->lists.base = all->sets.base = b;
	all->arena = arena_make(b);
	return all->arena != NULL;
}

void shards_fini(shards *all)
{
	table_free(&all->meshes, NULL);
	table_free(&all->lists, NULL);
	table_free(&all->sets, NULL);
	table_free(&all->shardings, NULL);
	arena_free(all->arena);
	all->arena = NULL;
}

const device *shards_device(const shards *all, int64_t id)
{
	return id >= 0 && id < all->ndevices ? &all->devices[id] : NULL;
}

static uint64_t key_hash(const mesh_key *key)
{
	uint64_t hash = hash_u64((uint64_t)key->naxes, key->list ? key->list->hash : key->open);

	for (int a = 0; a < key->naxes; a++)
		hash = hash_u64((uint64_t)key->axis[a].size, hash);
	return hash;
}

static bool key_fits(const void *entry, const void *wanted)
{
	const mesh *m = entry;
	const mesh_key *key = wanted;
	if (m->hash != key->hash || m->naxes != key->naxes || m->list != key->list ||
	    m->positional != key->positional || m->line != key->line)
		return false;
	for (int a = 0; a < m->naxes; a++) {
		if (m->axis[a].size != key->axis[a].size ||
		    strcmp(m->axis[a].name, key->axis[a].name) != 0)
			return false;
	}
	return true;
}

static void axis_list_text(str *out, const tsr_axis *axis, size_t naxes)
{
	for (size_t a = 0; a < naxes; a++)
		str_printf(out, "%s'%s': %lld", a > 0 ? ", " : "", axis[a].name ? axis[a].name : "",
		           (long long)axis[a].size);
}

static void axes_text(str *out, const tsr_axis *axis, size_t naxes)
{
	str_put(out, "Mesh(");
	axis_list_text(out, axis, naxes);
	str_put(out, ")");
}

bool name_fits(const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		const char c = name[i];
		const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
		if (!letter && !(c >= '0' && c <= '9') && c != '_' && c != '.')
			return false;
	}
	return len;
}

static bool check_axis(const mesh_key *key, int a)
{
	base *b = key->all->base;
	const char *name = key->axis[a].name;
	if (!name || !*name)
		return fail(b, key->where, TSR_ERROR_SHARDING,
		            "%s: axis %d has no name; give each axis a name of its own", key->text,
		            a);
	if (!name_fits(name, strlen(name)))
		return fail(b, key->where, TSR_ERROR_SHARDING,
		            "%s: '%s' cannot name an axis; use letters, digits, '_' and '.'",
		            key->text, name);
	for (int before = 0; before < a; before++) {
		if (strcmp(key->axis[before].name, name) == 0)
			return fail(b, key->where, TSR_ERROR_SHARDING,
			            "%s: axes %d and %d are both named '%s'; rename one of them",
			            key->text, before, a, name);
	}
	if (key->axis[a].size < 1)
		return fail(b, key->where, TSR_ERROR_SHARDING,
		            "%s: axis '%s' has size %lld; sizes start at 1", key->text, name,
		            (long long)key->axis[a].size);
	return true;
}

static bool check_size(const mesh_key *key)
{
	const shards *all = key->all;
	const long long size = key->size, ndevices = all->ndevices;
	if (key->open) return true;
	if ((key->ids || key->count > 0) && (uint64_t)key->size != key->count)
		return fail(all->base, key->where, TSR_ERROR_SHARDING,
		            "%s: the number of devices, %zu, must equal the product of the axis "
		            "sizes, %lld; change the sizes or the list of devices",
		            key->text, key->count, size);
	if (size > ndevices)
		return fail(all->base, key->where, TSR_ERROR_SHARDING,
		            "%s: the product of the axis sizes is %lld, but the context has %lld "
		            "devices; use smaller sizes or open it with more devices",
		            key->text, size, ndevices);
	return true;
}

/* Names, sizes and their product; sets key->size. */
static bool check_axes(mesh_key *key)
{
	key->size = 1;
	for (int a = 0; a < key->naxes; a++) {
		if (!check_axis(key, a))
			return false;
		if (!mul_ok(key->size, key->axis[a].size, &key->size))
			return fail(key->all->base, key->where, TSR_ERROR_SHARDING,
			            "%s: the product of the sizes overflows; use smaller sizes",
			            key->text);
	}
	return check_size(key);
}

/* Each id is a device of the context, and none comes twice. place: room, by id: 1 + where it is in
 * the list so far */
static bool check_ids(const mesh_key *key, int64_t *place)
{
	base *b = key->all->base;
	for (int64_t k = 0; k < key->size; k++) {
		const int64_t id = key->ids[k];
		if (!shards_device(key->all, id))
			return fail(b, key->where, TSR_ERROR_SHARDING,
			            "%s: there is no device %lld (place %lld of the list); name "
			            "devices of the context, which has %lld",
			            key->text, (long long)id, (long long)k,
			            (long long)key->all->ndevices);
		if (place[id])
			return fail(b, key->where, TSR_ERROR_SHARDING,
			            "%s: device %lld is listed twice, at places %lld and %lld; "
			            "list each device once",
			            key->text, (long long)id, (long long)place[id] - 1,
			            (long long)k);
		place[id] = 1 + k;
	}
	return true;
}

static bool check_devices(const mesh_key *key)
{
	base *b = key->all->base;
	int64_t *place = mem_zalloc(b, (size_t)key->all->ndevices * sizeof *place);
	const bool ok = place && check_ids(key, place);

	mem_free(b, place);
	return ok;
}

static mesh *mesh_build(const mesh_key *key)
{
	arena *to = key->all->arena;
	mesh *m = arena_alloc(to, sizeof *m);
	tsr_axis *axis = arena_array(to, (size_t)key->naxes, sizeof *axis);
	if (!m || !axis)
		return NULL;
	for (int a = 0; a < key->naxes; a++) {
		axis[a] = (tsr_axis){arena_str(to, key->axis[a].name), key->axis[a].size};
		if (!axis[a].name)
			return NULL;
	}
	*m = (mesh){.ctx = key->all->ctx,
	            .naxes = key->naxes,
	            .size = key->size,
	            .list = key->list,
	            .device = key->list ? key->list->id : NULL,
	            .axis = axis,
	            .positional = key->positional,
	            .line = key->line,
	            .hash = key->hash};
	return !key->list || axis_levels(key->all, key->list, axis, key->naxes, &m->level) ? m
	                                                                                   : NULL;
}

/* NULL: an error is recorded */
static const device_list *list_of(const mesh_key *key)
{
	const device_list *l = device_list_find(key->all, key->ids, key->size);

	if (l) return l; /* it has passed the check before */
	return !key->ids || check_devices(key) ? device_list_make(key->all, key->ids, key->size)
	                                       : NULL;
}

static const mesh *mesh_intern(mesh_key *key)
{
	table *meshes = &key->all->meshes;

	if (!key->open && !(key->list = list_of(key))) return NULL;
	key->hash = key_hash(key);
	mesh *m = table_find(meshes, key->hash, key_fits, key);
	if (m)
		return m;
	m = mesh_build(key);
	return m && table_add(meshes, key->hash, m) ? m : NULL;
}

static const mesh *make(mesh_key *key, const tsr_axis *axis, size_t naxes)
{
	if (!axis || naxes < 1 || naxes > MAX_AXES) {
		fail(key->all->base, key->where, TSR_ERROR_SHARDING,
		     "a mesh has 1 to %d axes, but got %zu", (int)MAX_AXES,
		     axis ? naxes : (size_t)0);
		return NULL;
	}
	str text = {.base = key->all->base};
	if (key->positional)
		str_put(&text, "sharding_positional");
	else
		axes_text(&text, axis, naxes);
	key->text = text.s;
	key->axis = axis;
	key->naxes = (int)naxes;
	const mesh *m = !text.lost && check_axes(key) ? mesh_intern(key) : NULL;
	str_free(&text);
	return m;
}

const mesh *mesh_make(shards *all, const char *where, const tsr_axis *axis, size_t naxes,
                      const int64_t *ids, size_t count)
{
	return make(&(mesh_key){.all = all, .where = where, .ids = ids, .count = count}, axis,
	            naxes);
}

const mesh *mesh_open(shards *all, const char *where, const tsr_axis *axis)
{
	return make(&(mesh_key){.all = all, .where = where, .open = true}, axis, 1);
}

const mesh *mesh_positional(shards *all, const char *where, const int64_t *size, int naxes,
                            const int64_t *ids, size_t count, const mesh *line)
{
	mesh_key key = {.all = all, .where = where, .ids = ids, .count = count, .line = line};
	tsr_axis axis[MAX_AXES];
	char name[MAX_AXES][8];

	for (int a = 0; a < naxes && a < MAX_AXES; a++) {
		snprintf(name[a], sizeof name[a], "p%d", a);
		axis[a] = (tsr_axis){name[a], size[a]};
	}
	key.positional = true;
	return make(&key, axis, (size_t)naxes);
}

int mesh_axis(const mesh *m, const char *name, size_t len)
{
	for (int a = 0; a < m->naxes; a++) {
		if (strncmp(m->axis[a].name, name, len) == 0 && m->axis[a].name[len] == '\0')
			return a;
	}
	return -1;
}

void mesh_text(str *out, const mesh *m)
{
	axes_text(out, m->axis, (size_t)m->naxes);
}

/* the ids of the devices from *k on, along the axes from `axis` on: "[[0, 1], [2, 3]]" */
static void ids_text(str *out, const mesh *m, int axis, int64_t *k)
{
	if (axis == m->naxes) {
		str_printf(out, "%lld", (long long)m->device[(*k)++]);
		return;
	}
	str_put(out, "[");
	for (int64_t i = 0; i < m->axis[axis].size; i++) {
		if (i) str_put(out, ", ");
		ids_text(out, m, axis + 1, k);
	}
	str_put(out, "]");
}

void mesh_full_text(str *out, const mesh *m)
{
	int64_t k = 0;

	str_put(out, "Mesh(");
	axis_list_text(out, m->axis, (size_t)m->naxes);
	str_put(out, ", axis_types=(");
	for (int a = 0; a < m->naxes; a++) str_put(out, a ? ", Auto" : "Auto");
	str_put(out, m->naxes == 1 ? ",)" : ")");
	if (!mesh_is_open(m)) {
		str_put(out, ", device_ids=");
		ids_text(out, m, 0, &k);
	}
	str_put(out, ")");
}

int64_t mesh_coordinate(const mesh *m, int64_t k, int axis)
{
	int64_t stride = 1;
	for (int a = axis + 1; a < m->naxes; a++)
		stride *= m->axis[a].size;
	return k / stride % m->axis[axis].size;
}

bool mesh_same_devices(const mesh *a, const mesh *b)
{
	return a == b || (a->list == b->list && !mesh_is_open(a));
}

void devices_text(str *s, const int64_t *ids, int64_t n)
{
	str_put(s, "[");
	for (int64_t k = 0; k < n; k++) str_printf(s, k ? ", %lld" : "%lld", (long long)ids[k]);
	str_put(s, "]");
}

bool mesh_positions(base *bs, arena *a, const mesh *m, device_set set, int64_t **out)
{
	if (!(*out = arena_array(a, (size_t)set.n, sizeof **out))) return false;
	for (int64_t k = 0; k < set.n; k++) {
		(*out)[k] = device_list_place(m->list, set.device[k]);
		if ((*out)[k] < 0)
			return fail(bs, NULL, TSR_ERROR_SHARDING,
			            "device %lld is not in the mesh of a collective",
			            (long long)set.device[k]);
	}
	return true;
}
