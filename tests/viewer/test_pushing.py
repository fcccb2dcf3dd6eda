"""Pushes with the mouse: which body is at the mouse, which force a drag makes, what the run feels and records."""

from types import SimpleNamespace

import numpy as np
import pytest

from hybridsim import ModelError
from hybridsim.config import config_from_keywords
from hybridsim.scene import Push
from hybridsim.viewer import Replay, ViewOptions
from hybridsim.viewer.live import Live
from hybridsim.viewer.pushing import force_of
from hybridsim.viewer.render.pushes import Ray, body_at
from hybridsim.viewer.window import Window

from .puck import MASS, PUSH, SIZE, impulse, live_puck, middle, played_until, puck
from .test_live_window import shown
from .test_window import drag
from waiting import until


def feels(live, force):
    """Wait until the run has an input where it is computed."""
    until(lambda: live._thread.history.held[-1, 0] == force)


def test_a_force_is_proportional_to_the_drag_limited_and_along_the_axes_that_the_model_has():
    push = Push("puck", ("a", "b", "c"), stiffness=10.0, limit=5.0)
    np.testing.assert_allclose(force_of(push, np.array([0.1, -0.2, 0.3])), [1.0, -2.0, 3.0])
    np.testing.assert_allclose(force_of(push, np.array([3.0, 0.0, -4.0])), [3.0, 0.0, -4.0])
    np.testing.assert_allclose(force_of(PUSH, np.array([0.1, -0.2, 0.3])), [1.0, 0.0, 0.0])
    assert not force_of(PUSH, np.zeros(3)).any()


def test_a_drag_from_the_body_is_a_force_while_it_is_held_and_the_run_records_it(live_session):
    live = live_puck()
    session = live_session(live)
    played_until(session, 0.3)
    x, y = middle(session)
    assert session.pusher.begin(x, y, True)
    below = SIZE[1] * (1.0 - session.stage.head_up.covered)  # the lines of a small picture are above what is seen
    metre = below / (2.0 * 4.0 * np.tan(np.radians(15.0)))  # in pixels, at the distance of the puck
    session.pusher.move(x + 0.25 * metre, y + 40.0)
    played_until(session, 0.8)
    assert live.inputs["force_x"] == pytest.approx(2.5, rel=0.01)
    feels(live, live.inputs["force_x"])
    session.pusher.move(x - 2.0 * metre, y)
    played_until(session, 1.0)
    feels(live, -4.0)  # the bound of the input; that of the push is 5 N
    session.pusher.end()
    feels(live, 0.0)
    played_until(session, 1.5)
    live.interrupt()
    run = live.finish()
    changes = run.inputs
    assert changes.value.tolist() == [pytest.approx(2.5, rel=0.01), -4.0, 0.0]
    assert changes.t[0] >= 0.3
    assert run["v"][-1] == pytest.approx(impulse(run) / MASS, rel=1e-9)
    replay = Replay(run, live.model)
    for t in (0.5, 0.9, 1.2):
        assert np.array_equal(replay.frame(t).x, live.frame(t).x)


@pytest.mark.parametrize(("beside", "found"), [(4.5, 0), (5.5, None)])
def test_a_ray_along_an_edge_of_a_large_box_hits_it_or_passes_it_by(beside, found):
    box = SimpleNamespace(poses=np.eye(4)[None], boxes=lambda: (np.array([0]), np.zeros((1, 3)), np.full((1, 3), 5.0)))
    assert body_at(Ray(np.array([-10.0, beside, 0.0]), np.array([20.0, 0.0, 0.0])), box, [0]) == found


def test_without_the_control_key_the_mouse_turns_the_camera(live_session):
    session = live_session(live_puck())
    assert not session.pusher.begin(*middle(session), False)


@pytest.mark.parametrize(
    ("settings", "place", "reason"),
    [
        ({}, (5.0, 5.0), "no body here that can be pushed; drag from puck"),
        ({"pushes": ()}, (200.0, 150.0), "puck: no inputs of this model are declared as a force"),
    ],
)
def test_what_cannot_be_pushed_is_explained(live_session, settings, place, reason):
    session = live_session(live_puck(**settings))
    assert session.pusher.begin(*place, True)
    assert not session.pusher.pushing
    assert reason in session.stage.help.text.replace("\n", " ")


def test_a_finished_run_cannot_be_pushed(live_session):
    live = Live(config_from_keywords(puck(), final_time=0.1))
    session = live_session(live)
    played_until(session, 0.1)
    until(lambda: live.finished)
    session.pusher.begin(*middle(session), True)
    assert not session.pusher.pushing
    assert "only while its run is computed" in session.stage.help.text.replace("\n", " ")


def test_a_push_ends_with_the_viewer(live_session):
    live = live_puck()
    session = live_session(live)
    played_until(session, 0.1)
    live.push({"force_x": 3.0})
    until(lambda: len(live._thread.history))
    live.stop()
    live.interrupt()
    assert live.finish().inputs.value.tolist() == [3.0, 0.0]


@pytest.mark.parametrize(
    ("push", "message"),
    [
        (lambda: Push("puck", ("force_x", ""), 1.0, 1.0), "expected the names of three"),
        (lambda: Push("puck", ("force_x", "", ""), 0.0, 1.0), "stiffness must be a positive number"),
        (lambda: Push("puck", ("force_x", "", ""), 1.0, float("inf")), "limit must be a positive number"),
        (lambda: puck([Push("pucks", ("force_x", "", ""), 1.0, 1.0)]), "no body; did you mean `puck`"),
        (lambda: puck([Push("puck", ("force", "", ""), 1.0, 1.0)]), "no input 'force'; did you mean `force_x`"),
    ],
)
def test_a_push_that_cannot_be_is_refused_where_it_is_declared(push, message):
    with pytest.raises(ModelError, match=message):
        push()


def test_a_body_is_pushed_in_a_window(display):
    live = live_puck()
    window = Window([live], ViewOptions(size=SIZE, camera="side"))

    def acts():
        display.move(200, 150)
        until(lambda: window.player.t > 0.2)
        x, y = middle(window._session)
        display.do("keydown", "ctrl")
        display.move(x, SIZE[1] - y)
        display.do("mousedown", 1)
        until(lambda: window._session.pusher.pushing)
        display.move(x + 20, SIZE[1] - y)
        until(lambda: live.inputs["force_x"] > 0.5)
        until(lambda: live.frame(live.end).x[1] > 0.0)
        display.do("mouseup", 1)
        display.do("keyup", "ctrl")
        until(lambda: live.inputs["force_x"] == 0.0)
        before = window.stage.cameras[0].camera.GetDirectionOfProjection()
        drag(display, 1, (200, 150), (240, 150))
        until(lambda: window.stage.cameras[0].camera.GetDirectionOfProjection() != before)

    shown(window, acts)
    live.interrupt()
    assert live.finish()["v"][-1] > 0.0
