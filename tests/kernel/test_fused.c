/* test_fused.c - sampled chains of 2 to 6 equations as one kernel give the same bits as the
 * equations one after the other. TSR_SEED repeats one draw, TSR_DRAWS says how many there are. */
#include "kernel/fused_draws.h"

static void chains_equal_their_equations(void **state)
{
	rig *r = *state;
	const bool one = getenv("TSR_SEED") != NULL;
	const uint64_t seed = from_environment("TSR_SEED", 20261121);
	const uint64_t draws = one ? 1 : from_environment("TSR_DRAWS", 3000);
	int large = 0, two = 0;

	print_message("seed %llu, %llu draws\n", (unsigned long long)seed,
	              (unsigned long long)draws);
	for (uint64_t i = 0; i < draws; i++) {
		draw d = {.random = (seed + i) * 0x9e3779b97f4a7c15u};
		bool fits;
		program *p = sample(r, &d);
		if (!p)
			fail_msg("seed %llu: %s", (unsigned long long)(seed + i),
			         error_text(&r->base));
		const char *fault = kernel_fault(p, &d.random, &fits);
		large += !fits;
		two += p->nout == 2;
		if (fault || one) print_both(p);
		if (fault) fail_msg("seed %llu: %s", (unsigned long long)(seed + i), fault);
		program_release(p);
	}
	print_message("%d too large, %d with two results\n", large, two);
	assert_true(large < (int)(draws / 50) + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(chains_equal_their_equations)};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
