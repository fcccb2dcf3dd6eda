"""Programs on power series: the right coefficients, the right events, and charts that have no series."""

import math

import numpy as np
import pytest
from engine.series_terms import FUNCTIONS, MODELS, TIGHT, term

import hybridsim
from hybridsim import (
    DECLINED,
    Boundary,
    Chart,
    Input,
    Model,
    Parameter,
    Records,
    Simulation,
    State,
    simulate,
    sweep,
)
from hybridsim.engine.methods.series import ORDER
from hybridsim.engine.series_rows import ROW_SIZE


def coefficients(expression, at, c=0.0):
    """The first ORDER Taylor coefficients of an expression in x at `at`, by Cauchy's integral on a circle."""
    names = {name: getattr(np, name) for name in ("sqrt", "exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh")}
    names |= {"asin": np.arcsin, "acos": np.arccos, "atan": np.arctan}
    radius, n = 0.25, 128
    values = eval(expression, names | {"x": at + radius * np.exp(2j * np.pi * np.arange(n) / n), "c": c})
    return (np.fft.fft(values) / n).real[:ORDER] / radius ** np.arange(ORDER)


def series_of(model, n_states, **settings):
    """The series of the states of a model from its initial state, (n_states, ORDER + 1)."""
    sim = Simulation(model, **(TIGHT | {"final_time": 1e-3, "first_step": 1e-3} | settings))
    assert not sim._packed.without_series
    sim.run()
    assert sim._drive.engine_state.steps == 1
    return sim._packed.workspace.tape.reshape(-1, ROW_SIZE)[1 : 1 + n_states, : ORDER + 1]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_coefficients_are_those_of_cauchys_integral(name, tmp_path):
    """With x' = 1, y' = f(x) the coefficients of y are those of f, over their orders."""
    series = series_of(term(FUNCTIONS[name], tmp_path), 2)
    found, expected = series[1, 1:] * np.arange(1, ORDER + 1), coefficients(FUNCTIONS[name], 0.5, 0.75)
    radius = 0.25 ** np.arange(ORDER)
    np.testing.assert_allclose(found * radius, expected * radius, rtol=0.0, atol=4e-15 * np.abs(expected).max())


def test_a_series_in_time_itself():
    def field(xdot, t, x, p, chart):
        xdot[0] = math.sin(t) * t

    model = Model("driven", Records(State("x", 0.0)), vector_field=field)
    series = series_of(model, 1, initial_time=2.0, final_time=2.001)
    found, radius = series[0, 1:] * np.arange(1, ORDER + 1), 0.25 ** np.arange(ORDER)
    np.testing.assert_allclose(found * radius, coefficients("sin(x) * x", 2.0) * radius, rtol=0.0, atol=1e-14)


@pytest.mark.parametrize("model", MODELS)
def test_runs_are_those_of_dop853(model):
    settings = {"rtol": 1e-12, "atol": 1e-13, "final_time": 2.0, "record": False}
    ours, others = (simulate(model, method=method, **settings) for method in ("series", "dop853"))
    assert ours.status is others.status
    assert ours.statistics["transitions"] == others.statistics["transitions"]
    assert ours.x[-1] == pytest.approx(others.x[-1], rel=1e-8, abs=1e-9)


def along(xdot, t, x, p, chart):
    xdot[0] = 1.0


def half_of_a_sine(g, t, x, p, chart):
    g[0] = 0.5 - math.sin(x[0])


def narrow(g, t, x, p, chart):
    g[0] = 0.9 - 1.0 / (1.0 + 100.0 * (x[0] - 5.3) ** 2)


def never(x_new, t, x, p, chart, crossed):
    return DECLINED


@pytest.mark.parametrize(("boundary", "times"), [
    (half_of_a_sine, [(2 * k + 1 / 6) * math.pi for k in range(16)]),
    (narrow, [5.3 - 1 / 30]),
])  # fmt: skip
def test_boundaries_that_are_no_polynomials_are_searched_as_by_other_methods(boundary, times):
    """The state alone decides the length of a step, and a series of such a boundary says nothing beyond its radius."""
    records = Records(Boundary("end"))
    states = Records(State("x", 0.0))
    model = Model(
        "watched", states, vector_field=along, boundaries=boundary, transition=never, boundary_records=records
    )
    run = simulate(model, final_time=100.0, max_step=0.5, rtol=1e-10, atol=1e-12, method="series")
    assert run.events.t == pytest.approx(times, abs=1e-9)
    assert {*run.events.certificate} == {"sampled"}
    assert hybridsim.verify(run, model=model).ok


def test_steps_where_the_state_has_no_series_are_counted():
    """Where y is 0, its slope has none: the first step is one of dop853, and says so."""

    def field(xdot, t, x, p, chart):
        xdot[0] = 1.0
        xdot[1] = math.sqrt(x[0])

    model = Model("rooted", Records(State("x", 0.0), State("y", 0.0)), vector_field=field)
    run = simulate(model, final_time=0.6, **TIGHT)
    assert run.x[-1, 1] == pytest.approx(0.6**1.5 / 1.5, abs=1e-11)
    warnings = [name for name in run.statistics if "no power series" in name]
    assert 0 < run.statistics[warnings[0]] < run.statistics["steps"]


def test_models_in_other_units_take_the_same_steps():
    """Coefficients of order 16 of a fast model are as large as its rate to this power."""

    def field(xdot, t, x, p, chart):
        xdot[0] = x[1] * p[0]
        xdot[1] = -x[0] * p[0]

    counts = set()
    for rate in (1e-12, 1.0, 1e10):
        parameters = Records(Parameter("rate", rate))
        model = Model("units", Records(State("q", 1.0), State("u", 0.0)), vector_field=field, parameters=parameters)
        times = {"final_time": 20.0 / rate, "first_step": 0.1 / rate}
        run = simulate(model, rtol=1e-12, atol=1e-12, method="series", **times)
        assert run.x[-1] == pytest.approx([math.cos(20.0), -math.sin(20.0)], abs=1e-10)
        assert not [name for name in run.statistics if "no power series" in name]
        counts.add((run.statistics["steps"], run.statistics["rejected"]))
    assert len(counts) == 1


def test_a_change_of_input_within_a_step_of_a_chart_that_holds_what_another_moves():
    """The step is made again from a copy of the memory; y moves in the first chart, and is held in the second."""

    def field(xdot, t, x, p, chart):
        xdot[0] = 1.0
        xdot[2] = 1.0
        if chart == 0:
            xdot[1] = 3.0 * math.cos(0.5 * x[2])

    def boundary(g, t, x, p, chart):
        g[0] = 1.0 - x[0]

    def transition(x_new, t, x, p, chart, crossed):
        x_new[0] = 0.0
        return 1 - chart

    model = Model(
        "held",
        Records(State("x", 0.0), State("y", 0.0), State("z", 0.0)),
        vector_field=field,
        boundaries=boundary,
        transition=transition,
        boundary_records=Records(Boundary("one", degree=1)),
        charts=Records(Chart("moving"), Chart("holding")),
        inputs=Records(Input("u", 0.0)),
    )
    runs = []
    for method in ("series", "dop853"):
        sim = Simulation(model, initial_chart=1, first_step=0.01, method=method, rtol=1e-11, atol=1e-12)
        sim.advance(0.005)
        sim.advance(1.5)
        sim.inputs["u"] = 1.0
        sim.advance(2.5)
        runs.append(sim.x.copy())
    assert runs[0] == pytest.approx(runs[1], abs=1e-9)


def test_very_many_charts_are_not_traced():
    def field(xdot, t, x, p, chart):
        xdot[0] = -x[0]

    model = Model("wide", Records(State("x", 1.0)), vector_field=field, chart_fields={"a": 30})
    run = simulate(model, final_time=1.0, rtol=1e-11, method="series")
    assert run.x[-1, 0] == pytest.approx(math.exp(-1.0), rel=1e-9)


def test_an_expression_of_very_many_operations_has_no_program():
    def field(xdot, t, x, p, chart):
        total = p[0]
        for i in range(1500):
            total = total + p[0] * i
        xdot[0] = -x[0] * (total / 1e6)

    model = Model("long", Records(State("x", 1.0)), vector_field=field, parameters=Records(Parameter("c", 1.0)))
    run = simulate(model, final_time=1.0, rtol=1e-11, atol=1e-12, method="series")
    assert run.x[-1, 0] == pytest.approx(math.exp(-(1.0 + 1499 * 750) / 1e6), rel=1e-9)


def test_a_chart_with_a_kink_has_no_program_and_the_run_says_where():
    def field(xdot, t, x, p, chart):
        xdot[0] = 1.0
        xdot[1] = abs(x[0] - 0.25)

    run = simulate(
        Model("kinked", Records(State("x", 0.0), State("y", 0.0)), vector_field=field), final_time=1.0, **TIGHT
    )
    assert run.x[-1, 1] == pytest.approx(0.5 * (0.25**2 + 0.75**2), abs=1e-11)
    (warning,) = [name for name in run.statistics if "no power series" in name]
    assert "as in flow (" in warning
    assert "test_series.py:" in warning
    assert run.statistics[warning] == run.statistics["steps"]


def switching(xdot, t, x, p, chart):
    xdot[0] = 1.0 if x[1] > 0.0 else -2.0


def between(g, t, x, p, chart):
    g[0] = (1.0 - x[0]) if x[1] > 0.0 else x[0]


def turn(x_new, t, x, p, chart, crossed):
    x_new[1] = -x[1]
    return 0


def test_a_branch_on_a_held_state_that_goes_the_other_way_is_followed_by_stages():
    """The state `side` decides, and changes at events: the program holds for one of its signs."""
    states = Records(State("x", 0.0), State("side", 1.0, continuous=False))
    records = Records(Boundary("end"))
    model = Model(
        "switching", states, vector_field=switching, boundaries=between, transition=turn, boundary_records=records
    )
    run = simulate(model, final_time=3.9, **TIGHT)
    assert run.events.t == pytest.approx([1.0, 1.5, 2.5, 3.0], abs=1e-12)
    along = run.statistics["steps"] - next(n for name, n in run.statistics.items() if "no power series" in name)
    assert 0 < along < run.statistics["steps"]


def test_a_chart_may_be_undefined_where_the_run_begins():
    """In the first chart the root in the second one's field is that of a negative number."""

    def field(xdot, t, x, p, chart):
        xdot[0] = 1.0 if chart == 0 else math.sqrt(x[0] - 1.0)

    def boundary(g, t, x, p, chart):
        if chart == 0:
            g[0] = 2.0 - x[0]

    def transition(x_new, t, x, p, chart, crossed):
        return 1

    charts = Records(Chart("rising"), Chart("rooted"))
    states, records = Records(State("x", 0.0)), Records(Boundary("two"))
    model = Model(
        "late",
        states,
        vector_field=field,
        boundaries=boundary,
        transition=transition,
        boundary_records=records,
        charts=charts,
    )
    run = simulate(model, final_time=4.0, **TIGHT)
    assert run.x[-1, 0] == pytest.approx(1.0 + 0.25 * (2.0 + 2.0) ** 2, abs=1e-11)  # sqrt(x - 1)' = 1/2
    assert not [name for name in run.statistics if "no power series" in name]


def test_a_function_that_cannot_be_traced_is_no_reason_to_refuse_a_model():
    def field(xdot, t, x, p, chart):
        xdot[0] = math.erf(x[0])

    model = Model("error_function", Records(State("x", 1.0)), vector_field=field)
    runs = [simulate(model, final_time=1.0, method=m, rtol=1e-11, atol=1e-11) for m in ("series", "dop853")]
    assert runs[0].x[-1, 0] == runs[1].x[-1, 0]
    assert any("test_series.py" in name for name in runs[0].statistics)


@pytest.mark.exhaustive  # `test_very_many_charts_are_not_traced` is the reason
def test_a_model_with_very_many_charts_keeps_the_stages():
    runs = [simulate("coman", final_time=0.05, method=method) for method in ("series", "dop853")]
    assert (runs[0].x[-1] == runs[1].x[-1]).all()
    assert any("more than 256 charts" in name for name in runs[0].statistics)


def test_rows_of_a_sweep_are_single_runs_to_the_last_bit(tmp_path):
    axes = {"engine.rtol": [1e-4, 1e-7, 1e-8, 1e-13], "parameters.k": [15e3, 25e3]}  # with series of both orders
    settings = {"method": "series", "final_time": 2.0}
    table = sweep("slip", axes=axes, metrics={"x": "final(x)"}, folder=tmp_path / "sweep", **settings).to_pandas()
    for row in table.itertuples():
        run = simulate("slip", parameters={"k": row.k}, rtol=row.rtol, record=False, **settings)
        assert run.x[-1, 0] == row.x


@pytest.mark.members(2)
@pytest.mark.parametrize("model", ["slip", "compass_gait", "stick_slip", "dry_friction"])
def test_runs_pass_their_check(model):
    run = simulate(model, final_time=3.0 if model == "compass_gait" else 12.0, **TIGHT)
    assert hybridsim.verify(run).ok
