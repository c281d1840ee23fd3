/* product.c - products of matrices by OpenBLAS, a single-threaded call for each part.
 *
 * The archive is linked in and hidden, so it neither meets a BLAS of the host program nor shares
 * its settings. It asks the environment which processor it is on, because what distributions ship
 * does not know those that are newer than it and falls back to code that is five times slower; the
 * link wraps getenv, so that we answer (cmake/Native.cmake). */
#include <stdlib.h>
#include <string.h>
#include "engine/cpu/native/jit.h"
#ifdef TSR_OPENBLAS
#include <cblas.h>

char *__real_getenv(const char *name);
char *__wrap_getenv(const char *name);

#if defined(__x86_64__)
static const char *core_type(void)
{
	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
		return "SkylakeX";
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? "Haswell" : NULL;
}
#else
static const char *core_type(void) { return NULL; }
#endif

/* settings of OpenBLAS in the environment are meant for the host's own; ours do not depend on them
 */
char *__wrap_getenv(const char *name)
{
	if (strcmp(name, "OPENBLAS_CORETYPE") == 0) return (char *)(uintptr_t)core_type();
	return strncmp(name, "OPENBLAS_", 9) == 0 ? NULL : __real_getenv(name);
}

/* Parts of c have at least this many rows: b is packed again for each. They are multiples of what
 * the library takes at a time, and each is one call, so their bits do not depend on who does them
 */
enum { ROWS = 16, LEAST_ROWS = 256, MOST_PARTS = 16 };

static int64_t up_to(int64_t n, int64_t multiple)
{
	return (n + multiple - 1) / multiple * multiple;
}

static bool fits_int(int64_t n) { return n > 0 && n <= INT32_MAX; }

bool product_is_known(const native_product *p, int64_t *rows)
{
	const int64_t part = up_to((p->m + MOST_PARTS - 1) / MOST_PARTS, ROWS);

	*rows = part < LEAST_ROWS ? LEAST_ROWS : part;
	return (p->dtype == TSR_F32 || p->dtype == TSR_F64) && fits_int(p->m) && fits_int(p->n) &&
	       fits_int(p->k);
}

static void product_part(const native_product *p, const char *a, const char *b, char *c,
                         int64_t rows)
{
	const CBLAS_TRANSPOSE ta = p->transpose_a ? CblasTrans : CblasNoTrans;
	const CBLAS_TRANSPOSE tb = p->transpose_b ? CblasTrans : CblasNoTrans;
	const int m = (int)rows, n = (int)p->n, k = (int)p->k;
	const int lda = p->transpose_a ? (int)p->m : k, ldb = p->transpose_b ? k : n;

	if (p->dtype == TSR_F32)
		cblas_sgemm(CblasRowMajor, ta, tb, m, n, k, 1, (const float *)(const void *)a, lda,
		            (const float *)(const void *)b, ldb, 0, (float *)(void *)c, n);
	else
		cblas_dgemm(CblasRowMajor, ta, tb, m, n, k, 1, (const double *)(const void *)a, lda,
		            (const double *)(const void *)b, ldb, 0, (double *)(void *)c, n);
}

void product_compute(const native_product *p, const void *a, const void *b, void *c, int64_t first,
                     int64_t end)
{
	const int64_t item = p->dtype == TSR_F32 ? 4 : 8;
	const int64_t skip = p->transpose_a ? first : first * p->k;

	for (int64_t i = 0; i < p->batch; i++)
		product_part(p, (const char *)a + (i * p->m * p->k + skip) * item,
		             (const char *)b + i * p->k * p->n * item,
		             (char *)c + (i * p->m + first) * p->n * item, end - first);
}

#else /* kernels compute all products */

bool product_is_known(const native_product *p, int64_t *rows)
{
	(void)p, (void)rows;
	return false;
}

void product_compute(const native_product *p, const void *a, const void *b, void *c, int64_t first,
                     int64_t end)
{
	(void)p, (void)a, (void)b, (void)c, (void)first, (void)end;
}

#endif
