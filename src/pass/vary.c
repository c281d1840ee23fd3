/* vary.c - a program in a scope inside its own, on values that may vary over the axes there.
 *
 * Its input now varies over the axis z of the scope it is put in:
 *
 *     pass vary 1
 *     f(%0: f32[]) -> f32[] {
 *       %1: f32[] = scan %0 length=3 consts=0 carry=1 unroll=1 body=(%0: f32[]) -> f32[] {
 *         %1: f32[] = exp %0
 *         return %1
 *       }
 *       return %1
 *     }
 *     gives
 *     axes (z of (z:2)) f(%0: f32[]{z}) -> f32[]{z} {
 *       %1: f32[]{z} = scan %0 length=3 consts=0 carry=1 unroll=1 body=(%0: f32[]{z}) ->
 *             f32[]{z} {
 *         %1: f32[]{z} = exp %0
 *         return %1
 *       }
 *       return %1
 *     }
 *
 * Where one of its inputs varies, all its values are said to. Some could do with less, but this
 * way operands still vary alike, in inner programs too, and since the program names none of
 * these axes nothing else is different. A program that was traced outside a map, such as a
 * linear function at a point, is called inside one in this form. */
#include "pass/pass.h"

typedef struct scope { /* of the program being read: where its entries went, and what is added */
	int naxes;
	const int *axis_map;
	axis_set more;
} scope;

static program *vary_all(const program *p, const axis *axes, int naxes, const scope *of,
                         const type *const *in);

typedef struct holder { /* of an inner program */
	build *b;
	const eqn *e;
	const scope *of;
} holder;

static program *vary_inner(void *user, const program *p)
{
	const holder *in = user;
	inner_scope at;

	memo m;

	if (!inner_scope_find(in->b, in->e, in->of->naxes, in->of->axis_map, p, &at)) return NULL;
	const scope of = {p->naxes, at.axis_map, in->of->more};
	if (memo_begin(&m, "vary", p,
	               MEMO_PARTS({at.key, (size_t)at.naxes * sizeof *at.key},
	                          {at.axis_map, (size_t)p->naxes * sizeof *at.axis_map},
	                          {&of.more, sizeof of.more}),
	               NULL, 0))
		m.to[0] = vary_all(p, at.axes, at.naxes, &of, NULL);
	return memo_end(&m);
}

static bool vary_list(build *b, var *v, int n, axis_set more, const char *where)
{
	for (int i = 0; i < n; i++)
		if (!(v[i] = build_vary(b, v[i], more, where)).id) return false;
	return true;
}

/* parameters of an equation with effects, which is now evaluated wherever the scope is */
static void *everywhere(build *b, const eqn *e, const void *params)
{
	int naxes, n = 0;
	const axis *axes = build_axes(b, &naxes);
	int64_t *all = ints_room(b, naxes);
	ints *named = (ints *)(uintptr_t)params_field(e->prim, params, FIELD_AXES);

	for (int i = 0; all && i < naxes; i++)
		if (axes[i].kind == AXIS_MESH) all[n++] = i;
	if (all && named) *named = (ints){n, all};
	return all ? (void *)(uintptr_t)params : NULL;
}

static bool vary_eqn(value_map *v, const eqn *e, const scope *of)
{
	build *b = v->to;
	holder in = {b, e, of};
	var *x = values_list(v, e->in, e->nin);
	var *y = var_room(b, e->nout);
	eqn own = *e;

	if (!x || !y) return false;
	if (e->prim->params && !(own.params = build_params(b, e, of->axis_map, vary_inner, &in)))
		return false;
	if (own_effects(e) && !(own.params = everywhere(b, e, own.params))) return false;
	/* a literal fits any operand but an input */
	if (eqn_program(e) && !vary_list(b, x, e->nin, of->more, e->where)) return false;
	return build_copy(b, &own, 0, x, y, NULL) && vary_list(b, y, e->nout, of->more, e->where) &&
	       values_set(v, e, y);
}

/* an input of type `given` (NULL: of the program's own), as the program sees it: what is weak has
 * given way */
static var input(build *b, const type *t, const type *given, const scope *of)
{
	const axis_set varying = axes_renumber(t->varying, of->axis_map) | of->more;
	const type *own = given ? given : type_vary(build_ir(b), t, varying);
	var v = own ? build_input(b, own) : (var){0};
	if (v.id) v = emit_as(b, v, etype_of(t));
	return v.id ? build_vary(b, v, varying, NULL) : v;
}

static bool vary_walk(value_map *v, const scope *of, const type *const *in)
{
	const program *p = v->from;

	for (int i = 0; i < p->nin; i++) {
		var *x = &v->of[p->in[i].id];
		*x = input(v->to, type_of(p, p->in[i]), in ? in[i] : NULL, of);
		if (!x->id) return false;
	}
	for (int i = 0; i < p->neqns; i++)
		if (!vary_eqn(v, &p->eqns[i], of)) return false;
	return true;
}

static program *vary_all(const program *p, const axis *axes, int naxes, const scope *of,
                         const type *const *in)
{
	build *b = build_begin(p->ir, p->name, axes, naxes);
	value_map v;
	const bool ok = b && values_init(&v, p, b) && vary_walk(&v, of, in);
	var *out = ok ? values_list(&v, p->out, p->nout) : NULL;

	return remade(b, out && vary_list(b, out, p->nout, of->more, NULL), out, p->nout);
}

program *pass_vary(const program *p, const axis *axes, int naxes, const type *const *in)
{
	int map[MAX_AXES];
	axis_set more = 0;

	for (int i = 0; i < p->naxes; i++) map[i] = i;
	for (int i = 0; i < p->nin; i++) more |= in[i]->varying & ~axes_below(p->naxes);
	memo_open(p->ir);
	program *made = vary_all(p, axes, naxes, &(scope){p->naxes, map, more}, in);
	memo_close(p->ir);
	return pass_done(made, "vary");
}
