/* values.c - computes the values of a case, to compare with JAX, with the interpreter and with
 * hand-written code. */
#include "bench.h"
#include <math.h>
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

/* ---- beside what is written by hand */

/* how the elements of a result are read: as f64, as whole numbers of 4 bytes or as f32 */
enum reading { WIDE, WHOLE, REAL };

static double element(const void *at, int64_t i, enum reading as)
{
	if (as == WIDE) return ((const double *)at)[i];
	return as == WHOLE ? (double)((const uint32_t *)at)[i] : (double)((const float *)at)[i];
}

/* an rtol of 0 asks for the same bits; NaN is close to nothing */
static bool same_result(const char *ours, const hand_result *theirs, double rtol)
{
	const enum reading as = theirs->wide ? WIDE : rtol > 0 ? REAL : WHOLE;
	double largest = 0;

	for (int64_t i = 0; i < theirs->n; i++)
		largest = fmax(largest, fabs(element(theirs->at, i, as)));
	for (int64_t i = 0; i < theirs->n; i++) {
		const double apart = element(ours, i, as) - element(theirs->at, i, as);
		if (!(fabs(apart) <= rtol * largest)) return false;
	}
	return true;
}

static bool same_results(const bench_case *c, const bytes *ours, const by_hand *w)
{
	size_t at = 0;
	bool same = true;

	for (int k = 0; same && k < BENCH_OUTS && w->out[k].n; k++) {
		const size_t n = (w->out[k].wide ? 8 : 4) * (size_t)w->out[k].n;
		same = at + n <= ours->n && same_result(ours->at + at, &w->out[k], c->rtol);
		at += n;
	}
	return same && at == ours->n;
}

int compare_by_hand(const bench_case *c, const int64_t *size)
{
	const char *why;
	const hand_side *side = c->c ? hand_find(c->c, &why) : NULL;
	bytes ours = {NULL, 0};
	by_hand w;

	if (!side) return 0;
	int status = values_of(c, size, NULL, NULL, &ours);
	if (!hand_begin(&w, side, size)) status = 1;
	for (int i = 0; !status && i < 2; i++) side->step(&w);
	if (!status && !same_results(c, &ours, &w)) {
		fprintf(stderr, "%s: differs from what is computed by hand\n", c->name);
		status = 1;
	}
	hand_end(&w);
	free(ours.at);
	return status;
}
