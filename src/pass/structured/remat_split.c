/* remat_split.c - a remat in two halves. The known one gives its results, and of the values on the
 * way only those that are saved. The unknown one computes the others once more.
 *
 * The second operand is unknown. Nothing is saved, so the cosine that the unknown half needs is
 * computed there:
 *
 *     pass split 10
 *     f(%0: f32[], %1: f32[]) -> f32[], f32[] {
 *       %2: f32[], %3: f32[] = remat %0 %1 policy=nothing names="" program=(%0: f32[],
 *             %1: f32[]) -> f32[], f32[] {
 *         %2: f32[] = sin %0
 *         %3: f32[] = cos %0
 *         %4: f32[] = mul %1 %3
 *         return %2 %4
 *       }
 *       return %2 %3
 *     }
 *     gives
 *     f(%0: f32[]) -> f32[], f32[] {
 *       %1: f32[] = remat %0 policy=nothing names="" program=(%0: f32[]) -> f32[] {
 *         %1: f32[] = sin %0
 *         return %1
 *       }
 *       return %1 %0
 *     }
 *     f(%0: f32[], %1: f32[]) -> f32[] {
 *       %2: f32[] = remat %0 %1 policy=nothing names="" again=true program=(%0: f32[],
 *             %1: f32[]) -> f32[] {
 *         %2: f32[] = cos %1
 *         %3: f32[] = mul %0 %2
 *         return %3
 *       }
 *       return %2
 *     }
 *
 * The equation that computes something again says so: when nothing more is derived, it reads its
 * operands through a barrier (inline.c), for otherwise simplify would find that it has all been
 * computed before. */
#include "pass/structured/structured.h"

/* ---- what is saved */

static bool is_dot(const eqn *e, bool batched)
{
	const dot_params *p = e->params;

	return e->prim == &tsr__prim_dot_general && (batched || !p->batch_a.n);
}

static bool is_named(const eqn *e, const char *names)
{
	const char *own = e->prim == &tsr__prim_name ? ((const name_params *)e->params)->name : "";
	size_t len;

	for (const char *name; (name = product_next(&names, &len));)
		if (strlen(own) == len && memcmp(name, own, len) == 0) return true;
	return false;
}

static bool is_saved(const remat_params *p, const eqn *e)
{
	return is_named(e, p->names) ||
	       (p->policy != SAVE_NOTHING && is_dot(e, p->policy == SAVE_DOTS));
}

/* ---- programs */

/* the known half with all that can be saved as further results */
static program *with_saved(const remat_params *params, const program *p)
{
	value_map v;
	bool ok = copy_begin(&v, p);
	var *out = ok ? var_room(v.to, p->nout + p->neqns) : NULL;
	int n = p->nout;

	ok = out;
	for (int i = 0; ok && i < p->neqns; i++) {
		ok = copy_equation(&v, &p->eqns[i]);
		if (is_saved(params, &p->eqns[i])) out[n++] = v.of[p->eqns[i].out[0].id];
	}
	for (int k = 0; ok && k < p->nout; k++) out[k] = values_get(&v, p->out[k]);
	return remade(v.to, ok, out, n);
}

static bool is_there(const value_map *v, const eqn *e)
{
	for (int k = 0; k < e->nout; k++)
		if (!v->of[e->out[k].id].id) return false;
	return e->nout;
}

/* p: the known half with what can be saved, without effects */
static bool put_again(build *b, const program *p, const halves *h, var *x)
{
	const program *rest = h->unknown;
	const int nunknown = rest->nin - h->nresiduals;
	const int results = known_results(h);
	value_map v;
	bool ok = values_init(&v, p, b);

	for (int i = 0; ok && i < nunknown; i++)
		ok = (x[i] = build_input(b, type_of(rest, rest->in[i]))).id;
	for (int i = 0; ok && i < p->nin; i++)
		ok = (v.of[p->in[i].id] = build_input(b, type_of(p, p->in[i]))).id;
	for (int k = h->known->nout; ok && k < p->nout; k++)
		ok = (v.of[p->out[k].id] = build_input(b, type_of(p, p->out[k]))).id;
	for (int i = 0; ok && i < p->neqns; i++)
		ok = is_there(&v, &p->eqns[i]) || copy_equation(&v, &p->eqns[i]);
	for (int i = 0; ok && i < h->nresiduals; i++)
		x[nunknown + i] = values_get(&v, p->out[results + i]);
	return ok && !build_failed(b) && build_inline(b, rest, x, x + rest->nin, NULL);
}

/* unknown operands, known operands, saved values -> unknown results */
static program *computed_again(const program *p, const halves *h)
{
	const program *rest = h->unknown;
	program *silent = pass_silent(p);
	build *b = silent ? build_begin(p->ir, p->name, p->axes, p->naxes) : NULL;
	var *x = b ? var_room(b, rest->nin + rest->nout) : NULL;
	program *made = remade(b, x && put_again(b, silent, h, x), x ? x + rest->nin : x,
	                       rest->nout);

	program_release(silent);
	return made;
}

/* ---- equations, without operands that their programs do not need */

typedef struct split {
	splitting *s;
	const eqn *e;
	const bool *known, *known_out; /* operands, results */
	int nsaved;
	var *saved; /* what can be saved, in the known half; only what is needed is there */
} split;

/* takes the reference to the program */
static void put_remat(const rebuilt *to, bool again, program *p)
{
	remat_params *own = rebuild_made(to, &p);

	if (own) own->again = again;
	rebuild_emit(to, own);
}

/* p: the known half with what can be saved. saved: what of that the unknown half needs */
static bool emit_known(const split *w, const halves *h, const program *p, const bool *saved)
{
	const eqn *e = w->e;
	build *b = w->s->known;
	bool *used_out = flags(b, p->nout), *used_in = flags(b, p->nin);
	rebuilt to;
	int n = 0;

	if (!used_out || !used_in || !rebuild_begin(&to, b, e, e->nin, p->nout)) return false;
	for (int k = 0; k < p->nout; k++)
		used_out[k] = k < known_results(h) ||
		              (k >= h->known->nout && saved[k - h->known->nout]);
	program *less = pass_prune(p, used_out, used_in);
	if (!less) return false;
	for (int i = 0; i < e->nin; i++)
		if (w->known[i] && used_in[n++])
			rebuild_takes(&to, operand_role(e, i), w->s->x_known[i]);
	for (int k = 0; k < e->nout; k++)
		if (w->known_out[k]) rebuild_gives(&to, result_role(e, k), &w->s->y_known[k]);
	for (int k = 0; k < w->nsaved; k++)
		if (saved[k]) rebuild_gives(&to, gives_as(e, EDGE_SAME, NULL), &w->saved[k]);
	if (less->nout || less->effects)
		put_remat(&to, ((const remat_params *)e->params)->again, less);
	else
		program_release(less);
	return true;
}

/* takes the reference to p; used: its inputs */
static bool emit_unknown(const split *w, program *p, const bool *used)
{
	const eqn *e = w->e;
	const role same = takes_as(e, EDGE_SAME, NULL);
	rebuilt to;
	int n = 0;

	if (!rebuild_begin(&to, w->s->unknown, e, e->nin + w->nsaved, p->nout)) {
		program_release(p);
		return false;
	}
	for (int i = 0; i < e->nin; i++)
		if (!w->known[i] && used[n++]) rebuild_takes(&to, same, w->s->x_unknown[i]);
	for (int i = 0; i < e->nin; i++)
		if (w->known[i] && used[n++])
			rebuild_takes(&to, same, split_carry(w->s, w->s->x_known[i]));
	for (int k = 0; k < w->nsaved; k++)
		if (used[n++]) rebuild_takes(&to, same, split_carry(w->s, w->saved[k]));
	for (int k = 0; k < e->nout; k++)
		if (!w->known_out[k]) rebuild_gives(&to, result_role(e, k), &w->s->y_unknown[k]);
	put_remat(&to, true, p);
	return true;
}

static bool emit_halves(split *w, const halves *h, const program *p, const program *again)
{
	bool *all = flags(w->s->known, again->nout), *used = flags(w->s->known, again->nin);

	w->nsaved = p->nout - h->known->nout;
	w->saved = var_room(w->s->known, w->nsaved);
	for (int k = 0; all && k < again->nout; k++) all[k] = true;
	program *less = all && used && w->saved ? pass_prune(again, all, used) : NULL;
	if (less && emit_known(w, h, p, used + again->nin - w->nsaved))
		return emit_unknown(w, less, used);
	program_release(less);
	return false;
}

void remat_split(splitting *s, const eqn *e, const bool *known, bool *yknown)
{
	bool *stays;
	halves *h = split_inside(s->known, e, known, &stays, yknown);
	split w = {.s = s, .e = e, .known = known, .known_out = yknown};

	if (!h) return;
	program *p = with_saved(e->params, h->known);
	program *again = p ? computed_again(p, h) : NULL;
	if (!again || !emit_halves(&w, h, p, again)) build_fail(s->known);
	program_release(p);
	program_release(again);
	halves_free(h);
}
