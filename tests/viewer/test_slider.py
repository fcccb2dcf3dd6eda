"""The time slider of a session: times, events and the end of a run that goes on."""

import math

import numpy as np
import pytest

from hybridsim.results.colours import BOUNDARY_COLOURS
from hybridsim.viewer.render.timeline import round_end

from .swing import SIZE, Swing, Turn

LEFT, RIGHT = (np.frombuffer(bytes.fromhex(colour[1:]), np.uint8).astype(int) for colour in BOUNDARY_COLOURS[:2])
"""Colours of the two boundaries of the swing."""


def test_the_slider_gives_the_time_at_every_place(shown):
    timeline = shown(Swing()).stage.timeline
    bar = timeline._axis
    for t in (0.0, 2.5, 9.0):
        x = float(bar.x(np.array(t)))
        assert timeline.time_at(x, bar.y) == pytest.approx(t)
        assert timeline.time_at(x, bar.y + 200) is None
        assert timeline.time_at(x, bar.y + 200, held=True) == pytest.approx(t)
    assert timeline.time_at(0, bar.y, held=True) == 0.0
    assert timeline.time_at(SIZE[0], bar.y, held=True) == 10.0


def test_events_are_ticks_in_the_colour_of_their_boundary(shown):
    session = shown(Swing())
    picture = session.stage.screenshot().astype(int)
    bar, unit = session.stage.timeline._axis, session.stage.canvas.unit
    row = SIZE[1] - 1 - round(bar.y + 5 * unit)
    for k, colour in enumerate((RIGHT, LEFT, RIGHT)):  # right is the second boundary, left the first
        x = round(float(bar.x(np.array(math.pi / 2 + k * math.pi))))
        assert np.abs(picture[row, x - 1 : x + 2] - colour).sum(axis=1).min() < 150
    between = round(float(bar.x(np.array(math.pi))))
    assert np.abs(picture[row, between - 1 : between + 2] - LEFT).sum(axis=1).min() > 150


class Clocked(Swing):
    """It turns at the right end, and something ticks a thousand times, on the boundary `left`."""

    @property
    def events(self):
        turns = [event for event in super().events if event.boundaries == ("right",)]
        return sorted([*turns, *(Turn(0.01 * k, ("left",)) for k in range(1000))], key=lambda event: event.t)


def test_ticks_of_a_clock_that_would_fill_it_are_not_drawn_and_cover_no_others(shown):
    session = shown(Clocked())
    picture = session.stage.screenshot().astype(int)
    bar, unit = session.stage.timeline._axis, session.stage.canvas.unit
    high, low = (picture[SIZE[1] - 1 - round(bar.y + height * unit)] for height in (5, 1))
    turn, between = (round(float(bar.x(np.array(t)))) for t in (math.pi / 2, math.pi))
    colours = session.stage.timeline._ticks
    assert [colours[name].colour.lower() for name in ("left", "right")] == [*BOUNDARY_COLOURS[:2]]
    assert np.abs(high[turn - 1 : turn + 2] - RIGHT).sum(axis=1).min() < 150
    assert np.abs(high[between - 1 : between + 2] - LEFT).sum(axis=1).min() > 150
    assert np.abs(low[between - 1 : between + 2] - LEFT).sum(axis=1).min() > 150


def test_ticks_of_a_live_run_appear_as_it_goes_on(shown):
    source = Swing(end=1.0, finished=False)
    session = shown(source)
    timeline = session.stage.timeline
    assert not timeline._ticks
    source.end = 5.0
    session.draw()
    assert {name: len(ticks.times) for name, ticks in timeline._ticks.items()} == {"left": 1, "right": 1}
    assert timeline._axis.end > 5.0
    source.finished = True
    session.draw()
    assert timeline._axis.end == 5.0


@pytest.mark.parametrize(("end", "above"), [(0.9, 1.0), (1.0, 1.5), (9.9, 15.0), (0.0, 1e-9), (2.0, 3.0)])
def test_a_run_that_goes_on_has_a_slider_of_round_length(end, above):
    assert round_end(0.0, end) == pytest.approx(above)
