/* prune.c - a row that holds programs gives up results that nobody uses, and then operands. What is
 * carried stays where any program inside needs it.
 *
 * The second result is not used, but the condition looks at what is carried for it. The constant %1
 * goes:
 *
 *     pass prune 10
 *     f(%0: f32[], %1: f32[], %2: f32[], %3: i32[], %4: f32[]) -> f32[], i32[] {
 *       %5: f32[], %6: i32[], %7: f32[] = while %0 %1 %2 %3 %4 cond_consts=0 body_consts=2
 *             cond=(%0: f32[], %1: i32[], %2: f32[]) -> bool[] {
 *         %3: bool[] = lt %1 3:i32
 *         return %3
 *       } body=(%0: f32[], %1: f32[], %2: f32[], %3: i32[], %4: f32[]) -> f32[], i32[], f32[] {
 *         %5: f32[] = mul %2 %0
 *         %6: i32[] = add %3 1:i32
 *         %7: f32[] = mul %4 %1
 *         return %5 %6 %7
 *       }
 *       return %5 %6
 *     }
 *     gives
 *     f(%0: f32[], %1: f32[], %2: i32[]) -> f32[] {
 *       %3: f32[], %4: i32[] = while %0 %1 %2 cond_consts=0 body_consts=1 cond=(%0: f32[],
 *             %1: i32[]) -> bool[] {
 *         %2: bool[] = lt %1 3:i32
 *         return %2
 *       } body=(%0: f32[], %1: f32[], %2: i32[]) -> f32[], i32[] {
 *         %3: f32[] = mul %1 %0
 *         %4: i32[] = add %2 1:i32
 *         return %3 %4
 *       }
 *       return %3
 *     } */
#include "pass/structured/structured.h"

/* program number `which` with those of its results that are used. used: its inputs that this needs;
 * NULL: it keeps them all */
static program *with_used_results(build *b, const eqn *e, int which, const program *p,
                                  const bool *used_out, bool *used)
{
	bool *wanted = flags(b, p->nout);

	for (int k = 0; wanted && k < p->nout; k++) {
		const int r = edge_result(e, which, k);
		wanted[k] = r < 0 || used_out[r];
	}
	return wanted ? pass_prune(p, wanted, used) : NULL;
}

static bool mark_operands(build *b, const eqn *e, int which, const program *p, const bool *used_out,
                          bool *used_in)
{
	bool *used = flags(b, p->nin);
	program *less = used ? with_used_results(b, e, which, p, used_out, used) : NULL;

	for (int i = 0; less && i < p->nin; i++)
		if (used[i]) used_in[edge_operand(e, which, i)] = true;
	program_release(less);
	return less;
}

static bool mark(build *b, const eqn *e, bool *used_out, bool *used_in)
{
	bool again = true;

	for (bundle in = {0}; operands_next(e, &in);)
		if (in.of->kind == EDGE_WHICH) used_in[in.first] = true;
	while (again) {
		int which = 0;
		for (inner k = {0}; inner_next(e->prim, e->params, &k); which++)
			if (!mark_operands(b, e, which, k.program, used_out, used_in)) return false;
		again = carry_alike(e, used_out, used_in);
	}
	return true;
}

/* the program with inputs for the operands that are used, and the results that are */
static program *what_is_used(build *b, const eqn *e, int which, const program *p,
                             const bool *used_out, const bool *used_in)
{
	program *less = with_used_results(b, e, which, p, used_out, NULL);
	int *in = numbers(b, p->nin), *out = numbers(b, p->nout), n = 0;

	for (int i = 0; in && i < p->nin; i++)
		if (used_in[edge_operand(e, which, i)]) in[n++] = i;
	for (int k = 0; out && less && k < less->nout; k++) out[k] = k;
	if (in && out && less) return arranged(less, in, n, out, less->nout);
	program_release(less);
	return NULL;
}

static int *numbers_of(build *b, const bool *some, int n, int *count)
{
	int *list = numbers(b, n);

	*count = 0;
	for (int i = 0; list && i < n; i++)
		if (some[i]) list[(*count)++] = i;
	return list;
}

const void *prune_inside(build *b, const eqn *e, bool *used_out, bool *used_in)
{
	program **inside = room_inside(b, e, sizeof(program *));
	int which = 0, nin, nout;

	if (!inside || !mark(b, e, used_out, used_in)) return NULL;
	const int *in = numbers_of(b, used_in, e->nin, &nin);
	const int *out = numbers_of(b, used_out, e->nout, &nout);
	if (!in || !out) return NULL;
	for (inner k = {0}; inner_next(e->prim, e->params, &k); which++)
		inside[which] = what_is_used(b, e, which, k.program, used_out, used_in);
	return similar_params(b, e, operands_like(b, e, in, nin), nin,
	                      results_like(b, e, out, nout), nout, inside);
}
