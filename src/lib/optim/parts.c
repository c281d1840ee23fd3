/* parts.c - applies the parts of optimisers: each makes something of a gradient, and of its own
 * state.
 *
 * Formulas, order and dtypes of the operations are those of Optax (optax/_src/transform.py,
 * transforms/_accumulation.py, transforms/_clipping.py), so that the numbers are, too. Example:
 * tsr_adamw(ctx, rate) is a chain of three parts. Of the gradient g of a parameter p
 *
 *     adam     mu = (1 - b1) g + b1 mu                  nu = (1 - b2) g^2 + b2 nu
 *              u = mu / (1 - b1^t) / (sqrt(nu / (1 - b2^t) + eps_root) + eps)
 *     decay    u = u + weight_decay p
 *     rate     u = -rate u
 *
 * make the update, and p + u is the next parameter. All of it is elementwise, so that one kernel
 * reads p, g, mu and nu once and writes p, mu and nu in their places. */
#include "lib/optim/optim.h"

/* ---- state and its slots */

tsr **slot_of(const task *t, int i, size_t k)
{
	return &t->state[(size_t)t->of->rule->counts + (size_t)i * t->n + k];
}

/* shard_alike: what the passes find best for the new value may be another place, and the next
 * call would be another program */
static tsr *in_place_of(const call_site *site, tsr_arg value, tsr *old)
{
	return tsr_shard_alike_at(site->where, TO(tsr_dtype_of(old), value).as.one, old);
}

static tsr_arg if_takes(const task *t, tsr_arg new, tsr_arg otherwise)
{
	const call_site *site = &t->site;

	return t->takes ? WHERE(HANDLE(t->takes), new, otherwise) : new;
}

tsr_arg if_it_takes(const task *t, tsr_arg x) { return if_takes(t, x, INT(1)); }

static tsr_arg leaf_set(const task *t, tsr **leaf_of_state, tsr_arg value)
{
	const tsr_arg chosen = if_takes(t, value, HANDLE(*leaf_of_state));

	*leaf_of_state = in_place_of(&t->site, chosen, *leaf_of_state);
	return chosen;
}

tsr_arg slot_set(const task *t, int i, size_t k, tsr_arg value)
{
	return leaf_set(t, slot_of(t, i, k), value);
}

void count_set(const task *t, int i, tsr_arg value) { leaf_set(t, &t->state[i], value); }

static tsr_arg slot_get(const task *t, int i, size_t k) { return HANDLE(*slot_of(t, i, k)); }

tsr *next_count(const call_site *site, tsr *count)
{
	return ADD(OP_2(minimum, HANDLE(count), INT(INT32_MAX - 1)), INT(1)).as.one;
}

static bool is_for(const tsr_optimizer *o, size_t k) { return !o->nmask || o->mask[k]; }

bool part_all(const task *t)
{
	const part_rule *rule = t->of->rule;
	task at = *t;

	at.count = rule->leaf && rule->counts ? t->state[0] : NULL;
	if (rule->all) {
		rule->all(&at);
	} else {
		for (size_t k = 0; k < t->n; k++)
			if (t->update[k] && is_for(t->of, k))
				t->update[k] = rule->leaf(&at, k, HANDLE(t->update[k])).as.one;
	}
	if (at.count) count_set(t, 0, HANDLE(next_count(&t->site, at.count)));
	for (size_t k = 0; k < t->n; k++)
		if (t->update[k] && handle_is_poison(t->update[k])) return false;
	return true;
}

/* ---- chains */

task task_of(const task *t, int i)
{
	task of = *t;

	of.of = t->of->part[i];
	of.state = slot_of(t, t->of->rule->slots, 0);
	for (int k = 0; k < i; k++) of.state += part_leaves(t->of->part[k], t->n);
	return of;
}

static void chain_all(const task *t)
{
	for (int i = 0; i < t->of->nparts; i++) {
		const task part = task_of(t, i);
		if (!part_all(&part)) return;
	}
}

const part_rule part_chain = {.name = "chain", .all = chain_all};

/* ---- momentum: trace = u + decay trace */

static tsr *zeros_of_dtype(const task *t, int i, size_t k)
{
	(void)i;
	return zeros_for(t, k, (tsr_dtype)t->of->p.dtype, -1);
}

static tsr_arg momentum(const task *t, size_t k, tsr_arg g)
{
	const call_site *site = &t->site;
	const tsr_arg decay = NUM(t->of->p.decay);
	const tsr_arg trace = slot_set(t, 0, k, ADD(g, MUL(decay, slot_get(t, 0, k))));

	return t->of->p.nesterov ? ADD(g, MUL(decay, trace)) : trace;
}

const part_rule part_momentum = {
	.name = "sgd", .slots = 1, .init = zeros_of_dtype, .leaf = momentum};

/* ---- adam */

/* (1 - decay) u + decay mean */
static tsr_arg moved(const call_site *site, tsr_arg u, tsr_arg mean, double decay)
{
	return ADD(MUL(NUM(1 - decay), u), MUL(NUM(decay), mean));
}

/* x / (1 - decay^steps) */
static tsr_arg unbiased(const call_site *site, tsr_arg x, double decay, tsr *steps)
{
	const tsr_arg weight = SUB(NUM(1), OP_2(pow, NUM(decay), HANDLE(steps)));

	return DIV(x, TO(dtype_of_operand(x), weight));
}

tsr_arg square_size(const call_site *site, tsr_arg x)
{
	if (kind_of_operand(x) != KIND_COMPLEX) return OP_1(square, x);
	return ADD(OP_1(square, OP_1(real, x)), OP_1(square, OP_1(imag, x)));
}

/* the second moment has the dtype of the parameter, as in Optax, also where that is complex */
static tsr *adam_init(const task *t, int i, size_t k)
{
	return zeros_for(t, k, i ? TSR_DTYPE_DEFAULT : (tsr_dtype)t->of->p.dtype, -1);
}

static tsr_arg adam(const task *t, size_t k, tsr_arg g)
{
	const call_site *site = &t->site;
	const part_numbers *p = &t->of->p;
	tsr *steps = next_count(site, t->count);
	const tsr_arg square = square_size(site, g);
	const tsr_arg mu = slot_set(t, 0, k, moved(site, g, slot_get(t, 0, k), p->decay));
	const tsr_arg nu = slot_set(t, 1, k, moved(site, square, slot_get(t, 1, k), p->decay2));
	tsr_arg mean = mu;

	if (p->nesterov) {
		tsr *ahead = next_count(site, steps);
		mean = ADD(MUL(NUM(p->decay), unbiased(site, mu, p->decay, ahead)),
		           MUL(NUM(1 - p->decay), unbiased(site, g, p->decay, steps)));
	} else {
		mean = unbiased(site, mu, p->decay, steps);
	}
	const tsr_arg size = if_it_takes(t, unbiased(site, nu, p->decay2, steps));
	const tsr_arg root = OP_1(sqrt, ADD(size, NUM(p->eps_root)));
	return DIV(mean, ADD(root, NUM(p->eps)));
}

const part_rule part_adam = {
	.name = "adam", .counts = 1, .slots = 2, .init = adam_init, .leaf = adam};

/* ---- lion */

static tsr_arg lion(const task *t, size_t k, tsr_arg g)
{
	const call_site *site = &t->site;
	const part_numbers *p = &t->of->p;
	const tsr_arg mu = slot_get(t, 0, k);

	slot_set(t, 0, k, moved(site, g, mu, p->decay2));
	return OP_1(sign, moved(site, g, mu, p->decay));
}

const part_rule part_lion = {.name = "lion", .slots = 1, .init = zeros_of_dtype, .leaf = lion};

/* ---- weights that decay, and how far it goes */

static tsr_arg decay(const task *t, size_t k, tsr_arg u)
{
	const call_site *site = &t->site;

	return ADD(u, MUL(NUM(t->of->p.decay), HANDLE(t->param[k])));
}

const part_rule part_decay = {.name = "weight_decay", .leaf = decay};

/* what the schedule gives for the step, in the dtype of u; poison: recorded */
static tsr_arg scheduled(const task *t, tsr_arg u)
{
	const call_site *site = &t->site;
	const tsr_arg rate = schedule_at(site, t->of->schedule, HANDLE(t->count));

	if (handle_is_poison(rate.as.one)) return rate;
	if (!tsr_ndim(rate.as.one)) return TO(dtype_of_operand(u), rate);
	return HANDLE(refuse(site, TSR_ERROR_TYPE,
	                     "the schedule %s gives %s for a step; a rate is a scalar",
	                     t->of->schedule->name, tsr_type_text(rate.as.one)));
}

static tsr_arg rate(const task *t, size_t k, tsr_arg u)
{
	const call_site *site = &t->site;
	const part_numbers *p = &t->of->p;

	(void)k;
	if (!t->of->schedule) return MUL(NUM(p->flip ? -p->rate : p->rate), u);
	const tsr_arg s = scheduled(t, u);
	return MUL(p->flip ? NEG(s) : s, u);
}

const part_rule part_rate = {.name = "rate", .leaf = rate};
const part_rule part_scheduled = {.name = "rate", .counts = 1, .leaf = rate};

/* ---- clipping */

static void clip_norm(const task *t)
{
	const call_site *site = &t->site;
	const tsr_arg norm = HANDLE(tsr_tree_norm_at(site->where, TSR_LEAVES(t->update, t->n)));
	const tsr_arg most = NUM(t->of->p.rate), fits = IS(lt, norm, most);

	for (size_t k = 0; k < t->n; k++) {
		if (!t->update[k]) continue;
		const tsr_arg u = HANDLE(t->update[k]);
		const tsr_arg less = MUL(DIV(u, TO(dtype_of_operand(u), norm)), most);
		t->update[k] = WHERE(fits, u, less).as.one;
	}
}

const part_rule part_clip_norm = {.name = "clip_by_global_norm", .all = clip_norm};

static tsr_arg mean_square(const call_site *site, tsr_arg x)
{
	return HANDLE(tsr_mean_at(site->where, square_size(site, x).as.one, NULL));
}

static tsr_arg clip_rms(const task *t, size_t k, tsr_arg u)
{
	const call_site *site = &t->site;

	(void)k;
	const tsr_arg size = DIV(OP_1(sqrt, mean_square(site, u)), NUM(t->of->p.rate));
	return DIV(u, OP_2(maximum, NUM(1), size));
}

const part_rule part_clip_rms = {.name = "clip_by_block_rms", .leaf = clip_rms};

/* u times the size of the parameter, at least 1e-3: under the root, whose slope at 0 is infinite */
static tsr_arg param_rms(const task *t, size_t k, tsr_arg u)
{
	const call_site *site = &t->site;
	const tsr_arg square = mean_square(site, HANDLE(t->param[k]));

	return MUL(u, OP_1(sqrt, OP_2(maximum, square, NUM(1e-6))));
}

const part_rule part_param_rms = {.name = "scale_by_param_block_rms", .leaf = param_rms};

/* ---- averages: of updates, and of the parameters */

static tsr_arg ema(const task *t, size_t k, tsr_arg u)
{
	return slot_set(t, 0, k, moved(&t->site, u, slot_get(t, 0, k), t->of->p.decay));
}

const part_rule part_ema = {.name = "ema", .slots = 1, .init = zeros_of_dtype, .leaf = ema};

static tsr *ema_params_init(const task *t, int i, size_t k)
{
	(void)i;
	return copy_for(t, k);
}

static tsr_arg ema_params(const task *t, size_t k, tsr_arg u)
{
	const call_site *site = &t->site;
	const tsr_arg next = ADD(HANDLE(t->param[k]), u);

	slot_set(t, 0, k, moved(site, next, slot_get(t, 0, k), t->of->p.decay));
	return u;
}

const part_rule part_ema_params = {
	.name = "ema_params", .slots = 1, .init = ema_params_init, .leaf = ema_params};
