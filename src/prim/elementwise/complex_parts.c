/* complex_parts.c - elementwise rows that take complex numbers apart and make them: real, imag,
 * conj, complex. Transposed as in JAX, by the product z w without a conjugate: (0, -1) is the
 * cotangent of z where the imaginary part has 1.
 *
 *     real 1+2i      gives  1
 *     imag 1+2i      gives  2
 *     conj 1+2i      gives  1-2i
 *     complex 1 2    gives  1+2i */
#include "prim/elementwise/elementwise.h"
#undef complex /* complex.h's word for _Complex: here it names a row */

#define COMPLEX_KINDS ONE_KIND(KIND_COMPLEX)

#define PART_ROW(prim_, doc_, ct_, op_) \
	ELEMENTWISE_TYPES(prim_, COMPLEX, dtype_real(in[0]->dtype)) \
	static void prim_##_eval(const eval_args *args) \
	{ \
		const int64_t n = args->out[0]->size; \
		switch (args->in[0]->dtype) { \
			LOOP_1_TO(float, TSR_C64, c64, c64, , , c##prim_##f(a)) \
			LOOP_1_TO(double, TSR_C128, c128, c128, , , c##prim_(a)) \
		default: break; \
		} \
	} \
	LOWER_1(prim_, K1(op_, a)) \
	TANGENT_1(prim_, OF_1(prim_, dx)) \
	TRANSPOSE_AS(prim_, ct_) \
	const tsr_prim tsr__prim_##prim_ = {ELEMENTWISE(prim_, doc_, 1, 1), LINEAR(prim_)};

static var complex_of(build *b, var re, var im) { return OF_2(complex, re, im); }
static var zero_like(build *b, var x) { return NUM(0); }

PART_ROW(real, "the real part of x", complex_of(b, *ct, zero_like(b, *ct)), RE)
PART_ROW(imag, "the imaginary part of x", complex_of(b, zero_like(b, *ct), NEG(*ct)), IM)

LINEAR_UNARY_ROW(conj, "the real part of x, and minus its imaginary part", 1, COMPLEX,
                 OF_1(conj, dx), OF_1(conj, *ct), k_complex(k, K1(RE, a), K1(NEG, K1(IM, a))),
                 _Generic((a), c64
                          : conjf, c128
                          : conj)(a))

/* ---- complex */

static bool complex_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const tsr_dtype parts = in[0]->dtype;

	if (parts != TSR_F32 && parts != TSR_F64)
		return fail_type(b, e, "%s does not accept dtype %s", eqn_name(b, e),
		                 tsr_dtype_name(parts));
	return types_elementwise(b, e, in, out, FLOAT_KINDS, parts == TSR_F32 ? TSR_C64 : TSR_C128);
}

static void complex_eval(const eval_args *args)
{
	const int64_t n = args->out[0]->size;
	const int64_t s0 = ELEMENT_STRIDE(args, 0), s1 = ELEMENT_STRIDE(args, 1);

	switch (args->in[0]->dtype) {
		LOOP_2_TO(c64, TSR_F32, float, float, , , __builtin_complex(a, b))
		LOOP_2_TO(c128, TSR_F64, double, double, , , __builtin_complex(a, b))
	default: break;
	}
}

LOWER_2(complex, k_complex(k, a, b))
COTANGENT_2(complex, OF_1(real, ct), NEG(OF_1(imag, ct)))
const tsr_prim tsr__prim_complex = {
	ELEMENTWISE(complex, "the complex number with the parts x and y", 1, 2),
	.jvp = jvp_linear,
	.transpose = complex_transpose,
};
