/* associative.c - running combinations as equations, with tangents.
 *
 * Neighbours are combined two by two; the running combinations of these, which are half as many,
 * are every second result, and one more combination each gives the others:
 *
 *     x         a     b     c     d     e
 *     pairs           ab          cd
 *     running         ab          abcd
 *     others    a           ab c        abcd e
 *
 * So n elements take about 2 n combinations. Which of equal elements has the tangent of the largest
 * one is decided pair by pair, as with jax.lax.associative_scan: each has half of it. */
#include <math.h>
#include "prim/reduce/associative.h"

/* ln(e^x + e^y) = max + log1p(e^-|x - y|); of infinities of one sign, whose difference is NaN,
 * their sum */
static var log_of_sum(build *b, var x, var y)
{
	const var apart = emit_sub(b, x, y);
	const var less = emit_neg(b, emit_1(b, &tsr__prim_abs, apart));
	const var more = emit_1(b, &tsr__prim_log1p, emit_1(b, &tsr__prim_exp, less));
	const var sum = emit_add(b, emit_2(b, &tsr__prim_max, x, y), more);
	const var none = emit_2(b, &tsr__prim_ne, apart, apart);

	return emit_select(b, none, emit_add(b, x, y), sum);
}

var emit_combined(build *b, const combining *c, var x, var y)
{
	return c->row ? emit_2(b, c->row, x, y) : log_of_sum(b, x, y);
}

var emit_nothing_of(build *b, const combining *c, tsr_dtype dtype)
{
	_Alignas(16) unsigned char bytes[16] = {0};

	padding_number(c->nothing, dtype, bytes);
	const var v = build_literal(b, dtype, bytes);
	if (!v.id) build_fail(b);
	return v;
}

/* x, but 0 where it is `what` */
static var zero_where(build *b, var x, double what)
{
	if (is_zero(x)) return x;
	const tsr_dtype dtype = build_type(b, x)->dtype;
	const var is = emit_2(b, &tsr__prim_eq, x, emit_scalar(b, dtype, what));
	return emit_select(b, is, emit_scalar(b, dtype, 0), x);
}

typedef struct dual { /* a value and its tangent */
	var x, dx;
} dual;

/* e^(x - y) dx, the part of x in the tangent of y = log_of_sum. Infinite y count as 0 here, so that
 * nothing of an x that is -inf is in the tangent of a y that is */
static var share(build *b, dual x, var y)
{
	const var of = zero_where(b, x.x, INFINITY), in = zero_where(b, y, INFINITY);
	const var by = emit_1(b, &tsr__prim_exp, emit_sub(b, of, zero_where(b, in, -INFINITY)));

	return emit_mul(b, by, x.dx);
}

static dual combined(build *b, const combining *c, dual x, dual y)
{
	dual to = {emit_combined(b, c, x.x, y.x), {0}};

	if (build_failed(b)) return to;
	if (!c->row) {
		to.dx = emit_add(b, share(b, x, to.x), share(b, y, to.x));
		return to;
	}
	const eqn e = *build_last(b);
	c->row->jvp(b, &e, (var[]){x.x, y.x}, (var[]){x.dx, y.dx}, &to.x, &to.dx);
	return to;
}

/* elements start, start + step, ... before stop */
static dual every_of(build *b, dual x, int dim, int64_t start, int64_t stop, int64_t step)
{
	return (dual){emit_every(b, x.x, dim, start, stop, step),
	              emit_every(b, x.dx, dim, start, stop, step)};
}

/* x with a 0 behind each element but the last, `low` in front and `high` behind all */
static var spread_out(build *b, var x, int dim, int64_t low, int64_t high)
{
	if (is_zero(x)) return x;
	return emit_pad_between(b, x, dim, low, high, 1,
	                        emit_scalar(b, build_type(b, x)->dtype, 0));
}

/* n elements, of which x has the first, third, ... and y the others */
static var in_turn(build *b, var x, var y, int dim, int64_t n)
{
	return emit_add(b, spread_out(b, x, dim, 0, n % 2 == 0),
	                spread_out(b, y, dim, 1, n % 2));
}

static var in_front(build *b, var first, var x, int dim)
{
	return is_zero(first) || is_zero(x) ? (var){0} : emit_join(b, (var[]){first, x}, 2, dim);
}

static dual running(build *b, const combining *c, dual x, int dim)
{
	if (build_failed(b)) return x;
	const int64_t n = build_type(b, x.x)->dims[dim];
	if (n < 2) return x;
	const dual left = every_of(b, x, dim, 0, n - 1, 2), right = every_of(b, x, dim, 1, n, 2);
	const dual pairs = running(b, c, combined(b, c, left, right), dim);
	dual others = every_of(b, x, dim, 0, 1, 1);
	if (n > 2) {
		const dual before = every_of(b, pairs, dim, 0, (n - 1) / 2, 1);
		const dual rest = combined(b, c, before, every_of(b, x, dim, 2, n, 2));
		others.x = in_front(b, others.x, rest.x, dim);
		others.dx = in_front(b, others.dx, rest.dx, dim);
	}
	return (dual){in_turn(b, others.x, pairs.x, dim, n),
	              in_turn(b, others.dx, pairs.dx, dim, n)};
}

static var turned(build *b, var x, int dim, bool turn)
{
	const dims_params p = {{1, (const int64_t[]){dim}}};

	return turn ? emit(b, &tsr__prim_rev, &p, &x, 1) : x;
}

var emit_running_tangent(build *b, const combining *c, var x, var dx, int dim, bool reverse)
{
	const dual all = running(
		b, c, (dual){turned(b, x, dim, reverse), turned(b, dx, dim, reverse)}, dim);

	return turned(b, all.dx, dim, reverse);
}
