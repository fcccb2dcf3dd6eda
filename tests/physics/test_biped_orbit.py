"""The biped's endless walk is a periodic motion, modulo where and when it walks, and on a circle modulo a turn."""

from pathlib import Path

import numpy as np
import pytest

from hybridsim import Simulation, load_config, load_orbit
from hybridsim.analysis.finding import find_orbit_of

CONFIGS = Path(__file__).parents[2] / "configs" / "biped"
STRAIGHT, ROUND = CONFIGS / "walk-orbit.yaml", CONFIGS / "turn-orbit.yaml"
STEPS = 2
ALONG_X = ("toe_x", "plan_x", "ankle_x_start", "xi_x", "xi_plan_x", "cop_plan_x", "cop_goal_x")
ELSEWHERE = {"heading": 1.2, "origin_x": 30.0, "origin_y": -20.0}
SEEN_ELSEWHERE = ELSEWHERE | {f"{name}_seen": value for name, value in ELSEWHERE.items()}
"""The same start at another place, in another direction."""
RATE, STEP_TIME = 0.2, 0.8
"""Of turn-orbit.yaml: of the turn, and a step without what lands early [rad/s, s]."""


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


def used(names):
    """Indices of the states with which a walk goes on, but for where and when it does."""
    others = ("plan_x", "plan_y", "share_start", "share_delay", "samples", "phase_start", "steps_left", "cop_plan_x")
    return [*range(34), *map(names.index, others)]


def place(x, names):
    """Where the own frame is, as a complex number [m]."""
    return complex(x[names.index("origin_x")], x[names.index("origin_y")])


@pytest.mark.parametrize("config", [STRAIGHT, ROUND], ids=["straight", "round"])
def test_the_state_of_the_config_returns_after_two_steps(config):
    """To 1e-9, before any search: the walk has come that near to its orbit by itself."""
    names = load_config(config).model.states.names
    begin, ends = strides(config)
    t, end = ends[-1]
    miss = relative(end, t, names) - relative(begin, 0.0, names)
    assert np.abs(miss[used(names)]).max() < 1e-9


def test_the_walk_on_a_circle_is_the_same_elsewhere():
    """It takes the same time, turns by the same angle, and goes the same way, turned."""
    names = load_config(ROUND).model.states.names
    here, there = strides(ROUND), strides(ROUND, SEEN_ELSEWHERE)
    (t, end), (t_there, end_there) = here[1][-1], there[1][-1]
    assert t_there == pytest.approx(t, abs=1e-11)
    np.testing.assert_allclose(end_there[:34], end[:34], atol=1e-9)
    heading = names.index("heading")
    turn = end[heading]
    assert end_there[heading] == pytest.approx(ELSEWHERE["heading"] + turn, abs=1e-10)
    assert turn == pytest.approx(STEPS * RATE * STEP_TIME, rel=1e-3)  # trunk and foot lag by 1e-4 rad
    way = place(end_there, names) - place(there[0], names)
    assert way == pytest.approx(place(end, names) * np.exp(1j * ELSEWHERE["heading"]), abs=1e-9)


@pytest.mark.exhaustive
def test_the_walk_is_found_as_a_stable_orbit():
    """Its period is that of the walk; a small change of a state returns as the derivatives of two steps say."""
    orbit, (_, ends) = find_orbit_of(load_config(STRAIGHT)), strides(STRAIGHT)
    assert orbit.period == pytest.approx(ends[-1][0], abs=1e-9)
    assert orbit.stable
    assert orbit.family == 0
    assert abs(orbit.multipliers[0]) == pytest.approx(0.01478, abs=1e-4)  # 0.1216 a step
    assert orbit.displacement["toe_x + plan_x + ankle_x_start + xi_x + xi_plan_x + cop_plan_x + cop_goal_x"] > 0.78
    for name, step in (("plan_y", 1e-6), ("pitch2_rate", 1e-5), ("ankle1_xdot", 1e-6)):
        refuse_other_differences(STRAIGHT, orbit, name, step)


@pytest.mark.exhaustive
def test_the_walk_on_a_circle_is_found_as_a_stable_orbit_here_and_elsewhere(tmp_path):
    """Its period, turn and way are those of the walk, and its derivatives those of differences of runs."""
    config = load_config(ROUND)
    names, orbit = config.model.states.names, find_orbit_of(config)
    t, end = strides(ROUND)[1][-1]
    assert orbit.period == pytest.approx(t, abs=1e-9)
    assert orbit.stable
    assert orbit.family == 0
    assert orbit.displacement["heading"] == pytest.approx(end[names.index("heading")], abs=1e-9)
    way = complex(orbit.displacement["origin_x"], orbit.displacement["origin_y"])
    assert way == pytest.approx(place(end, names), abs=1e-9)
    for name, step in (("plan_y", 1e-6), ("pitch2_rate", 1e-5), ("ankle1_xdot", 1e-6)):
        refuse_other_differences(ROUND, orbit, name, step)
    assert load_orbit(orbit.save(tmp_path / "orbit.h5")).period == orbit.period
    there = find_orbit_of(load_config(ROUND, [f"initial.{name}={value}" for name, value in SEEN_ELSEWHERE.items()]))
    assert there.period == pytest.approx(orbit.period, abs=1e-11)
    np.testing.assert_allclose(np.abs(there.multipliers[:5]), np.abs(orbit.multipliers[:5]), atol=1e-5)
    turned = complex(there.displacement["origin_x"], there.displacement["origin_y"])
    assert turned == pytest.approx(way * np.exp(1j * ELSEWHERE["heading"]), abs=1e-9)


def refuse_other_differences(config, orbit, name, step):
    """Compare the derivatives of an orbit by a state with differences of runs."""
    names = load_config(config).model.states.names
    begin, both = strides(config)[0], []
    for change in (step, -step):
        end = strides(config, {name: float(begin[names.index(name)]) + change})[1][-1]
        both.append(relative(end[1], end[0], names)[:34])
    expected = orbit.found.by_state[:34, names.index(name)]
    difference = (both[0] - both[1]) / (2.0 * step)
    np.testing.assert_allclose(difference, expected, atol=1e-4 * np.abs(expected).max())
