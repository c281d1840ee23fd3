/* circle.c - emits the steps of tan of f32 and f64, and of sin and cos of large numbers, with the
 * bits of SLEEF 3.5.
 *
 * With n the integer nearest to x / (pi / 2), tan x is tan r or -1 / tan r for r = x - n pi / 2, as
 * n is even or odd, and sin x is sin r for r = x - n pi, where n is odd with the other sign; cos x
 * is the sine of x and a quarter turn. Small numbers give r by parts of pi.
 *
 * Of others, after M. Payne and R. Hanek, Radian reduction for trigonometric functions (1983): x is
 * a multiple of 2^(e - 23); f64: 2^(e - 52), so bits of 1 / (2 pi) that make whole turns of it do
 * not count. Those behind them, as four numbers, are multiplied by x in pairs, and quarters are
 * taken off the product twice. The bits come from literals of 256; 1280, chosen and shifted as the
 * exponent e says.
 *
 *     tan [1 1e6]     gives  [1.55741 -0.37362]
 *     sin 1e6         gives  -0.34999 */
#include <math.h>
#include "prim/elementary/pairs.h"

/* x = r + n pi / 2 */
typedef struct turn {
	pair r;
	var n;
} turn;

/* ---- by parts of pi */

static turn turn_near(build *b, var x)
{
	const var n = OF_1(round, MUL(x, NUM(M_2_PI)));

	if (is_wide(b, x)) {
		const var v = FMA(n, NUM(-3.141592653589793116 / 2), x);
		const var less = MUL(n, NUM(-1.2246467991473532072e-16 / 2));
		return (turn){pair_add(b, alone(v), alone(less)), n};
	}
	const var v = FMA(n, NUM(-3.1414794921875f / 2), x);
	const pair s = pair_sum(b, alone(v), alone(MUL(n, NUM(-0.00011315941810607910156f / 2))));

	return (turn){pair_add(b, s, alone(MUL(n, NUM(-1.9841872589410058936e-09f / 2)))), n};
}

static var toward_zero(build *b, var x)
{
	return turned_by(b, OF_1(floor, OF_1(abs, x)), x);
}

/* x - (coarse + fine) unit, where coarse is a multiple of 2^24; the unit: so many times pi */
static pair less_units(build *b, var x, var coarse, var fine, double unit)
{
	static const double part[] = {3.1415926218032836914, 3.1786509424591713469e-08,
	                              1.2246467864107188502e-16, 1.2736634327021899816e-24};
	pair r = alone(FMA(coarse, NUM(-part[0] * unit), x));

	r = pair_sum(b, r, alone(MUL(fine, NUM(-part[0] * unit))));
	for (int i = 1; i < 3; i++) {
		r = pair_sum(b, r, alone(MUL(coarse, NUM(-part[i] * unit))));
		r = pair_sum(b, r, alone(MUL(fine, NUM(-part[i] * unit))));
	}
	return pair_add(b, r, alone(MUL(ADD(coarse, fine), NUM(-part[3] * unit))));
}

/* of f64, below 1e14, as the two that follow. A coarse number of quarters is a whole number of
 * turns */
static turn turn_middle(build *b, var x)
{
	const var coarse = MUL(toward_zero(b, MUL(x, NUM(M_2_PI / 0x1p24))), NUM(0x1p24));
	const pair per = pair_of(b, x, 0.63661977236758138243, -3.9357353350364971764e-17);
	const var half = SELECT(IS(lt, x, NUM(0)), NUM(-0.5), NUM(0.5));
	const pair q = pair_sum(b, pair_mul(b, per, alone(x)), alone(SUB(half, coarse)));
	const var fine = toward_zero(b, total(b, q));

	return (turn){less_units(b, x, coarse, fine, 0.5), fine};
}

static turn sin_middle(build *b, var x)
{
	const var coarse = MUL(toward_zero(b, MUL(x, NUM(M_1_PI / 0x1p24))), NUM(0x1p24));
	const var fine = OF_1(round, product_less(b, x, NUM(M_1_PI), coarse));

	return (turn){less_units(b, x, coarse, fine, 1), MUL(fine, NUM(2))};
}

static turn cos_middle(build *b, var x)
{
	const var per = NUM(M_1_PI / 0x1p23), less = NUM(-M_1_PI / 0x1p24);
	const var turns = toward_zero(b, FMA(x, per, less)), coarse = MUL(turns, NUM(0x1p24));
	const var left = FMA(turns, NUM(-0x1p23), NUM(-0.5));
	const var half = OF_1(round, ADD(MUL(x, NUM(M_1_PI)), left));
	const var fine = FMA(half, NUM(2), NUM(1));

	return (turn){less_units(b, x, coarse, fine, 0.5), ADD(fine, NUM(2))};
}

/* ---- 1 / (2 pi) without its first bits */

#define U64(number) bits_literal(b, TSR_U64, number)
#define SHIFT_LEFT(p, by) OF_2(shift_left, p, by)
#define SHIFT_RIGHT(p, by) OF_2(shift_right_logical, p, by)

enum { WORDS = 20, WORDS_F32 = 4 };

/* of 128 bits, those of 64 that begin at `by` < 64 */
static var word_at(build *b, var first, var second, var by)
{
	const var over = SHIFT_RIGHT(SHIFT_RIGHT(second, U64(1)), SUB(U64(63), by));

	return EITHER(SHIFT_LEFT(first, by), over);
}

/* the words that begin behind the first `skipped` bits: four, or of f32 two. Each bit of their
 * place chooses between words that are so far apart */
static void bits_behind(build *b, bool wide, var skipped, var *word)
{
	static const uint64_t bits[WORDS] = {
		0x28be60db9391054a, 0x7f09d5f47d4d3770, 0x36d8a5664f10e410, 0x7f9458eaf7aef158,
		0x6dc91b8e909374b8, 0x01924bba82746487, 0x3f877ac72c4a69cf, 0xba208d7d4baed121,
		0x3a671c09ad17df90, 0x4e64758e60d4ce7d, 0x272117e2ef7e4a0e, 0xc7fe25fff7816603,
		0xfbcbc462d6829b47, 0xdb4d9fb3c9f2c26d, 0xd3d18fd9a797fa8b, 0x5d49eeb1faf97c5e,
		0xcf41ce7de294a4ba, 0x9afed7ec47e35742, 0x1580cc11bf1edaea, 0xfc33ef0826bd0d87};
	const var by = BOTH(skipped, U64(63));
	int n = wide ? WORDS : WORDS_F32;

	for (int i = 0; i < n; i++) word[i] = U64(bits[i]);
	for (int apart = wide ? 8 : 1; apart; apart /= 2) {
		const var further = BOTH(skipped, U64(64 * (uint64_t)apart));
		const var far = IS(ne, further, U64(0));
		n -= apart;
		for (int i = 0; i < n; i++) word[i] = SELECT(far, word[i + apart], word[i]);
	}
	for (int i = 0; i + 1 < n; i++) word[i] = word_at(b, word[i], word[i + 1], by);
}

/* ---- the four numbers: each one what is left, rounded; the first three without their last bit, or
 * of f32 their last two */

enum { NUMBERS = 4, PARTS = 8 };

static var without_last_bits(build *b, var x)
{
	const bool wide = is_wide(b, x);
	const uint64_t all = wide ? UINT64_MAX : UINT32_MAX;
	const var kept = BOTH(number_bits(b, x),
	                      bits_literal(b, bits_dtype_of(b, x), all - (wide ? 1 : 3)));

	return read_bits(b, kept, dtype_of(b, x));
}

/* parts whose digits do not overlap, each one as large as it can be: from the last one on, what
 * each sum leaves stays behind it. The first two again, since the second one was rounded before it
 * was added */
static void parts_normal(build *b, var *part)
{
	static const int order[] = {6, 5, 4, 3, 2, 1, 0, 1, 0};

	for (size_t i = 0; i < ARRAY_LEN(order); i++) {
		var *first = &part[order[i]];
		const pair sum = pair_normal(b, (pair){first[0], first[1]});
		first[0] = sum.high;
		first[1] = sum.low;
	}
}

/* multiplied by the scale; x: of the dtype that they get */
static void numbers_of(build *b, var x, const var *word, var scale, var *number)
{
	const int size = is_wide(b, x) ? 32 : 16, in_word = 64 / size;
	var part[PARTS];

	for (int k = 0; k < PARTS; k++) {
		const var from = SHIFT_LEFT(word[k / in_word], U64((uint64_t)(k % in_word * size)));
		const var bits = SHIFT_RIGHT(from, U64((uint64_t)(64 - size)));
		const var whole = emit_convert(b, bits, dtype_of(b, x));
		part[k] = MUL(MUL(whole, scale), NUM(ldexp(1, -size * (k + 1))));
	}
	for (int i = 0; i < NUMBERS; i++) {
		if (i) part[0] = SUB(part[0], number[i - 1]);
		parts_normal(b, part);
		number[i] = i < NUMBERS - 1 ? without_last_bits(b, part[0]) : part[0];
	}
}

/* ---- the reduction of large numbers */

/* takes the nearest multiple of 1/4 off the high number, and adds it, in quarters, to n. Whole
 * turns do not count */
static pair less_quarters(build *b, pair x, var *n)
{
	const var count = OF_1(round, MUL(x.high, emit_like(b, x.high, 4)));
	const var turns = OF_1(round, x.high);
	const var part = FMA(turns, emit_like(b, x.high, -4), count);

	*n = is_zero(*n) ? part : ADD(*n, part);
	return pair_normal(b, (pair){FMA(count, emit_like(b, x.high, -0.25), x.high), x.low});
}

/* as SLEEF does, a large x is made smaller by 2^64, and the four numbers larger */
static turn turn_far(build *b, var x)
{
	const bool wide = is_wide(b, x);
	const var e = SUB(exponent_field(b, x), WHOLE(bias(b, x) + (wide ? 55 : 25)));
	const var zero = WHOLE(0), large = IS(gt, e, WHOLE(wide ? 645 : 65));
	const var from = SELECT(IS(lt, e, zero), zero, e);
	const var up = SELECT(large, WHOLE(64 - 2), WHOLE(-2));
	const var a = SELECT(large, MUL(x, NUM(0x1p-64)), x);
	var word[WORDS], number[NUMBERS], n = FLAT;

	bits_behind(b, wide, ADD(emit_convert(b, from, TSR_U64), U64(2)), word);
	numbers_of(b, x, word, power_of_two(b, x, SUB(up, from)), number);
	pair r = less_quarters(b, pair_mul(b, alone(a), alone(number[0])), &n);
	r = pair_sum(b, r, pair_mul(b, alone(a), alone(number[1])));
	r = less_quarters(b, r, &n);
	r = pair_sum(b, r, pair_mul(b, (pair){number[2], number[3]}, alone(a)));
	return (turn){pair_mul(b, pair_normal(b, r), quarters(b, x, 4)), n};
}

static turn turn_select(build *b, var which, turn if_true, turn if_false)
{
	return (turn){pair_select(b, which, if_true.r, if_false.r),
	              SELECT(which, if_true.n, if_false.n)};
}

static var has_bit(build *b, var n, double bit)
{
	return IS(ne, BOTH(n, emit_like(b, n, bit)), emit_like(b, n, 0));
}

/* ---- tan */

static pair tan_f32(build *b, pair given, var odd)
{
	const pair r = pair_select(b, odd, pair_neg(b, given), given);
	const pair s = pair_normal(b, pair_square(b, r)), one = alone(emit_like(b, r.high, 1));
	const var x = s.high;
	const var u = HORNER(x, 0.00446636462584137916564941f, -8.3920182078145444393158e-05f,
	                     0.0109639242291450500488281f, 0.0212360303848981857299805f,
	                     0.0540687143802642822265625f);
	const pair fifth = alone(NUM(0.133325666189193725585938f));
	const pair third = alone(NUM(0.33333361148834228515625f));
	const pair p = pair_add(b, fifth, alone(MUL(u, x)));
	const pair q = pair_add(b, third, pair_mul(b, s, p));
	const pair y = pair_mul(b, r, pair_add(b, one, pair_mul(b, q, s)));

	return pair_select(b, odd, pair_inverse(b, y), y);
}

/* by t = tan(r / 2), as -2 t / (t^2 - 1) */
static pair tan_f64(build *b, pair r, var odd)
{
	const pair h = pair_scale(b, r, emit_like(b, r.high, 0.5)), s = pair_square(b, h);
	const var x = s.high;
	const var u = HALVES(x, +0.3245098826639276316e-3, +0.5619219738114323735e-3,
	                     +0.1460781502402784494e-2, +0.3591611540792499519e-2,
	                     +0.8863268409563113126e-2, +0.2186948728185535498e-1,
	                     +0.5396825399517272970e-1, +0.1333333333330500581e+0);
	const var third = FMA(u, x, NUM(+0.3333333333333343695e+0));
	const pair t = pair_add(b, h, pair_mul(b, pair_mul(b, s, h), alone(third)));
	const pair under = pair_add(b, alone(NUM(-1)), pair_square(b, t));
	const pair over = pair_scale(b, t, NUM(-2));

	return pair_div(b, pair_select(b, odd, pair_neg(b, under), over),
	                pair_select(b, odd, over, under));
}

var tan_steps(build *b, var x)
{
	const bool wide = is_wide(b, x);
	const var size = OF_1(abs, x);
	turn t = turn_far(b, x);

	if (wide) t = turn_select(b, IS(lt, size, NUM(1e14)), turn_middle(b, x), t);
	t = turn_select(b, IS(lt, size, NUM(wide ? 15 : 125)), turn_near(b, x), t);
	const var odd = has_bit(b, emit_convert(b, t.n, TSR_I32), 1);
	const var some = total(b, wide ? tan_f64(b, t.r, odd) : tan_f32(b, t.r, odd));
	const var known = SELECT(EITHER(is_infinite(b, x), is_nan(b, x)), NUM(NAN), some);

	return SELECT(IS(eq, x, NUM(0)), x, known);
}

/* ---- sin and cos. In a turn of these n counts quarters, but r is that of a sine, with the other
 * sign where the second bit of n is set */

static var sine_of(build *b, pair r)
{
	const pair s = pair_square(b, r);
	const var x = s.high;
	const var u = is_wide(b, x) ? FMA(HALVES(x, 2.72052416138529567917983e-15,
	                                         -7.6429259411395447190023e-13,
	                                         1.60589370117277896211623e-10,
	                                         -2.5052106814843123359368e-08,
	                                         2.75573192104428224777379e-06,
	                                         -0.000198412698412046454654947),
	                                  x, NUM(0.00833333333333318056201922))
	                            : HORNER(x, 2.6083159809786593541503e-06f,
	                                     -0.0001981069071916863322258f,
	                                     0.00833307858556509017944336f);
	const double third = is_wide(b, x) ? -0.166666666666666657414808
	                                   : -0.166666597127914428710938f;
	const pair p = pair_add(b, alone(NUM(third)), alone(MUL(u, x)));

	return pair_product(b, r, pair_add(b, alone(NUM(1)), pair_mul(b, p, s)));
}

/* of x and `ahead` quarters: an odd number of them leaves one to r, towards 0 */
static turn sine_far(build *b, var x, double ahead)
{
	const turn t = turn_far(b, x);
	const var above = IS(gt, t.r.high, NUM(0)), n = ADD(t.n, NUM(ahead));
	const var odd = has_bit(b, emit_convert(b, n, TSR_I32), 1);
	const pair quarter = pair_select(b, above, quarters(b, x, -1), quarters(b, x, 1));
	const pair r = pair_select(b, odd, pair_sum(b, t.r, quarter), t.r);

	return (turn){pair_normal(b, r), ADD(n, SELECT(above, NUM(1), NUM(0)))};
}

static var sine_steps(build *b, var x, turn far, turn middle)
{
	const var is_middle = IS(lt, OF_1(abs, x), NUM(1e14));
	const turn t = is_zero(middle.n) ? far : turn_select(b, is_middle, middle, far);
	const var y = sine_of(b, t.r);
	const var turned = has_bit(b, emit_convert(b, t.n, TSR_I32), 2);

	return SELECT(is_infinite(b, x), NUM(NAN), SELECT(turned, NEG(y), y));
}

var far_sin_steps(build *b, var x)
{
	return sine_steps(b, x, sine_far(b, x, 0), is_wide(b, x) ? sin_middle(b, x) : (turn){0});
}

var far_cos_steps(build *b, var x)
{
	return sine_steps(b, x, sine_far(b, x, 1), is_wide(b, x) ? cos_middle(b, x) : (turn){0});
}
