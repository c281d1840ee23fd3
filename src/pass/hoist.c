/* hoist.c - products that do not depend on a loop's carry leave the loop, to be computed for all
 * steps at once.
 *
 * The slice %1 of a step is multiplied with the same matrix %2 at each step, so all slices are
 * multiplied with it together, before the loop:
 *
 *     pass hoist
 *     f(%0: f32[2,2], %1: f32[2], %2: f32[9,2]) -> f32[2] {
 *       %3: f32[2] = scan %0 %1 %2 length=9 consts=1 carry=1 unroll=1 body=(%0: f32[2,2],
 *             %1: f32[2], %2: f32[2]) -> f32[2] {
 *         %3: f32[2] =
 *               dot_general %2 %0 contract_a=[0] contract_b=[0] batch_a=[] batch_b=[] dtype=f32
 *         %4: f32[2] = mul %1 %3
 *         return %4
 *       }
 *       return %3
 *     }
 *     gives
 *     f(%0: f32[2,2], %1: f32[2], %2: f32[9,2]) -> f32[2] {
 *       %3: f32[9,2] =
 *             dot_general %2 %0 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] dtype=f32
 *       %4: f32[2] = scan %1 %3 length=9 consts=0 carry=1 unroll=1 body=(%0: f32[2],
 *             %1: f32[2]) -> f32[2] {
 *         %2: f32[2] = mul %0 %1
 *         return %2
 *       }
 *       return %4
 *     }
 *
 * A step that multiplies a vector by a matrix reads the whole matrix for it, once a step; one
 * product of two matrices reads it from the cache. A step of a recurrent cell of 256 features takes
 * 4.5 microseconds instead of 7.3 (the case rnn of the benchmark, two cores).
 *
 * What such a product is computed from goes with it, and stays in the loop too if that needs it.
 * The results for all steps are in memory at once, so a product leaves only if its result is not
 * much larger than the slices that its step reads. A slice of many vectors reads the matrix once
 * for all of them, and what comes next finds its product in the cache: it stays. So do the scores
 * of a block of keys (lib/nn/attention_blocks.c).
 *
 * A vector of the carry times a constant matrix stays, too. Where it is multiplied by rows of the
 * matrix, neighbouring results need rows, which then are transposed at each step in registers: the
 * matrix leaves the loop as its transpose. The gradient of that cell takes 8.6 microseconds
 * instead of 13.3.
 *
 *     pass hoist
 *     f(%0: f32[64,64], %1: f32[64]) -> f32[64] {
 *       %2: f32[64] = scan %0 %1 length=9 consts=1 carry=1 unroll=1 body=(%0: f32[64,64],
 *             %1: f32[64]) -> f32[64] {
 *         %2: f32[64] =
 *               dot_general %0 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] dtype=f32
 *         return %2
 *       }
 *       return %2
 *     }
 *     gives
 *     f(%0: f32[64,64], %1: f32[64]) -> f32[64] {
 *       %2: f32[64,64] = transpose %0 perm=[1,0]
 *       %3: f32[64] = scan %2 %1 length=9 consts=1 carry=1 unroll=1 body=(%0: f32[64,64],
 *             %1: f32[64]) -> f32[64] {
 *         %2: f32[64] =
 *               dot_general %0 %1 contract_a=[0] contract_b=[0] batch_a=[] batch_b=[] dtype=f32
 *         return %2
 *       }
 *       return %3
 *     }
 *
 * For more vectors, of the carry or of a slice, an engine packs the matrix as its tiles read it
 * (fuse/panels.c), before the loop too; with AVX2:
 *
 *     pass fuse
 *     f(%0: f32[768,768], %1: f32[128,768]) -> f32[128,768] {
 *       %2: f32[128,768] = scan %0 %1 length=9 consts=1 carry=1 unroll=1 body=(%0: f32[768,768],
 *             %1: f32[128,768]) -> f32[128,768] {
 *         %2: f32[128,768] =
 *               dot_general %1 %0 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] dtype=f32
 *         return %2
 *       }
 *       return %2
 *     }
 *     gives
 *     f(%0: f32[768,768], %1: f32[128,768]) -> f32[128,768] {
 *       %2: f32[32,768,24] = call %0 program=transpose(%0: f32[768,768]) -> f32[32,768,24] {
 *         %1: f32[768,32,24] = reshape %0 dims=[768,32,24]
 *         %2: f32[32,768,24] = transpose %1 perm=[1,0,2]
 *         return %2
 *       }
 *       %3: f32[128,768] = scan %2 %1 length=9 consts=1 carry=1 unroll=1 body=(%0: f32[32,768,24],
 *             %1: f32[128,768]) -> f32[128,768] {
 *         %2: f32[128,32,24] =
 *               dot_general %1 %0 contract_a=[1] contract_b=[1] batch_a=[] batch_b=[] dtype=f32
 *         %3: f32[128,768] = reshape %2 dims=[128,768]
 *         return %3
 *       }
 *       return %3
 *     } */
#include "pass/pass.h"

#define MOST_GROWTH 4   /* elements of a result for each element of the slices */
#define MOST_VECTORS 64 /* of a slice */
/* a matrix is worth a transpose before the loop: rows of the other operand, steps, elements */
enum { TURNED_ROWS = 2, TURNED_STEPS = 8, TURNED_SIZE = 1024 };

/* on what a value in the body of a scan depends */
enum { ON_CARRY, ON_CONSTANTS, ON_SLICES };

typedef struct leaving {
	const eqn *e; /* the scan */
	const program *body;
	double slices;        /* elements that a step reads */
	const target *target; /* packed operands leave, too; NULL: they do not */
	int8_t *on;           /* by variable */
	int *picked;          /* by equation: 1 + which of those that leave, or 0 */
	int n;
	bool turns;   /* transposes of constants leave */
	var *x;       /* operands of the scan */
	bool *mapped; /* of those that leave: one for each step */
	var *y;       /* and what they are outside */
} leaving;

/* how many vectors of the slice a step multiplies something constant by; slice: which operand */
static double vectors_of(const leaving *l, const eqn *e, int slice)
{
	const dot_params *p = e->params;
	const type *t = type_of(l->body, e->in[slice]);
	const ints *shared[] = {slice ? &p->contract_b : &p->contract_a,
	                        slice ? &p->batch_b : &p->batch_a};
	double n = (double)t->size;

	for (int k = 0; k < 2; k++)
		for (int i = 0; i < shared[k]->n; i++) n /= (double)t->dims[shared[k]->v[i]];
	return n;
}

/* a product of the slice with something constant, or of two constants */
static bool leaves(const leaving *l, const eqn *e)
{
	const type *t = type_of(l->body, e->out[0]);
	const int a = l->on[e->in[0].id], b = l->on[e->in[1].id];

	if (a == ON_CONSTANTS && b == ON_CONSTANTS) return true;
	return a != b && (double)t->size <= MOST_GROWTH * l->slices &&
	       vectors_of(l, e, a == ON_CONSTANTS) <= MOST_VECTORS;
}

static int depends_on(const leaving *l, const eqn *e)
{
	int on = ON_CONSTANTS;

	if (eqn_program(e) || eqn_exchanges(e) || eqn_has_effects(e)) return ON_CARRY;
	for (int i = 0; i < e->nin; i++) {
		const int of = l->on[e->in[i].id];
		if (of == ON_CARRY) return ON_CARRY;
		if (of > on) on = of;
	}
	return on;
}

static void pick(leaving *l)
{
	const program *body = l->body;

	for (int v = 0; v < body->nvars; v++) l->on[v] = ON_CONSTANTS;
	for (int i = 0; i < body->nin; i++) {
		const edge_kind kind = operand_role(l->e, i).of->kind;
		if (kind == EDGE_CARRY) l->on[body->in[i].id] = ON_CARRY;
		if (kind != EDGE_SLICE) continue;
		l->on[body->in[i].id] = ON_SLICES;
		l->slices += (double)type_of(body, body->in[i])->size;
	}
	for (int i = 0; i < body->neqns; i++) {
		const eqn *e = &body->eqns[i];
		int on = depends_on(l, e);
		if (l->turns && e->prim == &tsr__prim_transpose && on == ON_CONSTANTS) {
			l->picked[i] = ++l->n;
		} else if (e->prim == &tsr__prim_dot_general && on != ON_CARRY) {
			if (leaves(l, e))
				l->picked[i] = ++l->n;
			else
				on = ON_CARRY; /* what needs it stays with it */
		}
		for (int k = 0; k < e->nout; k++) l->on[e->out[k].id] = (int8_t)on;
	}
}

/* the body with those that leave as its results */
static program *those_alone(const leaving *l)
{
	const program *body = l->body;
	value_map v;
	bool ok = copy_begin(&v, body);
	var *out = ok ? var_room(v.to, l->n) : NULL;

	ok = out;
	for (int i = 0; ok && i < body->neqns; i++) {
		const eqn *e = &body->eqns[i];
		if (l->on[e->out[0].id] == ON_CARRY) continue;
		ok = copy_equation(&v, e);
		if (ok && l->picked[i]) out[l->picked[i] - 1] = values_get(&v, e->out[0]);
	}
	return remade(v.to, ok, out, l->n);
}

/* computes them outside, for all steps at once */
static bool compute_ahead(leaving *l, build *b)
{
	const int64_t length = ((const scan_params *)l->e->params)->length;
	const int nin = l->body->nin;
	arena *a = build_arena(b);
	bool *all = arena_array(a, (size_t)l->n + (size_t)nin + 1, sizeof *all);
	bool *mapped_in = arena_array(a, (size_t)nin + 1, sizeof *mapped_in);
	var *x = arena_array(a, (size_t)nin + 1, sizeof *x);
	program *whole = all && mapped_in && x ? those_alone(l) : NULL, *alone = NULL,
		*batched = NULL;
	int n = 0;

	if (whole) {
		bool *used = all + l->n;
		for (int i = 0; i < l->n; i++) all[i] = true;
		alone = pass_prune(whole, all, used);
		for (int i = 0; i < nin; i++) {
			if (!used[i]) continue;
			mapped_in[n] = operand_role(l->e, i).of->kind == EDGE_SLICE;
			x[n++] = l->x[i];
		}
	}
	if (alone)
		batched = pass_batch(alone, &(batching){.size = length, .axis = -1}, mapped_in,
		                     NULL, l->mapped);
	const bool ok = batched && build_inline(b, batched, x, l->y, NULL);
	program_release(whole);
	program_release(alone);
	program_release(batched);
	return ok;
}

/* the body without them: it takes them behind its inputs */
static program *rest_of_body(const leaving *l)
{
	const program *body = l->body;
	value_map v;
	bool ok = copy_begin(&v, body);

	for (int i = 0; ok && i < body->neqns; i++) {
		const var product = body->eqns[i].out[0];
		if (l->picked[i])
			ok = (v.of[product.id] = build_input(v.to, type_of(body, product))).id;
	}
	for (int i = 0; ok && i < body->neqns; i++)
		ok = l->picked[i] || copy_equation(&v, &body->eqns[i]);
	return copy_end(&v, ok);
}

static bool emit_rest(const leaving *l, value_map *v, const eqn *e)
{
	var *y = var_room(v->to, e->nout);
	rebuilt rest;

	if (!y || !rebuild_begin(&rest, v->to, e, e->nin + l->n, e->nout)) return false;
	for (int i = 0; i < e->nin; i++) rebuild_takes(&rest, operand_role(e, i), l->x[i]);
	for (int k = 0; k < l->n; k++)
		rebuild_takes(&rest, takes_as(e, l->mapped[k] ? EDGE_SLICE : EDGE_SAME, NULL),
		              l->y[k]);
	for (int r = 0; r < e->nout; r++) rebuild_gives(&rest, result_role(e, r), &y[r]);
	rebuild_put(&rest, (program *[]){rest_of_body(l)});
	return values_set(v, e, y);
}

/* which products leave; lists in the arena. false: no memory */
static bool leaving_of(const eqn *e, const target *on, bool turns, arena *a, leaving *out)
{
	const program *body = inner_first(e);

	*out = (leaving){.e = e,
	                 .body = body,
	                 .target = on,
	                 .turns = turns,
	                 .on = arena_array(a, (size_t)body->nvars + 1, sizeof *out->on),
	                 .picked = arena_array(a, (size_t)body->neqns + 1, sizeof *out->picked)};
	if (!out->on || !out->picked) return false;
	pick(out);
	return true;
}

/* ---- constant matrices that the carry is multiplied with along their rows */

/* are the contracted dims the last ones, in order, and is there another one? */
static bool sums_rows(const type *t, const ints *contract)
{
	const int first = t->ndim - contract->n;

	for (int i = 0; i < contract->n; i++)
		if (contract->v[i] != first + i) return false;
	return contract->n && first > 0;
}

/* which operand of the equation is such a matrix; -1: none */
static int turned_operand(const leaving *l, const eqn *e)
{
	const dot_params *p = e->params;

	if (e->prim != &tsr__prim_dot_general || p->batch_a.n || l->target) return -1;
	for (int k = 0; k < 2; k++) {
		const type *t = type_of(l->body, e->in[k]);
		if (l->on[e->in[k].id] == ON_CONSTANTS && l->on[e->in[!k].id] == ON_CARRY &&
		    t->size >= TURNED_SIZE && sums_rows(t, k ? &p->contract_b : &p->contract_a) &&
		    vectors_of(l, e, !k) <= TURNED_ROWS)
			return k;
	}
	return -1;
}

/* Is a constant second operand to be laid out, for another product at each step? */
static bool wants_packing(const leaving *l, const eqn *e)
{
	return l->target && e->prim == &tsr__prim_dot_general &&
	       l->on[e->in[1].id] == ON_CONSTANTS && l->on[e->in[0].id] != ON_CONSTANTS &&
	       product_wants_packing(l->target, l->body, e, true);
}

static bool write_packed(value_map *v, const leaving *l, const eqn *e, packed_operand **made)
{
	const var *x = values_list(v, e->in, 2);

	if (!x) return false;
	build_at(v->to, e->where);
	const var y = product_packed(v->to, l->target, l->body, e, x, true, made);
	return !build_failed(v->to) && values_set(v, e, &y);
}

/* the product with operand k transposed: its contracted dims come first */
static bool write_turned(value_map *v, const leaving *l, const eqn *e, int k)
{
	dot_params p = *(const dot_params *)e->params;
	ints *contract = k ? &p.contract_b : &p.contract_a;
	const int ndim = type_of(l->body, e->in[k])->ndim, n = contract->n;
	var x[] = {values_get(v, e->in[0]), values_get(v, e->in[1])};
	int64_t perm[MAX_NDIM], first[MAX_NDIM];

	for (int d = 0; d < ndim; d++) perm[d] = d < n ? ndim - n + d : d - n;
	for (int i = 0; i < n; i++) first[i] = i;
	*contract = (ints){n, first};
	build_at(v->to, e->where);
	x[k] = emit_transpose(v->to, x[k], perm);
	const var y = emit(v->to, e->prim, &p, x, 2);
	return !build_failed(v->to) && values_set(v, e, &y);
}

static program *body_turned(const leaving *l)
{
	const program *body = l->body;
	packed_operand *made = NULL;
	value_map v;
	bool ok = copy_begin(&v, body);

	for (int i = 0; ok && i < body->neqns; i++) {
		const eqn *e = &body->eqns[i];
		const int k = turned_operand(l, e);
		ok = k >= 0                ? write_turned(&v, l, e, k)
		     : wants_packing(l, e) ? write_packed(&v, l, e, &made)
		                           : copy_equation(&v, e);
	}
	return copy_end(&v, ok);
}

static bool changes_body(const leaving *l)
{
	const bool is_long = ((const scan_params *)l->e->params)->length >= TURNED_STEPS;

	for (int i = 0; i < l->body->neqns; i++) {
		const eqn *e = &l->body->eqns[i];
		if (wants_packing(l, e) || (is_long && turned_operand(l, e) >= 0)) return true;
	}
	return false;
}

/* the loop as it is with such matrices transposed; `own` has room for it. NULL: no memory */
static const eqn *scan_turned(build *b, const leaving *l, eqn *own)
{
	*own = *l->e;
	own->params = with_programs(b, l->e, (program *[]){body_turned(l)});
	return own->params ? own : NULL;
}

/* ---- */

static bool hoist_for(value_map *v, const target *on, const eqn *e)
{
	arena *a = build_arena(v->to);
	leaving l;
	eqn own;

	if (!leaving_of(e, on, false, a, &l)) return false;
	if (changes_body(&l) &&
	    (!(e = scan_turned(v->to, &l, &own)) || !leaving_of(e, on, true, a, &l)))
		return false;
	if (!l.n) return copy_equation(v, e);
	l.x = values_list(v, e->in, e->nin);
	l.y = arena_array(a, (size_t)l.n + 1, sizeof *l.y);
	l.mapped = arena_array(a, (size_t)l.n + 1, sizeof *l.mapped);
	build_at(v->to, e->where);
	return l.x && l.y && l.mapped && compute_ahead(&l, v->to) && emit_rest(&l, v, e);
}

static bool hoist_scan(value_map *v, const eqn *e) { return hoist_for(v, NULL, e); }

bool multiplies_in_steps(const eqn *e)
{
	if (e->prim != &tsr__prim_scan) return false;
	const scan_params *p = e->params;
	for (int i = 0; i < p->body->neqns && p->length > 1; i++)
		if (p->body->eqns[i].prim == &tsr__prim_dot_general) return true;
	return false;
}

program *pass_hoist(const program *p)
{
	return rewritten_alive(&(rewriting){"hoist", multiplies_in_steps, hoist_scan}, p);
}

bool loop_wants_packing(const target *on, const eqn *e)
{
	if (!multiplies_in_steps(e)) return false;
	const program *body = ((const scan_params *)e->params)->body;
	for (int i = 0; i < body->neqns; i++)
		if (product_wants_packing(on, body, &body->eqns[i], true)) return true;
	return false;
}

bool hoist_packing(value_map *v, const target *on, const eqn *e) { return hoist_for(v, on, e); }
