/* jam.c - chooses loops around reductions that take several steps side by side, so that shared
 * operands are read once, as in a product of matrices; and reductions along rows of memory to be
 * computed for all lanes at once, each in lanes of its own, as in a product with a transposed
 * matrix (example in emit_joint.c).
 *
 * The number of steps, like that of items, depends on the kernel alone; the number of lanes depends
 * on the processor too.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f32[32,64], %1: f32[64,48]) -> f32[32,48] {
 *       %2: f32[32,48] = dot_general %0 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]
 *         dtype=f32
 *       return %2
 *     }
 *
 * Vectors run along the rows of %1, and 8 rows of %0 use each of them, in 8 registers:
 *
 *     for i0 < 32, 8 steps side by side
 *     for i1 < 48, 8 lanes
 *     reduce r0 < 64
 *     load ..: in0 at r0 + 64 i0
 *     load ..: in1 at i1 + 48 r0
 */
#include "engine/cpu/native/nest.h"

static const knode *node_of(const nest *s, kvar v) { return &s->k->nodes[v.id]; }

bool is_joint(const knode *n)
{
	const bool exact = !is_float(n->dtype) && !is_complex(n->dtype);

	return n->op == K_REDUCE && n->bits != KR_ARGMAX && n->bits != KR_ARGMIN &&
	       (n->bits == KR_DOT || exact || n->bits == KR_MAX || n->bits == KR_MIN);
}

/* ---- what varies with what */

static uint8_t varies_inside(const nest *s, int32_t region)
{
	const kregion *r = &s->k->regions[region];
	uint8_t with = 0;

	for (int32_t i = 0; i < r->nnodes; i++) with |= s->varies[r->nodes[i].id];
	return with;
}

static uint8_t varies_with(const nest *s, int32_t id)
{
	const knode *n = &s->k->nodes[id];
	const int inner = n->op == K_IF ? 2 : n->op == K_REDUCE;
	uint8_t with = 0;

	if (n->op == K_LOAD)
		for (int i = 0; i < s->load[id].n; i++)
			with |= s->varies[s->load[id].term[i].atom.id];
	for (int i = 0; n->op != K_LOAD && i < n->nargs; i++) with |= s->varies[n->args[i].id];
	for (int r = 0; r < inner; r++) with |= varies_inside(s, n->inner[r]);
	return with;
}

/* operands, and nodes of inner regions, have smaller ids */
static void varies_find(nest *s)
{
	for (int32_t id = 1; id < s->k->nnodes; id++) s->varies[id] |= varies_with(s, id);
}

/* ---- reductions along rows */

/* May the reduction, when it is computed for a single lane of the loop `along`, use the value? Not
 * if that loop computes it, as a vector of all its lanes */
static bool is_of_one_lane(const nest *s, int32_t region, kvar v, kvar along)
{
	const knode *n = node_of(s, v);
	int loop = 0;

	if (n->op == K_CONST || v.id == along.id || n->region == region) return true;
	while (loop < s->loops.n && s->loops.walk[loop].index.id != along.id) loop++;
	return n->op == K_INDEX || n->region < s->level[loop + 1].first;
}

static bool is_node_of_one_lane(const nest *s, int32_t region, kvar v, kvar along, bool *strides)
{
	const knode *n = node_of(s, v);
	const walks *w = &s->reductions[region];
	const address *a = &s->load[v.id];
	bool fine = n->op != K_IF && n->op != K_REDUCE;

	if (n->op != K_LOAD) {
		for (int i = 0; i < n->nargs; i++)
			fine = fine && is_of_one_lane(s, region, n->args[i], along);
		return fine;
	}
	for (int i = 0; i < a->n; i++)
		fine = fine && is_of_one_lane(s, region, a->term[i].atom, along) &&
		       node_of(s, a->term[i].atom)->op == K_INDEX;
	const int64_t step = address_times(a, w->walk[w->n - 1].index),
		      stride = address_times(a, along);
	*strides = *strides || (step == 1 && stride != 0 && stride != 1 && stride != -1);
	return fine && (step == 0 || step == 1);
}

bool reads_columns(const nest *s, kvar reduction, kvar along)
{
	const knode *n = node_of(s, reduction);
	const int32_t region = n->inner[0];
	const kregion *r = &s->k->regions[region];
	bool strides = false;
	int size = 0;

	if (!is_joint(n) || s->dot[region] || !s->reductions[region].n ||
	    count_steps(&s->reductions[region]) < LANES)
		return false;
	for (int32_t i = 0; i < r->nyields; i++)
		if (!is_of_one_lane(s, region, r->yield[i], along)) return false;
	for (int32_t i = 0; i < r->nnodes; i++) {
		if (!s->needed[r->nodes[i].id]) continue;
		if (++size > TUNE_COLUMN_NODES ||
		    !is_node_of_one_lane(s, region, r->nodes[i], along, &strides))
			return false;
	}
	return strides;
}

int square_side(const walks *w, int most)
{
	const int64_t row = w->n ? w->walk[w->n - 1].extent : 1;

	while (most > count_steps(w) || (w->n > 1 && row % most)) most /= 2;
	return most;
}

bool is_load_of_rows(const nest *s, kvar load, kvar along)
{
	const knode *n = node_of(s, load);
	const walks *w = &s->reductions[n->region];
	const address *a = &s->load[load.id];
	const int64_t stride = address_times(a, along);

	if (n->op != K_LOAD || !s->dot[n->region] || !w->n || n->dtype == TSR_BOOL ||
	    (along.id && (stride == 0 || stride == 1 || stride == -1)) ||
	    address_times(a, w->walk[w->n - 1].index) != 1)
		return false;
	for (int i = 0; i < a->n; i++)
		if (node_of(s, a->term[i].atom)->op != K_INDEX) return false;
	return true;
}

static bool columns_find(nest *s, kvar along)
{
	bool any = false;

	for (int32_t id = 1; id < s->k->nnodes; id++) {
		const bool reduces = s->k->nodes[id].op == K_REDUCE && s->needed[id];
		s->columns[id] = reduces && reads_columns(s, (kvar){id}, along);
		any = any || s->columns[id];
	}
	return any;
}

/* ---- the loop */

typedef struct jam_inside { /* of the innermost loop */
	int size;         /* nodes as they are emitted */
	bool joint;       /* has a reduction that gains */
	bool strides;     /* some load reads elements that are not adjacent for the lanes */
	bool rows;        /* and squares of it are transposed */
	int parts, bytes; /* of its results */
} jam_inside;

static bool is_stride(const address *a, kvar along)
{
	const int64_t times = address_times(a, along);

	return times != 0 && times != 1 && times != -1;
}

static int least(int64_t a, int64_t b) { return (int)(a < b ? a : b); }

/* adds up what is emitted when the region is emitted `times` times */
static void region_add(const nest *s, jam_inside *in, int32_t region, kvar along, int times)
{
	for (int32_t i = 0; i < s->k->regions[region].nnodes; i++) {
		const kvar v = s->k->regions[region].nodes[i];
		const knode *n = node_of(s, v);
		if (!s->needed[v.id]) continue;
		in->size += times * (n->op == K_CALL ? TUNE_CALL_NODES : 1);
		if (n->op == K_LOAD) in->strides = in->strides || is_stride(&s->load[v.id], along);
		in->rows = in->rows || is_load_of_rows(s, v, along);
		if (n->op == K_IF)
			for (int r = 0; r < 2; r++) region_add(s, in, n->inner[r], along, times);
		if (n->op != K_REDUCE) continue;
		const int64_t steps = count_steps(&s->reductions[n->inner[0]]);
		const int each = steps > LANES ? TUNE_JOINT_UNROLL : (int)steps;
		in->size += 2 * times * each;
		region_add(s, in, n->inner[0], along, least((int64_t)times * each, TUNE_JAM_NODES));
	}
}

static jam_inside inside_of(const nest *s, int level, kvar along)
{
	jam_inside in = {.parts = 1, .bytes = 1};

	for (int32_t r = s->level[level].first; r < s->level[level].end; r++) {
		region_add(s, &in, r, along, 1);
		for (int32_t i = 0; i < s->k->regions[r].nnodes; i++) {
			const kvar v = s->k->regions[r].nodes[i];
			const knode *n = node_of(s, v);
			if (!s->needed[v.id] || !is_joint(n)) continue;
			in.joint = true;
			if (is_complex(n->dtype)) in.parts = 2;
			if (bits_of(part_of(n->dtype)) / 8 > in.bytes)
				in.bytes = bits_of(part_of(n->dtype)) / 8;
		}
	}
	return in;
}

/* a number of copies, at most `most`: one that divides the extent if there is one above half of
 * `most`, else one that leaves nearly equal shares */
static int share_of(int64_t extent, int64_t most)
{
	if (extent < 2 || most < 2) return 1;
	for (int64_t n = least(most, extent); n > most / 2; n--)
		if (extent % n == 0) return (int)n;
	const int64_t shares = (extent + most - 1) / most;
	return (int)((extent + shares - 1) / shares);
}

static void lanes_choose(nest *s, const jam_inside *in, bool columns, int max_bytes)
{
	const int64_t extent = s->loops.walk[s->vector].extent;
	const int registers = max_bytes == 64 ? 16 : 8; /* for results: half of them */
	const int one = lanes_of(s, s->vector, max_bytes);

	s->lanes = one;
	if (columns && s->lanes > LANES) s->lanes = LANES;
	/* two chains, so that none waits */
	if (in->rows && s->copies == 1 && 2 * s->lanes <= extent) s->lanes *= 2;
	if (columns || in->strides) return;
	while (s->lanes < TUNE_JAM_REGISTERS * one && 2 * s->lanes <= MOST_LANES &&
	       2 * s->lanes <= extent && 2 * s->lanes / one * in->parts * s->copies <= registers &&
	       2 * s->lanes / one * in->size * s->copies <= TUNE_JAM_NODES_WIDE)
		s->lanes *= 2;
}

/* of the two innermost loops, vectors run along one, and the other one is jammed */
static void copies_choose(nest *s, const jam_inside *in)
{
	const int last = s->loops.n - 1, at = s->vector == last ? last - 1 : last;
	const int64_t most = in->parts * in->bytes > 8 ? TUNE_JAM_ROWS / 2 : TUNE_JAM_ROWS;
	const int64_t fit = TUNE_JAM_NODES / (in->size + 1);

	if (at < 0 || s->vector < last - 1) return;
	s->copies = share_of(s->loops.walk[at].extent, fit < most ? fit : most);
	if (s->copies > 1) s->jam = at;
}

bool jam_choose(nest *s, int max_bytes)
{
	const size_t n = (size_t)s->k->nnodes + 1;

	s->varies = pool_take(s->pool, n, sizeof *s->varies);
	s->columns = pool_take(s->pool, n, sizeof *s->columns);
	if (!s->varies || !s->columns) return false;
	if (s->vector < 0 || s->ntiled || s->rows || s->k->held >= 0) return true;
	const kvar along = s->loops.walk[s->vector].index;
	const jam_inside in = inside_of(s, s->loops.n, along);
	s->joint = in.joint;
	if (!s->joint) return true;
	const bool columns = columns_find(s, along);
	copies_choose(s, &in);
	s->varies[along.id] = VARIES_ALONG;
	if (s->jam >= 0) s->varies[s->loops.walk[s->jam].index.id] = VARIES_JAM;
	varies_find(s);
	lanes_choose(s, &in, columns, max_bytes);
	return true;
}
