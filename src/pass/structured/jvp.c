/* jvp.c - the tangents of a row that holds programs: it takes and gives the tangents of what moves
 * behind the values of their bundle, and so do the programs inside.
 *
 * The first part of the carry moves. After one step the second one moves too, so its tangent starts
 * at zero:
 *
 *     pass jvp 10
 *     f(%0: f32[], %1: f32[]) -> f32[], f32[] {
 *       %2: f32[], %3: f32[] = scan %0 %1 length=3 consts=0 carry=2 unroll=1 body=(%0: f32[],
 *             %1: f32[]) -> f32[], f32[] {
 *         %2: f32[] = sin %0
 *         return %2 %0
 *       }
 *       return %2 %3
 *     }
 *     gives
 *     f(%0: f32[], %1: f32[], %2: f32[]) -> f32[], f32[], f32[], f32[] {
 *       %3: f32[], %4: f32[], %5: f32[], %6: f32[] =
 *             scan %0 %1 %2 0.0:f32 length=3 consts=0 carry=4 unroll=1 body=(%0: f32[],
 *                   %1: f32[], %2: f32[], %3: f32[]) -> f32[], f32[], f32[], f32[] {
 *         %4: f32[] = sin %0
 *         %5: f32[] = cos %0
 *         %6: f32[] = mul %2 %5
 *         return %4 %0 %6 %2
 *       }
 *       return %3 %4 %5 %6
 *     }
 *
 * Only one branch has a tangent; the other one gives zero:
 *
 *     pass jvp 010
 *     f(%0: bool[], %1: f32[], %2: f32[]) -> f32[] {
 *       %3: f32[] = cond %0 %1 %2 branches=[(%0: f32[], %1: f32[]) -> f32[] {
 *         return %1
 *       }, (%0: f32[], %1: f32[]) -> f32[] {
 *         %2: f32[] = sin %0
 *         return %2
 *       }]
 *       return %3
 *     }
 *     gives
 *     f(%0: bool[], %1: f32[], %2: f32[], %3: f32[]) -> f32[], f32[] {
 *       %4: f32[], %5: f32[] = cond %0 %1 %2 %3 branches=[(%0: f32[], %1: f32[], %2: f32[]) ->
 *             f32[], f32[] {
 *         return %1 0.0:f32
 *       }, (%0: f32[], %1: f32[], %2: f32[]) -> f32[], f32[] {
 *         %3: f32[] = sin %0
 *         %4: f32[] = cos %0
 *         %5: f32[] = mul %2 %4
 *         return %3 %5
 *       }]
 *       return %4 %5
 *     } */
#include "pass/structured/structured.h"

typedef struct pairs { /* operands or results with their tangents, bundle by bundle */
	int all;       /* how many there are without tangents */
	int n, *at;    /* a value's number, or `all` + that of the value whose tangent it is */
	int *like;     /* that number, either way */
} pairs;

typedef struct jvp {
	build *b;
	const eqn *e;
	bool *moves, *moves_out; /* by operand, result */
	program **made;          /* references */
	pairs in, out;
} jvp;

static bool pair_up(const jvp *w, bool (*next)(const eqn *, bundle *), int all, const bool *moves,
                    pairs *to)
{
	*to = (pairs){all, 0, numbers(w->b, 2 * all), numbers(w->b, 2 * all)};
	if (!to->at || !to->like) return false;
	for (bundle s = {0}; next(w->e, &s);)
		for (int i = 0; i < 2 * s.n; i++) {
			const int v = s.first + i % s.n;
			if (i >= s.n && !moves[v]) continue;
			to->like[to->n] = v;
			to->at[to->n++] = i < s.n ? v : all + v;
		}
	return true;
}

static bool make(void *user, int which, const program *p, const bool *in, const bool *must,
                 bool *out)
{
	program **made = user;

	program_release(made[which]);
	return (made[which] = pass_jvp(p, in, must, out));
}

/* what the operands say of the inputs of programs that give results: only these have tangents */
static bool find_moving(jvp *w, const var *dx)
{
	int which = 0;

	for (inner k = {0}; inner_next(w->e->prim, w->e->params, &k); which++)
		for (int i = 0; edge_gives(w->e, which) && i < k.program->nin; i++) {
			const int at = edge_operand(w->e, which, i);
			w->moves[at] = !is_zero(dx[at]);
		}
	return flow_settle(w->b, &(flow){w->e, w->moves, w->moves_out, make, w->made});
}

/* by value and tangent, as pairs count them: 1 + which input or result of the jvp it is; n: of the
 * program */
static int *places(const jvp *w, int which, int (*edge)(const eqn *, int, int), int n,
                   const bool *moves, const pairs *of)
{
	int *place = numbers(w->b, 2 * of->all), tangent = n;

	for (int i = 0; place && i < n; i++) {
		const int at = edge(w->e, which, i);
		if (at < 0) continue;
		place[at] = 1 + i;
		if (moves[at]) place[of->all + at] = ++tangent;
	}
	return place;
}

/* A program p that was made from program `which` as its jvp, with inputs and results in the order
 * of the equation's. It may also be that program itself, and then ignores the tangents */
static program *ordered(const jvp *w, int which, const program *from, const program *p)
{
	const int *in = places(w, which, edge_operand, from->nin, w->moves, &w->in);
	const int *out = places(w, which, edge_result, from->nout, w->moves_out, &w->out);
	var *x = values(w->b, 2 * from->nin), *y = values(w->b, p->nout),
	    *to = values(w->b, p->nout);
	build *b = build_begin(p->ir, p->name, p->axes, p->naxes);
	bool ok = b && in && out && x && y && to;
	int n = 0;

	for (int j = 0; ok && j < w->in.n; j++) {
		const int value = in[w->in.like[j]];
		if (value)
			ok = (x[in[w->in.at[j]] - 1] =
			              build_input(b, type_of(from, from->in[value - 1])))
			             .id;
	}
	ok = ok && build_inline(b, p, x, y, NULL);
	for (int j = 0; ok && j < w->out.n; j++)
		if (out[w->out.at[j]]) to[n++] = y[out[w->out.at[j]] - 1];
	if (ok) return edge_gives(w->e, which) ? build_end(b, to, n) : build_end(b, y, p->nout);
	build_abandon(b);
	return NULL;
}

static void order_all(jvp *w)
{
	int which = 0;

	for (inner k = {0}; inner_next(w->e->prim, w->e->params, &k); which++) {
		program *p = w->made[which] ? w->made[which] : retained(k.program);
		w->made[which] = ordered(w, which, k.program, p);
		program_release(p);
	}
}

void jvp_inside(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	jvp w = {b, e, flags(b, e->nin), flags(b, e->nout), programs_room(b, e), {0}, {0}};
	var *operand = values(b, 2 * e->nin), *result = values(b, 2 * e->nout);

	if (!w.moves || !w.moves_out || !w.made || !operand || !result) return;
	if (!find_moving(&w, dx) || !pair_up(&w, operands_next, e->nin, w.moves, &w.in) ||
	    !pair_up(&w, results_next, e->nout, w.moves_out, &w.out)) {
		for (int k = 0; k < programs_in(e); k++) program_release(w.made[k]);
		return;
	}
	order_all(&w);
	for (int j = 0; j < w.in.n; j++) {
		const int i = w.in.like[j];
		operand[j] =
			w.in.at[j] < e->nin ? x[i] : emit_instance(b, dx[i], build_type(b, x[i]));
	}
	const void *params = similar_params(b, e, w.in.like, w.in.n, w.out.like, w.out.n, w.made);
	if (params) emit_all(b, e->prim, params, operand, w.in.n, result);
	for (int j = 0; params && j < w.out.n; j++)
		*(w.out.at[j] < e->nout ? &y[w.out.like[j]] : &dy[w.out.like[j]]) = result[j];
}
