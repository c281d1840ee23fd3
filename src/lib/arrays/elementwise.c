/* elementwise.c - the public elementwise operations: jnp's promotion and broadcasting in front of
 * the primitives. */
#include <stdio.h>
#include <stdlib.h>
#include "lib/lib.h"

static tsr *unary(call_site *site, const tsr_prim *prim, tsr *x, promotion rule)
{
	if (!operands_check(site, &x, 1)) return poison_of(site->ctx);
	if (rule == KEEP_INTEGERS && dtype_kind(handle_type(x)->dtype) < KIND_FLOAT) return x;
	if (rule == PROMOTE_NUMBERS && handle_type(x)->dtype == TSR_BOOL)
		x = convert(site, x, TSR_I32);
	if (rule == PROMOTE_INEXACT) x = promote(site, x, etype_inexact(etype_of(handle_type(x))));
	return handle_is_poison(x) ? x : bind(site, prim, NULL, &x, 1);
}

#define UNARY(name, prim, rule) \
	tsr *lib_##name(call_site *site, tsr *x) \
	{ \
		return unary(site, &tsr__prim_##prim, x, rule); \
	}

UNARY(neg, neg, PROMOTE_TYPES)
UNARY(sign, sign, PROMOTE_TYPES)
UNARY(abs, abs, PROMOTE_TYPES)
UNARY(floor, floor, KEEP_INTEGERS)
UNARY(ceil, ceil, KEEP_INTEGERS)
UNARY(exp, exp, PROMOTE_INEXACT)
UNARY(exp2, exp2, PROMOTE_INEXACT)
UNARY(expm1, expm1, PROMOTE_INEXACT)
UNARY(log, log, PROMOTE_INEXACT)
UNARY(log1p, log1p, PROMOTE_INEXACT)
UNARY(sqrt, sqrt, PROMOTE_INEXACT)
UNARY(rsqrt, rsqrt, PROMOTE_INEXACT)
UNARY(square, square, PROMOTE_NUMBERS)
UNARY(tanh, tanh, PROMOTE_INEXACT)
UNARY(logistic, logistic, PROMOTE_INEXACT)
UNARY(sin, sin, PROMOTE_INEXACT)
UNARY(cos, cos, PROMOTE_INEXACT)
UNARY(tan, tan, PROMOTE_INEXACT)
UNARY(asin, asin, PROMOTE_INEXACT)
UNARY(acos, acos, PROMOTE_INEXACT)
UNARY(atan, atan, PROMOTE_INEXACT)
UNARY(sinh, sinh, PROMOTE_INEXACT)
UNARY(cosh, cosh, PROMOTE_INEXACT)
UNARY(asinh, asinh, PROMOTE_INEXACT)
UNARY(acosh, acosh, PROMOTE_INEXACT)
UNARY(atanh, atanh, PROMOTE_INEXACT)
UNARY(cbrt, cbrt, PROMOTE_INEXACT)
UNARY(erf, erf, PROMOTE_INEXACT)
UNARY(erfc, erfc, PROMOTE_INEXACT)
UNARY(erf_inv, erf_inv, PROMOTE_INEXACT)
UNARY(gamma_function, gamma, PROMOTE_INEXACT)
UNARY(lgamma, lgamma, PROMOTE_INEXACT)
UNARY(digamma, digamma, PROMOTE_INEXACT)
UNARY(bessel_i0e, bessel_i0e, PROMOTE_INEXACT)
UNARY(bessel_i1e, bessel_i1e, PROMOTE_INEXACT)
UNARY(is_finite, is_finite, PROMOTE_INEXACT)
UNARY(bitwise_not, not, PROMOTE_TYPES)
UNARY(clz, clz, PROMOTE_TYPES)
UNARY(population_count, population_count, PROMOTE_TYPES)
UNARY(copy, copy, PROMOTE_TYPES)
UNARY(stop_gradient, stop_gradient, PROMOTE_TYPES)

/* ---- written with other operations */

/* 10^n, rounded once */
static double power_of_ten(int n)
{
	char text[16];
	snprintf(text, sizeof text, "1e%d", n);
	return strtod(text, NULL);
}

/* round(x * 10^n) / 10^n, as in JAX; x itself if the dtype cannot hold 10^n */
static tsr *round_to(const call_site *site, tsr *x, int decimals)
{
	const tsr_dtype own = handle_type(x)->dtype;
	const int most = own == TSR_F16 ? 4 : dtype_real(own) == TSR_F64 ? 308 : 38;
	const tsr_arg factor = {.kind = TSR_KIND_FLOAT, .as.f = {power_of_ten(decimals), 0}};

	if (decimals > most) return x;
	x = convert(site, x, dtype_wide(own));
	x = tsr_mul_at(site->where, (tsr_arg[]){{.kind = TSR_KIND_ONE, .as.one = x}, factor});
	x = handle_is_poison(x) ? x : bind(site, &tsr__prim_round, NULL, &x, 1);
	x = tsr_div_at(site->where, (tsr_arg[]){{.kind = TSR_KIND_ONE, .as.one = x}, factor});
	return convert(site, x, own);
}

tsr *lib_round(call_site *site, tsr *x, const tsr_round_args *a)
{
	if (!operands_check(site, &x, 1)) return poison_of(site->ctx);
	const enum dtype_kind kind = dtype_kind(handle_type(x)->dtype);
	if (kind < KIND_FLOAT && a->decimals < 0)
		return refuse_op(site, TSR_ERROR_UNSUPPORTED,
		                 "integers have no .decimals < 0: divide first");
	if (a->decimals && kind >= KIND_FLOAT) return round_to(site, x, a->decimals);
	return unary(site, &tsr__prim_round, x, KEEP_INTEGERS);
}

/* where(x > 0, x, y), and y = max(x, 0) counts as a constant: it passes a NaN on, with the
 * derivative 0 */
tsr *lib_relu(call_site *site, tsr *x)
{
	const char *where = site->where;
	const tsr_arg of = {.kind = TSR_KIND_ONE, .as.one = x},
		      zero = {.kind = TSR_KIND_INT, .as.i = 0};
	tsr *above = tsr_gt_at(where, (tsr_arg[]){of, zero});
	tsr *fixed = tsr_stop_gradient_at(where, x);
	tsr *other =
		tsr_maximum_at(where, (tsr_arg[]){{.kind = TSR_KIND_ONE, .as.one = fixed}, zero});

	return tsr_where_at(where, (tsr_arg[]){{.kind = TSR_KIND_ONE, .as.one = above},
	                                       of,
	                                       {.kind = TSR_KIND_ONE, .as.one = other}});
}

/* NaN is what differs from itself */
tsr *lib_isnan(call_site *site, tsr *x)
{
	return tsr_ne_at(site->where, (tsr_arg[]){{.kind = TSR_KIND_ONE, .as.one = x},
	                                          {.kind = TSR_KIND_ONE, .as.one = x}});
}

static tsr *to_bool(const call_site *site, tsr *x) { return convert(site, x, TSR_BOOL); }

tsr *lib_logical_not(call_site *site, tsr *x)
{
	if (!operands_check(site, &x, 1)) return poison_of(site->ctx);
	x = to_bool(site, x);
	return handle_is_poison(x) ? x : bind(site, &tsr__prim_not, NULL, &x, 1);
}

tsr *lib_astype(call_site *site, tsr *x, tsr_dtype dtype)
{
	if (!operands_check(site, &x, 1)) return poison_of(site->ctx);
	if (!dtype_ok(dtype))
		return refuse_op(site, TSR_ERROR_ARGUMENT, "%d is not a dtype", (int)dtype);
	return convert(site, x, dtype);
}

tsr *lib_bitcast_convert_type(call_site *site, tsr *x, tsr_dtype dtype)
{
	if (!operands_check(site, &x, 1)) return poison_of(site->ctx);
	return bind(site, &tsr__prim_bitcast_convert_type, &(bitcast_params){dtype}, &x, 1);
}

tsr *lib_reduce_precision(call_site *site, tsr *x, int exponent_bits, int mantissa_bits)
{
	const precision_params p = {exponent_bits, mantissa_bits};

	if (!operands_check(site, &x, 1)) return poison_of(site->ctx);
	return bind(site, &tsr__prim_reduce_precision, &p, &x, 1);
}

/* ---- complex numbers; real ones are their own real part and conjugate */

static bool is_complex(const tsr *x) { return dtype_kind(handle_type(x)->dtype) == KIND_COMPLEX; }

static tsr *part(call_site *site, const tsr_prim *prim, tsr *x)
{
	if (!operands_check(site, &x, 1)) return poison_of(site->ctx);
	return is_complex(x) ? bind(site, prim, NULL, &x, 1) : x;
}

tsr *lib_real(call_site *site, tsr *x) { return part(site, &tsr__prim_real, x); }
tsr *lib_conj(call_site *site, tsr *x) { return part(site, &tsr__prim_conj, x); }

tsr *lib_imag(call_site *site, tsr *x)
{
	if (!operands_check(site, &x, 1)) return poison_of(site->ctx);
	if (is_complex(x)) return bind(site, &tsr__prim_imag, NULL, &x, 1);
	const type *t = handle_type(x);
	return zeros_of(site, etype_of(t), t->dims, t->ndim);
}

/* ---- two operands */

static tsr *binary(call_site *site, const tsr_prim *prim, const tsr_arg ab[2], promotion rule)
{
	operands o;

	if (!operands_prepare(&o, site, ab, 2, rule)) return poison_of(o.site.ctx);
	return bind(&o.site, prim, NULL, o.x, 2);
}

#define BINARY(name, prim, rule) \
	tsr *lib_##name(call_site *site, const tsr_arg ab[2]) \
	{ \
		return binary(site, &tsr__prim_##prim, ab, rule); \
	}

BINARY(add, add, PROMOTE_TYPES)
BINARY(sub, sub, PROMOTE_TYPES)
BINARY(mul, mul, PROMOTE_TYPES)
BINARY(div, div, PROMOTE_INEXACT)
BINARY(rem, rem, PROMOTE_NUMBERS)
BINARY(atan2, atan2, PROMOTE_INEXACT)
BINARY(zeta, zeta, PROMOTE_INEXACT)
BINARY(polygamma, polygamma, PROMOTE_INEXACT)
BINARY(igamma, igamma, PROMOTE_INEXACT)
BINARY(igammac, igammac, PROMOTE_INEXACT)
BINARY(igamma_grad_a, igamma_grad_a, PROMOTE_INEXACT)
BINARY(random_gamma_grad, random_gamma_grad, PROMOTE_INEXACT)
BINARY(nextafter, nextafter, PROMOTE_INEXACT)
BINARY(complex, complex, PROMOTE_INEXACT)
BINARY(maximum, max, PROMOTE_TYPES)
BINARY(minimum, min, PROMOTE_TYPES)
BINARY(bitwise_and, and, PROMOTE_TYPES)
BINARY(bitwise_or, or, PROMOTE_TYPES)
BINARY(bitwise_xor, xor, PROMOTE_TYPES)
BINARY(shift_left, shift_left, PROMOTE_NUMBERS)
BINARY(eq, eq, PROMOTE_TYPES)
BINARY(ne, ne, PROMOTE_TYPES)
BINARY(lt, lt, PROMOTE_TYPES)
BINARY(le, le, PROMOTE_TYPES)
BINARY(gt, gt, PROMOTE_TYPES)
BINARY(ge, ge, PROMOTE_TYPES)

/* arithmetic for signed integers, logical for unsigned ones, as NumPy's >> */
tsr *lib_shift_right(call_site *site, const tsr_arg ab[2])
{
	operands o;

	if (!operands_prepare(&o, site, ab, 2, PROMOTE_NUMBERS)) return poison_of(o.site.ctx);
	const bool is_unsigned = dtype_kind(handle_type(o.x[0])->dtype) == KIND_UINT;
	return bind(&o.site,
	            is_unsigned ? &tsr__prim_shift_right_logical
	                        : &tsr__prim_shift_right_arithmetic,
	            NULL, o.x, 2);
}

static tsr *logical(call_site *site, const tsr_prim *prim, const tsr_arg ab[2])
{
	operands o;

	if (!operands_prepare(&o, site, ab, 2, PROMOTE_TYPES)) return poison_of(o.site.ctx);
	for (int i = 0; i < 2; i++) {
		o.x[i] = to_bool(&o.site, o.x[i]);
		if (handle_is_poison(o.x[i])) return o.x[i];
	}
	return bind(&o.site, prim, NULL, o.x, 2);
}

tsr *lib_logical_and(call_site *site, const tsr_arg ab[2])
{
	return logical(site, &tsr__prim_and, ab);
}
tsr *lib_logical_or(call_site *site, const tsr_arg ab[2])
{
	return logical(site, &tsr__prim_or, ab);
}

tsr *lib_integer_pow(call_site *site, tsr *x, int n)
{
	if (!operands_check(site, &x, 1)) return poison_of(site->ctx);
	return bind(site, &tsr__prim_integer_pow, &(integer_pow_params){n}, &x, 1);
}

/* a whole number of C as the exponent of an array; false: it is none, or beyond i64 */
static bool known_exponent(const tsr_arg ab[2], int64_t *n)
{
	const tsr_arg *b = &ab[1];

	*n = b->as.i;
	return ab[0].kind == TSR_KIND_ONE &&
	       (b->kind == TSR_KIND_INT || (b->kind == TSR_KIND_UINT && b->as.u <= INT64_MAX));
}

static tsr *known_pow(call_site *site, tsr *x, int64_t n)
{
	if (!operands_check(site, &x, 1)) return poison_of(site->ctx);
	if (handle_type(x)->dtype == TSR_BOOL) x = convert(site, x, TSR_I32);
	if (handle_is_poison(x)) return x;
	return bind(site, &tsr__prim_integer_pow, &(integer_pow_params){n}, &x, 1);
}

tsr *lib_pow(call_site *site, const tsr_arg ab[2])
{
	int64_t n;

	if (known_exponent(ab, &n)) return known_pow(site, ab[0].as.one, n);
	return binary(site, &tsr__prim_pow, ab, PROMOTE_POWER);
}

/* ---- three operands */

static tsr *ternary(call_site *site, const tsr_prim *prim, const tsr_arg abc[3])
{
	operands o;

	if (!operands_prepare(&o, site, abc, 3, PROMOTE_INEXACT)) return poison_of(o.site.ctx);
	return bind(&o.site, prim, NULL, o.x, 3);
}

tsr *lib_fma(call_site *site, const tsr_arg abc[3]) { return ternary(site, &tsr__prim_fma, abc); }
tsr *lib_betainc(call_site *site, const tsr_arg abc[3])
{
	return ternary(site, &tsr__prim_regularized_incomplete_beta, abc);
}

tsr *lib_where(call_site *site, const tsr_arg cab[3])
{
	operands o;

	if (!operands_prepare(&o, site, cab, 3, PROMOTE_CASES)) return poison_of(o.site.ctx);
	return bind(&o.site, &tsr__prim_select_n, NULL, (tsr *[]){o.x[0], o.x[2], o.x[1]}, 3);
}

tsr *lib_clamp(call_site *site, tsr_arg low, tsr_arg x, tsr_arg high)
{
	operands o;

	if (!given_arg(&low) && !given_arg(&high))
		return tsr_maximum_at(site->where, (tsr_arg[]){x, x});
	if (!given_arg(&low)) return tsr_minimum_at(site->where, (tsr_arg[]){x, high});
	if (!given_arg(&high)) return tsr_maximum_at(site->where, (tsr_arg[]){x, low});
	if (!operands_prepare(&o, site, (tsr_arg[]){low, x, high}, 3, PROMOTE_TYPES))
		return poison_of(o.site.ctx);
	return bind(&o.site, &tsr__prim_clamp, NULL, o.x, 3);
}

/* ---- four operands */

bool lib_threefry2x32(call_site *site, tsr_arg key0, tsr_arg key1, tsr_arg x0, tsr_arg x1,
                      tsr *out[2])
{
	const tsr_arg args[] = {key0, key1, x0, x1};
	operands o;

	const bool ok = operands_prepare(&o, site, args, 4, PROMOTE_WORDS);
	const operation op = {&o.site, &tsr__prim_threefry2x32, NULL, o.x, 4};
	if (ok) return bind_all(&op, out, 2);
	for (int i = 0; i < 2; i++) out[i] = poison_of(o.site.ctx);
	return false;
}
