"""_debug.py - jax.debug, and functions of the host that programs call."""
from .. import _callback, _tree
from ._array import as_array, is_array, lifted, wraps
from ._backend import context
from ._sharding import visualize_array_sharding, visualize_sharding


def debug_print(fmt, *args, ordered=False, partitioned=False, **kwargs):
    """Prints values each time that a program runs."""
    context()
    leaves, tree = _tree.flatten(lifted((args, kwargs)))

    def show(*values):
        given, named = tree.unflatten(values)
        print(fmt.format(*given, **named))
    _callback.debug_callback(_on_host(show), *leaves, ordered=ordered)


def _on_host(function):
    """A function of NumPy's arrays; those without dims are scalars of NumPy."""
    def call(*values):
        return function(*(v[()] if getattr(v, "ndim", 1) == 0 else v for v in values))
    call.__name__ = getattr(function, "__name__", "callback")
    return call


def callback(callback, *args, ordered=False, partitioned=False, **kwargs):
    """Calls a Python function that looks at values."""
    context()
    leaves, tree = _tree.flatten(lifted((args, kwargs)))

    def call(*values):
        given, named = tree.unflatten(values)
        callback(*given, **named)
    _callback.debug_callback(call, *leaves, ordered=ordered)


def pure_callback(callback, result_shape_dtypes, *args, sharding=None, vmap_method=None, **kwargs):
    """Calls a Python function of NumPy arrays while the program runs."""
    if sharding is not None or kwargs:
        raise NotImplementedError("pure_callback(sharding=, **kwargs) on Tessera")
    context()
    made = _callback.pure_callback(callback, result_shape_dtypes, *_leaves(args))
    return wraps(made)


def _leaves(args):
    return _tree.map(lambda x: as_array(x)._x, args, is_leaf=is_array)


def io_callback(callback, result_shape_dtypes, *args, sharding=None, ordered=False, **kwargs):
    """The same of a function with effects."""
    if sharding is not None or kwargs:
        raise NotImplementedError("io_callback(sharding=, **kwargs) on Tessera")
    context()
    return wraps(_callback.io_callback(callback, result_shape_dtypes, *_leaves(args),
                                       ordered=ordered))


MEMBERS = {"print": debug_print, "callback": callback,
           "visualize_array_sharding": visualize_array_sharding,
           "visualize_sharding": visualize_sharding}
