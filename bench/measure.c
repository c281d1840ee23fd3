/* measure.c - measures a case in one process, and prints the result as a line of JSON. */
#include "bench.h"
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_SAMPLES = 10000 };

/* times of steps, in seconds */
typedef struct samples {
	double value[MOST_SAMPLES];
	int n;
} samples;

double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(samples *s)
{
	qsort(s->value, (size_t)s->n, sizeof *s->value, ascending);
	return (s->value[(s->n - 1) / 2] + s->value[s->n / 2]) / 2;
}

static void print_figures(double middle, double least, int n)
{
	printf("{\"median\": %.9g, \"min\": %.9g, \"samples\": %d}\n", middle, least, n);
}

/* whose steps: ours, or those by hand */
typedef struct walk {
	bench *ours;
	const bench_case *of;
	const hand_side *side; /* NULL: ours */
	by_hand *work;
} walk;

static double time_steps(const walk *w, int64_t n)
{
	const double start = now();
	for (int64_t i = 0; i < n; i++) {
		if (w->side)
			w->side->step(w->work);
		else
			take_step(w->ours, w->of, NULL);
	}
	return now() - start;
}

/* ---- steps that have been taken often */

/* a sample is the mean of so many steps that it lasts about a thousandth of the time there is */
static void sample_steps(const walk *w, double seconds, samples *s)
{
	const double start = now();
	int64_t steps = 0;
	double spent = 0;

	/* the first calls trace and compile: they count for nothing */
	while (steps < 2 * BENCH_FIRST_CALLS && (steps < 2 || spent < seconds)) {
		time_steps(w, 1);
		steps++;
		spent = now() - start;
	}
	const double one = time_steps(w, 1);
	const int64_t batch = 1 + (int64_t)(seconds / 1000 / (one + 1e-9));
	const double end = now() + seconds;
	do {
		s->value[s->n++] = time_steps(w, batch) / (double)batch;
	} while (s->n < MOST_SAMPLES && (now() < end || (s->n < 3 && one < seconds)));
}

static void print_samples(samples *s, const bench_case *c, const int64_t *size)
{
	const double inner = c->inner ? (double)size[c->inner - 1] : 1;
	const double middle = median(s) / inner, least = s->value[0] / inner;
	print_figures(middle, least, s->n);
}

static int measure_steady(const bench_case *c, const int64_t *size, double seconds)
{
	static samples s;
	bench b;

	s.n = 0;
	if (open_case(&b, c, size, NULL, "c"))
		sample_steps(&(walk){.ours = &b, .of = c}, seconds, &s);
	const int status = close_case(&b);
	if (!status) print_samples(&s, c, size);
	return status;
}

int measure_by_hand(const bench_case *c, const int64_t *size, double seconds)
{
	static samples s;
	const char *why = "it is not written";
	const hand_side *side = c->c && c->kind == BENCH_STEADY ? hand_find(c->c, &why) : NULL;
	by_hand w;

	if (!side) {
		fprintf(stderr, "%s by hand: %s\n", c->name, why);
		return 1;
	}
	s.n = 0;
	const bool ok = hand_begin(&w, side, size);
	if (ok) sample_steps(&(walk){.side = side, .work = &w}, seconds, &s);
	hand_end(&w);
	if (ok) print_samples(&s, c, size);
	return ok ? 0 : 1;
}

/* ---- first steps */

static tsr *another(tsr *x) { return tsr_sub(3.0, x); }

/* opens what the first program of a process opens */
static void run_another(tsr_ctx *ctx)
{
	tsr_fn *f = tsr_jit(ctx, another);
	for (int i = 0; i < BENCH_FIRST_CALLS; i++) {
		TSR_SCOPE(ctx);
		tsr_wait(tsr_call(f, tsr_ones(ctx, TSR_DIMS(1 << 16))));
	}
}

static int measure_first(const bench_case *c, const int64_t *size, double seconds)
{
	static samples s;
	bench b;
	double took[BENCH_FIRST_CALLS] = {0}, more = 0;

	s.n = 0;
	if (open_case(&b, c, size, NULL, "c")) {
		const walk w = {.ours = &b, .of = c};
		run_another(b.ctx);
		for (int k = 0; k < BENCH_FIRST_CALLS; k++) took[k] = time_steps(&w, 1);
		sample_steps(&w, seconds / 2, &s);
	}
	const int status = close_case(&b);
	if (status) return status;
	const double usual = median(&s);
	for (int k = 0; k < BENCH_FIRST_CALLS; k++)
		if (took[k] > usual) more += took[k] - usual;
	print_figures(more, more, 1);
	return 0;
}

/* ---- steps until there is machine code */

/* seconds, of all threads */
static double processor(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int measure_until_compiled(const bench_case *c, const int64_t *size, const char *debug)
{
	bench b;
	double took = 0;

	if (open_case(&b, c, size, NULL, debug)) {
		const double start = processor();
		while (tsr_status(b.ctx) == TSR_OK && !tsr_fn_stats(b.fn).compiles)
			take_step(&b, c, NULL);
		took = processor() - start;
	}
	const int status = close_case(&b);
	if (status) return status;
	print_figures(took, took, 1);
	return 0;
}

/* ---- a long row of steps */

/* bytes of this process that are in memory */
static double resident(void)
{
	double pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");
	if (!f) return 0;
	if (fscanf(f, "%*f %lf", &pages) != 1) pages = 0;
	fclose(f);
	return pages * (double)sysconf(_SC_PAGESIZE);
}

/* more than a byte a call, and slack for what comes once */
static bool grown(double before, double after, int64_t calls)
{
	return after - before > (double)calls + (1 << 20);
}

static int measure_row(const bench_case *c, const int64_t *size)
{
	bench b;
	double took = 0, bytes = 0, held = 0;

	if (open_case(&b, c, size, NULL, "c")) {
		const walk w = {.ours = &b, .of = c};
		time_steps(&w, 1 + size[0] / 10);
		bytes = resident();
		held = (double)tsr_memory(b.ctx).in_use;
		took = time_steps(&w, size[0]);
	}
	const double bytes_after = resident(), held_after = (double)tsr_memory(b.ctx).in_use;
	const int status = close_case(&b);
	if (status) return status;
	if (grown(bytes, bytes_after, size[0]) || grown(held, held_after, size[0])) {
		fprintf(stderr, "memory grew: resident %.0f to %.0f bytes, held %.0f to %.0f\n",
		        bytes, bytes_after, held, held_after);
		return 1;
	}
	took /= (double)size[0];
	print_figures(took, took, 1);
	return 0;
}

int measure(const bench_case *c, const int64_t *size, double seconds)
{
	if (c->kind == BENCH_FIRST) return measure_first(c, size, seconds);
	if (c->kind == BENCH_WAITING) return measure_until_compiled(c, size, "");
	if (c->kind == BENCH_AT_ONCE) return measure_until_compiled(c, size, "c");
	if (c->kind == BENCH_ROW) return measure_row(c, size);
	return measure_steady(c, size, seconds);
}

/* ---- processes */

/* what the command prints goes nowhere; its exit status */
static int run_command(char **command)
{
	extern char **environ;
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int status = 0;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", 1 /* to write */, 0);
	const int failed = posix_spawnp(&pid, command[0], &actions, NULL, command, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (failed) {
		fprintf(stderr, "%s: %s\n", command[0], strerror(failed));
		return 1;
	}
	if (waitpid(pid, &status, 0) < 0) return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int measure_process(char **command, double seconds)
{
	static samples s;
	const double end = now() + seconds;

	do {
		const double start = now();
		const int status = run_command(command);
		if (status) return status;
		s.value[s.n++] = now() - start;
	} while (s.n < MOST_SAMPLES && now() < end);
	const double middle = median(&s);
	print_figures(middle, s.value[0], s.n);
	return 0;
}
