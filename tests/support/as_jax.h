/* as_jax.h - tables of expressions with the numbers that JAX gives for them.
 *
 * A table is a macro CASES(_) of lines _(name, dtype, expression, elements ...), where `c` is the
 * context of the expression. AS_JAX(CASES, tolerance) makes of it the test as_jax_has_it, which
 * tries each line outside a body and in one; `name` in the tolerance is that of the line. */
#ifndef TSR_TESTS_AS_JAX_H
#define TSR_TESTS_AS_JAX_H
#include "support/near.h"

typedef struct as_jax_case {
	const char *name;
	tsr *(*make)(tsr_ctx *);
	tsr_dtype dtype;
	const double _Complex *want;
	size_t n;
} as_jax_case;

#define AS_JAX_DEFINE(name_, dtype_, expression_, ...) \
	static tsr *make_##name_(tsr_ctx *c) { return expression_; } \
	static const double _Complex want_##name_[] = {__VA_ARGS__};
#define AS_JAX_LINE(name_, dtype_, expression_, ...) \
	{#name_, make_##name_, TSR_##dtype_, want_##name_, \
	 sizeof want_##name_ / sizeof *want_##name_},
#define AS_JAX(cases_, tolerance_) \
	cases_(AS_JAX_DEFINE) \
	static const as_jax_case as_jax_cases[] = {cases_(AS_JAX_LINE)}; \
	static void as_jax_has_it(void **state) \
	{ \
		tsr_ctx *ctx = tsr_open(); \
		(void)state; \
		for (size_t i = 0; i < sizeof as_jax_cases / sizeof *as_jax_cases; i++) { \
			TSR_SCOPE(ctx); \
			const as_jax_case *line = &as_jax_cases[i]; \
			const char *const name = line->name; \
			(void)name; \
			tsr *y[] = {line->make(ctx), tsr_call(tsr_jit(ctx, line->make))}; \
			for (int k = 0; k < 2; k++) { \
				near_at(name, y[k], line->want, line->n, tolerance_); \
				assert_int_equal(tsr_dtype_of(y[k]), line->dtype); \
			} \
		} \
		assert_int_equal(tsr_close(ctx), TSR_OK); \
	}

#endif
