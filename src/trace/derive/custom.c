/* custom.c - traces the body of remat, custom_jvp and custom_vjp, and with it the rules, so that
 * the equation of a call holds them all.
 *
 * Example, a rule that lets the tangent pass where the function is flat:
 *
 *     static tsr *clip(tsr *x) { return tsr_minimum(x, 1); }
 *     static void clip_rule(tsr_frame *f)
 *     {
 *             tsr_return(f, clip(tsr_frame_arg(f, 0)), tsr_frame_arg(f, 1));
 *     }
 *     static tsr *clipped(tsr *x) { return tsr_call(tsr_custom_jvp(x, clip, clip_rule), x); }
 *
 * The rule waits in the equation until a derivative is taken:
 *
 *     clipped(%0: f32[4]) -> f32[4] {
 *       %1: f32[4] = custom_jvp %0 wrt=[0] program=clip(%0: f32[4]) -> f32[4] { .. }
 *         rule=clip(%0: f32[4], %1: f32[4]) -> f32[4], f32[4] { .. return %2 %1 }
 *       return %1
 *     }
 *
 * The operands are those of the call: leaves of the arguments that are there, captures, and what
 * the body and the rules have lifted (custom_programs.c). A rule may call its own fn, whose
 * equation is then in the rule, with the rules once more, and so on: ORDERS times, for as many
 * derivatives. The innermost one is a custom_jvp that differentiates no operand. */
#include "trace/derive/custom.h"

bool trace_remat(const tracing *g, traced *t)
{
	remat_params *p = arena_alloc(t->arena, sizeof *p);

	if (!p || !trace_body(g, t)) return false;
	*p = (remat_params){
		.policy = g->fn->remat.policy, .names = g->fn->remat.names, .program = t->program};
	t->prim = &tsr__prim_remat;
	t->params = p;
	return true;
}

/* ---- groups of leaves: arguments or results of the body or of a rule */

static bool sides_begin(arena *a, sides *s, int groups, int leaves_at_most)
{
	s->arg = arena_array(a, (size_t)groups + 1, sizeof *s->arg);
	s->types = arena_array(a, (size_t)leaves_at_most + 1, sizeof *s->types);
	s->of = (leaves){0, 0, arena_array(a, (size_t)leaves_at_most + 1, sizeof(leaf)), s->arg,
	                 s->types};
	return s->arg && s->types && s->of.leaf;
}

/* a group like this one, an argument of a call or a tree without a type */
static void add_group(sides *s, const tsr_arg *like, int n, const type *const *types)
{
	const bool tree = like ? like->kind == TSR_KIND_TREE : n != 1;
	const tsr_tree_type *fields = like && tree ? like->as.tree.type : NULL;

	s->arg[s->of.nargs] =
		tree ? (tsr_arg){.kind = TSR_KIND_TREE,
	                         .as.tree = {.leaf = NULL, .count = (size_t)n, .type = fields}}
		     : (tsr_arg){.kind = TSR_KIND_ONE};
	for (int i = 0; i < n; i++) {
		s->of.leaf[s->of.n] = (leaf){NULL, s->of.nargs, i};
		s->types[s->of.n++] = types[i];
	}
	s->of.nargs++;
}

/* the groups of `from` with a tangent in at least one leaf; has: by group, NULL: all may. The types
 * of leaves without one are NULL */
static bool add_tangents(arena *a, sides *to, const sides *from, uint32_t without)
{
	for (int k = 0, at = 0; k < from->of.nargs; at += group_size(from, k++)) {
		const int n = group_size(from, k);
		const type **types = arena_array(a, (size_t)n + 1, sizeof *types);
		bool some = false;
		if (!types) return false;
		for (int i = 0; i < n; i++) {
			const type *t = from->types[at + i];
			if (!t || !has_tangent(t->dtype) || without >> k & 1) continue;
			types[i] = t;
			some = true;
		}
		if (some) add_group(to, &from->arg[k], n, types);
	}
	return true;
}

static bool add_all(sides *to, const sides *from)
{
	for (int k = 0, at = 0; k < from->of.nargs; at += group_size(from, k++))
		add_group(to, &from->arg[k], group_size(from, k), from->types + at);
	return true;
}

/* ---- the body and its rules, traced */

enum { ORDERS = 3 };

/* In how many rules of its own is the fn called? What is traced from the outermost of them on is
 * not for other calls */
static int own_rules_around(const tracing *g, traced *t)
{
	const trace *all = g->fn->ctx->trace, *outermost = NULL;
	int n = 0;

	for (const trace *at = all; at; at = at->outer)
		if (at->made && at->made->fn == g->fn) {
			outermost = at;
			n++;
		}
	t->in_own_rule = n > 0;
	for (const trace *at = all; outermost && at != outermost; at = at->outer)
		if (at->made) at->made->in_own_rule = true;
	return n;
}

static void release_deferred(void *p) { program_release(p); }

static bool results_of(custom *c, traced_fn *q)
{
	const traced *t = c->t;
	const type **types = arena_array(c->a, (size_t)t->nout + 1, sizeof *types);

	if (!types || !sides_begin(c->a, &q->out, t->shape.n, t->nout)) return false;
	for (int i = 0; i < t->nout; i++)
		if (t->out[i] >= 0) types[i] = type_of(q->p, q->p->out[t->out[i]]);
	for (int k = 0, at = 0; k < t->shape.n; at += t->shape.count[k++])
		add_group(&q->out, NULL, t->shape.count[k], types + at);
	return true;
}

/* q: its fn, role and arguments */
static bool trace_one(custom *c, traced_fn *q)
{
	tracing g = *c->g;
	traced *t = c->t;

	g.fn = (fn *)(uintptr_t)q->fn;
	g.args = &q->in.of;
	g.types = q->in.types;
	q->first = (int)t->nlifted;
	if (!trace_body(&g, t)) return false;
	program *flat = pass_inline(t->program);
	program_release(t->program);
	t->program = NULL;
	if (!flat) return false;
	q->p = flat;
	q->result = t->out;
	q->nlifted = (int)t->nlifted - q->first;
	if (arena_defer(c->a, release_deferred, flat)) return results_of(c, q);
	program_release(flat);
	return false;
}

static bool body_arguments(custom *c)
{
	const leaves *args = c->g->args;
	sides *in = &c->body.in;

	if (!sides_begin(c->a, in, args->nargs, args->n)) return false;
	for (int k = 0, at = 0; k < args->nargs; at += group_size(in, k++)) {
		const tsr_arg *a = &args->arg[k];
		const int n = a->kind == TSR_KIND_TREE ? (int)a->as.tree.count : 1;
		add_group(in, a, n, c->g->types + at);
	}
	return true;
}

/* the operands that the rules differentiate, by number among the operands */
static bool find_wrt(custom *c)
{
	const sides *in = &c->body.in;
	int at = 0;

	c->wrt = arena_array(c->t->arena, (size_t)in->of.n + 1, sizeof *c->wrt);
	for (int i = 0; c->wrt && i < in->of.n; i++) {
		const type *t = in->types[i];
		if (!t) continue;
		if (has_tangent(t->dtype) && !(c->g->fn->custom.nondiff >> in->of.leaf[i].arg & 1))
			c->wrt[c->nwrt++] = at;
		at++;
	}
	c->nleaves = at;
	return c->wrt;
}

static bool trace_parts(custom *c)
{
	const fn *fn = c->g->fn;
	const sides *in = &c->body.in, *out = &c->body.out;
	traced_fn *rule = &c->rule[0], *back = &c->rule[1];

	c->body.fn = fn;
	rule->fn = fn_rule(fn, 0);
	back->fn = fn_rule(fn, 1);
	rule->role = back->fn ? "forward rule" : "rule";
	back->role = "backward rule";
	if (!body_arguments(c) || !find_wrt(c) || !trace_one(c, &c->body)) return false;
	if (c->innermost) return true;
	if (!sides_begin(c->a, &rule->in, 2 * in->of.nargs, 2 * in->of.n) ||
	    !add_all(&rule->in, in))
		return false;
	if (!back->fn)
		return add_tangents(c->a, &rule->in, in, fn->custom.nondiff) && trace_one(c, rule);
	if (!trace_one(c, rule)) return false;
	const sides *given = &rule->out;
	const int first = out->of.nargs;
	if (given->of.nargs < first) return true; /* the check says so */
	if (!sides_begin(c->a, &back->in, given->of.nargs, given->of.n + out->of.n)) return false;
	for (int k = 0, at = 0; k < given->of.nargs; at += group_size(given, k++))
		if (k >= first) add_group(&back->in, NULL, group_size(given, k), given->types + at);
	return add_tangents(c->a, &back->in, out, 0) && trace_one(c, back);
}

static const traced_fn *traced_fn_at(const custom *c, int i)
{
	return i == 0 ? &c->body : i <= 2 && c->rule[i - 1].p ? &c->rule[i - 1] : NULL;
}

static bool find_operands(custom *c)
{
	const program *p = c->body.p;

	c->nown = p->nin - c->body.nlifted;
	c->n = c->nown + (int)c->t->nlifted;
	c->operand = arena_array(c->a, (size_t)c->n + 1, sizeof *c->operand);
	for (int i = 0; c->operand && i < c->nown; i++) c->operand[i] = type_of(p, p->in[i]);
	const traced_fn *q;
	for (int k = 0; c->operand && (q = traced_fn_at(c, k)); k++)
		for (int i = 0; i < q->nlifted; i++)
			c->operand[c->nown + q->first + i] =
				type_of(q->p, q->p->in[q->p->nin - q->nlifted + i]);
	return c->operand;
}

/* ---- do the results of a rule fit? */

static const char *name_of(const custom *c) { return c->rule[1].fn ? "custom_vjp" : "custom_jvp"; }

static bool fail_fit(const custom *c, const traced_fn *q, tsr_code code, const char *what,
                     const char *problem)
{
	return fail(&c->g->fn->ctx->base, c->g->where, code, "%s of '%s': %s of its %s %s",
	            name_of(c), c->body.fn->name, what, q->role, problem);
}

/* is: the type of leaf i of the rule's results, which is to be like `want` */
static bool fail_leaf(const custom *c, const traced_fn *q, int i, const type *is, const type *want)
{
	str what = {.base = &c->g->fn->ctx->base}, problem = what;
	const leaf *l = &q->out.of.leaf[i];
	const bool more = is && want && type_vary(&c->g->fn->ctx->ir, is, want->varying) == want;

	str_printf(&what, "result %d", l->arg);
	if (group_size(&q->out, l->arg) != 1) str_printf(&what, ", leaf %d,", l->index);
	str_put(&problem, "is ");
	if (is) type_text(&problem, is, c->g->axes, c->g->naxes);
	str_put(&problem, is ? ", and must be " : "absent, and must be ");
	if (want) type_text(&problem, want, c->g->axes, c->g->naxes);
	if (!want) str_put(&problem, "absent");
	if (more) str_put(&problem, ": sum it over the axes that it varies over (tsr_psum)");
	fail_fit(c, q, TSR_ERROR_TYPE, what.s ? what.s : "a result",
	         problem.s ? problem.s : "does not fit");
	str_free(&what);
	str_free(&problem);
	return false;
}

/* more: may there be further results? */
static bool check_groups(const custom *c, const traced_fn *q, const sides *want, bool more)
{
	const sides *is = &q->out;
	char problem[120];

	if (more ? is->of.nargs < want->of.nargs : is->of.nargs != want->of.nargs) {
		snprintf(problem, sizeof problem, "are %d, and must be %s%d", is->of.nargs,
		         more ? "at least " : "", want->of.nargs);
		return fail_fit(c, q, TSR_ERROR_ARGUMENT, "the results", problem);
	}
	for (int k = 0; k < want->of.nargs; k++) {
		if (group_size(is, k) == group_size(want, k)) continue;
		snprintf(problem, sizeof problem, "has %d leaves, and must have %d",
		         group_size(is, k), group_size(want, k));
		char what[40];
		snprintf(what, sizeof what, "result %d", k);
		return fail_fit(c, q, TSR_ERROR_ARGUMENT, what, problem);
	}
	return true;
}

/* the first nstrict leaves must be there, others count as zero */
static bool check_leaves(const custom *c, const traced_fn *q, const sides *want, int nstrict)
{
	ir *r = &c->g->fn->ctx->ir;

	for (int i = 0; i < want->of.n; i++) {
		const type *is = q->out.types[i], *to = want->types[i];
		const bool zero = i >= nstrict && !is;
		const bool same = is && to && (type_varies_to(r, is, to) || type_becomes(is, to));
		if (!zero && !same && (is || to)) return fail_leaf(c, q, i, is, to);
	}
	return true;
}

static bool check_fit(const custom *c, const traced_fn *q, const sides *want, int nstrict,
                      bool more)
{
	return check_groups(c, q, want, more) && check_leaves(c, q, want, nstrict);
}

/* ---- the equation */

static bool keep(traced *t, program *p)
{
	if (!p) return false;
	if (arena_defer(t->arena, release_deferred, p)) return true;
	program_release(p);
	return false;
}

static bool jvp_equation(custom *c)
{
	const sides *out = &c->body.out;
	custom_jvp_params *p = arena_alloc(c->t->arena, sizeof *p);
	sides want = {0};

	if (!p || !sides_begin(c->a, &want, 2 * out->of.nargs, 2 * out->of.n) ||
	    !add_all(&want, out) || !add_tangents(c->a, &want, out, 0) ||
	    !(c->innermost || check_fit(c, &c->rule[0], &want, out->of.n, false)) || !give_body(c))
		return false;
	program *rule = c->innermost ? make_no_rule(c, &want) : make_rule(c, &want);
	*p = (custom_jvp_params){{c->innermost ? 0 : c->nwrt, c->wrt}, c->t->program, rule};
	c->t->prim = &tsr__prim_custom_jvp;
	c->t->params = p;
	return keep(c->t, rule);
}

static bool vjp_equation(custom *c)
{
	const sides *in = &c->body.in, *out = &c->body.out;
	custom_vjp_params *p = arena_alloc(c->t->arena, sizeof *p);
	sides want = {0};

	if (!p || !check_fit(c, &c->rule[0], out, out->of.n, true) ||
	    !sides_begin(c->a, &want, in->of.nargs, in->of.n) ||
	    !add_tangents(c->a, &want, in, c->g->fn->custom.nondiff) ||
	    !check_fit(c, &c->rule[1], &want, 0, false) || !give_body(c))
		return false;
	program *forward = make_forward(c), *back = make_backward(c, &want);
	*p = (custom_vjp_params){{c->nwrt, c->wrt}, c->t->program, forward, back};
	c->t->prim = &tsr__prim_custom_vjp;
	c->t->params = p;
	const bool kept = keep(c->t, forward);
	return keep(c->t, back) && kept;
}

bool trace_custom(const tracing *g, traced *t)
{
	custom *c = arena_alloc(g->scratch, sizeof *c);

	if (!c) return false;
	*c = (custom){
		.g = g, .t = t, .a = g->scratch, .innermost = own_rules_around(g, t) >= ORDERS};
	if (!trace_parts(c) || !find_operands(c)) return false;
	return c->innermost || g->fn->kind == FN_CUSTOM_JVP ? jvp_equation(c) : vjp_equation(c);
}
