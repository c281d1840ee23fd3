/* layers.c - checks and converts the operands of layers, as flax promotes them. */
#include "lib/nn/layers.h"

/* the dtype that n operands, some of them NULL, are converted to; that of integers is f32 */
static tsr_dtype common_dtype(tsr *const *x, int n)
{
	etype all = {TSR_BOOL, true};

	for (int i = 0; i < n; i++)
		if (x[i]) all = etype_join(all, etype_of(handle_type(x[i])));
	return dtype_kind(all.dtype) < KIND_FLOAT ? TSR_F32 : all.dtype;
}

tsr_dtype layer_dtype(call_site *site, tsr_dtype given, tsr *const *x, int n, int needed)
{
	tsr *here[LAYER_OPERANDS];
	int count = 0;

	for (int i = 0; i < n; i++)
		if (x[i] || i < needed) here[count++] = x[i];
	if (!operands_check(site, here, count) || !dtype_given_ok(site, given)) return 0;
	if (!given) return common_dtype(x, n);
	if (dtype_kind(given) >= KIND_FLOAT) return given;
	fail_op(site, TSR_ERROR_ARGUMENT, ".dtype must be a float or complex one, not %s",
	        tsr_dtype_name(given));
	return 0;
}

bool layer_convert(const call_site *site, tsr_dtype to, tsr **x, int n)
{
	for (int i = 0; i < n; i++) {
		if (x[i]) x[i] = convert(site, x[i], to);
		if (x[i] && handle_is_poison(x[i])) return false;
	}
	return true;
}

bool layer_operands(call_site *site, tsr_dtype given, tsr **x, int n, int needed)
{
	const tsr_dtype to = layer_dtype(site, given, x, n, needed);

	return to && layer_convert(site, to, x, n);
}

bool parameter_fits(const call_site *site, const char *name, tsr *x, const int64_t *dims, int ndim)
{
	const type *t = handle_type(x);
	str want = {.base = &site->ctx->base}, got = {.base = &site->ctx->base};

	if (dims_same(t->dims, t->ndim, dims, ndim)) return true;
	shape_text(&want, dims, ndim);
	shape_text(&got, t->dims, t->ndim);
	fail_op(site, TSR_ERROR_TYPE, "%s must have the shape %s, not %s", name,
	        want.s ? want.s : "?", got.s ? got.s : "?");
	str_free(&want);
	str_free(&got);
	return false;
}
