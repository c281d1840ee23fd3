/* lower_cases.h - the cases of each local row: every dtype it takes, ranks 0 to 4, sizes around
 * lanes and blocks. The tests of kernels and of compiled kernels share them. */
#ifndef TSR_TESTS_KERNEL_LOWER_CASES_H
#define TSR_TESTS_KERNEL_LOWER_CASES_H
#include "kernel/kernel_rig.h"

/* what is wrong with the kernel of a program; NULL: nothing, or it is too large (*fits is false) */
typedef const char *kernel_check(const program *, uint64_t *random, bool *fits);

/* T: each dtype. S: each of some dims; N: each of some sizes, where the case has it */
typedef struct lower_case {
	const char *operands, *equation, *result;
} lower_case;

/* clang-format off */
#define UNARY(name) {"T[S]", name " %0", "T[S]"}
#define BINARY(name) {"T[S]; T[S]", name " %0 %1", "T[S]"}
#define COMPARE(name) {"T[S]; T[S]", name " %0 %1", "bool[S]"}
#define CONVERT(from) {from "[S]", "convert_element_type %0 dtype=T", "T[S]"}
#define BITCAST(operand, to, dims) {operand, "bitcast_convert_type %0 dtype=" to, to dims}
/* T of half the width, of a quarter, of an eighth */
#define JOIN(to) BITCAST("T[3,2]", to, "[3]")
#define JOIN_4(to) JOIN(to), BITCAST("T[3,5,4]", to, "[3,5]")
#define JOIN_8(to) JOIN_4(to), BITCAST("T[8]", to, "[]")
/* T of twice the width, of four times, of eight times */
#define PART(to) BITCAST("T[3]", to, "[3,2]")
#define PART_4(to) PART(to), BITCAST("T[3,5]", to, "[3,5,4]")
#define PART_8(to) PART_4(to), BITCAST("T[]", to, "[8]")
#define REDUCE(name) \
	{"T[N]", name " %0 dims=[0]", "T[]"}, \
	{"T[3,N]", name " %0 dims=[1]", "T[3]"}, \
	{"T[N,3]", name " %0 dims=[0]", "T[3]"}, \
	{"T[2,N,3]", name " %0 dims=[0,2]", "T[N]"}, \
	{"T[5,N,2,2]", name " %0 dims=[0,1,3]", "T[2]"}, \
	{"T[N]", name " %0 dims=[]", "T[N]"}
#define ARGUMENT(name, dtype) \
	{"T[N]", name " %0 dim=0 dtype=" dtype, dtype "[]"}, \
	{"T[2,N,2]", name " %0 dim=1 dtype=" dtype, dtype "[2,2]"}
#define DOT(a, b, ca, cb, ba, bb, result, dtype) \
	{"T[" a "]; T[" b "]", \
	 "dot_general %0 %1 contract_a=[" ca "] contract_b=[" cb "] batch_a=[" ba "] batch_b=[" bb \
	 "] dtype=" dtype, dtype "[" result "]"}
#define GATHER(offset, dropped, starts, batch, index_batch) \
	"gather %0 %1 offset_dims=[" offset "] collapsed_slice_dims=[" dropped \
	"] start_index_map=[" starts "] operand_batching_dims=[" batch \
	"] start_indices_batching_dims=[" index_batch "] slice_sizes="
#define SCATTER(through, dropped, starts, batch, index_batch) \
	"scatter %0 %1 %2 update_window_dims=[" through "] inserted_window_dims=[" dropped \
	"] scatter_dims_to_operand_dims=[" starts "] operand_batching_dims=[" batch \
	"] scatter_indices_batching_dims=[" index_batch "] combine="
/* elements, rows, columns, elements by two entries, windows that overlap, batches */
#define SCATTERS(how) \
	{"T[7]; i32[N,1]; T[N]", SCATTER("", "0", "0", "", "") how, "T[7]"}, \
	{"T[300]; i8[20,1]; T[20]", SCATTER("", "0", "0", "", "") how, "T[300]"}, \
	{"T[5,37]; u8[9,1]; T[9,37]", SCATTER("1", "0", "0", "", "") how, "T[5,37]"}, \
	{"T[3,6]; i64[2,4,1]; T[3,2,4]", SCATTER("0", "1", "1", "", "") how, "T[3,6]"}, \
	{"T[4,6]; i16[9,2]; T[9]", SCATTER("", "0,1", "0,1", "", "") how, "T[4,6]"}, \
	{"T[6,9]; i32[5,2]; T[2,5,3]", SCATTER("0,2", "", "0,1", "", "") how, "T[6,9]"}, \
	{"T[4,9]; i32[5,1]; T[4,3,5]", SCATTER("0,1", "", "1", "", "") how, "T[4,9]"}, \
	{"T[5,6]; u64[6,20,1]; T[6,20]", SCATTER("", "0", "0", "1", "0") how, "T[5,6]"}, \
	{"T[3,0]; i32[2,1]; T[2,0]", SCATTER("1", "0", "0", "", "") how, "T[3,0]"}, \
	{"T[0]; i32[2,1]; T[2]", SCATTER("", "0", "0", "", "") how, "T[0]"}, \
	{"T[3]; i32[0,1]; T[0]", SCATTER("", "0", "0", "", "") how, "T[3]"}
static const lower_case cases[] = {
	{"T[9]; i32[N,1]", GATHER("", "0", "0", "", "") "[1] mode=fill", "T[N]"},
	{"T[9]; i32[N,1]", GATHER("", "0", "0", "", "") "[1] mode=clip", "T[N]"},
	{"T[300]; i8[20,1]", GATHER("", "0", "0", "", "") "[1] mode=zero", "T[20]"},
	{"T[300]; u8[20,1]", GATHER("", "0", "0", "", "") "[1] mode=promise_in_bounds", "T[20]"},
	{"f32[9]; T[20,1]", GATHER("", "0", "0", "", "") "[1] mode=fill", "f32[20]"},
	{"T[5,37]; i16[9,1]", GATHER("1", "0", "0", "", "") "[1,37] mode=fill", "T[9,37]"},
	{"T[3,6]; i64[2,4,1]", GATHER("0", "1", "1", "", "") "[3,1] mode=clip", "T[3,2,4]"},
	{"T[4,6]; u64[9,2]", GATHER("", "0,1", "0,1", "", "") "[1,1] mode=fill", "T[9]"},
	{"T[6,9]; i32[5,2]", GATHER("0,2", "", "0,1", "", "") "[2,3] mode=zero", "T[2,5,3]"},
	{"T[6,9]; u32[5,2]", GATHER("1,2", "", "1,0", "", "") "[2,3] mode=clip", "T[5,2,3]"},
	{"T[5,6]; i32[6,20,1]", GATHER("", "0", "0", "1", "0") "[1,1] mode=fill", "T[6,20]"},
	{"T[5,6]; i32[3,0]", GATHER("1,2", "", "", "", "") "[2,3] mode=fill", "T[3,2,3]"},
	{"T[0,3]; i32[0,1]", GATHER("1", "0", "0", "", "") "[1,3] mode=fill", "T[0,3]"},
	SCATTERS("set mode=drop"), SCATTERS("set mode=clip"), SCATTERS("add mode=drop"),
	SCATTERS("add mode=clip"), SCATTERS("mul mode=drop"), SCATTERS("min mode=drop"),
	SCATTERS("max mode=clip"),
	UNARY("neg"), UNARY("sign"), UNARY("floor"), UNARY("ceil"), UNARY("round"),
	UNARY("exp"), UNARY("exp2"), UNARY("expm1"), UNARY("log"), UNARY("log1p"),
	UNARY("logistic"), UNARY("tanh"), UNARY("sin"), UNARY("cos"), UNARY("tan"),
	UNARY("asin"), UNARY("acos"), UNARY("atan"), UNARY("sinh"), UNARY("cosh"),
	UNARY("asinh"), UNARY("acosh"), UNARY("atanh"), UNARY("cbrt"), UNARY("erf"),
	UNARY("erfc"), UNARY("erf_inv"), UNARY("sqrt"), UNARY("rsqrt"), UNARY("square"),
	UNARY("not"), UNARY("copy"), UNARY("stop_gradient"), UNARY("abs"),
	{"T[S]", "name %0 name=\"q\"", "T[S]"},
	{"c64[S]", "abs %0", "f32[S]"}, {"c128[S]", "abs %0", "f64[S]"},
	{"T[S]", "is_finite %0", "bool[S]"},
	{"T[S]", "integer_pow %0 y=0", "T[S]"}, {"T[S]", "integer_pow %0 y=1", "T[S]"},
	{"T[S]", "integer_pow %0 y=2", "T[S]"},
	{"T[S]", "integer_pow %0 y=7", "T[S]"}, {"T[S]", "integer_pow %0 y=-1", "T[S]"},
	{"T[S]", "integer_pow %0 y=-6", "T[S]"},
	{"T[S]", "integer_pow %0 y=9223372036854775807", "T[S]"},
	{"T[S]", "integer_pow %0 y=-9223372036854775808", "T[S]"},
	BINARY("add"), BINARY("sub"), BINARY("mul"), BINARY("div"), BINARY("rem"), BINARY("max"),
	BINARY("min"), BINARY("pow"), BINARY("atan2"), BINARY("and"), BINARY("or"), BINARY("xor"),
	BINARY("shift_left"), BINARY("shift_right_logical"), BINARY("shift_right_arithmetic"),
	UNARY("gamma"), UNARY("lgamma"), UNARY("digamma"), BINARY("zeta"), BINARY("polygamma"),
	UNARY("bessel_i0e"), UNARY("bessel_i1e"),
	UNARY("clz"), UNARY("population_count"), UNARY("conj"), BINARY("nextafter"),
	{"c64[S]", "real %0", "f32[S]"}, {"c128[S]", "imag %0", "f64[S]"},
	{"f32[S]; f32[S]", "complex %0 %1", "c64[S]"}, {"f64[S]", "complex %0 %0", "c128[S]"},
	{"T[S]; T[S]; T[S]", "fma %0 %1 %2", "T[S]"}, {"T[S]; T[S]", "fma %0 3:T %1", "T[S]"},
	{"T[S]", "reduce_precision %0 exponent_bits=5 mantissa_bits=3", "T[S]"},
	{"T[S]", "reduce_precision %0 exponent_bits=8 mantissa_bits=7", "T[S]"},
	{"T[S]", "reduce_precision %0 exponent_bits=1 mantissa_bits=0", "T[S]"},
	{"T[S]", "reduce_precision %0 exponent_bits=99 mantissa_bits=99", "T[S]"},
	BITCAST("T[S]", "T", "[S]"), BITCAST("T[S]", "i8", "[S]"), BITCAST("T[S]", "f16", "[S]"),
	BITCAST("T[S]", "u16", "[S]"), BITCAST("T[S]", "bf16", "[S]"),
	BITCAST("T[S]", "f32", "[S]"), BITCAST("T[S]", "u32", "[S]"),
	BITCAST("T[S]", "f64", "[S]"), BITCAST("T[S]", "i64", "[S]"),
	JOIN("f16"), JOIN("i16"), JOIN_4("f32"), JOIN_4("u32"), JOIN_8("f64"), JOIN_8("u64"),
	PART_8("i8"), PART_8("u8"), PART_4("u16"), PART_4("bf16"), PART("f32"), PART("i32"),
	{"T[S]; i32[S]", "pow %0 %1", "T[S]"}, {"T[S]; u64[S]", "pow %0 %1", "T[S]"},
	{"T[S]; i8[S]", "pow %0 %1", "T[S]"}, {"T[S]", "pow %0 -3:i64", "T[S]"},
	COMPARE("eq"), COMPARE("ne"), COMPARE("lt"), COMPARE("le"), COMPARE("gt"), COMPARE("ge"),
	{"T[S]; T[]", "clamp %1 %0 %1", "T[S]"}, {"T[S]; T[S]; T[S]", "clamp %0 %1 %2", "T[S]"},
	{"bool[S]; T[S]; T[S]", "select_n %0 %1 %2", "T[S]"},
	{"bool[]; T[S]; T[S]", "select_n %0 %1 %2", "T[S]"},
	{"u32[S]; u32[S]; u32[S]; u32[S]", "threefry2x32 %0 %1 %2 %3", "u32[S]; u32[S]"},
	{"u32[S]", "threefry2x32 7:u32 4294967295:u32 0:u32 %0", "u32[S]; u32[S]"},
	{"u32[2]; u64[]", "random_bits %0 %1 dtype=u32 dims=[3,70] strides=[70,1]", "u32[3,70]"},
	{"u32[2]", "random_bits %0 4294967290:u64 dtype=u8 dims=[3,5] strides=[1,7]", "u8[3,5]"},
	{"u32[2]; u64[]", "random_bits %0 %1 dtype=u16 dims=[] strides=[]", "u16[]"},
	{"u32[3,2]; u64[3]", "random_bits %0 %1 dtype=u64 dims=[3,5] strides=[3000000000]",
	 "u64[3,5]"},
	{"u32[2,3,2]; u64[]", "random_bits %0 %1 dtype=u32 dims=[2,3,0] strides=[1]", "u32[2,3,0]"},
	CONVERT("bool"), CONVERT("i8"), CONVERT("i16"), CONVERT("i32"), CONVERT("i64"),
	CONVERT("u8"), CONVERT("u16"), CONVERT("u32"), CONVERT("u64"), CONVERT("f16"),
	CONVERT("bf16"), CONVERT("f32"), CONVERT("f64"), CONVERT("c64"), CONVERT("c128"),

	{"T[4,3]", "reshape %0 dims=[2,6]", "T[2,6]"}, {"T[4,3]", "reshape %0 dims=[12]", "T[12]"},
	{"T[12]", "reshape %0 dims=[2,1,3,2]", "T[2,1,3,2]"},
	{"T[4,3]", "reshape %0 dims=[6,2]", "T[6,2]"}, {"T[1]", "reshape %0 dims=[]", "T[]"},
	{"T[]", "reshape %0 dims=[1,1]", "T[1,1]"}, {"T[0,3]", "reshape %0 dims=[5,0]", "T[5,0]"},
	{"T[5,6,7]", "reshape %0 dims=[2,15,7]", "T[2,15,7]"},
	{"T[2,1,3]", "transpose %0 perm=[2,0,1]", "T[3,2,1]"},
	{"T[]", "transpose %0 perm=[]", "T[]"}, {"T[0,2]", "transpose %0 perm=[1,0]", "T[2,0]"},
	{"T[2,3,4,5]", "transpose %0 perm=[3,1,0,2]", "T[5,3,2,4]"},
	{"T[]", "broadcast_in_dim %0 dims=[2,2] at=[]", "T[2,2]"},
	{"T[2]", "broadcast_in_dim %0 dims=[3,2] at=[1]", "T[3,2]"},
	{"T[1,2]", "broadcast_in_dim %0 dims=[2,3,2] at=[0,2]", "T[2,3,2]"},
	{"T[2]", "broadcast_in_dim %0 dims=[2,0] at=[0]", "T[2,0]"},
	{"T[1,2,1]", "squeeze %0 dims=[0,2]", "T[2]"}, {"T[1]", "squeeze %0 dims=[0]", "T[]"},
	{"T[2]", "expand_dims %0 dims=[0,2]", "T[1,2,1]"},
	{"T[2,3]", "rev %0 dims=[0,1]", "T[2,3]"}, {"T[3,2,1]", "rev %0 dims=[0,2]", "T[3,2,1]"},
	{"T[0,3]", "rev %0 dims=[0]", "T[0,3]"},
	{"", "iota dtype=T dims=[2,300] dim=1", "T[2,300]"},
	{"", "iota dtype=T dims=[1,2] dim=0", "T[1,2]"},
	{"", "iota dtype=T dims=[0] dim=0", "T[0]"},
	{"T[2]; T[1]; T[3]; T[0]; T[2]", "concatenate %0 %1 %2 %3 %4 dim=0", "T[8]"},
	{"T[2,1,2]; T[2,2,2]", "concatenate %0 %1 dim=1", "T[2,3,2]"},
	{"T[0]; T[2]", "concatenate %0 %1 dim=0", "T[2]"}, {"T[3]", "concatenate %0 dim=0", "T[3]"},
	{"T[2]; T[]", "pad %0 %1 low=[1] high=[2] interior=[1]", "T[6]"},
	{"T[4]; T[]", "pad %0 %1 low=[-1] high=[-1] interior=[0]", "T[2]"},
	{"T[3]; T[]", "pad %0 %1 low=[-1] high=[0] interior=[1]", "T[4]"},
	{"T[5]; T[]", "pad %0 %1 low=[-3] high=[2] interior=[2]", "T[12]"},
	{"T[3]; T[]", "pad %0 %1 low=[-9] high=[9] interior=[0]", "T[3]"},
	{"T[2,2]; T[]", "pad %0 %1 low=[0,1] high=[3,-1] interior=[2,0]", "T[7,2]"},
	{"T[0]; T[]", "pad %0 %1 low=[1] high=[1] interior=[5]", "T[2]"},
	{"T[]; T[]", "pad %0 %1 low=[] high=[] interior=[]", "T[]"},
	{"T[6]", "slice %0 start=[1] stop=[6] step=[2]", "T[3]"},
	{"T[N]", "patches %0 along=[0] sizes=[1] strides=[1] dilations=[1]", "T[N,1]"},
	{"T[9,4]", "patches %0 along=[0] sizes=[3] strides=[2] dilations=[1]", "T[4,4,3]"},
	{"T[2,9,8]", "patches %0 along=[1,2] sizes=[2,3] strides=[1,3] dilations=[3,1]",
         "T[2,6,2,2,3]"},
	{"T[3]", "patches %0 along=[0] sizes=[4] strides=[1] dilations=[1]", "T[0,4]"},
	{"T[2,3]", "slice %0 start=[0,1] stop=[2,2] step=[1,9]", "T[2,1]"},
	{"T[3]", "slice %0 start=[3] stop=[3] step=[1]", "T[0]"},
	{"T[]", "slice %0 start=[] stop=[] step=[]", "T[]"},
	{"T[3,4]; i32[]; u8[]", "dynamic_slice %0 %1 %2 dims=[2,2]", "T[2,2]"},
	{"T[3,4]; i64[]; u64[]", "dynamic_slice %0 %1 %2 dims=[2,2]", "T[2,2]"},
	{"T[9]; T[]; i8[]", "dynamic_slice %0 %2 dims=[9]", "T[9]"},
	{"f32[9]; T[]", "dynamic_slice %0 %1 dims=[4]", "f32[4]"},
	{"T[3]", "dynamic_slice %0 18446744073709551615:u64 dims=[1]", "T[1]"},
	{"T[]", "dynamic_slice %0 dims=[]", "T[]"},
	{"T[4]; T[2]; i32[]", "dynamic_update_slice %0 %1 %2", "T[4]"},
	{"T[4,5]; T[3,1]; i64[]; u32[]", "dynamic_update_slice %0 %1 %2 %3", "T[4,5]"},
	{"T[4,4,3]", "add_patches %0 along=[0] sizes=[3] strides=[2] dilations=[1] dims=[9,4]",
         "T[9,4]"},
	{"T[2,6,2,2,3]",
         "add_patches %0 along=[1,2] sizes=[2,3] strides=[1,3] dilations=[3,1] dims=[2,9,8]",
         "T[2,9,8]"},
	{"T[2,1]", "add_patches %0 along=[0] sizes=[1] strides=[5] dilations=[1] dims=[9]", "T[9]"},
	{"T[3,300]", "add_patches %0 along=[0] sizes=[300] strides=[1] dilations=[1] dims=[302]",
         "T[302]"},
	{"T[0,4]", "add_patches %0 along=[0] sizes=[4] strides=[1] dilations=[1] dims=[3]", "T[3]"},
	{"T[2,2]; T[2,2]; u64[]; i16[]", "dynamic_update_slice %0 %1 %2 %3", "T[2,2]"},
	{"T[2]; T[0]", "dynamic_update_slice %0 %1 0:i32", "T[2]"},

	REDUCE("reduce_sum"), REDUCE("reduce_prod"), REDUCE("reduce_max"), REDUCE("reduce_min"),
	REDUCE("reduce_and"), REDUCE("reduce_or"), REDUCE("reduce_xor"),
	{"T[2,0]", "reduce_sum %0 dims=[0]", "T[0]"}, {"T[]", "reduce_sum %0 dims=[]", "T[]"},
	ARGUMENT("argmax", "i32"), ARGUMENT("argmin", "u8"), ARGUMENT("argmax", "i64"),
	DOT("N", "N", "0", "0", "", "", "", "T"), DOT("3,N", "2,N", "1", "1", "", "", "3,2", "T"),
	DOT("2,N,3", "2,N", "1", "1", "0", "0", "2,3", "T"),
	DOT("N,2,3", "3,N,2", "2,0", "0,1", "1", "2", "2", "T"),
	DOT("2", "3", "", "", "", "", "2,3", "T"),
	DOT("2,3", "2,3", "", "", "0,1", "0,1", "2,3", "T"),
	DOT("2,0", "3,0", "1", "1", "", "", "2,3", "T"),
	DOT("0,2", "3,2", "1", "1", "", "", "0,3", "T"),
	DOT("N", "N", "0", "0", "", "", "", "f32"), DOT("N", "N", "0", "0", "", "", "", "f64"),
	DOT("N", "N", "0", "0", "", "", "", "i64"), DOT("N", "N", "0", "0", "", "", "", "u16"),
	DOT("N", "N", "0", "0", "", "", "", "c128"), DOT("N", "N", "0", "0", "", "", "", "c64"),
	DOT("N", "N", "0", "0", "", "", "", "bf16"), DOT("N", "N", "0", "0", "", "", "", "i8"),
	DOT("3,N", "2,N", "1", "1", "", "", "3,2", "f16"),
};
/* clang-format on */

static const char *const shapes[] = {"", "0", "1", "17", "3,0", "2,3", "2,1,3", "2,3,1,2", "500"};
static const char *const sizes[] = {"0", "1", "2", "15", "16", "17", "255", "256", "257", "1100"};

static inline void put(char *to, size_t room, const char *text, const char *s, const char *n)
{
	size_t at = 0;

	for (const char *c = text; *c && at + 24 < room; c++) {
		const char *word = *c == 'S' ? s : *c == 'N' ? n : NULL;
		if (word)
			at += (size_t)snprintf(to + at, room - at, "%s", word);
		else
			to[at++] = *c;
	}
	to[at] = 0;
}

static inline bool has(const lower_case *c, char letter)
{
	return strchr(c->operands, letter) || strchr(c->equation, letter) ||
	       strchr(c->result, letter);
}

/* whether the row takes the dtype */
static inline bool one_case(rig *r, const lower_case *c, const char *s, const char *n,
                            tsr_dtype dtype, kernel_check *check, int draws)
{
	static uint64_t random = 1;
	char operands[256], equation[512], result[64];
	bool fits;

	put(operands, sizeof operands, c->operands, s, n);
	put(equation, sizeof equation, c->equation, s, n);
	put(result, sizeof result, c->result, s, n);
	program *p = rig_parse(r, operands, equation, result, dtype);
	if (!p) {
		error_clear(&r->base);
		return false;
	}
	for (int draw = 0; draw < draws; draw++) {
		const char *fault = check(p, &random, &fits);
		if (!fault && fits) continue;
		print_both(p);
		fail_msg("%s | %s | %s, %s: %s", operands, equation, result, tsr_dtype_name(dtype),
		         fits ? fault : "too large");
	}
	program_release(p);
	return true;
}

#endif
