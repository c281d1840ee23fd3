/* test_gamma.c - gamma, lgamma, digamma, zeta, polygamma, the incomplete gamma and beta functions
 * and Bessel functions against sums in long double. */
#include "prim/local_rig.h"

typedef long double real;

/* ---- oracles, for positive numbers: the sums far off, and what leads there */

static real exact_lgamma(real x, real unused) { return (void)unused, lgammal(x); }

static real exact_gamma(real x, real unused) { return (void)unused, tgammal(x); }

/* log x - 1 / 2x - sum of B(2k) / (2k x^2k) */
static real exact_digamma(real x, real unused)
{
	real less = 0;

	(void)unused;
	for (; x < 40; x++) less += 1 / x;
	const real p = 1 / (x * x);
	return logl(x) - 0.5L / x - less -
	       p * (1 / 12.0L - p * (1 / 120.0L - p * (1 / 252.0L - p / 240)));
}

/* 400 terms, then the integral with the first corrections */
static real exact_zeta(real x, real q)
{
	real sum = 0;

	for (int i = 0; i < 400; i++) sum += powl(q + i, -x);
	const real a = q + 400, power = powl(a, -x);
	return sum + power * (a / (x - 1) + 0.5L + x / (12 * a) -
	                      x * (x + 1) * (x + 2) / (720 * a * a * a));
}

static real exact_polygamma(real m, real x)
{
	real factorial = 1;

	if (m == 0) return exact_digamma(x, 0);
	for (int i = 2; i <= (int)m; i++) factorial *= i;
	return ((int)m % 2 ? 1 : -1) * factorial * exact_zeta(m + 1, x);
}

static real exact_igamma(real a, real x)
{
	real sum = 1, term = 1;

	for (int i = 1; i < 600; i++) sum += term *= x / (a + i);
	return sum * expl(a * logl(x) - x - lgammal(a + 1));
}

static real exact_igammac(real a, real x) { return 1 - exact_igamma(a, x); }

static real exact_grad_a(real a, real x)
{
	const real h = 1e-4L;

	return (8 * (exact_igamma(a + h, x) - exact_igamma(a - h, x)) -
	        (exact_igamma(a + 2 * h, x) - exact_igamma(a - 2 * h, x))) /
	       (12 * h);
}

/* the slope of x where the share stays */
static real exact_sample_grad(real a, real x)
{
	return -exact_grad_a(a, x) / expl((a - 1) * logl(x) - x - lgammal(a));
}

/* of order n: the sum of (x / 2)^(2k + n) / (k! (k + n)!) */
static real bessel(int n, real x)
{
	real term = n ? x / 2 : 1, sum = term;

	for (int k = 1; k < 300; k++) sum += term *= x * x / (4.0L * k * (k + n));
	return sum * expl(-fabsl(x));
}
static real exact_i0e(real x, real unused) { return (void)unused, bessel(0, x); }
static real exact_i1e(real x, real unused) { return (void)unused, bessel(1, x); }

/* the integral's series for b = 2.5: the sum of (1 - b)...(k - b) x^(a + k) / (k! (a + k)) */
static real exact_beta(real a, real x)
{
	const real b = 2.5L;
	real term = 1, sum = 1 / a;

	for (int k = 1; k < 3000; k++) sum += (term *= (k - b) / k * x) / (a + k);
	return sum * expl(a * logl(x) - lgammal(a) - lgammal(b) + lgammal(a + b));
}

static const struct function {
	const char *equation;
	real (*exact)(real, real);
	double low[2], high[2]; /* of the operands */
	bool whole;             /* the first one */
	double most;            /* units of the last place, f64 */
} functions[] = {
	{"gamma %0", exact_gamma, {1e-3, 0}, {8, 0}, false, 8},
	{"lgamma %0", exact_lgamma, {1e-3, 0}, {4, 0}, false, 4},
	{"lgamma %0", exact_lgamma, {4, 0}, {200, 0}, false, 4},
	{"digamma %0", exact_digamma, {1e-3, 0}, {4, 0}, false, 16},
	{"digamma %0", exact_digamma, {4, 0}, {6e4, 0}, false, 16},
	{"zeta %0 %1", exact_zeta, {1.1, 0.1}, {9, 30}, false, 16},
	{"igamma %0 %1", exact_igamma, {0.1, 0.05}, {30, 40}, false, 64},
	{"igammac %0 %1", exact_igammac, {0.1, 0.05}, {9, 12}, false, 64},
	{"igamma_grad_a %0 %1", exact_grad_a, {0.2, 0.1}, {9, 12}, false, 4096},
	{"random_gamma_grad %0 %1", exact_sample_grad, {1, 0.5}, {6, 5}, false, 65536},
	{"polygamma %0 %1", exact_polygamma, {0, 0.1}, {6, 30}, true, 64},
	{"bessel_i0e %0", exact_i0e, {-8, 0}, {8, 0}, false, 4},
	{"bessel_i0e %0", exact_i0e, {8, 0}, {90, 0}, false, 4},
	{"bessel_i1e %0", exact_i1e, {-8, 0}, {8, 0}, false, 4},
	{"bessel_i1e %0", exact_i1e, {-90, 0}, {-8, 0}, false, 4},
	{"regularized_incomplete_beta %0 2.5:T %1", exact_beta, {0.1, 0.01}, {20, 0.9}, false, 64},
};

enum { N = 500 };

/* off by at most some units of the last place of the result, or of 1 where that is larger; narrow
 * dtypes by the rounding alone. least: half of the smallest number that counts */
static void agrees(rig *r, const struct function *f, tsr_dtype dtype, double unit, double most,
                   double least)
{
	char x[2][8 * N];
	uint64_t random = 11;

	for (int64_t k = 0; k < 2; k++)
		for (size_t i = 0; i < N; i++) {
			double v = random_in(&random, f->low[k], f->high[k]);
			if (f->whole && k == 0) v = floor(v);
			dtype_convert(dtype, x[k] + i * tsr_dtype_size(dtype), TSR_F64, &v, 1);
		}
	program *p = rig_program(r, "T[500]; T[500]", f->equation, "T[500]", dtype);
	void *y = rig_eval(p, (void *[]){x[0], x[1]});
	for (int64_t i = 0; i < N; i++) {
		const double a = dtype_get(dtype, x[0], i), b = dtype_get(dtype, x[1], i);
		const real want = f->exact((real)a, (real)b);
		const double got = dtype_get(dtype, y, i);
		const real size = dtype == TSR_F64 ? fmaxl(fabsl(want), 1) : fabsl(want);
		if (!(fabsl((real)got - want) <= (real)(most * unit) * size + (real)least))
			fail_msg("%s of %s %.17g, %.17g: %.17g, not %.17Lg", f->equation,
			         tsr_dtype_name(dtype), a, b, got, want);
	}
	free(y);
	program_release(p);
}

static void functions_agree(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(functions); i++) {
		agrees(*state, &functions[i], TSR_F64, 0x1p-52, functions[i].most, 0);
		agrees(*state, &functions[i], TSR_F32, 0x1p-24, 1.01, 0x1p-149);
		agrees(*state, &functions[i], TSR_F16, 0x1p-11, 1.01, 0x1p-25);
	}
}

/* poles, reflections, infinities: what JAX 0.10.2 gives (jax.lax) */
static void corners(void **state)
{
	static const struct { const char *equation; double a, b, want; } cases[] = {
		{"lgamma %0", 0, 0, INFINITY},
		{"lgamma %0", -3, 0, INFINITY},
		{"lgamma %0", -0.5, 0, 1.26551212348465},
		{"lgamma %0", -20.25, 0, -41.6009619153405},
		{"lgamma %0", INFINITY, 0, INFINITY},
		{"lgamma %0", -INFINITY, 0, INFINITY},
		{"lgamma %0", NAN, 0, NAN},
		{"digamma %0", 0, 0, NAN},
		{"digamma %0", -4, 0, NAN},
		{"digamma %0", -0.5, 0, 0.0364899739786},
		{"digamma %0", INFINITY, 0, INFINITY},
		{"digamma %0", -INFINITY, 0, NAN},
		{"zeta %0 %1", 1, 2, INFINITY},
		{"zeta %0 %1", 0.5, 2, NAN},
		{"zeta %0 %1", 2, -3, INFINITY},
		{"zeta %0 %1", 3, -3, NAN},
		{"zeta %0 %1", 2.5, -0.5, NAN},
		{"zeta %0 %1", 3, -0.5, 0.41439832211716},
		{"igamma %0 %1", 2, 0, 0},
		{"igamma %0 %1", 2, INFINITY, 1},
		{"igamma %0 %1", 0, 3, 1},
		{"igamma %0 %1", 0, 0, NAN},
		{"igamma %0 %1", -1, 3, NAN},
		{"igamma %0 %1", 2, -3, NAN},
		{"igamma %0 %1", 1000, 1000, 0.504205244180215},
		{"igammac %0 %1", 2, 0, 1},
		{"igammac %0 %1", 0, 3, 0},
		{"igammac %0 %1", 2, -3, NAN},
		{"igammac %0 %1", 20.5, 101, 3.7980091918683e-23},
		{"igamma_grad_a %0 %1", 2, 0, 0},
		{"random_gamma_grad %0 %1", 2, -1, NAN},
		{"bessel_i0e %0", INFINITY, 0, 0},
		{"bessel_i1e %0", -INFINITY, 0, 0},
		{"bessel_i1e %0", NAN, 0, NAN},
		{"regularized_incomplete_beta %0 2:T %1", 3, 0, 0},
		{"regularized_incomplete_beta %0 2:T %1", 3, 1, 1},
		{"regularized_incomplete_beta %0 2:T %1", 3, 0.999, 0.999994007997001},
		{"regularized_incomplete_beta %0 2:T %1", 3, 1.5, NAN},
		{"regularized_incomplete_beta %0 2:T %1", 0, 0.5, 1},
		{"regularized_incomplete_beta %0 2:T %1", INFINITY, 0.5, 0},
		{"regularized_incomplete_beta %0 0:T %1", 0, 0.5, NAN},
		{"regularized_incomplete_beta %0 900:T %1", 1000, 0.53, 0.625844439910709},
		{"polygamma %0 %1", -1, 2, NAN},
		{"polygamma %0 %1", 1.5, 2, NAN},
		{"polygamma %0 %1", 1, 0, INFINITY},
		{"polygamma %0 %1", 2, -1, NAN},
		{"polygamma %0 %1", 1, -0.5, 8.9348022005},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		double a = cases[i].a, b = cases[i].b;
		const double want = cases[i].want;
		program *p =
			rig_program(*state, "f64[]; f64[]", cases[i].equation, "f64[]", TSR_F64);
		double *y = rig_eval(p, (void *[]){&a, &b});
		if (isnan(want) ? !isnan(*y) : *y != want && !(fabs(*y - want) < 1e-9 * fabs(want)))
			fail_msg("%s of %g, %g: %.15g, not %.15g", cases[i].equation, a, b, *y,
			         want);
		free(y);
		program_release(p);
	}
}

/* near zeros and poles, of large numbers and of small shares, where digits are easily lost: mpmath
 * has the numbers, for so many units of the last place */
static void digits_are_kept(void **state)
{
	static const struct { const char *equation; double a, b, want, most; } cases[] = {
		{"lgamma %0", 1.0000152587890625, 0, -8.80742058019790519e-6, 4},
		{"lgamma %0", 1.9990234375, 0, -0.000412567735971489402, 4},
		{"lgamma %0", 2.000244140625, 0, 0.000103238051364096358, 4},
		{"lgamma %0", 1, 0, 0, 0},
		{"lgamma %0", 2, 0, 0, 0},
		{"lgamma %0", 0.75, 0, 0.203280951431295371, 6},
		{"lgamma %0", 3.25, 0, 0.935801931108725358, 4},
		{"lgamma %0", 7.4375, 0, 7.41297127057909186, 4},
		{"lgamma %0", 7.5, 0, 7.53436423675873296, 4},
		{"lgamma %0", 60.25, 0, 185.555850345522636, 4},
		{"lgamma %0", -0.4375, 0, 1.28533403470671309, 4},
		{"lgamma %0", -1.75, 0, 1.0160888092144357, 4},
		{"lgamma %0", -30.28125, 0, -74.2185846446607785, 4},
		{"lgamma %0", 5e-324, 0, 744.4400719213812, 1},
		{"gamma %0", 1.0000152587890625, 0, 0.999991192618205017, 4},
		{"gamma %0", 7.4375, 0, 1657.34345406347978, 4},
		{"gamma %0", 7.5, 0, 1871.25430579778835, 6},
		{"gamma %0", 60.25, 0, 3.85373537805533536e+80, 6},
		{"gamma %0", 171.5, 0, 9.48336756682479934e+307, 6},
		{"gamma %0", 172, 0, INFINITY, 0},
		{"gamma %0", -0.4375, 0, -3.61587558345171101, 4},
		{"gamma %0", -1.75, 0, 2.76236945388335871, 4},
		{"gamma %0", -30.28125, 0, -5.85164854519746932e-33, 8},
		{"gamma %0", 18, 0, 355687428096000, 0},
		{"gamma %0", 8, 0, 5040, 0},
		{"gamma %0", -3, 0, NAN, 0},
		{"gamma %0", -0.0, 0, -INFINITY, 0},
		{"gamma %0", -INFINITY, 0, NAN, 0},
		{"igammac %0 %1", 0x1p-20, 0.875, 2.5919213459694485e-7, 16},
		{"igammac %0 %1", 0x1p-10, 0x1p-7, 0.00417427811661132757, 16},
		{"igammac %0 %1", 0.5, 0.25, 0.479500122186953462, 16},
		{"igammac %0 %1", 1, 1.7e308, 0, 0},
		{"random_gamma_grad %0 %1", 1, 1.7e308, 710.304052558130, 16},
		{"random_gamma_grad %0 %1", 0x1p-1022, 4e-6, 2.1306352406662702705e303, 16},
		{"igamma %0 %1", 1, 1.7e308, 1, 0},
		{"igamma %0 %1", 10000, 10000, 0.5013298083399552, 256},
		{"igamma_grad_a %0 %1", 10000, 10000, -0.00398945604945366863, 4096},
		{"igamma_grad_a %0 %1", 0x1p-1022, 0.15737983371010386, -1.423275463644445, 64},
		{"igamma %0 %1", 5e4, 50200, 0.814533642938086002, 64},
		{"igammac %0 %1", 5e4, 50200, 0.185466357061913998, 64},
		{"igamma_grad_a %0 %1", 5e4, 50200, -0.00119482062852762419, 64},
		{"random_gamma_grad %0 %1", 5e4, 50200, 1.00200067864994855, 16},
		{"igamma %0 %1", 4e4, 39400, 0.00129141895152893577, 64},
		{"random_gamma_grad %0 %1", 4e4, 39400, 0.992466351431171052, 16},
		{"igamma %0 %1", 1e6, 1e6, 0.500132980760872591, 16},
		{"igamma_grad_a %0 %1", 1e6, 1e6, -0.000398942313646625205, 16},
		{"random_gamma_grad %0 %1", 1e6, 1e6, 1.00000016666668333, 16},
		{"igammac %0 %1", 1e6, 1.002e6, 0.0228040958987698628, 64},
		{"igamma %0 %1", 1e6, 997000, 0.00133810416731359969, 64},
		{"igamma_grad_a %0 %1", 1e6, 997000, -4.39865322468203858e-6, 64},
		{"igamma %0 %1", 1e15, 1e15, 0.500000004205221, 1e4},
		{"igamma %0 %1", 1e300, 1.01e300, 1, 0},
		{"igammac %0 %1", 1e300, 1.01e300, 0, 0},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		double a = cases[i].a, b = cases[i].b;
		const double want = cases[i].want, most = cases[i].most * 0x1p-52 * fabs(want);
		const bool two = strstr(cases[i].equation, "%1");
		program *p = rig_program(*state, two ? "f64[]; f64[]" : "f64[]", cases[i].equation,
		                         "f64[]", TSR_F64);
		double *y = rig_eval(p, (void *[]){&a, &b});
		if (isnan(want) ? !isnan(*y) : *y != want && !(fabs(*y - want) <= most))
			fail_msg("%s of %.17g, %g: %.17g, not %.17g", cases[i].equation, a, b, *y,
			         want);
		free(y);
		program_release(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_agree),
		cmocka_unit_test(corners),
		cmocka_unit_test(digits_are_kept),
	};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
