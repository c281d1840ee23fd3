/* batch.c - one program for a whole batch. What depends on a mapped value is mapped: it has a
 * leading dim, one element of the batch after the other. What does not is computed once. */
#include "pass/pass.h"

bool eqn_names_axis(const eqn *e, int entry)
{
	if (entry < 0) return false;
	for (const field *f = e->prim->params; f && f->name; f++) {
		const ints *axes = (const void *)((const char *)e->params + f->offset);
		if (f->kind == FIELD_AXES)
			for (int i = 0; i < axes->n; i++)
				if (axes->v[i] == entry) return true;
	}
	for (inner k = {0}; inner_next(e->prim, e->params, &k);)
		if (program_names_axis(k.program, entry)) return true;
	return false;
}

bool program_names_axis(const program *p, int entry)
{
	for (int i = 0; i < p->neqns; i++)
		if (eqn_names_axis(&p->eqns[i], entry)) return true;
	return false;
}

typedef struct walk {
	value_map x;
	bool *mapped; /* by variable of the program */
	build *b;
	batching to;
} walk;

static bool walk_eqn(walk *w, const eqn *e)
{
	const program *p = w->x.from;
	arena *a = build_arena(w->b);
	var *x = values_list(&w->x, e->in, e->nin);
	var *y = arena_array(a, (size_t)e->nout + 1, sizeof *y);
	bool *mapped = arena_array(a, (size_t)e->nin + (size_t)e->nout + 1, sizeof *mapped);
	bool some = eqn_names_axis(e, w->to.axis);

	if (!x || !y || !mapped) return false;
	bool *ymapped = mapped + e->nin;
	for (int i = 0; i < e->nin; i++) {
		mapped[i] = w->mapped[e->in[i].id];
		some = some || mapped[i];
	}
	if (!some)
		return build_copy(w->b, e, p->naxes, x, y, w->to.axis_map) &&
		       values_set(&w->x, e, y);
	if (!e->prim->batch) return rule_missing(w->b, e, COL_BATCH, NULL);
	build_at(w->b, e->where);
	e->prim->batch(w->b, e, &w->to, x, mapped, y, ymapped);
	for (int k = 0; k < e->nout; k++) w->mapped[e->out[k].id] = ymapped[k];
	return values_set(&w->x, e, y);
}

static var input(walk *w, const type *t, bool mapped)
{
	ir *r = build_ir(w->b);
	int64_t *dims = arena_array(build_arena(w->b), (size_t)t->ndim + 1, sizeof *dims);

	if (!dims) return (var){0};
	dims[0] = w->to.size;
	for (int d = 0; d < t->ndim; d++) dims[d + mapped] = t->dims[d];
	const axis_set varying =
		axes_renumber(t->varying, w->to.axis_map) | (mapped ? w->to.varying : 0);
	const type *whole = type_make(r, t->dtype, dims, t->ndim + mapped, varying);
	return whole ? build_input(w->b, whole) : (var){0};
}

static program *finish(walk *w, const bool *must, bool *mapped_out)
{
	const program *p = w->x.from;
	var *out = arena_array(build_arena(w->b), (size_t)p->nout + 1, sizeof *out);

	if (!out) return NULL;
	for (int i = 0; i < p->nout; i++) {
		out[i] = values_get(&w->x, p->out[i]);
		mapped_out[i] = w->mapped[p->out[i].id];
		if (mapped_out[i] || !must || !must[i]) continue;
		out[i] = emit_repeat(w->b, out[i], w->to.size);
		if (out[i].id) out[i] = build_vary(w->b, out[i], w->to.varying, NULL);
		mapped_out[i] = true;
	}
	if (build_failed(w->b)) return NULL;
	build *b = w->b;
	w->b = NULL;
	return build_end(b, out, p->nout);
}

static program *batch(walk *w, const program *p, const bool *mapped_in, const bool *must,
                      bool *mapped_out)
{
	w->mapped = arena_array(build_arena(w->b), (size_t)p->nvars, sizeof *w->mapped);
	if (!w->mapped || !values_init(&w->x, p, w->b)) return NULL;
	for (int i = 0; i < p->nin; i++) {
		const var in = p->in[i];
		w->mapped[in.id] = mapped_in[i];
		if (!(w->x.of[in.id] = input(w, type_of(p, in), mapped_in[i])).id) return NULL;
	}
	for (int i = 0; i < p->neqns; i++)
		if (!walk_eqn(w, &p->eqns[i])) return NULL;
	return finish(w, must, mapped_out);
}

program *pass_batch(const program *p, const batching *of, const bool *mapped_in, const bool *must,
                    bool *mapped_out)
{
	axis axes[MAX_AXES];
	int map[MAX_AXES], n = 0;

	for (int i = 0; i < p->naxes; i++) {
		map[i] = i == of->axis ? -1 : n;
		if (i != of->axis) axes[n++] = p->axes[i];
	}
	walk w = {.b = build_begin(p->ir, p->name, axes, n), .to = *of};
	w.to.axis_map = map;
	program *made = w.b ? batch(&w, p, mapped_in, must, mapped_out) : NULL;
	build_abandon(w.b);
	return pass_done(made, "batch");
}
