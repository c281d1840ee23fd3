/* elementwise.h - declares loops over elements, words of formulas, and constructors of whole
 * elementwise rows. */
#ifndef TSR_SRC_PRIM_ELEMENTWISE_H
#define TSR_SRC_PRIM_ELEMENTWISE_H
#include "prim/checks.h"
#include "prim/elementwise/nodes.h"
#include "prim/numbers.h"
#include "prim/row.h"

/* ---- loops over the elements: cases of a switch over the operands' dtype. In the expression a, b,
 * c are the elements, computed in their wider type; `x` and `y` the operand and the result */
#define ELEMENT_STRIDE(args, operand) ((args)->in[operand]->ndim ? 1 : 0)
#define LOOP_1_TO(result_, dtype_, mem_, wide_, LOAD, STORE, ...) \
	case dtype_: { \
		const mem_ *x = args->x[0]; \
		result_ *y = args->y[0]; \
		for (int64_t i = 0; i < n; i++) { \
			const wide_ a = LOAD(x[i]); \
			y[i] = STORE(__VA_ARGS__); \
		} \
		break; \
	}
#define STEPS_2(wide_, LOAD, STORE, at_0, at_1, ...) \
	for (int64_t i = 0; i < n; i++) { \
		const wide_ a = LOAD(x[at_0]), b = LOAD(x1[at_1]); \
		y[i] = STORE(__VA_ARGS__); \
	}
/* a loop for each of what may be one number, so that compilers make vectors of the others */
#define LOOP_2_TO(result_, dtype_, mem_, wide_, LOAD, STORE, ...) \
	case dtype_: { \
		const mem_ *x = args->x[0], *x1 = args->x[1]; \
		result_ *y = args->y[0]; \
		if (!s0) STEPS_2(wide_, LOAD, STORE, 0, i * s1, __VA_ARGS__) \
		else if (!s1) STEPS_2(wide_, LOAD, STORE, i, 0, __VA_ARGS__) \
		else STEPS_2(wide_, LOAD, STORE, i, i, __VA_ARGS__) \
		break; \
	}
#define LOOP_1(dtype_, mem_, ...) LOOP_1_TO(mem_, dtype_, mem_, __VA_ARGS__)
#define LOOP_2(dtype_, mem_, ...) LOOP_2_TO(mem_, dtype_, mem_, __VA_ARGS__)
#define LOOP_3(dtype_, mem_, wide_, LOAD, STORE, ...) \
	case dtype_: { \
		const mem_ *x0 = args->x[0], *x1 = args->x[1], *x2 = args->x[2]; \
		mem_ *y = args->y[0]; \
		for (int64_t i = 0; i < n; i++) { \
			const wide_ a = LOAD(x0[i * s0]), b = LOAD(x1[i * s1]); \
			const wide_ c = LOAD(x2[i * s2]); \
			y[i] = STORE(__VA_ARGS__); \
		} \
		break; \
	}
#define EVAL_1(set, ...) \
	const int64_t n = args->out[0]->size; \
	switch (args->in[0]->dtype) { \
		set##_CASES(LOOP_1, __VA_ARGS__) default : break; \
	}
#define EVAL_2(set, LOOP, ...) \
	const int64_t n = args->out[0]->size; \
	const int64_t s0 = ELEMENT_STRIDE(args, 0), s1 = ELEMENT_STRIDE(args, 1); \
	switch (args->in[0]->dtype) { \
		set##_CASES(LOOP, __VA_ARGS__) default : break; \
	}

#define EVAL_3(set, ...) \
	const int64_t n = args->out[0]->size; \
	const int64_t s0 = ELEMENT_STRIDE(args, 0), s1 = ELEMENT_STRIDE(args, 1); \
	const int64_t s2 = ELEMENT_STRIDE(args, 2); \
	switch (args->in[0]->dtype) { \
		set##_CASES(LOOP_3, __VA_ARGS__) default : break; \
	}

/* ---- tangents, each as one formula. x, y: the operands; dx, dy: their tangents; ans: the result.
 * A product with an absent tangent is absent too. In the cotangents of rows of two operands, ct is
 * that of the result; x or y has a value if the equation is not to be transposed in it */
#define TANGENT_1(prim_, ...) \
	static void prim_##_jvp(build *b, const eqn *e, const var *in, const var *din, var *out, \
	                        var *dout) \
	{ \
		const var x = in[0], dx = din[0], ans = out[0]; \
		(void)b, (void)e, (void)x, (void)dx, (void)ans; \
		dout[0] = __VA_ARGS__; \
	}
#define TANGENT_2(prim_, ...) \
	static void prim_##_jvp(build *b, const eqn *e, const var *in, const var *din, var *out, \
	                        var *dout) \
	{ \
		const var x = in[0], y = in[1], dx = din[0], dy = din[1], ans = out[0]; \
		(void)b, (void)e, (void)x, (void)y, (void)dx, (void)dy, (void)ans; \
		dout[0] = __VA_ARGS__; \
	}
#define COTANGENT_2(prim_, ct_x_, ct_y_) \
	static void prim_##_transpose(build *b, const eqn *e, const type *const *in, const var *v, \
	                              const var *cts, var *dv) \
	{ \
		const var x = v[0], y = v[1], ct = cts[0]; \
		(void)b, (void)e, (void)in; \
		if (is_zero(x)) dv[0] = ct_x_; \
		if (is_zero(y)) dv[1] = ct_y_; \
	}
/* words of the formulas. FLAT: the slope is 0 wherever it exists. NUM: a number in the dtype of x.
 * OF_1, OF_2: the result of the row of that name */
#define FLAT ((var){0})
#define NUM(value) emit_like(b, x, value)
#define ADD(p, q) emit_add(b, p, q)
#define SUB(p, q) emit_sub(b, p, q)
#define MUL(p, q) emit_mul(b, p, q)
#define DIV(p, q) emit_div(b, p, q)
#define NEG(p) emit_neg(b, p)
#define OF_1(prim, p) emit_1(b, &tsr__prim_##prim, p)
#define OF_2(prim, p, q) emit_2(b, &tsr__prim_##prim, p, q)
#define POWER(p, n) emit(b, &tsr__prim_integer_pow, &(integer_pow_params){n}, (var[]){p}, 1)
#define SELECT(which, if_true, if_false) emit_select(b, which, if_true, if_false)
#define FMA(p, q, r) emit(b, &tsr__prim_fma, NULL, (var[]){p, q, r}, 3)
#define F64(value) emit_scalar(b, TSR_F64, value)
#define IS(how, p, q) OF_2(how, p, q)
#define BOTH(p, q) OF_2(and, p, q)
#define EITHER(p, q) OF_2(or, p, q)

static inline bool is_complex(build *b, var x)
{
	return !is_zero(x) && dtype_kind(build_type(b, x)->dtype) == KIND_COMPLEX;
}

/* f16 and bf16 as f32 */
static inline var emit_wide(build *b, var x)
{
	return is_zero(x) ? x : emit_convert(b, x, dtype_wide(build_type(b, x)->dtype));
}

/* ---- rows that are made of others: what they compute of one element as a formula in these words.
 * x, y: the operands, in f64 also where they are narrower; their result is rounded to f32, and f16
 * and bf16 from there */
#define EXPAND_F64_1(prim_, ...) \
	static var prim_##_expand(build *b, const eqn *e, const var *in) \
	{ \
		const var x = widened(b, in[0]); \
		(void)e; \
		return narrowed(b, __VA_ARGS__, in[0]); \
	}
#define EXPAND_F64_2(prim_, ...) \
	static var prim_##_expand(build *b, const eqn *e, const var *in) \
	{ \
		const var x = widened(b, in[0]), y = widened(b, in[1]); \
		(void)e; \
		return narrowed(b, __VA_ARGS__, in[0]); \
	}

static inline var emit_like(build *b, var x, double value)
{
	return is_zero(x) ? x : emit_scalar(b, build_type(b, x)->dtype, value);
}

static inline var widened(build *b, var x) { return emit_convert(b, emit_wide(b, x), TSR_F64); }

static inline var narrowed(build *b, var y, var like)
{
	const tsr_dtype dtype = build_type(b, like)->dtype;

	return emit_convert(b, emit_convert(b, y, dtype_wide(dtype)), dtype);
}

/* ---- one element of the result as nodes of a kernel. a, b: those of the operands, widened; the
 * words of the formula are in nodes.h */
#define LOWER_1(prim_, ...) \
	static void prim_##_lower(kernel *k, const eqn *e, const kvar *index, kvar *to) \
	{ \
		const kvar a = k_wide(k, k_operand(k, e, 0, index)); \
		to[0] = k_narrow(k, __VA_ARGS__, k_result_type(k, e)->dtype); \
	}
#define LOWER_2(prim_, ...) \
	static void prim_##_lower(kernel *k, const eqn *e, const kvar *index, kvar *to) \
	{ \
		const kvar a = k_wide(k, k_operand(k, e, 0, index)); \
		const kvar b = k_wide(k, k_operand(k, e, 1, index)); \
		to[0] = k_narrow(k, __VA_ARGS__, k_result_type(k, e)->dtype); \
	}

/* ---- the column `steps` of floats, which are widened to f32: functions of elementary/pairs.h */
#define IN_STEPS_1(prim_) \
	static var prim_##_in_steps(build *b, const eqn *e, const var *in) \
	{ \
		const var x = emit_wide(b, in[0]); \
		(void)e; \
		return emit_convert(b, prim_##_steps(b, x), build_type(b, in[0])->dtype); \
	}
#define IN_STEPS_2(prim_) \
	static var prim_##_in_steps(build *b, const eqn *e, const var *in) \
	{ \
		const tsr_dtype dtype = build_type(b, in[0])->dtype, wide = dtype_wide(dtype); \
		const var x = emit_convert(b, in[0], wide), y = emit_convert(b, in[1], wide); \
		(void)e; \
		return emit_convert(b, prim_##_steps(b, x, y), dtype); \
	}

/* ---- constructors of rows: the name and its sentence, the cost of an element, the dtypes, the
 * formula of the tangent, one element of the result as nodes, and the same in C */
#define ELEMENTWISE(prim_, doc_, cost_, nin_) \
	.flags = PRIM_ELEMENTWISE, ELEMENTWISE_RULES(prim_, doc_, cost_, nin_)
#define ELEMENTWISE_RULES(prim_, doc_, cost_, nin_) \
	.name = #prim_, .doc = doc_, .cost = cost_, .nin = nin_, .nout = 1, \
	.types = prim_##_types, .factors = factors_elementwise, .batch = batch_elementwise, \
	.eval = prim_##_eval, .lower = prim_##_lower
#define EXPANDED(prim_, doc_, nin_) \
	.flags = PRIM_ELEMENTWISE, .name = #prim_, .doc = doc_, .nin = nin_, .nout = 1, \
	.types = prim_##_types, .factors = factors_elementwise, \
	.batch = batch_elementwise, .expand = prim_##_expand
#define SLOPE(prim_) .jvp = prim_##_jvp, NOT_LINEAR
#define NO_SLOPE .jvp = jvp_zero, NOT_LINEAR
#define LINEAR(prim_) .jvp = prim_##_jvp, .transpose = prim_##_transpose
#define ELEMENTWISE_TYPES(prim_, set, result) \
	static bool prim_##_types(build *b, const eqn *e, const type *const *in, const type **out) \
	{ \
		return types_elementwise(b, e, in, out, set##_KINDS, result); \
	}
#define UNARY_RULES(prim_, set, tangent_, nodes_, ...) \
	ELEMENTWISE_TYPES(prim_, set, TSR_DTYPE_DEFAULT) \
	static void prim_##_eval(const eval_args *args){EVAL_1(set, __VA_ARGS__)} LOWER_1( \
		prim_, nodes_) TANGENT_1(prim_, tangent_)
#define UNARY_ROW(prim_, doc_, cost_, set, tangent_, nodes_, ...) \
	UNARY_RULES(prim_, set, tangent_, nodes_, __VA_ARGS__) \
	const tsr_prim tsr__prim_##prim_ = {ELEMENTWISE(prim_, doc_, cost_, 1), SLOPE(prim_)};
#define LINEAR_UNARY_ROW(prim_, doc_, cost_, set, tangent_, ct_, nodes_, ...) \
	UNARY_RULES(prim_, set, tangent_, nodes_, __VA_ARGS__) \
	TRANSPOSE_AS(prim_, ct_) \
	const tsr_prim tsr__prim_##prim_ = {ELEMENTWISE(prim_, doc_, cost_, 1), LINEAR(prim_)};
#define BINARY_RULES(prim_, set, tangent_, nodes_, ...) \
	ELEMENTWISE_TYPES(prim_, set, TSR_DTYPE_DEFAULT) \
	static void prim_##_eval(const eval_args *args){EVAL_2(set, LOOP_2, __VA_ARGS__)} LOWER_2( \
		prim_, nodes_) TANGENT_2(prim_, tangent_)
#define BINARY_ROW(prim_, doc_, cost_, set, tangent_, nodes_, ...) \
	BINARY_RULES(prim_, set, tangent_, nodes_, __VA_ARGS__) \
	const tsr_prim tsr__prim_##prim_ = {ELEMENTWISE(prim_, doc_, cost_, 2), SLOPE(prim_)};
#define LINEAR_BINARY_ROW(prim_, doc_, cost_, set, tangent_, ct_x_, ct_y_, nodes_, ...) \
	BINARY_RULES(prim_, set, tangent_, nodes_, __VA_ARGS__) \
	COTANGENT_2(prim_, ct_x_, ct_y_) \
	const tsr_prim tsr__prim_##prim_ = {ELEMENTWISE(prim_, doc_, cost_, 2), LINEAR(prim_)};

/* of a float, by nodes and C, and of a complex number, by prim_complex */
#define INEXACT_RULES(prim_, tangent_, nodes_, ...) \
	ELEMENTWISE_TYPES(prim_, INEXACT, TSR_DTYPE_DEFAULT) \
	static void prim_##_eval(const eval_args *args){EVAL_1(FLOAT, __VA_ARGS__)} \
	LOWER_1(prim_, nodes_) TANGENT_1(prim_, tangent_) \
	EXPAND_COMPLEX(prim_)
#define INEXACT_ROW(prim_, doc_, cost_, tangent_, nodes_, ...) \
	INEXACT_RULES(prim_, tangent_, nodes_, __VA_ARGS__) \
	IN_STEPS_1(prim_) \
	const tsr_prim tsr__prim_##prim_ = {ELEMENTWISE(prim_, doc_, cost_, 1), \
	                                    .expand = prim_##_expand, \
	                                    .steps = prim_##_in_steps, SLOPE(prim_)};
/* of a float alone */
#define FLOAT_ROW(prim_, doc_, cost_, tangent_, nodes_, ...) \
	UNARY_RULES(prim_, FLOAT, tangent_, nodes_, __VA_ARGS__) \
	IN_STEPS_1(prim_) \
	const tsr_prim tsr__prim_##prim_ = {ELEMENTWISE(prim_, doc_, cost_, 1), \
	                                    .steps = prim_##_in_steps, SLOPE(prim_)};
#define EXPAND_COMPLEX(prim_) \
	static var prim_##_expand(build *b, const eqn *e, const var *in) \
	{ \
		(void)e; \
		return by_c128(b, in[0], prim_##_complex); \
	}

/* of one number, computed by this formula of x, which f16 and bf16 are widened for */
#define EXPANDED_ROW(prim_, doc_, set, tangent_, ...) \
	ELEMENTWISE_TYPES(prim_, set, TSR_DTYPE_DEFAULT) \
	static var prim_##_expand(build *b, const eqn *e, const var *in) \
	{ \
		const var x = emit_wide(b, in[0]); \
		(void)e; \
		return emit_convert(b, __VA_ARGS__, build_type(b, in[0])->dtype); \
	} \
	TANGENT_1(prim_, tangent_) \
	const tsr_prim tsr__prim_##prim_ = {EXPANDED(prim_, doc_, 1), SLOPE(prim_)};

/* of one float, computed in f64 by this formula of x */
#define F64_ROW(prim_, doc_, tangent_, ...) \
	ELEMENTWISE_TYPES(prim_, FLOAT, TSR_DTYPE_DEFAULT) \
	EXPAND_F64_1(prim_, __VA_ARGS__) \
	TANGENT_1(prim_, tangent_) \
	const tsr_prim tsr__prim_##prim_ = {EXPANDED(prim_, doc_, 1), SLOPE(prim_)};

/* binary.c: what the tangent of x adds to that of the larger (smaller) one of x and y */
var emit_chosen(build *, var dx, var x, var ans, var y);

#endif
