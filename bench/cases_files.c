/* cases_files.c - arrays from a file that the system has in memory. */
#include "bench.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define D TSR_DIMS

enum { ARRAYS = 16 };
static char path[100];

static void remove_file(void) { unlink(path); }

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

const bench_case cases_files[] = {
	{.name = "load_safetensors", .what = "1 GiB from a file in memory: 16 arrays of f32",
	 .devices = 1, .size = {ARRAYS, 1 << 24}, .tiny = {2, 1000}, .setup = setup_load,
	 .step = load, .c = HAND_READ, .c_bar = 0.9},
	{0},
};
