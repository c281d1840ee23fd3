/* of_program.c - makes fns of programs: of texts, and of the linear functions at a point.
 *
 * Such a program has an axis table of its own, which must be the beginning of the one where it is
 * called. There, more axes may be bound, and a leaf may vary over fewer axes than its input or over
 * others. The program is therefore adapted to each call: with the whole axis table, and with the
 * types that the leaves have.
 *
 * Example, called on a block of a map over x and y:
 *
 *     tsr_fn *f = tsr_parse(x, "axes (x of (x:2,y:2)) f(%0: f32[2]{x}) -> f32[2] {\n"
 *                              "  %1: f32[2] = psum %0 axes=(x) to=invarying\n"
 *
 * The leaf also varies over y, and so does the result then:
 *
 *     both(%0: f32[8]) -> f32[4] {
 *       ..
 *         %2: f32[2]{y} = call %1 program=f(%0: f32[2]{x,y}) -> f32[2]{y} {
 *           %1: f32[2]{y} = psum %0 axes=(x) to=invarying
 *           return %1
 *         }
 *       ..
 *     } */
#include "trace/trace.h"

/* is leaf i what the program wants: of type `want`, or absent where that is NULL? */
static bool check_leaf(const tracing *g, const traced *t, int i, const type *want)
{
	const fn *fn = g->fn;
	ir *r = &fn->ctx->ir;
	const type *got = t->key.types[i];
	const axis_set own = axes_below(fn->given.program->naxes);

	if (!got && !want) return true;
	/* axes that are not in its table do not matter to the program */
	const type *seen = got ? type_vary(r, got, got->varying & own) : NULL;
	if (got && (type_varies_to(r, seen, want) || (seen && want && type_becomes(seen, want))))
		return true;
	const bool only_varies = got && want && type_vary(r, got, want->varying) == want;
	str a = {.base = &fn->ctx->base}, b = {.base = &fn->ctx->base}, name = a;
	if (fn->given.form)
		leaf_text(&name, g->args, i);
	else
		str_printf(&name, "args[%d]", i); /* a text has no trees: every leaf is an
		                                     argument */
	if (want) type_text(&a, want, t->key.axes, t->key.naxes);
	if (got) type_text(&b, got, t->key.axes, t->key.naxes);
	fail(&fn->ctx->base, g->where, TSR_ERROR_TYPE, "%s: %s must be %s, got %s%s", fn->name,
	     name.s ? name.s : "a leaf", want && a.s ? a.s : "absent", got && b.s ? b.s : "nothing",
	     !only_varies ? ""
	     : fn->given.form   ? "; make the fn here, at values that vary too (tsr_pcast)"
	                  : "; tsr_psum it, say");
	str_free(&a);
	str_free(&b);
	str_free(&name);
	return false;
}

static bool check_text_args(const tracing *g, const traced *t)
{
	const fn *fn = g->fn;
	const leaves *args = g->args;
	const program *p = fn->given.program;
	const program_form *form = fn->given.form;
	const int want = form ? form->nargs : p->nin, got = form ? args->nargs : args->n;
	int at = 0;

	if (got != want)
		return fail(&fn->ctx->base, g->where, TSR_ERROR_ARGUMENT,
		            "%s takes %d argument%s, got %d", fn->name, want, want == 1 ? "" : "s",
		            got);
	for (int k = 0, i = 0; form && k < args->nargs; k++) {
		int n = 0;
		while (i < args->n && args->leaf[i].arg == k) i++, n++;
		if (n != form->nleaves[k])
			return fail(&fn->ctx->base, g->where, TSR_ERROR_ARGUMENT,
			            "%s: args[%d] must have %d leaves, got %d", fn->name, k,
			            form->nleaves[k], n);
	}
	for (int i = 0; i < args->n; i++) {
		const type *type_in = !form || form->present[i] ? type_of(p, p->in[at++]) : NULL;
		if (!check_leaf(g, t, i, type_in)) return false;
	}
	return true;
}

/* the program with the axis table of the call, for leaves of the types that they have there */
static const program *fitted(const program *p, arena *scratch, const leaves *args, const traced *t)
{
	const type **in = arena_array(scratch, (size_t)p->nin + 1, sizeof *in);
	bool same = p->naxes == t->key.naxes;
	int n = 0;

	if (!in) return NULL;
	for (int i = 0; i < args->n; i++) {
		if (!t->key.types[i]) continue;
		same = same && t->key.types[i] == type_of(p, p->in[n]);
		in[n++] = t->key.types[i];
	}
	if (!same) return pass_vary(p, t->key.axes, t->key.naxes, in);
	program_retain(p);
	return p;
}

/* are the axes of the program the first ones in scope? The axes of a text must also have the same
 * names; a linear fn may have been made where they were called something else */
static bool bound_here(const fn *fn, const traced *t)
{
	const program *p = fn->given.program;
	const axis *axes = t->key.axes;

	if (p->naxes > t->key.naxes || !axes_same(p->axes, p->naxes, axes, p->naxes)) return false;
	for (int i = 0; !fn->given.form && i < p->naxes; i++)
		if (strcmp(p->axes[i].name, axes[i].name) != 0) return false;
	return true;
}

bool use_text(const tracing *g, traced *t)
{
	const fn *fn = g->fn;
	const program *p = fn->given.program;
	const program_form *form = fn->given.form;
	int *out = arena_array(t->arena, (size_t)p->nout + 1, sizeof *out),
	    *ones = arena_array(t->arena, (size_t)p->nout + 1, sizeof *ones);

	if (!out || !ones) return false;
	if (!bound_here(fn, t))
		return fail(
			&fn->ctx->base, g->where, TSR_ERROR_TEXT,
			form ? "%s: a linear fn that was made inside a map or a vmap can only "
			       "be called where the axes of that one are bound"
			     : "%s is a per-device program (it has axes): it can only be called "
			       "where they are bound",
			fn->name);
	if (!check_text_args(g, t)) return false;
	for (int i = 0; i < p->nout; i++) out[i] = i, ones[i] = 1;
	t->program = fitted(p, t->arena, g->args, t);
	if (!t->program) return false;
	t->out = form ? form->out : out;
	t->nout = form ? form->nout : p->nout;
	t->shape = form ? form->results : (result_shape){p->nout, ones};
	t->cacheable = true;
	return true;
}
