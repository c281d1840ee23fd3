/* test_nan_signs.c - no result depends on the sign of a NaN, a free choice of engines and
 * processors: each local row, on the same operands with NaNs of one sign and of the other. But the
 * bits of a NaN are what bitcast_convert_type gives. */
#include "kernel/lower_cases.h"

/* half of all parts are NaN, the others where functions have corners */
static void fill_corners(const type *t, void *data, uint64_t *random)
{
	static const double corner[] = {0.0, -0.0, 1, -1, INFINITY, -INFINITY, 0.3, -2};
	const tsr_dtype part = dtype_real(t->dtype);
	const int64_t n = t->size * (part == t->dtype ? 1 : 2);

	for (int64_t i = 0; i < n; i++) {
		const uint64_t bits = random_bits(random);
		const double x = bits & 1 ? NAN : corner[bits / 2 % ARRAY_LEN(corner)];
		dtype_convert(part, (char *)data + (size_t)i * tsr_dtype_size(part), TSR_F64, &x,
		              1);
	}
}

static void turn_nans(const type *t, void *data)
{
	const tsr_dtype part = dtype_real(t->dtype);
	const size_t item = tsr_dtype_size(part);
	const int64_t n = t->size * (part == t->dtype ? 1 : 2);

	for (int64_t i = 0; i < n && dtype_kind(part) == KIND_FLOAT; i++) {
		uint8_t *x = (uint8_t *)data + (size_t)i * item;
		if (is_nan_at(part, x)) x[item - 1] ^= 0x80;
	}
}

/* a kernel_check */
static const char *depends_on_sign(const program *p, uint64_t *random, bool *fits)
{
	static char text[128];
	void **values = calloc((size_t)p->nvars + 1, sizeof *values);
	void **turned = calloc((size_t)p->nvars + 1, sizeof *turned);
	const var y = p->out[0];
	int64_t at = -1;

	*fits = true;
	assert_true(values && turned);
	for (int i = 0; i < p->nin; i++) {
		const type *t = type_of(p, p->in[i]);
		void *x = values[p->in[i].id] = block_make(type_bytes(t));
		void *z = turned[p->in[i].id] = block_make(type_bytes(t));
		fill_corners(t, x, random);
		memcpy(z, x, type_bytes(t));
		turn_nans(t, z);
	}
	run_equations(p, values);
	run_equations(p, turned);
	if (values[y.id]) at = first_difference(type_of(p, y), values[y.id], turned[y.id]);
	if (at >= 0) snprintf(text, sizeof text, "element %lld differs", (long long)at);
	for (int i = 0; i <= p->nvars; i++) free(values[i]), free(turned[i]);
	free(values);
	free(turned);
	return at < 0 ? NULL : text;
}

/* rows that are no kernels */
static const row_case calls[] = {
	CASE("T[4,33]", "top_k %0 k=9 dim=1", "T[4,9]; i32[4,9]"),
	CASE("T[4,33]", "sort %0 dim=1 num_keys=1", "T[4,33]"),
	CASE("T[4,33]", "cummax %0 dim=1", "T[4,33]"),
};

static void signs_of_nans_do_not_count(void **state)
{
	int count = 0;

	for (size_t i = 0; i < ARRAY_LEN(calls); i++)
		for (int d = TSR_F16; d <= TSR_F64; d++)
			assert_true(one_case(*state, &calls[i], "4,33", 33, (tsr_dtype)d,
			                     depends_on_sign, 3));
	for (size_t i = 0; i < ROW_CASES; i++) {
		if (!is_lowered(*state, &row_cases[i]) ||
		    row_is_of(&row_cases[i], "bitcast_convert_type"))
			continue;
		for (int d = TSR_F16; d < TSR_DTYPE_COUNT_; d++)
			count += one_case(*state, &row_cases[i], "4,33", 33, (tsr_dtype)d,
			                  depends_on_sign, 3);
	}
	print_message("%d rows\n", count);
	assert_true(count > 300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(signs_of_nans_do_not_count)};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
