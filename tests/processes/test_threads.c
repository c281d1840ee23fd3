/* test_threads.c - programs of several processes give what they give in one. The processes are
 * threads, each with a context of its own. */
#include "runtime/runtime.h"
#include "support/comm_threads.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { MOST = 1 << 14 };

typedef struct seen { /* what a program gave, as bytes */
	size_t n;
	char bytes[MOST];
} seen;

static void see(seen *s, tsr *x)
{
	const size_t n = (size_t)tsr_size(x) * tsr_dtype_size(tsr_dtype_of(x));

	if (!tsr_is_poison(x) && s->n + n <= MOST && tsr_read(x, (void *)(s->bytes + s->n), n))
		s->n += n;
}

static void see_text(seen *s, const char *text)
{
	const size_t n = strlen(text);

	if (s->n + n > MOST) return;
	memcpy(s->bytes + s->n, text, n);
	s->n += n;
}

/* ---- programs */

static tsr *of_block(tsr *x)
{
	tsr *sum = tsr_psum(x, "y"), *all = tsr_psum(x, "x*y");
	tsr *next = tsr_ppermute(x, "x", TSR_SHIFT(1));

	return tsr_add(tsr_add(tsr_mul(x, 10), sum),
	               tsr_add(tsr_mul(all, next), tsr_mul(tsr_axis_index(x, "x"), 1000)));
}

static void manual(tsr_ctx *ctx, seen *out)
{
	tsr_mesh *grid = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr *x = tsr_put(tsr_reshape(tsr_arange(ctx, 48, .dtype = TSR_F32), TSR_DIMS(8, 6)), grid,
	                 TSR_P("x", "y"));
	tsr_fn *f = tsr_shard_map(grid, of_block, .sig = "[x,y] -> [x,y]");

	see(out, tsr_gather_whole(tsr_call(f, x)));
	see(out, tsr_gather_whole(tsr_call(tsr_jit(ctx, f), x)));
}

static void automatic(tsr_ctx *ctx, seen *out)
{
	tsr_mesh *grid = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr *key = tsr_key(ctx, 7);
	tsr *a = tsr_put(tsr_normal(key, TSR_DIMS(16, 24)), grid, TSR_P("x", "y"));
	tsr *b = tsr_put(tsr_normal(key, TSR_DIMS(24, 8)), grid, TSR_P("y"));

	see(out, tsr_gather_whole(tsr_matmul(a, b)));
	see(out, tsr_gather_whole(tsr_sum(tsr_mul(a, a))));
	see(out, tsr_gather_whole(tsr_put(a, grid, TSR_P(NULL, "x"))));
	see(out, tsr_gather_whole(tsr_sort(tsr_reshape(a, TSR_DIMS(-1)))));
}

/* what is on the devices of all processes */
static void shown(tsr_ctx *ctx, seen *out)
{
	tsr_mesh *grid = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr *x = tsr_put(tsr_reshape(tsr_arange(ctx, 30), TSR_DIMS(6, 5)), grid, TSR_P("x", "y"));

	see_text(out, tsr_shards_text(x, .whole = tsr_gather_whole(x), .devices = true));
	see_text(out, tsr_sharding_picture(x));
}

typedef void program_of(tsr_ctx *, seen *);

/* ---- on several processes */

typedef struct job {
	program_of *run;
	int devices;
	const char *engine;
	const seen *expected; /* NULL: one process */
	seen *made;
} job;

static void on_rank(const threads_place *at, void *of)
{
	const job *j = of;
	static const int thirds[] = {3, 3, 2};
	seen *s = calloc(1, sizeof *s);
	const tsr_open_args args = {.size = sizeof args,
	                            .devices = j->devices,
	                            .devices_here = 0,
	                            .workers = 1,
	                            .engine = j->engine};
	tsr_open_args own = args;
	if (j->devices == 8 && at && at->size == 3) own.devices_here = thirds[at->rank];
	tsr_ctx *ctx =
		at ? ctx_open(TSR_HERE, &own, 1, &threads_comm, at) : tsr_open_at(TSR_HERE, &own);
	{
		TSR_SCOPE(ctx);
		j->run(ctx, s);
	}
	if (tsr_status(ctx)) fprintf(stderr, "rank %d: %s\n", at ? at->rank : 0, tsr_message(ctx));
	assert_int_equal(tsr_close(ctx), TSR_OK);
	assert_true(s->n > 0);
	if (j->expected) {
		assert_int_equal(s->n, j->expected->n);
		assert_memory_equal(s->bytes, j->expected->bytes, s->n);
	} else {
		*j->made = *s;
	}
	free(s);
}

static void check(program_of *run)
{
	static const char *const engines[] = {"interp", "cpu"};
	seen *one = calloc(1, sizeof *one);

	for (size_t e = 0; e < ARRAY_LEN(engines); e++) {
		job j = {run, 8, engines[e], NULL, one};
		on_rank(NULL, &j);
		j.expected = one;
		for (int n = 1; n <= 4; n++) {
			threads_world *w = threads_world_make(n, 0, n == 4);
			threads_run(w, on_rank, &j);
			threads_world_free(w);
		}
	}
	free(one);
}

static void manual_programs(void **state)
{
	(void)state;
	check(manual);
}
static void automatic_programs(void **state)
{
	(void)state;
	check(automatic);
}
static void shown_shards(void **state)
{
	(void)state;
	check(shown);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(manual_programs),
		cmocka_unit_test(automatic_programs),
		cmocka_unit_test(shown_shards),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
