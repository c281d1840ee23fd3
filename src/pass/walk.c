/* walk.c - copies values of one program into another that is being built, numbers those that
 * stay, and adds to programs. */
#include "pass/pass.h"

bool values_init(value_map *v, const program *from, build *to)
{
	*v = (value_map){from, to,
	                 arena_array(build_arena(to), (size_t)from->nvars, sizeof *v->of)};
	return v->of;
}

var values_get(value_map *v, var of)
{
	const var_info *info = &v->from->vars[of.id];
	var *at = &v->of[of.id];

	if (at->id || !info->literal) return *at;
	*at = build_literal_as(v->to, info->type, info->literal);
	if (!at->id) build_fail(v->to);
	return *at;
}

var *values_list(value_map *v, const var *of, int n)
{
	var *list = var_room(v->to, n);

	for (int i = 0; list && i < n; i++) list[i] = values_get(v, of[i]);
	return build_failed(v->to) ? NULL : list;
}

bool values_set(value_map *v, const eqn *e, const var *out)
{
	for (int i = 0; i < e->nout; i++) v->of[e->out[i].id] = out[i];
	return !build_failed(v->to);
}

int *ranks(arena *a, const bool *some, int n)
{
	int *rank = arena_array(a, (size_t)n + 1, sizeof *rank);

	for (int i = 0; rank && i < n; i++) rank[i + 1] = rank[i] + some[i];
	return rank;
}

/* ---- a program again, with something added */

var *inputs_like(build *b, const program *p, int more)
{
	var *x = arena_array(build_arena(b), (size_t)p->nin + (size_t)more + 1, sizeof *x);

	for (int i = 0; x && i < p->nin; i++)
		if (!(x[i] = build_input(b, type_of(p, p->in[i]))).id) return NULL;
	return x;
}

build *remake(const program *p, var **results)
{
	build *b = build_begin(p->ir, p->name, p->axes, p->naxes);
	var *x = b ? inputs_like(b, p, p->nout) : NULL;

	if (x && build_inline(b, p, x, x + p->nin, NULL)) {
		*results = x + p->nin;
		return b;
	}
	build_abandon(b);
	return NULL;
}

program *remade(build *b, bool ok, const var *results, int n)
{
	if (ok && b && !build_failed(b)) return build_end(b, results, n);
	build_abandon(b);
	return NULL;
}

bool copy_begin(value_map *v, const program *p)
{
	build *b = build_begin(p->ir, p->name, p->axes, p->naxes);

	*v = (value_map){p, b, NULL};
	const var *in = b && values_init(v, p, b) ? inputs_like(b, p, 0) : NULL;
	for (int i = 0; in && i < p->nin; i++) v->of[p->in[i].id] = in[i];
	return in;
}

program *copy_end(value_map *v, bool ok)
{
	const program *p = v->from;
	const var *out = ok ? values_list(v, p->out, p->nout) : NULL;

	return remade(v->to, out, out, p->nout);
}

program *copy_with(const program *p, bool (*each)(void *user, value_map *, const eqn *), void *user)
{
	value_map v;
	bool ok = copy_begin(&v, p);

	for (int i = 0; ok && i < p->neqns; i++) ok = each(user, &v, &p->eqns[i]);
	return copy_end(&v, ok);
}

program *retained(const program *p)
{
	program_retain(p);
	return (program *)(uintptr_t)p;
}

bool changes(const program *p, bool (*due)(const eqn *),
             program *(*within)(void *user, const program *), void *user)
{
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		if (due(e)) return true;
		for (inner k = {0}; inner_next(e->prim, e->params, &k);) {
			program *made = within(user, k.program);
			const bool same = made == k.program;
			program_release(made);
			if (!same) return true;
		}
	}
	return false;
}

bool copy_equation(value_map *v, const eqn *e)
{
	const var *in = values_list(v, e->in, e->nin);
	var *out = var_room(v->to, e->nout);

	return in && out && build_copy(v->to, e, v->from->naxes, in, out, NULL) &&
	       values_set(v, e, out);
}

/* ---- a program with some of its equations written anew */

static program *rewrite_program(void *how, const program *p);

static bool rewrite_equation(void *how, value_map *v, const eqn *e)
{
	const rewriting *r = how;
	eqn own = *e;

	if (eqn_program(e) && !(own.params = build_params(v->to, e, NULL, rewrite_program, how)))
		return false;
	return r->due(&own) ? r->write(v, &own) : copy_equation(v, &own);
}

static program *rewrite_once(void *how, const program *p)
{
	const rewriting *r = how;
	program *made = changes(p, r->due, rewrite_program, how)
	                        ? copy_with(p, rewrite_equation, how)
	                        : retained(p);

	if (!made || !program_same(made, p)) return made;
	program_release(made);
	return retained(p);
}

/* for build_params */
static program *rewrite_program(void *how, const program *p)
{
	memo m;

	if (memo_begin(&m, ((const rewriting *)how)->pass, p, NULL, 0, NULL, 0))
		m.to[0] = rewrite_once(how, p);
	return memo_end(&m);
}

program *rewritten(const rewriting *how, const program *p)
{
	return rewrite_program((void *)(uintptr_t)how, p);
}

program *rewritten_alive(const rewriting *how, const program *p)
{
	program *made = rewritten(how, p), *live = made && made != p ? pass_dead(made) : NULL;

	if (made == p) return made;
	program_release(made);
	return live;
}

bool element_eval(ir *ir, arena *a, const eqn *e, const type *const *types, const void *const *x,
                  void *const *y)
{
	const int n = e->nin + e->nout;
	const type **scalar = arena_array(a, (size_t)n + 1, sizeof *scalar);

	if (!scalar || !eqn_evaluates(e)) return false;
	for (int i = 0; i < n; i++)
		if (!(scalar[i] = type_make(ir, types[i]->dtype, NULL, 0, 0))) return false;
	const size_t bytes = eqn_scratch(e, scalar);
	void *scratch = bytes ? arena_alloc(a, bytes) : NULL;
	if (bytes && !scratch) return false;
	FLOAT_DEFAULT;
	eqn_eval(&(eval_args){.eqn = e,
	                           .in = scalar,
	                           .out = scalar + e->nin,
	                           .n = 1,
	                           .x = x,
	                           .y = y,
	                           .scratch = scratch});
	return true;
}
