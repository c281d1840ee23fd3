/* rows.c - what fusion knows of rows: their cost, and which equations are no kernels. */
#include "pass/fuse/fuse.h"

/* rows that are not here cost 1 and ask for their operands at the index of the result */
static const fuse_row rows[] = {
	{&tsr__prim_exp, 6, 0},
	{&tsr__prim_exp2, 6, 0},
	{&tsr__prim_expm1, 10, 0},
	{&tsr__prim_log, 8, 0},
	{&tsr__prim_log1p, 10, 0},
	{&tsr__prim_logistic, 8, 0},
	{&tsr__prim_tanh, 10, 0},
	{&tsr__prim_sin, 12, 0},
	{&tsr__prim_cos, 12, 0},
	{&tsr__prim_pow, 20, 0},
	{&tsr__prim_rem, 10, 0},
	{&tsr__prim_div, 3, 0},
	{&tsr__prim_sqrt, 3, 0},
	{&tsr__prim_rsqrt, 4, 0},
	{&tsr__prim_integer_pow, 3, 0},
	{&tsr__prim_threefry2x32, 60, 0}, /* for one of its two results */
	{&tsr__prim_reshape, 0.25, ROW_MOVES},
	{&tsr__prim_transpose, 0.25, ROW_MOVES},
	{&tsr__prim_broadcast_in_dim, 0.25, ROW_MOVES},
	{&tsr__prim_squeeze, 0.25, ROW_MOVES},
	{&tsr__prim_expand_dims, 0.25, ROW_MOVES},
	{&tsr__prim_rev, 0.25, ROW_MOVES | ROW_ALONG},
	{&tsr__prim_slice, 0.25, ROW_MOVES | ROW_ALONG},
	{&tsr__prim_dynamic_slice, 0.5, ROW_MOVES | ROW_ALONG},
	{&tsr__prim_pad, 2, ROW_BRANCHES | ROW_ALONG},
	{&tsr__prim_concatenate, 3, ROW_BRANCHES | ROW_ALONG},
	{&tsr__prim_dynamic_update_slice, 3, ROW_BRANCHES | ROW_ALONG},
	{&tsr__prim_iota, 0.5, 0},
	{&tsr__prim_reduce_sum, 1, ROW_REDUCES},
	{&tsr__prim_reduce_prod, 1, ROW_REDUCES},
	{&tsr__prim_reduce_max, 1, ROW_REDUCES},
	{&tsr__prim_reduce_min, 1, ROW_REDUCES},
	{&tsr__prim_reduce_and, 1, ROW_REDUCES},
	{&tsr__prim_reduce_or, 1, ROW_REDUCES},
	{&tsr__prim_reduce_xor, 1, ROW_REDUCES},
	{&tsr__prim_argmax, 2, ROW_REDUCES},
	{&tsr__prim_argmin, 2, ROW_REDUCES},
	{&tsr__prim_dot_general, 1, ROW_REDUCES},
};

const fuse_row *row_of(const eqn *e)
{
	static const fuse_row other = {NULL, 1, 0};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].prim == e->prim) return &rows[i];
	return &other;
}

static double product(const int64_t *dims, const ints *which)
{
	double n = 1;

	for (int i = 0; i < which->n; i++) n *= (double)dims[which->v[i]];
	return n;
}

/* elements that are reduced to one of the result */
double steps_of(const program *p, const eqn *e)
{
	const type *x = type_of(p, e->in[0]), *y = type_of(p, e->out[0]);

	if (e->prim == &tsr__prim_dot_general)
		return product(x->dims, &((const dot_params *)e->params)->contract_a);
	return y->size ? (double)x->size / (double)y->size : 0;
}

static double dtype_cost(tsr_dtype dtype)
{
	const double parts = dtype_kind(dtype) == KIND_COMPLEX ? 4 : 1;

	return dtype_bits(dtype_real(dtype)) == 64 ? 2 * parts : parts;
}

double cost_of(const program *p, const eqn *e)
{
	const fuse_row *row = row_of(e);
	const double each = row->cost * dtype_cost(type_of(p, e->out[0])->dtype);

	if (row->flags & ROW_MOVES) return row->cost;
	return row->flags & ROW_REDUCES ? 2 + each * steps_of(p, e) : each;
}

double work_of(const program *p, const eqn *e)
{
	return e->nout ? cost_of(p, e) * (double)type_of(p, e->out[0])->size : 0;
}

bool is_reduction(const eqn *e) { return row_of(e)->flags & ROW_REDUCES; }

double nodes_of(const program *p, const eqn *e)
{
	const fuse_row *row = row_of(e);
	const type *t = type_of(p, e->out[0]);
	const double parts = dtype_kind(t->dtype) == KIND_COMPLEX ? 8 : 1;
	const double indices = row->flags & (ROW_MOVES | ROW_ALONG) ? 4 * t->ndim * e->nin : 0;

	return 12 + 7 * row->cost * parts + indices;
}

/* ---- plain moves */

#define MIN_PIECE 4096 /* bytes that are worth a copy of their own */
#define MOST_PIECES 64 /* of a concatenation in a kernel */
#define FEW_PIECES 4   /* that a kernel takes one after the other */

static double bytes_of(const type *t) { return (double)t->size * (double)tsr_dtype_size(t->dtype); }

/* in how many contiguous ranges an array of these dims lies, as a part of one whose dims are
 * `around` */
static double ranges(const type *part, const type *around)
{
	double n = 1;
	bool split = false;

	for (int d = part->ndim - 1; d >= 0; d--) {
		if (split) n *= (double)part->dims[d];
		split = split || part->dims[d] != around->dims[d];
	}
	return n;
}

static bool steps_by_one(const eqn *e)
{
	const ints *step = &((const slice_params *)e->params)->step;

	for (int d = 0; d < step->n; d++)
		if (step->v[d] != 1) return false;
	return true;
}

static bool is_long(double bytes, double n) { return bytes >= MIN_PIECE * n; }

/* A few pieces, some of them short, are the edges of a neighbour or of a pad. Their users read them
 * where they are; a copy would move everything for the sake of a few elements */
static eqn_kind kind_of_concatenate(const program *p, const eqn *e)
{
	const type *y = type_of(p, e->out[0]);
	bool edges = false;
	double n = 0;

	for (int i = 0; i < e->nin; i++) {
		const type *t = type_of(p, e->in[i]);
		n += ranges(t, y);
		edges = edges || !is_long(bytes_of(t), ranges(t, y));
	}
	if (edges && e->nin <= FEW_PIECES) return EQN_LOCAL;
	return is_long(bytes_of(y), n) || e->nin > MOST_PIECES ? EQN_ALONE : EQN_LOCAL;
}

/* the rest of the array stays where it is, or is one copy */
static eqn_kind kind_of_update(const program *p, const eqn *e)
{
	const type *y = type_of(p, e->out[0]);

	return bytes_of(y) >= MIN_PIECE ? EQN_ALONE : EQN_LOCAL;
}

/* one range is a view, however short */
static eqn_kind kind_of_slice(const program *p, const eqn *e)
{
	const type *x = type_of(p, e->in[0]), *y = type_of(p, e->out[0]);
	const double n = ranges(y, x);

	return steps_by_one(e) && (n == 1 || is_long(bytes_of(y), n)) ? EQN_PLAIN : EQN_LOCAL;
}

eqn_kind eqn_kind_of(const program *p, const eqn *e)
{
	if (!e->prim->lower || eqn_has_effects(e) || is_large_product(p, e))
		return EQN_ALONE;
	if (e->prim == &tsr__prim_concatenate) return kind_of_concatenate(p, e);
	if (e->prim == &tsr__prim_dynamic_update_slice) return kind_of_update(p, e);
	if (e->prim == &tsr__prim_slice) return kind_of_slice(p, e);
	const bool renames = e->prim == &tsr__prim_reshape || e->prim == &tsr__prim_squeeze ||
	                     e->prim == &tsr__prim_expand_dims;
	return renames ? EQN_PLAIN : EQN_LOCAL;
}
