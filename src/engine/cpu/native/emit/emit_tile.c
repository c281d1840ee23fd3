/* emit_tile.c - loads that stride along the vectors while the loop around them reads neighbours, as
 * in a transpose: squares of the matrix are read row by row and transposed in registers.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f32[64,32]) -> f32[32,64] {
 *       %1: f32[32,64] = transpose %0 perm=[1,0]
 *       return %1
 *     }
 *
 * Along i1 the lanes would read elements that are 32 apart. Instead 8 rows of 8 are read.
 * Neighbouring rows exchange single elements, then pairs, then fours; after that each row is a
 * column:
 *
 *     squares of ..
 *     .. = load <8 x float>, ptr ..
 *     .. = shufflevector <8 x float> .., <8 x i32> <i32 0, i32 8, i32 2, i32 10, ..
 *     .. = shufflevector <8 x float> .., <8 x i32> <i32 0, i32 1, i32 8, i32 9, ..
 *     .. = shufflevector <8 x float> .., <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, ..
 *     store <8 x float> ..
 *
 * A large result is written past the caches (emit_stream.c), one line at a time: `across` squares,
 * whose rows together are as long as a line, are in registers before the first of them is written.
 * With vectors of 32 bytes that are two, one below the other in what is read:
 *
 *         read                    written
 *     +---------+
 *     |    A    |            +---------+---------+
 *     +---------+     ->     |   A^T   |   B^T   |   a row of both: one line
 *     |    B    |            +---------+---------+
 *     +---------+
 *
 *     (%0: f32[4096,1024]) -> f32[1024,4096] {
 *       %1: f32[1024,4096] = transpose %0 perm=[1,0]
 *       return %1
 *     }
 *
 *     squares of ..
 *     store <8 x float> .., align 32, !nontemporal
 *     store <8 x float> .., align 32, !nontemporal
 */
#include "engine/cpu/native/emit/emit.h"

enum { MOST_ACROSS = LINE_BYTES / 16 }; /* vectors have 16 bytes at least */

/* Swaps rows and columns: step s exchanges bit s of the number of a row with bit s of the place in
 * the row */
void turn_squares(emitter *g, LLVMValueRef *row, int n, int lanes)
{
	int low[MOST_LANES], high[MOST_LANES];

	for (int s = 1; s < n; s *= 2) {
		for (int p = 0; p < lanes; p++) {
			low[p] = p & s ? lanes + p - s : p;
			high[p] = p & s ? lanes + p : p + s;
		}
		for (int r = 0; r < n; r++) {
			const LLVMValueRef a = row[r], b = row[r | s];
			if (r & s) continue;
			row[r] = shuffled(g, a, b, low, lanes);
			row[r | s] = shuffled(g, a, b, high, lanes);
		}
	}
}

/* out[k]: the values of the load at step j + k of the outer loop, along the inner one from i on */
static void read_square(emitter *g, int at, kvar load, LLVMValueRef j, LLVMValueRef i,
                        LLVMValueRef *out)
{
	const kvar outer = g->nest->loops.walk[at].index, inner = g->nest->loops.walk[at + 1].index;
	const context around = g->in;

	g->in.lanes = g->nest->lanes;
	g->in.along = outer;
	g->in.start = j;
	for (int k = 0; k < g->in.lanes; k++) {
		g->value[inner.id].v = plus(g, i, k);
		out[k] = emit_load(g, load).v;
	}
	turn_squares(g, out, g->in.lanes, g->in.lanes);
	g->in = around;
}

int squares_across(const emitter *g) { return LINE_BYTES / g->max_bytes; }

/* `across` squares, along the inner loop: all are read before a row of them is written */
static void squares(emitter *g, int at, LLVMValueRef j, LLVMValueRef i, int across)
{
	const nest *s = g->nest;
	LLVMValueRef read[MOST_ACROSS][MOST_TILED][MOST_LANES];

	for (int a = 0; a < across; a++)
		for (int t = 0; t < s->ntiled; t++)
			read_square(g, at, s->tiled[t], j, plus(g, i, a * s->lanes), read[a][t]);
	for (int k = 0; k < s->lanes; k++) {
		g->value[s->loops.walk[at].index.id].v = plus(g, j, k);
		for (int a = 0; a < across; a++) {
			for (int t = 0; t < s->ntiled; t++)
				g->given[s->tiled[t].id] = read[a][t][k];
			emit_vectors(g, at + 1, plus(g, i, a * s->lanes), NULL);
		}
	}
	for (int t = 0; t < s->ntiled; t++) g->given[s->tiled[t].id] = NULL;
}

/* squares side by side, from j up to end, so that more of a row is read at once */
static void row_of_squares(emitter *g, int at, LLVMValueRef j, LLVMValueRef end)
{
	const int64_t extent = g->nest->loops.walk[at + 1].extent, rest = extent % g->nest->lanes;
	const int across = g->streams ? squares_across(g) : 1;
	loop_code inner, l;

	loop_begin(g, &inner, i64_of(g, 0), i64_of(g, extent - rest), across * g->nest->lanes, NULL,
	           0);
	loop_begin(g, &l, j, end, g->nest->lanes, NULL, 0);
	squares(g, at, l.index, inner.index, across);
	loop_end(g, &l, NULL);
	loop_end(g, &inner, NULL);
	if (!rest) return;
	loop_begin(g, &l, j, end, 1, NULL, 0);
	g->value[g->nest->loops.walk[at].index.id].v = l.index;
	emit_vectors(g, at + 1, i64_of(g, extent - rest), mask_first(g, (int)rest, g->nest->lanes));
	loop_end(g, &l, NULL);
}

void emit_squares(emitter *g, int at, LLVMValueRef start, LLVMValueRef end)
{
	const int64_t extent = g->nest->loops.walk[at].extent, step = TUNE_SQUARES * g->nest->lanes;
	const LLVMValueRef whole = i64_of(g, extent - extent % g->nest->lanes);
	const LLVMValueRef last = smaller_index(g, end, whole);
	loop_code l;

	loop_begin(g, &l, start, last, step, NULL, 0);
	row_of_squares(g, at, l.index, smaller_index(g, plus(g, l.index, (int)step), last));
	loop_end(g, &l, NULL);
	if (extent % g->nest->lanes == 0) return;
	loop_begin(g, &l, larger_index(g, start, whole), end, 1, NULL, 0);
	g->value[g->nest->loops.walk[at].index.id].v = l.index;
	emit_level(g, at + 1);
	loop_end(g, &l, NULL);
}
