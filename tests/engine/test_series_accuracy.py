"""Power series: their order, their accuracy where others stop, and the steps that no series can make."""

import math

import numpy as np
import pytest

from hybridsim import (
    Boundary,
    Chart,
    Model,
    Parameter,
    Records,
    State,
    Status,
    find_orbit,
    load_model,
    sensitivity,
    simulate,
    sweep,
)
from hybridsim.engine.methods.series import LOW_ORDER

EPS = np.finfo(float).eps


def oscillator(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = -x[0]


OSCILLATOR = Model("oscillator", Records(State("q", 1.0), State("u", 0.0)), vector_field=oscillator)


def test_steps_of_a_given_size_have_an_error_of_the_order():
    """The error of steps of h is that of the first term left out: h^(order + 1) / (order + 1)! in each step."""
    for size in (4.0, 2.0):
        run = simulate(OSCILLATOR, final_time=size, method="series", max_step=size, first_step=size, rtol=1.0, atol=1e9)
        assert run.statistics["steps"] == 1
        terms = [*(size ** (LOW_ORDER + k) / math.factorial(LOW_ORDER + k) for k in (2, 1))]
        error = abs(run.x[-1] - [math.cos(size), -math.sin(size)])
        # Of the alternating series of cosine and sine the first missing terms have the orders 14 and 13.
        assert error == pytest.approx(terms, rel=0.1, abs=1e-13)


@pytest.mark.parametrize("rtol", [1e-10, 1e-12, 1e-14])
def test_the_error_keeps_to_the_tolerance(rtol):
    run = simulate(OSCILLATOR, final_time=20.0, method="series", rtol=rtol, atol=rtol, record=False)
    error = abs(run.x[-1] - [math.cos(20.0), -math.sin(20.0)]).max()
    assert error < 10.0 * rtol + 20.0 * EPS
    assert run.statistics["rejected"] == 0


def test_a_polynomial_is_followed_in_steps_that_grow_without_limit():
    def free_fall(xdot, t, x, p, chart):
        xdot[0] = x[1]
        xdot[1] = -9.81

    model = Model("thrown", Records(State("y", 1.0), State("v", 3.0)), vector_field=free_fall)
    run = simulate(model, final_time=1000.0, method="series", rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(
        run.x[-1], [1.0 + 3.0 * 1000.0 - 0.5 * 9.81 * 1000.0**2, 3.0 - 9.81 * 1000.0], rtol=1e-13
    )
    assert run.statistics["steps"] < 12


def test_an_error_estimate_tells_what_the_series_does_not():
    """A step beyond a kink of the vector field, of which the series at its start knows nothing, is rejected."""

    def kinked(xdot, t, x, p, chart):
        xdot[0] = 1.0
        xdot[1] = max(x[0], 0.0)

    model = Model("kinked", Records(State("x", -1.0), State("y", 0.0)), vector_field=kinked)
    run = simulate(model, final_time=2.0, method="series", rtol=1e-10, atol=1e-10)
    assert run.statistics["rejected"] > 0
    assert run.x[-1, 1] == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("rtol", [1e-6, 1e-8, 1e-10, 1e-12])
def test_a_side_of_a_kink_that_lasts_for_a_part_of_a_step_is_not_passed_over(rtol):
    """While x = cos t is above 0.9, from -arccos 0.9 to arccos 0.9, y grows by the integral of cos t - 0.9."""

    def field(xdot, t, x, p, chart):
        xdot[0] = x[1]
        xdot[1] = -x[0]
        xdot[2] = max(x[0] - 0.9, 0.0)

    model = Model("pulses", Records(State("x", 0.0), State("v", 1.0), State("y", 0.0)), vector_field=field)
    run = simulate(model, final_time=40.0 * math.pi, method="series", rtol=rtol, atol=rtol)
    half = math.acos(0.9)
    assert run.x[-1, 2] == pytest.approx(20.0 * 2.0 * (math.sin(half) - 0.9 * half), rel=1e3 * rtol)


@pytest.mark.parametrize("function", [math.exp, math.log, math.sqrt, math.sin, math.tan, math.atan])
def test_functions_take_what_is_a_constant_on_one_path_and_a_series_on_the_other(function):
    def field(xdot, t, x, p, chart):
        y = 1.5
        if x[0] > 0.0:
            y = 0.5 + x[0]
        xdot[0] = function(y)

    model = Model("paths", Records(State("x", -1.0)), vector_field=field)
    run = simulate(model, final_time=0.01, method="series", rtol=1e-12)
    assert run.x[-1, 0] == pytest.approx(-1.0 + 0.01 * function(1.5), rel=1e-14)


@pytest.mark.usefixtures("trusted_declarations")
def test_a_boundary_without_a_series_where_a_step_begins_is_sampled_there():
    """A root has no series at x = 0."""

    def field(xdot, t, x, p, chart):
        xdot[0] = 1.0

    def boundaries(g, t, x, p, chart):
        g[0] = 1.0 - math.sqrt(x[0])

    def transition(x_new, t, x, p, chart, crossed):
        x_new[0] = 0.0
        return 0

    model = Model(
        "rooted",
        Records(State("x", 0.0)),
        vector_field=field,
        boundaries=boundaries,
        transition=transition,
        boundary_records=Records(Boundary("one", degree=2)),
    )
    run = simulate(model, final_time=3.5, method="series", rtol=1e-12)
    assert run.events.t == pytest.approx([1.0, 2.0, 3.0], abs=1e-13)


def test_where_there_is_no_series_steps_are_those_of_dop853():
    """A root has no series at zero, where the field begins."""

    def field(xdot, t, x, p, chart):
        xdot[0] = math.cos(t)
        xdot[1] = x[0] * math.sqrt(abs(x[0]))

    model = Model("rooted", Records(State("x", 0.0), State("y", 0.0)), vector_field=field)
    runs = [simulate(model, final_time=1.0, method=method, rtol=1e-11, atol=1e-11) for method in ("series", "dop853")]
    assert runs[0].x[-1] == pytest.approx(runs[1].x[-1], abs=1e-9)
    assert runs[0].status is Status.FINAL_TIME


def gamma_boundaries(g, t, x, p, chart):
    g[0] = 2.0 - x[0]
    g[1] = math.gamma(x[0]) - 0.5


def test_a_boundary_without_a_series_leaves_the_chart_to_dop853():
    def field(xdot, t, x, p, chart):
        xdot[0] = 1.0

    def transition(x_new, t, x, p, chart, crossed):
        x_new[0] = 1.0
        return 0

    model = Model(
        "gamma",
        Records(State("x", 1.0)),
        vector_field=field,
        boundaries=gamma_boundaries,
        transition=transition,
        boundary_records=Records(Boundary("two", degree=1), Boundary("low")),
    )
    run = simulate(model, final_time=3.5, stop=[("two", 2)], method="series", rtol=1e-12)
    assert run.events.t == pytest.approx([1.0, 2.0], abs=1e-12)
    assert any("step of dop853" in key and "gamma" in key for key in run.statistics)


def test_the_method_has_the_name_of_its_inventor_too():
    ours, same = (simulate(OSCILLATOR, final_time=9.0, method=method) for method in ("series", "taylor"))
    np.testing.assert_array_equal(ours.x, same.x)
    assert same.provenance["config"]["engine"]["method"] == "series"


def test_a_chart_whose_field_leaves_a_state_alone_forgets_its_slope():
    """In the second chart only y moves, although x moved in the first."""

    def field(xdot, t, x, p, chart):
        if chart == 0:
            xdot[0] = 1.0
        else:
            xdot[1] = 1.0

    def boundaries(g, t, x, p, chart):
        if chart == 0:
            g[0] = 1.0 - x[0]

    def transition(x_new, t, x, p, chart, crossed):
        return 1

    model = Model(
        "alternating",
        Records(State("x", 0.0), State("y", 0.0)),
        vector_field=field,
        boundaries=boundaries,
        transition=transition,
        boundary_records=Records(Boundary("one", degree=1)),
        charts=Records(Chart("first"), Chart("second")),
    )
    run = simulate(model, final_time=3.0, method="series", rtol=1e-12)
    assert run.x[-1] == pytest.approx([1.0, 2.0], abs=1e-14)
    assert run.events[0].certificate == "exact"


@pytest.mark.parametrize("rtol", [1e-5, 1e-8, 1e-12])
def test_derivatives_of_runs_are_those_of_the_solution(rtol):
    """An oscillator is turned by t."""
    run = simulate(OSCILLATOR, final_time=20.0, method="series", rtol=rtol, atol=rtol)
    turned = [[math.cos(20.0), math.sin(20.0)], [-math.sin(20.0), math.cos(20.0)]]
    found = sensitivity(run, "x", model=OSCILLATOR).final
    np.testing.assert_allclose(found, turned, rtol=0.0, atol=10.0 * rtol + 1e-13)


def bounced(y, v, g, e, t):
    speed = math.sqrt(v * v + 2.0 * g * y)
    after = t - (v + speed) / g
    return e * speed * after - 0.5 * g * after * after


@pytest.mark.parametrize("rtol", [1e-5, 1e-12])
def test_derivatives_through_an_event(rtol):
    """By central differences of the closed form, whose error is about 1e-9."""
    model = load_model("bouncing_ball")
    p = {parameter.name: parameter.default for parameter in model.parameters}
    given = [1.0, 0.5, p["gravity"], p["restitution"]]
    t = (0.5 + math.sqrt(0.25 + 2.0 * p["gravity"])) / p["gravity"] + 0.1
    run = simulate(model, initial={"y": 1.0, "v": 0.5}, final_time=t, method="series", rtol=rtol, atol=rtol)
    found = sensitivity(run, ["y", "v", "gravity", "restitution"])
    for k, name in enumerate(["y", "v", "gravity", "restitution"]):
        ends = [bounced(*[value + sign * 1e-5 * (i == k) for i, value in enumerate(given)], t) for sign in (1, -1)]
        assert found.final["y", name] == pytest.approx((ends[0] - ends[1]) / 2e-5, abs=1e-7)


def chebyshev(xdot, t, x, p, chart):
    """x' = a T'(t - 1) with the Chebyshev polynomial T of degree 11."""
    u = t - 1.0
    xdot[0] = (
        p[0] * 11.0 * (((((1024.0 * u * u - 2304.0) * u * u + 1792.0) * u * u - 560.0) * u * u + 60.0) * u * u - 1.0)
    )


def test_a_step_that_a_series_makes_at_once_is_replayed_in_as_many_as_it_takes():
    """A field that is a polynomial in t makes series that end; x(2) = a (T(1) - T(-1)) = 2 a."""
    model = Model(
        "chebyshev", Records(State("x", 0.0)), parameters=Records(Parameter("a", 1.0)), vector_field=chebyshev
    )
    run = simulate(model, final_time=2.0, method="series", first_step=2.0)
    assert run.statistics["steps"] == 1
    assert run.x[-1, 0] == pytest.approx(2.0, abs=1e-12)
    assert sensitivity(run, "a", model=model).final["x", "a"] == pytest.approx(2.0, abs=1e-10)


def test_a_sweep_over_methods_knows_the_other_name(tmp_path):
    table = sweep(
        "slip", axes={"engine.method": ["taylor", "series"]}, metrics={"x": "final(x)"}, final_time=1.0,
        folder=tmp_path / "sweep",
    ).to_pandas()  # fmt: skip
    assert table.x[0] == table.x[1]


def test_orbits_are_found_along_series():
    ours, others = (
        find_orbit(
            "compass_gait",
            section="heelstrike",
            parameters={"slope": math.radians(3.0)},
            method=method,
            rtol=1e-11,
            atol=1e-12,
        )
        for method in ("series", "dop853")
    )
    assert ours.period == pytest.approx(others.period, abs=1e-10)
    assert sorted(abs(ours.multipliers)) == pytest.approx(sorted(abs(others.multipliers)), abs=1e-8)


def test_rows_of_a_sweep_are_single_runs_to_the_last_bit(tmp_path):
    axes = {"engine.rtol": [1e-9, 1e-13], "parameters.k": [15e3, 25e3]}
    settings = {"method": "series", "final_time": 2.0}
    table = sweep("slip", axes=axes, metrics={"x": "final(x)"}, folder=tmp_path / "sweep", **settings).to_pandas()
    for row in table.itertuples():
        run = simulate("slip", parameters={"k": row.k}, rtol=row.rtol, record=False, **settings)
        assert run.x[-1, 0] == row.x
