/* test_convolutions.c - convolutions that the library computes: values and gradients are those of
 * the interpreter, bit for bit, since all numbers are whole and small. Sizes go around the tiles
 * and blocks of native/direct.c and product.c, with operands that are gathered by both. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <tsr/tsr.h>

#define D TSR_DIMS
#define NHWC .lhs_spec = "NHWC", .rhs_spec = "HWIO"

#define CONVS(_) \
	_(plain, D(2, 16, 17, 8), D(3, 3, 8, 24), NHWC, .padding = TSR_SAME) \
	_(steps, D(2, 33, 34, 3), D(7, 7, 3, 40), NHWC, .strides = D(2, 2), .low = D(3, 3), \
	  .high = D(3, 3)) \
	_(apart, D(2, 24, 12, 8), D(3, 2, 8, 70), NHWC, .rhs_dilation = D(2, 3)) \
	_(cut_off, D(2, 30, 20, 16), D(3, 3, 16, 9), NHWC, .low = D(-2, 1), .high = D(1, -3)) \
	_(spread, D(2, 9, 9, 16), D(3, 3, 16, 33), NHWC, .lhs_dilation = D(2, 2)) \
	_(wide, D(2, 7, 8, 16), D(3, 3, 16, 300), NHWC, .padding = TSR_SAME) \
	_(deep, D(2, 6, 6, 240), D(3, 3, 240, 16), NHWC) \
	_(features_first, D(2, 8, 17, 16), D(24, 8, 3, 3), .padding = TSR_SAME) \
	_(groups, D(2, 16, 17, 16), D(3, 3, 8, 24), NHWC, .feature_group_count = 2) \
	_(many_groups, D(2, 19, 18, 32), D(3, 2, 4, 64), NHWC, .feature_group_count = 8, \
	  .strides = D(2, 1), .padding = TSR_SAME) \
	_(batches, D(4, 20, 17, 8), D(3, 3, 8, 32), NHWC, .batch_group_count = 2) \
	_(images, D(8, 66, 66, 4), D(3, 3, 4, 16), NHWC) \
	_(phases, D(2, 31, 30, 16), D(3, 5, 16, 24), NHWC, .strides = D(2, 3), .low = D(1, 2), \
	  .high = D(0, 2)) \
	_(longer_steps, D(2, 30, 31, 16), D(2, 3, 16, 24), NHWC, .strides = D(3, 3)) \
	_(phases_of_one, D(2, 24, 34, 8), D(4, 3, 8, 70), NHWC, .strides = D(4, 1)) \
	_(line, D(3, 200, 16), D(5, 16, 32), .lhs_spec = "NWC", .rhs_spec = "WIO")

#define DEFINE(name, x, w, ...) \
	static tsr *conv_##name(tsr *lhs, tsr *rhs) \
	{ \
		return tsr_conv_general_dilated(lhs, rhs, __VA_ARGS__); \
	} \
	static tsr *loss_##name(tsr *lhs, tsr *rhs) \
	{ \
		tsr *y = conv_##name(lhs, rhs); \
		tsr *n = tsr_astype(tsr_arange(y, tsr_size(y)), tsr_dtype_of(y)); \
		return tsr_sum(tsr_mul(y, tsr_sub(tsr_rem(like(n, y), 3), 1))); \
	}
#define LINE(name, x, w, ...) {#name, conv_##name, loss_##name, x, w},

/* n in the dims of y */
static tsr *like(tsr *n, tsr *y)
{
	tsr_dims dims = {.d = {1 + tsr_ndim(y)}};

	for (int d = 0; d < tsr_ndim(y); d++) dims.d[1 + d] = tsr_dim(y, d);
	return tsr_reshape(n, dims);
}

CONVS(DEFINE)
struct conv {
	const char *name;
	tsr *(*run)(tsr *, tsr *);
	tsr *(*loss)(tsr *, tsr *);
	tsr_dims x, w;
};

static tsr *numbers(tsr_ctx *c, tsr_dims dims, tsr_dtype dtype, int by, int of)
{
	int64_t n = 1;

	for (int i = 1; i < dims.d[0]; i++) n *= dims.d[i];
	tsr *x = tsr_arange(c, n, .dtype = TSR_I32);
	x = tsr_sub(tsr_rem(tsr_mul(x, by), of), of / 2);
	return tsr_reshape(tsr_astype(x, dtype), dims);
}

enum { RESULTS = 3 };
/* a convolution and its gradients */
static void compute(tsr_ctx *c, const struct conv *k, tsr_dtype dtype, tsr **y)
{
	tsr *x = numbers(c, k->x, dtype, 7, 9), *w = numbers(c, k->w, dtype, 5, 7);

	y[0] = tsr_call(tsr_jit(c, k->run), x, w);
	tsr_call_into(TSR_OUT(&y[1], &y[2]), tsr_jit(c, tsr_grad(c, k->loss, .wrt = D(0, 1))), x,
	              w);
	if (tsr_status(c)) fail_msg("%s: %s", k->name, tsr_message(c));
}

static void check_same(const char *name, int which, tsr *a, tsr *b)
{
	const size_t n = (size_t)tsr_size(a) * (tsr_dtype_of(a) == TSR_F32 ? 4 : 8);
	char *x = malloc(n), *y = malloc(n);

	assert_true(x && y && tsr_size(a) == tsr_size(b));
	tsr_read(tsr_add(a, 0), x, n); /* of zeros, without sign */
	tsr_read(tsr_add(b, 0), y, n);
	if (memcmp(x, y, n)) fail_msg("%s: result %d differs", name, which);
	free(x);
	free(y);
}

static void compiled_is_interpreted(void **state)
{
	const struct conv convs[] = {CONVS(LINE)};
	tsr_ctx *cpu = tsr_open(), *interp = tsr_open(.engine = "interp");

	(void)state;
	for (size_t i = 0; i < sizeof convs / sizeof *convs; i++)
		for (int wide = 0; wide < 2; wide++) {
			TSR_SCOPE(cpu);
			TSR_SCOPE(interp);
			tsr *got[RESULTS], *want[RESULTS];
			const tsr_dtype dtype = wide ? TSR_F64 : TSR_F32;
			compute(cpu, &convs[i], dtype, got);
			compute(interp, &convs[i], dtype, want);
			for (int k = 0; k < RESULTS; k++)
				check_same(convs[i].name, k, got[k], want[k]);
		}
	assert_int_equal(tsr_close(cpu), TSR_OK);
	assert_int_equal(tsr_close(interp), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(compiled_is_interpreted)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
