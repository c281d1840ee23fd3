/* row_draws.h - the cases of rows (support/row_cases.def) as programs on operands that are spread,
 * and losses of their results, with gradients that are spread too. */
#ifndef TSR_TESTS_SPMD_ROW_DRAWS_H
#define TSR_TESTS_SPMD_ROW_DRAWS_H
#include "spmd/every_placement.h"
#include "support/row_cases.h"

static const int64_t row_sizes[] = {8, 6, 4, 8, 64}; /* A, B, C, D, L */

static inline const tsr_prim *row_of(const row_case *c)
{
	for (int k = 0; k < all_prims_count; k++)
		if (row_is_of(c, all_prims[k]->name)) return all_prims[k];
	fail_msg("%s: no such row", c->equation);
	return NULL;
}

/* The fewer dims, the more operands there are, for there are as many placements as those of each
 * operand multiplied */
static inline const char *fewer_dims(const row_case *c)
{
	static const char *const dims[] = {"A,B,C", "A,B,C", "A,B", "A"};

	return dims[row_of(c)->nin & 3];
}

/* elementwise rows, whose factors and local forms are one rule for all */
static inline bool is_alike(const row_case *c) { return row_has(c, "S"); }

static inline one one_of(const row_texts *t)
{
	return (one){t->operands, t->equation, t->results};
}

/* does the row take these dtypes? */
static inline bool is_legal(const row_case *c, const row_letters *l)
{
	const row_texts t = row_texts_of(c, l);
	const one o = one_of(&t);
	tsr_ctx *ctx = tsr_open(.devices = 1, .log = log_nothing);
	static written w;
	bool legal;

	write_case(&w, &o);
	{
		TSR_SCOPE(ctx);
		legal = tsr_parse(ctx, w.text) && !tsr_status(ctx);
	}
	tsr_close(ctx);
	return legal;
}

/* The dtypes of T that are tried: those of the first four that the row takes, or else of the other
 * ones; of a case without T one stands for all. Gives how many */
static inline int row_dtypes(const row_case *c, const char *to[4])
{
	static const char *const dtypes[] = {"f32", "i32", "u32", "bool", "c64", "u64"};
	int n = 0;

	for (int k = 0; k < 6 && !(k >= 4 && n); k++) {
		const row_letters l = row_letters_of(dtypes[k], "A", row_sizes);
		if (c->rounds && k == 0) continue;
		if (is_legal(c, &l)) to[n++] = dtypes[k];
		if (n && !row_has(c, "TRW")) break;
	}
	if (!n) fail_msg("%s takes no dtype", c->equation);
	return n;
}

/* T in the loss, if the row has a derivative by some operand of f32; or NULL */
static inline const char *slope_dtype(const row_case *c)
{
	static const char *const dtypes[] = {"f32", "c64"};

	if (!row_law(c, SLOPES) || !needs_gradient(row_of(c))) return NULL;
	for (int k = 0; k < 2; k++) {
		const row_letters l = row_letters_of(dtypes[k], "A", row_sizes);
		const row_texts t = row_texts_of(c, &l);
		if (is_legal(c, &l) && strstr(t.operands, "f32") &&
		    (!strncmp(t.results, "f32", 3) || !strncmp(t.results, "c64", 3)))
			return dtypes[k];
	}
	return NULL;
}

/* their sums round: of elementwise rows, and of complex results, of which the loss is the real
 * part */
static inline void write_slope(written *w, const row_case *c, const row_letters *l)
{
	const row_texts t = row_texts_of(c, l);
	const one o = one_of(&t);

	write_loss(w, &o);
	w->rounds = (is_alike(c) && !c->linear) || *t.results == 'c';
}

/* Each row is in a case, unless it names axes or holds programs, which others have, or calls the
 * user; so is its gradient. Some elementwise rows have that by whole numbers alone */
static inline void every_row_is_in_a_case(void **state)
{
	(void)state;
	for (int k = 0; k < all_prims_count; k++) {
		const tsr_prim *p = all_prims[k];
		bool found = !p->eval || !p->nin || names_axes(p);
		bool slope = is_elementwise(p) || !needs_gradient(p);
		for (int i = 0; i < ROW_CASES; i++) {
			const row_case *c = &row_cases[i];
			if (!row_is_of(c, p->name)) continue;
			found = found || row_law(c, SPREAD);
			slope = slope || slope_dtype(c);
		}
		if (!found) fail_msg("%s is in no case", p->name);
		if (!slope) fail_msg("the gradient of %s is in no case", p->name);
	}
}

#endif
