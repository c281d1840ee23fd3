/* initializers.c - numbers that parameters begin with: jax.nn.initializers' formulas
 * (jax/_src/nn/initializers.py). */
#include <math.h>
#include "lib/lib.h"

/* what an initialiser is asked for, once its keywords are read */
typedef struct making {
	call_site site;
	tsr *key;
	tsr_dims dims;
	tsr_dtype dtype;
} making;

/* the key is one, and the dims and the dtype are those of an array. false: recorded */
static bool making_ok(making *m, call_site *site, tsr *key, tsr_dims dims, tsr_dtype dtype)
{
	if (!operands_check(site, &key, 1)) return false;
	*m = (making){*site, key, dims, dtype_or_usual(site->ctx, dtype, KIND_FLOAT)};
	return type_for(&m->site, m->dtype, &m->dims);
}

/* a number of the dtype that is made */
static tsr *number_of(const making *m, double value)
{
	return constant(&m->site, m->dtype, &(tsr_arg){.kind = TSR_KIND_FLOAT, .as.f = {value, 0}});
}

static tsr *times(const making *m, tsr *x, tsr *y)
{
	const call_site *site = &m->site;

	return handle_is_poison(x) ? x : R2(mul, x, y);
}

/* ---- all alike */

static tsr *all_alike(call_site *site, tsr *key, tsr_dims dims, const tsr_new_args *a,
                      int64_t value)
{
	making m;

	if (!making_ok(&m, site, key, dims, a->dtype)) return poison_of(tsr_ctx_of(key));
	return full_of(&m.site, (etype){m.dtype, false}, dims_of(&dims), dims_count(&dims),
	               &(tsr_arg){.kind = TSR_KIND_INT, .as.i = value});
}

tsr *lib_init_zeros(call_site *site, tsr *key, tsr_dims dims, const tsr_new_args *a)
{
	return all_alike(site, key, dims, a, 0);
}

tsr *lib_init_ones(call_site *site, tsr *key, tsr_dims dims, const tsr_new_args *a)
{
	return all_alike(site, key, dims, a, 1);
}

tsr *lib_init_constant(call_site *site, tsr *key, tsr_dims dims, const tsr_init_constant_args *a)
{
	making m;
	if (!making_ok(&m, site, key, dims, a->dtype)) return poison_of(tsr_ctx_of(key));

	if (!given_arg(&a->value))
		return refuse_op(site, TSR_ERROR_ARGUMENT,
		                 "give .value, TSR_ARG(0.5) for a number, TSR_ARG(x) for a handle");
	if (!keyword_operand(site, ".value", &a->value)) return poison_of(site->ctx);
	tsr *value = RTO(m.dtype, operand_alone(site, &a->value));
	return handle_is_poison(value)
	               ? value
	               : broadcast_checked(site, value, dims_of(&dims), dims_count(&dims));
}

/* ---- a distribution with a scale */

tsr *lib_init_uniform(call_site *site, tsr *key, tsr_dims dims, const tsr_init_uniform_args *a)
{
	making m;
	if (!making_ok(&m, site, key, dims, a->dtype)) return poison_of(tsr_ctx_of(key));
	const tsr_uniform_args how = {.size = sizeof how, .dtype = m.dtype};

	return times(&m, tsr_uniform_at(site->where, key, dims, &how),
	             number_of(&m, a->scale != 0 ? a->scale : 0.01));
}

tsr *lib_init_normal(call_site *site, tsr *key, tsr_dims dims, const tsr_init_normal_args *a)
{
	making m;
	if (!making_ok(&m, site, key, dims, a->dtype)) return poison_of(tsr_ctx_of(key));
	const tsr_draw_args how = {.size = sizeof how, .dtype = m.dtype};

	return times(&m, tsr_normal_at(site->where, key, dims, &how),
	             number_of(&m, a->stddev != 0 ? a->stddev : 0.01));
}

static tsr *truncated(const making *m, tsr_arg lower, tsr_arg upper)
{
	const tsr_sample_args how = {.size = sizeof how, .dtype = m->dtype, .dims = m->dims};

	return tsr_truncated_normal_at(m->site.where, m->key, lower, upper, &how);
}

tsr *lib_init_truncated_normal(call_site *site, tsr *key, tsr_dims dims,
                               const tsr_init_truncated_normal_args *a)
{
	making m;
	if (!making_ok(&m, site, key, dims, a->dtype)) return poison_of(tsr_ctx_of(key));
	const tsr_arg lower = given_arg(&a->lower) ? a->lower : tsr_arg_int(-2);
	const tsr_arg upper = given_arg(&a->upper) ? a->upper : tsr_arg_int(2);

	return times(&m, truncated(&m, lower, upper),
	             number_of(&m, a->stddev != 0 ? a->stddev : 0.01));
}

/* ---- complex numbers: a radius, and an angle that is spread evenly */

static tsr *unit_draw(const making *m, tsr *key)
{
	const tsr_uniform_args how = {.size = sizeof how, .dtype = dtype_real(m->dtype)};

	return tsr_uniform_at(m->site.where, key, m->dims, &how);
}

/* in the unit disk: the root of 2 u for mean square 1; of normal numbers whose modulus is below 2:
 * the root of -log(1 - (1 - e^-4) u) */
static tsr *complex_draw(const making *m, bool normal)
{
	const call_site *site = &m->site;
	tsr *key[2];

	if (!tsr_split_key_at(site->where, m->key, key, 2)) return poison_of(site->ctx);
	tsr *u = unit_draw(m, key[0]), *turn = unit_draw(m, key[1]);
	if (handle_is_poison(u) || handle_is_poison(turn)) return poison_of(site->ctx);
	tsr *square = normal ? R1(neg, R1(log, R2(sub, 1.0, R2(mul, 1 - exp(-4.0), u))))
	                     : R2(mul, 2.0, u);
	tsr *r = R1(sqrt, square), *angle = R2(mul, 2 * M_PI, turn);
	return R2(complex, R2(mul, r, R1(cos, angle)), R2(mul, r, R1(sin, angle)));
}

/* ---- variance scaling */

/* the product of the dims that a keyword lists. false: recorded */
static bool sizes_of(const making *m, const char *name, const tsr_dims *given, tsr_dims usual,
                     double *size)
{
	const int ndim = dims_count(&m->dims);
	const tsr_dims *list = dims_given(given) ? given : &usual;
	int64_t each[MAX_NDIM];

	*size = 1;
	if (!dims_listed(&m->site, name, list, ndim, each)) return false;
	for (int i = 0; i < dims_count(list); i++) *size *= (double)dims_of(&m->dims)[each[i]];
	return true;
}

static bool fans_of(const making *m, const tsr_init_scaling_args *a, double fan[2])
{
	double in, out, batch, window = 1;

	if (!dims_given(&a->in) && dims_count(&m->dims) < 2)
		return fail_op(&m->site, TSR_ERROR_TYPE,
		               "which dims are in and out of %d: give at least 2 dims, or .in",
		               dims_count(&m->dims));
	if (!sizes_of(m, ".in", &a->in, TSR_DIMS(-2), &in) ||
	    !sizes_of(m, ".out", &a->out, TSR_DIMS(-1), &out) ||
	    !sizes_of(m, ".batch", &a->batch, TSR_DIMS(), &batch))
		return false;
	for (int i = 0; i < dims_count(&m->dims); i++) window *= (double)dims_of(&m->dims)[i];
	window = window / in / out / batch;
	fan[0] = in * window;
	fan[1] = out * window;
	return true;
}

static double fan_meant(enum tsr_fan mode, const double fan[2])
{
	switch (mode) {
	case TSR_FAN_OUT: return fan[1];
	case TSR_FAN_AVG: return (fan[0] + fan[1]) / 2;
	case TSR_FAN_GEO_AVG: return sqrt(fan[0] * fan[1]);
	default: return fan[0];
	}
}

/* numbers with the standard deviation that remains when 2 cuts them off, and their factor */
static tsr *scaled(const making *m, enum tsr_init_distribution of, double variance)
{
	const call_site *site = &m->site;
	const bool complex = dtype_kind(m->dtype) == KIND_COMPLEX;
	const tsr_draw_args plain = {.size = sizeof plain, .dtype = m->dtype};
	const tsr_uniform_args even = {
		.size = sizeof even, .dtype = m->dtype, .minval = tsr_arg_int(-1)};
	tsr *v = number_of(m, variance);

	if (of == TSR_INIT_NORMAL)
		return times(m, tsr_normal_at(site->where, m->key, m->dims, &plain), R1(sqrt, v));
	if (of == TSR_INIT_UNIFORM)
		return complex ? times(m, complex_draw(m, false), R1(sqrt, v))
		               : times(m, tsr_uniform_at(site->where, m->key, m->dims, &even),
		                       R1(sqrt, R2(mul, 3.0, v)));
	tsr *left = number_of(m, complex ? 0.95311164380491208 : 0.87962566103423978);
	tsr *y = complex ? complex_draw(m, true) : truncated(m, tsr_arg_int(-2), tsr_arg_int(2));
	return times(m, y, R2(div, R1(sqrt, v), left));
}

static tsr *by_variance(call_site *site, tsr *key, tsr_dims dims, const tsr_init_scaling_args *a)
{
	double fan[2];
	making m;

	if (!making_ok(&m, site, key, dims, a->dtype)) return poison_of(tsr_ctx_of(key));
	if (a->mode > TSR_FAN_GEO_AVG || a->distribution > TSR_INIT_UNIFORM)
		return refuse_op(site, TSR_ERROR_ARGUMENT,
		                 ".mode is one of enum tsr_fan, and .distribution one of "
		                 "enum tsr_init_distribution");
	if (dtype_kind(m.dtype) != KIND_FLOAT && dtype_kind(m.dtype) != KIND_COMPLEX)
		return refuse_op(site, TSR_ERROR_ARGUMENT,
		                 ".dtype must be a float or complex dtype, not %s",
		                 tsr_dtype_name(m.dtype));
	if (!fans_of(&m, a, fan)) return poison_of(site->ctx);
	const double n = fan_meant(a->mode, fan);
	return scaled(&m, a->distribution, (a->scale != 0 ? a->scale : 1) / n);
}

tsr *lib_init_variance_scaling(call_site *site, tsr *key, tsr_dims dims,
                               const tsr_init_scaling_args *a)
{
	return by_variance(site, key, dims, a);
}

#define SCALING(name, factor, fan, of) \
	tsr *lib_init_##name(call_site *site, tsr *key, tsr_dims dims, \
	                     const tsr_init_fan_args *a) \
	{ \
		const tsr_init_scaling_args how = {.size = sizeof how, \
		                                   .scale = factor, \
		                                   .mode = fan, \
		                                   .distribution = of, \
		                                   .in = a->in, \
		                                   .out = a->out, \
		                                   .batch = a->batch, \
		                                   .dtype = a->dtype}; \
		return by_variance(site, key, dims, &how); \
	}
SCALING(glorot_uniform, 1, TSR_FAN_AVG, TSR_INIT_UNIFORM)
SCALING(glorot_normal, 1, TSR_FAN_AVG, TSR_INIT_TRUNCATED_NORMAL)
SCALING(xavier_uniform, 1, TSR_FAN_AVG, TSR_INIT_UNIFORM)
SCALING(xavier_normal, 1, TSR_FAN_AVG, TSR_INIT_TRUNCATED_NORMAL)
SCALING(lecun_uniform, 1, TSR_FAN_IN, TSR_INIT_UNIFORM)
SCALING(lecun_normal, 1, TSR_FAN_IN, TSR_INIT_TRUNCATED_NORMAL)
SCALING(he_uniform, 2, TSR_FAN_IN, TSR_INIT_UNIFORM)
SCALING(he_normal, 2, TSR_FAN_IN, TSR_INIT_TRUNCATED_NORMAL)
SCALING(kaiming_uniform, 2, TSR_FAN_IN, TSR_INIT_UNIFORM)
SCALING(kaiming_normal, 2, TSR_FAN_IN, TSR_INIT_TRUNCATED_NORMAL)

/* ---- orthogonal matrices */

/* [..., columns, ...]: the other dims are the rows of the matrix */
static tsr *orthogonal_along(const making *m, const tsr_dims *dims, int column)
{
	const call_site *site = &m->site;
	const int ndim = dims_count(dims);
	int64_t turned[MAX_NDIM], perm[MAX_NDIM], rows = 1;

	for (int i = 0; i < ndim; i++) {
		const int to = i < column ? i : i > column ? i - 1 : ndim - 1;
		turned[to] = dims_of(dims)[i];
		perm[i] = to;
		if (i != column) rows *= dims_of(dims)[i];
	}
	const tsr_orthogonal_args how = {
		.size = sizeof how, .dtype = m->dtype, .m = turned[ndim - 1]};
	tsr *q = tsr_orthogonal_at(site->where, m->key, rows, &how);
	if (handle_is_poison(q)) return q;
	q = reshape_to(site, q, turned, ndim);
	return column == ndim - 1 ? q : turn_dims(site, q, perm, ndim);
}

static bool is_empty(const tsr_dims *dims)
{
	for (int i = 0; i < dims_count(dims); i++)
		if (!dims_of(dims)[i]) return true;
	return false;
}

static tsr *nothing_of(const making *m)
{
	return zeros_of(&m->site, (etype){m->dtype, false}, dims_of(&m->dims),
	                dims_count(&m->dims));
}

tsr *lib_init_orthogonal(call_site *site, tsr *key, tsr_dims dims,
                         const tsr_init_orthogonal_args *a)
{
	making m;
	int column;

	if (!making_ok(&m, site, key, dims, a->dtype)) return poison_of(tsr_ctx_of(key));
	if (dims_count(&dims) < 2)
		return refuse_op(&m.site, TSR_ERROR_TYPE, "a matrix has at least 2 dims, not %d",
		                 dims_count(&dims));
	if (!dim_keyword(&m.site, ".column", &a->column, dims_count(&dims), -1, &column))
		return poison_of(m.site.ctx);
	if (is_empty(&dims)) return nothing_of(&m);
	return times(&m, orthogonal_along(&m, &dims, column),
	             number_of(&m, a->scale != 0 ? a->scale : 1));
}

/* y with zeros around it: it is the middle of the leading dims */
static tsr *in_the_middle(const making *m, tsr *y)
{
	const tsr_pad_args none = {.size = sizeof none};
	const int ndim = dims_count(&m->dims);
	const int64_t *size = dims_of(&m->dims);
	int64_t one[MAX_NDIM], low[MAX_NDIM], high[MAX_NDIM];
	tsr_dims before, behind;

	for (int i = 0; i < ndim; i++) {
		const bool window = i < ndim - 2;
		one[i] = window ? 1 : size[i];
		low[i] = window ? (size[i] - 1) / 2 : 0;
		high[i] = window ? size[i] - 1 - low[i] : 0;
	}
	if (!dims_put(&m->site, &before, low, ndim) || !dims_put(&m->site, &behind, high, ndim))
		return poison_of(m->site.ctx);
	return tsr_pad_at(m->site.where, reshape_to(&m->site, y, one, ndim), before, behind,
	                  tsr_arg_int(0), &none);
}

tsr *lib_init_delta_orthogonal(call_site *site, tsr *key, tsr_dims dims,
                               const tsr_init_orthogonal_args *a)
{
	making m;
	int column;

	if (!making_ok(&m, site, key, dims, a->dtype)) return poison_of(tsr_ctx_of(key));
	const int ndim = dims_count(&dims);
	if (ndim < 3 || ndim > 5)
		return refuse_op(&m.site, TSR_ERROR_TYPE, "a kernel has 3 to 5 dims, not %d", ndim);
	const tsr_dims matrix = TSR_DIMS(dims_of(&dims)[ndim - 2], dims_of(&dims)[ndim - 1]);
	if (dims_of(&matrix)[0] > dims_of(&matrix)[1])
		return refuse_op(&m.site, TSR_ERROR_TYPE,
		                 "more comes in (%lld) than goes out (%lld)",
		                 (long long)dims_of(&matrix)[0], (long long)dims_of(&matrix)[1]);
	if (!dim_keyword(&m.site, ".column", &a->column, 2, -1, &column))
		return poison_of(m.site.ctx);
	if (is_empty(&dims)) return nothing_of(&m);
	tsr *y = times(&m, orthogonal_along(&m, &matrix, column),
	               number_of(&m, a->scale != 0 ? a->scale : 1));
	return handle_is_poison(y) ? y : in_the_middle(&m, y);
}
