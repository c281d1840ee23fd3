/* custom_rules.c - the user's rules in the place of derivatives, and rules for a whole batch.
 *
 * The rule of a custom_jvp is used where its tangents are wanted:
 *
 *     pass jvp 1
 *     f(%0: f32[]) -> f32[] {
 *       %1: f32[] = custom_jvp %0 wrt=[0] program=(%0: f32[]) -> f32[] {
 *         %1: f32[] = exp %0
 *         return %1
 *       } rule=(%0: f32[], %1: f32[]) -> f32[], f32[] {
 *         %2: f32[] = exp %0
 *         %3: f32[] = mul %1 %2
 *         return %2 %3
 *       }
 *       return %1
 *     }
 *     gives
 *     f(%0: f32[], %1: f32[]) -> f32[], f32[] {
 *       %2: f32[] = exp %0
 *       %3: f32[] = mul %1 %2
 *       return %2 %3
 *     }
 *
 * Of a custom_vjp the forward rule does, and its tangents are those of a custom_lin, which holds
 * the backward rule until it is transposed:
 *
 *     pass jvp 1
 *     f(%0: f32[]) -> f32[] {
 *       %1: f32[] = custom_vjp %0 wrt=[0] program=(%0: f32[]) -> f32[] {
 *         %1: f32[] = sin %0
 *         return %1
 *       } forward=(%0: f32[]) -> f32[], f32[] {
 *         %1: f32[] = sin %0
 *         %2: f32[] = cos %0
 *         return %1 %2
 *       } backward=(%0: f32[], %1: f32[]) -> f32[] {
 *         %2: f32[] = mul %1 %0
 *         return %2
 *       }
 *       return %1
 *     }
 *     gives
 *     f(%0: f32[], %1: f32[]) -> f32[], f32[] {
 *       %2: f32[] = sin %0
 *       %3: f32[] = cos %0
 *       %4: f32[] = custom_lin %3 %1 backward=(%0: f32[], %1: f32[]) -> f32[] {
 *         %2: f32[] = mul %1 %0
 *         return %2
 *       }
 *       return %2 %4
 *     } */
#include "pass/structured/structured.h"

/* the tangents of the operands in wrt, zeros for absent ones. false: the build has failed */
static bool tangents_wrt(build *b, const eqn *e, const ints *wrt, const var *x, const var *dx,
                         var *to)
{
	for (int i = 0; i < e->nin; i++) {
		if (is_zero(dx[i]) || has_int(wrt, i)) continue;
		fail(build_base(b), e->where, TSR_ERROR_UNSUPPORTED,
		     "%s is differentiated with respect to a value that its rule says nothing of: "
		     "one that the body takes from outside, or an argument in .nondiff. Make it an "
		     "argument that the rule differentiates, or put tsr_stop_gradient around it. "
		     "(Rules that call their own fn are good for three derivatives)",
		     e->prim->name);
		build_fail(b);
		return false;
	}
	for (int i = 0; i < wrt->n; i++)
		to[i] = emit_instance(b, dx[wrt->v[i]], build_type(b, x[wrt->v[i]]));
	return !build_failed(b);
}

static void give_tangents(build *b, int nout, const var *y, const var *made, var *dy)
{
	int n = 0;

	for (int k = 0; k < nout; k++)
		dy[k] = has_tangent(build_type(b, y[k])->dtype) ? made[n++] : (var){0};
}

void custom_jvp_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	const custom_jvp_params *p = e->params;
	var *in = var_room(b, p->rule->nin), *out = var_room(b, p->rule->nout);

	if (!in || !out || !tangents_wrt(b, e, &p->wrt, x, dx, in + e->nin)) return;
	for (int i = 0; i < e->nin; i++) in[i] = x[i];
	if (!build_inline(b, p->rule, in, out, NULL)) {
		build_fail(b);
		return;
	}
	for (int k = 0; k < e->nout; k++) y[k] = out[k];
	give_tangents(b, e->nout, y, out + e->nout, dy);
}

void custom_vjp_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	const custom_vjp_params *p = e->params;
	const int nres = p->forward->nout - e->nout;
	var *out = var_room(b, p->forward->nout + p->wrt.n), *made = var_room(b, e->nout);

	if (!out || !made || !tangents_wrt(b, e, &p->wrt, x, dx, out + p->forward->nout)) return;
	if (!build_inline(b, p->forward, x, out, NULL)) {
		build_fail(b);
		return;
	}
	for (int k = 0; k < e->nout; k++) y[k] = out[k];
	const custom_lin_params lin = {build_keep(b, retained(p->backward))};
	if (lin.backward)
		emit_all(b, &tsr__prim_custom_lin, &lin, out + e->nout, nres + p->wrt.n, made);
	give_tangents(b, e->nout, y, made, dy);
}

void custom_lin_transpose(build *b, const eqn *e, const type *const *in, const var *x,
                          const var *ct, var *dx)
{
	const program *p = ((const custom_lin_params *)e->params)->backward;
	const int nres = e->nin - p->nout;
	var *operand = var_room(b, p->nin);

	(void)in;
	for (int i = 0; i < nres; i++)
		if (is_zero(x[i])) dx[i] = not_linear(b, e, "it is not linear in its residuals");
	if (!operand || build_failed(b)) return;
	for (int i = 0; i < nres; i++) operand[i] = x[i];
	for (int k = 0; k < e->nout; k++)
		operand[nres + k] = emit_instance(b, ct[k], type_of(p, p->in[nres + k]));
	if (build_failed(b) || !build_inline(b, p, operand, dx + nres, NULL)) build_fail(b);
}

/* ---- batches */

/* All results of a batch are mapped, as are their tangents and cotangents, whatever they depend on:
 * a rule may say more than the program does */

/* the program for a batch, whose first nmust results are mapped; out: which are. NULL: the build
 * has failed */
static program *batch_of(build *b, const program *p, const batching *to, const bool *in, int nmust,
                         bool *out)
{
	bool *must = flags(b, p->nout);

	for (int k = 0; must && k < nmust; k++) must[k] = true;
	program *made = must ? pass_batch(p, to, in, must, out) : NULL;
	if (!made) build_fail(b);
	return made;
}

void custom_jvp_batch(build *b, const eqn *e, const batching *to, const var *x, const bool *mapped,
                      var *y, bool *ymapped)
{
	const custom_jvp_params *p = e->params;
	const int nout = p->rule->nout;
	bool *in = flags(b, p->rule->nin), *out = flags(b, nout);

	if (!in || !out) return;
	for (int i = 0; i < e->nin; i++) in[i] = mapped[i];
	for (int i = 0; i < p->wrt.n; i++) in[e->nin + i] = mapped[p->wrt.v[i]];
	const custom_jvp_params own = {
		p->wrt, build_keep(b, batch_of(b, p->program, to, mapped, e->nout, out)),
		build_keep(b, batch_of(b, p->rule, to, in, nout, out))};
	if (own.program && own.rule) emit_all(b, e->prim, &own, x, e->nin, y);
	for (int k = 0; k < e->nout; k++) ymapped[k] = true;
}

/* Cotangents of operands that are one for the whole batch are summed over it. p: takes the
 * reference; in: which results belong to mapped operands, out: which are mapped */
static program *sum_batch(build *at, program *p, const batching *to, const bool *in,
                          const bool *out)
{
	var *y = NULL;
	build *b = p ? remake(p, &y) : NULL;
	int64_t axes[MAX_AXES];
	const preduce_params sum = {{axes_listed(to->varying, axes), {0, NULL}}, COLL_TO_INVARYING};
	const int n = p ? p->nout : 0;

	for (int i = 0; b && i < n; i++) {
		if (in[i] || !out[i]) continue;
		y[i] = emit_sum(b, y[i], (const int64_t[]){0}, 1);
		if (sum.on.axes.n) y[i] = emit(b, &tsr__prim_psum, &sum, &y[i], 1);
	}
	program_release(p);
	program *made = remade(b, true, y, n);
	if (!made) build_fail(at);
	return made;
}

/* the backward rule; in: which of its inputs are mapped; operand: which of its results belong to
 * operands that are */
static program *batch_backward(build *b, const program *p, const batching *to, const bool *in,
                               const bool *operand)
{
	bool *out = flags(b, p->nout);
	program *made = out ? pass_batch(p, to, in, operand, out) : NULL;

	if (!made) build_fail(b);
	return made ? sum_batch(b, made, to, operand, out) : NULL;
}

void custom_vjp_batch(build *b, const eqn *e, const batching *to, const var *x, const bool *mapped,
                      var *y, bool *ymapped)
{
	const custom_vjp_params *p = e->params;
	const int nres = p->forward->nout - e->nout;
	bool *in = flags(b, p->backward->nin), *operand = flags(b, p->wrt.n);
	bool *out = flags(b, p->forward->nout);

	if (!in || !operand || !out) return;
	program *made = batch_of(b, p->program, to, mapped, e->nout, out);
	program *forward = batch_of(b, p->forward, to, mapped, e->nout, out);
	for (int i = 0; i < p->backward->nin; i++) in[i] = i >= nres || out[e->nout + i];
	for (int i = 0; i < p->wrt.n; i++) operand[i] = mapped[p->wrt.v[i]];
	const custom_vjp_params own = {
		p->wrt, build_keep(b, made), build_keep(b, forward),
		build_keep(b, batch_backward(b, p->backward, to, in, operand))};
	if (own.program && own.forward && own.backward) emit_all(b, e->prim, &own, x, e->nin, y);
	for (int k = 0; k < e->nout; k++) ymapped[k] = true;
}

/* Tangents that are one for the whole batch stay so: their cotangents are summed */
void custom_lin_batch(build *b, const eqn *e, const batching *to, const var *x, const bool *mapped,
                      var *y, bool *ymapped)
{
	const program *p = ((const custom_lin_params *)e->params)->backward;
	const int nres = e->nin - p->nout;
	bool *in = flags(b, p->nin);

	if (!in) return;
	for (int i = 0; i < p->nin; i++) in[i] = i >= nres || mapped[i];
	const custom_lin_params own = {build_keep(b, batch_backward(b, p, to, in, mapped + nres))};
	if (own.backward) emit_all(b, e->prim, &own, x, e->nin, y);
	for (int k = 0; k < e->nout; k++) ymapped[k] = true;
}
