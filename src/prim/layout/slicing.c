/* slicing.c - rows that take parts of arrays or put them together, at places that are known:
 * concatenate, slice.
 *
 *     concatenate [1 2; 3 4] [5; 6] dim=1                gives  [1 2 5; 3 4 6]
 *     slice [1 2 3 4 5] start=[1] stop=[5] step=[2]      gives  [2 4]
 *
 * Where a dim is cut, each device gets of an operand the window that its block of the result needs.
 * Of three devices that join a0 a1 a2 and b0 b1 b2, the second one makes elements 2 and 3:
 *
 *     its window of a   a2 --     from place 2 of a on
 *     its window of b   -- b0     from place 2 - 3 of b on
 *     its block         a2 b0     before element 3 of the result what a has, else what b has
 *
 * What is no element of the operand (--) holds anything, and is not chosen. */
#include "prim/checks.h"
#include "prim/cursors.h"
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

	if (e->nin < 1)
		return fail_type(b, e, "%s expects at least one operand, got 0", eqn_name(b, e));
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
			return fail_type(b, e, "%s: the result of %s is too large", eqn_name(b, e),
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

/* The element at index `at` of the joined dim, which is in one of the operands first .. last - 1;
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

/* the windows of all operands begin where the block does: each element is that of the operand it is
 * in */
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
	int64_t *high = ints_room(b, n), *between = ints_room(b, n);

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
	int64_t *start = ints_room(b, n), *stop = ints_room(b, n);
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
