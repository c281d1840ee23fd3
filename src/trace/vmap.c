/* vmap.c - a body traced on one element of a batch, and its program for the whole batch.
 *
 * With .axis the axis table of the body has one more axis, of kind AXIS_MAP, so that collectives
 * can name it; pass_batch removes it again. With .spmd_axis alone there is such an axis too, under
 * a name that no user can write: it tells the transformations of inner maps which mesh axes split
 * the batch. Inside, the batch is dim 0 of all that is mapped; it is moved from and to where the
 * caller wants it. */
#include "trace/trace.h"

typedef struct vmap {
	const tracing *g;
	traced *t;
	int64_t size;
	int *at;            /* of each leaf of the arguments: its mapped dim, -1: none */
	const type **types; /* of the leaves as the body sees them */
} vmap;

static bool refuse_dim(const vmap *v, int leaf, int64_t dim, int ndim)
{
	str name = {.base = &v->g->fn->ctx->base};

	leaf_text(&name, v->g->args, leaf);
	fail(name.base, v->g->where, TSR_ERROR_ARGUMENT,
	     "vmap of '%s': %s is to be mapped along dim %lld, which implies that its rank should "
	     "be at least %lld, but it is only %d",
	     v->g->fn->name, name.s ? name.s : "a leaf", (long long)dim,
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

static bool check_groups(const vmap *v, const char *what, const mapped_dims *dims, int ngiven,
                         int ngroups, const int *leaves_of)
{
	const fn *fn = v->g->fn;

	if (ngiven && ngiven != ngroups)
		return fail(&fn->ctx->base, v->g->where, TSR_ERROR_ARGUMENT,
		            "vmap of '%s': .%s has %d entr%s, and there are %d %ss", fn->name, what,
		            ngiven, ngiven == 1 ? "y" : "ies", ngroups,
		            *what == 'i' ? "argument" : "result");
	for (int i = 0; i < ngiven; i++)
		if (dims[i].n != 1 && dims[i].n != leaves_of[i])
			return fail(&fn->ctx->base, v->g->where, TSR_ERROR_ARGUMENT,
			            "vmap of '%s': .%s[%d] has %d dims for a value of %d leaves",
			            fn->name, what, i, dims[i].n, leaves_of[i]);
	return true;
}

/* the place of a dim among n, negative ones from the end; -1: it is out of range */
static int place_of(int dim, int n) { return dim < -n || dim >= n ? -1 : dim < 0 ? dim + n : dim; }

static bool size_agrees(vmap *v, int leaf, int64_t size)
{
	str lines = {.base = &v->g->fn->ctx->base};

	if (v->size < 0 || v->size == size) {
		v->size = size;
		return true;
	}
	for (int i = 0; i <= leaf; i++) {
		if (v->at[i] < 0) continue;
		str_put(&lines, "\n  * ");
		leaf_text(&lines, v->g->args, i);
		str_printf(&lines, " has size %lld in its dim %d",
		           (long long)v->g->types[i]->dims[v->at[i]], v->at[i]);
	}
	fail(lines.base, v->g->where, TSR_ERROR_TYPE,
	     "vmap of '%s' got inconsistent sizes for array dims to be mapped:%s%s", v->g->fn->name,
	     v->g->fn->vmap.axis_size ? " .axis_size says otherwise;" : "", lines.s ? lines.s : "");
	str_free(&lines);
	return false;
}

static bool read_leaf(vmap *v, int i)
{
	const fn *fn = v->g->fn;
	const leaf *l = &v->g->args->leaf[i];
	const type *t = v->types[i] = v->g->types[i];
	const int dim = given_dim(fn->vmap.in_dims, fn->vmap.nin_dims, l->arg, l->index);

	v->at[i] = -1;
	if (!t || dim == TSR_UNMAPPED) return true;
	if ((v->at[i] = place_of(dim, t->ndim)) < 0) return refuse_dim(v, i, dim, t->ndim);
	int64_t *dims = arena_array(v->g->scratch, (size_t)t->ndim, sizeof *dims);
	if (!dims || !size_agrees(v, i, t->dims[v->at[i]])) return false;
	for (int d = 0, to = 0; d < t->ndim; d++)
		if (d != v->at[i]) dims[to++] = t->dims[d];
	return (v->types[i] = type_shaped(&fn->ctx->ir, t, dims, t->ndim - 1, t->varying));
}

static bool read_args(vmap *v)
{
	const fn *fn = v->g->fn;
	const leaves *args = v->g->args;
	int count[TSR_MAX_ARGS] = {0};

	v->size = fn->vmap.axis_size ? fn->vmap.axis_size : -1;
	v->at = arena_array(v->g->scratch, (size_t)args->n + 1, sizeof *v->at);
	v->types = arena_array(v->g->scratch, (size_t)args->n + 1, sizeof *v->types);
	for (int i = 0; i < args->n; i++) count[args->leaf[i].arg]++;
	if (!v->at || !v->types ||
	    !check_groups(v, "in", fn->vmap.in_dims, fn->vmap.nin_dims, args->nargs, count))
		return false;
	for (int i = 0; i < args->n; i++)
		if (!read_leaf(v, i)) return false;
	return v->size >= 0 || fail(&fn->ctx->base, v->g->where, TSR_ERROR_ARGUMENT,
	                            "vmap of '%s' must have at least one argument that is mapped "
	                            "(.in), or .axis_size",
	                            fn->name);
}

/* has the batch an entry in the axis table of the body? */
static bool is_axis(const fn *fn) { return fn->vmap.axis || fn->vmap.spmd_axis; }

static bool trace_element(vmap *v)
{
	const tracing *g = v->g;
	const fn *fn = g->fn;
	axis *axes = arena_array(g->scratch, (size_t)g->naxes + 1, sizeof *axes);
	tracing one = *g;

	if (!axes) return false;
	if (is_axis(fn) && g->naxes == MAX_AXES)
		return fail(
			&fn->ctx->base, g->where, TSR_ERROR_UNSUPPORTED,
			"vmap of '%s': at most %d axes can be in scope; leave out .axis where no "
			"collective needs it",
			fn->name, MAX_AXES);
	for (int i = 0; i < g->naxes; i++) axes[i] = g->axes[i];
	one.types = v->types;
	one.axes = axes;
	if (is_axis(fn))
		axes[one.naxes++] = (axis){.name = fn->vmap.axis ? fn->vmap.axis : "",
		                           .size = v->size ? v->size : 1,
		                           .kind = AXIS_MAP,
		                           .over = fn->vmap.spmd_axis};
	return trace_body(&one, v->t);
}

/* ---- the whole batch */

/* at[j]: the dim of result j where the caller wants the batch; -1: not mapped */
static bool read_results(const vmap *v, const program *p, int *at)
{
	const fn *fn = v->g->fn;
	const fn_vmap *m = &fn->vmap;
	const traced *t = v->t;

	if (!check_groups(v, "out", m->out_dims, m->nout_dims, t->shape.n, t->shape.count))
		return false;
	for (int i = 0; i < t->nout; i++) {
		int index;
		const int g = shape_group(&t->shape, i, &index), k = t->out[i];
		if (k < 0) continue;
		const int dim = given_dim(fn->vmap.out_dims, fn->vmap.nout_dims, g, index);
		const int n = type_of(p, p->out[k])->ndim + 1;
		at[k] = dim == TSR_UNMAPPED ? -1 : place_of(dim, n);
		if (dim != TSR_UNMAPPED && at[k] < 0)
			return fail(&fn->ctx->base, v->g->where, TSR_ERROR_ARGUMENT,
			            "vmap of '%s': .out[%d] puts the batch at dim %d of a result "
			            "of %d dims",
			            fn->name, g, dim, n);
	}
	return true;
}

static bool check_unmapped(const vmap *v, const program *p, const int *at, const bool *mapped)
{
	const fn *fn = v->g->fn;

	for (int k = 0; k < p->nout; k++)
		if (mapped[k] && at[k] < 0)
			return fail(
				&fn->ctx->base, v->g->where, TSR_ERROR_ARGUMENT,
				"vmap of '%s' has a mapped result, number %d (axis name '%s'), but "
				".out says TSR_UNMAPPED",
				fn->name, k, fn->vmap.axis ? fn->vmap.axis : "");
	return true;
}

/* the program that the caller sees: moves batch dims to the front, runs the batch, and moves them
 * back */
static program *around(const vmap *v, const program *p, const program *batch, const int *out_at)
{
	const leaves *args = v->g->args;
	build *b = build_begin(p->ir, p->name, batch->axes, batch->naxes);
	var *x = b ? arena_array(build_arena(b), (size_t)(p->nin + p->nout) + 1, sizeof *x) : NULL;
	bool ok = x;
	int n = 0;

	for (int i = 0; ok && i < args->n; i++) {
		if (!v->g->types[i]) continue;
		x[n] = build_input(b, v->g->types[i]);
		ok = x[n].id;
		if (ok && v->at[i] > 0) x[n] = emit_move_dim(b, x[n], v->at[i], 0);
		n++;
	}
	for (; ok && n < p->nin; n++) ok = (x[n] = build_input(b, type_of(batch, batch->in[n]))).id;
	var *y = x + n;
	ok = ok && !build_failed(b) && build_inline(b, batch, x, y, NULL);
	for (int k = 0; ok && k < p->nout; k++)
		if (out_at[k] > 0) y[k] = emit_move_dim(b, y[k], 0, out_at[k]);
	if (ok && !build_failed(b)) return build_end(b, y, p->nout);
	build_abandon(b);
	return NULL;
}

static program *whole_batch(const vmap *v, const program *p)
{
	const leaves *args = v->g->args;
	arena *a = v->g->scratch;
	bool *mapped = arena_array(a, (size_t)(p->nin + 2 * p->nout) + 1, sizeof *mapped);
	int *at = arena_array(a, (size_t)p->nout + 1, sizeof *at), n = 0;

	if (!mapped || !at || !read_results(v, p, at)) return NULL;
	bool *must = mapped + p->nin, *are = must + p->nout;
	for (int i = 0; i < args->n; i++)
		if (v->g->types[i]) mapped[n++] = v->at[i] >= 0;
	for (int k = 0; k < p->nout; k++) must[k] = at[k] >= 0;
	const fn *fn = v->g->fn;
	const batching of = {.size = v->size,
	                     .axis = is_axis(fn) ? v->g->naxes : -1,
	                     .spmd_axis = fn->vmap.spmd_axis};
	base *bs = &v->g->fn->ctx->base;
	const bool failed_before = failed(bs);
	program *batch = pass_batch(p, &of, mapped, must, are), *made = NULL;
	if (!batch && !failed_before)
		fail_note(bs, "in vmap of %s, called at %s", v->g->fn->name,
		          v->g->where ? base_name(v->g->where) : "an unknown place");
	if (batch && check_unmapped(v, p, at, are)) made = around(v, p, batch, at);
	program_release(batch);
	return made;
}

bool trace_vmap(const tracing *g, traced *t)
{
	vmap v = {.g = g, .t = t};

	if (!read_args(&v) || !trace_element(&v)) return false;
	program *flat = pass_inline(t->program);
	program *made = flat ? whole_batch(&v, flat) : NULL;
	program_release(flat);
	if (!made) return false;
	program_release(t->program);
	t->program = made;
	return true;
}
