/* terms.c - sums of products that a library computes are one product, of what they multiply side by
 * side.
 *
 * The two terms of this sum would be written, read again and added. Instead their operands are
 * copied, which are smaller:
 *
 *     pass fuse
 *     f(%0: f32[256,8], %1: f32[8,256], %2: f32[256,8], %3: f32[8,256]) -> f32[256,256] {
 *       %4: f32[256,256] =
 *             dot_general %0 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] dtype=f32
 *       %5: f32[256,256] =
 *             dot_general %2 %3 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] dtype=f32
 *       %6: f32[256,256] = add %4 %5
 *       return %6
 *     }
 *     gives
 *     f(%0: f32[256,8], %1: f32[8,256], %2: f32[256,8], %3: f32[8,256]) -> f32[256,256] {
 *       %4: f32[256,16] =
 *             call %0 %2 program=concatenate(%0: f32[256,8], %1: f32[256,8]) -> f32[256,16] {
 *         %2: f32[256,16] = concatenate %0 %1 dim=1
 *         return %2
 *       }
 *       %5: f32[16,256] = concatenate %1 %3 dim=0
 *       %6: f32[256,256] =
 *             dot_general %4 %5 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] dtype=f32
 *       return %6
 *     }
 *
 * So it is with the gradient of a matrix that all devices of a memory have, each for its part of
 * a batch. No promised bits are lost: the order in which the library adds up each term is not
 * defined anyway (docs/numerics.md), and the sum is as exact. */
#include "pass/fuse/fuse.h"

typedef struct terms {
	const program *p;
	int *uses;         /* by variable, also as results */
	int *first, *last; /* by variable that is a sum of terms: 1 + their equations */
	int *count;        /* how many terms it has */
	bool *taken;       /* by variable: it is part of a larger sum */
	int *next;         /* by equation that is a term: 1 + the next one of its sum */
	bool any;
} terms;

/* a product that is larger than its operands */
static bool is_term(const target *on, const program *p, const eqn *e)
{
	matrix_product product;

	if (maker_of(on, p, e, &product) != BY_LIBRARY) return false;
	const double read = (double)type_of(p, e->in[0])->size + (double)type_of(p, e->in[1])->size;
	return ((const dot_params *)e->params)->contract_a.n &&
	       read < (double)type_of(p, e->out[0])->size;
}

/* can they be terms of one sum? */
static bool alike(const program *p, const eqn *a, const eqn *b)
{
	return params_same(a->prim->params, a->params, b->params) &&
	       type_of(p, a->in[0]) == type_of(p, b->in[0]) &&
	       type_of(p, a->in[1]) == type_of(p, b->in[1]);
}

static bool is_sum(const terms *t, const eqn *e)
{
	if (e->prim != &tsr__prim_add) return false;
	const int a = e->in[0].id, b = e->in[1].id;
	return t->first[a] && t->first[b] && t->uses[a] == 1 && t->uses[b] == 1 &&
	       alike(t->p, &t->p->eqns[t->first[a] - 1], &t->p->eqns[t->first[b] - 1]);
}

static void add_terms(terms *t, const eqn *e)
{
	const int a = e->in[0].id, b = e->in[1].id, y = e->out[0].id;

	t->first[y] = t->first[a];
	t->last[y] = t->last[b];
	t->next[t->last[a] - 1] = t->first[b];
	t->count[y] = t->count[a] + t->count[b];
	t->taken[a] = t->taken[b] = t->any = true;
}

static void find_terms(terms *t, const target *on)
{
	const program *p = t->p;

	for (int i = 0; i < p->neqns; i++)
		for (int k = 0; k < p->eqns[i].nin; k++) t->uses[p->eqns[i].in[k].id]++;
	for (int k = 0; k < p->nout; k++) t->uses[p->out[k].id]++;
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		if (is_sum(t, e)) {
			add_terms(t, e);
		} else if (is_term(on, p, e)) {
			t->first[e->out[0].id] = t->last[e->out[0].id] = i + 1;
			t->count[e->out[0].id] = 1;
		}
	}
}

/* operand k of the terms from equation `at` - 1 on, along a dim that is summed */
static var operands(const terms *t, value_map *v, int at, int n, int k)
{
	const dot_params *d = t->p->eqns[at - 1].params;
	var *x = arena_array(build_arena(v->to), (size_t)n, sizeof *x);

	if (!x) {
		build_fail(v->to);
		return (var){0};
	}
	for (int i = 0; i < n; i++, at = t->next[at - 1])
		x[i] = values_get(v, t->p->eqns[at - 1].in[k]);
	return build_failed(v->to)
	               ? (var){0}
	               : emit_join(v->to, x, n, (int)(k ? d->contract_b : d->contract_a).v[0]);
}

static bool each(void *user, value_map *v, const eqn *e)
{
	const terms *t = user;
	const int y = e->nout ? e->out[0].id : 0;

	if (t->taken[y]) return true;
	if (t->count[y] < 2) return copy_equation(v, e);
	const eqn *one = &t->p->eqns[t->first[y] - 1];
	build_at(v->to, one->where);
	const var a = operands(t, v, t->first[y], t->count[y], 0);
	const var b = operands(t, v, t->first[y], t->count[y], 1);
	if (build_failed(v->to)) return false;
	const var sum = emit(v->to, one->prim, one->params, (var[]){a, b}, 2);
	return values_set(v, e, &sum);
}

static program *join_terms(const target *on, const program *p, arena *a)
{
	const size_t n = (size_t)p->nvars + 1;
	int *lists = arena_array(a, 4 * n, sizeof *lists);
	terms t = {.p = p,
	           .uses = lists,
	           .first = lists + n,
	           .last = lists + 2 * n,
	           .count = lists + 3 * n,
	           .taken = arena_array(a, n, sizeof *t.taken),
	           .next = arena_array(a, (size_t)p->neqns + 1, sizeof *t.next)};

	if (!lists || !t.taken || !t.next) return NULL;
	find_terms(&t, on);
	return t.any ? copy_with(p, each, &t) : retained(p);
}

program *terms_joined(const target *on, const program *p)
{
	arena *a = arena_make(p->ir->base);
	program *made = a ? join_terms(on, p, a) : NULL;

	arena_free(a);
	return made;
}
