/* dims.c - lists of dims from the caller, and whether they are lists at all. */
#include "trace/trace.h"

bool dims_ok(const call_site *site, const char *what, const tsr_dims *d, bool needed)
{
	if (d->d[0] < 0 || d->d[0] > 1 + TSR_MAX_NDIM)
		return fail(&site->ctx->base, site->where, TSR_ERROR_ARGUMENT,
		            "%s: %s is no list of dims: write TSR_DIMS(...)", site->op, what);
	return d->d[0] || !needed ||
	       fail(&site->ctx->base, site->where, TSR_ERROR_ARGUMENT,
	            "%s: %s is not given: write TSR_DIMS(...), TSR_DIMS() for none", site->op,
	            what);
}

bool dims_match(const call_site *site, const char *what, const tsr_dims *d, int ndim, bool needed)
{
	if (!dims_ok(site, what, d, needed)) return false;
	return !dims_given(d) || dims_count(d) == ndim ||
	       fail(&site->ctx->base, site->where, TSR_ERROR_ARGUMENT,
	            "%s: %s has %d entries for %d dims", site->op, what, dims_count(d), ndim);
}
