/* sums.c - reductions with few results, as reductions of parts that workers can share.
 *
 * Parts are whole subtrees of the tree of docs/numerics.md, so the bits are the same: each has a
 * power of two of its blocks, and what is left over is the last part. */
#include "pass/fuse/fuse.h"

/* an operand as a matrix for each of `outer`: `count` elements to be reduced, `inner` of them side
 * by side */
typedef struct cut {
	const tsr_prim *join;
	int64_t outer, count, inner;
	int64_t part; /* elements of a part */
} cut;

static int64_t size_of(const type *t, int first, int end)
{
	int64_t size = 1;

	for (int d = first; d < end; d++) size *= t->dims[d];
	return size;
}

static bool runs(const ints *dims)
{
	for (int i = 1; i < dims->n; i++)
		if (dims->v[i] != dims->v[0] + i) return false;
	return dims->n > 0;
}

static bool cut_of(const target *on, const program *p, const eqn *e, cut *c)
{
	*c = (cut){.part = SUM_BLOCK};
	for (int i = 0; i < operators_count; i++)
		if (e->prim == operators[i].reduce) c->join = operators[i].join;
	if (!c->join) return false;
	const type *t = type_of(p, e->in[0]);
	const ints *dims = &((const reduce_params *)e->params)->dims;
	if ((double)t->size < on->shared_sum || !runs(dims)) return false;
	const int first = (int)dims->v[0], end = first + dims->n;
	c->outer = size_of(t, 0, first);
	c->count = size_of(t, first, end);
	c->inner = size_of(t, end, t->ndim);
	while (c->part * TUNE_SUM_PARTS < c->count) c->part *= 2;
	return c->count > TUNE_SUM_PARTS / 2 * SUM_BLOCK &&
	       (double)(c->outer * (c->inner / (int64_t)on->sum_abreast + 1)) < on->shared_rows;
}

bool sum_has_parts(const target *on, const program *p, const eqn *e)
{
	cut c;

	return cut_of(on, p, e, &c);
}

/* x with each part in dims of its own, where at most one dim of x has to be divided for that: then
 * what is the same in each row, or in each column, is read as it was. With parts of 2048 elements
 * f32[4096,1024] becomes f32[2048,2,1024], summed over dims 1 and 2. false: there is no such dim */
typedef struct divided {
	int64_t dims[MAX_NDIM + 1], gone[MAX_NDIM];
	int ndim, ngone;
} divided;
static bool divide(const type *t, const ints *reduced, int64_t part, divided *to)
{
	const int first = (int)reduced->v[0];
	int d = first + reduced->n - 1, at = 0;

	for (; d > first && t->dims[d] && part % t->dims[d] == 0; d--) part /= t->dims[d];
	if (!t->dims[d] || t->dims[d] % part || t->ndim == MAX_NDIM) return false;
	*to = (divided){.ndim = t->ndim + 1};
	for (int i = 0; i < t->ndim; i++) {
		to->dims[at++] = i == d ? t->dims[i] / part : t->dims[i];
		if (i == d) to->dims[at++] = part;
		if (i >= d && i < first + reduced->n) to->gone[to->ngone++] = at - 1;
	}
	return true;
}

/* the n parts of x, or of all of it but the rest, as [outer, n, inner] */
static var sums_of_parts(build *b, const eqn *e, const cut *c, const type *t, var x, int64_t n)
{
	const int64_t two = 2;
	divided own;

	if (n * c->part == c->count &&
	    divide(t, &((const reduce_params *)e->params)->dims, c->part, &own)) {
		x = emit_reshape(b, x, own.dims, own.ndim);
		x = emit(b, e->prim, &(reduce_params){{own.ngone, own.gone}}, &x, 1);
		return emit_reshape(b, x, (int64_t[]){c->outer, n, c->inner}, 3);
	}
	x = emit_reshape(b, x, (int64_t[]){c->outer, c->count, c->inner}, 3);
	if (n * c->part < c->count) x = emit_part(b, x, 1, 0, n * c->part);
	x = emit_reshape(b, x, (int64_t[]){c->outer, n, c->part, c->inner}, 4);
	return emit(b, e->prim, &(reduce_params){{1, &two}}, &x, 1);
}

/* the parts of x, each [outer, 1, inner]; their number */
static int parts_of(build *b, const eqn *e, const cut *c, const type *t, var x, var *part)
{
	const int64_t n = c->count / c->part, rest = c->count % c->part, one = 1;
	const var made = sums_of_parts(b, e, c, t, x, n);

	for (int i = 0; i < n; i++) part[i] = emit_part(b, made, 1, i, i + 1);
	if (!rest) return (int)n;
	x = emit_reshape(b, x, (int64_t[]){c->outer, c->count, c->inner}, 3);
	x = emit_part(b, x, 1, c->count - rest, c->count);
	x = emit(b, e->prim, &(reduce_params){{1, &one}}, &x, 1);
	part[n] = emit_reshape(b, x, (int64_t[]){c->outer, 1, c->inner}, 3);
	return (int)n + 1;
}

var sum_of_parts(build *b, const target *on, const program *p, const eqn *e, var x)
{
	const type *t = type_of(p, e->out[0]);
	const tsr_dtype own = build_type(b, x)->dtype;
	const bool wide = own == TSR_F16 || own == TSR_BF16; /* rounded once, at the end */
	var part[TUNE_SUM_PARTS + 1];
	cut c;

	if (!cut_of(on, p, e, &c)) return (var){0};
	if (wide) x = emit_convert(b, x, TSR_F32);
	for (int n = parts_of(b, e, &c, type_of(p, e->in[0]), x, part); n > 1; n = (n + 1) / 2)
		for (int i = 0; i < n; i += 2)
			part[i / 2] = i + 1 < n ? emit_2(b, c.join, part[i], part[i + 1]) : part[i];
	x = emit_reshape(b, part[0], t->dims, t->ndim);
	return wide ? emit_convert(b, x, own) : x;
}
