/* fft.c - fft: discrete Fourier transforms along a dim.
 *
 *     fft [1 2 3 4]     gives    [10 -2+2i -2 -2-2i]     y(k) is the sum of x(j) w^(j k), where
 *     rfft [1 2 3 4]    gives    [10 -2+2i -2]           w = e^(-2 pi i / 4)
 *
 * ifft and irfft are their inverses. rfft gives the first half of the spectrum of a real signal,
 * from which the rest follows; irfft makes `length` real numbers of such a half, and takes its
 * first element, and where length is even its last one, for real.
 *
 * A length n = p m is p transforms of every p-th element, which are then combined. Where a prime
 * factor of it is above LONGEST_PRIME, the transform is a convolution, by transforms of a power of
 * 2: w^(j k) = c(j) c(k) / c(k - j) with c(k) = w^(k^2 / 2) (Bluestein). */
#include <math.h>
#include "prim/checks.h"
#include "prim/numbers.h"
#include "prim/places.h"
#include "prim/row.h"

enum { LONGEST_PRIME = 61 };

static const char *const fft_words[] = {"fft", "ifft", "rfft", "irfft", NULL};
static const fft_params *params_of(const eqn *e) { return e->params; }

static bool fft_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const fft_params *p = params_of(e);
	const tsr_dtype dtype = in[0]->dtype, real = dtype_real(dtype);
	const int64_t n = p->length, half = n / 2 + 1;
	const bool inexact = real == TSR_F32 || real == TSR_F64;

	if (!check_dim(b, e, p->dim, in[0]->ndim)) return false;
	if (!inexact || (dtype == real) != (p->type == FFT_RFFT))
		return fail_type(b, e, "%s does not accept dtype %s", fft_words[p->type],
		                 tsr_dtype_name(dtype));
	if (n < 1 || in[0]->dims[p->dim] != (p->type == FFT_IRFFT ? half : n))
		return fail_type(b, e, "%s of length %lld does not fit dim %lld of %s",
		                 fft_words[p->type], (long long)n, (long long)p->dim,
		                 type_words(b, in[0]));
	int64_t *dims = dims_room(b, in[0]->ndim);
	if (!dims) return false;
	for (int d = 0; d < in[0]->ndim; d++) dims[d] = in[0]->dims[d];
	dims[p->dim] = p->type == FFT_RFFT ? half : n;
	const tsr_dtype made = real == TSR_F32 ? TSR_C64 : TSR_C128;
	return give_type(b, p->type == FFT_IRFFT ? real : made, dims, in[0]->ndim, out);
}

static void fft_factors(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	const int dim = (int)params_of(e)->dim;

	for (int d = 0; d < in[0]->ndim; d++)
		if (d != dim) factor_shared(e, in, f, d, d);
	factor_whole(f, 0, dim, in[0]->dims[dim], "transformed");
	factor_whole(f, 1, dim, out[0]->dims[dim], "transformed");
}

/* ---- transforms of c128 */

/* e^(-2 pi i k / n) for k = 0 .. n - 1, by numbers of the first eighth of the circle */
static c128 root_of(int64_t k, int64_t n)
{
	const double turn = 2 * 0x1.921fb54442d18p+1;

	if (2 * k > n) return conj(root_of(n - k, n));
	if (4 * k > n) { /* past a quarter: the other side of the axis */
		const c128 r = root_of(n - 2 * k, 2 * n);
		return __builtin_complex(-creal(r), cimag(r));
	}
	if (8 * k > n) { /* the sine of the rest of the quarter is the cosine */
		const double rest = turn * ((double)(n - 4 * k) / (4 * (double)n));
		return __builtin_complex(sin_f64(rest), -cos_f64(rest));
	}
	const double angle = turn * ((double)k / (double)n);
	return __builtin_complex(cos_f64(angle), -sin_f64(angle));
}

static int64_t least_factor(int64_t n)
{
	if (n % 4 == 0) return 4;
	for (int64_t p = 2; p <= LONGEST_PRIME; p++)
		if (n % p == 0) return p;
	return n;
}

/* y of p numbers y[0], y[m], ...: their transform, where root[k * step] is that of number k of p */
static void combine(c128 *y, int64_t p, int64_t m, const c128 *root, int64_t step)
{
	c128 x[LONGEST_PRIME];

	for (int64_t j = 0; j < p; j++) x[j] = y[j * m];
	if (p == 4) {
		const c128 a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3], d = x[1] - x[3];
		const c128 turned = __builtin_complex(cimag(d), -creal(d));
		y[0] = a + c;
		y[m] = b + turned;
		y[2 * m] = a - c;
		y[3 * m] = b - turned;
		return;
	}
	for (int64_t k = 0; k < p; k++) {
		c128 sum = x[0];
		for (int64_t j = 1; j < p; j++) sum += mul_c128(x[j], root[j * k % p * step]);
		y[k * m] = sum;
	}
}

/* the transform of n numbers, every stride-th of x; root: those of n * stride */
static void transform(int64_t n, const c128 *x, int64_t stride, c128 *y, const c128 *root)
{
	const int64_t p = least_factor(n), m = n / p;

	if (n == 1) {
		*y = *x;
		return;
	}
	for (int64_t j = 0; j < p; j++) transform(m, x + j * stride, stride * p, y + j * m, root);
	for (int64_t k = 0; k < m; k++) {
		for (int64_t j = 1; j < p; j++)
			y[j * m + k] = mul_c128(y[j * m + k], root[j * k * stride]);
		combine(y + k, p, m, root, m * stride);
	}
}

/* Memory for transforms of one length, c128 all of it. With a prime factor that is too large,
 * `chirp` is c and `kernel` the transform of 1 / c; else size is 0 */
typedef struct plan {
	int64_t n, size;             /* size: of the convolution, a power of 2 */
	c128 *root;                  /* of n, or of size */
	c128 *in, *out;              /* n each */
	c128 *chirp, *kernel, *room; /* n, size, twice size */
} plan;

static int64_t size_of_convolution(int64_t n)
{
	int64_t rest = n, size = 1;

	while (rest > 1 && least_factor(rest) <= LONGEST_PRIME) rest /= least_factor(rest);
	if (rest == 1) return 0;
	while (size < 2 * n - 1) size *= 2;
	return size;
}

static int64_t room_of(int64_t n)
{
	const int64_t size = size_of_convolution(n);

	return size ? 3 * n + 4 * size : 3 * n;
}

static plan plan_in(c128 *memory, int64_t n)
{
	plan p = {.n = n, .size = size_of_convolution(n), .in = memory, .out = memory + n};
	const int64_t length = p.size ? p.size : n;

	p.root = p.out + n;
	for (int64_t k = 0; k < length; k++) p.root[k] = root_of(k, length);
	if (!p.size) return p;
	p.kernel = p.root + p.size;
	p.room = p.kernel + p.size;
	p.chirp = p.room + 2 * p.size;
	for (int64_t k = 0, square = 0; k < n; k++) {
		p.chirp[k] = root_of(square, 2 * n); /* square is k^2 modulo 2 n */
		square = (square + 2 * k + 1) % (2 * n);
	}
	for (int64_t k = 0; k < p.size; k++) p.room[k] = 0;
	for (int64_t k = 0; k < n; k++) p.room[k] = p.room[k ? p.size - k : 0] = conj(p.chirp[k]);
	transform(p.size, p.room, 1, p.kernel, p.root);
	return p;
}

/* p->out from p->in */
static void run_plan(const plan *p)
{
	c128 *a = p->room, *b = p->room + p->size;

	if (!p->size) {
		transform(p->n, p->in, 1, p->out, p->root);
		return;
	}
	for (int64_t k = 0; k < p->size; k++) a[k] = k < p->n ? mul_c128(p->in[k], p->chirp[k]) : 0;
	transform(p->size, a, 1, b, p->root);
	for (int64_t k = 0; k < p->size; k++) b[k] = conj(mul_c128(b[k], p->kernel[k]));
	transform(p->size, b, 1, a, p->root);
	for (int64_t k = 0; k < p->n; k++)
		p->out[k] = mul_c128(conj(a[k]) / (double)p->size, p->chirp[k]);
}

/* ---- eval */

/* lines in as many parts as that, since each needs memory of its own */
static int64_t fft_parts(const eqn *e, const type *const *in)
{
	const int64_t lines = in[0]->size / in[0]->dims[params_of(e)->dim];

	return lines < 1 ? 1 : lines < TUNE_FFT_PARTS ? lines : TUNE_FFT_PARTS;
}

static size_t fft_scratch(const eqn *e, const type *const *in)
{
	(void)in;
	return (size_t)room_of(params_of(e)->length) * sizeof(c128);
}

/* a line of n numbers, or of the first half of them */
static void read_line(const plan *p, const eval_args *args, int64_t at, int64_t stride)
{
	const int type = params_of(args->eqn)->type;
	const int64_t given = args->in[0]->dims[params_of(args->eqn)->dim];
	cursor from = {.at = at};

	cursor_dim(&from, given, stride);
	for (int64_t k = 0; k < given; k++) {
		double real;
		if (type == FFT_RFFT)
			gather_f64(&real, args->in[0]->dtype, args->x[0], &from, 1);
		else
			gather_c128(&p->in[k], args->in[0]->dtype, args->x[0], &from, 1);
		if (type == FFT_RFFT) p->in[k] = real;
	}
	if (type != FFT_IRFFT) return;
	for (int64_t k = given; k < p->n; k++) p->in[k] = conj(p->in[p->n - k]);
	p->in[0] = creal(p->in[0]);
	if (p->n % 2 == 0) p->in[p->n / 2] = creal(p->in[p->n / 2]);
}

/* an inverse is the conjugate of the transform of the conjugate, by n */
static void do_line(const plan *p, bool inverse)
{
	for (int64_t k = 0; inverse && k < p->n; k++) p->in[k] = conj(p->in[k]);
	run_plan(p);
	for (int64_t k = 0; inverse && k < p->n; k++) p->out[k] = conj(p->out[k]) / (double)p->n;
}

static void fft_eval(const eval_args *args)
{
	const fft_params *f = params_of(args->eqn);
	const type *x = args->in[0], *y = args->out[0];
	const int64_t lines = x->size / x->dims[f->dim], parts = fft_parts(args->eqn, args->in);
	const int64_t end = args->end ? args->end : parts;
	const plan p = plan_in(args->scratch, f->length);
	const int64_t stride = dims_stride(x, (int)f->dim);
	cursor from = cursor_across(x, (int)f->dim), to = cursor_across(y, (int)f->dim);

	const int64_t first = lines / parts * args->first + lines % parts * args->first / parts;
	const int64_t last = lines / parts * end + lines % parts * end / parts;
	cursor_skip(&from, first);
	cursor_skip(&to, first);
	for (int64_t line = first; line < last; line++) {
		read_line(&p, args, from.at, stride);
		do_line(&p, f->type == FFT_IFFT || f->type == FFT_IRFFT);
		for (int64_t k = 0; k < y->dims[f->dim]; k++)
			if (f->type == FFT_IRFFT)
				put_f64(y->dtype, args->y[0], to.at + k * stride, creal(p.out[k]));
			else
				put_c128(y->dtype, args->y[0], to.at + k * stride, p.out[k]);
		cursor_next(&from, 1);
		cursor_next(&to, 1);
	}
}

/* ---- derivatives: all are linear, fft and ifft with a symmetric matrix */

/* 1 for elements of the half that stand alone, `twice` for those that stand for two */
static var weights(build *b, const eqn *e, const type *half, double twice)
{
	const fft_params *p = params_of(e);
	const iota_params count = {TSR_I64, {half->ndim, half->dims}, p->dim};
	const var place = emit(b, &tsr__prim_iota, &count, NULL, 0);
	const var last = emit_scalar(b, TSR_I64, p->length % 2 ? 0 : (double)(p->length / 2));
	const var first = emit_2(b, &tsr__prim_eq, place, emit_scalar(b, TSR_I64, 0));
	const var alone = emit_2(b, &tsr__prim_or, first, emit_2(b, &tsr__prim_eq, place, last));

	return emit_select(b, alone, emit_full(b, half, 1), emit_full(b, half, twice));
}

/* as in JAX: the cotangent of rfft is n irfft(conj(ct) weighed), that of irfft conj(rfft(ct)
 * weighed) / n, since products there have no conjugate */
static void fft_transpose(build *b, const eqn *e, const type *const *in, const var *x,
                          const var *ct, var *dx)
{
	fft_params p = *params_of(e);
	const tsr_dtype dtype = in[0]->dtype;
	const double n = (double)p.length;

	(void)x;
	if (p.type == FFT_RFFT) {
		p.type = FFT_IRFFT;
		const var half =
			emit_mul(b, emit_conj(b, ct[0]), weights(b, e, build_type(b, ct[0]), 0.5));
		dx[0] = emit_mul(b, emit(b, e->prim, &p, &half, 1), emit_scalar(b, dtype, n));
	} else if (p.type == FFT_IRFFT) {
		p.type = FFT_RFFT;
		const var half = emit(b, e->prim, &p, ct, 1);
		if (is_zero(half)) return;
		const var all = emit_mul(b, half, weights(b, e, build_type(b, half), 2));
		dx[0] = emit_conj(b, emit_div(b, all, emit_scalar(b, dtype, n)));
	} else
		dx[0] = emit(b, e->prim, &p, ct, 1);
}

BATCH_AS(fft, (fft_params){params_of(e)->type, params_of(e)->dim + 1, params_of(e)->length})

static double fft_times(const program *p, const eqn *e)
{
	const double n = (double)params_of(e)->length;
	const type *y = type_of(p, e->out[0]);

	return (double)y->size * log2(1 + n);
}

static const field fft_fields[] = {
	{"type", offsetof(fft_params, type), FIELD_WORD, fft_words},
	PARAM(fft_params, dim, FIELD_INT),
	PARAM(fft_params, length, FIELD_INT),
	PARAMS_END,
};
const tsr_prim tsr__prim_fft = {
	.name = "fft",
	.doc = "the discrete Fourier transform along a dim; of real numbers, half of it",
	.cost = 10,
	.times = fft_times,
	.nin = 1,
	.nout = 1,
	.params = fft_fields,
	.types = fft_types,
	.factors = fft_factors,
	.jvp = jvp_linear,
	.transpose = fft_transpose,
	.batch = fft_batch,
	.eval = fft_eval,
	.parts = fft_parts,
	.scratch = fft_scratch,
	TSR_NO_RULE(COL_LOWER, "each element depends on all of its line"),
};
