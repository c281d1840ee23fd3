/* gathering.c - chooses, for a product with a cut contracted dim, between adding up the devices'
 * terms of the result and gathering a small operand first.
 *
 *     pass partition
 *     f(%0: f32[64,8], %1: f32[8,16]) -> f32[64,16] {
 *       %2: f32[64,8] = sharding_constraint %0 mesh=(x:8) to=[[]] open=[]
 *       %3: f32[8,16] = sharding_constraint %1 mesh=(x:8) to=[[x]] open=[]
 *       %4: f32[64,16] = dot_general %2 %3 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]
 *             dtype=f32
 *       %5: f32[64,16] = sharding_constraint %4 mesh=(x:8) to=[[]] open=[]
 *       return %5
 *     }
 *     gives
 *     axes (x of (x:8)) f(%0: f32[64,8], %1: f32[1,16]{x}) -> f32[64,16] {
 *       %2: f32[8,16] = all_gather %1 axes=(x) dim=0 tiled=true to=invarying
 *       %3: f32[64,16] = dot_general %0 %2 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]
 *             dtype=f32
 *       return %3
 *     }
 *
 * To add up terms of f32[64,16] brings each device 7,168 bytes; to gather %1 brings 448. But then
 * each device makes all of the product, and not an eighth of it. That is little here, and more than
 * all that is moved where many numbers are summed for each of the result. */
#include "pass/partition/partition.h"

/* a product and a sum of f32 on one core, in a large product */
static const double fma_ns = 0.02;

/* the time that a device takes to multiply its blocks */
static double work_ns(const cutting *c, const axis_list *by_factor)
{
	double work = fma_ns * (double)tsr_dtype_size(c->type[0]->dtype) / 4;

	for (int f = 0; f < c->f.n; f++) {
		const int64_t parts = axes_parts(c, &by_factor[f]);
		work *= (double)((c->f.size[f] + parts - 1) / parts);
	}
	return work;
}

static axis_set summed_along(const cutting *c, const axis_list *by_factor)
{
	axis_set set = 0;

	for (int f = 0; f < c->f.n; f++)
		for (int i = 0; c->f.kind[f] == FACTOR_REDUCE && i < by_factor[f].n; i++)
			set |= axis_bit(by_factor[f].axis[i]);
	return set;
}

/* the time from the operands where they are to the result where it shall be */
static bool choice_ns(partitioning *p, const blocks *k, const axis_list *by_factor,
                      const places *in, const spot *spots, double *ns)
{
	const eqn *e = k->c.e;
	layout terms = factors_layout(&k->c, e->nin, by_factor);
	double move;

	*ns = work_ns(&k->c, by_factor);
	for (int i = 0; i < e->nin; i++) {
		const layout at = factors_layout(&k->c, i, by_factor);
		if (!spot_ns(p, &spots[e->in[i].id], &at, &move)) return false;
		*ns += move;
	}
	terms.partial = summed_along(&k->c, by_factor);
	if (!reshard_ns(p, k->type[e->nin], &terms, in->at[e->out[0].id], &move)) return false;
	*ns += move;
	return true;
}

bool sum_or_gather(partitioning *p, blocks *k, const places *in, const spot *spots)
{
	const cutting *c = &k->c;
	uint64_t whole = 0;
	double ns, other_ns;

	if (c->e->prim != &tsr__prim_dot_general || !summed_along(c, k->by_factor)) return true;
	axis_list *other = arena_array(p->scratch, MAX_FACTORS, sizeof *other);
	if (!other || !choice_ns(p, k, k->by_factor, in, spots, &ns)) return false;
	for (int f = 0; f < c->f.n; f++) {
		if (c->f.kind[f] != FACTOR_REDUCE || !k->by_factor[f].n) continue;
		choose_cuts(c, k->at, whole | (uint64_t)1 << f, other);
		if (!choice_ns(p, k, other, in, spots, &other_ns)) return false;
		if (other_ns >= ns) continue;
		whole |= (uint64_t)1 << f;
		ns = other_ns;
		memcpy(k->by_factor, other, (size_t)c->f.n * sizeof *other);
	}
	return true;
}
