/* emit_values.c - types, constants, masks and lanes.
 *
 * A value that is the same in all lanes stays a scalar until it is combined with a vector, and
 * becomes one there.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f32[8], %1: f32[]) -> f32[8] {
 *       %2: f32[8] = broadcast_in_dim %1 dims=[8] at=[]
 *       %3: f32[8] = mul %0 %2
 *       return %3
 *     }
 *
 * multiplies a vector by one number, which is put into lane 0 and from there into all:
 *
 *     .. = load float, ptr ..
 *     .. = load <8 x float>, ptr ..
 *     .. = insertelement <8 x float> poison, float .., i32 0
 *     .. = shufflevector <8 x float> .., <8 x float> poison, <8 x i32> zeroinitializer
 *     .. = fmul <8 x float> ..
 */
#include <string.h>
#include "engine/cpu/native/emit/emit.h"

LLVMTypeRef type_one(const emitter *g, tsr_dtype t)
{
	t = part_of(t);
	if (t == TSR_BOOL) return LLVMInt1TypeInContext(g->c);
	if (t == TSR_F32) return LLVMFloatTypeInContext(g->c);
	if (t == TSR_F64) return LLVMDoubleTypeInContext(g->c);
	return LLVMIntTypeInContext(g->c, (unsigned)bits_of(t));
}

LLVMTypeRef type_many(LLVMTypeRef t, int lanes)
{
	return lanes ? LLVMVectorType(t, (unsigned)lanes) : t;
}

static int lanes_of_type(LLVMTypeRef t)
{
	return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? (int)LLVMGetVectorSize(t) : 0;
}

static LLVMTypeRef one_of_type(LLVMTypeRef t)
{
	return lanes_of_type(t) ? LLVMGetElementType(t) : t;
}

static LLVMValueRef constant_splat(LLVMValueRef one, int lanes)
{
	LLVMValueRef all[MOST_LANES];

	if (!lanes) return one;
	for (int i = 0; i < lanes; i++) all[i] = one;
	return LLVMConstVector(all, (unsigned)lanes);
}

LLVMValueRef constant_int(const emitter *g, LLVMTypeRef like, uint64_t x)
{
	const LLVMTypeRef one = one_of_type(like);
	const unsigned width = LLVMGetIntTypeWidth(one);

	(void)g;
	if (width < 64) x &= ((uint64_t)1 << width) - 1;
	return constant_splat(LLVMConstInt(one, x, 0), lanes_of_type(like));
}

LLVMValueRef constant_float(LLVMTypeRef like, double x)
{
	return constant_splat(LLVMConstReal(one_of_type(like), x), lanes_of_type(like));
}

LLVMValueRef i64_of(const emitter *g, int64_t x)
{
	return LLVMConstInt(LLVMInt64TypeInContext(g->c), (uint64_t)x, 0);
}

LLVMValueRef plus(emitter *g, LLVMValueRef i, int64_t n)
{
	return n ? LLVMBuildAdd(g->b, i, i64_of(g, n), "") : i;
}

value emit_constant(emitter *g, tsr_dtype t, uint64_t bits)
{
	const unsigned width = (unsigned)bits_of(t);
	const LLVMTypeRef whole = LLVMIntTypeInContext(g->c, width);

	if (t == TSR_BOOL) return (value){LLVMConstInt(type_one(g, t), bits != 0, 0), NULL};
	const LLVMValueRef x = LLVMConstInt(whole, bits, 0);
	return (value){is_float(t) ? LLVMConstBitCast(x, type_one(g, t)) : x, NULL};
}

LLVMValueRef splat(emitter *g, LLVMValueRef x, int lanes)
{
	if (!x || !lanes || llvm_is_vector(x)) return x;
	if (LLVMIsConstant(x)) return constant_splat(x, lanes);
	const LLVMTypeRef t = LLVMVectorType(LLVMTypeOf(x), (unsigned)lanes);
	const LLVMValueRef zero = LLVMConstInt(LLVMInt32TypeInContext(g->c), 0, 0);

	return lanes_from(g, LLVMBuildInsertElement(g->b, LLVMGetPoison(t), x, zero, ""), 0, 0,
	                  lanes);
}

value splat_value(emitter *g, value x, int lanes)
{
	return (value){splat(g, x.v, lanes), splat(g, x.im, lanes)};
}

LLVMValueRef counting(emitter *g, LLVMTypeRef one, int lanes, int64_t step)
{
	LLVMValueRef all[MOST_LANES];

	(void)g;
	for (int i = 0; i < lanes; i++) all[i] = LLVMConstInt(one, (uint64_t)i * (uint64_t)step, 0);
	return LLVMConstVector(all, (unsigned)lanes);
}

LLVMValueRef intrinsic(emitter *g, const char *name, LLVMValueRef *args, int nargs)
{
	const unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
	LLVMTypeRef of = LLVMTypeOf(args[0]);
	const LLVMValueRef fn = LLVMGetIntrinsicDeclaration(g->m, id, &of, 1);

	return LLVMBuildCall2(g->b, LLVMGlobalGetValueType(fn), fn, args, (unsigned)nargs, "");
}

LLVMValueRef shuffled(emitter *g, LLVMValueRef a, LLVMValueRef b, const int *at, int n)
{
	const LLVMTypeRef i32 = LLVMInt32TypeInContext(g->c);
	LLVMValueRef mask[2 * MOST_LANES];

	for (int i = 0; i < n; i++) mask[i] = LLVMConstInt(i32, (unsigned)at[i], 0);
	return LLVMBuildShuffleVector(g->b, a, b ? b : LLVMGetPoison(LLVMTypeOf(a)),
	                              LLVMConstVector(mask, (unsigned)n), "");
}

LLVMValueRef lanes_of_both(emitter *g, LLVMValueRef a, LLVMValueRef b, int first, int step, int n)
{
	int at[2 * MOST_LANES];

	for (int i = 0; i < n; i++) at[i] = first + i * step;
	return shuffled(g, a, b, at, n);
}

LLVMValueRef lanes_from(emitter *g, LLVMValueRef a, int first, int step, int n)
{
	return lanes_of_both(g, a, NULL, first, step, n);
}

LLVMValueRef choose(emitter *g, LLVMValueRef condition, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildSelect(g->b, condition, a, b, "");
}

value choose_value(emitter *g, LLVMValueRef condition, value a, value b)
{
	return (value){choose(g, condition, a.v, b.v),
	               a.im ? choose(g, condition, a.im, b.im) : NULL};
}

LLVMValueRef any_lane(emitter *g, LLVMValueRef mask)
{
	const LLVMTypeRef bits = LLVMIntTypeInContext(g->c, LLVMGetVectorSize(LLVMTypeOf(mask)));

	return LLVMBuildICmp(g->b, LLVMIntNE, LLVMBuildBitCast(g->b, mask, bits, ""),
	                     LLVMConstInt(bits, 0, 0), "");
}

LLVMValueRef mask_first(const emitter *g, int n, int lanes)
{
	bool on[MOST_LANES];

	for (int i = 0; i < lanes; i++) on[i] = i < n;
	return n < lanes ? llvm_lanes(g->c, on, lanes) : NULL;
}

LLVMValueRef both_masks(emitter *g, LLVMValueRef a, LLVMValueRef b)
{
	if (!a || !b) return a ? a : b;
	return LLVMBuildAnd(g->b, a, b, "");
}
