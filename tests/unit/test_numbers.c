/* test_numbers.c - what public operations give, to the bit, where it was once something else: the
 * numbers are those of JAX 0.10.2. Each case runs outside a body and in one, on both engines. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include "support/near.h"
#include <cmocka.h>

typedef struct number_case {
	const char *name;
	tsr *(*make)(tsr_ctx *);
	tsr_dtype dtype;
	const double _Complex *want;
	size_t n;
} number_case;

/* the array that the expression makes in context c; its dtype and elements, row-major */
#define CASE(name_, dtype_, make_, ...) \
	static tsr *name_##_of(tsr_ctx *c) { return make_; } \
	static const double _Complex name_##_want[] = {__VA_ARGS__}; \
	static const number_case name_ = {#name_, name_##_of, dtype_, name_##_want, \
	                                  sizeof name_##_want / sizeof *name_##_want};

static tsr *numbers(tsr_ctx *c, tsr_dtype dtype, const double *x, int64_t n)
{
	return tsr_astype(tsr_from(c, x, TSR_F64, TSR_DIMS(n)), dtype);
}

#define OF(dtype, ...) \
	numbers(c, dtype, (const double[]){__VA_ARGS__}, \
	        sizeof((const double[]){__VA_ARGS__}) / sizeof(double))
#define ONE(dtype, x) tsr_index(OF(dtype, x), 0, 0)

/* ---- starts of slices: from the end where they are negative, then moved inside */

#define FIVE tsr_arange(c, 5, .dtype = TSR_F32)
#define LAST_U64 tsr_sub(ONE(TSR_U64, 0), 1)
#define NINE OF(TSR_F32, 9)

static tsr *weighed_part(tsr *x, tsr *i)
{
	return tsr_sum(tsr_mul(tsr_dynamic_slice(x, 0, i, 2), tsr_iota(x, TSR_DIMS(2), 0)));
}
static tsr *weighed_rest(tsr *x, tsr *i)
{
	return tsr_sum(tsr_mul(tsr_dynamic_update(x, tsr_zeros(x, TSR_DIMS(2)), 0, i), x));
}
static tsr *two_from(tsr *x, tsr *i) { return tsr_dynamic_slice(x, 0, i, 2); }
static tsr *two_over(tsr *x, tsr *i)
{
	return tsr_dynamic_update(x, tsr_full(x, TSR_DIMS(2), 9), 0, i);
}
#define EACH(f) tsr_vmap(c, f, .in = TSR_MAPPED(TSR_UNMAPPED, 0))

CASE(index_last, TSR_F32, tsr_dynamic_index(FIVE, 0, -1), 4)
CASE(index_last_i8, TSR_F32, tsr_dynamic_index(FIVE, 0, ONE(TSR_I8, -1)), 4)
CASE(index_last_of_many, TSR_I32, tsr_dynamic_index(tsr_arange(c, 300), 0, ONE(TSR_I8, -2)), 298)
CASE(index_before_first, TSR_F32, tsr_dynamic_index(FIVE, 0, -9), 0)
CASE(slice_last, TSR_F32, tsr_dynamic_slice(FIVE, 0, -2, 2), 3, 4)
CASE(slice_last_i64, TSR_F32, tsr_dynamic_slice(FIVE, 0, ONE(TSR_I64, -1), 2), 3, 4)
CASE(slice_far, TSR_F32, tsr_dynamic_slice(FIVE, 0, INT64_C(1) << 40, 2), 3, 4)
CASE(slice_lowest, TSR_F32, tsr_dynamic_slice(FIVE, 0, INT64_MIN, 2), 0, 1)
CASE(slice_highest, TSR_F32, tsr_dynamic_slice(FIVE, 0, UINT64_MAX, 2), 3, 4)
CASE(slice_far_i64, TSR_F32, tsr_dynamic_slice(FIVE, 0, ONE(TSR_I64, 0x1p40), 2), 3, 4)
CASE(slice_far_before_i64, TSR_F32, tsr_dynamic_slice(FIVE, 0, ONE(TSR_I64, -0x1p40), 2), 0, 1)
CASE(slice_highest_u64, TSR_F32, tsr_dynamic_slice(FIVE, 0, LAST_U64, 2), 3, 4)
CASE(slice_u8, TSR_F32, tsr_dynamic_slice(FIVE, 0, ONE(TSR_U8, 255), 2), 3, 4)
CASE(update_last, TSR_F32, tsr_dynamic_update(FIVE, NINE, 0, -1), 0, 1, 2, 3, 9)
CASE(update_last_i32, TSR_F32, tsr_dynamic_update(FIVE, NINE, 0, ONE(TSR_I32, -2)), 0, 1, 2, 9, 4)
CASE(update_highest_u64, TSR_F32, tsr_dynamic_update(FIVE, NINE, 0, LAST_U64), 0, 1, 2, 3, 9)
CASE(slice_grad, TSR_F32, tsr_call(tsr_grad(c, weighed_part), FIVE, ONE(TSR_I32, -3)),
     0, 0, 0, 1, 0)
CASE(slice_grad_u64, TSR_F32, tsr_call(tsr_grad(c, weighed_part), FIVE, LAST_U64), 0, 0, 0, 0, 1)
CASE(update_grad, TSR_F32, tsr_call(tsr_grad(c, weighed_rest), FIVE, ONE(TSR_I32, -3)),
     0, 2, 0, 0, 8)
CASE(slice_each, TSR_F32, tsr_call(EACH(two_from), FIVE, OF(TSR_I32, -2, 1, -9)), 3, 4, 1, 2, 0, 1)
CASE(update_each, TSR_F32, tsr_call(EACH(two_over), FIVE, OF(TSR_I64, -1, -4)),
     0, 1, 2, 9, 9, 0, 9, 9, 3, 4)

/* ---- */

static const number_case *const cases[] = {
	&index_last,    &index_last_i8,  &index_last_of_many,   &index_before_first,
	&slice_last,    &slice_last_i64, &slice_far,            &slice_lowest,
	&slice_highest, &slice_far_i64,  &slice_far_before_i64, &slice_highest_u64,
	&slice_u8,      &update_last,    &update_last_i32,      &update_highest_u64,
	&slice_grad,    &slice_grad_u64, &update_grad,          &slice_each,
	&update_each,
};

static void check(const number_case *k, const char *how, tsr *x)
{
	char where[128];

	snprintf(where, sizeof where, "%s, %s", k->name, how);
	near_at(where, x, k->want, k->n, 0);
	if (tsr_dtype_of(x) != k->dtype)
		fail_msg("%s: %s, and not %s", where, tsr_dtype_name(tsr_dtype_of(x)),
		         tsr_dtype_name(k->dtype));
}

static void on_engine(tsr_ctx *ctx)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		TSR_SCOPE(ctx);
		check(cases[i], "outside", cases[i]->make(ctx));
		check(cases[i], "in a body", tsr_call(tsr_jit(ctx, cases[i]->make)));
	}
	assert_int_equal(tsr_close(ctx), 0);
}

static void interpreted(void **state)
{
	(void)state;
	on_engine(tsr_open(.engine = "interp"));
}

#ifndef PLUGIN_DIR
#define PLUGIN_DIR NULL /* nothing is compiled; the engine cpu interprets */
#endif

/* "c": at once */
static void compiled(void **state)
{
	(void)state;
	on_engine(tsr_open(.engine = "cpu", .plugin_dir = PLUGIN_DIR, .debug = "c"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(interpreted),
		cmocka_unit_test(compiled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
