"""_dtypes.py - dtypes as JAX has them: NumPy's, 32 bits wide unless jax_enable_x64 is set; and
jnp.float32 and its kin, which are called and named like types. NumPy has no bfloat16 of its own:
where ml_dtypes is not installed, arrays of it have the dtype of the module tsr, and NumPy gets
their values as float32."""
import numpy as np

from .. import _dtype

NARROW = {"int64": "int32", "uint64": "uint32", "float64": "float32", "complex128": "complex64"}
config = {"x64": False}
_WIDE = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}


def narrowed(name):
    """The name of a dtype as arrays have it."""
    return name if config["x64"] else NARROW.get(name, name)


class Scalar:
    """A dtype that can be called: jnp.float32(3) is an array."""

    def __init__(self, dtype):
        self.dtype, self.__name__ = dtype, str(dtype) if dtype.name != "bool" else "bool_"

    def __call__(self, x=0):
        from ._array import as_array
        return as_array(x, self)

    def __repr__(self):
        return f"<class 'jax.numpy.{self.__name__}'>"

    def __eq__(self, other):
        try:
            return numpy_dtype(_dtype.find(other.dtype if isinstance(other, Scalar) else other)) \
                == self.dtype
        except TypeError:
            return NotImplemented

    def __hash__(self):
        return hash(self.dtype)


def _of_numpy(dtype):
    try:
        return dtype.numpy()
    except ImportError:  # bfloat16 without ml_dtypes
        return dtype


_numpy_of = {_d.code: _of_numpy(_d) for _d in _dtype.ALL.values()}
scalars = {"bool_" if _d.name == "bool" else _d.name: Scalar(_numpy_of[_d.code])
           for _d in _dtype.ALL.values()}
globals().update(scalars)


def numpy_dtype(dtype):
    """NumPy's dtype of one of ours; ours, where NumPy has none."""
    return _numpy_of[dtype.code]


def named(given):
    """Our dtype of what names one, narrowed; None of None."""
    if given is None:
        return None
    if isinstance(given, Scalar):
        given = given.dtype
    if isinstance(given, type) and given in _WIDE:
        given = _WIDE[given]
    if not isinstance(given, _dtype.dtype):
        given = np.dtype(given) if not isinstance(given, str) or given != "bfloat16" else given
    return _dtype.find(narrowed(str(given)))


def of_value(x):
    """(dtype, weak) of an array, a number, a dtype."""
    from ._array import Array
    if isinstance(x, Array):
        return named(x.dtype), x.weak_type
    if type(x) in (bool, int, float, complex):
        return named(type(x)), type(x) is not bool
    if isinstance(x, (np.ndarray, np.generic)):
        return named(x.dtype), False
    return named(x), x in (int, float, complex) if isinstance(x, type) else False


_ORDER = "bifc"


def result_type(*args):
    """The common dtype of several arrays, numbers and dtypes."""
    from .._lib import quick
    found = [of_value(x) for x in args]
    strong = [d for d, weak in found if not weak]
    weak = [d for d, is_weak in found if is_weak]
    made = None
    for d in strong or weak:
        made = d if made is None else _dtype.ALL[quick.tsr_promote(made.code, d.code)]
    if strong:
        rank = {"u": 1, "i": 1, "b": 0, "f": 2, "V": 2, "c": 3}
        top = max((d for d in weak), key=lambda d: rank[d.kind], default=None)
        if top is not None and rank[top.kind] > rank[made.kind]:
            made = top if top.kind != "c" or made.itemsize < 8 else named("complex128")
    return numpy_dtype(named(made))


def promote_types(a, b):
    """The common dtype of two dtypes."""
    return result_type(named(a), named(b))


def issubdtype(a, b):
    """Is dtype a of the kind b?"""
    if "key<fry>" in (a, b):  # the dtype of keys is one kind, and no number
        return a == b or a == "key<fry>" and b is np.generic
    if isinstance(b, Scalar):
        b = b.dtype
    a = numpy_dtype(named(a))
    if str(a) == "bfloat16":
        return b in (np.floating, np.inexact, np.number, np.generic) or b == a
    return bool(np.issubdtype(a, b))


def finfo(dtype):
    """What is known of a float dtype."""
    dtype = numpy_dtype(named(dtype))
    return _Bfloat16Info() if dtype.name == "bfloat16" else np.finfo(dtype)


class _Bfloat16Info:
    """What is known of bfloat16: 8 bits of exponent, 7 of fraction. Numbers are float32."""
    bits, nexp, nmant, precision = 16, 8, 7, 2
    eps, epsneg = np.float32(2.**-7), np.float32(2.**-8)
    max, min = np.float32(2.**128 - 2.**120), np.float32(2.**120 - 2.**128)
    tiny = smallest_normal = np.float32(2.**-126)
    smallest_subnormal, resolution = np.float32(2.**-133), np.float32(0.01)
    dtype = property(lambda self: scalars["bfloat16"].dtype)

    def __repr__(self):
        return "finfo(resolution=0.01, min=-3.38953e+38, max=3.38953e+38, dtype=bfloat16)"


def iinfo(dtype):
    """What is known of an integer dtype."""
    return np.iinfo(numpy_dtype(named(dtype)))


def check_range(low, high, dtype=None):
    """Raises an error if whole numbers have no place in a dtype, that of Python's where none is
    said: they are never cut to fewer bits."""
    dtype = named(int) if dtype is None else dtype
    if dtype.kind in "iu":
        info = np.iinfo(numpy_dtype(dtype))
        if low < info.min or high > info.max:
            raise OverflowError(f"Python integer {low if low < info.min else high} out of bounds "
                                f"for {dtype.name}")


def default_float():
    """The dtype of Python's floats."""
    return named(float)
