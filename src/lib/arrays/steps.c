/* steps.c - numbers in equal steps or ratios, and windows: jax.numpy's formulas
 * (jax/_src/numpy/array_creation.py, window_functions.py). */
#include <math.h>
#include "lib/formula.h"

static const double pi = 3.14159265358979323846;

/* ---- from start to stop. Step i of n is start (1 - i / n) + stop i / n, so that both ends are
 * exact */

typedef struct steps {
	call_site site;
	tsr_arg ends[2];
	int64_t n;
	bool open;
	const tsr_dims *dim;
	tsr_dtype dtype; /* of the result; 0: not given */
} steps;

/* the ends as arrays of the same dims, in the floats that steps are computed in; s->dtype is known
 * then. false: recorded */
static bool ends_prepare(steps *s, tsr *x[2])
{
	const bool handles = s->ends[0].kind == TSR_KIND_ONE || s->ends[1].kind == TSR_KIND_ONE;
	const bool complex = s->ends[0].kind == TSR_KIND_COMPLEX ||
	                     s->ends[1].kind == TSR_KIND_COMPLEX;
	operands o;

	if (!ctx_ok(s->site.where, s->site.op, s->site.ctx) || !dtype_given_ok(&s->site, s->dtype))
		return false;
	if (s->n < 0)
		return fail_op(&s->site, TSR_ERROR_ARGUMENT,
		               "the count is %lld; it must not be negative", (long long)s->n);
	if (!handles) {
		s->dtype = dtype_or_usual(s->site.ctx, s->dtype,
		                          complex ? KIND_COMPLEX : KIND_FLOAT);
		for (int i = 0; i < 2; i++) {
			const char *fault = number_fault(&s->ends[i]);
			if (fault)
				return fail_op(&s->site, TSR_ERROR_ARGUMENT, "end %d %s", i, fault);
			x[i] = constant(&s->site, dtype_wide(dtype_inexact(s->dtype)), &s->ends[i]);
		}
		return !handle_is_poison(x[0]) && !handle_is_poison(x[1]);
	}
	if (!operands_prepare(&o, &s->site, s->ends, 2, PROMOTE_INEXACT)) return false;
	if (!s->dtype) s->dtype = handle_type(o.x[0])->dtype;
	const type *t = handle_type(o.x[s->ends[0].kind != TSR_KIND_ONE]);
	for (int i = 0; i < 2; i++) {
		x[i] = convert(&s->site, o.x[i], dtype_wide(dtype_inexact(s->dtype)));
		x[i] = broadcast_to(&s->site, x[i], t->dims, t->ndim);
	}
	return !handle_is_poison(x[0]) && !handle_is_poison(x[1]);
}

/* in floats, whatever the dtype of the result */
static tsr *steps_between(const steps *s, tsr *const x[2])
{
	const call_site *site = &s->site;
	const char *where = site->where;
	const type *t = handle_type(x[0]);
	const int64_t parts = s->open ? s->n : s->n - 1;
	int64_t dims[MAX_NDIM];
	int dim;

	if (t->ndim == MAX_NDIM)
		return refuse_op(&s->site, TSR_ERROR_TYPE, "a value has at most %d dims", MAX_NDIM);
	if (!one_dim_read(&s->site, s->dim, t->ndim + 1, 0, &dim)) return poison_of(s->site.ctx);
	const tsr_dims at = TSR_DIMS(dim);
	const tsr_arg a = HANDLE(tsr_expand_dims_at(where, x[0], at));
	const tsr_arg b = HANDLE(tsr_expand_dims_at(where, x[1], at));
	if (s->n == 0) return tsr_slice_at(where, a.as.one, dim, 0, 0);
	if (s->n == 1) return a.as.one;
	for (int d = 0; d <= t->ndim; d++) dims[d] = d == dim ? parts : 1;
	const tsr_arg i = HANDLE(iota_of(&s->site, dtype_real(t->dtype), dims, t->ndim + 1, dim));
	const tsr_arg share = DIV(i, NUM((double)parts));
	const tsr_arg y = ADD(MUL(a, SUB(NUM(1), share)), MUL(b, share));
	return s->open ? y.as.one
	               : tsr_concatenate_at(where, dim, (tsr *[]){y.as.one, b.as.one}, 2);
}

static tsr *as_asked(const steps *s, tsr *x)
{
	if (handle_is_poison(x)) return x;
	if (dtype_kind(s->dtype) < KIND_FLOAT && s->dtype != TSR_BOOL)
		x = tsr_floor_at(s->site.where, x);
	return convert(&s->site, x, s->dtype);
}

tsr *lib_linspace(call_site *site, tsr_ctx *ctx, tsr_arg start, tsr_arg stop, int64_t n,
                  const tsr_linspace_args *a)
{
	steps s = {*site, {start, stop}, n, a->open, &a->dim, a->dtype};
	tsr *x[2];

	return ends_prepare(&s, x) ? as_asked(&s, steps_between(&s, x)) : poison_of(ctx);
}

tsr *lib_logspace(call_site *site, tsr_ctx *ctx, tsr_arg start, tsr_arg stop, int64_t n,
                  const tsr_logspace_args *a)
{
	steps s = {*site, {start, stop}, n, a->open, &a->dim, a->dtype};
	tsr *x[2];

	if (!ends_prepare(&s, x)) return poison_of(ctx);
	const tsr_arg base = NUM(a->base != 0 ? a->base : 10);
	return convert(&s.site, OP_2(pow, base, HANDLE(steps_between(&s, x))).as.one, s.dtype);
}

/* the logarithms in equal steps; start says the sign */
tsr *lib_geomspace(call_site *site, tsr_ctx *ctx, tsr_arg start, tsr_arg stop, int64_t n,
                   const tsr_linspace_args *a)
{
	steps s = {*site, {start, stop}, n, a->open, &a->dim, a->dtype};
	tsr *x[2];
	int dim;

	if (!ends_prepare(&s, x) ||
	    !one_dim_read(&s.site, &a->dim, handle_type(x[0])->ndim + 1, 0, &dim))
		return poison_of(ctx);
	const tsr_arg sign = OP_1(sign, HANDLE(x[0]));
	for (int i = 0; i < 2; i++)
		if (handle_is_poison(x[i] = OP_1(log10, DIV(HANDLE(x[i]), sign)).as.one))
			return poison_of(ctx);
	const tsr_arg power = OP_2(pow, NUM(10), HANDLE(steps_between(&s, x)));
	const tsr_arg each = HANDLE(tsr_expand_dims_at(site->where, sign.as.one, TSR_DIMS(dim)));
	return convert(&s.site, MUL(each, power).as.one, s.dtype);
}

/* ---- windows of i = 0 .. n - 1, and of one element or none ones */

typedef tsr_arg window_of(const call_site *, tsr_arg i, double last, double beta);

static tsr *window(call_site *site, tsr_ctx *ctx, int64_t n, window_of *of, double beta,
                   const tsr_new_args *a)
{
	const tsr_dtype dtype = dtype_or_usual(ctx, a->dtype, KIND_FLOAT);
	const tsr_dims dims = TSR_DIMS(n);

	if (!type_for(site, dtype, &dims)) return poison_of(ctx);
	if (dtype_kind(dtype) != KIND_FLOAT)
		return refuse_op(site, TSR_ERROR_TYPE, ".dtype must be one of floats, and is %s",
		                 tsr_dtype_name(dtype));
	const tsr_new_args as = {.size = sizeof as, .dtype = dtype};
	if (n <= 1) return tsr_ones_at(site->where, ctx, dims, &as);
	const tsr_iota_args wide = {.size = sizeof wide, .dtype = dtype_wide(dtype)};
	const tsr_arg i = HANDLE(tsr_iota_at(site->where, ctx, dims, 0, &wide));
	return convert(site, of(site, i, (double)(n - 1), beta).as.one, dtype);
}

/* cos(2 pi times i / last), as JAX rounds it */
static tsr_arg wave(const call_site *site, tsr_arg i, double last, double times)
{
	return OP_1(cos, DIV(MUL(NUM(2 * pi * times), i), NUM(last)));
}

static tsr_arg bartlett(const call_site *site, tsr_arg i, double last, double beta)
{
	(void)beta;
	const tsr_arg off = OP_1(abs, SUB(MUL(NUM(2), i), NUM(last)));
	return SUB(NUM(1), DIV(off, NUM(last)));
}

static tsr_arg blackman(const call_site *site, tsr_arg i, double last, double beta)
{
	(void)beta;
	return ADD(SUB(NUM(0.42), MUL(NUM(0.5), wave(site, i, last, 1))),
	           MUL(NUM(0.08), wave(site, i, last, 2)));
}

static tsr_arg hamming(const call_site *site, tsr_arg i, double last, double beta)
{
	(void)beta;
	return SUB(NUM(0.54), MUL(NUM(0.46), wave(site, i, last, 1)));
}

static tsr_arg hanning(const call_site *site, tsr_arg i, double last, double beta)
{
	(void)beta;
	return MUL(NUM(0.5), SUB(NUM(1), wave(site, i, last, 1)));
}

static tsr_arg kaiser(const call_site *site, tsr_arg i, double last, double beta)
{
	const tsr_arg off = DIV(SUB(i, NUM(last / 2)), NUM(last / 2));
	const tsr_arg root = OP_1(sqrt, SUB(NUM(1), OP_1(square, off)));
	const tsr_arg all = MUL(OP_1(ones_like, root), NUM(beta));

	return DIV(OP_1(i0, MUL(NUM(beta), root)), OP_1(i0, all));
}

#define WINDOW(name) \
	tsr *lib_##name(call_site *site, tsr_ctx *ctx, int64_t n, const tsr_new_args *args) \
	{ \
		return window(site, ctx, n, name, 0, args); \
	}
WINDOW(bartlett)
WINDOW(blackman)
WINDOW(hamming)
WINDOW(hanning)

tsr *lib_kaiser(call_site *site, tsr_ctx *ctx, int64_t n, double beta, const tsr_new_args *args)
{
	return window(site, ctx, n, kaiser, beta, args);
}
