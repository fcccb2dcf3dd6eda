"""Every model that ships, and every config but those of the biped, of which `test_biped_configs` knows more."""

import math
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from hybridsim import load_config, load_model, simulate, testing
from hybridsim.model.registry import available_models
from hybridsim.model.trials import trials
from hybridsim.testing import check_model

from .config_runs import checked_run_of, run_of

ROOT = Path(__file__).parents[2]
CONFIGS = sorted(
    file
    for file in (ROOT / "configs").rglob("*")
    if file.suffix in (".yaml", ".rc")
    and file.parent.name != "identification"  # tests/identification runs these
    and not file.match("humanoid/start-*")
    and not file.match("humanoid/*-search*")  # they fall: searches begin there
    and not file.match("biped/*-search*")
    and not file.match("human3d/fall*")  # tests/models/test_human3d.py
)
BUNDLED = [name for name, entry in available_models().items() if entry.module.startswith("hybridsim_models.")]
LOOKED_AT_MORE_CLOSELY = {"fall", "hinged", "push-recovery", "push-step", "slippery", "stiff"} | {
    *("walk", "walk-faster", "walk-kajita", "walk-straight", "walk-people", "walk-people-faster", "walk-people-fast"),
    *("slope", "stairs"),
}
"""Configs of the biped that run and are shown there."""

NO_MODELS = {"__init__", "scene", "disk_scene", "legs_scene", "planar_legs", "two_legs"}


SLOW_TO_CHECK = ("biped", "hexapod", "coman", "human", "human3d", "wearable")
CHECKED = [
    *((name, "many states") for name in BUNDLED if name not in SLOW_TO_CHECK),
    *(pytest.param(name, "few states", marks=pytest.mark.slow) for name in SLOW_TO_CHECK),
    *(pytest.param(name, "many states", marks=pytest.mark.exhaustive) for name in SLOW_TO_CHECK),
]


@pytest.mark.parametrize(("name", "states"), CHECKED)
def test_every_bundled_model_keeps_the_contract_and_has_a_description(name, states, monkeypatch):
    if states == "few states":  # in some charts, one random state beside the default one, and one at each far distance
        monkeypatch.setattr(testing, "trials", partial(trials, n_random=1, n_charts=8))
        monkeypatch.setattr(testing, "N_FAR_STATES", 1)
        monkeypatch.setattr(testing, "MAX_REPEATED_CALLS", 20)
    assert check_model(name).startswith(f"{name}: fine")
    model = load_model(name)
    assert model.name == name
    assert model.doc
    assert all(boundary.doc for boundary in model.boundary_records)


def test_every_model_file_is_registered():
    basics = {file.stem for file in (ROOT / "models" / "basics").glob("*.py")} - {"__init__"}
    walkers = {file.stem for file in (ROOT / "models" / "walkers").glob("*.py")} - NO_MODELS
    stiff = {file.stem for file in (ROOT / "models" / "stiff").glob("*.py")} - {"__init__"}
    others = {"slip", "hexapod", "biped", "coman", "human", "human3d", "wearable"}
    assert {*basics, *walkers, *stiff, *others} == set(BUNDLED)


MORE_OF_A_KIND = {
    "biped": {"pushes", "push-map", "walk-push-map", "walk-basin"},
    "humanoid": {"walk-ppoly", "walk-human-ppoly", "walk-const", "walk-human-const", "walk-step"},
    "wearable": {"walk-10"},
    "hexapod": {"backward", "bound", "speed-0", "speed-1", "speed-2", "steering", "turn", "wave", "cpg", "cpg-ripple"},
}
"""Other speeds, gaits and turns than those of `pronk`, `speed-3` and `turn-in-place`, other curves than those of `walk`
and `walk-human-step`; other controllers, for which the hexapod is compiled anew for a minute; and configs that other
tests run besides, of sweeps and gaits."""
BEGINNING, SHORT = ["final_time=3"], {"held"}
"""Of the hexapod's runs some strides after the first; and a config that ends before them."""

RUNS = []
for file in CONFIGS:
    kind, rest = file.parent.name, pytest.mark.exhaustive
    if kind == "hexapod" and file.suffix == ".yaml" and file.stem not in MORE_OF_A_KIND[kind] | SHORT:
        RUNS += [(file, BEGINNING), pytest.param(file, [], marks=rest)]
    elif kind != "biped" or file.stem not in LOOKED_AT_MORE_CLOSELY:
        RUNS += [pytest.param(file, [], marks=rest if file.stem in MORE_OF_A_KIND.get(kind, ()) else ())]


def id_of(given):
    return given.name if isinstance(given, Path) else "".join(given) or "whole"


@pytest.mark.parametrize(("path", "overrides"), RUNS, ids=id_of)
def test_every_config_runs_to_its_end_without_false_alarms_and_can_be_shown(path, overrides):
    run = checked_run_of(path, *overrides)
    assert run.status.ok, run.message


def test_every_model_has_a_config():
    assert {load_config(path).model.name for path in CONFIGS} >= set(BUNDLED)


def test_the_runner_config_makes_thirty_strides():
    run = run_of("slip.yaml")
    assert [run.events.count(name) for name in ("apex", "touchdown")] == [30, 30]


def walk(name, *overrides):
    """The run of a walker's config, and its states after heelstrikes with their times."""
    run = run_of(f"walkers/{name}.yaml", *overrides)
    strikes = [event for event in run.events if "heelstrike" in event.boundaries]
    return run, np.array([event.x_after for event in strikes]), np.array([event.t for event in strikes])


def test_the_configs_of_walkers_walk_as_they_say():
    _, strikes, times = walk("simplest_walker")
    assert strikes[-1, 0] == pytest.approx(0.2003109, abs=1e-3 * 0.5892**8)
    assert np.diff(times)[-1] == pytest.approx(3.8824638, abs=1e-2 * 0.5892**8)
    _, strikes, times = walk("compass_gait")
    np.testing.assert_allclose(strikes[-1][:4], strikes[-3][:4], atol=1e-4)
    assert np.diff(times)[-1] - np.diff(times)[-2] > 0.05
    _, _, times = walk("compass_gait", "parameters.slope=3 deg")
    np.testing.assert_allclose(np.diff(times)[-3:], 0.7343, atol=1e-4)
    run, _, _ = walk("rimless_wheel")
    assert run.statistics["accumulation_time"] == pytest.approx(5.438, abs=1e-3)
    run, _, _ = walk("rimless_wheel", "parameters.slope=0.08", "final_time=30")
    assert run.events[-1].x_after[1] == pytest.approx(1.0955, abs=1e-4)


def test_a_block_faster_than_the_belt_slows_down_under_friction():
    # In `lead` the block swings about x = -kinetic / k = -1 with unit frequency, from (-3, 1) to (1, 1).
    run = simulate("stick_slip", initial={"x": -3.0, "v": 1.0}, final_time=4.0, rtol=1e-10, atol=1e-12)
    assert run.chart[0] == 2
    assert run.events[0].boundaries == ("slowed_down",)
    assert run.events[0].t == pytest.approx(2.0 * math.atan(2.0), rel=1e-9)
    np.testing.assert_allclose(run.events[0].x_after, [1.0, 1.0], rtol=1e-9)


def test_a_block_too_weakly_held_to_stick_goes_through_the_speed_of_the_belt():
    parameters = {"static_friction": 0.5, "kinetic_friction": 0.0}
    run = simulate("stick_slip", parameters=parameters, initial={"x": 2.0, "v": 0.0}, final_time=7.0)
    assert [event.chart_after for event in run.events[:2]] == [2, 1]  # frictionless, it just swings


def test_a_projectile_that_starts_on_its_level_rises_through_it_at_once():
    run = simulate("projectile", parameters={"level": 5.0}, initial={"y": 5.0, "v": 3.0}, final_time=1.0)
    assert [event.boundaries for event in run.events] == [("rises",), ("falls",)]
    np.testing.assert_allclose(run.events.t, [0.0, 2 * 3.0 / 9.81], rtol=1e-14)
