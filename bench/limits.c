/* limits.c - measures the limits of this machine: plain loops, compiled for its processor, on one
 * core and on all that the process may use:
 *
 * copy   bytes read and written a second, between arrays far larger than the caches
 * cache  the same within a core's second-level cache
 * sum    bytes read a second
 * fma    floating-point operations a second, f32, a fused multiply-add as two
 * barrier  seconds from the first thread's arrival to the last one's departure, all cores */
#include "bench.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAR = 32 << 20, NEAR = 96 << 10, ROUNDS = 7, MOST_THREADS = 1024 };

#if defined __AVX512F__
enum { LANES = 16 };
#elif defined __AVX__
enum { LANES = 8 };
#else
enum { LANES = 4 };
#endif
typedef float lanes __attribute__((vector_size(4 * LANES)));

/* ---- a barrier, also the start of every measurement */

typedef struct barrier {
	atomic_int arrived, round;
	int n;
} barrier;

static void meet(barrier *b)
{
	const int round = atomic_load(&b->round);
	if (atomic_fetch_add(&b->arrived, 1) == b->n - 1) {
		atomic_store(&b->arrived, 0);
		atomic_store(&b->round, round + 1);
		return;
	}
	for (int i = 0; atomic_load(&b->round) == round; i++)
		if (i > 10000) sched_yield();
}

/* ---- the loops; each gives the bytes or operations that it did */

typedef struct job {
	float *x, *y;
	barrier *all;
	double (*loop)(struct job *);
	double sink; /* what keeps results alive */
} job;

static double copy_bytes(job *j, size_t bytes, int times)
{
	for (int k = 0; k < times; k++) {
		memcpy(j->y, j->x, bytes);
		__asm__ volatile("" ::"r"(j->y) : "memory");
	}
	return 2.0 * (double)bytes * times;
}

static double copy_far(job *j) { return copy_bytes(j, FAR, 4); }
static double copy_near(job *j) { return copy_bytes(j, NEAR, 2000); }

static double plain_copy(job *j, size_t bytes, int times)
{
	const lanes *x = (const lanes *)j->x;
	lanes *y = (lanes *)j->y;
	for (int k = 0; k < times; k++) {
		for (size_t i = 0; i < bytes / sizeof *x; i++) y[i] = x[i];
		__asm__ volatile("" ::"r"(y) : "memory");
	}
	return 2.0 * (double)bytes * times;
}

static double plain_far(job *j) { return plain_copy(j, FAR, 4); }
static double plain_near(job *j) { return plain_copy(j, NEAR, 2000); }

static double sum_far(job *j)
{
	const lanes *x = (const lanes *)j->x;
	const size_t n = FAR / sizeof *x;
	lanes s[8] = {{0}};

	for (int k = 0; k < 4; k++) {
		for (size_t i = 0; i < n; i += 8)
			for (size_t v = 0; v < 8; v++) s[v] += x[i + v];
		__asm__ volatile("" ::"r"(x) : "memory");
	}
	for (int v = 0; v < 8; v++) j->sink += (double)s[v][0];
	return 4.0 * FAR;
}

static double fma_peak(job *j)
{
	enum { CHAINS = 12, TIMES = 2000000 };
	lanes s[CHAINS]; /* no two alike, or the compiler may do one for all */
	lanes a, b;

	for (int c = 0; c < CHAINS; c++) s[c] = ((const lanes *)j->x)[c];
	for (int v = 0; v < LANES; v++) a[v] = 0.999f, b[v] = 0.001f;
	for (int i = 0; i < TIMES; i++)
		for (int c = 0; c < CHAINS; c++) s[c] = s[c] * a + b;
	for (int c = 0; c < CHAINS; c++) j->sink += (double)s[c][0];
	return 2.0 * LANES * CHAINS * TIMES;
}

static double meet_often(job *j)
{
	enum { TIMES = 20000 };
	for (int i = 0; i < TIMES; i++) meet(j->all);
	return TIMES;
}

/* ---- running a loop on n cores */

static void *work(void *arg)
{
	job *j = arg;
	meet(j->all);
	j->loop(j);
	meet(j->all);
	return NULL;
}

/* amount a second, of all threads together; 0 when a thread cannot be made */
static double rate_once(job *jobs, int n)
{
	pthread_t thread[MOST_THREADS];
	int made = 1;

	while (made < n && !pthread_create(&thread[made], NULL, work, &jobs[made])) made++;
	if (made < n) { /* those made wait for the rest, which will not come */
		fprintf(stderr, "limits: no more than %d threads\n", made);
		exit(1);
	}
	meet(jobs->all);
	const double start = now();
	const double amount = jobs->loop(jobs) * n;
	meet(jobs->all);
	const double took = now() - start;
	for (int k = 1; k < n; k++) pthread_join(thread[k], NULL);
	return amount / took;
}

static double best_rate(job *jobs, int n, double (*loop)(job *))
{
	barrier all = {.n = n};
	double best = 0;

	for (int k = 0; k < n; k++) jobs[k].all = &all, jobs[k].loop = loop;
	for (int r = 0; r < ROUNDS; r++) {
		const double rate = rate_once(jobs, n);
		if (rate > best) best = rate;
	}
	return best;
}

static double larger(double a, double b) { return a > b ? a : b; }

static void print_limits(const char *name, job *jobs, int n)
{
	const double copy = larger(best_rate(jobs, n, copy_far), best_rate(jobs, n, plain_far));
	const double cache = larger(best_rate(jobs, n, copy_near), best_rate(jobs, n, plain_near));
	printf("\"%s\": {\"copy\": %.4g, \"cache\": %.4g, \"sum\": %.4g, \"fma\": %.4g}, ", name,
	       copy, cache, best_rate(jobs, n, sum_far), best_rate(jobs, n, fma_peak));
}

/* the cores this process may use */
static int cores(void)
{
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof set, &set)) return 1;
	const int n = CPU_COUNT(&set);
	return n < MOST_THREADS ? n : MOST_THREADS;
}

int measure_limits(void)
{
	const int n = cores();
	job *jobs = calloc((size_t)n, sizeof *jobs);

	for (int k = 0; jobs && k < n; k++) {
		jobs[k].x = aligned_alloc(64, FAR);
		jobs[k].y = aligned_alloc(64, FAR);
		if (!jobs[k].x || !jobs[k].y) return 1;
		memset(jobs[k].x, 0, FAR);
		memset(jobs[k].y, 0, FAR);
	}
	if (!jobs) return 1;
	printf("{\"cores\": %d, ", n);
	print_limits("one", jobs, 1);
	print_limits("all", jobs, n);
	printf("\"barrier\": %.4g}\n", n / best_rate(jobs, n, meet_often));
	for (int k = 0; k < n; k++) {
		free(jobs[k].x);
		free(jobs[k].y);
	}
	free(jobs);
	return 0;
}
