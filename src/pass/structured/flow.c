/* flow.c - finds the operands and results of an equation that holds programs with some property:
 * those that move, are mapped, are unknown.
 *
 * What is carried and has it before a step must have it after the step, and the other way round;
 * and a result has it if one program gives it so, so that all others must. Each program is made for
 * what is known so far, and made again when that has become more, until nothing does. Something can
 * be added once for each operand and result at most.
 *
 *     the first part of the carry moves:    in = {1, 0}, so out = {1, 0}
 *     the body gives {%0, %0}:              out = {1, 1}, so in = {1, 1}: once more
 *     its jvp with two tangents:            out = {1, 1}: this is it */
#include "pass/structured/structured.h"

bool carry_alike(const eqn *e, bool *out, bool *in)
{
	bool more = false;

	for (int r = 0; r < e->nout; r++) {
		const int back = edge_back(e, r);
		if (back < 0 || in[back] == out[r]) continue;
		more = more || in[back];
		in[back] = out[r] = true;
	}
	return more;
}

typedef struct asked { /* a program, for what it was made last */
	bool *in, *must, *out;
} asked;

/* does it need to be made now? */
static bool is_stale(const flow *w, int which, const program *p, asked *of, bool first)
{
	bool stale = first;

	for (int i = 0; i < p->nin; i++) {
		const bool has = w->in[edge_operand(w->eqn, which, i)];
		stale = stale || has != of->in[i];
		of->in[i] = has;
	}
	for (int k = 0; k < p->nout; k++) {
		of->must[k] = w->out[edge_result(w->eqn, which, k)];
		stale = stale || (of->must[k] && !of->out[k]);
	}
	return stale;
}

static bool make(const flow *w, int which, const program *p, asked *of)
{
	if (!w->make(w->user, which, p, of->in, of->must, of->out)) return false;
	for (int k = 0; k < p->nout; k++) {
		const int r = edge_result(w->eqn, which, k), back = edge_back(w->eqn, r);
		if (!of->out[k]) continue;
		w->out[r] = true;
		if (back >= 0) w->in[back] = true;
	}
	return true;
}

static asked *asked_of(build *b, const eqn *e)
{
	asked *of = room_inside(b, e, sizeof *of);
	int n = 0;

	for (inner k = {0}; of && inner_next(e->prim, e->params, &k); n++) {
		of[n] = (asked){flags(b, k.program->nin), flags(b, k.program->nout),
		                flags(b, k.program->nout)};
		if (!of[n].in || !of[n].must || !of[n].out) return NULL;
	}
	return of;
}

bool flow_settle(build *b, const flow *w)
{
	const eqn *e = w->eqn;
	asked *of = asked_of(b, e);
	bool ok = of, first = true, again = true;

	for (int r = 0; r < e->nout; r++) {
		const int back = edge_back(e, r);
		if (back >= 0) w->out[r] = w->in[back];
	}
	for (; ok && again; first = false) {
		int which = 0;
		again = false;
		for (inner k = {0}; ok && inner_next(e->prim, e->params, &k); which++) {
			if (!edge_gives(e, which)) continue;
			if (!is_stale(w, which, k.program, &of[which], first)) continue;
			ok = make(w, which, k.program, &of[which]);
			again = true;
		}
	}
	if (!ok) build_fail(b);
	return ok;
}
