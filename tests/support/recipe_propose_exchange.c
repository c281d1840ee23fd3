/* recipe_propose_exchange.c - proposes the collectives of recipes, and the types of their
 * results. */
#include "support/recipe_draw.h"

/* axes of the scope that a collective may name */
uint32_t nameable(const site *s)
{
	uint32_t axes = 0;

	for (int i = 0; i < s->g->bound.n; i++) {
		const axis_info *a = &s->r->axis[s->g->bound.at[i]];
		if (a->name) axes |= 1u << s->g->bound.at[i];
	}
	/* JAX does not exchange over the names of a vmap inside a checked shard_map */
	if (s->limits->jax && !s->g->unchecked && axes & mesh_bits(s->r)) axes &= mesh_bits(s->r);
	return axes & ~s->forbidden & ~s->g->nameless;
}

int members_of(const recipe *r, const exchange *e)
{
	int n = 1;

	for (int i = 0; i < e->over.n; i++) n *= r->axis[e->over.at[i]].size;
	return e->ngroups ? e->group_size[0] : n;
}

/* ---- what they make. `to` begins as the form of the operand; false: it does not fit */

static bool scatter(const exchange *e, int n, form *to)
{
	if (e->at >= to->ndim || (e->tiled ? to->dim[e->at] % n : to->dim[e->at] != n))
		return false;
	if (e->tiled)
		to->dim[e->at] /= n;
	else
		drop_dim(to, e->at);
	return true;
}

/* the members' parts along a dim that is there, or a new one */
static bool gather(const exchange *e, int n, int at, form *to)
{
	if (e->tiled ? at >= to->ndim : at > to->ndim || to->ndim == RECIPE_NDIM - 1) return false;
	if (e->tiled)
		to->dim[at] *= n;
	else
		insert_dim(to, at, n);
	return true;
}

bool exchange_form(const recipe *r, const exchange *e, bool unchecked, const form *with, form *to)
{
	const uint32_t over = axis_bits(&e->over);
	const int n = members_of(r, e);

	to->varying |= over;
	if (e->invarying) to->varying &= ~over;
	switch (e->kind) {
	case EX_PSUM:
	case EX_PMEAN:
	case EX_PMAX:
	case EX_PMIN:
		if (!e->ngroups) to->varying &= ~over;
		return true;
	case EX_ALL_GATHER:
		if (unchecked && !e->ngroups) to->varying &= ~over;
		return gather(e, n, e->at, to);
	case EX_PSUM_SCATTER: return scatter(e, n, to);
	case EX_ALL_TO_ALL:
	case EX_PSWAPAXES: return scatter(e, n, to) && gather(e, n, e->to, to);
	case EX_RAGGED:
		if (!to->ndim || with->ndim != to->ndim || !to->dim[0] || !with->dim[0])
			return false;
		for (int d = 1; d < to->ndim; d++)
			if (to->dim[d] != with->dim[d]) return false;
		to->dim[0] = with->dim[0];
		to->varying |= with->varying;
		return true;
	case EX_AXIS_INDEX: *to = (form){.varying = over}; return true;
	default: return true;
	}
}

/* ---- drawing them */

/* groups that JAX does not have */
static bool groups_allowed(const site *s, const exchange *e)
{
	const uint32_t over = axis_bits(&e->over), mesh = mesh_bits(s->r);
	const bool sum = e->kind <= EX_PMIN;
	const bool whole =
		e->kind == EX_PPERMUTE || e->kind == EX_PSHUFFLE || e->kind == EX_AXIS_INDEX;

	if (over & mesh ? over & ~mesh : e->over.n != 1) return false;
	if (e->kind == EX_RAGGED || e->invarying) return false;
	return !s->limits->jax ||
	       !(axis_bits(&s->g->bound) & ~mesh || whole || (sum && !s->g->unchecked));
}

/* up to four groups of one size; of a psum also of any sizes */
static void draw_groups(site *s, exchange *e)
{
	const bool sum = e->kind == EX_PSUM || e->kind == EX_PMAX || e->kind == EX_PMIN;
	const int n = members_of(s->r, e), count = 1 + dice_below(s->dice, n < 4 ? n : 4);
	const bool uneven = sum && dice_chance(s->dice, 40);

	if (!groups_allowed(s, e) || !dice_chance(s->dice, 30)) return;
	dice_shuffle(s->dice, e->member, n);
	e->ngroups = n % count == 0 || uneven ? count : 1;
	for (int k = 0, left = n; k < e->ngroups; left -= e->group_size[k++]) {
		const int last = e->ngroups - 1 - k; /* one for each of those */
		e->group_size[k] = !uneven ? n / e->ngroups
		                   : last  ? 1 + dice_below(s->dice, left - last)
		                           : left;
	}
}

static void draw_sources(site *s, exchange *e)
{
	const int n = members_of(s->r, e), by = 1 + dice_below(s->dice, n);
	const bool shift = dice_chance(s->dice, 50), map = axis_bits(&e->over) & ~mesh_bits(s->r);
	const bool holes = e->kind == EX_PPERMUTE && !(s->limits->jax && map);

	e->nsource = n;
	dice_shuffle(s->dice, e->source, n);
	for (int i = 0; i < n; i++) {
		if (e->kind == EX_PPERMUTE && shift)
			e->source[i] = (i + by) % n;
		else if (holes && dice_chance(s->dice, 25))
			e->source[i] = -1;
	}
	if (e->kind != EX_PBROADCAST) return;
	e->nsource = 1;
	e->source[0] = dice_below(s->dice, n);
}

/* how many rows go from i to j: no row goes twice, none lands on another */
static void draw_rows(site *s, exchange *e, int rows_in, int rows_out)
{
	const int n = members_of(s->r, e);
	int sent[RECIPE_MEMBERS] = {0}, got[RECIPE_MEMBERS] = {0};

	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			int *rows = &e->rows[i * n + j];
			*rows = dice_below(s->dice, 3);
			if (sent[i] + *rows > rows_in || got[j] + *rows > rows_out) *rows = 0;
			sent[i] += *rows;
			got[j] += *rows;
		}
}

static bool allowed(const site *s, const exchange *e)
{
	const uint32_t over = axis_bits(&e->over), mesh = mesh_bits(s->r);
	const bool extreme = e->kind == EX_PMAX || e->kind == EX_PMIN;

	if (extreme && s->slopes) return false; /* they have no derivative */
	if (e->kind == EX_PMEAN && s->r->whole) return false;
	if (e->kind == EX_RAGGED && over & ~mesh) return false;
	if (!s->limits->jax) return true;
	if (e->kind == EX_PBROADCAST || e->kind == EX_RAGGED) return false; /* not on CPUs */
	if (e->invarying && over & ~mesh) return false;
	/* it gives another shape where all elements of a batch have the same cotangent */
	if (over & ~mesh && (e->kind == EX_ALL_TO_ALL || e->kind == EX_PSWAPAXES) && s->slopes)
		return false;
	return !(over & ~mesh) || e->over.n == 1 || e->kind == EX_PSUM || e->kind == EX_PMEAN;
}

bool propose_exchange(site *s)
{
	const int x = some_value(s), with = some_value(s);
	const form *a = form_of(s, x), *b = form_of(s, with);
	step t = {.op = OP_EXCHANGE, .in = {x, with}, .nin = 1};
	exchange *e = &t.ex;
	form to = *a;

	e->kind = (exchange_kind)dice_below(s->dice, EX_COUNT);
	e->over = some_axes(s->dice, s->r, nameable(s), 35, 1);
	const bool sorted = e->kind == EX_PPERMUTE || e->kind == EX_PSHUFFLE;
	if (s->limits->jax && sorted) e->over = listed(axis_bits(&e->over));
	e->tiled = e->kind != EX_PSWAPAXES && dice_chance(s->dice, 60);
	/* what an unchecked region says to be equal is for JAX not so when it is differentiated */
	const bool all_alike = e->kind == EX_ALL_GATHER || e->kind == EX_PBROADCAST;
	e->invarying = all_alike && !s->g->unchecked && dice_chance(s->dice, 30);
	if (!e->over.n || !allowed(s, e)) return false;
	draw_groups(s, e);
	e->at = dice_below(s->dice, a->ndim + (e->kind == EX_ALL_GATHER && !e->tiled) + !a->ndim);
	e->to = e->kind == EX_PSWAPAXES ? e->at : a->ndim ? dice_below(s->dice, a->ndim) : 0;
	if (e->kind == EX_RAGGED) t.nin = 2;
	if (!exchange_form(s->r, e, s->g->unchecked, b, &to) || form_size(&to) > size_most(s->r))
		return false;
	if (sorted || e->kind == EX_PBROADCAST) draw_sources(s, e);
	if (e->kind == EX_RAGGED) draw_rows(s, e, a->dim[0], b->dim[0]);
	return step_add(s, &t, &to, 1) >= 0;
}
