"""_types.py - types for annotations: arrays, dims, dtypes, names of axes."""
from typing import Any, List, Optional, Sequence, Tuple, Union

from ._array import Array

ArrayLike = Union[Array, bool, int, float, complex, Sequence[Any], Any]
Dims = Union[None, int, Sequence[int]]
DTypeLike = Any
Axes = Union[str, Sequence[str]]
Choice = Union[str, int]  # a value of an enum, by name

__all__ = ["Any", "Array", "ArrayLike", "Axes", "Choice", "DTypeLike", "Dims", "List", "Optional",
           "Sequence", "Tuple", "Union"]
