/* test_npy.c - .npy files: headers good and bad, byte orders, Fortran order, and files on disk.
 *
 * The files in tests/fuzz/corpus/npy were written by NumPy, or by hand where it would refuse.
 * cmocka.h comes last: it makes fail() a macro. */
#include "lib/files/files.h"
#include "tsr/tsr.h"
#include "support/quiet.h"
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#define CORPUS "tests/fuzz/corpus/npy/"

static void base_open(base *b) { assert_true(base_init(b, NULL, NULL, 0)); }

static void base_close(base *b)
{
	error_clear(b);
	base_fini(b);
	assert_int_equal(mem_in_use(b), 0);
}

/* ---- headers written by hand */

/* a file of that version around a header; returns its size */
static size_t file_of(unsigned char *out, int version, const char *header, size_t ndata)
{
	const size_t n = strlen(header), width = version > 1 ? 4 : 2;

	memcpy(out, "\x93NUMPY", 6);
	out[6] = (unsigned char)version;
	out[7] = 0;
	for (size_t i = 0; i < width; i++) out[8 + i] = (unsigned char)(n >> 8 * i);
	memcpy(out + 8 + width, header, n);
	for (size_t i = 0; i < ndata; i++) out[8 + width + n + i] = (unsigned char)i;
	return 8 + width + n + ndata;
}

static void test_good_headers(void **state)
{
	static const struct good {
		const char *header;
		tsr_dtype dtype;
		bool fortran, swapped;
		int ndim;
		int64_t dims[3];
	} good[] = {
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n",
		 TSR_F32, false, false, 2, {2, 3}},
		{"{'descr':'>f4','fortran_order':True,'shape':(2,3)}",
		 TSR_F32, true, true, 2, {2, 3}},
		{"{\"shape\" : ( ) , \"fortran_order\" : False , \"descr\" : \"|b1\" }  \n",
		 TSR_BOOL, false, false, 0, {0}},
		{" { 'shape' : (4L,), 'descr': '?', 'fortran_order': False}",
		 TSR_BOOL, false, false, 1, {4}},
		{"{'fortran_order': False, 'shape': (0, 7, 2), 'descr': '=c16', }",
		 TSR_C128, false, false, 3, {0, 7, 2}},
		{"{'descr': 'i2', 'fortran_order': False, 'shape': (1,\t2 , 1,), }",
		 TSR_I16, false, false, 3, {1, 2, 1}},
		{"{'descr': '<V2', 'fortran_order': False, 'shape': (3,), }",
		 TSR_BF16, false, false, 1, {3}},
		{"{'descr': 'bfloat16', 'fortran_order': False, 'shape': (3,), }",
		 TSR_BF16, false, false, 1, {3}},
		{"{'descr': '>u8', 'fortran_order': False, 'shape': (-0,), }",
		 TSR_U64, false, true, 1, {0}},
	};
	unsigned char file[512];
	base b;
	npy f;

	(void)state;
	base_open(&b);
	for (size_t i = 0; i < ARRAY_LEN(good); i++)
		for (int version = 1; version <= 3; version++) {
			const size_t n = file_of(file, version, good[i].header, 100);
			if (!npy_parse(&b, NULL, "f", file, n, &f))
				fail_msg("%s: %s", good[i].header, error_text(&b));
			assert_int_equal(f.dtype, good[i].dtype);
			assert_true(dims_same(f.dims, f.ndim, good[i].dims, good[i].ndim));
			assert_int_equal(f.fortran, good[i].fortran);
			assert_int_equal(f.swapped, good[i].swapped);
			assert_int_equal(f.offset, n - 100);
		}
	base_close(&b);
}

#define DICT(descr, order, shape) \
	"{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape ", }"
#define PLAIN(shape) DICT("'<f4'", "False", shape)
#define DTYPE(descr) DICT(descr, "False", "(1,)")

/* headers that are refused, with a part of the message */
static const struct bad {
	const char *header, *text;
} malformed[] = {
	{"", "not a dict"},
	{"{", "not a dict"},
	{"{}", "lacks descr"},
	{"{'descr': '<f4'}", "lacks fortran_order"},
	{"{'descr': '<f4', 'fortran_order': False}", "lacks shape"},
	{"{'descr': '<f4', 'descr': '<f4'}", "descr twice"},
	{"{'descr': '<f4', 'size': 3}", "a key other than"},
	{"{'descr' '<f4'}", "has no value"},
	{"{'descr': '<f4' 'shape': ()}", "between its entries"},
	{"{'descr': '<f4", "inside a string"},
	{PLAIN("(1,)") " x", "something follows"},
	{DICT("'<f4'", "0", "(1,)"), "neither True nor False"},
	{PLAIN("3"), "not a tuple"},
	{PLAIN("(3)"), "a number, not a tuple"},
	{PLAIN("(3 4)"), "inside the shape"},
	{PLAIN("(3, x)"), "not a tuple of integers"},
	{PLAIN("(3,,)"), "not a tuple of integers"},
	{PLAIN("(-1,)"), "negative"},
	{PLAIN("(9223372036854775808,)"), "a dim of the shape is too large"},
	{PLAIN("(4294967296, 4294967296)"), "an array of this shape is too large"},
	{PLAIN("(4611686018427387904,)"), "an array of this shape is too large"},
	{PLAIN("(26,)"), "promises 104 bytes of data and 100 are there"},
}, unsupported[] = {
	{DTYPE("'<f3'"), "'<f3' is not one of"},
	{DTYPE("'<f16'"), "'<f16' is not one of"},
	{DTYPE("'<i01'"), "'<i01' is not one of"},
	{DTYPE("'<U4\x01'"), "'<U4?' is not one of"},
	{DTYPE("''"), "'' is not one of"},
	{DTYPE("'O'"), "'O' is not one of"},
	{DTYPE("[('a', '<i4')]"), "has fields"},
};

static void assert_refused(base *b, const void *bytes, size_t n, const char *text, tsr_code code)
{
	npy f;

	assert_false(npy_parse(b, "t.c:1", "the file", bytes, n, &f));
	assert_int_equal(error_code(b), code);
	assert_non_null(strstr(error_text(b), "t.c:1: the file: "));
	if (!strstr(error_text(b), text)) fail_msg("got %s, not %s", error_text(b), text);
	error_clear(b);
}

static void test_bad_headers(void **state)
{
	unsigned char file[512];
	base b;

	(void)state;
	base_open(&b);
	for (size_t i = 0; i < ARRAY_LEN(malformed); i++)
		assert_refused(&b, file, file_of(file, 1, malformed[i].header, 100),
		               malformed[i].text, TSR_ERROR_FILE);
	for (size_t i = 0; i < ARRAY_LEN(unsupported); i++)
		assert_refused(&b, file, file_of(file, 1, unsupported[i].header, 100),
		               unsupported[i].text, TSR_ERROR_UNSUPPORTED);
	base_close(&b);
}

static void test_bad_preambles(void **state)
{
	unsigned char file[512];
	base b;
	const size_t n = file_of(file, 1, DICT("'<i2'", "False", "(2,)"), 4);
	npy f;

	(void)state;
	base_open(&b);
	assert_refused(&b, "", 0, "not an .npy file", TSR_ERROR_FILE);
	assert_refused(&b, "PK\3\4 zip file", 12, "not an .npy file", TSR_ERROR_FILE);
	assert_refused(&b, "\x93NUMPY\1\0", 8, "ends before its header", TSR_ERROR_FILE);
	assert_refused(&b, "\x93NUMPY\4\0\0\0\0\0", 12, "version 4.0", TSR_ERROR_FILE);
	assert_refused(&b, "\x93NUMPY\1\1\0\0", 10, "version 1.1", TSR_ERROR_FILE);
	assert_refused(&b, "\x93NUMPY\2\0\377\377\377\377", 12, "4294967295 bytes is too large",
	               TSR_ERROR_FILE);
	for (size_t cut = 0; cut < n; cut++) {             /* from memory of exactly that size */
		unsigned char *part = malloc(cut + 1);
		assert_non_null(part);
		memcpy(part, file, cut);
		assert_false(npy_parse(&b, NULL, "cut", part, cut, &f));
		error_clear(&b);
		free(part);
	}
	assert_true(npy_parse(&b, NULL, "whole", file, n, &f));
	char shape[2000] = "{'descr': '<i2', 'fortran_order': False, 'shape': (";
	for (int i = 0; i < 256; i++) strcat(shape, "1,");
	strcat(shape, ")}");
	unsigned char large[2100];
	assert_refused(&b, large, file_of(large, 1, shape, 2), "more than 255 dims",
	               TSR_ERROR_FILE);
	base_close(&b);
}

/* ---- data */

static size_t read_file(const char *path, unsigned char *out, size_t room)
{
	FILE *file = fopen(path, "rb");

	if (!file) fail_msg("%s is missing: run from the root of the tree", path);
	const size_t n = fread(out, 1, room, file);
	fclose(file);
	return n;
}

/* the elements of a file in memory */
static void elements_of(const unsigned char *file, size_t n, void *out)
{
	tsr_ctx *ctx = tsr_open();
	const tsr *x = tsr_read_npy(ctx, file, n);

	assert_true(tsr_read(x, out, (size_t)tsr_nbytes(x)));
	assert_int_equal(tsr_close(ctx), 0);
}

/* the elements 0 1 2 3 4 0 in each dtype, as NumPy saved them, in both byte orders; of those it
 * wrote in ours, the header comes out the same */
static void test_numpy_files(void **state)
{
	static const char *const names[] = {"bool", "i1", "i2", "i4", "i8", "u1", "u2",
	                                    "u4",   "u8", "f2", "f4", "f8", "c8", "c16"};
	unsigned char file[1024], data[256];
	base b;
	npy f;

	(void)state;
	base_open(&b);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		char path[100];
		snprintf(path, sizeof path, CORPUS "dtype_%s.npy", names[i]);
		const size_t n = read_file(path, file, sizeof file);
		if (!npy_parse(&b, NULL, path, file, n, &f)) fail_msg("%s", error_text(&b));
		elements_of(file, n, data);
		for (int k = 0; k < 6; k++) {
			const double want = f.dtype == TSR_BOOL ? k % 5 != 0 : k % 5;
			assert_true(dtype_get(f.dtype, data, k) == want);
		}
		str header = {.base = &b};
		npy_header(&header, f.dtype, f.dims, f.ndim);
		assert_int_equal(header.len, f.offset);
		if (!f.swapped) assert_memory_equal(header.s, file, header.len);
		str_free(&header);
	}
	base_close(&b);
}

static void test_bf16_file(void **state)
{
	unsigned char file[1024], data[64];
	base b;
	npy f;

	(void)state;
	base_open(&b);
	const size_t n = read_file(CORPUS "dtype_bf16.npy", file, sizeof file);
	assert_true(npy_parse(&b, NULL, "bf16", file, n, &f));
	assert_int_equal(f.dtype, TSR_BF16);
	elements_of(file, n, data);
	for (int k = 0; k < 6; k++) assert_true(dtype_get(TSR_BF16, data, k) == k);
	str header = {.base = &b};
	npy_header(&header, f.dtype, f.dims, f.ndim);
	assert_int_equal(header.len, f.offset);
	assert_memory_equal(header.s, file, header.len);
	str_free(&header);
	base_close(&b);
}

static void test_fortran_order(void **state)
{
	unsigned char file[1024], data[256];
	base b;
	npy f;

	(void)state;
	base_open(&b);
	size_t n = read_file(CORPUS "fortran.npy", file, sizeof file);
	assert_true(npy_parse(&b, NULL, "fortran", file, n, &f) && f.fortran && f.ndim == 3);
	elements_of(file, n, data);
	for (int k = 0; k < 24; k++) assert_true(dtype_get(TSR_F32, data, k) == k);
	n = read_file(CORPUS "fortran_big_endian.npy", file, sizeof file);
	assert_true(npy_parse(&b, NULL, "fortran", file, n, &f) && f.fortran && f.swapped);
	elements_of(file, n, data);
	for (int k = 0; k < 6; k++) assert_true(dtype_get(TSR_C64, data, k) == k);
	base_close(&b);
}

/* ---- files of a context */

static char folder[] = "/tmp/tsr-npy-XXXXXX";

/* a path, until eight others were asked for */
static const char *in_folder(const char *name)
{
	static char path[8][400];
	static unsigned next;

	char *const out = path[next++ % ARRAY_LEN(path)];
	snprintf(out, sizeof path[0], "%s/%s", folder, name);
	return out;
}

static int folder_make(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int folder_remove(void **state)
{
	(void)state;
	unlink(in_folder("a.npy"));
	return rmdir(folder);
}

static void test_round_trip(void **state)
{
	const uint64_t bits[8] = {
		0,
		1,
		0x0123456789abcdef,
		0x3ff0000000000000,
		0x7ff8000000000001,
		0xffff0000ffff0000,
		7,
		42,
	};
	tsr_ctx *ctx = tsr_open(.devices = 4, .log = log_nothing);
	tsr_mesh *m = tsr_mesh_make(ctx, {"x", 4});
	const char *path = in_folder("a.npy");

	(void)state;
	for (tsr_dtype d = TSR_I8; d < TSR_DTYPE_COUNT_; d++) {
		const int64_t n = (int64_t)(sizeof bits / tsr_dtype_size(d));
		tsr *host = tsr_from(ctx, (const void *)bits, d, TSR_DIMS(n, 1));
		tsr *x = tsr_put(host, m, TSR_P("x"));
		assert_true(tsr_save_npy(x, path));
		tsr *y = tsr_load_npy(ctx, path);
		uint64_t back[8];
		assert_true(tsr_read(y, (void *)back, sizeof back));
		assert_memory_equal(back, bits, sizeof bits);
		assert_true(tsr_dtype_of(y) == d && tsr_dim(y, 0) == n && tsr_ndim(y) == 2);
	}
	assert_true(tsr_save_npy(tsr_scalar(ctx, 2.5), path));
	assert_true(tsr_item(tsr_load_npy(ctx, path)) == 2.5);
	assert_true(tsr_save_npy(tsr_zeros(ctx, TSR_DIMS(0, 3)), path));
	assert_int_equal(tsr_dim(tsr_load_npy(ctx, path), 1), 3);
	assert_string_equal(tsr_message(ctx), "");
	assert_int_equal(tsr_close(ctx), 0);
}

static void assert_message(tsr_ctx *ctx, int code, const char *text)
{
	assert_int_equal(tsr_status(ctx), code);
	if (!strstr(tsr_message(ctx), text)) fail_msg("got %s, not %s", tsr_message(ctx), text);
	assert_non_null(strstr(tsr_message(ctx), "test_npy.c:"));
	tsr_clear(ctx);
}

static void test_file_errors(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	tsr *x = tsr_ones(ctx, TSR_DIMS(2));

	(void)state;
	assert_true(tsr_is_poison(tsr_load_npy(ctx, "no/such/file.npy")));
	assert_message(ctx, TSR_ERROR_FILE, "no/such/file.npy: No such file");
	assert_true(tsr_is_poison(tsr_load_npy(ctx, folder)));
	assert_message(ctx, TSR_ERROR_FILE, "Is a directory");
	assert_true(tsr_is_poison(tsr_load_npy(ctx, "/dev/zero")));
	assert_message(ctx, TSR_ERROR_FILE, "load_npy: /dev/zero: No such device");
	assert_true(tsr_is_poison(tsr_load_npy(ctx, CORPUS "truncated_data.npy")));
	assert_message(ctx, TSR_ERROR_FILE,
	               "truncated_data.npy: the header promises 32 bytes of data and 29 are there");
	assert_true(tsr_is_poison(tsr_load_npy(ctx, NULL)));
	assert_message(ctx, TSR_ERROR_ARGUMENT, "path is NULL");
	assert_true(tsr_is_poison(tsr_read_npy(ctx, NULL, 3)));
	assert_message(ctx, TSR_ERROR_ARGUMENT, "bytes are NULL");
	assert_true(tsr_is_poison(tsr_read_npy(ctx, "\x93NUMPY", 6)));
	assert_message(ctx, TSR_ERROR_FILE, "read_npy: the file ends before its header");
	assert_false(tsr_save_npy(x, "no/such/file.npy"));
	assert_message(ctx, TSR_ERROR_FILE, "save_npy: no/such/file.npy: No such file");
	assert_false(tsr_save_npy(x, folder));
	assert_message(ctx, TSR_ERROR_FILE, folder);
	assert_false(tsr_save_npy(x, NULL));
	assert_message(ctx, TSR_ERROR_ARGUMENT, "path is NULL");
	assert_false(tsr_save_npy(NULL, "x.npy"));
	assert_message(ctx, TSR_ERROR_HANDLE, "save_npy: the operand is NULL");
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- what a path leads to when it is written */

static mode_t mode_of(const char *path)
{
	struct stat about;

	assert_int_equal(lstat(path, &about), 0);
	return about.st_mode;
}

/* the one element of an array in a file */
static double item_in(tsr_ctx *ctx, const char *path) { return tsr_item(tsr_load_npy(ctx, path)); }

/* a chain of two links, at first to nothing; a name of the greatest length at its end */
static void test_links(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	tsr *x = tsr_scalar(ctx, 1.5), *y = tsr_scalar(ctx, 2.5);
	char inner[8 + 255 + 1];
	const char *first = in_folder("first"), *second = in_folder("second"),
		   *loop = in_folder("loop");

	(void)state;
	snprintf(inner, sizeof inner, "subdir/%0255d", 7);
	const char *target = in_folder(inner);
	assert_int_equal(mkdir(in_folder("subdir"), 0777), 0);
	assert_int_equal(symlink(second, first), 0);
	assert_int_equal(symlink(inner, second), 0);
	assert_true(tsr_save_npy(x, first));
	assert_true(item_in(ctx, target) == 1.5);
	assert_true(tsr_save_npy(y, first));
	assert_true(item_in(ctx, target) == 2.5);
	assert_true(S_ISLNK(mode_of(first)) && S_ISLNK(mode_of(second)));
	assert_true(S_ISREG(mode_of(target)));
	assert_int_equal(tsr_status(ctx), 0);
	assert_int_equal(symlink("loop", loop), 0);
	assert_false(tsr_save_npy(x, loop));
	assert_message(ctx, TSR_ERROR_FILE, "loop: Too many levels of symbolic links");
	assert_true(S_ISLNK(mode_of(loop)));
	assert_int_equal(tsr_close(ctx), 0);
	assert_int_equal(unlink(first) | unlink(second) | unlink(target) | unlink(loop), 0);
	assert_int_equal(rmdir(in_folder("subdir")), 0); /* nothing else is in it */
}

static int files_in_folder(void)
{
	DIR *d = opendir(folder);
	int n = 0;

	assert_non_null(d);
	while (readdir(d)) n++;
	closedir(d);
	return n - 2; /* without "." and ".." */
}

/* a write that fails leaves the old file, and nothing beside it */
static void test_failed_write(void **state)
{
	const char *path = in_folder("a.npy");
	struct rlimit old;
	tsr_ctx *ctx = tsr_open(.log = log_nothing);

	(void)state;
	assert_true(tsr_save_npy(tsr_scalar(ctx, 1.5), path));
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	void (*const handler)(int) = signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){130, old.rlim_max}), 0);
	const bool saved = tsr_save_npy(tsr_scalar(ctx, 2.5), path);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	signal(SIGXFSZ, handler);
	assert_false(saved);
	assert_message(ctx, TSR_ERROR_FILE, "a.npy: File too large");
	assert_true(item_in(ctx, path) == 1.5);
	assert_int_equal(files_in_folder(), 1);
	assert_int_equal(tsr_close(ctx), 0);
}

/* who has the old file open keeps seeing it whole */
static void test_old_file(void **state)
{
	unsigned char before[256], after[256];
	tsr_ctx *ctx = tsr_open();
	const char *path = in_folder("a.npy");

	(void)state;
	assert_true(tsr_save_npy(tsr_scalar(ctx, 1.5), path));
	const size_t n = read_file(path, before, sizeof before);
	const int fd = open(path, O_RDONLY);
	assert_true(tsr_save_npy(tsr_ones(ctx, TSR_DIMS(3)), path));
	assert_int_equal(read(fd, after, sizeof after), n);
	assert_memory_equal(after, before, n);
	close(fd);
	assert_int_equal(tsr_dim(tsr_load_npy(ctx, path), 0), 3);
	assert_int_equal(tsr_close(ctx), 0);
}

/* an array that is saved to `path` arrives at `reader`, and nothing else: 128 bytes and an f32 */
static void assert_arrives(tsr_ctx *ctx, const char *path, int reader)
{
	unsigned char bytes[256];

	assert_true(tsr_save_npy(tsr_scalar(ctx, 2.5), path));
	assert_int_equal(read(reader, bytes, sizeof bytes), 132);
	assert_true(tsr_item(tsr_read_npy(ctx, bytes, 132)) == 2.5);
}

/* FIFOs, also behind a link; what this process has open, as /dev/stdout names it: a pipe, and a
 * deleted file, which loses its old end; the name that its link gives it then is that of another */
static void test_not_regular(void **state)
{
	tsr_ctx *ctx = tsr_open();
	const char *fifo = in_folder("fifo"), *link = in_folder("link");
	const char *gone = in_folder("gone"), *other = in_folder("gone (deleted)");
	int end[2];
	char name[40];

	(void)state;
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(symlink("fifo", link), 0);
	const int reader = open(fifo, O_RDONLY | O_NONBLOCK);
	assert_true(reader >= 0);
	assert_arrives(ctx, fifo, reader);
	assert_arrives(ctx, link, reader);
	assert_true(S_ISFIFO(mode_of(fifo)) && S_ISLNK(mode_of(link)));
	close(reader);

	/* and what is in one is read, also where no file says how much there is */
	assert_int_equal(pipe(end), 0);
	snprintf(name, sizeof name, "/proc/self/fd/%d", end[1]);
	assert_true(tsr_save_npy(tsr_arange(ctx, 2000, .dtype = TSR_I64), name));
	close(end[1]);
	snprintf(name, sizeof name, "/proc/self/fd/%d", end[0]);
	assert_true(tsr_item(tsr_sum(tsr_load_npy(ctx, name))) == 1999000);
	close(end[0]);

	assert_int_equal(pipe(end), 0);
	snprintf(name, sizeof name, "/proc/self/fd/%d", end[1]);
	assert_arrives(ctx, name, end[0]);
	close(end[0]);
	close(end[1]);

	assert_true(tsr_save_npy(tsr_scalar(ctx, 1.5), other));
	const int deleted = open(gone, O_RDWR | O_CREAT | O_EXCL, 0600);
	assert_true(deleted >= 0);
	assert_int_equal(unlink(gone) | ftruncate(deleted, 1000), 0);
	snprintf(name, sizeof name, "/proc/self/fd/%d", deleted);
	assert_arrives(ctx, name, deleted);
	assert_true(item_in(ctx, other) == 1.5);
	close(deleted);
	assert_int_equal(unlink(fifo) | unlink(link) | unlink(other), 0);
	assert_int_equal(tsr_close(ctx), 0);
}

/* a new file has those of any new file; an old one keeps its own */
static void test_permissions(void **state)
{
	static const mode_t old[] = {0600, 0640, 0666, 0755};
	tsr_ctx *ctx = tsr_open();
	tsr *x = tsr_scalar(ctx, 2.5);
	const char *path = in_folder("p.npy");
	const mode_t mask = umask(0027);

	(void)state;
	assert_true(tsr_save_npy(x, path));
	assert_int_equal(mode_of(path) & 07777, 0640);
	for (size_t i = 0; i < ARRAY_LEN(old); i++) {
		assert_int_equal(chmod(path, old[i]), 0);
		assert_true(tsr_save_npy(x, path));
		assert_int_equal(mode_of(path) & 07777, old[i]);
	}
	umask(mask);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(tsr_close(ctx), 0);
}

/* a file that may not be written to stays, though its folder would let it be replaced; root may
 * write to every file, so it acts as another user here */
static void test_write_protection(void **state)
{
	const char *path = in_folder("p.npy");
	const uid_t user = geteuid(), other = user ? user : 65534;

	(void)state;
	if (seteuid(other) != 0) skip();
	assert_int_equal(seteuid(user), 0);
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	assert_true(tsr_save_npy(tsr_scalar(ctx, 1.5), path));
	assert_int_equal(chmod(path, 0444) | chmod(folder, 0777), 0);
	assert_int_equal(seteuid(other), 0);
	const bool saved = tsr_save_npy(tsr_scalar(ctx, 2.5), path);
	assert_int_equal(seteuid(user), 0);
	assert_false(saved);
	assert_message(ctx, TSR_ERROR_FILE, "p.npy: Permission denied");
	assert_true(item_in(ctx, path) == 1.5);
	assert_int_equal(unlink(path) | chmod(folder, 0700), 0);
	assert_int_equal(tsr_close(ctx), 0);
}

/* A file of another user stays his: root gives the new file to him, and anybody else writes into
 * the old one, whose number stays */
static void test_owner(void **state)
{
	const char *path = in_folder("p.npy");
	struct stat is;
	ino_t old;

	(void)state;
	if (geteuid() != 0) skip(); /* only root can give files away */
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	assert_true(tsr_save_npy(tsr_scalar(ctx, 1.5), path));
	assert_int_equal(chown(path, 65534, 65533) | chmod(path, 0660), 0);
	assert_int_equal(stat(path, &is), 0);
	old = is.st_ino;
	assert_true(tsr_save_npy(tsr_scalar(ctx, 2.5), path));
	assert_int_equal(stat(path, &is), 0);
	assert_true(is.st_ino != old);
	assert_int_equal(is.st_uid, 65534);
	assert_int_equal(is.st_gid, 65533);
	assert_int_equal(is.st_mode & 07777, 0660);
	old = is.st_ino;
	assert_int_equal(chmod(path, 0666) | chmod(folder, 0777) | seteuid(65532), 0);
	const bool saved = tsr_save_npy(tsr_scalar(ctx, 3.5), path);
	assert_int_equal(seteuid(0), 0);
	assert_true(saved);
	assert_int_equal(stat(path, &is), 0);
	assert_true(is.st_ino == old);
	assert_int_equal(is.st_uid, 65534);
	assert_true(item_in(ctx, path) == 3.5);
	assert_int_equal(unlink(path) | chmod(folder, 0700), 0);
	assert_int_equal(tsr_close(ctx), 0);
}

/* a file beyond the limit of the process is an error, where the system would send a signal that
 * ends the process */
static void test_size_limit(void **state)
{
	const char *path = in_folder("p.npy");
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	struct rlimit before;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){127 + 16, before.rlim_max}), 0);
	const bool saved = tsr_save_npy(tsr_ones(ctx, TSR_DIMS(4)), path);
	const bool fits = tsr_save_npy(tsr_ones(ctx, TSR_DIMS(3)), path);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_false(saved);
	assert_message(ctx, TSR_ERROR_FILE, "p.npy: File too large");
	assert_true(fits);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(tsr_close(ctx), 0);
}

static void write_file(const char *path, const void *bytes, size_t n)
{
	FILE *f = fopen(path, "wb");

	assert_true(f && fwrite(bytes, 1, n, f) == n);
	assert_int_equal(fclose(f), 0);
}

/* The header is checked before anything behind it is read or room for it is made: of a file of 4
 * TiB that is none, and of one whose header promises what the file does not have */
static void test_header_first(void **state)
{
	static const char promise[] = "{'descr': '<f4', 'fortran_order': False, "
				      "'shape': (1000000000000,)}";
	const char *path = in_folder("p.npy");
	unsigned char file[400] = "no header at all";
	tsr_ctx *ctx = tsr_open(.log = log_nothing, .memory_limit = 1 << 20);

	(void)state;
	write_file(path, file, sizeof file);
	assert_int_equal(truncate(path, (off_t)1 << 42), 0);
	assert_true(tsr_is_poison(tsr_load_npy(ctx, path)));
	assert_message(ctx, TSR_ERROR_FILE, "p.npy: this is not an .npy file");
	write_file(path, file, file_of(file, 1, promise, 100));
	assert_true(tsr_is_poison(tsr_load_npy(ctx, path)));
	assert_message(ctx, TSR_ERROR_FILE, "promises 4000000000000 bytes of data and 100 are");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(tsr_close(ctx), 0);
}

/* a terminal must not obey the name of a file */
static void test_names_are_harmless(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = log_nothing);

	(void)state;
	assert_true(tsr_is_poison(tsr_load_npy(ctx, "no/\033[2J\177\xC2\x9B" "2Jé.npy")));
	assert_message(ctx, TSR_ERROR_FILE, "no/?[2J???2Jé.npy: No such file");
	assert_int_equal(tsr_close(ctx), 0);
}

/* fails the n-th request for memory, for each n */
static void test_no_memory(void **state)
{
	const char *path = in_folder("a.npy");
	bool done = false;

	(void)state;
	for (int64_t n = 1; !done && n < 1000; n++) {
		tsr_ctx *ctx = tsr_open(.fail_at = n, .log = log_nothing);
		tsr *x = tsr_load_npy(ctx, CORPUS "fortran.npy");
		done = tsr_save_npy(x, path) && tsr_dim(tsr_load_npy(ctx, path), 2) == 4;
		const int code = tsr_close(ctx);
		assert_int_equal(code, done ? 0 : TSR_ERROR_MEMORY);
	}
	assert_true(done);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good_headers),
		cmocka_unit_test(test_bad_headers),
		cmocka_unit_test(test_bad_preambles),
		cmocka_unit_test(test_numpy_files),
		cmocka_unit_test(test_bf16_file),
		cmocka_unit_test(test_fortran_order),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_file_errors),
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_old_file),
		cmocka_unit_test(test_failed_write),
		cmocka_unit_test(test_not_regular),
		cmocka_unit_test(test_permissions),
		cmocka_unit_test(test_write_protection),
		cmocka_unit_test(test_owner),
		cmocka_unit_test(test_size_limit),
		cmocka_unit_test(test_header_first),
		cmocka_unit_test(test_names_are_harmless),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
