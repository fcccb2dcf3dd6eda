"""What is drawn of runs, point by point: along the flow between rows, steps, jumps; and several runs together."""

import re

import numpy as np
import pytest
from matplotlib.figure import Figure

from hybridsim import Boundary, ConfigError, Model, Output, Simulation, State, load_config, load_run, simulate
from hybridsim.plotting import plot_portraits, plot_run

RANDOM = np.random.default_rng(44)


@pytest.fixture(scope="module")
def runner():
    return simulate("slip", final_time=2.0)


def drawn(figure, panel=0):
    """The curve of a panel, without the gaps (nan) at jumps."""
    t, values = figure.axes[panel].lines[0].get_data()
    known = ~np.isnan(t)
    return t[known], values[known]


def leg_force(run, t):
    """The force of the spring in the leg at times t, from the model's description: k times what the leg is shorter."""
    x = {name: run.at(t)[:, i] for i, name in enumerate(run.states.names)}
    length = np.hypot(x["x"] - x["footx"], x["y"] - x["footy"])
    down = np.isin(run.chart[run.row_at(t)], [c for c, name in run.charts.items() if "compression" in name])
    return np.where(down, run.parameters["k"] * (run.parameters["q_0"] - length), 0.0)


@pytest.mark.parametrize("record", [True, 0.02])
def test_curves_follow_states_and_outputs_between_the_rows(record):
    run = simulate("slip", final_time=2.0, record=record)
    times = np.sort(RANDOM.uniform(0.0, 2.0, 500))
    figure = plot_run(run, ["y", "leg_force"])
    t, y = drawn(figure)
    np.testing.assert_allclose(y, run.at(t)[:, run.states.index("y")] if record else y, rtol=0.0, atol=1e-12)
    for panel, exact in ((0, run.at(times)[:, run.states.index("y")]), (1, leg_force(run, times))):
        t, values = drawn(figure, panel)
        assert np.abs(np.interp(times, t, values) - exact).max() < 1e-3 * np.ptp(exact)
    assert figure.notes == ()


def test_the_curves_of_a_file_are_those_of_the_run(runner, tmp_path):
    runner.save(tmp_path / "run.h5")
    for name in ("y", "leg_force"):
        here, there = (drawn(plot_run(run, [name])) for run in (runner, load_run(tmp_path / "run.h5")))
        np.testing.assert_array_equal(here, there)


def test_an_output_is_drawn_straight_from_row_to_row_if_the_model_is_not_that_of_the_run(tmp_path):
    (tmp_path / "model.py").write_text(MODEL)
    simulate(tmp_path / "model.py", final_time=1.0).save(tmp_path / "run.h5")
    curve = drawn(plot_run(load_run(tmp_path / "run.h5"), ["square"]))
    np.testing.assert_allclose(curve[1], curve[0] ** 2, atol=1e-12)
    assert len(curve[0]) > 500
    (tmp_path / "model.py").write_text(MODEL.replace("x[0] * x[0]", "0.0"))
    changed = load_run(tmp_path / "run.h5")
    figure = plot_run(changed, ["square", "x"])
    np.testing.assert_array_equal(drawn(figure), (changed.t, changed["square"]))
    assert len(drawn(figure, 1)[0]) > 500
    assert re.match(r"square: drawn straight from row to row: .*model\.py has changed since the run", figure.notes[0])


MODEL = """
from hybridsim.model import Model, Output, State


def vector_field(xdot, t, x, p, chart):
    xdot[0] = 1.0


def outputs(y, t, x, p, chart):
    y[0] = x[0] * x[0]


MODEL = Model("squares", [State("x")], vector_field=vector_field, outputs=outputs, output_records=[Output("square")])
"""


def test_outputs_on_slides_are_weighted_means_between_the_rows():
    """On the belt the block sticks, so friction balances the spring: k x, at every point that is drawn."""
    run = simulate("dry_friction", parameters={"belt": 0.2}, final_time=20.0)
    t, force = drawn(plot_run(run, ["friction_force"]))
    stuck = run.adjacent_chart[run.row_at(t)] >= 0
    between = ~np.isin(t, run.t)
    assert np.count_nonzero(stuck & between) > 100
    x = run.at(t)[:, run.states.index("x")]
    chosen = stuck & between
    np.testing.assert_allclose(force[chosen], x[chosen], atol=1e-9)


def slope(xdot, t, x, p, chart):
    xdot[0], xdot[1] = 1.0, 0.0


def held(x_new, t, x, p, chart, crossed):
    x_new[1] = x[1] + 1.0
    return chart


def ticks(g, t, x, p, chart):
    g[0] = x[1] + 1.0 - x[0]


def count(y, t, x, p, chart):
    y[0] = 10.0 * x[1]


@pytest.mark.parametrize("record", [True, 0.3])
def test_what_is_held_between_events_is_steps_with_thin_risers(record):
    functions = {"vector_field": slope, "boundaries": ticks, "transition": held, "outputs": count}
    ticking, outputs = [Boundary("tick", degree=1)], [Output("count")]
    model = Model("ticks", [State("x"), State("n")], **functions, boundary_records=ticking, output_records=outputs)
    run = simulate(model, final_time=3.5, record=record)
    for begin in (0.0, 0.25):
        curve, risers = plot_run(run, ["count"], begin=begin, events=False).axes[0].lines
        t, values = curve.get_data()
        known = ~np.isnan(t)
        inner = known & (np.abs(t - np.round(t)) > 1e-9)
        np.testing.assert_allclose(values[inner], 10.0 * np.floor(t[inner]))
        assert t[known][0] == begin
        ends = np.array(risers.get_data()).reshape(2, -1, 3)[:, :, :2]
        np.testing.assert_allclose(ends[0], np.repeat([[1.0], [2.0], [3.0]], 2, axis=1))
        np.testing.assert_allclose(ends[1], [[0.0, 10.0], [10.0, 20.0], [20.0, 30.0]])
        assert risers.get_linewidth() < curve.get_linewidth()


def test_a_window_within_one_step_is_drawn_finely(runner):
    row = int(np.argmax(np.diff(runner.t)))
    begin, end = runner.t[row] + np.array([0.4, 0.6]) * np.diff(runner.t)[row]
    t, y = drawn(plot_run(runner, ["y"], begin=begin, end=end))
    assert (t[0], t[-1]) == (begin, end)
    assert np.diff(t).max() < (end - begin) / 1000
    np.testing.assert_allclose(y, runner.at(t)[:, runner.states.index("y")], rtol=1e-12)


@pytest.mark.members(1)
@pytest.mark.parametrize("begin", [0.0, 1.7e9])
def test_no_axis_has_an_offset_or_a_power(begin):
    run = simulate("slip", initial_time=begin, initial={"x": 1e9}, final_time=begin + 1.0)
    figure = plot_run(run, ["x", "leg_force"])
    figure.draw_without_rendering()
    for axis in (axis for panel in figure.axes for axis in (panel.xaxis, panel.yaxis)):
        assert axis.get_offset_text().get_text() == ""
    assert [text.get_text() for text in figure.axes[0].get_yticklabels()][1:3] == ["1000000000", "1000000002"]
    assert figure.axes[1].get_xlabel() == ("time after 1700000000 s [s]" if begin else "time [s]")
    curve = figure.axes[1].lines[0].get_xdata()
    assert np.nanmin(curve) == begin


def test_several_runs_share_a_panel(runner):
    soft = simulate("slip", parameters={"k": 15000.0}, final_time=1.0)
    figure = plot_run({"stiff": runner, "soft": soft}, ["y"])
    (panel,) = figure.axes
    curves = [line for line in panel.lines if len(line.get_xdata()) > 100]
    assert [np.nanmax(line.get_xdata()) for line in curves] == [2.0, 1.0]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["stiff", "soft"]
    assert len({line.get_color() for line in curves}) == 2
    assert panel.get_xlim() == (0.0, 2.0)
    assert "<Figure" not in str(plot_run([runner, soft]).axes[0].get_ylabel())


@pytest.mark.parametrize(
    ("names", "message"),
    [(["chart"], "chart: drawn as bars, of one run; draw a alone"), (["yy"], "the run has nothing of this name")],
)
def test_what_several_runs_cannot_show_is_refused(runner, names, message):
    with pytest.raises(ConfigError, match=message):
        plot_run({"a": runner, "b": runner}, names)


def test_runs_of_different_models_are_refused(runner):
    ball = simulate("bouncing_ball", final_time=0.1)
    for draw in (plot_run, lambda runs: plot_portraits(runs, ["y:y"])):
        with pytest.raises(ConfigError, match="run 1 is of slip, run 2 is of bouncing_ball; draw one for each model"):
            draw([runner, ball])
        with pytest.raises(ConfigError, match="expected a run, or several, found none"):
            draw([])


def test_the_panels_of_a_caller_are_drawn_on_and_keep_their_figure(runner, tmp_path):
    mine = Figure()
    panels = mine.subplots(2, 1)
    assert plot_run(runner, ["y", "leg_force"], tmp_path / "mine.svg", ax=panels) is mine
    assert [len(panel.lines) > 0 for panel in panels] == [True, True]
    assert mine.get_suptitle() == ""
    assert (tmp_path / "mine.svg").exists()
    with pytest.raises(ConfigError, match="ax: expected 1 of matplotlib's Axes, one for each panel, found 2 objects"):
        plot_run(runner, ["y"], ax=panels)


@pytest.mark.members(1)
@pytest.mark.parametrize(
    ("unit", "label", "last"), [("min", "time [min]", "30"), ("h", "time [h]", "0.5"), (None, "time [min]", "30")]
)
def test_times_are_in_the_unit_of_the_config(unit, label, last, tmp_path):
    settings = f"output: {{time_unit: {unit}}}" if unit else ""
    (tmp_path / "relay.yaml").write_text(f"model: relay\nfinal_time: 1800\n{settings}\n")
    figure = plot_run(Simulation.from_config(load_config(tmp_path / "relay.yaml")).run())
    figure.draw_without_rendering()
    assert figure.axes[-1].get_xlabel() == label
    assert last in [text.get_text() for text in figure.axes[-1].get_xticklabels()]
