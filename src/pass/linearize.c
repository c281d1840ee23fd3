/* linearize.c - makes derivatives: it splits the jvp into a part that depends on the inputs alone
 * and one that is linear in their tangents. Reverse mode is the linear half backwards.
 *
 * Both inputs move. The known half gives the result and what the other one needs of the inputs,
 * its residuals; then comes the linear half, of the two tangents and these residuals:
 *
 *     pass linearize 11
 *     f(%0: f32[], %1: f32[]) -> f32[] {
 *       %2: f32[] = sin %0
 *       %3: f32[] = mul %2 %1
 *       return %3
 *     }
 *     gives
 *     f(%0: f32[], %1: f32[]) -> f32[], f32[], f32[], f32[] {
 *       %2: f32[] = sin %0
 *       %3: f32[] = mul %2 %1
 *       %4: f32[] = cos %0
 *       return %3 %4 %1 %2
 *     }
 *     f(%0: f32[], %1: f32[], %2: f32[], %3: f32[], %4: f32[]) -> f32[] {
 *       %5: f32[] = mul %0 %2
 *       %6: f32[] = mul %5 %3
 *       %7: f32[] = mul %4 %1
 *       %8: f32[] = add %6 %7
 *       return %8
 *     }
 *
 * The gradient is the known half, and behind it the transpose of the linear one on a cotangent
 * of 1:
 *
 *     pass grad 11
 *     f(%0: f32[], %1: f32[]) -> f32[] {
 *       %2: f32[] = sin %0
 *       %3: f32[] = mul %2 %1
 *       return %3
 *     }
 *     gives
 *     f(%0: f32[], %1: f32[]) -> f32[], f32[], f32[] {
 *       %2: f32[] = sin %0
 *       %3: f32[] = mul %2 %1
 *       %4: f32[] = mul 1.0:f32 %1
 *       %5: f32[] = cos %0
 *       %6: f32[] = mul %4 %5
 *       %7: f32[] = mul 1.0:f32 %2
 *       return %3 %6 %7
 *     }
 *
 * So a primitive needs a rule for its tangents and, if it is linear, one for its transpose, and
 * never one for reverse mode. */
#include "pass/pass.h"

/* the jvp without the tangents that nobody wants */
static program *wanted_jvp(const program *p, arena *a, const bool *moves_in, const bool *wanted,
                           const bool *must, bool *moves_out)
{
	program *whole = pass_jvp(p, moves_in, must, moves_out);
	bool *used = whole ? arena_array(a, (size_t)whole->nout + 1, sizeof *used) : NULL;
	int n = 0;

	for (; used && n < p->nout; n++) used[n] = true;
	for (int i = 0; used && i < p->nout; i++) {
		if (!moves_out[i]) continue;
		moves_out[i] = !wanted || wanted[i];
		used[n++] = moves_out[i];
	}
	program *pruned = used ? pass_prune(whole, used, NULL) : NULL;
	program_release(whole);
	return pruned;
}

bool pass_linearize(const program *p, arena *a, const bool *moves_in, const bool *wanted,
                    const bool *must, halves *out, bool *moves_out)
{
	program *jvp = wanted_jvp(p, a, moves_in, wanted, must, moves_out);
	bool *known = jvp ? arena_array(a, (size_t)jvp->nin + 1, sizeof *known) : NULL;
	bool *tangent = jvp ? arena_array(a, (size_t)jvp->nout + 1, sizeof *tangent) : NULL;

	*out = (halves){0};
	for (int i = 0; known && i < p->nin; i++) known[i] = true;
	for (int i = p->nout; tangent && i < jvp->nout; i++) tangent[i] = true;
	const bool ok = known && tangent && pass_split(jvp, a, known, tangent, out) &&
	                halves_trim(out, a, NULL);
	program_release(jvp);
	return ok;
}

program *pass_vjp(const halves *h, arena *a, int nmoving, const bool *given)
{
	const program *p = h->unknown;
	bool *linear = arena_array(a, (size_t)p->nin + 1, sizeof *linear);
	bool *all = arena_array(a, (size_t)p->nout + 1, sizeof *all);

	if (!linear || !all) return NULL;
	for (int i = 0; i < nmoving; i++) linear[i] = true;
	for (int i = 0; i < p->nout; i++) all[i] = true;
	return pass_transpose(p, linear, given ? given : all, NULL);
}

/* ---- value and gradients in one program */

bool follow_inputs(build *b, const program *p, const bool *moves_in, const var *x, var *out)
{
	for (int i = 0; i < p->nin; i++) {
		if (!moves_in[i]) continue;
		if (type_of(p, p->in[i])->ndim)
			*out = emit(b, &tsr__prim_placed_like, NULL, (var[]){*out, x[i]}, 2);
		out++;
	}
	return !build_failed(b);
}

/* x: the inputs of p */
static bool grad_body(build *b, const program *p, const halves *h, const program *back, int of,
                      const var *x, var *out)
{
	const int nresiduals = h->nresiduals;
	const size_t room = (size_t)p->nout + (size_t)nresiduals + 1;
	var *y = arena_array(build_arena(b), room, sizeof *y);

	if (!y || !build_inline(b, h->known, x, y, NULL)) return false;
	var *operand = y + p->nout; /* residuals, and the result's cotangent */
	for (int i = 0; i < p->nout; i++) out[i] = y[i];
	operand[nresiduals] = emit_full(b, type_of(p, p->out[of]), 1);
	return !build_failed(b) && build_inline(b, back, operand, out + p->nout, NULL);
}

/* a result that does not move: its gradients are zeros */
static bool zero_body(build *b, const program *p, const bool *moves_in, const var *x, var *out)
{
	int n = p->nout;

	if (!build_inline(b, p, x, out, NULL)) return false;
	for (int i = 0; i < p->nin; i++)
		if (moves_in[i]) out[n++] = emit_zeros(b, type_of(p, p->in[i]));
	return !build_failed(b);
}

static program *grad(const program *p, arena *a, const bool *moves_in, int of)
{
	const int *rank = ranks(a, moves_in, p->nin);
	if (!rank) return NULL;
	const int nmoving = rank[p->nin], n = p->nout + nmoving;
	bool *wanted = arena_array(a, 2 * (size_t)p->nout + 1, sizeof *wanted);
	var *out = arena_array(a, (size_t)n + 1, sizeof *out);
	halves h = {0};

	if (!wanted || !out) return NULL;
	bool *moves_out = wanted + p->nout;
	wanted[of] = true;
	if (!pass_linearize(p, a, moves_in, wanted, NULL, &h, moves_out)) return NULL;
	program *back = moves_out[of] ? pass_vjp(&h, a, nmoving, NULL) : NULL;
	build *b = build_begin(p->ir, p->name, p->axes, p->naxes);
	const var *x = b ? inputs_like(b, p, 0) : NULL;
	const bool ok = x &&
	                (!moves_out[of] ? zero_body(b, p, moves_in, x, out)
	                                : back && grad_body(b, p, &h, back, of, x, out)) &&
	                follow_inputs(b, p, moves_in, x, out + p->nout);
	program *made = remade(b, ok, out, n);
	program_release(back);
	halves_free(&h);
	return made;
}

program *pass_grad(const program *p, const bool *moves_in, int of)
{
	arena *a = arena_make(p->ir->base);
	program *made = a ? grad(p, a, moves_in, of) : NULL;

	arena_free(a);
	return made;
}
