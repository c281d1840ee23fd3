"""_control.py - branches and loops that depend on values: cond, switch, while_loop, scan, map.

A body is traced at each call, where the call is; in a function that is jit's that is once. All
leaves of operands, and of a carry, are one tree for the library."""
import ctypes

from . import _body, _call, _context, _tree
from ._fn import Entry, Function, name_of
from ._lib import UNROLL_ALL, lib, record

__all__ = ["cond", "switch", "while_loop", "fori_loop", "scan", "map", "associative_scan",
           "reduce", "reduce_window_by"]

_OUT, _ARG = record("tsr_out"), record("tsr_arg")


class Part(Function):
    """A body as a fn that lives as long as this: a function of lists of arrays that gives such
    lists."""

    def __init__(self, c, groups_to_results, of):
        super().__init__(groups_to_results, name=name_of(of))
        self.own = Entry(self, c, _tree.ONE, [], [])
        self.own.make()

    def _traced(self, entry, *groups):
        return self.function(*groups)

    def into(self, body):
        """Puts it into a tsr_body."""
        body.form, body.fn = _body.FRAME, self.own.fn
        return body

    @property
    def body(self):
        return self.into(record("tsr_body")())


class Places:
    """Where results of a call go: a list of leaves each, whose number a body may tell."""

    def __init__(self, *counts):
        self.outs = (_OUT * max(len(counts), 1))()
        self.slots = [None] * len(counts)
        self.counts = [0] * len(counts)
        for k, count in enumerate(counts):
            self.told(k, count)

    def told(self, k, count):
        """Result k has so many leaves."""
        self.counts[k] = count
        self.slots[k] = (ctypes.c_uint64 * max(count, 1))()
        self.outs[k].to[0], self.outs[k].to[1] = ctypes.addressof(self.slots[k]), count

    @property
    def given(self):
        return ctypes.addressof(self.outs), len(self.counts)

    def fill(self, c, function, *args):
        """Calls a function that gives its results here, and raises its error."""
        with c.scope() as keep:
            function(_context.place(), *self.given, *args)
            for slots, count in zip(self.slots, self.counts):
                keep(slots[:count])
        c.check()

    def arrays(self, c, k):
        """The arrays of result k, after the call."""
        return Entry._arrays(c, self.slots[k], self.counts[k])


class Leaves:
    """Lists of arrays as arguments of a call, a tree each; an empty list is no argument, or NONE
    where the call wants one."""

    def __init__(self, c, *lists, none=False):
        lists = [[c.handle(x) for x in leaves] for leaves in lists]
        lists = lists if none else [leaves for leaves in lists if leaves]
        self.keep, self.args = [lists], (_ARG * max(len(lists), 1))()
        for arg, leaves in zip(self.args, lists):
            if not leaves:
                continue
            listed = (ctypes.c_uint64 * len(leaves))(*(x._h for x in leaves))
            self.keep.append(listed)
            arg.kind = 2
            words = getattr(arg, "as")
            words[0], words[1] = ctypes.addressof(listed), len(leaves)
        self.given = ctypes.addressof(self.args), len(lists)


def _context_of(*trees):
    return _call.context_of(*[x for t in trees for x in _tree.leaves(t)])


def _same(told, tree, wanted):
    if tree != wanted:
        raise TypeError(f"{told} gives {tree}, and the carry is {wanted}")


# ---- branches

def _branches(c, functions, operands):
    """The Parts of branches, their one result's place, and its tree in a list."""
    leaves, tree = _tree.flatten(operands)
    places, trees = Places(0), []

    def part(function):
        def body(*groups):
            out, out_tree = _tree.flatten(function(*tree.unflatten(groups[0] if groups else [])))
            if trees and trees[0] != out_tree:
                raise TypeError(f"one branch gives {trees[0]}, another {out_tree}")
            trees.append(out_tree)
            places.told(0, len(out))
            return [out]
        return Part(c, body, function)

    return [part(f) for f in functions], Leaves(c, leaves), places, trees


def cond(pred, true_fun, false_fun, *operands):
    """true_fun(*operands) if pred is true, otherwise false_fun(*operands): only one runs."""
    c = _context_of(pred, operands)
    (yes, no), leaves, places, trees = _branches(c, (true_fun, false_fun), operands)
    places.fill(c, lib.tsr_cond_into_at, c.operand(pred), yes.body, no.body, *leaves.given)
    return trees[0].unflatten(places.arrays(c, 0))


def switch(index, branches, *operands):
    """branches[index](*operands); the index is moved to the nearest that is one."""
    c = _context_of(index, operands)
    parts, leaves, places, trees = _branches(c, branches, operands)
    bodies = (record("tsr_body") * len(parts))()
    for part, body in zip(parts, bodies):
        part.into(body)
    listed = record("tsr_branches")(body=ctypes.addressof(bodies), count=len(parts))
    places.fill(c, lib.tsr_switch_into_at, c.operand(index), listed, *leaves.given)
    return trees[0].unflatten(places.arrays(c, 0))


# ---- loops

def while_loop(cond_fun, body_fun, init_val):
    """As long as cond_fun(carry) is true, body_fun(carry) replaces the carry."""
    leaves, tree = _tree.flatten(init_val)
    c = _context_of(init_val)

    def step(group):
        out, out_tree = _tree.flatten(body_fun(tree.unflatten(group)))
        _same(name_of(body_fun), out_tree, tree)
        return [_like(c, out, group)]

    more = Part(c, lambda group: [c.handle(cond_fun(tree.unflatten(group)))], cond_fun)
    body = Part(c, step, body_fun)
    places = Places(len(leaves))
    init = _strong(c, leaves, lambda group: step(group)[0])
    given = Leaves(c, init)
    places.fill(c, lib.tsr_while_into_at, more.body, body.body, *given.given)
    return tree.unflatten(places.arrays(c, 0))


def _like(c, out, carry):
    """A result for each carried value; what is weak takes the dtype of that, if it is not."""
    made = []
    for y, x in zip(out, carry):
        y = c.handle(y)
        if y.weak_type and not x.weak_type and y.dtype is not x.dtype:
            y = _call.made_of(c, y, x.dtype)
        made.append(y)
    return made


def _strong(c, leaves, step):
    """Carried values; those that are weak take the dtype that a step makes of them."""
    leaves = [c.handle(x) for x in leaves]
    if not any(x.weak_type for x in leaves):
        return leaves
    from ._transform import eval_shape
    seen = eval_shape(lambda *group: step(list(group)), *leaves)
    return [_call.made_of(c, x, y.dtype) if x.weak_type else x for x, y in zip(leaves, seen)]


def fori_loop(lower, upper, body_fun, init_val, *, unroll=None):
    """body_fun(i, carry) replaces the carry for i = lower .. upper - 1."""
    leaves, tree = _tree.flatten(init_val)
    c = _context_of(lower, upper, init_val)

    def step(i, group):
        out, out_tree = _tree.flatten(body_fun(i, tree.unflatten(group)))
        _same(name_of(body_fun), out_tree, tree)
        return _like(c, out, group)

    body = Part(c, lambda i, group=(): [step(i[0], list(group))], body_fun)
    places = Places(len(leaves))
    init = _strong(c, leaves, lambda group: step(_call.of_number(c, 0), group))
    given = Leaves(c, init)
    lower, upper = c.operand(lower), c.operand(upper)
    if unroll is None or unroll is False:
        places.fill(c, lib.tsr_fori_into_at, lower, upper, body.body, *given.given)
    else:
        times = UNROLL_ALL if unroll is True else unroll
        places.fill(c, lib.tsr_fori_unrolled_into_at, times, lower, upper, body.body, *given.given)
    return tree.unflatten(places.arrays(c, 0))


def scan(f, init, xs=None, length=None, *, reverse=False, unroll=1):
    """f(carry, x) for each x along dim 0 of xs, which gives the next carry, and y: the last carry,
    and all y stacked."""
    carry, carry_tree = _tree.flatten(init)
    slices, slice_tree = _tree.flatten(xs)
    c = _context_of(init, xs)
    slices = [c.handle(x) for x in slices]
    places = Places(*[len(carry)] * bool(carry), 0)
    trees = []

    def step(*groups):
        groups = list(groups)
        own = groups.pop(0) if carry else []
        x = slice_tree.unflatten(groups.pop(0) if slices else [])
        out = f(carry_tree.unflatten(own), x)
        if not isinstance(out, (tuple, list)) or len(out) != 2:
            raise TypeError(f"{name_of(f)} in scan() gives (carry, y)")
        after, tree = _tree.flatten(out[0])
        _same(name_of(f), tree, carry_tree)
        y, tree = _tree.flatten(out[1])
        trees.append(tree)
        return _like(c, after, own), y

    def body(*groups):
        after, y = step(*groups)
        places.told(len(places.counts) - 1, len(y))
        return [after, y] if carry else [y]

    part = Part(c, body, f)
    if carry:
        firsts = [_first(c, x) for x in slices] if any(c.handle(x).weak_type for x in carry) else []
        carry = _strong(c, carry, lambda own: step(*[own, *[firsts] * bool(slices)])[0])
    given = Leaves(c, carry, slices, none=True)
    args = c.record("tsr_scan_args", length=length, reverse=reverse or None,
                    unroll=UNROLL_ALL if unroll is True else unroll or None)
    places.fill(c, lib.tsr_scan_into_at, part.body, given.args[0], given.args[1], args)
    ys = trees[-1].unflatten(places.arrays(c, len(places.counts) - 1))
    return carry_tree.unflatten(places.arrays(c, 0) if carry else []), ys


def _first(c, x):
    """x[0], or zeros like it where there is none: a step is traced with it, and not run."""
    from ._transform import ShapeDtypeStruct, _made_zeros
    return _made_zeros(c, ShapeDtypeStruct(x.shape[1:], x.dtype)) if x.shape[:1] == (0,) else x[0]


def map(f, xs, *, batch_size=None):
    """f(x) for each x along dim 0 of xs, stacked; batch_size of them at once."""
    leaves, tree = _tree.flatten(xs)
    c = _context_of(xs)
    places, trees = Places(0), []

    def body(group):
        out, out_tree = _tree.flatten(f(tree.unflatten(group)))
        trees.append(out_tree)
        places.told(0, len(out))
        return [out]

    part, given = Part(c, body, f), Leaves(c, leaves)
    if batch_size is None:
        places.fill(c, lib.tsr_map_into_at, part.body, *given.given)
    else:
        places.fill(c, lib.tsr_map_batched_into_at, batch_size, part.body, *given.given)
    return trees[-1].unflatten(places.arrays(c, 0))


# ---- combinations by any function

def _pair(c, fn, tree):
    """The Part of a function of two trees that gives one like them."""
    def body(a, b):
        out, out_tree = _tree.flatten(fn(tree.unflatten(a), tree.unflatten(b)))
        _same(name_of(fn), out_tree, tree)
        return [out]
    return Part(c, body, fn)


def associative_scan(fn, elems, *, reverse=False, axis=0):
    """All partial results of an associative function along a dim."""
    leaves, tree = _tree.flatten(elems)
    c = _context_of(elems)
    part, places, given = _pair(c, fn, tree), Places(len(leaves)), Leaves(c, leaves)
    args = c.record("tsr_associative_scan_args", dim=axis, reverse=reverse or None)
    places.fill(c, lib.tsr_associative_scan_into_at, part.body, given.args[0], args)
    return tree.unflatten(places.arrays(c, 0))


def reduce(operands, init_values, computation, dimensions=None):
    """init_values and the elements along the dims, combined by a function."""
    leaves, tree = _tree.flatten(operands)
    c = _context_of(operands)
    part, places = _pair(c, computation, tree), Places(len(leaves))
    given = Leaves(c, leaves, _tree.leaves(init_values))
    args = c.record("tsr_reduce_by_args", dims=None if dimensions is None else tuple(dimensions))
    places.fill(c, lib.tsr_reduce_into_at, part.body, given.args[0], given.args[1], args)
    return tree.unflatten(places.arrays(c, 0))


def reduce_window_by(computation, x, init, window, *, strides=None, low=None, high=None,
                     base_dilation=None, window_dilation=None, padding=None):
    """init and the elements of each window, combined by a function of two arrays."""
    c = _context_of(x)
    part = Part(c, lambda a, b: [c.handle(computation(a[0], b[0]))], computation)
    args = c.record("tsr_window_args", strides=strides, low=low, high=high,
                    base_dilation=base_dilation, window_dilation=window_dilation, padding=padding)
    x, init = c.handle(x), c.handle(init)
    return c.scoped(lib.tsr_reduce_window_by_at, _context.place(), part.body, c.operand(x),
                    c.operand(init), _call.dims(tuple(window)), args)
