/* lapack.c - factorisations by the LAPACK of OpenBLAS, one single-threaded call for each matrix.
 *
 * Its matrices are column-major: to it, ours are transposed. Where that is another question of the
 * same kind, as of the Cholesky factor, nothing is moved.
 *
 * Example:
 *
 *     f(%0: f32[8,128,128]) -> f32[8,128,128] {
 *       %1: f32[8,128,128] = cholesky %0
 *       return %1
 *     }
 *
 * Each matrix is an item:
 *
 *     the plan of f: 1 steps, 0 bytes of scratch memory
 *       0  library cholesky  in0 -> out0  .., 8 items, shared: .. */
#include <math.h>
#include <string.h>
#include "engine/cpu/native/jit.h"
#ifdef TSR_LAPACK

/* ---- one matrix of an equation, or of its batch */

typedef struct task {
	const eqn *eqn;
	const type *const *in, *const *out;
	const void *x[2]; /* of this matrix */
	void *y[3], *scratch;
} task;

static int rows(const type *t) { return (int)t->dims[t->ndim - 2]; }
static int columns(const type *t) { return (int)t->dims[t->ndim - 1]; }

static size_t item_of(const type *t)
{
	return t->dtype == TSR_F32 ? 4 : t->dtype == TSR_C128 ? 16 : 8;
}

/* functions of f32, f64, c64, c128 */
#define OF_DTYPE(t, name) \
	((t)->dtype == TSR_F32   ? s##name##_ \
	 : (t)->dtype == TSR_F64 ? d##name##_ \
	 : (t)->dtype == TSR_C64 ? c##name##_ \
				 : z##name##_)
#define DECLARE(name) extern name s##name##_, d##name##_, c##name##_, z##name##_;

/* the real part of an element */
static double real_at(const type *t, const void *x, int64_t at)
{
	switch (t->dtype) {
	case TSR_F32: return ((const float *)x)[at];
	case TSR_F64: return ((const double *)x)[at];
	case TSR_C64: return ((const float *)x)[2 * at];
	default: return ((const double *)x)[2 * at];
	}
}

static void put_real(const type *t, void *x, int64_t at, double value)
{
	switch (t->dtype) {
	case TSR_F32: ((float *)x)[at] = (float)value; break;
	case TSR_F64: ((double *)x)[at] = value; break;
	case TSR_C64:
		((float *)x)[2 * at] = (float)value;
		((float *)x)[2 * at + 1] = 0;
		break;
	default: ((double *)x)[2 * at] = value; ((double *)x)[2 * at + 1] = 0;
	}
}

/* ---- cholesky: our lower triangle is its upper one, of the conjugate of the same matrix */

typedef void potrf(const char *uplo, const int *n, void *a, const int *lda, int *info, size_t);
DECLARE(potrf)

static bool is_factor(const type *t, const void *y, int n)
{
	for (int64_t i = 0; i < n; i++)
		if (!(real_at(t, y, i * n + i) > 0)) return false;
	return true;
}

static void cholesky(const task *x)
{
	const type *t = x->in[0];
	const int n = rows(t);
	int info;

	memcpy(x->y[0], x->x[0], (size_t)n * (size_t)n * item_of(t));
	OF_DTYPE(t, potrf)("U", &n, x->y[0], &n, &info, 1);
	const bool failed = info != 0 || !is_factor(t, x->y[0], n);
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = failed ? 0 : i + 1; j < n; j++)
			put_real(t, x->y[0], i * n + j, j > i ? 0 : (double)NAN);
}

/* ---- triangular_solve: op(a) y = b is y' op(a)' = b' */

typedef void trsm(const char *side, const char *uplo, const char *trans, const char *diag,
                  const int *m, const int *n, const void *alpha, const void *a, const int *lda,
                  void *b, const int *ldb, size_t, size_t, size_t, size_t);
DECLARE(trsm)

static void triangular_solve(const task *x)
{
	const triangular_solve_params *p = x->eqn->params;
	const type *a = x->in[0], *b = x->in[1];
	const int n = rows(a), down = rows(b), across = columns(b);
	const char *op = p->transpose_a ? p->conjugate_a ? "C" : "T" : p->conjugate_a ? "R" : "N";
	_Alignas(16) char one[16];

	put_real(a, one, 0, 1);
	memcpy(x->y[0], x->x[1], (size_t)down * (size_t)across * item_of(b));
	OF_DTYPE(a, trsm)
	(p->left_side ? "R" : "L", p->lower ? "U" : "L", op, p->unit_diagonal ? "U" : "N", &across,
	 &down, one, x->x[0], &n, x->y[0], &across, 1, 1, 1, 1);
}

/* ---- the table */

static int64_t no_scratch(const eqn *e, const type *const *in)
{
	(void)e, (void)in;
	return 0;
}

static const struct routine {
	const char *row;
	int64_t (*scratch)(const eqn *, const type *const *in);
	void (*compute)(const task *);
} routines[] = {
	{"cholesky", no_scratch, cholesky},
	{"triangular_solve", no_scratch, triangular_solve},
};

static const struct routine *routine_of(const eqn *e)
{
	for (size_t i = 0; i < sizeof routines / sizeof *routines; i++)
		if (strcmp(routines[i].row, e->prim->name) == 0) return &routines[i];
	return NULL;
}

static bool fits_int(const type *t)
{
	for (int d = t->ndim - 2; d < t->ndim; d++)
		if (t->dims[d] < 1 || t->dims[d] > INT32_MAX) return false;
	return true;
}

int64_t lapack_scratch(const eqn *e, const type *const *in)
{
	const struct routine *r = routine_of(e);

	for (int i = 0; i < e->nin; i++)
		if (!fits_int(in[i])) return -1;
	return r ? r->scratch(e, in) : -1;
}

static size_t bytes_each(const type *t, int64_t n) { return (size_t)(t->size / n) * item_of(t); }

void lapack_eval(const eval_args *args)
{
	const eqn *e = args->eqn;
	const struct routine *r = routine_of(e);
	task x = {.eqn = e, .in = args->in, .out = args->out, .scratch = args->scratch};
	int64_t n = 1;

	for (int d = 0; d < args->in[0]->ndim - 2; d++) n *= args->in[0]->dims[d];
	for (int64_t k = args->first; k < args->end; k++) {
		const size_t at = (size_t)k;
		for (int i = 0; i < e->nin; i++)
			x.x[i] = (const char *)args->x[i] + at * bytes_each(args->in[i], n);
		for (int j = 0; j < e->nout; j++)
			x.y[j] = (char *)args->y[j] + at * bytes_each(args->out[j], n);
		blas_begin();
		r->compute(&x);
		blas_end();
	}
}

#else /* the rows' own eval computes all */

int64_t lapack_scratch(const eqn *e, const type *const *in)
{
	(void)e, (void)in;
	return -1;
}

void lapack_eval(const eval_args *args) { (void)args; }

#endif
