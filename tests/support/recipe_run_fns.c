/* recipe_run_fns.c - the fns of nests of recipes. */
#include "support/recipe_run.h"
#include <string.h>

typedef struct body_of {
	tsr_body body;
	body_env env;
	size_t env_size;
	tsr_tree captures;
} body_of;

/* a region as a body: of a bare one, the fn of its nest */
static body_of body_make(runner *u, int number)
{
	const region *g = &u->r->region[number];
	const nest *n = u->around[number];
	size_t captures = 0;

	if (g->bare) return (body_of){.body = {.fn = nest_fn(u, &g->step[0].nest)}};
	for (int k = 0; n && k < n->nargs; k++) captures += n->as[k] == AS_CAPTURE;
	return (body_of){
		.body = TSR_BODY(run_body),
		.env = {u, u->serial, number},
		.env_size = sizeof(body_env),
		.captures = {.leaf = captures ? u->slot[number] : NULL, .count = captures}};
}

#define BODY_KEYS(b) \
	.name = "region", .env = (b).env_size ? &(b).env : NULL, .env_size = (b).env_size, \
	.captures = (b).captures

tsr_fn *jit_fn(runner *u, int number)
{
	const body_of b = body_make(u, number);
	const tsr_jit_args a = {.size = sizeof a, BODY_KEYS(b)};

	return tsr_jit_at(TSR_HERE, u->ctx, b.body, "region", &a);
}

/* of each leaf of the arguments: its mapped dim; gives their number */
static int mapped_dims(const nest *n, int *dim)
{
	int count = 0;

	for (int k = 0; k < n->nargs; k++)
		if (n->as[k] == AS_ARGUMENT)
			dim[count++] = n->in_at[k] == RECIPE_UNMAPPED ? TSR_UNMAPPED : n->in_at[k];
	return count;
}

/* .in, .out and .axis_size of vmap and pmap */
typedef struct mapped {
	int dim[RECIPE_INS], to[RECIPE_OUTS];
	tsr_mapped in[TSR_MAX_ARGS], out[TSR_MAX_ARGS];
	int64_t axis_size;
	char name[2];
} mapped;

static void map_dims(const runner *u, const nest *n, mapped *m)
{
	const axis_info *axis = &u->r->axis[n->axis];
	const int count = mapped_dims(n, m->dim);
	bool any = false;

	*m->name = axis->name;
	for (int k = 0; k < count; k++) {
		any = any || m->dim[k] != TSR_UNMAPPED;
		if (!n->tree) m->in[k] = (tsr_mapped){.count = 1, .dim = &m->dim[k]};
	}
	if (n->tree) m->in[0] = (tsr_mapped){.count = count, .dim = m->dim};
	for (int k = 0; k < u->r->region[n->region[0]].nout; k++) {
		m->to[k] = n->out_at[k] == RECIPE_UNMAPPED ? TSR_UNMAPPED : n->out_at[k];
		m->out[k] = (tsr_mapped){.count = 1, .dim = &m->to[k]};
	}
	if (!any) m->axis_size = axis->size;
}

static tsr_fn *vmap_fn(runner *u, const nest *n)
{
	const body_of b = body_make(u, n->region[0]);
	mapped m = {0};

	map_dims(u, n, &m);
	tsr_vmap_args a = {.size = sizeof a, BODY_KEYS(b), .axis_size = m.axis_size};
	a.axis = *m.name ? m.name : NULL;
	memcpy(a.in, m.in, sizeof a.in);
	memcpy(a.out, m.out, sizeof a.out);
	return tsr_vmap_at(TSR_HERE, u->ctx, b.body, "region", &a);
}

/* the outermost one is over the devices of the mesh in their order */
static tsr_fn *pmap_fn(runner *u, const nest *n)
{
	const body_of b = body_make(u, n->region[0]);
	const size_t size = (size_t)tsr_mesh_size(u->mesh);
	int64_t ids[RECIPE_DEVICES];
	bool in_order = true;
	mapped m = {0};

	map_dims(u, n, &m);
	tsr_pmap_args a = {.size = sizeof a, BODY_KEYS(b), .axis_size = m.axis_size};
	a.axis = n->anonymous ? NULL : m.name;
	memcpy(a.in, m.in, sizeof a.in);
	memcpy(a.out, m.out, sizeof a.out);
	for (size_t k = 0; k < size; k++) {
		ids[k] = tsr_mesh_device(u->mesh, (int64_t)k);
		in_order = in_order && ids[k] == (int64_t)k;
	}
	if (!in_order && !n->axis) {
		a.devices = ids;
		a.device_count = size;
	}
	return tsr_pmap_at(TSR_HERE, u->ctx, b.body, "region", &a);
}

/* the number of an input among the arguments */
int argument_number(const nest *n, int input)
{
	int number = 0;

	for (int k = 0; k < input; k++) number += n->as[k] == AS_ARGUMENT;
	return number;
}

static tsr_fn *derived_fn(runner *u, const nest *n)
{
	const body_of b = body_make(u, n->region[0]);
	const bool aux = u->r->region[n->region[0]].nout > 1;
	tsr_grad_args a = {.size = sizeof a, BODY_KEYS(b), .wrt = {.d = {1 + n->nwrt}}};

	for (int t = 0; t < n->nwrt; t++) a.wrt.d[1 + t] = argument_number(n, n->wrt[t]);
	if (n->tree) a.wrt = TSR_DIMS(0);
	if (n->kind == NEST_JVP) return tsr_jvp_at(TSR_HERE, u->ctx, b.body, "region", &a);
	a.has_aux = aux;
	if (n->kind == NEST_GRAD) return tsr_grad_at(TSR_HERE, u->ctx, b.body, "region", &a);
	return tsr_value_and_grad_at(TSR_HERE, u->ctx, b.body, "region", &a);
}

tsr_spec split_spec(const recipe *r, const split *cut, char text[][2 * RECIPE_AXES])
{
	tsr_spec spec = {.n1 = 1 + cut->n};

	for (int d = 0; d < cut->n; d++) spec.d[1 + d] = axis_list_text(r, &cut->dim[d], text[d]);
	return spec;
}

static tsr_fn *map_fn(runner *u, const nest *n)
{
	char in_text[RECIPE_INS][RECIPE_NDIM][2 * RECIPE_AXES], manual[2 * RECIPE_AXES];
	char out_text[RECIPE_OUTS][RECIPE_NDIM][2 * RECIPE_AXES];
	tsr_spec in[RECIPE_INS], to[RECIPE_OUTS];
	const body_of b = body_make(u, n->region[0]);
	int narg = 0;
	tsr_shard_map_args a = {.size = sizeof a,
	                        BODY_KEYS(b),
	                        .unchecked = n->unchecked,
	                        .axes = axis_list_text(u->r, &n->manual, manual)};

	for (int k = 0; k < n->nargs; k++) {
		if (n->as[k] != AS_ARGUMENT) continue;
		in[narg] = split_spec(u->r, &n->in[k], in_text[k]);
		if (!n->tree) a.in[narg] = (tsr_specs){.count = 1, .leaf = &in[narg]};
		narg++;
	}
	if (n->tree) a.in[0] = (tsr_specs){.count = narg, .leaf = in};
	for (int k = 0; k < u->r->region[n->region[0]].nout; k++) {
		to[k] = split_spec(u->r, &n->to[k], out_text[k]);
		a.out[k] = (tsr_specs){.count = 1, .leaf = &to[k]};
	}
	return tsr_shard_map_at(TSR_HERE, u->mesh, b.body, "region", &a);
}

tsr_out place(tsr **value, int n) { return (tsr_out){.to = {.leaf = value, .count = (size_t)n}}; }

/* what it saves depends on the region */
static tsr_fn *remat_fn(runner *u, int number)
{
	const body_of b = body_make(u, number);
	const tsr_remat_save save = (tsr_remat_save)(number % 3);
	const tsr_remat_args a = {.size = sizeof a, BODY_KEYS(b), .save = save};

	return tsr_remat_at(TSR_HERE, u->ctx, b.body, "region", &a);
}

static tsr_fn *custom_fn(runner *u, const nest *n)
{
	const body_of b = body_make(u, n->region[0]);
	const tsr_custom_args a = {.size = sizeof a, BODY_KEYS(b)};

	if (n->kind == NEST_CUSTOM_JVP)
		return tsr_custom_jvp_at(TSR_HERE, u->ctx, b.body, "region", TSR_BODY(rule_jvp),
		                         &a);
	return tsr_custom_vjp_at(TSR_HERE, u->ctx, b.body, "region", TSR_BODY(rule_forward),
	                         TSR_BODY(rule_backward), &a);
}

tsr_fn *nest_fn(runner *u, const nest *n)
{
	switch (n->kind) {
	case NEST_REMAT: return remat_fn(u, n->region[0]);
	case NEST_CUSTOM_JVP:
	case NEST_CUSTOM_VJP: return custom_fn(u, n);
	case NEST_VMAP: return vmap_fn(u, n);
	case NEST_PMAP: return pmap_fn(u, n);
	case NEST_GRAD:
	case NEST_VALUE_AND_GRAD:
	case NEST_JVP: return derived_fn(u, n);
	case NEST_SHARD_MAP: return map_fn(u, n);
	default: return jit_fn(u, n->region[0]);
	}
}
