/* simplify.c - a program that gives the same bits with fewer equations: the walk, and the sharing
 * of equal equations.
 *
 *     pass simplify
 *     f(%0: f32[2], %1: f32[2]) -> f32[2], f32[2], f32[] {
 *       %2: f32[2] = mul %0 %1
 *       %3: f32[2] = mul %0 %1
 *       %4: f32[2] = neg %3
 *       %5: f32[2] = neg %4
 *       %6: f32[] = cond true:bool 4.0:f32 branches=[(%0: f32[]) -> f32[] {
 *         return %0
 *       }, (%0: f32[]) -> f32[] {
 *         %1: f32[] = sqrt %0
 *         return %1
 *       }]
 *       return %2 %5 %6
 *     }
 *     gives
 *     f(%0: f32[2], %1: f32[2]) -> f32[2], f32[2], f32[] {
 *       %2: f32[2] = mul %0 %1
 *       return %2 %2 2.0:f32
 *     }
 *
 * One walk from the first equation to the last. The operands of each equation have been simplified
 * before it. It is folded if they are constants (fold.c), else rewritten by a rule (algebra.c,
 * rearrange.c, casts.c), else replaced by an equal equation that is already there, else appended.
 * Inner programs are simplified in the same way, each once (program/memo.c). What nothing needs any
 * more is removed at the end (pass_dead). All of it takes time linear in the size of the program.
 *
 * Equations with effects are copied unchanged: they are not folded, rewritten or shared. */
#include "pass/simplify/simplify.h"

typedef struct fact {
	const eqn *by;       /* operands and results are values of the build */
	const void *element; /* the number that all elements are; NULL: not known */
} fact;

struct simplify {
	build *b;
	arena *scratch;
	fact *of; /* by variable of the build */
	size_t cap;
	table equations, literals;
	const char *where;
};

/* ---- values */

build *build_of(const simplify *s) { return s->b; }
const type *type_at(const simplify *s, var v) { return build_type(s->b, v); }

const eqn *maker(const simplify *s, var v) { return (size_t)v.id < s->cap ? s->of[v.id].by : NULL; }

const eqn *made_by(const simplify *s, var v, const tsr_prim *prim)
{
	const eqn *e = maker(s, v);

	return e && e->prim == prim ? e : NULL;
}

const void *element_of(const simplify *s, var v)
{
	const void *literal = build_literal_of(s->b, v);

	return literal || (size_t)v.id >= s->cap ? literal : s->of[v.id].element;
}

bool all_are(const simplify *s, var v, double number)
{
	const tsr_dtype dtype = type_at(s, v)->dtype;
	const void *element = element_of(s, v);
	_Alignas(16) unsigned char want[16] = {0};

	if (!element || dtype_kind(dtype) == KIND_COMPLEX) return false;
	dtype_convert(dtype, want, TSR_F64, &number, 1);
	return memcmp(want, element, tsr_dtype_size(dtype)) == 0;
}

void *simplify_room(simplify *s, size_t n, size_t size)
{
	void *at = arena_array(s->scratch, n + 1, size);

	if (!at) build_fail(s->b);
	return at;
}

static fact *fact_of(simplify *s, var v)
{
	const size_t need = (size_t)v.id + 1;

	if (need > s->cap) {
		const size_t cap = 2 * need + 64;
		fact *grown = mem_grow(build_base(s->b), s->of, cap * sizeof *grown);
		if (!grown) {
			build_fail(s->b);
			return NULL;
		}
		memset(grown + s->cap, 0, (cap - s->cap) * sizeof *grown);
		s->of = grown;
		s->cap = cap;
	}
	return &s->of[v.id];
}

/* ---- literals: equal ones are one variable */

typedef struct literal {
	tsr_dtype dtype;
	const void *bytes;
	var v;
} literal;

static bool same_literal(const void *entry, const void *key)
{
	const literal *a = entry, *b = key;

	return a->dtype == b->dtype && memcmp(a->bytes, b->bytes, tsr_dtype_size(a->dtype)) == 0;
}

static var literal_of(simplify *s, tsr_dtype dtype, const void *bytes)
{
	const uint64_t hash = hash_bytes(bytes, tsr_dtype_size(dtype), (uint64_t)dtype);
	literal *l = table_find(&s->literals, hash, same_literal, &(literal){dtype, bytes, {0}});

	if (l) return l->v;
	if (!(l = simplify_room(s, 1, sizeof *l))) return (var){0};
	l->dtype = dtype;
	l->v = build_literal(s->b, dtype, bytes);
	if (l->v.id) l->bytes = build_literal_of(s->b, l->v);
	if (l->v.id && table_add(&s->literals, hash, l)) return l->v;
	build_fail(s->b);
	return (var){0};
}

/* ---- equations: equal ones are made once */

static bool same_equation(const void *entry, const void *key)
{
	const eqn *a = entry, *b = key;

	return a->prim == b->prim && a->nin == b->nin &&
	       memcmp(a->in, b->in, (size_t)a->nin * sizeof *a->in) == 0 &&
	       (!a->prim->params || params_same(a->prim->params, a->params, b->params));
}

static uint64_t equation_hash(const eqn *e)
{
	const uint64_t hash =
		hash_bytes(e->in, (size_t)e->nin * sizeof *e->in, (uint64_t)(uintptr_t)e->prim);

	return e->prim->params ? hash_u64(params_hash(e->prim->params, e->params), hash) : hash;
}

/* the equation in the build, as a record that lasts; NULL: the build has failed */
static const eqn *simplify_append(simplify *s, const eqn *e)
{
	eqn *own = simplify_room(s, 1, sizeof *own);
	var *out = simplify_room(s, (size_t)e->nout, sizeof *out);

	if (!own || !out) return NULL;
	if (!build_eqn_exact(s->b, e->prim, e->params, e->in, e->nin, out, e->where, e->note)) {
		build_fail(s->b);
		return NULL;
	}
	*own = *build_last(s->b);
	for (int k = 0; k < own->nout; k++) {
		fact *m = fact_of(s, own->out[k]);
		if (!m) return NULL;
		m->by = own;
	}
	return own;
}

static const eqn *once(simplify *s, const eqn *e)
{
	const uint64_t hash = equation_hash(e);
	const eqn *known = table_find(&s->equations, hash, same_equation, e);

	if (known) return known;
	const eqn *own = simplify_append(s, e);
	if (own && !table_add(&s->equations, hash, (void *)(uintptr_t)own)) build_fail(s->b);
	return own;
}

/* an equation whose result has elements like those of its operand, which are all one number */
static var like_operand(simplify *s, const tsr_prim *prim, const void *params, var x)
{
	const eqn *e = once(s, &(eqn){.prim = prim,
	                              .params = params,
	                              .in = &x,
	                              .nin = 1,
	                              .nout = 1,
	                              .where = s->where});
	if (!e) return (var){0};
	s->of[e->out[0].id].element = element_of(s, x);
	return e->out[0];
}

var simplify_filled(simplify *s, const type *t, const void *element)
{
	int64_t axes[MAX_AXES];
	const ints set = axes_listed(t->varying, axes);
	var v = literal_of(s, t->dtype, element);

	if (v.id && t->ndim)
		v = like_operand(s, &tsr__prim_broadcast_in_dim,
		                 &(broadcast_params){{t->ndim, t->dims}, {0, NULL}}, v);
	if (v.id && set.n) v = like_operand(s, &tsr__prim_pcast, &(pcast_params){set}, v);
	return v;
}

var simplify_filled_with(simplify *s, const type *t, double number)
{
	_Alignas(16) unsigned char element[16] = {0};

	dtype_convert(t->dtype, element, TSR_F64, &number, 1);
	return simplify_filled(s, t, element);
}

/* ---- one equation */

var apply_rule(simplify *s, const rule *rules, size_t n, const eqn *e, const type *t)
{
	for (size_t i = 0; i < n; i++)
		if (rules[i].prim == e->prim) return rules[i].apply(s, e, t);
	return (var){0};
}

static var value_of(simplify *s, const eqn *e, const type *t)
{
	static const rewrite rewrites[] = {rewrite_constants, rewrite_algebra,
	                                   rewrite_rearrangement, rewrite_cast};

	for (size_t i = 0; i < ARRAY_LEN(rewrites); i++) {
		const var y = rewrites[i](s, e, t);
		if (y.id || build_failed(s->b)) return y;
	}
	eqn own = *e;
	var *x = simplify_room(s, (size_t)e->nin, sizeof *x);
	if (!x) return (var){0};
	for (int i = 0; i < e->nin; i++) x[i] = e->in[i];
	if (e->prim->flags & PRIM_ELEMENTWISE) literal_operands(s, e, t, x);
	own.in = x;
	const eqn *made = build_failed(s->b) ? NULL : once(s, &own);
	if (made && e->prim == &tsr__prim_placed_like)
		s->of[made->out[0].id].element = element_of(s, e->in[0]);
	return made ? made->out[0] : (var){0};
}

var simplify_make(simplify *s, const tsr_prim *prim, const void *params, const var *in, int nin,
                  const type *t)
{
	const eqn e = {
		.prim = prim, .params = params, .in = in, .nin = nin, .nout = 1, .where = s->where};

	return value_of(s, &e, t);
}

/* ---- the walk */

static program *simplified(void *user, const program *); /* as build_params wants it */

static var simplify_operand(simplify *s, value_map *v, var of)
{
	const var_info *info = &v->from->vars[of.id];
	var *at = &v->of[of.id];

	if (!at->id && info->literal) *at = literal_of(s, info->type->dtype, info->literal);
	return *at;
}

static bool simplify_eqn(simplify *, value_map *, const eqn *);

/* the equations of branch number `which`, on the operands x of e, in the same build */
static bool walk_here(simplify *s, value_map *v, const eqn *e, int which, const var *x)
{
	const program *p = ((const cond_params *)e->params)->branches.v[which];
	var *out = simplify_room(s, (size_t)p->nout, sizeof *out);
	value_map own;

	if (!out || !values_init(&own, p, s->b)) return false;
	for (int i = 0; i < p->nin; i++) own.of[p->in[i].id] = x[edge_operand(e, which, i)];
	for (int i = 0; i < p->neqns; i++)
		if (!simplify_eqn(s, &own, &p->eqns[i])) return false;
	for (int i = 0; i < p->nout; i++)
		if (!(out[i] = simplify_operand(s, &own, p->out[i])).id) return false;
	return values_set(v, e, out);
}

/* the number of the branch that a cond takes, where that is known; -1: it is not */
static int taken_branch(const simplify *s, const eqn *e, var index)
{
	const void *element = e->prim == &tsr__prim_cond ? element_of(s, index) : NULL;
	int64_t at;

	if (!element) return -1;
	const int n = ((const cond_params *)e->params)->branches.n;
	dtype_convert(TSR_I64, &at, type_at(s, index)->dtype, element, 1);
	return at < 0 ? 0 : at < n ? (int)at : n - 1;
}

static bool simplify_eqn(simplify *s, value_map *v, const eqn *e)
{
	eqn own = *e;
	var *x = simplify_room(s, (size_t)e->nin, sizeof *x);

	if (!x) return false;
	for (int i = 0; i < e->nin; i++)
		if (!(x[i] = simplify_operand(s, v, e->in[i])).id) return false;
	own.in = x;
	const int branch = taken_branch(s, e, x[0]);
	if (branch >= 0) return walk_here(s, v, e, branch, x);
	if (eqn_program(e) && !(own.params = build_params(s->b, e, NULL, simplified, NULL)))
		return false;
	s->where = e->where;
	build_because(s->b, e->cause);
	if (e->nout == 1 && !eqn_has_effects(e)) {
		const var y = value_of(s, &own, type_of(v->from, e->out[0]));
		return y.id && values_set(v, e, &y);
	}
	const eqn *to = eqn_has_effects(e) ? simplify_append(s, &own) : once(s, &own);
	return to && values_set(v, e, to->out);
}

static program *walk_into(simplify *s, const program *p)
{
	var *out = simplify_room(s, (size_t)p->nout, sizeof *out);
	value_map v;

	if (!out || !values_init(&v, p, s->b)) return NULL;
	for (int i = 0; i < p->nin; i++)
		if (!(v.of[p->in[i].id] = build_input(s->b, type_of(p, p->in[i]))).id) return NULL;
	for (int i = 0; i < p->neqns; i++)
		if (!simplify_eqn(s, &v, &p->eqns[i])) return NULL;
	for (int i = 0; i < p->nout; i++)
		if (!(out[i] = simplify_operand(s, &v, p->out[i])).id) return NULL;
	if (build_failed(s->b)) return NULL;
	build *b = s->b;
	s->b = NULL;
	return build_end(b, out, p->nout);
}

static program *walk_program(const program *p)
{
	base *bs = p->ir->base;
	simplify s = {.b = build_begin(p->ir, p->name, p->axes, p->naxes),
	              .scratch = arena_make(bs),
	              .equations = {.base = bs},
	              .literals = {.base = bs}};
	program *made = s.b && s.scratch ? walk_into(&s, p) : NULL;

	build_abandon(s.b);
	table_free(&s.equations, NULL);
	table_free(&s.literals, NULL);
	mem_free(bs, s.of);
	arena_free(s.scratch);
	return made;
}

static program *simplified(void *user, const program *p)
{
	memo m;

	(void)user;
	if (memo_begin(&m, "simplify", p, NULL, 0, NULL, 0)) m.to[0] = walk_program(p);
	return memo_end(&m);
}

program *pass_simplify(const program *p)
{
	program *none_weak = pass_strong(p);
	program *made = none_weak ? simplified(NULL, none_weak) : NULL;
	program *live = made ? pass_dead(made) : NULL;

	program_release(none_weak);
	program_release(made);
	return live;
}
