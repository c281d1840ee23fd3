/* draw.c - threefry2x32, and normals made of its bits with one rounding an operation, as XLA's code
 * for the CPU does it: multiply-adds are fused, log1p is Cephes', erf_inv is Giles'. */
#include "support/draw.h"
#include <math.h>
#include <string.h>

/* ---- bits: Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (2011) */

static uint32_t turned(uint32_t x, int by) { return x << by | x >> (32 - by); }

static draw_key threefry(draw_key key, uint64_t count)
{
	static const int by[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
	const uint32_t k[3] = {key.word[0], key.word[1], key.word[0] ^ key.word[1] ^ 0x1bd11bda};
	uint32_t x = (uint32_t)(count >> 32) + k[0], y = (uint32_t)count + k[1];

	for (uint32_t round = 1; round <= 5; round++) {
		for (int i = 0; i < 4; i++) {
			x += y;
			y = turned(y, by[(round + 1) % 2][i]) ^ x;
		}
		x += k[round % 3];
		y += k[(round + 1) % 3] + round;
	}
	return (draw_key){{x, y}};
}

draw_key draw_key_of(uint32_t seed) { return (draw_key){{0, seed}}; }

draw_key draw_split(draw_key key, uint64_t k) { return threefry(key, k); }

uint64_t draw_bits(draw_key key, uint64_t i)
{
	const draw_key words = threefry(key, i);
	return (uint64_t)words.word[0] << 32 | words.word[1];
}

uint32_t draw_bits32(draw_key key, uint64_t i)
{
	const draw_key words = threefry(key, i);
	return words.word[0] ^ words.word[1];
}

void draw_int(draw_key key, uint32_t below, int32_t *out, size_t n)
{
	const draw_key high = draw_split(key, 0), low = draw_split(key, 1);
	const uint32_t half = 65536 % below, whole = half * half % below;

	for (size_t i = 0; i < n; i++) {
		const uint32_t h = draw_bits32(high, i) % below, l = draw_bits32(low, i) % below;
		out[i] = (int32_t)((h * whole + l) % below);
	}
}

/* ---- normals */

static float horner(float x, const float *c, int n)
{
	float p = c[0];
	for (int i = 1; i < n; i++) p = fmaf(p, x, c[i]);
	return p;
}

static float log_of(float v)
{
	static const float p[] = {7.0376836292e-2f,  -1.1514610310e-1f, 1.1676998740e-1f,
	                          -1.2420140846e-1f, 1.4249322787e-1f,  -1.6668057665e-1f,
	                          2.0000714765e-1f,  -2.4999993993e-1f, 3.3333331174e-1f};
	int exponent;
	const float m = frexpf(v, &exponent);
	const float low = m < 0.707106781186547524f, e = (float)exponent - low;
	const float x = m - 1 + (low != 0 ? m : 0), x2 = x * x, x3 = x2 * x;
	float y = fmaf(horner(x, p, 3), x3, horner(x, p + 3, 3));

	y = fmaf(y, x3, horner(x, p + 6, 3));
	y = fmaf(y, x3, -2.12194440e-4f * e);
	return fmaf(0.693359375f, e, fmaf(-0.5f, x2, x) + y);
}

static float log1p_of(float x)
{
	static const float num[] = {4.5270000862445199635215e-5f, 4.9854102823193375972212e-1f,
	                            6.5787325942061044846969f,    2.9911919328553073277375e1f,
	                            6.0949667980987787057556e1f,  5.7112963590585538103336e1f,
	                            2.0039553499201281259648e1f};
	static const float den[] = {1,
	                            1.5062909083469192043167e1f,
	                            8.3047565967967209469434e1f,
	                            2.2176239823732856465394e2f,
	                            3.0909872225312059774938e2f,
	                            2.1642788614495947685003e2f,
	                            6.0118660497603843919306e1f};
	const float x2 = x * x;

	if (fabsf(x) >= 0.41421356237309504880f) return log_of(x + 1);
	return x + fmaf(-0.5f, x2, x * x2 * (horner(x, num, 7) / horner(x, den, 7)));
}

static float erf_inv_of(float u)
{
	static const float near[] = {2.81022636e-08f,  3.43273939e-07f, -3.5233877e-06f,
	                             -4.39150654e-06f, 2.1858087e-04f,  -1.25372503e-03f,
	                             -4.17768164e-03f, 0.246640727f,    1.50140941f};
	static const float far[] = {-2.00214257e-04f, 1.00950558e-04f, 1.34934322e-03f,
	                            -3.67342844e-03f, 5.73950773e-03f, -7.6224613e-03f,
	                            9.43887047e-03f,  1.00167406f,     2.83297682f};
	const float w = -log1p_of(-(u * u));

	return u * (w < 5 ? horner(w - 2.5f, near, 9) : horner(sqrtf(w) - 3, far, 9));
}

void draw_normal(draw_key key, float scale, float *out, size_t n)
{
	const float lowest = nextafterf(-1, 0);

	for (size_t i = 0; i < n; i++) {
		const uint32_t bits = draw_bits32(key, i) >> 9 | 0x3f800000;
		float u;
		memcpy(&u, &bits, sizeof u);
		u = fmaf(u - 1, 1 - lowest, lowest);
		out[i] = 1.41421356f * erf_inv_of(u > lowest ? u : lowest) * scale;
	}
}
