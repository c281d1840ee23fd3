/* split.c - splits a program in two halves: the one that known inputs decide, and the rest.
 *
 * The first input is known. The known half comes first, with its results and the residuals, here
 * cos %0; the other half takes the unknown inputs and the residuals:
 *
 *     pass split 10
 *     f(%0: f32[], %1: f32[]) -> f32[], f32[] {
 *       %2: f32[] = sin %0
 *       %3: f32[] = cos %0
 *       %4: f32[] = mul %3 %1
 *       return %2 %4
 *     }
 *     gives
 *     f(%0: f32[]) -> f32[], f32[] {
 *       %1: f32[] = sin %0
 *       %2: f32[] = cos %0
 *       return %1 %2
 *     }
 *     f(%0: f32[], %1: f32[]) -> f32[] {
 *       %2: f32[] = mul %1 %0
 *       return %2
 *     }
 *
 * An equation whose operands are all known is known, any other is not; a row that holds programs
 * splits itself. Known values that the other half needs leave the known half as results and
 * enter the other one as inputs, each once. */
#include "pass/pass.h"

typedef struct split_residual {
	int32_t known; /* variable of the known half */
	var unknown;
} split_residual;

typedef struct split {
	const program *from;
	value_map known, unknown;
	bool pure;        /* equations with effects are unknown */
	bool *is_known;   /* by variable of the program */
	const eqn **cast; /* of a known variable that is its operand (is_operand): the equation */
	table residuals;
	var *list; /* the residuals, in the known half */
	size_t n, cap;
} split;

/* ---- residuals */

static bool same_residual(const void *entry, const void *key)
{
	return ((const split_residual *)entry)->known == *(const int32_t *)key;
}

static bool new_residual(split *s, var v, split_residual *r)
{
	base *bs = build_base(s->known.to);

	*r = (split_residual){v.id, build_input(s->unknown.to, build_type(s->known.to, v))};
	if (!r->unknown.id || !mem_room(bs, (void **)&s->list, s->n, &s->cap, sizeof *s->list))
		return false;
	s->list[s->n++] = v;
	return table_add(&s->residuals, hash_u64((uint64_t)v.id, 0), r);
}

static var carry(split *s, var v)
{
	const void *literal = is_zero(v) ? NULL : build_literal_of(s->known.to, v);
	build *to = s->unknown.to;

	if (is_zero(v)) return v;
	if (literal) return build_literal_as(to, build_type(s->known.to, v), literal);
	const split_residual *known =
		table_find(&s->residuals, hash_u64((uint64_t)v.id, 0), same_residual, &v.id);
	if (known) return known->unknown;
	split_residual *r = arena_alloc(build_arena(to), sizeof *r);
	if (r && new_residual(s, v, r)) return r->unknown;
	build_fail(to);
	return (var){0};
}

var split_carry(splitting *s, var known) { return carry(s->state, known); }

void split_whole(splitting *s, const eqn *e, const bool *known)
{
	var *x = var_room(s->unknown, e->nin);

	for (int i = 0; x && i < e->nin; i++)
		x[i] = known[i] ? split_carry(s, s->x_known[i]) : s->x_unknown[i];
	if (x)
		emit_all(s->unknown, e->prim, e->params, x, e->nin, s->y_unknown);
	else
		build_fail(s->unknown);
}

/* the same elements as its first operand */
static bool is_operand(const eqn *e)
{
	return e->prim == &tsr__prim_pcast || e->prim == &tsr__prim_placed_like;
}

/* a variable of the program in the unknown half. A cast moves nothing, so what was cast is carried
 * and cast again; what has followed a model is carried as it was before */
static var in_unknown(split *s, var v)
{
	var *at = &s->unknown.of[v.id];
	const eqn *cast = s->cast[v.id];

	if (at->id || !s->is_known[v.id]) return *at;
	if (!cast) return *at = carry(s, values_get(&s->known, v));
	const var x = in_unknown(s, cast->in[0]);
	if (cast->prim == &tsr__prim_placed_like) return *at = x;
	if (is_zero(x) || !build_copy(s->unknown.to, cast, s->from->naxes, &x, at, NULL))
		build_fail(s->unknown.to);
	return *at;
}

/* ---- equations */

static bool all_known(const split *s, const eqn *e)
{
	for (int i = 0; i < e->nin; i++)
		if (!s->is_known[e->in[i].id]) return false;
	return true;
}

static bool whole_eqn(split *s, const eqn *e, bool known)
{
	value_map *half = known ? &s->known : &s->unknown;
	var *x =
		arena_array(build_arena(half->to), (size_t)e->nin + (size_t)e->nout + 1, sizeof *x);

	for (int i = 0; x && i < e->nin; i++)
		x[i] = known ? values_get(half, e->in[i]) : in_unknown(s, e->in[i]);
	for (int k = 0; k < e->nout; k++) s->is_known[e->out[k].id] = known;
	if (known && is_operand(e)) s->cast[e->out[0].id] = e;
	return x && !build_failed(half->to) &&
	       build_copy(half->to, e, s->from->naxes, x, x + e->nin, NULL) &&
	       values_set(half, e, x + e->nin);
}

static bool split_eqn(split *s, const eqn *e)
{
	arena *a = build_arena(s->known.to);
	const size_t n = (size_t)e->nin + (size_t)e->nout;
	const type **in = arena_array(a, (size_t)e->nin + 1, sizeof *in);
	var *half = arena_array(a, 2 * n + 1, sizeof *half);
	bool *known = arena_array(a, n + 1, sizeof *known);

	if (!in || !half || !known) return false;
	var *x_known = half, *x_unknown = half + e->nin, *y_known = half + 2 * e->nin;
	for (int i = 0; i < e->nin; i++) {
		known[i] = s->is_known[e->in[i].id];
		in[i] = type_of(s->from, e->in[i]);
		*(known[i] ? &x_known[i] : &x_unknown[i]) =
			known[i] ? values_get(&s->known, e->in[i]) : s->unknown.of[e->in[i].id];
	}
	build_at(s->known.to, e->where);
	build_at(s->unknown.to, e->where);
	splitting to = {.known = s->known.to,
	                .unknown = s->unknown.to,
	                .in = in,
	                .x_known = x_known,
	                .x_unknown = x_unknown,
	                .y_known = y_known,
	                .y_unknown = y_known + e->nout,
	                .state = s};
	e->prim->split(&to, e, known, known + e->nin);
	for (int k = 0; k < e->nout; k++) {
		const bool is = s->is_known[e->out[k].id] = known[e->nin + k];
		(is ? &s->known : &s->unknown)->of[e->out[k].id] =
			is ? to.y_known[k] : to.y_unknown[k];
	}
	return !build_failed(s->known.to) && !build_failed(s->unknown.to);
}

/* what follows a model that is not known is known if its operand is */
static bool without_model(split *s, const eqn *e)
{
	const var x = e->in[0], y = e->out[0];

	s->is_known[y.id] = s->is_known[x.id];
	s->cast[y.id] = s->cast[x.id];
	s->known.of[y.id] = values_get(&s->known, x);
	s->unknown.of[y.id] = s->unknown.of[x.id];
	return true;
}

static bool split_one(split *s, const eqn *e)
{
	const bool stays = s->pure && eqn_has_effects(e);
	const bool known = !stays && all_known(s, e);

	if (!known && e->prim == &tsr__prim_placed_like) return without_model(s, e);
	return known || stays || !e->prim->split ? whole_eqn(s, e, known) : split_eqn(s, e);
}

static bool split_walk(split *s, const bool *known_in)
{
	const program *p = s->from;

	for (int v = 1; v < p->nvars; v++) s->is_known[v] = p->vars[v].literal;
	for (int i = 0; i < p->nin; i++) {
		value_map *half = known_in[i] ? &s->known : &s->unknown;
		const var v = build_input(half->to, type_of(p, p->in[i]));
		s->is_known[p->in[i].id] = known_in[i];
		if (!(half->of[p->in[i].id] = v).id) return false;
	}
	for (int i = 0; i < p->neqns; i++)
		if (!split_one(s, &p->eqns[i])) return false;
	return true;
}

/* ---- the halves */

static bool split_finish(split *s, arena *a, const bool *must, halves *out)
{
	const program *p = s->from;
	var *known = arena_array(a, (size_t)p->nout + 1, sizeof *known);
	var *unknown = arena_array(a, (size_t)p->nout + 1, sizeof *unknown);
	int nknown = 0, nunknown = 0;

	if (!known || !unknown) return false;
	for (int i = 0; i < p->nout; i++) {
		out->known_out[i] = s->is_known[p->out[i].id] && !(must && must[i]);
		if (out->known_out[i])
			known[nknown++] = values_get(&s->known, p->out[i]);
		else
			unknown[nunknown++] = in_unknown(s, p->out[i]);
	}
	var *results = arena_array(a, (size_t)nknown + s->n + 1, sizeof *results);
	if (!results || build_failed(s->known.to) || build_failed(s->unknown.to)) return false;
	for (int i = 0; i < nknown; i++) results[i] = known[i];
	for (size_t i = 0; i < s->n; i++) results[(size_t)nknown + i] = s->list[i];
	out->known = build_end(s->known.to, results, nknown + (int)s->n);
	s->known.to = NULL;
	out->unknown = build_end(s->unknown.to, unknown, nunknown);
	s->unknown.to = NULL;
	return out->known && out->unknown;
}

void halves_free(halves *h)
{
	program_release(h->known);
	program_release(h->unknown);
	h->known = h->unknown = NULL;
}

static bool split_make(const program *p, arena *a, bool pure, const bool *known_in,
                       const bool *must, halves *out)
{
	base *bs = p->ir->base;
	split s = {.from = p, .pure = pure, .residuals = {.base = bs}};
	build *known = build_begin(p->ir, p->name, p->axes, p->naxes);
	build *unknown = build_begin(p->ir, p->name, p->axes, p->naxes);

	s.is_known = arena_array(a, (size_t)p->nvars, sizeof *s.is_known);
	s.cast = arena_array(a, (size_t)p->nvars, sizeof *s.cast);
	const bool begun = known && unknown && s.is_known && s.cast &&
	                   values_init(&s.known, p, known) && values_init(&s.unknown, p, unknown);
	const bool ok = begun && split_walk(&s, known_in) && split_finish(&s, a, must, out);
	build_abandon(begun ? s.known.to : known);
	build_abandon(begun ? s.unknown.to : unknown);
	table_free(&s.residuals, NULL);
	mem_free(bs, s.list);
	if (!ok) halves_free(out);
	return ok;
}

/* the halves that the memo has; the results that are known are its first ones */
static bool both(memo *m, const program *p, halves *out)
{
	const bool ok = memo_end(m);

	out->known = m->to[0];
	out->unknown = m->to[1];
	if (!ok) return false;
	out->nresiduals = out->known->nout;
	for (int i = 0; i < p->nout; i++) out->nresiduals -= out->known_out[i];
	return true;
}

static bool split_into(const program *p, arena *a, bool pure, const bool *known_in,
                       const bool *must, halves *out)
{
	const size_t nin = (size_t)p->nin, nout = (size_t)p->nout;
	memo m;

	*out = (halves){.known_out = arena_array(a, nout + 1, sizeof(bool))};
	if (!out->known_out) return false;
	if (memo_begin(&m, "split", p, MEMO_PARTS({&pure, sizeof pure}, {known_in, nin},
	                          {must, must ? nout : 0}),
	               out->known_out, nout) &&
	    split_make(p, a, pure, known_in, must, out)) {
		m.to[0] = out->known;
		m.to[1] = out->unknown;
	}
	if (!both(&m, p, out)) return false;
	out->known = pass_done(out->known, "split");
	out->unknown = pass_done(out->unknown, "split");
	if (!out->known || !out->unknown) halves_free(out);
	return out->known;
}

bool pass_split(const program *p, arena *a, const bool *known_in, const bool *must, halves *out)
{
	return split_into(p, a, false, known_in, must, out);
}

bool pass_split_pure(const program *p, arena *a, const bool *known_in, const bool *must,
                     halves *out)
{
	return split_into(p, a, p->effects, known_in, must, out);
}
