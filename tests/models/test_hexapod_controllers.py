"""A user's controller, from a file in the folder of the config, drives the hexapod; its inputs change while it runs."""

import re
from pathlib import Path

import numpy as np
import pytest

import hybridsim
from hybridsim import Simulation, Status, verify
from hybridsim.config import load_config

ROOT = Path(__file__).parents[2]
CONFIG = ROOT / "configs" / "hexapod" / "steering.yaml"


def steered(seconds, record):
    """A run that is told to head to the left, and after so many seconds to the right, for as long."""
    simulation = Simulation.from_config(load_config(CONFIG, [record, "engine.rtol=1e-6"]))
    for begin, heading in ((0.0, 0.4), (seconds, -0.4)):
        simulation.inputs["heading"] = heading
        simulation.advance(begin + seconds)
    return simulation.result()


@pytest.mark.exhaustive  # it compiles the hexapod for parts of users; `tests/model` has such parts on a pendulum
@pytest.mark.slow
def test_the_hexapod_follows_one_command_and_then_another():
    run = steered(5.0, "record.period=0.01")
    for begin, heading in ((0.0, 0.4), (5.0, -0.4)):
        settled = (run.t > begin + 3.5) & (run.t <= begin + 5.0)
        assert run["body_yaw"][settled].mean() == pytest.approx(heading, abs=0.1)
        assert run["speed"][settled].mean() > 0.4
    assert [event.t for event in run.events if event.kind == "input"] == [0.0, 5.0]


@pytest.mark.exhaustive  # as above
@pytest.mark.slow
def test_a_run_that_is_steered_is_a_solution():
    run = steered(0.5, "record=true")
    assert [event.t for event in run.events if event.kind == "input"] == [0.0, 0.5]
    assert verify(run).ok


def test_the_hexapod_of_the_page_stands_on_straight_legs():
    page = (ROOT / "docs" / "hexapod.md").read_text(encoding="utf-8")
    (session,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names = {"hybridsim": hybridsim}
    exec(session, names)
    simulation = names["simulation"]
    assert simulation.t == 1.0
    assert [simulation[f"stance{leg}"] for leg in range(6)] == [1.0] * 6
    assert max(abs(simulation[f"phi{leg}"]) for leg in range(6)) < 0.05
    assert sum(simulation[f"ground{leg}_z"] for leg in range(6)) == pytest.approx(7.0 * 9.81, rel=0.02)


@pytest.mark.members
@pytest.mark.members
@pytest.mark.parametrize("friction", ["creep", "coulomb"])
@pytest.mark.parametrize("seed", range(3))
def test_for_any_voltages_a_run_reaches_its_end(friction, seed):
    """Jumps of the voltages from 24 V to -24 V make standing legs pull, and let go, at that very instant."""
    chance = np.random.default_rng(seed)
    simulation = Simulation(
        "hexapod",
        parameters={"control_type": "held", "friction": friction},
        initial={"r_z": 0.175},
        final_time=0.5,
        rtol=1e-6,
    )
    while simulation.t < 0.49:
        for leg in np.flatnonzero(chance.random(6) < 0.5):
            simulation.inputs[f"voltage{leg}"] = chance.uniform(-24.0, 24.0)
        simulation.advance(simulation.t + chance.uniform(0.002, 0.008))
    run = simulation.run()
    assert run.status is Status.FINAL_TIME, run.message
    pulls = np.min([run[f"push{leg}"] for leg in range(6)], axis=0) < -1e-6
    # Only where an input has just changed, and before what crosses there has been handled, may a leg pull.
    changed = run.events.j[[event.kind == "input" for event in run.events]] + 1
    assert np.isin(run.j[pulls], changed).all()
