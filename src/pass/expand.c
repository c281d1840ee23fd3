/* expand.c - replaces each equation of a row with a formula (its column `expand`) by the equations
 * of that formula, on the same arrays. What is left are the rows that an engine has to know.
 *
 *     pass expand
 *     f(%0: c64[4]) -> c64[4] {
 *       %1: c64[4] = square %0
 *       return %1
 *     }
 *     gives
 *     f(%0: c64[4]) -> c64[4] {
 *       %1: f32[4] = real %0
 *       %2: f32[4] = imag %0
 *       %3: f32[4] = sub %1 %2
 *       %4: f32[4] = add %1 %2
 *       %5: f32[4] = mul %3 %4
 *       %6: f32[4] = mul %1 %2
 *       %7: f32[4] = mul 2.0:f32 %6
 *       %8: c64[4] = complex %5 %7
 *       return %8
 *     } */
#include "pass/pass.h"

static bool is_expanded(const eqn *e) { return eqn_expansion(e); }

/* a number that stands for all elements as an array of them: the formula may take it alone */
static var as_array(build *b, var x, const type *whole)
{
	const var y = build_type(b, x)->ndim == whole->ndim
	                      ? x
	                      : emit_broadcast(b, x, whole->dims, whole->ndim, NULL);

	return emit_vary(b, y, whole->varying);
}

static bool write_expansion(value_map *v, const eqn *e)
{
	const type *whole = type_of(v->from, e->out[0]);
	const var *in = values_list(v, e->in, e->nin);
	var x[MOST_EXPANDED], y;

	if (!in) return false;
	for (int i = 0; i < e->nin; i++) x[i] = as_array(v->to, in[i], whole);
	return !build_failed(v->to) && build_inline(v->to, eqn_expansion(e), x, &y, NULL) &&
	       values_set(v, e, &y);
}

program *pass_expand(const program *p)
{
	return rewritten(&(rewriting){"expand", is_expanded, write_expansion}, p);
}
