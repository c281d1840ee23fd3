"""_backend.py - the virtual devices of a script: how many XLA_FLAGS or jax_num_cpu_devices say, at
the first use of any; and jax.config."""
import os
import re

from .. import _context
from . import _dtypes
from ._names import near

__version__ = "0.10.2"  # the JAX whose names, texts and numbers these are


class Config:
    """jax.config: what can be set."""

    def __init__(self):
        self._values = {"jax_num_cpu_devices": -1, "jax_enable_x64": False,
                        "jax_platforms": "cpu", "jax_platform_name": "cpu",
                        "jax_threefry_partitionable": True, "jax_debug_nans": False,
                        "jax_default_matmul_precision": None, "jax_log_compiles": False}

    def update(self, name, value):
        """Sets a value; what the library cannot do is an error."""
        if name not in self._values:
            raise AttributeError(f"jax.config on Tessera has no {name!r}; "
                                 f"{near(name, self._values)}")
        if name == "jax_enable_x64" and opened() and bool(value) != self.jax_enable_x64:
            raise RuntimeError("jax_enable_x64 on Tessera has to be set before the first use of a "
                               "device")
        if name == "jax_num_cpu_devices" and opened():
            raise RuntimeError("jax_num_cpu_devices config should be updated before backends are "
                               "initialized i.e. before any JAX operation is executed.")
        fixed = {"jax_platforms": ("cpu", None, ""), "jax_platform_name": ("cpu",),
                 "jax_threefry_partitionable": (True,), "jax_debug_nans": (False,),
                 "jax_default_matmul_precision": (None, "highest", "float32")}
        if name in fixed and value not in fixed[name]:
            raise NotImplementedError(f"{name}={value!r} on Tessera: it can be "
                                      f"{' or '.join(map(repr, fixed[name]))}")
        self._values[name] = value
        if name == "jax_enable_x64":
            _dtypes.config["x64"] = bool(value)

    def __getattr__(self, name):
        if name in self._values:
            return self._values[name]
        raise AttributeError(f"jax.config on Tessera has no {name!r}; {near(name, self._values)}")


config = Config()
_made = []


def opened():
    """Has the script used a device?"""
    return bool(_made) and _made[0].root.alive


def context():
    """The context of the script, which the first use opens."""
    if not opened():
        wide = {"dtype": "float64"} if config.jax_enable_x64 else {}
        _made[:] = [_context.init(_count(), **wide)]
    return _context.current()


def _count():
    said = config.jax_num_cpu_devices
    if said >= 0:
        return max(said, 1)
    found = re.findall(r"--xla_force_host_platform_device_count=(\d+)",
                       os.environ.get("XLA_FLAGS", ""))
    return int(found[-1]) if found else int(os.environ.get("TSR_DEVICES", "1"))


def _of_platform(backend):
    if backend not in (None, "cpu"):
        raise RuntimeError(f"Unknown backend {backend}: the devices of Tessera are cpu")


def devices(backend=None):
    """All devices."""
    _of_platform(backend)
    return context().devices()


def local_devices(process_index=None, backend=None, host_id=None):
    """The devices of this process: all."""
    return devices(backend)


def device_count(backend=None):
    """How many devices there are."""
    return len(devices(backend))


local_device_count = device_count


def default_backend():
    """The platform."""
    return "cpu"


def process_index(backend=None):
    """Which process this is: the first."""
    return 0


def process_count(backend=None):
    """How many processes there are."""
    return 1


def set_n_cpu_devices(n=None):
    """chex's: so many devices, before the first use of one."""
    n = int(os.environ.get("CHEX_N_CPU_DEVICES", "1")) if n is None else n
    if opened() and device_count() != n:
        raise RuntimeError(f"Attempted to set {n} devices, but {device_count()} CPUs already "
                           "available: ensure that `set_n_cpu_devices` is executed before any JAX "
                           "operation.")
    config._values["jax_num_cpu_devices"] = n


Device = _context.Device
