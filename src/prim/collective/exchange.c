/* exchange.c - exchange: from the blocks of one layout to those of another, all at once.
 *
 * Four devices along x:2 and y:2 hold a row each of a whole of 4 rows and 2 columns, and are to
 * have a half of a column each:
 *
 *     exchange [1 2;] | [3 4;] | [5 6;] | [7 8;] axes=(x,y) mesh=[2,2] dims=[4,2]
 *       from=[0>0,1>0] to=[1>0,0>1]  gives  [1; 3] | [5; 7] | [2; 4] | [6; 8]
 *
 *     x=0 y=0   1 2   gets   1 3     from: axes 0 and 1 of the list, x and y, cut dim 0, and x is
 *     x=0 y=1   3 4          5 7     the major one. to: y cuts dim 0, and x cuts dim 1
 *     x=1 y=0   5 6          2 4
 *     x=1 y=1   7 8          6 8
 *
 * Which device has an element is a sum of a few products, so every device knows by itself what it
 * gets and from whom. What `from` does not cut along an axis is equal on all devices there, and
 * each takes its own. Blocks are filled up to the same size; behind the whole there are zeros. */
#include "prim/collective/collective.h"

/* ---- where elements are */

static int64_t parts_of(const exchange_params *p, const ints *cuts, int dim)
{
	int64_t n = 1;

	for (int i = 0; i < cuts->n; i += 2)
		if (cuts->v[i + 1] == dim) n *= p->mesh.v[cuts->v[i]];
	return n;
}

static int64_t block_of(const exchange_params *p, const ints *cuts, int dim)
{
	const int64_t n = parts_of(p, cuts, dim), size = p->dims.v[dim];

	return size / n + (size % n != 0);
}

/* the coordinate of a member along an axis of the list */
static int64_t along(const exchange_params *p, int64_t member, int64_t axis)
{
	for (int i = p->mesh.n - 1; i > axis; i--) member /= p->mesh.v[i];
	return member % p->mesh.v[axis];
}

/* the number of the block along a dim that a member has */
static int64_t part_at(const exchange_params *p, const ints *cuts, int dim, int64_t member)
{
	int64_t part = 0;

	for (int i = 0; i < cuts->n; i += 2)
		if (cuts->v[i + 1] == dim)
			part = part * p->mesh.v[cuts->v[i]] + along(p, member, cuts->v[i]);
	return part;
}

/* the member that has these blocks, and is where `member` is along axes that cut nothing */
static int64_t owner_of(const exchange_params *p, int64_t member, const int64_t *part)
{
	int64_t at[MAX_AXES], left[MAX_NDIM], owner = 0;

	for (int d = 0; d < p->dims.n; d++) left[d] = part[d];
	for (int i = 0; i < p->mesh.n; i++) at[i] = along(p, member, i);
	for (int i = p->from.n - 2; i >= 0; i -= 2) {
		const int64_t axis = p->from.v[i], dim = p->from.v[i + 1];
		at[axis] = left[dim] % p->mesh.v[axis];
		left[dim] /= p->mesh.v[axis];
	}
	for (int i = 0; i < p->mesh.n; i++) owner = owner * p->mesh.v[i] + at[i];
	return owner;
}

/* the indices of the whole that a member is to have along a dim */
static index_range wanted(const exchange_params *p, int dim, int64_t member)
{
	const int64_t block = block_of(p, &p->to, dim), size = p->dims.v[dim];
	const int64_t part = part_at(p, &p->to, dim, member);

	if (!block || part > (size - 1) / block) return (index_range){0, 0};
	const int64_t first = part * block;
	return (index_range){first, size - first < block ? size : first + block};
}

/* ---- types */

static bool check_cuts(build *b, const eqn *e, const char *what, const ints *cuts, axis_set *axes)
{
	const exchange_params *p = e->params;

	*axes = 0;
	for (int i = 0; i + 1 < cuts->n; i += 2) {
		const int64_t axis = cuts->v[i], dim = cuts->v[i + 1];
		if (axis < 0 || axis >= p->on.axes.n || dim < 0 || dim >= p->dims.n)
			return fail_sharding(b, e, "exchange: %s has %lld>%lld, but there are %d "
			                     "axes and %d dims", what, (long long)axis,
			                     (long long)dim, p->on.axes.n, p->dims.n);
		if (has_axis(*axes, (int)p->on.axes.v[axis]))
			return fail_sharding(b, e, "exchange: axis %lld of %s cuts twice in %s",
			                     (long long)axis, collective_axes_text(b, &p->on.axes),
			                     what);
		*axes |= axis_bit(p->on.axes.v[axis]);
	}
	return true;
}

/* axes of meshes alone, whose sizes are those of `mesh`, and no groups */
static bool check_mesh(build *b, const eqn *e, const members *m)
{
	const exchange_params *p = e->params;
	int naxes;
	const axis *known = build_axes(b, &naxes);
	bool ok = p->mesh.n == p->on.axes.n && !p->on.groups.n;

	for (int i = 0; ok && i < p->mesh.n; i++)
		ok = p->mesh.v[i] == known[p->on.axes.v[i]].size &&
		     has_axis(m->set, (int)p->on.axes.v[i]);
	return ok || fail_sharding(b, e, "exchange takes axes %s of a mesh, with their sizes, and "
	                           "no groups", collective_axes_text(b, &p->on.axes));
}

static bool check_block(build *b, const eqn *e, const type *x, axis_set over, axis_set cut)
{
	const exchange_params *p = e->params;
	bool ok = p->dims.n == x->ndim && (x->varying & over) == cut;

	for (int d = 0; ok && d < x->ndim; d++)
		ok = p->dims.v[d] >= 0 && x->dims[d] == block_of(p, &p->from, d);
	return ok || fail_type(b, e, "exchange: %s is not a block of the whole as `from` cuts it, "
	                       "which varies over the axes that cut and over no other one of %s",
	                       collective_type_text(b, x), collective_axes_text(b, &p->on.axes));
}

static bool exchange_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const exchange_params *p = e->params;
	axis_set from, to;
	members m;

	if (!collective_check(b, e, &m) || !check_mesh(b, e, &m) ||
	    !check_cuts(b, e, "from", &p->from, &from) || !check_cuts(b, e, "to", &p->to, &to) ||
	    !check_block(b, e, in[0], m.set, from))
		return false;
	int64_t *dims = arena_array(build_arena(b), (size_t)p->dims.n + 1, sizeof *dims);
	if (!dims) return false;
	for (int d = 0; d < p->dims.n; d++) dims[d] = block_of(p, &p->to, d);
	const type *t = collective_redim(b, in[0], dims, p->dims.n);
	return t && (out[0] = type_vary(build_ir(b), t, (in[0]->varying & ~m.set) | to));
}

/* a dim that neither layout cuts passes; what is in a block of another depends on its place */
static void exchange_factors(const eqn *e, const type *const *in, const type *const *out,
                             factors *f)
{
	const exchange_params *p = e->params;

	for (int d = 0; d < in[0]->ndim; d++) {
		if (parts_of(p, &p->from, d) == 1 && parts_of(p, &p->to, d) == 1) {
			factor_shared(e, in, f, d, d);
			continue;
		}
		factor_at(f, 0, d, collective_whole(f, in[0]->dims[d]));
		factor_at(f, e->nin, d, collective_whole(f, out[0]->dims[d]));
	}
}

/* ---- eval: element by element */

static void give(const eval_args *args, int member)
{
	const exchange_params *p = args->eqn->params;
	const type *from = args->in[0], *to = args->out[0];
	const size_t item = tsr_dtype_size(to->dtype);

	for (int64_t i = 0; i < to->size; i++) {
		char *y = (char *)args->y[member] + (size_t)i * item;
		int64_t rest = i, part[MAX_NDIM], at = 0, stride = 1;
		bool inside = true;
		for (int d = to->ndim - 1; d >= 0; d--) {
			const index_range w = wanted(p, d, member);
			const int64_t index = w.first + rest % to->dims[d];
			rest /= to->dims[d];
			inside = inside && index < w.end;
			part[d] = inside ? index / from->dims[d] : 0;
			if (inside) at += index % from->dims[d] * stride;
			stride *= from->dims[d];
		}
		if (!inside) memset(y, 0, item);
		else
			memcpy(y, (char *)args->x[owner_of(p, member, part)] + (size_t)at * item,
			       item);
	}
}

static void exchange_eval(const eval_args *args)
{
	for (int k = 0; k < args->n; k++) give(args, k);
}

/* ---- rules */

/* the way back: cotangents are blocks of `to` */
static void exchange_transpose(build *b, const eqn *e, const type *const *in, const var *x,
                               const var *ct, var *dx)
{
	exchange_params back = *(const exchange_params *)e->params;
	const ints from = back.from;

	(void)in, (void)x;
	back.from = back.to;
	back.to = from;
	dx[0] = emit(b, e->prim, &back, ct, 1);
}

/* cuts of an array with one more dim in front */
static ints one_dim_on(build *b, const ints *cuts)
{
	int64_t *v = ints_room(b, cuts->n);

	for (int i = 0; v && i < cuts->n; i++) v[i] = cuts->v[i] + i % 2;
	return (ints){v ? cuts->n : 0, v};
}

/* the batch is one more dim in front, which is not cut */
static void exchange_batch(build *b, const eqn *e, const batching *to, const var *x,
                           const bool *mapped, var *y, bool *ymapped)
{
	exchange_params *p = batch_params(b, e, to);

	if (!p || batch_refuse_split(b, e, &p->on.axes, to)) return;
	if (mapped[0]) {
		int64_t *dims = ints_room(b, p->dims.n + 1);
		if (!dims) return;
		dims[0] = to->size;
		for (int d = 0; d < p->dims.n; d++) dims[1 + d] = p->dims.v[d];
		p->dims = (ints){p->dims.n + 1, dims};
		p->from = one_dim_on(b, &p->from);
		p->to = one_dim_on(b, &p->to);
	}
	y[0] = emit(b, e->prim, p, x, 1);
	ymapped[0] = mapped[0];
}

/* ---- members: what each device gets, put together from parts of others' blocks */

typedef struct getting {
	const exchange_params *p;
	const var *x;
	int64_t member, part[MAX_NDIM];
} getting;

/* along dims d and on as the member is to have them, and along the dims before as the owner of the
 * parts there has them */
static var got(build *b, getting *g, int d)
{
	const exchange_params *p = g->p;

	if (d == p->dims.n) return g->x[owner_of(p, g->member, g->part)];
	const int64_t has = block_of(p, &p->from, d), size = block_of(p, &p->to, d);
	const index_range w = wanted(p, d, g->member);
	const int64_t first = w.first / has, n = (w.end - 1) / has - first + 1;
	var *piece = var_room(b, (int)n);
	for (int64_t k = 0; piece && k < n; k++) {
		const int64_t start = (first + k) * has;
		g->part[d] = first + k;
		piece[k] = members_part(b, got(b, g, d + 1), d,
		                        w.first > start ? w.first - start : 0,
		                        w.end - start < has ? w.end - start : has);
	}
	if (!piece) return (var){0};
	const var joined = emit_join(b, piece, (int)n, d);
	if (is_zero(joined) || w.end - w.first == size) return joined;
	const var zero = emit_scalar(b, build_type(b, joined)->dtype, 0);
	return emit_pad_dim(b, joined, d, 0, size - (w.end - w.first), zero);
}

static void exchange_members(build *b, const eqn *e, int n, const bool *here, const var *x,
			     var *y)
{
	getting g = {.p = e->params, .x = x};
	const type *t = build_type(b, x[0]);
	int64_t *dims = ints_room(b, g.p->dims.n);
	bool any = dims;

	for (int d = 0; any && d < g.p->dims.n; d++) dims[d] = block_of(g.p, &g.p->to, d);
	for (int k = 0; dims && k < n; k++) {
		if (here && !here[k]) continue;
		any = true;
		g.member = k;
		for (int d = 0; d < g.p->dims.n; d++) any = any && wanted(g.p, d, k).end;
		y[k] = any ? got(b, &g, 0)
		           : emit_broadcast(b, emit_scalar(b, t->dtype, 0), dims, g.p->dims.n,
		                            NULL);
	}
}

/* what is in both the block of the one and that of the other, if the one owns it for the other */
static bool exchange_sends(const eqn *e, const type *const *in, int n, int i, int from, int to,
			   index_range *box)
{
	const exchange_params *p = e->params;
	int64_t part[MAX_NDIM];

	(void)in, (void)n, (void)i;
	for (int d = 0; d < p->dims.n; d++) part[d] = part_at(p, &p->from, d, from);
	bool owns = owner_of(p, to, part) == from;
	for (int d = 0; d < p->dims.n; d++) {
		const int64_t start = part[d] * block_of(p, &p->from, d);
		const index_range w = wanted(p, d, to);
		const int64_t first = w.first > start ? w.first - start : 0;
		const int64_t end = w.end - start < box[d].end ? w.end - start : box[d].end;
		box[d] = (index_range){first, end};
		owns = owns && first < end;
	}
	return owns;
}

static const field exchange_fields[] = {
	COLLECTIVE_FIELDS(exchange_params),
	PARAM(exchange_params, mesh, FIELD_INTS),
	PARAM(exchange_params, dims, FIELD_SIZES),
	PARAM(exchange_params, from, FIELD_PAIRS),
	PARAM(exchange_params, to, FIELD_PAIRS),
	PARAMS_END,
};

COLLECTIVE_ROW(exchange, "from the blocks of one layout over mesh axes to those of another", 1,
               exchange_fields, .factors = exchange_factors, LINEAR_COLLECTIVE(exchange),
               .sends = exchange_sends, .received = received_result)
