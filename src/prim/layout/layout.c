/* layout.c - rows that rearrange, repeat or number elements: transpose, broadcast_in_dim, rev,
 * iota.
 *
 *     transpose [1 2 3; 4 5 6] perm=[1,0]        gives  [1 4; 2 5; 3 6]
 *     broadcast_in_dim [1 2] dims=[2,3] at=[0]   gives  [1 1 1; 2 2 2]
 *     broadcast_in_dim [1 2] dims=[3,2] at=[1]   gives  [1 2; 1 2; 1 2]
 *     rev [1 2 3; 4 5 6] dims=[1]                gives  [3 2 1; 6 5 4]
 *     iota dtype=i32 dims=[2,3] dim=1            gives  [0 1 2; 0 1 2]:i32 */
#include "prim/checks.h"
#include "prim/cursors.h"
#include "prim/row.h"

/* ---- transpose */

static const ints *perm_of(const eqn *e) { return &((const transpose_params *)e->params)->perm; }

static bool is_permutation(const ints *perm, int ndim)
{
	for (int i = 0; i < ndim; i++) {
		if (perm->v[i] < 0 || perm->v[i] >= ndim) return false;
		for (int j = 0; j < i; j++)
			if (perm->v[i] == perm->v[j]) return false;
	}
	return true;
}

static bool transpose_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const ints *perm = perm_of(e);
	int64_t *dims = dims_room(b, in[0]->ndim);

	if (!dims) return false;
	if (perm->n != in[0]->ndim || !is_permutation(perm, perm->n))
		return fail_type(b, e,
		                 "%s permutation isn't a permutation of operand dims, "
		                 "got permutation %s for operand shape %s",
		                 eqn_name(b, e), dims_words(b, perm->v, perm->n),
		                 dims_words(b, in[0]->dims, in[0]->ndim));
	for (int d = 0; d < perm->n; d++) dims[d] = in[0]->dims[perm->v[d]];
	return give_type(b, in[0]->dtype, dims, perm->n, out);
}

static void transpose_factors(const eqn *e, const type *const *in, const type *const *out,
                              factors *f)
{
	for (int d = 0; d < out[0]->ndim; d++)
		factor_shared(e, in, f, (int)perm_of(e)->v[d], d);
}

static void transpose_eval(const eval_args *args)
{
	const type *x = args->in[0], *y = args->out[0];
	box copy = {0};

	if (!y->size) return;
	for (int d = 0; d < y->ndim; d++)
		box_dim(&copy, y->dims[d], dims_stride(y, d),
		        dims_stride(x, (int)perm_of(args->eqn)->v[d]));
	box_copy(&copy, y->dtype, args->y[0], 0, args->x[0], 0);
}

static void transpose_lower(kernel *k, const eqn *e, const kvar *index, kvar *to)
{
	kvar *from = k_room(k, perm_of(e)->n);

	for (int d = 0; d < perm_of(e)->n; d++) from[perm_of(e)->v[d]] = index[d];
	to[0] = k_operand(k, e, 0, from);
}

static const int64_t *inverse(build *b, const ints *perm)
{
	int64_t *back = ints_room(b, perm->n);

	for (int d = 0; back && d < perm->n; d++) back[perm->v[d]] = d;
	return back;
}

TRANSPOSE_AS(transpose, emit_transpose(b, *ct, inverse(b, perm_of(e))))
BATCH_AS(transpose, (transpose_params){list_behind(b, 0, perm_of(e), 1)})

static const field transpose_fields[] = {PARAM(transpose_params, perm, FIELD_INTS), PARAMS_END};
LOCAL_ROW(transpose, "dims in another order", 1, transpose_fields, MOVES(0.25), .jvp = jvp_linear,
          .transpose = transpose_transpose, .batch = transpose_batch)

/* ---- broadcast_in_dim: operand dim d is result dim at[d], of its size, or repeated if it is 1 */

static const broadcast_params *broadcast_of(const eqn *e) { return e->params; }

static bool check_shape(build *b, const eqn *e, const ints *dims)
{
	for (int d = 0; d < dims->n; d++)
		if (dims->v[d] < 0)
			return fail_type(b, e, "%s: the shape %s has a negative dim",
			                 eqn_name(b, e), dims_words(b, dims->v, dims->n));
	return true;
}

static bool broadcast_in_dim_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const broadcast_params *p = broadcast_of(e);

	if (!check_shape(b, e, &p->dims) || !check_length(b, e, "at", &p->at, in[0]->ndim) ||
	    !check_dims_rise(b, e, "at", &p->at, p->dims.n))
		return false;
	for (int d = 0; d < in[0]->ndim; d++)
		if (in[0]->dims[d] != 1 && in[0]->dims[d] != p->dims.v[p->at.v[d]])
			return fail_type(
				b, e,
				"broadcast_in_dim operand dim sizes must either be 1, "
				"or be equal to their corresponding dims in the "
				"target broadcast shape; got operand of shape %s, "
				"target shape %s, at %s",
				dims_words(b, in[0]->dims, in[0]->ndim),
				dims_words(b, p->dims.v, p->dims.n),
				dims_words(b, p->at.v, p->at.n));
	return give_type(b, in[0]->dtype, p->dims.v, p->dims.n, out);
}

/* the operand's dim that corresponds to result dim d; -1: the result repeats along d */
static int broadcast_from(const eqn *e, const type *const *in, const type *const *out, int d)
{
	const int from = int_place(&broadcast_of(e)->at, d);

	return from >= 0 && in[0]->dims[from] == out[0]->dims[d] ? from : -1;
}

static void broadcast_in_dim_factors(const eqn *e, const type *const *in, const type *const *out,
                                     factors *f)
{
	for (int d = 0; d < out[0]->ndim; d++) {
		const int from = broadcast_from(e, in, out, d);
		if (from >= 0)
			factor_shared(e, in, f, from, d);
		else
			factor_alone(e, f, d, out[0]->dims[d], false);
	}
}

static void broadcast_in_dim_eval(const eval_args *args)
{
	const type *x = args->in[0], *y = args->out[0];
	box copy = {0};

	if (!y->size) return;
	for (int d = 0; d < y->ndim; d++) {
		const int from = broadcast_from(args->eqn, args->in, args->out, d);
		box_dim(&copy, y->dims[d], dims_stride(y, d), from < 0 ? 0 : dims_stride(x, from));
	}
	box_copy(&copy, y->dtype, args->y[0], 0, args->x[0], 0);
}

/* the index along a dim of size 1 does not matter */
static void broadcast_in_dim_lower(kernel *k, const eqn *e, const kvar *index, kvar *to)
{
	const ints *at = &broadcast_of(e)->at;
	kvar *from = k_room(k, at->n);

	for (int i = 0; i < at->n; i++) from[i] = index[at->v[i]];
	to[0] = k_operand(k, e, 0, from);
}

/* the sum over the dims that repeat; those that the operand has with size 1 are put back */
static var broadcast_back(build *b, const eqn *e, const type *const *in, var ct)
{
	const type *y = build_type(b, ct);
	int64_t *dims = ints_room(b, y->ndim);
	int n = 0;

	for (int d = 0; dims && d < y->ndim; d++)
		if (broadcast_from(e, in, &y, d) < 0) dims[n++] = d;
	const var sum = emit_sum(b, ct, dims, n);
	return y->ndim - n < in[0]->ndim ? emit_reshape(b, sum, in[0]->dims, in[0]->ndim) : sum;
}

TRANSPOSE_AS(broadcast_in_dim, broadcast_back(b, e, in, *ct))
BATCH_AS(broadcast_in_dim, (broadcast_params){list_behind(b, to->size, &broadcast_of(e)->dims, 0),
                                              list_behind(b, 0, &broadcast_of(e)->at, 1)})

static const field broadcast_fields[] = {
	PARAM(broadcast_params, dims, FIELD_DIMS),
	PARAM(broadcast_params, at, FIELD_INTS),
	PARAMS_END,
};
LOCAL_ROW(broadcast_in_dim, "the operand repeated along new dims and along its dims of size 1", 1,
          broadcast_fields, MOVES(0.25), .jvp = jvp_linear, .transpose = broadcast_in_dim_transpose,
          .batch = broadcast_in_dim_batch)

/* ---- rev */

static const field dims_fields[] = {PARAM(dims_params, dims, FIELD_INTS), PARAMS_END};

static const ints *reversed_dims(const eqn *e)
{
	return &((const dims_params *)e->params)->dims;
}

static bool rev_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	if (!check_dims_rise(b, e, "dims", reversed_dims(e), in[0]->ndim)) return false;
	return give_type(b, in[0]->dtype, in[0]->dims, in[0]->ndim, out);
}

static void rev_factors(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	for (int d = 0; d < out[0]->ndim; d++) {
		const int64_t size = in[0]->dims[d];
		if (size > 1 && has_int(reversed_dims(e), d))
			factor_moved(e, out, f, d,
			             (factor_window){size, -1, size - 1, size - 1, 1});
		else
			factor_shared(e, in, f, d, d);
	}
}

static void rev_eval(const eval_args *args)
{
	const type *t = args->in[0];
	int64_t first = 0;
	box copy = {0};

	if (!t->size) return;
	for (int d = 0; d < t->ndim; d++) {
		const int64_t stride = dims_stride(t, d);
		const bool back = has_int(reversed_dims(args->eqn), d);
		box_dim(&copy, t->dims[d], stride, back ? -stride : stride);
		if (back) first += (t->dims[d] - 1) * stride;
	}
	box_copy(&copy, t->dtype, args->y[0], 0, args->x[0], first);
}

static void rev_lower(kernel *k, const eqn *e, const kvar *index, kvar *to)
{
	const type *t = k_type(k, e, 0);
	kvar *from = k_room(k, t->ndim);

	for (int d = 0; d < t->ndim; d++)
		from[d] = has_int(reversed_dims(e), d)
		                  ? k_ix_plus(k, k_ix_times(k, index[d], -1), t->dims[d] - 1)
		                  : index[d];
	to[0] = k_operand(k, e, 0, from);
}

TRANSPOSE_AS(rev, emit(b, e->prim, e->params, ct, 1))
BATCH_AS(rev, (dims_params){list_plus(b, reversed_dims(e), 1)})

LOCAL_ROW(rev, "the listed dims from the end to the beginning", 1, dims_fields, MOVES_ALONG(0.25),
          .jvp = jvp_linear,
          .transpose = rev_transpose, .batch = rev_batch)

/* ---- iota: each element is its index along one dim */

static bool iota_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const iota_params *p = e->params;
	const int ndim = p->dims.n;

	(void)in;
	if (!check_known_dtype(b, e, p->dtype)) return false;
	if (p->dtype == TSR_BOOL)
		return fail_type(b, e, "%s does not accept dtype bool", eqn_name(b, e));
	if (!check_shape(b, e, &p->dims) || !check_dim(b, e, p->dim, ndim)) return false;
	return give_type(b, p->dtype, p->dims.v, ndim, out);
}

static void iota_factors(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	const int64_t numbered = ((const iota_params *)e->params)->dim;

	(void)in;
	for (int d = 0; d < out[0]->ndim; d++)
		factor_alone(e, f, d, out[0]->dims[d], d == numbered);
}

static void iota_eval(const eval_args *args)
{
	const type *t = args->out[0];
	const int dim = (int)((const iota_params *)args->eqn->params)->dim;
	const int64_t below = dims_stride(t, dim);

	for (int64_t i = 0; i < t->size; i++) {
		const int64_t index = i / below % t->dims[dim];
		dtype_convert(t->dtype, (char *)args->y[0] + (size_t)i * tsr_dtype_size(t->dtype),
		              TSR_I64, &index, 1);
	}
}

static void iota_lower(kernel *k, const eqn *e, const kvar *index, kvar *to)
{
	const iota_params *p = e->params;

	to[0] = k_convert(k, index[p->dim], p->dtype);
}

/* numbers count as integers do, and are converted once: they are rounded once */
static void iota_local(build *b, const eqn *e, const localizing *to, const var *x, var *y)
{
	const iota_params *p = e->params;
	const type *t = to->block[0];
	const var start = to->start[0][p->dim];

	(void)x;
	if (start.id)
		y[0] = emit_convert(b, emit_places(b, t->dims, t->ndim, (int)p->dim, start),
		                    p->dtype);
	else
		y[0] = emit_iota(b, p->dtype, t->dims, t->ndim, (int)p->dim);
}

static const field iota_fields[] = {
	PARAM(iota_params, dtype, FIELD_DTYPE),
	PARAM(iota_params, dims, FIELD_DIMS),
	PARAM(iota_params, dim, FIELD_INT),
	PARAMS_END,
};
LOCAL_ROW(iota, "the index of each element along one dim", 0, iota_fields, .cost = 0.5,
          .local = iota_local,
          TSR_NO_RULE(COL_JVP, "it has no operand"),
          TSR_NO_RULE(COL_TRANSPOSE, "it has no operand"),
          TSR_NO_RULE(COL_BATCH, "it has no operand"))
