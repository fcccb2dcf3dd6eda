"""The time slider: the duration of the run, its events, coloured by boundary, and the time that is shown.

The boundaries of a long family, such as `touchdown0` to `touchdown5`, have one colour.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from hybridsim.results.colours import family_labels, kind_colour
from hybridsim.results.events import Event
from hybridsim.typing import FloatArray
from hybridsim.viewer.render.canvas import Canvas, Lines, Text
from hybridsim.viewer.render.colours import FAINT, INK

SIDE_MARGIN, HEIGHT_ABOVE_BOTTOM = 96.0, 30.0
"""Distances of the slider from the sides and the lower edge of the window [units of the canvas]."""
TICK_HEIGHT = 8.0
"""Height of the mark of an event [units of the canvas]."""
CROWDED_SHARE = 0.1
"""Part of the slider; ticks that fill more of it are as high as they are dense there."""
MEAN_HEIGHT, LEAST_HEIGHT = 0.3, 0.15
"""Heights of such ticks: where they are as dense as in the mean, as a clock's are; and the least. 1 is the full one."""
SOLID_SHARE, DENSER = 0.3, 1.5
"""Part of the slider; of ticks that fill more, as a fast clock's do, only those are drawn that are so much denser."""
CROWD_WIDTH = 8.0
"""Length of the slider over which a density is counted [units of the canvas]."""
TIMELINE_FONT_SIZE = 12.0
TIME_HANDLE_SIZE = (4.0, 11.0)
"""Half the width and half the height of the handle [units of the canvas]."""
GRIP_DISTANCE = 18.0
"""Distance from the slider within which a mouse button takes the handle [units of the canvas]."""
FIRST_TICK_CAPACITY = 64
"""Number of events of a boundary for which lines are made at first."""


class Ticks:
    """The events of one boundary or of one family of boundaries, as short lines above the slider."""

    def __init__(self, canvas: Canvas, name: str, colour: str) -> None:
        self.name, self.colour = name, colour
        self.times: list[float] = []
        self._canvas, self._capacity = canvas, 0
        self._width = max(round(1.6 * canvas.unit), 2)
        self._lines: Lines | None = None
        self.label = canvas.text(TIMELINE_FONT_SIZE, colour, bold=True)
        self.label.set_text(f"▏{name}")

    def lay_out(self, axis: TimeAxis) -> None:
        """Draw one tick in each column of pixels that has an event; the heights of many show how dense they are."""
        at = np.round(axis.x(np.array(self.times)))
        columns = np.unique(at)
        if len(columns) > self._capacity:
            if self._lines is not None:
                self._canvas.remove(self._lines)
            self._capacity = max(FIRST_TICK_CAPACITY, 2 * len(columns))
            self._lines = self._canvas.lines(2 * self._capacity, self.colour, self._width, joined=False)
        if self._lines is not None:
            # A line of an even width is centred between two pixels, one of an odd width on a pixel.
            x = np.resize(columns, self._capacity) + 0.5 * (self._width % 2)
            heights = tick_heights(at, columns, axis.right - axis.left, CROWD_WIDTH * self._canvas.unit)
            height = TICK_HEIGHT * self._canvas.unit * np.resize(heights, self._capacity)
            ends = np.stack([np.stack([x, axis.y - 0 * x], 1), np.stack([x, axis.y + height], 1)], 1)
            self._lines.place(ends.reshape(-1, 2))


class TimeAxis:
    """The relation between times [s] and positions along the slider [pixels]."""

    def __init__(self, canvas: Canvas, begin: float, end: float) -> None:
        self.begin, self.end = begin, end
        margin = SIDE_MARGIN * canvas.unit
        self.left, self.right = margin, canvas.size[0] - margin
        self.y = HEIGHT_ABOVE_BOTTOM * canvas.unit

    def x(self, t: FloatArray) -> FloatArray:
        """Return the positions of times."""
        share = (t - self.begin) / ((self.end - self.begin) or 1.0)
        return self.left + np.clip(share, 0.0, 1.0) * (self.right - self.left)

    def time(self, x: float) -> float:
        """Return the time at a position."""
        share = (x - self.left) / (self.right - self.left)
        return self.begin + min(max(share, 0.0), 1.0) * (self.end - self.begin)


class Timeline:
    """The slider of all runs in a window; the events are those of the first run."""

    def __init__(self, canvas: Canvas, boundaries: Sequence[str]) -> None:
        self._canvas = canvas
        self._label = {name: label for label, names in family_labels(boundaries) for name in names}
        self._labels = list(dict.fromkeys(self._label.values()))
        self._ticks: dict[str, Ticks] = {}
        self._n_events = 0
        self._track = canvas.lines(2, "#9fb0c0", 3.0)
        self._past = canvas.lines(2, INK, 3.0)
        self._handle = canvas.panel(INK, 1.0)
        self._ends = (canvas.text(TIMELINE_FONT_SIZE, FAINT, align="right"), canvas.text(TIMELINE_FONT_SIZE, FAINT))
        self._axis = TimeAxis(canvas, 0.0, 1.0)
        self._t = 0.0

    def show_runs(self, begin: float, end: float, finished: bool, events: Sequence[Event]) -> None:
        """Show how far the runs have come, and the new events of the first one.

        Parameters
        ----------
        begin, end : float
            Earliest beginning and latest end of the runs so far [s].
        finished : bool
            Whether all runs have ended; otherwise the slider extends to a round time after `end`.
        events : sequence of Event
            All events of the first run so far.
        """
        if not finished:
            end = round_end(begin, end)
        new = self._add_events(events)
        if new or (begin, end) != (self._axis.begin, self._axis.end):
            self._axis = TimeAxis(self._canvas, begin, end)
            self._draw()

    def set_time(self, t: float) -> None:
        """Move the handle to a time [s]."""
        self._t = t
        unit, axis = self._canvas.unit, self._axis
        x = round(float(axis.x(np.array(t))))
        self._past.place(np.array([[axis.left, axis.y], [x, axis.y]]))
        half, height = TIME_HANDLE_SIZE[0] * unit, TIME_HANDLE_SIZE[1] * unit
        self._handle.place(x - half, axis.y - height, x + half, axis.y + height, half)

    def time_at(self, x: float, y: float, held: bool = False) -> float | None:
        """Return the time [s] at a pixel (from the lower left); None off the slider, unless the handle is held."""
        axis, grip = self._axis, GRIP_DISTANCE * self._canvas.unit
        if held or (abs(y - axis.y) <= grip and axis.left - grip <= x <= axis.right + grip):
            return axis.time(x)
        return None

    def lay_out(self) -> None:
        """Adapt positions to the size of the window."""
        self._axis = TimeAxis(self._canvas, self._axis.begin, self._axis.end)
        self._draw()

    def _add_events(self, events: Sequence[Event]) -> bool:
        """Add the events that are new, and return whether there are any."""
        count = len(events)
        for event in events[self._n_events : count]:
            for name in event.boundaries:
                self._ticks_of(name).times.append(event.t)
        new, self._n_events = count != self._n_events, count
        return new

    def _ticks_of(self, name: str) -> Ticks:
        """Return the ticks of a boundary, which are made for its first event."""
        label = self._label.setdefault(name, name)
        if label not in self._ticks:
            if label not in self._labels:
                self._labels.append(label)
            colour = kind_colour(self._labels.index(label))
            self._ticks[label] = Ticks(self._canvas, label, colour)
        return self._ticks[label]

    def _draw(self) -> None:
        axis, unit = self._axis, self._canvas.unit
        self._track.place(np.array([[axis.left, axis.y], [axis.right, axis.y]]))
        for end, text, x in zip((axis.begin, axis.end), self._ends, (axis.left, axis.right), strict=True):
            text.set_text(f"{end:.6g} s")
            text.place(x + (12 if end == axis.end else -12) * unit, axis.y + 8 * unit)
        self._place_labels()
        for ticks in self._ticks.values():
            ticks.lay_out(axis)
        self.set_time(self._t)

    def _place_labels(self) -> None:
        """Place the boundaries' names above the slider, in the model's order; names that do not fit are hidden."""
        wide, high = self._canvas.character(TIMELINE_FONT_SIZE)
        x, y = self._axis.left, self._axis.y + TICK_HEIGHT * self._canvas.unit + 1.7 * high
        for name in sorted(self._ticks, key=self._labels.index):
            label: Text = self._ticks[name].label
            label.place(x, y)
            x += (len(name) + 3) * wide
            label.show(x < self._axis.right)


def tick_heights(at: FloatArray, columns: FloatArray, length: float, crowd: float) -> FloatArray:
    """Return the heights of ticks, of events at positions on a slider; 1 is the height of ticks that are not crowded.

    Parameters
    ----------
    at : array
        Positions of the events [pixels].
    columns : array
        The positions that occur [pixels].
    length : float
        Length of the slider [pixels].
    crowd : float
        Length over which a density is counted [pixels].

    Returns
    -------
    array
        The height of the tick in each column.
    """
    if len(columns) <= CROWDED_SHARE * length:
        return np.ones(len(columns))
    counts = np.bincount(((at - columns[0]) // crowd).astype(int))
    density = counts / counts[counts > 0].mean()
    of_columns = density[((columns - columns[0]) // crowd).astype(int)]
    heights = np.clip(MEAN_HEIGHT * of_columns, LEAST_HEIGHT, 1.0)
    solid = len(columns) > SOLID_SHARE * length
    return np.asarray(np.where(solid & (of_columns < DENSER), 0.0, heights))


def round_end(begin: float, end: float) -> float:
    """Return a time [s] after `end` and a round duration after `begin`, for a run that is being computed."""
    span = max(1.05 * (end - begin), 1e-9)
    scale = 10.0 ** math.floor(math.log10(span))
    return begin + next(scale * step for step in (1.0, 1.5, 2.0, 3.0, 5.0, 7.5, 10.0) if scale * step >= span)
