/* verify.c - verifies that a program keeps the rules of its parts: debug builds ask after every
 * pass.
 *
 * The program is built again, equation by equation. This infers every type, and checks operands,
 * varying sets and the axes in scope of inner programs. The inferred types must be those stored.
 * The rest is checked here. A program that is in several equations is checked once.
 *
 * Example, of which a pass exchanges the equations:
 *
 *     f(%0: f32[4]) -> f32[4] {
 *       %1: f32[4] = sin %0
 *       %2: f32[4] = cos %1
 *       return %2
 *     }
 *
 * The error names the pass, which has returned by then and is in no backtrace:
 *
 *     %1 is used before its definition
 *     equation 0: %2: f32[4] = cos %1
 *     in program 'f' after reorder */
#include "program/build.h"
#include "program/text.h"

typedef struct check {
	base *base;
	const char *stage;
	const program *p;
	build *b;                  /* p, built again */
	var *map;                  /* variables of p to those of b; id 0: not defined yet */
	table *seen;               /* programs, by address */
	bool had_error;
} check;

static void note_stage(const check *c)
{
	const char *name = c->p->name;

	if (!c->had_error)
		fail_note(c->base, "in program '%s' after %s", name ? name : "", c->stage);
}

/* adds to the error of equation i: the program it is in, and its text */
static bool note_eqn(const check *c, int i)
{
	str text = {.base = c->base};

	if (c->had_error) return false;
	eqn_print(&text, c->p, &c->p->eqns[i], PRINT_WHERE);
	fail_note(c->base, "equation %d: %s", i, text.s ? text.s : "?");
	str_free(&text);
	return false;
}

static bool verify(const program *, const char *stage, table *seen, bool had_error);

/* ---- variables */

static bool check_var(const check *c, const char *where, var v)
{
	if (v.id < 1 || v.id >= c->p->nvars)
		return fail(c->base, where, TSR_ERROR_TEXT, "variable id %d is not in the table",
		            v.id);
	return true;
}

/* v of p corresponds to w of b, which has the inferred type */
static bool define(check *c, const char *where, var v, var w)
{
	str is = {.base = c->base}, was = {.base = c->base};

	if (!check_var(c, where, v)) return false;
	if (c->map[v.id].id)
		return fail(c->base, where, TSR_ERROR_TEXT, "%%%d is defined twice", v.id - 1);
	c->map[v.id] = w;
	const type *stored = type_of(c->p, v), *inferred = build_type(c->b, w);
	if (stored == inferred) return true;
	type_print(&is, stored, c->p->axes, c->p->naxes);
	type_print(&was, inferred, c->p->axes, c->p->naxes);
	fail(c->base, where, TSR_ERROR_TEXT, "%%%d has type %s, inferred is %s", v.id - 1,
	     is.s ? is.s : "?", was.s ? was.s : "?");
	str_free(&is);
	str_free(&was);
	return false;
}

static bool check_use(const check *c, const char *where, var v)
{
	if (!check_var(c, where, v)) return false;
	return c->map[v.id].id ||
	       fail(c->base, where, TSR_ERROR_TEXT, "%%%d is used before its definition", v.id - 1);
}

static bool check_literals(check *c)
{
	for (int v = 1; v < c->p->nvars; v++) {
		const var_info *info = &c->p->vars[v];
		if (!info->literal) continue;
		if (info->type->ndim || info->type->varying)
			return fail(c->base, NULL, TSR_ERROR_TEXT,
			            "literal %d is not of rank 0 or varies", v);
		c->map[v] = build_literal_as(c->b, info->type, info->literal);
		if (!c->map[v].id) return false;
	}
	return true;
}

static bool check_inputs(check *c)
{
	for (int i = 0; i < c->p->nin; i++) {
		if (!check_var(c, NULL, c->p->in[i])) return false;
		const var w = build_input(c->b, type_of(c->p, c->p->in[i]));
		if (!w.id || !define(c, NULL, c->p->in[i], w)) return false;
	}
	return true;
}

/* ---- equations */

static bool check_factors(const check *c, const eqn *e)
{
	const type **types = mem_array(c->base, (size_t)e->nin + (size_t)e->nout + 1,
	                               sizeof *types);
	factors f;

	if (!types) return false;
	factors_begin(&f);
	for (int i = 0; i < e->nin; i++) types[i] = type_of(c->p, e->in[i]);
	for (int i = 0; i < e->nout; i++) types[e->nin + i] = type_of(c->p, e->out[i]);
	e->prim->factors(e, types, types + e->nin, &f);
	const bool ok = factors_agree(c->base, e, types, types + e->nin, &f);
	mem_free(c->base, types);
	return ok;
}

static bool check_inner(const check *c, const eqn *e)
{
	for (inner i = {0}; inner_next(e->prim, e->params, &i);)
		if (!verify(i.program, c->stage, c->seen, c->had_error)) return false;
	return true;
}

static bool rebuild(check *c, const eqn *e)
{
	var *io = arena_array(build_arena(c->b), (size_t)e->nin + (size_t)e->nout + 1, sizeof *io);

	for (int i = 0; io && i < e->nin; i++) {
		if (!check_use(c, e->where, e->in[i])) return false;
		io[i] = c->map[e->in[i].id];
	}
	if (!io || !build_eqn_owned(c->b, e, io, io + e->nin)) return false;
	for (int i = 0; i < e->nout; i++)
		if (!define(c, e->where, e->out[i], io[e->nin + i])) return false;
	return true;
}

static bool check_eqn(check *c, const eqn *e)
{
	const int nout = prim_nout(e->prim, e->params, e->nin);

	if (e->nout != nout)
		return fail(c->base, e->where, TSR_ERROR_TEXT, "%s has %d results, not %d",
		            e->prim->name, nout, e->nout);
	return check_inner(c, e) && rebuild(c, e) && (!e->prim->factors || check_factors(c, e));
}

static bool check_eqns(check *c)
{
	unsigned effects = 0;

	for (int i = 0; i < c->p->neqns; i++) {
		const eqn *e = &c->p->eqns[i];
		if (!check_eqn(c, e)) return note_eqn(c, i);
		effects |= eqn_effects(e);
	}
	return effects == c->p->effects ||
	       fail(c->base, NULL, TSR_ERROR_TEXT, "the program is marked %s effects",
	            effects ? "without" : "with");
}

static bool check_results(const check *c)
{
	for (int i = 0; i < c->p->nout; i++)
		if (!check_use(c, NULL, c->p->out[i])) return false;
	return true;
}

/* ---- programs */

static bool check_program(check *c)
{
	const program *p = c->p;

	c->b = build_begin(p->ir, p->name, p->axes, p->naxes);
	c->map = mem_array(c->base, (size_t)p->nvars, sizeof *c->map);
	const bool ok = c->b && c->map && check_literals(c) && check_inputs(c) &&
	                check_eqns(c) && check_results(c);
	if (!ok) note_stage(c);
	mem_free(c->base, c->map);
	build_abandon(c->b);
	return ok;
}

static bool is_program(const void *entry, const void *wanted) { return entry == wanted; }

static bool verify(const program *p, const char *stage, table *seen, bool had_error)
{
	check c = {.base = p->ir->base, .stage = stage, .p = p, .seen = seen,
	           .had_error = had_error};
	const uint64_t hash = hash_u64((uint64_t)(uintptr_t)p, 0);

	if (table_find(seen, hash, is_program, p)) return true;
	return check_program(&c) && table_add(seen, hash, (void *)(uintptr_t)p);
}

bool program_verify(const program *p, const char *stage)
{
	table seen = {.base = p->ir->base};
	const bool ok = verify(p, stage, &seen, failed(p->ir->base));

	table_free(&seen, NULL);
	return ok;
}
