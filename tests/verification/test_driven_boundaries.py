"""Boundaries that depend on the time: what the rounding of t changes in their values is allowed."""

import math

import numpy as np
import pytest

from hybridsim import Boundary, Model, Parameter, Records, State, simulate, verify

STATES = Records(State("y", 0.5, "m", "height"), State("v", 0.0, "m/s", "upward speed"))
PARAMETERS = Records(Parameter("amplitude", 0.01, "m"), Parameter("omega", 50.0, "rad/s"))
S, P = STATES.indices, PARAMETERS.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.y] = x[S.v]
    xdot[S.v] = -9.81


def boundaries(g, t, x, p, chart):
    g[0] = x[S.y] - p[P.amplitude] * math.sin(p[P.omega] * t)


def transition(x_new, t, x, p, chart, crossed):
    plate = p[P.amplitude] * p[P.omega] * math.cos(p[P.omega] * t)
    x_new[S.v] = plate - 0.8 * (x[S.v] - plate)
    return chart


BALL = Model(
    "ball_on_plate",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    boundary_records=Records(Boundary("impact")),
)


@pytest.mark.parametrize(("begin", "duration"), [(0.0, 10.0), (1e3, 1.0), (1e6, 1.0)])
def test_a_ball_on_a_plate_of_any_frequency_is_accepted(begin, duration):
    for omega in np.arange(30.0, 60.0, 2.0):
        run = simulate(BALL, parameters={"omega": omega}, initial_time=begin, final_time=begin + duration)
        report = verify(run, BALL)
        assert report.ok, f"omega = {omega}: {report}"
        assert len(run.events) > 0
