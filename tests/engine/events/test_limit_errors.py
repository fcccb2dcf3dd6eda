"""The error that an accumulation states: the limit is off by no more, whatever the integration did on the way."""

import pytest
from members import diagonal

from hybridsim import Boundary, Model, Parameter, Records, State, Status, simulate

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


def drop(declared, parameters, **settings):
    model = Model(
        "ball_in_air",
        Records(State("y"), State("v")),
        vector_field=fall_with_drag,
        boundaries=moving_floor,
        transition=bounce,
        parameters=Records(*map(Parameter, NAMES)),
        boundary_records=Records(Boundary("floor", **declared)),
    )
    height, speed, begin, gravity = parameters[:4]
    run = simulate(
        model,
        parameters=dict(zip(NAMES, parameters, strict=True)),
        initial={"y": height + gravity / 9.81, "v": speed},
        initial_time=begin,
        final_time=begin + 10.0,
        **settings,
    )
    assert run.status is Status.ZENO
    return run


DECLARED = ({"degree": 1}, {"second_derivative_bound": 1e4}, {})
FRAMES = ((0.0, 0.0, 0.0), (1.0, 0.3, 0.0), (0.0, 0.3, 1e6), (0.0, 0.0, 1.7e9))
METHODS = ("dp5", "tsit5", "dop853", "rk4_adaptive", "rodas5p", "taylor")


@pytest.mark.parametrize(("declared", "frame", "method"), diagonal(DECLARED, FRAMES, METHODS, n=3))
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
