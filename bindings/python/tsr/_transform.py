"""_transform.py - derivatives, batches, maps over a mesh: functions made of functions, as in JAX.

The leaves of all arguments of a call are few arguments of the fn. A gradient's fn takes two trees,
of the leaves that it is with respect to, and of the others; shard_map's and vmap's fns take one,
whose leaves have specs and dims of their own."""
import ctypes
import functools

from . import _body, _call, _context, _tree
from ._fn import Again, Entry, Function, decorated, name_of, numbers
from ._lib import UNMAPPED, lib, record

__all__ = ["shard_map", "grad", "value_and_grad", "jacfwd", "jacrev", "hessian", "vmap", "pmap",
           "checkpoint", "remat", "jvp", "vjp", "linearize", "linear_transpose", "custom_jvp",
           "custom_vjp", "eval_shape", "ShapeDtypeStruct", "axis_sizes"]


def _keywords(name, body, own):
    kind = record(name)
    args = kind(size=ctypes.sizeof(kind))
    body.fill(args, own)
    return args


# ---- maps over a mesh

def _is_spec(s):
    from ._mesh import PartitionSpec, Sharding
    return isinstance(s, (PartitionSpec, Sharding))


def _spec(s):
    return _call.spec(getattr(s, "spec", s) or ())


class ShardMap(Function):
    """shard_map(f, mesh, in_specs, out_specs): f on every device of a mesh, each on its own blocks.
    Results that their specs say are equal along an axis must be so; check_vma=False takes the first
    device's. axis_names are those that become manual; all when not given."""

    def __init__(self, function, mesh=None, in_specs=None, out_specs=None, *, check_vma=True,
                 axis_names=None, **keywords):
        super().__init__(function, **keywords)
        self.mesh, self.in_specs, self.out_specs = mesh, in_specs, out_specs
        self.check_vma, self.axis_names = check_vma, axis_names

    def _new(self, c, tree):
        entry = Entry(self, c, tree, [list(range(tree.count))], [None])
        entry.out_specs = None
        return entry

    def _make(self, c, entry, body):
        args = _keywords("tsr_shard_map_args", body, self.name)
        keep = []
        if entry.tree.count:
            specs = self.in_specs if _is_spec(self.in_specs) else tuple(self.in_specs)
            in_tree = _tree.structure(entry.tree.unflatten(range(entry.tree.count))[0])
            each = _tree.broadcast(specs, in_tree, _is_spec)
            setattr_in(args, "in", 0, [_spec(s) for s in each], keep)
        setattr_in(args, "out", 0, [_spec(s) for s in self._specs_of_results(entry)], keep)
        args.unchecked = not self.check_vma
        if self.axis_names:
            names = self.axis_names
            args.axes = _call.axes([names] if isinstance(names, str) else sorted(names))
        mesh = self.mesh._pointer if self.mesh is not None else None
        return lib.tsr_shard_map_at(c.place(), mesh, _body.body_of(), None,
                                    ctypes.addressof(args))

    def _specs_of_results(self, entry):
        """One for each leaf; before the body has run, as if each spec were of one."""
        if entry.out_specs is not None:
            return entry.out_specs
        return [self.out_specs] if _is_spec(self.out_specs) else \
            _tree.leaves(self.out_specs, lambda s: s is None or _is_spec(s))

    def _traced(self, entry, *groups):
        out, tree = _tree.flatten(self._python(entry, self._leaves(entry, groups)))
        each = _tree.broadcast(self.out_specs, tree, _is_spec)
        guess = self._specs_of_results(entry)
        if len(guess) != len(each) and len(guess) != 1:
            entry.out_specs = each
            raise Again()  # with a spec or dim for each result
        entry.out(tree)
        entry.returned(0, len(out))
        return [out]


def setattr_in(args, field, k, specs, keep):
    """The list of what each leaf of an argument is, in a record that shall live on."""
    kind = record("tsr_spec")
    listed = (kind * max(len(specs), 1))(*specs)
    one = getattr(args, field)[k]
    one.count, one.leaf = len(specs), ctypes.addressof(listed)
    keep.append(listed)
    args.keep_ = keep


# ---- derivatives

class Grad(Function):
    """grad(f, argnums=0, has_aux=False): the gradients of f's result, a real number, by these
    arguments. With has_aux f gives a pair, and what is second is passed on."""

    maker, args_name = "grad", "tsr_grad_args"
    with_value = False

    def __init__(self, function, argnums=0, *, has_aux=False, holomorphic=False, allow_int=False,
                 **keywords):
        super().__init__(function, **keywords)
        self.argnums = argnums
        self.has_aux, self.holomorphic, self.allow_int = has_aux, holomorphic, allow_int

    def _new(self, c, tree):
        args, keywords = tree.unflatten(range(tree.count))
        wanted = [self._argument(args, k) for k in numbers(self.argnums)]
        parts = [_tree.flatten(x) for x in wanted]
        by = [k for part, _ in parts for k in part]
        rest = [k for k in range(tree.count) if k not in set(by)]
        entry = Entry(self, c, tree, [by, rest] if rest else [by], self._results(len(by)))
        entry.parts = [(len(part), t) for part, t in parts]
        return entry

    def _argument(self, args, k):
        """Argument k, counted with what is static."""
        left = [n for n in range(len(args) + len(self.static_argnums))
                if n not in self.static_argnums]
        if not -len(left) <= k < len(args) + len(self.static_argnums) or k >= 0 and k not in left:
            raise ValueError(f"argnums {k} of {self.name}, which was called with {len(args)} "
                             "arguments")
        return args[k] if k < 0 else args[left.index(k)]

    def _results(self, count):
        """Where the loss, what has_aux passes on, and the gradients are."""
        return [*[1] * self.with_value, *[None] * (self.has_aux and self.with_value), count,
                *[None] * (self.has_aux and not self.with_value)]

    def _make(self, c, entry, body):
        args = _keywords(self.args_name, body, self.name)
        args.has_aux, args.holomorphic = self.has_aux, self.holomorphic
        args.allow_int = self.allow_int
        make = getattr(lib, f"tsr_{self.maker}_at")
        return make(c.place(), c.pointer, _body.body_of(), None, ctypes.addressof(args))

    def _traced(self, entry, *groups):
        out = self._python(entry, self._leaves(entry, groups))
        aux = None
        if self.has_aux:
            if not isinstance(out, (tuple, list)) or len(out) != 2:
                raise TypeError(f"with has_aux {self.name} returns a pair, not "
                                f"{type(out).__name__}")
            out, aux = out
        loss = self._loss(entry, out)
        aux, tree = _tree.flatten(aux)
        entry.out(tree)
        if self.has_aux:
            entry.returned(1, len(aux))
        return [loss, aux] if self.has_aux else [loss]

    def _loss(self, entry, out):
        if isinstance(out, (tuple, list, dict)) or out is None:
            raise TypeError(f"the gradient of {self.name} is of one number, not of a "
                            f"{type(out).__name__}: has_aux=True passes further results on")
        return entry.c.handle(out)

    def _result(self, entry, results):
        at = 1 + self.has_aux if self.with_value else 0
        gradients = self._by_argument(entry, results[at])
        aux = entry.out_tree.unflatten(results[1]) if self.has_aux else None
        if not self.with_value:
            return (gradients, aux) if self.has_aux else gradients
        value = results[0][0]
        return ((value, aux) if self.has_aux else value), gradients

    def _by_argument(self, entry, leaves):
        made, at = [], 0
        for count, tree in entry.parts:
            made.append(tree.unflatten(leaves[at:at + count]))
            at += count
        return made[0] if isinstance(self.argnums, int) else tuple(made)


class ValueAndGrad(Grad):
    """value_and_grad(f): f's result, and the gradients; with has_aux ((value, aux), gradients)."""

    maker, with_value = "value_and_grad", True


class Jacobian(Grad):
    """jacfwd(f), jacrev(f), hessian(f): for each result and each argument in argnums all
    derivatives, with the dims of the result and then those of the argument."""

    def __init__(self, function, argnums=0, *, holomorphic=False, **keywords):
        super().__init__(function, argnums, holomorphic=holomorphic, **keywords)

    def _results(self, count):
        return [None]

    def _traced(self, entry, *groups):
        out, tree = _tree.flatten(self._python(entry, self._leaves(entry, groups)))
        entry.out(tree)
        inner = len(entry.groups[0])
        entry.returned(0, len(out) * inner ** (2 if self.maker == "hessian" else 1))
        return [out]

    def _result(self, entry, results):
        leaves, inner = iter(results[0]), len(entry.groups[0])
        twice = self.maker == "hessian"
        each = []
        for _ in range(entry.out_tree.count):
            block = [[next(leaves) for _ in range(inner)] for _ in range(inner if twice else 1)]
            rows = [self._by_argument(entry, row) for row in block]
            each.append(self._by_argument(entry, rows) if twice else rows[0])
        return entry.out_tree.unflatten(each)


class Jacfwd(Jacobian):
    """jacfwd(f, argnums=0): the Jacobian column by column, for few inputs."""

    maker = "jacfwd"


class Jacrev(Jacobian):
    """jacrev(f, argnums=0): the Jacobian row by row, for few outputs."""

    maker = "jacrev"


class Hessian(Jacobian):
    """hessian(f, argnums=0): second derivatives."""

    maker = "hessian"


class Remat(Function):
    """checkpoint(f): f, computed once more for its derivative instead of what that needs being
    kept. policy: "dots", "dots_without_batch", or names that are kept: ("q", "k")."""

    def __init__(self, function, *, policy=None, **keywords):
        super().__init__(function, **keywords)
        self.policy = policy

    def _make(self, c, entry, body):
        args = _keywords("tsr_remat_args", body, self.name)
        if isinstance(self.policy, (tuple, list)):
            args.names = "*".join(self.policy).encode()
        elif self.policy:
            args.save = _call.enum("tsr_remat_save", self.policy)
        return lib.tsr_remat_at(c.place(), c.pointer, _body.body_of(), None,
                                ctypes.addressof(args))


# ---- batches

class Vmap(Function):
    """vmap(f, in_axes=0, out_axes=0): f of each element of a batch. The axes are a number for all,
    or a tree of numbers, and None of what is the same for the whole batch. axis_name names the
    batch for collectives in f."""

    maker = "vmap"

    def __init__(self, function, in_axes=0, out_axes=0, *, axis_name=None, axis_size=None,
                 spmd_axis_name=None, **keywords):
        super().__init__(function, **keywords)
        self.in_axes, self.out_axes = in_axes, out_axes
        self.axis_name, self.axis_size = axis_name, axis_size
        self.spmd_axis_name = spmd_axis_name

    def _new(self, c, tree):
        entry = Entry(self, c, tree, self._apart_given_up(tree), [None])
        entry.out_axes = None
        return entry

    def _mapped(self, args, entry):
        args_tree, keywords_tree = _halves(entry.tree)
        axes = self.in_axes
        if isinstance(axes, list):
            axes = tuple(axes)
        each = _tree.broadcast(axes, args_tree)
        each += [0] * keywords_tree.count
        args.keep_ = [_dims_of(args, "in", n, [each[k] for k in group])
                      for n, group in enumerate(entry.groups)]

    def _make(self, c, entry, body):
        args = _keywords(f"tsr_{self.maker}_args", body, self.name)
        axes = entry.out_axes or _tree.leaves(
            self.out_axes, lambda a: a is None or isinstance(a, int))
        args.axes_ = _dims_of(args, "out", 0, axes)
        if entry.tree.count:
            self._mapped(args, entry)
        if len(entry.groups) == 2:
            args.donate = _call.dims((0,))
        args.axis = _call.text(self.axis_name)
        args.axis_size = self.axis_size or 0
        self._more(args)
        return getattr(lib, f"tsr_{self.maker}_at")(
            c.place(), c.pointer, _body.body_of(), None, ctypes.addressof(args))

    def _more(self, args):
        args.spmd_axis = _call.axes(self.spmd_axis_name)

    def _traced(self, entry, *groups):
        out, tree = _tree.flatten(self._python(entry, self._leaves(entry, groups)))
        if entry.out_axes is None and not isinstance(self.out_axes, int):
            each = _tree.broadcast(self.out_axes, tree)
            guess = _tree.leaves(self.out_axes, lambda a: a is None or isinstance(a, int))
            if len(guess) != len(each) and len(guess) != 1:
                entry.out_axes = each
                raise Again()  # with a spec or dim for each result
        entry.out(tree)
        entry.returned(0, len(out))
        return [out]


def _halves(tree):
    """The trees of (args, keywords)."""
    args, keywords = tree.unflatten(range(tree.count))
    return _tree.structure(args), _tree.structure(keywords)


def _dims_of(args, field, n, each):
    listed = (ctypes.c_int * max(len(each), 1))(*(UNMAPPED if k is None else k for k in each))
    one = getattr(args, field)[n]
    one.count, one.dim = len(each), ctypes.addressof(listed)
    return listed


class Pmap(Vmap):
    """pmap(f, axis_name="i"): f of as many elements as there are devices, on one each."""

    maker = "pmap"

    def __init__(self, function, axis_name=None, *, in_axes=0, out_axes=0, axis_size=None,
                 devices=None, donate_argnums=None, static_broadcasted_argnums=None, **keywords):
        super().__init__(function, in_axes, out_axes, axis_name=axis_name, axis_size=axis_size,
                         static_argnums=static_broadcasted_argnums, **keywords)
        self.devices, self.donated = devices, numbers(donate_argnums)

    def _more(self, args):
        if self.devices is not None:
            ids = [getattr(d, "id", d) for d in self.devices]
            args.ids_ = (ctypes.c_int64 * max(len(ids), 1))(*ids)
            args.devices, args.device_count = ctypes.addressof(args.ids_), len(ids)


# ---- a function and its derivative at a point

class _Plain(Function):
    """What jvp(), vjp() and their kin call: a function of trees, with has_aux of a pair."""

    def __init__(self, function, has_aux=False):
        super().__init__(function)
        self.has_aux = has_aux

    def _new(self, c, tree):
        return Entry(self, c, tree, [list(range(tree.count))], [None] * (1 + self.has_aux))

    def _traced(self, entry, *groups):
        out = self._python(entry, self._leaves(entry, groups))
        out, aux = out if self.has_aux else (out, None)
        out, entry.first = _tree.flatten(out)
        aux, entry.second = _tree.flatten(aux)
        entry.out(_tree.structure((entry.first, entry.second)))
        entry.returned(0, len(out))
        if self.has_aux:
            entry.returned(1, len(aux))
        return [out, aux] if self.has_aux else [out]

    def at_point(self, symbol, primals):
        """Calls it, and gives (results, their trees, the linear function's fn and residuals)."""
        entry, leaves = self._entry(primals, {})
        c, before = entry.c, entry.c.trace
        at, n = entry.address(leaves)
        try:
            if before is None:
                c.trace = entry.trace
            with c.scope() as keep:
                linear = getattr(lib, symbol)(_context.place(), entry.outs_at,
                                              len(entry.results), entry.fn, at, n)
                handles = residuals_of(linear)
                keep([*handles, *[h for s, m in zip(entry.slots, entry.counts) for h in s[:m]]])
        finally:
            c.trace = before
        c.check()
        results = [entry._arrays(c, s, m) for s, m in zip(entry.slots, entry.counts)]
        return entry, results, _Linear(c, linear, entry, handles)


def residuals_of(linear):
    """The handles of a tsr_linearized, whose list a scope has."""
    tree = linear.residuals
    return (ctypes.c_uint64 * tree.count).from_address(tree.leaf)[:] if tree.count else []


class _Linear:
    """A linear function that the library has made, and its residuals."""

    def __init__(self, c, linear, entry, handles):
        from ._fn import _Fn
        self.c, self.entry = c, entry
        self.fn = linear.fn
        self.made = _Fn(c, linear.fn)
        self.residuals = [_call.wrap(c, h) if h else None for h in handles]

    def __call__(self, leaves, count):
        """Calls it with tangents or cotangents, None for those of a leaf that has none."""
        c = self.c
        own = [x._h if x is not None else 0 for x in self.residuals]
        given = [c.handle(x)._h if x is not None else 0 for x in leaves]
        slots = (ctypes.c_uint64 * (len(own) + len(given) + 1))(*own, *given)
        args = (record("tsr_arg") * 2)()
        at = ctypes.addressof(slots)
        for arg, start, many in zip(args, (0, len(own)), (len(own), len(given))):
            arg.kind = 2
            words = getattr(arg, "as")
            words[0], words[1] = at + 8 * start, many
        out = record("tsr_out")()
        results = (ctypes.c_uint64 * max(count, 1))()
        out.to[0], out.to[1] = ctypes.addressof(results), count
        lib.tsr_call_into_at(_context.place(), ctypes.addressof(out), 1, self.fn,
                             ctypes.addressof(args), 2)
        c.check()
        return Entry._arrays(c, results, count)


def jvp(function, primals, tangents, has_aux=False):
    """f's results at primals, and their tangents: jvp(f, (x,), (dx,)). With has_aux also what f
    gives second."""
    entry, results, linear = _Plain(function, has_aux).at_point(
        "tsr_linearize_aux_at" if has_aux else "tsr_linearize_at", tuple(primals))
    out = linear(_tangents(primals, tangents), len(results[0]))
    pair = entry.first.unflatten(results[0]), entry.first.unflatten(out)
    return (*pair, entry.second.unflatten(results[1])) if has_aux else pair


def _tangents(primals, tangents):
    leaves = _tree.up_to(_tree.structure(tuple(primals)), tuple(tangents))
    return [x if _floating(p) else None for x, p in zip(leaves, _tree.leaves(tuple(primals)))]


def _floating(x):
    dtype = getattr(x, "dtype", None)
    if dtype is None:
        return isinstance(x, (float, complex, list))
    return getattr(dtype, "kind", "f") in "fcV"


def linearize(function, *primals, has_aux=False):
    """f's result at primals, and the function of its tangents there."""
    entry, results, linear = _Plain(function, has_aux).at_point(
        "tsr_linearize_aux_at" if has_aux else "tsr_linearize_at", primals)

    def of_tangents(*tangents):
        out = linear(_tangents(primals, tangents), len(results[0]))
        return entry.first.unflatten(out)

    value = entry.first.unflatten(results[0])
    return (value, of_tangents, entry.second.unflatten(results[1])) if has_aux else \
        (value, of_tangents)


def vjp(function, *primals, has_aux=False):
    """f's result at primals, and the function of a cotangent of it that gives those of the
    primals, a tuple."""
    entry, results, linear = _Plain(function, has_aux).at_point(
        "tsr_vjp_aux_at" if has_aux else "tsr_vjp_at", primals)
    tree = _tree.structure(tuple(primals))

    def of_cotangent(cotangent):
        leaves = _tree.up_to(entry.first, cotangent)
        given = [c if _floating(y) else None for c, y in zip(leaves, results[0])]
        return tree.unflatten(linear(given, tree.count))

    value = entry.first.unflatten(results[0])
    return (value, of_cotangent, entry.second.unflatten(results[1])) if has_aux else \
        (value, of_cotangent)


def linear_transpose(function, *primals):
    """The transpose of a function that is linear; of the primals only the types matter."""
    plain = _Plain(function)
    entry, leaves = plain._entry(primals, {})
    at, n = entry.address(leaves)
    c = entry.c
    made = lib.tsr_linear_transpose_at(_context.place(), entry.fn, at, n)
    c.check()
    linear = _Linear(c, made, entry, residuals_of(made))
    tree = _tree.structure(tuple(primals))

    def transposed(cotangent):
        return tree.unflatten(linear(_tree.leaves(cotangent), tree.count))

    return transposed


# ---- derivatives of one's own

class _Rule(Function):
    """A rule as a fn of its own, which the library calls."""

    def __init__(self, function, entry, c, name):
        self.rule = function
        super().__init__(function, name=name)
        self.own = Entry(self, c, entry.tree, [], [None])

    def fn_body(self):
        """A tsr_body of it."""
        self.own.make()
        made = record("tsr_body")(form=_body.FRAME, fn=self.own.fn)
        return made

    def _traced(self, entry, *groups):
        return self.rule(*groups)


class Custom(Function):
    """What custom_jvp() and custom_vjp() share."""

    args_name = "tsr_custom_args"

    def __init__(self, function, nondiff_argnums=(), **keywords):
        super().__init__(function, static_argnums=nondiff_argnums or None, **keywords)
        self.nondiff = numbers(nondiff_argnums)

    def _split(self, entry, leaves):
        args, keywords = entry.tree.unflatten(leaves)
        return self._together(args, keywords, entry.static)

    def _static(self, entry):
        return [x for k, x in entry.static if isinstance(k, int)]


class CustomJvp(Custom):
    """custom_jvp(f): f, whose derivative a rule says: f.defjvp(rule), where rule(primals, tangents)
    gives (result, tangent)."""

    def defjvp(self, rule):
        """Sets the rule, and gives it."""
        self.rule = rule
        return rule

    def defjvps(self, *rules):
        """A rule for each argument: of the tangent, the result, and the arguments."""
        def rule(primals, tangents):
            from ._made.ops import add
            y = self(*primals)
            parts = [r(t, y, *primals) for r, t in zip(rules, tangents) if r is not None]
            return y, functools.reduce(add, parts)
        self.rule = rule

    def _make(self, c, entry, body):
        args = _keywords(self.args_name, body, self.name)
        entry.rule = _Rule(functools.partial(self._rule, entry), entry, c, f"{self.name}_jvp")
        return lib.tsr_custom_jvp_at(c.place(), c.pointer, _body.body_of(), None,
                                     entry.rule.fn_body(), ctypes.addressof(args))

    def _rule(self, entry, leaves, tangents):
        # a tangent for each leaf that has one; zeros of the others
        primals, keywords = entry.tree.unflatten(leaves)
        zeros = [t if t is not None else _zeros_like(x) for t, x in zip(tangents, leaves)]
        tangents, _ = entry.tree.unflatten(zeros)
        out, d_out = self.rule(*self._static(entry), tuple(primals), tuple(tangents))
        out, tree = _tree.flatten(out)
        d_out = _tree.up_to(tree, d_out)
        d_out = [None if not _floating(y) else _call.made_of(entry.c, d) for y, d
                 in zip(out, d_out)]
        return [out, d_out]


def _zeros_like(x):
    return x._ctx.array(lib.tsr_zeros_like_at(x._ctx.place(), x._ctx.handle(x)._h))


class CustomVjp(Custom):
    """custom_vjp(f): f, whose derivative in reverse rules say: f.defvjp(forward, backward), where
    forward(*args) gives (result, residuals) and backward(residuals, cotangent) a cotangent for each
    argument, None for one that has none."""

    def defvjp(self, forward, backward):
        """Sets the rules."""
        self.forward, self.backward = forward, backward

    def _make(self, c, entry, body):
        args = _keywords(self.args_name, body, self.name)
        entry.fwd = _Rule(functools.partial(self._fwd, entry), entry, c, f"{self.name}_fwd")
        entry.bwd = _Rule(functools.partial(self._bwd, entry), entry, c, f"{self.name}_bwd")
        return lib.tsr_custom_vjp_at(c.place(), c.pointer, _body.body_of(), None,
                                     entry.fwd.fn_body(), entry.bwd.fn_body(),
                                     ctypes.addressof(args))

    def _fwd(self, entry, leaves):
        args, keywords = self._split(entry, leaves)
        out, residuals = self.forward(*args, **keywords)
        residuals, entry.kept = _tree.flatten(residuals)
        out, entry.first = _tree.flatten(out)
        return [out, residuals]

    def _bwd(self, entry, residuals, cotangents):
        c = entry.c
        residuals = entry.kept.unflatten(residuals)
        got = self.backward(*self._static(entry), residuals,
                            entry.first.unflatten(cotangents))
        args, keywords = entry.tree.unflatten(range(entry.tree.count))
        leaves = []
        for part, given in zip(args, tuple(got)):
            tree = _tree.structure(part)
            given = [None] * tree.count if given is None else _tree.up_to(tree, given)
            leaves += [None if g is None else c.handle(g) for g in given]
        leaves += [None] * (entry.tree.count - len(leaves))
        return [leaves]


# ---- types of results

class ShapeDtypeStruct:
    """A shape and a dtype."""

    def __init__(self, shape, dtype):
        from ._dtype import find
        self.shape, self.dtype = tuple(shape), find(dtype)
        self.ndim = len(self.shape)

    def __repr__(self):
        return f"ShapeDtypeStruct(shape={self.shape}, dtype={self.dtype.name})"

    def __eq__(self, other):
        return isinstance(other, ShapeDtypeStruct) and (other.shape, other.dtype) == (
            self.shape, self.dtype)

    def __hash__(self):
        return hash((self.shape, self.dtype.name))


def eval_shape(function, *args, **keywords):
    """The shapes and dtypes of what f gives, without computing it. Arguments may be
    ShapeDtypeStructs."""
    seen = []
    c = _call.context_of(*_tree.leaves((args, keywords)))

    def noting(leaves):
        a, k = tree.unflatten(leaves)
        out, out_tree = _tree.flatten(function(*a, **k))
        out = [c.handle(x) for x in out]
        seen.append(out_tree.unflatten([ShapeDtypeStruct(x.shape, x.dtype) for x in out]))
        return out

    leaves, tree = _tree.flatten((args, keywords))
    shapes = [_made_zeros(c, x) if isinstance(x, ShapeDtypeStruct) else c.handle(x)
              for x in leaves]
    Function(noting, name=name_of(function)).text(shapes)
    return seen[-1]


def _made_zeros(c, x):
    args = c.record("tsr_new_args", dtype=x.dtype)
    return c.array(lib.tsr_zeros_at(c.place(), c.pointer, _call.dims(x.shape), args))


def axis_sizes():
    """The named axes of the body that is being traced, and their sizes."""
    c = _call.current()
    axes = (record("tsr_axis") * 64)()
    count = lib.tsr_axis_sizes(c.pointer, ctypes.addressof(axes), 64)
    return {axes[k].name.decode(): axes[k].size for k in range(count)}


shard_map, grad, value_and_grad = decorated(ShardMap), decorated(Grad), decorated(ValueAndGrad)
value_and_grad.__name__ = "value_and_grad"
jacfwd, jacrev, hessian = decorated(Jacfwd), decorated(Jacrev), decorated(Hessian)
vmap, pmap, remat = decorated(Vmap), decorated(Pmap), decorated(Remat)
checkpoint = remat
custom_jvp, custom_vjp = decorated(CustomJvp), decorated(CustomVjp)
