/* effects.c - checks equations with effects, and finds the axes that they are evaluated over. */
#include "lib/lib.h"

ints effect_axes(const tsr_ctx *ctx, int64_t *room)
{
	ints set = {0, room};
	int n;
	const axis *axes = trace_axes(ctx, &n);

	for (int i = 0; i < n; i++)
		if (axes[i].kind == AXIS_MESH) room[set.n++] = i;
	return set;
}

bool check_effect_axes(build *b, const eqn *e, const type *const *in)
{
	const axis_set named = own_axes(e);

	for (int i = 0; i < e->nin; i++)
		if (in[i]->varying & ~named)
			return fail(build_base(b), e->where, TSR_ERROR_SHARDING,
			            "%s: operand %d varies over axes that .axes does not name",
			            e->prim->name, i);
	return true;
}

void effect_factors(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	for (int v = 0; v < e->nin + e->nout; v++) {
		const type *t = v < e->nin ? in[v] : out[v - e->nin];
		for (int d = 0; d < t->ndim; d++)
			factor_whole(f, v, d, t->dims[d], "the user sees all of it");
	}
}
