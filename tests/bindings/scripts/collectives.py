"""collectives.py - each collective of shard_map on four devices, with operands and results."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

jax.config.update("jax_num_cpu_devices", 8)
mesh = Mesh(np.array(jax.devices()[:4]), ("i",))
x = jnp.array([3, 9, 5, 2, 1, 7, 4, 6, 8, 0, 11, 10, 15, 13, 12, 14])
print(jax.devices()[:2], len(jax.devices()), mesh)


def show(name, body, out_specs=P("i"), in_specs=P("i"), **keywords):
    mapped = jax.shard_map(body, mesh=mesh, in_specs=in_specs, out_specs=out_specs, **keywords)
    y = jax.jit(mapped)(x)
    print(f"{name}: {y.shape} {y.dtype}")
    print(y)


show("psum", lambda b: lax.psum(b, "i"), P())
show("pmean", lambda b: lax.pmean(b.astype(jnp.float32), "i"), P())
show("pmax", lambda b: lax.pmax(b, "i"), P())
show("pmin", lambda b: lax.pmin(b, "i"), P())
show("all_gather", lambda b: lax.all_gather(b, "i", tiled=True), P("i"))
show("all_gather stacked", lambda b: lax.all_gather(b, "i"), P("i"))
show("psum_scatter", lambda b: lax.psum_scatter(b, "i", tiled=True))
show("psum_scatter untiled", lambda b: lax.psum_scatter(b, "i")[None])
show("ppermute", lambda b: lax.ppermute(b, "i", [(k, (k + 1) % 4) for k in range(4)]))
show("ppermute, one way", lambda b: lax.ppermute(b, "i", [(0, 3), (1, 2)]))
show("all_to_all", lambda b: lax.all_to_all(b, "i", 0, 0, tiled=True))
show("axis_index", lambda b: b * 0 + lax.axis_index("i"))
show("axis_size", lambda b: b + lax.psum(1, "i"))
show("groups", lambda b: lax.psum(b, "i", axis_index_groups=[[0, 1], [2, 3]]), check_vma=False)

mesh = jax.make_mesh((2, 2), ("i", "j"), axis_types=(jax.sharding.AxisType.Auto,) * 2,
                     devices=jax.devices()[:4])
x = x.reshape(4, 4)
show("psum over j", lambda b: lax.psum(b, "j"), P("i"), P("i", "j"))
show("psum over both", lambda b: lax.psum(b, ("i", "j")), P(), P("i", "j"))
show("gather over j", lambda b: lax.all_gather(b, "j", axis=1, tiled=True), P("i"), P("i", "j"),
     check_vma=False)
show("two axes on one dim", lambda b: b + 100 * lax.axis_index(("i", "j")), P(("i", "j")),
     P(("i", "j")))
y = jax.device_put(x, NamedSharding(mesh, P("i", "j")))
print(y.sharding, y.sharding.shard_shape(y.shape))
jax.debug.visualize_array_sharding(y)
