/* processes.c - measures exchanges between processes, beside the same ones of MPI.
 * processes [ROUNDS]
 *
 * Each line is one exchange of so many bytes a process, of f32: here as one step of a loop in a
 * compiled program, and as one call of MPI; both in alternation, each as fast as in its best round,
 * and the median of ours to theirs in the same round.
 * The last lines are whole calls of a program: of one that exchanges nothing, of one psum, and, for
 * two processes, of a step of training (training.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tsr/mpi.h>
#include "processes.h"

enum { SIZES = 6 };
static const int64_t sizes[SIZES] = {4, 512, 4 << 10, 256 << 10, 1 << 20, 4 << 20}; /* bytes */
static int rank, size;
static int64_t turns;

/* ---- the exchanges of a block of n numbers */

static tsr *psum(tsr *x) { return tsr_psum(x, "x"); }
static tsr *psum_scatter(tsr *x) { return tsr_psum_scatter(x, "x", .tiled = true); }
static tsr *all_gather(tsr *x) { return tsr_all_gather(x, "x", .tiled = true); }
static tsr *all_to_all(tsr *x) { return tsr_all_to_all(x, "x", .tiled = true); }
static tsr *ppermute(tsr *x) { return tsr_ppermute(x, "x", TSR_SHIFT(1)); }

/* ---- the same of MPI */

static float *from, *to;

static void mpi_psum(int n) { MPI_Allreduce(from, to, n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD); }
static void mpi_all_gather(int n)
{
	MPI_Allgather(from, n, MPI_FLOAT, to, n, MPI_FLOAT, MPI_COMM_WORLD);
}
static void mpi_all_to_all(int n)
{
	MPI_Alltoall(from, n / size, MPI_FLOAT, to, n / size, MPI_FLOAT, MPI_COMM_WORLD);
}
static void mpi_ppermute(int n)
{
	MPI_Sendrecv(from, n, MPI_FLOAT, (rank + 1) % size, 0, to, n, MPI_FLOAT,
	             (rank - 1 + size) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void mpi_psum_scatter(int n)
{
	MPI_Reduce_scatter_block(from, to, n / size, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

/* Each turn of a loop is one exchange, of the same numbers; the barrier hides that, so that all
 * turns are taken. A body of its own for each: programs are remembered by their bodies */
#define LOOP(name) \
	static void name##_turn(tsr_frame *frame) \
	{ \
		tsr *x = tsr_frame_arg(frame, 1), *y = name(x); \
		tsr_optimization_barrier_into(TSR_OUT(&x, &y), x, y); \
		tsr_return(frame, x, y); \
	} \
	static tsr *name##_loop(tsr *x) \
	{ \
		tsr *y = name(x); \
		tsr_fori_into(TSR_OUT(&x, &y), 1, turns, name##_turn, x, y); \
		return y; \
	}
LOOP(psum)
LOOP(psum_scatter)
LOOP(all_gather)
LOOP(all_to_all)
LOOP(ppermute)

static const struct exchange {
	const char *name;
	tsr *(*loop)(tsr *);
	void (*mpi)(int n);
} exchanges[] = {
	{"psum", psum_loop, mpi_psum},
	{"psum_scatter", psum_scatter_loop, mpi_psum_scatter},
	{"all_gather", all_gather_loop, mpi_all_gather},
	{"all_to_all", all_to_all_loop, mpi_all_to_all},
	{"ppermute", ppermute_loop, mpi_ppermute},
};
static const struct exchange *at;

/* ---- measuring */

/* seconds of a round, as the slower process sees it */
static double measure(tsr_fn *f, tsr *x, int n, int64_t count)
{
	double time, worst;

	MPI_Barrier(MPI_COMM_WORLD);
	time = MPI_Wtime();
	if (f) {
		TSR_SCOPE(tsr_ctx_of(x));
		tsr_wait(tsr_call(f, x));
	} else {
		for (int64_t i = 0; i < count; i++) at->mpi(n);
	}
	time = MPI_Wtime() - time;
	MPI_Allreduce(&time, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	return worst;
}

static int compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double median(double *x, int n)
{
	qsort(x, (size_t)n, sizeof *x, compare_doubles);
	return x[n / 2];
}

static void compare(tsr_ctx *ctx, tsr_mesh *line, int64_t bytes, int rounds)
{
	TSR_SCOPE(ctx);
	const int64_t n = bytes / 4 < size ? size : bytes / 4;
	tsr_fn *f = tsr_shard_map(line, at->loop, .sig = "[x] -> [x]", .unchecked = true);
	double ours = 1e9, theirs = 1e9, *ratio = malloc((size_t)rounds * sizeof *ratio);

	turns = bytes <= 4 << 10 ? 200 : (128 << 20) / bytes;
	tsr *x = tsr_put(tsr_ones(ctx, TSR_DIMS(n * size)), line, TSR_P("x"));
	for (int i = 0; i < 3; i++) measure(f, x, (int)n, 1);
	for (int i = 0; i < rounds; i++) {
		const double a = measure(f, x, (int)n, turns), b = measure(NULL, x, (int)n, turns);
		ours = a < ours ? a : ours;
		theirs = b < theirs ? b : theirs;
		ratio[i] = a / b;
	}
	const double us = 1e6 / (double)turns;
	if (!rank)
		printf("%-13s %9lld bytes %10.2f us, MPI %10.2f us, %5.2f\n", at->name,
		       (long long)n * 4, ours * us, theirs * us, median(ratio, rounds));
	fflush(stdout);
	free(ratio);
}

/* ---- whole calls */

static tsr *alone(tsr *x) { return tsr_add(x, 1); }
static tsr *once(tsr *x) { return tsr_psum(x, "x"); }

static void calls(tsr_ctx *ctx, tsr_mesh *line, const char *name, tsr *(*body)(tsr *),
                  const char *sig, int rounds)
{
	TSR_SCOPE(ctx);
	enum { COUNT = 200 };
	tsr_fn *f = tsr_jit(ctx, tsr_shard_map(line, body, .sig = sig));
	tsr *x = tsr_put(tsr_ones(ctx, TSR_DIMS(size)), line, TSR_P("x"));
	double best = 1e9;

	for (int i = 0; i < rounds; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		double time = MPI_Wtime();
		for (int k = 0; k < COUNT; k++) {
			TSR_SCOPE(ctx);
			tsr_wait(tsr_call(f, x));
		}
		time = MPI_Wtime() - time;
		MPI_Allreduce(MPI_IN_PLACE, &time, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
		best = time < best ? time : best;
	}
	if (!rank) printf("%-23s %16.2f us\n", name, best * 1e6 / COUNT);
}

int main(int argc, char **argv)
{
	const int rounds = argc > 1 ? atoi(argv[1]) : 50;
	int level;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	tsr_ctx *ctx = tsr_mpi_open(MPI_COMM_WORLD, .devices = size, .workers = 1, .debug = "c");
	tsr_mesh *line = tsr_mesh_make(ctx, {"x", size});
	const size_t room = (size_t)sizes[SIZES - 1] * (size_t)size;

	from = malloc(room);
	to = malloc(room);
	/* memory of its own: before it is written, all of it is one page of zeros in the cache */
	for (size_t i = 0; i < room / sizeof *from; i++) from[i] = to[i] = 1;
	for (size_t k = 0; k < sizeof exchanges / sizeof *exchanges; k++)
		for (int i = 0; i < SIZES; i++) {
			at = &exchanges[k];
			compare(ctx, line, sizes[i], rounds);
		}
	calls(ctx, line, "a call, alone", alone, "[x] -> [x]", rounds);
	calls(ctx, line, "a call with one psum", once, "[x] -> []", rounds);
	if (size == 2) compare_training(ctx, rank, rounds);
	if (tsr_status(ctx)) fprintf(stderr, "processes: %s\n", tsr_message(ctx));
	const int code = tsr_close(ctx);
	free(from);
	free(to);
	MPI_Finalize();
	return code;
}
