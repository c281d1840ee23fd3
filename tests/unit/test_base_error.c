/* test_base_error.c - the first error of a context, its notes, where it is printed. */
#include "unit/base_rig.h"
#include <stdio.h>
#include <unistd.h>

typedef struct heard {
	int count, level;
	char text[8000];
} heard;

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
	assert_string_equal(error_text(&b), "a/b.c:7: matmul: 3 and f32\n"
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_error_first_is_kept),
		cmocka_unit_test(test_error_without_base),
		cmocka_unit_test(test_error_long_texts),
		cmocka_unit_test(test_error_stderr),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
