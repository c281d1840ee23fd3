/* twins.h - one computation in two ways, with values and derivatives that must agree. */
#ifndef TSR_TESTS_TRANSFORM_TWINS_H
#define TSR_TESTS_TRANSFORM_TWINS_H
#include <stdio.h>
#include <tsr/tsr.h>

typedef tsr *(*body)(tsr *);

static inline bool close_to(const char *what, const char *name, tsr *got, tsr *want)
{
	if (!tsr_is_poison(got) && tsr_allclose(got, want, 1e-11, 1e-12)) return true;
	printf("%s of %s: %s\n", what, name, tsr_message(tsr_ctx_of(want)));
	if (tsr_is_poison(got)) return false;
	tsr_print(got);
	tsr_print(want);
	return false;
}

static inline tsr_fn *plain(tsr_ctx *ctx, body f) { return tsr_jit(ctx, f); }
static inline tsr_fn *gradient(tsr_ctx *ctx, body f) { return tsr_grad(ctx, f); }
static inline tsr_fn *forward(tsr_ctx *ctx, body f) { return tsr_jacfwd(ctx, f); }
static inline tsr_fn *curvature(tsr_ctx *ctx, body f) { return tsr_hessian(ctx, f); }
static inline tsr_fn *forward_twice(tsr_ctx *ctx, body f)
{
	return tsr_jacfwd(ctx, tsr_jacfwd(ctx, f));
}
static inline tsr_fn *reverse_twice(tsr_ctx *ctx, body f)
{
	return tsr_jacrev(ctx, tsr_grad(ctx, f));
}

#endif
