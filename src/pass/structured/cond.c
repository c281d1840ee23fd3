/* cond.c - the row that runs one of several programs.
 *
 * Where the index varies over some axes, devices take different branches, so all results vary over
 * these axes. All operands must vary over them too. Then what a branch computes from them varies as
 * well, and no transformation can put a sum over such an axis into a branch that only some devices
 * reach. */
#include "pass/structured/structured.h"

static const field cond_fields[] = {
	{"branches", offsetof(cond_params, branches), FIELD_PROGRAMS, NULL}, {NULL, 0, 0, NULL}};

static bool check_index(build *b, const eqn *e, const type *t)
{
	const cond_params *p = e->params;

	if (t->ndim || (t->dtype != TSR_BOOL && t->dtype != TSR_I32))
		return fail_type(b, e, "cond: operand 0 must be a scalar of dtype bool or i32");
	return t->dtype == TSR_I32 || p->branches.n == 2 ||
	       fail_type(b, e, "cond: a predicate decides between 2 branches, and there are %d",
	                 p->branches.n);
}

static bool check_varies(build *b, const eqn *e, const type *const *in, const type *const *out)
{
	const axis_set over = in[0]->varying;
	bool ok = true;

	for (int i = 1; i < e->nin; i++) ok = ok && !(over & ~in[i]->varying);
	for (int i = 0; i < e->nout; i++) ok = ok && !(over & ~out[i]->varying);
	return ok || fail_sharding(b, e, "cond: operands and results must vary over all axes over "
	                           "which the index varies");
}

static bool cond_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const cond_params *p = e->params;

	if (e->nin < 1 || p->branches.n < 1)
		return fail_type(b, e, "cond needs an index and at least one branch");
	return check_index(b, e, in[0]) && check_inside(b, e, in, out) &&
	       check_varies(b, e, in, out);
}

/* ---- run: each branch on the devices that take it */

static int taken(const run_args *a, int64_t device)
{
	const int last = ((const cond_params *)a->eqn->params)->branches.n - 1;
	const void *index = a->on->data(a->x[device]);
	const int32_t at = a->in[0]->dtype == TSR_BOOL ? *(const uint8_t *)index != 0
	                                               : *(const int32_t *)index;

	return at < 0 ? 0 : at > last ? last : at;
}

static bool run_together(const run_args *a)
{
	const cond_params *p = a->eqn->params;
	const int64_t n = a->on->n;
	bool *takes = mem_array(a->on->base, (size_t)n, sizeof *takes), ok = takes;

	for (int b = 0; ok && b < p->branches.n; b++) {
		bool some = false;
		for (int64_t k = 0; k < n; k++) {
			takes[k] = a->active[k] && taken(a, k) == b;
			some = some || takes[k];
		}
		if (some) ok = run_inside(a, b, takes, a->x + n, a->eqn->nin - 1, a->y);
	}
	mem_free(a->on->base, takes);
	return ok;
}

static bool cond_run(const run_args *a)
{
	const axis_set over = a->in[0]->varying;

	return in_turn(a->eqn, over) ? run_in_turn(a, over, run_together) : run_together(a);
}

TRANSPOSE_INSIDE(cond, transpose_linear, rebuild_put)

const tsr_prim tsr__prim_cond = {
	STRUCTURED(cond, "one of several programs, as an index says", cond_fields, cond_types),
	.edges = &(const edges){.in = {{.kind = EDGE_WHICH}, {.kind = EDGE_SAME}},
                                .out = {{.kind = EDGE_SAME}}},
	.jvp = jvp_inside,
	.transpose = cond_transpose,
	.batch = cond_batch,
	.split = cond_split,
	.replicate = replicate_inside,
	.run = cond_run,
	.no_rule = {[COL_FACTORS] = "partition looks inside",
                    [COL_COST] = PROGRAMS_INSIDE, [COL_LOWER] = STEPS_OF_A_SCHEDULE},
};
