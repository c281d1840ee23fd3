/* test_any_mesh.c - with .reproducible = TSR_BY_MESH sums have the bits of one device, on any
 * number of devices, whichever dims are split, and evenly or not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <tsr/tsr.h>
#include "support/part.h"

#define D TSR_DIMS
enum { DEVICES = 8, ROWS = 700, COLUMNS = 22 };

/* x: f32[ROWS, COLUMNS] */
static tsr *columns(tsr *x) { return tsr_dot(tsr_t(x), tsr_sin(x)); }

static tsr *rows(tsr *x) { return tsr_dot(x, tsr_t(tsr_cos(x))); }

static tsr *loss(tsr *w, tsr *x)
{
	tsr *y = tsr_tanh(tsr_dot(x, w));
	return tsr_mean(tsr_mul(y, tsr_add(y, 0.1)));
}

static tsr *gradient(tsr *x)
{
	tsr *w = tsr_mul(tsr_slice(x, 0, 0, COLUMNS), 0.1);
	return tsr_call(tsr_grad(tsr_ctx_of(x), loss), w, x);
}

/* x as 7 pictures of 20 x 5 places and 22 features; where rows of x are split, so are pictures */
static tsr *convolved(tsr *x)
{
	tsr *kernel = tsr_reshape(tsr_slice(x, 0, 0, 9 * COLUMNS), D(3, 3, COLUMNS, COLUMNS));
	return tsr_conv_general_dilated(tsr_reshape(x, D(7, 20, 5, COLUMNS)), kernel,
	                                .padding = TSR_SAME, .lhs_spec = "NHWC",
	                                .rhs_spec = "HWIO");
}

static tsr *conv_loss(tsr *x) { return tsr_sum(tsr_sin(convolved(x))); }
static tsr *conv_gradient(tsr *x) { return tsr_call(tsr_grad(tsr_ctx_of(x), conv_loss), x); }

/* 7 sequences of 100 places, two heads of 11 features */
static tsr *attended(tsr *x)
{
	tsr *q = tsr_reshape(x, D(7, 100, 2, 11));
	return tsr_dot_product_attention(q, tsr_sin(q), tsr_cos(q));
}

static tsr *attention_loss(tsr *x) { return tsr_mean(tsr_square(attended(x))); }
static tsr *attention_gradient(tsr *x)
{
	return tsr_call(tsr_grad(tsr_ctx_of(x), attention_loss), x);
}

static tsr *places(tsr *x)
{
	tsr *at = tsr_rem(tsr_mul(tsr_arange(x, ROWS), 7), 5);
	return tsr_at_add(tsr_zeros(x, D(5, COLUMNS)), 0, at, x);
}

static tsr *taken(tsr *x)
{
	tsr *zeros = tsr_mul(tsr_abs(x), -0.0);
	return tsr_take(zeros, 0, tsr_rem(tsr_mul(tsr_arange(x, 40), 17), ROWS));
}

static tsr *sliced(tsr *x)
{
	return tsr_dynamic_slice(tsr_mul(tsr_abs(x), -0.0), 0, tsr_argmax(x), 3);
}

#define SUMS(_) \
	_(sum, tsr_sum(x)) \
	_(sum_of_rows, tsr_sum(x, .dims = D(1))) \
	_(sum_of_columns, tsr_sum(x, .dims = D(0))) \
	_(prod, tsr_prod(tsr_add(tsr_mul(x, 0.01), 1), .dims = D(0))) \
	_(mean_of_halves, tsr_mean(tsr_astype(x, TSR_BF16), .dims = D(0))) \
	_(variance, tsr_var(x, .dims = D(0))) \
	_(norm, tsr_sqrt(tsr_sum(tsr_square(x)))) \
	_(logsumexp, tsr_logsumexp(x, .dims = D(0))) \
	_(softmax, tsr_softmax(x, 0)) \
	_(layer_norm, tsr_layer_norm(x, NULL, NULL)) \
	_(product, columns(x)) \
	_(product_of_halves, columns(tsr_astype(x, TSR_BF16))) \
	_(complex_product, columns(tsr_complex(x, tsr_cos(x)))) \
	_(whole_product, columns(tsr_astype(tsr_mul(x, 10), TSR_I32))) \
	_(rows_by_rows, rows(x)) \
	_(gradient, gradient(x)) \
	_(convolved, convolved(x)) \
	_(conv_gradient, conv_gradient(x)) \
	_(attended, attended(x)) \
	_(attention_gradient, attention_gradient(x)) \
	_(running, tsr_cumsum(x, .dim = D(0))) \
	_(running_product, tsr_cumprod(tsr_add(tsr_mul(x, 0.01), 1), .dim = D(0))) \
	_(running_largest, tsr_cummax(x, .dim = D(0))) \
	_(places, places(x)) \
	_(taken, taken(x)) \
	_(sliced, sliced(x))

#define DEFINE(name, value) \
	static tsr *body_##name(tsr *x) { return value; }
#define LINE(name, value) {#name, body_##name},
SUMS(DEFINE)
static const struct {
	const char *name;
	tsr *(*call)(tsr *);
} bodies[] = {SUMS(LINE)};

static size_t bytes_of(tsr *x) { return (size_t)tsr_size(x) * tsr_dtype_size(tsr_dtype_of(x)); }

static char *bits_of(tsr *x)
{
	char *bits = malloc(bytes_of(x) + 1);

	assert_non_null(bits);
	if (!tsr_read(x, bits, bytes_of(x))) fail_msg("%s", tsr_message(tsr_ctx_of(x)));
	return bits;
}

static tsr *numbers(tsr_ctx *c)
{
	return tsr_mul(tsr_normal(tsr_key(c, 3), D(ROWS, COLUMNS)),
	               tsr_exp(tsr_normal(tsr_key(c, 4), D(ROWS, COLUMNS))));
}

/* how many of the ways to split give other bits than one device */
static int differ(tsr_ctx *c, size_t which)
{
	static const char *const dims[][2] = {{"x", NULL}, {NULL, "x"}};
	int n = 0;
	TSR_SCOPE(c);
	tsr *x = numbers(c);
	tsr_fn *f = tsr_jit(c, bodies[which].call);
	tsr *one = tsr_call(f, x);
	char *want = bits_of(one);

	for (int devices = 2; devices <= DEVICES; devices++)
		for (int d = 0; d < 2; d++) {
			if (is_left_out()) continue;
			TSR_SCOPE(c);
			tsr_mesh *mesh = tsr_mesh_make(c, {"x", devices});
			tsr *y = tsr_call(f, tsr_put(x, mesh, TSR_P(dims[d][0], dims[d][1])));
			char *got = bits_of(y);
			n += memcmp(got, want, bytes_of(one)) != 0;
			free(got);
		}
	free(want);
	return n;
}

static void any_mesh_gives_the_same(void **state)
{
	tsr_ctx *c = tsr_open(.devices = DEVICES, .reproducible = TSR_BY_MESH);

	(void)state;
	for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
		if (differ(c, i)) fail_msg("%s depends on the mesh", bodies[i].name);
	assert_int_equal(tsr_close(c), TSR_OK);
}

/* and not only because it always does */
static void otherwise_it_depends(void **state)
{
	tsr_ctx *c = tsr_open(.devices = DEVICES);

	(void)state;
	assert_true(differ(c, 0) && differ(c, 2));
	assert_int_equal(tsr_close(c), TSR_OK);
}

static void keywords_are_checked(void **state)
{
	int code = 0;
	tsr_ctx *c = tsr_open(.reproducible = (tsr_reproducible)2, .code = &code);

	(void)state;
	assert_int_equal(code, TSR_ERROR_ARGUMENT);
	assert_non_null(strstr(tsr_message(c), ".reproducible"));
	tsr_close(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(any_mesh_gives_the_same),
	                                   cmocka_unit_test(otherwise_it_depends),
	                                   cmocka_unit_test(keywords_are_checked)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
