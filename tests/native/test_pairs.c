/* test_pairs.c - VDPBF16PS computes as docs/numerics.md, "Pairs", says, on a processor that has it:
 * of any bits, and of numbers around those where it could differ. A processor whose instruction
 * computes something else must not use it. The steps of other instructions are compared too. */
#include <math.h>
#include "engine/cpu/native/products/tile.h"
#include "native_rig.h"
#include "support/pair_step.h"
#ifdef __x86_64__
#include <immintrin.h>
#endif

enum { LANES = 16 };

/* ---- numbers */

static const uint16_t special[] = {0x0000, 0x8000, 0x0001, 0x807f, 0x0080, 0x8080, 0x7f7f, 0xff7f,
                                   0x7f80, 0xff80, 0x7fc0, 0x3f80, 0xbf80, 0x3f81, 0x2000, 0x1f80};

/* any; special; of ordinary size; whose products are next to the smallest normal f32 */
static uint16_t half_of(uint64_t *random, int which)
{
	const uint64_t bits = random_bits(random);
	const uint16_t digits = bits & 0x807f;

	switch (which) {
	case 0: return (uint16_t)bits;
	case 1: return special[bits % ARRAY_LEN(special)];
	case 2: return (uint16_t)(digits | (110 + bits / 0x10000 % 40) << 7);
	default: return (uint16_t)(digits | (50 + bits / 0x10000 % 28) << 7);
	}
}

/* any; about what a product leaves nothing of; small; 0 */
static float sum_of(uint64_t *random, float product)
{
	const uint64_t bits = random_bits(random);
	const uint32_t sign = bits & 0x80000000, any = (uint32_t)(bits >> 32);
	uint32_t word = any;
	float x;

	if (bits % 4 == 1) return -product * (1 + (float)(any % 8) * FLT_EPSILON);
	if (bits % 4 == 2) word = sign | any % 0x01000000;
	if (bits % 4 == 3) word = sign | (any % 2 ? 0 : 0x00800000 + any / 2 % 4);
	memcpy(&x, &word, sizeof x);
	return x;
}

/* ---- who computes them */

#ifdef __x86_64__
static __attribute__((target("avx512f,avx512bf16"))) void
by_instruction(const uint32_t *a, const uint32_t *b, float *sum)
{
	const __m512i x = _mm512_loadu_si512(a), y = _mm512_loadu_si512(b);

	_mm512_storeu_ps(sum, _mm512_dpbf16_ps(_mm512_loadu_ps(sum), (__m512bh)x, (__m512bh)y));
}

static __attribute__((target("fma"))) float fused(float a, float b, float sum)
{
	return _mm_cvtss_f32(_mm_fmadd_ss(_mm_set_ss(a), _mm_set_ss(b), _mm_set_ss(sum)));
}

static float upper_half(uint32_t word) { return bf16_to_f32((uint16_t)(word >> 16)); }

static __attribute__((noinline)) void fused_all(const uint32_t *a, const uint32_t *b, float *sum)
{
	for (int i = 0; i < LANES; i++) {
		sum[i] = fused(upper_half(a[i]), upper_half(b[i]), sum[i]);
		sum[i] = fused(upper_half(a[i] << 16), upper_half(b[i] << 16), sum[i]);
	}
}

static void by_modes(const uint32_t *a, const uint32_t *b, float *sum)
{
	const unsigned before = _mm_getcsr();

	_mm_setcsr(before | 0x8040);
	fused_all(a, b, sum);
	_mm_setcsr(before);
}

static void compare(void (*by)(const uint32_t *, const uint32_t *, float *), uint64_t seed, int n)
{
	for (; n > 0; n--) {
		uint32_t a[LANES], b[LANES];
		float sum[LANES], want[LANES], x[LANES][4];
		const int which = (int)(random_bits(&seed) % 4);
		for (int i = 0; i < LANES; i++) {
			const uint16_t half[] = {half_of(&seed, which), half_of(&seed, which),
			                         half_of(&seed, random_bits(&seed) % 2 ? which : 1),
			                         half_of(&seed, which)};
			for (int k = 0; k < 4; k++) x[i][k] = bf16_to_f32(half[k]);
			a[i] = half[0] | (uint32_t)half[2] << 16;
			b[i] = half[1] | (uint32_t)half[3] << 16;
			sum[i] = sum_of(&seed, x[i][2] * x[i][3]);
			want[i] = pair_step(x[i], x[i] + 2, sum[i]);
		}
		by(a, b, sum);
		for (int i = 0; i < LANES; i++)
			if (memcmp(&sum[i], &want[i], sizeof *sum) &&
			    !(isnan(sum[i]) && isnan(want[i])))
				fail_msg("%08x %08x: %a, not %a", a[i], b[i], (double)sum[i],
				         (double)want[i]);
	}
}

static void steps_are_those_defined(void **state)
{
	(void)state;
	if (instructions_here()) compare(by_modes, 1, 100000);
	if (pairs_agree())
		compare(by_instruction, 2, 200000);
	else if (tiles_of_pairs())
		assert_int_equal(tiles_of_pairs()->dtype, TSR_F32);
}
#else
static void steps_are_those_defined(void **state) { (void)state; }
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(steps_are_those_defined)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
