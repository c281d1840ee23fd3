/* test_derive_jax.c - derivatives with a conventional value: of complex numbers, at kinks, at
 * poles. The numbers are JAX 0.10.2's with jax_enable_x64; its expression stands above each. */
#include "support/near.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#define D TSR_DIMS

/* ---- complex numbers. z and w below, x = jnp.array([0.5, -1.5, 2]) */

static tsr *z_of(tsr_ctx *ctx) { return C128(ctx, 1 + 2 * I, -0.5 + 0.25 * I, 3 - 4 * I); }
static tsr *w_of(tsr_ctx *ctx) { return C128(ctx, 0.5 - I, 2 + I, -1 + 0.5 * I); }
static tsr *real_sum(tsr *z) { return tsr_sum(tsr_astype(z, TSR_F64)); }

static tsr *sizes(tsr *z) { return tsr_sum(tsr_abs(z)); }
static tsr *squares(tsr *z) { return tsr_sum(tsr_square(tsr_abs(z))); }
static tsr *zzw(tsr *z, tsr *w) { return tsr_mul(tsr_square(z), w); }
static tsr *real_zzw(tsr *z, tsr *w) { return real_sum(tsr_mul(tsr_mul(z, z), w)); }
static tsr *real_exp(tsr *z, tsr *w) { return real_sum(tsr_exp(tsr_mul(z, w))); }
static tsr *real_sin(tsr *z, tsr *w) { return real_sum(tsr_div(tsr_sin(z), w)); }
static tsr *real_tanh(tsr *z) { return real_sum(tsr_tanh(z)); }
static tsr *real_dot(tsr *z, tsr *w) { return tsr_astype(tsr_dot(z, w), TSR_F64); }

static void complex_gradients(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *z = z_of(ctx), *w = w_of(ctx);
	/* jax.grad(lambda z: jnp.abs(z).sum())(z) */
	NEAR(tsr_call(tsr_grad(ctx, sizes), z), 0.4472135954999579 - 0.8944271909999159 * I,
	     -0.8944271909999159 - 0.4472135954999579 * I, 0.6 + 0.8 * I);
	/* jax.grad(lambda z: jnp.abs(z))(0j) */
	NEAR(tsr_call(tsr_grad(ctx, sizes), tsr_zeros(ctx, D(), .dtype = TSR_C128)), 0);
	/* jax.grad(lambda z: jnp.square(jnp.abs(z)).sum())(z) */
	NEAR(tsr_call(tsr_grad(ctx, squares), z), 2 - 4 * I, -1 - 0.5 * I, 6 + 8 * I);
	/* jax.grad(lambda z, w: (z*z*w).real.sum(), 0)(z, w), and by 1 */
	NEAR(tsr_call(tsr_grad(ctx, real_zzw), z, w), 5, -2.5, -2 + 11 * I);
	NEAR(tsr_call(tsr_grad(ctx, real_zzw, .wrt = D(1)), z, w), -3 + 4 * I, 0.1875 - 0.25 * I,
	     -7 - 24 * I);
	/* jax.grad(lambda z: jnp.exp(z*w).real.sum())(z) */
	NEAR(tsr_call(tsr_grad(ctx, real_exp), z, w), 6.091246980351737 - 12.182493960703473 * I,
	     0.5730095937203802 + 0.2865047968601901 * I,
	     -0.13092815019398424 + 0.38990630096543366 * I);
	/* jax.grad(lambda z: (jnp.sin(z)/w).real.sum())(z) */
	NEAR(tsr_call(tsr_grad(ctx, real_sin), z, w), 3.2546074421293065 + 0.4054192859550124 * I,
	     0.3862818194326051 - 0.1325865116943967 * I,
	     23.168417816384093 + 7.733055573380269 * I);
	/* jax.grad(lambda z: jnp.tanh(z).real.sum())(z) */
	NEAR(tsr_call(tsr_grad(ctx, real_tanh), z), -0.3020015982359609 + 0.56810302089208 * I,
	     0.8035280612192237 + 0.19230680377778486 * I,
	     -0.00139548457863936 + 0.00982348130724447 * I);
	/* jax.grad(lambda z: jnp.dot(z, w).real)(z) */
	NEAR(tsr_call(tsr_grad(ctx, real_dot), z, w), 0.5 - I, 2 + I, -1 + 0.5 * I);
}

/* ---- holomorphic bodies */

static tsr *sin_w(tsr *z, tsr *w) { return tsr_sum(tsr_mul(tsr_sin(z), w)); }
static tsr *zzw_sum(tsr *z, tsr *w) { return tsr_sum(zzw(z, w)); }
static tsr *zzzw_sum(tsr *z, tsr *w) { return tsr_sum(tsr_mul(z, zzw(z, w))); }
static tsr *z_turned(tsr *z) { return tsr_mul(z, tsr_flip(z, D(0))); }

static void holomorphic(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *z = z_of(ctx), *w = w_of(ctx), *v, *g;
	/* jax.grad(lambda z: (jnp.sin(z)*w).sum(), holomorphic=True)(z) */
	NEAR(tsr_call(tsr_grad(ctx, sin_w, .holomorphic = true), z, w),
	     -2.0355362956419674 - 3.5586719065955656 * I,
	     1.6891915050754018 + 1.1473677426472302 * I,
	     25.109368935668336 - 17.36862613634889 * I);
	/* jax.value_and_grad(lambda z: (z*z*w).sum(), holomorphic=True)(z) */
	tsr_call_into(TSR_OUT(&v, &g), tsr_value_and_grad(ctx, zzw_sum, .holomorphic = true), z, w);
	NEAR(v, 22.125 + 25.1875 * I);
	NEAR(g, 5, -2.5, -2 + 11 * I);
	/* jax.jacfwd(lambda z: z*z[::-1], holomorphic=True)(z), and jacrev */
	NEAR(tsr_call(tsr_jacfwd(ctx, z_turned, .holomorphic = true), z), 3 - 4 * I, 0, 1 + 2 * I,
	     0, -1 + 0.5 * I, 0, 3 - 4 * I, 0, 1 + 2 * I);
	SAME(tsr_call(tsr_jacrev(ctx, z_turned, .holomorphic = true), z),
	     tsr_call(tsr_jacfwd(ctx, z_turned, .holomorphic = true), z));
	/* jax.hessian(lambda z: (z*z*z*w).sum(), holomorphic=True)(z) */
	NEAR(tsr_call(tsr_hessian(ctx, zzzw_sum, .holomorphic = true), z, w), 15, 0, 0, 0, -7.5, 0,
	     0, 0, -6 + 33 * I);
}

/* ---- integers have no derivative, and may be asked for it */

static tsr *times(tsr *x, tsr *n) { return tsr_mul(tsr_square(x), n); }
static tsr *times_sum(tsr *x, tsr *n) { return tsr_sum(times(x, n)); }

static void of_integers(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = F64(ctx, 1, 2, 3), *n = tsr_astype(F64(ctx, 2, 0, -1), TSR_I32), *v, *dx, *dn = x;
	tsr_call_into(TSR_OUT(&dx, &dn),
	              tsr_grad(ctx, times_sum, .wrt = D(0, 1), .allow_int = true), x, n);
	NEAR(dx, 4, 0, -6);
	assert_null(dn);
	dn = x;
	tsr_call_into(TSR_OUT(&v, &dn, &dx),
	              tsr_value_and_grad(ctx, times_sum, .wrt = D(1, 0), .allow_int = true), x, n);
	NEAR(v, 2 - 9);
	NEAR(dx, 4, 0, -6);
	assert_null(dn);
	dn = x;
	tsr_call_into(TSR_OUT(&dx, &dn),
	              tsr_jacrev(ctx, times, .wrt = D(0, 1), .allow_int = true), x, n);
	NEAR(dx, 4, 0, 0, 0, 0, 0, 0, 0, -6);
	assert_null(dn);
}

/* a real argument of a complex body has a real gradient */
static tsr *size_of_product(tsr *x, tsr *w) { return tsr_sum(tsr_abs(tsr_mul(x, w))); }

static void real_arguments(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = F64(ctx, 0.5, -1.5, 2), *w = w_of(ctx), *y, *dx;
	/* jax.grad(lambda x: jnp.abs(x*w).sum())(x) */
	dx = tsr_call(tsr_grad(ctx, size_of_product), x, w);
	assert_int_equal(tsr_dtype_of(dx), TSR_F64);
	NEAR(dx, 1.118033988749895, -2.23606797749979, 1.118033988749895);
	/* jax.value_and_grad(lambda x: jnp.exp(x*w).real.sum())(x) */
	tsr_call_into(TSR_OUT(&y, &dx), tsr_value_and_grad(ctx, real_exp), x, w);
	NEAR(y, 1.2034820782028224);
	NEAR(dx, -0.0521754196224159, 0.0567059468858202, -0.1300623226302437);
}

static void complex_tangents(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *z = z_of(ctx), *w = w_of(ctx), *v = C128(ctx, I, 1 + I, -2), *y, *dy, *dz, *dw;
	/* jax.jvp(lambda z: z*z*w, (z,), (jnp.array([1j, 1+1j, -2.]),)) */
	tsr_call_into(TSR_OUT(&y, &dy), tsr_jvp(ctx, zzw, .wrt = D(0)), z, w, v);
	NEAR(y, 2.5 + 5 * I, 0.625 - 0.3125 * I, 19 + 20.5 * I);
	NEAR(dy, 5 * I, -2.5 - 2.5 * I, 4 - 22 * I);
	/* jax.vjp(lambda z: z*z*w, z)[1](jnp.array([1j, 1+1j, -2.+0j])): nothing is conjugated */
	tsr_linearized l = tsr_vjp(TSR_OUT(&y), tsr_jit(ctx, zzw), z, w);
	tsr_call_into(TSR_OUT(&dz, &dw), l.fn, l.residuals, v);
	NEAR(dz, 5 * I, -2.5 - 2.5 * I, 4 - 22 * I);
	/* jax.linear_transpose(lambda w: z*z*w, w)(jnp.array([1j, 1+1j, -2.+0j])) */
	NEAR(dw, -4 - 3 * I, 0.4375 - 0.0625 * I, 14 + 48 * I);
}

static tsr *real_cubes(tsr *z, tsr *w) { return real_sum(tsr_mul(tsr_integer_pow(z, 3), w)); }
static tsr *size_of_slope(tsr *z, tsr *w)
{
	return squares(tsr_call(tsr_grad(z, real_cubes), z, w));
}

static void second_order(void **state)
{
	tsr_ctx *ctx = *state;
	/* g = jax.grad(lambda q: (q*q*q*w).real.sum());
	 * jax.grad(lambda z: jnp.square(jnp.abs(g(z))).sum())(z) */
	NEAR(tsr_call(tsr_grad(ctx, size_of_slope), z_of(ctx), w_of(ctx)), 225 - 450 * I,
	     -28.125 - 14.0625 * I, 3375 + 4500 * I);
}

/* ---- kinks and poles */

static tsr *largest(tsr *x) { return tsr_max(x); }
static tsr *positive(tsr *x) { return tsr_sum(tsr_maximum(x, 0)); }
static tsr *rectified(tsr *x) { return tsr_sum(tsr_relu(x)); }
static tsr *rectified6(tsr *x) { return tsr_sum(tsr_relu6(x)); }
static tsr *lengths(tsr *x) { return tsr_sum(tsr_abs(x)); }
static tsr *signs(tsr *x) { return tsr_sum(tsr_sign(x)); }
static tsr *roots(tsr *x) { return tsr_sum(tsr_sqrt(x)); }
static tsr *within(tsr *x) { return tsr_sum(tsr_clamp(0, x, 1)); }
static tsr *between(tsr *low, tsr *x, tsr *high) { return tsr_sum(tsr_clamp(low, x, high)); }
static tsr *normal(tsr *x) { return tsr_sum(tsr_log_ndtr(x)); }
static tsr *shifted(tsr *x) { return tsr_sum(tsr_ldexp(x, 3)); }
static tsr *powers(tsr *x, tsr *y) { return tsr_sum(tsr_pow(x, y)); }
static tsr *ones(tsr *x) { return tsr_sum(tsr_integer_pow(x, 0)); }

static void kinks(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *dx, *dy;
	/* jax.grad(lambda x: jnp.max(x))(jnp.array([2., 1., 2.])) */
	NEAR(tsr_call(tsr_grad(ctx, largest), F64(ctx, 2, 1, 2)), 0.5, 0, 0.5);
	/* jax.grad(lambda x: jnp.maximum(x, 0.).sum())(jnp.array([0., 1., -1.])) */
	NEAR(tsr_call(tsr_grad(ctx, positive), F64(ctx, 0, 1, -1)), 0.5, 1, 0);
	/* jax.grad(lambda x: jax.nn.relu(x).sum())(jnp.array([0., 1., -1.])) */
	NEAR(tsr_call(tsr_grad(ctx, rectified), F64(ctx, 0, 1, -1)), 0, 1, 0);
	/* jax.grad(lambda x: jax.nn.relu6(x).sum())(jnp.array([0., 1., 6., 7.])) */
	NEAR(tsr_call(tsr_grad(ctx, rectified6), F64(ctx, 0, 1, 6, 7)), 0, 1, 0, 0);
	/* jax.grad(lambda x: jnp.abs(x).sum())(jnp.array([0., 1., -1.])) */
	NEAR(tsr_call(tsr_grad(ctx, lengths), F64(ctx, 0, 1, -1)), 1, 1, -1);
	/* jax.grad(jnp.sign)(1.) */
	NEAR(tsr_call(tsr_grad(ctx, signs), F64(ctx, 1, 0)), 0, 0);
	/* jax.grad(jnp.sqrt)(0.) */
	NEAR(tsr_call(tsr_grad(ctx, roots), F64(ctx, 0, 4)), INFINITY, 0.25);
	/* [jax.grad(lambda x: jnp.clip(x, 0., 1.))(v) for v in (-1., 0., .5, 1., 2.)] */
	NEAR(tsr_call(tsr_grad(ctx, within), F64(ctx, -1, 0, 0.5, 1, 2)), 0, 0.5, 1, 0.5, 0);
	/* the same by both bounds, equal ones and crossed ones among them */
	tsr_call_into(TSR_OUT(&dx, &dy), tsr_grad(ctx, between, .wrt = D(0, 2)),
	              F64(ctx, 1, 3, 2, 0), F64(ctx, 1, 0, 1, 2), F64(ctx, 1, 2, 1, 3));
	NEAR(dx, 0.25, 0, 0, 0);
	NEAR(dy, 0.5, 1, 1, 0);
	/* jax.grad(lambda x: special.log_ndtr(x).sum())(jnp.array([0., 400., jnp.inf])) */
	NEAR(tsr_call(tsr_grad(ctx, normal), F64(ctx, 0, 400, INFINITY)), 0.7978845608028654, 0, 0);
	/* jax.grad(lambda x: jnp.ldexp(x, 3).sum())(jnp.array([1., -0.3, 1e-310, 1e300])) */
	NEAR(tsr_call(tsr_grad(ctx, shifted), F64(ctx, 1, -0.3, 1e-310, 1e300)), 8, 8, 8, 8);
	/* jax.grad(lambda x, y: x**y, (0, 1)) at (2., 3.) and (0., 2.) */
	tsr_call_into(TSR_OUT(&dx, &dy), tsr_grad(ctx, powers, .wrt = D(0, 1)), F64(ctx, 2, 0),
	              F64(ctx, 3, 2));
	NEAR(dx, 12, 0);
	NEAR(dy, 5.545177444479562, 0);
	/* jax.grad(lambda x: x**0)(2.) */
	NEAR(tsr_call(tsr_grad(ctx, ones), F64(ctx, 2)), 0);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, near_open, near_close)
	const struct CMUnitTest tests[] = {
		TEST(complex_gradients), TEST(real_arguments), TEST(complex_tangents),
		TEST(holomorphic),       TEST(of_integers),    TEST(second_order),
		TEST(kinks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
