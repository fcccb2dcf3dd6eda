"""A run of which a single number is changed, by more than rounding, is no solution; as it was, it is one."""

import dataclasses

import numpy as np
import pytest
from alterations import arrays, with_array

from hybridsim import Boundary, simulate
from hybridsim.verification import Report, verify
from hybridsim.verification.api import check_all
from hybridsim.verification.evaluator import make_evaluator

from .automata import BOUNDARIES, MODEL, Automaton
from gallery import clock

METHODS = ("dp5", "tsit5", "dop853", "rodas5p", "rk4_adaptive")
BEGINNINGS = (0.0, 1e6)
CHANGES = 25
"""Of each run."""

LEAST = 1e-3
"""What a column has for its size if all of it is smaller, such as values at events, which are rounding."""


@pytest.mark.parametrize(("seed", "n"), [(1, 6), pytest.param(2, 200, marks=pytest.mark.exhaustive)])
def test_an_honest_run_of_an_automaton_passes_and_with_another_number_it_does_not(seed, n, counted):
    rng = np.random.default_rng(seed)
    for number in range(n):
        method, rtol = str(rng.choice(METHODS)), 10.0 ** rng.uniform(-10.0, -6.0)
        begin = rng.choice(BEGINNINGS)
        run = Automaton(rng).run(3.0, initial_time=begin, method=method, rtol=rtol, atol=rtol, max_transitions=20)
        evaluator = make_evaluator(run, MODEL)
        what = f"run {number} of seed {seed}, {method}, {rtol:.1e} from {begin:g}"
        report = verdict(evaluator, run)
        assert report.ok, f"{what}: {report}"
        counted["honest runs"] += 1
        for _ in range(CHANGES):
            name, place, way, changed = change(rng, run)
            report = verdict(evaluator, with_array(run, name, changed))
            assert not report.ok, f"{what}: {name}{list(map(int, place))} {way} is accepted"
            counted["changes"] += 1


def start_again(x_new, t, x, p, chart, crossed):
    x_new[0] = 0.0
    return chart


def ahead_and_below(g, t, x, p, chart):
    g[0] = 0.5 - x[0]
    g[1] = -1.0


@pytest.mark.xfail(reason="only a boundary that is positive must not have crossed", strict=True)
def test_a_boundary_that_has_never_been_positive_has_not_crossed():
    records = [Boundary("ahead", degree=1), Boundary("below", degree=1, armed="when_positive")]
    model = clock(ahead_and_below, *records, transition=start_again)
    run = simulate(model, final_time=0.8)
    assert run.events.crossed.tolist() == [[True, False]]
    assert not verify(with_array(run, "events/boundaries", np.array([[True, True]])), model).ok


def test_without_that_claim_its_run_is_a_solution():
    records = [Boundary("ahead", degree=1), Boundary("below", degree=1, armed="when_positive")]
    model = clock(ahead_and_below, *records, transition=start_again)
    assert verify(simulate(model, final_time=0.8), model).ok


def verdict(evaluator, run):
    report = Report(run.model_name, 0, 0)
    check_all(dataclasses.replace(evaluator, run=run), report)
    return report


def change(rng, run):
    """An array of a run with one number changed: its name, the place, the way and the array."""
    known = {name: values for name, values in arrays(run).items() if values.dtype.kind != "U" and values.size}
    name = rng.choice([name for name in known if not name.startswith("parameters/")])
    values = known[name].copy()
    place = tuple(rng.integers(values.shape))
    while name == "events/boundaries" and BOUNDARIES[place[1]].armed == "when_positive":  # see the next test
        place = tuple(rng.integers(values.shape))
    ways = changed_numbers(values, place)
    way, values[place] = ways[rng.integers(len(ways))]
    return name, place, way, values


def changed_numbers(values, place):
    """A number changed in several ways: (way, number)."""
    value = values[place]
    if values.dtype.kind == "b":
        return [("the other answer", not value)]
    if values.dtype.kind != "f":
        return [("one more", value + 1), ("one less", value - 1)]
    if not np.isfinite(value):
        return [("a number", 1e-3)]
    size = max(np.nanmax(abs(values)), LEAST)
    return [("off", value + 1e-2 * size), ("off the other way", value - 1e-2 * size), ("not a number", np.nan)]
