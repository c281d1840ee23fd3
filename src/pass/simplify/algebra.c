/* algebra.c - identities of elementwise rows that hold to the bit.
 *
 *     pass simplify
 *     f(%0: f32[2]) -> f32[2], f32[2], f32[2] {
 *       %1: f32[2] = mul %0 1.0:f32
 *       %2: f32[2] = add %0 0.0:f32
 *       %3: f32[2] = select_n true:bool %2 %0
 *       return %1 %2 %3
 *     }
 *     gives
 *     f(%0: f32[2]) -> f32[2], f32[2], f32[2] {
 *       %1: f32[2] = add %0 0.0:f32
 *       return %0 %1 %0
 *     }
 *
 * The sum with 0 stays, since it turns -0 into 0.
 *
 * Floats: x + -0 = x, x - +0 = x, x * 1 = x / 1 = x, x * -1 = x / -1 = -0 - x = -x, -(-x) = x, x +
 * (-y) = x - y. But x * 0 and x - x are not 0 for infinities. A product of complex numbers mixes
 * their parts, so only their sums are rewritten. Integers wrap, so all of these identities hold for
 * them. */
#include "pass/simplify/simplify.h"

static enum dtype_kind kind_of(const type *t) { return dtype_kind(t->dtype); }
static bool is_int(const type *t) { return kind_of(t) == KIND_INT || kind_of(t) == KIND_UINT; }
static bool is_bits(const type *t) { return is_int(t) || kind_of(t) == KIND_BOOL; }

/* an operand as the result: a literal represents an array of the result's type */
static var as_result(simplify *s, var v, const type *t)
{
	const void *element = element_of(s, v);

	if (type_at(s, v) == t) return v;
	return element ? simplify_filled(s, t, element) : (var){0};
}

static bool is_minus_one(const simplify *s, var v)
{
	const enum dtype_kind kind = kind_of(type_at(s, v));

	return (kind == KIND_INT || kind == KIND_FLOAT) && all_are(s, v, -1);
}

static var negative(simplify *s, var v, const type *t)
{
	return simplify_make(s, &tsr__prim_neg, NULL, &v, 1, t);
}

/* x, if v is -x; otherwise a variable without id */
static var negated(const simplify *s, var v)
{
	const eqn *e = made_by(s, v, &tsr__prim_neg);

	return e ? e->in[0] : (var){0};
}

static var add_rule(simplify *s, const eqn *e, const type *t)
{
	for (int i = 0; i < 2 && kind_of(t) != KIND_BOOL; i++) {
		const var x = e->in[i], y = e->in[1 - i], minus_y = negated(s, y);
		if (all_are(s, y, -0.0)) return x;
		if (minus_y.id)
			return simplify_make(s, &tsr__prim_sub, NULL, (var[]){x, minus_y}, 2, t);
	}
	return (var){0};
}

static var sub_rule(simplify *s, const eqn *e, const type *t)
{
	const var x = e->in[0], y = e->in[1], minus_y = negated(s, y);

	if (all_are(s, y, 0)) return x;
	if (all_are(s, x, -0.0)) return negative(s, y, t);
	if (is_int(t) && x.id == y.id) return simplify_filled_with(s, t, 0);
	return minus_y.id ? simplify_make(s, &tsr__prim_add, NULL, (var[]){x, minus_y}, 2, t)
	                  : (var){0};
}

static var mul_rule(simplify *s, const eqn *e, const type *t)
{
	for (int i = 0; i < 2; i++) {
		const var x = e->in[i], y = e->in[1 - i];
		if (is_bits(t) && all_are(s, y, 0)) return simplify_filled_with(s, t, 0);
		if (kind_of(t) != KIND_BOOL && all_are(s, y, 1)) return x;
		if (is_minus_one(s, y)) return negative(s, x, t);
	}
	return (var){0};
}

static var div_rule(simplify *s, const eqn *e, const type *t)
{
	if (all_are(s, e->in[1], 1)) return e->in[0];
	return is_minus_one(s, e->in[1]) ? negative(s, e->in[0], t) : (var){0};
}

static var neg_rule(simplify *s, const eqn *e, const type *t)
{
	(void)t;
	return negated(s, e->in[0]);
}

static var integer_pow_rule(simplify *s, const eqn *e, const type *t)
{
	const int64_t y = ((const integer_pow_params *)e->params)->y;

	if (y == 0) return simplify_filled_with(s, t, 1);
	return y == 1 ? e->in[0] : (var){0};
}

/* ---- bits */

static bool all_set(const simplify *s, var v)
{
	const tsr_dtype dtype = type_at(s, v)->dtype;
	const unsigned char *element = element_of(s, v);

	if (dtype == TSR_BOOL) return all_are(s, v, 1);
	for (size_t i = 0; element && i < tsr_dtype_size(dtype); i++)
		if (element[i] != 0xff) return false;
	return element != NULL;
}

static var not_rule(simplify *s, const eqn *e, const type *t)
{
	const eqn *first = made_by(s, e->in[0], &tsr__prim_not);

	return first && is_int(t) ? first->in[0] : (var){0};
}

static var and_rule(simplify *s, const eqn *e, const type *t)
{
	for (int i = 0; i < 2; i++) {
		const var x = e->in[i], y = e->in[1 - i];
		if (all_are(s, y, 0)) return simplify_filled_with(s, t, 0);
		if (is_int(t) && (all_set(s, y) || x.id == y.id)) return x;
	}
	return (var){0};
}

static var or_rule(simplify *s, const eqn *e, const type *t)
{
	for (int i = 0; i < 2; i++) {
		const var x = e->in[i], y = e->in[1 - i];
		if (all_set(s, y)) return as_result(s, y, t);
		if (is_int(t) && (all_are(s, y, 0) || x.id == y.id)) return x;
	}
	return (var){0};
}

static var xor_rule(simplify *s, const eqn *e, const type *t)
{
	if (e->in[0].id == e->in[1].id) return simplify_filled_with(s, t, 0);
	for (int i = 0; i < 2; i++)
		if (is_int(t) && all_are(s, e->in[1 - i], 0)) return e->in[i];
	return (var){0};
}

static var shift_rule(simplify *s, const eqn *e, const type *t)
{
	(void)t;
	return all_are(s, e->in[1], 0) ? e->in[0] : (var){0};
}

/* ---- no derivative is taken any more */

static var stop_gradient_rule(simplify *s, const eqn *e, const type *t)
{
	(void)s, (void)t;
	return e->in[0];
}

/* ---- choices */

/* max(x, x) is x, except for complex numbers: a NaN in one part becomes a NaN in both */
static var same_rule(simplify *s, const eqn *e, const type *t)
{
	const bool kept = kind_of(t) != KIND_BOOL && kind_of(t) != KIND_COMPLEX;

	(void)s;
	return kept && e->in[0].id == e->in[1].id ? e->in[0] : (var){0};
}

static bool same_value(const simplify *s, var a, var b)
{
	const void *x = element_of(s, a), *y = element_of(s, b);
	const tsr_dtype dtype = type_at(s, a)->dtype;

	if (a.id == b.id) return true;
	return x && y && dtype == type_at(s, b)->dtype && !memcmp(x, y, tsr_dtype_size(dtype));
}

/* x > c ? x : max(x, c), as relu is written for its derivative's sake, is max(x, c):
 *
 *     pass simplify
 *     f(%0: f32[2]) -> f32[2] {
 *       %1: bool[2] = gt %0 0.0:f32
 *       %2: f32[2] = stop_gradient %0
 *       %3: f32[2] = max %2 0.0:f32
 *       %4: f32[2] = select_n %1 %3 %0
 *       return %4
 *     }
 *     gives
 *     f(%0: f32[2]) -> f32[2] {
 *       %1: f32[2] = max %0 0.0:f32
 *       return %1
 *     }
 */
static bool is_its_maximum(const simplify *s, const eqn *e)
{
	const var x = e->in[2];
	const eqn *above = made_by(s, e->in[0], &tsr__prim_gt),
		  *max = made_by(s, e->in[1], &tsr__prim_max);

	return above && max && kind_of(type_at(s, x)) != KIND_BOOL && above->in[0].id == x.id &&
	       max->in[0].id == x.id && same_value(s, above->in[1], max->in[1]);
}

static var select_rule(simplify *s, const eqn *e, const type *t)
{
	const unsigned char *which = element_of(s, e->in[0]);
	const eqn *other = made_by(s, e->in[0], &tsr__prim_not);

	if (is_its_maximum(s, e)) return as_result(s, e->in[1], t);
	if (which) return as_result(s, e->in[*which ? 2 : 1], t);
	if (e->in[1].id == e->in[2].id) return as_result(s, e->in[1], t);
	return other ? simplify_make(s, e->prim, NULL, (var[]){other->in[0], e->in[2], e->in[1]}, 3,
	                             t)
	             : (var){0};
}

/* An operand that is returned has the type of the result: the other operand is a constant, so this
 * one is not (or the equation would have been folded), and only literals may be smaller than the
 * result. */
var rewrite_algebra(simplify *s, const eqn *e, const type *t)
{
	static const rule rules[] = {
		{&tsr__prim_add, add_rule},
		{&tsr__prim_sub, sub_rule},
		{&tsr__prim_mul, mul_rule},
		{&tsr__prim_div, div_rule},
		{&tsr__prim_neg, neg_rule},
		{&tsr__prim_integer_pow, integer_pow_rule},
		{&tsr__prim_not, not_rule},
		{&tsr__prim_and, and_rule},
		{&tsr__prim_or, or_rule},
		{&tsr__prim_xor, xor_rule},
		{&tsr__prim_shift_left, shift_rule},
		{&tsr__prim_shift_right_logical, shift_rule},
		{&tsr__prim_shift_right_arithmetic, shift_rule},
		{&tsr__prim_stop_gradient, stop_gradient_rule},
		{&tsr__prim_max, same_rule},
		{&tsr__prim_min, same_rule},
		{&tsr__prim_select_n, select_rule},
	};

	return apply_rule(s, rules, ARRAY_LEN(rules), e, t);
}
