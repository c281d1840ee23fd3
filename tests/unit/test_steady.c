/* test_steady.c - the same calls again and again: they ask the hook for nothing, and memory stays
 * as it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>
#include "runtime/runtime.h"
#include "support/quiet.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

static const struct engine_case {
	const char *name, *debug;
	int workers, sums;
} engines[] = {{"interp", "", 1, 1000000}, {"cpu", "c", 1, 1000000}, {"cpu", "cw", 2, 50000}};

static void *counting(void *user, void *old, size_t size)
{
	++*(int64_t *)user;
	if (size) return realloc(old, size);
	free(old);
	return NULL;
}

/* "c": what the engine cpu runs is compiled at once, "w": by all workers. Blocks are kept also with
 * the address sanitizer, where they are not as a rule */
static tsr_ctx *open_keeping(const struct engine_case *e, int64_t *calls)
{
	tsr_ctx *ctx = tsr_open(.devices = 8, .engine = e->name, .plugin_dir = PLUGIN_DIR,
	                        .debug = e->debug, .workers = e->workers, .alloc = counting,
	                        .user = calls, .log = log_nothing);

	ctx->base.mem.keeps = true;
	return ctx;
}

typedef struct world {
	tsr *x, *y, *spread, *own;
	tsr_fn *jit, *map, *sum, *all, *grad, *large, *loop, *scan, *choice, *product;
	tsr *matrix;
} world;

static tsr *add_one(tsr *x) { return tsr_add(x, 1); }
static tsr *sum_over(tsr *x) { return tsr_psum(x, "i"); }
static tsr *loss(tsr *x) { return tsr_sum(tsr_mul(tsr_sin(x), x)); }
static tsr *grown(tsr *x) { return tsr_sum(tsr_broadcast_to(x, TSR_DIMS(1000, 8))); }

static tsr *plus(tsr *i, tsr *x) { return tsr_add(x, tsr_astype(i, TSR_F32)); }
static tsr *small(tsr *x) { return tsr_lt(tsr_sum(x), 100); }
static tsr *loops(tsr *x) { return tsr_while(small, add_one, tsr_fori(0, 3, plus, x)); }
static void running(tsr_frame *f)
{
	tsr *c = tsr_add(tsr_frame_arg(f, 0), tsr_frame_arg(f, 1));
	tsr_return(f, c, tsr_square(c));
}
static tsr *scanned(tsr *x)
{
	tsr *c, *ys;
	tsr_scan_into(TSR_OUT(&c, &ys), running, 0, x, .reverse = true);
	return tsr_add(ys, c);
}
static tsr *chosen(tsr *x) { return tsr_cond(tsr_gt(tsr_sum(x), 2), add_one, tsr_sin, x); }
static tsr *products(tsr *x) { return tsr_matmul(tsr_add(x, 1), tsr_matmul(x, x)); }

static world world_make(tsr_ctx *ctx)
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"i", 8});
	tsr *x = tsr_ones(ctx, TSR_DIMS(8));
	world w = {.x = x, .y = tsr_ones(ctx, TSR_DIMS(8)), .spread = tsr_put(x, mesh, TSR_P("i"))};

	w.jit = tsr_jit(ctx, add_one);
	w.map = tsr_shard_map(mesh, add_one, .in = TSR_SPECS(TSR_P("i")),
	                      .out = TSR_SPECS(TSR_P("i")));
	w.sum = tsr_shard_map(mesh, sum_over, .in = TSR_SPECS(TSR_P("i")),
	                      .out = TSR_SPECS(TSR_P()));
	w.all = tsr_jit(ctx, w.sum);
	w.grad = tsr_jit(ctx, tsr_grad(ctx, loss));
	w.large = tsr_jit(ctx, grown);
	w.loop = tsr_jit(ctx, loops);
	w.scan = tsr_jit(ctx, scanned);
	w.choice = tsr_jit(ctx, chosen);
	w.product = tsr_jit(ctx, products);
	w.matrix = tsr_ones(ctx, TSR_DIMS(128, 128));
	return w;
}

static tsr *jit(world *w) { return tsr_call(w->jit, w->x); }
static tsr *eager(world *w) { return tsr_add(w->x, w->y); }
static tsr *eager_number(world *w) { return tsr_add(w->x, 1); }
static tsr *map(world *w) { return tsr_call(w->map, w->spread); }
static tsr *sum(world *w) { return tsr_call(w->sum, w->spread); }
static tsr *sum_in_jit(world *w) { return tsr_call(w->all, w->spread); }
static tsr *moved(world *w) { return tsr_call(w->sum, w->x); }
static tsr *gradient(world *w) { return tsr_call(w->grad, w->x); }
static tsr *with_large_values(world *w) { return tsr_call(w->large, w->x); }
static tsr *loop(world *w) { return tsr_call(w->loop, w->x); }
static tsr *scan(world *w) { return tsr_call(w->scan, w->x); }
static tsr *choice(world *w) { return tsr_call(w->choice, w->x); }
static tsr *product(world *w) { return tsr_call(w->product, w->matrix); }
static tsr *into_a_slot(world *w)
{
	tsr_set(&w->own, tsr_call(w->jit, w->own ? w->own : w->x));
	return w->own;
}

/* texts grow by and by, to other sizes than they began with */
static tsr *text_of_fn(world *w)
{
	assert_true(strlen(tsr_fn_text(w->grad, w->x)) > 500);
	return w->x;
}
static tsr *text_for_engine(world *w)
{
	assert_true(strlen(tsr_fn_compiled_text(w->jit, w->x)) > 50);
	return w->x;
}
static tsr *text_of_array(world *w)
{
	assert_true(strlen(tsr_text(w->matrix)) > 50);
	return w->x;
}
static tsr *picture(world *w)
{
	assert_true(strlen(tsr_sharding_picture(w->spread)) > 50);
	return w->x;
}
static tsr *svg(world *w)
{
	assert_true(strlen(tsr_sharding_svg(w->spread)) > 500);
	return w->x;
}
static tsr *table_of_shards(world *w)
{
	assert_true(strlen(tsr_shards_text(w->spread)) > 50);
	return w->x;
}
static char file[] = "/tmp/tsr-steady-XXXXXX";
static tsr *saved(world *w)
{
	assert_true(tsr_save_npy(w->matrix, file));
	return w->x;
}
static tsr *loaded(world *w) { return tsr_load_npy(w->x, file); }

static tsr *(*const calls[])(world *) = {
	jit,    eager,    eager_number,      map,         sum,  sum_in_jit,
	moved,  gradient, with_large_values, into_a_slot, loop, scan,
	choice, product,  text_of_fn,        text_for_engine, text_of_array, picture,
	svg, table_of_shards, saved, loaded,
};

static void repeat(tsr_ctx *ctx, world *w, tsr *(*call)(world *), int n)
{
	for (int i = 0; i < n; i++) {
		TSR_SCOPE(ctx);
		assert_false(tsr_is_poison(call(w)));
	}
}

static void check_calls(const struct engine_case *engine)
{
	int64_t asked = 0;
	tsr_ctx *ctx = open_keeping(engine, &asked);
	world w = world_make(ctx);

	for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
		if (calls[i] == product && ctx->engine->type == &interp_engine) continue; /* slow */
		repeat(ctx, &w, calls[i], 50);
		const int64_t before = asked;
		const size_t in_use = tsr_memory(ctx).in_use;
		repeat(ctx, &w, calls[i], 100);
		if (asked != before) print_error("%s: call %zu asks for memory\n", engine->name, i);
		assert_int_equal(asked, before);
		assert_int_equal(tsr_memory(ctx).in_use, in_use);
	}
	tsr_drop(&w.own);
	assert_int_equal(tsr_close(ctx), 0);
}

static void steady_calls_ask_for_no_memory(void **state)
{
	const int fd = mkstemp(file);

	(void)state;
	assert_true(fd >= 0 && close(fd) == 0);
	for (size_t i = 0; i < ARRAY_LEN(engines); i++) check_calls(&engines[i]);
	unlink(file);
}

static void check_sums(const struct engine_case *engine)
{
	int64_t asked = 0;
	tsr_ctx *ctx = open_keeping(engine, &asked);
	world w = world_make(ctx);

	repeat(ctx, &w, sum, 1000);
	const size_t held = tsr_memory(ctx).held, peak = tsr_memory(ctx).peak;
	assert_true(held >= tsr_memory(ctx).in_use);
	repeat(ctx, &w, sum, engine->sums);
	assert_int_equal(tsr_memory(ctx).held, held);
	assert_int_equal(tsr_memory(ctx).peak, peak);
	assert_float_equal(tsr_item(tsr_call(w.sum, w.spread)), 8, 0);
	assert_int_equal(tsr_close(ctx), 0);
}

static void a_million_sums_leave_memory_flat(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(engines); i++) check_sums(&engines[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steady_calls_ask_for_no_memory),
		cmocka_unit_test(a_million_sums_leave_memory_flat),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
