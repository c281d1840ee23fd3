/* mesh_context.c - a context where a mesh belongs */
#include <tsr/tsr.h>

tsr_fn *use(tsr_ctx *ctx, tsr_mesh *mesh);
tsr_fn *use(tsr_ctx *ctx, tsr_mesh *mesh)
{
#ifdef MISTAKE
	return mesh ? tsr_shard_map(ctx, tsr_exp, .sig = "[] -> []") : NULL;
#else
	return ctx ? tsr_shard_map(mesh, tsr_exp, .sig = "[] -> []") : NULL;
#endif
}
