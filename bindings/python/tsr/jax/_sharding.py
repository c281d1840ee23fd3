"""_sharding.py - jax.sharding: shardings, device_put, and pictures of them."""
import numpy as np

from .. import _mesh, _misc, _tree
from ._array import Array, Key, as_array, raw, wrapped
from ._backend import Device, context
from ._meshes import *  # noqa: F401,F403
from ._meshes import Mesh, PartitionSpec, current_mesh, raw_spec
from ._names import near


class Sharding:
    """Where the parts of an array are."""

    memory_kind = "device"
    is_fully_addressable = True

    @property
    def device_set(self):
        """Its devices."""
        return set(self._devices())

    @property
    def num_devices(self):
        """How many devices."""
        return len(self._devices())

    addressable_devices = device_set

    def devices_indices_map(self, global_shape):
        """device: the slices of an array of this shape that it holds."""
        found = self._t.devices_indices_map(tuple(global_shape))
        return {device: tuple(slice(None) if (s.start, s.stop) == (0, n) and not
                              self._cut(d) else s for d, (s, n) in
                              enumerate(zip(index, global_shape)))
                for device, index in found.items()}

    addressable_devices_indices_map = devices_indices_map

    def _cut(self, dim):
        return False

    def shard_shape(self, global_shape):
        """Sizes of the part that a device has of an array of this shape."""
        return tuple(self._t.shard_shape(tuple(global_shape)))

    def is_equivalent_to(self, other, ndim):
        """Do both put arrays of so many dims in the same places?"""
        return bool(self._t.is_equivalent_to(other._t, ndim))

    @property
    def is_fully_replicated(self):
        """Has every device all?"""
        return len(self._devices()) == 1 or not any(self._cuts())

    def __eq__(self, other):
        return type(other) is type(self) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        raise AttributeError(f"{type(self).__name__} on Tessera has no {name!r}; "
                             f"{near(name, dir(type(self)))}")


class NamedSharding(Sharding):
    """A mesh and a spec: NamedSharding(mesh, P("x", None))."""

    def __init__(self, mesh, spec, *, memory_kind=None):
        if memory_kind not in (None, "device", "unpinned_host"):
            raise NotImplementedError(f"memory_kind={memory_kind!r} on Tessera")
        if not isinstance(spec, PartitionSpec):
            raise TypeError(f"a NamedSharding has a PartitionSpec, not {spec!r}")
        self.mesh, self.spec = mesh, spec
        names = [n for e in spec for n in ((e,) if isinstance(e, str) else e or ())]
        for n in names:
            if n not in mesh.axis_names:
                raise ValueError(f"Resource axis: {n} of {spec} is not found in mesh: "
                                 f"{mesh.axis_names}.")
            if names.count(n) > 1:
                raise ValueError("A single NamedSharding specification can map every mesh axis to "
                                 f"at most one positional dimension, but {spec} has duplicate "
                                 f"entries for `{n}`")
        self._t = _mesh.NamedSharding(mesh._t, raw_spec(spec))

    def _devices(self):
        return list(self.mesh.devices.flat)

    def _key(self):
        return self.mesh, self.spec

    def _cuts(self):
        shape = self.mesh.shape
        return [int(np.prod([shape[n] for n in ((e,) if isinstance(e, str) else e or ())])) > 1
                for e in self.spec]

    def update(self, *, spec=None, **_):
        """The same with another spec."""
        return NamedSharding(self.mesh, self.spec if spec is None else spec)

    def __repr__(self):
        return f"NamedSharding(mesh={self.mesh}, spec={self.spec}, memory_kind=device)"


class SingleDeviceSharding(Sharding):
    """All on one device."""

    def __init__(self, device, *, memory_kind=None):
        self._device = device
        self._t = _mesh.SingleDeviceSharding(device)

    def _devices(self):
        return [self._device]

    def _key(self):
        return self._device

    def _cuts(self):
        return []

    def devices_indices_map(self, global_shape):
        """The device has all."""
        return {self._device: (slice(None),) * len(global_shape)}

    def __repr__(self):
        return f"SingleDeviceSharding(device={self._device!r}, memory_kind=device)"


class PositionalSharding(Sharding):
    """A grid of devices without names: PositionalSharding(devices).reshape(4, 2). JAX has dropped
    it; scripts that were written for it run here."""

    def __init__(self, devices, *, memory_kind=None):
        context()
        self._t = _mesh.PositionalSharding(np.array(devices, dtype=object))
        grid = np.array(devices, dtype=object)
        self._grid = np.empty(grid.shape, object)
        for k in np.ndindex(grid.shape):
            self._grid[k] = (grid[k],)

    @classmethod
    def _of(cls, t, grid):
        made = cls.__new__(cls)
        made._t, made._grid = t, grid
        return made

    @property
    def shape(self):
        """Sizes of the grid."""
        return self._grid.shape

    @property
    def ndim(self):
        """Dims of the grid."""
        return self._grid.ndim

    def reshape(self, *shape):
        """The same devices in another grid."""
        shape = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
        grid = self._grid.reshape(shape)
        return self._of(self._t.reshape(*grid.shape), grid)

    def replicate(self, axis=None, keepdims=True):
        """Devices along dims of the grid hold the same."""
        axes = range(self.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
        grid = self._grid
        for a in sorted((a % self.ndim for a in axes), reverse=True):
            grid = np.apply_along_axis(_joined, a, grid)
            grid = np.expand_dims(grid, a) if keepdims else grid
        return self._of(self._t.replicate(axis, keepdims), grid)

    def _devices(self):
        return [d for part in self._grid.flat for d in part]

    def _key(self):
        return self._grid.shape, tuple(self._grid.flat)

    def _cuts(self):
        return [s > 1 for s in self._grid.shape]

    def __repr__(self):
        return str(self._t)


def _joined(parts):
    made = np.empty((), object)
    made[()] = tuple(d for part in parts for d in part)
    return made


def raw_sharding(s, what="device_put"):
    """The library's, of a sharding, a device, or a spec of the mesh in use."""
    if isinstance(s, Sharding):
        return s._t
    if isinstance(s, PartitionSpec):
        return NamedSharding(current_mesh(what), s)._t
    if isinstance(s, Device):
        return _mesh.SingleDeviceSharding(s)
    raise TypeError(f"{what}() on Tessera takes a Sharding, a Device or a PartitionSpec, not {s!r}")


def is_placement(s):
    """Does it say where arrays are?"""
    return isinstance(s, (Sharding, PartitionSpec, Device))


def raw_shardings(tree, what):
    """A tree of the library's."""
    return _tree.map(lambda s: raw_sharding(s, what), tree, is_leaf=is_placement)


def sharding_of(x):
    """Where an array is, as it was put there."""
    if getattr(x, "_put", None) is not None:
        return x._put
    if not x._x._level.root:
        raise AttributeError("a traced array has no sharding yet")
    found = x._x.sharding
    mesh = found.mesh
    if isinstance(found, _mesh.NamedSharding):
        for like in x._like:
            if len(getattr(like, "spec", ())) <= x.ndim and like._t.is_equivalent_to(found, x.ndim):
                return like
        return _named(mesh, found.spec)
    if isinstance(found, _mesh.PositionalSharding):
        return _positional(found, x.shape)
    devices = [shard.device for shard in x._x.addressable_shards]
    return SingleDeviceSharding(devices[0])


PMAP_AXIS = {"_pmap": "_internal_pmap_axis_name"}


def _named(mesh, spec):
    """A NamedSharding that the library has chosen, as JAX says it."""
    own = Mesh._known.get(mesh._pointer)
    if own is None or "_pmap" in mesh.axis_names:
        own = Mesh(np.array(mesh.devices, dtype=object),
                   [PMAP_AXIS.get(n, n) for n in mesh.axis_names])
    entries = [PMAP_AXIS.get(e, e) if isinstance(e, str) else e for e in spec]
    return NamedSharding(own, PartitionSpec(*entries))


def _positional(found, shape):
    """One that the library has, for arrays of this shape."""
    parts = {}
    for device, index in found.devices_indices_map(shape).items():
        parts.setdefault(tuple(s.start for s in index), []).append(device)
    starts = [sorted({at[d] for at in parts}) for d in range(len(shape))]
    grid = np.empty(tuple(map(len, starts)), object)
    for at, devices in parts.items():
        grid[tuple(s.index(a) for s, a in zip(starts, at))] = tuple(devices)
    return PositionalSharding._of(found, grid)


class Shard:
    """One device's part of an array."""

    def __init__(self, shard, sharding, shape):
        self.device, self.replica_id, self._shard = shard.device, shard.replica_id, shard
        self.index = sharding.devices_indices_map(shape)[shard.device]

    @property
    def data(self):
        """The part as an array on its device."""
        return wrapped(self._shard.data)

    def __repr__(self):
        return f"Shard(device={self.device!r}, index={self.index}, " \
               f"replica_id={self.replica_id}, data={self.data})"


def shards_of(x):
    """The parts of an array."""
    sharding = sharding_of(x)
    return [Shard(s, sharding, x.shape) for s in x._x.addressable_shards]


def placed(x, sharding):
    """An array that remembers how its sharding was said."""
    if isinstance(x, Array) and isinstance(sharding, Sharding) and x._x._level.root:
        x._put, x._like = sharding, (sharding,)
    return x


def device_put(x, device=None, *, src=None, donate=False, may_alias=None):
    """A tree of arrays, where a sharding or a device, or a tree of them, says."""
    leaves, tree = _tree.flatten(x, lambda y: isinstance(y, (Array, Key)))
    leaves = [as_array(y) for y in leaves]
    if device is None:
        return tree.unflatten(leaves)
    to = _tree.broadcast(device, tree, is_placement)
    return tree.unflatten([y if s is None else _put(y, s) for y, s in zip(leaves, to)])


def _put(x, s):
    t = raw_sharding(s)
    if isinstance(s, NamedSharding):
        check_fits(x, s)
    if isinstance(x, Key):
        return Key(_mesh.device_put(x._x, t))
    made = wrapped(_mesh.device_put(x._x, t))
    s = NamedSharding(current_mesh(), s) if isinstance(s, PartitionSpec) else s
    return placed(made, SingleDeviceSharding(s) if isinstance(s, Device) else s)


def check_fits(x, s):
    """Raises an error where a spec does not fit the dims of an array."""
    if len(s.spec) > x.ndim:
        raise ValueError(f"Sharding {s} is only valid for values of rank at least {len(s.spec)}, "
                         f"but was applied to a value of rank {x.ndim}")
    for d, e in enumerate(s.spec):
        parts = int(np.prod([s.mesh.shape[n] for n in ((e,) if isinstance(e, str) else e or ())]))
        if x.shape[d] % parts:
            raise ValueError(f"One of device_put args was given the sharding of {s}, which implies "
                             f"that the global size of its dimension {d} should be divisible by "
                             f"{parts}, but it is equal to {x.shape[d]} (full shape: {x.shape})")


def with_sharding_constraint(x, shardings):
    """A tree of arrays, brought to where a sharding, or a spec of the mesh in use, says."""
    leaves, tree = _tree.flatten(x, lambda y: isinstance(y, (Array, Key)))
    to = _tree.broadcast(shardings, tree, is_placement)
    return tree.unflatten([y if s is None else _constrained(as_array(y), s)
                           for y, s in zip(leaves, to)])


def _constrained(x, s):
    if isinstance(s, PartitionSpec):
        s = NamedSharding(current_mesh("with_sharding_constraint"), s)
    made = _mesh.with_sharding_constraint(x._x, raw_sharding(s, "with_sharding_constraint"))
    return Key(made) if isinstance(x, Key) else placed(wrapped(made), s)


def make_array_from_callback(shape, sharding, data_callback, *, dtype=None):
    """An array whose parts a function of their slices makes."""
    found = sharding.devices_indices_map(tuple(shape))
    parts = [raw(as_array(data_callback(index), dtype)) for index in found.values()]
    return placed(wrapped(_mesh.from_shards(sharding._t, tuple(shape), parts)), sharding)


def make_array_from_single_device_arrays(shape, sharding, arrays, *, dtype=None):
    """An array of parts, one for each device."""
    parts = [raw(as_array(x, dtype)) for x in arrays]
    return placed(wrapped(_mesh.from_shards(sharding._t, tuple(shape), parts)), sharding)


# ---- pictures

def visualize_array_sharding(arr, *, use_color=True, scale=1.0, min_width=9, max_width=80,
                             color_map=None):
    """Prints which device holds what of an array of one dim or two."""
    if arr.ndim not in (1, 2):
        raise ValueError("`visualize_sharding` only works for shapes with 1 and 2 dimensions.")
    print(_misc.sharding_picture(arr._x, **_given(scale, min_width, max_width)).rstrip("\n"))


def visualize_sharding(shape, sharding, *, use_color=True, scale=1.0, min_width=9, max_width=80,
                       color_map=None):
    """The same for arrays of a shape under a sharding."""
    if len(shape) not in (1, 2):
        raise ValueError("`visualize_sharding` only works for shapes with 1 and 2 dimensions.")
    print(_misc.sharding_picture(sharding._t, tuple(shape),
                                 **_given(scale, min_width, max_width)).rstrip("\n"))


def _given(scale, low, high):
    made = {} if scale == 1.0 else {"scale": scale}
    if low != 9:
        made["min_width"] = low
    if high != 80:
        made["max_width"] = high
    return made
