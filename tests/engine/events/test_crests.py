"""A guard at the crest of an oscillation: is it reached? A step whose error may decide that is made again in halves."""

import math

import numpy as np
import pytest

import hybridsim
from hybridsim import Boundary, Model, Parameter, Records, State, Status

from gallery import decline

RUNS = 40
LEVEL, MIDDLE = 0, 1


def oscillation(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], p[MIDDLE] - x[0]


def below_level(g, t, x, p, chart):
    g[0] = p[MIDDLE] + p[LEVEL] - x[0]


def crest_model(**declared):
    return Model(
        "crest",
        Records(State("x", 0.0), State("v", 1.0)),
        vector_field=oscillation,
        boundaries=below_level,
        transition=decline,
        parameters=Records(Parameter("level", 1.0), Parameter("middle", 0.0)),
        boundary_records=Records(Boundary("crest", **declared)),
    )


MODELS = {"exact": crest_model(degree=1), "bounded": crest_model(second_derivative_bound=2.0), "sampled": crest_model()}


@pytest.mark.members
@pytest.mark.parametrize("certificate", [*MODELS])
@pytest.mark.parametrize("rtol", [1e-3, 1e-4, 1e-6])
@pytest.mark.parametrize("method", ["dp5", "tsit5", "dop853"])
def test_no_crossing_is_made_by_the_error_of_its_step(certificate, rtol, method):
    """The crest is within the error of the level; a crossing is one of the exact flow from where its step begins."""
    rng, found = np.random.default_rng(5), 0
    for _ in range(RUNS):
        beyond = rtol * 10.0 ** rng.uniform(-6.0, 1.0) * rng.choice([-1.0, 1.0])
        middle, begin, shift = rng.choice([0.0, 3.0]), -rng.uniform(0.3, 1.5), rng.choice([0.0, 1e3])
        run = hybridsim.simulate(
            MODELS[certificate],
            parameters={"level": 1.0 - beyond, "middle": middle},
            initial={"x": middle + math.cos(begin), "v": -math.sin(begin)},
            initial_time=shift + begin,
            final_time=shift + 1.0,
            rtol=rtol,
            atol=rtol,
            method=method,
        )
        assert run.status is Status.FINAL_TIME
        for event in run.events:
            assert event.kind == "crossing"
            assert event.depth >= event.error or method == "dop853"  # whose extension adds to the error of the step
            row = np.flatnonzero((run.step > 0.0) & (run.t <= event.t))[-1]
            crest = math.hypot(run.x[row, 0] - middle, run.x[row, 1])
            assert crest >= 1.0 - beyond
            found += 1
    assert found > RUNS // 10  # some of those that are deep enough


def test_a_step_is_halved_no_more_than_its_error_demands():
    """An error of order 5 falls by 32 with each half: 1e-5 is below any depth of 1e-12 after five halves."""
    few = 6
    for beyond in (1e-3, 1e-6, 1e-9, 1e-12):
        run = hybridsim.simulate(
            MODELS["exact"],
            parameters={"level": 1.0 - beyond},
            initial={"x": math.cos(-1.0), "v": -math.sin(-1.0)},
            initial_time=-1.0,
            final_time=1.0,
            rtol=1e-4,
            atol=1e-4,
        )
        assert run.statistics["rejected"] <= few
        assert run.statistics["steps"] <= 2 * few
        counted = ("exact_steps", "bounded_steps", "sampled_steps", "time_steps")
        assert sum(run.statistics[name] for name in counted) == run.statistics["steps"]
