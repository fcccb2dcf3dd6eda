"""Words in front of the picture: the head-up line, the keys, and what went wrong."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from hybridsim.viewer.colours import ALARM, FAINT, INK
from hybridsim.viewer.render.canvas import Canvas, Plate, Text

MARGIN, PADDING = 16.0, 9.0
PITCH, LINE = 0.91, 1.32
"""From line to line within a text and between texts, in heights of a letter."""
ABOVE_SLIDER = 100.0
WIDEST = 92
"""Letters in a line of what went wrong."""


class Headline:
    """A few short lines at the upper left; one colour each."""

    def __init__(self, canvas: Canvas, colours: Sequence[str]) -> None:
        self._canvas = canvas
        self._plate = canvas.plate()
        self._lines = [canvas.text(colour=colour, bold=not number) for number, colour in enumerate(colours)]
        self._extent = (0, 0)
        self.corner = (0.0, 0.0)
        """The lower right one of what it covers [pixels]."""

    def say(self, lines: Sequence[str]) -> None:
        """At most as many lines as there are colours."""
        for text, words in zip(self._lines, [*lines, *[""] * len(self._lines)], strict=False):
            text.say(words)
        extent = (max(map(len, lines), default=0), len(lines))
        if extent != self._extent:
            self._extent = extent
            self.lay_out()

    def lay_out(self) -> None:
        unit, (wide, high) = self._canvas.unit, self._canvas.letter()
        left, top = MARGIN * unit, self._canvas.size[1] - MARGIN * unit
        for number, text in enumerate(self._lines):
            text.place(left + PADDING * unit, top - PADDING * unit - number * high * LINE)
        columns, rows = self._extent
        width, height = columns * wide + 2 * PADDING * unit, rows * high * LINE + 1.2 * PADDING * unit
        self.corner = left + width, top - height
        self._plate.place(left, top - height, left + width, top, 6 * unit)
        self._plate.show(rows > 0)

    def remove(self) -> None:
        self._canvas.remove(self._plate, *self._lines)


class Notice:
    """A plate with words in the middle, or below the head-up line: the keys, or what went wrong."""

    def __init__(self, canvas: Canvas, alarm: bool = False) -> None:
        self._canvas, self._alarm = canvas, alarm
        self._plate = canvas.plate(ALARM if alarm else "#ffffff", 0.92)
        self._text = canvas.text(colour="#ffffff" if alarm else INK)
        self.say("")

    @property
    def words(self) -> str:
        return self._text.words

    def say(self, words: str) -> None:
        """Show these words; none hide it."""
        fitting = max(int(self._canvas.size[0] / self._canvas.letter()[0]) - 8, 16)
        lines = [part for line in words.splitlines() for part in _wrapped(line, min(fitting, WIDEST)) or [""]]
        self._text.say("\n".join(lines))
        self._plate.show(bool(words))
        self._text.show(bool(words))
        self.lay_out()

    def lay_out(self) -> None:
        lines = self._text.words.splitlines()
        unit, (wide, high) = self._canvas.unit, self._canvas.letter()
        padding = 1.8 * PADDING * unit
        width = max(map(len, lines), default=0) * wide + 2 * padding
        height = len(lines) * high * PITCH + 2 * padding
        x, y = self._canvas.size
        left, top = 0.5 * (x - width), 0.5 * (y + height) if not self._alarm else 0.82 * y
        self._text.place(left + padding, top - padding)
        self._plate.place(left, top - height, left + width, top, 8 * unit)

    def remove(self) -> None:
        self._canvas.remove(self._plate, self._text)


class Names:
    """What the runs are called, each at the bottom of its own subplot."""

    def __init__(self, canvas: Canvas, names: Sequence[str], columns: int) -> None:
        self._canvas, self._columns = canvas, columns
        self._texts: list[tuple[Plate, Text]] = []
        for name in names:
            self._texts.append((canvas.plate(), canvas.text(colour=FAINT, bold=True, align="centre")))
            self._texts[-1][1].say(name)
        self._rows = -(-len(names) // columns)

    def lay_out(self) -> None:
        (width, height), unit, (wide, high) = self._canvas.size, self._canvas.unit, self._canvas.letter()
        for number, (plate, text) in enumerate(self._texts):
            row, column = divmod(number, self._columns)
            x = (column + 0.5) * width / self._columns
            y = height * (1 - (row + 1) / self._rows) + (ABOVE_SLIDER if row == self._rows - 1 else 2 * MARGIN) * unit
            half = 0.5 * len(text.words) * wide + PADDING * unit
            text.place(x, y)
            plate.place(x - half, y - high - 0.6 * PADDING * unit, x + half, y + 0.5 * PADDING * unit, 5 * unit)

    def remove(self) -> None:
        for pair in self._texts:
            self._canvas.remove(*pair)


def _wrapped(line: str, width: int) -> list[str]:
    indent = " " * (len(line) - len(line.lstrip()))
    return textwrap.wrap(line, width, subsequent_indent=indent, break_long_words=True, drop_whitespace=True)
