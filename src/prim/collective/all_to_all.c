/* all_to_all.c - all_to_all: every member of a group sends a chunk to each.
 *
 *     all_to_all [1 2] | [3 4] axes=(x) split=0 concat=0 tiled=true
 *       gives  [1 3] | [2 4]
 *     all_to_all [1 2; 3 4] | [5 6; 7 8] axes=(x) split=0 concat=1
 *       gives  [1 5; 2 6] | [3 7; 4 8] */
#include "prim/collective/collective.h"

/* ---- all_to_all: member k cuts dim `split` into n chunks and sends chunk j to member j. What a
 * member gets from member k is chunk k of its dim `concat`. Untiled, a chunk is a single index: the
 * dim `split` is removed, and then a dim of size n is inserted at `concat` */

static bool all_to_all_size(build *b, const eqn *e, int64_t size, const members *m)
{
	const all_to_all_params *p = e->params;

	if (p->tiled && size % m->n)
		return fail_type(b, e, "The size of %s split dim (%lld) has to be divisible by the "
		                 "size of the named axis %s (%lld)", eqn_name(b, e),
		                 (long long)size, collective_axes_text(b, &p->on.axes),
		                 (long long)m->n);
	if (!p->tiled && size != m->n)
		return fail_type(b, e, "%s requires the size of the mapped axis %s to equal that "
		                 "of split dim %lld, but they are %lld and %lld respectively",
		                 eqn_name(b, e), collective_axes_text(b, &p->on.axes),
		                 (long long)p->split, (long long)m->n, (long long)size);
	return true;
}

/* Changes the dims of the operand to those of the result. Tiled: split / n, concat * n. Untiled: n
 * is removed at split and inserted at concat. */
static bool all_to_all_dims(const all_to_all_params *p, int64_t n, int64_t *dims)
{
	if (p->tiled) {
		dims[p->split] /= n;
		return mul_ok(dims[p->concat], n, &dims[p->concat]);
	}
	for (int64_t d = p->split; d < p->concat; d++) dims[d] = dims[d + 1];
	for (int64_t d = p->split; d > p->concat; d--) dims[d] = dims[d - 1];
	dims[p->concat] = n;
	return true;
}

static bool all_to_all_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const all_to_all_params *p = e->params;
	const int ndim = in[0]->ndim;
	members m;

	if (!collective_begin(b, e, in[0], &m) ||
	    !collective_dim(b, e, "split", p->split, ndim, in[0]) ||
	    !collective_dim(b, e, "concat", p->concat, ndim, in[0]) ||
	    !all_to_all_size(b, e, in[0]->dims[p->split], &m))
		return false;
	int64_t *dims = arena_copy(build_arena(b), in[0]->dims, (size_t)ndim * sizeof *dims);
	if (!dims) return false;
	if (!all_to_all_dims(p, m.n, dims))
		return fail_type(b, e, "%s of %s over axis name %s is too large", eqn_name(b, e),
		                 collective_type_text(b, in[0]),
		                 collective_axes_text(b, &p->on.axes));
	return (out[0] = collective_redim(b, in[0], dims, ndim));
}

static void passes(factors *f, const eqn *e, int64_t size, int from, int to)
{
	const int one = factor_new(f, size, FACTOR_PASS);

	factor_at(f, 0, from, one);
	factor_at(f, e->nin, to, one);
}

/* n moves from split to concat */
static void untiled_factors(const eqn *e, const type *operand, factors *f)
{
	const all_to_all_params *p = e->params;

	for (int d = 0; d < operand->ndim; d++) {
		const int left = d - (d > p->split);       /* among the dims that stay */
		if (d != p->split) {
			passes(f, e, operand->dims[d], d, left + (left >= p->concat));
			continue;
		}
		const int n = collective_whole(f, operand->dims[d]);
		factor_at(f, 0, d, n);
		factor_at(f, e->nin, (int)p->concat, n);
	}
}

/* Dim split (n s) -> s, dim concat c -> (n c). If they are the same dim, its size does not tell n,
 * and it must be whole. */
static void tiled_factors(const eqn *e, const type *operand, const type *result, factors *f)
{
	const all_to_all_params *p = e->params;
	const int64_t c = operand->dims[p->concat], s = result->dims[p->split];
	int64_t chunks = 1;                        /* where both dims are empty any number fits */

	if (p->split == p->concat) chunks = c;
	else if (c) chunks = result->dims[p->concat] / c;
	else if (s) chunks = operand->dims[p->split] / s;
	const int n = collective_whole(f, chunks);
	for (int d = 0; d < operand->ndim; d++) {
		if (d == p->split) factor_at(f, 0, d, n);
		if (d == p->concat) factor_at(f, e->nin, d, n);
		if (d != p->split || d != p->concat)
			passes(f, e, d == p->split ? s : operand->dims[d], d, d);
	}
}

static void all_to_all_factors(const eqn *e, const type *const *in, const type *const *out,
                               factors *f)
{
	if (((const all_to_all_params *)e->params)->tiled) tiled_factors(e, in[0], out[0], f);
	else untiled_factors(e, in[0], f);
}

/* Merge the dims before, between and after split and concat. Then one array has the dims
 * [before, n, between, after], and the other one [before, between, n, after]; the operand is the
 * first of these if split <= concat. Tiled, the chunk's part of split and all of concat belong to
 * the dims after their n. */
typedef struct cut { int64_t before, between, n; size_t after; } cut;      /* after: in bytes */

static cut all_to_all_cut(const all_to_all_params *p, const type *t, int64_t n)
{
	const bool forth = p->split <= p->concat;
	const int64_t low = forth ? p->split : p->concat, high = forth ? p->concat : p->split;
	/* the first dim that counts as after: untiled, concat is a place among the dims left when
	 * split is taken out */
	const int64_t end = high + (forth && !p->tiled);
	cut c = {collective_span(t, 0, low), collective_span(t, low, end), n, 0};

	if (forth && end > low) c.between /= n;
	c.after = collective_bytes(t) / (size_t)(c.before * c.between * n);
	return c;
}

/* the offset of chunk k at index o of before and i of between. early: in the array whose dims are
 * [before, n, between, after] */
static size_t place(const cut *c, bool early, int64_t o, int64_t i, int64_t k)
{
	return (size_t)(early ? (o * c->n + k) * c->between + i : (o * c->between + i) * c->n + k) *
	       c->after;
}

static void all_to_all_eval(const eval_args *args)
{
	const all_to_all_params *p = args->eqn->params;
	const bool forth = p->split <= p->concat;

	if (!args->in[0]->size) return;
	const cut c = all_to_all_cut(p, args->in[0], args->n);
	for (int to = 0; to < args->n; to++)
		for (int from = 0; from < args->n; from++)
			for (int64_t o = 0; o < c.before; o++)
				for (int64_t i = 0; i < c.between; i++)
					memcpy((char *)args->y[to] + place(&c, !forth, o, i, from),
					       (char *)args->x[from] + place(&c, forth, o, i, to),
					       c.after);
}

/* the inverse exchange: split and concat change places */
static void all_to_all_transpose(build *b, const eqn *e, const type *const *in, const var *x,
                                 const var *ct, var *dx)
{
	const all_to_all_params *p = e->params;
	const all_to_all_params back = {p->on, p->concat, p->split, p->tiled};

	(void)in, (void)x;
	dx[0] = emit(b, e->prim, &back, ct, 1);
}

/* x is [n, ...]. It is cut into chunks for all members, with one dim for the element of the batch
 * and one for the member of the rest. The rest exchanges, and then both dims of what arrived are
 * merged. */
static var all_to_all_named(build *b, const void *params, const rest *r, var x, bool *mapped)
{
	const all_to_all_params *p = params;
	const all_to_all_params chunks = {r->on, 1, 1, false};

	x = rest_instances(b, r, x, *mapped);
	x = rest_chunks(b, r, x, (int)p->split + 1, p->tiled);
	x = rest_part(b, r, x, 0); /* [n to, s to, n from, ...] */
	x = rest_emit(b, r, &tsr__prim_all_to_all, &chunks, x);
	if (r->on.axes.n) x = emit_move_dim(b, x, 2, 1); /* [n to, n from, s from, ...] */
	x = rest_join(b, r, x, 1);
	x = emit_move_dim(b, x, 1, (int)p->concat + 1);
	*mapped = true;
	return p->tiled ? emit_merged(b, x, (int)p->concat + 1) : x;
}

static void all_to_all_shift(void *p)
{
	((all_to_all_params *)p)->split++;
	((all_to_all_params *)p)->concat++;
}

BATCH_NAMED(all_to_all, .shift = all_to_all_shift)

static void all_to_all_members(build *b, const eqn *e, int n, const bool *here, const var *x,
			       var *y)
{
	const all_to_all_params *p = e->params;
	const int64_t chunk = build_type(b, x[0])->dims[p->split] / n;
	const int64_t joins = p->tiled ? p->concat : p->split;
	var *v = var_room(b, n);

	for (int to = 0; v && to < n; to++) {
		if (here && !here[to]) continue;
		for (int k = 0; k < n; k++) {
			v[k] = members_again(x, k, v);
			if (is_zero(v[k]))
				v[k] = members_part(b, x[k], p->split, to * chunk,
				                    (to + 1) * chunk);
		}
		y[to] = emit_join(b, v, n, (int)joins);
		if (!p->tiled) y[to] = emit_move_dim(b, y[to], (int)p->split, (int)p->concat);
	}
}

/* its chunk */
static bool all_to_all_sends(const eqn *e, const type *const *in, int n, int i, int from, int to,
			     index_range *box)
{
	const int64_t split = ((const all_to_all_params *)e->params)->split;
	const int64_t chunk = in[0]->dims[split] / n;

	(void)i, (void)from;
	box[split] = (index_range){to * chunk, (to + 1) * chunk};
	return true;
}

static const field all_to_all_fields[] = {
	COLLECTIVE_FIELDS(all_to_all_params),
	PARAM(all_to_all_params, split, FIELD_INT),
	PARAM(all_to_all_params, concat, FIELD_INT),
	PARAM(all_to_all_params, tiled, FIELD_BOOL),
	PARAMS_END,
};

COLLECTIVE_ROW(all_to_all,
               "each device cuts a dim into chunks and sends one to each along mesh axes", 1,
               all_to_all_fields, .factors = all_to_all_factors, LINEAR_COLLECTIVE(all_to_all),
               .sends = all_to_all_sends, .received = received_parts)
