/* test_plan.c - the text of a schedule (TSR_DEBUG=e): the examples at the heads of plan/text.c and
 * engine/cpu/code.c, and each kind of step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <tsr/tsr.h>
#include <cmocka.h>

#ifndef PLUGIN_DIR
#define PLUGIN_DIR NULL
#endif

static char logged[1 << 16];

static void keep(void *user, int level, const char *text)
{
	(void)user, (void)level;
	strncat(logged, text, sizeof logged - strlen(logged) - 1);
}

/* the plan of a program on arrays of 0.5, whose dims are n[2 * i] and n[2 * i + 1], where these are
 * not 0; NULL where there is no machine code */
static const char *plan_of(const char *program, const int64_t *n, int nargs, size_t nresults)
{
	tsr_ctx *ctx =
		tsr_open(.plugin_dir = PLUGIN_DIR, .debug = "ce", .log = keep, .workers = 2);
	tsr_engine_info info = {.size = sizeof info};
	tsr *x[4], *y[2];

	assert_true(tsr_engine(ctx, &info));
	for (int i = 0; i < nargs; i++)
		x[i] = n[2 * i + 1] ? tsr_full(ctx, TSR_DIMS(n[2 * i], n[2 * i + 1]), 0.5f)
		       : n[2 * i]   ? tsr_full(ctx, TSR_DIMS(n[2 * i]), 0.5f)
		                    : tsr_full(ctx, TSR_DIMS(), 0.5f);
	logged[0] = 0; /* the plans of what makes the arguments */
	const tsr_arg args = tsr_arg_tree(TSR_LEAVES(x, (size_t)nargs));
	const tsr_out out[] = {{.to = TSR_LEAVES(&y[0], 1)}, {.to = TSR_LEAVES(&y[1], 1)}};
	tsr_call_into_at("here", out, nresults, tsr_parse(ctx, program), &args, 1);
	assert_string_equal(tsr_message(ctx), "");
	assert_int_equal(tsr_close(ctx), TSR_OK);
	return info.compiles ? logged : NULL;
}

static void the_example(void **state)
{
	const char *plan = plan_of("f(%0: f32[4]) -> f32[4] {\n"
	                           "  %1: f32[4] = neg %0\n"
	                           "  %2: f32[4] = sort %1 dim=0 num_keys=1\n"
	                           "  %3: f32[4] = mul %2 2.0:f32\n"
	                           "  return %3\n"
	                           "}\n",
	                           (int64_t[]){4, 0}, 1, 1);

	(void)state;
	if (!plan) skip();
	assert_string_equal(plan,
	                    "the plan of f: 3 steps, 192 bytes of scratch memory\n"
	                    "  kernel 0: neg\n"
	                    "  kernel 1: mul\n"
	                    "  0  kernel 0  in0 -> scratch+0  0.006 us\n"
	                    "  1  call sort  scratch+0 -> scratch+64, scratch+128  0.108 us\n"
	                    "  2  kernel 1  scratch+64, constant -> out0  0.006 us\n");
}

static void the_example_of_the_cpu(void **state)
{
	const char *plan = plan_of(
		"h(%0: f32[], %1: f32[65536]) -> f32[], f32[65536] {\n"
		"  %2: f32[] = scan %0 length=1000 consts=0 carry=1 unroll=1 body=half(%0: f32[]) "
		"-> f32[] {\n"
		"    %1: f32[] = mul %0 0.5:f32\n"
		"    return %1\n"
		"  }\n"
		"  %3: f32[65536] = sin %1\n"
		"  return %2 %3\n"
		"}\n",
		(int64_t[]){0, 0, 65536, 0}, 2, 2);

	(void)state;
	if (!plan) skip();
	assert_string_equal(plan,
	                    "the plan of h: 7 steps, 64 bytes of scratch memory\n"
	                    "  kernel 0: sin\n"
	                    "  kernel 1: mul\n"
	                    "  0  kernel 0  in1 -> out1  52.4 us, 64 items, shared: 16 pieces\n"
	                    "  1  all up to 7, one routine\n"
	                    "  2  copy 4 bytes  in0 -> out0  0.0052 us\n"
	                    "  3  loop 0, 1000 times, ends at 7\n"
	                    "  4  next slices of loop 0\n"
	                    "  5  kernel 1  out0, constant -> out0  0.00525 us\n"
	                    "  6  loop 0 again from 4\n");
}

static void contains(const char *plan, const char *part)
{
	if (!strstr(plan, part)) fail_msg("\"%s\" is not in\n%s", part, plan);
}

static void every_kind_of_step(void **state)
{
	const char *plan = plan_of(
		"g(%0: f32[512,512], %1: f32[3,4]) -> f32[512,512] {\n"
		"  %2: f32[512,512] = dot_general %0 %0 contract_a=[1] contract_b=[0] batch_a=[] "
		"batch_b=[] dtype=f32\n"
		"  %3: f32[512,512] = scan %2 %1 length=3 consts=0 carry=1 unroll=1 "
		"body=step(%0: f32[512,512], %1: f32[4]) -> f32[512,512] {\n"
		"    %2: f32[] = reduce_sum %1 dims=[0]\n"
		"    %6: f32[512,512] = broadcast_in_dim %2 dims=[512,512] at=[]\n"
		"    %3: f32[512,512] = sub %0 %6\n"
		"    %4: bool[] = gt %2 1.0:f32\n"
		"    %5: f32[512,512] = cond %4 %3 branches=["
		"a(%0: f32[512,512]) -> f32[512,512] {\n"
		"      %1: f32[512,512] = sin %0\n"
		"      return %1\n"
		"    }, b(%0: f32[512,512]) -> f32[512,512] {\n"
		"      %1: f32[1,512] = slice %0 start=[0,0] stop=[1,512] step=[1,1]\n"
		"      %2: f32[512,512] = dynamic_update_slice %0 %1 3:i32 0:i32\n"
		"      return %2\n"
		"    }]\n"
		"    return %5\n"
		"  }\n"
		"  debug_print %1 format=\"{}\" axes=()\n"
		"  return %3\n"
		"}\n",
		(int64_t[]){512, 512, 3, 4}, 2, 1);

	(void)state;
	if (!plan) skip();
	contains(plan, "the plan of g: ");
	contains(plan, "product 512x512x512 f32  in0, in0 -> ");
	contains(plan, "loop 0, 3 times, ends at ");
	contains(plan, "next slices of loop 0\n");
	contains(plan, "loop 0 again from ");
	contains(plan, "slice of in1");
	contains(plan, "host debug_print  in1");
	contains(plan, "update  ");
	contains(plan, "copy 1048576 bytes  ");
	contains(plan, " items, shared: ");
	contains(plan, "  by scratch+");
	contains(plan, "constant");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_example),
		cmocka_unit_test(the_example_of_the_cpu),
		cmocka_unit_test(every_kind_of_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
