/* scene.h - contexts and handles for the calls of hand.h, and a call at one place: alone, in a jit,
 * or in a map. */
#ifndef TSR_TESTS_EVERY_SCENE_H
#define TSR_TESTS_EVERY_SCENE_H
#include "every/hand.h"
#include "support/quiet.h"

#define NCALLS (sizeof calls / sizeof *calls)

static hand the;

/* dims of size 1, and in front of them those of x: arrays of more dims than a macro takes */
static inline tsr *scene_spread(tsr *x, int ndim)
{
	while (!tsr_is_poison(x) && tsr_ndim(x) + 7 <= ndim)
		x = tsr_expand_dims(x, TSR_DIMS(-1, -2, -3, -4, -5, -6, -7));
	while (!tsr_is_poison(x) && tsr_ndim(x) < ndim) x = tsr_expand_dims(x, TSR_DIMS(-1));
	return x;
}

static inline tsr *scene_numbers(tsr_dtype dtype, tsr_dims dims)
{
	tsr *x = tsr_arange(the.ctx, 9, .dtype = TSR_I32);

	return tsr_astype(tsr_resize(x, dims), dtype);
}

static inline void scene_handles(void)
{
	tsr_ctx *ctx = the.ctx;
	tsr *odd[] = {tsr_scalar(ctx, 2.5),
	              tsr_zeros(ctx, TSR_DIMS(0, 3)),
	              tsr_ones(ctx, TSR_DIMS(3)),
	              tsr_ones(ctx, TSR_DIMS(2, 3, 4)),
	              scene_numbers(TSR_I32, TSR_DIMS(3, 3)),
	              scene_numbers(TSR_BOOL, TSR_DIMS(3, 3)),
	              scene_numbers(TSR_C64, TSR_DIMS(3, 3)),
	              tsr_key(ctx, 1),
	              scene_spread(tsr_ones(ctx, TSR_DIMS(3)), 9),
	              scene_spread(tsr_ones(ctx, TSR_DIMS(3)), 255)};

	the.nodd_x = (int)(sizeof odd / sizeof *odd);
	memcpy(the.odd_x, odd, sizeof odd);
	{
		TSR_SCOPE(ctx);
		the.stale = tsr_ones(ctx, TSR_DIMS(3));
	}
	the.x = scene_numbers(TSR_F32, TSR_DIMS(3, 3));
	the.key = tsr_key(ctx, 7);
	the.indices = tsr_arange(ctx, 3);
	the.released = tsr_jit(ctx, hand_two);
	tsr_fn_release(the.released);
	the.fn = tsr_jit(ctx, hand_neg);
}

/* for one function */
static inline void scene_open(const char *debug, size_t limit)
{
	the = (hand){.memory = the.memory};
	if (!the.memory)
		the.memory = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE,
		                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	tsr_log_to(log_nothing, NULL);
	the.dead = tsr_open(.engine = "missing", .log = log_nothing);
	the.other = tsr_open(.log = log_nothing);
	the.foreign = tsr_ones(the.other, TSR_DIMS(3, 3));
	the.ctx =
		tsr_open(.devices = 4, .log = log_nothing, .debug = debug, .memory_limit = limit);
	the.mesh = tsr_mesh_make(the.ctx, {"x", 2}, {"y", 2});
	the.sharding = tsr_sharding_make(the.mesh, TSR_P("x"));
	scene_handles();
	the.batches = tsr_batches_open(the.ctx, ((const char *[]){ROWS_PATH}), 1, 1);
	the.closed = tsr_batches_open(the.ctx, ((const char *[]){ROWS_PATH}), 1, 1);
	tsr_batches_close(the.closed);
	the.progress = tsr_progress_begin(the.ctx, 3);
	tsr_clear(the.dead);
}

static inline void scene_close(void)
{
	tsr_clear(the.other);
	tsr_clear(the.ctx);
	tsr_close(the.other);
	tsr_close(the.ctx);
}

/* has no call ended the handles, or made the next run fail? */
static inline bool scene_stands(void)
{
	tsr *const x[] = {the.x, the.key, the.indices};

	for (int i = 0; i < 3; i++)
		if (!handle_live(x[i]) || handle_is_poison(x[i])) return false;
	return true;
}

/* ---- a call */

static size_t called;

static inline void scene_draw(void)
{
	the.place = 0;
	the.used = 0;
	the.returned = 0;
	the.failed = the.quiet = false;
	calls[called].call(&the);
}

static void scene_body(tsr_frame *f)
{
	tsr *const was[] = {the.x, the.key, the.indices};

	the.frame = f;
	the.x = tsr_frame_arg(f, 0);
	the.key = tsr_frame_arg(f, 1);
	the.indices = tsr_frame_arg(f, 2);
	scene_draw();
	the.frame = NULL;
	the.x = was[0], the.key = was[1], the.indices = was[2];
	tsr_return(f, tsr_frame_arg(f, 1));
}

/* calls function k there; what it made ends again. An error stands until tsr_clear() */
static inline void scene_call(size_t k, int way)
{
	tsr_scope *scope = tsr_scope_open(the.ctx);

	called = k;
	the.name = calls[k].name;
	if (way == IN_NOTHING) {
		scene_draw();
	} else {
		static int64_t times; /* each call has another environment, so that it is traced */
		times++;
		tsr_fn *f = way == IN_MAP ? tsr_shard_map(the.mesh, scene_body, TSR_ENV(&times),
		                                          .sig = "[] [] [] -> []")
		                          : tsr_jit(the.ctx, scene_body, TSR_ENV(&times));
		tsr *y = tsr_call(f, the.x, the.key, the.indices);
		(void)y;
		tsr_fn_release(f);
	}
	tsr_scope_close(scope);
}

#endif
