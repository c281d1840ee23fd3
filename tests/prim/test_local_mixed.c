/* test_local_mixed.c - elementwise rows that the table of test_local.c has no place for, since they
 * have parameters, or operands of several dtypes: whole powers, select_n, clamp, casts. */
#include "prim/local_rig.h"

/* ---- whole powers */

static void integer_powers(void **state)
{
	static const struct { int y; double of_3, of_nan;
	} cases[] = {
		{0, 1, 1},     {1, 3, NAN},        {2, 9, NAN},
		{5, 243, NAN}, {-1, 1 / 3.0, NAN}, {-3, 1 / 27.0, NAN},
	};
	double x[] = {3, NAN};
	void *operands[] = {x};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char equation[64];
		snprintf(equation, sizeof equation, "integer_pow %%0 y=%d", cases[i].y);
		program *p = rig_program(*state, "f64[2]", equation, "f64[2]", TSR_F64);
		double *y = rig_eval(p, operands);
		assert_true(y[0] == cases[i].of_3);
		assert_true(isnan(cases[i].of_nan) ? isnan(y[1]) : y[1] == cases[i].of_nan);
		free(y);
		program_release(p);
	}
}

/* ---- select_n and clamp */

static void choices(void **state)
{
	for (int d = TSR_BOOL; d < TSR_DTYPE_COUNT_; d++) {
		const tsr_dtype dtype = (tsr_dtype)d;
		const size_t item = tsr_dtype_size(dtype);
		const int64_t zero[] = {0, 1, 0, 1}, one[] = {1, 1, 1, 0};
		uint8_t which[] = {0, 1, 1, 0}, yes = 1;
		char a[64], b[64], want[64];
		dtype_convert(dtype, a, TSR_I64, zero, 4);
		dtype_convert(dtype, b, TSR_I64, one, 4);
		for (size_t i = 0; i < 4; i++)
			memcpy(want + i * item, (which[i] ? b : a) + i * item, item);
		program *p = rig_program(*state, "bool[2,2]; T[2,2]; T[2,2]", "select_n %0 %1 %2",
		                         "T[2,2]", dtype);
		program *q = rig_program(*state, "bool[]; T[4]; T[4]", "select_n %0 %1 %2", "T[4]",
		                         dtype);
		void *y = rig_eval(p, (void *[]){which, a, b}),
		     *z = rig_eval(q, (void *[]){&yes, a, b});
		assert_memory_equal(y, want, 4 * item);
		assert_memory_equal(z, b, 4 * item);
		free(y);
		free(z);
		program_release(p);
		program_release(q);
	}
}

static void bounds(void **state)
{
	for (int d = TSR_I8; d < TSR_C64; d++) {
		const tsr_dtype dtype = (tsr_dtype)d;
		const int64_t values[] = {0, 1, 2, 3, 4, 5, 6, 7},
			      clamped[] = {2, 2, 2, 3, 4, 5, 5, 5};
		const int64_t low = 2, high = 5;
		char x[64], l[8], h[8], want[64];
		dtype_convert(dtype, x, TSR_I64, values, 8);
		dtype_convert(dtype, want, TSR_I64, clamped, 8);
		dtype_convert(dtype, l, TSR_I64, &low, 1);
		dtype_convert(dtype, h, TSR_I64, &high, 1);
		program *p = rig_program(*state, "T[]; T[8]; T[]", "clamp %0 %1 %2", "T[8]", dtype);
		void *y = rig_eval(p, (void *[]){l, x, h});
		assert_memory_equal(y, want, 8 * tsr_dtype_size(dtype));
		free(y);
		program_release(p);
	}
	float low[] = {0, 0, NAN}, x[] = {NAN, -1, 1}, high[] = {1, NAN, 2};
	program *p =
		rig_program(*state, "f32[3]; f32[3]; f32[3]", "clamp %0 %1 %2", "f32[3]", TSR_F32);
	float *y = rig_eval(p, (void *[]){low, x, high});
	for (int i = 0; i < 3; i++) assert_true(isnan(y[i]));
	free(y);
	program_release(p);
}

/* ---- casts: the row hands all to dtype_convert */

static void casts(void **state)
{
	for (int from = TSR_BOOL; from < TSR_DTYPE_COUNT_; from++)
		for (int to = TSR_BOOL; to < TSR_DTYPE_COUNT_; to++) {
			const int64_t values[] = {0, 1, 2, 3};
			char equation[64], result[32], x[64], want[64];
			dtype_convert((tsr_dtype)from, x, TSR_I64, values, 4);
			dtype_convert((tsr_dtype)to, want, (tsr_dtype)from, x, 4);
			snprintf(equation, sizeof equation, "convert_element_type %%0 dtype=%s",
			         tsr_dtype_name((tsr_dtype)to));
			snprintf(result, sizeof result, "%s[4]", tsr_dtype_name((tsr_dtype)to));
			program *p = rig_program(*state, "T[4]", equation, result, (tsr_dtype)from);
			void *y = rig_eval(p, (void *[]){x});
			assert_memory_equal(y, want, 4 * tsr_dtype_size((tsr_dtype)to));
			free(y);
			program_release(p);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integer_powers),
		cmocka_unit_test(choices),
		cmocka_unit_test(bounds),
		cmocka_unit_test(casts),
	};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
