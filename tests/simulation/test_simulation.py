"""The Python interface: `simulate`, `Simulation`, and what they return."""

import math
import shutil

import numpy as np
import pytest

import hybridsim
from hybridsim import (
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

from gallery import IMPACT, no_slopes

EPS = np.finfo(float).eps
SLIP = {"parameters": {"k": 20000.0}, "initial": {"y": 1.0, "xdot": 5.0}, "final_time": 3.0}


# Models and settings.


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


# Results.


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


def test_a_model_has_its_records():
    model = hybridsim.load_model("bouncing_ball")
    assert [(s.name, s.unit, s.default) for s in model.states] == [("y", "m", 1.0), ("v", "m/s", 0.0)]
    assert model.parameters["gravity"].default == 9.81
    assert [boundary.name for boundary in model.boundary_records] == ["floor"]
    assert hybridsim.load_model("slip").output_records["energy"].unit == "J"


def test_a_run_that_is_saved_can_be_loaded(tmp_path):
    run = simulate("bouncing_ball", final_time=1.0)
    run.save(tmp_path / "runs" / "bouncing_ball")
    loaded = hybridsim.load_run(tmp_path / "runs" / "bouncing_ball.h5")
    np.testing.assert_array_equal(loaded.x, run.x)
    assert loaded.status is run.status
    assert loaded.at(0.3).tolist() == run.at(0.3).tolist()


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


def test_what_lies_ahead_of_the_present_time_is_not_reported():
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


# A model with very little.


def test_a_model_without_boundaries_outputs_or_moving_states_runs():
    def twice(y, t, x, p, chart):
        y[0] = 2.0 * x[0] + t

    model = Model(
        "rest",
        [State("x", 3.0, continuous=False)],
        vector_field=no_slopes,
        outputs=twice,
        output_records=[Output("twice")],
    )
    run = simulate(model, final_time=2.0)
    assert run.x[-1].tolist() == [3.0]
    assert run["twice"][[0, -1]].tolist() == [6.0, 8.0]
