/* integers.c - multiplies matrices of i8 or u8 into i32.
 *
 * Integers may be added in any order. So several numbers of a row are multiplied at once with as
 * many lines of b, which are packed side by side. Of four lines with three columns, with
 * instructions that add four products:
 *
 *     0 1 2
 *     3 4 5     ->    0 3 6 9  1 4 7 a  2 5 8 b
 *     6 7 8
 *     9 a b
 *
 * These instructions (VNNI) take one operand with a sign and one without, so b is packed by 128
 * away. What that adds to a sum, 128 times the sum of the row of a, the sum begins with:
 *
 *     i8     (b + 128) a added up, from -128 (a added up)
 *     u8     (b - 128) a added up, from 128 (a added up)
 *
 * Other instructions add two products of i16, to which both operands are widened. */
#include "engine/cpu/native/products/multiply.h"
#include "engine/cpu/native/products/view.h"
#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>

enum {
	WORD = 4,           /* bytes: of numbers that are multiplied at once, and of a sum */
	WORDS = TILE_DEPTH, /* of a column of a panel, at most */
	MOST_DEPTH = WORDS * WORD
};

typedef struct word_tile {
	const char *const *row; /* words of a, one behind the other; as many rows as the tile has */
	const char *b;          /* of each word a line */
	int64_t words;
	const int32_t *start; /* what the sums of each row begin with */
	char *c;
	int64_t apart;
	int rows, columns;
	bool adds;
} word_tile;

/* ---- tiles, as in tile.c */

static inline int32_t word_at(const char *x)
{
	int32_t word;

	memcpy(&word, x, WORD);
	return word;
}

#define FOR(i_, n_) WRITTEN_OUT for (int i_ = 0; i_ < (n_); i_++)
#define FROM(vector_) (const vector_ *)(const void *)
#define DEFINE_WORDS(name_, set_, vector_, lanes_, rows_, prefix_, load_, store_, STEP_) \
	static __attribute__((target(set_))) void name_(const word_tile *t) \
	{ \
		vector_ sum[rows_][3], w[3]; \
		int32_t part[rows_][3 * (lanes_)]; \
		const char *b = t->b; \
		FOR(r, rows_) FOR(v, 3) sum[r][v] = prefix_##set1_epi32(t->start[r]); \
		for (int64_t i = 0; i < t->words * WORD; i += WORD, b += 3 * (lanes_)*WORD) { \
			FOR(v, 3) w[v] = load_(FROM(vector_)(b + v * (lanes_)*WORD)); \
			FOR(r, rows_) \
			{ \
				const vector_ one = prefix_##set1_epi32(word_at(t->row[r] + i)); \
				FOR(v, 3) sum[r][v] = STEP_(sum[r][v], one, w[v]); \
			} \
		} \
		const bool whole = t->rows == (rows_) && t->columns == 3 * (lanes_); \
		FOR(r, rows_) \
		{ \
			char *c = t->c + r * t->apart, *to = whole ? c : (char *)part[r]; \
			if (whole && t->adds) FOR(v, 3) \
			sum[r][v] = prefix_##add_epi32( \
				sum[r][v], load_(FROM(vector_)(c + v * (lanes_)*WORD))); \
			FOR(v, 3) \
			store_((vector_ *)(void *)(to + v * (lanes_)*WORD), sum[r][v]); \
		} \
		for (int r = 0; !whole && r < t->rows; r++) { \
			char *c = t->c + r * t->apart; \
			const int32_t *to = FROM(int32_t) c; \
			for (int j = 0; t->adds && j < t->columns; j++) \
				part[r][j] = (int32_t)((uint32_t)part[r][j] + (uint32_t)to[j]); \
			memcpy(c, part[r], (size_t)t->columns *WORD); \
		} \
	}
#define VNNI_I8(s_, one_, w_) _mm512_dpbusd_epi32(s_, w_, one_)
#define VNNI_U8(s_, one_, w_) _mm512_dpbusd_epi32(s_, one_, w_)
#define VNNI_I8_256(s_, one_, w_) _mm256_dpbusd_avx_epi32(s_, w_, one_)
#define VNNI_U8_256(s_, one_, w_) _mm256_dpbusd_avx_epi32(s_, one_, w_)
#define PAIRS_256(s_, one_, w_) _mm256_add_epi32(s_, _mm256_madd_epi16(one_, w_))
#define PAIRS_128(s_, one_, w_) _mm_add_epi32(s_, _mm_madd_epi16(one_, w_))
DEFINE_WORDS(i8_512, "avx512f,avx512vnni", __m512i, 16, 8, _mm512_, _mm512_loadu_si512,
             _mm512_storeu_si512, VNNI_I8)
DEFINE_WORDS(u8_512, "avx512f,avx512vnni", __m512i, 16, 8, _mm512_, _mm512_loadu_si512,
             _mm512_storeu_si512, VNNI_U8)
DEFINE_WORDS(i8_256, "avx2,avxvnni", __m256i, 8, 4, _mm256_, _mm256_loadu_si256,
             _mm256_storeu_si256, VNNI_I8_256)
DEFINE_WORDS(u8_256, "avx2,avxvnni", __m256i, 8, 4, _mm256_, _mm256_loadu_si256,
             _mm256_storeu_si256, VNNI_U8_256)
DEFINE_WORDS(pairs_256, "avx2", __m256i, 8, 4, _mm256_, _mm256_loadu_si256, _mm256_storeu_si256,
             PAIRS_256)
DEFINE_WORDS(pairs_128, "avx", __m128i, 4, 4, _mm_, _mm_loadu_si128, _mm_storeu_si128, PAIRS_128)

typedef struct words {
	int64_t each; /* numbers of a word: bytes, or i16 */
	int rows, columns;
	void (*multiply)(const word_tile *);
} words;

/* Has the processor VNNI in vectors of 32 bytes? Clang's __builtin_cpu_supports does not know it */
static bool has_avx_vnni(void)
{
	unsigned a, b, c, d;

	return __get_cpuid_count(7, 1, &a, &b, &c, &d) && a >> 4 & 1;
}

static const words *words_of(bool has_sign)
{
	static const words all[] = {{4, 8, 48, i8_512},    {4, 8, 48, u8_512},
	                            {4, 4, 24, i8_256},    {4, 4, 24, u8_256},
	                            {2, 4, 24, pairs_256}, {2, 4, 12, pairs_128}};
	const int bytes = instructions_chosen(), without = has_sign ? 0 : 1;

	if (bytes == 64 && __builtin_cpu_supports("avx512vnni")) return &all[without];
	if (bytes >= 32) return &all[has_avx_vnni() ? 2 + without : 4];
	return &all[5];
}

/* ---- packing: bytes as they are in memory */

static bool has_sign(const multiplication *x) { return x->a.read->from == TSR_I8; }

/* n bytes of dims, from a place on */
static void take_bytes(view_place at, int64_t step, const char *from, int64_t n, char *to)
{
	for (int64_t run; n > 0; n -= run, to += run) {
		run = least(n, to_the_end(&at));
		if (step == 1) memcpy(to, from + at.offset, (size_t)run);
		for (int64_t j = 0; step != 1 && j < run; j++) to[j] = from[at.offset + j * step];
		place_move(&at, run);
	}
}

static __m128i bytes_at(const char *x) { return _mm_loadu_si128((const __m128i *)(const void *)x); }

static void put_bytes(char *to, __m128i x) { _mm_storeu_si128((__m128i *)(void *)to, x); }

/* 16 bytes as i16 */
static void widen(const char *from, bool sign, __m128i *low, __m128i *high)
{
	const __m128i x = bytes_at(from), none = _mm_setzero_si128();

	*low = sign ? _mm_srai_epi16(_mm_unpacklo_epi8(x, x), 8) : _mm_unpacklo_epi8(x, none);
	*high = sign ? _mm_srai_epi16(_mm_unpackhi_epi8(x, x), 8) : _mm_unpackhi_epi8(x, none);
}

/* 16 columns of four lines, by 128 away */
static void words_of_four(const char *const *line, int64_t j, char *to)
{
	const __m128i away = _mm_set1_epi8(-128);
	__m128i x[4], p[4];

	for (int i = 0; i < 4; i++) x[i] = _mm_xor_si128(bytes_at(line[i] + j), away);
	for (int i = 0; i < 2; i++) {
		p[i] = _mm_unpacklo_epi8(x[2 * i], x[2 * i + 1]);
		p[i + 2] = _mm_unpackhi_epi8(x[2 * i], x[2 * i + 1]);
	}
	for (int i = 0; i < 2; i++) {
		put_bytes(to + 32 * i, _mm_unpacklo_epi16(p[2 * i], p[2 * i + 1]));
		put_bytes(to + 32 * i + 16, _mm_unpackhi_epi16(p[2 * i], p[2 * i + 1]));
	}
}

/* of two lines, widened */
static void words_of_two(const char *const *line, int64_t j, bool sign, char *to)
{
	__m128i low[2], high[2];

	for (int i = 0; i < 2; i++) widen(line[i] + j, sign, &low[i], &high[i]);
	put_bytes(to, _mm_unpacklo_epi16(low[0], low[1]));
	put_bytes(to + 16, _mm_unpackhi_epi16(low[0], low[1]));
	put_bytes(to + 32, _mm_unpacklo_epi16(high[0], high[1]));
	put_bytes(to + 48, _mm_unpackhi_epi16(high[0], high[1]));
}

enum { WIDE = 64 }; /* bytes of a line of a panel and then some, of which 16 are read at a time */

/* a word of each column: of lines of so many bytes, and then some */
static void pack_words(const words *with, const char *const *line, bool sign, char *to)
{
	for (int64_t j = 0; j < with->columns; j += 16)
		if (with->each == WORD)
			words_of_four(line, j, to + j * WORD);
		else
			words_of_two(line, j, sign, to + j * WORD);
}

/* n columns from `column` on, and `depth` lines of b from k on; what there is not is 0 */
static void pack_lines(const multiplication *x, const words *with, int64_t column, int64_t n,
                       int64_t k, int64_t depth, char *to)
{
	char room[WORD][WIDE] = {{0}};
	const char *line[WORD];
	const view_place first = place_of(x->b.own, column);
	const int64_t step = side_step(&x->b, x->b.own);
	/* are lines of memory long enough, and read no further? */
	const bool whole =
		step == 1 && n == with->columns && n % 16 == 0 && to_the_end(&first) >= n;
	view_place at = place_of(x->b.sum, k);

	for (int64_t i = 0; i < depth; i += with->each, to += with->columns * WORD) {
		for (int64_t l = 0; l < with->each; l++, place_move(&at, 1)) {
			line[l] = whole ? x->b.at + at.offset + first.offset : room[l];
			if (i + l >= depth)
				line[l] = memset(room[l], 0, WIDE);
			else if (line[l] == room[l])
				take_bytes(first, step, x->b.at + at.offset, n, room[l]);
		}
		pack_words(with, line, has_sign(x), to);
	}
}

/* the bytes of a row or column as words; those behind the last one are `rest` */
static void pack_run(const multiplication *x, const words *with, const char *bytes, int64_t n,
                     char *to)
{
	const int64_t end = (n + with->each - 1) / with->each * with->each;
	const bool sign = has_sign(x);
	int64_t i = 0;

	if (with->each == WORD) {
		memcpy(to, bytes, (size_t)n);
		memset(to + n, 0, (size_t)(end - n));
		return;
	}
	for (; i + 16 <= n; i += 16) {
		__m128i low, high;
		widen(bytes + i, sign, &low, &high);
		put_bytes(to + 2 * i, low);
		put_bytes(to + 2 * i + 16, high);
	}
	for (; i < end; i++) {
		const char byte = i < n ? bytes[i] : 0;
		const int16_t wide = sign ? (signed char)byte : (unsigned char)byte;
		memcpy(to + 2 * i, &wide, 2);
	}
}

/* the same where columns are runs of lines */
static void pack_columns(const multiplication *x, const words *with, int64_t column, int64_t n,
                         int64_t k, int64_t depth, char *to)
{
	char bytes[MOST_DEPTH], word[MOST_DEPTH];
	const int64_t all = shares(depth, with->each), step = side_step(&x->b, x->b.sum);
	const char away = with->each == WORD ? (char)-128 : 0;
	view_place at = place_of(x->b.own, column);

	for (int64_t j = 0; j < with->columns; j++) {
		if (j < n)
			take_bytes(place_of(x->b.sum, k), step, x->b.at + at.offset, depth, bytes);
		if (j == n) memset(bytes, 0, (size_t)depth);
		if (j + 1 < n) place_move(&at, 1);
		pack_run(x, with, bytes, depth, word);
		for (int64_t i = 0; i < all * WORD; i++) word[i] ^= away;
		for (int64_t i = 0; i < all; i++)
			memcpy(to + (i * with->columns + j) * WORD, word + i * WORD, WORD);
	}
}

static void pack(const multiplication *x, const words *with, int64_t column, int64_t n, int64_t k,
                 int64_t depth, char *to)
{
	if (side_step(&x->b, x->b.sum) == 1 && side_step(&x->b, x->b.own) != 1)
		pack_columns(x, with, column, n, k, depth, to);
	else
		pack_lines(x, with, column, n, k, depth, to);
}

/* ---- rows */

/* added up: bytes without a sign, 128 more than those with one */
static int32_t added_up(const char *x, int64_t n, bool sign)
{
	const __m128i away = _mm_set1_epi8(sign ? -128 : 0), none = _mm_setzero_si128();
	__m128i sum = none;
	int64_t i = 0;

	for (; i + 16 <= n; i += 16)
		sum = _mm_add_epi64(sum, _mm_sad_epu8(_mm_xor_si128(bytes_at(x + i), away), none));
	int32_t all = _mm_cvtsi128_si32(sum) + _mm_cvtsi128_si32(_mm_srli_si128(sum, 8));
	if (sign) all -= 128 * (int32_t)i;
	for (; i < n; i++) all += sign ? (signed char)x[i] : (unsigned char)x[i];
	return all;
}

/* the elements from k on of row i, as words in `room` if they are not where they are */
static const char *take_row(const multiplication *x, const words *with, int64_t i, int64_t k,
                            int64_t depth, char *room)
{
	const char *from = x->rows[least(i, x->m - 1)];
	char bytes[MOST_DEPTH];

	if (with->each == WORD && is_run(&x->a) && depth % WORD == 0) return from + k;
	take_bytes(place_of(x->a.sum, k), side_step(&x->a, x->a.sum), from, depth, bytes);
	pack_run(x, with, bytes, depth, room);
	return room;
}

/* what the sums of rows begin with */
static void find_starts(const multiplication *x, const words *with, int64_t k, int64_t depth,
                        int32_t *to)
{
	const bool sign = has_sign(x);
	char room[MOST_DEPTH];

	for (int64_t i = 0; i < x->m; i++)
		to[i] = (sign ? -128 : 128) *
		        added_up(take_row(x, with, i, k, depth, room), depth, sign);
}

/* ---- a block */

static void multiply_panel(const multiplication *x, const words *with, word_tile t, int64_t k,
                           int64_t depth)
{
	_Alignas(64) char room[TILE_ROWS][MOST_DEPTH];
	const char *row[TILE_ROWS];

	t.row = row;
	for (int64_t i = 0; i < x->m; i += with->rows) {
		for (int r = 0; r < with->rows; r++)
			row[r] = take_row(x, with, i + r, k, depth, room[r]);
		t.rows = (int)least(x->m - i, with->rows);
		with->multiply(&t);
		t.start += with->rows;
		t.c += with->rows * x->c.apart;
	}
}

bool has_integers(const multiplication *x) { return x->a.read->to == TSR_I32; }

void multiply_integers(const multiplication *x)
{
	_Alignas(64) char panel[WORDS * TILE_BYTES + WIDE];
	int32_t start[MOST_BLOCK + TILE_ROWS] = {0};
	const words *with = words_of(has_sign(x));

	for (int64_t k = 0, depth; k < x->k; k += depth) {
		depth = least(x->k - k, WORDS * with->each);
		if (with->each == WORD) find_starts(x, with, x->first + k, depth, start);
		for (int64_t j = 0, n; j < x->n; j += n) {
			n = least(x->n - j, with->columns);
			pack(x, with, x->column + j, n, x->first + k, depth, panel);
			multiply_panel(x, with,
			               (word_tile){.b = panel,
			                           .words = shares(depth, with->each),
			                           .start = start,
			                           .c = x->c.at + j * WORD,
			                           .apart = x->c.apart,
			                           .columns = (int)n,
			                           .adds = k > 0},
			               x->first + k, depth);
		}
	}
}

#else /* kernels compute products */

bool has_integers(const multiplication *x) { return (void)x, false; }
void multiply_integers(const multiplication *x) { (void)x; }

#endif
