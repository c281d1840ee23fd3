/* cases.h - tables of expressions with JAX 0.10.2's results, 64-bit types on: each is made outside
 * a body and in one; and lists of refused calls. A test lists its cases as CASES(_), the name, the
 * dtype and dims, how far off the largest number may be, the expression in a context c, and its
 * elements. COMPARED(CASES) makes of them the test as_jax_has_it. as_jax.h is the same for tables
 * of one tolerance, in which dims say nothing. */
#ifndef TSR_TESTS_CASES_H
#define TSR_TESTS_CASES_H
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include "support/near.h"
#include "support/quiet.h"
#include <cmocka.h>

#define D        TSR_DIMS
#define COUNT(a) (sizeof(a) / sizeof *(a))
#define NEARLY   1e-13 /* formulas of elementary functions */
#define NUMBERS(dtype, dims, of, T, ...) \
	tsr_astype(tsr_reshape(tsr_from(c, ((const T[]){__VA_ARGS__}), of, \
	                                D(COUNT(((const T[]){__VA_ARGS__})))), dims), dtype)
#define OF(dtype, dims, ...)      NUMBERS(dtype, dims, TSR_F64, double, __VA_ARGS__)
#define COMPLEX(dtype, dims, ...) NUMBERS(dtype, dims, TSR_C128, double _Complex, __VA_ARGS__)

typedef struct test_case {
	const char *name;
	tsr *(*make)(tsr_ctx *);
	tsr_dtype dtype;
	tsr_dims (*dims)(void);
	double tolerance;
	const double _Complex *want;
} test_case;

#define DEFINE_CASE(name, dtype, dims, tolerance, expression, ...) \
	static tsr *make_##name(tsr_ctx *c) { return expression; } \
	static tsr_dims dims_##name(void) { return dims; } \
	static const double _Complex want_##name[] = {__VA_ARGS__};
#define CASE_LINE(name, dtype, dims, tolerance, expression, ...) \
	{#name, make_##name, TSR_##dtype, dims_##name, tolerance, want_##name},

/* an empty result has an element in its list that is not compared */
static inline void compare_case(const test_case *t, const char *how, tsr *y)
{
	const tsr_dims dims = t->dims();
	char name[96];
	size_t n = 1;

	snprintf(name, sizeof name, "%s %s", t->name, how);
	shape_at(name, y, dims);
	if (tsr_dtype_of(y) != t->dtype)
		fail_msg("%s gives %s", name, tsr_dtype_name(tsr_dtype_of(y)));
	for (int d = 1; d < dims.d[0]; d++) n *= (size_t)dims.d[d];
	if (n) near_at(name, y, t->want, n, t->tolerance);
}

static inline void compare_cases(const test_case *cases, size_t n)
{
	tsr_ctx *ctx = tsr_open();

	for (size_t i = 0; i < n; i++) {
		TSR_SCOPE(ctx);
		tsr *y = cases[i].make(ctx);
		if (tsr_is_poison(y)) fail_msg("%s: %s", cases[i].name, tsr_message(ctx));
		compare_case(&cases[i], "outside", y);
		compare_case(&cases[i], "in a body", tsr_call(tsr_jit(ctx, cases[i].make)));
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

#define COMPARED(cases_) \
	cases_(DEFINE_CASE) \
	static void as_jax_has_it(void **state) \
	{ \
		static const test_case cases[] = {cases_(CASE_LINE)}; \
		(void)state; \
		compare_cases(cases, COUNT(cases)); \
	}

/* ---- what is refused: in a context with .log = log_nothing */

typedef struct refusal {
	bool refused;
	const char *what;
} refusal;

/* closes the context */
static inline void all_refused(tsr_ctx *c, const refusal *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!list[i].refused) fail_msg("%s: it was made", list[i].what);
	tsr_clear(c);
	assert_int_equal(tsr_close(c), TSR_OK);
}

#endif
