/* collective_batch.c - the collectives over a batch, which is dim 0 of what is mapped.
 *
 * An equation that does not name the axis of the batch lets the batch dim pass through. One that
 * names it works along dim 0 on each device, and exchanges over the axes that are left. Let `major`
 * be the product of the sizes of the axes before that of the batch, n the size of the batch and
 * `minor` the product for those after: member (a, j, c) of the flattened index is element j of the
 * batch on member (a, c) of the rest. So a dim of all members is [major, n, minor], and what is
 * left of the collective has s = major * minor members.
 *
 * Where the batch alone is cut into groups, each of these is a batch of its own. */
#include "prim/collective.h"

/* ---- what is left */

int batch_place(const ints *axes, const batching *to)
{
	for (int i = 0; i < axes->n; i++)
		if (axes->v[i] == to->axis) return i;
	return -1;
}

void *batch_params(build *b, const eqn *e, const batching *to)
{
	void *params = params_copy(build_arena(b), e->prim->params, e->params, to->axis_map);

	if (!params) build_fail(b);
	return params;
}

/* the list without entry k. It is one of batch_params, so it may be changed */
static ints without(const ints *axes, int k)
{
	int64_t *v = (int64_t *)(uintptr_t)axes->v;

	for (int i = k; i + 1 < axes->n; i++) v[i] = v[i + 1];
	return (ints){axes->n - 1, v};
}

static rest rest_make(build *b, const collective *on, int k, int64_t n)
{
	int naxes;
	const axis *axes = build_axes(b, &naxes);
	rest r = {.on.axes = without(&on->axes, k), .before = k, .major = 1, .n = n, .minor = 1};

	for (int i = 0; i < r.on.axes.n; i++)
		*(i < k ? &r.major : &r.minor) *= axes[r.on.axes.v[i]].size;
	return r;
}

/* what is left of an equation: itself, if no axis is */
static var over_rest(build *b, const rest *r, const tsr_prim *prim, const void *params, var x)
{
	return r->on.axes.n ? emit(b, prim, params, &x, 1) : x;
}

/* ---- dims */

/* dims at .. at + count - 1 replaced by others */
static var redim(build *b, var x, int64_t at, int count, const int64_t *by, int nby)
{
	if (is_zero(x)) return x;
	const type *t = build_type(b, x);
	const int n = t->ndim - count + nby;
	int64_t *dims = list_room(b, n);
	if (!dims || dims_same(t->dims + at, count, by, nby)) return dims ? x : (var){0};
	for (int d = 0; d < n; d++)
		dims[d] = d < at         ? t->dims[d]
		          : d < at + nby ? by[d - at]
		                         : t->dims[d - nby + count];
	return emit_reshape(b, x, dims, n);
}

/* dims at, at + 1 made one */
static var merge(build *b, var x, int64_t at)
{
	if (is_zero(x)) return x;
	const type *t = build_type(b, x);
	return redim(b, x, at, 2, (int64_t[]){t->dims[at] * t->dims[at + 1]}, 1);
}

static int64_t members_of(const rest *r) { return r->major * r->n * r->minor; }

/* dims [n, s] from `at` on, into one of all members in order; without a rest there is no s */
static var join_members(build *b, const rest *r, var x, int at)
{
	const int64_t parts[] = {r->n, r->major, r->minor}, all = members_of(r);
	const int n = r->major == 1 ? 1 : r->minor == 1 ? 2 : 3; /* dims that s and n are now */

	if (!r->on.axes.n) return x;
	if (n == 1) return redim(b, x, at, 2, &all, 1);
	x = redim(b, x, at, 2, parts, n);
	return redim(b, emit_move_dim(b, x, at, at + 1), at, n, &all, 1);
}

/* the other way */
static var part_members(build *b, const rest *r, var x, int at)
{
	const int64_t apart[] = {r->n, r->major * r->minor}, parts[] = {r->major, r->n, r->minor};
	const int n = r->minor == 1 ? 2 : 3;

	if (!r->on.axes.n) return x;
	if (r->major == 1) return redim(b, x, at, 1, apart, 2);
	x = redim(b, x, at, 1, parts, n);
	return redim(b, emit_move_dim(b, x, at + 1, at), at, n, apart, 2);
}

/* a dim of chunks for all members, to the front; what is left of it stays where it is (tiled), or
 * nothing is */
static var chunks_first(build *b, const rest *r, var x, int dim, bool tiled)
{
	const int64_t n = members_of(r);

	if (is_zero(x)) return x;
	if (tiled) x = redim(b, x, dim, 1, (int64_t[]){n, build_type(b, x)->dims[dim] / n}, 2);
	return emit_move_dim(b, x, dim, 0);
}

static var instances(build *b, const rest *r, var x, bool mapped)
{
	return mapped ? x : emit_repeat(b, x, r->n);
}

/* ---- rules of equations that name the axis. x is mapped or not, and so is the result */

typedef var named_rule(build *, const void *params, const rest *, var x, bool *mapped);

/* n times the same value */
static var times(build *b, var x, int64_t n)
{
	_Alignas(16) unsigned char bytes[16] = {0};

	if (is_zero(x) || n == 1) return x;
	const tsr_dtype dtype = build_type(b, x)->dtype;
	dtype_from_arg(dtype, &(tsr_arg){TSR_KIND_INT, {.i = n}}, bytes);
	return emit_mul(b, x, build_literal(b, dtype, bytes));
}

static var sum_of_batch(build *b, const rest *r, var x, bool mapped)
{
	return mapped ? emit_sum(b, x, (int64_t[]){0}, 1) : times(b, x, r->n);
}

static var psum_named(build *b, const void *params, const rest *r, var x, bool *mapped)
{
	const preduce_params p = {r->on, ((const preduce_params *)params)->to};

	x = sum_of_batch(b, r, x, *mapped);
	*mapped = false;
	return over_rest(b, r, &tsr__prim_psum, &p, x);
}

static var extreme_named(build *b, const void *params, const rest *r, var x, bool *mapped,
                         const tsr_prim *local, const tsr_prim *prim)
{
	const preduce_params p = {r->on, ((const preduce_params *)params)->to};
	const reduce_params leading = {{1, (int64_t[]){0}}};

	if (*mapped) x = emit(b, local, &leading, &x, 1);
	*mapped = false;
	return over_rest(b, r, prim, &p, x);
}

static var pmax_named(build *b, const void *params, const rest *r, var x, bool *mapped)
{
	return extreme_named(b, params, r, x, mapped, &tsr__prim_reduce_max, &tsr__prim_pmax);
}

static var pmin_named(build *b, const void *params, const rest *r, var x, bool *mapped)
{
	return extreme_named(b, params, r, x, mapped, &tsr__prim_reduce_min, &tsr__prim_pmin);
}

static var all_gather_named(build *b, const void *params, const rest *r, var x, bool *mapped)
{
	const all_gather_params *p = params;
	const all_gather_params stack = {r->on, *mapped, false, p->to};

	x = over_rest(b, r, &tsr__prim_all_gather, &stack, x); /* [n, s, ...] or [s, ...] */
	x = join_members(b, r, instances(b, r, x, *mapped), 0);
	x = emit_move_dim(b, x, 0, (int)p->dim);
	*mapped = false;
	return p->tiled ? merge(b, x, p->dim) : x;
}

static var psum_scatter_named(build *b, const void *params, const rest *r, var x, bool *mapped)
{
	const psum_scatter_params *p = params;
	const psum_scatter_params chunks = {r->on, 1, false};

	x = sum_of_batch(b, r, x, *mapped);
	x = part_members(b, r, chunks_first(b, r, x, (int)p->dim, p->tiled), 0);
	*mapped = true;
	return over_rest(b, r, &tsr__prim_psum_scatter, &chunks, x);
}

static var all_to_all_named(build *b, const void *params, const rest *r, var x, bool *mapped)
{
	const all_to_all_params *p = params;
	const all_to_all_params chunks = {r->on, 1, 1, false};

	x = instances(b, r, x, *mapped);
	x = chunks_first(b, r, x, (int)p->split + 1, p->tiled);
	x = part_members(b, r, x, 0); /* [n to, s to, n from, ...] */
	x = over_rest(b, r, &tsr__prim_all_to_all, &chunks, x);
	if (r->on.axes.n) x = emit_move_dim(b, x, 2, 1); /* [n to, n from, s from, ...] */
	x = join_members(b, r, x, 1);
	x = emit_move_dim(b, x, 1, (int)p->concat + 1);
	*mapped = true;
	return p->tiled ? merge(b, x, p->concat + 1) : x;
}

/* element j of the batch */
static var element(build *b, var x, int64_t j, bool mapped)
{
	if (!mapped) return x;
	return redim(b, batch_take(b, x, &j, 1), 0, 1, NULL, 0);
}

static var pbroadcast_named(build *b, const void *params, const rest *r, var x, bool *mapped)
{
	const int64_t source = ((const pbroadcast_params *)params)->source;
	const pbroadcast_params p = {r->on, rest_member(r, source)};

	x = element(b, x, rest_element(r, source), *mapped);
	*mapped = false;
	return over_rest(b, r, &tsr__prim_pbroadcast, &p, x);
}

static var ppermute_named(build *b, const void *params, const rest *r, var x, bool *mapped)
{
	const ints *perm = &((const ppermute_params *)params)->perm;

	x = instances(b, r, x, *mapped);
	*mapped = true;
	return batch_permute(b, r, perm, x);
}

static var assume_equal_named(build *b, const void *params, const rest *r, var x, bool *mapped)
{
	(void)params;
	x = element(b, x, 0, *mapped);
	*mapped = false;
	return over_rest(b, r, &tsr__prim_assume_equal, &(axes_params){r->on}, x);
}

/* over the axes [from, to) of the list */
static var index_over(build *b, int64_t scale, const ints *axes, int from, int to)
{
	if (from == to) return (var){0};
	const axes_params p = {.on = {.axes = {to - from, axes->v + from}}};
	return times(b, emit(b, &tsr__prim_axis_index, &p, NULL, 0), scale);
}

/* (a n + j) minor + c: a and c are the device's, j runs along the batch */
static var axis_index_named(build *b, const void *params, const rest *r, var x, bool *mapped)
{
	const iota_params count = {TSR_I32, {1, &r->n}, 0};
	const ints *axes = &r->on.axes;
	const var a = index_over(b, r->n * r->minor, axes, 0, r->before);
	const var c = index_over(b, 1, axes, r->before, axes->n);
	const var own = emit_add(b, a, c);

	(void)params, (void)x;
	*mapped = true;
	const var j = times(b, emit(b, &tsr__prim_iota, &count, NULL, 0), r->minor);
	return emit_add(b, j, emit_repeat(b, own, r->n));
}

/* ---- groups of the batch */

static var refuse_groups(build *b, const eqn *e, const rest *r)
{
	fail(build_base(b), e->where, TSR_ERROR_UNSUPPORTED,
	     "%s with axis_index_groups over the axis name of a vmap and %s together is not "
	     "supported; name one of them at a time, or make the vmap a shard_map over one more "
	     "mesh axis",
	     e->prim->name, collective_axes_text(b, &r->on.axes));
	build_fail(b);
	return (var){0};
}

/* the results of all groups, one after the other, then in order of the batch */
static var in_groups(build *b, const eqn *e, const void *params, var x, bool mapped,
                     named_rule *rule)
{
	const groups *g = &((const collective *)e->params)->groups;
	var *of_group = var_room(b, g->n);
	int64_t n = 0;

	for (int i = 0; i < g->n; i++) n += g->group[i].n;
	int64_t *place = list_room(b, (int)n);
	if (!of_group || !place) return (var){0};
	for (int i = 0, next = 0; i < g->n; i++) {
		const ints *in = &g->group[i];
		const rest r = {.major = 1, .n = in->n, .minor = 1};
		bool each = mapped;
		const var own = mapped ? batch_take(b, x, in->v, in->n) : x;
		const var y = rule(b, params, &r, own, &each);
		of_group[i] = instances(b, &r, y, each);
		for (int k = 0; k < in->n; k++) place[in->v[k]] = next++;
	}
	return batch_take(b, emit_join(b, of_group, g->n, 0), place, (int)n);
}

/* ---- over a mesh axis that splits the batch (.spmd_axis) devices hold other elements, not copies
 */

static axis_set split_axes(const ints *axes, const batching *to)
{
	axis_set set = 0;

	for (int i = 0; i < axes->n; i++)
		if (axes->v[i] >= 0) set |= axis_bit((int)axes->v[i]);
	return set & to->varying;
}

bool refuse_split(build *b, const eqn *e, const ints *axes, const batching *to)
{
	if (!split_axes(axes, to)) return false;
	fail(build_base(b), e->where, TSR_ERROR_SHARDING,
	     "%s acts over %s, and the .spmd_axis of a vmap splits its batch over one of them, so "
	     "that the devices there hold other elements: leave out .spmd_axis, or name an axis "
	     "that the body does not use",
	     e->prim->name, collective_axes_text(b, axes));
	build_fail(b);
	return true;
}

/* ---- a batch of no elements: its body was traced with an axis of size 1, so that what holds all
 * members, or a part of each, has one. The rule runs on one element of zeros, which goes again. The
 * sum and the extremes of nothing are what they are */

static bool none_to_hold(const eqn *e, const batching *to)
{
	const bool of_nothing = e->prim == &tsr__prim_psum || e->prim == &tsr__prim_pmax ||
	                        e->prim == &tsr__prim_pmin || e->prim == &tsr__prim_axis_index;

	return !to->size && (!of_nothing || ((const collective *)e->params)->groups.n);
}

/* zeros of the type of x, with n along dim 0 */
static var zeros_along(build *b, var x, int64_t n)
{
	if (is_zero(x)) return x;
	const type *t = build_type(b, x);
	int64_t *dims = list_room(b, t->ndim);
	if (!dims) return (var){0};
	for (int d = 0; d < t->ndim; d++) dims[d] = d ? t->dims[d] : n;
	const type *other = type_make(build_ir(b), t->dtype, dims, t->ndim, t->varying);
	if (other) return emit_zeros(b, other);
	build_fail(b);
	return (var){0};
}

/* ---- the column. shift: moves dims in the parameters past the batch's (NULL: there are none) */

typedef void shift_rule(void *params);

static void batch_of(build *b, const eqn *e, const batching *to, const var *x, const bool *mapped,
                     var *y, bool *ymapped, shift_rule *shift, named_rule *named)
{
	const collective *given = e->params;
	const int k = batch_place(&given->axes, to);
	collective *on = batch_params(b, e, to);
	const bool none = none_to_hold(e, to);
	var operand = e->nin ? x[0] : (var){0};

	if (!on) return;
	ymapped[0] = e->nin && mapped[0];
	if (ymapped[0] && refuse_split(b, e, &on->axes, to)) return;
	if (k < 0) {
		if (shift) shift(on);
		y[0] = emit(b, e->prim, on, x, e->nin);
		return;
	}
	const rest r = rest_make(b, on, k, none ? 1 : to->size);
	if (none && ymapped[0]) operand = zeros_along(b, operand, 1);
	if (!given->groups.n) {
		y[0] = named(b, on, &r, operand, &ymapped[0]);
	} else {
		y[0] = r.on.axes.n ? refuse_groups(b, e, &r)
		                   : in_groups(b, e, on, operand, ymapped[0], named);
		ymapped[0] = true;
	}
	if (none && ymapped[0]) y[0] = zeros_along(b, y[0], 0);
}

#define BATCH_RULE(prim_, shift_) \
	COLLECTIVE_BATCH(prim_) \
	{ \
		batch_of(b, e, to, x, mapped, y, ymapped, shift_, prim_##_named); \
	}

static void all_gather_shift(void *p) { ((all_gather_params *)p)->dim++; }
static void psum_scatter_shift(void *p) { ((psum_scatter_params *)p)->dim++; }
static void all_to_all_shift(void *p)
{
	((all_to_all_params *)p)->split++;
	((all_to_all_params *)p)->concat++;
}

BATCH_RULE(psum, NULL)
BATCH_RULE(pmax, NULL)
BATCH_RULE(pmin, NULL)
BATCH_RULE(ppermute, NULL)
BATCH_RULE(pbroadcast, NULL)
BATCH_RULE(axis_index, NULL)
BATCH_RULE(all_gather, all_gather_shift)
BATCH_RULE(psum_scatter, psum_scatter_shift)
BATCH_RULE(all_to_all, all_to_all_shift)

/* where each device has elements of its own nothing is assumed */
COLLECTIVE_BATCH(assume_equal)
{
	axes_params *p = batch_params(b, e, to);

	if (!p) return;
	if (!mapped[0] || !split_axes(&p->on.axes, to)) {
		batch_of(b, e, to, x, mapped, y, ymapped, NULL, assume_equal_named);
		return;
	}
	for (int i = p->on.axes.n - 1; i >= 0; i--)
		if (to->varying >> p->on.axes.v[i] & 1) p->on.axes = without(&p->on.axes, i);
	y[0] = p->on.axes.n ? emit(b, e->prim, p, x, 1) : x[0];
	ymapped[0] = true;
}

/* what a map's axis says of a cast, data flow says already */
COLLECTIVE_BATCH(pcast)
{
	pcast_params *p = batch_params(b, e, to);
	const int k = batch_place(&((const pcast_params *)e->params)->axes, to);

	if (!p) return;
	if (mapped[0] && refuse_split(b, e, &p->axes, to)) return;
	if (k >= 0) p->axes = without(&p->axes, k);
	y[0] = p->axes.n ? emit(b, e->prim, p, x, 1) : x[0];
	ymapped[0] = mapped[0];
}
