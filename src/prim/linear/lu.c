/* lu.c - lu: a matrix as a lower and an upper triangular one, with its rows in another order.
 *
 *     lu [1 2; 3 4]    gives    [3 4; 0.3333 0.6667] [1 1]:i32 [1 0]:i32
 *
 * The lower triangle has ones on its diagonal, which are not stored. Row i of the result was row
 * rows[i] of the operand; row i was swapped with row pivots[i], one after the other. */
#include "prim/linear/linalg.h"

static bool lu_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	if (!check_matrix(b, e, in[0])) return false;
	const int64_t m = rows_of(in[0]), n = columns_of(in[0]), k = m < n ? m : n;

	out[0] = in[0];
	return give_behind_batch(b, in[0], TSR_I32, &k, 1, &out[1]) &&
	       give_behind_batch(b, in[0], TSR_I32, &m, 1, &out[2]);
}

static void lu_one(const eval_args *args, const void *const *x, void *const *y)
{
	const type *t = args->in[0];

	matrix_algorithms_of(t->dtype)->lu(rows_of(t), columns_of(t), x[0], y[0], y[1], y[2]);
}

static double lu_times(const program *p, const eqn *e) { return matrix_times(p, e) / 2; }

/* the rows of x in this order */
static var in_order(build *b, var x, var rows)
{
	if (is_zero(x) || is_zero(rows)) return (var){0};
	const type *t = build_type(b, x);
	const int n = t->ndim;
	int64_t *batch = ints_room(b, n), *sizes = ints_room(b, n);
	if (!batch || !sizes) return (var){0};
	for (int d = 0; d < n; d++) {
		batch[d] = d;
		sizes[d] = d == n - 1 ? t->dims[d] : 1;
	}
	const ints row = {1, (int64_t[]){n - 2}}, all = {n - 2, batch};
	const gather_params p = {.dims = {.through = {1, (int64_t[]){n - 1}},
	                                  .dropped = row,
	                                  .starts = row,
	                                  .batch = all,
	                                  .index_batch = all},
	                         .sizes = {n, sizes},
	                         .mode = GATHER_PROMISE_IN_BOUNDS,
	                         .unique = true};
	const var starts = emit_dims(b, rows, n - 1, 0, (int64_t[]){1}, 1);
	return emit(b, &tsr__prim_gather, &p, (var[]){x, starts}, 2);
}

/* From L U = P x follows P dx = dL U + L dU, and L^-1 P dx U^-1 = L^-1 dL + dU U^-1: the first is
 * strictly lower triangular, the second upper (de Hoog, Anderssen, Lukas). L is m x m, and U n x n:
 * where x is not square, the rest of the larger one is that of the identity */
static void lu_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	const type *t = build_type(b, x[0]);
	const int64_t m = rows_of(t), n = columns_of(t);
	const int row = t->ndim - 2, column = t->ndim - 1;
	const var zero = emit_scalar(b, t->dtype, 0);
	const var l = emit_pad_dim(b, emit_tril(b, y[0], -1), column, 0, m - n, zero);
	const var u = emit_pad_dim(b, emit_triu(b, y[0], 0), row, 0, n - m, zero);

	(void)e;
	if (is_zero(l) || is_zero(u)) return;
	const var low = emit_add(b, l, emit_eye(b, build_type(b, l)));
	const var ones = emit_part(b, emit_eye(b, build_type(b, u)), row, m < n ? m : 0, n);
	const var up = m < n ? emit_add(b, u, emit_pad_dim(b, ones, row, m, 0, zero)) : u;
	const triangular_solve_params left = {
		.left_side = true, .lower = true, .unit_diagonal = true};
	const var inner = emit_solve(b, (triangular_solve_params){0}, up,
	                             emit_solve(b, left, low, in_order(b, dx[0], y[2])));
	dy[0] = emit_add(b, emit_matmul(b, low, emit_tril(b, inner, -1)),
	                 emit_matmul(b, emit_triu(b, inner, 0), up));
	dy[1] = dy[2] = (var){0};
}

MATRIX_ROW(lu, "L and U of L U = P x in one matrix, the swaps of rows, and the order they make",
           OF_OTHERS, FACTORISATION, .nout = 3, .jvp = lu_jvp)
