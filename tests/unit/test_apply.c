/* test_apply.c - a public function outside of bodies is one program, found again for any numbers;
 * and it has the results and errors of its separate operations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include "runtime/runtime.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

static tsr_ctx *c;
static tsr *x, *row, *whole, *mask, *key, *complex, *half, *bytes, *signal;
static tsr *two[2], *pair[2], *out[8], *more;

static tsr *first(bool ok)
{
	assert_true(ok);
	return out[0];
}

/* calls, each of another kind of parameters; and of the same with other numbers. They make one
 * program together */
#define CALLS(_) \
	_(tsr_gelu(x), tsr_gelu(x)) \
	_(tsr_elu(x, 0.5), tsr_elu(x, 0.75)) \
	_(tsr_add(x, 1), tsr_add(x, 2)) \
	_(tsr_add(x, row), tsr_add(x, row)) \
	_(tsr_mul(2.5, whole), tsr_mul(3.5, whole)) \
	_(tsr_exp(whole), tsr_exp(whole)) \
	_(tsr_where(mask, x, 0), tsr_where(mask, x, 1)) \
	_(tsr_clamp(0, x, TSR_NONE), tsr_clamp(1, x, TSR_NONE)) \
	_(tsr_pow(x, 2.5), tsr_pow(x, 3.5)) \
	_(tsr_mean(x, .dims = TSR_DIMS(1), .keep = true), \
	  tsr_mean(x, .dims = TSR_DIMS(1), .keep = true)) \
	_(tsr_sum(x, .where = mask), tsr_sum(x, .where = mask)) \
	_(tsr_max(whole, .initial = TSR_ARG(3)), tsr_max(whole, .initial = TSR_ARG(3))) \
	_(tsr_logsumexp(x, .sign = &more), tsr_logsumexp(x, .sign = &more)) \
	_(tsr_softmax(x, -1, .where = mask), tsr_softmax(x, -1, .where = mask)) \
	_(tsr_quantile(x, 0.3), tsr_quantile(x, 0.6)) \
	_(tsr_isclose(x, 1, 1e-5, 0), tsr_isclose(x, 2, 1e-5, 0)) \
	_(tsr_linspace(c, 0, 1, 5), tsr_linspace(c, 0, 1, 5)) \
	_(tsr_eye(c, 3), tsr_eye(c, 3)) \
	_(tsr_hamming(c, 6), tsr_hamming(c, 6)) \
	_(tsr_stack(0, x, x), tsr_stack(0, x, x)) \
	_(tsr_concatenate(0, whole, row), tsr_concatenate(0, whole, row)) \
	_(tsr_einsum("ij,kj->ik", x, x), tsr_einsum("ij,kj->ik", x, x)) \
	_(tsr_dynamic_slice(x, 0, 1, 2), tsr_dynamic_slice(x, 0, -1, 2)) \
	_(tsr_dynamic_slice_dims(x, TSR_DIMS(1, 2), 0, 1), \
	  tsr_dynamic_slice_dims(x, TSR_DIMS(1, 2), 1, 0)) \
	_(tsr_take(x, 0, whole, .mode = TSR_CLIP), tsr_take(x, 0, whole, .mode = TSR_CLIP)) \
	_(tsr_at_add(x, 0, whole, 1), tsr_at_add(x, 0, whole, 2)) \
	_(tsr_select(&mask, &x, 1, 0), tsr_select(&mask, &x, 1, 1)) \
	_(first(tsr_divmod(x, 2, out)), first(tsr_divmod(x, 3, out))) \
	_(first(tsr_split(x, 1, out, 2)), first(tsr_split(x, 1, out, 2))) \
	_(first(tsr_top_k(x, 2, out)), first(tsr_top_k(x, 2, out))) \
	_(first(tsr_meshgrid(two, out, 2)), \
	  first(tsr_meshgrid(two, out, 2))) \
	_(first(tsr_unravel_index(whole, TSR_DIMS(2, 2), out)), \
	  first(tsr_unravel_index(whole, TSR_DIMS(2, 2), out))) \
	_(first(tsr_slogdet(x, out)), first(tsr_slogdet(x, out))) \
	_(tsr_inv(x), tsr_inv(x)) \
	_(tsr_fft2(x), tsr_fft2(x)) \
	_(tsr_polyval(row, x), tsr_polyval(row, x)) \
	_(tsr_std(x, .dims = TSR_DIMS(0)), tsr_std(x, .dims = TSR_DIMS(0))) \
	_(first(tsr_histogram(x, 4, out)), first(tsr_histogram(x, 4, out))) \
	_(tsr_angle(complex), tsr_angle(complex)) \
	_(first(tsr_split_key(key, out, 3)), first(tsr_split_key(key, out, 3))) \
	_(tsr_conv_general_dilated(signal, signal), tsr_conv_general_dilated(signal, signal))

static void open_all(const char *engine)
{
	static const float matrix[] = {4, 1,     2, 0.5f, 1,    5, 0.25f, 1,
	                               2, 0.75f, 6, 1,    0.5f, 1, 1,     3};

	c = tsr_open(.engine = engine);
	x = tsr_from(c, matrix, TSR_F32, TSR_DIMS(4, 4));
	row = tsr_index(x, 0, 1);
	whole = tsr_arange(c, 4);
	mask = tsr_gt(x, 0.6);
	key = tsr_key(c, 3);
	complex = tsr_complex(x, x);
	half = tsr_astype(row, TSR_F16);
	bytes = tsr_astype(whole, TSR_U8);
	signal = tsr_reshape(half, TSR_DIMS(1, 1, 4));
	two[0] = two[1] = whole;
	pair[0] = x;
	pair[1] = row;
}

static void test_one_program(void **state)
{
	(void)state;
	open_all("interp");
#define ONE_PROGRAM(a, b) { \
		const size_t before = c->executables.count; \
		tsr *y = a; \
		const size_t after = c->executables.count; \
		assert_false(tsr_is_poison(y)); \
		if (after > before + 1) fail_msg("%zu programs: %s", after - before, #a); \
		y = b; \
		if (c->executables.count != after) fail_msg("once more: %s", #b); \
		assert_false(tsr_is_poison(y)); \
	}
	CALLS(ONE_PROGRAM)
	assert_int_equal(tsr_close(c), 0);
}


static tsr *elu_half(tsr *a) { return tsr_elu(a, 0.5); }
static tsr *add_tenth(tsr *a) { return tsr_add(a, 0.1); }
static tsr *times_tenth(tsr *a) { return tsr_mul(a, 0.1); }
static tsr *hypot_tenth(tsr *a) { return tsr_hypot(a, 0.1); }
static tsr *to_tenth(tsr *a) { return tsr_pow(a, 0.1); }
static tsr *tenth_to(tsr *a) { return tsr_pow(0.1, a); }
static tsr *squared(tsr *a) { return tsr_pow(a, 2); }
static tsr *quantile(tsr *a) { return tsr_quantile(a, 0.3); }
static tsr *remainder_3(tsr *a) { return tsr_remainder(a, 3); }

/* the bits of numbers that are operands are those of numbers in a body */
static void test_numbers(void **state)
{
	static tsr *(*const each[])(tsr *) = {elu_half, add_tenth, times_tenth, hypot_tenth,
	                                      to_tenth, tenth_to, squared, quantile, remainder_3};
	static const tsr_dtype dtypes[] = {TSR_BF16, TSR_F16, TSR_F32, TSR_F64, TSR_I32, TSR_U8,
	                                   TSR_I64};

	(void)state;
	open_all(NULL);
	for (size_t i = 0; i < sizeof each / sizeof *each; i++)
		for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++) {
			tsr *a = tsr_astype(tsr_add(whole, 1), dtypes[d]);
			tsr *here = each[i](a), *there = tsr_call(tsr_jit(c, each[i]), a);
			assert_int_equal(tsr_dtype_of(here), tsr_dtype_of(there));
			assert_true(tsr_array_equal(here, there));
		}
	assert_int_equal(tsr_close(c), 0);
}

/* what is given back as it is, is the same handle: there is no copy */
static void test_same_handle(void **state)
{
	(void)state;
	open_all(NULL);
	assert_ptr_equal(tsr_floor(whole), whole);
	assert_ptr_equal(tsr_astype(x, TSR_F32), x);
	assert_true(tsr_broadcast_arrays(pair, out, 2));
	assert_ptr_equal(out[0], x);
	assert_int_equal(tsr_close(c), 0);
}

/* a composition needs the memory of its result */
static void test_memory(void **state)
{
	enum { N = 1 << 20 };

	(void)state;
	c = tsr_open();
	tsr *large = tsr_ones(c, TSR_DIMS(N));
	const size_t before = tsr_memory(c).in_use;
	TSR_SCOPE(c);
	(void)!tsr_wait(tsr_gelu(large));
	assert_true(tsr_memory(c).peak < before + 4 * N + 4 * N + (8 << 20));
	assert_int_equal(tsr_close(c), 0);
}

/* an error is that of the function, at the line of each call, and names no trace */
static void test_errors(void **state)
{
	(void)state;
	open_all(NULL);
	tsr_clear(c);
#define REFUSED(says, call) { \
		tsr *y = call; \
		assert_true(tsr_is_poison(y)); \
		if (!strstr(tsr_message(c), says) || strstr(tsr_message(c), "trac") || \
		    !strstr(tsr_message(c), "test_apply.c:" TSR_STR_(__LINE__))) \
			fail_msg("%s: %s", #call, tsr_message(c)); \
		tsr_clear(c); \
	}
	for (int again = 0; again < 2; again++) {
		REFUSED("(4, 4), (3,)", tsr_gelu(tsr_add(x, tsr_ones(c, TSR_DIMS(3)))))
		REFUSED("300 does not fit u8", tsr_remainder(bytes, 300))
		REFUSED("dim 7 is out of range", tsr_std(x, .dims = TSR_DIMS(7)))
	}
	assert_false(tsr_divmod(x, tsr_ones(c, TSR_DIMS(3)), out));
	assert_true(tsr_is_poison(out[0]) && tsr_is_poison(out[1]));
	tsr_clear(c);
	(void)tsr_close(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_program), cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_same_handle), cmocka_unit_test(test_memory),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
