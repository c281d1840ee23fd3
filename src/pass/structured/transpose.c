/* transpose.c - the transpose of a row that holds programs: these are transposed, and the edges say
 * how cotangents go.
 *
 * What is known stays what it is. The cotangent of a result enters as what the result leaves as,
 * and that of an operand leaves as what the operand enters as: the same, a slice, a block, or
 * carried, now from the last step to the first. What is the same in all steps of a loop has a
 * cotangent in each; they add up in the carry. Here the matrix %0 is known, the carry and the
 * constant %1 are not:
 *
 *     pass transpose 011
 *     f(%0: f32[2,2], %1: f32[2], %2: f32[2]) -> f32[2] {
 *       %3: f32[2] = scan %0 %1 %2 length=9 consts=2 carry=1 unroll=1 body=(%0: f32[2,2],
 *             %1: f32[2], %2: f32[2]) -> f32[2] {
 *         %3: f32[2] =
 *               dot_general %0 %2 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] dtype=f32
 *         %4: f32[2] = add %3 %1
 *         return %4
 *       }
 *       return %3
 *     }
 *     gives
 *     f(%0: f32[2,2], %1: f32[2]) -> f32[2], f32[2] {
 *       %2: f32[2] = broadcast_in_dim 0.0:f32 dims=[2] at=[]
 *       %3: f32[2], %4: f32[2] = scan %0 %2 %1 length=9 consts=1 carry=2 unroll=1 reverse=true
 *             body=(%0: f32[2,2], %1: f32[2], %2: f32[2]) -> f32[2], f32[2] {
 *         %3: f32[2] = add %1 %2
 *         %4: f32[2] =
 *               dot_general %0 %2 contract_a=[0] contract_b=[0] batch_a=[] batch_b=[] dtype=f32
 *         return %3 %4
 *       }
 *       return %3 %4
 *     }
 *
 * All branches of a choice give the cotangents that any of them gives, here zero:
 *
 *     pass transpose 011
 *     f(%0: bool[], %1: f32[], %2: f32[]) -> f32[] {
 *       %3: f32[] = cond %0 %1 %2 branches=[(%0: f32[], %1: f32[]) -> f32[] {
 *         return %0
 *       }, (%0: f32[], %1: f32[]) -> f32[] {
 *         return %1
 *       }]
 *       return %3
 *     }
 *     gives
 *     f(%0: bool[], %1: f32[]) -> f32[], f32[] {
 *       %2: f32[], %3: f32[] = cond %0 %1 branches=[(%0: f32[]) -> f32[], f32[] {
 *         return %0 0.0:f32
 *       }, (%0: f32[]) -> f32[], f32[] {
 *         return 0.0:f32 %0
 *       }]
 *       return %2 %3
 *     } */
#include "pass/structured/structured.h"

typedef struct backward {
	build *b;
	const eqn *e;
	transposer *of;
	/* operands that it is linear in; results that have cotangents; operands that have */
	bool *linear, *given, *arrives;
	bool **some;    /* by program and input: does a cotangent arrive there? */
	program **made; /* references */
} backward;

/* ---- which operands it is linear in */

/* for flow_settle: the results of p that depend on inputs that are linear */
static bool depends(void *b, int which, const program *p, const bool *in, const bool *must,
                    bool *out)
{
	bool *is = flags(b, p->nvars);

	(void)which;
	if (!is) return false;
	for (int i = 0; i < p->nin; i++) is[p->in[i].id] = in[i];
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		bool some = false;
		for (int k = 0; k < e->nin; k++) some = some || is[e->in[k].id];
		for (int k = 0; k < e->nout; k++) is[e->out[k].id] = some;
	}
	for (int k = 0; k < p->nout; k++) out[k] = must[k] || is[p->out[k].id];
	return true;
}

/* A part of the carry is linear if it starts linear, or becomes so. In the second case its known
 * initial value, mostly zeros, simply gets no cotangent */
static bool find_linear(const backward *w, const var *x)
{
	const eqn *e = w->e;
	bool *out = flags(w->b, e->nout);

	for (int i = 0; i < e->nin; i++) w->linear[i] = is_zero(x[i]);
	if (!out || !flow_settle(w->b, &(flow){e, w->linear, out, depends, w->b})) return false;
	for (int r = 0; r < e->nout; r++) {
		const int back = edge_back(e, r);
		if (back < 0 || w->linear[back]) continue;
		not_linear(w->b, e, "a part of its carry does not depend on what it is linear in");
		return false;
	}
	return true;
}

/* ---- its programs */

/* arrives NULL: the cotangents of all inputs that it is linear in */
static program *transposed(const backward *w, int which, const program *p, bool *arrives)
{
	bool *linear = flags(w->b, p->nin), *given = flags(w->b, p->nout);

	for (int i = 0; linear && i < p->nin; i++)
		linear[i] = w->linear[edge_operand(w->e, which, i)];
	for (int k = 0; given && k < p->nout; k++)
		given[k] = w->given[edge_result(w->e, which, k)];
	return linear && given ? w->of(w->e, p, linear, given, arrives) : NULL;
}

static bool transpose_one(const backward *w, int which, const program *p)
{
	bool *some = w->some[which] = flags(w->b, p->nin);

	program_release(w->made[which]);
	w->made[which] = some ? transposed(w, which, p, some) : NULL;
	for (int i = 0; w->made[which] && i < p->nin; i++)
		if (some[i]) w->arrives[edge_operand(w->e, which, i)] = true;
	return w->made[which];
}

/* with the cotangents of all operands that have one, and no others: zeros where none arrives in
 * this program */
static bool complete(const backward *w, int which, const program *p)
{
	int *in = NULL, *out = numbers(w->b, p->nin), n = 0, at = 0;
	bool same = true;

	for (int i = 0; out && i < p->nin; i++) {
		const int operand = edge_operand(w->e, which, i);
		same = same && w->arrives[operand] == w->some[which][i];
		if (w->arrives[operand]) out[n++] = at;
		at += w->linear[operand];
	}
	if (!out || same) return out;
	program *all = transposed(w, which, p, NULL);
	if (all && (in = numbers(w->b, all->nin)))
		for (int i = 0; i < all->nin; i++) in[i] = i;
	program_release(w->made[which]);
	w->made[which] = in ? arranged(all, in, all->nin, out, n) : NULL;
	if (!in) program_release(all);
	return w->made[which];
}

/* does that for each program that gives results */
static bool each_program(const backward *w, bool (*make)(const backward *, int, const program *))
{
	int which = 0;

	for (inner k = {0}; inner_next(w->e->prim, w->e->params, &k); which++)
		if (edge_gives(w->e, which) && !make(w, which, k.program)) return false;
	return true;
}

static void release(const backward *w)
{
	for (int k = 0; k < programs_in(w->e); k++) program_release(w->made[k]);
	build_fail(w->b);
}

/* the programs for the least part of the carry that has cotangents. false: the build has failed,
 * and nothing is left to release */
static bool transpose_all(const backward *w, const var *ct)
{
	bool ok = true;

	for (int r = 0; r < w->e->nout; r++) w->given[r] = !is_zero(ct[r]);
	do ok = each_program(w, transpose_one);
	while (ok && carry_alike(w->e, w->given, w->arrives));
	ok = ok && each_program(w, complete);
	if (!ok) release(w);
	return ok;
}

static bool begin(backward *w, const var *x, const var *ct)
{
	const eqn *e = w->e;

	w->linear = flags(w->b, e->nin);
	w->given = flags(w->b, e->nout);
	w->arrives = flags(w->b, e->nin);
	w->made = room_inside(w->b, e, sizeof *w->made);
	w->some = room_inside(w->b, e, sizeof *w->some);
	return w->linear && w->given && w->arrives && w->made && w->some && find_linear(w, x) &&
	       transpose_all(w, ct);
}

/* ---- the equation */

/* p, a reference that it takes, with inputs for these values behind the first `known` ones: to the
 * i-th of its results the value sum[i] is added, if there is one */
static program *with_sums(program *p, int known, const type *const *sum)
{
	build *b = p ? build_begin(p->ir, p->name, p->axes, p->naxes) : NULL;
	const int nin = p ? p->nin : 0, nout = p ? p->nout : 0;
	var *x = b ? var_room(b, nin) : NULL, *y = b ? var_room(b, nout) : NULL;
	var *so_far = b ? var_room(b, nout) : NULL;
	bool ok = x && y && so_far;

	for (int i = 0; ok && i <= nin; i++) {
		for (int k = 0; ok && i == known && k < nout; k++)
			ok = !sum[k] || (so_far[k] = build_input(b, sum[k])).id;
		if (ok && i < nin) ok = (x[i] = build_input(b, type_of(p, p->in[i]))).id;
	}
	ok = ok && build_inline(b, p, x, y, NULL);
	for (int k = 0; ok && k < nout; k++)
		if (sum[k]) y[k] = accumulate(b, so_far[k], y[k]);
	program_release(p);
	return remade(b, ok, y, nout);
}

/* lists what goes in: known operands, sums, cotangents. known: how many the programs have. Returns
 * how many sums there are; sum: their types, by result */
static int list_operands(const backward *w, rebuilt *to, const type *const *in, const var *x,
                         const var *ct, int *known, const type **sum)
{
	const eqn *e = w->e;
	int nsums = 0, n = 0;

	for (int i = 0; i < e->nin; i++) {
		const role as = operand_role(e, i);
		if (w->linear[i]) continue;
		rebuild_takes(to, as, x[i]);
		*known += as.of->kind != EDGE_WHICH;
	}
	for (int i = 0; i < e->nin; i++) {
		const role as = operand_role(e, i);
		if (!w->arrives[i]) continue;
		if (!gives_as(e, as.of->kind, NULL).of) {
			rebuild_takes(to, takes_as(e, EDGE_CARRY, NULL), emit_zeros(w->b, in[i]));
			sum[n] = in[i];
			nsums++;
		}
		n++;
	}
	for (int r = 0; r < e->nout; r++) {
		const role as = result_role(e, r);
		const int back = edge_back(e, r);
		if (w->given[r])
			rebuild_takes(to, takes_as(e, as.of->kind, as.block),
			              back < 0 ? ct[r] : emit_instance(w->b, ct[r], in[back]));
	}
	return nsums;
}

static void list_results(const backward *w, rebuilt *to, var *dx)
{
	for (int i = 0; i < w->e->nin; i++) {
		const role as = operand_role(w->e, i);
		const role same = gives_as(w->e, as.of->kind, as.block);
		if (w->arrives[i])
			rebuild_gives(to, same.of ? same : gives_as(w->e, EDGE_CARRY, NULL),
			              &dx[i]);
	}
}

void transpose_inside(build *b, const eqn *e, const type *const *in, const var *x, const var *ct,
                      var *dx, transposer *of, void (*put)(const rebuilt *, program **))
{
	backward w = {.b = b, .e = e, .of = of};
	const type **sum = arena_array(build_arena(b), (size_t)e->nin + 1, sizeof *sum);
	rebuilt to;
	int known = 0;

	if (!sum) build_fail(b);
	if (!sum || !rebuild_begin(&to, b, e, 2 * e->nin + e->nout, e->nin) || !begin(&w, x, ct))
		return;
	if (list_operands(&w, &to, in, x, ct, &known, sum))
		for (int k = 0; k < programs_in(e); k++)
			if (w.made[k]) w.made[k] = with_sums(w.made[k], known, sum);
	list_results(&w, &to, dx);
	put(&to, w.made);
}

program *transpose_linear(const eqn *e, const program *p, const bool *linear, const bool *given,
                          bool *arrives)
{
	(void)e;
	return pass_transpose(p, linear, given, arrives);
}

program *transpose_mixed(const eqn *e, const program *p, const bool *linear, const bool *given,
                         bool *arrives)
{
	(void)e;
	return pass_linear_transpose(p, linear, given, arrives);
}
