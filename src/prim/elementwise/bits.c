/* bits.c - rows that work on the bits of numbers: clz, population_count, nextafter,
 * reduce_precision, bitcast_convert_type. Bits are held as unsigned numbers.
 *
 *     population_count [0 7 -1]:i32                          gives  [0 3 32]:i32
 *     clz [0 1 255]:u8                                       gives  [8 7 0]:u8
 *     nextafter [1 1 0] [2 1 -1]                             gives  [1.0000001 1 -1.4e-45]
 *     bitcast_convert_type 1 dtype=u32                       gives  1065353216:u32
 *     bitcast_convert_type 1 dtype=u16                       gives  [0 16256]:u16
 *     reduce_precision 3.1416 exponent_bits=8 mantissa_bits=7  gives  3.140625 */
#include "prim/elementwise/elementwise.h"

static tsr_dtype unsigned_of(tsr_dtype t)
{
	switch (dtype_bits(t)) {
	case 8: return TSR_U8;
	case 16: return TSR_U16;
	case 32: return TSR_U32;
	default: return TSR_U64;
	}
}

static var read_as(build *b, var x, tsr_dtype dtype)
{
	if (is_zero(x) || build_type(b, x)->dtype == dtype) return x;
	return emit(b, &tsr__prim_bitcast_convert_type, &(bitcast_params){dtype}, &x, 1);
}

/* a formula of the bits of x, as an element of its dtype */
static var bits_of(build *b, var x) { return read_as(b, x, unsigned_of(build_type(b, x)->dtype)); }

/* these bits, of the dtype of x */
static var literal_bits(build *b, var x, uint64_t bits)
{
	const var v = is_zero(x) ? x : build_literal(b, build_type(b, x)->dtype, &bits);

	if (is_zero(v)) build_fail(b);
	return v;
}
#define BITS(bits) literal_bits(b, x, bits)
#define SHIFTED(p, by) OF_2(shift_right_logical, p, BITS((uint64_t)(by)))

static int width_of(build *b, var x)
{
	return is_zero(x) ? 8 : dtype_bits(build_type(b, x)->dtype);
}

/* ---- bits of integers */

/* Counts in each 2 bits, then in each 4, then in each 8; a product adds up the bytes in the top
 * one */
static var ones_in(build *b, var x)
{
	const uint64_t ones = UINT64_MAX;
	const int width = width_of(b, x);

	x = SUB(x, BOTH(SHIFTED(x, 1), BITS(ones / 3)));
	x = ADD(BOTH(x, BITS(ones / 5)), BOTH(SHIFTED(x, 2), BITS(ones / 5)));
	x = BOTH(ADD(x, SHIFTED(x, 4)), BITS(ones / 17));
	return SHIFTED(MUL(x, BITS(ones / 255)), width - 8);
}

/* the bits below the highest one are set too: then zeros are above alone */
static var zeros_above(build *b, var x)
{
	for (int by = 1; by < width_of(b, x); by *= 2) x = EITHER(x, SHIFTED(x, by));
	return ones_in(b, OF_1(not, x));
}

static var counted(build *b, var x, var (*count)(build *, var))
{
	return is_zero(x) ? x : read_as(b, count(b, bits_of(b, x)), build_type(b, x)->dtype);
}

EXPANDED_ROW(population_count, "how many bits of x are set", WRAP, FLAT, counted(b, x, ones_in))
EXPANDED_ROW(clz, "how many bits of x above the highest set one are 0", WRAP, FLAT,
             counted(b, x, zeros_above))

/* ---- bits of floats: the sign, the exponent, the mantissa */

typedef struct float_form {
	int mantissa;       /* how many bits */
	int exponent;       /* how many bits */
	uint64_t sign, inf; /* bits of -0 and of infinity */
	uint64_t nan;
} float_form;

static float_form form_of(tsr_dtype t)
{
	const int width = dtype_bits(t);
	const int mantissa = t == TSR_F64 ? 52 : t == TSR_F32 ? 23 : t == TSR_F16 ? 10 : 7;
	const uint64_t sign = (uint64_t)1 << (width - 1), inf = sign - ((uint64_t)1 << mantissa);

	return (float_form){mantissa, width - 1 - mantissa, sign, inf,
	                    inf | (uint64_t)1 << (mantissa - 1)};
}

/* ---- nextafter. Of numbers with one sign those with larger bits are farther from 0 */

static var next_after(build *b, float_form form, var x, var to)
{
	const var size = BOTH(x, BITS(~form.sign)), to_size = BOTH(to, BITS(~form.sign));
	const var zero = BITS(0), one = BITS(1), from_zero = IS(eq, size, zero);
	const var nan = EITHER(IS(gt, size, BITS(form.inf)), IS(gt, to_size, BITS(form.inf)));
	const var there = EITHER(IS(eq, x, to), BOTH(from_zero, IS(eq, to_size, zero)));
	const var turned = IS(ne, BOTH(OF_2(xor, x, to), BITS(form.sign)), zero);
	const var down = EITHER(turned, IS(gt, size, to_size));
	const var least = EITHER(BOTH(to, BITS(form.sign)), one);
	const var next = SELECT(down, SUB(x, one), ADD(x, one));

	return SELECT(nan, BITS(form.nan), SELECT(there, to, SELECT(from_zero, least, next)));
}

ELEMENTWISE_TYPES(nextafter, FLOAT, TSR_DTYPE_DEFAULT)

static var nextafter_expand(build *b, const eqn *e, const var *in)
{
	const tsr_dtype dtype = build_type(b, in[0])->dtype;

	(void)e;
	return read_as(b, next_after(b, form_of(dtype), bits_of(b, in[0]), bits_of(b, in[1])),
	               dtype);
}

const tsr_prim tsr__prim_nextafter = {
	EXPANDED(nextafter,
	         "the number of the dtype next to x on the way to y; y if they are equal", 2),
	TSR_NO_RULE(COL_JVP, "it steps from number to number"),
	NOT_LINEAR,
};

/* ---- reduce_precision: x as a float with so many bits of exponent and mantissa would hold it.
 * First the mantissa is rounded, halves to the even neighbour; then numbers with too large an
 * exponent are infinite, and those with too small a one are 0: there are no denormal ones. A NaN
 * stays as it is. Of two neighbours the even one has the last bit 0 that is kept, which without a
 * mantissa is one of the exponent. */

typedef struct narrow_form { /* what of a form is left */
	int dropped;         /* bits of the mantissa */
	bool fewer; /* bits of the exponent? Then the largest and the smallest exponent that become
	                others are above and up to: */
	uint64_t above, up_to;
} narrow_form;

static narrow_form narrow_of(float_form form, const precision_params *to)
{
	const int64_t kept = to->mantissa_bits < form.mantissa ? to->mantissa_bits : form.mantissa;
	narrow_form n = {.dropped = form.mantissa - (int)kept,
	                 .fewer = to->exponent_bits < form.exponent};

	if (n.fewer) {
		const uint64_t bias = ((uint64_t)1 << (form.exponent - 1)) - 1;
		const uint64_t less = ((uint64_t)1 << (to->exponent_bits - 1)) - 1;
		n.above = (bias + less) << form.mantissa;
		n.up_to = (bias - less) << form.mantissa;
	}
	return n;
}

static var reduced(build *b, float_form form, narrow_form n, var x)
{
	const uint64_t unit = (uint64_t)1 << n.dropped;
	const var sign = BOTH(x, BITS(form.sign)), all = BOTH(x, BITS(~form.sign));
	var size = all;

	if (n.dropped) {
		const var odd = BOTH(SHIFTED(size, n.dropped), BITS(1));
		size = ADD(ADD(size, BITS(unit / 2 - 1)), odd);
		size = BOTH(size, BITS(~(unit - 1)));
	}
	if (n.fewer) {
		const var exponent = BOTH(size, BITS(form.inf));
		size = SELECT(IS(le, exponent, BITS(n.up_to)), BITS(0), size);
		size = SELECT(IS(gt, exponent, BITS(n.above)), BITS(form.inf), size);
	}
	return SELECT(IS(gt, all, BITS(form.inf)), x, EITHER(sign, size));
}

static bool reduce_precision_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const precision_params *to = e->params;

	if (to->exponent_bits < 1)
		return fail_type(b, e, "%s: exponent_bits must be positive; got %lld",
		                 eqn_name(b, e), (long long)to->exponent_bits);
	if (to->mantissa_bits < 0)
		return fail_type(b, e, "%s: mantissa_bits must be non-negative; got %lld",
		                 eqn_name(b, e), (long long)to->mantissa_bits);
	return types_elementwise(b, e, in, out, FLOAT_KINDS, TSR_DTYPE_DEFAULT);
}

static var reduce_precision_expand(build *b, const eqn *e, const var *in)
{
	const tsr_dtype dtype = build_type(b, in[0])->dtype;
	const float_form form = form_of(dtype);
	const var x = bits_of(b, in[0]);

	return read_as(b, reduced(b, form, narrow_of(form, e->params), x), dtype);
}

/* as in JAX, tangents and cotangents lose as much */
TANGENT_1(reduce_precision, emit(b, e->prim, e->params, &dx, 1))
TRANSPOSE_AS(reduce_precision, emit(b, e->prim, e->params, ct, 1))
static const field precision_fields[] = {PARAM(precision_params, exponent_bits, FIELD_INT),
                                         PARAM(precision_params, mantissa_bits, FIELD_INT),
                                         PARAMS_END};
const tsr_prim tsr__prim_reduce_precision = {
	EXPANDED(reduce_precision, "x rounded to fewer bits of exponent and mantissa", 1),
	.params = precision_fields,
	LINEAR(reduce_precision),
};

/* ---- bitcast_convert_type: the memory of the operand as another dtype. A number that becomes
 * several narrower ones gives them in a new last dim, the lowest bits first; wider ones are made of
 * the last dim */

static bool is_plain(tsr_dtype t) { return ONE_KIND(dtype_kind(t)) & REAL_KINDS; }

static bool bitcast_convert_type_types(build *b, const eqn *e, const type *const *in,
                                       const type **out)
{
	const tsr_dtype from = in[0]->dtype, to = ((const bitcast_params *)e->params)->dtype;
	const int ndim = in[0]->ndim;
	int64_t *dims = dims_room(b, ndim + 1);

	if (!dims || !check_known_dtype(b, e, to)) return false;
	if (from != to && !(is_plain(from) && is_plain(to)))
		return fail_type(b, e,
		                 "%s does not support bool or complex values "
		                 "unless the operand and destination types match, got %s and %s",
		                 eqn_name(b, e), tsr_dtype_name(from), tsr_dtype_name(to));
	const int bits = dtype_bits(from), to_bits = dtype_bits(to);
	const int64_t last = ndim ? in[0]->dims[ndim - 1] : 1;
	for (int d = 0; d < ndim; d++) dims[d] = in[0]->dims[d];
	if (from == to || bits == to_bits) return give_type(b, to, dims, ndim, out);
	if (bits > to_bits) {
		dims[ndim] = bits / to_bits;
		return give_type(b, to, dims, ndim + 1, out);
	}
	if (last == to_bits / bits) return give_type(b, to, dims, ndim - 1, out);
	return fail_type(b, e,
	                 "Attempting to convert array of shape %s from %s of size %d bits to %s of "
	                 "size %d bits, but %lld * %d != %d",
	                 dims_words(b, in[0]->dims, ndim), tsr_dtype_name(from), bits,
	                 tsr_dtype_name(to), to_bits, (long long)last, bits, to_bits);
}

static void bitcast_convert_type_factors(const eqn *e, const type *const *in,
                                         const type *const *out, factors *f)
{
	static const char *const why = "it is the parts of one number";
	const int x = in[0]->ndim, y = out[0]->ndim;

	for (int d = 0; d < x && d < y; d++) factor_shared(e, in, f, d, d);
	if (x > y) factor_whole(f, 0, y, in[0]->dims[y], why);
	if (y > x) factor_whole(f, e->nin, x, out[0]->dims[x], why);
}

static kvar k_bits_of(kernel *k, kvar x) { return k_bitcast(k, x, unsigned_of(k_dtype(k, x))); }

/* a wide number from its n parts, each moved to its place */
static kvar joined(kernel *k, const eqn *e, const kvar *index, tsr_dtype wide)
{
	const int dim = k_type(k, e, 0)->ndim - 1, n = (int)k_type(k, e, 0)->dims[dim];
	kvar *at = k_room(k, dim + 1), x = k_number(k, wide, 0);

	for (int d = 0; d < dim; d++) at[d] = index[d];
	for (int i = 0; i < n; i++) {
		at[dim] = k_ix(k, i);
		const kvar part = k_convert(k, k_bits_of(k, k_operand(k, e, 0, at)), wide);
		x = K2(OR, x, K2(SHL, part, KNUM(x, i * dtype_bits(wide) / n)));
	}
	return x;
}

/* that part of a number which the last index names */
static kvar parted(kernel *k, const eqn *e, const kvar *index, tsr_dtype narrow)
{
	const kvar x = k_bits_of(k, k_operand(k, e, 0, index));
	const kvar at = k_convert(k, index[k_type(k, e, 0)->ndim], k_dtype(k, x));
	const kvar by = K2(MUL, at, KNUM(x, dtype_bits(narrow)));

	return k_convert(k, K2(SHR, x, by), narrow);
}

static void bitcast_convert_type_lower(kernel *k, const eqn *e, const kvar *index, kvar *to)
{
	const tsr_dtype from = k_type(k, e, 0)->dtype, dtype = k_result_type(k, e)->dtype;

	if (from == dtype)
		to[0] = k_operand(k, e, 0, index);
	else if (dtype_bits(from) == dtype_bits(dtype))
		to[0] = k_bitcast(k, k_operand(k, e, 0, index), dtype);
	else if (dtype_bits(from) < dtype_bits(dtype))
		to[0] = k_bitcast(k, joined(k, e, index, unsigned_of(dtype)), dtype);
	else
		to[0] = k_bitcast(k, parted(k, e, index, unsigned_of(dtype)), dtype);
}

#define bitcast_convert_type_eval eval_kept
BATCH_AS(bitcast_convert_type, *(const bitcast_params *)e->params)

static const field bitcast_fields[] = {PARAM(bitcast_params, dtype, FIELD_DTYPE), PARAMS_END};
LOCAL_ROW(bitcast_convert_type, "the same memory read as another dtype", 1, bitcast_fields,
          .flags = PRIM_OWN_WEAK, .cost = 1, .jvp = jvp_zero, NOT_LINEAR,
          .batch = bitcast_convert_type_batch)
