/* window.c - says whether a kernel can be the epilogue of a product, computed window by window.
 *
 * The kernel behind a product of 4 rows and 6 columns, x, which adds a bias and cuts off what is
 * negative:
 *
 *     for i0 < 4                              columns   0 1 2   3 4 5
 *       for i1 < 6                            row 0    +------+------+
 *         y[i0, i1] = max(x[i0, i1]           row 1    | A    | B    |
 *                         + bias[i1], 0)      row 2    +------+------+
 *                                             row 3    | C    | D    |
 *
 * The element of y at [i0, i1] needs x there and nowhere else, so A can be computed as soon as the
 * product has A. A kernel that sums the rows of x needs whole rows: its windows are A with B, and C
 * with D. One that sums the columns is no epilogue. */
#include "engine/cpu/native/products/multiply.h"
#include "engine/cpu/native/nest.h"

/* is the place that of the element with the indices of the loops, of all results? */
static bool is_own_element(const nest *s, const address *a)
{
	return a->n == 2 && !a->constant &&
	       address_times(a, s->loops.walk[0].index) == s->window.columns &&
	       address_times(a, s->loops.walk[1].index) == 1;
}

static bool is_product(const nest *s, int32_t id)
{
	const knode *n = &s->k->nodes[id];

	return n->op == K_LOAD && s->needed[id] && n->bits == (uint64_t)s->window.input;
}

/* Rows are the first loop, what is computed is inside it, and it stays in its row of the product */
static bool stays_in_rows(const nest *s)
{
	const bool apart = s->loops.n && s->loops.walk[0].extent == s->window.rows &&
	                   s->items == s->window.rows && s->vector > 0 && !s->ntiled && s->jam;

	return apart && s->k->held < 0 && (s->cut >> s->window.input & 1);
}

/* likewise in its own element: each result is stored there, and nothing is reduced around it */
static bool stays_in_elements(const nest *s)
{
	if (s->loops.n != 2 || s->loops.walk[1].extent != s->window.columns || s->jam >= 0 ||
	    level_reduces(s, &s->level[1]))
		return false;
	for (int32_t id = 1; id < s->k->nnodes; id++)
		if (is_product(s, id) && !is_own_element(s, &s->load[id])) return false;
	for (int32_t i = 0; i < s->k->nresults; i++)
		if (s->k->results[i].loops < s->level[2].first) return false;
	return true;
}

bool nest_takes_windows(const nest *s)
{
	if (s->window.rows < 2 || s->window.columns < MULTIPLE) return false;
	return stays_in_rows(s) && (s->window.whole_rows || stays_in_elements(s));
}
