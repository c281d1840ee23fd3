/* prune.c - drops the equations that the used results of a program do not need. Rows that hold
 * programs give up results that nobody uses, and then operands.
 *
 * Only the first result is used, and the loop needs its second carry for the second result
 * alone:
 *
 *     pass prune 10
 *     f(%0: f32[2], %1: f32[2]) -> f32[2], f32[2] {
 *       %2: f32[2] = sin %0
 *       %3: f32[2], %4: f32[2] = while %2 %1 cond_consts=0 body_consts=0 cond=(%0: f32[2],
 *             %1: f32[2]) -> bool[] {
 *         %2: f32[] = reduce_sum %0 dims=[0]
 *         %3: bool[] = lt %2 9.0:f32
 *         return %3
 *       } body=(%0: f32[2], %1: f32[2]) -> f32[2], f32[2] {
 *         %2: f32[2] = exp %0
 *         %3: f32[2] = mul %1 %2
 *         return %2 %3
 *       }
 *       return %3 %4
 *     }
 *     gives
 *     f(%0: f32[2]) -> f32[2] {
 *       %1: f32[2] = sin %0
 *       %2: f32[2] = while %1 cond_consts=0 body_consts=0 cond=(%0: f32[2]) -> bool[] {
 *         %1: f32[] = reduce_sum %0 dims=[0]
 *         %2: bool[] = lt %1 9.0:f32
 *         return %2
 *       } body=(%0: f32[2]) -> f32[2] {
 *         %1: f32[2] = exp %0
 *         return %1
 *       }
 *       return %2
 *     }
 *
 * One walk from the last equation to the first marks what is used, and looks into the programs of
 * equations for what these need (structured/prune.c); a second walk emits what is left. build_end
 * drops equations that nobody uses anyway, but it does not look inside them. */
#include "pass/pass.h"

typedef struct pruned { /* what stays of an equation */
	const void *params;
	bool *used_in, *used_out;
} pruned;

typedef struct prune {
	value_map x;
	build *b;
	bool *used; /* by variable of the program */
	pruned *of; /* by equation; params NULL and no results used: gone */
} prune;

/* A rule is for all of its equation, which has everything or nothing */
static bool has_parts(const eqn *e) { return e->prim->edges && !prim_has_rules(e->prim); }

static bool mark_eqn(prune *w, const eqn *e, pruned *to)
{
	arena *a = build_arena(w->b);
	bool some = eqn_has_effects(e);

	to->used_in = arena_array(a, (size_t)e->nin + (size_t)e->nout + 1, sizeof(bool));
	if (!to->used_in) return false;
	to->used_out = to->used_in + e->nin;
	for (int k = 0; k < e->nout; k++) {
		to->used_out[k] = w->used[e->out[k].id];
		some = some || to->used_out[k];
	}
	if (!some) return true;
	if (has_parts(e)) {
		to->params = prune_inside(w->b, e, to->used_out, to->used_in);
		if (!to->params) return false;
	} else {
		for (int i = 0; i < e->nin; i++) to->used_in[i] = true;
		for (int k = 0; k < e->nout; k++) to->used_out[k] = true;
	}
	for (int i = 0; i < e->nin; i++)
		if (to->used_in[i]) w->used[e->in[i].id] = true;
	return true;
}

static bool emit_eqn(prune *w, const eqn *e, const pruned *as)
{
	arena *a = build_arena(w->b);
	var *x = arena_array(a, 2 * ((size_t)e->nin + (size_t)e->nout) + 1, sizeof *x);
	int nin = 0, nout = 0;

	if (!x) return false;
	var *made = x + e->nin, *y = made + e->nout;
	for (int i = 0; i < e->nin; i++)
		if (as->used_in[i]) x[nin++] = values_get(&w->x, e->in[i]);
	build_because(w->b, e->cause);
	if (build_failed(w->b) ||
	    !build_eqn_exact(w->b, e->prim, has_parts(e) ? as->params : e->params, x, nin, made,
	                     e->where, e->note))
		return false;
	for (int k = 0; k < e->nout; k++)
		if (as->used_out[k]) y[k] = made[nout++];
	return values_set(&w->x, e, y);
}

static bool needed(const eqn *e, const pruned *p)
{
	for (int k = 0; k < e->nout; k++)
		if (p->used_out[k]) return true;
	return eqn_has_effects(e);
}

static program *prune_finish(prune *w, const bool *used_out)
{
	const program *p = w->x.from;
	var *out = var_room(w->b, p->nout);
	int n = 0;

	if (!out) return NULL;
	for (int i = 0; i < p->nout; i++)
		if (used_out[i]) out[n++] = values_get(&w->x, p->out[i]);
	if (build_failed(w->b)) return NULL;
	build *b = w->b;
	w->b = NULL;
	return build_end(b, out, n);
}

static program *prune_walk(prune *w, const program *p, const bool *used_out, bool *used_in)
{
	for (int i = 0; i < p->nout; i++)
		if (used_out[i]) w->used[p->out[i].id] = true;
	for (int i = p->neqns - 1; i >= 0; i--)
		if (!mark_eqn(w, &p->eqns[i], &w->of[i])) return NULL;
	for (int i = 0; i < p->nin; i++) {
		if (used_in) used_in[i] = w->used[p->in[i].id];
		if (used_in && !used_in[i]) continue;
		if (!(w->x.of[p->in[i].id] = build_input(w->b, type_of(p, p->in[i]))).id)
			return NULL;
	}
	for (int i = 0; i < p->neqns; i++)
		if (needed(&p->eqns[i], &w->of[i]) && !emit_eqn(w, &p->eqns[i], &w->of[i]))
			return NULL;
	return prune_finish(w, used_out);
}

static program *prune_make(const program *p, const bool *used_out, bool *used_in)
{
	prune w = {.b = build_begin(p->ir, p->name, p->axes, p->naxes)};
	program *made = NULL;

	if (!w.b) return NULL;
	arena *a = build_arena(w.b);
	w.used = arena_array(a, (size_t)p->nvars, sizeof *w.used);
	w.of = arena_array(a, (size_t)p->neqns + 1, sizeof *w.of);
	if (w.used && w.of && values_init(&w.x, p, w.b))
		made = prune_walk(&w, p, used_out, used_in);
	build_abandon(w.b);
	return made;
}

program *pass_prune(const program *p, const bool *used_out, bool *used_in)
{
	const bool all_in = !used_in;
	memo m;

	if (memo_begin(&m, "prune", p, MEMO_PARTS({used_out, (size_t)p->nout}, {&all_in, 1}),
	               used_in, all_in ? 0 : (size_t)p->nin))
		m.to[0] = prune_make(p, used_out, used_in);
	return memo_end(&m);
}

/* build_end has dropped unused equations already, so only programs inside have something to lose */
static bool can_prune(const program *p)
{
	for (int i = 0; i < p->neqns; i++)
		if (has_parts(&p->eqns[i])) return true;
	return false;
}

program *pass_dead(const program *p)
{
	if (!can_prune(p)) return retained(p);
	bool *all = mem_array(p->ir->base, (size_t)p->nout + 1, sizeof *all);
	for (int i = 0; all && i < p->nout; i++) all[i] = true;
	program *made = all ? pass_prune(p, all, NULL) : NULL;
	mem_free(p->ir->base, all);
	return made;
}
