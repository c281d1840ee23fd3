/* arrange.c - inner programs with their inputs and results in another order. */
#include "pass/structured/structured.h"

static bool in_place(const int *list, int n, int all)
{
	for (int i = 0; i < n; i++)
		if (list[i] != i) return false;
	return n == all;
}

program *arranged(program *p, const int *in, int nin, const int *out, int nout)
{
	if (p && in_place(in, nin, p->nin) && in_place(out, nout, p->nout)) return p;
	build *b = p ? build_begin(p->ir, p->name, p->axes, p->naxes) : NULL;
	var *x = b ? var_room(b, p->nin + p->nout + nout) : NULL;
	bool ok = x;

	for (int i = 0; ok && i < nin; i++)
		ok = (x[in[i]] = build_input(b, type_of(p, p->in[in[i]]))).id;
	var *y = x ? x + p->nin : NULL, *to = y ? y + p->nout : NULL;
	ok = ok && build_inline(b, p, x, y, NULL);
	for (int k = 0; ok && k < nout; k++) to[k] = y[out[k]];
	program_release(p);
	return remade(b, ok, to, nout);
}

int programs_in(const eqn *e)
{
	int n = 0;

	for (inner k = {0}; inner_next(e->prim, e->params, &k);) n++;
	return n;
}

void *room_inside(build *b, const eqn *e, size_t each)
{
	return cleared_room(b, programs_in(e), each);
}
