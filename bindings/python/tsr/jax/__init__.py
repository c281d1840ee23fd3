"""tsr.jax - runs JAX scripts on Tessera: modules that replace JAX's, by their names.

    python -m tsr.jax script.py      as if jax, flax.nnx and chex were there
    import tsr.jax; tsr.jax.install()    the same for the imports that follow

Use of anything missing is an error that names it; docs/jax-scripts.md says what there is."""
from ._install import install

__all__ = ["install"]
