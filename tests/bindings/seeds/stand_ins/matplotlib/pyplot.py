"""pyplot.py - plot() takes everything that NumPy can read, and draws nothing."""
import numpy as np


def plot(*args, **_):
    """Reads its arguments as matplotlib would."""
    for x in args:
        np.asarray(x, dtype=float)
