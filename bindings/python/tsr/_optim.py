"""_optim.py - optimisers and schedules: the state of a training, its steps, initial parameters."""
import ctypes

from . import _body, _call, _tree
from ._array import wrap
from ._call import adopted, owned
from ._fn import Entry, Function, name_of
from ._lib import lib, record

__all__ = ["Optimizer", "piecewise_constant_schedule", "join_schedules", "train_step",
           "make_params"]


class Slots:
    """The handles of a tree's leaves, in memory."""

    def __init__(self, c, leaves):
        self.arrays = [None if x is None else c.handle(x) for x in leaves]
        self.slots = (ctypes.c_uint64 * max(len(leaves), 1))(
            *(x._h if x is not None else 0 for x in self.arrays))
        self.tree = record("tsr_tree")(leaf=ctypes.addressof(self.slots), count=len(leaves))

    def owned(self, c):
        """Arrays of other handles to the same values."""
        return [None if x is None else owned(c, x) for x in self.arrays]


def _taken(c, handles, root):
    """Arrays of handles: outside of bodies the library has made them owned ones."""
    own = adopted if root else wrap
    return [own(c, handle) if handle else None for handle in handles]


class Optimizer:
    """An optimiser: opt = adam(1e-3); state = opt.init(params); params, state =
    opt.update(gradients, params, state). It has no state of its own."""

    def __init__(self, c, at):
        self._ctx, self._pointer = c, at

    def init(self, params):
        """The state before the first step, a list of arrays."""
        c = self._ctx
        leaves, _ = _tree.flatten(params)
        given = Slots(c, leaves)
        with c.scope():  # the leaves are owned, and the list is not
            state = lib.tsr_optimizer_init_at(c.place(), self._pointer, given.tree)
            handles = (ctypes.c_uint64 * state.count).from_address(state.leaf)[:] \
                if state.count else []
        c.check()
        return _taken(c, handles, c.level.root)

    def update(self, gradients, params, state):
        """The next parameters and state."""
        c = self._ctx
        leaves, tree = _tree.flatten(params)
        given = Slots(c, _tree.up_to(tree, gradients))
        before = [Slots(c, leaves), Slots(c, list(state))]
        root = c.level.root
        if root:  # the slots of both become owned ones of the library, and ours again
            before = [Slots(c, slots.owned(c)) for slots in before]
        with c.scope():
            lib.tsr_optimizer_update_at(c.place(), self._pointer, given.tree, before[0].tree,
                                        before[1].tree)
        c.check()
        if root:
            for slots in before:
                for x in slots.arrays:  # their handles were replaced, and dropped then
                    if x is not None:
                        c.live.discard(x._h)
                        x._level = _GONE
        new = [_taken(c, slots.slots[:len(slots.arrays)], root) for slots in before]
        return tree.unflatten(new[0]), new[1]

    def ema(self, params, state):
        """The averages of ema_params(), a tree like params; None if there are none."""
        c = self._ctx
        leaves, tree = _tree.flatten(params)
        own, all_ = Slots(c, leaves), Slots(c, list(state))
        part = lib.tsr_optimizer_ema(self._pointer, own.tree, all_.tree)
        if not part.count:
            return None
        first = (part.leaf - ctypes.addressof(all_.slots)) // 8
        return tree.unflatten(list(state)[first:first + part.count])


class _Gone:
    root = alive = False


_GONE = _Gone()


def _listed(name, pairs):
    kind = record(name)
    return (kind * max(len(pairs), 1))(*pairs)


def piecewise_constant_schedule(init_value, boundaries_and_scales):
    """init_value times the scales of all steps that are reached: {500: 0.1, 900: 0.1}."""
    c = _call.current()
    pairs = _listed("tsr_boundary", sorted(boundaries_and_scales.items()))
    return c.fn(lib.tsr_piecewise_constant_schedule_at(
        c.place(), c.pointer, init_value, ctypes.addressof(pairs), len(boundaries_and_scales)))


def join_schedules(schedules, boundaries):
    """Schedules one behind the other, which begin at step 0 and at the boundaries."""
    c = _call.current()
    pairs = _listed("tsr_phase", [(start, s._pointer)
                                  for start, s in zip([0, *boundaries], schedules)])
    made = c.fn(lib.tsr_join_schedules_at(c.place(), c.pointer, ctypes.addressof(pairs),
                                          len(schedules)))
    made.parts = list(schedules)
    return made


class TrainStep(Function):
    """train_step(loss, optimizer): step(params, state, *args) gives (loss, params, state), and with
    has_aux (loss, params, state, aux). Parameters and state are given up by the call."""

    def __init__(self, function, optimizer, *, has_aux=False, name=None):
        super().__init__(function, name=name)
        self.optimizer, self.has_aux = optimizer, has_aux

    def _new(self, c, tree):
        args, _ = tree.unflatten(range(tree.count))
        groups = [_tree.leaves(args[0]), _tree.leaves(args[1])]
        rest = [k for k in range(tree.count) if k not in {*groups[0], *groups[1]}]
        entry = Entry(self, c, tree, [*groups, *[rest] * bool(rest)],
                      [1, len(groups[0]), len(groups[1]), *[None] * self.has_aux])
        entry.params = _tree.structure(args[0])
        return entry

    def _make(self, c, entry, body):
        jit = record("tsr_jit_args")(size=ctypes.sizeof(record("tsr_jit_args")))
        body.fill(jit, name_of(self.function))
        entry.loss = lib.tsr_jit_at(c.place(), c.pointer, _body.body_of(), None,
                                    ctypes.addressof(jit))
        kind = record("tsr_train_step_args")
        args = kind(size=ctypes.sizeof(kind), has_aux=self.has_aux)
        of = record("tsr_body")(form=_body.FRAME, fn=entry.loss)
        made = lib.tsr_train_step_at(c.place(), c.pointer, of, None, self.optimizer._pointer,
                                     ctypes.addressof(args))
        lib.tsr_fn_release_at(None, entry.loss)  # the step holds it
        return made

    def _traced(self, entry, params, rest=()):
        args, keywords = entry.tree.unflatten(range(entry.tree.count))
        at = {k: x for k, x in zip(entry.groups[2] if len(entry.groups) > 2 else [], rest)}
        args = [entry.params.unflatten(params), *_tree.map(at.get, tuple(args[2:]))]
        out = self.function(*args, **_tree.map(at.get, keywords))
        loss, aux = out if self.has_aux else (out, None)
        aux, tree = _tree.flatten(aux)
        entry.out(tree)
        if self.has_aux:
            entry.returned(3, len(aux))
        return [entry.c.handle(loss), *[aux] * self.has_aux]

    def _result(self, entry, results):
        made = results[0][0], entry.params.unflatten(results[1]), results[2]
        return (*made, entry.out_tree.unflatten(results[3])) if self.has_aux else made


def train_step(loss, optimizer, **keywords):
    return TrainStep(loss, optimizer, **keywords)


train_step.__doc__ = TrainStep.__doc__


def make_params(key, params, mesh=None):
    """A tree of arrays, each drawn as a leaf of `params` says: (shape, init_kaiming_normal) or
    (shape, initializer, spec). Leaf k is drawn with fold_in(key, k)."""
    from ._made.random import fold_in
    leaves, tree = _tree.flatten(params, lambda p: isinstance(p, tuple) and callable(p[1]))
    made = []
    for k, (shape, initializer, *spec) in enumerate(leaves):
        x = initializer(fold_in(key, k), shape)
        if mesh is not None:
            from ._mesh import NamedSharding, P, device_put
            x = device_put(x, NamedSharding(mesh, spec[0] if spec else P()))
        made.append(x)
    return tree.unflatten(made)
