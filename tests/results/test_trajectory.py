"""A whole solution: columns by name, the state at any time, both sides of jumps, events as a sequence."""

import numpy as np
import pytest

from hybridsim import Event, SimulationError, Status, simulate
from hybridsim.results.trajectory import hermite

EPS = np.finfo(float).eps
GRAVITY = 10.0
RISES, FALLS = 0.5, 1.5  # a throw at 10 m/s passes 3.75 m at these times


@pytest.fixture(params=[True, 0.05, False], ids=["steps", "period", "events"])
def run(request):
    return simulate("projectile", parameters={"gravity": GRAVITY, "level": 3.75}, final_time=2.0, record=request.param)


@pytest.fixture(scope="module")
def bounces():
    return simulate("bouncing_ball", parameters={"restitution": 0.9}, final_time=3.0)


def throw(t):
    return np.stack([10.0 * t - 0.5 * GRAVITY * t**2, 10.0 - GRAVITY * t], axis=-1)


def test_the_state_at_a_row_is_the_row(run):
    np.testing.assert_array_equal(run.at(run.t)[run.j == run.j[-1]], run.x[run.j == run.j[-1]])


def test_between_rows_a_parabola_is_exact_whatever_was_recorded(run):
    times = np.linspace(0.0, 2.0, 333)
    np.testing.assert_allclose(run.at(times), throw(times), rtol=0, atol=128 * EPS * 10.0)


@pytest.mark.parametrize("method", ["dp5", "dop853", "tsit5", "rk4_adaptive"])
def test_between_steps_the_extension_errs_little_more_than_the_steps(method):
    """x = 1, v = 0 on xddot = -x is a cosine as long as x > 0; the classic method's extension is of order 3 only."""
    run = simulate("bilinear_oscillator", final_time=1.5, method=method, rtol=1e-8, atol=1e-10)
    times = np.linspace(0.0, 1.5, 301)
    at_steps = abs(run["x"] - np.cos(run.t)).max()
    between = abs(run.at(times)[:, 0] - np.cos(times)).max()
    assert at_steps < 1e-7
    assert between < (1e-5 if method == "rk4_adaptive" else 3e-7)


def test_the_extension_is_the_polynomial_it_is_documented_to_be(bounces):
    row = np.flatnonzero(bounces.step > 0.0)[3]
    theta = 0.3 * (bounces.t[row + 1] - bounces.t[row]) / bounces.step[row]
    powers = theta ** np.arange(1, bounces.extension.shape[1] + 1)
    expected = bounces.x[row] + powers @ bounces.extension[row]
    t = bounces.t[row] + theta * bounces.step[row]
    np.testing.assert_allclose(bounces.at(t), expected, rtol=1e-14)
    begins = bounces.step > 0.0
    assert not begins[np.flatnonzero(np.diff(bounces.j))].any()
    assert not begins[-1]
    assert not bounces.extension[~begins].any()


def test_a_jump_has_two_sides_and_the_one_after_is_the_default(bounces):
    for event in bounces.events:
        np.testing.assert_array_equal(bounces.at(event.t, side="before"), event.x_before)
        np.testing.assert_array_equal(bounces.at(event.t, side="after"), event.x_after)
        np.testing.assert_array_equal(bounces.at(event.t), event.x_after)
        assert bounces.at(np.nextafter(event.t, 0.0))[1] == pytest.approx(event.x_before[1], rel=1e-12)
        assert bounces.at(np.nextafter(event.t, 9.0))[1] == pytest.approx(event.x_after[1], rel=1e-12)


def test_of_several_jumps_at_one_instant_the_sides_are_the_first_and_the_last():
    still = simulate("bouncing_ball", parameters={"gravity": 0.0}, initial={"y": 0.0, "v": -1.0}, final_time=1.0)
    assert still.at(0.0, side="before").tolist() == [0.0, -1.0]
    assert still.at(0.0).tolist() == [0.0, 0.5]
    assert still.at(0.5)[0] == pytest.approx(0.25, rel=4 * EPS)


def test_shapes_follow_the_times(bounces):
    assert bounces.at(0.1).shape == (2,)
    assert bounces.at([0.1]).shape == (1, 2)
    assert bounces.at([]).shape == (0, 2)
    assert bounces.at(np.array([0.1, 0.2, 3.0]), side="before").shape == (3, 2)
    assert bounces.at(0).tolist() == [1.0, 0.0]


@pytest.mark.parametrize("t", [-1e-9, 3.0000001, np.nan, np.inf, [0.1, 4.0]])
def test_a_time_outside_the_run_is_refused(bounces, t):
    with pytest.raises(SimulationError, match=r"t = .* lies outside the run, which goes from 0\.0 to 3\.0"):
        bounces.at(t)


def test_another_side_is_refused(bounces):
    with pytest.raises(SimulationError, match="side: expected one of after, before, found 'left'"):
        bounces.at(0.1, side="left")


def test_a_column_is_found_by_name_and_a_wrong_name_gets_the_nearest(bounces):
    assert bounces["v"].tolist() == bounces.x[:, 1].tolist()
    with pytest.raises(SimulationError, match=r"no state or output 'vv'; did you mean `v`.*it has y, v"):
        bounces["vv"]
    for place in (3, None, slice(0, 2)):
        with pytest.raises(SimulationError, match=r"it has y, v"):
            bounces[place]


def test_events_are_a_sequence(bounces):
    events = bounces.events
    assert len(events) == len(list(events)) == 4  # 0.4515 s (1 + 1.8 + 1.62 + 1.458) = 2.65 s is the last before 3 s
    assert isinstance(events[0], Event)
    assert events[-1].t == events[len(events) - 1].t
    assert [event.t for event in events[1:3]] == events.t[1:3].tolist()
    assert [event.j for event in reversed(events)] == list(range(len(events)))[::-1]
    with pytest.raises(IndexError):
        events[len(events)]
    assert events.count("floor") == len(events)


def test_events_are_columns_too(bounces):
    events = bounces.events
    m = len(events)
    assert events.t.shape == events.j.shape == events.chart_before.shape == events.declined.shape == (m,)
    assert events.x_before.shape == events.x_after.shape == (m, 2)
    assert events.crossed.shape == (m, 1)
    assert events.crossed.dtype == bool
    assert len(events.certificate) == m
    assert set(events.certificate) == {"exact"}


def test_a_run_without_events_has_an_empty_sequence():
    run = simulate("bouncing_ball", final_time=0.1)
    assert len(run.events) == 0
    assert list(run.events) == []
    assert run.events.count("floor") == 0
    assert run.events.x_before.shape == (0, 2)


def test_events_print_as_a_table(bounces):
    header, *rows = str(bounces.events).splitlines()
    assert header.split() == ["t", "[s]", "j", "kind", "boundaries", "charts", "value", "depth", "error"]
    for row, event in zip(rows, bounces.events, strict=True):
        assert row.split()[:7] == [f"{event.t:.9g}", str(event.j), "crossing", "floor", "flight", "->", "flight"]


def test_of_many_events_the_first_are_printed_and_the_others_counted():
    events = simulate("bouncing_ball", parameters={"restitution": 0.9}, final_time=6.0).events
    lines = repr(events).splitlines()
    assert len(events) > 10
    assert len(lines) == 1 + 10 + 1
    assert lines[-1] == f"... {len(events) - 10} more"


def test_a_table_of_events_shows_touches_and_slides():
    touch = simulate("projectile", parameters={"gravity": GRAVITY, "level": 5.125}, final_time=2.0, touch_precision=0.2)
    assert str(touch.events).splitlines()[1].split()[:6] == ["1", "0", "touch", "rises", "below", "0.12"]
    slide = simulate("dry_friction", final_time=10.0)
    assert str(slide.events).splitlines()[2].split()[1:7] == [
        "1",
        "entry",
        "slows_down",
        "faster",
        "->",
        "faster|slower",
    ]
    legs = repr(simulate("hexapod", final_time=0.2).events)
    assert "stance=" in legs
    assert "corner=0 -> 0" not in legs  # of bit fields, those that change alone


def test_no_events_print_as_such():
    assert str(simulate("bouncing_ball", final_time=0.1).events) == "no events"


def test_what_shaped_the_run_comes_with_it(bounces):
    assert bounces.model_name == "bouncing_ball"
    assert bounces.status is Status.FINAL_TIME
    assert bounces.parameters == {"gravity": 9.81, "restitution": 0.9}
    assert bounces.charts == {0: "flight"}
    assert bounces.boundaries == ("floor",)
    assert bounces.provenance["config"]["engine"]["method"] == "dp5"
    assert len(bounces.provenance["plugin_hash"]) == 64
    assert bounces.provenance["versions"].keys() >= {"hybridsim", "numba", "numpy", "python"}


def test_the_hermite_cubic_reproduces_cubics():
    t = np.array([0.0, 1.0, 3.0])
    cubic = np.polynomial.Polynomial([1.0, -2.0, 0.5, 0.25])
    x, xdot = cubic(t)[:, None], cubic.deriv()(t)[:, None]
    times = np.array([0.25, 0.75, 1.5, 2.9])
    found = hermite(t, x, xdot, np.array([0, 0, 1, 1]), times)[:, 0]
    np.testing.assert_allclose(found, cubic(times), rtol=16 * EPS)
