/* draw.c - runs samplers: in a body it records their operations; outside it calls a fn with the
 * key and the parameters as arguments, so that each draw is one run of one program. */
#include "lib/random/draw.h"

/* ---- checks */

bool key_ok(call_site *site, tsr *key)
{
	if (!operands_check(site, &key, 1)) return false;
	const type *t = handle_type(key);
	if (t->dtype == TSR_U32 && t->ndim == 1 && t->dims[0] == 2) return true;
	const bool several = t->dtype == TSR_U32 && t->ndim > 1 && t->dims[t->ndim - 1] == 2;
	return fail(&site->ctx->base, site->where, TSR_ERROR_TYPE,
	            several ? "%s takes one key, u32[2], but got %s: tsr_vmap() takes each in turn"
	                    : "%s: a key is u32[2], as of tsr_key() and tsr_split_key(), not %s",
	            site->op, tsr_type_text(key));
}

static bool has_dtype(draws of, tsr_dtype dtype)
{
	const enum dtype_kind kind = dtype_kind(dtype);

	return of == DRAWS_BITS ? kind == KIND_UINT
	       : of == DRAWS_INTEGERS
	               ? is_integer(dtype)
	               : kind == KIND_FLOAT || (of == DRAWS_INEXACT && kind == KIND_COMPLEX);
}

bool draw_begin(call_site *site, tsr *key, draw *d, tsr_dtype given, draws of)
{
	static const struct { const char *text; enum dtype_kind usual; } all[] = {
		[DRAWS_BITS] = {"u8, u16, u32 or u64", KIND_UINT},
		[DRAWS_INTEGERS] = {"an integer dtype", KIND_INT},
		[DRAWS_FLOATS] = {"a float dtype", KIND_FLOAT},
		[DRAWS_INEXACT] = {"a float or complex dtype", KIND_FLOAT},
	};

	if (!key_ok(site, key)) return false;
	const tsr_dtype dtype = dtype_or_usual(site->ctx, given, all[of].usual);
	if (!type_for(site, dtype, &d->dims)) return false;
	d->dtype = dtype;
	return has_dtype(of, dtype) ||
	       fail_op(site, TSR_ERROR_ARGUMENT, ".dtype must be %s, not %s", all[of].text,
	               tsr_dtype_name(dtype));
}

bool place_ok(const call_site *site, draw *d, const tsr_dims *whole, tsr *start)
{
	call_site own = *site;

	if (!dims_given(whole) && !start) return true;
	d->whole = *whole;
	if (!dims_given(whole))
		return fail(&site->ctx->base, site->where, TSR_ERROR_ARGUMENT,
		            "%s with .start needs .whole, the dims of what it is a part of",
		            site->op);
	if (!start)
		return fail(&site->ctx->base, site->where, TSR_ERROR_ARGUMENT,
		            "%s with .whole needs .start, the indices at which the part begins",
		            site->op);
	if (!operands_check(&own, &start, 1) || !type_for(site, (tsr_dtype)d->dtype, whole))
		return false;
	const type *t = handle_type(start);
	const int n = dims_count(&d->dims);
	if (dims_count(whole) != n || t->ndim != 1 || t->dims[0] != n || !is_integer(t->dtype))
		return fail_op(site, TSR_ERROR_TYPE,
		               ".whole and .start need an integer for each of %d dims, got %d "
		               "and %s",
		               n, dims_count(whole), tsr_type_text(start));
	return !site->ctx->threefry_original ||
	       fail_op(site, TSR_ERROR_UNSUPPORTED,
	               ".start needs numbers that depend on the place alone: open the context "
	               "without .threefry_original");
}

bool vector_ok(call_site *site, const char *what, tsr *x, int64_t *n)
{
	if (!operands_check(site, &x, 1)) return false;
	const type *t = handle_type(x);
	if (t->ndim) *n = t->dims[t->ndim - 1];
	return t->ndim || fail_op(site, TSR_ERROR_TYPE, "%s must have dims, but is %s", what,
	                          tsr_type_text(x));
}

bool last_dim_added(const call_site *site, tsr_dims *dims, int64_t n)
{
	return dims_ok(site, ".dims", dims, false) &&
	       (!dims_given(dims) || dims_insert(site, dims, dims_count(dims), n));
}

bool box_widened(const call_site *site, sample_box *of, int at, int64_t n)
{
	const int ndim = dims_count(&of->dims);

	if (!dims_insert(site, &of->dims, at, n) || !dims_insert(site, &of->whole, at, n))
		return false;
	if (!of->start) return true;
	tsr *first = tsr_slice_at(site->where, of->start, 0, 0, at);
	tsr *last = tsr_slice_at(site->where, of->start, 0, at, ndim);
	tsr *zero = zeros_of(site, etype_of(handle_type(of->start)), (int64_t[]){1}, 1);
	of->start = tsr_concatenate_at(site->where, 0, (tsr *[]){first, zero, last}, 3);
	return !handle_is_poison(of->start);
}

static bool refuse_complex(const call_site *site)
{
	return fail_op(site, TSR_ERROR_TYPE,
	               "parameters must be real, and one is complex: tsr_real() takes that part");
}

bool parameters_ok(const call_site *site, draw *d, const tsr_arg *x, int n)
{
	tsr_dims all = dims_given(&d->dims) ? d->dims : TSR_DIMS();
	call_site own = *site;

	for (int i = 0; i < n; i++) {
		const char *fault = x[i].kind == TSR_KIND_ONE ? NULL : number_fault(&x[i]);
		if (fault) return fail_op(site, TSR_ERROR_TYPE, "a parameter %s", fault);
		if (x[i].kind == TSR_KIND_COMPLEX) return refuse_complex(site);
		if (x[i].kind != TSR_KIND_ONE) continue;
		if (!operands_check(&own, &(tsr *){x[i].as.one}, 1)) return false;
		const type *t = handle_type(x[i].as.one);
		if (dtype_kind(t->dtype) == KIND_COMPLEX) return refuse_complex(site);
		if (!dims_broadcast(&all, t->dims, t->ndim))
			return fail_op(site, TSR_ERROR_TYPE,
			               "a parameter %s does not fit the others and the dims that "
			               "are wanted",
			               tsr_type_text(x[i].as.one));
	}
	if (dims_given(&d->dims) && memcmp(&all, &d->dims, (size_t)all.d[0] * sizeof all.d[0]))
		return fail_op(site, TSR_ERROR_TYPE,
		               "the parameters have more elements than the dims that are wanted");
	d->dims = all;
	return true;
}

/* ---- parameters */

tsr_dtype inexact_dtype_of(tsr *x)
{
	const base *b = &handles_of(x)->ctx->base;

	return etype_inexact(etype_default(b, etype_of(handle_type(x)))).dtype;
}

/* ---- dims */

tsr *dim_to_end(const call_site *site, tsr *x, int from, bool first)
{
	const int n = handle_type(x)->ndim;
	int64_t perm[MAX_NDIM];
	int at = 0;

	if (first) perm[at++] = from;
	for (int d = 0; d < n; d++)
		if (d != from) perm[at++] = d;
	if (!first) perm[at] = from;
	return turn_dims(site, x, perm, n);
}

/* ---- running */

static tsr *sampled(const call_site *site, const draw *d, tsr *const *x)
{
	const bool part = dims_given(&d->whole);
	const sample_box at = {d->dims, part ? d->whole : d->dims, part ? x[1] : NULL};

	return d->sample(site, d, x[0], &at, x + 1 + part);
}

static void draw_body(tsr_frame *f)
{
	const call_site site = {tsr_frame_ctx(f), NULL, f->fn->name};
	tsr *x[MAX_DRAW_ARGS];

	for (size_t k = 0; k < tsr_frame_count(f); k++) x[k] = tsr_frame_arg(f, k);
	tsr *y = sampled(&site, tsr_frame_env(f), x);
	tsr_return_at(NULL, f, (tsr_arg[]){tsr_arg_one(y)}, 1);
}

/* at once, by a fn that equal draws share */
static tsr *run(const call_site *site, const draw *d, const tsr_arg *args, int n)
{
	const tsr_jit_args how = {
		.size = sizeof how, .name = site->op, .env = d, .env_size = sizeof *d,
		.env_mask = env_of_library};
	const tsr_body body = {.form = TSR_FORM_FRAME, .raw = (tsr_raw)draw_body};
	tsr_fn *fn = tsr_jit_at(site->where, site->ctx, body, site->op, &how);

	return tsr_call_at(site->where, fn, args, (size_t)n);
}

tsr *draw_run(const call_site *site, const draw *d, tsr *key, tsr *start, const tsr_arg *args,
              int n)
{
	tsr_arg all[MAX_DRAW_ARGS] = {tsr_arg_one(key)};
	tsr *x[MAX_DRAW_ARGS];
	int count = 1;

	if (start) all[count++] = tsr_arg_one(start);
	for (int i = 0; i < n; i++) all[count++] = args[i];
	if (!in_trace(site->ctx)) return run(site, d, all, count);
	for (int i = 0; i < count; i++)
		x[i] = all[i].kind == TSR_KIND_ONE ? all[i].as.one : number_argument(site, &all[i]);
	const asked_call outer = asked_begin(site->where, site->op);
	tsr *y = sampled(site, d, x);
	asked_here = outer;
	return y;
}

tsr *draw_simple(call_site *site, sampler *sample, tsr *key, tsr_dims dims,
                 const tsr_draw_args *given, draws of)
{
	TURN_OF(tsr_ctx_of(key), site->where, poison_of(tsr_ctx_of(key)));
	const tsr_draw_args *a = KEYWORDS(tsr_draw_args, site->where, tsr_ctx_of(key), given);
	if (!a) return poison_of(tsr_ctx_of(key));
	draw d = {.sample = sample, .dims = dims};

	if (!draw_begin(site, key, &d, a->dtype, of) ||
	    !place_ok(site, &d, &a->whole, a->start))
		return poison_of(site->ctx);
	return draw_run(site, &d, key, a->start, NULL, 0);
}

tsr *draw_with(call_site *site, sampler *sample, tsr *key, const tsr_arg *parameters, int n,
               const tsr_sample_args *given, draws of)
{
	TURN_OF(tsr_ctx_of(key), site->where, poison_of(tsr_ctx_of(key)));
	const tsr_sample_args *a = KEYWORDS(tsr_sample_args, site->where, tsr_ctx_of(key), given);
	if (!a) return poison_of(tsr_ctx_of(key));
	draw d = {.sample = sample, .dims = a->dims};

	if (!key_ok(site, key) || !dims_ok(site, ".dims", &a->dims, false) ||
	    !parameters_ok(site, &d, parameters, n) ||
	    !draw_begin(site, key, &d, a->dtype, of))
		return poison_of(site->ctx);
	return draw_run(site, &d, key, NULL, parameters, n);
}
