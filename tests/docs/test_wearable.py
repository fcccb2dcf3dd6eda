"""What docs/wearable.md shows is true: its Python runs, and finds what the page says."""

import re
from pathlib import Path

import numpy as np
import pytest

from hybridsim import simulate
from hybridsim.testing import check_model
from hybridsim_models.humanoid.body import human
from hybridsim_models.wearable.device import fit

PAGE = (Path(__file__).parents[2] / "docs" / "wearable.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_robot_of_a_walk_locks_in_a_squat_when_the_page_says():
    found = {}
    exec(BLOCKS[0], found)
    assert "the linkage is locked" in found["squat"].message
    said = float(re.search(r"The robot of the walk locks after ([\d.]+) s", PAGE)[1])
    assert found["squat"].t[-1] == pytest.approx(said, abs=5e-3)


@pytest.mark.exhaustive
def test_the_linkage_of_an_elbow_becomes_more_even():
    found = {}
    exec(BLOCKS[1], found)
    assert found["found"].fun < 0.3 * found["unevenness"]([0.1, 0.0, 0.15, 0.15])


@pytest.mark.exhaustive
@pytest.mark.slow
def test_a_splint_on_a_small_human_moves_with_the_knee():
    """The file that the page shows is a model: its own limb and topology, on another body; a minute of compilation."""
    found = {}
    exec(BLOCKS[2], found)
    model, fitted = found["MODEL"], fit(found["SPLINT"], human(height=1.6, mass=55.0, toes=False))
    assert check_model(model).startswith("splint: fine")  # begun states stay; compiled and plain functions agree
    held = {f"{joint}_angles": [angle] * 4 for joint, angle in (("hip", 0.2), ("knee", 0.4), ("ankle", 0.2))}
    run = simulate(model, parameters=held, initial={"base_xdot": 0.0}, final_time=0.05, rtol=1e-8)
    assert run["left_knee"][0] == pytest.approx(0.4)
    for leg in ("left", "right"):
        postures = fitted.linkage.close(run[f"{leg}_knee"][:, None])
        for joint, _, _ in fitted.tree:
            assert run[f"{leg}_joint{joint + 1}"] == pytest.approx(postures.relative[:, joint], abs=1e-8)
        rate = np.abs(postures.transmission[:, 0, 0])
        assert run[f"{leg}_least_value"] == pytest.approx(rate, abs=1e-8)
        half = run[f"{leg}_knee_torque"] / postures.transmission[:, 0, 0]
        assert run[f"{leg}_actuator_1"] == pytest.approx(half, abs=1e-6)  # human and robot share alike
        assert (run[f"{leg}_actuator_2"] == 0.0).all()
    assert run["loop_error"].max() < 1e-9
