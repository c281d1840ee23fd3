/* recipe_run.c - recipes through the public API: one C body runs every region.
 *
 * A body finds its region in its .env. It gets values as arguments or as captures, or uses handles
 * of the enclosing region directly, which lifts them. */
#include "support/recipe_run.h"
#include <stdio.h>
#include <string.h>

/* ---- calls of nests */

static void fill_slots(runner *u, const nest *n, tsr *const *value, int number)
{
	int at = 0;

	for (int k = 0; k < n->nargs; k++)
		if (n->as[k] == AS_CAPTURE) u->slot[number][at++] = value[n->arg[k]];
}

/* handles of the arguments; gives their number */
static int argument_leaves(const nest *n, tsr *const *value, tsr **leaf)
{
	int count = 0;

	for (int k = 0; k < n->nargs; k++)
		if (n->as[k] == AS_ARGUMENT) leaf[count++] = value[n->arg[k]];
	return count;
}

/* a loop that only carries can also count */
static bool is_fori(const nest *n, const step *s, int count)
{
	return n->other && count == n->ncarry && s->nout == n->ncarry && !n->reverse;
}

static void run_scan(runner *u, const nest *n, tsr **value, const step *s)
{
	tsr_fn *f = jit_fn(u, n->region[0]);
	tsr *leaf[RECIPE_INS];
	tsr_out out[RECIPE_OUTS];
	const int count = argument_leaves(n, value, leaf);
	int nout = 1;
	const tsr_tree carry = {.leaf = leaf, .count = (size_t)n->ncarry};
	const tsr_tree xs = {.leaf = leaf + n->ncarry, .count = (size_t)(count - n->ncarry)};
	const tsr_scan_args a = {.size = sizeof a,
	                         .length = xs.count ? 0 : n->length,
	                         .reverse = n->reverse,
	                         .unroll = n->unroll};

	out[0] = place(&value[s->first], n->ncarry);
	for (int k = n->ncarry; k < s->nout; k++) out[nout++] = place(&value[s->first + k], 1);
	const tsr_arg init = tsr_arg_tree(carry);
	u->counts[n->region[0]] = is_fori(n, s, count);
	if (u->counts[n->region[0]])
		tsr_fori_into_at(TSR_HERE, out, 1, tsr_arg_int(0), tsr_arg_int(n->length),
		                 TSR_BODY(f), &init, 1);
	else
		tsr_scan_into_at(TSR_HERE, out, (size_t)nout, TSR_BODY(f), init, tsr_arg_tree(xs),
		                 &a);
}

static void run_cond(runner *u, const nest *n, tsr **value, const tsr_out *out, int nout,
                     const tsr_arg *arg, size_t narg)
{
	tsr_fn *yes = jit_fn(u, n->region[0]), *no = jit_fn(u, n->region[1]);
	tsr *pred = tsr_gt(tsr_sum(value[n->pred]), n->k);

	if (n->other)
		tsr_switch_into_at(TSR_HERE, out, (size_t)nout, TSR_ARG(tsr_astype(pred, TSR_I32)),
		                   TSR_BRANCHES(no, yes), arg, narg);
	else
		tsr_cond_into_at(TSR_HERE, out, (size_t)nout, TSR_ARG(pred), TSR_BODY(yes),
		                 TSR_BODY(no), arg, narg);
}

/* jvp with respect to all arguments, in two parts */
static void run_linearize(runner *u, const nest *n, tsr **value, const step *s, const tsr_arg *arg,
                          size_t narg)
{
	tsr_out out[RECIPE_OUTS], tangent[RECIPE_OUTS];
	tsr_arg dx[1 + RECIPE_INS];
	const int nout = s->nout / 2;

	for (int k = 0; k < nout; k++) {
		out[k] = place(&value[s->first + k], 1);
		tangent[k] = place(&value[s->first + nout + k], 1);
	}
	const tsr_linearized l =
		tsr_linearize_at(TSR_HERE, out, (size_t)nout, jit_fn(u, n->region[0]), arg, narg);
	dx[0] = tsr_arg_tree(l.residuals);
	for (int t = 0; t < n->nwrt; t++) dx[1 + t] = tsr_arg_one(value[n->tangent[t]]);
	tsr_call_into_at(TSR_HERE, tangent, (size_t)nout, l.fn, dx, 1 + (size_t)n->nwrt);
}

/* gradients with respect to all arguments, of which some are wanted */
static void run_vjp(runner *u, const nest *n, tsr **value, const step *s, const tsr_arg *arg,
                    size_t narg)
{
	tsr *result[RECIPE_OUTS], *gradient[RECIPE_INS];
	tsr_out out[RECIPE_OUTS], to[RECIPE_INS];
	tsr_arg ct[1 + RECIPE_OUTS];
	const int nout = u->r->region[n->region[0]].nout;
	int at = s->first;

	for (int k = 0; k < nout; k++) out[k] = place(&result[k], 1);
	for (size_t k = 0; k < narg; k++) to[k] = place(&gradient[k], 1);
	const tsr_linearized l =
		tsr_vjp_at(TSR_HERE, out, (size_t)nout, jit_fn(u, n->region[0]), arg, narg);
	ct[0] = tsr_arg_tree(l.residuals);
	for (int k = 0; k < nout; k++)
		ct[1 + k] = tsr_arg_one(k ? tsr_zeros_like(result[k]) : tsr_ones_like(result[k]));
	tsr_call_into_at(TSR_HERE, to, narg, l.fn, ct, 1 + (size_t)nout);
	for (int k = 0; n->kind == NEST_VALUE_AND_GRAD && k < nout; k++) value[at++] = result[k];
	for (int t = 0; t < n->nwrt; t++) value[at++] = gradient[argument_number(n, n->wrt[t])];
	for (int k = 1; n->kind == NEST_GRAD && k < nout; k++) value[at++] = result[k];
}

/* places of the results of a call; gradients for a tree are a tree */
static int result_places(const runner *u, const nest *n, const step *s, tsr **value, tsr_out *out)
{
	const int first = n->kind == NEST_GRAD ? 0 : u->r->region[n->region[0]].nout;
	const bool gradients = n->kind == NEST_GRAD || n->kind == NEST_VALUE_AND_GRAD;
	int nout = 0;

	for (int k = 0; k < s->nout;) {
		const int leaves = n->tree && gradients && k == first ? n->nwrt : 1;
		out[nout++] = place(&value[s->first + k], leaves);
		k += leaves;
	}
	return nout;
}

static void run_nest(runner *u, const step *s, tsr **value)
{
	const nest *n = &s->nest;
	tsr *leaf[2 * RECIPE_INS];
	tsr_arg arg[2 * RECIPE_INS];
	tsr_out out[2 * RECIPE_OUTS + RECIPE_INS];
	const int count = argument_leaves(n, value, leaf),
		  tangents = n->kind == NEST_JVP ? n->nwrt : 0;
	size_t narg = 0;

	for (int b = 0; b < 1 + (n->kind == NEST_COND); b++) fill_slots(u, n, value, n->region[b]);
	for (int t = 0; t < tangents; t++) leaf[count + t] = value[n->tangent[t]];
	if (n->tree) {
		arg[narg++] = tsr_arg_tree((tsr_tree){.leaf = leaf, .count = (size_t)count});
		if (tangents)
			arg[narg++] = tsr_arg_tree(
				(tsr_tree){.leaf = leaf + count, .count = (size_t)tangents});
	}
	for (int k = 0; !n->tree && k < count + tangents; k++) arg[narg++] = tsr_arg_one(leaf[k]);
	const int nout = result_places(u, n, s, value, out);
	if (n->kind == NEST_SCAN)
		run_scan(u, n, value, s);
	else if (n->kind == NEST_COND)
		run_cond(u, n, value, out, nout, arg, narg);
	else if (n->kind == NEST_JVP && n->other && count == n->nwrt)
		run_linearize(u, n, value, s, arg, (size_t)count);
	else if (derives(n->kind) && n->kind != NEST_JVP && n->other)
		run_vjp(u, n, value, s, arg, narg);
	else
		tsr_call_into_at(TSR_HERE, out, (size_t)nout, nest_fn(u, n), arg, narg);
}

/* ---- regions */

/* by type, in checked regions, a value varies over just the axes of the mesh that the recipe
 * says */
static void check_varying(const runner *u, const region *g, int number, tsr *x)
{
	char text[80];

	for (int i = 0; !g->unchecked && !u->r->mixed && i < g->bound.n; i++) {
		const axis_info *axis = &u->r->axis[g->bound.at[i]];
		const char name[] = {axis->name, 0};
		const bool want = g->value[number].varying >> g->bound.at[i] & 1;
		if (!axis->mesh || tsr_is_poison(x) || tsr_varying(x, name) == want) continue;
		snprintf(text, sizeof text, "value %d of region %d: varies over %s: not as %s",
		         number, (int)(g - u->r->region), name, want ? "true" : "false");
		tsr_fail(x, text);
	}
}

static void run_region(runner *u, int number)
{
	const region *g = &u->r->region[number];
	tsr **value = u->live[number];

	for (int k = 0; k < g->nsteps; k++) {
		const step *s = &g->step[k];
		tsr *a = s->nin > 0 ? value[s->in[0]] : NULL,
		    *b = s->nin > 1 ? value[s->in[1]] : NULL;
		if (s->op == OP_NEST)
			run_nest(u, s, value);
		else if (s->op == OP_EXCHANGE)
			value[s->first] = exchange_call(u, s, a, b);
		else
			value[s->first] = local_call(u, s, &g->value[s->first], a, b);
		for (int i = 0; i < s->nout; i++)
			check_varying(u, g, s->first + i, value[s->first + i]);
	}
}

/* the arguments of a frame as one list of handles: a scan has two trees, others have handles */
static int frame_leaves(tsr_frame *frame, tsr **leaf)
{
	int n = 0;

	for (size_t k = 0; k < tsr_frame_count(frame); k++) {
		const tsr_tree t = tsr_frame_tree(frame, k);
		for (size_t i = 0; i < t.count && n < RECIPE_INS; i++) leaf[n++] = t.leaf[i];
	}
	return n;
}

static void take_inputs(runner *u, tsr_frame *frame, int number)
{
	const nest *n = u->around[number];
	tsr *leaf[RECIPE_INS] = {0};
	const int count = frame_leaves(frame, leaf);
	const tsr_tree captures = tsr_frame_captures(frame);
	size_t capture = 0;

	for (int k = 0, at = u->counts[number]; k < u->r->region[number].nin; k++) {
		tsr **to = &u->live[number][k];
		if (!n || n->as[k] == AS_ARGUMENT)
			*to = at < count ? leaf[at++] : NULL;
		else if (n->as[k] == AS_CAPTURE)
			*to = captures.leaf[capture++];
		else
			*to = u->live[u->parent[number]][n->arg[k]];
	}
}

void run_body(tsr_frame *frame)
{
	const body_env *env = tsr_frame_env(frame);
	runner *u = env->of;
	const int number = (int)env->region;
	const region *g = &u->r->region[number];
	const nest *n = u->around[number];
	const bool scan = n && n->kind == NEST_SCAN;
	tsr *result[RECIPE_OUTS];
	tsr_arg out[RECIPE_OUTS];
	size_t nout = 0;

	take_inputs(u, frame, number);
	run_region(u, number);
	for (int k = 0; k < g->nout; k++) result[k] = u->live[number][g->out[k]];
	if (scan)
		out[nout++] = tsr_arg_tree((tsr_tree){.leaf = result, .count = (size_t)n->ncarry});
	for (int k = scan ? n->ncarry : 0; k < g->nout; k++) out[nout++] = TSR_ARG(result[k]);
	tsr_return_at(TSR_HERE, frame, out, nout);
}

tsr_mesh *recipe_mesh(tsr_ctx *ctx, const recipe *r)
{
	tsr_axis axis[RECIPE_AXES];
	char name[RECIPE_AXES][2] = {0};
	int64_t ids[RECIPE_DEVICES];
	int devices = 1;

	for (int k = 0; k < r->nmesh; k++) {
		name[k][0] = r->axis[k].name;
		axis[k] = (tsr_axis){name[k], r->axis[k].size};
		devices *= r->axis[k].size;
	}
	for (int k = 0; k < devices; k++) ids[k] = r->device[k];
	return tsr_mesh_make_devices_at(TSR_HERE, ctx, ids, (size_t)devices, axis,
	                                (size_t)r->nmesh);
}

static runner *runner_make(tsr_ctx *ctx, const recipe *r, tsr_dtype dtype)
{
	static _Thread_local uint64_t serial; /* processes may be threads */
	static _Thread_local runner u;

	memset(&u, 0, sizeof u);
	u = (runner){.r = r, .ctx = ctx, .dtype = dtype, .serial = ++serial};
	if (r->nmesh) u.mesh = recipe_mesh(ctx, r);
	for (int k = 0; k < r->nregions; k++)
		for (int i = 0; i < r->region[k].nsteps; i++) {
			const step *s = &r->region[k].step[i];
			if (s->op != OP_NEST) continue;
			for (int b = 0; b < 1 + (s->nest.kind == NEST_COND); b++) {
				u.around[s->nest.region[b]] = &s->nest;
				u.parent[s->nest.region[b]] = k;
			}
		}
	return &u;
}

static tsr *input(const runner *u, int k, tsr *x)
{
	char text[RECIPE_NDIM][2 * RECIPE_AXES];

	if (!u->r->put[k]) return x;
	return tsr_put(x, u->mesh, split_spec(u->r, &u->r->place[k], text));
}

void recipe_run(tsr_ctx *ctx, const recipe *r, tsr_dtype dtype, tsr *const *in, tsr **out)
{
	runner *u = runner_make(ctx, r, dtype);
	const region *g = &r->region[0];
	tsr_arg arg[RECIPE_INS];
	tsr_out to[RECIPE_OUTS];

	for (int k = 0; k < g->nin; k++) arg[k] = tsr_arg_one(u->live[0][k] = input(u, k, in[k]));
	for (int k = 0; k < g->nout; k++) to[k] = place(&out[k], 1);
	for (int k = 0; k < 1 + r->twice; k++)
		if (r->jit)
			tsr_call_into_at(TSR_HERE, to, (size_t)g->nout, jit_fn(u, 0), arg,
			                 (size_t)g->nin);
		else
			run_region(u, 0);
	if (r->jit) return;
	for (int k = 0; k < g->nout; k++) out[k] = u->live[0][g->out[k]];
}

const char *recipe_program(tsr_ctx *ctx, const recipe *r, tsr_dtype dtype, tsr *const *in)
{
	runner *u = runner_make(ctx, r, dtype);
	tsr_arg arg[RECIPE_INS];

	for (int k = 0; k < r->region[0].nin; k++) arg[k] = tsr_arg_one(in[k]);
	return tsr_fn_text_at(TSR_HERE, jit_fn(u, 0), arg, (size_t)r->region[0].nin);
}
