/* test_functions.c - functions.h and nn.h: values, derivatives and dtypes as JAX 0.10.2 has them,
 * outside a body and in one. The numbers are those of jax.numpy, jax.scipy.special and jax.nn, the
 * 64-bit types on; of two operands for the pairs of `left` and `right`. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include "support/near.h"
#include "support/quiet.h"
#include <cmocka.h>

#define D        TSR_DIMS
#define COUNT(a) (sizeof(a) / sizeof *(a))

typedef tsr *unary(tsr *);
typedef tsr *binary(tsr *, tsr *);

/* ---- values */

enum { POINTS = 7 };
static const double points[POINTS] = {-2.5, -0.0, 0.75, INFINITY, NAN, 9, -23};
static const struct { const char *name; unary *of; double y[POINTS]; } ones[] = {
	{"deg2rad", tsr_deg2rad, {-0.04363323129985824, -0.0, 0.013089969389957472, INFINITY,
	 NAN, 0.15707963267948966, -0.4014257279586958}},
	{"rad2deg", tsr_rad2deg, {-143.2394487827058, -0.0, 42.97183463481174, INFINITY, NAN,
	 515.662015617741, -1317.8029288008934}},
	{"angle", tsr_angle, {3.141592653589793, 3.141592653589793, 0, 0, NAN, 0,
	 3.141592653589793}},
	{"log2", tsr_log2, {NAN, -INFINITY, -0.41503749927884376, INFINITY, NAN,
	 3.1699250014423126, NAN}},
	{"log10", tsr_log10, {NAN, -INFINITY, -0.12493873660829993, INFINITY, NAN,
	 0.954242509439325, NAN}},
	{"reciprocal", tsr_reciprocal, {-0.4, -INFINITY, 1.3333333333333333, 0, NAN,
	 0.1111111111111111, -0.043478260869565216}},
	{"fabs", tsr_fabs, {2.5, 0, 0.75, INFINITY, NAN, 9.0, 23.0}},
	{"sinc", tsr_sinc, {0.12732395447351627, 1.0, 0.3001054387190354, NAN, NAN,
	 3.8981718325193755e-17, 8.814971340095828e-17}},
	{"trunc", tsr_trunc, {-2.0, -0.0, 0, INFINITY, NAN, 9.0, -23.0}},
	{"rint", tsr_rint, {-2.0, -0.0, 1.0, INFINITY, NAN, 9.0, -23.0}},
	{"signbit", tsr_signbit, {1.0, 1.0, 0, 0, 0, 0, 1.0}},
	{"isinf", tsr_isinf, {0, 0, 0, 1.0, 0, 0, 0}},
	{"isposinf", tsr_isposinf, {0, 0, 0, 1.0, 0, 0, 0}},
	{"isneginf", tsr_isneginf, {0, 0, 0, 0, 0, 0, 0}},
	{"nan_to_num", tsr_nan_to_num, {-2.5, -0.0, 0.75, 1.7976931348623157e+308, 0, 9.0,
	 -23.0}},
	{"entr", tsr_entr, {-INFINITY, -0.0, 0.21576155433883568, -INFINITY, NAN,
	 -19.775021196025975, -INFINITY}},
	{"logit", tsr_logit, {NAN, -INFINITY, 1.0986122886681098, NAN, NAN, NAN, NAN}},
	{"ndtr", tsr_ndtr, {0.006209665325776132, 0.5, 0.7733726476231318, 1.0, NAN, 1.0,
	 2.3306370062206485e-117}},
	{"log_ndtr", tsr_log_ndtr, {-5.081648277278691, -0.6931471805599453, -0.2569942668383652,
	 -0.0, NAN, -1.1285884059538324e-19, -268.55631425818405}},
	{"relu6", tsr_relu6, {0, 0, 0.75, 6.0, NAN, 6.0, 0}},
	{"softplus", tsr_softplus, {0.07888973429254963, 0.6931471805599453, 1.1368710061148999,
	 INFINITY, NAN, 9.000123402189724, 1.0261879631175359e-10}},
	{"sparse_plus", tsr_sparse_plus, {0, 0.25, 0.765625, INFINITY, NAN, 9.0, 0}},
	{"sparse_sigmoid", tsr_sparse_sigmoid, {0, 0.5, 0.875, 1.0, NAN, 1.0, 0}},
	{"soft_sign", tsr_soft_sign, {-0.7142857142857143, -0.0, 0.42857142857142855, NAN, NAN,
	 0.9, -0.9583333333333334}},
	{"silu", tsr_silu, {-0.18964545005310887, -0.0, 0.5093840243815447, INFINITY, NAN,
	 8.998889448816124, -2.3602323150492308e-09}},
	{"log_sigmoid", tsr_log_sigmoid, {-2.5788897342925496, -0.6931471805599453,
	 -0.3868710061149, -0.0, NAN, -0.00012340218972325883, -23.00000000010262}},
	{"hard_tanh", tsr_hard_tanh, {-1.0, -0.0, 0.75, 1.0, NAN, 1.0, -1.0}},
	{"hard_sigmoid", tsr_hard_sigmoid, {0.08333333333333333, 0.5, 0.625, 1.0, NAN, 1.0, 0}},
	{"hard_silu", tsr_hard_silu, {-0.20833333333333331, -0.0, 0.46875, INFINITY, NAN, 9.0,
	 -0.0}},
	{"mish", tsr_mish, {-0.19681620390653337, -0.0, 0.6100183352182934, INFINITY, NAN,
	 8.99999972592802, -2.3602323151703325e-09}},
	{"log1mexp", tsr_log1mexp, {NAN, -INFINITY, -0.639353465040354, -0.0, NAN,
	 -0.00012341741970311952, NAN}},
	{"selu", tsr_selu, {-1.6137857588732423, -0.0, 0.7880257405166103, INFINITY, NAN,
	 9.456308886199324, -1.7580993406669627}},
	{"gelu", tsr_gelu, {-0.0150842660899983, -0.0, 0.5799605551656203, INFINITY, NAN, 9.0,
	 -0.0}},
};
enum { PAIRS = 6 };
static const double left[PAIRS] = {-2.5, 3, 0, INFINITY, NAN, 0.5};
static const double right[PAIRS] = {1.5, 2, -0.0, INFINITY, 1, 2.25};
static const struct { const char *name; binary *of; double y[PAIRS]; } twos[] = {
	{"float_power", tsr_float_power, {NAN, 9.0, 1.0, INFINITY, NAN, 0.21022410381342863}},
	{"hypot", tsr_hypot, {2.91547594742265, 3.6055512754639896, 0, INFINITY, NAN,
	 2.304886114323222}},
	{"logaddexp", tsr_logaddexp, {1.5181499279178097, 3.3132616875182226, 0.6931471805599453,
	 INFINITY, NAN, 2.4102241504380872}},
	{"logaddexp2", tsr_logaddexp2, {1.5874628412503393, 3.584962500721156, 1.0, INFINITY,
	 NAN, 2.6255141188067475}},
	{"floor_divide", tsr_floor_divide, {-2.0, 1.0, NAN, NAN, NAN, 0}},
	{"remainder", tsr_remainder, {0.5, 1.0, NAN, NAN, NAN, 0.5}},
	{"fmod", tsr_fmod, {-1.0, 1.0, NAN, NAN, NAN, 0.5}},
	{"copysign", tsr_copysign, {2.5, 3.0, -0.0, INFINITY, NAN, 0.5}},
	{"heaviside", tsr_heaviside, {0, 1.0, -0.0, 1.0, NAN, 1.0}},
	{"fmax", tsr_fmax, {1.5, 3.0, -0.0, INFINITY, 1.0, 2.25}},
	{"fmin", tsr_fmin, {-2.5, 2.0, -0.0, INFINITY, 1.0, 0.5}},
	{"logical_xor", tsr_logical_xor, {0, 0, 0, 0, 0, 0}},
	{"xlogy", tsr_xlogy, {-1.013662770270411, 2.0794415416798357, 0, INFINITY, NAN,
	 0.4054651081081644}},
	{"xlog1py", tsr_xlog1py, {-2.2907268296853878, 3.295836866004329, 0, INFINITY, NAN,
	 0.5893274981708231}},
	{"rel_entr", tsr_rel_entr, {INFINITY, 1.2163953243244934, 0, NAN, INFINITY,
	 -0.7520386983881371}},
	{"kl_div", tsr_kl_div, {INFINITY, 0.21639532432449338, 0, NAN, NAN, 0.9979613016118629}},
	{"leaky_relu", tsr_leaky_relu, {-3.75, 3.0, 0, INFINITY, NAN, 0.5}},
	{"elu", tsr_elu, {-1.3768725020641517, 3.0, -0.0, INFINITY, NAN, 0.5}},
	{"celu", tsr_celu, {-1.2166865957436572, 3.0, NAN, NAN, NAN, 0.5}},
	{"squareplus", tsr_squareplus, {0.14194109070750538, 3.1583123951777, 0, INFINITY, NAN,
	 1.040569415042095}},
};

/* zeros with their sign, NaN as one, and numbers but for some units of the last place; numbers that
 * are differences of others to those */
static bool is_near(double y, double want)
{
	if (isnan(want)) return isnan(y);
	if (y == want) return want != 0 || !signbit(y) == !signbit(want);
	return fabs(y - want) <= 0x1p-48 * fmax(fabs(want), fmin(1, fabs(want) * 0x1p+10));
}

static void compare(const char *name, const char *how, tsr *y, const double *want, size_t n)
{
	double got[POINTS];

	assert_true(tsr_read_into(y, got, .dtype = TSR_F64));
	for (size_t i = 0; i < n; i++)
		if (!is_near(got[i], want[i]))
			fail_msg("%s %s, %zu: %.17g, not %.17g", name, how, i, got[i], want[i]);
}

static void values(void **state)
{
	tsr_ctx *c = *state;

	TSR_SCOPE(c);
	tsr *x = tsr_from(c, points, TSR_F64, D(POINTS));
	tsr *a = tsr_from(c, left, TSR_F64, D(PAIRS)), *b = tsr_from(c, right, TSR_F64, D(PAIRS));
	for (size_t i = 0; i < COUNT(ones); i++) {
		compare(ones[i].name, "outside", ones[i].of(x), ones[i].y, POINTS);
		compare(ones[i].name, "in a body", tsr_call(tsr_jit(c, ones[i].of), x), ones[i].y,
		        POINTS);
	}
	for (size_t i = 0; i < COUNT(twos); i++) {
		compare(twos[i].name, "outside", twos[i].of(a, b), twos[i].y, PAIRS);
		compare(twos[i].name, "in a body", tsr_call(tsr_jit(c, twos[i].of), a, b),
		        twos[i].y, PAIRS);
	}
}

/* ---- derivatives at 0, 0.3 and 1 */

static const struct { const char *name; unary *of; double dy[3]; } slopes[] = {
	{"deg2rad", tsr_deg2rad,
	 {0.017453292519943295, 0.017453292519943295, 0.017453292519943295}},
	{"rad2deg", tsr_rad2deg, {57.29577951308232, 57.29577951308232, 57.29577951308232}},
	{"log2", tsr_log2, {INFINITY, 4.8089834696298785, 1.4426950408889634}},
	{"log10", tsr_log10, {INFINITY, 1.4476482730108395, 0.4342944819032518}},
	{"reciprocal", tsr_reciprocal, {-INFINITY, -11.11111111111111, -1.0}},
	{"fabs", tsr_fabs, {1.0, 1.0, 1.0}},
	{"sinc", tsr_sinc, {0, -0.902028130138889, -1.0}},
	{"entr", tsr_entr, {INFINITY, 0.20397280432593612, -1.0}},
	{"ndtr", tsr_ndtr, {0.3989422804014327, 0.3813878154605241, 0.2419707245191433}},
	{"log_ndtr", tsr_log_ndtr, {0.7978845608028654, 0.6172208536127345, 0.2875999709391784}},
	{"relu6", tsr_relu6, {0, 1.0, 1.0}},
	{"softplus", tsr_softplus, {0.5, 0.5744425168116591, 0.731058578630005}},
	{"sparse_plus", tsr_sparse_plus, {0.5, 0.65, 1.0}},
	{"sparse_sigmoid", tsr_sparse_sigmoid, {0.5, 0.5, 0.25}},
	{"soft_sign", tsr_soft_sign, {1.0, 0.5917159763313609, 0.25}},
	{"silu", tsr_silu, {0.5, 0.6477800103188828, 0.9276705118714867}},
	{"log_sigmoid", tsr_log_sigmoid, {0.5, 0.4255574831883411, 0.2689414213699951}},
	{"hard_tanh", tsr_hard_tanh, {1.0, 1.0, 1.0}},
	{"hard_sigmoid", tsr_hard_sigmoid, {1.0 / 6, 1.0 / 6, 1.0 / 6}},
	{"hard_silu", tsr_hard_silu, {0.5, 0.6, 0.8333333333333333}},
	{"mish", tsr_mish, {0.6000000000000001, 0.7828272995511304, 1.0490362200997922}},
	{"log1mexp", tsr_log1mexp, {INFINITY, 2.8582959135100823, 0.5819767068693263}},
	{"selu", tsr_selu, {1.7580993408473766, 1.0507009873554805, 1.0507009873554805}},
	{"gelu", tsr_gelu, {0.5, 0.7322954516388018, 1.0829640838457828}},
};

static tsr *share(tsr *a) { return tsr_igamma(a, 2.0); }
static tsr *rest(tsr *a) { return tsr_igammac(a, 2.0); }
static tsr *both(tsr *x) { return tsr_logaddexp(x, x); }
static tsr *self_entropy(tsr *x) { return tsr_xlogy(x, x); }

static void derivatives(void **state)
{
	static const double at[] = {0, 0.3, 1};
	tsr_ctx *c = *state;

	TSR_SCOPE(c);
	for (size_t i = 0; i < COUNT(slopes); i++)
		for (size_t k = 0; k < COUNT(at); k++) {
			tsr *x = tsr_from(c, &at[k], TSR_F64, D());
			const double dy = tsr_item(tsr_call(tsr_grad(c, slopes[i].of), x));
			if (!is_near(dy, slopes[i].dy[k]))
				fail_msg("%s at %g: %.17g, not %.17g", slopes[i].name, at[k], dy,
				         slopes[i].dy[k]);
		}
	tsr *some = tsr_full(c, D(), 0.3, .dtype = TSR_F64);
	assert_true(is_near(tsr_item(tsr_call(tsr_grad(c, tsr_logit), some)), 1 / 0.21));
	const double by_shape = tsr_item(tsr_igamma_grad_a(some, 2.0));
	assert_true(by_shape < 0 && tsr_item(tsr_call(tsr_grad(c, share), some)) == by_shape);
	assert_true(tsr_item(tsr_call(tsr_grad(c, rest), some)) == -by_shape);
	assert_true(tsr_item(tsr_call(tsr_grad(c, both), tsr_ones(c, D()))) == 1);
	assert_true(tsr_item(tsr_call(tsr_grad(c, self_entropy), tsr_ones(c, D()))) == 1);
}

static tsr *bent_i1(tsr *x) { return tsr_call(tsr_grad(tsr_ctx_of(x), tsr_i1), x); }
static tsr *bent_i1e(tsr *x) { return tsr_call(tsr_grad(tsr_ctx_of(x), tsr_bessel_i1e), x); }
static tsr *bent_sinc(tsr *x) { return tsr_call(tsr_grad(tsr_ctx_of(x), tsr_sinc), x); }

/* where formulas would cancel, or be inf - inf: exact values, by mpmath */
static void derivatives_at_edges(void **state)
{
	static const struct { const char *name; unary *of; double x, dy; } edges[] = {
		{"i1''", bent_i1, 1e-30, 3.75e-31},
		{"i1''", bent_i1, 1e-20, 3.75e-21},
		{"i1''", bent_i1, 0.5, 0.194082007035419809},
		{"i1''", bent_i1, 2, 1.24616263078795996},
		{"i1e''", bent_i1e, 1e-20, -1},
		{"i1e''", bent_i1e, -1e-20, 1},
		{"i1e''", bent_i1e, 0.5, -0.390249837208396512},
		{"sinc''", bent_sinc, 0, -3.2898681336964524},
		{"sinc''", bent_sinc, 1e-10, -3.2898681336964524},
		{"sinc''", bent_sinc, 1e-5, -3.28986813272236196},
		{"sinc''", bent_sinc, 0.2, -2.90929468176770333},
		{"entr", tsr_entr, -0.0, INFINITY},
		{"entr", tsr_entr, INFINITY, -INFINITY},
	};
	tsr_ctx *c = *state;

	TSR_SCOPE(c);
	for (size_t i = 0; i < COUNT(edges); i++) {
		tsr *x = tsr_from(c, &edges[i].x, TSR_F64, D());
		const double dy = tsr_item(tsr_call(tsr_grad(c, edges[i].of), x));
		const double most = 1e-12 * (1 + fabs(edges[i].dy));
		if (dy != edges[i].dy && !(fabs(dy - edges[i].dy) <= most))
			fail_msg("%s at %g: %.17g, not %.17g", edges[i].name, edges[i].x, dy,
			         edges[i].dy);
	}
}

/* ---- dtypes, shapes, results of several, errors */

static void dtypes(void **state)
{
	tsr_ctx *c = *state;

	TSR_SCOPE(c);
	tsr *i = tsr_full(c, D(), -7, .dtype = TSR_I16), *u = tsr_full(c, D(), 7, .dtype = TSR_U8);
	tsr *h = tsr_full(c, D(), 2.5, .dtype = TSR_BF16), *out[2];
	const struct { const char *name; tsr *y; tsr_dtype dtype; double item; } cases[] = {
		{"log2", tsr_log2(u), TSR_F32, 2.807354922},
		{"log2 of bf16", tsr_log2(h), TSR_BF16, 1.328125},
		{"trunc", tsr_trunc(i), TSR_I16, -7},
		{"rint", tsr_rint(i), TSR_F32, -7},
		{"floor_divide", tsr_floor_divide(i, 2), TSR_I16, -4},
		{"floor_divide of unsigned", tsr_floor_divide(u, 2), TSR_U8, 3},
		{"remainder", tsr_remainder(i, 4), TSR_I16, 1},
		{"remainder by 0", tsr_remainder(i, 0), TSR_I16, 0},
		{"fmod", tsr_fmod(i, 4), TSR_I16, -3},
		{"bitwise_count", tsr_bitwise_count(i), TSR_U8, 3},
		{"signbit", tsr_signbit(i), TSR_BOOL, 1},
		{"isinf of integers", tsr_isinf(i), TSR_BOOL, 0},
		{"hard_tanh of integers", tsr_hard_tanh(i), TSR_I16, -1},
		{"relu6 of integers", tsr_relu6(u), TSR_F32, 6},
		{"leaky_relu", tsr_leaky_relu(h, 0.01), TSR_BF16, 2.5},
		{"gelu", tsr_gelu(h, .exact = true), TSR_BF16, 2.484375},
		{"copysign", tsr_copysign(u, -1), TSR_F32, -7},
		{"nan_to_num", tsr_nan_to_num(tsr_div(h, 0)), TSR_BF16, 0x1.fep127},
		{"isclose", tsr_isclose(h, 2.5000001, 1e-5, 1e-8), TSR_BOOL, 1},
		{"angle", tsr_angle(tsr_complex(0, tsr_log2(u))), TSR_F32, 1.5707964},
	};

	for (size_t k = 0; k < COUNT(cases); k++) {
		const double got = tsr_item(cases[k].y), want = cases[k].item;
		if (tsr_dtype_of(cases[k].y) != cases[k].dtype || !(fabs(got - want) < 1e-6))
			fail_msg("%s: %s, %.9g", cases[k].name, tsr_type_text(cases[k].y), got);
	}
	assert_true(tsr_divmod(i, 4, out));
	assert_true(tsr_item(out[0]) == -2 && tsr_item(out[1]) == 1);
	assert_true(tsr_modf(tsr_neg(h), out));
	assert_true(tsr_item(out[0]) == -0.5);
	assert_true(tsr_item(out[1]) == -2);
}

static void along_a_dim(void **state)
{
	static const double x[] = {1, 2, 4, -1, 0, 1}, hot[] = {0, 1, 0, 0, 0, 0};
	static const double shares[] = {0.04201006613406605, 0.11419519938459449,
	                                0.8437947344813395};
	tsr_ctx *c = *state;

	TSR_SCOPE(c);
	tsr *rows = tsr_from(c, x, TSR_F64, D(2, 3));
	compare("softmax", "", tsr_index(tsr_softmax(rows, -1), 0, 0), shares, 3);
	compare("log_softmax", "", tsr_index(tsr_exp(tsr_log_softmax(rows, 1)), 0, 0), shares, 3);
	const double gated[] = {1 / (1 + exp(1)), 1, 4 / (1 + exp(-1))};
	compare("glu", "", tsr_index(tsr_glu(rows, 0), 0, 0), gated, 3);
	const double spread = sqrt(14.0 / 9 + 1e-5);
	const double even[] = {-4 / 3.0 / spread, -1 / 3.0 / spread, 5 / 3.0 / spread};
	compare("standardize", "", tsr_index(tsr_standardize(rows, -1, 1e-5), 0, 0), even, 3);
	tsr *i = tsr_astype(tsr_from(c, (double[]){1, 5}, TSR_F64, D(2)), TSR_I32);
	compare("one_hot", "", tsr_one_hot(i, 3), hot, 6);
	assert_int_equal(tsr_dtype_of(tsr_one_hot(i, 3)), TSR_F32);
}

static void errors_name_the_operation(void **state)
{
	tsr_ctx *c = *state;
	tsr *out[2];

	TSR_SCOPE(c);
	tsr *z = tsr_complex(tsr_ones(c, D(2)), 1), *x = tsr_ones(c, D(3));
	const struct { tsr *y; const char *text; } cases[] = {
		{tsr_floor_divide(z, 2), "floor_divide does not support complex numbers"},
	};
	for (size_t k = 0; k < COUNT(cases); k++) {
		assert_true(tsr_is_poison(cases[k].y));
		assert_non_null(strstr(tsr_message(c), cases[k].text));
		tsr_clear(c);
	}
	assert_true(tsr_is_poison(tsr_ndtr(z)));
	assert_non_null(strstr(tsr_message(c), "ndtr does not support complex numbers"));
	tsr_clear(c);
	assert_true(tsr_is_poison(tsr_log_ndtr(z)));
	assert_non_null(strstr(tsr_message(c), "log_ndtr does not support complex numbers"));
	tsr_clear(c);
	assert_true(tsr_is_poison(tsr_hypot(x, z)));
	assert_non_null(strstr(tsr_message(c), "hypot got incompatible shapes"));
	tsr_clear(c);
	assert_false(tsr_divmod(x, z, out));
	assert_true(tsr_is_poison(out[0]) && tsr_is_poison(out[1]));
	tsr_clear(c);
	assert_true(tsr_is_poison(tsr_fabs(z)));
	assert_non_null(strstr(tsr_message(c), "fabs does not support complex numbers"));
	tsr_clear(c);
}

static int open_context(void **state)
{
	*state = tsr_open(.log = log_nothing);
	return tsr_status(*state);
}
static int close_context(void **state) { return tsr_close(*state); }

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values),      cmocka_unit_test(derivatives),
		cmocka_unit_test(dtypes),      cmocka_unit_test(along_a_dim),
		cmocka_unit_test(derivatives_at_edges),
		cmocka_unit_test(errors_name_the_operation),
	};

	return cmocka_run_group_tests(tests, open_context, close_context);
}
