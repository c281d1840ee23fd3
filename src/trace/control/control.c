/* control.c - shares the work of all control flow: bodies are fns, traced at the call; captured
 * values become operands; the equation is recorded, or run at once outside a trace.
 *
 * Example:
 *
 *     static tsr *more(tsr *n) { return tsr_lt(n, 3); }
 *     static tsr *next(tsr *n) { return tsr_add(n, 1); }
 *     static tsr *counted(tsr *x) { return tsr_mul(x, tsr_while(more, next, tsr_scalar(x, 0))); }
 *
 * Each body is traced once, however often it will run, and its program is a parameter:
 *
 *     counted(%0: f32[4]) -> f32[4] {
 *       %1: i32[] = while 0:i32 cond_consts=0 body_consts=0 cond=cond_fn(%0: i32[]) -> bool[] {
 *         %1: bool[] = lt %0 3:i32
 *         return %1
 *       } body=body(%0: i32[]) -> i32[] {
 *         %1: i32[] = add %0 1:i32
 *         return %1
 *       }
 *       ..
 *       return %4
 *     } */
#include <stdio.h>
#include "trace/control/control.h"

/* ---- the call */

static tsr_ctx *ctx_of_arg(const tsr_arg *a)
{
	if (a->kind == TSR_KIND_ONE) return a->as.one ? handles_of(a->as.one)->ctx : NULL;
	if (a->kind != TSR_KIND_TREE) return NULL;
	for (size_t i = 0; a->as.tree.leaf && i < a->as.tree.count; i++)
		if (a->as.tree.leaf[i]) return handles_of(a->as.tree.leaf[i])->ctx;
	return NULL;
}

tsr_ctx *arg_ctx(const char *where, const char *op, const tsr_arg *args, size_t n,
                 const tsr_body *bodies, size_t nbodies)
{
	tsr_ctx *ctx = NULL;

	for (size_t i = 0; args && !ctx && i < n; i++) ctx = ctx_of_arg(&args[i]);
	for (size_t i = 0; bodies && !ctx && i < nbodies; i++)
		if (bodies[i].fn) ctx = tsr_fn_ctx(bodies[i].fn);
	return ctx ? ctx : numbers_check(&(call_site){.where = where, .op = op});
}

bool flow_begin(flow *f, const char *where, const char *op, const tsr_arg *first,
                const tsr_arg *args, size_t n, const tsr_body *bodies, size_t nbodies)
{
	tsr_ctx *ctx = first ? ctx_of_arg(first) : NULL;

	if (!ctx) ctx = arg_ctx(where, op, args, n, bodies, nbodies);
	*f = (flow){.site = {ctx, where, op}};
	if (!ctx_alive(ctx) || !turn_begin(&ctx->base, where, f, &f->turn)) return false;
	ctx_use(ctx);
	return (f->scratch = call_arena(ctx));
}

void flow_into(flow *f, bool ok, const tsr_out *outs, size_t nout)
{
	results_into(&f->site, f->scratch, ok, outs, nout, &f->got);
	call_arena_free(f->site.ctx, f->scratch);
}

tsr *flow_one(flow *f, bool ok)
{
	tsr *y = result_alone(&f->site, f->site.op, ok, &f->got);

	call_arena_free(f->site.ctx, f->scratch);
	return y;
}

bool flow_fail(const flow *f, tsr_code code, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vfail(&f->site.ctx->base, f->site.where, code, format, list);
	va_end(list);
	return false;
}

/* ---- operands */

bool flow_args(flow *f, const tsr_arg *args, size_t n)
{
	leaves *all = &f->args;

	if (!leaves_read(&f->site, f->scratch, args, n, all)) return false;
	const type **types = arena_array(f->scratch, (size_t)all->n + 1, sizeof *types);
	if (!types) return false;
	for (int i = 0; i < all->n; i++)
		if (all->leaf[i].handle &&
		    !(types[i] = trace_type(f->site.ctx, all->leaf[i].handle)))
			return false;
	all->types = types;
	return true;
}

bool flow_operand(const flow *f, const char *what, const tsr_arg *a, tsr **out)
{
	char poison[80];

	if (a->kind == TSR_KIND_TREE)
		return flow_fail(f, TSR_ERROR_ARGUMENT,
		                 "%s: the %s is a tree, and must be one handle", f->site.op, what);
	if (a->kind != TSR_KIND_ONE) {
		*out = number_argument(&f->site, a);
		return !handle_is_poison(*out);
	}
	const char *fault = handle_fault(f->site.ctx, a->as.one);
	if (fault) return flow_fail(f, TSR_ERROR_HANDLE, "%s: the %s %s", f->site.op, what, fault);
	*out = a->as.one;
	if (!handle_is_poison(*out)) return true;
	snprintf(poison, sizeof poison, "%s: the %s", f->site.op, what);
	return fail_poison(&f->site.ctx->base, f->site.where, poison);
}

/* ---- bodies */

fn *fn_of_body(const call_site *s, arena *a, tsr_body body, const char *name)
{
	fn key, *f;

	if (!fn_head(&key, s, body, (fn_keywords){0})) return NULL;
	if (key.body.fn && key.body.fn->kind == FN_JIT) {
		f = fn_hold(key.body.fn);
	} else {
		key.kind = FN_JIT;
		key.name = key.body.fn ? key.body.fn->name : name;
		if (!(f = fn_intern(s->ctx, &key))) return NULL;
	}
	const bool held = fn_hold_in(a, f);
	fn_unhold(f);
	return held ? f : NULL;
}

static void give_back(void *t) { traced_done(t); }

bool traced_body_make(flow *f, tsr_body body, const char *name, axis_set lift, traced_body *p)
{
	trace *around = f->site.ctx->trace;
	const axis_set before = around ? around->lift_varying : 0;

	*p = (traced_body){.fn = fn_of_body(&f->site, f->scratch, body, name)};
	if (!p->fn) return false;
	fn_call c = {.fn = p->fn, .where = f->site.where, .scratch = f->scratch, .args = f->args};
	if (around) around->lift_varying = before | lift;
	p->t = trace_fn(&c);
	if (around) around->lift_varying = before;
	if (!p->t) return false;
	if (!arena_defer(f->scratch, give_back, p->t)) {
		traced_done(p->t);
		return false;
	}
	p->p = p->t->program;
	p->x = c.x;
	p->nout = p->t->nout;
	p->out = p->t->out;
	p->shape = p->t->shape;
	for (int i = 0; i < f->args.n; i++) p->nleaves += f->args.leaf[i].handle != NULL;
	return true;
}

void traced_body_done(traced_body *p)
{
	program_release(p->own);
	*p = (traced_body){0};
}

int traced_body_nconsts(const traced_body *p) { return p->p->nin - p->nleaves; }

/* v cast to type t, which it may differ from in being weak and in the axes it varies over */
static var give_way(build *b, const flow *f, var v, const type *t)
{
	if (!t) return v;
	build_at(b, f->site.where);
	if (build_type(b, v)->dtype != t->dtype) v = emit_as(b, v, etype_of(t));
	return build_failed(b) ? (var){0} : build_vary(b, v, t->varying, f->site.where);
}

program *wrap(const flow *f, const program *p, const type *const *types, int nin, const int *at,
              const type *const *out)
{
	build *b = build_begin(p->ir, p->name, p->axes, p->naxes);
	const size_t n = (size_t)(nin + p->nin + p->nout) + 1;
	var *x = b ? arena_array(build_arena(b), n, sizeof *x) : NULL;
	bool ok = x;

	if (!ok) {
		build_abandon(b);
		return NULL;
	}
	var *in = x + nin, *y = in + p->nin;
	for (int i = 0; ok && i < nin; i++) ok = (x[i] = build_input(b, types[i])).id;
	for (int i = 0; i < p->nin; i++) in[i] = x[at[i]];
	ok = ok && build_inline(b, p, in, y, NULL);
	for (int i = 0; ok && i < p->nout; i++) ok = (y[i] = give_way(b, f, y[i], out[i])).id;
	if (ok) return build_end(b, y, p->nout);
	build_abandon(b);
	return NULL;
}

/* ---- the equation */

bool flow_bind(flow *f, const tsr_prim *prim, const void *params, tsr **x, const type *const *types,
               int n, int nout, const int *out, int nleaves, const result_shape *shape)
{
	tsr **result = arena_array(f->scratch, (size_t)nout + 1, sizeof *result);
	int *count = arena_copy(f->scratch, shape->count, (size_t)shape->n * sizeof *count);

	f->got = (results){arena_array(f->scratch, (size_t)nleaves + 1, sizeof *f->got.leaf),
	                   nleaves,
	                   {shape->n, count}};
	if (!result || !count || !f->got.leaf) return false;
	for (int i = 0; in_trace(f->site.ctx) && i < n; i++)
		if (handle_is_poison(x[i] = vary(&f->site, x[i], types[i]->varying))) return false;
	const operation flows = {&f->site, prim, params, x, n};
	if (!bind_all(&flows, result, nout)) return false;
	for (int i = 0; i < nleaves; i++)
		if (out[i] >= 0) f->got.leaf[i] = as_default(&f->site, result[out[i]]);
	return true;
}

/* ---- collectives where devices part */

static bool fail_parting(const flow *f, axis_set over, const eqn *e, const char *where,
                         const char *why, const char *what)
{
	str axes = {.base = &f->site.ctx->base};

	put_axes(f, &axes, over);
	flow_fail(f, TSR_ERROR_SHARDING,
	          "the predicate of this %s varies over axes %s, and %s at %s inside it %s. Make "
	          "the predicate the same along the axis (by pmax, pmin or psum), or move the %s "
	          "out of the %s",
	          f->site.op, axes.s ? axes.s : "?", e->prim->name,
	          where ? base_name(where) : "an unknown place", why, what, f->site.op);
	str_free(&axes);
	return false;
}

bool check_exchanges(const flow *f, const program *p, axis_set over)
{
	const bool may_part = over && !trace_unchecked(f->site.ctx);
	const char *where = NULL;
	const eqn *e = may_part ? find_exchange(p, over, &where) : NULL;

	if (e)
		return fail_parting(f, over, e, where,
		                    "exchanges over one of them: devices that go different ways "
		                    "would wait for each other for ever",
		                    "collective");
	e = may_part ? find_effect(p, EFFECT_ORDERED, &where) : NULL;
	return !e || fail_parting(f, over, e, where,
	                          "is ordered: devices that go different ways have no order",
	                          "callback");
}

/* ---- messages */

void put_axes(const flow *f, str *s, axis_set set)
{
	int n, many = 0;
	const axis *axes = trace_axes(f->site.ctx, &n);

	str_put(s, "\"");
	for (int i = 0; i < n; i++)
		if (set >> i & 1) str_printf(s, many++ ? "*%s" : "%s", axes[i].name);
	str_put(s, "\"");
}

void flow_put_type(const flow *f, str *s, const type *t)
{
	int n;
	const axis *axes = trace_axes(f->site.ctx, &n);

	type_text(s, t, axes, n);
}

const char *difference(const type *a, const type *b)
{
	if (!dims_same(a->dims, a->ndim, b->dims, b->ndim)) return "the shapes do not match";
	return a->dtype != b->dtype ? "the dtypes do not match"
	                            : "the manual axis types do not match";
}

/* "A;\n\n  * B": one line as a sentence, several as a list */
static void put_lines(str *to, const char *lines, int n)
{
	if (n == 1) lines += strlen("  * ");
	str_put(to, lines);
	str_put(to, ".\n");
}

bool fail_lines(const flow *f, const char *head, str *lines, int nlines, str *fixes, int nfixes,
                const char *advice)
{
	str s = {.base = &f->site.ctx->base};

	str_printf(&s, "%s:\n\n", head);
	put_lines(&s, lines->s ? lines->s : "", lines->s ? nlines : 0);
	if (nfixes)
		str_put(&s,
		        nfixes == 1 ? "\nThis might be fixed by " : "\nThis might be fixed by:\n");
	if (nfixes) put_lines(&s, fixes->s ? fixes->s : "", fixes->s ? nfixes : 0);
	flow_fail(f, TSR_ERROR_TYPE, "%s\n%s", s.s ? s.s : head, advice);
	str_free(&s);
	str_free(lines);
	str_free(fixes);
	return false;
}
