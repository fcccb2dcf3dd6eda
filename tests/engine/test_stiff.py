"""The Rosenbrock method on stiff models: order, reference solutions, what its linear equations can meet."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from hybridsim import Boundary, Chart, Input, Model, ModelError, Parameter, Records, Simulation, State, Status, simulate

from .stiff_models import HIRES, RELAXATION, ROBERTSON, VAN_DER_POL

GAMMA = 0.21193756319429014
"""Diagonal coefficient of the method (Steinebach 2023)."""


def solve(model, final_time, rtol, atol, **keywords):
    keywords = {"record": False, "max_steps": 20_000} | keywords
    run = simulate(model, final_time=final_time, method="rodas5p", rtol=rtol, atol=atol, **keywords)
    assert run.status is Status.FINAL_TIME, run.message
    return run


REFERENCES = {
    # Hairer, Wanner (1996), IV.10, and Mazzia, Magherini: Test set for initial value problem solvers (2008).
    "robertson": (ROBERTSON, 1e11, 1e-14, [0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050]),
    "hires": (
        HIRES,
        321.8122,
        1e-10,
        [
            *(0.7371312573325668e-3, 0.1442485726318185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2),
            *(0.2386356198831331e-2, 0.6238968252742796e-2, 0.2849998395185769e-2, 0.2850001604814231e-2),
        ],
    ),
}


@pytest.mark.parametrize("name", REFERENCES)
@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-8])
def test_published_solutions_are_met_within_a_few_tolerances_in_a_few_hundred_steps(name, rtol):
    model, end, atol, expected = REFERENCES[name]
    run = solve(model, end, rtol, atol * (rtol / 1e-6))
    np.testing.assert_allclose(run.x[-1], expected, rtol=20.0 * rtol)
    assert run.statistics["steps"] < 900


@pytest.mark.exhaustive  # published solutions are met in the ordinary run
def test_van_der_pol_is_followed_through_its_jumps():
    """From x = 2, v = -0.66 (Hairer, Wanner 1996, IV.10); compared with Radau at a thousandth of the tolerance."""
    run = solve(VAN_DER_POL, 2.0, 1e-7, 1e-7)
    start = [2.0, -0.66]
    exact = solve_ivp(
        lambda t, x: [x[1], ((1 - x[0] ** 2) * x[1] - x[0]) / 1e-6], (0.0, 2.0), start, "Radau", rtol=1e-10, atol=1e-10
    )
    np.testing.assert_allclose(run.x[-1], exact.y[:, -1], rtol=2e-6)
    assert run.statistics["steps"] < 1200


def test_an_explicit_method_would_need_far_more_steps():
    explicit = simulate(RELAXATION, final_time=0.1, method="dp5", rtol=1e-6, atol=1e-8, record=False)
    assert explicit.statistics["steps"] > 100 * solve(RELAXATION, 0.1, 1e-6, 1e-8).statistics["steps"]


@pytest.mark.parametrize(("rate", "expected"), [(0.0, 5.0), (1e6, 3.0)])
def test_on_a_model_that_follows_cosine_at_some_rate_the_error_has_an_order(rate, expected):
    """Where h rate is large, order 3; but then the error is divided by the rate (Prothero, Robinson 1974)."""
    lengths, errors = 2.0 ** -np.arange(2, 6), []
    for h in lengths:
        settings = {"first_step": h, "max_step": h, "parameters": {"rate": rate}}
        run = solve(RELAXATION, 2.0, 1.0, 1.0, **settings)
        assert run.statistics["steps"] == round(2.0 / h)
        errors.append(abs(run["x"][-1] - math.cos(2.0)))
    assert np.polyfit(np.log(lengths), np.log(errors), 1)[0] == pytest.approx(expected, abs=0.2)
    assert max(errors) < 1e-7 / max(1.0, 1e-3 * rate)


def forced(xdot, t, x, p, chart):
    """Towards a target at 1e5 / s; the target is a sum of a discrete state, an input, and a function of time."""
    xdot[0] = -1e5 * (x[0] - (x[1] + p[0] + math.sin(t)))
    xdot[2] = x[0]


def one_second(g, t, x, p, chart):
    if chart == 0:
        g[0] = 1.0 - t


def steps_up(x_new, t, x, p, chart, crossed):
    x_new[1] = x[1] + 2.0
    return 1


FORCED = Model(
    "forced",
    Records(State("x", 0.0), State("offset", 0.0, continuous=False), State("integral", 0.0)),
    vector_field=forced,
    boundaries=one_second,
    transition=steps_up,
    charts=Records(Chart("before"), Chart("after")),
    boundary_records=Records(Boundary("one_second", time=True)),
    inputs=Records(Input("target", 0.0)),
)


def test_discrete_states_inputs_and_time_count_and_discrete_states_stay():
    simulation = Simulation(FORCED, method="rodas5p", rtol=1e-9, atol=1e-11, final_time=2.0)
    simulation.advance(0.5)
    simulation.inputs["target"] = 3.0
    run = simulation.run()
    lag = (math.cos(2.0) - 1e-5 * -math.sin(2.0)) * 1e-5  # of x behind the target, to second order
    assert run["x"][-1] == pytest.approx(2.0 + 3.0 + math.sin(2.0) - lag, abs=1e-8)
    target = 2.0 * 1.0 + 3.0 * 1.5 + (1.0 - math.cos(2.0))
    assert run["integral"][-1] == pytest.approx(target - 1e-5 * (5.0 + math.sin(2.0)), abs=1e-8)
    before = run.t < 1.0
    np.testing.assert_array_equal(run["offset"][before], 0.0)
    np.testing.assert_array_equal(run["offset"][run.t > 1.0], 2.0)


def test_a_singular_matrix_makes_the_step_shorter():
    """1 / gamma - h lambda is zero in the first step, whose length is a power of two, and in no later one."""
    h = 2.0**-6

    def grows(xdot, t, x, p, chart):
        xdot[0] = p[0] * x[0]

    rate = 1.0 / GAMMA / h
    model = Model("grows", Records(State("x", 1.0)), vector_field=grows, parameters=Records(Parameter("rate", rate)))
    run = solve(model, 4.0 * h, 1e-8, 1e-10, first_step=h)
    assert run.statistics["rejected"] >= 1
    assert run["x"][-1] == pytest.approx(math.exp(rate * 4.0 * h), rel=1e-6)


def test_a_derivative_that_is_not_finite_ends_the_run_and_names_the_state():
    def leaks(xdot, t, x, p, chart):
        xdot[1] = -1.0 - math.sqrt(x[1])

    model = Model("leaks", Records(State("drained"), State("level", 0.0)), vector_field=leaks)
    run = simulate(model, final_time=1.0, method="rodas5p")
    assert run.status is Status.NON_FINITE_DERIVATIVE
    assert "level" in run.message
    assert "explicit" in run.message


def test_a_field_that_ends_within_a_step_is_not_stepped_into():
    """The slope is nan beyond x = 1: the last increment does not see it, the slope at the new point does."""

    def ends(xdot, t, x, p, chart):
        xdot[0] = math.sqrt(1.0 - x[0]) + 1.0

    run = simulate(Model("ends", Records(State("x", 0.0)), vector_field=ends), final_time=5.0, method="rodas5p")
    assert run.status in (Status.NON_FINITE_STATE, Status.STEP_TOO_SMALL, Status.NON_FINITE_DERIVATIVE)
    assert run["x"][-1] <= 1.0
    assert run["x"][-1] == pytest.approx(1.0, abs=1e-6)


def test_a_field_without_derivatives_is_refused_with_the_place():
    def rounded(xdot, t, x, p, chart):
        xdot[0] = math.gamma(x[0])

    model = Model("rounded", Records(State("x", 1.0)), vector_field=rounded)
    with pytest.raises(ModelError, match=r"test_stiff\.py:\d+.*(?s:.*)rodas5p"):
        simulate(model, final_time=1.0, method="rodas5p")
    assert simulate(model, final_time=0.1, method="dp5").status.ok


def many(xdot, t, x, p, chart):
    """A chain of 21 relaxations, stiffer and stiffer: dual numbers take three passes for the states and time."""
    for i in range(21):
        before = math.cos(t) if i == 0 else x[i - 1]
        xdot[i] = -(2.0**i) * (x[i] - before)


CHAIN = Model("chain", Records(*(State(f"x{i}", 1.0) for i in range(21))), vector_field=many)


def test_many_states_are_solved_for_as_few_are():
    run = solve(CHAIN, 3.0, 1e-9, 1e-11)

    def field(t, x):
        return -(2.0 ** np.arange(21)) * (x - np.append(math.cos(t), x[:-1]))

    exact = solve_ivp(field, (0.0, 3.0), np.ones(21), "Radau", rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(run.x[-1], exact.y[:, -1], rtol=1e-7)
    assert run.statistics["steps"] < 200


def regularised(xdot, t, x, p, chart):
    """A block on a belt of speed 1 with the friction 5 tanh(v_rel / eps): slips, then sticks, pulled by a spring."""
    xdot[0] = x[1]
    xdot[1] = -x[0] - 1.0 * math.tanh((x[1] - 0.5) / 1e-7)


def dry(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = -x[0] - (1.0 if chart == 1 else -1.0)


def belt(g, t, x, p, chart):
    if chart == 1:
        g[0] = x[1] - 0.5
    else:
        g[1] = 0.5 - x[1]


def other(x_new, t, x, p, chart, crossed):
    return 1 - chart


DRY = Model(
    "dry",
    Records(State("x", 2.0), State("v", 0.0)),
    vector_field=dry,
    boundaries=belt,
    transition=other,
    charts=Records(Chart("slower"), Chart("faster")),
    boundary_records=Records(Boundary("slows", degree=1), Boundary("speeds", degree=1)),
)
REGULARISED = Model("regularised", Records(State("x", 2.0), State("v", 0.0)), vector_field=regularised)


def test_regularised_friction_comes_as_close_to_the_slide_as_its_width():
    slide = solve(DRY, 8.0, 1e-9, 1e-11)
    smooth = solve(REGULARISED, 8.0, 1e-9, 1e-11)
    explicit = simulate(DRY, final_time=8.0, method="dp5", rtol=1e-9, atol=1e-11)
    assert slide.statistics["slides"] == explicit.statistics["slides"] > 0
    np.testing.assert_allclose(slide.events.t, explicit.events.t, atol=1e-7)
    np.testing.assert_allclose(slide.x[-1], explicit.x[-1], atol=1e-7)
    np.testing.assert_allclose(smooth.x[-1], slide.x[-1], atol=1e-5)
