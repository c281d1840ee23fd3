/* samplers.c - bits, uniform and normal numbers, of which all others are made. */
#include <complex.h>
#include <math.h>
#include "lib/draw.h"

/* a draw without parameters */
static tsr *simple(call_site *site, sampler *sample, tsr *key, tsr_dims dims,
                   const tsr_draw_args *given, tsr_dtype usual, draws of)
{
	const tsr_draw_args *a = KEYWORDS(tsr_draw_args, site->where, tsr_ctx_of(key), given);
	if (!a) return poison_of(tsr_ctx_of(key));
	draw d = {.sample = sample, .dims = dims};

	if (!draw_begin(site, key, &d, a->dtype, usual, of) ||
	    !place_ok(site, &d, &a->whole, a->start))
		return poison_of(site->ctx);
	return draw_run(site, &d, key, a->start, NULL, 0);
}

static tsr *bits_sample(const call_site *site, const draw *d, tsr *key, const place *at,
                        tsr *const *x)
{
	return (void)x, bits_of_key(site, key, (tsr_dtype)d->dtype, at);
}

tsr *tsr_random_bits_at(const char *where, tsr *key, tsr_dims dims, const tsr_draw_args *a)
{
	return simple(&(call_site){.where = where, .op = "random_bits"}, bits_sample, key, dims, a,
	              TSR_U32, DRAWS_BITS);
}

/* ---- uniform numbers */

/* m 2^-n, where m has the upper n bits of what is drawn and n is the number of digits behind the
 * point of 1.0; of bf16, which has 7 of these, 8 bits are drawn */
tsr *unit_of_key(const call_site *site, tsr *key, tsr_dtype dtype, const place *at)
{
	static const struct {
		tsr_dtype dtype, bits;
		int width, digits;
	} form[] = {
		{TSR_F16, TSR_U16, 16, 10},
		{TSR_BF16, TSR_U8, 8, 7},
		{TSR_F32, TSR_U32, 32, 23},
		{TSR_F64, TSR_U64, 64, 52},
	};
	size_t i = 0;

	while (form[i].dtype != dtype) i++;
	tsr *bits = bits_of_key(site, key, form[i].bits, at);
	tsr *digits = R2(shift_right, bits, form[i].width - form[i].digits);
	return R2(mul, RTO(dtype, digits), ldexp(1, -form[i].digits));
}

static tsr *uniform_sample(const call_site *site, const draw *d, tsr *key, const place *at,
                           tsr *const *x)
{
	return (void)x, unit_of_key(site, key, (tsr_dtype)d->dtype, at);
}

tsr *tsr_uniform_at(const char *where, tsr *key, tsr_dims dims, const tsr_draw_args *a)
{
	return simple(&(call_site){.where = where, .op = "uniform"}, uniform_sample, key, dims, a,
	              TSR_F32, DRAWS_FLOATS);
}

/* ---- normal numbers */

/* the number above -1 */
static double above_minus_1(tsr_dtype dtype)
{
	const int digits = dtype == TSR_F16    ? 11
	                   : dtype == TSR_BF16 ? 8
	                   : dtype == TSR_F32  ? 24
	                                       : 53;

	return ldexp(1, -digits) - 1;
}

/* sqrt(2) erf_inv(u) with u evenly in -1 < u < 1: 2 v + low of 0 <= v < 1, whose product is
 * exact */
static tsr *normal_real(const call_site *site, tsr *key, tsr_dtype dtype, const place *at)
{
	tsr *twice = R2(mul, unit_of_key(site, key, dtype, at), 2.0);

	return R2(mul, R1(erf_inv, R2(add, twice, above_minus_1(dtype))), M_SQRT2);
}

static tsr *normal_sample(const call_site *site, const draw *d, tsr *key, const place *at,
                          tsr *const *x)
{
	const tsr_dtype dtype = (tsr_dtype)d->dtype, real = dtype_real(dtype);
	tsr *part[2];

	(void)x;
	if (real == dtype) return normal_real(site, key, dtype, at);
	if (!keys_of_key(site, key, part, 2)) return poison_of(site->ctx);
	tsr *re = normal_real(site, part[0], real, at), *im = normal_real(site, part[1], real, at);
	return R2(div, R2(add, re, R2(mul, im, 1.0 * I)), M_SQRT2);
}

tsr *tsr_normal_at(const char *where, tsr *key, tsr_dims dims, const tsr_draw_args *a)
{
	return simple(&(call_site){.where = where, .op = "normal"}, normal_sample, key, dims, a,
	              TSR_F32, DRAWS_INEXACT);
}
