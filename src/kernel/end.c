/* end.c - finishes a kernel: drops the nodes that no result needs, puts the others in the order
 * of the text, and writes its literals and the words that two kernels are compared by.
 *
 * Example:
 *
 *     f(%0: f32[4]) -> f32[4] {
 *       %1: f32[4] = mul %0 1.5:f32
 *       return %1
 *     }
 *     g(%0: f32[4]) -> f32[4] {
 *       %1: f32[4] = mul %0 2.5:f32
 *       return %1
 *     }
 *     h(%0: f32[4]) -> f32[4] {
 *       %1: f32[4] = mul %0 0.0:f32
 *       return %1
 *     }
 *
 * A literal is in the words by its place alone, and its value beside them, so that one piece of
 * machine code does for all numbers. 0 is no literal (build.c):
 *
 *     kernel(in0: f32[4]) -> (out0: f32[4]) { .. %1: f32 = mul %0 1.5:f32 .. }
 *     that of g is the same
 *     that of h is another one */
#include "kernel/work.h"

/* ---- the nodes that are needed, in the order of a depth-first walk from the results, operands
 * left to right: the order in which rules made them depends on the C compiler, and does not
 * count */

typedef struct needed_step { /* a node that waits for what it uses */
	int32_t id, next;
} needed_step;

typedef struct needed {
	kernel *k;
	needed_step *stack;
	int32_t depth;
	kvar *nodes; /* of all regions */
	int32_t *begin;
} needed;

static int32_t own_args(const knode *n)
{
	return n->op == K_REDUCE ? 0 : n->op == K_IF ? 1 : n->nargs;
}

/* the i-th value that a node uses: its operands, then the results of its regions. 0: no more */
static kvar used(const kernel *k, const knode *n, int32_t i)
{
	const int inner = n->op == K_IF ? 2 : n->op == K_REDUCE;

	if (i < own_args(n)) return n->args[i];
	i -= own_args(n);
	for (int r = 0; r < inner; r++) {
		const kregion *region = &k->regions[n->inner[r]];
		if (i < region->nyields) return region->yield[i];
		i -= region->nyields;
	}
	return (kvar){0};
}

static void needed_enter(needed *w, kvar v)
{
	knode *n = &w->k->nodes[v.id];

	if (n->number) return;
	n->number = -1;
	w->stack[w->depth++] = (needed_step){v.id, 0};
}

static void needed_leave(needed *w, int32_t id)
{
	const knode *n = &w->k->nodes[id];

	if (n->op == K_CONST || n->op == K_INDEX) return;
	kregion *r = &w->k->regions[n->region];
	w->nodes[w->begin[n->region] + r->nnodes++] = (kvar){id};
}

static void needed_from(needed *w, kvar v)
{
	needed_enter(w, v);
	while (w->depth) {
		needed_step *top = &w->stack[w->depth - 1];
		const int32_t id = top->id;
		const kvar next = used(w->k, &w->k->nodes[id], top->next++);
		if (next.id)
			needed_enter(w, next);
		else if (w->depth--)
			needed_leave(w, id);
	}
}

static bool order_needed(kernel *k)
{
	const size_t n = (size_t)k->nnodes + 1;
	needed w = {.k = k,
	          .stack = arena_array(k->arena, n, sizeof *w.stack),
	          .nodes = arena_array(k->arena, n, sizeof *w.nodes),
	          .begin = arena_array(k->arena, (size_t)k->nregions + 1, sizeof *w.begin)};

	if (!w.stack || !w.nodes || !w.begin) return false;
	for (int32_t r = 0; r < k->nregions; r++) {
		w.begin[r + 1] = w.begin[r] + k->work->inside[r].n;
		k->regions[r].nodes = w.nodes + w.begin[r];
	}
	for (int32_t i = 0; i < k->nresults; i++) {
		const kresult *r = &k->results[i];
		if (r->guard.id) needed_from(&w, r->guard);
		for (int d = 0; r->at && d < r->type->ndim; d++) needed_from(&w, r->at[d]);
		needed_from(&w, r->value);
	}
	return true;
}

/* drops values that nothing needs from the lists of what regions use from outside */
static bool keep_needed_args(kernel *k)
{
	for (int32_t id = 1; id < k->nnodes; id++) {
		knode *n = &k->nodes[id];
		if (n->op != K_IF && n->op != K_REDUCE) continue;
		kvar *kept = arena_array(k->arena, (size_t)n->nargs + 1, sizeof *kept);
		if (!kept) return false;
		const kvar *args = n->args;
		const int32_t nargs = n->nargs;
		n->args = kept;
		n->nargs = 0;
		for (int32_t i = 0; i < nargs; i++)
			if (k->nodes[args[i].id].number) kept[n->nargs++] = args[i];
	}
	return true;
}

/* ---- numbers and words */

typedef struct coder {
	kernel *k;
	uint64_t *words;
	uint64_t *literals;
	size_t n, cap;
	int32_t values, indices; /* indices of loops first, then of reductions */
	bool lost;
} coder;

static void word(coder *c, uint64_t w)
{
	if (!mem_room(c->k->base, (void **)&c->words, c->n, &c->cap, sizeof w)) c->lost = true;
	if (!c->lost) c->words[c->n++] = w;
}

static void words_of_type(coder *c, const type *t)
{
	word(c, (uint64_t)t->dtype << 32 | (uint64_t)t->ndim);
	for (int d = 0; d < t->ndim; d++) word(c, (uint64_t)t->dims[d]);
}

/* literals are listed in the order of their first use */
static uint64_t place_of_literal(coder *c, knode *n)
{
	if (n->number < 0) {
		c->literals[c->k->nliterals] = n->bits;
		n->literal = n->number = ++c->k->nliterals;
	}
	return (uint64_t)n->literal;
}

static void words_of_value(coder *c, kvar v)
{
	knode *n = &c->k->nodes[v.id];

	word(c, (uint64_t)(n->literal != 0) << 63 | (uint64_t)n->op << 32 | (uint64_t)n->dtype);
	word(c, n->literal         ? place_of_literal(c, n)
	        : n->op == K_CONST ? n->bits
	                           : (uint64_t)n->number);
}

static void words_of_region(coder *, int32_t region);

static void words_of_node(coder *c, knode *n)
{
	n->number = ++c->values;
	word(c, (uint64_t)n->op << 32 | (uint64_t)n->dtype);
	word(c, n->bits);
	for (int32_t i = 0; i < own_args(n); i++) words_of_value(c, n->args[i]);
	if (n->op == K_REDUCE || n->op == K_IF) words_of_region(c, n->inner[0]);
	if (n->op == K_IF) words_of_region(c, n->inner[1]);
}

static void words_of_region(coder *c, int32_t region)
{
	const kregion *r = &c->k->regions[region];

	word(c, (uint64_t)r->kind << 32 | (uint64_t)r->ndim);
	for (int32_t d = 0; d < r->ndim; d++) {
		word(c, (uint64_t)r->extents[d]);
		const int32_t number = r->kind == KREGION_LOOP ? region : ++c->indices;
		if (r->extents[d] != 1) c->k->nodes[r->index[d].id].number = number;
	}
	for (int32_t i = 0; i < r->nnodes; i++) words_of_node(c, &c->k->nodes[r->nodes[i].id]);
	for (int32_t i = 0; i < r->nyields; i++) words_of_value(c, r->yield[i]);
	word(c, UINT64_MAX);
}

static void words_of_kernel(coder *c)
{
	const kernel *k = c->k;
	const program *p = k->program;

	word(c, (uint64_t)p->nin);
	for (int i = 0; i < p->nin; i++) words_of_type(c, type_of(p, p->in[i]));
	if (!k->nresults) return;
	for (int32_t d = 0; d <= k->ndim; d++) words_of_region(c, d);
	for (int32_t i = 0; i < k->nresults; i++) {
		const kresult *r = &k->results[i];
		if (r->guard.id) words_of_value(c, r->guard);
		if (r->guard.id) words_of_region(c, r->branch);
		words_of_type(c, r->type);
		words_of_value(c, r->value);
		for (int d = 0; r->at && d < r->type->ndim; d++) words_of_value(c, r->at[d]);
	}
	if (k->held < 0) return;
	word(c, (uint64_t)k->held);
	word(c, (uint64_t)k->ordered << 32 | (uint64_t)k->ordered_end);
}

bool kernel_end(kernel *k)
{
	coder c = {.k = k, .indices = k->ndim};

	k->literals = c.literals = arena_array(k->arena, (size_t)k->nnodes, sizeof *c.literals);
	if (!k->literals || !order_needed(k) || !keep_needed_args(k)) return false;
	words_of_kernel(&c);
	k->ncode = c.n;
	k->code = c.lost ? NULL : arena_copy(k->arena, c.words, c.n * sizeof *c.words);
	if (k->code) k->hash = hash_bytes(k->code, k->ncode * sizeof *k->code, 0);
	mem_free(k->base, c.words);
	return k->code;
}

bool kernel_same(const kernel *a, const kernel *b)
{
	return a->hash == b->hash && a->ncode == b->ncode &&
	       memcmp(a->code, b->code, a->ncode * sizeof *a->code) == 0;
}
