/* special.c - functions of jax.scipy.special that are formulas of others: the gamma and beta
 * functions and their kin, and the inverse of the normal distribution
 * (jax/_src/scipy/special.py). */
#include <math.h>
#include "lib/formula.h"

/* ---- the gamma function: its sign is that of (-1)^floor(x) below 0 */

static tsr_arg sign_of_gamma(const call_site *site, tsr_arg x)
{
	const tsr_arg whole = OP_1(floor, x), below = IS(lt, x, NUM(0));
	const tsr_arg odd = IS(ne, OP_2(rem, whole, NUM(2)), NUM(0));
	const tsr_arg minus_zero = BOTH(IS(eq, x, NUM(0)), OP_1(signbit, x));
	const tsr_arg none = EITHER(BOTH(below, IS(eq, x, whole)), OP_1(isnan, x));
	const tsr_arg minus = EITHER(BOTH(below, odd), minus_zero);

	return WHERE(none, NUM(NAN), WHERE(minus, NUM(-1), OP_1(ones_like, x)));
}

/* gamma(x + 1) as x gamma(x), where x + 1 would be rounded */
static tsr_arg factorial_of(const call_site *site, tsr_arg x)
{
	const tsr_arg large = IS(ge, x, NUM(1)), at = WHERE(large, x, ADD(x, NUM(1)));

	return MUL(OP_1(gamma_function, at), WHERE(large, x, OP_1(ones_like, x)));
}

FORMULA_1(gammasgn, PROMOTE_INEXACT, sign_of_gamma(site, x))
FORMULA_1(log_gamma, PROMOTE_INEXACT, WHERE(IS(gt, x, NUM(0)), OP_1(lgamma, x), NUM(NAN)))
FORMULA_1(factorial, PROMOTE_INEXACT, WHERE(IS(lt, x, NUM(0)), NUM(0), factorial_of(site, x)))

/* the value, with the derivatives of e^log: those of quotients overflow where squares do */
static tsr_arg with_slope_of(const call_site *site, tsr_arg value, tsr_arg log)
{
	const tsr_arg some = OP_1(is_finite, log), safe = WHERE(some, log, NUM(0));
	const tsr_arg fixed = STOPPED(value);

	return WHERE(some, MUL(fixed, OP_1(exp, SUB(safe, STOPPED(safe)))), fixed);
}

/* gamma(x + y) / gamma(x) */
static tsr_arg rising(const call_site *site, tsr_arg x, tsr_arg y)
{
	const tsr_arg both = ADD(x, y);
	const tsr_arg ratio = DIV(OP_1(gamma_function, both), OP_1(gamma_function, x));
	const tsr_arg log = SUB(OP_1(lgamma, both), OP_1(lgamma, x));

	return with_slope_of(site, WHERE(IS(eq, y, NUM(0)), NUM(1), ratio), log);
}

FORMULA_2(poch, PROMOTE_INEXACT, rising(site, x, y))

/* ---- the beta function */

/* what Stirling's formula (x - 1/2) log x - x + log(2 pi) / 2 lacks to lgamma(x), for x >= 8 */
static tsr_arg beyond_stirling(const call_site *site, tsr_arg x)
{
	static const double by[] = {-691.0 / 360360, 1.0 / 1188, -1.0 / 1680, 1.0 / 1260,
	                            -1.0 / 360, 1.0 / 12};
	const tsr_arg per_x = DIV(NUM(1), x), square = OP_1(square, per_x);
	tsr_arg sum = ADD(MUL(square, NUM(by[0])), NUM(by[1]));

	for (int i = 2; i < 6; i++) sum = ADD(MUL(sum, square), NUM(by[i]));
	return MUL(sum, per_x);
}

/* lgamma(q) - lgamma(p + q) for a large q, where both would be cancelled: by Stirling's formula
 * -(p + q - 1/2) log(1 + p / q) - p (log q - 1), and what that lacks */
static tsr_arg log_gamma_ratio(const call_site *site, tsr_arg p, tsr_arg q)
{
	const tsr_arg both = ADD(p, q), log = OP_1(log1p, DIV(p, q));
	const tsr_arg less = SUB(beyond_stirling(site, q), beyond_stirling(site, both));
	const tsr_arg shift = MUL(p, SUB(OP_1(log, q), NUM(1)));

	return SUB(SUB(less, MUL(SUB(both, NUM(0.5)), log)), shift);
}

static tsr_arg log_beta(const call_site *site, tsr_arg x, tsr_arg y)
{
	const tsr_arg p = OP_2(minimum, x, y), q = OP_2(maximum, x, y), far = IS(ge, q, NUM(8));
	const tsr_arg near_q = WHERE(far, NUM(1), q), far_q = WHERE(far, q, NUM(8));
	const tsr_arg near = SUB(OP_1(lgamma, near_q), OP_1(lgamma, ADD(p, near_q)));

	return ADD(OP_1(lgamma, p), WHERE(far, log_gamma_ratio(site, p, far_q), near));
}

static tsr_arg beta_of(const call_site *site, tsr_arg x, tsr_arg y)
{
	const tsr_arg signs = MUL(sign_of_gamma(site, x), sign_of_gamma(site, y));

	return MUL(MUL(signs, sign_of_gamma(site, ADD(x, y))), OP_1(exp, log_beta(site, x, y)));
}

/* of whole n and k, whole too */
static tsr_arg to_whole(const call_site *site, tsr_arg ways, tsr_arg n, tsr_arg k)
{
	const tsr_arg both = BOTH(IS(eq, n, OP_1(floor, n)), IS(eq, k, OP_1(floor, k)));
	const tsr_arg whole = HANDLE(tsr_round_at(site->where, ways.as.one, NULL));

	return WHERE(BOTH(both, IS(lt, ways, NUM(0x1p+48))), whole, ways);
}

/* n! / (k! (n - k)!) where these are numbers, and else 1 / ((n + 1) B(n - k + 1, k + 1)), in f64
 * since narrower dtypes lose too much, of integers first of all; outside of 0 <= k <= n it has no
 * meaning, and sees 0 */
static tsr_arg ways_to_choose(const call_site *site, tsr_arg x, tsr_arg y)
{
	const tsr_arg some = BOTH(IS(le, y, x), BOTH(IS(ge, x, NUM(0)), IS(ge, y, NUM(0))));
	const tsr_arg n = WHERE(some, TO(TSR_F64, x), NUM(0));
	const tsr_arg k = WHERE(some, TO(TSR_F64, y), NUM(0)), rest = SUB(n, k);
	const tsr_arg under = MUL(factorial_of(site, k), factorial_of(site, rest));
	const tsr_arg near = to_whole(site, DIV(factorial_of(site, n), under), n, k);
	const tsr_arg n1 = ADD(n, NUM(1)), k1 = ADD(k, NUM(1)), rest1 = ADD(rest, NUM(1));
	const tsr_arg far = OP_1(exp, NEG(ADD(log_beta(site, rest1, k1), OP_1(log, n1))));
	const tsr_arg own = ADD(OP_1(lgamma, k1), OP_1(lgamma, rest1));
	const tsr_arg ways = with_slope_of(site, WHERE(IS(le, n, NUM(170)), near, far),
	                                   SUB(OP_1(lgamma, n1), own));

	return WHERE(some, TO(dtype_inexact(dtype_of_operand(x)), ways), NUM(0));
}

FORMULA_2(betaln, PROMOTE_INEXACT, log_beta(site, x, y))
FORMULA_2(beta_function, PROMOTE_INEXACT, beta_of(site, x, y))
FORMULA_2(comb, PROMOTE_TYPES, ways_to_choose(site, x, y))

/* log(pi) d (d - 1) / 4 + the sum of lgamma(x - i / 2) for i = 0 .. d - 1, along a dim of its own:
 * as C calls, a large d would be a loop that records, or runs, that many operations */
tsr *lib_multigammaln(call_site *site, tsr *a, int d)
{
	operands o;

	if (!operands_prepare(&o, site, (tsr_arg[]){HANDLE(a)}, 1, PROMOTE_INEXACT))
		return poison_of(o.site.ctx);
	if (d < 1)
		return refuse(&o.site, TSR_ERROR_ARGUMENT,
		              "multigammaln: d must be at least 1, and is %d", d);
	const tsr_sum_args last = {.size = sizeof last, .dims = TSR_DIMS(-1)};
	const tsr_iota_args of = {.size = sizeof of, .dtype = handle_type(o.x[0])->dtype};
	const tsr_arg i = HANDLE(tsr_iota_at(site->where, o.site.ctx, TSR_DIMS(d), 0, &of));
	const tsr_arg x = HANDLE(tsr_expand_dims_at(site->where, o.x[0], last.dims));
	const tsr_arg each = OP_1(lgamma, SUB(x, MUL(i, NUM(0.5))));
	const tsr_arg sum = HANDLE(tsr_sum_at(site->where, each.as.one, &last));
	return ADD(sum, NUM(1.14472988584940017414 * d * (d - 1.0) / 4)).as.one;
}

/* ---- Bessel functions without their scale */

#define GROWN(name, x) MUL(OP_1(exp, OP_1(abs, x)), OP_1(name, x))
FORMULA_1(i0, PROMOTE_INEXACT, GROWN(bessel_i0e, x))
FORMULA_1(i1, PROMOTE_INEXACT, GROWN(bessel_i1e, x))

/* ---- powers between the logarithm and x - 1 */

static tsr_arg power_of_log(const call_site *site, tsr_arg log, tsr_arg y)
{
	const tsr_arg none = IS(eq, y, NUM(0)), under = WHERE(none, NUM(1), y);

	return WHERE(none, log, DIV(OP_1(expm1, MUL(under, log)), under));
}

FORMULA_2(boxcox, PROMOTE_INEXACT, power_of_log(site, OP_1(log, x), y))
FORMULA_2(boxcox1p, PROMOTE_INEXACT, power_of_log(site, OP_1(log1p, x), y))

/* ---- the inverse of the normal distribution: rational functions (Cephes, ndtri.c). In the middle,
 * for w = p - 1/2, w + w^3 P0(w^2) / Q0(w^2), times sqrt(2 pi); in the tails, for z = sqrt(-2 log
 * p), z - log(z) / z - P(1 / z) / (z Q(1 / z)), with one pair for z < 8 and one beyond */

typedef struct rational {
	double p[9], q[9]; /* the highest power first */
} rational;
static const rational middle = {
	{0, 0, 0, 0, -5.99633501014107895267E1, 9.80010754185999661536E1, -5.66762857469070293439E1,
	 1.39312609387279679503E1, -1.23916583867381258016E0},
	{1, 1.95448858338141759834E0, 4.67627912898881538453E0, 8.63602421390890590575E1,
	 -2.25462687854119370527E2, 2.00260212380060660359E2, -8.20372256168333339912E1,
	 1.59056225126211695515E1, -1.18331621121330003142E0}};
static const rational near_tail = {
	{4.05544892305962419923E0, 3.15251094599893866154E1, 5.71628192246421288162E1,
	 4.40805073893200834700E1, 1.46849561928858024014E1, 2.18663306850790267539E0,
	 -1.40256079171354495875E-1, -3.50424626827848203418E-2, -8.57456785154685413611E-4},
	{1, 1.57799883256466749731E1, 4.53907635128879210584E1, 4.13172038254672030440E1,
	 1.50425385692907503408E1, 2.50464946208309415979E0, -1.42182922854787788574E-1,
	 -3.80806407691578277194E-2, -9.33259480895457427372E-4}};
static const rational far_tail = {
	{3.23774891776946035970E0, 6.91522889068984211695E0, 3.93881025292474443415E0,
	 1.33303460815807542389E0, 2.01485389549179081538E-1, 1.23716634817820021358E-2,
	 3.01581553508235416007E-4, 2.65806974686737550832E-6, 6.23974539184983293730E-9},
	{1, 6.02427039364742014255E0, 3.67983563856160859403E0, 1.37702099489081330271E0,
	 2.16236993594496635890E-1, 1.34204006088543189037E-2, 3.28014464682127739104E-4,
	 2.89247864745380683936E-6, 6.79019408009981274425E-9}};

static tsr_arg polynomial(const call_site *site, const double by[9], tsr_arg x)
{
	int first = 0;

	while (by[first] == 0) first++;
	tsr_arg y = ADD(MUL(x, NUM(by[first])), NUM(by[first + 1]));
	for (int i = first + 2; i < 9; i++) y = ADD(MUL(y, x), NUM(by[i]));
	return y;
}

static tsr_arg quotient(const call_site *site, const rational *of, tsr_arg x)
{
	return DIV(polynomial(site, of->p, x), polynomial(site, of->q, x));
}

static tsr_arg normal_inverse(const call_site *site, tsr_arg p)
{
	const double edge = 0.13533528323661269189, root_2pi = 2.50662827463100050242;
	const tsr_arg upper = IS(gt, p, NUM(1 - edge)), folded = WHERE(upper, SUB(NUM(1), p), p);
	const tsr_arg under = WHERE(IS(eq, folded, NUM(0)), NUM(0.5), folded);
	const tsr_arg w = SUB(under, NUM(0.5)), square = OP_1(square, w);
	const tsr_arg inner = ADD(w, MUL(MUL(w, square), quotient(site, &middle, square)));
	const tsr_arg z = OP_1(sqrt, MUL(NUM(-2), OP_1(log, under)));
	const tsr_arg first = SUB(z, DIV(OP_1(log, z), z)), per_z = DIV(NUM(1), z);
	const tsr_arg near = SUB(first, DIV(quotient(site, &near_tail, per_z), z));
	const tsr_arg far = SUB(first, DIV(quotient(site, &far_tail, per_z), z));
	const tsr_arg tail = WHERE(IS(ge, z, NUM(8)), far, near);
	const tsr_arg y = WHERE(IS(gt, under, NUM(edge)), MUL(inner, NUM(-root_2pi)), tail);
	const tsr_arg x = WHERE(upper, y, NEG(y));

	return WHERE(IS(eq, p, NUM(0)), NUM(-INFINITY), WHERE(IS(eq, p, NUM(1)), NUM(INFINITY), x));
}

FORMULA_1(ndtri, PROMOTE_INEXACT, normal_inverse(site, x))
