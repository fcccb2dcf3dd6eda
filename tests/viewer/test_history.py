"""Curves of outputs over the last seconds, and the samples that they are made of."""

import numpy as np
import pytest

from hybridsim import simulate
from hybridsim.viewer import Replay
from hybridsim.viewer.history import N_HISTORY_SAMPLES, History, sample_outputs
from hybridsim.viewer.render.strips import Strip, format_limit
from hybridsim.viewer.session import (
    HISTORY_DURATION,
)

from .swing import SIZE, Swing


def test_a_curve_is_where_its_values_are(shown):
    session = shown(Swing())
    session.player.scrub(6.0)
    session.draw()
    session.stage.render()
    (strip,) = session.stage.strips._strips
    left, bottom, right, top = strip._box
    points = np.array(strip._curves[0].points[:, :2])
    t = 6.0 - HISTORY_DURATION * (right - points[:, 0]) / (right - left)
    expected = bottom + (np.sin(t) - strip.low) / (strip.high - strip.low) * (top - bottom)
    assert points[:, 1] == pytest.approx(
        expected, abs=0.5 + 0.5 * (top - bottom) / 2 * HISTORY_DURATION / (right - left) + 0.2
    )
    assert (strip.low, strip.high) == pytest.approx((-1.0, 1.0), abs=1e-2)


def test_curves_stay_in_their_chart_when_a_paused_window_is_resized(shown):
    session = shown(Swing())
    session.player.scrub(6.0)
    session.draw()
    session.stage.window.SetSize(900, 560)
    session.draw()
    session.stage.render()
    (strip,) = session.stage.strips._strips
    left, bottom, right, top = strip._box
    points = np.array(strip._curves[0].points[:, :2])
    assert right > SIZE[0]
    assert points[-1, 0] == pytest.approx(right, abs=1.0)
    assert points.min(axis=0).tolist() >= [left - 1.0, bottom - 1.0]
    assert points.max(axis=0).tolist() <= [right + 1.0, top + 1.0]


def test_the_scale_of_a_signal_that_is_still_zero_has_no_size_of_rounding(shown):
    strip = Strip(shown(Swing()).stage.canvas, "speed", "m/s", 1, 4)
    for values, limits in (([0.0], (-1.0, 1.0)), ([-3e-16], (-1.0, 1.0)), ([2.0], (-3e-16, 2.0))):
        strip.extend_scale(np.array(values))
        assert strip._limits() == limits


@pytest.mark.parametrize("letters", [10, 100])
def test_curves_are_to_the_right_of_the_head_up_line_or_below_it(shown, letters):
    session = shown(Swing())
    stage = session.stage
    stage.set_lines(["w" * letters])
    right, bottom = stage.head_up.corner
    left, _, _, top = stage.strips._strips[0]._box
    side_by_side = right < left
    assert side_by_side == (letters == 10)
    assert side_by_side or top < bottom
    assert top > SIZE[1] / 2


@pytest.mark.parametrize(("size", "drawn"), [((640, 420), 1), ((640, 100), 0), ((400, 420), 0)])
def test_charts_that_would_cover_the_slider_or_half_of_the_width_are_left_out(shown, size, drawn):
    session = shown(Swing())
    session.player.scrub(6.0)
    session.stage.window.SetSize(*size)
    session.draw()
    session.draw()
    (strip,) = session.stage.strips._strips
    assert [item.actor.GetVisibility() for item in strip._items()] == [drawn] * len(strip._items())
    assert (session.stage.strips.share_left < 1.0) == drawn


def test_history_asks_for_no_more_frames_than_it_needs():
    source = Swing()
    history = History(source, ("place", "missing"))
    history.advance(source.frame(5.0), 2.0)
    assert source.n_frames <= N_HISTORY_SAMPLES + 1
    source.n_frames = 0
    for t in 5.0 + np.arange(1, 11) / 60:
        history.advance(source.frame(t), 2.0)
    assert source.n_frames <= 10 + 1 + 10 / 60 / (2.0 / (N_HISTORY_SAMPLES - 2))
    assert history.t[-1] == pytest.approx(5.0 + 1 / 6)
    assert np.diff(history.t).min() >= 0.0
    assert history.values[:, 0] == pytest.approx(np.sin(history.t), abs=1e-12)
    assert np.isnan(history.values[:, 1]).all()
    assert history.paths[:, 0, 0] == pytest.approx(np.sin(history.t), abs=1e-12)


def test_history_before_the_beginning_is_empty():
    source = Swing()
    history = History(source, ("place",))
    history.advance(source.frame(1.0), 2.0)
    known = np.isfinite(history.values[:, 0])
    assert (known == (history.t >= 0.0)).all()
    history.advance(source.frame(0.0), 2.0)  # back again
    assert np.isfinite(history.values[:, 0]).sum() == 2


@pytest.mark.parametrize(
    ("value", "written"),
    [(0.0, "0"), (2931.6, "2932"), (0.85341, "0.8534"), (1.23e-9, "1.2e-09"), (-1.5, "-1.5"), (1e12, "1.0e+12")],
)
def test_the_ends_of_scales_are_short(value, written):
    assert format_limit(value) == written


def test_scales_of_strips_reach_what_jumps_reach():
    """A runner's leg is shortest where it turns round, an event between all samples."""
    source = Replay(simulate("slip", final_time=3.0))
    turns = [event.t for event in source.events if event.boundaries == ("bottom",)]
    shortest = min(source.frame(t, before=True).outputs["leg_length"] for t in turns)
    assert sample_outputs(source, ["leg_length"]).min() == shortest
