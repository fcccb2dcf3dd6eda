"""A controller of one's own, from a file beside its config, drives the hexapod; its inputs change while it runs."""

import re
from pathlib import Path

import pytest

import hybridsim
from hybridsim import Simulation, verify
from hybridsim.config import load_config

ROOT = Path(__file__).parents[2]
CONFIG = ROOT / "configs" / "hexapod" / "steering.yaml"


def test_the_hexapod_goes_where_it_is_told_and_then_elsewhere():
    simulation = Simulation.from_config(load_config(CONFIG, ["record=true", "engine.rtol=1e-6"]))
    for begin, heading in ((0.0, 0.4), (5.0, -0.4)):
        simulation.inputs["heading"] = heading
        simulation.advance(begin + 5.0)
    run = simulation.result()
    for begin, heading in ((0.0, 0.4), (5.0, -0.4)):
        settled = (run.t > begin + 3.5) & (run.t <= begin + 5.0)
        assert run["body_yaw"][settled].mean() == pytest.approx(heading, abs=0.1)
        assert run["speed"][settled].mean() > 0.4
    assert [event.t for event in run.events if event.kind == "input"] == [0.0, 5.0]
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
