/* test_compose.c - stacks of transformations and control flow, up to four deep, over random bodies:
 * each kind of nest through the public API, against an oracle that knows none of them
 * (support/recipe.h), in f64.
 *
 * Each draw has a seed of its own. All of them together have every kind of nest, every operation
 * and every collective. TSR_SEED=n in the environment repeats one and prints its recipe
 * and program; TSR_DRAWS=n changes how many there are. make check compiles others than it
 * interprets, and fewer; make check-slow compiles thousands. */
#include "prim/prim.h"
#include "support/draws.h"
#include "support/recipe.h"
#include "support/quiet.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#ifdef __SANITIZE_ADDRESS__
enum { DRAWS = 400 };
#else
enum { DRAWS = 2500 };
#endif
enum { FIRST_SEED = 1, DRAWS_A_CONTEXT = 50, FAILURES_SHOWN = 10, ENOUGH = 1000 };

/* ---- what is drawn */

/* rows that hold programs or exchange values, and do not stand in sampled programs */
static const struct apart {
	const char *row, *why;
} apart[] = {
	{"while", "test_control_rules.c has it: there is no reverse mode"},
	{"custom_lin", "no whole derivative has it"},
	{"exchange", "partition makes it"},
	{"psort", "partition makes it"},
};
static bool seen[512]; /* of all_prims */

static bool is_sampled(const tsr_prim *row)
{
	for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
		if (strcmp(apart[i].row, row->name) == 0) return false;
	return prim_holds_programs(row) || row->flags & PRIM_COLLECTIVE;
}

/* how many rows were seen in no program; text: of one more, or NULL */
static int unseen_rows(const char *text)
{
	int n = 0;

	for (int k = 0; k < all_prims_count; k++) {
		char call[40];
		snprintf(call, sizeof call, " = %s ", all_prims[k]->name);
		if (text && strstr(text, call)) seen[k] = true;
		n += is_sampled(all_prims[k]) && !seen[k];
		if (!text && is_sampled(all_prims[k]) && !seen[k])
			printf("%s was in no program\n", all_prims[k]->name);
	}
	return n;
}

/* how often something was drawn */
typedef struct counts {
	int depth[RECIPE_REGIONS], nest[NEST_COUNT], op[OP_COUNT], exchange[EX_COUNT];
} counts;

static void count(const recipe *r, counts *n)
{
	nest_kind stack[RECIPE_REGIONS];
	const int depth = recipe_stack(r, stack);

	n->depth[depth]++;
	for (int k = 0; k < depth; k++) n->nest[stack[k]]++;
	for (int i = 0; i < r->nregions; i++)
		for (int k = 0; k < r->region[i].nsteps; k++) {
			const step *s = &r->region[i].step[k];
			n->op[s->op]++;
			if (s->op == OP_EXCHANGE) n->exchange[s->ex.kind]++;
		}
}

static int missing(const char *what, const int *n, int count)
{
	int none = 0;

	for (int k = 0; k < count; k++) {
		if (n[k]) continue;
		printf("%s %d was not drawn\n", what, k);
		none++;
	}
	return none;
}

static void all_drawn(const counts *n)
{
	const int none = missing("nest", n->nest, NEST_COUNT) +
	                 missing("operation", n->op, OP_COUNT) +
	                 missing("collective", n->exchange, EX_COUNT) + unseen_rows(NULL);

	if (none) fail_msg("%d kinds were not drawn", none);
}

static void print_counts(const counts *n)
{
	for (int k = 0; k < RECIPE_REGIONS; k++)
		if (n->depth[k]) printf("depth %d: %d\n", k, n->depth[k]);
	for (int k = 0; k < NEST_COUNT; k++)
		printf("%s: %d\n", nest_name((nest_kind)k), n->nest[k]);
}

/* ---- draws */

static bool draw_matches(tsr_ctx *ctx, const recipe_deal *d, bool loud, char *why, size_t size)
{
	TSR_SCOPE(ctx);
	tsr *in[RECIPE_INS], *out[RECIPE_OUTS];
	const region *g = &d->r.region[0];
	static int left = 1; /* rows that no program had so far */

	recipe_inputs(ctx, d, TSR_F64, in);
	if (loud) {
		recipe_print(&d->r, stdout);
		if (d->r.jit) puts(recipe_program(ctx, &d->r, TSR_F64, in));
	}
	if (d->r.jit && left) left = unseen_rows(recipe_program(ctx, &d->r, TSR_F64, in));
	recipe_run(ctx, &d->r, TSR_F64, in, out);
	for (int k = 0; k < g->nout && !tsr_status(ctx); k++)
		if (!recipe_matches(d, k, out[k], why, size) && !tsr_status(ctx)) return false;
	if (!tsr_status(ctx)) return true;
	snprintf(why, size, "%s", tsr_message(ctx));
	tsr_clear(ctx);
	return false;
}

static void tell(uint64_t seed, const recipe_deal *d, const char *why)
{
	nest_kind stack[RECIPE_REGIONS];
	const int depth = recipe_stack(&d->r, stack);

	printf("TSR_SEED=%llu:", (unsigned long long)seed);
	for (int k = 0; k < depth; k++) printf(" %s", nest_name(stack[k]));
	printf(": %s\n", why);
}

static void test_compose(void **state)
{
	(void)state;
	static recipe_deal d;
	const recipe_limits limits = {0};
	const bool one = getenv("TSR_SEED") != NULL;
	const int first = number_from("TSR_SEED", number_from("TSR_FIRST", FIRST_SEED));
	const int draws = one ? 1 : number_from("TSR_DRAWS", DRAWS);
	int failures = 0;
	counts n = {.depth = {0}};
	tsr_ctx *ctx = NULL;

	printf("seeds %d to %d\n", first, first + draws - 1);
	for (int k = 0; k < draws; k++) {
		static char why[4096];
		if (k % DRAWS_A_CONTEXT == 0) {
			assert_int_equal(tsr_close(ctx), 0);
			ctx = tsr_open(.devices = 8, .log = log_nothing);
		}
		assert_true(recipe_deal_make(&d, (uint64_t)(first + k), &limits));
		count(&d.r, &n);
		if (draw_matches(ctx, &d, one, why, sizeof why)) continue;
		if (++failures <= number_from("TSR_SHOWN", FAILURES_SHOWN))
			tell((uint64_t)(first + k), &d, why);
	}
	assert_int_equal(tsr_close(ctx), 0);
	print_counts(&n);
	if (failures) fail_msg("%d of %d draws failed", failures, draws);
	if (draws >= ENOUGH) all_drawn(&n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_compose)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
