"""`hybridsim orbit table`: the orbits of all rows of a sweep, and Table 2.1 of the documentation."""

import csv
import math
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from map_model import FOLD

from hybridsim import find_orbit, orbit_table
from hybridsim.errors import ConfigError

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "tests" / "analysis" / "relay_oscillator.py"
TABLE_2_1 = ROOT / "configs" / "walkers" / "orbits" / "table_2_1.yaml"
PAGE = (ROOT / "docs" / "walkers.md").read_text(encoding="utf-8")
PUBLISHED = ("growth, published", "clearance [mm], published", "torque [N m], published", "impulse [N m s], published")
CONFIG = f"""
model: {PLUGIN}
parameters: {{width: 0.7}}
orbit: {{section: top, measure: {{half: square.integral(fall), high: x.max}}}}
sweep: {{zip: {{width: [0.5, 0.9, 0.6]}}}}
"""


@pytest.fixture
def relay(tmp_path):
    """The folder of a config `relay.yaml`: a relay with a filter, of period 2 width."""
    (tmp_path / "relay.yaml").write_text(CONFIG)


def documented():
    """The rows of Table 2.1 as the documentation has them: printed by the command, published, and of the reference."""
    printed = PAGE.split("table_2_1.yaml\n")[-1].split("\nwritten")[0].splitlines()
    section = PAGE.split("## A walker that did not walk")[1].split("\n## ")[0]
    first, *lines = [line for line in section.splitlines() if line[:1] == "|"]
    names = [cell.strip() for cell in first.strip("|").split("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]
    published = [[float(row[names.index(name)]) for name in PUBLISHED] for row in rows]
    reference = [[float(row[names.index(name) + 1]) for name in PUBLISHED] for row in rows]
    return printed, np.array(published), np.array(reference)


def test_a_range_is_an_axis(hybridsim, relay):
    Path("plain.yaml").write_text(CONFIG[: CONFIG.index("sweep:")])
    assert hybridsim("orbit", "table", "plain.yaml", "parameters.width=0.5..0.9:3", "-o", "plain.csv").code == 0
    with Path("plain.csv").open(encoding="utf-8") as file:
        rows = [{name: float(row[name]) for name in ("width", "half")} for row in csv.DictReader(file)]
    assert [row["width"] for row in rows] == pytest.approx([0.5, 0.7, 0.9])
    assert [row["half"] for row in rows] == pytest.approx([0.5 * math.tanh(0.5 * row["width"]) for row in rows])
    refused = hybridsim("orbit", "table", "plain.yaml", "parameters.width=0.5..0.9")
    assert refused.code == 2
    assert "parameters.width: expected how many values, FROM..TO:N" in refused.err


def test_the_walker_that_did_not_walk_is_made_to_walk_as_documented_and_as_published(hybridsim):
    outcome = hybridsim("orbit", "table", str(TABLE_2_1))
    assert outcome.code == 0
    printed, published, reference = documented()
    assert [line.split() for line in outcome.out.splitlines()[: len(printed)]] == [line.split() for line in printed]
    with Path("table_2_1-orbits.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["orbit"] for row in rows] == ["unstable", "stable", "stable", "stable"]
    columns = ("growth", "clearance", "torque", "impulse")
    found = np.array([[float(row[name]) for name in columns] for row in rows]) * [1.0, 1e3, 1.0, 1.0]
    assert (np.abs(found - reference) <= [5.1e-6, 5.1e-3, 5.1e-5, 5.1e-5]).all()  # half of the last digit
    bands = np.array([np.full(4, 0.015), np.full(4, 1.0), 0.04 * published[:, 2], np.full(4, 0.0015)]).T
    assert (np.abs(found - published) <= bands).all()


def test_a_table_has_the_rows_of_the_sweep_in_their_order(hybridsim, relay):
    outcome = hybridsim("orbit", "table", "relay.yaml", "-o", "widths.parquet")
    assert outcome.code == 0
    assert outcome.out.splitlines()[1].split() == ["V^2", "s"]
    columns = pq.read_table("widths.parquet").to_pydict()
    assert columns["width"] == [0.5, 0.9, 0.6]
    assert columns["high"] == pytest.approx(columns["width"], abs=1e-9)
    assert columns["half"] == pytest.approx([0.5 * math.tanh(0.5 * w) for w in (0.5, 0.9, 0.6)], abs=1e-9)
    assert columns["orbit"] == ["stable"] * 3


def test_a_row_without_an_orbit_is_empty_and_the_exit_code_says_so(hybridsim, tmp_path):
    (tmp_path / "fold.yaml").write_text(
        f"model: {ROOT / 'tests' / 'map_model.py'}\nparameters: {{map: {FOLD}, r: 0.5}}\ninitial: {{u: 0.7}}\n"
        "orbit: {section: tick, measure: {v: v.max}}\nsweep: {axes: {r: [0.04, -1, 0.25]}}\n"
    )
    outcome = hybridsim("orbit", "table", "fold.yaml")
    assert outcome.code == 1
    assert [line.split()[1] for line in outcome.out.splitlines()[2:5]] == ["stable", "none", "stable"]
    with Path("fold-orbits.csv").open(encoding="utf-8") as file:
        assert [row["v"] for row in csv.DictReader(file)] == ["0", "", "0"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["orbit.measure.half=square.integal(fall)"], "did you mean `square.integral`"),
        (["orbit.measure.width=x.max"], "two columns would be called 'width'"),
        (["sweep.axes={engine.rtol: [1e-9, 1e-10]}"], "remove this axis"),
        (["sweep.zip={widht: [1, 2]}"], "did you mean `width`"),
        (["sweep=null"], "this key is required for a sweep"),
        (["orbit=null"], "the boundaries are top, bottom"),
        (["-o", "widths.txt"], "expected a file that ends in .csv or .parquet"),
        (["-o", "relay.yaml/widths.csv"], "'relay.yaml' cannot be written"),
    ],
)
def test_bad_input_is_one_sentence(hybridsim, relay, arguments, message):
    outcome = hybridsim("orbit", "table", "relay.yaml", *arguments)
    assert outcome.code == 2
    assert message in outcome.err
    assert len(outcome.err.strip().splitlines()) == 1


def test_rows_are_as_long_as_one_another():
    orbit = find_orbit(PLUGIN, parameters={"width": 0.7}, section="top")
    with pytest.raises(ConfigError, match="equally many values, found none"):
        orbit_table(orbit, {})
    table = orbit_table(orbit, {"width": [0.7]})
    assert (table["width"][0], table["period"][0], table["orbit"][0]) == (0.7, pytest.approx(1.4), "stable")
    assert "stable" in repr(table)
