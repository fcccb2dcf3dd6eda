"""The plug-ins in docs/write-a-model.md are run as they are printed."""

import re
from pathlib import Path

import pytest

from hybridsim import simulate
from hybridsim.testing import check_model

TEXT = (Path(__file__).parents[2] / "docs" / "write-a-model.md").read_text(encoding="utf-8")
PLUGINS = [block for block in re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL) if "MODEL =" in block]


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
