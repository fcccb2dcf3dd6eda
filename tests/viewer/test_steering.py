"""Sliders change the inputs of a live run, and the run records it."""

import math

import pytest

from hybridsim import Input
from hybridsim.viewer import Replay
from hybridsim.viewer.render.input_sliders import slider_range

from .puck import MASS, impulse, live_puck, played_until


@pytest.mark.parametrize(
    ("bounds", "value", "ends"),
    [
        ((0.0, 6.0), 1.0, (0.0, 6.0)),
        ((1e-3, math.inf), 0.5, (1e-3, 1.0)),
        ((-math.inf, math.inf), -0.2, (-0.4, 0.0)),
        ((-math.inf, math.inf), 0.0, (-1.0, 1.0)),
    ],
)
def test_a_slider_has_the_bounds_of_its_input_or_a_range_about_its_value(bounds, value, ends):
    assert slider_range(Input("a", value, lower=bounds[0], upper=bounds[1]), value) == ends


def test_a_slider_changes_its_input_at_once_and_widens_at_an_end_without_a_bound(live_session):
    live = live_puck(pushes=())
    session = live_session(live)
    played_until(session, 0.2)
    session.press("i")
    played_until(session, 0.3)
    (slider,) = session.steering.sliders
    assert (slider.low, slider.high) == (-4.0, 1.0)
    place = slider._left + 0.9 * (slider._right - slider._left)
    assert session.steering.begin(place, slider._level, False)
    assert live.inputs["force_x"] == pytest.approx(0.5)
    session.steering.move(slider._right + 50.0, slider._level)
    session.steering.end()
    assert live.inputs["force_x"] == 1.0
    assert (slider.low, slider.high) == (-4.0, 6.0)
    played_until(session, 1.0)
    live.interrupt()
    run = live.finish()
    assert run.inputs.value[-1] == 1.0
    assert run["v"][-1] == pytest.approx(impulse(run) / MASS, rel=1e-9)


def test_sliders_are_taken_only_where_they_are_shown(live_session):
    live = live_puck(pushes=())
    session = live_session(live)
    session.press("i")
    session.draw()
    (slider,) = session.steering.sliders
    inside = slider._left + 5.0, slider._level
    assert not session.steering.begin(slider._left - 5.0, slider._level, False)
    session.press("i")
    assert not session.steering.begin(*inside, False)
    assert live.inputs["force_x"] == 0.0


def test_sliders_have_the_values_of_the_configuration_again_after_a_restart(live_session):
    live = live_puck(pushes=())
    session = live_session(live)
    played_until(session, 0.2)
    session.press("i")
    live.set_inputs({"force_x": 2.0})
    played_until(session, 0.4)
    assert session.steering.sliders[0].value == 2.0
    session.restart()
    session.draw()
    assert session.steering.shown
    assert session.steering.sliders[0].value == 0.0
    played_until(session, 0.2)
    assert live.frame(0.2).x[1] == 0.0


def test_why_there_are_no_sliders_is_explained(live_session):
    live = live_puck()  # its only input is pushed by the mouse
    session = live_session(live)
    session.press("i")
    assert "puck: this model has no inputs" in session.stage.help.text
    played_until(session, 0.1)
    live.interrupt()
    recorded = live_session(Replay(live.finish(), live.model))
    recorded.press("i")
    assert "only while a run is computed" in recorded.stage.help.text
