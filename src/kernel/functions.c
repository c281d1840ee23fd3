/* functions.c - calls the elementary functions that are SLEEF's: its deterministic family (finz:
 * fused multiply-add, the same bits for one lane and for sixteen). */
#include "kernel/kernel.h"

#define OPERANDS_1(t) t
#define OPERANDS_2(t) t, t
#define CALL_1(f, x) f((x)[0])
#define CALL_2(f, x) f((x)[0], (x)[1])
#define F32(name, bound) Sleef_finz_##name##f1_##bound##purecfma
#define F64(name, bound) Sleef_finz_##name##d1_##bound##purecfma

/* sleef.h declares this family only for compilers that may use fma everywhere, but libsleef always
 * has it */
#define FUNCTION(NAME, name, n, bound) \
	float F32(name, bound)(OPERANDS_##n(float)); \
	double F64(name, bound)(OPERANDS_##n(double));
#define FUNCTION_F64(NAME, name, n, bound) double F64(name, bound)(OPERANDS_##n(double));
#include "kernel/functions.def"

float kfn_f32(kfn f, const float *x)
{
	switch (f) {
#define FUNCTION(NAME, name, n, bound) \
	case KFN_##NAME: return CALL_##n(F32(name, bound), x);
#include "kernel/functions.def"
	default: return 0; /* of f64 alone */
	}
}

double kfn_f64(kfn f, const double *x)
{
	switch (f) {
#define FUNCTION(NAME, name, n, bound) \
	case KFN_##NAME: return CALL_##n(F64(name, bound), x);
#define FUNCTION_F64 FUNCTION
#include "kernel/functions.def"
	default: return 0; /* no function */
	}
}
