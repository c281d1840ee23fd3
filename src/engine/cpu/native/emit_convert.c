/* emit_convert.c - from any real dtype to any other one, rounded once.
 *
 * To f16 and bf16 all goes through f32. What f32 does not hold is rounded to odd on the way
 * (src/base/dtype.c), so that nothing is rounded twice. bf16 is made by integer arithmetic: the
 * instructions for it flush denormal numbers.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f64[16]) -> bf16[16] {
 *       %1: bf16[16] = convert_element_type %0 dtype=bf16
 *       return %1
 *     }
 *
 * To f32; where that was inexact, and the last bit is even, one step towards the number. Then the
 * upper half of the bits is rounded to even: 0x7fff and its last bit are added to the lower one:
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
#include "engine/cpu/native/emit.h"

static LLVMTypeRef like(const emitter *e, tsr_dtype t, LLVMValueRef v)
{
	const int lanes = llvm_is_vector(v) ? (int)LLVMGetVectorSize(LLVMTypeOf(v)) : 0;

	return type_many(type_one(e, t), lanes);
}

static LLVMTypeRef int_like(const emitter *e, int bits, LLVMValueRef v)
{
	const int lanes = llvm_is_vector(v) ? (int)LLVMGetVectorSize(LLVMTypeOf(v)) : 0;

	return type_many(LLVMIntTypeInContext(e->c, (unsigned)bits), lanes);
}

static LLVMValueRef number(emitter *e, LLVMValueRef v, uint64_t x)
{
	return constant_int(e, LLVMTypeOf(v), x);
}

/* ---- 16 bits to and from f32 */

static LLVMValueRef f32_of_16(emitter *e, tsr_dtype from, LLVMValueRef v)
{
	const LLVMTypeRef f32 = like(e, TSR_F32, v), i32 = int_like(e, 32, v);

	if (from == TSR_BF16) {
		const LLVMValueRef wide = LLVMBuildZExt(e->b, v, i32, "");
		return LLVMBuildBitCast(e->b, LLVMBuildShl(e->b, wide, number(e, wide, 16), ""),
		                        f32, "");
	}
	const int lanes = llvm_is_vector(v) ? (int)LLVMGetVectorSize(LLVMTypeOf(v)) : 0;
	const LLVMTypeRef half = type_many(LLVMHalfTypeInContext(e->c), lanes);
	return LLVMBuildFPExt(e->b, LLVMBuildBitCast(e->b, v, half, ""), f32, "");
}

/* the upper half of bits + 0x7fff + the last bit of that half; NaN becomes a quiet one */
static LLVMValueRef bf16_of_f32(emitter *e, LLVMValueRef x)
{
	const LLVMValueRef u = LLVMBuildBitCast(e->b, x, int_like(e, 32, x), "");
	const LLVMValueRef high = LLVMBuildLShr(e->b, u, number(e, u, 16), "");
	const LLVMValueRef odd = LLVMBuildAnd(e->b, high, number(e, u, 1), "");
	LLVMValueRef up = LLVMBuildAdd(e->b, u, number(e, u, 0x7fff), "");
	const LLVMValueRef nan = LLVMBuildFCmp(e->b, LLVMRealUNO, x, x, "");

	up = LLVMBuildLShr(e->b, LLVMBuildAdd(e->b, up, odd, ""), number(e, u, 16), "");
	up = choose(e, nan, LLVMBuildOr(e->b, high, number(e, u, 0x40), ""), up);
	return LLVMBuildTrunc(e->b, up, int_like(e, 16, x), "");
}

static LLVMValueRef narrow(emitter *e, tsr_dtype to, LLVMValueRef x)
{
	const int lanes = llvm_is_vector(x) ? (int)LLVMGetVectorSize(LLVMTypeOf(x)) : 0;
	const LLVMTypeRef half = type_many(LLVMHalfTypeInContext(e->c), lanes);

	if (to == TSR_BF16) return bf16_of_f32(e, x);
	return LLVMBuildBitCast(e->b, LLVMBuildFPTrunc(e->b, x, half, ""), int_like(e, 16, x), "");
}

/* f64 to f32: inexact results have an odd last bit */
static LLVMValueRef rounded_to_odd(emitter *e, LLVMValueRef x)
{
	const LLVMTypeRef f32 = like(e, TSR_F32, x), f64 = LLVMTypeOf(x);
	const LLVMValueRef near = LLVMBuildFPTrunc(e->b, x, f32, "");
	const LLVMValueRef u = LLVMBuildBitCast(e->b, near, int_like(e, 32, x), "");
	LLVMValueRef back = LLVMBuildFPExt(e->b, near, f64, "");
	const LLVMValueRef differs = LLVMBuildFCmp(e->b, LLVMRealONE, back, x, "");
	const LLVMValueRef odd = LLVMBuildTrunc(e->b, u, int_like(e, 1, x), "");
	LLVMValueRef of_x = x;

	back = intrinsic(e, "llvm.fabs", &back, 1);
	of_x = intrinsic(e, "llvm.fabs", &of_x, 1);
	const LLVMValueRef above = LLVMBuildFCmp(e->b, LLVMRealOGT, back, of_x, "");
	const LLVMValueRef next = LLVMBuildAdd(
		e->b, u, choose(e, above, number(e, u, UINT32_MAX), number(e, u, 1)), "");
	const LLVMValueRef change = LLVMBuildAnd(e->b, differs, LLVMBuildNot(e->b, odd, ""), "");
	return LLVMBuildBitCast(e->b, choose(e, change, next, u), f32, "");
}

/* ---- integers to floats */

/* the integer as one that f64 holds exactly: from 2^53 on, bits that are cut off make the last bit
 * odd */
static LLVMValueRef odd_of_64(emitter *e, LLVMValueRef x, LLVMValueRef size)
{
	const LLVMValueRef low = LLVMBuildAnd(e->b, x, number(e, x, 2047), "");
	const LLVMValueRef some = LLVMBuildICmp(e->b, LLVMIntNE, low, number(e, x, 0), "");
	LLVMValueRef cut = LLVMBuildAnd(e->b, x, number(e, x, ~(uint64_t)2047), "");

	cut = LLVMBuildOr(e->b, cut, choose(e, some, number(e, x, 2048), number(e, x, 0)), "");
	const LLVMValueRef large =
		LLVMBuildICmp(e->b, LLVMIntUGE, size, number(e, x, (uint64_t)1 << 53), "");
	return choose(e, large, cut, x);
}

static LLVMValueRef float_of_int(emitter *e, tsr_dtype to, tsr_dtype from, LLVMValueRef x)
{
	const LLVMTypeRef t = like(e, to, x);

	return has_sign(from) ? LLVMBuildSIToFP(e->b, x, t, "") : LLVMBuildUIToFP(e->b, x, t, "");
}

static LLVMValueRef narrow_of_int(emitter *e, tsr_dtype to, tsr_dtype from, LLVMValueRef x)
{
	if (bits_of(from) == 64) {
		const LLVMValueRef args[] = {x, LLVMConstInt(LLVMInt1TypeInContext(e->c), 0, 0)};
		x = odd_of_64(e, x,
		              has_sign(from) ? intrinsic(e, "llvm.abs",
		                                         (LLVMValueRef[]){args[0], args[1]}, 2)
		                             : x);
	}
	if (bits_of(from) <= 16) return narrow(e, to, float_of_int(e, TSR_F32, from, x));
	return narrow(e, to, rounded_to_odd(e, float_of_int(e, TSR_F64, from, x)));
}

/* ---- floats to integers: towards 0, saturating, NaN gives 0 */

static LLVMValueRef int_of_float(emitter *e, tsr_dtype to, LLVMValueRef x)
{
	const char *name = has_sign(to) ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
	const unsigned id = LLVMLookupIntrinsicID(name, 15);
	LLVMTypeRef types[2] = {like(e, to, x), LLVMTypeOf(x)};
	const LLVMValueRef fn = LLVMGetIntrinsicDeclaration(e->m, id, types, 2);

	return LLVMBuildCall2(e->b, LLVMGlobalGetValueType(fn), fn, &x, 1, "");
}

static LLVMValueRef from_float(emitter *e, tsr_dtype to, tsr_dtype from, LLVMValueRef x)
{
	if (to == TSR_BOOL)
		return LLVMBuildFCmp(e->b, LLVMRealUNE, x, LLVMConstNull(LLVMTypeOf(x)), "");
	if (to == TSR_F16 || to == TSR_BF16)
		return narrow(e, to, from == TSR_F64 ? rounded_to_odd(e, x) : x);
	if (!is_float(to)) return int_of_float(e, to, x);
	return to == TSR_F64 ? LLVMBuildFPExt(e->b, x, like(e, to, x), "")
	                     : LLVMBuildFPTrunc(e->b, x, like(e, to, x), "");
}

static LLVMValueRef from_int(emitter *e, tsr_dtype to, tsr_dtype from, LLVMValueRef x)
{
	if (to == TSR_BOOL) return LLVMBuildICmp(e->b, LLVMIntNE, x, number(e, x, 0), "");
	if (to == TSR_F16 || to == TSR_BF16) return narrow_of_int(e, to, from, x);
	if (is_float(to)) return float_of_int(e, to, from, x);
	const LLVMTypeRef t = like(e, to, x);
	if (bits_of(to) < bits_of(from)) return LLVMBuildTrunc(e->b, x, t, "");
	if (bits_of(to) == bits_of(from) && from != TSR_BOOL) return x;
	return has_sign(from) ? LLVMBuildSExt(e->b, x, t, "") : LLVMBuildZExt(e->b, x, t, "");
}

LLVMValueRef converted(emitter *e, tsr_dtype to, tsr_dtype from, LLVMValueRef x)
{
	if (to == from) return x;
	if (from == TSR_F16 || from == TSR_BF16) {
		x = f32_of_16(e, from, x);
		from = TSR_F32;
		if (to == TSR_F32) return x;
	}
	return is_float(from) ? from_float(e, to, from, x) : from_int(e, to, from, x);
}
