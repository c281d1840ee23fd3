/* emit_rows.c - dot products of several rows at once: lanes run along one loop and, several times,
 * along the loop around it, so that what is read of a matrix serves all of these rows. */
#include "engine/cpu/native/emit.h"

static int width_of_row(const emitter *e) { return e->lanes / e->rows; }

/* ---- loads and stores, row by row */

/* the context of one of its rows; whose mask may be on in no lane */
static void in_row(emitter *e, const emitter *all, int row)
{
	const int width = width_of_row(all);

	e->lanes = width;
	e->rows = 0;
	e->some = !all->mask || LLVMIsConstant(all->mask);
	e->mask = all->mask ? lanes_from(e, all->mask, row * width, 1, width) : NULL;
}

static LLVMValueRef side_by_side(emitter *e, LLVMValueRef *row, int n)
{
	for (; n > 1; n /= 2)
		for (int i = 0; i < n / 2; i++) row[i] = two_halves(e, row[2 * i], row[2 * i + 1]);
	return row[0];
}

value emit_rows_read(emitter *e, tsr_dtype t, LLVMValueRef array, const place *p)
{
	const emitter was = *e;
	LLVMValueRef v[MOST_LANES], im[MOST_LANES];
	value x = {NULL, NULL};

	for (int r = 0; r < was.rows; r++) {
		const LLVMValueRef more = i64_of(e, r * p->across);
		const place own = {.first = LLVMBuildAdd(e->b, p->first, more, ""),
		                   .step = p->step};
		in_row(e, &was, r);
		if (r == 0 || p->across || was.mask)
			x = splat_value(e, emit_read(e, t, array, &own), e->lanes);
		v[r] = x.v;
		im[r] = x.im;
	}
	context_restore(e, &was);
	x.v = side_by_side(e, v, e->rows);
	if (x.im) x.im = side_by_side(e, im, e->rows);
	return x;
}

void emit_rows_write(emitter *e, tsr_dtype t, value x, LLVMValueRef array, const place *p)
{
	const emitter was = *e;
	const int width = width_of_row(e);

	for (int r = 0; r < was.rows; r++) {
		const LLVMValueRef more = i64_of(e, r * p->across);
		const place own = {.first = LLVMBuildAdd(e->b, p->first, more, ""),
		                   .step = p->step};
		const value part = {lanes_from(e, x.v, r * width, 1, width),
		                    x.im ? lanes_from(e, x.im, r * width, 1, width) : NULL};
		in_row(e, &was, r);
		emit_write(e, t, part, array, &own);
		context_restore(e, &was);
	}
}

/* ---- loops */

/* the inner loop at i, in all rows from the outer one's j on */
static void rows_of_vectors(emitter *e, int at, LLVMValueRef j, LLVMValueRef i, LLVMValueRef mask)
{
	const nest *s = e->nest;
	const kvar outer = s->loops.walk[at].index, inner = s->loops.walk[at + 1].index;
	const LLVMTypeRef i64 = LLVMInt64TypeInContext(e->c);
	const emitter was = *e;
	LLVMValueRef of_row[MOST_LANES], in_it[MOST_LANES];

	e->rows = s->rows_at_once;
	e->lanes = s->lanes * e->rows;
	for (int k = 0; k < e->lanes; k++) {
		of_row[k] = LLVMConstInt(i64, (unsigned)(k / s->lanes), 0);
		in_it[k] = LLVMConstInt(i64, (unsigned)(k % s->lanes), 0);
	}
	e->along = inner;
	e->start = i;
	e->across = outer;
	e->row_start = j;
	e->mask = mask;
	e->some = true;
	e->value[inner.id].v = LLVMBuildAdd(e->b, splat(e, i, e->lanes),
	                                    LLVMConstVector(in_it, (unsigned)e->lanes), "");
	e->value[outer.id].v = LLVMBuildAdd(e->b, splat(e, j, e->lanes),
	                                    LLVMConstVector(of_row, (unsigned)e->lanes), "");
	emit_level(e, at + 2);
	context_restore(e, &was);
}

static LLVMValueRef mask_of_rows(emitter *e, int n)
{
	bool on[MOST_LANES];
	const int width = e->nest->lanes, lanes = width * e->nest->rows_at_once;

	for (int k = 0; k < lanes; k++) on[k] = k % width < n;
	return llvm_lanes(e->c, on, lanes);
}

void emit_rows(emitter *e, int at, LLVMValueRef start, LLVMValueRef end)
{
	const nest *s = e->nest;
	const int64_t extent = s->loops.walk[at].extent, inner = s->loops.walk[at + 1].extent;
	const int64_t rest = inner % s->lanes;
	const LLVMValueRef whole = i64_of(e, extent - extent % s->rows_at_once);
	loop rows, l;

	loop_begin(e, &rows, start, smaller_index(e, end, whole), s->rows_at_once, NULL, 0);
	if (inner > rest) {
		loop_begin(e, &l, i64_of(e, 0), i64_of(e, inner - rest), s->lanes, NULL, 0);
		rows_of_vectors(e, at, rows.index, l.index, NULL);
		loop_end(e, &l, NULL, NULL);
	}
	if (rest)
		rows_of_vectors(e, at, rows.index, i64_of(e, inner - rest),
		                mask_of_rows(e, (int)rest));
	loop_end(e, &rows, NULL, NULL);
	if (extent % s->rows_at_once == 0) return;
	loop_begin(e, &l, larger_index(e, start, whole), end, 1, NULL, 0);
	e->value[s->loops.walk[at].index.id].v = l.index;
	emit_level(e, at + 1);
	loop_end(e, &l, NULL, NULL);
}
