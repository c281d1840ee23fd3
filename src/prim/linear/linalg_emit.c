/* linalg_emit.c - equations on matrices, for rules of derivatives. */
#include "prim/linear/linalg.h"

var emit_turned(build *b, var x)
{
	const int n = is_zero(x) ? 2 : build_type(b, x)->ndim;

	return emit_move_dim(b, x, n - 2, n - 1);
}

var emit_adjoint(build *b, var x) { return emit_conj(b, emit_turned(b, x)); }

var emit_matmul(build *b, var x, var y)
{
	if (is_zero(x) || is_zero(y)) return (var){0};
	const type *t = build_type(b, x);
	const int n = t->ndim;
	int64_t *batch = ints_room(b, n);
	if (!batch) return (var){0};
	for (int d = 0; d < n - 2; d++) batch[d] = d;
	const dot_params p = {.contract_a = {1, (int64_t[]){n - 1}},
	                      .contract_b = {1, (int64_t[]){n - 2}},
	                      .batch_a = {n - 2, batch},
	                      .batch_b = {n - 2, batch},
	                      .dtype = t->dtype};
	return emit(b, &tsr__prim_dot_general, &p, (var[]){x, y}, 2);
}

/* on which side of diagonal k elements are: their column, compared with their row plus k */
static var by_diagonal(build *b, const type *t, const tsr_prim *compare, int64_t k)
{
	const var row = emit_iota(b, TSR_I64, t->dims, t->ndim, t->ndim - 2);
	const var column = emit_iota(b, TSR_I64, t->dims, t->ndim, t->ndim - 1);

	return emit_2(b, compare, column,
	              k ? emit_add(b, row, emit_scalar(b, TSR_I64, (double)k)) : row);
}

var emit_tril(build *b, var x, int64_t k)
{
	if (is_zero(x)) return x;
	return emit_select(b, by_diagonal(b, build_type(b, x), &tsr__prim_le, k), x, (var){0});
}

var emit_triu(build *b, var x, int64_t k)
{
	if (is_zero(x)) return x;
	return emit_select(b, by_diagonal(b, build_type(b, x), &tsr__prim_ge, k), x, (var){0});
}

var emit_eye(build *b, const type *like)
{
	return emit_convert(b, by_diagonal(b, like, &tsr__prim_eq, 0), like->dtype);
}

var emit_solve(build *b, triangular_solve_params p, var a, var x)
{
	return emit(b, &tsr__prim_triangular_solve, &p, (var[]){a, x}, 2);
}

var emit_diagonal(build *b, var x)
{
	if (is_zero(x)) return x;
	const int last = build_type(b, x)->ndim - 1;

	return emit_sum(b, emit_tril(b, emit_triu(b, x, 0), 0), (int64_t[]){last}, 1);
}

var emit_along(build *b, var v, int64_t n, bool rows)
{
	if (is_zero(v)) return v;
	const type *t = build_type(b, v);
	const int last = t->ndim - 1;
	int64_t *dims = ints_room(b, last + 2), *at = ints_room(b, last + 1);
	if (!dims || !at) return (var){0};
	for (int d = 0; d <= last; d++) dims[at[d] = d] = t->dims[d];
	dims[last + 1] = n;
	if (rows) {
		dims[last] = n;
		dims[at[last] = last + 1] = t->dims[last];
	}
	return emit_broadcast(b, v, dims, last + 2, at);
}

var emit_over_apart(build *b, var x)
{
	if (is_zero(x)) return x;
	const var eye = emit_eye(b, build_type(b, x));
	const var one = emit_scalar(b, build_type(b, x)->dtype, 1);

	return emit_sub(b, emit_div(b, one, emit_add(b, eye, x)), eye);
}

/* by a[rows] = l u: y with its columns in that order is x u^-1 l^-1 */
var emit_over(build *b, var x, var a)
{
	const triangular_solve_params by_u = {0}, by_l = {.lower = true, .unit_diagonal = true};
	var made[3];

	emit_all(b, &tsr__prim_lu, NULL, &a, 1, made);
	if (build_failed(b)) return (var){0};
	const type *t = build_type(b, a);
	const int last = t->ndim - 1;
	int64_t *at = ints_room(b, t->ndim);
	if (!at) return (var){0};
	for (int d = 0; d < last; d++) at[d] = d;
	const var rows = emit_broadcast(b, made[2], t->dims, t->ndim, at);
	const var column = emit_iota(b, TSR_I32, t->dims, t->ndim, last);
	const var here = emit_2(b, &tsr__prim_eq, rows, column);
	const var y = emit_solve(b, by_l, made[0], emit_solve(b, by_u, made[0], x));
	return emit_matmul(b, y, emit_convert(b, here, t->dtype));
}
