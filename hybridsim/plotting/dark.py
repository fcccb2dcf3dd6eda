"""Pictures in styles with a dark background: what is dark on white there becomes light, with the same hue."""

from __future__ import annotations

import colorsys
from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.collections import Collection
from matplotlib.colors import to_rgb, to_rgba, to_rgba_array
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

COLOURS_OF = {
    Line2D: ("color", "markerfacecolor", "markeredgecolor"),
    Patch: ("facecolor", "edgecolor"),
    Collection: ("facecolor", "edgecolor"),
}
"""Kinds of what is drawn -> its colours."""


def is_dark(colour: Any) -> bool:
    """Whether a background is darker than a middle grey."""
    return colorsys.rgb_to_hls(*to_rgb(colour))[1] < 0.5


def drawn_on(panel: Any) -> list[Any]:
    """Return the curves, marks, shades and grid lines of a panel; those of its frame have colours of the style."""
    return [*panel.lines, *panel.patches, *panel.collections, *panel.get_xgridlines(), *panel.get_ygridlines()]


def exchange_lightness(artists: Iterable[Any]) -> None:
    """Make what is dark as light as it was dark, and the reverse; colours that stand for numbers stay."""
    for artist in artists:
        names = next((names for kind, names in COLOURS_OF.items() if isinstance(artist, kind)), ())
        if isinstance(artist, Collection) and artist.get_array() is not None:
            continue
        before = {name: getattr(artist, f"get_{name}")() for name in names}
        artist.set(**{name: _exchanged(colour) for name, colour in before.items()})


def _exchanged(colour: Any) -> Any:
    if isinstance(colour, str) and colour in ("none", "auto"):
        return colour
    if np.ndim(colour) == 2:
        return [_exchanged(each) for each in to_rgba_array(colour)]
    hue, lightness, saturation = colorsys.rgb_to_hls(*to_rgb(colour))
    return (*colorsys.hls_to_rgb(hue, 1.0 - lightness, saturation), to_rgba(colour)[3])
