/* axis_index.c - defines the rows that know about devices and hardly exchange: axis_index
 * (the number of this one), pcast (a value may differ between them), assume_equal (it does not).
 *
 *     axis_index axes=(x)             gives  0:i32 | 1:i32
 *     assume_equal 5 | 5 axes=(x)     gives  5 | 5 */
#include "prim/collective/collective.h"

/* ---- axis_index: the position of the device over the named axes; with groups, within its group.
 * It varies over those axes */

static bool axis_index_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	members m;

	(void)in;
	if (!collective_check(b, e, &m)) return false;
	if (m.size > (int64_t)INT32_MAX + 1)
		return fail_sharding(
			b, e, "axis_index over axis name %s does not fit i32",
			collective_axes_text(b, &((const collective *)e->params)->axes));
	return (out[0] = type_make(build_ir(b), TSR_I32, NULL, 0, m.set));
}

static void axis_index_factors(const eqn *e, const type *const *in, const type *const *out,
                               factors *f)
{
	(void)e, (void)in, (void)out, (void)f; /* a scalar has no dims */
}

static void axis_index_eval(const eval_args *args)
{
	const collective *on = args->eqn->params;

	for (int k = 0; k < args->n; k++)
		*(int32_t *)args->y[k] = (int32_t)(on->groups.n ? k : args->index[k]);
}

/* over the axes [from, to) of the list, times scale */
static var index_over(build *b, int64_t scale, const ints *axes, int from, int to)
{
	if (from == to) return (var){0};
	const collective on = {.axes = {to - from, axes->v + from}};
	return batch_times(b, collective_index(b, &on), scale);
}

/* (a n + j) minor + c: a and c are the device's indices, j the element of the batch */
static var axis_index_named(build *b, const void *params, const rest *r, var x, bool *mapped)
{
	const ints *axes = &r->on.axes;
	const var a = index_over(b, r->n * r->minor, axes, 0, r->before);
	const var c = index_over(b, 1, axes, r->before, axes->n);
	const var own = emit_add(b, a, c);

	(void)params, (void)x;
	*mapped = true;
	const var j = batch_times(b, emit_iota(b, TSR_I32, &r->n, 1, 0), r->minor);
	return emit_add(b, j, emit_repeat(b, own, r->n));
}

BATCH_NAMED(axis_index, .of_nothing = true)

static const field axes_fields[] = {COLLECTIVE_FIELDS(axes_params), PARAMS_END};

const tsr_prim tsr__prim_axis_index = {
	.name = "axis_index",
	.doc = "which device this is along mesh axes",
	.flags = PRIM_COLLECTIVE | PRIM_OWN_VARYING, .cost = 1, .nin = 0, .nout = 1,
	.params = axes_fields,
	.types = axis_index_types, .factors = axis_index_factors, .eval = axis_index_eval,
	.batch = axis_index_batch,
	TSR_NO_RULE(COL_MEMBERS, "it exchanges nothing: its value is the number of the member"),
	TSR_NO_RULE(COL_RECEIVED, "it exchanges nothing"),
	TSR_NO_RULE(COL_JVP, "it has no operand"), TSR_NO_RULE(COL_TRANSPOSE, "it has no operand"),
	TSR_NO_RULE(COL_LOWER, "its value is known to the schedule of an engine"),
};

/* ---- pcast: invarying -> varying. Every device already has the value, so nothing moves */

static bool pcast_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const pcast_params *p = e->params;
	members m;

	if (!collective_axes(b, e, &p->axes, &m)) return false;
	if (in[0]->varying & m.set)
		return fail_sharding(b, e, "pcast goes from invarying to varying: none of the axes "
		                     "%s may be among those the operand varies over, but got %s",
		                     collective_axes_text(b, &p->axes),
		                     collective_type_text(b, in[0]));
	return (out[0] = type_vary(build_ir(b), in[0], in[0]->varying | m.set));
}

static void pcast_eval(const eval_args *args)
{
	collective_copy(args->y[0], args->x[0], collective_bytes(args->out[0]));
}

static void pcast_lower(kernel *k, const eqn *e, const kvar *index, kvar *to)
{
	to[0] = k_operand(k, e, 0, index);
}

/* the mesh axes among these that do not split the batch of an enclosing map */
static ints axes_of_copies(build *b, const ints *axes, axis_set *split)
{
	ints all = collective_axes_of(b, axes, AXIS_MESH);
	int naxes;

	const axis *known = build_axes(b, &naxes);
	const axis_set any = axes_split(known, naxes);
	*split = 0;
	for (int i = all.n - 1; i >= 0; i--) {
		if (!has_axis(any, (int)all.v[i])) continue;
		*split |= axis_bit(all.v[i]);
		all = batch_without(&all, i);
	}
	return all;
}

/* The cotangents of all copies are added. Along axes that split the batch of an enclosing map,
 * devices hold different elements, so there are no copies. */
static void pcast_transpose(build *b, const eqn *e, const type *const *in, const var *x,
                            const var *ct, var *dx)
{
	axis_set split;
	const ints copies = axes_of_copies(b, &((const pcast_params *)e->params)->axes, &split);

	(void)in, (void)x;
	dx[0] = collective_sum(b, emit_equal(b, ct[0], split), copies, COLL_TO_INVARYING);
}

/* The cast over the map's own axis is dropped, since data flow tells what is mapped. So is one over
 * axes that split the batch, over which a mapped value varies anyway. */
static void pcast_batch(build *b, const eqn *e, const batching *to, const var *x,
                        const bool *mapped, var *y, bool *ymapped)
{
	pcast_params *p = batch_params(b, e, to);
	const int k = batch_place(&((const pcast_params *)e->params)->axes, to);

	if (!p) return;
	if (k >= 0) p->axes = batch_without(&p->axes, k);
	const axis_set split = mapped[0] ? batch_split_axes(&p->axes, to) : 0;
	for (int i = p->axes.n - 1; i >= 0; i--)
		if (has_axis(split, (int)p->axes.v[i])) p->axes = batch_without(&p->axes, i);
	y[0] = p->axes.n ? emit(b, e->prim, p, x, 1) : x[0];
	ymapped[0] = mapped[0];
}

static const field pcast_fields[] = {
	PARAM(pcast_params, axes, FIELD_AXES),
	PARAMS_END,
};

const tsr_prim tsr__prim_pcast = {
	.name = "pcast",
	.doc = "the same value, allowed to vary over more axes; moves nothing",
	.flags = PRIM_OWN_VARYING, .cost = 1, .nin = 1, .nout = 1, .params = pcast_fields,
	.types = pcast_types, .factors = factors_kept, .eval = pcast_eval,
	.jvp = jvp_linear, .transpose = pcast_transpose, .batch = pcast_batch,
	.lower = pcast_lower,
};

/* ---- assume_equal: the caller promises that all devices along the axes hold the same value. Every
 * device gets the one of index 0, so the result does not vary even if the promise is broken */

static bool assume_equal_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	members m;

	if (!collective_begin(b, e, in[0], &m)) return false;
	if (((const collective *)e->params)->groups.n)
		return fail_sharding(b, e, "assume_equal takes no .groups: its result would differ "
		                     "between them");
	return (out[0] = type_vary(build_ir(b), in[0], in[0]->varying & ~m.set));
}

static void assume_equal_eval(const eval_args *args)
{
	for (int k = 0; k < args->n; k++)
		collective_copy(args->y[k], args->x[0], collective_bytes(args->out[0]));
}

/* The cotangent is divided by the number of copies, with one rounding. Along axes that split the
 * batch of an enclosing map there are no copies. */
static void assume_equal_transpose(build *b, const eqn *e, const type *const *in, const var *x,
                                   const var *ct, var *dx)
{
	const ints *axes = &((const axes_params *)e->params)->on.axes;
	int naxes;
	const axis *known = build_axes(b, &naxes);
	const axis_set split = axes_split(known, naxes);
	double copies = 1;

	(void)x;
	for (int i = 0; i < axes->n; i++)
		if (!has_axis(split, (int)axes->v[i])) copies *= (double)known[axes->v[i]].size;
	const tsr_dtype wide = dtype_wide(in[0]->dtype);
	const var share =
		emit_div(b, emit_convert(b, ct[0], wide), emit_scalar(b, wide, copies));
	dx[0] = collective_from_invarying(b, emit_convert(b, share, in[0]->dtype), axes);
}

/* the value of the first element, on the first member of the rest */
static var assume_equal_named(build *b, const void *params, const rest *r, var x, bool *mapped)
{
	(void)params;
	x = rest_take(b, x, 0, *mapped);
	*mapped = false;
	return rest_emit(b, r, &tsr__prim_assume_equal, &(axes_params){r->on}, x);
}

/* along axes that split the batch, devices have elements of their own, and nothing is assumed */
static void assume_equal_batch(build *b, const eqn *e, const batching *to, const var *x,
                               const bool *mapped, var *y, bool *ymapped)
{
	axes_params *p = batch_params(b, e, to);

	if (!p) return;
	if (!mapped[0] || !batch_split_axes(&p->on.axes, to)) {
		batch_collective(b, e, to, x, mapped, y, ymapped,
		                 &(named_axis){.rule = assume_equal_named});
		return;
	}
	for (int i = p->on.axes.n - 1; i >= 0; i--)
		if (to->varying >> p->on.axes.v[i] & 1) p->on.axes = batch_without(&p->on.axes, i);
	y[0] = p->on.axes.n ? emit(b, e->prim, p, x, 1) : x[0];
	ymapped[0] = true;
}

static void assume_equal_members(build *b, const eqn *e, int n, const bool *here, const var *x,
				 var *y)
{
	(void)here;
	(void)b, (void)e;
	members_give_all(y, n, x[0]);
}

static bool assume_equal_sends(const eqn *e, const type *const *in, int n, int i, int from, int to,
			       index_range *box)
{
	(void)e, (void)in, (void)n, (void)i, (void)to, (void)box;
	return from == 0;
}

COLLECTIVE_ROW(assume_equal,
               "the value of index 0 along mesh axes, which the others are promised to equal", 1,
               axes_fields, .factors = factors_kept, LINEAR_COLLECTIVE(assume_equal),
               .sends = assume_equal_sends,
               TSR_NO_RULE(COL_RECEIVED, "every device has the value already"))
