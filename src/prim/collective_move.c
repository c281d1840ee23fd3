/* collective_move.c - the collectives that move: all_gather, all_to_all, ppermute, pbroadcast.
 *
 * n is the number of members of a group; a member is named by its position in its group. */
#include "prim/collective.h"

/* ---- all_gather: untiled, result[.., k at dim, ..] = block of member k; tiled, the blocks one
 * after the other along dim */

static bool all_gather_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const all_gather_params *p = e->params;
	const int ndim = in[0]->ndim;
	members m;

	if (!collective_begin(b, e, in[0], &m) ||
	    !collective_dim(b, e, "dim", p->dim, ndim + !p->tiled, in[0]))
		return false;
	int64_t *dims = arena_array(build_arena(b), (size_t)ndim + 1, sizeof *dims);
	if (!dims) return false;
	for (int d = 0, at = 0; d < ndim; d++) {
		if (!p->tiled && at == p->dim) at++;
		dims[at++] = in[0]->dims[d];
	}
	if (!p->tiled) dims[p->dim] = m.n;
	else if (!mul_ok(dims[p->dim], m.n, &dims[p->dim]))
		return fail(build_base(b), e->where, TSR_ERROR_TYPE,
		            "all_gather of %s over axis name %s is too large",
		            collective_type_text(b, in[0]), collective_axes_text(b, &p->on.axes));
	const type *t = collective_redim(b, in[0], dims, ndim + !p->tiled);
	return t && (out[0] = collective_result(b, e, t, p->to, &m));
}

/* gathered dim: d -> (n d), or a new dim n */
static void all_gather_factors(const eqn *e, const type *const *in, const type *const *out,
                               factors *f)
{
	const all_gather_params *p = e->params;
	int operand = 0;

	for (int d = 0; d < out[0]->ndim; d++) {
		if (d == p->dim && !p->tiled) {
			factor_at(f, e->nin, d, collective_whole(f, out[0]->dims[d]));
			continue;
		}
		const int64_t size = in[0]->dims[operand];
		const int64_t n = size ? out[0]->dims[d] / size : 1;
		if (d == p->dim) factor_at(f, e->nin, d, collective_whole(f, n));
		const int one = factor_new(f, size, FACTOR_PASS);
		factor_at(f, 0, operand++, one);
		factor_at(f, e->nin, d, one);
	}
}

static void all_gather_eval(const eval_args *a)
{
	const type *t = a->in[0];

	if (!t->size) return;
	/* operand [outer, run], result [outer, n, run] */
	const size_t outer =
		(size_t)collective_span(t, 0, ((const all_gather_params *)a->eqn->params)->dim);
	const size_t run = collective_bytes(t) / outer, n = (size_t)a->n;
	for (size_t to = 0; to < n; to++)
		for (size_t o = 0; o < outer; o++)
			for (size_t k = 0; k < n; k++)
				collective_copy((char *)a->y[to] + (o * n + k) * run,
				                (const char *)a->x[k] + o * run, run);
}

static const field all_gather_fields[] = {
	COLLECTIVE_FIELDS(all_gather_params),
	{"dim", offsetof(all_gather_params, dim), FIELD_INT, NULL},
	{"tiled", offsetof(all_gather_params, tiled), FIELD_BOOL, NULL},
	{"to", offsetof(all_gather_params, to), FIELD_WORD, coll_to_words},
	{NULL, 0, 0, NULL},
};

const tsr_prim tsr__prim_all_gather = {
	.name = "all_gather",
	.doc = "the blocks of all devices along mesh axes, stacked or concatenated",
	.flags = PRIM_COLLECTIVE | PRIM_OWN_VARYING,
	.nin = 1, .nout = 1, .params = all_gather_fields,
	.types = all_gather_types, .factors = all_gather_factors, .eval = all_gather_eval,
	.jvp = jvp_linear, .transpose = all_gather_transpose, .batch = all_gather_batch,
	.members = all_gather_members,
	TSR_NO_RULE(COL_LOWER, EXCHANGED),
};

/* ---- all_to_all: member k cuts dim `split` into n chunks and sends chunk j to member j, which
 * puts what it gets from member k at k of dim `concat`. Untiled a chunk is one index: the dim
 * `split` goes away, then a dim of n is inserted at `concat` */

static bool all_to_all_size(build *b, const eqn *e, int64_t size, const members *m)
{
	const all_to_all_params *p = e->params;

	if (p->tiled && size % m->n)
		return fail(build_base(b), e->where, TSR_ERROR_TYPE,
		            "The size of all_to_all split dim (%lld) has to be divisible by the "
		            "size of the named axis %s (%lld)",
		            (long long)size, collective_axes_text(b, &p->on.axes), (long long)m->n);
	if (!p->tiled && size != m->n)
		return fail(build_base(b), e->where, TSR_ERROR_TYPE,
		            "all_to_all requires the size of the mapped axis %s to equal that of "
		            "split dim %lld, but they are %lld and %lld respectively",
		            collective_axes_text(b, &p->on.axes), (long long)p->split,
		            (long long)m->n, (long long)size);
	return true;
}

/* tiled: split / n, concat * n. Untiled: take n away at split, insert it at concat. dims: of the
 * operand, changed in place */
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
		return fail(build_base(b), e->where, TSR_ERROR_TYPE,
		            "all_to_all of %s over axis name %s is too large",
		            collective_type_text(b, in[0]), collective_axes_text(b, &p->on.axes));
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

/* split (n s) -> s, concat c -> (n c). Where they are one dim its shape does not tell n: all of it
 * must be whole */
static void tiled_factors(const eqn *e, const type *operand, const type *result, factors *f)
{
	const all_to_all_params *p = e->params;
	const int64_t c = operand->dims[p->concat], s = result->dims[p->split];
	int64_t chunks = 1;                        /* where both dims are empty any number fits */

	if (p->split == p->concat) chunks = c;
	else if (c) chunks = result->dims[p->concat] / c;
	else if (s) chunks = operand->dims[p->split] / s;
	const int n = collective_whole(f, chunks);
	factor_at(f, 0, (int)p->split, n);
	factor_at(f, e->nin, (int)p->concat, n);
	for (int d = 0; d < operand->ndim; d++)
		if (d != p->split || d != p->concat)
			passes(f, e, d == p->split ? s : operand->dims[d], d, d);
}

static void all_to_all_factors(const eqn *e, const type *const *in, const type *const *out,
                               factors *f)
{
	if (((const all_to_all_params *)e->params)->tiled) tiled_factors(e, in[0], out[0], f);
	else untiled_factors(e, in[0], f);
}

/* With one dim for all that lie before, between and after split and concat, one array has the dims
 * [before, n, between, after] and the other one [before, between, n, after]: the operand is the
 * first of these where split <= concat. Tiled, the rest of split and all of concat count to what
 * follows the n there. */
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

/* where member k's bytes at (o, i) of before and between are; early: [before, n, between, after] */
static size_t place(const cut *c, bool early, int64_t o, int64_t i, int64_t k)
{
	return (size_t)(early ? (o * c->n + k) * c->between + i : (o * c->between + i) * c->n + k) *
	       c->after;
}

static void all_to_all_eval(const eval_args *a)
{
	const all_to_all_params *p = a->eqn->params;
	const bool forth = p->split <= p->concat;

	if (!a->in[0]->size) return;
	const cut c = all_to_all_cut(p, a->in[0], a->n);
	for (int to = 0; to < a->n; to++)
		for (int from = 0; from < a->n; from++)
			for (int64_t o = 0; o < c.before; o++)
				for (int64_t i = 0; i < c.between; i++)
					memcpy((char *)a->y[to] + place(&c, !forth, o, i, from),
					       (char *)a->x[from] + place(&c, forth, o, i, to),
					       c.after);
}

static const field all_to_all_fields[] = {
	COLLECTIVE_FIELDS(all_to_all_params),
	{"split", offsetof(all_to_all_params, split), FIELD_INT, NULL},
	{"concat", offsetof(all_to_all_params, concat), FIELD_INT, NULL},
	{"tiled", offsetof(all_to_all_params, tiled), FIELD_BOOL, NULL},
	{NULL, 0, 0, NULL},
};

const tsr_prim tsr__prim_all_to_all = {
	.name = "all_to_all",
	.doc = "each device cuts a dim into chunks and sends one to each along mesh axes",
	.flags = PRIM_COLLECTIVE | PRIM_OWN_VARYING,
	.nin = 1, .nout = 1, .params = all_to_all_fields,
	.types = all_to_all_types, .factors = all_to_all_factors, .eval = all_to_all_eval,
	.jvp = jvp_linear, .transpose = all_to_all_transpose, .batch = all_to_all_batch,
	.members = all_to_all_members,
	TSR_NO_RULE(COL_LOWER, EXCHANGED),
};

/* ---- ppermute: the result at destination d is the operand of its source; who is no destination
 * gets zeros */

static const char *pairs_text(build *b, const ints *perm)
{
	str s = {.base = build_base(b)};

	for (int i = 0; i + 1 < perm->n; i += 2)
		str_printf(&s, "%s(%lld, %lld)", i ? ", " : "(", (long long)perm->v[i],
		           (long long)perm->v[i + 1]);
	str_put(&s, ")");
	return collective_text(b, &s);
}

/* seen: a byte each member, bit 0 as a source, bit 1 as a destination */
static bool mark_pairs(build *b, const eqn *e, const ints *perm, const members *m, char *seen)
{
	for (int i = 0; i < perm->n; i++) {
		const char bit = i % 2 ? 2 : 1;
		if (!collective_member(b, e, i % 2 ? "destination" : "source", perm->v[i], m))
			return false;
		if (seen[perm->v[i]] & bit)
			return fail(build_base(b), e->where, TSR_ERROR_ARGUMENT,
			            "ppermute sources and destinations must be unique, got %s",
			            pairs_text(b, perm));
		seen[perm->v[i]] = (char)(seen[perm->v[i]] | bit);
	}
	return true;
}

static bool ppermute_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const ppermute_params *p = e->params;
	members m;

	if (!collective_begin(b, e, in[0], &m)) return false;
	if (p->perm.n % 2)
		return fail(build_base(b), e->where, TSR_ERROR_ARGUMENT,
		            "ppermute needs pairs of source and destination, got %d numbers",
		            p->perm.n);
	char *seen = mem_array(build_base(b), (size_t)m.n, 1);
	const bool ok = seen && mark_pairs(b, e, &p->perm, &m, seen);
	mem_free(build_base(b), seen);
	out[0] = in[0];
	return ok;
}

static void ppermute_eval(const eval_args *a)
{
	const ints *perm = &((const ppermute_params *)a->eqn->params)->perm;
	const size_t bytes = collective_bytes(a->in[0]);

	for (int k = 0; k < a->n && bytes; k++) memset(a->y[k], 0, bytes);
	for (int i = 0; i < perm->n; i += 2)
		collective_copy(a->y[perm->v[i + 1]], a->x[perm->v[i]], bytes);
}

static const field ppermute_fields[] = {
	COLLECTIVE_FIELDS(ppermute_params),
	{"perm", offsetof(ppermute_params, perm), FIELD_PAIRS, NULL},
	{NULL, 0, 0, NULL},
};

const tsr_prim tsr__prim_ppermute = {
	.name = "ppermute",
	.doc = "sends blocks from sources to destinations along mesh axes",
	.flags = PRIM_COLLECTIVE | PRIM_OWN_VARYING,
	.nin = 1, .nout = 1, .params = ppermute_fields,
	.types = ppermute_types, .factors = collective_factors_same, .eval = ppermute_eval,
	.jvp = jvp_linear, .transpose = ppermute_transpose, .batch = ppermute_batch,
	.members = ppermute_members,
	TSR_NO_RULE(COL_LOWER, EXCHANGED),
};

/* ---- pbroadcast: the operand of one member, everywhere */

static bool pbroadcast_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const pbroadcast_params *p = e->params;
	members m;

	out[0] = in[0];
	return collective_begin(b, e, in[0], &m) &&
	       collective_member(b, e, "source", p->source, &m);
}

static void pbroadcast_eval(const eval_args *a)
{
	const int64_t source = ((const pbroadcast_params *)a->eqn->params)->source;

	for (int k = 0; k < a->n; k++)
		collective_copy(a->y[k], a->x[source], collective_bytes(a->in[0]));
}

static const field pbroadcast_fields[] = {
	COLLECTIVE_FIELDS(pbroadcast_params),
	{"source", offsetof(pbroadcast_params, source), FIELD_INT, NULL},
	{NULL, 0, 0, NULL},
};

const tsr_prim tsr__prim_pbroadcast = {
	.name = "pbroadcast",
	.doc = "the block of one device, on all of them along mesh axes",
	.flags = PRIM_COLLECTIVE | PRIM_OWN_VARYING,
	.nin = 1, .nout = 1, .params = pbroadcast_fields,
	.types = pbroadcast_types, .factors = collective_factors_same, .eval = pbroadcast_eval,
	.jvp = jvp_linear, .transpose = pbroadcast_transpose, .batch = pbroadcast_batch,
	.members = pbroadcast_members,
	TSR_NO_RULE(COL_LOWER, EXCHANGED),
};
