"""The error that an accumulation states: the limit is off by no more, whatever the integration did on the way."""

import math
from dataclasses import replace

import numpy as np
import pytest

from hybridsim import Boundary, Model, Parameter, Records, State, Status, simulate, verify

HEIGHT, SPEED, BEGIN, GRAVITY, DRAG, RESTITUTION = range(6)
NAMES = ("height", "speed", "begin", "gravity", "drag", "restitution")


def fall_with_drag(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = -p[GRAVITY] - p[DRAG] * (x[1] - p[SPEED])  # in air that moves with the floor


def moving_floor(g, t, x, p, chart):
    g[0] = x[0] - p[HEIGHT] - p[SPEED] * (t - p[BEGIN])


def bounce(x_new, t, x, p, chart, crossed):
    x_new[1] = p[SPEED] - p[RESTITUTION] * (x[1] - p[SPEED])
    return chart


def ball(declared):
    return Model(
        "ball_in_air",
        Records(State("y"), State("v")),
        vector_field=fall_with_drag,
        boundaries=moving_floor,
        transition=bounce,
        parameters=Records(*map(Parameter, NAMES)),
        boundary_records=Records(Boundary("floor", **declared)),
    )


def drop(declared, parameters, **settings):
    height, speed, begin, gravity = parameters[:4]
    run = simulate(
        ball(declared),
        parameters=dict(zip(NAMES, parameters, strict=True)),
        initial={"y": height + gravity / 9.81, "v": speed},
        initial_time=begin,
        final_time=begin + 30.0,
        **settings,
    )
    assert run.status is Status.ZENO
    return run


DECLARED = ({"degree": 1}, {"second_derivative_bound": 1e4}, {})
FRAMES = ((0.0, 0.0, 0.0), (1.0, 0.3, 0.0), (0.0, 0.3, 1e6), (0.0, 0.0, 1.7e9))
METHODS = ("dp5", "tsit5", "dop853", "rk4_adaptive", "rodas5p", "series")


@pytest.mark.members(3)
@pytest.mark.parametrize("declared", DECLARED)
@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("drag", [0.0, 0.3])
def test_a_limit_is_off_by_no_more_than_its_error(drag, declared, frame, method):
    for gravity, restitution in ((9.81, 0.5), (9.81e3, 0.5), (9.81, 0.8)):
        motion = gravity, drag, restitution
        exact = drop({"degree": 1}, (0.0, 0.0, 0.0, *motion), method="dop853", rtol=1e-13, atol=1e-16).t[-1]
        for rtol in (1e-4, 1e-6, 1e-8, 1e-10):
            settings = {"method": method, "rtol": rtol, "atol": 1e-3 * rtol * gravity / 9.81}
            run = drop(declared, (*frame, *motion), **settings)
            off = abs(run.t[-1] - frame[2] - exact)
            assert off <= run.statistics["accumulation_error"] + 1e-12, (motion, rtol, run.message)


def random_drop(random):
    """Return a random ball, its run, how far the limit, a geometric sum, is off, and the stated error."""
    restitution, method = random.uniform(0.3, 0.95), str(random.choice(METHODS))
    gravity, rtol = 9.81 * 10.0 ** random.choice([-3, 0, 0, 3]), 10.0 ** random.uniform(-12, -4)
    begin, height = random.choice([0.0, 0.0, 1e6, 1.7e9]), random.choice([0.0, 0.0, 1.0, 1e3])
    speed = random.choice([0.0, 0.0, 0.3, -0.02]) * math.sqrt(gravity / 9.81)
    declared = DECLARED[random.choice([0, 2])]
    parameters = height, speed, begin, gravity, 0.0, restitution
    run = drop(declared, parameters, method=method, rtol=rtol, atol=1e-2 * rtol * gravity / 9.81)
    fallen = run.x[0, 0] - height
    limit = math.sqrt(2.0 * fallen / gravity) * (1.0 + restitution) / (1.0 - restitution)
    return declared, run, abs(run.t[-1] - begin - limit), run.statistics["accumulation_error"]


@pytest.mark.parametrize("n", [60, pytest.param(1000, marks=pytest.mark.exhaustive)])
def test_of_a_hundred_balls_in_any_frame_and_unit_one_comes_to_rest_farther_off_than_it_says(n):
    random = np.random.default_rng(3)
    off, stated = np.array([random_drop(random)[2:] for _ in range(n)]).T
    assert np.percentile(off / stated, 99) < 1.0
    assert (off < 10.0 * stated).all()
    assert np.median(stated / np.maximum(off, 1e-16)) < 100.0


@pytest.mark.exhaustive  # limits are off by no more than their error
@pytest.mark.parametrize("n", [10, pytest.param(400, marks=pytest.mark.exhaustive)])
def test_the_stated_error_is_verified_from_the_errors_of_the_jumps(n):
    random, refused = np.random.default_rng(4), 0
    for _ in range(n):
        declared, run, _, stated = random_drop(random)
        report = verify(run, ball(declared))
        if run.t[0] < 1e6:  # later, rounding may hide that the intervals shrink
            assert not report.violations
        assert not [v for v in report.violations if v.place == "statistics.accumulation_error"]
        for factor in (1e-4, 1e6):
            altered = replace(run, statistics={**run.statistics, "accumulation_error": factor * stated})
            refused += not verify(altered, ball(declared)).ok
    assert refused > n  # of 2 n
