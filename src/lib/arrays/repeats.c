/* repeats.c - repeats elements, and moves them, as often and as far as other arrays say; and views
 * complex numbers as pairs of real ones. */
#include "lib/formula.h"

static bool is_whole(const type *t)
{
	return dtype_kind(t->dtype) == KIND_INT || dtype_kind(t->dtype) == KIND_UINT;
}

/* x along one dim, which is *at; along TSR_FLAT all of it. Poison: recorded */
static tsr *along_dim(const call_site *site, tsr *x, int dim, int *at)
{
	*at = 0;
	if (dim == TSR_FLAT) return tsr_ravel_at(site->where, x);
	return dim_read(site, dim, handle_type(x)->ndim, at) ? x : poison_of(site->ctx);
}

/* ---- moved: x behind itself, from an element of the first one on. Of 1 2 3 by 1: 1 2 [3 1 2] 3 */

/* the shift as an integer that holds the size of the dim. Poison: recorded */
static tsr *shift_of(call_site *site, const tsr_arg *given, int64_t size)
{
	const bool one = given->kind == TSR_KIND_ONE;

	if (one && !operands_check(site, &(tsr *){given->as.one}, 1)) return poison_of(site->ctx);
	tsr *shift = one ? given->as.one : number_argument(site, given);
	if (handle_is_poison(shift)) return shift;
	const type *t = handle_type(shift);
	if (t->ndim || !is_whole(t))
		return fail_types(site, "takes an integer without dims as the shift, and got",
		                  &shift, 1),
		       poison_of(site->ctx);
	const bool narrow = dtype_bits(t->dtype) < 32 || t->dtype == TSR_I32;
	return narrow ? convert(site, shift, dtype_holding(size))
	              : convert(site, shift, t->dtype == TSR_U64 ? TSR_U64 : TSR_I64);
}

tsr *lib_dynamic_roll(call_site *site, tsr *x, tsr_arg given, int dim)
{
	int at;

	if (!operands_check(site, &x, 1)) return poison_of(site->ctx);
	const type *t = handle_type(x);
	x = along_dim(site, x, dim, &at);
	if (handle_is_poison(x)) return x;
	const int64_t n = handle_type(x)->dims[at];
	tsr *shift = shift_of(site, &given, n);
	if (handle_is_poison(shift) || !n)
		return handle_is_poison(shift) ? shift : reshape_to(site, x, t->dims, t->ndim);
	const tsr_arg from = SUB(INT(n), OP_2(remainder, HANDLE(shift), INT(n)));
	tsr *twice = tsr_concatenate_at(site->where, at, (tsr *[]){x, x}, 2);
	return reshape_to(site, tsr_dynamic_slice_at(site->where, twice, at, from, n), t->dims,
	                  t->ndim);
}

/* ---- repeated: place j of the result has the element whose copies end first behind j. For 2 0 3
 * they end before 2 2 5, so that the places 0 .. 5 have the elements 0 0 2 2 2, and 2 again */

static bool times_ok(const call_site *site, tsr *x, int at, tsr *times, int64_t n)
{
	const type *t = handle_type(times);
	const int64_t size = handle_type(x)->dims[at];

	if (!is_whole(t) || t->ndim > 1 || (t->size != 1 && t->size != size))
		return fail_types(site, "takes an integer for each element of the dim, and got",
		                  (tsr *[]){x, times}, 2);
	return (n >= 0 && (size || !n)) ||
	       fail_op(site, TSR_ERROR_ARGUMENT, "a dim of %lld elements cannot get the size %lld",
	               (long long)size, (long long)n);
}

tsr *lib_repeat_each(call_site *site, tsr *x, tsr *times, int64_t n, int dim)
{
	const tsr_searchsorted_args right = {.size = sizeof right, .right = true};
	const tsr_index_args in = {.size = sizeof in, .mode = TSR_CLIP};
	int at;

	if (!operands_check(site, (tsr *[]){x, times}, 2)) return poison_of(site->ctx);
	x = along_dim(site, x, dim, &at);
	if (handle_is_poison(x) || !times_ok(site, x, at, times, n)) return poison_of(site->ctx);
	const int64_t size = handle_type(x)->dims[at];
	const tsr_arg some = OP_2(maximum, TO(TSR_I64, HANDLE(times)), INT(0));
	tsr *each = reshape_to(site, some.as.one, &handle_type(times)->size, 1);
	each = broadcast_to(site, each, &size, 1);
	tsr *ends = tsr_cumsum_at(site->where, each, NULL);
	tsr *places = iota_of(site, TSR_I64, &n, 1, 0);
	return tsr_take_at(site->where, x, at,
	                   tsr_searchsorted_at(site->where, ends, places, &right), &in);
}

/* ---- pairs */

tsr *lib_view_as_real(call_site *site, tsr *z)
{
	if (!operands_check(site, &z, 1)) return poison_of(site->ctx);
	if (dtype_kind(handle_type(z)->dtype) != KIND_COMPLEX)
		return fail_types(site, "takes complex numbers, and got", &z, 1),
		       poison_of(site->ctx);
	return tsr_stack_at(site->where, -1,
	                    (tsr *[]){tsr_real_at(site->where, z), tsr_imag_at(site->where, z)}, 2);
}

tsr *lib_view_as_complex(call_site *site, tsr *x)
{
	if (!operands_check(site, &x, 1)) return poison_of(site->ctx);
	const type *t = handle_type(x);
	if ((t->dtype != TSR_F32 && t->dtype != TSR_F64) || !t->ndim || t->dims[t->ndim - 1] != 2)
		return fail_types(site, "takes pairs [..., 2] of f32 or f64, and got", &x, 1),
		       poison_of(site->ctx);
	const tsr_arg part[] = {HANDLE(tsr_index_at(site->where, x, -1, 0)),
	                        HANDLE(tsr_index_at(site->where, x, -1, 1))};
	return tsr_complex_at(site->where, part);
}
