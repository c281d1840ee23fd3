/* emit_jam.c - some steps of a loop side by side: each node is emitted once for all copies, or once
 * for each, so that reductions in them can go on together (emit_joint.c). */
#include <string.h>
#include "engine/cpu/native/emit.h"

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

/* n steps from the one at i on */
static void steps(emitter *e, int at, LLVMValueRef i, int n)
{
	const size_t bytes = (size_t)e->k->nnodes * sizeof *e->value;
	const kvar index = e->nest->loops.walk[at].index;

	for (int c = 1; c < n; c++) memcpy(e->copy[c], e->value, bytes);
	for (int c = 0; c < n; c++)
		e->copy[c][index.id].v = LLVMBuildAdd(e->b, i, i64_of(e, c), "");
	e->copies = n;
	emit_level(e, at + 1);
	e->copies = 1;
}

void emit_jammed(emitter *e, int at, LLVMValueRef start, LLVMValueRef end)
{
	const int64_t extent = e->nest->loops.walk[at].extent;
	const int n = e->nest->copies, rest = (int)(extent % n);
	loop l;
	branch f;

	loop_begin(e, &l, start, smaller_index(e, end, i64_of(e, extent - rest)), n, NULL, 0);
	steps(e, at, l.index, n);
	loop_end(e, &l, NULL, NULL);
	if (!rest) return;
	branch_begin(e, &f, LLVMBuildICmp(e->b, LLVMIntEQ, end, i64_of(e, extent), ""));
	steps(e, at, i64_of(e, extent - rest), rest);
	branch_else(e, &f);
	branch_end(e, &f, (value){NULL, NULL}, (value){NULL, NULL});
}
