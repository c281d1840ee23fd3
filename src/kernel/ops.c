/* ops.c - makes nodes of operations on numbers. Complex numbers become their two parts.
 *
 * Example:
 *
 *     f(%0: c64[4]) -> c64[4] {
 *       %1: c64[4] = mul %0 %0
 *       return %1
 *     }
 *
 * An engine needs no complex arithmetic, and a part of the result that nothing uses is dropped:
 *
 *     kernel(in0: c64[4]) -> (out0: c64[4]) {
 *       for i0 < 4 {
 *         %0: c64 = load in0[i0]
 *         %1: f32 = re %0
 *         %2: f32 = mul %1 %1
 *         %3: f32 = im %0
 *         %4: f32 = mul %3 %3
 *         %5: f32 = sub %2 %4
 *         .. %9: c64 = complex %5 %8 ..
 *       } }
 *
 * Operations on known integers and bools are computed while the kernel is built; those on floats
 * are not, because kernels may be built under the caller's rounding mode. */
#include <math.h>
#include "kernel/work.h"

static bool is_complex(const kernel *k, kvar v)
{
	return dtype_kind(k_dtype(k, v)) == KIND_COMPLEX;
}
static bool compares(kop op) { return op >= K_EQ && op <= K_GE; }

static bool is_whole(const kernel *k, kvar v)
{
	return node_of(k, v)->op == K_CONST && dtype_kind(k_dtype(k, v)) <= KIND_UINT;
}

bool is_known(const kernel *k, kvar v, int64_t *value)
{
	const knode *n = node_of(k, v);

	if (n->op != K_CONST || (n->dtype != TSR_BOOL && n->dtype != TSR_I64)) return false;
	*value = (int64_t)n->bits;
	return true;
}

/* the node, or its value where all its operands are known integers */
static kvar op_make(kernel *k, kop op, tsr_dtype dtype, const kvar *args, int n, uint64_t bits)
{
	kscalar x[3] = {{.bits = 0}};
	bool known = dtype_kind(dtype) <= KIND_UINT;

	for (int i = 0; i < n; i++) {
		if (!args[i].id) return (kvar){0};
		known = known && is_whole(k, args[i]);
		x[i].bits = node_of(k, args[i])->bits;
	}
	if (!known) return k_node(k, op, dtype, args, n, bits);
	const knode node = {.op = op, .dtype = dtype, .nargs = n, .bits = bits};
	return k_node(k, K_CONST, dtype, NULL, 0,
	              scalar_of(&node, k_dtype(k, args[n - 1]), x).bits);
}

/* ---- constants */

kvar k_const(kernel *k, tsr_dtype dtype, const void *value)
{
	const size_t size = tsr_dtype_size(dtype);
	kscalar x = {.bits = 0};

	if (dtype_kind(dtype) == KIND_COMPLEX) {
		const tsr_dtype real = dtype_real(dtype);
		return k_complex(k, k_const(k, real, value),
		                 k_const(k, real, (const char *)value + size / 2));
	}
	memcpy(&x, value, size);
	if (dtype == TSR_BOOL) x.bits = x.bits != 0;
	return k_node(k, K_CONST, dtype, NULL, 0, x.bits);
}

kvar k_number(kernel *k, tsr_dtype dtype, double number)
{
	kscalar x = {.bits = 0};

	dtype_convert(dtype, &x, TSR_F64, &number, 1);
	return k_const(k, dtype, &x);
}

/* ---- complex numbers */

kvar k_complex(kernel *k, kvar re, kvar im)
{
	const tsr_dtype dtype = k_dtype(k, re) == TSR_F32 ? TSR_C64 : TSR_C128;

	if (!re.id || !im.id) return (kvar){0};
	const knode *a = node_of(k, re), *b = node_of(k, im);
	if (a->op == K_RE && b->op == K_IM && a->args[0].id == b->args[0].id) return a->args[0];
	return k_node(k, K_COMPLEX, dtype, (kvar[]){re, im}, 2, 0);
}

static kvar complex_part(kernel *k, kop op, kvar z)
{
	const knode *n = node_of(k, z);

	if (!z.id || dtype_kind(n->dtype) != KIND_COMPLEX) return z;
	if (n->op == K_COMPLEX) return n->args[op == K_IM];
	return k_node(k, op, dtype_real(n->dtype), &z, 1, 0);
}

static kvar complex_product(kernel *k, kvar a, kvar b, kvar c, kvar d)
{
	const kvar re = k_binary(k, K_SUB, k_binary(k, K_MUL, a, c), k_binary(k, K_MUL, b, d));

	return k_complex(k, re,
	                 k_binary(k, K_ADD, k_binary(k, K_MUL, a, d), k_binary(k, K_MUL, b, c)));
}

static kvar complex_binary(kernel *k, kop op, kvar z, kvar w)
{
	const kvar a = complex_part(k, K_RE, z), b = complex_part(k, K_IM, z);
	const kvar c = complex_part(k, K_RE, w), d = complex_part(k, K_IM, w);

	if (op == K_MUL) return complex_product(k, a, b, c, d);
	const kvar re = k_binary(k, op, a, c), im = k_binary(k, op, b, d);
	if (compares(op)) return k_binary(k, op == K_EQ ? K_AND : K_OR, re, im);
	return k_complex(k, re, im);
}

/* ---- one operand */

kvar k_unary(kernel *k, kop op, kvar a)
{
	if (op == K_RE || op == K_IM) return complex_part(k, op, a);
	if (!a.id || !is_complex(k, a)) return op_make(k, op, k_dtype(k, a), &a, 1, 0);
	return k_complex(k, k_unary(k, op, complex_part(k, K_RE, a)),
	                 k_unary(k, op, complex_part(k, K_IM, a)));
}

static kvar complex_convert(kernel *k, kvar a, tsr_dtype to)
{
	const tsr_dtype real = dtype_real(to);
	const kvar re = complex_part(k, K_RE, a), im = complex_part(k, K_IM, a);

	if (to == TSR_BOOL) return k_binary(k, K_OR, k_convert(k, re, to), k_convert(k, im, to));
	if (dtype_kind(to) != KIND_COMPLEX) return k_convert(k, re, to);
	return k_complex(k, k_convert(k, re, real),
	                 is_complex(k, a) ? k_convert(k, im, real) : k_number(k, real, 0));
}

kvar k_convert(kernel *k, kvar a, tsr_dtype to)
{
	if (!a.id || k_dtype(k, a) == to) return a;
	if (is_complex(k, a) || dtype_kind(to) == KIND_COMPLEX) return complex_convert(k, a, to);
	return op_make(k, K_CONVERT, to, &a, 1, 0);
}

kvar k_bitcast(kernel *k, kvar a, tsr_dtype to) { return k_node(k, K_BITCAST, to, &a, 1, 0); }

kvar k_wide(kernel *k, kvar a) { return k_convert(k, a, dtype_wide(k_dtype(k, a))); }

kvar k_narrow(kernel *k, kvar a, tsr_dtype to)
{
	return dtype_wide(to) == k_dtype(k, a) ? k_convert(k, a, to) : a;
}

/* ---- two operands */

/* a comparison of i64 values, decided by their ranges: 0 or 1; -1: not known */
static int compared(const kernel *k, kop op, kvar a, kvar b)
{
	const knode *x = node_of(k, a), *y = node_of(k, b);

	if (x->dtype != TSR_I64) return -1;
	switch (op) {
	case K_LT: return x->high < y->low ? 1 : x->low >= y->high ? 0 : -1;
	case K_GE: return x->low >= y->high ? 1 : x->high < y->low ? 0 : -1;
	case K_LE: return x->high <= y->low ? 1 : x->low > y->high ? 0 : -1;
	case K_GT: return x->low > y->high ? 1 : x->high <= y->low ? 0 : -1;
	case K_EQ: return x->low > y->high || x->high < y->low ? 0 : -1;
	case K_NE: return x->low > y->high || x->high < y->low ? 1 : -1;
	default: return -1;
	}
}

/* of bools, one of them known */
static kvar with_known(kernel *k, kop op, bool known, kvar other)
{
	if (op == K_AND) return known ? other : k_number(k, TSR_BOOL, 0);
	if (op == K_OR) return known ? k_number(k, TSR_BOOL, 1) : other;
	return known ? k_unary(k, K_NOT, other) : other;
}

static kvar bool_binary(kernel *k, kop op, kvar a, kvar b)
{
	const bool bits = op == K_AND || op == K_OR || op == K_XOR;
	int64_t value;

	if (bits && is_known(k, a, &value)) return with_known(k, op, value, b);
	if (bits && is_known(k, b, &value)) return with_known(k, op, value, a);
	return op_make(k, op, TSR_BOOL, (kvar[]){a, b}, 2, 0);
}

/* the sum and the maximum of bools are or, the product and the minimum are and */
static kop bool_op(kop op)
{
	if (op == K_ADD || op == K_MAX) return K_OR;
	return op == K_MUL || op == K_MIN ? K_AND : op;
}

/* max(x, c) of floats is x <= c ? c : x, two instructions for five, if c is a number that is known
 * and not -0, which is smaller than +0 though they compare equal; min likewise, with x >= c and
 * without +0. A NaN in x compares false, and is kept */
static bool is_plain_bound(const kernel *k, kop op, kvar c)
{
	const knode *n = node_of(k, c);
	double value;

	if (n->op != K_CONST || dtype_kind(n->dtype) != KIND_FLOAT) return false;
	dtype_convert(TSR_F64, &value, n->dtype, &n->bits, 1);
	return value == value && (value != 0 || !signbit(value) == (op == K_MAX));
}

static kvar bounded(kernel *k, kop op, kvar x, kvar c)
{
	return k_select(k, k_binary(k, op == K_MAX ? K_LE : K_GE, x, c), c, x);
}

kvar k_binary(kernel *k, kop op, kvar a, kvar b)
{
	const tsr_dtype dtype = k_dtype(k, a);

	if (!a.id || !b.id) return (kvar){0};
	if (dtype_kind(dtype) == KIND_COMPLEX) return complex_binary(k, op, a, b);
	if (dtype == TSR_BOOL) return bool_binary(k, bool_op(op), a, b);
	if (op == K_ADD && dtype == TSR_I64) return k_ix_add(k, a, b);
	if (op == K_MAX || op == K_MIN) {
		if (is_plain_bound(k, op, b)) return bounded(k, op, a, b);
		if (is_plain_bound(k, op, a)) return bounded(k, op, b, a);
	}
	if (compares(op)) {
		const int known = compared(k, op, a, b);
		if (known >= 0) return k_number(k, TSR_BOOL, known);
	}
	return op_make(k, op, compares(op) ? TSR_BOOL : dtype, (kvar[]){a, b}, 2, 0);
}

/* ---- more */

kvar k_fma(kernel *k, kvar a, kvar b, kvar c)
{
	return k_node(k, K_FMA, k_dtype(k, a), (kvar[]){a, b, c}, 3, 0);
}

kvar k_select(kernel *k, kvar condition, kvar if_true, kvar if_false)
{
	int64_t known;

	if (!condition.id || !if_true.id || !if_false.id) return (kvar){0};
	if (is_known(k, condition, &known)) return known ? if_true : if_false;
	if (if_true.id == if_false.id) return if_true;
	if (is_complex(k, if_true))
		return k_complex(k,
		                 k_select(k, condition, complex_part(k, K_RE, if_true),
		                          complex_part(k, K_RE, if_false)),
		                 k_select(k, condition, complex_part(k, K_IM, if_true),
		                          complex_part(k, K_IM, if_false)));
	return op_make(k, K_SELECT, k_dtype(k, if_true), (kvar[]){condition, if_true, if_false}, 3,
	               0);
}

kvar k_call(kernel *k, kfn fn, const kvar *args, int nargs)
{
	return k_node(k, K_CALL, k_dtype(k, args[0]), args, nargs, (uint64_t)fn);
}
