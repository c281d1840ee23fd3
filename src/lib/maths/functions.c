/* functions.c - mathematical functions that are written with other operations: jax.numpy's and
 * jax.scipy.special's formulas (jax/_src/numpy/ufuncs.py, jax/_src/scipy/special.py). */
#include <math.h>
#include "lib/formula.h"

static const double pi = 3.14159265358979323846;

/* of prepared operands: is the first one real? An error where it is not */
static bool check_real(const operands *o)
{
	return kind_of_operand(HANDLE(o->x[0])) != KIND_COMPLEX ||
	       fail(&o->site.ctx->base, o->site.where, TSR_ERROR_TYPE,
	            "%s does not support complex numbers", o->site.op);
}

/* of one real operand */
#define REAL_1(name, rule, ...) \
	tsr *lib_##name(call_site *site, tsr *a) \
	{ \
		operands o; \
		if (!operands_prepare(&o, site, (tsr_arg[]){HANDLE(a)}, 1, rule) || \
		    !check_real(&o)) \
			return poison_of(o.site.ctx); \
		const tsr_arg x = HANDLE(o.x[0]); \
		return (__VA_ARGS__).as.one; \
	}

REAL_1(fabs, PROMOTE_INEXACT, OP_1(abs, x))

/* ---- units, powers and logarithms */

FORMULA_1(deg2rad, PROMOTE_INEXACT, MUL(x, NUM(pi / 180)))
FORMULA_1(rad2deg, PROMOTE_INEXACT, MUL(x, NUM(180 / pi)))

/* of a complex x each part, as its logarithm is to be turned by nothing */
static tsr_arg scaled_log(const call_site *site, tsr_arg x, double log_of_base)
{
	const tsr_arg y = OP_1(log, x);

	if (kind_of_operand(x) != KIND_COMPLEX) return DIV(y, NUM(log_of_base));
	return OP_2(complex, DIV(OP_1(real, y), NUM(log_of_base)),
	            DIV(OP_1(imag, y), NUM(log_of_base)));
}

FORMULA_1(log2, PROMOTE_INEXACT, scaled_log(site, x, 0.69314718055994530942))
FORMULA_1(log10, PROMOTE_INEXACT, scaled_log(site, x, 2.30258509299404568402))

tsr *lib_reciprocal(call_site *site, tsr *a)
{
	operands o;

	if (!operands_prepare(&o, site, (tsr_arg[]){HANDLE(a)}, 1, PROMOTE_INEXACT))
		return poison_of(o.site.ctx);
	return tsr_integer_pow_at(site->where, o.x[0], -1);
}

FORMULA_2(float_power, PROMOTE_INEXACT, OP_2(pow, x, y))

/* the larger one times a root that neither overflows nor underflows */
static tsr_arg hypotenuse(const call_site *site, tsr_arg x, tsr_arg y)
{
	const tsr_arg a = OP_1(abs, x), b = OP_1(abs, y);
	const tsr_arg infinite = EITHER(IS(eq, a, NUM(INFINITY)), IS(eq, b, NUM(INFINITY)));
	const tsr_arg large = OP_2(maximum, a, b), small = OP_2(minimum, a, b);
	const tsr_arg none = IS(eq, large, NUM(0)), under = WHERE(none, NUM(1), large);
	const tsr_arg root = OP_1(sqrt, ADD(NUM(1), OP_1(square, DIV(small, under))));

	return WHERE(infinite, NUM(INFINITY), WHERE(none, large, MUL(large, root)));
}

FORMULA_2(hypot, PROMOTE_INEXACT, hypotenuse(site, x, y))

/* hi + log(1 + e^(lo - hi)), where equal infinities differ by 0. The choice by >= shares the
 * derivative among equal ones */
static tsr_arg added_exps(const call_site *site, tsr_arg x, tsr_arg y, bool of_two)
{
	const tsr_arg first = IS(ge, x, y), hi = WHERE(first, x, y), lo = WHERE(first, y, x);
	const tsr_arg same = BOTH(IS(eq, hi, lo), OP_1(isinf, hi));
	const tsr_arg below = WHERE(same, NUM(0), lo), above = WHERE(same, NUM(0), hi);
	const tsr_arg gap = SUB(below, above);
	const tsr_arg power = of_two ? OP_1(exp2, gap) : OP_1(exp, gap);
	const tsr_arg more = OP_1(log1p, power);

	return ADD(hi, of_two ? MUL(more, NUM(1.44269504088896340736)) : more);
}

FORMULA_2(logaddexp, PROMOTE_INEXACT, added_exps(site, x, y, false))
FORMULA_2(logaddexp2, PROMOTE_INEXACT, added_exps(site, x, y, true))

/* sin(pi x) / (pi x), and near 0 its series: derivatives of the quotient cancel there */
static tsr_arg cardinal_sine(const call_site *site, tsr_arg x)
{
	const tsr_arg near = IS(lt, OP_1(abs, x), NUM(0.25)), turn = MUL(x, NUM(pi));
	const tsr_arg two = OP_1(square, WHERE(near, turn, NUM(0)));
	const tsr_arg under = WHERE(near, NUM(1), turn);
	tsr_arg series = NUM(1); /* of 1 - u^2 / (2 3) (1 - u^2 / (4 5) (...)) */

	for (int k = 8; k > 0; k--)
		series = SUB(NUM(1), MUL(MUL(two, NUM(1.0 / (2 * k * (2 * k + 1)))), series));
	return WHERE(near, series, DIV(OP_1(sin, under), under));
}

FORMULA_1(sinc, PROMOTE_INEXACT, cardinal_sine(site, x))

/* ---- quotients and remainders */

/* the remainder with the sign of y, of integers 0 for y = 0 */
static tsr_arg floor_rest(const call_site *site, tsr_arg x, tsr_arg y)
{
	if (kind_of_operand(x) < KIND_FLOAT) y = WHERE(IS(eq, y, INT(0)), INT(1), y);
	const tsr_arg rest = OP_2(rem, x, y);
	const tsr_arg other_side = IS(ne, IS(lt, rest, INT(0)), IS(lt, y, INT(0)));

	return WHERE(BOTH(other_side, IS(ne, rest, INT(0))), ADD(rest, y), rest);
}

/* of floats (x - rem) / y, which is whole but for its rounding, and one less where the sign of the
 * remainder is not that of y; x / 0 stays */
static tsr_arg floor_quotient_of_floats(const call_site *site, tsr_arg x, tsr_arg y)
{
	const tsr_arg rest = OP_2(rem, x, y), by_zero = IS(eq, y, NUM(0));
	const tsr_arg whole = DIV(WHERE(by_zero, x, SUB(x, rest)), y);
	const tsr_arg other_side = IS(ne, OP_1(sign, y), OP_1(sign, rest));
	const tsr_arg down = BOTH(IS(ne, rest, NUM(0)), other_side);

	return HANDLE(
		tsr_round_at(site->where, WHERE(down, SUB(whole, NUM(1)), whole).as.one, NULL));
}

static tsr *whole_quotient(const operands *o)
{
	return bind(&o->site, &tsr__prim_div, NULL, o->x, 2);
}

static tsr_arg floor_quotient(const operands *o)
{
	const call_site *site = &o->site;
	const tsr_arg x = HANDLE(o->x[0]), y = HANDLE(o->x[1]);

	if (kind_of_operand(x) >= KIND_FLOAT) return floor_quotient_of_floats(site, x, y);
	const tsr_arg whole = HANDLE(whole_quotient(o));
	if (kind_of_operand(x) == KIND_UINT) return whole;
	const tsr_arg other_side = IS(ne, OP_1(sign, x), OP_1(sign, y));
	return WHERE(BOTH(other_side, IS(ne, OP_2(rem, x, y), INT(0))), SUB(whole, INT(1)), whole);
}

tsr *lib_floor_divide(call_site *site, const tsr_arg ab[2])
{
	operands o;

	if (!operands_prepare(&o, site, ab, 2, PROMOTE_NUMBERS) || !check_real(&o))
		return poison_of(o.site.ctx);
	return floor_quotient(&o).as.one;
}

FORMULA_2(remainder, PROMOTE_NUMBERS, floor_rest(site, x, y))

bool lib_divmod(call_site *site, tsr_arg a, tsr_arg b, tsr *out[2])
{
	operands o;

	const bool ok =
		operands_prepare(&o, site, (tsr_arg[]){a, b}, 2, PROMOTE_NUMBERS) && check_real(&o);
	out[0] = ok ? floor_quotient(&o).as.one : poison_of(o.site.ctx);
	out[1] = ok ? floor_rest(site, HANDLE(o.x[0]), HANDLE(o.x[1])).as.one
	            : poison_of(o.site.ctx);
	return !handle_is_poison(out[0]) && !handle_is_poison(out[1]);
}

/* of integers x rem 1 for y = 0 */
static tsr_arg c_rest(const call_site *site, tsr_arg x, tsr_arg y)
{
	if (kind_of_operand(x) < KIND_FLOAT) y = WHERE(IS(eq, y, INT(0)), INT(1), y);
	return OP_2(rem, x, y);
}

FORMULA_2(fmod, PROMOTE_NUMBERS, c_rest(site, x, y))

static tsr_arg towards_zero(const call_site *site, tsr_arg x)
{
	return WHERE(IS(lt, x, INT(0)), OP_1(ceil, x), OP_1(floor, x));
}

static tsr_arg cut(const call_site *site, tsr_arg x)
{
	return kind_of_operand(x) < KIND_FLOAT ? x : towards_zero(site, x);
}

FORMULA_1(trunc, PROMOTE_TYPES, cut(site, x))
FORMULA_1(rint, PROMOTE_BESIDE_FLOAT, HANDLE(tsr_round_at(site->where, x.as.one, NULL)))

bool lib_modf(call_site *site, tsr *a, tsr *out[2])
{
	operands o;

	if (!operands_prepare(&o, site, (tsr_arg[]){HANDLE(a)}, 1, PROMOTE_INEXACT)) {
		out[0] = out[1] = poison_of(o.site.ctx);
		return false;
	}
	const tsr_arg x = HANDLE(o.x[0]), whole = towards_zero(site, x);
	out[0] = SUB(x, whole).as.one;
	out[1] = whole.as.one;
	return !handle_is_poison(out[0]);
}

/* ---- signs, infinities, NaN */

/* the top bit of floats */
static tsr_arg top_bit(const call_site *site, tsr_arg x)
{
	const int bits = dtype_bits(dtype_of_operand(x));
	const tsr_dtype whole = bits == 16 ? TSR_I16 : bits == 32 ? TSR_I32 : TSR_I64;

	return IS(lt, HANDLE(tsr_bitcast_convert_type_at(site->where, x.as.one, whole)), INT(0));
}

static tsr_arg is_negative(const call_site *site, tsr_arg x)
{
	return kind_of_operand(x) == KIND_FLOAT ? top_bit(site, x) : IS(lt, x, INT(0));
}

static tsr_arg with_sign(const call_site *site, tsr_arg x, tsr_arg y)
{
	const tsr_arg size = OP_1(abs, x);

	return WHERE(top_bit(site, y), NEG(size), size);
}

REAL_1(signbit, PROMOTE_TYPES, is_negative(site, x))
FORMULA_2(copysign, PROMOTE_INEXACT, with_sign(site, x, y))
FORMULA_2(heaviside, PROMOTE_INEXACT,
          WHERE(IS(lt, x, NUM(0)), NUM(0),
                WHERE(IS(gt, x, NUM(0)), NUM(1), WHERE(OP_1(isnan, x), x, y))))

/* no integer is infinite */
static tsr_arg equals_infinity(const call_site *site, tsr_arg x, double infinity)
{
	return kind_of_operand(x) < KIND_FLOAT ? IS(ne, x, x) : IS(eq, x, NUM(infinity));
}

static tsr_arg is_infinite(const call_site *site, tsr_arg x)
{
	if (kind_of_operand(x) != KIND_COMPLEX)
		return equals_infinity(site, OP_1(abs, x), INFINITY);
	return EITHER(IS(eq, OP_1(abs, OP_1(real, x)), NUM(INFINITY)),
	              IS(eq, OP_1(abs, OP_1(imag, x)), NUM(INFINITY)));
}

FORMULA_1(isinf, PROMOTE_TYPES, is_infinite(site, x))
REAL_1(isposinf, PROMOTE_TYPES, equals_infinity(site, x, INFINITY))
REAL_1(isneginf, PROMOTE_TYPES, equals_infinity(site, x, -INFINITY))
FORMULA_1(iscomplex, PROMOTE_TYPES, IS(ne, OP_1(imag, x), INT(0)))
FORMULA_1(isreal, PROMOTE_TYPES, IS(eq, OP_1(imag, x), INT(0)))

/* a NaN loses */
FORMULA_2(fmax, PROMOTE_TYPES, WHERE(EITHER(IS(gt, x, y), OP_1(isnan, y)), x, y))
FORMULA_2(fmin, PROMOTE_TYPES, WHERE(EITHER(IS(lt, x, y), OP_1(isnan, y)), x, y))

/* the largest number of a float dtype */
static double largest_of(tsr_dtype t)
{
	switch (t) {
	case TSR_F16: return 65504;
	case TSR_BF16: return 0x1.fep127;
	case TSR_F32: return 0x1.fffffep127;
	default: return 0x1.fffffffffffffp1023;
	}
}

/* each part: a NaN becomes `none`, infinities the bounds, in its dtype */
static tsr_arg within(const call_site *site, tsr_arg x, const tsr_nan_to_num_args *a)
{
	const tsr_dtype dtype = dtype_of_operand(x);
	const double most = largest_of(dtype);
	const tsr_arg given[] = {a->nan, a->posinf, a->neginf};
	const tsr_arg usual[] = {INT(0), NUM(most), NUM(-most)};
	tsr_arg to[3];

	for (int i = 0; i < 3; i++) {
		to[i] = given_arg(&given[i]) ? given[i] : usual[i];
		if (to[i].kind == TSR_KIND_ONE) to[i] = HANDLE(convert(site, to[i].as.one, dtype));
	}
	const tsr_arg some = WHERE(OP_1(isnan, x), to[0], x);
	return WHERE(IS(eq, some, NUM(INFINITY)), to[1],
	             WHERE(IS(eq, some, NUM(-INFINITY)), to[2], some));
}

tsr *lib_nan_to_num(call_site *site, tsr *x, const tsr_nan_to_num_args *a)
{
	tsr *of[4] = {x};
	int n = 1;

	for (const tsr_arg *to = (const tsr_arg[]){a->nan, a->posinf, a->neginf}, *end = to + 3;
	     to < end; to++)
		if (to->kind == TSR_KIND_ONE) of[n++] = to->as.one;
	if (!operands_check(site, of, n)) return poison_of(site->ctx);
	const enum dtype_kind kind = dtype_kind(handle_type(x)->dtype);
	if (kind < KIND_FLOAT) return x;
	if (kind == KIND_FLOAT) return within(site, HANDLE(x), a).as.one;
	return OP_2(complex, within(site, OP_1(real, HANDLE(x)), a),
	            within(site, OP_1(imag, HANDLE(x)), a))
	        .as.one;
}

static tsr_arg angle_of(const call_site *site, tsr_arg x)
{
	const tsr_arg up = OP_1(imag, x), along = OP_1(real, x);

	return OP_2(atan2, up, along);
}

FORMULA_1(angle, PROMOTE_BESIDE_FLOAT, angle_of(site, x))
FORMULA_2(logical_xor, PROMOTE_TYPES, IS(ne, IS(ne, x, INT(0)), IS(ne, y, INT(0))))

tsr *lib_bitwise_count(call_site *site, tsr *a)
{
	operands o;

	if (!operands_prepare(&o, site, (tsr_arg[]){HANDLE(a)}, 1, PROMOTE_NUMBERS))
		return poison_of(o.site.ctx);
	const tsr_arg bits = OP_1(population_count, OP_1(abs, HANDLE(o.x[0])));
	return handle_is_poison(bits.as.one) ? bits.as.one : convert(&o.site, bits.as.one, TSR_U8);
}

tsr *lib_isclose(call_site *site, tsr_arg a, tsr_arg b, double rtol, double atol)
{
	operands o;

	if (!operands_prepare(&o, site, (tsr_arg[]){a, b}, 2, PROMOTE_INEXACT))
		return poison_of(o.site.ctx);
	const tsr_arg x = HANDLE(o.x[0]), y = HANDLE(o.x[1]);
	const tsr_arg most = ADD(MUL(OP_1(abs, y), NUM(rtol)), NUM(atol));
	const tsr_arg near = IS(le, OP_1(abs, SUB(x, y)), most);
	return EITHER(IS(eq, x, y), BOTH(OP_1(is_finite, y), near)).as.one;
}

/* ---- entropies */

/* If x is 0, 0 (not -0) beside any y but NaN: y is then 1 where its logarithm is no number */
static tsr_arg times_log(const call_site *site, tsr_arg x, tsr_arg y)
{
	const tsr_arg usual = BOTH(IS(gt, y, NUM(0)), OP_1(is_finite, y));
	const tsr_arg keep = EITHER(IS(ne, x, NUM(0)), EITHER(usual, OP_1(isnan, y)));

	return ADD(MUL(x, OP_1(log, WHERE(keep, y, NUM(1)))), NUM(0));
}

static tsr_arg times_log1p(const call_site *site, tsr_arg x, tsr_arg y)
{
	const tsr_arg usual = BOTH(IS(gt, y, NUM(-1)), OP_1(is_finite, y));
	const tsr_arg keep = EITHER(IS(ne, x, NUM(0)), EITHER(usual, OP_1(isnan, y)));

	return ADD(MUL(x, OP_1(log1p, WHERE(keep, y, NUM(0)))), NUM(0));
}

/* log(p / q) of positive numbers; log p - log q where the quotient may be too large or too small,
 * also for f16. Near 1 its rounding would be all there is, but p - q is exact */
static tsr_arg log_of_ratio(const call_site *site, tsr_arg p, tsr_arg q)
{
	const tsr_arg ratio = DIV(p, q);
	const tsr_arg usual = BOTH(IS(gt, ratio, NUM(0x1p-13)), IS(lt, ratio, NUM(0x1p+13)));
	const tsr_arg a = WHERE(usual, p, NUM(1)), b = WHERE(usual, q, NUM(1));
	const tsr_arg far = SUB(OP_1(log, p), OP_1(log, q));
	const tsr_arg close = BOTH(IS(gt, ratio, NUM(0.5)), IS(lt, ratio, NUM(2)));
	const tsr_arg apart = WHERE(close, SUB(p, q), NUM(0)), unit = WHERE(close, q, NUM(1));
	const tsr_arg near = OP_1(log1p, DIV(apart, unit));

	return WHERE(close, near, WHERE(usual, OP_1(log, DIV(a, b)), far));
}

static tsr_arg relative_entropy(const call_site *site, tsr_arg p, tsr_arg q)
{
	const tsr_arg both = BOTH(IS(gt, p, NUM(0)), IS(gt, q, NUM(0)));
	const tsr_arg a = WHERE(both, p, NUM(1)), b = WHERE(both, q, NUM(1));
	const tsr_arg some = MUL(a, log_of_ratio(site, a, b));
	const tsr_arg nothing = BOTH(IS(eq, p, NUM(0)), IS(ge, q, NUM(0)));

	return WHERE(both, some, WHERE(nothing, NUM(0), NUM(INFINITY)));
}

FORMULA_2(xlogy, PROMOTE_INEXACT, times_log(site, x, y))
FORMULA_2(xlog1py, PROMOTE_INEXACT, times_log1p(site, x, y))

static tsr_arg entropy(const call_site *site, tsr_arg x)
{
	return WHERE(IS(lt, x, NUM(0)), NUM(-INFINITY), NEG(times_log(site, x, x)));
}

static void entr_body(tsr_frame *f)
{
	const call_site site = {tsr_frame_ctx(f), NULL, "entr"};

	tsr_return_at(NULL, f, (tsr_arg[]){entropy(&site, HANDLE(tsr_frame_arg(f, 0)))}, 1);
}

/* -log x - 1, also where x log x is inf - inf of two derivatives */
static void entr_rule(tsr_frame *f)
{
	const call_site here = {tsr_frame_ctx(f), NULL, "entr"}, *site = &here;
	const tsr_arg x = HANDLE(tsr_frame_arg(f, 0)), dx = HANDLE(tsr_frame_arg(f, 1));
	const tsr_arg slope = NEG(ADD(OP_1(log, x), NUM(1)));

	tsr_return_at(NULL, f, (tsr_arg[]){entropy(site, x), MUL(slope, dx)}, 2);
}

tsr *lib_entr(call_site *site, tsr *a)
{
	const tsr_body body = {.form = TSR_FORM_FRAME, .raw = (tsr_raw)entr_body};
	const tsr_body rule = {.form = TSR_FORM_FRAME, .raw = (tsr_raw)entr_rule};
	const tsr_custom_args named = {.size = sizeof named, .name = "entr"};
	operands o;

	if (!operands_prepare(&o, site, (tsr_arg[]){HANDLE(a)}, 1, PROMOTE_INEXACT))
		return poison_of(o.site.ctx);
	tsr_fn *fn = tsr_custom_jvp_at(site->where, o.site.ctx, body, "entr", rule, &named);
	return tsr_call_at(site->where, fn, (tsr_arg[]){HANDLE(o.x[0])}, 1);
}
FORMULA_2(rel_entr, PROMOTE_INEXACT, relative_entropy(site, x, y))
FORMULA_2(kl_div, PROMOTE_INEXACT, ADD(SUB(relative_entropy(site, x, y), x), y))

/* ---- the normal distribution */

FORMULA_1(logit, PROMOTE_INEXACT, OP_1(log, DIV(x, SUB(NUM(1), x))))

static const double half_root = 0.70710678118654752440, half_root_rest = -4.833646656726457e-17;

static tsr_arg fused(const call_site *site, tsr_arg x, tsr_arg y, tsr_arg z)
{
	return HANDLE(tsr_fma_at(site->where, (tsr_arg[]){x, y, z}));
}

/* Where w = x by is d off by its rounding and that of the factor, erfc(|w|) is off by 2 w d of
 * itself, roughly: minus that */
static tsr_arg rounded_away(const call_site *site, tsr_arg x, tsr_arg w, double by)
{
	char bits[8];

	dtype_convert(dtype_of_operand(x), bits, TSR_F64, &by, 1);
	const double here = dtype_get(dtype_of_operand(x), bits, 0);
	const double rest = dtype_of_operand(x) == TSR_F64 ? half_root_rest : by - here;
	const tsr_arg d = fused(site, x, NUM(rest), fused(site, x, NUM(here), NEG(w)));
	const tsr_arg less = MUL(MUL(NUM(-2), w), d);

	return STOPPED(WHERE(OP_1(is_finite, less), less, NUM(0)));
}

static tsr_arg normal_below(const call_site *site, tsr_arg x)
{
	const tsr_arg w = MUL(x, NUM(half_root)), z = OP_1(abs, w);
	const tsr_arg less = rounded_away(site, x, w, half_root), rough = OP_1(erfc, z);
	const tsr_arg tail = fused(site, rough, less, rough);
	const tsr_arg outer = WHERE(IS(gt, w, NUM(0)), SUB(NUM(2), tail), tail);

	return MUL(NUM(0.5), WHERE(IS(lt, z, NUM(half_root)), ADD(NUM(1), OP_1(erf, w)), outer));
}

REAL_1(ndtr, PROMOTE_INEXACT, normal_below(site, x))

/* From `high` on log(1 - e) is -e with e = ndtr(-x). Below `low` three terms of the asymptotic
 * series: -x^2 / 2 - log(-x) - log(2 pi) / 2 + log(1 - 1 / x^2 + 3 / x^4 - 15 / x^6) */
static tsr_arg log_normal_below(const call_site *site, tsr_arg x)
{
	const bool wide = dtype_of_operand(x) == TSR_F64;
	const tsr_arg low = NUM(wide ? -20 : -10), high = NUM(wide ? 8 : 5);
	const tsr_arg above = IS(gt, x, high);
	const tsr_arg mass = normal_below(site, WHERE(above, NEG(x), OP_2(maximum, x, low)));
	const tsr_arg far = OP_2(minimum, x, low), two = OP_1(square, far);
	const tsr_arg r = DIV(NUM(1), two);
	const tsr_arg terms = MUL(r, SUB(MUL(r, SUB(NUM(3), MUL(NUM(15), r))), NUM(1)));
	const tsr_arg scale = SUB(SUB(MUL(NUM(-0.5), two), OP_1(log, NEG(far))),
	                          NUM(0.91893853320467274178));
	const tsr_arg tail = ADD(scale, OP_1(log1p, terms));

	const tsr_arg near = OP_1(log, WHERE(above, NUM(1), mass));

	return WHERE(above, NEG(mass), WHERE(IS(gt, x, low), near, tail));
}

REAL_1(log_ndtr, PROMOTE_INEXACT, log_normal_below(site, x))
