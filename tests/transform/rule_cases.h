/* rule_cases.h - the cases of test_rules.c: equations of local rows, and jvp at kinks. */
#ifndef TSR_TESTS_RULE_CASES_H
#define TSR_TESTS_RULE_CASES_H
#include "base/base.h"
#include "support/windows.h"

/* An equation in program text, its operands, and its results, as "T[2,3]; i32[]". T is a dtype:
 * each that the row accepts has its turn; R is the dtype of its real part, W of the next wider one
 * (of integers and the widest the same), N is a number of dtype T, and S some dims: "", "3", "1,2",
 * "2,0" and "2,1,2" have their turns. */
typedef struct rule_case {
	const char *operands, *equation, *result;
	double points[2];    /* between these; none given: -2 and 2 */
	bool linear;         /* in all that can move together, but for a constant */
	bool flat_complex;   /* as in JAX, the derivative at complex numbers is 0 */
	unsigned kinds;      /* dtypes, by kind; none given: all that the row accepts */
	double bounds[3][2]; /* points of single operands, where they are others */
} rule_case;
#define POINTS(a, b) .points = {a, b}
#define LINEAR .linear = true
#define USUAL POINTS(-2, 2)
#define COMPLEX .kinds = 1u << KIND_COMPLEX
#define REAL .kinds = 1u << KIND_FLOAT
/* clang-format off */
/* ...: the result, and what else there is to say */
#define CASE(operands_, equation_, ...) \
	{.operands = operands_, .equation = equation_, .result = __VA_ARGS__}
#define UNARY(name, ...) CASE("T[S]", name " %0", "T[S]", __VA_ARGS__)
#define BINARY(name, ...) \
	CASE("T[S]; T[S]", name " %0 %1", "T[S]", __VA_ARGS__), \
	CASE("T[S]", name " %0 N", "T[S]", __VA_ARGS__), \
	CASE("T[S]", name " N %0", "T[S]", __VA_ARGS__), \
	CASE("T[S]", name " %0 %0", "T[S]", __VA_ARGS__)
#define COMPARE(name) \
	CASE("T[S]; T[S]", name " %0 %1", "bool[S]"), \
	CASE("T[S]", name " %0 N", "bool[S]"), \
	CASE("T[S]", name " N %0", "bool[S]")
#define CONVERT(from) CASE(from "[S]", "convert_element_type %0 dtype=T", "T[S]", LINEAR)
/* contracted dims and dims of the batch, of both operands */
#define DOT(a, b, ca, cb, ba, bb, result, dtype) \
	CASE("T[" a "]; T[" b "]", \
	 "dot_general %0 %1 contract_a=[" ca "] contract_b=[" cb "] batch_a=[" ba "] batch_b=[" bb \
	 "] dtype=" dtype, dtype "[" result "]")
#define REDUCE(name, ...) \
	CASE("T[]", name " %0 dims=[]", "T[]", __VA_ARGS__), \
	CASE("T[3]", name " %0 dims=[0]", "T[]", __VA_ARGS__), \
	CASE("T[3]", name " %0 dims=[]", "T[3]", __VA_ARGS__), \
	CASE("T[1]", name " %0 dims=[0]", "T[]", __VA_ARGS__), \
	CASE("T[2,3]", name " %0 dims=[0]", "T[3]", __VA_ARGS__), \
	CASE("T[2,3]", name " %0 dims=[1]", "T[2]", __VA_ARGS__), \
	CASE("T[2,3]", name " %0 dims=[0,1]", "T[]", __VA_ARGS__), \
	CASE("T[2,1,3]", name " %0 dims=[0,2]", "T[1]", __VA_ARGS__), \
	CASE("T[2,3,2]", name " %0 dims=[1]", "T[2,2]", __VA_ARGS__), \
	CASE("T[3,0]", name " %0 dims=[0]", "T[0]", __VA_ARGS__), \
	CASE("T[9,2]", name " %0 dims=[0]", "T[2]", __VA_ARGS__)
/* of nothing at all, where that has a value */
#define REDUCE_NOTHING(name, ...) \
	CASE("T[0]", name " %0 dims=[0]", "T[]", __VA_ARGS__), \
	CASE("T[2,0]", name " %0 dims=[1]", "T[2]", __VA_ARGS__)
/* ...: the results, and what else there is to say */
#define SORT(operands_, text, ...) CASE(operands_, "sort " text " is_stable=true", __VA_ARGS__)
#define TRIANGULAR(operands_, how, ...) \
	CASE(operands_, "triangular_solve %0 %1 " how, __VA_ARGS__, .bounds = {{0.5, 2}, {-2, 2}})
/* dims: as in support/windows.h, in parentheses */
#define GATHER(operands, dims, sizes, mode, result) \
	CASE(operands, "gather %0 %1" GATHER_DIMS dims " slice_sizes=[" sizes "] mode=" mode, \
	     result, LINEAR)
#define SCATTER(operands, dims, how, ...) \
	CASE(operands, "scatter %0 %1 %2" SCATTER_DIMS dims " " how, __VA_ARGS__)
/* each way to combine; windows that meet have no product with a derivative */
#define SCATTERS(operands, dims, mode, result) \
	SCATTER(operands, dims, "combine=set mode=" mode, result, LINEAR), \
	SCATTER(operands, dims, "combine=add mode=" mode, result, LINEAR), \
	SCATTER(operands, dims, "combine=min mode=" mode, result), \
	SCATTER(operands, dims, "combine=max mode=" mode, result)
#define SCATTERS_APART(operands, dims, mode, result) \
	SCATTER(operands, dims, "combine=set mode=" mode " unique_indices=true", result, LINEAR), \
	SCATTER(operands, dims, "combine=mul mode=" mode " unique_indices=true", result), \
	SCATTER(operands, dims, "combine=max mode=" mode " unique_indices=true", result)
#define AT_ROWS SCATTER_DIMS("", "0", "0", "", "")
/* clang-format on */

static const rule_case cases[] = {
	/* elementwise, one operand */
	UNARY("neg", LINEAR),
	UNARY("sign", .flat_complex = true),
	CASE("T[S]", "abs %0", "R[S]"),
	UNARY("floor", USUAL),
	UNARY("ceil", USUAL),
	UNARY("round", USUAL),
	UNARY("exp", USUAL),
	UNARY("exp2", USUAL),
	UNARY("expm1", USUAL),
	UNARY("log", POINTS(0, 3)),
	UNARY("log", COMPLEX),
	UNARY("log1p", POINTS(-1, 3)),
	UNARY("log1p", COMPLEX),
	UNARY("logistic", USUAL),
	UNARY("tanh", USUAL),
	UNARY("sin", USUAL),
	UNARY("cos", USUAL),
	UNARY("tan", POINTS(-1, 1)),
	UNARY("tan", COMPLEX),
	UNARY("asin", POINTS(-0.9, 0.9)),
	UNARY("asin", COMPLEX),
	UNARY("acos", POINTS(-0.9, 0.9)),
	UNARY("acos", COMPLEX),
	UNARY("atan", POINTS(-3, 3)),
	UNARY("atan", COMPLEX),
	UNARY("sinh", POINTS(-3, 3)),
	UNARY("sinh", COMPLEX),
	UNARY("cosh", POINTS(-3, 3)),
	UNARY("cosh", COMPLEX),
	UNARY("asinh", POINTS(-3, 3)),
	UNARY("asinh", COMPLEX),
	UNARY("acosh", POINTS(1.2, 4)),
	UNARY("acosh", COMPLEX),
	UNARY("atanh", POINTS(-0.9, 0.9)),
	UNARY("atanh", COMPLEX),
	UNARY("cbrt", POINTS(0.3, 3)),
	UNARY("erf", POINTS(-2, 2)),
	UNARY("erfc", POINTS(-2, 2)), UNARY("erf_inv", POINTS(-0.9, 0.9)),
	UNARY("gamma", POINTS(0.3, 4)),
	UNARY("lgamma", POINTS(0.3, 4)),
	UNARY("digamma", POINTS(0.5, 4)),
	CASE("T[S]", "polygamma 2:T %0", "T[S]", POINTS(0.7, 4)),
	CASE("T[S]; T[S]", "zeta %0 %1", "T[S]"),
	/* the derivative by the first one has none; tests/unit/test_functions.c tries it */
	CASE("T[S]", "igamma 2:T %0", "T[S]", POINTS(0.5, 3)),
	CASE("T[S]", "igammac 2:T %0", "T[S]", POINTS(0.5, 3)),
	CASE("T[S]; T[S]", "igamma_grad_a %0 %1", "T[S]", POINTS(0.5, 3)),
	CASE("T[S]; T[S]", "random_gamma_grad %0 %1", "T[S]", POINTS(0.5, 3)),
	UNARY("bessel_i0e", POINTS(0.5, 9)),
	UNARY("bessel_i1e", POINTS(-9, -0.5)),
	CASE("T[S]", "regularized_incomplete_beta 2:T 3:T %0", "T[S]", POINTS(0.1, 0.9)),
	UNARY("sqrt", POINTS(0, 3)),
	UNARY("sqrt", COMPLEX),
	UNARY("rsqrt", POINTS(0, 3)),
	UNARY("rsqrt", COMPLEX),
	UNARY("square", USUAL),
	CASE("T[S]", "integer_pow %0 y=0", "T[S]"),
	CASE("T[S]", "integer_pow %0 y=1", "T[S]"),
	CASE("T[S]", "integer_pow %0 y=2", "T[S]"),
	CASE("T[S]", "integer_pow %0 y=3", "T[S]"),
	CASE("T[S]", "integer_pow %0 y=-1", "T[S]"),
	CASE("T[S]", "integer_pow %0 y=5", "T[S]"),
	CASE("T[S]", "integer_pow %0 y=-2", "T[S]"),
	CASE("T[S]", "integer_pow %0 y=-3", "T[S]", POINTS(0.4, 2)),
	CASE("T[S]", "is_finite %0", "bool[S]"),
	UNARY("not", USUAL),
	UNARY("population_count"),
	UNARY("clz"),
	CASE("T[S]", "real %0", "R[S]", LINEAR, COMPLEX),
	CASE("T[S]", "imag %0", "R[S]", LINEAR, COMPLEX),
	UNARY("conj", LINEAR),
	/* elementwise, several operands */
	BINARY("add", LINEAR),
	BINARY("sub", LINEAR),
	BINARY("mul", USUAL),
	CASE("T[S]; T[S]", "div %0 %1", "T[S]"),
	BINARY("div", POINTS(1, 3)),
	/* between the whole numbers that x / y can be; N is 0.75 */
	CASE("T[S]; T[S]", "rem %0 %1", "T[S]", .bounds = {{5, 6}, {2, 3}}),
	CASE("T[S]; T[S]", "rem %0 %1", "T[S]", .bounds = {{5, 6}, {-3, -2}}),
	CASE("T[S]; T[S]", "rem %0 %1", "T[S]", .bounds = {{-6, -5}, {3, 4}}),
	CASE("T[S]", "rem %0 N", "T[S]", POINTS(0, 2)),
	CASE("T[S]", "rem %0 N", "T[S]", POINTS(-2, -1)),
	CASE("T[S]", "rem N %0", "T[S]", POINTS(0.6, 0.7)),
	CASE("T[S]", "rem %0 %0", "T[S]"),
	BINARY("max", USUAL),
	BINARY("min", USUAL),
	BINARY("pow", POINTS(0, 3)),
	BINARY("atan2", POINTS(0.4, 3)),
	CASE("T[S]; T[S]", "nextafter %0 %1", "T[S]"),
	CASE("f32[S]; f32[S]", "complex %0 %1", "c64[S]", LINEAR),
	CASE("f64[S]", "complex %0 %0", "c128[S]", LINEAR),
	CASE("f64[S]", "complex 2:f64 %0", "c128[S]"),
	CASE("T[S]; T[S]; T[S]", "fma %0 %1 %2", "T[S]"),
	CASE("T[S]; T[S]", "fma %0 N %1", "T[S]"),
	CASE("T[S]", "fma N %0 %0", "T[S]"),
	BINARY("pow", COMPLEX),
	CASE("T[S]; i32[S]", "pow %0 %1", "T[S]", POINTS(0.5, 2)),
	CASE("T[S]; i8[S]", "pow %0 %1", "T[S]", POINTS(-2, -0.5)),
	CASE("T[S]", "pow %0 3:i16", "T[S]"),
	CASE("i32[S]", "pow N %0", "T[S]", .kinds = 1u << KIND_FLOAT),
	BINARY("and", USUAL),
	BINARY("or", USUAL),
	BINARY("xor", USUAL),
	BINARY("shift_left", USUAL),
	BINARY("shift_right_logical", USUAL),
	BINARY("shift_right_arithmetic", USUAL),
	COMPARE("eq"),
	COMPARE("ne"),
	COMPARE("lt"),
	COMPARE("le"),
	COMPARE("gt"),
	COMPARE("ge"),
	CASE("bool[S]; T[S]; T[S]", "select_n %0 %1 %2", "T[S]", LINEAR),
	CASE("bool[]; T[S]; T[S]", "select_n %0 %1 %2", "T[S]", LINEAR),
	CASE("bool[S]; T[S]", "select_n %0 %1 N", "T[S]", LINEAR),
	CASE("bool[S]; T[S]", "select_n %0 N %1", "T[S]", LINEAR),
	CASE("bool[]; T[S]", "select_n %0 N %1", "T[S]", LINEAR),
	CASE("bool[S]; T[S]", "select_n %0 %1 %1", "T[S]", LINEAR),
	CASE("bool[S]", "select_n %0 N N", "T[S]"),
	CASE("T[S]; T[S]", "select_n true:bool %0 %1", "T[S]", LINEAR),
	CASE("T[S]; T[S]; T[S]", "clamp %0 %1 %2", "T[S]", .bounds = {{-2, -1}, {-2, 2}, {1, 2}}),
	CASE("T[]; T[S]; T[]", "clamp %0 %1 %2", "T[S]", .bounds = {{-1, 0}, {-2, 2}, {0, 1}}),
	CASE("T[S]; T[]", "clamp N %0 %1", "T[S]", .bounds = {{-2, 2}, {1, 2}}),
	CASE("T[S]; T[S]", "clamp %0 %1 N", "T[S]", .bounds = {{-2, 0}, {-2, 2}}),
	CASE("i32[S]; i32[S]; i32[S]", "clamp %0 %1 %2", "i32[S]"),
	CASE("i32[]; i32[S]; i32[]", "clamp %0 %1 %2", "i32[S]"),
	/* conversion and copies */
	CONVERT("bool"),
	CONVERT("i8"),
	CONVERT("i32"),
	CONVERT("u64"),
	CONVERT("f16"),
	CONVERT("bf16"),
	CONVERT("f32"),
	CONVERT("f64"),
	CONVERT("c64"),
	CONVERT("c128"),
	CASE("f32[S]", "bitcast_convert_type %0 dtype=u32", "u32[S]"),
	CASE("f32[3]", "bitcast_convert_type %0 dtype=u8", "u8[3,4]"),
	CASE("u16[2,3,4]", "bitcast_convert_type %0 dtype=u64", "u64[2,3]"),
	/* with all bits: to lose some is no derivative of rounding */
	CASE("T[S]", "reduce_precision %0 exponent_bits=11 mantissa_bits=52", "T[S]", LINEAR),
	UNARY("copy", LINEAR),
	UNARY("stop_gradient", .kinds = 1u << KIND_BOOL | 1u << KIND_INT | 1u << KIND_UINT),
	CASE("T[S]", "name %0 name=\"q\"", "T[S]", LINEAR),
	CASE("T[S]", "optimization_barrier %0", "T[S]", LINEAR),
	CASE("T[2,3]; T[4]", "optimization_barrier %0 %1", "T[2,3]; T[4]", LINEAR),
	/* layout */
	CASE("T[2,3]", "reshape %0 dims=[3,2]", "T[3,2]", LINEAR),
	CASE("T[2,3]", "reshape %0 dims=[6]", "T[6]", LINEAR),
	CASE("T[6]", "reshape %0 dims=[2,1,3]", "T[2,1,3]", LINEAR),
	CASE("T[1]", "reshape %0 dims=[]", "T[]", LINEAR),
	CASE("T[]", "reshape %0 dims=[1,1]", "T[1,1]", LINEAR),
	CASE("T[0,3]", "reshape %0 dims=[5,0]", "T[5,0]", LINEAR),
	CASE("T[2,3]", "transpose %0 perm=[1,0]", "T[3,2]", LINEAR),
	CASE("T[2,1,3]", "transpose %0 perm=[2,0,1]", "T[3,2,1]", LINEAR),
	CASE("T[2,3,4]", "transpose %0 perm=[1,2,0]", "T[3,4,2]", LINEAR),
	CASE("T[]", "transpose %0 perm=[]", "T[]", LINEAR),
	CASE("T[0,2]", "transpose %0 perm=[1,0]", "T[2,0]", LINEAR),
	CASE("T[]", "broadcast_in_dim %0 dims=[2,2] at=[]", "T[2,2]", LINEAR),
	CASE("T[]", "broadcast_in_dim %0 dims=[] at=[]", "T[]", LINEAR),
	CASE("T[2]", "broadcast_in_dim %0 dims=[2,3] at=[0]", "T[2,3]", LINEAR),
	CASE("T[2]", "broadcast_in_dim %0 dims=[3,2] at=[1]", "T[3,2]", LINEAR),
	CASE("T[1,2]", "broadcast_in_dim %0 dims=[2,2] at=[0,1]", "T[2,2]", LINEAR),
	CASE("T[1,2]", "broadcast_in_dim %0 dims=[1,3,2] at=[0,2]", "T[1,3,2]", LINEAR),
	CASE("T[2,1]", "broadcast_in_dim %0 dims=[2,4,3] at=[0,2]", "T[2,4,3]", LINEAR),
	CASE("T[2]", "broadcast_in_dim %0 dims=[2,0] at=[0]", "T[2,0]", LINEAR),
	CASE("T[1]", "broadcast_in_dim %0 dims=[0] at=[0]", "T[0]", LINEAR),
	CASE("T[1,2,1]", "squeeze %0 dims=[0,2]", "T[2]", LINEAR),
	CASE("T[1,2,1]", "squeeze %0 dims=[2]", "T[1,2]", LINEAR),
	CASE("T[1]", "squeeze %0 dims=[0]", "T[]", LINEAR),
	CASE("T[2]", "squeeze %0 dims=[]", "T[2]", LINEAR),
	CASE("T[2]", "expand_dims %0 dims=[0,2]", "T[1,2,1]", LINEAR),
	CASE("T[]", "expand_dims %0 dims=[0]", "T[1]", LINEAR),
	CASE("T[2,3]", "expand_dims %0 dims=[1]", "T[2,1,3]", LINEAR),
	CASE("T[2,3]", "rev %0 dims=[1]", "T[2,3]", LINEAR),
	CASE("T[2,3]", "rev %0 dims=[0,1]", "T[2,3]", LINEAR),
	CASE("T[2,3,2]", "rev %0 dims=[1]", "T[2,3,2]", LINEAR),
	CASE("T[0,3]", "rev %0 dims=[0]", "T[0,3]", LINEAR),
	CASE("T[]", "rev %0 dims=[]", "T[]", LINEAR),
	CASE("", "iota dtype=T dims=[2,3] dim=1", "T[2,3]"),
	/* parts */
	CASE("T[2]; T[1]; T[3]", "concatenate %0 %1 %2 dim=0", "T[6]", LINEAR),
	CASE("T[2,1]; T[2,2]", "concatenate %0 %1 dim=1", "T[2,3]", LINEAR),
	CASE("T[2]; T[3]", "concatenate %0 %1 %0 dim=0", "T[7]", LINEAR),
	CASE("T[1,2,1]; T[1,0,1]; T[1,3,1]", "concatenate %0 %1 %2 dim=1", "T[1,5,1]", LINEAR),
	CASE("T[2,2]", "concatenate %0 dim=0", "T[2,2]", LINEAR),
	CASE("T[2]; T[]", "pad %0 %1 low=[1] high=[2] interior=[1]", "T[6]", LINEAR),
	CASE("T[4]; T[]", "pad %0 %1 low=[-1] high=[-1] interior=[0]", "T[2]", LINEAR),
	CASE("T[3]; T[]", "pad %0 %1 low=[-1] high=[0] interior=[1]", "T[4]", LINEAR),
	CASE("T[3]; T[]", "pad %0 %1 low=[-3] high=[2] interior=[2]", "T[6]", LINEAR),
	CASE("T[3]; T[]", "pad %0 %1 low=[1] high=[-2] interior=[1]", "T[4]", LINEAR),
	CASE("T[2]; T[]", "pad %0 %1 low=[4] high=[-5] interior=[1]", "T[2]", LINEAR),
	CASE("T[3]; T[]", "pad %0 %1 low=[-9] high=[9] interior=[0]", "T[3]", LINEAR),
	CASE("T[2,2]; T[]", "pad %0 %1 low=[0,1] high=[0,0] interior=[0,0]", "T[2,3]", LINEAR),
	CASE("T[2,3]; T[]", "pad %0 %1 low=[-1,1] high=[2,-1] interior=[1,2]", "T[4,7]", LINEAR),
	CASE("T[2,1,2]; T[]", "pad %0 %1 low=[0,1,0] high=[1,0,0] interior=[0,0,1]", "T[3,2,3]",
             LINEAR),
	CASE("T[0]; T[]", "pad %0 %1 low=[1] high=[1] interior=[5]", "T[2]", LINEAR),
	CASE("T[2]; T[]", "pad %0 %1 low=[-1] high=[-1] interior=[0]", "T[0]", LINEAR),
	CASE("T[]; T[]", "pad %0 %1 low=[] high=[] interior=[]", "T[]", LINEAR),
	CASE("T[3]", "pad %0 N low=[-1] high=[2] interior=[1]", "T[6]", LINEAR),
	CASE("T[6]", "slice %0 start=[1] stop=[6] step=[2]", "T[3]", LINEAR),
	CASE("T[6]", "slice %0 start=[0] stop=[5] step=[3]", "T[2]", LINEAR),
	CASE("T[6]", "slice %0 start=[2] stop=[4] step=[1]", "T[2]", LINEAR),
	CASE("T[2,3]", "slice %0 start=[0,1] stop=[2,2] step=[1,9]", "T[2,1]", LINEAR),
	CASE("T[3,2,5]", "slice %0 start=[0,1,1] stop=[3,2,5] step=[2,1,3]", "T[2,1,2]", LINEAR),
	CASE("T[3]", "slice %0 start=[3] stop=[3] step=[1]", "T[0]", LINEAR),
	CASE("T[4]", "slice %0 start=[1] stop=[2] step=[9223372036854775807]", "T[1]", LINEAR),
	CASE("T[0,2]", "slice %0 start=[0,0] stop=[0,1] step=[1,1]", "T[0,1]", LINEAR),
	CASE("T[]", "slice %0 start=[] stop=[] step=[]", "T[]", LINEAR),
	CASE("T[4]; i32[]", "dynamic_slice %0 %1 dims=[2]", "T[2]", LINEAR),
	CASE("T[3,4]; i32[]; i32[]", "dynamic_slice %0 %1 %2 dims=[2,2]", "T[2,2]", LINEAR),
	CASE("T[3,4]; i64[]", "dynamic_slice %0 %1 2:i64 dims=[1,2]", "T[1,2]", LINEAR),
	CASE("T[3,4]; u8[]; u8[]", "dynamic_slice %0 %1 %2 dims=[3,1]", "T[3,1]", LINEAR),
	CASE("T[3]", "dynamic_slice %0 1:i32 dims=[2]", "T[2]", LINEAR),
	CASE("T[2,0]; i32[]; i32[]", "dynamic_slice %0 %1 %2 dims=[1,0]", "T[1,0]", LINEAR),
	CASE("T[3]; i32[]", "dynamic_slice %0 %1 dims=[0]", "T[0]", LINEAR),
	CASE("T[]", "dynamic_slice %0 dims=[]", "T[]", LINEAR),
	CASE("T[4]; T[2]; i32[]", "dynamic_update_slice %0 %1 %2", "T[4]", LINEAR),
	CASE("T[2,3]; T[1,2]; i32[]; i32[]", "dynamic_update_slice %0 %1 %2 %3", "T[2,3]", LINEAR),
	CASE("T[2,3]; T[2,1]; i64[]", "dynamic_update_slice %0 %1 0:i64 %2", "T[2,3]", LINEAR),
	CASE("T[3]; T[1]", "dynamic_update_slice %0 %1 1:i32", "T[3]", LINEAR),
	CASE("T[2]; T[0]; i32[]", "dynamic_update_slice %0 %1 %2", "T[2]", LINEAR),
	CASE("T[]; T[]", "dynamic_update_slice %0 %1", "T[]", LINEAR),
	GATHER("T[5]; i32[3,1]", ("", "0", "0", "", ""), "1", "clip", "T[3]"),
	GATHER("T[5]; i32[3,1]", ("", "0", "0", "", ""), "1", "zero", "T[3]"),
	GATHER("T[5]; i32[3,1]", ("", "0", "0", "", ""), "1", "promise_in_bounds", "T[3]"),
	GATHER("T[4,2]; i64[3,1]", ("1", "0", "0", "", ""), "1,2", "zero", "T[3,2]"),
	GATHER("T[4,2]; u8[3,1]", ("0", "0", "0", "", ""), "1,2", "clip", "T[2,3]"),
	GATHER("T[4,3]; i32[2,2,2]", ("1", "0", "1,0", "", ""), "1,2", "zero", "T[2,2,2]"),
	GATHER("T[4,3]; i16[2,2]", ("0,2", "", "0,1", "", ""), "2,2", "clip", "T[2,2,2]"),
	GATHER("T[2,4]; i32[2,3,1]", ("", "1", "1", "0", "0"), "1,1", "zero", "T[2,3]"),
	GATHER("T[3,2,4]; i32[2,3,1]", ("1", "", "2", "0,1", "1,0"), "1,1,2", "clip", "T[2,2,3]"),
	GATHER("T[3]; i32[2,0]", ("1", "", "", "", ""), "2", "clip", "T[2,2]"),
	GATHER("T[3]; i32[0,1]", ("1", "", "0", "", ""), "2", "zero", "T[0,2]"),
	GATHER("T[0]; i32[0,1]", ("", "0", "0", "", ""), "1", "clip", "T[0]"),
	GATHER("T[]; i32[0]", ("", "", "", "", ""), "", "clip", "T[]"),
	GATHER("T[3]; i32[1]", ("0", "", "0", "", ""), "2", "clip", "T[2]"),
	CASE("T[5]; i32[3,1]",
             "gather %0 %1" GATHER_DIMS("", "0", "0", "", "") " slice_sizes=[1] mode=fill", "T[3]",
             .kinds = 1u << KIND_BOOL | 1u << KIND_INT | 1u << KIND_UINT),
	CASE("T[5]; i32[1]",
             "gather %0 %1" GATHER_DIMS("0", "", "0", "", "") " slice_sizes=[2] mode=clip"
             " indices_are_sorted=true unique_indices=true", "T[2]", LINEAR),
	SCATTERS("T[5]; i32[3,1]; T[3]", ("", "0", "0", "", ""), "clip", "T[5]"),
	SCATTERS("T[5]; i32[7,1]; T[7]", ("", "0", "0", "", ""), "drop", "T[5]"),
	SCATTERS("T[4,2]; i64[3,1]; T[2,3]", ("0", "0", "0", "", ""), "clip", "T[4,2]"),
	SCATTERS("T[4,3]; u16[2,2]; T[2,2,2]", ("0,2", "", "0,1", "", ""), "drop", "T[4,3]"),
	SCATTERS("T[4,3]; i32[2,2,2]; T[2,2,2]", ("1", "0", "1,0", "", ""), "drop", "T[4,3]"),
	SCATTERS("T[2,4]; i32[2,3,1]; T[2,3]", ("", "1", "1", "0", "0"), "clip", "T[2,4]"),
	SCATTERS("T[0]; i32[2,1]; T[2]", ("", "0", "0", "", ""), "clip", "T[0]"),
	SCATTERS("T[3]; i32[0,1]; T[0]", ("", "0", "0", "", ""), "clip", "T[3]"),
	SCATTERS("T[]; i32[2,0]; T[2]", ("", "", "", "", ""), "drop", "T[]"),
	SCATTERS_APART("T[4]; i32[1]; T[2]", ("0", "", "0", "", ""), "clip", "T[4]"),
	SCATTERS_APART("T[4]; i32[1,1]; T[1]", ("", "0", "0", "", ""), "drop", "T[4]"),
	SCATTERS_APART("T[3,4]; i32[3,1]; T[3,2]", ("1", "", "1", "0", "0"), "clip", "T[3,4]"),
	/* reductions */
	REDUCE("reduce_sum", LINEAR),
	REDUCE_NOTHING("reduce_sum", LINEAR),
	REDUCE("reduce_prod", POINTS(-1, 1)),
	REDUCE_NOTHING("reduce_prod", POINTS(-1, 1)),
	REDUCE("reduce_max", USUAL),
	REDUCE("reduce_min", USUAL),
	REDUCE("reduce_and", USUAL),
	REDUCE_NOTHING("reduce_and", USUAL),
	REDUCE("reduce_or", USUAL),
	REDUCE("reduce_xor", USUAL),
	CASE("T[3]", "argmax %0 dim=0 dtype=i32", "i32[]"),
	CASE("T[2,3]", "argmax %0 dim=1 dtype=i32", "i32[2]"),
	CASE("T[2,3]", "argmax %0 dim=0 dtype=u8", "u8[3]"),
	CASE("T[3]", "argmin %0 dim=0 dtype=i32", "i32[]"),
	CASE("T[2,3,2]", "argmin %0 dim=1 dtype=i64", "i64[2,2]"),
	CASE("T[7]", "patches %0 along=[0] sizes=[3] strides=[2] dilations=[1]", "T[3,3]", LINEAR),
	CASE("T[2,7,5]", "patches %0 along=[1,2] sizes=[2,3] strides=[3,1] dilations=[2,1]",
	     "T[2,2,3,2,3]", LINEAR),
	CASE("T[2,3]", "patches %0 along=[1] sizes=[4] strides=[1] dilations=[1]", "T[2,0,4]",
	     LINEAR),
	CASE("T[4]", "patches %0 along=[] sizes=[] strides=[] dilations=[]", "T[4]", LINEAR),
	CASE("T[3,3]", "add_patches %0 along=[0] sizes=[3] strides=[2] dilations=[1] dims=[8]",
	     "T[8]", LINEAR),
	CASE("T[2,2,3,2,3]",
	     "add_patches %0 along=[1,2] sizes=[2,3] strides=[3,1] dilations=[2,1] dims=[2,7,5]",
	     "T[2,7,5]", LINEAR),
	CASE("T[2,0,4]", "add_patches %0 along=[1] sizes=[4] strides=[1] dilations=[1] dims=[2,3]",
	     "T[2,3]", LINEAR),
	/* along a dim */
	SORT("T[7]", "%0 dim=0 num_keys=1", "T[7]"),
	SORT("T[2,5]", "%0 dim=1 num_keys=1", "T[2,5]"),
	SORT("T[3,2,2]; T[3,2,2]; T[3,2,2]", "%0 %1 %2 dim=0 num_keys=2",
	     "T[3,2,2]; T[3,2,2]; T[3,2,2]"),
	SORT("T[4]; i32[4]", "%1 %0 %0 dim=0 num_keys=1", "i32[4]; T[4]; T[4]", LINEAR),
	SORT("i8[2,3]; T[2,3]; f64[2,3]", "%0 %1 %2 dim=1 num_keys=1",
	     "i8[2,3]; T[2,3]; f64[2,3]", LINEAR),
	SORT("T[3]; T[3]", "%0 %1 dim=0 num_keys=1", "T[3]; T[3]"),
	SORT("T[2,0]; u8[2,0]", "%0 %1 dim=1 num_keys=2", "T[2,0]; u8[2,0]"),
	SORT("T[1]", "%0 dim=0 num_keys=1", "T[1]"),
	CASE("T[3]", "sort %0 dim=0 num_keys=1", "T[3]"),
	CASE("T[5]", "top_k %0 k=3 dim=0", "T[3]; i32[3]"),
	CASE("T[2,5]", "top_k %0 k=2 dim=1", "T[2,2]; i32[2,2]"),
	CASE("T[3,2,2]", "top_k %0 k=3 dim=0", "T[3,2,2]; i32[3,2,2]"),
	CASE("T[2,0]", "top_k %0 k=0 dim=1", "T[2,0]; i32[2,0]"),
	CASE("T[1]", "top_k %0 k=1 dim=0", "T[1]; i32[1]"),
	CASE("T[5]", "cumsum %0 dim=0", "T[5]", LINEAR),
	CASE("T[5]", "cumsum %0 dim=0 reverse=true", "T[5]", LINEAR),
	CASE("T[2,3]", "cumsum %0 dim=1", "T[2,3]", LINEAR),
	CASE("T[2,3,2]", "cumsum %0 dim=1 reverse=true", "T[2,3,2]", LINEAR),
	CASE("T[3,1]", "cumsum %0 dim=0", "T[3,1]", LINEAR),
	CASE("T[1]", "cumsum %0 dim=0", "T[1]", LINEAR),
	CASE("T[2,0]", "cumsum %0 dim=1", "T[2,0]", LINEAR),
	CASE("T[5]", "cumprod %0 dim=0", "T[5]", POINTS(-1, 1)),
	CASE("T[2,4]", "cumprod %0 dim=1 reverse=true", "T[2,4]", POINTS(-1, 1)),
	CASE("T[1]", "cumprod %0 dim=0", "T[1]", USUAL),
	CASE("T[0,2]", "cumprod %0 dim=0", "T[0,2]", USUAL),
	CASE("T[7]", "cummax %0 dim=0", "T[7]", USUAL),
	CASE("T[2,3,2]", "cummax %0 dim=1 reverse=true", "T[2,3,2]", USUAL),
	CASE("T[2]", "cummin %0 dim=0", "T[2]", USUAL),
	CASE("T[3,6]", "cummin %0 dim=1 reverse=true", "T[3,6]", USUAL),
	CASE("T[5]", "cumlogsumexp %0 dim=0", "T[5]", USUAL),
	CASE("T[3,2]", "cumlogsumexp %0 dim=0 reverse=true", "T[3,2]", USUAL),
	/* where a value is */
	CASE("T[2,3]", "sharding_constraint %0 mesh=(x:2,y:2) to=[[]] open=[]", "T[2,3]", LINEAR),
	CASE("T[2,3]", "sharding_constraint %0 mesh=(x:2,y:2) to=[[]] open=[1]", "T[2,3]", LINEAR),
	CASE("T[]", "sharding_constraint %0 mesh=(x:2,y:2) to=[[]] open=[]", "T[]", LINEAR),
	/* random numbers */
	/* linear algebra; what must be well-conditioned or Hermitian is in unit/test_linalg.c */
	CASE("T[1,1]", "cholesky %0", "T[1,1]", POINTS(0.5, 2), REAL),
	CASE("T[2,1,1]", "cholesky %0", "T[2,1,1]", POINTS(0.5, 2), REAL),
	CASE("T[0,0]", "cholesky %0", "T[0,0]"),
	CASE("T[2,2]", "lu %0", "T[2,2]; i32[2]; i32[2]", USUAL),
	CASE("T[2,3,2]", "lu %0", "T[2,3,2]; i32[2,2]; i32[2,3]", USUAL),
	CASE("T[2,3]", "lu %0", "T[2,3]; i32[2]; i32[2]", USUAL),
	CASE("T[0,2]", "lu %0", "T[0,2]; i32[0]; i32[0]"),
	CASE("T[3,1]", "qr %0", "T[3,1]; T[1,1]", REAL),
	CASE("T[2,2,1]", "qr %0", "T[2,2,1]; T[2,1,1]", REAL),
	CASE("T[1,3]", "qr %0 full_matrices=true", "T[1,1]; T[1,3]", REAL),
	CASE("T[3,1]", "qr %0 full_matrices=true", "T[3,3]; T[3,1]", REAL),
	CASE("T[1,1]", "eigh %0 lower=true", "T[1,1]; T[1]", REAL),
	CASE("T[2,1,1]", "eigh %0", "T[2,1,1]; T[2,1]", REAL),
	/* positive matrices, whose eigenvalues are apart */
	CASE("f64[2,2]", "eig %0", "c128[2]", POINTS(0.5, 2)),
	CASE("f64[2,2,2]", "eig %0 right=true", "c128[2,2]; c128[2,2,2]", POINTS(0.5, 2)),
	CASE("f64[2,2]", "eig %0 left=true", "c128[2]; c128[2,2]", POINTS(0.5, 2)),
	CASE("f64[2,2]", "eig %0 left=true right=true", "c128[2]; c128[2,2]; c128[2,2]",
	     POINTS(0.5, 2)),
	CASE("c128[1,1]", "eig %0", "c128[1]"),
	CASE("f64[0,0]", "eig %0", "c128[0]"),
	CASE("T[2,3,3]", "hessenberg %0", "T[2,3,3]; T[2,2]"),
	CASE("T[0,0]", "hessenberg %0", "T[0,0]; T[0]"),
	CASE("T[2,3,3]", "tridiagonal %0 lower=true", "T[2,3,3]; R[2,3]; R[2,2]; T[2,2]"),
	CASE("T[1,1]", "tridiagonal %0", "T[1,1]; R[1]; R[0]; T[0]"),
	CASE("T[2,3,3]", "schur %0", "T[2,3,3]; T[2,3,3]"),
	CASE("T[2,2]", "svd %0", "T[2]", REAL),
	CASE("T[2,2]", "svd %0 full_matrices=true compute_uv=true", "T[2]; T[2,2]; T[2,2]", REAL),
	/* one column each of a batch: where two singular values are near, f32 has few digits */
	CASE("T[2,3,1]", "svd %0 compute_uv=true", "T[2,1]; T[2,3,1]; T[2,1,1]", REAL),
	CASE("T[2,3]", "svd %0 compute_uv=true", "T[2]; T[2,2]; T[2,3]", REAL),
	CASE("T[3]", "fft %0 type=fft dim=0 length=3", "T[3]", LINEAR, COMPLEX),
	CASE("T[2,4]", "fft %0 type=ifft dim=1 length=4", "T[2,4]", LINEAR, COMPLEX),
	CASE("f64[3,2]", "fft %0 type=rfft dim=0 length=3", "c128[2,2]", LINEAR),
	CASE("f64[4]", "fft %0 type=rfft dim=0 length=4", "c128[3]", LINEAR),
	CASE("f32[2]", "fft %0 type=rfft dim=0 length=2", "c64[2]", LINEAR),
	CASE("c128[2,3]", "fft %0 type=irfft dim=1 length=4", "f64[2,4]", LINEAR),
	CASE("c64[3]", "fft %0 type=irfft dim=0 length=5", "f32[5]", LINEAR),
	TRIANGULAR("T[2,2]; T[2,3]", "left_side=true lower=true", "T[2,3]"),
	TRIANGULAR("T[2,2]; T[2,3]", "left_side=true", "T[2,3]"),
	TRIANGULAR("T[2,2]; T[2,3]", "left_side=true lower=true transpose_a=true", "T[2,3]"),
	TRIANGULAR("T[2,2]; T[3,2]", "lower=true", "T[3,2]"),
	TRIANGULAR("T[2,2]; T[3,2]", "transpose_a=true conjugate_a=true", "T[3,2]"),
	TRIANGULAR("T[3,3]; T[3,1]", "left_side=true lower=true unit_diagonal=true", "T[3,1]"),
	TRIANGULAR("T[2,2,2]; T[2,1,2]", "lower=true conjugate_a=true", "T[2,1,2]"),
	TRIANGULAR("T[3,0,0]; T[3,0,2]", "left_side=true", "T[3,0,2]"),
	CASE("u32[S]; u32[S]; u32[S]; u32[S]", "threefry2x32 %0 %1 %2 %3", "u32[S]; u32[S]"),
	CASE("u32[S]; u32[S]", "threefry2x32 1:u32 %0 2:u32 %1", "u32[S]; u32[S]"),
	/* the derivative by the parameter has none; test_random.c tries it */
	CASE("u64[S]", "random_gamma %0 1.5:T", "T[S]"),
	CASE("u64[S]", "random_gamma %0 0.5:T log=true original=true", "T[S]"),
	CASE("u32[2]; u64[]", "random_bits %0 %1 dtype=u32 dims=[2,3] strides=[3,1]", "u32[2,3]"),
	CASE("u32[3,2]; u64[]", "random_bits %0 %1 dtype=u8 dims=[3,4] strides=[2]", "u8[3,4]"),
	CASE("u32[3,2]; u64[3]", "random_bits %0 %1 dtype=u64 dims=[3] strides=[]", "u64[3]"),
	/* products */
	DOT("2,3", "3,2", "1", "0", "", "", "2,2", "T"),
	DOT("2,3", "3", "1", "0", "", "", "2", "T"),
	DOT("3", "3,2", "0", "0", "", "", "2", "T"),
	DOT("3", "3", "0", "0", "", "", "", "T"),
	DOT("", "", "", "", "", "", "", "T"),
	DOT("2", "", "", "", "", "", "2", "T"),
	DOT("2", "3", "", "", "", "", "2,3", "T"),
	DOT("2,3", "2,3", "1", "1", "0", "0", "2", "T"),
	DOT("2,3", "3,2", "1", "0", "0", "1", "2", "T"),
	DOT("2,3,2", "2,2,3", "1", "2", "2", "1", "2,2,2", "T"),
	DOT("3,2,4", "4,3,2", "2", "0", "0", "1", "3,2,2", "T"),
	DOT("3,2", "2,3", "0,1", "1,0", "", "", "", "T"),
	DOT("2,3,2", "3,2,2", "0,1", "1,0", "", "", "2,2", "T"),
	DOT("2,3,1", "3,2,2", "1", "0", "0", "2", "2,1,2", "T"),
	DOT("2,3,4,5", "4,2,3", "2,0", "0,1", "", "", "3,5,3", "T"),
	DOT("2,1,3,4", "5,3,2,4", "3", "3", "2,0", "1,2", "3,2,1,5", "T"),
	DOT("2,3,4,2", "2,4,3,2", "2,0,1", "1,3,2", "3", "0", "2", "T"),
	DOT("2,3", "2,3", "", "", "0,1", "0,1", "2,3", "T"),
	DOT("2,3", "3,2", "", "", "0,1", "1,0", "2,3", "T"),
	DOT("2,0", "0,3", "1", "0", "", "", "2,3", "T"),
	DOT("0,2", "2,3", "1", "0", "", "", "0,3", "T"),
	DOT("1,3", "3,1", "1", "0", "", "", "1,1", "T"),
	DOT("2,3", "3,2", "1", "0", "", "", "2,2", "W"),
	DOT("2,2,3", "3,2", "2", "0", "1", "1", "2,2", "W"),
	DOT("3,2,4", "4,3,2", "2", "0", "0", "1", "3,2,2", "f64"),
	DOT("2,2,3", "3,2", "2", "0", "1", "1", "2,2", "f64"),
	DOT("2,3", "3,2", "1", "0", "", "", "2,2", "c128"),
	DOT("2,3,2", "3,2,2", "0,1", "1,0", "", "", "2,2", "i64"),
	CASE("T[2,2]",
             "dot_general %0 %0 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] dtype=T",
             "T[2,2]"),
	CASE("T[3]",
             "dot_general %0 %0 contract_a=[0] contract_b=[0] batch_a=[] batch_b=[] dtype=T",
             "T[]"),
};

/* ---- kinks, poles and ties: the numbers that JAX 0.10.2 gives in 64 bits. numbers: all operands,
 * their tangents ("still": it does not move), then those of the result. clamp is as jnp.clip */
static const struct kink {
	const char *operands, *equation, *result, *numbers;
} kinks[] = {
	{"T[5]; T[5]", "max %0 %1", "T[5]",
         "1 0 -0 inf -inf 1 -0 0 inf -inf; 1 1 1 1 1 3 3 3 3 3; 2 2 2 2 2"},
	{"T[3]; T[3]", "max %0 %1", "T[3]", "nan 1 nan 1 nan nan; 1 1 1 3 3 3; 0 0 0"},
	{"T[5]; T[5]", "min %0 %1", "T[5]",
         "1 0 -0 inf -inf 1 -0 0 inf -inf; 1 1 1 1 1 3 3 3 3 3; 2 2 2 2 2"},
	{"T[3]; T[3]", "min %0 %1", "T[3]", "nan 1 nan 1 nan nan; 1 1 1 3 3 3; 0 0 0"},
	{"T[5]", "abs %0", "T[5]", "0 -0 0.5 1 nan; 1 1 1 1 1; 1 1 1 1 -1"},
	{"T[5]", "sign %0", "T[5]", "0 -0 0.5 1 nan; 1 1 1 1 1; 0 0 0 0 0"},
	{"T[5]", "floor %0", "T[5]", "0 -0 0.5 1 nan; 1 1 1 1 1; 0 0 0 0 0"},
	{"T[5]", "ceil %0", "T[5]", "0 -0 0.5 1 nan; 1 1 1 1 1; 0 0 0 0 0"},
	{"T[5]", "round %0", "T[5]", "0 -0 0.5 1 nan; 1 1 1 1 1; 0 0 0 0 0"},
	{"T[4]", "log %0", "T[4]", "0 -1 inf 1; 1 1 1 1; inf -1 0 1"},
	{"T[4]", "sqrt %0", "T[4]", "0 -1 inf 1; 1 1 1 1; inf nan 0 0.5"},
	{"T[4]", "rsqrt %0", "T[4]", "0 -1 inf 1; 1 1 1 1; -inf nan -0 -0.5"},
	{"T[3]", "log1p %0", "T[3]", "-1 0 inf; 1 1 1; inf 1 0"},
	{"T[3]", "tanh %0", "T[3]", "0 inf -inf; 1 1 1; 1 0 0"},
	{"T[3]", "logistic %0", "T[3]", "0 inf -inf; 1 1 1; 0.25 0 0"},
	{"T[3]", "expm1 %0", "T[3]", "0 inf -inf; 1 1 1; 1 inf 0"},
	{"T[3]", "exp %0", "T[3]", "0 inf -inf; 1 1 1; 1 inf 0"},
	{"T[4]", "tanh %0", "T[4]", "20 -20 400 -400; 1 1 1 1; 0 0 0 0"},
	{"T[4]", "logistic %0", "T[4]", "400 -400 1000 -1000; 1 1 1 1; 0 1.9151696e-174 0 0"},
	{"T[3]", "integer_pow %0 y=0", "T[3]", "0 -2 1; 1 1 1; 0 0 0"},
	{"T[3]", "integer_pow %0 y=1", "T[3]", "0 -2 1; 1 1 1; 1 1 1"},
	{"T[3]", "integer_pow %0 y=2", "T[3]", "0 -2 1; 1 1 1; 0 -4 2"},
	{"T[3]", "integer_pow %0 y=-1", "T[3]", "0 -2 1; 1 1 1; -inf -0.25 -1"},
	{"T[3]", "integer_pow %0 y=3", "T[3]", "0 -2 1; 1 1 1; 0 12 3"},
	{"T[10]; T[10]", "pow %0 %1", "T[10]",
         "0 0 0 0 0 2 -2 -2 -1 inf 0 1 2 0.5 -1 0 2 3 0 2; 1 1 1 1 1 1 1 1 1 1 still; nan 1 0 inf "
         "-inf 0 -4 12 -0 inf"},
	{"T[10]; T[10]", "pow %0 %1", "T[10]",
         "0 0 0 0 0 2 -2 -2 -1 inf 0 1 2 0.5 -1 0 2 3 0 2; still 1 1 1 1 1 1 1 1 1 1; 0 0 0 0 nan "
         "0.693147181 nan nan nan inf"},
	{"T[6]; i32[6]", "pow %0 %1", "T[6]",
         "0 0 0 2 -2 0 0 1 2 3 -1 -1; 1 1 1 1 1 1 still; 0 1 0 12 -0.25 -inf"},
	{"T[4]; u64[4]", "pow %0 %1", "T[4]", "0 0 0 2 0 1 2 3; 1 1 1 1 still; 0 1 0 12"},
	{"T[4]; T[4]", "rem %0 %1", "T[4]", "4 -4 0 5 2 2 2 -5; 1 1 1 1 3 3 3 3; -5 7 1 4"},
	{"T[4]; T[4]", "rem %0 %1", "T[4]", "5 -5 5 -5 3 3 -3 -3; 1 1 1 1 3 3 3 3; -2 4 4 -2"},
	{"T[3]; T[3]", "div %0 %1", "T[3]", "0 1 0 1 0 0; 1 1 1 still; 1 inf inf"},
	{"T[3]; T[3]", "div %0 %1", "T[3]", "0 1 0 1 0 0; still 1 1 1; -0 -inf nan"},
	{"T[3,3]", "reduce_max %0 dims=[1]", "T[3]",
         "1 1 0 2 2 2 0 -0 -1; 1 2 4 1 2 6 1 3 5; 1.5 3 2"},
	{"T[2,2]", "reduce_max %0 dims=[1]", "T[2]", "nan 1 inf inf; 1 2 1 2; nan 1.5"},
	{"T[4]", "reduce_max %0 dims=[0]", "T[]", "1 3 3 1; 1 2 4 8; 3"},
	{"T[3]", "reduce_max %0 dims=[]", "T[3]", "1 3 3; 1 2 4; 1 2 4"},
	{"T[3,3]", "reduce_min %0 dims=[1]", "T[3]",
         "1 1 0 2 2 2 0 -0 -1; 1 2 4 1 2 6 1 3 5; 4 3 5"},
	{"T[2,2]", "reduce_min %0 dims=[1]", "T[2]", "nan 1 inf inf; 1 2 1 2; nan 1.5"},
	{"T[4]", "reduce_min %0 dims=[0]", "T[]", "1 3 3 1; 1 2 4 8; 4.5"},
	{"T[3]", "reduce_min %0 dims=[]", "T[3]", "1 3 3; 1 2 4; 1 2 4"},
	{"T[4,3]", "reduce_prod %0 dims=[1]", "T[4]",
         "0 2 3 0 0 5 0 0 0 2 3 4; 1 2 3 1 2 3 1 1 1 1 1 1; 6 0 0 26"},
	{"T[6]; T[6]; T[6]", "clamp %0 %1 %2", "T[6]",
         "0 0 0 0 0 0 0 1 2 3 -1 1 2 2 2 2 2 0; 1 1 1 1 1 1 10 10 10 10 10 10 100 100 100 100 100 "
         "100; 5.5 10 55 100 1 100"},
	{"T[6]; T[6]; T[6]", "clamp %0 %1 %2", "T[6]",
         "3 3 3 3 3 1 0 1 2 3 4 1 1 1 1 1 1 1; 1 1 1 1 1 1 10 10 10 10 10 10 100 100 100 100 100 "
         "100; 100 100 100 100 100 52.75"},
	{"T[1]; T[1]; T[1]", "clamp %0 %1 %2", "T[1]", "0 nan 2; 1 10 100; 0"},
	{"T[3]; i32[4,1]",
         "gather %0 %1" GATHER_DIMS("", "0", "0", "", "") " slice_sizes=[1] mode=fill", "T[4]",
         "1 2 3 0 -1 2 3; 1 2 3 still; 1 0 3 0"},
	{"T[5]; i32[8,1]; T[8]", "scatter %0 %1 %2" AT_ROWS " combine=max mode=drop", "T[5]",
         "1 2 3 nan 0 0 0 1 1 2 3 4 9 1 1 2 2 1 1 nan 7; 1 2 3 4 5 still 10 20 30 40 50 60 70 80; "
         "10.33333333333 24 3 0 0"},
	{"T[5]; i32[8,1]; T[8]", "scatter %0 %1 %2" AT_ROWS " combine=min mode=drop", "T[5]",
         "1 2 3 nan 0 0 0 1 1 2 3 4 9 1 1 2 2 1 1 nan 7; 1 2 3 4 5 still 10 20 30 40 50 60 70 80; "
         "10.33333333333 24 50 0 0"},
	{"T[5]; i32[8,1]; T[8]", "scatter %0 %1 %2" AT_ROWS " combine=set mode=drop", "T[5]",
         "1 2 3 nan 0 0 0 1 1 2 3 4 9 1 1 2 2 1 1 nan 7; 1 2 3 4 5 still 10 20 30 40 50 60 70 80; "
         "20 40 50 60 70"},
	{"T[5]; i32[8,1]; T[8]", "scatter %0 %1 %2" AT_ROWS " combine=add mode=drop", "T[5]",
         "1 2 3 nan 0 0 0 1 1 2 3 4 9 1 1 2 2 1 1 nan 7; 1 2 3 4 5 still 10 20 30 40 50 60 70 80; "
         "31 72 53 64 75"},
	{"T[3]; i32[3,1]; T[3]",
         "scatter %0 %1 %2" AT_ROWS " combine=mul mode=drop unique_indices=true", "T[3]",
         "0 2 3 1 5 0 0 1 5; 1 2 3 still 10 20 30; 5 20 3"},
	{"c128[1]", "sign %0", "c128[1]", "(1,2); (1,1); (0,0)"},
	{"c128[2]", "abs %0", "f64[2]", "(0,0) (1,2); (1,1) (1,1); 0 1.34164079"},
};

#endif
