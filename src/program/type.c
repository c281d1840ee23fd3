/* type.c - interns types, opens the ir that keeps them, and looks names up.
 *
 * Example:
 *
 *     f(%0: f32[2,3], %1: f32[2,3], %2: f32*[2,3]) -> f32[2,3] {
 *       return %0
 *     }
 *
 * An ir has each type once, so two of its types are equal exactly when their addresses are, and to
 * compare them costs the same however many dims they have:
 *
 *     %0 and %1: one type
 *     %0 and %2: two */
#include "program/program.h"

bool ir_init(ir *r, base *bs, shards *sh, const tsr_prim *const *prims, int nprims)
{
	*r = (ir){.base = bs, .shards = sh, .prims = prims, .nprims = nprims};
	r->types.base = r->expansions.base = bs;
	r->arena = arena_make(bs);
	return r->arena != NULL;
}

void ir_fini(ir *r)
{
	expansions_free(r);
	table_free(&r->types, NULL);
	arena_free(r->arena);
	r->arena = NULL;
}

size_t ir_bytes(const ir *r)
{
	return atomic_load_explicit(&r->bytes, memory_order_relaxed) + arena_bytes(r->arena) +
	       mem_bytes(r->types.slot);
}

typedef struct type_key {
	etype of;
	int ndim;
	axis_set varying;
	const int64_t *dims;
} type_key;

static bool type_fits(const void *entry, const void *wanted)
{
	const type *t = entry;
	const type_key *k = wanted;

	return t->dtype == k->of.dtype && t->weak == k->of.weak && t->varying == k->varying &&
	       dims_same(t->dims, t->ndim, k->dims, k->ndim);
}

static uint64_t key_hash(const type_key *k)
{
	uint64_t hash = hash_u64((uint64_t)k->of.dtype << 32 | (uint64_t)k->ndim, k->of.weak);

	hash = hash_u64(k->varying, hash);
	for (int d = 0; d < k->ndim; d++) hash = hash_u64((uint64_t)k->dims[d], hash);
	return hash;
}

static type *type_new(ir *r, const type_key *k, uint64_t hash, int64_t size)
{
	const size_t bytes = (size_t)k->ndim * sizeof *k->dims;
	type *t = arena_alloc(r->arena, sizeof *t + bytes);

	if (!t) return NULL;
	*t = (type){k->of.dtype, k->of.weak, k->ndim, k->varying, hash, size, t};
	if (bytes) memcpy(t->dims, k->dims, bytes);
	return table_add(&r->types, hash, t) ? t : NULL;
}

static const type *fail_size(ir *r, const type_key *k)
{
	str text = {.base = r->base};

	str_dims(&text, k->dims, k->ndim);
	fail(r->base, r->where, TSR_ERROR_TYPE,
	     "%s[%s] is no type: a dim is negative or it is too large",
	     tsr_dtype_name(k->of.dtype), text.s ? text.s : "");
	str_free(&text);
	return NULL;
}

static const type *type_made(ir *r, etype of, const int64_t *dims, int ndim, axis_set varying)
{
	const tsr_dtype dtype = of.dtype;
	const type_key key = {of, ndim, varying, dims};
	int64_t size = 0, bytes = 0;

	if (!dtype_ok(dtype)) {
		fail(r->base, r->where, TSR_ERROR_TYPE, "%d is no dtype", (int)dtype);
		return NULL;
	}
	if (ndim < 0 || ndim > MAX_NDIM) {
		fail(r->base, r->where, TSR_ERROR_TYPE, "an array has at most %d dims, not %d",
		     MAX_NDIM,
		     ndim);
		return NULL;
	}
	const uint64_t hash = key_hash(&key);
	const type *known = table_find(&r->types, hash, type_fits, &key);
	if (known) return known;
	if (!dims_size(dims, ndim, &size) || !dims_bytes(dtype, dims, ndim, &bytes))
		return fail_size(r, &key);
	const type *strong =
		of.weak ? type_made(r, (etype){dtype, false}, dims, ndim, varying) : NULL;
	if (of.weak && !strong) return NULL;
	type *made = type_new(r, &key, hash, size);
	if (made && strong) made->strong = strong;
	return made;
}

const type *type_make(ir *r, tsr_dtype dtype, const int64_t *dims, int ndim, axis_set varying)
{
	return type_made(r, (etype){dtype, false}, dims, ndim, varying);
}

const type *type_shaped(ir *r, const type *t, const int64_t *dims, int ndim, axis_set varying)
{
	return type_made(r, etype_of(t), dims, ndim, varying);
}

const type *type_vary(ir *r, const type *t, axis_set varying)
{
	return t->varying == varying ? t : type_shaped(r, t, t->dims, t->ndim, varying);
}

bool type_varies_to(ir *r, const type *t, const type *wanted)
{
	if (t == wanted) return true;
	if (!t || !wanted || t->varying & ~wanted->varying) return false;
	const type *varied = type_vary(r, t, wanted->varying);
	return varied && type_agrees(varied, wanted);
}

/* a strong dtype can take the place of a wanted weak one of its kind: a tangent in f32 for an
 * f64* */
static bool etype_becomes(etype of, etype wanted)
{
	if (of.dtype == wanted.dtype) return true;
	if (wanted.weak) return dtype_kind(of.dtype) == dtype_kind(wanted.dtype);
	return of.weak && etype_join(of, wanted).dtype == wanted.dtype;
}

bool type_becomes(const type *t, const type *wanted)
{
	return !(t->varying & ~wanted->varying) &&
	       dims_same(t->dims, t->ndim, wanted->dims, wanted->ndim) &&
	       etype_becomes(etype_of(t), etype_of(wanted));
}

const type *type_as(ir *r, const type *t, etype of)
{
	const bool same = t->dtype == of.dtype && t->weak == of.weak;

	return same ? t : type_made(r, of, t->dims, t->ndim, t->varying);
}

const type *type_weaken(ir *r, const type *t, bool weak)
{
	return type_as(r, t, (etype){t->dtype, weak && t->dtype != TSR_BOOL});
}

const type *type_stack(ir *r, const type *t, int64_t n)
{
	int64_t dims[MAX_NDIM + 1] = {n};

	for (int d = 0; d < t->ndim; d++) dims[1 + d] = t->dims[d];
	return type_shaped(r, t, dims, 1 + t->ndim, t->varying);
}

const type *type_slice(ir *r, const type *t)
{
	return type_shaped(r, t, t->dims + 1, t->ndim - 1, t->varying);
}

const tsr_prim *prim_named(const ir *r, const char *name, size_t len)
{
	for (int i = 0; i < r->nprims; i++) {
		const char *known = r->prims[i]->name;
		if (strncmp(known, name, len) == 0 && !known[len]) return r->prims[i];
	}
	return NULL;
}

int axis_named(const axis *axes, int naxes, const char *name, size_t len)
{
	for (int i = naxes - 1; i >= 0; i--)
		if (strncmp(axes[i].name, name, len) == 0 && !axes[i].name[len]) return i;
	return -1;
}
