/* matrix_laws.h - functions that the laws of linear algebra share: batches of random matrices, and
 * checks that are tried on both engines, for every dtype and several orders. */
#ifndef TSR_TESTS_MATRIX_LAWS_H
#define TSR_TESTS_MATRIX_LAWS_H
#include <stdlib.h>
#include "support/near.h"
#include <cmocka.h>

#define D        TSR_DIMS
#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { BATCH = 3 };

/* numbers between -1 and 1, complex ones where the dtype is */
static inline tsr *draw(tsr_ctx *c, tsr_dtype dtype, tsr_dims dims)
{
	int64_t n = 1;
	for (int64_t d = 1; d < dims.d[0]; d++) n *= dims.d[d];
	double *x = calloc((size_t)n + 1, 2 * sizeof *x);
	assert_non_null(x);
	for (int64_t i = 0; i < 2 * n; i++) x[i] = (rand() % 2001 - 1000) / 1000.0;
	tsr *y = tsr_astype(tsr_from(c, x, TSR_C128, dims), dtype);
	free(x);
	return y;
}

static inline tsr *adjoint(tsr *x) { return tsr_conj(tsr_matrix_transpose(x)); }

static inline bool is_complex(tsr_dtype t) { return t == TSR_C64 || t == TSR_C128; }

/* are columns of q orthogonal and of size 1? */
static inline void check_columns(tsr *q, double tolerance)
{
	const int64_t n = tsr_dim(q, 2);
	tsr *eye = tsr_eye(q, n, .dtype = tsr_dtype_of(q));

	ALIKE(tsr_matmul(adjoint(q), q), tsr_broadcast_to(eye, D(BATCH, n, n)), tolerance);
}

/* a context of each engine in turn, closed without error */
static inline void on_each_engine(void (*f)(tsr_ctx *))
{
	static const char *const engines[] = {"interp", "cpu"};

	for (size_t e = 0; e < COUNT(engines); e++) {
		tsr_ctx *c = tsr_open(.engine = engines[e], .plugin_dir = PLUGIN_DIR);
		f(c);
		assert_int_equal(tsr_close(c), TSR_OK);
	}
}

/* of matrices of order n */
typedef void matrix_law(tsr_ctx *, tsr_dtype, int64_t n, double tolerance);

static inline void try_laws(tsr_ctx *c, matrix_law *const *laws, size_t nlaws,
                            const int64_t *orders, size_t norders)
{
	static const tsr_dtype dtypes[] = {TSR_F32, TSR_F64, TSR_C64, TSR_C128};

	for (size_t t = 0; t < COUNT(dtypes); t++)
		for (size_t i = 0; i < norders; i++)
			for (size_t k = 0; k < nlaws; k++) {
				const double one = t % 2 ? 1e-14 : 5e-6;
				TSR_SCOPE(c);
				laws[k](c, dtypes[t], orders[i],
				        one * (double)(8 + orders[i]) / 4);
			}
}

#endif
