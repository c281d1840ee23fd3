/* factors.c - makes factor rules and their windows, prints them, and compares them with types.
 *
 * The rule of a product f32[4,8] x f32[8,2] -> f32[4,2] has three factors: a, 4, of the first
 * operand and the result; b, 8, of both operands, which is summed; c, 2. Its text is "ab,bc->ac | b
 * sum".
 *
 * A factor may have another size in an operand than in the result.
 * Example: which elements of %0 those of the result need, two by two
 *
 *     f(%0: f32[9]) -> f32[4] {
 *       %1: f32[4] = slice %0 start=[1] stop=[8] step=[2]
 *       return %1
 *     }
 *
 * has
 *
 *     a[2i+1]->a | a move
 *     0..1 need 1..3
 *     2..3 need 5..7
 */
#include "program/program.h"

void factors_begin(factors *f)
{
	f->n = f->nslots = f->nwindows = 0;
	f->own = f->rounds = 0;
	f->full = false;
}

int factor_new(factors *f, int64_t size, factor_kind kind)
{
	if (f->n >= MAX_FACTORS) {
		f->full = true;
		return 0;
	}
	f->size[f->n] = size;
	f->kind[f->n] = kind;
	f->why[f->n] = NULL;
	return f->n++;
}

int factor_reduced(factors *f, int64_t size, factor_op op)
{
	const int factor = factor_new(f, size, FACTOR_REDUCE);

	f->op[factor] = op;
	return factor;
}

int factor_replicated(factors *f, int64_t size, const char *why)
{
	const int factor = factor_new(f, size, FACTOR_REPLICATE);

	f->why[factor] = why;
	return factor;
}

int factor_rounds(factors *f, int factor, tsr_dtype dtype)
{
	if (dtype_kind(dtype) >= KIND_FLOAT) f->rounds |= (uint64_t)1 << factor;
	return factor;
}

int factor_own(factors *f, int factor)
{
	f->own |= (uint64_t)1 << factor;
	return factor;
}

void factor_at(factors *f, int value, int dim, int factor)
{
	if (f->nslots >= MAX_FACTOR_SLOTS || value > INT16_MAX) {
		f->full = true;
		return;
	}
	f->slot[f->nslots].value = (int16_t)value;
	f->slot[f->nslots].dim = (int16_t)dim;
	f->slot[f->nslots].factor = (int16_t)factor;
	f->slot[f->nslots].window = 0;
	f->nslots++;
}

/* ---- windows */

bool factor_window_stays(const factor_window *w)
{
	return w->step == 1 && w->low == 0 && w->high == 0 && w->every == 1;
}

void factor_at_window(factors *f, int value, int dim, int factor, factor_window w)
{
	const int slot = f->nslots;

	factor_at(f, value, dim, factor);
	if (f->full || (w.size == f->size[factor] && factor_window_stays(&w))) return;
	f->kind[factor] = FACTOR_PERMUTE;
	f->window[f->nwindows++] = w; /* at most one a slot */
	f->slot[slot].window = (int16_t)f->nwindows;
}

const factor_window *factor_window_of(const factors *f, int slot)
{
	const int window = f->slot[slot].window;

	return window ? &f->window[window - 1] : NULL;
}

int64_t factor_slot_size(const factors *f, int slot)
{
	const factor_window *w = factor_window_of(f, slot);

	return w ? w->size : f->size[f->slot[slot].factor];
}

bool factor_same_row(const factors *f, int factor)
{
	const factor_kind kind = f->kind[factor];

	return kind != FACTOR_PERMUTE && kind != FACTOR_REPLICATE && !(f->own >> factor & 1);
}

/* i * step + plus, or the end of the range of int64_t that is nearest */
static int64_t linear(int64_t i, int64_t step, int64_t plus)
{
	int64_t at;

	if (!mul_ok(i, step, &at)) return step < 0 ? INT64_MIN : INT64_MAX;
	if (!add_ok(at, plus, &at)) return plus < 0 ? INT64_MIN : INT64_MAX;
	return at;
}

static int64_t divided_down(int64_t a, int64_t b) { return a / b - (a % b < 0); }
static int64_t divided_up(int64_t a, int64_t b) { return a / b + (a % b > 0); }

index_range factor_needs(const factors *f, int slot, index_range of)
{
	const factor_window *w = factor_window_of(f, slot);

	if (of.first >= of.end) return (index_range){0, 0};
	if (f->kind[f->slot[slot].factor] == FACTOR_REPLICATE)
		return (index_range){0, factor_slot_size(f, slot)};
	if (!w) return of;
	const int64_t least = w->step < 0 ? of.end - 1 : of.first;
	const int64_t most = w->step < 0 ? of.first : of.end - 1;
	const int64_t low = divided_up(linear(least, w->step, w->low), w->every);
	const int64_t high = divided_down(linear(most, w->step, w->high), w->every);
	const int64_t first = low > 0 ? low : 0, end = high < w->size ? high + 1 : w->size;
	return first < end ? (index_range){first, end} : (index_range){0, 0};
}

/* ---- text */

typedef struct letters {
	int of[MAX_FACTORS];       /* 1 + place in order of first use; 0: not used yet */
	int n;
} letters;

static void put_letter(str *s, letters *l, int factor)
{
	if (!l->of[factor]) l->of[factor] = ++l->n;
	const int place = l->of[factor] - 1;
	if (place < 26) str_printf(s, "%c", 'a' + place);
	else if (place < 52) str_printf(s, "%c", 'A' + place - 26);
	else str_printf(s, "f%d", place + 1);
}

/* i, -i+5, 2i-1 */
static void put_index(str *s, int64_t step, int64_t plus)
{
	if (step == 1 || step == -1) str_put(s, step < 0 ? "-i" : "i");
	else str_printf(s, "%lldi", (long long)step);
	if (plus) str_printf(s, "%+lld", (long long)plus);
}

/* [2i+3], [i-1..i+1], [(i-1)/3] */
static void put_window(str *s, const factor_window *w)
{
	str_put(s, w->every > 1 ? "[(" : "[");
	put_index(s, w->step, w->low);
	if (w->high != w->low) {
		str_put(s, "..");
		put_index(s, w->step, w->high);
	}
	if (w->every > 1) str_printf(s, ")/%lld", (long long)w->every);
	str_put(s, "]");
}

/* a dim without factors has size 1, and prints as 1 */
static void put_dim(str *s, letters *l, const factors *f, int value, int dim)
{
	int n = 0;

	for (int i = 0; i < f->nslots; i++)
		if (f->slot[i].value == value && f->slot[i].dim == dim) n++;
	if (n == 0) str_put(s, "1");
	if (n > 1) str_put(s, "(");
	for (int i = 0; i < f->nslots; i++) {
		if (f->slot[i].value != value || f->slot[i].dim != dim) continue;
		put_letter(s, l, f->slot[i].factor);
		if (f->slot[i].window) put_window(s, factor_window_of(f, i));
	}
	if (n > 1) str_put(s, ")");
}

static void put_kind(str *s, const factors *f, int factor)
{
	static const char *const words[] = {
		[FACTOR_PASS] = "",
		[FACTOR_FREE] = " free",
		[FACTOR_REDUCE] = " ",
		[FACTOR_PERMUTE] = " move",
		[FACTOR_REPLICATE] = " whole",
	};
#define OPERATOR(op, name, padding, ...) name,
	static const char *const ops[] = {
#include "program/operators.def"
	};
#undef OPERATOR

	str_put(s, words[f->kind[factor]]);
	if (f->kind[factor] == FACTOR_REDUCE) str_put(s, ops[f->op[factor]]);
	if (f->kind[factor] == FACTOR_REPLICATE) str_printf(s, " (%s)", f->why[factor]);
	if (f->own >> factor & 1) str_put(s, " own");
}

static void put_kinds(str *s, letters *l, const factors *f)
{
	const char *before = " | ";

	for (int at = 1; at <= l->n; at++)
		for (int i = 0; i < f->n; i++) {
			if (l->of[i] != at) continue;
			if (f->kind[i] == FACTOR_PASS && factor_same_row(f, i)) continue;
			str_put(s, before);
			put_letter(s, l, i);
			put_kind(s, f, i);
			before = ", ";
		}
}

void factors_text(str *s, const factors *f, int nin, const int *ndims, int nvalues)
{
	letters l = {0};

	if (f->full) {
		str_put(s, "whole");
		return;
	}
	for (int v = 0; v < nvalues; v++) {
		str_put(s, v == nin ? "->" : v ? "," : "");
		for (int d = 0; d < ndims[v]; d++) put_dim(s, &l, f, v, d);
	}
	if (nvalues == nin) str_put(s, "->");
	put_kinds(s, &l, f);
}

/* ---- agreement */

typedef struct claims {
	base *base;
	const eqn *eqn;
	const type *const *in, *const *out;
	const factors *factors;
	int *first;                /* of each value: place of its dim 0 in `product` */
	int64_t *product;
	uint64_t *inside;          /* of each value: set of factors it has */
} claims;

static const type *claims_type(const claims *c, int value)
{
	return value < c->eqn->nin ? c->in[value] : c->out[value - c->eqn->nin];
}

static bool disagree(const claims *c, int value, int dim, const char *problem)
{
	const bool operand = value < c->eqn->nin;

	return fail(c->base, c->eqn->where, TSR_ERROR_TYPE, "factor rule of %s: dim %d of %s %d %s",
	            c->eqn->prim->name, dim, operand ? "operand" : "result",
	            operand ? value : value - c->eqn->nin, problem);
}

/* of an operand's dim that has no other factor, which is 1 so far */
static bool check_window(const claims *c, int i)
{
	const factors *f = c->factors;
	const int value = f->slot[i].value, dim = f->slot[i].dim;
	const factor_window *w = factor_window_of(f, i);

	if (value >= c->eqn->nin) return disagree(c, value, dim, "has a window in a result");
	if (f->kind[f->slot[i].factor] != FACTOR_PERMUTE)
		return disagree(c, value, dim, "has a window of a factor that does not move");
	if (w->step == 0 || w->every < 1 || w->low > w->high || w->size < 0)
		return disagree(c, value, dim, "has a window that cannot be");
	for (int k = 0; k < f->nslots; k++)
		if (k != i && f->slot[k].value == value && f->slot[k].dim == dim)
			return disagree(c, value, dim, "has a window and another factor");
	return true;
}

static bool check_slot(const claims *c, int i)
{
	const factors *f = c->factors;
	const int value = f->slot[i].value, dim = f->slot[i].dim, factor = f->slot[i].factor;
	const int window = f->slot[i].window;

	if (value < 0 || value >= c->eqn->nin + c->eqn->nout || dim < 0 ||
	    dim >= claims_type(c, value)->ndim || factor < 0 || factor >= f->n || window < 0 ||
	    window > f->nwindows)
		return fail(c->base, c->eqn->where, TSR_ERROR_TYPE,
		            "factor rule of %s: slot %d (value %d, dim %d, factor %d, window %d) "
		            "is out of range",
		            c->eqn->prim->name, i, value, dim, factor, window);
	if (f->kind[factor] == FACTOR_REDUCE && value >= c->eqn->nin)
		return disagree(c, value, dim, "has a factor that is summed over");
	if (c->inside[value] >> factor & 1)
		return disagree(c, value, dim, "has a factor for the second time");
	if (window && !check_window(c, i)) return false;
	c->inside[value] |= (uint64_t)1 << factor;
	int64_t *product = &c->product[c->first[value] + dim];
	return mul_ok(*product, factor_slot_size(f, i), product) ||
	       disagree(c, value, dim, "overflows");
}

static bool bad_factor(const claims *c, int factor, const char *problem)
{
	return fail(c->base, c->eqn->where, TSR_ERROR_TYPE, "factor rule of %s: factor %d %s",
	            c->eqn->prim->name, factor, problem);
}

/* its kind, after all slots have been checked */
static bool check_kind_of(const claims *c, int factor)
{
	const factors *f = c->factors;
	uint64_t operands = 0, results = 0;
	bool moves = false;

	for (int v = 0; v < c->eqn->nin; v++) operands |= c->inside[v];
	for (int j = 0; j < c->eqn->nout; j++) results |= c->inside[c->eqn->nin + j];
	const bool given = operands >> factor & 1, made = results >> factor & 1;
	for (int i = 0; i < f->nslots; i++)
		moves = moves || (f->slot[i].factor == factor && f->slot[i].window);
	switch (f->kind[factor]) {
	case FACTOR_PASS:
		return given || !made || bad_factor(c, factor, "passes, but no operand has it");
	case FACTOR_FREE:
		return !given || bad_factor(c, factor, "is free, but an operand has it");
	case FACTOR_REDUCE: return true;
	case FACTOR_PERMUTE:
		return (made && moves) ||
		       bad_factor(c, factor, "moves, but has no window or is in no result");
	case FACTOR_REPLICATE:
		return (f->why[factor] && *f->why[factor]) ||
		       bad_factor(c, factor, "must be whole and does not say why");
	}
	return bad_factor(c, factor, "has no kind");
}

static bool check_claims(const claims *c)
{
	for (int i = 0; i < c->factors->nslots; i++)
		if (!check_slot(c, i)) return false;
	for (int v = 0; v < c->eqn->nin + c->eqn->nout; v++)
		for (int d = 0; d < claims_type(c, v)->ndim; d++)
			if (c->product[c->first[v] + d] != claims_type(c, v)->dims[d])
				return disagree(c, v, d, "is not the product of its factors");
	for (int i = 0; i < c->factors->n; i++)
		if (!check_kind_of(c, i)) return false;
	return true;
}

bool factors_agree(base *bs, const eqn *e, const type *const *in, const type *const *out,
                   const factors *f)
{
	claims c = {bs, e, in, out, f, NULL, NULL, NULL};
	const size_t nvalues = (size_t)e->nin + (size_t)e->nout;
	size_t ndims = 0;

	if (f->full) return true;
	for (size_t v = 0; v < nvalues; v++) ndims += (size_t)claims_type(&c, (int)v)->ndim;
	c.inside = mem_array(bs, nvalues + ndims + 1, sizeof *c.inside + sizeof *c.first);
	if (!c.inside) return false;
	c.product = (int64_t *)(c.inside + nvalues);
	c.first = (int *)(c.product + ndims);
	for (size_t d = 0; d < ndims; d++) c.product[d] = 1;
	for (size_t v = 1; v < nvalues; v++)
		c.first[v] = c.first[v - 1] + claims_type(&c, (int)v - 1)->ndim;
	const bool ok = check_claims(&c);
	mem_free(bs, c.inside);
	return ok;
}
