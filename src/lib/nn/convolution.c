/* convolution.c - computes convolutions as products of patches with a kernel, summed over the dims
 * that both have.
 *
 *     patches of lhs    [batch, places, features, window]
 *     the kernel rhs    [window, features, results]
 *     give              [batch, places, results]
 *
 * Along one dim, with 1 of padding on each side, strides of 2 and a kernel k of 3:
 *
 *     lhs             0 | a  b  c  d  e | 0
 *     place 0       [ 0   a  b ]                   0 k0 + a k1 + b k2
 *     place 1             [ b  c  d ]              b k0 + c k1 + d k2
 *     place 2                   [ d  e   0 ]       d k0 + e k1 + 0 k2
 *
 * .rhs_dilation of 2 takes every second element into a window, .lhs_dilation of 2 puts a zero
 * between each two of lhs. Groups cut the features, or the batch, into parts with kernels of their
 * own, which are a batch dim of the product.
 *
 * dot_general multiplies them, so that large ones go to the library of products; derivatives and
 * blocks of devices are those of its row and of patches. */
#include "lib/arrays/windows.h"

/* ---- what keywords say */

static bool dims_name(const call_site *site, const char *name, const char *text, const char *pair,
                      const char *spatial, int ndim, dims_named *to)
{
	bool good = strlen(text) == (size_t)ndim;
	const char *first = strchr(text, pair[0]), *second = strchr(text, pair[1]);

	good = good && first && second;
	for (int i = 0; good && i < ndim - 2; i++) {
		const char *at = strchr(text, spatial[i]);
		good = at && spatial[i] != pair[0] && spatial[i] != pair[1];
		for (int j = 0; good && j < i; j++) good = spatial[j] != spatial[i];
		if (good) to->spatial[i] = at - text;
	}
	if (good) {
		to->first = first - text;
		to->second = second - text;
	}
	return good || fail_op(site, TSR_ERROR_ARGUMENT,
	                       "%s \"%s\" must name %d dims: %c, %c, and each of \"%s\" once", name,
	                       text, ndim, pair[0], pair[1], spatial);
}

/* the letters of a spec but for a pair, in their order */
static void spatial_letters(const char *text, const char *pair, char to[MAX_NDIM])
{
	int n = 0;

	for (; *text && n < MAX_NDIM - 1; text++)
		if (*text != pair[0] && *text != pair[1]) to[n++] = *text;
	to[n] = '\0';
}

bool convolution_specs(convolution *c, const char *const given[3], bool features_last)
{
	const int ndim = c->n + 2;
	char usual[3][MAX_NDIM], letters[MAX_NDIM];
	static const char *const pairs[] = {"NC", "OI", "NC"};
	static const char *const heads[][3] = {{"NC", "OI", "NC"}, {"N", "", "N"}};
	static const char *const tails[][3] = {{"", "", ""}, {"C", "IO", "C"}};
	static const char *const names[] = {".lhs_spec", ".rhs_spec", ".out_spec"};
	const char *const texts[] = {given[0], given[1], given[2] ? given[2] : given[0]};
	dims_named *const to[] = {&c->lhs, &c->rhs, &c->out};

	for (int k = 0; k < c->n; k++) letters[k] = (char)('0' + k);
	letters[c->n] = '\0';
	/* spatial dims are counted as rhs has them */
	static const int last[] = {2, 0, 1};
	for (int i = 0; i < 3; i++)
		if (texts[last[i]]) spatial_letters(texts[last[i]], pairs[last[i]], letters);
	for (int i = 0; i < 3; i++) {
		snprintf(usual[i], sizeof usual[i], "%s%s%s", heads[features_last][i], letters,
		         tails[features_last][i]);
		if (!dims_name(&c->site, names[i], texts[i] ? texts[i] : usual[i], pairs[i],
		               letters, ndim, to[i]))
			return false;
	}
	return true;
}

/* the features and the batch, in groups */
static bool read_groups(convolution *c, int64_t features, int64_t batches, const type *lhs,
                        const type *rhs)
{
	const call_site *s = &c->site;
	const int64_t given = lhs->dims[c->lhs.second], own = rhs->dims[c->rhs.second];
	const int64_t results = rhs->dims[c->rhs.first], batch = lhs->dims[c->lhs.first];

	c->features = features ? features : 1;
	c->batches = batches ? batches : 1;
	if (c->features < 1 || c->batches < 1 || (c->features > 1 && c->batches > 1))
		return fail_op(s, TSR_ERROR_ARGUMENT,
		               ".feature_group_count and .batch_group_count must be at least 1, "
		               "and one of them 1, got %lld and %lld",
		               (long long)c->features, (long long)c->batches);
	if (c->features == 1 && own != given)
		return fail_op(s, TSR_ERROR_TYPE,
		               "rhs must have as many input features as lhs has features, got %lld "
		               "and %lld",
		               (long long)own, (long long)given);
	int64_t wanted;
	if (!mul_ok(own, c->features, &wanted) || wanted != given)
		return fail_op(s, TSR_ERROR_TYPE,
		               ".feature_group_count times the input features of rhs must be the "
		               "features of lhs, got %lld * %lld and %lld",
		               (long long)c->features, (long long)own, (long long)given);
	if (results % (c->features * c->batches) || batch % c->batches)
		return fail_op(s, TSR_ERROR_TYPE,
		               "%lld groups must divide the output features of rhs, and groups of "
		               "the batch that, got %lld and %lld",
		               (long long)(c->features * c->batches), (long long)results,
		               (long long)batch);
	return true;
}

/* lhs and rhs of as many dims, and of one dtype */
static bool read_operands(convolution *c, tsr_dtype dtype, const type *lhs, const type *rhs)
{
	const call_site *s = &c->site;

	if (lhs->ndim != rhs->ndim || lhs->ndim < 2)
		return fail_op(s, TSR_ERROR_TYPE,
		               "lhs and rhs must have as many dims, at least 2, got %d and %d",
		               lhs->ndim, rhs->ndim);
	if (lhs->dtype != rhs->dtype)
		return fail_op(s, TSR_ERROR_TYPE, "lhs and rhs must have one dtype, got %s and %s",
		               tsr_dtype_name(lhs->dtype), tsr_dtype_name(rhs->dtype));
	c->n = lhs->ndim - 2;
	c->dtype = dtype ? dtype : lhs->dtype;
	return dtype_given_ok(s, dtype);
}

bool convolution_windows(convolution *c, const tsr_conv_args *a, const type *lhs,
                         const int64_t *window)
{
	const call_site *s = &c->site;
	c->precision = a->precision;
	const windows_given g = {&a->strides, &a->low, &a->high, &a->lhs_dilation,
	                         &a->rhs_dilation,
	                         c->of_layer ? ".input_dilation" : ".lhs_dilation",
	                         c->of_layer ? ".kernel_dilation" : ".rhs_dilation", a->padding};
	int64_t size[MAX_NDIM];

	c->w.n = c->n;
	for (int i = 0; i < c->n; i++) {
		c->w.along[i] = 1 + i;
		c->w.size[i] = window[i];
		size[i] = lhs->dims[c->lhs.spatial[i]];
	}
	if (!windows_read(s, &g, size, &c->w)) return false;
	for (int i = 0; i < c->n; i++)
		if (pads_same(a->padding) && c->w.base[i] > 1)
			return fail_op(s, TSR_ERROR_ARGUMENT,
			               ".padding does not say how much to pad with %s; .low and "
			               ".high do",
			               g.base_name);
	return true;
}

static void window_of(const convolution *c, const type *rhs, int64_t *window)
{
	for (int i = 0; i < c->n; i++) window[i] = rhs->dims[c->rhs.spatial[i]];
}

static bool read_convolution(convolution *c, const tsr_conv_args *a, tsr *const *x)
{
	const type *lhs = handle_type(x[0]), *rhs = handle_type(x[1]);
	const char *const specs[] = {a->lhs_spec, a->rhs_spec, a->out_spec};
	int64_t window[MAX_NDIM];

	if (!read_operands(c, a->dtype, lhs, rhs) || !convolution_specs(c, specs, c->of_layer) ||
	    !read_groups(c, a->feature_group_count, a->batch_group_count, lhs, rhs))
		return false;
	window_of(c, rhs, window);
	return convolution_windows(c, a, lhs, window);
}

/* ---- the rows it is made of */

/* [batch, spatial, features] */
static tsr *turned_lhs(const convolution *c, tsr *lhs)
{
	const int n = c->n;
	int64_t perm[MAX_NDIM];

	perm[0] = c->lhs.first;
	memcpy(perm + 1, c->lhs.spatial, (size_t)n * sizeof *perm);
	perm[n + 1] = c->lhs.second;
	return turn_dims(&c->site, lhs, perm, n + 2);
}

static const tsr_arg zero = {.kind = TSR_KIND_INT, .as.i = 0};

tsr *convolution_patches(const convolution *c, tsr *lhs)
{
	return take_patches(&c->site, &c->w, turned_lhs(c, lhs), &zero);
}

/* a dim as two, of which the first is `groups` */
static tsr *in_groups(const convolution *c, tsr *x, int dim, int64_t groups)
{
	if (handle_is_poison(x)) return x;
	const type *t = handle_type(x);
	int64_t dims[MAX_NDIM];

	for (int d = 0; d < t->ndim; d++) dims[d + (d > dim)] = t->dims[d];
	dims[dim] = groups;
	dims[dim + 1] = t->dims[dim] / groups;
	return reshape_to(&c->site, x, dims, t->ndim + 1);
}

static int64_t groups_of(const convolution *c) { return c->features * c->batches; }

/* [batch, places, window, features], and before these groups, if there are several. They are made
 * of lhs: its patches are boxes of it then, which a library's product may gather */
static tsr *patches_of(const convolution *c, tsr *lhs)
{
	const int n = c->n, group = c->batches > 1 ? 0 : n + 1, grouped = groups_of(c) > 1;
	windows w = c->w;
	int64_t perm[MAX_NDIM];
	int at = 0;

	lhs = turned_lhs(c, lhs);
	if (grouped) lhs = in_groups(c, lhs, group, groups_of(c));
	for (int i = 0; i < n; i++) w.along[i] += grouped && group == 0;
	if (grouped) perm[at++] = group;
	for (int d = 0; d <= n; d++) perm[at++] = d + (grouped && group == 0);
	for (int i = 0; i < n; i++) perm[at++] = n + 2 + grouped + i;
	perm[at] = n + 1 + grouped;
	return turn_dims(&c->site, take_patches(&c->site, &w, lhs, &zero), perm, at + 1);
}

tsr *convolution_kernel(const convolution *c, tsr *rhs)
{
	const int n = c->n;
	int64_t perm[MAX_NDIM];

	memcpy(perm, c->rhs.spatial, (size_t)n * sizeof *perm);
	perm[n] = c->rhs.second;
	perm[n + 1] = c->rhs.first;
	return turn_dims(&c->site, rhs, perm, n + 2);
}

/* [window, features, results], and before these groups, if there are several */
static tsr *kernel_of(const convolution *c, tsr *rhs)
{
	const int n = c->n;
	int64_t perm[MAX_NDIM];

	rhs = convolution_kernel(c, rhs);
	if (groups_of(c) == 1) return rhs;
	perm[0] = n + 1;
	for (int d = 0; d <= n; d++) perm[1 + d] = d;
	perm[n + 2] = n + 2;
	return turn_dims(&c->site, in_groups(c, rhs, n + 1, groups_of(c)), perm, n + 3);
}

/* Sums the products over the window and the features. Groups are a dim of both that is kept, and
 * comes first; then [batch, places, results] */
static tsr *multiplied(const convolution *c, tsr *lhs, tsr *rhs)
{
	const int n = c->n, grouped = groups_of(c) > 1;
	const int64_t group = 0;
	int64_t a[MAX_NDIM], b[MAX_NDIM];

	if (handle_is_poison(lhs) || handle_is_poison(rhs)) return poison_of(c->site.ctx);
	for (int i = 0; i <= n; i++) {
		a[i] = n + 1 + i + grouped;
		b[i] = i + grouped;
	}
	const dot_params p = {{n + 1, a}, {n + 1, b}, {grouped, &group}, {grouped, &group},
	                      c->dtype, DOT_EXACT};
	return bind_product(&c->site, &p, c->precision, (tsr *[]){lhs, rhs});
}

/* [groups, batch, places, results] as [batch, places, groups * results] */
static tsr *joined(const convolution *c, tsr *y)
{
	const int n = c->n;
	int64_t perm[MAX_NDIM], dims[MAX_NDIM];

	if (groups_of(c) == 1 || handle_is_poison(y)) return y;
	for (int d = 0; d <= n; d++) perm[d] = d + 1;
	perm[n + 1] = 0;
	perm[n + 2] = n + 2;
	y = turn_dims(&c->site, y, perm, n + 3);
	if (handle_is_poison(y)) return y;
	const type *t = handle_type(y);
	memcpy(dims, t->dims, (size_t)(n + 1) * sizeof *dims);
	dims[n + 1] = t->dims[n + 1] * t->dims[n + 2];
	return reshape_to(&c->site, y, dims, n + 2);
}

tsr *convolution_result(const convolution *c, tsr *y)
{
	int64_t perm[MAX_NDIM];

	perm[c->out.first] = 0;
	perm[c->out.second] = c->n + 1;
	for (int i = 0; i < c->n; i++) perm[c->out.spatial[i]] = 1 + i;
	return turn_dims(&c->site, y, perm, c->n + 2);
}

static tsr *convolved(const convolution *c, tsr *lhs, tsr *rhs)
{
	tsr *y = multiplied(c, patches_of(c, lhs), kernel_of(c, rhs));

	return convolution_result(c, joined(c, y));
}

tsr *convolution_run(convolution *c, const tsr_conv_args *a, tsr *lhs, tsr *rhs)
{
	tsr *const x[] = {lhs, rhs};

	if (!operands_check(&c->site, x, 2) || !read_convolution(c, a, x))
		return poison_of(c->site.ctx);
	return convolved(c, lhs, rhs);
}

tsr *lib_conv_general_dilated(call_site *site, tsr *lhs, tsr *rhs, const tsr_conv_args *a)
{
	convolution c = {.site = *site};
	return convolution_run(&c, a, lhs, rhs);
}

/* ---- transposed: strides are between the elements of lhs */

/* What JAX pads: so much that the result is as large as what a convolution with these strides and
 * this padding takes (twice: by `same` or not at all), or as given. A kernel of k = 3 and strides
 * of 2 on a b, by `same`: 2 below, 1 above, and 4 places
 *
 *     0  0 | a  0  b | 0
 *     [ 0  0  a ]  [ 0  a  0 ]  [ a  0  b ]  [ 0  b  0 ] */
static void pad_transposed(const tsr_conv_transpose_args *a, windows *w)
{
	const bool given = dims_given(&a->low) || dims_given(&a->high);

	for (int i = 0; i < w->n; i++) {
		const int64_t k = (w->size[i] - 1) * w->dilation[i] + 1, step = w->stride[i];
		const int64_t all = k + step - 2, more = k > step ? k - step : 0;
		if (a->padding == TSR_SAME) {
			w->low[i] = step > k - 1 ? k - 1 : (all + 1) / 2;
			w->high[i] = all - w->low[i];
		} else if (!given) {
			w->low[i] = k - 1;
			w->high[i] = all + more - w->low[i];
		} else if (a->forward_padding) {
			w->low[i] = k - 1 - w->low[i];
			w->high[i] = k - 1 - w->high[i];
		}
		w->base[i] = step;
		w->stride[i] = 1;
	}
}

static bool read_transposed(convolution *c, const tsr_conv_transpose_args *a, tsr *const *x)
{
	const type *lhs = handle_type(x[0]), *rhs = handle_type(x[1]);
	const char *const specs[] = {a->lhs_spec, a->rhs_spec, a->out_spec};
	const tsr_conv_args plain = {.strides = a->strides,
	                             .low = a->low,
	                             .high = a->high,
	                             .rhs_dilation = a->rhs_dilation,
	                             .padding = a->padding};
	int64_t window[MAX_NDIM];

	if (a->padding == TSR_SAME_LOWER)
		return fail(&c->site.ctx->base, c->site.where, TSR_ERROR_ARGUMENT,
		            "conv_transpose: .padding must be TSR_VALID or TSR_SAME");
	if (!read_operands(c, a->dtype, lhs, rhs) || !convolution_specs(c, specs, true))
		return false;
	if (a->transpose_kernel) {
		const int64_t first = c->rhs.first;
		c->rhs.first = c->rhs.second;
		c->rhs.second = first;
	}
	if (!read_groups(c, 1, 1, lhs, rhs)) return false;
	window_of(c, rhs, window);
	if (!convolution_windows(c, &plain, lhs, window)) return false;
	pad_transposed(a, &c->w);
	return true;
}

/* rhs along the dims of a window */
static tsr *turned_over(const convolution *c, tsr *rhs)
{
	int64_t dims[MAX_NDIM];
	int n = 0;

	for (int d = 0; d < c->n + 2; d++)
		if (d != c->rhs.first && d != c->rhs.second) dims[n++] = d;
	return n ? bind(&c->site, &tsr__prim_rev, &(dims_params){{n, dims}}, &rhs, 1) : rhs;
}

tsr *lib_conv_transpose(call_site *site, tsr *lhs, tsr *rhs, const tsr_conv_transpose_args *a)
{
	convolution c = {.site = *site};
	tsr *const x[] = {lhs, rhs};

	if (!operands_check(&c.site, x, 2) || !read_transposed(&c, a, x))
		return poison_of(c.site.ctx);
	return convolved(&c, lhs, a->transpose_kernel ? turned_over(&c, rhs) : rhs);
}
