"""A finished run in a real window: dragging, turning, resizing. Keys are tested with a live one."""

import os

import numpy as np
import pytest

from hybridsim import ConfigError, simulate
from hybridsim.viewer import Replay, ViewOptions
from hybridsim.viewer.export import record
from hybridsim.viewer.window import Window

from .test_live_window import shown
from waiting import until

SIZE = (480, 360)


@pytest.fixture(scope="module")
def runner():
    return Replay(simulate("slip", final_time=3.0), name="runner")


def paused(display, window):
    display.move(SIZE[0] / 2, SIZE[1] / 2)
    until(lambda: window.player.t > 0.0)
    display.press("space")
    until(lambda: not window.player.playing)


def drag(display, button, *points, key=None):
    display.move(*points[0])
    if key:
        display.do("keydown", key)
    display.do("mousedown", button)
    for point in points[1:]:
        display.move(*point)
    display.do("mouseup", button)
    if key:
        display.do("keyup", key)


def eye(window):
    (camera,) = window.stage.cameras
    return np.array([camera.camera.GetPosition(), camera.camera.GetFocalPoint()])


def moved_as_a_whole(displacement):
    """Whether the camera and its target have moved by the same displacement."""
    return np.linalg.norm(displacement[1]) > 0.1 and np.allclose(displacement[0], displacement[1])


def test_the_slider_is_dragged_and_follows_the_mouse_even_outside_it(display, runner):
    window = Window([runner], ViewOptions(size=SIZE))

    def acts():
        paused(display, window)
        bar = window.stage.timeline._axis
        level = SIZE[1] - bar.y
        drag(display, 1, (bar.left + 20, level), (bar.left + 60, level), (0.5 * (bar.left + bar.right), level - 80))
        until(lambda: window.player.t == pytest.approx(1.5, abs=0.02))
        display.move(bar.left, level)  # let go
        assert window.player.t == pytest.approx(1.5, abs=0.02)

    shown(window, acts)


def test_the_mouse_turns_moves_and_zooms(display, runner):
    window = Window([runner], ViewOptions(size=SIZE))

    def acts():
        paused(display, window)
        start = eye(window)
        distance = np.linalg.norm(start[0] - start[1])
        drag(display, 1, (200, 150), (240, 150), (280, 160))
        until(lambda: np.linalg.norm(eye(window)[0] - start[0]) > 0.2 and not window._interaction._drag)
        assert eye(window)[1] == pytest.approx(start[1])
        assert np.linalg.norm(eye(window)[0] - eye(window)[1]) == pytest.approx(distance)
        turned = eye(window)
        for options in ({"button": 1, "key": "shift"}, {"button": 2}):
            until(lambda: not window._interaction._drag)
            before = eye(window)
            button = options.pop("button")
            drag(display, button, (200, 150), (240, 150), (260, 170), **options)
            until(lambda was=before: moved_as_a_whole(eye(window) - was))
        assert turned[0, 2] != pytest.approx(eye(window)[0, 2])
        display.do("click", 4)
        until(lambda: np.linalg.norm(eye(window)[0] - eye(window)[1]) < 0.95 * distance)

    shown(window, acts)


def test_a_resized_window_has_its_slider_at_the_lower_edge_again(display, runner):
    window = Window([runner], ViewOptions(size=SIZE))

    def acts():
        paused(display, window)
        display.do("windowsize", display.window(), 800, 600)
        until(lambda: window.stage.canvas.size == (800, 600))
        until(lambda: window.stage.timeline._axis.right > SIZE[0])
        bar = window.stage.timeline._axis
        assert bar.left < 100 < 700 < bar.right < 800

    shown(window, acts)


def test_nothing_is_drawn_while_nothing_changes(display, runner):
    window = Window([runner], ViewOptions(size=SIZE))
    drawn, draw = [], window._session.draw
    window._session.draw = lambda: drawn.append(window.player.t) or draw()

    def acts():
        paused(display, window)
        until(lambda: drawn[-1] == window.player.t)
        display.press("F5")  # counts as something
        until(lambda: window._interaction.count > 1)
        before = len(drawn)
        seen = [0]

        def looked():
            seen[0] += 1
            return seen[0] > 100

        until(looked)
        assert len(drawn) - before <= 1

    shown(window, acts)


@pytest.mark.exhaustive  # slow: another process
def test_a_process_that_has_drawn_without_a_display_reports_that_it_cannot_open_a_window(
    display, new_process, monkeypatch, runner, tmp_path
):
    name = os.environ["DISPLAY"]
    monkeypatch.delenv("DISPLAY")
    record([runner], tmp_path / "still.png", ViewOptions(size=(160, 90)))
    monkeypatch.setenv("DISPLAY", name)
    with pytest.raises(ConfigError, match="no window can be opened here"):
        Window([runner])


def test_it_begins_at_the_requested_time_with_the_requested_camera(display, runner):
    window = Window([runner], ViewOptions(size=SIZE, begin=1.2, camera="top", speed=0.125))

    def acts():
        until(lambda: window.player.t >= 1.2)
        assert window.player.t < 2.0
        target = eye(window)
        assert (target[0] - target[1])[:2] == pytest.approx([0.0, 0.0], abs=1e-9)

    shown(window, acts)
