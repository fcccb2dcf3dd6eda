"""What is differentiated is the map that the engine computed, its steps held fixed; and closed forms."""

import math

import numpy as np
import pytest
from derivatives.test_replay import extrapolated
from scipy.linalg import expm
from scipy.optimize import brentq

import hybridsim
from hybridsim import Boundary, Model, Parameter, Records, State
from hybridsim.engine.methods import METHODS

PARAMETERS = Records(Parameter("gravity", 9.81), Parameter("drag", 0.3), Parameter("restitution", 0.8))


def fall_with_drag(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -p[0] - p[1] * x[1] * math.sqrt(1.0 + x[1] * x[1]) + 0.5 * math.sin(3.0 * t)


def table(g, t, x, p, chart):
    g[0] = x[0] - 0.1 * math.sin(5.0 * t)


def bounce(x_new, t, x, p, chart, crossed):
    speed = 0.5 * math.cos(5.0 * t)
    x_new[1] = speed - p[2] * (x[1] - speed)
    return chart


BALL = Model(
    "ball",
    [State("y", 1.0), State("v")],
    vector_field=fall_with_drag,
    boundaries=table,
    transition=bounce,
    parameters=PARAMETERS,
    boundary_records=[Boundary("table")],
)


def replayed(run, method, x, p):
    """Follow the rows of a run from another state and with other parameters, with its steps; return the last state.

    From the time of an event, which varies, to that of the next row goes one straight piece.
    """

    def field(t, x):
        xdot = np.zeros(2)
        fall_with_drag(xdot, t, x, p, 0)
        return xdot

    def value(t, x):
        g = np.zeros(1)
        table(g, t, x, p, 0)
        return g[0]

    for row in range(len(run.t) - 1):
        t, h = run.t[row], run.step[row]
        if h == 0.0:
            continue
        k = np.zeros((len(method.c), 2))
        for i, node in enumerate(method.c):
            k[i] = field(t + node * h, x + h * method.a[i, :i] @ k[:i])

        def between(theta, x=x, h=h, k=k):
            powers = theta ** np.arange(1, method.extension.shape[1] + 1)
            return x + h * (method.extension @ powers) @ k

        if run.j[row + 1] < run.j[-1] and run.step[row + 1] == 0.0:
            end = (run.t[row + 1] - t) / h

            def height(theta, t=t, h=h, between=between):
                return value(t + theta * h, between(theta))

            theta = brentq(height, end - 0.2, end + 0.2, xtol=1e-15)
            x_new, t_event = between(theta), t + theta * h
            x = x_new.copy()
            bounce(x_new, t_event, x, p, 0, None)
            x = x_new + (run.t[row + 1] - t_event) * field(t_event, x_new)
        else:
            x = x + h * method.a[method.stages, : method.stages] @ k[: method.stages]
    return x


@pytest.mark.members
@pytest.mark.parametrize("begin", [0.0, 100.0])
@pytest.mark.parametrize("name", ["dp5", "dop853", "tsit5"])
def test_derivatives_are_those_of_the_computed_map_with_its_steps_held_fixed(name, begin):
    """At a tolerance at which those of the exact flow differ."""
    variables, p = ("y", "v", "gravity", "drag", "restitution"), np.array([9.81, 0.3, 0.8])
    times = {"initial_time": begin, "final_time": begin + 2.0}
    settings = {"parameters": dict(zip(PARAMETERS.names, p, strict=True)), "initial": {"y": 1.0, "v": 0.5}, **times}
    run = hybridsim.simulate(BALL, method=name, rtol=1e-3, atol=1e-3, **settings)
    assert len(run.events) >= 2
    found, method = hybridsim.sensitivity(run, variables, model=BALL).final.values, METHODS[name]()
    for column in range(len(variables)):
        direction = np.eye(len(variables))[column]

        def moved(s, direction=direction):
            return replayed(run, method, np.array([1.0, 0.5]) + s * direction[:2], p + s * direction[2:])

        assert found[:, column] == pytest.approx(extrapolated(moved), abs=1e-9 * np.abs(found).max())
    exact = hybridsim.simulate(BALL, method=name, rtol=1e-12, atol=1e-12, **settings)
    assert np.abs(found - hybridsim.sensitivity(exact, variables, model=BALL).final.values).max() > 1e-6


FIRST = np.array([[-0.2, -2.0, 0.3], [2.0, -0.2, 0.0], [0.1, 0.0, -0.5]])
SECOND = np.array([[-0.1, -3.0, 0.0], [3.0, -0.1, 0.2], [0.0, 0.3, -0.2]])
RESET = np.array([[1.0, 0.0, 0.2], [0.1, 0.9, 0.0], [0.0, -0.3, 1.1]])


def linear(xdot, t, x, p, chart):
    for i in range(3):
        for j in range(3):
            xdot[i] += (FIRST[i, j] if chart == 0 else SECOND[i, j]) * x[j]


def plane(g, t, x, p, chart):
    if chart == 0:
        g[0] = x[0] + 0.3
    else:
        g[1] = 0.4 - x[0] + 0.1 * x[2]


def reset(x_new, t, x, p, chart, crossed):
    for i in range(3):
        x_new[i] = RESET[i, 0] * x[0] + RESET[i, 1] * x[1] + RESET[i, 2] * x[2]
    return 1 - chart


LINEAR = Model(
    "linear",
    [State("a", 1.0), State("b", 0.3), State("c", -0.2)],
    vector_field=linear,
    boundaries=plane,
    transition=reset,
    charts=("first", "second"),
    boundary_records=[Boundary("falls", degree=1), Boundary("rises", degree=1)],
)


@pytest.mark.members(1)
@pytest.mark.parametrize("begin", [0.0, 1e6])
def test_the_monodromy_of_a_linear_hybrid_system_is_its_closed_form(begin):
    """The product of exponentials of matrices and saltation matrices."""
    times = {"initial_time": begin, "final_time": begin + 4.0}
    run = hybridsim.simulate(LINEAR, method="dop853", rtol=1e-13, atol=1e-14, stop_precision=1e-14, **times)
    assert len(run.events) == 3
    product, t = np.eye(3), begin
    normals = (np.array([1.0, 0.0, 0.0]), np.array([-1.0, 0.0, 0.1]))
    for event in run.events:
        before, after = (FIRST, SECOND) if event.chart_before == 0 else (SECOND, FIRST)
        product = expm(before * (event.t - t)) @ product
        arriving, leaving = before @ event.x_before, after @ event.x_after
        normal = normals[event.chart_before]
        product = (RESET + np.outer(leaving - RESET @ arriving, normal) / (normal @ arriving)) @ product
        t = event.t
    product = expm((FIRST if run.chart[-1] == 0 else SECOND) * (run.t[-1] - t)) @ product
    tolerance = 1e-10 if begin == 0.0 else 1e-8  # times around 1e6 s are rounded to 1e-10 s
    assert hybridsim.sensitivity(run, "x", model=LINEAR).final.values == pytest.approx(product, abs=tolerance)
