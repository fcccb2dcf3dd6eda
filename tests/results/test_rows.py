"""What is recorded, and when: every step, the multiples of a period, or the events alone."""

import numpy as np
import pytest

from hybridsim import DECLINED, Boundary, simulate

from gallery import clock

EPS = np.finfo(float).eps
GRAVITY = 9.81


@pytest.fixture(params=["bouncing_ball", "projectile", "slip", "stick_slip"])
def problem(request):
    return {"model": request.param, "final_time": 1.3}


def jumps(run):
    return run.events.t[~run.events.declined]


def is_jump(run):
    """Which rows are one side of a jump."""
    step = np.flatnonzero(np.diff(run.j))
    return np.isin(np.arange(len(run.t)), [*step, *(step + 1)])


@pytest.mark.parametrize("record", [True, False, 0.03])
def test_start_end_and_both_sides_of_every_jump_are_recorded(problem, record):
    run = simulate(**problem, record=record)
    assert run.t[0] == 0.0
    assert run.t[-1] == 1.3
    before = np.flatnonzero(np.diff(run.j))
    assert run.t[before].tolist() == run.t[before + 1].tolist() == jumps(run).tolist()
    np.testing.assert_array_equal(run.x[before], run.events.x_before)
    np.testing.assert_array_equal(run.x[before + 1], run.events.x_after)
    np.testing.assert_array_equal(run.chart[before], run.events.chart_before)
    np.testing.assert_array_equal(run.chart[before + 1], run.events.chart_after)


def test_without_steps_nothing_else_is_recorded(problem):
    run = simulate(**problem, record=False)
    assert run.t.tolist() == [0.0, *np.repeat(jumps(run), 2), 1.3]
    assert run.j.tolist() == [0, *(j for event in run.events for j in (event.j, event.j + 1)), len(run.events)]


@pytest.mark.parametrize("record", [True, False, 0.1])
def test_a_run_that_begins_and_ends_at_a_jump_has_two_rows_for_each(record):
    start = {"y": 0.0, "v": -1.0}
    run = simulate("bouncing_ball", initial=start, final_time=2.0, stop=[("floor", 2)], record=record)
    assert run.t[:2].tolist() == [0.0, 0.0]
    assert run.x[:2].tolist() == [[0.0, -1.0], [0.0, 0.5]]
    assert run.j[-2:].tolist() == [1, 2]
    assert run.t[-2] == run.t[-1] == pytest.approx(1.0 / GRAVITY, rel=4 * EPS)
    distinct = set(zip(run.t.tolist(), run.j.tolist(), strict=True))
    assert len(distinct) == len(run.t)


@pytest.mark.parametrize("period", [0.1, 0.03, 1 / 3, 1e-3, 5.0])
@pytest.mark.parametrize("initial_time", [0.0, 0.05, -1.0, 1000.0])
def test_samples_lie_at_products_and_not_at_running_sums(period, initial_time):
    end = initial_time + 2.0
    run = simulate("bilinear_oscillator", initial_time=initial_time, final_time=end, record=period)
    multiples = np.arange(int(initial_time / period) - 2, int(end / period) + 3) * period
    inside = multiples[(multiples > initial_time) & (multiples < end)]
    expected = np.unique([initial_time, *inside, *jumps(run), end])
    assert np.unique(run.t).tolist() == expected.tolist()
    assert (np.diff(run.t)[np.diff(run.j) == 0] > 0.0).all()


def test_samples_are_the_solution():
    run = simulate("bouncing_ball", final_time=0.45, record=0.05)  # before the first bounce, at 0.4515 s
    assert run.t.tolist() == [k * 0.05 for k in range(10)]
    np.testing.assert_allclose(run["y"], 1.0 - 0.5 * GRAVITY * run.t**2, rtol=0, atol=16 * EPS)
    np.testing.assert_allclose(run["v"], -GRAVITY * run.t, rtol=0, atol=64 * EPS)


def test_samples_are_those_of_the_run_with_every_step(problem):
    steps, samples = simulate(**problem), simulate(**problem, record=0.01)
    between = ~is_jump(samples)
    np.testing.assert_allclose(samples.x[between], steps.at(samples.t[between]), rtol=1e-13, atol=1e-13)
    assert samples.extension is None
    assert samples.step is None
    np.testing.assert_allclose(samples.at(1.2345), steps.at(1.2345), rtol=1e-4, atol=1e-5)


def test_a_period_longer_than_the_run_leaves_the_start_the_jumps_and_the_end():
    sparse, none = (simulate("bouncing_ball", final_time=0.8, record=record) for record in (10.0, False))
    assert sparse.t.tolist() == none.t.tolist()
    np.testing.assert_array_equal(sparse.x, none.x)


def test_a_subset_of_the_outputs_is_recorded_in_the_given_order():
    run = simulate("slip", final_time=0.5, record={"outputs": ["energy", "x"]})
    assert run.outputs.names == ("energy", "x")
    assert run.y.shape == (len(run.t), 2)
    every = simulate("slip", final_time=0.5)
    np.testing.assert_array_equal(run["energy"], every["energy"])
    np.testing.assert_array_equal(run.y[:, 1], run["x"])
    np.testing.assert_array_equal(run["ydot"], every["ydot"])  # states are always there


def test_a_model_without_outputs_records_its_states():
    run = simulate("bouncing_ball", final_time=0.5)
    assert run.outputs.names == run.states.names == ("y", "v")
    np.testing.assert_array_equal(run.y, run.x)
    assert simulate("bouncing_ball", final_time=0.5, record={"outputs": ["v"]}).y.shape[1] == 1


def test_a_declined_crossing_is_an_event_and_no_row():
    def passed(g, t, x, p, chart):
        g[0] = 0.5 - x[0]

    def decline(x_new, t, x, p, chart, crossed):
        x_new[0] = 99.0
        return DECLINED

    model = clock(passed, Boundary("half", degree=1), transition=decline)
    for record in (True, False, 0.4):
        run = simulate(model, final_time=1.0, record=record)
        (event,) = run.events
        assert event.declined
        assert event.t == event.x_before[0] == event.x_after[0] == pytest.approx(0.5, abs=EPS)
        assert run.j.tolist() == [0] * len(run.t)
        assert (np.diff(run.t) > 0.0).all()
        assert run.x[-1, 0] == pytest.approx(1.0, abs=4 * EPS)
