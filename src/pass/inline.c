/* inline.c - puts the equations of called programs in the place of calls: no `call` is left, inside
 * inner programs either. Once nothing more is transformed, neither is any remat, custom rule or
 * name.
 *
 *     pass inline
 *     f(%0: f32[]) -> f32[] {
 *       %1: f32[] = call %0 program=twice(%0: f32[]) -> f32[] {
 *         %1: f32[] = add %0 %0
 *         return %1
 *       }
 *       %2: f32[] = sin %1
 *       return %2
 *     }
 *     gives
 *     f(%0: f32[]) -> f32[] {
 *       %1: f32[] = add %0 %0
 *       %2: f32[] = sin %1
 *       return %2
 *     }
 *
 * Transformations and partition look at equations one by one; a call would hide what is in it from
 * all of them. A remat or a custom rule is for transformations alone, and stays until they are
 * done:
 *
 *     pass inline
 *     f(%0: f32[2], %1: f32[2]) -> f32[2] {
 *       %2: f32[2] = remat %0 %1 policy=nothing names="" again=true program=(%0: f32[2],
 *             %1: f32[2]) -> f32[2] {
 *         %2: f32[2] = sin %0
 *         %3: f32[2] = mul %2 %1
 *         return %3
 *       }
 *       return %2
 *     }
 *     gives
 *     f(%0: f32[2], %1: f32[2]) -> f32[2] {
 *       %2: f32[2], %3: f32[2] = optimization_barrier %0 %1
 *       %4: f32[2] = sin %2
 *       %5: f32[2] = mul %4 %3
 *       return %5
 *     }
 *
 * What is computed again reads its operands through a barrier: it is not computed before all of
 * them are there, cotangents included, and is not found to be what was computed before. A program
 * without such equations is given back as it is. */
#include "pass/pass.h"

typedef struct inlining {
	bool (*due)(const eqn *);
	const char *name; /* of the pass */
} inlining;

static bool is_call(const eqn *e) { return e->prim == &tsr__prim_call; }

static bool is_rule(const eqn *e)
{
	return is_call(e) || e->prim == &tsr__prim_remat || e->prim == &tsr__prim_name ||
	       prim_has_rules(e->prim);
}

static const inlining calls = {is_call, "inline"}, rules = {is_rule, "inline_rules"};

static bool inline_walk(const inlining *how, value_map *v, const char *where);

/* A barrier has few operands, so that automatic mode has room for their dims. The last operand, a
 * tangent or cotangent, is one of all barriers */
enum { BARRIER_OPERANDS = 16 };

static bool put_barriers(build *b, var *x, int n, const char *where)
{
	var in[BARRIER_OPERANDS], *own[BARRIER_OPERANDS];

	for (int i = 0; i < n;) {
		int m = 0;
		for (; i < n && (m < BARRIER_OPERANDS - 1 || i == n - 1); i++)
			if (!build_literal_of(b, x[i])) own[m++] = &x[i];
		if (i < n && !build_literal_of(b, x[n - 1])) own[m++] = &x[n - 1];
		for (int k = 0; k < m; k++) in[k] = *own[k];
		if (m && !build_eqn_exact(b, &tsr__prim_optimization_barrier, NULL, in, m, in,
		                          where, NULL))
			return false;
		for (int k = 0; k < m; k++) *own[k] = in[k];
	}
	return true;
}

/* what has cotangents alone */
static bool refuse_tangents(const build *b, const eqn *e, const char *where)
{
	return fail(build_base(b), e->where ? e->where : where, TSR_ERROR_UNSUPPORTED,
	            "Differentiation rule for 'custom_vjp' not implemented: forward mode needs its "
	            "tangents, and its rules say cotangents alone. Use tsr_custom_jvp, or reverse "
	            "mode (tsr_grad, tsr_vjp)");
}

static bool inline_program(const inlining *how, value_map *v, const eqn *e, const char *where)
{
	const program *callee = inner_first(e);
	var *out = var_room(v->to, e->nout);
	var *in = var_room(v->to, e->nin);
	value_map inner;

	if (e->prim == &tsr__prim_name) {
		const var x = values_get(v, e->in[0]);
		return values_set(v, e, &x);
	}
	if (e->prim == &tsr__prim_custom_lin) return refuse_tangents(v->to, e, where);
	if (!in || !out || !values_init(&inner, callee, v->to)) return false;
	for (int i = 0; i < e->nin; i++) in[i] = values_get(v, e->in[i]);
	if (e->prim == &tsr__prim_remat && ((const remat_params *)e->params)->again &&
	    !put_barriers(v->to, in, e->nin, e->where ? e->where : where))
		return false;
	for (int i = 0; i < e->nin; i++) inner.of[callee->in[i].id] = in[i];
	if (!inline_walk(how, &inner, e->where ? e->where : where)) return false;
	for (int i = 0; i < e->nout; i++) out[i] = values_get(&inner, callee->out[i]);
	return values_set(v, e, out);
}

static program *clean(void *user, const program *p);

static bool copy_eqn(const inlining *how, value_map *v, const eqn *e, const char *where)
{
	var *x = values_list(v, e->in, e->nin);
	var *y = var_room(v->to, e->nout);
	eqn own = *e;

	if (!x || !y) return false;
	if (!e->where) own.where = where;
	if (eqn_program(e) &&
	    !(own.params = build_params(v->to, e, NULL, clean, (void *)(uintptr_t)how)))
		return false;
	return build_copy(v->to, &own, 0, x, y, NULL) && values_set(v, e, y);
}

/* where: of the call whose equations these are; their place if they have none of their own */
static bool inline_walk(const inlining *how, value_map *v, const char *where)
{
	for (int i = 0; i < v->from->neqns; i++) {
		const eqn *e = &v->from->eqns[i];
		if (how->due(e) ? !inline_program(how, v, e, where) : !copy_eqn(how, v, e, where))
			return false;
	}
	return true;
}

static program *inline_all(const inlining *how, const program *p, build **b)
{
	value_map v;
	var *out = var_room(*b, p->nout);

	if (!out || !values_init(&v, p, *b)) return NULL;
	for (int i = 0; i < p->nin; i++)
		if (!(v.of[p->in[i].id] = build_input(*b, type_of(p, p->in[i]))).id) return NULL;
	if (!inline_walk(how, &v, NULL)) return NULL;
	for (int i = 0; i < p->nout; i++) out[i] = values_get(&v, p->out[i]);
	build *end = *b;
	*b = NULL;
	return build_end(end, out, p->nout);
}

static program *inline_make(const inlining *how, const program *p)
{
	if (!changes(p, how->due, clean, (void *)(uintptr_t)how)) return retained(p);
	build *b = build_begin(p->ir, p->name, p->axes, p->naxes);
	program *made = b ? inline_all(how, p, &b) : NULL;
	build_abandon(b);
	return made;
}

/* for build_params */
static program *clean(void *user, const program *p)
{
	const inlining *how = user;
	memo m;

	if (memo_begin(&m, how->name, p, NULL, 0, NULL, 0)) m.to[0] = inline_make(how, p);
	return memo_end(&m);
}

program *pass_inline(const program *p) { return clean((void *)(uintptr_t)&calls, p); }

program *pass_inline_rules(const program *p) { return clean((void *)(uintptr_t)&rules, p); }
