"""The biped that walks as the sliders of a real window say, moved with a real mouse."""

import numpy as np
import pytest

from hybridsim.config import config_from_keywords
from hybridsim.viewer.live import Live
from hybridsim.viewer.options import ViewOptions
from hybridsim.viewer.window import Window

from .test_live_window import shown
from waiting import PATIENCE, until

SIZE = (640, 480)
SLIDERS = ["slope", "step_height", "go", "speed", "turn_rate"]
RATE, STEP_TIME = 0.5, 0.8
"""What the slider is moved to, nearly [rad/s]; the time of a step [s]."""


@pytest.mark.exhaustive
def test_the_walk_turns_once_the_slider_has_been_moved(display):
    live = Live(config_from_keywords("biped", parameters={"walk": "driven"}, final_time=60.0, rtol=1e-6))
    window = Window([live], ViewOptions(size=SIZE, strips=False))
    player, steering = window.player, window._session.steering

    def acts():
        display.move(SIZE[0] / 2, SIZE[1] / 2)
        until(lambda: player.t > 0.0)
        display.press("i")
        until(lambda: steering.shown)
        assert [slider.record.name for slider in steering.sliders] == SLIDERS
        slider = steering.sliders[-1]
        until(lambda: slider._right > 1.0)  # laid out
        until(lambda: player.t > 4.0, 3.0 * PATIENCE)
        assert live.inputs["turn_rate"] == 0.0
        level, middle = SIZE[1] - slider._level, 0.5 * (slider._left + slider._right)
        display.move(middle, level)
        display.do("mousedown", 1)
        for share in (0.6, 0.7, 0.75):
            display.move(slider._left + share * (slider._right - slider._left), level)
        until(lambda: abs(live.inputs["turn_rate"] - RATE) < 0.02)
        display.do("mouseup", 1)
        moved = player.t
        until(lambda: player.t > moved + 5.0 * STEP_TIME, 3.0 * PATIENCE)

    shown(window, acts)
    live.interrupt()
    run = live.finish()
    first, last, value = run.inputs.t[0], run.inputs.t[-1], run.inputs.value[-1]
    assert np.abs(run["trunk_yaw"][run.t < first]).max() < 1e-3
    turns = np.diff(run["heading"][run.t > last + STEP_TIME])  # of steps that begin after the slider has come to rest
    turns = turns[turns != 0.0]
    assert len(turns) >= 2
    np.testing.assert_allclose(turns, value * STEP_TIME, rtol=2e-3)  # docs/biped.md: trunk and foot lag by 1e-4 rad
