"""test_lives.py - memory of loops: 10^5 calls hold it flat, by the system's count, by the library's
and by that of live handles; functions, their bodies and arrays go with their objects."""
import gc
import sys
import threading
import unittest
import weakref

import tsr
from tsr import _body

CALLS = 100000
KIB = 1024


def resident():
    """KiB of memory that this process holds now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4


class Lives(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.c = tsr.init(devices=2)

    def counted(self):
        gc.collect()
        return resident(), self.c.memory()["in_use"], len(self.c.live), len(_body._bodies)

    def flat(self, step, calls, most=2 * KIB):
        """Nothing grows, once programs are compiled: what leaks does so in each of three rounds."""
        for _ in range(max(calls // 10, 100)):
            step()
        grown = []
        for _ in range(3):
            before = self.counted()
            for _ in range(calls):
                step()
            grown.append([b - a for a, b in zip(before, self.counted())])
            if grown[-1][0] < most and grown[-1][1] < 64 * KIB and grown[-1][2:] == [0, 0]:
                return
        self.fail(f"KiB of the process, bytes of the context, handles, bodies: {grown}")

    def test_calls(self):
        x = tsr.ones((16,))
        f = tsr.jit(lambda x: x * 2 + 1)
        self.flat(lambda: f(x + 1), CALLS)

    def test_operations_with_keywords(self):
        x = tsr.ones((4, 4))
        self.flat(lambda: (tsr.sum(x, axis=0), x[1], x.at[0].set(2.0), x + [1, 2, 3, 4]), 5000)

    def test_functions(self):
        x = tsr.ones((4,))
        self.flat(lambda: tsr.grad(lambda x: tsr.sum(x * x))(x), 1000, 8 * KIB)

    def test_errors(self):
        def bad(x):
            raise ValueError("no")

        def step():
            try:
                tsr.jit(bad)(x)
            except ValueError:
                pass
            try:
                x + tsr.ones((5,))
            except tsr.Error:
                pass

        x = tsr.ones((4,))
        self.flat(step, 1000, 8 * KIB)

    def test_big_results_go_at_once(self):
        x = tsr.ones((1 << 20,))
        base = self.c.memory()["in_use"]
        for _ in range(50):
            x + 1
        self.assertLess(self.c.memory()["in_use"] - base, 9 << 20)

    def test_functions_go(self):
        class Model:
            pass

        model = Model()
        gone = weakref.ref(model)
        f = tsr.jit(lambda x, model=model: x)
        f(tsr.ones((2,)))
        bodies = len(_body._bodies)
        del f, model
        gc.collect()
        self.assertIsNone(gone())
        self.assertEqual(len(_body._bodies), bodies - 1)

    def test_arrays_of_other_threads(self):
        x = [tsr.ones((4,))]
        live = len(self.c.live)
        thread = threading.Thread(target=x.clear)
        thread.start()
        thread.join()
        tsr.ones((2,))  # dropped by the thread of the context
        gc.collect()
        self.assertEqual(len(self.c.live), live - 1)

    def test_functions_of_functions_and_other_threads(self):
        bodies = len(_body._bodies)
        for _ in range(3):
            inner = tsr.jit(lambda x: x * 2)
            inner(tsr.ones((2,)))
            f = [tsr.jit(lambda x, inner=inner: inner(x))]
            f[0](tsr.ones((2,)))
            del inner
            thread = threading.Thread(target=f.clear)
            thread.start()
            thread.join()
        gc.collect()
        tsr.jit(lambda x: x)(tsr.ones((2,)))  # the thread of the context lets them go
        gc.collect()
        self.assertEqual(len(_body._bodies), bodies)

    def test_release_holds_arrays(self):
        # what a body closes over goes while the library releases the fn
        live = len(self.c.live)
        for _ in range(3):
            w = tsr.ones((4,))
            f = tsr.jit(lambda x, w=w: x + w)
            f(w)
            del w, f
        gc.collect()
        tsr.ones((1,))
        self.assertEqual(len(self.c.live), live)


if __name__ == "__main__":
    sys.exit(unittest.main())
