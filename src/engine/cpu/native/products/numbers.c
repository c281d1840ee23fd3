/* numbers.c - reads and writes the numbers of products: f16 and bf16 are summed in f32, f32 also in
 * f64, and results are rounded once.
 *
 * Of bf16 numbers f32 has the upper halves: two of 0x3f80 and 0x4000 become 0x3f800000 and
 * 0x40000000. A result is rounded as emit_convert.c has it: 0x3f808000 plus 0x7fff, plus the last
 * bit of its upper half, 0, is 0x3f80ffff, so it becomes 0x3f80. */
#include "engine/cpu/native/products/numbers.h"
#include <string.h>
#include "engine/cpu/native/products/squares.h"

#define DEFINE_ADD(number_) \
	static void add_##number_(number_ *to, const number_ *x, int64_t n, int64_t apart, \
	                          int64_t lines) \
	{ \
		for (int64_t l = 0; l < lines; l++) \
			for (int64_t i = 0; i < n; i++) to[i] = to[i] + x[l * apart + i]; \
	}
DEFINE_ADD(float)
DEFINE_ADD(double)
DEFINE_ADD(uint32_t)

void add_lines(tsr_dtype dtype, char *to, const char *x, int64_t n, int64_t apart, int64_t lines)
{
	if (dtype == TSR_F32)
		add_float((void *)to, (const void *)x, n, apart, lines);
	else if (dtype == TSR_I32)
		add_uint32_t((void *)to, (const void *)x, n, apart, lines);
	else
		add_double((void *)to, (const void *)x, n, apart, lines);
}

#ifdef __x86_64__
static __m128i eight_halves(const char *from)
{
	return _mm_loadu_si128((const __m128i *)(const void *)from);
}

/* ---- numbers as vectors of 32 bytes */

WITH_AVX __m256 load_f32(const char *from) { return _mm256_loadu_ps((const void *)from); }
WITH_AVX __m256d load_f64(const char *from) { return _mm256_loadu_pd((const void *)from); }
WITH_AVX __m256 load_f16(const char *from) { return _mm256_cvtph_ps(eight_halves(from)); }
WITH_AVX __m256 load_bf16(const char *from)
{
	const __m128i x = eight_halves(from), zero = _mm_setzero_si128();

	return _mm256_castsi256_ps(
		_mm256_setr_m128i(_mm_unpacklo_epi16(zero, x), _mm_unpackhi_epi16(zero, x)));
}
WITH_AVX __m256d load_wide(const char *from)
{
	return _mm256_cvtps_pd(_mm_loadu_ps((const void *)from));
}

/* ---- lines: the last numbers, which are no vector, go by a copy of them */

#define DEFINE_LINE(name_, load_, store_, lanes_, item_, wide_) \
	WITH_AVX void line_##name_(char *to, const char *from, int64_t n) \
	{ \
		char last[32] = {0}, made[32]; \
		int64_t i = 0; \
		for (; i + (lanes_) <= n; i += (lanes_)) \
			store_((void *)(to + i * (wide_)), load_(from + i * (item_))); \
		if (i == n) return; \
		memcpy(last, from + i * (item_), (size_t)((n - i) * (item_))); \
		store_((void *)made, load_(last)); \
		memcpy(to + i * (wide_), made, (size_t)((n - i) * (wide_))); \
	}
DEFINE_LINE(f32, load_f32, _mm256_storeu_ps, 8, 4, 4)
DEFINE_LINE(f16, load_f16, _mm256_storeu_ps, 8, 2, 4)
DEFINE_LINE(bf16, load_bf16, _mm256_storeu_ps, 8, 2, 4)
DEFINE_LINE(f64, load_f64, _mm256_storeu_pd, 4, 8, 8)
DEFINE_LINE(wide, load_wide, _mm256_storeu_pd, 4, 4, 8)

/* ---- squares */

#define DEFINE_TURNED(name_, vector_, lanes_, suffix_) \
	static __attribute__((target("avx,f16c"))) void turned_##name_( \
		const char *const *x, int64_t at, char *to, int64_t apart) \
	{ \
		vector_ s[lanes_]; \
		square_##name_(x, at, s); \
		WRITTEN_OUT for (int i = 0; i < (lanes_); i++) \
			_mm256_storeu_##suffix_((void *)(to + i * apart), s[i]); \
	}
DEFINE_TURNED(f32, __m256, 8, ps)
DEFINE_TURNED(f16, __m256, 8, ps)
DEFINE_TURNED(bf16, __m256, 8, ps)
DEFINE_TURNED(f64, __m256d, 4, pd)
DEFINE_TURNED(wide, __m256d, 4, pd)

/* ---- numbers that stay bf16 */

static void line_half(char *to, const char *from, int64_t n) { memcpy(to, from, (size_t)n * 2); }

/* pairs of rows, then pairs of these, then of these: what was column i */
static void turned_half(const char *const *x, int64_t at, char *to, int64_t apart)
{
	__m128i r[8], s[8];

	WRITTEN_OUT for (int i = 0; i < 8; i++) r[i] = eight_halves(x[i] + at);
	WRITTEN_OUT for (int i = 0; i < 8; i++) s[i] =
		i % 2 ? _mm_unpackhi_epi16(r[i / 2], r[i / 2 + 4])
		      : _mm_unpacklo_epi16(r[i / 2], r[i / 2 + 4]);
	WRITTEN_OUT for (int i = 0; i < 8; i++) r[i] =
		i % 2 ? _mm_unpackhi_epi16(s[i / 2], s[i / 2 + 4])
		      : _mm_unpacklo_epi16(s[i / 2], s[i / 2 + 4]);
	WRITTEN_OUT for (int i = 0; i < 8; i++) _mm_storeu_si128(
		(void *)(to + i * apart), i % 2 ? _mm_unpackhi_epi16(r[i / 2], r[i / 2 + 4])
						: _mm_unpacklo_epi16(r[i / 2], r[i / 2 + 4]));
}

const reading *reading_of(tsr_dtype from, tsr_dtype to)
{
	static const reading all[] = {
		{TSR_F32, TSR_F32, 4, 4, 8, line_f32, turned_f32},
		{TSR_F64, TSR_F64, 8, 8, 4, line_f64, turned_f64},
		{TSR_F16, TSR_F32, 2, 4, 8, line_f16, turned_f16},
		{TSR_BF16, TSR_F32, 2, 4, 8, line_bf16, turned_bf16},
		{TSR_BF16, TSR_BF16, 2, 2, 8, line_half, turned_half},
		{TSR_F32, TSR_F64, 4, 8, 4, line_wide, turned_wide},
		{TSR_I8, TSR_I32, 1, 4, 0, NULL, NULL},
		{TSR_U8, TSR_I32, 1, 4, 0, NULL, NULL},
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (all[i].from == from && all[i].to == to) return &all[i];
	return NULL;
}

/* ---- rounding */

/* the upper half of bits + 0x7fff + the last bit of that half; NaN becomes a quiet one */
WITH_AVX __m128i four_bf16(__m128 x)
{
	const __m128i u = _mm_castps_si128(x), high = _mm_srli_epi32(u, 16);
	const __m128i odd = _mm_and_si128(high, _mm_set1_epi32(1));
	const __m128i up =
		_mm_srli_epi32(_mm_add_epi32(_mm_add_epi32(u, _mm_set1_epi32(0x7fff)), odd), 16);
	const __m128i nan = _mm_castps_si128(_mm_cmpunord_ps(x, x));

	return _mm_blendv_epi8(up, _mm_or_si128(high, _mm_set1_epi32(0x40)), nan);
}

WITH_AVX void store_bf16(char *to, const char *from)
{
	const __m128 a = _mm_loadu_ps((const void *)from);
	const __m128 b = _mm_loadu_ps((const void *)(from + 16));

	_mm_storeu_si128((void *)to, _mm_packus_epi32(four_bf16(a), four_bf16(b)));
}
WITH_AVX void store_f16(char *to, const char *from)
{
	_mm_storeu_si128((void *)to, _mm256_cvtps_ph(load_f32(from), _MM_FROUND_TO_NEAREST_INT));
}
WITH_AVX void store_f32(char *to, const char *from)
{
	_mm_storeu_ps((void *)to, _mm256_cvtpd_ps(load_f64(from)));
}

#define DEFINE_ROUNDED(name_, store_, lanes_, wide_, item_) \
	WITH_AVX void rounded_##name_(char *to, const char *from, int64_t n) \
	{ \
		char last[32] = {0}, made[16]; \
		int64_t i = 0; \
		for (; i + (lanes_) <= n; i += (lanes_)) \
			store_(to + i * (item_), from + i * (wide_)); \
		if (i == n) return; \
		memcpy(last, from + i * (wide_), (size_t)((n - i) * (wide_))); \
		store_(made, last); \
		memcpy(to + i * (item_), made, (size_t)((n - i) * (item_))); \
	}
DEFINE_ROUNDED(bf16, store_bf16, 8, 4, 2)
DEFINE_ROUNDED(f16, store_f16, 8, 4, 2)
DEFINE_ROUNDED(f32, store_f32, 4, 8, 4)

const writing *writing_of(tsr_dtype from, tsr_dtype to)
{
	static const writing all[] = {
		{TSR_F32, TSR_F32, 4, 4, line_f32},      {TSR_F64, TSR_F64, 8, 8, line_f64},
		{TSR_F32, TSR_BF16, 4, 2, rounded_bf16}, {TSR_F32, TSR_F16, 4, 2, rounded_f16},
		{TSR_F64, TSR_F32, 8, 4, rounded_f32},   {TSR_I32, TSR_I32, 4, 4, line_f32},
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (all[i].from == from && all[i].to == to) return &all[i];
	return NULL;
}

#else /* kernels compute products */

const reading *reading_of(tsr_dtype from, tsr_dtype to)
{
	(void)from, (void)to;
	return NULL;
}

const writing *writing_of(tsr_dtype from, tsr_dtype to)
{
	(void)from, (void)to;
	return NULL;
}

#endif
