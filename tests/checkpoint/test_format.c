/* test_format.c - the files of a checkpoint, byte for byte as stored in data/12 and shown at the
 * head of index_text.c. TSR_UPDATE=1 writes them. */
#include "checkpoint/checkpoint_rig.h"
#include "support/heads.h"
#define DATA "tests/checkpoint/data"

static char *bytes_of(const char *dir, const char *name, size_t *n)
{
	char path[400];
	struct stat about;

	snprintf(path, sizeof path, "%s/12/%s", dir, name);
	FILE *file = fopen(path, "rb");
	if (!file || fstat(fileno(file), &about) != 0) fail_msg("%s is missing", path);
	char *bytes = malloc((size_t)about.st_size + 1);
	*n = fread(bytes, 1, (size_t)about.st_size, file);
	bytes[*n] = 0;
	fclose(file);
	return bytes;
}

static void assert_same_files(const char *a, const char *b, const char *name)
{
	size_t na, nb;
	char *x = bytes_of(a, name, &na), *y = bytes_of(b, name, &nb);

	if (na != nb || memcmp(x, y, na) != 0) fail_msg("%s is another one in %s", name, b);
	free(x);
	free(y);
}

static const char *saved_into(const char *dir)
{
	tsr_ctx *ctx = tsr_open(.devices = 8);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	TSR_TREE_TYPE(linear, { tsr *w, *b; });
	linear x = {.b = NULL};

	x.w = tsr_reshape(tsr_arange(ctx, 32, .dtype = TSR_F32), TSR_DIMS(8, 4));
	x.w = tsr_put(x.w, mesh, TSR_P("x", "y"));
	assert_true(tsr_checkpoint_save(dir, 12, TSR_TREE(linear, &x)));
	assert_int_equal(tsr_close(ctx), TSR_OK);
	return dir;
}

static void test_bytes(void **state)
{
	char name[FILE_NAME];

	(void)state;
	if (getenv("TSR_UPDATE")) {
		remove_all(DATA);
		saved_into(DATA);
	}
	const char *dir = saved_into(in_folder("now"));
	assert_same_files(DATA, dir, INDEX_NAME);
	for (int k = 0; k < 8; k++) {
		file_name_of(name, 0, k);
		assert_same_files(DATA, dir, name);
	}
}

/* the lines at the head of a source are in what is written, one after the other */
static void check_head(const char *source, const char *text)
{
	char *lines = head_indented(source);
	const char *at = text;
	int n = 0;

	for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n"), n++) {
		if (strcmp(line, "...") == 0) continue;
		at = strstr(at, line);
		if (!at) fail_msg("%s: not in what is written: %s", source, line);
		at += strlen(line);
	}
	free(lines);
	assert_true(n > 2);
}

static void test_heads(void **state)
{
	size_t n;
	char *index = bytes_of(DATA, INDEX_NAME, &n);
	char *file = bytes_of(DATA, "00000-00001.safetensors", &n);

	(void)state;
	check_head("src/lib/checkpoint/index_text.c", index);
	for (size_t i = 0; i < 8; i++) file[i] = ' ';
	check_head("src/lib/checkpoint/header.c", file);
	free(index);
	free(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_heads),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
