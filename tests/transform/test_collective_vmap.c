/* test_collective_vmap.c - every collective with the names of vmaps among its axes, over every
 * choice of axes, in any order (support/exchanges.h): the library against the oracle of recipes.
 * There a batch is one more axis of points. make check compiles a part of them (support/part.h),
 * make check-slow all. */
#include "support/exchanges.h"
#include "support/part.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* one dtype after the other */
static void next_dtype(exchanges *x)
{
	static const tsr_dtype dtypes[] = {TSR_F32, TSR_I32, TSR_BF16, TSR_BOOL, TSR_U8};
	static int next;
	const tsr_dtype dtype = x->e.kind == EX_AXIS_INDEX ? TSR_I32 : dtypes[next++ % 5];

	if (!exchanges_have(x, dtype)) return;
	if (is_left_out())
		x->count++;
	else
		exchanges_compare(x, dtype);
}

static void every_collective(void **state)
{
	static const struct {
		int mesh[3], batch[3];
	} cases[] = {
		{{0}, {1}},    {{0}, {4}},    {{2}, {3}},    {{2}, {4}},
		{{2, 2}, {2}}, {{1, 2}, {4}}, {{0}, {2, 4}}, {{2}, {2, 2}},
	};
	static exchanges x;
	int count = 0;

	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		x = exchanges_open(cases[k].mesh, cases[k].batch, next_dtype);
		exchanges_try_all(&x);
		count += exchanges_close(&x);
	}
	print_message("%d exchanges\n", count);
	assert_true(count > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_collective)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
