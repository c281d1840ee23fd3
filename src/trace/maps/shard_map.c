/* shard_map.c - traces the body of shard_map: it makes axes manual, takes blocks as inputs, and
 * checks the results.
 *
 * Example, on a mesh x:2:
 *
 *     static tsr *mean(tsr *x) { return tsr_pmean(x, "x"); }
 *     tsr_shard_map(mesh, mean, .sig = "[x] -> []")
 *
 * The body sees half of the argument, which varies over x. psum gives what does not vary, so the
 * result may be [], the same on all devices:
 *
 *     mean(%0: f32[4]) -> f32[2] {
 *       %1: f32[2] = shard_map %0 mesh=(x:2) axes=(x) in=[[x]] out=[[]]
 *         body=mean(%0: f32[2]{x}) -> f32[2] {
 *         %1: f32[2] = psum %0 axes=(x) to=invarying
 *         %2: f32[2] = div %1 2.0:f32
 *         return %2
 *       }
 *       return %1
 *     }
 *
 * A spec that does not fit is reported for every leaf at once, one line each, in the words of the
 * reference. */
#include <stdio.h>
#include "trace/trace.h"

/* ---- the scope of the body */

static bool already_manual(const axis *scope, int n, const mesh *m, int position)
{
	for (int i = 0; i < n; i++)
		if (scope[i].kind == AXIS_MESH && scope[i].mesh == m &&
		    scope[i].position == position)
			return true;
	return false;
}

static bool same_mesh_only(const tracing *g, const axis *scope, int n)
{
	const fn *fn = g->fn;

	for (int i = 0; i < n; i++) {
		if (scope[i].kind != AXIS_MESH || scope[i].mesh == fn->map.mesh) continue;
		if (mesh_is_open(scope[i].mesh))
			return fail(&fn->ctx->base, g->where, TSR_ERROR_SHARDING,
			            "shard_map of '%s' is called inside tsr_pmap, which makes a "
			            "mesh of its own: use tsr_pmap here too, or tsr_shard_map "
			            "for both",
			            fn->name);
		str a = {.base = &fn->ctx->base}, b = {.base = &fn->ctx->base};
		mesh_text(&a, scope[i].mesh);
		mesh_text(&b, fn->map.mesh);
		fail(&fn->ctx->base, g->where, TSR_ERROR_SHARDING,
		     "the mesh of a shard_map inside another must be the same mesh: outside it is "
		     "%s, '%s' was given %s",
		     a.s ? a.s : "?", fn->name, b.s ? b.s : "?");
		str_free(&a);
		str_free(&b);
		return false;
	}
	return true;
}

static void axis_names(str *s, const mesh *m, axis_set set)
{
	bool first = true;

	str_put(s, "{");
	for (int i = 0; i < m->naxes; i++) {
		if (!(set >> i & 1)) continue;
		str_printf(s, first ? "%s" : ",%s", m->axis[i].name);
		first = false;
	}
	str_put(s, "}");
}

static bool refuse_manual(const tracing *g, axis_set want, axis_set taken)
{
	const fn *fn = g->fn;
	str a = {.base = &fn->ctx->base}, b = {.base = &fn->ctx->base};

	axis_names(&a, fn->map.mesh, want);
	axis_names(&b, fn->map.mesh, taken);
	if (want)
		fail(&fn->ctx->base, g->where, TSR_ERROR_SHARDING,
		     "shard_map of '%s' makes axes %s manual, but %s already manual where it is "
		     "called; name only other axes in .axes",
		     fn->name, a.s ? a.s : "?", b.s ? b.s : "?");
	else
		fail(&fn->ctx->base, g->where, TSR_ERROR_SHARDING,
		     "shard_map of '%s' finds every axis of its mesh %s manual already; give the "
		     "outer shard_map fewer .axes",
		     fn->name, b.s ? b.s : "?");
	str_free(&a);
	str_free(&b);
	return false;
}

bool map_scope_find(const tracing *g, map_scope *out)
{
	const fn *fn = g->fn;
	const mesh *m = fn->map.mesh;
	int n;
	const axis *scope = trace_axes(fn->ctx, &n);
	axis_set taken = 0;

	if (!same_mesh_only(g, scope, n)) return false;
	for (int i = 0; i < m->naxes; i++)
		if (already_manual(scope, n, m, i)) taken |= axis_bit(i);
	const axis_set left = axes_below(m->naxes) & ~taken;
	const axis_set want = fn->map.manual ? fn->map.manual : left;
	if (!want || (want & taken)) return refuse_manual(g, want, taken);
	int64_t *manual = arena_array(g->scratch, (size_t)m->naxes, sizeof *manual);
	if (!manual) return false;
	for (int i = 0; i < n; i++) out->axes[i] = scope[i];
	out->outer = out->naxes = n;
	out->manual = (ints){0, manual};
	for (int i = 0; i < m->naxes; i++) {
		if (!(want >> i & 1)) continue;
		if (out->naxes == MAX_AXES)
			return fail(&fn->ctx->base, g->where, TSR_ERROR_UNSUPPORTED,
			            "more than %d axes in scope", MAX_AXES);
		manual[out->manual.n++] = i;
		out->axes[out->naxes++] =
			(axis){m->axis[i].name, m->axis[i].size, AXIS_MESH, m, i, NULL};
	}
	return true;
}

static axis_set manual_positions(const map_scope *s)
{
	axis_set set = 0;

	for (int i = 0; i < s->manual.n; i++) set |= axis_bit(s->manual.v[i]);
	return set;
}

/* entries of the body's axis table, from positions in the mesh */
static axis_set to_entries(const map_scope *s, axis_set positions)
{
	axis_set set = 0;

	for (int i = 0; i < s->manual.n; i++)
		if (positions >> s->manual.v[i] & 1) set |= axis_bit(s->outer + i);
	return set;
}

static axis_set to_positions(const map_scope *s, axis_set entries)
{
	axis_set set = 0;

	for (int i = 0; i < s->manual.n; i++)
		if (entries >> (s->outer + i) & 1) set |= axis_bit(s->manual.v[i]);
	return set;
}

/* ---- specs against leaves. A complaint collects one line a leaf; its text is finished by
 * complain_end */

typedef struct side { /* how one side of the map is called in messages */
	const fn *fn;
	const map_scope *scope;
	const char *where, *specs, *value, *passed; /* "in_specs", "input", "the passed " */
	const arg_specs *given;
	const leaves *args;        /* inputs only */
	const result_shape *shape; /* outputs only */
} side;

static void value_text(str *s, const side *d, int arg, int i)
{
	str_put(s, d->passed);
	if (d->args)
		leaf_text(s, d->args, i);
	else if (d->shape->n == 1 && d->shape->count[0] == 1)
		str_printf(s, "%s(*args)", d->fn->name);
	else
		str_printf(s, "result %d (in group %d) of %s(*args)", i, arg, d->fn->name);
}

static void spec_of_text(str *s, const side *d, int arg, int index)
{
	const arg_specs *g = &d->given[arg];
	const int k = g->n == 1 ? 0 : index;

	str_printf(s, "%s[%d] is ", d->specs, arg);
	spec_text(s, d->fn->map.mesh, &g->given[k]);
}

static bool complain_end(const side *d, str *lines, tsr_code code, const char *head,
                         const char *advice)
{
	if (!lines->len) return true;
	fail(&d->fn->ctx->base, d->where, code,
	     "shard_map applied to the function '%s' was given %s%s\n\n%s", d->fn->name, head,
	     lines->s ? lines->s : "\n\n(no memory for the details)", advice);
	str_free(lines);
	return false;
}

static const sharding *spec_at(const side *d, int arg, int index)
{
	const arg_specs *g = &d->given[arg];

	return g->leaf[g->n == 1 ? 0 : index];
}

static int length_at(const side *d, int arg, int index)
{
	const arg_specs *g = &d->given[arg];

	return g->given[g->n == 1 ? 0 : index].ndim;
}

static bool check_counts(const side *d, int nspecs, int nvalues, const int *leaves_of)
{
	base *bs = &d->fn->ctx->base;

	if (nspecs != nvalues)
		return fail(bs, d->where, TSR_ERROR_ARGUMENT,
		            "shard_map of '%s': %s has %d entr%s, one for each %s, but there %s "
		            "%d; give one spec for each (or one a leaf of a "
		            "tree with TSR_FOR_EACH)",
		            d->fn->name, d->specs, nspecs, nspecs == 1 ? "y" : "ies", d->value,
		            nvalues == 1 ? "is" : "are", nvalues);
	for (int i = 0; i < nvalues; i++)
		if (d->given[i].n != 1 && d->given[i].n != leaves_of[i])
			return fail(
				bs, d->where, TSR_ERROR_ARGUMENT,
				"shard_map of '%s': %s[%d] has %d specs for a value of %d leaves",
				d->fn->name, d->specs, i, d->given[i].n, leaves_of[i]);
	return true;
}

static bool check_manual(const side *d, const map_scope *s, int nspecs)
{
	const axis_set manual = manual_positions(s);

	for (int i = 0; i < nspecs; i++)
		for (int k = 0; k < d->given[i].n; k++) {
			const axis_set stray = d->given[i].leaf[k]->axes & ~manual;
			if (!stray) continue;
			str a = {.base = &d->fn->ctx->base}, b = {.base = &d->fn->ctx->base};
			axis_names(&a, d->fn->map.mesh, stray);
			axis_names(&b, d->fn->map.mesh, manual);
			fail(&d->fn->ctx->base, d->where, TSR_ERROR_SHARDING,
			     "shard_map of '%s': %s must refer to axes that it makes manual (%s), "
			     "but %s[%d] refers to %s",
			     d->fn->name, d->specs, b.s ? b.s : "?", d->specs, i, a.s ? a.s : "?");
			str_free(&a);
			str_free(&b);
			return false;
		}
	return true;
}

static void too_long_line(str *s, const side *d, int arg, int index, int i, const type *t)
{
	const int length = length_at(d, arg, index);

	if (length <= t->ndim) return;
	str_put(s, "\n\n");
	spec_of_text(s, d, arg, index);
	str_printf(s, " which has length %d, but ", length);
	value_text(s, d, arg, i);
	str_put(s, " has type ");
	type_text(s, t, d->scope->axes, d->scope->naxes);
	str_printf(s, ", which has rank %d (and %d < %d)", t->ndim, t->ndim, length);
	if (t->ndim == 0) str_put(s, "; for a value of rank 0 use P()");
	if (t->ndim == 0 && !d->args)
		str_put(s, ", or give it a dim of size 1 so that results can be concatenated");
}

static bool too_long_end(const side *d, str *lines)
{
	char head[160], advice[160];

	snprintf(head, sizeof head,
	         "an %s entry which is too long to be compatible with the corresponding %s value "
	         "of the function:",
	         d->specs, d->value);
	snprintf(advice, sizeof advice,
	         "Entries in %s must not be longer than the value has dims: shorten the spec or "
	         "give the value "
	         "more dims.",
	         d->specs);
	return complain_end(d, lines, TSR_ERROR_SHARDING, head, advice);
}

static void axes_text(str *s, const sharding *sh, int d)
{
	const int first = sh->spec.start[d], n = sh->spec.start[d + 1] - first;

	if (n > 1)
		str_put(s, "mesh axes (");
	else
		str_put(s, "mesh axis ");
	for (int i = 0; i < n; i++)
		str_printf(s, i ? ", '%s'" : "'%s'", sh->mesh->axis[sh->spec.axis[first + i]].name);
	str_printf(s, n > 1 ? ") (of total size %lld)" : " (of size %lld)",
	           (long long)sharding_parts(sh, d));
}

static void indivisible_lines(str *s, const side *d, int arg, int index, int i, const type *t)
{
	const sharding *sh = spec_at(d, arg, index);

	for (int k = 0; k < t->ndim && k < sh->spec.ndim; k++) {
		const int64_t parts = sharding_parts(sh, k);
		if (t->dims[k] % parts == 0) continue;
		str_put(s, "\n\n");
		value_text(s, d, arg, i);
		str_put(s, " of type ");
		type_text(s, t, d->scope->axes, d->scope->naxes);
		str_put(s, " corresponds to ");
		str_printf(s, "%s[%d] of value ", d->specs, arg);
		spec_text(s, sh->mesh, &sh->spec);
		str_printf(s, ", which maps dim %d (of size %lld) to ", k, (long long)t->dims[k]);
		axes_text(s, sh, k);
		str_printf(s, ", but %lld does not evenly divide %lld: pad the dim to %lld",
		           (long long)parts, (long long)t->dims[k],
		           (long long)((t->dims[k] / parts + 1) * parts));
	}
}

/* the same, where the head names the mesh at its end; brief: without memory for that */
static bool end_over_mesh(const side *d, str *lines, const char *text, const char *brief,
                          const char *advice)
{
	str head = {.base = &d->fn->ctx->base};

	if (!lines->len) return true;
	str_put(&head, text);
	mesh_text(&head, d->fn->map.mesh);
	str_put(&head, ":");
	complain_end(d, lines, TSR_ERROR_SHARDING, head.s ? head.s : brief, advice);
	str_free(&head);
	return false;
}

static bool indivisible_end(const side *d, str *lines)
{
	return end_over_mesh(
		d, lines,
		"arguments whose dims are not evenly divisible by the corresponding mesh axis "
		"sizes of ",
		"indivisible arguments:",
		"The dims of array arguments must be evenly divisible by the mesh axis or axes "
		"that the entry of .in names. Check that .in is right; if it is, change the mesh "
		"axis sizes, or pad the argument and adapt the body.");
}

/* ---- inputs */

static const type *block_type(const fn *fn, const map_scope *s, arena *a, const sharding *sh,
                              const type *t)
{
	int64_t *dims = arena_array(a, (size_t)t->ndim + 1, sizeof *dims);
	const axis_set manual = to_entries(s, manual_positions(s));

	if (!dims) return NULL;
	sharding_block_dims(sh, t->dims, t->ndim, dims);
	return type_shaped(&fn->ctx->ir, t, dims, t->ndim,
	                 t->varying | (fn->map.unchecked ? manual : to_entries(s, sh->axes)));
}

axis_set map_lift_varying(const fn *fn, const map_scope *s)
{
	return fn->map.unchecked ? to_entries(s, manual_positions(s)) : 0;
}

enum { ENOUGH = 4096 }; /* a message holds no more bytes: further lines would be lost */

static bool check_inputs(const side *d, const leaves *args, const type *const *types)
{
	str long_lines = {.base = &d->fn->ctx->base}, uneven = {.base = &d->fn->ctx->base};

	for (int i = 0; i < args->n; i++) {
		const leaf *l = &args->leaf[i];
		if (!l->handle || long_lines.len + uneven.len > ENOUGH) continue;
		too_long_line(&long_lines, d, l->arg, l->index, i, types[i]);
		indivisible_lines(&uneven, d, l->arg, l->index, i, types[i]);
	}
	if (too_long_end(d, &long_lines)) return indivisible_end(d, &uneven);
	str_free(&uneven);
	return false;
}

bool map_inputs(const tracing *g, const map_scope *s, const sharding **in, const type **block)
{
	const fn *fn = g->fn;
	const leaves *args = g->args;
	const side d = {fn, s, g->where, ".in", "input", "the passed ", fn->map.in, args, NULL};
	int count[TSR_MAX_ARGS] = {0};

	for (int i = 0; i < args->n; i++) count[args->leaf[i].arg]++;
	if (!check_counts(&d, fn->map.nin, args->nargs, count) ||
	    !check_manual(&d, s, fn->map.nin) || !check_inputs(&d, args, g->types))
		return false;
	for (int i = 0; i < args->n; i++) {
		const leaf *l = &args->leaf[i];
		in[i] = spec_at(&d, l->arg, l->index);
		block[i] = l->handle ? block_type(fn, s, g->scratch, in[i], g->types[i]) : NULL;
		if (l->handle && !block[i]) return false;
	}
	return true;
}

/* ---- outputs */

static void stray_line(str *s, const side *d, const map_scope *scope, int arg, int index, int i,
                       axis_set varying)
{
	const mesh *m = d->fn->map.mesh;
	const axis_set named = spec_at(d, arg, index)->axes,
		       unnamed = manual_positions(scope) & ~named, stray = varying & ~named;

	if (!stray) return;
	str_put(s, "\n\n");
	spec_of_text(s, d, arg, index);
	if ((unnamed & (unnamed - 1)) == 0) {
		str_put(s, " which implies that ");
		value_text(s, d, arg, i);
		str_put(s, " is replicated across mesh axis ");
		axis_names(s, m, unnamed);
		str_put(s, ", but could not infer replication over it: the value may vary over ");
		axis_names(s, m, varying);
		return;
	}
	str_put(s, " which implies that ");
	value_text(s, d, arg, i);
	str_put(s, " is only varying across mesh axes ");
	axis_names(s, m, named);
	str_put(s, " and not ");
	axis_names(s, m, unnamed);
	str_put(s, ", but it was inferred to be possibly varying over ");
	axis_names(s, m, varying);
}

static bool stray_end(const side *d, str *lines)
{
	return end_over_mesh(
		d, lines,
		".out promises replication that cannot be inferred from the types, given the mesh ",
		".out leaves axes out:",
		"Check that these results are meant to be equal over those axes. If not, name the "
		"axes in .out (or psum over them); if so, and the check cannot see it, pass "
		".unchecked = true to tsr_shard_map.");
}

static bool check_results(const side *d, const map_scope *s, trace *t, int n, const var *result)
{
	str long_lines = {.base = &d->fn->ctx->base}, stray = {.base = &d->fn->ctx->base};

	for (int i = 0; i < n; i++) {
		int index;
		const int g = shape_group(d->shape, i, &index);
		if (!result[i].id) continue;
		const type *type_i = build_type(t->build, result[i]);
		too_long_line(&long_lines, d, g, index, i, type_i);
		if (!d->fn->map.unchecked)
			stray_line(&stray, d, s, g, index, i, to_positions(s, type_i->varying));
	}
	if (too_long_end(d, &long_lines)) return stray_end(d, &stray);
	str_free(&stray);
	return false;
}

/* in an unchecked map the user promises that a result is equal along the axes that its spec leaves
 * out: the value of the first device is taken */
static bool promise_equal(const tracing *g, trace *t, const map_scope *s, const sharding *sh,
                          var *v)
{
	const axis_set entries = to_entries(s, manual_positions(s) & ~sh->axes);
	int64_t axes[MAX_AXES];
	const axes_params on = {
		{axes_listed(entries & build_type(t->build, *v)->varying, axes), {0, NULL}}};

	if (!g->fn->map.unchecked || !on.on.axes.n) return true;
	return build_eqn(t->build, &tsr__prim_assume_equal, &on, v, 1, v, g->where);
}

bool map_outputs(const tracing *g, trace *t, const map_scope *s, const results *returned,
                 const sharding **out, var *result)
{
	const fn *fn = g->fn;
	const result_shape *shape = &returned->shape;
	const side d = {fn, s, g->where, ".out", "output", "", fn->map.out, NULL, shape};

	if (!check_counts(&d, fn->map.nout, shape->n, shape->count) ||
	    !check_manual(&d, s, fn->map.nout) || !check_results(&d, s, t, returned->n, result))
		return false;
	for (int i = 0; i < returned->n; i++) {
		int index;
		const int group = shape_group(shape, i, &index);
		out[i] = spec_at(&d, group, index);
		if (result[i].id && !promise_equal(g, t, s, out[i], &result[i])) return false;
	}
	return true;
}
