/* spectrum.c - what singular values say of matrices, powers of matrices, and norms of vectors. */
#include <float.h>
#include <math.h>
#include "lib/lib.h"

/* a matrix of at least 2 dims, prepared; what its singular values count as no more than rounding is
 * the largest one times `times` times its longer side times the precision. NULL: recorded */
static tsr_ctx *spectrum_prepare(call_site *site, tsr **a, double times, double given,
                                 double *share)
{
	tsr_ctx *ctx = matrices_prepare(site, a, 1);

	if (!ctx) return NULL;
	const type *t = handle_type(*a);
	if (t->ndim < 2) {
		fail_types(site, "takes matrices, of at least 2 dims, and got", a, 1);
		return NULL;
	}
	const int64_t m = t->dims[t->ndim - 2], n = t->dims[t->ndim - 1];
	const double precision = dtype_real(t->dtype) == TSR_F32 ? FLT_EPSILON : DBL_EPSILON;
	*share = given != 0 ? given : times * (double)(m < n ? n : m) * precision;
	return ctx;
}

/* the largest along the last dim, which stays, with size 1 */
static tsr *largest(const call_site *site, tsr *s)
{
	const tsr_reduce_args across = {.size = sizeof across,
	                                .dims = {{2, -1}},
	                                .keep = true,
	                                .initial = {TSR_KIND_FLOAT, {.f = {0, 0}}}};

	return tsr_max_at(site->where, s, &across);
}

tsr *tsr_matrix_rank_at(const char *where, tsr *a, const tsr_rank_args *given)
{
	const tsr_rank_args *g = KEYWORDS(tsr_rank_args, where, tsr_ctx_of(a), given);
	if (!g) return poison_of(tsr_ctx_of(a));
	call_site here = {.where = where, .op = "matrix_rank"}, *site = &here;
	const tsr_sum_args across = {.size = sizeof across, .dims = {{2, -1}}};
	double share;

	if (!spectrum_prepare(site, &a, 1, g->rtol, &share)) return poison_of(site->ctx);
	tsr *s = tsr_svdvals_at(where, a), *least = R2(mul, largest(site, s), share);
	return tsr_sum_at(where, R2(gt, s, least), &across);
}

/* v s^-1 u^H of what is more than rounding */
tsr *tsr_pinv_at(const char *where, tsr *a, const tsr_rank_args *given)
{
	const tsr_rank_args *g = KEYWORDS(tsr_rank_args, where, tsr_ctx_of(a), given);
	if (!g) return poison_of(tsr_ctx_of(a));
	call_site here = {.where = where, .op = "pinv"}, *site = &here;
	const tsr_svd_args thin = {.size = sizeof thin, .thin = true};
	tsr *y[3];
	double share;

	if (!spectrum_prepare(site, &a, 10, g->rtol, &share) || !tsr_svd_at(where, a, y, &thin))
		return poison_of(site->ctx);
	tsr *least = R2(mul, largest(site, y[1]), share);
	tsr *s = R3(where, R2(gt, y[1], least), y[1], INFINITY);
	tsr *rows = tsr_expand_dims_at(where, s, (tsr_dims){{2, -1}});
	tsr *left = R2(div, adjoint_of(site, y[0]), rows);
	return tsr_matmul_at(where, adjoint_of(site, y[2]), left, NULL);
}

tsr *tsr_cond_number_at(const char *where, tsr *a)
{
	call_site here = {.where = where, .op = "cond_number"}, *site = &here;
	double share;

	if (!spectrum_prepare(site, &a, 1, 0, &share)) return poison_of(site->ctx);
	tsr *s = tsr_svdvals_at(where, a);
	if (handle_is_poison(s)) return s;
	const int last = handle_type(s)->ndim - 1;
	return R2(div, tsr_index_at(where, s, last, 0), tsr_index_at(where, s, last, -1));
}

/* by squaring, from the lowest bit of n on, as integer_pow */
tsr *tsr_matrix_power_at(const char *where, tsr *a, int n)
{
	call_site site = {.where = where, .op = "matrix_power"};
	uint64_t bits = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
	tsr *product = NULL;

	if (!operands_check(&site, &a, 1) || !is_square(&site, a)) return poison_of(site.ctx);
	const type *t = handle_type(a);
	if (n == 0) {
		const tsr_eye_args same = {.size = sizeof same, .dtype = t->dtype};
		tsr *eye = tsr_eye_at(where, site.ctx, t->dims[t->ndim - 1], &same);
		return handle_is_poison(eye) ? eye : broadcast_to(&site, eye, t->dims, t->ndim);
	}
	if (n < 0) a = tsr_inv_at(where, a);
	for (; bits; bits >>= 1) {
		if (bits & 1) product = product ? tsr_matmul_at(where, product, a, NULL) : a;
		if (bits > 1) a = tsr_matmul_at(where, a, a, NULL);
	}
	return product;
}

tsr *tsr_matrix_transpose_at(const char *where, tsr *a)
{
	call_site site = {.where = where, .op = "matrix_transpose"};

	if (!operands_check(&site, &a, 1)) return poison_of(site.ctx);
	if (handle_type(a)->ndim < 2) {
		fail_types(&site, "takes matrices, of at least 2 dims, and got", &a, 1);
		return poison_of(site.ctx);
	}
	return turned(&site, a);
}

/* (sum |x|^p)^(1/p); p infinite: the largest or smallest; p = 0: how many are not 0 */
tsr *tsr_vector_norm_at(const char *where, tsr *x, const tsr_norm_args *given)
{
	const tsr_norm_args *g = KEYWORDS(tsr_norm_args, where, tsr_ctx_of(x), given);
	if (!g) return poison_of(tsr_ctx_of(x));
	call_site here = {.where = where, .op = "vector_norm"}, *site = &here;
	const tsr_reduce_args most = {.size = sizeof most, .dims = g->dims, .keep = g->keep};
	const tsr_sum_args sum = {.size = sizeof sum, .dims = g->dims, .keep = g->keep};
	const double p = g->zero ? 0 : g->ord != 0 ? g->ord : 2;

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
