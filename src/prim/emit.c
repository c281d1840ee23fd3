/* emit.c - equations that rules emit. */
#include "prim/prim.h"

void emit_all(build *b, const tsr_prim *prim, const void *params, const var *x, int n, var *out)
{
	bool zero = build_failed(b);

	for (int i = 0; i < n; i++) zero = zero || is_zero(x[i]);
	if (!zero && build_eqn(b, prim, params, x, n, out, build_where(b))) return;
	if (!zero) build_fail(b);
	for (int j = 0; j < prim_nout(prim, params, n); j++) out[j] = (var){0};
}

var emit(build *b, const tsr_prim *prim, const void *params, const var *x, int n)
{
	var y;

	emit_all(b, prim, params, x, n, &y);
	return y;
}

/* ---- elementwise */

var emit_1(build *b, const tsr_prim *prim, var x) { return emit(b, prim, NULL, &x, 1); }
var emit_2(build *b, const tsr_prim *prim, var x, var y)
{
	return emit(b, prim, NULL, (var[]){x, y}, 2);
}
var emit_neg(build *b, var x) { return emit_1(b, &tsr__prim_neg, x); }
var emit_mul(build *b, var x, var y) { return emit_2(b, &tsr__prim_mul, x, y); }
var emit_div(build *b, var x, var y) { return emit_2(b, &tsr__prim_div, x, y); }

var emit_add(build *b, var x, var y)
{
	return is_zero(x) ? y : is_zero(y) ? x : emit_2(b, &tsr__prim_add, x, y);
}

var emit_sub(build *b, var x, var y)
{
	return is_zero(y) ? x : is_zero(x) ? emit_neg(b, y) : emit_2(b, &tsr__prim_sub, x, y);
}

var emit_select(build *b, var which, var if_true, var if_false)
{
	if (is_zero(if_true) && is_zero(if_false)) return if_true;
	const var some = is_zero(if_true) ? if_false : if_true;
	const var zero = emit_scalar(b, build_type(b, some)->dtype, 0);
	const var cases[] = {which, is_zero(if_false) ? zero : if_false,
	                     is_zero(if_true) ? zero : if_true};
	return emit(b, &tsr__prim_select_n, NULL, cases, 3);
}

var emit_conj(build *b, var x)
{
	const bool real = !is_zero(x) && dtype_kind(build_type(b, x)->dtype) != KIND_COMPLEX;

	return real ? x : emit_1(b, &tsr__prim_conj, x);
}

var emit_nonzero(build *b, var x)
{
	if (is_zero(x)) return x;
	const tsr_dtype dtype = build_type(b, x)->dtype;
	const var is_0 = emit_2(b, &tsr__prim_eq, x, emit_scalar(b, dtype, 0));
	return emit_select(b, is_0, emit_scalar(b, dtype, 1), x);
}

var emit_convert(build *b, var x, tsr_dtype dtype)
{
	if (is_zero(x) || build_type(b, x)->dtype == dtype) return x;
	return emit(b, &tsr__prim_convert_element_type, &(dtype_params){.dtype = dtype}, &x, 1);
}

var emit_as(build *b, var x, etype to)
{
	if (is_zero(x)) return x;
	const type *t = build_type(b, x);
	if (t->dtype == to.dtype && t->weak == to.weak) return x;
	return emit(b, &tsr__prim_convert_element_type, &(dtype_params){to.dtype, to.weak}, &x, 1);
}

/* ---- constants */

var emit_number(build *b, etype of, double value)
{
	_Alignas(16) unsigned char bytes[16] = {0};

	dtype_from_arg(of.dtype, &(tsr_arg){.kind = TSR_KIND_FLOAT, .as.f = {value, 0}}, bytes);
	const type *t = type_make(build_ir(b), of.dtype, NULL, 0, 0);
	const var v = build_literal_as(b, t ? type_as(build_ir(b), t, of) : NULL, bytes);
	if (!v.id) build_fail(b);
	return v;
}

var emit_scalar(build *b, tsr_dtype dtype, double value)
{
	return emit_number(b, (etype){dtype, false}, value);
}

var emit_vary(build *b, var x, axis_set varying)
{
	if (is_zero(x)) return x;
	const var v = build_vary(b, x, varying, build_where(b));
	if (!v.id) build_fail(b);
	return v;
}

var emit_equal(build *b, var x, axis_set over)
{
	int64_t axes[MAX_AXES];
	const axes_params p = {{axes_listed(over, axes), {0, NULL}}};

	return over ? emit(b, &tsr__prim_assume_equal, &p, &x, 1) : x;
}

var emit_full(build *b, const type *t, double value)
{
	const var scalar = emit_number(b, etype_of(t), value);
	const var whole = t->ndim ? emit_broadcast(b, scalar, t->dims, t->ndim, NULL) : scalar;

	return emit_vary(b, whole, t->varying);
}

var emit_zeros(build *b, const type *t) { return emit_full(b, t, 0); }

var emit_instance(build *b, var v, const type *t) { return is_zero(v) ? emit_zeros(b, t) : v; }

/* ---- layout */

var emit_reshape(build *b, var x, const int64_t *dims, int ndim)
{
	if (is_zero(x)) return x;
	const type *t = build_type(b, x);
	if (dims_same(t->dims, t->ndim, dims, ndim)) return x;
	return emit(b, &tsr__prim_reshape, &(dims_params){{ndim, dims}}, &x, 1);
}

var emit_dims(build *b, var x, int at, int count, const int64_t *by, int nby)
{
	if (is_zero(x)) return x;
	const type *t = build_type(b, x);
	const int n = t->ndim - count + nby;
	int64_t *dims = ints_room(b, n);
	if (!dims) return (var){0};
	for (int d = 0; d < n; d++)
		dims[d] = d < at         ? t->dims[d]
		          : d < at + nby ? by[d - at]
		                         : t->dims[d - nby + count];
	return emit_reshape(b, x, dims, n);
}

var emit_merged(build *b, var x, int at)
{
	if (is_zero(x)) return x;
	const int64_t *dims = build_type(b, x)->dims + at;
	return emit_dims(b, x, at, 2, (int64_t[]){dims[0] * dims[1]}, 1);
}

var emit_transpose(build *b, var x, const int64_t *perm)
{
	if (is_zero(x) || build_failed(b)) return (var){0};
	const int n = build_type(b, x)->ndim;
	int moved = 0;

	for (int d = 0; d < n; d++) moved += perm[d] != d;
	return moved ? emit(b, &tsr__prim_transpose, &(transpose_params){{n, perm}}, &x, 1) : x;
}

var emit_broadcast(build *b, var x, const int64_t *dims, int ndim, const int64_t *at)
{
	if (is_zero(x)) return x;
	return emit(b, &tsr__prim_broadcast_in_dim,
	            &(broadcast_params){{ndim, dims}, {build_type(b, x)->ndim, at}}, &x, 1);
}

var emit_sum(build *b, var x, const int64_t *dims, int n)
{
	return n ? emit(b, &tsr__prim_reduce_sum, &(reduce_params){{n, dims}}, &x, 1) : x;
}

var emit_part(build *b, var x, int dim, int64_t start, int64_t stop)
{
	return emit_every(b, x, dim, start, stop, 1);
}

var emit_every(build *b, var x, int dim, int64_t start, int64_t stop, int64_t step)
{
	if (is_zero(x)) return x;
	const type *t = build_type(b, x);
	const int n = t->ndim;
	int64_t *begin = ints_room(b, 3 * n);
	if (!begin) return (var){0};
	int64_t *end = begin + n, *by = end + n;
	for (int d = 0; d < n; d++) {
		begin[d] = d == dim ? start : 0;
		end[d] = d == dim ? stop : t->dims[d];
		by[d] = d == dim ? step : 1;
	}
	return emit(b, &tsr__prim_slice, &(slice_params){{n, begin}, {n, end}, {n, by}}, &x, 1);
}

var emit_join(build *b, const var *x, int n, int dim)
{
	return n == 1 ? x[0] : emit(b, &tsr__prim_concatenate, &(dim_params){dim}, x, n);
}

var emit_move_dim(build *b, var x, int from, int to)
{
	if (is_zero(x) || from == to) return x;
	const int n = build_type(b, x)->ndim;
	int64_t *perm = ints_room(b, n);
	if (!perm) return (var){0};
	for (int d = 0, next = 0; d < n; d++) {
		if (next == from) next++;
		perm[d] = d == to ? from : next++;
	}
	return emit_transpose(b, x, perm);
}

var emit_repeat(build *b, var x, int64_t size)
{
	if (is_zero(x)) return x;
	const type *t = build_type(b, x);
	int64_t *dims = ints_room(b, t->ndim + 1), *at = ints_room(b, t->ndim);
	if (!dims || !at) return (var){0};
	dims[0] = size;
	for (int d = 0; d < t->ndim; d++) dims[at[d] = d + 1] = t->dims[d];
	return emit_broadcast(b, x, dims, t->ndim + 1, at);
}

var emit_spread(build *b, var x, var like)
{
	if (is_zero(x) || is_zero(like) || build_literal_of(b, x)) return x;
	const type *t = build_type(b, like);
	return build_type(b, x)->ndim == t->ndim ? x : emit_broadcast(b, x, t->dims, t->ndim, NULL);
}

var emit_nothing(build *b, tsr_dtype dtype)
{
	_Alignas(16) unsigned char bytes[16] = {0};

	if (has_tangent(dtype)) dtype_convert(dtype, bytes, TSR_C128, (double[]){-0.0, -0.0}, 1);
	const var v = build_literal(b, dtype, bytes);
	if (!v.id) build_fail(b);
	return v;
}

var emit_iota(build *b, tsr_dtype dtype, const int64_t *dims, int ndim, int dim)
{
	return emit(b, &tsr__prim_iota, &(iota_params){dtype, {ndim, dims}, dim}, NULL, 0);
}

var emit_places(build *b, const int64_t *dims, int ndim, int dim, var start)
{
	if (is_zero(start)) return start;
	const var place = emit_iota(b, build_type(b, start)->dtype, dims, ndim, dim);

	return emit_2(b, &tsr__prim_add, place, emit_spread(b, start, place));
}

var emit_before(build *b, var place, int64_t end)
{
	if (is_zero(place)) return place;
	return emit_2(b, &tsr__prim_lt, place,
	              emit_scalar(b, build_type(b, place)->dtype, (double)end));
}

var emit_inside(build *b, var place, int64_t end)
{
	return emit_2(b, &tsr__prim_and, emit_before(b, place, end),
	              emit_1(b, &tsr__prim_not, emit_before(b, place, 0)));
}

var emit_part_at(build *b, var x, int dim, var at, int64_t n)
{
	if (is_zero(x) || is_zero(at)) return (var){0};
	const type *t = build_type(b, x);
	var *operand = var_room(b, t->ndim + 1);
	int64_t *sizes = ints_room(b, t->ndim);
	if (!operand || !sizes) return (var){0};
	operand[0] = x;
	for (int d = 0; d < t->ndim; d++) {
		sizes[d] = d == dim ? n : t->dims[d];
		operand[1 + d] = d == dim ? at : emit_scalar(b, build_type(b, at)->dtype, 0);
	}
	return emit(b, &tsr__prim_dynamic_slice, &(dynamic_slice_params){{t->ndim, sizes}},
	            operand, 1 + t->ndim);
}

var emit_pad_dim(build *b, var x, int dim, int64_t low, int64_t high, var value)
{
	if (is_zero(x) || (!low && !high)) return x;
	const type *t = build_type(b, x);
	if (low <= 0 && high <= 0) return emit_part(b, x, dim, -low, t->dims[dim] + high);
	return emit_pad_between(b, x, dim, low, high, 0, value);
}

var emit_pad_between(build *b, var x, int dim, int64_t low, int64_t high, int64_t between,
                     var value)
{
	const int n = is_zero(x) ? 0 : build_type(b, x)->ndim;
	int64_t *list = ints_room(b, 3 * n);
	if (!list || is_zero(x)) return (var){0};
	list[dim] = low;
	list[n + dim] = high;
	list[2 * n + dim] = between;
	const pad_params p = {{n, list}, {n, list + n}, {n, list + 2 * n}};
	return emit(b, &tsr__prim_pad, &p, (var[]){x, value}, 2);
}
