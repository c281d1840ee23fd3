/* erf_inv_real.h - computes the inverse of the error function in the words of words.h.
 *
 * M. Giles, Approximating the erfinv function (GPU Computing Gems, Jade edition, 2011): polynomials
 * of w = -log(1 - x^2) near 0, and of sqrt(w) behind that, times x. The logarithm is as XLA has it,
 * in its order of operations, with each product that is added fused: log(1 + a) with a = -x^2 is a
 * rational function of a near 0, and else log of the rounded 1 + a; that of f32 is Cephes's, that
 * of f64 our own.
 *
 * Kernels of f32 compute one polynomial for all numbers. The other one, and the rest at 1 and
 * beyond, are in a branch, which one in 300 of the numbers that are drawn needs: it begins at the
 * least |x| for which w is 5. */

#ifndef TSR_SRC_PRIM_ERF_INV_REAL_H
#define TSR_SRC_PRIM_ERF_INV_REAL_H
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
#endif

#ifndef WORDS_F64
/* log x of a normal x = 2^k (1 + f) with 2^-1/2 <= 1 + f < 2^1/2 */
static inline REAL OF(log_cephes) ARGS(REAL x)
{
	const BITS root = BITS_OF(N(root_half_f32)), one = BITS_OF(N(1));
	const BITS less = SUB(one, B(127 << 23)); /* so that 2^0 gives 0 */
	const BITS above = ADD(BITS_OF(x), SUB(less, root));
	const REAL power = FIELD(above);
	const REAL f = SUB(NUMBER_OF(ADD(AND(above, B(0x7fffff)), root)), N(1));
	const REAL ff = MUL(f, f), fff = MUL(ff, f);
	const REAL high = FMA(CALL(horner, f, &log_f32_parts[0]), fff,
	                      CALL(horner, f, &log_f32_parts[1]));
	const REAL q = FMA(high, fff, CALL(horner, f, &log_f32_parts[2]));
	const REAL low = FMA(q, fff, MUL(N(ln2_rest_f32), power));

	return FMA(N(ln2_f32), power, ADD(FMA(N(-0.5), ff, f), low));
}
#endif

#define IS_F32 (FORM.mantissa == form_f32.mantissa)
#if defined WORDS_F32
#define LOG_OF_REST(x) CALL(log_cephes, x)
#elif defined WORDS_F64
#define LOG_OF_REST(x) CALL(log, x)
#else
#define LOG_OF_REST(x) (IS_F32 ? CALL(log_cephes, x) : CALL(log, x))
#endif

/* -log(1 - s) for 0 <= s < 1 */
static inline REAL OF(less_log) ARGS(REAL s)
{
	const REAL x = NEG(s), xx = MUL(s, s), rest = ADD(x, N(1));
	const REAL ratio = DIV(CALL(horner, x, &over), CALL(horner, x, &under));
	const REAL near = ADD(x, FMA(N(-0.5), xx, MUL(MUL(x, xx), ratio)));

	return NEG(SELECT(LT(s, N(near_log)), near, LOG_OF_REST(rest)));
}

/* at the ends of what `inside` is good for */
static inline REAL OF(with_ends) ARGS(REAL x, REAL inside)
{
	const REAL size = ABS(x), end = SELECT(EQ(size, N(1)), MUL(x, N(INFINITY)), N(NAN));

	return SELECT(LT(size, N(1)), inside, end);
}

#ifndef WORDS_F64
static inline REAL OF(erf_inv_short) ARGS(REAL x)
{
	const REAL w = CALL(less_log, MUL(x, x));
	const REAL near = MUL(CALL(horner, SUB(w, N(2.5)), &near_f32), x);
	const CONDITION is_far = NOT(LT(ABS(x), N(edge_f32)));
	REAL y;

	RARELY(y, is_far,
	       CALL(with_ends, x, MUL(CALL(horner, SUB(SQRT(w), N(3)), &far_f32), x)), near);
	return y;
}
#endif

#ifndef WORDS_F32
static inline REAL OF(erf_inv_long) ARGS(REAL x)
{
	const REAL w = CALL(less_log, MUL(x, x)), root = SQRT(w);
	const REAL q = SELECT(LT(w, N(6.25)), CALL(horner, SUB(w, N(3.125)), &near_f64),
	                      SELECT(LT(w, N(16)),
	                             CALL(horner, SUB(root, N(3.25)), &middle_f64),
	                             CALL(horner, SUB(root, N(5)), &far_f64)));

	return CALL(with_ends, x, MUL(q, x));
}
#endif

#if defined WORDS_F32
float erf_inv_f32(float x) { return erf_inv_short_f32(x); }
#elif defined WORDS_F64
double erf_inv_f64(double x) { return erf_inv_long_f64(x); }
#else
REAL OF(erf_inv) ARGS(REAL x) { return IS_F32 ? CALL(erf_inv_short, x) : CALL(erf_inv_long, x); }
#endif
#undef LOG_OF_REST
#undef IS_F32
