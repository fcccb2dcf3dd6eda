"""The Python interface: `simulate`, `Simulation`, stops; and that looking at a run changes no bit of it."""

import math
import shutil

import numpy as np
import pytest

import hybridsim
from hybridsim import (
    Boundary,
    ConfigError,
    Model,
    ModelError,
    Output,
    Simulation,
    SimulationError,
    State,
    Status,
    simulate,
)
from hybridsim.config import config_from_keywords
from hybridsim.simulation import drive

EPS = np.finfo(float).eps
METHODS = ["dp5", "dop853", "tsit5", "rk4_adaptive"]
SLIP = {"parameters": {"k": 20000.0}, "initial": {"y": 1.0, "xdot": 5.0}, "final_time": 3.0}


def fall(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = -9.81


def floor(g, t, x, p, chart):
    g[0] = x[0]


def bounce_higher(x_new, t, x, p, chart, crossed):
    x_new[1] = -1.5 * x[1]
    return chart


def lift(x_new, t, x, p, chart, crossed):
    x_new[0] = 5.0
    return chart


def keep(x_new, t, x, p, chart, crossed):
    return hybridsim.DECLINED


def falling(transition, **more):
    functions = {"vector_field": fall, "boundaries": floor, "transition": transition}
    return Model(
        "falling",
        [State("y", 1.0), State("v")],
        **functions,
        boundary_records=[Boundary("floor", degree=1)],
        **more,
    )


IMPACT = math.sqrt(2.0 / 9.81)  # of what falls from 1 m


# What comes in.


def test_a_model_comes_by_name_by_path_or_as_itself(tmp_path):
    model = hybridsim.load_model("bouncing_ball")
    path = tmp_path / "ball.py"
    shutil.copy(model.source, path)
    ends = [simulate(ball, final_time=1.0).x[-1].tolist() for ball in ("bouncing_ball", str(path), path, model)]
    assert all(end == ends[0] for end in ends)


def test_every_key_of_the_engine_is_a_keyword():
    run = simulate(
        "bouncing_ball",
        initial_time=1.0,
        final_time=2.0,
        method="tsit5",
        rtol=1e-6,
        atol=1e-8,
        first_step=1e-3,
        max_step=0.1,
        min_step=1e-12,
        power=0.25,
        stop_precision=1e-9,
        max_stop_iterations=64,
        max_transitions=100,
        max_wall_time=60.0,
        record=True,
    )
    assert run.status is Status.FINAL_TIME
    assert run.t[0] == 1.0
    assert run.t[-1] == 2.0
    assert run.t[1] - run.t[0] == pytest.approx(1e-3, rel=1e-12)
    assert np.diff(run.t).max() <= 0.1 * (1 + 1e-12)


@pytest.mark.parametrize(
    ("model", "keywords", "error", "message"),
    [
        ("slip", {"final_time": 1.0, "rtoll": 1e-3}, ConfigError, "keyword: rtoll: .* did you mean `rtol`"),
        ("slip", {"final_time": 1.0, "initial": {"z": 1.0}}, ConfigError, r"keyword: initial\.z: "),
        ("slip", {"final_time": 1.0, "rtol": -1.0}, ConfigError, "keyword: rtol: "),
        ("slip", {"final_time": 1.0, "initial": {"y": -1.0}}, ConfigError, "slip: initial state: "),
        ("slipp", {"final_time": 1.0}, ModelError, "'slipp': no such model"),
        ("nowhere.py", {"final_time": 1.0}, ModelError, "there is no such plug-in file"),
        ("slip", {}, ConfigError, "final_time: "),
    ],
)
def test_bad_input_is_an_error_with_the_command_lines_message(model, keywords, error, message):
    with pytest.raises(error, match=message):
        simulate(model, **keywords)


# What comes out.


def test_a_run_has_what_is_promised_in_the_shapes_promised():
    run = simulate("slip", **SLIP, stop=[("touchdown", 2)], method="dp5", rtol=1e-8, atol=1e-10)
    n, n_states = len(run.t), len(hybridsim.load_model("slip").states)
    assert run.status is Status.STOPPED
    assert str(run.status) == "reached a stop that was asked for"
    assert run.message.startswith("reached event 2 of touchdown at t = ")
    assert (run.t.shape, run.j.shape, run.chart.shape, run.x.shape) == ((n,), (n,), (n,), (n, n_states))
    assert (run.t.dtype, run.x.dtype, run.j.dtype.kind, run.chart.dtype.kind) == (float, float, "i", "i")
    assert run["y"].shape == run["leg_force"].shape == (n,)
    assert run["y"].tolist() == run.x[:, run.states.index("y")].tolist()
    assert run.at(0.1).shape == (n_states,)
    assert run.statistics.keys() >= {"steps", "rejected", "vector_field_calls", "events", "wall_time"}
    assert run.statistics["events"] == len(run.events)
    assert run.statistics["wall_time"] > 0.0
    assert (
        n == run.statistics["steps"] + 1 + run.j[-1]
    )  # a row at the start of each step, one before each jump, the end


def test_its_events_come_in_order_with_both_sides():
    run = simulate("slip", **SLIP, stop=[("touchdown", 2)])
    assert [event.boundaries for event in run.events] == [
        ("touchdown",),
        ("bottom",),
        ("liftoff",),
        ("apex",),
        ("touchdown",),
    ]
    charts = hybridsim.load_model("slip").charts
    event = run.events[0]
    assert isinstance(event.t, float)
    assert event.j == 0
    assert (charts[event.chart_before].name, charts[event.chart_after].name) == ("descent", "compression")
    assert event.x_before.shape == event.x_after.shape == run.x[0].shape
    assert event.certificate in ("exact", "bounded", "sampled", "time")
    assert [event.j for event in run.events] == [0, 1, 2, 3, 4]
    assert run.events[-1].t == run.t[-1]
    assert run.events[-1].x_after.tolist() == run.x[-1].tolist()
    assert run.events.count("touchdown") == 2
    assert [event.boundaries for event in run.events[1:3]] == [("bottom",), ("liftoff",)]


def test_a_model_tells_its_records():
    model = hybridsim.load_model("bouncing_ball")
    assert [(s.name, s.unit, s.default) for s in model.states] == [("y", "m", 1.0), ("v", "m/s", 0.0)]
    assert model.parameters["gravity"].default == 9.81
    assert [boundary.name for boundary in model.boundary_records] == ["floor"]
    assert hybridsim.load_model("slip").output_records["energy"].unit == "J"


def test_a_run_that_is_saved_can_be_loaded(tmp_path):
    run = simulate("bouncing_ball", final_time=1.0)
    run.save(tmp_path / "runs")
    loaded = hybridsim.load_run(tmp_path / "runs" / "bouncing_ball.h5")
    np.testing.assert_array_equal(loaded.x, run.x)
    assert loaded.status is run.status
    assert loaded.at(0.3).tolist() == run.at(0.3).tolist()


# Stops.


def test_a_stop_at_a_boundary_is_the_last_event_with_its_transition_done():
    run = simulate("bouncing_ball", final_time=9.0, stop=[("floor", 3)])
    assert run.status is Status.STOPPED
    assert len(run.events) == 3
    assert run.events[-1].t == run.t[-1]
    assert run["v"][-1] == -0.5 * run.events[-1].x_before[1] > 0.0
    assert run.t[-1] == pytest.approx(IMPACT * (1.0 + 2.0 * 0.5 + 2.0 * 0.25), rel=16 * EPS)
    assert run.message == f"reached event 3 of floor at t = {run.t[-1]:.9g} s"


def test_a_stop_counts_declined_crossings_too():
    run = simulate(falling(keep), final_time=9.0, stop=[("floor", 1)])
    assert run.status is Status.STOPPED
    assert run.events[-1].declined
    assert run.j[-1] == 0
    assert run.t[-1] == pytest.approx(IMPACT, rel=4 * EPS)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("state", "value", "when"), [("y", 0.5, math.sqrt(1.0 / 9.81)), ("v", -2.0, 2.0 / 9.81)])
def test_a_stop_at_a_state_is_reached_to_the_last_bits_without_an_event(state, value, when, method):
    run = simulate("bouncing_ball", final_time=9.0, stop=[{"state": state, "value": value}], method=method)
    assert run.status is Status.STOPPED
    assert run.message == f"reached {state} = {value:g} at t = {when:.9g} s"
    assert len(run.events) == run.j[-1] == 0
    assert run.t[-1] == pytest.approx(when, rel=64 * EPS)
    assert run[state][-1] == pytest.approx(value, rel=64 * EPS)


def test_the_first_of_several_stops_ends_the_run():
    stops = [("floor", 2), {"state": "v", "value": 1.0}, {"state": "y", "value": 0.2}]
    run = simulate("bouncing_ball", final_time=9.0, stop=stops)
    assert run.message.startswith("reached y = 0.2")
    run = simulate("bouncing_ball", final_time=9.0, stop=stops[:2])
    assert run.message.startswith("reached v = 1 ")  # the first bounce passes it
    assert simulate("bouncing_ball", final_time=0.1, stop=stops).status is Status.FINAL_TIME


def test_a_stop_on_a_value_that_a_jump_reaches_or_passes_ends_the_run_there():
    for value in (5.0, 3.0):
        run = simulate(falling(lift), final_time=9.0, stop=[{"state": "y", "value": value}])
        assert run.status is Status.STOPPED
        assert len(run.events) == 1
        assert run.t[-1] == run.events[0].t == pytest.approx(IMPACT, rel=4 * EPS)
        assert run["y"][-1] == 5.0


@pytest.mark.parametrize("speed", [2.0, -2.0, 0.0])
def test_a_stop_on_the_value_it_starts_from_waits_until_it_is_reached_again(speed):
    run = simulate(falling(bounce_higher), initial={"v": speed}, final_time=9.0, stop=[{"state": "y", "value": 1.0}])
    if speed > 0.0:
        expected = 2.0 * speed / 9.81
    else:
        down = math.sqrt(speed**2 + 2.0 * 9.81)
        up = 1.5 * down
        expected = (down + speed + up - math.sqrt(up**2 - 2.0 * 9.81)) / 9.81
    assert run.status is Status.STOPPED
    assert run.t[-1] == pytest.approx(expected, rel=1e-12)
    assert run["y"][-1] == pytest.approx(1.0, rel=16 * EPS)


def test_a_stop_that_ties_with_a_boundary_has_the_transition_done():
    run = simulate("bouncing_ball", final_time=9.0, stop=[{"state": "y", "value": 0.0}])
    assert run.status is Status.STOPPED
    assert [event.boundaries for event in run.events] == [("floor",)]
    assert run["v"][-1] == pytest.approx(0.5 * 9.81 * IMPACT, rel=16 * EPS)
    assert run.j[-1] == 1


def test_a_run_needs_an_end_and_advancing_does_not():
    with pytest.raises(ConfigError, match="final_time: a run to the end needs one, or a stop"):
        simulate("bouncing_ball")
    assert simulate("bouncing_ball", stop=[("floor", 1)]).status is Status.STOPPED
    Simulation("bouncing_ball").advance(0.1)


# Advancing.


def test_a_simulation_shows_where_it_stands():
    sim = Simulation("projectile", parameters={"gravity": 10.0, "level": 3.75}, initial={"v": 10.0})
    assert (sim.t, sim.chart, sim.j, sim.status) == (0.0, 0, 0, Status.UNFINISHED)
    assert sim.x.tolist() == [0.0, 10.0]
    sim.advance(0.25)  # y = 2.5 - 0.3125
    assert sim.t == 0.25
    assert (sim.chart, sim.j) == (0, 0)
    assert sim["y"] == pytest.approx(2.1875, rel=16 * EPS)
    assert sim["v"] == pytest.approx(7.5, rel=16 * EPS)
    sim.advance(1.0)  # above the level from 0.5 s to 1.5 s
    assert (sim.chart, sim.j) == (1, 1)
    assert isinstance(sim["y"], float)
    assert sim.x.shape == (2,)
    run = sim.result()
    assert run.status is Status.UNFINISHED
    assert run.t[-1] == 1.0
    assert run.x[-1].tolist() == sim.x.tolist()
    assert len(run.events) == 1


def test_what_lies_ahead_of_the_look_is_not_told():
    sim = Simulation("bouncing_ball", final_time=0.4)
    sim.advance(0.3)  # the step it lies in ends at 0.4
    assert sim.status is sim.result().status is Status.UNFINISHED
    sim = Simulation("bouncing_ball", final_time=1.0, stop=[("floor", 1)])
    sim.advance(0.4)
    assert sim.status is Status.UNFINISHED
    assert len(sim.result().events) == 0
    sim.advance(0.5)
    assert sim.t == sim.result().t[-1] == pytest.approx(IMPACT, rel=4 * EPS)
    assert sim.status is Status.STOPPED


def test_advancing_beyond_the_end_stops_there():
    sim = Simulation("bouncing_ball", final_time=0.4)
    sim.advance(9.0)
    assert sim.t == 0.4
    assert sim.status is Status.FINAL_TIME
    sim.advance(10.0)
    assert sim.t == 0.4


def test_a_simulation_reads_outputs_and_refuses_what_it_does_not_have():
    sim = Simulation("slip", **SLIP)
    sim.advance(0.05)
    energy = 80.0 * (9.81 * sim["y"] + 0.5 * (sim["xdot"] ** 2 + sim["ydot"] ** 2))
    assert sim["energy"] == pytest.approx(energy, rel=1e-12)
    with pytest.raises(SimulationError, match="no state or output 'xdt'; did you mean `xdot`"):
        sim["xdt"]


@pytest.mark.parametrize(
    ("t", "message"),
    [(0.1, r"advance\(0\.1\) goes back: the simulation is at t = 0\.2"), (math.nan, "finite"), (math.inf, "finite")],
)
def test_time_goes_forward_and_ends(t, message):
    sim = Simulation("bouncing_ball")
    sim.advance(0.2)
    with pytest.raises(SimulationError, match=message):
        sim.advance(t)
    sim.advance(0.2)
    assert sim.t == 0.2


# Bit-identity.


def bits(run):
    return (
        run.t[-1],
        run.j[-1],
        run.chart[-1],
        run.x[-1].tobytes(),
        run.events.t.tobytes(),
        run.events.x_after.tobytes(),
    )


@pytest.fixture(
    params=[("slip", method) for method in METHODS] + [("two_walls", "dp5"), ("stick_slip", "dp5")], ids="-".join
)
def problem(request):
    model, method = request.param
    keywords = {**SLIP, "final_time": 1.5} if model == "slip" else {"final_time": 20.0}
    return (model,), {**keywords, "method": method}


def test_two_runs_are_equal_and_so_is_what_they_record(problem):
    arguments, keywords = problem
    first, second = (simulate(*arguments, **keywords) for _ in range(2))
    assert bits(first) == bits(second)
    np.testing.assert_array_equal(first.x, second.x)
    np.testing.assert_array_equal(first.extension, second.extension)


def test_no_way_of_recording_changes_a_bit(problem):
    arguments, keywords = problem
    plain = bits(simulate(*arguments, **keywords))
    names = [output.name for output in simulate(*arguments, **keywords).outputs][:2]
    for record in (False, 0.01, 0.37, {"outputs": names}, {"period": 1.0, "outputs": names[:1]}):
        assert bits(simulate(*arguments, **keywords, record=record)) == plain


def test_no_way_of_advancing_changes_a_bit(problem):
    arguments, keywords = problem
    whole = simulate(*arguments, **keywords)
    rng = np.random.default_rng(0)
    looks = [np.sort(rng.uniform(0.0, keywords["final_time"], 50)), whole.t[::7], whole.events.t, [0.0, 0.0, 0.1]]
    for times in looks:
        for record in (True, False):
            sim = Simulation(*arguments, **keywords, record=record)
            for t in times:
                sim.advance(float(t))
                sim.x, sim.chart, sim.j, sim.result()
            assert bits(sim.run()) == bits(whole)


@pytest.mark.parametrize("record", [True, False])
def test_a_watched_run_hands_out_every_step_and_is_the_same_run(problem, record):
    (model,), keywords = problem
    whole = simulate(model, **keywords)
    sim = Simulation.from_config(config_from_keywords(model, **keywords, record=record), watched=True)
    rng, taken, rows, events = np.random.default_rng(0), 0, [], []
    while sim.status is Status.UNFINISHED:
        sim.advance(sim.t + rng.uniform(0.0, 0.2), budget=int(rng.integers(1, 5)))
        chunks = sim.chunks(taken)
        taken += len(chunks)
        rows += [part for part, _ in chunks if part is not None]
        events += [part for _, part in chunks if part is not None]
        assert sim.tip().t == sim.t
        np.testing.assert_array_equal(sim.tip().x[0], sim.x)
    assert bits(sim.run()) == bits(whole)
    begins = whole.step > 0.0
    steps = [part[part.step > 0.0] for part in rows]
    np.testing.assert_array_equal(np.concatenate([part.t for part in steps]), whole.t[begins])
    np.testing.assert_array_equal(np.concatenate([part.extension for part in steps]), whole.extension[begins])
    np.testing.assert_array_equal(np.concatenate([part.t for part in events]), whole.events.t)


def test_a_budget_bounds_how_far_an_advance_goes():
    sim = Simulation("slip", **SLIP)
    sim.advance(3.0, budget=5)
    assert 0.0 < sim.t < 3.0
    assert sim.result().statistics["steps"] <= 5


def test_an_interrupted_run_ends_where_it_is():
    sim = Simulation("slip", **SLIP)
    sim.advance(1.0)
    sim.interrupt()
    run = sim.run()
    assert run.status is Status.INTERRUPTED
    assert 1.0 <= run.t[-1] < 1.1
    whole = Simulation("slip", **SLIP)
    whole.run()
    whole.interrupt()
    assert whole.status is Status.FINAL_TIME


def test_what_a_look_shows_is_what_the_run_records(problem):
    arguments, keywords = problem
    whole = simulate(*arguments, **keywords)
    sim = Simulation(*arguments, **keywords)
    for t in np.linspace(0.0, keywords["final_time"], 40):
        sim.advance(float(t))
        np.testing.assert_allclose(sim.x, whole.at(t), rtol=1e-13, atol=1e-13)
        assert sim.j == np.count_nonzero(whole.events.t[~whole.events.declined] <= t)
    part = sim.result()
    np.testing.assert_array_equal(part.x, whole.x)


@pytest.mark.parametrize("chunk", [1, 2, 3, 17])
def test_chunks_of_any_size_give_the_same_run(problem, chunk, monkeypatch):
    arguments, keywords = problem
    whole = simulate(*arguments, **keywords)
    monkeypatch.setattr(drive, "CHUNK", chunk)
    seen = []
    pieces = Simulation(*arguments, **keywords).run(seen.append)
    assert bits(pieces) == bits(whole)
    np.testing.assert_array_equal(pieces.x, whole.x)
    np.testing.assert_array_equal(pieces.extension, whole.extension)
    assert seen == sorted(seen)
    assert seen[-1] == whole.t[-1]


def test_a_cascade_longer_than_a_chunk_fits_into_it(monkeypatch):
    monkeypatch.setattr(drive, "CHUNK", 1)
    run = simulate(falling(lambda x_new, t, x, p, chart, crossed: chart), final_time=1.0)
    assert run.status is Status.CASCADE
    assert run.t.tolist() == sorted(run.t)


def test_a_model_without_boundaries_outputs_or_moving_states_runs():
    def nothing(xdot, t, x, p, chart):
        pass

    def twice(y, t, x, p, chart):
        y[0] = 2.0 * x[0] + t

    model = Model(
        "rest",
        [State("x", 3.0, continuous=False)],
        vector_field=nothing,
        outputs=twice,
        output_records=[Output("twice")],
    )
    run = simulate(model, final_time=2.0)
    assert run.x[-1].tolist() == [3.0]
    assert run["twice"][[0, -1]].tolist() == [6.0, 8.0]


def _moving(xdot, t, x, p, chart):
    xdot[0] = 1.0


def _wall(g, t, x, p, chart):
    g[0] = 0.75 - x[0]


def _back_to_zero(x_new, t, x, p, chart, crossed):
    x_new[0] = 0.0
    return 0


def _beyond_limit(t, x, p, chart):
    return 1 if x[0] > p[0] else 0


SHUTTLE = hybridsim.Model(
    "shuttle",
    [hybridsim.State("x")],
    vector_field=_moving,
    boundaries=_wall,
    transition=_back_to_zero,
    validate=_beyond_limit,
    parameters=[hybridsim.Parameter("limit")],
    boundary_records=[hybridsim.Boundary("wall", degree=1)],
    messages=("too far",),
)


@pytest.mark.parametrize("limit", [0.5, 0.7499])
def test_a_state_that_becomes_invalid_before_an_event_ends_the_run_there(limit):
    run = hybridsim.simulate(SHUTTLE, parameters={"limit": limit}, final_time=3.0)
    assert run.status is hybridsim.Status.LEFT_CHART
    assert (len(run.events), run.x[-1, 0]) == (0, pytest.approx(limit, rel=1e-15))


def test_a_state_that_is_invalid_only_by_rounding_at_an_event_is_none():
    run = hybridsim.simulate(SHUTTLE, parameters={"limit": 0.75}, final_time=3.1)
    assert (run.status, len(run.events)) == (hybridsim.Status.FINAL_TIME, 4)
