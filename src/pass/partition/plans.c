/* plans.c - plans each kind of move between two layouts once: the steps and their cost.
 *
 * Example: each of 24 equal layers brings its weights f32[64,256] from [-,c] to [-,-] twice,
 * forward and back. For the first of these moves the planner (shard/reshard.c) looks at up to some
 * hundred layouts; the other 47 are found here.
 *
 * The choice between a sum and a gather (gathering.c) asks what several moves of each product would
 * cost. Without this table that took as long as the rest of the walk. */
#include "pass/partition/partition.h"

typedef struct planned {
	reshard_case c;
	reshard_plan plan;
} planned;

/* as if nothing left a memory */
#define IN_MEMORY {TUNE_MEMORY_LATENCY, TUNE_MEMORY_START, 1000.0 / TUNE_MEMORY_RATE}
static const message_cost in_memory[LEVELS] = {IN_MEMORY, IN_MEMORY, IN_MEMORY};

double collectives_ns(axis_level level, double n, double bytes)
{
	return n * message_costs[level].latency + bytes * message_costs[level].byte;
}

/* What is added up in which order decides bits, and these are the same on any number of processes:
 * so sums go as in one memory. What is only moved goes the way that is the best where it is */
static const message_cost *costs_of(const partitioning *p, const layout *from, const layout *to)
{
	bool leaves = false;

	for (int a = 0; p->fine && a < p->fine->naxes; a++)
		leaves = leaves || p->size[a].level > LEVEL_MEMORY;
	return leaves && !(from->partial & ~to->partial) ? message_costs : in_memory;
}

static reshard_case case_of(const partitioning *p, const type *whole, const layout *from,
                            const layout *to, const message_cost *cost)
{
	return (reshard_case){.ndim = whole->ndim,
	                      .naxes = p->fine ? p->fine->naxes : 0,
	                      .dims = whole->dims,
	                      .item = (int64_t)tsr_dtype_size(whole->dtype),
	                      .axis = p->size,
	                      .from = *from,
	                      .to = *to,
	                      .closed = p->manual,
	                      .cost = cost};
}

static uint64_t hash_layout(const layout *l, uint64_t seed)
{
	seed = hash_bytes(l->dim, (size_t)l->n, seed ^ l->partial);
	return hash_bytes(l->axis, (size_t)l->n, seed);
}

static uint64_t hash_case(const reshard_case *c)
{
	const uint64_t seed = hash_u64(c->closed, (uint64_t)c->item);

	return hash_layout(&c->from, hash_layout(&c->to, hash_bytes(c->dims,
	                   (size_t)c->ndim * sizeof *c->dims, seed)));
}

/* the axes are the same throughout a partitioning */
static bool is_case(const void *entry, const void *key)
{
	const reshard_case *a = &((const planned *)entry)->c, *b = key;

	return a->ndim == b->ndim && a->item == b->item && a->closed == b->closed &&
	       a->cost == b->cost &&
	       layout_same(&a->from, &b->from) && layout_same(&a->to, &b->to) &&
	       memcmp(a->dims, b->dims, (size_t)a->ndim * sizeof *a->dims) == 0;
}

static bool make_plan(partitioning *p, const reshard_case *c, reshard_plan *to)
{
	arena *looked_at = arena_make(p->bs); /* hundreds of layouts, of which few are used */
	reshard_step *step = NULL;

	if (looked_at && reshard_make(looked_at, c, to) &&
	    (step = arena_array(p->scratch, (size_t)to->n + 1, sizeof *step)))
		memcpy(step, to->step, (size_t)to->n * sizeof *step);
	to->step = step;
	arena_free(looked_at);
	return step;
}

static const reshard_plan *plan_at(partitioning *p, const type *whole, const layout *from,
                                   const layout *to, const message_cost *cost)
{
	const reshard_case c = case_of(p, whole, from, to, cost);
	const uint64_t hash = hash_case(&c);
	planned *have = table_find(p->plans, hash, is_case, &c);

	if (have) return &have->plan;
	have = arena_alloc(p->scratch, sizeof *have);
	if (!have) return NULL;
	have->c = c;
	if (!make_plan(p, &c, &have->plan) || !table_add(p->plans, hash, have)) return NULL;
	return &have->plan;
}

const reshard_plan *plan_of(partitioning *p, const type *whole, const layout *from,
                            const layout *to)
{
	return plan_at(p, whole, from, to, costs_of(p, from, to));
}

bool reshard_ns(partitioning *p, const type *whole, const layout *from, const layout *to,
                double *ns)
{
	const reshard_plan *plan =
		layout_same(from, to) ? NULL : plan_at(p, whole, from, to, in_memory);

	*ns = plan ? plan->ns : 0;
	return plan || layout_same(from, to);
}
