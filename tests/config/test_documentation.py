import re
from pathlib import Path
from typing import Annotated, Literal, get_args, get_origin

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


def choices(annotation):
    """The words that a key of this type may be; none where a word may be anything."""
    if get_origin(annotation) is Literal:
        return {word for word in get_args(annotation) if isinstance(word, str)}
    inside = get_args(annotation)[:1] if get_origin(annotation) is Annotated else get_args(annotation)
    return set().union(*map(choices, inside))


def undocumented(section, page, row_of=None):
    """The choices of the keys of a section that are not in the key's row of a page, as (key, word)."""
    for key, field in section.model_fields.items():
        rows = [line for line in page.splitlines() if line.startswith(f"| `{row_of or key}` |")]
        for word in sorted(choices(field.annotation)):
            if not any(re.search(rf"`{word}`", row) for row in rows):
                yield key, word


@pytest.mark.parametrize("section", [Settings, EngineSettings, RecordSettings, OutputSettings])
def test_every_choice_of_a_key_is_in_its_row(section):
    assert list(undocumented(section, PAGE)) == []


def test_every_choice_of_an_orbit_is_in_its_row():
    page = (Path(__file__).parents[2] / "docs" / "gait-analysis.md").read_text()
    assert [*undocumented(OrbitSettings, page), *undocumented(SectionSettings, page, row_of="section")] == []


def test_a_missing_choice_would_be_seen():
    assert ("method", "series") in undocumented(EngineSettings, PAGE.replace("`series`", ""))
    assert ("direction", "falling") in undocumented(SectionSettings, "| `section` | `rising` |", row_of="section")


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
