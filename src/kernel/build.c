/* build.c - makes the nodes and regions of a kernel that is being built.
 *
 * Example:
 *
 *     f(%0: f32[4,8]) -> f32[4,8] {
 *       %1: f32[4] = reduce_max %0 dims=[1]
 *       %2: f32[4,8] = broadcast_in_dim %1 dims=[4,8] at=[0]
 *       %3: f32[4,8] = div %0 %2
 *       return %3
 *     }
 *
 * A node is made once, in the outermost loop in which its operands are there: the maximum in the
 * loop over i0, the division in that over i1:
 *
 *     kernel(in0: f32[4,8]) -> (out0: f32[4,8]) {
 *       for i0 < 4 {
 *         %0: f32 = max r0 < 8 { .. }
 *         for i1 < 8 {
 *           %2: f32 = load in0[i0, i1]
 *           %3: f32 = div %2 %0
 *           store out0 = %3 } } }
 *
 * But nothing is moved out of a branch, whose condition may guard a load, or out of a loop that may
 * have no steps. A region is closed by the node that owns it (K_IF, K_REDUCE); that node too is
 * moved as far out as the values that its regions use allow. */
#include <math.h>
#include "kernel/work.h"

static bool room(kernel *k, void **items, int32_t count, size_t *cap, size_t size)
{
	if (!mem_room(k->base, items, (size_t)count, cap, size)) k->work->failed = true;
	return !k->work->failed;
}

kvar *k_room(kernel *k, int n)
{
	kvar *v = arena_array(k->arena, (size_t)n + 1, sizeof *v);

	if (!v) k->work->failed = true;
	return v ? v : k->work->spare;
}

int64_t *k_extents(kernel *k, int n)
{
	int64_t *v = arena_array(k->arena, (size_t)n + 1, sizeof *v);

	if (!v) k->work->failed = true;
	return v ? v : k->work->spare_extents;
}

tsr_dtype k_dtype(const kernel *k, kvar v) { return k->nodes[v.id].dtype; }

/* ---- where nodes are */

bool region_sees(const kernel *k, int32_t from, int32_t home)
{
	while (from > home) from = k->regions[from].parent;
	return from == home;
}

static bool has_steps(const kregion *r)
{
	for (int d = 0; d < r->ndim; d++)
		if (r->extents[d] == 0) return false;
	return true;
}

static int32_t home_of(const kernel *k, const kvar *args, int n)
{
	int32_t home = k->work->current;

	for (;;) {
		const kregion *r = &k->regions[home];
		if (r->kind == KREGION_BODY || r->kind == KREGION_BRANCH || !has_steps(r))
			return home;
		for (int i = 0; i < n; i++)
			if (node_of(k, args[i])->region == home) return home;
		home = r->parent;
	}
}

/* ---- nodes */

typedef struct wanted_node {
	const kernel *k;
	const knode *node;
} wanted_node;

static bool same_node(const void *entry, const void *key)
{
	const wanted_node *w = key;
	const knode *a = &w->k->nodes[(uintptr_t)entry], *b = w->node;

	if (a->op != b->op || a->dtype != b->dtype || a->bits != b->bits || a->nargs != b->nargs ||
	    a->literal != b->literal)
		return false;
	for (int32_t i = 0; i < a->nargs; i++)
		if (a->args[i].id != b->args[i].id) return false;
	return region_sees(w->k, w->k->work->current, a->region);
}

static uint64_t node_hash(const knode *n)
{
	uint64_t h = hash_u64((uint64_t)n->op << 32 | (uint64_t)n->dtype, n->bits);

	return hash_bytes(n->args, (size_t)n->nargs * sizeof *n->args, h);
}

static bool put_inside(kernel *k, int32_t region, kvar v)
{
	knodes *in = &k->work->inside[region];

	if (in->n == in->cap) {
		const int32_t cap = in->cap ? 2 * in->cap : 8;
		kvar *larger = arena_array(k->arena, (size_t)cap, sizeof *larger);
		if (!larger) {
			k->work->failed = true;
			return false;
		}
		if (in->n) memcpy(larger, in->v, (size_t)in->n * sizeof *larger);
		in->v = larger;
		in->cap = cap;
	}
	in->v[in->n++] = v;
	return true;
}

void k_refuse(kernel *k) { k->work->too_large = true; }

static kvar append(kernel *k, const knode *node)
{
	struct kwork *w = k->work;

	if (k->nnodes >= MAX_KERNEL_NODES) w->too_large = true;
	if (stopped(k) || !room(k, (void **)&k->nodes, k->nnodes, &w->node_cap, sizeof *k->nodes))
		return (kvar){0};
	knode *to = &k->nodes[k->nnodes];
	*to = *node;
	to->args = arena_copy(k->arena, node->args, (size_t)node->nargs * sizeof *node->args);
	if (!to->args) {
		w->failed = true;
		return (kvar){0};
	}
	set_range(k, to);
	const kvar v = {k->nnodes++};
	if (node->op != K_CONST && node->op != K_INDEX && !put_inside(k, node->region, v))
		return (kvar){0};
	return v;
}

/* the node, if it is made already, or a new one */
static kvar made(kernel *k, const knode *node)
{
	const uint64_t hash = node_hash(node);
	const void *found = table_find(&k->work->nodes, hash, same_node, &(wanted_node){k, node});

	if (found) return (kvar){(int32_t)(uintptr_t)found};
	const kvar v = append(k, node);
	if (v.id && !table_add(&k->work->nodes, hash, (void *)(uintptr_t)v.id))
		k->work->failed = true;
	return v;
}

/* ---- literals. A number of the program (f32 and f64) is a literal of the kernel if all that code
 * does with it is to take it from memory instead of from itself. Where its value would shape the
 * code it becomes a plain constant: as an operand of max and min, which are shorter beside a number
 * that is no NaN, as a divisor that has an exact reciprocal, and if it is 0 */

/* does 1 / x round to nothing? */
static bool is_power_of_2(const knode *x)
{
	int exponent;
	kscalar v = {.bits = x->bits};

	return fabs(frexp(x->dtype == TSR_F32 ? (double)v.f32 : v.f64, &exponent)) == 0.5;
}

/* does the code of this operation not depend on the value of this operand? */
static bool takes_literal(kop op, int operand, const knode *x)
{
	switch (op) {
	case K_ADD:
	case K_SUB:
	case K_MUL:
	case K_EQ:
	case K_NE:
	case K_LT:
	case K_LE:
	case K_GT:
	case K_GE:
	case K_ABS:
	case K_FLOOR:
	case K_COPYSIGN:
	case K_FMA:
	case K_SELECT:
	case K_CALL: return true;
	case K_DIV: return operand == 0 || !is_power_of_2(x);
	default: return false;
	}
}

kvar literal_make(kernel *k, tsr_dtype dtype, const void *value)
{
	kscalar x = {.bits = 0};

	if (dtype != TSR_F32 && dtype != TSR_F64) return k_const(k, dtype, value);
	memcpy(&x, value, tsr_dtype_size(dtype));
	if (dtype == TSR_F32 ? x.f32 == 0 : x.f64 == 0) return k_const(k, dtype, value);
	if (stopped(k)) return (kvar){0};
	return made(k, &(knode){.op = K_CONST, .dtype = dtype, .bits = x.bits, .literal = 1});
}

/* the operands, in which literals have become constants where the operation needs to know them */
static const kvar *settled(kernel *k, kop op, const kvar *args, int nargs)
{
	kvar *own = NULL;

	for (int i = 0; i < nargs; i++) {
		const knode x = *node_of(k, args[i]);
		if (!x.literal || takes_literal(op, i, &x)) continue;
		if (!own) own = memcpy(k_room(k, nargs), args, (size_t)nargs * sizeof *args);
		own[i] = k_node(k, K_CONST, x.dtype, NULL, 0, x.bits);
	}
	return own ? own : args;
}

kvar k_node(kernel *k, kop op, tsr_dtype dtype, const kvar *args, int nargs, uint64_t bits)
{
	if (stopped(k)) return (kvar){0};
	for (int i = 0; i < nargs; i++)
		if (!args[i].id) return (kvar){0};
	args = settled(k, op, args, nargs);
	if (stopped(k)) return (kvar){0};
	return made(k, &(knode){.op = op,
	                        .dtype = dtype,
	                        .region = op == K_CONST ? 0 : home_of(k, args, nargs),
	                        .nargs = nargs,
	                        .args = args,
	                        .bits = bits});
}

kvar k_load(kernel *k, int input, const kvar *index, int ndim)
{
	const program *p = k->program;

	return k_node(k, K_LOAD, type_of(p, p->in[input])->dtype, index, ndim, (uint64_t)input);
}

void k_guard(kernel *k, kvar condition)
{
	int64_t value;

	if (stopped(k) || !condition.id || (is_known(k, condition, &value) && value)) return;
	k->results[0].guard = condition;
	k->results[0].branch = region_open(k, KREGION_BRANCH, NULL, 0, NULL);
}

/* it may differ from step to step although its place does not, so it stays here */
kvar k_held(kernel *k, const kvar *at)
{
	const type *t = k->results[0].type;

	for (int d = 0; d < t->ndim; d++)
		if (!at[d].id) return (kvar){0};
	return append(k, &(knode){.op = K_HELD,
	                          .dtype = t->dtype,
	                          .region = k->work->current,
	                          .nargs = t->ndim,
	                          .args = at});
}

/* ---- regions */

int32_t region_open(kernel *k, kregion_kind kind, const int64_t *extents, int ndim, kvar *index)
{
	struct kwork *w = k->work;
	const int32_t r = k->nregions;

	if (stopped(k) || !room(k, (void **)&k->regions, r, &w->region_cap, sizeof *k->regions) ||
	    !room(k, (void **)&w->inside, r, &w->inside_cap, sizeof *w->inside))
		return -1;
	w->inside[r] = (knodes){0};
	kvar *own = k_room(k, ndim);
	int64_t *sizes = arena_array(k->arena, (size_t)ndim + 1, sizeof *sizes);
	if (!sizes) w->failed = true;
	if (stopped(k)) return -1;
	if (ndim) memcpy(sizes, extents, (size_t)ndim * sizeof *sizes);
	k->regions[r] = (kregion){
		.kind = kind, .parent = w->current, .ndim = ndim, .extents = sizes, .index = own};
	k->nregions++;
	for (int d = 0; d < ndim; d++) {
		const knode at = {
			.op = K_INDEX, .dtype = TSR_I64, .region = r, .bits = (uint64_t)d};
		own[d] = sizes[d] == 1 ? k_ix(k, 0) : append(k, &at);
		index[d] = own[d];
	}
	w->current = r;
	return r;
}

/* appends to list the values that a region uses from those around it, each once */
static int captures(const kernel *k, int32_t region, kvar *list, int n)
{
	const knodes *in = &k->work->inside[region];
	const kregion *r = &k->regions[region];

	for (int32_t i = 0; i <= in->n; i++) {
		const bool at_end = i == in->n;
		const kvar *args = at_end ? r->yield : node_of(k, in->v[i])->args;
		const int32_t nargs = at_end ? r->nyields : node_of(k, in->v[i])->nargs;
		for (int32_t j = 0; j < nargs; j++) {
			const knode *x = node_of(k, args[j]);
			bool listed = x->op == K_CONST || x->region == region;
			for (int c = 0; !listed && c < n; c++) listed = list[c].id == args[j].id;
			if (!listed) list[n++] = args[j];
		}
	}
	return n;
}

static int uses(const kernel *k, int32_t region)
{
	const knodes *in = &k->work->inside[region];
	int n = 2;

	for (int32_t i = 0; i < in->n; i++) n += node_of(k, in->v[i])->nargs;
	return n;
}

/* makes the node that owns the regions just closed; first: an operand of its own, such as a
 * condition */
static kvar close_regions(kernel *k, knode *owner, kvar first, int nregions)
{
	int most = 1, n = 0;

	for (int i = 0; i < nregions; i++) most += uses(k, owner->inner[i]);
	kvar *args = arena_array(k->arena, (size_t)most, sizeof *args);
	if (!args) {
		k->work->failed = true;
		return (kvar){0};
	}
	if (first.id) args[n++] = first;
	for (int i = 0; i < nregions; i++) n = captures(k, owner->inner[i], args, n);
	owner->args = args;
	owner->nargs = n;
	owner->region = home_of(k, args, n);
	for (int i = 0; i < nregions; i++) k->regions[owner->inner[i]].parent = owner->region;
	return append(k, owner);
}

static void set_yields(kernel *k, int32_t region, int n, kvar a, kvar b)
{
	k->regions[region].nyields = n;
	k->regions[region].yield[0] = a;
	k->regions[region].yield[1] = b;
}

/* ---- reductions */

void k_reduce_begin(kernel *k, const int64_t *extents, int ndim, kvar *index)
{
	struct kwork *w = k->work;
	const int32_t opener = w->current;

	if (!stopped(k) && room(k, (void **)&w->open, w->nopen, &w->open_cap, sizeof *w->open)) {
		w->open[w->nopen++] = opener;
		region_open(k, KREGION_REDUCE, extents, ndim, index);
	}
	if (stopped(k)) memset(index, 0, (size_t)ndim * sizeof *index);
}

/* the maximum of bools is or, their minimum is and */
static kreduction of_bools(kreduction kind)
{
	return kind == KR_MAX ? KR_OR : kind == KR_MIN ? KR_AND : kind;
}

kvar k_reduce_end(kernel *k, kreduction kind, kvar a, kvar b)
{
	const bool arg = kind == KR_ARGMAX || kind == KR_ARGMIN;

	if (stopped(k) || !a.id || (kind == KR_DOT && !b.id)) return (kvar){0};
	const int32_t region = k->work->current;
	if (k_dtype(k, a) == TSR_BOOL) kind = of_bools(kind);
	knode owner = {.op = K_REDUCE,
	               .dtype = arg ? TSR_I64 : k_dtype(k, a),
	               .bits = (uint64_t)kind,
	               .inner = {region}};
	set_yields(k, region, kind == KR_DOT ? 2 : 1, a, b);
	k->work->current = k->work->open[--k->work->nopen];
	if (has_steps(&k->regions[region])) return close_regions(k, &owner, (kvar){0}, 1);
	const kscalar neutral = scalar_neutral(kind, owner.dtype);
	return k_const(k, owner.dtype, &neutral);
}

/* ---- branches */

bool k_if(kernel *k, kvar condition)
{
	struct kwork *w = k->work;
	kbranch br = {.condition = condition, .opener = w->current, .known = -1};
	int64_t value;

	if (is_known(k, condition, &value)) br.known = value != 0;
	if (stopped(k) || !condition.id ||
	    !room(k, (void **)&w->branch, w->nbranches, &w->branch_cap, sizeof *w->branch))
		return false;
	if (br.known < 0) br.region[0] = region_open(k, KREGION_BRANCH, NULL, 0, NULL);
	w->branch[w->nbranches++] = br;
	return br.known != 0;
}

bool k_else(kernel *k)
{
	struct kwork *w = k->work;

	if (stopped(k)) return false;
	kbranch *br = &w->branch[w->nbranches - 1];
	if (br->known >= 0) return !br->known;
	w->current = br->opener;
	br->region[1] = region_open(k, KREGION_BRANCH, NULL, 0, NULL);
	return true;
}

kvar k_end(kernel *k, kvar if_true, kvar if_false)
{
	struct kwork *w = k->work;

	if (stopped(k)) return (kvar){0};
	const kbranch br = w->branch[--w->nbranches];
	if (br.known >= 0) return br.known ? if_true : if_false;
	w->current = br.opener;
	if (!if_true.id || !if_false.id) return (kvar){0};
	knode owner = {
		.op = K_IF, .dtype = k_dtype(k, if_true), .inner = {br.region[0], br.region[1]}};
	if (if_true.id == if_false.id) return if_true;
	set_yields(k, br.region[0], 1, if_true, (kvar){0});
	set_yields(k, br.region[1], 1, if_false, (kvar){0});
	return close_regions(k, &owner, br.condition, 2);
}
