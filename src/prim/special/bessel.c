/* bessel.c - elementwise rows of modified Bessel functions, scaled by e^-|x|: bessel_i0e,
 * bessel_i1e. All are computed in f64, also for narrower dtypes, by Chebyshev series (Clenshaw,
 * Chebyshev series for mathematical functions, 1962; the numbers are those of Cephes, i0.c and
 * i1.c): i0e, and i1e over x, in x / 2 - 2 up to 8; beyond that both times sqrt(x), in 32 / x - 2.
 *
 *     bessel_i0e [0 1 -1]    gives  [1 0.46576 0.46576]
 *     bessel_i1e [0 1 -1]    gives  [0 0.20791 -0.20791] */
#include <math.h>
#include "prim/elementwise/elementwise.h"

/* coefficients of 2 cos(k acos(t / 2)), the last one of k = 0, and halved in the sum */
static const double near_0[] = {
	-4.4153416464793395e-18, 3.3307945188222384e-17, -2.4312798465479549e-16,
	1.7153912855551331e-15, -1.1685332877993451e-14, 7.6761854986049361e-14,
	-4.856446783111929e-13, 2.9550526631296399e-12, -1.7268262914415559e-11,
	9.675809035373237e-11, -5.1897956016352627e-10, 2.6598237246823866e-09,
	-1.300025009986248e-08, 6.0469950225419186e-08, -2.6707938539406119e-07,
	1.1173875391201037e-06, -4.4167383584587505e-06, 1.6448448070728896e-05,
	-5.754195010082104e-05, 0.00018850288509584165, -0.00057637557453858236,
	0.0016394756169413357, -0.0043243099950505759, 0.010546460394594998,
	-0.023737414805899471, 0.049305284239670712, -0.094901097048047639, 0.17162090152220877,
	-0.3046826723431984, 0.67679527440947607};
static const double far_0[] = {
	-7.2331804878747538e-18,
	-4.8305044859441819e-18, 4.4656214202967598e-17, 3.4612228676974612e-17,
	-2.8276239805165836e-16, -3.425485619677219e-16, 1.7725601330565263e-15,
	3.8116806693526224e-15, -9.5548466988283073e-15, -4.1505693472872222e-14,
	1.54008621752141e-14, 3.8527783827421426e-13, 7.180124451383666e-13,
	-1.7941785315068062e-12, -1.3215811840447713e-11, -3.1499165279632416e-11,
	1.1889147107846439e-11, 4.9406023882249701e-10, 3.3962320257083865e-09,
	2.266668990498178e-08, 2.0489185894690638e-07, 2.8913705208347567e-06,
	6.8897583469168245e-05, 0.0033691164782556943, 0.80449041101410879};
static const double near_1[] = {
	2.7779141127610464e-18, -2.111421214358166e-17, 1.5536319577362005e-16,
	-1.1055969477353862e-15, 7.6006842947354077e-15, -5.0421855047279118e-14,
	3.2237933659455748e-13, -1.9839743977649436e-12, 1.1736186298890901e-11,
	-6.6634897235020271e-11, 3.6255902815521172e-10, -1.8872497517228294e-09,
	9.3815373864957726e-09, -4.4450591287963281e-08, 2.0032947535521353e-07,
	-8.5687202646954547e-07, 3.4702513081376785e-06, -1.3273163656039436e-05,
	4.7815651075500542e-05, -0.00016176081582589674, 0.00051228595616857576,
	-0.0015135724506312532, 0.0041564229443128882, -0.010564084894626197,
	0.024726449030626516, -0.052945981208094989, 0.10264365868984709, -0.17641651835783406,
	0.25258718644363365};
static const double far_1[] = {
	7.5172963108421052e-18,
	4.4143483230717077e-18, -4.6503053684893586e-17, -3.2095259219934238e-17,
	2.9626289976459501e-16, 3.3082023109209285e-16, -1.8803547755107825e-15,
	-3.8144030724370075e-15, 1.0420276984128802e-14, 4.272440016711951e-14,
	-2.1015418427726643e-14, -4.0835511110921974e-13, -7.1985517762459084e-13,
	2.0356285441470896e-12, 1.4125807436613782e-11, 3.2526035830154884e-11,
	-1.8974958123505413e-11, -5.5897434621965838e-10, -3.835380385964237e-09,
	-2.6314688468895196e-08, -2.5122362378702088e-07, -3.8825648088776906e-06,
	-0.00011058893876262371, -0.0097610974913614687, 0.77857623501828011};
#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

/* Clenshaw's recurrence, t between -2 and 2 */
static var chebyshev(build *b, var t, const double *by, int n)
{
	var b0 = F64(0), b1 = F64(0), b2 = F64(0);

	for (int i = 0; i < n; i++) {
		b2 = b1;
		b1 = b0;
		b0 = ADD(SUB(MUL(t, b1), b2), F64(by[i]));
	}
	return MUL(F64(0.5), SUB(b0, b2));
}

static var far_of(build *b, var size, const double *by, int n)
{
	const var t = SUB(DIV(F64(32), size), F64(2));

	return DIV(chebyshev(b, t, by, n), OF_1(sqrt, size));
}

static var near_of(build *b, var size, const double *by, int n)
{
	return chebyshev(b, SUB(DIV(size, F64(2)), F64(2)), by, n);
}

static var i0e_of(build *b, var x)
{
	const var size = OF_1(abs, x);

	return SELECT(IS(le, size, F64(8)), near_of(b, size, near_0, COUNT(near_0)),
	              far_of(b, size, far_0, COUNT(far_0)));
}

static var i1e_of(build *b, var x)
{
	const var size = OF_1(abs, x), far = far_of(b, size, far_1, COUNT(far_1));
	const var near = MUL(near_of(b, size, near_1, COUNT(near_1)), x);

	return SELECT(IS(le, size, F64(8)), near, SELECT(IS(lt, x, F64(0)), NEG(far), far));
}

/* i1(x) / x for |x| <= 1, by its series: the sum of (x / 2)^2k / (2 k! (k + 1)!) */
static var i1_by_x(build *b, var x)
{
	static const double by[] = {2, 4, 24, 288, 5760, 172800, 7257600, 406425600, 29262643200};
	const var half = MUL(x, NUM(0.5)), square = MUL(half, half);
	var sum = NUM(1 / by[COUNT(by) - 1]);

	for (int i = COUNT(by) - 2; i >= 0; i--) sum = ADD(MUL(sum, square), NUM(1 / by[i]));
	return sum;
}

/* i0e(x) - i1e(x) (sign(x) + 1 / x). Near 0 the quotient is its series, since the derivatives of
 * i1e(x) / x cancel there */
static var slope_of_i1e(build *b, var x, var ans)
{
	const var size = OF_1(abs, x), near = OF_2(le, size, NUM(1));
	const var under = SELECT(near, NUM(1), x), over = SELECT(near, x, NUM(0));
	const var series = MUL(OF_1(exp, OF_1(neg, SELECT(near, size, NUM(0)))), i1_by_x(b, over));
	const var quotient = SELECT(near, series, DIV(ans, under));

	return SUB(SUB(OF_1(bessel_i0e, x), MUL(ans, OF_1(sign, x))), quotient);
}

F64_ROW(bessel_i0e, "the modified Bessel function of order 0 times e^-|x|",
        MUL(dx, SUB(OF_1(bessel_i1e, x), MUL(OF_1(sign, x), ans))), i0e_of(b, x))
F64_ROW(bessel_i1e, "the modified Bessel function of order 1 times e^-|x|",
        MUL(dx, slope_of_i1e(b, x, ans)), i1e_of(b, x))
