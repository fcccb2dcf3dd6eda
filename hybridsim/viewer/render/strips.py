"""Strip charts: the last seconds of chosen outputs, moving to the left as time goes on."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from hybridsim.typing import FloatArray
from hybridsim.viewer.colours import CURVES, FAINT, INK
from hybridsim.viewer.render.canvas import Canvas, Lines, Plate, Text

MOST = 4
"""Charts that fit in a window."""
WIDTH, HEIGHT, GAP, MARGIN, PADDING = 330.0, 96.0, 8.0, 16.0, 10.0
TITLE, SCALE = 13.0, 10.0
ROUNDING = 1e-9
"""An end of a scale that is so small a part of it is 0."""


class Strip:
    """One output of all runs."""

    def __init__(self, canvas: Canvas, name: str, unit: str, runs: int, length: int) -> None:
        self._canvas = canvas
        self.low, self.high = math.inf, -math.inf
        self._plate: Plate = canvas.plate(opacity=0.78)
        self._zero = canvas.lines(2, "#b5bec8", 1.0)
        self._title = canvas.text(TITLE, INK, bold=True)
        self._title.say(f"{name} [{unit}]" if unit else name)
        self._top, self._bottom = (canvas.text(SCALE, FAINT, align="right") for _ in range(2))
        self._curves = [canvas.lines(length, CURVES[run % len(CURVES)], 2.0) for run in reversed(range(runs))][::-1]
        self._box = (0.0, 0.0, 1.0, 1.0)

    def take(self, values: FloatArray) -> None:
        """Make room for these values; the scale grows and never shrinks, so that curves do not jump."""
        known = values[np.isfinite(values)]
        if not known.size:
            return
        low, high = float(known.min()), float(known.max())
        if low < self.low or high > self.high:
            self.low, self.high = min(low, self.low), max(high, self.high)
            self._scale()

    def set_curves(self, places: FloatArray, values: Sequence[FloatArray]) -> None:
        """Draw values (length,) of each run; places (length,) are 0 at the left edge and 1 at the right."""
        left, bottom, right, top = self._box
        low, high = self._span()
        x = left + np.clip(places, 0.0, 1.0) * (right - left)
        for curve, value in zip(self._curves, values, strict=True):
            known = np.flatnonzero(np.isfinite(value))
            curve.show(known.size > 1)
            if known.size > 1:
                # Lines have a fixed number of points: those before the beginning lie upon the first one.
                each = np.clip(np.arange(len(value)), known[0], known[-1])
                y = bottom + (value[each] - low) / (high - low) * (top - bottom)
                # On whole pixels: VTK leaves out what is shorter than one, and a flat curve would be dashes.
                points = np.stack([x[each], np.clip(y, bottom, top)], axis=1)
                curve.place(points.round())

    def lay_out(self, top: float) -> None:
        unit = self._canvas.unit
        right = self._canvas.size[0] - MARGIN * unit
        left, bottom = right - WIDTH * unit, top - HEIGHT * unit
        pad, (_, high) = PADDING * unit, self._canvas.letter(TITLE)
        wide = self._canvas.letter(SCALE)[0]
        self._plate.place(left, bottom, right, top, 6 * unit)
        self._title.place(left + pad, top - 0.7 * pad)
        self._box = (left + 1.5 * pad + 7 * wide, bottom + pad, right - pad, top - pad - 1.4 * high)
        self._top.place(self._box[0] - 0.6 * pad, self._box[3] + 0.45 * high)
        self._bottom.place(self._box[0] - 0.6 * pad, self._box[1] + 0.45 * high)
        self._scale()

    def show(self, shown: bool) -> None:
        for thing in self._things():
            thing.actor.SetVisibility(shown)

    def remove(self) -> None:
        self._canvas.remove(*self._things())

    def _things(self) -> list[Text | Plate | Lines]:
        return [self._plate, self._zero, self._title, self._top, self._bottom, *self._curves]

    def _span(self) -> tuple[float, float]:
        if not math.isfinite(self.low):
            return 0.0, 1.0
        margin = 0.5 * max(abs(self.low), 1e-12) if self.high - self.low <= 1e-9 * abs(self.high) else 0.0
        return self.low - margin, (self.high + margin) or 1e-12

    def _scale(self) -> None:
        left, bottom, right, top = self._box
        low, high = self._span()
        for text, value in ((self._top, high), (self._bottom, low)):
            text.say(short(value if abs(value) > ROUNDING * (high - low) else 0.0))
        inside = low < 0.0 < high
        y = bottom + (0.0 - low) / (high - low) * (top - bottom) if inside else bottom
        self._zero.place(np.array([[left, y], [right, y]]))


class Strips:
    """The charts at the upper right.

    Parameters
    ----------
    outputs : names and units; the first few get a chart. runs : how many curves each has. length : points of a curve.
    """

    def __init__(self, canvas: Canvas, outputs: Sequence[tuple[str, str]], runs: int, length: int) -> None:
        self._canvas = canvas
        self._strips = [Strip(canvas, name, unit, runs, length) for name, unit in outputs[:MOST]]
        self.shown = True

    def __len__(self) -> int:
        return len(self._strips)

    def take(self, values: FloatArray) -> None:
        """Make room for values (n, n_outputs)."""
        for strip, column in zip(self._strips, values.T, strict=False):
            strip.take(column)

    def set_curves(self, places: FloatArray, values: Sequence[FloatArray]) -> None:
        """Draw values (length, n_outputs) of each run, at places (length,) from 0 to 1."""
        for number, strip in enumerate(self._strips):
            columns = [value[:, number] for value in values]
            for column in columns:
                strip.take(column)
            strip.set_curves(places, columns)

    def lay_out(self, covered: tuple[float, float]) -> None:
        """At the upper right, or below what is covered up to a lower right corner [pixels] if that leaves no room."""
        (width, height), unit = self._canvas.size, self._canvas.unit
        beside = covered[0] + GAP * unit <= width - (MARGIN + WIDTH) * unit
        top = height - MARGIN * unit if beside else covered[1] - GAP * unit
        for number, strip in enumerate(self._strips):
            strip.lay_out(top - number * (HEIGHT + GAP) * unit)

    def show(self, shown: bool) -> None:
        self.shown = shown
        for strip in self._strips:
            strip.show(shown)

    def remove(self) -> None:
        for strip in self._strips:
            strip.remove()


def short(value: float) -> str:
    """At most seven letters."""
    words = f"{value:.4g}" if 1e-4 <= abs(value) < 1e5 or not value else f"{value:.1e}"
    return words if len(words) <= 7 else f"{value:.3g}"
