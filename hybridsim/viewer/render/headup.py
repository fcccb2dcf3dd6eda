"""Texts in front of the picture: the head-up lines, the list of keys, error messages, the names of runs."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

import numpy as np

from hybridsim.viewer.render.canvas import REFERENCE_HEIGHT, REFERENCE_WIDTH, Canvas, Panel, Text
from hybridsim.viewer.render.colours import ERROR_PANEL_COLOUR, FAINT, INK

WINDOW_MARGIN, PANEL_PADDING = 16.0, 9.0
"""Distances between panels and the window's edge, and between texts and their panel's edge [units of the canvas]."""
LINE_SPACING_IN_TEXT, LINE_SPACING = 0.91, 1.32
"""Distances from line to line within one text and between head-up lines, in heights of a character."""
BOTTOM_NAMES_HEIGHT = 100.0
"""Height of the run names of the lowest row above the window's lower edge [units of the canvas]."""
SMALL, MEDIUM = 0.5, 0.75
"""Sizes of pictures, in the canvas' own: the head-up lines of a small one stand above what the camera shows, and from
a medium one on in front of it."""
MAX_COVERED = 0.3
"""Most of the height that is left to the lines of a small picture."""
MIN_COLUMNS = 16
"""Least number of characters in a line, however narrow the window is."""
MAX_LINE_LENGTH = 92
"""Most characters in a line of a notice."""


class HeadUpLines:
    """Short lines at the upper left, each with its own colour.

    Attributes
    ----------
    corner : (float, float)
        Lower right corner of the area they cover [pixels].
    covered : float
        Share of the height that is left to them; in a picture of one size it never falls, so that nothing moves as
        lines come and go.
    """

    def __init__(self, canvas: Canvas, colours: Sequence[str]) -> None:
        self._canvas = canvas
        self._panel = canvas.panel()
        self._lines = [canvas.text(colour=colour, bold=not number) for number, colour in enumerate(colours)]
        self._given: list[str] = []
        self._extent: list[tuple[int, int]] = []  # columns and rows of each line
        self.corner, self.covered = (0.0, 0.0), 0.0
        self._covered_size = canvas.size

    def set_lines(self, lines: Sequence[str]) -> None:
        """Show other lines, at most as many as there are colours; one that is wider than the window is broken."""
        self._given = [*lines]
        if self._fit() != self._extent:
            self.lay_out()

    def _fit(self) -> list[tuple[int, int]]:
        """Write the lines as they fit into the window, and return how many columns and rows each has."""
        margins = 2 * (WINDOW_MARGIN + PANEL_PADDING) * self._canvas.unit
        columns = max(int((self._canvas.size[0] - margins) / self._canvas.character()[0]), MIN_COLUMNS)
        parts = [break_line(line, columns) for line in self._given]
        for text, rows in zip(self._lines, [*parts, *[[""]] * len(self._lines)], strict=False):
            text.set_text("\n".join(rows))
        return [(max(map(len, rows)), len(rows)) for rows in parts]

    def lay_out(self) -> None:
        """Adapt lines and positions to the size of the window."""
        self._extent = self._fit()
        unit, (wide, high) = self._canvas.unit, self._canvas.character()
        left, top = WINDOW_MARGIN * unit, self._canvas.size[1] - WINDOW_MARGIN * unit
        height = 0.0
        for text, (_, rows) in zip(self._lines, self._extent, strict=False):
            text.place(left + PANEL_PADDING * unit, top - PANEL_PADDING * unit - height)
            height += high * (LINE_SPACING + (rows - 1) * LINE_SPACING_IN_TEXT)
        height += 1.2 * PANEL_PADDING * unit
        width = max((columns for columns, _ in self._extent), default=0) * wide + 2 * PANEL_PADDING * unit
        self.corner = left + width, top - height
        self._panel.place(left, top - height, left + width, top, 6 * unit)
        self._panel.show(bool(self._extent))
        self._cover()

    def _cover(self) -> None:
        """Find how much of the height is left to the lines."""
        (width, high), before = self._canvas.size, self._covered_size
        small = np.clip((MEDIUM - min(high / REFERENCE_HEIGHT, width / REFERENCE_WIDTH)) / (MEDIUM - SMALL), 0.0, 1.0)
        lines = min(float(small * (1.0 - self.corner[1] / high)), MAX_COVERED) if self._extent else 0.0
        self.covered = max(lines, self.covered if before == (width, high) else 0.0)
        self._covered_size = width, high


class Notice:
    """A panel with a text: in the middle for the list of keys, or higher and red for an error message."""

    def __init__(self, canvas: Canvas, alarm: bool = False) -> None:
        self._canvas, self._alarm = canvas, alarm
        self._panel = canvas.panel(ERROR_PANEL_COLOUR if alarm else "#ffffff", 0.92)
        self._text = canvas.text(colour="#ffffff" if alarm else INK)
        self.set_text("")

    @property
    def text(self) -> str:
        """The text, with the line breaks that make it fit; "" while the panel is hidden."""
        return self._text.text

    def set_text(self, text: str) -> None:
        """Show a text; "" hides the panel."""
        fitting = max(int(self._canvas.size[0] / self._canvas.character()[0]) - 8, 16)
        lines = [part for line in text.splitlines() for part in _wrap(line, min(fitting, MAX_LINE_LENGTH)) or [""]]
        self._text.set_text("\n".join(lines))
        self._panel.show(bool(text))
        self._text.show(bool(text))
        self.lay_out()

    def lay_out(self) -> None:
        """Adapt positions to the size of the window."""
        lines = self._text.text.splitlines()
        unit, (wide, high) = self._canvas.unit, self._canvas.character()
        padding = 1.8 * PANEL_PADDING * unit
        width = max(map(len, lines), default=0) * wide + 2 * padding
        height = len(lines) * high * LINE_SPACING_IN_TEXT + 2 * padding
        x, y = self._canvas.size
        left, top = 0.5 * (x - width), 0.5 * (y + height) if not self._alarm else 0.82 * y
        self._text.place(left + padding, top - padding)
        self._panel.place(left, top - height, left + width, top, 8 * unit)


class RunNames:
    """The name of each run, at the bottom of its subplot."""

    def __init__(self, canvas: Canvas, names: Sequence[str], columns: int) -> None:
        self._canvas, self._columns = canvas, columns
        self._texts: list[tuple[Panel, Text]] = []
        for name in names:
            self._texts.append((canvas.panel(), canvas.text(colour=FAINT, bold=True, align="centre")))
            self._texts[-1][1].set_text(name)
        self._rows = -(-len(names) // columns)

    def lay_out(self) -> None:
        """Adapt positions to the size of the window."""
        (width, height), unit, (wide, high) = self._canvas.size, self._canvas.unit, self._canvas.character()
        for number, (panel, text) in enumerate(self._texts):
            row, column = divmod(number, self._columns)
            x = (column + 0.5) * width / self._columns
            y = (
                height * (1 - (row + 1) / self._rows)
                + (BOTTOM_NAMES_HEIGHT if row == self._rows - 1 else 2 * WINDOW_MARGIN) * unit
            )
            half = 0.5 * len(text.text) * wide + PANEL_PADDING * unit
            text.place(x, y)
            panel.place(
                x - half, y - high - 0.6 * PANEL_PADDING * unit, x + half, y + 0.5 * PANEL_PADDING * unit, 5 * unit
            )


def break_line(line: str, width: int) -> list[str]:
    """Break a line that is longer than `width` characters, if possible in front of a name behind two blanks."""
    parts = []
    while len(line) > width:
        places = [found.start() for found in re.finditer(r"(?<=\S)  +(?=[^\W\d])", line[: width + 2])]
        cut = places[-1] if places else width
        parts.append(line[:cut].rstrip())
        line = line[cut:].lstrip()
    return [*parts, line]


def _wrap(line: str, width: int) -> list[str]:
    """Break a line, and indent what follows as the line is indented."""
    indent = " " * (len(line) - len(line.lstrip()))
    return textwrap.wrap(line, width, subsequent_indent=indent, break_long_words=True, drop_whitespace=True)
