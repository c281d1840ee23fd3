"""layers.py - the functions of tsr/layers.h; tools/make_bindings.py made it of api/."""
from .._call import context_of, places
from .._lib import lib
from .._types import Any, Array, ArrayLike, Axes, Choice, DTypeLike, Dims, List, Optional

__all__ = ["batch_norm", "conv", "dropout", "embed", "group_norm", "gru_cell", "layer_norm",
           "linear", "lstm_cell", "rms_norm", "rnn_cell"]

_linear = lib.tsr_linear_at
_embed = lib.tsr_embed_at
_conv = lib.tsr_conv_at
_layer_norm = lib.tsr_layer_norm_at
_rms_norm = lib.tsr_rms_norm_at
_group_norm = lib.tsr_group_norm_at
_batch_norm = lib.tsr_batch_norm_at
_dropout = lib.tsr_dropout_at
_rnn_cell = lib.tsr_rnn_cell_at
_lstm_cell = lib.tsr_lstm_cell_at
_gru_cell = lib.tsr_gru_cell_at


def linear(x: ArrayLike, kernel: ArrayLike, bias: ArrayLike, *, dtype: DTypeLike = None) -> Array:
    """x @ kernel + bias: x [..., in], kernel [in, out ...], bias [out ...]. Also complex.
    linear(x, w.kernel, w.bias), linear(x, kernel, None)"""
    c = context_of(x, kernel, bias)
    x = c.handle(x)
    kernel = c.handle(kernel)
    bias = c.handle(bias, None)
    args = c.record("tsr_linear_args", dtype=dtype)
    return c.array(_linear(c.place(), x._h, kernel._h, bias._h, args))


def embed(x: ArrayLike, table: ArrayLike, *, dtype: DTypeLike = None) -> Array:
    """The rows of a table [n, features] that integers name, [..., features]: embed(words, table).
    Negative ones count from the end, as in take(); others that name none give NaN, but if n is 1
    all give that row. Further error (Error.ERROR_TYPE): x is not of integers."""
    c = context_of(x, table)
    x = c.handle(x)
    table = c.handle(table)
    args = c.record("tsr_linear_args", dtype=dtype)
    return c.array(_embed(c.place(), x._h, table._h, args))


def conv(x: ArrayLike, kernel: ArrayLike, bias: ArrayLike, *, strides: Dims = None,
         low: Dims = None, high: Dims = None, padding: Optional[Choice] = None,
         input_dilation: Dims = None, kernel_dilation: Dims = None,
         feature_group_count: Optional[int] = None, dtype: DTypeLike = None) -> Array:
    """A convolution: x [batch ..., spatial ..., in], with any number of dims as the batch, or
    none, kernel [window ..., in / groups, out], bias [out]: conv(x, kernel, bias, strides=(2, 2)).
    Windows are those of conv_general_dilated(). Also complex. Further errors
    (Error.ERROR_ARGUMENT): those of its keywords, "causal" along several dims."""
    c = context_of(x, kernel, bias)
    x = c.handle(x)
    kernel = c.handle(kernel)
    bias = c.handle(bias, None)
    args = c.record("tsr_conv_layer_args", strides=strides, low=low, high=high, padding=padding,
                    input_dilation=input_dilation, kernel_dilation=kernel_dilation,
                    feature_group_count=feature_group_count, dtype=dtype)
    return c.array(_conv(c.place(), x._h, kernel._h, bias._h, args))


def layer_norm(x: ArrayLike, scale: ArrayLike, bias: ArrayLike, axis: Dims = None, *,
               feature_dims: Dims = None, epsilon: Optional[float] = None, where: ArrayLike = None,
               exact: Optional[bool] = None, axis_name: Optional[Axes] = None,
               dtype: DTypeLike = None) -> Array:
    """By the mean and variance of each row, or of axis: layer_norm(x, scale, bias)."""
    c = context_of(x, scale, bias, where)
    x = c.handle(x)
    scale = c.handle(scale, None)
    bias = c.handle(bias, None)
    args = c.record("tsr_layer_norm_args", dims=axis, feature_dims=feature_dims, epsilon=epsilon,
                    where=where, exact=exact, axis=axis_name, dtype=dtype)
    return c.array(_layer_norm(c.place(), x._h, scale._h, bias._h, args))


def rms_norm(x: ArrayLike, scale: ArrayLike, axis: Dims = None, *, feature_dims: Dims = None,
             epsilon: Optional[float] = None, where: ArrayLike = None,
             exact: Optional[bool] = None, axis_name: Optional[Axes] = None,
             dtype: DTypeLike = None) -> Array:
    """x / sqrt(mean of x^2 + epsilon) * scale: rms_norm(x, scale)."""
    c = context_of(x, scale, where)
    x = c.handle(x)
    scale = c.handle(scale, None)
    args = c.record("tsr_layer_norm_args", dims=axis, feature_dims=feature_dims, epsilon=epsilon,
                    where=where, exact=exact, axis=axis_name, dtype=dtype)
    return c.array(_rms_norm(c.place(), x._h, scale._h, args))


def group_norm(x: ArrayLike, axis_index_groups: int, scale: ArrayLike, bias: ArrayLike, *,
               group_size: Optional[int] = None, axis: Dims = None,
               epsilon: Optional[float] = None, where: ArrayLike = None,
               exact: Optional[bool] = None, axis_name: Optional[Axes] = None,
               dtype: DTypeLike = None) -> Array:
    """By means over groups of as many features, the last dim, and over all dims but the first one:
    group_norm(x, 32, scale, bias). 0 groups: group_size says. Error (Error.ERROR_ARGUMENT): they
    do not divide the features."""
    c = context_of(x, scale, bias, where)
    x = c.handle(x)
    scale = c.handle(scale, None)
    bias = c.handle(bias, None)
    args = c.record("tsr_group_norm_args", group_size=group_size, dims=axis, epsilon=epsilon,
                    where=where, exact=exact, axis=axis_name, dtype=dtype)
    return c.array(_group_norm(c.place(), x._h, axis_index_groups, scale._h, bias._h, args))


def batch_norm(x: ArrayLike, scale: ArrayLike, bias: ArrayLike, mean: ArrayLike, var: ArrayLike, *,
               use_running_average: Optional[bool] = None, new_mean: Optional[bool] = None,
               new_var: Optional[bool] = None, momentum: ArrayLike = None, axis: Dims = None,
               epsilon: Optional[float] = None, where: ArrayLike = None,
               exact: Optional[bool] = None, axis_name: Optional[Axes] = None,
               dtype: DTypeLike = None) -> Any:
    """By the mean and variance of each feature over all other dims. mean and var, [features], are
    running averages: new = momentum old + (1 - momentum) that of the batch, in the dtype of the
    old one. To train: y = batch_norm(x, scale, bias, s.mean, s.var, new_mean=&t.mean,
    new_var=&t.var); afterwards use_running_average=True normalizes by mean and var themselves, and
    they stay. In jit() means are of the whole batch, however it is cut; inside maps axis="x" takes
    them over all devices of an axis."""
    c = context_of(x, scale, bias, mean, var, momentum, where)
    x = c.handle(x)
    scale = c.handle(scale, None)
    bias = c.handle(bias, None)
    mean = c.handle(mean)
    var = c.handle(var)
    args = c.record("tsr_batch_norm_args", use_running_average=use_running_average,
                    new_mean=new_mean, new_var=new_var, momentum=momentum, dim=axis,
                    epsilon=epsilon, where=where, exact=exact, axis=axis_name, dtype=dtype)
    handle = _batch_norm(c.place(), x._h, scale._h, bias._h, mean._h, var._h, args)
    return c.and_more(handle, args, "new_mean", "new_var")


def dropout(key: ArrayLike, x: ArrayLike, rate: float, *, deterministic: Optional[bool] = None,
            broadcast_dims: Dims = None, whole: Dims = None, start: ArrayLike = None) -> Array:
    """Elements are 0 with the probability rate, the others x / (1 - rate): dropout(key, x, 0.1,
    deterministic=not training). The key may be None where nothing is drawn. A mask depends on the
    key and the dims of x, however x is cut; inside shard_map() that is each device's block, or
    with whole and start the block's part of the whole. Errors: a rate that is not between 0 and 1
    (Error.ERROR_ARGUMENT), x of integers (Error.ERROR_TYPE). Also complex."""
    c = context_of(key, x, start)
    key = c.handle(key, None)
    x = c.handle(x)
    args = c.record("tsr_dropout_args", deterministic=deterministic, broadcast_dims=broadcast_dims,
                    whole=whole, start=start)
    return c.array(_dropout(c.place(), key._h, x._h, rate, args))


def rnn_cell(h: ArrayLike, x: ArrayLike, kernel: ArrayLike, recurrent: ArrayLike, bias: ArrayLike,
             *, residual: Optional[bool] = None, dtype: DTypeLike = None) -> Array:
    """tanh(x @ kernel + bias + h @ recurrent): kernel [in, hidden], recurrent [hidden, hidden],
    bias [hidden]. h = rnn_cell(h, x, w.kernel, w.recurrent, w.bias)"""
    c = context_of(h, x, kernel, recurrent, bias)
    h = c.handle(h)
    x = c.handle(x)
    kernel = c.handle(kernel)
    recurrent = c.handle(recurrent)
    bias = c.handle(bias, None)
    args = c.record("tsr_rnn_cell_args", residual=residual, dtype=dtype)
    return c.array(_rnn_cell(c.place(), h._h, x._h, kernel._h, recurrent._h, bias._h, args))


def lstm_cell(c: ArrayLike, h: ArrayLike, x: ArrayLike, kernel: ArrayLike, recurrent: ArrayLike,
              bias: ArrayLike, *, dtype: DTypeLike = None) -> List[Array]:
    """i, f, g, o = x @ kernel + h @ recurrent + bias: kernel [in, 4 hidden], recurrent [hidden, 4
    hidden], bias [4 hidden]. out[0], the new c [..., hidden], is logistic(f) c + logistic(i)
    tanh(g); out[1], the new h, logistic(o) tanh(new c). lstm_cell(c, h, x, w.kernel, w.recurrent,
    w.bias, out)."""
    c = context_of(c, h, x, kernel, recurrent, bias)
    c = c.handle(c)
    h = c.handle(h)
    x = c.handle(x)
    kernel = c.handle(kernel)
    recurrent = c.handle(recurrent)
    bias = c.handle(bias, None)
    made = places(2)
    args = c.record("tsr_lstm_cell_args", dtype=dtype)
    c.done(_lstm_cell(c.place(), c._h, h._h, x._h, kernel._h, recurrent._h, bias._h, made, args))
    return c.arrays(made)


def gru_cell(h: ArrayLike, x: ArrayLike, kernel: ArrayLike, recurrent: ArrayLike, bias: ArrayLike,
             *, recurrent_bias: ArrayLike = None, dtype: DTypeLike = None) -> Array:
    """r, z, n = x @ kernel + bias, and s, y, m = h @ recurrent: kernel [in, 3 hidden], recurrent
    [hidden, 3 hidden], bias [3 hidden]. With u = logistic(z + y), the new h is (1 - u) tanh(n +
    logistic(r + s) (m + recurrent_bias)) + u h. h = gru_cell(h, x, w.kernel, w.recurrent,
    w.bias)"""
    c = context_of(h, x, kernel, recurrent, bias, recurrent_bias)
    h = c.handle(h)
    x = c.handle(x)
    kernel = c.handle(kernel)
    recurrent = c.handle(recurrent)
    bias = c.handle(bias, None)
    args = c.record("tsr_gru_cell_args", recurrent_bias=recurrent_bias, dtype=dtype)
    return c.array(_gru_cell(c.place(), h._h, x._h, kernel._h, recurrent._h, bias._h, args))
