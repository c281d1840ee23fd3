/* test_base_shape.c - sizes and indices of dims, boxes copied between strides. */
#include "unit/base_rig.h"

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
			for (int i = 0; i < ndim; i++)
				a += index[i] * to[i], b += index[i] * from[i];
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dims_sizes),
		cmocka_unit_test(test_dims_index),
		cmocka_unit_test(test_copy_box),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
