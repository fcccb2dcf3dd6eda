import re
from pathlib import Path

import pytest
import yaml

from hybridsim.config.engine_settings import EngineSettings
from hybridsim.config.key_table import RC_NAMES
from hybridsim.config.orbit_settings import OrbitSettings, SectionSettings, SymmetrySettings
from hybridsim.config.rc_source import read_rc
from hybridsim.config.schema import OutputSettings, RecordSettings, Settings, Stop
from hybridsim.config.simsect import DEFAULTS
from hybridsim.config.source import Diagnostics

PAGE = (Path(__file__).parents[2] / "docs" / "configuration.md").read_text()


@pytest.mark.parametrize("section", [Settings, EngineSettings, RecordSettings, OutputSettings])
def test_every_key_has_its_row(section):
    missing = [key for key in section.model_fields if f"| `{key}` |" not in PAGE]
    assert missing == []


def test_every_key_of_a_stop_and_every_symbol_is_mentioned():
    missing = [name for name in (*Stop.model_fields, *RC_NAMES, "include") if not re.search(rf"\b{name}\b", PAGE)]
    assert missing == []


def test_the_defaults_of_simsect_are_the_documented_ones():
    table = PAGE.split("SimSect's own defaults hold:")[1]
    for symbol, default in DEFAULTS.items():
        row = next(line for line in table.splitlines() if f"`{symbol}`" in line)
        shown = row.split("|")[2].strip(' `"')
        assert shown == default if isinstance(default, str) else float(shown) == default


def test_every_key_of_an_orbit_has_its_row():
    page = (Path(__file__).parents[2] / "docs" / "gait-analysis.md").read_text()
    assert [key for key in OrbitSettings.model_fields if f"| `{key}` |" not in page] == []
    nested = (*SectionSettings.model_fields, *SymmetrySettings.model_fields)
    assert [key for key in nested if f"`{key}`" not in page] == []


def test_sweeps_are_linked():
    assert "(sweeps.md)" in PAGE


def test_the_examples_can_be_read(tmp_path):
    assert yaml.safe_load(re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)[0])["model"] == "slip"
    path = tmp_path / "example.rc"
    path.write_text(re.findall(r"```\n(# A comment.*?)```", PAGE, re.DOTALL)[0])
    diagnostics = Diagnostics()
    assert [assignment.name for assignment in read_rc(path, diagnostics)] == ["systemName", "finalTime", "k", "y"]
    assert diagnostics.problems == []
