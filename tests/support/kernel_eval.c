/* kernel_eval.c - evaluates a kernel, node by node for each index: the slow and obvious meaning.
 *
 * Sums and products follow docs/numerics.md, "Sums": blocks of 256 elements in 16 lanes, then a
 * binary tree over the lanes, then one over the blocks. Sums of products follow "Dot products":
 * the same blocks, each a chain of fused steps, and these one after the other.
 *
 * Example:
 *
 *     f(%0: f32[32]) -> f32[] {
 *       %1: f32[] = reduce_sum %0 dims=[0]
 *       return %1
 *     }
 *
 * Of 1e8, 1, zeros, and -1e8 as element 16, which is in the lane of element 0, the sum is exact.
 * Taken in their order, 1e8 and 1 would be 1e8, and the sum 0:
 *
 *     1 */
#include "support/kernels.h"
#include <math.h>

typedef struct machine {
	const kernel *k;
	const void *const *x;
	void *const *y;
	kscalar *value; /* of each node */
	bool ok;
} machine;

static void run_region(machine *, int32_t region);

static int64_t index_of(const machine *m, kvar v) { return (int64_t)m->value[v.id].bits; }

/* ---- elements of inputs and results */

static int64_t place(machine *m, const kvar *index, const type *t)
{
	int64_t at = 0;

	for (int d = 0; d < t->ndim; d++) {
		const int64_t i = index_of(m, index[d]);
		if (i < 0 || i >= t->dims[d]) {
			m->ok = fail(m->k->base, NULL, TSR_ERROR_ARGUMENT,
			             "a kernel reads index %lld of dim %d, which has size %lld",
			             (long long)i, d, (long long)t->dims[d]);
			return 0;
		}
		at = at * t->dims[d] + i;
	}
	return at;
}

static void load(machine *m, kvar v)
{
	const knode *n = &m->k->nodes[v.id];
	const type *t = type_of(m->k->program, m->k->program->in[n->bits]);
	const size_t size = tsr_dtype_size(t->dtype);
	const int64_t at = place(m, n->args, t);

	m->value[v.id] = (kscalar){.bits = 0};
	if (!m->ok) return;
	memcpy(&m->value[v.id], (const char *)m->x[n->bits] + (size_t)at * size, size);
	if (t->dtype == TSR_BOOL) m->value[v.id].bits = m->value[v.id].bytes[0] != 0;
}

static void load_held(machine *m, kvar v)
{
	const knode *n = &m->k->nodes[v.id];
	const type *t = m->k->results[0].type;
	const size_t size = tsr_dtype_size(t->dtype);
	const int64_t at = place(m, n->args, t);

	m->value[v.id] = (kscalar){.bits = 0};
	if (!m->ok) return;
	memcpy(&m->value[v.id], (const char *)m->y[0] + (size_t)at * size, size);
	if (t->dtype == TSR_BOOL) m->value[v.id].bits = m->value[v.id].bytes[0] != 0;
}

static void store(machine *m, int32_t result, const int64_t *index)
{
	const kresult *r = &m->k->results[result];
	const size_t size = tsr_dtype_size(r->type->dtype);
	int64_t at = r->at && m->ok ? place(m, r->at, r->type) : 0;

	for (int d = 0; !r->at && d < r->type->ndim; d++) at = at * r->type->dims[d] + index[d];
	if (m->ok) memcpy((char *)m->y[result] + (size_t)at * size, &m->value[r->value.id], size);
}

/* ---- reductions */

typedef struct reducing {
	machine *m;
	const knode *node;
	const kregion *region;
	kreduction kind;
	int64_t count, nblocks;
} reducing;

static int64_t product(const int64_t *dims, int n)
{
	int64_t size = 1;

	for (int d = 0; d < n; d++) size *= dims[d];
	return size;
}

/* the i-th element: sets the indices and runs the region */
static void run_element(const reducing *r, int64_t i)
{
	for (int d = r->region->ndim - 1; d >= 0; d--) {
		const kvar index = r->region->index[d];
		if (r->region->extents[d] != 1)
			r->m->value[index.id].bits = (uint64_t)(i % r->region->extents[d]);
		i /= r->region->extents[d];
	}
	run_region(r->m, r->node->inner[0]);
}

static kscalar yielded(const reducing *r, int which)
{
	return r->m->value[r->region->yield[which].id];
}

/* s = fma(a, b, s); of a complex number by parts: re + ar br - ai bi, im + ar bi + ai br */
static kscalar fused_step(tsr_dtype t, kscalar a, kscalar b, kscalar s)
{
	switch (t) {
	case TSR_F32: s.f32 = fmaf(a.f32, b.f32, s.f32); break;
	case TSR_F64: s.f64 = fma(a.f64, b.f64, s.f64); break;
	case TSR_C64:
		s.c64[0] = fmaf(-a.c64[1], b.c64[1], fmaf(a.c64[0], b.c64[0], s.c64[0]));
		s.c64[1] = fmaf(a.c64[1], b.c64[0], fmaf(a.c64[0], b.c64[1], s.c64[1]));
		break;
	default:
		s.c128[0] = fma(-a.c128[1], b.c128[1], fma(a.c128[0], b.c128[0], s.c128[0]));
		s.c128[1] = fma(a.c128[1], b.c128[0], fma(a.c128[0], b.c128[1], s.c128[1]));
	}
	return s;
}

#define COMPLEX_JOIN(part) \
	if (kind == KR_SUM) { \
		y.part[0] = a.part[0] + b.part[0]; \
		y.part[1] = a.part[1] + b.part[1]; \
	} else { \
		y.part[0] = a.part[0] * b.part[0] - a.part[1] * b.part[1]; \
		y.part[1] = a.part[0] * b.part[1] + a.part[1] * b.part[0]; \
	}

/* joins an element, or another partial result, to a partial result; not of DOT, ARGMAX and
 * ARGMIN */
static kscalar joined(kreduction kind, tsr_dtype t, kscalar a, kscalar b)
{
	static const kop op_of[] = {
		[KR_SUM] = K_ADD, [KR_PROD] = K_MUL, [KR_MAX] = K_MAX, [KR_MIN] = K_MIN,
		[KR_AND] = K_AND, [KR_OR] = K_OR,    [KR_XOR] = K_XOR};
	const knode node = {.op = op_of[kind], .dtype = t, .nargs = 2};
	kscalar y = {.bits = 0};

	if (t == TSR_C64) {
		COMPLEX_JOIN(c64)
		return y;
	}
	if (t == TSR_C128) {
		COMPLEX_JOIN(c128)
		return y;
	}
	return scalar_of(&node, t, (kscalar[]){a, b});
}

static kscalar reduce_join(const reducing *r, kscalar a, kscalar b)
{
	return joined(r->kind, r->node->dtype, a, b);
}

/* lanes of sums start from +0; the others as their first element */
static kscalar block_of(const reducing *r, int64_t first)
{
	const int64_t left = r->count - first, n = left < SUM_BLOCK ? left : SUM_BLOCK;
	const kscalar zero = {{0}};
	kscalar lane[SUM_LANES] = {{{0}}};
	const int lanes = n < SUM_LANES ? (int)n : SUM_LANES;

	for (int64_t i = 0; i < n; i++) {
		kscalar *to = &lane[i % SUM_LANES];
		run_element(r, first + i);
		const kscalar a = yielded(r, 0);
		if (i >= SUM_LANES)
			*to = reduce_join(r, *to, a);
		else
			*to = r->kind == KR_SUM ? reduce_join(r, zero, a) : a;
	}
	for (int step = 1; step < lanes; step *= 2)
		for (int i = 0; i + step < lanes; i += 2 * step)
			lane[i] = reduce_join(r, lane[i], lane[i + step]);
	return lane[0];
}

/* the tree over `size` blocks, a power of two. Missing blocks are left out */
static kscalar tree(const reducing *r, int64_t first, int64_t size)
{
	if (size == 1) return block_of(r, first * SUM_BLOCK);
	const kscalar left = tree(r, first, size / 2);
	if (first + size / 2 >= r->nblocks) return left;
	return reduce_join(r, left, tree(r, first + size / 2, size / 2));
}

/* chains of fused steps, each from +0 on, added one after the other */
static kscalar dot(const reducing *r)
{
	const tsr_dtype t = r->node->dtype;
	kscalar sum = {{0}};

	for (int64_t first = 0; first < r->count; first += SUM_BLOCK) {
		const int64_t end = r->count - first < SUM_BLOCK ? r->count : first + SUM_BLOCK;
		kscalar chain = {{0}};
		for (int64_t i = first; i < end; i++) {
			run_element(r, i);
			chain = fused_step(t, yielded(r, 0), yielded(r, 1), chain);
		}
		sum = first ? joined(KR_SUM, t, sum, chain) : chain;
	}
	return sum;
}

/* the best element so far is replaced by a strictly better one and by a NaN; a NaN is never
 * replaced */
static int64_t argument(const reducing *r)
{
	const tsr_dtype from = r->m->k->nodes[r->region->yield[0].id].dtype;
	const knode better = {
		.op = r->kind == KR_ARGMAX ? K_GT : K_LT, .dtype = TSR_BOOL, .nargs = 2};
	const knode differs = {.op = K_NE, .dtype = TSR_BOOL, .nargs = 2};
	kscalar best = {{0}};
	int64_t found = 0;

	for (int64_t i = 0; i < r->count; i++) {
		run_element(r, i);
		const kscalar a = yielded(r, 0);
		const bool is_nan = scalar_of(&differs, from, (kscalar[]){a, a}).bits;
		if (i && !is_nan && !scalar_of(&better, from, (kscalar[]){a, best}).bits) continue;
		best = a;
		found = i;
		if (is_nan) break;
	}
	return found;
}

static kscalar reduce(machine *m, const knode *n)
{
	const kregion *region = &m->k->regions[n->inner[0]];
	reducing r = {m, n, region, (kreduction)n->bits, product(region->extents, region->ndim), 0};
	int64_t size = 1;

	if (r.kind == KR_ARGMAX || r.kind == KR_ARGMIN)
		return (kscalar){.bits = (uint64_t)argument(&r)};
	if (r.kind == KR_DOT) return dot(&r);
	r.nblocks = (r.count + SUM_BLOCK - 1) / SUM_BLOCK;
	while (size < r.nblocks) size *= 2;
	return tree(&r, 0, size);
}

/* ---- nodes */

static kscalar branch(machine *m, const knode *n)
{
	const int32_t region = n->inner[m->value[n->args[0].id].bytes[0] ? 0 : 1];

	run_region(m, region);
	return m->value[m->k->regions[region].yield[0].id];
}

static void run_node(machine *m, kvar v)
{
	const knode *n = &m->k->nodes[v.id];
	kscalar x[3];

	switch (n->op) {
	case K_LOAD: load(m, v); return;
	case K_HELD: load_held(m, v); return;
	case K_IF: m->value[v.id] = branch(m, n); return;
	case K_REDUCE: m->value[v.id] = reduce(m, n); return;
	default: break;
	}
	for (int i = 0; i < n->nargs; i++) x[i] = m->value[n->args[i].id];
	m->value[v.id] = scalar_of(n, m->k->nodes[n->args[n->nargs - 1].id].dtype, x);
}

static void run_region(machine *m, int32_t region)
{
	const kregion *r = &m->k->regions[region];

	for (int32_t i = 0; m->ok && i < r->nnodes; i++) run_node(m, r->nodes[i]);
}

static void store_guarded(machine *m, int32_t result, const int64_t *index)
{
	const kresult *r = &m->k->results[result];

	if (r->guard.id && !m->value[r->guard.id].bytes[0]) return;
	if (r->guard.id) run_region(m, r->branch);
	store(m, result, index);
}

/* the nodes in d loops, and the loops inside */
static void run_loops(machine *m, int32_t d, int64_t *index)
{
	const kernel *k = m->k;

	run_region(m, d);
	for (int32_t j = 0; m->ok && j < k->nresults; j++)
		if (k->results[j].loops == d) store_guarded(m, j, index);
	if (d == k->ndim) return;
	const kregion *loop = &k->regions[d + 1];
	for (int64_t i = 0; m->ok && i < loop->extents[0]; i++) {
		index[d] = i;
		if (loop->extents[0] != 1) m->value[loop->index[0].id].bits = (uint64_t)i;
		run_loops(m, d + 1, index);
	}
}

bool kernel_eval(const kernel *k, const void *const *x, void *const *y)
{
	machine m = {k, x, y, mem_array(k->base, (size_t)k->nnodes, sizeof(kscalar)), true};
	int64_t *index = mem_array(k->base, (size_t)k->ndim + 1, sizeof *index);

	m.ok = m.value && index;
	for (int32_t id = 1; m.ok && id < k->nnodes; id++)
		if (k->nodes[id].op == K_CONST) m.value[id].bits = k->nodes[id].bits;
	if (m.ok && k->held >= 0 && k->results[0].type->size)
		memcpy(y[0], x[k->held],
		       (size_t)k->results[0].type->size *
		               tsr_dtype_size(k->results[0].type->dtype));
	if (m.ok && k->nresults && (k->held < 0 || k->results[0].type->size))
		run_loops(&m, 0, index);
	mem_free(k->base, m.value);
	mem_free(k->base, index);
	return m.ok;
}
