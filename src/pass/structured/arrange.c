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
	var *x = b ? arena_array(build_arena(b), (size_t)(p->nin + p->nout + nout) + 1, sizeof *x)
	           : NULL;
	bool ok = x;

	for (int i = 0; ok && i < nin; i++)
		ok = (x[in[i]] = build_input(b, type_of(p, p->in[in[i]]))).id;
	var *y = x ? x + p->nin : NULL, *to = y ? y + p->nout : NULL;
	ok = ok && build_inline(b, p, x, y, NULL);
	for (int k = 0; ok && k < nout; k++) to[k] = y[out[k]];
	program_release(p);
	if (ok) return build_end(b, to, nout);
	build_abandon(b);
	return NULL;
}

bool *flags(build *b, int n)
{
	bool *f = arena_array(build_arena(b), (size_t)n + 1, sizeof *f);

	if (!f) build_fail(b);
	return f;
}

int *numbers(build *b, int n)
{
	int *v = arena_array(build_arena(b), (size_t)n + 1, sizeof *v);

	if (!v) build_fail(b);
	return v;
}

var *values(build *b, int n)
{
	var *v = arena_array(build_arena(b), (size_t)n + 1, sizeof *v);

	if (!v) build_fail(b);
	return v;
}

int programs_in(const eqn *e)
{
	int n = 0;

	for (inner k = {0}; inner_next(e->prim, e->params, &k);) n++;
	return n;
}

program **programs_room(build *b, const eqn *e)
{
	program **p = arena_array(build_arena(b), (size_t)programs_in(e) + 1, sizeof *p);

	if (!p) build_fail(b);
	return p;
}
