/* test_places.c - memory of the caller's that results do not fit in: refused before anything runs,
 * so that nothing is written and nothing is given up. */
#include "support/mistakes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static tsr *twice(tsr *x) { return tsr_mul(x, 2.0); }
static void two(tsr_frame *f)
{
	tsr_return(f, twice(tsr_frame_arg(f, 0)), tsr_frame_arg(f, 0));
}
TSR_TREE_TYPE(pair, { tsr *w, *b; });
static void a_pair(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0);
	tsr_return(f, TSR_TREE(pair, (&(pair){.w = x, .b = x})));
}
static void one_absent(tsr_frame *f) { tsr_return(f, TSR_LEAVES(((tsr *[]){NULL}), 1)); }

static float memory[16];

/* poison says that the call failed, as memory cannot; a handle, that it wrote into memory */
static tsr *written(world *w)
{
	for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
		if (memory[i] != 7) return w->a;
	return NULL;
}

static void fill(void)
{
	for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) memory[i] = 7;
}

#define V6 TSR_DIMS(6)
#define CASE(name, call) \
	static tsr *name(world *w) \
	{ \
		fill(); \
		WRONG(w, call); \
		return written(w); \
	}
#define CALL(name, body, ...) \
	CASE(name, tsr_call_into(TSR_OUT(__VA_ARGS__), tsr_jit(w->ctx, body), w->v))

CALL(another_dtype, twice, TSR_INTO((void *)memory, TSR_F64, V6))
CALL(other_dims, twice, TSR_INTO(memory, TSR_F32, TSR_DIMS(2, 3)))
CALL(no_dtype, twice, TSR_INTO(memory, TSR_DTYPE_DEFAULT, V6))
CALL(no_memory, twice, TSR_INTO(NULL, TSR_F32, V6))
CALL(dims_not_given, twice, TSR_INTO(memory, TSR_F32, ((tsr_dims){.d = {0}})))
CALL(negative_dim, twice, TSR_INTO(memory, TSR_F32, TSR_DIMS(-6)))
CALL(too_many_strides, twice, TSR_INTO(memory, TSR_F32, V6, .strides = TSR_DIMS(4, 4)))
CALL(strides_too_large, twice, TSR_INTO(memory, TSR_F32, V6, .strides = TSR_DIMS(INT64_MAX / 2)))
CALL(memory_of_another, two, TSR_INTO(memory, TSR_F32, V6), TSR_INTO(memory + 5, TSR_F32, V6))
CALL(second_of_two, two, TSR_INTO(memory, TSR_F32, V6), TSR_INTO((void *)(memory + 6), TSR_I32, V6))
CALL(too_few, two, TSR_INTO(memory, TSR_F32, V6))
CALL(for_a_tree, a_pair, TSR_INTO(memory, TSR_F32, V6))
CALL(for_nothing, one_absent, TSR_INTO(memory, TSR_F32, V6))
CALL(no_record, twice, (tsr_out){.own = TSR_PLACE_MEMORY})
CASE(default_dtype, tsr_call_into(TSR_OUT(TSR_INTO((void *)memory, TSR_F64, TSR_DIMS())),
                                  tsr_jit(w->ctx, twice), 1.5))
#define OF_FIVE TSR_OUT(TSR_INTO(memory, TSR_F32, TSR_DIMS(5)))
CASE(of_control_flow, tsr_fori_into(OF_FIVE, 0, 2, tsr_add, w->v))
CASE(of_a_derivative, (void)tsr_vjp(OF_FIVE, tsr_jit(w->ctx, twice), w->v))

static tsr *writes_while_traced(tsr *x)
{
	tsr_call_into(TSR_OUT(TSR_INTO(memory, TSR_F32, V6)), tsr_jit(x, twice), x);
	return x;
}

static tsr *loops_while_traced(tsr *x)
{
	tsr_fori_into(TSR_OUT(TSR_INTO(memory, TSR_F32, V6)), 0, 2, tsr_add, x);
	return x;
}

static tsr *in_a_body(world *w)
{
	fill();
	tsr *y = tsr_call(tsr_jit(w->ctx, writes_while_traced), w->v);
	return tsr_is_poison(y) ? written(w) : y;
}

static tsr *loop_in_a_body(world *w)
{
	fill();
	tsr *y = tsr_call(tsr_jit(w->ctx, loops_while_traced), w->v);
	return tsr_is_poison(y) ? written(w) : y;
}

static const mistake table[] = {
	MISTAKE(another_dtype, TSR_ERROR_TYPE, "result 0 of twice is f32[6]", "f64[6]",
	        "tsr_astype", "tsr_read_into"),
	MISTAKE(other_dims, TSR_ERROR_TYPE, "result 0 of twice is f32[6]", "f32[2,3]"),
	MISTAKE(default_dtype, TSR_ERROR_TYPE, "is f32[]", "f64[]"),
	MISTAKE(no_dtype, TSR_ERROR_ARGUMENT, "memory for result 0 of twice", "dtype"),
	MISTAKE(no_memory, TSR_ERROR_ARGUMENT, "memory for result 0 of twice is NULL"),
	MISTAKE(dims_not_given, TSR_ERROR_ARGUMENT, "TSR_INTO", "TSR_DIMS(...)"),
	MISTAKE(negative_dim, TSR_ERROR_ARGUMENT, "memory for result 0 of twice", "negative"),
	MISTAKE(too_many_strides, TSR_ERROR_ARGUMENT, ".strides has 2 entries for 1 dims"),
	MISTAKE(strides_too_large, TSR_ERROR_ARGUMENT, ".strides", "too large"),
	MISTAKE(memory_of_another, TSR_ERROR_ARGUMENT, "result 1 of two overlaps", "result 0"),
	MISTAKE(second_of_two, TSR_ERROR_TYPE, "result 1 of two is f32[6]", "i32[6]"),
	MISTAKE(too_few, TSR_ERROR_ARGUMENT, "two returns 2 results", "1 places"),
	MISTAKE(for_a_tree, TSR_ERROR_ARGUMENT, "result 0 of a_pair has 2 leaves", "its place 1"),
	MISTAKE(for_nothing, TSR_ERROR_TYPE, "result 0 of one_absent is absent", "f32[6]"),
	MISTAKE(no_record, TSR_ERROR_ARGUMENT, "place for result 0 of twice is NULL"),
	MISTAKE(of_control_flow, TSR_ERROR_TYPE, "result 0 of fori is f32[6]", "f32[5]"),
	MISTAKE(of_a_derivative, TSR_ERROR_TYPE, "is f32[6]", "f32[5]"),
	MISTAKE(in_a_body, TSR_ERROR_HANDLE, "test_places.c:", "twice", "traced", "call outside"),
	MISTAKE(loop_in_a_body, TSR_ERROR_HANDLE, "test_places.c:", "fori", "traced"),
};

static void test_mistakes(void **state)
{
	(void)state;
	assert_int_equal(mistakes_check("test_places.c", table, sizeof table / sizeof *table), 0);
}

/* what does not fit is found before the operands are given up */
static void test_donated_operands_survive(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = mistakes_log);
	tsr *x = tsr_ones(ctx, V6);

	(void)state;
	tsr_call_into(TSR_OUT(TSR_INTO((void *)memory, TSR_F64, V6)),
	              tsr_jit(ctx, twice, .donate = TSR_DIMS(0)), x);
	assert_int_equal(tsr_status(ctx), TSR_ERROR_TYPE);
	tsr_clear(ctx);
	assert_true(tsr_item(tsr_sum(x)) == 6);
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_mistakes),
	                                   cmocka_unit_test(test_donated_operands_survive)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
