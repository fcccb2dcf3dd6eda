"""Correct runs pass: bundled models and those of this folder, with every method, tolerance and way of recording."""

import copy
import dataclasses
from pathlib import Path

import h5py
import numpy as np
import pytest

import hybridsim
from hybridsim.errors import ConfigError
from hybridsim.model.plugin_import import allow_also, hashes_of
from hybridsim.verification import verify

from .families import members

MODELS = Path(__file__).parent / "models"
RUNNER = {"parameters": {"hold_touchdown_angle": 1}, "initial": {"touchdown_angle": -0.38397243543875251}}
RUNS = {
    "slip": RUNNER | {"stop": [("apex", 5)], "final_time": 20.0},
    "relay": {"final_time": 3.0},
    "stick_slip": {"final_time": 15.0},
    "bilinear_oscillator": {"final_time": 10.0, "stop": [{"state": "v", "value": -1.5}]},
    "bouncing_ball": {"final_time": 2.0},
    "two_walls": {"final_time": 15.0, "initial": {"xdot": 2.0}},
    "galperin": {"final_time": 10.0, "parameters": {"mass_ratio": 1e4}},
    "projectile": {"final_time": 2.0},
    "slider": {"final_time": 2.0},
    "table": {"final_time": 4.0},
    "drag": {"final_time": 4.0},
    "tides": {"final_time": 20.0, "touch_precision": 1e-3},
}


def simulate(name, **keywords):
    plugin = MODELS / f"{name}.py"
    return hybridsim.simulate(plugin if plugin.exists() else name, **RUNS[name], **keywords)


TOLERANCES, RECORDS = (1e-5, 1e-8, 1e-12), (True, 0.01, False)
METHODS = ("dp5", "tsit5", "dop853", "rodas5p", "series", "rk4_adaptive")


@pytest.mark.members(3)
@pytest.mark.parametrize("turn", [0, *(pytest.param(turn, marks=pytest.mark.exhaustive) for turn in range(1, 6))])
@pytest.mark.parametrize(("number", "name"), [*enumerate(RUNS)])
def test_an_honest_run_passes_by_every_method_at_any_tolerance_however_it_is_recorded(number, name, turn):
    """Each method meets each tolerance and each way of recording; in all six turns, in each model each way.

    In a turn each model meets every other method.
    """
    for k in range((number + turn) % 2, len(METHODS), 2):
        method, rtol, record = METHODS[k], TOLERANCES[(number + k) % 3], RECORDS[(number // 3 + k + turn) % 3]
        report = verify(simulate(name, record=record, method=method, rtol=rtol, atol=1e-2 * rtol))
        assert report.ok, f"{method}, {rtol}, {record}: {report}"


@pytest.mark.members(3)
@pytest.mark.parametrize("name", [name for name in RUNS if name not in ("table", "drag")])
@pytest.mark.parametrize("record", RECORDS)
def test_an_honest_run_with_fixed_steps_passes(name, record):
    report = verify(simulate(name, record=record, method="rk4", first_step=2e-3))
    assert report.ok, str(report)


@pytest.mark.members
@pytest.mark.parametrize("record", [True, 0.01, False], ids=["every_step", "sampled", "events_only"])
@pytest.mark.parametrize("method", METHODS)
def test_a_run_whose_inputs_change_passes(method, record):
    rng = np.random.default_rng(7)
    simulation = hybridsim.Simulation(MODELS / "heater.py", record=record, method=method, final_time=20.0)
    for _ in range(100):
        simulation.advance(simulation.t + rng.exponential(0.15))
        simulation.inputs["target"] = rng.uniform(14.0, 23.0)
        if rng.uniform() < 0.3:
            simulation.inputs["outside"] = rng.uniform(-10.0, 10.0)
    run = simulation.run()
    assert run.statistics["transitions"] > 10
    report = verify(run)
    assert report.ok, str(report)


FEW = (("slide", 4), ("ball", 8), ("plastic", 24), ("hexapod", 1))
MORE = (("slide", 32), ("ball", 64), ("plastic", 200))


@pytest.mark.exhaustive  # slow; single runs of all kinds are in the ordinary run
@pytest.mark.members(1)
@pytest.mark.parametrize(
    ("family", "n"),
    [
        ("slide", 4),
        ("ball", 8),
        ("plastic", 24),
        ("hexapod", 1),
        *(pytest.param(*each, marks=pytest.mark.exhaustive) for each in MORE),
    ],
)
def test_the_members_of_a_family_pass(family, n):
    for what, model, run in members(family, np.random.default_rng(1), n):
        report = verify(run, model)
        assert report.ok, f"{what}: {report}"


@pytest.mark.members(1)
@pytest.mark.parametrize("tilt", [-0.1, -0.03, 0.03, 0.1])
def test_of_two_minima_in_a_step_either_is_a_depth(tilt):
    step = {"method": "rk4", "first_step": 1.0, "max_step": 1.0}
    run = hybridsim.simulate(MODELS / "wells.py", parameters={"tilt": tilt}, final_time=1.2, **step)
    x = np.linspace(run.events.t[0], 0.9, 200_001)
    guard = 40.0 * (x - 0.4) ** 2 * (x - 0.8) ** 2 - 0.3 + tilt * (x - 0.6)
    inside = guard[1:-1]
    shallow, deep = np.sort(-inside[(inside < guard[:-2]) & (inside < guard[2:])])
    assert min(abs(run.events.depth[0] - shallow), abs(run.events.depth[0] - deep)) < 1e-9
    for share, accepted in ((0.0, True), (1.0, True), (-0.01, False), (0.01, False), (0.5, False), (1.01, False)):
        depth = shallow + share * (deep - shallow)
        events = copy.copy(run.events)
        events.depth = events.depth.copy()
        events.depth[0] = depth
        assert verify(dataclasses.replace(run, events=events)).ok == accepted, depth


@pytest.mark.members(1)
@pytest.mark.parametrize(
    "height", [0.0, 7.7, *(pytest.param(h, marks=pytest.mark.exhaustive) for h in (0.01, 1.0, 100.0))]
)
def test_bounces_that_end_in_rounding_pass(height):
    for restitution in (0.3, 0.5, 0.7):
        for record in (True, 0.05, False):
            parameters = {"floor_height": height, "restitution": restitution}
            run = hybridsim.simulate(MODELS / "raised.py", final_time=6.0, record=record, parameters=parameters)
            assert run.events.kind[-1] == "zeno"
            report = verify(run)
            assert report.ok, f"{restitution}, {record}: {report}"


def test_an_accumulation_that_is_declared_too_late_or_too_early_is_rejected():
    run = hybridsim.simulate(MODELS / "raised.py", final_time=6.0, record=False)
    # v0 = sqrt(2 g), then e v0, e^2 v0, ..: the bounces last 2 e^k v0 / g, all together with the fall (1 + e) / (1 - e)
    assert run.events.t[-1] == pytest.approx(3.0 * np.sqrt(2.0 / 9.81), rel=1e-7)
    assert verify(run).ok
    for off in (-1e-9, 1e-9, 1e-6):
        events, t = copy.copy(run.events), run.t.copy()
        events.t = events.t.copy()
        moved = t == events.t[-1]
        events.t[-1] += off
        t[moved] += off
        report = verify(dataclasses.replace(run, t=t, events=events))
        assert not report.ok, off


def test_a_ball_that_is_sent_back_while_it_rises_is_rejected():
    run = hybridsim.simulate(MODELS / "raised.py", final_time=6.0, record=False)
    events, x = copy.copy(run.events), run.x.copy()
    row = np.flatnonzero(np.diff(run.j))[2]
    events.x_before = events.x_before.copy()
    events.x_before[2, 1] = x[row, 1] = -x[row, 1]
    violations = verify(dataclasses.replace(run, events=events, x=x)).violations
    assert any("floor rises there" in violation.what for violation in violations)


def test_a_run_that_has_not_ended_passes():
    simulation = hybridsim.Simulation("slip", **RUNNER)
    simulation.advance(1.0)
    report = verify(simulation.result())
    assert report.ok, str(report)


def test_a_run_that_left_its_chart_passes():
    run = hybridsim.simulate("slip", final_time=5.0, parameters={"k": 3000.0})
    assert run.status is hybridsim.Status.LEFT_CHART
    report = verify(run)
    assert report.ok, str(report)


def test_a_run_of_too_many_transitions_passes():
    report = verify(hybridsim.simulate("relay", final_time=10.0, max_transitions=7))
    assert report.ok, str(report)


def test_a_run_of_too_many_steps_passes():
    report = verify(hybridsim.simulate("slip", final_time=10.0, max_steps=100))
    assert report.ok, str(report)


def test_the_sliding_weight_is_the_one_that_holds_the_state_on_the_surface():
    run = simulate("slider")
    sliding = run.adjacent_chart >= 0
    # w (t - 1) + (1 - w) (t + 1) = 0
    np.testing.assert_allclose(run.sliding_weight[sliding], (1.0 + run.t[sliding]) / 2.0, rtol=1e-9)
    assert verify(run).ok


def test_a_run_against_another_parameter_is_no_solution():
    run = hybridsim.simulate("bouncing_ball", final_time=1.0)
    config = run.provenance["config"] | {"parameters": {"gravity": 9.80, "restitution": 0.5}}
    other = dataclasses.replace(run, parameters=config["parameters"], provenance=run.provenance | {"config": config})
    report = verify(other)
    assert not report.ok
    assert any("slope" in violation.what for violation in report.violations)


def test_a_violation_states_place_time_and_deviation():
    run = hybridsim.simulate("bouncing_ball", final_time=1.0)
    x = run.x.copy()
    x[2, 0] += 0.25
    violation = verify(dataclasses.replace(run, x=x)).violations[0]
    assert violation.place in ("row 1", "row 2", "event 0")
    assert violation.t in run.t
    assert "expected" in violation.what


@pytest.mark.parametrize("record", [1e-3, False])
def test_a_flow_that_chatters_on_a_jump_of_the_vector_field_is_not_decided(record):
    run = hybridsim.simulate(MODELS / "rubbing.py", final_time=0.0052, rtol=1e-6, atol=1e-8, record=record)
    report = verify(run)
    assert not report.ok
    assert not report.decided
    assert report.violations == []
    (gap,) = report.gaps
    assert gap.t == pytest.approx(0.005, abs=2e-5)  # v = 0.01 - 2 t + t^2 / 2: it would rest from here on
    assert "the slope of v changes from" in gap.what
    verdict, where, remedy, *_ = str(report).splitlines()
    assert "not decided" in verdict
    assert gap.place in where
    assert "needs a boundary" in remedy


def test_a_violation_decides_where_the_flow_cannot_be_followed():
    run = hybridsim.simulate(MODELS / "rubbing.py", final_time=0.0052, rtol=1e-6, atol=1e-8, record=1e-3)
    x = run.x.copy()
    x[2, 0] += 1e-3
    report = verify(dataclasses.replace(run, x=x))
    assert report.decided
    assert not report.ok
    assert report.violations[0].place in ("row 1", "row 2")
    assert len(report.gaps) == 1


def test_a_run_without_a_config_cannot_be_verified():
    run = hybridsim.simulate("bouncing_ball", final_time=1.0)
    with pytest.raises(ConfigError, match="which config"):
        verify(dataclasses.replace(run, provenance={}))


def test_a_model_that_is_gone_can_be_given(tmp_path):
    plugin = tmp_path / "slider.py"
    plugin.write_text((MODELS / "slider.py").read_text())
    run = hybridsim.simulate(plugin, final_time=1.5)
    plugin.unlink()
    with pytest.raises(ConfigError, match="--model"):
        verify(run)
    assert verify(run, MODELS / "slider.py").ok


def test_a_plugin_that_has_changed_since_the_run_is_noted(tmp_path):
    plugin = tmp_path / "slider.py"
    plugin.write_text((MODELS / "slider.py").read_text())
    run = hybridsim.simulate(plugin, final_time=1.5)
    assert verify(run).notes == []
    plugin.write_text(plugin.read_text() + "\n")
    with pytest.raises(ConfigError, match=r"has changed since the run, .*model="):
        verify(run)
    report = verify(run, plugin)
    assert report.ok
    assert "has changed since the run" in report.notes[0]


def test_a_report_omits_checks_of_what_the_run_does_not_contain():
    text = str(verify(hybridsim.simulate("slip", **RUNNER, final_time=1.0)))
    assert "a solution of its model" in text
    assert not any(word in text for word in ("slides", "touches", "accumulations"))
    assert "slides" in str(verify(simulate("slider")))


@pytest.fixture
def edited(tmp_path):
    """The file of a run whose plug-in has been edited since: a function of the edit."""

    def edit(old, new):
        plugin = tmp_path / "drag.py"
        plugin.write_text((MODELS / "drag.py").read_text())
        hybridsim.simulate(plugin, final_time=0.3).save(tmp_path / "run.h5")
        plugin.write_text(plugin.read_text().replace(old, new))
        return tmp_path / "run.h5"

    return edit


def test_a_renamed_state_is_reported_with_the_file_of_the_run_and_the_edit(edited):
    path = edited('"v"', '"speed"')
    with pytest.raises(ConfigError) as caught:
        verify(path, path.with_name("drag.py"))
    assert f"{path}: /config" in caught.value.problems[0]
    assert "has changed since the run" in caught.value.problems[-1]


def test_a_plugin_that_is_broken_is_not_reported_as_missing(edited):
    path = edited("def transition", "def transition(")
    trusted = allow_also(hashes_of([str(path.with_name("drag.py"))]))
    with trusted, pytest.raises(ConfigError, match="is broken") as caught:
        verify(path)
    assert "not here" not in str(caught.value)
    assert "has changed since the run" in str(caught.value)


def test_the_edit_is_noted_before_the_violations(edited):
    path = edited("-9.81", "-9.80")
    lines = verify(path, path.with_name("drag.py")).lines()
    assert "has changed since the run" in lines[1]
    assert lines[2].startswith("  ")


@pytest.mark.parametrize("name", ["events/kind", "events/t", "x"])
def test_an_array_that_is_missing_in_the_file_is_named(edited, name):
    path = edited("", "")
    with h5py.File(path, "a") as file:
        del file[name]
    with pytest.raises(ConfigError, match=f"/{name} missing"):
        verify(path)


def test_attributes_that_are_missing_in_the_file_are_named(edited):
    path = edited("", "")
    with h5py.File(path, "a") as file:
        x = file["x"][()]
        names = file["x"].attrs["names"]
        del file["x"]
        file["x"] = x
        file["x"].attrs["names"] = names
    assert any("continuous of x: is missing" in str(violation) for violation in verify(path).violations)
    with h5py.File(path, "a") as file:
        del file["events/boundaries"].attrs["names"]
    with pytest.raises(ConfigError, match="names of /events/boundaries missing"):
        verify(path)


def test_a_folder_is_reported_as_one(edited):
    path = edited("", "")
    with pytest.raises(ConfigError, match="this is a folder") as caught:
        verify(path.parent)
    assert str(path) in str(caught.value)
