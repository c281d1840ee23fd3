/* cost.c - chooses the index for vectors to run along, by rough counts of instructions.
 *
 * The choice is made for vectors of 64 bytes on every processor, so that the items of a kernel are
 * the same everywhere; only the number of lanes follows the processor.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f32[100,100]) -> f32[100] {
 *       %1: f32[100] = reduce_max %0 dims=[0]
 *       return %1
 *     }
 *
 * Along r0 the lanes of a vector would read elements that are 100 apart. Along i0 they read
 * neighbours, and all take each step of r0 together; four registers of a row are read at a time:
 *
 *     for i0 < 100, 32 lanes
 *     reduce r0 < 100
 *     load ..: in0 at i0 + 100 r0
 */
#include "engine/cpu/native/nest.h"

#define NOMINAL_BYTES 64

typedef struct along { /* what lanes run along; lanes 0: nothing */
	kvar index;
	int32_t region; /* values in this region, or inside it, may differ from lane to lane */
	bool alone;     /* the lanes run along no other index of the region */
	int lanes;
} along;

static bool stands_inside(const nest *s, int32_t region, int32_t of)
{
	while (region > of) region = s->k->regions[region].parent;
	return region == of;
}

static double access_cost(const nest *s, const address *a, along v)
{
	if (!v.lanes) return 1;
	for (int i = 0; i < a->n; i++) {
		const knode *atom = &s->k->nodes[a->term[i].atom.id];
		if (a->term[i].atom.id == v.index.id) {
			if (a->term[i].times != 1 && a->term[i].times != -1)
				return TUNE_GATHER_COST * v.lanes;
		} else if (stands_inside(s, atom->region, v.region) &&
		           (atom->op != K_INDEX || (atom->region == v.region && !v.alone)))
			return TUNE_GATHER_COST * v.lanes;
	}
	return 1;
}

/* of a step of squares: a row, exchanged with as many others as the square has sizes of halves */
static double turned_cost(const walks *w, int lanes)
{
	const int side = square_side(w, lanes);
	double cost = 1;

	for (int n = side; n > 1; n /= 2) cost++;
	return cost * lanes / side;
}

static double region_cost(const nest *s, int32_t region, along v);

/* ---- reductions: what they cost without lanes around them, and how they are then computed, is
 * found once */

static double in_turn(const nest *s, int32_t region, along v)
{
	return (double)count_steps(&s->reductions[region]) * (1 + region_cost(s, region, v));
}

static double in_lanes(const nest *s, int32_t region)
{
	const walks *w = &s->reductions[region];
	const kvar index = w->n ? w->walk[w->n - 1].index : (kvar){0};
	const bool alone = w->n && w->walk[w->n - 1].extent % LANES == 0;
	const double steps = (double)((count_steps(w) - 1) / LANES + 1);

	return steps * (1 + region_cost(s, region, (along){index, region, alone, LANES})) +
	       2 * LANES;
}

static const alone *reduction_alone(const nest *s, int32_t region)
{
	alone *a = &s->alone[region];

	if (a->known) return a;
	const double turn = in_turn(s, region, (along){.lanes = 0});
	const double lanes = s->dot[region] ? turn : in_lanes(s, region);
	*a = (alone){true, lanes < turn, lanes < turn ? lanes : turn};
	return a;
}

bool reduction_in_lanes(const nest *s, kvar reduction)
{
	return reduction_alone(s, s->k->nodes[reduction.id].inner[0])->in_lanes;
}

static double reduction_cost(const nest *s, kvar id, along v)
{
	const int32_t region = s->k->nodes[id.id].inner[0];

	if (!v.lanes) return reduction_alone(s, region)->cost;
	if (v.region < s->k->ndim + 1 && reads_columns(s, id, v.index))
		return (TUNE_TOGETHER_PERCENT / 100.0) * v.lanes * in_lanes(s, region);
	return in_turn(s, region, v);
}

static double node_cost(const nest *s, kvar id, along v)
{
	const knode *n = &s->k->nodes[id.id];

	switch (n->op) {
	case K_LOAD:
		if (v.lanes && is_load_of_rows(s, id, v.index))
			return turned_cost(&s->reductions[n->region], v.lanes);
		return access_cost(s, &s->load[id.id], v);
	case K_HELD: return access_cost(s, &s->load[id.id], v);
	case K_CALL: return TUNE_CALL_COST;
	case K_IF: return 2 + region_cost(s, n->inner[0], v) + region_cost(s, n->inner[1], v);
	case K_REDUCE: return reduction_cost(s, id, v);
	default: return 1;
	}
}

static double region_cost(const nest *s, int32_t region, along v)
{
	const kregion *r = &s->k->regions[region];
	double cost = 0;

	for (int32_t i = 0; i < r->nnodes; i++)
		if (s->needed[r->nodes[i].id]) cost += node_cost(s, r->nodes[i], v);
	return cost;
}

static double store_cost(const nest *s, int32_t result, along v)
{
	const kresult *r = &s->k->results[result];

	return access_cost(s, &s->store[result], v) +
	       (r->guard.id ? 2 + region_cost(s, r->branch, v) : 0);
}

static double level_cost(const nest *s, const level *l, along v)
{
	double cost = 1;

	for (int32_t r = l->first; r < l->end; r++) {
		cost += region_cost(s, r, v);
		for (int32_t i = 0; i < s->k->nresults; i++)
			if (s->k->results[i].loops == r) cost += store_cost(s, i, v);
	}
	return cost;
}

/* the cost of the kernel with vectors along walk `vector` of the loops; -1: without any */
static double whole_cost(const nest *s, int vector, int lanes)
{
	double steps = 1, cost = 0;
	along v = {.lanes = 0};

	for (int i = 0; i <= s->loops.n; i++) {
		cost += steps * level_cost(s, &s->level[i], v);
		if (i == s->loops.n) break;
		const walk *w = &s->loops.walk[i];
		if (i == vector) v = (along){w->index, s->level[i + 1].first, true, lanes};
		steps *= (double)(i == vector ? (w->extent + lanes - 1) / lanes : w->extent);
	}
	return cost;
}

/* ---- lanes */

/* bytes of the widest number that a loop computes with; indices do not count */
static int widest_inside(const nest *s, int32_t region)
{
	int widest = 1;

	for (int32_t id = 1; id < s->k->nnodes; id++) {
		const knode *n = &s->k->nodes[id];
		const bool index = n->dtype == TSR_I64 && n->low > INT64_MIN && n->high < INT64_MAX;
		if (!s->needed[id] || n->op == K_CONST || index) continue;
		const int bytes = bits_of(part_of(n->dtype)) / 8;
		if (bytes > widest && stands_inside(s, n->region, region)) widest = bytes;
	}
	for (int32_t i = 0; i < s->k->nresults; i++) {
		const int bytes = bits_of(part_of(s->k->results[i].type->dtype)) / 8;
		if (bytes > widest && s->k->results[i].loops >= region) widest = bytes;
	}
	return widest;
}

int lanes_of(const nest *s, int vector, int max_bytes)
{
	const int64_t extent = s->loops.walk[vector].extent;
	int lanes = max_bytes / widest_inside(s, s->level[vector + 1].first);

	while (lanes > 2 && lanes / 2 >= extent) lanes /= 2;
	return lanes < 2 ? 2 : lanes;
}

/* A reduction may read neighbours along w, which are rows of a matrix. Should one of its steps take
 * several registers of them? Yes, if the matrix is too large for the caches. Yes in dot products
 * too, where the other operand then serves all these registers */
static bool takes_wide_rows(const nest *s, const knode *n, const walk *w)
{
	const walks *own = &s->reductions[n->inner[0]];
	const kregion *region = &s->k->regions[n->inner[0]];
	const int64_t steps = count_steps(own);

	for (int32_t i = 0; i < region->nnodes; i++) {
		const knode *load = &s->k->nodes[region->nodes[i].id];
		if (load->op != K_LOAD || !s->needed[region->nodes[i].id] ||
		    address_times(&s->load[region->nodes[i].id], w->index) != 1)
			continue;
		const double row = (double)w->extent * bits_of(load->dtype) / 8;
		if (row * (double)steps >= TUNE_ROWS_BYTES) return true;
		if ((kreduction)n->bits == KR_DOT) return true;
	}
	return false;
}

static bool reads_rows(const nest *s, const walk *w)
{
	for (int32_t id = 1; id < s->k->nnodes; id++)
		if (s->k->nodes[id].op == K_REDUCE && s->needed[id] &&
		    takes_wide_rows(s, &s->k->nodes[id], w))
			return true;
	return false;
}

/* ---- squares, for loads that stride along the vectors while the loop around reads neighbours */

static bool wants_squares(const nest *s, int32_t id)
{
	const walk *w = s->loops.walk;
	const int32_t outer = s->level[s->vector].first;
	const address *a = &s->load[id];
	const int64_t stride = address_times(a, w[s->vector].index);

	if (stride == 0 || stride == 1 || stride == -1 || s->k->nodes[id].dtype == TSR_BOOL ||
	    is_complex(s->k->nodes[id].dtype) ||
	    s->k->regions[s->k->nodes[id].region].kind != KREGION_LOOP)
		return false;
	for (int i = 0; i < a->n; i++) {
		const int32_t atom = a->term[i].atom.id;
		if (s->k->nodes[atom].region >= outer && atom != w[s->vector].index.id &&
		    atom != w[s->vector - 1].index.id)
			return false;
	}
	return address_times(a, w[s->vector - 1].index) == 1;
}

/* a reduction has loops of its own, and a load in a branch may be of nothing */
static bool forbids_squares(const nest *s, const knode *n)
{
	return n->op == K_REDUCE ||
	       (n->op == K_LOAD && s->k->regions[n->region].kind == KREGION_BRANCH);
}

static void squares_find(nest *s)
{
	const int v = s->vector;
	int nodes = 0;

	if (v < 1 || v != s->loops.n - 1 || s->k->held >= 0 || !level_is_empty(s, &s->level[v]) ||
	    lanes_of(s, v, NOMINAL_BYTES) > TUNE_SQUARE_LANES ||
	    s->loops.walk[v].extent < TUNE_SQUARE_LANES ||
	    s->loops.walk[v - 1].extent < TUNE_SQUARE_LANES)
		return;
	for (int32_t id = 1; id < s->k->nnodes; id++) {
		const knode *n = &s->k->nodes[id];
		if (!s->needed[id] || !stands_inside(s, n->region, s->level[v].first) ||
		    n->op == K_CONST)
			continue;
		if (forbids_squares(s, n) || ++nodes > TUNE_SQUARE_NODES) {
			s->ntiled = 0;
			return;
		}
		if (n->op != K_LOAD || !wants_squares(s, id)) continue;
		if (s->ntiled < MOST_TILED) s->tiled[s->ntiled++] = (kvar){id};
	}
}

/* ---- long chains: a processor begins the next vector while one waits for its own results, but
 * only as far ahead as it sees. Where most nodes wait for each other, as the rounds of
 * threefry2x32 do, several vectors side by side fill that time */

/* of nodes of the vectors' loop, each of which takes the one before; 0: some take long by
 * themselves. false: no memory */
static bool longest_chain(const nest *s, int *longest)
{
	const int32_t first = s->level[s->vector + 1].first;
	int *chain = pool_take(s->pool, (size_t)s->k->nnodes, sizeof *chain);

	*longest = 0;
	for (int32_t id = 1; chain && id < s->k->nnodes; id++) {
		const knode *n = &s->k->nodes[id];
		if (!s->needed[id] || !stands_inside(s, n->region, first)) continue;
		if (n->op == K_CALL || n->op == K_REDUCE) {
			*longest = 0;
			return true;
		}
		for (int i = 0; i < n->nargs; i++)
			if (chain[n->args[i].id] > chain[id]) chain[id] = chain[n->args[i].id];
		if (++chain[id] > *longest) *longest = chain[id];
	}
	return chain != NULL;
}

/* Rows that are put are short, and workers share their columns. So an item has no more of them than
 * fill two of the widest registers: rows of f32[64] are put in two items of 32 columns */
int lanes_of_item(const nest *s)
{
	if (s->k->held < 0 || s->vector != 0) return MOST_LANES;
	const int lanes = 2 * lanes_of(s, 0, NOMINAL_BYTES);
	return lanes < MOST_LANES ? lanes : MOST_LANES;
}

static void lanes_widen(nest *s, int times)
{
	const int64_t extent = s->loops.walk[s->vector].extent;
	const int most = lanes_of_item(s);

	for (int i = 0; i < times; i++)
		if (s->lanes < most && 2 * s->lanes <= extent) s->lanes *= 2;
}

/* elements that are put are side by side there, and steps in order are not taken together */
static bool may_run_along(const nest *s, const walk *w)
{
	return s->k->held < 0 ||
	       (!walk_in_order(s, w) && address_times(&s->store[0], w->index) == 1);
}

bool vectors_choose(nest *s, int max_bytes)
{
	int chain;

	double best = whole_cost(s, -1, 1);

	for (int i = s->loops.n - 1; i >= 0; i--) {
		if (!may_run_along(s, &s->loops.walk[i])) continue;
		const double cost = whole_cost(s, i, lanes_of(s, i, NOMINAL_BYTES));
		if (cost >= (s->vector < 0 ? best : (TUNE_OUTER_PERCENT / 100.0) * best)) continue;
		best = cost;
		s->vector = i;
	}
	if (s->vector < 0) return true;
	s->lanes = lanes_of(s, s->vector, max_bytes);
	if (!longest_chain(s, &chain)) return false;
	if (reads_rows(s, &s->loops.walk[s->vector])) lanes_widen(s, TUNE_ROWS_WIDER);
	if (s->k->held >= 0 && s->vector < s->loops.n - 1) lanes_widen(s, TUNE_PUT_WIDER);
	if (chain >= TUNE_CHAIN_NODES) lanes_widen(s, TUNE_CHAIN_WIDER);
	squares_find(s);
	return true;
}
