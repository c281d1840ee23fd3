/* test_s0x_control.c - the recorded scan that swaps a carry that varies and one that does not: its
 * error, and its values once both vary. */
#include "support/golden.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

TSR_TREE_TYPE(two, { tsr *p, *q; });

static void swap(tsr_frame *f)
{
	const two *c = TSR_TREE_OF(two, tsr_frame_tree(f, 0));
	two next = {.p = c->q, .q = c->p};
	tsr_return(f, TSR_TREE(two, &next));
}

static void swap_twice(tsr_frame *f)
{
	two c = {.p = tsr_frame_arg(f, 0), .q = tsr_frame_arg(f, 1)};
	const bool *cast = tsr_frame_env(f);

	if (*cast) c.q = tsr_pcast(c.q, "i");
	tsr_scan_into(TSR_OUT(TSR_TREE(two, &c)), swap, TSR_TREE(two, &c), TSR_NONE, .length = 2);
	tsr_return(f, c.p, c.q);
}

static void scan_carry(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"i", 2});
	tsr *x = tsr_arange(ctx, 6, .dtype = TSR_F32), *y = tsr_arange(ctx, 3, .dtype = TSR_F32);
	tsr *u, *v;

	for (int cast = 0; cast < 2; cast++) {
		const bool flag = cast;
		tsr_fn *f =
			tsr_shard_map(mesh, swap_twice, .sig = "[i] [] -> [i] [i]", TSR_ENV(&flag));
		tsr_call_into(TSR_OUT(&u, &v), f, x, y);
		if (cast) continue;
		const char *const facts[] = {
			"scan body function carry input and carry output must have equal types",
			"input carry component",
			"3",
			"the manual axis types do not match",
			"to the initial carry value",
			NULL};
		const char *const own[] = {"args[0].p has type f32[3]{i}",
		                           "args[0].q has type f32[3] ",
		                           "input carry component args[0].q",
		                           "tsr_pcast(..., \"i\", .to = TSR_TO_VARYING)", NULL};
		golden_error(ctx, TSR_ERROR_TYPE, "test_s0x_control.c", "s0x.scan_carry",
		             "error_mismatch", facts, own);
	}
	golden_equal(u, "s0x.scan_carry", "u");
	golden_equal(v, "s0x.scan_carry", "v");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(scan_carry, golden_open, golden_close),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
