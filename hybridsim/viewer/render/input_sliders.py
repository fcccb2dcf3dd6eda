"""A slider for an input of a run that is being computed."""

from __future__ import annotations

import math

import numpy as np

from hybridsim.model.records import Input
from hybridsim.viewer.render.canvas import Canvas
from hybridsim.viewer.render.colours import FAINT, INK

SLIDER_ROW_HEIGHT = 38.0
"""Height of a slider with its text [units of the canvas]."""
TEXT_SIZE = 13.0
SLIDER_HANDLE_SIZE = (4.0, 8.0)
"""Half the width and half the height of a handle [units of the canvas]."""


class InputSlider:
    """The slider of one input.

    Its ends are the bounds of the input. An end without a bound is as far from the value as zero is, or one unit if the
    value is zero; a handle that is released there widens the range.
    """

    def __init__(self, canvas: Canvas, record: Input, value: float) -> None:
        self.record, self.value = record, value
        self.low, self.high = slider_range(record, value)
        self._canvas = canvas
        self._text, self._number = canvas.text(TEXT_SIZE, INK), canvas.text(TEXT_SIZE, INK, align="right")
        self._text.set_text(record.name)
        self._track, self._handle = canvas.lines(2, FAINT, 3.0), canvas.panel(INK, 1.0)
        self._items = (self._text, self._number, self._track, self._handle)
        self._left, self._right, self._top = 0.0, 1.0, 0.0

    def lay_out(self, left: float, right: float, top: float) -> None:
        """Place it between two edges, below a height [pixels]."""
        self._left, self._right, self._top = left, right, top
        self._text.place(left, top)
        self._number.place(right, top)
        self._track.place(np.array([[left, self._level], [right, self._level]]))
        self.show_value(self.value)

    @property
    def _level(self) -> float:
        """Height of the track [pixels]."""
        return self._top - 0.72 * SLIDER_ROW_HEIGHT * self._canvas.unit

    def show_value(self, value: float) -> None:
        """Show a value [unit of the input]."""
        self.value = value
        if not self.low <= value <= self.high:
            self.low, self.high = slider_range(self.record, value)
        self._number.set_text(f"{value:.4g} {self.record.unit}".rstrip())
        half, height = SLIDER_HANDLE_SIZE[0] * self._canvas.unit, SLIDER_HANDLE_SIZE[1] * self._canvas.unit
        share = (value - self.low) / (self.high - self.low)
        x = round(self._left + share * (self._right - self._left))
        self._handle.place(x - half, self._level - height, x + half, self._level + height, half)

    def is_at(self, x: float, y: float) -> bool:
        """Return whether a pixel belongs to its row."""
        return self._left <= x <= self._right and self._top - SLIDER_ROW_HEIGHT * self._canvas.unit <= y <= self._top

    def value_at(self, x: float) -> float:
        """Return the value at a pixel, within the range [unit of the input]."""
        share = min(max((x - self._left) / (self._right - self._left), 0.0), 1.0)
        return self.low + share * (self.high - self.low)

    def widen(self) -> None:
        """Widen a range without a bound at whose end the value is."""
        if self.value in {self.low, self.high}:
            span = self.high - self.low
            low = self.low - span if self.value == self.low else self.low
            high = self.high + span if self.value == self.high else self.high
            self.low, self.high = max(low, self.record.lower), min(high, self.record.upper)
            self.show_value(self.value)

    def show(self, shown: bool) -> None:
        """Show or hide it."""
        for item in self._items:
            item.show(shown)


def slider_range(record: Input, value: float) -> tuple[float, float]:
    """Return both ends of a slider [unit of the input]: bounds, or as far from the value as zero is."""
    reach = abs(value) or 1.0
    low = record.lower if math.isfinite(record.lower) else value - reach
    high = record.upper if math.isfinite(record.upper) else value + reach
    return (low, high) if low < high else (value - reach, value + reach)
