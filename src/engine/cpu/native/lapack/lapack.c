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
#include "engine/cpu/native/lapack/lapack.h"
#ifdef TSR_LAPACK

/* ---- transposed copies, in squares: rows whose length is a power of 2 share few lines of a cache,
 * which a whole column would drive out before its neighbours are read */

enum { LINE_BYTES = 64, SIDE = LINE_BYTES / sizeof(float) }; /* a line is one row, or several */
#define DEFINE_TURN(name_, item_) \
	static void name_(int64_t m, int64_t n, const item_ *from, int64_t step, item_ *to) \
	{ \
		for (int64_t top = 0; top < m; top += SIDE) \
			for (int64_t left = 0; left < n; left += SIDE) \
				for (int64_t j = left; j < n && j < left + SIDE; j++) \
					for (int64_t i = top; i < m && i < top + SIDE; i++) \
						to[j * m + i] = from[i * step + j]; \
	}
typedef struct wide_item {
	uint64_t half[2];
} wide_item;
DEFINE_TURN(turn_4, uint32_t)
DEFINE_TURN(turn_8, uint64_t)
DEFINE_TURN(turn_16, wide_item)

/* the first n columns of rows that are `step` elements apart */
static void turn_part(const type *t, int64_t m, int64_t n, const void *from, int64_t step, void *to)
{
	switch (item_of(t)) {
	case 4: turn_4(m, n, from, step, to); break;
	case 8: turn_8(m, n, from, step, to); break;
	default: turn_16(m, n, from, step, to);
	}
}

void turn(const type *t, int64_t m, int64_t n, const void *from, void *to)
{
	turn_part(t, m, n, from, n, to);
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
	for (int64_t i = 0; i < n; i++) {
		char *behind = (char *)x->y[0] + (size_t)(i * n + i + 1) * item_of(t);
		memset(behind, 0, (size_t)(n - i - 1) * item_of(t));
		for (int64_t j = 0; failed && j <= i; j++)
			put_real(t, x->y[0], i * n + j, (double)NAN);
	}
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
	turn_part(t, n, across, a, m, x->y[1]);
	for (int64_t i = 1; i < across; i++) /* below the diagonal are the reflections */
		memset((char *)x->y[1] + (size_t)(i * n) * item, 0,
		       (size_t)(i < n ? i : n) * item);
	make_q(t, m, across, k, a, tau, work, lwork);
	turn(t, across, m, a, x->y[0]);
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
	{"eigh", lapack_eigh, 20000},
	{"svd", lapack_svd, 20000},
	{"hessenberg", lapack_hessenberg, INT32_MAX / 128},
	{"tridiagonal", lapack_tridiagonal, INT32_MAX / 128},
	{"schur", lapack_schur, INT32_MAX / 128},
	{"eig", lapack_eig, INT32_MAX / 128},
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
	if (!blas_ready()) return -1;
	r->compute(&x, &count);
	return count.bytes;
}

static size_t bytes_each(const type *t, int64_t n) { return (size_t)(t->size / n) * item_of(t); }

void lapack_eval(const eval_args *args)
{
	const eqn *e = args->eqn;
	const struct routine *r = routine_of(e);
	task x = {.eqn = e, .in = args->in};
	const int64_t n = matrices_of(args->in[0]);
	const part_range part = range_of_parts(args, n);

	for (int64_t k = part.first; k < part.end; k++) {
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
