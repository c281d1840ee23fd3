"""losses.py - the functions of tsr/losses.h; tools/make_bindings.py made it of api/."""
from .._call import context_of
from .._lib import lib
from .._types import Array, ArrayLike, Dims, Optional

__all__ = ["huber_loss", "l2_loss", "sigmoid_binary_cross_entropy", "smooth_labels",
           "softmax_cross_entropy", "softmax_cross_entropy_with_integer_labels", "squared_error"]

_softmax_cross_entropy = lib.tsr_softmax_cross_entropy_at
_softmax_cross_entropy_with_integer_labels = lib.tsr_softmax_cross_entropy_with_integer_labels_at
_sigmoid_binary_cross_entropy = lib.tsr_sigmoid_binary_cross_entropy_at
_squared_error = lib.tsr_squared_error_at
_l2_loss = lib.tsr_l2_loss_at
_huber_loss = lib.tsr_huber_loss_at
_smooth_labels = lib.tsr_smooth_labels_at


def softmax_cross_entropy(logits: ArrayLike, labels: ArrayLike, axis: Dims = None, *,
                          where: ArrayLike = None) -> Array:
    """-sum(labels log(softmax(logits))) over the classes. Labels are distributions, such as those
    of one_hot(), broadcast with logits: softmax_cross_entropy(logits, labels)."""
    c = context_of(logits, labels, where)
    logits = c.handle(logits)
    labels = c.handle(labels)
    args = c.record("tsr_classes_args", dim=axis, where=where)
    return c.array(_softmax_cross_entropy(c.place(), logits._h, labels._h, args))


def softmax_cross_entropy_with_integer_labels(
        logits: ArrayLike, labels: ArrayLike, axis: Dims = None, *,
        where: ArrayLike = None) -> Array:
    """-log(softmax(logits)) of one class, which an integer names: labels have the dims of logits
    but for that of the classes. Negative ones count from the end; what names no class gives NaN.
    Further error (Error.ERROR_TYPE): labels that are no integers."""
    c = context_of(logits, labels, where)
    logits = c.handle(logits)
    labels = c.handle(labels)
    args = c.record("tsr_classes_args", dim=axis, where=where)
    return c.array(_softmax_cross_entropy_with_integer_labels(
            c.place(), logits._h, labels._h, args))


def sigmoid_binary_cross_entropy(logits: ArrayLike, labels: ArrayLike) -> Array:
    """-labels log(logistic(logits)) - (1 - labels) log(1 - logistic(logits)), for yes or no:
    labels are 0 or 1, or between, and broadcast with logits."""
    c = context_of(logits, labels)
    logits = c.handle(logits)
    labels = c.handle(labels)
    return c.array(_sigmoid_binary_cross_entropy(c.place(), logits._h, labels._h))


def squared_error(predictions: ArrayLike, targets: ArrayLike) -> Array:
    """(predictions - targets)^2, of the same dims; targets may be None, which is 0."""
    c = context_of(predictions, targets)
    predictions = c.handle(predictions)
    targets = c.handle(targets, None)
    return c.array(_squared_error(c.place(), predictions._h, targets._h))


def l2_loss(predictions: ArrayLike, targets: ArrayLike) -> Array:
    """Half of the squared difference of predictions and targets, for each element; targets that
    are None count as 0."""
    c = context_of(predictions, targets)
    predictions = c.handle(predictions)
    targets = c.handle(targets, None)
    return c.array(_l2_loss(c.place(), predictions._h, targets._h))


def huber_loss(predictions: ArrayLike, targets: ArrayLike, *,
               delta: Optional[float] = None) -> Array:
    """e^2 / 2 for e = |predictions - targets| up to delta, and delta (e - delta / 2) above;
    targets may be None, which is 0: huber_loss(y, t, delta=2)."""
    c = context_of(predictions, targets)
    predictions = c.handle(predictions)
    targets = c.handle(targets, None)
    args = c.record("tsr_huber_args", delta=delta)
    return c.array(_huber_loss(c.place(), predictions._h, targets._h, args))


def smooth_labels(labels: ArrayLike, alpha: ArrayLike, axis: Dims = None, *,
                  where: ArrayLike = None) -> Array:
    """(1 - alpha) labels + alpha / the number of classes: labels for softmax_cross_entropy() that
    leave each class a chance. smooth_labels(one_hot(classes, 10), 0.1). Further error
    (Error.ERROR_TYPE): labels that are no real floats."""
    c = context_of(labels, alpha, where)
    labels = c.handle(labels)
    alpha = c.operand(alpha)
    args = c.record("tsr_classes_args", dim=axis, where=where)
    return c.array(_smooth_labels(c.place(), labels._h, alpha, args))
