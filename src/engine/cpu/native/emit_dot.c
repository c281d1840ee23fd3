/* emit_dot.c - dot products in the order of docs/numerics.md: a chain of fused steps for each block
 * of 256 elements, and the blocks one after the other.
 *
 * A step of a chain waits for the one before. So several chains go on side by side: those of all
 * lanes and copies (emit_jam.c), and if these are few, those of several blocks.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f32[4,512], %1: f32[512,16]) -> f32[4,16] {
 *       %2: f32[4,16] = dot_general %0 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]
 *         dtype=f32
 *       return %2
 *     }
 *
 * Four rows of %0 at a time take each row of %1: four chains of 16 lanes, two registers each. A sum
 * begins with -0, to which the first chain is added: that changes no bit of it.
 *
 *     for i0 < 4, 4 steps side by side
 *     for i1 < 16, 16 lanes
 *     alloca [4 x <16 x float>]
 *     call <16 x float> @llvm.fma.v16f32
 *     call <16 x float> @llvm.fma.v16f32
 *     call <16 x float> @llvm.fma.v16f32
 *     call <16 x float> @llvm.fma.v16f32
 *     fadd <16 x float>
 *
 * Where the lanes read neighbouring rows of memory, squares of these are transposed first, as in
 * emit_tile.c. Eight lanes read 8 elements each of their rows, which then are 8 vectors of
 * neighbouring results:
 *
 *     (%0: f32[4,32], %1: f32[16,32]) -> f32[4,16] {
 *       %2: f32[4,16] = dot_general %0 %1 contract_a=[1] contract_b=[1] batch_a=[] batch_b=[]
 *         dtype=f32
 *       return %2
 *     }
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
 *
 * Of a single result, eight blocks are computed at a time. Their elements are 256 apart, so that
 * squares of both operands are transposed; of short or of other operands single numbers are read.
 *
 *     (%0: f32[2048], %1: f32[2048]) -> f32[] {
 *       %2: f32[] = dot_general %0 %1 contract_a=[0] contract_b=[0] batch_a=[] batch_b=[] dtype=f32
 *       return %2
 *     }
 *
 *     .. = load <8 x float>, ptr ..
 *     .. = shufflevector <8 x float> .., <8 x i32> <i32 0, i32 8, i32 2, i32 10, ..
 *     call <8 x float> @llvm.fma.v8f32
 *     .. = extractelement <8 x float> .., i64 0
 *     fadd float
 *     .. = extractelement <8 x float> .., i64 1
 *     fadd float
 */
#include "engine/cpu/native/emit.h"

enum { MOST_TURNED = 2 };

/* a load of which each lane reads a row: squares of these rows are transposed. Where the number is
 * first cast, so are the rows */
typedef struct turned {
	kvar load, node; /* node: the cast, or the load itself */
	row rows;        /* the columns of a square for each copy, one behind the other */
} turned;

typedef struct dot {
	const reducing *r;
	int lanes;   /* of a chain; 0: it is a number */
	bool blocks; /* each lane is a block of its own; otherwise they are the lanes around */
	int side;    /* of the squares */
	int n;
	turned load[MOST_TURNED];
} dot;

static LLVMValueRef plus(emitter *g, LLVMValueRef i, int64_t n)
{
	return n ? LLVMBuildAdd(g->b, i, i64_of(g, n), "") : i;
}

static LLVMValueRef fma_of(emitter *g, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c)
{
	return intrinsic(g, "llvm.fma", (LLVMValueRef[]){a, b, c}, 3);
}

/* s + a b */
static value fused(emitter *g, value a, value b, value s)
{
	s.v = fma_of(g, a.v, b.v, s.v);
	if (!a.im) return s;
	s.v = fma_of(g, LLVMBuildFNeg(g->b, a.im, ""), b.im, s.v);
	s.im = fma_of(g, a.im, b.v, fma_of(g, a.v, b.im, s.im));
	return s;
}

/* ---- chains: of `abreast` blocks, the copies of each. x has those of the first block first */

/* the chains take element i of their block; i is that of the first block */
static void take(const dot *d, value *x, int abreast, LLVMValueRef i)
{
	emitter *g = d->r->g;
	value y[2 * MOST_COPIES];

	for (int p = 0; p < abreast; p++) {
		if (d->blocks)
			elements_apart(d->r, i, d->lanes, BLOCK, y);
		else
			element_at(d->r, plus(g, i, p * BLOCK), NULL, y);
		for (int c = 0; c < g->copies; c++, x++) *x = fused(g, y[2 * c], y[2 * c + 1], *x);
	}
}

/* registers that one chain fills */
static int registers_of(const dot *d)
{
	const int bytes = d->lanes * bits_of(part_of(d->r->dtype)) / 8;

	return bytes > d->r->g->max_bytes ? bytes / d->r->g->max_bytes : 1;
}

/* How many elements a step of the loop takes. Chains that fill enough registers do not wait, and
 * their code is compiled in less time. Few chains share what the loop itself costs:
 *
 *     4 copies of 4 registers: 16 chains side by side      1 element
 *     4 copies of 1 register                               4 elements */
static int unroll_of(const dot *d, int chains, int64_t steps)
{
	const int registers = chains * registers_of(d);
	int n = TUNE_JOINT_UNROLL;

	if (d->r->size > TUNE_SUM_NODES || steps < n) return 1;
	while (n > 1 && n * registers > TUNE_JOINT_REGISTERS) n /= 2;
	return n;
}

/* the next `steps` elements, from i on */
static void take_many(const dot *d, value *x, int abreast, LLVMValueRef i, int64_t steps)
{
	emitter *g = d->r->g;
	const int chains = abreast * g->copies;
	const bool straight = steps <= LANES && steps * d->r->size <= TUNE_SUM_COPIED;
	const int unroll = unroll_of(d, chains, steps);
	const int64_t rest = straight ? steps : steps % unroll;
	LLVMValueRef list[MOST_CARRIED];
	loop_code l;

	if (steps > rest) {
		const int n = list_values(x, chains, list);
		loop_begin(g, &l, i64_of(g, 0), i64_of(g, steps - rest), unroll, list, n);
		unlist_values(d->r, x, chains, l.carried);
		const LLVMValueRef from = LLVMBuildAdd(g->b, i, l.index, "");
		for (int u = 0; u < unroll; u++) take(d, x, abreast, plus(g, from, u));
		list_values(x, chains, list);
		loop_end(g, &l, list, list);
		unlist_values(d->r, x, chains, list);
	}
	for (int64_t u = steps - rest; u < steps; u++) take(d, x, abreast, plus(g, i, u));
}

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
	const LLVMTypeRef i32 = LLVMInt32TypeInContext(g->c);
	LLVMValueRef at[2 * MOST_LANES];

	for (int i = 0; i < 2 * MOST_LANES; i++) at[i] = LLVMConstInt(i32, (unsigned)i, 0);
	for (; count > 1; count /= 2, n *= 2)
		for (int i = 0; i < count / 2; i++)
			v[i] = LLVMBuildShuffleVector(g->b, v[2 * i], v[2 * i + 1],
			                              LLVMConstVector(at, 2 * (unsigned)n), "");
	return v[0];
}

/* Squares stand side by side in vectors of all lanes. Vector r of them has row r of each:
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
static void turn_one(const dot *d, const turned *t, int copy, LLVMValueRef i)
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
	for (int u = 0; u < n; u++)
		row_put(d->r, &t->rows, i64_of(g, copy * n + u),
		        (value){re[u], im[0] ? im[u] : NULL});
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
			copy_of(g, c)[t->load.id] = copy_of(g, c)[t->node.id] = x;
		}
		g->known[t->load.id] = g->known[t->node.id] = true;
	}
}

/* the elements of one square, from i on */
static void take_square(const dot *d, value *x, LLVMValueRef i)
{
	emitter *g = d->r->g;
	const int unroll = unroll_of(d, g->copies, d->side);
	LLVMValueRef list[MOST_CARRIED];
	loop_code l;

	for (int k = 0; k < d->n; k++)
		for (int c = 0; c < copies_of(g, d->load[k].load); c++)
			turn_one(d, &d->load[k], c, i);
	const int length = list_values(x, g->copies, list);
	loop_begin(g, &l, i64_of(g, 0), i64_of(g, d->side), unroll, list, length);
	unlist_values(d->r, x, g->copies, l.carried);
	for (int u = 0; u < unroll; u++) {
		const LLVMValueRef at = plus(g, l.index, u);
		know_column(d, at);
		take(d, x, 1, LLVMBuildAdd(g->b, i, at, ""));
	}
	list_values(x, g->copies, list);
	loop_end(g, &l, list, list);
	unlist_values(d->r, x, g->copies, list);
	for (int k = 0; k < d->n; k++)
		g->known[d->load[k].load.id] = g->known[d->load[k].node.id] = false;
}

static void take_squares(const dot *d, value *x, LLVMValueRef i, int64_t n)
{
	emitter *g = d->r->g;
	const int64_t whole = n - n % d->side;
	LLVMValueRef list[MOST_CARRIED];
	loop_code l;

	if (whole == d->side) {
		take_square(d, x, i);
	} else if (whole) {
		const int length = list_values(x, g->copies, list);
		loop_begin(g, &l, i64_of(g, 0), i64_of(g, whole), d->side, list, length);
		unlist_values(d->r, x, g->copies, l.carried);
		take_square(d, x, LLVMBuildAdd(g->b, i, l.index, ""));
		list_values(x, g->copies, list);
		loop_end(g, &l, list, list);
		unlist_values(d->r, x, g->copies, list);
	}
	take_many(d, x, 1, plus(g, i, whole), n - whole);
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

static void find_turned(dot *d)
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
}

/* Is there a chain of one number alone, of blocks whose elements all are read from rows? */
static bool lanes_are_blocks(const dot *d)
{
	const reducing *r = d->r;
	const emitter *g = r->g;
	const kregion *region = &g->k->regions[r->region];

	if (g->in.lanes || g->copies > 1 || r->size > TUNE_SUM_NODES ||
	    r->count / BLOCK < TUNE_DOT_BLOCKS)
		return false;
	for (int32_t i = 0; i < region->nnodes; i++) {
		const kvar v = region->nodes[i];
		const kop op = g->k->nodes[v.id].op;
		if (!g->nest->needed[v.id]) continue;
		if (op == K_IF || op == K_REDUCE ||
		    (op == K_LOAD && !is_load_of_rows(g->nest, v, (kvar){0})))
			return false;
	}
	return true;
}

static void rows_take(dot *d)
{
	emitter *g = d->r->g;

	for (int k = 0; k < d->n; k++)
		d->load[k].rows = row_of(g, g->k->nodes[d->load[k].node.id].dtype, d->lanes,
		                         (int64_t)d->side * copies_of(g, d->load[k].load));
}

static void dot_begin(dot *d)
{
	emitter *g = d->r->g;
	const bool along = g->in.lanes && g->nest->vector >= 0 &&
	                   g->in.along.id == g->nest->loops.walk[g->nest->vector].index.id;

	d->blocks = lanes_are_blocks(d);
	d->lanes = d->blocks ? g->max_bytes * 8 / bits_of(part_of(d->r->dtype)) : g->in.lanes;
	while (d->blocks && d->lanes > d->r->count / BLOCK) d->lanes /= 2;
	if (along || d->blocks) find_turned(d);
	if (d->n) rows_take(d);
	if (!d->n && d->blocks) *d = (dot){.r = d->r};
}

static void dot_end(dot *d)
{
	for (int k = 0; k < d->n; k++) row_done(d->r, &d->load[k].rows);
	d->n = 0;
}

/* ---- blocks */

static void begin_chains(const dot *d, value *x, int n)
{
	for (int i = 0; i < n; i++) x[i] = zero_of(d->r, d->lanes);
}

/* the chains of a block of n elements, from i on */
static void one_block(const dot *d, value *x, LLVMValueRef i, int64_t n)
{
	begin_chains(d, x, d->r->g->copies);
	if (d->n)
		take_squares(d, x, i, n);
	else
		take_many(d, x, 1, i, n);
}

/* x: the chains of `count` blocks, one after the other */
static void add_chains(const dot *d, const row *sums, const value *x, int count)
{
	emitter *g = d->r->g;

	for (int c = 0; c < g->copies; c++) {
		value sum = row_get(d->r, sums, i64_of(g, c));
		for (int p = 0; p < count; p++) sum = joined(d->r, sum, x[p * g->copies + c]);
		row_put(d->r, sums, i64_of(g, c), sum);
	}
}

/* As many blocks at a time as there are lanes; how many elements these are in all */
static int64_t add_lanes(dot *d, const row *sums)
{
	emitter *g = d->r->g;
	const int64_t step = (int64_t)d->lanes * BLOCK, end = d->r->count - d->r->count % step;
	value x, y[LANES];
	loop_code l;

	loop_begin(g, &l, i64_of(g, 0), i64_of(g, end), step, NULL, 0);
	one_block(d, &x, l.index, BLOCK);
	for (int p = 0; p < d->lanes; p++) {
		y[p].v = LLVMBuildExtractElement(g->b, x.v, i64_of(g, p), "");
		y[p].im = x.im ? LLVMBuildExtractElement(g->b, x.im, i64_of(g, p), "") : NULL;
	}
	add_chains(d, sums, y, d->lanes);
	loop_end(g, &l, NULL, NULL);
	dot_end(d);
	d->lanes = 0;
	d->blocks = false;
	return end;
}

/* the last blocks, from element i on: `count` whole ones, and n elements */
static void add_rest(const dot *d, const row *sums, LLVMValueRef i, int count, int n)
{
	value x[MOST_COPIES];

	begin_chains(d, x, (count + 1) * d->r->g->copies);
	take_many(d, x, count + 1, i, n);
	take_many(d, x, count, plus(d->r->g, i, n), BLOCK - n);
	add_chains(d, sums, x, n ? count + 1 : count);
}

/* blocks from element `first` on, several at a time, so that there are enough chains */
static void add_blocks(dot *d, const row *sums, int64_t first)
{
	emitter *g = d->r->g;
	const int64_t blocks = (d->r->count - first) / BLOCK;
	const int chains = g->copies * registers_of(d);
	const int abreast = d->r->size > TUNE_SUM_NODES || chains > TUNE_DOT_CHAINS
	                            ? 1
	                            : TUNE_DOT_CHAINS / chains;
	const int more = (int)(blocks % abreast);
	const int64_t end = first + (blocks - more) * BLOCK;
	value x[MOST_COPIES];
	loop_code l;

	if (first < end) {
		loop_begin(g, &l, i64_of(g, first), i64_of(g, end), abreast * BLOCK, NULL, 0);
		begin_chains(d, x, abreast * g->copies);
		take_many(d, x, abreast, l.index, BLOCK);
		add_chains(d, sums, x, abreast);
		loop_end(g, &l, NULL, NULL);
	}
	if (end < d->r->count) add_rest(d, sums, i64_of(g, end), more, (int)(d->r->count % BLOCK));
}

/* blocks of squares, one at a time */
static void add_squares(const dot *d, const row *sums)
{
	emitter *g = d->r->g;
	const int64_t rest = d->r->count % BLOCK, end = d->r->count - rest;
	value x[MOST_COPIES];
	loop_code l;

	loop_begin(g, &l, i64_of(g, 0), i64_of(g, end), BLOCK, NULL, 0);
	one_block(d, x, l.index, BLOCK);
	add_chains(d, sums, x, 1);
	loop_end(g, &l, NULL, NULL);
	if (!rest) return;
	one_block(d, x, i64_of(g, end), rest);
	add_chains(d, sums, x, 1);
}

static void in_blocks(dot *d, value *x)
{
	emitter *g = d->r->g;
	const row sums = row_new(d->r, g->in.lanes, g->copies);
	const LLVMTypeRef type = type_many(type_one(g, d->r->dtype), g->in.lanes);
	const LLVMValueRef none = constant_float(type, -0.0);

	for (int c = 0; c < g->copies; c++)
		row_put(d->r, &sums, i64_of(g, c),
		        (value){none, is_complex(d->r->dtype) ? none : NULL});
	if (d->n && !d->blocks)
		add_squares(d, &sums);
	else
		add_blocks(d, &sums, d->blocks ? add_lanes(d, &sums) : 0);
	for (int c = 0; c < g->copies; c++) x[c] = row_get(d->r, &sums, i64_of(g, c));
	row_done(d->r, &sums);
}

void emit_dot(const reducing *r, value *x)
{
	dot d = {.r = r};

	dot_begin(&d);
	if (r->count <= BLOCK)
		one_block(&d, x, i64_of(r->g, 0), r->count);
	else
		in_blocks(&d, x);
	dot_end(&d);
}
