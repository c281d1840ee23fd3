/* check.c - checks the types of programs inside an equation against its edges: they take and
 * give the values that it does. */
#include "pass/structured/structured.h"

/* the program as messages name it: "body", "branches[1]" */
static void put_name(str *s, const inner *k)
{
	str_put(s, k->field->name);
	if (k->field->kind == FIELD_PROGRAMS) str_printf(s, "[%d]", k->at);
}

static void put_inner_type(build *b, str *s, const type *t)
{
	int naxes;
	const axis *axes = build_axes(b, &naxes);

	type_print(s, t, axes, naxes);
}

static bool check_type(build *b, const eqn *e, const inner *k, const char *what, int i,
                       const type *t, const type *want)
{
	if (type_agrees(t, want)) return true;
	str name = {.base = build_base(b)}, is = name, to_be = name;
	put_name(&name, k);
	put_inner_type(b, &is, t);
	put_inner_type(b, &to_be, want);
	fail(build_base(b), e->where, TSR_ERROR_TYPE,
	     "%s: %s %d of its %s is of type %s, and must be %s", e->prim->name, what, i,
	     name.s ? name.s : "?", is.s ? is.s : "?", to_be.s ? to_be.s : "?");
	str_free(&name);
	str_free(&is);
	str_free(&to_be);
	return false;
}

static bool check_count(build *b, const eqn *e, const inner *k, const char *what, int has, int want)
{
	if (has == want) return true;
	str name = {.base = build_base(b)};
	put_name(&name, k);
	fail(build_base(b), e->where, TSR_ERROR_TYPE, "%s: its %s has %d %ss, and must have %d",
	     e->prim->name, name.s ? name.s : "?", has, what, want);
	str_free(&name);
	return false;
}

static int values_inside(const eqn *e, bool (*next)(const eqn *, bundle *), int which)
{
	int n = 0;

	for (bundle s = {0}; next(e, &s);)
		if (edge_inside(s.of, which)) n += s.n;
	return n;
}

static bool check_inputs(build *b, const eqn *e, int which, const inner *k, const type *const *in)
{
	const program *p = k->program;
	int i = 0;

	if (!check_count(b, e, k, "input", p->nin, values_inside(e, operands_next, which)))
		return false;
	for (bundle s = {0}; operands_next(e, &s);)
		for (int at = s.first; edge_inside(s.of, which) && at < s.first + s.n; at++, i++) {
			const bool slice = s.of->kind == EDGE_SLICE;
			const type *want = slice ? type_slice(build_ir(b), in[at]) : in[at];
			if (!want || !check_type(b, e, k, "input", i, type_of(p, p->in[i]), want))
				return false;
		}
	return true;
}

/* the type of a value that may have either of two types, which agree: weak if both are */
static const type *either(const type *a, const type *b) { return a->weak ? b : a; }

static bool check_results(build *b, const eqn *e, int which, const inner *k, const type *const *in,
                          const type **out)
{
	const program *p = k->program;
	const int n = edge_gives(e, which) ? values_inside(e, results_next, which) : 1;

	if (!check_count(b, e, k, "result", p->nout, n)) return false;
	for (int i = 0; edge_gives(e, which) && i < n; i++) {
		const int r = edge_result(e, which, i), back = edge_back(e, r);
		const type *t = type_of(p, p->out[i]), *want = back < 0 ? out[r] : in[back];
		if (want && !check_type(b, e, k, "result", i, t, want)) return false;
		out[r] = want ? either(t, want) : t;
	}
	return true;
}

bool check_rule(build *b, const eqn *e, const inner *k, const type *const *in, int nin,
                const type *const *out, int nout)
{
	const program *p = k->program;

	if (!check_count(b, e, k, "input", p->nin, nin) ||
	    !check_count(b, e, k, "result", p->nout, nout))
		return false;
	for (int i = 0; i < nin; i++)
		if (!check_type(b, e, k, "input", i, type_of(p, p->in[i]), in[i])) return false;
	for (int i = 0; i < nout; i++)
		if (!check_type(b, e, k, "result", i, type_of(p, p->out[i]), out[i])) return false;
	return true;
}

bool check_inside(build *b, const eqn *e, const type *const *in, const type **out)
{
	int which = 0;

	for (inner k = {0}; inner_next(e->prim, e->params, &k); which++) {
		if (k.field->kind == FIELD_RULE) continue;
		if (!check_inputs(b, e, which, &k, in) || !check_results(b, e, which, &k, in, out))
			return false;
	}
	return true;
}
