/* linalg.h - declares the pieces that the rows of linear algebra share. Their operands are
 * matrices in the last two dims, of f32, f64, c64 or c128; all dims before these are a batch. */
#ifndef TSR_SRC_PRIM_LINALG_H
#define TSR_SRC_PRIM_LINALG_H
#include "prim/checks.h"
#include "prim/row.h"

/* ---- linear/linalg.c: rules. The first operand says what the batch is */
bool check_matrix(build *, const eqn *, const type *);        /* has it one of these dtypes? */
bool check_square_matrix(build *, const eqn *, const type *); /* the same, and a square one */
/* a type with these dims behind the batch of x */
bool give_behind_batch(build *, const type *x, tsr_dtype, const int64_t *dims, int ndim,
                       const type **out);
/* the column `factors`: the dims of the batch pass through all values; nothing else may be cut */
void factors_of_batch(const eqn *, const type *const *in, const type *const *out, factors *);
/* the batch of a map is one more dim in front */
void batch_in_front(build *, const eqn *, const batching *, const var *x, const bool *mapped,
                    var *y, bool *ymapped);
/* the column `parts`: groups of matrices */
int64_t matrix_parts(const eqn *, const type *const *in);
double matrix_times(const program *, const eqn *); /* elements of x times its shorter side */
static inline int64_t rows_of(const type *t) { return t->dims[t->ndim - 2]; }
static inline int64_t columns_of(const type *t) { return t->dims[t->ndim - 1]; }
static inline int64_t shorter_side(const type *t)
{
	return rows_of(t) < columns_of(t) ? rows_of(t) : columns_of(t);
}

/* eval: `one` computes the results y of one member of the batch from its operands x */
typedef void eval_one(const eval_args *, const void *const *x, void *const *y);
void eval_each(const eval_args *, eval_one *);

/* A row: its name and its sentence, why a kernel does not compute it, and further columns. Its
 * rules are called name_types, name_one (of eval_each) and name_times; a factorisation is of one
 * matrix */
#define MATRIX_ROW(prim_, doc_, why_, ...) \
	static void prim_##_eval(const eval_args *args) { eval_each(args, prim_##_one); } \
	const tsr_prim tsr__prim_##prim_ = { \
		.name = #prim_, .doc = doc_, .flags = PRIM_LIBRARY | PRIM_CALLED, .cost = 1, \
		.times = prim_##_times, .types = prim_##_types, .eval = prim_##_eval, \
		.parts = matrix_parts, TSR_NO_RULE(COL_LOWER, why_), __VA_ARGS__ \
	};
#define FACTORISATION \
	.nin = 1, .factors = factors_of_batch, .batch = batch_in_front, NOT_LINEAR
#define OF_OTHERS "an element is made of many others of the result"
#define OF_ALL "an element depends on the whole matrix"

/* ---- linear/linalg_numbers.c: the algorithms on one matrix of some dtype, each as plain as it
 * can be. Matrices are row-major. docs/numerics.md, "Factorisations", says in which order they
 * compute */
typedef struct matrix_algorithms {
	void (*cholesky)(int64_t n, const void *x, void *y);
	/* b and y: m x columns, or columns x m */
	void (*triangular_solve)(const triangular_solve_params *, int64_t m, int64_t columns,
	                         const void *a, const void *b, void *y);
	void (*lu)(int64_t m, int64_t n, const void *x, void *y, int32_t *pivots, int32_t *rows);
	/* columns: of q. work: one row more than x */
	void (*qr)(int64_t m, int64_t n, int64_t columns, const void *x, void *q, void *r,
	           void *work);
	/* work: as large as x */
	void (*eigh)(int64_t n, bool lower, const void *x, void *v, void *w, void *work);
	/* full: u and vh are square; u NULL: neither is wanted. work: the longer side times the
	 * shorter one, or with full times itself, and the shorter one squared */
	void (*svd)(int64_t m, int64_t n, bool full, const void *x, void *s, void *u, void *vh,
	            void *work);
	/* schur_body.h. taus: n - 1 */
	void (*hessenberg)(int64_t n, const void *x, void *y, void *taus);
	/* d, e: real, n and n - 1; work: a row */
	void (*tridiagonal)(int64_t n, bool lower, const void *x, void *y, void *d, void *e,
	                    void *taus, void *work);
	void (*schur)(int64_t n, const void *x, void *t, void *q);
	/* w, left, right: complex; the last two NULL: not wanted. work: 2 n + 3 rows */
	void (*eig)(int64_t n, const void *x, void *w, void *left, void *right, void *work);
} matrix_algorithms;
const matrix_algorithms *matrix_algorithms_of(tsr_dtype);

/* ---- linear/linalg_emit.c: equations on matrices, for rules of derivatives. What has no id is
 * zero */
var emit_adjoint(build *, var); /* the last two dims swapped, and conj of each element */
var emit_turned(build *, var);  /* the last two dims swapped */
var emit_matmul(build *, var, var);
/* what is on the diagonal k (1: the one above the main one) and below it, or above it; else 0 */
var emit_tril(build *, var, int64_t k);
var emit_triu(build *, var, int64_t k);
var emit_eye(build *, const type *like); /* 1 on the diagonal, else 0 */
var emit_diagonal(build *, var); /* of square matrices: [..., n] */
/* v [..., k] along the rows of a matrix that has n of them, or along its columns */
var emit_along(build *, var v, int64_t n, bool rows);
var emit_over_apart(build *, var); /* 1 / x, but 0 on the diagonal */
/* Solves with a triangular a: op(a) y = b, or y op(a) = b */
var emit_solve(build *, triangular_solve_params, var a, var b);
var emit_over(build *, var x, var a); /* the y of y a = x, for square a */

#endif
