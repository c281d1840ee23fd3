/* maps.c - replaces shard_map equations by their bodies.
 *
 *     pass partition
 *     f(%0: f32[4,8]) -> f32[4,8] {
 *       %1: f32[4,8] = sharding_constraint %0 mesh=(x:2,y:2) to=[[x,y]] open=[]
 *       %2: f32[4,8] = shard_map %1 mesh=(x:2,y:2) axes=(x) in=[[x]] out=[[x]]
 *             body=(%0: f32[2,8]{x}) -> f32[2,8]{x} {
 *         %1: f32[2,8]{x} = sin %0
 *         return %1
 *       }
 *       return %2
 *     }
 *     gives
 *     axes (x, y of (x:2,y:2)) f(%0: f32[2,4]{x,y}) -> f32[2,4]{x,y} {
 *       %1: f32[2,4]{x,y} = sin %0
 *       return %1
 *     }
 *
 * The map makes x manual, and leaves y to us. Its body is walked as any program is: the block
 * f32[2,8] is a whole value there, of which each device has a part along y. A layout outside is the
 * spec's axes in each dim, and behind them those of the layout inside: [x,y] of f32[4,8] is [x] of
 * the spec and [-,y] of the block. What varies over x stays so in all that is made of it. Where the
 * blocks of blocks are not blocks of the whole, since the axes do not divide a dim that the spec
 * cuts, the dim crosses the edge of the map in whole blocks.
 *
 * All devices that differ along y alone go the same way through the body, so the collectives that
 * are made in it are among those. */
#include "pass/partition/partition.h"

static int axes_of(const layout *l, int dim)
{
	int n = 0;

	for (int i = 0; i < l->n; i++) n += l->dim[i] == dim;
	return n;
}

/* A layout inside, and the same behind the spec's axes; kept: as much of it as can be cut outside.
 * block: the type inside */
static void cross(const partitioning *p, const layout *spec, const layout *inside,
                  const type *block, layout *outside, layout *kept)
{
	int64_t rest = 0;

	*outside = *spec;
	*kept = (layout){0};
	for (int i = 0, dim = -1; i < inside->n; i++) {
		const int64_t parts = p->size[inside->axis[i]].size;
		if (inside->dim[i] != dim) rest = block->dims[dim = inside->dim[i]];
		if (axes_of(spec, dim) && rest % parts) {
			rest = 1; /* nor does an axis behind it */
			continue;
		}
		rest /= parts;
		layout_cut(kept, dim, inside->axis[i]);
		layout_cut(outside, dim, inside->axis[i]);
	}
}

static bool map_inputs(partitioning *p, const eqn *e, spot *spots, spot *inner,
                       const inside *places, const int *axis_map)
{
	const shard_map_params *sm = e->params;
	const program *body = sm->body;

	for (int i = 0; i < body->nin; i++) {
		const type *t = type_of(body, body->in[i]);
		spot *from = &spots[e->in[i].id];
		layout spec, outside, kept = {0};
		var block;
		p->ask = (ask){ASK_MAP, e, i, NULL};
		if (places && layout_of(p, sm->in.v[i], from->whole, &spec)) {
			cross(p, &spec, &places->in[i]->at, t, &outside, &kept);
			if (!spot_value(p, from, &outside, &block)) return false;
		} else if (!spot_block(p, from, sm->in.v[i], &block)) {
			return false;
		}
		block = build_vary(p->b, block, axes_renumber(t->varying, axis_map), e->where);
		if (!block.id || !spot_add(p, &inner[body->in[i].id], block, &kept, NULL))
			return false;
	}
	return true;
}

static bool map_results(partitioning *p, const eqn *e, spot *spots, spot *inner,
                        const inside *places)
{
	const shard_map_params *sm = e->params;

	for (int i = 0; i < e->nout; i++) {
		spot *from = &inner[sm->body->out[i].id], *at = &spots[e->out[i].id];
		const sharding *cut = sm->out.v[i];
		layout spec, outside, kept = {0};
		var block;
		const bool ours = layout_of(p, cut, at->whole, &spec);
		if (ours)
			cross(p, &spec, places ? &places->out[i]->at : &kept, from->whole,
			      &outside, &kept);
		p->ask = (ask){ASK_MAP_RESULT, e, i, NULL};
		if (!spot_value(p, from, &kept, &block) ||
		    !spot_add(p, at, block, ours ? &outside : NULL,
		              ours || !cut->axes ? NULL : cut))
			return false;
	}
	return true;
}

bool walk_map(partitioning *p, const eqn *e, spot *spots, const inside *places)
{
	const shard_map_params *sm = e->params;
	const int outer = sm->body->naxes - sm->manual.n, *around = p->axis_map;
	const axis_set manual = p->manual;
	spot *inner = make_spots(p, sm->body);
	int axis_map[MAX_AXES];

	if (!inner) return false;
	for (int i = 0; i < outer; i++) axis_map[i] = around[i];
	for (int i = 0; i < sm->manual.n; i++)
		axis_map[outer + i] = entry_of(p, sm->mesh, (int)sm->manual.v[i]);
	if (!map_inputs(p, e, spots, inner, places, axis_map)) return false;
	p->axis_map = axis_map;
	for (int i = 0; i < sm->manual.n; i++) p->manual |= axis_bit(axis_map[outer + i]);
	const bool ok = partition_walk(p, sm->body, inner, places ? &places->program[0] : NULL) &&
	                map_results(p, e, spots, inner, places);
	p->axis_map = around;
	p->manual = manual;
	return ok;
}
