"""_dtype.py - element types: float32 and its kin, by their names here, in NumPy and in JAX."""
from ._lib import ENUMS

_LONG = {"bool": "bool", "i": "int", "u": "uint", "f": "float", "bf": "bfloat", "c": "complex"}


class dtype:
    """An element type: float32.name is "float32", and float32.code the number of TSR_F32. Equal to
    its name, to that of the library ("f32"), and to NumPy's dtype and scalar type."""

    __slots__ = ("code", "short", "name", "itemsize", "kind")

    def __init__(self, short, code):
        letters = short.rstrip("0123456789")
        digits = short[len(letters):]
        self.code, self.short = code, short
        self.name = _LONG[letters] + digits
        self.itemsize = int(digits) // 8 if digits else 1
        self.kind = {"bool": "b", "bf": "V"}.get(letters, letters)

    def __repr__(self):
        return f"dtype({self.name})"

    def __str__(self):
        return self.name

    def __eq__(self, other):
        if isinstance(other, dtype):
            return other is self
        try:
            return find(other) is self
        except TypeError:
            return NotImplemented

    def __hash__(self):
        return hash(self.name)

    @property
    def typestr(self):
        """As NumPy's __array_interface__ has it; None for bfloat16, which NumPy does not know."""
        if self.kind == "V":
            return None
        return f"{'|' if self.itemsize == 1 else '<'}{self.kind}{self.itemsize}"

    def numpy(self):
        """NumPy's dtype. bfloat16 is that of ml_dtypes, if there is one."""
        if self.kind == "V":
            import ml_dtypes
            import numpy
            return numpy.dtype(ml_dtypes.bfloat16)
        import numpy
        return numpy.dtype(self.name)


ALL = {code: dtype(name[4:].lower(), code) for name, code in ENUMS["tsr_dtype"].items()
       if name not in ("TSR_DTYPE_DEFAULT", "TSR_DTYPE_COUNT_")}
_NAMED = {d.name: d for d in ALL.values()}
_NAMED.update({d.short: d for d in ALL.values()})
_NAMED.update({"bool_": _NAMED["bool"], "int": _NAMED["i32"], "float": _NAMED["f32"],
               "complex": _NAMED["c64"]})
_OF_TYPES = {bool: _NAMED["bool"], int: _NAMED["i32"], float: _NAMED["f32"],
             complex: _NAMED["c64"]}


def find(of):
    """The dtype that something names: a dtype, "f32", "float32", float, numpy.float32."""
    if isinstance(of, dtype):
        return of
    if isinstance(of, str):
        if of in _NAMED:
            return _NAMED[of]
        of = of.lstrip("<=|")
        for d in ALL.values():
            if d.typestr and d.typestr[1:] == of:
                return d
    elif isinstance(of, type) and of in _OF_TYPES:
        return _OF_TYPES[of]
    else:
        name = getattr(of, "name", None) or getattr(of, "__name__", None)
        if isinstance(name, str) and name in _NAMED:
            return _NAMED[name]
        inner = getattr(of, "dtype", None)
        if isinstance(inner, dtype):
            return inner
    raise TypeError(f"{of!r} is no dtype")


def code(of):
    """The number of a dtype in C; 0, which is "not given", of None."""
    return 0 if of is None else find(of).code


globals().update({d.name: d for d in ALL.values() if d.name != "bool"})
globals().update({d.short: d for d in ALL.values() if d.short != "bool"})
bool_ = _NAMED["bool"]
__all__ = [d.name for d in ALL.values() if d.name != "bool"] + ["bool_"]
