/* test_damaged.c - checkpoints that are damaged or untrue: each is refused with the fault and its
 * place; a flipped bit anywhere, a missing or a short file, and an index by somebody else. */
#include "checkpoint/checkpoint_rig.h"
#include <fcntl.h>

enum { LEAF = 3 };

static tsr *leaf_of(tsr_ctx *ctx, int k)
{
	tsr *x = tsr_arange(ctx, 6, .dtype = k == 1 ? TSR_I8 : TSR_F32);

	return k == 2 ? tsr_eq(x, 3) : x;
}

static const char *path_of(const char *name)
{
	static char path[200];

	snprintf(path, sizeof path, "%s/4/%s", folder, name);
	return path;
}

static char *read_file_of(const char *name, size_t *n)
{
	FILE *file = fopen(path_of(name), "rb");
	char *bytes = calloc(1, 1 << 13);

	assert_non_null(file);
	*n = fread(bytes, 1, (1 << 13) - 1, file);
	fclose(file);
	return bytes;
}

static void write_file_of(const char *name, const char *bytes, size_t n)
{
	FILE *file = fopen(path_of(name), "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, n, file), n);
	fclose(file);
}

#define FILE_0 "00000-00000.safetensors"
#define FILE_1 "00000-00001.safetensors"

/* leaves [0] f32[6], [1] i8[6], [2] bool[6], each cut in two */
static tsr_ctx *make(void)
{
	tsr_ctx *ctx = tsr_open(.devices = 2, .log = log_nothing);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2});
	tsr *x[LEAF];

	for (int k = 0; k < LEAF; k++) x[k] = tsr_put(leaf_of(ctx, k), mesh, TSR_P("x"));
	remove_all(folder);
	mkdir(folder, 0700);
	assert_true(tsr_checkpoint_save(folder, 4, TSR_LEAVES(x, LEAF)));
	return ctx;
}

/* is it refused by a load as by verify, in words, and nothing is loaded? NULL: it loads */
static void check(tsr_ctx *ctx, int code, const char *says, const char *what)
{
	TSR_SCOPE(ctx);
	tsr *x[LEAF] = {NULL, NULL, leaf_of(ctx, 2)}, *const was = x[2];

	for (int round = 0; round < 2; round++) {
		const bool ok = round ? tsr_checkpoint_verify(ctx, folder, 4)
		                      : tsr_checkpoint_load(folder, 4, TSR_LEAVES(x, LEAF));
		if (ok == !says && tsr_status(ctx) == (says ? code : 0) &&
		    (!says || strstr(tsr_message(ctx), says)))
			tsr_clear(ctx);
		else
			fail_msg("%s: not \"%s\" but: %s", what, says ? says : "",
			         tsr_message(ctx));
		if (says) assert_true(!x[0] && x[2] == was);
	}
}

/* ---- by chance */

static void test_flipped(void **state)
{
	static const char *const names[] = {INDEX_NAME, FILE_0, FILE_1};
	tsr_ctx *ctx = make();
	char what[100];

	(void)state;
	check(ctx, 0, NULL, "as it was saved");
	for (int i = 0; i < 3; i++) {
		size_t n;
		char *bytes = read_file_of(names[i], &n);
		for (size_t k = 0; k < n; k++) {
			snprintf(what, sizeof what, "%s, byte %zu", names[i], k);
			bytes[k] ^= (char)(1 << k % 8);
			write_file_of(names[i], bytes, n);
			check(ctx, TSR_ERROR_FILE, "it is damaged", what);
			if (!i) assert_int_equal(tsr_checkpoint_latest(ctx, folder), -1);
			bytes[k] ^= (char)(1 << k % 8);
		}
		write_file_of(names[i], bytes, n);
		free(bytes);
	}
	check(ctx, 0, NULL, "as it was saved");
	assert_string_equal(tsr_checkpoint_text(ctx, folder),
	                    "4  3 leaves  804 bytes in 2 files\n");
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void test_cut(void **state)
{
	tsr_ctx *ctx = make();
	size_t n;
	char *bytes = read_file_of(FILE_1, &n), *index;

	(void)state;
	for (size_t k = 0; k < n; k += 1 + k / 4) {
		write_file_of(FILE_1, bytes, k);
		check(ctx, TSR_ERROR_FILE, FILE_1 ": it has ", "cut");
	}
	write_file_of(FILE_1, bytes, n);
	assert_int_equal(unlink(path_of(FILE_0)), 0);
	check(ctx, TSR_ERROR_FILE, FILE_0 ": No such file or directory", "missing");
	assert_int_equal(symlink("/dev/zero", path_of(FILE_0)), 0);
	check(ctx, TSR_ERROR_FILE, FILE_0 ": it is no regular file", "a device");
	assert_int_equal(unlink(path_of(FILE_0)), 0);
	assert_int_equal(mkfifo(path_of(FILE_0), 0600), 0);
	check(ctx, TSR_ERROR_FILE, FILE_0 ": it is no regular file", "a FIFO");
	free(bytes);
	index = read_file_of(INDEX_NAME, &n);
	for (size_t k = 0; k < n; k += 1 + k / 4) {
		write_file_of(INDEX_NAME, index, k);
		check(ctx, TSR_ERROR_FILE, "index.json: it is damaged", "cut index");
	}
	assert_string_equal(tsr_checkpoint_text(ctx, folder), "4  damaged\n");
	assert_int_equal(unlink(path_of(INDEX_NAME)), 0);
	check(ctx, TSR_ERROR_FILE, "index.json: No such file", "no index");
	assert_string_equal(tsr_checkpoint_text(ctx, folder), "");
	free(index);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- on purpose: the hashes are right */

/* what stands for what in the index; the message */
static const struct lie {
	const char *was, *is, *says;
	int code; /* 0: TSR_ERROR_FILE */
} lies[] = {
	{"tsr-checkpoint", "other", "it is no index of a checkpoint", 0},
	{"\"version\":1", "\"version\":2", "its version is not 1", TSR_ERROR_UNSUPPORTED},
	{"\"step\":4", "\"step\":-4", "its step is no number", 0},
	{"\"step\":4", "\"step\":4e0", "its step is no number", 0},
	{"{\"format\"", "[{\"format\"", "it is no JSON text", 0},
	{"\"step\":4", "\"step\":4,\"step\":4", "it is no JSON text", 0},
	{"[[\"x\",2]]", "[[\"x\",0]]", "an axis of a mesh is no name and size", 0},
	{"[[\"x\",2]]", "[[\"x\",9223372036854775807]]", "an axis of a mesh is no name and size",
         0},
	{"[[\"x\",2]]", "[[\"x\",1048576],[\"y\",1048576]]", "a mesh has too many devices", 0},
	{"[[\"x\",2]]", "[[\"x\",1048576]]", "it is not the piece of the leaf", 0},
	{"[[\"x\",2]]", "[[\"x\",2],[\"y\",2]]", "index.json: device 2 has no file", 0},
	{"[[\"x\",2]]", "[[\"x\",1]]", "it is not the piece of the leaf", 0},
	{"[[\"x\",2]]}", "[[\"x\",2]],\"devices\":[0]}", "not as many devices as places", 0},
	{"[[\"x\",2]]}", "[[\"x\",2]],\"devices\":[1,1]}", "a mesh has a device twice", 0},
	{"[[\"x\",2]]}", "[[\"x\",2]],\"devices\":[0,\"1\"]}", "a device that is no number", 0},
	{"[[\"x\",2]]}", "[[\"x\",2]],\"devices\":[1,0]}", "it is not the piece of the leaf", 0},
	{"\"meshes\":[", "\"mesh\":[", "it has no list of meshes", 0},
	{"\"leaves\":[", "\"leaf\":[", "it has no list of leaves", 0},
	{"\"files\":[", "\"file\":[", "it has no list of files", 0},
	{"\"[1]\"", "\"[0]\"", "the leaf \"[0]\": there are two of it", 0},
	{"\"[1]\"", "1", "a leaf has no name", 0},
	{"\"I8\"", "\"F8_E4M3\"", "the leaf \"[1]\": its dtype is none of ours", 0},
	{"\"I8\"", "\"U8\"", "\"[1]\": it is not the piece of the leaf", 0},
	{"\"I8\",\"dims\":[6]", "\"I8\",\"dims\":[8]", "\"[1]\": it is not the piece", 0},
	{"\"I8\",\"dims\":[6]", "\"I8\",\"dims\":[3,2]", "\"[1]\": it is not the piece", 0},
	{"\"I8\",\"dims\":[6]", "\"I8\",\"dims\":[-6]", "its dims are no list of numbers", 0},
	{"\"I8\",\"dims\":[6]", "\"I8\",\"dims\":6", "its dims are no list of numbers", 0},
	{"\"I8\",\"dims\":[6]", "\"I8\",\"dims\":[4611686018427387904,4]", "is too large", 0},
	{"\"mesh\":0", "\"mesh\":1", "its mesh is none of the list", 0},
	{"\"mesh\":0", "\"mesh\":-1", "its mesh is none of the list", 0},
	{"\"spec\":[[\"x\"]]", "\"spec\":[[\"y\"]]", "names no axis, or one twice", 0},
	{"\"spec\":[[\"x\"]]", "\"spec\":[[\"x\",\"x\"]]", "names no axis, or one twice", 0},
	{"\"spec\":[[\"x\"]]", "\"spec\":[[],[\"x\"]]", "no list of a dim each", 0},
	{"\"spec\":[[\"x\"]]", "\"spec\":[\"x\"]", "its spec has no list of axes", 0},
	{FILE_0, "../../../etc/passwd", "it says of a file what cannot be", 0},
	{FILE_0, "00000-0000.safetensors", "it says of a file what cannot be", 0},
	{FILE_0, FILE_1, "it has two files of one device", 0},
	{FILE_0, "00000-00007.safetensors", "device 0 has no file", 0},
	{"\"header\":", "\"header\":99", "it says of a file what cannot be", 0},
	{"\"bytes\":", "\"bytes\":1", "bytes, and was saved with", 0},
};

/* the first `was` of a text is `is`, and the last hash is right again */
static void rewrite_index(const char *index, size_t n, const char *was, const char *is)
{
	char text[1 << 13], end[INDEX_END];
	const char *at = strstr(index, was);

	if (!at) fail_msg("the index has no %s", was);
	index_end(end, 0);
	const int size = snprintf(text, sizeof text, "%.*s%s%.*s", (int)(at - index), index, is,
	                          (int)(n - strlen(end) - (size_t)(at - index) - strlen(was)),
	                          at + strlen(was));
	index_end(end, hash_bytes(text, (size_t)size, 0));
	strcpy(text + size, end);
	write_file_of(INDEX_NAME, text, strlen(text));
}

static void test_lies(void **state)
{
	tsr_ctx *ctx = make();
	size_t n;
	char *index = read_file_of(INDEX_NAME, &n);

	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(lies); k++) {
		const struct lie *l = &lies[k];
		rewrite_index(index, n, l->was, l->is);
		check(ctx, l->code ? l->code : TSR_ERROR_FILE, l->says, l->is);
	}
	free(index);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* the same of the header of a file, whose length stays */
static const struct lie header_lies[] = {
	{"\\\"saved_offsets\\\":[0]", "\\\"saved_offsets\\\":[1]",
         "it is not the piece of the leaf", 0},
	{"\\\"saved_offsets\\\":[0]", "\\\"saved_offsets\\\":{ }", "not the piece of the leaf", 0},
	{"DCP_SHARDING_INFO", "DCP_SHARDING_NONE", "its header does not say where pieces belong",
         0},
	{HASHES_KEY, "XXH3_64_OF_EACH_KIB", "its header has not one hash for each MiB", 0},
	{"\"[1]\":{\"d", "\"[4]\":{\"d", "no array has the name \"[1]\"", 0},
	{"\"shape\":[3]", "\"shape\":[4]", "its shape needs 16 bytes, and it has 12", 0},
	{"\"I8\"", "\"U8\"", "it is not the piece of the leaf", 0},
};

static void test_header_lies(void **state)
{
	tsr_ctx *ctx = make();
	size_t n, size;
	char *index = read_file_of(INDEX_NAME, &n), *file = read_file_of(FILE_0, &size), was[17],
	     is[17];
	const size_t header = 8 + (unsigned char)file[0] + 256u * (unsigned char)file[1];

	(void)state;
	snprintf(was, sizeof was, "%016llx", (unsigned long long)hash_bytes(file, header, 0));
	for (size_t k = 0; k < ARRAY_LEN(header_lies); k++) {
		const struct lie *l = &header_lies[k];
		char *changed = malloc(size);
		memcpy(changed, file, size);
		char *at = memmem(changed, header, l->was, strlen(l->was));
		if (!at) fail_msg("the header has no %s", l->was);
		assert_int_equal(strlen(l->was), strlen(l->is));
		memcpy(at, l->is, strlen(l->is));
		write_file_of(FILE_0, changed, size);
		snprintf(is, sizeof is, "%016llx",
		         (unsigned long long)hash_bytes(changed, header, 0));
		rewrite_index(index, n, was, is);
		check(ctx, TSR_ERROR_FILE, l->says, l->is);
		free(changed);
	}
	free(index);
	free(file);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* each request for memory fails: an error, and nothing is lost */
static void test_no_memory(void **state)
{
	tsr_ctx *ctx = make();
	bool ok = false;

	(void)state;
	for (int n = 1; !ok; n++) {
		TSR_SCOPE(ctx);
		tsr *x[LEAF] = {NULL, leaf_of(ctx, 1)};
		ctx->base.mem.fail_at = n;
		ok = tsr_checkpoint_load(folder, 4, TSR_LEAVES(x, LEAF)) &&
		     tsr_checkpoint_latest(ctx, folder) == 4 &&
		     tsr_checkpoint_verify(ctx, folder, 4) &&
		     strlen(tsr_checkpoint_text(ctx, folder)) > 1 && !tsr_status(ctx);
		ctx->base.mem.fail_at = -1;
		if (!ok) assert_message(ctx, TSR_ERROR_MEMORY, "");
		assert_true(n < 2000);
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flipped),   cmocka_unit_test(test_cut),
		cmocka_unit_test(test_lies),      cmocka_unit_test(test_header_lies),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
