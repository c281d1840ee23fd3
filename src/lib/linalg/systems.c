/* systems.c - solves systems of equations of more dims, multiplies chains of matrices, and makes
 * products of reflections. */
#include "lib/lib.h"

/* ---- systems of equations over several dims */

static int64_t elements_of(const int64_t *dims, int n)
{
	int64_t size = 1;

	for (int d = 0; d < n; d++) size *= dims[d];
	return size;
}

tsr *lib_tensorinv(call_site *site, tsr *a, int ind)
{
	int64_t dims[MAX_NDIM];

	if (!matrices_prepare(site, &a, 1)) return poison_of(site->ctx);
	const type *t = handle_type(a);
	const int64_t side = ind < 1 || ind > t->ndim ? -1 : elements_of(t->dims, ind);
	if (side < 0 || elements_of(t->dims + ind, t->ndim - ind) != side)
		return refuse_op(site, TSR_ERROR_ARGUMENT,
		                 "the first %d dims must have as many elements as the others", ind);
	for (int d = 0; d < t->ndim; d++) dims[d] = t->dims[(d + ind) % t->ndim];
	const int ndim = t->ndim;
	tsr *square = reshape_to(site, a, (int64_t[]){side, side}, 2);
	tsr *y = tsr_inv_at(site->where, square);
	return handle_is_poison(y) ? y : reshape_to(site, y, dims, ndim);
}

/* the dims of a, those that .dims names last */
static bool order_of(const call_site *site, const tsr_dims *named, int ndim, int64_t *perm)
{
	int64_t last[MAX_NDIM];
	bool moved[MAX_NDIM] = {false};
	int k = 0;

	if (!dims_listed(site, ".dims", named, ndim, last)) return false;
	for (int i = 0; i < dims_count(named); i++) moved[last[i]] = true;
	for (int d = 0; d < ndim; d++)
		if (!moved[d]) perm[k++] = d;
	for (int i = 0; i < dims_count(named); i++) perm[k++] = last[i];
	return true;
}

tsr *lib_tensorsolve(call_site *site, tsr *a, tsr *b, const tsr_tensorsolve_args *g)
{
	tsr *x[2] = {a, b};
	int64_t perm[MAX_NDIM];

	if (!matrices_prepare(site, x, 2) ||
	    !order_of(site, &g->dims, handle_type(x[0])->ndim, perm))
		return poison_of(site->ctx);
	const int n = handle_type(x[0])->ndim, known = handle_type(x[1])->ndim;
	const int64_t side = handle_type(x[1])->size;
	x[0] = bind(site, &tsr__prim_transpose, &(transpose_params){{n, perm}}, &x[0], 1);
	if (handle_is_poison(x[0])) return x[0];
	const type *t = handle_type(x[0]);
	if (n < known || elements_of(t->dims, known) != side ||
	    elements_of(t->dims + known, n - known) != side) {
		fail_types(site, "takes as many unknown numbers as equations, and got", x, 2);
		return poison_of(site->ctx);
	}
	x[0] = reshape_to(site, x[0], (int64_t[]){side, side}, 2);
	x[1] = reshape_to(site, x[1], &side, 1);
	if (handle_is_poison(x[0]) || handle_is_poison(x[1])) return poison_of(site->ctx);
	tsr *y = tsr_solve_at(site->where, x[0], x[1]);
	return handle_is_poison(y) ? y : reshape_to(site, y, t->dims + known, n - known);
}

/* ---- products of n matrices, in the order that takes the fewest multiplications: the least of
 * each run of them is that of two shorter runs and of their product */

typedef struct chain {
	const char *where;
	tsr *const *x;
	size_t n;
	double *work;  /* of run i .. j at i * n + j */
	size_t *split; /* the first of its second part */
} chain;

static void plan_chain(const chain *c, const int64_t *side)
{
	for (size_t i = 0; i < c->n; i++) c->work[i * c->n + i] = 0;
	for (size_t length = 1; length < c->n; length++)
		for (size_t i = 0, j = length; j < c->n; i++, j++) {
			double least = -1;
			for (size_t k = i + 1; k <= j; k++) {
				const double here =
					c->work[i * c->n + k - 1] + c->work[k * c->n + j] +
					(double)side[i] * (double)side[k] * (double)side[j + 1];
				if (least >= 0 && here >= least) continue;
				least = here;
				c->split[i * c->n + j] = k;
			}
			c->work[i * c->n + j] = least;
		}
}

static tsr *do_chain(const chain *c, size_t i, size_t j)
{
	if (i == j) return c->x[i];
	const size_t k = c->split[i * c->n + j];
	return tsr_matmul_at(c->where, do_chain(c, i, k - 1), do_chain(c, k, j), NULL);
}

/* side[k]: rows of matrix k, and behind the last one its columns. false: recorded */
static bool read_chain(const call_site *site, tsr *const *x, size_t n, int64_t *side)
{
	for (size_t i = 0; i < n; i++) {
		const type *t = handle_type(x[i]);
		const bool first = i == 0, end = first || i + 1 == n;
		if (t->ndim != 2 && !(t->ndim == 1 && end && n > 1))
			return fail_types(site,
			                  "takes matrices, and vectors as the first and the last, "
			                  "and got",
			                  x + i, 1);
		const int64_t rows = t->ndim == 1 && first ? 1 : t->dims[0];
		if (!first && rows != side[i])
			return fail_types(site,
			                  "takes matrices with as many rows as the one before has "
			                  "columns, and got",
			                  x + i - 1, 2);
		side[i] = rows;
		side[i + 1] = t->ndim == 2 ? t->dims[1] : first ? t->dims[0] : 1;
	}
	return true;
}

tsr *lib_multi_dot(call_site *site, tsr *const *x, size_t n)
{
	if (!operands_check(site, x, (int)n)) return poison_of(site->ctx);
	base *b = &site->ctx->base;
	int64_t *side = mem_array(b, n + 1, sizeof *side);
	chain c = {.where = site->where, .x = x, .n = n};
	c.work = mem_array(b, n * n, sizeof *c.work);
	c.split = mem_array(b, n * n, sizeof *c.split);
	tsr *y = poison_of(site->ctx);
	if (side && c.work && c.split && read_chain(site, x, n, side)) {
		plan_chain(&c, side);
		y = do_chain(&c, 0, n - 1);
	}
	mem_free(b, c.split);
	mem_free(b, c.work);
	mem_free(b, side);
	return y;
}

/* ---- reflections, as qr has them: q = h(0) h(1) .. with h(i) = 1 - t(i) v(i) v(i)^H, where v(i)
 * is column i of a below the diagonal, and 1 on it. Together they are 1 - v (1 + t u)^-1 t v^H with
 * the diagonal matrix t and what v^H v has above its diagonal, u */

typedef struct reflections {
	tsr *v, *t, *mixed; /* [..., m, k], [..., k, 1], (1 + t u)^-1 */
	int64_t m, n;       /* of a */
} reflections;

/* 1 where the column is as far behind the row as that or farther, else 0 */
static tsr *upper_mask(const call_site *site, int64_t rows, int64_t columns, int64_t from)
{
	const tsr_dims dims = TSR_DIMS(rows, columns);
	tsr *row = tsr_iota_at(site->where, site->ctx, dims, 0, NULL);
	tsr *column = tsr_iota_at(site->where, site->ctx, dims, 1, NULL);

	return R2(ge, column, R2(add, row, (double)from));
}

static tsr *identity(const call_site *site, tsr_dtype dtype, int64_t rows, int64_t columns)
{
	tsr *here = upper_mask(site, rows, columns, 0),
	    *behind = upper_mask(site, rows, columns, 1);

	return RTO(dtype, R2(logical_and, here, R1(logical_not, behind)));
}

static bool read_reflections(call_site *site, tsr *a, tsr *taus, reflections *r)
{
	tsr *x[2] = {a, taus};

	if (!matrices_prepare(site, x, 2)) return false;
	const type *ta = handle_type(x[0]), *tt = handle_type(x[1]);
	const int batch = ta->ndim - 2;
	if (batch < 0 || tt->ndim != batch + 1 || !dims_same(ta->dims, batch, tt->dims, batch) ||
	    ta->dims[batch] < ta->dims[batch + 1] || tt->dims[batch] > ta->dims[batch + 1])
		return fail_types(site, "takes [..., m, n] and [..., k], m >= n >= k, and got", x,
		                  2);
	const int64_t m = ta->dims[batch], k = tt->dims[batch];
	const tsr_dtype dtype = ta->dtype;
	*r = (reflections){.m = m, .n = ta->dims[batch + 1]};
	tsr *some = tsr_slice_at(site->where, x[0], batch + 1, 0, k);
	r->v = R2(add, R3(where, upper_mask(site, m, k, 0), 0, some), identity(site, dtype, m, k));
	r->t = tsr_expand_dims_at(site->where, x[1], TSR_DIMS(-1));
	tsr *products = tsr_matmul_at(site->where, adjoint_of(site, r->v), r->v, NULL);
	tsr *u = R2(mul, r->t, R3(where, upper_mask(site, k, k, 1), products, 0));
	const tsr_solve_triangular_args unit = {.size = sizeof unit, .unit_diagonal = true};
	r->mixed = tsr_solve_triangular_at(site->where, u, identity(site, dtype, k, k), &unit);
	return !handle_is_poison(r->mixed);
}

/* (1 + t u)^-1 t x */
static tsr *mixed_with(const call_site *site, const reflections *r, tsr *x)
{
	return tsr_matmul_at(site->where, r->mixed, R2(mul, r->t, x), NULL);
}

tsr *lib_householder_product(call_site *site, tsr *a, tsr *taus)
{
	reflections r;

	if (!read_reflections(site, a, taus, &r)) return poison_of(site->ctx);
	const type *t = handle_type(r.v);
	tsr *some = adjoint_of(site, tsr_slice_at(site->where, r.v, t->ndim - 2, 0, r.n));
	tsr *moved = tsr_matmul_at(site->where, r.v, mixed_with(site, &r, some), NULL);
	return R2(sub, identity(site, t->dtype, r.m, r.n), moved);
}

/* op(q) c = c - op(v (1 + t u)^-1 t v^H) c; c op(q) is the adjoint of op(q)^H c^H */
tsr *lib_ormqr(call_site *site, tsr *a, tsr *taus, tsr *c, const tsr_ormqr_args *g)
{
	const bool turn = g->transpose != g->right;
	reflections r;

	if (!read_reflections(site, a, taus, &r) || !matrices_prepare(site, &c, 1))
		return poison_of(site->ctx);
	const type *t = handle_type(c);
	if (t->ndim < 2 || t->dims[t->ndim - (g->right ? 1 : 2)] != r.m) {
		fail_types(site,
		           g->right ? "takes a, and c with as many columns as a has rows, and got"
		                    : "takes a and c of as many rows, and got",
		           (tsr *[]){a, c}, 2);
		return poison_of(site->ctx);
	}
	tsr *x = g->right ? adjoint_of(site, c) : c;
	tsr *inside = tsr_matmul_at(site->where, adjoint_of(site, r.v), x, NULL);
	if (turn) {
		tsr *back = tsr_matmul_at(site->where, adjoint_of(site, r.mixed), inside, NULL);
		inside = R2(mul, R1(conj, r.t), back);
	} else {
		inside = mixed_with(site, &r, inside);
	}
	tsr *y = R2(sub, x, tsr_matmul_at(site->where, r.v, inside, NULL));
	return g->right ? adjoint_of(site, y) : y;
}

/* ---- updates */

/* The upper factor of r^H r + w w^H: that of the rows of r and w^H together, by qr, with a positive
 * diagonal */
tsr *lib_cholesky_update(call_site *site, tsr *r, tsr *w)
{
	const char *where = site->where;
	const tsr_qr_args thin = {.size = sizeof thin};
	tsr *x[2] = {r, w}, *y[2];

	if (!matrices_prepare(site, x, 2) || !is_square(site, x[0])) return poison_of(site->ctx);
	const type *t = handle_type(x[0]), *tw = handle_type(x[1]);
	const int n = t->ndim;
	if (tw->ndim != n - 1 || !dims_same(t->dims, n - 1, tw->dims, n - 1)) {
		fail_types(site, "takes a square matrix and a vector of its size, and got", x, 2);
		return poison_of(site->ctx);
	}
	const int64_t side = t->dims[n - 1];
	x[0] = R3(where, upper_mask(site, side, side, 0), x[0], 0);
	x[1] = tsr_expand_dims_at(where, R1(conj, x[1]), TSR_DIMS(-2));
	if (!tsr_qr_at(where, tsr_concatenate_at(where, n - 2, x, 2), y, &thin))
		return poison_of(site->ctx);
	const tsr_sum_args rows = {.size = sizeof rows, .dims = TSR_DIMS(-1), .keep = true};
	tsr *eye = identity(site, t->dtype, side, side);
	tsr *diagonal = R1(real, tsr_sum_at(where, R2(mul, eye, y[1]), &rows));
	return R3(where, R2(lt, diagonal, 0), R1(neg, y[1]), y[1]);
}

/* alpha a a^T + beta c */
tsr *lib_symmetric_product(call_site *site, tsr *a, tsr *c, const tsr_symmetric_product_args *g)
{
	const double alpha = g->alpha != 0 ? g->alpha : 1;
	tsr *x[2] = {a, c};

	if (!matrices_prepare(site, x, 2) || !is_square(site, x[1])) return poison_of(site->ctx);
	const type *ta = handle_type(x[0]), *tc = handle_type(x[1]);
	if (ta->ndim < 2 || ta->dims[ta->ndim - 2] != tc->dims[tc->ndim - 1]) {
		fail_types(site, "takes a and c of as many rows, and got", x, 2);
		return poison_of(site->ctx);
	}
	tsr *product = tsr_matmul_at(site->where, x[0], turned(site, x[0]), NULL);
	return R2(add, R2(mul, product, alpha), R2(mul, x[1], g->beta));
}

/* ---- tridiagonal matrices, by elimination with swaps of neighbours, as LAPACK's gtsv: a row on
 * the way, (p q 0 | b) in columns k, k + 1 and k + 2, and the next one, (dl d du | b), become the
 * row of the upper factor, whose first number is the larger one, and the next row on the way. The
 * last row is combined with (0 1 0 | 0). Steps take and give [..., 3 + the columns of b], and carry
 * one number less */

static tsr *along_last(const call_site *site, tsr *x, int64_t from, int64_t to)
{
	return handle_is_poison(x)
	               ? x
	               : tsr_slice_at(site->where, x, handle_type(x)->ndim - 1, from, to);
}

static tsr *joined(const call_site *site, tsr *a, tsr *b)
{
	return tsr_concatenate_at(site->where, -1, (tsr *[]){a, b}, 2);
}

static void eliminate(tsr_frame *f)
{
	const call_site here = {tsr_frame_ctx(f), NULL, "tridiagonal_solve"}, *site = &here;
	tsr *way = tsr_frame_arg(f, 0), *next = tsr_frame_arg(f, 1);
	tsr *none = R2(mul, along_last(site, way, 0, 1), 0);
	/* p q 0 b */
	tsr *row = joined(site, joined(site, along_last(site, way, 0, 2), R1(zeros_like, none)),
	                  along_last(site, way, 2, TSR_END));
	tsr *p = R1(abs, along_last(site, row, 0, 1)), *dl = R1(abs, along_last(site, next, 0, 1));
	tsr *stays = R2(ge, p, dl);
	tsr *top = R3(where, stays, row, next), *low = R3(where, stays, next, row);
	tsr *by = R2(div, along_last(site, low, 0, 1), along_last(site, top, 0, 1));
	tsr *rest = R2(sub, along_last(site, low, 1, TSR_END),
	               R2(mul, by, along_last(site, top, 1, TSR_END)));

	tsr_return_at(NULL, f, (tsr_arg[]){tsr_arg_one(rest), tsr_arg_one(top)}, 2);
}

/* from the last row, (p q r | b): x(k) = (b - q x(k + 1) - r x(k + 2)) / p */
static void substitute(tsr_frame *f)
{
	const call_site here = {tsr_frame_ctx(f), NULL, "tridiagonal_solve"}, *site = &here;
	tsr *behind = tsr_frame_arg(f, 0), *row = tsr_frame_arg(f, 1);
	const int64_t n = handle_type(behind)->dims[handle_type(behind)->ndim - 1] / 2;
	tsr *next = along_last(site, behind, 0, n), *second = along_last(site, behind, n, TSR_END);
	tsr *x = R2(sub, along_last(site, row, 3, TSR_END),
	            R2(mul, along_last(site, row, 1, 2), next));

	x = R2(sub, x, R2(mul, along_last(site, row, 2, 3), second));
	x = R2(div, x, along_last(site, row, 0, 1));
	tsr_return_at(NULL, f, (tsr_arg[]){tsr_arg_one(joined(site, x, next)), tsr_arg_one(x)}, 2);
}

/* all rows, and behind them the one that the last is combined with */
static tsr *rows_of_system(const call_site *site, tsr *const x[4])
{
	const type *t = handle_type(x[0]);
	const int last = t->ndim - 1;
	const int64_t n = t->dims[last];
	tsr *none = R1(zeros_like, tsr_slice_at(site->where, x[0], last, 0, 1));
	tsr *du = joined(site, tsr_slice_at(site->where, x[2], last, 0, n - 1), none);
	tsr *diagonals = tsr_stack_at(site->where, -1, (tsr *[]){x[0], x[1], du}, 3);
	tsr *rows = joined(site, diagonals, x[3]);
	if (handle_is_poison(rows)) return rows;
	tsr *end = R1(zeros_like, tsr_slice_at(site->where, rows, last, 0, 1));
	const tsr_dims width = TSR_DIMS(handle_type(rows)->dims[last + 1]);
	tsr *place = tsr_iota_at(site->where, site->ctx, width, 0, NULL);
	return tsr_concatenate_at(site->where, last,
	                          (tsr *[]){rows, R3(where, R2(eq, place, 1), 1, end)}, 2);
}

/* dim `from` as dim `to` */
static tsr *dim_moved(const call_site *site, tsr *x, int from, int to)
{
	if (handle_is_poison(x)) return x;
	const int n = handle_type(x)->ndim;
	int64_t perm[MAX_NDIM];

	for (int d = 0, next = 0; d < n; d++) {
		if (next == from) next++;
		perm[d] = d == to ? from : next++;
	}
	return bind(site, &tsr__prim_transpose, &(transpose_params){{n, perm}}, &x, 1);
}

static tsr *step_through(const call_site *site, void (*step)(tsr_frame *), tsr *carry, tsr *rows,
                         bool reverse)
{
	const tsr_body body = {.form = TSR_FORM_FRAME, .raw = (tsr_raw)step};
	const tsr_scan_args how = {.size = sizeof how, .reverse = reverse};
	tsr *out[2] = {NULL};

	if (handle_is_poison(rows) || handle_is_poison(carry)) return poison_of(site->ctx);
	tsr_scan_into_at(site->where, TSR_OUT(&out[0], &out[1]), body, tsr_arg_one(carry),
	                 tsr_arg_one(rows), &how);
	return out[1] ? out[1] : poison_of(site->ctx);
}

tsr *lib_tridiagonal_solve(call_site *site, tsr *dl, tsr *d, tsr *du, tsr *b)
{
	tsr *x[4] = {dl, d, du, b};

	if (!matrices_prepare(site, x, 4)) return poison_of(site->ctx);
	const type *t = handle_type(x[0]), *tb = handle_type(x[3]);
	bool fits = t->ndim >= 1 && tb->ndim == t->ndim + 1 &&
	            dims_same(t->dims, t->ndim, tb->dims, t->ndim);
	for (int i = 1; i < 3; i++)
		fits = fits && dims_same(t->dims, t->ndim, handle_type(x[i])->dims,
		                         handle_type(x[i])->ndim);
	if (!fits) {
		fail_types(site, "takes three diagonals [..., n] and b [..., n, k], and got", x, 4);
		return poison_of(site->ctx);
	}
	const int last = t->ndim - 1;
	const int64_t n = t->dims[last];
	if (n == 0) return x[3];
	tsr *rows = dim_moved(site, rows_of_system(site, x), last, 0);
	if (handle_is_poison(rows)) return rows;
	tsr *first = tsr_index_at(site->where, rows, 0, 0); /* (0 d du b) */
	tsr *made = step_through(site, eliminate, along_last(site, first, 1, TSR_END),
	                         tsr_slice_at(site->where, rows, 0, 1, n + 1), false);
	tsr *none = R1(zeros_like, along_last(site, first, 3, TSR_END));
	tsr *y = step_through(site, substitute, joined(site, none, none), made, true);
	return dim_moved(site, y, 0, last);
}
