/* automatic.c - puts arrays on a mesh, lets plain code compute where they are, and asks for the
 * exchanges and the time. */
#include <tsr/tsr.h>
#define P TSR_P
#define D TSR_DIMS

/* rows of a batch through two layers */
static tsr *predict(tsr *x, tsr *w1, tsr *w2)
{
	tsr *hidden = tsr_relu(tsr_dot(x, w1));
	return tsr_dot(hidden, w2);
}

/* the result is to be in parts along both axes, so that its sum is scattered over "model" */
static tsr *predict_split(tsr *x, tsr *w1, tsr *w2)
{
	return tsr_constrain(predict(x, w1, w2), NULL, P("data", "model"));
}

int main(void)
{
	tsr_ctx *ctx = tsr_open(.devices = 8);
	TSR_MESH(tsr_mesh_make(ctx, {"data", 4}, {"model", 2}));
	tsr *key[3];

	tsr_split_key(tsr_key(ctx, 0), key, 3);
	tsr *x = tsr_put(tsr_normal(key[0], D(256, 64)), NULL, P("data", NULL));
	tsr *w1 = tsr_put(tsr_normal(key[1], D(64, 128)), NULL, P(NULL, "model"));
	tsr *w2 = tsr_put(tsr_normal(key[2], D(128, 64)), NULL, P("model", NULL));

	tsr_fn *f = tsr_jit(ctx, predict), *split = tsr_jit(ctx, predict_split);
	tsr *y = tsr_call(f, x, w1, w2);
	tsr_show_sharding(y);
	tsr_show_sharding(tsr_call(split, x, w1, w2));

	/* what each device receives, why, and what would remove it */
	tsr_explain(f, x, w1, w2);

	/* the same as conditions of a test: a false one is an error, with the report */
	tsr_expect_collectives("psum=1 all_gather=0 bytes<=65536", f, x, w1, w2);
	tsr_expect_collectives("psum=0 psum_scatter=1", split, x, w1, w2);

	/* the first call traces and compiles; the time is that of further ones */
	const tsr_timing timing = tsr_time(7, 20, f, x, w1, w2);
	tsr_printf(ctx, "%s\n", tsr_timing_text(ctx, timing));
	tsr_printf(ctx, "traced %d time, of %d calls\n", (int)tsr_fn_stats(f).traces,
	           (int)tsr_fn_stats(f).calls);
	return tsr_close(ctx);
}
