"""The colours that plots and the viewer share, as "#rrggbb"."""

from __future__ import annotations

BOUNDARY_COLOURS = (
    "#b2182b",
    "#1b7837",
    "#762a83",
    "#b35806",
    "#01665e",
    "#c51b7d",
    "#4d4d4d",
    "#8c510a",
    "#2166ac",
    "#7a7a00",
)
"""Colours of the events of boundaries; the list begins again for models with more boundaries."""
