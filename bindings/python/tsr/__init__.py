"""tsr - JAX's distributed arrays in Python, by the C library Tessera.

    import tsr
    tsr.init(devices=8)
    mesh = tsr.Mesh({"x": 4, "y": 2})

    @tsr.shard_map(mesh=mesh, in_specs=(tsr.P("x", "y"), tsr.P("y", None)), out_specs=tsr.P("x"))
    def product(a, b):
        return tsr.psum(a @ b, "y")

docs/python.md has more. Functions of arrays are made of the headers (tsr/_made); the others are
written here."""
from . import _tree as tree
from . import _array, _context, _dlpack, _dtype, _fn, _mesh
from ._array import Array
from ._call import context_of as _context_of
from ._call import made_of as _made_of
from ._context import *  # noqa: F401,F403
from ._dlpack import from_dlpack
from ._dtype import *  # noqa: F401,F403
from ._dtype import dtype
from ._fn import *  # noqa: F401,F403
from ._lib import ENUMS as _ENUMS
from ._lib import FLAT, UNMAPPED, UNROLL_ALL, lib as _lib
from ._made.public import *  # noqa: F401,F403
from ._mesh import *  # noqa: F401,F403
from ._transform import *  # noqa: F401,F403
