/* dtypes.h - sets of dtypes, for type rules and for typed loops.
 *
 * A loop is written once, for a list of dtypes. Each entry of a list names a dtype, its type in
 * memory, the wider type that it is computed in, and how to convert between the two. f16 and bf16
 * are computed in f32 and rounded at the end; integers that wrap are computed as uint64_t and
 * truncated.
 *
 *     #define DOUBLE_IT(dtype_, mem_, wide_, LOAD, STORE, ...) \
 *             case dtype_: ((mem_ *)y)[0] = STORE(2 * LOAD(((const mem_ *)x)[0])); break;
 *     switch (dtype) { FLOAT_CASES(DOUBLE_IT, ) default: break; } */
#ifndef TSR_SRC_PRIM_DTYPES_H
#define TSR_SRC_PRIM_DTYPES_H
#include <complex.h>
#include "prim/prim.h"

typedef float _Complex c64;
typedef double _Complex c128;

/* NAME_CASES, for loops. An entry: dtype, in memory, computed in, load, store */
#define LOAD_BOOL(x) ((x) != 0)
#define STORE_BOOL(x) ((uint8_t)((x) != 0))
#define BOOL_CASES(CASE, ...) \
	CASE(TSR_BOOL, uint8_t, uint64_t, LOAD_BOOL, STORE_BOOL, __VA_ARGS__)
#define SIGNED_CASES(CASE, ...) \
	CASE(TSR_I8, int8_t, int64_t, , (int8_t), __VA_ARGS__) \
	CASE(TSR_I16, int16_t, int64_t, , (int16_t), __VA_ARGS__) \
	CASE(TSR_I32, int32_t, int64_t, , (int32_t), __VA_ARGS__) \
	CASE(TSR_I64, int64_t, int64_t, , , __VA_ARGS__)
#define UNSIGNED_CASES(CASE, ...) \
	CASE(TSR_U8, uint8_t, uint64_t, , (uint8_t), __VA_ARGS__) \
	CASE(TSR_U16, uint16_t, uint64_t, , (uint16_t), __VA_ARGS__) \
	CASE(TSR_U32, uint32_t, uint64_t, , (uint32_t), __VA_ARGS__) \
	CASE(TSR_U64, uint64_t, uint64_t, , , __VA_ARGS__)
/* all integers, computed as unsigned: sums, products and bits wrap */
#define WRAP_CASES(CASE, ...) \
	CASE(TSR_I8, int8_t, uint64_t, (uint64_t), (int8_t), __VA_ARGS__) \
	CASE(TSR_I16, int16_t, uint64_t, (uint64_t), (int16_t), __VA_ARGS__) \
	CASE(TSR_I32, int32_t, uint64_t, (uint64_t), (int32_t), __VA_ARGS__) \
	CASE(TSR_I64, int64_t, uint64_t, (uint64_t), (int64_t), __VA_ARGS__) \
	UNSIGNED_CASES(CASE, __VA_ARGS__)
#define FLOAT_CASES(CASE, ...) \
	CASE(TSR_F16, uint16_t, float, f16_to_f32, f32_to_f16, __VA_ARGS__) \
	CASE(TSR_BF16, uint16_t, float, bf16_to_f32, f32_to_bf16, __VA_ARGS__) \
	CASE(TSR_F32, float, float, , , __VA_ARGS__) CASE(TSR_F64, double, double, , , __VA_ARGS__)
#define COMPLEX_CASES(CASE, ...) \
	CASE(TSR_C64, c64, c64, , , __VA_ARGS__) CASE(TSR_C128, c128, c128, , , __VA_ARGS__)
#define INEXACT_CASES(CASE, ...) FLOAT_CASES(CASE, __VA_ARGS__) COMPLEX_CASES(CASE, __VA_ARGS__)
#define NUMBER_CASES(CASE, ...) WRAP_CASES(CASE, __VA_ARGS__) INEXACT_CASES(CASE, __VA_ARGS__)
#define ALL_CASES(CASE, ...) BOOL_CASES(CASE, __VA_ARGS__) NUMBER_CASES(CASE, __VA_ARGS__)
#define BITS_CASES(CASE, ...) BOOL_CASES(CASE, __VA_ARGS__) WRAP_CASES(CASE, __VA_ARGS__)
#define REAL_CASES(CASE, ...) \
	SIGNED_CASES(CASE, __VA_ARGS__) \
	UNSIGNED_CASES(CASE, __VA_ARGS__) \
	FLOAT_CASES(CASE, __VA_ARGS__)
#define SIGNED_NUMBER_CASES(CASE, ...) \
	REAL_CASES(CASE, __VA_ARGS__) COMPLEX_CASES(CASE, __VA_ARGS__)
#define SIGNED_ALL_CASES(CASE, ...) \
	ORDERED_CASES(CASE, __VA_ARGS__) COMPLEX_CASES(CASE, __VA_ARGS__)
#define ORDERED_CASES(CASE, ...) BOOL_CASES(CASE, __VA_ARGS__) REAL_CASES(CASE, __VA_ARGS__)

/* NAME_KINDS, for type rules: the same sets as bits, one for each kind */
#define ONE_KIND(kind) (1u << (kind))
#define BOOL_KINDS ONE_KIND(KIND_BOOL)
#define WRAP_KINDS (ONE_KIND(KIND_INT) | ONE_KIND(KIND_UINT))
#define FLOAT_KINDS ONE_KIND(KIND_FLOAT)
#define INEXACT_KINDS (FLOAT_KINDS | ONE_KIND(KIND_COMPLEX))
#define NUMBER_KINDS (WRAP_KINDS | INEXACT_KINDS)
#define SIGNED_NUMBER_KINDS NUMBER_KINDS
#define ALL_KINDS (BOOL_KINDS | NUMBER_KINDS)
#define SIGNED_ALL_KINDS ALL_KINDS
#define BITS_KINDS (BOOL_KINDS | WRAP_KINDS)
#define REAL_KINDS (WRAP_KINDS | FLOAT_KINDS)
#define ORDERED_KINDS (BOOL_KINDS | REAL_KINDS)

#endif
