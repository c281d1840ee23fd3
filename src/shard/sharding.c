/* sharding.c - makes shardings, and finds the part of an array that each device holds.
 *
 * Device k of a mesh has one coordinate an axis, row-major. A dim split over axes a, b, ... (major
 * first) is cut into parts = size(a) * size(b) * ... blocks of ceil(D / parts), and device k holds
 * block (k_a * size(b) + k_b) * ... of it. All queries are closed forms over the axes; their
 * products are at most the mesh's size, which mesh_make has checked.
 *
 * Example:
 *
 *     x:2 y:3 [y] 10
 *
 * Device 4 has the coordinates x=1, y=1. The dim is cut into 3 blocks of 4, of which the last one
 * is short; it is not cut along x, so devices k and k + 3 hold the same:
 *
 *     device 0: 0:4     device 1: 4:8     device 2: 8:10
 *     device 3: 0:4     device 4: 4:8     device 5: 8:10 */
#include "shard/shard.h"

/* ---- interning */

static uint64_t sharding_hash(const mesh *m, const spec *p, int64_t one)
{
	uint64_t hash = m ? m->hash : hash_u64((uint64_t)one, 1);
	hash = hash_bytes(p->start, (size_t)(p->ndim + 1) * sizeof *p->start, hash);
	return hash_bytes(p->axis, (size_t)p->start[p->ndim] * sizeof *p->axis, hash);
}

uint64_t sharding_id(const sharding *s) { return sharding_hash(s->mesh, &s->spec, s->device); }

static bool sharding_same(const void *entry, const void *wanted)
{
	const sharding *s = entry, *key = wanted;
	if (s->mesh != key->mesh || s->device != key->device) return false;
	const spec *a = &s->spec, *b = &key->spec;
	return a->ndim == b->ndim &&
	       memcmp(a->start, b->start, (size_t)(a->ndim + 1) * sizeof *a->start) == 0 &&
	       memcmp(a->axis, b->axis, (size_t)a->start[a->ndim] * sizeof *a->axis) == 0;
}

/* The one sharding like *key, whose spec may live anywhere. */
static const sharding *sharding_intern(shards *all, const sharding *key)
{
	const uint64_t hash = sharding_hash(key->mesh, &key->spec, key->device);
	sharding *s = table_find(&all->shardings, hash, sharding_same, key);
	if (s) return s;
	const size_t nstart = (size_t)key->spec.ndim + 1;
	const size_t naxis = (size_t)key->spec.start[key->spec.ndim];
	s = arena_copy(all->arena, key, sizeof *key);
	const int *start = arena_copy(all->arena, key->spec.start, nstart * sizeof *start);
	const int *axis = arena_copy(all->arena, key->spec.axis, naxis * sizeof *axis);
	if (!s || !start || !axis) return NULL;
	s->spec.start = start;
	s->spec.axis = axis;
	return table_add(&all->shardings, hash, s) ? s : NULL;
}

const sharding *sharding_of_spec(shards *all, const mesh *m, const spec *p)
{
	sharding key = {.ctx = all->ctx, .mesh = m, .spec = *p};
	while (!m->positional && key.spec.ndim > 0 &&
	       p->start[key.spec.ndim] == p->start[key.spec.ndim - 1])
		key.spec.ndim--;
	for (int i = 0; i < p->start[key.spec.ndim]; i++) key.axes |= (uint64_t)1 << p->axis[i];
	return sharding_intern(all, &key);
}

const sharding *sharding_of_room(shards *all, const mesh *m, const spec_room *room)
{
	const spec p = {.ndim = room->ndim, .start = room->start, .axis = room->axis};
	return sharding_of_spec(all, m, &p);
}

const sharding *sharding_replicated_on(shards *all, const mesh *m)
{
	const spec_room none = {.ndim = 0};
	return sharding_of_room(all, m, &none);
}

const sharding *sharding_whole_on(shards *all, const mesh *m)
{
	const spec_room one = {.ndim = 1};
	return sharding_of_room(all, m, &one);
}

const sharding *sharding_batched(shards *all, const char *where, const sharding *s, const int *axis,
                                 int n)
{
	const spec *p = &s->spec;
	spec_room room = {.ndim = p->ndim + 1, .start = {0, n}};

	if (p->ndim >= MAX_NDIM) {
		fail(all->base, where, TSR_ERROR_UNSUPPORTED, "a spec of more than %d entries",
		     MAX_NDIM);
		return NULL;
	}
	for (int i = 0; i < n; i++) room.axis[i] = axis[i];
	for (int d = 0; d < p->ndim; d++) room.start[d + 2] = n + p->start[d + 1];
	for (int i = 0; i < p->start[p->ndim]; i++) room.axis[n + i] = p->axis[i];
	return sharding_of_room(all, s->mesh, &room);
}

const sharding *sharding_one(shards *all, const char *where, int64_t id)
{
	const spec_room none = {.ndim = 0};
	const device *one = shards_device(all, id);
	if (!one) {
		fail(all->base, where, TSR_ERROR_SHARDING,
		     "there is no device %lld: the context has %lld devices; name one of them",
		     (long long)id, (long long)all->ndevices);
		return NULL;
	}
	sharding key = {
		.ctx = all->ctx, .device = id, .elsewhere = one->process != all->process};
	key.spec = (spec){.start = none.start, .axis = none.axis};
	return sharding_intern(all, &key);
}

/* ---- text and rank */

void sharding_text(str *out, const sharding *s)
{
	if (!s->mesh) {
		str_printf(out, "SingleDeviceSharding(device=%lld)", (long long)s->device);
		return;
	}
	if (s->mesh->positional) {
		positional_text(out, s);
		return;
	}
	str_put(out, "NamedSharding(mesh=");
	mesh_text(out, s->mesh);
	str_put(out, ", spec=");
	spec_text(out, s->mesh, &s->spec);
	str_put(out, ")");
}

bool sharding_fits(base *b, const char *where, const sharding *s, int ndim)
{
	const bool positional = sharding_is_positional(s);

	if (positional ? s->spec.ndim == ndim || sharding_is_replicated(s) : s->spec.ndim <= ndim)
		return true;
	str text = {.base = b};
	sharding_text(&text, s);
	if (!text.lost && positional)
		fail(b, where, TSR_ERROR_SHARDING,
		     "Sharding %s is only valid for values of rank %d, but was applied to a value "
		     "of rank %d; tsr_sharding_reshape gives it as many dims",
		     text.s, s->spec.ndim, ndim);
	else if (!text.lost && ndim == 0)
		fail(b, where, TSR_ERROR_SHARDING,
		     "Sharding %s is only valid for values of rank at least %d, but was "
		     "applied to a value of rank 0; for scalars the spec should be P()",
		     text.s, s->spec.ndim);
	else if (!text.lost)
		fail(b, where, TSR_ERROR_SHARDING,
		     "Sharding %s is only valid for values of rank at least %d, but was "
		     "applied to a value of rank %d; use a spec of at most %d entries",
		     text.s, s->spec.ndim, ndim, ndim);
	str_free(&text);
	return false;
}

/* ---- devices and parts */

int64_t sharding_ndevices(const sharding *s) { return s->mesh ? s->mesh->size : 1; }

int64_t sharding_device(const sharding *s, int64_t k)
{
	return s->mesh ? s->mesh->device[k] : s->device;
}

int64_t sharding_nhere(const sharding *s) { return s->mesh ? s->mesh->list->nhere : !s->elsewhere; }

int64_t sharding_here(const sharding *s, int64_t i)
{
	return s->mesh && s->mesh->list->here ? s->mesh->list->here[i] : i;
}

int64_t sharding_local(const sharding *s, int64_t k)
{
	const device_list *l = s->mesh ? s->mesh->list : NULL;
	int64_t low = 0, high = l ? l->nhere : 0;

	if (!l) return s->elsewhere ? -1 : 0;
	if (!l->here) return k;
	while (low < high) {
		const int64_t mid = low + (high - low) / 2;
		if (l->here[mid] < k)
			low = mid + 1;
		else
			high = mid;
	}
	return low < l->nhere && l->here[low] == k ? low : -1;
}

int64_t sharding_place(const sharding *s, int64_t id)
{
	return s->mesh ? device_list_place(s->mesh->list, id) : id == s->device ? 0 : -1;
}

bool sharding_same_devices(const sharding *a, const sharding *b)
{
	if (a->mesh && b->mesh) return a->mesh->list->set == b->mesh->list->set;
	return sharding_ndevices(a) == 1 && sharding_ndevices(b) == 1 &&
	       sharding_device(a, 0) == sharding_device(b, 0);
}

const int64_t *sharding_devices(const sharding *s)
{
	return s->mesh ? s->mesh->device : &s->device;
}

int64_t sharding_parts(const sharding *s, int d)
{
	int64_t parts = 1;
	if (d >= s->spec.ndim) return parts;
	for (int i = s->spec.start[d]; i < s->spec.start[d + 1]; i++)
		parts *= s->mesh->axis[s->spec.axis[i]].size;
	return parts;
}

int64_t sharding_part(const sharding *s, int d, int64_t k)
{
	int64_t part = 0;
	if (d >= s->spec.ndim) return part;
	for (int i = s->spec.start[d]; i < s->spec.start[d + 1]; i++) {
		const int axis = s->spec.axis[i];
		part = part * s->mesh->axis[axis].size + mesh_coordinate(s->mesh, k, axis);
	}
	return part;
}

/* ---- shapes and boxes */

static int64_t block_size(int64_t dim, int64_t parts) { return dim / parts + (dim % parts != 0); }

void sharding_block_dims(const sharding *s, const int64_t *dims, int ndim, int64_t *block)
{
	for (int d = 0; d < ndim; d++) block[d] = block_size(dims[d], sharding_parts(s, d));
}

/* A block past the end of a dim is empty, and starts at that end. The end is compared by division
 * and by difference, so that nothing overflows. */
void sharding_box(const sharding *s, const int64_t *dims, int ndim, int64_t k, int64_t *start,
                  int64_t *stop)
{
	for (int d = 0; d < ndim; d++) {
		const int64_t block = block_size(dims[d], sharding_parts(s, d));
		const int64_t part = sharding_part(s, d, k);
		start[d] = part > 0 && block > dims[d] / part ? dims[d] : part * block;
		stop[d] = block > dims[d] - start[d] ? dims[d] : start[d] + block;
	}
}

static bool names_axis(const sharding *s, int axis) { return s->axes >> axis & 1; }

/* Row-major index over the axes that the spec does not name: devices that hold the same box differ
 * only there. */
int64_t sharding_replica(const sharding *s, int64_t k)
{
	int64_t replica = 0, weight = 1;
	for (int a = s->mesh ? s->mesh->naxes - 1 : -1; a >= 0; a--) {
		const int64_t size = s->mesh->axis[a].size;
		if (!names_axis(s, a)) {
			replica += k % size * weight;
			weight *= size;
		}
		k /= size;
	}
	return replica;
}

/* Coordinate 0 on the axes that the spec does not name. */
int64_t sharding_first(const sharding *s, int64_t k)
{
	int64_t first = 0, stride = 1;
	for (int a = s->mesh ? s->mesh->naxes - 1 : -1; a >= 0; a--) {
		const int64_t size = s->mesh->axis[a].size;
		if (names_axis(s, a)) first += k % size * stride;
		stride *= size;
		k /= size;
	}
	return first;
}

int64_t sharding_replicas(const sharding *s)
{
	int64_t n = 1;

	for (int a = s->mesh ? s->mesh->naxes - 1 : -1; a >= 0; a--)
		if (!names_axis(s, a)) n *= s->mesh->axis[a].size;
	return n;
}

int64_t sharding_holder(const sharding *s, const int64_t *part, int64_t replica)
{
	int64_t stride[MAX_AXES], k = 0, size = 1;

	if (!s->mesh) return 0;
	for (int i = s->mesh->naxes - 1; i >= 0; i--) {
		const int64_t n = s->mesh->axis[i].size;
		stride[i] = size;
		if (!names_axis(s, i)) {
			k += replica % n * size;
			replica /= n;
		}
		size *= n;
	}
	for (int d = 0; d < s->spec.ndim; d++) {
		int64_t rest = s->spec.start[d] < s->spec.start[d + 1] ? part[d] : 0;
		for (int i = s->spec.start[d + 1] - 1; i >= s->spec.start[d]; i--) {
			const int x = s->spec.axis[i];
			k += rest % s->mesh->axis[x].size * stride[x];
			rest /= s->mesh->axis[x].size;
		}
	}
	return k;
}

bool sharding_is_replicated(const sharding *s)
{
	for (int d = 0; d < s->spec.ndim; d++) {
		if (sharding_parts(s, d) > 1) return false;
	}
	return true;
}

bool sharding_divides(const sharding *s, const int64_t *dims, int ndim)
{
	for (int d = 0; d < ndim; d++) {
		if (dims[d] % sharding_parts(s, d) != 0) return false;
	}
	return true;
}

/* ---- equivalence */

/* One digit of a part number: k / stride % size. */
typedef struct digit {
	int64_t size, stride;
} digit;

/* The number of the part of dim d as digits of k, major first. Axes of size 1 are left out, and
 * axes that follow each other in the mesh too (x, then y, of a mesh x, y) are one digit. In this
 * form two lists give the same part for each k only if they are equal. On a mesh x:2, y:3 a dim
 * split over x*y has {6, 1}, and one split over y*x has {3, 1}, {2, 3}. */
static int dim_digits(const sharding *s, int d, digit out[MAX_AXES])
{
	int n = 0;
	if (d >= s->spec.ndim) return 0;
	for (int i = s->spec.start[d]; i < s->spec.start[d + 1]; i++) {
		digit next = {.size = s->mesh->axis[s->spec.axis[i]].size, .stride = 1};
		if (next.size == 1) continue;
		for (int a = s->spec.axis[i] + 1; a < s->mesh->naxes; a++)
			next.stride *= s->mesh->axis[a].size;
		if (n > 0 && out[n - 1].stride == next.size * next.stride)
			out[n - 1] = (digit){out[n - 1].size * next.size, next.stride};
		else
			out[n++] = next;
	}
	return n;
}

static bool same_parts(const sharding *a, const sharding *b, int d)
{
	digit in_a[MAX_AXES], in_b[MAX_AXES];
	const int n = dim_digits(a, d, in_a);
	if (n != dim_digits(b, d, in_b)) return false;
	for (int i = 0; i < n; i++) {
		if (in_a[i].size != in_b[i].size || in_a[i].stride != in_b[i].stride) return false;
	}
	return true;
}

static bool same_devices(const sharding *a, const sharding *b)
{
	if (a->mesh && b->mesh) return mesh_same_devices(a->mesh, b->mesh);
	return sharding_ndevices(a) == 1 && sharding_ndevices(b) == 1 &&
	       sharding_device(a, 0) == sharding_device(b, 0);
}

bool sharding_equivalent(const sharding *a, const sharding *b, int ndim)
{
	if (a == b) return true;
	if (!same_devices(a, b)) return false;
	for (int d = 0; d < ndim; d++) {
		if (!same_parts(a, b, d)) return false;
	}
	return true;
}

int sharding_borders(const sharding *s, int64_t out[2 * MAX_AXES])
{
	int n = 0;

	for (int d = 0; s->mesh && d < s->spec.ndim; d++) {
		digit digits[MAX_AXES];
		const int of_dim = dim_digits(s, d, digits);
		for (int i = 0; i < of_dim; i++) {
			out[n++] = digits[i].stride;
			out[n++] = digits[i].stride * digits[i].size;
		}
	}
	return n;
}

/* the axes of a mesh that are a digit, major first, behind those in `to`; false: it is none of
 * theirs */
static bool digit_axes(const mesh *m, digit of, spec_room *to, int *n)
{
	int64_t size = 1;

	for (int a = 0; a < m->naxes; a++) {
		int64_t stride = 1;
		for (int i = a + 1; i < m->naxes; i++) stride *= m->axis[i].size;
		const int64_t end = stride * m->axis[a].size;
		if (m->axis[a].size == 1 || stride < of.stride || end > of.stride * of.size)
			continue;
		to->axis[(*n)++] = a;
		size *= m->axis[a].size;
	}
	return size == of.size;
}

bool sharding_over(const mesh *m, const sharding *s, spec_room *to)
{
	int n = 0;

	*to = (spec_room){.ndim = s->spec.ndim};
	if (!s->mesh || !mesh_same_devices(m, s->mesh)) return false;
	for (int d = 0; d < s->spec.ndim; d++) {
		digit digits[MAX_AXES];
		const int of_dim = dim_digits(s, d, digits);
		for (int i = 0; i < of_dim; i++)
			if (!digit_axes(m, digits[i], to, &n)) return false;
		to->start[d + 1] = n;
	}
	return true;
}
