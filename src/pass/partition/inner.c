/* inner.c - partitions programs inside equations, on blocks of their operands.
 *
 *     pass partition
 *     f(%0: f32[4,4], %1: f32[4,4]) -> f32[4,4] {
 *       %2: f32[4,4] = shard_map %0 mesh=(x:2) axes=(x) in=[[x]] out=[[x]]
 *             body=(%0: f32[2,4]{x}) -> f32[2,4]{x} {
 *         %1: f32[2,4]{x} = sin %0
 *         return %1
 *       }
 *       %3: f32[4,4] = scan %2 %1 length=9 consts=1 carry=1 unroll=1 reverse=false
 *             body=(%0: f32[4,4], %1: f32[4,4]) -> f32[4,4] {
 *         %2: f32[4,4] = cholesky %0
 *         %3: f32[4,4] = cholesky %1
 *         %4: f32[4,4] = add %2 %3
 *         %5: f32[4,4] = mul %4 %0
 *         return %5
 *       }
 *       return %3
 *     }
 *     gives
 *     axes (x of (x:2)) f(%0: f32[2,4]{x}, %1: f32[2,4]{x}) -> f32[2,4]{x} {
 *       %2: f32[2,4]{x} = sin %0
 *       %3: f32[4,4] = all_gather %2 axes=(x) dim=0 tiled=true to=invarying
 *       %4: f32[2,4]{x} = scan %2 %3 %1 length=9 consts=2 carry=1 unroll=1 body=(%0: f32[2,4]{x},
 *             %1: f32[4,4], %2: f32[2,4]{x}) -> f32[2,4]{x} {
 *         %3: f32[4,4] = cholesky %1
 *         %4: f32[4,4]{x} = pcast %3 axes=(x)
 *         %5: i32[]{x} = axis_index axes=(x)
 *         %6: i32[]{x} = mul %5 2:i32
 *         %7: f32[2,4]{x} = dynamic_slice %4 %6 0:i32 dims=[2,4]
 *         %8: f32[4,4] = all_gather %2 axes=(x) dim=0 tiled=true to=invarying
 *         %9: f32[4,4] = cholesky %8
 *         %10: f32[4,4]{x} = pcast %9 axes=(x)
 *         %11: i32[]{x} = axis_index axes=(x)
 *         %12: i32[]{x} = mul %11 2:i32
 *         %13: f32[2,4]{x} = dynamic_slice %10 %12 0:i32 dims=[2,4]
 *         %14: f32[2,4]{x} = add %7 %13
 *         %15: f32[2,4]{x} = mul %14 %0
 *         return %15
 *       }
 *       return %4
 *     }
 *
 * A program is made once for each choice of layouts, and holds for all steps. What is the same in
 * all of them, as %2, is brought to the layouts that the body needs it in before the loop: the body
 * takes it once more. What is carried is gathered in each step. (simplify drops the operands that
 * no body reads.) */
#include "pass/partition/partition.h"

typedef struct within { /* an equation that holds programs */
	partitioning *p;
	const eqn *e;
	const inside *places; /* NULL: they are whole */
	int which;            /* of the next program */
	more_inputs **more;   /* by program; NULL: none */
} within;

/* ---- a program */

/* is an input of this program the same in all steps of a loop? */
static bool is_constant(const eqn *e, int which, int input)
{
	const role as = operand_role(e, edge_operand(e, which, input));
	const bool loop = takes_as(e, EDGE_CARRY, NULL).of || takes_as(e, EDGE_SLICE, NULL).of;

	return loop && as.of->kind == EDGE_SAME;
}

static bool part_inputs(partitioning *own, const program *from, const places *at,
                        const bool *constant, spot *spots)
{
	for (int i = 0; i < from->nin; i++) {
		const int id = from->in[i].id;
		const layout *l = at ? at->at[id] : &(layout){0};
		const type *t = block_type(own, spots[id].whole, l);
		const var v = t ? build_input(own->b, t) : (var){0};
		if (!v.id || !spot_add(own, &spots[id], v, l, NULL)) return false;
		spots[id].constant = constant[i] ? i + 1 : 0;
	}
	return true;
}

/* the inputs that it takes once more come behind the first of their value */
static program *in_order(partitioning *p, const program *from, const more_inputs *more,
                         program *made)
{
	const int n = from->nin + more->n, nout = from->nout;
	int *list = arena_array(p->scratch, (size_t)(n + nout) + 1, sizeof *list), at = 0;

	if (!list) {
		program_release(made);
		return NULL;
	}
	for (int i = 0; i < from->nin; i++) {
		list[at++] = i;
		for (int k = 0; k < more->n; k++)
			if (more->v[k].like == i) list[at++] = from->nin + k;
	}
	for (int k = 0; k < nout; k++) list[n + k] = k;
	return arranged(made, list, n, list + n, nout);
}

static program *part_program(const within *in, const program *from, const places *at,
                             const bool *constant, more_inputs *more)
{
	partitioning own = *in->p;
	spot *spots = make_spots(&own, from);
	var *out = arena_array(own.scratch, (size_t)from->nout + 1, sizeof *out);
	bool ok = spots && out && (own.b = build_begin(from->ir, from->name, own.axes, own.naxes));

	if (!ok) return NULL;
	record_inside(&own, in->e);
	own.more = more;
	ok = part_inputs(&own, from, at, constant, spots) && partition_walk(&own, from, spots, at);
	for (int i = 0; ok && i < from->nout; i++) {
		own.ask = (ask){ASK_INSIDE, in->e, i, NULL};
		ok = spot_value(&own, &spots[from->out[i].id], at ? at->out[i] : &(layout){0},
		                &out[i]);
	}
	if (ok && record_rest(&own) && record_needed(&own, out, from->nout))
		return in_order(&own, from, more, build_end(own.b, out, from->nout));
	build_abandon(own.b);
	return NULL;
}

/* for build_params */
static program *part_inner(void *user, const program *from)
{
	within *in = user;
	const int which = in->which++;
	const places *at = in->places ? &in->places->program[which] : NULL;
	const size_t n = (size_t)from->nin;
	const size_t bytes = sizeof(more_inputs) + n * sizeof(struct more_input);
	more_inputs *more = in->more[which] = arena_alloc(in->p->scratch, bytes);
	bool *constant = arena_array(in->p->scratch, n + 1, sizeof *constant);
	str key = {.base = in->p->bs};
	memo m;

	if (!more || !constant) return NULL;
	more->most = (int)n;
	for (int i = 0; at && i < from->nin; i++) constant[i] = is_constant(in->e, which, i);
	if (at) places_key(&key, at);
	if (key.lost) return NULL;
	if (memo_begin(&m, "partition", from,
	               MEMO_PARTS({in->p->axis_map, (size_t)from->naxes * sizeof(int)},
	                          {constant, n}, {key.s, key.len}),
	               more, bytes))
		m.to[0] = part_program(in, from, at, constant, more);
	str_free(&key);
	return memo_end(&m);
}

/* ---- the equation */

typedef struct taken { /* an operand of the equation that is made */
	int operand;      /* of the one that is read */
	const layout *at; /* NULL: as that takes it */
} taken;

/* in the order of the operands, each followed by those in which a program takes it once more */
static int all_taken(const within *in, taken *to)
{
	const eqn *e = in->e;
	int n = 0;

	for (int i = 0; i < e->nin; i++) {
		to[n++] = (taken){i, NULL};
		for (int which = 0; which < in->which; which++) {
			const more_inputs *more = in->more[which];
			for (int k = 0; k < more->n; k++)
				if (edge_operand(e, which, more->v[k].like) == i)
					to[n++] = (taken){i, &more->v[k].at};
		}
	}
	return n;
}

/* the parameters of e, which holds the programs that were made, for these operands */
static const void *params_taking(partitioning *p, const eqn *e, int programs, const taken *from,
                                 int n)
{
	int *list = arena_array(p->scratch, (size_t)(n + e->nout) + 1, sizeof *list), which = 0;
	program **made = arena_array(p->scratch, (size_t)programs, sizeof *made);

	if (!list || !made) return NULL;
	for (int i = 0; i < n; i++) list[i] = from[i].operand;
	for (int j = 0; j < e->nout; j++) list[n + j] = j;
	for (inner k = {0}; inner_next(e->prim, e->params, &k);)
		made[which++] = retained(k.program);
	return similar_params(p->b, e, operands_like(p->b, e, list, n), n,
	                      results_like(p->b, e, list + n, e->nout), e->nout, made);
}

bool walk_inside(partitioning *p, const eqn *e, spot *spots, const inside *inside)
{
	arena *a = p->scratch;
	within in = {.p = p, .e = e, .places = inside};
	eqn own = *e;
	int n = e->nin, programs = 0;

	for (inner k = {0}; inner_next(e->prim, e->params, &k);) programs++;
	in.more = arena_array(a, (size_t)programs, sizeof *in.more);
	if (!in.more || !(own.params = build_params(p->b, e, p->axis_map, part_inner, &in)))
		return false;
	for (int k = 0; k < programs; k++) n += in.more[k]->n;
	taken *from = arena_array(a, (size_t)n + 1, sizeof *from);
	var *x = arena_array(a, (size_t)(n + e->nout) + 1, sizeof *x);
	if (!from || !x || all_taken(&in, from) != n) return false;
	if (n > e->nin && !(own.params = params_taking(p, &own, programs, from, n))) return false;
	for (int i = 0; i < n; i++) {
		spot *s = &spots[e->in[from[i].operand].id];
		const layout at = from[i].at ? *from[i].at
		                             : layout_in(inside, s->whole, from[i].operand);
		p->ask = (ask){ASK_INSIDE, e, from[i].operand, NULL};
		if (!spot_value(p, s, &at, &x[i])) return false;
	}
	if (!build_eqn_exact(p->b, e->prim, own.params, x, n, x + n, e->where, e->note))
		return false;
	for (int j = 0; j < e->nout; j++) {
		spot *s = &spots[e->out[j].id];
		const layout at = layout_out(inside, s->whole, j);
		if (!spot_add(p, s, x[n + j], &at, NULL)) return false;
	}
	return true;
}
