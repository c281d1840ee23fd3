/* cond_rules.c - the transformations of a choice: each branch is transformed, and all give the same
 * results, with zeros where one has nothing to give. */
#include "pass/structured/structured.h"

static const cond_params *params_of(const eqn *e) { return e->params; }

/* the choice between these branches, whose references it takes (NULL: the build has failed) */
static void finish(build *b, program *const *branch, int n, const var *x, int nx, var *y)
{
	const program **kept = arena_array(build_arena(b), (size_t)n + 1, sizeof *kept);
	bool ok = kept;

	for (int k = 0; k < n; k++) {
		const program *p = build_keep(b, branch[k]);
		if (kept) kept[k] = p;
		ok = ok && p;
	}
	if (ok)
		emit_all(b, &tsr__prim_cond, &(cond_params){{n, kept}}, x, nx, y);
	else
		build_fail(b);
}

static program **programs_room(build *b, int n)
{
	program **p = arena_array(build_arena(b), (size_t)n + 1, sizeof *p);

	if (!p) build_fail(b);
	return p;
}

static void join(bool *all, const bool *some, int n)
{
	for (int i = 0; i < n; i++) all[i] = all[i] || some[i];
}

/* ---- jvp */

void cond_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	const programs *of = &params_of(e)->branches;
	bool *moves = flags(b, e->nin), *out = flags(b, e->nout), *all = flags(b, e->nout);
	program **branch = programs_room(b, of->n);
	var *operand = values(b, 2 * e->nin), *made = values(b, 2 * e->nout);
	int nx = 0, n = e->nout;

	if (!moves || !out || !all || !branch || !operand || !made) return;
	for (int i = 0; i < e->nin; i++) moves[i] = !is_zero(dx[i]);
	for (int k = 0; k < of->n; k++) { /* which results move in some branch */
		program *p = pass_jvp(of->v[k], moves + 1, NULL, out);
		if (!p) build_fail(b);
		if (p) join(all, out, e->nout);
		program_release(p);
	}
	for (int k = 0; k < of->n; k++) branch[k] = pass_jvp(of->v[k], moves + 1, all, out);
	for (int i = 0; i < e->nin; i++) operand[nx++] = x[i];
	for (int i = 1; i < e->nin; i++)
		if (moves[i]) operand[nx++] = dx[i];
	finish(b, branch, of->n, operand, nx, made);
	for (int i = 0; i < e->nout; i++) {
		y[i] = made[i];
		if (all[i]) dy[i] = made[n++];
	}
}

/* ---- transpose */

void cond_transpose(build *b, const eqn *e, const type *const *in, const var *x, const var *ct,
                    var *dx)
{
	const programs *of = &params_of(e)->branches;
	const int nin = e->nin - 1;
	bool *linear = flags(b, nin), *given = flags(b, e->nout), *some = flags(b, nin);
	bool *arrives = flags(b, nin);
	program **branch = programs_room(b, of->n);
	var *operand = values(b, e->nin + e->nout), *made = values(b, nin);
	int *order = numbers(b, e->nin + e->nout), *out = numbers(b, nin);
	int nx = 0, nout = 0, at = 0;

	(void)in;
	if (!linear || !given || !some || !arrives || !branch || !operand || !made || !order ||
	    !out)
		return;
	operand[nx++] = x[0];
	for (int i = 0; i < nin; i++) {
		linear[i] = is_zero(x[i + 1]);
		if (!linear[i]) operand[nx++] = x[i + 1];
	}
	for (int k = 0; k < e->nout; k++) {
		given[k] = !is_zero(ct[k]);
		if (given[k]) operand[nx++] = ct[k];
	}
	for (int k = 0; k < of->n; k++) {
		program *p = pass_transpose(of->v[k], linear, given, some);
		if (!p) build_fail(b);
		if (p) join(arrives, some, nin);
		program_release(p);
	}
	for (int i = 0; i < nx - 1; i++) order[i] = i;
	for (int i = 0; i < nin; i++) {
		if (!linear[i]) continue;
		if (arrives[i]) out[nout++] = at;
		at++;
	}
	for (int k = 0; k < of->n; k++)
		branch[k] = arranged(pass_transpose(of->v[k], linear, given, NULL), order, nx - 1,
		                     out, nout);
	finish(b, branch, of->n, operand, nx, made);
	at = 0;
	for (int i = 0; i < nin; i++)
		if (linear[i] && arrives[i]) dx[i + 1] = made[at++];
}

/* ---- batch: one index for all elements chooses a branch for all; otherwise every branch is
 * computed for all elements, and each takes its own. What a branch makes of elements that are not
 * its own may be infinite or NaN, and so may its derivative: no cotangent reaches these elements,
 * unless a collective over the batch takes something of them to others */

/* `which`, of one element each, for all elements of a value */
static var choose(build *b, var which, var if_true, var if_false)
{
	const type *t = is_zero(if_true) ? NULL : build_type(b, if_true);
	const int64_t first = 0;

	if (!t || build_failed(b)) return (var){0};
	return emit_select(b, emit_broadcast(b, which, t->dims, t->ndim, &first), if_true,
	                   if_false);
}

/* which elements take branch k; the first and the last one take those beyond */
static var takes(build *b, var index, int k, int last)
{
	const tsr_dtype dtype = is_zero(index) ? TSR_BOOL : build_type(b, index)->dtype;
	const tsr_prim *is = k == last ? &tsr__prim_ge : k ? &tsr__prim_eq : &tsr__prim_le;

	if (dtype == TSR_BOOL) return k ? index : emit_1(b, &tsr__prim_not, index);
	return emit_2(b, is, index, emit_scalar(b, dtype, k));
}

/* x for all elements; those that are not here have no derivative */
static var guarded(build *b, const batching *to, var here, var x, bool mapped)
{
	if (!mapped) x = emit_repeat(b, x, to->size);
	if (is_zero(x) || !has_tangent(build_type(b, x)->dtype)) return x;
	return choose(b, here, x, emit_1(b, &tsr__prim_stop_gradient, x));
}

static void batch_all(build *b, const eqn *e, const batching *to, const var *x, const bool *mapped,
                      var *y, bool *ymapped)
{
	const programs *of = &params_of(e)->branches;
	bool *must = flags(b, e->nout), *in = flags(b, e->nin);
	var *own = values(b, e->nin), *made = values(b, e->nout);

	if (!must || !in || !own || !made) return;
	for (int i = 0; i < e->nout; i++) must[i] = true;
	for (int k = 0; k < of->n && !build_failed(b); k++) {
		const var here = takes(b, x[0], k, of->n - 1);
		const bool exchanges = program_names_axis(of->v[k], to->axis);
		for (int i = 1; i < e->nin; i++) {
			const bool moves = !exchanges && has_tangent(build_type(b, x[i])->dtype);
			in[i] = mapped[i] || moves;
			own[i] = moves ? guarded(b, to, here, x[i], mapped[i]) : x[i];
			if (in[i] && own[i].id)
				own[i] = build_vary(b, own[i], to->varying, e->where);
		}
		program *p =
			build_failed(b) ? NULL : pass_batch(of->v[k], to, in + 1, must, ymapped);
		if (!p || !build_inline(b, p, own + 1, made, NULL)) build_fail(b);
		program_release(p);
		for (int i = 0; i < e->nout; i++)
			y[i] = k ? choose(b, here, made[i], y[i]) : made[i];
	}
}

static void batch_one(build *b, const eqn *e, const batching *to, const var *x, const bool *mapped,
                      var *y, bool *ymapped)
{
	const programs *of = &params_of(e)->branches;
	bool *out = flags(b, e->nout);
	program **branch = programs_room(b, of->n);

	if (!out || !branch) return;
	for (int k = 0; k < of->n; k++) {
		program *p = pass_batch(of->v[k], to, mapped + 1, NULL, out);
		if (!p) build_fail(b);
		if (p) join(ymapped, out, e->nout);
		program_release(p);
	}
	for (int k = 0; k < of->n; k++)
		branch[k] = pass_batch(of->v[k], to, mapped + 1, ymapped, out);
	finish(b, branch, of->n, x, e->nin, y);
}

void cond_batch(build *b, const eqn *e, const batching *to, const var *x, const bool *mapped,
                var *y, bool *ymapped)
{
	if (mapped[0])
		batch_all(b, e, to, x, mapped, y, ymapped);
	else
		batch_one(b, e, to, x, mapped, y, ymapped);
}

/* ---- split: the known choice also gives what the branches leave for the unknown one. A residual
 * has a slot, which residuals of one type of several branches share; a branch that has nothing for
 * a slot puts zeros there. Operands are taken again, and what a branch makes of nothing is made
 * again (it may vary over fewer axes than a result must) */

typedef enum residual_kind { IN_SLOT, OF_OPERAND, CONSTANT } residual_kind;
typedef struct residual {
	residual_kind kind;
	int at; /* slot, or operand without the index, or number among the constants */
} residual;

typedef struct branch {
	halves of;       /* of the branch */
	halves constant; /* of its known half: what it makes of nothing, and the rest */
	residual *residual;
} branch;

typedef struct split {
	splitting *s;
	const eqn *e;
	const bool *known; /* of the operands without the index */
	bool *unknown_out;
	branch *branch;
	int n, nslots, slots_cap;
	const type **slot;
	int *place; /* of each known operand: 1 + its number among those taken again, or 0 */
	int ntaken;
} split;

static void split_free(split *w)
{
	for (int k = 0; w->branch && k < w->n; k++) {
		halves_free(&w->branch[k].of);
		halves_free(&w->branch[k].constant);
	}
}

static bool split_branches(split *w)
{
	arena *a = build_arena(w->s->known);
	const programs *of = &params_of(w->e)->branches;

	for (int round = 0; round < 2; round++) /* which results are unknown; then for all alike */
		for (int k = 0; k < w->n; k++) {
			halves *h = &w->branch[k].of;
			halves_free(h);
			if (!pass_split(of->v[k], a, w->known, round ? w->unknown_out : NULL, h))
				return false;
			for (int i = 0; i < w->e->nout; i++)
				if (!h->known_out[i]) w->unknown_out[i] = true;
		}
	return true;
}

static int results_of(const halves *h) { return h->known->nout - h->nresiduals; }

static bool split_constants(split *w, branch *br)
{
	const program *p = br->of.known;
	bool *none = flags(w->s->known, p->nin), *must = flags(w->s->known, p->nout);

	if (!none || !must) return false;
	for (int i = 0; i < results_of(&br->of); i++) must[i] = true;
	return pass_split(p, build_arena(w->s->known), none, must, &br->constant);
}

/* a slot of this type that the branch has not used */
static int find_slot(split *w, const branch *br, int nresiduals, const type *t)
{
	for (int s = 0; s < w->nslots; s++) {
		bool taken = w->slot[s] != t;
		for (int i = 0; i < nresiduals; i++)
			if (br->residual[i].kind == IN_SLOT && br->residual[i].at == s)
				taken = true;
		if (!taken) return s;
	}
	w->slot[w->nslots] = t;
	return w->nslots++;
}

static bool find_residuals(split *w, branch *br)
{
	const program *p = br->of.known;
	const int first = results_of(&br->of);
	int constants = 0;

	br->residual = arena_array(build_arena(w->s->known), (size_t)br->of.nresiduals + 1,
	                           sizeof *br->residual);
	if (!br->residual) return false;
	for (int i = 0; i < br->of.nresiduals; i++) {
		const var v = p->out[first + i];
		int operand = -1;
		for (int k = 0; k < p->nin; k++)
			if (p->in[k].id == v.id) operand = k;
		if (br->constant.known_out[first + i])
			br->residual[i] = (residual){CONSTANT, constants++};
		else if (operand >= 0)
			br->residual[i] = (residual){OF_OPERAND, operand};
		else
			br->residual[i] = (residual){IN_SLOT, find_slot(w, br, i, type_of(p, v))};
		if (br->residual[i].kind == OF_OPERAND && !w->place[operand])
			w->place[operand] = ++w->ntaken;
	}
	return true;
}

/* known operands -> known results, slots */
static program *known_branch(const split *w, const branch *br)
{
	const int first = results_of(&br->of);
	var *y = NULL;
	build *b = remake(br->of.known, &y);
	var *out = b ? values(b, first + w->nslots) : NULL;

	for (int i = 0; out && i < first; i++) out[i] = y[i];
	for (int i = 0; out && i < br->of.nresiduals; i++)
		if (br->residual[i].kind == IN_SLOT) out[first + br->residual[i].at] = y[first + i];
	for (int s = 0; out && s < w->nslots; s++)
		out[first + s] = emit_instance(b, out[first + s], w->slot[s]);
	return remade(b, out, first + w->nslots);
}

/* unknown operands, known operands that are taken again, slots -> unknown results */
static program *unknown_branch(const split *w, const branch *br)
{
	const program *p = br->of.unknown, *known = br->of.known, *constant = br->constant.known;
	const int own = p->nin - br->of.nresiduals;
	build *b = build_begin(p->ir, p->name, p->axes, p->naxes);
	var *in = b ? values(b, own + w->ntaken + w->nslots) : NULL;
	const type **types =
		b ? arena_array(build_arena(b), (size_t)w->ntaken + 1, sizeof *types) : NULL;
	var *x = b ? values(b, p->nin + p->nout + constant->nout) : NULL;
	bool ok = in && x && types;

	for (int i = 0; ok && i < known->nin; i++)
		if (w->place[i]) types[w->place[i] - 1] = type_of(known, known->in[i]);
	for (int i = 0; ok && i < own; i++)
		ok = (x[i] = in[i] = build_input(b, type_of(p, p->in[i]))).id;
	for (int i = 0; ok && i < w->ntaken; i++) ok = (in[own + i] = build_input(b, types[i])).id;
	for (int s = 0; ok && s < w->nslots; s++)
		ok = (in[own + w->ntaken + s] = build_input(b, w->slot[s])).id;
	var *made = x ? x + p->nin + p->nout : NULL;
	ok = ok && build_inline(b, constant, NULL, made, NULL);
	for (int i = 0; ok && i < br->of.nresiduals; i++) {
		const residual *r = &br->residual[i];
		x[own + i] = r->kind == CONSTANT     ? made[r->at]
		             : r->kind == OF_OPERAND ? in[own + w->place[r->at] - 1]
		                                     : in[own + w->ntaken + r->at];
	}
	if (ok && build_inline(b, p, x, x + p->nin, NULL)) return build_end(b, x + p->nin, p->nout);
	build_abandon(b);
	return NULL;
}

static void emit_halves(split *w)
{
	splitting *s = w->s;
	const int nin = w->e->nin - 1, nout = w->e->nout;
	program **known = programs_room(s->known, w->n), **unknown = programs_room(s->known, w->n);
	var *x = values(s->known, nin + 1), *y = values(s->known, nout + w->nslots);
	var *ux = values(s->unknown, 2 * nin + w->nslots + 1), *uy = values(s->unknown, nout);
	int nx = 0, nu = 0, at = 0;

	if (!known || !unknown || !x || !y || !ux || !uy) return;
	for (int k = 0; k < w->n; k++) {
		known[k] = known_branch(w, &w->branch[k]);
		unknown[k] = unknown_branch(w, &w->branch[k]);
	}
	x[nx++] = s->x_known[0];
	for (int i = 0; i < nin; i++)
		if (w->known[i]) x[nx++] = s->x_known[i + 1];
	finish(s->known, known, w->n, x, nx, y);
	for (int i = 0; i < nout; i++)
		if (!w->unknown_out[i]) s->y_known[i] = y[at++];
	ux[nu++] = split_carry(s, x[0]);
	for (int i = 0; i < nin; i++)
		if (!w->known[i]) ux[nu++] = s->x_unknown[i + 1];
	for (int i = 1; i < nx; i++)
		if (w->place[i - 1]) ux[nu + w->place[i - 1] - 1] = split_carry(s, x[i]);
	nu += w->ntaken;
	for (int k = 0; k < w->nslots; k++) ux[nu++] = split_carry(s, y[at + k]);
	finish(s->unknown, unknown, w->n, ux, nu, uy);
	at = 0;
	for (int i = 0; i < nout; i++)
		if (w->unknown_out[i]) s->y_unknown[i] = uy[at++];
}

/* the index is unknown: so is everything */
static void all_unknown(splitting *s, const eqn *e, const bool *known)
{
	var *x = values(s->unknown, e->nin);

	if (!x) return;
	for (int i = 0; i < e->nin; i++)
		x[i] = known[i] ? split_carry(s, s->x_known[i]) : s->x_unknown[i];
	emit_all(s->unknown, e->prim, e->params, x, e->nin, s->y_unknown);
}

void cond_split(splitting *s, const eqn *e, const bool *known, bool *yknown)
{
	split w = {.s = s, .e = e, .known = known + 1, .n = params_of(e)->branches.n};
	arena *a = build_arena(s->known);
	bool ok = true;

	if (!known[0]) {
		all_unknown(s, e, known);
		return;
	}
	w.unknown_out = flags(s->known, e->nout);
	w.branch = arena_array(a, (size_t)w.n, sizeof *w.branch);
	w.place = numbers(s->known, e->nin);
	ok = w.unknown_out && w.branch && w.place && split_branches(&w);
	for (int k = 0; ok && k < w.n; k++) w.slots_cap += w.branch[k].of.nresiduals;
	ok = ok && (w.slot = arena_array(a, (size_t)w.slots_cap + 1, sizeof *w.slot));
	for (int k = 0; ok && k < w.n; k++)
		ok = split_constants(&w, &w.branch[k]) && find_residuals(&w, &w.branch[k]);
	if (ok)
		emit_halves(&w);
	else
		build_fail(s->known);
	for (int i = 0; ok && i < e->nout; i++) yknown[i] = !w.unknown_out[i];
	split_free(&w);
}

/* ---- prune */

const void *cond_prune(build *b, const eqn *e, bool *used_out, bool *used_in)
{
	const programs *of = &params_of(e)->branches;
	cond_params *own = arena_alloc(build_arena(b), sizeof *own);
	const program **kept = arena_array(build_arena(b), (size_t)of->n + 1, sizeof *kept);
	bool *used = flags(b, e->nin);
	int *in = numbers(b, e->nin), *out = numbers(b, e->nout), nin = 0, nout = 0;

	if (!own || !kept || !used || !in || !out) return NULL;
	used_in[0] = true;
	for (int k = 0; k < of->n; k++) {
		program *p = pass_prune(of->v[k], used_out, used);
		program_release(p);
		if (!p) return NULL;
		join(used_in + 1, used, e->nin - 1);
	}
	for (int i = 0; i < e->nin - 1; i++)
		if (used_in[i + 1]) in[nin++] = i;
	for (int i = 0; i < e->nout; i++)
		if (used_out[i]) out[nout] = nout, nout++;
	*own = (cond_params){{of->n, kept}};
	for (int k = 0; k < of->n; k++) {
		program *p = pass_prune(of->v[k], used_out, NULL);
		if (!(kept[k] = build_keep(b, arranged(p, in, nin, out, nout)))) return NULL;
	}
	return own;
}
