"""The colours of the viewer, as "#rrggbb"."""

from __future__ import annotations

from hybridsim.results.colours import CURVE_COLOURS

SKY = ("#f7f8fa", "#c9d9ea")
"""Colours of the background at the bottom and at the top of the picture."""
INK, FAINT, PANEL = "#1d2a38", "#6b7886", "#ffffff"
"""Colours of text, of less important text, and of the panels behind text."""
ERROR_PANEL_COLOUR = "#8f1d1d"
"""Colour of the panel of an error message."""
GHOST_TINTS = ("", *CURVE_COLOURS[1:])
"""Tints of the runs where several are in one picture; the first run has its own colours."""


def rgb(colour: str) -> tuple[float, float, float]:
    """Return red, green and blue of "#rrggbb", from 0 to 1."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red / 255.0, green / 255.0, blue / 255.0


def mix(colour: str, tint: str, share: float = 0.65) -> str:
    """Return a colour mixed with a fraction of another one; unchanged if the tint is ""."""
    if not tint:
        return colour
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(tint[1:]), strict=True)
    return "#" + "".join(f"{round((1.0 - share) * a + share * b):02x}" for a, b in pairs)
