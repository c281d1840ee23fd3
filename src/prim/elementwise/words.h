/* words.h - defines the words of functions that are written once, for C, kernels and programs:
 * include it once for each meaning, and then math_real.h or another file of such functions. The
 * includer says which:
 *
 *     #define WORDS_F32        (or WORDS_F64: functions in C; WORDS_NODES: of a kernel k; or
 *                              WORDS_STEPS: of a build b, where elementwise.h has some of them)
 *     #include "prim/elementwise/words.h"
 *     #include "prim/elementwise/math_real.h"
 *     #include "prim/elementwise/words_end.h"
 *
 * REAL is a number and BITS its bits, an unsigned integer. OF(name) is name_f32, name_f64 or
 * k_name, which ARGS declares and CALL calls. x, a number, is in scope: FORM has the numbers of its
 * dtype (series.h), F(member) is one of these, N(number) any number of this dtype, and B(number)
 * one of BITS; FIELD(bits) is what is above the fraction, with its sign. A select may compute both
 * its values; RARELY sets `to` to the first one, which lanes that need it compute, if there are
 * any. C skips what is behind WHERE_NEEDED, kernels do not. */
#include <math.h>
#include "prim/elementwise/nodes.h"
#include "prim/elementwise/series.h"

#ifndef TSR_SRC_PRIM_WORDS_H
#define TSR_SRC_PRIM_WORDS_H
#define BITS_AND_NUMBERS(suffix, real, bits) \
	static inline bits bits_of_##suffix(real x) \
	{ \
		bits u; \
		memcpy(&u, &x, sizeof u); \
		return u; \
	} \
	static inline real number_of_##suffix(bits u) \
	{ \
		real x; \
		memcpy(&x, &u, sizeof x); \
		return x; \
	}
BITS_AND_NUMBERS(f32, float, uint32_t)
BITS_AND_NUMBERS(f64, double, uint64_t)
#undef BITS_AND_NUMBERS

static inline const real_form *form_of(kernel *k, kvar x)
{
	return k_dtype(k, x) == TSR_F64 ? &form_f64 : &form_f32;
}

static inline tsr_dtype bits_dtype(kernel *k, kvar x)
{
	return k_dtype(k, x) == TSR_F64 ? TSR_U64 : TSR_U32;
}

static inline kvar field_of(kernel *k, kvar bits, kvar x)
{
	const tsr_dtype dtype = k_dtype(k, x);
	const kvar whole = k_bitcast(k, bits, dtype == TSR_F64 ? TSR_I64 : TSR_I32);

	return k_convert(k, K2(SAR, whole, KNUM(whole, form_of(k, x)->mantissa)), dtype);
}
#endif

#ifdef WORDS_NODES
#define REAL kvar
#define BITS kvar
#define CONDITION kvar
#define OF(name) k_##name
#define ARGS(...) (kernel * k, __VA_ARGS__)
#define CALL(name, ...) k_##name(k, __VA_ARGS__)
#define FORM (*form_of(k, x))
#define N(number) KNUM(x, number)
#define F(member) N(FORM.member)
#define B(number) k_number(k, bits_dtype(k, x), (double)(number))
#define TOP_BIT (dtype_bits(k_dtype(k, x)) - 1)
#define BITS_OF(a) k_bitcast(k, a, bits_dtype(k, x))
#define NUMBER_OF(a) k_bitcast(k, a, k_dtype(k, x))
#define FIELD(bits) field_of(k, bits, x)
#define ADD(a, b) K2(ADD, a, b)
#define SUB(a, b) K2(SUB, a, b)
#define MUL(a, b) K2(MUL, a, b)
#define DIV(a, b) K2(DIV, a, b)
#define NEG(a) K1(NEG, a)
#define ABS(a) K1(ABS, a)
#define FLOOR(a) K1(FLOOR, a)
#define SQRT(a) K1(SQRT, a)
#define COPYSIGN(a, b) K2(COPYSIGN, a, b)
#define FMA(a, b, c) k_fma(k, a, b, c)
#define LT(a, b) K2(LT, a, b)
#define LE(a, b) K2(LE, a, b)
#define GT(a, b) K2(GT, a, b)
#define GE(a, b) K2(GE, a, b)
#define EQ(a, b) K2(EQ, a, b)
#define NE(a, b) K2(NE, a, b)
#define AND(a, b) K2(AND, a, b)
#define OR(a, b) K2(OR, a, b)
#define XOR(a, b) K2(XOR, a, b)
#define SHL(a, by) K2(SHL, a, by)
#define SHR(a, by) K2(SHR, a, by)
#define BOTH(a, b) K2(AND, a, b)
#define EITHER(a, b) K2(OR, a, b)
#define NOT(a) K1(NOT, a)
#define SELECT(condition, if_true, if_false) KSEL(condition, if_true, if_false)
#define RARELY(to, condition, if_true, if_false) \
	const kvar usual_ = if_false; \
	kvar rare_ = usual_; \
	if (k_if(k, condition)) rare_ = if_true; \
	k_else(k); \
	to = k_end(k, rare_, usual_)
#define WHERE_NEEDED(condition)
#define SLEEF(NAME, a) k_call(k, KFN_##NAME, &(a), 1)
#elif defined WORDS_STEPS
#define REAL var
#define BITS var
#define CONDITION var
#define OF(name) name##_steps
#define ARGS(...) (build * b, __VA_ARGS__)
#define CALL(name, ...) name##_steps(b, __VA_ARGS__)
#define FORM (*(is_wide(b, x) ? &form_f64 : &form_f32))
#define N(number) NUM(number)
#define F(member) N(FORM.member)
#define B(number) bits_literal(b, bits_dtype_of(b, x), (uint64_t)(number))
#define TOP_BIT (is_wide(b, x) ? 63 : 31)
#define BITS_OF(a) number_bits(b, a)
#define NUMBER_OF(a) read_bits(b, a, dtype_of(b, x))
#define FIELD(bits) \
	emit_convert(b, OF_2(shift_right_arithmetic, read_bits(b, bits, whole_dtype(b, x)), \
	                     WHOLE(mantissa_bits(b, x))), \
	             dtype_of(b, x))
#define ABS(a) OF_1(abs, a)
#define FLOOR(a) OF_1(floor, a)
#define SQRT(a) OF_1(sqrt, a)
#define COPYSIGN(a, from) turned_by(b, OF_1(abs, a), from)
#define LT(a, c) IS(lt, a, c)
#define LE(a, c) IS(le, a, c)
#define GT(a, c) IS(gt, a, c)
#define GE(a, c) IS(ge, a, c)
#define EQ(a, c) IS(eq, a, c)
#define NE(a, c) IS(ne, a, c)
#define AND(a, c) BOTH(a, c)
#define OR(a, c) EITHER(a, c)
#define XOR(a, c) OF_2(xor, a, c)
#define SHL(a, by) OF_2(shift_left, a, by)
#define SHR(a, by) OF_2(shift_right_logical, a, by)
#define NOT(a) OF_1(not, a)
#define RARELY(to, condition, if_true, if_false) to = SELECT(condition, if_true, if_false)
#define WHERE_NEEDED(condition)
#define SLEEF(NAME, a) sleef_steps[KFN_##NAME](b, a)
#else
#ifdef WORDS_F64
#define REAL double
#define BITS uint64_t
#define SIGNED_BITS int64_t
#define OF(name) name##_f64
#define FMA fma
#define COPYSIGN copysign
#define FLOOR floor
#define SQRT sqrt
#define SLEEF(NAME, a) kfn_f64(KFN_##NAME, &(a))
#else
#define REAL float
#define BITS uint32_t
#define SIGNED_BITS int32_t
#define OF(name) name##_f32
#define FMA fmaf
#define COPYSIGN copysignf
#define FLOOR floorf
#define SQRT sqrtf
#define SLEEF(NAME, a) kfn_f32(KFN_##NAME, &(a))
#endif
#define CONDITION bool
#define ARGS(...) (__VA_ARGS__)
#define CALL(name, ...) OF(name)(__VA_ARGS__)
#define FORM OF(form)
#define N(number) ((REAL)(number))
#define F(member) N(FORM.member)
#define B(number) ((BITS)(number))
#define TOP_BIT (8 * (int)sizeof(BITS) - 1)
#define BITS_OF(a) OF(bits_of)(a)
#define NUMBER_OF(a) OF(number_of)(a)
#define FIELD(bits) ((REAL)((SIGNED_BITS)(bits) >> FORM.mantissa))
#define ADD(a, b) ((a) + (b))
#define SUB(a, b) ((a) - (b))
#define MUL(a, b) ((a) * (b))
#define DIV(a, b) ((a) / (b))
#define NEG(a) (-(a))
#define ABS(a) COPYSIGN(a, 1)
#define LT(a, b) ((a) < (b))
#define LE(a, b) ((a) <= (b))
#define GT(a, b) ((a) > (b))
#define GE(a, b) ((a) >= (b))
#define EQ(a, b) ((a) == (b))
#define NE(a, b) ((a) != (b))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))
#define SHL(a, by) ((a) << (by))
#define SHR(a, by) ((a) >> (by))
#define BOTH(a, b) ((a) && (b))
#define EITHER(a, b) ((a) || (b))
#define NOT(a) (!(a))
#define SELECT(condition, if_true, if_false) ((condition) ? (if_true) : (if_false))
#define WHERE_NEEDED(condition) if (condition)
#define RARELY(to, condition, if_true, if_false) to = SELECT(condition, if_true, if_false)
#endif
