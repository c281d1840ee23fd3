/* test_compose.c - stacks of transformations and control flow, up to four deep, over random bodies:
 * jit, vmap, grad, value_and_grad, jvp, scan, cond and shard_map through the public API, against an
 * oracle that knows none of them (support/recipe.h), in f64.
 *
 * Each draw has a seed of its own. TSR_SEED=n in the environment repeats one and prints its recipe
 * and program; TSR_DRAWS=n changes how many there are. */
#include "support/recipe.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#ifdef __SANITIZE_ADDRESS__
enum { DRAWS = 200 };
#else
enum { DRAWS = 2500 };
#endif
enum { FIRST_SEED = 1, DRAWS_A_CONTEXT = 50, ATTEMPTS = 60, FAILURES_SHOWN = 10, MOST = 4096 };
/* of the largest number on the way, which is at most 1e4: rounding of some hundred operations */
static const double TOLERANCE = 1e-11;

/* a recipe with its numbers */
typedef struct deal {
	recipe r;
	double in[RECIPE_INS][MOST], want[RECIPE_OUTS][MOST];
	double largest;
	int attempts;
} deal;

static bool deal_make(deal *d, uint64_t seed)
{
	double *in[RECIPE_INS], *out[RECIPE_OUTS];
	const recipe_limits limits = {0};

	for (int k = 0; k < RECIPE_INS; k++) in[k] = d->in[k];
	for (int k = 0; k < RECIPE_OUTS; k++) out[k] = d->want[k];
	for (d->attempts = 1; d->attempts <= ATTEMPTS; d->attempts++) {
		uint64_t dice = ~seed;
		if (!recipe_draw(&d->r, seed, d->attempts, &limits)) continue;
		for (int k = 0; k < d->r.region[0].nin; k++)
			for (int i = 0; i < form_size(&d->r.region[0].value[k]); i++)
				d->in[k][i] = 1.5 * recipe_number(&dice);
		const verdict v = recipe_evaluate(&d->r, in, out);
		d->largest = v.largest;
		if (v.fit) return true;
	}
	return false;
}

static tsr_dims dims_of(const form *f)
{
	tsr_dims dims = {{1 + f->ndim}};

	for (int d = 0; d < f->ndim; d++) dims.d[1 + d] = f->dim[d];
	return dims;
}

static bool result_matches(const deal *d, int k, const tsr *got, char *why, size_t size)
{
	const form *f = &d->r.region[0].value[d->r.region[0].out[k]];
	const tsr_dims want = dims_of(f), have = tsr_shape(got);
	static double v[MOST];

	if (tsr_dtype_of(got) != TSR_F64 ||
	    memcmp(want.d, have.d, (size_t)want.d[0] * sizeof *want.d) != 0) {
		snprintf(why, size, "result %d is %s", k, tsr_text(got));
		return false;
	}
	if (!tsr_read(got, v, (size_t)form_size(f) * sizeof *v)) return false;
	for (int i = 0; i < form_size(f); i++)
		if (!(fabs(v[i] - d->want[k][i]) <= TOLERANCE * d->largest)) {
			snprintf(why, size, "result %d, element %d is %.17g, not %.17g", k, i, v[i],
			         d->want[k][i]);
			return false;
		}
	return true;
}

static bool draw_matches(tsr_ctx *ctx, const deal *d, bool loud, char *why, size_t size)
{
	TSR_SCOPE(ctx);
	tsr *in[RECIPE_INS], *out[RECIPE_OUTS];
	const region *g = &d->r.region[0];

	for (int k = 0; k < g->nin; k++)
		in[k] = tsr_from(ctx, d->in[k], TSR_F64, dims_of(&g->value[k]));
	if (loud) {
		recipe_print(&d->r, stdout);
		if (d->r.jit) puts(recipe_program(ctx, &d->r, TSR_F64, in));
	}
	recipe_run(ctx, &d->r, TSR_F64, in, out);
	for (int k = 0; k < g->nout && !tsr_status(ctx); k++)
		if (!result_matches(d, k, out[k], why, size) && !tsr_status(ctx)) return false;
	if (!tsr_status(ctx)) return true;
	snprintf(why, size, "%s", tsr_message(ctx));
	tsr_clear(ctx);
	return false;
}

static int number_from(const char *name, int otherwise)
{
	const char *text = getenv(name);

	return text ? atoi(text) : otherwise;
}

static void silent(void *user, int level, const char *text) { (void)user, (void)level, (void)text; }

static void tell(uint64_t seed, const deal *d, const char *why)
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
	static deal d;
	const bool one = getenv("TSR_SEED") != NULL;
	const int first = number_from("TSR_SEED", FIRST_SEED);
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
		assert_true(deal_make(&d, (uint64_t)(first + k)));
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
