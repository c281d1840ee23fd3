/* test_base.c - memory, arenas, errors, dtypes, dims, text, tables and scopes: values against
 * tables and slow oracles, and every allocation failing in turn. cmocka.h comes after base.h: it
 * makes fail a macro, hence (fail)(...). */
#include "base/base.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static uint64_t random_state = 1;

/* xorshift64: the same numbers in every run */
static uint64_t random_u64(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	return random_state ^= random_state << 17;
}

static void base_open(base *b) { assert_true(base_init(b, NULL, NULL, 0)); }

static void base_close(base *b)
{
	base_fini(b);
	assert_int_equal(mem_in_use(b), 0);
}

/* Does `work` with the first, the second, ... request failing until none fails; each failure must
 * be recorded and give all back. */
static void with_failures(bool (*work)(base *), int at_least)
{
	base b;
	int failures = 0;

	base_open(&b);
	const size_t before = mem_in_use(&b);
	for (bool done = false; !done; ) {
		b.mem.fail_at = failures + 1;
		done = work(&b);
		b.mem.fail_at = -1;
		assert_int_equal(mem_in_use(&b), before);
		assert_int_equal(error_code(&b), done ? TSR_OK : TSR_ERROR_MEMORY);
		error_clear(&b);
		failures += !done;
	}
	assert_true(failures >= at_least);
	base_close(&b);
}

/* ---- memory.c */

/* A hook whose memory is aligned to nothing, each time differently; `live` counts what it has
 * given. */
typedef struct odd_heap { size_t live, calls; bool refuses; } odd_heap;

static void *odd_hook(void *user, void *old, size_t size)
{
	odd_heap *heap = user;
	char *before = old;
	size_t had = 0, shift = 1 + heap->calls++ * 7 % 61;
	char *raw = NULL;

	if (heap->refuses && size) return NULL;
	if (before) {
		const size_t was = (unsigned char)before[-1];
		memcpy(&had, before - was - sizeof had, sizeof had);
		before -= was + sizeof had;
		heap->live -= had;
	}
	if (size) {
		raw = malloc(size + sizeof had + shift);
		assert_non_null(raw);
		memcpy(raw, &size, sizeof size);
		raw += sizeof had + shift;
		raw[-1] = (char)shift;
		if (old) memcpy(raw, old, had < size ? had : size);
		heap->live += size;
	}
	free(before);
	return raw;
}

static void test_memory_counts(void **state)
{
	base b;
	(void)state;
	base_open(&b);
	const size_t before = mem_in_use(&b);
	char *p = mem_alloc(&b, 1000), *q = mem_zalloc(&b, 0);
	assert_non_null(q);
	assert_int_equal((uintptr_t)p % 64 | (uintptr_t)q % 64, 0);
	assert_true(mem_in_use(&b) >= before + 1000);
	const size_t most = mem_in_use(&b);
	mem_free(&b, p);
	mem_free(&b, q);
	mem_free(&b, NULL);
	assert_int_equal(mem_in_use(&b), before);
	assert_int_equal(b.mem.peak, most);
	base_close(&b);
}

static void test_memory_any_hook(void **state)
{
	odd_heap heap = {0, 0, false};
	base b;
	(void)state;
	assert_true(base_init(&b, odd_hook, &heap, 0));
	unsigned char *p = NULL;
	for (size_t size = 1, had = 0; size < 3000; ) {
		p = mem_grow(&b, p, size);
		assert_int_equal((uintptr_t)p % 64, 0);
		for (size_t i = 0; i < size && i < had; i++) assert_int_equal(p[i], i % 251);
		for (size_t i = 0; i < size; i++) p[i] = (unsigned char)(i % 251);
		assert_int_equal(mem_in_use(&b), heap.live);
		had = size;
		size = size % 5 ? 2 * size + 1 : size * 2 / 3 + 7;
	}
	p = mem_grow(&b, p, 100);
	for (size_t i = 0; i < 100; i++) assert_int_equal(p[i], i % 251);
	heap.refuses = true;
	assert_null(mem_grow(&b, p, 200));
	assert_int_equal(p[99], 99);
	mem_free(&b, p);
	base_close(&b);
	assert_int_equal(heap.live, 0);
	assert_false(base_init(&b, odd_hook, &heap, 0));
	assert_false((fail)(&b, NULL, TSR_ERROR_USER, "nowhere to go"));
	assert_string_equal(error_text(&b), "");
	base_fini(&b);
}

static void test_memory_limit(void **state)
{
	base b;
	(void)state;
	assert_true(base_init(&b, NULL, NULL, 20000));
	void *p = mem_alloc(&b, 8000);
	assert_non_null(p);
	assert_null(mem_alloc_quiet(&b, 8000));
	assert_false(failed(&b));
	assert_null(mem_grow(&b, p, 20000));
	assert_int_equal(error_code(&b), TSR_ERROR_MEMORY);
	assert_non_null(strstr(error_text(&b), "out of memory: 20000 bytes wanted, "));
	assert_non_null(strstr(error_text(&b), "the limit is 20000"));
	error_clear(&b);
	p = mem_grow(&b, p, 12000);
	assert_non_null(p);
	assert_true(b.mem.peak <= 20000);
	mem_free(&b, p);
	base_close(&b);
}

static void test_memory_refuses_absurd(void **state)
{
	static const size_t absurd[] = {SIZE_MAX, SIZE_MAX - 64, SIZE_MAX / 2, PTRDIFF_MAX};
	base b;
	(void)state;
	base_open(&b);
	for (size_t i = 0; i < ARRAY_LEN(absurd); i++) {
		assert_null(mem_alloc(&b, absurd[i]));
		assert_null(mem_zalloc(&b, absurd[i]));
	}
	error_clear(&b);
	assert_null(mem_array(&b, SIZE_MAX / 2, 3));
	assert_non_null(strstr(error_text(&b), "items of 3 bytes"));
	void *items = NULL;
	size_t cap = SIZE_MAX / 2;
	assert_false(mem_room(&b, &items, cap, &cap, 64));
	assert_null(items);
	base_close(&b);
}

static void test_memory_fail_at(void **state)
{
	base b;
	void *p[4];
	(void)state;
	base_open(&b);
	b.mem.fail_at = 3;
	for (int i = 0; i < 4; i++) p[i] = mem_alloc_quiet(&b, 8);
	assert_true(p[0] && p[1] && !p[2] && !p[3]);
	assert_null(mem_grow(&b, p[0], 100));
	b.mem.fail_at = 0;
	assert_null(mem_alloc_quiet(&b, 8));
	b.mem.fail_at = -1;
	assert_non_null(p[2] = mem_alloc_quiet(&b, 8));
	for (int i = 0; i < 3; i++) mem_free(&b, p[i]);
	base_close(&b);
}

static bool fill_rooms(base *b)
{
	int64_t *items = NULL;
	size_t n = 0, cap = 0;

	for (; n < 1000 && mem_room(b, (void **)&items, n, &cap, sizeof *items); n++)
		items[n] = (int64_t)n;
	for (size_t i = 0; i < n; i++) assert_int_equal(items[i], i);
	assert_true(n <= cap);
	mem_free(b, items);
	return n == 1000;
}

static void test_memory_room(void **state) { (void)state; with_failures(fill_rooms, 8); }

typedef struct freer { base *base; void **block; size_t n; } freer;

static void *free_all(void *argument)
{
	const freer *f = argument;

	for (size_t i = 0; i < f->n; i++) mem_free(f->base, f->block[i]);
	return NULL;
}

static void test_memory_free_from_threads(void **state)
{
	enum { EACH = 2000, THREADS = 4 };
	static void *block[THREADS][EACH];
	pthread_t thread[THREADS];
	freer work[THREADS];
	base b;
	(void)state;
	base_open(&b);
	const size_t before = mem_in_use(&b);
	for (int t = 0; t < THREADS; t++)
		for (int i = 0; i < EACH; i++) assert_non_null(block[t][i] = mem_alloc(&b, 24));
	for (int t = 0; t < THREADS; t++) {
		work[t] = (freer){&b, block[t], EACH};
		assert_int_equal(pthread_create(&thread[t], NULL, free_all, &work[t]), 0);
	}
	for (int i = 0; i < EACH; i++) mem_free(&b, mem_alloc(&b, 40));
	for (int t = 0; t < THREADS; t++) pthread_join(thread[t], NULL);
	assert_int_equal(mem_in_use(&b), before);
	base_close(&b);
}

/* ---- arena.c */


typedef struct call_log { int order[8], n; } call_log;
typedef struct call { call_log *log; int id; } call;

static void log_call(void *argument)
{
	const call *c = argument;
	c->log->order[c->log->n++] = c->id;
}

static void test_arena(void **state)
{
	enum { N = 4000 };
	static unsigned char *at[N];
	static size_t size[N];
	base b;
	(void)state;
	base_open(&b);
	arena *a = arena_make(&b);
	assert_ptr_equal(arena_base(a), &b);
	for (size_t i = 0; i < N; i++) {
		size[i] = i % 97 ? random_u64() % 100 : random_u64() % 100000;
		assert_non_null(at[i] = arena_alloc(a, size[i]));
		assert_int_equal((uintptr_t)at[i] % 16, 0);
		for (size_t k = 0; k < size[i]; k++) assert_int_equal(at[i][k], 0);
		memset(at[i], (int)(i % 255 + 1), size[i]);
	}
	for (size_t i = 0; i < N; i++)
		for (size_t k = 0; k < size[i]; k++) assert_int_equal(at[i][k], i % 255 + 1);
	arena_free(a);
	arena_free(NULL);
	base_close(&b);
}

static void test_arena_copies_and_calls(void **state)
{
	call_log log = {{0}, 0};
	base b;
	(void)state;
	base_open(&b);
	arena *a = arena_make(&b);
	assert_string_equal(arena_str(a, "a string"), "a string");
	assert_memory_equal(arena_copy(a, "\1\2\3", 3), "\1\2\3", 3);
	assert_non_null(arena_copy(a, NULL, 0));
	assert_non_null(arena_array(a, 0, 8));
	for (int i = 0; i < 5; i++) {
		call *c = arena_alloc(a, sizeof *c);
		*c = (call){&log, i};
		assert_true(arena_defer(a, log_call, c));
	}
	assert_null(arena_array(a, SIZE_MAX / 4, 8));
	assert_null(arena_alloc(a, SIZE_MAX - 8));
	assert_int_equal(error_code(&b), TSR_ERROR_MEMORY);
	arena_free(a);
	assert_int_equal(log.n, 5);
	for (int i = 0; i < 5; i++) assert_int_equal(log.order[i], 4 - i);
	base_close(&b);
}

static bool fill_arena(base *b)
{
	call_log log = {{0}, 0};
	arena *a = arena_make(b);
	call *c = a ? arena_alloc(a, sizeof *c) : NULL;
	const bool deferred = c && arena_defer(a, log_call, c);
	bool ok = deferred;

	if (c) *c = (call){&log, 7};
	for (size_t i = 0; ok && i < 300; i++) ok = arena_alloc(a, i * 11) != NULL;
	ok = ok && arena_str(a, "x");
	arena_free(a);
	assert_int_equal(log.n, deferred);
	return ok;
}

static void test_arena_in_room(void **state)
{
	_Alignas(16) char room[512];
	base b;
	(void)state;
	base_open(&b);
	b.mem.fail_at = 1; /* asks for nothing as long as the room suffices */
	arena *a = arena_in(&b, room, sizeof room);
	for (int i = 0; i < 20; i++) {
		char *at = arena_alloc(a, 16);
		assert_true(at >= room && at + 16 <= room + sizeof room);
		assert_int_equal((uintptr_t)at % 16, 0);
		memset(at, i, 16);
	}
	assert_null(arena_alloc(a, 400));
	b.mem.fail_at = -1;
	char *far = arena_alloc(a, 400);
	assert_true(far && (far < room || far >= room + sizeof room));
	arena_free(a);
	error_clear(&b);
	base_close(&b);
}

static void test_arena_failures(void **state) { (void)state; with_failures(fill_arena, 5); }

/* ---- error.c */

typedef struct heard { int count, level; char text[8000]; } heard;

static void hear(void *user, int level, const char *text)
{
	heard *h = user;
	h->count++;
	h->level = level;
	snprintf(h->text, sizeof h->text, "%s", text);
}

static void test_error_first_is_kept(void **state)
{
	heard h = {0, -1, ""};
	base b;
	(void)state;
	base_open(&b);
	errors_log_to(&b, hear, &h);
	error_log_once(&b);
	fail_note(&b, "about nothing");
	assert_false(failed(&b));
	assert_string_equal(error_text(&b), "");
	assert_false((fail)(&b, "a/b.c:7", TSR_ERROR_TYPE, "matmul: %d and %s", 3, "f32"));
	assert_false((fail)(&b, "c.c:9", TSR_ERROR_USER, "later"));
	fail_note(&b, "while tracing %s", "matmul");
	fail_note(&b, "in vmap of loss");
	assert_true(failed(&b));
	assert_int_equal(error_code(&b), TSR_ERROR_TYPE);
	assert_string_equal(error_text(&b),
	                    "a/b.c:7: matmul: 3 and f32\n"
	                    "  while tracing matmul\n  in vmap of loss");
	error_log_once(&b);
	error_log_once(&b);
	assert_int_equal(h.count, 1);
	assert_int_equal(h.level, 0);
	assert_string_equal(h.text, error_text(&b));
	error_clear(&b);
	assert_false(failed(&b));
	assert_false((fail)(&b, NULL, TSR_ERROR_FILE, "no place"));
	assert_string_equal(error_text(&b), "no place");
	error_log_once(&b);
	assert_int_equal(h.count, 2);
	log_text(&b, 1, "careful");
	assert_int_equal(h.level, 1);
	base_close(&b);
}

static void test_error_without_base(void **state)
{
	base none = {.errors = NULL};
	(void)state;
	assert_false((fail)(NULL, "x", TSR_ERROR_USER, "y"));
	assert_false((fail)(&none, "x", TSR_ERROR_USER, "y"));
	fail_note(NULL, "z");
	error_clear(NULL);
	error_log_once(NULL);
	errors_log_to(NULL, hear, NULL);
	log_text(NULL, 0, "w");
	assert_int_equal(error_code(NULL), 0);
	assert_string_equal(error_text(NULL), "");
	assert_false(failed(&none));
}

/* Texts and notes of every length near the ends of their room: terminated, cut between characters,
 * marked. */
static void test_error_long_texts(void **state)
{
	static char text[20000];
	base b;
	(void)state;
	base_open(&b);
	for (size_t n = 4080; n < 4110; n++) {
		memset(text, 'a', n % 3);
		for (size_t i = n % 3; i < n; i += 3) memcpy(text + i, "\xE2\x82\xAC", 4);
		(fail)(&b, NULL, TSR_ERROR_USER, "%s", text);
		size_t len = strlen(error_text(&b));
		const bool whole = len == strlen(text);
		assert_true(len < 4096 && len > 4088 - 12);
		if (!whole) len -= 3, assert_string_equal(error_text(&b) + len, "...");
		assert_int_equal(len % 3, n % 3);
		assert_memory_equal(error_text(&b), text, len);
		for (int i = 0; i < 100; i++) fail_note(&b, "%d%.*s", i, (int)(n - 4050), text);
		len = strlen(error_text(&b));
		assert_true(len < 4096 + 2048);
		/* the last note is cut, or there is not even room for a cut one */
		assert_true(!strcmp(error_text(&b) + len - 3, "...") || len > 4096 + 2048 - 9);
		error_clear(&b);
	}
	memset(text, 'w', sizeof text - 1);
	(fail)(&b, text, TSR_ERROR_USER, "the text is seen");
	assert_non_null(strstr(error_text(&b), "...: the text is seen"));
	fail_note(&b, "%s", error_text(&b));
	assert_true(strlen(error_text(&b)) < 4096 + 2048);
	base_close(&b);
}

static void test_error_stderr(void **state)
{
	char got[100] = "";
	base b;
	(void)state;
	FILE *to = tmpfile();
	assert_non_null(to);
	base_open(&b);
	errors_log_to(&b, NULL, NULL);
	(fail)(&b, "a.c:1", TSR_ERROR_USER, "oops");
	fflush(stderr);
	const int kept = dup(2);
	dup2(fileno(to), 2);
	error_log_once(&b);
	fflush(stderr);
	dup2(kept, 2);
	close(kept);
	rewind(to);
	assert_true(fread(got, 1, sizeof got - 1, to) > 0);
	assert_string_equal(got, "tsr: a.c:1: oops\n");
	fclose(to);
	base_close(&b);
}

/* ---- dtype.c */

static const char *const names[] = {
	"bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64",
	"c64", "c128",
};

static tsr_dtype named(const char *name, size_t len)
{
	const tsr_dtype d = dtype_parse(name, len);
	assert_true(dtype_ok(d));
	return d;
}

static void test_dtype_names(void **state)
{
	static const uint8_t sizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16};
	static const enum dtype_kind kinds[] = {
		KIND_BOOL, KIND_INT, KIND_INT, KIND_INT, KIND_INT, KIND_UINT, KIND_UINT, KIND_UINT,
		KIND_UINT, KIND_FLOAT, KIND_FLOAT, KIND_FLOAT, KIND_FLOAT, KIND_COMPLEX,
		KIND_COMPLEX,
	};
	(void)state;
	assert_int_equal(ARRAY_LEN(names) + 1, TSR_DTYPE_COUNT_);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const tsr_dtype d = (tsr_dtype)(i + 1);
		assert_string_equal(tsr_dtype_name(d), names[i]);
		assert_int_equal(dtype_parse(names[i], strlen(names[i])), d);
		assert_int_equal(dtype_parse(names[i], strlen(names[i]) - 1), TSR_DTYPE_DEFAULT);
		assert_int_equal(tsr_dtype_size(d), sizes[i]);
		assert_int_equal(dtype_bits(d), 8 * sizes[i]);
		assert_int_equal(dtype_kind(d), kinds[i]);
		assert_int_equal(dtype_real(d), i < 13 ? d : i < 14 ? TSR_F32 : TSR_F64);
		assert_int_equal(dtype_inexact(d), i < 9 ? TSR_F32 : d);
	}
	static const int none[] = {TSR_DTYPE_DEFAULT, TSR_DTYPE_COUNT_, 1000, -1};
	for (size_t i = 0; i < ARRAY_LEN(none); i++) {
		assert_false(dtype_ok((tsr_dtype)none[i]));
		assert_string_equal(tsr_dtype_name((tsr_dtype)none[i]), "?");
		assert_int_equal(tsr_dtype_size((tsr_dtype)none[i]), 0);
		assert_int_equal(tsr_promote((tsr_dtype)none[i], TSR_F32), TSR_DTYPE_DEFAULT);
	}
	assert_int_equal(dtype_parse("float", 5), TSR_DTYPE_DEFAULT);
	assert_int_equal(dtype_parse("?", 1), TSR_DTYPE_DEFAULT);
	assert_int_equal(dtype_parse("", 0), TSR_DTYPE_DEFAULT);
	assert_int_equal(dtype_parse("f32x", 3), TSR_F32);
	assert_string_equal(tsr_version(), "0.1.0");
}

/* the words of a row, as dtypes */
static void row_of_dtypes(const char *text, tsr_dtype out[15])
{
	for (int i = 0; i < 15; i++) {
		const size_t n = strcspn(text, " ");
		out[i] = named(text, n);
		text += n + (text[n] == ' ');
	}
	assert_int_equal(*text, 0);
}

/* jnp.promote_types with 64-bit types on */
static void test_dtype_promotion(void **state)
{
	static const char *const rows[] = {
		"bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128",
		"i8 i8 i16 i32 i64 i16 i32 i64 f64 f16 bf16 f32 f64 c64 c128",
		"i16 i16 i16 i32 i64 i16 i32 i64 f64 f16 bf16 f32 f64 c64 c128",
		"i32 i32 i32 i32 i64 i32 i32 i64 f64 f16 bf16 f32 f64 c64 c128",
		"i64 i64 i64 i64 i64 i64 i64 i64 f64 f16 bf16 f32 f64 c64 c128",
		"u8 i16 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128",
		"u16 i32 i32 i32 i64 u16 u16 u32 u64 f16 bf16 f32 f64 c64 c128",
		"u32 i64 i64 i64 i64 u32 u32 u32 u64 f16 bf16 f32 f64 c64 c128",
		"u64 f64 f64 f64 f64 u64 u64 u64 u64 f16 bf16 f32 f64 c64 c128",
		"f16 f16 f16 f16 f16 f16 f16 f16 f16 f16 f32 f32 f64 c64 c128",
		"bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 f32 bf16 f32 f64 c64 c128",
		"f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f64 c64 c128",
		"f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 c128 c128",
		"c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c128 c64 c128",
		"c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128",
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		tsr_dtype want[15];
		row_of_dtypes(rows[i], want);
		for (int j = 0; j < 15; j++)
			assert_int_equal(tsr_promote((tsr_dtype)(i + 1), (tsr_dtype)(j + 1)),
			                 want[j]);
	}
}

/* a Python bool, int, float or complex beside each dtype */
static void test_dtype_weak(void **state)
{
	static const struct { enum tsr_kind kind; tsr_dtype alone; const char *beside; } rows[] = {
		{TSR_KIND_BOOL, TSR_BOOL,
		 "bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128"},
		{TSR_KIND_INT, TSR_I32,
		 "i32 i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128"},
		{TSR_KIND_UINT, TSR_I32,
		 "i32 i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128"},
		{TSR_KIND_FLOAT, TSR_F32,
		 "f32 f32 f32 f32 f32 f32 f32 f32 f32 f16 bf16 f32 f64 c64 c128"},
		{TSR_KIND_COMPLEX, TSR_C64,
		 "c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c128 c64 c128"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		tsr_dtype want[15];
		row_of_dtypes(rows[i].beside, want);
		for (int j = 0; j < 15; j++)
			assert_int_equal(dtype_weak(rows[i].kind, (tsr_dtype)(j + 1)), want[j]);
		assert_int_equal(dtype_weak(rows[i].kind, TSR_DTYPE_DEFAULT), rows[i].alone);
	}
	assert_int_equal(dtype_weak(TSR_KIND_ONE, TSR_I8), TSR_I8);
	assert_int_equal(dtype_weak(TSR_KIND_NONE, TSR_DTYPE_DEFAULT), TSR_DTYPE_DEFAULT);
}

/* What the bits of a 16-bit float mean, by its definition. */
static double small_value(uint16_t h, int fraction_bits)
{
	const int most = (1 << (15 - fraction_bits)) - 1, bias = most / 2;
	const int exponent = h >> fraction_bits & most, fraction = h & ((1 << fraction_bits) - 1);
	double x = ldexp(fraction, 1 - bias - fraction_bits);

	if (exponent) x = ldexp((1 << fraction_bits) + fraction, exponent - bias - fraction_bits);
	if (exponent == most) x = fraction ? (double)NAN : HUGE_VAL;
	return h >> 15 ? -x : x;
}

typedef struct small_float {
	int fraction_bits;
	float (*to_f32)(uint16_t);
	uint16_t (*from_f32)(float), (*from_f64)(double);
	uint16_t infinity;
} small_float;

static const small_float small_floats[] = {
	{10, f16_to_f32, f32_to_f16, f64_to_f16, 0x7C00},
	{7, bf16_to_f32, f32_to_bf16, f64_to_bf16, 0x7F80},
};

static void test_small_floats_all(void **state)
{
	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(small_floats); k++) {
		const small_float *t = &small_floats[k];
		for (uint32_t u = 0; u < 65536; u++) {
			const uint16_t h = (uint16_t)u;
			const float x = t->to_f32(h);
			const double want = small_value(h, t->fraction_bits);
			if (want != want) {
				assert_true(x != x);
				assert_true((t->from_f32(x) & 0x7FFF) > t->infinity &&
				            t->from_f32(x) >> 15 == h >> 15);
				assert_true((t->from_f64((double)x) & 0x7FFF) > t->infinity);
				continue;
			}
			assert_true((double)x == want && !signbit(x) == !(h >> 15));
			assert_int_equal(t->from_f32(x), h);
			assert_int_equal(t->from_f64((double)x), h);
		}
	}
}

/* Around the middle of each two neighbours: to even on it, to the nearer one beside it, however
 * little beside. */
static void test_small_floats_round_once(void **state)
{
	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(small_floats); k++) {
		const small_float *t = &small_floats[k];
		for (uint16_t h = 0; h < t->infinity; h++) {
			const uint16_t sign = h & 1 ? 0x8000 : 0, low = sign | h;
			const uint16_t high = (uint16_t)(low + 1), before = (uint16_t)(low - 1);
			const double x = small_value(low, t->fraction_bits);
			/* infinity stands where the next number would be */
			const double next = high == (sign | t->infinity) ?
			                    2 * x - small_value(before, t->fraction_bits) :
			                    small_value(high, t->fraction_bits);
			const double middle = (x + next) / 2, far = next > x ? HUGE_VAL : -HUGE_VAL;
			const float middle_f32 = (float)middle;
			assert_int_equal(t->from_f32(middle_f32), h & 1 ? high : low);
			assert_int_equal(t->from_f64(middle), h & 1 ? high : low);
			assert_int_equal(t->from_f32(nextafterf(middle_f32, 0)), low);
			assert_int_equal(t->from_f32(nextafterf(middle_f32, (float)far)), high);
			assert_int_equal(t->from_f64(nextafter(middle, 0)), low);
			assert_int_equal(t->from_f64(nextafter(middle, far)), high);
		}
		assert_int_equal(t->from_f64(1e300), t->infinity);
		assert_int_equal(t->from_f64(-1e300), 0x8000 | t->infinity);
		assert_int_equal(t->from_f64(1e-300), 0);
		assert_int_equal(t->from_f64(-5e-324), 0x8000);
	}
}

/* one conversion, both sides as text */
static void converts(tsr_dtype from, const char *text, tsr_dtype to, const char *want)
{
	base b;
	uint64_t in[2] = {0, 0}, out[2] = {0, 0};
	const char *at = text;

	base_open(&b);
	str got = {.base = &b};
	assert_true(number_read(&at, from, in));
	dtype_convert(to, out, from, in, 1);
	str_number(&got, to, out, 0);
	if (strcmp(got.s, want))
		fail_msg("%s %s to %s: got %s, want %s", tsr_dtype_name(from), text,
		         tsr_dtype_name(to), got.s, want);
	str_free(&got);
	base_close(&b);
}

/* the values of JAX's astype; where it rounds twice, through f32, once */
static void test_convert_edges(void **state)
{
	static const struct edge {
		tsr_dtype from; const char *text; tsr_dtype to; const char *want;
	} rows[] = {
		{TSR_F32, "300.0", TSR_I8, "127"}, {TSR_F32, "-300.0", TSR_I8, "-128"},
		{TSR_F32, "-1.9", TSR_I8, "-1"}, {TSR_F32, "nan", TSR_I8, "0"},
		{TSR_F32, "inf", TSR_I8, "127"}, {TSR_F32, "-inf", TSR_I8, "-128"},
		{TSR_F32, "255.9", TSR_U8, "255"}, {TSR_F32, "-1.0", TSR_U8, "0"},
		{TSR_F32, "256.0", TSR_U8, "255"}, {TSR_F64, "40000.0", TSR_I16, "32767"},
		{TSR_F16, "-inf", TSR_I16, "-32768"}, {TSR_BF16, "1e+20", TSR_U16, "65535"},
		{TSR_F32, "2147483600.0", TSR_I32, "2147483647"},
		{TSR_F32, "2147483500.0", TSR_I32, "2147483520"},
		{TSR_F32, "-1e+20", TSR_I32, "-2147483648"}, {TSR_F32, "nan", TSR_I32, "0"},
		{TSR_F64, "4294967295.5", TSR_U32, "4294967295"}, {TSR_F32, "-0.5", TSR_U32, "0"},
		{TSR_F64, "9223372036854775807", TSR_I64, "9223372036854775807"},
		{TSR_F64, "-9223372036854775808", TSR_I64, "-9223372036854775808"},
		{TSR_F64, "-1e+19", TSR_I64, "-9223372036854775808"},
		{TSR_F64, "18446744073709549568", TSR_U64, "18446744073709549568"},
		{TSR_F64, "1e+20", TSR_U64, "18446744073709551615"}, {TSR_F64, "nan", TSR_U64, "0"},
		{TSR_F64, "-3.0", TSR_U64, "0"}, {TSR_I32, "-1", TSR_U8, "255"},
		{TSR_I32, "300", TSR_U8, "44"}, {TSR_I32, "200", TSR_I8, "-56"},
		{TSR_I64, "-1", TSR_U64, "18446744073709551615"},
		{TSR_U64, "18446744073709551615", TSR_I64, "-1"},
		{TSR_U64, "18446744073709551615", TSR_I8, "-1"},
		{TSR_I8, "-1", TSR_U32, "4294967295"},
		{TSR_I64, "9223372036854775807", TSR_I64, "9223372036854775807"},
		{TSR_I64, "16777217", TSR_F32, "16777216.0"},
		{TSR_I64, "16777219", TSR_F32, "16777220.0"},
		{TSR_I64, "9007199791611905", TSR_F32, "9007200000000000.0"},
		{TSR_I64, "9007199254740993", TSR_F64, "9007199254740992.0"},
		{TSR_U64, "18446744073709551615", TSR_F32, "1.8446744e+19"},
		{TSR_U64, "18446744073709551615", TSR_F64, "1.8446744073709552e+19"},
		{TSR_I64, "-9223372036854775808", TSR_BF16, "-9.22e+18"},
		{TSR_U64, "18446744073709551615", TSR_F16, "inf"},
		{TSR_I32, "65519", TSR_F16, "65500.0"}, {TSR_I32, "65520", TSR_F16, "inf"},
		{TSR_I32, "-65520", TSR_F16, "-inf"},
		{TSR_F64, "1.00390625000001", TSR_BF16, "1.01"},
		{TSR_F64, "1.00390625", TSR_BF16, "1.0"},
		{TSR_F64, "1.00048828125001", TSR_F16, "1.001"}, {TSR_F64, "1e+39", TSR_F32, "inf"},
		{TSR_F64, "0.1", TSR_F32, "0.1"}, {TSR_BOOL, "true", TSR_F16, "1.0"},
		{TSR_F32, "nan", TSR_BOOL, "true"}, {TSR_F32, "-0.0", TSR_BOOL, "false"},
		{TSR_U64, "9223372036854775808", TSR_BOOL, "true"},
		{TSR_I8, "-128", TSR_BOOL, "true"}, {TSR_C64, "(0.0,1.0)", TSR_BOOL, "true"},
		{TSR_C64, "(0.0,-0.0)", TSR_BOOL, "false"}, {TSR_C64, "(2.5,7.0)", TSR_I32, "2"},
		{TSR_C128, "(0.1,nan)", TSR_C64, "(0.1,nan)"},
		{TSR_C64, "(1.5,7.0)", TSR_F64, "1.5"}, {TSR_I16, "-3", TSR_C128, "(-3.0,0.0)"},
		{TSR_F16, "-0.0", TSR_C64, "(-0.0,0.0)"},
		{TSR_C64, "(1.0,2.0)", TSR_C64, "(1.0,2.0)"}, {TSR_BF16, "nan", TSR_F16, "nan"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		converts(rows[i].from, rows[i].text, rows[i].to, rows[i].want);
}

/* 2^60 + 2^52 + 1 is just above the middle of two bf16, and 2^63 + 2^39 + 1 of two f32; through f64
 * they would be on it. */
static void test_convert_ints_round_once(void **state)
{
	const int64_t above = ((int64_t)1 << 60) + ((int64_t)1 << 52) + 1, x[] = {above, -above};
	const uint64_t y = ((uint64_t)1 << 63) + ((uint64_t)1 << 39) + 1;
	uint16_t h[2];
	float f;
	(void)state;
	dtype_convert(TSR_BF16, h, TSR_I64, x, 2);
	assert_int_equal(h[0], 0x5D81);
	assert_int_equal(h[1], 0xDD81);
	dtype_convert(TSR_BF16, h, TSR_U64, x, 1);
	assert_int_equal(h[0], 0x5D81);
	dtype_convert(TSR_F32, &f, TSR_U64, &y, 1);
	assert_true(f == 0x1.000002p63f);
}

/* Every pair, over more than a block, from and to memory aligned to nothing, of numbers that every
 * dtype has. */
static void test_convert_all_pairs(void **state)
{
	enum { N = 700 };
	static unsigned char in[16 * N + 1], out[16 * N + 2];
	static double number[N];
	(void)state;
	for (int i = 0; i < N; i++) number[i] = i % 128;
	for (int a = TSR_BOOL; a < TSR_DTYPE_COUNT_; a++) {
		dtype_convert((tsr_dtype)a, in + 1, TSR_F64, number, N);
		for (int b = TSR_BOOL; b < TSR_DTYPE_COUNT_; b++) {
			const size_t size = N * tsr_dtype_size((tsr_dtype)b);
			out[1 + size] = 77;
			dtype_convert((tsr_dtype)b, out + 1, (tsr_dtype)a, in + 1, N);
			assert_int_equal(out[1 + size], 77);
			const bool truth = a == TSR_BOOL || b == TSR_BOOL;
			for (int i = 0; i < N; i++) {
				double z[2];
				dtype_get_complex((tsr_dtype)b, out + 1, i, z);
				assert_true(z[0] == (truth ? number[i] != 0 : number[i]));
				assert_true(z[1] == 0);
				assert_true(dtype_get((tsr_dtype)b, out + 1, i) == z[0]);
			}
		}
	}
	dtype_convert(TSR_F32, NULL, TSR_F64, NULL, 0);
	dtype_convert(TSR_BOOL, out, TSR_BOOL, "\0\1\5", 3);
	assert_memory_equal(out, "\0\1\1", 3);
}

static void test_dtype_from_arg(void **state)
{
	uint64_t u = 0;
	int8_t i8;
	float f;
	float c[2];
	bool t;
	(void)state;
	dtype_from_arg(TSR_U64, &(tsr_arg){TSR_KIND_UINT, {.u = UINT64_MAX}}, &u);
	assert_true(u == UINT64_MAX);
	dtype_from_arg(TSR_I8, &(tsr_arg){TSR_KIND_INT, {.i = -3}}, &i8);
	assert_int_equal(i8, -3);
	dtype_from_arg(TSR_F32, &(tsr_arg){TSR_KIND_INT, {.i = 16777219}}, &f);
	assert_true(f == 16777220.0f);
	dtype_from_arg(TSR_F32, &(tsr_arg){TSR_KIND_FLOAT, {.f = {0.1, 0}}}, &f);
	assert_true(f == 0.1f);
	dtype_from_arg(TSR_C64, &(tsr_arg){TSR_KIND_FLOAT, {.f = {0.5, 99}}}, c);
	assert_true(c[0] == 0.5f && c[1] == 0);
	dtype_from_arg(TSR_C64, &(tsr_arg){TSR_KIND_COMPLEX, {.f = {0.5, -2}}}, c);
	assert_true(c[0] == 0.5f && c[1] == -2);
	dtype_from_arg(TSR_F32, &(tsr_arg){TSR_KIND_BOOL, {.i = 1}}, &f);
	assert_true(f == 1);
	dtype_from_arg(TSR_BOOL, &(tsr_arg){TSR_KIND_FLOAT, {.f = {0.25, 0}}}, &t);
	assert_true(t);
}

/* ---- shape.c */

#define DIMS(...) (const int64_t[]){__VA_ARGS__}, (int)ARRAY_LEN(((const int64_t[]){__VA_ARGS__}))

static void test_dims_sizes(void **state)
{
	int64_t n = -1, strides[3];
	(void)state;
	assert_true(dims_size(NULL, 0, &n) && n == 1);
	assert_true(dims_size(DIMS(2, 3, 4), &n) && n == 24);
	assert_true(dims_size(DIMS(5, 0, 7), &n) && n == 0);
	assert_true(dims_size(DIMS(INT64_MAX), &n) && n == INT64_MAX);
	assert_true(dims_size(DIMS((int64_t)1 << 31, (int64_t)1 << 31), &n));
	assert_true(n == (int64_t)1 << 62);
	assert_false(dims_size(DIMS((int64_t)1 << 32, (int64_t)1 << 31), &n));
	assert_false(dims_size(DIMS((int64_t)1 << 32, 0, (int64_t)1 << 32), &n));
	assert_false(dims_size(DIMS(3, -1), &n));
	assert_true(dims_bytes(TSR_C128, DIMS(3, 5), &n) && n == 240);
	assert_false(dims_bytes(TSR_F32, DIMS((int64_t)1 << 61), &n));
	dims_strides(DIMS(2, 3, 4), strides);
	assert_true(strides[0] == 12 && strides[1] == 4 && strides[2] == 1);
	assert_true(dims_same(DIMS(2, 3), DIMS(2, 3)) && dims_same(NULL, 0, NULL, 0));
	assert_false(dims_same(DIMS(2, 3), DIMS(2, 4)) || dims_same(DIMS(2, 3), DIMS(2)));
	assert_true(mul_ok(-3, 5, &n) && n == -15);
	assert_true(add_ok(INT64_MAX, -1, &n) && n == INT64_MAX - 1);
	assert_false(mul_ok(INT64_MIN, -1, &n) || add_ok(INT64_MAX, 1, &n) ||
	             add_ok(INT64_MIN, -1, &n));
}

static void test_dims_index(void **state)
{
	int64_t index[3] = {0};
	int d = -1, seen = 0;
	(void)state;
	assert_true(dim_in_range(-1, 3, &d) && d == 2);
	assert_true(dim_in_range(-3, 3, &d) && d == 0);
	assert_true(dim_in_range(2, 3, &d) && d == 2);
	assert_false(dim_in_range(3, 3, &d) || dim_in_range(-4, 3, &d) || dim_in_range(0, 0, &d) ||
	             dim_in_range(INT64_MIN, 3, &d));
	do {
		assert_int_equal(index[0] * 12 + index[1] * 4 + index[2], seen++);
	} while (dims_next(index, DIMS(2, 3, 4)));
	assert_int_equal(seen, 24);
	assert_true(!index[0] && !index[1] && !index[2]);
	assert_false(dims_next(index, NULL, 0));
}

/* against a loop over all indices; dims in any order, reversed, broadcast (input stride 0), with
 * gaps */
static void copies_box(int ndim, const int64_t *dims, const int64_t *place, size_t item)
{
	static unsigned char in[1 << 16], got[1 << 16], want[1 << 16];
	int64_t to[4], from[4], index[4] = {0}, size;

	dims_strides(dims, ndim, to);
	const bool plain = random_u64() % 2;
	for (int i = 0; i < ndim; i++) {
		to[i] = (plain ? to[i] : i % 2 ? place[i] : -place[i]) * (int64_t)item;
		from[i] = random_u64() % 4 ? place[i] * (int64_t)item : 0;
	}
	for (size_t i = 0; i < sizeof in; i++) in[i] = (unsigned char)random_u64();
	memset(got, 0, sizeof got);
	memset(want, 0, sizeof want);
	copy_box(got + sizeof got / 2, to, in, from, dims, ndim, item);
	assert_true(dims_size(dims, ndim, &size));
	if (size) do {
		int64_t a = 0, b = 0;
		for (int i = 0; i < ndim; i++) a += index[i] * to[i], b += index[i] * from[i];
		memcpy(want + (int64_t)(sizeof want / 2) + a, in + b, item);
	} while (dims_next(index, dims, ndim));
	assert_memory_equal(got, want, sizeof got);
}

static void test_copy_box(void **state)
{
	(void)state;
	for (int round = 0; round < 300; round++) {
		const int ndim = (int)(random_u64() % 5);
		int64_t dims[4], place[4], stride = 1;
		for (int i = ndim - 1; i >= 0; i--) {
			dims[i] = (int64_t)(random_u64() % 7);
			if (round % 3 && !dims[i]) dims[i] = 1;
			place[i] = stride;
			stride *= (dims[i] ? dims[i] : 1) + (int64_t)(random_u64() % 3 == 0);
		}
		if (ndim > 1 && round % 2) {
			const int64_t d = dims[0], p = place[0];
			dims[0] = dims[ndim - 1], place[0] = place[ndim - 1];
			dims[ndim - 1] = d, place[ndim - 1] = p;
		}
		static const size_t items[] = {1, 2, 4, 8, 3};
		copies_box(ndim, dims, place, items[random_u64() % ARRAY_LEN(items)]);
	}
	copy_box(NULL, NULL, NULL, NULL, DIMS(0), 4);
}

/* ---- text.c */

static void test_strings(void **state)
{
	base b;
	(void)state;
	base_open(&b);
	str s = {.base = &b};
	assert_null(s.s);
	str_put(&s, "");
	assert_string_equal(s.s, "");
	str_dims(&s, DIMS(2, 8, -1));
	str_putn(&s, "xyz", 2);
	str_printf(&s, "[%s:%d]", "name", 7);
	str_dims(&s, NULL, 0);
	assert_string_equal(s.s, "2,8,-1xy[name:7]");
	assert_int_equal(s.len, strlen(s.s));
	for (int i = 0; i < 1000; i++) str_printf(&s, "%d,", i);
	assert_int_equal(s.len, 16 + 10 * 2 + 90 * 3 + 900 * 4);
	assert_false(s.lost);
	str_free(&s);
	assert_null(s.s);
	assert_string_equal(base_name("a/b.c:7"), "b.c:7");
	assert_string_equal(base_name("b.c:7"), "b.c:7");
	assert_string_equal(base_name("/"), "");
	assert_null(base_name(NULL));
	base_close(&b);
}

static bool fill_string(base *b)
{
	str s = {.base = b};

	for (int i = 0; i < 500; i++)
		str_printf(&s, "%d ", i), str_put(&s, "x"), str_dims(&s, DIMS(1, 2));
	assert_true(!s.s || strlen(s.s) == s.len);
	const bool lost = s.lost;
	str_free(&s);
	assert_false(s.lost);
	return !lost;
}

static void test_strings_failures(void **state) { (void)state; with_failures(fill_string, 5); }

/* what str_number makes of the element; in a static buffer */
static const char *number_text(base *b, tsr_dtype d, const void *data)
{
	static char text[100];
	str s = {.base = b};

	str_number(&s, d, data, 0);
	snprintf(text, sizeof text, "%s", s.s);
	str_free(&s);
	return text;
}

/* the element is written as `want` and that reads back to the same bits */
static void writes(base *b, tsr_dtype d, const void *data, const char *want)
{
	unsigned char back[16] = {0};
	const char *text = number_text(b, d, data), *at = text;

	if (want && strcmp(text, want))
		fail_msg("%s: got %s, want %s", tsr_dtype_name(d), text, want);
	if (!number_read(&at, d, back) || *at || memcmp(back, data, tsr_dtype_size(d)))
		fail_msg("%s: %s does not read back", tsr_dtype_name(d), text);
}

/* repr() of NumPy's scalars */
static void test_number_text_reals(void **state)
{
	static const struct { double x; const char *f64, *f32; } rows[] = {
		{0.0, "0.0", "0.0"}, {-0.0, "-0.0", "-0.0"}, {1, "1.0", "1.0"},
		{-1.5, "-1.5", "-1.5"}, {0.1, "0.1", "0.1"}, {100, "100.0", "100.0"},
		{123456.789, "123456.789", "123456.79"},
		{1e15, "1000000000000000.0", "1000000000000000.0"}, {1e16, "1e+16", "1e+16"},
		{1e-4, "0.0001", "0.0001"}, {1.5e-4, "0.00015", "0.00015"},
		{1e-5, "1e-05", "1e-05"}, {1e-7, "1e-07", "1e-07"},
		{-2.5e-7, "-2.5e-07", "-2.5e-07"},
		{9999999999999998.0, "9999999999999998.0", "1e+16"},
		{1.0 / 3, "0.3333333333333333", "0.33333334"}, {HUGE_VAL, "inf", "inf"},
		{-HUGE_VAL, "-inf", "-inf"}, {16777216, "16777216.0", "16777216.0"},
		{123456789, "123456789.0", "123456790.0"}, {1e30, "1e+30", "1e+30"},
		{0x1p-96, "1.262177448353619e-29", "1.2621775e-29"},
		{0x1p87, "1.5474250491067253e+26", "1.5474251e+26"},
		{0x1p90, "1.2379400392853803e+27", "1.2379401e+27"},
		{0x1p-149, "1.401298464324817e-45", "1e-45"},
		{3.4028234663852886e38, "3.4028234663852886e+38", "3.4028235e+38"},
		{(double)NAN, "nan", "nan"},
	};
	static const struct { double x; const char *text; } wide[] = {
		{0x1p-1017, "7.120236347223045e-307"}, {0x1p-662, "5.225680706521042e-200"},
		{5e-324, "5e-324"}, {1.7976931348623157e308, "1.7976931348623157e+308"},
		{2.2250738585072014e-308, "2.2250738585072014e-308"}, {1e23, "1e+23"},
		{9007199254740993.0, "9007199254740992.0"}, {1e100, "1e+100"},
	};
	base b;
	(void)state;
	base_open(&b);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const float x = (float)rows[i].x;
		writes(&b, TSR_F64, &rows[i].x, rows[i].f64);
		writes(&b, TSR_F32, &x, rows[i].f32);
	}
	for (size_t i = 0; i < ARRAY_LEN(wide); i++) writes(&b, TSR_F64, &wide[i].x, wide[i].text);
	writes(&b, TSR_F16, &(uint16_t){0x2400}, "0.01563");
	writes(&b, TSR_F16, &(uint16_t){0x7BFF}, "65500.0");
	writes(&b, TSR_F16, &(uint16_t){0x0001}, "6e-08");
	writes(&b, TSR_F16, &(uint16_t){0x2E66}, "0.1");
	writes(&b, TSR_BF16, &(uint16_t){0x3DCD}, "0.1");
	writes(&b, TSR_BF16, &(uint16_t){0x7F7F}, "3.39e+38");
	base_close(&b);
}

static void test_number_text_others(void **state)
{
	base b;
	(void)state;
	base_open(&b);
	writes(&b, TSR_BOOL, &(bool){true}, "true");
	writes(&b, TSR_BOOL, &(bool){false}, "false");
	writes(&b, TSR_I8, &(int8_t){-128}, "-128");
	writes(&b, TSR_I16, &(int16_t){32767}, "32767");
	writes(&b, TSR_I32, &(int32_t){INT32_MIN}, "-2147483648");
	writes(&b, TSR_I64, &(int64_t){INT64_MIN}, "-9223372036854775808");
	writes(&b, TSR_U8, &(uint8_t){255}, "255");
	writes(&b, TSR_U16, &(uint16_t){65535}, "65535");
	writes(&b, TSR_U32, &(uint32_t){UINT32_MAX}, "4294967295");
	writes(&b, TSR_U64, &(uint64_t){UINT64_MAX}, "18446744073709551615");
	writes(&b, TSR_C64, (const float[]){1, -2}, "(1.0,-2.0)");
	writes(&b, TSR_C64, (const float[]){0.1f, HUGE_VALF}, "(0.1,inf)");
	writes(&b, TSR_C128, (const double[]){1e-7, 0.1}, "(1e-07,0.1)");
	str s = {.base = &b};
	str_number(&s, TSR_I16, (const int16_t[]){1, 2, -3}, 2);
	assert_string_equal(s.s, "-3");
	str_free(&s);
	base_close(&b);
}

static double rounded(double x, int bits)
{
	switch (bits) {
	case 16: return (double)f16_to_f32(f64_to_f16(x));
	case 17: return (double)bf16_to_f32(f64_to_bf16(x));
	case 32: return (double)(float)x;
	default: return x;
	}
}

/* number_shortest's text reads back, and no decimal with a digit less does: neither the nearest nor
 * its neighbours */
static void is_shortest(double x, int bits)
{
	char text[40], less[40], near[60];

	const int len = number_shortest(text, x, bits);
	assert_int_equal(len, strlen(text));
	if (rounded(strtod(text, NULL), bits) != x)
		fail_msg("%s does not read back at width %d", text, bits);
	const int digits = (int)strcspn(text, "e") - (strchr(text, '.') != NULL) - (*text == '-');
	if (digits < 2) return;
	snprintf(less, sizeof less, "%.*e", digits - 2, x);
	char *e = strchr(less, 'e');
	const int exponent = atoi(e + 1) - (digits - 2);
	long long mantissa = 0;
	for (const char *c = less; c < e; c++)
		if (*c >= '0' && *c <= '9') mantissa = mantissa * 10 + *c - '0';
	for (int step = -1; step <= 1; step++) {
		snprintf(near, sizeof near, "%s%llde%d", x < 0 ? "-" : "", mantissa + step,
		         exponent);
		if (rounded(strtod(near, NULL), bits) == x)
			fail_msg("%s at width %d is not shortest: %s", text, bits, near);
	}
}

static void test_number_shortest_small(void **state)
{
	base b;
	(void)state;
	base_open(&b);
	for (uint32_t u = 0; u < 65536; u++) {
		const uint16_t h = (uint16_t)u;
		const double x = (double)f16_to_f32(h), y = (double)bf16_to_f32(h);
		if (isfinite(x)) is_shortest(x, 16);
		if (isfinite(y)) is_shortest(y, 17);
		if (x == x) writes(&b, TSR_F16, &h, NULL);
		if (y == y) writes(&b, TSR_BF16, &h, NULL);
	}
	base_close(&b);
}

static void test_number_shortest_random(void **state)
{
	base b;
	(void)state;
	base_open(&b);
	for (int i = 0; i < 20000; i++) {
		const uint64_t r = random_u64();
		const uint32_t half = (uint32_t)(r >> 20);
		double x;
		float y;
		memcpy(&x, &r, sizeof x);
		memcpy(&y, &half, sizeof y);
		if (i < 2098) x = ldexp(1, i - 1074);
		if (i < 277) y = ldexpf(1, i - 149);
		if (isfinite(x)) is_shortest(x, 64), writes(&b, TSR_F64, &x, NULL);
		if (isfinite(y)) is_shortest((double)y, 32), writes(&b, TSR_F32, &y, NULL);
	}
	base_close(&b);
}

/* text of exactly its size, so that a reader that runs on is seen by the sanitizers; true: it was
 * all of a number */
static bool reads(tsr_dtype d, const char *text, void *out)
{
	char *copy = strdup(text);
	const char *at = copy;
	assert_non_null(copy);
	const bool ok = number_read(&at, d, out);
	const size_t used = (size_t)(at - copy);
	assert_true(ok ? used > 0 && used <= strlen(text) : used == 0);
	free(copy);
	return ok && !text[used];
}

static void test_number_read_rejects(void **state)
{
	static const struct { tsr_dtype d; const char *text; } rows[] = {
		{TSR_F32, ""}, {TSR_F32, "-"}, {TSR_F32, "+1"}, {TSR_F32, "."}, {TSR_F32, ".5"},
		{TSR_F32, "1."}, {TSR_F32, "1.e5"}, {TSR_F32, "1e"}, {TSR_F32, "1e+"},
		{TSR_F32, "1.5.2"}, {TSR_F32, "0x10"}, {TSR_F32, "0x1p3"}, {TSR_F32, "--1"},
		{TSR_F32, " 1"}, {TSR_F32, "1f"}, {TSR_F32, "nanx"}, {TSR_F32, "nan(1)"},
		{TSR_F32, "infinity"}, {TSR_F32, "NaN"}, {TSR_F32, "in"}, {TSR_F32, "1,5"},
		{TSR_F32, "e5"}, {TSR_F32, "(1.0,2.0)"}, {TSR_F32, "true"}, {TSR_F32, "1_000"},
		{TSR_F64, "1e309"}, {TSR_F64, "-1e999999999999999999999"}, {TSR_F32, "3.5e38"},
		{TSR_F16, "65520"}, {TSR_BF16, "3.4e38"}, {TSR_I8, "128"}, {TSR_I8, "-129"},
		{TSR_I8, "1.0"}, {TSR_I8, "1e2"}, {TSR_I8, "-"}, {TSR_I8, ""}, {TSR_I8, "true"},
		{TSR_U8, "256"}, {TSR_U8, "-1"}, {TSR_I16, "32768"}, {TSR_U16, "65536"},
		{TSR_I32, "2147483648"}, {TSR_U32, "4294967296"}, {TSR_I64, "9223372036854775808"},
		{TSR_I64, "-9223372036854775809"}, {TSR_U64, "18446744073709551616"},
		{TSR_U64, "99999999999999999999999999"}, {TSR_BOOL, "1"}, {TSR_BOOL, "tru"},
		{TSR_BOOL, "truee"}, {TSR_BOOL, ""}, {TSR_C64, "1.0"}, {TSR_C64, "("},
		{TSR_C64, "(1.0"}, {TSR_C64, "(1.0,"}, {TSR_C64, "(1.0,2.0"},
		{TSR_C64, "(1.0 2.0)"}, {TSR_C64, "(1.0,x)"}, {TSR_C64, "(1.0,2.0]"},
		{TSR_C64, "()"}, {TSR_C64, "(1e39,0.0)"}, {TSR_DTYPE_DEFAULT, "1"},
	};
	uint64_t out[2];
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (reads(rows[i].d, rows[i].text, out))
			fail_msg("%s took %s", tsr_dtype_name(rows[i].d), rows[i].text);
}

static void test_number_read_accepts(void **state)
{
	static char many[3000];
	const char *at = "12]", *list = "-7,8";
	int64_t i = 0;
	double x[2] = {0, 0};
	float f = 0;
	uint8_t u = 9;
	(void)state;
	assert_true(reads(TSR_F64, "3", x) && x[0] == 3);
	assert_true(reads(TSR_F64, "1E5", x) && x[0] == 1e5);
	assert_true(reads(TSR_F64, "1e-400", x) && x[0] == 0);
	assert_true(reads(TSR_F64, "-inf", x) && x[0] == -HUGE_VAL);
	assert_true(reads(TSR_F32, "3.4028235e+38", &f) && f == 3.4028234663852886e38f);
	assert_true(reads(TSR_U8, "-0", &u) && u == 0);
	assert_true(reads(TSR_U8, "000255", &u) && u == 255);
	assert_true(reads(TSR_C128, "(nan,-inf)", x) && x[0] != x[0] && x[1] == -HUGE_VAL);
	memset(many, '3', sizeof many - 1);
	memcpy(many, "0.", 2);
	assert_true(reads(TSR_F64, many, x) && x[0] == 1.0 / 3);
	assert_true(number_read(&at, TSR_I32, &(int32_t){0}) && *at == ']');
	assert_true(integer_read(&list, &i) && i == -7 && *list == ',');
	assert_false(integer_read(&list, &i));
	assert_int_equal(*list, ',');
	at = "9223372036854775808";
	assert_false(integer_read(&at, &i));
	at = "-9223372036854775808x";
	assert_true(integer_read(&at, &i) && i == INT64_MIN && *at == 'x');
}

static void test_number_read_noise(void **state)
{
	static const char letters[] = "00123459..--+eEinfatruls(), x_";
	uint64_t out[2];
	char text[16];
	(void)state;
	for (int i = 0; i < 200000; i++) {
		const size_t n = random_u64() % (sizeof text - 1);
		for (size_t k = 0; k < n; k++)
			text[k] = letters[random_u64() % (sizeof letters - 1)];
		text[n] = 0;
		reads((tsr_dtype)(random_u64() % TSR_DTYPE_COUNT_), text, out);
	}
}

/* sets a locale whose decimal point is a comma: one that is installed, or one made for the test */
static bool comma_locale(void)
{
	static const char *const known[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "es_ES.UTF-8"};

	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (setlocale(LC_ALL, known[i]) && *localeconv()->decimal_point == ',') return true;
	char place[] = "/tmp/tsr_locale_XXXXXX", command[200];
	if (!mkdtemp(place)) return false;
	snprintf(command, sizeof command,
	         "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1", place);
	bool made = system(command) == 0;
	setenv("LOCPATH", place, 1);
	made = setlocale(LC_ALL, "de_DE.UTF-8") && *localeconv()->decimal_point == ',';
	snprintf(command, sizeof command, "rm -r %s", place);
	return system(command) == 0 && made;
}

static void test_number_locale(void **state)
{
	char user[16];
	base b;
	(void)state;
	if (!comma_locale()) {
		unsetenv("LOCPATH");
		print_message("no locale with a decimal comma can be had here\n");
		skip();
	}
	base_open(&b);
	snprintf(user, sizeof user, "%.1f", 1.5);
	assert_string_equal(user, "1,5");
	writes(&b, TSR_F64, &(double){1234567.25}, "1234567.25");
	writes(&b, TSR_F32, &(float){1.5e-7f}, "1.5e-07");
	writes(&b, TSR_F16, &(uint16_t){0x3E00}, "1.5");
	writes(&b, TSR_C64, (const float[]){1.5f, -0.25f}, "(1.5,-0.25)");
	writes(&b, TSR_I64, &(int64_t){-1234567}, "-1234567");
	assert_false(reads(TSR_F64, "1,5", &(double){0}));
	snprintf(user, sizeof user, "%.1f", 1.5);
	assert_string_equal(user, "1,5");
	setlocale(LC_ALL, "C");
	unsetenv("LOCPATH");
	base_close(&b);
}

/* ---- hash.c and table.c */

static void test_hash(void **state)
{
	(void)state;
	assert_true(hash_bytes("abc", 3, 1) == hash_str("abc", 1));
	assert_true(hash_bytes("abc", 3, 1) != hash_bytes("abc", 3, 2));
	assert_true(hash_bytes("abc", 3, 1) != hash_bytes("abd", 3, 1));
	assert_true(hash_bytes(NULL, 0, 5) == hash_str("", 5));
	assert_true(hash_str(NULL, 5) != hash_str("", 5) && hash_str(NULL, 5) == hash_str(NULL, 5));
	assert_true(hash_u64(1, 0) != hash_u64(2, 0) && hash_u64(1, 0) != hash_u64(1, 1));
	assert_true(hash_u64(7, 3) == hash_bytes(&(uint64_t){7}, 8, 3));
	assert_true(hash_bytes("", 0, 0) == UINT64_C(0x2D06800538D394C2));
}

static bool same_int(const void *entry, const void *key)
{
	return *(const int *)entry == *(const int *)key;
}

/* a tenth of the hashes is shared by many */
static uint64_t int_hash(int k)
{
	return k % 10 ? hash_u64((uint64_t)k, 0) : (uint64_t)k / 1000;
}

static void mark_freed(base *b, void *entry)
{
	int *value = entry;
	assert_non_null(b);
	assert_true(*value >= 0);
	*value = -1;
}

static bool fill_table(base *b)
{
	enum { N = 3000 };
	static int entry[N];
	table t = {.base = b};
	int n = 0;

	assert_null(table_find(&t, 1, same_int, &(int){1}));
	for (; n < N; n++) {
		entry[n] = n;
		if (!table_add(&t, int_hash(n), &entry[n])) break;
	}
	assert_int_equal(t.count, n);
	for (int k = 0; k < N; k++) {
		const int *found = table_find(&t, int_hash(k), same_int, &k);
		assert_ptr_equal(found, k < n ? &entry[k] : NULL);
	}
	table_free(&t, mark_freed);
	for (int k = 0; k < n; k++) assert_int_equal(entry[k], -1);
	assert_int_equal(t.count, 0);
	table_free(&t, NULL);
	return n == N;
}

static void test_table(void **state) { (void)state; with_failures(fill_table, 8); }

/* ---- scope.c. A payload is a counter of the handles that hold it. */

static void retain_count(handle_slot *s) { ++*(int *)s->payload; }
static void release_count(handle_slot *s) { --*(int *)s->payload; }

typedef struct room { base base; handles all; size_t before; } room;

static void room_open(room *r)
{
	base_open(&r->base);
	r->before = mem_in_use(&r->base);
	assert_true(handles_init(&r->all, &r->base, NULL, retain_count, release_count));
}

static void room_close(room *r)
{
	handles_fini(&r->all);
	assert_int_equal(mem_in_use(&r->base), r->before);
	base_close(&r->base);
}

static tsr *make(room *r, int *payload)
{
	++*payload;
	return handle_make(&r->all, HANDLE_ARRAY, payload, 0);
}

static void test_handles(void **state)
{
	room r;
	int p = 0, q = 0;
	(void)state;
	room_open(&r);
	tsr *poison = r.all.poison;
	assert_true(handle_live(poison) && handle_slot_of(poison)->kind == HANDLE_POISON);
	assert_false(handle_live(NULL));
	assert_null(handle_slot_of(NULL));
	assert_null(handles_of(NULL));
	tsr_scope *s = scope_open(&r.all, false);
	tsr *a = make(&r, &p);
	q = 1;
	tsr *t = handle_make(&r.all, HANDLE_TRACED, &q, 42);
	assert_ptr_equal(handle_slot_of(a)->payload, &p);
	assert_int_equal((uintptr_t)handle_slot_of(a) % 64, 0);
	assert_int_equal(handle_slot_of(t)->var, 42);
	assert_ptr_equal(handles_of(a), &r.all);
	assert_true(handle_live(a) && handle_live(t) && !handle_slot_of(a)->owned);
	scope_close(s);
	assert_false(handle_live(a) || handle_live(t));
	assert_ptr_equal(handles_of(a), &r.all);
	assert_int_equal(p, 0);
	assert_int_equal(q, 0);
	assert_true(handle_live(poison));
	make(&r, &p);
	room_close(&r);
	assert_int_equal(p, 0);
	handles_fini(&r.all);
}

static void test_scopes_out_of_order(void **state)
{
	room r;
	int p[6] = {0};
	(void)state;
	room_open(&r);
	tsr *outermost = make(&r, &p[0]);
	tsr_scope *a = scope_open(&r.all, false), *none = NULL;
	make(&r, &p[1]);
	tsr_scope *b = scope_open(&r.all, false);
	tsr *in_b = make(&r, &p[2]);
	tsr_scope *c = scope_open(&r.all, false);
	make(&r, &p[3]);
	scope_close(b);
	assert_true(p[1] == 1 && !p[2] && !p[3]);
	scope_close(c);
	scope_close(b);
	scope_close(none);
	tsr_scope *d = scope_open(&r.all, false);
	tsr *in_d = make(&r, &p[4]);
	scope_close(b);
	scope_close(c);
	assert_true(handle_live(in_d) && !handle_live(in_b));
	scope_close(a);
	assert_true(!p[1] && !p[4]);
	scope_close(d);
	scope_close(a);
	scope_close(r.all.innermost);
	assert_true(handle_live(outermost));
	assert_int_equal(p[0], 1);
	assert_true(handle_live(make(&r, &p[5])));
	room_close(&r);
	assert_true(!p[0] && !p[5]);
}

/* some of many scopes closed in any order, some twice: the first one opened still closes all, and
 * all is released */
static void test_scopes_random(void **state)
{
	enum { N = 24 };
	room r;
	int p = 0;
	tsr_scope *s[N] = {NULL};
	(void)state;
	room_open(&r);
	tsr_scope *outermost = r.all.innermost, *first = scope_open(&r.all, false);
	for (int i = 0; i < 20000; i++) {
		const size_t k = random_u64() % N;
		if (random_u64() % 3) s[k] = scope_open(&r.all, false);
		else scope_close(s[k]);
		tsr *h = make(&r, &p);
		if (random_u64() % 2) handle_keep(h);
		assert_true(handle_live(h));
	}
	scope_close(first);
	assert_ptr_equal(r.all.innermost, outermost);
	room_close(&r);
	assert_int_equal(p, 0);
}

static void test_handle_keep(void **state)
{
	room r;
	int p = 0, q = 0;
	(void)state;
	room_open(&r);
	tsr *top = make(&r, &p);
	assert_ptr_equal(handle_keep(top), top);
	tsr_scope *a = scope_open(&r.all, false), *b = scope_open(&r.all, false);
	tsr *h = make(&r, &q);
	assert_ptr_equal(handle_keep(h), h);
	scope_close(b);
	assert_true(handle_live(h));
	b = scope_open(&r.all, false);
	handle_keep(h);
	scope_close(b);
	handle_keep(top);
	scope_close(a);
	assert_false(handle_live(h));
	assert_int_equal(q, 0);
	assert_ptr_equal(handle_keep(h), h);
	assert_null(handle_keep(NULL));
	assert_ptr_equal(handle_keep(r.all.poison), r.all.poison);
	assert_true(handle_live(top));
	room_close(&r);
	assert_int_equal(p, 0);
}

static void test_handle_own(void **state)
{
	room r, other;
	int p = 0, q = 0;
	tsr *x = NULL, *y = NULL;
	(void)state;
	room_open(&r);
	room_open(&other);
	tsr_scope *s = scope_open(&r.all, false);
	tsr *h = make(&r, &p), *g = make(&r, &q);
	handle_own(&r.all, &x, h);
	assert_true(x != h && handle_live(x) && handle_slot_of(x)->owned && p == 2);
	handle_own(&r.all, &y, x);
	assert_int_equal(p, 3);
	tsr *old = x;
	handle_own(&r.all, &x, x);
	assert_true(handle_live(x) && !handle_live(old) && p == 3);
	scope_close(s);
	assert_true(handle_live(x) && handle_live(y) && p == 2 && q == 0);
	assert_ptr_equal(handle_slot_of(x)->payload, &p);
	handle_keep(x);
	handle_own(&r.all, &x, g);
	assert_ptr_equal(x, r.all.poison);
	assert_int_equal(p, 1);
	handle_own(&r.all, &x, y);
	handle_own(&r.all, &x, r.all.poison);
	assert_true(x == r.all.poison && p == 1);
	handle_own(&r.all, &x, make(&other, &q));
	assert_true(x == r.all.poison && q == 1);
	handle_own(&r.all, &y, NULL);
	assert_true(!y && p == 0);
	handle_drop(&y);
	handle_drop(&x);
	assert_null(x);
	tsr *scoped = make(&r, &p);
	x = scoped;
	handle_drop(&x);
	assert_true(!x && handle_live(scoped));
	x = scoped;
	handle_own(&r.all, &x, scoped);
	assert_true(x != scoped && handle_live(scoped) && p == 2);
	room_close(&other);
	room_close(&r);
	assert_true(p == 0 && q == 0);
}

/* A stale handle is noticed until its slot has been taken 63 times more; slots are taken oldest
 * first. */
static void test_handle_serials(void **state)
{
	room r;
	int p = 0;
	(void)state;
	room_open(&r);
	tsr *keep = make(&r, &p), *x = NULL;
	tsr_scope *s = scope_open(&r.all, false);
	tsr *stale = make(&r, &p);
	scope_close(s);
	int taken = 0;
	long between = 0, apart = 0;
	while (taken < 63) {
		assert_false(handle_live(stale));
		handle_own(&r.all, &x, keep);
		between++;
		if (handle_slot_of(x) != handle_slot_of(stale)) continue;
		if (taken > 1) assert_int_equal(between, apart);
		apart = between, between = 0;
		taken++;
	}
	assert_ptr_equal(x, stale);
	assert_true(apart > 200);
	room_close(&r);
	assert_int_equal(p, 0);
}

static bool fill_handles(base *b)
{
	enum { N = 3000 };
	static tsr *slot[N];
	handles all;
	int p = 0, poisoned = 0;

	bool ok = handles_init(&all, b, NULL, retain_count, release_count);
	for (int i = 0; i < N && all.poison; i++) {
		slot[i] = NULL;
		tsr_scope *s = scope_open(&all, false);
		p++;
		tsr *h = handle_make(&all, HANDLE_ARRAY, &p, 0);
		handle_own(&all, &slot[i], h);
		poisoned += !s || h == all.poison || slot[i] == all.poison;
		if (i % 3 == 0) scope_close(s);
	}
	ok = ok && !poisoned;
	handles_fini(&all);
	assert_int_equal(p, 0);
	return ok;
}

static void test_handle_failures(void **state) { (void)state; with_failures(fill_handles, 4); }

/* a payload that owns a handle, as a trace owns what it lifted: its release drops that one */
typedef struct owner { tsr *inner; int *count; } owner;

static void release_owner(handle_slot *s)
{
	owner *o = s->payload;
	--*o->count;
	handle_drop(&o->inner);
}

static void test_release_drops_others(void **state)
{
	enum { N = 50 };
	owner chain[N];
	int count = N;
	base b;
	handles all;
	(void)state;
	for (int closing = 0; closing < 2; closing++) {
		base_open(&b);
		count = N;
		assert_true(handles_init(&all, &b, NULL, retain_count, release_owner));
		tsr_scope *s = scope_open(&all, false);
		for (int i = 0; i < N; i++) {
			tsr *inner = i ? handle_make(&all, HANDLE_TRACED, &chain[i - 1], 0) : NULL;
			if (i % 2) handle_slot_of(inner)->owned = true;
			chain[i] = (owner){inner, &count};
		}
		handle_make(&all, HANDLE_TRACED, &chain[N - 1], 0);
		if (closing) scope_close(s);
		else handles_fini(&all);
		assert_int_equal(count, 0);
		handles_fini(&all);
		base_close(&b);
	}
}

/* a training loop: memory is where it was after a million turns */
static void test_steady_memory(void **state)
{
	room r;
	int p = 0;
	tsr *x = NULL;
	size_t settled = 0;
	(void)state;
	room_open(&r);
	tsr_scope *outer = scope_open(&r.all, false);
	for (int i = 0; i < 1000000; i++) {
		tsr_scope *s = scope_open(&r.all, false);
		handle_own(&r.all, &x, make(&r, &p));
		handle_keep(make(&r, &p));
		tsr_scope *inner = scope_open(&r.all, false);
		make(&r, &p);
		if (i % 2) scope_close(inner);
		scope_close(s);
		scope_close(inner);
		if (i % 300 == 299) {
			assert_int_equal(p, 301);
			scope_close(outer);
			assert_int_equal(p, 1);
			outer = scope_open(&r.all, false);
		}
		if (i == 999) settled = r.base.mem.peak;
	}
	assert_int_equal(r.base.mem.peak, settled);
	room_close(&r);
	assert_int_equal(p, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory_counts), cmocka_unit_test(test_memory_any_hook),
		cmocka_unit_test(test_memory_limit), cmocka_unit_test(test_memory_refuses_absurd),
		cmocka_unit_test(test_memory_fail_at), cmocka_unit_test(test_memory_room),
		cmocka_unit_test(test_memory_free_from_threads), cmocka_unit_test(test_arena),
		cmocka_unit_test(test_arena_copies_and_calls), cmocka_unit_test(test_arena_in_room),
		cmocka_unit_test(test_arena_failures), cmocka_unit_test(test_error_first_is_kept),
		cmocka_unit_test(test_error_without_base), cmocka_unit_test(test_error_long_texts),
		cmocka_unit_test(test_error_stderr), cmocka_unit_test(test_dtype_names),
		cmocka_unit_test(test_dtype_promotion), cmocka_unit_test(test_dtype_weak),
		cmocka_unit_test(test_small_floats_all),
		cmocka_unit_test(test_small_floats_round_once),
		cmocka_unit_test(test_convert_edges),
		cmocka_unit_test(test_convert_ints_round_once),
		cmocka_unit_test(test_convert_all_pairs), cmocka_unit_test(test_dtype_from_arg),
		cmocka_unit_test(test_dims_sizes), cmocka_unit_test(test_dims_index),
		cmocka_unit_test(test_copy_box), cmocka_unit_test(test_strings),
		cmocka_unit_test(test_strings_failures), cmocka_unit_test(test_number_text_reals),
		cmocka_unit_test(test_number_text_others),
		cmocka_unit_test(test_number_shortest_small),
		cmocka_unit_test(test_number_shortest_random),
		cmocka_unit_test(test_number_read_rejects),
		cmocka_unit_test(test_number_read_accepts),
		cmocka_unit_test(test_number_read_noise), cmocka_unit_test(test_number_locale),
		cmocka_unit_test(test_hash), cmocka_unit_test(test_table),
		cmocka_unit_test(test_handles), cmocka_unit_test(test_scopes_out_of_order),
		cmocka_unit_test(test_scopes_random), cmocka_unit_test(test_handle_keep),
		cmocka_unit_test(test_handle_own), cmocka_unit_test(test_handle_serials),
		cmocka_unit_test(test_handle_failures), cmocka_unit_test(test_release_drops_others),
		cmocka_unit_test(test_steady_memory),
	};
	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
