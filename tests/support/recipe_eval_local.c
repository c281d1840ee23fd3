/* recipe_eval_local.c - the operations of recipes on one point's numbers: loops over the elements
 * of the result. */
#include "support/recipe_cells.h"
#include <math.h>
#include <string.h>

/* one operation at one point: operands and result as dual numbers, one behind the other */
typedef struct local {
	oracle *o;
	const step *s;
	const form *a, *b, *to;
	int levels, start; /* start: of dynamic slices */
	const double *x, *z;
	double *y;
} local;

static const double *of_a(const local *l, int element) { return l->x + (element << l->levels); }
static const double *of_b(const local *l, int element) { return l->z + (element << l->levels); }
static double *of_y(const local *l, int element) { return l->y + (element << l->levels); }

static void put(const local *l, int element, const double *from)
{
	memcpy(of_y(l, element), from, sizeof *from << l->levels);
}

/* ---- elementwise */

static bool curve_of(op code, curve *c)
{
	switch (code) {
	case OP_NEG: *c = CURVE_NEG; return true;
	case OP_SIN: *c = CURVE_SIN; return true;
	case OP_COS: *c = CURVE_COS; return true;
	case OP_TANH: *c = CURVE_TANH; return true;
	case OP_LOGISTIC: *c = CURVE_LOGISTIC; return true;
	case OP_EXP: *c = CURVE_EXP; return true;
	case OP_SQUARE: *c = CURVE_SQUARE; return true;
	case OP_CUBE: *c = CURVE_CUBE; return true;
	case OP_ABS: *c = CURVE_ABS; return true;
	case OP_RELU: *c = CURVE_RELU; return true;
	default: return false;
	}
}

static void one(const local *l, const double *x, double *y)
{
	double t[DUAL_MOST];
	curve c;

	if (curve_of(l->s->op, &c)) {
		if (c == CURVE_ABS || c == CURVE_RELU) oracle_margin(l->o, x[0]);
		dual_curve(l->levels, c, x, y);
	} else if (l->s->op == OP_COPY || l->s->op == OP_REM) {
		memcpy(y, x, sizeof *y << l->levels);
		if (l->s->op == OP_COPY) return;
		const double near = round(x[0] / l->s->k) * l->s->k;
		if (near != 0) oracle_margin(l->o, x[0] - near);
		y[0] = fmod(x[0], l->s->k);
	} else if (l->s->op == OP_AFFINE) {
		dual_scale(l->levels, l->s->k, x, y);
		y[0] += l->s->k2;
	} else {
		dual_mul(l->levels, x, x, t);
		t[0] += 1;
		dual_curve(l->levels, l->s->op == OP_SQRT1 ? CURVE_SQRT : CURVE_LOG, t, y);
	}
}

static void two(const local *l, const double *a, const double *b, double *y)
{
	double t[DUAL_MOST], u[DUAL_MOST];
	const size_t bytes = sizeof *y << l->levels;

	switch (l->s->op) {
	case OP_ADD: dual_add(l->levels, a, b, y); break;
	case OP_SUB: dual_sub(l->levels, a, b, y); break;
	case OP_MUL: dual_mul(l->levels, a, b, y); break;
	case OP_RATIO:
		dual_mul(l->levels, b, b, t);
		t[0] += 2;
		dual_curve(l->levels, CURVE_INVERSE, t, u);
		dual_mul(l->levels, a, u, y);
		break;
	default:
		oracle_margin(l->o, a[0] - b[0]);
		memcpy(y, (a[0] > b[0]) == (l->s->op != OP_MINIMUM) ? a : b, bytes);
		if (l->s->op == OP_PICK && a[0] > b[0]) dual_scale(l->levels, 0.5, a, y);
		break;
	}
}

/* the element of an operand that meets this one of the result: dims from the last, 1 repeats */
static int broadcast_place(const form *from, const form *to, const int *index)
{
	int own[RECIPE_NDIM];

	for (int d = 0; d < from->ndim; d++)
		own[d] = from->dim[d] == 1 ? 0 : index[to->ndim - from->ndim + d];
	return form_place(from, own);
}

static void elementwise(const local *l)
{
	const bool unary = l->s->nin == 1, same_a = form_same(l->a, l->to);
	const bool same_b = unary || form_same(l->b, l->to);
	const int size = form_size(l->to);
	int index[RECIPE_NDIM];

	for (int i = 0; i < size; i++) {
		if (!same_a || !same_b) form_index(l->to, i, index);
		const double *a = of_a(l, same_a ? i : broadcast_place(l->a, l->to, index));
		if (unary)
			one(l, a, of_y(l, i));
		else
			two(l, a, of_b(l, same_b ? i : broadcast_place(l->b, l->to, index)),
			    of_y(l, i));
	}
}

/* ---- reductions */

static bool reduced(const step *s, int dim)
{
	for (int i = 0; i < s->ndims; i++)
		if (s->dims[i] == dim) return true;
	return false;
}

/* the place in the result of an element of the operand */
static int fold_place(const local *l, int element)
{
	int index[RECIPE_NDIM], own[RECIPE_NDIM], n = 0;

	form_index(l->a, element, index);
	for (int d = 0; d < l->a->ndim; d++)
		if (!reduced(l->s, d))
			own[n++] = index[d];
		else if (l->s->keep)
			own[n++] = 0;
	return form_place(l->to, own);
}

/* the elements that are folded into element i */
static int members(const local *l, int i, int *list)
{
	int n = 0;

	for (int e = 0; e < form_size(l->a); e++)
		if (fold_place(l, e) == i) list[n++] = e;
	return n;
}

static int largest_of(const local *l, const int *list, int n)
{
	int most = 0;

	for (int i = 1; i < n; i++)
		if (of_a(l, list[i])[0] > of_a(l, list[most])[0]) most = i;
	return list[most];
}

static void log_sum_exp(const local *l, const int *list, int n, double *y)
{
	double t[DUAL_MOST], e[DUAL_MOST], sum[DUAL_MOST];
	const double most = of_a(l, largest_of(l, list, n))[0];

	dual_number(l->levels, 0, sum);
	for (int i = 0; i < n; i++) {
		memcpy(t, of_a(l, list[i]), sizeof *t << l->levels);
		t[0] -= most;
		dual_curve(l->levels, CURVE_EXP, t, e);
		dual_add(l->levels, sum, e, sum);
	}
	dual_curve(l->levels, CURVE_LOG, sum, y);
	y[0] += most;
}

static void fold(const local *l, const int *list, int n, double *y)
{
	double t[DUAL_MOST];

	switch (l->s->op) {
	case OP_MAX:
		memcpy(y, of_a(l, largest_of(l, list, n)), sizeof *y << l->levels);
		for (int i = 0; i < n; i++)
			if (list[i] != largest_of(l, list, n))
				oracle_margin(l->o, of_a(l, list[i])[0] - y[0]);
		break;
	case OP_PROD:
		dual_number(l->levels, 1, y);
		for (int i = 0; i < n; i++) {
			memcpy(t, y, sizeof *y << l->levels);
			dual_mul(l->levels, t, of_a(l, list[i]), y);
		}
		break;
	case OP_LOGSUMEXP: log_sum_exp(l, list, n, y); break;
	default:
		dual_number(l->levels, 0, y);
		for (int i = 0; i < n; i++) dual_add(l->levels, y, of_a(l, list[i]), y);
		if (l->s->op == OP_MEAN) dual_scale(l->levels, 1.0 / n, y, y);
		break;
	}
}

static void reduction(const local *l)
{
	int list[1024];

	for (int i = 0; i < form_size(l->to); i++) fold(l, list, members(l, i, list), of_y(l, i));
}

/* ---- products */

/* towards 0: near a whole number that is not 0, rounding decides which */
static void cut_to_whole(const local *l, double *y)
{
	const double near = round(*y);

	if (near != 0) oracle_margin(l->o, *y - near);
	dual_number(l->levels, trunc(*y), y);
}

static void truth_of(const local *l, double *y)
{
	if (*y != 0) oracle_margin(l->o, *y);
	dual_number(l->levels, *y != 0, y);
}

/* are sums of products of whole numbers exact in f32, in any order? */
static bool is_exact(const local *l)
{
	double a = 0, b = 0;

	for (int i = 0; i < form_size(l->a); i++) a = fmax(a, fabs(*of_a(l, i)));
	for (int i = 0; i < form_size(l->b); i++) b = fmax(b, fabs(*of_b(l, i)));
	return a * b * l->a->dim[l->s->at] <= 0x1p24;
}

/* every pair of elements whose indices agree in the dims that are summed over and in the batches,
 * at the place of their other indices */
static void product(const local *l)
{
	const step *s = l->s;
	int ia[RECIPE_NDIM], ib[RECIPE_NDIM], own[RECIPE_NDIM];

	for (int i = 0; i < form_size(l->to); i++) dual_number(l->levels, 0, of_y(l, i));
	for (int e = 0; e < form_size(l->a); e++)
		for (int f = 0; f < form_size(l->b); f++) {
			int n = 0;
			form_index(l->a, e, ia);
			form_index(l->b, f, ib);
			if (ia[s->at] != ib[s->to] || (s->keep && ia[s->stop] != ib[s->stride]))
				continue;
			if (s->keep) own[n++] = ia[s->stop];
			for (int d = 0; d < l->a->ndim; d++)
				if (d != s->at && !(s->keep && d == s->stop)) own[n++] = ia[d];
			for (int d = 0; d < l->b->ndim; d++)
				if (d != s->to && !(s->keep && d == s->stride)) own[n++] = ib[d];
			dual_mul_add(l->levels, of_a(l, e), of_b(l, f),
			             of_y(l, form_place(l->to, own)));
		}
	if (l->o->r->whole && !is_exact(l)) l->o->fit = false;
	for (int i = 0; s->k != 0 && i < form_size(l->to); i++)
		s->k == 1 ? cut_to_whole(l, of_y(l, i)) : truth_of(l, of_y(l, i));
}

/* ---- layout: the element that each one of the result is; -1: none of them */

static int without_dim(const form *from, const int *index, int dim)
{
	int own[RECIPE_NDIM];

	for (int d = 0; d < from->ndim; d++) own[d] = index[d + (d >= dim)];
	return form_place(from, own);
}

/* with index[at] = place, if it is within 0 .. size - 1 */
static int moved(const form *from, const int *index, int at, int place)
{
	int own[RECIPE_NDIM];

	if (place < 0 || place >= from->dim[at]) return -1;
	memcpy(own, index, sizeof own);
	own[at] = place;
	return form_place(from, own);
}

static int source(const local *l, int i, const int *index)
{
	const step *s = l->s;
	int own[RECIPE_NDIM];

	switch (s->op) {
	case OP_TRANSPOSE:
		for (int d = 0; d < l->a->ndim; d++) own[s->dims[d]] = index[d];
		return form_place(l->a, own);
	case OP_FLIP: return moved(l->a, index, s->at, l->a->dim[s->at] - 1 - index[s->at]);
	case OP_BROADCAST: return broadcast_place(l->a, l->to, index);
	case OP_CONCAT: return moved(l->a, index, s->at, index[s->at]);
	case OP_STACK: return index[s->at] ? -1 : without_dim(l->a, index, s->at);
	case OP_SLICE: return moved(l->a, index, s->at, s->start + index[s->at] * s->stride);
	case OP_PAD: {
		const int at = index[s->at] - s->start;
		return at < 0 || at % s->stride ? -1 : moved(l->a, index, s->at, at / s->stride);
	}
	case OP_DYNAMIC_SLICE: return moved(l->a, index, s->at, l->start + index[s->at]);
	case OP_DYNAMIC_UPDATE:
		return moved(l->b, index, s->at, index[s->at] - l->start) < 0 ? i : -1;
	default: return i; /* reshape, expand, squeeze, pcast, constrain */
	}
}

/* where source() has none: what the result is then */
static void otherwise(const local *l, int i, const int *index)
{
	const step *s = l->s;

	switch (s->op) {
	case OP_CONCAT:
		put(l, i, of_b(l, moved(l->b, index, s->at, index[s->at] - l->a->dim[s->at])));
		break;
	case OP_STACK: put(l, i, of_b(l, without_dim(l->b, index, s->at))); break;
	case OP_DYNAMIC_UPDATE:
		put(l, i, of_b(l, moved(l->b, index, s->at, index[s->at] - l->start)));
		break;
	default: dual_number(l->levels, s->k, of_y(l, i)); break;
	}
}

static void layout(const local *l)
{
	int index[RECIPE_NDIM];

	for (int i = 0; i < form_size(l->to); i++) {
		form_index(l->to, i, index);
		const int from = source(l, i, index);
		if (from < 0)
			otherwise(l, i, index);
		else
			put(l, i, of_a(l, from));
	}
}

/* the place of element i among those along the dim: which of them come before it */
static int rank_of(const local *l, int i, const int *index)
{
	const int at = l->s->at, n = l->a->dim[at];
	int rank = 0;

	for (int k = 0; k < n; k++) {
		const int other = moved(l->a, index, at, k);
		const double gap = of_a(l, other)[0] - of_a(l, i)[0];
		if (k != index[at]) oracle_margin(l->o, gap);
		rank += gap < 0 || (gap == 0 && k < index[at]);
	}
	return l->s->keep ? n - 1 - rank : rank;
}

static void sort_by(const local *l)
{
	int index[RECIPE_NDIM];

	for (int i = 0; i < form_size(l->to); i++) {
		form_index(l->to, i, index);
		put(l, moved(l->to, index, l->s->at, rank_of(l, i, index)), of_b(l, i));
	}
}

static void running_sums(const local *l)
{
	int index[RECIPE_NDIM];

	for (int i = 0; i < form_size(l->to); i++) {
		form_index(l->to, i, index);
		const int at = l->s->at, here = index[at], n = l->a->dim[at];
		dual_number(l->levels, 0, of_y(l, i));
		for (int k = l->s->keep ? here : 0; k < (l->s->keep ? n : here + 1); k++)
			dual_add(l->levels, of_y(l, i), of_a(l, moved(l->a, index, at, k)),
			         of_y(l, i));
	}
}

static void constant(const local *l)
{
	int index[RECIPE_NDIM];

	for (int i = 0; i < form_size(l->to); i++) {
		form_index(l->to, i, index);
		dual_number(l->levels, l->s->op == OP_FULL ? l->s->k : index[l->s->at], of_y(l, i));
	}
}

static void run(const local *l)
{
	switch (l->s->op) {
	case OP_SUM:
	case OP_MEAN:
	case OP_MAX:
	case OP_PROD:
	case OP_LOGSUMEXP: reduction(l); break;
	case OP_CUMSUM: running_sums(l); break;
	case OP_SORT_BY: sort_by(l); break;
	case OP_DOT:
	case OP_DOT_GENERAL: product(l); break;
	case OP_TRANSPOSE:
	case OP_RESHAPE:
	case OP_FLIP:
	case OP_EXPAND:
	case OP_SQUEEZE:
	case OP_BROADCAST:
	case OP_CONCAT:
	case OP_STACK:
	case OP_SLICE:
	case OP_PAD:
	case OP_DYNAMIC_SLICE:
	case OP_DYNAMIC_UPDATE:
	case OP_PCAST:
	case OP_CONSTRAIN: layout(l); break;
	case OP_IOTA:
	case OP_FULL: constant(l); break;
	default: elementwise(l); break;
	}
}

/* a start is moved so that the slice lies within the operand */
static int start_at(const oracle *o, const world *w, const step *s, const form *a, const form *b,
                    int point)
{
	const int size = s->op == OP_DYNAMIC_SLICE ? s->stop : s->nin == 2 ? b->dim[s->at] : 0;
	const int start = s->axis < 0 ? s->start : world_place(o, w, point, s->axis);

	if (!a || s->at >= a->ndim) return 0;
	return start < a->dim[s->at] - size ? start : a->dim[s->at] - size;
}

void oracle_local(oracle *o, const world *w, const step *s, const form *value, const cells *in,
                  const cells *out)
{
	local l = {.o = o, .s = s, .to = &value[s->first], .levels = out->levels};

	if (s->nin > 0) l.a = &value[s->in[0]];
	if (s->nin > 1) l.b = &value[s->in[1]];
	for (int p = 0; p < w->count; p++) {
		if (l.a) l.x = cell(&in[s->in[0]], p, 0);
		if (l.b) l.z = cell(&in[s->in[1]], p, 0);
		l.y = cell(out, p, 0);
		l.start = start_at(o, w, s, l.a, l.b, p);
		run(&l);
	}
}
