/* norms.c - layers that normalize: flax's LayerNorm, RMSNorm, GroupNorm and BatchNorm.
 *
 * They differ in the dims that means are taken over, and in the feature dims, which scale and bias
 * have. Of x [batch, rows, 6]:
 *
 *     layer     means over [2], features [2]
 *     batch     means over [0, 1], features [2]
 *     group     x as [batch, rows, 3, 2]: means over [1, 3], features [2, 3]
 *
 * Means of a layer stay in place with size 1, so that all else broadcasts. */
#include "lib/nn/layers.h"

typedef struct norm {
	call_site site;
	tsr *x, *scale, *bias; /* of 32 bits at least; the last two may be NULL */
	tsr_dtype dtype;       /* of the result */
	tsr_dims dims;         /* of means */
	bool feature[MAX_NDIM];
	/* keywords */
	double epsilon;
	tsr *where;
	const char *axis;
	bool exact;
} norm;

/* ---- what is given */

static bool norm_begin(norm *c, tsr_dtype dtype)
{
	tsr *of[] = {c->x, c->scale, c->bias};

	if (!(c->dtype = layer_dtype(&c->site, dtype, of, 3, 1))) return false;
	if (dtype_kind(c->dtype) == KIND_COMPLEX)
		return fail(&c->site.ctx->base, c->site.where, TSR_ERROR_TYPE,
		            "%s does not accept dtype %s", c->site.op, tsr_dtype_name(c->dtype));
	if (!layer_convert(&c->site, dtype_wide(c->dtype), of, 3)) return false;
	c->x = of[0], c->scale = of[1], c->bias = of[2];
	return !c->where || operands_check(&c->site, (tsr *[]){c->x, c->where}, 2);
}

/* a list of dims, or the last one; as a set */
static bool dim_set(const call_site *site, const char *name, const tsr_dims *given, int ndim,
                    bool set[MAX_NDIM])
{
	int64_t dims[MAX_NDIM];
	int d;

	for (d = 0; d < ndim; d++) set[d] = false;
	if (!dims_given(given)) return dim_read(site, -1, ndim, &d) && (set[d] = true);
	if (!dims_listed(site, name, given, ndim, dims)) return false;
	for (int i = 0; i < dims_count(given); i++) set[dims[i]] = true;
	return true;
}

static bool means_over(norm *c, const bool set[MAX_NDIM], int ndim)
{
	int64_t dims[MAX_NDIM];
	int n = 0;

	for (int d = 0; d < ndim; d++)
		if (set[d]) dims[n++] = d;
	return dims_put(&c->site, &c->dims, dims, n);
}

/* A parameter with the sizes of the feature dims, to broadcast with x; NULL stays so. false:
 * recorded */
static bool of_features(const norm *c, const char *name, tsr **parameter)
{
	const type *t = handle_type(c->x);
	int64_t own[MAX_NDIM], wide[MAX_NDIM];
	int n = 0;

	for (int d = 0; d < t->ndim; d++) {
		wide[d] = c->feature[d] ? t->dims[d] : 1;
		if (c->feature[d]) own[n++] = t->dims[d];
	}
	if (!*parameter) return true;
	if (!parameter_fits(&c->site, name, *parameter, own, n)) return false;
	*parameter = reshape_to(&c->site, *parameter, wide, t->ndim);
	return !handle_is_poison(*parameter);
}

/* ---- means */

static tsr_arg mean_of(const norm *c, tsr_arg x)
{
	const tsr_mean_args how = {.size = sizeof how, .dims = c->dims, .keep = true,
	                           .where = c->where};

	return HANDLE(tsr_mean_at(c->site.where, x.as.one, &how));
}

static tsr_arg mean_of_devices(const norm *c, tsr_arg x)
{
	const tsr_group_args all = {.size = sizeof all};

	return c->axis ? HANDLE(tsr_pmean_at(c->site.where, x.as.one, c->axis, &all)) : x;
}

/* the means of x and of x^2, which devices exchange at once */
static void two_means(const norm *c, tsr_arg out[2])
{
	const call_site *site = &c->site;
	const tsr_arg x = HANDLE(c->x);

	out[0] = mean_of(c, x);
	out[1] = mean_of(c, OP_1(square, x));
	if (!c->axis) return;
	tsr *const both[] = {out[0].as.one, out[1].as.one};
	tsr *all = mean_of_devices(c, HANDLE(tsr_stack_at(site->where, 0, both, 2))).as.one;
	for (int i = 0; i < 2; i++) out[i] = HANDLE(tsr_index_at(site->where, all, 0, i));
}

static void mean_and_variance(const norm *c, tsr_arg *mean, tsr_arg *variance)
{
	const call_site *site = &c->site;
	const tsr_arg x = HANDLE(c->x);
	tsr_arg both[2];

	if (c->exact) {
		*mean = mean_of_devices(c, mean_of(c, x));
		*variance = mean_of_devices(c, mean_of(c, OP_1(square, SUB(x, *mean))));
		return;
	}
	two_means(c, both);
	*mean = both[0];
	*variance = OP_2(maximum, SUB(both[1], OP_1(square, both[0])), NUM(0));
}

/* x less the mean, if there is one, by the variance */
static tsr *normalized(norm *c, const tsr_arg *mean, tsr_arg variance)
{
	const call_site *site = &c->site;
	const tsr_arg x = HANDLE(c->x);

	if (!of_features(c, "the scale", &c->scale) ||
	    !of_features(c, "the bias", &c->bias))
		return poison_of(c->site.ctx);
	tsr_arg factor = OP_1(rsqrt, ADD(variance, NUM(c->epsilon)));
	if (c->scale) factor = MUL(factor, HANDLE(c->scale));
	tsr_arg y = MUL(mean ? SUB(x, *mean) : x, factor);
	if (c->bias) y = ADD(y, HANDLE(c->bias));
	return TO(c->dtype, y).as.one;
}

/* ---- by rows */

static tsr *norm_of_rows(call_site *site, norm *c, const tsr_layer_norm_args *a, bool centered)
{
	bool set[MAX_NDIM];
	tsr_arg mean, variance;

	c->site = (call_site)*site;
	c->epsilon = a->epsilon != 0 ? a->epsilon : 1e-6;
	c->where = a->where, c->axis = a->axis, c->exact = a->exact;
	if (!norm_begin(c, a->dtype)) return poison_of(c->site.ctx);
	const int ndim = handle_type(c->x)->ndim;
	if (!dim_set(&c->site, ".dims", &a->dims, ndim, set) || !means_over(c, set, ndim) ||
	    !dim_set(&c->site, ".feature_dims", &a->feature_dims, ndim, c->feature))
		return poison_of(c->site.ctx);
	if (!centered) {
		const tsr_arg squares = mean_of(c, OP_1(square, HANDLE(c->x)));
		return normalized(c, NULL, mean_of_devices(c, squares));
	}
	mean_and_variance(c, &mean, &variance);
	return normalized(c, &mean, variance);
}

tsr *lib_layer_norm(call_site *site, tsr *x, tsr *scale, tsr *bias, const tsr_layer_norm_args *a)
{
	norm c = {.x = x, .scale = scale, .bias = bias};

	return norm_of_rows(site, &c, a, true);
}

tsr *lib_rms_norm(call_site *site, tsr *x, tsr *scale, const tsr_layer_norm_args *a)
{
	norm c = {.x = x, .scale = scale};

	return norm_of_rows(site, &c, a, false);
}

/* ---- by groups */

/* how many groups there are; 0: recorded */
static int64_t groups_of(const call_site *site, int64_t groups, int64_t size, const type *t)
{
	const int64_t features = t->ndim ? t->dims[t->ndim - 1] : 0;
	const int64_t given = size ? size : groups;

	if (!t->ndim)
		fail_op(site, TSR_ERROR_TYPE, "x must have dims, the last of them of features");
	else if (groups && size)
		fail_op(site, TSR_ERROR_ARGUMENT,
		        "with .group_size the number of groups is 0, and not %lld",
		        (long long)groups);
	else if (given < 1 || features % given)
		fail_op(site, TSR_ERROR_ARGUMENT,
		        "groups must divide the %lld features, and %lld do not",
		        (long long)features, (long long)given);
	else
		return size ? features / size : groups;
	return 0;
}

/* the last dim as two; NULL stays so. Passes poison on */
static tsr *in_groups(const call_site *site, tsr *x, int64_t groups)
{
	int64_t dims[MAX_NDIM + 1];

	if (!x || handle_is_poison(x)) return x;
	const type *t = handle_type(x);
	memcpy(dims, t->dims, (size_t)t->ndim * sizeof *dims);
	dims[t->ndim] = dims[t->ndim - 1] / groups;
	dims[t->ndim - 1] = groups;
	return reshape_to(site, x, dims, t->ndim + 1);
}

/* the dims of means of x in groups: those given, or all but the first one; and the last one */
static bool group_dims(norm *c, const tsr_dims *given, int ndim)
{
	bool set[MAX_NDIM];

	if (dims_given(given)) {
		if (!dim_set(&c->site, ".dims", given, ndim, set)) return false;
	} else {
		for (int d = 0; d < ndim; d++) set[d] = d > 0;
	}
	if (ndim == MAX_NDIM)
		return fail_op(&c->site, TSR_ERROR_TYPE, "x has %d dims, and groups need one more",
		               ndim);
	set[ndim - 1] = false;
	set[ndim] = true;
	for (int d = 0; d <= ndim; d++) c->feature[d] = d >= ndim - 1;
	return means_over(c, set, ndim + 1);
}

/* is a parameter, or NULL, one for each feature? false: recorded */
static bool has_features(const norm *c, const char *name, tsr *parameter)
{
	const type *t = handle_type(c->x);

	return !parameter ||
	       parameter_fits(&c->site, name, parameter, &t->dims[t->ndim - 1], 1);
}

tsr *lib_group_norm(call_site *site, tsr *x, int64_t groups, tsr *scale, tsr *bias,
                    const tsr_group_norm_args *a)
{
	norm c = {.site = *site,
	          .x = x,
	          .scale = scale,
	          .bias = bias,
	          .where = a->where,
	          .axis = a->axis,
	          .exact = a->exact,
	          .epsilon = a->epsilon != 0 ? a->epsilon : 1e-6};
	tsr_arg mean, variance;

	if (!norm_begin(&c, a->dtype)) return poison_of(c.site.ctx);
	const type *t = handle_type(c.x);
	if (!(groups = groups_of(&c.site, groups, a->group_size, t)) ||
	    !group_dims(&c, &a->dims, t->ndim) || !has_features(&c, "the scale", c.scale) ||
	    !has_features(&c, "the bias", c.bias))
		return poison_of(c.site.ctx);
	if (c.where)
		c.where = in_groups(&c.site, broadcast_checked(&c.site, c.where, t->dims, t->ndim),
		                    groups);
	c.x = in_groups(&c.site, c.x, groups);
	c.scale = in_groups(&c.site, c.scale, groups);
	c.bias = in_groups(&c.site, c.bias, groups);
	mean_and_variance(&c, &mean, &variance);
	return reshape_to(&c.site, normalized(&c, &mean, variance), t->dims, t->ndim);
}

/* ---- by batches */

/* The new average, in the dtype of the old one: momentum old + (1 - momentum) that of the batch */
static tsr *averaged(const norm *c, const tsr_arg *momentum, tsr *old, tsr_arg now)
{
	const call_site *site = &c->site;
	const type *t = handle_type(old);
	const tsr_arg kept = given_arg(momentum) ? *momentum : NUM(0.99);
	const tsr_arg rest = kept.kind == TSR_KIND_FLOAT ? NUM(1 - kept.as.f[0])
	                                                 : SUB(NUM(1), kept);
	const tsr_arg same = HANDLE(reshape_to(&c->site, now.as.one, t->dims, t->ndim));

	return TO(t->dtype, ADD(MUL(kept, HANDLE(old)), MUL(rest, same))).as.one;
}

/* an average as it is broadcast with x, which has the features along one dim. false: recorded */
static bool average_fits(norm *c, const char *name, tsr *average)
{
	tsr *as_parameter = average;

	if (!operands_check(&c->site, (tsr *[]){c->x, average}, 2)) return false;
	if (dtype_kind(handle_type(average)->dtype) != KIND_FLOAT)
		return fail_op(&c->site, TSR_ERROR_TYPE, "%s must be of real floats, not %s", name,
		               tsr_type_text(average));
	return of_features(c, name, &as_parameter);
}

static bool batch_begin(norm *c, const tsr_batch_norm_args *a, tsr *mean, tsr *var)
{
	bool set[MAX_NDIM];
	int dim;

	if (!norm_begin(c, a->dtype)) return false;
	const int ndim = handle_type(c->x)->ndim;
	if (!one_dim_read(&c->site, &a->dim, ndim, -1, &dim) ||
	    !keyword_operand(&c->site, ".momentum", &a->momentum))
		return false;
	if (a->momentum.kind == TSR_KIND_COMPLEX)
		return fail_op(&c->site, TSR_ERROR_ARGUMENT, ".momentum must be real");
	for (int d = 0; d < ndim; d++) set[d] = !(c->feature[d] = d == dim);
	return means_over(c, set, ndim) && average_fits(c, "mean", mean) &&
	       average_fits(c, "var", var);
}

static tsr_arg average_of(norm *c, tsr *average)
{
	of_features(c, "", &average);
	return HANDLE(average);
}

tsr *lib_batch_norm(call_site *site, tsr *x, tsr *scale, tsr *bias, tsr *mean, tsr *var,
                    const tsr_batch_norm_args *a)
{
	norm c = {.site = *site,
	          .x = x,
	          .scale = scale,
	          .bias = bias,
	          .where = a->where,
	          .axis = a->axis,
	          .exact = a->exact,
	          .epsilon = a->epsilon != 0 ? a->epsilon : 1e-5};
	tsr_arg now[2];

	if (a->new_mean) *a->new_mean = poison_of(tsr_ctx_of(x));
	if (a->new_var) *a->new_var = poison_of(tsr_ctx_of(x));
	if (!batch_begin(&c, a, mean, var)) return poison_of(c.site.ctx);
	if (a->use_running_average) {
		now[0] = average_of(&c, mean), now[1] = average_of(&c, var);
	} else {
		mean_and_variance(&c, &now[0], &now[1]);
		mean = averaged(&c, &a->momentum, mean, now[0]);
		var = averaged(&c, &a->momentum, var, now[1]);
	}
	tsr *y = normalized(&c, &now[0], now[1]);
	if (a->new_mean && !handle_is_poison(y)) *a->new_mean = mean;
	if (a->new_var && !handle_is_poison(y)) *a->new_var = var;
	return y;
}
