/* test_reads.c - the bytes that a process reads of a checkpoint: no more than 1.05 of the bytes
 * that its devices need, and two MiB of each piece; and the hash of pieces that are read whole is
 * compared. */
#include "support/comm_record.h"
#include "checkpoint/checkpoint_rig.h"
#include <errno.h>
#include <sys/syscall.h>

static size_t bytes_read, calls;

ssize_t pread(int fd, void *to, size_t n, off_t at)
{
	const ssize_t done = syscall(SYS_pread64, fd, to, n, at);

	if (done > 0) bytes_read += (size_t)done;
	calls++;
	return done;
}

enum { HEIGHT = 4096, WIDTH = 2048, ITEM = 4 }; /* 32 MiB */

static const tsr_axis eight[] = {{"x", 8}}, grid[] = {{"x", 4}, {"y", 2}};

/* u32, each its own number; of a process of so many, over a mesh of 8 devices and a spec */
static array *numbered(tsr_ctx *ctx, const sharding *s, uint32_t add)
{
	const type *t = type_make(&ctx->ir, TSR_U32, (int64_t[]){HEIGHT, WIDTH}, 2, 0);
	uint32_t *data = malloc((size_t)HEIGHT * WIDTH * ITEM);

	for (uint32_t i = 0; i < HEIGHT * WIDTH; i++) data[i] = i + add;
	array *x = array_from_host(ctx, t, data, s, true);
	free(data);
	return x;
}

static const sharding *cut(tsr_ctx *ctx, const tsr_axis *axes, size_t n, const char *spec)
{
	const sharding *s = sharding_of_text(
		&ctx->shards, mesh_make(&ctx->shards, NULL, axes, n, NULL, 8), spec);

	assert_non_null(s);
	return s;
}

static bool is_numbered(const array *x)
{
	for (int64_t i = 0; i < x->nshards; i++) {
		int64_t start[2], stop[2];
		const uint32_t *data = x->shard[i]->engine->type->borrow(x->shard[i]);
		sharding_box(x->sharding, x->type->dims, 2, sharding_here(x->sharding, i), start,
		             stop);
		for (int64_t r = start[0]; r < stop[0]; r++)
			for (int64_t c = start[1]; c < stop[1]; c++)
				if (*data++ != (uint32_t)(r * WIDTH + c)) return false;
	}
	return true;
}

/* bytes that the devices here need, each once */
static size_t needed(const array *x)
{
	size_t bytes = 0;

	for (int64_t i = 0; i < x->nshards; i++) {
		bool again = false;
		for (int64_t j = 0; j < i; j++)
			again |= sharding_first(x->sharding, sharding_here(x->sharding, i)) ==
			         sharding_first(x->sharding, sharding_here(x->sharding, j));
		if (!again) bytes += (size_t)block_bytes(x);
	}
	return bytes;
}

static const struct load {
	const tsr_axis *axes;
	size_t naxes;
	const char *spec;
	int process, processes; /* which, of how many */
} loads[] = {
	{eight, 1, "[x,-]", 0, 1},  {eight, 1, "[-,x]", 0, 1}, {eight, 1, "[x,-]", 2, 8},
	{eight, 1, "[-,x]", 5, 8},  {grid, 2, "[y,x]", 3, 4},  {grid, 2, "[x,-]", 1, 2},
	{grid, 2, "[x*y,-]", 6, 8}, {grid, 2, "[-,y]", 1, 2},  {eight, 1, "[-,-]", 1, 4},
};

/* saved from one process with this spec, in so many pieces */
static void check_loads(const char *spec, int64_t step, size_t pieces)
{
	tsr_ctx *ctx = tsr_open(.devices = 8, .log = log_nothing);
	tsr *x = handle_of_array(ctx, numbered(ctx, cut(ctx, eight, 1, spec), 0));

	assert_true(tsr_checkpoint_save(folder, step, TSR_LEAVES(&x, 1)));
	assert_int_equal(tsr_close(ctx), TSR_OK);
	for (size_t k = 0; k < ARRAY_LEN(loads); k++) {
		const struct load *l = &loads[k];
		const tsr_open_args args = {.size = sizeof args, .devices = 8, .log = log_nothing};
		record_place at = {l->process, l->processes, NULL, 0, 0};
		ctx = ctx_open("test.c:1", &args, 1, &record_comm, &at);
		x = handle_of_array(ctx, numbered(ctx, cut(ctx, l->axes, l->naxes, l->spec), 1));
		const size_t need = needed(handle_array(NULL, x));
		bytes_read = calls = 0;
		assert_true(tsr_checkpoint_load(folder, step, TSR_LEAVES(&x, 1)));
		assert_true(is_numbered(handle_array(NULL, x)));
		const size_t most = need / 20 * 21 + pieces * 2 * CHUNK;
		if (bytes_read < need || bytes_read > most)
			fail_msg("%s to %s: %zu bytes read, %zu needed, %zu allowed", spec, l->spec,
			         bytes_read, need, most);
		assert_true(calls < 40000);
		assert_int_equal(tsr_close(ctx), TSR_OK);
	}
}

static void test_bytes(void **state)
{
	(void)state;
	check_loads("[x,-]", 0, 8);
	check_loads("[-,x]", 1, 8);
}

/* a flipped bit is noticed by who reads its MiB whole, and is none of the others' business */
static void test_hashes(void **state)
{
	char path[200], bit;

	(void)state;
	check_loads("[-,-]", 2, 1);
	snprintf(path, sizeof path, "%s/2/00000-00000.safetensors", folder);
	FILE *file = fopen(path, "r+b");
	assert_true(file && fseek(file, 9 << 20, SEEK_SET) == 0 && fread(&bit, 1, 1, file) == 1);
	bit ^= 4;
	assert_true(fseek(file, 9 << 20, SEEK_SET) == 0 && fwrite(&bit, 1, 1, file) == 1);
	fclose(file);
	for (int process = 0; process < 8; process++) {
		const tsr_open_args args = {.size = sizeof args, .devices = 8, .log = log_nothing};
		record_place at = {process, 8, NULL, 0, 0};
		tsr_ctx *ctx = ctx_open("test.c:1", &args, 1, &record_comm, &at);
		tsr *x = handle_of_array(ctx, numbered(ctx, cut(ctx, eight, 1, "[x,-]"), 1));
		/* rows 1024 .. 1535 are MiB 8 .. 11, and the header moves what is behind it */
		const bool ok = tsr_checkpoint_load(folder, 2, TSR_LEAVES(&x, 1));
		assert_int_equal(ok, process != 2);
		if (!ok)
			assert_message(ctx, TSR_ERROR_FILE,
			               "MiB 8 of its data does not have its hash");
		assert_int_equal(tsr_close(ctx), TSR_OK);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_hashes),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
