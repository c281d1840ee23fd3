"""_elementwise.py - functions of jax.numpy and jax.lax that are one of the library's each, of one
to three arrays."""
import tsr

from ._array import as_array, raw, wrapped, wrapped_like
from ._backend import context

UNARY = {  # jax.numpy: the library
    "abs": "abs", "absolute": "abs", "negative": "neg", "sign": "sign", "floor": "floor",
    "ceil": "ceil", "trunc": "trunc", "rint": "rint", "exp": "exp", "exp2": "exp2",
    "expm1": "expm1", "log": "log", "log1p": "log1p", "log2": "log2", "log10": "log10",
    "sqrt": "sqrt", "cbrt": "cbrt", "square": "square", "reciprocal": "reciprocal", "sin": "sin",
    "cos": "cos", "tan": "tan", "arcsin": "asin", "arccos": "acos", "arctan": "atan",
    "asin": "asin", "acos": "acos", "atan": "atan", "sinh": "sinh", "cosh": "cosh",
    "tanh": "tanh", "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh",
    "asinh": "asinh", "acosh": "acosh", "atanh": "atanh", "deg2rad": "deg2rad",
    "rad2deg": "rad2deg", "radians": "deg2rad", "degrees": "rad2deg", "isnan": "isnan",
    "isinf": "isinf", "isfinite": "is_finite", "isposinf": "isposinf", "isneginf": "isneginf",
    "signbit": "signbit", "logical_not": "logical_not", "bitwise_not": "bitwise_not",
    "invert": "bitwise_not", "real": "real", "imag": "imag", "conj": "conj", "conjugate": "conj",
    "sinc": "sinc", "fabs": "fabs", "spacing": "spacing", "i0": "i0",
    "bitwise_count": "bitwise_count"}
BINARY = {
    "add": "add", "subtract": "sub", "multiply": "mul", "divide": "div", "true_divide": "div",
    "power": "pow", "pow": "pow", "float_power": "float_power", "floor_divide": "floor_divide",
    "mod": "remainder", "remainder": "remainder", "fmod": "fmod", "maximum": "maximum",
    "minimum": "minimum", "fmax": "fmax", "fmin": "fmin", "equal": "eq", "not_equal": "ne",
    "less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge",
    "logical_and": "logical_and", "logical_or": "logical_or", "logical_xor": "logical_xor",
    "bitwise_and": "bitwise_and", "bitwise_or": "bitwise_or", "bitwise_xor": "bitwise_xor",
    "left_shift": "shift_left", "right_shift": "shift_right", "bitwise_left_shift": "shift_left",
    "bitwise_right_shift": "shift_right", "arctan2": "atan2", "atan2": "atan2", "hypot": "hypot",
    "logaddexp": "logaddexp", "logaddexp2": "logaddexp2", "nextafter": "nextafter",
    "copysign": "copysign", "heaviside": "heaviside", "gcd": "gcd", "lcm": "lcm",
    "ldexp": "ldexp"}
LAX_UNARY = {
    "abs": "abs", "neg": "neg", "sign": "sign", "floor": "floor", "ceil": "ceil", "exp": "exp",
    "exp2": "exp2", "expm1": "expm1", "log": "log", "log1p": "log1p", "sqrt": "sqrt",
    "rsqrt": "rsqrt", "cbrt": "cbrt", "square": "square", "reciprocal": "reciprocal",
    "sin": "sin", "cos": "cos", "tan": "tan", "asin": "asin", "acos": "acos", "atan": "atan",
    "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "asinh": "asinh", "acosh": "acosh",
    "atanh": "atanh", "logistic": "logistic", "erf": "erf", "erfc": "erfc", "erf_inv": "erf_inv",
    "lgamma": "lgamma", "digamma": "digamma", "is_finite": "is_finite", "real": "real",
    "imag": "imag", "conj": "conj", "bitwise_not": "bitwise_not", "clz": "clz",
    "population_count": "population_count", "bessel_i0e": "bessel_i0e",
    "bessel_i1e": "bessel_i1e", "stop_gradient": "stop_gradient"}
LAX_BINARY = {
    "add": "add", "sub": "sub", "mul": "mul", "div": "div", "rem": "rem", "pow": "pow",
    "max": "maximum", "min": "minimum", "eq": "eq", "ne": "ne", "lt": "lt", "le": "le",
    "gt": "gt", "ge": "ge", "atan2": "atan2", "bitwise_and": "bitwise_and",
    "bitwise_or": "bitwise_or", "bitwise_xor": "bitwise_xor", "shift_left": "shift_left",
    "shift_right_arithmetic": "shift_right", "nextafter": "nextafter", "complex": "complex",
    "igamma": "igamma", "igammac": "igammac", "zeta": "zeta", "polygamma": "polygamma"}


def _one(name):
    function = getattr(tsr, name)

    def of_array(x, /):
        context()
        given = raw(x)
        return wrapped_like(function(given if type(given) is tsr.Array else as_array(x)._x), x)
    of_array.__doc__ = function.__doc__
    return of_array


def _two(name):
    function = getattr(tsr, name)

    def of_arrays(x, y, /):
        context()
        if type(x) is type(y) is int:
            x = as_array(x)  # an error of what 32 bits do not hold
        return wrapped_like(function(raw(x), raw(y)), x, y)
    of_arrays.__doc__ = function.__doc__
    return of_arrays


def _lax_two(jax_name, name):
    function = getattr(tsr, name)

    def of_arrays(x, y):
        context()
        x, y = raw(x), raw(y)
        if type(x) is type(y) is tsr.Array:
            if x.dtype is not y.dtype:
                raise TypeError(f"lax.{jax_name} requires arguments to have the same dtypes, got "
                                f"{x.dtype.name}, {y.dtype.name}.")
            if x.shape != y.shape and x.shape and y.shape:
                raise TypeError(f"lax.{jax_name} got incompatible shapes for broadcasting: "
                                f"{x.shape}, {y.shape}.")
        if name == "div" and _whole(x) and _whole(y):
            return wrapped(tsr.where(y == 0, -1, _quotient(x, y)))
        return wrapped(function(x, y))
    of_arrays.__doc__ = function.__doc__
    return of_arrays


def _whole(x):
    return type(x) is int or type(x) is tsr.Array and x.dtype.kind in "iu"


def _quotient(x, y):
    """lax.div of integers: rounded towards 0."""
    x, y = (z if type(z) is tsr.Array else as_array(z)._x for z in (x, y))
    return (x - tsr.rem(x, y)) // tsr.where(y == 0, 1, y)


def numpy_members():
    """Functions of jax.numpy."""
    made = {name: _one(own) for name, own in UNARY.items()}
    made.update({name: _two(own) for name, own in BINARY.items()})
    return made


def lax_members():
    """Functions of jax.lax, of which two arrays have one dtype."""
    made = {name: _one(own) for name, own in LAX_UNARY.items()}
    made.update({name: _lax_two(name, own) for name, own in LAX_BINARY.items()})
    return made
