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

/* Of this machine: nothing leaves a memory */
static const reshard_cost in_memory = {{500, 2000, 20000}, {0.1, 0.2, 1}};

double collectives_ns(int n, double bytes)
{
	return n * in_memory.start[LEVEL_MEMORY] + bytes * in_memory.byte[LEVEL_MEMORY];
}

static reshard_case case_of(const partitioning *p, const type *whole, const layout *from,
                            const layout *to)
{
	return (reshard_case){.ndim = whole->ndim,
	                      .naxes = p->fine ? p->fine->naxes : 0,
	                      .dims = whole->dims,
	                      .item = (int64_t)tsr_dtype_size(whole->dtype),
	                      .axis = p->size,
	                      .from = *from,
	                      .to = *to,
	                      .closed = p->manual,
	                      .cost = &in_memory};
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

const reshard_plan *plan_of(partitioning *p, const type *whole, const layout *from,
                            const layout *to)
{
	const reshard_case c = case_of(p, whole, from, to);
	const uint64_t hash = hash_case(&c);
	planned *have = table_find(p->plans, hash, is_case, &c);

	if (have) return &have->plan;
	have = arena_alloc(p->scratch, sizeof *have);
	if (!have) return NULL;
	have->c = c;
	if (!make_plan(p, &c, &have->plan) || !table_add(p->plans, hash, have)) return NULL;
	return &have->plan;
}

bool reshard_ns(partitioning *p, const type *whole, const layout *from, const layout *to,
                double *ns)
{
	const reshard_plan *plan = layout_same(from, to) ? NULL : plan_of(p, whole, from, to);

	*ns = plan ? plan->ns : 0;
	return plan || layout_same(from, to);
}
