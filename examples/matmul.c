/* matmul.c - a matrix product spread over a 4x2 grid of devices: blocks in, one psum, blocks out.
 */
#include <tsr/tsr.h>
#define P TSR_P
#define D TSR_DIMS

static tsr *matmul(tsr *a, tsr *b) /* a: f32[2,8]  b: f32[8,4] */
{
	return tsr_psum(tsr_dot(a, b), "y"); /* f32[2,4] */
}

int main(void)
{
	tsr_ctx *ctx = tsr_open(.devices = 8);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr *a = tsr_reshape(tsr_arange(ctx, 8 * 16, .dtype = TSR_F32), D(8, 16));
	tsr *b = tsr_reshape(tsr_arange(ctx, 16 * 4, .dtype = TSR_F32), D(16, 4));

	tsr_fn *manual = tsr_shard_map(mesh, matmul, .in = TSR_SPECS(P("x", "y"), P("y", NULL)),
	                               .out = TSR_SPECS(P("x", NULL)));
	tsr *c = tsr_call(manual, a, b);

	tsr_show_sharding(c);
	tsr_printf(ctx, "allclose: %d\n\n",
	           tsr_allclose(tsr_dot(a, b), tsr_gather_whole(c), 1e-2, 1e-2));
	tsr_printf(ctx, "%s", tsr_fn_text(manual, a, b));
	return tsr_close(ctx);
}
