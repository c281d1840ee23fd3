/* test_threads.c - programs of several processes give the results of one process. The processes are
 * threads, each with a context of its own. */
#include "runtime/runtime.h"
#include "../tools/conform/threads.h"
#include "support/quiet.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { MOST = 1 << 18 };

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

/* placements of which none fits the processes: dims that axes do not divide, other orders of the
 * devices, some of them, one */
static void placements(tsr_ctx *ctx, seen *out)
{
	static const int64_t turned[] = {7, 2, 5, 0, 3, 6, 1, 4}, some[] = {6, 1, 3};
	tsr_mesh *mesh[] = {
		tsr_mesh_make(ctx, {"x", 4}, {"y", 2}),
		tsr_mesh_make_devices_at(TSR_HERE, ctx, turned, 8, (tsr_axis[]){{"x", 2}, {"y", 4}},
	                                 2),
		tsr_mesh_make_devices_at(TSR_HERE, ctx, some, 3, (tsr_axis[]){{"x", 3}, {"y", 1}},
	                                 2),
	};
	const tsr_spec spec[] = {TSR_SPEC("x", "y"), TSR_SPEC("y", "x"), TSR_SPEC(),
	                         TSR_SPEC(NULL, "x*y"), TSR_SPEC("y")};
	tsr *x = tsr_reshape(tsr_arange(ctx, 55, .dtype = TSR_I16), TSR_DIMS(5, 11));

	for (int i = 0; i < 40; i++) {
		if (i % 7 == 3)
			x = tsr_put_device(x, i % 8);
		else
			x = tsr_put(x, mesh[i % 3], spec[i % 5]);
		if (i % 5 == 0) x = tsr_add(x, 1);
		see(out, tsr_gather_whole(x));
	}
}

/* ---- effects: who asks is answered by one process, and all that need the answer have it */

static bool answer(const tsr_host_call *c)
{
	const float *x = c->in[0];

	*(float *)c->out[0] = *x * *x + 1;
	return true;
}

static _Thread_local tsr_fn *asks;

static tsr *ask_for_all(tsr *x)
{
	tsr *sum = tsr_psum(tsr_sum(x), "x"); /* the same on all devices along x, not along y */
	tsr *y = tsr_call(asks, sum);

	return tsr_add(x, tsr_psum(y, "y"));
}

static tsr *ask_each(tsr *x)
{
	return tsr_add(x, tsr_ppermute(tsr_call(asks, tsr_sum(x)), "x", TSR_SHIFT(1)));
}

static tsr *ask_turns(tsr *i, tsr *x)
{
	(void)i;
	return tsr_mul(0.01, ask_for_all(x));
}

static tsr *ask_often(tsr *x) { return tsr_fori(0, 5, ask_turns, x); }

/* one answer for all devices, in turn */
static tsr *ask_once(tsr *i, tsr *x)
{
	(void)i;
	return tsr_mul(0.01, tsr_add(x, tsr_call(asks, tsr_sum(x))));
}

static tsr *ask_plainly(tsr *x) { return tsr_fori(0, 3, ask_once, x); }

/* one answer for each column of a mesh whose columns some processes have in another order */
static tsr *ask_columns(tsr *x) { return tsr_add(x, tsr_call(asks, tsr_sum(x))); }

static void shuffled(tsr_ctx *ctx, seen *out)
{
	static const int64_t ids[] = {0, 1, 3, 6, 7, 4};
	tsr_mesh *m = tsr_mesh_make_devices(ctx, ids, 6, {"r", 3}, {"y", 2});
	tsr *x = tsr_put(tsr_arange(ctx, 4, .dtype = TSR_F32), m, TSR_P("y"));
	tsr_fn *f = tsr_shard_map(m, ask_columns, .sig = "[y] -> [y]", .axes = "y");

	see(out, tsr_gather_whole(tsr_call(f, x)));
	see(out, tsr_gather_whole(tsr_call(tsr_jit(ctx, f), x)));
}

static void effects(tsr_ctx *ctx, seen *out)
{
	tsr_mesh *grid = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr *x = tsr_put(tsr_reshape(tsr_arange(ctx, 16, .dtype = TSR_F32), TSR_DIMS(8, 2)), grid,
	                 TSR_P("x", "y"));
	tsr *(*const bodies[])(tsr *) = {ask_for_all, ask_each, ask_often};

	for (int pure = 0; pure < 2; pure++) {
		const tsr_callback_args a = {.size = sizeof a,
		                             .results = TSR_RESULTS({TSR_F32, TSR_DIMS()})};
		asks = pure ? tsr_pure_callback_at(TSR_HERE, ctx, answer, "answer", &a)
		            : tsr_io_callback_at(TSR_HERE, ctx, answer, "answer", &a);
		for (size_t i = 0; i < ARRAY_LEN(bodies); i++)
			see(out,
			    tsr_gather_whole(tsr_call(
				    tsr_shard_map(grid, bodies[i], .sig = "[x,y] -> [x,y]"), x)));
		see(out, tsr_gather_whole(tsr_call(asks, tsr_sum(x)))); /* plain code */
		see(out, tsr_gather_whole(tsr_call(tsr_jit(ctx, ask_plainly), x)));
		shuffled(ctx, out);
	}
}

/* ---- loops and choices whose predicates vary over one axis, with exchanges over the other */

static tsr *small(tsr *x) { return tsr_lt(tsr_psum(tsr_sum(tsr_abs(x)), "y"), 300); }
static tsr *grow(tsr *x) { return tsr_add(tsr_mul(x, 2), tsr_ppermute(x, "y", TSR_SHIFT(1))); }
static tsr *some_sum(tsr *x) { return tsr_mul(x, tsr_psum(x, "y")); }
static tsr *no_sum(tsr *x) { return tsr_neg(x); }

static tsr *goes_its_way(tsr *x)
{
	tsr *odd = tsr_eq(tsr_rem(tsr_axis_index(x, "x"), 2), 1);

	return tsr_while(small, grow, tsr_cond(odd, some_sum, no_sum, x));
}

static tsr *loss_of(tsr *x)
{
	return tsr_psum(
		tsr_sum(tsr_sin(tsr_cond(tsr_gt(tsr_axis_index(x, "x"), 1), some_sum, no_sum, x))),
		"x*y");
}

static tsr *carry_on(tsr *carry, tsr *x)
{
	return tsr_add(tsr_ppermute(carry, "x", TSR_SHIFT(-1)), tsr_psum(x, "y"));
}

static tsr *scans(tsr *x) { return tsr_scan(carry_on, tsr_sum(x, .dims = TSR_DIMS(0)), x); }

static tsr *block_gradient(tsr *x) { return tsr_call(tsr_grad(x, loss_of), x); }

static void ways(tsr_ctx *ctx, seen *out)
{
	tsr_mesh *grid = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr *x = tsr_put(tsr_normal(tsr_key(ctx, 3), TSR_DIMS(8, 4)), grid, TSR_P("x", "y"));
	tsr *(*const bodies[])(tsr *) = {goes_its_way, block_gradient};

	for (size_t i = 0; i < ARRAY_LEN(bodies); i++) {
		tsr_fn *f = tsr_shard_map(grid, bodies[i], .sig = "[x,y] -> [x,y]");
		for (int k = 0; k < 3; k++) see(out, tsr_gather_whole(tsr_call(f, x)));
		see(out,
		    tsr_gather_whole(tsr_call(tsr_vmap(ctx, f), tsr_stack(0, x, tsr_mul(x, 0.5)))));
	}
	see(out, tsr_gather_whole(tsr_call(
			 tsr_shard_map(grid, scans, .sig = "[x,-] -> [x]", .unchecked = true),
			 tsr_put(x, grid, TSR_P("x")))));
}

/* ---- maps, jit, donation, random numbers, sorting */

static tsr *by_row(tsr *x) { return tsr_div(x, tsr_psum(tsr_sum(tsr_square(x)), "i")); }
static tsr *noise(tsr *key) { return tsr_normal(key, TSR_DIMS(7)); }
static tsr *more(tsr *x) { return tsr_add(tsr_mul(x, 3), tsr_flip(x, TSR_DIMS(0))); }

static void maps(tsr_ctx *ctx, seen *out)
{
	tsr_mesh *line = tsr_mesh_make(ctx, {"x", 8});
	tsr *rows = tsr_reshape(tsr_arange(ctx, 40, .dtype = TSR_F32), TSR_DIMS(8, 5));
	tsr_fn *f = tsr_pmap(ctx, by_row, .axis = "i"),
	       *g = tsr_jit(ctx, more, .donate = TSR_DIMS(0));
	tsr *x = tsr_put(tsr_arange(ctx, 21, .dtype = TSR_F32), line, TSR_P("x"));

	see(out, tsr_gather_whole(tsr_call(f, rows)));
	see(out, tsr_gather_whole(tsr_call(f, tsr_call(f, tsr_slice(rows, 0, 0, 5)))));
	see(out, tsr_gather_whole(tsr_call(tsr_pmap(ctx, noise),
	                                   tsr_split_keys(tsr_key(ctx, 5), TSR_DIMS(6)))));
	for (int i = 0; i < 5; i++) see(out, tsr_gather_whole(x = tsr_call(g, x)));
	tsr *drawn = tsr_put(tsr_uniform(tsr_key(ctx, 1), TSR_DIMS(13, 9)), line, TSR_P("x"));
	see(out, tsr_gather_whole(tsr_sort(drawn, .dim = TSR_DIMS(0))));
	see(out, tsr_gather_whole(tsr_argsort(tsr_ravel(drawn))));
	see(out, tsr_gather_whole(tsr_cumsum(drawn, .dim = TSR_DIMS(0))));
	see(out, tsr_gather_whole(tsr_permutation(tsr_key(ctx, 2), drawn)));
}

/* ---- arrays of what each process has: its part of the numbers 0, 1, ... */

static tsr *part_of(const tsr_sharding *s, tsr *whole, int64_t k)
{
	return tsr_shard_data(tsr_put_sharding(whole, s), k);
}

static void made_of_parts(tsr_ctx *ctx, seen *out)
{
	tsr_mesh *grid = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	const tsr_sharding *s = tsr_sharding_make(grid, TSR_P("x", "y"));
	const tsr_sharding *rows = tsr_sharding_make(grid, TSR_P("x"));
	const tsr_sharding *one = tsr_sharding_device(ctx, 1);
	tsr *whole = tsr_reshape(tsr_arange(ctx, 30), TSR_DIMS(6, 5)), *piece[8];
	int64_t first = 8, last = -1;
	size_t n = 0;

	for (int64_t k = 0; k < 8; k++) {
		if (tsr_device(ctx, k).process != tsr_process(ctx)) continue;
		piece[n++] = part_of(s, whole, k);
		first = k < first ? k : first;
		last = k;
	}
	see(out, tsr_gather_whole(tsr_from_shards(ctx, s, TSR_DIMS(6, 5), piece, n)));
	/* rows 2i and 2i + 1 are those of devices 2i and 2i + 1: the last are none */
	const int64_t from = first / 2 * 2, to = last / 2 * 2 + 2;
	tsr *own = tsr_slice(whole, 0, from < 6 ? from : 6, to < 6 ? to : 6);
	see(out, tsr_gather_whole(tsr_from_local(rows, own, TSR_DIMS(6, 5))));
	see(out, tsr_gather_whole(tsr_from_local(rows, whole, TSR_DIMS(6, 5))));
	see(out, tsr_gather_whole(tsr_from_local(one, whole, TSR_DIMS(6, 5))));
	tsr *wrong = tsr_from_local(rows, tsr_zeros(ctx, TSR_DIMS(9, 5)), TSR_DIMS(6, 5));
	assert_true(tsr_is_poison(wrong));
	assert_non_null(strstr(tsr_message(ctx), "from_local: dim 0 of the data must be "));
	assert_int_equal(tsr_status(ctx), TSR_ERROR_TYPE);
	tsr_clear(ctx);
}

/* ---- blocks so large that what is received comes where it is joined, and sums have owners */

static tsr *large_sum(tsr *x) { return tsr_psum(x, "x"); }
static tsr *large_part(tsr *x) { return tsr_psum_scatter(x, "x", .tiled = true); }
static tsr *large_row(tsr *x) { return tsr_all_gather(x, "x", .tiled = true); }
static tsr *large_stack(tsr *x) { return tsr_all_gather(x, "x"); }
static tsr *large_turn(tsr *x) { return tsr_all_to_all(x, "x", .tiled = true); }
static tsr *large_next(tsr *x) { return tsr_ppermute(x, "x", TSR_SHIFT(1)); }
static tsr *large_pair(tsr *x)
{
	tsr *next = tsr_ppermute(x, "x", TSR_SHIFT(1)), *twice = tsr_mul(x, 2);

	return tsr_concatenate(0, next, x, twice, next, tsr_ppermute(twice, "x", TSR_SHIFT(-1)));
}

static tsr *large_turns(tsr *i, tsr *x) { return (void)i, large_turn(tsr_add(x, 1)); }
static tsr *large_loop(tsr *x) { return tsr_fori(0, 3, large_turns, x); }

static void large(tsr_ctx *ctx, seen *out)
{
	tsr_mesh *line = tsr_mesh_make(ctx, {"x", 8});
	tsr *x = tsr_put(tsr_normal(tsr_key(ctx, 5), TSR_DIMS(64, 1100)), line, TSR_P("x"));
	tsr *(*const bodies[])(tsr *) = {large_sum,  large_part, large_row,  large_stack,
	                                 large_turn, large_next, large_pair, large_loop};

	for (size_t i = 0; i < ARRAY_LEN(bodies); i++) {
		tsr *y = tsr_gather_whole(tsr_call(
			tsr_shard_map(line, bodies[i], .sig = "[x] -> [x]", .unchecked = true), x));
		const int last = tsr_ndim(y) - 1; /* some columns */
		see(out,
		    tsr_take(y, last, tsr_arange(ctx, tsr_dim(y, last), .start = 3, .step = 271)));
	}
}

typedef void program_of(tsr_ctx *, seen *);

/* ---- on several processes */

typedef struct job {
	program_of *run;
	int devices;
	const char *engine, *debug;
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
	                            .debug = j->debug,
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

/* c: compiles at once; w: large pieces are messages alone, and all are large */
static void check(program_of *run, const char *debug)
{
	static const char *const engines[] = {"interp", "cpu"};
	seen *one = calloc(1, sizeof *one);

	for (size_t e = 0; e < ARRAY_LEN(engines); e++) {
		job j = {run, 8, engines[e], debug, NULL, one};
		on_rank(NULL, &j);
		j.expected = one;
		for (int n = 1; n <= 4; n++) { /* three nodes of one, or two of two */
			const int a_node = n == 3 ? 1 : n == 4 ? 2 : 0;
			threads_world *w = threads_world_make(n, a_node, n == 4);
			threads_run(w, on_rank, &j);
			threads_world_free(w);
		}
	}
	free(one);
}

/* ---- one process has machine code before the others: they run interpreted, and then all compile
 */

static tsr *times_sum(tsr *x) { return tsr_mul(x, tsr_psum(x, "x")); }

static void compiles_first(const threads_place *at, void *of)
{
	const tsr_open_args args = {.size = sizeof args,
	                            .devices = 4,
	                            .workers = 1,
	                            .debug = at->rank == 1 ? "c" : NULL,
	                            .engine = "cpu"};
	tsr_ctx *ctx = ctx_open(TSR_HERE, &args, 1, &threads_comm, at);
	tsr_mesh *line = tsr_mesh_make(ctx, {"x", 4});
	tsr_fn *f = tsr_shard_map(line, times_sum, .sig = "[x] -> [x]");
	tsr *x = tsr_arange(ctx, 8, .dtype = TSR_F32);
	float y[8];

	(void)of;
	for (int i = 0; i < 4; i++) {
		TSR_SCOPE(ctx);
		assert_true(tsr_read(tsr_gather_whole(tsr_call(f, x)), y, sizeof y));
		for (int k = 0; k < 8; k++) assert_true(y[k] == (float)(k * (k % 2 ? 16 : 12)));
		assert_int_equal(tsr_fn_stats(f).compiles, i > 0 || at->rank == 1);
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void test_compiles_first(void **state)
{
	threads_world *w = threads_world_make(2, 0, 0);

	(void)state;
	threads_run(w, compiles_first, NULL);
	threads_world_free(w);
}

/* ---- contexts that cannot be opened together */

typedef struct opening {
	tsr_open_args first, second; /* of process 0, and of process 1 */
	const char *says;            /* in both */
} opening;

static void opens_wrongly(const threads_place *at, void *of)
{
	const opening *o = of;
	tsr_open_args a = at->rank ? o->second : o->first;
	char text[1024];
	int code;

	a.size = sizeof a;
	a.log = log_nothing;
	a.code = &code;
	tsr_ctx *ctx = ctx_open(TSR_HERE, &a, 1, &threads_comm, at);
	snprintf(text, sizeof text, "%s", tsr_message(ctx));
	const bool told = code && strstr(text, o->says);
	if (!told) fprintf(stderr, "rank %d: not \"%s\": %s\n", at->rank, o->says, text);
	assert_true(told);
	tsr_close(ctx);
}

static void test_openings(void **state)
{
	(void)state;
	const opening all[] = {
		{{.devices = 3}, {.devices = 3}, "3 .devices cannot be divided evenly among 2"},
		{{.devices = 4, .devices_here = 1},
	         {.devices = 4, .devices_here = 2},
	         "the .devices_here of all processes are 3, and .devices is 4"},
		{{.devices = 2, .engine = "interp"},
	         {.devices = 2, .engine = "cpu"},
	         "rank 0 has engine \"interp\", and rank 1 has engine \"cpu\""},
		{{.devices = 2, .dtype = TSR_F32},
	         {.devices = 2, .dtype = TSR_F64},
	         "rank 0 has dtype f32, and rank 1 has dtype f64"},
		{{.devices = 2, .threefry_original = true},
	         {.devices = 2},
	         "rank 0 has .threefry_original = true, and rank 1 has .threefry_original = false"},
		{{.devices = 2, .reproducible = TSR_BY_MESH},
	         {.devices = 2},
	         "rank 0 has .reproducible = TSR_BY_MESH, and rank 1 has .reproducible = "
	         "TSR_BY_DEVICES"},
		{{.devices = 2, .precision = TSR_BF16_BF16_F32}, {.devices = 2}, ".precision = 3"},
		{{.devices = 2, .debug = "n"},
	         {.devices = 2},
	         "rank 0 has debug letter n on, and rank 1 has debug letter n off"},
		{{.devices = 2, .debug = "N"},
	         {.devices = 2},
	         "rank 0 has debug letter N on, and rank 1 has debug letter N off"},
		{{.devices = 2},
	         {.devices = 2, .debug = "w"},
	         "rank 0 has debug letter w off, and rank 1 has debug letter w on"},
		{{.devices = 2}, {.devices = 4}, "rank 0 has 2 devices, and rank 1 has 4 devices"},
		{{.devices = 2},
	         {.devices = 2, .engine = "none such"},
	         ".engine \"none such\" is not a name"},
	};

	for (size_t i = 0; i < ARRAY_LEN(all); i++) {
		threads_world *w = threads_world_make(2, 0, 0);
		threads_run(w, opens_wrongly, (void *)(uintptr_t)&all[i]);
		threads_world_free(w);
	}
}

#define TEST(name) \
	static void test_##name(void **state) \
	{ \
		(void)state; \
		check(name, "c"); \
	}
#define PROGRAMS \
	TEST(manual) \
	TEST(automatic) \
	TEST(shown) \
	TEST(placements) TEST(effects) TEST(ways) TEST(maps) TEST(made_of_parts) TEST(large)
PROGRAMS
#undef TEST
static void test_alone(void **state)
{
	(void)state;
	check(large, "cw");
}

#define TEST(name) cmocka_unit_test(test_##name),

int main(void)
{
	const struct CMUnitTest tests[] = {PROGRAMS cmocka_unit_test(test_alone),
	                                   cmocka_unit_test(test_compiles_first),
	                                   cmocka_unit_test(test_openings)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
