/* put.c - placing arrays on a device, or spread over a mesh, and wishes to have values there.
 *
 * In a traced body there is nothing to move yet: to put a value is to wish it there. */
#include "lib/lib.h"

array *array_checked(call_site *site, const tsr *x)
{
	tsr *h = (tsr *)(uintptr_t)x;

	return operands_check(site, &h, 1) ? handle_array(site->where, x) : NULL;
}

bool is_traced(const tsr *x)
{
	return x && handle_live(x) && handle_slot_of(x)->kind == HANDLE_TRACED &&
	       !handle_fault(handles_of(x)->ctx, x);
}

static tsr *put(const char *where, tsr *x, const sharding *s)
{
	call_site site = {.where = where, .op = "put"};
	array *a = array_checked(&site, x);

	if (!a || !s) return poison_of(site.ctx);
	if (s->ctx != a->ctx)
		return refuse_op(&site, TSR_ERROR_HANDLE,
		                 "the sharding belongs to another context than the array");
	if (!sharding_fits(&a->ctx->base, where, s, a->type->ndim)) return poison_of(site.ctx);
	return handle_of_array(a->ctx, array_place(where, a, s, true));
}

/* Outside of bodies the program may be one over a mesh with other names of axes: then the result is
 * put on its own */
static tsr *constrain(const call_site *site, tsr *x, const sharding *to)
{
	const constraint_params p = {to->mesh, {1, &to}, {0, NULL}};

	if (to->ctx != site->ctx)
		return refuse_op(site, TSR_ERROR_HANDLE,
		                 "the mesh belongs to another context than the array");
	x = bind(site, &tsr__prim_sharding_constraint, &p, &x, 1);
	return in_trace(site->ctx) || handle_is_poison(x) ? x : put(site->where, x, to);
}

static void refuse_spec(const call_site *site, const type *t, const mesh *m, const spec_room *room)
{
	str written = {.base = &site->ctx->base}, value = {.base = &site->ctx->base};

	int naxes;
	const axis *axes = trace_axes(site->ctx, &naxes);

	spec_text(&written, m, &(spec){room->ndim, room->start, room->axis});
	type_text(&value, t, axes, naxes);
	fail_op(site, TSR_ERROR_SHARDING,
	        "the spec %s is only valid for values of rank at least %d, but was applied to %s "
	        "of rank %d; shorten the spec",
	        written.s ? written.s : "?", room->ndim, value.s ? value.s : "?", t->ndim);
	str_free(&written);
	str_free(&value);
}

const sharding *spec_sharding(const call_site *site, const type *t, const mesh *m,
                              const tsr_spec *given)
{
	spec_room room;

	if (!(m = mesh_found(site->where, site->op, site->ctx, m)) ||
	    !spec_read(&m->ctx->base, site->where, site->op, m, given, &room))
		return NULL;
	if (room.ndim <= t->ndim) return sharding_of_room(&m->ctx->shards, m, &room);
	refuse_spec(site, t, m, &room);
	return NULL;
}

tsr *tsr_put_at(const char *where, tsr *x, const tsr_mesh *m, tsr_spec given)
{
	TURN_OF(tsr_ctx_of(x), where, poison_of(tsr_ctx_of(x)));
	call_site site = {.where = where, .op = "put"};
	const sharding *to = operands_check(&site, &x, 1)
	                             ? spec_sharding(&site, handle_type(x), m, &given)
	                             : NULL;

	if (!to) return poison_of(site.ctx);
	return is_traced(x) ? constrain(&site, x, to) : put(where, x, to);
}

tsr *tsr_gather_whole_at(const char *where, tsr *x)
{
	TURN_OF(tsr_ctx_of(x), where, poison_of(tsr_ctx_of(x)));
	call_site site = {.where = where, .op = "gather_whole"};

	if (!operands_check(&site, &x, 1)) return poison_of(site.ctx);
	if (is_traced(x))
		return refuse_op(&site, TSR_ERROR_SHARDING,
		                 "in a traced body no process has the whole yet: write "
		                 "tsr_all_gather() in a map, tsr_constrain() elsewhere");
	array *a = array_checked(&site, x);
	return a ? handle_of_array(a->ctx, array_gather(where, a)) : poison_of(site.ctx);
}

/* ---- trees */

tsr_ctx *tree_ctx(tsr_tree x)
{
	for (size_t i = 0; x.leaf && i < x.count; i++)
		if (x.leaf[i]) return tsr_ctx_of(x.leaf[i]);
	return NULL;
}

/* where leaves go: to specs over a mesh, or, if that is there, to a sharding */
typedef struct destination {
	const char *where;
	const tsr_mesh *mesh;
	tsr_specs spec;
	const tsr_sharding *sharding;
	/* of one leaf */
	tsr *(*by_spec)(const char *where, tsr *, const tsr_mesh *, tsr_spec);
	tsr *(*by_sharding)(const char *where, tsr *, const tsr_sharding *);
} destination;

static tsr *place_leaf(const destination *d, tsr *x, size_t i)
{
	const tsr_specs *s = &d->spec;

	if (d->sharding) return d->by_sharding(d->where, x, d->sharding);
	return d->by_spec(d->where, x, d->mesh,
	                  s->count ? s->leaf[s->count > 1 ? i : 0] : (tsr_spec)TSR_SPEC());
}

static bool place_leaves(tsr_ctx *ctx, const destination *d, tsr_tree to, tsr_tree x)
{
	base *bs = &ctx->base;
	tsr **made = mem_array(bs, x.count + 1, sizeof *made);
	const size_t mark = error_mark(bs);
	bool ok = made;

	for (size_t i = 0; ok && i < x.count; i++) {
		made[i] = x.leaf[i] ? place_leaf(d, x.leaf[i], i) : NULL;
		ok = !made[i] || !handle_is_poison(made[i]);
		if (!ok && failed_since(bs, mark)) note_leaf(ctx, x.type, i);
	}
	for (size_t i = 0; ok && i < x.count; i++) to.leaf[i] = made[i];
	mem_free(bs, made);
	return ok;
}

/* what is wrong with the trees and the keywords; NULL: nothing */
static const char *tree_fault(tsr_tree to, tsr_tree x, const tsr_mesh *m, const tsr_put_args *a)
{
	if (to.count != x.count) return "the two trees have different numbers of leaves";
	if (x.count && (!x.leaf || !to.leaf)) return "a tree has leaves and no memory of them";
	if (a->sharding && (m || a->spec.count))
		return "give .sharding, or a mesh and .spec, not both";
	if (a->spec.count > 1 && (size_t)a->spec.count != x.count)
		return ".spec is one for all leaves, or one a leaf";
	if (a->spec.count && !a->spec.leaf) return ".spec has a count and no specs";
	return NULL;
}

static bool place_tree(const char *op, destination d, tsr_tree to, tsr_tree x,
                       const tsr_put_args *given)
{
	tsr_ctx *own = d.mesh ? tsr_mesh_ctx(d.mesh) : tree_ctx(x), *ctx = ctx_or_here(own);
	TURN_OF(ctx, d.where, false);
	const tsr_put_args *a = KEYWORDS(tsr_put_args, d.where, ctx, given);
	const char *fault = a ? tree_fault(to, x, d.mesh, a) : NULL;

	if (!a) return false;
	if (fault) return fail(&ctx->base, d.where, TSR_ERROR_ARGUMENT, "%s: %s", op, fault);
	d.spec = a->spec;
	d.sharding = a->sharding;
	if (d.sharding ? !sharding_ok(d.where, op, d.sharding)
	               : !(d.mesh = mesh_found(d.where, op, own, d.mesh)))
		return false;
	ctx = d.sharding ? d.sharding->ctx : d.mesh->ctx;
	return place_leaves(ctx, &d, to, x);
}

bool tsr_put_tree_at(const char *where, tsr_tree to, tsr_tree x, const tsr_mesh *m,
                     const tsr_put_args *given)
{
	return place_tree("put_tree",
	                  (destination){.where = where,
	                                .mesh = m,
	                                .by_spec = tsr_put_at,
	                                .by_sharding = tsr_put_sharding_at},
	                  to, x, given);
}

static tsr *refuse_device(const call_site *site)
{
	return refuse_op(site, TSR_ERROR_SHARDING,
	                 "in a body that is traced no value can be moved to one device, for its "
	                 "program runs where the arguments are; put the argument there before the "
	                 "call, or the result behind it");
}

tsr *tsr_put_device_at(const char *where, tsr *x, int64_t id)
{
	TURN_OF(tsr_ctx_of(x), where, poison_of(tsr_ctx_of(x)));
	call_site site = {.where = where, .op = "put_device"};

	if (!operands_check(&site, &x, 1)) return poison_of(site.ctx);
	if (is_traced(x)) return refuse_device(&site);
	return put(where, x, sharding_one(&site.ctx->shards, where, id));
}

tsr *tsr_put_sharding_at(const char *where, tsr *x, const tsr_sharding *s)
{
	TURN_OF(tsr_ctx_of(x), where, poison_of(tsr_ctx_of(x)));
	call_site site = {.where = where, .op = "put_sharding"};

	if (!operands_check(&site, &x, 1)) return poison_of(site.ctx);
	if (!s) return refuse_op(&site, TSR_ERROR_ARGUMENT, "the sharding is NULL");
	if (!sharding_ok(where, "put_sharding", s)) return poison_of(site.ctx);
	if (!is_traced(x)) return put(where, x, s);
	return s->mesh ? constrain(&site, x, s) : refuse_device(&site);
}

tsr *tsr_constrain_at(const char *where, tsr *x, const tsr_mesh *m, tsr_spec given)
{
	TURN_OF(tsr_ctx_of(x), where, poison_of(tsr_ctx_of(x)));
	call_site site = {.where = where, .op = "constrain"};
	const sharding *to = operands_check(&site, &x, 1)
	                             ? spec_sharding(&site, handle_type(x), m, &given)
	                             : NULL;

	return to ? constrain(&site, x, to) : poison_of(site.ctx);
}

tsr *tsr_shard_alike_at(const char *where, tsr *x, tsr *like)
{
	TURN_OF(tsr_ctx_of(x), where, poison_of(tsr_ctx_of(x)));
	call_site site = {.where = where, .op = "shard_alike"};
	tsr *both[] = {x, like}, *out[2];

	if (!operands_check(&site, both, 2)) return poison_of(site.ctx);
	const operation alike = {&site, &tsr__prim_shard_alike, NULL, both, 2};
	bind_all(&alike, out, 2);
	return out[0];
}

/* ---- constraints */

bool tsr_constrain_tree_at(const char *where, tsr_tree to, tsr_tree x, const tsr_mesh *m,
                           const tsr_put_args *given)
{
	return place_tree("constrain_tree",
	                  (destination){.where = where,
	                                .mesh = m,
	                                .by_spec = tsr_constrain_at,
	                                .by_sharding = tsr_constrain_sharding_at},
	                  to, x, given);
}

tsr *tsr_constrain_sharding_at(const char *where, tsr *x, const tsr_sharding *s)
{
	TURN_OF(tsr_ctx_of(x), where, poison_of(tsr_ctx_of(x)));
	call_site site = {.where = where, .op = "constrain_sharding"};

	if (!operands_check(&site, &x, 1)) return poison_of(site.ctx);
	if (!s) return refuse_op(&site, TSR_ERROR_ARGUMENT, "the sharding is NULL");
	if (!sharding_ok(where, site.op, s)) return poison_of(site.ctx);
	if (s->mesh) return constrain(&site, x, s);
	return refuse_op(&site, TSR_ERROR_SHARDING,
	                 "the sharding is one device, and must be over a mesh; tsr_put_device "
	                 "moves an array to a device");
}
