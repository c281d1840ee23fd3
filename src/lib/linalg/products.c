/* products.c - the public products that are one einsum, or a product of elements: jax.numpy's
 * contractions (jax/_src/numpy/tensor_contractions.py). */
#include "lib/formula.h"
#include "lib/linalg/products.h"

/* the dims of a and b that are summed over, in pairs. false: recorded */
static bool pairs_read(const call_site *site, const tsr_tensordot_args *g, const int ndim[2],
                       int64_t dims[2][MAX_NDIM], int *n)
{
	const tsr_dims *const given[] = {&g->dims_a, &g->dims_b};
	const bool listed = dims_given(given[0]) || dims_given(given[1]);

	*n = listed ? dims_count(given[0]) : g->n ? g->n : 2;
	if (!dims_ok(site, ".dims_a", given[0], listed) ||
	    !dims_ok(site, ".dims_b", given[1], listed))
		return false;
	if ((listed && g->n) || (listed && dims_count(given[1]) != *n))
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               ".dims_a and .dims_b must be of one length, without .n");
	if (*n < 0 || *n > ndim[0] || *n > ndim[1])
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               "cannot sum over %d dims of values with %d and %d", *n, ndim[0],
		               ndim[1]);
	for (int i = 0; i < *n; i++)
		for (int side = 0, d; side < 2; side++) {
			const int64_t usual = side ? i : ndim[0] - *n + i;
			if (!dim_read(site, listed ? dims_of(given[side])[i] : usual, ndim[side],
			              &d))
				return false;
			for (int j = 0; j < i; j++)
				if (dims[side][j] == d)
					return fail_op(site, TSR_ERROR_ARGUMENT,
					               "dim %d is named twice", d);
			dims[side][i] = d;
		}
	return true;
}

static tsr *different_sizes(const call_site *site, tsr *const x[2])
{
	fail_types(site, "cannot sum over dims of different sizes in", x, 2);
	return poison_of(site->ctx);
}

tsr *lib_tensordot(call_site *site, tsr *a, tsr *b, const tsr_tensordot_args *g)
{
	tsr *x[2] = {a, b};
	tsr_ctx *ctx = operands_check(site, x, 2);
	int64_t dims[2][MAX_NDIM];
	int n;

	if (!ctx || !dtype_given_ok(site, g->dtype)) return poison_of(site->ctx);
	const int ndim[] = {handle_type(a)->ndim, handle_type(b)->ndim};
	if (!pairs_read(site, g, ndim, dims, &n)) return poison_of(ctx);
	for (int i = 0; i < n; i++)
		if (handle_type(a)->dims[dims[0][i]] != handle_type(b)->dims[dims[1][i]])
			return different_sizes(site, x);
	const etype common = etype_join(etype_of(handle_type(a)), etype_of(handle_type(b)));
	for (int i = 0; i < 2; i++)
		if (handle_is_poison(x[i] = promote(site, x[i], common))) return x[i];
	const dot_params p = {{n, dims[0]}, {n, dims[1]}, {0, NULL}, {0, NULL},
	                      g->dtype ? g->dtype : common.dtype, DOT_EXACT};
	return bind_product(site, &p, g->precision, x);
}

static tsr *einsum_pair(call_site *site, const char *text, tsr *a, tsr *b)
{
	return einsum_of(site, text, (tsr *[]){a, b}, 2, 0);
}

/* the last dims are summed over */
tsr *lib_inner(call_site *site, tsr *a, tsr *b)
{
	const tsr_tensordot_args last = {.size = sizeof last,
	                                 .dims_a = TSR_DIMS(-1), .dims_b = TSR_DIMS(-1)};

	if (!operands_check(site, (tsr *[]){a, b}, 2)) return poison_of(site->ctx);
	if (!handle_type(a)->ndim || !handle_type(b)->ndim)
		return MUL(HANDLE(a), HANDLE(b)).as.one;
	return tsr_tensordot_at(site->where, a, b, &last);
}

tsr *lib_vdot(call_site *site, tsr *a, tsr *b)
{
	return einsum_pair(site, "i,i", tsr_ravel_at(site->where, tsr_conj_at(site->where, a)),
	                   tsr_ravel_at(site->where, b));
}

tsr *lib_matvec(call_site *site, tsr *a, tsr *b)
{
	return einsum_pair(site, "...nm,...m->...n", a, b);
}

tsr *lib_vecmat(call_site *site, tsr *a, tsr *b)
{
	return einsum_pair(site, "...n,...nm->...m", tsr_conj_at(site->where, a), b);
}

/* a dim moved to the end */
static tsr *to_end(const call_site *site, tsr *x, int dim)
{
	return tsr_moveaxis_at(site->where, x, TSR_DIMS(dim), TSR_DIMS(-1));
}

tsr *lib_vecdot(call_site *site, tsr *a, tsr *b, const tsr_vecdot_args *g)
{
	int dim[2];

	if (!operands_check(site, (tsr *[]){a, b}, 2) ||
	    !one_dim_read(site, &g->dim, handle_type(a)->ndim, -1, &dim[0]) ||
	    !one_dim_read(site, &g->dim, handle_type(b)->ndim, -1, &dim[1]))
		return poison_of(site->ctx);
	if (handle_type(a)->dims[dim[0]] != handle_type(b)->dims[dim[1]])
		return different_sizes(site, (tsr *[]){a, b});
	return einsum_pair(site, "...n,...n->...",
	                   tsr_conj_at(site->where, to_end(site, a, dim[0])),
	                   to_end(site, b, dim[1]));
}

tsr *lib_outer(call_site *site, tsr *a, tsr *b)
{
	const tsr_arg column =
		HANDLE(tsr_expand_dims_at(site->where, tsr_ravel_at(site->where, a), TSR_DIMS(1)));

	return MUL(column, HANDLE(tsr_ravel_at(site->where, b))).as.one;
}

/* a [m, n] and b [p, q] as [m, 1, n, 1] and [1, p, 1, q], whose product is [m p, n q] */
tsr *lib_kron(call_site *site, tsr *a, tsr *b)
{
	tsr *x[2] = {a, b};
	int64_t dims[3][2 * MAX_NDIM];

	if (!operands_check(site, x, 2)) return poison_of(site->ctx);
	const type *t[2] = {handle_type(a), handle_type(b)};
	const int n = t[0]->ndim > t[1]->ndim ? t[0]->ndim : t[1]->ndim;
	if (2 * n > MAX_NDIM)
		return refuse_op(site, TSR_ERROR_UNSUPPORTED,
		                 "values may have at most %d dims, got %d", MAX_NDIM / 2, n);
	for (int d = 0; d < n; d++) {
		dims[2][d] = 1;
		for (int i = 0; i < 2; i++) {
			const int own = d - (n - t[i]->ndim);
			dims[i][2 * d + i] = own < 0 ? 1 : t[i]->dims[own];
			dims[i][2 * d + !i] = 1;
			if (!mul_ok(dims[2][d], dims[i][2 * d + i], &dims[2][d]))
				return fail_types(site, "is too large of", x, 2),
				       poison_of(site->ctx);
		}
	}
	for (int i = 0; i < 2; i++) x[i] = reshape_to(site, x[i], dims[i], 2 * n);
	return reshape_to(site, MUL(HANDLE(x[0]), HANDLE(x[1])).as.one, dims[2], n);
}

/* ---- the cross product: (a1 b2 - a2 b1, a2 b0 - a0 b2, a0 b1 - a1 b0); of vectors of 2 the third
 * element is 0, and of two of these alone it is the result */

/* element i along the last dim, which is the same vector's 0 where it has none */
static tsr_arg entry(const call_site *site, tsr *x, int i)
{
	const type *t = handle_type(x);

	if (i < t->dims[t->ndim - 1]) return HANDLE(tsr_index_at(site->where, x, -1, i));
	return HANDLE(tsr_zeros_like_at(site->where, tsr_index_at(site->where, x, -1, 0)));
}

static bool is_vector(const call_site *site, tsr *x)
{
	const type *t = handle_type(x);
	const int64_t n = t->ndim ? t->dims[t->ndim - 1] : 0;

	return n == 2 || n == 3 || fail_types(site, "takes vectors of 2 or 3, and got", &x, 1);
}

tsr *lib_cross(call_site *site, tsr *a, tsr *b, const tsr_cross_args *g)
{
	tsr *x[2] = {a, b};
	int dim[2];

	if (!operands_check(site, x, 2)) return poison_of(site->ctx);
	for (int i = 0; i < 2; i++) {
		if (!one_dim_read(site, &g->dim, handle_type(x[i])->ndim, -1, &dim[i]) ||
		    handle_is_poison(x[i] = to_end(site, x[i], dim[i])) || !is_vector(site, x[i]))
			return poison_of(site->ctx);
	}
	tsr_arg p[3], q[3];
	tsr *y[3];
	for (int i = 0; i < 3; i++) p[i] = entry(site, x[0], i), q[i] = entry(site, x[1], i);
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		y[i] = SUB(MUL(p[j], q[k]), MUL(p[k], q[j])).as.one;
	}
	const type *t[2] = {handle_type(x[0]), handle_type(x[1])};
	if (t[0]->dims[t[0]->ndim - 1] == 2 && t[1]->dims[t[1]->ndim - 1] == 2) return y[2];
	tsr *stacked = tsr_stack_at(site->where, -1, y, 3);
	if (handle_is_poison(stacked) || !dims_given(&g->dim)) return stacked;
	return tsr_moveaxis_at(site->where, stacked, TSR_DIMS(-1), g->dim);
}
