/* bins.c - finds places in sorted arrays, and with these counts elements by bins and interpolates
 * between points: jax.numpy's searchsorted and its kin (jax/_src/numpy/lax_numpy.py).
 *
 * A place is found by halving, for all elements at once: of 6 edges it is first tried whether 4 of
 * them come before an element, then whether 2 more do, then 1 more. For the edges 1 3 5 7 9 11 and
 * the element 8 the answers are yes (7 < 8), no (11 is not), no (9 is not): its place is 4. */
#include <math.h>
#include "lib/formula.h"
#include "lib/linalg/products.h"

/* does an edge come before an element? NaN comes last */
static tsr_arg before(const call_site *site, tsr_arg edge, tsr_arg x, bool right)
{
	if (kind_of_operand(x) < KIND_FLOAT) return right ? IS(le, edge, x) : IS(lt, edge, x);
	const tsr_arg none = OP_1(isnan, x);
	if (right) return EITHER(IS(le, edge, x), none);
	return EITHER(IS(lt, edge, x), BOTH(none, IS(eq, edge, edge)));
}

/* the place of each element of v in a [n], which is in order; both are of one dtype */
static tsr *places_in(const call_site *site, tsr *a, tsr *v, bool right)
{
	const type *t = handle_type(v);
	const int64_t n = handle_type(a)->dims[0];
	const tsr_dtype dtype = dtype_holding(n);
	const tsr_index_args in = {.size = sizeof in, .mode = TSR_CLIP};
	tsr_arg at = HANDLE(zeros_of(site, (etype){dtype, false}, t->dims, t->ndim));
	int64_t step = 1;

	while (step <= n / 2) step *= 2;
	for (; n && step; step /= 2) {
		const tsr_arg next = ADD(at, INT(step));
		const tsr_arg last = SUB(next, INT(1));
		const tsr_arg edge = HANDLE(tsr_take_at(site->where, a, 0, last.as.one, &in));
		const tsr_arg comes = before(site, edge, HANDLE(v), right);
		const tsr_arg all = BOTH(IS(le, next, INT(n)), comes);
		at = WHERE(all, next, at);
	}
	return at.as.one;
}

/* both of one dtype; a of one dim. false: recorded */
static bool sorted_prepare(call_site *site, tsr **a, tsr **v)
{
	if (!operands_check(site, (tsr *[]){*a, *v}, 2)) return false;
	const etype common = etype_join(etype_of(handle_type(*a)), etype_of(handle_type(*v)));
	if (handle_type(*a)->ndim != 1)
		return fail_types(site, "takes edges of one dim, and got", a, 1);
	*a = promote(site, *a, common);
	*v = promote(site, *v, common);
	return !handle_is_poison(*a) && !handle_is_poison(*v);
}

tsr *lib_searchsorted(call_site *site, tsr *a, tsr *v, const tsr_searchsorted_args *g)
{
	return sorted_prepare(site, &a, &v) ? places_in(site, a, v, g->right)
	                                    : poison_of(site->ctx);
}

/* of falling edges: those turned over, counted from the end. A NaN at the end is the largest */
tsr *lib_digitize(call_site *site, tsr *x, tsr *bins, const tsr_searchsorted_args *g)
{
	if (!sorted_prepare(site, &bins, &x)) return poison_of(site->ctx);
	const int64_t n = handle_type(bins)->dims[0];
	if (!n) return places_in(site, bins, x, !g->right);
	const tsr_arg falling = IS(lt, HANDLE(tsr_index_at(site->where, bins, 0, -1)),
	                           HANDLE(tsr_index_at(site->where, bins, 0, 0)));
	tsr *turned_over = tsr_flip_at(site->where, bins, TSR_DIMS(0));
	if (handle_is_poison(turned_over)) return turned_over;
	const tsr_arg up = HANDLE(places_in(site, bins, x, !g->right));
	const tsr_arg down = HANDLE(places_in(site, turned_over, x, !g->right));
	return WHERE(falling, SUB(INT(n), down), up).as.one;
}

/* Many elements are searched in a set that is large, of one dim: to compare each with all of it
 * takes longer than to sort it */
static bool is_searched(tsr *x, tsr *set)
{
	const type *t = handle_type(x), *of = handle_type(set);

	return t->size >= TUNE_SEARCHED && of->size >= TUNE_SEARCHED &&
	       dtype_kind(t->dtype) < KIND_COMPLEX && dtype_kind(of->dtype) < KIND_COMPLEX;
}

static tsr *search_each(call_site *site, tsr *x, tsr *set)
{
	const tsr_index_args in = {.size = sizeof in, .mode = TSR_CLIP};
	const tsr_sort_args rising = {.size = sizeof rising};

	if (!sorted_prepare(site, &set, &x)) return poison_of(site->ctx);
	set = tsr_sort_at(site->where, set, &rising);
	if (handle_is_poison(set)) return set;
	tsr *place = places_in(site, set, x, false);
	return IS(eq, HANDLE(tsr_take_at(site->where, set, 0, place, &in)), HANDLE(x)).as.one;
}

tsr *lib_isin(call_site *site, tsr *x, tsr *set)
{
	const tsr_all_args last = {.size = sizeof last, .dims = TSR_DIMS(-1)};

	if (!operands_check(site, (tsr *[]){x, set}, 2)) return poison_of(site->ctx);
	set = tsr_ravel_at(site->where, set);
	if (handle_is_poison(set)) return set;
	if (is_searched(x, set)) return search_each(site, x, set);
	const tsr_arg each = HANDLE(tsr_expand_dims_at(site->where, x, TSR_DIMS(-1)));
	return tsr_any_at(site->where, IS(eq, each, HANDLE(set)).as.one, &last);
}

/* ---- counts */

tsr *lib_bincount(call_site *site, tsr *x, int64_t n, const tsr_bincount_args *g)
{
	tsr *const both[] = {x, g->weights};
	const tsr_index_args in = {.size = sizeof in};

	if (!operands_check(site, both, g->weights ? 2 : 1)) return poison_of(site->ctx);
	const type *t = handle_type(x), *w = g->weights ? handle_type(g->weights) : t;
	if (t->dtype == TSR_BOOL) x = convert(site, x, TSR_I32);
	if (dtype_kind(t->dtype) >= KIND_FLOAT || t->ndim != 1 ||
	    !dims_same(t->dims, t->ndim, w->dims, w->ndim))
		return fail_types(site, "takes integers of one dim, weights of its size, and got",
		                  both, g->weights ? 2 : 1),
		       poison_of(site->ctx);
	const tsr_dtype dtype = g->weights ? w->dtype : dtype_counting(&site->ctx->base, t->size);
	const tsr_new_args of = {.size = sizeof of, .dtype = dtype};
	tsr *none = tsr_zeros_at(site->where, site->ctx, TSR_DIMS(n), &of);
	const tsr_arg place = OP_2(maximum, HANDLE(x), INT(0));
	return tsr_at_add_at(site->where, none, 0, place.as.one,
	                     g->weights ? HANDLE(g->weights) : INT(1), &in);
}

/* n + 1 edges from the lowest to the highest, which are half a unit away where they are equal; of
 * no elements from 0 to 1 */
static tsr *even_edges(const call_site *site, tsr *x, int64_t n, const tsr_histogram_args *g)
{
	const tsr_reduce_args all = {.size = sizeof all};
	const tsr_dtype dtype = handle_type(x)->dtype;
	const bool some = handle_type(x)->size > 0;
	tsr_arg low = g->low, high = g->high;

	if (!given_arg(&low)) low = some ? HANDLE(tsr_min_at(site->where, x, &all)) : INT(0);
	if (!given_arg(&high)) high = some ? HANDLE(tsr_max_at(site->where, x, &all)) : INT(1);
	if (low.kind != TSR_KIND_ONE) low = HANDLE(constant(site, dtype, &low));
	if (high.kind != TSR_KIND_ONE) high = HANDLE(constant(site, dtype, &high));
	const tsr_arg none = IS(eq, low, high);
	const tsr_linspace_args of = {.size = sizeof of, .dtype = dtype};
	return tsr_linspace_at(site->where, site->ctx, WHERE(none, SUB(low, NUM(0.5)), low),
	                       WHERE(none, ADD(high, NUM(0.5)), high), n + 1, &of);
}

/* the edges and the weights of elements, ravelled. false: recorded */
static bool histogram_prepare(call_site *site, tsr **x, tsr **edges, tsr **weights, int64_t n,
                              const tsr_histogram_args *g)
{
	const char *where = site->where;
	tsr *all[3] = {*x, g->weights, g->edges};

	if (!operands_check(site, all, 1) || !matrices_prepare(site, all, g->weights ? 2 : 1))
		return false;
	if (g->weights &&
	    !dims_same(handle_type(all[0])->dims, handle_type(all[0])->ndim,
	               handle_type(all[1])->dims, handle_type(all[1])->ndim))
		return fail_types(site, "takes weights of its dims, and got", all, 2);
	if (!g->edges && (n < 1 || n == INT64_MAX))
		return fail(&site->ctx->base, where, TSR_ERROR_ARGUMENT,
		            "%s: there must be one bin at least, and fewer than 2^63 - 1, not %lld",
		            site->op, (long long)n);
	*weights = g->weights ? all[1] : tsr_ones_like_at(where, all[0]);
	*edges = g->edges ? g->edges : even_edges(site, all[0], n, g);
	*x = tsr_ravel_at(where, all[0]);
	*weights = tsr_ravel_at(where, *weights);
	return !handle_is_poison(*weights) && sorted_prepare(site, edges, x);
}

/* elements in front of all edges are counted too, and left out; the last edge counts as inside */
static tsr *histogram(call_site *site, tsr *x, int64_t n, const tsr_histogram_args *g,
                      tsr **edges)
{
	const char *where = site->where;
	const tsr_index_args in = {.size = sizeof in};
	const tsr_sum_args all = {.size = sizeof all};
	tsr *weights;

	if (!histogram_prepare(site, &x, edges, &weights, n, g)) return poison_of(site->ctx);
	const int64_t count = handle_type(*edges)->dims[0];
	if (count < 2)
		return fail_types(site, "takes two edges at least, and got", edges, 1),
		       poison_of(site->ctx);
	const tsr_arg behind = HANDLE(places_in(site, *edges, x, true));
	const tsr_arg last = IS(eq, HANDLE(x), HANDLE(tsr_index_at(where, *edges, 0, -1)));
	const tsr_arg bin = WHERE(last, INT(count - 1), behind);
	tsr *none = zeros_of(site, (etype){handle_type(weights)->dtype, false}, &count, 1);
	tsr *counts = tsr_at_add_at(where, none, 0, bin.as.one, HANDLE(weights), &in);
	counts = tsr_slice_at(where, counts, 0, 1, TSR_END);
	if (!g->density) return counts;
	const tsr_arg upper = HANDLE(tsr_slice_at(where, *edges, 0, 1, TSR_END));
	const tsr_arg width = SUB(upper, HANDLE(tsr_slice_at(where, *edges, 0, 0, -1)));
	return DIV(DIV(HANDLE(counts), width), HANDLE(tsr_sum_at(where, counts, &all))).as.one;
}

bool lib_histogram(call_site *site, tsr *x, int64_t n, tsr *out[2], const tsr_histogram_args *given)
{
	tsr *edges = NULL;

	out[0] = histogram(site, x, n, given, &edges);
	out[1] = handle_is_poison(out[0]) ? out[0] : edges;
	return !handle_is_poison(out[0]);
}

/* ---- lines */

/* f0 + (x - x0) (f1 - f0) / (x1 - x0) with the points around x; f0 where these are one */
static tsr_arg on_lines(const call_site *site, tsr *x, tsr *xp, tsr *fp)
{
	const tsr_index_args in = {.size = sizeof in, .mode = TSR_CLIP};
	const int64_t n = handle_type(xp)->dims[0];
	const tsr_arg next = CLAMP(INT(1), HANDLE(places_in(site, xp, x, true)), INT(n - 1));
	tsr *const i[] = {SUB(next, INT(1)).as.one, next.as.one};
	tsr_arg px[2], pf[2];

	for (int k = 0; k < 2; k++) {
		px[k] = HANDLE(tsr_take_at(site->where, xp, 0, i[k], &in));
		pf[k] = HANDLE(tsr_take_at(site->where, fp, 0, i[k], &in));
	}
	const tsr_arg width = SUB(px[1], px[0]);
	const bool wide = handle_type(xp)->dtype == TSR_F64;
	const tsr_arg none = IS(le, OP_1(abs, width), NUM(wide ? 0x1p-104 : 0x1p-46));
	const tsr_arg slope = DIV(SUB(HANDLE(x), px[0]), WHERE(none, INT(1), width));
	return WHERE(none, pf[0], ADD(pf[0], MUL(slope, SUB(pf[1], pf[0]))));
}

/* all places within one period, the points rising, with the last one also before the first and the
 * first one also behind the last: of 10 and 350 by 360 -10, 10, 350, 370 */
static void around(const call_site *site, double period, tsr **x, tsr **xp, tsr **fp)
{
	const char *where = site->where;
	const tsr_arg p = NUM(fabs(period));
	const tsr_sort_operands_args by_place = {.size = sizeof by_place};
	tsr *points[2] = {OP_2(remainder, HANDLE(*xp), p).as.one, *fp}, *ends[2][2];

	*x = OP_2(remainder, HANDLE(*x), p).as.one;
	if (!tsr_sort_operands_at(where, points, points, 2, &by_place)) return;
	for (int k = 0; k < 2; k++) {
		ends[k][0] = tsr_slice_at(where, points[k], 0, -1, TSR_END);
		ends[k][1] = tsr_slice_at(where, points[k], 0, 0, 1);
	}
	tsr *const places[] = {SUB(HANDLE(ends[0][0]), p).as.one, points[0],
	                       ADD(HANDLE(ends[0][1]), p).as.one};
	*xp = tsr_concatenate_at(where, 0, places, 3);
	*fp = tsr_concatenate_at(where, 0, (tsr *[]){ends[1][0], points[1], ends[1][1]}, 3);
}

tsr *lib_interp(call_site *site, tsr *x, tsr *xp, tsr *fp, const tsr_interp_args *g)
{
	const char *where = site->where;
	tsr *of[2] = {x, xp};

	if (!operands_check(site, (tsr *[]){x, xp, fp}, 3) || !matrices_prepare(site, of, 2) ||
	    !matrices_prepare(site, &fp, 1))
		return poison_of(site->ctx);
	const type *t = handle_type(of[1]);
	if (t->ndim != 1 || !t->size || dtype_kind(t->dtype) == KIND_COMPLEX ||
	    !dims_same(t->dims, 1, handle_type(fp)->dims, handle_type(fp)->ndim))
		return fail_types(site, "takes points of one dim and of one size, and got",
		                  (tsr *[]){of[1], fp}, 2),
		       poison_of(site->ctx);
	if (g->period != 0) around(site, g->period, &of[0], &of[1], &fp);
	if (handle_is_poison(of[0]) || handle_is_poison(fp)) return poison_of(site->ctx);
	const tsr_arg first = HANDLE(tsr_index_at(where, of[1], 0, 0));
	const tsr_arg last = HANDLE(tsr_index_at(where, of[1], 0, -1));
	tsr_arg y = on_lines(site, of[0], of[1], fp);
	if (g->extrapolate || g->period != 0) return y.as.one;
	const tsr_arg left = g->left.kind ? g->left : HANDLE(tsr_index_at(where, fp, 0, 0));
	const tsr_arg right = g->right.kind ? g->right : HANDLE(tsr_index_at(where, fp, 0, -1));
	y = WHERE(IS(lt, HANDLE(of[0]), first), left, y);
	return WHERE(IS(gt, HANDLE(of[0]), last), right, y).as.one;
}
