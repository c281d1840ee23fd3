/* edges.c - matches the operands of an equation with the inputs of the programs inside it, and
 * their results with its own.
 *
 * Example: a loop. Its first operand is the same in every step, the second one is its carry, and
 * each step takes a slice of the third one:
 *
 *     f(%0: f32[4], %1: f32[4], %2: f32[3,2]) -> f32[4], f32[3] {
 *       %3: f32[4], %4: f32[3] = scan %0 %1 %2 length=3 consts=1 carry=1 unroll=1
 *         body=(%0: f32[4], %1: f32[4], %2: f32[2]) -> f32[4], f32[] {
 *         %3: f32[4] = mul %1 %0
 *         %4: f32[] = reduce_sum %2 dims=[0]
 *         return %3 %4
 *       }
 *       return %3 %4
 *     }
 *
 * These are its edges:
 *
 *     program 0
 *       input 0 is operand 0: same
 *       input 1 is operand 1: carry
 *       input 2 is operand 2: slice
 *       result 0 is result 0: carry, then operand 1
 *       result 1 is result 1: slice
 *
 * Operands that are alike are together, in a bundle, and so are results. A row lists its bundles
 * (column `edges`), with the parameters that tell how many values are in each. So this file can
 * also make the parameters of a similar equation, with fewer operands or more. */
#include "program/program.h"

/* ---- bundles */

static bool bundle_next(const edge *first, const void *params, int all, bundle *s)
{
	const edge *of = s->of ? s->of + 1 : first;
	const int at = s->first + s->n;

	if (of->kind == EDGE_END) return false;
	const int n = of[1].kind == EDGE_END ? all - at
	              : of->kind == EDGE_WHICH
	                      ? 1
	                      : (int)*(const int64_t *)((const char *)params + of->at);
	*s = (bundle){of, at, n};
	return true;
}

bool operands_next(const eqn *e, bundle *s)
{
	return bundle_next(e->prim->edges->in, e->params, e->nin, s);
}

bool results_next(const eqn *e, bundle *s)
{
	return bundle_next(e->prim->edges->out, e->params, e->nout, s);
}

/* ---- single edges */

bool edge_inside(const edge *of, int which)
{
	return of->kind != EDGE_WHICH && (!of->only || of->only == 1 + which);
}

static int edge_of(const eqn *e, int which, int k, bool (*next)(const eqn *, bundle *))
{
	for (bundle s = {0}; next(e, &s);) {
		if (!edge_inside(s.of, which)) continue;
		if (k < s.n) return s.first + k;
		k -= s.n;
	}
	return -1;
}

int edge_operand(const eqn *e, int which, int input)
{
	return edge_of(e, which, input, operands_next);
}
int edge_result(const eqn *e, int which, int k) { return edge_of(e, which, k, results_next); }

bool edge_gives(const eqn *e, int which)
{
	for (bundle s = {0}; results_next(e, &s);)
		if (edge_inside(s.of, which)) return true;
	return false;
}

int edge_back(const eqn *e, int result)
{
	bundle in = {0}, out = {0};

	while (results_next(e, &out) && result >= out.first + out.n)
		;
	if (out.of->kind != EDGE_CARRY) return -1;
	while (operands_next(e, &in) && in.of->kind != EDGE_CARRY)
		;
	return in.first + result - out.first;
}

/* ---- roles */

static role role_of(const eqn *e, const bundle *s, int at)
{
	const shardings *blocks = (const shardings *)((const char *)e->params + s->of->at);

	return (role){s->of, s->of->kind == EDGE_BLOCK ? blocks->v[at - s->first] : NULL};
}

role operand_role(const eqn *e, int operand)
{
	bundle s = {0};

	while (operands_next(e, &s) && operand >= s.first + s.n)
		;
	return role_of(e, &s, operand);
}

role result_role(const eqn *e, int result)
{
	bundle s = {0};

	while (results_next(e, &s) && result >= s.first + s.n)
		;
	return role_of(e, &s, result);
}

static role role_as(const edge *of, edge_kind kind, const sharding *block)
{
	for (; of->kind != EDGE_END; of++)
		if (of->kind == kind) return (role){of, block};
	return (role){0};
}

role takes_as(const eqn *e, edge_kind kind, const sharding *block)
{
	return role_as(e->prim->edges->in, kind, block);
}

role gives_as(const eqn *e, edge_kind kind, const sharding *block)
{
	return role_as(e->prim->edges->out, kind, block);
}

/* ---- the parameters of a similar equation */

static bool similar_blocks(arena *a, shardings *list, const role *as, int n)
{
	const sharding **v = arena_array(a, (size_t)n + 1, sizeof *v);

	for (int i = 0; v && i < n; i++) v[i] = as[i].block;
	*list = (shardings){n, v};
	return v;
}

static bool similar_edges(arena *a, const edge *of, char *own, const role *as, int n)
{
	bool ok = as;

	for (int at = 0; ok && of->kind != EDGE_END; of++) {
		const int begin = at;
		while (at < n && as[at].of == of) at++;
		if (of->kind == EDGE_BLOCK)
			ok = similar_blocks(a, (shardings *)(own + of->at), as + begin, at - begin);
		else if (of->kind != EDGE_WHICH && of[1].kind != EDGE_END)
			*(int64_t *)(own + of->at) = at - begin;
	}
	return ok;
}

/* the record, with lists of programs of its own */
static char *own_record(arena *a, const eqn *e)
{
	char *own = arena_copy(a, e->params, params_size(e->prim->params));
	bool ok = own;

	for (const field *f = e->prim->params; ok && f->name; f++) {
		programs *list = (programs *)(own + f->offset);
		if (f->kind != FIELD_PROGRAMS) continue;
		ok = (list->v = arena_copy(a, list->v, (size_t)list->n * sizeof *list->v));
	}
	return ok ? own : NULL;
}

void *with_programs(build *b, const eqn *e, program *const *inside)
{
	char *own = own_record(build_arena(b), e);
	bool ok = own;
	int which = 0;

	for (inner k = {0}; inner_next(e->prim, own ? own : e->params, &k); which++) {
		const program *p = build_keep(b, inside[which]);
		if (own) *k.slot = p;
		ok = ok && p;
	}
	if (!ok) build_fail(b);
	return ok ? own : NULL;
}

void *similar_params(build *b, const eqn *e, const role *in, int nin, const role *out, int nout,
                     program *const *inside)
{
	arena *a = build_arena(b);
	char *own = with_programs(b, e, inside);
	const bool ok = own && similar_edges(a, e->prim->edges->in, own, in, nin) &&
	                similar_edges(a, e->prim->edges->out, own, out, nout);

	if (!ok) build_fail(b);
	return ok ? own : NULL;
}

static role *roles_like(build *b, const eqn *e, role (*of)(const eqn *, int), const int *like,
                        int n)
{
	role *list = arena_array(build_arena(b), (size_t)n + 1, sizeof *list);

	for (int i = 0; list && i < n; i++) list[i] = of(e, like[i]);
	if (!list) build_fail(b);
	return list;
}

role *operands_like(build *b, const eqn *e, const int *like, int n)
{
	return roles_like(b, e, operand_role, like, n);
}

role *results_like(build *b, const eqn *e, const int *like, int n)
{
	return roles_like(b, e, result_role, like, n);
}
