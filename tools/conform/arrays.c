/* arrays.c - the engine under the library: arrays that are put, cut, moved and read, operations,
 * and a function that is jitted. */
#include <string.h>
#include "conform.h"

static tsr *smooth(tsr *x) { return tsr_tanh(tsr_add(tsr_mul(x, 2.0f), 1)); }

static void check_text(trial *t, const char *what, const tsr *x, const char *want)
{
	check(t, strcmp(tsr_text(x), want) == 0, "%s: %s, not %s", what, tsr_text(x), want);
}

static int released;
static void count_release(void *user, void *data) { (void)user, (void)data, released++; }

/* 7 rows on 4 devices: the last block is short */
static void shards(trial *t, tsr_ctx *ctx)
{
	float back[21] = {0};
	const tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4});
	tsr *x = tsr_reshape(tsr_arange(ctx, 21, .dtype = TSR_F32), TSR_DIMS(7, 3));
	tsr *rows = tsr_put(x, mesh, TSR_P("x")), *columns = tsr_put(rows, mesh, TSR_P(NULL, "x"));

	check(t, tsr_read(columns, back, sizeof back), "%s", tsr_message(ctx));
	for (int i = 0; i < 21; i++) check(t, back[i] == (float)i, "element %d is moved", i);
	check(t, tsr_item(tsr_sum(columns)) == 210, "the sum of an array on four devices");
	check_text(t, "a shard", tsr_shard_data(rows, 3), "[[18. 19. 20.]]");
	check_text(t, "a slice", tsr_slice(tsr_slice(rows, 0, 1, 3), 1, 0, 2),
	           "[[3. 4.]\n [6. 7.]]");
}

static void wrapped(trial *t, tsr_ctx *ctx)
{
	static const float data[6] = {1, 2, 3, 4, 5, 6};

	released = 0;
	tsr_scope *scope = tsr_scope_open(ctx);
	tsr *x = tsr_wrap(ctx, data, TSR_F32, TSR_DIMS(3), .strides = TSR_DIMS(8),
	                  .release = count_release);
	check_text(t, "a wrapped array with gaps", x, "[1. 3. 5.]");
	check_text(t, "its double", tsr_add(x, x), "[ 2.  6. 10.]");
	tsr_scope_close(scope);
	check(t, released == 1, "a wrapped array was released %d times", released);
}

static void jitted(trial *t, tsr_ctx *ctx)
{
	tsr_fn *f = tsr_jit(ctx, smooth);
	tsr *x = tsr_arange(ctx, 5, .dtype = TSR_F32), *eager = smooth(x);

	for (int i = 0; i < 10; i++)
		check(t, tsr_item_int(tsr_all(tsr_eq(tsr_call(f, x), eager))) == 1,
		      "call %d of a jitted function", i);
}

void conform_arrays(trial *t)
{
	for (int memories = 1; memories <= 4; memories *= 2) {
		tsr_ctx *ctx = trial_open(t, NULL, 4, memories);
		if (!ctx) continue;
		shards(t, ctx);
		wrapped(t, ctx);
		jitted(t, ctx);
		trial_close(t, ctx, TSR_OK);
	}
}
