/* test_fft.c - Fourier transforms: numbers and derivatives as JAX 0.10.2 has them (jnp.fft, 64-bit
 * types on); lengths of all kinds against the sum itself, on both engines; the same bits with every
 * instruction set; lines that are split over devices. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/base.h"
#include "support/as_jax.h"
#include <cmocka.h>

#define D        TSR_DIMS
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- as JAX has it */

#define X F64(c, 1, 2, 4, -1, 3)
#define Z C128(c, 1 + 2 * I, 3 - I, 2 * I, 4)
#define R tsr_reshape(F64(c, 1, 2, 3, 4, 5, 7), D(2, 3))
#define GRAD(f, ...) tsr_call(tsr_grad(c, f), __VA_ARGS__)

/* 1, 2, 3, ... times the sizes of the elements */
static tsr *counted(tsr *x)
{
	tsr *n = tsr_arange(x, tsr_size(x) + 1, .dtype = TSR_F64);
	return tsr_sum(tsr_mul(tsr_abs(x), tsr_slice(n, 0, 1, tsr_size(x) + 1)));
}
static tsr *rfft_sizes(tsr *x) { return counted(tsr_rfft(x)); }
static tsr *fft_sizes(tsr *x) { return counted(tsr_fft(x)); }
static tsr *ifft_sizes(tsr *x) { return counted(tsr_ifft(x)); }
static tsr *irfft_waves(tsr *x) { return tsr_sum(tsr_sin(tsr_irfft(x))); }
static tsr *irfft_7_waves(tsr *x) { return tsr_sum(tsr_sin(tsr_irfft(x, .n = 7))); }

/* name, dtype, expression, elements */
#define CASES(_) \
	_(fft, C128, tsr_fft(Z), 8 + 3 * I, 0 + 1 * I, -6 + 5 * I, 2 - 1 * I) \
	_(ifft, C128, tsr_ifft(Z), 2 + 0.75 * I, 0.5 - 0.25 * I, -1.5 + 1.25 * I, 0 + 0.25 * I) \
	_(rfft, C128, tsr_rfft(X), 9, 0.118033988749895 - 1.98786974516721 * I, \
	  -2.11803398874989 + 5.34306783376824 * I) \
	_(irfft, F64, tsr_irfft(Z), 1.83333333333333, -0.288675134594813, 1.19935873711777, \
	  -1.5, -0.532692070451105, 0.288675134594813) \
	_(irfft_5, F64, tsr_irfft(Z, .n = 5), 1.4, 0.48101479793402, 0.225138920703175, \
	  -1.76677970720305, 0.660625988565854) \
	_(irfft_7, F64, tsr_irfft(Z, .n = 7), 2.14285714285714, -0.686122973694027, \
	  1.19116908456655, -0.312983895851113, -1.45443915531032, 0.138200290042586, \
	  -0.0186804926108166) \
	_(fft_real, C128, tsr_fft(X), 9, 0.118033988749895 - 1.98786974516721 * I, \
	  -2.11803398874989 + 5.34306783376824 * I, -2.11803398874989 - 5.34306783376824 * I, \
	  0.118033988749895 + 1.98786974516721 * I) \
	_(fft_cut, C128, tsr_fft(Z, .n = 3), 4 + 3 * I, \
	  -3.09807621135332 - 1.09807621135332 * I, 2.09807621135332 + 4.09807621135332 * I) \
	_(fft_filled, C128, tsr_fft(Z, .n = 6), 8 + 3 * I, \
	  -0.633974596215562 - 2.09807621135332 * I, 0.901923788646684 - 1.09807621135332 * I, \
	  -6 + 5 * I, 6.09807621135332 + 4.09807621135332 * I, \
	  -2.36602540378444 + 3.09807621135332 * I) \
	_(rfft_columns, C128, tsr_rfft(R, .dim = D(0)), 5, 7, 10, -3, -3, -4) \
	_(fft_ortho, C128, tsr_fft(Z, .norm = TSR_FFT_ORTHO), 4 + 1.5 * I, 0 + 0.5 * I, \
	  -3 + 2.5 * I, 1 - 0.5 * I) \
	_(irfft_ortho, F64, tsr_irfft(Z, .norm = TSR_FFT_ORTHO), 4.49073119510249, \
	  -0.707106781186547, 2.93781692448737, -3.67423461417477, -1.30482376263192, \
	  0.707106781186547) \
	_(hfft_ortho, F64, tsr_hfft(Z, .norm = TSR_FFT_ORTHO), 4.49073119510249, \
	  0.707106781186547, -1.30482376263192, -3.67423461417477, 2.93781692448737, \
	  -0.707106781186548) \
	_(ihfft_ortho, C128, tsr_ihfft(X, .norm = TSR_FFT_ORTHO), 4.02492235949962, \
	  0.0527864045000421 + 0.889002376121814 * I, -0.947213595499958 - 2.38949257693967 * I) \
	_(ifft2_ortho, C128, tsr_ifft2(R, .norm = TSR_FFT_ORTHO), 8.98146239020499, \
	  -1.42886901662352 - 1.06066017177982 * I, -1.42886901662352 + 1.06066017177982 * I, \
	  -4.08248290463863, 0.204124145231931 + 0.353553390593274 * I, \
	  0.204124145231931 - 0.353553390593274 * I) \
	_(fft_forward, C128, tsr_fft(Z, .norm = TSR_FFT_FORWARD), 2 + 0.75 * I, 0 + 0.25 * I, \
	  -1.5 + 1.25 * I, 0.5 - 0.25 * I) \
	_(irfft_forward, F64, tsr_irfft(Z, .norm = TSR_FFT_FORWARD), 11, -1.73205080756888, \
	  7.19615242270663, -9, -3.19615242270663, 1.73205080756888) \
	_(hfft_forward, F64, tsr_hfft(Z, .norm = TSR_FFT_FORWARD), 1.83333333333333, \
	  0.288675134594813, -0.532692070451105, -1.5, 1.19935873711777, -0.288675134594813) \
	_(ihfft_forward, C128, tsr_ihfft(X, .norm = TSR_FFT_FORWARD), 9, \
	  0.118033988749895 + 1.98786974516721 * I, -2.11803398874989 - 5.34306783376824 * I) \
	_(ifft2_forward, C128, tsr_ifft2(R, .norm = TSR_FFT_FORWARD), 22, \
	  -3.5 - 2.59807621135332 * I, -3.5 + 2.59807621135332 * I, -10, \
	  0.5 + 0.866025403784439 * I, 0.5 - 0.866025403784439 * I) \
	_(hfft, F64, tsr_hfft(Z), 11, 1.73205080756888, -3.19615242270663, -9, 7.19615242270663, \
	  -1.73205080756888) \
	_(ihfft, C128, tsr_ihfft(X), 1.8, 0.023606797749979 + 0.397573949033442 * I, \
	  -0.423606797749979 - 1.06861356675365 * I) \
	_(ihfft_cut, C128, tsr_ihfft(X, .n = 3), 2.33333333333333, \
	  -0.666666666666667 - 0.577350269189626 * I) \
	_(fft2, C128, tsr_fft2(R), 22, -3.5 + 2.59807621135332 * I, -3.5 - 2.59807621135332 * I, \
	  -10, 0.5 - 0.866025403784439 * I, 0.5 + 0.866025403784439 * I) \
	_(rfftn, C128, tsr_rfftn(R), 22, -3.5 + 2.59807621135332 * I, -10, \
	  0.5 - 0.866025403784439 * I) \
	_(irfftn, F64, tsr_irfftn(R), 3.625, -0.625, 0.125, -0.625, -1.625, 0.125, -0.125, \
	  0.125) \
	_(irfft2_sized, F64, tsr_irfft2(R, .lengths = D(2, 5)), 3.9, -0.685410196624968, \
	  -0.0145898033750315, -0.0145898033750315, -0.685410196624968, -1.7, 0.16180339887499, \
	  -0.0618033988749895, -0.0618033988749895, 0.16180339887499) \
	_(rfftn_sized, C128, tsr_rfftn(R, .lengths = D(4), .dims = D(0)), 5, 7, 10, 1 - 4 * I, \
	  2 - 5 * I, 3 - 7 * I, -3, -3, -4) \
	_(fftn_dims, C128, tsr_fftn(R, .dims = D(1, 0)), 22, -3.5 + 2.59807621135332 * I, \
	  -3.5 - 2.59807621135332 * I, -10, 0.5 - 0.866025403784439 * I, \
	  0.5 + 0.866025403784439 * I) \
	_(rfft_grad, F64, GRAD(rfft_sizes, X), 0.0130150482702049, 2.1905368815466, \
	  4.38834479126704, -3.26341073986641, 1.67151401878257) \
	_(rfft_grad_even, F64, GRAD(rfft_sizes, tsr_slice(X, 0, 0, 4)), 2.58578643762691, \
	  -0.585786437626905, 5.41421356237309, -3.41421356237309) \
	_(irfft_grad, C128, GRAD(irfft_waves, Z), 0.492141313934226, \
	  0.00538467772840604 - 0.143900990122101 * I, \
	  -0.586538442909791 + 0.143900990122101 * I, -0.170519008371674) \
	_(irfft_grad_odd, C128, GRAD(irfft_7_waves, Z), 0.522960195410987, \
	  -0.200069253515641 - 0.119628970685761 * I, \
	  -0.427624214102993 - 0.172734368378203 * I, \
	  -0.436632632452451 + 0.343120791957724 * I) \
	_(fft_grad, C128, GRAD(fft_sizes, Z), 2.20937410277658 - 2.482822258582 * I, \
	  -0.54786136563866 + 5.14713852140471 * I, -4.94604342522275 - 2.06053102258166 * I, \
	  7.029847398361 - 2.00827900659462 * I) \
	_(ifft_grad, C128, GRAD(ifft_sizes, Z), 0.105129930194187 - 1.34431236239548 * I, \
	  -0.413358543659686 + 0.83957103485122 * I, -0.789297260805729 + 0.208474042104563 * I, \
	  2.03385505184027 - 0.0548561561486959 * I) \
	_(fftshift, F64, tsr_fftshift(X), -1, 3, 1, 2, 4) \
	_(ifftshift, F64, tsr_ifftshift(X), 4, -1, 3, 1, 2) \
	_(fftshift_all, F64, tsr_fftshift(R), 7, 4, 5, 3, 1, 2) \
	_(fftfreq, F64, tsr_fftfreq(c, 5, .d = 0.5, .dtype = TSR_F64), 0, 0.4, 0.8, -0.8, -0.4) \
	_(fftfreq_even, F64, tsr_fftfreq(c, 6, .dtype = TSR_F64), 0, 0.166666666666667, \
	  0.333333333333333, -0.5, -0.333333333333333, -0.166666666666667) \
	_(rfftfreq, F64, tsr_rfftfreq(c, 5, .dtype = TSR_F64), 0, 0.2, 0.4) \
	_(rfftfreq_even, F64, tsr_rfftfreq(c, 6, .d = 2, .dtype = TSR_F64), 0, \
	  0.0833333333333333, 0.166666666666667, 0.25)

AS_JAX(CASES, 1e-14)

/* ---- lengths of all kinds */

enum { LINES = 11 };
#define BITS 0x7ac6aaf6d98cb79e

static double _Complex *draw(int64_t n)
{
	double _Complex *x = calloc((size_t)n, sizeof *x);

	assert_non_null(x);
	for (int64_t i = 0; i < n; i++)
		x[i] = (rand() % 2001 - 1000) / 1000.0 + I * ((rand() % 2001 - 1000) / 1000.0);
	return x;
}

/* element k of the transform of n numbers, those of the array `apart` from each other */
static double _Complex sum_of(const double _Complex *x, int64_t n, int64_t apart, int64_t k)
{
	double _Complex sum = 0;

	for (int64_t j = 0; j < n; j++)
		sum += x[j * apart] * cexp(-2 * acos(-1) * I * (double)(j * k % n) / (double)n);
	return sum;
}

/* LINES columns of n */
static void check_length(tsr_ctx *c, int64_t n, bool wide)
{
	const double tolerance = wide ? 1e-13 : 1e-6;
	const tsr_dtype dtype = wide ? TSR_C128 : TSR_C64, real = wide ? TSR_F64 : TSR_F32;
	double _Complex *x = draw(n * LINES), *want = calloc((size_t)(n * LINES), sizeof *want);

	assert_non_null(want);
	for (int64_t i = 0; i < n * LINES; i++)
		want[i] = sum_of(x + i % LINES, n, LINES, i / LINES);
	tsr *z = tsr_astype(tsr_from(c, x, TSR_C128, D(n, LINES)), dtype);
	tsr *re = tsr_astype(z, real);
	tsr *y = tsr_fft(z, .dim = D(0)), *half = tsr_rfft(re, .dim = D(0));
	near_at("fft", y, want, (size_t)(n * LINES), tolerance);
	ALIKE(tsr_ifft(y, .dim = D(0)), z, tolerance);
	ALIKE(half, tsr_slice(tsr_fft(re, .dim = D(0)), 0, 0, n / 2 + 1), tolerance);
	ALIKE(tsr_irfft(half, .n = n, .dim = D(0)), re, tolerance);
	ALIKE(tsr_fft(tsr_t(z)), tsr_t(y), 0);
	free(x);
	free(want);
}

static void every_length(void **state)
{
	static const char *const engines[] = {"interp", "cpu"};
	static const int64_t lengths[] = {1,  2,  3,  4,  5,  6,  7,  8,   9,   12,  16,  30,
	                                  61, 64, 67, 90, 97, 128, 134, 251, 256, 360, 1009};

	(void)state;
	for (size_t e = 0; e < COUNT(engines); e++) {
		tsr_ctx *ctx = tsr_open(.engine = engines[e], .plugin_dir = PLUGIN_DIR);
		srand(7);
		for (size_t i = 0; i < COUNT(lengths); i++)
			for (int wide = 0; wide < 2; wide++) {
				TSR_SCOPE(ctx);
				check_length(ctx, lengths[i], wide);
			}
		assert_int_equal(tsr_close(ctx), TSR_OK);
	}
}

/* ---- lines that are longer than a block: some elements, and there and back. 8192 = 64 * 128,
 * 6561 = 3^8, 2 * 4099 and 5003, whose factors are prime, 16411, a prime of a long convolution */

static void check_long(tsr_ctx *c, int64_t n, bool wide)
{
	enum { BESIDE = 2, LOOKED_AT = 9 };
	const double tolerance = wide ? 1e-12 : 2e-5;
	const tsr_dtype dtype = wide ? TSR_C128 : TSR_C64, real = wide ? TSR_F64 : TSR_F32;
	double _Complex *x = draw(n * BESIDE), want[LOOKED_AT];
	double at[LOOKED_AT];

	for (int64_t i = 0; i < LOOKED_AT; i++) {
		at[i] = (double)(i < 6 ? i * (n - 1) / 5 : rand() % n);
		want[i] = sum_of(x + 1, n, BESIDE, (int64_t)at[i]) / sqrt((double)n);
	}
	tsr *z = tsr_astype(tsr_from(c, x, TSR_C128, D(n, BESIDE)), dtype);
	tsr *re = tsr_astype(z, real), *places = tsr_from(c, at, TSR_F64, D(LOOKED_AT));
	tsr *y = tsr_fft(z, .dim = D(0)), *half = tsr_rfft(re, .dim = D(0));
	tsr *row = tsr_index(tsr_div(y, sqrt((double)n)), 1, 1);
	near_at("fft", tsr_take(row, 0, tsr_astype(places, TSR_I32)), want, LOOKED_AT, tolerance);
	ALIKE(tsr_ifft(y, .dim = D(0)), z, tolerance);
	tsr *whole = tsr_slice(tsr_fft(re, .dim = D(0)), 0, 0, n / 2 + 1);
	ALIKE(tsr_div(half, sqrt((double)n)), tsr_div(whole, sqrt((double)n)), tolerance);
	ALIKE(tsr_irfft(half, .n = n, .dim = D(0)), re, tolerance);
	ALIKE(tsr_fft(tsr_t(z)), tsr_t(y), 0);
	ALIKE(tsr_rfft(tsr_t(re)), tsr_t(half), 0);
	free(x);
}

static void long_lines(void **state)
{
	static const int64_t lengths[] = {8192, 6561, 7500, 2 * 4099, 5003, 16411, 20480};
	tsr_ctx *ctx = *state;

	srand(11);
	for (size_t i = 0; i < COUNT(lengths); i++)
		for (int wide = 0; wide < 2; wide++) {
			TSR_SCOPE(ctx);
			check_long(ctx, lengths[i], wide);
		}
}

/* ---- a line that workers share has the bits that it has among others, which are not cut */

static void lines_are_shared(void **state)
{
	static const int64_t lengths[] = {3 << 16, 2 * 65537}; /* 65537 is prime */
	enum { OTHERS = 8 };
	tsr_ctx *c = *state;

	srand(13);
	for (size_t i = 0; i < COUNT(lengths); i++) {
		TSR_SCOPE(c);
		const int64_t n = lengths[i];
		double _Complex *x = draw(n);
		tsr *z = tsr_astype(tsr_from(c, x, TSR_C128, D(n)), TSR_C64);
		tsr *all = tsr_broadcast_to(z, D(OTHERS, n));
		SAME(tsr_index(tsr_fft(all), 0, OTHERS - 1), tsr_fft(z));
		SAME(tsr_index(tsr_ifft(all), 0, OTHERS - 1), tsr_ifft(z));
		SAME(tsr_index(tsr_rfft(tsr_real(all)), 0, OTHERS - 1), tsr_rfft(tsr_real(z)));
		SAME(tsr_index(tsr_irfft(all, .n = n), 0, OTHERS - 1), tsr_irfft(z, .n = n));
		SAME(tsr_index(tsr_fft(tsr_slice(all, 0, 0, 2)), 0, 1), tsr_fft(z));
		free(x);
	}
}

/* ---- the same bits with every instruction set: this test also runs with lower ones */

static uint64_t hashed(tsr *x, uint64_t seed)
{
	const size_t bytes = (size_t)tsr_size(x) * tsr_dtype_size(tsr_dtype_of(x));
	void *room = malloc(bytes);

	assert_non_null(room);
	tsr_read_into(x, room);
	const uint64_t hash = hash_bytes(room, bytes, seed);
	free(room);
	return hash;
}

static void bits_are_the_same(void **state)
{
	static const int64_t lengths[] = {2, 15, 40, 61, 67, 360, 6561, 8192, 8198, 10007};
	tsr_ctx *ctx = *state;
	uint64_t hash = 0;

	srand(3);
	for (size_t i = 0; i < COUNT(lengths); i++)
		for (int wide = 0; wide < 2; wide++) {
			TSR_SCOPE(ctx);
			double _Complex *x = draw(lengths[i] * LINES);
			tsr *z = tsr_from(ctx, x, TSR_C128, D(LINES, lengths[i]));
			z = tsr_astype(z, wide ? TSR_C128 : TSR_C64);
			hash = hashed(tsr_fft(z), hash);
			hash = hashed(tsr_rfft(tsr_real(z)), hash);
			hash = hashed(tsr_irfft(z, .n = lengths[i]), hash);
			free(x);
		}
	assert_int_equal(hash, BITS);
}

/* ---- lines that are split */

static tsr *there_and_back(tsr *x) { return tsr_irfft(tsr_rfft(x), .n = 6); }

static void lines_are_split(void **state)
{
	tsr_ctx *c = *state;
	static const char *const specs[] = {"x", "y", "x*y"};
	tsr_mesh *meshes[] = {tsr_mesh_make(c, {"x", 2}, {"y", 1}),
	                      tsr_mesh_make(c, {"x", 4}, {"y", 1}),
	                      tsr_mesh_make(c, {"x", 2}, {"y", 2})};
	tsr *x = tsr_sin(tsr_reshape(tsr_arange(c, 48, .dtype = TSR_F32), D(8, 6)));
	tsr *whole = there_and_back(x);

	for (size_t m = 0; m < COUNT(meshes); m++)
		for (size_t i = 0; i < COUNT(specs); i++) {
			tsr *split = tsr_put(x, meshes[m], TSR_P(specs[i]));
			tsr *cut = tsr_put(x, meshes[m], TSR_P(NULL, "x"));
			tsr *y = there_and_back(split);
			SAME(y, whole);
			assert_ptr_equal(tsr_sharding_of(y), tsr_sharding_of(split));
			SAME(tsr_call(tsr_jit(c, there_and_back), cut), whole);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_jax_has_it),
		cmocka_unit_test(every_length),
		cmocka_unit_test_setup_teardown(bits_are_the_same, near_open, near_close),
		cmocka_unit_test_setup_teardown(long_lines, near_open, near_close),
		cmocka_unit_test_setup_teardown(lines_are_shared, near_open, near_close),
		cmocka_unit_test_setup_teardown(lines_are_split, near_open, near_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
