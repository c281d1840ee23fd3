/* training.c - a step of gradient descent of the first seed's network, split over the batch: in two
 * processes with one worker each, against one process with two workers.
 *
 * Both in alternation. While one process does the work, the other one sleeps. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "processes.h"

enum { LAYERS = 6, LEAVES = 2 * LAYERS, BATCH = 32, STEPS = 50 };
static const int64_t sizes[LAYERS + 1] = {784, 128, 128, 128, 128, 128, 8};

static tsr *loss(tsr_tree p, tsr *h, tsr *targets)
{
	for (size_t k = 0; k < p.count; k += 2) {
		h = tsr_add(tsr_dot(h, p.leaf[k]), p.leaf[k + 1]);
		if (k + 2 < p.count) h = tsr_relu(h);
	}
	tsr *squares = tsr_sum(tsr_square(tsr_sub(h, targets)), .dims = TSR_DIMS(-1));
	return tsr_pmean(tsr_mean(squares), "x");
}

static void step(tsr_frame *frame)
{
	const tsr_tree p = tsr_frame_tree(frame, 0);
	tsr *inputs = tsr_frame_arg(frame, 1), *targets = tsr_frame_arg(frame, 2), *value;
	tsr *g[LEAVES];
	const tsr_tree grads = TSR_LEAVES(g, p.count);

	tsr_call_into(TSR_OUT(&value, grads), tsr_value_and_grad(frame, loss), p, inputs, targets);
	for (size_t k = 0; k < p.count; k++) g[k] = tsr_sub(p.leaf[k], tsr_mul(g[k], 1e-3));
	tsr_return(frame, value, grads);
}

typedef struct training { /* in a context */
	tsr_ctx *ctx;
	tsr_fn *fn;
	tsr *leaf[LEAVES], *inputs, *targets, *value;
} training;

static void begin(training *t, tsr_ctx *ctx)
{
	tsr_mesh *line = tsr_mesh_make(ctx, {"x", 2});
	tsr *key = tsr_key(ctx, 0);

	*t = (training){.ctx = ctx};
	for (int k = 0; k < LAYERS; k++) {
		const int64_t m = sizes[k], n = sizes[k + 1];
		tsr *w = tsr_mul(tsr_normal(tsr_fold_in(key, k), TSR_DIMS(m, n)),
		                 1 / sqrt((double)m));
		tsr_set(&t->leaf[2 * k], tsr_put(w, line, TSR_P()));
		tsr_set(&t->leaf[2 * k + 1], tsr_put(tsr_zeros(ctx, TSR_DIMS(n)), line, TSR_P()));
	}
	tsr_set(&t->inputs, tsr_put(tsr_normal(key, TSR_DIMS(BATCH, sizes[0])), line, TSR_P("x")));
	tsr_set(&t->targets,
	        tsr_put(tsr_normal(key, TSR_DIMS(BATCH, sizes[LAYERS])), line, TSR_P("x")));
	t->fn = tsr_jit(ctx,
	                tsr_shard_map(line, step,
	                              .in = {TSR_FOR_ALL(TSR_P()), TSR_FOR_ALL(TSR_P("x")),
	                                     TSR_FOR_ALL(TSR_P("x"))},
	                              .out = {TSR_FOR_ALL(TSR_P()), TSR_FOR_ALL(TSR_P())}),
	                .donate = TSR_DIMS(0));
}

/* seconds of a step */
static double train(training *t)
{
	const tsr_tree p = TSR_LEAVES(t->leaf, LEAVES);
	const double begin = MPI_Wtime();

	for (int i = 0; i < STEPS; i++) {
		TSR_SCOPE(t->ctx);
		tsr_call_into(TSR_OUT(&t->value, ((tsr_out){.own = TSR_PLACE_OWN, .to = p})), t->fn,
		              p, t->inputs, t->targets);
		tsr_wait(t->leaf[0]);
	}
	return (MPI_Wtime() - begin) / STEPS;
}

static void wait_asleep(MPI_Request *r)
{
	for (int done = 0; !done; MPI_Test(r, &done, MPI_STATUS_IGNORE))
		nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

/* mine: of a context of this process alone; NULL: there is none */
static void take_turns(training *ours, training *mine, int rounds)
{
	double *ratio = malloc((size_t)rounds * sizeof *ratio), two = 1e9, one = 1e9;

	for (int i = -3; i < rounds; i++) { /* the first ones compile */
		MPI_Request all;
		MPI_Barrier(MPI_COMM_WORLD);
		const double a = train(ours), b = mine ? train(mine) : 0;
		MPI_Ibarrier(MPI_COMM_WORLD, &all);
		wait_asleep(&all);
		if (i < 0) continue;
		two = a < two ? a : two;
		one = b < one ? b : one;
		ratio[i] = a / b;
	}
	if (mine)
		printf("%-23s %16.2f us, one process with two workers %10.2f us, %5.2f\n",
		       "a step of training", two * 1e6, one * 1e6, median(ratio, rounds));
	free(ratio);
}

void compare_training(tsr_ctx *ctx, int rank, int rounds)
{
	training ours, mine;
	tsr_ctx *own = NULL;
	TSR_SCOPE(ctx);

	begin(&ours, ctx);
	if (rank) {
		take_turns(&ours, NULL, rounds);
		return;
	}
	own = tsr_open(.comm = "self", .devices = 2, .workers = 2, .debug = "c");
	begin(&mine, own);
	take_turns(&ours, &mine, rounds);
	if (tsr_status(own)) fprintf(stderr, "processes: %s\n", tsr_message(own));
	tsr_close(own);
}
