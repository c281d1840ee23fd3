/* linalg_numbers.c - the algorithms of linear algebra for each of their dtypes. */
#include <float.h>
#include <math.h>
#include "prim/linear/linalg.h"
#include "prim/numbers.h"

#define SAME(x) (x)
#define LARGER(a, b) ((a) < (b) ? (b) : (a))
#define PARTS_OF(number) ((int64_t)(sizeof(number) / sizeof(REAL)))
enum {
	ABREAST = 8,     /* systems of equations that are solved side by side */
	SWEEPS = 60,     /* of Jacobi, at most; ten are many */
	MOST_STEPS = 300 /* of the QR algorithm, for one eigenvalue or two; three are usual */
};

#define NUMBER float
#define REAL float
#define OF(name) name##_f32
#define CONJ SAME
#define REAL_PART SAME
#define ROOT sqrtf
#define SIZE fabsf
#define PARTS fabsf
#define EPSILON FLT_EPSILON
#define TIMES(a, b) ((a) * (b))
#define OVER(a, b) ((a) / (b))
#define LEAST FLT_MIN
#define ANY_ROOT sqrtf
#define IS_COMPLEX false
#define COMPLEX c64
#define C_CONJ conjf
#define C_SIZE abs_c64
#define C_TIMES mul_c64
#define C_OVER div_c64
#include "prim/linear/linalg_body.h"

#define NUMBER double
#define REAL double
#define OF(name) name##_f64
#define CONJ SAME
#define REAL_PART SAME
#define ROOT sqrt
#define SIZE fabs
#define PARTS fabs
#define EPSILON DBL_EPSILON
#define TIMES(a, b) ((a) * (b))
#define OVER(a, b) ((a) / (b))
#define LEAST DBL_MIN
#define ANY_ROOT sqrt
#define IS_COMPLEX false
#define COMPLEX c128
#define C_CONJ conj
#define C_SIZE abs_c128
#define C_TIMES mul_c128
#define C_OVER div_c128
#include "prim/linear/linalg_body.h"

#define NUMBER c64
#define REAL float
#define OF(name) name##_c64
#define CONJ conjf
#define REAL_PART crealf
#define ROOT sqrtf
#define SIZE abs_c64
#define PARTS(x) (fabsf(crealf(x)) + fabsf(cimagf(x)))
#define EPSILON FLT_EPSILON
#define TIMES(a, b) mul_c64(a, b)
#define OVER(a, b) div_c64(a, b)
#define LEAST FLT_MIN
#define ANY_ROOT sqrt_c64
#define IS_COMPLEX true
#define COMPLEX c64
#define C_CONJ conjf
#define C_SIZE abs_c64
#define C_TIMES mul_c64
#define C_OVER div_c64
#include "prim/linear/linalg_body.h"

#define NUMBER c128
#define REAL double
#define OF(name) name##_c128
#define CONJ conj
#define REAL_PART creal
#define ROOT sqrt
#define SIZE abs_c128
#define PARTS(x) (fabs(creal(x)) + fabs(cimag(x)))
#define EPSILON DBL_EPSILON
#define TIMES(a, b) mul_c128(a, b)
#define OVER(a, b) div_c128(a, b)
#define LEAST DBL_MIN
#define ANY_ROOT sqrt_c128
#define IS_COMPLEX true
#define COMPLEX c128
#define C_CONJ conj
#define C_SIZE abs_c128
#define C_TIMES mul_c128
#define C_OVER div_c128
#include "prim/linear/linalg_body.h"

const matrix_algorithms *matrix_algorithms_of(tsr_dtype dtype)
{
	return dtype == TSR_F32   ? &algorithms_f32
	       : dtype == TSR_F64 ? &algorithms_f64
	       : dtype == TSR_C64 ? &algorithms_c64
				  : &algorithms_c128;
}
