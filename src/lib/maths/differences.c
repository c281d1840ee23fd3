/* differences.c - differences, slopes and areas along a dim: jax.numpy's formulas
 * (jax/_src/numpy/lax_numpy.py). */
#include <math.h>
#include "lib/formula.h"
#include "lib/linalg/products.h"

/* elements from .. to - 1 of a dim, as in tsr_slice() */
static tsr_arg part(const call_site *site, tsr_arg x, int dim, int64_t from, int64_t to)
{
	return HANDLE(tsr_slice_at(site->where, x.as.one, dim, from, to));
}

static tsr_arg step(const call_site *site, tsr_arg x, int dim, bool logic)
{
	const tsr_arg next = part(site, x, dim, 1, TSR_END), own = part(site, x, dim, 0, -1);

	return logic ? IS(ne, next, own) : SUB(next, own);
}

/* a scalar as one element along a dim of x; others as they are. Poison: recorded */
static tsr *beside(const call_site *site, const char *name, const tsr_arg *given, const tsr *x,
                   int dim)
{
	int64_t dims[MAX_NDIM];
	const type *t = handle_type(x);

	if (!keyword_operand(site, name, given)) return poison_of(site->ctx);
	tsr *more = operand_alone(site, given);
	if (handle_is_poison(more) || handle_type(more)->ndim) return more;
	for (int d = 0; d < t->ndim; d++) dims[d] = d == dim ? 1 : t->dims[d];
	return broadcast_to(site, more, dims, t->ndim);
}

tsr *lib_diff(call_site *site, tsr *x, const tsr_diff_args *a)
{
	int dim;

	if (!operands_check(site, &x, 1) ||
	    !one_dim_read(site, &a->dim, handle_type(x)->ndim, -1, &dim))
		return poison_of(site->ctx);
	if (a->n < 0)
		return refuse_op(site, TSR_ERROR_ARGUMENT, ".n must not be negative, and is %d",
		                 a->n);
	tsr *all[3];
	size_t n = 0;
	if (given_arg(&a->prepend)) all[n++] = beside(site, ".prepend", &a->prepend, x, dim);
	all[n++] = x;
	if (given_arg(&a->append)) all[n++] = beside(site, ".append", &a->append, x, dim);
	if (n > 1) x = tsr_concatenate_at(site->where, dim, all, n);
	if (handle_is_poison(x)) return x;
	const bool logic = handle_type(x)->dtype == TSR_BOOL;
	for (int k = 0; k < (a->n ? a->n : 1); k++) {
		if (handle_is_poison(x) || !handle_type(x)->dims[dim]) break;
		x = step(site, HANDLE(x), dim, logic).as.one;
	}
	return x;
}

tsr *lib_ediff1d(call_site *site, tsr *x)
{
	return step(site, HANDLE(tsr_ravel_at(site->where, x)), 0, false).as.one;
}

/* ---- slopes */

/* inside by the lines from an element to its two neighbours; h: the distances of elements along the
 * dim */
static tsr_arg uneven_slope(const call_site *site, tsr_arg x, tsr_arg h, int dim)
{
	const tsr_arg before = part(site, h, dim, 0, -1), behind = part(site, h, dim, 1, TSR_END);
	const tsr_arg both = ADD(before, behind);
	const tsr_arg a = DIV(NEG(behind), MUL(before, both));
	const tsr_arg b = DIV(SUB(behind, before), MUL(before, behind));
	const tsr_arg c = DIV(before, MUL(behind, both));

	return ADD(ADD(MUL(a, part(site, x, dim, 0, -2)), MUL(b, part(site, x, dim, 1, -1))),
	           MUL(c, part(site, x, dim, 2, TSR_END)));
}

/* places of elements, one for each along the dim, as an array that broadcasts with x. Poison:
 * recorded */
static tsr *places_along(const call_site *site, tsr *h, const tsr *x, int dim)
{
	const type *t = handle_type(x), *own = handle_type(h);
	int64_t dims[MAX_NDIM];

	if (own->ndim != 1 || own->dims[0] != t->dims[dim])
		return fail_types(site, "takes one place for each element of the dim, and got",
		                  (tsr *[]){(tsr *)(uintptr_t)x, h}, 2), poison_of(site->ctx);
	for (int d = 0; d < t->ndim; d++) dims[d] = d == dim ? t->dims[d] : 1;
	return reshape_to(site, h, dims, t->ndim);
}

tsr *lib_gradient(call_site *site, tsr *x, int dim, tsr_arg h)
{
	tsr *both[] = {x, h.kind == TSR_KIND_ONE ? h.as.one : NULL};
	int at;

	if (!matrices_prepare(site, both, both[1] ? 2 : 1) ||
	    !dim_read(site, dim, handle_type(both[0])->ndim, &at))
		return poison_of(site->ctx);
	if (handle_type(both[0])->dims[at] < 2)
		return fail_types(site, "takes two elements at least along the dim, and got", both,
		                  1),
		       poison_of(site->ctx);
	const tsr_arg y = HANDLE(both[0]);
	const tsr_arg change = step(site, y, at, false);
	const tsr_arg wide = SUB(part(site, y, at, 2, TSR_END), part(site, y, at, 0, -2));
	tsr_arg slope = MUL(wide, NUM(0.5)),
		ends[2] = {part(site, change, at, 0, 1), part(site, change, at, -1, TSR_END)};
	if (both[1] && handle_type(both[1])->ndim) {
		tsr *places = places_along(site, both[1], both[0], at);
		if (handle_is_poison(places)) return places;
		const tsr_arg gap = step(site, HANDLE(places), at, false);
		slope = uneven_slope(site, y, gap, at);
		ends[0] = DIV(ends[0], part(site, gap, at, 0, 1));
		ends[1] = DIV(ends[1], part(site, gap, at, -1, TSR_END));
	} else {
		slope = DIV(slope, h);
		for (int i = 0; i < 2; i++) ends[i] = DIV(ends[i], h);
	}
	return tsr_concatenate_at(site->where, at,
	                          (tsr *[]){ends[0].as.one, slope.as.one, ends[1].as.one}, 3);
}

/* ---- areas */

tsr *lib_trapezoid(call_site *site, tsr *y, const tsr_trapezoid_args *a)
{
	tsr *both[] = {y, a->x};
	int dim;

	if (!matrices_prepare(site, both, a->x ? 2 : 1) ||
	    !one_dim_read(site, &a->dim, handle_type(both[0])->ndim, -1, &dim))
		return poison_of(site->ctx);
	const tsr_arg value = HANDLE(both[0]);
	const tsr_arg next = part(site, value, dim, 1, TSR_END);
	const tsr_arg pairs = ADD(next, part(site, value, dim, 0, -1));
	tsr_arg width = NUM(a->dx != 0 ? a->dx : 1);
	if (a->x) {
		if (handle_type(both[1])->ndim == 1)
			both[1] = places_along(site, both[1], both[0], dim);
		width = step(site, HANDLE(both[1]), dim, false);
	}
	const tsr_sum_args along = {.size = sizeof along, .dims = TSR_DIMS(dim)};
	const tsr_arg sum = HANDLE(tsr_sum_at(site->where, MUL(pairs, width).as.one, &along));
	return MUL(NUM(0.5), sum).as.one;
}

/* ---- angles */

/* A step d becomes d + k period, between minus and plus half a period: ((d + p / 2) mod p) - p / 2,
 * where a step of just half a period up stays so. Smaller ones than the jump stay. What they are
 * changed by adds up along the dim */
tsr *lib_unwrap(call_site *site, tsr *x, const tsr_unwrap_args *a)
{
	const double period = a->period != 0 ? a->period : 6.28318530717958647693;
	const tsr_arg p = NUM(period), half = NUM(period / 2);
	operands o;
	int dim;

	if (!operands_prepare(&o, site, (tsr_arg[]){HANDLE(x)}, 1, PROMOTE_BESIDE_FLOAT))
		return poison_of(o.site.ctx);
	*site = o.site;
	x = o.x[0];
	if (!one_dim_read(site, &a->dim, handle_type(x)->ndim, -1, &dim))
		return poison_of(site->ctx);
	if (dtype_kind(handle_type(x)->dtype) == KIND_COMPLEX)
		return refuse(site, TSR_ERROR_TYPE, "%s does not support complex numbers",
		              site->op);
	if (!handle_type(x)->dims[dim]) return x;
	const tsr_arg d = step(site, HANDLE(x), dim, false);
	tsr_arg least = SUB(OP_2(remainder, ADD(d, half), p), half);
	least = WHERE(BOTH(IS(eq, least, NUM(-period / 2)), IS(gt, d, NUM(0))), half, least);
	const tsr_arg stays = IS(lt, OP_1(abs, d), NUM(a->discont != 0 ? a->discont : period / 2));
	const tsr_arg change = WHERE(stays, NUM(0), SUB(least, d));
	const tsr_cumsum_args along = {.size = sizeof along, .dim = TSR_DIMS(dim)};
	const tsr_arg sum = HANDLE(tsr_cumsum_at(site->where, change.as.one, &along));
	const tsr_arg rest = ADD(part(site, HANDLE(x), dim, 1, TSR_END), sum);
	return tsr_concatenate_at(site->where, dim,
	                          (tsr *[]){part(site, HANDLE(x), dim, 0, 1).as.one, rest.as.one},
	                          2);
}
