/* halves.c - a program that uses MPI itself: it opens a context on each half of its processes.
 * halves [MISTAKE]
 * halves save FOLDER, halves load FOLDER: a checkpoint, of any number of processes
 * halves several: contexts of a program that leaves MPI to the library
 *
 * Without a mistake each half sums over its devices and exchanges blocks that go in pieces, also
 * behind a run that fails while these travel. MPI is used afterwards, and the program finalises it.
 * With one of them the context must be dead, with the message that halves.sh expects, and the
 * program goes on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tsr/mpi.h>
#include <tsr/tsr.h>

static tsr *sum_all(tsr *x) { return tsr_psum(tsr_sum(x), "x"); }

/* ---- blocks of 800,000 bytes: there and back */

static tsr_fn *check;

static bool is_lucky(const tsr_host_call *c)
{
	const float *first = c->in[0];

	*(float *)c->out[0] = *first;
	return *first < 600000 || (tsr_fail(c->ctx, "bad luck"), false);
}

static tsr *to_and_fro(tsr *x)
{
	tsr *y = tsr_all_to_all(x, "x", .tiled = true);

	return tsr_all_to_all(tsr_optimization_barrier(y), "x", .tiled = true);
}

static tsr *unless_unlucky(tsr *x)
{
	tsr *first = tsr_call(check, tsr_index(x, 0, 0));

	return to_and_fro(tsr_add(x, tsr_mul(first, 0)));
}

static bool exchanges(tsr_ctx *ctx, tsr_mesh *line)
{
	TSR_SCOPE(ctx);
	tsr *x = tsr_put(tsr_arange(ctx, 800000, .dtype = TSR_F32), line, TSR_P("x"));
	tsr *y = tsr_call(tsr_shard_map(line, to_and_fro, .sig = "[x] -> [x]"), x);

	return tsr_item(tsr_all(tsr_eq(x, y)));
}

/* the last device says no, when others may have begun to send */
static bool fails_between(tsr_ctx *ctx, tsr_mesh *line)
{
	TSR_SCOPE(ctx);
	check = tsr_pure_callback(ctx, is_lucky, .results = TSR_RESULTS({TSR_F32, TSR_DIMS()}));
	tsr *x = tsr_put(tsr_arange(ctx, 800000, .dtype = TSR_F32), line, TSR_P("x"));
	tsr_call(tsr_shard_map(line, unless_unlucky, .sig = "[x] -> [x]"), x);
	const bool told = strstr(tsr_message(ctx), "bad luck");
	tsr_clear(ctx);
	return told;
}

/* the sum of 0, 1, ... 11 and of the half's number on each */
static int sum_of_half(MPI_Comm half, int number)
{
	tsr_ctx *ctx = tsr_mpi_open(half, .devices = 4, .debug = "c");
	tsr_mesh *line = tsr_mesh_make(ctx, {"x", 4});
	tsr *x = tsr_add(tsr_arange(ctx, 12, .dtype = TSR_F32), number);
	tsr *y = tsr_call(tsr_shard_map(line, sum_all, .sig = "[x] -> []"), x);
	const double sum = tsr_item(y);
	bool good = exchanges(ctx, line);

	for (int i = 0; i < 2; i++) good = good && fails_between(ctx, line) && exchanges(ctx, line);

	if (tsr_status(ctx)) fprintf(stderr, "halves: %s\n", tsr_message(ctx));
	return tsr_close(ctx) == TSR_OK && good ? (int)sum : -1;
}

static int halves(int rank, int size)
{
	MPI_Comm half;
	int sums[2] = {0}, all[2];
	const int number = rank >= size / 2;

	MPI_Comm_split(MPI_COMM_WORLD, number, rank, &half);
	sums[number] = sum_of_half(half, number);
	if (sums[number] != 66 + 12 * number) sums[number] = -1000;
	MPI_Comm_free(&half);
	MPI_Allreduce(sums, all, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (all[0] == 66 * (size / 2) && all[1] == 78 * (size - size / 2)) return 0;
	fprintf(stderr, "halves: the sums of all are %d and %d\n", all[0], all[1]);
	return 1;
}

/* 0, 1, ... 23 on four devices, saved or loaded with other parts */
static int checkpoint(const char *folder, bool loads)
{
	tsr_ctx *ctx = tsr_mpi_open(MPI_COMM_WORLD, .devices = 4);
	tsr_mesh *line = tsr_mesh_make(ctx, {"x", 4});
	tsr *x = tsr_reshape(tsr_arange(ctx, 24, .dtype = TSR_F32), TSR_DIMS(4, 6));
	tsr *y = tsr_put(loads ? tsr_zeros(ctx, TSR_DIMS(4, 6)) : x, line,
	                 loads ? TSR_P(NULL, "x") : TSR_P("x"));
	const bool done = loads ? tsr_checkpoint_load(folder, 7, TSR_LEAVES(&y, 1))
	                        : tsr_checkpoint_save(folder, 7, TSR_LEAVES(&y, 1));
	const bool same = tsr_array_equal(tsr_gather_whole(y), x);

	if (tsr_status(ctx)) fprintf(stderr, "halves: %s\n", tsr_message(ctx));
	return tsr_close(ctx) == TSR_OK && done && same ? 0 : 1;
}

/* the message of a context that cannot be opened */
static void say_why(tsr_ctx *ctx, int rank)
{
	if (rank == 0) printf("%s\n", tsr_status(ctx) ? tsr_message(ctx) : "opened");
	tsr_close(ctx);
}

/* the last process calls exit() after a call that all make, and the others make another one */
static int one_exits(int rank, int size)
{
	tsr_ctx *ctx = tsr_mpi_open(MPI_COMM_WORLD, .devices = size);
	tsr_mesh *line = tsr_mesh_make(ctx, {"x", size});
	tsr_fn *f = tsr_shard_map(line, sum_all, .sig = "[x] -> []");
	tsr *x = tsr_arange(ctx, size, .dtype = TSR_F32);

	tsr_call(f, x);
	if (rank == size - 1) exit(0);
	tsr_call(f, x);
	say_why(ctx, rank);
	return 0;
}

/* Contexts of a program that does not know of MPI: one is refused, two are open at once, one is
 * closed while the other is used, and one is opened later */
static int several(void)
{
	tsr_ctx *ctx[3];
	int failed = 0;

	failed |= tsr_close(tsr_open(.comm = TSR_MPI_KIND_, .devices = 3)) == TSR_OK;
	for (int i = 0; i < 2; i++) ctx[i] = tsr_open(.comm = TSR_MPI_KIND_, .devices = 4);
	for (int i = 0; i < 3; i++) {
		if (i == 2) ctx[i] = tsr_open(.comm = TSR_MPI_KIND_, .devices = 2);
		failed |= !exchanges(ctx[i], tsr_mesh_make(ctx[i], {"x", i < 2 ? 4 : 2}));
		failed |= tsr_close(ctx[i]) != TSR_OK;
	}
	return failed;
}

int main(int argc, char **argv)
{
	const char *mistake = argc > 1 ? argv[1] : "";
	int level, rank, size, failed = 0;

	/* it initialises MPI then: the launcher of MPICH is killed by SIGPIPE at times, if all
	 * processes end while they are started */
	if (strcmp(mistake, "several") == 0) return several();
	const bool early = strcmp(mistake, "early") == 0;
	if (early) say_why(tsr_mpi_open(MPI_COMM_WORLD), 0);
	MPI_Init_thread(&argc, &argv,
	                strcmp(mistake, "single") ? MPI_THREAD_FUNNELED : MPI_THREAD_SINGLE,
	                &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (strcmp(mistake, "exit") == 0) return one_exits(rank, size);
	if (argc > 2)
		failed = checkpoint(argv[2], strcmp(mistake, "load") == 0);
	else if (strcmp(mistake, "null") == 0)
		say_why(tsr_mpi_open(MPI_COMM_NULL), rank);
	else if (strcmp(mistake, "other") == 0)
		say_why(tsr_open(.comm = strcmp(TSR_MPI_KIND_, "mpich") ? "mpich" : "openmpi"),
		        rank);
	else if (strcmp(mistake, "single") == 0)
		say_why(tsr_mpi_open(MPI_COMM_WORLD), rank);
	else if (strcmp(mistake, "odd") == 0)
		say_why(tsr_mpi_open(MPI_COMM_WORLD, .devices = 3), rank);
	else if (strcmp(mistake, "differ") == 0)
		say_why(tsr_mpi_open(MPI_COMM_WORLD, .dtype = rank == 1 ? TSR_F64 : TSR_F32), rank);
	else if (!early && strcmp(mistake, "late") != 0)
		failed = halves(rank, size);
	MPI_Finalize();
	if (strcmp(mistake, "late") == 0) say_why(tsr_mpi_open(MPI_COMM_WORLD), rank);
	return failed;
}
