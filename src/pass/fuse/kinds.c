/* kinds.c - tells equations that become parts of kernels from those that are computed alone: those
 * without a kernel, products of matrices, and moves of large arrays that are a few long copies.
 *
 *     pass fuse
 *     f(%0: f32[64]) -> f32[64] {
 *       %1: f32[64] = neg %0
 *       %2: f32[64] = sort %1 dim=0 num_keys=1
 *       %3: f32[64] = exp %2
 *       return %3
 *     }
 *     gives
 *     f(%0: f32[64]) -> f32[64] {
 *       %1: f32[64] = call %0 program=neg(%0: f32[64]) -> f32[64] {
 *         %1: f32[64] = neg %0
 *         return %1
 *       }
 *       %2: f32[64] = sort %1 dim=0 num_keys=1
 *       %3: f32[64] = call %2 program=exp(%0: f32[64]) -> f32[64] {
 *         %1: f32[64] = exp %0
 *         return %1
 *       }
 *       return %3
 *     } */
#include "pass/fuse/fuse.h"

static double bytes_of(const type *t) { return (double)t->size * (double)tsr_dtype_size(t->dtype); }

/* how many contiguous ranges an array of these dims has, as a part of one whose dims are
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

static bool is_long(const target *on, double bytes, double n) { return bytes >= on->copied * n; }

/* A few pieces, some of them short or small, are the edges of a neighbour or of a pad. Their users
 * read them where they are; a copy would move everything for the sake of a few elements */
static eqn_kind kind_of_concatenate(const target *on, const program *p, const eqn *e)
{
	const type *y = type_of(p, e->out[0]);
	bool edges = false;
	double n = 0;

	for (int i = 0; i < e->nin; i++) {
		const type *t = type_of(p, e->in[i]);
		n += ranges(t, y);
		edges = edges || !is_long(on, bytes_of(t), ranges(t, y)) ||
		        TUNE_EDGE_SHARE * t->size <= y->size;
	}
	if (edges && e->nin <= TUNE_JOINED_EDGES) return EQN_LOCAL;
	return is_long(on, bytes_of(y), n) || e->nin > TUNE_JOINED_PARTS ? EQN_ALONE : EQN_LOCAL;
}

/* a number that is put into memory is a part of what puts it there */
static eqn_kind kind_of_copy(const target *on, const program *p, const eqn *e)
{
	const bool number = p->vars[e->in[0].id].literal;

	return !number && bytes_of(type_of(p, e->out[0])) >= on->copied ? EQN_ALONE : EQN_LOCAL;
}

/* the rest of the array stays where it is, or is one copy */
static eqn_kind kind_of_update(const target *on, const program *p, const eqn *e)
{
	const type *y = type_of(p, e->out[0]);

	return bytes_of(y) >= on->copied ? EQN_ALONE : EQN_LOCAL;
}

/* one range is a view, however short */
static eqn_kind kind_of_slice(const target *on, const program *p, const eqn *e)
{
	const type *x = type_of(p, e->in[0]), *y = type_of(p, e->out[0]);
	const double n = ranges(y, x);

	return steps_by_one(e) && (n == 1 || is_long(on, bytes_of(y), n)) ? EQN_PLAIN : EQN_LOCAL;
}

eqn_kind eqn_kind_of(const target *on, const program *p, const eqn *e)
{
	matrix_product product;

	if (!prim_has(e->prim, COL_LOWER) || sums_pairs(e) || eqn_has_effects(e) ||
	    maker_of(on, p, e, &product) != BY_KERNEL)
		return EQN_ALONE;
	if (e->prim == &tsr__prim_concatenate) return kind_of_concatenate(on, p, e);
	if (e->prim == &tsr__prim_copy) return kind_of_copy(on, p, e);
	if (e->prim == &tsr__prim_dynamic_update_slice) return kind_of_update(on, p, e);
	if (e->prim == &tsr__prim_slice) return kind_of_slice(on, p, e);
	const bool renames = e->prim == &tsr__prim_reshape || e->prim == &tsr__prim_squeeze ||
	                     e->prim == &tsr__prim_expand_dims;
	return renames ? EQN_PLAIN : EQN_LOCAL;
}

/* ---- the size of kernels */

/* the additions that an element counts as, those of complex numbers several times */
static double additions_of(const program *p, const eqn *e)
{
	const program *made_of = eqn_expansion(e);
	double sum = 0;

	for (int i = 0; made_of && i < made_of->neqns; i++)
		sum += additions_of(made_of, &made_of->eqns[i]);
	if (made_of) return sum;
	const bool pairs = dtype_kind(type_of(p, e->out[0])->dtype) == KIND_COMPLEX;
	return e->prim->cost * (pairs ? TUNE_NODES_COMPLEX : 1);
}

double nodes_of(const program *p, const eqn *e)
{
	const type *t = type_of(p, e->out[0]);
	const bool moves = e->prim->flags & (PRIM_MOVES | PRIM_ALONG);

	return TUNE_NODES_LEAST + TUNE_NODES_COST * additions_of(p, e) +
	       (moves ? TUNE_NODES_DIM * t->ndim * e->nin : 0);
}
