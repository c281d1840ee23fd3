/* test_blocks.c - factor rules against brute force: for each factor of an equation along which
 * shards pass through or give partial results, and for 2, 3 and 4 blocks, dividing or not, the same
 * equation on blocks of its operands gives the blocks of its results, or partial results that the
 * factor's operator joins.
 *
 * Example: reshape of f32[6,4] to f32[24] is "ab->(ab)". Along b, the second of two blocks is
 * columns 2 and 3 of the operand, f32[6,2], and elements 2 and 3 of every four of the result, of
 * which it makes f32[12]. */
#include "prim/local_rig.h"
#include "support/windows.h"

enum { MOST_VALUES = 8, MOST_NDIM = 8, FEWEST_BLOCKS = 2, MOST_BLOCKS = 4 };

static const struct blocks_case {
	const char *operands, *equation, *results;
} cases[] = {
	{"T[6,4]", "reshape %0 dims=[24]", "T[24]"},
	{"T[24]", "reshape %0 dims=[6,4]", "T[6,4]"},
	{"T[6,4,5]", "reshape %0 dims=[4,6,5]", "T[4,6,5]"},
	{"T[3,2,8]", "reshape %0 dims=[2,3,2,4]", "T[2,3,2,4]"},
	{"T[5,6,4]", "reshape %0 dims=[5,24]", "T[5,24]"},
	{"T[4,3,1]", "reshape %0 dims=[2,6]", "T[2,6]"},
	{"T[6,4,5]", "transpose %0 perm=[2,0,1]", "T[5,6,4]"},
	{"T[6,1]", "broadcast_in_dim %0 dims=[4,6,5] at=[1,2]", "T[4,6,5]"},
	{"T[]", "broadcast_in_dim %0 dims=[4,6] at=[]", "T[4,6]"},
	{"T[1,6,1]", "squeeze %0 dims=[0,2]", "T[6]"},
	{"T[6,5]", "expand_dims %0 dims=[1]", "T[6,1,5]"},
	{"T[6,4,5]", "rev %0 dims=[1]", "T[6,4,5]"},
	{"T[6,2]; T[6,3]", "concatenate %0 %1 dim=1", "T[6,5]"},
	{"T[6,4]; T[]", "pad %0 %1 low=[0,1] high=[0,2] interior=[0,1]", "T[6,10]"},
	{"T[6,8]", "slice %0 start=[0,1] stop=[6,8] step=[1,2]", "T[6,4]"},
	{"T[6,7,3]; i32[]; i32[]; i32[]", "dynamic_slice %0 %1 %2 %3 dims=[6,4,3]", "T[6,4,3]"},
	{"T[6,7,3]; T[6,4,3]; i32[]; i32[]; i32[]", "dynamic_update_slice %0 %1 %2 %3 %4",
         "T[6,7,3]"},
	{"", "iota dtype=T dims=[6,4] dim=1", "T[6,4]"},
	{"T[6,4,5]", "reduce_sum %0 dims=[0,2]", "T[4]"},
	{"T[6,4,5]", "reduce_prod %0 dims=[1]", "T[6,5]"},
	{"T[6,4]", "reduce_max %0 dims=[0,1]", "T[]"},
	{"T[6,4]", "reduce_min %0 dims=[0]", "T[4]"},
	{"i32[6,4]", "reduce_and %0 dims=[1]", "i32[6]"},
	{"i32[6,4]", "reduce_or %0 dims=[0]", "i32[4]"},
	{"i32[6,4]", "reduce_xor %0 dims=[0,1]", "i32[]"},
	{"T[6,4,5]", "argmax %0 dim=1 dtype=i32", "i32[6,5]"},
	{"T[6,4,5]", "argmin %0 dim=0 dtype=i64", "i64[4,5]"},
	{"T[6,4,5]; T[4,7,5]",
         "dot_general %0 %1 contract_a=[2] contract_b=[2] batch_a=[1] batch_b=[0] dtype=T",
         "T[4,6,7]"},
	{"T[6,4]; T[4,6]",
         "dot_general %0 %1 contract_a=[0,1] contract_b=[1,0] batch_a=[] batch_b=[] dtype=T",
         "T[]"},
	{"T[6,4]; i32[6,4]", "sort %0 %1 dim=1 num_keys=1 is_stable=true", "T[6,4]; i32[6,4]"},
	{"T[6,4]", "cumsum %0 dim=0", "T[6,4]"},
	{"u32[6]; u32[6]; u32[6]; u32[6]", "threefry2x32 %0 %1 %2 %3", "u32[6]; u32[6]"},
	{"T[5,6]; i32[4,1]",
         "gather %0 %1" GATHER_DIMS("1", "0", "0", "", "") " slice_sizes=[1,6] mode=clip",
         "T[4,6]"},
	{"T[4,5,6]; i32[4,7,1]",
         "gather %0 %1" GATHER_DIMS("2", "1", "1", "0", "0") " slice_sizes=[1,1,6] mode=fill",
         "T[4,7,6]"},
	{"T[5,6]; i32[4,1]; T[4,6]",
         "scatter %0 %1 %2" SCATTER_DIMS("1", "0", "0", "", "") " combine=add mode=drop", "T[5,6]"},
	{"T[4,5,6]; i32[4,7,1]; T[4,7,6]",
         "scatter %0 %1 %2" SCATTER_DIMS("2", "1", "1", "0", "0") " combine=add mode=clip",
         "T[4,5,6]"},
	{"T[6,5]", "integer_pow %0 y=3", "T[6,5]"},
	{"T[6,5]", "convert_element_type %0 dtype=i32", "i32[6,5]"},
	{"bool[6,5]; T[6,5]; T[6,5]", "select_n %0 %1 %2", "T[6,5]"},
};

/* ---- arrays and blocks of them */

typedef struct array {
	const type *type;
	char *data;
} array;

static array array_make(const type *t)
{
	const array a = {t, calloc((size_t)t->size + 1, tsr_dtype_size(t->dtype))};

	assert_non_null(a.data);
	return a;
}

/* small whole numbers, so that sums are exact in any order */
static void fill(const array *a, int which)
{
	const size_t size = tsr_dtype_size(a->type->dtype);

	for (int64_t i = 0; i < a->type->size; i++) {
		const int64_t v = (i * 7 + which * 3 + i / 5) % 5 - (which ? 0 : 2);
		dtype_convert(a->type->dtype, a->data + (size_t)i * size, TSR_I64, &v, 1);
	}
}

/* One factor that is cut: its indices first .. end - 1 */
typedef struct cut {
	const factors *f;
	int factor;
	int64_t first, end;
} cut;

static bool has_factor(const factors *f, int value, int factor)
{
	for (int i = 0; i < f->nslots; i++)
		if (f->slot[i].value == value && f->slot[i].factor == factor) return true;
	return false;
}

/* the type of the block of a value */
static const type *block_type(ir *ir, const cut *c, int value, const type *t)
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
static int64_t index_of(const cut *c, int value, int dim, int64_t at)
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

/* whole to block, or back */
static void move_block(const cut *c, int value, const array *whole, const array *block, bool back)
{
	int64_t index[MOST_NDIM] = {0};
	const size_t size = tsr_dtype_size(whole->type->dtype);

	for (int64_t k = 0; k < block->type->size; k++) {
		int64_t at = 0;
		for (int d = 0; d < block->type->ndim; d++)
			at = at * whole->type->dims[d] + index_of(c, value, d, index[d]);
		char *x = whole->data + (size_t)at * size, *y = block->data + (size_t)k * size;
		memcpy(back ? x : y, back ? y : x, size);
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

static void check_memory(const trial *t, const array *a, const array *b, const char *what, int n)
{
	const size_t bytes = (size_t)a->type->size * tsr_dtype_size(a->type->dtype);
	str s = {.base = &t->r->base};

	program_print(&s, t->p, 0);
	if (memcmp(a->data, b->data, bytes))
		fail_msg("%s, %d blocks: differs in\n%s", what, n, s.s);
	str_free(&s);
}

/* the equation on the blocks, y: its results */
static void eval_block(const trial *t, const cut *c, array *y)
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
		move_block(c, i, &t->x[i], &x[i], false);
		in[i] = build_input(b, block[i]);
	}
	const void *params = params_on_blocks(build_arena(b), t->e, t->t, block, block + t->e->nin);
	if ((t->e->params && !params) ||
	    !build_eqn_exact(b, t->e->prim, params, in, t->e->nin, out, "block", NULL))
		fail_msg("%s: %s", t->e->prim->name, error_text(&t->r->base));
	program *p = build_end(b, out, t->e->nout);
	assert_non_null(p);
	assert_int_equal(p->neqns, 1);
	const void *given[MOST_VALUES];
	void *made[MOST_VALUES];
	for (int i = 0; i < t->e->nin; i++) given[i] = x[i].data;
	for (int j = 0; j < t->e->nout; j++)
		assert_ptr_equal(type_of(p, p->eqns[0].out[j]), block[t->e->nin + j]);
	eval_eqn(p, &p->eqns[0], given, made);
	for (int j = 0; j < t->e->nout; j++) y[j] = (array){block[t->e->nin + j], made[j]};
	for (int i = 0; i < t->e->nin; i++) free(x[i].data);
	program_release(p);
}

static double join(factor_op op, double a, double b)
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
	}
	return 0;
}

static void join_results(const array *to, const array *part, factor_op op, bool first)
{
	const size_t size = tsr_dtype_size(to->type->dtype);

	for (int64_t i = 0; i < to->type->size; i++) {
		double a, b;
		dtype_convert(TSR_F64, &a, to->type->dtype, to->data + (size_t)i * size, 1);
		dtype_convert(TSR_F64, &b, to->type->dtype, part->data + (size_t)i * size, 1);
		const double both = first ? b : join(op, a, b);
		dtype_convert(to->type->dtype, to->data + (size_t)i * size, TSR_F64, &both, 1);
	}
}

static void check_cut(const trial *t, const factors *f, int factor, int n)
{
	const int64_t size = f->size[factor], block = (size + n - 1) / n;
	const bool partial = f->kind[factor] == FACTOR_REDUCE;
	array got[MOST_VALUES], y[MOST_VALUES];

	for (int j = 0; j < t->e->nout; j++) got[j] = array_make(t->t[t->e->nin + j]);
	for (int64_t first = 0; first < size; first += block) {
		const cut c = {f, factor, first, first + block < size ? first + block : size};
		eval_block(t, &c, y);
		for (int j = 0; j < t->e->nout; j++) {
			if (partial)
				join_results(&got[j], &y[j], f->op[factor], first == 0);
			else if (first == 0 || has_factor(f, t->e->nin + j, factor))
				move_block(&c, t->e->nin + j, &got[j], &y[j], true);
			free(y[j].data);
		}
	}
	for (int j = 0; j < t->e->nout; j++) {
		check_memory(t, &got[j], &t->y[j], partial ? "parts" : "blocks", n);
		free(got[j].data);
	}
}

/* how many factors it has that can be cut */
static int check_equation(rig *r, const program *p)
{
	trial t = {.r = r, .p = p, .e = &p->eqns[0]};
	factors *f = calloc(1, sizeof *f);
	const void *x[MOST_VALUES];
	void *y[MOST_VALUES];
	int cuts = 0;

	assert_true(f && t.e->nin + t.e->nout <= MOST_VALUES);
	for (int i = 0; i < t.e->nin; i++) {
		t.x[i] = array_make(t.t[i] = type_of(p, t.e->in[i]));
		fill(&t.x[i], i);
		x[i] = t.x[i].data;
	}
	eval_eqn(p, t.e, x, y);
	for (int j = 0; j < t.e->nout; j++)
		t.y[j] = (array){t.t[t.e->nin + j] = type_of(p, t.e->out[j]), y[j]};
	t.e->prim->factors(t.e, t.t, t.t + t.e->nin, f);
	assert_true(factors_agree(&r->base, t.e, t.t, t.t + t.e->nin, f));
	for (int k = 0; k < f->n; k++) {
		if (f->kind[k] != FACTOR_PASS && f->kind[k] != FACTOR_REDUCE) continue;
		cuts++;
		for (int n = FEWEST_BLOCKS; n <= MOST_BLOCKS; n++) check_cut(&t, f, k, n);
	}
	for (int i = 0; i < t.e->nin; i++) free(t.x[i].data);
	for (int j = 0; j < t.e->nout; j++) free(t.y[j].data);
	free(f);
	return cuts;
}

/* ---- every row */

static bool tried[512];

static void try_case(rig *r, const struct blocks_case *c, tsr_dtype dtype)
{
	program *p = rig_program(r, c->operands, c->equation, c->results, dtype);

	for (int k = 0; k < all_prims_count; k++)
		if (all_prims[k] == p->eqns[0].prim) tried[k] = true;
	check_equation(r, p);
	program_release(p);
}

/* operands of one shape, and of the first dtype that the row accepts */
static void try_elementwise(rig *r, const tsr_prim *row, int which)
{
	static const tsr_dtype dtypes[] = {TSR_F32, TSR_I32, TSR_BOOL};
	const int64_t dims[] = {6, 5};

	for (size_t d = 0; d < ARRAY_LEN(dtypes) && !tried[which]; d++) {
		build *b = build_begin(&r->ir, row->name, NULL, 0);
		const type *t = type_make(&r->ir, dtypes[d], dims, 2, 0);
		var in[3], out;
		assert_true(b && t && row->nin > 0 && row->nin <= 3);
		for (int i = 0; i < row->nin; i++) in[i] = build_input(b, t);
		const bool ok = build_eqn(b, row, NULL, in, row->nin, &out, "elementwise");
		program *p = ok ? build_end(b, &out, 1) : NULL;
		if (!ok) build_abandon(b);
		if (!p) {
			error_clear(&r->base);
			continue;
		}
		tried[which] = true;
		assert_int_equal(check_equation(r, p), 2);
		program_release(p);
	}
}

/* such a row stands in a mapped region */
static bool names_axes(const tsr_prim *p)
{
	for (const field *f = p->params; f && f->name; f++)
		if (f->kind == FIELD_AXES) return true;
	return false;
}

static void every_row(void **state)
{
	rig *r = *state;

	for (size_t k = 0; k < ARRAY_LEN(cases); k++) {
		try_case(r, &cases[k], TSR_F32);
		try_case(r, &cases[k], TSR_I32);
	}
	for (int k = 0; k < all_prims_count; k++) {
		const tsr_prim *p = all_prims[k];
		if ((p->flags & PRIM_ELEMENTWISE) && !tried[k]) try_elementwise(r, p, k);
		if (!tried[k] && p->eval && !names_axes(p)) fail_msg("%s is in no case", p->name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_row, rig_open, rig_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
