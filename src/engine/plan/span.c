/* span.c - which places are the same memory, whatever roots they are offsets from.
 *
 * Example: a scan reads the rows of %0 and writes those of out0. Its rows are roots that move, so
 * any of them may be anywhere in its array: the span of a row is the whole array. Two rows of out0
 * overlap, and a row of %0 is in no span, since nobody writes inputs; but if out0 may take the
 * memory of %0, a row of %0 is in the span of out0, and overlaps the rows of it. */
#include "engine/plan/plan.h"

bool span_of(const schedule *s, place at, int64_t bytes, span *out)
{
	for (;;) {
		const root *r = &s->root[at.root];
		if (r->kind == ROOT_CONSTANTS) return false;
		if (r->kind == ROOT_INPUT) { /* it may be the memory of an output */
			*out = (span){1 + s->heir[r->index], at.offset, at.offset + bytes};
			return s->heir[r->index] >= 0;
		}
		if (r->kind == ROOT_OUTPUT || r->whole.root < 0) {
			*out = (span){r->kind == ROOT_OUTPUT ? 1 + r->index : 0, at.offset,
			              at.offset + bytes};
			return true;
		}
		if (r->kind == ROOT_SLICE) {
			at.offset = 0;
			bytes = r->bytes;
		}
		at = (place){r->whole.root, r->whole.offset + at.offset};
	}
}

bool spans_overlap(const schedule *s, place a, int64_t na, place b, int64_t nb)
{
	span x, y;

	return span_of(s, a, na, &x) && span_of(s, b, nb, &y) && x.memory == y.memory &&
	       x.from < y.to && y.from < x.to;
}
