"""_maps.py - vmap, pmap and shard_map, by the library's functions of the same names."""
from .. import _transform, _tree
from ._array import is_array
from ._sharding import (NamedSharding, PartitionSpec, Sharding, current_mesh, placed, raw_spec)
from ._transform import _UNSPECIFIED, Jitted, Passing, Wrapped, _unsupported, body, decorator


@decorator
def vmap(fun, in_axes=0, out_axes=0, axis_name=None, axis_size=None, spmd_axis_name=None,
         sum_match=False):
    """fun of each element of a batch."""
    _unsupported("vmap", sum_match=sum_match)
    _axes("vmap", in_axes)
    axes = in_axes if isinstance(in_axes, (list, tuple)) else ()
    return Passing(
        fun, lambda f: _transform.Vmap(f, in_axes, out_axes, axis_name=axis_name,
                                       axis_size=axis_size, spmd_axis_name=spmd_axis_name),
        lambda count: [k for k, axis in enumerate(axes[:count]) if axis is None])


def _axes(what, in_axes):
    if not (in_axes is None or isinstance(in_axes, (int, list, tuple))):
        more = "(nested) container with those types as leaves" if what == "pmap" else \
            "tuple of entries corresponding to the positional arguments passed to the function"
        raise TypeError(f"{what} in_axes must be an int, None, or {'a ' * (what == 'vmap')}{more}, "
                        f"but got {in_axes}.")


class Pmapped(Jitted):
    """What pmap() gives."""

    def __init__(self, fun, made, static, axis_name):
        super().__init__(fun, made, static)
        self.axis_name = axis_name

    def _placed(self, out, like):
        return out


@decorator
def pmap(fun, axis_name=None, *, in_axes=0, out_axes=0, static_broadcasted_argnums=(),
         devices=None, backend=None, axis_size=None, donate_argnums=()):
    """fun of as many elements as there are devices, on one each; pmap in pmap works."""
    _unsupported("pmap", backend=backend)
    _axes("pmap", in_axes)
    if devices is not None and not len(devices):
        raise ValueError("'devices' argument to pmap must be non-empty, or None.")
    static = (static_broadcasted_argnums,) if isinstance(static_broadcasted_argnums, int) else \
        tuple(static_broadcasted_argnums)
    made = _transform.Pmap(body(fun), axis_name, in_axes=in_axes, out_axes=out_axes,
                           axis_size=axis_size, devices=devices,
                           donate_argnums=donate_argnums or None,
                           static_broadcasted_argnums=static or None)
    return Pmapped(fun, made, static, axis_name)


def _is_spec(s):
    return isinstance(s, (PartitionSpec, Sharding))


def _raw_specs(tree):
    def one(s):
        return raw_spec(s.spec if isinstance(s, NamedSharding) else s) if _is_spec(s) else s
    return _tree.map(one, tree, is_leaf=lambda s: s is None or _is_spec(s))


class ShardMapped(Wrapped):
    """What shard_map() gives."""

    traced_anew = True
    mesh = out_specs = None

    def _result(self, out):
        if self.mesh is None or not all(x._x._level.root for x in _tree.leaves(out, is_array)):
            return out
        leaves, tree = _tree.flatten(out, is_array)
        specs = _tree.broadcast(self.out_specs, tree, lambda s: s is None or _is_spec(s))
        for x, s in zip(leaves, specs):
            placed(x, NamedSharding(self.mesh, s if isinstance(s, PartitionSpec) else
                                    getattr(s, "spec", PartitionSpec())))
        return out


@decorator
def shard_map(f, /, *, out_specs, in_specs=_UNSPECIFIED, mesh=None, axis_names=frozenset(),
              check_vma=True):
    """f on every device of a mesh, each on its own blocks."""
    if in_specs is _UNSPECIFIED:
        raise NotImplementedError("shard_map() on Tessera needs in_specs")
    if isinstance(in_specs, list):
        in_specs = tuple(in_specs)
    given = mesh or current_mesh()
    if given is None or not hasattr(given, "_t"):
        given = None
    made = _transform.ShardMap(body(f), given._t if given is not None else None,
                               _raw_specs(in_specs), _raw_specs(out_specs), check_vma=check_vma,
                               axis_names=axis_names or None)
    mapped = ShardMapped(f, made)
    mapped.mesh, mapped.out_specs = given, out_specs
    return mapped


def shard_map_of_old(f, mesh, in_specs, out_specs, check_rep=True, auto=frozenset(), *,
                     check_vma=None):
    """shard_map as jax.experimental.shard_map has it."""
    check = check_rep if check_vma is None else check_vma
    manual = frozenset(mesh.axis_names) - frozenset(auto)
    return shard_map(f, mesh=mesh, in_specs=in_specs, out_specs=out_specs, check_vma=check,
                     axis_names=manual if auto else frozenset())
