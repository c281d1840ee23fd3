/* span.c - finds the memory of places, to compare two that are offsets from different roots.
 *
 * Example, vectors of 32 bytes:
 *
 *     rows(%0: f32[4], %1: f32[3,4]) -> f32[3,4] {
 *       %2: f32[4], %3: f32[3,4] = scan %0 %1 length=3 consts=0 carry=1 unroll=1
 *             body=step(%0: f32[4], %1: f32[4]) -> f32[4], f32[4] {
 *         %2: f32[4] = add %0 %1
 *         return %2 %2
 *       }
 *       return %3
 *     }
 *
 * has slices, roots that move from step to step:
 *
 *     the plan of rows: 7 steps, 128 bytes of scratch memory
 *       kernel 0: add
 *       0  all up to 7
 *       1  copy 16 bytes  in0 -> scratch+0 ..
 *       2  loop 0, 3 times, ends at 7
 *       3  next slices of loop 0
 *       4  kernel 0  scratch+0, slice of in1 -> scratch+0 ..
 *       5  copy 16 bytes  scratch+0 -> slice of out0 ..
 *       6  loop 0 again from 3
 *
 * A slice may be anywhere in its array, so the span of "slice of out0" is all of out0. A slice of
 * in1 has no span, since nobody writes inputs; but if out0 may take the memory of in1, it is in
 * the span of out0. */
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
