/* cases_files.c - arrays from a file that the system has in memory, and onto the disk. */
#include "bench.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define D TSR_DIMS

enum { ARRAYS = 16 };
static char path[100];

static void remove_file(void) { unlink(path); }

/* ---- loads */

/* sizes: arrays, at most ARRAYS, and elements of each */
static void setup_load(bench *b)
{
	tsr *x[ARRAYS];
	const size_t n = (size_t)b->size[0];

	if (!*path) atexit(remove_file);
	snprintf(path, sizeof path, "/tmp/tsr-bench-%ld.safetensors", (long)getpid());
	for (size_t k = 0; k < n; k++) x[k] = scattered(b->ctx, 1 + (uint32_t)k, D(b->size[1]), 2);
	tsr_save(TSR_LEAVES(x, n), path);
	for (size_t k = 0; k < n; k++) tsr_drop(&x[k]);
}

static void load(bench *b, tsr **out)
{
	tsr *x[ARRAYS];
	const size_t n = (size_t)b->size[0];

	if (tsr_load(TSR_LEAVES(x, n), path)) memcpy(out, x, 2 * sizeof *x);
}

/* ---- checkpoints */

static char folder[100];
static tsr *saved[ARRAYS];
static int64_t saves;

static void remove_folder(void)
{
	static const char *const names[] = {"/index.json", "/00000-00000.safetensors", ""};
	char name[200];

	for (size_t k = 0; k < 3; k++) {
		snprintf(name, sizeof name, "%s/%lld%s", folder, (long long)saves - 1, names[k]);
		remove(name);
	}
	rmdir(folder);
}

/* sizes as for loads */
static void setup_save(bench *b)
{
	if (!*folder) atexit(remove_folder);
	snprintf(folder, sizeof folder, "/tmp/tsr-bench-%ld", (long)getpid());
	memset(saved, 0, sizeof saved); /* of a context that is closed */
	for (int64_t k = 0; k < b->size[0]; k++)
		tsr_set(&saved[k], scattered(b->ctx, 1 + (uint32_t)k, D(b->size[1]), 2));
}

static void save(bench *b, tsr **out)
{
	const tsr_tree tree = TSR_LEAVES(saved, (size_t)b->size[0]);

	if (tsr_checkpoint_save(folder, saves++, tree, .keep = 1))
		out[0] = tsr_scalar(b->ctx, 1.0f);
}

const bench_case cases_files[] = {
	{.name = "load_safetensors",
         .what = "1 GiB from a file in memory: 16 arrays of f32",
         .devices = 1,
         .size = {ARRAYS, 1 << 24},
         .tiny = {2, 1000},
         .setup = setup_load,
         .step = load,
         .c = HAND_READ,
         .c_bar = 0.9},
	{.name = "checkpoint",
         .what = "256 MiB saved and on the disk: 16 arrays of f32",
         .devices = 1,
         .size = {ARRAYS, 1 << 22},
         .tiny = {2, 1000},
         .setup = setup_save,
         .step = save,
         .c = HAND_WRITE,
         .c_bar = 0.9},
	{0},
};
