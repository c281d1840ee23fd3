/* mesh_use.c - keeps the mesh in use, for calls that give NULL where a mesh is wanted.
 *
 * Example, of two meshes:
 *
 *     {
 *             TSR_MESH(a);
 *             {
 *                     TSR_MESH(b);
 *                     first = tsr_sharding_make(NULL, TSR_P("x"));
 *             }
 *             second = tsr_sharding_make(NULL, TSR_P("x"));
 *     }
 *
 * Each block remembers what was in use before it and puts that back. So a block that was left by
 * longjmp() is made good by the one around it, or by the end of the trace or of the callback that
 * it was in. While the body of a tsr_shard_map() is traced, its mesh is in use.
 *
 *     first: b, second: a
 *
 * Each context has a mesh in use of its own. A call that names no context means the block that
 * began last of those in the contexts of its thread. */
#include "runtime/runtime.h"

/* a number that grows with each beginning, by which blocks of several contexts are compared */
static int64_t next_since(void)
{
	static _Atomic int64_t last;

	return atomic_fetch_add(&last, 1) + 1;
}

void mesh_put_in_use(tsr_ctx *ctx, const mesh *m)
{
	ctx->in_use.mesh = m;
	ctx->in_use.since = next_since();
}

const mesh *mesh_meant(tsr_ctx *ctx, const tsr_mesh *given)
{
	if (given) return given;
	if (!ctx) ctx = ctx_using_mesh();
	return ctx ? ctx->in_use.mesh : NULL;
}

const mesh *mesh_found(const char *where, const char *op, tsr_ctx *ctx, const tsr_mesh *given)
{
	const mesh *m = mesh_meant(ctx, given);

	if (m) return mesh_ok(where, op, m) ? m : NULL;
	fail(&ctx_or_here(ctx)->base, where, TSR_ERROR_ARGUMENT,
	     "%s: the mesh is NULL, and none is in use: name one, or declare TSR_MESH(mesh) in a "
	     "block around the call",
	     op);
	return NULL;
}

/* What could not be put in use is poison, so that NULL does not mean the mesh of a block around */
tsr_mesh_use tsr_mesh_begin_at(const char *where, const tsr_mesh *m)
{
	TURN_OF(tsr_mesh_ctx(m), where, (tsr_mesh_use){0});
	const bool ok = mesh_ok(where, "TSR_MESH", m);
	tsr_ctx *ctx = m ? m->ctx : ctx_here();

	if (!ctx_alive(ctx)) return (tsr_mesh_use){0};
	const mesh_in_use before = ctx->in_use;
	ctx->in_use.blocks++;
	mesh_put_in_use(ctx, ok ? m : &ctx->poison_mesh);
	return (tsr_mesh_use){ctx, before.mesh, before.since, before.blocks};
}

static void put_back(const tsr_mesh_use *use)
{
	TURN_OF(use->ctx, NULL, );
	use->ctx->in_use = (mesh_in_use){use->before, use->since, use->blocks};
}

void tsr_mesh_end(tsr_mesh_use *use)
{
	if (!use || !use->ctx) return;
	tsr_ctx *ctx = use->ctx;
	put_back(use);
	*use = (tsr_mesh_use){0};
	ctx_block_ended(ctx);
}
