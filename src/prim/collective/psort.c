/* psort.c - psort: blocks of arrays that are sorted together.
 *
 *     psort [3 1] [0 1] | [2 1] [2 3] axes=(x) dim=0 num_keys=1 size=4
 *       gives  [1 1] [1 3] | [2 3] [2 0]
 *
 * Each gets its block of what `sort` makes of the whole, which no member has. Blocks are filled up
 * to the same size; behind the whole, of which `size` elements are along the dim, results have
 * zeros. Partition makes it of a `sort` whose dim is cut. */
#include "prim/collective/collective.h"
#include "prim/order/order.h"

static const psort_params *params_of(const eqn *e) { return e->params; }

static bool psort_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const psort_params *p = params_of(e);
	members m;

	if (p->num_keys < 1 || p->num_keys > e->nin)
		return fail_type(b, e,
		                 "%s: num_keys %lld must be between 1 and %d, the number of "
		                 "operands",
		                 eqn_name(b, e), (long long)p->num_keys, e->nin);
	if (!collective_begin(b, e, in[0], &m) ||
	    !collective_dim(b, e, "dim", p->dim, in[0]->ndim, in[0]))
		return false;
	for (int i = 1; i < e->nin; i++)
		if (in[i]->varying != in[0]->varying ||
		    !dims_same(in[i]->dims, in[i]->ndim, in[0]->dims, in[0]->ndim))
			return fail_type(b, e,
			                 "%s requires operands of equal shapes that vary alike, "
			                 "got %s and %s",
			                 eqn_name(b, e), collective_type_text(b, in[0]),
			                 collective_type_text(b, in[i]));
	if (p->size < 0 || in[0]->dims[p->dim] != p->size / m.n + (p->size % m.n != 0))
		return fail_type(b, e,
		                 "%s: dim %lld of %s is no block of %lld elements over "
		                 "%lld devices",
		                 eqn_name(b, e), (long long)p->dim, collective_type_text(b, in[0]),
		                 (long long)p->size, (long long)m.n);
	for (int i = 0; i < e->nin; i++) out[i] = in[i];
	return true;
}

static void psort_factors(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	(void)out;
	for (int d = 0; d < in[0]->ndim; d++) {
		const int64_t size = in[0]->dims[d];
		const int factor = d == params_of(e)->dim ? collective_whole(f, size)
		                                          : factor_new(f, size, FACTOR_PASS);
		for (int v = 0; v < 2 * e->nin; v++) factor_at(f, v, d, factor);
	}
}

/* ---- eval: records of all members, whose numbers count in the whole */

typedef struct group {
	const eval_args *args;
	const psort_params *p;
	const records *of;
	int64_t block, stride; /* how many elements of a line a member has, and how far apart */
} group;

static keys key_at(const group *g, word w, int64_t line, int64_t number)
{
	const type *t = g->args->in[w.operand];
	const void *x = g->args->x[w.operand * g->args->n + number / g->block];
	const int64_t at = line_at(t, (int)g->p->dim, line) + number % g->block * g->stride;

	return word_keys(w, t->dtype, x, at, g->stride);
}

static void sort_records(const group *g, int64_t line)
{
	char *record = g->args->scratch, *room = record + (size_t)g->p->size * g->of->size;
	word w;

	for (int i = 0; (w = word_of(g->args->in, g->p->num_keys, i)).bits; i++) {
		for (int64_t k = 0; k < g->p->size; k++) {
			const int64_t number = i ? g->of->at(record, k) : k;
			const keys one = key_at(g, w, line, number);
			g->of->number(record + (size_t)k * g->of->size, &one, number, 1);
		}
		g->of->sort(record, room, g->p->size, w.bits);
	}
}

static void put_line(const group *g, int operand, int64_t line)
{
	const type *t = g->args->in[operand];
	const size_t item = tsr_dtype_size(t->dtype);
	const int64_t at = line_at(t, (int)g->p->dim, line), n = g->args->n;
	const void *const *x = g->args->x + operand * n;
	void *const *y = g->args->y + operand * n;

	for (int64_t k = 0; k < n * g->block; k++) {
		const size_t to = (size_t)(at + k % g->block * g->stride) * item;
		char *here = (char *)y[k / g->block] + to;
		if (k >= g->p->size) {
			memset(here, 0, item);
			continue;
		}
		const int64_t number = g->of->at(g->args->scratch, k);
		const size_t from = (size_t)(at + number % g->block * g->stride) * item;
		memcpy(here, (const char *)x[number / g->block] + from, item);
	}
}

static void psort_eval(const eval_args *args)
{
	const psort_params *p = params_of(args->eqn);
	const type *t = args->in[0];
	const group g = {args, p, records_by(args->in, p->num_keys, p->size), t->dims[p->dim],
	                 dims_stride(t, (int)p->dim)};

	for (int64_t line = 0; line < lines_of(t, (int)p->dim); line++) {
		sort_records(&g, line);
		for (int i = 0; i < args->eqn->nin; i++) put_line(&g, i, line);
	}
}

static size_t psort_scratch(const eqn *e, const type *const *in)
{
	const psort_params *p = params_of(e);

	return 2 * (size_t)p->size * records_by(in, p->num_keys, p->size)->size;
}

/* ---- members: one sort, of which each has its part */

static void psort_members(build *b, const eqn *e, int n, const bool *here, const var *x,
			  var *y)
{
	(void)here;
	const psort_params *p = params_of(e);
	const sort_params all = {p->dim, p->num_keys, true};
	const int64_t block = build_type(b, x[0])->dims[p->dim];
	const int dim = (int)p->dim;
	var *whole = var_room(b, e->nin);

	for (int i = 0; whole && i < e->nin; i++)
		whole[i] = members_part(b, emit_join(b, x + (int64_t)i * n, n, dim), dim, 0,
		                        p->size);
	if (!whole) return;
	emit_all(b, &tsr__prim_sort, &all, whole, e->nin, whole);
	for (int i = 0; i < e->nin && !build_failed(b); i++) {
		const var zero = emit_scalar(b, build_type(b, whole[i])->dtype, 0);
		const var filled =
			emit_pad_dim(b, whole[i], dim, 0, n * block - p->size, zero);
		for (int k = 0; k < n; k++)
			y[(int64_t)i * n + k] =
				members_part(b, filled, dim, k * block, (k + 1) * block);
	}
}

static const field psort_fields[] = {
	COLLECTIVE_FIELDS(psort_params),
	PARAM(psort_params, dim, FIELD_INT),
	PARAM(psort_params, num_keys, FIELD_INT),
	PARAM(psort_params, size, FIELD_INT),
	PARAMS_END,
};
#define MADE_LAST "partition makes it, of programs that are transformed already"
const tsr_prim tsr__prim_psort = {
	.name = "psort",
	.doc = "blocks of arrays along mesh axes in the order of the first num_keys of the whole",
	.flags = PRIM_COLLECTIVE | PRIM_OWN_VARYING, .cost = 15,
	.nin = -1, .nout = -1, .results = results_kept, .params = psort_fields,
	.types = psort_types, .factors = psort_factors, .eval = psort_eval,
	.scratch = psort_scratch, .members = psort_members, .received = received_parts,
	TSR_NO_RULE(COL_JVP, MADE_LAST),
	TSR_NO_RULE(COL_TRANSPOSE, MADE_LAST),
	TSR_NO_RULE(COL_BATCH, MADE_LAST),
	TSR_NO_RULE(COL_LOWER, EXCHANGED),
};
