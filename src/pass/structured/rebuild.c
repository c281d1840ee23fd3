/* rebuild.c - an equation like another one, with operands and results of its own. They are listed
 * in any order; in the equation they are in the order of its bundles, and so are the inputs and
 * results of the programs inside.
 *
 *     listed for a scan: a carry, a constant    its body: (%0: carry, %1: constant)
 *     the scan takes:    a constant, a carry    its body: (%0: constant, %1: carry) */
#include "pass/structured/structured.h"

bool rebuild_begin(rebuilt *s, build *b, const eqn *e, int most_in, int most_out)
{
	arena *a = build_arena(b);

	*s = (rebuilt){.b = b,
	               .e = e,
	               .in = arena_array(a, (size_t)most_in + 1, sizeof *s->in),
	               .x = arena_array(a, (size_t)most_in + 1, sizeof *s->x),
	               .out = arena_array(a, (size_t)most_out + 1, sizeof *s->out),
	               .y = arena_array(a, (size_t)most_out + 1, sizeof *s->y)};
	if (s->in && s->x && s->out && s->y) return true;
	build_fail(b);
	return false;
}

void rebuild_takes(rebuilt *s, role as, var x)
{
	s->in[s->nin] = as;
	s->x[s->nin++] = x;
}

void rebuild_gives(rebuilt *s, role as, var *y)
{
	s->out[s->nout] = as;
	s->y[s->nout++] = y;
}

/* Values in the order of bundles, by the number that they are listed under, ... */
static int *ordered(build *b, const edge *of, const role *as, int n, int *count)
{
	int *list = numbers(b, n);

	*count = 0;
	for (; list && of->kind != EDGE_END; of++)
		for (int i = 0; i < n; i++)
			if (as[i].of == of) list[(*count)++] = i;
	return list;
}

/* ... or by their number among those that the program `which` has */
static int *ordered_inside(build *b, const edge *first, int which, const role *as, int n,
                           int *count)
{
	int all, *list = ordered(b, first, as, n, &all), *rank = numbers(b, n);

	*count = 0;
	if (!list || !rank) return NULL;
	for (int i = 0, at = 0; i < n; i++) {
		rank[i] = at;
		at += !as[i].of || edge_inside(as[i].of, which);
	}
	for (int i = 0; i < all; i++)
		if (edge_inside(as[list[i]].of, which)) list[(*count)++] = rank[list[i]];
	return list;
}

/* takes the reference to p */
static program *arranged_like(const rebuilt *s, int which, program *p)
{
	const edges *of = s->e->prim->edges;
	int nin, nout;
	const int *in = ordered_inside(s->b, of->in, which, s->in, s->nin, &nin);
	const int *out = ordered_inside(s->b, of->out, which, s->out, s->nout, &nout);
	static const int only[] = {0}; /* of a program that says whether a loop goes on */

	if (!in || !out) {
		program_release(p);
		return NULL;
	}
	return edge_gives(s->e, which) ? arranged(p, in, nin, out, nout)
	                               : arranged(p, in, nin, only, 1);
}

static role *picked(build *b, const role *as, const int *list, int n)
{
	role *to = arena_array(build_arena(b), (size_t)n + 1, sizeof *to);

	for (int i = 0; to && i < n; i++) to[i] = as[list[i]];
	return to;
}

void *rebuild_made(const rebuilt *s, program **inside)
{
	const eqn *e = s->e;
	const edges *of = e->prim->edges;
	int nin, nout;
	const int *in = ordered(s->b, of->in, s->in, s->nin, &nin);
	const int *out = ordered(s->b, of->out, s->out, s->nout, &nout);
	const role *takes = in ? picked(s->b, s->in, in, nin) : NULL;
	const role *gives = out ? picked(s->b, s->out, out, nout) : NULL;

	for (int k = 0; k < programs_in(e); k++) inside[k] = arranged_like(s, k, inside[k]);
	return similar_params(s->b, e, takes, nin, gives, nout, inside);
}

void rebuild_emit(const rebuilt *s, const void *params)
{
	const edges *of = s->e->prim->edges;
	int nin, nout;
	const int *in = ordered(s->b, of->in, s->in, s->nin, &nin);
	const int *out = ordered(s->b, of->out, s->out, s->nout, &nout);
	var *x = var_room(s->b, s->nin), *y = var_room(s->b, s->nout);

	if (!params || !in || !out || !x || !y) return;
	for (int i = 0; i < nin; i++) x[i] = s->x[in[i]];
	emit_all(s->b, s->e->prim, params, x, nin, y);
	for (int k = 0; k < nout; k++) *s->y[out[k]] = y[k];
}

void rebuild_put(const rebuilt *s, program **inside) { rebuild_emit(s, rebuild_made(s, inside)); }

void rebuild_inline(const rebuilt *s, program *p)
{
	var *y = var_room(s->b, p ? p->nout : 0);

	if (!p || !y || !build_inline(s->b, p, s->x, y, NULL)) build_fail(s->b);
	for (int k = 0; y && k < s->nout; k++) *s->y[k] = y[k];
	program_release(p);
}
