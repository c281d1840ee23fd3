/* donate.c - gives up arguments of a call: it finds the operands, and marks their handles from
 * then on.
 *
 * Example:
 *
 *     static tsr *step(tsr *w, tsr *dw) { return tsr_sub(w, dw); }
 *     tsr_fn *f = tsr_jit(ctx, step, .donate = TSR_DIMS(0));
 *     tsr_call(f, x, tsr_ones(ctx, TSR_DIMS(4)));
 *     x = tsr_neg(x);
 *
 * The memory of x has become that of the result, so the last line is an error that names the call:
 *
 *     ..: neg: the operand was donated to step at ..: that call has taken its memory */
#include "trace/trace.h"

bool donate_read(const call_site *site, const tsr_dims *donate, uint32_t *args)
{
	base *bs = &site->ctx->base;

	if (donate->d[0] < 0 || donate->d[0] > 1 + TSR_MAX_ARGS)
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               ".donate is no list of arguments: write .donate = TSR_DIMS(0)");
	for (int i = 1; i < donate->d[0]; i++) {
		const int64_t arg = donate->d[i];
		if (arg < 0 || arg >= TSR_MAX_ARGS)
			return fail_op(site, TSR_ERROR_ARGUMENT,
			               ".donate names argument %lld; they are numbered 0 to %d",
			               (long long)arg, TSR_MAX_ARGS - 1);
		*args |= 1u << arg;
	}
	return true;
}

static bool check_args(const fn_call *c)
{
	const fn *fn = c->fn;

	for (int arg = c->args.nargs; arg < TSR_MAX_ARGS; arg++)
		if (fn->donate >> arg & 1)
			return fail(&fn->ctx->base, c->where, TSR_ERROR_ARGUMENT,
			            "%s donates argument %d, and this call has %d argument%s",
			            fn->name, arg, c->args.nargs, c->args.nargs == 1 ? "" : "s");
	return true;
}

static bool is_array(const void *entry, const void *wanted) { return entry == wanted; }
static uint64_t array_hash(const void *a) { return hash_u64((uint64_t)(uintptr_t)a, 0); }

/* an array that is given up cannot be another operand too */
static bool check_alone(const fn_call *c, array *const *in, const bool *donated)
{
	table gone = {.base = &c->fn->ctx->base};
	bool ok = true;

	for (int round = 0; round < 2; round++)
		for (int i = 0; ok && i < c->n; i++) {
			if (donated[i] == (round == 1)) continue;
			const uint64_t hash = array_hash(in[i]);
			if (table_find(&gone, hash, is_array, in[i]))
				ok = fail(gone.base, c->where, TSR_ERROR_ARGUMENT,
				          "%s: a donated array is another operand of the same call "
				          "too (operand %d); tsr_copy makes one of its own",
				          c->fn->name, i);
			else if (donated[i])
				ok = table_add(&gone, hash, in[i]);
		}
	table_free(&gone, NULL);
	return ok;
}

bool donate_operands(const fn_call *c, array *const *in, run_options *o)
{
	const fn *fn = c->fn;
	const leaves *args = &c->args;

	if (!fn->donate) return true;
	bool *donated = arena_array(c->scratch, (size_t)c->n + 1, sizeof *donated);
	str text = {.base = &fn->ctx->base};
	int at = 0;

	if (!donated || !check_args(c)) return false;
	for (int i = 0; i < args->n; i++)
		if (args->leaf[i].handle) donated[at++] = fn->donate >> args->leaf[i].arg & 1;
	if (!check_alone(c, in, donated)) return false;
	str_printf(&text, "was donated to %s at %s: that call has taken its memory", fn->name,
	           c->where ? base_name(c->where) : "an unknown place");
	o->donated = donated;
	o->donated_text = text.s ? arena_str(c->scratch, text.s) : NULL;
	str_free(&text);
	return o->donated_text;
}
