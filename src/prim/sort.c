/* sort.c - sort: several operands in the order of the first ones, along a dim.
 *
 *     sort [2 1 2] [10 20 30] num_keys=1    gives    [1 2 2] [20 10 30]
 *
 * Equal elements stay in their order, so the keys alone say which element goes where: any further
 * operand behind the same keys is moved alike. The rules of derivatives rest on that. */
#include <math.h>
#include "prim/checks.h"
#include "prim/lists.h"
#include "prim/places.h"
#include "prim/row.h"

static const sort_params *params_of(const eqn *e) { return e->params; }

static bool sort_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const sort_params *p = params_of(e);

	if (p->num_keys < 1 || p->num_keys > e->nin)
		return fail_type(b, e,
		                 "sort: num_keys %lld must be between 1 and %d, the number of "
		                 "operands",
		                 (long long)p->num_keys, e->nin);
	for (int i = 1; i < e->nin; i++)
		if (!dims_same(in[i]->dims, in[i]->ndim, in[0]->dims, in[0]->ndim))
			return fail_type(b, e, "sort requires operands of equal shapes, got %s",
			                 types_words(b, in, e->nin));
	if (!check_dim(b, e, p->dim, in[0]->ndim)) return false;
	for (int i = 0; i < e->nin; i++) out[i] = in[i];
	return true;
}

static void sort_factors(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	(void)out;
	factors_along(e, in, f, params_of(e)->dim, "sorted");
}

/* ---- eval: which element stands where, by merging, and then all operands in that order */

/* -1, 0, 1: is a before b, equal, behind it? +0 and -0 are equal, and a NaN is behind all but
 * another one */
#define LESS(a, b) ((a) < (b) || ((b) != (b) && (a) == (a)))
#define ORDER_CASE(dtype_, mem_, wide_, LOAD, STORE, ...) \
	case dtype_: { \
		const wide_ a = LOAD(((const mem_ *)x)[i]), b = LOAD(((const mem_ *)x)[j]); \
		return LESS(b, a) - LESS(a, b); \
	}

static int order_real(tsr_dtype dtype, const void *x, int64_t i, int64_t j)
{
	switch (dtype) {
		ORDERED_CASES(ORDER_CASE, )
	default: return 0;
	}
}

/* complex numbers by the real part, then by the imaginary one */
static int order_of(tsr_dtype dtype, const void *x, int64_t i, int64_t j)
{
	if (dtype_kind(dtype) != KIND_COMPLEX) return order_real(dtype, x, i, j);
	const int by_real = order_real(dtype_real(dtype), x, 2 * i, 2 * j);
	return by_real ? by_real : order_real(dtype_real(dtype), x, 2 * i + 1, 2 * j + 1);
}

typedef struct line { /* elements that are sorted: at + k * stride */
	const eval_args *args;
	int64_t at, stride;
} line;

static bool stands_before(const line *l, int64_t a, int64_t b)
{
	const int64_t i = l->at + a * l->stride, j = l->at + b * l->stride;
	int order = 0;

	for (int64_t k = 0; k < params_of(l->args->eqn)->num_keys && !order; k++)
		order = order_of(l->args->in[k]->dtype, l->args->x[k], i, j);
	return order < 0;
}

/* n numbers of elements, in the order of these; room: for n / 2 more */
static void merge_sort(const line *l, int64_t *which, int64_t n, int64_t *room)
{
	const int64_t half = n / 2;

	if (n < 2) return;
	merge_sort(l, which, half, room);
	merge_sort(l, which + half, n - half, room);
	memcpy(room, which, (size_t)half * sizeof *room);
	for (int64_t i = 0, j = half, k = 0; i < half; k++)
		which[k] = j < n && stands_before(l, which[j], room[i]) ? which[j++] : room[i++];
}

static void put_line(const line *l, const int64_t *which, int64_t n)
{
	for (int k = 0; k < l->args->eqn->nin; k++) {
		const size_t item = tsr_dtype_size(l->args->in[k]->dtype);
		const char *x = (const char *)l->args->x[k] + (size_t)l->at * item;
		char *y = (char *)l->args->y[k] + (size_t)l->at * item;
		const size_t step = (size_t)l->stride * item;
		for (int64_t i = 0; i < n; i++)
			memcpy(y + (size_t)i * step, x + (size_t)which[i] * step, item);
	}
}

/* lines */
static int64_t sort_parts(const eqn *e, const type *const *in)
{
	return in[0]->size ? in[0]->size / in[0]->dims[params_of(e)->dim] : 1;
}

static size_t sort_scratch(const eqn *e, const type *const *in)
{
	const size_t n = (size_t)in[0]->dims[params_of(e)->dim];

	return (n + n / 2) * sizeof(int64_t);
}

static void sort_eval(const eval_args *args)
{
	const int dim = (int)params_of(args->eqn)->dim;
	const type *t = args->in[0];
	const int64_t n = t->dims[dim];
	int64_t *which = args->scratch;
	line l = {.args = args, .stride = dims_stride(t, dim)};
	const int64_t end = args->end ? args->end : sort_parts(args->eqn, args->in);
	cursor lines = cursor_across(t, dim);

	cursor_skip(&lines, args->first);
	for (int64_t k = args->first; t->size && k < end; k++) {
		l.at = lines.at;
		for (int64_t i = 0; i < n; i++) which[i] = i;
		merge_sort(&l, which, n, which + n);
		put_line(&l, which, n);
		cursor_next(&lines, 1);
	}
}

/* ---- derivatives: an operand that is no key is moved, which is linear in it */

/* what `moved` become in the order of the keys, which stand before them in x */
static void emit_sorted(build *b, const sort_params *p, var *x, int nkeys, int nmoved, var *moved)
{
	const sort_params stable = {p->dim, nkeys, true};
	var *y = var_room(b, nkeys + nmoved);

	if (!y) return;
	emit_all(b, &tsr__prim_sort, &stable, x, nkeys + nmoved, y);
	for (int i = 0; i < nmoved; i++) moved[i] = y[nkeys + i];
}

/* the numbers of the elements along the dim, which become where each came from */
static var numbers(build *b, const type *like, int64_t dim)
{
	const tsr_dtype dtype = like->dims[dim] > INT32_MAX ? TSR_I64 : TSR_I32;
	const iota_params p = {dtype, {like->ndim, like->dims}, dim};

	return emit(b, &tsr__prim_iota, &p, NULL, 0);
}

/* tangents are further operands behind the same keys */
static void sort_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	const int nkeys = (int)params_of(e)->num_keys;
	var *operand = var_room(b, nkeys + e->nin), *moved = var_room(b, e->nin);
	int n = 0;

	(void)y;
	for (int i = 0; i < e->nin; i++) dy[i] = (var){0};
	if (!operand || !moved) return;
	for (int i = 0; i < nkeys; i++) operand[i] = x[i];
	for (int i = 0; i < e->nin; i++)
		if (!is_zero(dx[i])) operand[nkeys + n++] = dx[i];
	emit_sorted(b, params_of(e), operand, nkeys, n, moved);
	for (int i = 0, k = 0; i < e->nin; i++)
		if (!is_zero(dx[i])) dy[i] = moved[k++];
}

/* With `from` where each result came from, the cotangent of a result belongs to the element
 * from[j]: sorted by these numbers, cotangents stand where their elements stood */
static void sort_transpose(build *b, const eqn *e, const type *const *in, const var *x,
                           const var *ct, var *dx)
{
	const sort_params *p = params_of(e);
	const int nkeys = (int)p->num_keys;
	var *operand = var_room(b, nkeys + e->nin), *moved = var_room(b, e->nin);
	int n = 0;

	for (int i = 0; i < nkeys; i++)
		if (is_zero(x[i])) dx[i] = not_linear(b, e, "it is not linear in its keys");
	if (!operand || !moved || build_failed(b)) return;
	for (int i = 0; i < nkeys; i++) operand[i] = x[i];
	operand[nkeys] = numbers(b, in[0], p->dim);
	emit_sorted(b, p, operand, nkeys, 1, operand);
	for (int i = nkeys; i < e->nin; i++)
		if (is_zero(x[i]) && !is_zero(ct[i])) operand[1 + n++] = ct[i];
	emit_sorted(b, p, operand, 1, n, moved);
	for (int i = nkeys, k = 0; i < e->nin; i++)
		if (is_zero(x[i]) && !is_zero(ct[i])) dx[i] = moved[k++];
}

static void sort_batch(build *b, const eqn *e, const batching *to, const var *x, const bool *mapped,
                       var *y, bool *ymapped)
{
	sort_params p = *params_of(e);
	var *operand = var_room(b, e->nin);

	for (int i = 0; i < e->nin; i++) {
		ymapped[i] = true;
		if (operand) operand[i] = batch_whole(b, to, x[i], mapped[i]);
	}
	p.dim++;
	if (operand) emit_all(b, &tsr__prim_sort, &p, operand, e->nin, y);
}

/* that many elements are compared, but for a factor */
static double sort_times(const program *p, const eqn *e)
{
	const type *t = type_of(p, e->in[0]);

	return (double)t->size * log2(1 + (double)t->dims[params_of(e)->dim]);
}

static int sort_results(const void *params, int nin) { return (void)params, nin; }

static const field sort_fields[] = {
	PARAM(sort_params, dim, FIELD_INT),
	PARAM(sort_params, num_keys, FIELD_INT),
	PARAM(sort_params, is_stable, FIELD_BOOL),
	PARAMS_END,
};
const tsr_prim tsr__prim_sort = {
	.name = "sort",
	.doc = "operands along a dim in the order of the first num_keys; equal ones stay in theirs",
	.flags = PRIM_OWN_WEAK,
	.cost = 15,
	.times = sort_times,
	.nin = -1,
	.nout = -1,
	.results = sort_results,
	.params = sort_fields,
	.types = sort_types,
	.factors = sort_factors,
	.jvp = sort_jvp,
	.transpose = sort_transpose,
	.batch = sort_batch,
	.eval = sort_eval,
	.parts = sort_parts,
	.scratch = sort_scratch,
	TSR_NO_RULE(COL_LOWER, "where an element goes depends on all the others"),
};
