/* test_processes.c - checkpoints saved by some processes and loaded by others: on every number of
 * processes and on three meshes the bits are the same. */
#include "checkpoint/checkpoint_rig.h"

static const int counts[] = {1, 2, 3, 4, 8};

static int devices_of(int size) { return size == 3 ? 6 : 8; }

typedef struct plan {
	int64_t step;
	int mesh, salt;
	bool async;
} plan;

static int save_own(tsr_ctx *ctx, int rank, void *of)
{
	const plan *p = of;
	tsr *x[LEAVES];

	(void)rank;
	make_leaves(ctx, p->mesh, p->salt, x);
	bool ok = tsr_checkpoint_save(folder, p->step, TSR_LEAVES(x, LEAVES), .async = p->async);
	if (p->async) make_leaves(ctx, p->mesh, p->salt + 1, x);
	ok = ok && tsr_checkpoint_latest(ctx, folder) == p->step;
	return ok && tsr_close(ctx) == 0 ? 0 : 2;
}

static int load_own(tsr_ctx *ctx, int rank, void *of)
{
	const plan *p = of;
	tsr *x[LEAVES];

	(void)rank;
	make_leaves(ctx, p->mesh, p->salt + 1, x);
	if (!tsr_checkpoint_load(folder, p->step, TSR_LEAVES(x, LEAVES))) return 2;
	return leaves_are_known(x, p->salt) && tsr_close(ctx) == 0 ? 0 : 3;
}

static void test_any_to_any(void **state)
{
	plan p = {0};
	int turn = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(counts); i++)
		for (p.mesh = 0; p.mesh < 3; p.mesh++) {
			p.step = (int64_t)(3 * i) + p.mesh;
			p.salt = (int)p.step;
			p.async = p.step % 2;
			assert_true(run_processes(counts[i], devices_of(counts[i]), save_own, &p));
		}
	for (size_t i = 0; i < ARRAY_LEN(counts); i++)
		for (p.step = 0; p.step < 15; p.step++) {
			p.mesh = turn++ % 3;
			p.salt = (int)p.step;
			if (!run_processes(counts[i], devices_of(counts[i]), load_own, &p))
				fail_msg("step %d on %d processes, mesh %d", (int)p.step, counts[i],
				         p.mesh);
		}
}

/* one process whose devices have several memories: what is whole on all is read once, and is in
 * each */
static void test_memories(void **state)
{
	const tsr_open_args args = {.size = sizeof args, .devices = 8, .log = log_nothing};
	tsr_ctx *ctx = ctx_open("test.c:1", &args, 4, NULL, NULL);
	tsr *x[LEAVES];

	(void)state;
	make_leaves(ctx, 1, 5, x);
	assert_true(tsr_checkpoint_save(folder, 50, TSR_LEAVES(x, LEAVES)));
	for (int mesh = 0; mesh < 3; mesh++) {
		make_leaves(ctx, mesh, 6, x);
		assert_true(tsr_checkpoint_load(folder, 50, TSR_LEAVES(x, LEAVES)));
		assert_true(leaves_are_known(x, 5));
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- their trees or steps differ: all fail, and nothing is left */

static int save_other(tsr_ctx *ctx, int rank, void *of)
{
	const bool steps = of;
	tsr *x[LEAVES];

	make_leaves(ctx, rank == 1 && !steps, 0, x);
	if (tsr_checkpoint_save(folder, 60 + (rank == 1 && steps), TSR_LEAVES(x, LEAVES))) return 2;
	const char *says = steps       ? "checkpoint_save"
	                   : rank == 1 ? "the tree differs from that of process 0"
	                               : "by another process";
	if (!strstr(tsr_message(ctx), says)) return 3;
	tsr_clear(ctx);
	return !steps && tsr_checkpoint_latest(ctx, folder) >= 60 ? 4 : 0;
}

static void test_others(void **state)
{
	(void)state;
	assert_true(run_processes(3, 6, save_other, NULL));
	assert_true(run_processes(3, 6, save_other, folder));
	assert_int_not_equal(access(in_folder("60"), F_OK), 0);
	assert_int_not_equal(access(in_folder("61"), F_OK), 0);
}

/* ---- one of them cannot: all fail, and nothing is left */

static int save_failing(tsr_ctx *ctx, int rank, void *of)
{
	const plan *p = of;
	tsr *x[LEAVES];
	bool ok;

	make_leaves(ctx, p->mesh, p->salt, x);
	if (rank == p->mesh % 2) ctx->base.mem.fail_at = p->salt;
	ok = tsr_checkpoint_save(folder, 99, TSR_LEAVES(x, LEAVES), .async = p->async);
	if (ok) ok = tsr_checkpoint_wait(ctx);
	ctx->base.mem.fail_at = -1;
	if (!ok && !tsr_status(ctx)) return 3;
	tsr_clear(ctx);
	/* no longer than it takes to see that the others agree */
	const bool there = tsr_checkpoint_latest(ctx, folder) == 99;
	/* without memory before the call began, a call was left out */
	const bool apart = tsr_status(ctx) == TSR_ERROR_PROCESS;
	return apart || (there == ok && tsr_close(ctx) == 0) ? 0 : 2;
}

static void test_memory_fails_on_one(void **state)
{
	(void)state;
	for (int n = 1; n < 60; n += 1 + n / 8) {
		plan p = {.mesh = n % 3, .salt = n, .async = n % 2};
		assert_true(run_processes(2, 8, save_failing, &p));
		remove_all(in_folder("99"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_to_any),
		cmocka_unit_test(test_memories),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_memory_fails_on_one),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
