/* dims.c - lists of dims from the caller, whether they are lists at all, and lists made here.
 *
 * An array may have 255 dims, and a tsr_dims has room for 8. So what writes a tsr_dims of as many
 * dims as something has, writes it here, where its room is looked at (tools/check_dims.py).
 *
 * Example:
 *
 *     static tsr_dims none;
 *     tsr *y = tsr_zeros(ctx, none);
 *
 * A list begins with its length plus 1, so that zeros, as in a record that nobody filled, differ
 * from TSR_DIMS(), the dims of one number:
 *
 *     ..: zeros: dims is not given: write TSR_DIMS(...), TSR_DIMS() for none */
#include "trace/trace.h"

bool dims_ok(const call_site *site, const char *what, const tsr_dims *d, bool needed)
{
	if (d->d[0] < 0 || d->d[0] > 1 + TSR_MAX_NDIM)
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               "%s is no list of dims: write TSR_DIMS(...)", what);
	return d->d[0] || !needed ||
	       fail_op(site, TSR_ERROR_ARGUMENT,
	               "%s is not given: write TSR_DIMS(...), TSR_DIMS() for none", what);
}

bool dims_match(const call_site *site, const char *what, const tsr_dims *d, int ndim, bool needed)
{
	if (!dims_ok(site, what, d, needed)) return false;
	return !dims_given(d) || dims_count(d) == ndim ||
	       fail_op(site, TSR_ERROR_ARGUMENT, "%s has %d entries for %d dims", what,
	               dims_count(d), ndim);
}

bool dims_put(const call_site *site, tsr_dims *to, const int64_t *dims, int ndim)
{
	if (ndim > TSR_MAX_NDIM)
		return fail_op(site, TSR_ERROR_UNSUPPORTED,
		               "at most %d dims are possible here, not %d", TSR_MAX_NDIM, ndim);
	*to = (tsr_dims){.d = {1 + ndim}};
	for (int d = 0; d < ndim; d++) to->d[1 + d] = dims[d];
	return true;
}

bool dims_insert(const call_site *site, tsr_dims *to, int at, int64_t n)
{
	const int ndim = dims_count(to);

	if (ndim == TSR_MAX_NDIM)
		return fail_op(site, TSR_ERROR_UNSUPPORTED,
		               "at most %d dims are possible here, not %d", TSR_MAX_NDIM - 1, ndim);
	for (int d = ndim; d > at; d--) to->d[1 + d] = to->d[d];
	to->d[1 + at] = n;
	to->d[0] = 2 + ndim;
	return true;
}

tsr_dims dims_without_last(const tsr_dims *dims)
{
	tsr_dims y = *dims;

	if (dims_count(&y)) y.d[--y.d[0]] = 0; /* equal records have equal bytes */
	return y;
}

bool dims_broadcast(tsr_dims *all, const int64_t *dims, int ndim)
{
	const int n = dims_count(all), more = ndim > n ? ndim - n : 0;

	if (ndim > TSR_MAX_NDIM) return false;
	for (int d = n; more && d > 0; d--) all->d[d + more] = all->d[d];
	for (int d = 0; d < more; d++) all->d[1 + d] = 1;
	all->d[0] = 1 + n + more;
	for (int d = 0; d < ndim; d++) {
		int64_t *to = &all->d[1 + n + more - ndim + d];
		if (*to != 1 && dims[d] != 1 && *to != dims[d]) return false;
		if (*to == 1) *to = dims[d];
	}
	return true;
}
