/* emit_reduce.c - emits the elements of reductions, and reductions in any order.
 *
 * Without lanes around it, a reduction may take its own elements 16 at a time. Otherwise it takes
 * them one by one, each a scalar or a vector of the lanes around it.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: i32[40]) -> i32[] {
 *       %1: i32[] = reduce_sum %0 dims=[0]
 *       return %1
 *     }
 *
 * Two steps of 16, then 8 elements under a mask, with zeros in the other lanes; then halves of the
 * vector are added until one number is left:
 *
 *     load <16 x i32>, ptr
 *     add <16 x i32> ..
 *     icmp slt i64 .., 32
 *     call <16 x i32> @llvm.masked.load
 *     add <16 x i32> ..
 *     add <8 x i32> ..
 *     add <4 x i32> ..
 *     add <2 x i32> ..
 *     store i32
 */
#include "engine/cpu/native/emit/emit.h"

int width_of(const reducing *r) { return r->lanes ? r->lanes : r->g->in.lanes; }

/* ---- elements */

/* sets the indices of the first `walks` walks to those of element i, a scalar or a vector */
static void set_indices(const reducing *r, LLVMValueRef i, int walks)
{
	emitter *g = r->g;

	for (int w = walks - 1; w >= 0; w--) {
		const walk *at = &r->walks->walk[w];
		const LLVMValueRef by = constant_int(g, LLVMTypeOf(i), (uint64_t)at->extent);
		LLVMValueRef index = w ? LLVMBuildURem(g->b, i, by, "") : i;
		if (w) i = LLVMBuildUDiv(g->b, i, by, "");
		if (llvm_is_vector(index))
			index = LLVMBuildZExt(
				g->b, index, type_many(LLVMInt64TypeInContext(g->c), r->lanes), "");
		set_copies(g, at->index, (value){index, NULL});
	}
}

static LLVMValueRef counted_from(emitter *g, LLVMValueRef i, int lanes)
{
	return LLVMBuildAdd(g->b, splat(g, i, lanes), counting(g, LLVMTypeOf(i), lanes, 1), "");
}

/* i is a multiple of the number of lanes. If the extent of the last walk is one too, the lanes run
 * along that walk, and the indices of the others are scalars */
static void set_lane_indices(const reducing *r, LLVMValueRef i)
{
	emitter *g = r->g;
	const int n = r->walks->n;
	const walk *last = &r->walks->walk[n - 1];

	g->in.along = (kvar){0};
	if (n > 1 && last->extent % r->lanes) {
		const LLVMTypeRef narrow = LLVMInt32TypeInContext(g->c);
		if (r->count < INT32_MAX - MOST_LANES) i = LLVMBuildTrunc(g->b, i, narrow, "");
		set_indices(r, counted_from(g, i, r->lanes), n);
		return;
	}
	if (n > 1) {
		const LLVMValueRef by = i64_of(g, last->extent);
		set_indices(r, LLVMBuildUDiv(g->b, i, by, ""), n - 1);
		i = LLVMBuildURem(g->b, i, by, "");
	}
	g->in.along = last->index;
	g->in.start = i;
	set_copies(g, last->index, (value){counted_from(g, i, r->lanes), NULL});
}

void begin_lanes(const reducing *r, LLVMValueRef i, LLVMValueRef mask)
{
	r->g->in.lanes = r->lanes;
	r->g->in.mask = mask;
	r->g->in.some = true;
	set_lane_indices(r, i);
}

/* what the region gives in the context that has begun */
static void emit_elements(const reducing *r, value *out)
{
	emitter *g = r->g;
	const kregion *region = &g->k->regions[r->region];

	emit_region(g, r->region);
	for (int c = 0; c < g->copies; c++)
		for (int y = 0; y < region->nyields; y++)
			out[2 * c + y] =
				splat_value(g, copy_of(g, c)[region->yield[y].id], g->in.lanes);
}

void element_at(const reducing *r, LLVMValueRef i, LLVMValueRef mask, value *out)
{
	emitter *g = r->g;
	const context around = g->in;

	if (r->lanes)
		begin_lanes(r, i, mask);
	else
		set_indices(r, i, r->walks->n);
	emit_elements(r, out);
	g->in = around;
}

void elements_apart(const reducing *r, LLVMValueRef i, int lanes, int64_t apart, value *out)
{
	emitter *g = r->g;
	const context around = g->in;
	reducing own = *r;

	g->in = (context){.lanes = lanes, .some = true};
	own.lanes = lanes;
	const LLVMValueRef at = splat(g, i, lanes);
	set_indices(&own, LLVMBuildAdd(g->b, at, counting(g, LLVMTypeOf(i), lanes, apart), ""),
	            r->walks->n);
	emit_elements(r, out);
	g->in = around;
}

/* ---- two partial results */

static value complex_product(emitter *g, value a, value b)
{
	LLVMBuilderRef at = g->b;
	const LLVMValueRef ac = LLVMBuildFMul(at, a.v, b.v, ""),
			   bd = LLVMBuildFMul(at, a.im, b.im, "");
	const LLVMValueRef ad = LLVMBuildFMul(at, a.v, b.im, ""),
			   bc = LLVMBuildFMul(at, a.im, b.v, "");

	return (value){LLVMBuildFSub(at, ac, bd, ""), LLVMBuildFAdd(at, ad, bc, "")};
}

value joined(const reducing *r, value a, value b)
{
	static const kop ops[] = {
		[KR_SUM] = K_ADD, [KR_PROD] = K_MUL, [KR_MAX] = K_MAX, [KR_MIN] = K_MIN,
		[KR_AND] = K_AND, [KR_OR] = K_OR,    [KR_XOR] = K_XOR, [KR_DOT] = K_ADD};
	const tsr_dtype t = part_of(r->dtype);
	const kop op = ops[r->kind];

	if (a.im && op == K_MUL) return complex_product(r->g, a, b);
	return (value){emit_binary(r->g, op, t, a.v, b.v),
	               a.im ? emit_binary(r->g, op, t, a.im, b.im) : NULL};
}

/* ---- in any order */

static uint64_t neutral_bits(kreduction kind, tsr_dtype t)
{
	const uint64_t top = (uint64_t)1 << (bits_of(t) - 1);

	switch (kind) {
	case KR_PROD: return 1;
	case KR_MAX: return has_sign(t) ? top : 0;
	case KR_MIN: return has_sign(t) ? top - 1 : UINT64_MAX;
	case KR_AND: return UINT64_MAX;
	default: return 0;
	}
}

value neutral_of(const reducing *r)
{
	const LLVMTypeRef t = type_many(type_one(r->g, r->from), width_of(r));
	double f = 0;

	if (!is_float(r->from))
		return (value){constant_int(r->g, t, neutral_bits(r->kind, r->from)), NULL};
	if (r->kind == KR_MAX || r->kind == KR_ARGMAX) f = -__builtin_inf();
	if (r->kind == KR_MIN || r->kind == KR_ARGMIN) f = __builtin_inf();
	return (value){constant_float(t, f), NULL};
}

/* all lanes of a vector */
static value all_of(const reducing *r, value x)
{
	emitter *g = r->g;

	for (int n = r->lanes; n > 1; n /= 2) {
		const value low = {lanes_from(g, x.v, 0, 1, n / 2), NULL};
		x = joined(r, low, (value){lanes_from(g, x.v, n / 2, 1, n / 2), NULL});
	}
	return (value){LLVMBuildExtractElement(g->b, x.v, i64_of(g, 0), ""), NULL};
}

/* joins the elements first .. end - 1 to x, in `width` partial results side by side */
static value in_rows(const reducing *r, int64_t first, int64_t end, int width, value x)
{
	emitter *g = r->g;
	const int64_t step = r->lanes ? r->lanes : 1;
	value part[TUNE_REDUCE_ABREAST], y[2];
	const value neutral = neutral_of(r);
	loop_code l;

	if (first == end) return x;
	for (int i = 0; i < width; i++) part[i] = i ? neutral : x;
	loop_begin(g, &l, i64_of(g, first), i64_of(g, end), width * step, part, width);
	for (int i = 0; i < width; i++) {
		element_at(r, plus(g, l.index, i * step), NULL, y);
		part[i] = joined(r, part[i], y[0]);
	}
	loop_end(g, &l, part);
	for (int i = 1; i < width; i++) part[0] = joined(r, part[0], part[i]);
	return part[0];
}

static value in_any_order(const reducing *r)
{
	emitter *g = r->g;
	const int64_t step = r->lanes ? r->lanes : 1, whole = r->count - r->count % step;
	const int width = r->size <= TUNE_REDUCE_NODES && whole >= 2 * TUNE_REDUCE_ABREAST * step
	                          ? TUNE_REDUCE_ABREAST
	                          : 1;
	const int64_t rows = whole - whole % (width * step);
	value x = neutral_of(r), y[2];

	x = in_rows(r, 0, rows, width, x);
	x = in_rows(r, rows, whole, 1, x);
	if (whole < r->count) {
		const LLVMValueRef mask = mask_first(g, (int)(r->count - whole), r->lanes);
		element_at(r, i64_of(g, whole), mask, y);
		x = joined(r, x, choose_value(g, mask, y[0], neutral_of(r)));
	}
	return r->lanes ? all_of(r, x) : x;
}

int registers_of(const reducing *r, int lanes)
{
	const int bytes = lanes * bits_of(part_of(r->dtype)) / 8;

	return bytes > r->g->max_bytes ? bytes / r->g->max_bytes : 1;
}

int unroll_of(const reducing *r, int registers, int64_t steps)
{
	int n = TUNE_JOINT_UNROLL;

	if (r->size > TUNE_SUM_NODES || steps < n) return 1;
	while (n > 1 && n * registers > TUNE_JOINT_REGISTERS) n /= 2;
	return n;
}

/* ---- a node */

static bool is_ordered(const reducing *r)
{
	const bool whole = !is_float(r->dtype) && !is_complex(r->dtype);

	return !whole && (r->kind == KR_SUM || r->kind == KR_PROD);
}

/* is it in nest.columns, and are the lanes around it just those of the loop of vectors? */
static bool is_of_columns(const emitter *g, kvar id)
{
	return g->nest->columns[id.id] && g->in.mask == g->in.edge &&
	       g->in.lanes == g->nest->lanes &&
	       g->in.along.id == g->nest->loops.walk[g->nest->vector].index.id;
}

void emit_reduce(emitter *g, kvar id)
{
	const knode *n = &g->k->nodes[id.id];
	const kregion *region = &g->k->regions[n->inner[0]];
	reducing r = {.g = g,
	              .kind = (kreduction)n->bits,
	              .dtype = n->dtype,
	              .from = g->k->nodes[region->yield[0].id].dtype,
	              .region = n->inner[0],
	              .walks = &g->nest->reductions[n->inner[0]]};
	value x[MOST_COPIES];

	r.count = count_steps(r.walks);
	r.size = region_size(g->nest, r.region);
	r.columns = is_of_columns(g, id);
	if (!g->in.lanes && r.count > 1 && reduction_in_lanes(g->nest, id)) r.lanes = LANES;
	if (r.kind == KR_DOT)
		emit_dot(&r, x);
	else if (g->copies > 1 || r.columns)
		emit_joint(&r, x);
	else if (r.kind == KR_ARGMAX || r.kind == KR_ARGMIN)
		x[0] = emit_argument(&r);
	else
		x[0] = is_ordered(&r) ? emit_ordered(&r) : in_any_order(&r);
	for (int c = 0; c < g->copies; c++) copy_of(g, c)[id.id] = x[c];
}
