/* mesh.c - the public view of meshes and shardings. */
#include "lib/lib.h"

/* ---- meshes: never NULL; a failed one has no axis */

static tsr_mesh *handle_mesh(tsr_ctx *ctx, const mesh *m)
{
	return m ? (tsr_mesh *)(uintptr_t)m : &ctx_or_here(ctx)->poison_mesh;
}

tsr_mesh *tsr_mesh_make_at(const char *where, tsr_ctx *ctx, const tsr_axis *axes, size_t n)
{
	TURN_OF(ctx, where, handle_mesh(ctx, NULL));
	if (!ctx_ok(where, "mesh_make", ctx)) return handle_mesh(ctx, NULL);
	return handle_mesh(ctx, mesh_make(&ctx->shards, where, axes, n, NULL, 0));
}

tsr_mesh *tsr_mesh_make_devices_at(const char *where, tsr_ctx *ctx, const int64_t *ids,
                                   size_t count, const tsr_axis *axes, size_t n)
{
	TURN_OF(ctx, where, handle_mesh(ctx, NULL));
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
	TURN_OF(tsr_mesh_ctx(m), NULL, "");
	if (!m || !m->naxes) return "";
	str s = {.base = &m->ctx->base};
	if (!m->text) mesh_full_text(&s, m);
	return text_once(m->ctx, &((tsr_mesh *)(uintptr_t)m)->text, &s);
}

/* ---- shardings: never NULL */

const sharding *handle_sharding(tsr_ctx *ctx, const sharding *s)
{
	return s ? s : &ctx_or_here(ctx)->poison_sharding;
}

static bool alive(const sharding *s) { return s && s != &s->ctx->poison_sharding; }

const tsr_sharding *tsr_sharding_make_at(const char *where, const tsr_mesh *m, tsr_spec given)
{
	const mesh *over = mesh_meant(NULL, m);
	tsr_ctx *ctx = tsr_mesh_ctx(over);
	TURN_OF(ctx, where, handle_sharding(ctx, NULL));
	spec_room room;

	if (!mesh_found(where, "sharding_make", NULL, over) ||
	    !spec_read(&ctx->base, where, "the spec of a sharding", over, &given, &room))
		return handle_sharding(ctx, NULL);
	return handle_sharding(ctx, sharding_of_room(&ctx->shards, over, &room));
}

const tsr_sharding *tsr_sharding_device_at(const char *where, tsr_ctx *ctx, int64_t id)
{
	TURN_OF(ctx, where, handle_sharding(ctx, NULL));
	if (!ctx_ok(where, "sharding_device", ctx)) return handle_sharding(ctx, NULL);
	return handle_sharding(ctx, sharding_one(&ctx->shards, where, id));
}

const char *tsr_sharding_text(const tsr_sharding *s)
{
	TURN_OF(s ? s->ctx : NULL, NULL, "");
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
	tsr_spec out = TSR_P();
	const char **entry = out.d + 1;

	if (!alive(s) || !s->mesh) return out;
	for (int d = 0; d < s->spec.ndim && d < TSR_MAX_NDIM; d++) {
		entry[d] = entry_text(s, d);
		out.n1 = 2 + d;
	}
	return out;
}

static bool sizes_ok(const call_site *site, const tsr_dims *dims)
{
	int64_t size;

	return dims_size(dims_of(dims), dims_count(dims), &size) ||
	       fail_op(site, TSR_ERROR_ARGUMENT,
	               "no array has these dims: one is negative, or there are too many elements");
}

bool sharding_dims_fit(call_site *site, const tsr_sharding *s, const tsr_dims *dims)
{
	if (!sharding_ok(site->where, site->op, s)) return false;
	site->ctx = s->ctx;
	return dims_ok(site, "dims", dims, true) && sizes_ok(site, dims) &&
	       sharding_fits(&s->ctx->base, site->where, s, dims_count(dims));
}

tsr_dims tsr_sharding_shard_shape_at(const char *where, const tsr_sharding *s, tsr_dims dims)
{
	call_site site = {.where = where, .op = "sharding_shard_shape"};
	tsr_dims out = {.d = {0}};
	int64_t block[MAX_NDIM];

	if (!sharding_dims_fit(&site, s, &dims)) return out;
	sharding_block_dims(s, dims_of(&dims), dims_count(&dims), block);
	dims_put(&site, &out, block, dims_count(&dims));
	return out;
}

void shard_fill(const tsr_sharding *s, const int64_t *dims, int ndim, int64_t k, tsr_shard *out)
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
	TURN_OF(s ? s->ctx : NULL, where, false);
	call_site site = {.where = where, .op = "sharding_index"};

	if (!sharding_dims_fit(&site, s, &dims)) return false;
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
