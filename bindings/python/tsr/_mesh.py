"""_mesh.py - meshes, specs and shardings: how arrays are split over devices."""
import ctypes

from . import _call
from ._lib import lib, quick, record

__all__ = ["Mesh", "P", "PartitionSpec", "Sharding", "NamedSharding", "SingleDeviceSharding",
           "PositionalSharding", "Shard", "make_mesh", "device_put", "with_sharding_constraint",
           "from_shards", "from_local"]


class PartitionSpec(tuple):
    """Which axes each dim is split over: P("x", None), P(("x", "y")), P()."""

    def __new__(cls, *entries):
        return super().__new__(cls, entries)

    def __repr__(self):
        return f"P({', '.join(map(repr, self))}{',' * (len(self) == 1)})"

    def __reduce__(self):
        return PartitionSpec, tuple(self)


P = PartitionSpec


class Mesh:
    """Named axes over a grid of devices: Mesh({"x": 4, "y": 2}), Mesh(devices, ("x", "y")) with
    nested lists, or an array, of devices or their ids. In a `with` it is the mesh in use."""

    def __init__(self, devices, axis_names=None, *, context=None):
        c = context or _call.current()
        ids = None
        if isinstance(devices, dict):
            axis_names, sizes = tuple(devices), tuple(devices.values())
        else:
            axis_names = (axis_names,) if isinstance(axis_names, str) else tuple(axis_names)
            ids, sizes = _grid(devices)
            if len(sizes) != len(axis_names):
                raise ValueError(f"{len(axis_names)} names for a grid of {len(sizes)} dims")
        axes = (record("tsr_axis") * max(len(sizes), 1))()
        for axis, name, size in zip(axes, axis_names, sizes):
            axis.name, axis.size = name.encode(), size
        if ids is None:
            at = lib.tsr_mesh_make_at(c.place(), c.pointer, ctypes.addressof(axes), len(sizes))
        else:
            listed = (ctypes.c_int64 * max(len(ids), 1))(*ids)
            at = lib.tsr_mesh_make_devices_at(c.place(), c.pointer, ctypes.addressof(listed),
                                              len(ids), ctypes.addressof(axes), len(sizes))
        c.check()
        self._of(c, at)
        self._uses = []

    def _of(self, c, at):
        self._ctx, self._at = c, at
        self.axis_names = tuple(lib.tsr_mesh_axis(at, k).name.decode()
                                for k in range(lib.tsr_mesh_ndim(at)))
        self.shape = {name: lib.tsr_mesh_axis_size(at, name.encode()) for name in self.axis_names}
        self.size = lib.tsr_mesh_size(at)
        self.device_ids = [lib.tsr_mesh_device(at, k) for k in range(self.size)]
        self._uses = []

    @property
    def _pointer(self):
        return self._ctx.open(self, self._at)

    @property
    def devices(self):
        """All of them, row-major over the axes, as nested lists."""
        from ._context import Device
        flat = [Device(self._ctx, k) for k in self.device_ids]
        for size in reversed(list(self.shape.values())[1:]):
            flat = [flat[k:k + size] for k in range(0, len(flat), size)]
        return flat

    def __enter__(self):
        use = lib.tsr_mesh_begin_at(self._ctx.place(), self._pointer)
        self._ctx.check()
        self._uses.append(use)
        return self

    def __exit__(self, *_):
        use = self._uses.pop()
        lib.tsr_mesh_end(ctypes.addressof(use))

    def __eq__(self, other):
        return isinstance(other, Mesh) and (
            other._ctx, other._at) == (self._ctx, self._at)

    def __hash__(self):
        return hash(self._at)

    def __repr__(self):
        return lib.tsr_mesh_text(self._pointer).decode()


def _grid(devices):
    """Ids, row-major, and the sizes of the grid."""
    if hasattr(devices, "tolist"):
        devices = devices.tolist()
    if not isinstance(devices, (list, tuple)):
        return [getattr(devices, "id", devices)], ()
    parts = [_grid(d) for d in devices]
    if len({sizes for _, sizes in parts}) > 1:
        raise ValueError("the grid of devices is no grid")
    return [k for ids, _ in parts for k in ids], (len(parts), *(parts[0][1] if parts else ()))


def make_mesh(axis_shapes, axis_names, *, devices=None):
    """A mesh over the first devices: make_mesh((4, 2), ("x", "y"))."""
    if devices is None:
        return Mesh(dict(zip(axis_names, axis_shapes)))
    flat = [getattr(d, "id", d) for d in devices]
    for size in reversed(tuple(axis_shapes)[1:]):
        flat = [flat[k:k + size] for k in range(0, len(flat), size)]
    return Mesh(flat, axis_names)


def _mesh_of(c, at):
    made = Mesh.__new__(Mesh)
    made._of(c, at)
    return made


class Sharding:
    """Where the parts of an array are."""

    def __init__(self, *_):
        raise TypeError("use NamedSharding, SingleDeviceSharding or PositionalSharding")

    def _made(self, c, at):
        c.check()
        self._ctx, self._at = c, at
        return self

    @property
    def _pointer(self):
        return self._ctx.open(self, self._at)

    @property
    def mesh(self):
        """Its mesh; None of one device."""
        at = lib.tsr_sharding_mesh(self._pointer)
        return _mesh_of(self._ctx, at) if at else None

    @property
    def spec(self):
        """Which axes each dim is split over."""
        got = lib.tsr_sharding_spec(self._pointer)
        entries = [got.d[k].decode() if got.d[k] else None for k in range(1, max(got.n1, 1))]
        return P(*(tuple(e.split("*")) if e and "*" in e else e for e in entries))

    @property
    def device_set(self):
        """Its devices."""
        from ._context import Device
        mesh = self.mesh
        ids = mesh.device_ids if mesh else [0]
        return {Device(self._ctx, k) for k in ids}

    def is_equivalent_to(self, other, ndim):
        """Do both put arrays of so many dims in the same places?"""
        return lib.tsr_sharding_equivalent(self._pointer, other._pointer, ndim)

    def shard_shape(self, shape):
        """Sizes of the largest part of an array of this shape."""
        c = self._ctx
        return c.sizes(lib.tsr_sharding_shard_shape_at(c.place(), self._pointer,
                                                       _call.dims(tuple(shape))))

    def devices_indices_map(self, shape):
        """device: the slices of an array of this shape that it holds."""
        return {shard.device: shard.index for shard in self._parts(shape)}

    def _parts(self, shape):
        count = self.mesh.size if self.mesh else 1
        for k in range(count):
            part = record("tsr_shard")()
            if not lib.tsr_sharding_index_at(None, self._pointer, _call.dims(tuple(shape)), k,
                                             ctypes.addressof(part)):
                self._ctx.fail()
            yield Shard(self._ctx, part, None, k)

    def __eq__(self, other):
        return isinstance(other, Sharding) and (
            other._ctx, other._at) == (self._ctx, self._at)

    def __hash__(self):
        return hash(self._at)

    def __repr__(self):
        return lib.tsr_sharding_text(self._pointer).decode()


class NamedSharding(Sharding):
    """A mesh and a spec: NamedSharding(mesh, P("x", None))."""

    def __init__(self, mesh, spec):
        c = mesh._ctx
        self._made(c, lib.tsr_sharding_make_at(c.place(), mesh._pointer, _call.spec(spec)))


class SingleDeviceSharding(Sharding):
    """All on one device."""

    def __init__(self, device):
        c = getattr(device, "context", None) or _call.current()
        self._made(c, lib.tsr_sharding_device_at(c.place(), c.pointer,
                                                 getattr(device, "id", device)))


class PositionalSharding(Sharding):
    """A grid of devices without names: PositionalSharding(devices).reshape(4, 2)."""

    def __init__(self, devices):
        ids, sizes = _grid(devices)
        c = _call.current()
        args = c.record("tsr_positional_args", devices=ids)
        self._made(c, lib.tsr_sharding_positional_at(c.place(), c.pointer, _call.dims(sizes),
                                                     args))

    def reshape(self, *sizes):
        """The same devices in another grid."""
        sizes = sizes[0] if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)) else sizes
        return self._like(lib.tsr_sharding_reshape_at(self._ctx.place(), self._pointer,
                                                      _call.dims(tuple(sizes))))

    def replicate(self, axis=None, keepdims=True):
        """Devices along dims of the grid hold the same."""
        args = self._ctx.record("tsr_replicate_args", dim=axis, drop=not keepdims or None)
        return self._like(lib.tsr_sharding_replicate_at(self._ctx.place(), self._pointer, args))

    def _like(self, at):
        return PositionalSharding.__new__(PositionalSharding)._made(self._ctx, at)


def of_pointer(c, at):
    """A sharding that the library has."""
    text = lib.tsr_sharding_text(at).decode()
    kind = {"N": NamedSharding, "P": PositionalSharding}.get(text[:1], SingleDeviceSharding)
    return kind.__new__(kind)._made(c, at)


def sharding_of(x):
    """Where an array is; None of a value in a body."""
    at = lib.tsr_sharding_of(x._live())
    return of_pointer(x._ctx, at) if at else None


class Shard:
    """One device's part of an array: .device, .index, .replica_id, .data."""

    def __init__(self, c, part, x, number):
        from ._context import Device
        self.device = Device(c, part.device)
        self.replica_id = part.replica
        self.index = tuple(slice(part.start[d], part.stop[d]) for d in range(part.ndim))
        self.here = part.here
        self._x, self._number = x, number

    @property
    def data(self):
        """The part as an array on its device."""
        c = self._x._ctx
        return c.array(lib.tsr_shard_data_at(c.place(), self._x._live(), self._number))

    def __repr__(self):
        return f"Shard(device={self.device!r}, index={self.index}, replica_id={self.replica_id})"


def shards_of(x):
    """The shards of an array that are in this process."""
    found = []
    for k in range(quick.tsr_shard_count(x._live())):
        part = record("tsr_shard")()
        if not lib.tsr_shard_of_at(None, x._h, k, ctypes.addressof(part)):
            x._ctx.fail()
        if part.here:
            found.append(Shard(x._ctx, part, x, k))
    return found


def _target(sharding):
    """A Sharding; of a device or its number, that of the device."""
    return sharding if isinstance(sharding, Sharding) else SingleDeviceSharding(sharding)


def device_put(x, sharding=None):
    """x, or each array of a tree, where a sharding, or a tree of shardings, says: device_put(x,
    NamedSharding(mesh, P("x"))), device_put(x, devices()[3])."""
    from . import _tree
    leaves, tree = _tree.flatten(x)
    if sharding is None:
        return tree.unflatten([_call.context_of(y).handle(y) for y in leaves])
    to = _tree.broadcast(sharding, tree, lambda s: not isinstance(s, (tuple, list, dict)))
    return tree.unflatten([_put(y, _target(s)) for y, s in zip(leaves, to)])


def _put(x, sharding):
    c = sharding._ctx
    x = c.handle(x)
    return c.scoped(lib.tsr_put_sharding_at, c.place(), x._h, sharding._pointer)


def with_sharding_constraint(x, shardings):
    """x, or each array of a tree, brought to where a sharding, or a spec over the mesh in use,
    says."""
    from . import _tree
    leaves, tree = _tree.flatten(x)
    to = _tree.broadcast(shardings, tree, lambda s: isinstance(s, (Sharding, PartitionSpec)))
    return tree.unflatten([_constrained(y, s) for y, s in zip(leaves, to)])


def _constrained(x, sharding):
    c = _call.context_of(x)
    x = c.handle(x)
    if isinstance(sharding, Sharding):
        return c.scoped(lib.tsr_constrain_sharding_at, c.place(), x._h, sharding._pointer)
    return c.scoped(lib.tsr_constrain_at, c.place(), x._h, None, _call.spec(sharding))


def from_shards(sharding, shape, arrays):
    """One array made of pieces, one for each device of this process."""
    c = sharding._ctx
    pieces = c.handles(arrays)
    return c.scoped(lib.tsr_from_shards_at, c.place(), c.pointer, sharding._pointer,
                    _call.dims(tuple(shape)), pieces, len(pieces))


def from_local(sharding, x, shape):
    """An array of which each process gives what its devices need, as one block."""
    c = sharding._ctx
    x = c.handle(x)
    return c.scoped(lib.tsr_from_local_at, c.place(), sharding._pointer, x._h,
                    _call.dims(tuple(shape)))
