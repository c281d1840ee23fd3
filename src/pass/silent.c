/* silent.c - a program without its effects, for where it is computed once more.
 *
 *     pass silent
 *     f(%0: f32[]) -> f32[] {
 *       %1: f32[] = sin %0
 *       debug_print %1 format="sin = {}" axes=()
 *       return %1
 *     }
 *     gives
 *     f(%0: f32[]) -> f32[] {
 *       %1: f32[] = sin %0
 *       return %1
 *     }
 *
 * That is in the second half of a loop that was split (structured/while_rules.c): the first half
 * has the effects already. What they give, such as the next number of a generator, would be another
 * one the second time. */
#include "pass/pass.h"

static program *silent(void *user, const program *p);

static bool silence(void *user, value_map *v, const eqn *e)
{
	eqn own = *e;

	if (own_effects(e) && e->nout)
		return fail(build_base(v->to), e->where, TSR_ERROR_UNSUPPORTED,
		            "the derivative of a while loop computes each step twice, and %s with "
		            "results in it cannot be called twice: move it out of the loop, or use "
		            "tsr_scan",
		            e->prim->name);
	if (own_effects(e)) return true;
	if (eqn_has_effects(e) && !(own.params = build_params(v->to, e, NULL, silent, user)))
		return false;
	return copy_equation(v, &own);
}

/* for build_params */
static program *silent(void *user, const program *p)
{
	memo m;

	if (!p->effects) return retained(p);
	if (memo_begin(&m, "silent", p, NULL, 0, NULL, 0)) m.to[0] = copy_with(p, silence, user);
	return memo_end(&m);
}

program *pass_silent(const program *p) { return silent(NULL, p); }
