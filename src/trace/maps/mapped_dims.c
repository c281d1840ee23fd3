/* mapped_dims.c - finds the dims that tsr_vmap and tsr_pmap map: from the user's request, against
 * the arguments and the results of a call.
 *
 * Example, for f32[4,2] and f32[4]:
 *
 *     tsr_vmap(ctx, tsr_add, .in = TSR_MAPPED(1, TSR_UNMAPPED))
 *
 * Dim 1 of the first argument is mapped, and becomes dim 0; the second one is the same each time:
 *
 *     tsr_add(%0: f32[4,2], %1: f32[4]) -> f32[2,4] {
 *       %2: f32[2,4] = transpose %0 perm=[1,0]
 *       %3: f32[2,4] = broadcast_in_dim %1 dims=[2,4] at=[1]
 *       %4: f32[2,4] = add %2 %3
 *       return %4
 *     } */
#include "trace/trace.h"

static const fn_mapped *asked(const mapping *m) { return &m->g->fn->mapped; }
static base *base_of(const mapping *m) { return &m->g->fn->ctx->base; }

static bool refuse_dim(const mapping *m, int leaf, int64_t dim, int ndim)
{
	str name = {.base = base_of(m)};

	leaf_text(&name, m->g->args, leaf);
	fail(name.base, m->g->where, TSR_ERROR_ARGUMENT,
	     "%s of '%s': %s is to be mapped along dim %lld, which implies that its rank should "
	     "be at least %lld, but it is only %d",
	     m->op, m->g->fn->name, name.s ? name.s : "a leaf", (long long)dim,
	     (long long)(dim < 0 ? -dim : dim + 1), ndim);
	str_free(&name);
	return false;
}

/* the mapped dim of a leaf as given */
static int given_dim(const mapped_dims *dims, int ngiven, int group, int index)
{
	if (!ngiven) return 0;
	return dims[group].dim[dims[group].n == 1 ? 0 : index];
}

static bool check_groups(const mapping *m, const char *what, const mapped_dims *dims, int ngiven,
                         int ngroups, const int *leaves_of)
{
	const char *name = m->g->fn->name;

	if (ngiven && ngiven != ngroups)
		return fail(base_of(m), m->g->where, TSR_ERROR_ARGUMENT,
		            "%s of '%s': .%s has %d entr%s, and there are %d %ss", m->op, name,
		            what, ngiven, ngiven == 1 ? "y" : "ies", ngroups,
		            *what == 'i' ? "argument" : "result");
	for (int i = 0; i < ngiven; i++)
		if (dims[i].n != 1 && dims[i].n != leaves_of[i])
			return fail(base_of(m), m->g->where, TSR_ERROR_ARGUMENT,
			            "%s of '%s': .%s[%d] has %d dims for a value of %d leaves",
			            m->op, name, what, i, dims[i].n, leaves_of[i]);
	return true;
}

/* the place of a dim among n, negative ones from the end; -1: it is out of range */
static int place_of(int dim, int n) { return dim < -n || dim >= n ? -1 : dim < 0 ? dim + n : dim; }

static bool size_agrees(mapping *m, int leaf, int64_t size)
{
	str lines = {.base = base_of(m)};

	if (m->size < 0 || m->size == size) {
		m->size = size;
		return true;
	}
	for (int i = 0; i <= leaf; i++) {
		if (m->at[i] < 0) continue;
		str_put(&lines, "\n  * ");
		leaf_text(&lines, m->g->args, i);
		str_printf(&lines, " has size %lld in its dim %d",
		           (long long)m->g->types[i]->dims[m->at[i]], m->at[i]);
	}
	str given = {.base = lines.base};
	if (asked(m)->axis_size)
		str_printf(&given, " .axis_size is %lld;", (long long)asked(m)->axis_size);
	fail(lines.base, m->g->where, TSR_ERROR_TYPE,
	     "%s of '%s' got inconsistent sizes for array dims to be mapped:%s%s", m->op,
	     m->g->fn->name, given.s ? given.s : "", lines.s ? lines.s : "");
	str_free(&given);
	str_free(&lines);
	return false;
}

static bool read_leaf(mapping *m, int i)
{
	const leaf *l = &m->g->args->leaf[i];
	const type *t = m->types[i] = m->g->types[i];
	const int dim = given_dim(asked(m)->in_dims, asked(m)->nin_dims, l->arg, l->index);

	m->at[i] = -1;
	if (!t || dim == TSR_UNMAPPED) return true;
	if ((m->at[i] = place_of(dim, t->ndim)) < 0) return refuse_dim(m, i, dim, t->ndim);
	int64_t *dims = arena_array(m->g->scratch, (size_t)t->ndim, sizeof *dims);
	if (!dims || !size_agrees(m, i, t->dims[m->at[i]])) return false;
	for (int d = 0, to = 0; d < t->ndim; d++)
		if (d != m->at[i]) dims[to++] = t->dims[d];
	return (m->types[i] =
	                type_shaped(&m->g->fn->ctx->ir, t, dims, t->ndim - 1, t->varying));
}

bool mapped_args(mapping *m)
{
	const leaves *args = m->g->args;
	int count[TSR_MAX_ARGS] = {0};

	m->size = asked(m)->axis_size ? asked(m)->axis_size : -1;
	m->at = arena_array(m->g->scratch, (size_t)args->n + 1, sizeof *m->at);
	m->types = arena_array(m->g->scratch, (size_t)args->n + 1, sizeof *m->types);
	for (int i = 0; i < args->n; i++) count[args->leaf[i].arg]++;
	if (!m->at || !m->types ||
	    !check_groups(m, "in", asked(m)->in_dims, asked(m)->nin_dims, args->nargs, count))
		return false;
	for (int i = 0; i < args->n; i++)
		if (!read_leaf(m, i)) return false;
	return m->size >= 0 || fail(base_of(m), m->g->where, TSR_ERROR_ARGUMENT,
	                            "%s of '%s' must have at least one argument that is mapped "
	                            "(.in), or .axis_size",
	                            m->op, m->g->fn->name);
}

bool mapped_results(const mapping *m, const traced *t, const program *p, int *at)
{
	const fn_mapped *a = asked(m);

	if (!check_groups(m, "out", a->out_dims, a->nout_dims, t->shape.n, t->shape.count))
		return false;
	for (int i = 0; i < t->nout; i++) {
		int index;
		const int g = shape_group(&t->shape, i, &index), k = t->out[i];
		if (k < 0) continue;
		const int dim = given_dim(a->out_dims, a->nout_dims, g, index);
		const int n = type_of(p, p->out[k])->ndim + 1;
		at[k] = dim == TSR_UNMAPPED ? -1 : place_of(dim, n);
		if (dim != TSR_UNMAPPED && at[k] < 0)
			return fail(base_of(m), m->g->where, TSR_ERROR_ARGUMENT,
			            "%s of '%s': .out[%d] puts the mapped dim at dim %d of a "
			            "result of %d dims",
			            m->op, m->g->fn->name, g, dim, n);
	}
	return true;
}
