/* branch.c - traces tsr_cond and tsr_switch.
 *
 * All branches take the same operands: those of the call, then what any branch captures. Operands
 * and results vary over the axes that the index varies over (pass/structured/cond.c).
 *
 * Example:
 *
 *     static tsr *scaled(tsr *x) { return tsr_mul(x, w); }
 *     static tsr *same(tsr *x) { return x; }
 *     static tsr *choose(tsr *x)
 *     {
 *             w = tsr_sin(x);
 *             return tsr_cond(tsr_gt(tsr_sum(x), 0), scaled, same, x);
 *     }
 *
 * w belongs to the body around, so it becomes an operand, which the other branch ignores:
 *
 *     choose(%0: f32[4]) -> f32[4] {
 *       ..
 *       %3: f32[4] = sin %0
 *       %4: f32[4] = cond %2 %0 %3 branches=[false_fn(%0: f32[4], %1: f32[4]) -> f32[4] {
 *         return %0 }, true_fn(%0: f32[4], %1: f32[4]) -> f32[4] {
 *         %2: f32[4] = mul %0 %1
 *         return %2 }] ..
 *     } */
#include <stdio.h>
#include "trace/control/control.h"

typedef struct branches {
	flow f;
	tsr *index;
	axis_set over; /* the index varies over these axes */
	traced_body *body;
	int n;
	tsr **x; /* index, arguments, captures of all branches, each once */
	const type **types;
	int nx;
	int **at; /* at[k][i]: the operand that is input i of branch k */
} branches;

/* ---- the index */

static bool fail_index(const branches *b, const char *what, const char *must, const type *got)
{
	str t = {.base = &b->f.site.ctx->base};

	flow_put_type(&b->f, &t, got);
	flow_fail(&b->f, TSR_ERROR_TYPE, "%s must be %s, got %s", what, must, t.s ? t.s : "?");
	str_free(&t);
	return false;
}

/* not 0: a predicate of any real dtype */
static bool read_pred(branches *b)
{
	const type *t = handle_type(b->index);
	const tsr_arg zero = {.kind = TSR_KIND_INT, .as.i = 0};

	if (t->ndim) return fail_index(b, "Pred", "a scalar", t);
	if (t->dtype == TSR_BOOL) return true;
	if (dtype_kind(t->dtype) == KIND_COMPLEX)
		return fail_index(b, "Pred type", "either boolean or number", t);
	tsr *const x[] = {b->index, constant(&b->f.site, t->dtype, &zero)};
	if (handle_is_poison(x[1])) return false;
	b->index = bind(&b->f.site, &tsr__prim_ne, NULL, x, 2);
	return !handle_is_poison(b->index);
}

/* wide indices are clamped before they are narrowed */
static bool read_index(branches *b)
{
	const type *t = handle_type(b->index);
	const enum dtype_kind kind = dtype_kind(t->dtype);
	const tsr_arg first = {.kind = TSR_KIND_INT, .as.i = 0},
		      last = {.kind = TSR_KIND_INT, .as.i = b->n - 1};

	if (t->ndim) return fail_index(b, "Index", "a scalar", t);
	if (kind != KIND_INT && kind != KIND_UINT)
		return fail_index(b, "Index type", "an integer", t);
	if (t->dtype == TSR_I32) return true;
	if (dtype_bits(t->dtype) >= 32) {
		tsr *const x[] = {constant(&b->f.site, t->dtype, &first), b->index,
		                  constant(&b->f.site, t->dtype, &last)};
		if (handle_is_poison(x[0]) || handle_is_poison(x[2])) return false;
		b->index = bind(&b->f.site, &tsr__prim_clamp, NULL, x, 3);
	}
	if (handle_is_poison(b->index)) return false;
	b->index = convert_as(&b->f.site, b->index, (etype){TSR_I32, false});
	return !handle_is_poison(b->index);
}

/* ---- operands */

/* arguments vary like the index */
static bool widen_args(branches *b)
{
	leaves *args = &b->f.args;

	for (int i = 0; i < args->n; i++) {
		const type *t = args->types[i];
		if (t && !(args->types[i] = type_vary(&b->f.site.ctx->ir, t, t->varying | b->over)))
			return false;
	}
	return true;
}

static bool same_value(const tsr *a, const tsr *b)
{
	const handle_slot *s = handle_slot_of(a), *t = handle_slot_of(b);

	return s->kind == t->kind && s->payload == t->payload && s->var == t->var;
}

/* the number of x among the operands, to which it is added if need be; first: where captures
 * begin */
static int operand(branches *b, int first, tsr *x, const type *t)
{
	for (int i = first; i < b->nx; i++)
		if (b->types[i] == t && same_value(b->x[i], x)) return i;
	b->x[b->nx] = x;
	b->types[b->nx] = t;
	return b->nx++;
}

static bool join_operands(branches *b)
{
	arena *a = b->f.scratch;
	size_t most = 1;

	for (int k = 0; k < b->n; k++) most += (size_t)b->body[k].p->nin;
	b->x = arena_array(a, most, sizeof *b->x);
	b->types = arena_array(a, most, sizeof *b->types);
	b->at = arena_array(a, (size_t)b->n, sizeof *b->at);
	if (!b->x || !b->types || !b->at) return false;
	b->x[0] = b->index;
	b->types[0] = trace_type(b->f.site.ctx, b->index);
	b->nx = 1;
	for (int k = 0; k < b->n; k++) {
		const traced_body *p = &b->body[k];
		int *at = b->at[k] = arena_array(a, (size_t)p->p->nin + 1, sizeof *at);
		if (!at) return false;
		for (int i = 0; i < p->p->nin; i++) {
			const type *t = type_of(p->p, p->p->in[i]);
			const bool arg = i < p->nleaves;
			if (arg && k == 0) {
				b->x[b->nx] = p->x[i];
				b->types[b->nx++] = t;
			}
			at[i] = (arg ? 1 + i : operand(b, 1 + p->nleaves, p->x[i], t)) - 1;
		}
	}
	return true;
}

/* ---- results: the branches must agree */

static void name_of(const branches *b, int k, char room[32])
{
	if (strcmp(b->f.site.op, "cond") == 0)
		snprintf(room, 32, "%s", k ? "true_fn" : "false_fn");
	else
		snprintf(room, 32, "branch %d", k);
}

static bool check_structure(const branches *b, int k)
{
	const traced_body *s = &b->body[0], *t = &b->body[k];
	char first[32], other[32];
	bool same = s->shape.n == t->shape.n && s->nout == t->nout;

	for (int i = 0; same && i < s->shape.n; i++) same = s->shape.count[i] == t->shape.count[i];
	for (int i = 0; same && i < s->nout; i++) same = (s->out[i] < 0) == (t->out[i] < 0);
	if (same) return true;
	name_of(b, 0, first);
	name_of(b, k, other);
	return flow_fail(
		&b->f, TSR_ERROR_TYPE,
		"%s branch outputs must have the same structure, but they differ: %s gives "
		"%d results of %d leaves and %s %d results of %d leaves, or other leaves "
		"are absent",
		b->f.site.op, first, s->shape.n, s->nout, other, t->shape.n, t->nout);
}

typedef struct complaint {
	str lines, fixes;
	int nlines, nfixes;
} complaint;

static void fix_line(const branches *b, complaint *c, int k, int leaf, axis_set missing)
{
	char name[32];

	if (!missing) return;
	name_of(b, k, name);
	str_printf(&c->fixes, "%sapplying tsr_pcast(..., ", c->nfixes++ ? ";\n  * " : "  * ");
	put_axes(&b->f, &c->fixes, missing);
	str_printf(&c->fixes, ", .to = TSR_TO_VARYING) to the output of %s, leaf %d", name, leaf);
}

static void type_line(const branches *b, complaint *c, int k, int leaf, const type *s,
                      const type *t)
{
	char first[32], other[32];

	name_of(b, 0, first);
	name_of(b, k, other);
	str_printf(&c->lines, "%sthe output of %s, leaf %d, has type ",
	           c->nlines++ ? ";\n  * " : "  * ", first, leaf);
	flow_put_type(&b->f, &c->lines, s);
	str_printf(&c->lines, " but the corresponding output of %s has type ", other);
	flow_put_type(&b->f, &c->lines, t);
	str_printf(&c->lines, ", so %s", difference(s, t));
	fix_line(b, c, 0, leaf, t->varying & ~(s->varying | b->over));
	fix_line(b, c, k, leaf, s->varying & ~(t->varying | b->over));
}

/* can elements of types a and b become one type, where only weak ones may change? */
static bool can_join(etype a, etype b)
{
	const etype both = etype_join(a, b);

	return (a.weak || a.dtype == both.dtype) && (b.weak || b.dtype == both.dtype);
}

/* *out is the type of a result in the branches so far: joins it with t, its type in one more
 * branch. false: no memory */
static bool join_type(const branches *b, const type **out, const type *t)
{
	ir *r = &b->f.site.ctx->ir;
	const type *as = type_as(r, *out, etype_join(etype_of(*out), etype_of(t)));

	return as && (*out = type_vary(r, as, as->varying | t->varying | b->over));
}

/* the types of the results: a weak one takes the dtype of the other branches. All vary over the
 * axes of the index, and in unchecked regions over the axes of any branch */
static bool join_results(const branches *b, const type **out)
{
	const bool unchecked = trace_unchecked(b->f.site.ctx);
	const program *p = b->body[0].p;
	complaint c = {.lines = {.base = &b->f.site.ctx->base},
	               .fixes = {.base = &b->f.site.ctx->base}};

	for (int i = 0; i < p->nout; i++) {
		out[i] = type_of(p, p->out[i]);
		if (!join_type(b, &out[i], out[i])) return false;
	}
	for (int k = 1; k < b->n; k++) {
		const program *q = b->body[k].p;
		if (!check_structure(b, k)) return false;
		for (int i = 0; i < p->nout; i++) {
			const type *s = type_of(p, p->out[i]), *t = type_of(q, q->out[i]);
			const bool varies = (s->varying | b->over) != (t->varying | b->over);
			if (!can_join(etype_of(out[i]), etype_of(t)) ||
			    !dims_same(s->dims, s->ndim, t->dims, t->ndim) ||
			    (varies && !unchecked))
				type_line(b, &c, k, i, s, t);
			else if (!join_type(b, &out[i], t))
				return false;
		}
	}
	if (!c.nlines) return true;
	char head[80];
	snprintf(head, sizeof head, "%s branches must have equal output types but they differ",
	         b->f.site.op);
	return fail_lines(&b->f, head, &c.lines, c.nlines, &c.fixes, c.nfixes,
	                  "Revise the branches so that all output types match.");
}

/* ---- the equation */

static bool bind_cond(branches *b, const type *const *out)
{
	flow *f = &b->f;
	const program **made = arena_array(f->scratch, (size_t)b->n, sizeof *made);
	const traced_body *p = &b->body[0];
	bool ok = made;

	for (int k = 0; ok && k < b->n; k++)
		ok = (made[k] = wrap(f, b->body[k].p, b->types + 1, b->nx - 1, b->at[k], out));
	ok = ok && flow_bind(f, &tsr__prim_cond, &(cond_params){{b->n, made}}, b->x, b->types,
	                     b->nx, p->p->nout, p->out, p->nout, &p->shape);
	for (int k = 0; made && k < b->n; k++) program_release(made[k]);
	return ok;
}

static bool trace_branches(branches *b, const tsr_body *bodies)
{
	const type **out = NULL;

	b->body = arena_array(b->f.scratch, (size_t)b->n, sizeof *b->body);
	bool ok = b->body;
	for (int k = 0; ok && k < b->n; k++) {
		char name[32];
		name_of(b, k, name);
		for (char *c = name; *c; c++) *c = *c == ' ' ? '_' : *c;
		ok = traced_body_make(&b->f, bodies[k], name, b->over, &b->body[k]) &&
		     check_exchanges(&b->f, b->body[k].p, b->over);
	}
	ok = ok && (out = arena_array(b->f.scratch, (size_t)b->body[0].p->nout + 1, sizeof *out)) &&
	     join_results(b, out) && join_operands(b) && bind_cond(b, out);
	for (int k = 0; b->body && k < b->n; k++) traced_body_done(&b->body[k]);
	return ok;
}

static bool branch(branches *b, const char *where, const char *op, const tsr_arg *index,
                   const tsr_body *bodies, size_t nbodies, const tsr_arg *args, size_t n)
{
	const bool pred = strcmp(op, "cond") == 0;

	*b = (branches){.n = (int)nbodies};
	if (!flow_begin(&b->f, where, op, index, args, n, bodies, nbodies)) return false;
	if (!nbodies || !bodies || nbodies > INT32_MAX)
		return flow_fail(&b->f, TSR_ERROR_ARGUMENT, "%s: there are no branches", op);
	if (!flow_operand(&b->f, pred ? "predicate" : "index", index, &b->index) ||
	    !(pred ? read_pred(b) : read_index(b)) || !flow_args(&b->f, args, n))
		return false;
	b->over = trace_type(b->f.site.ctx, b->index)->varying;
	return widen_args(b) && trace_branches(b, bodies);
}

void tsr_cond_into_at(const char *where, const tsr_out *outs, size_t nout, tsr_arg pred,
                      tsr_body true_fn, tsr_body false_fn, const tsr_arg *args, size_t n)
{
	const tsr_body bodies[] = {false_fn, true_fn};
	FLOW(branches, b);
	const bool ok = branch(&b, where, "cond", &pred, bodies, 2, args, n);

	flow_into(&b.f, ok, outs, nout);
}

tsr *tsr_cond_at(const char *where, tsr_arg pred, tsr_body true_fn, tsr_body false_fn,
                 const tsr_arg *args, size_t n)
{
	const tsr_body bodies[] = {false_fn, true_fn};
	FLOW(branches, b);
	const bool ok = branch(&b, where, "cond", &pred, bodies, 2, args, n);

	return flow_one(&b.f, ok);
}

void tsr_switch_into_at(const char *where, const tsr_out *outs, size_t nout, tsr_arg index,
                        tsr_branches of, const tsr_arg *args, size_t n)
{
	FLOW(branches, b);
	const bool ok = branch(&b, where, "switch", &index, of.body, of.count, args, n);

	flow_into(&b.f, ok, outs, nout);
}

tsr *tsr_switch_at(const char *where, tsr_arg index, tsr_branches of, const tsr_arg *args, size_t n)
{
	FLOW(branches, b);
	const bool ok = branch(&b, where, "switch", &index, of.body, of.count, args, n);

	return flow_one(&b.f, ok);
}
