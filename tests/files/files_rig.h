/* files_rig.h - a folder for the files of a test, copies, comparisons, and the messages of
 * contexts. */
#ifndef TSR_TESTS_FILES_RIG_H
#define TSR_TESTS_FILES_RIG_H
#include "lib/files/files.h"
#include "tsr/tsr.h"
#include "support/quiet.h"
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h> /* last: it makes fail() a macro */

static char folder[] = "/tmp/tsr-files-XXXXXX";

static inline int folder_make(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static inline int folder_remove(void **state)
{
	char path[800];
	DIR *dir = opendir(folder);

	(void)state;
	for (const struct dirent *e; dir && (e = readdir(dir));) {
		snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
		unlink(path);
	}
	if (dir) closedir(dir);
	return rmdir(folder);
}

/* a path, until eight others were asked for */
static inline const char *in_folder(const char *name)
{
	static char path[8][400];
	static unsigned next;

	char *const out = path[next++ % ARRAY_LEN(path)];
	snprintf(out, sizeof path[0], "%s/%s", folder, name);
	return out;
}

/* the bytes of a file, to be freed */
static inline char *bytes_of(const char *path, size_t *n)
{
	struct stat about;
	FILE *file = fopen(path, "rb");

	if (!file || fstat(fileno(file), &about) != 0)
		fail_msg("%s is missing: run from the root of the tree", path);
	char *bytes = malloc((size_t)about.st_size + 1);
	assert_non_null(bytes);
	*n = fread(bytes, 1, (size_t)about.st_size, file);
	fclose(file);
	return bytes;
}

static inline void write_bytes(const char *path, const void *bytes, size_t n)
{
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, n, file), n);
	assert_int_equal(fclose(file), 0);
}

static inline void copy_file(const char *from, const char *to)
{
	size_t n;
	char *bytes = bytes_of(from, &n);

	write_bytes(to, bytes, n);
	free(bytes);
}

static inline void assert_same_files(const char *a, const char *b)
{
	size_t na, nb;
	char *x = bytes_of(a, &na), *y = bytes_of(b, &nb);

	if (na != nb || memcmp(x, y, na) != 0) fail_msg("%s and %s differ", a, b);
	free(x);
	free(y);
}

/* the error that stands, which is cleared */
static inline void assert_message(tsr_ctx *ctx, int code, const char *part)
{
	if (tsr_status(ctx) != code || !strstr(tsr_message(ctx), part))
		fail_msg("not error %d with \"%s\": %s", code, part, tsr_message(ctx));
	tsr_clear(ctx);
}

#endif
