/* nest.c - makes the loops of a kernel: it merges neighbouring dims that no address tells apart
 * into one loop, here called a walk, and cuts the first walk into items for workers to share.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f32[40,50], %1: f32[40,50]) -> f32[40,50] {
 *       %2: f32[40,50] = add %0 %1
 *       return %2
 *     }
 *
 * takes elements in the order of memory, whatever their dims are, and 1024 of them are an item:
 *
 *     for i1 < 2000, 8 lanes
 *     2 items
 *     load ..: in0 at i1
 *     load ..: in1 at i1
 *     store out0 at i1
 */
#include <string.h>
#include "engine/cpu/native/nest.h"

int64_t count_steps(const walks *w)
{
	int64_t steps = 1;

	for (int i = 0; i < w->n; i++)
		if (__builtin_mul_overflow(steps, w->walk[i].extent, &steps)) return INT64_MAX;
	return steps;
}

/* ---- sizes */

int region_size(const nest *s, int32_t region)
{
	const kregion *r = &s->k->regions[region];
	int size = 0;

	for (int32_t i = 0; i < r->nnodes; i++) {
		const knode *n = &s->k->nodes[r->nodes[i].id];
		if (!s->needed[r->nodes[i].id]) continue;
		size++;
		if (n->op == K_CALL) size += TUNE_CALL_NODES;
		if (n->op == K_IF)
			size += region_size(s, n->inner[0]) + region_size(s, n->inner[1]);
		if (n->op == K_REDUCE) size += 2 * TUNE_CALL_NODES + region_size(s, n->inner[0]);
	}
	return size;
}

/* ---- merging */

static bool tells_apart(const address *a, kvar outer, kvar inner, int64_t extent)
{
	return (uint64_t)address_times(a, outer) !=
	       (uint64_t)address_times(a, inner) * (uint64_t)extent;
}

/* does everything that is computed depend on outer * extent + inner alone? */
static bool walks_as_one(const nest *s, kvar outer, const walk *inner)
{
	if (s->needed[outer.id] || s->needed[inner->index.id] || !inner->extent) return false;
	for (int32_t id = 1; id < s->k->nnodes; id++)
		if (tells_apart(&s->load[id], outer, inner->index, inner->extent)) return false;
	for (int32_t i = 0; i < s->k->nresults; i++)
		if (tells_apart(&s->store[i], outer, inner->index, inner->extent)) return false;
	return true;
}

bool walk_in_order(const nest *s, const walk *w)
{
	const int32_t region = s->k->nodes[w->index.id].region;

	return s->k->held >= 0 && region > s->k->ordered && region <= s->k->ordered_end;
}

/* walk at and the one around it */
static bool merge(nest *s, walks *w, int at)
{
	walk *outer = &w->walk[at - 1], *inner = &w->walk[at];
	int64_t extent;

	if (walk_in_order(s, outer) != walk_in_order(s, inner)) return false;
	if (!outer->extent || __builtin_mul_overflow(outer->extent, inner->extent, &extent) ||
	    !walks_as_one(s, outer->index, inner))
		return false;
	for (int32_t id = 1; id < s->k->nnodes; id++) address_drop(&s->load[id], outer->index);
	for (int32_t i = 0; i < s->k->nresults; i++) address_drop(&s->store[i], outer->index);
	*outer = (walk){inner->index, extent};
	memmove(inner, inner + 1, (size_t)(w->n - at - 1) * sizeof *inner);
	w->n--;
	return true;
}

static bool reductions_find(nest *s)
{
	const kernel *k = s->k;

	for (int32_t r = 0; r < k->nregions; r++) {
		const kregion *region = &k->regions[r];
		walks *w = &s->reductions[r];
		if (region->kind != KREGION_REDUCE) continue;
		w->walk = pool_take(s->pool, (size_t)region->ndim + 1, sizeof *w->walk);
		if (!w->walk) return false;
		for (int d = 0; d < region->ndim; d++)
			if (region->extents[d] != 1)
				w->walk[w->n++] = (walk){region->index[d], region->extents[d]};
		for (int i = w->n - 1; i > 0; i--) merge(s, w, i);
	}
	return true;
}

/* ---- loops of the results */

bool level_is_empty(const nest *s, const level *l)
{
	for (int32_t i = 0; i < s->k->nresults; i++) {
		const int loops = s->k->results[i].loops;
		if (loops >= l->first && loops < l->end) return false;
	}
	for (int32_t r = l->first; r < l->end; r++)
		for (int32_t i = 0; i < s->k->regions[r].nnodes; i++)
			if (s->needed[s->k->regions[r].nodes[i].id]) return false;
	return true;
}

/* of a window: are the walks before this one its rows? They stay apart from its columns */
static bool begins_row(const nest *s, const walks *w, int at)
{
	const walks outer = {at, w->walk};

	return s->window.rows && count_steps(&outer) == s->window.rows;
}

static bool loops_find(nest *s)
{
	const kernel *k = s->k;
	walks *w = &s->loops;

	w->walk = pool_take(s->pool, (size_t)k->ndim + 1, sizeof *w->walk);
	s->level = pool_take(s->pool, (size_t)k->ndim + 1, sizeof *s->level);
	if (!w->walk || !s->level) return false;
	s->level[0].end = 1;
	for (int32_t r = 1; r <= k->ndim; r++) {
		const kregion *region = &k->regions[r];
		if (region->extents[0] != 1) {
			w->walk[w->n++] = (walk){region->index[0], region->extents[0]};
			s->level[w->n].first = r;
		}
		s->level[w->n].end = r + 1;
	}
	for (int i = w->n - 1; i > 0; i--) {
		if (begins_row(s, w, i)) continue;
		if (!level_is_empty(s, &s->level[i]) || !merge(s, w, i)) continue;
		memmove(&s->level[i], &s->level[i + 1], (size_t)(w->n + 1 - i) * sizeof *s->level);
	}
	return true;
}

/* ---- items */

bool level_reduces(const nest *s, const level *l)
{
	for (int32_t r = l->first; r < l->end; r++)
		for (int32_t i = 0; i < s->k->regions[r].nnodes; i++)
			if (s->k->nodes[s->k->regions[r].nodes[i].id].op == K_REDUCE) return true;
	return false;
}

static bool has_result(const nest *s, const level *l)
{
	for (int32_t i = 0; i < s->k->nresults; i++)
		if (s->k->results[i].loops < l->end) return true;
	return false;
}

static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

/* how many elements one step of the first loop reads or makes, at least */
static int64_t work_of_step(const nest *s)
{
	const walks inner = {s->loops.n - 1, s->loops.walk + 1};
	int64_t work = most(count_steps(&inner), 1);

	for (int32_t r = 0; r < s->k->nregions; r++)
		if (s->reductions[r].n) work = most(work, count_steps(&s->reductions[r]));
	return work;
}

static void items_choose(nest *s)
{
	const int64_t extent = s->loops.n ? s->loops.walk[0].extent : 1;

	s->item = extent;
	s->items = s->k->nresults && (extent || has_result(s, &s->level[0]));
	if (!s->items || !extent || !s->loops.n || has_result(s, &s->level[0]) ||
	    level_reduces(s, &s->level[0]) || walk_in_order(s, &s->loops.walk[0]))
		return;
	s->item = s->window.rows ? 1 : most(1, TUNE_ITEM_ELEMENTS / work_of_step(s));
	const int64_t lanes = lanes_of_item(s);
	if (s->vector == 0 || s->ntiled) s->item = (s->item + lanes - 1) / lanes * lanes;
	if (s->jam == 0) s->item = (s->item + s->copies - 1) / s->copies * s->copies;
	s->items = (extent - 1) / s->item + 1;
}

/* ---- what an item touches */

/* a walk's index may represent the dims that were merged into it */
static int64_t extent_of(const nest *s, kvar index)
{
	for (int i = 0; i < s->loops.n; i++)
		if (s->loops.walk[i].index.id == index.id) return s->loops.walk[i].extent;
	for (int32_t r = 0; r < s->k->nregions; r++)
		for (int i = 0; i < s->reductions[r].n; i++)
			if (s->reductions[r].walk[i].index.id == index.id)
				return s->reductions[r].walk[i].extent;
	return 0;
}

/* does step i of the first walk touch only elements i * run .. (i + 1) * run - 1? */
static bool stays_in_run(const nest *s, const address *a, int64_t run)
{
	const kvar first = s->loops.walk[0].index;
	int64_t low = a->constant, high = a->constant;

	for (int i = 0; i < a->n; i++) {
		const term *t = &a->term[i];
		const knode *n = &s->k->nodes[t->atom.id];
		const int64_t extent = extent_of(s, t->atom);
		int64_t least, most;
		if (t->atom.id == first.id) continue;
		if (__builtin_mul_overflow(t->times, extent ? 0 : n->low, &least) ||
		    __builtin_mul_overflow(t->times, extent ? extent - 1 : n->high, &most) ||
		    __builtin_add_overflow(low, least < most ? least : most, &low) ||
		    __builtin_add_overflow(high, least < most ? most : least, &high))
			return false;
	}
	return address_times(a, first) == run && low >= 0 && high < run;
}

static bool is_cut(const nest *s, const address *a, const type *t)
{
	const int64_t steps = s->loops.walk[0].extent;

	return t->size % steps == 0 && stays_in_run(s, a, t->size / steps);
}

/* Example: of a product of f32[64,64] by itself, as a kernel, each item computes some rows: the
 * result is cut, and the operand, of which all items read everything, is not */
static void cut_find(nest *s)
{
	const program *p = s->k->program;
	const int results = p->nin + (s->k->nliterals > 0);
	uint64_t whole = s->k->nliterals ? UINT64_C(1) << (p->nin & 63) : 0;

	if (s->items < 2 || s->loops.walk[0].extent % s->item || p->nin >= 63) return;
	for (int32_t id = 1; id < s->k->nnodes; id++) {
		const knode *n = &s->k->nodes[id];
		if (n->op == K_LOAD && s->needed[id] &&
		    !is_cut(s, &s->load[id], p->vars[p->in[n->bits].id].type))
			whole |= UINT64_C(1) << n->bits;
	}
	for (int32_t i = 0; i < s->k->nresults; i++)
		if (results + i < 64 && !is_cut(s, &s->store[i], s->k->results[i].type))
			whole |= UINT64_C(1) << (results + i);
	s->cut = ~whole;
	if (results + s->k->nresults < 64)
		s->cut &= (UINT64_C(1) << (results + s->k->nresults)) - 1;
}

/* Windows begin and end with vectors of the product's sums */
static void limit_lanes(nest *s, int max_bytes)
{
	if (!s->window.rows) return;
	const int lanes = 8 * max_bytes / bits_of(part_of(s->window.dtype));
	if (s->lanes > lanes) s->lanes = lanes;
}

bool nest_make(nest *s, const kernel *k, const native_window *window, pool *p, int max_bytes)
{
	*s = (nest){.k = k, .pool = p, .vector = -1, .jam = -1, .copies = 1};
	if (window) s->window = *window;
	s->needed = pool_take(p, (size_t)k->nnodes + 1, sizeof *s->needed);
	s->load = pool_take(p, (size_t)k->nnodes + 1, sizeof *s->load);
	s->store = pool_take(p, (size_t)k->nresults + 1, sizeof *s->store);
	s->reductions = pool_take(p, (size_t)k->nregions + 1, sizeof *s->reductions);
	s->alone = pool_take(p, (size_t)k->nregions + 1, sizeof *s->alone);
	s->dot = pool_take(p, (size_t)k->nregions + 1, sizeof *s->dot);
	if (!s->needed || !s->load || !s->store || !s->reductions || !s->alone || !s->dot)
		return false;
	if (!k->nresults) return true;
	for (int32_t id = 1; id < k->nnodes; id++)
		if (k->nodes[id].op == K_REDUCE && k->nodes[id].bits == KR_DOT)
			s->dot[k->nodes[id].inner[0]] = true;
	if (!addresses_find(s) || !reductions_find(s) || !loops_find(s) ||
	    !vectors_choose(s, max_bytes))
		return false;
	limit_lanes(s, max_bytes);
	if (!rows_find(s) || !jam_choose(s, max_bytes)) return false;
	items_choose(s);
	cut_find(s);
	return s->vector < 0 || pieces_find(s);
}
