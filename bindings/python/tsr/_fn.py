"""_fn.py - functions of arrays made of Python functions: how they are called, and jit.

A Function has an Entry for each structure of its arguments and each value of what is static. An
Entry has the fn, and memory that its calls use again: handles of arguments and results, and the
records that lead to them.

    f = jit(lambda tree, n: ..., static_argnums=1)
    f({"w": w}, 3)    an Entry for ({"w": *}, ) and n = 3, whose fn takes one tree of one leaf

How many leaves a result has is known when the body has run, which is inside of the call: the Body
writes it into the record of the place (Entry.returned) before the library looks there."""
import copy
import ctypes
import functools
import inspect
import struct
import weakref

from . import _body, _call, _context, _tree
from ._array import Array, _new, twin
from ._lib import lib, path, quick, record

__all__ = ["Function", "jit"]

_OUT, _ARG = record("tsr_out"), record("tsr_arg")
# parameters of calls that are made again are converted once
_call_again = ctypes.CDLL(path).tsr_call_into_at
_call_again.restype = None
_ONE = [1]  # one result of one leaf
_LEAVES = {_tree.LEAF: Array}


class Entry:
    """One fn of a Function. Arguments and results of the fn are trees of leaves: `groups` has the
    numbers of the leaves in each argument, and `results` for each result how many leaves it has, or
    None where the body tells."""

    def __init__(self, function, c, tree, groups, results):
        self.function, self.c, self.tree = weakref.ref(function), c, tree
        self.groups, self.results = groups, results
        self.body = self.fn = None
        self.only = -1            # of how many arrays alone, if it is that
        self.nresults = len(results)
        self.out_tree = None      # of what the body has returned
        self.many = False         # has it returned several trees, by the types of arguments?
        self.typed = False        # is it of arguments of these types alone?
        self.busy = False
        self.current = None       # a call inside of the call, whose places the body tells then
        self.new = True
        self.trace = _body.Trace()
        self.captured = []
        self._room()

    def _room(self):
        """Memory of arguments and places."""
        self.order = [k for group in self.groups for k in group]
        self.plain = self.order == list(range(len(self.order)))
        count = len(self.order)
        self.leaf = (ctypes.c_uint64 * max(count, 1))()
        self.pack = struct.Struct(f"<{count}Q").pack_into
        self.args = (_ARG * max(len(self.groups), 1))()
        at = ctypes.addressof(self.leaf)
        for arg, group in zip(self.args, self.groups):
            arg.kind = 2
            words = getattr(arg, "as")
            words[0], words[1] = at, len(group)
            at += 8 * len(group)
        self.args_at = ctypes.addressof(self.args)
        self.nargs = len(self.groups)
        self.outs = (_OUT * max(len(self.results), 1))()
        self.outs_at = ctypes.addressof(self.outs)
        self.slots = [(ctypes.c_uint64 * max(n or 0, 1))() for n in self.results]
        self.counts = [n or 0 for n in self.results]
        for k in range(len(self.results)):
            self._place(k)

    def _place(self, k):
        self.outs[k].to[0] = ctypes.addressof(self.slots[k])
        self.outs[k].to[1] = self.counts[k]

    def returned(self, k, count):
        """The body has so many leaves for result k."""
        if count != self.counts[k]:
            self.counts[k] = count
            self.slots[k] = (ctypes.c_uint64 * max(count, 1))()
        self._place(k)

    def out(self, tree):
        """The body has returned such a tree."""
        if self.out_tree is not None and self.out_tree != tree:
            self.many = True
        self.out_tree = tree

    # ---- the fn

    def make(self):
        """The fn, which takes what the body was seen to take from outside as captures."""
        c, own = self.c, weakref.ref(self)
        body = _body.Body(c, lambda *groups: _traced(own(), groups))
        body.capture(self.captured)
        self.body = body
        self.fn = self.function()._make(c, self, body)
        if quick.tsr_status(c.pointer):
            body.forget()
            self.fn = None
            c.fail()
        self.made = _Fn(c, self.fn)
        at, size = ctypes.c_void_p, ctypes.c_size_t
        self.parameters = (at(self.outs_at), size(self.nresults), at(self.fn), at(self.args_at),
                           size(self.nargs))

    def takes(self, args):
        """Are these arrays, and may the call be made without further looking?"""
        c = self.c
        root = c.root
        if c.level is not root or c.trace is not None or self.fn is None or self.new or \
                self.many or self.busy or c.cancelled:
            return False
        for x in args:
            if type(x) is not Array or x._level is not root:
                return False
        return True

    def again(self, leaves):
        """A call() outside of bodies that is like the one before, in as few steps as it takes."""
        c, body, leaf = self.c, self.body, self.leaf
        if self.plain:
            k = 0
            for x in leaves:
                leaf[k] = x._h
                k += 1
        else:
            self.pack(leaf, 0, *[leaves[k]._h for k in self.order])
        if self.captured:
            body.refresh()
        self.busy, c.trace, body.ran = True, self.trace, False
        try:
            _call_again(None, *self.parameters)
        finally:
            self.busy, c.trace = False, None
        one = self.counts == _ONE
        handle = self.slots[0][0] if one or self.counts[0] else c.poison
        if body.ran or handle == c.poison:
            if quick.tsr_status(c.pointer):
                c.fail()
            if self.trace.outside:
                self._keep_outside()
            one = self.counts == _ONE
        if one and handle and handle not in c.live:
            c.live.add(handle)
            x = _new(Array)
            x._h, x._ctx, x._level = handle, c, c.root
            return [[x]]
        arrays = self._arrays
        return [arrays(c, slots, n) for slots, n in zip(self.slots, self.counts)]

    def call(self, leaves):
        """Calls it with arrays: a list of the arrays of each result."""
        c = self.c
        if self.busy:
            return self._call_inside(leaves)
        if c.pending or c.pending_fns:
            c.drain()
        if c.cancelled:
            c.settle()
        if self.fn is None:
            self.make()
        before = c.trace
        self.busy = True
        self.body.ran = False
        try:
            if before is None:
                c.trace = self.trace
            elif self.captured:
                before.used(*self.captured)
            if self.captured:
                self.body.refresh()
            if self.plain:
                self.pack(self.leaf, 0, *[x._h for x in leaves])
            else:
                self.pack(self.leaf, 0, *[leaves[k]._h for k in self.order])
            where = _context.place() if self.new else c.place()
            self.new = False
            lib.tsr_call_into_at(where, self.outs_at, len(self.results), self.fn,
                                 self.args_at, self.nargs)
        finally:
            self.busy = False
            c.trace = before
        if quick.tsr_status(c.pointer):
            c.fail()
        if self.body.ran and before is None and self.trace.outside:
            self._keep_outside()
        return [self._arrays(c, slots, n) for slots, n in zip(self.slots, self.counts)]

    def _call_inside(self, leaves):
        """A call while one is in progress, such as that of a rule that calls its own function: the
        fn is the same, and arguments and places are others."""
        around = self.current
        twin = self.current = copy.copy(self)
        twin.busy, twin.current = False, None
        twin._room()
        try:
            results = twin.call(leaves)
        finally:
            self.current = around
        self.out_tree = twin.out_tree
        return results

    @staticmethod
    def _arrays(c, slots, count):
        made = []
        level = c.level
        live = c.live if level.root else None
        for handle in slots[:count]:
            if not handle:
                made.append(None)
                continue
            if live is not None:
                if handle in live:
                    handle = twin(c, handle)
                live.add(handle)
            x = _new(Array)
            x._h, x._ctx, x._level = handle, c, level
            made.append(x)
        return made

    def _keep_outside(self):
        """From the next call on these are captures, of another fn."""
        known = {id(x) for x in self.captured}
        new = [x for x in self.trace.outside.values() if id(x) not in known]
        self.trace.outside = {}
        if new:
            self.captured += new
            self.fn = self.made = None

    def address(self, leaves):
        """The arguments in memory, for what is asked about a call."""
        if self.fn is None:
            self.make()
        self.pack(self.leaf, 0, *[leaves[k]._h for k in self.order])
        return self.args_at, self.nargs


def _traced(entry, groups):
    entry = entry.current or entry
    return entry.function()._traced(entry, *groups)


class Again(Exception):
    """A body found that the fn has to be made in another way, which is known now."""


class _Fn:
    """Owns a fn."""

    def __init__(self, c, at):
        self.c, self.at = c, at
        c.fns.add(self)

    def forget(self):
        """The context closes."""
        self.at = None

    def __del__(self):
        c = self.c
        if not self.at or not c.root.alive:
            return
        if not c.free():
            c.pending_fns.append(self.at)
            return
        lib.tsr_fn_release_at(None, self.at)
        if c.pending or c.pending_fns:
            c.drain()
        if c.cancelled:
            c.settle()


def _plain(args):
    """Are all arguments arrays that can be used?"""
    for x in args:
        if type(x) is not Array or not x._level.alive:
            return False
    return True


def name_of(function):
    """What messages call a function: letters, digits and _."""
    name = getattr(function, "__name__", type(function).__name__)
    return "lambda_" if name == "<lambda>" else "".join(
        ch if ch.isalnum() and ch.isascii() else "_" for ch in name) or "function"


def numbers(given):
    """Argument numbers: None, one, or several."""
    if given is None:
        return ()
    return (given,) if isinstance(given, int) else tuple(given)


class Function:
    """A function of arrays and trees of them, which the library runs as a program. What is static
    is part of the program: arguments by number or name, which can be keys of a dict."""

    def __init__(self, function, *, static_argnums=None, static_argnames=None, name=None):
        if not callable(function):
            raise TypeError(f"{function!r} is no function")
        self.function = function
        self.name = name or name_of(function)
        self.static_argnums = numbers(static_argnums)
        names = (static_argnames,) if isinstance(static_argnames, str) else static_argnames
        self.static_argnames = tuple(names or ())
        if self.static_argnums or self.static_argnames:
            self._static_both()
        self._static_from_behind = sorted(self.static_argnums, reverse=True)
        self.entries = {}
        self.read = self.read_entry = None  # leaves of arguments like those of the last call
        self.latest = None  # the Entry of the last call of arrays alone
        try:
            functools.update_wrapper(self, function, updated=())
        except AttributeError:
            pass

    def _static_both(self):
        """What is static by number is so by name, and the other way round."""
        try:
            names = list(inspect.signature(self.function).parameters)
        except (TypeError, ValueError):
            return
        count = len(names)
        found = [k % count for k in self.static_argnums if -count <= k < count]
        self.static_argnums = tuple(dict.fromkeys(
            [*found, *(names.index(n) for n in self.static_argnames if n in names)]))
        self.static_argnames = tuple(dict.fromkeys(
            [*self.static_argnames, *(names[k] for k in self.static_argnums)]))

    def __get__(self, instance, owner=None):
        return self if instance is None else functools.partial(self, instance)

    def __repr__(self):
        return f"<{type(self).__name__.lower()} of {self.name}>"

    # ---- a call

    def __call__(self, *args, **keywords):
        entry = self.latest
        if entry is not None and not keywords and len(args) == entry.only and \
                entry.takes(args):
            return self._result(entry, entry.again(args))
        if self.read is not None:
            entry, leaves = self.read_entry, self.read((args, keywords))
            if leaves is not None and entry.takes(leaves):
                return self._result(entry, entry.again(leaves))
        return self.called(args, keywords)[1]

    def forget(self):
        """Forgets its programs: the next call traces the function again."""
        self.entries.clear()
        self.read = self.read_entry = self.latest = None

    def called(self, args, keywords):
        """The Entry of a call, and its result."""
        entry, leaves = self._entry(args, keywords)
        if entry.takes(leaves):
            return entry, self._result(entry, entry.again(leaves))
        try:
            return entry, self._result(entry, entry.call(leaves))
        except Again:
            entry.fn = entry.made = None
            return entry, self._result(entry, entry.call(leaves))

    def _entry(self, args, keywords):
        """The Entry of a call, and the arrays that it takes."""
        static = types = ()
        if self.static_argnums or self.static_argnames:
            args, keywords, static = self._apart(args, keywords)
            types = tuple(type(x) for _, x in static)  # 1, 1.0 and True are equal
        if not keywords and args and _plain(args):
            leaves, key = args, (len(args), static, types)
            c = leaves[0]._ctx
            entry = self.entries.get(key)
            if entry is None or entry.c is not c or entry.many:
                tree = _tree.structure((tuple(args), {}))
                entry = self._made(c, tree, key, static, leaves)
            if not static and not self.static_argnums and self.entries[key] is entry:
                entry.only = len(args)
                self.latest = entry
            else:
                self.latest = None
            if c.trace is not None:
                c.trace.used(*leaves)
        else:
            leaves, tree = _tree.flatten((tuple(args), keywords))
            c = _call.context_of(*leaves)
            if c.trace is not None or not _plain(leaves):
                leaves = [c.handle(x) for x in leaves]
            key = (tree, static, types)
            entry = self.entries.get(key)
            if entry is None or entry.c is not c or entry.many:
                entry = self._made(c, tree, key, static, leaves)
            elif not self.static_argnums and not static and self.read_entry is not entry:
                self.read, self.read_entry = _tree.reader(tree, _LEAVES), entry
        return entry, leaves

    def _made(self, c, tree, key, static, leaves):
        entry = self.entries.get(key)
        typed = entry is not None and entry.many and entry.c is c
        if typed:  # one for each type of arguments
            key = (key, tuple(x.type_text for x in leaves))
            entry = self.entries.get(key)
        if entry is None or entry.c is not c:
            entry = self.entries[key] = self._new(c, tree)
            entry.static, entry.typed = static, typed
        return entry

    def _apart(self, args, keywords):
        """What is static, apart from what is not."""
        kept, static = list(args), []
        for k in self._static_from_behind:
            if k < len(args):
                static.append((k, kept.pop(k)))
        static.reverse()
        rest = keywords
        if keywords:
            static += [(n, keywords[n]) for n in self.static_argnames if n in keywords]
            rest = {n: x for n, x in keywords.items() if n not in self.static_argnames}
        static = tuple(static)
        try:
            hash(static)
        except TypeError:
            raise TypeError(f"a static argument of {self.name} cannot be a key: "
                            f"{static!r}") from None
        return tuple(kept), rest, static

    def _together(self, args, keywords, static):
        args, keywords = list(args), dict(keywords)
        for k, x in sorted((s for s in static if isinstance(s[0], int)), key=lambda s: s[0]):
            args.insert(k, x)
        keywords.update((n, x) for n, x in static if isinstance(n, str))
        return args, keywords

    donated, donated_names = (), ()

    def _apart_given_up(self, tree):
        """The leaves that a call gives up in front of the others, if there are any."""
        given_up = self._given_up(tree) if self.donated or self.donated_names else ()
        rest = [k for k in range(tree.count) if k not in given_up]
        return [sorted(given_up), rest] if given_up else [rest]

    def _given_up(self, tree):
        """The numbers of the leaves that a call gives up."""
        args, keywords = tree.unflatten(range(tree.count))
        count = len(args) + len(self.static_argnums)
        numbers_left = [k for k in range(count) if k not in self.static_argnums]
        found = set()
        for k in self.donated:
            if k % max(count, 1) in numbers_left:
                found.update(_tree.leaves(args[numbers_left.index(k % count)]))
        for name in self.donated_names:
            if name in keywords:
                found.update(_tree.leaves(keywords[name]))
        return found

    # ---- what kinds of functions differ in

    def _new(self, c, tree):
        """The Entry for arguments of this structure."""
        return Entry(self, c, tree, [list(range(tree.count))], [None])

    def _make(self, c, entry, body):
        """The fn."""
        args = record("tsr_jit_args")(size=ctypes.sizeof(record("tsr_jit_args")))
        body.fill(args, self.name)
        return lib.tsr_jit_at(c.place(), c.pointer, _body.body_of(), None,
                              ctypes.addressof(args))

    def _traced(self, entry, *groups):
        """The body: lists of arrays, one for each argument, to such lists of results."""
        leaves = self._leaves(entry, groups)
        out, tree = _tree.flatten(self._python(entry, leaves))
        entry.out(tree)
        entry.returned(0, len(out))
        return [out]

    @staticmethod
    def _leaves(entry, groups):
        """The arrays of all groups, in the order of the tree of arguments."""
        leaves = [None] * len(entry.order)
        for k, x in zip(entry.order, [x for group in groups for x in group]):
            leaves[k] = x
        return leaves

    def _python(self, entry, leaves):
        """Calls the Python function."""
        args, keywords = entry.tree.unflatten(leaves)
        args, keywords = self._together(args, keywords, entry.static)
        return self.function(*args, **keywords)

    def _result(self, entry, results):
        """What the caller gets of the arrays of the results."""
        if entry.out_tree is _tree.ONE:
            return results[0][0]
        return entry.out_tree.unflatten(results[0])

    # ---- what is asked about a call

    def _asked(self, symbol, args, keywords):
        entry, leaves = self._entry(args, keywords)
        at, n = entry.address(leaves)
        c = entry.c
        return c, getattr(lib, symbol), entry.fn, at, n

    def text(self, *args, **keywords):
        """The text of the program that such a call would run."""
        c, ask, fn, at, n = self._asked("tsr_fn_text_at", args, keywords)
        return c.text(ask, c.place(), fn, at, n)

    def compiled_text(self, *args, **keywords):
        """The same for what each device runs."""
        c, ask, fn, at, n = self._asked("tsr_fn_compiled_text_at", args, keywords)
        return c.text(ask, c.place(), fn, at, n)

    def graph(self, *args, **keywords):
        """The program as a graph, in the language of Graphviz."""
        c, ask, fn, at, n = self._asked("tsr_fn_graph_at", args, keywords)
        return c.text(ask, c.place(), fn, at, n)

    def compiled_graph(self, *args, **keywords):
        """The same for what each device runs."""
        c, ask, fn, at, n = self._asked("tsr_fn_compiled_graph_at", args, keywords)
        return c.text(ask, c.place(), fn, at, n)

    def explain_text(self, *args, **keywords):
        """What a call exchanges between devices and costs."""
        c, ask, fn, at, n = self._asked("tsr_explain_text_at", args, keywords)
        return c.text(ask, c.place(), fn, at, n)

    def explain_json(self, *args, **keywords):
        """The same as JSON."""
        c, ask, fn, at, n = self._asked("tsr_explain_json_at", args, keywords)
        return c.text(ask, c.place(), fn, at, n)

    def explain_html(self, *args, **keywords):
        """The same as a page."""
        c, ask, fn, at, n = self._asked("tsr_explain_html_at", args, keywords)
        return c.text(ask, c.place(), fn, at, n)

    def explain(self, *args, measured=False, **keywords):
        """Prints what a call exchanges and costs; with measured=True also what its steps took."""
        symbol = "tsr_explain_measured_at" if measured else "tsr_explain_at"
        c, ask, fn, at, n = self._asked(symbol, args, keywords)
        ask(c.place(), fn, at, n)
        c.check()

    def costs(self, *args, **keywords):
        """What a call costs, as a dict."""
        c, ask, fn, at, n = self._asked("tsr_fn_costs_at", args, keywords)
        costs = record("tsr_costs")()
        if hasattr(costs, "size"):
            costs.size = ctypes.sizeof(costs)
        ask(c.place(), fn, ctypes.addressof(costs), at, n)
        c.check()
        return {name: getattr(costs, name) for name, _ in costs._fields_ if name != "size"}

    def expect_collectives(self, expected, *args, **keywords):
        """Raises an error unless a call has such collectives: "psum=1 bytes<=4096"."""
        c, ask, fn, at, n = self._asked("tsr_expect_collectives_at", args, keywords)
        ask(c.place(), expected.encode(), fn, at, n)
        c.check()

    def time(self, *args, runs=7, loops=0, **keywords):
        """How long calls take, as the text that %timeit prints."""
        c, ask, fn, at, n = self._asked("tsr_time_at", args, keywords)
        timing = ask(c.place(), runs, loops, fn, at, n)
        c.check()
        return c.text(lib.tsr_timing_text_at, c.place(), c.pointer, timing)

    def stats(self):
        """Calls, traces, hits and compiles, summed over its fns."""
        total = {}
        for entry in self.entries.values():
            if entry.fn is None:
                continue
            info = record("tsr_fn_info")(size=ctypes.sizeof(record("tsr_fn_info")))
            lib.tsr_fn_stats_fill(entry.fn, ctypes.addressof(info))
            for name, _ in info._fields_[1:]:
                total[name] = total.get(name, 0) + getattr(info, name)
        return total


class Jit(Function):
    """jit(f): f as one program. Arguments in donate_argnums are given up by a call; in_shardings
    and out_shardings say where arguments and results are."""

    def __init__(self, function, *, donate_argnums=None, donate_argnames=None, in_shardings=None,
                 out_shardings=None, **keywords):
        super().__init__(function, **keywords)
        self.donated = numbers(donate_argnums)
        names = (donate_argnames,) if isinstance(donate_argnames, str) else donate_argnames
        self.donated_names = tuple(names or ())
        self.in_shardings, self.out_shardings = in_shardings, out_shardings

    def _new(self, c, tree):
        return Entry(self, c, tree, self._apart_given_up(tree), [None])

    def _make(self, c, entry, body):
        kind = record("tsr_jit_args")
        args = kind(size=ctypes.sizeof(kind))
        body.fill(args, self.name)
        if len(entry.groups) == 2:
            args.donate = _call.dims((0,))
        return lib.tsr_jit_at(c.place(), c.pointer, _body.body_of(), None,
                              ctypes.addressof(args))

    def _python(self, entry, leaves):
        from ._mesh import with_sharding_constraint
        if self.in_shardings is not None:
            args, keywords = entry.tree.unflatten(leaves)
            args = _constrained(args, self.in_shardings)
            args, keywords = self._together(args, keywords, entry.static)
            out = self.function(*args, **keywords)
        else:
            out = super()._python(entry, leaves)
        if self.out_shardings is not None:
            out = with_sharding_constraint(out, self.out_shardings)
        return out


def _constrained(args, shardings):
    """Arguments where shardings say, but for those of which None says nothing."""
    from ._mesh import Sharding, _constrained as constrained
    leaves, tree = _tree.flatten(tuple(args))
    to = _tree.broadcast(tuple(shardings) if isinstance(shardings, list) else shardings, tree,
                         lambda s: isinstance(s, Sharding))
    return tree.unflatten([x if s is None else constrained(x, s) for x, s in zip(leaves, to)])


def decorated(kind):
    """A class of Functions as a function that is also a decorator: jit(f, ...), @jit,
    @jit(static_argnums=1)."""
    @functools.wraps(kind, updated=())
    def make(function=None, *args, **keywords):
        if function is None:
            return lambda f: kind(f, *args, **keywords)
        return kind(function, *args, **keywords)
    make.__doc__ = kind.__doc__
    make.__name__ = kind.__name__.lower()
    return make


jit = decorated(Jit)
