"""_names.py - modules in place of JAX's: a missing name is an error with the nearest names:

    jax.numpy.nope    AttributeError: jax.numpy on Tessera has no 'nope'; there are 'one', ...
    jnp.sum(x, keep=1)    TypeError: jax.numpy.sum() on Tessera has no keyword 'keep'; ..."""
import difflib
import functools
import importlib.abc
import importlib.machinery
import inspect
import sys
import types

ROOTS = ("jax", "flax", "chex", "optax")


def near(name, names):
    """What is said of a name that is missing: those that resemble it, or how many there are."""
    names = sorted(n for n in names if not n.startswith("_"))
    close = difflib.get_close_matches(name, names, n=5, cutoff=0.5)
    if not close:
        close = [n for n in names if n.lower() in name.lower() or name.lower() in n.lower()][:5]
    told = ", ".join(map(repr, close or names[:12]))
    more = "" if close or len(names) <= 12 else f" and {len(names) - 12} more"
    return f"there are {told}{more}" if told else "it is empty"


# names of JAX that cannot be here: the beginning of a name, and why
ABSENT = [
    ("jax.numpy", "float8_", "the library has no floats of 8 bits: there are float16, bfloat16, "
     "float32, float64"),
    ("jax.numpy", "float4_", "the library has no floats of 4 bits: there are float16, bfloat16"),
    ("jax.numpy", "float6_", "the library has no floats of 6 bits: there are float16, bfloat16"),
    ("jax.numpy", ("int1", "int2", "int4", "uint1", "uint2", "uint4"),
     "the library's integers have 8 bits or more: there are int8, uint8 and wider ones"),
    ("jax.lax", "_p", "its programs have primitives of their own: tsr prims lists them"),
    ("jax.random", "_p", "its programs have primitives of their own: tsr prims lists them")]


def _reason(module, name):
    """Why a name cannot be here; None where it is only missing."""
    for where, what, why in ABSENT:
        if module == where and (name in what if isinstance(what, tuple) else
                                name.endswith(what) if what == "_p" else name.startswith(what)):
            return why
    return None


class Module(types.ModuleType):
    """A module that replaces one of JAX's."""

    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        why = _reason(self.__name__, name)
        if why:
            raise AttributeError(f"{self.__name__} on Tessera has no {name!r}: {why}")
        raise AttributeError(f"{self.__name__} on Tessera has no {name!r}; "
                             f"{near(name, vars(self))}")


def make(name, doc, members):
    """A Module of these members, in sys.modules, and in the one around it."""
    made = sys.modules.get(name)
    if not isinstance(made, Module):
        made = sys.modules[name] = Module(name, doc)
        made.__spec__ = importlib.machinery.ModuleSpec(name, None, is_package=True)
    for key, value in members.items():
        setattr(made, key, value)
    around, _, own = name.rpartition(".")
    if around and around in sys.modules:
        setattr(sys.modules[around], own, made)
    return made


class Finder(importlib.abc.MetaPathFinder):
    """Says what there is where a module is imported that is not: no installed JAX is loaded."""

    def find_spec(self, fullname, path=None, target=None):
        """None of other packages' modules; an error of those below ROOTS."""
        if fullname.partition(".")[0] not in ROOTS:
            return None
        around, _, own = fullname.rpartition(".")
        if around not in sys.modules:
            there = [root for root in ROOTS if root in sys.modules]
            raise ModuleNotFoundError(f"there is no module {fullname!r} on Tessera; "
                                      f"{near(own, there)}", name=fullname)
        raise ModuleNotFoundError(f"{around} on Tessera has no module {own!r}; "
                                  f"{near(own, vars(sys.modules[around]))}", name=fullname)


def explain(error):
    """What an ImportError of `from jax import nope` does not say: what there is."""
    where = sys.modules.get(getattr(error, "name", None) or "")
    wanted = getattr(error, "name_from", None) or str(error).partition("'")[2].partition("'")[0]
    if isinstance(where, Module) and wanted not in vars(where):
        text = f"{where.__name__} on Tessera has no {wanted!r}; {near(wanted, vars(where))}"
        if hasattr(error, "add_note"):
            error.add_note(text)
        return text
    return None


def strict(function, name):
    """A function that names the keyword it lacks, and says which it has."""
    parameters = inspect.signature(function).parameters
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return function
    known = {n for n, p in parameters.items() if p.kind is not p.POSITIONAL_ONLY}

    @functools.wraps(function)
    def checked(*args, **keywords):
        for key in keywords:
            if key not in known:
                raise TypeError(f"{name}() on Tessera has no keyword {key!r}; {near(key, known)}")
        return function(*args, **keywords)

    return checked


def exported(module, space, names=None):
    """The members of a module of ours that are JAX's, by the list __all__ in its namespace."""
    members = {}
    for name in names or space["__all__"]:
        value = space[name]
        if isinstance(value, types.FunctionType):
            value = strict(value, f"{module}.{name}")
            value.__name__ = name
        members[name] = value
    return members
