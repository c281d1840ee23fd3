/* optimizers.h - the optimisers and schedules of tests/peer/optimizers.def, made here, and numbers
 * for them. */
#ifndef TSR_TESTS_SUPPORT_OPTIMIZERS_H
#define TSR_TESTS_SUPPORT_OPTIMIZERS_H
#include <math.h>
#include <string.h>
#include <tsr/tsr.h>

TSR_TREE_TYPE(three, { tsr *w, *b, *t; });

#define OPTIMIZER(name, here, there) \
	static const tsr_optimizer *make_##name(tsr_ctx *ctx, const char *zero) \
	{ \
		(void)zero; \
		return here; \
	}
#define SCHEDULE(name, here, there) \
	static tsr_fn *schedule_##name(tsr_ctx *ctx) { return here; }
#include "peer/optimizers.def"
#undef OPTIMIZER
#undef SCHEDULE

static const struct {
	const char *name;
	const tsr_optimizer *(*make)(tsr_ctx *, const char *zero);
} optimizers[] = {
#define OPTIMIZER(name, here, there) {#name, make_##name},
#define SCHEDULE(name, here, there)
#include "peer/optimizers.def"
#undef OPTIMIZER
#undef SCHEDULE
};
enum { OPTIMIZERS = sizeof optimizers / sizeof *optimizers };

static const struct {
	const char *name;
	tsr_fn *(*make)(tsr_ctx *);
} schedules[] = {
#define OPTIMIZER(name, here, there)
#define SCHEDULE(name, here, there) {#name, schedule_##name},
#include "peer/optimizers.def"
#undef OPTIMIZER
#undef SCHEDULE
};
enum { SCHEDULES = sizeof schedules / sizeof *schedules };

/* numbers without a pattern that matters, another list for each seed */
static inline tsr *scattered(tsr_ctx *ctx, int seed, tsr_dims dims)
{
	int64_t n = 1;

	for (int d = 1; d < dims.d[0]; d++) n *= dims.d[d];
	tsr *k = tsr_arange(ctx, n, .dtype = TSR_F32, .start = seed);
	return tsr_reshape(tsr_sin(tsr_mul(tsr_square(k), 0.7)), dims);
}

/* parameters (seed 0) or gradients, of dtype f32, in the innermost scope */
static inline three scattered_three(tsr_ctx *ctx, int seed)
{
	three x;

	x.w = scattered(ctx, 100 * seed, TSR_DIMS(8, 16));
	x.b = scattered(ctx, 100 * seed + 31, TSR_DIMS(6));
	x.t = scattered(ctx, 100 * seed + 57, TSR_DIMS(4, 8, 5));
	return x;
}

#endif
