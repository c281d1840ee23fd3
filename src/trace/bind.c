/* bind.c - checks the operands of an operation, then records an equation or runs it: the one entry
 * of all operations.
 *
 * Example:
 *
 *     static tsr *keeps(tsr *x) { return kept = tsr_sin(x); }
 *     tsr_call(tsr_jit(ctx, keeps), x);
 *     y = tsr_neg(tsr_add(x, kept));
 *
 * The sum is refused at its own line, since a handle is a slot with a serial number that outlives
 * the value. It gives poison, and so does neg, without an error of its own: one mistake is one
 * message.
 *
 *     ..: add: operand 1 is a stale handle: .. */
#include <stdio.h>
#include "trace/trace.h"

tsr *poison_of(tsr_ctx *ctx) { return ctx_or_here(ctx)->handles.poison; }

tsr *refuse(const call_site *site, tsr_code code, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vfail(&site->ctx->base, site->where, code, format, list);
	va_end(list);
	return poison_of(site->ctx);
}

PRINTF_LIKE(3, 0)
static bool vfail_op(const call_site *site, tsr_code code, const char *format, va_list list)
{
	char text[4096]; /* more than is kept of one */

	vsnprintf(text, sizeof text, format, list);
	return fail(&site->ctx->base, site->where, code, "%s: %s", site->op, text);
}

tsr *refuse_op(const call_site *site, tsr_code code, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vfail_op(site, code, format, list);
	va_end(list);
	return poison_of(site->ctx);
}

bool fail_op(const call_site *site, tsr_code code, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vfail_op(site, code, format, list);
	va_end(list);
	return false;
}

static bool trace_has_ended(const handle_slot *s)
{
	return s->kind == HANDLE_TRACED && !((const trace *)s->payload)->build;
}

const char *handle_fault(const tsr_ctx *ctx, const tsr *h)
{
	if (!h) return "is NULL";
	if (handles_of(h)->ctx != ctx)
		return "belongs to another context: a value goes with values of its own context "
		       "alone";
	if (!handle_live(h))
		return "is a stale handle: its scope has ended, or it was dropped "
		       "(tsr_keep or tsr_set would have kept it), or the traced body it was made "
		       "in has ended (return it from there)";
	const handle_slot *s = handle_slot_of(h);
	if (s->kind == HANDLE_ARRAY && ((const array *)s->payload)->donated)
		return ((const array *)s->payload)->donated;
	if (trace_has_ended(s))
		return "belongs to a traced body that has ended: return it from the body instead "
		       "of storing it";
	return NULL;
}

static void refuse_operand(const call_site *site, int n, int i, const char *fault)
{
	if (n == 0)
		fail(&site->ctx->base, site->where, TSR_ERROR_ARGUMENT,
		     "%s needs a handle as operand", site->op);
	else if (n == 1)
		fail_op(site, TSR_ERROR_HANDLE, "the operand %s", fault);
	else
		fail_op(site, TSR_ERROR_HANDLE, "operand %d %s", i, fault);
}

/* false where an operand is poison. Records an error, unless the one that made the poison is still
 * recorded */
static bool none_is_poison(const call_site *site, tsr *const *x, int n)
{
	char what[80];

	for (int i = 0; i < n; i++) {
		if (!handle_is_poison(x[i])) continue;
		snprintf(what, sizeof what, n == 1 ? "%s: the operand" : "%s: operand %d", site->op,
		         i);
		return fail_poison(&site->ctx->base, site->where, what);
	}
	return true;
}

tsr_ctx *numbers_check(call_site *site)
{
	site->ctx = ctx_here();
	if (!ctx_alive(site->ctx)) {
		fail_op(site, TSR_ERROR_ARGUMENT,
		        "numbers alone do not say which context is meant: give a handle, "
		        "tsr_scalar(ctx, 1)");
		return NULL;
	}
	ctx_use(site->ctx);
	return site->ctx;
}

tsr_ctx *operands_check(call_site *site, tsr *const *x, int n)
{
	tsr_ctx *ctx = site->ctx; /* of operands that were checked before */

	for (int i = 0; x && i < n && !ctx; i++)
		if (x[i]) ctx = handles_of(x[i])->ctx;
	if (!ctx) ctx = ctx_here();
	site->ctx = ctx;
	ctx_use(ctx);
	site->op = name_asked(site->where, site->op);
	if (n && !x) {
		fail(&ctx->base, site->where, TSR_ERROR_ARGUMENT,
		     "%s: the list of operands is NULL", site->op);
		return NULL;
	}
	if (n == 0) refuse_operand(site, 0, 0, NULL);
	for (int i = 0; i < n; i++) {
		const char *fault = handle_fault(ctx, x[i]);
		if (!fault) continue;
		refuse_operand(site, n, i, fault);
		return NULL;
	}
	return n && none_is_poison(site, x, n) ? ctx : NULL;
}

/* What is asked of poison has an answer, so that an operation which is written with others need not
 * look at each value before it asks for its dtype or dims: what it makes of the answer is poison
 * too (bind_all). There are enough dims that the last and the one before exist, few enough that one
 * more fits wherever dims do, and each of the most that an array can have can be read */
__extension__ static const type poison_type = {.dtype = TSR_F32,
                                               .ndim = 4,
                                               .size = 1,
                                               .strong = &poison_type,
                                               .dims = {[0 ... MAX_NDIM - 1] = 1}};

const type *handle_type(const tsr *h)
{
	const handle_slot *s = handle_slot_of(h);

	if (s->kind == HANDLE_POISON) return &poison_type;
	return s->kind == HANDLE_ARRAY
	               ? ((const array *)s->payload)->type
	               : build_type(((const trace *)s->payload)->build, (var){s->var});
}

array *handle_array(const char *where, const tsr *h)
{
	const handle_slot *s = handle_slot_of(h);

	if (s->kind == HANDLE_ARRAY) return s->payload;
	if (s->kind == HANDLE_TRACED)
		fail(&handles_of(h)->ctx->base, where, TSR_ERROR_HANDLE,
		     "the value of a traced handle is not known while its body is traced: return "
		     "it and read the result, or where the body "
		     "decides on it use cond or while (or tsr_where) instead of if");
	return NULL;
}

tsr *handle_of_array(tsr_ctx *ctx, array *a)
{
	return a ? handle_make(&ctx->handles, HANDLE_ARRAY, a, 0) : poison_of(ctx);
}

static bool record(const operation *o, tsr **out, int nout)
{
	trace *t = o->site->ctx->trace;
	arena *a = build_arena(t->build);
	var *io = arena_array(a, (size_t)o->n + (size_t)nout + 1, sizeof *io);

	if (!io) return false;
	for (int i = 0; i < o->n; i++)
		if (!trace_var(t, o->x[i], &io[i])) return false;
	if (!build_eqn(t->build, o->prim, o->params, io, o->n, io + o->n, o->site->where))
		return false;
	for (int j = 0; j < nout; j++) out[j] = trace_handle(t, io[o->n + j]);
	return true;
}

bool bind_all(const operation *o, tsr **out, int nout)
{
	if (nout && !out)
		return fail_op(o->site, TSR_ERROR_ARGUMENT, "the list of results is NULL");
	TURN(&o->site->ctx->base, o->site->where);
	const asked_call outer = asked_begin(o->site->where, o->site->op);
	const bool ok = turn_ && none_is_poison(o->site, o->x, o->n) &&
	                (o->site->ctx->trace ? record(o, out, nout) : eager_run(o, out, nout));

	asked_here = outer;
	if (ok) return true;
	for (int j = 0; j < nout; j++) out[j] = poison_of(o->site->ctx);
	return false;
}

tsr *bind(const call_site *site, const tsr_prim *prim, const void *params, tsr *const *x, int n)
{
	tsr *y;

	bind_all(&(operation){site, prim, params, x, n}, &y, 1);
	return y;
}

const char *number_fault(const tsr_arg *a)
{
	if (a->kind == TSR_KIND_TREE) return "is a tree, and must be one handle or a number";
	return a->kind >= TSR_KIND_BOOL && a->kind <= TSR_KIND_COMPLEX
	               ? NULL
	               : "is neither a handle nor a number: write TSR_ARG(x)";
}

/* ---- numbers and elements */

static tsr *refuse_number(const call_site *site, tsr_dtype dtype, const tsr_arg *number)
{
	const bool is_unsigned = number->kind == TSR_KIND_UINT;

	return is_unsigned ? refuse(site, TSR_ERROR_TYPE, "the number %llu does not fit %s",
	                            (unsigned long long)number->as.u, tsr_dtype_name(dtype))
	                   : refuse(site, TSR_ERROR_TYPE, "the number %lld does not fit %s",
	                            (long long)number->as.i, tsr_dtype_name(dtype));
}

tsr *constant_as(const call_site *site, etype of, const tsr_arg *number)
{
	_Alignas(16) unsigned char value[16] = {0};
	const char *fault = number_fault(number);
	TURN(&site->ctx->base, site->where);

	if (!turn_) return poison_of(site->ctx);
	if (fault) return refuse(site, TSR_ERROR_ARGUMENT, "an operand %s", fault);
	if (!number_fits(of.dtype, number)) return refuse_number(site, of.dtype, number);
	dtype_from_arg(of.dtype, number, value);
	const type *t = type_make(&site->ctx->ir, of.dtype, NULL, 0, 0);
	if (!t || !(t = type_as(&site->ctx->ir, t, of))) return poison_of(site->ctx);
	if (site->ctx->trace) {
		const var v = build_literal_as(site->ctx->trace->build, t, value);
		return v.id ? trace_handle(site->ctx->trace, v) : poison_of(site->ctx);
	}
	const sharding *s = sharding_one(&site->ctx->shards, site->where, site->ctx->home);
	return handle_of_array(site->ctx,
	                       s ? array_from_host(site->ctx, t, value, s, false) : NULL);
}

tsr *constant(const call_site *site, tsr_dtype dtype, const tsr_arg *number)
{
	return constant_as(site, (etype){dtype, false}, number);
}

tsr *number_argument(const call_site *site, const tsr_arg *number)
{
	return constant_as(site, etype_wide(etype_of_number(&site->ctx->base, number)), number);
}

tsr *convert_as(const call_site *site, tsr *x, etype to)
{
	if (handle_is_poison(x)) return x;
	const type *t = handle_type(x);
	if (t->dtype == to.dtype && t->weak == to.weak) return x;
	if (t->dtype == to.dtype && !site->ctx->trace)
		return handle_of_array(site->ctx, array_typed(handle_slot_of(x)->payload,
		                                              type_as(&site->ctx->ir, t, to)));
	return bind(site, &tsr__prim_convert_element_type, &(dtype_params){to.dtype, to.weak}, &x,
	            1);
}

tsr *as_default(const call_site *site, tsr *x)
{
	const type *t = handle_type(x); /* poison's is strong */

	return site->ctx->trace || !t->weak
	               ? x
	               : convert_as(site, x, etype_default(&site->ctx->base, etype_of(t)));
}
