/* numbers.c - functions of the digits and factors of numbers, and choices among arrays: jax.numpy's
 * formulas (jax/_src/numpy/ufuncs.py, lax_numpy.py). */
#include <math.h>
#include "lib/formula.h"
#include "lib/linalg/products.h"

/* prepared operands of integers; an error where they are not */
static bool integers_prepare(operands *o, call_site *site, const tsr_arg ab[2])
{
	if (!operands_prepare(o, site, ab, 2, PROMOTE_TYPES)) return false;
	const tsr_dtype dtype = dtype_of_operand(HANDLE(o->x[0]));
	return dtype_kind(dtype) == KIND_INT || dtype_kind(dtype) == KIND_UINT ||
	       fail(&o->site.ctx->base, site->where, TSR_ERROR_TYPE,
	            "%s takes integers, and got %s", site->op, tsr_dtype_name(dtype));
}

/* ---- factors. Euclid's algorithm, for all elements at once: (a, b) becomes (b, a rem b), and
 * stays where b is 0. 12, 18 -> 18, 12 -> 12, 6 -> 6, 0. Most steps are taken by neighbours in
 * Fibonacci's sequence, which has 1.44 numbers a bit */

static tsr *divide(tsr *step, tsr *pair)
{
	const call_site *site = &(call_site){.op = "gcd"};
	const tsr_arg a = HANDLE(tsr_index_at(NULL, pair, 0, 0));
	const tsr_arg b = HANDLE(tsr_index_at(NULL, pair, 0, 1)), done = IS(eq, b, INT(0));
	const tsr_arg rest = OP_2(rem, a, WHERE(done, INT(1), b));

	(void)step;
	return tsr_stack_at(
		NULL, 0, (tsr *[]){WHERE(done, a, b).as.one, WHERE(done, INT(0), rest).as.one}, 2);
}

static tsr_arg divisor_of(const call_site *site, tsr_arg x, tsr_arg y)
{
	const tsr_body step = {.form = TSR_FORM_2, .raw = (tsr_raw)divide};
	tsr *pair = tsr_stack_at(site->where, 0,
	                         (tsr *[]){OP_1(abs, x).as.one, OP_1(abs, y).as.one}, 2);

	if (handle_is_poison(pair)) return HANDLE(pair);
	const int most = dtype_bits(handle_type(pair)->dtype) * 3 / 2 + 1;
	pair = tsr_fori_at(site->where, INT(0), INT(most), step, (tsr_arg[]){HANDLE(pair)}, 1);
	/* the least number has no absolute value, and makes remainders negative */
	return OP_1(abs, HANDLE(tsr_index_at(site->where, pair, 0, 0)));
}

/* both broadcast, also where one of them is a number in a trace */
static tsr_arg spread(const operands *o, int i)
{
	const type *t = handle_type(o->x[1 - i]);

	return HANDLE(handle_type(o->x[i])->ndim < t->ndim
	                      ? broadcast_to(&o->site, o->x[i], t->dims, t->ndim)
	                      : o->x[i]);
}

tsr *lib_gcd(call_site *site, const tsr_arg ab[2])
{
	operands o;

	if (!integers_prepare(&o, site, ab)) return poison_of(o.site.ctx);
	return divisor_of(&o.site, spread(&o, 0), spread(&o, 1)).as.one;
}

tsr *lib_lcm(call_site *site, const tsr_arg ab[2])
{
	operands o;

	if (!integers_prepare(&o, site, ab)) return poison_of(o.site.ctx);
	const tsr_arg x = OP_1(abs, spread(&o, 0)), y = OP_1(abs, spread(&o, 1));
	const tsr_arg d = divisor_of(&o.site, x, y), none = IS(eq, d, INT(0));
	const tsr_arg share = OP_2(floor_divide, y, WHERE(none, INT(1), d));
	return WHERE(none, INT(0), MUL(x, share)).as.one;
}

/* ---- upper halves of products. Of 64 bits by halves of 32: a b = ah bh 2^64 + (ah bl + al bh)
 * 2^32 + al bl. A negative a is a - 2^64 as unsigned bits, which takes b from the upper half */

static tsr_arg upper_of_u64(const call_site *site, tsr_arg a, tsr_arg b)
{
	const tsr_arg low = INT(0xffffffff), half = INT(32);
	const tsr_arg ah = OP_2(shift_right, a, half), al = OP_2(bitwise_and, a, low);
	const tsr_arg bh = OP_2(shift_right, b, half), bl = OP_2(bitwise_and, b, low);
	const tsr_arg first = ADD(MUL(ah, bl), OP_2(shift_right, MUL(al, bl), half));
	const tsr_arg second = ADD(MUL(al, bh), OP_2(bitwise_and, first, low));

	const tsr_arg carried = OP_2(shift_right, first, half);

	return ADD(MUL(ah, bh), ADD(carried, OP_2(shift_right, second, half)));
}

tsr *lib_mulhi(call_site *site, const tsr_arg ab[2])
{
	operands o;

	if (!integers_prepare(&o, site, ab)) return poison_of(o.site.ctx);
	const tsr_arg x = spread(&o, 0), y = spread(&o, 1);
	const tsr_dtype own = dtype_of_operand(x);
	const bool is_signed = dtype_kind(own) == KIND_INT;
	if (dtype_bits(own) < 64) {
		const tsr_dtype wide = is_signed ? TSR_I64 : TSR_U64;
		const tsr_arg product = MUL(TO(wide, x), TO(wide, y));
		return TO(own, OP_2(shift_right, product, INT(dtype_bits(own)))).as.one;
	}
	const tsr_arg bits = upper_of_u64(site, TO(TSR_U64, x), TO(TSR_U64, y));
	if (!is_signed) return bits.as.one;
	const tsr_arg less_x = WHERE(IS(lt, y, INT(0)), x, INT(0));
	const tsr_arg less_y = WHERE(IS(lt, x, INT(0)), y, INT(0));
	return SUB(SUB(TO(own, bits), less_x), less_y).as.one;
}

/* ---- parts of floats, which are taken apart in 32 or 64 bits */

/* what is known of f32 and f64: the integer with their bits, the bits of the mantissa, how much a
 * stored exponent is above the true one */
typedef struct format {
	tsr_dtype bits;
	int mantissa, bias;
} format;

static format format_of(tsr_dtype dtype)
{
	return dtype == TSR_F64 ? (format){TSR_I64, 52, 1023} : (format){TSR_I32, 23, 127};
}

/* x, f32 or f64, as mantissa between 1/2 and 1 and exponent; denormals are scaled first. The
 * mantissa is x times a power of two, as its derivative is: 4 times that power has no exponent out
 * of range */
static void take_apart(const call_site *site, tsr_arg x, tsr_arg *mantissa, tsr_arg *exponent)
{
	const tsr_dtype dtype = dtype_of_operand(x);
	const format f = format_of(dtype);
	const tsr_arg low = IS(lt, OP_1(abs, x), NUM(ldexp(1, 1 - f.bias)));
	const tsr_arg tiny = BOTH(low, IS(ne, x, NUM(0)));
	const tsr_arg normal = WHERE(tiny, MUL(x, NUM(ldexp(1, f.mantissa + 1))), x);
	const tsr_arg bits =
		HANDLE(tsr_bitcast_convert_type_at(site->where, normal.as.one, f.bits));
	const int64_t mask = 2 * f.bias + 1;
	const tsr_arg upper = OP_2(shift_right, bits, INT(f.mantissa));
	const tsr_arg same = EITHER(OP_1(logical_not, OP_1(is_finite, x)), IS(eq, x, NUM(0)));
	const tsr_arg stored = WHERE(same, INT(f.bias - 1), OP_2(bitwise_and, upper, INT(mask)));
	const tsr_arg up = WHERE(tiny, INT(f.mantissa + 1), INT(0));
	const tsr_arg inverse = OP_2(shift_left, SUB(INT(mask), stored), INT(f.mantissa));
	const tsr_arg power =
		HANDLE(tsr_bitcast_convert_type_at(site->where, inverse.as.one, dtype));

	*mantissa = MUL(MUL(normal, power), NUM(0.25));
	*exponent = SUB(SUB(stored, INT(f.bias - 1)), up);
}

/* a prepared operand of real numbers, widened to 32 bits at least. false: recorded */
static bool real_prepare(operands *o, call_site *site, tsr *x, tsr_arg *wide)
{
	if (!operands_prepare(o, site, (tsr_arg[]){HANDLE(x)}, 1, PROMOTE_INEXACT)) return false;
	const tsr_dtype own = handle_type(o->x[0])->dtype;
	if (dtype_kind(own) == KIND_COMPLEX)
		return fail(&o->site.ctx->base, site->where, TSR_ERROR_TYPE,
		            "%s does not support complex numbers", site->op);
	*wide = HANDLE(convert(&o->site, o->x[0], dtype_wide(own)));
	return !handle_is_poison(wide->as.one);
}

bool lib_frexp(call_site *site, tsr *x, tsr *out[2])
{
	operands o;
	tsr_arg wide, part[2];

	out[0] = out[1] = poison_of(tsr_ctx_of(x));
	if (!real_prepare(&o, site, x, &wide)) return false;
	take_apart(site, wide, &part[0], &part[1]);
	const tsr_dtype own = handle_type(o.x[0])->dtype;
	for (int i = 0; i < 2; i++) out[i] = TO(i ? TSR_I32 : own, part[i]).as.one;
	return !handle_is_poison(out[0]) && !handle_is_poison(out[1]);
}

/* the mantissa times 2 to the power of both exponents, which may overflow by 1 */
tsr *lib_ldexp(call_site *site, const tsr_arg ab[2])
{
	operands o;
	tsr_arg x, m, e;

	if (!operands_given(site, "operand", ab, 2)) return poison_of(site->ctx);
	tsr *const a = operand_alone(site, &ab[0]), *const b = operand_alone(site, &ab[1]);
	if (!real_prepare(&o, site, a, &x)) return poison_of(site->ctx);
	if (dtype_kind(handle_type(b)->dtype) >= KIND_FLOAT)
		return refuse(site, TSR_ERROR_TYPE, "ldexp: exponents must be integers, not %s",
		              tsr_dtype_name(handle_type(b)->dtype));
	const tsr_dtype wide = dtype_of_operand(x), own = handle_type(o.x[0])->dtype;
	take_apart(site, x, &m, &e);
	const tsr_arg by = TO(wide, HANDLE(b));
	const tsr_arg sum = ADD(TO(wide, e), by), up = IS(gt, sum, NUM(0));
	const tsr_arg power = OP_1(exp2, WHERE(up, SUB(sum, NUM(1)), sum));
	const tsr_arg y = MUL(WHERE(up, MUL(m, NUM(2)), m), power);
	const tsr_arg same = EITHER(OP_1(isinf, x), IS(eq, x, NUM(0)));
	return TO(own, WHERE(same, x, y)).as.one;
}

tsr *lib_spacing(call_site *site, tsr *a)
{
	operands o;
	tsr_arg wide;

	if (!real_prepare(&o, site, a, &wide)) return poison_of(o.site.ctx);
	const tsr_arg x = HANDLE(o.x[0]), away = OP_2(copysign, NUM(INFINITY), x);
	const tsr_arg outer = dtype_of_operand(x) == TSR_F16 ? NUM(INFINITY) : away;
	return SUB(OP_2(nextafter, x, outer), x).as.one;
}

/* ---- choices */

tsr *lib_select(call_site *site, tsr *const *conditions, tsr *const *x, size_t n, tsr_arg otherwise)
{
	const int count = n > INT32_MAX ? INT32_MAX : (int)n;
	tsr_arg y = otherwise;

	if (!operands_check(site, conditions, count) || !operands_check(site, x, count))
		return poison_of(site->ctx);
	etype common = etype_of(handle_type(x[0]));
	for (size_t i = 1; i < n; i++) common = etype_join(common, etype_of(handle_type(x[i])));
	if (y.kind == TSR_KIND_ONE && operands_check(site, &y.as.one, 1))
		common = etype_join(common, etype_of(handle_type(y.as.one)));
	for (size_t i = n; i--;) {
		tsr *own = promote(site, x[i], common);
		y = WHERE(HANDLE(conditions[i]), HANDLE(own), y);
	}
	return y.as.one;
}

/* stacks the choices along a new first dim, from which each element takes its own */
tsr *lib_choose(call_site *site, tsr *i, tsr *const *x, size_t n, enum tsr_index_mode mode)
{
	const char *where = site->where;
	const tsr_index_args in = {.size = sizeof in, .mode = TSR_PROMISE_IN_BOUNDS};

	if (!operands_check(site, &i, 1) ||
	    !operands_check(site, x, n > INT32_MAX ? INT32_MAX : (int)n))
		return poison_of(site->ctx);
	if (mode != TSR_CLIP && mode != TSR_WRAP)
		return refuse_op(site, TSR_ERROR_ARGUMENT, "the mode must be TSR_CLIP or TSR_WRAP");
	const tsr_dtype dtype = handle_type(i)->dtype;
	if (dtype_kind(dtype) != KIND_INT && dtype_kind(dtype) != KIND_UINT)
		return refuse_op(site, TSR_ERROR_TYPE, "numbers must be integers, and are %s",
		                 tsr_dtype_name(dtype));
	const tsr_arg wide = HANDLE(dtype_bits(dtype) < 32 ? convert(site, i, TSR_I32) : i);
	const tsr_arg at = mode == TSR_CLIP ? CLAMP(INT(0), wide, INT((int64_t)n - 1))
	                                    : OP_2(remainder, wide, INT((int64_t)n));
	tsr **all = mem_array(&site->ctx->base, n + 1, sizeof *all);
	tsr *y = poison_of(site->ctx);
	if (all) {
		all[0] = at.as.one;
		memcpy(all + 1, x, n * sizeof *all);
		if (tsr_broadcast_arrays_at(where, all, all, n + 1)) {
			tsr *list = tsr_stack_at(where, 0, all + 1, n);
			tsr *one = tsr_expand_dims_at(where, all[0], TSR_DIMS(0));
			y = tsr_take_along_at(where, list, 0, one, &in);
			y = tsr_squeeze_at(where, y, TSR_DIMS(0));
		}
	}
	mem_free(&site->ctx->base, all);
	return y;
}
