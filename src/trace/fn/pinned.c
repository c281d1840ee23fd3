/* pinned.c - applies .in and .out of tsr_jit: where a jitted fn has its arguments and results.
 *
 * They are constraints at the beginning and at the end of its program, so that calls inside other
 * bodies, derivatives and batches have them too.
 *
 * Example:
 *
 *     tsr_jit(ctx, tsr_sin, .mesh = mesh, .in = TSR_SPECS(TSR_P("x")))
 *
 * For a mesh x:2:
 *
 *     tsr_sin(%0: f32[4]) -> f32[4] {
 *       %1: f32[4] = sharding_constraint %0 mesh=(x:2) to=[[x]] open=[]
 *       %2: f32[4] = sin %1
 *       return %2
 *     }
 *
 * An argument of a call outside of bodies that the user has committed to other places is an error,
 * as in JAX: to move it without a word would cost at each call. */
#include "trace/trace.h"

/* NULL: it is not given */
static const sharding *spec_for(const arg_specs *s, int n, int group, int index)
{
	if (group >= n || !s[group].n) return NULL;
	return s[group].leaf[s[group].n == 1 ? 0 : index];
}

static const sharding *spec_of_leaf(const fn *fn, const leaf *l)
{
	return spec_for(fn->map.in, fn->map.nin, l->arg, l->index);
}

static bool is_pinned(const fn *fn) { return fn->kind == FN_JIT && fn->map.mesh; }

/* ---- in the trace. side: ".in"; of a group with so many leaves */
static bool check_count(const tracing *g, const char *side, const arg_specs *s, int group, int n)
{
	return s[group].n <= 1 || s[group].n == n ||
	       fail(&g->fn->ctx->base, g->where, TSR_ERROR_ARGUMENT,
	            "%s[%d] of %s has %d specs for a value of %d leaves", side, group, g->fn->name,
	            s[group].n, n);
}

static bool check_groups(const tracing *g, const char *side, int nspecs, const char *values, int n)
{
	return nspecs <= n || fail(&g->fn->ctx->base, g->where, TSR_ERROR_ARGUMENT,
	                           "%s of %s has a spec for %s %d, and there are %d", side,
	                           g->fn->name, values, nspecs - 1, n);
}

bool pins_fit(const tracing *g)
{
	const fn *fn = g->fn;
	int count[TSR_MAX_ARGS] = {0};

	if (!is_pinned(fn)) return true;
	for (int i = 0; i < g->args->n; i++) count[g->args->leaf[i].arg]++;
	bool ok = check_groups(g, ".in", fn->map.nin, "argument", g->args->nargs);
	for (int i = 0; ok && i < fn->map.nin; i++)
		ok = check_count(g, ".in", fn->map.in, i, count[i]);
	return ok;
}

/* given: with trailing empty entries, which count for the rank */
static bool pin(const tracing *g, build *b, const char *side, int group, const spec *given,
                const sharding *to, var *v)
{
	const constraint_params p = {to->mesh, {1, &to}, {0, NULL}};
	const type *t = build_type(b, *v);

	if (given->ndim <= t->ndim)
		return build_eqn(b, &tsr__prim_sharding_constraint, &p, v, 1, v, g->where);
	str spec = {.base = &g->fn->ctx->base}, value = spec;
	int naxes;
	const axis *axes = build_axes(b, &naxes);
	spec_text(&spec, to->mesh, given);
	type_text(&value, t, axes, naxes);
	fail(spec.base, g->where, TSR_ERROR_SHARDING,
	     "%s[%d] of %s is %s, which is only valid for values of rank at least %d, but was "
	     "applied to %s of rank %d; shorten the spec",
	     side, group, g->fn->name, spec.s ? spec.s : "?", given->ndim,
	     value.s ? value.s : "?", t->ndim);
	str_free(&spec);
	str_free(&value);
	return false;
}

static const spec *given_for(const arg_specs *s, int index)
{
	return &s->given[s->n == 1 ? 0 : index];
}

bool pin_argument(const tracing *g, trace *t, int i, var *v)
{
	const leaf *l = &g->args->leaf[i];
	const sharding *to = is_pinned(g->fn) ? spec_of_leaf(g->fn, l) : NULL;

	return !to || pin(g, t->build, ".in", l->arg,
	                  given_for(&g->fn->map.in[l->arg], l->index), to, v);
}

bool pin_results(const tracing *g, trace *t, const results *returned, var *result)
{
	const fn *fn = g->fn;
	const result_shape *shape = &returned->shape;
	int index;

	if (!is_pinned(fn)) return true;
	bool ok = check_groups(g, ".out", fn->map.nout, "result", shape->n);
	for (int i = 0; ok && i < fn->map.nout; i++)
		ok = check_count(g, ".out", fn->map.out, i, shape->count[i]);
	for (int i = 0; ok && i < returned->n; i++) {
		const int group = shape_group(shape, i, &index);
		const sharding *to = spec_for(fn->map.out, fn->map.nout, group, index);
		if (to && result[i].id)
			ok = pin(g, t->build, ".out", group, given_for(&fn->map.out[group], index),
			         to, &result[i]);
	}
	return ok;
}

/* ---- in a call outside of bodies */

static bool refuse_committed(const fn_call *c, int i, const array *x, const sharding *to)
{
	base *bs = &c->fn->ctx->base;
	str name = {.base = bs}, type = name, is = name, wanted = name;

	leaf_text(&name, &c->args, i);
	type_text(&type, x->type, NULL, 0);
	sharding_text(&is, x->sharding);
	sharding_text(&wanted, to);
	fail(bs, c->where, TSR_ERROR_SHARDING,
	     "the sharding passed to tsr_jit of %s does not match that of its argument: .in[%d] is "
	     "%s, and %s of type %s is committed to %s; put it there first, or leave .in[%d] out",
	     c->fn->name, c->args.leaf[i].arg, wanted.s ? wanted.s : "?", name.s ? name.s : "?",
	     type.s ? type.s : "?", is.s ? is.s : "?", c->args.leaf[i].arg);
	str_free(&name);
	str_free(&type);
	str_free(&is);
	str_free(&wanted);
	return false;
}

bool pins_met(const fn_call *c, array *const *in)
{
	int at = 0;

	if (!is_pinned(c->fn)) return true;
	for (int i = 0; i < c->args.n; i++) {
		if (!c->args.leaf[i].handle) continue;
		const array *x = in[at++];
		const sharding *to = spec_of_leaf(c->fn, &c->args.leaf[i]);
		if (to && x->committed && !sharding_equivalent(x->sharding, to, x->type->ndim))
			return refuse_committed(c, i, x, to);
	}
	return true;
}

/* what the program could not do is done behind it */
bool pin_arrays(const fn_call *c, const traced *t, array **made)
{
	const fn_map *m = &c->fn->map;
	int index;

	for (int i = 0; is_pinned(c->fn) && i < t->nout; i++) {
		const int group = shape_group(&t->shape, i, &index), k = t->out[i];
		const sharding *to = spec_for(m->out, m->nout, group, index);
		if (!to || k < 0) continue;
		array *there = array_place(c->where, made[k], to, true);
		if (!there) return false;
		array_release(made[k]);
		made[k] = there;
	}
	return true;
}
