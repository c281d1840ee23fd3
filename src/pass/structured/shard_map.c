/* shard_map.c - the row that runs a program on blocks: once for each device along its manual axes.
 *
 * The axis table of the body is the enclosing one followed by the manual axes. An operand is split
 * by its `in` sharding, so the body's input varies over the axes of that sharding and those over
 * which the operand varied (in an unchecked map it may vary over any other manual axes too). The
 * blocks of a result are joined by its `out` sharding; it varies over what is left, the enclosing
 * axes. */
#include "pass/structured/structured.h"

static const field shard_map_fields[] = {
	{"mesh", offsetof(shard_map_params, mesh), FIELD_MESH, NULL},
	{"axes", offsetof(shard_map_params, manual), FIELD_MANUAL, NULL},
	{"in", offsetof(shard_map_params, in), FIELD_SPECS, NULL},
	{"out", offsetof(shard_map_params, out), FIELD_SPECS, NULL},
	{"unchecked", offsetof(shard_map_params, unchecked), FIELD_BOOL, NULL},
	{"body", offsetof(shard_map_params, body), FIELD_PROGRAM, NULL},
	{NULL, 0, 0, NULL},
};

/* the entries of the body's table that a sharding names; outer: entries of the enclosing table */
static axis_set entries_of(const shard_map_params *p, const sharding *s, int outer)
{
	axis_set set = 0;

	for (int i = 0; i < p->manual.n; i++)
		if (s->axes >> p->manual.v[i] & 1) set |= axis_bit(outer + i);
	return set;
}

static bool names_only_manual(const shard_map_params *p, const sharding *s)
{
	axis_set manual = 0;

	for (int i = 0; i < p->manual.n; i++) manual |= axis_bit(p->manual.v[i]);
	return s->mesh == p->mesh && !(s->axes & ~manual);
}

static bool check_input(build *b, const eqn *e, const type *operand, const type *block,
                        const sharding *s, int i, int outer)
{
	const shard_map_params *p = e->params;
	const axis_set manual = axes_below(outer + p->manual.n) & ~axes_below(outer);
	const axis_set least = operand->varying | entries_of(p, s, outer);
	const axis_set most = least | (p->unchecked ? manual : 0);
	bool ok = names_only_manual(p, s) && s->spec.ndim <= operand->ndim &&
	          block->ndim == operand->ndim && block->dtype == operand->dtype &&
	          !(least & ~block->varying) && !(block->varying & ~most) &&
	          sharding_divides(s, operand->dims, operand->ndim);

	for (int d = 0; ok && d < operand->ndim; d++)
		ok = block->dims[d] == operand->dims[d] / sharding_parts(s, d);
	return ok || fail_type(b, e, "input %d of the body of shard_map is not the block of "
	                       "operand %d under its in spec", i, i);
}

static bool check_output(build *b, const eqn *e, const type *block, const sharding *s, int i,
                         int outer, const type **out)
{
	const shard_map_params *p = e->params;
	const axis_set enclosing = axes_below(outer);
	int64_t dims[MAX_NDIM];

	if (!names_only_manual(p, s) || s->spec.ndim > block->ndim || block->ndim > MAX_NDIM)
		return fail_sharding(b, e,
		                     "out spec %d of shard_map does not fit the body's result", i);
	if (block->varying & ~(enclosing | entries_of(p, s, outer)))
		return fail_sharding(b, e, "result %d of the body of shard_map may vary over an "
		                     "axis that its out spec leaves out", i);
	for (int d = 0; d < block->ndim; d++)
		if (!mul_ok(block->dims[d], sharding_parts(s, d), &dims[d]))
			return fail_type(b, e, "result %d of shard_map is too large", i);
	*out = type_shaped(build_ir(b), block, dims, block->ndim, block->varying & enclosing);
	return *out != NULL;
}

/* An axis is made manual only once, and maps inside each other have one mesh. Only while the
 * outermost tsr_pmap is traced each of those inside it has an open one of its own */
static bool check_scope(build *b, const eqn *e, const axis *axes, int outer)
{
	const shard_map_params *p = e->params;

	for (int i = 0; i < outer; i++) {
		if (axes[i].kind != AXIS_MESH) continue;
		if (mesh_is_open(axes[i].mesh) && mesh_is_open(p->mesh)) continue;
		if (axes[i].mesh != p->mesh && axes[i].mesh->hash != p->mesh->hash)
			return fail_sharding(b, e, "a shard_map inside another must be over the "
			                     "same mesh");
		for (int k = 0; k < p->manual.n; k++)
			if (p->manual.v[k] == axes[i].position)
				return fail_sharding(b, e, "a shard_map makes axis '%s' manual, "
				                     "and it is manual already around it",
				                     axes[i].name);
	}
	return true;
}

static bool shard_map_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const shard_map_params *p = e->params;
	const program *body = p->body;
	int outer;

	const axis *axes = build_axes(b, &outer);
	if (!check_scope(b, e, axes, outer)) return false;
	if (e->nin != body->nin || p->in.n != body->nin || p->out.n != body->nout ||
	    body->naxes != outer + p->manual.n)
		return fail_type(b, e, "shard_map has %d operands, %d in specs and %d out specs "
		                 "for a body of %d inputs and %d results", e->nin, p->in.n,
		                 p->out.n, body->nin, body->nout);
	for (int i = 0; i < body->nin; i++)
		if (!check_input(b, e, in[i], type_of(body, body->in[i]), p->in.v[i], i, outer))
			return false;
	for (int i = 0; i < body->nout; i++)
		if (!check_output(b, e, type_of(body, body->out[i]), p->out.v[i], i, outer,
		                  &out[i]))
			return false;
	return true;
}

const tsr_prim tsr__prim_shard_map = {
	STRUCTURED(shard_map, "a program on blocks, once for each device along the manual axes",
	           shard_map_fields, shard_map_types),
	.edges = &(const edges){
		.in = {{.kind = EDGE_BLOCK, .at = offsetof(shard_map_params, in)}},
		.out = {{.kind = EDGE_BLOCK, .at = offsetof(shard_map_params, out)}}},
	.jvp = jvp_inside,
	.split = shard_map_split,
	.transpose = shard_map_transpose,
	.batch = shard_map_batch,
	.no_rule = {[COL_FACTORS] = "manual: its specs say it",
                    [COL_COST] = PROGRAMS_INSIDE,
                    [COL_EVAL] = "partition replaces it by its body",
                    [COL_LOWER] = "partition replaces it by its body",
                    [COL_REPLICATE] = "partition replaces it by its body"},
};
