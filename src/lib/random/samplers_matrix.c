/* samplers_matrix.c - orthogonal matrices, and normal vectors with a covariance. */
#include "lib/random/draw.h"

/* ---- orthogonal: q of normal numbers z = q r, where the signs make the diagonal of r positive (F.
 * Mezzadri, How to generate random matrices from the classical compact groups, 2007); the result is
 * turned where it has more columns than rows */

/* the sign of each r[i][i], [..., 1, k] */
static tsr *signs_of_diagonal(const call_site *site, tsr *r)
{
	const tsr_sum_args rows = {.size = sizeof rows, .dims = TSR_DIMS(-2), .keep = true};
	const tsr_eye_args flags = {.size = sizeof flags, .dtype = TSR_BOOL};

	if (handle_is_poison(r)) return r;
	const int64_t k = handle_type(r)->dims[handle_type(r)->ndim - 1];
	tsr *here = tsr_eye_at(site->where, site->ctx, k, &flags);
	return R1(sign, tsr_sum_at(site->where, R3(where, here, r, 0), &rows));
}

SAMPLE(orthogonal)
{
	const tsr_qr_args thin = {.size = sizeof thin};
	const int n = dims_count(&at->dims);
	const bool wide = at->dims.d[n - 1] < at->dims.d[n];
	sample_box tall = *at;
	tsr *qr[2];

	(void)x;
	if (wide) {
		int64_t dims[MAX_NDIM];
		for (int i = 0; i < n; i++) dims[i] = dims_of(&at->dims)[i];
		dims[n - 1] = dims_of(&at->dims)[n - 2];
		dims[n - 2] = dims_of(&at->dims)[n - 1];
		if (!dims_put(site, &tall.dims, dims, n)) return poison_of(site->ctx);
	}
	tall.whole = tall.dims;
	tsr *z = normal_of_key(site, key, DTYPE, &tall);
	if (!tsr_qr_at(site->where, z, qr, &thin)) return qr[0];
	tsr *q = R2(mul, qr[0], signs_of_diagonal(site, qr[1]));
	return wide ? R1(matrix_transpose, q) : q;
}

tsr *tsr_orthogonal_at(const char *where, tsr *key, int64_t n, const tsr_orthogonal_args *given)
{
	TURN_OF(tsr_ctx_of(key), where, poison_of(tsr_ctx_of(key)));
	const tsr_orthogonal_args *a = KEYWORDS(tsr_orthogonal_args, where, tsr_ctx_of(key), given);
	if (!a) return poison_of(tsr_ctx_of(key));
	call_site site = {.where = where, .op = "orthogonal"};
	draw d = {.sample = orthogonal, .dims = dims_given(&a->dims) ? a->dims : TSR_DIMS()};

	if (!key_ok(&site, key) || !last_dim_added(&site, &d.dims, n) ||
	    !last_dim_added(&site, &d.dims, a->m ? a->m : n) ||
	    !draw_begin(&site, key, &d, a->dtype, DRAWS_INEXACT))
		return poison_of(site.ctx);
	return draw_run(&site, &d, key, NULL, NULL, 0);
}

/* ---- multivariate_normal: mean + F z, with F F^T the covariance */

/* d->number: enum tsr_covariance_factor */
static tsr *factor_of(const call_site *site, tsr *cov, enum tsr_covariance_factor method)
{
	const tsr_cholesky_args usual = {.size = sizeof usual};
	const tsr_eigh_args both = {.size = sizeof both};
	const tsr_svd_args thin = {.size = sizeof thin, .thin = true};
	tsr *of[3];

	if (method == TSR_FACTOR_CHOLESKY) return tsr_cholesky_at(site->where, cov, &usual);
	const bool svd = method == TSR_FACTOR_SVD;
	if (svd ? !tsr_svd_at(site->where, cov, of, &thin)
	        : !tsr_eigh_at(site->where, cov, of, &both))
		return of[0];
	tsr *root = tsr_expand_dims_at(site->where, R1(sqrt, of[svd]), TSR_DIMS(-2));
	return R2(mul, of[!svd], root);
}

SAMPLE(multivariate_normal)
{
	const tsr_product_args usual = {.size = sizeof usual};
	const tsr_dims last = TSR_DIMS(-1);
	tsr *z = normal_of_key(site, key, DTYPE, at);
	tsr *factor = factor_of(site, OF(1), (enum tsr_covariance_factor)d->number);
	tsr *y = tsr_matmul_at(site->where, factor, tsr_expand_dims_at(site->where, z, last),
	                       &usual);

	return R2(add, OF(0), tsr_squeeze_at(site->where, y, last));
}

/* cov is [..., n, n], and its leading dims broadcast with those of the mean [..., n] */
static bool covariance_ok(call_site *site, draw *d, tsr *mean, tsr *cov)
{
	int64_t n, m;

	if (!vector_ok(site, "mean", mean, &n) || !vector_ok(site, "cov", cov, &m)) return false;
	const type *t = handle_type(mean), *u = handle_type(cov);
	if (u->ndim < 2 || u->dims[u->ndim - 2] != n || m != n)
		return fail_op(site, TSR_ERROR_TYPE,
		               "for a mean of %lld numbers cov is [..., %lld, %lld], not %s",
		               (long long)n, (long long)n, (long long)n, tsr_type_text(cov));
	if (!last_dim_added(site, &d->dims, n)) return false;
	tsr_dims all = dims_given(&d->dims) ? d->dims : TSR_DIMS();
	if (!dims_broadcast(&all, t->dims, t->ndim) ||
	    !dims_broadcast(&all, u->dims, u->ndim - 1) ||
	    (dims_given(&d->dims) && memcmp(&all, &d->dims, (size_t)all.d[0] * sizeof all.d[0])))
		return fail_op(site, TSR_ERROR_TYPE,
		               "the leading dims of the mean and cov do not broadcast to those "
		               "that are wanted");
	d->dims = all;
	return true;
}

tsr *tsr_multivariate_normal_at(const char *where, tsr *key, tsr *mean, tsr *cov,
                                const tsr_multivariate_normal_args *given)
{
	TURN_OF(tsr_ctx_of(key), where, poison_of(tsr_ctx_of(key)));
	const tsr_multivariate_normal_args *a =
		KEYWORDS(tsr_multivariate_normal_args, where, tsr_ctx_of(key), given);
	if (!a) return poison_of(tsr_ctx_of(key));
	call_site site = {.where = where, .op = "multivariate_normal"};
	draw d = {.sample = multivariate_normal, .dims = a->dims, .number = a->factor};

	if (!key_ok(&site, key) || !covariance_ok(&site, &d, mean, cov)) return poison_of(site.ctx);
	if (a->factor < TSR_FACTOR_CHOLESKY || a->factor > TSR_FACTOR_SVD)
		return refuse_op(&site, TSR_ERROR_ARGUMENT,
		                 ".factor is TSR_FACTOR_CHOLESKY, _EIGH or _SVD");
	const etype own = etype_join(etype_of(handle_type(mean)), etype_of(handle_type(cov)));
	const tsr_dtype common = etype_inexact(etype_default(&site.ctx->base, own)).dtype;
	if (!draw_begin(&site, key, &d, a->dtype ? a->dtype : common, DRAWS_FLOATS))
		return poison_of(site.ctx);
	return draw_run(&site, &d, key, NULL, (tsr_arg[]){tsr_arg_one(mean), tsr_arg_one(cov)}, 2);
}
