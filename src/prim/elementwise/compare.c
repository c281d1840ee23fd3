/* compare.c - comparisons, and rows that choose between elements.
 *
 *     eq [1 2 nan] [1 3 nan]            gives  [true false false]
 *     ne [1 2 nan] [1 3 nan]            gives  [false true true]
 *     lt [1 2 nan] [2 2 nan]            gives  [true false false]
 *     le [1 2 nan] [2 2 nan]            gives  [true true false]
 *     gt [1 2 3] [2 2 2]                gives  [false false true]
 *     ge [1 2 3] [2 2 2]                gives  [false true true]
 *     select_n [false true] [1 2] [10 20]  gives  [1 20]
 *     clamp 0 [-1 0.5 3] 1              gives  [0 0.5 1] */
#include "prim/elementwise/elementwise.h"

/* ---- comparisons: beside a NaN only ne is true; +0 equals -0 */

#define LOOP_COMPARE(dtype_, mem_, wide_, LOAD, STORE, ...) \
	LOOP_2_TO(uint8_t, dtype_, mem_, wide_, LOAD, (uint8_t), __VA_ARGS__)
#define COMPARE_ROW(prim_, doc_, set, op_, ...) \
	ELEMENTWISE_TYPES(prim_, set, TSR_BOOL) \
	static void prim_##_eval(const eval_args *args){ \
		EVAL_2(set, LOOP_COMPARE, __VA_ARGS__)} LOWER_2(prim_, K2(op_, a, b)) \
		const tsr_prim tsr__prim_##prim_ = {ELEMENTWISE(prim_, doc_, 1, 2), NO_SLOPE};

COMPARE_ROW(eq, "whether x equals y", ALL, EQ, a == b)
COMPARE_ROW(ne, "whether x differs from y", ALL, NE, a != b)
COMPARE_ROW(lt, "whether x is less than y", ORDERED, LT, a < b)
COMPARE_ROW(le, "whether x is less than y or equal", ORDERED, LE, a <= b)
COMPARE_ROW(gt, "whether x is greater than y", ORDERED, GT, a > b)
COMPARE_ROW(ge, "whether x is greater than y or equal", ORDERED, GE, a >= b)

/* ---- select_n: operands which, case 0, case 1. The predicate may be of rank 0 */

static bool select_n_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	if (in[0]->dtype != TSR_BOOL)
		return fail_type(b, e, "%s requires a predicate of dtype bool, got %s",
		                 eqn_name(b, e), tsr_dtype_name(in[0]->dtype));
	if (!check_same_dtypes(b, e, in, 1, 2)) return false;
	const type *shape = common_shape(b, e, in, 1u << 0);
	return shape && give_type(b, in[1]->dtype, shape->dims, shape->ndim, out) &&
	       weaken(b, in[1]->weak && in[2]->weak, out);
}

#define SELECT_LOOP(bytes) \
	case bytes: \
		for (int64_t i = 0; i < n; i++) \
			memcpy(y + i * (bytes), which[i * s0] ? b + i * sb : a + i * sa, bytes); \
		break;

static void select_n_eval(const eval_args *args)
{
	const int64_t n = args->out[0]->size, size = (int64_t)tsr_dtype_size(args->out[0]->dtype);
	const int64_t s0 = ELEMENT_STRIDE(args, 0), sa = ELEMENT_STRIDE(args, 1) * size;
	const int64_t sb = ELEMENT_STRIDE(args, 2) * size;
	const uint8_t *which = args->x[0];
	const char *a = args->x[1], *b = args->x[2];
	char *y = args->y[0];

	switch (size) {
		SELECT_LOOP(1)
		SELECT_LOOP(2)
		SELECT_LOOP(4)
		SELECT_LOOP(8)
		SELECT_LOOP(16)
	default: break;
	}
}

static void select_n_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	(void)e, (void)y;
	dy[0] = SELECT(x[0], dx[2], dx[1]);
}

static void select_n_transpose(build *b, const eqn *e, const type *const *in, const var *x,
                               const var *ct, var *dx)
{
	const var which = x[0], none = {0};

	(void)in;
	if (is_zero(which)) {
		not_linear(b, e, "it is not linear in the predicate");
		return;
	}
	if (is_zero(x[1])) dx[1] = SELECT(which, none, ct[0]);
	if (is_zero(x[2])) dx[2] = SELECT(which, ct[0], none);
}

static void select_n_lower(kernel *k, const eqn *e, const kvar *index, kvar *to)
{
	const kvar which = k_operand(k, e, 0, index), a = k_operand(k, e, 1, index);

	to[0] = KSEL(which, k_operand(k, e, 2, index), a);
}

const tsr_prim tsr__prim_select_n = {
	.flags = PRIM_ELEMENTWISE | PRIM_OWN_WEAK,
	ELEMENTWISE_RULES(select_n, "case 0 where the predicate is false, case 1 where it is "
	                            "true", 1, 3),
	LINEAR(select_n),
};

/* ---- clamp: operands low, x, high; bounds may be of rank 0. max(x, low), then min with high */

static bool clamp_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	if (!check_kind(b, e, in[1], ORDERED_KINDS) || !check_same_dtypes(b, e, in, 0, 3))
		return false;
	const type *shape = common_shape(b, e, in, 1u << 0 | 1u << 2);
	return shape && give_type(b, in[1]->dtype, shape->dims, shape->ndim, out);
}

static var clamp_expand(build *b, const eqn *e, const var *in)
{
	const var above = OF_2(max, emit_wide(b, in[1]), emit_wide(b, in[0]));

	(void)e;
	return emit_convert(b, OF_2(min, above, emit_wide(b, in[2])), build_type(b, in[1])->dtype);
}

/* as of max and min: where operands are equal, the mean of their tangents */
static void clamp_jvp(build *b, const eqn *e, const var *in, const var *dx, var *y, var *dy)
{
	const var low = emit_spread(b, in[0], y[0]), x = in[1];
	const var high = emit_spread(b, in[2], y[0]), above = OF_2(max, x, low);
	const var by_low = emit_chosen(b, emit_spread(b, dx[0], y[0]), low, above, x);
	const var by_x = emit_chosen(b, dx[1], x, above, low);
	const var by_high = emit_chosen(b, emit_spread(b, dx[2], y[0]), high, y[0], above);

	(void)e;
	dy[0] = ADD(emit_chosen(b, ADD(by_x, by_low), above, y[0], high), by_high);
}

const tsr_prim tsr__prim_clamp = {
	EXPANDED(clamp, "x, or the bound it is beyond", 3),
	SLOPE(clamp),
};
