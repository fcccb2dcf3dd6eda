"""The time slider: how far the run has come, where events were, in colours by boundary, and where the player stands.

Boundaries of a long family, `touchdown0` to `touchdown5`, have one colour.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from hybridsim.model.table import MIN_FOLDED_NAMES, families
from hybridsim.typing import FloatArray
from hybridsim.viewer.colours import EVENTS, FAINT, INK
from hybridsim.viewer.render.canvas import Canvas, Lines, Text
from hybridsim.viewer.source import EventLike, Source

LEFT, BOTTOM = 96.0, 30.0
TALL, SMALL = 8.0, 12.0
"""Half the height of a tick, and the size of the letters."""
HANDLE = (4.0, 11.0)
GRIP = 18.0
"""How near the mouse must be to take the handle, up and down."""
FIRST_ROOM = 64


class Ticks:
    """The events of one boundary, or of a family of them."""

    def __init__(self, canvas: Canvas, name: str, colour: str) -> None:
        self.name, self.colour = name, colour
        self.times: list[float] = []
        self._canvas, self._room = canvas, 0
        self._width = max(round(1.6 * canvas.unit), 2)
        self._lines: Lines | None = None
        self.label = canvas.text(SMALL, colour, bold=True)
        self.label.say(f"▏{name}")

    def lay_out(self, bar: Bar) -> None:
        """Draw one tick for each column of pixels that has an event."""
        columns = np.unique(np.round(bar.x(np.array(self.times))))
        if len(columns) > self._room:
            if self._lines is not None:
                self._canvas.remove(self._lines)
            self._room = max(FIRST_ROOM, 2 * len(columns))
            self._lines = self._canvas.lines(2 * self._room, self.colour, self._width, joined=False)
        if self._lines is not None:
            # An even number of pixels lies around the edge between two, an odd one around the middle of one.
            x = np.resize(columns, self._room) + 0.5 * (self._width % 2)
            height = TALL * self._canvas.unit
            ends = np.stack([np.stack([x, bar.y - 0 * x], 1), np.stack([x, bar.y + height + 0 * x], 1)], 1)
            self._lines.place(ends.reshape(-1, 2))

    def remove(self) -> None:
        self._canvas.remove(self.label, *([self._lines] if self._lines else []))


class Bar:
    """Where times are in the picture."""

    def __init__(self, canvas: Canvas, begin: float, end: float) -> None:
        self.begin, self.end = begin, end
        self.left, self.right = LEFT * canvas.unit, canvas.size[0] - LEFT * canvas.unit
        self.y = BOTTOM * canvas.unit

    def x(self, t: FloatArray) -> FloatArray:
        part = (t - self.begin) / ((self.end - self.begin) or 1.0)
        return self.left + np.clip(part, 0.0, 1.0) * (self.right - self.left)

    def time(self, x: float) -> float:
        part = (x - self.left) / (self.right - self.left)
        return self.begin + min(max(part, 0.0), 1.0) * (self.end - self.begin)


class Timeline:
    """The slider of all runs in a window; ticks are those of the first one."""

    def __init__(self, canvas: Canvas, boundaries: Sequence[str]) -> None:
        self._canvas = canvas
        self._label = {name: label for label, names in labels(boundaries) for name in names}
        self._labels = list(dict.fromkeys(self._label.values()))
        self._ticks: dict[str, Ticks] = {}
        self._seen = 0
        self._track = canvas.lines(2, "#9fb0c0", 3.0)
        self._past = canvas.lines(2, INK, 3.0)
        self._handle = canvas.plate(INK, 1.0)
        self._ends = (canvas.text(SMALL, FAINT, align="right"), canvas.text(SMALL, FAINT))
        self._bar = Bar(canvas, 0.0, 1.0)
        self._t = 0.0

    def show_sources(self, sources: Sequence[Source]) -> None:
        """Take in how far the runs have come, and the events that are new."""
        begin, end = min(source.begin for source in sources), max(source.end for source in sources)
        if not all(source.finished for source in sources):
            end = round_above(begin, end)
        new = self._take(sources[0].events)
        if new or (begin, end) != (self._bar.begin, self._bar.end):
            self._bar = Bar(self._canvas, begin, end)
            self._draw()

    def set_time(self, t: float) -> None:
        """Move the handle to a time [s]."""
        self._t = t
        unit, bar = self._canvas.unit, self._bar
        x = round(float(bar.x(np.array(t))))
        self._past.place(np.array([[bar.left, bar.y], [x, bar.y]]))
        half, height = HANDLE[0] * unit, HANDLE[1] * unit
        self._handle.place(x - half, bar.y - height, x + half, bar.y + height, half)

    def time_at(self, x: float, y: float, held: bool = False) -> float | None:
        """The time [s] below the mouse; None beside the slider, unless it is held."""
        bar, grip = self._bar, GRIP * self._canvas.unit
        if held or (abs(y - bar.y) <= grip and bar.left - grip <= x <= bar.right + grip):
            return bar.time(x)
        return None

    def lay_out(self) -> None:
        self._bar = Bar(self._canvas, self._bar.begin, self._bar.end)
        self._draw()

    def remove(self) -> None:
        for ticks in self._ticks.values():
            ticks.remove()
        self._canvas.remove(self._track, self._past, self._handle, *self._ends)

    def _take(self, events: Sequence[EventLike]) -> bool:
        count = len(events)
        for event in events[self._seen : count]:
            for name in event.boundaries:
                self._of(name).times.append(event.t)
        new, self._seen = count != self._seen, count
        return new

    def _of(self, name: str) -> Ticks:
        label = self._label.setdefault(name, name)
        if label not in self._ticks:
            if label not in self._labels:
                self._labels.append(label)
            colour = EVENTS[self._labels.index(label) % len(EVENTS)]
            self._ticks[label] = Ticks(self._canvas, label, colour)
        return self._ticks[label]

    def _draw(self) -> None:
        bar, unit = self._bar, self._canvas.unit
        self._track.place(np.array([[bar.left, bar.y], [bar.right, bar.y]]))
        for end, text, x in zip((bar.begin, bar.end), self._ends, (bar.left, bar.right), strict=True):
            text.say(f"{end:.6g} s")
            text.place(x + (12 if end == bar.end else -12) * unit, bar.y + 8 * unit)
        self._legend()
        for ticks in self._ticks.values():
            ticks.lay_out(bar)
        self.set_time(self._t)

    def _legend(self) -> None:
        """Above the slider, in the model's order; what has no room is left out."""
        wide, high = self._canvas.letter(SMALL)
        x, y = self._bar.left, self._bar.y + TALL * self._canvas.unit + 1.7 * high
        for name in sorted(self._ticks, key=self._labels.index):
            label: Text = self._ticks[name].label
            label.place(x, y)
            x += (len(name) + 3) * wide
            label.show(x < self._bar.right)


def labels(boundaries: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """What to call the boundaries below one colour, and these."""
    for family in families(boundaries).values():
        if len(family) >= MIN_FOLDED_NAMES:
            yield f"{family[0]} ... {family[-1]}", family
        else:
            yield from ((name, [name]) for name in family)


def round_above(begin: float, end: float) -> float:
    """A round duration later than `begin` that reaches beyond `end` [s], for a run that is still going on."""
    span = max(1.05 * (end - begin), 1e-9)
    scale = 10.0 ** math.floor(math.log10(span))
    return begin + next(scale * step for step in (1.0, 1.5, 2.0, 3.0, 5.0, 7.5, 10.0) if scale * step >= span)
