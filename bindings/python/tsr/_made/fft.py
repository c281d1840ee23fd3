"""fft.py - the functions of tsr/fft.h; tools/make_bindings.py made it of api/."""
from .._call import context_of
from .._lib import lib
from .._types import Array, ArrayLike, Choice, DTypeLike, Dims, Optional

__all__ = ["fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn",
           "ifftshift", "ihfft", "irfft", "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn"]

_fft = lib.tsr_fft_at
_ifft = lib.tsr_ifft_at
_rfft = lib.tsr_rfft_at
_irfft = lib.tsr_irfft_at
_hfft = lib.tsr_hfft_at
_ihfft = lib.tsr_ihfft_at
_fftn = lib.tsr_fftn_at
_ifftn = lib.tsr_ifftn_at
_rfftn = lib.tsr_rfftn_at
_irfftn = lib.tsr_irfftn_at
_fft2 = lib.tsr_fft2_at
_ifft2 = lib.tsr_ifft2_at
_rfft2 = lib.tsr_rfft2_at
_irfft2 = lib.tsr_irfft2_at
_fftfreq = lib.tsr_fftfreq_at
_rfftfreq = lib.tsr_rfftfreq_at
_fftshift = lib.tsr_fftshift_at
_ifftshift = lib.tsr_ifftshift_at


def fft(x: ArrayLike, *, n: Optional[int] = None, axis: Dims = None,
        norm: Optional[Choice] = None) -> Array:
    """The discrete Fourier transform of x along one dim, complex: fft(x, axis=(0,))."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_fft_args", n=n, dim=axis, norm=norm)
    return c.array(_fft(c.place(), x._h, args))


def ifft(x: ArrayLike, *, n: Optional[int] = None, axis: Dims = None,
         norm: Optional[Choice] = None) -> Array:
    """The inverse of fft() along one dim, complex also where all imaginary parts are 0:
    ifft(y)."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_fft_args", n=n, dim=axis, norm=norm)
    return c.array(_ifft(c.place(), x._h, args))


def rfft(x: ArrayLike, *, n: Optional[int] = None, axis: Dims = None,
         norm: Optional[Choice] = None) -> Array:
    """The first half of the transform of a real x: n / 2 + 1 elements. Complex x:
    Error.ERROR_TYPE."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_fft_args", n=n, dim=axis, norm=norm)
    return c.array(_rfft(c.place(), x._h, args))


def irfft(x: ArrayLike, *, n: Optional[int] = None, axis: Dims = None,
          norm: Optional[Choice] = None) -> Array:
    """The inverse of rfft() along one dim, n real numbers: irfft(y, n=7)."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_fft_args", n=n, dim=axis, norm=norm)
    return c.array(_irfft(c.place(), x._h, args))


def hfft(x: ArrayLike, *, n: Optional[int] = None, axis: Dims = None,
         norm: Optional[Choice] = None) -> Array:
    """The real transform of a signal whose second half is the conjugate of the first, which x
    is."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_fft_args", n=n, dim=axis, norm=norm)
    return c.array(_hfft(c.place(), x._h, args))


def ihfft(x: ArrayLike, *, n: Optional[int] = None, axis: Dims = None,
          norm: Optional[Choice] = None) -> Array:
    """The inverse of hfft() along one dim, complex, of a real x: ihfft(y)."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_fft_args", n=n, dim=axis, norm=norm)
    return c.array(_ihfft(c.place(), x._h, args))


def fftn(x: ArrayLike, *, lengths: Dims = None, axis: Dims = None,
         norm: Optional[Choice] = None) -> Array:
    """The discrete Fourier transform along several dims, one after the other: fftn(x, axis=(0,
    2))."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_fftn_args", lengths=lengths, dims=axis, norm=norm)
    return c.array(_fftn(c.place(), x._h, args))


def ifftn(x: ArrayLike, *, lengths: Dims = None, axis: Dims = None,
          norm: Optional[Choice] = None) -> Array:
    """The inverse of fftn() along the dims in axis, complex: ifftn(y)."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_fftn_args", lengths=lengths, dims=axis, norm=norm)
    return c.array(_ifftn(c.place(), x._h, args))


def rfftn(x: ArrayLike, *, lengths: Dims = None, axis: Dims = None,
          norm: Optional[Choice] = None) -> Array:
    """rfft() along the last of the dims, fft() along the others."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_fftn_args", lengths=lengths, dims=axis, norm=norm)
    return c.array(_rfftn(c.place(), x._h, args))


def irfftn(x: ArrayLike, *, lengths: Dims = None, axis: Dims = None,
           norm: Optional[Choice] = None) -> Array:
    """The inverse of rfftn() along the dims in axis, real: irfftn(y, lengths=(8, 7), axis=(-2,
    -1))."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_fftn_args", lengths=lengths, dims=axis, norm=norm)
    return c.array(_irfftn(c.place(), x._h, args))


def fft2(x: ArrayLike, *, lengths: Dims = None, axis: Dims = None,
         norm: Optional[Choice] = None) -> Array:
    """The discrete Fourier transform along the last two dims, fftn(x, axis=(-2, -1))."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_fftn_args", lengths=lengths, dims=axis, norm=norm)
    return c.array(_fft2(c.place(), x._h, args))


def ifft2(x: ArrayLike, *, lengths: Dims = None, axis: Dims = None,
          norm: Optional[Choice] = None) -> Array:
    """The inverse transform along the last two dims, ifftn(x, axis=(-2, -1))."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_fftn_args", lengths=lengths, dims=axis, norm=norm)
    return c.array(_ifft2(c.place(), x._h, args))


def rfft2(x: ArrayLike, *, lengths: Dims = None, axis: Dims = None,
          norm: Optional[Choice] = None) -> Array:
    """The transform of real numbers along the last two dims, rfftn(x, axis=(-2, -1))."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_fftn_args", lengths=lengths, dims=axis, norm=norm)
    return c.array(_rfft2(c.place(), x._h, args))


def irfft2(x: ArrayLike, *, lengths: Dims = None, axis: Dims = None,
           norm: Optional[Choice] = None) -> Array:
    """The inverse transform to real numbers along the last two dims, irfftn(x, axis=(-2, -1))."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_fftn_args", lengths=lengths, dims=axis, norm=norm)
    return c.array(_irfft2(c.place(), x._h, args))


def fftfreq(n: int, *, d: Optional[float] = None, dtype: DTypeLike = None) -> Array:
    """The frequencies of the elements of fft() of n samples: 0, 1, .. and then the negative ones,
    by n d. fftfreq(8, d=0.1)"""
    c = context_of()
    args = c.record("tsr_fftfreq_args", d=d, dtype=dtype)
    return c.array(_fftfreq(c.place(), c.pointer, n, args))


def rfftfreq(n: int, *, d: Optional[float] = None, dtype: DTypeLike = None) -> Array:
    """The frequencies of the elements of rfft(), which are not negative: [n / 2 + 1], f32 when no
    dtype is given: rfftfreq(8)."""
    c = context_of()
    args = c.record("tsr_fftfreq_args", d=d, dtype=dtype)
    return c.array(_rfftfreq(c.place(), c.pointer, n, args))


def fftshift(x: ArrayLike, axis: Dims = None) -> Array:
    """The elements of x with frequency 0 moved from the front to the middle of the dims:
    fftshift(y)."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_fftshift_args", dims=axis)
    return c.array(_fftshift(c.place(), x._h, args))


def ifftshift(x: ArrayLike, axis: Dims = None) -> Array:
    """The inverse of fftshift(): the zero frequency moves from the middle of each dim to the
    front."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_fftshift_args", dims=axis)
    return c.array(_ifftshift(c.place(), x._h, args))
