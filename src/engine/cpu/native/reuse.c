/* reuse.c - values that a reduction along a row computes and that the loop along the same row needs
 * again, such as the exponentials of a softmax: they are kept in a row of memory instead of being
 * computed twice.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f64[4,80]) -> f64[4,80] {
 *       %1: f64[4,80] = exp %0
 *       %2: f64[4] = reduce_sum %1 dims=[1]
 *       %3: f64[4,80] = broadcast_in_dim %2 dims=[4,80] at=[0]
 *       %4: f64[4,80] = div %1 %3
 *       return %4
 *     }
 *
 * Its kernel has two exponentials: one inside the sum, one in the loop after it. The first is
 * stored to the row, whose length is rounded up, and the second becomes a load from it:
 *
 *     row 1: ..
 *     row 1: ..
 *     alloca [144 x double], align 64
 *     call <16 x double> @llvm.fma.v16f64
 *     store <16 x double>
 *     load <4 x double>
 *     fdiv <4 x double>
 */
#include "engine/cpu/native/nest.h"

typedef struct pairing { /* which nodes of the loop compute the same as which nodes of the
			    reduction */
	const nest *s;
	kvar of_loop, of_reduction; /* the indices */
	int32_t *partner;           /* of each node of the loop; 0: none */
	int *worth;                 /* nodes to compute it */
} pairing;

static bool same_value(const pairing *p, kvar loop, kvar reduction)
{
	if (loop.id == p->of_loop.id) return reduction.id == p->of_reduction.id;
	return loop.id == reduction.id || (p->partner[loop.id] == reduction.id && reduction.id);
}

static bool same_place(const pairing *p, const address *loop, const address *reduction)
{
	bool same = loop->constant == reduction->constant && loop->n == reduction->n;

	for (int i = 0; same && i < loop->n; i++) {
		bool found = false;
		for (int j = 0; !found && j < reduction->n; j++)
			found = loop->term[i].times == reduction->term[j].times &&
			        same_value(p, loop->term[i].atom, reduction->term[j].atom);
		same = found;
	}
	return same;
}

static bool same_node(const pairing *p, int32_t loop, int32_t reduction)
{
	const knode *a = &p->s->k->nodes[loop], *b = &p->s->k->nodes[reduction];
	bool same = a->op == b->op && a->dtype == b->dtype && a->bits == b->bits &&
	            a->nargs == b->nargs && a->op != K_IF && a->op != K_REDUCE;

	if (same && a->op == K_LOAD)
		return same_place(p, &p->s->load[loop], &p->s->load[reduction]);
	for (int32_t i = 0; same && i < a->nargs; i++) same = same_value(p, a->args[i], b->args[i]);
	return same;
}

static int worth_of(const pairing *p, int32_t id)
{
	const knode *n = &p->s->k->nodes[id];
	int worth = n->op == K_CALL ? TUNE_REUSE_NODES : 1;

	for (int32_t i = 0; n->op != K_LOAD && i < n->nargs; i++)
		if (p->partner[n->args[i].id]) worth += p->worth[n->args[i].id];
	return worth < TUNE_REUSE_COMPARED ? worth : TUNE_REUSE_COMPARED;
}

static void pair_region(pairing *p, const kregion *loop, const kregion *reduction)
{
	for (int32_t i = 0; i < loop->nnodes; i++) {
		const int32_t id = loop->nodes[i].id;
		for (int32_t j = 0; !p->partner[id] && j < reduction->nnodes; j++)
			if (p->s->needed[id] && same_node(p, id, reduction->nodes[j].id))
				p->partner[id] = reduction->nodes[j].id;
		if (p->partner[id]) p->worth[id] = worth_of(p, id);
	}
}

/* does anything use it besides nodes that have a partner themselves? */
static bool is_used_outside(const pairing *p, int32_t id)
{
	const kernel *k = p->s->k;

	for (int32_t r = 0; r < k->nresults; r++)
		if (k->results[r].value.id == id) return true;
	for (int32_t user = id + 1; user < k->nnodes; user++) {
		const knode *n = &k->nodes[user];
		if (!p->s->needed[user] || p->partner[user]) continue;
		for (int32_t i = 0; i < n->nargs; i++)
			if (n->args[i].id == id) return true;
	}
	return false;
}

static void keep(nest *s, const pairing *p, int32_t id, int64_t extent)
{
	const tsr_dtype t = s->k->nodes[id].dtype;
	const int32_t from = p->partner[id];

	if (!is_float(t) || p->worth[id] < TUNE_REUSE_NODES || !is_used_outside(p, id)) return;
	if (!s->row[from] && extent * bits_of(t) / 8 <= TUNE_REUSE_BYTES) s->row[from] = ++s->rows;
	s->row[id] = s->row[from];
}

static void reuse_of(nest *s, pairing *p, int32_t region)
{
	const kregion *reduction = &s->k->regions[region];
	const level *l = &s->level[s->loops.n];
	const walk *loop = &s->loops.walk[s->loops.n - 1], *own = s->reductions[region].walk;

	if (s->reductions[region].n != 1 || own->extent != loop->extent ||
	    reduction->nnodes > TUNE_REUSE_COMPARED)
		return;
	p->of_loop = loop->index;
	p->of_reduction = own->index;
	for (int32_t r = l->first; r < l->end; r++) {
		if (s->k->regions[r].nnodes > TUNE_REUSE_COMPARED) continue;
		pair_region(p, &s->k->regions[r], reduction);
		for (int32_t i = 0; i < s->k->regions[r].nnodes; i++) {
			const int32_t id = s->k->regions[r].nodes[i].id;
			if (p->partner[id] && !s->row[id]) keep(s, p, id, loop->extent);
		}
	}
	for (int32_t id = 0; id < s->k->nnodes; id++) p->partner[id] = 0;
}

bool rows_find(nest *s)
{
	pairing p = {.s = s};

	s->row = pool_take(s->pool, (size_t)s->k->nnodes + 1, sizeof *s->row);
	p.partner = pool_take(s->pool, (size_t)s->k->nnodes + 1, sizeof *p.partner);
	p.worth = pool_take(s->pool, (size_t)s->k->nnodes + 1, sizeof *p.worth);
	if (!s->row || !p.partner || !p.worth) return false;
	if (s->vector < 0 || s->vector != s->loops.n - 1) return true;
	const level *around = &s->level[s->vector];
	for (int32_t r = around->first; r < around->end; r++)
		for (int32_t i = 0; i < s->k->regions[r].nnodes; i++) {
			const kvar id = s->k->regions[r].nodes[i];
			const knode *n = &s->k->nodes[id.id];
			if (n->op == K_REDUCE && s->needed[id.id] && reduction_in_lanes(s, id))
				reuse_of(s, &p, n->inner[0]);
		}
	return true;
}
