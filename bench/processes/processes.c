/* processes.c - exchanges between processes, against what MPI takes for the same.
 * processes [ROUNDS]
 *
 * Each line is one exchange of so many bytes a process, of f32: here as one step of a loop in a
 * compiled program, and as one call of MPI; both in alternation, each as fast as in its best round.
 * The last lines are whole calls of a program: of one that exchanges nothing, and of one psum. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tsr/mpi.h>
#include <tsr/tsr.h>

enum { SIZES = 5 };
static const int64_t sizes[SIZES] = {4, 512, 4 << 10, 256 << 10, 4 << 20}; /* bytes */
static int rank, size;
static int64_t turns;

/* ---- one step; the carry has `n` numbers on each device */

static tsr *half(tsr *x) { return tsr_mul(x, 1.0 / size); }
static tsr *psum(tsr *i, tsr *x) { return (void)i, half(tsr_psum(x, "x")); }
static tsr *ppermute(tsr *i, tsr *x) { return (void)i, tsr_ppermute(x, "x", TSR_SHIFT(1)); }

static tsr *all_gather(tsr *i, tsr *x)
{
	tsr *all = tsr_optimization_barrier(tsr_all_gather(x, "x", .tiled = true));

	(void)i;
	return tsr_slice(all, 0, tsr_dim(x, 0), 2 * tsr_dim(x, 0));
}

static tsr *all_to_all(tsr *i, tsr *x)
{
	return (void)i, tsr_all_to_all(x, "x", .tiled = true);
}

static tsr *psum_scatter(tsr *i, tsr *x)
{
	tsr *part = half(tsr_psum_scatter(x, "x", .tiled = true));

	(void)i;
	return size == 2 ? tsr_concatenate(0, part, part)
	                 : tsr_all_gather(part, "x", .tiled = true);
}

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

/* a body of its own for each: programs are remembered by their bodies */
#define LOOP(name) \
	static tsr *name##_loop(tsr *x) { return tsr_fori(0, turns, name, x); }
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

static void compare(tsr_ctx *ctx, tsr_mesh *line, int64_t bytes, int rounds)
{
	TSR_SCOPE(ctx);
	const int64_t n = bytes / 4 < size ? size : bytes / 4;
	tsr_fn *f = tsr_shard_map(line, at->loop, .sig = "[x] -> [x]", .unchecked = true);
	double ours = 1e9, theirs = 1e9;

	turns = bytes <= 4 << 10 ? 200 : (16 << 20) / bytes;
	tsr *x = tsr_put(tsr_ones(ctx, TSR_DIMS(n * size)), line, TSR_P("x"));
	for (int i = 0; i < 3; i++) measure(f, x, (int)n, 1);
	for (int i = 0; i < rounds; i++) {
		const double a = measure(f, x, (int)n, turns), b = measure(NULL, x, (int)n, turns);
		ours = a < ours ? a : ours;
		theirs = b < theirs ? b : theirs;
	}
	const double us = 1e6 / (double)turns;
	if (!rank)
		printf("%-13s %9lld bytes %10.2f us, MPI %10.2f us, %5.2f\n", at->name,
		       (long long)n * 4, ours * us, theirs * us, ours / theirs);
	fflush(stdout);
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

	from = calloc(room, 1);
	to = calloc(room, 1);
	for (size_t k = 0; k < sizeof exchanges / sizeof *exchanges; k++)
		for (int i = 0; i < SIZES; i++) {
			at = &exchanges[k];
			compare(ctx, line, sizes[i], rounds);
		}
	calls(ctx, line, "a call, alone", alone, "[x] -> [x]", rounds);
	calls(ctx, line, "a call with one psum", once, "[x] -> []", rounds);
	if (tsr_status(ctx)) fprintf(stderr, "processes: %s\n", tsr_message(ctx));
	const int code = tsr_close(ctx);
	free(from);
	free(to);
	MPI_Finalize();
	return code;
}
