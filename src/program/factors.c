/* factors.c - factor rules: making them, their text, and whether one agrees with the types.
 *
 * The rule of a product f32[4,8] x f32[8,2] -> f32[4,2] has three factors: a, 4, of the first
 * operand and the result; b, 8, of both operands, which is summed; c, 2. Its text is "ab,bc->ac | b
 * sum". */
#include "program/program.h"

int factor_new(factors *f, int64_t size, factor_kind kind)
{
	if (f->n >= MAX_FACTORS) {
		f->full = true;
		return 0;
	}
	f->size[f->n] = size;
	f->kind[f->n] = kind;
	return f->n++;
}

int factor_reduced(factors *f, int64_t size, factor_op op)
{
	const int factor = factor_new(f, size, FACTOR_REDUCE);

	f->op[factor] = op;
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
	f->nslots++;
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

/* a dim without factors has size 1, and prints as 1 */
static void put_dim(str *s, letters *l, const factors *f, int value, int dim)
{
	int n = 0;

	for (int i = 0; i < f->nslots; i++)
		if (f->slot[i].value == value && f->slot[i].dim == dim) n++;
	if (n == 0) str_put(s, "1");
	if (n > 1) str_put(s, "(");
	for (int i = 0; i < f->nslots; i++)
		if (f->slot[i].value == value && f->slot[i].dim == dim)
			put_letter(s, l, f->slot[i].factor);
	if (n > 1) str_put(s, ")");
}

static void put_kinds(str *s, letters *l, const factors *f)
{
	static const char *const words[] = {
		[FACTOR_REDUCE] = " ",
		[FACTOR_PERMUTE] = " move",
		[FACTOR_REPLICATE] = " whole",
	};
	static const char *const ops[] = {"sum", "prod", "max", "min", "and", "or", "xor"};
	const char *before = " | ";

	for (int place = 1; place <= l->n; place++)
		for (int i = 0; i < f->n; i++) {
			if (l->of[i] != place || f->kind[i] == FACTOR_PASS) continue;
			str_put(s, before);
			put_letter(s, l, i);
			str_put(s, words[f->kind[i]]);
			if (f->kind[i] == FACTOR_REDUCE) str_put(s, ops[f->op[i]]);
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

static bool check_slot(const claims *c, int i)
{
	const factors *f = c->factors;
	const int value = f->slot[i].value, dim = f->slot[i].dim, factor = f->slot[i].factor;

	if (value < 0 || value >= c->eqn->nin + c->eqn->nout || dim < 0 ||
	    dim >= claims_type(c, value)->ndim || factor < 0 || factor >= f->n)
		return fail(c->base, c->eqn->where, TSR_ERROR_TYPE,
		            "factor rule of %s: slot %d (value %d, dim %d, factor %d) is out of "
		            "range",
		            c->eqn->prim->name, i, value, dim, factor);
	if (f->kind[factor] == FACTOR_REDUCE && value >= c->eqn->nin)
		return disagree(c, value, dim, "has a factor that is summed over");
	if (c->inside[value] >> factor & 1)
		return disagree(c, value, dim, "has a factor for the second time");
	c->inside[value] |= (uint64_t)1 << factor;
	int64_t *product = &c->product[c->first[value] + dim];
	return mul_ok(*product, f->size[factor], product) || disagree(c, value, dim, "overflows");
}

static bool check_claims(const claims *c)
{
	for (int i = 0; i < c->factors->nslots; i++)
		if (!check_slot(c, i)) return false;
	for (int v = 0; v < c->eqn->nin + c->eqn->nout; v++)
		for (int d = 0; d < claims_type(c, v)->ndim; d++)
			if (c->product[c->first[v] + d] != claims_type(c, v)->dims[d])
				return disagree(c, v, d, "is not the product of its factors");
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
