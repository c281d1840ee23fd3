/* squares.h - reads squares of an operand, as many numbers of as many rows, and transposes them in
 * registers: row i has the numbers of column i.
 *
 * Of 4 x 4 numbers, halves of rows 0 and 2 are read together, as are those of 1 and 3. So rows are
 * exchanged once less than in registers alone, twice instead of three times for 8 x 8:
 *
 *     rows              read                   exchanged
 *     0 1 2 3           0 1 8 9                0 4 8 c
 *     4 5 6 7           4 5 c d                1 5 9 d
 *     8 9 a b           2 3 a b                2 6 a e
 *     c d e f           6 7 e f                3 7 b f */
#ifndef TSR_SRC_NATIVE_SQUARES_H
#define TSR_SRC_NATIVE_SQUARES_H
#include "engine/cpu/native/products/tile.h"
#ifdef __x86_64__
#include <immintrin.h>

/* what these instructions may be used for is any processor that machine code is made for */
#define WITH_AVX static inline __attribute__((target("avx,f16c")))

/* ---- half a vector of 32 bytes, of numbers as they are or widened */

WITH_AVX __m128 half_f32(const char *from) { return _mm_loadu_ps((const void *)from); }
WITH_AVX __m128d half_f64(const char *from) { return _mm_loadu_pd((const void *)from); }
WITH_AVX __m128 half_f16(const char *from)
{
	return _mm_cvtph_ps(_mm_loadl_epi64((const void *)from));
}
WITH_AVX __m128 half_bf16(const char *from)
{
	return _mm_castsi128_ps(
		_mm_unpacklo_epi16(_mm_setzero_si128(), _mm_loadl_epi64((const void *)from)));
}
WITH_AVX __m128d half_wide(const char *from)
{
	return _mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64((const void *)from)));
}

/* ---- the square at x[0] + at, x[1] + at, .. */

#define DEFINE_SQUARE_8(name_, item_) \
	WITH_AVX void square_##name_(const char *const *x, int64_t at, __m256 *to) \
	{ \
		__m256 r[8], s[8]; \
		WRITTEN_OUT for (int i = 0; i < 8; i++) r[i] = _mm256_insertf128_ps( \
			_mm256_castps128_ps256(half_##name_(x[i % 4] + at + i / 4 * 4 * (item_))), \
			half_##name_(x[i % 4 + 4] + at + i / 4 * 4 * (item_)), 1); \
		WRITTEN_OUT for (int i = 0; i < 8; i++) s[i] = \
			i % 2 ? _mm256_unpackhi_ps(r[i - 1], r[i]) \
			      : _mm256_unpacklo_ps(r[i], r[i + 1]); \
		WRITTEN_OUT for (int i = 0; i < 8; i++) to[i] = \
			i % 2 ? _mm256_shuffle_ps(s[i / 4 * 4 + i / 2 % 2], \
		                                  s[i / 4 * 4 + i / 2 % 2 + 2], 0xee) \
			      : _mm256_shuffle_ps(s[i / 4 * 4 + i / 2 % 2], \
		                                  s[i / 4 * 4 + i / 2 % 2 + 2], 0x44); \
	}
#define DEFINE_SQUARE_4(name_, item_) \
	WITH_AVX void square_##name_(const char *const *x, int64_t at, __m256d *to) \
	{ \
		__m256d r[4]; \
		WRITTEN_OUT for (int i = 0; i < 4; i++) r[i] = _mm256_insertf128_pd( \
			_mm256_castpd128_pd256(half_##name_(x[i % 2] + at + i / 2 * 2 * (item_))), \
			half_##name_(x[i % 2 + 2] + at + i / 2 * 2 * (item_)), 1); \
		WRITTEN_OUT for (int i = 0; i < 4; i++) to[i] = \
			i % 2 ? _mm256_unpackhi_pd(r[i - 1], r[i]) \
			      : _mm256_unpacklo_pd(r[i], r[i + 1]); \
	}
DEFINE_SQUARE_8(f32, 4)
DEFINE_SQUARE_8(f16, 2)
DEFINE_SQUARE_8(bf16, 2)
DEFINE_SQUARE_4(f64, 8)
DEFINE_SQUARE_4(wide, 4)

#endif
#endif
