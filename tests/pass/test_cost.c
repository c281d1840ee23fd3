/* test_cost.c - the costs of equations: the examples at the head of cost.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include "pass/pass.h"
#include "support/values.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

#define GATHER \
	"  %2: f64[3,2] = gather %0 %1 offset_dims=[1] collapsed_slice_dims=[0] " \
	"start_index_map=[0] operand_batching_dims=[] start_indices_batching_dims=[] "
#define SCATTER \
	"  %3: f64[5,2] = scatter %0 %1 %2 update_window_dims=[1] inserted_window_dims=[0] " \
	"scatter_dims_to_operand_dims=[0] operand_batching_dims=[] " \
	"scatter_indices_batching_dims=[] "

static const struct {
	const char *text;
	double element, work; /* of its last equation */
} cases[] = {
	{"f(%0: f32[64,64]) -> f32[64,64] {\n  %1: f32[64,64] = sin %0\n  return %1\n}", 12, 49152},
	{"f(%0: f64[64,64]) -> f64[64,64] {\n  %1: f64[64,64] = sin %0\n  return %1\n}", 24, 98304},
	{"f(%0: f32[64,64]) -> f32[64] {\n  %1: f32[64] = reduce_sum %0 dims=[1]\n  return %1\n}",
	 66, 4224},
	{"f(%0: f64[64,64]) -> f64[64] {\n  %1: f64[64] = reduce_sum %0 dims=[1]\n  return %1\n}",
	 130, 8320},
	{"f(%0: f32[64,64]) -> f32[64,64] {\n  %1: f32[64,64] = transpose %0 perm=[1,0]\n"
	 "  return %1\n}", 0.25, 1024},
	{"f(%0: f64[64,64]) -> f64[64,64] {\n  %1: f64[64,64] = transpose %0 perm=[1,0]\n"
	 "  return %1\n}", 0.25, 1024},
	{"f(%0: c64[8], %1: c64[8]) -> c64[8] {\n  %2: c64[8] = mul %0 %1\n  return %2\n}", 4, 32},
	/* what they are made of: max and min; x^2, x^4 and x x^4; in f64 */
	{"f(%0: f32[8]) -> f32[8] {\n  %1: f32[8] = clamp 0.0:f32 %0 1.0:f32\n  return %1\n}",
	 4, 32},
	{"f(%0: f32[8]) -> f32[8] {\n  %1: f32[8] = integer_pow %0 y=5\n  return %1\n}", 3, 24},
	{"f(%0: c128[8]) -> c128[8] {\n  %1: c128[8] = square %0\n  return %1\n}", 22, 176},
	{"f(%0: f32[2,3,4], %1: f32[2,4,5]) -> f32[2,3,5] {\n"
	 "  %2: f32[2,3,5] = dot_general %0 %1 contract_a=[2] contract_b=[1] batch_a=[0] "
	 "batch_b=[0] dtype=f32\n  return %2\n}", 6, 180},
	/* comparisons of a line of 7, which is called; windows, however large they are */
	{"f(%0: f32[4,7]) -> f32[4,7] {\n"
	 "  %1: f32[4,7] = sort %0 dim=1 num_keys=1 is_stable=true\n  return %1\n}", 27, 756},
	{"f(%0: f64[0]) -> f64[0] {\n"
	 "  %1: f64[0] = sort %0 dim=0 num_keys=1 is_stable=true\n  return %1\n}", 0, 0},
	{"f(%0: f64[5,2], %1: i32[3,1]) -> f64[3,2] {\n" GATHER "slice_sizes=[1,2] mode=clip "
	 "indices_are_sorted=false unique_indices=false\n  return %2\n}", 4, 24},
	{"f(%0: f64[5,2], %1: i32[3,1], %2: f64[3,2]) -> f64[5,2] {\n" SCATTER "combine=add "
	 "mode=drop indices_are_sorted=false unique_indices=false\n  return %3\n}", 6, 60},
};

static void costs(void **state)
{
	lab *l = lab_open(1);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const program *p = lab_parse(l, cases[i].text);
		assert_non_null(p);
		assert_float_equal(element_cost(p, &p->eqns[0]), cases[i].element, 0);
		assert_float_equal(work_of(p, &p->eqns[0]), cases[i].work, 0);
	}
	lab_close(l);
}

/* what it computes, loads and stores, and the start */
static void a_kernel(void **state)
{
	lab *l = lab_open(1);
	const program *p = lab_parse(l, "f(%0: f32[64,64]) -> f32[64] {\n"
	                                "  %1: f32[64,64] = sin %0\n"
	                                "  %2: f32[64] = reduce_sum %1 dims=[1]\n"
	                                "  return %2\n}");
	const target *on = target_of(32);
	double ns;

	(void)state;
	assert_non_null(p);
	assert_true(kernel_ns(on, l->arena, p, &ns));
	assert_float_equal((float)(ns - on->code_start),
	                   (float)(53376 * on->code_work + 16640 * on->code_byte), 1e-3f);
	lab_close(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(costs), cmocka_unit_test(a_kernel)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
