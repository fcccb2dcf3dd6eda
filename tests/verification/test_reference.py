"""The reference solution is as exact as was asked for, at the ends and in between, and does not hang."""

import numpy as np
import pytest

from hybridsim import Chart, Model, Parameter, Records, State, simulate
from hybridsim.verification import reference
from hybridsim.verification.evaluator import make_evaluator
from hybridsim.verification.fehlberg import STAGE_TIMES, coefficients, interpolation
from hybridsim.verification.points import Points

PARAMETERS = Records(Parameter("damping", 0.0))


def oscillate(xdot, t, x, p, chart):
    """x'' = -w^2 x - c x', where the frequency w is the number of the chart plus 1."""
    xdot[0] = x[1]
    xdot[1] = -((chart + 1.0) ** 2) * x[0] - p[0] * x[1]
    xdot[2] = x[2] * x[2]


def make(vector_field=oscillate, **keywords):
    model = Model(
        "oscillators",
        Records(State("x", 1.0), State("v"), State("z")),
        vector_field=vector_field,
        parameters=PARAMETERS,
        charts=Records(*(Chart(f"w{k}") for k in range(1, 8))),
    )
    return make_evaluator(simulate(model, final_time=0.1, **keywords), model)


def points_of(n, width, z=0.0):
    x = np.zeros((n, width))
    x[:, 0], x[:, 2] = 1.0, z
    return Points(np.linspace(0.0, 1.0, n), x, np.arange(n) % 7)


def test_each_stage_is_consistent():
    np.testing.assert_allclose(coefficients().sum(axis=1), STAGE_TIMES, atol=1e-14)


def test_a_step_has_order_eight():
    # x' = x^2 cos t from 1/2: x = 1 / (2 - sin t). Halving the step divides the error after a time by 2^8.
    a = coefficients()

    def end(n):
        x, h = 0.5, 2.0 / n
        for k in range(n):
            slopes = []
            for row, node in zip(a, STAGE_TIMES, strict=True):
                stage = x + h * np.dot(row[: len(slopes)], slopes)
                slopes.append(stage**2 * np.cos((k + node) * h))
            x = stage
        return abs(x - 1.0 / (2.0 - np.sin(2.0)))

    assert np.log2(end(4) / end(8)) > 7.5


def test_the_interpolation_is_exact_for_polynomials_of_its_degree():
    theta = np.arange(4) / 3.0
    for degree in range(1, 8):
        data = np.append(theta[1:] ** degree, degree * theta ** (degree - 1))
        np.testing.assert_allclose(interpolation() @ data, np.arange(1, 8) == degree, atol=1e-10)


@pytest.mark.parametrize("tolerance", [1e-6, 1e-9, 1e-12])
def test_the_flow_of_many_oscillators_is_followed_to_the_tolerance_asked_for(tolerance):
    evaluator, n = make(), 50
    start, span = points_of(n, evaluator.width), np.linspace(0.01, 10.0, n)
    w = start.chart + 1.0
    flow = reference.follow_all(evaluator, start, span, np.full(start.x.shape, tolerance))
    n_pieces = np.bincount(flow.pieces.row)
    allowed = tolerance * n_pieces * w  # what each piece adds, as a velocity too
    assert (abs(flow.end[:, 0] - np.cos(w * span)) < allowed).all()
    quarters = reference.at_quarters(flow)
    for k, share in enumerate((0.25, 0.5, 0.75, 1.0)):
        assert (abs(quarters[:, k, 0] - np.cos(share * w * span)) < allowed).all()


def test_groups_of_points_are_parts_of_the_same_flow(monkeypatch):
    evaluator, n = make(), 200
    start, span = points_of(n, evaluator.width), np.linspace(0.01, 10.0, n)
    tolerance = np.full(start.x.shape, 1e-9)
    whole = reference.follow_all(evaluator, start, span, tolerance, max_pieces=2000)
    monkeypatch.setattr(reference, "GROUP_BYTES", 0)
    groups = list(reference.follow(evaluator, start, span, tolerance, max_pieces=2000))
    assert len(groups) > 3
    assert [flow.which.start for flow in groups[1:]] == [flow.which.stop for flow in groups[:-1]]
    np.testing.assert_allclose(np.concatenate([flow.end for flow in groups]), whole.end, atol=1e-6)
    in_parts = reference.follow_all(evaluator, start, span, tolerance, max_pieces=2000)
    assert (np.diff(in_parts.pieces.row) >= 0).all()
    assert set(in_parts.pieces.row.tolist()) == set(range(n))


def test_moved_states_end_as_far_apart_as_the_flow_drives_them():
    evaluator, n = make(parameters={"damping": 0.5}), 20
    start, span = points_of(n, evaluator.width), np.linspace(0.01, 4.0, n)
    flow = reference.follow_all(evaluator, start, span, np.full(start.x.shape, 1e-6))
    which = np.arange(3, n, 4)
    changes = np.zeros((evaluator.width, len(which), 2)).T  # in whatever order in memory
    changes[:, :, 0] = [[1e-9], [-2e-9]]
    apart, twice = reference.separation(evaluator, flow, changes, which)
    # The oscillator is linear: 1 + 1e-9 times the state leads to 1 + 1e-9 times the end. A step has the length of a
    # piece, three times as long as it may be, so it is only nearly as exact.
    np.testing.assert_allclose(apart, 1e-9 * flow.end[which], atol=1e-11)
    np.testing.assert_allclose(twice, -2.0 * apart, atol=1e-14)


def test_a_flow_that_blows_up_is_lost():
    evaluator = make()
    start = points_of(1, evaluator.width, z=1.0)
    flow = reference.follow_all(evaluator, start, np.full(1, 2.0), np.full(start.x.shape, 1e-10))
    assert np.isnan(flow.end).all()
    assert flow.reached.t == pytest.approx(1.0, abs=1e-6)  # z = 1 / (1 - t)


def chatter(xdot, t, x, p, chart):
    xdot[0] = -1.0 if x[0] > 0.0 else 1.0


def test_a_slope_that_jumps_to_and_fro_is_given_up():
    evaluator = make(chatter, max_step=0.01)
    start = Points(np.zeros(1), np.zeros((1, evaluator.width)), np.zeros(1, int))
    flow = reference.follow_all(evaluator, start, np.ones(1), np.full(start.x.shape, 1e-8))
    assert np.isnan(flow.end).all()
    assert len(flow.pieces) <= 20_000
