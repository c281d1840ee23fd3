/* test_bits.c - rows that work on the bits of floats. Oracles: of f16 and bf16 all numbers there
 * are, in order; of f32 and f64 libm; what a float of fewer bits holds, by arithmetic. */
#include "prim/local_rig.h"

/* x as elements of the dtype -> y, by an equation of one or two operands */
static void *evaluated(rig *r, const char *equation, tsr_dtype dtype, void *const *x, int64_t n)
{
	char types[64], result[32];

	snprintf(types, sizeof types, "T[%lld]; T[%lld]", (long long)n, (long long)n);
	snprintf(result, sizeof result, "T[%lld]", (long long)n);
	program *p = rig_program(r, types, equation, result, dtype);
	void *y = rig_eval(p, x);
	program_release(p);
	return y;
}

/* ---- nextafter */

enum { ALL_16 = 1 << 16 };

/* the place of a number among all of a dtype, in order; 0 is both zeros */
static int place_16(uint16_t bits) { return bits >> 15 ? -(bits & 0x7fff) : bits; }

static void steps_of_16_bits(rig *r, tsr_dtype dtype)
{
	static const double ends[] = {-INFINITY, -1, -0.0, 0, 6e-8, 3, INFINITY, NAN};
	static uint16_t x[ALL_16], to[ALL_16];

	for (size_t k = 0; k < ARRAY_LEN(ends); k++) {
		for (int i = 0; i < ALL_16; i++) {
			x[i] = (uint16_t)i;
			dtype_convert(dtype, &to[i], TSR_F64, &ends[k], 1);
		}
		uint16_t *y = evaluated(r, "nextafter %0 %1", dtype, (void *[]){x, to}, ALL_16);
		for (int i = 0; i < ALL_16; i++) {
			const double a = dtype_get(dtype, x, i), b = dtype_get(dtype, to, i);
			const double got = dtype_get(dtype, y, i);
			const int step = (a < b) - (a > b);
			if (isnan(a) || isnan(b) ? isnan(got)
			    : a == b             ? y[i] == to[i]
			                         : place_16(y[i]) == place_16(x[i]) + step)
				continue;
			fail_msg("%s: from %a to %a: %a", tsr_dtype_name(dtype), a, b, got);
		}
		free(y);
	}
}

static void steps(void **state)
{
	static const double some[] = {0,
	                              -0.0,
	                              1,
	                              -1,
	                              0x1p-149,
	                              -0x1p-1074,
	                              0x1p-126,
	                              0x1p1023,
	                              3.14159,
	                              65504,
	                              0x1.fffffep127,
	                              -INFINITY,
	                              INFINITY,
	                              NAN,
	                              0x1p-1022,
	                              -0x1.fffffffffffffp1023};
	enum { N = ARRAY_LEN(some) * ARRAY_LEN(some) };
	double x[N], to[N];
	float xf[N], tof[N];

	steps_of_16_bits(*state, TSR_F16);
	steps_of_16_bits(*state, TSR_BF16);
	for (size_t i = 0; i < N; i++) {
		x[i] = some[i / ARRAY_LEN(some)], to[i] = some[i % ARRAY_LEN(some)];
		xf[i] = (float)x[i], tof[i] = (float)to[i];
	}
	double *y = evaluated(*state, "nextafter %0 %1", TSR_F64, (void *[]){x, to}, N);
	float *yf = evaluated(*state, "nextafter %0 %1", TSR_F32, (void *[]){xf, tof}, N);
	for (size_t i = 0; i < N; i++) {
		const double want = nextafter(x[i], to[i]);
		const float wantf = nextafterf(xf[i], tof[i]);
		if (isnan(want) ? !isnan(y[i]) : memcmp(&y[i], &want, sizeof want) != 0)
			fail_msg("from %a to %a: %a", x[i], to[i], y[i]);
		if (isnan(wantf) ? !isnan(yf[i]) : memcmp(&yf[i], &wantf, sizeof wantf) != 0)
			fail_msg("f32 from %a to %a: %a", (double)xf[i], (double)tof[i],
			         (double)yf[i]);
	}
	free(y);
	free(yf);
}

/* ---- reduce_precision */

/* x rounded to so many bits behind the first one, halves to the even neighbour; a denormal number
 * of the dtype has fewer, its last one is `last`. Without such bits the even power of two is the
 * one whose exponent, plus bias, is */
static double rounded(double x, int mantissa, double last, int bias)
{
	int exponent;
	const double fraction = frexp(x, &exponent);
	const double unit = fmax(ldexp(1, exponent - 1 - mantissa), last);
	const bool half = mantissa == 0 && fabs(fraction) == 0.75 && unit > last;

	if (half) return copysign(unit * ((exponent - 1 + bias) % 2 ? 2 : 1), x);
	return rint(x / unit) * unit;
}

static void precision_of(rig *r, tsr_dtype dtype, int own_exponent, int own_mantissa, int exponent,
                         int mantissa)
{
	static uint16_t x[ALL_16];
	char equation[96];
	const int kept = mantissa < own_mantissa ? mantissa : own_mantissa;
	const int bias = (1 << (own_exponent - 1)) - 1, less = (1 << (exponent - 1)) - 1;
	const bool fewer = exponent < own_exponent;
	/* the bits of denormal numbers are cut at the same places as those of the smallest normal
	 * ones */
	const double last = ldexp(1, 1 - bias - kept);

	for (int i = 0; i < ALL_16; i++) x[i] = (uint16_t)i;
	snprintf(equation, sizeof equation,
	         "reduce_precision %%0 exponent_bits=%d mantissa_bits=%d", exponent, mantissa);
	uint16_t *y = evaluated(r, equation, dtype, (void *[]){x, x}, ALL_16);
	for (int i = 0; i < ALL_16; i++) {
		const double a = dtype_get(dtype, x, i), got = dtype_get(dtype, y, i);
		double want = isinf(a) ? a : rounded(a, kept, last, bias);
		if (fabs(want) >= ldexp(1, (fewer ? less : bias) + 1)) want = copysign(INFINITY, a);
		if (fewer && fabs(want) < ldexp(1, 1 - less)) want = copysign(0, a);
		if (isnan(a) ? isnan(got)
		             : got == want && !signbit(got) == !signbit(a))
			continue;
		fail_msg("%s %s of %a: %a, not %a", tsr_dtype_name(dtype), equation, a, got, want);
	}
	free(y);
}

static void precisions(void **state)
{
	for (int exponent = 1; exponent < 10; exponent++)
		for (int mantissa = 0; mantissa < 12; mantissa++) {
			precision_of(*state, TSR_F16, 5, 10, exponent, mantissa);
			precision_of(*state, TSR_BF16, 8, 7, exponent, mantissa);
		}
}

/* What JAX 0.10.2 gives: lax.reduce_precision(numpy.array(x), e, m), the 64-bit types on, in
 * numbers that are not denormal */
static void precisions_of_jax(void **state)
{
	static const struct {
		int exponent, mantissa;
		double x, y;
	} cases[] = {
		{5, 10, 0x1.0000000000000p-15, 0},
		{2, 1, 0x1.0000000000000p-15, 0},
		{15, 60, 0x1.6000000000000p1, 0x1.6000000000000p1},
		{11, 0, -0x1.7e43c8800759cp996, -0x1.0000000000000p996},
		{8, 23, 0x1.56e1fc2f8f359p-997, 0},
		{8, 7, 0x1.3333333333333p-2, 0x1.3400000000000p-2},
		{5, 10, 0x1.1170000000000p16, INFINITY},
		{1, 0, 0x1.56e1fc2f8f359p-997, 0},
		{15, 60, 0x1.02586f2da575bp128, 0x1.02586f2da575bp128},
		{1, 0, -0x1.a000000000000p1, -INFINITY},
		{1, 0, -0x1.ffdffae147ae1p15, -INFINITY},
		{11, 52, 0x1.0000000000000p-15, 0x1.0000000000000p-15},
		{4, 3, 0x1.1170000000000p16, INFINITY},
		{8, 7, 0x1.1170000000000p16, 0x1.1200000000000p16},
		{5, 10, 0x1.8000000000000p0, 0x1.8000000000000p0},
		{1, 0, 0x1.02586f2da575bp128, INFINITY},
		{8, 23, 0x1.6000000000000p1, 0x1.6000000000000p1},
		{4, 3, -0x1.ffdffae147ae1p15, -INFINITY},
		{1, 0, 0x1.0000010000000p0, 0},
		{11, 52, 0x1.0000010000000p0, 0x1.0000010000000p0},
		{8, 23, 0x1.0000010000000p0, 0x1.0000000000000p0},
		{15, 60, 0x1.8000000000000p0, 0x1.8000000000000p0},
		{5, 2, 0x1.8000000000000p0, 0x1.8000000000000p0},
		{8, 7, 0x1.02586f2da575bp128, INFINITY},
		{2, 1, -0x1.7e43c8800759cp996, -INFINITY},
		{5, 10, -0x1.a000000000000p1, -0x1.a000000000000p1},
		{5, 2, 0x1.02586f2da575bp128, INFINITY},
		{11, 0, -0x1.ffdffae147ae1p15, -0x1.0000000000000p16},
		{8, 23, -0x1.a000000000000p1, -0x1.a000000000000p1},
		{11, 52, -0x1.ffdffae147ae1p15, -0x1.ffdffae147ae1p15},
		{2, 1, 0x1.6000000000000p1, 0x1.8000000000000p1},
		{8, 23, 0x1.8000000000000p0, 0x1.8000000000000p0},
		{15, 60, -0x1.a000000000000p1, -0x1.a000000000000p1},
		{8, 7, -0x1.ffdffae147ae1p15, -0x1.0000000000000p16},
		{4, 3, 0x1.3333333333333p-2, 0x1.4000000000000p-2},
		{11, 52, 0x1.6000000000000p1, 0x1.6000000000000p1},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char equation[96];
		double x = cases[i].x;
		snprintf(equation, sizeof equation,
		         "reduce_precision %%0 exponent_bits=%d mantissa_bits=%d",
		         cases[i].exponent, cases[i].mantissa);
		double *y = evaluated(*state, equation, TSR_F64, (void *[]){&x, &x}, 1);
		if (memcmp(y, &cases[i].y, sizeof *y) != 0)
			fail_msg("%s of %a: %a, not %a", equation, x, *y, cases[i].y);
		free(y);
	}
}

/* ---- bitcast_convert_type: the memory is the same, and errors say what does not fit */

static void memory_stays(void **state)
{
	static const struct {
		const char *from, *dtype, *to;
	} cases[] = {
		{"f32[4]", "u32", "u32[4]"},    {"f64[4]", "i8", "i8[4,8]"},
		{"bf16[2,4]", "f64", "f64[2]"}, {"u8[4,2]", "f16", "f16[4]"},
		{"i64[2]", "f32", "f32[2,2]"},  {"c64[3]", "c64", "c64[3]"},
		{"bool[5]", "bool", "bool[5]"}, {"u16[2,0,2]", "i32", "i32[2,0]"},
		{"u32[0]", "u16", "u16[0,2]"},  {"f16[]", "u8", "u8[2]"},
	};
	unsigned char x[64];

	for (size_t i = 0; i < sizeof x; i++) x[i] = (unsigned char)(i * 37 + 1);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char equation[64];
		snprintf(equation, sizeof equation, "bitcast_convert_type %%0 dtype=%s",
		         cases[i].dtype);
		program *p = rig_program(*state, cases[i].from, equation, cases[i].to, TSR_F32);
		void *y = rig_eval(p, (void *[]){x});
		assert_memory_equal(y, x, type_bytes(type_of(p, p->out[0])));
		free(y);
		program_release(p);
	}
}

static void mistakes(void **state)
{
	static const struct {
		const char *operand, *equation, *text;
	} cases[] = {
		{"f32[3]", "bitcast_convert_type %0 dtype=f64",
	         "Attempting to convert array of shape (3,) from f32 of size 32 bits to f64 of "
	         "size 64 bits, but 3 * 32 != 64"},
		{"u8[]", "bitcast_convert_type %0 dtype=u16",
	         "Attempting to convert array of shape () from u8 of size 8 bits to u16 of size 16 "
	         "bits, but 1 * 8 != 16"},
		{"f32[3]", "bitcast_convert_type %0 dtype=bool",
	         "bitcast_convert_type does not support bool or complex values unless the operand "
	         "and destination types match, got f32 and bool"},
		{"c64[3]", "bitcast_convert_type %0 dtype=u64",
	         "bitcast_convert_type does not support bool or complex values unless the operand "
	         "and destination types match, got c64 and u64"},
		{"f32[3]", "reduce_precision %0 exponent_bits=0 mantissa_bits=3",
	         "reduce_precision: exponent_bits must be positive; got 0"},
		{"f32[3]", "reduce_precision %0 exponent_bits=3 mantissa_bits=-1",
	         "reduce_precision: mantissa_bits must be non-negative; got -1"},
		{"i32[3]", "reduce_precision %0 exponent_bits=3 mantissa_bits=1",
	         "reduce_precision does not accept dtype i32"},
		{"f16[3]", "complex %0 %0", "complex does not accept dtype f16"},
		{"f32[3]", "real %0", "real does not accept dtype f32"},
		{"bool[3]", "clz %0", "clz does not accept dtype bool"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		rig *r = *state;
		assert_null(rig_parse(r, cases[i].operand, cases[i].equation, "f32[3]", TSR_F32));
		if (!strstr(error_text(&r->base), cases[i].text))
			fail_msg("%s of %s: %s", cases[i].equation, cases[i].operand,
			         error_text(&r->base));
		error_clear(&r->base);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps),
		cmocka_unit_test(precisions),
		cmocka_unit_test(precisions_of_jax),
		cmocka_unit_test(memory_stays),
		cmocka_unit_test(mistakes),
	};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
