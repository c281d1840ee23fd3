/* factored.c - estimates the second moment of Adafactor: of a large matrix not each element's, but
 * the means of rows and columns, and their product is nearly that (Shazeer and Stern, 2018).
 *
 *     g^2 + eps = [1 3]    rows: [2 6], the means along dim 1    v = [2 6]^T [3 5] / 4 = [1.5 2.5]
 *                 [5 7]    columns: [3 5], those along dim 0                            [4.5 7.5]
 *
 * where 4 is the mean of the rows. So the state of an n x m parameter is n + m numbers. Dims, and
 * which of them is which, are as in Optax (optax/_src/factorized.py): the largest two of any number
 * of dims, if both have at least min_dim_size_to_factor. */
#include "lib/optim/optim.h"

enum { OF_ROWS, OF_COLUMNS, WHOLE }; /* the slots of a parameter, of which some are absent */

/* the two largest dims, the last of equal ones the larger; false: the parameter is not factored */
static bool factored_dims(const task *t, const tsr *x, int *second, int *first)
{
	const type *of = handle_type(x);

	if (t->of->p.whole || of->ndim < 2) return false;
	*first = -1;
	*second = -1;
	for (int d = 0; d < of->ndim; d++) {
		if (*first < 0 || of->dims[d] >= of->dims[*first]) {
			*second = *first;
			*first = d;
		} else if (*second < 0 || of->dims[d] >= of->dims[*second]) {
			*second = d;
		}
	}
	return of->dims[*second] >= t->of->p.steps;
}

static tsr *factored_init(const task *t, int i, size_t k)
{
	int second, first;

	if (!factored_dims(t, t->param[k], &second, &first))
		return i == WHOLE ? zeros_for(t, k, TSR_DTYPE_DEFAULT, -1) : NULL;
	if (i == WHOLE) return NULL;
	return zeros_for(t, k, TSR_DTYPE_DEFAULT, i == OF_ROWS ? first : second);
}

/* the mean of x along a dim */
static tsr_arg mean_along(const call_site *site, tsr_arg x, int dim, bool keep)
{
	const tsr_mean_args along = {
		.size = sizeof along, .dims = TSR_DIMS(dim), .keep = keep};

	return HANDLE(tsr_mean_at(site->where, x.as.one, &along));
}

/* rate old + (1 - rate) new */
static tsr_arg mixed(const call_site *site, tsr_arg rate, tsr *old, tsr_arg new)
{
	return ADD(MUL(rate, HANDLE(old)), MUL(SUB(NUM(1), rate), new));
}

static tsr_arg with_dim(const call_site *site, tsr_arg x, int dim)
{
	return HANDLE(tsr_expand_dims_at(site->where, x.as.one, TSR_DIMS(dim)));
}

static tsr_arg inverse_root(const call_site *site, tsr_arg x) { return OP_2(pow, x, NUM(-0.5)); }

/* 1 - t^-decay_rate, where t = 1, 2, ... */
static tsr_arg decay_now(const task *t)
{
	const call_site *site = &t->site;
	const tsr_arg since = SUB(HANDLE(t->count), INT(t->of->p.offset));
	const tsr_arg step = TO(TSR_F32, ADD(since, INT(1)));

	return SUB(NUM(1), OP_2(pow, step, NUM(-t->of->p.decay)));
}

static tsr_arg factored(const task *t, size_t k, tsr_arg g)
{
	const call_site *site = &t->site;
	const tsr_arg square = ADD(square_size(site, g), NUM(t->of->p.eps)), rate = decay_now(t);
	int second, first;

	if (!factored_dims(t, t->param[k], &second, &first)) {
		const tsr_arg v = mixed(site, rate, *slot_of(t, WHOLE, k), square);
		return MUL(g, inverse_root(site, if_it_takes(t, slot_set(t, WHOLE, k, v))));
	}
	const tsr_arg of_rows =
		mixed(site, rate, *slot_of(t, OF_ROWS, k), mean_along(site, square, first, false));
	const tsr_arg of_columns = mixed(site, rate, *slot_of(t, OF_COLUMNS, k),
	                                 mean_along(site, square, second, false));
	const tsr_arg rows = if_it_takes(t, slot_set(t, OF_ROWS, k, of_rows));
	const tsr_arg columns = if_it_takes(t, slot_set(t, OF_COLUMNS, k, of_columns));
	const int in_rows = second > first ? second - 1 : second; /* where dim `second` is there */
	const tsr_arg row = DIV(rows, mean_along(site, rows, in_rows, true));
	return MUL(MUL(g, with_dim(site, inverse_root(site, row), first)),
	           with_dim(site, inverse_root(site, columns), second));
}

const part_rule part_factored = {.name = "adafactor",
                                 .counts = 1,
                                 .slots = 3,
                                 .init = factored_init,
                                 .leaf = factored};
