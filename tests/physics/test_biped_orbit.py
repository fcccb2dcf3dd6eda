"""The biped's endless walk is a periodic motion, modulo where and when it walks."""

from pathlib import Path

import numpy as np
import pytest

from hybridsim import Simulation, load_config
from hybridsim.analysis.finding import find_orbit_of

CONFIG = Path(__file__).parents[2] / "configs" / "biped" / "walk-orbit.yaml"
STEPS = 2
ALONG_X = ("toe_x", "plan_x", "ankle_x_start", "xi_x", "xi_plan_x", "cop_plan_x", "cop_goal_x")


def strides(config, initial=None):
    """The states right after the heels that land, (n, n_states), with their times; they begin right after one."""
    overrides = [f"initial.{name}={value!r}" for name, value in (initial or {}).items()]
    overrides += ["final_time=2", "engine.method=dop853", "engine.rtol=1e-12", "engine.atol=1e-13", "record=true"]
    run = Simulation.from_config(load_config(config, overrides)).run()
    assert run.status.ok, run.message
    events = [event for event in run.events if "heel2_down" in event.boundaries][:STEPS]
    return run.x[0], [(event.t, event.x_after) for event in events]


def relative(x, t, names):
    """A state less where toe 1 is along x, and less the time."""
    x = np.array(x)
    x[[names.index(name) for name in ALONG_X]] -= x[names.index("toe_x")]
    x[names.index("phase_start")] -= t
    return x


def test_the_state_of_the_config_returns_after_two_steps():
    """To 1e-9, before any search: the walk has come that near to its orbit by itself."""
    config = load_config(CONFIG)
    names = config.model.states.names
    begin, ends = strides(CONFIG)
    t, end = ends[-1]
    used = [*range(34), *(names.index(name) for name in ("plan_x", "plan_y", "share_start", "share_delay"))]
    used += [names.index(name) for name in ("samples", "phase_start", "steps_left", "cop_plan_x")]
    miss = relative(end, t, names) - relative(begin, 0.0, names)
    assert np.abs(miss[used]).max() < 1e-9


@pytest.mark.exhaustive
def test_the_walk_is_found_as_a_stable_orbit():
    """Its period is that of the walk; a small change of a state returns as the derivatives of two steps say."""
    config = load_config(CONFIG)
    names, orbit = config.model.states.names, find_orbit_of(config)
    begin, ends = strides(CONFIG)
    assert orbit.period == pytest.approx(ends[-1][0], abs=1e-9)
    assert orbit.stable
    assert orbit.family == 0
    assert abs(orbit.multipliers[0]) == pytest.approx(0.01478, abs=1e-4)  # 0.1216 a step
    assert orbit.displacement["toe_x + plan_x + ankle_x_start + xi_x + xi_plan_x + cop_plan_x + cop_goal_x"] > 0.78
    for name, step in (("plan_y", 1e-6), ("pitch2_rate", 1e-5), ("ankle1_xdot", 1e-6)):
        both = []
        for change in (step, -step):
            end = strides(CONFIG, {name: float(begin[names.index(name)]) + change})[1][-1]
            both.append(relative(end[1], end[0], names)[:34])
        expected = orbit.found.by_state[:34, names.index(name)]
        difference = (both[0] - both[1]) / (2.0 * step)
        np.testing.assert_allclose(difference, expected, atol=1e-4 * np.abs(expected).max())
