/* slicing.c - rows that take parts of arrays or put them together: concatenate, pad, slice,
 * dynamic_slice, dynamic_update_slice. */
#include "prim/local.h"

/* ---- concatenate */

static int64_t joined_dim(const eqn *e) { return ((const dim_params *)e->params)->dim; }

static bool same_but_dim(const type *a, const type *b, int64_t dim)
{
	if (a->ndim != b->ndim) return false;
	for (int d = 0; d < a->ndim; d++)
		if (d != dim && a->dims[d] != b->dims[d]) return false;
	return true;
}

static bool concatenate_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const int64_t dim = joined_dim(e);

	if (e->nin < 1) return fail_type(b, e, "concatenate expects at least one operand, got 0");
	if (dim < 0 || dim >= in[0]->ndim)
		return fail_type(
			b, e, "concatenate dimension out of bounds: dimension %lld for shapes %s",
			(long long)dim, types_words(b, in, e->nin));
	int64_t *dims = dims_room(b, in[0]->ndim);
	if (!dims || !check_same_dtypes(b, e, in, 0, e->nin)) return false;
	for (int d = 0; d < in[0]->ndim; d++) dims[d] = in[0]->dims[d];
	for (int i = 1; i < e->nin; i++) {
		if (!same_but_dim(in[0], in[i], dim))
			return fail_type(b, e,
			                 "Cannot concatenate arrays with shapes that differ in "
			                 "dimensions other than the one being concatenated: "
			                 "concatenating along dimension %lld for shapes %s",
			                 (long long)dim, types_words(b, in, e->nin));
		if (!add_ok(dims[dim], in[i]->dims[dim], &dims[dim]))
			return fail_type(b, e, "concatenate: the result of %s is too large",
			                 types_words(b, in, e->nin));
	}
	return give_type(b, in[0]->dtype, dims, in[0]->ndim, out);
}

static void concatenate_factors(const eqn *e, const type *const *in, const type *const *out,
                                factors *f)
{
	const int64_t dim = joined_dim(e);

	for (int d = 0; d < out[0]->ndim; d++) {
		const int factor = d == dim ? -1 : factor_new(f, out[0]->dims[d], FACTOR_PASS);
		for (int i = 0; i <= e->nin; i++) {
			if (d != dim) factor_at(f, i, d, factor);
			else factor_whole(f, i, d, i < e->nin ? in[i]->dims[d] : out[0]->dims[d]);
		}
	}
}

static void concatenate_eval(const eval_args *e)
{
	const type *y = e->out[0];
	const int dim = (int)joined_dim(e->eqn);
	int64_t at = 0;

	for (int i = 0; i < e->eqn->nin; i++) {
		box copy = {0};
		if (!e->in[i]->size) continue;
		for (int d = 0; d < y->ndim; d++)
			box_dim(&copy, e->in[i]->dims[d], dims_stride(y, d),
			        dims_stride(e->in[i], d));
		box_copy(&copy, y->dtype, e->y[0], at * dims_stride(y, dim), e->x[i], 0);
		at += e->in[i]->dims[dim];
	}
}

static const field dim_fields[] = {PARAM(dim_params, dim, FIELD_INT), PARAMS_END};
LOCAL_ROW(concatenate, "the operands one after the other along a dim", -1, dim_fields)

/* ---- dims of which the result keeps everything pass through; of the others operand and result
 * must be whole */

static void factors_by_dims(const eqn *e, const type *const *in, const type *const *out, factors *f,
                            bool (*keeps)(const eqn *, const type *const *in,
                                          const type *const *out, int dim))
{
	for (int d = 0; d < out[0]->ndim; d++) {
		if (keeps(e, in, out, d)) {
			factor_shared(e, in, f, d, d, FACTOR_PASS);
			continue;
		}
		factor_whole(f, 0, d, in[0]->dims[d]);
		factor_whole(f, e->nin, d, out[0]->dims[d]);
	}
}

/* ---- pad: low, high and between elements; negative low and high cut off */

#define MOST_PADDING (INT64_MAX / 4)      /* so that places of elements never overflow */

static bool padded_dim(int64_t size, int64_t low, int64_t high, int64_t interior, int64_t *out)
{
	int64_t between = 0;

	if (low < -MOST_PADDING || low > MOST_PADDING || high < -MOST_PADDING ||
	    high > MOST_PADDING || interior > MOST_PADDING)
		return false;
	if (size > 1 && !mul_ok(size - 1, interior, &between)) return false;
	return add_ok(size, between, out) && add_ok(*out, low, out) && add_ok(*out, high, out) &&
	       *out >= 0;
}

static bool pad_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const pad_params *p = e->params;
	const int ndim = in[0]->ndim;
	int64_t *dims = dims_room(b, ndim);

	if (!dims || !check_same_dtypes(b, e, in, 0, 2)) return false;
	if (in[1]->ndim)
		return fail_type(b, e, "padding_value must be a scalar; got %s",
		                 type_words(b, in[1]));
	if (!check_length(b, e, "low", &p->low, ndim) ||
	    !check_length(b, e, "high", &p->high, ndim) ||
	    !check_length(b, e, "interior", &p->interior, ndim))
		return false;
	for (int d = 0; d < ndim; d++) {
		if (p->interior.v[d] < 0)
			return fail_type(
				b, e,
				"interior padding in padding_config must be nonnegative, got %lld",
				(long long)p->interior.v[d]);
		if (!padded_dim(in[0]->dims[d], p->low.v[d], p->high.v[d], p->interior.v[d],
		                &dims[d]))
			return fail_type(
				b, e,
				"Dimension size after padding is not at least 0 or too large: "
				"dim %d of %s with padding (%lld, %lld, %lld)",
				d, type_words(b, in[0]), (long long)p->low.v[d],
				(long long)p->high.v[d], (long long)p->interior.v[d]);
	}
	return give_type(b, in[0]->dtype, dims, ndim, out);
}

static bool pad_keeps(const eqn *e, const type *const *in, const type *const *out, int d)
{
	const pad_params *p = e->params;

	return p->low.v[d] == 0 && p->high.v[d] == 0 && in[0]->dims[d] == out[0]->dims[d];
}

static void pad_factors(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	factors_by_dims(e, in, out, f, pad_keeps);
}

static void fill(const type *t, void *y, const void *value)
{
	const size_t item = tsr_dtype_size(t->dtype);

	for (int64_t i = 0; i < t->size; i++) memcpy((char *)y + (size_t)i * item, value, item);
}

/* operand index i of a dim lands on low + i * step; first and count: of those that land inside */
static void landing(int64_t size, int64_t low, int64_t step, int64_t result, int64_t *first,
                    int64_t *count)
{
	const int64_t begin = low >= 0 ? 0 : -low / step + (-low % step != 0);
	const int64_t room = result - 1 - low, last = room < 0 ? -1 : room / step;

	*first = begin;
	*count = (last < size ? last + 1 : size) - begin;
}

static void pad_eval(const eval_args *e)
{
	const pad_params *p = e->eqn->params;
	const type *x = e->in[0], *y = e->out[0];
	int64_t to = 0, from = 0;
	box copy = {0};

	if (y->size) fill(y, e->y[0], e->x[1]);
	if (!y->size || !x->size) return;
	for (int d = 0; d < x->ndim; d++) {
		int64_t first, count;
		const int64_t step = p->interior.v[d] + 1;
		landing(x->dims[d], p->low.v[d], step, y->dims[d], &first, &count);
		if (count <= 0) return;
		to += (p->low.v[d] + first * step) * dims_stride(y, d);
		from += first * dims_stride(x, d);
		if (count > 1) box_dim(&copy, count, step * dims_stride(y, d), dims_stride(x, d));
	}
	box_copy(&copy, y->dtype, e->y[0], to, e->x[0], from);
}

static const field pad_fields[] = {
	PARAM(pad_params, low, FIELD_INTS),
	PARAM(pad_params, high, FIELD_INTS),
	PARAM(pad_params, interior, FIELD_INTS),
	PARAMS_END,
};
LOCAL_ROW(pad, "the operand with a value put before, after and between its elements", 2, pad_fields)

/* ---- slice: 0 <= start <= stop <= size, step >= 1 */

static bool slice_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const slice_params *p = e->params;
	const int ndim = in[0]->ndim;
	int64_t *dims = dims_room(b, ndim);

	if (!dims || !check_length(b, e, "start", &p->start, ndim) ||
	    !check_length(b, e, "stop", &p->stop, ndim) ||
	    !check_length(b, e, "step", &p->step, ndim))
		return false;
	for (int d = 0; d < ndim; d++) {
		const int64_t start = p->start.v[d], stop = p->stop.v[d], step = p->step.v[d];
		if (start < 0 || stop < start || stop > in[0]->dims[d] || step < 1)
			return fail_type(
				b, e,
				"slice of dim %d of %s needs 0 <= start <= stop <= %lld and "
				"step >= 1, got start %lld, stop %lld, step %lld",
				d, type_words(b, in[0]), (long long)in[0]->dims[d],
				(long long)start, (long long)stop, (long long)step);
		dims[d] = stop == start ? 0 : (stop - start - 1) / step + 1;
	}
	return give_type(b, in[0]->dtype, dims, ndim, out);
}

static bool slice_keeps(const eqn *e, const type *const *in, const type *const *out, int d)
{
	(void)e;
	return in[0]->dims[d] == out[0]->dims[d];
}

static void slice_factors(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	factors_by_dims(e, in, out, f, slice_keeps);
}

static void slice_eval(const eval_args *e)
{
	const slice_params *p = e->eqn->params;
	const type *x = e->in[0], *y = e->out[0];
	int64_t from = 0;
	box copy = {0};

	if (!y->size) return;
	for (int d = 0; d < y->ndim; d++) {
		const int64_t stride = dims_stride(x, d);
		from += p->start.v[d] * stride;
		if (y->dims[d] > 1)
			box_dim(&copy, y->dims[d], dims_stride(y, d), p->step.v[d] * stride);
	}
	box_copy(&copy, y->dtype, e->y[0], 0, e->x[0], from);
}

static const field slice_fields[] = {
	PARAM(slice_params, start, FIELD_INTS),
	PARAM(slice_params, stop, FIELD_INTS),
	PARAM(slice_params, step, FIELD_INTS),
	PARAMS_END,
};
LOCAL_ROW(slice, "every step-th element from start to before stop, along each dim", 1, slice_fields)

/* ---- dynamic_slice and dynamic_update_slice: one start a dim, moved so that the part fits in */

/* operands first .. first + ndim - 1 are the starts */
static bool check_starts(build *b, const eqn *e, const type *const *in, int first, int ndim)
{
	if (e->nin != first + ndim)
		return fail_type(b, e, "%s of %s needs one start for each dim, got %d",
		                 e->prim->name, type_words(b, in[0]), e->nin - first);
	for (int i = first; i < e->nin; i++) {
		if (in[i]->ndim)
			return fail_type(b, e, "%s: starts must be scalars, got %s", e->prim->name,
			                 type_words(b, in[i]));
		if (!(ONE_KIND(dtype_kind(in[i]->dtype)) & WRAP_KINDS))
			return fail_type(b, e, "index arguments to %s must be integers, got %s",
			                 e->prim->name, tsr_dtype_name(in[i]->dtype));
	}
	return true;
}

/* the place in x, in elements, of the part that starts there */
static int64_t part_place(const eval_args *e, const type *x, const int64_t *part, int first)
{
	int64_t at = 0;

	for (int d = 0; d < x->ndim; d++) {
		const tsr_dtype dtype = e->in[first + d]->dtype;
		const int64_t most = x->dims[d] - part[d];
		int64_t start;
		dtype_convert(TSR_I64, &start, dtype, e->x[first + d], 1);
		if (dtype == TSR_U64 && start < 0) start = INT64_MAX;
		at += (start < 0 ? 0 : start > most ? most : start) * dims_stride(x, d);
	}
	return at;
}

static bool dynamic_slice_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	if (e->nin < 1) return fail_type(b, e, "dynamic_slice needs an operand");
	const ints *sizes = &((const dynamic_slice_params *)e->params)->dims;
	if (!check_length(b, e, "dims", sizes, in[0]->ndim) ||
	    !check_starts(b, e, in, 1, in[0]->ndim))
		return false;
	for (int d = 0; d < in[0]->ndim; d++)
		if (sizes->v[d] < 0 || sizes->v[d] > in[0]->dims[d])
			return fail_type(b, e,
			                 "slice slice_sizes must be less than or equal to operand "
			                 "shape, got slice_sizes %s for operand shape %s",
			                 dims_words(b, sizes->v, sizes->n),
			                 dims_words(b, in[0]->dims, in[0]->ndim));
	return give_type(b, in[0]->dtype, sizes->v, sizes->n, out);
}

static void dynamic_slice_factors(const eqn *e, const type *const *in, const type *const *out,
                                  factors *f)
{
	factors_by_dims(e, in, out, f, slice_keeps);
}

static void dynamic_slice_eval(const eval_args *e)
{
	const type *x = e->in[0], *y = e->out[0];
	box copy = {0};

	if (!y->size) return;
	for (int d = 0; d < y->ndim; d++)
		box_dim(&copy, y->dims[d], dims_stride(y, d), dims_stride(x, d));
	box_copy(&copy, y->dtype, e->y[0], 0, e->x[0], part_place(e, x, y->dims, 1));
}

static const field dynamic_slice_fields[] = {
	PARAM(dynamic_slice_params, dims, FIELD_INTS), PARAMS_END,
};
LOCAL_ROW(dynamic_slice, "a part of given sizes, from starts that are known only when it runs", -1,
          dynamic_slice_fields)

static bool dynamic_update_slice_types(build *b, const eqn *e, const type *const *in,
                                       const type **out)
{
	if (e->nin < 2)
		return fail_type(b, e, "dynamic_update_slice needs an operand and an update");
	if (!check_same_dtypes(b, e, in, 0, 2) || !check_starts(b, e, in, 2, in[0]->ndim))
		return false;
	bool fits = in[0]->ndim == in[1]->ndim;
	for (int d = 0; fits && d < in[0]->ndim; d++) fits = in[1]->dims[d] <= in[0]->dims[d];
	if (!fits)
		return fail_type(b, e,
		                 "dynamic_update_slice update shape must be smaller than operand "
		                 "shape, got update shape %s for operand shape %s",
		                 dims_words(b, in[1]->dims, in[1]->ndim),
		                 dims_words(b, in[0]->dims, in[0]->ndim));
	return give_type(b, in[0]->dtype, in[0]->dims, in[0]->ndim, out);
}

static void dynamic_update_slice_factors(const eqn *e, const type *const *in,
                                         const type *const *out, factors *f)
{
	for (int d = 0; d < out[0]->ndim; d++) {
		const bool all = in[1]->dims[d] == in[0]->dims[d];
		const int factor =
			factor_new(f, in[0]->dims[d], all ? FACTOR_PASS : FACTOR_REPLICATE);
		factor_at(f, 0, d, factor);
		if (all) factor_at(f, 1, d, factor);
		else factor_whole(f, 1, d, in[1]->dims[d]);
		factor_at(f, e->nin, d, factor);
	}
}

static void dynamic_update_slice_eval(const eval_args *e)
{
	const type *part = e->in[1], *y = e->out[0];
	const size_t bytes = (size_t)y->size * tsr_dtype_size(y->dtype);
	box copy = {0};

	if (bytes) memcpy(e->y[0], e->x[0], bytes);
	if (!part->size) return;
	for (int d = 0; d < y->ndim; d++)
		box_dim(&copy, part->dims[d], dims_stride(y, d), dims_stride(part, d));
	box_copy(&copy, y->dtype, e->y[0], part_place(e, y, part->dims, 2), e->x[1], 0);
}

LOCAL_ROW(dynamic_update_slice,
          "the operand with a part replaced, from starts known only when it runs", -1, NULL)
