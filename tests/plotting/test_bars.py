"""Gait diagrams, what models want to be drawn, and parts of a run."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from hybridsim import Boundary, ConfigError, Model, Output, State, simulate
from hybridsim.plotting import plot_run
from hybridsim.plotting.bars import MAX_CHART_ROWS, bars, draw_bars
from hybridsim.plotting.marks import event_marks
from hybridsim.plotting.runs import _default_names, _limit
from hybridsim.plotting.shades import chart_shades

from gallery import unit_slope


def boundaries(g, t, x, p, chart):
    g[0], g[1] = (9.0 if x[1] else 1.0) - x[0], (9.0 if x[2] > 1.0 else 2.0 + 0.5 * x[2]) - x[0]


def transition(x_new, t, x, p, chart, crossed):
    for i in range(2):
        if crossed[i]:
            x_new[1 + i] = x[1 + i] + 1.0
            chart ^= 0b1010 if i else 0b0001
    return chart


def outputs(y, t, x, p, chart):
    y[0], y[1] = x[0], 2.0 * x[0]


@pytest.fixture(scope="module")
def walker():
    """`down` is set on the left from 1 s on and on the right from 2 to 2.5 s; `hot` there and then, too."""
    return Model(
        "walker",
        [State("x"), State("n0", continuous=False), State("n1", continuous=False)],
        vector_field=unit_slope,
        boundaries=boundaries,
        transition=transition,
        outputs=outputs,
        boundary_records=[Boundary("left", degree=1), Boundary("right", degree=1)],
        output_records=[Output("once", "m"), Output("twice", "m")],
        chart_fields={"down": 2, "hot": 2},
        bit_names={"down": ("left", "right")},
        plots=("twice", "down+hot"),
    )


@pytest.fixture(scope="module")
def run(walker):
    return simulate(walker, final_time=2.7)


def spans_of(panel):
    """By height of the bars and row: where they begin and end."""
    found = {}
    for collection in panel.collections:
        for path in collection.get_paths():
            box = path.get_extents()
            key = round(box.height, 6), round(0.5 * (box.y0 + box.y1))
            found.setdefault(key, []).append((box.x0, box.x1))
    return found


def test_bars_lie_where_the_bits_are_set_and_those_of_a_second_field_are_narrower(run):
    panel = Figure().subplots()
    draw_bars(panel, run, "down+hot")
    found = spans_of(panel)
    wide, narrow = max(high for high, _ in found), min(high for high, _ in found)
    assert found[wide, 0] == [(pytest.approx(1.0), pytest.approx(2.7))]
    assert found[wide, 1] == found[narrow, 1] == [(pytest.approx(2.0), pytest.approx(2.5))]
    assert len(found) == 3
    assert [label.get_text() for label in panel.get_yticklabels()] == ["left", "right"]
    bottom, top = panel.get_ylim()
    assert bottom > top  # the first row is the uppermost


def test_charts_are_bars_too(tmp_path):
    run = simulate("slip", final_time=2.0)
    assert [*bars(run, "chart")["chart"]] == ["ascent", "descent", "compression", "decompression"]
    plot_run(run, ["y", "chart"], tmp_path / "gait.svg")
    text = (tmp_path / "gait.svg").read_text()
    assert all(f"<!-- {name} -->" in text for name in ("ascent", "compression"))


def test_many_charts_are_drawn_by_their_stays_and_the_rest_is_one_row():
    run = simulate("hexapod", final_time=1.5, max_transitions=10**6)
    rows = bars(run, "chart")["chart"]
    assert len(rows) == MAX_CHART_ROWS + 1
    assert [*rows][-1] == f"{len(run.chart_intervals()) - MAX_CHART_ROWS} other charts"
    assert sum(np.diff(spans).sum() for spans in rows.values()) == pytest.approx(1.5)
    assert chart_shades(run) == {}
    assert event_marks(run) == []


def test_a_model_lists_what_is_drawn_where_nothing_is_named(run, walker, tmp_path):
    plot_run(run, [], tmp_path / "all.svg")
    text = (tmp_path / "all.svg").read_text()
    assert all(f"<!-- {name} -->" in text for name in ("twice", "down+hot", "hot"))
    assert "<!-- once -->" not in text
    assert _default_names(simulate(walker, final_time=1.0, record={"outputs": ["once"]}), 1) == ["down+hot"]


def test_what_is_named_nowhere_is_answered_with_all_there_is(run, tmp_path):
    with pytest.raises(
        ConfigError, match=r"did you mean `down`.*outputs once, twice; the states x, n0, n1; as bars chart, down"
    ):
        plot_run(run, ["dawn"], tmp_path / "picture.png")
    with pytest.raises(ConfigError, match=r"down\+hat: the run has no chart field 'hat'; did you mean `hot`"):
        plot_run(run, ["down+hat"], tmp_path / "picture.png")


def test_fields_of_different_widths_do_not_lie_over_each_other(tmp_path):
    run = simulate("hexapod", final_time=0.1, max_transitions=10**6)
    with pytest.raises(ConfigError, match=r"stance\+phase: .*stance has 6, phase has 12; name them one by one"):
        plot_run(run, ["stance+phase"], tmp_path / "picture.png")


def test_a_part_of_the_run_is_scaled_to_what_is_in_it(run, tmp_path):
    assert [mark.label for mark in event_marks(run, 1.5, 2.2)] == ["right"]
    plot_run(run, ["x", "down"], tmp_path / "part.png", 1.0, 2.0)
    with pytest.raises(ConfigError, match=r"which goes from 0 s to 2\.7 s, found --from 5"):
        plot_run(run, ["x"], tmp_path / "part.png", 5.0)


def test_a_peak_that_would_flatten_all_else_is_cut_and_reported():
    t = np.linspace(0.0, 1.0, 1000)
    wave = 2.0 + np.sin(20.0 * t)
    wave[3] = 4e9
    panel = Figure().subplots()
    panel.plot(t, wave)
    _limit(panel, t, wave)
    low, high = panel.get_ylim()
    assert 0.0 < low < 1.01
    assert 3.0 <= high < 6.0
    assert [text.get_text() for text in panel.texts] == ["up to 4e+09"]


@pytest.mark.parametrize("peak", [50.0, np.inf, np.nan])
def test_a_peak_that_leaves_the_rest_to_be_seen_is_drawn(peak):
    wave = np.append(np.sin(np.linspace(0.0, 20.0, 1000)), peak)
    panel = Figure().subplots()
    panel.plot(wave)
    before = panel.get_ylim()
    _limit(panel, np.arange(len(wave)), wave)
    assert panel.get_ylim() == before


def test_the_first_instant_does_not_flatten_the_rest():
    """At the beginning a value of 50 falls to a wave about 2 within a thousandth of the picture."""
    t = np.linspace(0.0, 1.0, 5001)
    wave = 2.0 + np.sin(20.0 * t) + 48.0 * (t < 0.001)
    panel = Figure().subplots()
    panel.plot(t, wave)
    _limit(panel, t, wave)
    low, high = panel.get_ylim()
    assert 0.8 < low < 1.0
    assert 3.0 < high < 3.2
    assert [text.get_text() for text in panel.texts] == ["up to 50"]
