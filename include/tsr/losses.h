/* tsr/losses.h - losses, by the formulas of optax: a number for each prediction; a model takes
 * their mean.
 *
 *     tsr *loss = tsr_mean(tsr_softmax_cross_entropy_with_integer_labels(logits, classes));
 *
 * Further errors (TSR_ERROR_TYPE): predictions, or logits, that are no real floats. */
/* Made by tools/make_headers.py of api/losses.h.in: change that one. */
/** @file */
#ifndef TSR_LOSSES_H
#define TSR_LOSSES_H
#include "nn.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Keywords of the softmax cross entropies and tsr_smooth_labels(). */
typedef struct tsr_classes_args {
	TSR_KEYWORDS_
	tsr_dims dim; /**< that of the classes; the last one when not given */
	tsr *where;   /**< bool: only classes where it is true count; without the dim of the
	               * classes, whole predictions, and the others have the loss 0 */
	TSR_KEYWORDS_END_
} tsr_classes_args;

/** Keyword of tsr_huber_loss(). */
typedef struct tsr_huber_args {
	TSR_KEYWORDS_
	double delta; /**< where the square becomes a line; 1 when not given */
	TSR_KEYWORDS_END_
} tsr_huber_args;

/** -sum(labels log(softmax(logits))) over the classes. Labels are distributions, such as those of
 * tsr_one_hot(), broadcast with logits: tsr_softmax_cross_entropy(logits, labels). */
TSR_OP tsr *tsr_softmax_cross_entropy_at(const char *where, tsr *logits, tsr *labels,
                                         const tsr_classes_args *args);
/** -log(softmax(logits)) of one class, which an integer names: labels have the dims of logits but
 * for that of the classes. Negative ones count from the end; what names no class gives NaN.
 * Further error (TSR_ERROR_TYPE): labels that are no integers. */
TSR_OP tsr *tsr_softmax_cross_entropy_with_integer_labels_at(const char *where, tsr *logits,
                                                             tsr *labels,
                                                             const tsr_classes_args *args);
/** -labels log(logistic(logits)) - (1 - labels) log(1 - logistic(logits)), for yes or no: labels
 * are 0 or 1, or between, and broadcast with logits. */
TSR_OP tsr *tsr_sigmoid_binary_cross_entropy_at(const char *where, tsr *logits, tsr *labels);
/** (predictions - targets)^2, of the same dims; targets may be NULL, which is 0. */
TSR_OP tsr *tsr_squared_error_at(const char *where, tsr *predictions, tsr *targets);
/** Half of the squared difference of predictions and targets, for each element; targets that are
 * NULL count as 0. */
TSR_OP tsr *tsr_l2_loss_at(const char *where, tsr *predictions, tsr *targets);
/** e^2 / 2 for e = |predictions - targets| up to delta, and delta (e - delta / 2) above; targets
 * may be NULL, which is 0: tsr_huber_loss(y, t, .delta = 2). */
TSR_OP tsr *tsr_huber_loss_at(const char *where, tsr *predictions, tsr *targets,
                              const tsr_huber_args *args);
/** (1 - alpha) labels + alpha / the number of classes: labels for tsr_softmax_cross_entropy() that
 * leave each class a chance. tsr_smooth_labels(tsr_one_hot(classes, 10), 0.1). Further error
 * (TSR_ERROR_TYPE): labels that are no real floats. */
TSR_OP tsr *tsr_smooth_labels_at(const char *where, tsr *labels, tsr_arg alpha,
                                 const tsr_classes_args *args);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_softmax_cross_entropy_at() as a value. */
TSR_OP tsr *tsr_softmax_cross_entropy(tsr *logits, tsr *labels);
/** tsr_softmax_cross_entropy_with_integer_labels_at() as a value. */
TSR_OP tsr *tsr_softmax_cross_entropy_with_integer_labels(tsr *logits, tsr *labels);
/** tsr_sigmoid_binary_cross_entropy_at() as a value. */
TSR_OP tsr *tsr_sigmoid_binary_cross_entropy(tsr *logits, tsr *labels);
/** tsr_squared_error_at() as a value. */
TSR_OP tsr *tsr_squared_error(tsr *predictions, tsr *targets);
/** tsr_l2_loss_at() as a value. */
TSR_OP tsr *tsr_l2_loss(tsr *predictions, tsr *targets);
/** tsr_huber_loss_at() as a value. */
TSR_OP tsr *tsr_huber_loss(tsr *predictions, tsr *targets);
/** tsr_smooth_labels_at() as a value. */
TSR_OP tsr *tsr_smooth_labels(tsr *labels, tsr *alpha);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_softmax_cross_entropy(logits, ...) \
	TSR_SOFTMAX_CROSS_ENTROPY_(TSR_PREFIX_, logits, __VA_ARGS__, )
#define TSR_SOFTMAX_CROSS_ENTROPY_(v_, logits, labels, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_classes_args, v_, __VA_ARGS__) \
		tsr_softmax_cross_entropy_at(TSR_HERE, logits, \
		TSR_GIVEN_(tsr_softmax_cross_entropy_needs_the_argument_labels, labels), &v_); }))
#define tsr_softmax_cross_entropy_with_integer_labels(logits, ...) \
	TSR_SOFTMAX_CROSS_ENTROPY_WITH_INTEGER_LABELS_(TSR_PREFIX_, logits, __VA_ARGS__, )
#define TSR_SOFTMAX_CROSS_ENTROPY_WITH_INTEGER_LABELS_(v_, logits, labels, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_classes_args, v_, __VA_ARGS__) \
		tsr_softmax_cross_entropy_with_integer_labels_at(TSR_HERE, logits, \
	TSR_GIVEN_(tsr_softmax_cross_entropy_with_integer_labels_needs_the_argument_labels, \
		labels), &v_); }))
#define tsr_sigmoid_binary_cross_entropy(logits, labels) \
	tsr_sigmoid_binary_cross_entropy_at(TSR_HERE, logits, labels)
#define tsr_squared_error(predictions, targets) tsr_squared_error_at(TSR_HERE, predictions, targets)
#define tsr_l2_loss(predictions, targets) tsr_l2_loss_at(TSR_HERE, predictions, targets)
#define tsr_huber_loss(predictions, ...) TSR_HUBER_LOSS_(TSR_PREFIX_, predictions, __VA_ARGS__, )
#define TSR_HUBER_LOSS_(v_, predictions, targets, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_huber_args, v_, __VA_ARGS__) \
		tsr_huber_loss_at(TSR_HERE, predictions, \
		TSR_GIVEN_(tsr_huber_loss_needs_the_argument_targets, targets), &v_); }))
#define tsr_smooth_labels(labels, ...) TSR_SMOOTH_LABELS_(TSR_PREFIX_, labels, __VA_ARGS__, )
#define TSR_SMOOTH_LABELS_(v_, labels, alpha, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_smooth_labels_needs_the_argument_alpha, alpha)) \
		TSR_KW_(tsr_classes_args, v_, __VA_ARGS__) tsr_smooth_labels_at(TSR_HERE, labels, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), &v_); }))
#endif

#endif
