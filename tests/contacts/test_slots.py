"""Parts in slots of a model with contacts: their events change what contacts do."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

from hybridsim import ModelError, Part, compose, load_model, simulate
from hybridsim.viewer import Replay

PAGE = (Path(__file__).parents[2] / "docs" / "contacts.md").read_text()
FRICTION, MASS, DAMPING, BEGIN = 0.5 * 2.0 * 9.81, 2.0, 3.0, 0.5


@pytest.fixture(scope="module")
def block(tmp_path_factory):
    """What the page shows."""
    file = tmp_path_factory.mktemp("block") / "block.py"
    file.write_text(re.search(r"## Controllers.*?```python\n(.*?)```", PAGE, re.DOTALL)[1])
    return load_model(file)


@pytest.mark.members(1)
@pytest.mark.parametrize("size", [5.0, 15.0])
def test_a_motor_that_begins_makes_a_block_slip_if_it_is_strong_enough(block, size):
    run = simulate(block, parameters={"size": size}, final_time=1.0, rtol=1e-10, atol=1e-12)
    excess = max(size - FRICTION, 0.0)
    speed = excess / DAMPING * -math.expm1(-DAMPING / MASS * (1.0 - BEGIN))
    assert run["block_xdot"][-1] == pytest.approx(speed, abs=1e-9)
    assert [event.t for event in run.events] == [BEGIN]
    held = run["base_tangential"][run.t < BEGIN]
    np.testing.assert_allclose(held, 0.0, atol=1e-9)


def test_friction_that_holds_is_as_large_as_the_motor_at_once(block):
    run = simulate(block, parameters={"size": 5.0}, final_time=1.0)
    assert run["base_tangential"][-1] == pytest.approx(-5.0, abs=1e-9)


def test_the_scene_shows_friction_that_a_part_causes(block):
    run = simulate(block, parameters={"size": 5.0}, final_time=1.0)
    arrow = Replay(run).frame(0.9).poses[block.scene.bodies.names.index("base_0_force")]
    assert arrow[0, 2] / arrow[2, 2] == pytest.approx(-5.0 / (MASS * 9.81), rel=1e-9)


def test_a_part_without_what_forces_call_is_refused(block):
    with pytest.raises(ModelError, match="push"):
        compose(block.plant, {"motor": Part("none")})
