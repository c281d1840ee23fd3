"""_jaxpr.py - make_jaxpr: the program of a function as JAX prints it, where both have the same
primitives.

    f(%0: f32[3]) -> f32[3] {                       { lambda ; a:f32[3]. let
      %1: f32[3] = integer_pow %0 y=2      gives        b:f32[3] = integer_pow[y=2] a
      %2: f32[3] = sub %1 1.0:f32                       c:f32[3] = sub b 1.0:f32[]
      return %2                                       in (c,) }
    }

A program with a primitive that is not in the tables is an error; jax.jit(f).lower(*args).as_text()
prints any, as the library has it."""
import re

from .. import _fn
from ._array import lifted
from ._backend import context
from ._maps import Pmapped
from ._sharding import PMAP_AXIS
from ._transform import Jitted, _arrays_of_types, body

WIDTH = 80
SAME = set("""sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log1p
sqrt rsqrt cbrt neg abs sign floor ceil logistic erf erfc erf_inv is_finite square add sub mul div
max min pow rem and or xor not eq ne lt le gt ge atan2 nextafter lgamma digamma""".split())
LONG = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "i8": "int8",
        "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8", "u16": "uint16",
        "u32": "uint32", "u64": "uint64", "bool": "bool", "c64": "complex64"}


class Equation:
    """%2: f32[] = reduce_sum %1 dims=[0]"""

    def __init__(self, results, prim, operands, params):
        self.results, self.prim, self.operands, self.params = results, prim, operands, params


class Program:
    """One program of a text: parameters, equations, results, by their names there."""

    def __init__(self, lines):
        head = lines.pop(0)
        self.types, self.equations, self.returned = {}, [], []
        self.weak = set()  # values of a weak type, of which JAX does not say it
        self.params = self._declared(head.partition(") ->")[0])
        while True:
            line = re.sub(r" +# [^#]*$", "", lines.pop(0)).strip()
            if line.startswith("}"):
                return
            if line.startswith("return"):
                self.returned = line.replace(",", " ").split()[1:]
            elif line:
                self._equation(line, lines)

    def _declared(self, text):
        found = re.findall(r"(%\d+): (\w+)(\*?)(\[[\d,]*\])", text)
        self.types.update((name, kind + dims) for name, kind, _, dims in found)
        self.weak.update(name for name, _, weak, _ in found if weak)
        return [name for name, *_ in found]

    def _equation(self, line, lines):
        left, _, right = line.partition(" = ")
        results = self._declared(left)
        inner = None
        if right.endswith("{"):
            right, _, _ = right.rpartition("=")
            inner_head = line[line.index(right) + len(right) + 1:]
            right, _, key = right.rpartition(" ")
            inner = key, Program([inner_head, *lines]) if not lines else _nested(inner_head, lines)
        prim, *words = re.findall(r"(?:\([^()]*\)|\[(?:[^\[\]]|\[[^\[\]]*\])*\]|\S)+", right)
        params = dict(w.partition("=")[::2] for w in words if "=" in w)
        if inner:
            params[inner[0]] = inner[1]
        operands = [w for w in words if "=" not in w]
        self._converted(operands, results, prim)
        self.equations.append(Equation(results, prim, operands, params))

    def _converted(self, operands, results, prim):
        """Weak operands of an operation that gives what is not weak: JAX converts them first."""
        if prim not in SAME or len(operands) < 2 or all(
                o in self.weak or not o.startswith("%") for o in operands):
            return
        for k, o in enumerate(operands):
            if o not in self.weak or results[0] in self.weak:
                continue
            name = f"{results[0]}.{k}"
            made = next((e for e in self.equations if e.results == [o]), None)
            if made and made.prim == "broadcast_in_dim":  # a scalar is converted before it
                self._convert(name, made.operands[0], self.equations.index(made))
                made.operands[0] = name
            else:
                self._convert(name, o, len(self.equations))
                operands[k] = name

    def _convert(self, name, operand, at):
        kind, _, dims = self.types[operand].partition("[")
        self.types[name] = f"{kind}[{dims}"
        self.equations.insert(at, Equation([name], "convert_element_type", [operand],
                                           {"dtype": kind}))


def _nested(head, lines):
    lines.insert(0, head)
    return Program(lines)


def _tuple(text):
    """[0,1] as (0, 1)."""
    parts = [p for p in text.strip("[]").split(",") if p]
    return f"({', '.join(parts)}{',' * (len(parts) == 1)})"


def _list(text):
    return f"[{', '.join(p for p in text.strip('[]').split(',') if p)}]"


def _names(text):
    parts = [repr(PMAP_AXIS.get(p, p)) for p in re.split(r"[*,]", text.strip("()[]")) if p]
    return f"({', '.join(parts)}{',' * (len(parts) == 1)})"


def _dot(e, types):
    p = e.params
    return [f"dimension_numbers=(({_list(p['contract_a'])}, {_list(p['contract_b'])}), "
            f"({_list(p['batch_a'])}, {_list(p['batch_b'])}))",
            f"preferred_element_type={LONG[p['dtype']]}"]


def _slice(e, types):
    steps = _tuple(e.params.get("step", "[]"))
    strides = None if set(re.findall(r"\d+", steps)) <= {"1"} else steps
    return [f"limit_indices={_tuple(e.params['stop'])}",
            f"start_indices={_tuple(e.params['start'])}", f"strides={strides}"]


def _broadcast(e, types):
    return [f"broadcast_dimensions={_tuple(e.params['at'])}"] if e.params["at"] != "[]" else []


def _reduced(e, types):
    return [f"axes={_tuple(e.params['dims'])}", "out_sharding=None"]


def _psum(e, types):
    return [f"axes={_names(e.params['axes'])}", "axis_index_groups=None"]


def _permuted(e, types):
    pairs = re.findall(r"(\d+)\D+(\d+)", e.params["perm"])
    return [f"axis_name={_names(e.params['axes'])}",
            f"perm=({', '.join(f'({a}, {b})' for a, b in pairs)})"]


PRIMS = {
    "dot_general": _dot, "slice": _slice, "broadcast_in_dim": _broadcast,
    "integer_pow": lambda e, t: [f"y={e.params['y']}"],
    "reduce_sum": _reduced, "reduce_max": _reduced, "reduce_min": _reduced, "psum": _psum,
    "ppermute": _permuted,
    "squeeze": lambda e, t: [f"dimensions={_tuple(e.params['dims'])}"],
    "transpose": lambda e, t: [f"permutation={_tuple(e.params['perm'])}"],
    "reshape": lambda e, t: ["dimensions=None", f"new_sizes={_tuple(e.params['dims'])}",
                             "sharding=None"],
    "concatenate": lambda e, t: [f"dimension={e.params['dim']}"],
    "convert_element_type": lambda e, t: [f"new_dtype={LONG[e.params['dtype']]}",
                                          "weak_type=False"]}


def _in_order(text):
    """[0,1,2]?"""
    numbers = re.findall(r"\d+", text)
    return numbers == [str(k) for k in range(len(numbers))]


class Printer:
    """Names for values, a to z and then ba, and the lines of a program."""

    def __init__(self):
        self.count = 0

    def name(self):
        """The next name."""
        k, text = self.count, ""
        self.count += 1
        while True:
            k, digit = divmod(k, 26)
            text = chr(ord("a") + digit) + text
            if not k:
                return text

    def lines(self, program, names, gap, opened=None):
        """"{ lambda ; ... }" of a program, whose values have or get names."""
        for p in program.params:
            if p not in names:
                names[p] = self.name()
        out = [f"{{ lambda ; {self._typed(program, names, program.params)}. let"]
        for e in self._kept(program, names):
            out += [gap + "    " + line for line in
                    self._equation(program, e, names, len(gap) + 4)]
        results = [names.get(r) or self._literal(r) for r in program.returned]
        ending = f"({', '.join(results)}{',' * (len(results) == 1)})"
        flat = f"{out[0]} {'; '.join(line.strip() for line in out[1:])} in {ending} }}"
        if not gap and len(flat) <= WIDTH and all(" = " in line for line in out[1:]):
            return [flat]
        return [*out, f"{gap}  in {ending} }}"]

    def _kept(self, program, names):
        """The equations that JAX has too: those that rename are left out, and a broadcast of a
        scalar for an operation that takes scalars."""
        used = {}
        for e in program.equations:
            for operand in e.operands:
                used.setdefault(operand, []).append(e.prim)
        for e in program.equations:
            first = e.operands[0] if e.operands else None
            if e.prim == "placed_like" or e.prim == "transpose" and _in_order(e.params["perm"]):
                names[e.results[0]] = names.get(first) or self._literal(first)
            elif e.prim == "broadcast_in_dim" and e.params["at"] == "[]" and \
                    set(used.get(e.results[0], ["return"])) <= SAME:
                names[e.results[0]] = names.get(first) or self._literal(first)
            elif e.prim == "call":
                yield from self._inlined(e, names)
            else:
                yield e

    def _inlined(self, e, names):
        inner = e.params["program"]
        own = {p: names.get(o) or self._literal(o) for p, o in zip(inner.params, e.operands)}
        for x in self._kept(inner, own):
            x.program, x.names = inner, own
            yield x
        for result, r in zip(e.results, inner.returned):
            names[result] = own[r]

    def _literal(self, text):
        value, _, kind = text.partition(":")
        return f"{value}:{kind.rstrip('*')}[]"

    @staticmethod
    def _typed(program, names, values):
        return " ".join(f"{names[v]}:{program.types[v]}" for v in values)

    def _equation(self, program, e, names, gap):
        program, names = getattr(e, "program", program), getattr(e, "names", names)
        if e.prim not in SAME and e.prim not in PRIMS:
            raise NotImplementedError(
                f"make_jaxpr() on Tessera has no text of JAX's for {e.prim}; "
                "jax.jit(f).lower(*args).as_text() prints the program as Tessera has it")
        params = PRIMS[e.prim](e, program.types) if e.prim in PRIMS else []
        for r in e.results:
            names[r] = self.name()
        operands = " ".join(names.get(o) or self._literal(o) for o in e.operands)
        head = f"{self._typed(program, names, e.results)} = {e.prim}"
        if not params:
            return [f"{head} {operands}"]
        flat = f"{head}[{' '.join(params)}] {operands}"
        if gap + len(flat) <= WIDTH:
            return [flat]
        return [head + "[", *("  " + p for p in params), f"] {operands}"]

    def around(self, program, name, inside):
        """A program that is one call of `name`: JAX prints it as a jit, whose values have the names
        of those outside."""
        names = {}
        for v in [*program.params, *program.equations[-1].results]:
            names[v] = self.name()
        inputs, outputs = program.params, program.equations[-1].results
        given = self._typed(program, names, inputs)
        results = [names[r] for r in outputs]
        ending = f"({', '.join(results)}{',' * (len(results) == 1)})"
        operands = " ".join(names[v] for v in inputs)
        return [f"{{ lambda ; {given}. let", f"    {self._typed(program, names, outputs)} = jit[",
                f"      name={name}", *inside(names, "          "),
                f"    ] {operands}", f"  in {ending} }}"]

    def jit(self, program, name):
        """The text of a function that jit made."""
        inner = program.equations[-1].params["program"]

        def inside(names, gap):
            own = dict(zip(inner.params, (names[p] for p in program.params)))
            known = dict(zip(inner.returned, (names[r] for r in program.equations[-1].results)))
            lines = self.lines_ending(inner, own, known, gap[4:])
            return [f"      jaxpr={lines[0]}", *lines[1:]]

        return self.around(program, name, inside)

    def lines_ending(self, program, names, known, gap):
        """lines(), with known names of some results of equations."""
        next_name, pending = self.name, []
        results = [r for e in program.equations for r in e.results]

        def name():
            return known.get(results[len(pending) - 1]) or next_name()

        def equation(p, e, n, g, plain=self._equation):
            pending[:] = results[:results.index(e.results[0]) + 1]
            return plain(p, e, n, g)

        self.name, self._equation = name, equation
        try:
            return self.lines(program, names, gap)
        finally:
            del self.name, self._equation

    def pmap(self, program):
        """The text of a function that pmap made: a jit of a shard_map of blocks of one element."""
        e = program.equations[-1]
        inner = e.params["body"]
        _as_pmap(inner)
        axis, size = re.match(r"\((\w+):(\d+)\)", e.params["mesh"]).groups()
        axis = PMAP_AXIS.get(axis, axis)

        def specs(text):
            parts = re.findall(r"\[(\w*)[^\[\]]*\]", text)
            parts = [f"P({PMAP_AXIS.get(p, p)!r},)" if p else "P()" for p in parts]
            return f"({', '.join(parts)}{',' * (len(parts) == 1)})"

        def inside(names, gap):
            body = self.lines(inner, {}, gap + "  ")
            outputs = self._typed(program, names, e.results)
            given = self._typed(program, names, program.params)
            operands = " ".join(names[v] for v in program.params)
            results = [names[r] for r in e.results]
            ending = f"({', '.join(results)}{',' * (len(results) == 1)})"
            return [f"      jaxpr={{ lambda ; {given}. let", f"{gap}{outputs} = shard_map[",
                    f"{gap}  check_vma=False", f"{gap}  in_specs={specs(e.params['in'])}",
                    f"{gap}  jaxpr={body[0]}", *body[1:],
                    f"{gap}  mesh=Mesh({axis!r}: {size}, axis_types=(Auto,))",
                    f"{gap}  newly_manual_axes=frozenset({{{axis!r}}})",
                    f"{gap}  out_specs={specs(e.params['out'])}", f"{gap}] {operands}",
                    f"{gap[2:]}in {ending} }}"]

        return self.around(program, "_fun", inside)


def _as_pmap(program):
    """The reshapes at both ends of pmap's body, as JAX has them: squeeze, broadcast_in_dim."""
    for e in program.equations:
        if e.prim == "reshape" and e.operands[0] in program.params:
            e.prim, e.params = "squeeze", {"dims": "[0]"}
        elif e.prim == "reshape" and e.results[0] in program.returned:
            dims = e.params["dims"].count(",")
            e.prim = "broadcast_in_dim"
            e.params = {"at": f"[{','.join(str(k + 1) for k in range(dims))}]"}


class ClosedJaxpr:
    """A program, whose str() is its text."""

    def __init__(self, text):
        self._text = text

    def __str__(self):
        return self._text

    __repr__ = __str__


def _text(fun, text):
    program, printer = Program(text.splitlines()), Printer()
    if isinstance(fun, Pmapped) and program.equations[-1].prim == "shard_map":
        return "\n".join(printer.pmap(program))
    if isinstance(fun, Jitted) and program.equations[-1].prim == "call":
        name = getattr(fun.__wrapped__, "__name__", "fun")
        return "\n".join(printer.jit(program, name))
    return "\n".join(printer.lines(program, {}, ""))


def make_jaxpr(fun, static_argnums=(), axis_env=None, return_shape=False):
    """A function that gives the program of a call of fun."""
    if axis_env is not None or return_shape:
        raise NotImplementedError("make_jaxpr(axis_env=, return_shape=) on Tessera")

    def of_call(*args, **keywords):
        context()
        made = _fn.Function(body(fun), static_argnums=static_argnums or None)
        text = made.text(*lifted(_arrays_of_types(args)), **lifted(keywords))
        return ClosedJaxpr(_text(fun, text))
    return of_call
