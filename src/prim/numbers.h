/* numbers.h - functions of numbers that are chosen by the type of their operands. */
#ifndef TSR_SRC_PRIM_NUMBERS_H
#define TSR_SRC_PRIM_NUMBERS_H
#include "kernel/kernel.h"
#include "prim/dtypes.h"

/* ---- the larger and the smaller of two numbers; scalar.c of kernel/ has the floats */
static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }
static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }
static inline uint64_t max_u64(uint64_t a, uint64_t b) { return a > b ? a : b; }
static inline uint64_t min_u64(uint64_t a, uint64_t b) { return a < b ? a : b; }
#define ORDERED_OF(fn, a, b) \
	_Generic((a), float: fn##_f32, double: fn##_f64, int64_t: fn##_i64, uint64_t: fn##_u64) \
	(a, b)
#define ANY_OF(fn, a, b) \
	_Generic((a), float: fn##_f32, double: fn##_f64, int64_t: fn##_i64, uint64_t: fn##_u64, \
	         c64: fn##_c64, c128: fn##_c128)(a, b)
#define MAX_OF(a, b) ORDERED_OF(max, a, b)
#define MIN_OF(a, b) ORDERED_OF(min, a, b)
#define MAX_OF_ALL(a, b) ANY_OF(max, a, b)
#define MIN_OF_ALL(a, b) ANY_OF(min, a, b)

/* ---- elementwise/complex.c: c64 computes in c128 and rounds each part once, save products */
c64 sqrt_c64(c64), mul_c64(c64, c64), div_c64(c64, c64);
c128 sqrt_c128(c128), mul_c128(c128, c128), div_c128(c128, c128);
c64 max_c64(c64, c64), min_c64(c64, c64);
c128 max_c128(c128, c128), min_c128(c128, c128);
float abs_c64(c64);
double abs_c128(c128);
static inline float mul_f32(float a, float b) { return a * b; }
static inline double mul_f64(double a, double b) { return a * b; }
static inline uint64_t mul_u64(uint64_t a, uint64_t b) { return a * b; }
#define MUL_OF(a, b) \
	_Generic((a), float: mul_f32, double: mul_f64, uint64_t: mul_u64, c64: mul_c64, \
	         c128: mul_c128)(a, b)

#endif
