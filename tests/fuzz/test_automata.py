"""Random hybrid automata end each epoch where the closed forms of their flows say, and go on as they should.

Each epoch is computed anew from where the run began it, so that errors do not add up over the epochs.
"""

import numpy as np
import pytest

from hybridsim import Status
from hybridsim.engine.compiler.options import JIT

from .automata import BOUNDARIES, LEVEL, Automaton

METHODS = ("dp5", "tsit5", "dop853", "rodas5p", "rk4_adaptive", *(("series",) if JIT else ()))
BEGINNINGS = (0.0, 1e6, 1.7e9)
DURATION, RTOL = 12.0, 1e-9
NEAR = 2e-6
"""What comes closer to zero than this is not decided; it is more than all errors below."""

ERROR = dict.fromkeys(METHODS, 50.0 * RTOL) | {"rk4_adaptive": 20.0 * RTOL**0.8}
"""How far a state may be off at an event: some tens of steps, and in some units of their tolerance each. The extension
of `rk4_adaptive` has an error of order 4, where that of the step, which is held to the tolerance, has order 5."""


@pytest.mark.parametrize(("seed", "n"), [(1, 60 if JIT else 12), pytest.param(2, 3000, marks=pytest.mark.exhaustive)])
def test_each_epoch_ends_when_and_where_the_closed_form_of_its_flow_says(seed, n, counted):
    rng = np.random.default_rng(seed)
    for number in range(n):
        automaton, method, begin = Automaton(rng), str(rng.choice(METHODS)), rng.choice(BEGINNINGS)
        run = automaton.run(DURATION, initial_time=begin, method=method, rtol=RTOL, atol=RTOL, max_transitions=100)
        counted["automata"] += 1
        for problem in problems_of(automaton, run, method, counted):
            raise AssertionError(f"automaton {number} of seed {seed}, {method} from {begin:g}: {problem}")
    assert counted["epochs not decided"] <= 0.01 * counted["epochs"]


def problems_of(automaton, run, method, counted):
    """What is wrong with the epochs of a run, one after the other."""
    t, chart, x = run.t[0], 0, run.x[0]
    for event in [*run.events, None]:
        if event is None and run.status is Status.TOO_MANY_TRANSITIONS:
            return
        counted["epochs"] += 1
        expected = automaton.expected(chart, x[:LEVEL], run.t[0] + DURATION - t, NEAR)
        if expected is None:
            counted["epochs not decided"] += 1
        elif event is None:
            if expected[1] >= 0:
                yield f"{BOUNDARIES[expected[1]].name} does not fire at {t} + {expected[0]}"
        else:
            yield from problems_of_event(automaton, event, (t, chart, x[:LEVEL]), expected, ERROR[method])
        if event is not None:
            t, chart, x = event.t, event.chart_after, event.x_after


def problems_of_event(automaton, event, begun, expected, error):
    """What is wrong with the event at which an epoch ends that has `begun` at a time in a chart with a state."""
    (t, chart, x), (after, k) = begun, expected
    if event.boundaries != (BOUNDARIES.names[k],) or event.kind != "crossing":
        yield f"{event.kind} of {event.boundaries} at {event.t}, expected {BOUNDARIES.names[k]} at {t} + {after}"
        return
    instant = 2.0 * np.spacing(event.t)
    if abs(event.t - t - after) > instant + error / abs(automaton.rate(chart, x, k, after)):
        yield f"{event.boundaries} at {event.t}, expected at {t} + {after}"
    state = automaton.flow(chart, x, event.t - t)
    if abs(event.x_before[:LEVEL] - state).max() > error + 20.0 * instant:  # 20: more than any state changes a second
        yield f"the state at {event.t} is {event.x_before[:LEVEL]}, expected {state}"
    then, jumped = automaton.jump(chart, event.x_before[:LEVEL], k)
    if event.chart_after != then or abs(event.x_after[:LEVEL] - jumped).max() > 1e-14:
        yield f"after {event.t} chart {event.chart_after}, {event.x_after[:LEVEL]}, expected {then}, {jumped}"
