/* pad.c - pad: a value before, after and between the elements of an array.
 *
 *     pad [1 2 3] 9 low=[1] high=[2] interior=[0]      gives  [9 1 2 3 9 9]
 *     pad [1 2 3] 0 low=[1] high=[-1] interior=[1]     gives  [0 1 0 2 0]
 *     pad [1 2 3] 0 low=[-1] high=[0] interior=[1]     gives  [0 2 0 3]
 *
 * First `interior` values come between each two elements, then `low` before and `high` behind them;
 * where these are negative, as many are cut off. So element i lands on low + i * (interior + 1):
 *
 *     element         a   b   c          with low=1 and interior=1: a lands on place 1, b on 3
 *     place       0   1 2 3 4 5
 *     result      .   a . b . c */
#include "prim/checks.h"
#include "prim/cursors.h"
#include "prim/row.h"

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
 * is inside; otherwise the padding value is there */
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

/* true where the padding value is: where no element of an operand with these dims landed */
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
	int64_t *low = ints_room(b, n), *high = ints_room(b, n);
	int64_t *zeros = ints_room(b, n), *step = ints_room(b, n);

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
 * values are selected where padding is. */
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

	x = emit_pad_between(b, x, dim, 0, 0, every - 1, value);
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
	int64_t *low = ints_room(b, n), *high = ints_room(b, n), *between = ints_room(b, n);
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
