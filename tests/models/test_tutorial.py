"""The plug-ins in docs/write-a-model.md are run as they are printed."""

import re
from pathlib import Path

import numpy as np
import pytest

from hybridsim import simulate
from hybridsim.testing import check_model
from hybridsim.view import Replay

TEXT = (Path(__file__).parents[2] / "docs" / "write-a-model.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
PLUGINS = [block for block in BLOCKS if "MODEL =" in block]
(SCENE,) = (block for block in BLOCKS if "SCENE =" in block)


def test_the_first_plugin_has_40_lines():
    assert sum(bool(line.strip()) for line in PLUGINS[0].splitlines()) <= 40


@pytest.mark.parametrize("text", PLUGINS, ids=lambda text: re.search(r'"(\w+)",\n    STATES', text)[1])
def test_every_plugin_of_the_tutorial_keeps_the_contract_and_runs(tmp_path, text):
    path = tmp_path / "plugin.py"
    path.write_text(text)
    check_model(path)
    run = simulate(path, final_time=1.0)
    assert run.status.ok, run.message
    assert len(run.events) > 0


def test_the_scene_of_the_tutorial_shows_the_ball_above_its_floor(tmp_path):
    text = next(text for text in PLUGINS if '"wavy_floor"' in text)
    for place, more in (("validate, outputs", ", poses"), ("messages=MESSAGES,\n", "    scene=SCENE,\n")):
        assert text.count(place) == 1
        text = text.replace(place, place + more)
    path = tmp_path / "plugin.py"
    path.write_text(text.replace("MODEL =", f"{SCENE}\n\nMODEL ="))
    assert "poses" in check_model(path)
    replay = Replay(simulate(path, final_time=3.0))
    for t in np.linspace(0.0, 3.0, 100):
        moment = replay.moment(t)
        x, y, z = moment.poses[0, :3, 3]
        above = z - 0.08 - replay.scene.ground.at(x, y, replay.p)
        assert above == pytest.approx(moment.outputs["clearance"], abs=1e-12)
        assert moment.poses[1].any() == (moment.x[4] > 0.0)
