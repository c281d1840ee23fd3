/* fft.c - fft: discrete Fourier transforms along a dim.
 *
 *     fft [1 2 3 4]:c64 type=fft dim=0 length=4           gives    [10 -2+2i -2 -2-2i]
 *     fft [1 2 3 4] type=rfft dim=0 length=4              gives    [10 -2+2i -2]
 *     fft [10 -2+2i -2 -2-2i] type=ifft dim=0 length=4    gives    [1 2 3 4]:c64
 *     fft [10 -2+2i -2] type=irfft dim=0 length=4         gives    [1 2 3 4]
 *
 * y(k) of fft is the sum of x(j) w^(j k) over j, where w = e^(-2 pi i / 4); ifft and irfft are the
 * inverses. rfft gives the first half of the spectrum of a real signal,
 * from which the rest follows; irfft makes `length` real numbers of such a half, and takes its
 * first element, and where length is even its last one, for real.
 * fft_lines.c and fft_long.c compute them. */
#include <math.h>
#include "prim/checks.h"
#include "prim/fourier/fft.h"

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

/* ---- derivatives: all are linear, fft and ifft with a symmetric matrix */

/* 1 for elements of the half that represent themselves, `twice` for those that represent two */
static var weights(build *b, const eqn *e, const type *half, double twice)
{
	const fft_params *p = params_of(e);
	const var place = emit_iota(b, TSR_I64, half->dims, half->ndim, (int)p->dim);
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
	.flags = PRIM_CALLED,
	.doc = "the discrete Fourier transform along a dim; of real numbers, half of it",
	.cost = 4,
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
	.phases = fft_phases,
	.scratch = fft_scratch,
	TSR_NO_RULE(COL_LOWER, "each element depends on all of its line"),
};
