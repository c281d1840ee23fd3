/* emit_transposed.c - emits the loads of sums of products that read a row of memory in each lane:
 * it transposes squares of these rows in registers, as emit_tile.c does.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f32[4,32], %1: f32[16,32]) -> f32[4,16] {
 *       %2: f32[4,16] = dot_general %0 %1 contract_a=[1] contract_b=[1] batch_a=[] batch_b=[]
 *         dtype=f32
 *       return %2
 *     }
 *
 * Eight lanes read 8 elements each of their rows of %1. These become 8 vectors of neighbouring
 * results, which four rows of %0 use:
 *
 *     for i0 < 4, 4 steps side by side
 *     for i1 < 16, 8 lanes
 *     alloca [8 x <8 x float>]
 *     .. = load <8 x float>, ptr ..
 *     .. = shufflevector <8 x float> .., <8 x i32> <i32 0, i32 8, i32 2, i32 10, ..
 *     store <8 x float>
 *     call <8 x float> @llvm.fma.v8f32
 *     call <8 x float> @llvm.fma.v8f32
 *     call <8 x float> @llvm.fma.v8f32
 *     call <8 x float> @llvm.fma.v8f32
 */
#include "engine/cpu/native/emit/emit_dot.h"

/* ---- squares of loads */

static int copies_of(const emitter *g, kvar load)
{
	return g->nest->varies[load.id] & VARIES_JAM ? g->copies : 1;
}

/* the elements of row `lane` of the square at i, cast */
static value read_row(const dot *d, const turned *t, LLVMValueRef i, int lane,
                      const context *around)
{
	emitter *g = d->r->g;
	reducing own = *d->r;

	own.lanes = d->side;
	if (d->blocks) {
		begin_lanes(&own, plus(g, i, (int64_t)lane * BLOCK), NULL);
	} else {
		const walk *w = &g->nest->loops.walk[g->nest->vector];
		LLVMValueRef at = plus(g, around->start, lane);
		if (around->mask) at = smaller_index(g, at, i64_of(g, w->extent - 1));
		begin_lanes(&own, i, NULL);
		g->value[w->index.id].v = at;
	}
	g->value[t->load.id] = emit_load(g, t->load);
	if (t->node.id == t->load.id) return g->value[t->load.id];
	emit_node(g, t->node);
	return g->value[t->node.id];
}

/* vectors of n lanes, one behind the other; there are a power of two of them */
static LLVMValueRef put_together(emitter *g, LLVMValueRef *v, int count, int n)
{
	for (; count > 1; count /= 2, n *= 2)
		for (int i = 0; i < count / 2; i++)
			v[i] = lanes_of_both(g, v[2 * i], v[2 * i + 1], 0, 1, 2 * n);
	return v[0];
}

/* Squares are side by side in vectors of all lanes. Vector r of them has row r of each:
 *
 *     rows 0, 4, 8, 12 of four elements     0 0 0 0  4 4 4 4  8 8 8 8  12 12 12 12 */
static value read_rows(const dot *d, const turned *t, LLVMValueRef i, int r, const context *around)
{
	emitter *g = d->r->g;
	const int squares = d->lanes / d->side;
	LLVMValueRef re[MOST_LANES], im[MOST_LANES];

	for (int s = 0; s < squares; s++) {
		const value x = read_row(d, t, i, s * d->side + r, around);
		re[s] = x.v;
		im[s] = x.im;
	}
	return (value){put_together(g, re, squares, d->side),
	               im[0] ? put_together(g, im, squares, d->side) : NULL};
}

/* The rows of all lanes of a copy as columns. Lanes outside the mask repeat the last lane inside
 * it */
static void turn_one(const dot *d, turned *t, int copy, LLVMValueRef i)
{
	emitter *g = d->r->g;
	const context around = g->in;
	value *const first = g->value;
	LLVMValueRef re[MOST_LANES], im[MOST_LANES];
	const kvar index = d->blocks ? (kvar){0} : around.along;
	const int n = d->side, copies = g->copies;

	g->value = copy_of(g, copy);
	g->copies = 1;
	const value was = g->value[index.id];
	for (int r = 0; r < n; r++) {
		const value x = read_rows(d, t, i, r, &around);
		re[r] = x.v;
		im[r] = x.im;
	}
	g->value[index.id] = was;
	g->value = first;
	g->copies = copies;
	g->in = around;
	turn_squares(g, re, n, d->lanes);
	if (im[0]) turn_squares(g, im, n, d->lanes);
	for (int u = 0; u < n; u++) {
		t->column[u] = (value){re[u], im[0] ? im[u] : NULL};
		if (g->copies > 1) row_put(d->r, &t->rows, i64_of(g, copy * n + u), t->column[u]);
	}
}

/* in copy c the load has this value */
static void know(const dot *d, const turned *t, int c, value x)
{
	emitter *g = d->r->g;

	copy_of(g, c)[t->load.id] = copy_of(g, c)[t->node.id] = x;
	g->known[t->load.id] = g->known[t->node.id] = true;
}

/* of the square, column u: the loads have these values */
static void know_column(const dot *d, LLVMValueRef u)
{
	emitter *g = d->r->g;

	for (int k = 0; k < d->n; k++) {
		const turned *t = &d->load[k];
		value x = {NULL, NULL};
		for (int c = 0; c < g->copies; c++) {
			if (c < copies_of(g, t->load))
				x = row_get(d->r, &t->rows, plus(g, u, (int64_t)c * d->side));
			know(d, t, c, x);
		}
	}
}

/* several copies use a square, which is in memory meanwhile */
static void take_columns(const dot *d, value *x, LLVMValueRef i)
{
	emitter *g = d->r->g;
	const int unroll = dot_unroll(d, g->copies, d->side);
	loop_code l;

	loop_begin(g, &l, i64_of(g, 0), i64_of(g, d->side), unroll, x, g->copies);
	for (int u = 0; u < unroll; u++) {
		const LLVMValueRef at = plus(g, l.index, u);
		know_column(d, at);
		dot_take(d, x, 1, LLVMBuildAdd(g->b, i, at, ""));
	}
	loop_end(g, &l, x);
}

/* the elements of one square, from i on */
static void take_square(dot *d, value *x, LLVMValueRef i)
{
	emitter *g = d->r->g;

	for (int k = 0; k < d->n; k++)
		for (int c = 0; c < copies_of(g, d->load[k].load); c++)
			turn_one(d, &d->load[k], c, i);
	if (g->copies > 1) take_columns(d, x, i);
	for (int u = 0; g->copies == 1 && u < d->side; u++) {
		for (int k = 0; k < d->n; k++) know(d, &d->load[k], 0, d->load[k].column[u]);
		dot_take(d, x, 1, plus(g, i, u));
	}
	for (int k = 0; k < d->n; k++)
		g->known[d->load[k].load.id] = g->known[d->load[k].node.id] = false;
}

void turned_take(dot *d, value *x, LLVMValueRef i, int64_t n)
{
	emitter *g = d->r->g;
	const int64_t whole = n - n % d->side;
	loop_code l;

	if (whole == d->side) {
		take_square(d, x, i);
	} else if (whole) {
		loop_begin(g, &l, i64_of(g, 0), i64_of(g, whole), d->side, x, g->copies);
		take_square(d, x, LLVMBuildAdd(g->b, i, l.index, ""));
		loop_end(g, &l, x);
	}
	dot_take_many(d, x, 1, plus(g, i, whole), n - whole);
}

/* ---- which loads these are */

/* are all indices that the load needs, but that of the lanes, the same for all lanes? */
static bool is_of_rows(const reducing *r, kvar load)
{
	const emitter *g = r->g;
	const address *a = &g->nest->load[load.id];

	for (int i = 0; i < a->n; i++) {
		const int32_t atom = a->term[i].atom.id;
		if (atom != g->in.along.id && g->k->nodes[atom].region != r->region &&
		    llvm_is_vector(g->value[atom].v))
			return false;
	}
	return true;
}

/* the cast of the load, if nothing else uses it */
static kvar cast_of(const reducing *r, kvar load)
{
	const kregion *region = &r->g->k->regions[r->region];
	kvar cast = {0};
	int uses = 0;

	for (int32_t i = 0; i < region->nnodes; i++) {
		const knode *n = &r->g->k->nodes[region->nodes[i].id];
		for (int32_t a = 0; a < n->nargs; a++) {
			if (n->args[a].id != load.id) continue;
			uses++;
			if (n->op == K_CONVERT) cast = region->nodes[i];
		}
	}
	for (int y = 0; y < region->nyields; y++) uses += region->yield[y].id == load.id;
	return uses == 1 && cast.id && r->g->nest->needed[cast.id] ? cast : load;
}

/* rows of squares have TUNE_DOT_ROW bytes, at most */
static int side_of(const dot *d)
{
	const int most = TUNE_DOT_ROW * 8 / bits_of(part_of(d->r->dtype));

	return square_side(d->r->walks, d->lanes < most ? d->lanes : most);
}

static void take_rows(dot *d)
{
	emitter *g = d->r->g;

	for (int k = 0; k < d->n && g->copies > 1; k++)
		d->load[k].rows = row_of(g, g->k->nodes[d->load[k].node.id].dtype, d->lanes,
		                         (int64_t)d->side * copies_of(g, d->load[k].load));
}

void turned_find(dot *d)
{
	const reducing *r = d->r;
	const emitter *g = r->g;
	const kregion *region = &g->k->regions[r->region];

	d->side = side_of(d);
	if (d->side < 2) return;
	for (int32_t i = 0; i < region->nnodes && d->n < MOST_TURNED; i++) {
		const kvar v = region->nodes[i];
		if (!g->nest->needed[v.id] || !is_load_of_rows(g->nest, v, g->in.along) ||
		    !is_of_rows(r, v))
			continue;
		d->load[d->n++] = (turned){.load = v, .node = cast_of(r, v)};
	}
	take_rows(d);
}

void turned_end(dot *d)
{
	for (int k = 0; k < d->n && d->r->g->copies > 1; k++) row_done(d->r, &d->load[k].rows);
	d->n = 0;
}
