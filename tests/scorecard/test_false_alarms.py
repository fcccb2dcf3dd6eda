"""Models without touches, accumulations and slides have none in their records."""

from pathlib import Path

import pytest

from hybridsim import Simulation, load_config

CONFIGS = sorted((Path(__file__).parents[2] / "configs").rglob("*.yaml"))
WITH_THEM = {"bouncing_ball_on_a_table"}


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_nothing_but_crossings_is_found_in_a_model_that_has_nothing_else(path):
    if path.stem in WITH_THEM:
        pytest.skip("an example of what is not a crossing")
    run = Simulation.from_config(load_config(path)).run()
    assert {event.kind for event in run.events} <= {"crossing"}
    assert (run.other == -1).all()
    assert (run.weight == 1.0).all()
