/* emit_jam.c - several steps of a loop side by side, as copies: each node is emitted once for all
 * copies, or once for each, so that their reductions can go on together (emit_joint.c).
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: i32[2,5], %1: i32[5,8]) -> i32[2,8] {
 *       %2: i32[2,8] = dot_general %0 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]
 *         dtype=i32
 *       return %2
 *     }
 *
 * Rows i0 and i0 + 1 are two copies. The element of %0 is read for each, the vector of %1 once:
 *
 *     for i0 < 2, 2 steps side by side
 *     .. = phi <8 x i32> ..
 *     .. = phi <8 x i32> ..
 *     .. = load i32, ptr ..
 *     .. = load i32, ptr ..
 *     .. = load <8 x i32>, ptr ..
 *     .. = mul <8 x i32> ..
 *     .. = mul <8 x i32> ..
 *     .. = add <8 x i32> ..
 *     .. = add <8 x i32> ..
 */
#include <string.h>
#include "engine/cpu/native/emit/emit.h"

value *copy_of(const emitter *g, int copy) { return g->copies > 1 ? g->copy[copy] : g->value; }

void set_copies(emitter *g, kvar v, value x)
{
	for (int c = 0; c < g->copies; c++) copy_of(g, c)[v.id] = x;
}

/* the copy that computes it for copy c */
static int first_with(const emitter *g, int c, uint8_t varies)
{
	const int row = c / g->across, column = c % g->across;

	return (varies & VARIES_JAM ? row * g->across : 0) + (varies & VARIES_ALONG ? column : 0);
}

static void emit_each(emitter *g, kvar v)
{
	const int n = g->copies;

	for (int c = 0; c < n; c++) {
		const int from = first_with(g, c, g->nest->varies[v.id]);
		if (from != c) {
			g->copy[c][v.id] = g->copy[from][v.id];
			continue;
		}
		g->value = g->copy[c];
		g->copies = 1;
		emit_node(g, v);
		g->copies = n;
	}
	g->value = g->copy[0];
}

void emit_copies(emitter *g, kvar v)
{
	const bool together = g->in.lanes && is_joint(&g->k->nodes[v.id]);

	if (g->copies == 1 || (together && g->nest->varies[v.id] & VARIES_JAM))
		emit_node(g, v);
	else
		emit_each(g, v);
}

/* n steps of the jammed loop, from index i on, side by side: the level and what is inside it */
static void steps(emitter *g, LLVMValueRef i, int n, int level)
{
	const size_t bytes = (size_t)g->k->nnodes * sizeof *g->value;
	const kvar index = g->nest->loops.walk[g->nest->jam].index;

	for (int c = 1; c < n; c++) memcpy(g->copy[c], g->value, bytes);
	for (int c = 0; c < n; c++)
		g->copy[c][index.id].v = LLVMBuildAdd(g->b, i, i64_of(g, c), "");
	g->copies = n;
	emit_level(g, level);
	g->copies = 1;
}

static void whole_steps(emitter *g, LLVMValueRef start, LLVMValueRef end, int level)
{
	loop_code l;

	loop_begin(g, &l, start, end, g->nest->copies, NULL, 0);
	steps(g, l.index, g->nest->copies, level);
	loop_end(g, &l, NULL);
}

void emit_strip(emitter *g) { whole_steps(g, g->strip, g->strip_end, g->nest->vector + 1); }

/* The jammed loop is cut in strips, and vectors run around each strip: the columns that a vector
 * reads stay in the caches for the whole strip, and the rows of the strip for all vectors */
static void strips(emitter *g, LLVMValueRef start, LLVMValueRef end)
{
	const int64_t length = (int64_t)TUNE_JAM_STRIP * g->nest->copies;
	loop_code l;

	loop_begin(g, &l, start, end, length, NULL, 0);
	g->strip = l.index;
	g->strip_end = smaller_index(g, LLVMBuildAdd(g->b, l.index, i64_of(g, length), ""), end);
	emit_level(g, g->nest->vector);
	g->strip = NULL;
	loop_end(g, &l, NULL);
}

void emit_jammed(emitter *g, LLVMValueRef start, LLVMValueRef end)
{
	const nest *s = g->nest;
	const int64_t extent = s->loops.walk[s->jam].extent;
	const int rest = (int)(extent % s->copies);
	const LLVMValueRef whole = smaller_index(g, end, i64_of(g, extent - rest));
	branch f;

	if (s->jam == s->vector - 1 && level_is_empty(s, &s->level[s->vector]))
		strips(g, start, whole);
	else
		whole_steps(g, start, whole, s->jam + 1);
	if (!rest) return;
	branch_begin(g, &f, LLVMBuildICmp(g->b, LLVMIntEQ, end, i64_of(g, extent), ""));
	steps(g, i64_of(g, extent - rest), rest, s->jam + 1);
	branch_else(g, &f);
	branch_end(g, &f, (value){NULL, NULL}, (value){NULL, NULL});
}
