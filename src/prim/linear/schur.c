/* schur.c - general square matrices, and Hermitian ones, as similar ones of another form:
 * hessenberg, tridiagonal and schur; and their eigenvalues and eigenvectors: eig.
 *
 *     tridiagonal [2 9 9; -3 1 9; -4 0 1] lower=true
 *       gives  [2 9 9; 5.0 1.0 9; 0.5 0.0 1.0] [2 1.0 1.0] [5.0 0.0] [1.6 0]
 *     eig [1 1; 4 1] left=true right=true
 *       gives  [3.0 -1.0]:c64 [0.8944 0.8944; 0.4472 -0.4472]:c64
 *              [0.4472 -0.4472; 0.8944 0.8944]:c64
 *     eig [1 -2; 2 1] right=true
 *       gives  [1.0+2.0i 1.0-2.0i] [0.7071 0.7071; -0.7071i 0.7071i]
 *
 * schur_body.h has examples of the others. The reflections of hessenberg and tridiagonal are stored
 * where their forms have zeros, as in LAPACK. Eigenvalues are in the order in which the diagonal of
 * the Schur form has them; a vector is a column of size 1, whose largest element is real. */
#include "prim/linear/linalg.h"

/* [..., n, n] and behind it [..., n - 1], of no rows none */
static int64_t beside(const type *t) { return rows_of(t) ? rows_of(t) - 1 : 0; }

static size_t rows_for(const type *t, int64_t rows)
{
	return (size_t)(rows * columns_of(t)) * tsr_dtype_size(t->dtype);
}

#define NO_SLOPE TSR_NO_RULE(COL_JVP, "as in JAX it has none")

/* ---- hessenberg */

static bool hessenberg_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	if (!check_square_matrix(b, e, in[0])) return false;
	out[0] = in[0];
	return give_behind_batch(b, in[0], in[0]->dtype, (int64_t[]){beside(in[0])}, 1, &out[1]);
}

static void hessenberg_one(const eval_args *args, const void *const *x, void *const *y)
{
	const type *t = args->in[0];

	matrix_algorithms_of(t->dtype)->hessenberg(rows_of(t), x[0], y[0], y[1]);
}

static double hessenberg_times(const program *p, const eqn *e) { return 2 * matrix_times(p, e); }

MATRIX_ROW(hessenberg, "h of x = q h q^H: nothing is far below its diagonal but what makes q",
           OF_ALL, FACTORISATION, NO_SLOPE, .nout = 2)

/* ---- tridiagonal */

static bool is_lower(const eqn *e) { return ((const tridiagonal_params *)e->params)->lower; }

static bool tridiagonal_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	if (!check_square_matrix(b, e, in[0])) return false;
	const tsr_dtype dtype = in[0]->dtype, real = dtype_real(dtype);
	const int64_t n = rows_of(in[0]), fewer = beside(in[0]);

	out[0] = in[0];
	return give_behind_batch(b, in[0], real, &n, 1, &out[1]) &&
	       give_behind_batch(b, in[0], real, &fewer, 1, &out[2]) &&
	       give_behind_batch(b, in[0], dtype, &fewer, 1, &out[3]);
}

static void tridiagonal_one(const eval_args *args, const void *const *x, void *const *y)
{
	const type *t = args->in[0];

	matrix_algorithms_of(t->dtype)->tridiagonal(rows_of(t), is_lower(args->eqn), x[0], y[0],
	                                            y[1], y[2], y[3], args->scratch);
}

static size_t tridiagonal_scratch(const eqn *e, const type *const *in)
{
	(void)e;
	return rows_for(in[0], 1);
}

static const field tridiagonal_fields[] = {PARAM(tridiagonal_params, lower, FIELD_BOOL),
                                           PARAMS_END};
#define tridiagonal_times matrix_times
MATRIX_ROW(tridiagonal, "likewise of a Hermitian x, of which a half is read; both diagonals",
           OF_ALL, FACTORISATION, NO_SLOPE, .nout = 4, .params = tridiagonal_fields,
           .scratch = tridiagonal_scratch)

/* ---- schur */

static bool schur_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	out[0] = out[1] = in[0];
	return check_square_matrix(b, e, in[0]);
}

static void schur_one(const eval_args *args, const void *const *x, void *const *y)
{
	matrix_algorithms_of(args->in[0]->dtype)->schur(rows_of(args->in[0]), x[0], y[0], y[1]);
}

static double schur_times(const program *p, const eqn *e) { return 12 * matrix_times(p, e); }

MATRIX_ROW(schur, "t and q of x = q t q^H: t is upper triangular, but for real pairs of rows",
           OF_ALL, FACTORISATION, NO_SLOPE, .nout = 2)

/* ---- eig */

static const eig_params *eig_of(const eqn *e) { return e->params; }

static bool eig_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	if (!check_square_matrix(b, e, in[0])) return false;
	const tsr_dtype dtype = dtype_real(in[0]->dtype) == TSR_F32 ? TSR_C64 : TSR_C128;
	const int64_t n = rows_of(in[0]);

	if (!give_behind_batch(b, in[0], dtype, &n, 1, &out[0])) return false;
	for (int j = 1; j < e->nout; j++)
		if (!give_behind_batch(b, in[0], dtype, (int64_t[]){n, n}, 2, &out[j]))
			return false;
	return true;
}

static void eig_one(const eval_args *args, const void *const *x, void *const *y)
{
	const eig_params *p = eig_of(args->eqn);
	const type *t = args->in[0];

	matrix_algorithms_of(t->dtype)->eig(rows_of(t), x[0], y[0], p->left ? y[1] : NULL,
	                                    p->right ? y[1 + p->left] : NULL, args->scratch);
}

static double eig_times(const program *p, const eqn *e) { return 12 * matrix_times(p, e); }

static size_t eig_scratch(const eqn *e, const type *const *in)
{
	(void)e;
	return rows_for(in[0], 2 * rows_of(in[0]) + 3);
}

static int eig_results(const void *params, int nin)
{
	const eig_params *p = params;

	(void)nin;
	return 1 + p->left + p->right;
}

/* v^-1 dx v: its diagonal is dw */
static var in_eigenvectors(build *b, var v, var dx)
{
	const var moved = emit_turned(b, emit_matmul(b, dx, v));

	return emit_turned(b, emit_over(b, moved, emit_turned(b, v)));
}

/* the element of each column of x that is the largest one of the column of v */
static var at_largest(build *b, var v, var x)
{
	if (is_zero(x)) return x;
	const type *t = build_type(b, v);
	const int row = t->ndim - 2;
	const arg_params first = {.dim = row, .dtype = TSR_I32};
	const var size = emit_1(b, &tsr__prim_abs, v);
	const var best = emit(b, &tsr__prim_argmax, &first, &size, 1);
	const var here = emit_2(b, &tsr__prim_eq, emit_iota(b, TSR_I32, t->dims, t->ndim, row),
	                        emit_along(b, best, t->dims[row], true));

	return emit_sum(b, emit_select(b, here, x, (var){0}), (int64_t[]){row}, 1);
}

/* Of x v = v w: dv = u + v c with u = v (f . v^-1 dx v), f[i][j] = 1 / (w[j] - w[i]) (Giles,
 * NA-08/01). The real part of c keeps the size of a vector, re v^H dv = 0; its imaginary part keeps
 * the largest element real. Without a derivative where two eigenvalues are equal. Gives dw */
static var vector_tangents(build *b, var w, var v, var dx, var *dv)
{
	const var turned = in_eigenvectors(b, v, dx);
	if (is_zero(turned)) return turned;
	const type *t = build_type(b, v);
	const int64_t n = rows_of(t);
	const var apart = emit_sub(b, emit_along(b, w, n, true), emit_along(b, w, n, false));
	const var u = emit_matmul(b, v, emit_mul(b, emit_over_apart(b, apart), turned));
	const var along = emit_sum(b, emit_mul(b, emit_conj(b, v), u), (int64_t[]){t->ndim - 2}, 1);
	const var re = emit_1(b, &tsr__prim_real, along);
	const var im = emit_div(b, emit_1(b, &tsr__prim_imag, at_largest(b, v, u)),
	                        emit_1(b, &tsr__prim_real, at_largest(b, v, v)));
	const var c = emit_neg(b, emit_2(b, &tsr__prim_complex, re, im));

	*dv = emit_add(b, u, emit_mul(b, v, emit_along(b, c, n, true)));
	return emit_diagonal(b, turned);
}

/* Vectors from the left are those of x^H, with conj w. Without vectors, those from the right are
 * made for it, and w with them: it may be in another order then */
static void eig_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	static const eig_params with_right = {.right = true};
	const eig_params *p = eig_of(e);
	const var by = emit_convert(b, dx[0], build_type(b, y[0])->dtype);
	var made[2];

	if (!build_type(b, y[0])->size) { /* argmax has no place to give */
		for (int j = 0; j < e->nout; j++) dy[j] = (var){0};
		return;
	}
	if (!p->left && !p->right) {
		emit_all(b, e->prim, &with_right, x, 1, made);
		y[0] = made[0];
		dy[0] = emit_diagonal(b, in_eigenvectors(b, made[1], by));
	}
	if (p->left)
		dy[0] = emit_conj(b, vector_tangents(b, emit_conj(b, y[0]), y[1],
		                                     emit_adjoint(b, by), &dy[1]));
	if (p->right) dy[0] = vector_tangents(b, y[0], y[1 + p->left], by, &dy[1 + p->left]);
}

static const field eig_fields[] = {
	PARAM(eig_params, left, FIELD_BOOL),
	PARAM(eig_params, right, FIELD_BOOL),
	PARAMS_END,
};
MATRIX_ROW(eig, "eigenvalues w of x; if wanted, those v of v^H x = w v^H, and of x v = v w", OF_ALL,
           FACTORISATION, .nout = -1, .results = eig_results, .params = eig_fields, .jvp = eig_jvp,
           .scratch = eig_scratch)
