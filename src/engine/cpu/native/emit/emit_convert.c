/* emit_convert.c - from any real dtype to any other one, rounded once.
 *
 * Everything goes to f16 and bf16 through f32. What f32 cannot hold is rounded to odd on the way
 * (src/base/dtype.c), so that the second rounding is still right. bf16 is made by integer
 * arithmetic, since the instructions for it flush denormal numbers.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f64[16]) -> bf16[16] {
 *       %1: bf16[16] = convert_element_type %0 dtype=bf16
 *       return %1
 *     }
 *
 * First to f32: where that is inexact and the last bit is even, one step towards the number. Then
 * the lower half of the bits is rounded away, to even: 0x7fff plus the last bit of the upper half
 * is added to the whole:
 *
 *     .. = fptrunc <4 x double> .. to <4 x float>
 *     .. = fpext <4 x float> .. to <4 x double>
 *     .. = fcmp one <4 x double> ..
 *     .. = select <4 x i1> .., <4 x i32> ..
 *     .. = lshr <4 x i32> .., <i32 16, ..
 *     .. = and <4 x i32> .., <i32 1, ..
 *     .. = add <4 x i32> .., <i32 32767, ..
 *     .. = trunc <4 x i32> .. to <4 x i16>
 */
#include "engine/cpu/native/emit/emit.h"

static LLVMTypeRef like(const emitter *g, tsr_dtype t, LLVMValueRef v)
{
	const int lanes = llvm_is_vector(v) ? (int)LLVMGetVectorSize(LLVMTypeOf(v)) : 0;

	return type_many(type_one(g, t), lanes);
}

static LLVMTypeRef int_like(const emitter *g, int bits, LLVMValueRef v)
{
	const int lanes = llvm_is_vector(v) ? (int)LLVMGetVectorSize(LLVMTypeOf(v)) : 0;

	return type_many(LLVMIntTypeInContext(g->c, (unsigned)bits), lanes);
}

static LLVMValueRef number(emitter *g, LLVMValueRef v, uint64_t x)
{
	return constant_int(g, LLVMTypeOf(v), x);
}

/* ---- 16 bits to and from f32 */

static LLVMValueRef f32_of_16(emitter *g, tsr_dtype from, LLVMValueRef v)
{
	const LLVMTypeRef f32 = like(g, TSR_F32, v), i32 = int_like(g, 32, v);

	if (from == TSR_BF16) {
		const LLVMValueRef wide = LLVMBuildZExt(g->b, v, i32, "");
		return LLVMBuildBitCast(g->b, LLVMBuildShl(g->b, wide, number(g, wide, 16), ""),
		                        f32, "");
	}
	const int lanes = llvm_is_vector(v) ? (int)LLVMGetVectorSize(LLVMTypeOf(v)) : 0;
	const LLVMTypeRef half = type_many(LLVMHalfTypeInContext(g->c), lanes);
	return LLVMBuildFPExt(g->b, LLVMBuildBitCast(g->b, v, half, ""), f32, "");
}

/* the upper half of bits + 0x7fff + the last bit of that half; NaN becomes a quiet one */
static LLVMValueRef bf16_of_f32(emitter *g, LLVMValueRef x)
{
	const LLVMValueRef u = LLVMBuildBitCast(g->b, x, int_like(g, 32, x), "");
	const LLVMValueRef high = LLVMBuildLShr(g->b, u, number(g, u, 16), "");
	const LLVMValueRef odd = LLVMBuildAnd(g->b, high, number(g, u, 1), "");
	LLVMValueRef up = LLVMBuildAdd(g->b, u, number(g, u, 0x7fff), "");
	const LLVMValueRef nan = LLVMBuildFCmp(g->b, LLVMRealUNO, x, x, "");

	up = LLVMBuildLShr(g->b, LLVMBuildAdd(g->b, up, odd, ""), number(g, u, 16), "");
	up = choose(g, nan, LLVMBuildOr(g->b, high, number(g, u, 0x40), ""), up);
	return LLVMBuildTrunc(g->b, up, int_like(g, 16, x), "");
}

static LLVMValueRef narrow(emitter *g, tsr_dtype to, LLVMValueRef x)
{
	const int lanes = llvm_is_vector(x) ? (int)LLVMGetVectorSize(LLVMTypeOf(x)) : 0;
	const LLVMTypeRef half = type_many(LLVMHalfTypeInContext(g->c), lanes);

	if (to == TSR_BF16) return bf16_of_f32(g, x);
	return LLVMBuildBitCast(g->b, LLVMBuildFPTrunc(g->b, x, half, ""), int_like(g, 16, x), "");
}

/* f64 to f32: inexact results have an odd last bit */
static LLVMValueRef rounded_to_odd(emitter *g, LLVMValueRef x)
{
	const LLVMTypeRef f32 = like(g, TSR_F32, x), f64 = LLVMTypeOf(x);
	const LLVMValueRef near = LLVMBuildFPTrunc(g->b, x, f32, "");
	const LLVMValueRef u = LLVMBuildBitCast(g->b, near, int_like(g, 32, x), "");
	LLVMValueRef back = LLVMBuildFPExt(g->b, near, f64, "");
	const LLVMValueRef differs = LLVMBuildFCmp(g->b, LLVMRealONE, back, x, "");
	const LLVMValueRef odd = LLVMBuildTrunc(g->b, u, int_like(g, 1, x), "");
	LLVMValueRef of_x = x;

	back = intrinsic(g, "llvm.fabs", &back, 1);
	of_x = intrinsic(g, "llvm.fabs", &of_x, 1);
	const LLVMValueRef above = LLVMBuildFCmp(g->b, LLVMRealOGT, back, of_x, "");
	const LLVMValueRef next = LLVMBuildAdd(
		g->b, u, choose(g, above, number(g, u, UINT32_MAX), number(g, u, 1)), "");
	const LLVMValueRef change = LLVMBuildAnd(g->b, differs, LLVMBuildNot(g->b, odd, ""), "");
	return LLVMBuildBitCast(g->b, choose(g, change, next, u), f32, "");
}

/* ---- integers to floats */

/* the integer as one that f64 holds exactly: from 2^53 on, low bits are cut off, and if any of them
 * was set the last bit that stays is set */
static LLVMValueRef odd_of_64(emitter *g, LLVMValueRef x, LLVMValueRef size)
{
	const LLVMValueRef low = LLVMBuildAnd(g->b, x, number(g, x, 2047), "");
	const LLVMValueRef some = LLVMBuildICmp(g->b, LLVMIntNE, low, number(g, x, 0), "");
	LLVMValueRef cut = LLVMBuildAnd(g->b, x, number(g, x, ~(uint64_t)2047), "");

	cut = LLVMBuildOr(g->b, cut, choose(g, some, number(g, x, 2048), number(g, x, 0)), "");
	const LLVMValueRef large =
		LLVMBuildICmp(g->b, LLVMIntUGE, size, number(g, x, (uint64_t)1 << 53), "");
	return choose(g, large, cut, x);
}

static LLVMValueRef float_of_int(emitter *g, tsr_dtype to, tsr_dtype from, LLVMValueRef x)
{
	const LLVMTypeRef t = like(g, to, x);

	return has_sign(from) ? LLVMBuildSIToFP(g->b, x, t, "") : LLVMBuildUIToFP(g->b, x, t, "");
}

static LLVMValueRef narrow_of_int(emitter *g, tsr_dtype to, tsr_dtype from, LLVMValueRef x)
{
	if (bits_of(from) == 64) {
		const LLVMValueRef args[] = {x, LLVMConstInt(LLVMInt1TypeInContext(g->c), 0, 0)};
		x = odd_of_64(g, x,
		              has_sign(from) ? intrinsic(g, "llvm.abs",
		                                         (LLVMValueRef[]){args[0], args[1]}, 2)
		                             : x);
	}
	if (bits_of(from) <= 16) return narrow(g, to, float_of_int(g, TSR_F32, from, x));
	return narrow(g, to, rounded_to_odd(g, float_of_int(g, TSR_F64, from, x)));
}

/* ---- floats to integers: towards 0, saturating, NaN gives 0 */

static LLVMValueRef int_of_float(emitter *g, tsr_dtype to, LLVMValueRef x)
{
	const char *name = has_sign(to) ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
	const unsigned id = LLVMLookupIntrinsicID(name, 15);
	LLVMTypeRef types[2] = {like(g, to, x), LLVMTypeOf(x)};
	const LLVMValueRef fn = LLVMGetIntrinsicDeclaration(g->m, id, types, 2);

	return LLVMBuildCall2(g->b, LLVMGlobalGetValueType(fn), fn, &x, 1, "");
}

static LLVMValueRef from_float(emitter *g, tsr_dtype to, tsr_dtype from, LLVMValueRef x)
{
	if (to == TSR_BOOL)
		return LLVMBuildFCmp(g->b, LLVMRealUNE, x, LLVMConstNull(LLVMTypeOf(x)), "");
	if (to == TSR_F16 || to == TSR_BF16)
		return narrow(g, to, from == TSR_F64 ? rounded_to_odd(g, x) : x);
	if (!is_float(to)) return int_of_float(g, to, x);
	return to == TSR_F64 ? LLVMBuildFPExt(g->b, x, like(g, to, x), "")
	                     : LLVMBuildFPTrunc(g->b, x, like(g, to, x), "");
}

static LLVMValueRef from_int(emitter *g, tsr_dtype to, tsr_dtype from, LLVMValueRef x)
{
	if (to == TSR_BOOL) return LLVMBuildICmp(g->b, LLVMIntNE, x, number(g, x, 0), "");
	if (to == TSR_F16 || to == TSR_BF16) return narrow_of_int(g, to, from, x);
	if (is_float(to)) return float_of_int(g, to, from, x);
	const LLVMTypeRef t = like(g, to, x);
	if (bits_of(to) < bits_of(from)) return LLVMBuildTrunc(g->b, x, t, "");
	if (bits_of(to) == bits_of(from) && from != TSR_BOOL) return x;
	return has_sign(from) ? LLVMBuildSExt(g->b, x, t, "") : LLVMBuildZExt(g->b, x, t, "");
}

LLVMValueRef converted(emitter *g, tsr_dtype to, tsr_dtype from, LLVMValueRef x)
{
	if (to == from) return x;
	if (from == TSR_F16 || from == TSR_BF16) {
		x = f32_of_16(g, from, x);
		from = TSR_F32;
		if (to == TSR_F32) return x;
	}
	return is_float(from) ? from_float(g, to, from, x) : from_int(g, to, from, x);
}
