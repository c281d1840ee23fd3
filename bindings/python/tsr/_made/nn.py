"""nn.py - the functions of tsr/nn.h; tools/make_bindings.py made it of api/."""
from .._call import context_of, operands2
from .._lib import lib
from .._types import Any, Array, ArrayLike, DTypeLike, Dims, Optional

__all__ = ["celu", "dot_product_attention", "elu", "gelu", "glu", "hard_sigmoid", "hard_silu",
           "hard_tanh", "leaky_relu", "log1mexp", "log_sigmoid", "log_softmax", "logmeanexp",
           "mish", "multi_head_attention", "one_hot", "relu6", "rotary", "selu", "silu",
           "soft_sign", "softmax", "softplus", "sparse_plus", "sparse_sigmoid", "squareplus",
           "standardize"]

_relu6 = lib.tsr_relu6_at
_softplus = lib.tsr_softplus_at
_sparse_plus = lib.tsr_sparse_plus_at
_sparse_sigmoid = lib.tsr_sparse_sigmoid_at
_soft_sign = lib.tsr_soft_sign_at
_silu = lib.tsr_silu_at
_log_sigmoid = lib.tsr_log_sigmoid_at
_hard_tanh = lib.tsr_hard_tanh_at
_hard_sigmoid = lib.tsr_hard_sigmoid_at
_hard_silu = lib.tsr_hard_silu_at
_mish = lib.tsr_mish_at
_log1mexp = lib.tsr_log1mexp_at
_leaky_relu = lib.tsr_leaky_relu_at
_elu = lib.tsr_elu_at
_celu = lib.tsr_celu_at
_selu = lib.tsr_selu_at
_squareplus = lib.tsr_squareplus_at
_gelu = lib.tsr_gelu_at
_glu = lib.tsr_glu_at
_softmax = lib.tsr_softmax_at
_log_softmax = lib.tsr_log_softmax_at
_logmeanexp = lib.tsr_logmeanexp_at
_standardize = lib.tsr_standardize_at
_one_hot = lib.tsr_one_hot_at
_dot_product_attention = lib.tsr_dot_product_attention_at
_rotary = lib.tsr_rotary_at
_multi_head_attention = lib.tsr_multi_head_attention_at


def relu6(x: ArrayLike) -> Array:
    """min(max(x, 0), 6), with the derivative 0 at 0 and 6."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_relu6(c.place(), x._h))


def softplus(x: ArrayLike) -> Array:
    """log(1 + e^x) for each element, which does not overflow on the way."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_softplus(c.place(), x._h))


def sparse_plus(x: ArrayLike) -> Array:
    """0 below -1, x above 1, (x + 1)^2 / 4 between."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_sparse_plus(c.place(), x._h))


def sparse_sigmoid(x: ArrayLike) -> Array:
    """(x + 1) / 2 for each element, moved to 0 where it is below and to 1 where it is above."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_sparse_sigmoid(c.place(), x._h))


def soft_sign(x: ArrayLike) -> Array:
    """x / (1 + |x|) for each element, which is between -1 and 1."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_soft_sign(c.place(), x._h))


def silu(x: ArrayLike) -> Array:
    """x logistic(x) for each element, in the dtype of x; also called swish."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_silu(c.place(), x._h))


def log_sigmoid(x: ArrayLike) -> Array:
    """log(logistic(x)) for each element, which does not underflow on the way."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_log_sigmoid(c.place(), x._h))


def hard_tanh(x: ArrayLike) -> Array:
    """min(max(x, -1), 1) for each element, in the dtype of x; integers stay integers."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_hard_tanh(c.place(), x._h))


def hard_sigmoid(x: ArrayLike) -> Array:
    """relu6(x + 3) / 6 for each element, a logistic function made of lines."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_hard_sigmoid(c.place(), x._h))


def hard_silu(x: ArrayLike) -> Array:
    """x hard_sigmoid(x), also called hard_swish."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_hard_silu(c.place(), x._h))


def mish(x: ArrayLike) -> Array:
    """x tanh(softplus(x)) for each element, in the dtype of x."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_mish(c.place(), x._h))


def log1mexp(x: ArrayLike) -> Array:
    """log(1 - e^-x) for each element, exact where x is near 0."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_log1mexp(c.place(), x._h))


def leaky_relu(a: ArrayLike, b: ArrayLike) -> Array:
    """x for x >= 0, b x below: leaky_relu(x, 0.01)."""
    return operands2(_leaky_relu, a, b)


def elu(a: ArrayLike, b: ArrayLike) -> Array:
    """x for x > 0, b (e^x - 1) below: elu(x, 1.0)."""
    return operands2(_elu, a, b)


def celu(a: ArrayLike, b: ArrayLike) -> Array:
    """max(x, 0) + b (e^(min(x, 0) / b) - 1): celu(x, 1.0)."""
    return operands2(_celu, a, b)


def selu(x: ArrayLike) -> Array:
    """1.0507 times elu(x, 1.6733), the numbers to their last digit."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_selu(c.place(), x._h))


def squareplus(a: ArrayLike, b: ArrayLike) -> Array:
    """(x + sqrt(x^2 + b)) / 2: squareplus(x, 4)."""
    return operands2(_squareplus, a, b)


def gelu(x: ArrayLike, *, exact: Optional[bool] = None) -> Array:
    """x times the normal distribution at x, by tanh: gelu(x), gelu(x, exact=True)."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_gelu_args", exact=exact)
    return c.array(_gelu(c.place(), x._h, args))


def glu(x: ArrayLike, axis: int = -1) -> Array:
    """The first half of a dim times logistic() of the second one: glu(x, -1)."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_glu(c.place(), x._h, axis))


def softmax(x: ArrayLike, axis: int = -1, *, where: ArrayLike = None) -> Array:
    """e^x / the sum of e^x along the dim: softmax(x, -1), softmax(x, -1, where=m)."""
    c = context_of(x, where)
    x = c.handle(x)
    args = c.record("tsr_softmax_args", where=where)
    return c.array(_softmax(c.place(), x._h, axis, args))


def log_softmax(x: ArrayLike, axis: int = -1, *, where: ArrayLike = None) -> Array:
    """The logarithm of softmax() along a dim, x - log(sum(e^x)), of floats and without overflow:
    log_softmax(logits, -1)."""
    c = context_of(x, where)
    x = c.handle(x)
    args = c.record("tsr_softmax_args", where=where)
    return c.array(_log_softmax(c.place(), x._h, axis, args))


def logmeanexp(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
               where: ArrayLike = None) -> Array:
    """The logarithm of the mean of e^x, as logsumexp()."""
    c = context_of(x, where)
    x = c.handle(x)
    args = c.record("tsr_logmeanexp_args", dims=axis, keep=keepdims, where=where)
    return c.array(_logmeanexp(c.place(), x._h, args))


def standardize(x: ArrayLike, axis: int, epsilon: float, *, where: ArrayLike = None,
                mean: ArrayLike = None, variance: ArrayLike = None) -> Array:
    """(x - mean) / sqrt(variance + epsilon) along the dim: standardize(x, -1, 1e-5)."""
    c = context_of(x, where, mean, variance)
    x = c.handle(x)
    args = c.record("tsr_standardize_args", where=where, mean=mean, variance=variance)
    return c.array(_standardize(c.place(), x._h, axis, epsilon, args))


def one_hot(x: ArrayLike, n: int, axis: Dims = None, *, dtype: DTypeLike = None) -> Array:
    """1 at the place that an index names in a new dim of size n, else 0: one_hot(words, 50).
    Indices that are not in it give zeros alone."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_one_hot_args", dim=axis, dtype=dtype)
    return c.array(_one_hot(c.place(), x._h, n, args))


def dot_product_attention(query: ArrayLike, key: ArrayLike, value: ArrayLike, *,
                          bias: ArrayLike = None, mask: ArrayLike = None,
                          scale: Optional[float] = None, causal: Optional[bool] = None) -> Array:
    """Attention: of queries [batch, queries, heads, head], keys and values [batch, keys, kv_heads,
    head], whose heads serve groups of those of the queries, the values weighed by softmax() of the
    scores of their keys, which are in f32: dot_product_attention(q, k, v, causal=True). Many
    scores are computed by blocks, in its derivatives too, so that memory is linear in queries and
    keys. Error (Error.ERROR_TYPE): dims or dtypes that do not fit."""
    c = context_of(query, key, value, bias, mask)
    query = c.handle(query)
    key = c.handle(key)
    value = c.handle(value)
    args = c.record("tsr_attention_args", bias=bias, mask=mask, scale=scale, causal=causal)
    return c.array(_dot_product_attention(c.place(), query._h, key._h, value._h, args))


def rotary(x: ArrayLike, *, position: ArrayLike = None, base: Optional[float] = None) -> Array:
    """Rotary embedding: x [.., length, heads, head] with element i of the first half of a head and
    i of the second half turned as a pair, by the place times base^(-2 i / head): rotary(q,
    base=500000). Errors (Error.ERROR_TYPE): a head of odd size, fewer than 3 dims, complex
    numbers, places that are not those of the rows; (Error.ERROR_ARGUMENT): a negative base."""
    c = context_of(x, position)
    x = c.handle(x)
    args = c.record("tsr_rotary_args", position=position, base=base)
    return c.array(_rotary(c.place(), x._h, args))


def multi_head_attention(x: ArrayLike, query: ArrayLike, key: ArrayLike, value: ArrayLike,
                         out: ArrayLike, *, key_input: ArrayLike = None,
                         value_input: ArrayLike = None, query_bias: ArrayLike = None,
                         key_bias: ArrayLike = None, value_bias: ArrayLike = None,
                         out_bias: ArrayLike = None, bias: ArrayLike = None,
                         mask: ArrayLike = None, scale: Optional[float] = None,
                         causal: Optional[bool] = None, rotary: Optional[float] = None,
                         key_cache: ArrayLike = None, value_cache: ArrayLike = None,
                         position: ArrayLike = None, new_key_cache: Optional[bool] = None,
                         new_value_cache: Optional[bool] = None) -> Any:
    """A layer of attention, flax's MultiHeadDotProductAttention: x [batch, length, features] times
    the kernels query [features, heads, head], and key and value [features, kv_heads, head], then
    attention as dot_product_attention(), but with the softmax in the dtype of x (f32 for narrower
    ones), and its result times out [heads, head, features]: multi_head_attention(x, w.q, w.k, w.v,
    w.out, causal=True). Operands are converted to their common dtype, f32 where that is no float.
    In a map that splits the heads of the kernels over an axis, the layer's result is psum() of
    this one over it (without out_bias, which is added behind). Decoding goes row by row,
    key_cache=k, value_cache=v, position=i, new_key_cache=&k, new_value_cache=&v. Errors
    (Error.ERROR_TYPE): dims that do not fit, complex numbers; (Error.ERROR_ARGUMENT): one cache
    alone, a position that is no integer scalar."""
    c = context_of(x, query, key, value, out, key_input, value_input, query_bias, key_bias,
                   value_bias, out_bias, bias, mask, key_cache, value_cache, position)
    x = c.handle(x)
    query = c.handle(query)
    key = c.handle(key)
    value = c.handle(value)
    out = c.handle(out)
    args = c.record("tsr_multi_head_args", key_input=key_input, value_input=value_input,
                    query_bias=query_bias, key_bias=key_bias, value_bias=value_bias,
                    out_bias=out_bias, bias=bias, mask=mask, scale=scale, causal=causal,
                    rotary=rotary, key_cache=key_cache, value_cache=value_cache, position=position,
                    new_key_cache=new_key_cache, new_value_cache=new_value_cache)
    handle = _multi_head_attention(c.place(), x._h, query._h, key._h, value._h, out._h, args)
    return c.and_more(handle, args, "new_key_cache", "new_value_cache")
