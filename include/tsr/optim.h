/* tsr/optim.h - optimisers, schedules of their rates, and steps of training, by the formulas and
 * names of Optax.
 *
 * An optimiser is a description, made once and interned: equal ones are the same pointer, and live
 * until tsr_close(). Its state is a list of leaves beside the parameters, which are any tree. One
 * call of a step gives the loss, and replaces parameters and state by the next ones:
 *
 *     const tsr_optimizer *opt = tsr_chain(ctx, tsr_clip_by_global_norm(ctx, 1.0),
 *                                          tsr_adamw(ctx, 1e-3, .weight_decay = 1e-2));
 *     tsr_fn *step = tsr_train_step(ctx, loss, opt);         with tsr *loss(tsr_tree w, tsr *x)
 *     tsr_tree state = tsr_optimizer_init(opt, TSR_TREE(mlp, &w));
 *     for (int i = 0; i < 1000; i++) {
 *             TSR_SCOPE(ctx);
 *             tsr *l = tsr_train(step, TSR_TREE(mlp, &w), state, x);
 *             if (i % 100 == 0) printf("%g\n", tsr_item(l));
 *     }
 *     tsr_drop_tree(state);
 *
 * If one cannot be made, the result is a poison optimiser, never NULL, whose uses fail. State is
 * placed as its parameter is; with .zero = "data" it is cut along that axis of the mesh as well, so
 * that n devices hold 1/n of it each: gradients then reach a device in its part alone, and the
 * updates of all parts are gathered (ZeRO-1).
 *
 * In keywords 0 means "not given". Where the number 0 itself is wanted write TSR_ZERO.
 * Nothing of this header is collective across processes but tsr_optimizer_init(),
 * tsr_optimizer_update() and tsr_train(): there every process makes the same call. Errors of
 * all that take a context: it is dead, or a keyword is out of its range (TSR_ERROR_ARGUMENT). */
/* Made by tools/make_headers.py of api/optim.h.in: change that one. */
/** @file */
#ifndef TSR_OPTIM_H
#define TSR_OPTIM_H
#include "transform.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A description of an optimiser, or of a part of one; interned, lives until tsr_close(). */
typedef struct tsr_optimizer tsr_optimizer;

/** How far a step goes: a number, or a fn of the number of steps before, an i32 scalar, which gives
 * a scalar. Where the schedule is NULL it is the number. In C, macros take either as it is:
 * tsr_adam(ctx, 1e-3), tsr_adam(ctx, schedule). A rate that changes from step to step is a
 * schedule: with another number it is another optimiser, and its step another program. */
typedef struct tsr_rate { tsr_fn *schedule; double value; } tsr_rate;

/* ---- schedules: fns of a step, tsr_call(schedule, 10), to be differentiated, mapped and used in
 * bodies as any fn. They give f32, or the dtype of a step that is floating */

/** Always one value: tsr_constant_schedule(ctx, 1e-3). */
TSR_OP tsr_fn *tsr_constant_schedule_at(const char *where, tsr_ctx *ctx, double value);
/** Keyword of schedules: the step before which nothing changes yet; 0 when not given. */
typedef struct tsr_schedule_args {
	TSR_KEYWORDS_
	int64_t transition_begin;
	TSR_KEYWORDS_END_
} tsr_schedule_args;
/** From init_value to end_value in equal steps, and then the latter: tsr_linear_schedule(ctx, 0,
 * 1e-3, 100). transition_steps < 1: always init_value. */
TSR_OP tsr_fn *tsr_linear_schedule_at(const char *where, tsr_ctx *ctx, double init_value,
                                      double end_value, int64_t transition_steps,
                                      const tsr_schedule_args *args);
/** end_value + (init_value - end_value) (1 - t)^power, where t goes from 0 to 1:
 * tsr_polynomial_schedule(ctx, 1e-3, 0, 2, 1000). */
TSR_OP tsr_fn *tsr_polynomial_schedule_at(const char *where, tsr_ctx *ctx, double init_value,
                                          double end_value, double power, int64_t transition_steps,
                                          const tsr_schedule_args *args);
/** Keywords of tsr_cosine_decay_schedule(). */
typedef struct tsr_cosine_decay_args {
	TSR_KEYWORDS_
	double alpha;    /**< what part of the value is left at the end; 0 when not given */
	double exponent; /**< of the half wave; 1 when not given */
	TSR_KEYWORDS_END_
} tsr_cosine_decay_args;
/** init_value times the first half wave of a cosine, from 1 to 0 (or .alpha) in decay_steps, and
 * then what is left: tsr_cosine_decay_schedule(ctx, 1e-3, 1000). Error (TSR_ERROR_ARGUMENT):
 * decay_steps < 1. */
TSR_OP tsr_fn *tsr_cosine_decay_schedule_at(const char *where, tsr_ctx *ctx, double init_value,
                                            int64_t decay_steps, const tsr_cosine_decay_args *args);
/** Keywords of tsr_exponential_decay(). */
typedef struct tsr_exponential_decay_args {
	TSR_KEYWORDS_
	int64_t transition_begin; /**< the step before which nothing changes yet */
	bool staircase;           /**< only whole multiples of transition_steps count */
	double end_value;         /**< it goes no further than this; any number when not given */
	TSR_KEYWORDS_END_
} tsr_exponential_decay_args;
/** init_value decay_rate^(step / transition_steps): tsr_exponential_decay(ctx, 1e-3, 100, 0.5).
 * transition_steps < 1, or a decay_rate of 0: always init_value. */
TSR_OP tsr_fn *tsr_exponential_decay_at(const char *where, tsr_ctx *ctx, double init_value,
                                        int64_t transition_steps, double decay_rate,
                                        const tsr_exponential_decay_args *args);
/** Keywords of tsr_warmup_cosine_decay_schedule(). */
typedef struct tsr_warmup_cosine_decay_args {
	TSR_KEYWORDS_
	double end_value; /**< at the last step and behind it; 0 when not given */
	double exponent;  /**< of the half wave; 1 when not given */
	TSR_KEYWORDS_END_
} tsr_warmup_cosine_decay_args;
/** tsr_linear_schedule() from init_value to peak_value in warmup_steps, and then
 * tsr_cosine_decay_schedule() to .end_value, which is reached at step decay_steps:
 * tsr_warmup_cosine_decay_schedule(ctx, 0, 1e-3, 100, 1000). Error (TSR_ERROR_ARGUMENT):
 * decay_steps is not more than warmup_steps. */
TSR_OP tsr_fn *tsr_warmup_cosine_decay_schedule_at(const char *where, tsr_ctx *ctx,
                                                   double init_value, double peak_value,
                                                   int64_t warmup_steps, int64_t decay_steps,
                                                   const tsr_warmup_cosine_decay_args *args);
/** A step from which on tsr_piecewise_constant_schedule() multiplies its value by scale. */
typedef struct tsr_boundary { int64_t step; double scale; } tsr_boundary;
/** init_value times the scales of all boundaries that are reached:
 * tsr_piecewise_constant_schedule(ctx, 1e-3, {500, 0.1}, {900, 0.1}). Error (TSR_ERROR_ARGUMENT): a
 * negative scale. */
TSR_OP tsr_fn *tsr_piecewise_constant_schedule_at(const char *where, tsr_ctx *ctx,
                                                  double init_value, const tsr_boundary *boundaries,
                                                  size_t n);
/** A schedule that holds from a step on; `from` of the first one is not looked at. */
typedef struct tsr_phase { int64_t from; tsr_fn *schedule; } tsr_phase;
/** Schedules one behind the other, each of which counts its own steps from 0:
 * tsr_join_schedules(ctx, {0, warmup}, {100, decay}, {1000, tail}). Error (TSR_ERROR_ARGUMENT): no
 * phase, a schedule that is NULL, poison or of another context. */
TSR_OP tsr_fn *tsr_join_schedules_at(const char *where, tsr_ctx *ctx, const tsr_phase *phases,
                                     size_t n);

/* ---- optimisers. Moments have the dims of their parameter; g is a gradient, t = 1, 2, ... the
 * number of the step */

/** Keywords of tsr_sgd(). */
typedef struct tsr_sgd_args {
	TSR_KEYWORDS_
	double momentum;  /**< what part of the last update goes on; without it there is no state */
	bool nesterov;    /**< the momentum is looked at one step ahead */
	tsr_dtype dtype;  /**< of the momentum; that of the parameter when not given */
	const char *zero; /**< the axis of the mesh along which state is cut too, "x" or "x*y" */
	TSR_KEYWORDS_END_
} tsr_sgd_args;
/** Gradient descent: tsr_sgd(ctx, 0.1), tsr_sgd(ctx, 0.1, .momentum = 0.9). */
TSR_OP const tsr_optimizer *tsr_sgd_at(const char *where, tsr_ctx *ctx, tsr_rate rate,
                                       const tsr_sgd_args *args);

/** Keywords of tsr_adam(). */
typedef struct tsr_adam_args {
	TSR_KEYWORDS_
	double b1, b2;      /**< decay of the moments; 0.9 and 0.999 when not given */
	double eps;         /**< added to the root; 1e-8 when not given */
	double eps_root;    /**< added under the root; 0 when not given */
	tsr_dtype mu_dtype; /**< of the first moment; that of the parameter when not given */
	bool nesterov;      /**< the first moment is looked at one step ahead (NAdam) */
	const char *zero;   /**< as in tsr_sgd_args */
	TSR_KEYWORDS_END_
} tsr_adam_args;
/** Adam (Kingma and Ba, 2014): with mu the mean of g, and nu that of |g|^2, both decaying and
 * freed of their bias, p - rate mu / (sqrt(nu + eps_root) + eps). tsr_adam(ctx, 1e-3) */
TSR_OP const tsr_optimizer *tsr_adam_at(const char *where, tsr_ctx *ctx, tsr_rate rate,
                                        const tsr_adam_args *args);

/** Keywords of tsr_adamw(). */
typedef struct tsr_adamw_args {
	TSR_KEYWORDS_
	double b1, b2;       /**< as in tsr_adam_args, and all down to nesterov */
	double eps;
	double eps_root;
	tsr_dtype mu_dtype;
	bool nesterov;
	double weight_decay; /**< 1e-4 when not given */
	const bool *mask;    /**< one a leaf of the parameters: decays it? All when not given.
	                      * TSR_DECAYED(array) gives both */
	size_t mask_count;
	const char *zero;    /**< as in tsr_sgd_args */
	TSR_KEYWORDS_END_
} tsr_adamw_args;
/** tsr_adam() with weights that decay by themselves (Loshchilov and Hutter, 2019): weight_decay p
 * is added to the update before the rate. tsr_adamw(ctx, 1e-3, .weight_decay = 0.01) */
TSR_OP const tsr_optimizer *tsr_adamw_at(const char *where, tsr_ctx *ctx, tsr_rate rate,
                                         const tsr_adamw_args *args);

/** Keywords of tsr_lion(). */
typedef struct tsr_lion_args {
	TSR_KEYWORDS_
	double b1, b2;       /**< 0.9 and 0.99 when not given */
	tsr_dtype mu_dtype;  /**< of the moment; that of the parameter when not given */
	double weight_decay; /**< 1e-3 when not given */
	const bool *mask;    /**< as in tsr_adamw_args, and the next one too */
	size_t mask_count;
	const char *zero;    /**< as in tsr_sgd_args */
	TSR_KEYWORDS_END_
} tsr_lion_args;
/** Lion (Chen and others, 2023): the sign of b1 mu + (1 - b1) g, where mu is the mean of g that
 * decays by b2, and decay of weights as in tsr_adamw(). tsr_lion(ctx, 1e-4) */
TSR_OP const tsr_optimizer *tsr_lion_at(const char *where, tsr_ctx *ctx, tsr_rate rate,
                                        const tsr_lion_args *args);

/** Keywords of tsr_adafactor(). */
typedef struct tsr_adafactor_args {
	TSR_KEYWORDS_
	int64_t min_dim_size_to_factor; /**< a parameter with two dims of this size has the means of
	                                 * their rows and columns in place of a second moment; 128
	                                 * when not given */
	double decay_rate;      /**< the second moment decays by 1 - t^-decay_rate; 0.8 when not
	                         * given */
	int64_t decay_offset;   /**< subtracted from t */
	bool unscaled;          /**< the rate is not multiplied by the size of the parameter */
	double clipping_threshold; /**< of the root mean square of an update; 1 when not given,
	                            * INFINITY for none */
	double momentum;        /**< none when not given */
	tsr_dtype dtype_momentum; /**< f32 when not given */
	double weight_decay_rate; /**< 0 when not given */
	double eps;             /**< added to |g|^2; 1e-30 when not given */
	bool whole;             /**< all parameters have a second moment */
	const bool *mask;       /**< as in tsr_adamw_args, and the next one too */
	size_t mask_count;
	const char *zero;       /**< as in tsr_sgd_args */
	TSR_KEYWORDS_END_
} tsr_adafactor_args;
/** Adafactor (Shazeer and Stern, 2018), whose state is small: tsr_adafactor(ctx, 1e-3). */
TSR_OP const tsr_optimizer *tsr_adafactor_at(const char *where, tsr_ctx *ctx, tsr_rate rate,
                                             const tsr_adafactor_args *args);

/* ---- parts, and what is made of them */

/** Gradients whose norm, that of all leaves together, is above max_norm are scaled down to it:
 * tsr_clip_by_global_norm(ctx, 1.0), a part for tsr_chain(). */
TSR_OP const tsr_optimizer *tsr_clip_by_global_norm_at(const char *where, tsr_ctx *ctx,
                                                       double max_norm);
/** Keyword of tsr_ema_params(). */
typedef struct tsr_ema_args {
	TSR_KEYWORDS_
	const char *zero; /**< as in tsr_sgd_args */
	TSR_KEYWORDS_END_
} tsr_ema_args;
/** An average of the parameters over the steps, which decays, for use when training is done: a part
 * for the end of a tsr_chain(), whose state it is. It begins as the parameters, and after each
 * step it is decay times itself and 1 - decay times the new ones. tsr_ema_params(ctx, 0.999) */
TSR_OP const tsr_optimizer *tsr_ema_params_at(const char *where, tsr_ctx *ctx, double decay,
                                              const tsr_ema_args *args);
/** Several optimisers and parts, each of which gets what the one before makes of the gradients:
 * tsr_chain(ctx, tsr_clip_by_global_norm(ctx, 1.0), tsr_adam(ctx, 1e-3), tsr_ema_params(ctx,
 * 0.99)). Error (TSR_ERROR_ARGUMENT): one that is NULL, poison, or of another context. */
TSR_OP const tsr_optimizer *tsr_chain_at(const char *where, tsr_ctx *ctx,
                                         const tsr_optimizer *const *parts, size_t n);
/** Keywords of tsr_multi_steps(). */
typedef struct tsr_multi_steps_args {
	TSR_KEYWORDS_
	bool sum;         /**< gradients are added up; otherwise their mean is taken */
	tsr_dtype dtype;  /**< that they are added up in; f32 when not given */
	const char *zero; /**< as in tsr_sgd_args, of what is added up; not of the state of opt */
	TSR_KEYWORDS_END_
} tsr_multi_steps_args;
/** Gradients are collected for k steps, after which opt makes one step with their mean; the
 * parameters stay as they are in between: tsr_multi_steps(tsr_adam(ctx, 1e-3), 4). Error
 * (TSR_ERROR_ARGUMENT): k < 1. */
TSR_OP const tsr_optimizer *tsr_multi_steps_at(const char *where, const tsr_optimizer *opt,
                                               int64_t k, const tsr_multi_steps_args *args);

/* ---- state */

/** How many leaves the state for these parameters has. Of poison: 0. */
TSR_API size_t tsr_optimizer_leaves(const tsr_optimizer *opt, tsr_tree params);
/** The state before the first step, as a list of leaves without a type, which has no leaves if it
 * fails. Outside of bodies each leaf is made where it belongs, by each device its own part: placed
 * as its parameter is, or cut further by .zero, along the first of the dims of which the least is
 * then left on a device. Leaves are owned, as tsr_set() makes them: tsr_drop_tree(state) ends them.
 * The list itself belongs to the innermost scope. In a body they are values of that, and there
 * .zero is an error (TSR_ERROR_UNSUPPORTED). Errors: params without leaves, a number of .mask that
 * is not that of the leaves (TSR_ERROR_ARGUMENT); an axis in .zero that the mesh of a parameter, or
 * for one that was put nowhere the one in use, does not have (TSR_ERROR_SHARDING); parameters that
 * are not floating or complex (TSR_ERROR_TYPE). */
TSR_OP tsr_tree tsr_optimizer_init_at(const char *where, const tsr_optimizer *opt, tsr_tree params);
/** One step: params and state, whose leaves are replaced, become the next ones for these gradients,
 * a tree with as many leaves as params. Absent leaves stay so. Outside of bodies slots own the new
 * leaves, as with tsr_set(). In a body, where trees that are arguments must not be written, params
 * is a copy: mlp w = *TSR_TREE_OF(mlp, params); tsr_optimizer_update(opt, TSR_TREE(mlp, &g),
 * TSR_TREE(mlp, &w), state). Errors: other numbers of leaves (TSR_ERROR_ARGUMENT), dims of a
 * gradient that are not those of its parameter (TSR_ERROR_TYPE). false on failure; nothing is
 * replaced then. */
TSR_API bool tsr_optimizer_update_at(const char *where, const tsr_optimizer *opt, tsr_tree grads,
                                     tsr_tree params, tsr_tree state);
/** The part of a state that is the average of tsr_ema_params(), as a tree like params; without
 * leaves if there is none. No handle is made: these are those of the state. */
TSR_API tsr_tree tsr_optimizer_ema(const tsr_optimizer *opt, tsr_tree params, tsr_tree state);

/* ---- training */

/** Keywords of tsr_train_step(). */
typedef struct tsr_train_step_args {
	TSR_KEYWORDS_
	const char *name; /**< for messages and program texts; "train_step" when not given */
	bool has_aux;     /**< the loss is the first result of several; the others are passed on */
	TSR_KEYWORDS_END_
} tsr_train_step_args;
/** A fn of one step of training: it takes the parameters, the state, and the further arguments of
 * the loss, and gives the loss, the new parameters, the new state, and what .has_aux passes on.
 * Parameters and state are donated. loss: a body as tsr_grad() takes, whose argument 0 is the tree
 * of parameters. tsr_train_step(ctx, loss, tsr_adam(ctx, 1e-3)); tsr_train() calls it. */
TSR_OP tsr_fn *tsr_train_step_at(const char *where, tsr_ctx *ctx, tsr_body body, const char *text,
                                 const tsr_optimizer *opt, const tsr_train_step_args *args);
/** Calls a step: gives the loss, and puts the new leaves of params and state, which it owns as with
 * tsr_set(), in the places of those that the call has given up: l = tsr_train(step, TSR_TREE(mlp,
 * &w), state, x, y). With .has_aux, tsr_call_into() gives all results. Errors: those of the
 * loss, and of tsr_optimizer_update(). */
TSR_API tsr *tsr_train_at(const char *where, tsr_fn *step, tsr_tree params, tsr_tree state,
                          const tsr_arg *args, size_t n);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_constant_schedule_at() as a value. */
TSR_OP tsr_fn *tsr_constant_schedule(tsr_ctx *ctx, double value);
/** tsr_linear_schedule_at() as a value. */
TSR_OP tsr_fn *tsr_linear_schedule(tsr_ctx *ctx, double init_value, double end_value,
                                   int64_t transition_steps);
/** tsr_polynomial_schedule_at() as a value. */
TSR_OP tsr_fn *tsr_polynomial_schedule(tsr_ctx *ctx, double init_value, double end_value,
                                       double power, int64_t transition_steps);
/** tsr_cosine_decay_schedule_at() as a value. */
TSR_OP tsr_fn *tsr_cosine_decay_schedule(tsr_ctx *ctx, double init_value, int64_t decay_steps);
/** tsr_exponential_decay_at() as a value. */
TSR_OP tsr_fn *tsr_exponential_decay(tsr_ctx *ctx, double init_value, int64_t transition_steps,
                                     double decay_rate);
/** tsr_warmup_cosine_decay_schedule_at() as a value. */
TSR_OP tsr_fn *tsr_warmup_cosine_decay_schedule(tsr_ctx *ctx, double init_value, double peak_value,
                                                int64_t warmup_steps, int64_t decay_steps);
/** tsr_sgd_at() as a value. */
TSR_OP const tsr_optimizer *tsr_sgd(tsr_ctx *ctx, double rate);
/** tsr_adam_at() as a value. */
TSR_OP const tsr_optimizer *tsr_adam(tsr_ctx *ctx, double rate);
/** tsr_adamw_at() as a value. */
TSR_OP const tsr_optimizer *tsr_adamw(tsr_ctx *ctx, double rate);
/** tsr_lion_at() as a value. */
TSR_OP const tsr_optimizer *tsr_lion(tsr_ctx *ctx, double rate);
/** tsr_adafactor_at() as a value. */
TSR_OP const tsr_optimizer *tsr_adafactor(tsr_ctx *ctx, double rate);
/** tsr_clip_by_global_norm_at() as a value. */
TSR_OP const tsr_optimizer *tsr_clip_by_global_norm(tsr_ctx *ctx, double max_norm);
/** tsr_ema_params_at() as a value. */
TSR_OP const tsr_optimizer *tsr_ema_params(tsr_ctx *ctx, double decay);
/** tsr_multi_steps_at() as a value. */
TSR_OP const tsr_optimizer *tsr_multi_steps(const tsr_optimizer *opt, int64_t k);
/** tsr_optimizer_init_at() as a value. */
TSR_OP tsr_tree tsr_optimizer_init(const tsr_optimizer *opt, tsr_tree params);
/** tsr_optimizer_update_at() as a value. */
TSR_API bool tsr_optimizer_update(const tsr_optimizer *opt, tsr_tree grads, tsr_tree params,
                                  tsr_tree state);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
/* a rate of either kind */
TSR_INLINE_ tsr_rate tsr_rate_value_(double value) { return (tsr_rate){.value = value}; }
TSR_INLINE_ tsr_rate tsr_rate_schedule_(tsr_fn *f) { return (tsr_rate){.schedule = f}; }
TSR_INLINE_ tsr_rate tsr_rate_self_(tsr_rate rate) { return rate; }
TSR_NEEDS_(tsr_rate, tsr_give_a_number_or_a_schedule);
#define TSR_RATE_PICK_(v) _Generic((v), tsr_fn *: tsr_rate_schedule_, tsr_rate: tsr_rate_self_, \
	int: tsr_rate_value_, long: tsr_rate_value_, float: tsr_rate_value_, \
	double: tsr_rate_value_, default: tsr_give_a_number_or_a_schedule)(v)
#define tsr_constant_schedule(ctx, ...) TSR_CONSTANT_SCHEDULE_(TSR_PREFIX_, ctx, __VA_ARGS__)
#define TSR_CONSTANT_SCHEDULE_(v_, ctx, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) tsr_constant_schedule_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), __VA_ARGS__); })
#define tsr_linear_schedule(ctx, init_value, end_value, ...) \
	TSR_LINEAR_SCHEDULE_(#__VA_ARGS__, TSR_PREFIX_, ctx, init_value, end_value, __VA_ARGS__, )
#define TSR_LINEAR_SCHEDULE_(text3, v_, ctx, init_value, end_value, transition_steps, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _3), text3, \
		"tsr_linear_schedule: give the argument transition_steps, without a name") \
		TSR_KW_(tsr_schedule_args, v_, __VA_ARGS__) tsr_linear_schedule_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), init_value, end_value, transition_steps, &v_); })
#define tsr_polynomial_schedule(ctx, init_value, end_value, power, ...) \
	TSR_POLYNOMIAL_SCHEDULE_(#__VA_ARGS__, TSR_PREFIX_, ctx, init_value, end_value, power, \
		__VA_ARGS__, )
#define TSR_POLYNOMIAL_SCHEDULE_(text4, v_, ctx, init_value, end_value, power, transition_steps, \
		...) __extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _4), \
		text4, \
		"tsr_polynomial_schedule: give the argument transition_steps, without a name") \
		TSR_KW_(tsr_schedule_args, v_, __VA_ARGS__) tsr_polynomial_schedule_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), init_value, end_value, power, transition_steps, \
		&v_); })
#define tsr_cosine_decay_schedule(ctx, init_value, ...) \
	TSR_COSINE_DECAY_SCHEDULE_(#__VA_ARGS__, TSR_PREFIX_, ctx, init_value, __VA_ARGS__, )
#define TSR_COSINE_DECAY_SCHEDULE_(text2, v_, ctx, init_value, decay_steps, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _2), text2, \
		"tsr_cosine_decay_schedule: give the argument decay_steps, without a name") \
		TSR_KW_(tsr_cosine_decay_args, v_, __VA_ARGS__) \
		tsr_cosine_decay_schedule_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), \
		init_value, decay_steps, &v_); })
#define tsr_exponential_decay(ctx, init_value, transition_steps, ...) \
	TSR_EXPONENTIAL_DECAY_(#__VA_ARGS__, TSR_PREFIX_, ctx, init_value, transition_steps, \
		__VA_ARGS__, )
#define TSR_EXPONENTIAL_DECAY_(text3, v_, ctx, init_value, transition_steps, decay_rate, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _3), text3, \
		"tsr_exponential_decay: give the argument decay_rate, without a name") \
		TSR_KW_(tsr_exponential_decay_args, v_, __VA_ARGS__) \
		tsr_exponential_decay_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), init_value, \
		transition_steps, decay_rate, &v_); })
#define tsr_warmup_cosine_decay_schedule(ctx, init_value, peak_value, warmup_steps, ...) \
	TSR_WARMUP_COSINE_DECAY_SCHEDULE_(#__VA_ARGS__, TSR_PREFIX_, ctx, init_value, peak_value, \
		warmup_steps, __VA_ARGS__, )
#define TSR_WARMUP_COSINE_DECAY_SCHEDULE_(text4, v_, ctx, init_value, peak_value, warmup_steps, \
		decay_steps, ...) __extension__({ TSR_LET_(v_, _0, ctx) \
		TSR_CHECK_TEXT_(TSR_CAT_(v_, _4), text4, \
		"tsr_warmup_cosine_decay_schedule: give the argument decay_steps, without a name") \
		TSR_KW_(tsr_warmup_cosine_decay_args, v_, __VA_ARGS__) \
		tsr_warmup_cosine_decay_schedule_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), \
		init_value, peak_value, warmup_steps, decay_steps, &v_); })
#define tsr_piecewise_constant_schedule(...) \
	TSR_PIECEWISE_CONSTANT_SCHEDULE_(TSR_PREFIX_, __VA_ARGS__)
#define TSR_PIECEWISE_CONSTANT_SCHEDULE_(v_, ctx, init_value, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) const tsr_boundary v_[] = {__VA_ARGS__}; \
		tsr_piecewise_constant_schedule_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), \
		init_value, v_, sizeof v_ / sizeof *v_); })
#define tsr_join_schedules(...) TSR_JOIN_SCHEDULES_(TSR_PREFIX_, __VA_ARGS__)
#define TSR_JOIN_SCHEDULES_(v_, ctx, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) const tsr_phase v_[] = {__VA_ARGS__}; \
		tsr_join_schedules_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), v_, sizeof v_ / \
		sizeof *v_); })
#define tsr_sgd(ctx, ...) TSR_SGD_(#__VA_ARGS__, TSR_PREFIX_, ctx, __VA_ARGS__, )
#define TSR_SGD_(text1, v_, ctx, rate, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_sgd: give the argument rate, without a name") TSR_LET_(v_, _1, rate) \
		TSR_KW_(tsr_sgd_args, v_, __VA_ARGS__) tsr_sgd_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), TSR_RATE_PICK_(TSR_CAT_(v_, _1)), &v_); })
#define tsr_adam(ctx, ...) TSR_ADAM_(#__VA_ARGS__, TSR_PREFIX_, ctx, __VA_ARGS__, )
#define TSR_ADAM_(text1, v_, ctx, rate, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_adam: give the argument rate, without a name") TSR_LET_(v_, _1, rate) \
		TSR_KW_(tsr_adam_args, v_, __VA_ARGS__) tsr_adam_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), TSR_RATE_PICK_(TSR_CAT_(v_, _1)), &v_); })
#define tsr_adamw(ctx, ...) TSR_ADAMW_(#__VA_ARGS__, TSR_PREFIX_, ctx, __VA_ARGS__, )
#define TSR_ADAMW_(text1, v_, ctx, rate, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_adamw: give the argument rate, without a name") TSR_LET_(v_, _1, rate) \
		TSR_KW_(tsr_adamw_args, v_, __VA_ARGS__) tsr_adamw_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), TSR_RATE_PICK_(TSR_CAT_(v_, _1)), &v_); })
#define tsr_lion(ctx, ...) TSR_LION_(#__VA_ARGS__, TSR_PREFIX_, ctx, __VA_ARGS__, )
#define TSR_LION_(text1, v_, ctx, rate, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_lion: give the argument rate, without a name") TSR_LET_(v_, _1, rate) \
		TSR_KW_(tsr_lion_args, v_, __VA_ARGS__) tsr_lion_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), TSR_RATE_PICK_(TSR_CAT_(v_, _1)), &v_); })
#define tsr_adafactor(ctx, ...) TSR_ADAFACTOR_(#__VA_ARGS__, TSR_PREFIX_, ctx, __VA_ARGS__, )
#define TSR_ADAFACTOR_(text1, v_, ctx, rate, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_adafactor: give the argument rate, without a name") TSR_LET_(v_, _1, rate) \
		TSR_KW_(tsr_adafactor_args, v_, __VA_ARGS__) tsr_adafactor_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), TSR_RATE_PICK_(TSR_CAT_(v_, _1)), &v_); })
#define tsr_clip_by_global_norm(ctx, ...) TSR_CLIP_BY_GLOBAL_NORM_(TSR_PREFIX_, ctx, __VA_ARGS__)
#define TSR_CLIP_BY_GLOBAL_NORM_(v_, ctx, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) tsr_clip_by_global_norm_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), __VA_ARGS__); })
#define tsr_ema_params(ctx, ...) TSR_EMA_PARAMS_(#__VA_ARGS__, TSR_PREFIX_, ctx, __VA_ARGS__, )
#define TSR_EMA_PARAMS_(text1, v_, ctx, decay, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_ema_params: give the argument decay, without a name") TSR_KW_(tsr_ema_args, \
		v_, __VA_ARGS__) tsr_ema_params_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), \
		decay, &v_); })
#define tsr_chain(...) TSR_CHAIN_(TSR_PREFIX_, __VA_ARGS__)
#define TSR_CHAIN_(v_, ctx, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) const tsr_optimizer *const v_[] = {__VA_ARGS__}; \
		tsr_chain_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), v_, sizeof v_ / sizeof \
		*v_); })
#define tsr_multi_steps(opt, ...) TSR_MULTI_STEPS_(#__VA_ARGS__, TSR_PREFIX_, opt, __VA_ARGS__, )
#define TSR_MULTI_STEPS_(text1, v_, opt, k, ...) \
	__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_multi_steps: give the argument k, without a name") \
		TSR_KW_(tsr_multi_steps_args, v_, __VA_ARGS__) tsr_multi_steps_at(TSR_HERE, opt, \
		k, &v_); })
#define tsr_optimizer_init(opt, params) tsr_optimizer_init_at(TSR_HERE, opt, params)
#define tsr_optimizer_update(opt, grads, params, state) \
	tsr_optimizer_update_at(TSR_HERE, opt, grads, params, state)
#define tsr_train_step(...) TSR_TRAIN_STEP_(#__VA_ARGS__, TSR_PREFIX_, __VA_ARGS__, )
#define TSR_TRAIN_STEP_(text, v_, ctx, body, opt, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_LET_(v_, _1, body) TSR_KW_(tsr_train_step_args, \
		v_, __VA_ARGS__) tsr_train_step_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), \
		TSR_BODY_PICK_(TSR_CAT_(v_, _1)), text, opt, &v_); })
#define tsr_train(step, params, ...) \
	TSR_CAT_(TSR_TRAIN_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, step, params, __VA_ARGS__)
#define TSR_TRAIN_1_(v_, step, params, state) \
	__extension__({ tsr_train_at(TSR_HERE, step, params, state, NULL, 0); })
#define TSR_TRAIN_N_(v_, step, params, state, ...) \
	__extension__({ TSR_LETS_(v_, __VA_ARGS__) tsr_train_at(TSR_HERE, step, params, state, \
		TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
/** The number 0 as a keyword, where 0 means "not given": tsr_lion(ctx, 1e-4, .weight_decay =
 * TSR_ZERO). */
#define TSR_ZERO (-0.0)
/** Keywords .mask and .mask_count, of an array of bool: TSR_DECAYED(is_matrix). */
#define TSR_DECAYED(array) .mask = (array), .mask_count = sizeof (array) / sizeof *(array)
#endif

#endif
