"""Derivatives of runs, against central differences of runs: each kind of event, each method, early and late."""

import numpy as np
import pytest
from derivatives.course import CHARTS, COURSE, GIVEN

import hybridsim

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
    s = run.sensitivity(VARIABLES, model=model)
    jumps = [number for number, event in enumerate(run.events) if not event.declined]
    found = [s.final.values @ DIRECTION]
    for number in jumps:
        found += [
            s.event_time[number : number + 1] @ DIRECTION,
            s.before[number] @ DIRECTION,
            s.after[number] @ DIRECTION,
        ]
    return np.concatenate(found)


def extrapolated(function, step=4e-3):
    """Return the derivative of a function of one number at 0: central differences, extrapolated (Richardson)."""
    table = [(function(h) - function(-h)) / (2.0 * h) for h in (step, step / 2.0, step / 4.0, step / 8.0)]
    for k in range(1, len(table)):
        table = [(4.0**k * fine - coarse) / (4.0**k - 1.0) for coarse, fine in zip(table, table[1:], strict=False)]
    return table[0]


def values_of(chart, s=0.0):
    start = START | CASES[chart][0]
    return {name: start[name] + s * towards for name, towards in zip(VARIABLES, DIRECTION, strict=True)}


@pytest.mark.parametrize("method", ["dp5", "dop853", "tsit5", "rk4"])
@pytest.mark.parametrize("chart", CASES)
def test_derivatives_of_a_run_are_those_of_its_map(chart, method):
    run = simulate(chart, values_of(chart), method=method)
    assert CASES[chart][2] in run.events.kind
    found = differentiated(run)
    assert found == pytest.approx(
        extrapolated(lambda s: features(simulate(chart, values_of(chart, s), method=method))), abs=1e-7
    )
    late = simulate(chart, values_of(chart), begin=1e6, method=method)
    assert differentiated(late) == pytest.approx(found, abs=1e-6)


@pytest.mark.parametrize("chart", ["above", "below"])
def test_where_a_slide_begins_the_state_loses_a_direction(chart):
    run = simulate(chart, values_of(chart))
    entry = run.events.kind.index("entry")
    after = run.sensitivity("x", model=COURSE).state[[*run.j].index(run.events.j[entry] + 1)]
    assert np.linalg.matrix_rank(after, tol=1e-9) == 2
    assert np.linalg.matrix_rank(run.sensitivity("x", model=COURSE).state[0], tol=1e-9) == 3


def test_a_field_given_for_slides_is_differentiated_too():
    """It is Filippov's, so that the derivatives are the same."""
    filippov, given = simulate("above", values_of("above")), simulate("above", values_of("above"), model=GIVEN)
    assert differentiated(given, GIVEN) == pytest.approx(differentiated(filippov), abs=1e-8)
