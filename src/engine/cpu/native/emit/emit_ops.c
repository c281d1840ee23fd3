/* emit_ops.c - one operation, to the bit as docs/numerics.md says.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: i32[8], %1: i32[8]) -> i32[8] {
 *       %2: i32[8] = div %0 %1
 *       return %2
 *     }
 *
 * Where the divisor is 0, or -1 with the lowest number above it, it is replaced by 1, so that
 * nothing traps. There is no vector instruction for the division of integers: it is done in f64,
 * which is exact enough. x / 0 is -1:
 *
 *     .. = icmp eq <8 x i32> .., zeroinitializer
 *     .. = icmp eq <8 x i32> .., <i32 -2147483648, ..
 *     .. = icmp eq <8 x i32> .., <i32 -1, ..
 *     .. = select <8 x i1> .., <8 x i32> <i32 1, ..
 *     .. = sitofp <8 x i32> .. to <8 x double>
 *     .. = fdiv <8 x double> ..
 *     .. = fptosi <8 x double> .. to <8 x i32>
 *     .. = select <8 x i1> .., <8 x i32> <i32 -1, ..
 */
#include "engine/cpu/native/emit/emit.h"

static LLVMValueRef number(emitter *g, LLVMValueRef like, uint64_t x)
{
	return constant_int(g, LLVMTypeOf(like), x);
}

static LLVMValueRef is_equal(emitter *g, LLVMValueRef a, uint64_t x)
{
	return LLVMBuildICmp(g->b, LLVMIntEQ, a, number(g, a, x), "");
}

/* ---- integers */

/* A divisor that does not trap: 1 instead of 0; and 1 instead of -1 where the lowest number is
 * divided, since that quotient wraps to the lowest number again */
static LLVMValueRef safe_divisor(emitter *g, tsr_dtype t, LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef bad = is_equal(g, b, 0);

	if (has_sign(t)) {
		const LLVMValueRef low = is_equal(g, a, (uint64_t)1 << (bits_of(t) - 1));
		const LLVMValueRef minus = is_equal(g, b, UINT64_MAX);
		bad = LLVMBuildOr(g->b, bad, LLVMBuildAnd(g->b, low, minus, ""), "");
	}
	return choose(g, bad, number(g, b, 1), b);
}

/* There is no vector instruction for the division of integers. Up to 32 bits it is done in f64,
 * where rounding never reaches the next integer */
static LLVMValueRef quotient_as_float(emitter *g, tsr_dtype t, LLVMValueRef a, LLVMValueRef b)
{
	const tsr_dtype f64 = TSR_F64;
	LLVMValueRef q = LLVMBuildFDiv(g->b, converted(g, f64, t, a), converted(g, f64, t, b), "");

	if (has_sign(t)) return LLVMBuildFPToSI(g->b, q, LLVMTypeOf(a), "");
	return LLVMBuildFPToUI(g->b, q, LLVMTypeOf(a), "");
}

static LLVMValueRef divided(emitter *g, kop op, tsr_dtype t, LLVMValueRef a, LLVMValueRef b)
{
	const bool known = LLVMIsConstant(b), wide = bits_of(t) == 64;
	const LLVMValueRef by = safe_divisor(g, t, a, b), zero = is_equal(g, b, 0);
	LLVMValueRef q;

	if (llvm_is_vector(a) && !known && !wide)
		q = quotient_as_float(g, t, a, by);
	else if (has_sign(t))
		q = LLVMBuildSDiv(g->b, a, by, "");
	else
		q = LLVMBuildUDiv(g->b, a, by, "");
	if (op == K_DIV) return choose(g, zero, number(g, a, UINT64_MAX), q);
	const LLVMValueRef rest = LLVMBuildSub(g->b, a, LLVMBuildMul(g->b, q, by, ""), "");
	return choose(g, zero, a, rest);
}

static LLVMValueRef shifted(emitter *g, kop op, tsr_dtype t, LLVMValueRef a, LLVMValueRef by)
{
	const uint64_t last = (uint64_t)bits_of(t) - 1;
	const LLVMValueRef limit = number(g, a, last);
	const LLVMValueRef within = LLVMBuildICmp(g->b, LLVMIntULE, by, limit, "");
	const LLVMValueRef safe = choose(g, within, by, limit);

	if (op == K_SAR) return LLVMBuildAShr(g->b, a, safe, "");
	const LLVMValueRef moved =
		op == K_SHL ? LLVMBuildShl(g->b, a, safe, "") : LLVMBuildLShr(g->b, a, safe, "");
	return choose(g, within, moved, number(g, a, 0));
}

/* The larger or smaller of the two; a NaN if one is. An instruction takes its second operand where
 * they are equal or one is a NaN. So its results in both orders are the same number; or +0 and -0,
 * of which `and` gives the larger one, `or` the smaller; or a NaN and the other operand: `or` keeps
 * that NaN, and where it is `and`, all bits are set; of one number, which would go through
 * registers of whole numbers for that, the sum is taken. LLVM 19 narrows its own `maximum` to f16
 * where it can, and loses NaN there */
static LLVMValueRef extreme_of_floats(emitter *g, bool larger, LLVMValueRef a, LLVMValueRef b)
{
	const LLVMTypeRef t = LLVMTypeOf(a);
	const tsr_dtype whole =
		LLVMGetTypeKind(llvm_is_vector(a) ? LLVMGetElementType(t) : t) == LLVMFloatTypeKind
			? TSR_U32
			: TSR_U64;
	const int lanes = llvm_is_vector(a) ? (int)LLVMGetVectorSize(t) : 0;
	const LLVMTypeRef bits = type_many(type_one(g, whole), lanes);
	const LLVMRealPredicate better = larger ? LLVMRealOGT : LLVMRealOLT;
	LLVMValueRef x = choose(g, LLVMBuildFCmp(g->b, better, a, b, ""), a, b);
	LLVMValueRef y = choose(g, LLVMBuildFCmp(g->b, better, b, a, ""), b, a);

	x = LLVMBuildBitCast(g->b, x, bits, "");
	y = LLVMBuildBitCast(g->b, y, bits, "");
	if (!larger) return LLVMBuildBitCast(g->b, LLVMBuildOr(g->b, x, y, ""), t, "");
	const LLVMValueRef any = LLVMBuildFCmp(g->b, LLVMRealUNO, a, b, "");
	x = LLVMBuildAnd(g->b, x, y, "");
	if (!lanes)
		return choose(g, any, LLVMBuildFAdd(g->b, a, b, ""),
		              LLVMBuildBitCast(g->b, x, t, ""));
	x = choose(g, any, constant_int(g, bits, UINT64_MAX), x);
	return LLVMBuildBitCast(g->b, x, t, "");
}

static LLVMValueRef extreme(emitter *g, bool larger, tsr_dtype t, LLVMValueRef a, LLVMValueRef b)
{
	const char *name = larger ? "llvm.umax" : "llvm.umin";

	if (is_float(t)) return extreme_of_floats(g, larger, a, b);
	if (has_sign(t)) name = larger ? "llvm.smax" : "llvm.smin";
	return intrinsic(g, name, (LLVMValueRef[]){a, b}, 2);
}

static LLVMValueRef of_integers(emitter *g, kop op, tsr_dtype t, LLVMValueRef a, LLVMValueRef b)
{
	switch (op) {
	case K_ADD: return LLVMBuildAdd(g->b, a, b, "");
	case K_SUB: return LLVMBuildSub(g->b, a, b, "");
	case K_MUL: return LLVMBuildMul(g->b, a, b, "");
	case K_AND: return LLVMBuildAnd(g->b, a, b, "");
	case K_OR: return LLVMBuildOr(g->b, a, b, "");
	case K_XOR: return LLVMBuildXor(g->b, a, b, "");
	case K_DIV:
	case K_REM: return divided(g, op, t, a, b);
	default: return shifted(g, op, t, a, b);
	}
}

/* ---- floats */

static LLVMValueRef of_floats(emitter *g, kop op, LLVMValueRef a, LLVMValueRef b)
{
	switch (op) {
	case K_ADD: return LLVMBuildFAdd(g->b, a, b, "");
	case K_SUB: return LLVMBuildFSub(g->b, a, b, "");
	case K_MUL: return LLVMBuildFMul(g->b, a, b, "");
	case K_DIV: return LLVMBuildFDiv(g->b, a, b, "");
	case K_REM: return LLVMBuildFRem(g->b, a, b, "");
	default: return intrinsic(g, "llvm.copysign", (LLVMValueRef[]){a, b}, 2);
	}
}

static LLVMValueRef compared(emitter *g, kop op, tsr_dtype t, LLVMValueRef a, LLVMValueRef b)
{
	static const LLVMRealPredicate real[] = {LLVMRealOEQ, LLVMRealUNE, LLVMRealOLT,
	                                         LLVMRealOLE, LLVMRealOGT, LLVMRealOGE};
	static const LLVMIntPredicate with_sign[] = {LLVMIntEQ,  LLVMIntNE,  LLVMIntSLT,
	                                             LLVMIntSLE, LLVMIntSGT, LLVMIntSGE};
	static const LLVMIntPredicate plain[] = {LLVMIntEQ,  LLVMIntNE,  LLVMIntULT,
	                                         LLVMIntULE, LLVMIntUGT, LLVMIntUGE};
	const int at = (int)op - (int)K_EQ;

	if (is_float(t)) return LLVMBuildFCmp(g->b, real[at], a, b, "");
	return LLVMBuildICmp(g->b, has_sign(t) ? with_sign[at] : plain[at], a, b, "");
}

LLVMValueRef emit_binary(emitter *g, kop op, tsr_dtype t, LLVMValueRef a, LLVMValueRef b)
{
	if (op >= K_EQ && op <= K_GE) return compared(g, op, t, a, b);
	if (op == K_MIN || op == K_MAX) return extreme(g, op == K_MAX, t, a, b);
	return is_float(t) ? of_floats(g, op, a, b) : of_integers(g, op, t, a, b);
}

static LLVMValueRef unary(emitter *g, kop op, tsr_dtype t, LLVMValueRef a)
{
	switch (op) {
	case K_NEG: return is_float(t) ? LLVMBuildFNeg(g->b, a, "") : LLVMBuildNeg(g->b, a, "");
	case K_NOT: return LLVMBuildNot(g->b, a, "");
	case K_ABS: return intrinsic(g, "llvm.fabs", &a, 1);
	case K_FLOOR: return intrinsic(g, "llvm.floor", &a, 1);
	case K_CEIL: return intrinsic(g, "llvm.ceil", &a, 1);
	case K_ROUND: return intrinsic(g, "llvm.roundeven", &a, 1);
	default: return intrinsic(g, "llvm.sqrt", &a, 1);
	}
}

/* ---- a node */

static LLVMValueRef bitcast(emitter *g, tsr_dtype to, tsr_dtype from, LLVMValueRef a)
{
	const int lanes = llvm_is_vector(a) ? (int)LLVMGetVectorSize(LLVMTypeOf(a)) : 0;

	if (to == TSR_BOOL || from == TSR_BOOL) return converted(g, to, from, a);
	return LLVMBuildBitCast(g->b, a, type_many(type_one(g, to), lanes), "");
}

value emit_op(emitter *g, const knode *n, tsr_dtype from, const value *x)
{
	LLVMValueRef args[3] = {x[0].v, n->nargs > 1 ? x[1].v : NULL, n->nargs > 2 ? x[2].v : NULL};

	switch (n->op) {
	case K_RE: return (value){x[0].v, NULL};
	case K_IM: return (value){x[0].im, NULL};
	case K_COMPLEX: return (value){x[0].v, x[1].v};
	case K_CONVERT: return (value){converted(g, n->dtype, from, args[0]), NULL};
	case K_BITCAST: return (value){bitcast(g, n->dtype, from, args[0]), NULL};
	case K_CALL: return (value){emit_call(g, (kfn)n->bits, n->dtype, args), NULL};
	case K_SELECT: return (value){choose(g, args[0], args[1], args[2]), NULL};
	case K_FMA: return (value){intrinsic(g, "llvm.fma", args, 3), NULL};
	default: break;
	}
	if (n->nargs == 1) return (value){unary(g, n->op, from, args[0]), NULL};
	return (value){emit_binary(g, n->op, from, args[0], args[1]), NULL};
}
