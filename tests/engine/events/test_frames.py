"""The same motion seen from other frames: shifted in time and in height, on a moving floor, in other units.

A bouncing ball and two tanks have closed solutions in every frame; what differs is rounding alone, whose effect is
derived from the spacing of floats.
"""

import math

import numpy as np
import pytest

import hybridsim
from hybridsim import Boundary, Chart, Model, Parameter, Records, State

TIMES = (0.0, 1e3, 1e6, 1.7e9)

BALL_STATES = Records(State("y", 1.0, "m"), State("v", 0.0, "m/s"))
BALL_PARAMETERS = Records(
    Parameter("g", 9.81), Parameter("restitution", 0.5), Parameter("floor_speed"), Parameter("floor_height")
)
S, P = BALL_STATES.indices, BALL_PARAMETERS.indices


def fall(xdot, t, x, p, chart):
    xdot[S.y], xdot[S.v] = x[S.v], -p[P.g]


def moving_floor(g, t, x, p, chart):
    g[0] = x[S.y] - p[P.floor_height] - p[P.floor_speed] * t


def bounce(x_new, t, x, p, chart, crossed):
    x_new[S.v] = p[P.floor_speed] - p[P.restitution] * (x[S.v] - p[P.floor_speed])
    return chart


def ball(**declared):
    return Model(
        "ball_on_a_moving_floor",
        BALL_STATES,
        vector_field=fall,
        boundaries=moving_floor,
        transition=bounce,
        parameters=BALL_PARAMETERS,
        boundary_records=Records(Boundary("floor", unit="m", **declared)),
    )


def drop(model, restitution, height, floor_speed=0.0, floor_height=0.0, begin=0.0, gravity=9.81):
    """A run, its duration, and the duration of all bounces of an ideal ball."""
    limit = math.sqrt(2.0 * height / gravity) * (1.0 + restitution) / (1.0 - restitution)
    values = {"g": gravity, "restitution": restitution, "floor_speed": floor_speed, "floor_height": floor_height}
    start = {"y": floor_height + floor_speed * begin + height, "v": floor_speed}
    run = hybridsim.simulate(
        model, parameters=values, initial=start, initial_time=begin, final_time=begin + 3.0 * limit
    )
    return run, run.t[-1] - begin, limit


def rounding(restitution, limit, floor_speed, floor_height, begin, gravity=9.81):
    """How far rounding may move the limit [s].

    Rounding by d [m] lets bounces lower than d not be told apart: those that last less than sqrt(8 d / g). A few are
    made before the sequence ends.
    """
    end = begin + limit
    d = 4.0 * (np.spacing(abs(floor_height) + abs(floor_speed) * end) + abs(floor_speed) * np.spacing(end))
    unresolved = math.sqrt(8.0 * d / gravity) if floor_speed or floor_height else 0.0
    return 1e-9 * limit + (20.0 * unresolved + 20.0 * np.spacing(end)) / (1.0 - restitution)


DECLARED = [{}, {"degree": 1}, {"second_derivative_bound": 9.81}]


@pytest.mark.members(1)
@pytest.mark.parametrize("declared", DECLARED, ids=["sampled", "exact", "bounded"])
def test_a_ball_comes_to_rest_at_the_same_time_in_every_frame(declared):
    model, rng = ball(**declared), np.random.default_rng(1)
    frames = [(0.0, 0.0, t) for t in TIMES] + [(1.0, 0.0, 0.0), (300.0, 0.0, 0.0), (1.0, 0.0, 1e3), (0.0, 1e4, 0.0)]
    frames += [(1.0, 0.0, 1e6), (300.0, 0.0, 1e6)]
    for frame in frames:
        for _ in range(8):
            restitution, height = rng.uniform(0.05, 0.95), 10.0 ** rng.uniform(-1.0, 1.0)
            run, duration, limit = drop(model, restitution, height, *frame)
            assert run.status is hybridsim.Status.ZENO, (frame, restitution, height, run.message)
            assert abs(duration - limit) <= rounding(restitution, limit, *frame), (frame, restitution, height)


def test_the_error_of_a_limit_covers_the_bounces_that_rounding_adds():
    """Their times are 0.1 ms apart, those of the spacings of t 1e-10 s: the earlier bounces show how late they are."""
    rng = np.random.default_rng(1)
    for _ in range(40):
        restitution, height = rng.uniform(0.05, 0.95), 10.0 ** rng.uniform(-1.0, 1.0)
        run, duration, limit = drop(ball(degree=1), restitution, height, 300.0, 0.0, 1e6)
        if abs(duration - limit) > 1e-4 * limit:
            assert run.statistics["accumulation_error"] >= 0.5 * abs(duration - limit), (restitution, height)


def test_a_ball_comes_to_rest_alike_in_metres_and_in_micrometres():
    model = ball(degree=1)
    for scale in (1e-6, 1.0, 1e6):
        run, duration, limit = drop(model, 0.6, scale, gravity=9.81 * scale)
        assert run.status is hybridsim.Status.ZENO, scale
        assert duration == pytest.approx(limit, rel=1e-6), scale


@pytest.mark.parametrize("height", [1.0, 1e6])
@pytest.mark.parametrize("floor_height", [0.0, 100.0, 1e4])
def test_an_inelastic_impact_lands_on_the_floor(height, floor_height):
    for restitution in (0.01, 0.02, 0.05):
        run, duration, limit = drop(ball(degree=1), restitution, height, 0.0, floor_height)
        assert run.status is hybridsim.Status.ZENO, (restitution, run.message)
        assert abs(duration - limit) <= rounding(restitution, limit, 0.0, floor_height, 0.0)


@pytest.mark.parametrize("floor_height", [100.0, 1e4])
def test_a_ball_that_does_not_bounce_stays_where_it_lands_although_rounding_lets_it_hop(floor_height):
    for height in (0.3, 1.0, 3.7):
        run, duration, limit = drop(ball(degree=1), 0.0, height, 0.0, floor_height)
        assert run.status is hybridsim.Status.ZENO, run.message
        assert abs(duration - limit) <= rounding(0.0, limit, 0.0, floor_height, 0.0)


WEDGE_STATES = Records(State("x", 0.0, "m"), State("y", 2.0, "m"), State("vx"), State("vy"))
WEDGE_PARAMETERS = Records(
    Parameter("slope", 1.0), Parameter("restitution", 0.5), Parameter("speed"), Parameter("begin")
)
SLOPE, RESTITUTION, SPEED, BEGIN = WEDGE_PARAMETERS.indices


def fly(xdot, t, x, p, chart):
    xdot[0], xdot[1], xdot[2], xdot[3] = x[2], x[3], 0.0, -9.81


def sides(g, t, x, p, chart):
    """The distances from two planes, y = slope |x|, that move with the given speed."""
    along = p[SLOPE] * (x[0] - p[SPEED] * (t - p[BEGIN]))
    length = math.sqrt(1.0 + p[SLOPE] * p[SLOPE])
    g[0], g[1] = (x[1] - along) / length, (x[1] + along) / length


def bounce_off_sides(x_new, t, x, p, chart, crossed):
    length = math.sqrt(1.0 + p[SLOPE] * p[SLOPE])
    for side in range(2):
        nx, ny = (2.0 * side - 1.0) * p[SLOPE] / length, 1.0 / length
        into = (x_new[2] - p[SPEED]) * nx + x_new[3] * ny
        if crossed[side] and into < 0.0:
            x_new[2] -= (1.0 + p[RESTITUTION]) * into * nx
            x_new[3] -= (1.0 + p[RESTITUTION]) * into * ny
    return chart


WEDGE = Model(
    "wedge",
    WEDGE_STATES,
    vector_field=fly,
    boundaries=sides,
    transition=bounce_off_sides,
    parameters=WEDGE_PARAMETERS,
    boundary_records=Records(Boundary("left", degree=1), Boundary("right", degree=1)),
)


@pytest.mark.members
@pytest.mark.parametrize("speed", [0.0, 10.0])
@pytest.mark.parametrize("begin", [0.0, 1e3, 1e6])
def test_a_ball_in_a_wedge_comes_to_rest_in_every_frame(speed, begin):
    """Its bounces have no pattern, and their limit no formula; but there it rests, or moves along one of the planes."""
    for seed in range(25):
        rng = np.random.default_rng(seed)
        values = {"slope": rng.uniform(0.3, 2.0), "restitution": rng.uniform(0.2, 0.9), "speed": speed, "begin": begin}
        run = hybridsim.simulate(
            WEDGE,
            parameters=values,
            initial={"x": rng.uniform(-0.3, 0.3), "vx": rng.uniform(-1.0, 1.0) + speed},
            initial_time=begin,
            final_time=begin + 100.0,
        )
        assert run.status is hybridsim.Status.ZENO, (seed, run.message)
        x, y, vx, vy = run.x[-1]
        x, vx, slope = x - speed * (run.t[-1] - begin), vx - speed, values["slope"]
        side, length = math.copysign(1.0, x), math.hypot(1.0, slope)
        assert abs(y - side * slope * x) / length < 1e-4, seed
        assert abs(vy - side * slope * vx) / length < 1e-2, seed  # from 2 m, it hits the planes at 6 m/s


def test_a_tie_that_rounding_leaves_below_zero_twice_does_not_end_the_run():
    """Below one plane at a tie, the ball rests there and then fires still lower, located to one spacing of t.

    Such a tie is rare: one of 25 wedges has it at this time, with these numbers.
    """
    rng = np.random.default_rng(10)
    values = {"restitution": rng.uniform(0.2, 0.9), "slope": rng.uniform(0.3, 2.0), "begin": 1.7e9}
    x, vx = rng.uniform(-0.3, 0.3), rng.uniform(-1.0, 1.0)
    end = {"initial_time": 1.7e9, "final_time": 1.7e9 + 100.0}
    run = hybridsim.simulate(WEDGE, parameters=values, initial={"x": x, "vx": vx}, rtol=1e-10, atol=1e-12, **end)
    assert run.status is hybridsim.Status.ZENO, run.message


TANK_STATES = Records(State("x1", 1.0, "m"), State("x2", 1.0, "m"))
TANK_PARAMETERS = Records(Parameter("w"), Parameter("v1"), Parameter("v2"))
W, V1, V2 = TANK_PARAMETERS.indices


def levels(xdot, t, x, p, chart):
    xdot[0] = (p[W] if chart == 0 else 0.0) - p[V1]
    xdot[1] = (p[W] if chart == 1 else 0.0) - p[V2]


def other_level(g, t, x, p, chart):
    g[1 - chart] = x[1 - chart]


def switch(x_new, t, x, p, chart, crossed):
    return 1 - chart


TANKS = Model(
    "two_tanks",
    TANK_STATES,
    vector_field=levels,
    boundaries=other_level,
    transition=switch,
    parameters=TANK_PARAMETERS,
    charts=[Chart("fills_1"), Chart("fills_2")],
    boundary_records=Records(Boundary("empty_1", unit="m"), Boundary("empty_2", unit="m")),
)


def inflow(q, v1, v2):
    """The inflow w with (w - v1)(w - v2) = q v1 v2, by which each round of switches shrinks the levels."""
    return 0.5 * (v1 + v2 + math.sqrt((v1 + v2) ** 2 - 4.0 * v1 * v2 * (1.0 - q)))


@pytest.mark.parametrize("begin", TIMES)
@pytest.mark.parametrize("method", ["dp5", "dop853"])
def test_two_tanks_run_empty_together_and_do_not_slide(begin, method):
    rng = np.random.default_rng(2)
    for q in np.concatenate([np.geomspace(0.001, 0.1, 8), np.linspace(0.2, 0.9, 8)]):
        v1, v2 = rng.uniform(0.3, 0.9, 2)
        w = inflow(q, v1, v2)
        x1, x2 = rng.uniform(0.0, 3.0, 2)
        limit = (x1 + x2) / (v1 + v2 - w)
        run = hybridsim.simulate(
            TANKS,
            parameters={"w": w, "v1": v1, "v2": v2},
            initial={"x1": x1, "x2": x2},
            initial_time=begin,
            final_time=begin + 2.0 * limit,
            method=method,
        )
        assert run.status is hybridsim.Status.ZENO, (q, v1, v2, run.message)
        assert not run.statistics["slides"]
        allowed = 1e-9 * limit + 40.0 * np.spacing(begin + limit) / (1.0 - q) ** 2
        assert abs(run.t[-1] - begin - limit) <= allowed, (q, v1, v2)


BURST_STATES = Records(State("x"), State("n", continuous=False))
BURST_PARAMETERS = Records(Parameter("start"), Parameter("first"), Parameter("ratio"))
LENGTH = 8


def advance(xdot, t, x, p, chart):
    xdot[0] = 1.0


def next_jump(x, p):
    """Where the next jump of a burst lies: LENGTH intervals that shrink, and then none."""
    if x[1] > LENGTH:
        return math.inf
    return p[0] + p[1] * (1.0 - p[2] ** x[1]) / (1.0 - p[2])


def until_next(g, t, x, p, chart):
    g[0] = min(next_jump(x, p), 1e300) - x[0]


def until_next_time(g, t, x, p, chart):
    g[0] = min(next_jump(x, p), 1e300) - t


def count(x_new, t, x, p, chart, crossed):
    x_new[1] = x[1] + 1.0
    return chart


@pytest.mark.parametrize(
    ("boundaries", "declared"), [(until_next, {}), (until_next, {"degree": 1}), (until_next_time, {"time": True})]
)
def test_a_short_burst_late_in_a_long_run_is_no_accumulation(boundaries, declared):
    model = Model(
        "burst",
        BURST_STATES,
        vector_field=advance,
        boundaries=boundaries,
        transition=count,
        parameters=BURST_PARAMETERS,
        boundary_records=Records(Boundary("jump", **declared)),
    )
    for start in (1.0, 1e3, 1e6):
        for ratio in (0.3, 0.5, 0.8):
            values = {"start": start, "first": 1e-3, "ratio": ratio}
            run = hybridsim.simulate(model, parameters=values, final_time=2.0 * start)
            assert run.status is hybridsim.Status.FINAL_TIME, (start, ratio, run.message)
            assert len(run.events) == LENGTH + 1
