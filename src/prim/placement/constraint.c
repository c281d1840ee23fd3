/* constraint.c - the row that says where a value shall be.
 *
 * It is the value itself. What becomes of the wish is up to partition, which brings the value there
 * and drops the equation. Tangents and cotangents are wished to be where their value is; a batch
 * has one more dim in front, which is open unless .spmd_axis cuts it. */
#include "prim/checks.h"
#include "prim/row.h"

/* ---- the sharding that it names */

static const char *axis_words(build *b, const mesh *m, axis_set set)
{
	str s = {.base = build_base(b)};

	for (int i = 0; i < m->naxes; i++)
		if (set >> i & 1) str_printf(&s, "%s'%s'", s.len ? ", " : "", m->axis[i].name);
	return words_of(b, &s);
}

/* inside a map only the axes that are left over are for constraints */
static bool check_scope(build *b, const eqn *e, const constraint_params *p)
{
	const uint64_t named = p->to.v[0]->axes;
	int n;
	const axis *axes = build_axes(b, &n);
	axis_set manual = 0;

	for (int i = 0; i < n; i++) {
		if (axes[i].kind != AXIS_MESH) continue;
		if (axes[i].mesh != p->mesh && axes[i].mesh->hash != p->mesh->hash)
			return fail_sharding(b, e, "a sharding_constraint inside a shard_map must "
			                     "be over the same mesh");
		manual |= axis_bit(axes[i].position);
	}
	if (!(named & manual)) return true;
	return fail_sharding(b, e, "a sharding_constraint under a shard_map can only name axes "
	                     "that are not manual there, and names %s; the value is a block along "
	                     "these already", axis_words(b, p->mesh, named & manual));
}

static bool cuts(const sharding *s, int64_t dim)
{
	return dim < s->spec.ndim && s->spec.start[dim] < s->spec.start[dim + 1];
}

static bool sharding_constraint_types(build *b, const eqn *e, const type *const *in,
                                      const type **out)
{
	const constraint_params *p = e->params;
	int64_t before = -1;

	if (p->to.n != 1 || p->to.v[0]->mesh != p->mesh)
		return fail_type(b, e, "%s has one spec, not %d", eqn_name(b, e), p->to.n);
	if (!sharding_fits(build_base(b), e->where, p->to.v[0], in[0]->ndim)) return false;
	for (int i = 0; i < p->open.n; before = p->open.v[i++])
		if (p->open.v[i] <= before || p->open.v[i] >= in[0]->ndim ||
		    cuts(p->to.v[0], p->open.v[i]))
			return fail_type(b, e,
			                 "%s: open is %s, and must be dims of %s that its spec "
			                 "does not cut, rising",
			                 eqn_name(b, e), dims_words(b, p->open.v, p->open.n),
			                 type_words(b, in[0]));
	out[0] = in[0];
	return check_scope(b, e, p);
}

/* ---- transformations */

TRANSPOSE_AS(sharding_constraint, emit(b, e->prim, e->params, ct, 1))

/* the positions in the mesh of the axes that .spmd_axis names; false: an error is recorded */
static bool find_spmd(build *b, const eqn *e, const char *names, int *at, int *n)
{
	const constraint_params *p = e->params;
	const char *problem = NULL, *name;
	size_t len;

	for (*n = 0; !problem && (name = product_next(&names, &len));) {
		const int axis = mesh_axis(p->mesh, name, len);
		bool twice = false;
		for (int i = 0; i < *n; i++) twice = twice || at[i] == axis;
		if (axis < 0)
			problem = "is no axis of the mesh of a sharding_constraint inside";
		else if (p->to.v[0]->axes >> axis & 1)
			problem = "cannot appear in the spec of a sharding_constraint inside";
		else if (twice)
			problem = "is named twice";
		else
			at[(*n)++] = axis;
	}
	if (problem)
		fail_sharding(b, e, "vmap's .spmd_axis '%.*s' %s", (int)len, name, problem);
	return !problem;
}

static void sharding_constraint_batch(build *b, const eqn *e, const batching *to, const var *x,
                                      const bool *mapped, var *y, bool *ymapped)
{
	const constraint_params *p = e->params;
	int64_t *open = ints_room(b, p->open.n + 1);
	int spmd[MAX_AXES], nspmd = 0, n = 0;
	const sharding *batched = NULL;

	(void)mapped;
	if (open && (!to->spmd_axis || find_spmd(b, e, to->spmd_axis, spmd, &nspmd)))
		batched = sharding_batched(build_ir(b)->shards, build_where(b), p->to.v[0], spmd,
		                           nspmd);
	if (!batched) {
		build_fail(b);
		return;
	}
	if (!nspmd) open[n++] = 0;
	for (int i = 0; i < p->open.n; i++) open[n++] = p->open.v[i] + 1;
	const constraint_params more = {p->mesh, {1, &batched}, {n, open}};
	y[0] = emit(b, e->prim, &more, x, 1);
	ymapped[0] = true;
}

static const field constraint_fields[] = {
	PARAM(constraint_params, mesh, FIELD_MESH), PARAM(constraint_params, to, FIELD_SPECS),
	PARAM(constraint_params, open, FIELD_INTS), PARAMS_END};
const tsr_prim tsr__prim_sharding_constraint = {
	.name = "sharding_constraint",
	.doc = "the same elements, where the spec says",
	.nin = 1,
	.nout = 1,
	.params = constraint_fields,
	.types = sharding_constraint_types,
	.factors = factors_kept,
	.jvp = jvp_linear,
	.transpose = sharding_constraint_transpose,
	.batch = sharding_constraint_batch,
	.eval = eval_kept,
	.no_rule = {[COL_COST] = "partition replaces it by its operand",
                    [COL_LOWER] = "partition replaces it by its operand"},
};
