/* near.c - arrays against numbers, and against arrays. */
#include "support/near.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

int near_open(void **state)
{
	*state = tsr_open(.devices = 8);
	return 0;
}

int near_close(void **state) { return tsr_close(*state); }

static void no_poison(const char *where, tsr *x)
{
	if (tsr_is_poison(x))
		fail_msg("%s: poison: %s", where, x ? tsr_message(tsr_ctx_of(x)) : "NULL");
}

static double _Complex *elements(const char *where, tsr *x)
{
	double _Complex *all = malloc(((size_t)tsr_size(x) + 1) * sizeof *all);
	assert_non_null(all);
	if (!tsr_read_into(x, all, .dtype = TSR_C128)) fail_msg("%s: cannot be read", where);
	return all;
}

/* of one rounding */
static double precision(tsr_dtype dtype)
{
	switch (dtype) {
	case TSR_F16: return 0x1p-10;
	case TSR_BF16: return 0x1p-7;
	case TSR_F32:
	case TSR_C64: return 0x1p-23;
	case TSR_F64:
	case TSR_C128: return 0x1p-52;
	default: return 0;
	}
}

/* NaN is like NaN, an infinity like itself */
static bool like(double got, double want, double tolerance)
{
	return got == want || (isnan(got) && isnan(want)) || fabs(got - want) <= tolerance;
}

static double largest_of(const double _Complex *x, size_t n)
{
	double most = 0;
	for (size_t i = 0; i < n; i++)
		if (isfinite(cabs(x[i]))) most = fmax(most, cabs(x[i]));
	return most;
}

static void compare(const char *where, tsr *x, const double _Complex *got,
                    const double _Complex *want, size_t n, double tolerance)
{
	for (size_t i = 0; i < n; i++)
		if (!like(creal(got[i]), creal(want[i]), tolerance) ||
		    !like(cimag(got[i]), cimag(want[i]), tolerance))
			fail_msg("%s: element %zu is %.17g%+.17gi, and not %.17g%+.17gi, in\n%s",
			         where, i, creal(got[i]), cimag(got[i]), creal(want[i]),
			         cimag(want[i]), tsr_text(x));
}

void near_at(const char *where, tsr *x, const double _Complex *want, size_t n, double tolerance)
{
	no_poison(where, x);
	if (tsr_size(x) != (int64_t)n)
		fail_msg("%s: %lld elements, and not %zu", where, (long long)tsr_size(x), n);
	if (tolerance == 1) tolerance = 16 * precision(tsr_dtype_of(x));
	double _Complex *got = elements(where, x);
	compare(where, x, got, want, n, tolerance * largest_of(want, n));
	free(got);
}

void same_at(const char *where, tsr *got, tsr *want, double tolerance)
{
	no_poison(where, got);
	no_poison(where, want);
	shape_at(where, got, tsr_shape(want));
	if (tsr_dtype_of(got) != tsr_dtype_of(want))
		fail_msg("%s: %s, and not %s", where, tsr_dtype_name(tsr_dtype_of(got)),
		         tsr_dtype_name(tsr_dtype_of(want)));
	double _Complex *a = elements(where, got), *b = elements(where, want);
	const size_t n = (size_t)tsr_size(want);
	compare(where, got, a, b, n, tolerance * largest_of(b, n));
	free(a);
	free(b);
}

void shape_at(const char *where, tsr *x, tsr_dims dims)
{
	no_poison(where, x);
	if (tsr_ndim(x) != dims.d[0] - 1)
		fail_msg("%s: %d dims, and not %d", where, tsr_ndim(x), (int)dims.d[0] - 1);
	for (int d = 0; d < tsr_ndim(x); d++)
		if (tsr_dim(x, d) != dims.d[d + 1])
			fail_msg("%s: dim %d is %lld, and not %lld", where, d,
			         (long long)tsr_dim(x, d), (long long)dims.d[d + 1]);
}
