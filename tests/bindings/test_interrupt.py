"""test_interrupt.py - Ctrl-C while a program runs raises KeyboardInterrupt soon, and all that there
was can be used afterwards. Each script runs by itself; a signal is sent to it at each "now"."""
import os
import signal
import subprocess
import sys
import time
import unittest

SCRIPT = """
import os, signal, sys, time
import tsr
tsr.init(devices=2)
long = tsr.jit(lambda n, x: tsr.fori_loop(0, n, lambda i, x: tsr.sin(x) + 1e-3, x))
n, x = tsr.array(10**9), tsr.ones((100,))
short = long(tsr.array(2), x)
again = tsr.jit(lambda x: x + 1)
again(x), again(x)

def now():
    print("now", flush=True)

def interrupted(call, tell=now):
    begin = time.monotonic()
    try:
        tell()
        call()
    except KeyboardInterrupt:
        print("interrupted", time.monotonic() - begin < 20, flush=True)
    else:
        print("went on", flush=True)

def usable():
    print((x + x).tolist()[0], again(x).tolist()[0], tsr.sum(x).item(),
          abs(long(tsr.array(2), x).tolist()[0] - short.tolist()[0]))
"""


class Interrupt(unittest.TestCase):
    def prints(self, text):
        with subprocess.Popen([sys.executable, "-c", SCRIPT + text], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True) as ran:
            lines = []
            for line in ran.stdout:
                if line == "now\n":
                    time.sleep(.15)
                    os.kill(ran.pid, signal.SIGINT)
                    print("sent", file=ran.stdin, flush=True)
                else:
                    lines.append(line.rstrip())
        self.assertEqual(ran.returncode, 0)
        return lines

    USABLE = "2.0 2.0 100.0 0.0"

    def test_jit(self):
        """A jitted call, three times; and at once after it each way to use the library."""
        for after in ("x + x", "again(x)", "tsr.sum(x)", "long(tsr.array(3), x)", "x.tolist()",
                      "tsr.grad(lambda y: tsr.sum(y * y))(x)", "tsr.zeros((3,)).tolist()"):
            lines = self.prints(f"interrupted(lambda: long(n, x)); {after}; usable()")
            with self.subTest(after):
                self.assertEqual(lines, ["interrupted True", self.USABLE])
        lines = self.prints("for _ in range(3):\n"
                            "    interrupted(lambda: long(n, x)); usable()")
        self.assertEqual(lines, ["interrupted True", self.USABLE] * 3)

    def test_eager(self):
        lines = self.prints(
            "interrupted(lambda: tsr.fori_loop(0, 10**9, lambda i, x: x + 1, x)); usable()")
        self.assertEqual(lines, ["interrupted True", self.USABLE])
        lines = self.prints(
            "g = tsr.grad(lambda x: tsr.sum(tsr.fori_loop(0, 10**8, lambda i, x: x * .5, x)))\n"
            "interrupted(lambda: g(x)); usable()")
        self.assertEqual(lines, ["interrupted True", self.USABLE])

    def test_not_in_a_run(self):
        """In Python's own code, in a body and in a callback: nothing is left of it."""
        lines = self.prints("def sleep(x):\n    now(); time.sleep(30)\n    return x\n"
                            "for call in (lambda: sleep(x), lambda: tsr.jit(sleep)(x),\n"
                            "             lambda: tsr.debug_callback(sleep, x)):\n"
                            "    interrupted(call, lambda: None); usable()")
        self.assertEqual(lines, ["interrupted True", self.USABLE] * 3)

    def test_handlers(self):
        """Where it is ignored, or a handler of the program's takes it, the run goes on. A script
        that ends before the signal comes, as Python takes handlers away, would end by it."""
        for handler in ("signal.SIG_IGN", "lambda *_: print('seen')"):
            lines = self.prints(f"signal.signal(signal.SIGINT, {handler})\n"
                                "some = tsr.array(10**6)\n"
                                "interrupted(lambda: long(some, tsr.ones((1000,)))); "
                                "usable(); sys.stdin.readline()")
            with self.subTest(handler):
                self.assertEqual([line for line in lines if line != "seen"],
                                 ["went on", self.USABLE])


if __name__ == "__main__":
    unittest.main()
