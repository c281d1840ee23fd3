/* in_f64.h - rows of floats that are computed in f64, also for narrower dtypes: as C and as nodes
 * of a kernel, step by step alike. */
#ifndef TSR_SRC_PRIM_IN_F64_H
#define TSR_SRC_PRIM_IN_F64_H
#include "prim/elementwise.h"

/* ---- nodes */

/* a row of one float that is computed in f64 */
static inline kvar in_f64(kernel *k, kvar a, kvar (*of)(kernel *, kvar))
{
	return k_convert(k, of(k, k_convert(k, a, TSR_F64)), k_dtype(k, a));
}

static inline kvar in_f64_2(kernel *k, kvar a, kvar b, kvar (*of)(kernel *, kvar, kvar))
{
	const kvar y = of(k, k_convert(k, a, TSR_F64), k_convert(k, b, TSR_F64));

	return k_convert(k, y, k_dtype(k, a));
}

#define BY_F64(name) \
	static float name##_f32(float x) { return (float)name##_f64((double)x); }
#define BY_F64_2(name) \
	static float name##_f32(float x, float y) \
	{ \
		return (float)name##_f64((double)x, (double)y); \
	}
#define REAL_OF(name, a) _Generic((a), float : name##_f32, double : name##_f64)

/* words of nodes, in f64 */
#define N(number) k_number(k, TSR_F64, number)
#define PLUS(p, q) K2(ADD, p, q)
#define LESS(p, q) K2(SUB, p, q)
#define TIMES(p, q) K2(MUL, p, q)
#define OVER(p, q) K2(DIV, p, q)
#define IS(op, p, q) K2(op, p, q)

#endif
