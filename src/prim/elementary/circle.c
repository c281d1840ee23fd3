/* circle.c - the steps of tan of f32, with the bits of SLEEF 3.5.
 *
 * With n the integer nearest to x / (pi / 2), tan x is tan r or -1 / tan r for r = x - n pi / 2, as
 * n is even or odd, and tan r = r + r^3 P(r^2). Below 125 r is found by three parts of pi / 2.
 *
 * From there on, after M. Payne and R. Hanek, Radian reduction for trigonometric functions (1983):
 * x is a multiple of 2^(e - 23), so bits of 1 / (2 pi) that make whole turns of it do not count.
 * Those behind them, as four numbers, are multiplied by x in pairs, and quarters are taken off the
 * product twice. The bits come from literals of 256, shifted as the exponent e says.
 *
 *     tan [1 1e6]     gives  [1.55741 -0.37362] */
#include <math.h>
#include "prim/elementary/pairs.h"

/* x = r + n pi / 2 */
typedef struct turn {
	pair r;
	var n;
} turn;

static turn turn_near(build *b, var x)
{
	const var n = OF_1(round, MUL(x, NUM(M_2_PI)));
	const var v = FMA(n, NUM(-3.1414794921875f / 2), x);
	const pair s = pair_sum(b, alone(v), alone(MUL(n, NUM(-0.00011315941810607910156f / 2))));

	return (turn){pair_add(b, s, alone(MUL(n, NUM(-1.9841872589410058936e-09f / 2)))), n};
}

/* ---- 1 / (2 pi) without its first bits */

#define U64(number) bits_literal(b, TSR_U64, number)
#define SHIFT_LEFT(p, by) OF_2(shift_left, p, by)
#define SHIFT_RIGHT(p, by) OF_2(shift_right_logical, p, by)

/* of 128 bits, or 192, those of 64 that begin at `by` < 64 */
static var word_at(build *b, var first, var second, var by)
{
	const var over = SHIFT_RIGHT(SHIFT_RIGHT(second, U64(1)), SUB(U64(63), by));

	return EITHER(SHIFT_LEFT(first, by), over);
}

/* the two words that begin behind the first `skipped` bits */
static void bits_behind(build *b, var skipped, var *word)
{
	static const uint64_t bits[] = {0x28be60db9391054a, 0x7f09d5f47d4d3770, 0x36d8a5664f10e410,
	                                0x7f9458eaf7aef158};
	const var next = IS(ge, skipped, U64(64)), by = BOTH(skipped, U64(63));
	var from[3];

	for (int i = 0; i < 3; i++) from[i] = SELECT(next, U64(bits[i + 1]), U64(bits[i]));
	word[0] = word_at(b, from[0], from[1], by);
	word[1] = word_at(b, from[1], from[2], by);
}

/* ---- the four numbers: each one what is left, rounded, the first three of them without the last
 * two bits */

enum { NUMBERS = 4, SHIFTED = 20 };

static var without_last_bits(build *b, var x)
{
	const var kept = BOTH(number_bits(b, x), bits_literal(b, TSR_U32, ~(uint32_t)3));

	return read_bits(b, kept, TSR_F32);
}

/* 2^n of a whole number n, i32 */
static var power_of(build *b, var n)
{
	const var field = ADD(n, emit_scalar(b, TSR_I32, 127));

	return read_bits(b, SHIFT_LEFT(field, emit_scalar(b, TSR_I32, 23)), TSR_F32);
}

/* multiplied by 2^exponent. The first one takes `left` as an unsigned number, since that begins
 * with a bit of 1/2; what it leaves is signed */
static void numbers_of(build *b, const var *word, var exponent, var *number)
{
	const var scale = power_of(b, exponent);
	var left = word[0], rest = word[1];
	double unit = 0x1p-64;

	for (int i = 0; i < NUMBERS; i++) {
		const tsr_dtype dtype = i ? TSR_I64 : TSR_U64;
		const var near = emit_convert(b, i ? read_bits(b, left, TSR_I64) : left, TSR_F32);
		const var some = i < NUMBERS - 1 ? without_last_bits(b, near) : near;
		number[i] = MUL(MUL(some, emit_scalar(b, TSR_F32, unit)), scale);
		const var taken = emit_convert(b, some, dtype);
		const var less = SUB(left, i ? read_bits(b, taken, TSR_U64) : taken);
		left = EITHER(SHIFT_LEFT(less, U64(SHIFTED)), SHIFT_RIGHT(rest, U64(64 - SHIFTED)));
		rest = SHIFT_LEFT(rest, U64(SHIFTED));
		unit *= ldexp(1, -SHIFTED);
	}
}

/* ---- the reduction */

/* takes the nearest multiple of 1/4 off the high number, and adds it, in quarters, to n. Whole
 * turns do not count */
static pair less_quarters(build *b, pair x, var *n)
{
	const var quarters = OF_1(round, MUL(x.high, emit_like(b, x.high, 4)));
	const var turns = OF_1(round, x.high);
	const var part = FMA(turns, emit_like(b, x.high, -4), quarters);

	*n = is_zero(*n) ? part : ADD(*n, part);
	return pair_normal(b, (pair){FMA(quarters, emit_like(b, x.high, -0.25), x.high), x.low});
}

static turn turn_far(build *b, var given)
{
	const var field = SHIFT_RIGHT(number_bits(b, given), bits_literal(b, TSR_U32, 23));
	const var e = SUB(BOTH(emit_convert(b, field, TSR_I32), emit_scalar(b, TSR_I32, 255)),
	                  emit_scalar(b, TSR_I32, 127 + 25));
	const var zero = emit_scalar(b, TSR_I32, 0), large = IS(gt, e, emit_scalar(b, TSR_I32, 65));
	const var from = SELECT(IS(lt, e, zero), zero, e);
	const var skipped = ADD(emit_convert(b, from, TSR_U64), U64(2));
	const var up = SELECT(large, emit_scalar(b, TSR_I32, 64 - 2), emit_scalar(b, TSR_I32, -2));
	const var x = given, a = SELECT(large, MUL(x, NUM(0x1p-64)), x);
	var word[2], number[NUMBERS], n = FLAT;

	bits_behind(b, skipped, word);
	numbers_of(b, word, SUB(up, from), number);
	pair r = less_quarters(b, pair_mul(b, alone(a), alone(number[0])), &n);
	r = pair_sum(b, r, pair_mul(b, alone(a), alone(number[1])));
	r = less_quarters(b, r, &n);
	r = pair_sum(b, r, pair_mul(b, (pair){number[2], number[3]}, alone(a)));
	const pair turns = {NUM(3.1415927410125732422f * 2), NUM(-8.7422776573475857731e-08f * 2)};
	return (turn){pair_mul(b, pair_normal(b, r), turns), n};
}

/* ---- tan */

static pair tan_of(build *b, pair r)
{
	const pair s = pair_normal(b, pair_square(b, r)), one = alone(emit_like(b, r.high, 1));
	const var x = s.high;
	const var u = HORNER(x, 0.00446636462584137916564941f, -8.3920182078145444393158e-05f,
	                     0.0109639242291450500488281f, 0.0212360303848981857299805f,
	                     0.0540687143802642822265625f);
	const pair fifth = alone(NUM(0.133325666189193725585938f));
	const pair third = alone(NUM(0.33333361148834228515625f));
	const pair p = pair_add(b, fifth, alone(MUL(u, x)));
	const pair q = pair_add(b, third, pair_mul(b, s, p));

	return pair_mul(b, r, pair_add(b, one, pair_mul(b, q, s)));
}

var tan_steps(build *b, var x)
{
	if (is_wide(b, x)) return (var){0};
	const turn near = turn_near(b, x), far = turn_far(b, x);
	const var is_near = IS(lt, OF_1(abs, x), NUM(125));
	const pair r = pair_select(b, is_near, near.r, far.r);
	const var n = emit_convert(b, SELECT(is_near, near.n, far.n), TSR_I32);
	const var last = BOTH(n, emit_scalar(b, TSR_I32, 1));
	const var odd = IS(ne, last, emit_scalar(b, TSR_I32, 0));
	const pair y = tan_of(b, pair_select(b, odd, pair_neg(b, r), r));
	const var some = total(b, pair_select(b, odd, pair_inverse(b, y), y));
	const var known = SELECT(EITHER(is_infinite(b, x), is_nan(b, x)), NUM(NAN), some);

	return SELECT(IS(eq, x, NUM(0)), x, known);
}
