/* residuals.c - drops residuals of a derivative that can be computed again from the others for less
 * than their memory costs.
 *
 * The derivative of a tanh layer needs tanh x, for the product behind it, and 1 - tanh x, which is
 * one operation on the former. Here %2 is tanh x:
 *
 *     pass linearize 11
 *     f(%0: f32[], %1: f32[]) -> f32[] {
 *       %2: f32[] = tanh %0
 *       %3: f32[] = mul %2 %1
 *       return %3
 *     }
 *     gives
 *     f(%0: f32[], %1: f32[]) -> f32[], f32[], f32[] {
 *       %2: f32[] = tanh %0
 *       %3: f32[] = mul %2 %1
 *       return %3 %2 %1
 *     }
 *     f(%0: f32[], %1: f32[], %2: f32[], %3: f32[]) -> f32[] {
 *       %4: f32[] = mul %0 %2
 *       %5: f32[] = add %0 %4
 *       %6: f32[] = sub 1.0:f32 %2
 *       %7: f32[] = mul %5 %6
 *       %8: f32[] = mul %7 %3
 *       %9: f32[] = mul %2 %1
 *       %10: f32[] = add %8 %9
 *       return %10
 *     }
 *
 * A scan stacks the residuals of all its steps, so here it stacks half as much. Within one program
 * nothing is gained or lost: both computations of 1 - tanh x are equal, so simplify makes them one,
 * and fusion decides whether it is stored.
 *
 * What is weighed is the work of an element against its bytes, stored and loaded: fusion counts
 * each byte as an addition (cost.c). Only what works element by element, or moves elements, is
 * computed again, so a step back to what is kept takes no more memory than its result. */
#include <math.h>
#include "pass/pass.h"

typedef struct trimming {
	const halves *h;
	arena *arena;
	bool *kept;    /* by variable of the known half: it is a residual, and stays one */
	bool *same;    /* by variable: it is the same wherever the half is computed */
	double *again; /* by variable: the work to have it from what is kept, maybe INFINITY */
	bool *needed;  /* by variable: it is computed again */
	int ngone;
} trimming;

static const var *residuals_of(const halves *h)
{
	return h->known->out + h->known->nout - h->nresiduals;
}

/* to store a value, and to load it */
static double memory_work(const type *t)
{
	const double item = (double)tsr_dtype_size(t->dtype);

	return 2 * (double)t->size * (item < 4 ? 4 : item);
}

static bool goes_along(const eqn *e)
{
	const unsigned flags = e->prim->flags;

	return e->nout == 1 && !eqn_has_effects(e) && !eqn_program(e) &&
	       (flags & (PRIM_ELEMENTWISE | PRIM_MOVES) || e->prim == &tsr__prim_pcast);
}

static bool all_same(const trimming *t, const eqn *e)
{
	for (int i = 0; i < e->nin; i++)
		if (!t->same[e->in[i].id]) return false;
	return !eqn_has_effects(e);
}

/* the work to have the result from what is kept */
static double work_again(const trimming *t, const eqn *e)
{
	const program *p = t->h->known;
	double work = e->prim == &tsr__prim_pcast ? 0 : work_of(p, e);

	if (!goes_along(e)) return INFINITY;
	for (int i = 0; i < e->nin; i++) work += t->again[e->in[i].id];
	return work;
}

/* from the first equation to the last, so that what is computed again is so from what comes before
 * it */
static void weigh(trimming *t)
{
	const program *p = t->h->known;

	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		const bool same = all_same(t, e);
		const double work = work_again(t, e);
		for (int j = 0; j < e->nout; j++) {
			const int v = e->out[j].id;
			const bool heavy = work > memory_work(type_of(p, e->out[j]));
			t->same[v] = same;
			t->needed[v] = t->kept[v] && !same && !heavy;
			t->kept[v] = t->kept[v] && !t->needed[v];
			t->again[v] = t->kept[v] || (same && heavy) ? 0 : work;
		}
	}
}

/* What is computed again, and what that needs. More values may be kept: those that are the same
 * everywhere, and take much work */
static void find_needed(trimming *t)
{
	const program *p = t->h->known;

	for (int i = p->neqns - 1; i >= 0; i--) {
		const eqn *e = &p->eqns[i];
		if (e->nout != 1 || !t->needed[e->out[0].id]) continue;
		for (int k = 0; k < e->nin; k++) {
			const int v = e->in[k].id;
			if (p->vars[v].literal || t->kept[v]) continue;
			*(t->same[v] && t->again[v] == 0 ? &t->kept[v] : &t->needed[v]) = true;
		}
	}
}

static bool trimming_init(trimming *t, const halves *h, arena *a, const bool *same)
{
	const program *p = h->known;
	const size_t n = (size_t)p->nvars + 1;

	*t = (trimming){.h = h,
	                .arena = a,
	                .kept = arena_array(a, n, sizeof *t->kept),
	                .same = arena_array(a, n, sizeof *t->same),
	                .again = arena_array(a, n, sizeof *t->again),
	                .needed = arena_array(a, n, sizeof *t->needed)};
	if (!t->kept || !t->same || !t->again || !t->needed) return false;
	for (int v = 1; v < p->nvars; v++) t->same[v] = p->vars[v].literal;
	for (int k = 0; k < h->nresiduals; k++) t->kept[residuals_of(h)[k].id] = true;
	for (int i = 0; i < p->nin; i++) {
		const int v = p->in[i].id;
		t->same[v] = same && same[i];
		t->again[v] = t->kept[v] || t->same[v] ? 0 : INFINITY;
	}
	weigh(t);
	for (int k = 0; k < h->nresiduals; k++) t->ngone += t->needed[residuals_of(h)[k].id];
	find_needed(t);
	return true;
}

/* ---- the halves without them */

/* the residuals that stay, in their order, then what else is kept */
static int list_kept(const trimming *t, var *list)
{
	const halves *h = t->h;
	int n = 0;

	for (int k = 0; k < h->nresiduals; k++) {
		const var v = residuals_of(h)[k];
		if (!t->kept[v.id]) continue;
		list[n++] = v;
		t->kept[v.id] = false;
	}
	for (int v = 1; v < h->known->nvars; v++)
		if (t->kept[v]) list[n++] = (var){v};
	return n;
}

static program *known_half(const halves *h, arena *a, const var *kept, int n)
{
	const program *p = h->known;
	const int own = p->nout - h->nresiduals;
	var *out = arena_array(a, (size_t)(own + n) + 1, sizeof *out);
	value_map v;
	bool ok = copy_begin(&v, p) && out;

	for (int i = 0; ok && i < p->neqns; i++) ok = copy_equation(&v, &p->eqns[i]);
	for (int k = 0; ok && k < own + n; k++)
		out[k] = values_get(&v, k < own ? p->out[k] : kept[k - own]);
	return remade(v.to, ok, out, own + n);
}

static program *unknown_half(const trimming *t, const var *kept, int n)
{
	const program *p = t->h->unknown, *from = t->h->known;
	const int own = p->nin - t->h->nresiduals;
	build *b = build_begin(p->ir, p->name, p->axes, p->naxes);
	var *x = arena_array(t->arena, (size_t)(p->nin + p->nout) + 1, sizeof *x);
	value_map v;
	bool ok = b && x && values_init(&v, from, b);

	for (int i = 0; ok && i < own; i++) ok = (x[i] = build_input(b, type_of(p, p->in[i]))).id;
	for (int k = 0; ok && k < n; k++)
		ok = (v.of[kept[k].id] = build_input(b, type_of(from, kept[k]))).id;
	for (int i = 0; ok && i < from->neqns; i++) {
		const eqn *e = &from->eqns[i];
		if (e->nout == 1 && t->needed[e->out[0].id]) ok = copy_equation(&v, e);
	}
	for (int i = own; ok && i < p->nin; i++)
		x[i] = values_get(&v, residuals_of(t->h)[i - own]);
	ok = ok && !build_failed(b) && build_inline(b, p, x, x + p->nin, NULL);
	return remade(b, ok, x ? x + p->nin : x, p->nout);
}

bool halves_trim(halves *h, arena *a, const bool *same)
{
	var *kept = arena_array(a, (size_t)h->known->nvars + 1, sizeof *kept);
	trimming t;

	if (!kept || !trimming_init(&t, h, a, same)) {
		halves_free(h);
		return false;
	}
	if (!t.ngone) return true;
	const int n = list_kept(&t, kept);
	program *known = known_half(h, a, kept, n), *unknown = unknown_half(&t, kept, n);
	halves_free(h);
	h->known = pass_done(known, "split");
	h->unknown = pass_done(unknown, "split");
	h->nresiduals = n;
	if (!h->known || !h->unknown) halves_free(h);
	return h->known;
}
