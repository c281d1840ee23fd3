/* lower.c - lowers a program to a kernel: elements are pulled from the results back to the inputs.
 *
 * Example:
 *
 *     f(%0: f32[4,3]) -> f32[3,4] {
 *       %1: f32[3,4] = transpose %0 perm=[1,0]
 *       %2: f32[3,4] = neg %1
 *       return %2
 *     }
 *
 * The rule of neg is asked for element (i0, i1) of %2 and asks for that of %1; the rule of
 * transpose asks for element (i1, i0) of %0, which is an input, so a load. The transpose costs
 * nothing:
 *
 *     kernel(in0: f32[4,3]) -> (out0: f32[3,4]) {
 *       for i0 < 3 {
 *         for i1 < 4 {
 *           %0: f32 = load in0[i1, i0]
 *           %1: f32 = neg %0
 *           store out0 = %1 } } }
 *
 * Elements that go to places which only a run knows are not pulled, but put there: the loops are
 * then those of what is put. Nothing but such a row makes the result then. */
#include "kernel/work.h"

/* the program that has the equation which is being lowered */
static const program *here(const kernel *k)
{
	return k->work->expansion ? k->work->expansion : k->program;
}

const type *k_type(const kernel *k, const eqn *e, int operand)
{
	return type_of(here(k), e->in[operand]);
}

const type *k_result_type(const kernel *k, const eqn *e) { return type_of(here(k), e->out[0]); }

/* ---- elements that were asked for before */

typedef struct asked {
	const kernel *k;
	int32_t var;
	int ndim;
	const kvar *index;
} asked;

static bool same_element(const void *entry, const void *key)
{
	const kmade *m = entry;
	const asked *a = key;

	return m->var == a->var &&
	       memcmp(m->index, a->index, (size_t)a->ndim * sizeof *m->index) == 0 &&
	       region_sees(a->k, a->k->work->current, node_of(a->k, m->value)->region);
}

static uint64_t asked_hash(const asked *a)
{
	return hash_bytes(a->index, (size_t)a->ndim * sizeof *a->index, (uint64_t)a->var);
}

static void remember(kernel *k, const asked *a, kvar value)
{
	kmade *m = arena_alloc(k->arena, sizeof *m);

	if (m) m->index = arena_copy(k->arena, a->index, (size_t)a->ndim * sizeof *a->index);
	if (!m || !m->index) {
		k->work->failed = true;
		return;
	}
	m->var = a->var;
	m->value = value;
	if (!table_add(&k->work->made, asked_hash(a), m)) k->work->failed = true;
}

/* ---- elements */

/* the equations of an expansion, on one element of the operands of e */
static kvar lower_expansion(kernel *k, const eqn *e, const kvar *index)
{
	const program *p = eqn_expansion(e);
	kvar *values = arena_array(k->arena, (size_t)p->nvars, sizeof *values);

	if (!values) k->work->failed = true;
	if (!values) return (kvar){0};
	for (int i = 0; i < p->nin; i++) values[p->in[i].id] = k_operand(k, e, i, index);
	for (int v = 1; v < p->nvars && !stopped(k); v++)
		if (p->vars[v].literal)
			values[v] = k_const(k, p->vars[v].type->dtype, p->vars[v].literal);
	k->work->expansion = p;
	k->work->values = values;
	for (int i = 0; i < p->neqns && !stopped(k); i++)
		p->eqns[i].prim->lower(k, &p->eqns[i], NULL, &values[p->eqns[i].out[0].id]);
	k->work->expansion = NULL;
	return values[p->out[0].id];
}

static kvar lower_equation(kernel *k, const asked *a, const eqn *e)
{
	const kmade *made = table_find(&k->work->made, asked_hash(a), same_element, a);
	kvar value = {0};

	if (made) return made->value;
	kvar *to = k_room(k, e->nout);
	if (k->work->depth == MAX_KERNEL_DEPTH) k->work->too_large = true;
	if (stopped(k)) return value;
	k->work->depth++;
	if (eqn_expansion(e))
		to[0] = lower_expansion(k, e, a->index);
	else
		e->prim->lower(k, e, a->index, to);
	k->work->depth--;
	for (int j = 0; j < e->nout; j++) {
		if (e->out[j].id == a->var) value = to[j];
		if (!stopped(k) && to[j].id)
			remember(k, &(asked){k, e->out[j].id, a->ndim, a->index}, to[j]);
	}
	return value;
}

static kvar element(kernel *k, var v, const kvar *index)
{
	const var_info *info = &k->program->vars[v.id];
	const int32_t source = k->work->source[v.id];
	const int ndim = info->type->ndim;

	if (stopped(k)) return (kvar){0};
	if (info->literal) return literal_make(k, info->type->dtype, info->literal);
	kvar *at = k_room(k, ndim);
	for (int d = 0; d < ndim; d++) at[d] = info->type->dims[d] == 1 ? k_ix(k, 0) : index[d];
	if (source >= 0) return k_load(k, source, at, ndim);
	return lower_equation(k, &(asked){k, v.id, ndim, at}, &k->program->eqns[-1 - source]);
}

kvar k_operand(kernel *k, const eqn *e, int operand, const kvar *index)
{
	if (k->work->expansion) return k->work->values[e->in[operand].id];
	return element(k, e->in[operand], index);
}

/* ---- kernels */

static bool sources_make(kernel *k)
{
	const program *p = k->program;
	int most = 0;

	k->work->source = arena_array(k->arena, (size_t)p->nvars, sizeof *k->work->source);
	if (!k->work->source) return false;
	for (int i = 0; i < p->nin; i++) k->work->source[p->in[i].id] = i;
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		if (!e->prim->lower && !eqn_expansion(e) &&
		    !(e->prim->put && e->out[0].id == p->out[0].id))
			return fail(k->base, e->where, TSR_ERROR_UNSUPPORTED,
			            "%s is not lowered to kernels: %s", e->prim->name,
			            e->prim->no_rule[COL_LOWER] ? e->prim->no_rule[COL_LOWER]
			                                        : "it has no rule");
		for (int j = 0; j < e->nout; j++) k->work->source[e->out[j].id] = -1 - i;
	}
	for (int i = 1; i < p->nvars; i++)
		if (p->vars[i].type->ndim > most) most = p->vars[i].type->ndim;
	k->work->spare = arena_array(k->arena, 2 * (size_t)most + 2, sizeof(kvar));
	k->work->spare_extents = arena_array(k->arena, 2 * (size_t)most + 2, sizeof(int64_t));
	return k->work->spare && k->work->spare_extents;
}

/* the type of the result that has the most dims; those of the others are its first ones */
static const type *loops_of(const kernel *k)
{
	const program *p = k->program;
	const type *whole = type_of(p, p->out[0]);

	for (int i = 1; i < p->nout; i++)
		if (type_of(p, p->out[i])->ndim > whole->ndim) whole = type_of(p, p->out[i]);
	for (int i = 0; i < p->nout; i++) {
		const type *t = type_of(p, p->out[i]);
		if (dims_same(t->dims, t->ndim, whole->dims, t->ndim)) continue;
		fail(k->base, NULL, TSR_ERROR_UNSUPPORTED,
		     "one kernel cannot have these results: the dims of one are not the first "
		     "dims of another");
		return NULL;
	}
	return whole;
}

/* the equation that puts elements into the one result; NULL: there is none */
static const eqn *putting(const kernel *k)
{
	const program *p = k->program;
	const int32_t source = p->nout == 1 ? k->work->source[p->out[0].id] : 0;
	const eqn *e = source < 0 ? &p->eqns[-1 - source] : NULL;

	return e && e->prim->put ? e : NULL;
}

/* one loop for each dim of what is put, in the order of the rule */
static bool put_make(kernel *k, const eqn *e)
{
	const type **in = arena_array(k->arena, (size_t)e->nin, sizeof *in);
	const type *parts = k_type(k, e, e->nin - 1), *whole = k_result_type(k, e);
	put_loops l = {.dim = arena_array(k->arena, (size_t)parts->ndim + 1, sizeof *l.dim)};
	kvar *index = k_room(k, parts->ndim), *at = k_room(k, whole->ndim);

	if (!in || !l.dim) return false;
	for (int i = 0; i < e->nin; i++) in[i] = k_type(k, e, i);
	e->prim->put_loops(e, in, &l);
	k->work->current = -1;
	region_open(k, KREGION_BODY, NULL, 0, NULL);
	for (int d = 0; d < parts->ndim && !stopped(k); d++)
		region_open(k, KREGION_LOOP, &parts->dims[l.dim[d]], 1, &index[l.dim[d]]);
	k->ndim = parts->ndim;
	k->held = k->work->source[e->in[0].id];
	k->ordered = l.first;
	k->ordered_end = l.end;
	k->nresults = 1;
	k->results[0] = (kresult){.type = whole, .loops = k->ndim, .at = at};
	if (!stopped(k)) k->results[0].value = e->prim->put(k, e, index, at);
	return !stopped(k);
}

static bool loops_make(kernel *k, const type *whole, kvar *index)
{
	k->work->current = -1;
	region_open(k, KREGION_BODY, NULL, 0, NULL);
	for (int d = 0; d < whole->ndim && !stopped(k); d++)
		region_open(k, KREGION_LOOP, &whole->dims[d], 1, &index[d]);
	k->ndim = whole->ndim;
	return !stopped(k);
}

static bool results_make(kernel *k)
{
	const program *p = k->program;

	k->results = arena_array(k->arena, (size_t)p->nout + 1, sizeof *k->results);
	k->held = -1;
	if (k->results && putting(k)) return put_make(k, putting(k));
	const type *whole = p->nout ? loops_of(k) : NULL;
	if (!whole && p->nout) return false;
	kvar *index = k_room(k, whole ? whole->ndim : 0);
	if (!k->results || !whole || !loops_make(k, whole, index)) return k->results && !whole;
	for (; k->nresults < p->nout && !stopped(k); k->nresults++) {
		const type *t = type_of(p, p->out[k->nresults]);
		k->work->current = t->ndim;
		k->results[k->nresults] =
			(kresult){.type = t,
		                  .value = element(k, p->out[k->nresults], index),
		                  .loops = t->ndim};
	}
	return !stopped(k);
}

static kernel *kernel_begin(const program *p)
{
	arena *a = arena_make(p->ir->base);
	kernel *k = a ? arena_alloc(a, sizeof *k) : NULL;

	if (k) k->work = arena_alloc(a, sizeof *k->work);
	if (!k || !k->work) {
		arena_free(a);
		return NULL;
	}
	k->base = p->ir->base;
	k->arena = a;
	k->program = p;
	program_retain(p);
	k->work->nodes.base = k->work->made.base = k->base;
	k->work->current = 0;
	return k;
}

static void work_free(kernel *k)
{
	if (!k->work) return;
	table_free(&k->work->nodes, NULL);
	table_free(&k->work->made, NULL);
	mem_free(k->base, k->work->inside);
	mem_free(k->base, k->work->branch);
	mem_free(k->base, k->work->open);
	k->work = NULL;
}

void kernel_free(kernel *k)
{
	if (!k) return;
	work_free(k);
	mem_free(k->base, k->nodes);
	mem_free(k->base, k->regions);
	program_release(k->program);
	arena_free(k->arena);
}

size_t kernel_bytes(const kernel *k)
{
	return k ? mem_bytes(k->nodes) + mem_bytes(k->regions) + arena_bytes(k->arena) : 0;
}

/* nodes[0] is no value */
static bool no_value(kernel *k)
{
	return mem_room(k->base, (void **)&k->nodes, 0, &k->work->node_cap, sizeof *k->nodes) &&
	       (k->nodes[0] = (knode){.op = K_NONE}, k->nnodes = 1);
}

kernel *kernel_lower(const program *p, bool *fits)
{
	kernel *k = kernel_begin(p);

	*fits = true;
	if (!k) return NULL;
	const bool ok = no_value(k) && sources_make(k) && results_make(k) && kernel_end(k);
	*fits = ok || k->work->failed || !k->work->too_large;
	work_free(k);
	if (ok) return k;
	kernel_free(k);
	return NULL;
}
