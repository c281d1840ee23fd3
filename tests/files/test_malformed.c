/* test_malformed.c - files that are damaged or untrue: each is refused with the fault and its
 * place.
 *
 * They are inputs of the fuzzers, tests/fuzz/corpus. */
#include "files/files_rig.h"

/* what is said when the array "a" of an input is loaded; NULL: it loads */
static const struct input {
	const char *name, *says;
	int code;                /* 0: TSR_ERROR_FILE */
} npz[] = {
	{"stored", NULL, 0},
	{"packed", NULL, 0},
	{"grows", NULL, 0},
	{"bomb", "\"a\": it cannot have as many bytes as its entry says", 0},
	{"bzip2", "\"a\": its compression, method 12 of zip", TSR_ERROR_UNSUPPORTED},
	{"cut", "it is no zip archive", 0},
	{"cut_front", "it is no zip archive", 0},
	{"empty_entry", "\"a\": its entry is empty", 0},
	{"encrypted", "\"a\": it is encrypted", 0},
	{"lies_offset", "\"a\": its entry is damaged", 0},
	{"lies_packed", "\"a\": its entry is damaged", 0},
	{"lies_unpacked", "\"a\": its entry is damaged", 0},
	{"no_npy", "\"a\": this is not an .npy file", 0},
	{"nothing_in_it", "no array has the name \"a\"; it has none", 0},
	{"objects", "\"a\": the dtype '|O8' is not one", TSR_ERROR_UNSUPPORTED},
	{"other_files", "no array has the name \"a\"; it has \"b\"", 0},
	{"overlap", "overlaps the array before it", 0},
	{"short_entry", "\"a\": the file ends inside its header", 0},
	{"twice", "\"a\": the file has two of this name", 0},
	{"wrong_checksum", "\"a\": its data does not have its checksum", 0},
}, safetensors[] = {
	{"good", NULL, 0},
	{"bf16", NULL, 0},
	{"no_elements", NULL, 0},
	{"backwards", "\"a\": its data_offsets are not a beginning and an end", 0},
	{"beyond_i64", "byte 69 of the header: too big integer", 0},
	{"deep", "byte 2053 of the header: maximum parsing depth reached", 0},
	{"duplicate", "of the header: duplicate object key", 0},
	{"empty", "no array has the name \"a\"; it has none", 0},
	{"f8", "\"a\": its dtype, F8_E4M3, is none of ours", TSR_ERROR_UNSUPPORTED},
	{"hole", "\"b\": there is a hole in front of it", 0},
	{"hole_at_end", "the arrays cover 4 of the 8 bytes of data", 0},
	{"huge_dim", "\"a\": an array of its shape is too large", 0},
	{"huge_dims", "\"a\": an array of its shape is too large", 0},
	{"huge_offset", "\"a\": it ends at byte 9223372036854775807 of the data, which has 4", 0},
	{"latin", "of the header: unable to decode byte 0xff", 0},
	{"length_2_63", "a header of 9223372036854775808 bytes is too large", 0},
	{"length_max", "a header of 18446744073709551615 bytes is too large", 0},
	{"length_more", "a header of 3 bytes is too large", 0},
	{"many_dims", "\"a\": its shape has more than 255 dims", 0},
	{"metadata", "__metadata__ has a value that is not a text", 0},
	{"negative_dim", "\"a\": a dim of its shape is no number from 0", 0},
	{"no_dtype", "\"a\": its dtype is not a text", 0},
	{"no_object", "\"a\": what the header says of it is no object", 0},
	{"not_json", "of the header: unexpected token", 0},
	{"nothing", "it is too short", 0},
	{"nul", "of the header: NUL byte in object key", 0},
	{"overlap", "\"b\": it overlaps the one before it", 0},
	{"past_end", "\"a\": it ends at byte 8 of the data, which has 4", 0},
	{"real_dim", "\"a\": a dim of its shape is no number from 0", 0},
	{"short", "it is too short", 0},
};

/* mode: that of the file, which says whether it is mapped */
static void check_inputs(tsr_ctx *ctx, const struct input *of, size_t n, const char *ending,
                         mode_t mode)
{
	for (size_t i = 0; i < n; i++) {
		char from[200];
		const char *path = in_folder(ending);
		const bool both = of[i].says && strstr(of[i].says, "overlaps the array");
		tsr *x[2] = {NULL, NULL};
		snprintf(from, sizeof from, "tests/fuzz/corpus/%s/%s", strrchr(ending, '.') + 1,
		         of[i].name);
		copy_file(from, path);
		assert_int_equal(chmod(path, mode), 0);
		const tsr_names names = {{.count = 1 + both}, (const char *const[]){"a", "b"}};
		const bool ok = tsr_load(TSR_LEAVES(x, 1 + both), path, .names = names);
		if (ok != !of[i].says) fail_msg("%s: %s", from, tsr_message(ctx));
		if (ok) continue;
		assert_message(ctx, of[i].code ? of[i].code : TSR_ERROR_FILE, of[i].says);
		assert_null(x[0]);
	}
}

static void test_inputs(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = log_nothing);

	(void)state;
	for (int read = 0; read < 2; read++) {
		const mode_t mode = read ? 0666 : 0644;
		check_inputs(ctx, npz, ARRAY_LEN(npz), "x.npz", mode);
		check_inputs(ctx, safetensors, ARRAY_LEN(safetensors), "x.safetensors", mode);
	}
	assert_int_equal(tsr_close(ctx), 0);
}

/* each file cut at every byte: it is refused, or gives what it gave */
static void test_every_truncation(void **state)
{
	static const char *const files[] = {"numpy.npz", "numpy_compressed.npz",
	                                    "theirs.safetensors"};
	tsr_ctx *ctx = tsr_open(.log = log_nothing);

	(void)state;
	for (size_t f = 0; f < ARRAY_LEN(files); f++) {
		char from[100];
		size_t n;
		snprintf(from, sizeof from, "tests/files/data/%s", files[f]);
		char *bytes = bytes_of(from, &n);
		const char *path = in_folder(files[f]);
		for (size_t cut = 0; cut < n; cut += 1 + cut / 40) {
			TSR_SCOPE(ctx);
			tsr *x;
			write_bytes(path, bytes, cut);
			if (tsr_load(TSR_LEAVES(&x, 1), path, .names = TSR_NAMES("f32")))
				fail_msg("%s cut at %zu loads", files[f], cut);
			assert_message(ctx, TSR_ERROR_FILE, files[f]);
		}
		free(bytes);
	}
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inputs),
		cmocka_unit_test(test_every_truncation),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
