"""A body that begins a chart on the floor, but for rounding, does not fall through it, however the floor is armed."""

import itertools

import numpy as np
import pytest

from hybridsim import Boundary, Chart, Model, Parameter, Records, State, simulate

HEIGHT, SPEED, RESTITUTION, BEGIN, GRAVITY = range(5)
NAMES = ("height", "speed", "restitution", "begin", "gravity")


def fall(xdot, t, x, p, chart):
    """Held, it moves with the floor; in flight it falls."""
    xdot[0] = x[1] if chart == 1 else p[SPEED]
    xdot[1] = -p[GRAVITY] if chart == 1 else 0.0


def floor_or_release(g, t, x, p, chart):
    if chart == 1:
        g[0] = x[0] - p[HEIGHT] - p[SPEED] * (t - p[BEGIN])
    else:
        g[1] = p[BEGIN] + 0.25 - t


def bounce(x_new, t, x, p, chart, crossed):
    if crossed[0]:
        x_new[1] = p[SPEED] - p[RESTITUTION] * (x[1] - p[SPEED])
    return 1


def body(armed, declared):
    return Model(
        "body",
        Records(State("y"), State("v")),
        vector_field=fall,
        boundaries=floor_or_release,
        transition=bounce,
        parameters=Records(*map(Parameter, NAMES)),
        boundary_records=Records(Boundary("floor", armed=armed, **declared), Boundary("release", time=True)),
        charts=Records(Chart("held"), Chart("flight")),
    )


BEGINS = (0.0, 1e6, 1.7e9)
METHODS = ("dp5", "tsit5", "dop853", "rk4_adaptive", "rodas5p", "series")
DECLARED = ({"degree": 1}, {"second_derivative_bound": 1e4}, {})
FLOORS = ((0.0, 0.0, 9.81), (1.0, 0.0, 9.81), (0.5, 0.3, 9.81), (2e3, 0.0, 9.81e3))  # at a height, moving, in mm


@pytest.mark.members(3)
@pytest.mark.parametrize("begin", BEGINS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("declared", DECLARED)
@pytest.mark.parametrize("armed", ["always", "when_positive"])
def test_no_body_that_is_released_on_the_floor_falls_through_it(armed, begin, method, declared):
    model = body(armed, declared)
    for height, speed, gravity in FLOORS:
        unit = gravity / 9.81
        for gap, rising, e in itertools.product((0.0, -1e-13), (0.0, 0.3, -0.3), (0.0, 0.5)):
            run = simulate(
                model,
                parameters=dict(zip(NAMES, (height, speed, e, begin, gravity), strict=True)),
                initial={"y": height + gap, "v": speed + rising * unit},
                initial_chart="held",
                initial_time=begin,
                final_time=begin + 0.4,
                method=method,
            )
            assert run.events[0].boundaries == ("release",)
            below = height + speed * (run.t - begin) - run["y"]
            # Zero is known to the precision of a stop, the rounding of the place, and that of t at the greatest speed.
            rounding = 8.0 * np.spacing(height + 1.0) + 8.0 * np.spacing(begin + 1.0) * (speed + unit)
            assert below.max() <= 1e-10 + rounding + 1e-13, (height, speed, gap, rising, e, run.message)
