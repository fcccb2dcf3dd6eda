"""Models without touches, accumulations and slides have none in their records."""

from pathlib import Path

import pytest

from hybridsim import Simulation, load_config

CONFIGS = sorted((Path(__file__).parents[2] / "configs").rglob("*.yaml"))
BESIDE_CROSSINGS = {
    "table_ball": {"zeno"},
    "rimless_wheel": {"zeno"},  # it comes to rest
    "impact_oscillator": {"zeno"},  # it chatters
    "dry_friction": {"entry"},
}


WITHOUT_EVENTS = {"double_pendulum", "rolling_disk", "robertson"}


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_nothing_but_what_a_shipped_model_has_is_found_in_it(path):
    run = Simulation.from_config(load_config(path)).run()
    crossings = set() if path.stem in WITHOUT_EVENTS else {"crossing"}
    assert {event.kind for event in run.events} == crossings | BESIDE_CROSSINGS.get(path.stem, set())
    slides = "entry" in BESIDE_CROSSINGS.get(path.stem, set())
    assert (run.adjacent_chart >= 0).any() == slides
    assert (run.sliding_weight != 1.0).any() == slides
