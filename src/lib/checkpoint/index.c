/* index.c - reads the index of a checkpoint, and trusts nothing in it: index_text.c shows one.
 *
 * Its last line has the hash of all lines before it, so a flipped bit anywhere is noticed. */
#include <stdio.h>
#include <stdlib.h>
#include "lib/checkpoint/checkpoint.h"

bool checkpoint_fail(const checkpoint *c, tsr_code code, const char *format, ...)
{
	const size_t mark = error_mark(c->base);
	char text[500];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return !failed_since(c->base, mark) && !(c->quiet && code == TSR_ERROR_FILE) &&
	       fail(c->base, c->where, code, "%s: %s: %s", c->op, c->path, text);
}

static bool has_name(const void *entry, const void *name)
{
	return strcmp(((const saved_leaf *)entry)->name, name) == 0;
}

const saved_leaf *checkpoint_find(const checkpoint *c, const char *name)
{
	return table_find(&c->names, hash_str(name, 0), has_name, name);
}

void checkpoint_free(checkpoint *c)
{
	table_free(&c->names, NULL);
	arena_free(c->arena);
	c->arena = NULL;
}

#ifdef TSR_JANSSON
#include <jansson.h>

enum { MOST_DEVICES = 1 << 20, MOST_BYTES = 1 << 30 };

static bool wrong(const checkpoint *c, const char *what)
{
	return checkpoint_fail(c, TSR_ERROR_FILE, INDEX_NAME ": %s", what);
}

static bool wrong_leaf(const checkpoint *c, const saved_leaf *leaf, const char *what)
{
	str name = {.base = c->base};

	json_text(&name, leaf->name);
	checkpoint_fail(c, TSR_ERROR_FILE, INDEX_NAME ": the leaf %.200s: %s",
	                name.s ? name.s : "?", what);
	str_free(&name);
	return false;
}

static bool read_hash(const json_t *of, uint64_t *out)
{
	const char *text = json_is_string(of) ? json_string_value(of) : "";
	char *end;

	if (strlen(text) != HASH_DIGITS || strspn(text, "0123456789abcdef") != HASH_DIGITS)
		return false;
	*out = strtoull(text, &end, 16);
	return true;
}

/* numbers of a list, from `least` on. NULL: it is none, or no memory */
static int64_t *read_numbers(arena *a, const json_t *list, int64_t least)
{
	const size_t n = json_array_size(list);
	int64_t *out = json_is_array(list) ? arena_array(a, n + 1, sizeof *out) : NULL;

	for (size_t i = 0; out && i < n; i++) {
		const json_t *number = json_array_get(list, i);
		if (!json_is_integer(number) || json_integer_value(number) < least) return NULL;
		out[i] = json_integer_value(number);
	}
	return out;
}

/* ---- meshes */

static bool read_axis(const checkpoint *c, const json_t *of, tsr_axis *to)
{
	const json_t *name = json_array_get(of, 0), *size = json_array_get(of, 1);

	if (json_array_size(of) != 2 || !json_is_string(name) || !json_is_integer(size) ||
	    json_integer_value(size) < 1 || json_integer_value(size) > MOST_DEVICES)
		return wrong(c, "an axis of a mesh is no name and size");
	to->size = json_integer_value(size);
	return (to->name = arena_str(c->arena, json_string_value(name)));
}

static int by_value(const void *x, const void *y)
{
	const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return a < b ? -1 : a > b;
}

/* else a few bytes could ask for very many pieces */
static bool differ(const checkpoint *c, const int64_t *id, size_t n)
{
	int64_t *sorted = arena_copy(c->arena, id, n * sizeof *id);

	if (!sorted) return false;
	qsort(sorted, n, sizeof *sorted, by_value);
	for (size_t k = 1; k < n; k++)
		if (sorted[k - 1] == sorted[k]) return wrong(c, "a mesh has a device twice");
	return true;
}

static bool read_devices(const checkpoint *c, const json_t *list, mesh *m)
{
	int64_t *id;

	if (list && json_array_size(list) != (size_t)m->size)
		return wrong(c, "a mesh has not as many devices as places");
	if (!(id = list ? read_numbers(c->arena, list, 0)
	                : arena_array(c->arena, (size_t)m->size, sizeof *id)))
		return wrong(c, "a mesh has a device that is no number");
	for (int64_t k = 0; !list && k < m->size; k++) id[k] = k;
	m->device = id;
	return !list || differ(c, id, (size_t)m->size);
}

static bool read_mesh(const checkpoint *c, const json_t *of, mesh *m)
{
	const json_t *axes = json_object_get(of, "axes");
	const size_t n = json_array_size(axes);
	tsr_axis *axis = arena_array(c->arena, n + 1, sizeof *axis);

	if (!json_is_array(axes) || n > MAX_AXES) return wrong(c, "a mesh has no list of axes");
	if (!axis) return false;
	*m = (mesh){.naxes = (int)n, .axis = axis, .size = 1};
	for (size_t i = 0; i < n; i++) {
		if (!read_axis(c, json_array_get(axes, i), &axis[i])) return false;
		m->size *= axis[i].size;
		if (m->size > MOST_DEVICES) return wrong(c, "a mesh has too many devices");
	}
	return read_devices(c, json_object_get(of, "devices"), m);
}

static mesh *read_meshes(const checkpoint *c, const json_t *list)
{
	mesh *m = arena_array(c->arena, json_array_size(list) + 1, sizeof *m);

	if (!json_is_array(list)) return wrong(c, "it has no list of meshes"), NULL;
	for (size_t i = 0; m && i < json_array_size(list); i++)
		if (!read_mesh(c, json_array_get(list, i), &m[i])) return NULL;
	return m;
}

/* ---- leaves */

static int saved_axis(const mesh *m, const json_t *name)
{
	for (int i = 0; json_is_string(name) && i < m->naxes; i++)
		if (strcmp(m->axis[i].name, json_string_value(name)) == 0) return i;
	return -1;
}

static bool read_spec(const checkpoint *c, const json_t *list, const saved_leaf *leaf, sharding *s)
{
	const size_t n = json_array_size(list);
	int *start = arena_array(c->arena, n + 1, sizeof *start);
	int *axis = arena_array(c->arena, MAX_AXES, sizeof *axis), used = 0;

	if (!start || !axis) return false;
	if (!json_is_array(list) || n > (size_t)leaf->ndim)
		return wrong_leaf(c, leaf, "its spec is no list of a dim each");
	for (size_t d = 0; d < n; d++) {
		const json_t *of = json_array_get(list, d);
		if (!json_is_array(of)) return wrong_leaf(c, leaf, "its spec has no list of axes");
		for (size_t i = 0; i < json_array_size(of); i++) {
			const int k = saved_axis(s->mesh, json_array_get(of, i));
			if (k < 0 || s->axes >> k & 1)
				return wrong_leaf(c, leaf, "its spec names no axis, or one twice");
			s->axes |= UINT64_C(1) << k;
			axis[used++] = k;
		}
		start[d + 1] = used;
	}
	s->spec = (spec){.ndim = (int)n, .start = start, .axis = axis};
	return true;
}

static bool read_dims(const checkpoint *c, const json_t *list, saved_leaf *leaf)
{
	const size_t n = json_array_size(list);
	int64_t bytes;

	if (n > MAX_NDIM || !(leaf->dims = read_numbers(c->arena, list, 0)))
		return wrong_leaf(c, leaf, "its dims are no list of numbers");
	leaf->ndim = (int)n;
	return dims_bytes(leaf->dtype, leaf->dims, leaf->ndim, &bytes) ||
	       wrong_leaf(c, leaf, "an array of its dims is too large");
}

static bool read_leaf(checkpoint *c, const json_t *of, const mesh *m, size_t nmeshes)
{
	saved_leaf *leaf = &c->leaf[c->nleaves];
	const json_t *name = json_object_get(of, "name"), *dtype = json_object_get(of, "dtype");
	const json_t *number = json_object_get(of, "mesh");
	sharding *s = arena_alloc(c->arena, sizeof *s);

	if (!json_is_string(name)) return wrong(c, "a leaf has no name");
	if (!s || !(leaf->name = arena_str(c->arena, json_string_value(name)))) return false;
	if (checkpoint_find(c, leaf->name)) return wrong_leaf(c, leaf, "there are two of it");
	if (!table_add(&c->names, hash_str(leaf->name, 0), leaf)) return false;
	c->nleaves++;
	if (!dtype) return true;
	leaf->dtype = json_is_string(dtype) ? safetensors_named(json_string_value(dtype))
	                                    : TSR_DTYPE_DEFAULT;
	if (!leaf->dtype) return wrong_leaf(c, leaf, "its dtype is none of ours");
	if (!read_dims(c, json_object_get(of, "dims"), leaf)) return false;
	if (!json_is_integer(number) || json_integer_value(number) < 0 ||
	    (uint64_t)json_integer_value(number) >= nmeshes)
		return wrong_leaf(c, leaf, "its mesh is none of the list");
	s->mesh = &m[json_integer_value(number)];
	leaf->sharding = s;
	return read_spec(c, json_object_get(of, "spec"), leaf, s);
}

static bool read_leaves(checkpoint *c, const json_t *list, const json_t *meshes)
{
	const size_t n = json_array_size(list);
	const mesh *m = read_meshes(c, meshes);

	if (!m) return false;
	if (!json_is_array(list)) return wrong(c, "it has no list of leaves");
	if (!(c->leaf = arena_array(c->arena, n + 1, sizeof *c->leaf))) return false;
	for (size_t i = 0; i < n; i++)
		if (!read_leaf(c, json_array_get(list, i), m, json_array_size(meshes)))
			return false;
	return true;
}

/* ---- files */

static bool read_size(const json_t *of, size_t *out)
{
	*out = json_is_integer(of) ? (size_t)json_integer_value(of) : 0;
	return json_is_integer(of) && json_integer_value(of) >= 0;
}

/* it must be as we write it: so it leads nowhere else */
static bool read_name(const json_t *of, saved_file *f)
{
	const char *name = json_is_string(of) ? json_string_value(of) : "";
	const char *at = name;
	char again[FILE_NAME];
	int64_t rank;

	if (!integer_read(&at, &rank) || rank < 0 || rank > INT32_MAX || *at++ != '-' ||
	    !integer_read(&at, &f->device) || f->device < 0)
		return false;
	f->rank = (int)rank;
	file_name_of(again, f->rank, f->device);
	return strcmp(name, again) == 0;
}

static int by_device(const void *x, const void *y)
{
	const saved_file *a = x, *b = y;

	return a->device < b->device ? -1 : a->device > b->device;
}

static bool read_files(checkpoint *c, const json_t *list)
{
	const size_t n = json_array_size(list);

	if (!json_is_array(list)) return wrong(c, "it has no list of files");
	if (!(c->file = arena_array(c->arena, n + 1, sizeof *c->file))) return false;
	for (size_t i = 0; i < n; i++) {
		const json_t *of = json_array_get(list, i);
		saved_file *f = &c->file[i];
		if (!read_name(json_object_get(of, "name"), f) ||
		    !read_size(json_object_get(of, "bytes"), &f->bytes) ||
		    !read_size(json_object_get(of, "header"), &f->header) ||
		    !read_hash(json_object_get(of, "hash"), &f->hash) || f->header > f->bytes)
			return wrong(c, "it says of a file what cannot be");
	}
	c->nfiles = n;
	if (n) qsort(c->file, n, sizeof *c->file, by_device);
	for (size_t i = 1; i < n; i++)
		if (c->file[i - 1].device == c->file[i].device)
			return wrong(c, "it has two files of one device");
	return true;
}

/* ---- all of it */

static bool read_all(checkpoint *c, const json_t *root)
{
	const json_t *format = json_object_get(root, "format");
	const json_t *version = json_object_get(root, "version");
	const json_t *step = json_object_get(root, "step");

	if (!json_is_string(format) || strcmp(json_string_value(format), "tsr-checkpoint") != 0)
		return wrong(c, "it is no index of a checkpoint");
	if (!json_is_integer(version) || json_integer_value(version) != 1)
		return checkpoint_fail(c, TSR_ERROR_UNSUPPORTED,
		                       INDEX_NAME ": its version is not 1");
	if (!json_is_integer(step) || json_integer_value(step) < 0)
		return wrong(c, "its step is no number");
	c->step = json_integer_value(step);
	return read_leaves(c, json_object_get(root, "leaves"), json_object_get(root, "meshes")) &&
	       read_files(c, json_object_get(root, "files"));
}

/* is the hash at the end that of the rest? */
static bool has_its_hash(const char *text, size_t n)
{
	char end[INDEX_END];

	index_end(end, 0);
	const size_t tail = strlen(end);
	if (n < tail) return false;
	index_end(end, hash_bytes(text, n - tail, 0));
	return memcmp(text + n - tail, end, tail) == 0;
}

bool checkpoint_parse(checkpoint *c, const char *text, size_t n)
{
	json_error_t error;

	c->names = (table){.base = c->base};
	if (!(c->arena = arena_make(c->base))) return false;
	if (!has_its_hash(text, n))
		return wrong(c, "it is damaged: it does not have its hash at its end");
	json_t *root = json_loadb(text, n, JSON_REJECT_DUPLICATES, &error);
	const bool ok =
		root ? read_all(c, root)
		     : checkpoint_fail(c,
	                               json_error_code(&error) == json_error_out_of_memory
	                                       ? TSR_ERROR_MEMORY
	                                       : TSR_ERROR_FILE,
	                               INDEX_NAME ": line %d: it is no JSON text", error.line);
	json_decref(root);
	return ok;
}

bool checkpoint_read(checkpoint *c)
{
	str path = {.base = c->base};
	size_t n;

	c->arena = NULL;
	c->names = (table){.base = c->base};
	str_printf(&path, "%s/" INDEX_NAME, c->path);
	char *text = path.lost ? NULL : file_read(c->base, c->where, c->op, path.s, MOST_BYTES, &n);
	const bool ok = text && checkpoint_parse(c, text, n);
	mem_free(c->base, text);
	str_free(&path);
	return ok;
}
#else
bool checkpoint_parse(checkpoint *c, const char *text, size_t n)
{
	(void)text, (void)n;
	c->names = (table){.base = c->base};
	return checkpoint_fail(c, TSR_ERROR_UNSUPPORTED,
	                       "this library was built without Jansson, which reads checkpoints");
}

bool checkpoint_read(checkpoint *c) { return checkpoint_parse(c, NULL, 0); }
#endif
