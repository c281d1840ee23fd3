/* optim.h - describes an optimiser inside the library, and declares the functions that the files of
 * this folder share.
 *
 * Words: a `part` is one stage of an optimiser. It turns what is left of the gradients, the
 * `updates`, into other updates. Optimisers that users name are chains of parts, as in Optax. The
 * state of a part is its `counts`, scalars such as the number of steps; then its `slots`, one after
 * the other, each of which is a leaf for each parameter, such as the first moments; and then the
 * states of the parts inside it. */
#ifndef TSR_SRC_LIB_OPTIM_H
#define TSR_SRC_LIB_OPTIM_H
#include <math.h>
#include "lib/formula.h"

/* what the parts are told; no part needs all, and those that it does not need are 0. Bytes are
 * compared: there is no padding */
typedef struct part_numbers {
	double decay, decay2, eps, eps_root, rate;
	int64_t steps, offset;
	int64_t dtype;
	int64_t nesterov, scaled, mean, whole, flip;
} part_numbers;

typedef struct task task;
typedef struct part_rule {
	const char *name; /* in messages */
	int counts;       /* if there are any, the first one is the number of steps */
	int slots;
	/* Slot i for parameter k before the first step. NULL: it has none, absent */
	tsr *(*init)(const task *, int i, size_t k);
	/* What it makes of update k; replaces its slots. Of parts that work leaf by leaf */
	tsr_arg (*leaf)(const task *, size_t k, tsr_arg update);
	/* Of all others: updates all, and the state */
	void (*all)(const task *);
} part_rule;

struct tsr_optimizer {
	tsr_ctx *ctx;
	const part_rule *rule; /* NULL: poison */
	uint64_t hash;
	part_numbers p;
	const char *zero; /* axes that state is cut along too; "": none */
	fn *schedule;     /* of a rate; NULL: p.rate is it */
	int nparts;       /* of a chain; or 1, whose steps are collected */
	const tsr_optimizer *const *part;
	int depth;          /* of parts in parts */
	size_t fixed, each; /* leaves of the state: for n parameters fixed + each n */
	size_t nmask; /* which parameters it is for; 0: all */
	const bool *mask;
};

/* One part at work on all parameters. Lists are of n leaves, absent ones NULL; what is in `update`
 * and `state` is replaced. */
struct task {
	const tsr_optimizer *of;
	call_site site; /* without .op */
	size_t n;
	tsr *const *param;
	tsr **update; /* NULL: state is made */
	tsr **state;
	tsr *count; /* of steps before this one, where the part counts */
	tsr *takes; /* a bool: false, and the state stays what it is, and the updates are not used.
	               NULL: true */
};

/* a keyword, or what it is when it is not given; TSR_ZERO is 0 */
static inline bool is_given(double keyword) { return keyword != 0 || signbit(keyword); }
static inline double given_or(double keyword, double otherwise)
{
	return is_given(keyword) ? keyword + 0.0 : otherwise;
}

/* ---- schedules.c: what one gives for a step; poison: recorded */
tsr_arg schedule_at(const call_site *, fn *, tsr_arg step);

/* ---- optimizer.c */
bool optimizer_ok(tsr_ctx *, const char *where, const char *op, const tsr_optimizer *);
static inline size_t part_leaves(const tsr_optimizer *o, size_t nparams)
{
	return o->fixed + o->each * nparams;
}

/* ---- parts.c, factored.c, collect.c: the rules, and what they share */
extern const part_rule part_chain, part_momentum, part_adam, part_lion, part_decay, part_rate,
	part_scheduled, part_clip_norm, part_ema_params, part_ema, part_factored, part_clip_rms,
	part_param_rms, part_collect;
/* the task of its part i */
task task_of(const task *, int i);
/* where leaf k of slot i is */
tsr **slot_of(const task *, int i, size_t k);
/* puts a new value, if it takes, into a slot, in the dtype of the old one, and where that is
 * placed. Gives the value if it takes, and anything if not: where that is the slot's too, it is
 * stored by the kernel that goes on with it */
tsr_arg slot_set(const task *, int i, size_t k, tsr_arg value);
void count_set(const task *, int i, tsr_arg value); /* the same of a count */
/* x, or 1 where it does not take: to divide by, or to take the root of, also backwards */
tsr_arg if_it_takes(const task *, tsr_arg x);
bool part_all(const task *); /* one step. false: something is poison, recorded */
tsr *next_count(const call_site *, tsr *count);
tsr_arg square_size(const call_site *, tsr_arg x); /* |x|^2, which is real */

/* ---- state.c: the first values of a state, where they belong */
bool state_init(const task *);
/* zeros of a dtype (0: that of the parameter), with the dims of parameter k, without dim `drop`
 * (-1: with all) */
tsr *zeros_for(const task *, size_t k, tsr_dtype, int drop);
tsr *copy_for(const task *, size_t k); /* the parameter itself, in an array of its own */

#endif
