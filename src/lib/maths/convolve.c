/* convolve.c - convolutions of two arrays of one dim, as NumPy has them. */
#include "lib/lib.h"

static bool check_lines(call_site *s, tsr *const *x)
{
	if (!operands_check(s, x, 2)) return false;
	for (int i = 0; i < 2; i++) {
		const type *t = handle_type(x[i]);
		if (t->ndim != 1)
			return fail(&s->ctx->base, s->where, TSR_ERROR_TYPE,
			            "%s takes arrays of one dim, and got one of %d", s->op,
			            t->ndim);
		if (!t->size)
			return fail(&s->ctx->base, s->where, TSR_ERROR_ARGUMENT,
			            "%s takes no arrays without elements", s->op);
	}
	return true;
}

static bool overlap(const call_site *s, enum tsr_overlap mode, int64_t n, tsr_conv_args *to)
{
	int64_t low = n - 1, high = n - 1; /* full */

	if (mode < TSR_OVERLAP_FULL || mode > TSR_OVERLAP_VALID)
		return fail_op(s, TSR_ERROR_ARGUMENT,
		               ".mode %d is none of TSR_OVERLAP_FULL, _SAME and _VALID", (int)mode);
	if (mode == TSR_OVERLAP_VALID) low = high = 0;
	if (mode == TSR_OVERLAP_SAME) {
		low = n / 2;
		high = n - n / 2 - 1;
	}
	*to = (tsr_conv_args){.size = sizeof *to, .low = TSR_DIMS(low), .high = TSR_DIMS(high)};
	return true;
}

static tsr *flipped(const call_site *s, tsr *x)
{
	return tsr_flip_at(s->where, x, TSR_DIMS(0));
}

/* the shorter operand goes over the longer one; convolve turns it over, correlate the result where
 * the operands changed places */
static tsr *over_lines(call_site *s, tsr *const *given, enum tsr_overlap mode, bool turns)
{
	tsr *x[2] = {given[0], given[1]};
	tsr_conv_args args;

	if (!check_lines(s, x)) return poison_of(s->ctx);
	const tsr_dtype both = tsr_promote(handle_type(x[0])->dtype, handle_type(x[1])->dtype);
	for (int i = 0; i < 2; i++) x[i] = convert(s, x[i], dtype_inexact(both));
	if (!turns && dtype_kind(both) == KIND_COMPLEX) x[1] = tsr_conj_at(s->where, x[1]);
	if (handle_is_poison(x[0]) || handle_is_poison(x[1])) return poison_of(s->ctx);
	const int64_t n[] = {handle_type(x[0])->size, handle_type(x[1])->size};
	const int longer = n[0] < n[1];
	tsr *over = x[!longer], *y;
	if (!overlap(s, mode, n[!longer], &args)) return poison_of(s->ctx);
	if (turns) over = flipped(s, over);
	if (handle_is_poison(over)) return over;
	y = tsr_conv_general_dilated_at(s->where,
	                                reshape_to(s, x[longer], (int64_t[]){1, 1, n[longer]}, 3),
	                                reshape_to(s, over, (int64_t[]){1, 1, n[!longer]}, 3),
	                                &args);
	y = tsr_ravel_at(s->where, y);
	return !turns && longer ? flipped(s, y) : y;
}

tsr *lib_convolve(call_site *site, tsr *a, tsr *v, const tsr_convolve_args *k)
{
	return over_lines(site, (tsr *[]){a, v}, k->mode ? k->mode : TSR_OVERLAP_FULL, true);
}

tsr *lib_correlate(call_site *site, tsr *a, tsr *v, const tsr_convolve_args *k)
{
	return over_lines(site, (tsr *[]){a, v}, k->mode ? k->mode : TSR_OVERLAP_VALID, false);
}
