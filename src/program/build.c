/* build.c - makes programs: every type is inferred as an equation is appended.
 *
 * What is built is in the future program's arena; growing lists are outside it until end.c copies
 * them. Unless a row itself decides what varies, its operands vary over one common set (literals
 * fit any), and so do its results.
 *
 * Example, on a mesh x:2:
 *
 *     static tsr *with_bias(tsr *x, tsr *b) { return tsr_add(x, b); }
 *     tsr_shard_map(mesh, with_bias, .sig = "[x] [] -> [x]")
 *
 * b is the same on both devices and x is not, so b is cast. The equation says where that happens,
 * which the derivative needs: there it becomes the sum over x.
 *
 *     with_bias(%0: f32[4], %1: f32[2]) -> f32[4] {
 *       %2: f32[4] = shard_map %0 %1 mesh=(x:2) axes=(x) in=[[x],[]] out=[[x]]
 *         body=with_bias(%0: f32[2]{x}, %1: f32[2]) -> f32[2]{x} {
 *         %2: f32[2]{x} = pcast %1 axes=(x)
 *         %3: f32[2]{x} = add %0 %2
 *         return %3
 *       }
 *       return %2
 *     } */
#include "program/build.h"

/* ---- beginning */

static bool fail_axis(base *bs, const axis *a, int i, const char *problem)
{
	return fail(bs, NULL, TSR_ERROR_SHARDING, "axis %d ('%s') of a program's axis table %s", i,
	            a->name ? a->name : "", problem);
}

static bool check_axis(base *bs, const axis *a, int i)
{
	if (!a->name || a->size < 1)
		return fail_axis(bs, a, i, "needs a name and a size of at least 1");
	if (a->kind == AXIS_MAP) return true;
	if (!a->mesh || a->position < 0 || a->position >= a->mesh->naxes ||
	    a->mesh->axis[a->position].size != a->size ||
	    strcmp(a->mesh->axis[a->position].name, a->name) != 0)
		return fail_axis(bs, a, i, "is not the axis of its mesh that it says it is");
	return true;
}

static bool copy_axes(build *b, const axis *axes, int naxes)
{
	axis *copy = arena_array(b->arena, (size_t)naxes + 1, sizeof *copy);

	if (!copy) return false;
	for (int i = 0; i < naxes; i++) {
		if (!check_axis(b->ir->base, &axes[i], i)) return false;
		copy[i] = axes[i];
		if (!(copy[i].name = arena_str(b->arena, axes[i].name))) return false;
		if (axes[i].over && !(copy[i].over = arena_str(b->arena, axes[i].over)))
			return false;
	}
	b->axes = copy;
	b->naxes = naxes;
	return true;
}

build *build_begin(ir *r, const char *name, const axis *axes, int naxes)
{
	build *b = mem_zalloc(r->base, sizeof *b);

	if (!b) return NULL;
	*b = (build){.ir = r, .arena = arena_make(r->base), .casts = {.base = r->base}, .nvars = 1};
	bool ok = b->arena &&
	          mem_room(r->base, (void **)&b->vars, 0, &b->vars_cap, sizeof *b->vars);
	if (ok) b->vars[0] = (var_info){0};
	ok = ok && (!name || (b->name = arena_str(b->arena, name)));
	if (ok && naxes > MAX_AXES)
		ok = fail(r->base, NULL, TSR_ERROR_UNSUPPORTED,
		          "at most %d axes can be in scope, not %d",
		          MAX_AXES, naxes);
	if (ok && copy_axes(b, axes, naxes)) return b;
	build_abandon(b);
	return NULL;
}

void build_free_lists(build *b)
{
	base *bs = b->ir->base;

	table_free(&b->casts, NULL);
	mem_free(bs, b->vars);
	mem_free(bs, b->eqns);
	mem_free(bs, b->inputs);
	mem_free(bs, b->types);
	mem_free(bs, b);
}

void build_abandon(build *b)
{
	if (!b) return;
	arena_free(b->arena);
	build_free_lists(b);
}

/* ---- questions */

ir *build_ir(const build *b) { return b->ir; }
base *build_base(const build *b) { return b->ir->base; }
arena *build_arena(const build *b) { return b->arena; }
const type *build_type(const build *b, var v) { return b->vars[v.id].type; }
const void *build_literal_of(const build *b, var v) { return b->vars[v.id].literal; }
int build_neqns(const build *b) { return (int)b->neqns; }
const eqn *build_eqn_at(const build *b, int i) { return &b->eqns[i]; }

/* results are numbered as they are made */
const eqn *build_maker(const build *b, var v)
{
	size_t first = 0, end = b->neqns;

	while (first < end) {
		size_t at = first + (end - first) / 2;
		while (at > first && !b->eqns[at].nout) at--;
		const eqn *e = &b->eqns[at];
		if (!e->nout || e->out[e->nout - 1].id < v.id)
			first = first + (end - first) / 2 + 1;
		else if (e->out[0].id > v.id)
			end = at;
		else
			return e;
	}
	return NULL;
}

const eqn *build_last(const build *b) { return &b->eqns[b->neqns - 1]; }
void build_at(build *b, const char *where) { b->at = where; }
void build_because(build *b, int32_t cause) { b->cause = cause; }
void build_set_cause(build *b, int i, int32_t cause) { b->eqns[i].cause = cause; }
const char *build_where(const build *b) { return b->at; }
void build_fail(build *b) { b->failed = true; }
void build_expanded(build *b) { b->expands = true; }
bool build_failed(const build *b) { return b->failed; }

const axis *build_axes(const build *b, int *n)
{
	*n = b->naxes;
	return b->axes;
}

/* ---- variables */

static var new_var(build *b, const type *t, const void *literal)
{
	base *bs = b->ir->base;

	if (b->nvars == INT32_MAX) {
		fail(bs, NULL, TSR_ERROR_UNSUPPORTED, "a program has too many variables");
		return (var){0};
	}
	if (!mem_room(bs, (void **)&b->vars, b->nvars, &b->vars_cap, sizeof *b->vars))
		return (var){0};
	b->vars[b->nvars] = (var_info){t, literal};
	return (var){(int32_t)b->nvars++};
}

static bool axes_known(const build *b, axis_set set)
{
	return b->naxes >= MAX_AXES || !(set >> b->naxes);
}

var build_input(build *b, const type *t)
{
	base *bs = b->ir->base;

	if (!axes_known(b, t->varying)) {
		fail(bs, NULL, TSR_ERROR_SHARDING,
		     "an input of a program varies over an axis that is not in scope");
		return (var){0};
	}
	if (!mem_room(bs, (void **)&b->inputs, b->ninputs, &b->inputs_cap, sizeof *b->inputs))
		return (var){0};
	const var v = new_var(b, t, NULL);
	if (v.id) b->inputs[b->ninputs++] = v;
	return v;
}

var build_literal_as(build *b, const type *t, const void *value)
{
	const void *copy = t ? arena_copy(b->arena, value, tsr_dtype_size(t->dtype)) : NULL;

	return copy ? new_var(b, t, copy) : (var){0};
}

var build_literal(build *b, tsr_dtype dtype, const void *value)
{
	return build_literal_as(b, type_make(b->ir, dtype, NULL, 0, 0), value);
}

/* ---- checks of one equation */

static void put_names(str *s, const build *b, axis_set set, const char *between)
{
	bool any = false;

	for (int i = 0; i < b->naxes; i++)
		if (set >> i & 1) {
			str_printf(s, "%s%s", any ? between : "", b->axes[i].name);
			any = true;
		}
}

const char *eqn_name(const build *b, const eqn *e)
{
	(void)b;
	return name_asked(e->where, e->prim->name);
}

static bool fail_varying(build *b, const eqn *e, axis_set first, axis_set other)
{
	str s = {.base = b->ir->base};

	str_put(&s, "got {");
	put_names(&s, b, first, ",");
	str_put(&s, "} and {");
	put_names(&s, b, other, ",");
	str_put(&s, "}; this might be fixed by tsr_pcast(..., \"");
	put_names(&s, b, first ^ other, "*");
	str_put(&s, "\")");
	fail(s.base, e->where, TSR_ERROR_SHARDING,
	     "Primitive %s requires varying manual axes to match, but %s", eqn_name(b, e),
	     s.s ? s.s : "they do not");
	str_free(&s);
	return false;
}

static bool check_arity(build *b, const eqn *e)
{
	base *bs = b->ir->base;

	for (int i = 0; i < e->nin; i++)
		if (e->in[i].id < 1 || (size_t)e->in[i].id >= b->nvars)
			return fail(bs, e->where, TSR_ERROR_ARGUMENT, "%s: operand %d is no value",
			            eqn_name(b, e), i);
	if (e->prim->nin < 0 || e->prim->nin == e->nin) return true;
	return fail(bs, e->where, TSR_ERROR_TYPE, "%s takes %d operand%s, got %d", eqn_name(b, e),
	            e->prim->nin, e->prim->nin == 1 ? "" : "s", e->nin);
}

static bool check_inner(build *b, const eqn *e)
{
	base *bs = b->ir->base;
	axis axes[MAX_AXES];
	int naxes = 0;

	for (inner i = {0}; inner_next(e->prim, e->params, &i);) {
		const program *p = i.program;
		if (!naxes) naxes = inner_axes(e->prim, e->params, b->axes, b->naxes, axes);
		if (!p || naxes < 0 || !axes_same(p->axes, p->naxes, axes, naxes))
			return fail(bs, e->where, TSR_ERROR_SHARDING,
			            "%s: the axis table of its %s is not the enclosing one%s",
			            eqn_name(b, e), i.field->name,
			            naxes == b->naxes ? "" : " and the manual axes");
		if (p->depth >= MAX_PROGRAM_DEPTH)
			return fail(bs, e->where, TSR_ERROR_UNSUPPORTED,
			            "programs nest deeper than %d",
			            MAX_PROGRAM_DEPTH);
	}
	return true;
}

/* the set that all operands but literals vary over */
static bool common_varying(build *b, const eqn *e, axis_set *set)
{
	bool known = false;

	*set = 0;
	for (int i = 0; i < e->nin; i++) {
		const var_info *v = &b->vars[e->in[i].id];
		if (v->literal) continue;
		if (known && v->type->varying != *set)
			return fail_varying(b, e, *set, v->type->varying);
		*set = v->type->varying;
		known = true;
	}
	return true;
}

/* room for n types, cleared; used by one equation at a time */
static const type **type_room(build *b, size_t n)
{
	if (n > b->types_cap) {
		const size_t cap = n < 32 ? 64 : 2 * n;
		const type **grown = mem_grow(b->ir->base, b->types, cap * sizeof *grown);
		if (!grown) return NULL;
		b->types = grown;
		b->types_cap = cap;
	}
	memset(b->types, 0, n * sizeof *b->types);
	return b->types;
}

static bool all_weak(const eqn *e, const type *const *in)
{
	for (int i = 0; i < e->nin; i++)
		if (!in[i]->weak) return false;
	return e->nin > 0;
}

/* types of the results by the row's rule */
static const type **infer(build *b, const eqn *e)
{
	const bool own = e->prim->flags & PRIM_OWN_VARYING;
	const bool own_weak = e->prim->flags & PRIM_OWN_WEAK;
	axis_set varying = 0;
	const type **in = type_room(b, (size_t)e->nin + (size_t)e->nout + 1);

	if (!in || (!own && !common_varying(b, e, &varying))) return NULL;
	const type **out = in + e->nin;
	for (int i = 0; i < e->nin; i++) in[i] = b->vars[e->in[i].id].type;
	b->ir->where = e->where;
	if (!e->prim->types(b, e, in, out)) return NULL;
	for (int i = 0; i < e->nout; i++) {
		if (out[i] && !own) out[i] = type_vary(b->ir, out[i], varying);
		if (out[i] && !own_weak) out[i] = type_weaken(b->ir, out[i], all_weak(e, in));
		if (!out[i] || !axes_known(b, out[i]->varying)) {
			fail(b->ir->base, e->where, TSR_ERROR_TYPE,
			     "%s gives no type for result %d", eqn_name(b, e), i);
			return NULL;
		}
	}
	return out;
}

/* ---- appending */

/* consecutive equations from one source line share one copy of its text */
static const char *keep_where(build *b, const char *where)
{
	if (!where) return NULL;
	if (!b->where || strcmp(b->where, where) != 0) b->where = arena_str(b->arena, where);
	return b->where;
}

/* e has been checked, its operands and parameters are in the arena; out: the inferred types */
static bool append(build *b, eqn *e, const type *const *types, var *results)
{
	base *bs = b->ir->base;
	const char *where = keep_where(b, e->where);
	const char *note = e->note ? arena_str(b->arena, e->note) : NULL;

	if ((e->where && !where) || (e->note && !note)) return false;
	if (!mem_room(bs, (void **)&b->eqns, b->neqns, &b->eqns_cap, sizeof *b->eqns)) return false;
	for (int i = 0; i < e->nout; i++)
		if (!(results[i] = new_var(b, types[i], NULL)).id) return false;
	e->where = where;
	e->note = note;
	if (!e->cause) e->cause = b->cause;
	e->out = results;
	b->effects |= eqn_effects(e);
	b->eqns[b->neqns++] = *e;
	return true;
}

static bool same_operand(const build *b, var x, var y)
{
	const var_info *u = &b->vars[x.id], *v = &b->vars[y.id];

	if (x.id == y.id) return true;
	return u->literal && v->literal && u->type == v->type &&
	       memcmp(u->literal, v->literal, tsr_dtype_size(u->type->dtype)) == 0;
}

/* of an expansion: an equation that is there already is not made again. Formulas are short */
static bool made_before(const build *b, const eqn *e, var *out)
{
	for (size_t i = b->neqns; i-- > 0;) {
		const eqn *old = &b->eqns[i];
		bool same = old->prim == e->prim && old->nin == e->nin && e->nout == 1;
		for (int k = 0; same && k < e->nin; k++)
			same = same_operand(b, old->in[k], e->in[k]);
		if (!same || !params_same(e->prim->params, old->params, e->params)) continue;
		*out = old->out[0];
		return true;
	}
	return false;
}

/* io: the e->nin operands, with room for the results. Parameters are copied unless own_params says
 * that they are in the arena already. */
static bool add_eqn(build *b, eqn *e, var *io, bool own_params)
{
	e->in = io;
	if (!check_arity(b, e) || !check_inner(b, e)) return false;
	const type **types = infer(b, e);
	if (!types || !expansion_find(b->ir, e, types - e->nin)) return false;
	if (b->expands) {
		e->out = io + e->nin;
		if (made_before(b, e, io + e->nin)) return true;
		if (eqn_expansion(e))
			return build_inline(b, eqn_expansion(e), io, io + e->nin, NULL);
	}
	if (e->prim->params && !own_params &&
	    !(e->params = params_copy(b->arena, e->prim->params, e->params, NULL)))
		return false;
	if (!e->prim->params) e->params = NULL;
	return append(b, e, types, io + e->nin);
}

static var *operand_room(build *b, const eqn *e, const var *in)
{
	var *io = arena_array(b->arena, (size_t)e->nin + (size_t)e->nout + 1, sizeof *io);

	for (int i = 0; io && i < e->nin; i++) io[i] = in[i];
	return io;
}

static void give_results(const eqn *e, var *out)
{
	for (int i = 0; i < e->nout; i++) out[i] = e->out[i];
}

static bool add_exact(build *b, eqn e, const var *in, var *out, bool own_params)
{
	e.nout = prim_nout(e.prim, e.params, e.nin);
	var *io = operand_room(b, &e, in);
	if (!io || !add_eqn(b, &e, io, own_params)) return false;
	give_results(&e, out);
	return true;
}

bool build_eqn_exact(build *b, const tsr_prim *prim, const void *params, const var *in, int nin,
                     var *out, const char *where, const char *note)
{
	const eqn e = {.prim = prim, .params = params, .nin = nin, .where = where, .note = note};

	return add_exact(b, e, in, out, false);
}

bool build_eqn_owned(build *b, const eqn *e, const var *in, var *out)
{
	return add_exact(b, *e, in, out, true);
}

/* ---- casts */

typedef struct cast {
	int32_t from;
	axis_set added;
	var to;
} cast;

static bool cast_fits(const void *entry, const void *wanted)
{
	const cast *c = entry, *want = wanted;

	return c->from == want->from && c->added == want->added;
}

static bool add_cast(build *b, cast *c, const char *where)
{
	int64_t axes[MAX_AXES];
	const ints list = axes_listed(c->added, axes);

	if (!b->pcast && !(b->pcast = prim_named(b->ir, "pcast", 5)))
		return fail(b->ir->base, where, TSR_ERROR_UNSUPPORTED,
		            "a cast to varying is needed, and there is no primitive pcast");
	/* the record of pcast is one list of axes */
	return build_eqn_exact(b, b->pcast, &list, &(var){c->from}, 1, &c->to, where, NULL);
}

var build_vary(build *b, var v, axis_set varying, const char *where)
{
	if (v.id < 1 || (size_t)v.id >= b->nvars) return (var){0};
	cast want = {v.id, varying & ~build_type(b, v)->varying, {0}};
	if (!want.added) return v;
	const uint64_t hash = hash_u64(want.added, hash_u64((uint64_t)v.id, 0));
	const cast *known = table_find(&b->casts, hash, cast_fits, &want);
	if (known) return known->to;
	cast *entry = arena_alloc(b->arena, sizeof *entry);
	if (!entry || !add_cast(b, &want, where)) return (var){0};
	*entry = want;
	return table_add(&b->casts, hash, entry) ? want.to : (var){0};
}

/* casts operands that lack an axis over which another operand varies */
static bool join_varying(build *b, const eqn *e, var *io)
{
	axis_set all = 0;

	for (int i = 0; i < e->nin; i++)
		if (!b->vars[io[i].id].literal) all |= b->vars[io[i].id].type->varying;
	for (int i = 0; i < e->nin; i++)
		if (!b->vars[io[i].id].literal && !(io[i] = build_vary(b, io[i], all, e->where)).id)
			return false;
	return true;
}

bool build_eqn(build *b, const tsr_prim *prim, const void *params, const var *in, int nin, var *out,
               const char *where)
{
	eqn e = {.prim = prim, .params = params, .nin = nin, .where = where};

	e.nout = prim_nout(prim, params, nin);
	var *io = operand_room(b, &e, in);
	if (!io) return false;
	e.in = io;
	if (!check_arity(b, &e)) return false;
	if (!(prim->flags & PRIM_OWN_VARYING) && !join_varying(b, &e, io)) return false;
	if (!add_eqn(b, &e, io, false)) return false;
	give_results(&e, out);
	return true;
}
