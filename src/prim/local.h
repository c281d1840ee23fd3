/* local.h - what the rows of local primitives share: kinds of dtypes, checks, factor rules, typed
 * loops, index walks.
 *
 * A loop is written once, over a list of dtypes: each entry of a list names a dtype, its type in
 * memory, the wider type it is computed in, and how to get from one to the other and back. f16 and
 * bf16 are computed in f32 and rounded at the end; integers that wrap are computed in 64 bits
 * without sign and cut off. */
#ifndef TSR_SRC_PRIM_LOCAL_H
#define TSR_SRC_PRIM_LOCAL_H
#include <complex.h>
#include "kernel/kernel.h"
#include "prim/prim.h"

typedef float _Complex c64;
typedef double _Complex c128;

/* ---- sets of dtypes: NAME_KINDS for type rules, NAME_CASES for loops. An entry: dtype, in memory,
 * computed in, load, store */
#define ONE_KIND(kind) (1u << (kind))
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
/* all integers, without sign: sums, products and bits wrap */
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
#define ORDERED_CASES(CASE, ...) BOOL_CASES(CASE, __VA_ARGS__) REAL_CASES(CASE, __VA_ARGS__)

#define BOOL_KINDS ONE_KIND(KIND_BOOL)
#define WRAP_KINDS (ONE_KIND(KIND_INT) | ONE_KIND(KIND_UINT))
#define FLOAT_KINDS ONE_KIND(KIND_FLOAT)
#define INEXACT_KINDS (FLOAT_KINDS | ONE_KIND(KIND_COMPLEX))
#define NUMBER_KINDS (WRAP_KINDS | INEXACT_KINDS)
#define SIGNED_NUMBER_KINDS NUMBER_KINDS
#define ALL_KINDS (BOOL_KINDS | NUMBER_KINDS)
#define BITS_KINDS (BOOL_KINDS | WRAP_KINDS)
#define REAL_KINDS (WRAP_KINDS | FLOAT_KINDS)
#define ORDERED_KINDS (BOOL_KINDS | REAL_KINDS)

/* ---- the constructor of rows that are not elementwise: the name and its sentence, the number of
 * operands, the parameters and further columns, with rules called name_types, name_factors,
 * name_eval and name_lower */
#define PARAM(record, member, kind) {#member, offsetof(record, member), kind, NULL}
#define PARAMS_END {NULL, 0, 0, NULL}
#define LOCAL_ROW(prim_, doc_, nin_, fields_, ...) \
	const tsr_prim tsr__prim_##prim_ = { \
		.name = #prim_, .doc = doc_, .nin = nin_, .nout = 1, .params = fields_, \
		.types = prim_##_types, .factors = prim_##_factors, .eval = prim_##_eval, \
		.lower = prim_##_lower, __VA_ARGS__ \
	};
/* rules of a row with one operand. TRANSPOSE_AS: the cotangent of the operand, whose type is in[0],
 * from the result's, *ct. BATCH_AS: the parameters of the same row for a batch of to->size */
#define TRANSPOSE_AS(prim_, ...) \
	static void prim_##_transpose(build *b, const eqn *e, const type *const *in, const var *x, \
	                              const var *ct, var *dx) \
	{ \
		(void)e, (void)in, (void)x; \
		dx[0] = __VA_ARGS__; \
	}
#define BATCH_AS(prim_, ...) \
	static void prim_##_batch(build *b, const eqn *e, const batching *to, const var *x, \
	                          const bool *mapped, var *y, bool *ymapped) \
	{ \
		(void)to, (void)mapped; \
		y[0] = emit(b, e->prim, &(__VA_ARGS__), x, 1); \
		ymapped[0] = true; \
	}

/* ---- local.c: checks of the type rules; false: an error is recorded */
/* the shape that all operands have: rank-0 literals fit any, and so do rank-0 operands in the set
 * `scalars`. NULL: error */
const type *common_shape(build *, const eqn *, const type *const *in, unsigned scalars);
/* operands of a common shape and of one dtype among `kinds`. result: TSR_DTYPE_DEFAULT is the
 * operands' */
bool types_elementwise(build *, const eqn *, const type *const *in, const type **out,
                       unsigned kinds, tsr_dtype result);
bool check_kind(build *, const eqn *, const type *, unsigned kinds);
bool check_same_dtypes(build *, const eqn *, const type *const *in, int first, int n);
/* dims that are in range and increase, for a parameter that messages call `what` */
bool check_dims_rise(build *, const eqn *, const char *what, const ints *, int ndim);
/* the list has n entries */
bool check_length(build *, const eqn *, const char *what, const ints *, int n);
bool check_known_dtype(build *, const eqn *, tsr_dtype);
/* TSR_ERROR_TYPE */
bool fail_type(build *, const eqn *, const char *format, ...) PRINTF_LIKE(3, 4);
/* the type of the result; the build sets what varies */
bool give_type(build *, tsr_dtype, const int64_t *dims, int ndim, const type **out);
/* in the build's arena; NULL: an error is recorded */
int64_t *dims_room(build *, int ndim);
/* for messages, in the arena of the build: "f32[2,3]", "f32[2,3], f32[4] and f32[]", "(2, 3)" */
const char *type_words(build *, const type *);
const char *types_words(build *, const type *const *, int n);
const char *dims_words(build *, const int64_t *dims, int ndim);

/* ---- lists.c: lists in the build's arena. Where memory ends they mark the build and are empty */
static inline bool listed(const ints *list, int64_t entry)
{
	for (int i = 0; i < list->n; i++)
		if (list->v[i] == entry) return true;
	return false;
}
int64_t *list_room(build *, int n);
ints list_plus(build *, const ints *, int64_t add); /* each entry, and `add` more */
/* `first`, then each entry and `add` more */
ints list_behind(build *, int64_t first, const ints *, int64_t add);
ints list_others(build *, int n, const ints *); /* of 0 .. n-1 those not listed */
var *var_room(build *, int64_t n);
/* x for each element of the batch: itself where it is mapped */
var batch_whole(build *, const batching *, var x, bool mapped);

/* ---- local.c: factor rules */
void factors_elementwise(const eqn *, const type *const *in, const type *const *out, factors *);
/* one factor for a dim of operand 0 and a dim of the result */
void factor_shared(const eqn *, const type *const *in, factors *, int in_dim, int out_dim,
                   factor_kind);
/* a dim that must be whole; size 1 needs no factor */
void factor_whole(factors *, int value, int dim, int64_t size);
/* one factor for this dim of operand 0 and of the result if all of it is kept; otherwise both are
 * whole */
void factor_kept(const eqn *, const type *const *in, const type *const *out, factors *, int dim,
                 bool kept);

/* ---- local.c: places. A `box` copies elements between two strided arrays; a `cursor` visits one
 * in row-major order of its dims. Strides count elements. Dims of size 1 are left out, and what is
 * not empty has at most 62 others. */
#define MAX_LONG_DIMS 62
typedef struct box {
	int ndim;
	int64_t dims[MAX_LONG_DIMS], to[MAX_LONG_DIMS], from[MAX_LONG_DIMS];
} box;
void box_dim(box *, int64_t size, int64_t to_stride, int64_t from_stride);
void box_copy(const box *, tsr_dtype, void *out, int64_t out_at, const void *in, int64_t in_at);

typedef struct cursor {
	int ndim;
	int64_t dims[MAX_LONG_DIMS], stride[MAX_LONG_DIMS], index[MAX_LONG_DIMS];
	int64_t at;                /* place of the element it is on */
} cursor;
void cursor_dim(cursor *, int64_t size, int64_t stride);               /* appends an inner dim */
/* not past the end of the innermost dim, save to wrap around */
void cursor_next(cursor *, int64_t steps);
int64_t dims_stride(const type *, int dim); /* of a dim, row-major, in elements */

/* the next n elements, widened: f16, bf16, f32 (and f64) floats; bool and integers as 64 bits, sign
 * extended; complex */
void gather_f32(float *to, tsr_dtype, const void *x, cursor *, int n);
void gather_f64(double *to, tsr_dtype, const void *x, cursor *, int n);
void gather_u64(uint64_t *to, tsr_dtype, const void *x, cursor *, int n);
void gather_c64(c64 *to, tsr_dtype, const void *x, cursor *, int n);
void gather_c128(c128 *to, tsr_dtype, const void *x, cursor *, int n);
/* one element from its wide form, rounded or cut off */
void put_f32(tsr_dtype, void *y, int64_t at, float);
void put_f64(tsr_dtype, void *y, int64_t at, double);
void put_u64(tsr_dtype, void *y, int64_t at, uint64_t);
void put_c64(tsr_dtype, void *y, int64_t at, c64);
void put_c128(tsr_dtype, void *y, int64_t at, c128);

/* ---- the larger and the smaller of two numbers; scalar.c of kernel/ has the floats */
static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }
static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }
static inline uint64_t max_u64(uint64_t a, uint64_t b) { return a > b ? a : b; }
static inline uint64_t min_u64(uint64_t a, uint64_t b) { return a < b ? a : b; }
#define ORDERED_OF(fn, a, b) \
	_Generic((a), float: fn##_f32, double: fn##_f64, int64_t: fn##_i64, uint64_t: fn##_u64) \
	(a, b)
#define MAX_OF(a, b) ORDERED_OF(max, a, b)
#define MIN_OF(a, b) ORDERED_OF(min, a, b)

/* ---- complex.c: c64 computes in c128 and rounds each part once, save products */
#define COMPLEX_UNARY(name) c64 name##_c64(c64); c128 name##_c128(c128);
COMPLEX_UNARY(sign) COMPLEX_UNARY(exp) COMPLEX_UNARY(exp2) COMPLEX_UNARY(expm1)
COMPLEX_UNARY(log) COMPLEX_UNARY(log1p) COMPLEX_UNARY(logistic) COMPLEX_UNARY(tanh)
COMPLEX_UNARY(sin) COMPLEX_UNARY(cos) COMPLEX_UNARY(sqrt) COMPLEX_UNARY(rsqrt)
#undef COMPLEX_UNARY
c64 mul_c64(c64, c64), div_c64(c64, c64), pow_c64(c64, c64);
c128 mul_c128(c128, c128), div_c128(c128, c128), pow_c128(c128, c128);
float abs_c64(c64);
double abs_c128(c128);
static inline float mul_f32(float a, float b) { return a * b; }
static inline double mul_f64(double a, double b) { return a * b; }
static inline uint64_t mul_u64(uint64_t a, uint64_t b) { return a * b; }
#define MUL_OF(a, b) \
	_Generic((a), float: mul_f32, double: mul_f64, uint64_t: mul_u64, c64: mul_c64, \
	         c128: mul_c128)(a, b)

#endif
