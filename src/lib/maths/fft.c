/* fft.c - the public Fourier transforms: lengths, dims and divisors in front of the row. */
#include <math.h>
#include "lib/lib.h"

/* ---- one dim */

typedef struct way { /* of a transform: how the row is used, and what its divisor is like */
	int type;
	bool inverse;
} way;

/* of what the result is multiplied, for the sake of .norm */
static double factor_of(const way *w, double n, tsr_fft_norm norm)
{
	const double divisor = norm == TSR_FFT_BACKWARD ? 1 : norm == TSR_FFT_ORTHO ? sqrt(n) : n;

	return w->inverse ? divisor : 1 / divisor;
}

/* the dtype that the row takes: real for rfft, else complex; 32 bits at least */
static tsr *prepared(const call_site *site, tsr *x, bool real)
{
	const type *t = handle_type(x);
	tsr_dtype dtype = dtype_inexact(t->dtype);

	if (dtype_bits(dtype_real(dtype)) < 32) dtype = TSR_F32;
	if (real && dtype_kind(dtype) == KIND_COMPLEX)
		return refuse(site, TSR_ERROR_TYPE,
		              "%s takes real numbers, and got %s: take the "
		              "real part, or the complex transform",
		              site->op, tsr_dtype_name(t->dtype));
	if (!real && dtype_kind(dtype) != KIND_COMPLEX)
		dtype = dtype == TSR_F32 ? TSR_C64 : TSR_C128;
	return convert(site, x, dtype);
}

/* the first n elements along a dim; zeros behind them where there are fewer */
static tsr *with_length(const call_site *site, tsr *x, int dim, int64_t n)
{
	const type *t = handle_type(x);
	int64_t none[MAX_NDIM] = {0}, high[MAX_NDIM] = {0};

	if (n <= t->dims[dim]) return tsr_slice_at(site->where, x, dim, 0, n);
	high[dim] = n - t->dims[dim];
	tsr *zero = zeros_of(site, etype_of(t), NULL, 0);
	return bind(site, &tsr__prim_pad,
	            &(pad_params){{t->ndim, none}, {t->ndim, high}, {t->ndim, none}},
	            (tsr *[]){x, zero}, 2);
}

/* n 0: as many as x has */
static tsr *along(const call_site *site, const way *w, tsr *x, int dim, int64_t n,
                  tsr_fft_norm norm)
{
	if (handle_is_poison(x)) return x;
	x = prepared(site, x, w->type == FFT_RFFT);
	if (handle_is_poison(x)) return x;
	const int64_t given = handle_type(x)->dims[dim];
	if (n == 0) n = w->type == FFT_IRFFT ? 2 * (given - 1) : given;
	if (n < 1)
		return refuse_op(site, TSR_ERROR_ARGUMENT,
		                 "the length of dim %d must be at least 1, and is %lld", dim,
		                 (long long)n);
	x = with_length(site, x, dim, w->type == FFT_IRFFT ? n / 2 + 1 : n);
	if (handle_is_poison(x)) return x;
	const fft_params p = {w->type, dim, n};
	tsr *y = bind(site, &tsr__prim_fft, &p, &x, 1);
	const double factor = factor_of(w, (double)n, norm);
	return factor == 1 ? y : R2(mul, y, factor);
}

static bool norm_ok(const call_site *site, tsr_fft_norm norm)
{
	return (norm >= TSR_FFT_BACKWARD && norm <= TSR_FFT_FORWARD) ||
	       fail_op(site, TSR_ERROR_ARGUMENT,
	               ".norm is none of TSR_FFT_BACKWARD, TSR_FFT_ORTHO and TSR_FFT_FORWARD");
}

static tsr *one_dim(call_site *site, const way *w, tsr *x, const tsr_fft_args *g)
{
	int dim;

	if (!operands_check(site, &x, 1) || !norm_ok(site, g->norm) ||
	    !one_dim_read(site, &g->dim, handle_type(x)->ndim, -1, &dim))
		return poison_of(site->ctx);
	if (g->n < 0)
		return refuse_op(site, TSR_ERROR_ARGUMENT, ".n must be at least 1, and is %lld",
		                 (long long)g->n);
	return along(site, w, x, dim, g->n, g->norm);
}

static const way fft_way = {FFT_FFT, false}, ifft_way = {FFT_IFFT, true};
static const way rfft_way = {FFT_RFFT, false}, irfft_way = {FFT_IRFFT, true};
static const way hfft_way = {FFT_IRFFT, false}, ihfft_way = {FFT_RFFT, true};

tsr *lib_fft(call_site *site, tsr *x, const tsr_fft_args *given)
{
	return one_dim(site, &fft_way, x, given);
}

tsr *lib_ifft(call_site *site, tsr *x, const tsr_fft_args *given)
{
	return one_dim(site, &ifft_way, x, given);
}

tsr *lib_rfft(call_site *site, tsr *x, const tsr_fft_args *given)
{
	return one_dim(site, &rfft_way, x, given);
}

tsr *lib_irfft(call_site *site, tsr *x, const tsr_fft_args *given)
{
	return one_dim(site, &irfft_way, x, given);
}

/* the length of a transform, of its result or of its operand */
static double length_of(tsr *x, const tsr_fft_args *given)
{
	const int n = handle_type(x)->ndim;
	int64_t dim = given->dim.d[0] == 2 ? given->dim.d[1] : -1;

	return (double)handle_type(x)->dims[dim < 0 ? dim + n : dim];
}

/* irfft(conj x) n */
tsr *lib_hfft(call_site *site, tsr *x, const tsr_fft_args *given)
{
	tsr *y = one_dim(site, &hfft_way, R1(conj, x), given);

	return handle_is_poison(y) ? y : R2(mul, y, length_of(y, given));
}

/* conj(rfft(x)) / n */
tsr *lib_ihfft(call_site *site, tsr *x, const tsr_fft_args *given)
{
	tsr *y = R1(conj, one_dim(site, &ihfft_way, x, given));

	if (handle_is_poison(y)) return y;
	const double n = given->n ? (double)given->n : length_of(x, given);
	return R2(mul, y, 1 / n);
}

/* ---- several dims */

typedef struct several {
	int n, dim[MAX_NDIM];
	int64_t length[MAX_NDIM]; /* 0: not given */
} several;

/* dims in the order they were given in; as many last ones as `usual`, -1: all, when they are not */
static bool read_several(call_site *site, const tsr_fftn_args *g, int ndim, int usual, several *to)
{
	const bool sized = dims_given(&g->lengths);

	if (!dims_ok(site, "a list of dims", &g->dims, false) ||
	    !dims_ok(site, "a list of lengths", &g->lengths, false))
		return false;
	to->n = dims_given(&g->dims) ? dims_count(&g->dims)
	        : usual >= 0         ? usual
	        : sized              ? dims_count(&g->lengths)
	                             : ndim;
	if (sized && dims_count(&g->lengths) != to->n)
		return fail_op(site, TSR_ERROR_ARGUMENT, ".lengths has %d entries for %d dims",
		               dims_count(&g->lengths), to->n);
	for (int i = 0; i < to->n; i++) {
		const int64_t dim = dims_given(&g->dims) ? dims_of(&g->dims)[i] : i - to->n;
		if (!dim_read(site, dim, ndim, &to->dim[i])) return false;
		to->length[i] = sized ? dims_of(&g->lengths)[i] : 0;
		if (sized && to->length[i] < 1)
			return fail_op(site, TSR_ERROR_ARGUMENT,
			               ".lengths must be at least 1, and one is %lld",
			               (long long)to->length[i]);
		for (int k = 0; k < i; k++)
			if (to->dim[k] == to->dim[i])
				return fail_op(site, TSR_ERROR_ARGUMENT, "dim %d is there twice",
				               to->dim[i]);
	}
	return true;
}

/* `last` is done along the last dim: before the others where it takes real numbers, behind them
 * where it makes some */
static tsr *several_dims(call_site *site, const way *w, const way *last, tsr *x,
                         const tsr_fftn_args *g, int usual)
{
	several s;

	if (!operands_check(site, &x, 1) || !norm_ok(site, g->norm) ||
	    !read_several(site, g, handle_type(x)->ndim, usual, &s))
		return poison_of(site->ctx);
	const int end = s.n - 1;
	const bool first = last->type == FFT_RFFT;
	if (s.n && first) x = along(site, last, x, s.dim[end], s.length[end], g->norm);
	for (int i = 0; i < end; i++) x = along(site, w, x, s.dim[i], s.length[i], g->norm);
	if (s.n && !first) x = along(site, last, x, s.dim[end], s.length[end], g->norm);
	return s.n || handle_is_poison(x) ? x : prepared(site, x, first);
}

#define SEVERAL(name, way_, last, usual) \
	tsr *lib_##name(call_site *site, tsr *x, const tsr_fftn_args *given) \
	{ \
		return several_dims(site, &way_, &last, x, given, usual); \
	}
SEVERAL(fftn, fft_way, fft_way, -1)
SEVERAL(ifftn, ifft_way, ifft_way, -1)
SEVERAL(rfftn, fft_way, rfft_way, -1)
SEVERAL(irfftn, ifft_way, irfft_way, -1)
SEVERAL(fft2, fft_way, fft_way, 2)
SEVERAL(ifft2, ifft_way, ifft_way, 2)
SEVERAL(rfft2, fft_way, rfft_way, 2)
SEVERAL(irfft2, ifft_way, irfft_way, 2)

/* ---- frequencies */

/* count, and the numbers from `turn` on less n, by n d */
static tsr *frequencies(call_site *site, tsr_ctx *ctx, int64_t n, int64_t count, int64_t turn,
                        const tsr_fftfreq_args *g)
{
	if (!ctx_ok(site->where, site->op, ctx)) return poison_of(ctx);
	if (n < 1)
		return refuse_op(site, TSR_ERROR_ARGUMENT, "n must be at least 1, and is %lld",
		                 (long long)n);
	if (!dtype_given_ok(site, g->dtype)) return poison_of(ctx);
	const tsr_dtype dtype = dtype_or_usual(ctx, g->dtype, KIND_FLOAT);
	tsr *k = tsr_arange_at(site->where, ctx, count,
	                       &(tsr_arange_args){.size = sizeof(tsr_arange_args), .dtype = dtype});
	if (turn < count) k = R3(where, R2(lt, k, (double)turn), k, R2(sub, k, (double)n));
	return R2(div, k, (g->d != 0 ? g->d : 1) * (double)n);
}

tsr *lib_fftfreq(call_site *site, tsr_ctx *ctx, int64_t n, const tsr_fftfreq_args *given)
{
	return frequencies(site, ctx, n, n, n / 2 + n % 2, given);
}

tsr *lib_rfftfreq(call_site *site, tsr_ctx *ctx, int64_t n, const tsr_fftfreq_args *given)
{
	return frequencies(site, ctx, n, n / 2 + 1, n, given);
}

/* each dim turned by half of its size: rounded down, or back */
static tsr *shifted(call_site *site, tsr *x, const tsr_fftshift_args *g, bool back)
{
	int64_t dims[MAX_NDIM];
	int n;

	if (!operands_check(site, &x, 1) ||
	    !dims_read(site, &g->dims, handle_type(x)->ndim, dims, &n))
		return poison_of(site->ctx);
	for (int i = 0; i < n && !handle_is_poison(x); i++) {
		const int dim = (int)dims[i];
		const int64_t size = handle_type(x)->dims[dim], half = size / 2;
		const int64_t at = back ? half : size - half;
		tsr *parts[] = {tsr_slice_at(site->where, x, dim, at, size),
		                tsr_slice_at(site->where, x, dim, 0, at)};
		x = tsr_concatenate_at(site->where, dim, parts, 2);
	}
	return x;
}

tsr *lib_fftshift(call_site *site, tsr *x, const tsr_fftshift_args *given)
{
	return shifted(site, x, given, false);
}

tsr *lib_ifftshift(call_site *site, tsr *x, const tsr_fftshift_args *given)
{
	return shifted(site, x, given, true);
}
