/* address.c - turns the places of loads and stores into sums of multiples of indices, and finds the
 * values that must be computed all the same.
 *
 * A kernel names an element by one index for each dim. Here the row-major strides are multiplied
 * in, and additions of and multiplications by constants are resolved, so that later steps can read
 * off how far a place moves when an index does.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f32[6,8]) -> f32[2,8] {
 *       %1: f32[2,8] = slice %0 start=[1,0] stop=[6,8] step=[3,1]
 *       %2: f32[2,8] = rev %1 dims=[1]
 *       return %2
 *     }
 *
 * reads element [1 + 3 i0, 7 - i1] of %0, whose rows have 8:
 *
 *     load ..: in0 at -1 i1 + 24 i0 + 15
 *     store out0 at i1 + 8 i0
 *
 * A quotient and the remainder beside it are one place again, where the strides say so: of f32[6,8]
 * that is read as one dim, row i / 8 and column i % 8 are at 8 (i / 8) + i % 8, which is i. So the
 * sum of a matrix by parts, each a run of its elements, reads neighbours:
 *
 *     (%0: f32[6,8]) -> f32[48] {
 *       %1: f32[48] = reshape %0 dims=[48]
 *       %2: f32[48] = exp %1
 *       return %2
 *     }
 *
 *     load ..: in0 at i0
 */
#include "engine/cpu/native/nest.h"

static int64_t add(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }
static int64_t times(int64_t a, int64_t b) { return (int64_t)((uint64_t)a * (uint64_t)b); }

int64_t address_times(const address *a, kvar atom)
{
	for (int i = 0; i < a->n; i++)
		if (a->term[i].atom.id == atom.id) return a->term[i].times;
	return 0;
}

void address_drop(address *a, kvar atom)
{
	int n = 0;

	for (int i = 0; i < a->n; i++)
		if (a->term[i].atom.id != atom.id) a->term[n++] = a->term[i];
	a->n = n;
}

typedef struct sum { /* an address that grows */
	nest *nest;
	address *to;
	int room;
} sum;

static bool put_atom(sum *s, kvar atom, int64_t by)
{
	address *a = s->to;

	for (int i = 0; i < a->n; i++)
		if (a->term[i].atom.id == atom.id) {
			a->term[i].times = add(a->term[i].times, by);
			return true;
		}
	if (a->n == s->room) {
		const int room = s->room ? 2 * s->room : 8;
		term *larger = pool_take(s->nest->pool, (size_t)room, sizeof *larger);
		if (!larger) return false;
		for (int i = 0; i < a->n; i++) larger[i] = a->term[i];
		a->term = larger;
		s->room = room;
	}
	a->term[a->n++] = (term){atom, by};
	return true;
}

/* adds v `by` times */
static bool put(sum *s, kvar v, int64_t by)
{
	const knode *nodes = s->nest->k->nodes, *n = &nodes[v.id];

	while (n->op == K_ADD || (n->op == K_MUL && nodes[n->args[1].id].op == K_CONST)) {
		if (n->op == K_MUL)
			by = times(by, (int64_t)nodes[n->args[1].id].bits);
		else if (!put(s, n->args[1], by))
			return false;
		v = n->args[0];
		n = &nodes[v.id];
	}
	if (n->op != K_CONST) return put_atom(s, v, by);
	s->to->constant = add(s->to->constant, times(by, (int64_t)n->bits));
	return true;
}

bool address_of_difference(nest *s, address *to, kvar a, kvar b)
{
	sum sum = {s, to, 0};

	*to = (address){0};
	return put(&sum, a, 1) && put(&sum, b, -1);
}

/* v as the quotient of a value, which is not below 0, by *by; v itself by 1 */
static kvar quotient_of(const nest *s, kvar v, int64_t *by)
{
	const knode *nodes = s->k->nodes, *n = &nodes[v.id];

	for (*by = 1; n->op == K_DIV && nodes[n->args[1].id].op == K_CONST; n = &nodes[v.id]) {
		const int64_t c = (int64_t)nodes[n->args[1].id].bits;
		if (nodes[n->args[0].id].low < 0 || c < 1 ||
		    __builtin_mul_overflow(*by, c, by))
			break;
		v = n->args[0];
	}
	return v;
}

/* Is term q the quotient that belongs to the remainder r = y % b, so that both are a multiple of y?
 * With y = x / a: (x / (a b)) b u + (y % b) u is y u */
static bool is_beside(const nest *s, const term *q, const term *r)
{
	const knode *n = &s->k->nodes[r->atom.id];
	int64_t of_y, of_q, whole;

	if (n->op != K_REM || s->k->nodes[n->args[1].id].op != K_CONST ||
	    s->k->nodes[n->args[0].id].low < 0)
		return false;
	const int64_t b = (int64_t)s->k->nodes[n->args[1].id].bits;
	const kvar y = quotient_of(s, n->args[0], &of_y), x = quotient_of(s, q->atom, &of_q);
	return b > 1 && x.id == y.id && !__builtin_mul_overflow(of_y, b, &whole) &&
	       of_q == whole && q->times == times(r->times, b);
}

/* joins a quotient and its remainder, if there are such. false: no memory */
static bool join_parts(sum *s)
{
	const address *a = s->to;

	for (int i = 0; i < a->n; i++)
		for (int j = 0; j < a->n; j++) {
			const term q = a->term[i], r = a->term[j];
			if (i == j || !is_beside(s->nest, &q, &r)) continue;
			address_drop(s->to, q.atom);
			address_drop(s->to, r.atom);
			if (!put(s, s->nest->k->nodes[r.atom.id].args[0], r.times)) return false;
			i = -1;
			break;
		}
	return true;
}

static bool put_place(nest *s, address *to, const type *t, const kvar *index)
{
	sum sum = {s, to, 0};
	int64_t stride = 1;

	for (int d = t->ndim - 1; d >= 0; d--) {
		if (t->dims[d] != 1 && !put(&sum, index[d], stride)) return false;
		stride = times(stride, t->dims[d]);
	}
	return join_parts(&sum);
}

static bool store_address(nest *s, int32_t result)
{
	const kresult *r = &s->k->results[result];
	const type *t = r->type;
	kvar *index = pool_take(s->pool, (size_t)t->ndim + 1, sizeof *index);

	if (!index) return false;
	for (int d = 0; d < t->ndim; d++)
		index[d] = r->at ? r->at[d] : s->k->regions[d + 1].index[0];
	return put_place(s, &s->store[result], t, index);
}

static void need_atoms(nest *s, const address *a)
{
	for (int i = 0; i < a->n; i++) {
		const kvar atom = a->term[i].atom;
		if (s->k->nodes[atom.id].op != K_INDEX) s->needed[atom.id] = true;
	}
}

static void need_node(nest *s, int32_t id)
{
	const knode *n = &s->k->nodes[id];
	const int inner = n->op == K_IF ? 2 : n->op == K_REDUCE;

	if (n->op == K_LOAD || n->op == K_HELD) {
		need_atoms(s, &s->load[id]);
		return;
	}
	for (int r = 0; r < inner; r++) {
		const kregion *region = &s->k->regions[n->inner[r]];
		for (int i = 0; i < region->nyields; i++) s->needed[region->yield[i].id] = true;
	}
	if (n->op == K_IF) s->needed[n->args[0].id] = true;
	for (int i = 0; !inner && i < n->nargs; i++) s->needed[n->args[i].id] = true;
}

/* the operands of a node have smaller ids than the node, so one walk from the last to the first
 * does it */
bool addresses_find(nest *s)
{
	const kernel *k = s->k;

	for (int32_t i = 0; i < k->nresults; i++) {
		s->needed[k->results[i].value.id] = true;
		if (k->results[i].guard.id) s->needed[k->results[i].guard.id] = true;
		if (!store_address(s, i)) return false;
		need_atoms(s, &s->store[i]);
	}
	for (int32_t id = k->nnodes - 1; id > 0; id--) {
		const knode *n = &k->nodes[id];
		if (!s->needed[id]) continue;
		const type *t = n->op == K_LOAD   ? type_of(k->program, k->program->in[n->bits])
		                : n->op == K_HELD ? k->results[0].type
		                                  : NULL;
		if (t && !put_place(s, &s->load[id], t, n->args)) return false;
		need_node(s, id);
	}
	return true;
}
