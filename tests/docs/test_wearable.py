"""What docs/wearable.md shows is true: its Python runs, and finds what the page says."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "wearable.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_robot_of_a_walk_locks_in_a_squat_when_the_page_says():
    found = {}
    exec(BLOCKS[0], found)
    assert "the linkage is locked" in found["squat"].message
    said = float(re.search(r"The robot of the walk locks after ([\d.]+) s", PAGE)[1])
    assert found["squat"].t[-1] == pytest.approx(said, abs=5e-3)


def test_the_linkage_of_an_elbow_becomes_more_even():
    found = {}
    exec(BLOCKS[1], found)
    assert found["found"].fun < 0.3 * found["unevenness"]([0.1, 0.0, 0.15, 0.15])
