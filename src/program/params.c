/* params.c - reads and copies parameter records by the field tables of their rows.
 *
 * A row describes its record once, and the functions here do for all rows what would otherwise be
 * written for each: compare, hash, copy, renumber axes, and adapt to blocks.
 *
 * Example:
 *
 *     f(%0: f32[8,6]) -> f32[8,2] {
 *       %1: f32[8,2] = slice %0 start=[0,2] stop=[8,4] step=[1,1]
 *       return %1
 *     }
 *
 * On blocks of half as many rows, fields of the kind of dims and sizes hold those of the block:
 *
 *     f(%0: f32[4,6]) -> f32[4,2] {
 *       %1: f32[4,2] = slice %0 start=[0,2] stop=[4,4] step=[1,1]
 *       return %1
 *     }
 *
 * Names never count in comparisons and hashes: axes are entries of the axis table, meshes and specs
 * are compared by what they mean. */
#include "program/program.h"

static const size_t field_sizes[] = {
	[FIELD_BOOL] = sizeof(bool),
	[FIELD_INT] = sizeof(int64_t),
	[FIELD_DTYPE] = sizeof(tsr_dtype),
	[FIELD_WORD] = sizeof(int),
	[FIELD_INTS] = sizeof(ints),
	[FIELD_AXES] = sizeof(ints),
	[FIELD_DIMS] = sizeof(ints),
	[FIELD_SIZES] = sizeof(ints),
	[FIELD_PAIRS] = sizeof(ints),
	[FIELD_GROUPS] = sizeof(groups),
	[FIELD_MESH] = sizeof(const mesh *),
	[FIELD_MANUAL] = sizeof(ints),
	[FIELD_SPECS] = sizeof(shardings),
	[FIELD_TEXT] = sizeof(const char *),
	[FIELD_TYPES] = sizeof(type_list),
	[FIELD_FUNCTION] = sizeof(host_function),
	[FIELD_PROGRAM] = sizeof(const program *),
	[FIELD_PROGRAMS] = sizeof(programs),
	[FIELD_RULE] = sizeof(const program *),
};

size_t params_size(const field *fields)
{
	const size_t unit = sizeof(int64_t);
	size_t size = 0;

	for (const field *f = fields; f && f->name; f++) {
		const size_t end = f->offset + field_sizes[f->kind];
		if (end > size) size = end;
	}
	return (size + unit - 1) / unit * unit;
}

/* ---- equality */

bool ints_same(const ints *a, const ints *b)
{
	return dims_same(a->v, a->n, b->v, b->n);
}

static bool groups_same(const groups *a, const groups *b)
{
	bool same = a->n == b->n;

	for (int i = 0; same && i < a->n; i++) same = ints_same(&a->group[i], &b->group[i]);
	return same;
}

static bool mesh_same(const mesh *a, const mesh *b)
{
	if (a == b) return true;
	bool same = a && b && a->hash == b->hash && a->naxes == b->naxes && mesh_same_devices(a, b);
	for (int i = 0; same && i < a->naxes; i++) same = a->axis[i].size == b->axis[i].size;
	return same;
}

static bool spec_same(const spec *a, const spec *b)
{
	bool same = a->ndim == b->ndim;

	for (int d = 0; same && d < a->ndim; d++) same = a->start[d + 1] == b->start[d + 1];
	for (int i = 0; same && a->ndim && i < a->start[a->ndim]; i++)
		same = a->axis[i] == b->axis[i];
	return same;
}

static bool shardings_same(const shardings *a, const shardings *b)
{
	bool same = a->n == b->n;

	for (int i = 0; same && i < a->n; i++) {
		const sharding *s = a->v[i], *t = b->v[i];
		same = s == t || (mesh_same(s->mesh, t->mesh) && s->device == t->device &&
		                  spec_same(&s->spec, &t->spec));
	}
	return same;
}

static bool types_same(const type_list *a, const type_list *b)
{
	bool same = a->n == b->n;

	for (int i = 0; same && i < a->n; i++) same = a->v[i] == b->v[i];
	return same;
}

static bool functions_same(const host_function *a, const host_function *b)
{
	return a->at == b->at && a->user == b->user;
}

static bool programs_same(const programs *a, const programs *b)
{
	bool same = a->n == b->n;

	for (int i = 0; same && i < a->n; i++) same = program_same(a->v[i], b->v[i]);
	return same;
}

static bool field_same(field_kind kind, const void *a, const void *b)
{
	switch (kind) {
	case FIELD_BOOL: return *(const bool *)a == *(const bool *)b;
	case FIELD_INT: return *(const int64_t *)a == *(const int64_t *)b;
	case FIELD_DTYPE: return *(const tsr_dtype *)a == *(const tsr_dtype *)b;
	case FIELD_WORD: return *(const int *)a == *(const int *)b;
	case FIELD_INTS:
	case FIELD_DIMS:
	case FIELD_SIZES:
	case FIELD_AXES:
	case FIELD_PAIRS:
	case FIELD_MANUAL: return ints_same(a, b);
	case FIELD_GROUPS: return groups_same(a, b);
	case FIELD_MESH: return mesh_same(*(const mesh *const *)a, *(const mesh *const *)b);
	case FIELD_SPECS: return shardings_same(a, b);
	case FIELD_TEXT: return strcmp(*(const char *const *)a, *(const char *const *)b) == 0;
	case FIELD_TYPES: return types_same(a, b);
	case FIELD_FUNCTION: return functions_same(a, b);
	case FIELD_PROGRAM:
	case FIELD_RULE:
		return program_same(*(const program *const *)a, *(const program *const *)b);
	case FIELD_PROGRAMS: return programs_same(a, b);
	}
	return false;
}

bool params_same(const field *fields, const void *a, const void *b)
{
	for (const field *f = fields; f && f->name; f++)
		if (!field_same(f->kind, (const char *)a + f->offset, (const char *)b + f->offset))
			return false;
	return true;
}

/* ---- hashes */

static uint64_t ints_hash(const ints *a, uint64_t hash)
{
	hash = hash_u64((uint64_t)a->n, hash);
	for (int i = 0; i < a->n; i++) hash = hash_u64((uint64_t)a->v[i], hash);
	return hash;
}

static uint64_t groups_hash(const groups *a, uint64_t hash)
{
	hash = hash_u64((uint64_t)a->n, hash);
	for (int i = 0; i < a->n; i++) hash = ints_hash(&a->group[i], hash);
	return hash;
}

static uint64_t mesh_hash(const mesh *m, uint64_t hash) { return hash_u64(m ? m->hash : 0, hash); }

static uint64_t sharding_hash(const sharding *s, uint64_t hash)
{
	hash = hash_u64((uint64_t)s->spec.ndim, mesh_hash(s->mesh, hash));
	for (int d = 0; d < s->spec.ndim; d++)
		hash = hash_u64((uint64_t)s->spec.start[d + 1], hash);
	for (int i = 0; s->spec.ndim && i < s->spec.start[s->spec.ndim]; i++)
		hash = hash_u64((uint64_t)s->spec.axis[i], hash);
	return hash_u64((uint64_t)s->device, hash);
}

static uint64_t shardings_hash(const shardings *a, uint64_t hash)
{
	hash = hash_u64((uint64_t)a->n, hash);
	for (int i = 0; i < a->n; i++) hash = sharding_hash(a->v[i], hash);
	return hash;
}

static uint64_t types_hash(const type_list *a, uint64_t hash)
{
	hash = hash_u64((uint64_t)a->n, hash);
	for (int i = 0; i < a->n; i++) hash = hash_u64(a->v[i]->hash, hash);
	return hash;
}

static uint64_t function_hash(const host_function *a, uint64_t hash)
{
	return hash_u64((uint64_t)(uintptr_t)a->user, hash_u64((uint64_t)(uintptr_t)a->at, hash));
}

static uint64_t programs_hash(const programs *a, uint64_t hash)
{
	hash = hash_u64((uint64_t)a->n, hash);
	for (int i = 0; i < a->n; i++) hash = hash_u64(program_hash(a->v[i]), hash);
	return hash;
}

static uint64_t field_hash(field_kind kind, const void *a, uint64_t hash)
{
	switch (kind) {
	case FIELD_BOOL: return hash_u64(*(const bool *)a, hash);
	case FIELD_INT: return hash_u64((uint64_t)*(const int64_t *)a, hash);
	case FIELD_DTYPE: return hash_u64((uint64_t)*(const tsr_dtype *)a, hash);
	case FIELD_WORD: return hash_u64((uint64_t)*(const int *)a, hash);
	case FIELD_INTS:
	case FIELD_DIMS:
	case FIELD_SIZES:
	case FIELD_AXES:
	case FIELD_PAIRS:
	case FIELD_MANUAL: return ints_hash(a, hash);
	case FIELD_GROUPS: return groups_hash(a, hash);
	case FIELD_MESH: return mesh_hash(*(const mesh *const *)a, hash);
	case FIELD_SPECS: return shardings_hash(a, hash);
	case FIELD_TEXT: return hash_str(*(const char *const *)a, hash);
	case FIELD_TYPES: return types_hash(a, hash);
	case FIELD_FUNCTION: return function_hash(a, hash);
	case FIELD_PROGRAM:
	case FIELD_RULE: return hash_u64(program_hash(*(const program *const *)a), hash);
	case FIELD_PROGRAMS: return programs_hash(a, hash);
	}
	return hash;
}

uint64_t params_hash(const field *fields, const void *params)
{
	uint64_t hash = 0;

	for (const field *f = fields; f && f->name; f++)
		hash = field_hash(f->kind, (const char *)params + f->offset, hash);
	return hash;
}

/* ---- copies */

static bool ints_copy(arena *a, ints *to, const ints *from, const int *map)
{
	int64_t *v = arena_array(a, (size_t)from->n + 1, sizeof *v);

	for (int i = 0; v && i < from->n; i++) v[i] = map ? map[from->v[i]] : from->v[i];
	*to = (ints){from->n, v};
	return v;
}

static bool groups_copy(arena *a, groups *to, const groups *from)
{
	ints *group = arena_array(a, (size_t)from->n + 1, sizeof *group);
	bool ok = group;

	for (int i = 0; ok && i < from->n; i++)
		ok = ints_copy(a, &group[i], &from->group[i], NULL);
	*to = (groups){from->n, group};
	return ok;
}

static bool shardings_copy(arena *a, shardings *to, const shardings *from)
{
	const sharding **v = arena_array(a, (size_t)from->n + 1, sizeof *v);

	for (int i = 0; v && i < from->n; i++) v[i] = from->v[i];
	*to = (shardings){from->n, v};
	return v;
}

static bool text_copy(arena *a, const char **to, const char *const *from)
{
	return (*to = arena_str(a, *from));
}

static bool types_copy(arena *a, type_list *to, const type_list *from)
{
	const type **v = arena_array(a, (size_t)from->n + 1, sizeof *v);

	for (int i = 0; v && i < from->n; i++) v[i] = from->v[i];
	*to = (type_list){from->n, v};
	return v;
}

static bool function_copy(arena *a, host_function *to, const host_function *from)
{
	*to = *from;
	return (to->name = arena_str(a, from->name));
}

static void release_deferred(void *p) { program_release(p); }

static bool program_keep(arena *a, const program *p)
{
	if (!arena_defer(a, release_deferred, (void *)(uintptr_t)p)) return false;
	program_retain(p);
	return true;
}

static bool programs_copy(arena *a, programs *to, const programs *from)
{
	const program **v = arena_array(a, (size_t)from->n + 1, sizeof *v);
	bool ok = v;

	for (int i = 0; ok && i < from->n; i++) ok = program_keep(a, v[i] = from->v[i]);
	*to = (programs){from->n, v};
	return ok;
}

static bool field_copy(arena *a, field_kind kind, void *to, const void *from, const int *axis_map)
{
	switch (kind) {
	case FIELD_BOOL:
	case FIELD_INT:
	case FIELD_DTYPE:
	case FIELD_WORD:
	case FIELD_MESH: memcpy(to, from, field_sizes[kind]); return true;
	case FIELD_INTS:
	case FIELD_DIMS:
	case FIELD_SIZES:
	case FIELD_PAIRS:
	case FIELD_MANUAL: return ints_copy(a, to, from, NULL);
	case FIELD_AXES: return ints_copy(a, to, from, axis_map);
	case FIELD_GROUPS: return groups_copy(a, to, from);
	case FIELD_SPECS: return shardings_copy(a, to, from);
	case FIELD_TEXT: return text_copy(a, to, from);
	case FIELD_TYPES: return types_copy(a, to, from);
	case FIELD_FUNCTION: return function_copy(a, to, from);
	case FIELD_PROGRAM:
	case FIELD_RULE:
		memcpy(to, from, field_sizes[kind]);
		return program_keep(a, *(const program *const *)from);
	case FIELD_PROGRAMS: return programs_copy(a, to, from);
	}
	return false;
}

void *params_copy(arena *a, const field *fields, const void *params, const int *axis_map)
{
	char *copy = arena_alloc(a, params_size(fields) + 1);
	bool ok = copy;

	for (const field *f = fields; ok && f && f->name; f++)
		ok = field_copy(a, f->kind, copy + f->offset, (const char *)params + f->offset,
		                axis_map);
	return ok ? copy : NULL;
}

static void sizes_on_blocks(int64_t *sizes, const type *whole, const type *block)
{
	for (int d = 0; d < whole->ndim; d++)
		if (sizes[d] == whole->dims[d]) sizes[d] = block->dims[d];
}

/* type_list: what the results have of their own */
static bool types_on_blocks(arena *a, type_list *to, const type *const *out)
{
	const type **v = arena_copy(a, out, (size_t)to->n * sizeof *v);

	*to = (type_list){to->n, v};
	return v;
}

const void *params_on_blocks(arena *a, const eqn *e, const type *const *in,
                             const type *const *to_in, const type *const *to_out)
{
	char *copy = params_copy(a, e->prim->params, e->params, NULL);
	bool ok = copy;

	for (const field *f = e->prim->params; ok && f && f->name; f++) {
		void *at = copy + f->offset;
		if (f->kind == FIELD_DIMS)
			ok = ints_copy(a, at, &(ints){to_out[0]->ndim, to_out[0]->dims}, NULL);
		else if (f->kind == FIELD_SIZES)
			sizes_on_blocks((int64_t *)(uintptr_t)((const ints *)at)->v, in[0],
			                to_in[0]);
		else if (f->kind == FIELD_TYPES)
			ok = types_on_blocks(a, at, to_out);
		else if (f->kind == FIELD_DTYPE)
			*(tsr_dtype *)at = to_out[0]->dtype;
	}
	return ok ? copy : NULL;
}
