/* vmap.c - traces a body on one element of a batch, and makes its program for the whole batch.
 *
 * Example:
 *
 *     static tsr *centred(tsr *x) { return tsr_sub(x, tsr_pmean(x, "batch")); }
 *     tsr_vmap(ctx, centred, .axis = "batch")
 *
 * The body was traced on an f32[], with psum over the batch; of that a sum is left:
 *
 *     centred(%0: f32[4]) -> f32[4] {
 *       %1: f32[] = reduce_sum %0 dims=[0]
 *       %2: f32[] = div %1 4.0:f32
 *       %3: f32[4] = broadcast_in_dim %2 dims=[4] at=[]
 *       %4: f32[4] = sub %0 %3
 *       return %4
 *     }
 *
 * With .axis the axis table of the body has one more axis, of kind AXIS_MAP, so that collectives
 * can name it; pass_batch removes it again. With .spmd_axis alone there is such an axis too, under
 * a name that no user can write: it tells the transformations of inner maps which mesh axes split
 * the batch. Inside, the batch is dim 0 of all that is mapped; it is moved from and to where the
 * caller wants it. */
#include "trace/trace.h"

/* has the batch an entry in the axis table of the body? */
static bool is_axis(const fn *fn) { return fn->mapped.axis || fn->mapped.spmd_axis; }

static bool trace_element(const mapping *v, traced *t)
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
		axes[one.naxes++] = (axis){.name = fn->mapped.axis ? fn->mapped.axis : "",
		                           .size = v->size ? v->size : 1,
		                           .kind = AXIS_MAP,
		                           .over = fn->mapped.spmd_axis};
	return trace_body(&one, t);
}

/* ---- the whole batch */

static bool check_unmapped(const mapping *v, const program *p, const int *at, const bool *mapped)
{
	const fn *fn = v->g->fn;

	for (int k = 0; k < p->nout; k++)
		if (mapped[k] && at[k] < 0)
			return fail(
				&fn->ctx->base, v->g->where, TSR_ERROR_ARGUMENT,
				"vmap of '%s' has a mapped result, number %d (axis name '%s'), but "
				".out says TSR_UNMAPPED",
				fn->name, k, fn->mapped.axis ? fn->mapped.axis : "");
	return true;
}

/* the program that the caller sees: moves batch dims to the front, runs the batch, and moves them
 * back */
static program *around(const mapping *v, const program *p, const program *batch, const int *out_at)
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

static program *whole_batch(const mapping *v, const traced *t, const program *p)
{
	const leaves *args = v->g->args;
	arena *a = v->g->scratch;
	bool *mapped = arena_array(a, (size_t)(p->nin + 2 * p->nout) + 1, sizeof *mapped);
	int *at = arena_array(a, (size_t)p->nout + 1, sizeof *at), n = 0;

	if (!mapped || !at || !mapped_results(v, t, p, at)) return NULL;
	bool *must = mapped + p->nin, *are = must + p->nout;
	for (int i = 0; i < args->n; i++)
		if (v->g->types[i]) mapped[n++] = v->at[i] >= 0;
	for (int k = 0; k < p->nout; k++) must[k] = at[k] >= 0;
	const fn *fn = v->g->fn;
	const batching of = {.size = v->size,
	                     .axis = is_axis(fn) ? v->g->naxes : -1,
	                     .spmd_axis = fn->mapped.spmd_axis};
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
	mapping v = {.g = g, .op = "vmap"};

	if (!mapped_args(&v) || !trace_element(&v, t)) return false;
	program *flat = pass_inline(t->program);
	program *made = flat ? whole_batch(&v, t, flat) : NULL;
	program_release(flat);
	if (!made) return false;
	program_release(t->program);
	t->program = made;
	return true;
}
