"""_interrupt.py - cancels a run at Ctrl-C, so that Python can raise KeyboardInterrupt.

Python notes a signal at once and acts on it when the function of C that it is in has returned; a
run may take hours. But it also writes the number of each signal to a file that may be set
(signal.set_wakeup_fd). A thread reads it: if the main thread is in a call of this package, and a
moment later still in the same one, the runs of its contexts are cancelled, the call returns, and
Python raises KeyboardInterrupt there. Without that moment a call that the program makes after it
has caught the exception could be cancelled for the same signal.

A context without a run keeps a cancellation for the next one. Context.settle() takes it back before
that; Context.cancelled says that there may be one."""
import os
import signal
import sys
import threading
import time

from ._lib import quick

_HERE = os.path.dirname(os.path.abspath(__file__))
_MOMENT = .02  # seconds
_watching = False


def watch(contexts):
    """Begins to watch for Ctrl-C, for a set of contexts, unless somebody else reads signals from a
    file. To be called by the main thread, when a context opens."""
    global _watching
    if _watching or threading.current_thread() is not threading.main_thread():
        return
    ours, pythons = os.pipe()
    os.set_blocking(pythons, False)
    before = signal.set_wakeup_fd(pythons, warn_on_full_buffer=False)
    if before != -1:
        signal.set_wakeup_fd(before)
        os.close(ours)
        os.close(pythons)
        return
    _watching = True
    threading.Thread(target=_watch, args=(ours, contexts), daemon=True, name="tsr").start()


def _watch(signals, contexts):
    while True:
        numbers = os.read(signals, 64)
        if not numbers:
            return
        # a handler of the program's may want it to go on
        if signal.SIGINT in numbers and _in_long_call() and \
                signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            _cancel(contexts)


def _in_long_call():
    """Is the main thread in a call of this package that does not return within a moment?"""
    frame, at = _main_thread()
    if frame is None or not frame.f_code.co_filename.startswith(_HERE):
        return False
    time.sleep(_MOMENT)
    return _main_thread() == (frame, at)


def _main_thread():
    """The frame that the main thread is in, and the place in it."""
    frame = sys._current_frames().get(threading.main_thread().ident)
    return frame, frame and frame.f_lasti


def _cancel(contexts):
    main = threading.main_thread().ident
    for context in list(contexts):
        if context.thread == main:
            context.cancelled = True
            quick.tsr_cancel(context.pointer)


def _forked():
    """In a new process: its signals are not those of the one before."""
    global _watching
    if _watching:
        signal.set_wakeup_fd(-1)
        _watching = False


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
