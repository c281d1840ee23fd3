/* lapack_eigen.c - eigenvalues, singular values and similar matrices by the LAPACK of OpenBLAS. */
#include "engine/cpu/native/lapack/lapack.h"
#ifdef TSR_LAPACK

/* ---- eigh */

typedef void syevd(const char *job, const char *uplo, const int *n, void *a, const int *lda,
                   void *w, void *work, const int *lwork, int *iwork, const int *liwork, int *info,
                   size_t, size_t);
typedef void heevd(const char *job, const char *uplo, const int *n, void *a, const int *lda,
                   void *w, void *work, const int *lwork, void *rwork, const int *lrwork,
                   int *iwork, const int *liwork, int *info, size_t, size_t);
extern syevd ssyevd_, dsyevd_;
extern heevd cheevd_, zheevd_;

void lapack_eigh(const task *x, room *r)
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

/* The transpose of u s vh is vh^T s u^T, and column-major vh^T and u^T are vh and u as we have
 * them: LAPACK is asked for those of the transpose, and nothing is turned */
void lapack_svd(const task *x, room *r)
{
	const type *t = x->in[0];
	const svd_params *p = x->eqn->params;
	const int m = columns(t), n = rows(t), k = least(m, n), side = most(m, n);
	svd_call c = {.type = t, .m = m, .n = n, .ldu = m};
	c.job = !p->compute_uv ? "N" : p->full_matrices ? "A" : "S";
	c.ldvt = p->full_matrices ? n : k;
	const int64_t size = (int64_t)m * n, across = p->full_matrices ? m : k;
	const int lwork = svd_lwork(&c);
	c.a = take(r, size, item_of(t));
	c.rwork = take(r, 7 * (int64_t)k + (5 * (int64_t)k + 2 * (int64_t)side) * k,
	               item_of(real_of(t)));
	c.iwork = take(r, 8 * k, sizeof *c.iwork);
	void *work = take(r, lwork, item_of(t));

	if (!c.a) return;
	c.s = x->y[0];
	c.vt = p->compute_uv ? x->y[1] : NULL;
	c.u = p->compute_uv ? x->y[2] : NULL;
	memcpy(c.a, x->x[0], (size_t)size * item_of(t));
	if (is_finite(t, c.a, size) && !svd_do(&c, work, lwork)) return;
	fill_nan(real_of(t), c.s, k);
	if (!p->compute_uv) return;
	fill_nan(t, c.u, m * across);
	fill_nan(t, c.vt, (int64_t)c.ldvt * n);
}

/* ---- hessenberg, tridiagonal: reflections, as many at a time as it likes */

static int room_for_blocks(int n) { return 64 * n + 65 * 64; }

typedef void gehrd(const int *n, const int *low, const int *high, void *a, const int *lda,
                   void *tau, void *work, const int *lwork, int *info);
DECLARE(gehrd)

void lapack_hessenberg(const task *x, room *r)
{
	const type *t = x->in[0];
	const int n = rows(t), one = 1, lwork = room_for_blocks(n);
	void *a = take(r, (int64_t)n * n, item_of(t)), *work = take(r, lwork, item_of(t));
	int info;

	if (!a) return;
	turn(t, n, n, x->x[0], a);
	OF_DTYPE(t, gehrd)(&n, &one, &n, a, &n, x->y[1], work, &lwork, &info);
	turn(t, n, n, a, x->y[0]);
}

typedef void sytrd(const char *uplo, const int *n, void *a, const int *lda, void *d, void *e,
                   void *tau, void *work, const int *lwork, int *info, size_t);
extern sytrd ssytrd_, dsytrd_, chetrd_, zhetrd_;

void lapack_tridiagonal(const task *x, room *r)
{
	const type *t = x->in[0];
	const bool lower = ((const tridiagonal_params *)x->eqn->params)->lower;
	const int n = rows(t), lwork = room_for_blocks(n);
	void *a = take(r, (int64_t)n * n, item_of(t)), *work = take(r, lwork, item_of(t));
	sytrd *f = t->dtype == TSR_F32   ? ssytrd_
	           : t->dtype == TSR_F64 ? dsytrd_
	           : t->dtype == TSR_C64 ? chetrd_
	                                 : zhetrd_;
	int info;

	if (!a) return;
	turn(t, n, n, x->x[0], a);
	f(lower ? "L" : "U", &n, a, &n, x->y[1], x->y[2], x->y[3], work, &lwork, &info, 1);
	turn(t, n, n, a, x->y[0]);
}

/* ---- schur */

typedef void gees_real(const char *job, const char *sort, void *select, const int *n, void *a,
                       const int *lda, int *chosen, void *wr, void *wi, void *q, const int *ldq,
                       void *work, const int *lwork, int *flags, int *info, size_t, size_t);
typedef void gees(const char *job, const char *sort, void *select, const int *n, void *a,
                  const int *lda, int *chosen, void *w, void *q, const int *ldq, void *work,
                  const int *lwork, void *rwork, int *flags, int *info, size_t, size_t);
extern gees_real sgees_, dgees_;
extern gees cgees_, zgees_;

void lapack_schur(const task *x, room *r)
{
	const type *t = x->in[0];
	const size_t item = item_of(t);
	const int n = rows(t), lwork = room_for_blocks(n);
	const int64_t squares = (int64_t)n * n;
	void *a = take(r, squares, item), *q = take(r, squares, item), *w = take(r, n, item);
	void *other = take(r, n, item), *work = take(r, lwork, item);
	int info = 1, chosen, flags;

	if (!a) return;
	turn(t, n, n, x->x[0], a);
	if (!is_finite(t, a, squares))
		info = 1;
	else if (is_complex(t))
		(t->dtype == TSR_C64 ? cgees_ : zgees_)("V", "N", NULL, &n, a, &n, &chosen, w, q,
		                                        &n, work, &lwork, other, &flags, &info, 1,
		                                        1);
	else
		(t->dtype == TSR_F32 ? sgees_ : dgees_)("V", "N", NULL, &n, a, &n, &chosen, w,
		                                        other, q, &n, work, &lwork, &flags, &info,
		                                        1, 1);
	turn(t, n, n, a, x->y[0]);
	turn(t, n, n, q, x->y[1]);
	for (int i = 0; info && i < 2; i++) fill_nan(t, x->y[i], squares);
}

/* ---- eig */

typedef void geev_real(const char *left, const char *right, const int *n, void *a, const int *lda,
                       void *wr, void *wi, void *vl, const int *ldvl, void *vr, const int *ldvr,
                       void *work, const int *lwork, int *info, size_t, size_t);
typedef void geev(const char *left, const char *right, const int *n, void *a, const int *lda,
                  void *w, void *vl, const int *ldvl, void *vr, const int *ldvr, void *work,
                  const int *lwork, void *rwork, int *info, size_t, size_t);
extern geev_real sgeev_, dgeev_;
extern geev cgeev_, zgeev_;

static void put_parts(const type *real, void *y, int64_t at, double re, double im)
{
	put_real(real, y, 2 * at, re);
	put_real(real, y, 2 * at + 1, im);
}

/* of a real matrix: column j of v, or of two that are conjugate the columns j and j + 1, which have
 * the parts of the first */
static void put_vectors(const type *t, int n, const void *wi, const void *v, void *y)
{
	for (int64_t j = 0; j < n; j++) {
		const bool pair = real_at(t, wi, j) != 0 && j + 1 < n;
		for (int64_t i = 0; i < n; i++) {
			const double re = real_at(t, v, j * n + i);
			const double im = pair ? real_at(t, v, (j + 1) * n + i) : 0;
			put_parts(t, y, i * n + j, re, im);
			if (pair) put_parts(t, y, i * n + j + 1, re, -im);
		}
		j += pair;
	}
}

void lapack_eig(const task *x, room *r)
{
	const type *t = x->in[0];
	const eig_params *p = x->eqn->params;
	const bool wanted[] = {p->left, p->right};
	const size_t item = item_of(t);
	const int n = rows(t), lwork = room_for_blocks(n);
	const int64_t squares = (int64_t)n * n;
	void *a = take(r, squares, item), *w = take(r, n, item), *wi = take(r, n, item), *v[2];
	for (int i = 0; i < 2; i++) v[i] = take(r, wanted[i] ? squares : 1, item);
	void *work = take(r, lwork, item);
	const char *left = p->left ? "V" : "N", *right = p->right ? "V" : "N";
	int info = 1, k = 0;

	if (!a) return;
	turn(t, n, n, x->x[0], a);
	if (!is_finite(t, a, squares))
		info = 1;
	else if (is_complex(t))
		(t->dtype == TSR_C64 ? cgeev_ : zgeev_)(left, right, &n, a, &n, w, v[0], &n, v[1],
		                                        &n, work, &lwork, wi, &info, 1, 1);
	else
		(t->dtype == TSR_F32 ? sgeev_ : dgeev_)(left, right, &n, a, &n, w, wi, v[0], &n,
		                                        v[1], &n, work, &lwork, &info, 1, 1);
	if (info)
		fill_nan(real_of(t), x->y[0], 2 * (int64_t)n);
	else if (is_complex(t))
		memcpy(x->y[0], w, (size_t)n * item);
	else
		for (int64_t i = 0; i < n; i++)
			put_parts(t, x->y[0], i, real_at(t, w, i), real_at(t, wi, i));
	for (int i = 0; i < 2; i++) {
		if (!wanted[i]) continue;
		void *y = x->y[++k];
		if (info)
			fill_nan(real_of(t), y, 2 * squares);
		else if (is_complex(t))
			turn(t, n, n, v[i], y);
		else
			put_vectors(t, n, wi, v[i], y);
	}
}

#endif
