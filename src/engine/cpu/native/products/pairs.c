/* pairs.c - products of bf16 that sum by pairs (docs/numerics.md, "Pairs"), by tiles like those of
 * others.
 *
 * Where the processor's own instruction is worth it, VDPBF16PS, a step of a tile takes a pair. So
 * the lines of a panel are packed two by two, and pairs of a row are next to each other:
 *
 *     0 1 2              0 3  1 4  2 5
 *     3 4 5      ->      6 -  7 -  8 -        - is +0
 *     6 7 8
 *
 * No processor is taken at its word: before the first such product some thousand sums are compared
 * with those of other instructions (pairs_agree).
 *
 * Elsewhere a step takes one number, widened to f32, and the second one of a pair comes first:
 *
 *     3 4 5
 *     0 1 2
 *     - - -
 *     6 7 8
 *
 * Numbers too small for a normal f32 then count as zeros, operands and sums, by the processor's
 * modes for that (MXCSR). They are set while chains are summed. These are added up without them, so
 * a tile's chains have memory of their own. */
#include "engine/cpu/native/products/multiply.h"
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>

static bool takes_pairs(const multiplication *x) { return x->kind->dtype == TSR_BF16; }

/* elements of a chain, filled up to pairs */
static int64_t filled(int64_t lines) { return shares(lines, 2) * 2; }

/* ---- a panel of b */

/* of lines of `width` bf16, in `from` */
static __attribute__((target("avx"))) void join_lines(const char *from, int64_t lines,
                                                      int64_t width, char *to)
{
	for (int64_t i = 0; i < lines; i += 2)
		for (int64_t j = 0; j < width; j += 8, to += 32) {
			const char *at = from + (i * width + j) * 2;
			const __m128i low = _mm_loadu_si128((const void *)at),
				      high = _mm_loadu_si128((const void *)(at + width * 2));
			_mm_storeu_si128((void *)to, _mm_unpacklo_epi16(low, high));
			_mm_storeu_si128((void *)(to + 16), _mm_unpackhi_epi16(low, high));
		}
}

/* lines of so many bytes, in place */
static void swap_lines(char *at, int64_t lines, int64_t bytes)
{
	char other[TILE_BYTES];

	for (int64_t i = 0; i < lines; i += 2, at += 2 * bytes) {
		memcpy(other, at, (size_t)bytes);
		memcpy(at, at + bytes, (size_t)bytes);
		memcpy(at + bytes, other, (size_t)bytes);
	}
}

void pairs_panel(const multiplication *x, const panel_part *part, char *room, tile *t)
{
	const int64_t bytes = part->width * x->b.read->wide, lines = filled(part->lines);
	char *packed = takes_pairs(x) ? room + TILE_DEPTH * TILE_BYTES / 2 : room;

	panel_pack(&x->b, part, packed);
	if (lines > part->lines) memset(packed + part->lines * bytes, 0, (size_t)bytes);
	if (takes_pairs(x))
		join_lines(packed, lines, part->width, room);
	else
		swap_lines(packed, lines, bytes);
	t->b = room;
	t->apart_b = part->width * 4;
	t->depth = takes_pairs(x) ? lines / 2 : lines;
}

/* ---- rows of a */

/* n numbers, a multiple of 16, widened and swapped: each becomes the upper half of a word */
static __attribute__((target("avx512f,avx512bw"))) void widen_512(const char *from, int64_t n,
                                                                  char *to)
{
	const __m512i at = _mm512_setr_epi32(1 << 16, 0, 3 << 16, 2 << 16, 5 << 16, 4 << 16,
	                                     7 << 16, 6 << 16, 9 << 16, 8 << 16, 11 << 16, 10 << 16,
	                                     13 << 16, 12 << 16, 15 << 16, 14 << 16);

	for (; n > 0; n -= 16, from += 32, to += 64) {
		const __m512i x = _mm512_castsi256_si512(_mm256_loadu_si256((const void *)from));
		_mm512_storeu_si512((void *)to, _mm512_maskz_permutexvar_epi16(0xaaaaaaaa, at, x));
	}
}

static __attribute__((target("avx"))) void widen_128(const char *from, int64_t n, char *to)
{
	const __m128i none = _mm_setzero_si128();

	for (; n > 0; n -= 8, from += 16, to += 32) {
		__m128i x = _mm_loadu_si128((const void *)from);
		x = _mm_shufflehi_epi16(_mm_shufflelo_epi16(x, 0xb1), 0xb1);
		_mm_storeu_si128((void *)to, _mm_unpacklo_epi16(none, x));
		_mm_storeu_si128((void *)(to + 16), _mm_unpackhi_epi16(none, x));
	}
}

/* n numbers, and zeros up to a multiple of 16 */
static void widen_row(const char *from, int64_t n, char *to)
{
	void (*const widen)(const char *, int64_t, char *) =
		instructions_chosen() == 64 ? widen_512 : widen_128;
	const int64_t rest = n % 16, whole = n - rest;
	char last[32] = {0};

	widen(from, whole, to);
	if (!rest) return;
	memcpy(last, from + whole * 2, (size_t)rest * 2);
	widen(last, 16, to + whole * 4);
}

/* are pairs of the rows next to each other where they are, and whole words? */
static bool are_words(const multiplication *x, const tile *t, const panel_part *part)
{
	uintptr_t at = 0;

	if (!takes_pairs(x) || !is_run(&x->a) || part->lines % 2) return false;
	for (int r = 0; r < t->nrows; r++) at |= (uintptr_t)t->row[r];
	return at % 4 == 0 && part->line % 2 == 0;
}

/* elements of a row, one behind the other, and a zero */
static void take_row(const multiplication *x, const char *from, const panel_part *part, char *to)
{
	const int64_t step = side_step(&x->a, x->a.sum);
	tile_run runs[TILE_DEPTH], *end = runs_find(&x->a, part->line, part->lines, runs);

	for (const tile_run *of = runs; of < end; of++) {
		const char *at = from + of->offset;
		if (step == 2) memcpy(to, at, (size_t)of->length * 2);
		for (int64_t j = 0; step != 2 && j < of->length; j++)
			memcpy(to + j * 2, at + j * step, 2);
		to += of->length * 2;
	}
	memset(to, 0, 2);
}

/* to: rows of TILE_DEPTH words, or of as many pairs */
static void pack_rows(const multiplication *x, const tile *t, const panel_part *part, char *to)
{
	char room[(TILE_DEPTH + 1) * 2];

	for (int r = 0; r < t->nrows; r++, to += TILE_DEPTH * 4) {
		const bool words = takes_pairs(x), whole = !words && is_run(&x->a);
		const char *from = whole ? t->row[r] + part->line * 2 : words ? to : room;
		if (!whole) take_row(x, t->row[r], part, words ? to : room);
		if (!words) widen_row(from, part->lines, to);
	}
}

/* ---- a tile */

/* to + x, or x: n numbers */
static __attribute__((target("avx"))) void add_row(char *to, const char *x, int64_t n, bool adds)
{
	const int64_t vectors = n / 8 * 32;

	if (!adds) memcpy(to, x, (size_t)n * 4);
	for (int64_t i = 0; adds && i < vectors; i += 32)
		_mm256_storeu_ps((void *)(to + i),
		                 _mm256_add_ps(_mm256_loadu_ps((const void *)(to + i)),
		                               _mm256_loadu_ps((const void *)(x + i))));
	if (adds) add_lines(TSR_F32, to + vectors, x + vectors, n % 8, 0, 1);
}

static void sum_chains(const tile_width *with, const tile *of)
{
	_Alignas(64) char sum[TILE_ROWS * TILE_BYTES];
	const unsigned before = _mm_getcsr();
	tile t = *of;

	t.c = sum;
	t.apart_c = TILE_BYTES;
	t.adds = false;
	_mm_setcsr(before | _MM_FLUSH_ZERO_ON | _MM_DENORMALS_ZERO_ON);
	with->multiply(&t);
	_mm_setcsr(before);
	for (int r = 0; r < t.nrows; r++)
		add_row(of->c + r * of->apart_c, sum + r * TILE_BYTES, t.ncolumns, of->adds);
}

void pairs_tile(const multiplication *x, const tile_width *with, const panel_part *part, tile t)
{
	_Alignas(64) char room[TILE_ROWS * TILE_DEPTH * 4];
	const tile_run all = {are_words(x, &t, part) ? part->line * 2 : 0, t.depth};
	const char *row[TILE_ROWS];

	if (!are_words(x, &t, part)) {
		pack_rows(x, &t, part, room);
		for (int r = 0; r < with->rows; r++)
			row[r] = room + least(r, t.nrows - 1) * TILE_DEPTH * 4;
		t.row = row;
		t.next = NULL;
	}
	t.runs = &all;
	t.end = &all + 1;
	t.step = 4;
	if (takes_pairs(x))
		with->multiply(&t);
	else
		sum_chains(with, &t);
}

/* ---- Does this processor's instruction compute what is defined? It is asked once */

enum { WORDS = 16 }; /* pairs of bf16, or f32, of a vector */
typedef struct sample {
	uint32_t a[WORDS], b[WORDS];
	float sum[WORDS];
} sample;

static __attribute__((target("avx512f,avx512bf16"))) void by_instruction(sample *s)
{
	const __m512i a = _mm512_loadu_si512(s->a), b = _mm512_loadu_si512(s->b);

	_mm512_storeu_ps(s->sum,
	                 _mm512_dpbf16_ps(_mm512_loadu_ps(s->sum), (__m512bh)a, (__m512bh)b));
}

static __attribute__((target("avx512f"))) void by_steps(sample *s)
{
	const unsigned before = _mm_getcsr();
	const __m512i a = _mm512_loadu_si512(s->a), b = _mm512_loadu_si512(s->b);
	const __m512i high = _mm512_set1_epi32((int)0xffff0000);
	const __m512 x[] = {(__m512)_mm512_and_si512(a, high), (__m512)_mm512_slli_epi32(a, 16)};
	const __m512 y[] = {(__m512)_mm512_and_si512(b, high), (__m512)_mm512_slli_epi32(b, 16)};
	__m512 sum = _mm512_loadu_ps(s->sum);

	_mm_setcsr(before | _MM_FLUSH_ZERO_ON | _MM_DENORMALS_ZERO_ON);
	sum = _mm512_fmadd_ps(x[0], y[0], sum);
	sum = _mm512_fmadd_ps(x[1], y[1], sum);
	_mm512_storeu_ps(s->sum, sum);
	_mm_setcsr(before);
}

static uint32_t random_word(uint64_t *state)
{
	*state = *state * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)(*state >> 32);
}

/* two bf16 of any sign and digits, with exponents from `first` on */
static uint32_t random_pair(uint64_t *state, uint32_t first, uint32_t exponents)
{
	const uint32_t digits = random_word(state) & 0x807f807f, more = random_word(state);

	return digits + ((first + more % exponents) << 7) +
	       ((first + more / 65536 % exponents) << 23);
}

/* of any bits; ordinary, with a sum that a product nearly cancels; next to the smallest normal
 * f32 */
static sample sample_of(uint64_t *state, int which)
{
	sample s;

	for (int i = 0; i < WORDS; i++) {
		const bool any = which == 0, small = which == 2;
		s.a[i] = any ? random_word(state) : random_pair(state, small ? 50 : 110, 28);
		s.b[i] = any ? random_word(state) : random_pair(state, small ? 50 : 110, 28);
		const uint32_t high[] = {s.a[i] & 0xffff0000, s.b[i] & 0xffff0000};
		uint32_t word = random_word(state);
		float x[2];
		memcpy(x, high, sizeof x);
		if (small) word &= 0x81ffffff;
		memcpy(&s.sum[i], &word, sizeof word);
		if (which == 1) s.sum[i] = -x[0] * x[1] * (1 + (float)(word % 8) * 0x1p-23f);
	}
	return s;
}

static bool compare_samples(void)
{
	enum { SAMPLES = 600 };
	uint64_t state = 1;

	for (int k = 0; k < SAMPLES; k++) {
		sample x = sample_of(&state, k % 3), y = x;
		by_instruction(&x);
		by_steps(&y);
		for (int i = 0; i < WORDS; i++)
			if (memcmp(&x.sum[i], &y.sum[i], sizeof *x.sum) &&
			    !(x.sum[i] != x.sum[i] && y.sum[i] != y.sum[i]))
				return false;
	}
	return true;
}

bool pairs_agree(void)
{
	static _Atomic int agree; /* 1 + whether they do; 0: not known */
	int is = agree;

	if (!is) agree = is = 1 + (instructions_have("avx512_bf16") && compare_samples());
	return is == 2;
}

#else /* kernels compute products */

bool pairs_agree(void) { return false; }

void pairs_panel(const multiplication *x, const panel_part *part, char *room, tile *t)
{
	(void)x, (void)part, (void)room, (void)t;
}

void pairs_tile(const multiplication *x, const tile_width *with, const panel_part *part, tile t)
{
	(void)x, (void)with, (void)part, (void)t;
}

#endif
