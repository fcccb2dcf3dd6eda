"""Runs whose derivatives are of one side only, or of none, say so."""

import numpy as np
import pytest

import hybridsim
from hybridsim import Boundary, Chart, Model, Parameter, Records, State

STATES = Records(*(State(f"{letter}{i}") for letter in "xv" for i in (1, 2, 3)))
S = STATES.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.x1], xdot[S.x2], xdot[S.x3] = x[S.v1], x[S.v2], x[S.v3]


def boundaries(g, t, x, p, chart):
    g[0] = x[S.x2] - x[S.x1]
    g[1] = x[S.x3] - x[S.x2]


def transition(x_new, t, x, p, chart, crossed):
    for i in range(2):
        if crossed[i]:
            u, v = x[S.v1 + i], x[S.v1 + i + 1]
            x_new[S.v1 + i] = 0.5 * (u + v) - 0.5 * p[0] * (u - v)
            x_new[S.v1 + i + 1] = 0.5 * (u + v) + 0.5 * p[0] * (u - v)
    return chart


BALLS = Model(
    "balls",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=Records(Parameter("restitution", 0.9)),
    charts=Records(Chart("line")),
    boundary_records=Records(Boundary("first_and_second", degree=1), Boundary("second_and_third", degree=1)),
)


def run_of(gap, t=0.0, unit=1.0):
    initial = {"x1": -1.0 * unit, "x2": 0.0, "x3": gap * unit, "v1": 1.0 * unit}
    return hybridsim.simulate(BALLS, initial=initial, initial_time=t, final_time=t + 1.5, record=True)


def warnings_of(gap, t=0.0, unit=1.0):
    return hybridsim.sensitivity(run_of(gap, t, unit), "x", model=BALLS).warnings


@pytest.mark.parametrize("t", [0.0, 1e6])
@pytest.mark.parametrize("unit", [1.0, 1e-3])
def test_a_ball_that_is_hit_while_it_touches_the_next_one_is_named(t, unit):
    """And once more, as the first one is the faster of the two after that."""
    warning, again = warnings_of(0.0, t, unit)
    assert "second_and_third follows first_and_second at once, as it was zero already" in warning
    assert "first_and_second follows second_and_third at once" in again
    assert warnings_of(0.1, t, unit) == ()


@pytest.mark.parametrize("t", [0.0, 1e6])
@pytest.mark.parametrize("unit", [1.0, 1e-3])
def test_its_derivative_is_that_of_a_small_gap(t, unit):
    """The final state is linear in small gaps, as the balls fly straight: the derivative by the gap is a difference.

    In all runs the first ball hits the second one twice, the second time slowly: after 379 s per metre of the gap.
    """
    touching, apart, farther = (run_of(gap, t, unit) for gap in (0.0, 1e-4, 2e-4))
    assert len(touching.events) == len(apart.events) == 3
    change = (farther.x[-1] - apart.x[-1]) / (1e-4 * unit)
    derivatives, near = (hybridsim.sensitivity(run, "x", model=BALLS).final for run in (touching, apart))
    rounding = 1e-9 if t == 0.0 else 1e-4
    assert derivatives[:, S.x3] == pytest.approx(change, abs=rounding)
    assert np.array(derivatives) == pytest.approx(np.array(near), abs=rounding)


@pytest.mark.members(1)
@pytest.mark.parametrize("model", ["dry_friction", "stick_slip"])
def test_a_run_that_begins_on_the_surface_says_so(model):
    run = hybridsim.simulate(model, final_time=1.0, record=True)
    assert any("the run begins between two charts" in warning for warning in hybridsim.sensitivity(run, "x").warnings)


@pytest.mark.parametrize("model", ["compass_gait", "bouncing_ball"])
def test_other_beginnings_say_nothing(model):
    run = hybridsim.simulate(model, final_time=0.5, record=True)
    assert not any("begins between" in warning for warning in hybridsim.sensitivity(run, "x").warnings)
