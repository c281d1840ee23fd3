/* recipe_run_random.c - the random numbers of recipes, as calls of the public API. */
#include "support/recipe_run.h"

/* the number at which a part begins: i32[] */
static tsr *start_of(const runner *u, const step *s)
{
	const char axis[] = {s->axis < 0 ? 0 : u->r->axis[s->axis].name, 0};

	return s->axis < 0 ? tsr_scalar(u->ctx, s->start, .dtype = TSR_I32)
	                   : tsr_axis_index(u->ctx, axis);
}

static tsr *split_key(const step *s, tsr *key)
{
	tsr *all[RECIPE_DEVICES];

	if (!s->keep) return tsr_split_keys(key, TSR_DIMS(s->stop));
	const bool done = tsr_split_key(key, all, (size_t)s->stop);
	return done ? all[s->start] : all[0];
}

static tsr *fold_in(const runner *u, const step *s, tsr *key, tsr *x)
{
	if (x) return tsr_fold_in(key, tsr_astype(tsr_gt(tsr_sum(x), s->k), TSR_U32));
	return s->axis < 0 ? tsr_fold_in(key, s->start) : tsr_fold_in(key, start_of(u, s));
}

/* .whole and .start of a part */
typedef struct part {
	tsr_dims whole;
	tsr *start;
} part;

static part part_of(const runner *u, const step *s, tsr_dims dims)
{
	part p = {.whole = dims};

	if (!s->to) return (part){.start = NULL};
	p.whole.d[1 + s->at] = s->to;
	tsr *dim = tsr_iota(u->ctx, TSR_DIMS(dims.d[0] - 1), 0, .dtype = TSR_I32);
	p.start = tsr_where(tsr_eq(dim, s->at), start_of(u, s), 0);
	return p;
}

static tsr *first_bits(const runner *u, const step *s, tsr *key, tsr_dims dims)
{
	const part p = part_of(u, s, dims);
	const tsr_dtype dtype = s->stop == 8    ? TSR_U8
	                        : s->stop == 16 ? TSR_U16
	                        : s->stop == 32 ? TSR_U32
	                                        : TSR_U64;
	tsr *bits = tsr_random_bits(key, dims, .dtype = dtype, .whole = p.whole, .start = p.start);
	tsr *first = tsr_astype(tsr_shift_right(bits, s->stop - 6), u->dtype);

	return tsr_sub(tsr_mul(first, 1.0 / 32), 1);
}

tsr *random_call(const runner *u, const step *s, const form *made, tsr *a, tsr *b)
{
	const tsr_dims dims = dims_of(made->dim, made->ndim);
	const bool numbers = s->op == OP_UNIFORM || s->op == OP_NORMAL;
	const part p = numbers ? part_of(u, s, dims) : (part){.start = NULL};

	switch (s->op) {
	case OP_KEY: return tsr_key(u->ctx, (uint64_t)s->start);
	case OP_SPLIT: return split_key(s, a);
	case OP_FOLD_IN: return fold_in(u, s, a, b);
	case OP_KEY_AT: return tsr_dynamic_index(a, 0, start_of(u, s));
	case OP_BITS: return first_bits(u, s, a, dims);
	case OP_UNIFORM:
		return tsr_uniform(a, dims, .dtype = u->dtype, .whole = p.whole, .start = p.start);
	default:
		return tsr_normal(a, dims, .dtype = u->dtype, .whole = p.whole, .start = p.start);
	}
}
