/* emit_call.c - elementary functions: SLEEF's, in pieces as wide as a register.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f32[32]) -> f64[32] {
 *       %1: f32[32] = sin %0
 *       %2: f64[32] = convert_element_type %1 dtype=f64
 *       %3: f64[32] = sin %2
 *       return %3
 *     }
 *
 * has 4 lanes, as many as f64 allows; for f32 that is SLEEF's vector of 16 bytes:
 *
 *     .. = call <4 x float> @Sleef_finz_sinf4_u10avx2128(<4 x float> ..)
 *     .. = call <4 x double> @Sleef_finz_sind4_u10avx2(<4 x double> ..)
 */
#include "engine/cpu/native/emit/emit.h"

static LLVMValueRef call_piece(emitter *g, kfn f, tsr_dtype t, LLVMValueRef *x, int nargs, int n)
{
	char name[MOST_SYMBOL];
	const LLVMTypeRef one = type_many(type_one(g, t), n > 1 ? n : 0);
	LLVMTypeRef types[2] = {one, one};
	const LLVMTypeRef type = LLVMFunctionType(one, types, (unsigned)nargs, 0);

	symbol_of_call(name, f, t, n);
	LLVMValueRef fn = LLVMGetNamedFunction(g->m, name);
	if (!fn) {
		static const char *const known[] = {"nounwind", "willreturn", "nosync", "nofree",
		                                    "memory"}; /* none */
		fn = LLVMAddFunction(g->m, name, type);
		for (size_t i = 0; i < sizeof known / sizeof *known; i++) llvm_flag(fn, known[i]);
	}
	return LLVMBuildCall2(g->b, type, fn, x, (unsigned)nargs, "");
}

/* repeats the lanes, up to the narrowest vector that SLEEF has */
static LLVMValueRef widened(emitter *g, LLVMValueRef a, int to)
{
	const int n = (int)LLVMGetVectorSize(LLVMTypeOf(a));
	int at[MOST_LANES];

	for (int i = 0; i < to; i++) at[i] = i % n;
	return shuffled(g, a, NULL, at, to);
}

LLVMValueRef emit_call(emitter *g, kfn f, tsr_dtype t, LLVMValueRef *x)
{
	const int nargs = x[1] ? 2 : 1, bytes = bits_of(t) / 8;
	const int most = g->max_bytes / bytes, least = 16 / bytes;

	if (!llvm_is_vector(x[0])) return call_piece(g, f, t, x, nargs, 1);
	const int n = (int)LLVMGetVectorSize(LLVMTypeOf(x[0]));
	if (n >= least && n <= most) return call_piece(g, f, t, x, nargs, n);
	LLVMValueRef half[2][2] = {{NULL, NULL}, {NULL, NULL}};
	if (n < least) {
		for (int i = 0; i < nargs; i++) half[0][i] = widened(g, x[i], least);
		return lanes_from(g, call_piece(g, f, t, half[0], nargs, least), 0, 1, n);
	}
	for (int i = 0; i < nargs; i++)
		for (int h = 0; h < 2; h++) half[h][i] = lanes_from(g, x[i], h * n / 2, 1, n / 2);
	const LLVMValueRef low = emit_call(g, f, t, half[0]);
	return lanes_of_both(g, low, emit_call(g, f, t, half[1]), 0, 1, n);
}
