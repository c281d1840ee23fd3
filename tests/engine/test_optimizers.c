/* test_optimizers.c - the kernels of a step: one for each parameter, with each number of the state
 * read and written once, in its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <tsr/tsr.h>

TSR_TREE_TYPE(two, { tsr *a, *b; });

/* how many steps the plan of the fn has, and how much scratch memory, as the letter e tells it */
typedef struct plan {
	int steps;
	long bytes;
} plan;

static void hear(void *user, int level, const char *text)
{
	static const char head[] = "the plan of kernels_of: ";
	const char *at = strstr(text, head);
	plan *p = user;

	(void)level;
	if (!at) return;
	p->steps = atoi(at + strlen(head));
	at = strstr(at, "steps, ");
	p->bytes = at ? atol(at + strlen("steps, ")) : -1;
}

static const tsr_optimizer *optimizer;

static void update(tsr_frame *f)
{
	two w = *TSR_TREE_OF(two, tsr_frame_tree(f, 0));
	const tsr_tree state = tsr_frame_tree(f, 1);
	tsr *leaf[32];

	memcpy(leaf, state.leaf, state.count * sizeof *leaf);
	tsr_optimizer_update(optimizer, tsr_frame_tree(f, 2), TSR_TREE(two, &w),
	                     TSR_LEAVES(leaf, state.count));
	tsr_return(f, TSR_TREE(two, &w), TSR_LEAVES(leaf, state.count));
}

static const tsr_optimizer *sgd(tsr_ctx *ctx) { return tsr_sgd(ctx, 0.1, .momentum = 0.9); }
static const tsr_optimizer *adamw(tsr_ctx *ctx) { return tsr_adamw(ctx, 0.1); }
static const tsr_optimizer *lion(tsr_ctx *ctx) { return tsr_lion(ctx, 0.1); }
static const tsr_optimizer *scheduled(tsr_ctx *ctx)
{
	return tsr_adamw(ctx, tsr_warmup_cosine_decay_schedule(ctx, 0, 0.1, 10, 100));
}
static const tsr_optimizer *averaged(tsr_ctx *ctx)
{
	return tsr_chain(ctx, tsr_adam(ctx, 0.1), tsr_ema_params(ctx, 0.9));
}
static const tsr_optimizer *collected(tsr_ctx *ctx)
{
	return tsr_multi_steps(tsr_adamw(ctx, 0.1), 4);
}

static void test_kernels(void **state)
{
	/* each counts the steps of all parameters in at most as many kernels */
	static const struct {
		const char *name;
		const tsr_optimizer *(*make)(tsr_ctx *);
		int counts;
	} rows[] = {{"sgd", sgd, 0},
	            {"adamw", adamw, 1},
	            {"lion", lion, 0},
	            {"scheduled", scheduled, 2},
	            {"averaged", averaged, 1},
	            {"collected", collected, 3}};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		plan is = {0, 0};
		tsr_ctx *ctx = tsr_open(.log = hear, .user = &is, .debug = "ce");
		two w = {.a = tsr_ones(ctx, TSR_DIMS(512, 512)),
		         .b = tsr_ones(ctx, TSR_DIMS(1024, 300))};
		two g = {.a = tsr_mul(w.a, 2), .b = tsr_mul(w.b, 3)}, next;
		tsr *leaf[32];
		optimizer = rows[i].make(ctx);
		tsr_tree begun = tsr_optimizer_init(optimizer, TSR_TREE(two, &w));
		tsr_fn *f = tsr_jit(ctx, update, .name = "kernels_of", .donate = TSR_DIMS(0, 1));
		tsr_call_into(TSR_OUT(TSR_TREE(two, &next), TSR_LEAVES(leaf, begun.count)), f,
		              TSR_TREE(two, &w), begun, TSR_TREE(two, &g));
		tsr_engine_info e = {.size = sizeof e};
		if (tsr_engine(ctx, &e) && e.compiles &&
		    (is.steps < 2 || is.steps > 2 + rows[i].counts || is.bytes > 256))
			fail_msg("%s: %d steps, %ld bytes of scratch memory", rows[i].name,
			         is.steps, is.bytes);
		tsr_drop_tree(begun);
		assert_int_equal(tsr_close(ctx), TSR_OK);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_kernels)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
