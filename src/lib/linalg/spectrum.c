/* spectrum.c - computes rank, pseudoinverse and least squares from singular values, and powers
 * of matrices. */
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
	                                .dims = TSR_DIMS(-1),
	                                .keep = true,
	                                .initial = {.kind = TSR_KIND_FLOAT, .as.f = {0, 0}}};

	return tsr_max_at(site->where, s, &across);
}

tsr *lib_matrix_rank(call_site *site, tsr *a, const tsr_rank_args *g)
{
	const tsr_sum_args across = {.size = sizeof across, .dims = TSR_DIMS(-1)};
	double share;

	if (!spectrum_prepare(site, &a, 1, g->rtol, &share)) return poison_of(site->ctx);
	tsr *s = tsr_svdvals_at(site->where, a), *least = R2(mul, largest(site, s), share);
	return tsr_sum_at(site->where, R2(gt, s, least), &across);
}

/* ---- pinv: its derivative goes through no vectors, which have none at equal singular values */

/* v s^-1 u^H of what is more than rounding */
static tsr *inverse_of_part(const call_site *site, tsr *a, double share)
{
	const char *where = site->where;
	const tsr_svd_args thin = {.size = sizeof thin, .thin = true};
	tsr *y[3];

	if (!tsr_svd_at(where, a, y, &thin)) return poison_of(site->ctx);
	tsr *least = R2(mul, largest(site, y[1]), share);
	tsr *s = R3(where, R2(gt, y[1], least), y[1], INFINITY);
	tsr *rows = tsr_expand_dims_at(where, s, TSR_DIMS(-1));
	tsr *left = R2(div, adjoint_of(site, y[0]), rows);
	return tsr_matmul_at(where, adjoint_of(site, y[2]), left, NULL);
}

static void pinv_body(tsr_frame *f)
{
	const call_site site = {tsr_frame_ctx(f), NULL, "pinv"};
	const double *share = tsr_frame_env(f);

	tsr_return_at(NULL, f,
	              (tsr_arg[]){tsr_arg_one(inverse_of_part(&site, tsr_frame_arg(f, 0), *share))},
	              1);
}

static tsr *product_of_3(tsr *a, tsr *b, tsr *c)
{
	return tsr_matmul_at(NULL, tsr_matmul_at(NULL, a, b, NULL), c, NULL);
}

/* With p the result and b the adjoint of da: p p^H b (1 - a p) + (1 - p a) b p^H p - p da p (Golub
 * and Pereyra, The differentiation of pseudo-inverses, 1973) */
static void pinv_rule(tsr_frame *f)
{
	const call_site here = {tsr_frame_ctx(f), NULL, "pinv"}, *site = &here;
	tsr *a = tsr_frame_arg(f, 0), *da = tsr_frame_arg(f, 1);
	tsr *p = inverse_of_part(site, a, *(const double *)tsr_frame_env(f));
	tsr *b = adjoint_of(site, da), *q = adjoint_of(site, p);
	tsr *left = product_of_3(p, q, b), *right = product_of_3(b, q, p);
	tsr *dp = R2(sub, left, product_of_3(left, a, p));

	dp = R2(add, dp, R2(sub, right, product_of_3(p, a, right)));
	dp = R2(sub, dp, product_of_3(p, da, p));
	tsr_return_at(NULL, f, (tsr_arg[]){tsr_arg_one(p), tsr_arg_one(dp)}, 2);
}

tsr *lib_pinv(call_site *site, tsr *a, const tsr_rank_args *g)
{
	const tsr_body body = {.form = TSR_FORM_FRAME, .raw = (tsr_raw)pinv_body};
	const tsr_body rule = {.form = TSR_FORM_FRAME, .raw = (tsr_raw)pinv_rule};
	double share;

	if (!spectrum_prepare(site, &a, 10, g->rtol, &share)) return poison_of(tsr_ctx_of(a));
	const tsr_custom_args named = {
		.size = sizeof named, .name = "pinv", .env = &share, .env_size = sizeof share,
		.env_mask = env_of_library};
	tsr_fn *fn = tsr_custom_jvp_at(site->where, site->ctx, body, "pinv", rule, &named);
	return tsr_call_at(site->where, fn, (tsr_arg[]){tsr_arg_one(a)}, 1);
}

/* x of least size among those for which |a x - b| is least; the sums of squares of what is left */
bool lib_lstsq(call_site *site, tsr *a, tsr *b, tsr *out[4], const tsr_rank_args *g)
{
	const char *where = site->where;
	const tsr_sum_args across = {.size = sizeof across, .dims = TSR_DIMS(-1)};
	const tsr_sum_args columns = {.size = sizeof columns, .dims = TSR_DIMS(0)};
	const tsr_svd_args thin = {.size = sizeof thin, .thin = true};
	const tsr_dims last = TSR_DIMS(-1);
	tsr *x[2] = {a, b}, *y[3];
	double share;

	for (int i = 0; i < 4; i++) out[i] = poison_of(site->ctx);
	if (!matrices_prepare(site, x, 2)) return false;
	const type *ta = handle_type(x[0]), *tb = handle_type(x[1]);
	if (ta->ndim != 2 || tb->ndim < 1 || tb->ndim > 2 || tb->dims[0] != ta->dims[0])
		return fail_types(site, "takes a matrix, and as many rows in 1 or 2 dims, and got",
		                  x, 2);
	if (!spectrum_prepare(site, &x[0], 1, g->rtol, &share) ||
	    !tsr_svd_at(where, x[0], y, &thin))
		return false;
	const bool vector = tb->ndim == 1;
	b = vector ? tsr_expand_dims_at(where, x[1], last) : x[1];
	tsr *least = R2(mul, largest(site, y[1]), share);
	tsr *kept = R2(logical_and, R2(gt, y[1], 0), R2(ge, y[1], least));
	tsr *s = tsr_expand_dims_at(where, R3(where, kept, y[1], INFINITY), last);
	tsr *turn = tsr_matmul_at(where, adjoint_of(site, y[0]), b, NULL);
	tsr *best = tsr_matmul_at(where, adjoint_of(site, y[2]), R2(div, turn, s), NULL);
	tsr *rest = R2(sub, b, tsr_matmul_at(where, x[0], best, NULL));
	out[0] = vector ? tsr_squeeze_at(where, best, last) : best;
	out[1] = tsr_sum_at(where, R1(square, R1(abs, rest)), &columns);
	out[2] = tsr_sum_at(where, kept, &across);
	out[3] = y[1];
	return !handle_is_poison(out[0]) && !handle_is_poison(out[1]);
}

/* by squaring, from the lowest bit of n on, as integer_pow */
tsr *lib_matrix_power(call_site *site, tsr *a, int n)
{
	const char *where = site->where;
	uint64_t bits = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
	tsr *product = NULL;

	if (!operands_check(site, &a, 1) || !is_square(site, a)) return poison_of(site->ctx);
	const type *t = handle_type(a);
	if (n == 0) {
		const tsr_eye_args same = {.size = sizeof same, .dtype = t->dtype};
		tsr *eye = tsr_eye_at(where, site->ctx, t->dims[t->ndim - 1], &same);
		return handle_is_poison(eye) ? eye : broadcast_to(site, eye, t->dims, t->ndim);
	}
	if (n < 0) a = tsr_inv_at(where, a);
	for (; bits; bits >>= 1) {
		if (bits & 1) product = product ? tsr_matmul_at(where, product, a, NULL) : a;
		if (bits > 1) a = tsr_matmul_at(where, a, a, NULL);
	}
	return product;
}

tsr *lib_matrix_transpose(call_site *site, tsr *a)
{
	if (!operands_check(site, &a, 1)) return poison_of(site->ctx);
	if (handle_type(a)->ndim < 2) {
		fail_types(site, "takes matrices, of at least 2 dims, and got", &a, 1);
		return poison_of(site->ctx);
	}
	return turned(site, a);
}
