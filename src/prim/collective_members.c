/* collective_members.c - the collectives as equations of one device: what the members of a group
 * compute, from the blocks of all of them.
 *
 * Members often share a block. What is made of the same blocks again, one member after the other,
 * is made once; a result that all members get is one variable. */
#include "prim/collective.h"

/* a part of one dim; all of it is the operand */
static var part(build *b, var x, int64_t dim, int64_t start, int64_t stop)
{
	if (is_zero(x) || (start == 0 && stop == build_type(b, x)->dims[dim])) return x;
	return emit_part(b, x, (int)dim, start, stop);
}

static var same_var(const var *x, int i, const var *made)
{
	return i && x[i].id == x[i - 1].id ? made[i - 1] : (var){0};
}

static void give_all(var *y, int n, var all)
{
	for (int k = 0; k < n; k++) y[k] = all;
}

/* ---- psum, pmax, pmin, psum_scatter */

/* neighbours are joined, level by level; v is overwritten */
static var tree(build *b, const tsr_prim *join, var *v, int n)
{
	for (; n > 1; n = (n + 1) / 2) {
		var left = {0}, right = {0};
		for (int i = 0; i + 1 < n; i += 2) {
			const bool again = i && v[i].id == left.id && v[i + 1].id == right.id;
			left = v[i];
			right = v[i + 1];
			v[i / 2] = again ? v[i / 2 - 1] : emit_2(b, join, left, right);
		}
		if (n % 2) v[n / 2] = v[n - 1];
	}
	return v[0];
}

/* The tree is filled up with +0 to a power of two, which shows only where each term is -0: one +0
 * at the end does the same. */
static var sum(build *b, const var *x, int n)
{
	const tsr_dtype dtype = build_type(b, x[0])->dtype;
	const tsr_dtype wide = dtype == TSR_F16 || dtype == TSR_BF16 ? TSR_F32 : dtype;
	var *v = var_room(b, n);

	if (n == 1 || !v) return v ? x[0] : (var){0};
	for (int k = 0; k < n; k++) {
		v[k] = same_var(x, k, v);
		if (is_zero(v[k])) v[k] = emit_convert(b, x[k], wide);
	}
	var all = tree(b, &tsr__prim_add, v, n);
	if ((n & (n - 1)) && has_tangent(dtype))
		all = emit_2(b, &tsr__prim_add, all, emit_scalar(b, wide, 0));
	return emit_convert(b, all, dtype);
}

COLLECTIVE_MEMBERS(psum)
{
	(void)e;
	give_all(y, n, sum(b, x, n));
}

static void extreme(build *b, const tsr_prim *join, int n, const var *x, var *y)
{
	var *v = var_room(b, n);
	int some = 0;

	for (int k = 0; v && k < n; k++)
		if (!k || x[k].id != x[k - 1].id) v[some++] = x[k];
	if (v) give_all(y, n, tree(b, join, v, some));
}

COLLECTIVE_MEMBERS(pmax)
{
	(void)e;
	extreme(b, &tsr__prim_max, n, x, y);
}

COLLECTIVE_MEMBERS(pmin)
{
	(void)e;
	extreme(b, &tsr__prim_min, n, x, y);
}

/* the dims of t without dim d */
static var without_dim(build *b, var x, int64_t d)
{
	if (is_zero(x)) return x;
	const type *t = build_type(b, x);
	int64_t *dims = list_room(b, t->ndim);
	if (!dims) return (var){0};
	for (int i = 0, at = 0; i < t->ndim; i++)
		if (i != d) dims[at++] = t->dims[i];
	return emit_reshape(b, x, dims, t->ndim - 1);
}

COLLECTIVE_MEMBERS(psum_scatter)
{
	const psum_scatter_params *p = e->params;
	const int64_t chunk = build_type(b, x[0])->dims[p->dim] / n;
	const var all = sum(b, x, n);

	for (int k = 0; k < n; k++) {
		y[k] = part(b, all, p->dim, k * chunk, (k + 1) * chunk);
		if (!p->tiled) y[k] = without_dim(b, y[k], p->dim);
	}
}

/* ---- all_gather, all_to_all, ppermute, pbroadcast, assume_equal */

/* with a dim of this size at d */
static var with_dim(build *b, var x, int64_t d, const type *t, int64_t size)
{
	int64_t *dims = list_room(b, t->ndim + 1);

	if (!dims) return (var){0};
	for (int i = 0; i <= t->ndim; i++) dims[i] = i == d ? size : t->dims[i - (i > d)];
	return emit_reshape(b, x, dims, t->ndim + 1);
}

/* a new last dim has nothing behind it to be joined along */
static var stack_last(build *b, const var *x, int n, const type *t)
{
	var *v = var_room(b, n);

	for (int k = 0; v && k < n; k++) {
		v[k] = same_var(x, k, v);
		if (is_zero(v[k])) v[k] = with_dim(b, x[k], t->ndim, t, 1);
	}
	return v ? emit_join(b, v, n, t->ndim) : (var){0};
}

COLLECTIVE_MEMBERS(all_gather)
{
	const all_gather_params *p = e->params;
	const type *t = build_type(b, x[0]);

	if (!p->tiled && p->dim == t->ndim) {
		give_all(y, n, stack_last(b, x, n, t));
		return;
	}
	const var joined = emit_join(b, x, n, (int)p->dim);
	give_all(y, n, p->tiled ? joined : with_dim(b, joined, p->dim, t, n));
}

COLLECTIVE_MEMBERS(all_to_all)
{
	const all_to_all_params *p = e->params;
	const int64_t chunk = build_type(b, x[0])->dims[p->split] / n;
	const int64_t joins = p->tiled ? p->concat : p->split;
	var *v = var_room(b, n);

	for (int to = 0; v && to < n; to++) {
		for (int k = 0; k < n; k++) {
			v[k] = same_var(x, k, v);
			if (is_zero(v[k]))
				v[k] = part(b, x[k], p->split, to * chunk, (to + 1) * chunk);
		}
		y[to] = emit_join(b, v, n, (int)joins);
		if (!p->tiled) y[to] = emit_move_dim(b, y[to], (int)p->split, (int)p->concat);
	}
}

COLLECTIVE_MEMBERS(ppermute)
{
	const ints *perm = &((const ppermute_params *)e->params)->perm;
	var zeros = {0};

	give_all(y, n, zeros);
	for (int i = 0; i < perm->n; i += 2) y[perm->v[i + 1]] = x[perm->v[i]];
	for (int k = 0; k < n; k++) {
		if (!is_zero(y[k])) continue;
		if (is_zero(zeros)) zeros = emit_zeros(b, build_type(b, x[0]));
		y[k] = zeros;
	}
}

COLLECTIVE_MEMBERS(pbroadcast)
{
	(void)b;
	give_all(y, n, x[((const pbroadcast_params *)e->params)->source]);
}

COLLECTIVE_MEMBERS(assume_equal)
{
	(void)b, (void)e;
	give_all(y, n, x[0]);
}
