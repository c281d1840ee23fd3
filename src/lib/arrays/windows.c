/* windows.c - the public operations on windows that go over an array: reductions of them, pooling.
 *
 * They are made of rows: the array is padded, its patches are taken, and these are reduced. Kernels
 * do all of that at once. */
#include <math.h>
#include "lib/arrays/windows.h"

/* ---- where windows go */

/* a list of n numbers, each at least `least`; not given: all are `usual` */
static bool numbers_read(const call_site *site, const char *name, const tsr_dims *given, int n,
                         int64_t usual, int64_t least, int64_t *to)
{
	if (!dims_ok(site, name, given, false)) return false;
	if (dims_given(given) && dims_count(given) != n)
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               "%s must have %d entries, one for each dim that windows go along, "
		               "and has %d",
		               name, n, dims_count(given));
	for (int i = 0; i < n; i++) {
		to[i] = dims_given(given) ? dims_of(given)[i] : usual;
		if (to[i] < least || to[i] > INT64_MAX / 8)
			return fail_op(site, TSR_ERROR_ARGUMENT,
			               "an entry of %s must be at least %lld, and is %lld", name,
			               (long long)least, (long long)to[i]);
	}
	return true;
}

/* As JAX pads: so many windows as there are strides in the dim, and one more element behind than
 * before where their number is odd (TSR_SAME_LOWER: before). Windows of 4 in strides of 2 over 5
 * elements are 3, which reach over 2 * 2 + 4 = 8: 1 is padded before, 2 behind
 *
 *     0 | a  b  c  d  e | 0  0
 *   [ 0   a  b  c ]
 *         [ b  c  d  e ]
 *               [ d  e   0  0 ] */
static void pad_same(windows *w, const int64_t *size, enum tsr_window_padding padding)
{
	for (int i = 0; i < w->n; i++) {
		const int64_t stride = w->stride[i], n = (size[i] + stride - 1) / stride;
		const int64_t reach = (w->size[i] - 1) * w->dilation[i] + 1;
		const int64_t all = (n - 1) * stride + reach - size[i], pad = all > 0 ? all : 0;
		w->low[i] = padding == TSR_SAME ? pad / 2 : pad - pad / 2;
		w->high[i] = pad - w->low[i];
	}
}

bool windows_read(const call_site *site, const windows_given *g, const int64_t *size, windows *w)
{
	const bool padded = dims_given(g->low) || dims_given(g->high);
	const bool same = pads_same(g->padding);
	const int64_t lowest = -(INT64_MAX / 8);

	if (!same && g->padding != TSR_PADDING_DEFAULT && g->padding != TSR_VALID)
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               ".padding %d is none of TSR_VALID, TSR_SAME and TSR_SAME_LOWER",
		               (int)g->padding);
	if (padded && same)
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               ".low and .high say how much is padded, and so does .padding");
	for (int i = 0; i < w->n; i++)
		if (w->size[i] < 1 || w->size[i] > INT64_MAX / 8)
			return fail_op(site, TSR_ERROR_ARGUMENT,
			               "the sizes of a window must be at least 1, and one is %lld",
			               (long long)w->size[i]);
	if (!numbers_read(site, ".strides", g->strides, w->n, 1, 1, w->stride) ||
	    !numbers_read(site, ".low", g->low, w->n, 0, lowest, w->low) ||
	    !numbers_read(site, ".high", g->high, w->n, 0, lowest, w->high) ||
	    !numbers_read(site, g->base_name, g->base, w->n, 1, 1, w->base) ||
	    !numbers_read(site, g->dilation_name, g->dilation, w->n, 1, 1, w->dilation))
		return false;
	for (int64_t i = 0, reach; i < w->n; i++)
		if (!mul_ok(w->size[i], w->dilation[i], &reach) || reach > INT64_MAX / 8)
			return fail_op(site, TSR_ERROR_ARGUMENT,
			               "a window of %lld elements, each %lld behind the last, is "
			               "too large",
			               (long long)w->size[i], (long long)w->dilation[i]);
	if (same) pad_same(w, size, g->padding);
	return true;
}

/* ---- the rows they are made of; what is poison stays so */

static tsr *step(const call_site *site, const tsr_prim *row, const void *params, tsr *x)
{
	return handle_is_poison(x) ? x : bind(site, row, params, &x, 1);
}

tsr *turn_dims(const call_site *site, tsr *x, const int64_t *perm, int ndim)
{
	bool moves = false;

	for (int d = 0; d < ndim; d++) moves = moves || perm[d] != d;
	return moves ? step(site, &tsr__prim_transpose, &(transpose_params){{ndim, perm}}, x) : x;
}

tsr *take_patches(const call_site *site, const windows *w, tsr *x, const tsr_arg *outside)
{
	if (handle_is_poison(x)) return x;
	const type *t = handle_type(x);
	const int n = w->n;
	int64_t low[MAX_NDIM] = {0}, high[MAX_NDIM] = {0}, between[MAX_NDIM] = {0};
	bool pads = false;

	for (int i = 0; i < n; i++) {
		low[w->along[i]] = w->low[i];
		high[w->along[i]] = w->high[i];
		between[w->along[i]] = w->base[i] - 1;
		pads = pads || w->low[i] || w->high[i] || w->base[i] > 1;
	}
	if (pads) {
		const pad_params p = {{t->ndim, low}, {t->ndim, high}, {t->ndim, between}};
		tsr *number = outside->kind == TSR_KIND_ONE
		                      ? outside->as.one
		                      : constant_as(site, etype_of(t), outside);
		if (handle_is_poison(number)) return number;
		x = bind(site, &tsr__prim_pad, &p, (tsr *[]){x, number}, 2);
	}
	const patches_params p = {{n, w->along}, {n, w->size}, {n, w->stride}, {n, w->dilation}};
	return step(site, &tsr__prim_patches, &p, x);
}

/* ---- reductions of windows */

static tsr *reduced(const call_site *site, const windows *w, enum tsr_combine by, tsr *x)
{
	const tsr_dtype dtype = handle_type(x)->dtype;
	const tsr_arg lowest = lowest_arg(dtype), highest = highest_arg(dtype);
	const tsr_arg zero = {.kind = TSR_KIND_INT, .as.i = 0},
		      one = {.kind = TSR_KIND_INT, .as.i = 1};
	const tsr_arg *outside[] = {[TSR_COMBINE_ADD] = &zero, [TSR_COMBINE_MUL] = &one,
	                            [TSR_COMBINE_MIN] = &highest, [TSR_COMBINE_MAX] = &lowest};
	const tsr_prim *const row[] = {[TSR_COMBINE_ADD] = &tsr__prim_reduce_sum,
	                               [TSR_COMBINE_MUL] = &tsr__prim_reduce_prod,
	                               [TSR_COMBINE_MIN] = &tsr__prim_reduce_min,
	                               [TSR_COMBINE_MAX] = &tsr__prim_reduce_max};
	const int ndim = handle_type(x)->ndim;
	int64_t last[MAX_NDIM];

	for (int i = 0; i < w->n; i++) last[i] = ndim + i;
	return step(site, row[by], &(reduce_params){{w->n, last}},
	            take_patches(site, w, x, outside[by]));
}

bool window_args_read(const call_site *site, const type *t, const tsr_dims *window,
                      const tsr_window_args *a, windows *w)
{
	const windows_given g = {&a->strides, &a->low, &a->high, &a->base_dilation,
	                         &a->window_dilation, ".base_dilation", ".window_dilation",
	                         a->padding};

	if (!dims_ok(site, "the window", window, true)) return false;
	w->n = dims_count(window);
	if (w->n != t->ndim)
		return fail_op(site, TSR_ERROR_ARGUMENT, "the window has %d dims, and x has %d",
		               w->n, t->ndim);
	for (int d = 0; d < w->n; d++) {
		w->along[d] = d;
		w->size[d] = dims_of(window)[d];
	}
	return windows_read(site, &g, t->dims, w);
}

tsr *lib_reduce_window(call_site *site, tsr *x, enum tsr_combine by, tsr_dims window,
                       const tsr_window_args *a)
{
	windows w;

	if (!operands_check(site, &x, 1)) return poison_of(site->ctx);
	if (by < TSR_COMBINE_ADD || by > TSR_COMBINE_MAX)
		return refuse_op(site, TSR_ERROR_ARGUMENT,
		                 "elements are combined by TSR_COMBINE_ADD, _MUL, _MIN or _MAX, "
		                 "not by %d",
		                 (int)by);
	if (!window_args_read(site, handle_type(x), &window, a, &w)) return poison_of(site->ctx);
	return reduced(site, &w, by, x);
}

/* ---- pooling: windows go along the dims before the last one, which counts features */

static tsr *pooled(call_site *site, enum tsr_combine by, tsr *x, const tsr_dims *window,
                   const tsr_pool_args *a, windows *w)
{
	if (!operands_check(site, &x, 1) || !dims_ok(site, "the window", window, true))
		return poison_of(site->ctx);
	const type *t = handle_type(x);
	const windows_given g = {.strides = &a->strides, .low = &a->low, .high = &a->high,
	                         .base = &(tsr_dims){.d = {0}}, .dilation = &(tsr_dims){.d = {0}},
	                         .padding = a->padding};
	int64_t size[MAX_NDIM];
	w->n = dims_count(window);
	if (w->n > t->ndim - 1)
		return refuse_op(site, TSR_ERROR_ARGUMENT,
		                 "a window of %d dims needs an array of more, whose last dim "
		                 "counts features, and x has %d",
		                 w->n, t->ndim);
	for (int i = 0; i < w->n; i++) {
		w->along[i] = t->ndim - 1 - w->n + i;
		w->size[i] = dims_of(window)[i];
		size[i] = t->dims[w->along[i]];
	}
	if (!windows_read(site, &g, size, w)) return poison_of(site->ctx);
	return reduced(site, w, by, x);
}

static tsr *pooled_extreme(call_site *site, enum tsr_combine by, tsr *x, const tsr_dims *window,
                           const tsr_pool_args *a)
{
	windows w;

	return pooled(site, by, x, window, a, &w);
}

tsr *lib_max_pool(call_site *site, tsr *x, tsr_dims window, const tsr_pool_args *given)
{
	return pooled_extreme(site, TSR_COMBINE_MAX, x, &window, given);
}

tsr *lib_min_pool(call_site *site, tsr *x, tsr_dims window, const tsr_pool_args *given)
{
	return pooled_extreme(site, TSR_COMBINE_MIN, x, &window, given);
}

/* how many elements of x each window has, in the dtype of x */
static tsr *elements_of(const call_site *site, const windows *w, tsr *x)
{
	const type *t = handle_type(x);
	tsr *ones = full_of(site, etype_of(t), t->dims, t->ndim,
	                    &(tsr_arg){.kind = TSR_KIND_INT, .as.i = 1});

	return handle_is_poison(ones) ? ones : reduced(site, w, TSR_COMBINE_ADD, ones);
}

tsr *lib_avg_pool(call_site *site, tsr *x, tsr_dims window, const tsr_pool_args *a)
{
	windows w;
	int64_t n = 1;
	tsr *sum = pooled(site, TSR_COMBINE_ADD, x, &window, a, &w);

	if (handle_is_poison(sum)) return sum;
	for (int i = 0; i < w.n; i++) n *= w.size[i];
	tsr_arg by = {.kind = TSR_KIND_INT, .as.i = n};
	if (a->exclude_padding)
		by = (tsr_arg){.kind = TSR_KIND_ONE, .as.one = elements_of(site, &w, x)};
	return tsr_div_at(site->where, (tsr_arg[]){{.kind = TSR_KIND_ONE, .as.one = sum}, by});
}
