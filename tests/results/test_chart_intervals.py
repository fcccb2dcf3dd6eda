"""When a run was in which chart, and when which bit of a chart field was set."""

import math

import numpy as np
import pytest

from hybridsim import Boundary, Model, ModelError, SimulationError, State, load_run, simulate

from gallery import unit_slope


def boundaries(g, t, x, p, chart):
    """One turns over each second, the other each one and a half."""
    g[0], g[1] = 1.0 * (x[1] + 1.0) - x[0], 1.5 * (x[2] + 1.0) - x[0]


def transition(x_new, t, x, p, chart, crossed):
    for i in range(2):
        if crossed[i]:
            x_new[1 + i] = x[1 + i] + 1.0
            chart ^= 1 << (2 + i)
    return chart


def blinkers(**more):
    """Bits 2 and 3 of the chart, the field `lamp`, are lamps; the field before them stays 0."""
    return Model(
        "blinkers",
        [State("clock"), State("n0", continuous=False), State("n1", continuous=False)],
        vector_field=unit_slope,
        boundaries=boundaries,
        transition=transition,
        boundary_records=[Boundary("fast", degree=1), Boundary("slow", degree=1)],
        **{"chart_fields": {"still": 2, "lamp": 2}, "bit_names": {"lamp": ("red", "green")}} | more,
    )


LAMPS = {"red": [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], "green": [[1.5, 3.0], [4.5, 6.0]]}


@pytest.mark.parametrize("record", [True, 0.4, False])
def test_bits_are_set_from_event_to_event_whatever_is_recorded(record):
    intervals = simulate(blinkers(), final_time=6.7, record=record).chart_intervals("lamp")
    assert [*intervals] == ["red", "green"]
    for name, spans in intervals.items():
        np.testing.assert_allclose(spans, LAMPS[name], rtol=1e-12)


def test_a_bit_that_is_set_when_the_run_ends_is_set_until_its_end():
    np.testing.assert_allclose(simulate(blinkers(), final_time=1.7).chart_intervals("lamp")["green"], [[1.5, 1.7]])


def test_a_bit_that_is_never_set_has_no_span_and_bits_without_names_have_numbers():
    intervals = simulate(blinkers(), final_time=3.0).chart_intervals("still")
    assert {name: spans.shape for name, spans in intervals.items()} == {"0": (0, 2), "1": (0, 2)}


def test_each_chart_has_its_intervals():
    intervals = simulate(blinkers(), final_time=3.7).chart_intervals()
    np.testing.assert_allclose(intervals["still=0 lamp=0"], [[0.0, 1.0]], atol=1e-12)
    np.testing.assert_allclose(intervals["still=0 lamp=3"], [[1.5, 2.0]])
    assert sum(np.diff(spans).sum() for spans in intervals.values()) == pytest.approx(3.7)


def test_a_chart_that_is_passed_through_at_an_instant_is_left_out():
    run = simulate("slip", final_time=4.0)
    for chart, spans in run.chart_intervals().items():
        assert (np.diff(spans) > 0.0).all(), chart
    begun = [*run.events.t[run.events.chart_after == 2]]
    assert run.chart_intervals()["compression"][:, 0].tolist() == begun


def test_a_slide_is_a_separate_interval():
    intervals = simulate("dry_friction", final_time=10.0).chart_intervals()  # held by friction from 2 pi on
    np.testing.assert_allclose(intervals["faster|slower"], [[2.0 * math.pi, 10.0]], atol=1e-5)


def test_stance_is_what_the_charts_of_a_run_say():
    run = simulate("hexapod", final_time=1.0, max_transitions=10**6)
    for leg, spans in enumerate(run.chart_intervals("stance").values()):
        stands = np.zeros(len(run.t) - 1, bool)
        for i in range(len(run.t) - 1):  # read anew: row by row, by the middle of what follows it
            middle = 0.5 * (run.t[i] + run.t[i + 1])
            stands[i] = any(begin < middle < end for begin, end in spans)
        wide = np.diff(run.t) > 0.0
        assert stands[wide].tolist() == ((run.chart[:-1][wide] // 2**leg) % 2 == 1).tolist()
        assert stands.any()


def test_another_name_gets_a_suggestion():
    run = simulate(blinkers(), final_time=1.0)
    with pytest.raises(SimulationError, match=r"no chart field 'lampe'; did you mean `lamp`.*has chart, still, lamp"):
        run.chart_intervals("lampe")


def test_a_file_keeps_fields_bits_and_plots(tmp_path):
    run = simulate(blinkers(plots=("clock", "lamp")), final_time=2.0)
    run.save(tmp_path / "blinkers.h5")
    read = load_run(tmp_path / "blinkers.h5")
    assert [*read.chart_fields.items()] == [("still", ("0", "1")), ("lamp", ("red", "green"))]
    assert read.plots == ("clock", "lamp")
    np.testing.assert_array_equal(read.chart_intervals("lamp")["red"], run.chart_intervals("lamp")["red"])


def test_a_run_without_fields_has_none_in_its_file(tmp_path):
    simulate("slip", final_time=0.1).save(tmp_path / "slip.h5")
    read = load_run(tmp_path / "slip.h5")
    assert (read.chart_fields, read.plots) == ({}, ())


@pytest.mark.parametrize("bits", [{"lamp": ("red",)}, {"lampe": ("red", "green")}])
def test_names_of_bits_that_there_are_not_are_refused(bits):
    with pytest.raises(ModelError, match=r"expected a field, a name for each bit, still: 2, lamp: 2"):
        blinkers(bit_names=bits)


@pytest.mark.parametrize("name", ["clocks", "lamp+clocks"])
def test_what_could_not_be_drawn_is_refused_where_the_model_is_made(name):
    with pytest.raises(
        ModelError, match=r"plots: .* there is no 'clocks'; did you mean `clock`.* it has clock, n0, n1"
    ):
        blinkers(plots=("lamp", name))
