/* shape.c - computes with dims, and copies a box between strided arrays. */
#include "base/base.h"

bool mul_ok(int64_t a, int64_t b, int64_t *out) { return !__builtin_mul_overflow(a, b, out); }
bool add_ok(int64_t a, int64_t b, int64_t *out) { return !__builtin_add_overflow(a, b, out); }

int64_t common_divisor(int64_t a, int64_t b) { return b ? common_divisor(b, a % b) : a; }

/* A dim of 0 makes the size 0, but counts as 1 in the check for overflow. So dims_strides cannot
 * overflow for dims that passed. */
bool dims_size(const int64_t *dims, int ndim, int64_t *size)
{
	int64_t product = 1;
	bool empty = false;

	for (int i = 0; i < ndim; i++) {
		if (dims[i] < 0 || !mul_ok(product, dims[i] ? dims[i] : 1, &product)) return false;
		empty |= !dims[i];
	}
	*size = empty ? 0 : product;
	return true;
}

bool dims_bytes(tsr_dtype dtype, const int64_t *dims, int ndim, int64_t *bytes)
{
	int64_t size;

	return dims_size(dims, ndim, &size) && mul_ok(size, (int64_t)tsr_dtype_size(dtype), bytes);
}

void dims_strides(const int64_t *dims, int ndim, int64_t *strides)
{
	int64_t stride = 1;

	for (int i = ndim - 1; i >= 0; i--) {
		strides[i] = stride;
		stride *= dims[i] ? dims[i] : 1;
	}
}

bool dims_same(const int64_t *a, int na, const int64_t *b, int nb)
{
	if (na != nb) return false;
	for (int i = 0; i < na; i++)
		if (a[i] != b[i]) return false;
	return true;
}

bool dim_in_range(int64_t dim, int ndim, int *out)
{
	if (dim < -ndim || dim >= ndim) return false;
	*out = (int)(dim < 0 ? dim + ndim : dim);
	return true;
}

bool dims_next(int64_t *index, const int64_t *dims, int ndim)
{
	for (int i = ndim - 1; i >= 0; i--) {
		if (++index[i] < dims[i]) return true;
		index[i] = 0;
	}
	return false;
}

/* Copies one line of n items. The sizes that dtypes have are written out, so that a copy is one
 * load and one store. */
static void copy_line(char *out, int64_t out_stride, const char *in, int64_t in_stride, int64_t n,
                      size_t item)
{
#define ITEMS(size) \
	for (int64_t i = 0; i < n; i++) memcpy(out + i * out_stride, in + i * in_stride, size)
	switch (item) {
	case 1: ITEMS(1); break;
	case 2: ITEMS(2); break;
	case 4: ITEMS(4); break;
	case 8: ITEMS(8); break;
	case 16: ITEMS(16); break;
	default: ITEMS(item);
	}
#undef ITEMS
}

static void copy_dims(char *out, const int64_t *out_strides, const char *in,
                      const int64_t *in_strides, const int64_t *dims, int ndim, size_t item)
{
	if (ndim == 1) {
		copy_line(out, *out_strides, in, *in_strides, *dims, item);
		return;
	}
	for (int64_t i = 0; i < *dims; i++)
		copy_dims(out + i * *out_strides, out_strides + 1, in + i * *in_strides,
		          in_strides + 1, dims + 1, ndim - 1, item);
}

/* Inner dims that are contiguous on both sides become part of the item: a whole contiguous box is
 * one memcpy. */
void copy_box(void *out, const int64_t *out_strides, const void *in, const int64_t *in_strides,
              const int64_t *dims, int ndim, size_t item)
{
	for (int i = 0; i < ndim; i++)
		if (!dims[i]) return;
	for (; ndim; ndim--) {
		const int64_t d = dims[ndim - 1], size = (int64_t)item;
		if (d != 1 && (out_strides[ndim - 1] != size || in_strides[ndim - 1] != size))
			break;
		item *= (size_t)d;
	}
	if (!ndim) memcpy(out, in, item);
	else copy_dims(out, out_strides, in, in_strides, dims, ndim, item);
}
