"""Polynomial boundaries that dip below zero for a moment: a small target that the motion passes through."""

import math

import numpy as np
import pytest

import hybridsim
from hybridsim import DECLINED, Boundary, Model, Parameter, Records, State, simulate

STATES = Records(State("x", 1.0), State("v", 0.0), State("other", 0.0, continuous=False))
END = 9.5 * math.pi


def oscillate(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = -x[0]


def branching(xdot, t, x, p, chart):
    """The same, by a branch on a held state, so that the other way has no power series."""
    if x[2] > 0.5:
        xdot[0] = x[1]
        xdot[1] = -x[0]
    else:
        xdot[0] = x[1]
        xdot[1] = -(x[0] + 0.0 * x[1])


def square(g, t, x, p, chart):
    g[0] = (x[0] - p[0]) * (x[0] - p[0]) - p[1] * p[1]


def fourth(g, t, x, p, chart):
    g[0] = ((x[0] - p[0]) * (x[0] - p[0]) - p[1] * p[1]) * (1.0 + x[1] * x[1])


def decline(x_new, t, x, p, chart, crossed):
    return DECLINED


def take_the_other_way(x_new, t, x, p, chart, crossed):
    x_new[2] = 1.0
    return chart


def oscillator(boundaries, degree=None, field=oscillate, transition=decline):
    return Model(
        "dips",
        STATES,
        vector_field=field,
        boundaries=boundaries,
        transition=transition,
        boundary_records=Records(Boundary("target", degree=degree, armed="when_positive")),
        parameters=Records(Parameter("place"), Parameter("width")),
    )


def entries(place, width):
    """When x = cos t comes within `width` of `place`: from above, and half a turn later from below."""
    down, up = math.acos(place + width), 2.0 * math.pi - math.acos(place - width)
    times = [first + 2.0 * math.pi * k for k in range(6) for first in (down, up)]
    return sorted(t for t in times if t < END)


def run_through(model, place, width, rtol, method="series", **settings):
    parameters = {"place": place, "width": width}
    return simulate(
        model, parameters=parameters, method=method, final_time=END, rtol=rtol, atol=0.01 * rtol, **settings
    )


CASES = [(square, 2), (square, None), (fourth, 4), (fourth, None)]


@pytest.mark.members
@pytest.mark.parametrize(("boundaries", "degree"), CASES)
@pytest.mark.parametrize(
    ("rtol", "width"),
    [(1e-4, 1e-3), (1e-8, 3e-4), (1e-12, 1e-5)]
    + [pytest.param(r, w, marks=pytest.mark.exhaustive) for r in (1e-4, 1e-6, 1e-10) for w in (1e-2, 1e-4, 1e-6)],
)
def test_no_dip_is_overlooked(boundaries, degree, rtol, width):
    rng, model = np.random.default_rng(3), oscillator(boundaries, degree)
    for place in rng.uniform(-0.9, 0.9, 12):
        run, expected = run_through(model, place, width, rtol), entries(place, width)
        assert run.events.t == pytest.approx(expected, abs=1e3 * rtol + 1e-12)
        assert {*run.events.certificate} == {"exact"}
    assert hybridsim.verify(run, model=model).ok


@pytest.mark.parametrize(("boundaries", "degree"), [(square, 2), (fourth, 4)])
@pytest.mark.parametrize("rtol", [1e-3, 1e-6, 1e-10])
def test_no_dip_is_overlooked_in_steps_of_stages_of_a_run_along_series(boundaries, degree, rtol):
    """From the first event on there is no series, and the extension of DOP853 of degree 7 makes degrees up to 28."""
    model = oscillator(boundaries, degree, branching, take_the_other_way)
    for place in (-0.7, 0.1, 0.6):
        run = run_through(model, place, 0.01, rtol)
        assert run.events.t == pytest.approx(entries(place, 0.01), abs=1e3 * rtol)
        assert any("step of dop853" in key for key in run.statistics)


@pytest.mark.parametrize("method", ["dp5", "dop853", "series"])
@pytest.mark.parametrize("rtol", [1e-4, 1e-8])
def test_the_depth_of_the_first_of_two_dips_in_a_step(method, rtol):
    """Near its turning point x passes through the target twice in a step, by width squared below zero.

    The depth is less where the step ends in a dip.
    """
    for place in (0.95, 0.98, 0.99):
        run = run_through(oscillator(square, 2), place, 1e-3, rtol, method)
        assert (run.events.depth > 1e-8).all()
        assert (run.events.depth < 1.01e-6).all()
        assert run.events.depth.max() == pytest.approx(1e-6, rel=0.01, abs=0.0)


def ninth(xdot, t, x, p, chart):
    xdot[0] = 9.0 * t**8
    xdot[1] = 9.0 * t**8 - 10.0 * t**9


def product(g, t, x, p, chart):
    g[0] = 0.005 - x[0] * x[1]


def test_what_is_missing_in_a_series_may_cancel_at_the_end_of_a_step():
    """x y = t^18 - t^19 is beyond the order, zero at both ends, and above 0.005 between."""
    model = Model(
        "cancelling",
        Records(State("x"), State("y")),
        vector_field=ninth,
        boundaries=product,
        transition=decline,
        boundary_records=Records(Boundary("level", armed="when_positive")),
    )
    falls = np.roots([-1.0, 1.0, *[0.0] * 17, -0.005])
    expected = min(z.real for z in falls if abs(z.imag) < 1e-9 and 0.0 < z.real < 1.0)
    for rtol in (1e-6, 1e-10):
        run = simulate(model, method="series", rtol=rtol, atol=rtol, final_time=1.0, first_step=1.0)
        assert run.events.t == pytest.approx([expected], abs=1e-7)
