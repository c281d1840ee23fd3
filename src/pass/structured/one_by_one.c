/* one_by_one.c - turns a batched equation with effects into a loop over the elements of the batch,
 * or, where groups of devices take different branches, over these groups. The loop is a scan, whose
 * body is the equation:
 *
 *     pass batch 10
 *     axes (i: 4) f(%0: f32[], %1: f32[2]) -> f32[] {
 *       debug_print %0 %1 format="{} of {}" axes=()
 *       return %0
 *     }
 *     gives
 *     f(%0: f32[4], %1: f32[2]) -> f32[4] {
 *       scan %1 %0 length=4 consts=1 carry=0 unroll=1 body=(%0: f32[2], %1: f32[]) -> () {
 *         debug_print %1 %0 format="{} of {}" axes=()
 *         return
 *       }
 *       return %0
 *     }
 *
 * Rows with effects have no other way, and neither have branches and loops with effects inside if
 * each element takes its own way: what the other elements do must not be seen. */
#include "pass/structured/structured.h"

/* from constants, then slices, to the results of e */
static program *body_of(build *b, const eqn *e, const batching *to, const var *x,
                        const bool *mapped)
{
	int naxes;
	const axis *axes = build_axes(b, &naxes);
	build *in = build_begin(build_ir(b), NULL, axes, naxes);
	var *own = in ? var_room(in, e->nin + e->nout) : NULL;
	bool ok = own;

	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; ok && i < e->nin; i++) {
			const type *t = build_type(b, x[i]);
			if (mapped[i] != (pass == 1)) continue;
			if (mapped[i]) t = type_slice(build_ir(b), t);
			ok = t && (own[i] = build_input(in, t)).id;
		}
	ok = ok && build_copy(in, e, naxes + (to->axis >= 0), own, own + e->nin, to->axis_map);
	return remade(in, ok, own ? own + e->nin : own, e->nout);
}

void batch_in_turn(build *b, const eqn *e, const batching *to, const var *x, const bool *mapped,
                   var *y, bool *ymapped)
{
	scan_params p = {.length = to->size, .unroll = 1};
	var *operand = var_room(b, e->nin);
	int n = 0;

	if (!operand) return;
	if (has_axis(eqn_names(e), to->axis)) {
		fail(build_base(b), e->where, TSR_ERROR_UNSUPPORTED,
		     "%s under vmap: each element of the batch goes its own way, and a collective "
		     "over the batch is beside the effects inside. Move one of them out",
		     e->prim->name);
		build_fail(b);
		return;
	}
	for (int i = 0; i < e->nin; i++)
		if (!mapped[i]) operand[n++] = x[i];
	p.consts = n;
	for (int i = 0; i < e->nin; i++)
		if (mapped[i]) operand[n++] = x[i];
	p.body = build_keep(b, body_of(b, e, to, x, mapped));
	if (p.body) emit_all(b, &tsr__prim_scan, &p, operand, n, y);
	for (int j = 0; j < e->nout; j++) ymapped[j] = true;
}

/* ---- devices that go different ways */

bool in_turn(const eqn *e, axis_set over)
{
	const char *where = NULL;
	bool meet = false;

	for (inner i = {0}; inner_next(e->prim, e->params, &i);)
		meet = meet || find_exchange(i.program, over, &where);
	return over && eqn_has_effects(e) && !meet;
}

/* those of the devices that take part and are like device k; their results are moved to a->y */
static bool run_group(const run_args *a, const int64_t *first, int64_t k, bool *active, block **y,
                      bool (*run)(const run_args *))
{
	const int64_t n = a->on->n, ny = a->eqn->nout * n;
	run_args own = *a;

	for (int64_t i = 0; i < n; i++) active[i] = a->active[i] && first[i] == first[k];
	own.active = active;
	own.y = y;
	const bool ok = run(&own);
	for (int64_t i = 0; i < ny; i++) {
		if (active[i % n]) a->y[i] = y[i];
		else a->on->release(y[i]);
		y[i] = NULL;
	}
	return ok;
}

bool run_in_turn(const run_args *a, axis_set over, bool (*run)(const run_args *))
{
	const int64_t n = a->on->n, ny = a->eqn->nout * n;
	block **y = mem_array(a->on->base, (size_t)(ny + 2 * n), sizeof *y);
	int64_t *first = (int64_t *)(y + ny);
	bool *active = (bool *)(first + n);
	bool ok = y && a->on->alike(a->on, over, first);

	for (int64_t k = 0; ok && k < n; k++) {
		bool before = !a->active[k];
		for (int64_t i = first[k]; i < k && !before; i++)
			before = a->active[i] && first[i] == first[k];
		if (!before) ok = run_group(a, first, k, active, y, run);
	}
	mem_free(a->on->base, y);
	return ok;
}
