/* linear.c - layers that are products: of a matrix, of one-hot rows, of windows. flax's Linear,
 * Embed and Conv.
 *
 * A convolution whose input goes on behind its ends is one of a longer input without padding. A
 * window of 4 over a b c has 1 element before and 2 behind:
 *
 *     TSR_CIRCULAR    c | a b c | a b
 *     TSR_REFLECT     b | a b c | b a */
#include "lib/arrays/windows.h"
#include "lib/nn/layers.h"

/* ---- x @ kernel + bias */

static bool linear_fits(const call_site *site, tsr *const x[3])
{
	const type *t = handle_type(x[0]), *k = handle_type(x[1]);

	if (!t->ndim || !k->ndim || t->dims[t->ndim - 1] != k->dims[0])
		return fail_types(site, "takes x [..., in] and a kernel [in, out], not", x, 2);
	return !x[2] || parameter_fits(site, "the bias", x[2], k->dims + 1, k->ndim - 1);
}

tsr *lib_linear(call_site *site, tsr *x, tsr *kernel, tsr *bias, const tsr_linear_args *a)
{
	tsr *of[] = {x, kernel, bias};
	static const int64_t first = 0;

	if (!layer_operands(site, a->dtype, of, 3, 2) || !linear_fits(site, of))
		return poison_of(site->ctx);
	const type *t = handle_type(of[0]);
	const int64_t last = t->ndim - 1;
	const dot_params p = {{1, &last}, {1, &first}, {0, NULL}, {0, NULL}, t->dtype,
	                      DOT_EXACT};
	return add_bias(site, bind_product(site, &p, TSR_PRECISION_DEFAULT, of), of[2]);
}

/* ---- rows of a table */

static bool embed_fits(const call_site *site, tsr *x, tsr *table)
{
	const enum dtype_kind kind = dtype_kind(handle_type(x)->dtype);

	return ((kind == KIND_INT || kind == KIND_UINT) && handle_type(table)->ndim == 2) ||
	       fail_types(site, "takes integers and a table [n, features], not",
	                  (tsr *[]){x, table}, 2);
}

tsr *lib_embed(call_site *site, tsr *x, tsr *table, const tsr_linear_args *a)
{
	const tsr_index_args fill = {.size = sizeof fill};
	int64_t dims[MAX_NDIM];

	if (!operands_check(site, (tsr *[]){x, table}, 2) || !dtype_given_ok(site, a->dtype) ||
	    !embed_fits(site, x, table))
		return poison_of(site->ctx);
	if (a->dtype) table = convert(site, table, a->dtype);
	if (handle_is_poison(table) || handle_type(table)->dims[0] != 1)
		return tsr_take_at(site->where, table, 0, x, &fill);
	const type *t = handle_type(x);
	if (t->ndim == MAX_NDIM) return tsr_take_at(site->where, table, 0, x, &fill); /* no room */
	memcpy(dims, t->dims, (size_t)t->ndim * sizeof *dims);
	dims[t->ndim] = handle_type(table)->dims[1];
	return broadcast_to(site, table, dims, t->ndim + 1);
}

/* ---- convolutions */

/* the number of the element, of n, that is at place i < 0 or i >= n */
static int64_t element_at(enum tsr_window_padding padding, int64_t i, int64_t n)
{
	const int64_t period = padding == TSR_CIRCULAR || n == 1 ? n : 2 * (n - 1);
	const int64_t at = (i % period + period) % period;

	return at < n ? at : period - at;
}

enum { MOST_PIECES = 16 };
typedef struct longer { /* x in the making */
	const char *where;
	tsr *x, *piece[MOST_PIECES];
	int dim, n;
} longer;

static void put_piece(longer *l, tsr *piece)
{
	if (l->n == MOST_PIECES) {
		l->piece[0] = tsr_concatenate_at(l->where, l->dim, l->piece, MOST_PIECES);
		l->n = 1;
	}
	l->piece[l->n++] = piece;
}

/* the elements at places from .. to - 1, by pieces that rise or fall */
static void put_places(longer *l, enum tsr_window_padding padding, int64_t from, int64_t to)
{
	const int64_t n = handle_type(l->x)->dims[l->dim];

	for (int64_t i = from, end; i < to; i = end) {
		const int64_t at = element_at(padding, i, n);
		const int64_t step = i + 1 < to ? element_at(padding, i + 1, n) - at : 1;
		const bool falls = step == -1;
		for (end = i + 1; end < to; end++)
			if (element_at(padding, end, n) - at != (falls ? i - end : end - i)) break;
		const int64_t low = falls ? at - (end - i - 1) : at;
		tsr *piece = tsr_slice_at(l->where, l->x, l->dim, low, low + end - i);
		put_piece(l, falls ? tsr_flip_at(l->where, piece, TSR_DIMS(l->dim)) : piece);
	}
}

static tsr *lengthened(const call_site *site, tsr *x, int dim, enum tsr_window_padding padding,
                       int64_t reach)
{
	longer l = {.where = site->where, .x = x, .dim = dim};
	const int64_t n = handle_type(x)->dims[dim];

	if (handle_is_poison(x) || !n || reach < 2) return x;
	put_places(&l, padding, -((reach - 1) / 2), 0);
	put_piece(&l, x);
	put_places(&l, padding, n, n + reach / 2);
	return l.n == 1 ? x : tsr_concatenate_at(site->where, dim, l.piece, (size_t)l.n);
}

/* what a padding that is no matter of windows makes of x, [batch, spatial ..., features], and of
 * the keywords. false: recorded */
static bool pad_input(const call_site *site, tsr_conv_args *a, tsr **x, tsr *kernel)
{
	const enum tsr_window_padding padding = a->padding;
	const type *k = handle_type(kernel);
	const int n = k->ndim - 2;
	int64_t reach[MAX_NDIM];

	if (padding < TSR_CIRCULAR || padding > TSR_CAUSAL) return true;
	if (!dims_match(site, ".kernel_dilation", &a->rhs_dilation, n, false)) return false;
	if (padding == TSR_CAUSAL && n != 1)
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               "TSR_CAUSAL is for windows of one dim, not of %d", n);
	if (dims_given(&a->low) || dims_given(&a->high))
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               ".low and .high say how much is padded, and so does .padding");
	a->padding = TSR_VALID;
	for (int i = 0; i < n; i++) {
		const tsr_dims *d = &a->rhs_dilation;
		const int64_t apart = dims_given(d) ? dims_of(d)[i] : 1;
		if (!mul_ok(k->dims[i] - 1, apart, &reach[i]) || reach[i] < 0 ||
		    reach[i] > INT32_MAX)
			return true; /* for convolution_run() to refuse */
		if (padding != TSR_CAUSAL) *x = lengthened(site, *x, 1 + i, padding, reach[i] + 1);
	}
	if (padding == TSR_CAUSAL) {
		a->low = TSR_DIMS(reach[0]);
		a->high = TSR_DIMS(0);
	}
	return true;
}

static bool conv_fits(const call_site *site, tsr *const x[3])
{
	const type *t = handle_type(x[0]), *k = handle_type(x[1]);

	if (k->ndim < 2 || t->ndim < k->ndim - 1)
		return fail_types(site, "takes x [batch, spatial ..., in] and a kernel "
		                  "[window ..., in, out], not", x, 2);
	return !x[2] || parameter_fits(site, "the bias", x[2], &k->dims[k->ndim - 1], 1);
}

/* the dims of a batch as one; back: the other way, those of x in front of those of y */
static tsr *one_batch(const call_site *site, tsr *x, int nbatch)
{
	const type *t = handle_type(x);
	int64_t dims[MAX_NDIM + 1] = {1};

	if (nbatch == 1) return x;
	for (int d = 0; d < nbatch; d++) dims[0] *= t->dims[d];
	memcpy(dims + 1, t->dims + nbatch, (size_t)(t->ndim - nbatch) * sizeof *dims);
	return reshape_to(site, x, dims, 1 + t->ndim - nbatch);
}

static tsr *batch_again(const call_site *site, tsr *y, const type *x, int nbatch)
{
	const type *t = handle_type(y);
	int64_t dims[MAX_NDIM];

	if (nbatch == 1 || handle_is_poison(y)) return y;
	memcpy(dims, x->dims, (size_t)nbatch * sizeof *dims);
	memcpy(dims + nbatch, t->dims + 1, (size_t)(t->ndim - 1) * sizeof *dims);
	return reshape_to(site, y, dims, nbatch + t->ndim - 1);
}

tsr *lib_conv(call_site *site, tsr *x, tsr *kernel, tsr *bias, const tsr_conv_layer_args *a)
{
	convolution c = {.site = *site, .of_layer = true};
	tsr *of[] = {x, kernel, bias};

	if (!layer_operands(&c.site, a->dtype, of, 3, 2) || !conv_fits(&c.site, of))
		return poison_of(c.site.ctx);
	const type *t = handle_type(of[0]);
	const int nbatch = t->ndim - (handle_type(of[1])->ndim - 1);
	const bool same = !a->padding && !dims_given(&a->low) && !dims_given(&a->high);
	tsr_conv_args plain = {
		.size = sizeof plain, .strides = a->strides, .low = a->low, .high = a->high,
		.lhs_dilation = a->input_dilation, .rhs_dilation = a->kernel_dilation,
		.padding = same ? TSR_SAME : a->padding,
		.feature_group_count = a->feature_group_count};
	of[0] = one_batch(&c.site, of[0], nbatch);
	if (handle_is_poison(of[0]) || !pad_input(&c.site, &plain, &of[0], of[1]))
		return poison_of(c.site.ctx);
	tsr *y = convolution_run(&c, &plain, of[0], of[1]);
	return batch_again(&c.site, add_bias(site, y, of[2]), t, nbatch);
}
