/* test_blocks.c - factor rules against brute force: for each factor of an equation that lets shards
 * pass through or gives partial results, and for 2, 3 and 4 blocks, dividing or not, the same
 * equation on blocks of its operands gives the blocks of its results, or partial results that the
 * factor's operator joins. It also does so if all blocks are padded to one size, with what the row
 * needs there, or else with garbage.
 *
 * Where elements move, a block of the result depends on the indices of the operands that its window
 * names, and on no other ones. Where the row has a form of its own for blocks, the same equation
 * would not do; but a block of the result depends on blocks of the operands alone, or the whole
 * equation on operands that hold nothing but a block gives partial results. What must be whole is
 * listed, and depends on more than a block.
 *
 * Example: reshape of f32[6,4] to f32[24] is "ab->(ab)". Along b, the second of two blocks is
 * columns 2 and 3 of the operand, f32[6,2], and elements 2 and 3 of every four of the result, of
 * which it makes f32[12]. */
#include "prim/blocks_rig.h"

enum { FEWEST_BLOCKS = 2, MOST_BLOCKS = 4, CHANGED = 99, NONE = -1 };

static const int bytes[] = {0xff, 0x7e}; /* as floats NaN and 8e37, as integers -1 and large */

/* of a row with partial results of its own: the set of operands that hold nothing but a block then;
 * 0: blocks ask each other, which devices alone can (tests/spmd) */
static unsigned parts_of(const row_case *c)
{
	if (row_is_of(c, "dynamic_slice") || row_is_of(c, "gather")) return 1;
	if (!row_is_of(c, "scatter")) return 0;
	return strstr(c->equation, "combine=add") || strstr(c->equation, "combine=mul") ? 5 : 0;
}

/* ---- what is claimed of a factor */

/* Does the same row make the blocks of the results of blocks of the operands, or, with op, partial
 * results? garbage: blocks are padded with it; NONE: the last ones are short, or are not there */
static bool blocks_agree(const trial *t, const factors *f, int factor, int n, const factor_op *op,
                         int garbage)
{
	const int64_t size = f->size[factor], block = (size + n - 1) / n;
	array got[MOST_VALUES], y[MOST_VALUES];
	bool ok = true;

	for (int j = 0; j < t->e->nout; j++) got[j] = array_make(t->t[t->e->nin + j]);
	const int64_t last = garbage == NONE ? size : n * block;
	for (int64_t first = 0; ok && first < last; first += block) {
		const bool is_short = garbage == NONE && first + block > size;
		const cut c = {f, factor, first, is_short ? size : first + block};
		ok = eval_block(t, &c, garbage, y);
		for (int j = 0; ok && j < t->e->nout; j++) {
			if (op)
				join_results(&got[j], &y[j], *op, first == 0);
			else if (first == 0 || has_factor(f, t->e->nin + j, factor))
				move_block(&c, t->e->nin + j, &got[j], &y[j], true);
			free(y[j].data);
		}
	}
	for (int j = 0; j < t->e->nout; j++) ok = ok && same_memory(&got[j], &t->y[j]);
	free_arrays(got, t->e->nout);
	return ok;
}

/* Does the whole equation make partial results, if each operand of the set `parts` holds nothing
 * but a block, or, without the factor, is there for the first block alone? */
static bool parts_agree(const trial *t, const factors *f, int factor, int n, factor_op op,
                        unsigned parts)
{
	const int64_t size = f->size[factor], block = (size + n - 1) / n;
	array got[MOST_VALUES], x[MOST_VALUES], y[MOST_VALUES];
	bool ok = true;

	for (int j = 0; j < t->e->nout; j++) got[j] = array_make(t->t[t->e->nin + j]);
	for (int64_t first = 0; first < size; first += block) {
		copy_operands(t, x);
		for (int i = 0; i < t->e->nin; i++)
			if ((parts >> i & 1) && (first || has_factor(f, i, factor)))
				set_where(t, f, factor, x, i, (index_range){first, first + block},
				          false, neutral(op));
		eval_whole(t, x, y);
		for (int j = 0; j < t->e->nout; j++)
			join_results(&got[j], &y[j], op, first == 0);
		free_arrays(x, t->e->nin);
		free_arrays(y, t->e->nout);
	}
	for (int j = 0; j < t->e->nout; j++) ok = ok && same_memory(&got[j], &t->y[j]);
	free_arrays(got, t->e->nout);
	return ok;
}

/* Does a block of the results change if the operands change where it does not need them, or, with
 * `end` 1 or 2, at the first or the last index of a slot that it needs? */
static bool block_changes(const trial *t, const cut *c, int slot, int end)
{
	const factors *f = c->f;
	array x[MOST_VALUES];

	copy_operands(t, x);
	for (int i = 0; i < f->nslots; i++) {
		if (f->slot[i].factor != c->factor || f->slot[i].value >= t->e->nin) continue;
		index_range at = factor_needs(f, i, (index_range){c->first, c->end});
		if (end && i != slot) continue;
		if (end == 1) at.end = at.first + 1;
		if (end == 2) at.first = at.end - 1;
		set_where(t, f, c->factor, x, f->slot[i].value, at, end != 0, CHANGED);
	}
	const bool same = same_block(t, c, x);
	free_arrays(x, t->e->nin);
	return !same;
}

/* A block of the results needs what factor_needs says, and no more: it depends on the first and on
 * the last index of each window */
static void check_needs(const trial *t, const factors *f, int factor, int n)
{
	const int64_t size = f->size[factor], block = (size + n - 1) / n;

	for (int64_t first = 0; first < size; first += block) {
		const cut c = {f, factor, first, first + block < size ? first + block : size};
		if (block_changes(t, &c, 0, 0)) fail_at(t, f, factor, "a block needs more");
		for (int i = 0; i < f->nslots && f->kind[factor] == FACTOR_PERMUTE; i++) {
			if (f->slot[i].factor != factor || f->slot[i].value >= t->e->nin) continue;
			const index_range r = factor_needs(f, i, (index_range){c.first, c.end});
			for (int end = 1; r.first < r.end && end <= 2; end++)
				if (!block_changes(t, &c, i, end))
					fail_at(t, f, factor, "a block needs less");
		}
	}
}

/* ---- what must be whole, and why */

typedef struct whole {
	const char *row, *why;
	bool partial; /* its blocks make partial results, but as large as the result is: it is
	               * nearly always smaller */
	bool seen;
} whole;
static whole wholes[] = {
	{"reshape", "the reshape mixes its elements", false, false}, /* test_factors.c */
	{"bitcast_convert_type", "it is the parts of one number", false, false},
	{"top_k", "picked", false, false},
	{"cholesky", "factorised", false, false},
	{"lu", "factorised", false, false},
	{"fft", "transformed", false, false},
	{"qr", "factorised", false, false},
	{"eigh", "factorised", false, false},
	{"svd", "factorised", false, false},
	{"hessenberg", "factorised", false, false},
	{"tridiagonal", "factorised", false, false},
	{"schur", "factorised", false, false},
	{"eig", "factorised", false, false},
	{"triangular_solve", "solved", false, false},
	{"patches", "a window is whole", false, false},
	{"add_patches", "a window is whole", true, false},
	{"gather", "it holds index vectors", false, false},
	{"scatter", "it holds index vectors", false, false},
	{"scatter", "a later window replaces an earlier one", false, false},
	{"random_bits", "the words of a key", false, false},
	{"scatter", "any block may need any part of it", true, false},
	{"dynamic_update_slice", "any block may need any part of it", true, false},
};

static const whole *whole_of(const trial *t, const char *why)
{
	for (size_t k = 0; k < ARRAY_LEN(wholes); k++)
		if (!strcmp(wholes[k].row, t->e->prim->name) && !strcmp(wholes[k].why, why)) {
			wholes[k].seen = true;
			return &wholes[k];
		}
	fail_msg("%s: \"%s\" is not listed", t->e->prim->name, why);
	return NULL;
}

/* Blocks of the results need other blocks of the operands; and no operator joins partial results */
static void check_whole(const trial *t, const factors *f, int factor, unsigned parts)
{
	const int64_t half = f->size[factor] / 2;
	bool given = false, made = false;

	const whole *listed = whole_of(t, f->why[factor]);
	unsigned holders = 0; /* operands of `parts` that have the factor */
	for (int v = 0; v < t->e->nin + t->e->nout; v++)
		*(v < t->e->nin ? &given : &made) |= has_factor(f, v, factor);
	for (int v = 0; v < t->e->nin; v++)
		if (has_factor(f, v, factor)) holders |= parts & 1u << v;
	if (given && made) {
		factors as = *f;
		as.kind[factor] = FACTOR_PASS;
		const cut c = {&as, factor, 0, half}, d = {&as, factor, half, f->size[factor]};
		if (!block_changes(t, &c, 0, 0) && !block_changes(t, &d, 0, 0))
			fail_at(t, f, factor, "its blocks pass");
	}
	for (int op = FACTOR_SUM; given && !made && op <= FACTOR_XOR; op++) {
		const factor_op with = (factor_op)op;
		if (blocks_agree(t, f, factor, 2, &with, NONE))
			fail_at(t, f, factor, "its blocks can be joined");
		if (holders && !listed->partial && parts_agree(t, f, factor, 2, with, parts))
			fail_at(t, f, factor, "its parts can be joined");
	}
}

/* ---- an equation */

/* has it each of its dims for itself? */
static bool is_alone(const trial *t, const factors *f, int factor)
{
	for (int i = 0; i < f->nslots; i++)
		if (f->slot[i].factor == factor &&
		    f->size[factor] != t->t[f->slot[i].value]->dims[f->slot[i].dim])
			return false;
	return true;
}

static void check_factor(const trial *t, const factors *f, int factor, unsigned parts)
{
	const bool reduced = f->kind[factor] == FACTOR_REDUCE;
	const factor_op *op = reduced ? &f->op[factor] : NULL;

	if (f->size[factor] < 2) return;
	if (f->kind[factor] == FACTOR_REPLICATE) {
		check_whole(t, f, factor, parts);
		return;
	}
	if ((f->own >> factor & 1) && !t->e->prim->local)
		fail_at(t, f, factor, "it has no form of the row's own");
	if ((f->own >> factor & 1) && blocks_agree(t, f, factor, FEWEST_BLOCKS, op, NONE))
		fail_at(t, f, factor, "the same row would do");
	for (int n = FEWEST_BLOCKS; n <= MOST_BLOCKS; n++) {
		if (factor_same_row(f, factor)) {
			if (!blocks_agree(t, f, factor, n, op, NONE))
				fail_at(t, f, factor, "its blocks differ");
			for (int k = 0; is_alone(t, f, factor) && k < 2; k++)
				if (!blocks_agree(t, f, factor, n, op, bytes[k]))
					fail_at(t, f, factor, "its padding counts");
		} else if (!reduced) { /* forms of a row's own may ask other devices */
			if (!(f->own >> factor & 1)) check_needs(t, f, factor, n);
		} else if (parts && !parts_agree(t, f, factor, n, *op, parts)) {
			fail_at(t, f, factor, "its parts differ");
		}
	}
}

/* how many factors it has along which the same row makes blocks of blocks */
static int check_equation(rig *r, const program *p, unsigned parts, int more)
{
	trial t = {.r = r, .p = p, .e = &p->eqns[0]};
	factors *f = calloc(1, sizeof *f);
	const void *x[MOST_VALUES];
	void *y[MOST_VALUES];
	int cuts = 0;

	assert_true(f && t.e->nin + t.e->nout <= MOST_VALUES);
	for (int i = 0; i < t.e->nin; i++) {
		t.x[i] = array_make(t.t[i] = type_of(p, t.e->in[i]));
		fill(&t.x[i], i, more);
		x[i] = t.x[i].data;
	}
	eval_eqn(p, t.e, x, y);
	for (int j = 0; j < t.e->nout; j++)
		t.y[j] = (array){t.t[t.e->nin + j] = type_of(p, t.e->out[j]), y[j]};
	t.e->prim->factors(t.e, t.t, t.t + t.e->nin, f);
	assert_true(factors_agree(&r->base, t.e, t.t, t.t + t.e->nin, f));
	for (int k = 0; k < f->n; k++) {
		check_factor(&t, f, k, parts);
		cuts += factor_same_row(f, k);
	}
	free_arrays(t.x, t.e->nin);
	free_arrays(t.y, t.e->nout);
	free(f);
	return cuts;
}

/* ---- every row */

static bool tried[512];

static void try_program(rig *r, const row_case *c, program *p)
{
	const tsr_prim *row = p->eqns[0].prim;
	const unsigned parts = parts_of(c);

	for (int k = 0; k < all_prims_count; k++)
		if (all_prims[k] == row) tried[k] = true;
	const int cuts = check_equation(r, p, parts, 0);
	if (row_has(c, "S") && row->flags & PRIM_ELEMENTWISE) assert_int_equal(cuts, 2);
	/* numbers of one sign: 0 is less, or more, than all of them */
	for (int more = -7; (row->flags & PRIM_REDUCES) && more <= 7; more += 14)
		check_equation(r, p, parts, more);
	program_release(p);
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
	program *p[2];
	int count = 0;

	for (size_t k = 0; k < ROW_CASES; k++) {
		const int n = case_programs(r, &row_cases[k], BLOCKS, p);
		for (int i = 0; i < n; i++) try_program(r, &row_cases[k], p[i]);
		count += n;
	}
	print_message("%d equations\n", count);
	for (int k = 0; k < all_prims_count; k++) {
		const tsr_prim *row = all_prims[k];
		if (!tried[k] && row->eval && !names_axes(row))
			fail_msg("%s is in no case", row->name);
	}
	for (size_t k = 0; k < ARRAY_LEN(wholes); k++)
		if (!wholes[k].seen) fail_msg("%s: not seen", wholes[k].why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_row, rig_open, rig_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
