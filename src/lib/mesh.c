/* mesh.c - the public view of meshes and shardings. */
#include "lib/lib.h"

/* ---- meshes: never NULL; a failed one has no axis */

static tsr_mesh *handle_mesh(tsr_ctx *ctx, const mesh *m)
{
	return m ? (tsr_mesh *)(uintptr_t)m : &ctx_or_here(ctx)->poison_mesh;
}

tsr_mesh *tsr_mesh_make_at(const char *where, tsr_ctx *ctx, const tsr_axis *axes, size_t n)
{
	if (!ctx_ok(where, "mesh_make", ctx)) return handle_mesh(ctx, NULL);
	return handle_mesh(ctx, mesh_make(&ctx->shards, where, axes, n, NULL, 0));
}

tsr_mesh *tsr_mesh_make_devices_at(const char *where, tsr_ctx *ctx, const int64_t *ids,
                                   size_t count, const tsr_axis *axes, size_t n)
{
	if (!ctx_ok(where, "mesh_make_devices", ctx)) return handle_mesh(ctx, NULL);
	if (ids) return handle_mesh(ctx, mesh_make(&ctx->shards, where, axes, n, ids, count));
	fail(&ctx->base, where, TSR_ERROR_ARGUMENT,
	     "mesh_make_devices: the list of devices is NULL; tsr_mesh_make takes the first ones");
	return handle_mesh(ctx, NULL);
}

int tsr_mesh_ndim(const tsr_mesh *m) { return m ? m->naxes : 0; }
int64_t tsr_mesh_size(const tsr_mesh *m) { return m ? m->size : 0; }

tsr_axis tsr_mesh_axis(const tsr_mesh *m, int k)
{
	return m && k >= 0 && k < m->naxes ? m->axis[k] : (tsr_axis){0};
}

int64_t tsr_mesh_axis_size(const tsr_mesh *m, const char *name)
{
	if (!mesh_ok(NULL, "mesh_axis_size", m)) return 0;
	const int k = name ? mesh_axis(m, name, strlen(name)) : -1;
	if (k >= 0) return m->axis[k].size;
	fail(&m->ctx->base, NULL, TSR_ERROR_SHARDING,
	     "mesh_axis_size: the mesh has no axis %s", name ? name : "NULL");
	return 0;
}

int64_t tsr_mesh_device(const tsr_mesh *m, int64_t k)
{
	return m && k >= 0 && k < m->size ? m->device[k] : -1;
}

/* a text made once, for as long as its object lives; "" when there is no memory for it */
static const char *text_once(tsr_ctx *ctx, const char **kept, str *s)
{
	if (!*kept && s->s && !s->lost) *kept = arena_str(ctx->arena, s->s);
	str_free(s);
	return *kept ? *kept : "";
}

const char *tsr_mesh_text(const tsr_mesh *m)
{
	if (!m || !m->naxes) return "";
	str s = {.base = &m->ctx->base};
	if (!m->text) mesh_text(&s, m);
	return text_once(m->ctx, &((tsr_mesh *)(uintptr_t)m)->text, &s);
}

/* ---- shardings: never NULL */

static const sharding *handle_sharding(tsr_ctx *ctx, const sharding *s)
{
	return s ? s : &ctx_or_here(ctx)->poison_sharding;
}

static bool alive(const sharding *s) { return s && s != &s->ctx->poison_sharding; }

const tsr_sharding *tsr_sharding_make_at(const char *where, const tsr_mesh *m, tsr_spec given)
{
	spec_room room;

	if (!mesh_ok(where, "sharding_make", m)) return handle_sharding(m ? m->ctx : NULL, NULL);
	if (!spec_read(&m->ctx->base, where, "the spec of a sharding", m, &given, &room))
		return handle_sharding(m->ctx, NULL);
	return handle_sharding(m->ctx, sharding_of_room(&m->ctx->shards, m, &room));
}

const tsr_sharding *tsr_sharding_device_at(const char *where, tsr_ctx *ctx, int64_t id)
{
	if (!ctx_ok(where, "sharding_device", ctx)) return handle_sharding(ctx, NULL);
	return handle_sharding(ctx, sharding_one(&ctx->shards, where, id));
}

const char *tsr_sharding_text(const tsr_sharding *s)
{
	if (!alive(s)) return "";
	str t = {.base = &s->ctx->base};
	if (!s->text) sharding_text(&t, s);
	return text_once(s->ctx, &((tsr_sharding *)(uintptr_t)s)->text, &t);
}

bool tsr_sharding_equivalent(const tsr_sharding *a, const tsr_sharding *b, int ndim)
{
	return alive(a) && alive(b) && sharding_equivalent(a, b, ndim);
}

tsr_mesh *tsr_sharding_mesh(const tsr_sharding *s)
{
	return alive(s) ? (tsr_mesh *)(uintptr_t)s->mesh : NULL;
}

static const char *entry_text(const tsr_sharding *s, int d)
{
	const int n = s->spec.start[d + 1] - s->spec.start[d];
	str t = {.base = &s->ctx->base};

	if (!n) return NULL;
	for (int i = 0; i < n; i++)
		str_printf(&t, i ? "*%s" : "%s",
		           s->mesh->axis[s->spec.axis[s->spec.start[d] + i]].name);
	return scope_text(s->ctx, &t);
}

tsr_spec tsr_sharding_spec(const tsr_sharding *s)
{
	tsr_spec out = {1, {0}};

	if (!alive(s) || !s->mesh) return out;
	for (int d = 0; d < s->spec.ndim && d < TSR_MAX_NDIM; d++) {
		out.d[1 + d] = entry_text(s, d);
		out.n1 = 2 + d;
	}
	return out;
}

static bool dims_fit(const tsr_sharding *s, const char *where, const char *op,
                     const tsr_dims *dims)
{
	return sharding_ok(where, op, s) && dims_ok(s->ctx, where, op, "dims", dims, true) &&
	       sharding_fits(&s->ctx->base, where, s, dims_count(dims));
}

tsr_dims tsr_sharding_shard_shape_at(const char *where, const tsr_sharding *s, tsr_dims dims)
{
	tsr_dims out = {{0}};

	if (!dims_fit(s, where, "sharding_shard_shape", &dims)) return out;
	out.d[0] = dims.d[0];
	sharding_block_dims(s, dims_of(&dims), dims_count(&dims), out.d + 1);
	return out;
}

static void shard_fill(const tsr_sharding *s, const int64_t *dims, int ndim, int64_t k,
                       tsr_shard *out)
{
	const device *d = &s->ctx->devices[sharding_device(s, k)];

	*out = (tsr_shard){.device = d->id,
	                   .replica = sharding_replica(s, k),
	                   .ndim = ndim,
	                   .here = d->process == s->ctx->process};
	sharding_box(s, dims, ndim, k, out->start, out->stop);
}

bool tsr_sharding_index_at(const char *where, const tsr_sharding *s, tsr_dims dims, int64_t k,
                           tsr_shard *out)
{
	if (!dims_fit(s, where, "sharding_index", &dims)) return false;
	if (!out)
		return fail(&s->ctx->base, where, TSR_ERROR_ARGUMENT,
		            "sharding_index: the record to fill is NULL");
	if (k < 0 || k >= sharding_ndevices(s))
		return fail(&s->ctx->base, where, TSR_ERROR_ARGUMENT,
		            "sharding_index: shard %lld of %lld", (long long)k,
		            (long long)sharding_ndevices(s));
	shard_fill(s, dims_of(&dims), dims_count(&dims), k, out);
	return true;
}

/* ---- arrays and their shards */

static array *array_checked(const char *where, const char *op, const tsr *x, tsr **poison)
{
	tsr *h = (tsr *)(uintptr_t)x;

	return operands_check(where, op, &h, 1, poison) ? handle_array(where, x) : NULL;
}

/* in a traced body placement says nothing yet: the value as it is */
static bool is_traced(const tsr *x)
{
	return x && handle_live(x) && handle_slot_of(x)->kind == HANDLE_TRACED &&
	       !handle_fault(handles_of(x)->ctx, x);
}

static tsr *put(const char *where, tsr *x, const sharding *s)
{
	tsr *poison;
	array *a = array_checked(where, "put", x, &poison);

	if (!a || !s) return poison;
	if (s->ctx != a->ctx)
		return refuse(a->ctx, where, TSR_ERROR_HANDLE,
		              "put: the sharding belongs to another context than the array");
	if (!sharding_fits(&a->ctx->base, where, s, a->type->ndim)) return poison;
	return handle_of_array(a->ctx, array_place(where, a, s, true));
}

static void refuse_spec(const array *a, const char *where, const mesh *m, const spec_room *room)
{
	str written = {.base = &a->ctx->base}, value = {.base = &a->ctx->base};

	spec_text(&written, m, &(spec){room->ndim, room->start, room->axis});
	type_text(&value, a->type, NULL, 0);
	fail(&a->ctx->base, where, TSR_ERROR_SHARDING,
	     "put: the spec %s is only valid for values of rank at least %d, but was applied to "
	     "%s of rank %d; shorten the spec",
	     written.s ? written.s : "?", room->ndim, value.s ? value.s : "?", a->type->ndim);
	str_free(&written);
	str_free(&value);
}

/* the spec as written is checked against the rank: trailing empty entries count here */
tsr *tsr_put_at(const char *where, tsr *x, const tsr_mesh *m, tsr_spec given)
{
	tsr *poison;
	const array *a = is_traced(x) ? NULL : array_checked(where, "put", x, &poison);

	if (is_traced(x)) return x;
	if (!a) return poison;
	if (!m) return refuse(a->ctx, where, TSR_ERROR_ARGUMENT, "put: the mesh is NULL");
	if (!mesh_ok(where, "put", m)) return poison;
	spec_room room;
	if (!spec_read(&m->ctx->base, where, "put", m, &given, &room)) return poison;
	if (room.ndim > a->type->ndim) {
		refuse_spec(a, where, m, &room);
		return poison;
	}
	return put(where, x, sharding_of_room(&m->ctx->shards, m, &room));
}

tsr *tsr_put_device_at(const char *where, tsr *x, int id)
{
	tsr *poison;
	const array *a = is_traced(x) ? NULL : array_checked(where, "put_device", x, &poison);

	if (is_traced(x)) return x;
	return a ? put(where, x, sharding_one(&a->ctx->shards, where, id)) : poison;
}

tsr *tsr_put_sharding_at(const char *where, tsr *x, const tsr_sharding *s)
{
	tsr *poison;
	const array *a = is_traced(x) ? NULL : array_checked(where, "put_sharding", x, &poison);

	if (is_traced(x)) return x;
	if (!a) return poison;
	if (!s)
		return refuse(a->ctx, where, TSR_ERROR_ARGUMENT,
		              "put_sharding: the sharding is NULL");
	return sharding_ok(where, "put_sharding", s) ? put(where, x, s) : poison;
}

const tsr_sharding *tsr_sharding_of(const tsr *x)
{
	tsr *poison;
	const array *a = is_traced(x) ? NULL : array_checked(NULL, "sharding_of", x, &poison);

	return a ? a->sharding : NULL;
}

int64_t tsr_shard_count(const tsr *x)
{
	tsr *poison;
	const array *a = array_checked(NULL, "shard_count", x, &poison);

	return a ? a->ndevices : 0;
}

static array *array_with_shard(const char *where, const char *op, const tsr *x, int64_t k,
                               tsr **poison)
{
	array *a = array_checked(where, op, x, poison);

	if (a && (k < 0 || k >= a->ndevices)) {
		fail(&a->ctx->base, where, TSR_ERROR_ARGUMENT, "%s: shard %lld of %lld", op,
		     (long long)k, (long long)a->ndevices);
		return NULL;
	}
	if (a && a->type->ndim > TSR_MAX_NDIM) {
		fail(&a->ctx->base, where, TSR_ERROR_UNSUPPORTED,
		     "%s: an array of %d dims does not fit a tsr_shard", op, a->type->ndim);
		return NULL;
	}
	return a;
}

bool tsr_shard_at_at(const char *where, const tsr *x, int64_t k, tsr_shard *out)
{
	tsr *poison;
	const array *a = array_with_shard(where, "shard_at", x, k, &poison);

	if (!a) return false;
	if (!out)
		return fail(&a->ctx->base, where, TSR_ERROR_ARGUMENT,
		            "shard_at: the record to fill is NULL");
	shard_fill(a->sharding, a->type->dims, a->type->ndim, k, out);
	return true;
}

static bool shard_here(const char *where, const char *op, const array *a, int64_t k)
{
	if (a->shard[k]) return true;
	return fail(&a->ctx->base, where, TSR_ERROR_UNSUPPORTED,
	            "%s: shard %lld is on device %lld of another process; gather the array first",
	            op, (long long)k, (long long)sharding_device(a->sharding, k));
}

/* strides of a shard's storage, in bytes */
static void storage_strides(const array *a, int64_t *strides)
{
	int64_t block[255];

	sharding_block_dims(a->sharding, a->type->dims, a->type->ndim, block);
	dims_strides(block, a->type->ndim, strides);
	for (int d = 0; d < a->type->ndim; d++)
		strides[d] = a->strides ? a->strides[d]
		                        : strides[d] * (int64_t)tsr_dtype_size(a->type->dtype);
}

tsr *tsr_shard_data_at(const char *where, const tsr *x, int64_t k)
{
	tsr *poison;
	array *a = array_with_shard(where, "shard_data", x, k, &poison);
	int64_t start[255], stop[255], strides[255];

	if (!a || !shard_here(where, "shard_data", a, k)) return poison;
	tsr_ctx *ctx = a->ctx;
	sharding_box(a->sharding, a->type->dims, a->type->ndim, k, start, stop);
	for (int d = 0; d < a->type->ndim; d++) stop[d] -= start[d];
	const type *t = type_make(&ctx->ir, a->type->dtype, stop, a->type->ndim, 0);
	const sharding *one = sharding_one(&ctx->shards, NULL, sharding_device(a->sharding, k));
	array *piece = t && one ? array_make(ctx, t, one, true) : NULL;
	if (!piece) return poison;
	if (!a->strides && t->size * (int64_t)tsr_dtype_size(t->dtype) == block_bytes(a)) {
		piece->shard[0] = buffer_retain(a->shard[k]);
		return handle_of_array(ctx, piece);
	}
	piece->shard[0] = ctx->engine->type->alloc(ctx->engine, a->shard[k]->memory,
	                                           (size_t)array_bytes(piece));
	if (!piece->shard[0]) return array_release(piece), poison;
	storage_strides(a, strides);
	storage_strides(piece, start);
	copy_box(piece->shard[0]->data, start, a->shard[k]->data, strides, t->dims, t->ndim,
	         tsr_dtype_size(t->dtype));
	return handle_of_array(ctx, piece);
}

const void *tsr_shard_borrow_at(const char *where, const tsr *x, int64_t k, int64_t *strides)
{
	tsr *poison;
	const array *a = array_with_shard(where, "shard_borrow", x, k, &poison);
	int64_t own[255];

	if (!a || !shard_here(where, "shard_borrow", a, k)) return NULL;
	storage_strides(a, own);
	if (strides) memcpy(strides, own, (size_t)a->type->ndim * sizeof *own);
	return a->shard[k]->data;
}

bool tsr_is_fully_replicated(const tsr *x)
{
	tsr *poison;
	const array *a = array_checked(NULL, "is_fully_replicated", x, &poison);

	return a && sharding_is_replicated(a->sharding);
}

/* ---- from pieces */

/* a piece is on one device, and where it was placed by the user on the device of its shard */
static bool piece_is_home(const char *where, const array *whole, const array *piece, int64_t k)
{
	const int64_t want = sharding_device(whole->sharding, k);
	const int64_t got = sharding_device(piece->sharding, 0);

	if (piece->ndevices == 1 && (!piece->committed || got == want)) return true;
	return fail(
		&whole->ctx->base, where, TSR_ERROR_SHARDING,
		piece->ndevices > 1
			? "from_shards: piece %lld must be on device %lld alone, and has %lld "
			  "shards"
			: "from_shards: piece %lld must be on device %lld, and is on device %lld",
		(long long)k, (long long)want,
		(long long)(piece->ndevices > 1 ? piece->ndevices : got));
}

static bool piece_fits(const char *where, const array *whole, const array *piece, int64_t k)
{
	int64_t start[255], stop[255];
	str want = {.base = &whole->ctx->base}, got = {.base = &whole->ctx->base};

	sharding_box(whole->sharding, whole->type->dims, whole->type->ndim, k, start, stop);
	for (int d = 0; d < whole->type->ndim; d++) stop[d] -= start[d];
	if (piece->type->dtype == whole->type->dtype &&
	    dims_same(piece->type->dims, piece->type->ndim, stop, whole->type->ndim))
		return true;
	shape_text(&want, stop, whole->type->ndim);
	shape_text(&got, piece->type->dims, piece->type->ndim);
	fail(&whole->ctx->base, where, TSR_ERROR_TYPE,
	     "from_shards: piece %lld must be %s%s, the shape of that shard, got %s%s",
	     (long long)k, tsr_dtype_name(whole->type->dtype), want.s ? want.s : "?",
	     tsr_dtype_name(piece->type->dtype), got.s ? got.s : "?");
	str_free(&want);
	str_free(&got);
	return false;
}

static bool piece_copy(const char *where, array *whole, const array *piece, int64_t k)
{
	tsr_ctx *ctx = whole->ctx;
	int64_t strides[255];

	whole->shard[k] = ctx->engine->type->alloc(
		ctx->engine, ctx->devices[sharding_device(whole->sharding, k)].memory,
		(size_t)block_bytes(whole));
	if (!whole->shard[k]) return false;
	memset(whole->shard[k]->data, 0, whole->shard[k]->bytes);
	storage_strides(whole, strides);
	return array_to_host(where, piece, whole->shard[k]->data, strides);
}

tsr *tsr_from_shards_at(const char *where, tsr_ctx *ctx, const tsr_sharding *s, tsr_dims dims,
                        tsr *const *piece, size_t n)
{
	tsr *poison;

	if (!ctx_ok(where, "from_shards", ctx) || !sharding_ok(where, "from_shards", s))
		return poison_of(ctx);
	if (s->ctx != ctx)
		return refuse(ctx, where, TSR_ERROR_SHARDING,
		              "from_shards: the sharding is of another context");
	if ((int64_t)n != sharding_ndevices(s) || !n)
		return refuse(ctx, where, TSR_ERROR_SHARDING,
		              "from_shards: expected %lld pieces (that many devices are in the "
		              "sharding), got %zu",
		              (long long)sharding_ndevices(s), n);
	if (operands_check(where, "from_shards", piece, (int)n, &poison) != ctx ||
	    !dims_fit(s, where, "from_shards", &dims))
		return poison_of(ctx);
	const type *t = type_make(&ctx->ir, handle_type(piece[0])->dtype, dims_of(&dims),
	                          dims_count(&dims), 0);
	array *whole = t ? array_make(ctx, t, s, true) : NULL;
	for (size_t k = 0; whole && k < n; k++) {
		const array *p = handle_array(where, piece[k]);
		if (p && piece_is_home(where, whole, p, (int64_t)k) &&
		    piece_fits(where, whole, p, (int64_t)k) &&
		    piece_copy(where, whole, p, (int64_t)k))
			continue;
		array_release(whole);
		whole = NULL;
	}
	return handle_of_array(ctx, whole);
}
