"""The plug-ins in docs/write-a-model.md are run as they are printed."""

import re
from pathlib import Path

import numpy as np
import pytest

import hybridsim
from hybridsim import simulate, verify
from hybridsim.testing import check_model, check_part
from hybridsim.viewer import Replay

TEXT = (Path(__file__).parents[2] / "docs" / "write-a-model.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
PLUGINS = [block for block in BLOCKS if "MODEL =" in block]
(DOOR,) = (block for block in PLUGINS if "Plant(" in block)
(MOTOR,) = (block for block in BLOCKS if "PART =" in block)
(SESSION,) = (block for block in BLOCKS if "simulation.inputs" in block)
(SCENE,) = (block for block in BLOCKS if "SCENE =" in block)


def test_the_first_plugin_has_40_lines():
    assert sum(bool(line.strip()) for line in PLUGINS[0].splitlines()) <= 40


@pytest.mark.members(2)
@pytest.mark.parametrize("text", PLUGINS, ids=lambda text: re.search(r'"(\w+)",\n    STATES', text)[1])
def test_every_plugin_of_the_tutorial_keeps_the_contract_and_runs(tmp_path, text):
    path = tmp_path / "plugin.py"
    path.write_text(text)
    check_model(path)
    run = simulate(path, final_time=1.0)
    assert run.status.ok, run.message
    assert len(run.events) > 0 or "boundaries" not in text


@pytest.fixture
def house(tmp_path, monkeypatch):
    (tmp_path / "door.py").write_text(DOOR)
    (tmp_path / "motor.py").write_text(MOTOR)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("house")
def test_the_part_fills_the_slot_that_it_names():
    assert "fine" in check_part("motor.py")
    run = simulate("door.py", parameters={"closer": "motor.py"}, final_time=2.0)
    start, shut = run.events[:2]
    assert (start.boundaries, start.t) == (("start",), 0.5)
    # From 1 rad at rest, 8 N m on 2 kg m^2: 1/2 * 4 * t^2 = 1.
    assert shut.t == pytest.approx(0.5 + 0.5**0.5, rel=1e-9)


@pytest.mark.usefixtures("house")
def test_the_session_pushes_the_door():
    names = {"hybridsim": hybridsim}
    exec(SESSION, names)
    assert len(names["run"].inputs.t) >= 1
    assert verify(names["run"]).ok


def test_the_scene_of_the_tutorial_shows_the_ball_above_its_floor(tmp_path):
    text = next(text for text in PLUGINS if '"wavy_floor"' in text)
    for place, more in (("messages=MESSAGES,\n", "    poses=poses,\n    scene=SCENE,\n"),):
        assert text.count(place) == 1
        text = text.replace(place, place + more)
    path = tmp_path / "plugin.py"
    path.write_text(text.replace("MODEL =", f"{SCENE}\n\nMODEL ="))
    assert "poses" in check_model(path)
    replay = Replay(simulate(path, final_time=3.0))
    for t in np.linspace(0.0, 3.0, 100):
        moment = replay.frame(t)
        x, y, z = moment.poses[0, :3, 3]
        above = z - 0.08 - replay.scene.ground.at(x, y, replay.p)
        assert above == pytest.approx(moment.outputs["clearance"], abs=1e-12)
        assert moment.poses[1].any() == (moment.x[4] > 0.0)
