"""Boundaries of which nothing is declared, searched by their own power series, against the roots that numpy finds."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import hybridsim
from hybridsim import DECLINED, Boundary, Model, Parameter, Records, State, simulate

STATES = Records(State("x"), State("v"))
NAMES = "bends", "place", "width", "level", "rate"
END = 20.0


def field(xdot, t, x, p, chart):
    """A flight, or an oscillation."""
    xdot[0] = x[1]
    xdot[1] = -p[0] * x[0]


def never(x_new, t, x, p, chart, crossed):
    return DECLINED


def leg(g, t, x, p, chart):
    g[0] = math.sqrt((x[0] - p[1]) * (x[0] - p[1]) + p[2] * p[2]) - (p[2] + p[3])


def dip(g, t, x, p, chart):
    g[0] = p[3] - 1.0 / (1.0 + ((x[0] - p[1]) / p[2]) ** 2)


def wave(g, t, x, p, chart):
    g[0] = p[3] + math.sin(p[4] * x[0]) * math.exp(-p[2] * x[0])


def step(g, t, x, p, chart):
    g[0] = p[3] - math.tanh((x[0] - p[1]) / p[2]) + 0.1 * math.cos(p[4] * t)


def logarithm(g, t, x, p, chart):
    g[0] = math.log(p[2] + (x[0] - p[1]) * (x[0] - p[1])) - p[3] + 0.5 * math.atan(x[0])


def eighth(g, t, x, p, chart):
    y = x[0] - p[1]
    g[0] = y**8 - p[3] * y * y + 0.01


FORMS = leg, dip, wave, step, logarithm, eighth


def states_at(t, values):
    bends, x, v = values
    w = math.sqrt(bends)
    return x + v * t if bends == 0.0 else x * np.cos(w * t) + v / w * np.sin(w * t)


def falls(form, p, values, t0):
    """Return when the boundary falls to zero, on a fine grid; None where a dip is too shallow to tell."""
    t = np.linspace(0.0, END, 400_001)
    x, g = states_at(t, values), [0.0]

    def value(time, place):
        form(g, t0 + time, [place], p, 0)
        return g[0]

    values_of_g = np.array([value(time, place) for time, place in zip(t.tolist(), x.tolist(), strict=True)])
    inner = values_of_g[1:-1]
    extrema = inner[(np.sign(np.diff(values_of_g))[:-1] != np.sign(np.diff(values_of_g))[1:])]
    if (abs(extrema) < 1e-5).any() or abs(values_of_g[0]) < 1e-3 or abs(values_of_g[-1]) < 1e-3:
        return None
    places = np.flatnonzero((values_of_g[:-1] > 0.0) & (values_of_g[1:] <= 0.0))
    return [brentq(lambda s: value(s, states_at(s, values)), t[k], t[k + 1], xtol=1e-13) for k in places]


def drawn(form, rng):
    bends = rng.choice([0.0, 1.0, 2.5])
    p = np.array(
        [bends, rng.uniform(-2.0, 2.0), 10.0 ** rng.uniform(-2.0, 0.0), rng.uniform(0.1, 0.9), rng.uniform(0.5, 6.0)]
    )
    if form is wave:
        p[2] *= 0.3
    return p, (bends, rng.uniform(-2.0, 2.0), rng.uniform(0.05, 1.0) * rng.choice([-1.0, 1.0]))


def check_family(form, seed, n):
    rng, found = np.random.default_rng(seed), 0
    parameters = Records(*map(Parameter, NAMES))
    records = Records(Boundary("g", armed="when_positive"))
    model = Model(
        form.__name__, STATES, vector_field=field, boundaries=form, transition=never, boundary_records=records,
        parameters=parameters,
    )  # fmt: skip
    for _ in range(n):
        p, values = drawn(form, rng)
        times = falls(form, p, values, 0.0)
        if times is None:
            continue
        for rtol, precision in ((1e-10, 1e-8), (1e-5, 1e-2)):
            run = simulate(
                model, initial={"x": values[1], "v": values[2]}, parameters=dict(zip(NAMES, p, strict=True)),
                method="series", final_time=END, rtol=rtol, atol=rtol,
            )  # fmt: skip
            assert len(run.events.t) == len(times), (form.__name__, p, values, rtol, run.events.t, times)
            assert run.events.t == pytest.approx(times, abs=precision)
        found += len(times)
        assert {*run.events.certificate} <= {"exact"}
        assert "unresolved_steps" not in run.statistics or run.statistics["unresolved_steps"] == 0
    assert found > n // 2
    assert hybridsim.verify(run, model=model).ok


@pytest.mark.parametrize(
    "form", [pytest.param(form, marks=() if form is dip else pytest.mark.exhaustive) for form in FORMS]
)
def test_no_root_is_missed_or_invented(form):
    check_family(form, 1, 12)
