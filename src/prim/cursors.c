/* cursors.c - cursors over the elements of strided arrays, and elements in their wide form. */
#include "prim/cursors.h"

/* ---- places */

int64_t dims_stride(const type *t, int dim)
{
	uint64_t stride = 1; /* may wrap where there are no elements */

	for (int d = dim + 1; d < t->ndim; d++) stride *= (uint64_t)t->dims[d];
	return (int64_t)stride;
}

int64_t lines_of(const type *t, int dim) { return t->size ? t->size / t->dims[dim] : 0; }

int64_t line_at(const type *t, int dim, int64_t line)
{
	const int64_t stride = dims_stride(t, dim);

	return line / stride * stride * t->dims[dim] + line % stride;
}

int64_t line_parts(int64_t lines, int64_t n)
{
	const int64_t most = n / TUNE_LINE_PART;

	if (lines >= TUNE_PARTS || most < 2) return 1;
	return most < TUNE_PARTS ? most : TUNE_PARTS;
}

int64_t index_value(tsr_dtype dtype, const void *x)
{
	int64_t index;
	int32_t usual;

	if (dtype == TSR_I32) return memcpy(&usual, x, sizeof usual), usual;
	dtype_convert(TSR_I64, &index, dtype, x, 1);
	return dtype == TSR_U64 && index < 0 ? INT64_MAX : index;
}

void box_dim(box *x, int64_t size, int64_t to_stride, int64_t from_stride)
{
	if (size == 1 || x->ndim == MAX_LONG_DIMS) return;
	x->dims[x->ndim] = size;
	x->to[x->ndim] = to_stride;
	x->from[x->ndim] = from_stride;
	x->ndim++;
}

void box_copy(const box *x, tsr_dtype dtype, void *out, int64_t out_at, const void *in,
              int64_t in_at)
{
	const int64_t item = (int64_t)tsr_dtype_size(dtype);
	int64_t to[MAX_LONG_DIMS], from[MAX_LONG_DIMS];

	for (int d = 0; d < x->ndim; d++) {
		if (x->dims[d] == 0) return;
		to[d] = x->to[d] * item;
		from[d] = x->from[d] * item;
	}
	copy_box((char *)out + out_at * item, to, (const char *)in + in_at * item, from, x->dims,
	         x->ndim, (size_t)item);
}

/* a dim that is contiguous with the dim before it is merged with it */
void cursor_dim(cursor *c, int64_t size, int64_t stride)
{
	const int last = c->ndim - 1;

	if (size == 1) return;
	if (last >= 0 && c->stride[last] == size * stride) {
		c->dims[last] *= size;
		c->stride[last] = stride;
	} else if (c->ndim < MAX_LONG_DIMS) {
		c->dims[c->ndim] = size;
		c->stride[c->ndim] = stride;
		c->ndim++;
	}
}

cursor cursor_across(const type *t, int dim)
{
	cursor c = {0};

	for (int d = 0; t->size && d < t->ndim; d++)
		if (d != dim) cursor_dim(&c, t->dims[d], dims_stride(t, d));
	return c;
}

void cursor_skip(cursor *c, int64_t steps)
{
	for (int d = c->ndim - 1; d >= 0 && steps; d--) {
		c->index[d] = steps % c->dims[d];
		c->at += c->index[d] * c->stride[d];
		steps /= c->dims[d];
	}
}

void cursor_next(cursor *c, int64_t steps)
{
	int d = c->ndim - 1;

	if (d < 0) return;
	c->index[d] += steps;
	c->at += steps * c->stride[d];
	while (c->index[d] == c->dims[d]) {
		c->index[d] = 0;
		c->at -= c->dims[d] * c->stride[d];
		if (--d < 0) return;
		c->index[d]++;
		c->at += c->stride[d];
	}
}

int dtype_form(tsr_dtype dtype)
{
	switch (dtype_kind(dtype)) {
	case KIND_FLOAT: return dtype == TSR_F64;
	case KIND_INT: return 2;
	case KIND_BOOL:
	case KIND_UINT: return 3;
	case KIND_COMPLEX: return dtype == TSR_C64 ? 4 : 5;
	}
	return 0;
}

/* ---- elements in their wide form. Those that are neighbours have loops of their own, which
 * compilers write with vectors */

static int run_length(const cursor *c, int n)
{
	const int64_t left = c->ndim ? c->dims[c->ndim - 1] - c->index[c->ndim - 1] : 1;

	return left < n ? (int)left : n;
}

#define READ_CASE(dtype_, mem_, wide_, LOAD, STORE, result_) \
	case dtype_: { \
		const mem_ *from = (const mem_ *)x + at; \
		if (stride == 1) \
			for (int i = 0; i < n; i++) to[i] = (result_)LOAD(from[i]); \
		else \
			for (int i = 0; i < n; i++) to[i] = (result_)LOAD(from[i * stride]); \
		break; \
	}
#define WRITE_CASE(dtype_, mem_, wide_, LOAD, STORE, result_) \
	case dtype_: { \
		mem_ *to = (mem_ *)y + at; \
		if (stride == 1) \
			for (int i = 0; i < n; i++) to[i] = STORE(from[i]); \
		else \
			for (int i = 0; i < n; i++) to[i * stride] = STORE(from[i]); \
		break; \
	}
#define PUT_CASE(dtype_, mem_, wide_, LOAD, STORE, result_) \
	case dtype_: \
		((mem_ *)y)[at] = STORE(value); \
		break;
#define NARROW_FLOAT_CASES(CASE, ...) \
	CASE(TSR_F16, uint16_t, float, f16_to_f32, f32_to_f16, __VA_ARGS__) \
	CASE(TSR_BF16, uint16_t, float, bf16_to_f32, f32_to_bf16, __VA_ARGS__) \
	CASE(TSR_F32, float, float, , , __VA_ARGS__)
#define DOUBLE_CASES(CASE, ...) \
	CASE(TSR_F16, uint16_t, float, f16_to_f32, f64_to_f16, __VA_ARGS__) \
	CASE(TSR_BF16, uint16_t, float, bf16_to_f32, f64_to_bf16, __VA_ARGS__) \
	CASE(TSR_F32, float, float, , (float), __VA_ARGS__) \
	CASE(TSR_F64, double, double, , , __VA_ARGS__)
#define WIDE_FORM(suffix, wide_, set, put_set) \
	void read_##suffix(wide_ *to, tsr_dtype dtype, const void *x, int64_t at, int64_t stride, \
	                   int n) \
	{ \
		switch (dtype) { \
			set##_CASES(READ_CASE, wide_) default : break; \
		} \
	} \
	void write_##suffix(tsr_dtype dtype, void *y, int64_t at, int64_t stride, \
	                    const wide_ *from, int n) \
	{ \
		switch (dtype) { \
			put_set##_CASES(WRITE_CASE, wide_) default : break; \
		} \
	} \
	void gather_##suffix(wide_ *to, tsr_dtype dtype, const void *x, cursor *c, int n) \
	{ \
		const int64_t stride = c->ndim ? c->stride[c->ndim - 1] : 0; \
		while (n > 0) { \
			const int run = run_length(c, n); \
			read_##suffix(to, dtype, x, c->at, stride, run); \
			cursor_next(c, run); \
			to += run; \
			n -= run; \
		} \
	} \
	void put_##suffix(tsr_dtype dtype, void *y, int64_t at, wide_ value) \
	{ \
		switch (dtype) { \
			put_set##_CASES(PUT_CASE, wide_) default : break; \
		} \
	}
/* dtypes that can be read as float and as double; integers are rounded as by a cast */
#define WHOLE_CASES(CASE, ...) \
	BOOL_CASES(CASE, __VA_ARGS__) \
	SIGNED_CASES(CASE, __VA_ARGS__) UNSIGNED_CASES(CASE, __VA_ARGS__)
#define TO_FLOAT_CASES(CASE, ...) \
	WHOLE_CASES(CASE, __VA_ARGS__) NARROW_FLOAT_CASES(CASE, __VA_ARGS__)
#define TO_DOUBLE_CASES(CASE, ...) WHOLE_CASES(CASE, __VA_ARGS__) DOUBLE_CASES(CASE, __VA_ARGS__)
#define C64_CASES(CASE, ...) CASE(TSR_C64, c64, c64, , , __VA_ARGS__)
#define C128_CASES(CASE, ...) \
	CASE(TSR_C64, c64, c64, , (c64), __VA_ARGS__) CASE(TSR_C128, c128, c128, , , __VA_ARGS__)

WIDE_FORM(f32, float, TO_FLOAT, NARROW_FLOAT)
WIDE_FORM(f64, double, TO_DOUBLE, DOUBLE)
WIDE_FORM(u64, uint64_t, BITS, BITS)
WIDE_FORM(c64, c64, C64, C64)
WIDE_FORM(c128, c128, C128, C128)
