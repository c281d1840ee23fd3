/* casts.c - shortens copies and chains of casts: casts of dtype where the first one loses nothing,
 * and casts of varying sets.
 *
 *     pass simplify
 *     f(%0: f16[2], %1: f32[2]) -> f16[2], f32[2] {
 *       %2: f32[2] = convert_element_type %0 dtype=f32
 *       %3: f16[2] = convert_element_type %2 dtype=f16
 *       %4: f16[2] = convert_element_type %1 dtype=f16
 *       %5: f32[2] = convert_element_type %4 dtype=f32
 *       return %3 %5
 *     }
 *     gives
 *     f(%0: f16[2], %1: f32[2]) -> f16[2], f32[2] {
 *       %2: f16[2] = convert_element_type %1 dtype=f16
 *       %3: f32[2] = convert_element_type %2 dtype=f32
 *       return %0 %3
 *     }
 *
 * Every f16 is also an f32, so casting there and back changes nothing. The other direction rounds,
 * so it stays. */
#include "pass/simplify/simplify.h"

static var copy_rule(simplify *s, const eqn *e, const type *t)
{
	(void)s, (void)t;
	return e->in[0];
}

/* ---- dtypes */

/* of a float: bits of the significand, the leading one included, and of the exponent */
static int precision(tsr_dtype d)
{
	return d == TSR_F16 ? 11 : d == TSR_BF16 ? 8 : d == TSR_F32 ? 24 : 53;
}

static int exponent_bits(tsr_dtype d) { return d == TSR_F16 ? 5 : d == TSR_F64 ? 11 : 8; }

static bool is_int(tsr_dtype d) { return dtype_kind(d) == KIND_INT || dtype_kind(d) == KIND_UINT; }

/* is every number of `from` one of `to`? */
static bool holds_all(tsr_dtype to, tsr_dtype from)
{
	const enum dtype_kind kind = dtype_kind(from), wide = dtype_kind(to);
	/* an integer without its sign bit */
	const int bits = dtype_bits(from) - (kind == KIND_INT);

	if (kind == KIND_BOOL || from == to) return true;
	if (wide == KIND_BOOL || (kind == KIND_COMPLEX && wide != KIND_COMPLEX)) return false;
	if (wide == KIND_COMPLEX || kind == KIND_COMPLEX)
		return holds_all(dtype_real(to), dtype_real(from));
	if (!is_int(from))
		return !is_int(to) && precision(from) <= precision(to) &&
		       exponent_bits(from) <= exponent_bits(to);
	if (!is_int(to)) return bits <= precision(to);
	return bits <= dtype_bits(to) - (wide == KIND_INT) &&
	       (kind == KIND_UINT || wide == KIND_INT);
}

/* Is the cast from a to b and on to c the same as the one from a to c? Integers wrap when they are
 * cast to integers; floats saturate. */
static bool skips(tsr_dtype a, tsr_dtype b, tsr_dtype c)
{
	if (is_int(a) && is_int(b) && is_int(c) && dtype_bits(c) <= dtype_bits(b)) return true;
	if (!holds_all(b, a)) return false;
	return !is_int(a) || !is_int(c) || is_int(b) || holds_all(c, a);
}

static var convert_rule(simplify *s, const eqn *e, const type *t)
{
	const eqn *first = made_by(s, e->in[0], &tsr__prim_convert_element_type);
	const tsr_dtype over = type_at(s, e->in[0])->dtype;

	if (over == t->dtype && over != TSR_BOOL) return e->in[0];
	if (!first || !skips(type_at(s, first->in[0])->dtype, over, t->dtype)) return (var){0};
	return simplify_make(s, e->prim, e->params, first->in, 1, t);
}

/* ---- what varies. Axes of a map are not in varying sets, and stay as they are */

static bool names_map(const simplify *s, const eqn *e)
{
	const pcast_params *p = e->params;
	int n;
	const axis *axes = build_axes(build_of(s), &n);

	for (int i = 0; i < p->axes.n; i++)
		if (axes[p->axes.v[i]].kind == AXIS_MAP) return true;
	return false;
}

/* one cast by the axes in the order of the table */
static var pcast_rule(simplify *s, const eqn *e, const type *t)
{
	const eqn *first = made_by(s, e->in[0], &tsr__prim_pcast);
	int64_t axes[MAX_AXES];

	if (names_map(s, e)) return (var){0};
	const var x = first && !names_map(s, first) ? first->in[0] : e->in[0];
	const pcast_params all = {axes_listed(t->varying & ~type_at(s, x)->varying, axes)};
	if (!all.axes.n) return x;
	if (x.id == e->in[0].id && params_same(e->prim->params, &all, e->params)) return (var){0};
	return simplify_make(s, e->prim, &all, &x, 1, t);
}

var rewrite_cast(simplify *s, const eqn *e, const type *t)
{
	static const rule rules[] = {
		{&tsr__prim_copy, copy_rule},
		{&tsr__prim_convert_element_type, convert_rule},
		{&tsr__prim_pcast, pcast_rule},
	};

	return apply_rule(s, rules, ARRAY_LEN(rules), e, t);
}
