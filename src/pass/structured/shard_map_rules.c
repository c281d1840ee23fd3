/* shard_map_rules.c - the transformations of a mapped region: its body is transformed, and the
 * specs follow. Tangents are split like their values, cotangents like the values they belong to.
 *
 * The transpose of a sum over all devices: the cotangent enters whole, and leaves split like the
 * operand.
 *
 *     pass transpose 1
 *     f(%0: f32[4]) -> f32[] {
 *       %1: f32[] = shard_map %0 mesh=(x:2) axes=(x) in=[[x]] out=[[]] body=(%0: f32[2]{x}) ->
 *             f32[] {
 *         %1: f32[]{x} = reduce_sum %0 dims=[0]
 *         %2: f32[] = psum %1 axes=(x) to=invarying
 *         return %2
 *       }
 *       return %1
 *     }
 *     gives
 *     f(%0: f32[]) -> f32[4] {
 *       %1: f32[4] = shard_map %0 mesh=(x:2) axes=(x) in=[[]] out=[[x]] body=(%0: f32[]) ->
 *             f32[2]{x} {
 *         %1: f32[]{x} = pcast %0 axes=(x)
 *         %2: f32[2]{x} = broadcast_in_dim %1 dims=[2] at=[]
 *         return %2
 *       }
 *       return %1
 *     }
 *
 * A batch is one more leading dim, which no device splits unless .spmd_axis names an axis for
 * it:
 *
 *     pass batch 1
 *     axes (i: 3) f(%0: f32[4]) -> f32[4] {
 *       %1: f32[4] = shard_map %0 mesh=(x:2) axes=(x) in=[[x]] out=[[x]] body=(%0: f32[2]{x}) ->
 *             f32[2]{x} {
 *         %1: f32[2]{x} = sin %0
 *         return %1
 *       }
 *       return %1
 *     }
 *     gives
 *     f(%0: f32[3,4]) -> f32[3,4] {
 *       %1: f32[3,4] =
 *             shard_map %0 mesh=(x:2) axes=(x) in=[[-,x]] out=[[-,x]] body=(%0: f32[3,2]{x}) ->
 *                   f32[3,2]{x} {
 *         %1: f32[3,2]{x} = sin %0
 *         return %1
 *       }
 *       return %1
 *     } */
#include <stdio.h>
#include "pass/structured/structured.h"

/* ---- split: residuals leave the known region and enter the unknown one stacked along dim 0, one
 * block for each index of the manual axes that they vary over; a scalar gets a dim for that. An
 * operand of the known region is never a residual: the unknown region takes the operand itself.
 *
 * In an unchecked region everything varies over all manual axes, also over those that split an
 * enclosing batch. Along the latter there is only one block, since devices hold different elements
 * of the batch there, not different blocks of one element */

typedef struct mapped_residual {
	int operand; /* the known operand that it is, or -1 */
	const sharding *spec;
	axis_set equal; /* axes over which it varies without being split into blocks */
	bool scalar;    /* has a dim of its own */
	var v;          /* of the known half */
} mapped_residual;

static int outer_axes(const shard_map_params *p) { return p->body->naxes - p->manual.n; }

/* the sharding that splits dim 0 over all manual axes of the set */
static const sharding *stacked(build *b, const shard_map_params *p, axis_set varying)
{
	spec_room room = {.ndim = 1};
	const int outer = outer_axes(p);

	for (int i = 0; i < p->manual.n; i++)
		if (varying >> (outer + i) & 1) room.axis[room.start[1]++] = (int)p->manual.v[i];
	if (!room.start[1]) return sharding_replicated_on(build_ir(b)->shards, p->mesh);
	return sharding_of_room(build_ir(b)->shards, p->mesh, &room);
}

static bool find_residuals(build *b, const eqn *e, const halves *h, const bool *stays,
                           mapped_residual *r)
{
	const shard_map_params *p = e->params;
	const program *known = h->known;
	const int *operand = residual_operands(b, e, 0, h, stays);
	const axis_set split = axes_split(known->axes, known->naxes);

	for (int i = 0; operand && i < h->nresiduals; i++) {
		const type *t = type_of(known, known->out[known_results(h) + i]);
		const axis_set equal = p->unchecked ? t->varying & split : 0;
		const sharding *spec = operand[i] < 0 ? stacked(b, p, t->varying & ~equal)
		                                      : p->in.v[operand[i]];
		if (!spec) return false;
		r[i] = (mapped_residual){operand[i], spec, equal, false, {0}};
		r[i].scalar = !t->ndim && spec->axes && operand[i] < 0;
	}
	return operand;
}

/* the known half as it leaves the region: with a dim for scalars */
static program *known_body(const halves *h, const mapped_residual *r)
{
	var *y = NULL;
	build *b = remake(h->known, &y);
	var *v = b ? y + known_results(h) : NULL;

	for (int i = 0; b && i < h->nresiduals; i++) {
		if (r[i].operand >= 0) continue;
		v[i] = emit_equal(b, v[i], r[i].equal);
		if (r[i].scalar) v[i] = emit_reshape(b, v[i], (const int64_t[]){1}, 1);
	}
	return remade(b, true, y, h->known->nout);
}

/* the unknown half as it enters: unknown operands, then residuals, scalars with a dim */
static program *unknown_body(const halves *h, const mapped_residual *r)
{
	const program *p = h->unknown;
	const int first = p->nin - h->nresiduals;
	build *b = build_begin(p->ir, p->name, p->axes, p->naxes);
	var *x = b ? var_room(b, p->nin + p->nout) : NULL;
	bool ok = x;

	for (int i = 0; ok && i < p->nin; i++) {
		const type *t = type_of(p, p->in[i]);
		const bool scalar = i >= first && r[i - first].scalar;
		if (scalar) t = type_shaped(p->ir, t, (const int64_t[]){1}, 1, t->varying);
		ok = t && (x[i] = build_input(b, t)).id;
		if (ok && scalar) x[i] = emit_reshape(b, x[i], NULL, 0);
	}
	ok = ok && !build_failed(b) && build_inline(b, p, x, x + p->nin, NULL);
	return remade(b, ok, x ? x + p->nin : x, p->nout);
}

static void emit_known(splitting *s, const eqn *e, const bool *known, const halves *h,
                       mapped_residual *r)
{
	rebuilt to;

	if (!rebuild_begin(&to, s->known, e, e->nin, h->known->nout)) return;
	for (int i = 0; i < e->nin; i++)
		if (known[i]) rebuild_takes(&to, operand_role(e, i), s->x_known[i]);
	for (int k = 0; k < e->nout; k++)
		if (h->known_out[k]) rebuild_gives(&to, result_role(e, k), &s->y_known[k]);
	for (int i = 0; i < h->nresiduals; i++) {
		const bool leaves = r[i].operand < 0;
		if (!leaves) r[i].v = s->x_known[r[i].operand];
		rebuild_gives(&to, leaves ? gives_as(e, EDGE_BLOCK, r[i].spec) : (role){0},
		              &r[i].v);
	}
	rebuild_put(&to, (program *[]){known_body(h, r)});
}

static void emit_unknown(splitting *s, const eqn *e, const bool *known, const halves *h,
                         const mapped_residual *r)
{
	rebuilt to;

	if (!rebuild_begin(&to, s->unknown, e, h->unknown->nin, h->unknown->nout)) return;
	for (int i = 0; i < e->nin; i++)
		if (!known[i]) rebuild_takes(&to, operand_role(e, i), s->x_unknown[i]);
	for (int i = 0; i < h->nresiduals; i++)
		rebuild_takes(&to, takes_as(e, EDGE_BLOCK, r[i].spec), split_carry(s, r[i].v));
	for (int k = 0; k < e->nout; k++)
		if (!h->known_out[k]) rebuild_gives(&to, result_role(e, k), &s->y_unknown[k]);
	rebuild_put(&to, (program *[]){unknown_body(h, r)});
}

void shard_map_split(splitting *s, const eqn *e, const bool *known, bool *yknown)
{
	bool *stays;
	halves *h = split_inside(s->known, e, known, &stays, yknown);
	mapped_residual *r =
		h ? arena_array(build_arena(s->known), (size_t)h->nresiduals + 1, sizeof *r) : NULL;

	if (r && find_residuals(s->known, e, h, stays, r)) {
		emit_known(s, e, stays, h, r);
		emit_unknown(s, e, stays, h, r);
	} else {
		build_fail(s->known);
	}
	if (h) halves_free(h);
}

/* ---- transpose: cotangents enter by the out specs, and leave by the in specs. Where an out spec
 * splits a result that does not vary, each device has a cotangent of its own, so the result is
 * first made to vary. In an unchecked region a block also varies over axes that its spec leaves
 * out, since each device had a copy of the operand; the cotangents of these copies are added */

/* entries of the body's axis table: the manual axes that a spec names */
static axis_set named_by(const shard_map_params *p, const sharding *spec)
{
	axis_set set = 0;

	for (int i = 0; i < p->manual.n; i++)
		if (spec->axes >> p->manual.v[i] & 1) set |= axis_bit(outer_axes(p) + i);
	return set;
}

/* the body, with results that vary over all axes of their out specs */
static program *vary_results(const shard_map_params *of, const char *where)
{
	const program *p = of->body;
	var *y = NULL;
	build *b = remake(p, &y);

	for (int k = 0; b && k < p->nout; k++)
		if (!(y[k] = build_vary(b, y[k], named_by(of, of->out.v[k]), where)).id)
			build_fail(b);
	return remade(b, true, y, p->nout);
}

/* p: the program that gives the cotangents of these inputs, a reference that it takes */
static program *sum_copies(const shard_map_params *of, program *p, const bool *inputs)
{
	const axis_set manual = axes_below(of->body->naxes) & ~axes_below(outer_axes(of));
	const axis_set split = axes_split(p->axes, p->naxes);
	const int nout = p->nout;
	var *y = NULL;
	build *b = remake(p, &y);

	for (int i = 0, k = 0; b && i < of->in.n; i++) {
		if (!inputs[i]) continue;
		const axis_set all =
			build_type(b, y[k])->varying & manual & ~named_by(of, of->in.v[i]);
		int64_t axes[MAX_AXES];
		const ints copies = axes_listed(all & ~split, axes);
		const preduce_params sum = {{copies, {0, NULL}}, COLL_TO_INVARYING};
		y[k] = emit_equal(b, y[k], all & split);
		if (sum.on.axes.n) y[k] = emit(b, &tsr__prim_psum, &sum, &y[k], 1);
		k++;
	}
	program_release(p);
	return remade(b, true, y, nout);
}

static program *transpose_body(const eqn *e, const program *body, const bool *linear,
                               const bool *given, bool *arrives)
{
	const shard_map_params *p = e->params;
	program *forward = vary_results(p, e->where);
	program *back = forward ? pass_transpose(forward, linear, given, arrives) : NULL;

	(void)body;
	program_release(forward);
	return back && p->unchecked ? sum_copies(p, back, arrives ? arrives : linear) : back;
}

void shard_map_transpose(build *b, const eqn *e, const type *const *in, const var *x, const var *ct,
                         var *dx)
{
	transpose_inside(b, e, in, x, ct, dx, transpose_body, rebuild_put);
}

/* ---- batch: the specs of what is mapped get one more entry, at the front */

typedef struct splits { /* positions in the mesh of the axes that split the batch, major first */
	int n, at[MAX_AXES];
	int64_t parts; /* of the batch */
} splits;

static const sharding *with_batch(build *b, const sharding *s, const splits *spmd)
{
	const sharding *made =
		sharding_batched(build_ir(b)->shards, build_where(b), s, spmd->at, spmd->n);

	if (!made) build_fail(b);
	return made;
}

/* name: the axis that it is about */
static bool fail_spmd(build *b, const eqn *e, const char *name, const char *problem)
{
	fail_sharding(b, e, "vmap's .spmd_axis '%s' %s", name, problem);
	build_fail(b);
	return false;
}

static bool names_axis(const shardings *list, int position)
{
	for (int i = 0; i < list->n; i++)
		if (list->v[i]->axes >> position & 1) return true;
	return false;
}

/* the axis of this name, which has to be manual, and not to split anything else */
static bool add_spmd(build *b, const eqn *e, const char *name, splits *to)
{
	const shard_map_params *p = e->params;
	const int at = mesh_axis(p->mesh, name, strlen(name));
	bool manual = false;

	for (int i = 0; i < p->manual.n; i++) manual = manual || p->manual.v[i] == at;
	if (at < 0 || !manual) return fail_spmd(b, e, name, "is no manual axis of the shard_map");
	for (int i = 0; i < to->n; i++)
		if (to->at[i] == at) return fail_spmd(b, e, name, "is named twice");
	if (names_axis(&p->in, at))
		return fail_spmd(b, e, name, "cannot appear in .in of the shard_map");
	if (names_axis(&p->out, at))
		return fail_spmd(b, e, name, "cannot appear in .out of the shard_map");
	to->at[to->n++] = at;
	to->parts *= p->mesh->axis[at].size;
	return true;
}

static bool find_spmd(build *b, const eqn *e, const batching *to, splits *out)
{
	const shard_map_params *p = e->params;
	char text[96];
	size_t len;

	*out = (splits){.parts = 1};
	for (const char *at = to->spmd_axis, *name; at && (name = product_next(&at, &len));) {
		char *own = arena_alloc(build_arena(b), len + 1);
		if (own) memcpy(own, name, len);
		if (!own) build_fail(b);
		if (!own || !add_spmd(b, e, own, out)) return false;
	}
	if (!out->n) return true;
	snprintf(text, sizeof text, "(of size %lld) does not evenly divide the batch, of size %lld",
	         (long long)out->parts, (long long)to->size);
	if (to->size % out->parts) return fail_spmd(b, e, to->spmd_axis, text);
	return !has_axis(p->body->names, to->axis) ||
	       fail_spmd(b, e, to->spmd_axis,
	                 "splits the batch, over whose axis a collective of the shard_map acts: "
	                 "leave out one of the two");
}

/* what the body is told about the batch: the size of its block, and the axes that split the batch
 * by now */
static batching inner_batch(const shard_map_params *p, const batching *to, const splits *spmd)
{
	batching in = *to;

	if (!spmd->n) return in;
	in.spmd_axis = NULL;
	in.size /= spmd->parts;
	for (int k = 0; k < spmd->n; k++)
		for (int i = 0; i < p->manual.n; i++)
			if (p->manual.v[i] == spmd->at[k])
				in.varying |= axis_bit(outer_axes(p) + i - (to->axis >= 0));
	return in;
}

void shard_map_batch(build *b, const eqn *e, const batching *to, const var *x,
                     const bool *mapped_in, var *y, bool *ymapped)
{
	const shard_map_params *p = e->params;
	splits spmd;
	rebuilt made;

	if (!find_spmd(b, e, to, &spmd) || !rebuild_begin(&made, b, e, e->nin, e->nout)) return;
	const batching in = inner_batch(p, to, &spmd);
	program *body = pass_batch(p->body, &in, mapped_in, NULL, ymapped);
	for (int i = 0; i < e->nin; i++) {
		role as = operand_role(e, i);
		if (mapped_in[i]) as.block = with_batch(b, as.block, &spmd);
		rebuild_takes(&made, as, x[i]);
	}
	for (int k = 0; k < e->nout; k++) {
		role as = result_role(e, k);
		if (ymapped[k]) as.block = with_batch(b, as.block, &spmd);
		rebuild_gives(&made, as, &y[k]);
	}
	if (build_failed(b))
		program_release(body);
	else
		rebuild_put(&made, &body);
}
