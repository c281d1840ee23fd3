/* fft_lanes.c - Fourier transforms of blocks of lines, for both dtypes and each size of vectors. */
#include "prim/fourier/fft.h"

#if defined __x86_64__
#define TARGET_OF(set) __attribute__((target(set)))
#else
#define TARGET_OF(set)
#endif
#define INLINE TARGET static inline __attribute__((always_inline))
#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

/* of the numbers of two vectors, one behind the other: every second one, and the halves of both put
 * between each other */
#define EVEN_2 0, 2
#define ODD_2 1, 3
#define LOW_2 0, 2
#define HIGH_2 1, 3
#define EVEN_4 0, 2, 4, 6
#define ODD_4 1, 3, 5, 7
#define LOW_4 0, 4, 1, 5
#define HIGH_4 2, 6, 3, 7
#define EVEN_8 0, 2, 4, 6, 8, 10, 12, 14
#define ODD_8 1, 3, 5, 7, 9, 11, 13, 15
#define LOW_8 0, 8, 1, 9, 2, 10, 3, 11
#define HIGH_8 4, 12, 5, 13, 6, 14, 7, 15
#define EVEN_16 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define ODD_16 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define LOW_16 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH_16 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31

#define TARGET
#define REAL float
#define LANES 4
#define OF(name) name##_f32_16
#include "prim/fourier/fft_lanes.h"
#define REAL double
#define LANES 2
#define OF(name) name##_f64_16
#include "prim/fourier/fft_lanes.h"
#undef TARGET

#if defined __x86_64__
#define TARGET TARGET_OF("avx2")
#define REAL float
#define LANES 8
#define OF(name) name##_f32_32
#include "prim/fourier/fft_lanes.h"
#define REAL double
#define LANES 4
#define OF(name) name##_f64_32
#include "prim/fourier/fft_lanes.h"
#undef TARGET

#define TARGET TARGET_OF("avx512f,avx512vl,avx512bw,avx512dq")
#define REAL float
#define LANES 16
#define OF(name) name##_f32_64
#include "prim/fourier/fft_lanes.h"
#define REAL double
#define LANES 8
#define OF(name) name##_f64_64
#include "prim/fourier/fft_lanes.h"
#undef TARGET
#endif

const fft_lanes *fft_lanes_of(tsr_dtype real)
{
#if defined __x86_64__
	switch (instructions_chosen()) {
	case 64: return real == TSR_F32 ? &functions_f32_64 : &functions_f64_64;
	case 32: return real == TSR_F32 ? &functions_f32_32 : &functions_f64_32;
	default: break;
	}
#endif
	return real == TSR_F32 ? &functions_f32_16 : &functions_f64_16;
}
