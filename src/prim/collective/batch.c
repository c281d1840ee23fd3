/* batch.c - defines the collectives over a batch, dim 0 of the mapped operands.
 *
 * An equation that does not name the axis of the batch passes the batch dim through. One that names
 * it works along dim 0 on each device, and exchanges over the axes that are left. Let n be the size
 * of the batch, `major` the product of the sizes of the axes named before its axis, and `minor`
 * that of those after it. Then member (a, j, c) of the flattened index is element j of the batch on
 * member (a, c) of the rest. So a dim of all members is [major, n, minor], and the rest has
 * s = major * minor members. Over (x, i, y) with x:2, a batch i of 3 and y:2, member 7 is a=1, j=0,
 * c=1: element 0 on member 3.
 *
 * If only the axis of the batch is named and it is cut into groups, each group is a batch of its
 * own. */
#include <stdlib.h>
#include "prim/collective/collective.h"

/* ---- what is left */

int batch_place(const ints *axes, const batching *to)
{
	return int_place(axes, to->axis);
}

void *batch_params(build *b, const eqn *e, const batching *to)
{
	void *params = params_copy(build_arena(b), e->prim->params, e->params, to->axis_map);

	if (!params) build_fail(b);
	return params;
}

ints batch_without(const ints *axes, int k)
{
	int64_t *v = (int64_t *)(uintptr_t)axes->v;

	for (int i = k; i + 1 < axes->n; i++) v[i] = v[i + 1];
	return (ints){axes->n - 1, v};
}

static rest rest_make(build *b, const collective *on, int k, int64_t n)
{
	int naxes;
	const axis *axes = build_axes(b, &naxes);
	rest r = {.before = k, .major = 1, .n = n, .minor = 1};

	r.on.axes = batch_without(&on->axes, k);
	for (int i = 0; i < r.on.axes.n; i++)
		*(i < k ? &r.major : &r.minor) *= axes[r.on.axes.v[i]].size;
	return r;
}

var rest_emit(build *b, const rest *r, const tsr_prim *prim, const void *params, var x)
{
	return r->on.axes.n ? emit(b, prim, params, &x, 1) : x;
}

int64_t rest_element(const rest *r, int64_t member) { return member / r->minor % r->n; }

int64_t rest_member(const rest *r, int64_t member)
{
	return member / (r->minor * r->n) * r->minor + member % r->minor;
}

/* ---- dims */

static int64_t members_of(const rest *r) { return r->major * r->n * r->minor; }

var rest_join(build *b, const rest *r, var x, int at)
{
	const int64_t parts[] = {r->n, r->major, r->minor}, all = members_of(r);
	const int n = r->major == 1 ? 1 : r->minor == 1 ? 2 : 3; /* dims that s and n are now */

	if (!r->on.axes.n) return x;
	if (n == 1) return emit_dims(b, x, at, 2, &all, 1);
	x = emit_dims(b, x, at, 2, parts, n);
	return emit_dims(b, emit_move_dim(b, x, at, at + 1), at, n, &all, 1);
}

var rest_part(build *b, const rest *r, var x, int at)
{
	const int64_t apart[] = {r->n, r->major * r->minor}, parts[] = {r->major, r->n, r->minor};
	const int n = r->minor == 1 ? 2 : 3;

	if (!r->on.axes.n) return x;
	if (r->major == 1) return emit_dims(b, x, at, 1, apart, 2);
	x = emit_dims(b, x, at, 1, parts, n);
	return emit_dims(b, emit_move_dim(b, x, at + 1, at), at, n, apart, 2);
}

var rest_chunks(build *b, const rest *r, var x, int dim, bool tiled)
{
	const int64_t n = members_of(r);

	if (is_zero(x)) return x;
	if (tiled) x = emit_dims(b, x, dim, 1, (int64_t[]){n, build_type(b, x)->dims[dim] / n}, 2);
	return emit_move_dim(b, x, dim, 0);
}

var rest_instances(build *b, const rest *r, var x, bool mapped)
{
	return mapped ? x : emit_repeat(b, x, r->n);
}

var batch_times(build *b, var x, int64_t n)
{
	_Alignas(16) unsigned char bytes[16] = {0};

	if (is_zero(x) || n == 1) return x;
	const tsr_dtype dtype = build_type(b, x)->dtype, wide = dtype_wide(dtype);
	dtype_from_arg(wide, &(tsr_arg){.kind = TSR_KIND_INT, .as.i = n}, bytes);
	const var product = emit_mul(b, emit_convert(b, x, wide), build_literal(b, wide, bytes));
	return emit_convert(b, product, dtype);
}

var rest_sum(build *b, const rest *r, var x, bool mapped)
{
	return mapped ? emit_sum(b, x, (int64_t[]){0}, 1) : batch_times(b, x, r->n);
}

/* ---- elements in another order: dim 0 as a list of elements, cut into runs of equal steps */

/* How many entries of the list, from `from` on, have one step between neighbours (0: they repeat),
 * or are all -1. Two entries alone count as a run only if they are at most one apart. */
static int run_length(const int64_t *index, int from, int n, int64_t *step)
{
	const bool zeros = index[from] < 0;
	int end = from + 1;

	*step = !zeros && end < n && index[end] >= 0 ? index[end] - index[from] : 0;
	while (end < n && (index[end] < 0) == zeros &&
	       (zeros || index[end] - index[end - 1] == *step))
		end++;
	return end == from + 2 && (*step > 1 || *step < -1) ? 1 : end - from;
}

/* zeros of the type of x, with n along dim 0 */
static var zeros_along(build *b, var x, int64_t n)
{
	if (is_zero(x)) return x;
	const type *t = build_type(b, x);
	int64_t *dims = ints_room(b, t->ndim);
	if (!dims) return (var){0};
	for (int d = 0; d < t->ndim; d++) dims[d] = d ? t->dims[d] : n;
	const type *other = type_shaped(build_ir(b), t, dims, t->ndim, t->varying);
	if (other) return emit_zeros(b, other);
	build_fail(b);
	return (var){0};
}

static var take_run(build *b, var x, int64_t first, int64_t step, int64_t n)
{
	static const int64_t leading[] = {0};
	const int64_t last = first + (n - 1) * step, low = step < 0 ? last : first;
	const int64_t high = step < 0 ? first : last, every = n == 1 || !step ? 1 : llabs(step);

	if (first < 0) return zeros_along(b, x, n);
	const bool all = low == 0 && high + 1 == build_type(b, x)->dims[0] && every == 1;
	const var part = all ? x : emit_every(b, x, 0, low, high + 1, every);
	if (is_zero(part) || n == 1) return part;
	if (step == 0) return emit_repeat(b, emit_dims(b, part, 0, 1, NULL, 0), n);
	return step > 0 ? part : emit(b, &tsr__prim_rev, &(dims_params){{1, leading}}, &part, 1);
}

var batch_take(build *b, var x, const int64_t *index, int n)
{
	var *part = var_room(b, n);
	int nparts = 0;
	int64_t step;

	if (!part || is_zero(x)) return (var){0};
	for (int at = 0, length; at < n; at += length) {
		length = run_length(index, at, n, &step);
		part[nparts++] = take_run(b, x, index[at], step, length);
	}
	return emit_join(b, part, nparts, 0);
}

var rest_take(build *b, var x, int64_t j, bool mapped)
{
	if (!mapped) return x;
	return emit_dims(b, batch_take(b, x, &j, 1), 0, 1, NULL, 0);
}

/* ---- groups of the batch */

static var refuse_groups(build *b, const eqn *e, const rest *r)
{
	fail(build_base(b), e->where, TSR_ERROR_UNSUPPORTED,
	     "%s with .groups over the axis name of a vmap and %s together is not "
	     "supported; name one of them at a time, or make the vmap a shard_map over one more "
	     "mesh axis",
	     eqn_name(b, e), collective_axes_text(b, &r->on.axes));
	build_fail(b);
	return (var){0};
}

/* the results of all groups, computed one after the other, then put in the order of the batch */
static var in_groups(build *b, const eqn *e, const void *params, var x, bool mapped,
                     const named_axis *named)
{
	const groups *g = &((const collective *)e->params)->groups;
	var *of_group = var_room(b, g->n);
	int64_t n = 0;

	for (int i = 0; i < g->n; i++) n += g->group[i].n;
	int64_t *place = ints_room(b, (int)n);
	if (!of_group || !place) return (var){0};
	for (int i = 0, next = 0; i < g->n; i++) {
		const ints *in = &g->group[i];
		const rest r = {.major = 1, .n = in->n, .minor = 1};
		bool each = mapped;
		const var own = mapped ? batch_take(b, x, in->v, in->n) : x;
		const var y = named->rule(b, params, &r, own, &each);
		of_group[i] = rest_instances(b, &r, y, each);
		for (int k = 0; k < in->n; k++) place[in->v[k]] = next++;
	}
	return batch_take(b, emit_join(b, of_group, g->n, 0), place, (int)n);
}

/* ---- along a mesh axis that splits the batch (.spmd_axis) devices hold different elements */

axis_set batch_split_axes(const ints *axes, const batching *to)
{
	axis_set set = 0;

	for (int i = 0; i < axes->n; i++)
		if (axes->v[i] >= 0) set |= axis_bit((int)axes->v[i]);
	return set & to->varying;
}

bool batch_refuse_split(build *b, const eqn *e, const ints *axes, const batching *to)
{
	if (!batch_split_axes(axes, to)) return false;
	fail_sharding(b, e, "%s acts over %s, and the .spmd_axis of a vmap splits its batch over "
	              "one of them, so that the devices there hold other elements: leave out "
	              ".spmd_axis, or name an axis that the body does not use", eqn_name(b, e),
	              collective_axes_text(b, axes));
	build_fail(b);
	return true;
}

/* ---- a batch without elements: its body was traced with an axis of size 1, so a dim of all
 * members has size 1. The rule runs on one element of zeros, which is dropped again. Sums and
 * extremes of nothing are defined and need no such element */

/* ---- the column */

void batch_collective(build *b, const eqn *e, const batching *to, const var *x, const bool *mapped,
                      var *y, bool *ymapped, const named_axis *named)
{
	const collective *given = e->params;
	const int k = batch_place(&given->axes, to);
	collective *on = batch_params(b, e, to);
	const bool none = !to->size && (!named->of_nothing || given->groups.n);
	var operand = e->nin ? x[0] : (var){0};

	if (!on) return;
	ymapped[0] = e->nin && mapped[0];
	if (ymapped[0] && batch_refuse_split(b, e, &on->axes, to)) return;
	if (k < 0) {
		if (named->shift) named->shift(on);
		y[0] = emit(b, e->prim, on, x, e->nin);
		return;
	}
	const rest r = rest_make(b, on, k, none ? 1 : to->size);
	if (none && ymapped[0]) operand = zeros_along(b, operand, 1);
	if (!given->groups.n) {
		y[0] = named->rule(b, on, &r, operand, &ymapped[0]);
	} else {
		y[0] = r.on.axes.n ? refuse_groups(b, e, &r)
		                   : in_groups(b, e, on, operand, ymapped[0], named);
		ymapped[0] = true;
	}
	if (none && ymapped[0]) y[0] = zeros_along(b, y[0], 0);
}
