/* test_base_table.c - hashes, and tables of pointers. */
#include "unit/base_rig.h"
#include <stdlib.h>

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
static uint64_t int_hash(int k) { return k % 10 ? hash_u64((uint64_t)k, 0) : (uint64_t)k / 1000; }

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
	/* every third is removed and, of those, every second put back */
	for (int k = 0; k < n; k += 3) table_remove(&t, int_hash(k), &entry[k]);
	for (int k = 0; k < n; k += 6) assert_true(table_add(&t, int_hash(k), &entry[k]));
	for (int k = 0; k < N; k++) {
		const bool there = k < n && (k % 3 || k % 6 == 0);
		assert_ptr_equal(table_find(&t, int_hash(k), same_int, &k),
		                 there ? &entry[k] : NULL);
		if (k < n && !there) assert_true(table_add(&t, int_hash(k), &entry[k]));
	}
	assert_int_equal(t.count, n);
	table_free(&t, mark_freed);
	for (int k = 0; k < n; k++) assert_int_equal(entry[k], -1);
	assert_int_equal(t.count, 0);
	table_free(&t, NULL);
	return n == N;
}

static void test_table(void **state)
{
	(void)state;
	with_failures(fill_table, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hash),
		cmocka_unit_test(test_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
