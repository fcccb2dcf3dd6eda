"""Bouncing balls in every frame and unit: their bounces happen when the formula says, but for rounding.

A ball dropped from h above its floor bounces after T, T (1 + 2 e), T (1 + 2 e + 2 e^2) .. with T = sqrt(2 h / g), and
leaves it with e, e^2 .. times the speed g T, whatever the floor's own speed.
"""

import math

import numpy as np
import pytest

from hybridsim import Boundary, Model, Parameter, Records, State, Status, simulate
from hybridsim.engine.compiler.options import JIT

METHODS = ("dp5", "tsit5", "dop853", "rodas5p", "rk4_adaptive", *(("series",) if JIT else ()))
BEGINNINGS = (0.0, 1e3, 1e6, 1.7e9)
STOP_PRECISION = 1e-10  # [m]
PARAMETERS = Records(
    Parameter("g"), Parameter("restitution"), Parameter("floor_speed"), Parameter("floor_height"), Parameter("begin")
)
P = PARAMETERS.indices


def fall(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -p[P.g]


def moving_floor(g, t, x, p, chart):
    g[0] = x[0] - p[P.floor_height] - p[P.floor_speed] * (t - p[P.begin])


def bounce(x_new, t, x, p, chart, crossed):
    x_new[1] = p[P.floor_speed] - p[P.restitution] * (x[1] - p[P.floor_speed])
    return chart


def ball(**declared):
    return Model(
        "ball_of_any_size",
        Records(State("y", 1.0, "m"), State("v", 0.0, "m/s")),
        vector_field=fall,
        boundaries=moving_floor,
        transition=bounce,
        parameters=PARAMETERS,
        boundary_records=Records(Boundary("floor", unit="m", **declared)),
    )


BOUNDED = ball(second_derivative_bound=1e4)
EXACT, PATIENT = ball(degree=1), ball(armed="when_positive")
BALLS = (ball(), EXACT, BOUNDED, PATIENT)


@pytest.mark.parametrize(("seed", "n"), [(1, 60 if JIT else 6), pytest.param(2, 2500, marks=pytest.mark.exhaustive)])
def test_balls_bounce_and_rest_when_the_formula_says_in_every_frame_and_unit(seed, n, counted):
    rng = np.random.default_rng(seed)
    for number in range(n):
        values, height = drawn(rng)
        record, method, rtol = rng.integers(len(BALLS)), str(rng.choice(METHODS)), 10.0 ** rng.uniform(-11.0, -4.0)
        if BALLS[record] is not EXACT and values["begin"]:
            values["floor_speed"] = 0.0  # docs/events.md says what is not right there
        run = bounced(BALLS[record], values, height, method, rtol, rng.choice([0.0, 1e-9]))
        what = f"ball {number} of seed {seed}, {BALLS[record].boundary_records[0]}, {method}"
        check(run, values, height, counted, what)
    assert counted["bounces"] > 10 * counted["balls"]


def fall_time_and_limit(values, height):
    """How long the ball falls at first, and how long all its bounces last [s]."""
    fall_time, restitution = math.sqrt(2.0 * height / values["g"]), values["restitution"]
    return fall_time, fall_time * (1.0 + restitution) / (1.0 - restitution)


def bounced(model, values, height, method, rtol, zeno_precision):
    """A run from some height above the floor, at rest seen from there."""
    _, limit = fall_time_and_limit(values, height)
    return simulate(
        model,
        parameters=values,
        initial={"y": values["floor_height"] + height, "v": values["floor_speed"]},
        initial_time=values["begin"],
        final_time=values["begin"] + 1.1 * limit,
        method=method,
        rtol=rtol,
        atol=rtol * height,
        zeno_precision=zeno_precision,
        stop_precision=STOP_PRECISION,
        max_transitions=5000,
    )


def check(run, values, height, counted, what):
    """Compare bounces and their limit with the formula."""
    what = f"{what}, {values}, {height} high"
    fall_time, limit = fall_time_and_limit(values, height)
    times, speeds, allowed, at_rest = formula(values, fall_time, limit)
    found = min(np.count_nonzero(np.array(run.events.kind) == "crossing"), len(times))
    assert found == len(times) or run.status is Status.ZENO, what
    late = abs(run.events.t[:found] - values["begin"] - times[:found])
    assert (late <= allowed[:found]).all(), what
    off = abs(run.events.x_after[:found, 1] - values["floor_speed"] - speeds[:found])
    assert (off <= 2.0 * values["g"] * allowed[:found]).all(), what
    counted["balls"] += 1
    counted["bounces"] += int(found)
    if run.status is Status.ZENO:
        late = abs(run.t[-1] - values["begin"] - limit)
        assert late <= 2e-9 * limit + 10.0 * allowed[-1] + at_rest, what
        counted["limits"] += 1


def drawn(rng):
    """The parameters of a ball, in some unit of length, and how high it begins."""
    scale = 10.0 ** rng.integers(-3, 4)
    return {
        "g": 9.81 * scale,
        "restitution": rng.uniform(0.05, 0.95),
        "floor_speed": scale * rng.choice([0.0, 1.0, 300.0, -2.0]),
        "floor_height": scale * rng.choice([0.0, 100.0, 1e4]),
        "begin": rng.choice(BEGINNINGS),
    }, scale * 10.0 ** rng.uniform(-1.0, 1.0)


def formula(values, fall_time, limit):
    """Times of bounces, speeds after them, what rounding allows; and how long the bounces last that rounding hides [s].

    A bounce that is late by d lies deeper by v d; the ball then leaves with e v, and passes its floor later by d / e.
    It also lands faster by the share g d / v, which makes all later flights, 2 v / (1 - e) / g, longer.
    """
    g, restitution, speed = values["g"], values["restitution"], abs(values["floor_speed"])
    n = 1 + int(math.log(1e-12) / math.log(restitution))
    flights = np.concatenate([[fall_time], 2.0 * fall_time * restitution ** np.arange(1, n)])
    speeds = g * fall_time * restitution ** np.arange(1, n + 1)
    instant = np.spacing(values["begin"] + limit)
    of_height = 32.0 * np.spacing(values["floor_height"] + speed * limit + g * fall_time**2)
    of_speed = 32.0 * np.spacing(speed + g * fall_time)
    late = 2.0 * instant + of_height / speeds + of_speed / g
    allowed = np.cumsum((1.0 + 1.0 / restitution + 2.0 / (1.0 - restitution)) * late)
    zero = STOP_PRECISION + 4.0 * (speed * instant + of_height)  # what counts as such, docs/events.md
    spared = int(np.argmin(np.append((flights > 100.0 * allowed) & (speeds**2 > 4.0 * g * zero), False)))
    at_rest = 4.0 * math.sqrt(2.0 * zero / g) / (1.0 - restitution)
    return np.cumsum(flights)[:spared], speeds[:spared], allowed[:spared], at_rest
