/* test_file.c - files that are mapped and files that are read, their parts, and files that others
 * write to meanwhile. */
#include "files/files_rig.h"
#include <fcntl.h>

static base b;

static file_reader open_with(const char *path, mode_t mode)
{
	file_reader r = {.base = &b, .where = "here.c:1", .op = "test", .path = path};

	assert_int_equal(chmod(path, mode), 0);
	assert_true(file_open(&r));
	return r;
}

static const char *make_file(size_t n)
{
	const char *path = in_folder("x");
	char *bytes = malloc(n + 1);

	for (size_t i = 0; i < n; i++) bytes[i] = (char)(i * i >> 3);
	unlink(path);
	write_bytes(path, bytes, n);
	free(bytes);
	return path;
}

static void refused(const char *text)
{
	if (error_code(&b) != TSR_ERROR_FILE || !strstr(error_text(&b), text))
		fail_msg("not \"%s\": %s", text, error_text(&b));
	assert_non_null(strstr(error_text(&b), "here.c:1: test: "));
	error_clear(&b);
}

/* the table at the head of file.c */
static void test_mapped(void **state)
{
	static const struct {
		mode_t mode;
		bool mapped;
	} modes[] = {{0644, true},  {0444, true},  {0600, true},
	             {0664, false}, {0646, false}, {0666, false}};
	const char *path = make_file(100);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
		file_reader r = open_with(path, modes[i].mode);
		assert_true(r.regular && r.size == 100 && r.mapped == modes[i].mapped);
		file_close(&r);
	}
	if (geteuid() == 0 && chown(path, 65534, 65534) == 0) {
		file_reader r = open_with(path, 0644);
		assert_false(r.mapped);
		file_close(&r);
	}
	file_reader r = open_with(make_file(0), 0644); /* of nothing there is no mapping */
	assert_true(r.regular && !r.mapped && r.size == 0);
	file_close(&r);
}

/* every part of it, whichever way, is what is there; beyond the end is nothing */
static void test_parts(void **state)
{
	enum { N = 3 * 4096 + 77 };
	static char room[N];
	const char *path = make_file(N);
	size_t n;
	char *want = bytes_of(path, &n);

	(void)state;
	for (int read = 0; read < 2; read++) {
		file_reader r = open_with(path, read ? 0666 : 0644);
		assert_int_equal(r.mapped, !read);
		for (size_t at = 0; at < N; at += 517)
			for (size_t size = 0; at + size <= N; size = 3 * size + 1) {
				const void *part = file_part(&r, at, size, room);
				assert_true(part && !memcmp(part, want + at, size));
			}
		assert_null(file_part(&r, N, 1, room));
		refused("it ends too soon");
		assert_null(file_part(&r, 1, SIZE_MAX, room));
		refused("it ends too soon");
		assert_null(file_part(&r, SIZE_MAX, 2, NULL));
		refused("it ends too soon");
		file_close(&r);
	}
	free(want);
}

/* what would be SIGBUS in a mapping is an error where the file is read */
static void test_shortened(void **state)
{
	static char room[9000];
	const char *path = make_file(9000);

	(void)state;
	file_reader r = open_with(path, 0666);
	assert_int_equal(truncate(path, 5000), 0);
	assert_null(file_part(&r, 4000, 5000, room));
	refused("it was shortened while it was read");
	assert_null(file_part(&r, 8000, 10, room));
	refused("it was shortened while it was read");
	assert_false(file_unchanged(&r));
	refused("it was written to while it was read");
	file_close(&r);
}

static void test_changed(void **state)
{
	const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = 1}};
	const char *path = make_file(100);

	(void)state;
	file_reader r = open_with(path, 0644);
	assert_true(file_unchanged(&r));
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	assert_false(file_unchanged(&r));
	refused("it was written to while it was read");
	file_close(&r);
}

static int begin(void **state)
{
	return folder_make(state) || !base_init(&b, NULL, NULL, 0);
}

static int end(void **state)
{
	base_fini(&b);
	return folder_remove(state) || mem_in_use(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mapped),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_shortened),
		cmocka_unit_test(test_changed),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
