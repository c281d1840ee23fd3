/* patches.c - windows that go over an array in steps: patches takes the elements of each one, and
 * add_patches, its transpose, puts them back and adds those of one place.
 *
 *     patches [1 2 3 4 5] along=[0] sizes=[3] strides=[2] dilations=[1]
 *       gives  [1 2 3; 3 4 5]
 *     add_patches [1 2 3; 3 4 5] along=[0] sizes=[3] strides=[2] dilations=[1] dims=[5]
 *       gives  [1 2 6 4 5]
 *
 * Convolutions are products of patches, and pooling reduces them (lib/arrays/windows.c): kernels
 * read the elements where they are, and no array of patches is made but for a large product. */
#include "prim/checks.h"
#include "prim/cursors.h"
#include "prim/reduce/reduce.h"
#include "prim/row.h"

static const patches_params *params_of(const eqn *e) { return e->params; }

/* the place of a dim in the list of those that windows go along; -1: they do not */
static int place_along(const patches_params *p, int dim)
{
	return int_place(&p->along, dim);
}

static bool check_windows(build *b, const eqn *e, int ndim)
{
	const patches_params *p = params_of(e);
	const int n = p->along.n;

	if (!check_dims_rise(b, e, "along", &p->along, ndim) ||
	    !check_length(b, e, "sizes", &p->sizes, n) ||
	    !check_length(b, e, "strides", &p->strides, n) ||
	    !check_length(b, e, "dilations", &p->dilations, n))
		return false;
	for (int i = 0; i < n; i++)
		if (p->sizes.v[i] < 1 || p->strides.v[i] < 1 || p->dilations.v[i] < 1)
			return fail_type(b, e,
			                 "%s: sizes, strides and dilations must be at least 1, got "
			                 "%lld, %lld and %lld along dim %lld",
			                 eqn_name(b, e), (long long)p->sizes.v[i],
			                 (long long)p->strides.v[i], (long long)p->dilations.v[i],
			                 (long long)p->along.v[i]);
	return true;
}

/* from the first element of a window to the last one */
static bool window_reach(const patches_params *p, int i, int64_t *reach)
{
	return mul_ok(p->sizes.v[i] - 1, p->dilations.v[i], reach);
}

/* how many windows go along a dim */
static int64_t patches_count(int64_t size, int64_t window, int64_t stride, int64_t dilation)
{
	int64_t reach;

	if (!mul_ok(window - 1, dilation, &reach) || reach >= size) return 0;
	return (size - reach - 1) / stride + 1;
}

/* the dims of the patches of an array with these dims */
static const int64_t *patches_dims(build *b, const patches_params *p, const int64_t *dims, int ndim)
{
	int64_t *to = dims_room(b, ndim + p->along.n);

	for (int d = 0; to && d < ndim; d++) {
		const int i = place_along(p, d);
		to[d] = i < 0 ? dims[d] : patches_count(dims[d], p->sizes.v[i], p->strides.v[i],
		                                        p->dilations.v[i]);
	}
	for (int i = 0; to && i < p->along.n; i++) to[ndim + i] = p->sizes.v[i];
	return to;
}

/* ---- patches */

static bool patches_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const patches_params *p = params_of(e);

	if (!check_windows(b, e, in[0]->ndim)) return false;
	const int64_t *dims = patches_dims(b, p, in[0]->dims, in[0]->ndim);
	return dims && give_type(b, in[0]->dtype, dims, in[0]->ndim + p->along.n, out);
}

/* a block of windows needs the elements from the first window to the end of the last one: the same
 * row makes them. With `added`, the transpose, element j is in window i if i * stride <= j <= i *
 * stride + reach, which is what a window of the operand says with the sides changed */
static void windows_factors(const eqn *e, const type *const *in, const type *const *out, bool added,
                            factors *f)
{
	const patches_params *p = params_of(e);
	const type *array = added ? out[0] : in[0], *windows = added ? in[0] : out[0];

	for (int d = 0; d < array->ndim; d++) {
		const int i = place_along(p, d);
		int64_t reach = 0;
		if (i < 0) {
			factor_shared(e, in, f, d, d);
			continue;
		}
		window_reach(p, i, &reach);
		const int64_t step = windows->dims[d] > 1 ? p->strides.v[i] : 1;
		factor_moved(e, out, f, d,
		             added ? (factor_window){in[0]->dims[d], 1, -reach, 0, step}
		                   : (factor_window){in[0]->dims[d], step, 0, reach, 1});
	}
	for (int i = 0; i < p->along.n; i++)
		factor_whole(f, added ? 0 : e->nin, array->ndim + i, p->sizes.v[i],
		             "a window is whole");
}

static void patches_factors(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	windows_factors(e, in, out, false, f);
}

static void patches_eval(const eval_args *args)
{
	const patches_params *p = params_of(args->eqn);
	const type *x = args->in[0], *y = args->out[0];
	box copy = {0};

	if (!y->size) return;
	for (int d = 0; d < y->ndim; d++) {
		const int i = d < x->ndim ? place_along(p, d) : d - x->ndim;
		const int from = d < x->ndim ? d : (int)p->along.v[i];
		const int64_t step = d >= x->ndim ? p->dilations.v[i] : i < 0 ? 1 : p->strides.v[i];
		if (y->dims[d] > 1)
			box_dim(&copy, y->dims[d], dims_stride(y, d), step * dims_stride(x, from));
	}
	box_copy(&copy, y->dtype, args->y[0], 0, args->x[0], 0);
}

static void patches_lower(kernel *k, const eqn *e, const kvar *index, kvar *to)
{
	const patches_params *p = params_of(e);
	const int ndim = k_type(k, e, 0)->ndim;
	kvar *from = k_room(k, ndim);

	for (int d = 0; d < ndim; d++) from[d] = index[d];
	for (int i = 0; i < p->along.n; i++) {
		kvar *at = &from[p->along.v[i]];
		*at = k_ix_add(k, k_ix_times(k, *at, p->strides.v[i]),
		               k_ix_times(k, index[ndim + i], p->dilations.v[i]));
	}
	to[0] = k_operand(k, e, 0, from);
}

static var put_back(build *b, const patches_params *p, const int64_t *dims, int ndim, var y)
{
	const add_patches_params with = {*p, {ndim, dims}};

	return emit(b, &tsr__prim_add_patches, &with, &y, 1);
}

TRANSPOSE_AS(patches, put_back(b, params_of(e), in[0]->dims, in[0]->ndim, *ct))
BATCH_AS(patches, (patches_params){list_plus(b, &params_of(e)->along, 1), params_of(e)->sizes,
                                   params_of(e)->strides, params_of(e)->dilations})

#define WINDOW_FIELDS(record_) \
	PARAM(record_, along, FIELD_INTS), PARAM(record_, sizes, FIELD_INTS), \
		PARAM(record_, strides, FIELD_INTS), PARAM(record_, dilations, FIELD_INTS)
static const field patches_fields[] = {WINDOW_FIELDS(patches_params), PARAMS_END};
LOCAL_ROW(patches,
          "the elements of windows that go along dims in strides, with the dims of a window last",
          1, patches_fields, MOVES(0.5), .jvp = jvp_linear, .transpose = patches_transpose,
          .batch = patches_batch)

/* ---- add_patches */

static const add_patches_params *added_of(const eqn *e) { return e->params; }

static bool add_patches_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const add_patches_params *p = added_of(e);
	const int ndim = p->dims.n;

	if (!check_kind(b, e, in[0], NUMBER_KINDS) || !check_windows(b, e, ndim)) return false;
	for (int d = 0; d < ndim; d++)
		if (p->dims.v[d] < 0)
			return fail_type(b, e, "%s: dims must be nonnegative, got %s",
			                 eqn_name(b, e), dims_words(b, p->dims.v, ndim));
	const int64_t *dims = patches_dims(b, params_of(e), p->dims.v, ndim);
	if (!dims) return false;
	if (!dims_same(dims, ndim + p->windows.along.n, in[0]->dims, in[0]->ndim))
		return fail_type(b, e, "%s: an array of dims %s has patches of dims %s, got %s",
		                 eqn_name(b, e), dims_words(b, p->dims.v, ndim),
		                 dims_words(b, dims, ndim + p->windows.along.n),
		                 type_words(b, in[0]));
	return give_type(b, in[0]->dtype, p->dims.v, ndim, out);
}

static void add_patches_factors(const eqn *e, const type *const *in, const type *const *out,
                                factors *f)
{
	windows_factors(e, in, out, true, f);
}

/* the place in the operand of what a window, at w, adds to element `index`; false: nothing */
static bool added_from(const patches_params *p, const type *y, int ndim, const int64_t *index,
                       const int64_t *w, int64_t *at)
{
	*at = 0;
	for (int d = 0; d < ndim; d++) {
		const int i = place_along(p, d);
		int64_t j = index[d];
		if (i >= 0) {
			j -= w[i] * p->dilations.v[i];
			if (j < 0 || j % p->strides.v[i]) return false;
			j /= p->strides.v[i];
			if (j >= y->dims[d]) return false;
		}
		*at += j * dims_stride(y, d);
	}
	for (int i = 0; i < p->along.n; i++) *at += w[i] * dims_stride(y, ndim + i);
	return true;
}

static int64_t window_elements(const patches_params *p)
{
	int64_t n = 1;

	for (int i = 0; i < p->along.n; i++) n *= p->sizes.v[i];
	return n;
}

/* the elements that are added to one */
static size_t add_patches_scratch(const eqn *e, const type *const *in)
{
	return in[0]->size ? (size_t)window_elements(params_of(e)) * tsr_dtype_size(in[0]->dtype)
	                   : 0;
}

/* They are added by the tree of reduce_sum, in the order of the places in a window, with 0 where a
 * window adds nothing */
static void add_patches_eval(const eval_args *args)
{
	const patches_params *p = params_of(args->eqn);
	const type *y = args->in[0], *z = args->out[0];
	const size_t item = tsr_dtype_size(y->dtype);
	const int64_t n = y->size ? window_elements(p) : 0;
	int64_t index[MAX_NDIM] = {0}, w[MAX_NDIM] = {0}, at;
	char *term = args->scratch;

	for (int64_t k = 0; k < z->size; k++) {
		for (int64_t i = 0; i < n; i++) {
			const bool adds = added_from(p, y, z->ndim, index, w, &at);
			memset(term + (size_t)i * item, 0, item);
			if (adds)
				memcpy(term + (size_t)i * item,
				       (const char *)args->x[0] + (size_t)at * item, item);
			dims_next(w, p->sizes.v, p->along.n);
		}
		reduce_line_sum(z->dtype, term, n, args->y[0], k);
		dims_next(index, z->dims, z->ndim);
	}
}

static void add_patches_lower(kernel *k, const eqn *e, const kvar *index, kvar *to)
{
	static const unsigned char zero[16];
	const patches_params *p = params_of(e);
	const type *y = k_type(k, e, 0);
	const int ndim = k_result_type(k, e)->ndim, n = p->along.n;
	kvar *from = k_room(k, y->ndim), *w = from + ndim, a = {0}, b = {0};
	kvar inside = k_number(k, TSR_BOOL, 1);

	k_reduce_begin(k, p->sizes.v, n, w);
	for (int d = 0; d < ndim; d++) from[d] = index[d];
	for (int i = 0; i < n; i++) {
		kvar *at = &from[p->along.v[i]];
		const int64_t stride = p->strides.v[i];
		*at = k_ix_add(k, *at, k_ix_times(k, w[i], -p->dilations.v[i]));
		inside = k_binary(k, K_AND, inside, k_binary(k, K_GE, *at, k_ix(k, 0)));
		inside = k_binary(k, K_AND, inside,
		                  k_binary(k, K_EQ, k_ix_rem(k, *at, stride), k_ix(k, 0)));
		*at = k_ix_div(k, *at, stride);
		inside = k_binary(k, K_AND, inside,
		                  k_binary(k, K_LT, *at, k_ix(k, y->dims[p->along.v[i]])));
	}
	if (k_if(k, inside)) a = k_wide(k, k_operand(k, e, 0, from));
	if (k_else(k)) b = k_const(k, dtype_wide(y->dtype), zero);
	to[0] = k_narrow(k, k_reduce_end(k, KR_SUM, k_end(k, a, b), (kvar){0}), y->dtype);
}

/* x, but 0 where a window of it has elements that the operand has not */
static var zero_outside(build *b, const localizing *to, int dim, var x)
{
	if (is_zero(x)) return x;
	const type *t = build_type(b, x);
	const var place = emit_places(b, t->dims, t->ndim, dim, to->start[0][dim]);
	const var before = emit_before(b, place, 0);
	const var inside = emit_before(b, place, to->whole[0]->dims[dim]);
	const var zero = emit_scalar(b, t->dtype, 0);

	return emit_select(b, before, zero, emit_select(b, inside, x, zero));
}

/* All that a block of windows adds to begins at the first element of the first window. The block of
 * the result begins up to `reach` elements behind that, or, where windows do not overlap, up to
 * stride - 1 - reach before it */
static var added_block(build *b, const patches_params *p, const localizing *to, int dim, var x)
{
	if (is_zero(x)) return x;
	const int i = place_along(p, dim);
	const var first = to->start[0][dim], begin = to->start[1][dim];
	const type *t = build_type(b, x);
	const tsr_dtype dtype = build_type(b, first)->dtype;
	const int64_t stride = p->strides.v[i], block = to->block[1]->dims[dim];
	const var zero = emit_scalar(b, t->dtype, 0);
	int64_t reach;

	window_reach(p, i, &reach);
	const int64_t low = reach < stride ? stride : 0, high = reach + block - t->dims[dim];
	const var at = emit_sub(b, begin,
	                        emit_mul(b, first, emit_scalar(b, dtype, (double)stride)));
	return emit_part_at(b, emit_pad_dim(b, x, dim, low, high > 0 ? high : 0, zero), dim,
	                    emit_add(b, at, emit_scalar(b, dtype, (double)low)), block);
}

static void add_patches_local(build *b, const eqn *e, const localizing *to, const var *x, var *y)
{
	const patches_params *p = params_of(e);
	const type *of = to->block[0], *result = to->block[1];
	int64_t *dims = ints_room(b, result->ndim);

	if (build_failed(b)) return;
	y[0] = x[0];
	for (int d = 0; d < result->ndim; d++) {
		const int i = place_along(p, d);
		int64_t reach = 0;
		dims[d] = result->dims[d];
		if (i < 0 || !to->start[0][d].id) continue;
		window_reach(p, i, &reach);
		dims[d] = (of->dims[d] - 1) * p->strides.v[i] + reach + 1;
		y[0] = zero_outside(b, to, d, y[0]);
	}
	y[0] = put_back(b, p, dims, result->ndim, y[0]);
	for (int d = 0; d < result->ndim; d++)
		if (place_along(p, d) >= 0 && to->start[0][d].id)
			y[0] = added_block(b, p, to, d, y[0]);
}

TRANSPOSE_AS(add_patches, emit(b, &tsr__prim_patches, params_of(e), ct, 1))
BATCH_AS(add_patches,
         (add_patches_params){{list_plus(b, &params_of(e)->along, 1), params_of(e)->sizes,
                               params_of(e)->strides, params_of(e)->dilations},
                              list_behind(b, to->size, &added_of(e)->dims, 0)})

static const field add_patches_fields[] = {
	WINDOW_FIELDS(patches_params),
	PARAM(add_patches_params, dims, FIELD_DIMS),
	PARAMS_END,
};
LOCAL_ROW(add_patches,
          "an array of these dims where each element is the sum of its places in patches", 1,
          add_patches_fields, .flags = PRIM_REDUCES | PRIM_BRANCHES, .cost = 3,
          .local = add_patches_local, .jvp = jvp_linear, .transpose = add_patches_transpose,
          .batch = add_patches_batch, .scratch = add_patches_scratch)
