/* norms.c - norms of vectors and matrices, and condition numbers. */
#include <math.h>
#include "lib/lib.h"

/* of what has no elements; the smallest of none is what it is */
static tsr_arg norm_of_none(bool most)
{
	return (tsr_arg){.kind = most ? TSR_KIND_INT : TSR_KIND_NONE};
}

/* (sum |x|^p)^(1/p); p infinite: the largest or smallest; p = 0: how many are not 0 */
tsr *lib_vector_norm(call_site *site, tsr *x, const tsr_norm_args *g)
{
	const char *where = site->where;
	const double p = g->zero ? 0 : g->ord != 0 ? g->ord : 2;
	const tsr_reduce_args most = {.size = sizeof most, .dims = g->dims, .keep = g->keep,
	                              .initial = norm_of_none(p > 0)};
	const tsr_sum_args sum = {.size = sizeof sum, .dims = g->dims, .keep = g->keep};

	if (!matrices_prepare(site, &x, 1)) return poison_of(site->ctx);
	if (p == 2) {
		tsr *squares = R1(real, R2(mul, x, R1(conj, x)));
		return R1(sqrt, tsr_sum_at(where, squares, &sum));
	}
	if (p == 0)
		return tsr_sum_at(where, RTO(dtype_real(handle_type(x)->dtype), R2(ne, x, 0)),
		                  &sum);
	tsr *size = R1(abs, x);
	if (isinf(p))
		return p > 0 ? tsr_max_at(where, size, &most) : tsr_min_at(where, size, &most);
	if (p == 1) return tsr_sum_at(where, size, &sum);
	return R2(pow, tsr_sum_at(where, R2(pow, size, p), &sum), 1 / p);
}

/* ---- of matrices, in the last two dims */

/* which one keywords ask for */
typedef struct which_norm {
	double ord;
	bool frobenius, nuclear;
} which_norm;

static bool is_one_norm(const call_site *site, which_norm w)
{
	const int asked = (w.ord != 0) + w.frobenius + w.nuclear;
	const double size = fabs(w.ord);

	if (asked > 1)
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               "one of .ord, .frobenius and .nuclear, not several");
	return size == 0 || size == 1 || size == 2 || isinf(size) ||
	       fail_op(site, TSR_ERROR_ARGUMENT,
	               ".ord of a matrix must be 1, 2, infinite, or minus that");
}

/* the largest or the smallest along the last dim, which is dropped */
static tsr *extreme(const call_site *site, tsr *x, bool most)
{
	const tsr_reduce_args across = {.size = sizeof across, .dims = TSR_DIMS(-1),
	                                .initial = norm_of_none(most)};

	return most ? tsr_max_at(site->where, x, &across) : tsr_min_at(site->where, x, &across);
}

/* [..., m, n] to [...] */
static tsr *norm_of_matrix(const call_site *site, tsr *x, which_norm w)
{
	const tsr_norm_args both = {.size = sizeof both, .dims = TSR_DIMS(-2, -1)};
	const tsr_sum_args last = {.size = sizeof last, .dims = TSR_DIMS(-1)};
	const tsr_sum_args rows = {.size = sizeof rows, .dims = TSR_DIMS(-2)};

	if (w.nuclear) return tsr_sum_at(site->where, tsr_svdvals_at(site->where, x), &last);
	if (w.ord == 0) return tsr_vector_norm_at(site->where, x, &both);
	if (fabs(w.ord) == 2) return extreme(site, tsr_svdvals_at(site->where, x), w.ord > 0);
	tsr *sums = tsr_sum_at(site->where, R1(abs, x), fabs(w.ord) == 1 ? &rows : &last);
	return extreme(site, sums, w.ord > 0);
}

static bool has_matrices(const call_site *site, tsr *x)
{
	return handle_type(x)->ndim >= 2 ||
	       fail_types(site, "takes matrices, of at least 2 dims, and got", &x, 1);
}

tsr *lib_matrix_norm(call_site *site, tsr *x, const tsr_matrix_norm_args *g)
{
	const which_norm w = {g->ord, g->frobenius, g->nuclear};

	if (!matrices_prepare(site, &x, 1) || !has_matrices(site, x) || !is_one_norm(site, w))
		return poison_of(site->ctx);
	tsr *y = norm_of_matrix(site, x, w);
	return g->keep ? tsr_expand_dims_at(site->where, y, TSR_DIMS(-2, -1)) : y;
}

/* dims a and b behind all others */
static tsr *with_last(const call_site *site, tsr *x, int a, int b)
{
	const int n = handle_type(x)->ndim;
	int64_t perm[MAX_NDIM];
	int k = 0;

	for (int d = 0; d < n; d++)
		if (d != a && d != b) perm[k++] = d;
	perm[k++] = a;
	perm[k] = b;
	return bind(site, &tsr__prim_transpose, &(transpose_params){{n, perm}}, &x, 1);
}

tsr *lib_norm(call_site *site, tsr *x, const tsr_norm_args *g)
{
	const which_norm w = {.ord = g->ord};
	const bool asked = g->ord != 0 || g->zero, named = dims_given(&g->dims);
	int dim[2];

	if (!matrices_prepare(site, &x, 1)) return poison_of(site->ctx);
	const int ndim = handle_type(x)->ndim, n = named ? dims_count(&g->dims) : ndim;
	if (!asked || n == 1) return tsr_vector_norm_at(site->where, x, g);
	if (n != 2 || g->zero)
		return refuse_op(site, TSR_ERROR_ARGUMENT, "%s, and there are %d",
		                 g->zero ? "p = 0 is of one dim" : ".ord is of one dim or of two",
		                 n);
	for (int i = 0; i < 2; i++)
		if (!dim_read(site, named ? dims_of(&g->dims)[i] : i, ndim, &dim[i]))
			return poison_of(site->ctx);
	if (dim[0] == dim[1])
		return refuse_op(site, TSR_ERROR_ARGUMENT, "dim %d is there twice", dim[0]);
	if (!is_one_norm(site, w)) return poison_of(site->ctx);
	tsr *y = norm_of_matrix(site, with_last(site, x, dim[0], dim[1]), w);
	const int low = dim[0] < dim[1] ? dim[0] : dim[1];
	const tsr_dims kept = TSR_DIMS(low, dim[0] + dim[1] - low);
	return g->keep ? tsr_expand_dims_at(site->where, y, kept) : y;
}

/* the norms of a and of its inverse, multiplied; NaN becomes infinite, unless there was one */
tsr *lib_cond_number(call_site *site, tsr *a, const tsr_cond_number_args *g)
{
	const char *where = site->where;
	const which_norm w = {g->ord, g->frobenius, g->nuclear};
	const tsr_all_args both = {.size = sizeof both, .dims = TSR_DIMS(-2, -1)};
	tsr *y;

	if (!matrices_prepare(site, &a, 1) || !has_matrices(site, a) || !is_one_norm(site, w))
		return poison_of(site->ctx);
	const int64_t *rows = handle_type(a)->dims + handle_type(a)->ndim - 2;
	if (!rows[0] || !rows[1])
		return fail_types(site, "takes matrices with elements, and got", &a, 1),
		       poison_of(site->ctx);
	if (!w.frobenius && !w.nuclear && (w.ord == 0 || fabs(w.ord) == 2)) {
		tsr *s = tsr_svdvals_at(where, a);
		if (handle_is_poison(s)) return s;
		tsr *first = tsr_index_at(where, s, handle_type(s)->ndim - 1, 0);
		tsr *last = tsr_index_at(where, s, handle_type(s)->ndim - 1, -1);
		y = w.ord < 0 ? R2(div, last, first) : R2(div, first, last);
	} else {
		if (!is_square(site, a)) return poison_of(site->ctx);
		y = R2(mul, norm_of_matrix(site, a, w),
		       norm_of_matrix(site, tsr_inv_at(where, a), w));
	}
	tsr *wrong = tsr_any_at(where, R1(isnan, a), &both);
	tsr *made = R2(logical_and, R1(isnan, y), R1(logical_not, wrong));
	return R3(where, made, INFINITY, y);
}
