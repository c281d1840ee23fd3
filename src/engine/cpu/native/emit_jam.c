/* emit_jam.c - some steps of a loop side by side: each node is emitted once for all copies, or once
 * for each, so that reductions in them can go on together (emit_joint.c).
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
#include "engine/cpu/native/emit.h"

#define STRIP 16 /* a strip has so many times the steps that are computed side by side */

value *copy_of(const emitter *e, int copy) { return e->copies > 1 ? e->copy[copy] : e->value; }

void set_copies(emitter *e, kvar v, value x)
{
	for (int c = 0; c < e->copies; c++) copy_of(e, c)[v.id] = x;
}

/* the copy that computes it for copy c */
static int first_with(const emitter *e, int c, uint8_t varies)
{
	const int row = c / e->across, column = c % e->across;

	return (varies & VARIES_JAM ? row * e->across : 0) + (varies & VARIES_ALONG ? column : 0);
}

static void emit_each(emitter *e, kvar v)
{
	const int n = e->copies;

	for (int c = 0; c < n; c++) {
		const int from = first_with(e, c, e->nest->varies[v.id]);
		if (from != c) {
			e->copy[c][v.id] = e->copy[from][v.id];
			continue;
		}
		e->value = e->copy[c];
		e->copies = 1;
		emit_node(e, v);
		e->copies = n;
	}
	e->value = e->copy[0];
}

void emit_copies(emitter *e, kvar v)
{
	const bool together = e->lanes && is_joint(&e->k->nodes[v.id]);

	if (e->copies == 1 || (together && e->nest->varies[v.id] & VARIES_JAM))
		emit_node(e, v);
	else
		emit_each(e, v);
}

/* n steps of the jammed loop, from index i on, side by side: what stands at the level and inside */
static void steps(emitter *e, LLVMValueRef i, int n, int level)
{
	const size_t bytes = (size_t)e->k->nnodes * sizeof *e->value;
	const kvar index = e->nest->loops.walk[e->nest->jam].index;

	for (int c = 1; c < n; c++) memcpy(e->copy[c], e->value, bytes);
	for (int c = 0; c < n; c++)
		e->copy[c][index.id].v = LLVMBuildAdd(e->b, i, i64_of(e, c), "");
	e->copies = n;
	emit_level(e, level);
	e->copies = 1;
}

static void whole_steps(emitter *e, LLVMValueRef start, LLVMValueRef end, int level)
{
	loop l;

	loop_begin(e, &l, start, end, e->nest->copies, NULL, 0);
	steps(e, l.index, e->nest->copies, level);
	loop_end(e, &l, NULL, NULL);
}

void emit_strip(emitter *e) { whole_steps(e, e->strip, e->strip_end, e->nest->vector + 1); }

/* The jammed loop is cut in strips, and vectors run around each strip: the columns that a vector
 * reads stay in the caches for the whole strip, and the rows of the strip for all vectors */
static void strips(emitter *e, LLVMValueRef start, LLVMValueRef end)
{
	const int64_t length = (int64_t)STRIP * e->nest->copies;
	loop l;

	loop_begin(e, &l, start, end, length, NULL, 0);
	e->strip = l.index;
	e->strip_end = smaller_index(e, LLVMBuildAdd(e->b, l.index, i64_of(e, length), ""), end);
	emit_level(e, e->nest->vector);
	e->strip = NULL;
	loop_end(e, &l, NULL, NULL);
}

void emit_jammed(emitter *e, LLVMValueRef start, LLVMValueRef end)
{
	const nest *s = e->nest;
	const int64_t extent = s->loops.walk[s->jam].extent;
	const int rest = (int)(extent % s->copies);
	const LLVMValueRef whole = smaller_index(e, end, i64_of(e, extent - rest));
	branch f;

	if (s->jam == s->vector - 1 && level_is_empty(s, &s->level[s->vector]))
		strips(e, start, whole);
	else
		whole_steps(e, start, whole, s->jam + 1);
	if (!rest) return;
	branch_begin(e, &f, LLVMBuildICmp(e->b, LLVMIntEQ, end, i64_of(e, extent), ""));
	steps(e, i64_of(e, extent - rest), rest, s->jam + 1);
	branch_else(e, &f);
	branch_end(e, &f, (value){NULL, NULL}, (value){NULL, NULL});
}
