/* ahead.h - asks for memory ahead of its use, while a tile is computed, so that products of arrays
 * that are in no cache take about as long as others.
 *
 * A tile of 6 rows and 64 columns takes 256 steps of the contracted index, with 24 products each.
 * Every 16 steps it asks for some of what is needed next:
 *
 *     step                        0          16         32         ..  80       96   ..
 *     rows of the next tile       0 to 63    64 to 127  ..             bytes of each row
 *     the next panel of b         a line     a line     a line     ..  or more, if tiles are few
 *     the results of this tile    row 0      row 1      row 2      ..  row 5    row 5 ..
 *
 * Stores wait in a queue until their line is in a cache, and when the queue is full, so does the
 * next tile: results are asked for so that they can be written. All at once would take every place
 * in which the processor notes what is under way. There is no branch here that depends on data, as
 * a branch that is guessed wrong costs as much as a line that comes late. Products of 256x256x512
 * from memory went from 96 to 110 GF/s (of 118), and lost 1 in 100 where all is in a cache. */
#ifndef TSR_SRC_NATIVE_AHEAD_H
#define TSR_SRC_NATIVE_AHEAD_H
#include "engine/cpu/native/products/tile.h"

enum { LINE_BYTES = 64 }; /* of a cache */
#define AHEAD static inline __attribute__((always_inline))

/* the next `piece` bytes of lines, over and over the last one if there are no more */
AHEAD void ahead_lines(tile_lines *of, int piece)
{
	const bool ends = of->offset + piece >= of->bytes;

	for (int j = 0; j < piece; j += LINE_BYTES)
		__builtin_prefetch(of->at + of->offset + j, 0, 2);
	of->at += ends && of->left > 0 ? of->apart : 0;
	of->left -= ends;
	of->offset = ends ? 0 : of->offset + piece;
}

/* bytes first to end - 1 of the next tile's rows. Numbers that are further apart than a line are
 * those of neighbouring rows */
AHEAD void ahead_rows(const tile *t, int rows, int64_t first, int64_t end)
{
	if (t->step < LINE_BYTES)
		for (int r = 0; r < rows; r++)
			for (int64_t j = first; j < end; j += LINE_BYTES)
				__builtin_prefetch(t->next[r] + j, 0, 2);
	else
		for (int64_t j = first; j != end; j += t->step)
			__builtin_prefetch(*t->next + j, 0, 2);
}

AHEAD void ahead_results(const char *row, int bytes)
{
	for (int j = 0; j < bytes; j += LINE_BYTES) __builtin_prefetch(row + j, 1);
}

#endif
