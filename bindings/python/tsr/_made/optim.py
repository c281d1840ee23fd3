"""optim.py - the functions of tsr/optim.h; tools/make_bindings.py made it of api/."""
from .._call import context_of, listed, pointer
from .._lib import lib
from .._types import Any, DTypeLike, Optional

__all__ = ["adafactor", "adam", "adamw", "chain", "clip_by_global_norm", "constant_schedule",
           "cosine_decay_schedule", "ema_params", "exponential_decay", "linear_schedule", "lion",
           "multi_steps", "polynomial_schedule", "sgd", "warmup_cosine_decay_schedule"]

_constant_schedule = lib.tsr_constant_schedule_at
_linear_schedule = lib.tsr_linear_schedule_at
_polynomial_schedule = lib.tsr_polynomial_schedule_at
_cosine_decay_schedule = lib.tsr_cosine_decay_schedule_at
_exponential_decay = lib.tsr_exponential_decay_at
_warmup_cosine_decay_schedule = lib.tsr_warmup_cosine_decay_schedule_at
_sgd = lib.tsr_sgd_at
_adam = lib.tsr_adam_at
_adamw = lib.tsr_adamw_at
_lion = lib.tsr_lion_at
_adafactor = lib.tsr_adafactor_at
_clip_by_global_norm = lib.tsr_clip_by_global_norm_at
_ema_params = lib.tsr_ema_params_at
_chain = lib.tsr_chain_at
_multi_steps = lib.tsr_multi_steps_at


def constant_schedule(value: float) -> Any:
    """Always one value: constant_schedule(1e-3)."""
    c = context_of()
    return c.fn(_constant_schedule(c.place(), c.pointer, value))


def linear_schedule(init_value: float, end_value: float, transition_steps: int, *,
                    transition_begin: Optional[int] = None) -> Any:
    """From init_value to end_value in equal steps, and then the latter: linear_schedule(0, 1e-3,
    100). transition_steps < 1: always init_value."""
    c = context_of()
    args = c.record("tsr_schedule_args", transition_begin=transition_begin)
    return c.fn(_linear_schedule(c.place(), c.pointer, init_value, end_value, transition_steps,
                                 args))


def polynomial_schedule(init_value: float, end_value: float, power: float, transition_steps: int,
                        *, transition_begin: Optional[int] = None) -> Any:
    """end_value + (init_value - end_value) (1 - t)^power, where t goes from 0 to 1:
    polynomial_schedule(1e-3, 0, 2, 1000)."""
    c = context_of()
    args = c.record("tsr_schedule_args", transition_begin=transition_begin)
    return c.fn(_polynomial_schedule(c.place(), c.pointer, init_value, end_value, power,
                                     transition_steps, args))


def cosine_decay_schedule(init_value: float, decay_steps: int, *, alpha: Optional[float] = None,
                          exponent: Optional[float] = None) -> Any:
    """init_value times the first half wave of a cosine, from 1 to 0 (or alpha) in decay_steps, and
    then what is left: cosine_decay_schedule(1e-3, 1000). Error (Error.ERROR_ARGUMENT): decay_steps
    < 1."""
    c = context_of()
    args = c.record("tsr_cosine_decay_args", alpha=alpha, exponent=exponent)
    return c.fn(_cosine_decay_schedule(c.place(), c.pointer, init_value, decay_steps, args))


def exponential_decay(init_value: float, transition_steps: int, decay_rate: float, *,
                      transition_begin: Optional[int] = None, staircase: Optional[bool] = None,
                      end_value: Optional[float] = None) -> Any:
    """init_value decay_rate^(step / transition_steps): exponential_decay(1e-3, 100, 0.5).
    transition_steps < 1, or a decay_rate of 0: always init_value."""
    c = context_of()
    args = c.record("tsr_exponential_decay_args", transition_begin=transition_begin,
                    staircase=staircase, end_value=end_value)
    return c.fn(_exponential_decay(c.place(), c.pointer, init_value, transition_steps, decay_rate,
                                   args))


def warmup_cosine_decay_schedule(init_value: float, peak_value: float, warmup_steps: int,
                                 decay_steps: int, *, end_value: Optional[float] = None,
                                 exponent: Optional[float] = None) -> Any:
    """linear_schedule() from init_value to peak_value in warmup_steps, and then
    cosine_decay_schedule() to end_value, which is reached at step decay_steps:
    warmup_cosine_decay_schedule(0, 1e-3, 100, 1000). Error (Error.ERROR_ARGUMENT): decay_steps is
    not more than warmup_steps."""
    c = context_of()
    args = c.record("tsr_warmup_cosine_decay_args", end_value=end_value, exponent=exponent)
    return c.fn(_warmup_cosine_decay_schedule(
            c.place(), c.pointer, init_value, peak_value, warmup_steps, decay_steps, args))


def sgd(rate: Any, *, momentum: Optional[float] = None, nesterov: Optional[bool] = None,
        dtype: DTypeLike = None, zero: Optional[str] = None) -> Any:
    """Gradient descent: sgd(0.1), sgd(0.1, momentum=0.9)."""
    c = context_of()
    rate = c.rate(rate)
    args = c.record("tsr_sgd_args", momentum=momentum, nesterov=nesterov, dtype=dtype, zero=zero)
    return c.optimizer(_sgd(c.place(), c.pointer, rate, args))


def adam(rate: Any, *, b1: Optional[float] = None, b2: Optional[float] = None,
         eps: Optional[float] = None, eps_root: Optional[float] = None, mu_dtype: DTypeLike = None,
         nesterov: Optional[bool] = None, zero: Optional[str] = None) -> Any:
    """Adam (Kingma and Ba, 2014): with mu the mean of g, and nu that of |g|^2, both decaying and
    freed of their bias, p - rate mu / (sqrt(nu + eps_root) + eps). adam(1e-3)"""
    c = context_of()
    rate = c.rate(rate)
    args = c.record("tsr_adam_args", b1=b1, b2=b2, eps=eps, eps_root=eps_root, mu_dtype=mu_dtype,
                    nesterov=nesterov, zero=zero)
    return c.optimizer(_adam(c.place(), c.pointer, rate, args))


def adamw(rate: Any, *, b1: Optional[float] = None, b2: Optional[float] = None,
          eps: Optional[float] = None, eps_root: Optional[float] = None,
          mu_dtype: DTypeLike = None, nesterov: Optional[bool] = None,
          weight_decay: Optional[float] = None, mask: Any = None,
          zero: Optional[str] = None) -> Any:
    """adam() with weights that decay by themselves (Loshchilov and Hutter, 2019): weight_decay p
    is added to the update before the rate. adamw(1e-3, weight_decay=0.01)"""
    c = context_of()
    rate = c.rate(rate)
    args = c.record("tsr_adamw_args", b1=b1, b2=b2, eps=eps, eps_root=eps_root, mu_dtype=mu_dtype,
                    nesterov=nesterov, weight_decay=weight_decay, mask=mask, zero=zero)
    return c.optimizer(_adamw(c.place(), c.pointer, rate, args))


def lion(rate: Any, *, b1: Optional[float] = None, b2: Optional[float] = None,
         mu_dtype: DTypeLike = None, weight_decay: Optional[float] = None, mask: Any = None,
         zero: Optional[str] = None) -> Any:
    """Lion (Chen and others, 2023): the sign of b1 mu + (1 - b1) g, where mu is the mean of g that
    decays by b2, and decay of weights as in adamw(). lion(1e-4)"""
    c = context_of()
    rate = c.rate(rate)
    args = c.record("tsr_lion_args", b1=b1, b2=b2, mu_dtype=mu_dtype, weight_decay=weight_decay,
                    mask=mask, zero=zero)
    return c.optimizer(_lion(c.place(), c.pointer, rate, args))


def adafactor(rate: Any, *, min_dim_size_to_factor: Optional[int] = None,
              decay_rate: Optional[float] = None, decay_offset: Optional[int] = None,
              unscaled: Optional[bool] = None, clipping_threshold: Optional[float] = None,
              momentum: Optional[float] = None, dtype_momentum: DTypeLike = None,
              weight_decay_rate: Optional[float] = None, eps: Optional[float] = None,
              whole: Optional[bool] = None, mask: Any = None, zero: Optional[str] = None) -> Any:
    """Adafactor (Shazeer and Stern, 2018), whose state is small: adafactor(1e-3)."""
    c = context_of()
    rate = c.rate(rate)
    args = c.record("tsr_adafactor_args", min_dim_size_to_factor=min_dim_size_to_factor,
                    decay_rate=decay_rate, decay_offset=decay_offset, unscaled=unscaled,
                    clipping_threshold=clipping_threshold, momentum=momentum,
                    dtype_momentum=dtype_momentum, weight_decay_rate=weight_decay_rate, eps=eps,
                    whole=whole, mask=mask, zero=zero)
    return c.optimizer(_adafactor(c.place(), c.pointer, rate, args))


def clip_by_global_norm(max_norm: float) -> Any:
    """Gradients whose norm, that of all leaves together, is above max_norm are scaled down to it:
    clip_by_global_norm(1.0), a part for chain()."""
    c = context_of()
    return c.optimizer(_clip_by_global_norm(c.place(), c.pointer, max_norm))


def ema_params(decay: float, *, zero: Optional[str] = None) -> Any:
    """An average of the parameters over the steps, which decays, for use when training is done: a
    part for the end of a chain(), whose state it is. It begins as the parameters, and after each
    step it is decay times itself and 1 - decay times the new ones. ema_params(0.999)"""
    c = context_of()
    args = c.record("tsr_ema_args", zero=zero)
    return c.optimizer(_ema_params(c.place(), c.pointer, decay, args))


def chain(parts: Any) -> Any:
    """Several optimisers and parts, each of which gets what the one before makes of the gradients:
    chain(clip_by_global_norm(1.0), adam(1e-3), ema_params(0.99)). Error (Error.ERROR_ARGUMENT):
    one that is None, poison, or of another context."""
    c = context_of()
    parts = listed(parts)
    return c.optimizer(_chain(c.place(), c.pointer, parts, len(parts)))


def multi_steps(opt: Any, k: int, *, sum: Optional[bool] = None, dtype: DTypeLike = None,
                zero: Optional[str] = None) -> Any:
    """Gradients are collected for k steps, after which opt makes one step with their mean; the
    parameters stay as they are in between: multi_steps(adam(1e-3), 4). Error
    (Error.ERROR_ARGUMENT): k < 1."""
    c = context_of()
    args = c.record("tsr_multi_steps_args", sum=sum, dtype=dtype, zero=zero)
    return c.optimizer(_multi_steps(c.place(), pointer(opt), k, args))
