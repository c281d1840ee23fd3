/* test_chains.c - sampled chains of equations as one compiled kernel, against the slow evaluator,
 * bit for bit. TSR_SEED repeats one draw, TSR_DRAWS says how many there are; make check-slow tries
 * thousands. */
#include "kernel/fused_draws.h"
#include "native_rig.h"

static void chains_equal_eval(void **state)
{
	rig *r = *state;
	const bool one = getenv("TSR_SEED") != NULL;
	const uint64_t seed = from_environment("TSR_SEED", 20261122);
	const uint64_t draws = one ? 1 : from_environment("TSR_DRAWS", SANITIZED ? 100 : 500);

	print_message("seed %llu, %llu draws\n", (unsigned long long)seed,
	              (unsigned long long)draws);
	for (uint64_t i = 0; i < draws; i++) {
		draw d = {.random = (seed + i) * 0x9e3779b97f4a7c15u};
		bool fits;
		program *p = sample(r, &d);
		if (!p)
			fail_msg("seed %llu: %s", (unsigned long long)(seed + i),
			         error_text(&r->base));
		const char *fault = native_fault(p, &d.random, &fits);
		if (fault || one) print_both(p);
		if (fault) fail_msg("seed %llu: %s", (unsigned long long)(seed + i), fault);
		program_release(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(chains_equal_eval)};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
