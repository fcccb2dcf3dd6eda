"""Large models: logs as large as memory allows, and records of outputs alone, whose rows are those of whole records."""

import numpy as np
import pytest

from hybridsim import (
    Boundary,
    ConfigError,
    Input,
    Model,
    Output,
    Records,
    Simulation,
    SimulationError,
    State,
    functions,
    load_run,
    simulate,
    verify,
)
from hybridsim.engine.log import make_log
from hybridsim.simulation import run_log

N = 6


def falling(n=N):
    """Balls that bounce, each with a speed of its own, and an input that pushes them."""
    states = Records(State("b.y", np.linspace(1.0, 2.0, n), "m", shape=n), State("b.v", shape=n))

    def vector_field(xdot, t, x, p, chart):
        for i in range(n):
            xdot[i] = x[n + i]
            xdot[n + i] = -9.81 + p[0]

    def boundaries(g, t, x, p, chart):
        for i in range(n):
            g[i] = x[i]

    def transition(x_new, t, x, p, chart, crossed):
        for i in range(n):
            if crossed[i] != 0:
                x_new[n + i] = -0.9 * x[n + i]
        return 0

    def outputs(y, t, x, p, chart):
        y[0] = 0.0
        for i in range(n):
            y[0] += x[i] / n
            y[1 + i] = 0.5 * x[n + i] * x[n + i] + 9.81 * x[i]

    return Model(
        "balls",
        states,
        vector_field=vector_field,
        boundaries=boundaries,
        transition=transition,
        outputs=outputs,
        inputs=Records(Input("push")),
        boundary_records=[Boundary("b.floor", shape=n)],
        output_records=Records(Output("mean"), Output("energy", shape=n)),
    )


MODEL = falling()


@pytest.fixture(params=[2**26, 1], ids=["one log", "many logs"])
def logs(request, monkeypatch):
    """Logs of the usual size, and of as few steps as possible."""
    for name in ("FIRST_LOG", "LARGE_LOG"):
        monkeypatch.setattr(run_log, name, request.param)


@pytest.mark.members
@pytest.mark.parametrize("period", [None, 0.01, 0.125, 0.5])
@pytest.mark.usefixtures("logs")
def test_a_record_without_states_has_the_rows_of_a_whole_one(period):
    record = {} if period is None else {"period": period}
    whole = simulate(MODEL, final_time=3.0, record=record)
    run = simulate(MODEL, final_time=3.0, record={**record, "states": False, "outputs": ["mean", "b.v", "energy[2:4]"]})
    for name in ("t", "j", "chart", "sliding_weight"):
        np.testing.assert_array_equal(getattr(run, name), getattr(whole, name))
    for name in ("mean", "b.v", "energy[2]", "energy[3]"):
        np.testing.assert_array_equal(run[name], whole[name])
    assert (run.states.names, run.outputs.names) == (whole.states.names[N:], ("mean", "energy[2]", "energy[3]"))
    assert run.events.count("b.floor[0]") == whole.events.count("b.floor[0]") > 2
    np.testing.assert_array_equal(run.events.x_after, whole.events.x_after[:, N:])
    assert (run.extension, run.xdot, run.step) == (None, None, None)


@pytest.mark.usefixtures("logs")
def test_inputs_change_in_a_record_without_states():
    runs = []
    for record in ({}, {"states": False}):
        simulation = Simulation(MODEL, final_time=2.0, record=record)
        simulation.advance(0.3)
        simulation.inputs["push"] = 2.0
        simulation.advance(0.7)
        np.testing.assert_array_equal(simulation.result()["mean"][-1], simulation["mean"])
        simulation.inputs["push"] = -1.0
        runs.append(simulation.run())
    for name in ("t", "j", "y"):
        np.testing.assert_array_equal(getattr(runs[0], name), getattr(runs[1], name))


def test_what_a_record_without_states_cannot_do_is_said(tmp_path):
    run = simulate(MODEL, final_time=1.0, record={"states": False})
    assert run.x.shape == (len(run.t), 0)
    run.save(tmp_path / "balls.h5")
    again = load_run(tmp_path / "balls.h5")
    assert (again.states, again.outputs) == (run.states, run.outputs)
    np.testing.assert_array_equal(again.y, run.y)
    with pytest.raises(ConfigError, match="has outputs alone, so it cannot be verified; record its states"):
        verify(again, model=MODEL)
    kept = simulate(MODEL, final_time=1.0, record={"states": False, "outputs": ["b.y"]})
    with pytest.raises(SimulationError, match=r"no states between its rows; record them with record.states: true"):
        kept.at(0.5 * (kept.t[3] + kept.t[4]))


def ring(n):
    def vector_field(xdot, t, x, p, chart):
        for i in range(n):
            xdot[i] = x[i + 1 if i < n - 1 else 0] - x[i]

    def outputs(y, t, x, p, chart):
        y[0] = x[0] * x[0]

    states = Records(State("phi", np.sin(np.arange(n)), shape=n))
    return Model("ring", states, vector_field=vector_field, outputs=outputs, output_records=[Output("square")])


def test_large_models_are_recorded_without_states_unless_these_are_wanted():
    assert simulate(ring(999), final_time=0.1).x.shape[1] == 999
    assert simulate(ring(1000), final_time=0.1).x.shape[1] == 0
    assert simulate(ring(1000), final_time=0.1, record={"states": True}).x.shape[1] == 1000
    assert simulate(ring(1000), final_time=0.1, record=False).x.shape == (2, 1000)
    assert simulate(ring(1000), final_time=0.1, record={"outputs": ["phi"]})["phi"].shape[1] == 1000


@pytest.mark.exhaustive  # slow; other large models are recorded in the ordinary run
def test_logs_are_as_large_as_memory_allows(monkeypatch):
    made = []

    def watched(capacity, events, *sizes):
        log = make_log(capacity, events, *sizes)
        made.append(sum(column.nbytes for column in log) if capacity > 1 else 0)
        return log

    monkeypatch.setattr(run_log, "make_log", watched)
    run = simulate(ring(50_000), final_time=3.0, record={"period": 1.5, "states": True})
    assert len(run.t) == 3
    assert 0 < max(made) < 400e6


def test_derivatives_by_a_block_are_those_by_its_entries():
    f, x = functions(MODEL), np.linspace(0.1, 1.2, 2 * N)
    whole = f.jacobian("vector_field", 0.0, x, 0, wrt=["b.v", "push"])
    one_by_one = f.jacobian("vector_field", 0.0, x, 0, wrt=[*(f"b.v[{i}]" for i in range(N)), "push"])
    np.testing.assert_array_equal(whole, one_by_one)
    np.testing.assert_array_equal(whole[:N, :N], np.eye(N))
