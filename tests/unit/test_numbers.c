/* test_numbers.c - results of public operations that were once wrong, to the bit: the numbers are
 * those of JAX 0.10.2. Each case runs outside a body and in one, on both engines. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include "support/near.h"
#include <cmocka.h>

typedef struct number_case {
	const char *name;
	tsr *(*make)(tsr_ctx *);
	tsr_dtype dtype;
	const double _Complex *want;
	size_t n;
} number_case;

/* the array that the expression makes in context c; its dtype and elements, row-major */
#define CASE(name_, dtype_, make_, ...) \
	static tsr *name_##_of(tsr_ctx *c) { return make_; } \
	static const double _Complex name_##_want[] = {__VA_ARGS__}; \
	static const number_case name_ = {#name_, name_##_of, dtype_, name_##_want, \
	                                  sizeof name_##_want / sizeof *name_##_want};

static tsr *numbers(tsr_ctx *c, tsr_dtype dtype, const double *x, int64_t n)
{
	return tsr_astype(tsr_from(c, x, TSR_F64, TSR_DIMS(n)), dtype);
}

#define OF(dtype, ...) \
	numbers(c, dtype, (const double[]){__VA_ARGS__}, \
	        sizeof((const double[]){__VA_ARGS__}) / sizeof(double))
#define ONE(dtype, x) tsr_index(OF(dtype, x), 0, 0)

/* ---- starts of slices: from the end where they are negative, then moved inside */

#define FIVE tsr_arange(c, 5, .dtype = TSR_F32)
#define LAST_U64 tsr_sub(ONE(TSR_U64, 0), 1)
#define NINE OF(TSR_F32, 9)

static tsr *weighed_part(tsr *x, tsr *i)
{
	return tsr_sum(tsr_mul(tsr_dynamic_slice(x, 0, i, 2), tsr_iota(x, TSR_DIMS(2), 0)));
}
static tsr *weighed_rest(tsr *x, tsr *i)
{
	return tsr_sum(tsr_mul(tsr_dynamic_update(x, tsr_zeros(x, TSR_DIMS(2)), 0, i), x));
}
static tsr *two_from(tsr *x, tsr *i) { return tsr_dynamic_slice(x, 0, i, 2); }
static tsr *two_over(tsr *x, tsr *i)
{
	return tsr_dynamic_update(x, tsr_full(x, TSR_DIMS(2), 9), 0, i);
}
#define EACH(f) tsr_vmap(c, f, .in = TSR_MAPPED(TSR_UNMAPPED, 0))

CASE(index_last, TSR_F32, tsr_dynamic_index(FIVE, 0, -1), 4)
CASE(index_last_i8, TSR_F32, tsr_dynamic_index(FIVE, 0, ONE(TSR_I8, -1)), 4)
CASE(index_last_of_many, TSR_I32, tsr_dynamic_index(tsr_arange(c, 300), 0, ONE(TSR_I8, -2)), 298)
CASE(index_before_first, TSR_F32, tsr_dynamic_index(FIVE, 0, -9), 0)
CASE(slice_last, TSR_F32, tsr_dynamic_slice(FIVE, 0, -2, 2), 3, 4)
CASE(slice_last_i64, TSR_F32, tsr_dynamic_slice(FIVE, 0, ONE(TSR_I64, -1), 2), 3, 4)
CASE(slice_far, TSR_F32, tsr_dynamic_slice(FIVE, 0, INT64_C(1) << 40, 2), 3, 4)
CASE(slice_lowest, TSR_F32, tsr_dynamic_slice(FIVE, 0, INT64_MIN, 2), 0, 1)
CASE(slice_highest, TSR_F32, tsr_dynamic_slice(FIVE, 0, UINT64_MAX, 2), 3, 4)
CASE(slice_far_i64, TSR_F32, tsr_dynamic_slice(FIVE, 0, ONE(TSR_I64, 0x1p40), 2), 3, 4)
CASE(slice_far_before_i64, TSR_F32, tsr_dynamic_slice(FIVE, 0, ONE(TSR_I64, -0x1p40), 2), 0, 1)
CASE(slice_highest_u64, TSR_F32, tsr_dynamic_slice(FIVE, 0, LAST_U64, 2), 3, 4)
CASE(slice_u8, TSR_F32, tsr_dynamic_slice(FIVE, 0, ONE(TSR_U8, 255), 2), 3, 4)
CASE(update_last, TSR_F32, tsr_dynamic_update(FIVE, NINE, 0, -1), 0, 1, 2, 3, 9)
CASE(update_last_i32, TSR_F32, tsr_dynamic_update(FIVE, NINE, 0, ONE(TSR_I32, -2)), 0, 1, 2, 9, 4)
CASE(update_highest_u64, TSR_F32, tsr_dynamic_update(FIVE, NINE, 0, LAST_U64), 0, 1, 2, 3, 9)
CASE(slice_grad, TSR_F32, tsr_call(tsr_grad(c, weighed_part), FIVE, ONE(TSR_I32, -3)),
     0, 0, 0, 1, 0)
CASE(slice_grad_u64, TSR_F32, tsr_call(tsr_grad(c, weighed_part), FIVE, LAST_U64), 0, 0, 0, 0, 1)
CASE(update_grad, TSR_F32, tsr_call(tsr_grad(c, weighed_rest), FIVE, ONE(TSR_I32, -3)),
     0, 2, 0, 0, 8)
CASE(slice_each, TSR_F32, tsr_call(EACH(two_from), FIVE, OF(TSR_I32, -2, 1, -9)), 3, 4, 1, 2, 0, 1)
CASE(update_each, TSR_F32, tsr_call(EACH(two_over), FIVE, OF(TSR_I64, -1, -4)),
     0, 1, 2, 9, 9, 0, 9, 9, 3, 4)

/* ---- what divides or scales a sum of 16-bit floats rounds once; 64-bit integers become f64 */

#define MANY TSR_DIMS(70000)
#define FIRST(x) tsr_index(x, 0, 0)

static tsr *mean_of(tsr *x) { return tsr_mean(x); }
static tsr *max_of(tsr *x) { return tsr_max(x); }
static tsr *min_of(tsr *x) { return tsr_min(x); }
static tsr *pmean_of(tsr *x) { return tsr_pmean(x, "i"); }
static tsr *psum_of(tsr *x) { return tsr_psum(x, "i"); }
#define OVER(f, n) \
	tsr_vmap(c, f, .axis = "i", .axis_size = n, .in = TSR_MAPPED(TSR_UNMAPPED), \
	         .out = TSR_MAPPED(TSR_UNMAPPED))

CASE(mean_of_many, TSR_F16, tsr_mean(tsr_ones(c, MANY, .dtype = TSR_F16)), 1)
CASE(mean_of_large, TSR_F16, tsr_mean(tsr_full(c, TSR_DIMS(4), 60000, .dtype = TSR_F16)), 60000)
CASE(mean_bf16, TSR_BF16, tsr_mean(OF(TSR_BF16, 255, 254, 254)), 254)
CASE(mean_grad, TSR_F16, FIRST(tsr_call(tsr_grad(c, mean_of), tsr_ones(c, MANY, .dtype = TSR_F16))),
     0x1.ep-17)
CASE(mean_i64, TSR_F64, tsr_mean(OF(TSR_I64, 0x1p40, 0x1p40 + 2)), 0x1p40 + 1)
CASE(div_i64, TSR_F64, tsr_div(OF(TSR_I64, 0x1p40 + 1), 2), 0x1p39 + 0.5)
CASE(mul_u64, TSR_F64, tsr_mul(OF(TSR_U64, 0x1p40 + 1), 0.5), 0x1p39 + 0.5)
CASE(exp_u64, TSR_F64, tsr_exp(OF(TSR_U64, 0)), 1)
CASE(log_i32, TSR_F32, tsr_log(OF(TSR_I32, 1)), 0)
CASE(max_grad_of_many, TSR_F16,
     FIRST(tsr_call(tsr_grad(c, max_of), tsr_ones(c, MANY, .dtype = TSR_F16))), 0x1.ep-17)
CASE(pmean_of_large, TSR_F16,
     tsr_call(tsr_vmap(c, pmean_of, .axis = "i"), OF(TSR_F16, 60000, 60000, 60000)),
     60000, 60000, 60000)
CASE(psum_of_same, TSR_F16, tsr_call(OVER(psum_of, 70000), OF(TSR_F16, 0, 0.5)), 0, 35008)
CASE(logsumexp_of_many, TSR_F16, tsr_logsumexp(tsr_zeros(c, MANY, .dtype = TSR_F16)), 11.15625)

/* ---- derivatives at NaN */

static tsr *relu_sum(tsr *x) { return tsr_sum(tsr_relu(x)); }

CASE(relu_of_nan, TSR_F32, tsr_relu(OF(TSR_F32, NAN, -INFINITY, -1, INFINITY, 2)),
     NAN, 0, 0, INFINITY, 2)
CASE(relu_of_integers, TSR_I8, tsr_relu(OF(TSR_I8, -128, 0, 3)), 0, 0, 3)
CASE(relu_grad, TSR_F32, tsr_call(tsr_grad(c, relu_sum), OF(TSR_F32, NAN, 0, -0.0, 1, -1)),
     0, 0, 0, 1, 0)
CASE(max_grad_of_nan, TSR_F32, tsr_call(tsr_grad(c, max_of), OF(TSR_F32, NAN, 1)), NAN, NAN)
CASE(min_grad_of_nan, TSR_BF16, tsr_call(tsr_grad(c, min_of), OF(TSR_BF16, 1, NAN)), NAN, NAN)
CASE(max_grad_of_ties, TSR_BF16, tsr_call(tsr_grad(c, max_of), OF(TSR_BF16, 2, 1, 2)), 0.5, 0, 0.5)

/* ---- powers of and by integers */

static tsr *powers(tsr *x, tsr *n) { return tsr_sum(tsr_pow(x, n)); }
static tsr *slopes(tsr *x, tsr *n) { return tsr_sum(tsr_call(tsr_grad(x, powers), x, n)); }

CASE(pow_i32, TSR_I32, tsr_pow(OF(TSR_I32, 3, -2, 0, 0, 5), OF(TSR_I32, 19, 31, 0, 3, 1)),
     1162261467, -2147483648., 1, 0, 5)
CASE(pow_u8_i8, TSR_I16, tsr_pow(OF(TSR_U8, 200), OF(TSR_I8, 2)), -25536)
CASE(pow_bool, TSR_I32, tsr_pow(OF(TSR_BOOL, 0, 0, 1), OF(TSR_BOOL, 0, 1, 1)), 1, 0, 1)
CASE(pow_bool_2, TSR_I32, tsr_pow(OF(TSR_BOOL, 0, 1), 2), 0, 1)
CASE(pow_of_2, TSR_I64, tsr_pow(2, OF(TSR_I64, 40)), 0x1p40)
CASE(pow_of_2f, TSR_F32, tsr_pow(2.0, OF(TSR_I32, 10)), 1024)
CASE(pow_of_fraction, TSR_F32, tsr_pow(OF(TSR_I32, 4), 0.5), 2)
CASE(pow_bf16, TSR_BF16, tsr_pow(OF(TSR_BF16, -1), OF(TSR_I32, 257)), -1)
CASE(pow_f16, TSR_F16, tsr_pow(OF(TSR_F16, -1), OF(TSR_I64, 2049)), -1)
CASE(pow_grad, TSR_F32,
     tsr_call(tsr_grad(c, powers), OF(TSR_F32, 0, 2, 0, 0), OF(TSR_I32, 0, 3, 1, 2)), 0, 12, 1, 0)
CASE(pow_grad_2, TSR_F32,
     tsr_call(tsr_grad(c, slopes), OF(TSR_F32, 0, 2, 0, 0), OF(TSR_I8, 0, 3, 1, 2)), 0, 12, 0, 2)
CASE(pow_grad_lowest, TSR_F32, tsr_call(tsr_grad(c, powers), OF(TSR_F32, 1), OF(TSR_I8, -128)),
     -128)

/* ---- products with results of another dtype: summed in the wider one, rounded once */

#define DOT(a, b, dtype_) \
	tsr_dot_general(a, b, .contract_a = TSR_DIMS(0), .contract_b = TSR_DIMS(0), .dtype = dtype_)
#define SUM(from, to, ...) DOT(OF(from, __VA_ARGS__), tsr_ones(c, TSR_DIMS(4), .dtype = from), to)
#define DOT_LOSS(name, dtype_) \
	static tsr *name(tsr *x, tsr *y) { return tsr_astype(DOT(x, y, dtype_), TSR_F32); }
#define DOT_GRAD(loss, dtype, ...) \
	tsr_call(tsr_grad(c, loss), OF(dtype, 1, 2), OF(dtype, __VA_ARGS__))
DOT_LOSS(to_bf16, TSR_BF16)
DOT_LOSS(to_c64, TSR_C64)
DOT_LOSS(to_f64, TSR_F64)

CASE(dot_f32_bf16, TSR_BF16, SUM(TSR_F32, TSR_BF16, 256, 1, 1, 1), 260)
CASE(dot_f64_f32, TSR_F32, SUM(TSR_F64, TSR_F32, 0x1p24, 1, 1, 1), 0x1p24 + 4)
CASE(dot_f16_bf16, TSR_BF16, SUM(TSR_F16, TSR_BF16, 256, 1, 1, 1), 260)
CASE(dot_f32_c64, TSR_C64, SUM(TSR_F32, TSR_C64, 1, 2, 3, INFINITY), INFINITY)
CASE(dot_c64_f32, TSR_F32, SUM(TSR_C64, TSR_F32, 1, 2, 3, 4), 10)
CASE(dot_f32_i32, TSR_I32, SUM(TSR_F32, TSR_I32, 1.25, 1.25, 0.25, 0), 2)
CASE(dot_i8_f32, TSR_F32, SUM(TSR_I8, TSR_F32, 127, 127, 127, -1), 380)
CASE(dot_bool_i8, TSR_I8, SUM(TSR_BOOL, TSR_I8, 1, 1, 0, 1), 3)
CASE(dot_grad_bf16, TSR_F32, DOT_GRAD(to_bf16, TSR_F32, 1 + 0x1p-12, 3), 1 + 0x1p-12, 3)
CASE(dot_grad_c64, TSR_F32, DOT_GRAD(to_c64, TSR_F32, 1 + 0x1p-12, 3), 1 + 0x1p-12, 3)
CASE(dot_grad_f64, TSR_F16, DOT_GRAD(to_f64, TSR_F16, 0.5, 3), 0.5, 3)

CASE(dot_dtype, TSR_F64, tsr_dot(OF(TSR_F16, 256, 1), OF(TSR_F16, 256, 1), .dtype = TSR_F64),
     65537)
CASE(dot_dtype_of_scalar, TSR_F32, tsr_dot(ONE(TSR_BF16, 3), OF(TSR_BF16, 1, 2), .dtype = TSR_F32),
     3, 6)
CASE(matmul_dtype, TSR_BF16,
     tsr_matmul(tsr_ones(c, TSR_DIMS(2, 1, 3)), tsr_ones(c, TSR_DIMS(3, 1)), .dtype = TSR_BF16),
     3, 3)

/* ---- dtypes that were refused */

#define I _Complex_I
#define Z(...) \
	tsr_astype(tsr_from(c, ((const double _Complex[]){__VA_ARGS__}), TSR_C128, \
	                    TSR_DIMS(sizeof((double _Complex[]){__VA_ARGS__}) / 16)), \
	           TSR_C64)
static tsr *real_lse(tsr *x) { return tsr_astype(tsr_logsumexp(x), TSR_F32); }

CASE(maximum_c64, TSR_C64, tsr_maximum(Z(1 + 2 * I, 3, 2), Z(1 + 3 * I, 2 + 9 * I, NAN)),
     1 + 3 * I, 3, NAN + NAN * I)
CASE(minimum_c64, TSR_C64, tsr_minimum(Z(1 + 2 * I, 3), 1), 1, 1)
CASE(max_c64, TSR_C64, tsr_max(Z(1 + 9 * I, 2 - 1 * I, 2 + 1 * I, 0)), 2 + 1 * I)
CASE(min_c64, TSR_C64, tsr_min(Z(1 + 9 * I, 2 - 1 * I, 1 - 9 * I)), 1 - 9 * I)
CASE(max_c64_of_nan, TSR_C64, tsr_max(Z(1, __builtin_complex(5.0, (double)NAN), 2)), NAN + NAN * I)
CASE(max_of_none, TSR_F32, tsr_max(tsr_zeros(c, TSR_DIMS(0)), .initial = TSR_ARG(-3)), -3)
CASE(abs_u8, TSR_U8, tsr_abs(OF(TSR_U8, 0, 200)), 0, 200)
CASE(abs_u64, TSR_U64, tsr_abs(LAST_U64), 0x1p64)
CASE(abs_bool, TSR_BOOL, tsr_abs(OF(TSR_BOOL, 0, 1)), 0, 1)
CASE(square_bool, TSR_I32, tsr_square(OF(TSR_BOOL, 0, 1)), 0, 1)
CASE(rem_bool, TSR_I32, tsr_rem(OF(TSR_BOOL, 0, 1), OF(TSR_BOOL, 1, 0)), 0, 1)
CASE(shift_bool, TSR_I32, tsr_shift_left(OF(TSR_BOOL, 0, 1), true), 0, 2)
CASE(round_c64, TSR_C64, tsr_round(Z(2.5 + 3.5 * I, -0.75 - 0.25 * I)), 2 + 4 * I, -1)
CASE(is_finite_c64, TSR_BOOL, tsr_is_finite(Z(1, INFINITY, __builtin_complex(0.0, (double)NAN))),
     1, 0, 0)
CASE(is_finite_i64, TSR_BOOL, tsr_is_finite(OF(TSR_I64, -1)), 1)
CASE(rem_i8_0, TSR_I8, tsr_rem(OF(TSR_I8, -5, 7, -128), OF(TSR_I8, 0, 0, -1)), -5, 7, 0)
CASE(rem_f32_0, TSR_F32,
     tsr_rem(OF(TSR_F32, -5, 7, INFINITY, -5), OF(TSR_F32, 0, -0.0, 2, INFINITY)),
     NAN, NAN, NAN, -5)
CASE(lse_c64, TSR_C64, tsr_logsumexp(Z(1000, -1000 + 1 * I)), 1000)
CASE(lse_grad, TSR_F32, tsr_call(tsr_grad(c, real_lse), OF(TSR_F32, 1000, -INFINITY)), 1, 0)

/* ---- */

static const number_case *const cases[] = {
	&index_last,    &index_last_i8,  &index_last_of_many,   &index_before_first,
	&slice_last,    &slice_last_i64, &slice_far,            &slice_lowest,
	&slice_highest, &slice_far_i64,  &slice_far_before_i64, &slice_highest_u64,
	&slice_u8,      &update_last,    &update_last_i32,      &update_highest_u64,
	&slice_grad,    &slice_grad_u64, &update_grad,          &slice_each,
	&update_each,   &mean_of_many,   &mean_of_large,        &mean_bf16,
	&mean_grad,     &mean_i64,       &div_i64,              &mul_u64,
	&exp_u64,       &log_i32,        &max_grad_of_many,     &pmean_of_large,
	&psum_of_same,  &logsumexp_of_many, &relu_of_nan,       &relu_of_integers,
	&relu_grad,     &max_grad_of_nan, &min_grad_of_nan,     &max_grad_of_ties,
	&pow_i32,       &pow_u8_i8,      &pow_bool,             &pow_bool_2,
	&pow_of_2,      &pow_of_2f,      &pow_of_fraction,      &pow_bf16,
	&pow_f16,       &pow_grad,       &pow_grad_2,           &pow_grad_lowest,
	&dot_f32_bf16,  &dot_f64_f32,    &dot_f16_bf16,         &dot_f32_c64,
	&dot_c64_f32,   &dot_f32_i32,    &dot_i8_f32,           &dot_bool_i8,
	&dot_grad_bf16, &dot_grad_c64,   &dot_grad_f64,
	&maximum_c64,   &minimum_c64,    &max_c64,              &min_c64,
	&max_c64_of_nan, &max_of_none,     &abs_u8,             &abs_u64,
	&abs_bool,      &square_bool,    &rem_bool,             &shift_bool,
	&round_c64,     &is_finite_c64,  &is_finite_i64,        &rem_i8_0,
	&rem_f32_0,     &lse_c64,        &lse_grad,             &dot_dtype,
	&dot_dtype_of_scalar, &matmul_dtype,
};

static void check(const number_case *k, const char *how, tsr *x)
{
	char where[128];

	snprintf(where, sizeof where, "%s, %s", k->name, how);
	near_at(where, x, k->want, k->n, 0);
	if (tsr_dtype_of(x) != k->dtype)
		fail_msg("%s: %s, and not %s", where, tsr_dtype_name(tsr_dtype_of(x)),
		         tsr_dtype_name(k->dtype));
}

static void on_engine(tsr_ctx *ctx)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		TSR_SCOPE(ctx);
		check(cases[i], "outside", cases[i]->make(ctx));
		check(cases[i], "in a body", tsr_call(tsr_jit(ctx, cases[i]->make)));
	}
	assert_int_equal(tsr_close(ctx), 0);
}

static void interpreted(void **state)
{
	(void)state;
	on_engine(tsr_open(.engine = "interp"));
}

/* "c": at once */
static void compiled(void **state)
{
	(void)state;
	on_engine(tsr_open(.engine = "cpu", .plugin_dir = PLUGIN_DIR, .debug = "c"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(interpreted),
		cmocka_unit_test(compiled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
