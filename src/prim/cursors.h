/* cursors.h - where elements are: boxes, cursors, and reading and writing by them. */
#ifndef TSR_SRC_PRIM_PLACES_H
#define TSR_SRC_PRIM_PLACES_H
#include "prim/dtypes.h"

/* ---- cursors.c. A `box` copies elements between two strided arrays; a `cursor` visits the
 * elements of one in row-major order. Strides count elements. Dims of size 1 are left out. An array
 * that is not empty has at most 62 others, because its number of elements fits int64_t. */
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
/* Lines along a dim are counted in row-major order of the others. Where one begins, in elements */
int64_t line_at(const type *, int dim, int64_t line);
int64_t lines_of(const type *, int dim);
/* Lines of n elements are shared by workers: into how many parts each of them is cut. It is 1 where
 * there are many lines, or short ones */
int64_t line_parts(int64_t lines, int64_t n);
/* an index of any integer dtype; what is beyond i64 is the largest one */
int64_t index_value(tsr_dtype, const void *x);

/* n elements from x[at] on, `stride` apart, widened. As float or double: f16, bf16, f32 (f64), bool
 * and integers. As 64 bits, sign extended: bool and integers. As complex: complex. */
void read_f32(float *to, tsr_dtype, const void *x, int64_t at, int64_t stride, int n);
void read_f64(double *to, tsr_dtype, const void *x, int64_t at, int64_t stride, int n);
void read_u64(uint64_t *to, tsr_dtype, const void *x, int64_t at, int64_t stride, int n);
void read_c64(c64 *to, tsr_dtype, const void *x, int64_t at, int64_t stride, int n);
void read_c128(c128 *to, tsr_dtype, const void *x, int64_t at, int64_t stride, int n);
/* Rows that compute so have one function for each of these forms; signed integers are one by
 * themselves, though computed as 64 bits */
enum { DTYPE_FORMS = 6 };
#define IN_FORMS(fn, i64_) fn##_f32, fn##_f64, i64_, fn##_u64, fn##_c64, fn##_c128
int dtype_form(tsr_dtype);
/* the next n of a cursor, likewise */
void gather_f32(float *to, tsr_dtype, const void *x, cursor *, int n);
void gather_f64(double *to, tsr_dtype, const void *x, cursor *, int n);
void gather_u64(uint64_t *to, tsr_dtype, const void *x, cursor *, int n);
void gather_c64(c64 *to, tsr_dtype, const void *x, cursor *, int n);
void gather_c128(c128 *to, tsr_dtype, const void *x, cursor *, int n);
/* n elements to y[at] and on, from their wide form, rounded or cut off */
void write_f32(tsr_dtype, void *y, int64_t at, int64_t stride, const float *from, int n);
void write_f64(tsr_dtype, void *y, int64_t at, int64_t stride, const double *from, int n);
void write_u64(tsr_dtype, void *y, int64_t at, int64_t stride, const uint64_t *from, int n);
void write_c64(tsr_dtype, void *y, int64_t at, int64_t stride, const c64 *from, int n);
void write_c128(tsr_dtype, void *y, int64_t at, int64_t stride, const c128 *from, int n);
/* one element from its wide form, rounded or cut off */
void put_f32(tsr_dtype, void *y, int64_t at, float);
void put_f64(tsr_dtype, void *y, int64_t at, double);
void put_u64(tsr_dtype, void *y, int64_t at, uint64_t);
void put_c64(tsr_dtype, void *y, int64_t at, c64);
void put_c128(tsr_dtype, void *y, int64_t at, c128);

#endif
