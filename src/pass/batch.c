/* batch.c - one program for a whole batch. What depends on a mapped value is mapped: it has a
 * leading dim, one element of the batch after the other. What does not is computed once.
 *
 * The batch has four elements and the name i; the first input is mapped, the second is one for
 * all:
 *
 *     pass batch 10
 *     axes (i: 4) f(%0: f32[2], %1: f32[2]) -> f32[2], f32[2] {
 *       %2: f32[2] = sin %1
 *       %3: f32[2] = psum %0 axes=(i) to=invarying
 *       %4: f32[2] = mul %0 %3
 *       return %2 %4
 *     }
 *     gives
 *     f(%0: f32[4,2], %1: f32[2]) -> f32[2], f32[4,2] {
 *       %2: f32[2] = sin %1
 *       %3: f32[2] = reduce_sum %0 dims=[0]
 *       %4: f32[4,2] = broadcast_in_dim %3 dims=[4,2] at=[1]
 *       %5: f32[4,2] = mul %0 %4
 *       return %2 %5
 *     }
 *
 * The sum over the batch is a reduction of dim 0, and the axis is gone. The batch is always dim
 * 0: a rule then has one case to handle, and the transposes that this costs are mostly
 * simplified away. */
#include "pass/pass.h"

typedef struct batch_walk {
	value_map x;
	bool *mapped; /* by variable of the program */
	build *b;
	batching to;
} batch_walk;

static bool batch_eqn(batch_walk *w, const eqn *e)
{
	const program *p = w->x.from;
	arena *a = build_arena(w->b);
	var *x = values_list(&w->x, e->in, e->nin);
	var *y = arena_array(a, (size_t)e->nout + 1, sizeof *y);
	bool *mapped = arena_array(a, (size_t)e->nin + (size_t)e->nout + 1, sizeof *mapped);
	bool some = has_axis(eqn_names(e), w->to.axis);

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

static var input(batch_walk *w, const type *t, bool mapped)
{
	ir *r = build_ir(w->b);
	int64_t *dims = ints_room(w->b, t->ndim);

	if (!dims) return (var){0};
	dims[0] = w->to.size;
	for (int d = 0; d < t->ndim; d++) dims[d + mapped] = t->dims[d];
	const axis_set varying =
		axes_renumber(t->varying, w->to.axis_map) | (mapped ? w->to.varying : 0);
	const type *whole = type_shaped(r, t, dims, t->ndim + mapped, varying);
	return whole ? build_input(w->b, whole) : (var){0};
}

static program *batch_finish(batch_walk *w, const bool *must, bool *mapped_out)
{
	const program *p = w->x.from;
	var *out = var_room(w->b, p->nout);

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

static program *batch(batch_walk *w, const program *p, const bool *mapped_in, const bool *must,
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
		if (!batch_eqn(w, &p->eqns[i])) return NULL;
	return batch_finish(w, must, mapped_out);
}

static program *batch_make(const program *p, const batching *of, const bool *mapped_in,
                           const bool *must, bool *mapped_out)
{
	axis axes[MAX_AXES];
	int map[MAX_AXES], n = 0;

	for (int i = 0; i < p->naxes; i++) {
		map[i] = i == of->axis ? -1 : n;
		if (i != of->axis) axes[n++] = p->axes[i];
	}
	batch_walk w = {.b = build_begin(p->ir, p->name, axes, n), .to = *of};
	w.to.axis_map = map;
	program *made = w.b ? batch(&w, p, mapped_in, must, mapped_out) : NULL;
	build_abandon(w.b);
	return made;
}

program *pass_batch(const program *p, const batching *of, const bool *mapped_in, const bool *must,
                    bool *mapped_out)
{
	const char *spmd = of->spmd_axis ? of->spmd_axis : "";
	const size_t nin = (size_t)p->nin, nout = (size_t)p->nout;
	memo m;

	if (memo_begin(&m, "batch", p,
	               MEMO_PARTS({&of->size, sizeof of->size}, {&of->axis, sizeof of->axis},
	                          {&of->varying, sizeof of->varying}, {spmd, strlen(spmd) + 1},
	                          {mapped_in, nin}, {must, must ? nout : 0}),
	               mapped_out, nout))
		m.to[0] = batch_make(p, of, mapped_in, must, mapped_out);
	return pass_done(memo_end(&m), "batch");
}
