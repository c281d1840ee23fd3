/* transpose.c - a linear program backwards: equations that are linear in something are walked
 * from the last to the first, and cotangents add up at the values they belong to.
 *
 * The program is linear in its first input. Its transpose takes the second one, and the
 * cotangent of the result:
 *
 *     pass transpose 10
 *     f(%0: f32[], %1: f32[]) -> f32[] {
 *       %2: f32[] = mul %0 %1
 *       %3: f32[] = add %0 %2
 *       return %3
 *     }
 *     gives
 *     f(%0: f32[], %1: f32[]) -> f32[] {
 *       %2: f32[] = mul %1 %0
 *       %3: f32[] = add %1 %2
 *       return %3
 *     }
 *
 * %0 is used twice, so two cotangents arrive there, and %3 is their sum. Equations that depend on
 * nothing linear are computed first, as they are. */
#include "pass/pass.h"

typedef struct backward {
	value_map x;  /* values that are not linear */
	var *ct;      /* cotangents, by variable of the program */
	bool *linear; /* variables that depend on the linear inputs */
	build *b;
} backward;

static bool linear_eqn(const backward *w, const eqn *e)
{
	for (int i = 0; i < e->nin; i++)
		if (w->linear[e->in[i].id]) return true;
	return false;
}

/* equations that depend on nothing linear are computed as they are */
static bool walk_forward(backward *w)
{
	const program *p = w->x.from;

	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		if (e->prim == &tsr__prim_placed_like && !w->linear[e->in[0].id]) {
			w->x.of[e->out[0].id] = values_get(&w->x, e->in[0]);
			continue;
		}
		if (linear_eqn(w, e)) {
			for (int k = 0; k < e->nout; k++) w->linear[e->out[k].id] = true;
			continue;
		}
		var *x = values_list(&w->x, e->in, e->nin);
		var *y = var_room(w->b, e->nout);
		if (!x || !y || !build_copy(w->b, e, p->naxes, x, y, NULL) ||
		    !values_set(&w->x, e, y))
			return false;
	}
	return true;
}

static const char no_way_back[] = "effects see values, and here these are linear";

static bool back_eqn(backward *w, const eqn *e)
{
	const program *p = w->x.from;
	arena *a = build_arena(w->b);
	const type **in = arena_array(a, (size_t)e->nin + 1, sizeof *in);
	var *x = arena_array(a, 2 * (size_t)e->nin + (size_t)e->nout + 1, sizeof *x);
	bool arrives = false;

	if (!in || !x) return false;
	var *dx = x + e->nin, *ct = dx + e->nin;
	for (int k = 0; k < e->nout; k++) {
		ct[k] = w->ct[e->out[k].id];
		arrives = arrives || !is_zero(ct[k]);
	}
	if (!arrives && !eqn_has_effects(e)) return true;
	if (!arrives) return rule_missing(w->b, e, COL_TRANSPOSE, no_way_back);
	if (!e->prim->transpose) return rule_missing(w->b, e, COL_TRANSPOSE, NULL);
	for (int i = 0; i < e->nin; i++) {
		in[i] = type_of(p, e->in[i]);
		if (!w->linear[e->in[i].id]) x[i] = values_get(&w->x, e->in[i]);
	}
	if (build_failed(w->b)) return false;
	build_at(w->b, e->where);
	e->prim->transpose(w->b, e, in, x, ct, dx);
	for (int i = 0; i < e->nin; i++) {
		var *sum = &w->ct[e->in[i].id];
		if (w->linear[e->in[i].id]) *sum = accumulate(w->b, *sum, dx[i]);
	}
	return !build_failed(w->b);
}

static bool begin(backward *w, const bool *linear, const bool *given)
{
	const program *p = w->x.from;

	for (int i = 0; i < p->nin; i++) {
		w->linear[p->in[i].id] = linear[i];
		if (linear[i]) continue;
		const var v = build_input(w->b, type_of(p, p->in[i]));
		if (!(w->x.of[p->in[i].id] = v).id) return false;
	}
	for (int i = 0; i < p->nout; i++) {
		var *sum = &w->ct[p->out[i].id];
		const var ct = given[i] ? build_input(w->b, type_of(p, p->out[i])) : (var){0};
		if (given[i] && !ct.id) return false;
		*sum = emit_add(w->b, *sum, ct);
	}
	return walk_forward(w);
}

static program *transpose_finish(backward *w, const bool *linear, bool *arrives)
{
	const program *p = w->x.from;
	var *out = var_room(w->b, p->nin);
	int n = 0;

	if (!out) return NULL;
	build_at(w->b, NULL);
	for (int i = 0; i < p->nin; i++) {
		const var ct = emit_as(w->b, w->ct[p->in[i].id], etype_of(type_of(p, p->in[i])));
		if (arrives) arrives[i] = linear[i] && !is_zero(ct);
		if (!linear[i]) continue;
		if (!arrives)
			out[n++] = emit_instance(w->b, ct, type_of(p, p->in[i]));
		else if (arrives[i])
			out[n++] = ct;
	}
	if (build_failed(w->b)) return NULL;
	build *b = w->b;
	w->b = NULL;
	return build_end(b, out, n);
}

static program *transpose_make(const program *p, const bool *linear, const bool *given,
                               bool *arrives)
{
	backward w = {.b = build_begin(p->ir, p->name, p->axes, p->naxes)};
	program *made = NULL;

	if (!w.b) return NULL;
	w.ct = arena_array(build_arena(w.b), (size_t)p->nvars, sizeof *w.ct);
	w.linear = arena_array(build_arena(w.b), (size_t)p->nvars, sizeof *w.linear);
	bool ok = w.ct && w.linear && values_init(&w.x, p, w.b) && begin(&w, linear, given);
	for (int i = p->neqns - 1; ok && i >= 0; i--)
		if (linear_eqn(&w, &p->eqns[i])) ok = back_eqn(&w, &p->eqns[i]);
	if (ok) made = transpose_finish(&w, linear, arrives);
	build_abandon(w.b);
	return made;
}

program *pass_transpose(const program *p, const bool *linear, const bool *given, bool *arrives)
{
	const size_t nin = (size_t)p->nin, nout = (size_t)p->nout;
	const bool all = !arrives;
	memo m;

	if (memo_begin(&m, "transpose", p, MEMO_PARTS({linear, nin}, {given, nout}, {&all, 1}),
	               arrives, all ? 0 : nin))
		m.to[0] = transpose_make(p, linear, given, arrives);
	return pass_done(memo_end(&m), "transpose");
}

/* ---- of what is not linear throughout: a loop that counts its steps, say, is split first */

typedef struct parts {
	const program *p;
	const bool *linear, *given;
	halves h;
	program *back; /* of the unknown half */
} parts;

static bool parts_make(parts *w, arena *a, bool *arrives)
{
	const program *p = w->p;
	bool *known = arena_array(a, (size_t)p->nin + 1, sizeof *known);
	bool *given = arena_array(a, (size_t)p->nout + 1, sizeof *given);
	int n = 0;

	if (!known || !given) return false;
	for (int i = 0; i < p->nin; i++) known[i] = !w->linear[i];
	if (!pass_split(p, a, known, NULL, &w->h)) return false;
	const program *rest = w->h.unknown;
	const int nlinear = rest->nin - w->h.nresiduals;
	bool *linear = arena_array(a, (size_t)rest->nin + 1, sizeof *linear);
	bool *some = arena_array(a, (size_t)rest->nin + 1, sizeof *some);
	if (!linear || !some) return false;
	for (int i = 0; i < nlinear; i++) linear[i] = true;
	for (int k = 0; k < p->nout; k++)
		if (!w->h.known_out[k]) given[n++] = w->given[k];
	w->back = pass_transpose(rest, linear, given, arrives ? some : NULL);
	for (int i = 0, k = 0; arrives && i < p->nin; i++) arrives[i] = w->linear[i] && some[k++];
	return w->back;
}

/* inputs that are not linear, cotangents -> cotangents; those of known results go nowhere */
static bool parts_join(const parts *w, build *b, var *out)
{
	const program *p = w->p, *known = w->h.known;
	const size_t most = (size_t)(p->nin + p->nout + known->nout) + 1;
	var *x = arena_array(build_arena(b), most, sizeof *x);
	const int nresiduals = w->h.nresiduals;
	int n = 0;

	if (!x) return false;
	for (int i = 0; i < p->nin; i++)
		if (!w->linear[i] && !(x[n++] = build_input(b, type_of(p, p->in[i]))).id)
			return false;
	var *y = x + n, *operand = y + known->nout - nresiduals, *ct = operand + nresiduals;
	if (!build_inline(b, known, x, y, NULL)) return false;
	for (int k = 0; k < p->nout; k++) {
		const var v = w->given[k] ? build_input(b, type_of(p, p->out[k])) : (var){0};
		if (w->given[k] && !v.id) return false;
		if (w->given[k] && !w->h.known_out[k]) *ct++ = v;
	}
	return build_inline(b, w->back, operand, out, NULL);
}

program *pass_linear_transpose(const program *p, const bool *linear, const bool *given,
                               bool *arrives)
{
	arena *a = arena_make(p->ir->base);
	parts w = {.p = p, .linear = linear, .given = given};
	build *b = a && parts_make(&w, a, arrives) ? build_begin(p->ir, p->name, p->axes, p->naxes)
	                                           : NULL;
	var *out = b ? var_room(b, w.back->nout) : NULL;
	program *made = remade(b, out && parts_join(&w, b, out), out, b ? w.back->nout : 0);

	program_release(w.back);
	halves_free(&w.h);
	arena_free(a);
	return made;
}
