/* pmap.c - traces a body on the share of one device, as a map over devices.
 *
 * The call of a tsr_pmap is a shard_map equation, unchecked, over a mesh of one axis. Its body
 * takes blocks with a dim of size 1 where the mapped one is, drops it, and gives it back to the
 * results.
 *
 * Example:
 *
 *     tsr_fn_text(tsr_pmap(ctx, tsr_sin, .axis = "i"), x)
 *
 * For four elements:
 *
 *     tsr_sin(%0: f32[4]) -> f32[4] {
 *       %1: f32[4] = shard_map %0 mesh=(i:4) axes=(i) in=[[i]] out=[[i]] unchecked=true
 *         body=tsr_sin(%0: f32[1]{i}) -> f32[1]{i} {
 *         %1: f32[]{i} = reshape %0 dims=[]
 *         %2: f32[]{i} = sin %1
 *         %3: f32[1]{i} = reshape %2 dims=[1]
 *         return %3
 *       }
 *       return %1
 *     }
 *
 * While the body is traced the mesh is an open one: only when the outermost tsr_pmap is done is it
 * known how many devices those inside it want (pmap_nest.c). */
#include "trace/trace.h"


static bool fail_call(const mapping *m, const char *problem)
{
	return fail(&m->g->fn->ctx->base, m->g->where, TSR_ERROR_SHARDING, "pmap of '%s' %s",
	            m->g->fn->name, problem);
}

bool in_pmap(const axis *axes, int naxes)
{
	for (int i = naxes - 1; i >= 0; i--)
		if (axes[i].kind == AXIS_MESH) return mesh_is_open(axes[i].mesh);
	return false;
}

static bool in_map(const axis *axes, int naxes)
{
	for (int i = 0; i < naxes; i++)
		if (axes[i].kind == AXIS_MESH) return true;
	return false;
}

static bool check_scope(const mapping *m)
{
	const tracing *g = m->g;

	if (in_map(g->axes, g->naxes) && !in_pmap(g->axes, g->naxes))
		return fail_call(m, "is called inside tsr_shard_map, whose mesh has the devices "
		                    "already: map over other axes of that mesh with "
		                    "tsr_shard_map, or use tsr_vmap");
	if (in_pmap(g->axes, g->naxes) && g->fn->mapped.device)
		return fail_call(m, "is called inside another tsr_pmap, so it cannot have "
		                    ".devices: give them to the outermost one");
	if (!m->size)
		return fail_call(m, "maps a dim of size 0, for which there is no mesh; use "
		                    "tsr_vmap");
	return g->naxes < MAX_AXES ||
	       fail_call(m, "is called where 64 axes are in scope already");
}

static const mesh *open_mesh(const mapping *m)
{
	const fn *fn = m->g->fn;
	const tsr_axis axis = {fn->mapped.axis ? fn->mapped.axis : UNNAMED, m->size};

	return mesh_open(&fn->ctx->shards, m->g->where, &axis);
}

/* types of the leaves as the body sees them: all vary */
static bool vary_leaves(mapping *m)
{
	for (int i = 0; i < m->g->args->n; i++) {
		const type *t = m->types[i];
		if (t && !(m->types[i] = type_vary(&m->g->fn->ctx->ir, t,
		                                   t->varying | axis_bit(m->g->naxes))))
			return false;
	}
	return true;
}

static bool trace_one(mapping *m, const mesh *over, traced *t)
{
	const tracing *g = m->g;
	axis *axes = arena_array(g->scratch, (size_t)g->naxes + 1, sizeof *axes);
	tracing one = *g;

	if (!axes || !vary_leaves(m)) return false;
	for (int i = 0; i < g->naxes; i++) axes[i] = g->axes[i];
	axes[g->naxes] =
		(axis){over->axis[0].name, m->size, AXIS_MESH, over, 0, NULL};
	one.types = m->types;
	one.axes = axes;
	one.naxes = g->naxes + 1;
	return trace_body(&one, t);
}

/* ---- the map */

/* with a dim of size 1 more, at `at` */
static var expanded(build *b, var v, int at)
{
	const type *t = build_type(b, v);
	int64_t *dims = arena_array(build_arena(b), (size_t)t->ndim + 1, sizeof *dims);

	if (!dims) return (var){0};
	for (int d = 0; d <= t->ndim; d++) dims[d] = d == at ? 1 : t->dims[d - (d > at)];
	return emit_reshape(b, v, dims, t->ndim + 1);
}

static const type *block_type(const mapping *m, const program *p, int leaf, const type *one)
{
	const type *whole = m->g->types[leaf];
	int64_t *dims = arena_array(m->g->scratch, (size_t)whole->ndim + 1, sizeof *dims);

	if (!dims || m->at[leaf] < 0) return one;
	for (int d = 0; d < whole->ndim; d++) dims[d] = d == m->at[leaf] ? 1 : whole->dims[d];
	return type_shaped(p->ir, one, dims, whole->ndim, one->varying);
}

/* the inputs of the map's body: blocks of the leaves, then what is the same for all; x: as the
 * body of one device takes them. false: no memory */
static bool take_blocks(const mapping *m, build *b, const program *p, var *x)
{
	int n = 0;

	for (int i = 0; i < m->g->args->n; i++) {
		if (!m->g->types[i]) continue;
		const type *one = type_of(p, p->in[n]), *block = block_type(m, p, i, one);
		if (!block || !(x[n] = build_input(b, block)).id) return false;
		if (m->at[i] >= 0) x[n] = emit_reshape(b, x[n], one->dims, one->ndim);
		n++;
	}
	for (; n < p->nin; n++)
		if (!(x[n] = build_input(b, type_of(p, p->in[n]))).id) return false;
	return !build_failed(b);
}

/* p, the program of one device, on blocks; at: of each result its mapped dim */
static program *on_blocks(const mapping *m, const program *p, const int *at)
{
	build *b = build_begin(p->ir, p->name, p->axes, p->naxes);
	var *x = b ? arena_array(build_arena(b), (size_t)(p->nin + p->nout) + 1, sizeof *x) : NULL;
	var *y = x ? x + p->nin : NULL;

	if (y && take_blocks(m, b, p, x) && build_inline(b, p, x, y, NULL)) {
		build_at(b, m->g->where);
		for (int k = 0; k < p->nout; k++)
			y[k] = at[k] < 0 ? emit_equal(b, y[k],
			                              build_type(b, y[k])->varying &
			                                      axis_bit(m->g->naxes))
			                 : expanded(b, y[k], at[k]);
		if (!build_failed(b)) return build_end(b, y, p->nout);
	}
	build_abandon(b);
	return NULL;
}

/* the only axis of the mesh splits this dim; -1: none */
static const sharding *split_at(const mapping *m, const mesh *over, int dim)
{
	shards *all = &m->g->fn->ctx->shards;
	spec_room room = {.ndim = dim + 1};

	if (dim < 0) return sharding_replicated_on(all, over);
	room.start[dim + 1] = 1;
	return sharding_of_room(all, over, &room);
}

static bool map_params(const mapping *m, const mesh *over, const program *body, const int *at,
                       shard_map_params *to)
{
	arena *a = m->g->scratch;
	const sharding **in = arena_array(a, (size_t)body->nin + 1, sizeof *in);
	const sharding **out = arena_array(a, (size_t)body->nout + 1, sizeof *out);
	int n = 0;

	if (!in || !out) return false;
	for (int i = 0; i < m->g->args->n; i++)
		if (m->g->types[i] && !(in[n++] = split_at(m, over, m->at[i]))) return false;
	for (; n < body->nin; n++)
		if (!(in[n] = split_at(m, over, -1))) return false;
	for (int k = 0; k < body->nout; k++)
		if (!(out[k] = split_at(m, over, at[k]))) return false;
	static const int64_t only[] = {0};
	*to = (shard_map_params){over,  {1, only}, {n, in}, {body->nout, out}, true, body};
	return true;
}

/* the map over an open mesh, or, of the outermost one, over its mesh. NULL: recorded */
static program *finish(const mapping *m, const program *open, traced *t, shard_map_params *map)
{
	const struct inner_pmap own = {*map->mesh->axis, m->g->where};
	inner_pmaps all;

	if (!nest_copy(t->arena, &own, &t->pmaps, &all)) return NULL;
	const bool inside = in_pmap(m->g->axes, m->g->naxes);
	t->pmaps = inside ? all : (inner_pmaps){0};
	return inside ? retained(open) : nest_bind(m->g, &all, map);
}

bool trace_pmap(const tracing *g, traced *t)
{
	mapping m = {.g = g, .op = "pmap"};
	shard_map_params map;

	if (!mapped_args(&m) || !check_scope(&m)) return false;
	const mesh *over = open_mesh(&m);
	if (!over || !trace_one(&m, over, t)) return false;
	int *at = arena_array(g->scratch, (size_t)t->program->nout + 1, sizeof *at);
	if (!at || !mapped_results(&m, t, t->program, at)) return false;
	program *open = on_blocks(&m, t->program, at), *body = NULL;
	if (open && map_params(&m, over, open, at, &map)) body = finish(&m, open, t, &map);
	program_release(open);
	if (!body) return false;
	program_release(t->program);
	t->program = body;
	map.body = body;
	return (t->map = params_copy(t->arena, tsr__prim_shard_map.params, &map, NULL));
}
