"""viz.py - the functions of tsr/viz.h; tools/make_bindings.py made it of api/."""
from .._call import context_of
from .._lib import lib
from .._types import Any, ArrayLike, Dims, Optional

__all__ = ["sharding_picture", "sharding_svg", "shards_text", "show_sharding", "show_shards"]

_show_sharding = lib.tsr_show_sharding_at
_sharding_picture = lib.tsr_sharding_picture_at
_sharding_svg = lib.tsr_sharding_svg_at
_show_shards = lib.tsr_show_shards_at
_shards_text = lib.tsr_shards_text_at


def show_sharding(x: ArrayLike, *, color: Optional[bool] = None, scale: Optional[float] = None,
                  min_width: Optional[int] = None, max_width: Optional[int] = None,
                  shape: Dims = None, all: Optional[bool] = None) -> bool:
    """Prints the picture to stdout, in colour also if stdout is a terminal and the environment has
    no NO_COLOR: show_sharding(x, scale=0.5)."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_picture_args", color=color, scale=scale, min_width=min_width,
                    max_width=max_width, dims=shape, all=all)
    return c.done(_show_sharding(c.place(), x._h, args))


def sharding_picture(x: ArrayLike, *, color: Optional[bool] = None, scale: Optional[float] = None,
                     min_width: Optional[int] = None, max_width: Optional[int] = None,
                     shape: Dims = None, all: Optional[bool] = None) -> str:
    """The picture as UTF-8 text, each line ended by a newline: sharding_picture(x, color=True).
    Valid until the innermost scope ends; "" on failure."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_picture_args", color=color, scale=scale, min_width=min_width,
                    max_width=max_width, dims=shape, all=all)
    return c.text(_sharding_picture, c.place(), x._h, args)


def sharding_svg(x: ArrayLike, *, shape: Dims = None) -> str:
    """The picture as an SVG document, which needs nothing from elsewhere and can be read on light
    and dark pages: fputs(sharding_svg(x), file). Beside rows and columns are the indices that they
    hold. Valid until the innermost scope ends; "" on failure."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_svg_args", dims=shape)
    return c.text(_sharding_svg, c.place(), x._h, args)


def show_shards(x: ArrayLike, *, mesh: Any = None, devices: Optional[bool] = None,
                precision: Optional[int] = None, linewidth: Optional[int] = None,
                threshold: Optional[int] = None, whole: ArrayLike = None,
                all: Optional[bool] = None) -> bool:
    """Prints what each device holds of x as a table, in the frame that Python's tabulate calls
    "fancy_grid": show_shards(x, devices=True, precision=3). The last axis of the mesh goes right
    and the one before it down; if there are more, each place along them, "a=0 b=1", has a table
    below it. The dims of a positional sharding's grid go likewise. Parts may be short, or empty:
    "[]". Errors: mesh has other devices than x (Error.ERROR_SHARDING) or is of another context
    (Error.ERROR_HANDLE); whole has another dtype or other dims than x (Error.ERROR_TYPE)."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_shards_args", mesh=mesh, devices=devices, precision=precision,
                    linewidth=linewidth, threshold=threshold, whole=whole, all=all)
    return c.done(_show_shards(c.place(), x._h, args))


def shards_text(x: ArrayLike, *, mesh: Any = None, devices: Optional[bool] = None,
                precision: Optional[int] = None, linewidth: Optional[int] = None,
                threshold: Optional[int] = None, whole: ArrayLike = None,
                all: Optional[bool] = None) -> str:
    """The table of show_shards() as UTF-8 text, each line ended by a newline: shards_text(x,
    mesh=rows). Valid until the innermost scope ends; "" on failure."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_shards_args", mesh=mesh, devices=devices, precision=precision,
                    linewidth=linewidth, threshold=threshold, whole=whole, all=all)
    return c.text(_shards_text, c.place(), x._h, args)
