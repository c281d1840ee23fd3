/* emit_halves.c - partial results that are joined in a tree of neighbours as they come.
 *
 * They are joined in the way a binary counter counts: half[l] holds the result of 2^l of them. When
 * number n comes, its bits are looked at from the lowest on. A 1 means that a left neighbour of
 * this size waits: the two are joined, and their result goes on to the next bit. At the first 0 it
 * is stored.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f32[600]) -> f32[] {
 *       %1: f32[] = reduce_sum %0 dims=[0]
 *       return %1
 *     }
 *
 * has blocks 0 and 1 of 256 elements, and a shorter last one. Block 0 goes to half[0]; block 1
 * finds it there, and their sum goes to half[1]:
 *
 *     .. = alloca [.. x float]
 *     .. = phi float ..
 *     .. = lshr i64 %i, ..
 *     .. = trunc i64 .. to i1
 *     br i1 ..
 *     .. = load float, ptr ..
 *     .. = fadd float ..
 *     store float ..
 */
#include "engine/cpu/native/emit/emit.h"

value zero_of(const reducing *r, int lanes)
{
	const LLVMTypeRef t = type_many(type_one(r->g, r->dtype), lanes);

	return (value){LLVMConstNull(t), is_complex(r->dtype) ? LLVMConstNull(t) : NULL};
}

/* ---- values in memory */

/* an array that nothing uses any more, or a new one */
static LLVMValueRef array_take(emitter *g, LLVMTypeRef t, int64_t n)
{
	for (int i = 0; i < g->nspare; i++) {
		spare *s = &g->spare[i];
		if (s->taken || s->type != t || s->n < n) continue;
		s->taken = true;
		return s->array;
	}
	const LLVMValueRef array = kept_array(g, t, n);
	if (g->nspare < MOST_SPARES) g->spare[g->nspare++] = (spare){t, array, n, true};
	return array;
}

static void array_give(emitter *g, LLVMValueRef array)
{
	for (int i = 0; i < g->nspare; i++)
		if (g->spare[i].array == array) g->spare[i].taken = false;
}

row row_of(emitter *g, tsr_dtype t, int lanes, int64_t n)
{
	row w = {.type = type_many(type_one(g, t), lanes)};

	w.v = array_take(g, w.type, n);
	if (is_complex(t)) w.im = array_take(g, w.type, n);
	return w;
}

row row_new(const reducing *r, int lanes, int64_t n) { return row_of(r->g, r->dtype, lanes, n); }

void row_done(const reducing *r, const row *w)
{
	array_give(r->g, w->v);
	if (w->im) array_give(r->g, w->im);
}

value row_get(const reducing *r, const row *w, LLVMValueRef i)
{
	LLVMBuilderRef b = r->g->b;
	value x = {NULL, NULL};

	x.v = LLVMBuildLoad2(b, w->type, LLVMBuildGEP2(b, w->type, w->v, &i, 1, ""), "");
	if (w->im)
		x.im = LLVMBuildLoad2(b, w->type, LLVMBuildGEP2(b, w->type, w->im, &i, 1, ""), "");
	return x;
}

void row_put(const reducing *r, const row *w, LLVMValueRef i, value x)
{
	LLVMBuilderRef b = r->g->b;

	LLVMBuildStore(b, x.v, LLVMBuildGEP2(b, w->type, w->v, &i, 1, ""));
	if (w->im) LLVMBuildStore(b, x.im, LLVMBuildGEP2(b, w->type, w->im, &i, 1, ""));
}

/* ---- the counter */

static LLVMValueRef half_place(const reducing *r, LLVMValueRef level, int i, int n)
{
	LLVMBuilderRef b = r->g->b;

	return LLVMBuildAdd(b, LLVMBuildMul(b, level, i64_of(r->g, n), ""), i64_of(r->g, i), "");
}

row halves_new(const reducing *r, int64_t count, int n)
{
	int levels = 1;

	while (count >> levels) levels++;
	return row_new(r, r->g->in.lanes, (int64_t)levels * n);
}

void halves_push(const reducing *r, const row *half, LLVMValueRef number, const value *x, int n)
{
	emitter *g = r->g;
	const LLVMBasicBlockRef test = block_new(g), join = block_new(g), after = block_new(g);
	LLVMBasicBlockRef here = block_here(g);
	LLVMValueRef level = i64_of(g, 0);
	value phi[MOST_COPIES], up[MOST_COPIES];

	LLVMBuildBr(g->b, test);
	block_begin(g, test);
	const LLVMValueRef at = LLVMBuildPhi(g->b, LLVMTypeOf(level), "");
	LLVMAddIncoming(at, &level, &here, 1);
	for (int i = 0; i < n; i++) up[i] = phi[i] = phi_of(g, x[i], here);
	const LLVMValueRef bit = LLVMBuildLShr(g->b, number, at, "");
	LLVMBuildCondBr(g->b, LLVMBuildTrunc(g->b, bit, LLVMInt1TypeInContext(g->c), ""), join,
	                after);
	block_begin(g, after);
	for (int i = 0; i < n; i++) row_put(r, half, half_place(r, at, i, n), up[i]);
	block_begin(g, join);
	for (int i = 0; i < n; i++)
		up[i] = joined(r, row_get(r, half, half_place(r, at, i, n)), up[i]);
	level = LLVMBuildAdd(g->b, at, i64_of(g, 1), "");
	LLVMBuildBr(g->b, test);
	here = join;
	LLVMAddIncoming(at, &level, &here, 1);
	for (int i = 0; i < n; i++) phi_add(phi[i], up[i], here);
	block_begin(g, after);
}

static value half_join(const reducing *r, const row *half, int64_t count, int i, int n)
{
	value x = {NULL, NULL};

	for (int level = 0; level < 63; level++) {
		if (!(count >> level & 1)) continue;
		const value h = row_get(r, half, i64_of(r->g, (int64_t)level * n + i));
		x = x.v ? joined(r, h, x) : h;
	}
	return x;
}

void halves_join(const reducing *r, const row *half, int64_t count, value *x, int n)
{
	for (int i = 0; i < n; i++) x[i] = half_join(r, half, count, i, n);
	row_done(r, half);
}
