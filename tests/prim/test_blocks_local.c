/* test_blocks_local.c - the column `local` against brute force: an equation along a factor that
 * gives blocks a form of the row's own, or moves elements, in 2, 3 and 4 blocks, dividing or not.
 * What the form makes of each device's blocks, or windows, are the blocks of the results, or terms
 * that the factor's operator joins.
 *
 * What the whole has not, in windows and in padding, is 99 here, unless the row needs another
 * number there. Forms that exchange between devices are tried in tests/spmd. */
#include "prim/blocks_rig.h"

enum { FEWEST_BLOCKS = 2, MOST_BLOCKS = 4, NOT_THERE = 99, MOST_VARS = 256 };

/* ---- one device */

typedef struct share {
	const trial *t;
	const factors *f;
	int factor;
	int64_t first, block; /* indices of the factor that its blocks of results have */
} share;

typedef struct span { /* what a value's block has of a dim; dim -1: it has not the factor */
	int dim;
	int64_t first, n;
} span;

static int64_t down(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* of a window: all indices that indices of the factor need, as if the operand had no end */
static span span_at(const share *d, int value, int64_t first)
{
	for (int i = 0; i < d->f->nslots; i++) {
		if (d->f->slot[i].value != value || d->f->slot[i].factor != d->factor) continue;
		const factor_window *w = factor_window_of(d->f, i);
		span s = {d->f->slot[i].dim, first, d->block};
		int64_t last = first + d->block - 1;
		for (int64_t k = first; w && k < first + d->block; k++) {
			const int64_t low = -down(-(k * w->step + w->low), w->every);
			const int64_t high = down(k * w->step + w->high, w->every);
			if (k == first || low < s.first) s.first = low;
			if (k == first || high > last) last = high;
		}
		s.n = last - s.first + 1;
		return s;
	}
	return (span){-1, 0, 0};
}

/* all windows are as long as the longest one */
static span span_of(const share *d, int value)
{
	span s = span_at(d, value, d->first);

	for (int64_t first = 0; first < d->f->size[d->factor]; first += d->block) {
		const span other = span_at(d, value, first);
		if (other.n > s.n) s.n = other.n;
	}
	return s;
}

static const type *spanned(const share *d, int value)
{
	const type *t = d->t->t[value];
	const span s = span_of(d, value);
	int64_t dims[MOST_NDIM];

	memcpy(dims, t->dims, (size_t)t->ndim * sizeof *dims);
	if (s.dim >= 0) dims[s.dim] = s.n;
	return type_shaped(&d->t->r->ir, t, dims, t->ndim, 0);
}

/* whole to block, or back: elements that are in both. Others of the block get a number */
static void move_span(const share *d, int value, const array *whole, const array *block,
                      const void *number, bool back)
{
	const size_t size = tsr_dtype_size(whole->type->dtype);
	const span s = span_of(d, value);
	int64_t index[MOST_NDIM] = {0};

	for (int64_t k = 0; k < block->type->size; k++) {
		int64_t at = 0;
		bool inside = true;
		for (int i = 0; i < block->type->ndim; i++) {
			const int64_t here = index[i] + (i == s.dim ? s.first : 0);
			inside = inside && here >= 0 && here < whole->type->dims[i];
			at = at * whole->type->dims[i] + here;
		}
		char *x = whole->data + (size_t)at * size, *y = block->data + (size_t)k * size;
		if (!back) memcpy(y, inside ? x : number, size);
		if (back && inside) memcpy(x, y, size);
		dims_next(index, block->type->dims, block->type->ndim);
	}
}

/* ---- its program */

static program *form_of(const share *d, const type *const *block)
{
	const eqn *e = d->t->e;
	build *b = build_begin(&d->t->r->ir, "local", NULL, 0);
	var in[MOST_VALUES], out[MOST_VALUES], starts[MOST_VALUES][MOST_NDIM] = {0};
	const var *start[MOST_VALUES];
	const localizing to = {d->t->t, block, start, NULL, 0};

	assert_non_null(b);
	for (int v = 0; v < e->nin + e->nout; v++) {
		const span s = span_of(d, v);
		const int32_t first = (int32_t)s.first;
		start[v] = starts[v];
		if (s.dim >= 0) starts[v][s.dim] = build_literal(b, TSR_I32, &first);
		if (v < e->nin) in[v] = build_input(b, block[v]);
	}
	if (e->prim->local) {
		e->prim->local(b, e, &to, in, out);
	} else {
		const void *params =
			params_on_blocks(build_arena(b), e, d->t->t, block, block + e->nin);
		assert_true(build_eqn_exact(b, e->prim, params, in, e->nin, out, "local", NULL));
	}
	program *p = build_end(b, out, e->nout);
	if (!p) fail_msg("%s: %s", e->prim->name, error_text(&d->t->r->base));
	for (int j = 0; j < e->nout; j++)
		assert_ptr_equal(type_of(p, p->out[j]), block[e->nin + j]);
	return p;
}

/* x: by input; y: by result */
static void eval_program(const program *p, const array *x, array *y)
{
	void *made[MOST_VARS] = {0};
	const void *value[MOST_VARS], *in[MOST_VALUES];
	void *out[MOST_VALUES];

	assert_true(p->nvars <= MOST_VARS);
	for (int v = 0; v < p->nvars; v++) value[v] = p->vars[v].literal;
	for (int i = 0; i < p->nin; i++) value[p->in[i].id] = x[i].data;
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		for (int k = 0; k < e->nin; k++) in[k] = value[e->in[k].id];
		eval_eqn(p, e, in, out);
		for (int j = 0; j < e->nout; j++) value[e->out[j].id] = made[e->out[j].id] = out[j];
	}
	for (int j = 0; j < p->nout; j++) {
		y[j] = array_make(type_of(p, p->out[j]));
		memcpy(y[j].data, value[p->out[j].id], type_bytes(y[j].type));
	}
	for (int v = 0; v < p->nvars; v++) free(made[v]);
}

static void eval_share(const share *d, array *y)
{
	const eqn *e = d->t->e;
	const type *block[MOST_VALUES];
	array x[MOST_VALUES];

	for (int v = 0; v < e->nin + e->nout; v++) block[v] = spanned(d, v);
	for (int i = 0; i < e->nin; i++) {
		unsigned char number[16];
		const padding need = eqn_needs(e, d->t->t, d->f, i, d->factor);
		const int64_t not_there = NOT_THERE;
		x[i] = array_make(block[i]);
		dtype_convert(block[i]->dtype, number, TSR_I64, &not_there, 1);
		if (need != PAD_ANY) padding_number(need, block[i]->dtype, number);
		move_span(d, i, &d->t->x[i], &x[i], number, false);
	}
	program *p = form_of(d, block);
	eval_program(p, x, y);
	program_release(p);
	free_arrays(x, e->nin);
}

/* ---- all of them */

static void try_blocks(const trial *t, const factors *f, int factor, int n)
{
	const bool joined = f->kind[factor] == FACTOR_REDUCE;
	array got[MOST_VALUES], y[MOST_VALUES];
	share d = {t, f, factor, 0, (f->size[factor] + n - 1) / n};

	for (int j = 0; j < t->e->nout; j++) got[j] = array_make(t->t[t->e->nin + j]);
	for (; d.first < f->size[factor]; d.first += d.block) {
		eval_share(&d, y);
		for (int j = 0; j < t->e->nout; j++) {
			if (joined)
				join_results(&got[j], &y[j], f->op[factor], d.first == 0);
			else
				move_span(&d, t->e->nin + j, &got[j], &y[j], NULL, true);
		}
		free_arrays(y, t->e->nout);
	}
	for (int j = 0; j < t->e->nout; j++)
		if (!same_memory(&got[j], &t->y[j])) fail_at(t, f, factor, "its blocks differ");
	free_arrays(got, t->e->nout);
}

/* how many factors were tried */
static int try_equation(rig *r, const program *p)
{
	trial t = {.r = r, .p = p, .e = &p->eqns[0]};
	factors *f = calloc(1, sizeof *f);
	int tried = 0;

	assert_non_null(f);
	for (int i = 0; i < t.e->nin; i++) {
		t.x[i] = array_make(t.t[i] = type_of(p, t.e->in[i]));
		fill(&t.x[i], i, 0);
	}
	for (int j = 0; j < t.e->nout; j++) t.t[t.e->nin + j] = type_of(p, t.e->out[j]);
	eval_whole(&t, t.x, t.y);
	factors_begin(f);
	t.e->prim->factors(t.e, t.t, t.t + t.e->nin, f);
	for (int k = 0; k < f->n; k++) {
		if (f->size[k] < 2 || f->kind[k] == FACTOR_REPLICATE || factor_same_row(f, k))
			continue;
		for (int n = FEWEST_BLOCKS; n <= MOST_BLOCKS; n++) try_blocks(&t, f, k, n);
		tried++;
	}
	free_arrays(t.x, t.e->nin);
	free_arrays(t.y, t.e->nout);
	free(f);
	return tried;
}

/* rows whose forms exchange: argmax asks which block has the largest element, a running sum what
 * the blocks before its own add up to, and sort and top_k which elements go where */
static bool exchanges(const tsr_prim *p)
{
	static const tsr_prim *const rows[] = {
		&tsr__prim_argmax,  &tsr__prim_argmin, &tsr__prim_cumsum,      &tsr__prim_cumprod,
		&tsr__prim_cummax,  &tsr__prim_cummin, &tsr__prim_cumlogsumexp, &tsr__prim_sort,
		&tsr__prim_top_k};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (p == rows[i]) return true;
	return false;
}

static void own_forms(void **state)
{
	bool seen[512] = {false};
	program *p[2];
	int count = 0;

	for (size_t k = 0; k < ROW_CASES; k++) {
		const int n = case_programs(*state, &row_cases[k], FORMS, p);
		for (int d = 0; d < n; d++) {
			const tsr_prim *row = p[d]->eqns[0].prim;
			const int tried = exchanges(row) ? 0 : try_equation(*state, p[d]);
			for (int i = 0; i < all_prims_count; i++)
				seen[i] = seen[i] || (tried && all_prims[i] == row);
			count += tried > 0;
			program_release(p[d]);
		}
	}
	print_message("%d equations\n", count);
	for (int i = 0; i < all_prims_count; i++)
		if (all_prims[i]->local && !seen[i] && !exchanges(all_prims[i]))
			fail_msg("%s is in no case", all_prims[i]->name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(own_forms, rig_open, rig_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
