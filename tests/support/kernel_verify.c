/* kernel_verify.c - verifies a kernel: every value is defined before its uses, in the same region
 * or in one around it; dtypes fit; an input is read with as many indices as it has dims.
 *
 * Example, of which a mistake exchanges the last two nodes:
 *
 *     f(%0: f32[4]) -> f32[4] {
 *       %1: f32[4] = mul %0 2.0:f32
 *       %2: f32[4] = sqrt %1
 *       return %2
 *     }
 *
 * A kernel is machine code next, which nothing checks any more:
 *
 *     kernel: %2, sqrt: an operand is not defined before it */
#include "support/kernels.h"
#include "kernel/work.h"

enum { TAKES_BOOL = 1, TAKES_INT = 2, TAKES_FLOAT = 4, TAKES_SAME = 8 };
#define TAKES_BITS (TAKES_BOOL | TAKES_INT)
#define TAKES_REAL (TAKES_INT | TAKES_FLOAT)

/* operations on operands of one dtype; SAME: the result has it too, otherwise it is a bool */
static const struct op_row {
	int nargs;
	unsigned takes;
} rows[KOPS] = {
	[K_NEG] = {1, TAKES_REAL | TAKES_SAME},       [K_NOT] = {1, TAKES_BITS | TAKES_SAME},
	[K_ABS] = {1, TAKES_FLOAT | TAKES_SAME},      [K_FLOOR] = {1, TAKES_FLOAT | TAKES_SAME},
	[K_CEIL] = {1, TAKES_FLOAT | TAKES_SAME},     [K_ROUND] = {1, TAKES_FLOAT | TAKES_SAME},
	[K_SQRT] = {1, TAKES_FLOAT | TAKES_SAME},     [K_ADD] = {2, TAKES_REAL | TAKES_SAME},
	[K_SUB] = {2, TAKES_REAL | TAKES_SAME},       [K_MUL] = {2, TAKES_REAL | TAKES_SAME},
	[K_DIV] = {2, TAKES_REAL | TAKES_SAME},       [K_REM] = {2, TAKES_REAL | TAKES_SAME},
	[K_MIN] = {2, TAKES_REAL | TAKES_SAME},       [K_MAX] = {2, TAKES_REAL | TAKES_SAME},
	[K_AND] = {2, TAKES_BITS | TAKES_SAME},       [K_OR] = {2, TAKES_BITS | TAKES_SAME},
	[K_XOR] = {2, TAKES_BITS | TAKES_SAME},       [K_SHL] = {2, TAKES_INT | TAKES_SAME},
	[K_SHR] = {2, TAKES_INT | TAKES_SAME},        [K_SAR] = {2, TAKES_INT | TAKES_SAME},
	[K_COPYSIGN] = {2, TAKES_FLOAT | TAKES_SAME}, [K_FMA] = {3, TAKES_FLOAT | TAKES_SAME},
	[K_EQ] = {2, TAKES_BITS | TAKES_REAL},        [K_NE] = {2, TAKES_BITS | TAKES_REAL},
	[K_LT] = {2, TAKES_BITS | TAKES_REAL},        [K_LE] = {2, TAKES_BITS | TAKES_REAL},
	[K_GT] = {2, TAKES_BITS | TAKES_REAL},        [K_GE] = {2, TAKES_BITS | TAKES_REAL},
};

static const struct fn_row {
	int nargs;
	bool f32;
} fns[KFNS] = {
#define FUNCTION(NAME, name, n, bound) {n, true},
#define FUNCTION_F64(NAME, name, n, bound) {n, false},
#include "kernel/functions.def"
};

typedef struct checker {
	const kernel *k;
	bool *defined; /* of each node */
} checker;

static tsr_dtype arg_dtype(const checker *c, const knode *n, int i)
{
	return k_dtype(c->k, n->args[i]);
}

static unsigned taken_as(tsr_dtype t)
{
	if (t == TSR_BOOL) return TAKES_BOOL;
	if (t == TSR_F32 || t == TSR_F64) return TAKES_FLOAT;
	return dtype_kind(t) == KIND_INT || dtype_kind(t) == KIND_UINT ? TAKES_INT : 0;
}

static bool is_real(tsr_dtype t) { return dtype_ok(t) && dtype_kind(t) != KIND_COMPLEX; }

static bool load_fits(const checker *c, const knode *n)
{
	const program *p = c->k->program;
	bool fits = n->bits < (uint64_t)p->nin;

	if (!fits) return false;
	const type *t = type_of(p, p->in[n->bits]);
	fits = n->dtype == t->dtype && n->nargs == t->ndim;
	for (int i = 0; fits && i < n->nargs; i++) fits = arg_dtype(c, n, i) == TSR_I64;
	return fits;
}

static bool held_fits(const checker *c, const knode *n)
{
	const type *t = c->k->results[0].type;
	bool fits = c->k->held >= 0 && n->dtype == t->dtype && n->nargs == t->ndim;

	for (int i = 0; fits && i < n->nargs; i++) fits = arg_dtype(c, n, i) == TSR_I64;
	return fits;
}

static bool call_fits(const checker *c, const knode *n)
{
	const struct fn_row *row = n->bits < KFNS ? &fns[n->bits] : NULL;
	bool fits = row && n->nargs == row->nargs &&
	            (n->dtype == TSR_F64 || (n->dtype == TSR_F32 && row->f32));

	for (int i = 0; fits && i < n->nargs; i++) fits = arg_dtype(c, n, i) == n->dtype;
	return fits;
}

static bool reduction_takes(kreduction kind, tsr_dtype t)
{
	const bool complex = dtype_kind(t) == KIND_COMPLEX;

	switch (kind) {
	case KR_SUM:
	case KR_PROD: return complex || taken_as(t) & TAKES_REAL;
	case KR_DOT: return complex || taken_as(t) & TAKES_FLOAT;
	case KR_AND:
	case KR_OR:
	case KR_XOR: return taken_as(t) & TAKES_BITS;
	case KR_MAX:
	case KR_MIN: return taken_as(t) & TAKES_REAL;
	default: return taken_as(t);
	}
}

static bool reduction_fits(const checker *c, const knode *n)
{
	const kregion *r = &c->k->regions[n->inner[0]];
	const kreduction kind = (kreduction)n->bits;
	const tsr_dtype t = k_dtype(c->k, r->yield[0]);
	const bool arg = kind == KR_ARGMAX || kind == KR_ARGMIN;

	return n->bits < KREDUCTIONS && r->kind == KREGION_REDUCE &&
	       r->nyields == (kind == KR_DOT ? 2 : 1) && reduction_takes(kind, t) &&
	       (kind != KR_DOT || k_dtype(c->k, r->yield[1]) == t) &&
	       n->dtype == (arg ? TSR_I64 : t);
}

static bool if_fits(const checker *c, const knode *n)
{
	bool fits = n->nargs && arg_dtype(c, n, 0) == TSR_BOOL;

	for (int i = 0; fits && i < 2; i++) {
		const kregion *r = &c->k->regions[n->inner[i]];
		fits = r->kind == KREGION_BRANCH && r->nyields == 1 &&
		       k_dtype(c->k, r->yield[0]) == n->dtype;
	}
	return fits;
}

static bool plain_fits(const checker *c, const knode *n)
{
	const struct op_row *row = &rows[n->op];
	bool fits = row->nargs && n->nargs == row->nargs;

	for (int i = 0; fits && i < n->nargs; i++)
		fits = arg_dtype(c, n, i) == arg_dtype(c, n, 0) &&
		       row->takes & taken_as(arg_dtype(c, n, i));
	return fits && n->dtype == (row->takes & TAKES_SAME ? arg_dtype(c, n, 0) : TSR_BOOL);
}

static bool fits(const checker *c, const knode *n)
{
	const tsr_dtype from = n->nargs ? arg_dtype(c, n, 0) : TSR_DTYPE_DEFAULT;

	switch (n->op) {
	case K_LOAD: return load_fits(c, n);
	case K_HELD: return held_fits(c, n);
	case K_CALL: return call_fits(c, n);
	case K_REDUCE: return reduction_fits(c, n);
	case K_IF: return if_fits(c, n);
	case K_CONVERT: return n->nargs == 1 && is_real(n->dtype) && is_real(from);
	case K_BITCAST:
		return n->nargs == 1 && is_real(n->dtype) && is_real(from) &&
		       dtype_bits(n->dtype) == dtype_bits(from);
	case K_RE:
	case K_IM:
		return n->nargs == 1 && dtype_kind(from) == KIND_COMPLEX &&
		       n->dtype == dtype_real(from);
	case K_COMPLEX:
		return n->nargs == 2 && dtype_kind(n->dtype) == KIND_COMPLEX &&
		       from == dtype_real(n->dtype) && arg_dtype(c, n, 1) == from;
	case K_SELECT:
		return n->nargs == 3 && from == TSR_BOOL && is_real(n->dtype) &&
		       arg_dtype(c, n, 1) == n->dtype && arg_dtype(c, n, 2) == n->dtype;
	default: return plain_fits(c, n);
	}
}

static bool wrong(const checker *c, const knode *n, const char *what)
{
	return fail(c->k->base, NULL, TSR_ERROR_ARGUMENT, "kernel: %%%d, %s: %s", n->number - 1,
	            kop_name(n->op), what);
}

static bool defined_before(const checker *c, kvar v, int32_t region)
{
	const knode *n = &c->k->nodes[v.id];

	return v.id > 0 && v.id < c->k->nnodes && n->op != K_NONE &&
	       (n->op == K_CONST || (c->defined[v.id] && region_sees(c->k, region, n->region)));
}

static bool region_fits(const checker *c, int32_t region);

static bool node_fits(const checker *c, kvar v, int32_t region)
{
	const knode *n = &c->k->nodes[v.id];
	const int inner = n->op == K_IF ? 2 : n->op == K_REDUCE;

	if (n->region != region) return wrong(c, n, "it is in another region");
	for (int32_t i = 0; i < n->nargs; i++)
		if (!defined_before(c, n->args[i], region))
			return wrong(c, n, "an operand is not defined before it");
	for (int i = 0; i < inner; i++) {
		if (c->k->regions[n->inner[i]].parent != region)
			return wrong(c, n, "its region is in another one");
		if (!region_fits(c, n->inner[i])) return false;
	}
	if (!fits(c, n)) return wrong(c, n, "operands and dtypes do not fit");
	c->defined[v.id] = true;
	return true;
}

static bool region_fits(const checker *c, int32_t region)
{
	const kregion *r = &c->k->regions[region];

	for (int32_t d = 0; d < r->ndim; d++) c->defined[r->index[d].id] = true;
	for (int32_t i = 0; i < r->nnodes; i++)
		if (!node_fits(c, r->nodes[i], region)) return false;
	for (int32_t i = 0; i < r->nyields; i++)
		if (!defined_before(c, r->yield[i], region))
			return fail(c->k->base, NULL, TSR_ERROR_ARGUMENT,
			            "kernel: a region gives a value that is not defined in it");
	return true;
}

static bool results_fit(const checker *c)
{
	for (int32_t j = 0; j < c->k->nresults; j++) {
		const kresult *r = &c->k->results[j];
		const int32_t region = r->guard.id ? r->branch : r->loops;
		bool ok = r->loops <= c->k->ndim;
		if (ok && r->guard.id)
			ok = defined_before(c, r->guard, r->loops) && region_fits(c, r->branch);
		ok = ok && defined_before(c, r->value, region) &&
		     k_dtype(c->k, r->value) == r->type->dtype;
		for (int d = 0; ok && r->at && d < r->type->ndim; d++)
			ok = defined_before(c, r->at[d], region);
		if (ok) continue;
		return fail(c->k->base, NULL, TSR_ERROR_ARGUMENT,
		            "kernel: result %d has no value of its dtype in its loops", j);
	}
	return true;
}

bool kernel_verify(const kernel *k)
{
	const checker c = {k, mem_array(k->base, (size_t)k->nnodes, sizeof *c.defined)};
	bool ok = c.defined;

	for (int32_t d = 0; ok && k->nresults && d <= k->ndim; d++) ok = region_fits(&c, d);
	ok = ok && results_fit(&c);
	mem_free(k->base, c.defined);
	return ok;
}
