/* test_custom_jax.c - remat and custom rules against JAX: values, residuals of derivatives, and the
 * memory of gradients.
 *
 * The values are those of JAX 0.10.2 on one CPU with x64, of the functions below written with
 * jax.custom_jvp, jax.custom_vjp and jax.checkpoint; what is kept is what saved_residuals of
 * jax._src.ad_checkpoint lists for the same policies. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <tsr/tsr.h>
#include <cmocka.h>

#define D TSR_DIMS
enum { N = 3 };

/* ---- values at x = .25 -.5 1.5, w = 1 2 -3. The rules say other derivatives than the bodies */

static tsr *sine(tsr *x, tsr *w) { return tsr_mul(tsr_sin(x), w); }
static void sine_rule(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0), *w = tsr_frame_arg(f, 1);
	tsr *dx = tsr_mul(tsr_mul(tsr_cos(x), w), tsr_mul(tsr_frame_arg(f, 2), 3));
	tsr *dw = tsr_mul(tsr_sin(x), tsr_mul(tsr_frame_arg(f, 3), 2));
	tsr_return(f, sine(x, w), tsr_add(dx, dw));
}
static tsr *power(tsr *x, tsr *w) { return tsr_mul(tsr_exp(x), w); }
static void power_forward(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0), *w = tsr_frame_arg(f, 1);
	tsr_return(f, power(x, w), x, w);
}
static void power_backward(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0), *w = tsr_frame_arg(f, 1), *ct = tsr_frame_arg(f, 2);
	tsr_return(f, tsr_mul(tsr_mul(power(x, w), ct), 0.5), tsr_mul(tsr_mul(tsr_exp(x), ct), 4));
}
static tsr *layer(tsr *x, tsr *w)
{
	tsr *product = tsr_mul(tsr_reshape(w, D(N, 1)), tsr_reshape(x, D(1, N)));
	return tsr_tanh(tsr_dot(tsr_sin(x), product));
}

typedef tsr *(*pair_body)(tsr *, tsr *);
static tsr_fn *ruled_sine(tsr *x) { return tsr_custom_jvp(x, sine, sine_rule); }
static tsr_fn *ruled_power(tsr *x)
{
	return tsr_custom_vjp(x, power, power_forward, power_backward);
}
static tsr *squares(tsr *y) { return tsr_sum(tsr_square(y)); }
static tsr *all(tsr_fn *f, tsr *x, tsr *w)
{
	tsr_fn *each = tsr_vmap(x, f, .in = TSR_MAPPED(0, TSR_UNMAPPED));
	return squares(tsr_call(each, tsr_stack(0, x, tsr_mul(x, 2)), w));
}
static tsr *sines(tsr *x, tsr *w) { return squares(tsr_call(ruled_sine(x), x, w)); }
static tsr *powers(tsr *x, tsr *w) { return squares(tsr_call(ruled_power(x), x, w)); }
static tsr *all_sines(tsr *x, tsr *w) { return all(ruled_sine(x), x, w); }
static tsr *all_powers(tsr *x, tsr *w) { return all(ruled_power(x), x, w); }
static tsr *remat_layer(tsr *x, tsr *w) { return squares(tsr_call(tsr_remat(x, layer), x, w)); }

static const struct recorded {
	const char *name;
	pair_body f;
	int wrt;
	bool second; /* hessian by x */
	double want[N * N];
} records[] = {
	{"sine by x",
         sines,
         0,
         false,
         {1.438276615812609, -10.097651817694759, 3.8102402176164145}},
	{"sine by w",
         sines,
         1,
         false,
         {0.24483487621925459, 1.8387907765274412, -11.939954979602673}},
	{"sine twice",
         sines,
         0,
         true,
         {5.2654953713422357, 0, 0, 0, 12.967255340835354, 0, 0, 0, -53.459594816424051}},
	{"power by x",
         powers,
         0,
         false,
         {1.648721270700128, 1.4715177646857693, 180.76983230868902}},
	{"power by w",
         powers,
         1,
         false,
         {13.189770165601024, 5.8860710587430773, -482.05288615650397}},
	{"power twice",
         powers,
         0,
         true,
         {3.2974425414002559, 0, 0, 0, 2.9430355293715387, 0, 0, 0, 361.53966461737804}},
	{"all sines by x",
         all_sines,
         0,
         false,
         {6.4871025246599885, -31.92079006151112, -11.278196685125582}},
	{"all sines by w",
         all_sines,
         1,
         false,
         {1.1642302644829752, 7.5033781227160103, -12.178933259700477}},
	{"all powers by x",
         all_powers,
         0,
         false,
         {7.0852849276182193, 2.5542000305786705, 7442.4881151779209}},
	{"all powers by w",
         all_powers,
         1,
         false,
         {34.93602479327339, 8.0514355905288788, -10164.343929982148}},
	{"remat by x",
         remat_layer,
         0,
         false,
         {2.2793489799752433, -1.1186465302552189, 0.055696266280088023}},
	{"remat by w",
         remat_layer,
         1,
         false,
         {-0.064416811687151881, 0.12482849802135379, -0.25971874865934175}},
	{"remat twice",
         remat_layer,
         0,
         true,
         {-8.0023578224404126, -0.89829561975137795, 0.060741898357969615, -0.89829561975137473,
          -6.500488185047776, 0.13413189727743302, 0.060741898357963994, 0.13413189727743099,
          -0.78816754475243311}},
};

static void values(void **state)
{
	const double x[] = {0.25, -0.5, 1.5}, w[] = {1, 2, -3};
	tsr_ctx *ctx = tsr_open();

	(void)state;
	for (size_t r = 0; r < sizeof records / sizeof *records; r++) {
		const struct recorded *of = &records[r];
		const int n = of->second ? N * N : N;
		double got[N * N];
		tsr_fn *d = of->second ? tsr_hessian(ctx, of->f)
		                       : tsr_grad(ctx, of->f, .wrt = D(of->wrt));
		tsr *y = tsr_call(d, tsr_from(ctx, x, TSR_F64, D(N)),
		                  tsr_from(ctx, w, TSR_F64, D(N)));
		assert_true(tsr_read(y, got, (size_t)n * sizeof *got));
		for (int i = 0; i < n; i++)
			if (!(fabs(got[i] - of->want[i]) <= 1e-13 * fmax(1, fabs(of->want[i]))))
				fail_msg("%s: %.17g at %d, not %.17g", of->name, got[i], i,
				         of->want[i]);
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- what is kept: of a dot f32[2,3] x f32[3,4] under the name q, and one with a batch dim */

static tsr *two_dots(tsr *x, tsr *w)
{
	tsr *q = tsr_checkpoint_name(tsr_dot(x, w), "q");
	tsr *k = tsr_matmul(tsr_reshape(x, D(2, 1, 3)), tsr_reshape(tsr_sin(x), D(2, 3, 1)));
	return tsr_sum(tsr_mul(tsr_sin(q), tsr_cos(tsr_reshape(k, D(2, 1)))));
}
static const struct kept {
	const char *name;
	tsr_remat_args how;
	int64_t size[4]; /* of the residuals, the least first */
} kept[] = {
	{"nothing", {.size = sizeof(tsr_remat_args)}, {6, 12}},
	{"dots", {.size = sizeof(tsr_remat_args), .save = TSR_SAVE_DOTS}, {2, 6, 8, 12}},
	{"dots without batch dims",
         {.size = sizeof(tsr_remat_args), .save = TSR_SAVE_DOTS_WITHOUT_BATCH},
         {6, 8, 12}},
	{"names", {.size = sizeof(tsr_remat_args), .names = "k*q"}, {6, 8, 12}},
};

static int by_size(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void residuals(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *x = tsr_ones(ctx, D(2, 3)), *w = tsr_ones(ctx, D(3, 4)), *y;

	(void)state;
	for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
		tsr_fn *f =
			tsr_remat_at(TSR_HERE, ctx, TSR_BODY(two_dots), "two_dots", &kept[k].how);
		const tsr_linearized l = tsr_vjp(TSR_OUT(&y), f, x, w);
		int64_t size[8] = {0};
		size_t n = 0;
		while (n < 4 && kept[k].size[n]) n++;
		if (l.residuals.count != n)
			fail_msg("%s keeps %zu values, not %zu", kept[k].name, l.residuals.count,
			         n);
		for (size_t i = 0; i < n; i++) size[i] = tsr_size(l.residuals.leaf[i]);
		qsort(size, n, sizeof *size, by_size);
		for (size_t i = 0; i < n; i++) assert_int_equal(size[i], kept[k].size[i]);
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- the memory of a gradient through many layers, one after the other or as steps of a loop */

enum { LAYERS = 16, WIDTH = 128 };
typedef struct deep_env {
	bool again, loop;
} deep_env;
static tsr *weight;
static tsr *deep_layer(tsr *x, tsr *w)
{
	return tsr_sin(tsr_matmul(tsr_exp(tsr_cos(tsr_sin(x))), w));
}
static tsr *deep_again(tsr *x, tsr *w) { return tsr_call(tsr_remat(x, deep_layer), x, w); }
static tsr *deep_step(tsr *x) { return deep_layer(x, weight); }
static tsr *again_step(tsr *x) { return deep_again(x, weight); }
static void deep(tsr_frame *f)
{
	const deep_env *how = tsr_frame_env(f);
	tsr *x = tsr_frame_arg(f, 0);

	weight = tsr_frame_arg(f, 1);
	if (how->loop && how->again)
		x = tsr_scan(again_step, x, TSR_NONE, .length = LAYERS);
	else if (how->loop)
		x = tsr_scan(deep_step, x, TSR_NONE, .length = LAYERS);
	for (int k = 0; !how->loop && k < LAYERS; k++)
		x = how->again ? deep_again(x, weight) : deep_layer(x, weight);
	tsr_return(f, tsr_sum(x));
}

/* the most bytes in use */
static double peak_of(deep_env how, float *gradient)
{
	tsr_ctx *ctx = tsr_open();
	tsr *x = tsr_ones(ctx, D(WIDTH, WIDTH)), *w = tsr_full(ctx, D(WIDTH, WIDTH), 0.01);
	tsr *y = tsr_call(tsr_grad(ctx, tsr_jit(ctx, deep, TSR_ENV(&how)), .wrt = D(1)), x, w);

	assert_true(tsr_read(y, gradient, (size_t)WIDTH * WIDTH * sizeof *gradient));
	const double peak = (double)tsr_memory(ctx).peak;
	assert_int_equal(tsr_close(ctx), TSR_OK);
	return peak;
}

static void memory(void **state)
{
	static float want[WIDTH * WIDTH], got[WIDTH * WIDTH];

	(void)state;
	for (int loop = 0; loop < 2; loop++) {
		const double plain = peak_of((deep_env){false, loop}, want);
		const double again = peak_of((deep_env){true, loop}, got);
		if (!(2 * again < plain))
			fail_msg("a gradient of %s needs %g bytes, and without remat %g",
			         loop ? "a loop" : "layers", again, plain);
		assert_memory_equal(got, want, sizeof got);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values),
		cmocka_unit_test(residuals),
		cmocka_unit_test(memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
