/* rules.c - rules that many rows share. */
#include "prim/prim.h"

void jvp_linear(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	var *operand = arena_array(build_arena(b), (size_t)e->nin + 1, sizeof *operand);

	(void)y;
	if (!operand) {
		build_fail(b);
		return;
	}
	for (int i = 0; i < e->nin; i++) {
		const type *t = build_type(b, x[i]);
		operand[i] = has_tangent(t->dtype) ? emit_instance(b, dx[i], t) : x[i];
	}
	emit_all(b, e->prim, e->params, operand, e->nin, dy);
}

void jvp_zero(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	(void)b, (void)e, (void)x, (void)dx, (void)y, (void)dy;
}
