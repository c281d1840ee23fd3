/* convolution.c - convolutions: products of patches with a kernel, summed over what both have.
 *
 *     patches of lhs    [batch, places, features, window]
 *     the kernel rhs    [window, features, results]
 *     give              [batch, places, results]
 *
 * dot_general multiplies them, so that large ones go to the library of products; derivatives and
 * blocks of devices are those of its row and of patches. */
#include "lib/windows.h"

/* which dims of an array a text such as "NHWC" names: those of the letters N and C, or O and I, and
 * the others in the order of the spatial letters */
typedef struct dims_named {
	int64_t first, second, spatial[MAX_NDIM];
} dims_named;

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
	return good || fail(&site->ctx->base, site->where, TSR_ERROR_ARGUMENT,
	                    "%s: %s \"%s\" must name %d dims: %c, %c, and each of \"%s\" once",
	                    site->op, name, text, ndim, pair[0], pair[1], spatial);
}

typedef struct convolution {
	call_site site;
	int n; /* spatial dims */
	dims_named lhs, rhs, out;
	int64_t features, batches; /* groups of these */
	windows w;
	tsr_dtype dtype;
} convolution;

/* the letters of a spec but for a pair, in their order */
static void spatial_letters(const char *text, const char *pair, char to[MAX_NDIM])
{
	int n = 0;

	for (; *text && n < MAX_NDIM - 1; text++)
		if (*text != pair[0] && *text != pair[1]) to[n++] = *text;
	to[n] = '\0';
}

/* not given: batch, features, and then places; results, features, places */
static bool read_specs(convolution *c, const tsr_conv_args *a)
{
	const int ndim = c->n + 2;
	char usual[3][MAX_NDIM], letters[MAX_NDIM];
	static const char *const pairs[] = {"NC", "OI", "NC"};
	const char *const out = a->out_spec ? a->out_spec : a->lhs_spec;
	const char *const given[] = {a->lhs_spec, a->rhs_spec, out};
	static const char *const names[] = {".lhs_spec", ".rhs_spec", ".out_spec"};
	dims_named *const to[] = {&c->lhs, &c->rhs, &c->out};

	for (int k = 0; k < c->n; k++) letters[k] = (char)('0' + k);
	letters[c->n] = '\0';
	/* spatial dims are counted as rhs has them */
	static const int last[] = {2, 0, 1};
	for (int i = 0; i < 3; i++)
		if (given[last[i]]) spatial_letters(given[last[i]], pairs[last[i]], letters);
	for (int i = 0; i < 3; i++) {
		snprintf(usual[i], sizeof usual[i], "%s%s", pairs[i], letters);
		const char *text = given[i] ? given[i] : usual[i];
		if (!dims_name(&c->site, names[i], text, pairs[i], letters,
		               ndim, to[i]))
			return false;
	}
	return true;
}

static bool read_groups(convolution *c, const tsr_conv_args *a, const type *lhs,
                        const type *rhs)
{
	const call_site *s = &c->site;
	const int64_t features = lhs->dims[c->lhs.second], own = rhs->dims[c->rhs.second];
	const int64_t results = rhs->dims[c->rhs.first], batch = lhs->dims[c->lhs.first];

	c->features = a->feature_group_count ? a->feature_group_count : 1;
	c->batches = a->batch_group_count ? a->batch_group_count : 1;
	if (c->features < 1 || c->batches < 1 || (c->features > 1 && c->batches > 1))
		return fail(&s->ctx->base, s->where, TSR_ERROR_ARGUMENT,
		            "%s: .feature_group_count and .batch_group_count must be at least 1, "
		            "and one of them 1, got %lld and %lld", s->op,
		            (long long)c->features, (long long)c->batches);
	if (own * c->features != features)
		return fail(&s->ctx->base, s->where, TSR_ERROR_TYPE,
		            "%s: .feature_group_count times the input features of rhs must be the "
		            "features of lhs, got %lld * %lld and %lld", s->op,
		            (long long)c->features, (long long)own, (long long)features);
	if (results % (c->features * c->batches) || batch % c->batches)
		return fail(&s->ctx->base, s->where, TSR_ERROR_TYPE,
		            "%s: %lld groups must divide the output features of rhs, and groups of "
		            "the batch that, got %lld and %lld", s->op,
		            (long long)(c->features * c->batches), (long long)results,
		            (long long)batch);
	return true;
}

static bool read_convolution(convolution *c, const tsr_conv_args *a, tsr *const *x)
{
	const type *lhs = handle_type(x[0]), *rhs = handle_type(x[1]);
	const call_site *s = &c->site;
	const windows_given g = {&a->strides, &a->low, &a->high, &a->lhs_dilation,
	                         &a->rhs_dilation, ".lhs_dilation", ".rhs_dilation", a->padding};
	int64_t size[MAX_NDIM];

	if (lhs->ndim != rhs->ndim || lhs->ndim < 2)
		return fail(&s->ctx->base, s->where, TSR_ERROR_TYPE,
		            "%s: lhs and rhs must have as many dims, at least 2, got %d and %d",
		            s->op, lhs->ndim, rhs->ndim);
	if (lhs->dtype != rhs->dtype)
		return fail(&s->ctx->base, s->where, TSR_ERROR_TYPE,
		            "%s: lhs and rhs must have one dtype, got %s and %s", s->op,
		            tsr_dtype_name(lhs->dtype), tsr_dtype_name(rhs->dtype));
	c->n = c->w.n = lhs->ndim - 2;
	c->dtype = a->dtype ? a->dtype : lhs->dtype;
	if (!dtype_given_ok(s, a->dtype) || !read_specs(c, a) || !read_groups(c, a, lhs, rhs))
		return false;
	for (int i = 0; i < c->n; i++) {
		c->w.along[i] = 1 + i;
		c->w.size[i] = rhs->dims[c->rhs.spatial[i]];
		size[i] = lhs->dims[c->lhs.spatial[i]];
	}
	if (!windows_read(s, &g, size, &c->w)) return false;
	for (int i = 0; i < c->n; i++)
		if (a->padding != TSR_VALID && c->w.base[i] > 1)
			return fail(&s->ctx->base, s->where, TSR_ERROR_ARGUMENT,
			            "%s: .padding does not say how much to pad with .lhs_dilation; "
			            ".low and .high do", s->op);
	return true;
}

/* [batch, places, window, features] */
static tsr *patches_of(const convolution *c, tsr *lhs)
{
	const int n = c->n;
	int64_t perm[MAX_NDIM], behind[MAX_NDIM];

	perm[0] = c->lhs.first;
	memcpy(perm + 1, c->lhs.spatial, (size_t)n * sizeof *perm);
	perm[n + 1] = c->lhs.second;
	tsr *x = take_patches(&c->site, &c->w, turn_dims(&c->site, lhs, perm, n + 2),
	                      &(tsr_arg){TSR_KIND_INT, {.i = 0}});
	for (int i = 0; i <= n; i++) behind[i] = i;
	for (int i = 0; i < n; i++) behind[n + 1 + i] = n + 2 + i;
	behind[2 * n + 1] = n + 1;
	return turn_dims(&c->site, x, behind, 2 * n + 2);
}

/* [window, features, results] */
static tsr *kernel_of(const convolution *c, tsr *rhs)
{
	const int n = c->n;
	int64_t perm[MAX_NDIM];

	memcpy(perm, c->rhs.spatial, (size_t)n * sizeof *perm);
	perm[n] = c->rhs.second;
	perm[n + 1] = c->rhs.first;
	return turn_dims(&c->site, rhs, perm, n + 2);
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

/* Sums the products over the window and the features. Groups are a dim of both that is kept, and
 * comes first in the result; then [batch, places, results] */
static tsr *multiplied(const convolution *c, tsr *lhs, tsr *rhs)
{
	const int n = c->n, at = c->batches > 1 ? 0 : 2 * n + 1;
	const int64_t groups = c->features * c->batches;
	const bool grouped = groups > 1, by_batch = c->batches > 1;
	int64_t a[MAX_NDIM], b[MAX_NDIM], batch_a = at, batch_b = n + 1;

	if (grouped) lhs = in_groups(c, lhs, at, groups);
	if (grouped) rhs = in_groups(c, rhs, n + 1, groups);
	if (handle_is_poison(lhs) || handle_is_poison(rhs)) return poison_of(c->site.ctx);
	for (int i = 0; i < n; i++) {
		a[i] = n + 1 + i + by_batch;
		b[i] = i;
	}
	a[n] = 2 * n + 1 + grouped;
	b[n] = n;
	const dot_params p = {{n + 1, a}, {n + 1, b}, {grouped, &batch_a}, {grouped, &batch_b},
	                      c->dtype};
	return bind(&c->site, &tsr__prim_dot_general, &p, (tsr *[]){lhs, rhs}, 2);
}

/* [groups, batch, places, results] as [batch, places, groups * results] */
static tsr *joined(const convolution *c, tsr *y)
{
	const int n = c->n;
	int64_t perm[MAX_NDIM], dims[MAX_NDIM];

	if (c->features * c->batches == 1 || handle_is_poison(y)) return y;
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

static tsr *convolved(const convolution *c, tsr *const *x)
{
	tsr *y = joined(c, multiplied(c, patches_of(c, x[0]), kernel_of(c, x[1])));
	int64_t perm[MAX_NDIM];

	perm[c->out.first] = 0;
	perm[c->out.second] = c->n + 1;
	for (int i = 0; i < c->n; i++) perm[c->out.spatial[i]] = 1 + i;
	return turn_dims(&c->site, y, perm, c->n + 2);
}

tsr *tsr_conv_general_dilated_at(const char *where, tsr *lhs, tsr *rhs, const tsr_conv_args *given)
{
	const tsr_conv_args *a = KEYWORDS(tsr_conv_args, where, tsr_ctx_of(lhs), given);
	if (!a) return poison_of(tsr_ctx_of(lhs));
	convolution c = {.site = {.where = where, .op = "conv_general_dilated"}};
	tsr *const x[] = {lhs, rhs};

	if (!operands_check(&c.site, x, 2) || !read_convolution(&c, a, x))
		return poison_of(c.site.ctx);
	return convolved(&c, x);
}

/* ---- along one dim, as NumPy has it */

static bool check_lines(call_site *s, tsr *const *x)
{
	if (!operands_check(s, x, 2)) return false;
	for (int i = 0; i < 2; i++) {
		const type *t = handle_type(x[i]);
		if (t->ndim != 1)
			return fail(&s->ctx->base, s->where, TSR_ERROR_TYPE,
			            "%s takes arrays of one dim, and got one of %d", s->op,
			            t->ndim);
		if (!t->size)
			return fail(&s->ctx->base, s->where, TSR_ERROR_ARGUMENT,
			            "%s takes no arrays without elements", s->op);
	}
	return true;
}

static bool overlap(const call_site *s, enum tsr_overlap mode, int64_t n, tsr_conv_args *to)
{
	int64_t low = n - 1, high = n - 1; /* full */

	if (mode < TSR_OVERLAP_FULL || mode > TSR_OVERLAP_VALID)
		return fail(&s->ctx->base, s->where, TSR_ERROR_ARGUMENT,
		            "%s: .mode %d is none of TSR_OVERLAP_FULL, _SAME and _VALID", s->op,
		            (int)mode);
	if (mode == TSR_OVERLAP_VALID) low = high = 0;
	if (mode == TSR_OVERLAP_SAME) {
		low = n / 2;
		high = n - n / 2 - 1;
	}
	*to = (tsr_conv_args){.size = sizeof *to, .low = {{2, low}}, .high = {{2, high}}};
	return true;
}

static tsr *flipped(const call_site *s, tsr *x)
{
	return tsr_flip_at(s->where, x, (tsr_dims){{2, 0}});
}

/* the shorter operand goes over the longer one; convolve turns it over, correlate the result where
 * the operands changed places */
static tsr *over_lines(call_site *s, tsr *const *given, enum tsr_overlap mode, bool turns)
{
	tsr *x[2] = {given[0], given[1]};
	tsr_conv_args args;

	if (!check_lines(s, x)) return poison_of(s->ctx);
	const tsr_dtype both = tsr_promote(handle_type(x[0])->dtype, handle_type(x[1])->dtype);
	for (int i = 0; i < 2; i++) x[i] = convert(s, x[i], dtype_inexact(both));
	if (!turns && dtype_kind(both) == KIND_COMPLEX) x[1] = tsr_conj_at(s->where, x[1]);
	if (handle_is_poison(x[0]) || handle_is_poison(x[1])) return poison_of(s->ctx);
	const int64_t n[] = {handle_type(x[0])->size, handle_type(x[1])->size};
	const int longer = n[0] < n[1];
	tsr *over = x[!longer], *y;
	if (!overlap(s, mode, n[!longer], &args)) return poison_of(s->ctx);
	if (turns) over = flipped(s, over);
	if (handle_is_poison(over)) return over;
	y = tsr_conv_general_dilated_at(s->where,
	                                reshape_to(s, x[longer], (int64_t[]){1, 1, n[longer]}, 3),
	                                reshape_to(s, over, (int64_t[]){1, 1, n[!longer]}, 3),
	                                &args);
	y = tsr_ravel_at(s->where, y);
	return !turns && longer ? flipped(s, y) : y;
}

tsr *tsr_convolve_at(const char *where, tsr *a, tsr *v, const tsr_convolve_args *given)
{
	const tsr_convolve_args *k = KEYWORDS(tsr_convolve_args, where, tsr_ctx_of(a), given);
	if (!k) return poison_of(tsr_ctx_of(a));
	call_site site = {.where = where, .op = "convolve"};

	return over_lines(&site, (tsr *[]){a, v}, k->mode ? k->mode : TSR_OVERLAP_FULL, true);
}

tsr *tsr_correlate_at(const char *where, tsr *a, tsr *v, const tsr_convolve_args *given)
{
	const tsr_convolve_args *k = KEYWORDS(tsr_convolve_args, where, tsr_ctx_of(a), given);
	if (!k) return poison_of(tsr_ctx_of(a));
	call_site site = {.where = where, .op = "correlate"};

	return over_lines(&site, (tsr *[]){a, v}, k->mode ? k->mode : TSR_OVERLAP_VALID, false);
}
