"""Outputs and slopes of a run are evaluated when they are first used, and are then the same as at once."""

import dataclasses

import numpy as np
import pytest

from hybridsim import Input, Model, Records, State, load_run
from hybridsim.simulation import Simulation, unpacking

KINDS = [True, False, {"period": 0.01}]


def pulled(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -p[0]


def weigh(y, t, x, p, chart):
    y[0], y[1] = p[0] * x[0], t


def floor(g, t, x, p, chart):
    g[0] = x[0]


def bounce(x_new, t, x, p, chart, crossed):
    x_new[1] = -0.9 * x[1]
    return 0


BALL = Model(
    "pulled_ball",
    Records(State("y", 1.0), State("v")),
    inputs=Records(Input("pull", 9.81)),
    vector_field=pulled,
    boundaries=floor,
    boundary_records=["floor"],
    transition=bounce,
    outputs=weigh,
    output_records=["weight", "time"],
)


@pytest.fixture
def evaluated(monkeypatch):
    """The names of what has been evaluated at rows."""
    calls = []
    for name in ("outputs_at", "slopes_at"):
        original = getattr(unpacking, name)
        monkeypatch.setattr(unpacking, name, lambda *a, n=name, f=original: calls.append(n) or f(*a))
    return calls


@pytest.mark.parametrize("record", KINDS)
def test_nothing_is_evaluated_before_it_is_used_and_nothing_twice(record, evaluated, tmp_path):
    run = Simulation(BALL, final_time=2.0, record=record).run()
    assert len(run.events) > 2
    assert run["y"][0] == 1.0
    assert evaluated == []
    first, again = run.y, run.y
    assert first is again
    assert evaluated == ["outputs_at"]
    run.save(tmp_path / "ball.h5")
    assert evaluated == (["outputs_at"] if record is not False else ["outputs_at", "slopes_at"])
    assert (run.xdot is None) == (record is True)
    with pytest.raises(AttributeError):
        run.ydot  # noqa: B018


@pytest.mark.parametrize("record", KINDS)
def test_what_happens_to_the_simulation_later_changes_nothing(record):
    simulation = Simulation(BALL, record=record)
    simulation.advance(0.7)
    simulation.inputs["pull"] = 5.0
    simulation.advance(1.3)
    early, late = simulation.result(), simulation.result()
    expected = early.y, early.xdot
    simulation.inputs["pull"] = 20.0
    simulation.advance(3.0)
    np.testing.assert_array_equal(late.y, expected[0])
    np.testing.assert_array_equal(late.y[:, 0], late["pull"] * late["y"])
    if record is not True:
        np.testing.assert_array_equal(late.xdot, expected[1])
        np.testing.assert_allclose(late.xdot[:, 0], late["v"], rtol=0.0, atol=1e-12)


def test_a_run_is_copied_and_written_with_its_outputs(tmp_path):
    def make():
        return Simulation(BALL, final_time=2.0, record=False).run()

    expected = make().y
    np.testing.assert_array_equal(dataclasses.replace(make(), message="").y, expected)
    make().save(tmp_path / "ball.h5")
    np.testing.assert_array_equal(load_run(tmp_path / "ball.h5").y, expected)
    some = Simulation(BALL, final_time=2.0, record={"steps": False, "outputs": ["time"]}).run()
    np.testing.assert_array_equal(some.y, expected[:, 1:])
