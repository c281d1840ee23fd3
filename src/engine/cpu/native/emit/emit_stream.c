/* emit_stream.c - large results of rows, and of squares (emit_tile.c), are written past the caches.
 *
 * An ordinary store first reads the line that it writes to. Where a result is so large that it
 * would drive everything else out of the caches anyway, lines are better written without that: it
 * is a third of the traffic of a layer norm. Such a store needs an address that is a multiple of
 * the vector. It is slower where the line is in the cache already, because an operand in the same
 * place was read, and beside loads from memory, which take the buffers that it gathers a line in.
 * So loops over rows are written twice, if a reduction has read the row before, and the addresses
 * decide which of the two runs. Squares write whole lines at once, which nothing can come between:
 * for a transposition these stores save a third of the traffic too. Where the last cache is so
 * large that operands and results stay in it, rows are written as usual.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f32[4096,1024]) -> f32[4096,1024] {
 *       %1: f32[4096] = reduce_sum %0 dims=[1]
 *       %2: f32[4096,1024] = broadcast_in_dim %1 dims=[4096,1024] at=[0]
 *       %3: f32[4096,1024] = div %0 %2
 *       return %3
 *     }
 *
 * On x86 such stores may be seen after later ones, until a fence:
 *
 *     and i64 .., 63
 *     icmp eq i64
 *     icmp ne ptr
 *     call void @llvm.x86.sse.sfence()
 *     store <8 x float> .., align 32, !nontemporal
 *     store <8 x float> .., align 4
 *     vmovntps %ymm
 *     sfence
 */
#include "engine/cpu/native/emit/emit.h"

static int64_t bytes_of(const type *t) { return t->size * (bits_of(t->dtype) / 8); }

/* how many elements are written one after the other, at places that follow each other, or 0: of a
 * row that a reduction has read a vector, in order from a multiple of the lanes on; of squares a
 * line or more */
static int64_t together(const emitter *g)
{
	const nest *s = g->nest;

	if (s->vector != s->loops.n - 1 || s->k->held >= 0 || s->jam >= 0 || s->joint ||
	    s->npieces)
		return 0;
	if (s->ntiled) return s->lanes * squares_across(g);
	for (int l = 1; l <= s->vector; l++)
		if (level_reduces(s, &s->level[l])) return s->lanes;
	return 0;
}

/* does each so many elements of the result begin at a multiple of their number? */
static bool is_whole(const nest *s, const address *a, int64_t elements)
{
	const kvar along = s->loops.walk[s->vector].index;

	if (s->ntiled && s->loops.walk[s->vector].extent % elements) return false;
	if (a->constant % elements || address_times(a, along) != 1) return false;
	for (int i = 0; i < a->n; i++)
		if (a->term[i].atom.id != along.id && a->term[i].times % elements) return false;
	return true;
}

/* do the operands and results leave so much of the last cache free that they stay there until the
 * next kernel reads them? Squares wait for each line that they would read, there too */
static bool stays_cached(const emitter *g)
{
	const program *p = g->k->program;
	int64_t bytes = 0;

	if (g->nest->ntiled) return false;
	if (g->nest->window.rows) return true;
	for (int i = 0; i < p->nin; i++) bytes += bytes_of(type_of(p, p->in[i]));
	for (int i = 0; i < p->nout; i++) bytes += bytes_of(type_of(p, p->out[i]));
	return bytes <= g->cache / TUNE_STREAM_SHARE;
}

bool result_streams(const emitter *g, int32_t result)
{
	const type *t = g->k->results[result].type;
	const int64_t elements = together(g);

	return elements && !stays_cached(g) && bytes_of(t) >= TUNE_STREAM_BYTES &&
	       !is_complex(t->dtype) &&
	       g->nest->lanes * bits_of(t->dtype) / 8 % g->max_bytes == 0 &&
	       is_whole(g->nest, &g->nest->store[result], elements);
}

static LLVMValueRef both(emitter *g, LLVMValueRef a, LLVMValueRef b)
{
	return a ? LLVMBuildAnd(g->b, a, b, "") : b;
}

/* does the result begin with a line, and where no operand of its size does? */
static LLVMValueRef stands_well(emitter *g, int32_t result)
{
	const LLVMTypeRef i64 = LLVMInt64TypeInContext(g->c);
	const LLVMValueRef at = g->result[result];
	const LLVMValueRef address = LLVMBuildPtrToInt(g->b, at, i64, "");
	const LLVMValueRef low = LLVMBuildAnd(g->b, address, i64_of(g, LINE_BYTES - 1), "");
	const program *p = g->k->program;
	LLVMValueRef well = LLVMBuildICmp(g->b, LLVMIntEQ, low, i64_of(g, 0), "");

	for (int i = 0; i < p->nin; i++)
		if (bytes_of(type_of(p, p->in[i])) == bytes_of(g->k->results[result].type))
			well = both(g, well, LLVMBuildICmp(g->b, LLVMIntNE, g->input[i], at, ""));
	return well;
}

static void fence(emitter *g)
{
	static const char name[] = "llvm.x86.sse.sfence";
	const unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
	const LLVMValueRef fn = LLVMGetIntrinsicDeclaration(g->m, id, NULL, 0);

	LLVMBuildCall2(g->b, LLVMGlobalGetValueType(fn), fn, NULL, 0, "");
}

void emit_loops(emitter *g)
{
	LLVMValueRef well = NULL;
	branch f;

	for (int32_t i = 0; i < g->k->nresults; i++)
		if (result_streams(g, i)) well = both(g, well, stands_well(g, i));
	if (well) {
		branch_begin(g, &f, well);
		g->streams = true;
		emit_level(g, 0);
		g->streams = false;
		fence(g);
		branch_else(g, &f);
	}
	emit_level(g, 0);
	if (well) branch_end(g, &f, (value){NULL, NULL}, (value){NULL, NULL});
}
