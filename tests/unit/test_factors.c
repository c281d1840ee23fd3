/* test_factors.c - factor rules: their text, whether they agree with types, and the indices of an
 * operand that a window needs. */
#include "program_world.h"

/* ---- text */

static void expect_factors(world *w, const factors *f, int nin, const int *ndims, int n,
                           const char *text)
{
	str s = {.base = &w->base};

	factors_text(&s, f, nin, ndims, n);
	assert_string_equal(s.s ? s.s : "", text);
	str_free(&s);
}

static void test_factors_text(void **state)
{
	static const factor_window moves[] = {{5, 3, -1, 2, 2}, {4, -1, 3, 3, 1}, {4, 1, 0, 0, 1}};
	world w;
	factors f = {0};

	(void)state;
	world_open(&w);
	const int m = factor_new(&f, 2, FACTOR_PASS), n = factor_new(&f, 3, FACTOR_PERMUTE);
	const int k = factor_new(&f, 4, FACTOR_REDUCE);
	factor_at(&f, 0, 0, m), factor_at(&f, 0, 1, k);
	factor_at(&f, 1, 0, k), factor_at(&f, 1, 1, n);
	factor_at(&f, 2, 0, m), factor_at(&f, 2, 1, n);
	expect_factors(&w, &f, 2, (int[]){2, 2, 2}, 3, "ab,bc->ac | b sum, c move");
	f = (factors){0};
	for (int i = 0; i < 2; i++) factor_new(&f, 2, FACTOR_PASS);
	factor_replicated(&f, 2, "sorted");
	factor_at(&f, 0, 0, 1), factor_at(&f, 0, 0, 0), factor_at(&f, 0, 2, 2);
	factor_at(&f, 2, 0, 1), factor_at(&f, 2, 1, 0), factor_at(&f, 2, 2, 2);
	expect_factors(&w, &f, 2, (int[]){3, 0, 3}, 3, "(ab)1c,->abc | c whole (sorted)");
	f = (factors){0};
	for (int i = 0; i < 3; i++)
		factor_at_window(&f, i, 0, factor_new(&f, 4, FACTOR_PASS), moves[i]);
	for (int i = 0; i < 3; i++) factor_at(&f, 3, i, i);
	factor_at(&f, 3, 3, factor_own(&f, factor_new(&f, 4, FACTOR_FREE)));
	expect_factors(&w, &f, 3, (int[]){1, 1, 1, 4}, 4,
	               "a[(3i-1..3i+2)/2],b[-i+3],c->abcd | a move, b move, d free own");
	f = (factors){0};
	for (int i = 0; i < 54; i++) factor_at(&f, 0, i, factor_new(&f, 2, FACTOR_PASS));
	expect_factors(&w, &f, 0, (int[]){54}, 1,
	               "->abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZf53f54");
	for (int i = 0; i < 10; i++) factor_new(&f, 2, FACTOR_PASS);
	assert_false(f.full);
	assert_int_equal(factor_new(&f, 2, FACTOR_PASS), 0);
	expect_factors(&w, &f, 0, (int[]){54}, 1, "whole");
	f = (factors){0};
	factor_new(&f, 1, FACTOR_PASS);
	for (int i = 0; i <= MAX_FACTOR_SLOTS; i++) factor_at(&f, 0, i, 0);
	assert_true(f.full);
	world_close(&w);
}

/* ---- windows */

/* for i of the block, from the least to the greatest j with i step + low <= j every <= i step +
 * high. *exact: a block may not have more than these */
static index_range needed(const factor_window *w, index_range block, bool *exact)
{
	index_range r = {0, 0};
	bool inside = w->every == 1;

	for (int64_t i = block.first; i < block.end; i++) {
		const int64_t least = i * w->step + w->low, most = i * w->step + w->high;
		inside = inside && least >= 0 && most < w->size;
		for (int64_t j = 0; j < w->size; j++) {
			if (j * w->every < least || j * w->every > most) continue;
			if (r.first == r.end) r = (index_range){j, j + 1};
			if (j < r.first) r.first = j;
			if (j >= r.end) r.end = j + 1;
		}
	}
	*exact = inside || w->step == 1 || w->step == -1;
	return r;
}

/* every window of small numbers, and every block of 6 */
static void test_needs(void **state)
{
	factors f;
	int exact = 0;

	(void)state;
	for (int64_t k = 0; k < 6 * 9 * 5 * 3 * 3; k++) {
		const int64_t low = k / 54 % 5 * 3 - 5;
		const factor_window w = {.size = k % 6,
		                         .step = k / 6 % 9 - 4,
		                         .low = low,
		                         .high = low + k / 270 % 3,
		                         .every = 1 + k / 810};
		if (!w.step) continue;
		factors_begin(&f);
		factor_at_window(&f, 0, 0, factor_new(&f, 6, FACTOR_PASS), w);
		for (int64_t i = 0; i < 36; i++) {
			const index_range block = {i / 6, i % 6 + 1};
			bool same;
			const index_range is = factor_needs(&f, 0, block);
			const index_range want = needed(&w, block, &same);
			assert_true(is.first >= 0 && is.first <= is.end && is.end <= w.size);
			if (want.first < want.end)
				assert_true(is.first <= want.first && is.end >= want.end);
			if (same) assert_int_equal(is.end - is.first, want.end - want.first);
			exact += same;
		}
	}
	assert_true(exact > 10000);
}

/* numbers that do not fit are the nearest ones that do */
static void test_needs_far(void **state)
{
	static const int64_t far = INT64_MAX / 4;
	static const struct {
		factor_window window;
		int64_t first, end;
	} cases[] = {
		{{5, 1, far, far, 1}, 0, 0},
		{{5, far, 0, 0, 1}, 0, 5},
		{{5, -far, 4, 4, 1}, 0, 5},
		{{5, far, -far, far, 1}, 0, 5},
		{{INT64_MAX, 1, far, far, 1}, far, INT64_MAX},
	};

	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(cases); k++) {
		factors f;
		factors_begin(&f);
		factor_at_window(&f, 0, 0, factor_new(&f, INT64_MAX, FACTOR_PASS), cases[k].window);
		const index_range r = factor_needs(&f, 0, (index_range){0, INT64_MAX});
		assert_int_equal(r.first, cases[k].first);
		assert_int_equal(r.end, cases[k].end);
	}
}

/* ---- agreement */

static void test_factors_agree(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	const type *in[] = {f32(&w, 6, 4, 0)}, *out[] = {f32(&w, 6, 0, 0)};
	const eqn e = {.prim = &sum, .nin = 1, .nout = 1, .where = "f.c:1"};
	factors f = {0};
	factor_new(&f, 6, FACTOR_PASS), factor_new(&f, 4, FACTOR_REDUCE), factor_new(&f, 2,
	                                                                             FACTOR_PASS);
	factor_at(&f, 0, 0, 0), factor_at(&f, 0, 1, 1), factor_at(&f, 1, 0, 0);
	assert_true(factors_agree(&w.base, &e, in, out, &f));
	factors g = f;
	factor_at(&g, 1, 0, 2);
	assert_false(factors_agree(&w.base, &e, in, out, &g));
	expect_error(&w, TSR_ERROR_TYPE,
	             "f.c:1: factor rule of sum: dim 0 of result 0 is not the product of its "
	             "factors");
	g = f;
	g.kind[0] = FACTOR_REDUCE;
	assert_false(factors_agree(&w.base, &e, in, out, &g));
	expect_error(&w, TSR_ERROR_TYPE, "dim 0 of result 0 has a factor that is summed over");
	g = f;
	factor_at(&g, 0, 1, 0);
	assert_false(factors_agree(&w.base, &e, in, out, &g));
	expect_error(&w, TSR_ERROR_TYPE, "dim 1 of operand 0 has a factor for the second time");
	g = f;
	factor_at(&g, 1, 1, 0);
	assert_false(factors_agree(&w.base, &e, in, out, &g));
	expect_error(&w, TSR_ERROR_TYPE,
	             "slot 3 (value 1, dim 1, factor 0, window 0) is out of range");
	g = (factors){.full = true};
	assert_true(factors_agree(&w.base, &e, in, out, &g));
	world_close(&w);
}

/* f32[5] -> f32[3], and one thing wrong */
static void test_windows_agree(void **state)
{
	static const struct {
		factor_window window;
		int kind; /* -1: what the window makes it */
		int in_result, twice;
		const char *error; /* NULL: none */
	} cases[] = {
		{{5, 2, 0, 0, 1}, -1, 0, 0, NULL},
		{{5, -1, -1, 3, 2}, -1, 0, 0, NULL},
		{{4, 2, 0, 0, 1}, -1, 0, 0, "dim 0 of operand 0 is not the product of its factors"},
		{{5, 0, 0, 0, 1}, -1, 0, 0, "dim 0 of operand 0 has a window that cannot be"},
		{{5, 1, 1, 0, 1}, -1, 0, 0, "dim 0 of operand 0 has a window that cannot be"},
		{{5, 1, 0, 0, 0}, -1, 0, 0, "dim 0 of operand 0 has a window that cannot be"},
		{{5, 2, 0, 0, 1}, FACTOR_PASS, 0, 0, "has a window of a factor that does not move"},
		{{5, 2, 0, 0, 1}, -1, 1, 0, "dim 0 of result 0 has a window in a result"},
		{{5, 2, 0, 0, 1}, -1, 0, 1, "dim 0 of operand 0 has a window and another factor"},
		{{3, 1, 0, 0, 1}, FACTOR_PERMUTE, 0, 0, "factor 0 moves, but has no window"},
		{{3, 1, 0, 0, 1}, FACTOR_FREE, 0, 0, "factor 0 is free, but an operand has it"},
		{{3, 1, 0, 0, 1}, FACTOR_REPLICATE, 0, 0, "factor 0 must be whole and does"},
	};
	world w;

	(void)state;
	world_open(&w);
	const type *three = f32(&w, 3, 0, 0), *five = f32(&w, 5, 0, 0);
	const eqn e = {.prim = &sum, .nin = 1, .nout = 1, .where = "f.c:1"};
	for (size_t k = 0; k < ARRAY_LEN(cases); k++) {
		factors f;
		factors_begin(&f);
		factor_new(&f, 3, FACTOR_PASS);
		if (cases[k].in_result) {
			factor_at(&f, 0, 0, 0);
			factor_at_window(&f, 1, 0, 0, cases[k].window);
		} else {
			factor_at_window(&f, 0, 0, 0, cases[k].window);
			factor_at(&f, 1, 0, 0);
		}
		if (cases[k].twice) factor_at(&f, 0, 0, factor_new(&f, 1, FACTOR_PASS));
		if (cases[k].kind >= 0) f.kind[0] = (factor_kind)cases[k].kind;
		const type *in = cases[k].window.size == 3 || cases[k].in_result ? three : five;
		if (factors_agree(&w.base, &e, &in, &three, &f)) assert_null(cases[k].error);
		else expect_error(&w, TSR_ERROR_TYPE, cases[k].error);
	}
	world_close(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_factors_text), cmocka_unit_test(test_needs),
		cmocka_unit_test(test_needs_far),    cmocka_unit_test(test_factors_agree),
		cmocka_unit_test(test_windows_agree),
	};

	return cmocka_run_group_tests_name("factors", tests, NULL, NULL);
}
