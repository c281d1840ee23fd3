/* test_complex.c - elementwise rows of complex numbers: near the functions of long double, and at
 * the corners that the formulas speak of. */
#include "prim/local_rig.h"
#include <complex.h>

/* ---- near long double's functions: |got - want| <= most * epsilon * |want| */

typedef long double real;
typedef long double _Complex complex_l;
static complex_l z_neg(complex_l a, complex_l b) { return (void)b, -a; }
static complex_l z_sign(complex_l a, complex_l b) { return (void)b, a == 0 ? 0 : a / cabsl(a); }
static complex_l z_square(complex_l a, complex_l b) { return (void)b, a * a; }
static complex_l z_exp(complex_l a, complex_l b) { return (void)b, cexpl(a); }
static complex_l z_exp2(complex_l a, complex_l b) { return (void)b, cexpl(a * logl(2)); }
static complex_l z_expm1(complex_l a, complex_l b) { return (void)b, cexpl(a) - 1; }
static complex_l z_log(complex_l a, complex_l b) { return (void)b, clogl(a); }
static complex_l z_log1p(complex_l a, complex_l b) { return (void)b, clogl(1 + a); }
static complex_l z_logistic(complex_l a, complex_l b) { return (void)b, 1 / (1 + cexpl(-a)); }
static complex_l z_tanh(complex_l a, complex_l b) { return (void)b, ctanhl(a); }
static complex_l z_sin(complex_l a, complex_l b) { return (void)b, csinl(a); }
static complex_l z_cos(complex_l a, complex_l b) { return (void)b, ccosl(a); }
static complex_l z_tan(complex_l a, complex_l b) { return (void)b, ctanl(a); }
static complex_l z_asin(complex_l a, complex_l b) { return (void)b, casinl(a); }
static complex_l z_acos(complex_l a, complex_l b) { return (void)b, cacosl(a); }
static complex_l z_atan(complex_l a, complex_l b) { return (void)b, catanl(a); }
static complex_l z_sinh(complex_l a, complex_l b) { return (void)b, csinhl(a); }
static complex_l z_cosh(complex_l a, complex_l b) { return (void)b, ccoshl(a); }
static complex_l z_asinh(complex_l a, complex_l b) { return (void)b, casinhl(a); }
static complex_l z_acosh(complex_l a, complex_l b) { return (void)b, cacoshl(a); }
static complex_l z_atanh(complex_l a, complex_l b) { return (void)b, catanhl(a); }
static complex_l z_sqrt(complex_l a, complex_l b) { return (void)b, csqrtl(a); }
static complex_l z_rsqrt(complex_l a, complex_l b) { return (void)b, 1 / csqrtl(a); }
static complex_l z_cube(complex_l a, complex_l b) { return (void)b, 1 / (a * a * a); }
static complex_l z_add(complex_l a, complex_l b) { return a + b; }
static complex_l z_sub(complex_l a, complex_l b) { return a - b; }
static complex_l z_mul(complex_l a, complex_l b) { return a * b; }
static complex_l z_div(complex_l a, complex_l b) { return a / b; }
static complex_l z_pow(complex_l a, complex_l b) { return cpowl(a, b); }
static complex_l z_round(complex_l a, complex_l b)
{
	(void)b;
	return __builtin_complex(rintl(creall(a)), rintl(cimagl(a)));
}
static complex_l z_max(complex_l a, complex_l b)
{
	if (creall(a) == creall(b)) return cimagl(a) > cimagl(b) ? a : b;
	return creall(a) > creall(b) ? a : b;
}
static complex_l z_min(complex_l a, complex_l b) { return -z_max(-a, -b); }
static complex_l z_abs(complex_l a, complex_l b) { return (void)b, cabsl(a); }
static complex_l z_real(complex_l a, complex_l b) { return (void)b, creall(a); }
static complex_l z_imag(complex_l a, complex_l b) { return (void)b, cimagl(a); }
static complex_l z_conj(complex_l a, complex_l b) { return (void)b, conjl(a); }

static const struct complex_op {
	const char *equation;
	complex_l (*exact)(complex_l, complex_l);
	double most;
} complex_ops[] = {
	{"neg %0", z_neg, 0},    {"sign %0", z_sign, 2},   {"square %0", z_square, 2},
	{"exp %0", z_exp, 4},    {"exp2 %0", z_exp2, 8},   {"expm1 %0", z_expm1, 8},
	{"log %0", z_log, 2},    {"log1p %0", z_log1p, 4}, {"logistic %0", z_logistic, 16},
	{"tanh %0", z_tanh, 16}, {"sin %0", z_sin, 4},     {"cos %0", z_cos, 4},
	{"tan %0", z_tan, 16},   {"asin %0", z_asin, 4},   {"acos %0", z_acos, 4},
	{"atan %0", z_atan, 4},  {"sinh %0", z_sinh, 4},   {"cosh %0", z_cosh, 4},
	{"asinh %0", z_asinh, 4}, {"acosh %0", z_acosh, 4}, {"atanh %0", z_atanh, 4},
	{"sqrt %0", z_sqrt, 2},  {"rsqrt %0", z_rsqrt, 4}, {"integer_pow %0 y=-3", z_cube, 8},
	{"add %0 %1", z_add, 1}, {"sub %0 %1", z_sub, 1},  {"mul %0 %1", z_mul, 2},
	{"div %0 %1", z_div, 4}, {"pow %0 %1", z_pow, 64}, {"abs %0", z_abs, 1},
	{"real %0", z_real, 0}, {"imag %0", z_imag, 0}, {"conj %0", z_conj, 0},
	{"round %0", z_round, 0}, {"max %0 %1", z_max, 0}, {"min %0 %1", z_min, 0},
};

enum { NUMBERS = 1600 };

static void complex_case(rig *r, const struct complex_op *op, tsr_dtype dtype)
{
	const bool both = strchr(op->equation, '1') != NULL;
	const bool real_result =
		op->exact == z_abs || op->exact == z_real || op->exact == z_imag;
	const double epsilon = dtype == TSR_C64 ? 0x1p-23 : 0x1p-52;
	double values[2][2 * NUMBERS];
	char x[2][16 * NUMBERS];
	uint64_t random = 3;

	for (int k = 0; k < 2; k++) {
		for (int i = 0; i < 2 * NUMBERS; i++) values[k][i] = random_in(&random, -4, 4);
		for (int i = 0; i < 40; i += 2)
			values[k][i + 1] = 0, values[k][i] += values[k][i] == 0;
		dtype_convert(dtype, x[k], TSR_C128, values[k], NUMBERS);
	}
	program *p = rig_program(r, both ? "T[1600]; T[1600]" : "T[1600]", op->equation,
	                         !real_result       ? "T[1600]"
	                         : dtype == TSR_C64 ? "f32[1600]"
	                                            : "f64[1600]",
	                         dtype);
	void *y = rig_eval(p, (void *[]){x[0], x[1]});
	for (int i = 0; i < NUMBERS; i++) {
		double a[2], b[2], got[2] = {0, 0};
		dtype_get_complex(dtype, x[0], i, a);
		dtype_get_complex(dtype, x[1], i, b);
		dtype_get_complex(real_result ? dtype_real(dtype) : dtype, y, i, got);
		const complex_l want = op->exact(__builtin_complex((real)a[0], (real)a[1]),
		                                 __builtin_complex((real)b[0], (real)b[1]));
		const complex_l off = __builtin_complex((real)got[0], (real)got[1]) - want;
		if (!(cabsl(off) <= (real)(op->most * epsilon) * cabsl(want)))
			fail_msg("%s of %s (%a, %a), (%a, %a) = (%a, %a), off by %g", op->equation,
			         tsr_dtype_name(dtype), a[0], a[1], b[0], b[1], got[0], got[1],
			         (double)(cabsl(off) / cabsl(want)) / epsilon);
	}
	free(y);
	program_release(p);
}

static void complex_numbers(void **state)
{
	for (size_t k = 0; k < ARRAY_LEN(complex_ops); k++) {
		complex_case(*state, &complex_ops[k], TSR_C64);
		complex_case(*state, &complex_ops[k], TSR_C128);
	}
}

/* ---- corners that the formulas speak of */

/* zeros with their sign; any NaN is one */
static bool same_number(double a, double b)
{
	return isnan(b) ? isnan(a) : a == b && !signbit(a) == !signbit(b);
}

static void complex_corners(void **state)
{
	static const struct { const char *equation; double a[2], b[2], want[2]; } cases[] = {
		{"div %0 %1", {1, -2}, {0, 0}, {INFINITY, -INFINITY}},
		{"div %0 %1", {1e300, 1e300}, {1e300, 1e300}, {1, 0}},
		{"div %0 %1", {1, 2}, {INFINITY, 0}, {0, 0}},
		{"sqrt %0", {0, -0.0}, {0}, {0, -0.0}},
		{"sqrt %0", {-4, 0}, {0}, {0, 2}},
		{"sqrt %0", {-4, -0.0}, {0}, {0, -2}},
		{"sqrt %0", {0x1p1022, 0}, {0}, {0x1p511, 0}},
		{"sqrt %0", {0x1p-1070, 0}, {0}, {0x1p-535, 0}},
		{"sqrt %0", {1, INFINITY}, {0}, {INFINITY, INFINITY}},
		{"sqrt %0", {-INFINITY, 1}, {0}, {0, INFINITY}},
		{"exp %0", {-INFINITY, 3}, {0}, {0, 0}},
		{"exp %0", {INFINITY, 0}, {0}, {INFINITY, 0}},
		{"log %0", {0, 0}, {0}, {-INFINITY, 0}},
		{"log %0", {INFINITY, 1}, {0}, {INFINITY, 0}},
		{"tanh %0", {400, 1}, {0}, {1, 0}},
		{"sign %0", {0, 0}, {0}, {0, 0}},
		{"sign %0", {1.5e308, 1.5e308}, {0}, {0x1.6a09e667f3bccp-1, 0x1.6a09e667f3bccp-1}},
		{"pow %0 %1", {0, 0}, {0, 0}, {1, 0}},
		{"pow %0 %1", {0, 0}, {2, 1}, {0, 0}},
		{"sin %0", {0, INFINITY}, {0}, {0, INFINITY}},
		/* a NaN in one part; infinite parts; what JAX 0.10.2 gives */
		{"log %0", {1, NAN}, {0}, {NAN, NAN}},
		{"log %0", {NAN, 1}, {0}, {NAN, NAN}},
		{"log %0", {NAN, INFINITY}, {0}, {NAN, NAN}},
		{"log1p %0", {0, NAN}, {0}, {NAN, NAN}},
		{"log1p %0", {NAN, 0.25}, {0}, {NAN, NAN}},
		{"log1p %0", {-INFINITY, NAN}, {0}, {NAN, NAN}},
		{"sqrt %0", {0, NAN}, {0}, {NAN, NAN}},
		{"sqrt %0", {NAN, 0}, {0}, {NAN, NAN}},
		{"sqrt %0", {-INFINITY, NAN}, {0}, {NAN, NAN}},
		{"sqrt %0", {NAN, INFINITY}, {0}, {NAN, NAN}},
		{"rsqrt %0", {2, INFINITY}, {0}, {0, -0.0}},
		{"rsqrt %0", {-INFINITY, -1}, {0}, {0, 0}},
		{"rsqrt %0", {NAN, -INFINITY}, {0}, {0, 0}},
		{"rsqrt %0", {INFINITY, NAN}, {0}, {0, -0.0}},
		{"rsqrt %0", {1, NAN}, {0}, {NAN, NAN}},
		{"exp %0", {1e300, -0.0}, {0}, {INFINITY, -0.0}},
		{"tanh %0", {INFINITY, NAN}, {0}, {1, 0}},
		{"tanh %0", {-INFINITY, INFINITY}, {0}, {-1, 0}},
		/* the sides of branch cuts, as in C and NumPy; very large and very small parts */
		{"asin %0", {2, 0}, {0}, {0x1.921fb54442d18p+0, 0x1.5124271980434p+0}},
		{"asin %0", {2, -0.0}, {0}, {0x1.921fb54442d18p+0, -0x1.5124271980434p+0}},
		{"acos %0", {-2, -0.0}, {0}, {0x1.921fb54442d18p+1, 0x1.5124271980434p+0}},
		{"acosh %0", {-2, -0.0}, {0}, {0x1.5124271980434p+0, -0x1.921fb54442d18p+1}},
		{"acosh %0", {0, 0}, {0}, {0, 0x1.921fb54442d18p+0}},
		{"asinh %0", {-0.0, 2}, {0}, {-0x1.5124271980434p+0, 0x1.921fb54442d18p+0}},
		{"atanh %0", {2, -0.0}, {0}, {0x1.193ea7aad030bp-1, -0x1.921fb54442d18p+0}},
		{"atan %0", {-0.0, 2}, {0}, {-0x1.921fb54442d18p+0, 0x1.193ea7aad030bp-1}},
		{"atanh %0", {1, 0}, {0}, {INFINITY, 0}},
		{"atanh %0", {1, 0x1p-1000}, {0}, {0x1.5aeb8fdc01b22p+8, 0x1.921fb54442d18p-1}},
		{"atanh %0", {0x1p+1000, -1}, {0}, {0x1p-1000, -0x1.921fb54442d18p+0}},
		{"asin %0", {0.5, 0x1p-1000}, {0}, {0x1.0c152382d7366p-1, 0x1.279a74590331cp-1000}},
		{"asin %0", {0x1p+1023, 0x1p+1023}, {0},
	         {0x1.921fb54442d18p-1, 0x1.63108c75a1936p+9}},
		{"asin %0", {NAN, -INFINITY}, {0}, {NAN, -INFINITY}},
		{"acos %0", {-INFINITY, 1}, {0}, {0x1.921fb54442d18p+1, -INFINITY}},
		{"atanh %0", {NAN, INFINITY}, {0}, {0, 0x1.921fb54442d18p+0}},
		{"sinh %0", {-0.0, -0.0}, {0}, {-0.0, -0.0}},
		{"cosh %0", {1, -0.0}, {0}, {0x1.8b07551d9f55p+0, -0.0}},
		{"tan %0", {1, 400}, {0}, {0, 1}},
		/* e^x overflows, one of its products does not */
		{"cosh %0", {-716, 0x1p-10}, {0}, {INFINITY, -0x1.f5575a366eb73p+1021}},
		{"sinh %0", {716, 0x1p-10}, {0}, {INFINITY, 0x1.f5575a366eb73p+1021}},
		{"exp2 %0", {1030, 0x1p-10}, {0}, {INFINITY, 0x1.62e42e28f3123p+1019}},
		{"expm1 %0", {712, 1.5}, {0}, {0x1.4c9005c859425p+1023, INFINITY}},
		{"square %0", {1e300, 1e300}, {0}, {0, INFINITY}},
		{"square %0", {INFINITY, 1e300}, {0}, {INFINITY, INFINITY}},
		{"div %0 %1", {1, 2}, {INFINITY, -INFINITY}, {-0.0, 0}},
		{"div %0 %1", {1, 0}, {NAN, INFINITY}, {0, -0.0}},
		{"div %0 %1", {INFINITY, NAN}, {1, 1}, {INFINITY, -INFINITY}},
		{"div %0 %1", {INFINITY, 1}, {NAN, INFINITY}, {NAN, NAN}},
		{"integer_pow %0 y=-2", {1e300, 1e300}, {0}, {0, -0.0}},
		{"pow %0 %1", {1, 0}, {NAN, INFINITY}, {1, 0}},
		/* by real part, then imaginary part */
		{"max %0 %1", {2, 1}, {2, 3}, {2, 3}},
		{"max %0 %1", {-0.0, 5}, {0, 3}, {0, 5}},
		{"min %0 %1", {-0.0, 5}, {0, 3}, {-0.0, 3}},
		{"min %0 %1", {INFINITY, -9}, {INFINITY, -INFINITY}, {INFINITY, -INFINITY}},
		{"max %0 %1", {NAN, 1}, {9, 9}, {NAN, NAN}},
		{"min %0 %1", {1, 1}, {1, NAN}, {NAN, NAN}},
		{"round %0", {2.5, -0.5}, {0}, {2, -0.0}},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const bool both = strchr(cases[i].equation, '1') != NULL;
		double a[2], b[2];
		memcpy(a, cases[i].a, sizeof a);
		memcpy(b, cases[i].b, sizeof b);
		program *p = rig_program(*state, both ? "c128[]; c128[]" : "c128[]",
		                         cases[i].equation, "c128[]", TSR_C128);
		double *y = rig_eval(p, (void *[]){a, b});
		for (int k = 0; k < 2; k++)
			if (!same_number(y[k], cases[i].want[k]))
				fail_msg("%s of (%g, %g): (%a, %a)", cases[i].equation, a[0], a[1],
				         y[0], y[1]);
		free(y);
		program_release(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(complex_numbers),
		cmocka_unit_test(complex_corners),
	};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
