"""flax_attention.py - flax's layer of attention as a function of its kernels, for the lines of
functions/*.def, and rotary embedding by its formula."""
import flax.linen as linen
import jax.numpy as jnp


def for_all_heads(x, heads, dim):
    """those of keys and values, each for its group of the queries' heads"""
    return jnp.repeat(x, heads // x.shape[dim], dim)


def applied_attention(x, query, key, value, out, cache, **keywords):
    heads, head = query.shape[1:]
    module = linen.MultiHeadDotProductAttention(
        heads, qkv_features=heads * head, out_features=out.shape[-1], use_bias=False,
        precision="highest", decode=cache is not None)
    given = {"query": query, "key": for_all_heads(key, heads, 1),
             "value": for_all_heads(value, heads, 1), "out": out}
    variables = {"params": {name: {"kernel": x} for name, x in given.items()}}
    if cache is not None:
        variables["cache"] = cache
    return module.apply(variables, x, mutable=["cache"], **keywords)


def flax_attention(x, query, key, value, out, causal=False, mask=None):
    if causal:
        mask = linen.make_causal_mask(x[..., 0], dtype=bool)
    return applied_attention(x, query, key, value, out, None, mask=mask)[0]


def flax_decoded(x, query, key, value, out, keys, values, position):
    """(the result, the caches with what is new)"""
    heads, kv_heads = query.shape[1], key.shape[1]
    cache = {"cached_key": for_all_heads(keys, heads, 2),
             "cached_value": for_all_heads(values, heads, 2),
             "cache_index": jnp.int32(position)}
    y, new = applied_attention(x, query, key, value, out, cache)
    group = heads // kv_heads
    return y, new["cache"]["cached_key"][:, :, ::group], new["cache"]["cached_value"][:, :, ::group]


def rotary(x, position, base):
    half = x.shape[-1] // 2
    wide = jnp.promote_types(x.dtype, jnp.float32)
    places = position + jnp.arange(x.shape[-3], dtype=wide)
    angle = places[:, None, None] * jnp.power(jnp.asarray(base, wide), -jnp.arange(half) / half)
    a, b = x[..., :half].astype(wide), x[..., half:].astype(wide)
    c, s = jnp.cos(angle), jnp.sin(angle)
    return jnp.concatenate([a * c - b * s, b * c + a * s], -1).astype(x.dtype)
