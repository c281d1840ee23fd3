/* blocks_rig.h - evaluates an equation whole, on blocks of its operands, and on operands with a
 * part changed, for tests of factor rules. */
#ifndef TSR_TESTS_PRIM_BLOCKS_RIG_H
#define TSR_TESTS_PRIM_BLOCKS_RIG_H
#include "prim/local_rig.h"
#include "support/row_cases.h"

enum { MOST_VALUES = 8, MOST_NDIM = 8 };

/* ---- cases, of small sizes */

/* NULL: the row does not take the dtype, or blocks show nothing: operands are literals, the same
 * value twice, or there are no elements */
static inline program *case_program(rig *r, const row_case *c, tsr_dtype dtype)
{
	const row_letters l =
		row_letters_of(tsr_dtype_name(dtype), "6,5", (const int64_t[]){6, 4, 5, 7, 9});
	const row_texts t = row_texts_of(c, &l);
	program *p = rig_parse(r, t.operands, t.equation, t.results, dtype);

	if (!p) error_clear(&r->base);
	bool whole = p && p->nin == p->eqns[0].nin;
	for (int i = 0; whole && i < p->nin; i++)
		whole = p->eqns[0].in[i].id == p->in[i].id && type_of(p, p->in[i])->size;
	for (int j = 0; whole && j < p->nout; j++) whole = type_of(p, p->out[j])->size;
	if (!whole) program_release(p);
	return whole ? p : NULL;
}

/* the programs of a case, in f32 and i32, or in the one dtype that it has; gives how many */
static inline int case_programs(rig *r, const row_case *c, unsigned law, program *to[2])
{
	static const tsr_dtype dtypes[] = {TSR_F32, TSR_I32, TSR_U32, TSR_C64};
	int n = 0;

	for (size_t d = 0; row_law(c, law) && d < ARRAY_LEN(dtypes) && (d < 2 || !n); d++)
		n += (to[n] = case_program(r, c, dtypes[d])) != NULL;
	return n;
}

/* ---- arrays and blocks of them */

typedef struct array {
	const type *type;
	char *data;
} array;

static inline array array_make(const type *t)
{
	const array a = {t, calloc((size_t)t->size + 1, tsr_dtype_size(t->dtype))};

	assert_non_null(a.data);
	return a;
}

/* small whole numbers, so that sums are exact in any order, with `more` added */
static inline void fill(const array *a, int which, int more)
{
	const size_t size = tsr_dtype_size(a->type->dtype);

	for (int64_t i = 0; i < a->type->size; i++) {
		const int64_t v = (i * 7 + which * 3 + i / 5) % 5 - (which ? 0 : 2) + more;
		dtype_convert(a->type->dtype, a->data + (size_t)i * size, TSR_I64, &v, 1);
	}
}

/* One factor that is cut: its indices first .. end - 1, of which the last may be padding */
typedef struct cut {
	const factors *f;
	int factor;
	int64_t first, end;
} cut;

static inline bool has_factor(const factors *f, int value, int factor)
{
	for (int i = 0; i < f->nslots; i++)
		if (f->slot[i].value == value && f->slot[i].factor == factor) return true;
	return false;
}

/* the type of the block of a value */
static inline const type *block_type(ir *ir, const cut *c, int value, const type *t)
{
	int64_t dims[MOST_NDIM];

	memcpy(dims, t->dims, (size_t)t->ndim * sizeof *dims);
	for (int i = 0; i < c->f->nslots; i++)
		if (c->f->slot[i].value == value && c->f->slot[i].factor == c->factor)
			dims[c->f->slot[i].dim] = dims[c->f->slot[i].dim] / c->f->size[c->factor] *
			                          (c->end - c->first);
	return type_shaped(ir, t, dims, t->ndim, 0);
}

/* Index `at` of a dim of the block as an index of the whole: the factors behind the one that is cut
 * are the same */
static inline int64_t index_of(const cut *c, int value, int dim, int64_t at)
{
	int64_t behind = 1;
	bool found = false;

	for (int i = 0; i < c->f->nslots; i++) {
		if (c->f->slot[i].value != value || c->f->slot[i].dim != dim) continue;
		if (c->f->slot[i].factor == c->factor)
			found = true;
		else if (found)
			behind *= c->f->size[c->f->slot[i].factor];
	}
	if (!found) return at;
	const int64_t n = c->end - c->first, size = c->f->size[c->factor];
	return at / behind / n * behind * size + (at / behind % n + c->first) * behind +
	       at % behind;
}

/* whole to block, or back; what is behind the end of the whole stays as it is */
static inline void move_block(const cut *c, int value, const array *whole, const array *block,
                              bool back)
{
	int64_t index[MOST_NDIM] = {0};
	const size_t size = tsr_dtype_size(whole->type->dtype);

	for (int64_t k = 0; k < block->type->size; k++) {
		int64_t at = 0;
		bool inside = true;
		for (int d = 0; d < block->type->ndim; d++) {
			const int64_t i = index_of(c, value, d, index[d]);
			inside = inside && i < whole->type->dims[d];
			at = at * whole->type->dims[d] + i;
		}
		char *x = whole->data + (size_t)at * size, *y = block->data + (size_t)k * size;
		if (inside) memcpy(back ? x : y, back ? y : x, size);
		dims_next(index, block->type->dims, block->type->ndim);
	}
}

/* ---- an equation, whole and on blocks */

typedef struct trial {
	rig *r;
	const program *p;
	const eqn *e;
	const type *t[MOST_VALUES];
	array x[MOST_VALUES], y[MOST_VALUES]; /* operands and results */
} trial;

static inline void fail_at(const trial *t, const factors *f, int factor, const char *what)
{
	str s = {.base = &t->r->base};

	program_print(&s, t->p, 0);
	fail_msg("factor %d of %lld: %s in\n%s", factor, (long long)f->size[factor], what, s.s);
}

static inline bool same_memory(const array *a, const array *b)
{
	return !memcmp(a->data, b->data, type_bytes(a->type));
}

/* what its row needs in the padding of a block of operand i, or else garbage in every byte */
static inline void fill_padding(const trial *t, const cut *c, int i, const array *x, int garbage)
{
	const tsr_dtype dtype = x->type->dtype;
	const padding need = has_factor(c->f, i, c->factor)
	                             ? eqn_needs(t->e, t->t, c->f, i, c->factor)
	                             : PAD_ANY;

	memset(x->data, dtype == TSR_BOOL ? garbage & 1 : garbage, type_bytes(x->type));
	for (int64_t k = 0; need != PAD_ANY && k < x->type->size; k++)
		padding_number(need, dtype, x->data + (size_t)k * tsr_dtype_size(dtype));
}

/* The equation on the blocks, y: its results. Where these end behind the whole, they are padded.
 * false: the same row does not make these of blocks */
static inline bool eval_block(const trial *t, const cut *c, int garbage, array *y)
{
	ir *ir = &t->r->ir;
	const type *block[MOST_VALUES];
	array x[MOST_VALUES];
	var in[MOST_VALUES], out[MOST_VALUES];
	build *b = build_begin(ir, "block", NULL, 0);

	assert_non_null(b);
	for (int i = 0; i < t->e->nin + t->e->nout; i++) block[i] = block_type(ir, c, i, t->t[i]);
	for (int i = 0; i < t->e->nin; i++) {
		x[i] = array_make(block[i]);
		fill_padding(t, c, i, &x[i], garbage);
		move_block(c, i, &t->x[i], &x[i], false);
		in[i] = build_input(b, block[i]);
	}
	const void *params = params_on_blocks(build_arena(b), t->e, t->t, block, block + t->e->nin);
	bool ok = (!t->e->params || params) &&
	          build_eqn_exact(b, t->e->prim, params, in, t->e->nin, out, "block", NULL);
	for (int j = 0; ok && j < t->e->nout; j++)
		ok = build_type(b, out[j]) == block[t->e->nin + j];
	error_clear(&t->r->base);
	program *p = ok ? build_end(b, out, t->e->nout) : NULL;
	if (!ok) build_abandon(b);
	assert_true(!ok || (p && p->neqns == 1));
	const void *given[MOST_VALUES];
	void *made[MOST_VALUES];
	for (int i = 0; i < t->e->nin; i++) given[i] = x[i].data;
	if (ok) eval_eqn(p, &p->eqns[0], given, made);
	for (int j = 0; ok && j < t->e->nout; j++) y[j] = (array){block[t->e->nin + j], made[j]};
	for (int i = 0; i < t->e->nin; i++) free(x[i].data);
	program_release(p);
	return ok;
}

/* the whole equation on other operands */
static inline void eval_whole(const trial *t, const array *x, array *y)
{
	const void *given[MOST_VALUES];
	void *made[MOST_VALUES];

	for (int i = 0; i < t->e->nin; i++) given[i] = x[i].data;
	eval_eqn(t->p, t->e, given, made);
	for (int j = 0; j < t->e->nout; j++) y[j] = (array){t->t[t->e->nin + j], made[j]};
}

static inline void free_arrays(const array *x, int n)
{
	for (int i = 0; i < n; i++) free(x[i].data);
}

/* ---- partial results */

static inline double join(factor_op op, double a, double b)
{
	const int64_t i = (int64_t)a, j = (int64_t)b;

	switch (op) {
	case FACTOR_SUM: return a + b;
	case FACTOR_PROD: return a * b;
	case FACTOR_MAX: return a > b ? a : b;
	case FACTOR_MIN: return a < b ? a : b;
	case FACTOR_AND: return (double)(i & j);
	case FACTOR_OR: return (double)(i | j);
	case FACTOR_XOR: return (double)(i ^ j);
	case FACTOR_ROW: break;
	}
	return 0;
}

/* joined with any of the numbers here, it changes nothing */
static inline double neutral(factor_op op)
{
	static const double numbers[] = {[FACTOR_PROD] = 1, [FACTOR_MAX] = -100,
	                                 [FACTOR_MIN] = 100, [FACTOR_AND] = -1, [FACTOR_XOR] = 0};

	return numbers[op];
}

static inline double number_at(const array *a, int64_t i)
{
	double v;

	dtype_convert(TSR_F64, &v, a->type->dtype,
	              a->data + (size_t)i * tsr_dtype_size(a->type->dtype), 1);
	return v;
}

static inline void set_number(const array *a, int64_t i, double v)
{
	dtype_convert(a->type->dtype, a->data + (size_t)i * tsr_dtype_size(a->type->dtype), TSR_F64,
	              &v, 1);
}

static inline void join_results(const array *to, const array *part, factor_op op, bool first)
{
	for (int64_t i = 0; i < to->type->size; i++) {
		const double b = number_at(part, i);
		set_number(to, i, first ? b : join(op, number_at(to, i), b));
	}
}

/* ---- some elements of a value */

/* the index along the factor of element i of the value; -1: it does not have the factor */
static inline int64_t along_factor(const factors *f, const type *t, int value, int factor,
                                   int64_t i)
{
	int64_t behind = 1, end = t->size;

	for (int k = f->nslots; k-- > 0;) {
		if (f->slot[k].value != value || f->slot[k].factor != factor) continue;
		const int dim = f->slot[k].dim;
		for (int d = 0; d < dim; d++) end /= t->dims[d];
		for (int other = k + 1; other < f->nslots; other++)
			if (f->slot[other].value == value && f->slot[other].dim == dim)
				behind *= factor_slot_size(f, other);
		behind *= end / t->dims[dim];
		return i / behind % factor_slot_size(f, k);
	}
	return -1;
}

/* sets all elements of x[i] with such an index, or with another one; those of a value without the
 * factor have none */
static inline void set_where(const trial *t, const factors *f, int factor, const array *x, int i,
                             index_range at, bool inside, double to)
{
	for (int64_t k = 0; k < x[i].type->size; k++) {
		const int64_t index = along_factor(f, t->t[i], i, factor, k);
		if ((index >= at.first && index < at.end) == inside) set_number(&x[i], k, to);
	}
}

static inline void copy_operands(const trial *t, array *x)
{
	for (int i = 0; i < t->e->nin; i++) {
		x[i] = array_make(t->t[i]);
		memcpy(x[i].data, t->x[i].data, type_bytes(t->t[i]));
	}
}

/* are the blocks of the results the same for the operands x? */
static inline bool same_block(const trial *t, const cut *c, const array *x)
{
	array y[MOST_VALUES];
	bool same = true;

	eval_whole(t, x, y);
	for (int j = 0; j < t->e->nout; j++) {
		const int value = t->e->nin + j;
		const type *block = block_type(&t->r->ir, c, value, t->t[value]);
		const array is = array_make(block), was = array_make(block);
		if (has_factor(c->f, value, c->factor)) {
			move_block(c, value, &y[j], &is, false);
			move_block(c, value, &t->y[j], &was, false);
			same = same && same_memory(&is, &was);
		}
		free(is.data);
		free(was.data);
	}
	free_arrays(y, t->e->nout);
	return same;
}

#endif
