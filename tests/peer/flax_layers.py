"""flax_layers.py - flax's modules as functions of their parameters, for the lines of
functions/layers.def; a parameter that is None is one that the module does without."""
import flax.linen as linen
import jax.numpy as jnp

CONV_PADDING = ["SAME", "SAME", None, "VALID", "CIRCULAR", "REFLECT", "CAUSAL"]


def applied(module, given, x, **keywords):
    return module.apply({"params": {k: v for k, v in given.items() if v is not None}}, x,
                        **keywords)


def flax_linear(x, kernel, bias, dtype=None):
    module = linen.Dense(kernel.shape[-1], use_bias=bias is not None, dtype=dtype,
                         precision="highest")
    return applied(module, {"kernel": kernel, "bias": bias}, x)


def flax_embed(x, table, dtype):
    return applied(linen.Embed(*table.shape, dtype=dtype), {"embedding": table}, x)


def flax_conv(x, kernel, bias, strides, padding, groups=1, **keywords):
    module = linen.Conv(kernel.shape[-1], kernel.shape[:-2], strides, padding,
                        feature_group_count=groups, use_bias=bias is not None,
                        precision="highest", **keywords)
    return applied(module, {"kernel": kernel, "bias": bias}, x)


def flax_norm(name, x, scale=None, bias=None, mask=None, **keywords):
    has = {"use_scale": scale is not None}
    if name != "RMSNorm":
        has["use_bias"] = bias is not None
    given = {"scale": scale, "bias": bias if name != "RMSNorm" else None}
    return applied(getattr(linen, name)(**has, **keywords), given, x, mask=mask)


def flax_batch_norm(x, scale, bias, mean, var, momentum=0.99, dim=-1, dtype=None, average=False,
                    **keywords):
    module = linen.BatchNorm(average, dim, momentum, dtype=dtype, use_scale=scale is not None,
                             use_bias=bias is not None, **keywords)
    params = {k: v for k, v in {"scale": scale, "bias": bias}.items() if v is not None}
    y, new = module.apply({"params": params, "batch_stats": {"mean": mean, "var": var}}, x,
                          mutable=["batch_stats"])
    stats = new["batch_stats"]
    return y, stats["mean"].astype(mean.dtype), stats["var"].astype(var.dtype)


def flax_dropout(key, x, rate, dims, deterministic):
    return linen.Dropout(rate, dims or (), deterministic).apply({}, x, rng=key)


# ---- cells, whose kernels stand side by side here

def gates_of(names, kernels, bias):
    """name -> its part"""
    parts = jnp.split(kernels, len(names), -1)
    given = {name: {"kernel": part} for name, part in zip(names, parts)}
    if bias is not None:
        for name, part in zip(names, jnp.split(bias, len(names))):
            given[name]["bias"] = part
    return given


def flax_rnn_cell(h, x, kernel, recurrent, bias, residual):
    module = linen.SimpleCell(h.shape[-1], residual=residual)
    given = {"i": {"kernel": kernel, "bias": bias}, "h": {"kernel": recurrent}}
    return module.apply({"params": given}, h, x)[0]


def flax_lstm_cell(c, h, x, kernel, recurrent, bias):
    given = {**gates_of(["ii", "if", "ig", "io"], kernel, None),
             **gates_of(["hi", "hf", "hg", "ho"], recurrent, bias)}
    return linen.OptimizedLSTMCell(h.shape[-1]).apply({"params": given}, (c, h), x)[0]


def flax_gru_cell(h, x, kernel, recurrent, bias, recurrent_bias=None):
    given = {**gates_of(["ir", "iz", "in"], kernel, bias),
             **gates_of(["hr", "hz", "hn"], recurrent, None)}
    given["hn"]["bias"] = jnp.zeros(h.shape[-1], h.dtype) if recurrent_bias is None \
        else recurrent_bias
    return linen.GRUCell(h.shape[-1]).apply({"params": given}, h, x)[0]
