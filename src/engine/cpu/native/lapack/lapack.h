/* lapack.h - passes one matrix of an equation, or of its batch, to LAPACK, and holds the common
 * part of the calls. */
#ifndef TSR_SRC_ENGINE_CPU_NATIVE_LAPACK_H
#define TSR_SRC_ENGINE_CPU_NATIVE_LAPACK_H
#include <math.h>
#include <string.h>
#include "engine/cpu/native/jit.h"
#ifdef TSR_LAPACK

typedef struct task {
	const eqn *eqn;
	const type *const *in;
	const void *x[2]; /* of this matrix */
	void *y[4];
} task;

/* Scratch memory in segments. With at NULL they are only counted */
typedef struct room {
	char *at;
	int64_t bytes;
} room;

static inline void *take(room *r, int64_t n, size_t item)
{
	void *here = r->at ? r->at + r->bytes : NULL;

	r->bytes += (n * (int64_t)item + 63) / 64 * 64;
	return here;
}

static inline int rows(const type *t) { return (int)t->dims[t->ndim - 2]; }
static inline int columns(const type *t) { return (int)t->dims[t->ndim - 1]; }

static inline size_t item_of(const type *t)
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
static inline double real_at(const type *t, const void *x, int64_t at)
{
	switch (t->dtype) {
	case TSR_F32: return ((const float *)x)[at];
	case TSR_F64: return ((const double *)x)[at];
	case TSR_C64: return ((const float *)x)[2 * at];
	default: return ((const double *)x)[2 * at];
	}
}

static inline void put_real(const type *t, void *x, int64_t at, double value)
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

/* ---- what is copied: to LAPACK a matrix by columns, as it has them */

/* lapack.c: a matrix of this many rows and columns, row-major, to one that is column-major; and
 * back, with the two numbers swapped */
void turn(const type *t, int64_t m, int64_t n, const void *from, void *to);

static inline bool is_complex(const type *t) { return t->dtype == TSR_C64 || t->dtype == TSR_C128; }
static inline const type *real_of(const type *t)
{
	static const type f32 = {.dtype = TSR_F32}, f64 = {.dtype = TSR_F64};

	return t->dtype == TSR_F32 || t->dtype == TSR_C64 ? &f32 : &f64;
}

/* parts of numbers */
static inline void fill_nan(const type *t, void *x, int64_t n)
{
	if (is_complex(t)) n *= 2;
	for (int64_t i = 0; i < n; i++) put_real(real_of(t), x, i, (double)NAN);
}

/* LAPACK may go on for ever where a number is not */
static inline bool is_finite(const type *t, const void *x, int64_t n)
{
	const float *f = x;
	const double *d = x;
	int others = 0;

	if (is_complex(t)) n *= 2;
	if (real_of(t)->dtype == TSR_F32)
		for (int64_t i = 0; i < n; i++) others |= !isfinite(f[i]);
	else
		for (int64_t i = 0; i < n; i++) others |= !isfinite(d[i]);
	return !others;
}

static inline int least(int a, int b) { return a < b ? a : b; }
static inline int most(int a, int b) { return a < b ? b : a; }

/* ---- lapack/lapack_eigen.c: rows of these names. Without memory in the room they only count */
void lapack_eigh(const task *, room *);
void lapack_svd(const task *, room *);
void lapack_hessenberg(const task *, room *);
void lapack_tridiagonal(const task *, room *);
void lapack_schur(const task *, room *);
void lapack_eig(const task *, room *);

#endif
#endif
