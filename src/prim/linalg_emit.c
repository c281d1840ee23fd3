/* linalg_emit.c - equations on matrices, for rules of derivatives. */
#include "prim/linalg.h"
#include "prim/lists.h"

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
	int64_t *batch = list_room(b, n);
	if (!batch) return (var){0};
	for (int d = 0; d < n - 2; d++) batch[d] = d;
	const dot_params p = {.contract_a = {1, (int64_t[]){n - 1}},
	                      .contract_b = {1, (int64_t[]){n - 2}},
	                      .batch_a = {n - 2, batch},
	                      .batch_b = {n - 2, batch},
	                      .dtype = t->dtype};
	return emit(b, &tsr__prim_dot_general, &p, (var[]){x, y}, 2);
}

/* how elements stand to the diagonal k: their column, compared with their row plus k */
static var by_diagonal(build *b, const type *t, const tsr_prim *compare, int64_t k)
{
	const iota_params rows = {TSR_I64, {t->ndim, t->dims}, t->ndim - 2},
			  columns = {TSR_I64, {t->ndim, t->dims}, t->ndim - 1};
	const var row = emit(b, &tsr__prim_iota, &rows, NULL, 0);
	const var column = emit(b, &tsr__prim_iota, &columns, NULL, 0);

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
