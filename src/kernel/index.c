/* index.c - computes with indices: sums of multiples, in one form.
 *
 * An index is a constant plus multiples of atoms: loop indices, quotients, remainders, and values
 * that are known only when the kernel runs. Equal sums become the same node. (x / c) c + x % c
 * becomes x again, so a reshape that undoes another one leaves no arithmetic.
 *
 * Example:
 *
 *     f(%0: f32[3,8]) -> f32[3,4] {
 *       %1: f32[24] = reshape %0 dims=[24]
 *       %2: f32[24] = neg %1
 *       %3: f32[3,8] = reshape %2 dims=[3,8]
 *       %4: f32[3,4] = slice %3 start=[0,4] stop=[3,8] step=[1,1]
 *       return %4
 *     }
 *
 * A dividend is split into a multiple of the divisor and a rest. If the rest is known to be less
 * than the divisor, its quotient is 0, and the rest is the remainder. Element (i, j) of %4 is
 * element 8 i + j + 4 of %2, and with j < 4 its row in %0 is (8 i + j + 4) / 8 = i:
 *
 *     kernel(in0: f32[3,8]) -> (out0: f32[3,4]) {
 *       for i0 < 3 {
 *         for i1 < 4 {
 *           %0: i64 = add i1 4
 *           %1: f32 = load in0[i0, %0]
 *           .. } } } */
#include "kernel/work.h"

#define MOST_TERMS 16

typedef struct term {
	kvar atom;
	int64_t times;
} term;
typedef struct affine {
	int64_t constant;
	int n;
	term term[MOST_TERMS];
	bool full; /* more terms than there is room for */
} affine;

/* modulo 2^64, as i64 nodes compute */
static int64_t add(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }
static int64_t times(int64_t a, int64_t b) { return (int64_t)((uint64_t)a * (uint64_t)b); }

static int64_t constant_of(const kernel *k, kvar v) { return (int64_t)node_of(k, v)->bits; }

/* ---- ranges */

static void range_add(knode *n, const knode *a, const knode *b)
{
	int64_t low, high;

	if (!add_ok(a->low, b->low, &low) || !add_ok(a->high, b->high, &high)) return;
	n->low = low;
	n->high = high;
}

static bool product(int64_t a, int64_t b, int64_t *out)
{
	return !__builtin_mul_overflow(a, b, out);
}

static void range_times(knode *n, const knode *a, int64_t by)
{
	int64_t p, q;

	if (!product(a->low, by, &p) || !product(a->high, by, &q)) return;
	n->low = p < q ? p : q;
	n->high = p < q ? q : p;
}

static void range_divided(knode *n, const knode *a, int64_t by)
{
	if (by < 1) return;
	if (n->op == K_DIV) {
		n->low = a->low / by;
		n->high = a->high / by;
		return;
	}
	n->low = a->low >= 0 ? 0 : 1 - by;
	n->high = a->high < 0 ? 0 : a->high < by - 1 ? a->high : by - 1;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

static void range_two(knode *n, const knode *a, const knode *b)
{
	switch (n->op) {
	case K_ADD: range_add(n, a, b); break;
	case K_MUL:
		if (b->op == K_CONST) range_times(n, a, (int64_t)b->bits);
		break;
	case K_DIV:
	case K_REM:
		if (b->op == K_CONST) range_divided(n, a, (int64_t)b->bits);
		break;
	case K_MIN:
		n->low = least(a->low, b->low);
		n->high = least(a->high, b->high);
		break;
	case K_MAX:
		n->low = most(a->low, b->low);
		n->high = most(a->high, b->high);
		break;
	default: break;
	}
}

/* what a whole number of a dtype may be; false: i64 does not hold it */
static bool range_of_dtype(tsr_dtype dtype, int64_t *low, int64_t *high)
{
	const int bits = dtype_bits(dtype);

	if (dtype_kind(dtype) == KIND_INT) {
		*low = INT64_MIN >> (64 - bits);
		*high = INT64_MAX >> (64 - bits);
	} else if (dtype_kind(dtype) == KIND_UINT && bits < 64) {
		*low = 0;
		*high = (INT64_C(1) << bits) - 1;
	} else {
		return false;
	}
	return true;
}

/* a constant of such a dtype: low bytes of `bits` */
static int64_t value_of(const knode *n)
{
	const int unused = 64 - dtype_bits(n->dtype);

	return dtype_kind(n->dtype) == KIND_INT ? (int64_t)(n->bits << unused) >> unused
	                                        : (int64_t)n->bits;
}

/* of what narrower numbers become indices from: numbers that are clamped */
static void range_narrow(const kernel *k, knode *n)
{
	if (n->op == K_CONST) n->low = n->high = value_of(n);
	if (n->op == K_MIN || n->op == K_MAX)
		range_two(n, node_of(k, n->args[0]), node_of(k, n->args[1]));
}

void set_range(const kernel *k, knode *n)
{
	if (!range_of_dtype(n->dtype, &n->low, &n->high)) return;
	if (n->dtype != TSR_I64) {
		range_narrow(k, n);
		return;
	}
	if (n->op == K_CONST) n->low = n->high = (int64_t)n->bits;
	if (n->op == K_CONVERT) {
		const knode *from = node_of(k, n->args[0]);
		int64_t low, high;
		if (range_of_dtype(from->dtype, &low, &high)) {
			n->low = from->low;
			n->high = from->high;
		}
	}
	if (n->op == K_INDEX) {
		n->low = 0;
		n->high = most(k->regions[n->region].extents[n->bits] - 1, 0);
	}
	if (n->nargs == 2 && n->op >= K_ADD && n->op <= K_MAX)
		range_two(n, node_of(k, n->args[0]), node_of(k, n->args[1]));
}

/* ---- sums of multiples */

static void put_term(affine *a, kvar atom, int64_t by)
{
	int at = 0;

	while (at < a->n && a->term[at].atom.id < atom.id) at++;
	if (at < a->n && a->term[at].atom.id == atom.id) {
		a->term[at].times = add(a->term[at].times, by);
	} else if (a->n < MOST_TERMS) {
		for (int i = a->n++; i > at; i--) a->term[i] = a->term[i - 1];
		a->term[at] = (term){atom, by};
		return;
	} else {
		a->full = true;
		return;
	}
	if (a->term[at].times) return;
	for (int i = at; i + 1 < a->n; i++) a->term[i] = a->term[i + 1];
	a->n--;
}

/* adds v `by` times */
static void put(const kernel *k, affine *a, kvar v, int64_t by)
{
	for (const knode *n = node_of(k, v); n->op == K_ADD || n->op == K_MUL; n = node_of(k, v)) {
		const kvar right = n->args[1];
		if (n->op == K_MUL && node_of(k, right)->op != K_CONST) break;
		if (n->op == K_MUL)
			by = times(by, constant_of(k, right));
		else if (!a->full)
			put(k, a, right, by);
		v = n->args[0];
	}
	if (!v.id || by == 0 || a->full) return;
	if (node_of(k, v)->op == K_CONST)
		a->constant = add(a->constant, times(by, constant_of(k, v)));
	else
		put_term(a, v, by);
}

static bool is_part(const knode *n, kop op, kvar of, int64_t by, const kernel *k)
{
	return n->op == op && n->args[0].id == of.id && constant_of(k, n->args[1]) == by;
}

/* q c (x / c) + q (x % c) becomes q x */
static bool join_one(const kernel *k, affine *a)
{
	for (int i = 0; i < a->n; i++) {
		const knode *quotient = node_of(k, a->term[i].atom);
		if (quotient->op != K_DIV || node_of(k, quotient->args[1])->op != K_CONST) continue;
		const int64_t c = constant_of(k, quotient->args[1]);
		for (int j = 0; j < a->n; j++) {
			const int64_t q = a->term[j].times;
			if (!is_part(node_of(k, a->term[j].atom), K_REM, quotient->args[0], c, k) ||
			    times(q, c) != a->term[i].times)
				continue;
			const term gone[2] = {a->term[i], a->term[j]};
			put_term(a, gone[0].atom, -gone[0].times);
			put_term(a, gone[1].atom, -gone[1].times);
			put(k, a, quotient->args[0], q);
			return true;
		}
	}
	return false;
}

static kvar make_2(kernel *k, kop op, kvar a, kvar b)
{
	return k_node(k, op, TSR_I64, (kvar[]){a, b}, 2, 0);
}

static kvar make_sum(kernel *k, const affine *a)
{
	kvar sum = {0};

	for (int i = 0; i < a->n; i++) {
		const term *t = &a->term[i];
		const kvar v =
			t->times == 1 ? t->atom : make_2(k, K_MUL, t->atom, k_ix(k, t->times));
		sum = i ? make_2(k, K_ADD, sum, v) : v;
	}
	if (!a->n) return k_ix(k, a->constant);
	return a->constant ? make_2(k, K_ADD, sum, k_ix(k, a->constant)) : sum;
}

/* a value that can only be one number */
static kvar settled(kernel *k, kvar v)
{
	const knode *n = node_of(k, v);

	return v.id && n->low == n->high && n->op != K_CONST ? k_ix(k, n->low) : v;
}

kvar k_ix(kernel *k, int64_t value)
{
	return k_node(k, K_CONST, TSR_I64, NULL, 0, (uint64_t)value);
}

static kvar sum_of(kernel *k, affine *a)
{
	while (join_one(k, a)) continue;
	return settled(k, make_sum(k, a));
}

kvar k_ix_add(kernel *k, kvar x, kvar y)
{
	affine a = {.n = 0};

	if (!x.id || !y.id) return (kvar){0};
	put(k, &a, x, 1);
	put(k, &a, y, 1);
	return a.full ? make_2(k, K_ADD, x, y) : sum_of(k, &a);
}

kvar k_ix_plus(kernel *k, kvar x, int64_t more) { return k_ix_add(k, x, k_ix(k, more)); }

kvar k_ix_times(kernel *k, kvar x, int64_t by)
{
	affine a = {.n = 0};

	if (!x.id) return x;
	put(k, &a, x, by);
	return a.full ? make_2(k, K_MUL, x, k_ix(k, by)) : sum_of(k, &a);
}

/* ---- quotients: x = by * whole + rest, where rest is known not to be negative */

static void split(const kernel *k, const affine *x, int64_t by, affine *whole, affine *rest)
{
	const int64_t down = x->constant / by - (x->constant % by < 0);

	*whole = (affine){.constant = down};
	*rest = (affine){.constant = x->constant - down * by};
	for (int i = 0; i < x->n; i++) {
		const term *t = &x->term[i];
		const bool low = node_of(k, t->atom)->low >= 0 && t->times > 0;
		if (t->times % by == 0)
			put_term(whole, t->atom, t->times / by);
		else if (low && t->times > by && t->times % by) {
			put_term(whole, t->atom, t->times / by);
			put_term(rest, t->atom, t->times % by);
		} else
			put_term(rest, t->atom, t->times);
	}
}

static bool parts(kernel *k, kvar x, int64_t by, affine *whole, kvar *rest)
{
	affine a = {.n = 0}, low = {.n = 0};

	put(k, &a, x, 1);
	if (a.full || by < 1) return false;
	split(k, &a, by, whole, &low);
	*rest = sum_of(k, &low);
	return rest->id && node_of(k, *rest)->low >= 0;
}

kvar k_ix_div(kernel *k, kvar x, int64_t by)
{
	affine whole;
	kvar rest;

	if (by == 1 || !x.id) return x;
	if (!parts(k, x, by, &whole, &rest)) return settled(k, make_2(k, K_DIV, x, k_ix(k, by)));
	if (node_of(k, rest)->high >= by)
		put(k, &whole, settled(k, make_2(k, K_DIV, rest, k_ix(k, by))), 1);
	return sum_of(k, &whole);
}

kvar k_ix_rem(kernel *k, kvar x, int64_t by)
{
	affine whole;
	kvar rest;

	if (by == 1) return k_ix(k, 0);
	if (!x.id) return x;
	if (!parts(k, x, by, &whole, &rest)) return settled(k, make_2(k, K_REM, x, k_ix(k, by)));
	if (node_of(k, rest)->high < by) return rest;
	return settled(k, make_2(k, K_REM, rest, k_ix(k, by)));
}

kvar k_ix_clamp(kernel *k, kvar x, int64_t high)
{
	if (!x.id) return x;
	if (node_of(k, x)->low < 0) x = settled(k, make_2(k, K_MAX, x, k_ix(k, 0)));
	if (x.id && node_of(k, x)->high > high) x = make_2(k, K_MIN, x, k_ix(k, high));
	return settled(k, x);
}

/* ---- places */

kvar k_ix_flat(kernel *k, const kvar *index, const int64_t *dims, int ndim)
{
	kvar at = k_ix(k, 0);

	for (int d = 0; d < ndim; d++)
		if (dims[d] != 1) at = k_ix_add(k, k_ix_times(k, at, dims[d]), index[d]);
	return at;
}

void k_ix_unflat(kernel *k, kvar place, const int64_t *dims, int ndim, kvar *index)
{
	int first = 0;

	while (first < ndim && dims[first] == 1) first++;
	for (int d = ndim - 1; d >= 0; d--) {
		const int64_t size = dims[d] > 0 ? dims[d] : 1; /* nothing is at 0 */
		index[d] = d <= first ? place : k_ix_rem(k, place, size);
		place = d <= first ? k_ix(k, 0) : k_ix_div(k, place, size);
	}
}
