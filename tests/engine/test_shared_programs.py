"""Charts with the same slopes have one program on power series, with the boundaries of all of them."""

import math

import numpy as np
import pytest

from hybridsim import Boundary, Chart, Model, Parameter, Records, Simulation, State, simulate
from hybridsim.engine import series_programs as of
from hybridsim.graph import model_programs

SETTINGS = {"method": "series", "final_time": 6.0}
GAIT = {"parameters": {"slope": math.radians(3.0)}, "initial": {"theta_st": -0.271, "theta_sw": 0.271,
        "thetadot_st": 1.092, "thetadot_sw": 0.377}}  # fmt: skip


def places(model, **settings):
    """Where the instructions of each chart begin."""
    problem = Simulation(model, **SETTINGS, **settings)._packed.problem
    header = problem.series_programs[: of.HEADER * problem.settings["n_charts"][0]]
    return header.reshape(-1, of.HEADER)[:, of.BODY].tolist()


@pytest.mark.parametrize("rtol", [1e-5, 1e-10])
def test_the_gait_has_one_program_and_the_bits_of_two(rtol, monkeypatch):
    assert len(set(places("compass_gait"))) == 1
    together = simulate("compass_gait", rtol=rtol, **SETTINGS, **GAIT)
    monkeypatch.setattr(model_programs, "MOST_SHARED", 0.0)
    assert len(set(places("compass_gait"))) == 2
    apart = simulate("compass_gait", rtol=rtol, **SETTINGS, **GAIT)
    assert len(apart.events) > 8
    for name in ("t", "x", "extension"):
        np.testing.assert_array_equal(getattr(together, name), getattr(apart, name))
    np.testing.assert_array_equal(together.events.depth, apart.events.depth)


def swing(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -math.sin(x[0]) - p[0] * x[1]


def sides(g, t, x, p, chart):
    if chart == 0:
        g[0] = x[0] + 0.2
    elif chart == 1:
        g[1] = 0.1 - x[0]
    else:
        g[0] = math.sqrt(x[0] + 0.3) - 0.1


def branching(g, t, x, p, chart):
    if chart == 0:
        g[0] = x[0] + 0.2
    elif chart == 1:
        g[1] = 0.1 - x[0] if p[0] < 1.0 else 0.1 - x[1]
    else:
        g[0] = x[0] + 0.25


def change(x_new, t, x, p, chart, crossed):
    return 1 if chart == 0 else 0


def pendulum(boundaries):
    return Model(
        boundaries.__name__,
        Records(State("angle", 0.05), State("rate", -0.5)),
        vector_field=swing,
        boundaries=boundaries,
        transition=change,
        charts=Records(Chart("left"), Chart("right"), Chart("other")),
        boundary_records=Records(Boundary("low", degree=1), Boundary("high", degree=1)),
        parameters=Records(Parameter("damping", 0.01)),
    )


@pytest.mark.usefixtures("trusted_declarations")
@pytest.mark.parametrize("boundaries", [sides, branching])
def test_a_boundary_that_is_not_defined_everywhere_or_branches_is_in_no_other_chart(boundaries, monkeypatch):
    monkeypatch.setattr(model_programs, "MOST_SHARED", 2.0)
    first, second, third = places(pendulum(boundaries))
    assert third != first if boundaries is sides else third == first
    assert second == first if boundaries is sides else second != first
    ours, others = (simulate(pendulum(boundaries), method=m, final_time=20.0, rtol=1e-10) for m in ("series", "dop853"))
    assert ours.events.t == pytest.approx(others.events.t, abs=1e-7)
    assert len(ours.events) > 5
