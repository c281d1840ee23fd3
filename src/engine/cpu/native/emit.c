/* emit.c - the function of a kernel: its loops from the outermost to the innermost, and in each the
 * nodes and stores that stand there.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f32[4,8], %1: f32[4]) -> f32[4,8] {
 *       %2: f32[4,8] = broadcast_in_dim %1 dims=[4,8] at=[0]
 *       %3: f32[4,8] = mul %0 %2
 *       return %3
 *     }
 *
 * The element of %1 stands in the outer loop, and is read there, once a row; the inner loop is one
 * vector:
 *
 *     for i0 < 4
 *     for i1 < 8, 8 lanes
 *     define void @example(ptr %0, i64 %1, i64 %2) {
 *     .. = load float, ptr ..
 *     .. = load <8 x float>, ptr ..
 *     .. = fmul <8 x float> ..
 *     store <8 x float> ..
 */
#include "engine/cpu/native/emit.h"

/* ---- nodes */

static value emit_plain(emitter *e, const knode *n)
{
	value x[3];
	int lanes = 0;

	for (int i = 0; i < n->nargs; i++) {
		x[i] = e->value[n->args[i].id];
		if (llvm_is_vector(x[i].v)) lanes = e->lanes;
	}
	for (int i = 0; i < n->nargs; i++) x[i] = splat_value(e, x[i], lanes);
	return emit_op(e, n, e->k->nodes[n->args[n->nargs - 1].id].dtype, x);
}

/* ---- values kept in rows of memory */

static LLVMValueRef in_row(emitter *e, kvar v)
{
	const int row = e->nest->row[v.id];
	const int64_t extent = e->nest->loops.walk[e->nest->loops.n - 1].extent;
	const LLVMTypeRef t = type_one(e, e->k->nodes[v.id].dtype);

	if (!e->row[row]) {
		e->row[row] = kept_array(e, t, extent + MOST_LANES);
		LLVMSetAlignment(e->row[row], MOST_LANES);
	}
	return LLVMBuildGEP2(e->b, t, e->row[row], &e->start, 1, "");
}

static void keep_in_row(emitter *e, kvar v)
{
	const LLVMValueRef x = splat(e, e->value[v.id].v, e->lanes);

	LLVMSetAlignment(LLVMBuildStore(e->b, x, in_row(e, v)),
	                 (unsigned)bits_of(e->k->nodes[v.id].dtype) / 8);
}

static value take_from_row(emitter *e, kvar v)
{
	const tsr_dtype t = e->k->nodes[v.id].dtype;
	const LLVMValueRef x =
		LLVMBuildLoad2(e->b, type_many(type_one(e, t), e->lanes), in_row(e, v), "");

	LLVMSetAlignment(x, (unsigned)bits_of(t) / 8);
	return (value){x, NULL};
}

void emit_node(emitter *e, kvar v)
{
	const knode *n = &e->k->nodes[v.id];
	const bool reduces = e->k->regions[n->region].kind == KREGION_REDUCE;

	if (e->known[v.id]) return;
	if (e->nest->row[v.id] && !reduces) {
		e->value[v.id] = take_from_row(e, v);
		return;
	}
	switch (n->op) {
	case K_LOAD: e->value[v.id] = emit_load(e, v); break;
	case K_IF: e->value[v.id] = emit_if(e, n); break;
	case K_REDUCE: emit_reduce(e, v); break;
	default: e->value[v.id] = emit_plain(e, n);
	}
	if (e->nest->row[v.id]) keep_in_row(e, v);
}

void emit_region(emitter *e, int32_t region)
{
	const kregion *r = &e->k->regions[region];

	for (int32_t i = 0; i < r->nnodes; i++)
		if (e->nest->needed[r->nodes[i].id]) emit_copies(e, r->nodes[i]);
}

/* ---- loops */

void emit_vectors(emitter *e, int at, LLVMValueRef i, LLVMValueRef mask)
{
	const kvar index = e->nest->loops.walk[at].index;
	const emitter was = *e;

	e->lanes = e->nest->lanes;
	e->along = index;
	e->start = i;
	e->mask = mask;
	e->edge = mask;
	e->some = true;
	const LLVMValueRef more = counting(e, LLVMInt64TypeInContext(e->c), e->lanes, 1);
	set_copies(e, index, (value){LLVMBuildAdd(e->b, splat(e, i, e->lanes), more, ""), NULL});
	if (e->strip)
		emit_strip(e);
	else
		emit_level(e, at + 1);
	context_restore(e, &was);
}

/* of i64; known if both are */
LLVMValueRef smaller_index(emitter *e, LLVMValueRef a, LLVMValueRef b)
{
	if (LLVMIsConstant(a) && LLVMIsConstant(b))
		return LLVMConstIntGetSExtValue(a) < LLVMConstIntGetSExtValue(b) ? a : b;
	return intrinsic(e, "llvm.smin", (LLVMValueRef[]){a, b}, 2);
}

LLVMValueRef larger_index(emitter *e, LLVMValueRef a, LLVMValueRef b)
{
	if (LLVMIsConstant(a) && LLVMIsConstant(b))
		return LLVMConstIntGetSExtValue(a) < LLVMConstIntGetSExtValue(b) ? b : a;
	return intrinsic(e, "llvm.smax", (LLVMValueRef[]){a, b}, 2);
}

/* a loop over the whole vectors from start to end that lie in part */
static void whole_vectors(emitter *e, int at, LLVMValueRef start, LLVMValueRef end, piece part)
{
	const LLVMValueRef from = larger_index(e, start, i64_of(e, part.first));
	const LLVMValueRef to = smaller_index(e, end, i64_of(e, part.end));
	loop l;

	if (part.first >= part.end) return;
	loop_begin(e, &l, from, to, e->nest->lanes, NULL, 0);
	emit_vectors(e, at, l.index, NULL);
	loop_end(e, &l, NULL, NULL);
}

static void know(emitter *e, const piece *p)
{
	for (int i = 0; i < e->nest->nconditions; i++) {
		const condition *c = &e->nest->condition[i];
		e->known[c->node] = p != NULL;
		if (p)
			set_copies(e, (kvar){c->node},
			           (value){LLVMConstInt(LLVMInt1TypeInContext(e->c),
			                                condition_at(c, p->first), 0),
			                   NULL});
	}
}

/* the pieces, and what lies between them; then the rest that fills no vector, under a mask */
static void vector_loop(emitter *e, int at, LLVMValueRef start, LLVMValueRef end)
{
	const int64_t extent = e->nest->loops.walk[at].extent, rest = extent % e->nest->lanes;
	int64_t done = 0;
	branch f;

	for (int i = 0; i < e->nest->npieces; i++) {
		const piece *p = &e->nest->piece[i];
		whole_vectors(e, at, start, end, (piece){done, p->first});
		know(e, p);
		whole_vectors(e, at, start, end, *p);
		know(e, NULL);
		done = p->end;
	}
	whole_vectors(e, at, start, end, (piece){done, extent - rest});
	if (!rest) return;
	branch_begin(e, &f, LLVMBuildICmp(e->b, LLVMIntEQ, end, i64_of(e, extent), ""));
	emit_vectors(e, at, i64_of(e, extent - rest), mask_first(e, (int)rest, e->nest->lanes));
	branch_else(e, &f);
	branch_end(e, &f, (value){NULL, NULL}, (value){NULL, NULL});
}

static void emit_loop(emitter *e, int at)
{
	const walk *w = &e->nest->loops.walk[at];
	LLVMValueRef start = i64_of(e, 0), end = i64_of(e, w->extent);
	loop l;

	if (!w->extent) return;
	if (at == 0 && e->nest->units > 1) {
		const LLVMValueRef unit = i64_of(e, e->nest->unit);
		start = LLVMBuildMul(e->b, e->first, unit, "");
		end = smaller_index(e, LLVMBuildMul(e->b, e->end, unit, ""), end);
	}
	if (at == e->nest->vector) {
		vector_loop(e, at, start, end);
		return;
	}
	if (e->nest->ntiled && at == e->nest->vector - 1) {
		emit_squares(e, at, start, end);
		return;
	}
	if (at == e->nest->jam) {
		emit_jammed(e, start, end);
		return;
	}
	loop_begin(e, &l, start, end, 1, NULL, 0);
	e->value[w->index.id].v = l.index;
	emit_level(e, at + 1);
	loop_end(e, &l, NULL, NULL);
}

static void store_copies(emitter *e, int32_t result)
{
	value *const first = e->value;

	for (int c = 0; c < e->copies; c++) {
		e->value = copy_of(e, c);
		emit_store(e, result);
	}
	e->value = first;
}

void emit_level(emitter *e, int level)
{
	const struct level *l = &e->nest->level[level];

	for (int32_t r = l->first; r < l->end; r++) emit_region(e, r);
	for (int32_t i = 0; i < e->k->nresults; i++) {
		const int ndim = e->k->results[i].type->ndim;
		if (ndim >= l->first && ndim < l->end) store_copies(e, i);
	}
	if (level < e->nest->loops.n) emit_loop(e, level);
}

/* ---- the function */

static LLVMValueRef parameter(emitter *e, int64_t i)
{
	const LLVMTypeRef pointer = LLVMPointerTypeInContext(e->c, 0);
	LLVMValueRef index = i64_of(e, i);
	const LLVMValueRef list = LLVMGetParam(e->fn, 0);

	return LLVMBuildLoad2(e->b, pointer, LLVMBuildGEP2(e->b, pointer, list, &index, 1, ""), "");
}

static bool room_for(emitter *e, pool *p)
{
	const kernel *k = e->k;

	for (int c = 0; c < (e->nest->joint ? MOST_COPIES : 1); c++) {
		e->copy[c] = pool_take(p, (size_t)k->nnodes + 1, sizeof *e->value);
		e->cell[c] = pool_take(p, (size_t)k->nnodes + 1, sizeof *e->value);
		if (!e->copy[c] || !e->cell[c]) return false;
	}
	e->value = e->copy[0];
	e->input = pool_take(p, (size_t)k->program->nin + 1, sizeof *e->input);
	e->result = pool_take(p, (size_t)k->nresults + 1, sizeof *e->result);
	e->row = pool_take(p, (size_t)e->nest->rows + 1, sizeof *e->row);
	e->known = pool_take(p, (size_t)k->nnodes + 1, sizeof *e->known);
	e->given = pool_take(p, (size_t)k->nnodes + 1, sizeof *e->given);
	return e->given && e->known && e->input && e->result && e->row;
}

/* constants stand in no region */
static void set_constants(emitter *e)
{
	for (int32_t id = 1; id < e->k->nnodes; id++) {
		const knode *n = &e->k->nodes[id];
		if (n->op == K_CONST) e->value[id] = emit_constant(e, n->dtype, n->bits);
	}
}

static void emit_body(emitter *e)
{
	const int nin = e->k->program->nin;
	const LLVMBasicBlockRef start = block_new(e);

	block_start(e, start);
	for (int i = 0; i < nin; i++) e->input[i] = parameter(e, i);
	for (int i = 0; i < e->k->nresults; i++) e->result[i] = parameter(e, nin + i);
	if (e->nest->units) emit_level(e, 0);
	LLVMBuildRetVoid(e->b);
	block_start(e, e->entry);
	LLVMBuildBr(e->b, start);
}

bool emit_kernel(LLVMModuleRef m, const nest *s, const char *name, int max_bytes, pool *p)
{
	emitter e = {.k = s->k,
	             .nest = s,
	             .max_bytes = max_bytes,
	             .c = LLVMGetModuleContext(m),
	             .m = m,
	             .copies = 1,
	             .across = 1,
	             .some = true};
	const LLVMTypeRef i64 = LLVMInt64TypeInContext(e.c);
	LLVMTypeRef types[3] = {LLVMPointerTypeInContext(e.c, 0), i64, i64};

	if (!room_for(&e, p)) return false;
	e.fn = LLVMAddFunction(m, name, LLVMFunctionType(LLVMVoidTypeInContext(e.c), types, 3, 0));
	e.first = LLVMGetParam(e.fn, 1);
	e.end = LLVMGetParam(e.fn, 2);
	e.entry = block_new(&e);
	e.b = LLVMCreateBuilderInContext(e.c);
	set_constants(&e);
	emit_body(&e);
	LLVMDisposeBuilder(e.b);
	return true;
}
