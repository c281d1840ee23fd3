"""tsr - JAX's distributed arrays in Python, by the C library Tessera.

    import tsr
    tsr.init(devices=8)
    mesh = tsr.Mesh({"x": 4, "y": 2})

    @tsr.shard_map(mesh=mesh, in_specs=(tsr.P("x", "y"), tsr.P("y", None)), out_specs=tsr.P("x"))
    def product(a, b):
        return tsr.psum(a @ b, "y")

docs/python.md has more. Most functions are made of the headers (tsr/_made); the others are written
here."""
from . import _tree as tree
from ._made.public import *  # noqa: F401,F403
from . import _methods, checkpoints, random  # noqa: F401
from ._array import Array
from ._callback import *  # noqa: F401,F403
from ._context import *  # noqa: F401,F403
from ._context import current
from ._control import *  # noqa: F401,F403
from ._dlpack import from_dlpack
from ._dtype import *  # noqa: F401,F403
from ._dtype import dtype
from ._files import *  # noqa: F401,F403
from ._fn import *  # noqa: F401,F403
from ._lib import FLAT, UNMAPPED, UNROLL_ALL
from ._mesh import *  # noqa: F401,F403
from ._misc import *  # noqa: F401,F403
from ._numpy_like import *  # noqa: F401,F403
from ._optim import *  # noqa: F401,F403
from ._program import *  # noqa: F401,F403
from ._transform import *  # noqa: F401,F403

__version__ = version()  # noqa: F405
