"""Strip charts: the last seconds of some outputs, which move to the left as time passes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from hybridsim.results.colours import CURVE_COLOURS
from hybridsim.typing import FloatArray
from hybridsim.viewer.render.canvas import Canvas, CanvasItem
from hybridsim.viewer.render.colours import FAINT, INK
from hybridsim.viewer.render.headup import WINDOW_MARGIN

MAX_STRIPS = 4
"""Most charts that are shown; more do not fit into a window."""
STRIP_WIDTH, STRIP_HEIGHT, STRIP_GAP, STRIP_PADDING = 330.0, 96.0, 8.0, 10.0
"""Size of a chart, and distances between charts and inside a chart [units of the canvas]."""
TITLE_SIZE, SCALE_SIZE = 13.0, 10.0
"""Font sizes."""
MIN_SHARE_LEFT, FLOOR = 0.5, 62.0
"""Least share of the picture's width that charts leave at their left, and least height of their lower edges, above the
slider [units of the canvas]; charts for which there is no such room are not drawn."""
MIN_SHOWN_NUMBER = 1e-14
"""Numbers smaller than this, in the unit of the model, are shown as 0: rounding of numbers about 1, as in plots."""
ZERO_TOLERANCE = 1e-9
"""Limits of a scale that are smaller than this fraction of its range are shown as 0."""


class Strip:
    """The chart of one output, with a curve for each run."""

    def __init__(self, canvas: Canvas, name: str, unit: str, n_runs: int, n_points: int) -> None:
        self._canvas = canvas
        self.low, self.high = math.inf, -math.inf
        self._panel = canvas.panel(opacity=0.78)
        self._zero = canvas.lines(2, "#b5bec8", 1.0)
        self._title = canvas.text(TITLE_SIZE, INK, bold=True)
        self._title.set_text(f"{name} [{unit}]" if unit else name)
        self._top, self._bottom = (canvas.text(SCALE_SIZE, FAINT, align="right") for _ in range(2))
        self._curves = [
            canvas.lines(n_points, CURVE_COLOURS[run % len(CURVE_COLOURS)], 2.0) for run in reversed(range(n_runs))
        ][::-1]
        self._box = (0.0, 0.0, 1.0, 1.0)
        self._shown = True

    def extend_scale(self, values: FloatArray) -> None:
        """Extend the scale to values; it never shrinks, so that curves do not jump."""
        known = values[np.isfinite(values)]
        if not known.size:
            return
        low, high = float(known.min()), float(known.max())
        if low < self.low or high > self.high:
            self.low, self.high = min(low, self.low), max(high, self.high)
            self._draw_scale()

    def set_curves(self, places: FloatArray, values: Sequence[FloatArray]) -> None:
        """Draw values (n_points,) of each run at places (n_points,), from 0 at the left edge to 1 at the right edge."""
        left, bottom, right, top = self._box
        low, high = self._limits()
        x = left + np.clip(places, 0.0, 1.0) * (right - left)
        for curve, value in zip(self._curves, values, strict=True):
            known = np.flatnonzero(np.isfinite(value))
            curve.show(self._shown and known.size > 1)
            if known.size > 1:
                # The number of points is fixed: those before the beginning of the run lie on the first known point.
                each = np.clip(np.arange(len(value)), known[0], known[-1])
                y = bottom + (value[each] - low) / (high - low) * (top - bottom)
                # Points on whole pixels: VTK omits shorter segments, which would leave gaps in a flat curve.
                points = np.stack([x[each], np.clip(y, bottom, top)], axis=1)
                curve.place(points.round())

    def lay_out(self, top: float) -> None:
        """Adapt positions to the size of the window; `top` is the upper edge of the chart [pixels]."""
        unit = self._canvas.unit
        right = self._canvas.size[0] - WINDOW_MARGIN * unit
        left, bottom = right - STRIP_WIDTH * unit, top - STRIP_HEIGHT * unit
        pad, (_, high) = STRIP_PADDING * unit, self._canvas.character(TITLE_SIZE)
        wide = self._canvas.character(SCALE_SIZE)[0]
        self._panel.place(left, bottom, right, top, 6 * unit)
        self._title.place(left + pad, top - 0.7 * pad)
        self._box = (left + 1.5 * pad + 7 * wide, bottom + pad, right - pad, top - pad - 1.4 * high)
        self._top.place(self._box[0] - 0.6 * pad, self._box[3] + 0.45 * high)
        self._bottom.place(self._box[0] - 0.6 * pad, self._box[1] + 0.45 * high)
        self._draw_scale()

    def show(self, shown: bool) -> None:
        """Show or hide."""
        self._shown = shown
        for item in self._items():
            item.show(shown)

    def _items(self) -> list[CanvasItem]:
        return [self._panel, self._zero, self._title, self._top, self._bottom, *self._curves]

    def _limits(self) -> tuple[float, float]:
        """Return the limits of the scale, which are never equal."""
        if not math.isfinite(self.low):
            return 0.0, 1.0
        size = max(abs(self.low), abs(self.high))
        if size < MIN_SHOWN_NUMBER:
            return -1.0, 1.0  # what is still zero does not say how large it will be
        margin = 0.5 * size if self.high - self.low <= 1e-9 * size else 0.0
        return self.low - margin, self.high + margin

    def _draw_scale(self) -> None:
        left, bottom, right, top = self._box
        low, high = self._limits()
        for text, value in ((self._top, high), (self._bottom, low)):
            text.set_text(format_limit(value if abs(value) > ZERO_TOLERANCE * (high - low) else 0.0))
        inside = low < 0.0 < high
        y = bottom + (0.0 - low) / (high - low) * (top - bottom) if inside else bottom
        self._zero.place(np.array([[left, y], [right, y]]))


class Strips:
    """The charts at the upper right.

    Parameters
    ----------
    canvas : Canvas
        The canvas.
    outputs : sequence of (str, str)
        Names and units of outputs; the first `MAX_STRIPS` of them get a chart.
    n_runs : int
        Number of curves in each chart.
    n_points : int
        Number of points of each curve.

    Attributes
    ----------
    shown : bool
        Whether the charts are visible.
    """

    def __init__(self, canvas: Canvas, outputs: Sequence[tuple[str, str]], n_runs: int, n_points: int) -> None:
        self._canvas = canvas
        self._strips = [Strip(canvas, name, unit, n_runs, n_points) for name, unit in outputs[:MAX_STRIPS]]
        self._n_fitting = len(self._strips)
        self.shown = True

    def __len__(self) -> int:
        return len(self._strips)

    @property
    def share_left(self) -> float:
        """Share of the picture's width that the charts leave at their left; 1 without charts."""
        return 1.0 - (WINDOW_MARGIN + STRIP_WIDTH) * self._canvas.unit / self._canvas.size[0] if self._drawn else 1.0

    @property
    def _drawn(self) -> int:
        """Number of charts that are drawn."""
        return self._n_fitting if self.shown else 0

    def extend_scales(self, values: FloatArray) -> None:
        """Extend the scales to values (n, n_outputs)."""
        for strip, column in zip(self._strips, values.T, strict=False):
            strip.extend_scale(column)

    def set_curves(self, places: FloatArray, values: Sequence[FloatArray]) -> None:
        """Draw values (n_points, n_outputs) of each run at places (n_points,), from 0 to 1."""
        for number, strip in enumerate(self._strips):
            columns = [value[:, number] for value in values]
            for column in columns:
                strip.extend_scale(column)
            strip.set_curves(places, columns)

    def lay_out(self, covered: tuple[float, float]) -> None:
        """Adapt positions to the size of the window.

        The charts are at the upper right; if there is no room next to the head-up lines, they are below them. Those
        that would cover the slider are left out, and all of them if they would cover most of the width.

        Parameters
        ----------
        covered : (float, float)
            Lower right corner of the head-up lines [pixels].
        """
        (width, height), unit = self._canvas.size, self._canvas.unit
        fits_beside = covered[0] + STRIP_GAP * unit <= width - (WINDOW_MARGIN + STRIP_WIDTH) * unit
        top = height - WINDOW_MARGIN * unit if fits_beside else covered[1] - STRIP_GAP * unit
        for number, strip in enumerate(self._strips):
            strip.lay_out(top - number * (STRIP_HEIGHT + STRIP_GAP) * unit)
        in_height = int((top / unit - FLOOR + STRIP_GAP) / (STRIP_HEIGHT + STRIP_GAP))
        in_width = width - (WINDOW_MARGIN + STRIP_WIDTH) * unit >= MIN_SHARE_LEFT * width
        self._n_fitting = min(max(in_height, 0), len(self._strips)) if in_width else 0
        self.show(self.shown)

    def show(self, shown: bool) -> None:
        """Show or hide."""
        self.shown = shown
        for number, strip in enumerate(self._strips):
            strip.show(number < self._drawn)


def format_limit(value: float) -> str:
    """Return a number in at most seven characters."""
    text = f"{value:.4g}" if 1e-4 <= abs(value) < 1e5 or not value else f"{value:.1e}"
    return text if len(text) <= 7 else f"{value:.3g}"
