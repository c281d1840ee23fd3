/* values.c - what a case computes: for JAX to compare with, and compared with the interpreter. */
#include "bench.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- for JAX */

static void save(bench *b, tsr *x, int k)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/ours.%d.npy", (const char *)b->user, k);
	tsr_save_npy(x, path);
}

int write_values(const bench_case *c, const int64_t *size, const char *folder)
{
	char name[4096];
	bench b;

	snprintf(name, sizeof name, "%s", folder);
	if (open_case(&b, c, size, NULL, NULL)) {
		b.user = name;
		take_step(&b, c, NULL);
		take_step(&b, c, save);
	}
	return close_case(&b);
}

/* ---- beside the interpreter */

/* the bytes of all results of a step */
typedef struct bytes {
	char *at;
	size_t n;
} bytes;

static void append(bench *b, tsr *x, int k)
{
	bytes *all = b->user;
	const size_t n = (size_t)tsr_nbytes(x);
	char *longer = realloc(all->at, all->n + n);

	(void)k;
	if (!longer) {
		tsr_fail(b->ctx, "no memory for the results");
		return;
	}
	all->at = longer;
	tsr_read(x, all->at + all->n, n);
	all->n += n;
}

static int values_of(const bench_case *c, const int64_t *size, const char *engine,
                     const char *debug, bytes *all)
{
	bench b;

	if (open_case(&b, c, size, engine, debug)) {
		b.user = all;
		take_step(&b, c, NULL);
		take_step(&b, c, append);
	}
	return close_case(&b);
}

int compare_values(const bench_case *c, const int64_t *size)
{
	bytes ours = {NULL, 0}, slow = {NULL, 0};
	int status = values_of(c, size, NULL, "c", &ours);

	if (!status) status = values_of(c, size, "interp", NULL, &slow);
	if (!status && (!ours.n || ours.n != slow.n || memcmp(ours.at, slow.at, ours.n) != 0)) {
		fprintf(stderr, "%s: differs from what the interpreter computes\n", c->name);
		status = 1;
	}
	free(ours.at);
	free(slow.at);
	return status;
}
