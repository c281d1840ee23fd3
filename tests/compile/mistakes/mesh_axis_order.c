/* mesh_axis_order.c - size before name */
#include <tsr/tsr.h>

tsr_mesh *use(tsr_ctx *ctx);
tsr_mesh *use(tsr_ctx *ctx)
{
#ifdef MISTAKE
	return tsr_mesh_make(ctx, {4, "x"});
#else
	return tsr_mesh_make(ctx, {"x", 4});
#endif
}
