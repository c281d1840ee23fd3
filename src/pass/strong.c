/* strong.c - a program without weak types.
 *
 * That a value is weak says what the next operation makes of it, and here all operations have been
 * chosen. From here on equal values have one type, and no engine sees a weak one.
 *
 *     pass strong
 *     f(%0: bf16[4], %1: bool[4]) -> bf16[4] {
 *       %2: f32*[4] = select_n %1 0.0:f32* 0.1:f32*
 *       %3: bf16[4] = convert_element_type %2 dtype=bf16
 *       %4: bf16[4] = mul %0 %3
 *       return %4
 *     }
 *     gives
 *     f(%0: bf16[4], %1: bool[4]) -> bf16[4] {
 *       %2: f32[4] = select_n %1 0.0:f32 0.1:f32
 *       %3: bf16[4] = convert_element_type %2 dtype=bf16
 *       %4: bf16[4] = mul %0 %3
 *       return %4
 *     } */
#include "pass/pass.h"

static bool literals(value_map *v)
{
	const program *p = v->from;

	for (int i = 1; i < p->nvars; i++) {
		const var_info *info = &p->vars[i];
		if (!info->literal) continue;
		v->of[i] = build_literal_as(v->to, info->type->strong, info->literal);
		if (!v->of[i].id) return false;
	}
	return true;
}

static program *strong(void *user, const program *);

static bool strong_eqn(value_map *v, const eqn *e)
{
	const var *in = values_list(v, e->in, e->nin);
	var *out = var_room(v->to, e->nout);
	eqn own = *e;
	dtype_params to;

	if (e->prim == &tsr__prim_convert_element_type) {
		to = (dtype_params){.dtype = ((const dtype_params *)e->params)->dtype};
		own.params = &to;
	}
	if (eqn_program(e) && !(own.params = build_params(v->to, e, NULL, strong, NULL)))
		return false;
	return in && out && build_copy(v->to, &own, v->from->naxes, in, out, NULL) &&
	       values_set(v, e, out);
}

static bool strong_equations(value_map *v)
{
	const program *p = v->from;

	for (int i = 0; i < p->nin; i++) {
		var *x = &v->of[p->in[i].id];
		if (!(*x = build_input(v->to, type_of(p, p->in[i])->strong)).id) return false;
	}
	for (int i = 0; i < p->neqns; i++)
		if (!strong_eqn(v, &p->eqns[i])) return false;
	return true;
}

static program *strong_program(const program *p)
{
	build *b = build_begin(p->ir, p->name, p->axes, p->naxes);
	value_map v = {p, b, NULL};

	return copy_end(&v, b && values_init(&v, p, b) && literals(&v) && strong_equations(&v));
}

/* for build_params */
static program *strong(void *user, const program *p)
{
	memo m;

	(void)user;
	if (!p->weak) return retained(p);
	if (memo_begin(&m, "strong", p, NULL, 0, NULL, 0)) m.to[0] = strong_program(p);
	return memo_end(&m);
}

program *pass_strong(const program *p) { return strong(NULL, p); }
