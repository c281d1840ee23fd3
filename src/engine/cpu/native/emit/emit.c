/* emit.c - the function of a kernel: its loops from the outermost to the innermost, and in each its
 * nodes and stores.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f32[4,8], %1: f32[4]) -> f32[4,8] {
 *       %2: f32[4,8] = broadcast_in_dim %1 dims=[4,8] at=[0]
 *       %3: f32[4,8] = mul %0 %2
 *       return %3
 *     }
 *
 * The element of %1 belongs to the outer loop, and is read there, once per row; the inner loop is
 * one vector:
 *
 *     for i0 < 4
 *     for i1 < 8, 8 lanes
 *     define void @example(ptr %0, i64 %1, i64 %2) {
 *     .. = load float, ptr ..
 *     .. = load <8 x float>, ptr ..
 *     .. = fmul <8 x float> ..
 *     store <8 x float> ..
 */
#include "engine/cpu/native/emit/emit.h"

/* ---- nodes */

static value emit_plain(emitter *g, const knode *n)
{
	value x[3];
	int lanes = 0;

	for (int i = 0; i < n->nargs; i++) {
		x[i] = g->value[n->args[i].id];
		if (llvm_is_vector(x[i].v)) lanes = g->in.lanes;
	}
	for (int i = 0; i < n->nargs; i++) x[i] = splat_value(g, x[i], lanes);
	return emit_op(g, n, g->k->nodes[n->args[n->nargs - 1].id].dtype, x);
}

/* ---- values kept in rows of memory */

static LLVMValueRef in_row(emitter *g, kvar v)
{
	const int row = g->nest->row[v.id];
	const int64_t extent = g->nest->loops.walk[g->nest->loops.n - 1].extent;
	const LLVMTypeRef t = type_one(g, g->k->nodes[v.id].dtype);

	if (!g->row[row]) {
		g->row[row] = kept_array(g, t, extent + MOST_LANES);
		LLVMSetAlignment(g->row[row], MOST_LANES);
	}
	return LLVMBuildGEP2(g->b, t, g->row[row], &g->in.start, 1, "");
}

static void keep_in_row(emitter *g, kvar v)
{
	const LLVMValueRef x = splat(g, g->value[v.id].v, g->in.lanes);

	LLVMSetAlignment(LLVMBuildStore(g->b, x, in_row(g, v)),
	                 (unsigned)bits_of(g->k->nodes[v.id].dtype) / 8);
}

static value take_from_row(emitter *g, kvar v)
{
	const tsr_dtype t = g->k->nodes[v.id].dtype;
	const LLVMValueRef x =
		LLVMBuildLoad2(g->b, type_many(type_one(g, t), g->in.lanes), in_row(g, v), "");

	LLVMSetAlignment(x, (unsigned)bits_of(t) / 8);
	return (value){x, NULL};
}

void emit_node(emitter *g, kvar v)
{
	const knode *n = &g->k->nodes[v.id];
	const bool reduces = g->k->regions[n->region].kind == KREGION_REDUCE;

	if (g->known[v.id]) return;
	if (g->nest->row[v.id] && !reduces) {
		g->value[v.id] = take_from_row(g, v);
		return;
	}
	switch (n->op) {
	case K_LOAD:
	case K_HELD: g->value[v.id] = emit_load(g, v); break;
	case K_IF: g->value[v.id] = emit_if(g, n); break;
	case K_REDUCE: emit_reduce(g, v); break;
	default: g->value[v.id] = emit_plain(g, n);
	}
	if (g->nest->row[v.id]) keep_in_row(g, v);
}

void emit_region(emitter *g, int32_t region)
{
	const kregion *r = &g->k->regions[region];

	for (int32_t i = 0; i < r->nnodes; i++)
		if (g->nest->needed[r->nodes[i].id]) emit_copies(g, r->nodes[i]);
}

/* ---- loops */

void emit_vectors(emitter *g, int at, LLVMValueRef i, LLVMValueRef mask)
{
	const kvar index = g->nest->loops.walk[at].index;
	const context around = g->in;

	g->in.lanes = g->nest->lanes;
	g->in.along = index;
	g->in.start = i;
	g->in.mask = mask;
	g->in.edge = mask;
	g->in.some = true;
	const LLVMValueRef more = counting(g, LLVMInt64TypeInContext(g->c), g->in.lanes, 1);
	set_copies(g, index, (value){LLVMBuildAdd(g->b, splat(g, i, g->in.lanes), more, ""), NULL});
	if (g->strip)
		emit_strip(g);
	else
		emit_level(g, at + 1);
	g->in = around;
}

/* of i64; known if both are */
LLVMValueRef smaller_index(emitter *g, LLVMValueRef a, LLVMValueRef b)
{
	if (LLVMIsConstant(a) && LLVMIsConstant(b))
		return LLVMConstIntGetSExtValue(a) < LLVMConstIntGetSExtValue(b) ? a : b;
	return intrinsic(g, "llvm.smin", (LLVMValueRef[]){a, b}, 2);
}

LLVMValueRef larger_index(emitter *g, LLVMValueRef a, LLVMValueRef b)
{
	if (LLVMIsConstant(a) && LLVMIsConstant(b))
		return LLVMConstIntGetSExtValue(a) < LLVMConstIntGetSExtValue(b) ? b : a;
	return intrinsic(g, "llvm.smax", (LLVMValueRef[]){a, b}, 2);
}

/* a loop over the whole vectors from start to end that are in `part` */
static void whole_vectors(emitter *g, int at, LLVMValueRef start, LLVMValueRef end, piece part)
{
	const LLVMValueRef from = larger_index(g, start, i64_of(g, part.first));
	const LLVMValueRef to = smaller_index(g, end, i64_of(g, part.end));
	loop_code l;

	if (part.first >= part.end) return;
	loop_begin(g, &l, from, to, g->nest->lanes, NULL, 0);
	emit_vectors(g, at, l.index, NULL);
	loop_end(g, &l, NULL);
}

static void know(emitter *g, const piece *p)
{
	for (int i = 0; i < g->nest->nconditions; i++) {
		const condition *c = &g->nest->condition[i];
		g->known[c->node] = p != NULL;
		if (p)
			set_copies(g, (kvar){c->node},
			           (value){LLVMConstInt(LLVMInt1TypeInContext(g->c),
			                                condition_at(c, p->first), 0),
			                   NULL});
	}
}

/* the pieces and the vectors between them; then, under a mask, the rest that does not fill a
 * vector */
static void vector_loop(emitter *g, int at, LLVMValueRef start, LLVMValueRef end)
{
	const int64_t extent = g->nest->loops.walk[at].extent, rest = extent % g->nest->lanes;
	int64_t done = 0;
	branch f;

	for (int i = 0; i < g->nest->npieces; i++) {
		const piece *p = &g->nest->piece[i];
		whole_vectors(g, at, start, end, (piece){done, p->first});
		know(g, p);
		whole_vectors(g, at, start, end, *p);
		know(g, NULL);
		done = p->end;
	}
	whole_vectors(g, at, start, end, (piece){done, extent - rest});
	if (!rest) return;
	branch_begin(g, &f, LLVMBuildICmp(g->b, LLVMIntEQ, end, i64_of(g, extent), ""));
	emit_vectors(g, at, i64_of(g, extent - rest), mask_first(g, (int)rest, g->nest->lanes));
	branch_else(g, &f);
	branch_end(g, &f, (value){NULL, NULL}, (value){NULL, NULL});
}

static void emit_loop(emitter *g, int at)
{
	const walk *w = &g->nest->loops.walk[at];
	LLVMValueRef start = i64_of(g, 0), end = i64_of(g, w->extent);
	loop_code l;

	if (!w->extent) return;
	if (at == 0 && g->nest->items > 1) {
		const LLVMValueRef item = i64_of(g, g->nest->item);
		start = LLVMBuildMul(g->b, g->first, item, "");
		end = smaller_index(g, LLVMBuildMul(g->b, g->end, item, ""), end);
	}
	if (at == 1 && g->column) {
		start = g->column;
		end = g->end_column;
	}
	if (at == g->nest->vector) {
		vector_loop(g, at, start, end);
		return;
	}
	if (g->nest->ntiled && at == g->nest->vector - 1) {
		emit_squares(g, at, start, end);
		return;
	}
	if (at == g->nest->jam) {
		emit_jammed(g, start, end);
		return;
	}
	loop_begin(g, &l, start, end, 1, NULL, 0);
	g->value[w->index.id].v = l.index;
	emit_level(g, at + 1);
	loop_end(g, &l, NULL);
}

static void store_copies(emitter *g, int32_t result)
{
	value *const first = g->value;

	for (int c = 0; c < g->copies; c++) {
		g->value = copy_of(g, c);
		emit_store(g, result);
	}
	g->value = first;
}

static void store_branch(emitter *g, int32_t result)
{
	emit_region(g, g->k->results[result].branch);
	store_copies(g, result);
}

/* where the guard is true, in each lane or in all */
static void store_guarded(emitter *g, int32_t result)
{
	const LLVMValueRef guard = g->value[g->k->results[result].guard.id].v;
	const context around = g->in;
	branch f;

	if (llvm_is_vector(guard)) {
		g->in.mask = both_masks(g, around.mask, guard);
		g->in.some = false;
		store_branch(g, result);
		g->in = around;
		return;
	}
	branch_begin(g, &f, guard);
	store_branch(g, result);
	branch_else(g, &f);
	branch_end(g, &f, (value){NULL, NULL}, (value){NULL, NULL});
}

void emit_level(emitter *g, int level)
{
	const struct level *l = &g->nest->level[level];

	for (int32_t r = l->first; r < l->end; r++) emit_region(g, r);
	for (int32_t i = 0; i < g->k->nresults; i++) {
		const int loops = g->k->results[i].loops;
		if (loops < l->first || loops >= l->end) continue;
		if (g->k->results[i].guard.id)
			store_guarded(g, i);
		else
			store_copies(g, i);
	}
	if (level < g->nest->loops.n) emit_loop(g, level);
}

/* ---- the function */

static LLVMValueRef parameter(emitter *g, int64_t i)
{
	const LLVMTypeRef pointer = LLVMPointerTypeInContext(g->c, 0);
	LLVMValueRef index = i64_of(g, i);
	const LLVMValueRef list = LLVMGetParam(g->fn, 0);

	return LLVMBuildLoad2(g->b, pointer, LLVMBuildGEP2(g->b, pointer, list, &index, 1, ""), "");
}

static bool room_for(emitter *g, pool *p)
{
	const kernel *k = g->k;

	for (int c = 0; c < (g->nest->joint ? MOST_COPIES : 1); c++) {
		g->copy[c] = pool_take(p, (size_t)k->nnodes + 1, sizeof *g->value);
		g->cell[c] = pool_take(p, (size_t)k->nnodes + 1, sizeof *g->value);
		if (!g->copy[c] || !g->cell[c]) return false;
	}
	g->value = g->copy[0];
	g->input = pool_take(p, (size_t)k->program->nin + 1, sizeof *g->input);
	g->result = pool_take(p, (size_t)k->nresults + 1, sizeof *g->result);
	g->row = pool_take(p, (size_t)g->nest->rows + 1, sizeof *g->row);
	g->known = pool_take(p, (size_t)k->nnodes + 1, sizeof *g->known);
	g->given = pool_take(p, (size_t)k->nnodes + 1, sizeof *g->given);
	return g->given && g->known && g->input && g->result && g->row;
}

static value emit_literal(emitter *g, const knode *n, LLVMValueRef list)
{
	LLVMValueRef index = i64_of(g, n->literal - 1);
	const LLVMValueRef at =
		LLVMBuildGEP2(g->b, LLVMInt64TypeInContext(g->c), list, &index, 1, "");

	return (value){LLVMBuildLoad2(g->b, type_one(g, n->dtype), at, ""), NULL};
}

/* constants belong to no region; literals: the address of their list */
static void set_constants(emitter *g, LLVMValueRef literals)
{
	for (int32_t id = 1; id < g->k->nnodes; id++) {
		const knode *n = &g->k->nodes[id];
		if (n->op == K_CONST && !n->literal)
			g->value[id] = emit_constant(g, n->dtype, n->bits);
		else if (n->op == K_CONST && n->number)
			g->value[id] = emit_literal(g, n, literals);
	}
}

static void emit_body(emitter *g)
{
	const int nin = g->k->program->nin, literals = g->k->nliterals > 0;
	const LLVMBasicBlockRef start = block_new(g);

	block_begin(g, start);
	for (int i = 0; i < nin; i++) g->input[i] = parameter(g, i);
	set_constants(g, literals ? parameter(g, nin) : NULL);
	for (int i = 0; i < g->k->nresults; i++) g->result[i] = parameter(g, nin + literals + i);
	if (g->nest->items) emit_loops(g);
	LLVMBuildRetVoid(g->b);
	block_begin(g, g->entry);
	LLVMBuildBr(g->b, start);
}

bool emit_kernel(LLVMModuleRef m, const nest *s, const char *name, int max_bytes, int64_t cache,
                 pool *p)
{
	emitter g = {.k = s->k,
	             .nest = s,
	             .max_bytes = max_bytes,
	             .cache = cache,
	             .c = LLVMGetModuleContext(m),
	             .m = m,
	             .copies = 1,
	             .across = 1,
	             .in.some = true};
	const LLVMTypeRef i64 = LLVMInt64TypeInContext(g.c);
	LLVMTypeRef types[5] = {LLVMPointerTypeInContext(g.c, 0), i64, i64, i64, i64};
	const unsigned ntypes = s->window.rows ? 5 : 3;

	if (!room_for(&g, p)) return false;
	g.fn = LLVMAddFunction(
		m, name, LLVMFunctionType(LLVMVoidTypeInContext(g.c), types, ntypes, 0));
	g.first = LLVMGetParam(g.fn, 1);
	g.end = LLVMGetParam(g.fn, 2);
	if (s->window.rows && !s->window.whole_rows) {
		g.column = LLVMGetParam(g.fn, 3);
		g.end_column = LLVMGetParam(g.fn, 4);
	}
	g.entry = block_new(&g);
	g.b = LLVMCreateBuilderInContext(g.c);
	emit_body(&g);
	LLVMDisposeBuilder(g.b);
	return true;
}
