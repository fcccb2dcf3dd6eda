"""When no slide begins although both flows lead to the surface: a way back that moves the state, a tangent flow."""

import numpy as np
import pytest

import hybridsim
from hybridsim import Boundary, Chart, Model, Parameter, Records, State, Status

DROP, RISE, KICK = 1.0, 0.7, 0.1
TIMES = (0.0, 1e3, 1e6, 1.7e9)
PLACES = (0.0, 1e3 / 3, -1e6)


def to_and_fro(xdot, t, x, p, chart):
    xdot[0] = -DROP if chart == 0 else RISE


def either_side(g, t, x, p, chart):
    """The parameters are the place of the surface, and which boundary is declared first."""
    above = int(p[1])
    if chart == 0:
        g[above] = x[0] - p[0]
    else:
        g[1 - above] = p[0] - x[0]


def kick_on_the_way_back(x_new, t, x, p, chart, crossed):
    """Only the way back to the first chart moves the state."""
    if chart == 1:
        x_new[0] = p[0] + KICK
    return 1 - chart


def kick_on_the_way_there(x_new, t, x, p, chart, crossed):
    if chart == 0:
        x_new[0] = p[0] - KICK
    return 1 - chart


@pytest.mark.members
@pytest.mark.parametrize("declared", [{}, {"degree": 1}, {"second_derivative_bound": 0.0}])
@pytest.mark.parametrize(("transition", "speed"), [(kick_on_the_way_back, DROP), (kick_on_the_way_there, RISE)])
def test_where_a_transition_moves_the_state_no_slide_begins(transition, speed, declared):
    """Of each two transitions one moves the state off the surface by KICK, and it returns at `speed`."""
    model = Model(
        "kicked",
        Records(State("x")),
        vector_field=to_and_fro,
        boundaries=either_side,
        transition=transition,
        parameters=Records(Parameter("place"), Parameter("above", 0, integer=True)),
        boundary_records=Records(Boundary("first", **declared), Boundary("second", **declared)),
        charts=Records(Chart("falls"), Chart("rises")),
    )
    for begin, place in [(t, 0.0) for t in TIMES] + [(0.0, place) for place in PLACES]:
        for above in (0, 1):
            run = hybridsim.simulate(
                model,
                parameters={"place": place, "above": above},
                initial={"x": place + 0.337},
                initial_time=begin,
                final_time=begin + 0.8,
            )
            arrivals = 0.337 + KICK / speed * np.arange(10)
            expected = np.repeat(arrivals[arrivals < 0.8], 2)
            if transition is kick_on_the_way_there:
                expected = expected[1:]  # the first arrival is that of the fall, with one transition
            rounding = 40.0 * np.spacing(max(begin, abs(place), 1.0))
            assert run.status is Status.FINAL_TIME, (begin, place, above)
            assert run.events.kind == ("crossing",) * len(expected), (begin, place, above)
            np.testing.assert_allclose(run.events.t - begin, expected, rtol=0.0, atol=rounding)


def along_a_line(xdot, t, x, p, chart):
    """The first flow falls on the line a x + b y = 0; the second runs along it, but for `angle`."""
    xdot[0] = -1.0 if chart == 0 else -p[1] + p[2]
    xdot[1] = 0.0 if chart == 0 else p[0]


def both_sides_of_a_line(g, t, x, p, chart):
    height = p[0] * x[0] + p[1] * x[1]
    if chart == 0:
        g[0] = height
    else:
        g[1] = -height


def other_side(x_new, t, x, p, chart, crossed):
    return 1 - chart


def test_where_a_flow_runs_along_the_surface_no_slide_begins():
    """Rounding alone, or an angle of 1e-10, opposes the two flows: a weight would be a quotient of roundings."""
    model = Model(
        "tangent",
        Records(State("x", 0.337), State("y")),
        vector_field=along_a_line,
        boundaries=both_sides_of_a_line,
        transition=other_side,
        parameters=Records(Parameter("a", 1.0), Parameter("b"), Parameter("angle")),
        boundary_records=Records(Boundary("falls", degree=1), Boundary("rises", degree=1)),
        charts=Records(Chart("falling"), Chart("along")),
    )
    rng = np.random.default_rng(0)
    lines = [(a, b, 0.0) for a, b in rng.uniform(0.2, 1.5, (24, 2)) * rng.choice([1.0, -1.0], (24, 1))]
    for a, b, angle in [(abs(a), b, angle) for a, b, angle in lines] + [(1.0, 0.0, 1e-10)]:
        run = hybridsim.simulate(
            model,
            parameters={"a": a, "b": b, "angle": angle},
            final_time=1.0,
            max_transitions=20,
            method="rk4",
            first_step=2.0**-4,
        )
        assert run.events[0].t == pytest.approx(0.337, abs=1e-14)
        assert "entry" not in run.events.kind, (a, b, angle)
        np.testing.assert_allclose(a * run.x[-1, 0] + b * run.x[-1, 1], 0.0, atol=1e-14)
