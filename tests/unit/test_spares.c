/* test_spares.c - freed blocks serve again: their sizes, when they go back to the hook, other
 * threads that free. They are kept here with the address sanitizer too. */
#include "base/base.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct heap {
	int calls, refuses; /* the next so many requests */
} heap;

static void *hook(void *user, void *old, size_t size)
{
	heap *h = user;

	h->calls++;
	if (size && h->refuses && h->refuses--) return NULL;
	if (size) return realloc(old, size);
	free(old);
	return NULL;
}

static void base_open(base *b, heap *h, size_t limit)
{
	assert_true(base_init(b, hook, h, limit));
	b->mem.keeps = true;
}

static void base_close(base *b)
{
	base_fini(b);
	assert_int_equal(mem_in_use(b), 0);
	assert_int_equal(b->mem.held, 0);
}

static void sizes_are_rounded_a_little(void **state)
{
	size_t before = 0, kinds = 0;

	(void)state;
	for (size_t size = 0; size < 100000; size++) {
		const size_t has = spare_size(size);
		assert_true(has >= size && has >= before && has % 64 == 0);
		assert_true(has - size <= 64 || has - size <= size / 8);
		assert_int_equal(spare_size(has), has);
		kinds += has != before && has <= 32768;
		before = has;
	}
	assert_int_equal(kinds, 56);
}

static void freed_blocks_serve_again(void **state)
{
	static const size_t sizes[] = {0, 1, 64, 65, 500, 513, 5000, 32768, 32769, 100000, 3 << 20};
	enum { N = ARRAY_LEN(sizes) };
	heap h = {0, 0};
	char *block[N];
	base b;

	(void)state;
	base_open(&b, &h, 0);
	const size_t before = mem_in_use(&b);
	const int calls = h.calls;
	for (int round = 0; round < 5; round++) {
		for (size_t i = 0; i < N; i++) {
			assert_non_null(block[i] = mem_alloc(&b, sizes[i]));
			assert_int_equal((uintptr_t)block[i] % 64, 0);
			memset(block[i], round, sizes[i]);
		}
		for (size_t i = 0; i < N; i++)
			for (size_t k = 0; k < sizes[i]; k += 61)
				assert_int_equal(block[i][k], round);
		for (size_t i = 0; i < N; i++) mem_free(&b, block[(i + (size_t)round) % N]);
		assert_int_equal(mem_in_use(&b), before);
		assert_int_equal(h.calls, calls + N);
	}
	base_close(&b);
	assert_int_equal(h.calls, 2 * (calls + N));
}

/* What grows or shrinks takes kept blocks as well, and what it leaves is kept: a few rounds, and
 * the hook is asked for nothing more. */
static void grown_blocks_serve_again(void **state)
{
	static const size_t sizes[] = {64, 8 << 10, 100, 40000, 3 << 20, 1000, 2 << 20};
	heap h = {0, 0};
	base b;
	size_t held = 0;
	int calls = 0;

	(void)state;
	base_open(&b, &h, 0);
	for (int round = 0; round < 40; round++) {
		char *block = NULL;
		for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
			assert_non_null(block = mem_grow(&b, block, sizes[i]));
			for (size_t k = 0; i && k < sizes[i] && k < sizes[i - 1]; k += 61)
				assert_int_equal((unsigned char)block[k], (i - 1) * 8 % 256);
			memset(block, (int)i * 8, sizes[i]);
		}
		mem_free(&b, block);
		if (round == 20) calls = h.calls, held = mem_held(&b);
	}
	assert_int_equal(h.calls, calls);
	assert_int_equal(mem_held(&b), held);
	base_close(&b);
}

/* what is kept is no reason to refuse: neither by the limit nor by the hook */
static void spares_go_back_before_an_error(void **state)
{
	heap h = {0, 0};
	base b;

	(void)state;
	base_open(&b, &h, 100000);
	mem_free(&b, mem_alloc(&b, 50000));
	mem_free(&b, mem_alloc(&b, 20000));
	assert_true(b.mem.held > 70000);
	void *p = mem_alloc(&b, 80000);
	assert_non_null(p);
	assert_null(mem_alloc(&b, 50000));
	assert_int_equal(error_code(&b), TSR_ERROR_MEMORY);
	error_clear(&b);
	mem_free(&b, p);
	h.refuses = 1;
	assert_non_null(p = mem_alloc(&b, 1000));
	assert_true(b.mem.held < 20000);
	h.refuses = 2;
	assert_null(mem_alloc_quiet(&b, 5000));
	assert_int_equal(h.refuses, 1); /* nothing was kept: it was asked once */
	h.refuses = 0;
	mem_free(&b, p);
	base_close(&b);
}

/* ever new sizes: no more is held than 64 MiB, or twice the most in use */
static void spares_are_bounded(void **state)
{
	heap h = {0, 0};
	size_t most = 0;
	base b;

	(void)state;
	base_open(&b, &h, 0);
	for (size_t size = 1 << 20; size < 40 << 20; size += size / 7) {
		mem_free(&b, mem_alloc(&b, size));
		assert_true(b.mem.held <= (b.mem.peak > 32 << 20 ? 2 * b.mem.peak : 64 << 20));
		most = b.mem.held > most ? b.mem.held : most;
	}
	assert_true(most > 48 << 20);
	base_close(&b);
}

/* ---- threads */

enum { EACH = 500, THREADS = 3 };

typedef struct freer {
	base *base;
	void *block[EACH];
} freer;

static void *free_all(void *argument)
{
	freer *f = argument;

	for (size_t i = 0; i < EACH; i++) mem_free(f->base, f->block[i]);
	return NULL;
}

static void other_threads_free(void **state)
{
	static freer work[THREADS];
	pthread_t thread[THREADS];
	heap h = {0, 0};
	base b;

	(void)state;
	base_open(&b, &h, 0);
	const size_t before = mem_in_use(&b);
	for (int round = 0; round < 5; round++) {
		for (int t = 0; t < THREADS; t++) {
			work[t].base = &b;
			for (int i = 0; i < EACH; i++)
				assert_non_null(work[t].block[i] = mem_alloc(&b, 24));
			assert_int_equal(pthread_create(&thread[t], NULL, free_all, &work[t]), 0);
		}
		for (int i = 0; i < EACH; i++) mem_free(&b, mem_alloc(&b, 24));
		for (int t = 0; t < THREADS; t++) pthread_join(thread[t], NULL);
		assert_int_equal(mem_in_use(&b), before);
		assert_true(h.calls <= 2 + THREADS * EACH);
	}
	base_close(&b);
}

/* ---- the address sanitizer knows who has a block */

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
static void spares_are_poisoned(void **state)
{
	heap h = {0, 0};
	base b;

	(void)state;
	base_open(&b, &h, 0);
	char *p = mem_alloc(&b, 100);
	assert_null(__asan_region_is_poisoned(p, 100));
	mem_free(&b, p);
	assert_ptr_equal(__asan_region_is_poisoned(p, 100), p);
	assert_ptr_equal(mem_alloc(&b, 100), p);
	assert_null(__asan_region_is_poisoned(p, 100));
	mem_free(&b, p);
	base_close(&b);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_rounded_a_little),
		cmocka_unit_test(freed_blocks_serve_again),
		cmocka_unit_test(grown_blocks_serve_again),
		cmocka_unit_test(spares_go_back_before_an_error),
		cmocka_unit_test(spares_are_bounded),
		cmocka_unit_test(other_threads_free),
#ifdef __SANITIZE_ADDRESS__
		cmocka_unit_test(spares_are_poisoned),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
