/* moves.c - decides for operands with elements that move along dims whether they come as windows,
 * and from where.
 *
 *     pass partition
 *     f(%0: f32[8]) -> f32[8], f32[1] {
 *       %1: f32[8] = shard_map %0 mesh=(x:4) axes=(x) in=[[x]] out=[[x]] body=(%0: f32[2]{x}) ->
 *             f32[2]{x} {
 *         %1: f32[2]{x} = sin %0
 *         return %1
 *       }
 *       %2: f32[1] = slice %1 start=[7] stop=[8] step=[1]
 *       %3: f32[7] = slice %1 start=[0] stop=[7] step=[1]
 *       %4: f32[8] = concatenate %2 %3 dim=0
 *       return %4 %2
 *     }
 *     gives
 *     axes (x of (x:4)) f(%0: f32[2]{x}) -> f32[2]{x}, f32[1] {
 *       %1: f32[2]{x} = sin %0
 *       %2: f32[1]{x} = slice %1 start=[1] stop=[2] step=[1]
 *       %3: f32[1]{x} = ppermute %2 axes=(x) perm=[3>0,0>1,1>2,2>3]
 *       %4: f32[1]{x} = slice %1 start=[0] stop=[1] step=[1]
 *       %5: f32[2]{x} = concatenate %3 %4 dim=0
 *       %6: f32[1]{x} = slice %1 start=[1] stop=[2] step=[1]
 *       %7: f32[1] = pbroadcast %6 axes=(x) source=3 to=invarying
 *       return %5 %7
 *     }
 *
 * The elements of %4 are those of %1, of which %2 and %3 are slices: they are taken from there, in
 * one round, and nobody makes %3. %2 is one element, which all devices want: the last one sends it
 * to all, since that is less than to gather %1.
 *
 * What is padded along dims whose elements move is taken from before it was padded, too. So both
 * neighbours are asked once, for windows of %2, and the value is put beside what they have:
 *
 *     pass partition
 *     f(%0: f32[8], %1: f32[]) -> f32[8,3] {
 *       %2: f32[8] = shard_map %0 mesh=(x:4) axes=(x) in=[[x]] out=[[x]] body=(%0: f32[2]{x}) ->
 *             f32[2]{x} {
 *         %1: f32[2]{x} = sin %0
 *         return %1
 *       }
 *       %3: f32[10] = pad %2 %1 low=[1] high=[1] interior=[0]
 *       %4: f32[8,3] = patches %3 along=[0] sizes=[3] strides=[1] dilations=[1]
 *       return %4
 *     }
 *     gives
 *     axes (x of (x:4)) f(%0: f32[2]{x}, %1: f32[]) -> f32[2,3]{x} {
 *       %2: i32[4] = iota dtype=i32 dims=[4] dim=0
 *       %3: i32[4]{x} = pcast %2 axes=(x)
 *       %4: i32[]{x} = axis_index axes=(x)
 *       %5: i32[]{x} = mul %4 2:i32
 *       %6: i32[4]{x} = broadcast_in_dim %5 dims=[4] at=[]
 *       %7: i32[4]{x} = add %3 %6
 *       %8: bool[4]{x} = lt %7 1:i32
 *       %9: bool[4]{x} = lt %7 9:i32
 *       %10: f32[4] = broadcast_in_dim %1 dims=[4] at=[]
 *       %11: f32[4]{x} = pcast %10 axes=(x)
 *       %12: f32[2]{x} = sin %0
 *       %13: f32[1]{x} = slice %12 start=[1] stop=[2] step=[1]
 *       %14: f32[1]{x} = ppermute %13 axes=(x) perm=[0>1,1>2,2>3]
 *       %15: f32[1]{x} = slice %12 start=[0] stop=[1] step=[1]
 *       %16: f32[1]{x} = ppermute %15 axes=(x) perm=[1>0,2>1,3>2]
 *       %17: f32[4]{x} = concatenate %14 %12 %16 dim=0
 *       %18: f32[4]{x} = select_n %9 %11 %17
 *       %19: f32[4]{x} = select_n %8 %18 %11
 *       %20: f32[2,3]{x} = patches %19 along=[0] sizes=[3] strides=[1] dilations=[1]
 *       return %20
 *     } */
#include "pass/partition/partition.h"

ints axis_ints(partitioning *p, const axis_list *l)
{
	int64_t *v = arena_array(p->scratch, (size_t)l->n + 1, sizeof *v);

	for (int i = 0; v && i < l->n; i++) v[i] = l->axis[i];
	return (ints){l->n, v};
}

/* Moves of one value along one dim are taken at once: from move i on, their windows; `which` gets
 * their numbers. One variable may be two values: cut in two, concat(x, x) has x on each device, so
 * the block of the one is the whole of the other, and only one of them comes in blocks */
static int moves_like(const blocks *k, int i, const var *x, const window **w, int *which)
{
	const move *m = &k->move[i];
	int n = 0;

	for (int j = i; j < k->nmoves; j++) {
		const move *o = &k->move[j];
		if (o->factor != m->factor || o->dim != m->dim || o->cut != m->cut ||
		    o->shared.n || x[o->operand].id != x[m->operand].id)
			continue;
		which[n] = j;
		w[n++] = &o->w;
	}
	return n;
}

/* the axes that cut an operand along a factor, as far as they cut nothing else */
static axis_list axes_at(const blocks *k, int operand, int factor)
{
	axis_list has = {0};

	if (k->at[operand]) factor_axes(&k->c, operand, k->at[operand], factor, &has);
	for (int f = 0; f < k->c.f.n; f++)
		for (int i = 0; f != factor && i < k->by_factor[f].n; i++)
			for (int j = 0; j < has.n; j++)
				if (has.axis[j] == k->by_factor[f].axis[i]) has.n = j;
	return has;
}

/* the bytes of what a device has, in a slot's operand, of each index of the slot's dim */
static double row_bytes(const partitioning *p, const blocks *k, int operand, int dim)
{
	const type *t = k->type[operand];
	const layout l = factors_layout(&k->c, operand, k->by_factor);
	double bytes = (double)tsr_dtype_size(t->dtype);

	for (int d = 0; d < t->ndim; d++)
		if (d != dim) bytes *= (double)layout_block(&l, p->size, t->dims, d);
	return bytes;
}

/* does every device have all of a dim already? */
static bool lies_whole(const spot *s, int dim)
{
	for (const form *f = s->form; f; f = f->next) {
		bool cut = f->cut;
		for (int i = 0; i < f->at.n; i++) cut = cut || f->at.dim[i] == dim;
		if (!cut) return true;
	}
	return false;
}

static bool add_move(partitioning *p, blocks *k, const spot *spots, int slot)
{
	const factors *f = &k->c.f;
	const int factor = f->slot[slot].factor, operand = f->slot[slot].value;
	const int64_t parts = axes_parts(&k->c, &k->by_factor[factor]);
	const int64_t block = (f->size[factor] + parts - 1) / parts;
	axis_list at = axes_at(k, operand, factor);
	move *m = &k->move[k->nmoves++];

	*m = (move){.operand = operand, .dim = f->slot[slot].dim, .factor = factor};
	if (!window_make(p, &k->c, slot, parts, block, &m->w)) return false;
	if (lies_whole(&spots[k->origin[operand].id], m->dim)) at.n = 0;
	m->cut = k->by_factor[factor].n && at.n;
	axis_level level = LEVEL_MEMORY;
	for (int i = 0; i < at.n; i++)
		if (p->size[at.axis[i]].level > level) level = p->size[at.axis[i]].level;
	if (!k->by_factor[factor].n && at.n &&
	    window_shared_pays(&m->w, axes_parts(&k->c, &at), row_bytes(p, k, operand, m->dim),
	                       level))
		m->shared = at;
	return true;
}

/* Elements move along a factor that is cut, or that is whole where an operand is not, of which few
 * are needed */
static bool moves_along(partitioning *p, blocks *k, const spot *spots, int factor)
{
	const factors *f = &k->c.f;
	const int before = k->nmoves;
	bool any = k->by_factor[factor].n;

	for (int i = 0; i < f->nslots; i++)
		if (f->slot[i].factor == factor && f->slot[i].value < k->c.e->nin &&
		    !add_move(p, k, spots, i))
			return false;
	for (int i = before; i < k->nmoves; i++) any = any || k->move[i].shared.n;
	if (!any) k->nmoves = before;
	return true;
}

bool find_moves(partitioning *p, blocks *k, const spot *spots)
{
	const size_t n = (size_t)k->c.f.nslots + 1;
	const window **w = arena_array(p->scratch, n, sizeof *w);
	int *which = arena_array(p->scratch, n, sizeof *which);
	bool *done = arena_array(p->scratch, n, sizeof *done);

	k->move = arena_array(p->scratch, n, sizeof *k->move);
	k->nmoves = 0;
	if (!w || !which || !done || !k->move) return false;
	for (int f = 0; f < k->c.f.n; f++)
		if (k->c.f.kind[f] == FACTOR_PERMUTE && !moves_along(p, k, spots, f)) return false;
	for (int i = 0; i < k->nmoves; i++) {
		const int like = moves_like(k, i, k->origin, w, which);
		bool pay;
		if (!k->move[i].cut || done[i]) continue;
		if (!windows_pay(p, w, like, &pay)) return false;
		for (int j = 0; j < like; j++) {
			k->move[which[j]].cut = pay;
			done[which[j]] = true;
		}
	}
	return true;
}

/* as its factors are cut, but for dims that are wanted whole */
layout operand_layout(const blocks *k, int operand)
{
	layout l = factors_layout(&k->c, operand, k->by_factor);

	for (int i = 0; i < k->nmoves; i++) {
		const move *m = &k->move[i];
		if (m->operand != operand) continue;
		if (!m->cut) layout_uncut(&l, m->dim);
		for (int a = 0; a < m->shared.n; a++) layout_cut(&l, m->dim, m->shared.axis[a]);
	}
	return l;
}

var operand_read(const blocks *k, int operand)
{
	for (int i = 0; i < k->nmoves; i++)
		if (k->move[i].operand == operand) return k->origin[operand];
	return k->c.e->in[operand];
}

bool take_windows(partitioning *p, blocks *k, var *x)
{
	const size_t n = (size_t)k->nmoves + 1;
	const window **w = arena_array(p->scratch, n, sizeof *w);
	int *which = arena_array(p->scratch, n, sizeof *which);
	bool *done = arena_array(p->scratch, n, sizeof *done);
	var *to = arena_array(p->scratch, n, sizeof *to), part;

	if (!w || !which || !done || !to) return false;
	for (int i = 0; i < k->nmoves; i++) {
		const move *m = &k->move[i];
		const ints axes = axis_ints(p, &k->by_factor[m->factor]);
		if (done[i]) continue;
		if (m->shared.n) {
			const ints from = axis_ints(p, &m->shared);
			if (!from.v ||
			    !window_share(p, x[m->operand], m->dim, &from, &m->w, &x[m->operand]))
				return false;
			continue;
		}
		const int taken = moves_like(k, i, x, w, which);
		if (!axes.v || !block_start(p, &axes, 1, k->index, &part) ||
		    !windows_take(p, x[m->operand], m->dim, &axes, part, m->cut, w, taken, to))
			return false;
		for (int j = 0; j < taken; j++) {
			x[k->move[which[j]].operand] = to[j];
			done[which[j]] = true;
		}
	}
	return true;
}
