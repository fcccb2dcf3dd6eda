"""Inputs that follow time: formulas, and tables with straight lines, steps or splines between their rows."""

from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from hybridsim import Simulation, load_config, load_run
from hybridsim.config.sweep import load_sweep_config
from hybridsim.derivatives import sensitivity
from hybridsim.errors import ConfigError, SimulationError
from hybridsim.sweeps import load_sweep, run_sweep
from hybridsim.verification import verify

MODEL = """
from hybridsim import Boundary, Input, Model, Output, Parameter, Records, State

def vector_field(xdot, t, x, p, chart):
    xdot[0] = p[2]
    xdot[1] = p[3] * p[0]

def boundaries(g, t, x, p, chart):
    g[0] = 100.0 - x[0] + p[2]

def transition(x_new, t, x, p, chart, crossed):
    return 0

def outputs(y, t, x, p, chart):
    y[0] = p[2]
    y[1] = p[3]

MODEL = Model(
    "integrator",
    [State("x", 0.0), State("z", 0.0)],
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    outputs=outputs,
    parameters=[Parameter("gain", 2.0), Parameter("weights", (1.0, 5.0))],
    inputs=Records(Input("u", 0.0), Input("w", 0.0)),
    boundary_records=[Boundary("far")],
    output_records=[Output("now"), Output("other")],
)
"""
CONFIG = "model: ./integrator.py\nfinal_time: 2\nengine: {rtol: 1e-10, atol: 1e-12}\ninputs:\n"
T = np.array([0.0, 0.3, 0.5, 1.1, 2.0])
VALUES = np.array([1.0, -1.0, 0.5, 2.0, 0.0])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "integrator.py").write_text(MODEL)
    rows = "".join(f"{t},{value},{-value}\n" for t, value in zip(T, VALUES, strict=True))
    (tmp_path / "trial.csv").write_text("t,F,G [N]\n" + rows)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_of(inputs, *overrides):
    Path("run.yaml").write_text(CONFIG + "".join(f"  {line}\n" for line in inputs))
    return Simulation.from_config(load_config("run.yaml", overrides)).run()


def test_a_formula_is_followed_and_parameters_in_it_count(folder):
    run = run_of(["u: gain*cos(3*t)", "w: exp(-t)"])
    assert run.x[-1] == pytest.approx([2 * np.sin(6) / 3, 2 * (1 - np.exp(-2))], rel=1e-8)
    np.testing.assert_allclose(run["now"], 2 * np.cos(3 * run.t), rtol=1e-12, atol=1e-14)
    assert verify(run).ok
    other = run_of(["u: gain*cos(3*t)"], "parameters.gain=5")
    assert other.x[-1, 0] == pytest.approx(5 * np.sin(6) / 3, rel=1e-8)


BETWEEN = {
    "linear": np.trapezoid(VALUES, T),
    "hold": float(np.diff(T) @ VALUES[:-1]),
    "cubic": float(CubicSpline(T, VALUES).integrate(0, 2)),
}


@pytest.mark.parametrize("between", BETWEEN)
def test_a_table_is_followed_as_it_says_between_its_rows(folder, between):
    run = run_of([f"u: {{file: trial.csv, column: F, between: {between}}}"], "engine.max_step=0.01")
    assert run.x[-1, 0] == pytest.approx(BETWEEN[between], abs=1e-4 if between == "hold" else 1e-8)
    expected = {
        "linear": np.interp(run.t, T, VALUES),
        "hold": VALUES[np.searchsorted(T, run.t, side="right") - 1],
        "cubic": CubicSpline(T, VALUES)(run.t),
    }[between]
    inside = run.t < 2.0  # a table that holds its values goes on with the last one
    np.testing.assert_allclose(run["now"][inside], expected[inside], rtol=1e-12, atol=1e-12)


def test_straight_lines_are_meant_where_nothing_is_said_and_units_are_no_names(folder):
    run = run_of(["u: {file: trial.csv, column: G}"], "engine.max_step=0.01")
    assert run.x[-1, 0] == pytest.approx(-BETWEEN["linear"], abs=1e-8)


def test_a_column_without_gaps_may_be_beside_one_with_gaps(folder):
    (folder / "trial.csv").write_text("t,F,y\n0,1,\n1,3,5\n2,5,\n")
    run = run_of(["u: {file: trial.csv, column: F}"])
    assert run.x[-1, 0] == pytest.approx(6.0, rel=1e-9)


def test_what_follows_time_is_kept_in_files_of_runs(folder):
    run = run_of(["u: {file: trial.csv, column: F}", "w: 2*t"])
    run.save("run.h5")
    again = load_run("run.h5")
    np.testing.assert_array_equal(again.x, run.x)
    assert verify(again).ok


def test_what_follows_time_is_not_taken_for_what_is_held(folder):
    """A metric or a plot of such an input would be that of the 0 which is held; an output has what it is."""
    run = run_of(["u: t", "w: 3"])
    with pytest.raises(SimulationError, match="u_added"):
        run["u"]
    np.testing.assert_array_equal(run["u_added"], np.zeros(len(run.t)))
    np.testing.assert_array_equal(run["w"], np.full(len(run.t), 3.0))
    Path("sweep.yaml").write_text(CONFIG + "  u: t\nsweep: {axes: {gain: [1, 4]}}\nmetrics: {mean: mean(u*1)}\n")
    with pytest.raises(ConfigError, match="u_added"):
        run_sweep(load_sweep_config("sweep.yaml"), folder / "sweep", workers=1)


def test_one_input_may_follow_time_while_another_is_held(folder):
    run = run_of(["u: t", "w: 3"])
    assert run.x[-1] == pytest.approx([2.0, 3 * 2 * 2], rel=1e-9)


def test_sensitivities_of_runs_see_parameters_in_formulas(folder):
    run = run_of(["u: gain*cos(3*t)"])
    assert sensitivity(run, ["gain"]).state[-1, 0, 0] == pytest.approx(np.sin(6) / 3, rel=1e-6)


def test_a_late_start_follows_the_time_of_the_table(folder):
    run = run_of(["u: {file: trial.csv, column: F}"], "initial_time=0.5", "final_time=1.1")
    assert run.x[-1, 0] == pytest.approx(0.6 * (0.5 + 2.0) / 2, rel=1e-9)


def test_runs_of_a_sweep_follow_time(folder):
    text = CONFIG + "  u: gain*cos(3*t)\nsweep: {axes: {gain: [1, 4]}}\nmetrics: {end: final(x)}\n"
    Path("sweep.yaml").write_text(text)
    run_sweep(load_sweep_config("sweep.yaml"), folder / "sweep", workers=1)
    np.testing.assert_allclose(
        load_sweep(folder / "sweep").table["end"].to_numpy(), np.array([1, 4]) * np.sin(6) / 3, rtol=1e-7
    )


MISTAKES = {
    "u: sim(t)": ("run.yaml:5:3: inputs.u", "sin"),
    "u: 2*x": ("run.yaml:5:3: inputs.u", "x"),
    "u: gian*t": ("run.yaml:5:3: inputs.u", "did you mean `gain`"),
    "u: 2*": ("run.yaml:5:3: inputs.u", ""),
    "u: weights*t": ("run.yaml:5:3: inputs.u", "weights"),
    "v: sin(t)": ("run.yaml:5:3: inputs.v", "v"),
    "u: {file: none.csv, column: F}": ("run.yaml:5:3: inputs.u", "none.csv"),
    "u: {file: trial.csv, column: FF}": ("run.yaml:5:3: inputs.u", "no column 'FF'"),
    "u: {file: trial.csv}": ("run.yaml:5:3: inputs.u", "column: expected a text"),
    "u: {column: F}": ("run.yaml:5:3: inputs.u", "file: expected a text"),
    "u: {file: trial.csv, column: F, between: spline}": ("run.yaml:5:3: inputs.u", "linear, hold, cubic"),
    "u: {file: trial.csv, column: F, betwen: hold}": ("run.yaml:5:3: inputs.u", "did you mean `between`"),
    "u: {file: gaps.csv, column: F}": ("gaps.csv:3", "F"),
    "u: {file: back.csv, column: F}": ("back.csv:4", "do not increase"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_said_with_its_place(folder, mistake):
    (folder / "gaps.csv").write_text("t,F\n0,1\n0.5,\n1,2\n")
    (folder / "back.csv").write_text("t,F\n0,1\n0.5,3\n0.4,2\n")
    with pytest.raises(ConfigError) as caught:
        run_of([mistake])
    place, said = MISTAKES[mistake]
    assert any(place in problem and said in problem for problem in caught.value.problems), caught.value.problems
