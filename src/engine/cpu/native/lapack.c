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
 *     the plan of f: 1 steps, 512 bytes of scratch memory
 *       0  library cholesky  in0 -> out0, scratch+0  .., 8 items, shared: .. */
#include <math.h>
#include <string.h>
#include "engine/cpu/native/jit.h"
#ifdef TSR_LAPACK

/* ---- one matrix of an equation, or of its batch */

typedef struct task {
	const eqn *eqn;
	const type *const *in;
	const void *x[2]; /* of this matrix */
	void *y[3];
} task;

/* Scratch memory in segments. With at NULL they are only counted */
typedef struct room {
	char *at;
	int64_t bytes;
} room;

static void *take(room *r, int64_t n, size_t item)
{
	void *here = r->at ? r->at + r->bytes : NULL;

	r->bytes += (n * (int64_t)item + 63) / 64 * 64;
	return here;
}

static int rows(const type *t) { return (int)t->dims[t->ndim - 2]; }
static int columns(const type *t) { return (int)t->dims[t->ndim - 1]; }

static size_t item_of(const type *t)
{
	return t->dtype == TSR_F32 || t->dtype == TSR_I32 ? 4 : t->dtype == TSR_C128 ? 16 : 8;
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

static void cholesky(const task *x, room *r)
{
	const type *t = x->in[0];
	const int n = rows(t);
	int info;

	if (!r->at) return;
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

static void triangular_solve(const task *x, room *r)
{
	const triangular_solve_params *p = x->eqn->params;
	const type *a = x->in[0], *b = x->in[1];
	const int n = rows(a), down = rows(b), across = columns(b);
	const char *op = p->transpose_a ? p->conjugate_a ? "C" : "T" : p->conjugate_a ? "R" : "N";
	_Alignas(16) char one[16];

	if (!r->at) return;
	put_real(a, one, 0, 1);
	memcpy(x->y[0], x->x[1], (size_t)down * (size_t)across * item_of(b));
	OF_DTYPE(a, trsm)
	(p->left_side ? "R" : "L", p->lower ? "U" : "L", op, p->unit_diagonal ? "U" : "N", &across,
	 &down, one, x->x[0], &n, x->y[0], &across, 1, 1, 1, 1);
}

/* ---- what is copied: to LAPACK a matrix by columns, as it has them */

/* a matrix of this many rows and columns, row-major, to one that is column-major; and back, with
 * the two numbers swapped */
static void turn(const type *t, int64_t m, int64_t n, const void *from, void *to)
{
	const size_t item = item_of(t);

	for (int64_t i = 0; i < m; i++)
		for (int64_t j = 0; j < n; j++)
			memcpy((char *)to + (size_t)(j * m + i) * item,
			       (const char *)from + (size_t)(i * n + j) * item, item);
}

static bool is_complex(const type *t) { return t->dtype == TSR_C64 || t->dtype == TSR_C128; }
static const type *real_of(const type *t)
{
	static const type f32 = {.dtype = TSR_F32}, f64 = {.dtype = TSR_F64};

	return t->dtype == TSR_F32 || t->dtype == TSR_C64 ? &f32 : &f64;
}

/* parts of numbers */
static void fill_nan(const type *t, void *x, int64_t n)
{
	if (is_complex(t)) n *= 2;
	for (int64_t i = 0; i < n; i++) put_real(real_of(t), x, i, (double)NAN);
}

/* LAPACK may go on for ever where a number is not */
static bool is_finite(const type *t, const void *x, int64_t n)
{
	if (is_complex(t)) n *= 2;
	for (int64_t i = 0; i < n; i++)
		if (!isfinite(real_at(real_of(t), x, i))) return false;
	return true;
}

static int least(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a < b ? b : a; }

/* ---- lu */

typedef void getrf(const int *m, const int *n, void *a, const int *lda, int *pivots, int *info);
DECLARE(getrf)

static void lu(const task *x, room *r)
{
	const type *t = x->in[0];
	const int m = rows(t), n = columns(t);
	void *a = take(r, (int64_t)m * n, item_of(t));
	int info;

	if (!a) return;
	int32_t *pivots = x->y[1], *order = x->y[2];
	turn(t, m, n, x->x[0], a);
	OF_DTYPE(t, getrf)(&m, &n, a, &m, pivots, &info);
	turn(t, n, m, a, x->y[0]);
	for (int32_t i = 0; i < m; i++) order[i] = i;
	for (int32_t i = 0; i < least(m, n); i++) {
		const int32_t with = --pivots[i], kept = order[i];
		order[i] = order[with];
		order[with] = kept;
	}
}

/* ---- qr */

typedef void geqrf(const int *m, const int *n, void *a, const int *lda, void *tau, void *work,
                   const int *lwork, int *info);
typedef void orgqr(const int *m, const int *n, const int *k, void *a, const int *lda,
                   const void *tau, void *work, const int *lwork, int *info);
DECLARE(geqrf)
extern orgqr sorgqr_, dorgqr_, cungqr_, zungqr_;

static void make_q(const type *t, int m, int n, int k, void *a, const void *tau, void *work,
                   int lwork)
{
	orgqr *f = t->dtype == TSR_F32   ? sorgqr_
	           : t->dtype == TSR_F64 ? dorgqr_
	           : t->dtype == TSR_C64 ? cungqr_
	                                 : zungqr_;
	int info;

	f(&m, &n, &k, a, &m, tau, work, &lwork, &info);
}

static void qr(const task *x, room *r)
{
	const type *t = x->in[0];
	const size_t item = item_of(t);
	const int m = rows(t), n = columns(t), k = least(m, n);
	const int across = ((const qr_params *)x->eqn->params)->full_matrices ? m : k;
	const int lwork = 64 * most(n, across); /* as many columns at a time as it likes */
	char *a = take(r, (int64_t)m * most(n, across), item);
	void *tau = take(r, k, item), *work = take(r, lwork, item);
	int info;

	if (!a) return;
	turn(t, m, n, x->x[0], a);
	OF_DTYPE(t, geqrf)(&m, &n, a, &m, tau, work, &lwork, &info);
	memset(x->y[1], 0, (size_t)across * (size_t)n * item);
	for (int64_t i = 0; i < k; i++)
		for (int64_t j = i; j < n; j++)
			memcpy((char *)x->y[1] + (size_t)(i * n + j) * item,
			       a + (size_t)(j * m + i) * item, item);
	make_q(t, m, across, k, a, tau, work, lwork);
	turn(t, across, m, a, x->y[0]);
}

/* ---- eigh */

typedef void syevd(const char *job, const char *uplo, const int *n, void *a, const int *lda,
                   void *w, void *work, const int *lwork, int *iwork, const int *liwork, int *info,
                   size_t, size_t);
typedef void heevd(const char *job, const char *uplo, const int *n, void *a, const int *lda,
                   void *w, void *work, const int *lwork, void *rwork, const int *lrwork,
                   int *iwork, const int *liwork, int *info, size_t, size_t);
extern syevd ssyevd_, dsyevd_;
extern heevd cheevd_, zheevd_;

static void eigh(const task *x, room *r)
{
	const type *t = x->in[0];
	const int n = rows(t), squares = n * n, liwork = 3 + 5 * n;
	const int lreal = 1 + 6 * n + 2 * squares, lcomplex = 2 * n + squares;
	const char *half = ((const eigh_params *)x->eqn->params)->lower ? "L" : "U";
	void *a = take(r, squares, item_of(t));
	void *rwork = take(r, lreal, item_of(real_of(t)));
	void *work = take(r, lcomplex, item_of(t));
	int *iwork = take(r, liwork, sizeof *iwork), info = 1;

	if (!a) return;
	turn(t, n, n, x->x[0], a);
	if (!is_finite(t, a, squares))
		info = 1;
	else if (is_complex(t))
		(t->dtype == TSR_C64 ? cheevd_ : zheevd_)("V", half, &n, a, &n, x->y[1], work,
		                                          &lcomplex, rwork, &lreal, iwork, &liwork,
		                                          &info, 1, 1);
	else
		(t->dtype == TSR_F32 ? ssyevd_ : dsyevd_)("V", half, &n, a, &n, x->y[1], rwork,
		                                          &lreal, iwork, &liwork, &info, 1, 1);
	turn(t, n, n, a, x->y[0]);
	if (!info) return;
	fill_nan(t, x->y[0], squares);
	fill_nan(real_of(t), x->y[1], n);
}

/* ---- svd */

typedef void gesdd_real(const char *job, const int *m, const int *n, void *a, const int *lda,
                        void *s, void *u, const int *ldu, void *vt, const int *ldvt, void *work,
                        const int *lwork, int *iwork, int *info, size_t);
typedef void gesdd(const char *job, const int *m, const int *n, void *a, const int *lda, void *s,
                   void *u, const int *ldu, void *vt, const int *ldvt, void *work, const int *lwork,
                   void *rwork, int *iwork, int *info, size_t);
extern gesdd_real sgesdd_, dgesdd_;
extern gesdd cgesdd_, zgesdd_;

typedef struct svd_call {
	const type *type;
	const char *job;
	int m, n, ldu, ldvt;
	void *a, *s, *u, *vt, *rwork;
	int *iwork;
} svd_call;

static int svd_do(const svd_call *c, void *work, int lwork)
{
	int info;

	if (is_complex(c->type))
		(c->type->dtype == TSR_C64 ? cgesdd_ : zgesdd_)(
			c->job, &c->m, &c->n, c->a, &c->m, c->s, c->u, &c->ldu, c->vt, &c->ldvt,
			work, &lwork, c->rwork, c->iwork, &info, 1);
	else
		(c->type->dtype == TSR_F32 ? sgesdd_ : dgesdd_)(
			c->job, &c->m, &c->n, c->a, &c->m, c->s, c->u, &c->ldu, c->vt, &c->ldvt,
			work, &lwork, c->iwork, &info, 1);
	return info;
}

/* asks for the length of its memory, which f32 may have rounded down */
static int svd_lwork(const svd_call *c)
{
	_Alignas(16) char answer[16] = {0};

	svd_do(c, answer, -1);
	return (int)(real_at(c->type, answer, 0) * 1.001) + 64;
}

static void svd(const task *x, room *r)
{
	const type *t = x->in[0];
	const svd_params *p = x->eqn->params;
	const int m = rows(t), n = columns(t), k = least(m, n), side = most(m, n);
	svd_call c = {.type = t, .m = m, .n = n, .ldu = m};
	c.job = !p->compute_uv ? "N" : p->full_matrices ? "A" : "S";
	c.ldvt = p->full_matrices ? n : k;
	const int across = p->full_matrices ? m : k, lwork = svd_lwork(&c);
	c.a = take(r, (int64_t)m * n, item_of(t));
	c.u = take(r, p->compute_uv ? (int64_t)m * across : 1, item_of(t));
	c.vt = take(r, p->compute_uv ? (int64_t)c.ldvt * n : 1, item_of(t));
	c.rwork = take(r, 7 * (int64_t)k + (5 * (int64_t)k + 2 * (int64_t)side) * k,
	               item_of(real_of(t)));
	c.iwork = take(r, 8 * k, sizeof *c.iwork);
	void *work = take(r, lwork, item_of(t));

	if (!c.a) return;
	c.s = x->y[0];
	turn(t, m, n, x->x[0], c.a);
	const bool failed = !is_finite(t, c.a, (int64_t)m * n) || svd_do(&c, work, lwork);
	if (failed) fill_nan(real_of(t), c.s, k);
	if (!p->compute_uv) return;
	if (failed) {
		fill_nan(t, c.u, (int64_t)m * across);
		fill_nan(t, c.vt, (int64_t)c.ldvt * n);
	}
	turn(t, across, m, c.u, x->y[1]);
	turn(t, n, c.ldvt, c.vt, x->y[2]);
}

/* ---- the table */

static const struct routine {
	const char *row;
	void (*compute)(const task *, room *); /* without memory in the room it only counts */
	int longest; /* side for which LAPACK can count the numbers that it needs */
} routines[] = {
	{"cholesky", cholesky, INT32_MAX},
	{"triangular_solve", triangular_solve, INT32_MAX},
	{"lu", lu, INT32_MAX},
	{"qr", qr, INT32_MAX / 64},
	{"eigh", eigh, 20000},
	{"svd", svd, 20000},
};

static const struct routine *routine_of(const eqn *e)
{
	for (size_t i = 0; i < sizeof routines / sizeof *routines; i++)
		if (strcmp(routines[i].row, e->prim->name) == 0) return &routines[i];
	return NULL;
}

static bool fits(const struct routine *r, const type *t)
{
	return rows(t) >= 1 && columns(t) >= 1 && t->dims[t->ndim - 2] <= r->longest &&
	       t->dims[t->ndim - 1] <= r->longest;
}

int64_t lapack_scratch(const eqn *e, const type *const *in)
{
	const struct routine *r = routine_of(e);
	const task x = {.eqn = e, .in = in};
	room count = {NULL, 64}; /* to align it, too */

	for (int i = 0; i < e->nin; i++)
		if (!r || !fits(r, in[i])) return -1;
	r->compute(&x, &count);
	return count.bytes;
}

static size_t bytes_each(const type *t, int64_t n) { return (size_t)(t->size / n) * item_of(t); }

void lapack_eval(const eval_args *args)
{
	const eqn *e = args->eqn;
	const struct routine *r = routine_of(e);
	task x = {.eqn = e, .in = args->in};
	int64_t n = 1;

	for (int d = 0; d < args->in[0]->ndim - 2; d++) n *= args->in[0]->dims[d];
	for (int64_t k = args->first; k < args->end; k++) {
		const size_t at = (size_t)k;
		room scratch = {(char *)(((uintptr_t)args->scratch + 63) / 64 * 64), 0};
		for (int i = 0; i < e->nin; i++)
			x.x[i] = (const char *)args->x[i] + at * bytes_each(args->in[i], n);
		for (int j = 0; j < e->nout; j++)
			x.y[j] = (char *)args->y[j] + at * bytes_each(args->out[j], n);
		blas_begin();
		r->compute(&x, &scratch);
		blas_end();
	}
}

/* ---- what the Fortran of LAPACK wants of its runtime: the words by which it looks up its block
 * sizes are two letters joined */
void _gfortran_concat_string(size_t n, char *to, size_t na, const char *a, size_t nb,
                             const char *b);
void _gfortran_concat_string(size_t n, char *to, size_t na, const char *a, size_t nb, const char *b)
{
	for (size_t i = 0; i < n; i++) to[i] = i < na ? a[i] : i - na < nb ? b[i - na] : ' ';
}

#else /* the rows' own eval computes all */

int64_t lapack_scratch(const eqn *e, const type *const *in)
{
	(void)e, (void)in;
	return -1;
}

void lapack_eval(const eval_args *args) { (void)args; }

#endif
