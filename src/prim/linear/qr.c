/* qr.c - qr: a matrix as one of orthogonal columns of size 1 and an upper triangular one.
 *
 *     qr [3 0; 4 5]    gives    [-0.6 -0.8; -0.8 0.6] [-5.0 -4.0; 0 3.0]
 *
 * q has as many columns as the smaller side, or with full_matrices as many as rows; r has as many
 * rows. The diagonal of r has the signs that LAPACK gives it. */
#include "prim/linear/linalg.h"

static bool is_full(const eqn *e) { return ((const qr_params *)e->params)->full_matrices; }

static bool qr_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	if (!check_matrix(b, e, in[0])) return false;
	const int64_t m = rows_of(in[0]), n = columns_of(in[0]);
	const int64_t k = is_full(e) || m < n ? m : n;

	return give_behind_batch(b, in[0], in[0]->dtype, (int64_t[]){m, k}, 2, &out[0]) &&
	       give_behind_batch(b, in[0], in[0]->dtype, (int64_t[]){k, n}, 2, &out[1]);
}

static void qr_one(const eval_args *args, const void *const *x, void *const *y)
{
	const type *t = args->in[0];

	matrix_algorithms_of(t->dtype)->qr(rows_of(t), columns_of(t), columns_of(args->out[0]),
	                                   x[0], y[0], y[1], args->scratch);
}

static size_t qr_scratch(const eqn *e, const type *const *in)
{
	(void)e;
	return (size_t)((rows_of(in[0]) + 1) * columns_of(in[0])) * tsr_dtype_size(in[0]->dtype);
}

static double qr_times(const program *p, const eqn *e) { return 2 * matrix_times(p, e); }

/* Of x = q r with square r: from dx = dq r + q dr, a = q^H dx r^-1 is q^H dq + dr r^-1. The first
 * is antihermitian and the second upper triangular, so the lower triangle of a is that of q^H dq.
 * The imaginary part of its diagonal is that of the first
 * (j-towns.github.io/papers/qr-derivative.pdf) */
static void thin_tangents(build *b, var q, var r, var dx, var *dq, var *dr)
{
	const var right = emit_solve(b, (triangular_solve_params){0}, r, dx);
	const var a = emit_matmul(b, emit_adjoint(b, q), right);
	if (is_zero(a)) return;
	const var low = emit_tril(b, a, -1), eye = emit_eye(b, build_type(b, a));
	const tsr_dtype dtype = build_type(b, a)->dtype;
	var turn = emit_sub(b, low, emit_adjoint(b, low));

	if (dtype_kind(dtype) == KIND_COMPLEX) {
		const var re = emit_convert(b, emit_convert(b, a, dtype_real(dtype)), dtype);
		turn = emit_add(b, turn, emit_mul(b, eye, emit_sub(b, a, re)));
	}
	*dq = emit_add(b, emit_matmul(b, q, emit_sub(b, turn, a)), right);
	*dr = emit_matmul(b, emit_sub(b, a, turn), r);
}

/* Of a tall x and all of q = [s c]: with s and c divided below their first rows, as many as s has
 * columns, into s1 and s2, q is made of reflections, so that c follows from s: with
 * z = s2 (s1 - 1)^-1, dc = ds z^H - (s + c z) (ds2 - z ds1)^H (arxiv.org/pdf/2409.13374) */
static void full_tangents(build *b, var q, var r, var dx, var *dq, var *dr)
{
	const type *t = build_type(b, dx);
	const int64_t m = rows_of(t), n = columns_of(t);
	const int last = t->ndim - 1;
	const var s = emit_part(b, q, last, 0, n), c = emit_part(b, q, last, n, m);
	const var top = emit_part(b, s, last - 1, 0, n), low = emit_part(b, s, last - 1, n, m);
	var part[2] = {{0}};

	thin_tangents(b, s, emit_part(b, r, last - 1, 0, n), dx, &part[0], dr);
	if (build_failed(b) || is_zero(part[0])) return;
	const var z = emit_over(b, low, emit_sub(b, top, emit_eye(b, build_type(b, top))));
	const var dtop = emit_part(b, part[0], last - 1, 0, n);
	const var dlow = emit_part(b, part[0], last - 1, n, m);
	const var moved = emit_sub(b, dlow, emit_matmul(b, z, dtop));
	const var across = emit_add(b, s, emit_matmul(b, c, z));
	part[1] = emit_sub(b, emit_matmul(b, part[0], emit_adjoint(b, z)),
	                   emit_matmul(b, across, emit_adjoint(b, moved)));
	*dq = emit_join(b, part, 2, last);
	*dr = emit_pad_dim(b, *dr, last - 1, 0, m - n, emit_scalar(b, t->dtype, 0));
}

/* of a wide x, the columns behind the square ones: r = q^H x there */
static void qr_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	const type *t = build_type(b, x[0]);
	const int64_t m = rows_of(t), n = columns_of(t);
	const int last = t->ndim - 1;

	if (is_full(e) && m > n) {
		full_tangents(b, y[0], y[1], dx[0], &dy[0], &dy[1]);
		return;
	}
	if (m >= n) {
		thin_tangents(b, y[0], y[1], dx[0], &dy[0], &dy[1]);
		return;
	}
	var dr[2];
	thin_tangents(b, y[0], emit_part(b, y[1], last, 0, m), emit_part(b, dx[0], last, 0, m),
	              &dy[0], &dr[0]);
	if (build_failed(b)) return;
	dr[1] = emit_add(b, emit_matmul(b, emit_adjoint(b, dy[0]), emit_part(b, x[0], last, m, n)),
	                 emit_matmul(b, emit_adjoint(b, y[0]), emit_part(b, dx[0], last, m, n)));
	dy[1] = emit_join(b, dr, 2, last);
}

static const field qr_fields[] = {PARAM(qr_params, full_matrices, FIELD_BOOL), PARAMS_END};
MATRIX_ROW(qr, "q and r of x = q r: columns of q are orthogonal, of size 1; r is upper triangular",
           OF_OTHERS, FACTORISATION, .nout = 2, .params = qr_fields, .jvp = qr_jvp,
           .scratch = qr_scratch)
