import re

import numpy as np
import pytest
from matplotlib.figure import Figure

from hybridsim import Boundary, ConfigError, Output, Simulation, simulate
from hybridsim.plotting import plot_run
from hybridsim.plotting.columns import points_of, values_at_events
from hybridsim.plotting.marks import event_marks
from hybridsim.plotting.runs import _draw_events, _legend
from hybridsim.plotting.shades import chart_shades, draw_charts

from gallery import clock, decline

FORMATS = {".png": b"\x89PNG", ".pdf": b"%PDF", ".svg": b"<?xml"}


@pytest.fixture(scope="module")
def run():
    return Simulation("slip", final_time=1.0).run()


@pytest.mark.members(1)
@pytest.mark.parametrize("ending", FORMATS)
def test_the_ending_of_the_picture_decides_its_format(run, tmp_path, ending):
    plot_run(run, ["y"], tmp_path / f"picture{ending}")
    assert (tmp_path / f"picture{ending}").read_bytes().startswith(FORMATS[ending])


def test_without_names_all_outputs_but_time_are_drawn(run, tmp_path):
    plot_run(run, [], tmp_path / "all.svg")
    text = (tmp_path / "all.svg").read_text()
    assert all(f"<!-- {name}" in text for name in run.outputs.names if name != "time")


def test_charts_and_boundaries_are_in_the_legend(run, tmp_path):
    plot_run(run, ["y"], tmp_path / "picture.svg")
    text = (tmp_path / "picture.svg").read_text()
    assert all(f"<!-- {name} -->" in text for name in ("descent", "compression", "touchdown", "liftoff"))


def test_a_state_that_is_no_output_can_be_drawn(run, tmp_path):
    plot_run(run, ["footx"], tmp_path / "foot.svg")
    assert "<!-- footx" in (tmp_path / "foot.svg").read_text()


def test_a_run_that_did_not_move_can_be_drawn(tmp_path):
    plot_run(Simulation("slip").result(), ["y"], tmp_path / "still.svg")
    assert "<!-- y" in (tmp_path / "still.svg").read_text()


def test_an_unknown_output_gets_a_suggestion(run, tmp_path):
    with pytest.raises(ConfigError, match="did you mean `leg_force`"):
        plot_run(run, ["leg_forse"], tmp_path / "picture.png")
    assert not [*tmp_path.iterdir()]


def test_an_unknown_format_is_refused(run, tmp_path):
    with pytest.raises(ConfigError, match=r"name it \.png, \.pdf or \.svg"):
        plot_run(run, ["y"], tmp_path / "picture.doc")


@pytest.mark.parametrize("record", [True, 0.1, False])
def test_an_event_is_marked_at_the_values_before_it(record):
    run = Simulation("slip", final_time=1.0, record=record).run()
    points = points_of(run, ["y", "leg_force"], (0.0, 1.0))
    np.testing.assert_array_equal(values_at_events(run, "y", points), run.events.x_before[:, run.states.index("y")])
    jumps = np.flatnonzero(np.diff(run.j))  # the rows before them
    np.testing.assert_array_equal(values_at_events(run, "leg_force", points), run["leg_force"][jumps])


def test_the_charts_with_the_longest_stay_are_coloured(run):
    assert len(set(chart_shades(run).values())) == len(run.charts)


@pytest.fixture(scope="module")
def watched():
    """x = t; at t = 1 a boundary comes down to 0.01, at t = 2 another falls to zero and declines."""

    def boundaries(g, t, x, p, chart):
        g[0], g[1] = (x[0] - 1.0) ** 2 + 0.01, 2.0 - x[0]

    def outputs(y, t, x, p, chart):
        y[0] = 1.0 + 3.0 * x[0]

    near, met = Boundary("near", degree=2), Boundary("met", degree=1)
    return clock(boundaries, near, met, transition=decline, outputs=outputs, output_records=[Output("line")])


def marked(run, name):
    """The times and values at which each mark is drawn, by its name in the legend."""
    panel = Figure().subplots()
    marks = event_marks(run)
    _draw_events(panel, run, name, points_of(run, [name], (run.t[0], run.t[-1])), marks)
    return {mark.label: line.get_xydata()[0].tolist() for mark, line in zip(marks, panel.lines, strict=True)}


def legend(run):
    return [key.get_label() for key in _legend(run, chart_shades(run), event_marks(run))]


@pytest.mark.parametrize("record", [True, 0.7, False])
def test_what_changes_nothing_is_marked_at_its_own_time_and_value(watched, record):
    run = simulate(watched, final_time=3.0, record=record, touch_precision=0.02)
    # no row lies at the touch; the output 1 + 3 x is a line, on which all rows lie
    assert run.events.t[0] not in run.t
    for name, values in (("x", (1.0, 2.0)), ("line", (4.0, 7.0))):
        found = marked(run, name)
        assert found["near: touch"] == pytest.approx([1.0, values[0]], abs=1e-6)
        assert found["met: declined"] == pytest.approx([2.0, values[1]], abs=1e-12)


def test_a_declined_crossing_has_the_hollow_mark_of_its_boundary(watched):
    declined = event_marks(simulate(watched, final_time=3.0))[0]
    assert declined.label == "met: declined"
    assert declined.style(5.0)["markerfacecolor"] == "none"


def test_crossings_touches_slides_and_accumulations_have_different_marks(watched):
    stuck = simulate("dry_friction", parameters={"belt": 0.2}, final_time=20.0)
    runs = [simulate("table_ball", final_time=2.0), stuck, simulate(watched, final_time=1.5, touch_precision=0.02)]
    marks = {mark.label: mark.mark for run in runs for mark in event_marks(run)}
    names = ["table", "table: zeno", "near: touch", *(name for name in marks if name.endswith((": entry", ": exit")))]
    assert len(names) == 5
    assert len({marks[name] for name in names}) == 5


def test_events_so_many_that_they_would_cover_the_curves_are_not_marked():
    run = simulate("relay", final_time=600.0)
    assert min(run.events.count(name) for name in ("hot", "cold")) > 1000
    assert event_marks(run) == []
    assert [mark.label for mark in event_marks(run, 0.0, 10.0)] == ["hot", "cold"]


def test_of_many_events_some_are_marked_evenly_and_the_legend_says_how_many():
    run = simulate("relay", final_time=60.0)
    assert 40 < run.events.count("hot") <= 1000
    for mark in event_marks(run):
        name, every = re.fullmatch(r"(\w+) \(1 of (\d+)\)", mark.label).groups()
        of_its_kind = np.flatnonzero(run.events.crossed[:, run.boundaries.index(name)])
        assert np.flatnonzero(mark.events).tolist() == of_its_kind[:: int(every)].tolist()
        assert np.count_nonzero(mark.events) <= 40 < np.count_nonzero(mark.events) * int(every) + int(every)


def test_events_can_be_left_out(run, tmp_path):
    plot_run(run, ["y"], tmp_path / "bare.svg", events=False)
    text = (tmp_path / "bare.svg").read_text()
    assert "<!-- descent -->" in text
    assert "<!-- touchdown -->" not in text


@pytest.mark.parametrize(("size", "is_signal"), [(3e-16, False), (3e-11, False), (1e-6, True), (1.0, True)])
def test_what_may_be_rounding_is_not_drawn_as_a_signal(size, is_signal):
    """Of a state, changes below the absolute tolerance, 1e-10 here, may be noise."""
    run = simulate("slip", initial={"x": 0.0, "xdot": size}, final_time=0.05)  # it falls
    lower, upper = plot_run(run, ["x"]).axes[0].get_ylim()
    assert (upper - lower < 2.0 * 0.05 * size) == is_signal


def test_a_slide_is_hatched_and_named_after_both_charts(tmp_path):
    """It swings below the belt's speed until t = pi, above it until 2 pi, and sticks."""
    run = simulate("dry_friction", final_time=10.0)
    assert legend(run)[:3] == ["faster", "faster|slower", "slower"]
    panel = Figure().subplots()
    shades = chart_shades(run)
    draw_charts(panel, run, shades)
    spans = {bars.get_hatch(): bars.get_paths()[0].get_extents().intervalx for bars in panel.collections[1:]}
    assert len(set(shades.values())) == len(panel.collections) == 3
    assert panel.collections[0].get_hatch() is None
    assert spans[None] == pytest.approx([np.pi, 2.0 * np.pi], abs=1e-5)
    assert next(span for hatch, span in spans.items() if hatch) == pytest.approx([2.0 * np.pi, 10.0], abs=1e-5)
    plot_run(run, [], tmp_path / "slide.svg")


def test_a_chart_that_is_never_visited_is_not_in_the_legend():
    """Slowed down from 1 m/s by more friction than the spring can overcome, the block never goes backwards."""
    run = simulate("dry_friction", parameters={"friction": 2.0}, initial={"x": 0.0, "v": 1.0}, final_time=3.0)
    assert [event.kind for event in run.events] == ["entry"]
    assert legend(run)[:2] == ["faster", "faster|slower"]
    assert "slower" not in legend(run)
