/* base_rig.h - functions that the tests of src/base share: a base, numbers that are the same in
 * every run, and requests that fail in turn. cmocka.h comes after base.h: it makes fail a macro,
 * hence (fail)(...). */
#ifndef TSR_TESTS_BASE_RIG_H
#define TSR_TESTS_BASE_RIG_H
#include "base/base.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define DIMS(...) (const int64_t[]){__VA_ARGS__}, (int)ARRAY_LEN(((const int64_t[]){__VA_ARGS__}))

static uint64_t random_state = 1;

/* xorshift64: the same numbers in every run */
static inline uint64_t random_u64(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	return random_state ^= random_state << 17;
}

static inline void base_open(base *b) { assert_true(base_init(b, NULL, NULL, 0)); }

static inline void base_close(base *b)
{
	base_fini(b);
	assert_int_equal(mem_in_use(b), 0);
}

/* Does `work` with the first, the second, ... request failing until none fails; each failure must
 * be recorded and give all back. */
static inline void with_failures(bool (*work)(base *), int at_least)
{
	base b;
	int failures = 0;

	base_open(&b);
	const size_t before = mem_in_use(&b);
	for (bool done = false; !done;) {
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

#endif
