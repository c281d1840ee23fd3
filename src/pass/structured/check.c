/* check.c - parts of the type rules of control flow. */
#include "pass/structured/structured.h"

static void put_inner_type(build *b, str *s, const type *t)
{
	int naxes;
	const axis *axes = build_axes(b, &naxes);

	type_print(s, t, axes, naxes);
}

bool check_type(build *b, const eqn *e, const char *what, const type *t, const type *want)
{
	if (type_agrees(t, want)) return true;
	str is = {.base = build_base(b)}, to_be = {.base = build_base(b)};
	put_inner_type(b, &is, t);
	put_inner_type(b, &to_be, want);
	fail(build_base(b), e->where, TSR_ERROR_TYPE, "%s: %s is of type %s, and must be %s",
	     e->prim->name, what, is.s ? is.s : "?", to_be.s ? to_be.s : "?");
	str_free(&is);
	str_free(&to_be);
	return false;
}

bool check_inputs(build *b, const eqn *e, const char *name, const program *p, int at,
                  const type *const *in, int n)
{
	for (int i = 0; i < n; i++) {
		const type *t = type_of(p, p->in[at + i]);
		if (type_agrees(t, in[i])) continue;
		str what = {.base = build_base(b)};
		str_printf(&what, "input %d of its %s", at + i, name);
		check_type(b, e, what.s ? what.s : "an input", t, in[i]);
		str_free(&what);
		return false;
	}
	return true;
}

bool check_count(build *b, const eqn *e, const char *name, const char *what, int has, int64_t want)
{
	return has == want || fail(build_base(b), e->where, TSR_ERROR_TYPE,
	                           "%s: its %s has %d %ss, and must have %lld", e->prim->name, name,
	                           has, what, (long long)want);
}
