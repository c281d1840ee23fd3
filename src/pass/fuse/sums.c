/* sums.c - reductions with few results, as reductions of parts that workers can share.
 *
 * Parts are whole subtrees of the tree of docs/numerics.md, so the bits are the same: each has a
 * power of two of its blocks, and what is left over is the last part. */
#include "pass/fuse/fuse.h"

enum {
	BLOCK = 256,
	MOST_PARTS = 32,
	ABREAST = 64,  /* results that one worker computes together */
	MUCH = 1 << 17 /* elements, that are worth more than one worker */
};

static const struct joining {
	const tsr_prim *reduce, *join;
} joinings[] = {
	{&tsr__prim_reduce_sum, &tsr__prim_add}, {&tsr__prim_reduce_prod, &tsr__prim_mul},
	{&tsr__prim_reduce_max, &tsr__prim_max}, {&tsr__prim_reduce_min, &tsr__prim_min},
	{&tsr__prim_reduce_and, &tsr__prim_and}, {&tsr__prim_reduce_or, &tsr__prim_or},
	{&tsr__prim_reduce_xor, &tsr__prim_xor},
};

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

static bool cut_of(const program *p, const eqn *e, cut *c)
{
	*c = (cut){.part = BLOCK};
	for (size_t i = 0; i < ARRAY_LEN(joinings); i++)
		if (e->prim == joinings[i].reduce) c->join = joinings[i].join;
	if (!c->join) return false;
	const type *t = type_of(p, e->in[0]);
	const ints *dims = &((const reduce_params *)e->params)->dims;
	if (t->size < MUCH || !runs(dims)) return false;
	const int first = (int)dims->v[0], end = first + dims->n;
	c->outer = size_of(t, 0, first);
	c->count = size_of(t, first, end);
	c->inner = size_of(t, end, t->ndim);
	while (c->part * MOST_PARTS < c->count) c->part *= 2;
	return c->count > MOST_PARTS / 2 * BLOCK && c->outer * (c->inner / ABREAST + 1) < MIN_ROWS;
}

/* the parts of [outer, count, inner], each [outer, 1, inner]; their number */
static int parts_of(build *b, const eqn *e, const cut *c, var x, var *part)
{
	const int64_t n = c->count / c->part, rest = c->count % c->part;
	const var all = emit_reshape(b, rest ? emit_part(b, x, 1, 0, c->count - rest) : x,
	                             (int64_t[]){c->outer, n, c->part, c->inner}, 4);
	const int64_t one = 1, two = 2;
	const var made = emit(b, e->prim, &(reduce_params){{1, &two}}, &all, 1);

	for (int i = 0; i < n; i++) part[i] = emit_part(b, made, 1, i, i + 1);
	if (!rest) return (int)n;
	x = emit_part(b, x, 1, c->count - rest, c->count);
	x = emit(b, e->prim, &(reduce_params){{1, &one}}, &x, 1);
	part[n] = emit_reshape(b, x, (int64_t[]){c->outer, 1, c->inner}, 3);
	return (int)n + 1;
}

static var in_parts(build *b, const eqn *e, const cut *c, const type *t, var x)
{
	const tsr_dtype own = build_type(b, x)->dtype;
	const bool wide = own == TSR_F16 || own == TSR_BF16; /* rounded once, at the end */
	var part[MOST_PARTS + 1];

	if (wide) x = emit_convert(b, x, TSR_F32);
	x = emit_reshape(b, x, (int64_t[]){c->outer, c->count, c->inner}, 3);
	for (int n = parts_of(b, e, c, x, part); n > 1; n = (n + 1) / 2)
		for (int i = 0; i < n; i += 2)
			part[i / 2] =
				i + 1 < n ? emit_2(b, c->join, part[i], part[i + 1]) : part[i];
	x = emit_reshape(b, part[0], t->dims, t->ndim);
	return wide ? emit_convert(b, x, own) : x;
}

static bool copy_eqn(value_map *v, const eqn *e)
{
	const var *in = values_list(v, e->in, e->nin);
	var *out = arena_array(build_arena(v->to), (size_t)e->nout + 1, sizeof *out);
	cut c;

	if (!in || !out) return false;
	build_at(v->to, e->where);
	if (cut_of(v->from, e, &c))
		out[0] = in_parts(v->to, e, &c, type_of(v->from, e->out[0]), in[0]);
	else if (!build_copy(v->to, e, v->from->naxes, in, out, NULL))
		return false;
	return values_set(v, e, out);
}

static program *copy_program(const program *p)
{
	build *b = build_begin(p->ir, p->name, p->axes, p->naxes);
	value_map v;
	const var *in = b && values_init(&v, p, b) ? inputs_like(b, p, 0) : NULL;
	bool ok = in;

	for (int i = 0; ok && i < p->nin; i++) v.of[p->in[i].id] = in[i];
	for (int i = 0; ok && i < p->neqns; i++) ok = copy_eqn(&v, &p->eqns[i]);
	const var *out = ok ? values_list(&v, p->out, p->nout) : NULL;
	if (out) return build_end(b, out, p->nout);
	build_abandon(b);
	return NULL;
}

const program *fuse_sums(const program *p)
{
	cut c;

	for (int i = 0; i < p->neqns; i++)
		if (cut_of(p, &p->eqns[i], &c)) return copy_program(p);
	program_retain(p);
	return p;
}
