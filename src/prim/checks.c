/* checks.c - checks of type rules, and the words of their messages. */
#include "prim/checks.h"

/* ---- words of messages */

const char *words_of(build *b, str *s)
{
	const char *text = s->s && !s->lost ? arena_str(build_arena(b), s->s) : NULL;

	str_free(s);
	return text ? text : "?";
}

static void put_operand_type(str *s, const type *t)
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
		put_operand_type(&s, t[i]);
	}
	return words_of(b, &s);
}

const char *dims_words(build *b, const int64_t *dims, int ndim)
{
	str s = {.base = build_base(b)};

	for (int d = 0; d < ndim; d++) str_printf(&s, "%s%lld", d ? ", " : "(", (long long)dims[d]);
	str_put(&s, ndim == 0 ? "()" : ndim == 1 ? ",)" : ")");
	return words_of(b, &s);
}

bool fail_type(build *b, const eqn *e, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vfail(build_base(b), e->where, TSR_ERROR_TYPE, format, list);
	va_end(list);
	return false;
}

bool fail_sharding(build *b, const eqn *e, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vfail(build_base(b), e->where, TSR_ERROR_SHARDING, format, list);
	va_end(list);
	return false;
}

/* ---- checks */

bool check_kind(build *b, const eqn *e, const type *t, unsigned kinds)
{
	if (kinds & ONE_KIND(dtype_kind(t->dtype))) return true;
	return fail_type(b, e, "%s does not accept dtype %s", eqn_name(b, e),
	                 tsr_dtype_name(t->dtype));
}

bool check_same_dtypes(build *b, const eqn *e, const type *const *in, int first, int n)
{
	for (int i = first + 1; i < first + n; i++)
		if (in[i]->dtype != in[first]->dtype)
			return fail_type(b, e,
			                 "%s requires operands of equal dtypes, got %s and %s",
			                 eqn_name(b, e), tsr_dtype_name(in[first]->dtype),
			                 tsr_dtype_name(in[i]->dtype));
	return true;
}

bool check_length(build *b, const eqn *e, const char *what, const ints *list, int n)
{
	if (list->n == n) return true;
	return fail_type(b, e,
	                 "%s: %s must have one entry for each dim of the operand, got %d for %d",
	                 eqn_name(b, e), what, list->n, n);
}

bool check_dims_rise(build *b, const eqn *e, const char *what, const ints *list, int ndim)
{
	for (int i = 0; i < list->n; i++) {
		if (list->v[i] < 0 || list->v[i] >= ndim)
			return fail_type(b, e, "%s: %s %s out of range for an array of %d dims",
			                 eqn_name(b, e), what, dims_words(b, list->v, list->n),
			                 ndim);
		if (i > 0 && list->v[i] <= list->v[i - 1])
			return fail_type(b, e, "%s: %s must increase without repeats, got %s",
			                 eqn_name(b, e), what, dims_words(b, list->v, list->n));
	}
	return true;
}

bool check_dim(build *b, const eqn *e, int64_t dim, int ndim)
{
	return (dim >= 0 && dim < ndim) ||
	       fail_type(b, e, "%s: dim %lld out of range for an array of %d dims", eqn_name(b, e),
	                 (long long)dim, ndim);
}

bool check_known_dtype(build *b, const eqn *e, tsr_dtype dtype)
{
	return dtype_ok(dtype) ||
	       fail_type(b, e, "%s: its dtype parameter is no dtype", eqn_name(b, e));
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

bool weaken(build *b, bool weak, const type **t)
{
	*t = type_weaken(build_ir(b), *t, weak);
	return *t != NULL;
}

/* the first operand that is not of rank 0 gives the shape */
const type *common_shape(build *b, const eqn *e, const type *const *in, unsigned scalars)
{
	const type *shape = in[0];

	for (int i = 1; i < e->nin && shape->ndim == 0; i++) shape = in[i];
	for (int i = 0; i < e->nin; i++) {
		if (dims_same(in[i]->dims, in[i]->ndim, shape->dims, shape->ndim)) continue;
		if (in[i]->ndim == 0 && (scalars >> i & 1 || build_literal_of(b, e->in[i])))
			continue;
		fail_type(b, e, "%s requires operands of equal shapes, got %s", eqn_name(b, e),
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
