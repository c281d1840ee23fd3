/* mesh.c - meshes: named axes over a grid of devices, checked once and interned. */
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
	bool open;          /* it has no devices */
	bool positional;
	const mesh *line;
	int64_t size;       /* product of the axis sizes */
	uint64_t hash;
} mesh_key;

/* Where a device of the context is used in the mesh being made; -1: not yet. */
typedef struct device_use {
	int64_t id, place;
} device_use;

bool shards_init(shards *all, base *b, tsr_ctx *ctx, const device *devices, int64_t ndevices)
{
	*all = (shards){.base = b, .ctx = ctx, .devices = devices, .ndevices = ndevices};
	all->meshes.base = b;
	all->shardings.base = b;
	all->arena = arena_make(b);
	return all->arena != NULL;
}

void shards_fini(shards *all)
{
	table_free(&all->meshes, NULL);
	table_free(&all->shardings, NULL);
	arena_free(all->arena);
	all->arena = NULL;
}

const device *shards_device(const shards *all, int64_t id)
{
	/* as a rule a device stands at its id */
	if (id >= 0 && id < all->ndevices && all->devices[id].id == id) return &all->devices[id];
	for (int64_t k = 0; k < all->ndevices; k++)
		if (all->devices[k].id == id) return &all->devices[k];
	return NULL;
}

static int64_t key_ndevices(const mesh_key *key) { return key->open ? 0 : key->size; }

static int64_t key_device(const mesh_key *key, int64_t k)
{
	return key->ids ? key->ids[k] : key->all->devices[k].id;
}

static uint64_t key_hash(const mesh_key *key)
{
	uint64_t hash = hash_u64((uint64_t)key->naxes, key->open);
	for (int a = 0; a < key->naxes; a++)
		hash = hash_u64((uint64_t)key->axis[a].size, hash);
	for (int64_t k = 0; k < key_ndevices(key); k++)
		hash = hash_u64((uint64_t)key_device(key, k), hash);
	return hash;
}

static bool key_fits(const void *entry, const void *wanted)
{
	const mesh *m = entry;
	const mesh_key *key = wanted;
	if (m->hash != key->hash || m->naxes != key->naxes || m->size != key->size ||
	    mesh_is_open(m) != key->open || m->positional != key->positional ||
	    m->line != key->line)
		return false;
	for (int a = 0; a < m->naxes; a++) {
		if (m->axis[a].size != key->axis[a].size ||
		    strcmp(m->axis[a].name, key->axis[a].name) != 0)
			return false;
	}
	for (int64_t k = 0; k < key_ndevices(key); k++) {
		if (m->device[k] != key_device(key, k))
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

static bool use_has_id(const void *entry, const void *wanted)
{
	return ((const device_use *)entry)->id == *(const int64_t *)wanted;
}

static bool check_ids(const mesh_key *key, const table *uses)
{
	base *b = key->all->base;
	for (int64_t k = 0; k < key->size; k++) {
		const int64_t id = key->ids[k];
		device_use *use = table_find(uses, hash_u64((uint64_t)id, 0), use_has_id, &id);
		if (!use)
			return fail(b, key->where, TSR_ERROR_SHARDING,
			            "%s: there is no device %lld (place %lld of the list); name "
			            "devices of the context, which has %lld",
			            key->text, (long long)id, (long long)k,
			            (long long)key->all->ndevices);
		if (use->place >= 0)
			return fail(b, key->where, TSR_ERROR_SHARDING,
			            "%s: device %lld is listed twice, at places %lld and %lld; "
			            "list each device once",
			            key->text, (long long)id, (long long)use->place, (long long)k);
		use->place = k;
	}
	return true;
}

/* Each id is a device of the context, and none comes twice. */
static bool check_devices(const mesh_key *key)
{
	const shards *all = key->all;
	device_use *use = mem_array(all->base, (size_t)all->ndevices, sizeof *use);
	table uses = {.base = all->base};
	bool ok = use != NULL;
	for (int64_t k = 0; ok && k < all->ndevices; k++) {
		use[k] = (device_use){.id = all->devices[k].id, .place = -1};
		ok = table_add(&uses, hash_u64((uint64_t)use[k].id, 0), &use[k]);
	}
	ok = ok && check_ids(key, &uses);
	table_free(&uses, NULL);
	mem_free(all->base, use);
	return ok;
}

static bool is_here(const shards *all, int64_t id)
{
	return shards_device(all, id)->process == all->process;
}

/* the places of the devices of a process, n of them */
static const int64_t *places_of(const shards *all, const mesh *m, int process, int64_t n)
{
	int64_t *place = arena_array(all->arena, (size_t)n + 1, sizeof *place);

	n = 0;
	for (int64_t k = 0; place && k < m->size; k++)
		if (shards_device(all, m->device[k])->process == process) place[n++] = k;
	return place;
}

static bool find_places(const shards *all, mesh *m)
{
	int64_t least = m->device[0];

	for (int64_t k = 1; k < m->size; k++)
		if (m->device[k] < least) least = m->device[k];
	const int process = shards_device(all, least)->process;
	for (int64_t k = 0; k < m->size; k++)
		m->nprinter += shards_device(all, m->device[k])->process == process;
	return (m->here = places_of(all, m, all->process, m->nhere)) &&
	       (m->printer = places_of(all, m, process, m->nprinter));
}

static mesh *mesh_build(const mesh_key *key)
{
	arena *to = key->all->arena;
	mesh *m = arena_alloc(to, sizeof *m);
	tsr_axis *axis = arena_array(to, (size_t)key->naxes, sizeof *axis);
	int64_t *ids = key->open ? NULL : arena_array(to, (size_t)key->size, sizeof *ids);
	if (!m || !axis || (!ids && !key->open))
		return NULL;
	for (int a = 0; a < key->naxes; a++) {
		axis[a] = (tsr_axis){arena_str(to, key->axis[a].name), key->axis[a].size};
		if (!axis[a].name)
			return NULL;
	}
	*m = (mesh){.ctx = key->all->ctx, .naxes = key->naxes, .size = key->size, .ordered = true};
	m->hash = key->hash;
	m->positional = key->positional;
	m->line = key->line;
	m->axis = axis;
	m->device = ids;
	for (int64_t k = 0; k < key_ndevices(key); k++) {
		ids[k] = key_device(key, k);
		m->ordered = m->ordered && ids[k] == k;
		m->nhere += is_here(key->all, ids[k]);
	}
	return m->nhere == key_ndevices(key) || find_places(key->all, m) ? m : NULL;
}

/* An interned mesh has passed the device check before, so only a new one needs it. */
static const mesh *mesh_intern(mesh_key *key)
{
	table *meshes = &key->all->meshes;
	key->hash = key_hash(key);
	mesh *m = table_find(meshes, key->hash, key_fits, key);
	if (m)
		return m;
	if (key->ids && !check_devices(key))
		return NULL;
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
	return a == b || (a->size == b->size && !mesh_is_open(a) && !mesh_is_open(b) &&
	                  memcmp(a->device, b->device, (size_t)a->size * sizeof(int64_t)) == 0);
}

void devices_text(str *s, const int64_t *ids, int64_t n)
{
	str_put(s, "[");
	for (int64_t k = 0; k < n; k++) str_printf(s, k ? ", %lld" : "%lld", (long long)ids[k]);
	str_put(s, "]");
}

bool same_device_set(base *b, const int64_t *ids, const int64_t *others, int64_t n)
{
	int64_t most = 0;

	for (int64_t k = 0; k < n; k++) most = ids[k] > most ? ids[k] : most;
	bool *in = mem_array(b, (size_t)most + 1, sizeof *in), same = in;
	for (int64_t k = 0; same && k < n; k++) in[ids[k]] = true;
	for (int64_t k = 0; same && k < n; k++) same = others[k] <= most && in[others[k]];
	mem_free(b, in);
	return same;
}

bool mesh_positions(base *bs, arena *a, const mesh *m, device_set set, int64_t **out)
{
	int64_t most = 0;

	for (int64_t k = 0; k < set.n; k++) most = set.device[k] > most ? set.device[k] : most;
	int64_t *place =
		arena_array(a, (size_t)most + 1, sizeof *place); /* 1 + position, by device id */
	*out = arena_array(a, (size_t)set.n, sizeof **out);
	if (!place || !*out) return false;
	for (int64_t j = 0; j < m->size; j++)
		if (m->device[j] <= most) place[m->device[j]] = 1 + j;
	for (int64_t k = 0; k < set.n; k++) {
		(*out)[k] = place[set.device[k]] - 1;
		if ((*out)[k] < 0)
			return fail(bs, NULL, TSR_ERROR_SHARDING,
			            "device %lld is not in the mesh of a collective",
			            (long long)set.device[k]);
	}
	return true;
}
