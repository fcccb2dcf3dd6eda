"""Honest runs pass: bundled models and those of this folder, by every method, at any tolerance, however recorded."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import hybridsim
from hybridsim.errors import ConfigError
from hybridsim.verification import verify

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
    "tides": {"final_time": 20.0, "touch_precision": 1e-3},
}


def simulate(name, **keywords):
    plugin = MODELS / f"{name}.py"
    return hybridsim.simulate(plugin if plugin.exists() else name, **RUNS[name], **keywords)


@pytest.mark.parametrize("record", [True, 0.01, False], ids=["every_step", "sampled", "events_only"])
@pytest.mark.parametrize("name", RUNS)
def test_an_honest_run_passes_by_every_method_at_any_tolerance(name, record):
    for method in ("dp5", "tsit5", "dop853", "rk4_adaptive"):
        for rtol in (1e-5, 1e-8, 1e-12):
            run = simulate(name, record=record, method=method, rtol=rtol, atol=1e-2 * rtol)
            report = verify(run)
            assert report.ok, f"{method}, {rtol}: {report}"


@pytest.mark.parametrize("record", [True, 0.01, False], ids=["every_step", "sampled", "events_only"])
@pytest.mark.parametrize("name", [name for name in RUNS if name != "table"])
def test_an_honest_run_with_fixed_steps_passes(name, record):
    report = verify(simulate(name, record=record, method="rk4", first_step=2e-3))
    assert report.ok, str(report)


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


def test_the_share_of_a_slide_is_the_one_that_holds_it_on_its_surface():
    run = simulate("slider")
    sliding = run.other >= 0
    # w (t - 1) + (1 - w) (t + 1) = 0
    np.testing.assert_allclose(run.weight[sliding], (1.0 + run.t[sliding]) / 2.0, rtol=1e-9)
    assert verify(run).ok


def test_a_run_against_another_parameter_is_no_solution():
    run = hybridsim.simulate("bouncing_ball", final_time=1.0)
    config = run.provenance["config"] | {"parameters": {"gravity": 9.80, "restitution": 0.5}}
    other = dataclasses.replace(run, parameters=config["parameters"], provenance=run.provenance | {"config": config})
    report = verify(other)
    assert not report.ok
    assert any("slope" in violation.what for violation in report.violations)


def test_a_violation_says_where_when_what_and_how_much():
    run = hybridsim.simulate("bouncing_ball", final_time=1.0)
    x = run.x.copy()
    x[2, 0] += 0.25
    violation = verify(dataclasses.replace(run, x=x)).violations[0]
    assert violation.place in ("row 1", "row 2", "event 0")
    assert violation.t in run.t
    assert "expected" in violation.what


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
    report = verify(run)
    assert report.ok
    assert "has changed since the run" in report.notes[0]
