#!/usr/bin/env python3
"""jax_seed.py - examples/matmul.c in JAX: the first seed from its start to its printed product."""
import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"

from functools import partial  # noqa: E402

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
from jax.sharding import PartitionSpec as P  # noqa: E402

mesh = jax.make_mesh((4, 2), ("x", "y"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
a = jnp.arange(8 * 16.).reshape(8, 16)
b = jnp.arange(16 * 4.).reshape(16, 4)


@partial(jax.shard_map, mesh=mesh, in_specs=(P("x", "y"), P("y", None)), out_specs=P("x", None))
def matmul_basic(a_block, b_block):
    return jax.lax.psum(jnp.dot(a_block, b_block), "y")


c = matmul_basic(a, b)
print(c.sharding)
print(c)
print("allclose:", int(jnp.allclose(c, jnp.dot(a, b), atol=1e-2, rtol=1e-2)))
