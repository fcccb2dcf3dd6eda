"""Picture files, whose format follows from the suffix of their name."""

from __future__ import annotations

import os
from pathlib import Path

from matplotlib.figure import Figure

from hybridsim.errors import ConfigError
from hybridsim.results.files import refuse_unusable, replacing

RESOLUTION = 150
"""Resolution of pictures made of pixels [dots per inch]."""


def picture_path(path: str | os.PathLike[str]) -> Path:
    """Return the path of a picture.

    Parameters
    ----------
    path : Path
        The picture.

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

    Parameters
    ----------
    figure : Figure
        The picture.
    path : Path
        The file.

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
