/* conv_patches.c - makes features of the windows of a convolution, and products of these.
 *
 *     lhs [batch, 5, 2], a window of 3, no padding     gives [batch, 3, 6]: at each of 3 places
 *                                                      the 3 elements of feature 0, those of 1
 *
 * A local convolution has a kernel of its own for each place, [places, 6, results], so that places
 * are a batch dim of the product. */
#include "lib/arrays/windows.h"

static bool read_windows(convolution *c, const tsr_conv_args *a, tsr *lhs, const tsr_dims *window)
{
	const call_site *s = &c->site;
	const char *const specs[] = {a->lhs_spec, a->rhs_spec, a->out_spec};
	const type *t = handle_type(lhs);

	c->n = t->ndim - 2;
	c->features = c->batches = 1;
	c->dtype = a->dtype ? a->dtype : t->dtype;
	if (!dims_ok(s, "the window", window, true) || !dtype_given_ok(s, a->dtype)) return false;
	if (c->n < 0 || dims_count(window) != c->n)
		return fail_op(s, TSR_ERROR_ARGUMENT,
		               "lhs must have two dims more than the window, got %d and %d",
		               t->ndim, dims_count(window));
	if (a->feature_group_count > 1 || a->batch_group_count > 1)
		return fail(&s->ctx->base, s->where, TSR_ERROR_ARGUMENT,
		            "%s takes no .feature_group_count and no .batch_group_count", s->op);
	return convolution_specs(c, specs, false) &&
	       convolution_windows(c, a, t, dims_of(window));
}

/* [batch, places, features * window] */
static tsr *joined_patches(const convolution *c, tsr *lhs)
{
	const int n = c->n;
	int64_t dims[MAX_NDIM];
	tsr *y = convolution_patches(c, lhs);

	if (handle_is_poison(y)) return y;
	const type *t = handle_type(y);
	memcpy(dims, t->dims, (size_t)(n + 2) * sizeof *dims);
	for (int i = 0; i < n; i++) dims[n + 1] *= t->dims[n + 2 + i];
	return reshape_to(&c->site, y, dims, n + 2);
}

tsr *lib_conv_general_dilated_patches(call_site *site, tsr *lhs, tsr_dims window,
                                      const tsr_conv_args *a)
{
	convolution c = {.site = *site};

	if (!operands_check(&c.site, &lhs, 1) || !read_windows(&c, a, lhs, &window))
		return poison_of(c.site.ctx);
	tsr *y = convolution_result(&c, joined_patches(&c, lhs));
	return handle_is_poison(y) ? y : convert(&c.site, y, c.dtype);
}

/* ---- a kernel of its own for each place */

/* of [batch, places, features] and [places, features, results] */
static tsr *placewise(const convolution *c, tsr *x, tsr *w)
{
	const int n = c->n;
	const int64_t last = n + 1, middle = n;
	int64_t places[MAX_NDIM], first[MAX_NDIM], perm[MAX_NDIM];

	if (handle_is_poison(x) || handle_is_poison(w)) return poison_of(c->site.ctx);
	for (int i = 0; i < n; i++) {
		places[i] = 1 + i;
		first[i] = i;
		perm[1 + i] = i;
	}
	perm[0] = n;
	perm[n + 1] = n + 1;
	const dot_params p = {{1, &last}, {1, &middle}, {n, places}, {n, first}, c->dtype,
	                      DOT_EXACT};
	return turn_dims(&c->site, bind_product(&c->site, &p, c->precision, (tsr *[]){x, w}), perm,
	                 n + 2);
}

static bool check_kernels(const convolution *c, tsr *x, tsr *w)
{
	const call_site *s = &c->site;
	const type *t = handle_type(x), *u = handle_type(w);

	for (int d = 1; d < c->n + 2; d++)
		if (t->dims[d] != u->dims[d - 1])
			return fail_op(s, TSR_ERROR_TYPE,
			               "rhs must have a kernel for each place of the result, with "
			               "the elements of a window as input features: a size must be "
			               "%lld, and is %lld",
			               (long long)t->dims[d], (long long)u->dims[d - 1]);
	if (t->dtype != u->dtype)
		return fail_op(s, TSR_ERROR_TYPE, "lhs and rhs must have one dtype, got %s and %s",
		               tsr_dtype_name(t->dtype), tsr_dtype_name(u->dtype));
	return true;
}

tsr *lib_conv_general_dilated_local(call_site *site, tsr *lhs, tsr *rhs, tsr_dims window,
                                    const tsr_conv_args *a)
{
	convolution c = {.site = *site};

	if (!operands_check(&c.site, (tsr *[]){lhs, rhs}, 2) ||
	    !read_windows(&c, a, lhs, &window))
		return poison_of(c.site.ctx);
	if (handle_type(rhs)->ndim != c.n + 2)
		return refuse_op(&c.site, TSR_ERROR_TYPE,
		                 "rhs must have as many dims as lhs, got %d and %d",
		                 handle_type(rhs)->ndim, c.n + 2);
	tsr *x = joined_patches(&c, lhs), *w = convolution_kernel(&c, rhs);
	if (handle_is_poison(x) || handle_is_poison(w) || !check_kernels(&c, x, w))
		return poison_of(c.site.ctx);
	return convolution_result(&c, placewise(&c, x, w));
}
