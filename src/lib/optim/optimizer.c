/* optimizer.c - optimisers as descriptions: equal ones are one object, as meshes and fns are. */
#include "lib/optim/optim.h"

/* ---- interning */

static const tsr_optimizer poison;

static uint64_t optimizer_hash(const tsr_optimizer *o)
{
	uint64_t h = hash_u64((uint64_t)(uintptr_t)o->rule, hash_str(o->zero, 0));

	h = hash_bytes(&o->p, sizeof o->p, hash_u64((uint64_t)(uintptr_t)o->schedule, h));
	h = hash_bytes(o->part, (size_t)o->nparts * sizeof *o->part, h);
	return hash_bytes(o->mask, o->nmask * sizeof *o->mask, hash_u64(o->nmask, h));
}

static bool optimizer_same(const void *entry, const void *key)
{
	const tsr_optimizer *a = entry, *b = key;

	return a->rule == b->rule && !memcmp(&a->p, &b->p, sizeof a->p) &&
	       strcmp(a->zero, b->zero) == 0 && a->schedule == b->schedule &&
	       a->nparts == b->nparts && a->nmask == b->nmask &&
	       (!a->nparts || !memcmp(a->part, b->part, (size_t)a->nparts * sizeof *a->part)) &&
	       (!a->nmask || !memcmp(a->mask, b->mask, a->nmask * sizeof *a->mask));
}

/* the one that equals *key, made of copies; it holds its schedule for good */
static const tsr_optimizer *intern(tsr_ctx *ctx, tsr_optimizer *key)
{
	arena *a = ctx->arena;

	key->ctx = ctx;
	if (!key->zero) key->zero = "";
	key->fixed = (size_t)key->rule->counts;
	key->each = (size_t)key->rule->slots;
	for (int i = 0; i < key->nparts; i++) {
		key->fixed += key->part[i]->fixed;
		key->each += key->part[i]->each;
		if (key->depth < key->part[i]->depth + 1) key->depth = key->part[i]->depth + 1;
	}
	key->hash = optimizer_hash(key);
	tsr_optimizer *o = table_find(&ctx->optimizers, key->hash, optimizer_same, key);
	if (o) return o;
	o = arena_copy(a, key, sizeof *key);
	if (!o) return &poison;
	o->zero = arena_str(a, key->zero);
	o->part = arena_copy(a, key->part, (size_t)key->nparts * sizeof *key->part);
	o->mask = arena_copy(a, key->mask, key->nmask * sizeof *key->mask);
	if (!o->zero || !o->part || !o->mask || !table_add(&ctx->optimizers, o->hash, o))
		return &poison;
	if (o->schedule) fn_hold(o->schedule);
	return o;
}

bool optimizer_ok(tsr_ctx *ctx, const char *where, const char *op, const tsr_optimizer *o)
{
	if (!o)
		return fail(&ctx->base, where, TSR_ERROR_ARGUMENT, "%s: the optimizer is NULL", op);
	if (!o->rule)
		return fail(&ctx->base, where, TSR_ERROR_HANDLE,
		            "%s: the optimizer is poison: it could not be made", op);
	if (o->depth >= 64)
		return fail(&ctx->base, where, TSR_ERROR_ARGUMENT,
		            "%s: chains are nested more than 64 deep", op);
	return o->ctx == ctx ||
	       fail(&ctx->base, where, TSR_ERROR_ARGUMENT,
	            "%s: the optimizer belongs to another context", op);
}

/* ---- parts and chains. While one is made, what is wrong is recorded, and `made` is poison */

typedef struct maker {
	const call_site *site;
	const char *zero;
	bool ok;
	int n;
	const tsr_optimizer *part[8];
} maker;

static void add(maker *m, tsr_optimizer key)
{
	if (!m->ok) return;
	key.zero = m->zero;
	m->part[m->n] = intern(m->site->ctx, &key);
	m->ok = m->part[m->n++]->rule;
}

static const tsr_optimizer *chain_of(tsr_ctx *ctx, const tsr_optimizer *const *part, size_t n)
{
	return intern(ctx, &(tsr_optimizer){
				   .rule = &part_chain, .part = part, .nparts = (int)n});
}

static const tsr_optimizer *done(const maker *m)
{
	return m->ok ? chain_of(m->site->ctx, m->part, (size_t)m->n) : &poison;
}

static bool wrong(maker *m, const char *what)
{
	m->ok = false;
	return fail_op(m->site, TSR_ERROR_ARGUMENT, "%s", what);
}

static void add_rate(maker *m, tsr_rate rate, bool flip)
{
	tsr_optimizer key = {.rule = &part_rate, .p.flip = flip};
	tsr_ctx *ctx = m->site->ctx;

	if (!rate.schedule) {
		key.p.rate = rate.value;
	} else if (!(key.schedule = fn_of(m->site->where, m->site->op, rate.schedule))) {
		m->ok = false;
		return;
	} else if (key.schedule->ctx != ctx) {
		wrong(m, "the schedule belongs to another context");
		return;
	} else {
		key.rule = &part_scheduled;
	}
	const char *zero = m->zero;
	m->zero = ""; /* a count is no state to cut */
	add(m, key);
	m->zero = zero;
}

static void add_decay(maker *m, double decay, const bool *mask, size_t count)
{
	if (!mask != !count)
		wrong(m, ".mask and .mask_count go together; TSR_DECAYED(array) gives both");
	if (decay == 0) return;
	const char *zero = m->zero;
	m->zero = "";
	add(m, (tsr_optimizer){
		       .rule = &part_decay, .p.decay = decay, .mask = mask, .nmask = count});
	m->zero = zero;
}

static bool dtype_floats(maker *m, tsr_dtype dtype)
{
	const bool fits = !dtype || (dtype_ok(dtype) && dtype_kind(dtype) >= KIND_FLOAT);

	return fits || wrong(m, "the dtype of state must be floating or complex");
}

/* the keywords of a call, and what is made; `return` where there is no context */
#define MAKER(T, name) \
	TURN_OF(ctx, where, &poison); \
	const T *a = KEYWORDS(T, where, ctx, given); \
	const call_site site = {ctx, where, name}; \
	if (!a || !ctx_ok(where, name, ctx)) return &poison; \
	maker m = {.site = &site, .ok = true}

const tsr_optimizer *tsr_sgd_at(const char *where, tsr_ctx *ctx, tsr_rate rate,
                                const tsr_sgd_args *given)
{
	MAKER(tsr_sgd_args, "sgd");
	m.zero = a->zero;
	dtype_floats(&m, a->dtype);
	if (a->momentum != 0)
		add(&m, (tsr_optimizer){.rule = &part_momentum,
		                        .p = {.decay = a->momentum,
		                              .nesterov = a->nesterov,
		                              .dtype = (int64_t)a->dtype}});
	add_rate(&m, rate, true);
	return done(&m);
}

/* of tsr_adam() and tsr_adamw() */
static void add_adam(maker *m, const tsr_adamw_args *a)
{
	m->zero = a->zero;
	if (!dtype_floats(m, a->mu_dtype)) return;
	add(m, (tsr_optimizer){.rule = &part_adam,
	                       .p = {.decay = given_or(a->b1, 0.9),
	                             .decay2 = given_or(a->b2, 0.999),
	                             .eps = given_or(a->eps, 1e-8),
	                             .eps_root = given_or(a->eps_root, 0),
	                             .nesterov = a->nesterov,
	                             .dtype = (int64_t)a->mu_dtype}});
}

const tsr_optimizer *tsr_adam_at(const char *where, tsr_ctx *ctx, tsr_rate rate,
                                 const tsr_adam_args *given)
{
	MAKER(tsr_adam_args, "adam");
	add_adam(&m, &(tsr_adamw_args){.size = sizeof(tsr_adamw_args),
	                               .b1 = a->b1,
	                               .b2 = a->b2,
	                               .eps = a->eps,
	                               .eps_root = a->eps_root,
	                               .mu_dtype = a->mu_dtype,
	                               .nesterov = a->nesterov,
	                               .zero = a->zero});
	add_rate(&m, rate, true);
	return done(&m);
}

const tsr_optimizer *tsr_adamw_at(const char *where, tsr_ctx *ctx, tsr_rate rate,
                                  const tsr_adamw_args *given)
{
	MAKER(tsr_adamw_args, "adamw");
	add_adam(&m, a);
	add_decay(&m, given_or(a->weight_decay, 1e-4), a->mask, a->mask_count);
	add_rate(&m, rate, true);
	return done(&m);
}

const tsr_optimizer *tsr_lion_at(const char *where, tsr_ctx *ctx, tsr_rate rate,
                                 const tsr_lion_args *given)
{
	MAKER(tsr_lion_args, "lion");
	m.zero = a->zero;
	if (dtype_floats(&m, a->mu_dtype))
		add(&m, (tsr_optimizer){.rule = &part_lion,
		                        .p = {.decay = given_or(a->b1, 0.9),
		                              .decay2 = given_or(a->b2, 0.99),
		                              .dtype = (int64_t)a->mu_dtype}});
	add_decay(&m, given_or(a->weight_decay, 1e-3), a->mask, a->mask_count);
	add_rate(&m, rate, true);
	return done(&m);
}

const tsr_optimizer *tsr_adafactor_at(const char *where, tsr_ctx *ctx, tsr_rate rate,
                                      const tsr_adafactor_args *given)
{
	MAKER(tsr_adafactor_args, "adafactor");
	const double threshold = given_or(a->clipping_threshold, 1);

	m.zero = a->zero;
	if (a->min_dim_size_to_factor < 0) wrong(&m, ".min_dim_size_to_factor is negative");
	dtype_floats(&m, a->dtype_momentum);
	add(&m, (tsr_optimizer){
			.rule = &part_factored,
			.p = {.decay = given_or(a->decay_rate, 0.8),
		              .offset = a->decay_offset,
		              .steps = a->min_dim_size_to_factor ? a->min_dim_size_to_factor : 128,
		              .eps = given_or(a->eps, 1e-30),
		              .whole = a->whole}});
	if (!isinf(threshold))
		add(&m, (tsr_optimizer){.rule = &part_clip_rms, .p.rate = threshold});
	add_rate(&m, rate, false);
	if (!a->unscaled) add(&m, (tsr_optimizer){.rule = &part_param_rms});
	if (a->momentum != 0)
		add(&m, (tsr_optimizer){
				.rule = &part_ema,
				.p = {.decay = a->momentum,
		                      .dtype = a->dtype_momentum ? a->dtype_momentum : TSR_F32}});
	add_decay(&m, given_or(a->weight_decay_rate, 0), a->mask, a->mask_count);
	add_rate(&m, (tsr_rate){.value = 1}, true);
	return done(&m);
}

/* a part that users name */
static const tsr_optimizer *alone(maker *m, tsr_optimizer key)
{
	add(m, key);
	return m->ok ? m->part[0] : &poison;
}

const tsr_optimizer *tsr_clip_by_global_norm_at(const char *where, tsr_ctx *ctx, double max_norm)
{
	TURN_OF(ctx, where, &poison);
	const call_site site = {ctx, where, "clip_by_global_norm"};
	maker m = {.site = &site, .ok = true};

	if (!ctx_ok(where, site.op, ctx)) return &poison;
	return alone(&m, (tsr_optimizer){.rule = &part_clip_norm, .p.rate = max_norm});
}

const tsr_optimizer *tsr_ema_params_at(const char *where, tsr_ctx *ctx, double decay,
                                       const tsr_ema_args *given)
{
	MAKER(tsr_ema_args, "ema_params");
	m.zero = a->zero;
	return alone(&m, (tsr_optimizer){.rule = &part_ema_params, .p.decay = decay});
}

const tsr_optimizer *tsr_chain_at(const char *where, tsr_ctx *ctx, const tsr_optimizer *const *part,
                                  size_t n)
{
	TURN_OF(ctx, where, &poison);
	if (!ctx_ok(where, "chain", ctx)) return &poison;
	if (!part && n) {
		fail(&ctx->base, where, TSR_ERROR_ARGUMENT, "chain: the list of parts is NULL");
		return &poison;
	}
	for (size_t i = 0; i < n; i++)
		if (!optimizer_ok(ctx, where, "chain", part[i])) return &poison;
	return chain_of(ctx, part, n);
}

const tsr_optimizer *tsr_multi_steps_at(const char *where, const tsr_optimizer *opt, int64_t k,
                                        const tsr_multi_steps_args *given)
{
	tsr_ctx *ctx = ctx_or_here(opt ? opt->ctx : NULL);
	MAKER(tsr_multi_steps_args, "multi_steps");
	m.zero = a->zero;
	if (!optimizer_ok(ctx, where, site.op, opt)) return &poison;
	if (k < 1 || k > INT32_MAX) wrong(&m, "k, the number of steps, is not in 1 to 2^31 - 1");
	dtype_floats(&m, a->dtype);
	return alone(&m, (tsr_optimizer){.rule = &part_collect,
	                                 .part = &opt,
	                                 .nparts = 1,
	                                 .p = {.steps = k,
	                                       .mean = !a->sum,
	                                       .dtype = a->dtype ? a->dtype : TSR_F32}});
}

/* ---- state as a list */

size_t tsr_optimizer_leaves(const tsr_optimizer *o, tsr_tree params)
{
	return o && o->rule ? part_leaves(o, params.count) : 0;
}

/* where the average begins in the state of an optimiser with n parameters; false: it has none, and
 * *at has moved behind it */
static bool find_ema(const tsr_optimizer *o, size_t n, size_t *at)
{
	if (o->rule == &part_ema_params) return true;
	*at += (size_t)o->rule->counts + (size_t)o->rule->slots * n;
	for (int i = 0; i < o->nparts; i++)
		if (find_ema(o->part[i], n, at)) return true;
	return false;
}

tsr_tree tsr_optimizer_ema(const tsr_optimizer *o, tsr_tree params, tsr_tree state)
{
	size_t at = 0;

	if (!o || !o->rule || !state.leaf || state.count != part_leaves(o, params.count) ||
	    !find_ema(o, params.count, &at))
		return (tsr_tree){.count = 0};
	return (tsr_tree){.leaf = state.leaf + at, .count = params.count, .type = params.type};
}
