/* test_base_memory.c - every byte of a context, and arenas: counts, limits, failing requests,
 * threads. */
#include "unit/base_rig.h"
#include <pthread.h>
#include <stdlib.h>

/* ---- memory.c */

/* A hook whose memory is aligned to nothing, each time differently; `live` counts what it has
 * given. */
typedef struct odd_heap {
	size_t live, calls;
	bool refuses;
} odd_heap;

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
	for (size_t size = 1, had = 0; size < 3000;) {
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
	assert_true(base_init(&b, NULL, NULL, 22600));
	void *p = mem_alloc(&b, 8000);
	assert_non_null(p);
	assert_null(mem_alloc_quiet(&b, 8000));
	assert_false(failed(&b));
	assert_null(mem_grow(&b, p, 20000));
	assert_int_equal(error_code(&b), TSR_ERROR_MEMORY);
	assert_non_null(strstr(error_text(&b), "out of memory: 20000 bytes wanted, "));
	assert_non_null(strstr(error_text(&b), "the limit is 22600"));
	error_clear(&b);
	p = mem_grow(&b, p, 12000);
	assert_non_null(p);
	assert_true(b.mem.peak <= 22600);
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

static void test_memory_room(void **state)
{
	(void)state;
	with_failures(fill_rooms, 8);
}

typedef struct freer {
	base *base;
	void **block;
	size_t n;
} freer;

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

typedef struct call_log {
	int order[8], n;
} call_log;
typedef struct call {
	call_log *log;
	int id;
} call;

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

static void test_arena_failures(void **state)
{
	(void)state;
	with_failures(fill_arena, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory_counts),
		cmocka_unit_test(test_memory_any_hook),
		cmocka_unit_test(test_memory_limit),
		cmocka_unit_test(test_memory_refuses_absurd),
		cmocka_unit_test(test_memory_fail_at),
		cmocka_unit_test(test_memory_room),
		cmocka_unit_test(test_memory_free_from_threads),
		cmocka_unit_test(test_arena),
		cmocka_unit_test(test_arena_copies_and_calls),
		cmocka_unit_test(test_arena_in_room),
		cmocka_unit_test(test_arena_failures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
