/* walk.c - values of one program inside another that is being built, and numbers of what stays. */
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
	*at = build_literal(v->to, info->type->dtype, info->literal);
	if (!at->id) build_fail(v->to);
	return *at;
}

var *values_list(value_map *v, const var *of, int n)
{
	var *list = arena_array(build_arena(v->to), (size_t)n + 1, sizeof *list);

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
