/* sink.c - sums of products over the steps of a loop are one product behind it.
 *
 * Each step adds the product of two vectors to a matrix, which no step reads otherwise. So the
 * matrix is a product of all these vectors, summed over the steps:
 *
 *     pass sink
 *     f(%0: f32[2,3], %1: f32[9,2], %2: f32[9,3]) -> f32[2,3] {
 *       %3: f32[2,3] = scan %0 %1 %2 length=9 consts=0 carry=1 unroll=1 body=(%0: f32[2,3],
 *             %1: f32[2], %2: f32[3]) -> f32[2,3] {
 *         %3: f32[3] = sin %2
 *         %4: f32[2,3] =
 *               dot_general %1 %3 contract_a=[] contract_b=[] batch_a=[] batch_b=[] dtype=f32
 *         %5: f32[2,3] = add %0 %4
 *         return %5
 *       }
 *       return %3
 *     }
 *     gives
 *     f(%0: f32[2,3], %1: f32[9,2], %2: f32[9,3]) -> f32[2,3] {
 *       %3: f32[9,3] =
 *             scan %2 length=9 consts=0 carry=0 unroll=1 body=(%0: f32[3]) -> f32[3] {
 *         %1: f32[3] = sin %0
 *         return %1
 *       }
 *       %4: f32[2,3] =
 *             dot_general %1 %3 contract_a=[0] contract_b=[0] batch_a=[] batch_b=[] dtype=f32
 *       %5: f32[2,3] = add %0 %4
 *       return %5
 *     }
 *
 * The gradient of a loop by a matrix that its steps share is such a sum. A step that adds to it
 * reads and writes the whole matrix for a product of two vectors; the one product behind the loop
 * writes it once. It adds in another order than the steps (docs/numerics.md), so the pass runs for
 * all engines, and before loops are unrolled, so that no result depends on `unroll`.
 *
 * The vectors of all steps are in memory at once: those that are no slices of operands anyway
 * become results of the loop. So a sum leaves only if they are not much larger than the slices that
 * there are, and if the vectors of a step are smaller than what it would read and write. */
#include "pass/pass.h"

#define MOST_GROWTH 4 /* elements of new results for each element of the slices */

typedef struct sinking {
	const program *body;
	int ncarry, first_carry, first_xs; /* first_...: inputs of the body */
	int nin, nys;                      /* of the body; nys: results but for the carry */
	int *uses;                         /* by variable of the body, also as its results */
	int *part;                         /* by variable: 1 + the carry whose sum it is part of */
	int *at;      /* by variable: 1 + where those of all steps are, among operands, nys results,
	               * stacked; 0: not yet anywhere */
	bool *sinks;  /* by carry */
	var *stacked; /* of the body: operands that become results */
	int nstacked, nsinking;
} sinking;

/* ---- which sums leave */

static void count_uses(sinking *s)
{
	const program *body = s->body;

	for (int i = 0; i < body->neqns; i++)
		for (int k = 0; k < body->eqns[i].nin; k++) s->uses[body->eqns[i].in[k].id]++;
	for (int k = 0; k < body->nout; k++) s->uses[body->out[k].id]++;
}

/* is it the same in all steps? */
static bool is_fixed(const sinking *s, var v)
{
	for (int i = 0; i < s->first_carry; i++)
		if (s->body->in[i].id == v.id) return true;
	return s->body->vars[v.id].literal;
}

/* May the cast of a product's sum come once, behind all? Of 0.6 + 0.6 as i32 it may not: 0.6 is 0,
 * and 1.2 is 1. A rounding may */
static bool cast_may_wait(const type *a, const type *y)
{
	return dtype_kind(y->dtype) >= KIND_FLOAT ||
	       dot_sum_dtype(a->dtype, y->dtype) == y->dtype;
}

/* a product whose operands are smaller than its result, and differ from step to step */
static bool is_term(const sinking *s, const eqn *e)
{
	if (e->prim != &tsr__prim_dot_general || is_fixed(s, e->in[0]) || is_fixed(s, e->in[1]))
		return false;
	const type *a = type_of(s->body, e->in[0]), *b = type_of(s->body, e->in[1]);
	const type *y = type_of(s->body, e->out[0]);
	return cast_may_wait(a, y) && (double)a->size + (double)b->size <= (double)y->size;
}

/* the sums that results of the body may be: nothing else uses them */
static void begin_sums(sinking *s)
{
	for (int k = 0; k < s->ncarry; k++) {
		const int y = s->body->out[k].id;
		s->sinks[k] = s->uses[y] == 1;
		if (s->sinks[k]) s->part[y] = k + 1;
	}
}

/* an addition whose result is part of a sum: so are its operands */
static void follow(sinking *s, const eqn *e, int sum)
{
	for (int j = 0; j < e->nin; j++) {
		const int x = e->in[j].id;
		if (s->uses[x] != 1 || s->body->vars[x].literal) s->sinks[sum - 1] = false;
		s->part[x] = sum;
	}
}

/* A sum is a tree of additions: its leaves are the carry and products, and nothing else uses any
 * of it. From the results back to the inputs */
static void find_sums(sinking *s)
{
	const program *body = s->body;

	begin_sums(s);
	for (int i = body->neqns - 1; i >= 0; i--) {
		const eqn *e = &body->eqns[i];
		for (int k = 0; k < e->nout; k++) {
			const int sum = s->part[e->out[k].id];
			if (!sum || is_term(s, e)) continue;
			if (e->prim == &tsr__prim_add)
				follow(s, e, sum);
			else
				s->sinks[sum - 1] = false;
		}
	}
	for (int i = 0; i < body->nin; i++) {
		const int sum = s->part[body->in[i].id], k = i - s->first_carry;
		if (sum && sum != k + 1) s->sinks[sum - 1] = false;
		if (k >= 0 && k < s->ncarry && sum != k + 1) s->sinks[k] = false;
	}
}

/* is it a product of the sum of carry k? */
static bool adds_to(const sinking *s, const eqn *e, int k)
{
	return e->prim == &tsr__prim_dot_general && s->part[e->out[0].id] == k + 1;
}

/* Makes results of the operands of that sum which are none and no slices, from number `from` on.
 * Their elements */
static double stack_operands(sinking *s, int k)
{
	double sum = 0;

	for (int i = 0; i < s->body->neqns; i++) {
		const eqn *e = &s->body->eqns[i];
		for (int j = 0; j < 2 && adds_to(s, e, k); j++) {
			const var x = e->in[j];
			if (s->at[x.id]) continue;
			sum += (double)type_of(s->body, x)->size;
			s->stacked[s->nstacked++] = x;
			s->at[x.id] = s->nin + s->nys + s->nstacked;
		}
	}
	return sum;
}

static void unstack(sinking *s, int n)
{
	while (s->nstacked > n) s->at[s->stacked[--s->nstacked].id] = 0;
}

/* values that are stacked anyway, and how much more may be */
static double find_stacked(sinking *s)
{
	const program *body = s->body;
	double sum = 0;

	for (int k = 0; k < s->nys; k++) {
		const var y = body->out[s->ncarry + k];
		s->at[y.id] = s->nin + k + 1;
		sum += (double)type_of(body, y)->size;
	}
	for (int i = s->first_xs; i < s->nin; i++) {
		s->at[body->in[i].id] = i + 1;
		sum += (double)type_of(body, body->in[i])->size;
	}
	return MOST_GROWTH * sum;
}

static void choose(sinking *s)
{
	double room = find_stacked(s);

	for (int k = 0; k < s->ncarry; k++) {
		const int before = s->nstacked;
		if (!s->sinks[k]) continue;
		const double more = stack_operands(s, k);
		s->sinks[k] = more <= room;
		if (s->sinks[k]) {
			s->nsinking++;
			room -= more;
		} else {
			unstack(s, before);
		}
	}
}

/* ---- the loop without them */

static bool stays(const sinking *s, int carry)
{
	return carry < 0 || carry >= s->ncarry || !s->sinks[carry];
}

static program *rest_of_body(const sinking *s)
{
	const program *body = s->body;
	build *b = build_begin(body->ir, body->name, body->axes, body->naxes);
	const int most = body->nout + s->nstacked;
	var *out = b ? var_room(b, most) : NULL;
	value_map v;
	bool ok = out && values_init(&v, body, b);
	int n = 0;

	for (int i = 0; ok && i < s->nin; i++)
		if (stays(s, i - s->first_carry))
			ok = (v.of[body->in[i].id] = build_input(b, type_of(body, body->in[i]))).id;
	for (int i = 0; ok && i < body->neqns; i++) {
		const eqn *e = &body->eqns[i];
		const int sum = e->nout ? s->part[e->out[0].id] : 0;
		if (!sum || !s->sinks[sum - 1]) ok = copy_equation(&v, e);
	}
	for (int k = 0; ok && k < body->nout; k++)
		if (stays(s, k)) out[n++] = values_get(&v, body->out[k]);
	for (int k = 0; ok && k < s->nstacked; k++) out[n++] = values_get(&v, s->stacked[k]);
	return remade(b, ok, out, n);
}

/* y: its results but for the sums, then what is stacked for the products */
static bool emit_rest(const sinking *s, build *b, const eqn *e, const var *x, var *y)
{
	rebuilt rest;

	if (!rebuild_begin(&rest, b, e, e->nin, e->nout + s->nstacked)) return false;
	for (int i = 0; i < e->nin; i++)
		if (stays(s, i - s->first_carry)) rebuild_takes(&rest, operand_role(e, i), x[i]);
	for (int r = 0; r < e->nout; r++)
		if (stays(s, r)) rebuild_gives(&rest, result_role(e, r), &y[r]);
	for (int k = 0; k < s->nstacked; k++)
		rebuild_gives(&rest, gives_as(e, EDGE_SLICE, NULL), &y[e->nout + k]);
	rebuild_put(&rest, (program *[]){rest_of_body(s)});
	return !build_failed(b);
}

/* ---- the products behind it */

/* dim 0 is that of the steps. all: operands of the scan, then its results but for the carry */
static var product_of_steps(const sinking *s, build *b, const eqn *e, const var *all)
{
	const dot_params *d = e->params;
	const dot_params steps = {.contract_a = list_behind(b, 0, &d->contract_a, 1),
	                          .contract_b = list_behind(b, 0, &d->contract_b, 1),
	                          .batch_a = list_plus(b, &d->batch_a, 1),
	                          .batch_b = list_plus(b, &d->batch_b, 1),
	                          .dtype = d->dtype,
	                          .precision = d->precision};
	const var x[] = {all[s->at[e->in[0].id] - 1], all[s->at[e->in[1].id] - 1]};

	return build_failed(b) ? (var){0} : emit(b, e->prim, &steps, x, 2);
}

static var sum_of(const sinking *s, build *b, int k, const var *all)
{
	var y = all[s->first_carry + k];

	for (int i = 0; i < s->body->neqns; i++)
		if (adds_to(s, &s->body->eqns[i], k))
			y = emit_add(b, y, product_of_steps(s, b, &s->body->eqns[i], all));
	return y;
}

static bool emit_sunk(const sinking *s, value_map *v, const eqn *e)
{
	build *b = v->to;
	const int nmade = s->nys + s->nstacked;
	const var *x = values_list(v, e->in, e->nin);
	var *y = var_room(b, s->ncarry + nmade);
	var *all = var_room(b, s->nin + nmade);

	if (!x || !y || !all || !emit_rest(s, b, e, x, y)) return false;
	for (int i = 0; i < s->nin; i++) all[i] = x[i];
	for (int k = 0; k < nmade; k++) all[s->nin + k] = y[s->ncarry + k];
	for (int k = 0; k < s->ncarry; k++)
		if (s->sinks[k]) y[k] = sum_of(s, b, k, all);
	return values_set(v, e, y);
}

/* ---- loops */

/* lists in the arena. false: no memory */
static bool sinking_of(const scan_params *p, arena *a, sinking *out)
{
	const program *body = p->body;
	const size_t nvars = (size_t)body->nvars + 1;
	int *lists = arena_array(a, 3 * nvars, sizeof *lists);

	*out = (sinking){.body = body,
	                 .ncarry = (int)p->carry,
	                 .first_carry = (int)p->consts,
	                 .first_xs = (int)(p->consts + p->carry),
	                 .nin = body->nin,
	                 .nys = body->nout - (int)p->carry,
	                 .uses = lists,
	                 .part = lists + nvars,
	                 .at = lists + 2 * nvars,
	                 .sinks = arena_array(a, (size_t)p->carry + 1, sizeof *out->sinks),
	                 .stacked = arena_array(a, nvars, sizeof *out->stacked)};
	return lists && out->sinks && out->stacked;
}

static bool sink_scan(value_map *v, const eqn *e)
{
	sinking s;

	if (!sinking_of(e->params, build_arena(v->to), &s)) return false;
	count_uses(&s);
	find_sums(&s);
	choose(&s);
	if (!s.nsinking) return copy_equation(v, e);
	build_at(v->to, e->where);
	return emit_sunk(&s, v, e);
}

program *pass_sink(const program *p)
{
	return rewritten_alive(&(rewriting){"sink", multiplies_in_steps, sink_scan}, p);
}
