/* linalg_numbers.c - the algorithms of linear algebra for each of their dtypes. */
#include <float.h>
#include <math.h>
#include "prim/linear/linalg.h"
#include "prim/numbers.h"

#define LARGER(a, b) ((a) < (b) ? (b) : (a))
#define PARTS_OF(number) ((int64_t)(sizeof(number) / sizeof(REAL)))
enum {
	ABREAST = 8,     /* systems of equations that are solved side by side */
	SWEEPS = 60,     /* of Jacobi, at most; ten are many */
	MOST_STEPS = 300 /* of the QR algorithm, for one eigenvalue or two; three are usual */
};

static inline float self_f32(float x) { return x; }
static inline double self_f64(double x) { return x; }
static inline float div_f32(float a, float b) { return a / b; }
static inline double div_f64(double a, double b) { return a / b; }
static inline float parts_c64(c64 z) { return fabsf(crealf(z)) + fabsf(cimagf(z)); }
static inline double parts_c128(c128 z) { return fabs(creal(z)) + fabs(cimag(z)); }

/* what the algorithms do with numbers, real or complex ones */
#define FOR_EACH(x, of_f32, of_f64, of_c64, of_c128) \
	_Generic((x), float : of_f32, double : of_f64, c64 : of_c64, c128 : of_c128)
#define CONJ(x) FOR_EACH(x, self_f32, self_f64, conjf, conj)(x)
#define REAL_PART(x) FOR_EACH(x, self_f32, self_f64, crealf, creal)(x)
#define ROOT(x) FOR_EACH(x, sqrtf, sqrt, sqrt_c64, sqrt_c128)(x)
#define SIZE(x) FOR_EACH(x, fabsf, fabs, abs_c64, abs_c128)(x)
#define PARTS(x) FOR_EACH(x, fabsf, fabs, parts_c64, parts_c128)(x)
#define TIMES(a, b) FOR_EACH((a) * (b), mul_f32, mul_f64, mul_c64, mul_c128)(a, b)
#define OVER(a, b) FOR_EACH((a) * (b), div_f32, div_f64, div_c64, div_c128)(a, b)
#define EPSILON _Generic((REAL)0, float : FLT_EPSILON, double : DBL_EPSILON)
#define LEAST _Generic((REAL)0, float : FLT_MIN, double : DBL_MIN)
#define IS_COMPLEX (PARTS_OF(NUMBER) == 2)
#define COMPLEX REAL _Complex

#define NUMBER float
#define REAL float
#define OF(name) name##_f32
#include "prim/linear/linalg_body.h"
#define NUMBER double
#define REAL double
#define OF(name) name##_f64
#include "prim/linear/linalg_body.h"
#define NUMBER c64
#define REAL float
#define OF(name) name##_c64
#include "prim/linear/linalg_body.h"
#define NUMBER c128
#define REAL double
#define OF(name) name##_c128
#include "prim/linear/linalg_body.h"

const matrix_algorithms *matrix_algorithms_of(tsr_dtype dtype)
{
	return dtype == TSR_F32   ? &algorithms_f32
	       : dtype == TSR_F64 ? &algorithms_f64
	       : dtype == TSR_C64 ? &algorithms_c64
				  : &algorithms_c128;
}
