/* polynomials.c - polynomials as their coefficients, the one of the highest power first:
 * jax.numpy's formulas (jax/_src/numpy/polynomial.py). */
#include <math.h>
#include "lib/formula.h"
#include "lib/linalg/products.h"

/* checked lists of coefficients, of one dtype; fractions: one that has these. false: recorded */
static bool polynomials_prepare(call_site *site, tsr **p, int n, bool fractions)
{
	etype common = {0};

	if (!operands_check(site, p, n)) return false;
	for (int i = 0; i < n; i++) {
		const type *t = handle_type(p[i]);
		if (t->ndim != 1)
			return fail_types(site, "takes coefficients of one dim, and got", &p[i], 1);
		common = i ? etype_join(common, etype_of(t)) : etype_of(t);
	}
	if (fractions) common = etype_inexact(common);
	for (int i = 0; i < n; i++)
		if (handle_is_poison(p[i] = promote(site, p[i], common))) return false;
	return true;
}

/* p[0], p[0] x + p[1], (p[0] x + p[1]) x + p[2], ... */
tsr *lib_polyval(call_site *site, tsr *p, tsr *x)
{
	operands o;

	if (!operands_check(site, (tsr *[]){p, x}, 2)) return poison_of(site->ctx);
	if (handle_type(p)->ndim != 1)
		return fail_types(site, "takes coefficients of one dim, and got", &p, 1),
		       poison_of(site->ctx);
	const int64_t n = handle_type(p)->dims[0];
	tsr *lead = n ? tsr_index_at(site->where, p, 0, 0)
	              : zeros_of(site, etype_of(handle_type(p)), NULL, 0);
	if (!operands_prepare(&o, site, (tsr_arg[]){HANDLE(lead), HANDLE(x)}, 2, PROMOTE_TYPES))
		return poison_of(site->ctx);
	tsr_arg y = HANDLE(o.x[0]);
	for (int64_t k = 1; k < n && !handle_is_poison(y.as.one); k++)
		y = ADD(MUL(y, HANDLE(o.x[1])), HANDLE(tsr_index_at(site->where, p, 0, k)));
	return y.as.one;
}

/* with as many coefficients as the longer one has: zeros in front */
static tsr *lengthened(const call_site *site, tsr *p, int64_t n)
{
	const tsr_pad_args none = {.size = sizeof none};
	const tsr_dims low = TSR_DIMS(n - handle_type(p)->dims[0]), high = TSR_DIMS(0);

	return low.d[1] ? tsr_pad_at(site->where, p, low, high, INT(0), &none) : p;
}

static tsr *added(call_site *site, tsr *a, tsr *b, bool less)
{
	tsr *p[2] = {a, b};

	if (!polynomials_prepare(site, p, 2, false)) return poison_of(site->ctx);
	const int64_t na = handle_type(p[0])->dims[0], nb = handle_type(p[1])->dims[0];
	const tsr_arg x = HANDLE(lengthened(site, p[0], na > nb ? na : nb));
	const tsr_arg y = HANDLE(lengthened(site, p[1], na > nb ? na : nb));
	return less ? SUB(x, y).as.one : ADD(x, y).as.one;
}

tsr *lib_polyadd(call_site *site, tsr *a, tsr *b) { return added(site, a, b, false); }
tsr *lib_polysub(call_site *site, tsr *a, tsr *b) { return added(site, a, b, true); }

tsr *lib_polymul(call_site *site, tsr *a, tsr *b)
{
	const tsr_convolve_args full = {.size = sizeof full, .mode = TSR_OVERLAP_FULL};
	tsr *p[2] = {a, b};

	if (!polynomials_prepare(site, p, 2, true)) return poison_of(site->ctx);
	for (int i = 0; i < 2; i++)
		if (!handle_type(p[i])->size) p[i] = lengthened(site, p[i], 1);
	return tsr_convolve_at(site->where, p[0], p[1], &full);
}

/* k (k - 1) ... (k - m + 1) for n powers k from the highest down, of which the least is m */
static tsr_arg falling(const call_site *site, int64_t n, int m, tsr_dtype dtype)
{
	const char *where = site->where;
	const tsr_dims each = TSR_DIMS(n), factors = TSR_DIMS(m);
	const tsr_iota_args of = {.size = sizeof of, .dtype = dtype_real(dtype)};
	const tsr_sum_args last = {.size = sizeof last, .dims = TSR_DIMS(-1)};
	const tsr_arg i = HANDLE(tsr_iota_at(where, site->ctx, each, 0, &of));
	const tsr_arg less = HANDLE(tsr_iota_at(where, site->ctx, factors, 0, &of));
	const tsr_arg power = SUB(NUM((double)n - 1 + m), i);
	const tsr_arg column = HANDLE(tsr_expand_dims_at(where, power.as.one, last.dims));

	return HANDLE(tsr_prod_at(where, SUB(column, less).as.one, &last));
}

static bool times_ok(const call_site *site, int m)
{
	return m >= 0 || fail_op(site, TSR_ERROR_ARGUMENT, "m must not be negative, and is %d", m);
}

tsr *lib_polyder(call_site *site, tsr *p, int m)
{
	if (!polynomials_prepare(site, &p, 1, true) || !times_ok(site, m))
		return poison_of(site->ctx);
	const int64_t n = handle_type(p)->dims[0];
	if (!m) return p;
	const int64_t left = n > m ? n - m : 0;
	p = tsr_slice_at(site->where, p, 0, 0, left);
	return left ? MUL(HANDLE(p), falling(site, left, m, handle_type(p)->dtype)).as.one : p;
}

tsr *lib_polyint(call_site *site, tsr *p, int m)
{
	const tsr_pad_args none = {.size = sizeof none};

	if (!polynomials_prepare(site, &p, 1, true) || !times_ok(site, m))
		return poison_of(site->ctx);
	if (!m) return p;
	const type *t = handle_type(p);
	p = DIV(HANDLE(p), falling(site, t->dims[0], m, t->dtype)).as.one;
	return tsr_pad_at(site->where, p, TSR_DIMS(0), TSR_DIMS(m), INT(0), &none);
}

/* the product of x - z for each zero z. Nothing is multiplied with the zeros beside y, of which an
 * infinite z would make NaNs */
tsr *lib_poly(call_site *site, tsr *zeros)
{
	const tsr_pad_args pad = {.size = sizeof pad};
	const tsr_dims none = TSR_DIMS(0), one = TSR_DIMS(1);

	if (!polynomials_prepare(site, &zeros, 1, true)) return poison_of(site->ctx);
	const int64_t n = handle_type(zeros)->dims[0], dims[] = {1};
	tsr *y = full_of(site, etype_of(handle_type(zeros)), dims, n > 0, &INT(1));
	for (int64_t k = 0; k < n && !handle_is_poison(y); k++) {
		const tsr_arg by = HANDLE(tsr_slice_at(site->where, zeros, 0, k, k + 1));
		tsr *product = MUL(HANDLE(y), by).as.one;
		y = SUB(HANDLE(tsr_pad_at(site->where, y, none, one, INT(0), &pad)),
		        HANDLE(tsr_pad_at(site->where, product, one, none, INT(0), &pad)))
		            .as.one;
	}
	return y;
}

/* those of a polynomial whose first coefficient is not 0: the eigenvalues of its companion matrix,
 * -p[1] / p[0], -p[2] / p[0], ... above ones, each before the diagonal */
static tsr *zeros_of_monic(const call_site *site, tsr *p)
{
	if (handle_is_poison(p)) return p;
	const char *where = site->where;
	const int64_t n = handle_type(p)->dims[0] - 1;
	const tsr_dims row = TSR_DIMS(1, n);
	const tsr_eye_args ones = {
		.size = sizeof ones, .columns = n, .dtype = handle_type(p)->dtype};
	const tsr_arg by = NEG(DIV(HANDLE(tsr_slice_at(where, p, 0, 1, TSR_END)),
	                           HANDLE(tsr_index_at(where, p, 0, 0))));
	tsr *part[] = {tsr_reshape_at(where, by.as.one, row),
	               tsr_eye_at(where, site->ctx, n - 1, &ones)};

	return tsr_eigvals_at(where, tsr_concatenate_at(where, 0, part, 2));
}

/* With zeros in front, they are put behind: each is a zero of the polynomial then, and zeros that
 * are 0 are counted from the end */
tsr *lib_roots(call_site *site, tsr *p)
{
	const char *where = site->where;
	tsr *out[2];

	if (!polynomials_prepare(site, &p, 1, true)) return poison_of(site->ctx);
	const int64_t n = handle_type(p)->dims[0];
	const tsr_dtype dtype = dtype_real(handle_type(p)->dtype);
	if (n < 2)
		return tsr_zeros_at(
			where, site->ctx, TSR_DIMS(0),
			&(tsr_new_args){.size = sizeof(tsr_new_args),
		                        .dtype = dtype == TSR_F64 ? TSR_C128 : TSR_C64});
	const tsr_arg none = IS(eq, HANDLE(p), INT(0));
	const tsr_arg all = HANDLE(tsr_all_at(where, none.as.one, NULL));
	const tsr_arg first = HANDLE(tsr_argmin_at(where, none.as.one, NULL));
	const tsr_arg leading = WHERE(all, INT(n), first);
	tsr *q = WHERE(all, INT(1), HANDLE(p)).as.one;
	q = tsr_concatenate_at(where, 0, (tsr *[]){q, q}, 2);
	tsr *z = zeros_of_monic(site, tsr_dynamic_slice_at(where, q, 0, leading, n));
	if (handle_is_poison(z)) return z;
	tsr *const x[] = {IS(eq, HANDLE(z), INT(0)).as.one, z};
	if (!tsr_sort_operands_at(where, x, out, 2, NULL)) return poison_of(site->ctx);
	const tsr_arg place = HANDLE(tsr_iota_at(where, site->ctx, TSR_DIMS(n - 1), 0, NULL));
	const tsr_arg nan = {.kind = TSR_KIND_COMPLEX, .as.f = {NAN, NAN}};
	return WHERE(IS(lt, place, SUB(INT(n - 1), leading)), HANDLE(out[1]), nan).as.one;
}
