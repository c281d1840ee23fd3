/* test_compose.c - stacks of transformations and control flow, up to four deep, over random bodies:
 * jit, vmap, grad, value_and_grad, jvp, scan, cond and shard_map through the public API, against an
 * oracle that knows none of them (support/recipe.h), in f64.
 *
 * Each draw has a seed of its own. TSR_SEED=n in the environment repeats one and prints its recipe
 * and program; TSR_DRAWS=n changes how many there are. */
#include "support/draws.h"
#include "support/recipe.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#ifdef __SANITIZE_ADDRESS__
enum { DRAWS = 400 };
#else
enum { DRAWS = 2500 };
#endif
enum { FIRST_SEED = 1, DRAWS_A_CONTEXT = 50, FAILURES_SHOWN = 10 };

static bool draw_matches(tsr_ctx *ctx, const recipe_deal *d, bool loud, char *why, size_t size)
{
	TSR_SCOPE(ctx);
	tsr *in[RECIPE_INS], *out[RECIPE_OUTS];
	const region *g = &d->r.region[0];

	recipe_inputs(ctx, d, TSR_F64, in);
	if (loud) {
		recipe_print(&d->r, stdout);
		if (d->r.jit) puts(recipe_program(ctx, &d->r, TSR_F64, in));
	}
	recipe_run(ctx, &d->r, TSR_F64, in, out);
	for (int k = 0; k < g->nout && !tsr_status(ctx); k++)
		if (!recipe_matches(d, k, out[k], why, size) && !tsr_status(ctx)) return false;
	if (!tsr_status(ctx)) return true;
	snprintf(why, size, "%s", tsr_message(ctx));
	tsr_clear(ctx);
	return false;
}

static void silent(void *user, int level, const char *text) { (void)user, (void)level, (void)text; }

static void tell(uint64_t seed, const recipe_deal *d, const char *why)
{
	nest_kind stack[RECIPE_REGIONS];
	const int depth = recipe_stack(&d->r, stack);

	printf("TSR_SEED=%llu:", (unsigned long long)seed);
	for (int k = 0; k < depth; k++) printf(" %s", nest_name(stack[k]));
	printf(": %s\n", why);
}

static void count_stack(const recipe *r, int depths[RECIPE_REGIONS], int kinds[NEST_COUNT])
{
	nest_kind stack[RECIPE_REGIONS];
	const int depth = recipe_stack(r, stack);

	depths[depth]++;
	for (int k = 0; k < depth; k++) kinds[stack[k]]++;
}

static void test_compose(void **state)
{
	(void)state;
	static recipe_deal d;
	const recipe_limits limits = {0};
	const bool one = getenv("TSR_SEED") != NULL;
	const int first = number_from("TSR_SEED", number_from("TSR_FIRST", FIRST_SEED));
	const int draws = one ? 1 : number_from("TSR_DRAWS", DRAWS);
	int failures = 0, depths[RECIPE_REGIONS] = {0}, kinds[NEST_COUNT] = {0};
	tsr_ctx *ctx = NULL;

	printf("seeds %d to %d\n", first, first + draws - 1);
	for (int k = 0; k < draws; k++) {
		static char why[4096];
		if (k % DRAWS_A_CONTEXT == 0) {
			assert_int_equal(tsr_close(ctx), 0);
			ctx = tsr_open(.devices = 8, .log = silent);
		}
		assert_true(recipe_deal_make(&d, (uint64_t)(first + k), &limits));
		count_stack(&d.r, depths, kinds);
		if (draw_matches(ctx, &d, one, why, sizeof why)) continue;
		if (++failures <= number_from("TSR_SHOWN", FAILURES_SHOWN))
			tell((uint64_t)(first + k), &d, why);
	}
	assert_int_equal(tsr_close(ctx), 0);
	for (int k = 0; k < RECIPE_REGIONS; k++)
		if (depths[k]) printf("depth %d: %d\n", k, depths[k]);
	for (int k = 0; k < NEST_COUNT; k++) printf("%s: %d\n", nest_name((nest_kind)k), kinds[k]);
	if (failures) fail_msg("%d of %d draws failed", failures, draws);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_compose)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
