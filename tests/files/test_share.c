/* test_share.c - a process reads of a file the bytes that its devices need, and at most a page more
 * at each end of a run.
 *
 * Eight devices are eight processes here, of which this one is each in turn. What came from the
 * disk is seen where the file system lets its pages go (mincore); what was read, in
 * /proc/self/io. */
#include "files/files_rig.h"
#include "runtime/runtime.h"
#include "support/comm_record.h"
#include <fcntl.h>
#include <sys/mman.h>

enum { PAGE = 4096, PROCESSES = 8 };

/* how an array is cut, and into what that cuts the file */
static const struct cut {
	int64_t dims[2];
	int dim;
	int64_t runs, bytes; /* of a process, and of each run */
} cuts[] = {
	{{1024, 1024}, 0, 1, 512 << 10},  /* one piece */
	{{64, 16384}, 1, 64, 8192},       /* 64 KiB from one to the next */
	{{512, 8192}, 1, 512, 4096},      /* 32 KiB */
	{{1000, 328}, 1, 1000, 41 * 4},   /* many in each page */
};
/* pages with headers and directories, beside these: minizip looks for the end of a directory in the
 * last 64 KiB, some of it several times */
enum { HEADERS = 16 + 6, AGAIN = 3 };

static int64_t pages_in_memory(const char *path)
{
	struct stat about;
	const int fd = open(path, O_RDONLY);
	int64_t n = 0;

	assert_true(fd >= 0 && fstat(fd, &about) == 0);
	const size_t bytes = (size_t)about.st_size, pages = (bytes + PAGE - 1) / PAGE;
	void *at = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
	unsigned char *in = malloc(pages);
	assert_true(at != MAP_FAILED && in && mincore(at, bytes, in) == 0);
	for (size_t i = 0; i < pages; i++) n += in[i] & 1;
	munmap(at, bytes);
	free(in);
	close(fd);
	return n;
}

/* false: they cannot go here */
static bool drop_pages(const char *path)
{
	const int fd = open(path, O_RDONLY);

	assert_true(fd >= 0 && fsync(fd) == 0);
	const bool dropped = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) == 0;
	close(fd);
	return dropped && pages_in_memory(path) == 0;
}

static int64_t bytes_read(void)
{
	long long n = -1;
	FILE *io = fopen("/proc/self/io", "r");

	if (!io || fscanf(io, "rchar: %lld", &n) != 1) n = -1;
	if (io) fclose(io);
	return n;
}

static void save(const struct cut *c, const char *path)
{
	tsr_ctx *ctx = tsr_open();
	const int64_t size = c->dims[0] * c->dims[1];
	tsr *x[3] = {tsr_ones(ctx, TSR_DIMS(300000)),
	             tsr_reshape(tsr_arange(ctx, size, .dtype = TSR_F32),
	                         TSR_DIMS(c->dims[0], c->dims[1])),
	             tsr_ones(ctx, TSR_DIMS(300000))};

	assert_true(tsr_save(TSR_LEAVES(x, 3), path, .names = TSR_NAMES("a", "x", "b")));
	assert_int_equal(tsr_close(ctx), 0);
}

/* loads x as one of the processes, and looks at its part */
static void load(const struct cut *c, const char *path, int process)
{
	const tsr_open_args args = {.size = sizeof args, .devices = PROCESSES, .workers = 1};
	record_place at = {process, PROCESSES, NULL, 0, 0};
	tsr_ctx *ctx = ctx_open(NULL, &args, 1, &record_comm, &at);
	const tsr_mesh *mesh = tsr_mesh_make(ctx, {"p", PROCESSES});
	const tsr_spec spec = c->dim ? TSR_P(NULL, "p") : TSR_P("p", NULL);
	int64_t strides[8];
	tsr *x;

	assert_true(tsr_load(TSR_LEAVES(&x, 1), path, .mesh = mesh, .spec = TSR_FOR_ALL(spec),
	                     .names = TSR_NAMES("x")));
	const float *part = tsr_shard_borrow(x, process, strides);
	assert_non_null(part);
	const int64_t first = c->dim ? c->dims[1] / PROCESSES * process
	                             : c->dims[0] / PROCESSES * process * c->dims[1];
	const int64_t width = c->dim ? c->dims[1] / PROCESSES : c->dims[1];
	for (int64_t i = 0; i < c->runs * c->bytes / 4; i++)
		if (part[i] != (float)(first + i / width * c->dims[1] + i % width))
			fail_msg("%s: element %lld of process %d", path, (long long)i, process);
	assert_int_equal(tsr_close(ctx), 0);
}

static void check_share(const char *ending, bool mapped)
{
	for (size_t k = 0; k < ARRAY_LEN(cuts); k++) {
		const struct cut *c = &cuts[k];
		const char *path = in_folder(ending);
		const int64_t own = c->runs * c->bytes;
		save(c, path);
		assert_int_equal(chmod(path, mapped ? 0644 : 0666), 0);
		for (int process = 0; process < PROCESSES; process += 3) {
			const bool drops = drop_pages(path);
			const int64_t before = bytes_read();
			load(c, path, process);
			const int64_t took = bytes_read() - before;
			const int64_t most = own / PAGE + c->runs + HEADERS;
			if (drops && pages_in_memory(path) > most)
				fail_msg("%s: cut %zu: %lld pages, and not %lld", path, k,
				         (long long)pages_in_memory(path), (long long)most);
			if (before >= 0 && took > own + (c->runs + AGAIN * HEADERS) * PAGE)
				fail_msg("%s: cut %zu: %lld bytes were read, and not %lld", path,
				         k, (long long)took, (long long)own);
			if (!drops) print_message("pages stay in memory here\n");
		}
	}
}

static void test_mapped(void **state)
{
	(void)state;
	check_share("m.npz", true);
	check_share("m.safetensors", true);
}

static void test_read(void **state)
{
	(void)state;
	check_share("r.npz", false);
	check_share("r.safetensors", false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mapped),
		cmocka_unit_test(test_read),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
