"""The examples of the pages for users of other tools run, and their numbers are those of formulas and of scipy."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

ROOT = Path(__file__).parents[2]


def session(page):
    """What the names of a page's Python examples stand for when they have run, one after another."""
    names = {}
    text = (ROOT / "docs" / f"coming-from-{page}.md").read_text(encoding="utf-8")
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(block, names)
    return names


def test_the_ball_of_ode45_bounces_at_the_times_of_the_formula_and_of_scipy():
    events = session("ode45")["run"].events
    g, e, v = 9.8, 0.9, 20.0
    bounces = np.arange(1, 11)
    assert events.t == pytest.approx(2.0 * v / g * (1.0 - e**bounces) / (1.0 - e), rel=1e-9)
    assert events.x_after[:, 1] == pytest.approx(v * e**bounces, rel=1e-9)

    def floor(t, y):
        return y[0]

    floor.terminal, floor.direction = True, -1.0
    t = 0.0
    for k in range(10):
        flight = solve_ivp(lambda t, y: [y[1], -g], (t, 30.0), [0.0, v], events=floor, rtol=1e-10, atol=1e-12)
        t, v = flight.t[-1], -e * flight.y[1, -1]
        assert events.t[k] == pytest.approx(t, rel=1e-9)


def test_solve_ivp_misses_both_crossings_and_hybridsim_finds_them():
    names = session("solve-ivp")
    throw, run = names["throw"], names["run"]
    root = math.sqrt(10.0**2 - 2.0 * 9.81 * names["LEVEL"])
    crossings = [(10.0 - root) / 9.81, (10.0 + root) / 9.81]
    assert throw().t_events[0].size == 0
    assert throw(rtol=1e-10, atol=1e-12).t_events[0].size == 0
    assert throw(max_step=0.01).t_events[0] == pytest.approx(crossings, abs=1e-9)
    assert run.events.t == pytest.approx(crossings, abs=1e-9)
    assert run.events.certificate == ("exact", "exact")


def test_the_wheel_of_drake_rolls_at_the_rate_of_the_formula_and_the_period_of_scipy():
    events = session("drake")["run"].events
    alpha, slope, g = math.pi / 8, 0.08, 9.81
    rate = math.sqrt(4.0 * g * math.sin(alpha) * math.sin(slope)) / math.tan(2.0 * alpha)
    assert events.x_after[-1, 1] == pytest.approx(rate, rel=1e-8)  # the run's rtol

    def next_spoke(t, x):
        return x[0] - slope - alpha

    next_spoke.terminal = True
    start = [slope - alpha, rate]
    pendulum = solve_ivp(
        lambda t, x: [x[1], g * math.sin(x[0])], (0.0, 5.0), start, "DOP853", events=next_spoke, rtol=1e-12, atol=1e-12
    )
    assert events.t[-1] - events.t[-2] == pytest.approx(pendulum.t[-1], rel=1e-8)


def test_the_hopper_of_simsect_lifts_off_when_and_where_scipy_says(monkeypatch):
    monkeypatch.chdir(ROOT)
    names = session("simsect")
    liftoff, flown = names["liftoff"], names["flown"]
    assert liftoff.boundaries == ("liftoff",)
    assert liftoff.t == pytest.approx(flown.t_events[0][0], abs=1e-7)
    assert liftoff.x_before[:4] == pytest.approx(flown.y_events[0][0], abs=1e-6)
