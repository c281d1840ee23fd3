"""_meshes.py - jax.sharding's meshes and specs, and the mesh in use."""
import collections
import enum

import numpy as np

from .. import _mesh
from ._backend import context


class AxisType(enum.Enum):
    """Who decides along an axis of a mesh; the library has Auto meshes only."""

    Auto, Explicit, Manual = 1, 2, 3

    def __repr__(self):
        return self.name


class PartitionSpec:
    """Which axes each dim is split over: P("x", None), P(("x", "y")), P()."""

    def __init__(self, *entries, unreduced=(), reduced=()):
        if unreduced or reduced:
            raise NotImplementedError("PartitionSpec on Tessera has no unreduced or reduced axes")
        self._entries = tuple(self._entry(e) for e in entries)

    @staticmethod
    def _entry(entry):
        if isinstance(entry, (tuple, list)):
            if any(isinstance(e, (tuple, list)) for e in entry):
                raise ValueError("A tuple inside PartitionSpec cannot contain a nested tuple.")
            entry = tuple(entry)
            return None if not entry else entry[0] if len(entry) == 1 else entry
        if entry is not None and not isinstance(entry, str):
            raise TypeError(f"an entry of a PartitionSpec on Tessera is None, a name, or a tuple "
                            f"of names, not {entry!r}")
        return entry

    def __iter__(self):
        return iter(self._entries)

    def __len__(self):
        return len(self._entries)

    def __getitem__(self, k):
        return self._entries[k]

    def __eq__(self, other):
        return isinstance(other, PartitionSpec) and other._entries == self._entries

    def __hash__(self):
        return hash(self._entries)

    def __add__(self, other):
        return PartitionSpec(*self._entries, *other)

    def __repr__(self):
        return f"P({', '.join(map(repr, self))}{',' * (len(self) == 1)})"

    def __reduce__(self):
        return PartitionSpec, self._entries


P = PartitionSpec


def raw_spec(spec):
    """The library's."""
    return _mesh.PartitionSpec(*spec)


class _Grid:
    """What Mesh and AbstractMesh share: names and sizes of axes."""

    @property
    def size(self):
        """How many devices."""
        return int(np.prod(self.axis_sizes, dtype=np.int64))

    @property
    def shape(self):
        """Name: size."""
        return collections.OrderedDict(zip(self.axis_names, self.axis_sizes))

    @property
    def axis_types(self):
        """All are Auto."""
        return (AxisType.Auto,) * len(self.axis_names)

    def __str__(self):
        axes = "".join(f"{n!r}: {s}, " for n, s in self.shape.items())
        types = f"axis_types=({', '.join(map(repr, self.axis_types))}" \
            f"{',' * (len(self.axis_names) == 1)})"
        return f"{type(self).__name__}({axes}{types})"

    def __repr__(self):
        types = f"({', '.join(map(repr, self.axis_types))}{',' * (len(self.axis_names) == 1)})"
        return f"{type(self).__name__}(axis_sizes={self.axis_sizes}, " \
               f"axis_names={self.axis_names}, axis_types={types})"


class Mesh(_Grid):
    """Mesh(devices, ("x", "y")): named axes over a grid of devices. In a `with` it is the mesh that
    bare specs are of."""

    _stack = []
    _known = {}

    def __init__(self, devices, axis_names, axis_types=None):
        axis_names = (axis_names,) if isinstance(axis_names, str) else tuple(axis_names)
        devices = np.array(devices, dtype=object)
        if devices.ndim != len(axis_names):
            raise ValueError("Mesh requires the ndim of its first argument (`devices`) to equal "
                             "the length of its second argument (`axis_names`), but got "
                             f"devices.ndim == {devices.ndim} and len(axis_names) == "
                             f"{len(axis_names)}.")
        _all_auto(axis_types, axis_names)
        self.devices, self.axis_names = devices, axis_names
        self.axis_sizes = tuple(devices.shape)
        devices.flags.writeable = False
        context()
        self._t = _mesh.Mesh(devices.tolist(), axis_names)
        Mesh._known[self._t._pointer] = self

    empty = False
    is_multi_process = False

    @property
    def device_ids(self):
        """The numbers of the devices, as a grid."""
        ids = [d.id for d in self.devices.flat]
        return np.array(ids).reshape(self.devices.shape)

    @property
    def local_devices(self):
        """Its devices in this process."""
        return list(self.devices.flat)

    @property
    def abstract_mesh(self):
        """Its axes without devices."""
        return AbstractMesh(self.axis_sizes, self.axis_names)

    def __enter__(self):
        Mesh._stack.append(self)
        self._t.__enter__()
        return self

    def __exit__(self, *error):
        Mesh._stack.pop()
        self._t.__exit__(*error)

    def __eq__(self, other):
        return isinstance(other, Mesh) and other._t == self._t

    def __hash__(self):
        return hash(self._t)


class AbstractMesh(_Grid):
    """The names and sizes of axes, without devices."""

    def __init__(self, axis_sizes, axis_names, axis_types=None):
        _all_auto(axis_types, axis_names)
        self.axis_sizes, self.axis_names = tuple(axis_sizes), tuple(axis_names)

    @property
    def empty(self):
        """Has it no axes?"""
        return not self.axis_names

    def __eq__(self, other):
        return isinstance(other, AbstractMesh) and other.shape == self.shape

    def __hash__(self):
        return hash((self.axis_sizes, self.axis_names))


def _all_auto(types, names):
    if types is None:
        return
    types = (types,) * len(names) if isinstance(types, AxisType) else tuple(types)
    if len(types) != len(names):
        raise ValueError("Number of axis names should match the number of axis_types. Got "
                         f"axis_names={names} and axis_types={types}")
    if any(t is not AxisType.Auto for t in types):
        raise NotImplementedError(f"axis_types={types} on Tessera: meshes are Auto only")


def make_mesh(axis_shapes, axis_names, axis_types=None, *, devices=None):
    """A mesh over the first devices. JAX's is Explicit where nobody says; here it is Auto, and
    what an Explicit one computes is the same."""
    _all_auto(axis_types, axis_names)
    count = int(np.prod(axis_shapes))
    devices = list(context().devices() if devices is None else devices)
    if count > len(devices):
        raise ValueError(f"Number of devices {len(devices)} must be >= the product of mesh_shape "
                         f"{tuple(axis_shapes)}")
    return Mesh(np.array(devices[:count], dtype=object).reshape(tuple(axis_shapes)), axis_names)


def create_device_mesh(mesh_shape, devices=None, *, contiguous_submeshes=False,
                       allow_split_physical_axes=False):
    """The devices as a grid, for Mesh."""
    devices = list(context().devices() if devices is None else np.ravel(devices))
    if not all(isinstance(d, (int, np.integer)) for d in mesh_shape):
        raise ValueError("`mesh_shape` passed to `create_device_mesh` should be a sequence of "
                         f"ints. Got {mesh_shape}")
    if int(np.prod(mesh_shape)) != len(devices):
        raise ValueError(f"Number of devices {len(devices)} must equal the product of mesh_shape "
                         f"{tuple(mesh_shape)}")
    return np.array(devices, dtype=object).reshape(tuple(mesh_shape))


class set_mesh:
    """Sets the mesh that bare specs are of, until it is set again; in a `with`, until its end."""

    def __init__(self, mesh):
        self.before = list(Mesh._stack)
        if mesh is None:
            Mesh._stack[:] = []
        else:
            Mesh._stack.append(mesh)
        self.mesh = mesh

    def __enter__(self):
        return self.mesh

    def __exit__(self, *_):
        Mesh._stack[:] = self.before


def current_mesh(needed=None):
    """The mesh of the innermost `with`, or of set_mesh()."""
    if Mesh._stack:
        return Mesh._stack[-1]
    if needed:
        raise RuntimeError(f"{needed} requires a non-empty mesh in context if you are passing "
                           "PartitionSpecs: use `with mesh:` or jax.set_mesh(mesh)")
    return None


def get_abstract_mesh():
    """The mesh in use, without its devices."""
    mesh = current_mesh()
    return AbstractMesh((), ()) if mesh is None else mesh.abstract_mesh


def get_mesh():
    """The mesh in use."""
    return current_mesh("get_mesh()")
