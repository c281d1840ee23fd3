"""_install.py - puts the modules that replace JAX's where `import jax` finds them."""
import sys

from .. import _context, _index
from . import _operators  # noqa: F401  (it completes jax.Array)
from . import (_backend, _convolutions, _debug, _distributions, _dtypes, _image, _jaxpr, _lax,
               _linalg, _maps, _matrices, _more, _nn, _nnx, _numpy, _products, _random, _scipy,
               _sharding, _stages, _transform, _trees)
from ._array import Array, ConcretizationError, Tracer
from ._names import Finder, exported, make

_NAMES = {
    _backend: "config devices local_devices device_count local_device_count default_backend "
              "process_index process_count __version__ Device",
    _transform: "jit grad value_and_grad jacfwd jacrev jacobian hessian jvp vjp linearize "
                "linear_transpose checkpoint checkpoint_policies custom_jvp custom_vjp "
                "eval_shape typeof device_get block_until_ready named_scope "
                "ShapeDtypeStruct device_put_replicated device_put_sharded disable_jit "
                "default_matmul_precision",
    _maps: "vmap pmap shard_map",
    _sharding: "device_put make_mesh set_mesh NamedSharding P Shard make_array_from_callback "
               "make_array_from_single_device_arrays",
    _debug: "pure_callback",
    _jaxpr: "make_jaxpr"}
_SHARDING = ("AxisType Mesh AbstractMesh NamedSharding PartitionSpec Sharding "
             "SingleDeviceSharding PositionalSharding set_mesh get_mesh "
             "get_abstract_mesh").split()


class ScriptError(_context.Error, TypeError, ValueError):
    """An error of the library, which scripts catch as what JAX raises."""


def _jax():
    members = {"Array": Array, "remat": _transform.checkpoint, "float0": bool}
    for module, names in _NAMES.items():
        members.update(exported("jax", vars(module), names.split()))
    make("jax", "JAX's names on Tessera.", members)


def _numpy_modules():
    linalg = {**_products.LINALG, **_more.LINALG, **_linalg.LINALG}
    lax = {**_lax.MEMBERS, **_more.LAX, **_convolutions.MEMBERS}
    fft = {**_products.FFT, **_linalg.FFT}
    make("jax.numpy", "jax.numpy on Tessera.", exported("jax.numpy", vars(_numpy), _numpy.MEMBERS))
    make("jax.numpy.linalg", "", exported("jax.numpy.linalg", linalg, linalg))
    make("jax.numpy.fft", "", exported("jax.numpy.fft", fft, fft))
    make("jax.lax", "jax.lax on Tessera.", exported("jax.lax", lax, lax))
    make("jax.random", "jax.random on Tessera.", exported("jax.random", _random.MEMBERS,
                                                          _random.MEMBERS))
    make("jax.nn", "jax.nn on Tessera.", exported("jax.nn", _nn.MEMBERS, _nn.MEMBERS))
    make("jax.nn.initializers", "", exported("jax.nn.initializers", _nn.INITIALIZERS,
                                             _nn.INITIALIZERS))
    make("jax.lax.linalg", "", exported("jax.lax.linalg", _convolutions.LINALG,
                                        _convolutions.LINALG))


def _scipy_modules():
    make("jax.scipy", "", {})
    own = {"special": _scipy.SPECIAL, "linalg": {**_scipy.LINALG, **_matrices.LINALG},
           "fft": _matrices.FFT, "ndimage": _image.NDIMAGE, "signal": _scipy.SIGNAL,
           "stats": _distributions.STATS, "integrate": {"trapezoid": _more.trapezoid}}
    for name, members in own.items():
        make(f"jax.scipy.{name}", "", exported(f"jax.scipy.{name}", members, members))
    for name, members in _distributions.MODULES.items():
        make(f"jax.scipy.stats.{name}", "", members)
    make("jax.image", "", {"ResizeMethod": _image.ResizeMethod,
                           **exported("jax.image", _image.IMAGE, _image.IMAGE)})
    make("jax.ops", "", exported("jax.ops", _scipy.OPS, _scipy.OPS))
    make("jax.flatten_util", "", {"ravel_pytree": _scipy.ravel_pytree})
    make("jax.ad_checkpoint", "", {"checkpoint_name": _scipy.checkpoint_name,
                                   "checkpoint": _transform.checkpoint,
                                   "checkpoint_policies": _transform.checkpoint_policies})


def _experimental():
    make("jax.experimental", "jax.experimental on Tessera.",
         {"io_callback": _debug.io_callback})
    make("jax.experimental.mesh_utils", "",
         {"create_device_mesh": _sharding.create_device_mesh})
    make("jax.experimental.shard_map", "", exported(
        "jax.experimental.shard_map", {"shard_map": _maps.shard_map_of_old}, ["shard_map"]))
    make("jax.experimental.pjit", "", exported("jax.experimental.pjit", vars(_transform),
                                               ["pjit"]))
    make("jax.experimental.maps", "", {"Mesh": _sharding.Mesh})


def _small_modules():
    make("jax.tree_util", "", exported("jax.tree_util", vars(_trees)))
    make("jax.tree", "", exported("jax.tree", _trees.SHORT, _trees.SHORT))
    make("jax.sharding", "", {n: getattr(_sharding, n) for n in _SHARDING})
    make("jax.debug", "", exported("jax.debug", _debug.MEMBERS, _debug.MEMBERS))
    make("jax.errors", "", {"ConcretizationTypeError": ConcretizationError,
                            "TracerArrayConversionError": ConcretizationError,
                            "TracerBoolConversionError": ConcretizationError,
                            "TracerIntegerConversionError": ConcretizationError,
                            "NonConcreteBooleanIndexError": _index.UnknownMask,
                            "JAXIndexError": IndexError, "JAXTypeError": TypeError,
                            "JaxRuntimeError": ScriptError,
                            "UnexpectedTracerError": RuntimeError,
                            "InconclusiveDimensionOperation": ScriptError,
                            "KeyReuseError": RuntimeError})
    make("jax.core", "", {"Tracer": Tracer, "ShapedArray": _transform.ShapedArray})
    make("jax.dtypes", "", {"prng_key": "key<fry>", **{n: getattr(_dtypes, n) for n in (
        "issubdtype", "result_type", "finfo", "iinfo")}})
    make("jax.typing", "", {"ArrayLike": object})
    make("jax.interpreters", "", {})
    make("jax.interpreters.xla", "", {})
    make("jax.interpreters.xla.xe", "",
         {"hlo_module_to_dot_graph": _stages.hlo_module_to_dot_graph})
    make("jax._src", "", {})
    make("jax._src.xla_bridge", "", {n: getattr(_backend, n) for n in (
        "devices", "device_count", "default_backend")})


def _others():
    make("chex", "The parts of chex that the seeds use.",
         {"set_n_cpu_devices": _backend.set_n_cpu_devices, "Array": Array})
    make("flax", "The parts of flax that the seeds use.", {})
    make("flax.nnx", "", exported("flax.nnx", _nnx.MEMBERS, _nnx.MEMBERS))
    make("flax.nnx.initializers", "", exported("flax.nnx.initializers", _nn.INITIALIZERS,
                                               _nn.INITIALIZERS))


def install():
    """From now on `import jax`, `import flax.nnx` and `import chex` find these modules. An error
    if JAX is loaded."""
    loaded = sys.modules.get("jax")
    if loaded is not None and not hasattr(type(loaded), "__getattr__"):
        raise RuntimeError("tsr.jax.install() comes before `import jax`")
    _context.raised_as = ScriptError
    _jax()
    _numpy_modules()
    _scipy_modules()
    _experimental()
    _small_modules()
    _others()
    if not any(isinstance(f, Finder) for f in sys.meta_path):
        sys.meta_path.insert(0, Finder())
