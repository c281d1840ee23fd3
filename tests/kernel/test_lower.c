/* test_lower.c - each local row as a kernel gives the same bits as its eval: every dtype it takes,
 * ranks 0 to 4, sizes around lanes and blocks, and difficult values. */
#include "kernel/lower_cases.h"

/* of values; more of them show the sanitizers nothing that they see ten times as slowly */
#ifdef __SANITIZE_ADDRESS__
enum { DRAWS = 1 };
#else
enum { DRAWS = 3 };
#endif

/* how many dtypes the row takes */
static int all_dtypes(rig *r, const row_case *c, const char *dims, int64_t size)
{
	int taken = 0;

	for (int d = TSR_BOOL; d < TSR_DTYPE_COUNT_; d++)
		taken += one_case(r, c, dims, size, (tsr_dtype)d, kernel_fault, DRAWS);
	return taken;
}

static void rows_equal_eval(void **state)
{
	rig *r = *state;
	int count = 0;

	for (size_t i = 0; i < ROW_CASES; i++) {
		const row_case *c = &row_cases[i];
		int taken = 0;
		if (!is_lowered(r, c)) continue;
		for (size_t s = 0; s < shapes_of(c); s++)
			for (size_t n = 0; n < sizes_of(c); n++)
				taken += all_dtypes(r, c, shapes[s], sizes[n]);
		if (!taken) fail_msg("%s | %s: no dtype", c->operands, c->equation);
		count += taken;
	}
	print_message("%d kernels\n", count);
}

/* a and b of n elements, a < 0 < b, all tiny; zero: but for the last ones, which are 0 */
static double dot_of_tiny(rig *r, int64_t n, tsr_dtype dtype, bool zero)
{
	char operands[64];
	bool fits;

	snprintf(operands, sizeof operands, "T[%lld]; T[%lld]", (long long)n, (long long)n);
	program *p = rig_program(r, operands,
	                         "dot_general %0 %1 contract_a=[0] contract_b=[0] batch_a=[] "
	                         "batch_b=[] dtype=T",
	                         "T[]", dtype);
	kernel *k = kernel_lower(p, &fits);
	kscalar y = {.bits = 0};
	void *x[2] = {calloc((size_t)n, 16), calloc((size_t)n, 16)};
	assert_non_null(k);
	for (int64_t i = 0; i < n; i++) {
		const double tiny = dtype == TSR_F64 ? 0x1p-1000 : 0x1p-140,
			     last = zero && i == n - 1,
			     pair[2] = {last ? 0 : -tiny, last ? 0 : tiny};
		const size_t at = (size_t)i * tsr_dtype_size(dtype);
		dtype_convert(dtype, (char *)x[0] + at, TSR_F64, &pair[0], 1);
		dtype_convert(dtype, (char *)x[1] + at, TSR_F64, &pair[1], 1);
	}
	void *want = rig_eval(p, x);
	assert_true(kernel_eval(k, (const void *const *)x, (void *[]){&y}));
	if (first_difference(type_of(p, p->out[0]), &y, want) >= 0)
		fail_msg("%lld of %s", (long long)n, tsr_dtype_name(dtype));
	const double result = dtype_get(dtype, &y, 0);
	free(want);
	free(x[0]);
	free(x[1]);
	kernel_free(k);
	program_release(p);
	return result;
}

/* products that are too small for a denormal number are -0, and so are their sums; one +0 makes
 * them +0 */
static void dots_keep_zeros(void **state)
{
	static const int64_t counts[] = {1, 2, 15, 16, 17, 255, 256, 257, 512, 513, 700, 769, 1024};

	for (size_t i = 0; i < ARRAY_LEN(counts); i++)
		for (int d = 0; d < 4; d++) {
			const double y =
				dot_of_tiny(*state, counts[i], d & 1 ? TSR_F64 : TSR_F32, d & 2);
			assert_true(y == 0 && !signbit(y) == !!(d & 2));
		}
}

/* a cast wants an axis */
static const char pcast_text[] = "axes (x of (x:1)) (%0: f32[3,5]) -> f32[3,5]{x} {\n"
				 "%1: f32[3,5]{x} = pcast %0 axes=(x)\nreturn %1\n}\n";

static void casts_move_nothing(void **state)
{
	rig *r = *state;
	uint64_t random = 1;
	bool fits;
	program *p = program_parse(&r->ir, NULL, pcast_text, strlen(pcast_text));

	if (!p) fail_msg("%s", error_text(&r->base));
	const char *fault = kernel_fault(p, &random, &fits);
	if (fault) fail_msg("%s", fault);
	program_release(p);
}

static void rows_have_cases(void **state)
{
	rig *r = *state;

	for (int i = 0; i < all_prims_count; i++) {
		bool found = !all_prims[i]->lower || !strcmp("pcast", all_prims[i]->name);
		for (size_t c = 0; !found && c < ROW_CASES; c++)
			found = row_is_of(&row_cases[c], all_prims[i]->name) &&
			        is_lowered(r, &row_cases[c]);
		if (!found) fail_msg("%s has no case", all_prims[i]->name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_equal_eval),
		cmocka_unit_test(dots_keep_zeros),
		cmocka_unit_test(casts_move_nothing),
		cmocka_unit_test(rows_have_cases),
	};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
