/* test_holders.c - the processes that have an array, and the one that prints it: once, in the
 * process of the lowest device that has it, or by .all in each. Programs on devices of one process
 * are its own, and others that make the same calls have handles without shards. The processes are
 * forked. */
#include "runtime/runtime.h"
#include "support/comm_shared.h"
#include "support/quiet.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

enum { RANKS = 2, ROOM = 8192 };

typedef void work(tsr_ctx *, int rank);

typedef struct said { /* in memory that all share */
	char out[RANKS][ROOM];
	char why[RANKS][512]; /* what was wrong */
} said;

static said *all;
static int own_rank;

#define EXPECT(x) \
	((x) ? (void)0 \
	     : (void)snprintf(all->why[own_rank], sizeof *all->why, "%s:%d: not so: %s", __FILE__, \
	                      __LINE__, #x))

/* what it prints goes to out */
static int on_rank(shared_world *w, int rank, work *run)
{
	const tsr_open_args args = {
		.size = sizeof args, .devices = 2 * RANKS, .workers = 1, .log = log_nothing};
	const shared_place at = {w, rank};
	FILE *f = tmpfile();

	own_rank = rank;
	if (!f || dup2(fileno(f), STDOUT_FILENO) < 0) return 99;
	tsr_ctx *ctx = ctx_open("app.c:1", &args, 1, &shared_comm, &at);
	run(ctx, rank);
	if (tsr_status(ctx)) snprintf(all->why[rank], sizeof *all->why, "%s", tsr_message(ctx));
	fflush(stdout);
	rewind(f);
	all->out[rank][fread(all->out[rank], 1, ROOM - 1, f)] = 0;
	return tsr_close(ctx);
}

static void on_all(work *run)
{
	shared_world *w = shared_world_make(RANKS);
	pid_t pid[RANKS];

	all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(all != MAP_FAILED);
	fflush(NULL);
	for (int rank = 0; rank < RANKS; rank++) {
		pid[rank] = fork();
		if (pid[rank] == 0) _exit(on_rank(w, rank, run));
		assert_true(pid[rank] > 0);
	}
	for (int rank = 0; rank < RANKS; rank++) {
		int status;
		assert_int_equal(waitpid(pid[rank], &status, 0), pid[rank]);
		assert_string_equal(all->why[rank], "");
		assert_int_equal(status, 0);
	}
	shared_world_free(w);
}

static void expect(const char *first, const char *second)
{
	assert_string_equal(all->out[0], first);
	assert_string_equal(all->out[1], second);
	munmap(all, sizeof *all);
}

/* ---- printing */

static void prints_once(tsr_ctx *ctx, int rank)
{
	(void)rank;
	tsr_print(tsr_arange(ctx, 3));
	tsr_print(tsr_put_device(tsr_arange(ctx, 4), 2));
	tsr_printf(ctx, "step %d\n", 7);
}

static void prints_each(tsr_ctx *ctx, int rank)
{
	tsr *x = tsr_reshape(tsr_arange(ctx, 4), TSR_DIMS(2, 2));

	tsr_print(x, .all = true);
	tsr_print(tsr_add(tsr_arange(ctx, 1), rank), .all = true);
}

static void shows(tsr_ctx *ctx, int rank)
{
	tsr_mesh *pair = tsr_mesh_make_devices_at(TSR_HERE, ctx, (int64_t[]){3, 2}, 2,
	                                          (tsr_axis[]){{"x", 2}}, 1);
	tsr *x = tsr_put(tsr_arange(ctx, 4), pair, TSR_P("x"));

	(void)rank;
	tsr_show_shards(x, .whole = tsr_gather_whole(x));
	tsr_show_shards(x, .all = true);
}

static void printing(void **state)
{
	(void)state;
	on_all(prints_once);
	expect("[0 1 2]\nstep 7\n", "[0 1 2 3]\n");
	on_all(prints_each);
	expect("[0] [[0 1]\n[0]  [2 3]]\n[0] [0]\n", "[1] [[0 1]\n[1]  [2 3]]\n[1] [1]\n");
}

static void pictures(void **state)
{
	(void)state;
	on_all(shows);
	assert_memory_equal(all->out[0], "[0] ", 4); /* only by .all */
	assert_non_null(strstr(all->out[0], "(in another process)"));
	assert_non_null(strstr(all->out[1], "\n[1] "));
	assert_memory_not_equal(all->out[1], "[1] ", 4); /* once without */
	munmap(all, sizeof *all);
}

/* ---- what is whose */

static tsr *sum_all(tsr *x) { return tsr_psum(x, "x"); }

/* on the devices of rank 1, which needs nobody for that */
static void is_local(tsr_ctx *ctx, int rank)
{
	const int64_t calls = ctx->processes->all->calls;
	int32_t y[2] = {0};
	tsr_mesh *own = tsr_mesh_make_devices_at(TSR_HERE, ctx, (int64_t[]){2, 3}, 2,
	                                         (tsr_axis[]){{"x", 2}}, 1);
	tsr *x = tsr_put(tsr_arange(ctx, 4), own, TSR_P("x"));
	tsr *sum = tsr_call(tsr_shard_map(own, sum_all, .sig = "[x] -> []"), x);
	tsr *more = tsr_add(sum, 1);

	EXPECT(tsr_size(more) == 2);
	if (rank == 1) {
		tsr *twice = tsr_mul(more, 2); /* alone */
		EXPECT(tsr_read(twice, y, sizeof y) && y[0] == 6 && y[1] == 10);
	} else {
		EXPECT(!tsr_is_poison(more) && !tsr_is_poison(tsr_text(more) ? more : NULL));
		EXPECT(!tsr_read(more, y, sizeof y));
		EXPECT(tsr_status(ctx) == TSR_ERROR_UNSUPPORTED);
		EXPECT(strstr(tsr_message(ctx), "tsr_gather_whole()"));
		tsr_clear(ctx);
	}
	EXPECT(ctx->processes->all->calls == calls);
	for (const team *t = ctx->processes->teams; t; t = t->next)
		EXPECT(t == ctx->processes->all || !t->calls);
}

/* what spans no more than one process goes to another one, and back */
static void goes_over(tsr_ctx *ctx, int rank)
{
	int32_t y[3] = {0};
	tsr *x = tsr_put_device(tsr_arange(ctx, 3), 0), *there = tsr_put_device(x, 3);

	if (rank == 1) EXPECT(tsr_read(there, y, sizeof y) && y[2] == 2);
	tsr *back = tsr_put_device(tsr_add(there, 5), 1);
	if (rank == 0) EXPECT(tsr_read(back, y, sizeof y) && y[2] == 7);
}

static void local(void **state)
{
	(void)state;
	on_all(is_local);
	expect("", "");
	on_all(goes_over);
	expect("", "");
}

/* ---- what is elsewhere can be neither read nor compared nor saved */

static void reads(tsr_ctx *ctx, int rank)
{
	tsr_mesh *line = tsr_mesh_make(ctx, {"x", 2 * RANKS});
	tsr *x = tsr_put(tsr_arange(ctx, 8, .dtype = TSR_F32), line, TSR_P("x"));
	char path[64];
	float y[8];
	int64_t strides[1];

	snprintf(path, sizeof path, "/tmp/tsr-holders-%d.npz", (int)getpid());
#define REFUSED(call) \
	do { \
		(void)(call); \
		EXPECT(tsr_status(ctx) == TSR_ERROR_UNSUPPORTED); \
		EXPECT(strstr(tsr_message(ctx), "tsr_gather_whole()")); \
		EXPECT(strstr(tsr_message(ctx), "test_holders.c:")); \
		tsr_clear(ctx); \
	} while (0)
	REFUSED(tsr_read(x, y, sizeof y));
	REFUSED(tsr_read_into(x, y));
	REFUSED(tsr_allclose(x, x, 0, 0));
	REFUSED(tsr_array_equal(x, tsr_arange(ctx, 8, .dtype = TSR_F32)));
	REFUSED(tsr_array_equal(tsr_arange(ctx, 8, .dtype = TSR_F32), x));
	REFUSED(tsr_save_npy(x, path));
	REFUSED(!tsr_shard_data(x, rank ? 0 : 3));
	tsr *first = tsr_put_device(tsr_scalar(ctx, 3), 0),
	    *third = tsr_put_device(tsr_scalar(ctx, 3), 2);
	REFUSED(tsr_item(rank ? first : third));
	REFUSED(tsr_item_int(rank ? first : third));
	REFUSED(tsr_to_dlpack(rank ? first : third));
	REFUSED(tsr_shard_borrow(x, rank ? 0 : 3, strides));
	REFUSED(tsr_save(TSR_LEAVES(&x, 1), path));
	unlink(path);
}

/* all of it may be here though the first device of no part is */
static void replicas(tsr_ctx *ctx, int rank)
{
	tsr_mesh *grid = tsr_mesh_make(ctx, {"x", 2}, {"y", 2});
	tsr *all_parts = tsr_put(tsr_arange(ctx, 4), grid, TSR_P("y"));
	tsr *same = tsr_put(tsr_arange(ctx, 4), grid, TSR_P());
	int32_t y[4];

	(void)rank;
	EXPECT(tsr_read(all_parts, y, sizeof y) && y[3] == 3);
	EXPECT(strcmp(tsr_text(all_parts), "[0 1 2 3]") == 0);
	EXPECT(strcmp(tsr_text(same), "[0 1 2 3]") == 0);
	EXPECT(strcmp(tsr_text(tsr_put(same, grid, TSR_P("x"))),
	              "i32[4] (not all of it is here)") == 0);
}

static void elsewhere(void **state)
{
	(void)state;
	on_all(reads);
	expect("", "");
	on_all(replicas);
	expect("", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(printing),
		cmocka_unit_test(pictures),
		cmocka_unit_test(local),
		cmocka_unit_test(elsewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
