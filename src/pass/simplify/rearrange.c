/* rearrange.c - rows that move elements: two in a row become one, and those that move nothing go.
 *
 *     pass simplify
 *     f(%0: f32[2,3]) -> f32[2,3], f32[3,2], f32[2,2] {
 *       %1: f32[3,2] = transpose %0 perm=[1,0]
 *       %2: f32[2,3] = transpose %1 perm=[1,0]
 *       %3: f32[6] = reshape %0 dims=[6]
 *       %4: f32[3,2] = reshape %3 dims=[3,2]
 *       %5: f32[2,2] = dot_general %0 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]
 *             dtype=f32
 *       return %2 %4 %5
 *     }
 *     gives
 *     f(%0: f32[2,3]) -> f32[2,3], f32[3,2], f32[2,2] {
 *       %1: f32[3,2] = reshape %0 dims=[3,2]
 *       %2: f32[2,2] = dot_general %0 %0 contract_a=[1] contract_b=[1] batch_a=[] batch_b=[]
 *             dtype=f32
 *       return %0 %1 %2
 *     }
 *
 * pass_batch and the transposes move dims back and forth; here most of these moves cancel with
 * their inverse. */
#include "pass/simplify/simplify.h"

static bool moves_nothing(const simplify *s, const eqn *e, const type *t)
{
	return type_at(s, e->in[0]) == t;
}

/* ---- the same elements in the same order: reshape, squeeze, expand_dims */

static const eqn *made_by_reshape(const simplify *s, var v)
{
	const eqn *e = made_by(s, v, &tsr__prim_reshape);

	if (!e) e = made_by(s, v, &tsr__prim_squeeze);
	return e ? e : made_by(s, v, &tsr__prim_expand_dims);
}

static var reshape_rule(simplify *s, const eqn *e, const type *t)
{
	const eqn *first = made_by_reshape(s, e->in[0]);
	const dims_params to = {{t->ndim, t->dims}};

	if (moves_nothing(s, e, t)) return e->in[0];
	return first ? simplify_make(s, &tsr__prim_reshape, &to, first->in, 1, t) : (var){0};
}

/* ---- transpose: result dim d is operand dim perm[d], so it is dim first[perm[d]] of what the
 * operand was transposed from */

static bool is_identity(const ints *perm)
{
	for (int d = 0; d < perm->n; d++)
		if (perm->v[d] != d) return false;
	return true;
}

static var transpose_rule(simplify *s, const eqn *e, const type *t)
{
	const ints *perm = &((const transpose_params *)e->params)->perm;
	const eqn *first = made_by(s, e->in[0], &tsr__prim_transpose);

	if (is_identity(perm)) return e->in[0];
	int64_t *both = first ? simplify_room(s, (size_t)perm->n, sizeof *both) : NULL;
	if (!both) return (var){0};
	for (int d = 0; d < perm->n; d++)
		both[d] = ((const transpose_params *)first->params)->perm.v[perm->v[d]];
	return simplify_make(s, e->prim, &(transpose_params){{perm->n, both}}, first->in, 1, t);
}

/* ---- dot_general reads a matrix along its rows or its columns, so that x x.t needs no copy of x
 * in another order. What is no matrix before it is transposed stays (fuse/products.c packs it) */

static ints moved_back(simplify *s, const ints *dims, const ints *perm)
{
	int64_t *at = simplify_room(s, (size_t)dims->n + 1, sizeof *at);

	for (int i = 0; at && i < dims->n; i++) at[i] = perm->v[dims->v[i]];
	return (ints){at ? dims->n : 0, at};
}

/* are the dims that the result has in the same order in what was transposed? */
static bool keeps_order(const ints *perm, const ints *batch, const ints *contract)
{
	int64_t last = -1;

	for (int d = 0; d < perm->n; d++) {
		if (has_int(batch, d) || has_int(contract, d)) continue;
		if (perm->v[d] < last) return false;
		last = perm->v[d];
	}
	return true;
}

/* takes the transpose out of an operand, and changes the dims that are meant in it. false: it stays
 * as it is */
static bool untranspose(simplify *s, var *x, ints *batch, ints *contract)
{
	const eqn *made = made_by(s, *x, &tsr__prim_transpose);
	const ints *perm = made ? &((const transpose_params *)made->params)->perm : NULL;
	bool first;

	if (!made || !keeps_order(perm, batch, contract)) return false;
	const ints to_batch = moved_back(s, batch, perm);
	const ints to_contract = moved_back(s, contract, perm);
	if (!to_batch.v || !to_contract.v ||
	    !is_matrix(type_at(s, made->in[0]), &to_batch, &to_contract, &first))
		return false;
	*x = made->in[0];
	*batch = to_batch;
	*contract = to_contract;
	return true;
}

static var dot_rule(simplify *s, const eqn *e, const type *t)
{
	dot_params p = *(const dot_params *)e->params;
	var x[] = {e->in[0], e->in[1]};
	const bool a = untranspose(s, &x[0], &p.batch_a, &p.contract_a);
	const bool b = untranspose(s, &x[1], &p.batch_b, &p.contract_b);

	return a || b ? simplify_make(s, e->prim, &p, x, 2, t) : (var){0};
}

/* ---- broadcast_in_dim: operand dim d is result dim at[d]. One that repeats nothing only adds dims
 * of size 1 */

static var broadcast_rule(simplify *s, const eqn *e, const type *t)
{
	const ints *at = &((const broadcast_params *)e->params)->at;
	const eqn *first = made_by(s, e->in[0], &tsr__prim_broadcast_in_dim);

	if (moves_nothing(s, e, t)) return e->in[0];
	if (type_at(s, e->in[0])->size == t->size)
		return simplify_make(s, &tsr__prim_reshape, &(dims_params){{t->ndim, t->dims}},
		                     e->in, 1, t);
	if (!first) return (var){0};
	const ints *before = &((const broadcast_params *)first->params)->at;
	int64_t *both = simplify_room(s, (size_t)before->n, sizeof *both);
	if (!both) return (var){0};
	for (int d = 0; d < before->n; d++) both[d] = at->v[before->v[d]];
	return simplify_make(s, e->prim, &(broadcast_params){{t->ndim, t->dims}, {before->n, both}},
	                     first->in, 1, t);
}

/* ---- rev: a dim that is reversed twice is not reversed */

static var rev_rule(simplify *s, const eqn *e, const type *t)
{
	const ints *dims = &((const dims_params *)e->params)->dims;
	const eqn *first = made_by(s, e->in[0], &tsr__prim_rev);

	if (!dims->n) return e->in[0];
	if (!first) return (var){0};
	const ints *before = &((const dims_params *)first->params)->dims;
	int64_t *once = simplify_room(s, (size_t)(dims->n + before->n), sizeof *once);
	int n = 0;
	for (int i = 0, j = 0; once && (i < dims->n || j < before->n);) {
		const bool both = i < dims->n && j < before->n && dims->v[i] == before->v[j];
		if (both)
			i++, j++;
		else if (j == before->n || (i < dims->n && dims->v[i] < before->v[j]))
			once[n++] = dims->v[i++];
		else
			once[n++] = before->v[j++];
	}
	return once ? simplify_make(s, e->prim, &(dims_params){{n, once}}, first->in, 1, t)
	            : (var){0};
}

/* ---- parts: a slice of the operand's own type is the operand */

static var slice_rule(simplify *s, const eqn *e, const type *t)
{
	return moves_nothing(s, e, t) ? e->in[0] : (var){0};
}

static var concatenate_rule(simplify *s, const eqn *e, const type *t)
{
	(void)s, (void)t;
	return e->nin == 1 ? e->in[0] : (var){0};
}

static bool all_zero(const ints *list)
{
	for (int d = 0; d < list->n; d++)
		if (list->v[d]) return false;
	return true;
}

static var pad_rule(simplify *s, const eqn *e, const type *t)
{
	const pad_params *p = e->params;

	(void)s, (void)t;
	return all_zero(&p->low) && all_zero(&p->high) && all_zero(&p->interior) ? e->in[0]
	                                                                         : (var){0};
}

/* a start that is known, moved so that `part` of `size` elements fit in */
static bool known_start(const simplify *s, var v, int64_t size, int64_t part, int64_t *start)
{
	const void *element = element_of(s, v);
	const tsr_dtype dtype = type_at(s, v)->dtype;

	if (!element) return false;
	dtype_convert(TSR_I64, start, dtype, element, 1);
	if (*start < 0) *start = dtype == TSR_U64 ? size : 0;
	if (*start > size - part) *start = size - part;
	return true;
}

static var dynamic_slice_rule(simplify *s, const eqn *e, const type *t)
{
	const type *in = type_at(s, e->in[0]);
	int64_t *start = simplify_room(s, 3 * (size_t)t->ndim, sizeof *start);

	if (moves_nothing(s, e, t)) return e->in[0];
	if (!start || in->varying != t->varying) return (var){0};
	int64_t *stop = start + t->ndim, *step = stop + t->ndim;
	for (int d = 0; d < t->ndim; d++) {
		if (!known_start(s, e->in[1 + d], in->dims[d], t->dims[d], &start[d]))
			return (var){0};
		stop[d] = start[d] + t->dims[d];
		step[d] = 1;
	}
	const slice_params p = {{t->ndim, start}, {t->ndim, stop}, {t->ndim, step}};
	return simplify_make(s, &tsr__prim_slice, &p, e->in, 1, t);
}

static var dynamic_update_slice_rule(simplify *s, const eqn *e, const type *t)
{
	return type_at(s, e->in[1]) == t ? e->in[1] : (var){0};
}

var rewrite_rearrangement(simplify *s, const eqn *e, const type *t)
{
	static const rule rules[] = {
		{&tsr__prim_reshape, reshape_rule},
		{&tsr__prim_squeeze, reshape_rule},
		{&tsr__prim_expand_dims, reshape_rule},
		{&tsr__prim_transpose, transpose_rule},
		{&tsr__prim_dot_general, dot_rule},
		{&tsr__prim_broadcast_in_dim, broadcast_rule},
		{&tsr__prim_rev, rev_rule},
		{&tsr__prim_slice, slice_rule},
		{&tsr__prim_concatenate, concatenate_rule},
		{&tsr__prim_pad, pad_rule},
		{&tsr__prim_dynamic_slice, dynamic_slice_rule},
		{&tsr__prim_dynamic_update_slice, dynamic_update_slice_rule},
	};

	return apply_rule(s, rules, ARRAY_LEN(rules), e, t);
}
