/* reshape.c - defines rows that give other dims to elements and keep their order: reshape, squeeze,
 * expand_dims.
 *
 *     reshape [1 2 3; 4 5 6] dims=[3,2]    gives  [1 2; 3 4; 5 6]
 *     squeeze [1 2;] dims=[0]              gives  [1 2]
 *     expand_dims [1 2] dims=[1]           gives  [1; 2]
 *
 * Which parts of the dims blocks may be cut along is what reshape_factors finds. */
#include "prim/checks.h"
#include "prim/row.h"

static const field dims_fields[] = {PARAM(dims_params, dims, FIELD_INTS), PARAMS_END};
static const field reshape_fields[] = {PARAM(dims_params, dims, FIELD_DIMS), PARAMS_END};

static const ints *dims_of(const eqn *e) { return &((const dims_params *)e->params)->dims; }

#define reshape_eval eval_kept
#define squeeze_eval eval_kept
#define expand_dims_eval eval_kept

/* ---- reshape */

static bool reshape_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const ints *dims = dims_of(e);
	int64_t size;

	for (int d = 0; d < dims->n; d++)
		if (dims->v[d] < 0)
			return fail_type(b, e, "%s: the new shape %s has a negative dim",
			                 eqn_name(b, e), dims_words(b, dims->v, dims->n));
	if (!dims_size(dims->v, dims->n, &size))
		return fail_type(b, e, "%s: the new shape %s is too large", eqn_name(b, e),
		                 dims_words(b, dims->v, dims->n));
	if (size == in[0]->size) return give_type(b, in[0]->dtype, dims->v, dims->n, out);
	return fail_type(b, e,
	                 "cannot reshape array of shape %s (size %lld) into shape %s (size %lld)",
	                 dims_words(b, in[0]->dims, in[0]->ndim), (long long)in[0]->size,
	                 dims_words(b, dims->v, dims->n), (long long)size);
}

/* The index of element i, in row-major order, along a dim, or along a part of one, is
 * i / stride % size */
typedef struct common_part { /* the same in a dim of the operand and one of the result */
	int dim[2];
	int64_t stride, size;
	int factor;
} common_part;

/* A dim of x and one of y, which end at xend and yend (stride times size), have in common what
 * begins at a multiple of both strides and ends where both ends are multiples of it. Only dims that
 * overlap have something. From the major end to the minor one; how many there are */
static int common_parts(const type *x, const type *y, factors *f, common_part *to)
{
	int64_t xend = x->size, yend = y->size;
	int i = 0, j = 0, n = 0;

	while (i < x->ndim && j < y->ndim && n < MAX_FACTORS) {
		const int64_t xstride = xend / x->dims[i], ystride = yend / y->dims[j];
		const int64_t end = common_divisor(xend, yend);
		if (end % xstride == 0 && end % ystride == 0) {
			const int64_t stride = xstride / common_divisor(xstride, ystride) * ystride;
			const int64_t size = end / stride;
			if (size > 1)
				to[n++] = (common_part){{i, j}, stride, size,
				                        factor_new(f, size, FACTOR_PASS)};
		}
		if (xstride >= ystride) xend = xstride, i++;
		else yend = ystride, j++;
	}
	return n;
}

/* side: 0 is the operand, 1 the result */
static void put_parts(const type *t, int value, int side, const common_part *part, int n,
                      factors *f)
{
	static const char *const why = "the reshape mixes its elements";
	int64_t end = t->size;

	for (int d = 0; d < t->ndim; d++) {
		const int64_t stride = end / t->dims[d];
		for (int k = 0; k < n; k++) {
			if (part[k].dim[side] != d) continue;
			factor_whole(f, value, d, end / (part[k].stride * part[k].size), why);
			factor_at(f, value, d, part[k].factor);
			end = part[k].stride;
		}
		factor_whole(f, value, d, end / stride, why);
		end = stride;
	}
}

static void all_whole(const type *t, int value, factors *f)
{
	for (int d = 0; d < t->ndim; d++)
		factor_whole(f, value, d, t->dims[d], "there are no elements");
}

/* What dims of operand and result have in common passes through; the rest of them must be whole.
 *
 * f32[6,4] -> f32[3,8]: of 6, the major 3 is the 3 of the result, and the minor 2 the major part of
 * 8, whose minor 4 is the 4 of the operand. So "(ab)c->a(bc)", and both may be split along a. Of
 * f32[2,3] -> f32[3,2] nothing is common: both must be whole. f32[6,4,5] -> f32[4,6,5] has 5 in
 * common, the major 2 of 6 and 4, and the minor 2 of 4 and 6. Between, 3 and 2 become 2 and 3. */
static void reshape_factors(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	common_part part[MAX_FACTORS];

	if (in[0]->size) {
		const int n = common_parts(in[0], out[0], f, part);
		put_parts(in[0], 0, 0, part, n, f);
		put_parts(out[0], e->nin, 1, part, n, f);
	} else {
		all_whole(in[0], 0, f);
		all_whole(out[0], e->nin, f);
	}
}

static void reshape_lower(kernel *k, const eqn *e, const kvar *index, kvar *to)
{
	const type *x = k_type(k, e, 0), *y = k_result_type(k, e);
	kvar *from = k_room(k, x->ndim);

	k_ix_unflat(k, k_ix_flat(k, index, y->dims, y->ndim), x->dims, x->ndim, from);
	to[0] = k_operand(k, e, 0, from);
}

TRANSPOSE_AS(reshape, emit_reshape(b, *ct, in[0]->dims, in[0]->ndim))
BATCH_AS(reshape, (dims_params){list_behind(b, to->size, dims_of(e), 0)})

LOCAL_ROW(reshape, "the same elements in the same order, under other dims", 1, reshape_fields,
          MOVES(0.25), .jvp = jvp_linear, .transpose = reshape_transpose, .batch = reshape_batch)

/* ---- squeeze and expand_dims: dims of size 1 are dropped, or added */

static bool squeeze_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	int64_t *dims = dims_room(b, in[0]->ndim);
	int ndim = 0;

	if (!dims || !check_dims_rise(b, e, "dims", dims_of(e), in[0]->ndim)) return false;
	for (int d = 0; d < in[0]->ndim; d++) {
		if (!has_int(dims_of(e), d))
			dims[ndim++] = in[0]->dims[d];
		else if (in[0]->dims[d] != 1)
			return fail_type(b, e,
			                 "cannot squeeze out a dim whose size is not one, got "
			                 "shape %s and dims %s",
			                 dims_words(b, in[0]->dims, in[0]->ndim),
			                 dims_words(b, dims_of(e)->v, dims_of(e)->n));
	}
	return give_type(b, in[0]->dtype, dims, ndim, out);
}

/* the longer type has the dims of the shorter one, and the listed ones in addition */
static void factors_but_listed(const eqn *e, const type *const *in, factors *f, int longer_ndim,
                               bool longer_is_operand)
{
	for (int d = 0, shorter = 0; d < longer_ndim; d++) {
		if (has_int(dims_of(e), d)) continue;
		factor_shared(e, in, f, longer_is_operand ? d : shorter,
		              longer_is_operand ? shorter : d);
		shorter++;
	}
}

static void squeeze_factors(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	(void)out;
	factors_but_listed(e, in, f, in[0]->ndim, true);
}

static void squeeze_lower(kernel *k, const eqn *e, const kvar *index, kvar *to)
{
	const int ndim = k_type(k, e, 0)->ndim;
	kvar *from = k_room(k, ndim);

	for (int d = 0, kept = 0; d < ndim; d++)
		from[d] = has_int(dims_of(e), d) ? k_ix(k, 0) : index[kept++];
	to[0] = k_operand(k, e, 0, from);
}

TRANSPOSE_AS(squeeze, emit(b, &tsr__prim_expand_dims, e->params, ct, 1))
BATCH_AS(squeeze, (dims_params){list_plus(b, dims_of(e), 1)})

LOCAL_ROW(squeeze, "without the listed dims, which are of size 1", 1, dims_fields,
          MOVES(0.25), .jvp = jvp_linear, .transpose = squeeze_transpose, .batch = squeeze_batch)

static bool expand_dims_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const int ndim = in[0]->ndim + dims_of(e)->n;
	int64_t *dims = dims_room(b, ndim);

	if (!dims || !check_dims_rise(b, e, "dims", dims_of(e), ndim)) return false;
	for (int d = 0, from = 0; d < ndim; d++)
		dims[d] = has_int(dims_of(e), d) ? 1 : in[0]->dims[from++];
	return give_type(b, in[0]->dtype, dims, ndim, out);
}

static void expand_dims_factors(const eqn *e, const type *const *in, const type *const *out,
                                factors *f)
{
	factors_but_listed(e, in, f, out[0]->ndim, false);
}

static void expand_dims_lower(kernel *k, const eqn *e, const kvar *index, kvar *to)
{
	const int ndim = k_result_type(k, e)->ndim;
	kvar *from = k_room(k, ndim);

	for (int d = 0, kept = 0; d < ndim; d++)
		if (!has_int(dims_of(e), d)) from[kept++] = index[d];
	to[0] = k_operand(k, e, 0, from);
}

TRANSPOSE_AS(expand_dims, emit(b, &tsr__prim_squeeze, e->params, ct, 1))
BATCH_AS(expand_dims, (dims_params){list_plus(b, dims_of(e), 1)})

LOCAL_ROW(expand_dims, "with dims of size 1 put in, at the listed places of the result", 1,
          dims_fields, MOVES(0.25), .jvp = jvp_linear, .transpose = expand_dims_transpose,
          .batch = expand_dims_batch)
