"""Figures, the panels on them, and picture files, whose format follows from the suffix of their name."""

from __future__ import annotations

import io
import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hybridsim.errors import ConfigError
from hybridsim.model import nearest
from hybridsim.plotting.dark import drawn_on, exchange_lightness, is_dark
from hybridsim.plotting.marks import draw_legend
from hybridsim.results.files import refuse_unusable, replacing

RESOLUTION, NOTEBOOK_RESOLUTION = 150, 100
"""Resolution of pictures made of pixels, as files and in notebooks [dots per inch]."""

MAX_SIDE = 100.0
"""Longest side of a picture that is taken for one [inches]."""

PicturePath = str | os.PathLike[str] | None
"""Where a picture is saved; None to have the figure alone."""


class Picture(Figure):
    """A figure that notebooks show and that pyplot does not keep; `notes` say what it leaves out."""

    notes: tuple[str, ...] = ()

    def _repr_png_(self) -> bytes:
        return self.drawn(NOTEBOOK_RESOLUTION)

    def drawn(self, resolution: int) -> bytes:
        """Return the picture as a PNG of so many dots per inch."""
        buffer = io.BytesIO()
        self.savefig(buffer, format="png", dpi=resolution)
        return buffer.getvalue()


@dataclass(frozen=True, slots=True)
class Canvas:
    """A figure and its panels.

    Attributes
    ----------
    figure : Figure
        The figure.
    panels : list of Axes
        Its panels, row by row.
    own : bool
        Whether the figure has been made here: the panels of a caller get no title.
    path : Path or None
        The file of the picture.
    """

    figure: Any
    panels: list[Any]
    own: bool
    path: Path | None

    def finish(self, title: str = "", keys: Sequence[Any] = ()) -> Figure:
        """Add a title and a legend, and save the picture; returns the figure."""
        if self.own:
            if is_dark(self.figure.get_facecolor()):
                exchange_lightness([*keys, *(each for panel in self.panels for each in drawn_on(panel))])
            self.figure.suptitle(title, fontsize="medium")
            draw_legend(self.figure, keys)
        elif keys:
            self.panels[0].legend(handles=keys, fontsize="small")
        whole: Figure = self.figure.figure  # of panels in a part of a figure
        if self.path is not None:
            save_picture(whole, self.path)
        return whole


def open_canvas(path: PicturePath, ax: Any, size: tuple[float, float], n: int = 1, **grid: Any) -> Canvas:
    """Return n panels: those of the caller, or new ones, in a grid with options of matplotlib, `ncols` among them.

    Raises
    ------
    ConfigError
        If the format of the picture is unknown, or the caller has given another number of panels.
    """
    known = None if path is None else picture_path(path)
    if ax is not None:
        panels = [*np.ravel(np.asarray(ax, object))]
        if len(panels) != n or not all(isinstance(panel, Axes) for panel in panels):
            raise ConfigError(f"ax: expected {n} of matplotlib's Axes, one for each panel, found {len(panels)} objects")
        return Canvas(panels[0].figure, panels, own=False, path=known)
    figure = Picture(figsize=_size or size, layout="constrained")
    n_columns = grid.get("ncols", 1)
    panels = [*figure.subplots(-(-n // n_columns), squeeze=False, **grid).ravel()] if n else []
    for unused in panels[n:]:
        unused.set_visible(False)
    return Canvas(figure, panels[:n], own=True, path=known)


_size: tuple[float, float] | None = None
"""Width and height of new figures [inches], if they are not those of each kind of picture."""


@contextmanager
def look(size: tuple[float, float] | None = None, style: str = "") -> Iterator[None]:
    """Make figures in this block of a size [inches], and in a style of matplotlib: its name, or a file.

    Raises
    ------
    ConfigError
        If the size is not positive, or there is no such style.
    """
    global _size  # noqa: PLW0603  (as matplotlib keeps its settings)
    if size is not None and not all(0.0 < side <= MAX_SIDE for side in size):
        raise ConfigError(
            f"command line: --size: expected a width and a height above 0 and up to {MAX_SIDE:g} inches, found "
            f"{size[0]:g} {size[1]:g}; write for example --size 3.4 2.5, a column of a paper"
        )
    settings: Any = _settings_of(style)
    with mpl.rc_context(settings):
        _size = size or settings.get("figure.figsize")
        try:
            yield
        finally:
            _size = None


def _settings_of(style: str) -> dict[str, Any]:
    """Return the settings of a style: of a file, or of matplotlib by its name."""
    if not style:
        return {}
    if not Path(style).is_file():
        from matplotlib.style import library  # noqa: PLC0415  (it reads thirty files)

        if style not in library:
            known = [name for name in library if not name.startswith("_")]
            hint = nearest(style, known) or f"; matplotlib has {', '.join(known)}"
            raise ConfigError(f"command line: --style: there is no file and no style {style!r}{hint}")
        found: Any = library[style]
        return dict(found)
    said = io.StringIO()
    listener, logger = logging.StreamHandler(said), logging.getLogger("matplotlib")
    logger.addHandler(listener)
    try:
        settings: Any = mpl.rc_params_from_file(style, use_default_template=False)
    except (OSError, UnicodeDecodeError) as problem:
        said.write(str(problem))
    finally:
        logger.removeHandler(listener)
    if said.getvalue() or not settings:
        why = said.getvalue().strip().partition("\n")[0] or "it has no setting"
        raise ConfigError(
            f"command line: --style: {style} is no style of matplotlib: {why}; write lines such as font.size: 8"
        )
    return {name: value for name, value in settings.items() if name != "backend"}


def picture_path(path: str | os.PathLike[str]) -> Path:
    """Return the path of a picture.

    Raises
    ------
    ConfigError
        If the format is unknown.
    """
    path = Path(path)
    if path.suffix[1:].lower() not in Figure().canvas.get_supported_filetypes():
        raise ConfigError(f"{path}: {path.suffix!r} is no known picture format; name it .png, .pdf or .svg")
    return path


def save_picture(figure: Figure, path: Path) -> None:
    """Write a picture; if that fails, an existing file is kept.

    Raises
    ------
    ConfigError
        If the file cannot be written.
    """
    if not path.absolute().parent.is_dir():
        raise ConfigError(
            f"{path}: there is no folder {str(path.parent)!r}; make it, or choose another file with -o FILE"
        )
    refuse_unusable(path, choice="file with -o FILE")
    with replacing(path, remedy="make room, or choose another file with -o FILE") as temporary:
        figure.savefig(temporary, format=path.suffix[1:], dpi=RESOLUTION)
