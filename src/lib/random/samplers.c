/* samplers.c - draws bits, uniform and normal numbers, the material of all others. */
#include <math.h>
#include "lib/random/draw.h"

SAMPLE(bits) { return (void)x, bits_of_key(site, key, DTYPE, at); }

SAMPLER(random_bits, bits, BITS)

/* ---- uniform numbers */

int digits_of(tsr_dtype t)
{
	return t == TSR_F16 ? 10 : t == TSR_BF16 ? 7 : t == TSR_F64 ? 52 : 23;
}

/* the upper n bits of what is drawn, where n is the number of digits behind the point of 1.0; of
 * bf16, which has 7 of these, 8 bits are drawn */
static tsr *whole_of_key(const call_site *site, tsr *key, tsr_dtype dtype, const sample_box *at)
{
	const tsr_dtype bits = dtype == TSR_F16    ? TSR_U16
	                       : dtype == TSR_BF16 ? TSR_U8
	                       : dtype == TSR_F32  ? TSR_U32
	                                           : TSR_U64;
	tsr *drawn = bits_of_key(site, key, bits, at);

	return RTO(dtype, R2(shift_right, drawn, dtype_bits(bits) - digits_of(dtype)));
}

/* these as digits behind the point: m 2^-n */
tsr *unit_of_key(const call_site *site, tsr *key, tsr_dtype dtype, const sample_box *at)
{
	return R2(mul, whole_of_key(site, key, dtype, at), ldexp(1, -digits_of(dtype)));
}

/* both in one array, with a dim of size 2 in front */
tsr *unit_and_rest(const call_site *site, tsr *key, tsr_dtype dtype, const sample_box *at,
                   tsr **rest)
{
	sample_box both = *at;

	*rest = poison_of(site->ctx);
	if (!box_widened(site, &both, 0, 2)) return *rest;
	tsr *y = unit_of_key(site, key, dtype, &both);
	*rest = tsr_index_at(site->where, y, 0, 1);
	return tsr_index_at(site->where, y, 0, 0);
}

/* max(low, u (high - low) + low), whose product is rounded in 16 bits alone, as in XLA */
tsr *uniform_of_key(const call_site *site, tsr *key, tsr_dtype dtype, const sample_box *at,
                    tsr *low, tsr *high)
{
	tsr *unit = unit_of_key(site, key, dtype, at);

	low = RTO(dtype, low);
	tsr *width = R2(sub, RTO(dtype, high), low);
	tsr *y = dtype_bits(dtype) == 16 ? R2(add, R2(mul, unit, width), low)
	                                 : R3(fma, unit, width, low);
	return R2(maximum, low, y);
}

SAMPLE(uniform) { return uniform_of_key(site, key, DTYPE, at, x[0], x[1]); }
SAMPLE(unit) { return (void)x, UNIT; }

tsr *tsr_uniform_at(const char *where, tsr *key, tsr_dims dims, const tsr_uniform_args *given)
{
	TURN_OF(tsr_ctx_of(key), where, poison_of(tsr_ctx_of(key)));
	const tsr_uniform_args *a = KEYWORDS(tsr_uniform_args, where, tsr_ctx_of(key), given);
	if (!a) return poison_of(tsr_ctx_of(key));
	call_site site = {.where = where, .op = "uniform"};
	draw d = {.sample = unit, .dims = dims};
	tsr_arg limits[] = {a->minval, a->maxval};
	const bool usual = !limits[0].kind && !limits[1].kind;

	for (int i = 0; i < 2; i++)
		if (!limits[i].kind) limits[i] = (tsr_arg){.kind = TSR_KIND_INT, .as.i = i};
	if (!draw_begin(&site, key, &d, a->dtype, DRAWS_FLOATS) ||
	    !place_ok(&site, &d, &a->whole, a->start) || !parameters_ok(&site, &d, limits, 2))
		return poison_of(site.ctx);
	if (!usual) d.sample = uniform;
	return draw_run(&site, &d, key, a->start, limits, usual ? 0 : 2);
}

/* ---- normal numbers */

/* sqrt(2) erf_inv(u) of a uniform u from the number above -1, low, to 1: 2 m 2^-n + low, since the
 * difference of these limits rounds to 2, and nothing is below low */
static tsr *real_normal(const call_site *site, tsr *key, tsr_dtype dtype, const sample_box *at)
{
	const tsr_arg one = {.kind = TSR_KIND_INT, .as.i = -1};
	tsr *low = R2(nextafter, constant(site, dtype, &one), 0);
	tsr *u = R3(fma, whole_of_key(site, key, dtype, at), ldexp(1, 1 - digits_of(dtype)), low);

	return R2(mul, R1(erf_inv, u), M_SQRT2);
}

/* 1 / sqrt(2), which XLA multiplies by where JAX divides by sqrt(2) */
static tsr *root_half(const call_site *site, tsr_dtype dtype)
{
	const tsr_arg root = {.kind = TSR_KIND_FLOAT, .as.f = {M_SQRT2, 0}};

	return R2(div, 1, constant(site, dtype, &root));
}

tsr *normal_of_key(const call_site *site, tsr *key, tsr_dtype dtype, const sample_box *at)
{
	const tsr_dtype real = dtype_real(dtype);
	tsr *part[2];

	if (real == dtype) return real_normal(site, key, dtype, at);
	if (!keys_of_key(site, key, part, 2)) return poison_of(site->ctx);
	for (int i = 0; i < 2; i++)
		part[i] = R2(mul, real_normal(site, part[i], real, at), root_half(site, real));
	return R2(complex, part[0], part[1]);
}

SAMPLE(normal) { return (void)x, normal_of_key(site, key, DTYPE, at); }
SAMPLER(normal, normal, INEXACT)

/* ---- truncated normal numbers */

/* a polynomial, the coefficient of the highest degree first */
static tsr *polynomial(const call_site *site, tsr *x, const double *c, int n)
{
	tsr *q = tsr_ones_like_at(site->where, x);

	q = R2(mul, q, c[0]);
	for (int i = 1; i < n; i++) q = R3(fma, q, x, c[i]);
	return q;
}

/* erf as XLA has it in f32, for 16 bits too: x P(x^2) / Q(x^2). Every digit counts here, for it
 * moves all that is drawn */
static tsr *erf_xla(const call_site *site, tsr *x)
{
	static const double over[] = {0.00022905065861350646, 0.0034082910107109506,
	                              0.050955695062380861, 0.18520832239976145, 1.128379143519084};
	static const double under[] = {-1.1791602954361697e-7,
	                               0.000023547966471313185,
	                               0.0010179625278914885,
	                               0.014070470171167667,
	                               0.11098505178285362,
	                               0.49746925110067538,
	                               1.0};
	const double end = 3.832506856900711;

	if (handle_is_poison(x)) return x;
	const tsr_dtype dtype = handle_type(x)->dtype;
	if (dtype == TSR_F64) return R1(erf, x);
	x = tsr_clamp_at(site->where, tsr_arg_float(-end), tsr_arg_one(RTO(TSR_F32, x)),
	                 tsr_arg_float(end));
	tsr *xx = R2(mul, x, x), *q = R2(mul, x, polynomial(site, xx, over, 5));
	return RTO(dtype, R2(div, q, polynomial(site, xx, under, 7)));
}

/* sqrt(2) erf_inv(u) of u evenly between erf(low / sqrt(2)) and that of high, which rounding must
 * not bring to low or high itself */
SAMPLE(truncated_normal)
{
	const tsr_dtype dtype = DTYPE;
	tsr *limit[2], *end[2], *next[2];

	for (int i = 0; i < 2; i++) {
		limit[i] = RTO(dtype, x[i]);
		end[i] = erf_xla(site, R2(mul, limit[i], root_half(site, dtype)));
		next[i] = R2(nextafter, R1(stop_gradient, limit[i]), i ? -INFINITY : INFINITY);
	}
	tsr *u = uniform_of_key(site, key, dtype, at, end[0], end[1]);
	tsr *y = R2(mul, R1(erf_inv, u), M_SQRT2);
	return R2(minimum, R2(maximum, y, next[0]), next[1]);
}

SAMPLER_2(truncated_normal, truncated_normal, lower, upper, FLOATS)
