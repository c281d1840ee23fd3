/* places.h - where elements are: boxes, cursors, and reading and writing by them. */
#ifndef TSR_SRC_PRIM_PLACES_H
#define TSR_SRC_PRIM_PLACES_H
#include "prim/dtypes.h"

/* ---- places.c. A `box` copies elements between two strided arrays; a `cursor` visits the elements
 * of one in row-major order. Strides count elements. Dims of size 1 are left out. An array that is
 * not empty has at most 62 others, because its number of elements fits int64_t. */
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
	int64_t at; /* place of the element it is on */
} cursor;
void cursor_dim(cursor *, int64_t size, int64_t stride); /* appends an inner dim */
/* must not go past the end of the innermost dim, except to its end, where it wraps around */
void cursor_next(cursor *, int64_t steps);
void cursor_skip(cursor *, int64_t steps);   /* from the beginning, any number of steps */
cursor cursor_across(const type *, int dim); /* all dims but one, at its first element */
int64_t dims_stride(const type *, int dim);  /* of a dim, row-major, in elements */
/* an index of any integer dtype; what is beyond i64 is the largest one */
int64_t index_value(tsr_dtype, const void *x);

/* The next n elements, widened. As float or double: f16, bf16, f32 (f64), bool and integers. As 64
 * bits, sign extended: bool and integers. As complex: complex. */
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

#endif
