"""The colours of the viewer."""

from __future__ import annotations

SKY = ("#f7f8fa", "#c9d9ea")
"""The background, below and above."""
INK, FAINT, PLATE = "#1d2a38", "#6b7886", "#ffffff"
ALARM = "#8f1d1d"
EVENTS = ("#b2182b", "#1b7837", "#762a83", "#b35806", "#01665e", "#c51b7d", "#4d4d4d", "#8c510a")
"""Of boundaries, the same as in pictures of curves."""
TINTS = ("", "#2f6fb3", "#c4622d", "#3f8f4f", "#8a4fa3", "#b08a1e")
"""Of the second run and those after it, where several are in one picture."""
CURVES = ("#22384f", "#2f6fb3", "#c4622d", "#3f8f4f", "#8a4fa3", "#b08a1e")
"""Of the runs in strip charts."""


def rgb(colour: str) -> tuple[float, float, float]:
    """Red, green and blue of "#rrggbb", from 0 to 1."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red / 255.0, green / 255.0, blue / 255.0


def mixed(colour: str, tint: str, part: float = 0.65) -> str:
    """A colour with a part of another in it; "" for none."""
    if not tint:
        return colour
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(tint[1:]), strict=True)
    return "#" + "".join(f"{round((1.0 - part) * a + part * b):02x}" for a, b in pairs)
