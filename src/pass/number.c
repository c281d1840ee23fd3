/* number.c - numbers for the equations that exchange values between devices or have effects.
 *
 *     axes (x of (x:2)) f(%0: f32[4]{x}) -> f32[4] {
 *       %1: f32[4] = psum %0 axes=(x) to=invarying                        1
 *       %2: f32[4] = scan %1 length=8 ... body=(...) {
 *         %1: f32[4]{x} = sin %0
 *         %2: f32[4] = psum %1 axes=(x) to=invarying                      2
 *         ...
 *       }
 *       %3: f32[4] = pmax %2 axes=(x) to=invarying                        3
 *
 * All processes make the same program of what was traced, and this is the last pass that every
 * engine sees. So the numbers are the same everywhere, whatever engines reorder later: a message to
 * another process about how far a run has come, or how far it is to go, gives the number. A program
 * that is in several places has the numbers of the first one in all of them. */
#include "pass/pass.h"

static program *number(void *last, const program *p);

static bool number_equation(void *last, value_map *v, const eqn *e)
{
	eqn own = *e;

	if (eqn_exchanges(e) || own_effects(e)) own.number = ++*(int32_t *)last;
	if (eqn_program(e) && !(own.params = build_params(v->to, e, NULL, number, last)))
		return false;
	return copy_equation(v, &own);
}

/* for build_params */
static program *number(void *last, const program *p)
{
	memo m;

	if (!p->exchanges && !p->effects) return retained(p);
	if (memo_begin(&m, "number", p, NULL, 0, NULL, 0))
		m.to[0] = copy_with(p, number_equation, last);
	return memo_end(&m);
}

program *pass_number(const program *p)
{
	int32_t last = 0;

	return number(&last, p);
}
