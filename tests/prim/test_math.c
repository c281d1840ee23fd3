/* test_math.c - the elementary functions of one number, and powers: largest errors over dense
 * samples, special values. */
#include <float.h>
#include "prim/local_rig.h"
#include "kernel/kernel.h"

static long double logistic_l(long double x) { return 1 / (1 + expl(-x)); }
static long double rsqrt_l(long double x) { return 1 / sqrtl(x); }

/* rsqrt is made of other rows: its equation on one number */
static program *rsqrt_of[TSR_C128];

static void rsqrt_eval(tsr_dtype dtype, const void *x, void *y)
{
	const program *p = rsqrt_of[dtype];
	const type *t = type_of(p, p->in[0]);
	char scratch[8192];

	assert_true(eqn_scratch(&p->eqns[0], &t) <= sizeof scratch);
	eqn_eval(&(eval_args){.eqn = &p->eqns[0], .in = &t, .out = &t, .n = 1, .x = &x, .y = &y,
	                      .scratch = scratch});
}

static float rsqrt_f32(float x)
{
	float y;

	rsqrt_eval(TSR_F32, &x, &y);
	return y;
}

static double rsqrt_f64(double x)
{
	double y;

	rsqrt_eval(TSR_F64, &x, &y);
	return y;
}

static const struct {
	const char *name;
	float (*f32)(float);
	double (*f64)(double);
	long double (*exact)(long double);
	double most_f32, most_f64; /* units in the last place */
} functions[] = {
	{"exp", exp_f32, exp_f64, expl, 0.9, 0.9},
	{"exp2", exp2_f32, exp2_f64, exp2l, 1.0, 0.9},
	{"expm1", expm1_f32, expm1_f64, expm1l, 1.35, 1.4},
	{"log", log_f32, log_f64, logl, 1.1, 1.05},
	{"log1p", log1p_f32, log1p_f64, log1pl, 1.1, 1.1},
	{"sin", sin_f32, sin_f64, sinl, 1.55, 1.5},
	{"cos", cos_f32, cos_f64, cosl, 1.55, 1.5},
	{"tanh", tanh_f32, tanh_f64, tanhl, 2.55, 2.5},
	{"logistic", logistic_f32, logistic_f64, logistic_l, 2.45, 2.4},
	{"rsqrt", rsqrt_f32, rsqrt_f64, rsqrt_l, 1.5, 1.5},
};

static void f32_error(size_t k, float x)
{
	const float got = functions[k].f32(x);
	const double off = ulps_off_dtype(TSR_F32, (double)got,
	                                  functions[k].exact((long double)x));

	if (off > functions[k].most_f32)
		fail_msg("%s_f32(%a) is off by %g", functions[k].name, (double)x, off);
}

/* every 997th bit pattern, which meets denormals, infinities and NaNs of both signs */
static void f32_errors(void **state)
{
	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(functions); k++)
		for (uint64_t u = 0; u <= UINT32_MAX; u += 997)
			f32_error(k, from_bits((uint32_t)u));
}

static void f64_error(size_t k, double x)
{
	const double got = functions[k].f64(x);
	const double off = ulps_off_dtype(TSR_F64, got, functions[k].exact((long double)x));

	if (off > functions[k].most_f64)
		fail_msg("%s_f64(%a) is off by %g", functions[k].name, x, off);
}

static void f64_errors(void **state)
{
	static const double ranges[][2] = {{-1, 1},   {-40, 40},    {-750, 750},
	                                   {0, 1e-3}, {1e3, 1e300}, {-1e9, 1e9}};
	uint64_t random = 1;

	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(functions); k++) {
		for (size_t j = 0; j < ARRAY_LEN(ranges); j++)
			for (int i = 0; i < 20000; i++)
				f64_error(k, random_in(&random, ranges[j][0], ranges[j][1]));
		for (int i = 0; i < 100000; i++) {
			const uint64_t bits = random_bits(&random);
			double x;
			memcpy(&x, &bits, sizeof x);
			f64_error(k, x);
		}
	}
}

/* next to multiples of pi / 2 one of sin and cos is nearly 0, and its digits come from the last
 * parts of pi / 2; the numbers go beyond those from which on SLEEF computes them */
static void quarter_turns(void **state)
{
	uint64_t random = 3;

	(void)state;
	for (int i = 0; i < 300000; i++) {
		const double n = rint(ldexp(random_in(&random, 0.5, 1), i % 32));
		const long double x = (long double)n * 1.57079632679489661923132169163975144L;
		for (size_t k = 0; k < ARRAY_LEN(functions); k++) {
			if (functions[k].exact != sinl && functions[k].exact != cosl) continue;
			f32_error(k, (float)x);
			f64_error(k, (double)x);
			f64_error(k, -nextafter((double)x, 0));
		}
	}
}

/* C's value, with the sign of zero; a NaN may have any sign */
static bool near_to(tsr_dtype t, double got, long double want, double most)
{
	if (isnan(want)) return isnan(got);
	return ulps_off_dtype(t, got, want) <= most && !signbit(got) == !signbit(want);
}

static void special_values(void **state)
{
	static const double at[] = {
		0.0, -0.0, INFINITY, -INFINITY, NAN, 1, -1, 0x1p-149, -0x1p-149, 0x1p-126,
		-0x1.fffffep-127, 0x1.fffffep127, -0x1.fffffep127, 88.72283f, 88.72284f, -103.9f,
		-104.1f, 128, -149, -150,
		/* edges of f64 */
		0x1p-1074, -0x1p-1074, 0x1p-1022, -0x1.ffffffffffffep-1023, 0x1.fffffffffffffp1023,
		-0x1.fffffffffffffp1023, 0x1.62e42fefa39efp9, 0x1.62e42fefa39fp9, -708.4, -745.13,
		-0x1.74910d52d3052p9, -746.5, 1023.9999999999999, 1024, -1022.5, -1074, -1074.9,
		-1075.1, -0x1.fffffffffffffp-1, 0x1.6a09e667f3bccp-1, 0x1.6a09e667f3bcdp-1, 0x1p53,
		0x1p54, 37.8, -38};

	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(functions); k++)
		for (size_t i = 0; i < ARRAY_LEN(at); i++) {
			const float x = (float)at[i], got = functions[k].f32(x);
			const double wide = functions[k].f64(at[i]);
			if (!near_to(TSR_F32, (double)got, functions[k].exact((long double)x), 2.6))
				fail_msg("%s_f32(%a) = %a", functions[k].name, (double)x,
				         (double)got);
			if (!near_to(TSR_F64, wide, functions[k].exact((long double)at[i]), 2.6))
				fail_msg("%s_f64(%a) = %a, not %a", functions[k].name, at[i], wide,
				         (double)functions[k].exact((long double)at[i]));
		}
}

static void pow_f32_error(float x, float y)
{
	const float got = pow_f32(x, y);
	const long double want = powl((long double)x, (long double)y);

	if (!near_to(TSR_F32, (double)got, want, 0.51))
		fail_msg("pow_f32(%a, %a) = %a, off by %g", (double)x, (double)y, (double)got,
		         ulps_off_dtype(TSR_F32, (double)got, want));
}

static double from_bits_f64(uint64_t bits)
{
	double x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

static void pow_f64_error(double x, double y)
{
	const double got = pow_f64(x, y);
	const long double want = powl((long double)x, (long double)y);

	if (!near_to(TSR_F64, got, want, 0.8))
		fail_msg("pow_f64(%a, %a) = %a, off by %g", x, y, got,
		         ulps_off_dtype(TSR_F64, got, want));
}

/* up to the largest number, and to infinity behind it */
static void powers_at_the_top(void **state)
{
	static const struct { double x, y; } at[] = {
		{DBL_MAX, 1},         {4294967295.0, 32},  {2, 1023.999999}, {0.5, -1023.9999999},
		{-2, 1023},           {2, 1023.9999999999}, {-DBL_MAX, 1},    {DBL_MAX, 0.99999999},
		{0x1p-1022, -1},      {0x1p512, 2},        {2, 1024},
		{2, 0x1.fffffffffffffp9},
		{0x1.fffffffffffffp511, 2}, {0x1.0000000000001p512, 2},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(at); i++) pow_f64_error(at[i].x, at[i].y);
	assert_true(pow_f64(DBL_MAX, 1) == DBL_MAX);
	assert_true(pow_f64(2, 1024) == INFINITY);
}

static void special_powers(void **state)
{
	static const float at[] = {0.0f, INFINITY, NAN, 1, 0x1.000002p0f, 0x1.fffffep-1f, 2, 0.5f,
	                           3, 0.25f, 1e-30f, 0x1p-149f, 0x1p-126f, 0x1.fffffep127f, 1e10f,
	                           127.99999f, 149, 150, 0.1f,
	                           /* around the largest odd number, and the largest half one */
	                           0x1p24f, 0x1.fffffep23f, 0x1.fffffcp23f, 0x1.fffffep22f};
	const size_t n = 2 * ARRAY_LEN(at);

	(void)state;
	for (size_t i = 0; i < n * n; i++) {
		const float x = at[i / n / 2] * (i / n % 2 ? -1.0f : 1.0f);
		const float y = at[i % n / 2] * (i % 2 ? -1.0f : 1.0f);
		pow_f32_error(x, y);
		pow_f64_error((double)x, (double)y);
	}
}

/* of all sizes and signs; with results of the size of `log2`, which may be denormal or the last
 * finite ones; near 1; and with whole y */
static void powers(void **state)
{
	uint64_t random = 7;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		const uint64_t bits = random_bits(&random);
		const double log2 = random_in(&random, -152, 130);
		const double x = exp(random_in(&random, -80, 80));
		const double near = 1 + ldexp(random_in(&random, -1, 1), -i % 22);
		pow_f32_error(from_bits((uint32_t)bits), from_bits((uint32_t)(bits >> 32)));
		pow_f32_error((float)x, (float)random_in(&random, -5, 5));
		pow_f32_error((float)x, (float)(log2 * log(2) / log(x)));
		pow_f32_error((float)near, (float)(log2 * log(2) / log(near)));
		pow_f32_error((float)random_in(&random, -9, 9), (float)rint(log2));
		if (i % 4) continue;
		const double far = random_in(&random, -1080, 1030);
		pow_f64_error(from_bits_f64(bits), from_bits_f64(random_bits(&random)));
		pow_f64_error(x, far * log(2) / log(x));
		pow_f64_error(near, far * log(2) / log(near));
		pow_f64_error(random_in(&random, 0.7, 1.42), random_in(&random, -3000, 3000));
		pow_f64_error(random_in(&random, -9, 9), rint(far / 8));
	}
}

static void powers_of_whole_numbers_are_exact(void **state)
{
	(void)state;
	for (int x = -300; x <= 300; x++) {
		float want = 1;
		for (int y = 0; fabsf(want) <= 0x1p24f && y < 200; y++) {
			if (pow_f32((float)x, (float)y) != want)
				fail_msg("pow_f32(%d, %d) = %a", x, y,
				         (double)pow_f32((float)x, (float)y));
			want *= (float)x;
		}
		double wide = 1;
		for (int y = 0; fabs(wide) <= 0x1p53 && y < 200; y++, wide *= x)
			if (pow_f64(x, y) != wide) fail_msg("pow_f64(%d, %d)", x, y);
	}
}

static int open_with_rsqrt(void **state)
{
	const tsr_dtype dtypes[] = {TSR_F32, TSR_F64};

	if (rig_open(state) != 0) return -1;
	for (int i = 0; i < 2; i++)
		rsqrt_of[dtypes[i]] = rig_program(*state, "T[]", "rsqrt %0", "T[]", dtypes[i]);
	return 0;
}

static int close_with_rsqrt(void **state)
{
	program_release(rsqrt_of[TSR_F32]);
	program_release(rsqrt_of[TSR_F64]);
	return rig_close(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(f32_errors),
		cmocka_unit_test(f64_errors),
		cmocka_unit_test(quarter_turns),
		cmocka_unit_test(special_values),
		cmocka_unit_test(special_powers),
		cmocka_unit_test(powers_at_the_top),
		cmocka_unit_test(powers),
		cmocka_unit_test(powers_of_whole_numbers_are_exact),
	};

	return cmocka_run_group_tests(tests, open_with_rsqrt, close_with_rsqrt);
}
