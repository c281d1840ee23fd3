/* erf_inv.c - the inverse of the error function, of which normal random numbers are made: with the
 * bits of JAX for f32.
 *
 * M. Giles, Approximating the erfinv function (GPU Computing Gems, Jade edition, 2011): polynomials
 * of w = -log(1 - x^2) near 0, and of sqrt(w) behind that, times x. The logarithm is as XLA has it,
 * in its order of operations, with each product that is added fused: log(1 + a) with a = -x^2 is a
 * rational function of a near 0, and else log of the rounded 1 + a; that of f32 is Cephes's, that
 * of f64 our own.
 *
 * Kernels of f32 compute one polynomial for all numbers. The other one, and what is left at 1 and
 * beyond, stand in a branch, which one in 300 of the numbers that are drawn needs: it begins at the
 * least |x| for which w is 5.
 *
 *     erf_inv [0 0.5 0.999 1]    gives  [0 0.47694 2.3268 inf] */
#include <math.h>
#include "prim/elementwise.h"
#include "prim/series.h"

static const series near_f32 = {9,
                                {2.81022636e-08f, 3.43273939e-07f, -3.5233877e-06f,
                                 -4.39150654e-06f, 2.1858087e-04f, -1.25372503e-03f,
                                 -4.17768164e-03f, 0.246640727f, 1.50140941f}};
static const series far_f32 = {9,
                               {-2.00214257e-04f, 1.00950558e-04f, 1.34934322e-03f,
                                -3.67342844e-03f, 5.73950773e-03f, -7.6224613e-03f,
                                9.43887047e-03f, 1.00167406f, 2.83297682f}};
/* log(1 + a) is a - a^2 / 2 + a^3 over / under near 0 */
static const series over = {7,
                                {4.5270000862445199635215e-5, 4.9854102823193375972212e-1,
                                 6.5787325942061044846969, 2.9911919328553073277375e1,
                                 6.0949667980987787057556e1, 5.7112963590585538103336e1,
                                 2.0039553499201281259648e1}};
static const series under = {7,
                                 {1.0, 1.5062909083469192043167e1,
                                  8.3047565967967209469434e1, 2.2176239823732856465394e2,
                                  3.0909872225312059774938e2, 2.1642788614495947685003e2,
                                  6.0118660497603843919306e1}};
/* of log(1 + f): f - f^2 / 2 + f^3 (a polynomial in three parts) */
static const series log_f32_parts[3] = {
	{3, {7.0376836292e-2f, -1.1514610310e-1f, 1.1676998740e-1f}},
	{3, {-1.2420140846e-1f, 1.4249322787e-1f, -1.6668057665e-1f}},
	{3, {2.0000714765e-1f, -2.4999993993e-1f, 3.3333331174e-1f}},
};
static const float ln2_f32 = 0.693359375f, ln2_rest_f32 = -2.12194440e-4f;
static const float edge_f32 = 0x1.fe45aep-1f; /* the least |x| with w >= 5 */
static const float root_half_f32 = 0x1.6a09e6p-1f; /* 2^-1/2 */
static const double near_log = 0.41421356237309504880; /* 2^1/2 - 1 */

static const series near_f64 = {
	23,
	{-3.6444120640178196996e-21, -1.685059138182016589e-19, 1.2858480715256400167e-18,
         1.115787767802518096e-17, -1.333171662854620906e-16, 2.0972767875968561637e-17,
         6.6376381343583238325e-15, -4.0545662729752068639e-14, -8.1519341976054721522e-14,
         2.6335093153082322977e-12, -1.2975133253453532498e-11, -5.4154120542946279317e-11,
         1.051212273321532285e-09, -4.1126339803469836976e-09, -2.9070369957882005086e-08,
         4.2347877827932403518e-07, -1.3654692000834678645e-06, -1.3882523362786468719e-05,
         0.0001867342080340571352, -0.00074070253416626697512, -0.0060336708714301490533,
         0.24015818242558961693, 1.6536545626831027356}};
static const series middle_f64 = {
	19,
	{2.2137376921775787049e-09, 9.0756561938885390979e-08, -2.7517406297064545428e-07,
         1.8239629214389227755e-08, 1.5027403968909827627e-06, -4.013867526981545969e-06,
         2.9234449089955446044e-06, 1.2475304481671778723e-05, -4.7318229009055733981e-05,
         6.8284851459573175448e-05, 2.4031110387097893999e-05, -0.0003550375203628474796,
         0.00095328937973738049703, -0.0016882755560235047313, 0.0024914420961078508066,
         -0.0037512085075692412107, 0.005370914553590063617, 1.0052589676941592334,
         3.0838856104922207635}};
static const series far_f64 = {
	17,
	{-2.7109920616438573243e-11, -2.5556418169965252055e-10, 1.5076572693500548083e-09,
         -3.7894654401267369937e-09, 7.6157012080783393804e-09, -1.4960026627149240478e-08,
         2.9147953450901080826e-08, -6.7711997758452339498e-08, 2.2900482228026654717e-07,
         -9.9298272942317002539e-07, 4.5260625972231537039e-06, -1.9681778105531670567e-05,
         7.5995277030017761139e-05, -0.00021503011930044477347, -0.00013871931833623122026,
         1.0103004648645343977, 4.8499064014085844221}};

/* ---- of one number */

static float series_f32(float x, const series *s)
{
	float q = (float)s->c[0];

	for (int i = 1; i < s->n; i++) q = fmaf(q, x, (float)s->c[i]);
	return q;
}

static double series_f64(double x, const series *s)
{
	double q = s->c[0];

	for (int i = 1; i < s->n; i++) q = fma(q, x, s->c[i]);
	return q;
}

static uint32_t bits_of(float x)
{
	uint32_t u;

	memcpy(&u, &x, sizeof u);
	return u;
}

static float number_of(uint32_t u)
{
	float x;

	memcpy(&x, &u, sizeof x);
	return x;
}

/* log x of a normal x = 2^k (1 + f) with 2^-1/2 <= 1 + f < 2^1/2 */
static float log_cephes(float x)
{
	const uint32_t root = bits_of(root_half_f32), above = bits_of(x) + (bits_of(1) - root);
	const float k = (float)((int32_t)(above >> 23) - 127);
	const float f = number_of((above & 0x7fffff) + root) - 1, ff = f * f, fff = ff * f;
	const float high = fmaf(series_f32(f, &log_f32_parts[0]), fff,
	                        series_f32(f, &log_f32_parts[1]));
	const float q = fmaf(high, fff, series_f32(f, &log_f32_parts[2]));

	return fmaf(ln2_f32, k, fmaf(-0.5f, ff, f) + fmaf(q, fff, ln2_rest_f32 * k));
}

/* log(1 + a) for -1 < a <= 0 */
static float log1p_xla_f32(float a)
{
	const float aa = a * a;
	const float more = a * aa * (series_f32(a, &over) / series_f32(a, &under));

	return fabsf(a) < (float)near_log ? a + fmaf(-0.5f, aa, more) : log_cephes(a + 1);
}

static double log1p_xla_f64(double a)
{
	const double aa = a * a;
	const double more = a * aa * (series_f64(a, &over) / series_f64(a, &under));

	return fabs(a) < near_log ? a + fma(-0.5, aa, more) : log_f64(a + 1);
}

float erf_inv_f32(float x)
{
	const float w = -log1p_xla_f32(-(x * x));

	if (fabsf(x) < edge_f32) return series_f32(w - 2.5f, &near_f32) * x;
	if (fabsf(x) < 1) return series_f32(sqrtf(w) - 3, &far_f32) * x;
	return fabsf(x) == 1 ? x * INFINITY : NAN;
}

double erf_inv_f64(double x)
{
	const double w = -log1p_xla_f64(-(x * x)), root = sqrt(w);
	const double q = w < 6.25 ? series_f64(w - 3.125, &near_f64)
	                 : w < 16 ? series_f64(root - 3.25, &middle_f64)
	                          : series_f64(root - 5, &far_f64);

	return fabs(x) < 1 ? q * x : fabs(x) == 1 ? x * INFINITY : NAN;
}

/* ---- the same as nodes */

#define N(number) KNUM(x, number)

static kvar series_nodes(kernel *k, kvar x, const series *s)
{
	const bool f32 = k_dtype(k, x) == TSR_F32;
	kvar q = N(f32 ? (float)s->c[0] : s->c[0]);

	for (int i = 1; i < s->n; i++) q = k_fma(k, q, x, N(f32 ? (float)s->c[i] : s->c[i]));
	return q;
}

static kvar log_cephes_nodes(kernel *k, kvar x)
{
	const kvar root = k_bitcast(k, N(root_half_f32), TSR_U32);
	const kvar one = k_bitcast(k, N(1), TSR_U32);
	const kvar less = K2(SUB, one, KNUM(one, 127 << 23)); /* so that 2^0 gives 0 */
	const kvar above = K2(ADD, k_bitcast(k, x, TSR_U32), K2(SUB, less, root));
	const kvar field = k_bitcast(k, above, TSR_I32);
	const kvar power = k_convert(k, K2(SAR, field, KNUM(field, 23)), TSR_F32);
	const kvar fraction = K2(AND, above, KNUM(above, 0x7fffff));
	const kvar f = K2(SUB, k_bitcast(k, K2(ADD, fraction, root), TSR_F32), N(1));
	const kvar ff = K2(MUL, f, f), fff = K2(MUL, ff, f);
	const kvar high = k_fma(k, series_nodes(k, f, &log_f32_parts[0]), fff,
	                        series_nodes(k, f, &log_f32_parts[1]));
	const kvar q = k_fma(k, high, fff, series_nodes(k, f, &log_f32_parts[2]));
	const kvar low = k_fma(k, q, fff, K2(MUL, N(ln2_rest_f32), power));

	return k_fma(k, N(ln2_f32), power, K2(ADD, k_fma(k, N(-0.5), ff, f), low));
}

/* log(1 - s) */
static kvar log_of_rest(kernel *k, kvar s)
{
	const bool f32 = k_dtype(k, s) == TSR_F32;
	const kvar x = K1(NEG, s), xx = K2(MUL, s, s), one_more = K2(ADD, x, N(1));
	const kvar ratio = K2(DIV, series_nodes(k, x, &over), series_nodes(k, x, &under));
	const kvar near = K2(ADD, x, k_fma(k, N(-0.5), xx, K2(MUL, K2(MUL, x, xx), ratio)));
	const kvar far = f32 ? log_cephes_nodes(k, one_more) : k_log(k, one_more);

	return KSEL(K2(LT, s, N(f32 ? (float)near_log : near_log)), near, far);
}

/* at the ends of what inside is good for */
static kvar ends_nodes(kernel *k, kvar x, kvar size, kvar inside)
{
	const kvar end = KSEL(K2(EQ, size, N(1)), K2(MUL, x, N(INFINITY)), N(NAN));

	return KSEL(K2(LT, size, N(1)), inside, end);
}

static kvar erf_inv_nodes_f32(kernel *k, kvar x)
{
	const kvar w = K1(NEG, log_of_rest(k, K2(MUL, x, x))), size = K1(ABS, x);
	const kvar near = K2(MUL, series_nodes(k, K2(SUB, w, N(2.5)), &near_f32), x);
	kvar far = near;

	if (k_if(k, K1(NOT, K2(LT, size, N(edge_f32))))) {
		far = series_nodes(k, K2(SUB, K1(SQRT, w), N(3)), &far_f32);
		far = ends_nodes(k, x, size, K2(MUL, far, x));
	}
	k_else(k);
	return k_end(k, far, near);
}

static kvar erf_inv_nodes(kernel *k, kvar x)
{
	if (k_dtype(k, x) == TSR_F32) return erf_inv_nodes_f32(k, x);
	const kvar w = K1(NEG, log_of_rest(k, K2(MUL, x, x))), root = K1(SQRT, w);
	const kvar near = series_nodes(k, K2(SUB, w, N(3.125)), &near_f64);
	const kvar far =
		KSEL(K2(LT, w, N(16)), series_nodes(k, K2(SUB, root, N(3.25)), &middle_f64),
	             series_nodes(k, K2(SUB, root, N(5)), &far_f64));

	return ends_nodes(k, x, K1(ABS, x), K2(MUL, KSEL(K2(LT, w, N(6.25)), near, far), x));
}

#define ERF_INV_OF(a) _Generic((a), float : erf_inv_f32, double : erf_inv_f64)(a)
/* sqrt(pi) / 2 e^(y^2) with y the result */
UNARY_ROW(erf_inv, "the number whose error function is x", 50, FLOAT,
          MUL(NUM(0.88622692545275801365), MUL(dx, OF_1(exp, OF_1(square, ans)))),
          erf_inv_nodes(k, a), ERF_INV_OF(a))
