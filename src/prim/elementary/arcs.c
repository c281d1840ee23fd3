/* arcs.c - the steps of atan, atan2, asin and acos of f32 and f64, with the bits of SLEEF 3.5.
 *
 * With 0 <= y <= x, s = y / x as a pair and P a polynomial, atan(y / x) = s + s^3 P(s^2); a quarter
 * turn is added or subtracted where y > x or x < 0.
 *
 * For |x| < 1/2, asin x = x + x^3 Q(x^2). Beyond, by the half angle: with h = (1 - |x|) / 2,
 * asin |x| = pi / 2 - 2 asin sqrt(h).
 *
 * For example, pi / 2 + atan(-1 / 2) = 1.57080 - 0.46365, and 1.57080 - 2 * 0.32175:
 *
 *     atan 2      gives  1.10715
 *     asin 0.8    gives  0.92730 */
#include <math.h>
#include "prim/elementary/pairs.h"

/* ---- atan */

/* atan(s) - s, relative to s, for |s| <= 1; t = s^2 */
static pair arc_f32(build *b, pair s, pair t)
{
	const var x = s.high;
	const var u = HORNER(t.high, -0.00176397908944636583328247f, 0.0107900900766253471374512f,
	                     -0.0309564601629972457885742f, 0.0577365085482597351074219f,
	                     -0.0838950723409652709960938f, 0.109463557600975036621094f,
	                     -0.142626821994781494140625f, 0.199983194470405578613281f);
	const pair third = alone(NUM(-0.333332866430282592773438f));
	const pair by = pair_mul(b, t, pair_add(b, third, alone(MUL(u, t.high))));

	return pair_mul(b, s, pair_add(b, alone(NUM(1)), by));
}

static pair arc_f64(build *b, pair s, pair t)
{
	static const double rest[] = {0.111111108376896236538123, -0.142857142756268568062339,
	                              0.199999999997977351284817, -0.333333333333317605173818};
	const var u = HALVES(t.high, 1.06298484191448746607415e-05, -0.000125620649967286867384336,
	                     0.00070557664296393412389774, -0.00251865614498713360352999,
	                     0.00646262899036991172313504, -0.0128281333663399031014274,
	                     0.0208024799924145797902497, -0.0289002344784740315686289,
	                     0.0359785005035104590853656, -0.041848579703592507506027,
	                     0.0470843011653283988193763, -0.0524914210588448421068719,
	                     0.0587946590969581003860434, -0.0666620884778795497194182,
	                     0.0769225330296203768654095, -0.0909090442773387574781907);
	const var p = horner_of(b, t.high, u, rest, 4);

	return pair_add(b, s, pair_mul(b, pair_mul(b, s, t), alone(p)));
}

/* the angle of the point (size, y), or of (-size, y) where `left`, for numbers from 0 on; minus:
 * -size */
static pair angle_of(build *b, var y, var size, var minus, var left)
{
	const var x = size, steep = IS(lt, size, y);
	const pair over = alone(SELECT(steep, minus, y));
	const pair s = pair_div(b, over, alone(SELECT(steep, y, size)));
	const pair t = pair_normal(b, pair_square(b, s));
	const pair arc = is_wide(b, x) ? arc_f64(b, s, t) : arc_f32(b, s, t);
	const var ahead = SELECT(steep, NUM(1), NUM(0));
	const var behind = is_zero(left) ? ahead : SELECT(steep, NUM(-1), NUM(-2));
	const var turn = is_zero(left) ? ahead : SELECT(left, behind, ahead);

	return pair_add(b, pair_mul(b, quarters(b, x, 1), alone(turn)), arc);
}

var atan_steps(build *b, var x)
{
	const var angle = total(b, angle_of(b, OF_1(abs, x), NUM(1), NUM(-1), FLAT));

	return turned_by(b, SELECT(is_infinite(b, x), NUM(M_PI_2), angle), x);
}

/* ---- atan2 */

/* of an infinite x this angle, with its sign, else 0 */
static var where_infinite(build *b, var x, double angle)
{
	return SELECT(is_infinite(b, x), signed_as(b, angle, x), NUM(0));
}

/* where 1 / x would be infinite, both are multiplied */
var atan2_steps(build *b, var given_y, var given_x)
{
	const bool wide = is_wide(b, given_x);
	const double least = wide ? 5.5626846462680083984e-309 : 2.9387372783541830947e-39f;
	const var up = emit_like(b, given_x, wide ? 0x1p53 : 0x1p24);
	const var small = IS(lt, OF_1(abs, given_x), emit_like(b, given_x, least));
	const var x = SELECT(small, MUL(given_x, up), given_x);
	const var y = SELECT(small, MUL(given_y, up), given_y), quarter = NUM(M_PI_2);
	const var left = IS(lt, x, NUM(0)), size = OF_1(abs, x);
	const pair some = angle_of(b, OF_1(abs, y), size, NEG(size), left);
	const var angle = turned_by(b, total(b, some), x);
	const var on_axis = EITHER(is_infinite(b, x), IS(eq, x, NUM(0)));
	const var one = SELECT(on_axis, SUB(quarter, where_infinite(b, x, M_PI_2)), angle);
	const var two = SELECT(is_infinite(b, y), SUB(quarter, where_infinite(b, x, M_PI_4)), one);
	const var flat = SELECT(is_below_zero(b, x), NUM(M_PI), NUM(0));
	const var turned = turned_by(b, SELECT(IS(eq, y, NUM(0)), flat, two), y);

	return SELECT(EITHER(is_nan(b, x), is_nan(b, y)), NUM(NAN), turned);
}

/* ---- asin, acos */

typedef struct half_angle {
	var near;  /* is |x| < 1/2? */
	pair sine; /* |x|, or sqrt((1 - |x|) / 2) */
	var rest;  /* asin(sine) - sine */
} half_angle;

static half_angle half_angle_of(build *b, var x)
{
	const var size = OF_1(abs, x), near = IS(lt, size, NUM(0.5));
	const var far_square = MUL(SUB(NUM(1), size), NUM(0.5));
	const var square = SELECT(near, MUL(x, x), far_square);
	const pair some = pair_select(b, near, with_zero(b, size), pair_root(b, alone(square)));
	const pair sine = pair_select(b, IS(eq, size, NUM(1)), pair_of(b, x, 0, 0), some);
	const var p = is_wide(b, x) ? HALVES(square, +0.3161587650653934628e-1,
	                                     -0.1581918243329996643e-1, +0.1929045477267910674e-1,
	                                     +0.6606077476277170610e-2, +0.1215360525577377331e-1,
	                                     +0.1388715184501609218e-1, +0.1735956991223614604e-1,
	                                     +0.2237176181932048341e-1, +0.3038195928038132237e-1,
	                                     +0.4464285681377102438e-1, +0.7500000000378581611e-1,
	                                     +0.1666666666666497543e+0)
	                            : HORNER(square, +0.4197454825e-1, +0.2424046025e-1,
	                                     +0.4547423869e-1, +0.7495029271e-1, +0.1666677296e+0);

	return (half_angle){near, sine, MUL(p, MUL(square, sine.high))};
}

var asin_steps(build *b, var x)
{
	const half_angle a = half_angle_of(b, x);
	const pair beyond = pair_sub(b, pair_sub(b, quarters(b, x, 0.5), a.sine), alone(a.rest));
	const var far = MUL(total(b, beyond), NUM(2));

	return turned_by(b, SELECT(a.near, ADD(a.rest, a.sine.high), far), x);
}

var acos_steps(build *b, var x)
{
	const half_angle a = half_angle_of(b, x);
	const pair arc = pair_add(b, alone(turned_by(b, a.sine.high, x)),
	                          alone(turned_by(b, a.rest, x)));
	const pair near = pair_sub(b, quarters(b, x, 1), arc);
	const pair far = pair_scale(b, pair_add(b, a.sine, alone(a.rest)), NUM(2));
	const pair turned = pair_sub(b, quarters(b, x, 2), far);
	const pair beyond = pair_select(b, IS(lt, x, NUM(0)), turned, far);

	return total(b, pair_select(b, a.near, near, beyond));
}
