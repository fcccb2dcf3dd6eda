"""Picture files: the ending of the name decides the format."""

from __future__ import annotations

from pathlib import Path

from matplotlib.figure import Figure

from hybridsim.errors import ConfigError
from hybridsim.results.files import replacing

RESOLUTION = 150
"""Of pictures made of pixels [dots per inch]."""


def check_format(path: Path) -> None:
    """Make sure that there is a format of this ending.

    Raises
    ------
    ConfigError : there is none.
    """
    if path.suffix[1:].lower() not in Figure().canvas.get_supported_filetypes():
        raise ConfigError(f"{path}: no picture format ends in {path.suffix!r}; name it .png, .pdf or .svg")


def save_picture(figure: Figure, path: Path) -> None:
    """Write the picture; what stood there before stays if that fails.

    Raises
    ------
    ConfigError : the file cannot be written.
    """
    with replacing(path, remedy="make room, or choose another file with -o FILE") as temporary:
        figure.savefig(temporary, format=path.suffix[1:], dpi=RESOLUTION)
