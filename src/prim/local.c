/* local.c - what the rows of local primitives share: checks and words of type rules, factor rules,
 * walks over places. */
#include <stdio.h>
#include "prim/local.h"

/* ---- words of messages */

static const char *kept(build *b, str *s)
{
	const char *text = s->s && !s->lost ? arena_str(build_arena(b), s->s) : NULL;

	str_free(s);
	return text ? text : "?";
}

static void put_type(str *s, const type *t)
{
	str_printf(s, "%s[", tsr_dtype_name(t->dtype));
	str_dims(s, t->dims, t->ndim);
	str_put(s, "]");
}

const char *type_words(build *b, const type *t) { return types_words(b, &t, 1); }

const char *types_words(build *b, const type *const *t, int n)
{
	str s = {.base = build_base(b)};

	for (int i = 0; i < n; i++) {
		str_put(&s, i == 0 ? "" : i == n - 1 ? " and " : ", ");
		put_type(&s, t[i]);
	}
	return kept(b, &s);
}

const char *dims_words(build *b, const int64_t *dims, int ndim)
{
	str s = {.base = build_base(b)};

	for (int d = 0; d < ndim; d++) str_printf(&s, "%s%lld", d ? ", " : "(", (long long)dims[d]);
	str_put(&s, ndim == 0 ? "()" : ndim == 1 ? ",)" : ")");
	return kept(b, &s);
}

bool fail_type(build *b, const eqn *e, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vfail(build_base(b), e->where, TSR_ERROR_TYPE, format, list);
	va_end(list);
	return false;
}

/* ---- checks */

bool check_kind(build *b, const eqn *e, const type *t, unsigned kinds)
{
	if (kinds & ONE_KIND(dtype_kind(t->dtype))) return true;
	return fail_type(b, e, "%s does not accept dtype %s", e->prim->name,
	                 tsr_dtype_name(t->dtype));
}

bool check_same_dtypes(build *b, const eqn *e, const type *const *in, int first, int n)
{
	for (int i = first + 1; i < first + n; i++)
		if (in[i]->dtype != in[first]->dtype)
			return fail_type(b, e,
			                 "%s requires operands of equal dtypes, got %s and %s",
			                 e->prim->name, tsr_dtype_name(in[first]->dtype),
			                 tsr_dtype_name(in[i]->dtype));
	return true;
}

bool check_length(build *b, const eqn *e, const char *what, const ints *list, int n)
{
	if (list->n == n) return true;
	return fail_type(b, e,
	                 "%s: %s must have one entry for each dim of the operand, got %d for %d",
	                 e->prim->name, what, list->n, n);
}

bool check_dims_rise(build *b, const eqn *e, const char *what, const ints *list, int ndim)
{
	for (int i = 0; i < list->n; i++) {
		if (list->v[i] < 0 || list->v[i] >= ndim)
			return fail_type(b, e, "%s: %s %s out of range for an array of %d dims",
			                 e->prim->name, what, dims_words(b, list->v, list->n),
			                 ndim);
		if (i > 0 && list->v[i] <= list->v[i - 1])
			return fail_type(b, e, "%s: %s must increase without repeats, got %s",
			                 e->prim->name, what, dims_words(b, list->v, list->n));
	}
	return true;
}

bool check_known_dtype(build *b, const eqn *e, tsr_dtype dtype)
{
	return dtype_ok(dtype) ||
	       fail_type(b, e, "%s: its dtype parameter is no dtype", e->prim->name);
}

int64_t *dims_room(build *b, int ndim)
{
	return arena_array(build_arena(b), (size_t)ndim + 1, sizeof(int64_t));
}

bool give_type(build *b, tsr_dtype dtype, const int64_t *dims, int ndim, const type **out)
{
	*out = type_make(build_ir(b), dtype, dims, ndim, 0);
	return *out != NULL;
}

/* the first operand that is not of rank 0 says the shape */
const type *common_shape(build *b, const eqn *e, const type *const *in, unsigned scalars)
{
	const type *shape = in[0];

	for (int i = 1; i < e->nin && shape->ndim == 0; i++) shape = in[i];
	for (int i = 0; i < e->nin; i++) {
		if (dims_same(in[i]->dims, in[i]->ndim, shape->dims, shape->ndim)) continue;
		if (in[i]->ndim == 0 && (scalars >> i & 1 || build_literal_of(b, e->in[i])))
			continue;
		fail_type(b, e, "%s requires operands of equal shapes, got %s", e->prim->name,
		          types_words(b, in, e->nin));
		return NULL;
	}
	return shape;
}

bool types_elementwise(build *b, const eqn *e, const type *const *in, const type **out,
                       unsigned kinds, tsr_dtype result)
{
	for (int i = 0; i < e->nin; i++)
		if (!check_kind(b, e, in[i], kinds)) return false;
	if (!check_same_dtypes(b, e, in, 0, e->nin)) return false;
	const type *shape = common_shape(b, e, in, 0);
	return shape && give_type(b, result ? result : in[0]->dtype, shape->dims, shape->ndim, out);
}

/* ---- factors */

void factors_elementwise(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	for (int d = 0; d < out[0]->ndim; d++) {
		const int factor = factor_new(f, out[0]->dims[d], FACTOR_PASS);
		for (int i = 0; i < e->nin; i++)
			if (in[i]->ndim) factor_at(f, i, d, factor);
		factor_at(f, e->nin, d, factor);
	}
}

void factor_shared(const eqn *e, const type *const *in, factors *f, int in_dim, int out_dim,
                   factor_kind kind)
{
	const int factor = factor_new(f, in[0]->dims[in_dim], kind);

	factor_at(f, 0, in_dim, factor);
	factor_at(f, e->nin, out_dim, factor);
}

void factor_whole(factors *f, int value, int dim, int64_t size)
{
	if (size != 1) factor_at(f, value, dim, factor_new(f, size, FACTOR_REPLICATE));
}

void factor_kept(const eqn *e, const type *const *in, const type *const *out, factors *f, int dim,
                 bool kept)
{
	if (kept) {
		factor_shared(e, in, f, dim, dim, FACTOR_PASS);
		return;
	}
	factor_whole(f, 0, dim, in[0]->dims[dim]);
	factor_whole(f, e->nin, dim, out[0]->dims[dim]);
}

/* ---- places */

int64_t dims_stride(const type *t, int dim)
{
	uint64_t stride = 1;       /* may wrap where there are no elements */

	for (int d = dim + 1; d < t->ndim; d++) stride *= (uint64_t)t->dims[d];
	return (int64_t)stride;
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

/* a dim whose steps continue those of the dim before it is joined with it */
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

/* ---- elements in their wide form */

static int run_length(const cursor *c, int n)
{
	const int64_t left = c->ndim ? c->dims[c->ndim - 1] - c->index[c->ndim - 1] : 1;

	return left < n ? (int)left : n;
}

#define GATHER_CASE(dtype_, mem_, wide_, LOAD, STORE, result_) \
	case dtype_: { \
		const mem_ *from = (const mem_ *)x + c->at; \
		for (int i = 0; i < run; i++) to[i] = (result_)LOAD(from[i * stride]); \
		break; \
	}
#define PUT_CASE(dtype_, mem_, wide_, LOAD, STORE, result_) \
	case dtype_: ((mem_ *)y)[at] = STORE(value); break;
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
	void gather_##suffix(wide_ *to, tsr_dtype dtype, const void *x, cursor *c, int n) \
	{ \
		const int64_t stride = c->ndim ? c->stride[c->ndim - 1] : 0; \
		while (n > 0) { \
			const int run = run_length(c, n); \
			switch (dtype) { \
				set##_CASES(GATHER_CASE, wide_) \
			default: break; \
			} \
			cursor_next(c, run); \
			to += run; \
			n -= run; \
		} \
	} \
	void put_##suffix(tsr_dtype dtype, void *y, int64_t at, wide_ value) \
	{ \
		switch (dtype) { \
			put_set##_CASES(PUT_CASE, wide_) \
		default: break; \
		} \
	}
#define C64_CASES(CASE, ...) CASE(TSR_C64, c64, c64, , , __VA_ARGS__)
#define C128_CASES(CASE, ...) \
	CASE(TSR_C64, c64, c64, , (c64), __VA_ARGS__) CASE(TSR_C128, c128, c128, , , __VA_ARGS__)

WIDE_FORM(f32, float, NARROW_FLOAT, NARROW_FLOAT)
WIDE_FORM(f64, double, DOUBLE, DOUBLE)
WIDE_FORM(u64, uint64_t, BITS, BITS)
WIDE_FORM(c64, c64, C64, C64)
WIDE_FORM(c128, c128, C128, C128)
