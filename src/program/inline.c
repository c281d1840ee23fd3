/* inline.c - puts the equations of one program inside another (build_inline).
 *
 * Example:
 *
 *     f(%0: f32[4]) -> f32[4] {
 *       %1: f32[4] = sin %0
 *       %2: f32[4] = mul %1 2.0:f32
 *       return %2
 *     }
 *
 * Put twice into an empty program, the second time on the result of the first:
 *
 *     twice(%0: f32[4]) -> f32[4] {
 *       %1: f32[4] = sin %0
 *       %2: f32[4] = mul %1 2.0:f32
 *       %3: f32[4] = sin %2
 *       %4: f32[4] = mul %3 2.0:f32
 *       return %4
 *     }
 *
 * With an axis map, entries of the axis table are renumbered in parameters. Programs inside
 * equations are then built anew, because their tables begin with the enclosing one. What varies is
 * inferred from the operands. */
#include "program/build.h"

static bool inline_with(build *b, const program *p, var *map, const int *axis_map);

typedef struct remapping {
	build *b;
	const eqn *e;
	int outer;
	const int *axis_map;
} remapping;

static axis_key key_of(const axis *a)
{
	return (axis_key){{(uintptr_t)a->name, (uint64_t)a->size, a->kind, (uintptr_t)a->mesh,
	                   (uint64_t)a->position, (uintptr_t)a->over}};
}

bool inner_scope_find(build *b, const eqn *e, int outer, const int *axis_map, const program *p,
                      inner_scope *of)
{
	of->naxes = inner_axes(e->prim, e->params, b->axes, b->naxes, of->axes);
	if (of->naxes < 0)
		return fail(b->ir->base, e->where, TSR_ERROR_UNSUPPORTED,
		            "at most %d axes can be in scope", MAX_AXES);
	for (int i = 0; i < of->naxes; i++) of->key[i] = key_of(&of->axes[i]);
	for (int i = 0; i < p->naxes; i++)
		of->axis_map[i] = i < outer ? axis_map[i] : b->naxes + i - outer;
	return true;
}

/* a copy of p, a program inside an equation, for a place where the enclosing axes are renumbered */
static program *remap_to(const program *p, const inner_scope *at)
{
	build *into = build_begin(p->ir, p->name, at->axes, at->naxes);
	if (!into) return NULL;
	var *vars = arena_array(into->arena, (size_t)p->nvars + (size_t)p->nout, sizeof *vars);
	bool ok = vars;
	for (int i = 0; ok && i < p->nin; i++) {
		const type *t = type_of(p, p->in[i]);
		t = type_vary(p->ir, t, axes_renumber(t->varying, at->axis_map));
		ok = t && (vars[p->in[i].id] = build_input(into, t)).id;
	}
	if (!ok || !inline_with(into, p, vars, at->axis_map)) {
		build_abandon(into);
		return NULL;
	}
	var *out = vars + p->nvars;
	for (int i = 0; i < p->nout; i++) out[i] = vars[p->out[i].id];
	return build_end(into, out, p->nout);
}

static program *remap(void *user, const program *p)
{
	const remapping *to = user;
	inner_scope at;
	memo m;

	if (!inner_scope_find(to->b, to->e, to->outer, to->axis_map, p, &at)) return NULL;
	if (memo_begin(&m, "remap", p,
	               MEMO_PARTS({at.key, (size_t)at.naxes * sizeof *at.key},
	                          {at.axis_map, (size_t)p->naxes * sizeof *at.axis_map}),
	               NULL, 0))
		m.to[0] = remap_to(p, &at);
	return memo_end(&m);
}

static void release_deferred(void *p) { program_release(p); }

const program *build_keep(build *b, program *p)
{
	if (p && arena_defer(b->arena, release_deferred, p)) return p;
	program_release(p);
	build_fail(b);
	return NULL;
}

void *build_params(build *b, const eqn *e, const int *axis_map,
                   program *(*make)(void *user, const program *), void *user)
{
	void *params = params_copy(b->arena, e->prim->params, e->params, axis_map);

	if (!params) return NULL;
	for (inner i = {0}; inner_next(e->prim, params, &i);)
		if (!(*i.slot = build_keep(b, make(user, i.program)))) return NULL;
	return params;
}

static bool map_operand(build *b, const program *p, var *map, var v)
{
	const var_info *info = &p->vars[v.id];

	if (!map[v.id].id && info->literal)
		map[v.id] = build_literal_as(b, info->type, info->literal);
	return map[v.id].id;
}

bool build_copy(build *b, const eqn *e, int outer, const var *in, var *out, const int *axis_map)
{
	eqn own = *e;
	remapping to = {b, e, outer, axis_map};

	if (axis_map && e->prim->params)
		return (own.params = build_params(b, e, axis_map, remap, &to)) &&
		       build_eqn_owned(b, &own, in, out);
	if (e->prim->params)
		own.params = params_copy(b->arena, e->prim->params, e->params, NULL);
	if (e->prim->params && !own.params) return false;
	return build_eqn_owned(b, &own, in, out);
}

static bool inline_eqn(build *b, const program *p, const eqn *e, var *map, const int *axis_map)
{
	var *io = arena_array(b->arena, (size_t)e->nin + (size_t)e->nout + 1, sizeof *io);
	bool ok = io;

	for (int i = 0; ok && i < e->nin; i++) {
		ok = map_operand(b, p, map, e->in[i]);
		io[i] = map[e->in[i].id];
	}
	ok = ok && build_copy(b, e, p->naxes, io, io + e->nin, axis_map);
	for (int i = 0; ok && i < e->nout; i++) map[e->out[i].id] = io[e->nin + i];
	return ok;
}

/* map: variables of p; its inputs are set */
static bool inline_with(build *b, const program *p, var *map, const int *axis_map)
{
	bool ok = true;

	for (int i = 0; ok && i < p->neqns; i++) ok = inline_eqn(b, p, &p->eqns[i], map, axis_map);
	for (int i = 0; ok && i < p->nout; i++) ok = map_operand(b, p, map, p->out[i]);
	return ok;
}

bool build_inline(build *b, const program *p, const var *in, var *out, const int *axis_map)
{
	var *map = mem_array(b->ir->base, (size_t)p->nvars, sizeof *map);

	if (!map) return false;
	for (int i = 0; i < p->nin; i++) map[p->in[i].id] = in[i];
	const bool ok = inline_with(b, p, map, axis_map);
	for (int i = 0; ok && i < p->nout; i++) out[i] = map[p->out[i].id];
	mem_free(b->ir->base, map);
	return ok;
}
