/* slicing.c - rows that take parts of arrays or put them together, at places that are known:
 * concatenate, pad, slice. */
#include "prim/checks.h"
#include "prim/lists.h"
#include "prim/places.h"
#include "prim/row.h"

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
			b, e, "concatenate dim out of bounds: dim %lld for shapes %s",
			(long long)dim, types_words(b, in, e->nin));
	int64_t *dims = dims_room(b, in[0]->ndim);
	if (!dims || !check_same_dtypes(b, e, in, 0, e->nin)) return false;
	for (int d = 0; d < in[0]->ndim; d++) dims[d] = in[0]->dims[d];
	for (int i = 1; i < e->nin; i++) {
		if (!same_but_dim(in[0], in[i], dim))
			return fail_type(b, e,
			                 "Cannot concatenate arrays with shapes that differ in "
			                 "dims other than the one being concatenated: "
			                 "concatenating along dim %lld for shapes %s",
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
	for (int d = 0; d < out[0]->ndim; d++) {
		const int factor = factor_new(f, out[0]->dims[d], FACTOR_PASS);
		int64_t at = 0; /* where the operand begins */
		for (int i = 0; i < e->nin; i++) {
			const int64_t size = in[i]->dims[d];
			factor_at_window(f, i, d, factor, (factor_window){size, 1, -at, -at, 1});
			if (d == joined_dim(e)) at += size;
		}
		factor_at(f, e->nin, d, factor);
	}
}

static void concatenate_eval(const eval_args *args)
{
	const type *y = args->out[0];
	const int dim = (int)joined_dim(args->eqn);
	int64_t at = 0;

	for (int i = 0; i < args->eqn->nin; i++) {
		box copy = {0};
		if (!args->in[i]->size) continue;
		for (int d = 0; d < y->ndim; d++)
			box_dim(&copy, args->in[i]->dims[d], dims_stride(y, d),
			        dims_stride(args->in[i], d));
		box_copy(&copy, y->dtype, args->y[0], at * dims_stride(y, dim), args->x[i], 0);
		at += args->in[i]->dims[dim];
	}
}

/* The element at index `at` of the joined dim, which lies in one of the operands first .. last - 1;
 * the first of these begins at index `begin`. Branches halve the list of operands. */
static kvar joined_element(kernel *k, const eqn *e, const kvar *index, int first, int last,
                           int64_t begin)
{
	const int dim = (int)joined_dim(e), ndim = k_result_type(k, e)->ndim;
	const int middle = first + (last - first) / 2;
	int64_t end = begin;

	if (last - first == 1) {
		kvar *from = k_room(k, ndim);
		memcpy(from, index, (size_t)ndim * sizeof *from);
		from[dim] = k_ix_plus(k, index[dim], -begin);
		return k_operand(k, e, first, from);
	}
	for (int i = first; i < middle; i++) end += k_type(k, e, i)->dims[dim];
	kvar before = {0}, after = {0};
	if (k_if(k, k_binary(k, K_LT, index[dim], k_ix(k, end))))
		before = joined_element(k, e, index, first, middle, begin);
	if (k_else(k)) after = joined_element(k, e, index, middle, last, end);
	return k_end(k, before, after);
}

static void concatenate_lower(kernel *k, const eqn *e, const kvar *index, kvar *to)
{
	to[0] = joined_element(k, e, index, 0, e->nin, 0);
}

static void concatenate_transpose(build *b, const eqn *e, const type *const *in, const var *x,
                                  const var *ct, var *dx)
{
	const int dim = (int)joined_dim(e);
	int64_t at = 0;

	for (int i = 0; i < e->nin; at += in[i++]->dims[dim])
		if (is_zero(x[i])) dx[i] = emit_part(b, *ct, dim, at, at + in[i]->dims[dim]);
}

static void concatenate_batch(build *b, const eqn *e, const batching *to, const var *x,
                              const bool *mapped, var *y, bool *ymapped)
{
	var *part = var_room(b, e->nin);

	for (int i = 0; part && i < e->nin; i++) part[i] = batch_whole(b, to, x[i], mapped[i]);
	y[0] = emit(b, e->prim, &(dim_params){joined_dim(e) + 1}, part, e->nin);
	ymapped[0] = true;
}

/* the windows of all operands begin where the block does: each element is that of the operand it
 * lies in */
static void concatenate_local(build *b, const eqn *e, const localizing *to, const var *x, var *y)
{
	const int dim = (int)joined_dim(e);
	const type *t = to->block[e->nin];
	const var start = to->start[e->nin][dim];
	int64_t end = to->whole[e->nin]->dims[dim];

	if (!start.id) {
		y[0] = emit(b, e->prim, e->params, x, e->nin);
		return;
	}
	const var place = emit_places(b, t->dims, t->ndim, dim, start);
	y[0] = x[e->nin - 1];
	for (int i = e->nin - 1; i > 0; i--) {
		end -= to->whole[i]->dims[dim];
		if (x[i - 1].id == y[0].id) continue; /* one window holds what both have */
		y[0] = emit_select(b, emit_before(b, place, end), x[i - 1], y[0]);
	}
}

static const field dim_fields[] = {PARAM(dim_params, dim, FIELD_INT), PARAMS_END};
LOCAL_ROW(concatenate, "the operands one after the other along a dim", -1, dim_fields,
          .flags = PRIM_BRANCHES | PRIM_ALONG, .cost = 3, .local = concatenate_local,
          .jvp = jvp_linear,
          .transpose = concatenate_transpose, .batch = concatenate_batch)

/* ---- pad: inserts elements before (low), after (high) and between (interior) those of x; a
 * negative low or high cuts off. [1,2,3] padded with 0, low 1, high -1, interior 1: [0,1,0,2,0,3]
 * without its last element, [0,1,0,2,0] */

#define MOST_PADDING (INT64_MAX / 4) /* so that places of elements never overflow */

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
		return fail_type(b, e, "the value to pad with must be a scalar; got %s",
		                 type_words(b, in[1]));
	if (!check_length(b, e, "low", &p->low, ndim) ||
	    !check_length(b, e, "high", &p->high, ndim) ||
	    !check_length(b, e, "interior", &p->interior, ndim))
		return false;
	for (int d = 0; d < ndim; d++) {
		if (p->interior.v[d] < 0)
			return fail_type(
				b, e,
				".interior padding must be nonnegative, got %lld",
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

static void pad_factors(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	const pad_params *p = e->params;

	for (int d = 0; d < out[0]->ndim; d++) {
		const int64_t size = in[0]->dims[d], low = p->low.v[d];
		const int64_t every = size > 1 ? p->interior.v[d] + 1 : 1;
		factor_moved(e, out, f, d, (factor_window){size, 1, -low, -low, every});
	}
}

static void fill(const type *t, void *y, const void *value)
{
	const size_t item = tsr_dtype_size(t->dtype);

	for (int64_t i = 0; i < t->size; i++) memcpy((char *)y + (size_t)i * item, value, item);
}

/* index i of the operand lands on low + i * step of the result; first and count: of the indices
 * that land inside */
static void landing(int64_t size, int64_t low, int64_t step, int64_t result, int64_t *first,
                    int64_t *count)
{
	const int64_t begin = low >= 0 ? 0 : -low / step + (-low % step != 0);
	const int64_t room = result - 1 - low, last = room < 0 ? -1 : room / step;

	*first = begin;
	*count = (last < size ? last + 1 : size) - begin;
}

static void pad_eval(const eval_args *args)
{
	const pad_params *p = args->eqn->params;
	const type *x = args->in[0], *y = args->out[0];
	int64_t to = 0, from = 0;
	box copy = {0};

	if (y->size) fill(y, args->y[0], args->x[1]);
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
	box_copy(&copy, y->dtype, args->y[0], to, args->x[0], from);
}

/* index i of the result is index (i - low) / step of the operand, if the division is exact and that
 * is inside; otherwise the padding value stands there */
static void pad_lower(kernel *k, const eqn *e, const kvar *index, kvar *to)
{
	const pad_params *p = e->params;
	const type *x = k_type(k, e, 0);
	kvar *from = k_room(k, x->ndim), inside = k_number(k, TSR_BOOL, 1), a = {0}, b = {0};

	for (int d = 0; d < x->ndim; d++) {
		const int64_t step = p->interior.v[d] + 1;
		const kvar at = k_ix_plus(k, index[d], -p->low.v[d]);
		const kvar last = k_ix(k, x->dims[d] ? (x->dims[d] - 1) * step : -1);
		const kvar lands = k_binary(k, K_EQ, k_ix_rem(k, at, step), k_ix(k, 0));
		inside = k_binary(k, K_AND, inside, k_binary(k, K_GE, at, k_ix(k, 0)));
		inside = k_binary(k, K_AND, inside, k_binary(k, K_LE, at, last));
		inside = k_binary(k, K_AND, inside, lands);
		from[d] = k_ix_div(k, at, step);
	}
	if (k_if(k, inside)) a = k_operand(k, e, 0, from);
	if (k_else(k)) b = k_operand(k, e, 1, NULL);
	to[0] = k_end(k, a, b);
}

/* true where the padding value stands: where no element of an operand with these dims landed */
static var value_stands(build *b, const pad_params *p, const int64_t *dims)
{
	const var no = emit_scalar(b, TSR_BOOL, 0), yes = emit_scalar(b, TSR_BOOL, 1);
	const var none = emit_broadcast(b, no, dims, p->low.n, NULL);

	return emit(b, &tsr__prim_pad, p, (var[]){none, yes}, 2);
}

/* The cotangent of the operand: padding ct by (-low, -high) cuts off what pad inserted before and
 * after, and gives zeros for what pad cut off. Every (interior + 1)-th element of that is the
 * operand's. */
static var landed(build *b, const pad_params *p, var ct)
{
	const int n = p->low.n;
	int64_t *low = list_room(b, n), *high = list_room(b, n);
	int64_t *zeros = list_room(b, n), *step = list_room(b, n);

	if (build_failed(b)) return (var){0};
	for (int d = 0; d < n; d++) {
		low[d] = -p->low.v[d];
		high[d] = -p->high.v[d];
		step[d] = p->interior.v[d] + 1;
	}
	const var zero = emit_scalar(b, build_type(b, ct)->dtype, 0);
	const pad_params back = {{n, low}, {n, high}, {n, zeros}};
	const var spread = emit(b, &tsr__prim_pad, &back, (var[]){ct, zero}, 2);
	if (is_zero(spread)) return spread;
	const slice_params every = {{n, zeros}, {n, build_type(b, spread)->dims}, {n, step}};
	return emit(b, &tsr__prim_slice, &every, &spread, 1);
}

static void pad_transpose(build *b, const eqn *e, const type *const *in, const var *x,
                          const var *ct, var *dx)
{
	const pad_params *p = e->params;

	if (is_zero(x[0])) dx[0] = landed(b, p, *ct);
	if (!is_zero(x[1])) return;
	const ints all = list_others(b, in[0]->ndim, &(ints){0});
	const var of_value = emit_select(b, value_stands(b, p, in[0]->dims), *ct, (var){0});
	dx[1] = emit_sum(b, of_value, all.v, all.n);
}

/* If each element of the batch has a padding value of its own, zeros are padded first, and then the
 * values are selected where padding stands. */
static void pad_batch(build *b, const eqn *e, const batching *to, const var *x, const bool *mapped,
                      var *y, bool *ymapped)
{
	const pad_params *p = e->params;
	const pad_params with = {list_behind(b, 0, &p->low, 0), list_behind(b, 0, &p->high, 0),
	                         list_behind(b, 0, &p->interior, 0)};
	const var operand = batch_whole(b, to, x[0], mapped[0]);

	ymapped[0] = true;
	if (!mapped[1]) {
		y[0] = emit(b, e->prim, &with, (var[]){operand, x[1]}, 2);
		return;
	}
	if (is_zero(operand)) return;
	const type *t = build_type(b, operand);
	const var zero = emit_scalar(b, t->dtype, 0);
	const var padded = emit(b, e->prim, &with, (var[]){operand, zero}, 2);
	if (is_zero(padded)) return;
	const type *whole = build_type(b, padded);
	const var values = emit_broadcast(b, x[1], whole->dims, whole->ndim, (int64_t[]){0});
	y[0] = emit_select(b, value_stands(b, &with, t->dims), values, padded);
}

/* the window of the operand with the value in place of what the operand has not */
static var pad_outside(build *b, const localizing *to, int dim, var x, var value)
{
	const type *t = build_type(b, x);
	const var place = emit_places(b, t->dims, t->ndim, dim, to->start[0][dim]);
	const var behind = emit_1(b, &tsr__prim_not,
	                          emit_before(b, place, to->whole[0]->dims[dim]));
	const var outside = emit_2(b, &tsr__prim_or, emit_before(b, place, 0), behind);

	return emit_select(b, outside, emit_spread(b, value, x), x);
}

/* Puts every - 1 values between the elements of a window, and cuts the block of the result out. The
 * first element of the window lands behind 0 to every - 1 elements of the block, which are start *
 * every + low - (where the block begins) */
static var pad_between(build *b, const localizing *to, int dim, int64_t low, int64_t every, var x,
                       var value)
{
	const var start = to->start[0][dim];
	const type *t = build_type(b, x);
	const tsr_dtype dtype = build_type(b, start)->dtype;
	const int64_t block = to->block[2]->dims[dim], last = (t->dims[dim] - 1) * every;
	int64_t *zeros = list_room(b, t->ndim), *between = list_room(b, t->ndim);

	if (build_failed(b)) return (var){0};
	between[dim] = every - 1;
	const pad_params spread = {{t->ndim, zeros}, {t->ndim, zeros}, {t->ndim, between}};
	x = emit(b, &tsr__prim_pad, &spread, (var[]){x, value}, 2);
	x = emit_pad_dim(b, x, dim, every - 1, block - 1 - last, value);
	const var lands = emit_add(b, emit_mul(b, start, emit_scalar(b, dtype, (double)every)),
	                           emit_scalar(b, dtype, (double)low));
	const var behind = emit_sub(b, lands, to->start[2][dim]);
	const var at = emit_sub(b, emit_scalar(b, dtype, (double)(every - 1)), behind);
	return emit_part_at(b, x, dim, at, block);
}

static void pad_local(build *b, const eqn *e, const localizing *to, const var *x, var *y)
{
	const pad_params *p = e->params;
	const int n = p->low.n;
	int64_t *low = list_room(b, n), *high = list_room(b, n), *between = list_room(b, n);
	bool more = false; /* dims that are whole */

	y[0] = x[0];
	for (int d = 0; d < n && !build_failed(b); d++) {
		const int64_t every = to->whole[0]->dims[d] > 1 ? p->interior.v[d] + 1 : 1;
		if (!to->start[0][d].id) {
			low[d] = p->low.v[d];
			high[d] = p->high.v[d];
			between[d] = p->interior.v[d];
			more = more || low[d] || high[d] || between[d];
			continue;
		}
		y[0] = pad_outside(b, to, d, y[0], x[1]);
		if (every > 1 && y[0].id)
			y[0] = pad_between(b, to, d, p->low.v[d], every, y[0], x[1]);
	}
	const pad_params rest = {{n, low}, {n, high}, {n, between}};
	if (more) y[0] = emit(b, e->prim, &rest, (var[]){y[0], x[1]}, 2);
}

static const field pad_fields[] = {
	PARAM(pad_params, low, FIELD_INTS),
	PARAM(pad_params, high, FIELD_INTS),
	PARAM(pad_params, interior, FIELD_INTS),
	PARAMS_END,
};
LOCAL_ROW(pad, "the operand with a value put before, after and between its elements", 2, pad_fields,
          .flags = PRIM_BRANCHES | PRIM_ALONG, .cost = 3, .local = pad_local, .jvp = jvp_linear,
          .transpose = pad_transpose, .batch = pad_batch)

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

static void slice_factors(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	const slice_params *p = e->params;

	for (int d = 0; d < out[0]->ndim; d++) {
		const int64_t size = in[0]->dims[d], start = p->start.v[d];
		const int64_t step = out[0]->dims[d] > 1 ? p->step.v[d] : 1;
		factor_moved(e, out, f, d, (factor_window){size, step, start, start, 1});
	}
}

static void slice_eval(const eval_args *args)
{
	const slice_params *p = args->eqn->params;
	const type *x = args->in[0], *y = args->out[0];
	int64_t from = 0;
	box copy = {0};

	if (!y->size) return;
	for (int d = 0; d < y->ndim; d++) {
		const int64_t stride = dims_stride(x, d);
		from += p->start.v[d] * stride;
		if (y->dims[d] > 1)
			box_dim(&copy, y->dims[d], dims_stride(y, d), p->step.v[d] * stride);
	}
	box_copy(&copy, y->dtype, args->y[0], 0, args->x[0], from);
}

static void slice_lower(kernel *k, const eqn *e, const kvar *index, kvar *to)
{
	const slice_params *p = e->params;
	kvar *from = k_room(k, p->start.n);

	for (int d = 0; d < p->start.n; d++)
		from[d] = k_ix_plus(k, k_ix_times(k, index[d], p->step.v[d]), p->start.v[d]);
	to[0] = k_operand(k, e, 0, from);
}

/* puts zeros before, between and after the elements that were taken */
static var slice_back(build *b, const slice_params *p, const type *x, var ct)
{
	const int n = x->ndim;
	const type *y = build_type(b, ct);
	int64_t *high = list_room(b, n), *between = list_room(b, n);

	if (build_failed(b)) return (var){0};
	for (int d = 0; d < n; d++) {
		between[d] = y->dims[d] > 1 ? p->step.v[d] - 1 : 0;
		high[d] = x->dims[d] - p->start.v[d] - y->dims[d] - (y->dims[d] - 1) * between[d];
	}
	const var zero = emit_scalar(b, y->dtype, 0);
	return emit(b, &tsr__prim_pad, &(pad_params){p->start, {n, high}, {n, between}},
	            (var[]){ct, zero}, 2);
}

static const slice_params *slice_of(const eqn *e) { return e->params; }

TRANSPOSE_AS(slice, slice_back(b, slice_of(e), in[0], *ct))
BATCH_AS(slice, (slice_params){list_behind(b, 0, &slice_of(e)->start, 0),
                               list_behind(b, to->size, &slice_of(e)->stop, 0),
                               list_behind(b, 1, &slice_of(e)->step, 0)})

/* a window begins at the first element that is taken, and ends at the last one */
static void slice_local(build *b, const eqn *e, const localizing *to, const var *x, var *y)
{
	const slice_params *p = e->params;
	const int n = p->start.n;
	int64_t *start = list_room(b, n), *stop = list_room(b, n);
	bool more = false;

	y[0] = x[0];
	if (build_failed(b)) return;
	for (int d = 0; d < n; d++) {
		const bool whole = !to->start[0][d].id;
		start[d] = whole ? p->start.v[d] : 0;
		stop[d] = whole ? p->stop.v[d] : to->block[0]->dims[d];
		more = more || to->block[0]->dims[d] != to->block[1]->dims[d];
	}
	if (more) y[0] = emit(b, e->prim, &(slice_params){{n, start}, {n, stop}, p->step}, x, 1);
}

static const field slice_fields[] = {
	PARAM(slice_params, start, FIELD_INTS),
	PARAM(slice_params, stop, FIELD_SIZES),
	PARAM(slice_params, step, FIELD_INTS),
	PARAMS_END,
};
LOCAL_ROW(slice, "every step-th element from start to before stop, along each dim", 1, slice_fields,
          MOVES_ALONG(0.25), .local = slice_local, .jvp = jvp_linear,
          .transpose = slice_transpose, .batch = slice_batch)
