/* end.c - what is left of a kernel that has been built: nodes that results need, in the order of
 * the text, and the words that say whether two kernels are the same. */
#include "kernel/work.h"

/* ---- what is needed. What a node uses has a lower id, also inside its regions */

static void need(kernel *k, kvar v) { k->nodes[v.id].number = -1; }

static void need_yields(kernel *k, int32_t region)
{
	for (int32_t i = 0; i < k->regions[region].nyields; i++)
		need(k, k->regions[region].yield[i]);
}

static void find_needed(kernel *k)
{
	for (int32_t i = 0; i < k->nresults; i++) need(k, k->results[i].value);
	for (int32_t id = k->nnodes - 1; id > 0; id--) {
		const knode *n = &k->nodes[id];
		const int32_t own = n->op == K_REDUCE ? 0 : n->op == K_IF ? 1 : n->nargs;
		if (!n->number) continue;
		for (int32_t i = 0; i < own; i++) need(k, n->args[i]);
		if (n->op == K_REDUCE || n->op == K_IF) need_yields(k, n->inner[0]);
		if (n->op == K_IF) need_yields(k, n->inner[1]);
	}
}

/* without those that nothing needs */
static kvar *needed(kernel *k, const kvar *v, int32_t n, int32_t *count)
{
	kvar *kept = arena_array(k->arena, (size_t)n + 1, sizeof *kept);

	*count = 0;
	for (int32_t i = 0; kept && i < n; i++)
		if (k->nodes[v[i].id].number) kept[(*count)++] = v[i];
	return kept;
}

static bool keep_needed(kernel *k)
{
	for (int32_t r = 0; r < k->nregions; r++) {
		kregion *to = &k->regions[r];
		const knodes *in = &k->work->inside[r];
		if (!(to->nodes = needed(k, in->v, in->n, &to->nnodes))) return false;
	}
	for (int32_t id = 1; id < k->nnodes; id++) {
		knode *n = &k->nodes[id];
		if (n->op != K_IF && n->op != K_REDUCE) continue;
		if (!(n->args = needed(k, n->args, n->nargs, &n->nargs))) return false;
	}
	return true;
}

/* ---- numbers and words */

typedef struct coder {
	kernel *k;
	uint64_t *words;
	size_t n, cap;
	int32_t values, indices;
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

static void words_of_value(coder *c, kvar v)
{
	const knode *n = node_of(c->k, v);

	word(c, (uint64_t)n->op << 32 | (uint64_t)n->dtype);
	word(c, n->op == K_CONST ? n->bits : (uint64_t)n->number);
}

static void words_of_region(coder *, int32_t region);

static void words_of_node(coder *c, knode *n)
{
	const int32_t own = n->op == K_REDUCE ? 0 : n->op == K_IF ? 1 : n->nargs;

	n->number = ++c->values;
	word(c, (uint64_t)n->op << 32 | (uint64_t)n->dtype);
	word(c, n->bits);
	for (int32_t i = 0; i < own; i++) words_of_value(c, n->args[i]);
	if (n->op == K_REDUCE || n->op == K_IF) words_of_region(c, n->inner[0]);
	if (n->op == K_IF) words_of_region(c, n->inner[1]);
}

static void words_of_region(coder *c, int32_t region)
{
	const kregion *r = &c->k->regions[region];

	word(c, (uint64_t)r->kind << 32 | (uint64_t)r->ndim);
	for (int32_t d = 0; d < r->ndim; d++) {
		word(c, (uint64_t)r->extents[d]);
		if (r->extents[d] != 1) c->k->nodes[r->index[d].id].number = ++c->indices;
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
		words_of_type(c, k->results[i].type);
		words_of_value(c, k->results[i].value);
	}
}

bool kernel_end(kernel *k)
{
	coder c = {.k = k};

	find_needed(k);
	if (!keep_needed(k)) return false;
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
