/* collective_transpose.c - the collectives backwards.
 *
 * Over a mesh axis a value that does not vary is one value: where it fans out (pcast) the
 * cotangents of its copies are summed, and where a sum does not vary its cotangent fans out. Over
 * the axis of a map, and where a sum goes to varying, each member has a cotangent of its own, and a
 * sum is its own transpose. */
#include "prim/collective.h"

/* ---- pieces */

/* those of the axes that are of one kind */
static ints axes_of_kind(build *b, const ints *axes, axis_kind kind)
{
	int naxes;
	const axis *known = build_axes(b, &naxes);
	int64_t *v = list_room(b, axes->n);
	ints of_kind = {0, v};

	for (int i = 0; v && i < axes->n; i++)
		if (known[axes->v[i]].kind == kind) v[of_kind.n++] = axes->v[i];
	return of_kind;
}

static axis_set axes_set(const ints *axes)
{
	axis_set set = 0;

	for (int i = 0; i < axes->n; i++) set |= axis_bit(axes->v[i]);
	return set;
}

/* over no axes it is the operand */
static var sum_over(build *b, var x, ints axes, int to)
{
	const preduce_params p = {.on = {.axes = axes}, .to = to};

	return axes.n ? emit(b, &tsr__prim_psum, &p, &x, 1) : x;
}

static var fan_out(build *b, var x, axis_set varying)
{
	const var y = is_zero(x) ? x : build_vary(b, x, varying, build_where(b));

	if (is_zero(y)) build_fail(b);
	return y;
}

/* cotangent of what does not vary over the named mesh axes and comes from what does: summed over
 * the axes of maps, the same on all devices along those of meshes */
static var from_invarying(build *b, var ct, const ints *axes)
{
	const ints maps = axes_of_kind(b, axes, AXIS_MAP);
	const ints meshes = axes_of_kind(b, axes, AXIS_MESH);

	return fan_out(b, sum_over(b, ct, maps, COLL_TO_INVARYING), axes_set(&meshes));
}

static var index_over(build *b, const collective *on)
{
	return emit(b, &tsr__prim_axis_index, &(axes_params){*on}, NULL, 0);
}

/* ---- pcast, psum, assume_equal */

COLLECTIVE_TRANSPOSE(pcast)
{
	const pcast_params *p = e->params;

	(void)in, (void)x;
	dx[0] = sum_over(b, ct[0], axes_of_kind(b, &p->axes, AXIS_MESH), COLL_TO_INVARYING);
}

COLLECTIVE_TRANSPOSE(psum)
{
	const preduce_params *p = e->params;

	(void)in, (void)x;
	dx[0] = p->to == COLL_TO_VARYING ? emit(b, e->prim, p, ct, 1)
	                                 : from_invarying(b, ct[0], &p->on.axes);
}

/* all copies are the same value, so each has its share of the cotangent */
COLLECTIVE_TRANSPOSE(assume_equal)
{
	const ints *axes = &((const axes_params *)e->params)->on.axes;
	int naxes;
	const axis *known = build_axes(b, &naxes);
	double copies = 1;

	(void)x;
	for (int i = 0; i < axes->n; i++) copies *= (double)known[axes->v[i]].size;
	const var share = emit_div(b, ct[0], emit_scalar(b, in[0]->dtype, copies));
	dx[0] = from_invarying(b, share, axes);
}

/* ---- gathering and scattering */

/* chunk k of what was gathered, for member k */
static var own_chunk(build *b, const all_gather_params *p, const type *x, var ct)
{
	const int64_t step = p->tiled ? x->dims[p->dim] : 1;
	const int n = is_zero(ct) ? 0 : build_type(b, ct)->ndim;
	int64_t *dims = list_room(b, n);
	var *io = var_room(b, n + 1);

	if (!dims || !io || !n) return (var){0};
	const type *t = build_type(b, ct);
	const tsr_dtype index = t->dims[p->dim] > INT32_MAX ? TSR_I64 : TSR_I32;
	const var at = emit_convert(b, index_over(b, &p->on), index);
	io[0] = ct;
	for (int d = 0; d < n; d++) {
		dims[d] = d == p->dim ? step : t->dims[d];
		io[1 + d] = d == p->dim ? emit_mul(b, at, emit_scalar(b, index, (double)step))
		                        : emit_scalar(b, index, 0);
	}
	const dynamic_slice_params part = {{n, dims}};
	const var chunk = emit(b, &tsr__prim_dynamic_slice, &part, io, 1 + n);
	return p->tiled ? chunk : emit_reshape(b, chunk, x->dims, x->ndim);
}

COLLECTIVE_TRANSPOSE(all_gather)
{
	const all_gather_params *p = e->params;
	const psum_scatter_params back = {p->on, p->dim, p->tiled};
	const ints meshes = axes_of_kind(b, &p->on.axes, AXIS_MESH);

	(void)x;
	if (p->to == COLL_TO_INVARYING && meshes.n) {
		const ints maps = axes_of_kind(b, &p->on.axes, AXIS_MAP);
		const var sum = sum_over(b, ct[0], maps, COLL_TO_INVARYING);
		dx[0] = own_chunk(b, p, in[0], sum);
	} else {
		dx[0] = emit(b, &tsr__prim_psum_scatter, &back, ct, 1);
	}
}

COLLECTIVE_TRANSPOSE(psum_scatter)
{
	const psum_scatter_params *p = e->params;
	const all_gather_params back = {p->on, p->dim, p->tiled, COLL_TO_VARYING};

	(void)in, (void)x;
	dx[0] = emit(b, &tsr__prim_all_gather, &back, ct, 1);
}

/* ---- moving */

COLLECTIVE_TRANSPOSE(all_to_all)
{
	const all_to_all_params *p = e->params;
	const all_to_all_params back = {p->on, p->concat, p->split, p->tiled};

	(void)in, (void)x;
	dx[0] = emit(b, e->prim, &back, ct, 1);
}

COLLECTIVE_TRANSPOSE(ppermute)
{
	const ppermute_params *p = e->params;
	int64_t *pairs = list_room(b, p->perm.n);
	const ppermute_params back = {p->on, {p->perm.n, pairs}};

	(void)in, (void)x;
	if (!pairs) return;
	for (int i = 0; i < p->perm.n; i++) pairs[i] = p->perm.v[i ^ 1];
	dx[0] = emit(b, e->prim, &back, ct, 1);
}

/* what all members got came from the source */
COLLECTIVE_TRANSPOSE(pbroadcast)
{
	const pbroadcast_params *p = e->params;
	const preduce_params all = {p->on, COLL_TO_VARYING};
	const var sum = emit(b, &tsr__prim_psum, &all, ct, 1);
	const var source = emit_scalar(b, TSR_I32, (double)p->source);

	(void)in, (void)x;
	dx[0] = emit_select(b, emit_2(b, &tsr__prim_eq, index_over(b, &p->on), source), sum,
	                    (var){0});
}
