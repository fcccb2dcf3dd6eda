"""Derivatives of runs, against central differences of runs: each kind of event, each method, early and late."""

from itertools import pairwise

import numpy as np
import pytest
from derivatives.course import CHARTS, COURSE, GIVEN

import hybridsim

from gallery import THERMOSTAT

VARIABLES = ("x", "y", "v", "k", "push", "edge")
START = {"x": 0.3, "y": 1.0, "v": 0.4, "k": 1.2, "push": 0.5, "edge": 0.7}
DIRECTION = np.array([0.4, -0.3, 0.5, 0.3, -0.6, 0.2])
STEPS = {"rk4": {"first_step": 0.002, "max_step": 0.002}}
CASES = {
    "falling": ({}, 2.0, "crossing"),
    "timed": ({}, 1.5, "crossing"),
    "dipping": ({"x": 0.05, "y": 0.4, "v": -0.95}, 1.5, "touch"),
    "above": ({"y": 0.0, "v": 0.6}, 2.0, "exit"),
    "below": ({"y": 0.0, "v": -0.3}, 2.0, "exit"),
    "first": ({}, 2.5, "crossing"),
    "declining": ({}, 2.5, "crossing"),
    "tied": ({}, 2.0, "crossing"),
}
"""Chart in which a run begins: what is not as in START, duration, and an event that happens."""


def simulate(chart, values, begin=0.0, method="dop853", model=COURSE, **more):
    _, duration, _ = CASES[chart]
    initial = {name: values[name] for name in ("x", "y", "v")}
    parameters = {name: values[name] for name in ("k", "push", "edge")}
    parameters |= {"course": CHARTS.index(chart), "begin": begin}
    settings = {"rtol": 1e-12, "atol": 1e-13, "touch_precision": 0.2, **STEPS.get(method, {}), **more}
    times = {"initial_time": begin, "final_time": begin + duration}
    return hybridsim.simulate(model, initial=initial, parameters=parameters, method=method, **times, **settings)


def features(run, begin=0.0):
    """Return the last state, and of each jump its time and the states before and after."""
    jumps = [event for event in run.events if not event.declined]
    return np.concatenate([run.x[-1], *(np.array([e.t - begin, *e.x_before, *e.x_after]) for e in jumps)])


def differentiated(run, model=COURSE):
    """Return the derivatives of the features along DIRECTION."""
    s = hybridsim.sensitivity(run, VARIABLES, model=model)
    jumps = [number for number, event in enumerate(run.events) if not event.declined]
    found = [s.final.values @ DIRECTION]
    for number in jumps:
        found += [s.event_time[[number]] @ DIRECTION, s.before[number] @ DIRECTION, s.after[number] @ DIRECTION]
    return np.concatenate(found)


def extrapolated(function, step=4e-3):
    """Return the derivative of a function of one number at 0: central differences, extrapolated (Richardson)."""
    table = [(function(h) - function(-h)) / (2.0 * h) for h in (step, step / 2.0, step / 4.0, step / 8.0)]
    for k in range(1, len(table)):
        table = [(4.0**k * fine - coarse) / (4.0**k - 1.0) for coarse, fine in pairwise(table)]
    return table[0]


def values_of(chart, s=0.0):
    start = START | CASES[chart][0]
    return {name: start[name] + s * towards for name, towards in zip(VARIABLES, DIRECTION, strict=True)}


@pytest.mark.members(3)
@pytest.mark.parametrize("method", ["dp5", "dop853", "tsit5", "series", "rk4"])
@pytest.mark.parametrize("chart", [chart for chart in CASES if chart != "tied"])
def test_derivatives_of_a_run_are_those_of_its_map(chart, method):
    run = simulate(chart, values_of(chart), method=method)
    assert CASES[chart][2] in run.events.kind
    found = differentiated(run)
    # rk4 finds the minimum of a cubic polynomial: differences of that would show its error, h^3, as noise
    mapped = "dop853" if (chart, method) == ("dipping", "rk4") else method
    expected = extrapolated(lambda s: features(simulate(chart, values_of(chart, s), method=mapped)))
    assert found == pytest.approx(expected, abs=1e-7)
    late = simulate(chart, values_of(chart), begin=1e6, method=method)
    assert differentiated(late) == pytest.approx(found, abs=1e-6)


@pytest.mark.parametrize("chart", ["above", "below"])
def test_where_a_slide_begins_the_state_loses_a_direction(chart):
    run = simulate(chart, values_of(chart))
    entry = run.events.kind.index("entry")
    after = hybridsim.sensitivity(run, "x", model=COURSE).state[[*run.j].index(run.events.j[entry] + 1)]
    assert np.linalg.matrix_rank(after, tol=1e-9) == 2
    assert np.linalg.matrix_rank(hybridsim.sensitivity(run, "x", model=COURSE).state[0], tol=1e-9) == 3


def test_a_field_given_for_slides_is_differentiated_too():
    """It is Filippov's, so that the derivatives are the same."""
    filippov, given = simulate("above", values_of("above")), simulate("above", values_of("above"), model=GIVEN)
    assert differentiated(given, GIVEN) == pytest.approx(differentiated(filippov), abs=1e-8)


def test_boundaries_that_cross_together_only_by_chance_are_reported():
    run = simulate("tied", values_of("tied") | {"push": 0.5})
    assert run.events[0].boundaries == ("tie_a", "tie_b")
    found = hybridsim.sensitivity(run, ["x", "y", "v", "k"], model=COURSE)
    assert found.warnings == ()  # they cross together in runs nearby, too
    found = hybridsim.sensitivity(run, VARIABLES, model=COURSE)
    assert ["tie_a and tie_b" in warning for warning in found.warnings] == [True]
    assert found.warnings[0] in str(found)


def test_an_event_at_a_grazing_angle_is_reported():
    y, step = values_of("dipping")["y"], 0.0
    for _ in range(3):  # until the minimum is 1e-11 below zero
        touches = [simulate("dipping", values_of("dipping") | {"y": y + d}).events[0] for d in (0.0, 1e-4)]
        assert all(touch.kind == "touch" for touch in touches)
        low, high = (touch.value for touch in touches)
        step = -low * 1e-4 / (high - low)
        y += 0.999 * step
    run = simulate("dipping", values_of("dipping") | {"y": y + 0.001 / 0.999 * step - 1e-11})
    assert run.events.kind[0] == "crossing"
    assert "dip is met at a grazing angle" in hybridsim.sensitivity(run, "x", model=COURSE).warnings[0]
    touching = simulate("dipping", values_of("dipping"))
    assert hybridsim.sensitivity(touching, "x", model=COURSE).warnings == ()


def test_jumps_that_accumulate_have_the_derivatives_of_their_limit():
    """The first bounce is at t1, the last at t1 (1 + e) / (1 - e), at x = vx t."""
    e, g, h, vx = 0.5, 9.81, 1.0, 1.0
    run = hybridsim.simulate("table_ball", final_time=4.0)
    zeno = run.events.kind.index("zeno")
    found = hybridsim.sensitivity(run, ["y", "vx", "gravity", "restitution"])
    t1 = (2.0 * h / g) ** 0.5
    limit, by_e = t1 * (1.0 + e) / (1.0 - e), 2.0 * t1 / (1.0 - e) ** 2
    expected = np.array([limit / (2.0 * h), 0.0, -limit / (2.0 * g), by_e])
    assert found.event_time[zeno] == pytest.approx(expected, abs=1e-8)
    assert found.after[zeno, 0] == pytest.approx(vx * expected + [0.0, limit, 0.0, 0.0], abs=1e-8)
    assert found.after[zeno, [1, 3]] == pytest.approx(0.0, abs=1e-8)  # it lies on the table, at rest
    assert np.abs(found.state[:, 1]).max() < 100.0  # and close to the limit, nothing is amplified


@pytest.mark.parametrize("kept", [True, False])
def test_inputs_vary_by_the_same_amount_at_all_times(kept):
    """A room at T cools towards 5 and is heated towards 21; the heater switches one degree off the target."""

    def simulated(shift):
        simulation = hybridsim.Simulation(THERMOSTAT, inputs={"target": 15.0 + shift}, rtol=1e-12, atol=1e-13)
        simulation.advance(3.0)
        simulation.inputs["target"] = (15.0 if kept else 16.5) + shift
        simulation.advance(5.0)
        return simulation.result()

    run = simulated(0.0)
    assert ("input" in run.events.kind) is not kept
    found = hybridsim.sensitivity(run, "u", model=THERMOSTAT).final["temperature", "target"]
    assert found == pytest.approx(extrapolated(lambda s: simulated(s).x[-1], step=1e-3)[0], abs=1e-7)


def test_a_run_is_differentiated_from_its_file(tmp_path):
    run = hybridsim.simulate("dry_friction", final_time=5.0)
    files = run.save(tmp_path / "run")
    loaded = hybridsim.load_run(next(file for file in files if file.suffix == ".h5"))
    variables = ["x", "friction"]
    assert np.array_equal(hybridsim.sensitivity(loaded, variables).state, hybridsim.sensitivity(run, variables).state)


def test_mistakes_are_explained():
    run = hybridsim.simulate("bouncing_ball", final_time=0.2)
    with pytest.raises(hybridsim.ConfigError, match="there is no 'gravitiy'; did you mean `gravity`"):
        hybridsim.sensitivity(run, ["gravitiy"])
    with pytest.raises(hybridsim.ConfigError, match="time is no variable of a run"):
        hybridsim.sensitivity(run, "t")
    with pytest.raises(hybridsim.ConfigError, match="there is no column 'w'"):
        hybridsim.sensitivity(run, "x")["y", "w"]
    sampled = hybridsim.simulate("bouncing_ball", final_time=0.2, record=0.1)
    with pytest.raises(hybridsim.SimulationError, match=r"has not recorded every step.*record=True"):
        hybridsim.sensitivity(sampled, "x")
