"""Boundaries that depend on the time: what the rounding of t changes in their values is allowed."""

import math

import numpy as np
import pytest

from hybridsim import Boundary, Model, Parameter, Records, State, Status, simulate, verify
from hybridsim.verification.points import Points
from hybridsim.verification.tolerances import time_rounding

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


@pytest.mark.members(1)
@pytest.mark.parametrize(("begin", "duration"), [(0.0, 10.0), (1e3, 1.0), (1e6, 1.0)])
def test_a_ball_on_a_plate_of_any_frequency_is_accepted(begin, duration):
    for omega in np.arange(30.0, 60.0, 2.0):
        run = simulate(BALL, parameters={"omega": omega}, initial_time=begin, final_time=begin + duration)
        report = verify(run, BALL)
        assert report.ok, f"omega = {omega}: {report}"
        assert len(run.events) > 0


@pytest.mark.parametrize("begin", [pytest.param(1e3, marks=pytest.mark.exhaustive), 1e6])
def test_late_in_time_a_ball_is_accepted_until_its_bounces_accumulate(begin):
    """From one float of t to the next the phase omega t may stay the same, although t is rounded."""
    rng, n_limits = np.random.default_rng(3), 0
    for k in range(20):
        parameters = {"omega": rng.uniform(20.0, 80.0), "amplitude": 10.0 ** rng.uniform(-3.0, -2.2)}
        record, rtol = (True, False, 0.01)[k % 3], (1e-6, 1e-9)[k % 2]
        run = simulate(
            BALL,
            parameters=parameters,
            initial_time=begin,
            final_time=begin + 3.0,
            record=record,
            rtol=rtol,
            atol=1e-2 * rtol,
        )
        report = verify(run, BALL)
        assert report.ok, f"{parameters}, {record}, {rtol}: {report}"
        n_limits += run.status is Status.ZENO
    assert n_limits >= 5


def test_the_rounding_of_the_time_counts_where_the_phase_stays_the_same_from_one_float_to_the_next():
    """The mean over some spacings is |d/dt sin(omega t)| spacing(t) to a quarter, wherever omega t rounds to."""
    t, omega = 1e6 + np.arange(200) * 2.0**-20, 44.7
    points = Points(t, np.zeros((200, 1)), np.zeros(200, np.int64))
    change = time_rounding(lambda points: np.sin(omega * points.t)[:, None], points)[:, 0]
    assert (change > 0.7 * omega * abs(np.cos(omega * t)) * np.spacing(t)).all()
