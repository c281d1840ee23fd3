/* covariance.c - computes covariances and correlations of variables, the rows of a matrix:
 * jax.numpy's formulas (jax/_src/numpy/lax_numpy.py). */
#include <math.h>
#include "lib/formula.h"
#include "lib/linalg/products.h"

/* x as rows; columns: they are columns */
static tsr *as_rows(const call_site *site, tsr *x, bool columns)
{
	if (handle_type(x)->ndim > 2)
		return fail_types(site, "takes two dims at most, and got", &x, 1),
		       poison_of(site->ctx);
	const bool turns = columns && handle_type(x)->ndim == 2;
	x = tsr_atleast_2d_at(site->where, x);
	return turns ? turned(site, x) : x;
}

/* one weight for each observation, by its absolute value. Poison: recorded */
static tsr *one_each(const call_site *site, tsr *weights, int64_t n)
{
	if (!operands_check(&(call_site){site->ctx, site->where, site->op}, &weights, 1))
		return poison_of(site->ctx);
	const type *t = handle_type(weights);
	if (t->ndim != 1 || t->dims[0] != n)
		return fail_types(site, "takes one weight for each observation, and got", &weights,
		                  1), poison_of(site->ctx);
	return tsr_abs_at(site->where, weights);
}

/* the weights of observations; what their squares are divided by goes to *over */
static tsr *weights_of(const call_site *site, const tsr_cov_args *a, int64_t n, tsr_arg *over)
{
	const tsr_sum_args all = {.size = sizeof all};
	tsr_arg f = {.kind = TSR_KIND_NONE}, w = f;

	if (a->fweights) w = f = HANDLE(one_each(site, a->fweights, n));
	if (a->aweights) w = HANDLE(one_each(site, a->aweights, n));
	const tsr_arg own = w;
	if (a->aweights && a->fweights) w = MUL(f, w);
	const tsr_arg sum = HANDLE(tsr_sum_at(site->where, w.as.one, &all));
	if (a->bias)
		*over = sum;
	else if (!a->aweights)
		*over = SUB(sum, INT(1));
	else
		*over = SUB(sum,
		            DIV(HANDLE(tsr_sum_at(site->where, MUL(w, own).as.one, &all)), sum));
	return w.as.one;
}

/* rows x and, behind them, y, as numbers with fractions. NULL: recorded */
static tsr *variables_of(call_site *site, tsr *x, tsr *y, bool columns)
{
	tsr *both[2] = {x, y};

	if (!matrices_prepare(site, both, y ? 2 : 1) ||
	    handle_is_poison(both[0] = as_rows(site, both[0], columns)) ||
	    (y && handle_is_poison(both[1] = as_rows(site, both[1], columns))))
		return NULL;
	tsr *rows = y ? tsr_concatenate_at(site->where, 0, both, 2) : both[0];
	return handle_is_poison(rows) ? NULL : rows;
}

tsr *lib_cov(call_site *site, tsr *x, const tsr_cov_args *a)
{
	tsr *rows = variables_of(site, x, a->y, a->columns);
	const bool weighed = a->fweights || a->aweights;

	if (!rows) return poison_of(site->ctx);
	const int64_t n = handle_type(rows)->dims[1];
	tsr_arg over = NUM(n ? (double)(n - !a->bias) : NAN);
	tsr *w = weighed ? weights_of(site, a, n, &over) : NULL;
	const tsr_average_args along = {.size = sizeof along, .dims = TSR_DIMS(1), .keep = true,
	                                .weights = w};
	const tsr_arg off = SUB(HANDLE(rows), HANDLE(tsr_average_at(site->where, rows, &along)));
	const tsr_arg much = weighed ? MUL(off, HANDLE(w)) : off;
	const tsr_product_args usual = {.size = sizeof usual};
	tsr *products =
		tsr_matmul_at(site->where, off.as.one, adjoint_of(site, much.as.one), &usual);
	return tsr_squeeze_at(site->where, DIV(HANDLE(products), over).as.one,
	                      (tsr_dims){.d = {0}});
}

/* a part of a correlation is between -1 and 1 */
static tsr_arg within_one(const call_site *site, tsr_arg x) { return CLAMP(INT(-1), x, INT(1)); }

tsr *lib_corrcoef(call_site *site, tsr *x, const tsr_corrcoef_args *a)
{
	const tsr_cov_args of = {.size = sizeof of, .y = a->y, .columns = a->columns};
	tsr_arg c = HANDLE(tsr_cov_at(site->where, x, &of));

	if (!operands_check(site, &c.as.one, 1)) return poison_of(site->ctx);
	if (!handle_type(c.as.one)->ndim) return DIV(c, c).as.one;
	const tsr_arg deviation =
		OP_1(sqrt, OP_1(real, HANDLE(tsr_diag_at(site->where, c.as.one, 0))));
	const tsr_arg column =
		HANDLE(tsr_expand_dims_at(site->where, deviation.as.one, TSR_DIMS(1)));
	const bool real = dtype_kind(handle_type(c.as.one)->dtype) != KIND_COMPLEX;
	c = DIV(DIV(c, column), deviation);
	if (real) return within_one(site, c).as.one;
	return OP_2(complex, within_one(site, OP_1(real, c)), within_one(site, OP_1(imag, c)))
	        .as.one;
}
