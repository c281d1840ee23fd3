/* make_custom.c - makes the fns of tsr_remat, tsr_custom_jvp and tsr_custom_vjp of keywords.
 *
 * Example:
 *
 *     static void unfinished(tsr_frame *f) { (void)f; }
 *     tsr_fn *f = tsr_custom_jvp(ctx, clip, unfinished);
 *     tsr_call(f, x);
 *
 * A rule is a fn too, with the environment and the captures of its fn, and its name is read from
 * the text of the macro call (make.c):
 *
 *     ..: the body of unfinished returned nothing: end it with tsr_return(frame, ...) .. */
#include "trace/trace.h"

/* ---- remat */

static bool check_remat(const call_site *s, const tsr_remat_args *a)
{
	if (a->save < TSR_SAVE_NOTHING || a->save > TSR_SAVE_DOTS_WITHOUT_BATCH)
		return fail_op(s, TSR_ERROR_ARGUMENT,
		               ".save is %d, and must be one of tsr_remat_save", (int)a->save);
	return !a->names || is_product(a->names) ||
	       fail_op(s, TSR_ERROR_ARGUMENT,
	               ".names \"%s\" is not a name or a product like \"q*k\"", a->names);
}

tsr_fn *tsr_remat_at(const char *where, tsr_ctx *ctx, tsr_body body, const char *text,
                     const tsr_remat_args *given)
{
	TURN_OF(ctx, where, fn_poison(ctx));
	const tsr_remat_args *a = KEYWORDS(tsr_remat_args, where, ctx, given);
	if (!a) return fn_poison(ctx);
	const call_site site = {ctx, where, "remat"};
	char room[256];
	fn key;

	if (!ctx_ok(where, "remat", ctx)) return fn_poison(ctx);
	if (!fn_head(&key, &site, body, FN_KEYWORDS(a)) || !check_remat(&site, a))
		return fn_poison(ctx);
	key.kind = FN_REMAT;
	key.name = fn_name_of(&key, a->name, text, room, sizeof room);
	key.remat = (fn_remat){(int)a->save, a->names ? a->names : ""};
	return fn_give(ctx, fn_intern(ctx, &key));
}

/* ---- custom rules */

static bool read_nondiff(fn *key, const call_site *s, const tsr_dims *args)
{
	const bool fits = dims_ok(s, ".nondiff", args, false);

	for (int i = 0; fits && i < dims_count(args); i++) {
		const int64_t arg = dims_of(args)[i];
		if (arg < 0 || arg >= TSR_MAX_ARGS)
			return fail_op(s, TSR_ERROR_ARGUMENT,
			               ".nondiff names argument %lld; they are numbered 0 to %d",
			               (long long)arg, TSR_MAX_ARGS - 1);
		key->custom.nondiff |= (uint32_t)1 << arg;
	}
	return fits;
}

/* rule i as a fn of its own, which sees what its fn sees; held. text: of the macro call, where it
 * is behind the body; role: its name if it has none there. NULL: recorded */
static fn *rule_fn(const fn *of, const call_site *s, tsr_body body, const char *text, int i,
                   const char *role)
{
	char room[256];
	fn key;

	if (!fn_head(&key, s, body, (fn_keywords){of->env, of->env_size, of->captures, NULL, NULL}))
		return NULL;
	key.kind = FN_JIT;
	const char *name = name_in_call(text, 2 + i, room, sizeof room);
	key.name = key.body.fn ? key.body.fn->name : name ? name : role;
	return fn_intern(s->ctx, &key);
}

static tsr_fn *custom(const call_site *site, tsr_body body, const char *text, const tsr_body *rules,
                      const char *const *roles, int nrules, const tsr_custom_args *given,
                      fn_kind kind)
{
	tsr_ctx *ctx = site->ctx;
	const tsr_custom_args *a = KEYWORDS(tsr_custom_args, site->where, ctx, given);
	if (!a) return fn_poison(ctx);
	char room[256];
	fn key;

	if (!ctx_ok(site->where, site->op, ctx)) return fn_poison(ctx);
	bool ok = fn_head(&key, site, body, FN_KEYWORDS(a));
	if (!ok) return fn_poison(ctx);
	key.kind = kind;
	key.name = fn_name_of(&key, a->name, text, room, sizeof room);
	ok = read_nondiff(&key, site, &a->nondiff);
	fn *rule[2] = {NULL};
	for (int i = 0; ok && i < nrules; i++)
		ok = (rule[i] = rule_fn(&key, site, rules[i], text, i, roles[i]));
	key.used = rule;
	key.nused = nrules;
	fn *made = ok ? fn_intern(ctx, &key) : NULL;
	for (int i = 0; i < nrules; i++) fn_unhold(rule[i]);
	return fn_give(ctx, made);
}

tsr_fn *tsr_custom_jvp_at(const char *where, tsr_ctx *ctx, tsr_body body, const char *text,
                          tsr_body rule, const tsr_custom_args *args)
{
	TURN_OF(ctx, where, fn_poison(ctx));
	return custom(&(call_site){ctx, where, "custom_jvp"}, body, text, &rule,
	              (const char *const[]){"rule"}, 1, args, FN_CUSTOM_JVP);
}

tsr_fn *tsr_custom_vjp_at(const char *where, tsr_ctx *ctx, tsr_body body, const char *text,
                          tsr_body forward, tsr_body backward, const tsr_custom_args *args)
{
	TURN_OF(ctx, where, fn_poison(ctx));
	return custom(&(call_site){ctx, where, "custom_vjp"}, body, text,
	              (const tsr_body[]){forward, backward},
	              (const char *const[]){"forward", "backward"}, 2, args, FN_CUSTOM_VJP);
}
