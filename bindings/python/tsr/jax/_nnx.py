"""_nnx.py - flax.nnx: modules with parameters as attributes, as far as the seeds use it.

A Module is a tree: its parameters are the leaves, and all else of it is told with the structure."""
import itertools

from .. import _tree
from . import _nn, _numpy, _random
from ._array import Array, as_array
from ._sharding import NamedSharding, PartitionSpec, current_mesh, device_put
from ._transform import jit as _jit


class Variable:
    """An array that a module has, and what is known of it: .value is the array."""

    def __init__(self, value, **metadata):
        self.value, self.metadata = as_array(value), metadata

    def __getitem__(self, index):
        return self.value if index is Ellipsis else self.value[index]

    def __jax_array__(self):
        return self.value._x

    shape = property(lambda self: self.value.shape)
    dtype = property(lambda self: self.value.dtype)
    sharding = property(lambda self: self.metadata.get("sharding"))

    def __repr__(self):
        return f"{type(self).__name__}(value={self.value!r})"


class Param(Variable):
    """A parameter."""


for _kind in (Variable, Param):
    _tree.register(_kind, lambda v: ((v.value,), tuple(sorted(v.metadata.items()))),
                   (lambda kind: lambda of, parts: _variable(kind, of, parts[0]))(_kind))


def _variable(kind, of, value):
    made = kind.__new__(kind)
    made.value, made.metadata = value, dict(of)
    return made


class Module:
    """What has parameters, in its attributes and in those of modules there."""

    def __init_subclass__(cls, **_):
        _tree.register(cls, _parts_of, lambda of, parts: _module(cls, of, parts))


def _has_arrays(x):
    return isinstance(x, (Variable, Module, Array)) or (
        isinstance(x, (list, tuple, dict)) and any(
            _has_arrays(y) for y in (x.values() if isinstance(x, dict) else x)))


class _Same:
    """An attribute that is no array: two are equal if they are, or are the same object."""

    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return self.x is other.x or self.x == other.x

    def __hash__(self):
        return hash(type(self.x))


def _parts_of(module):
    own = vars(module)
    parts = [n for n in own if _has_arrays(own[n])]
    rest = tuple((n, _Same(own[n])) for n in own if n not in parts)
    return [own[n] for n in parts], (tuple(parts), rest)


def _module(cls, of, parts):
    made = cls.__new__(cls)
    made.__dict__.update((n, s.x) for n, s in of[1])
    made.__dict__.update(zip(of[0], parts))
    return made


class Rngs:
    """Streams of keys: the n-th draw of a stream is fold_in(key, n)."""

    def __init__(self, default=None, **streams):
        streams = {"default": default, **streams} if default is not None else streams
        self._keys = {n: _random.key(k) if isinstance(k, int) else k for n, k in streams.items()}
        self._counts = {n: itertools.count() for n in streams}

    def _next(self, name):
        name = name if name in self._keys else "default"
        if name not in self._keys:
            raise AttributeError(f"no stream of keys: there are {', '.join(self._keys)}")
        return _random.fold_in(self._keys[name], next(self._counts[name]))

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda: self._next(name)

    def __call__(self):
        return self._next("default")


class _Boxed:
    """An initializer whose parameters have a sharding."""

    def __init__(self, initializer, sharding):
        self.initializer, self.sharding = initializer, sharding

    def __call__(self, *args, **keywords):
        return self.initializer(*args, **keywords)


def with_partitioning(initializer, sharding, mesh=None, **metadata):
    """An initializer whose parameters are split over axes of the mesh in use."""
    return _Boxed(initializer, PartitionSpec(*sharding))


def _parameter(initializer, key, shape, dtype):
    made = initializer(key, shape, dtype)
    metadata = {}
    if isinstance(initializer, _Boxed):
        metadata["sharding"] = initializer.sharding
        mesh = current_mesh()
        if mesh is not None:
            made = device_put(made, NamedSharding(mesh, initializer.sharding))
    return Param(made, **metadata)


class Linear(Module):
    """x @ kernel + bias."""

    def __init__(self, in_features, out_features, *, use_bias=True, dtype=None,
                 param_dtype="float32", kernel_init=None, bias_init=_nn.zeros, rngs):
        kernel_init = kernel_init or _nn.INITIALIZERS["lecun_normal"]()
        self.in_features, self.out_features = in_features, out_features
        self.use_bias, self.dtype = use_bias, dtype
        self.kernel = _parameter(kernel_init, rngs.params(), (in_features, out_features),
                                 param_dtype)
        self.bias = _parameter(bias_init, rngs.params(), (out_features,), param_dtype) \
            if use_bias else None

    def __call__(self, inputs):
        x = as_array(inputs, self.dtype)
        y = _numpy.matmul(x, as_array(self.kernel.value, self.dtype))
        return y if self.bias is None else y + as_array(self.bias.value, self.dtype)


class _Jitted:
    """jit of a module, or of a function with modules among its arguments: their parameters are
    arguments of the program."""

    def __init__(self, fun, keywords):
        self._module = fun if isinstance(fun, Module) else None
        function = (lambda m, *a, **k: m(*a, **k)) if self._module is not None else fun
        self._jit = _jit(function, **keywords)

    def __call__(self, *args, **keywords):
        if self._module is not None:
            args = (self._module, *args)
        return self._jit(*args, **keywords)


def jit(fun=None, **keywords):
    """jax.jit of functions of modules, and of modules."""
    return (lambda f: _Jitted(f, keywords)) if fun is None else _Jitted(fun, keywords)


MEMBERS = {"Module": Module, "Linear": Linear, "Rngs": Rngs, "Param": Param, "Variable": Variable,
           "with_partitioning": with_partitioning, "jit": jit,
           **{n: _nn.MEMBERS[n] for n in ("relu", "gelu", "silu", "softmax", "log_softmax",
                                          "sigmoid", "tanh", "one_hot", "elu", "leaky_relu")}}
