"""RHexLib's symbols of walking and of experiments in rc files."""

import itertools
from pathlib import Path

import pytest

from hybridsim.config import load_config
from hybridsim.config.sweep import load_sweep_config
from hybridsim.errors import ConfigError
from hybridsim.sweeps import run_sweep

CONFIGS = Path(__file__).parents[2] / "configs/hexapod"
WALK = """
walk_kp = { 24.03 24.03 24.03 24.03 24.03 24.03 };
walk_speeds = { 0.0 1.0 2.0 3.0 };
walk_cpg_period = { 0.9 0.8 0.53 0.53 };
walk_duty_factor = { 0.6875 0.69 0.6226 0.56 };
walk_sweep_angle = { 0.6 0.6109 0.6981 0.6981 };
walk_leg_offset_forward = { -0.15 -0.15 -0.175 -0.175 };
walk_leg_offset_backward = { 0.12 0.15 0.15 0.14 };
"""
EXPERIMENT = """
walkexp_repeats = 2;
walkexp_cpgperiod_range = { 2 0.5 0.8 };
walkexp_sweepangle_range = { 1.0 0.7 0.7 };
walkexp_dutyfactor_range = { 2 0.6 0.7 };
walkexp_legoffset_range = { 3 -0.1 0.1 };
walkexp_turnoffset_range = { 1.0 0.113 0.113 };
"""


@pytest.fixture
def rc(tmp_path, monkeypatch):
    """Write an rc file of that text; return its name."""
    monkeypatch.chdir(tmp_path)

    def write(text):
        Path("walk.rc").write_text(text)
        return "walk.rc"

    return write


@pytest.mark.parametrize("speed", [0, 1, 2, 3])
def test_the_speeds_of_rhexlib_are_the_settings_that_ship(rc, speed):
    config = load_config(rc(WALK), [f"walk_speed={speed}"])
    shipped = load_config(CONFIGS / f"speed-{speed}.yaml")
    for name in ("t_c", "t_s", "phi_s", "phi_o"):
        assert config.inputs[name] == pytest.approx(shipped.inputs[name], rel=1e-6)
    assert config.inputs["smooth"] == 0.0
    assert config.parameters["k_p"] == 24.03
    assert config.notes == ()
    assert config.origins["inputs.t_s"].startswith("walk.rc:5:")


def test_between_two_speeds_the_lists_are_interpolated(rc):
    config = load_config(rc(WALK + "walk_smooth_factor = { 0.1 0.2 0.3 0.4 };"), ["walk_speed=1.5"])
    assert config.inputs["t_c"] == pytest.approx(0.5 * (0.8 + 0.53))
    assert config.inputs["t_s"] == pytest.approx(0.5 * (0.8 + 0.53) * 0.5 * (0.69 + 0.6226))
    assert config.inputs["smooth"] == pytest.approx(0.25)


def test_without_a_choice_it_walks_at_full_speed_and_a_symbol_of_simsect_replaces_a_number(rc):
    config = load_config(rc(WALK + "phi_o = -0.1;"), ["k_p=20"])
    assert config.inputs["t_c"] == 0.53
    assert config.inputs["t_s"] == pytest.approx(0.56 * 0.53)
    assert config.inputs["phi_o"] == -0.1
    assert config.parameters["k_p"] == 20.0


def test_backward_has_offsets_of_its_own(rc):
    config = load_config(rc(WALK + 'gait = "backward";'), ["walk_speed=0"])
    assert config.inputs["phi_o"] == 0.12


@pytest.mark.parametrize(
    ("text", "override", "message"),
    [
        ("walk_cpg_period = { 0.9 0.8 };", "g=9.81", "walk.rc:1:1: walk_cpg_period: expected rising numbers in"),
        (WALK + "walk_speeds = { 1 0 2 3 };", "g=9.81", "walk.rc:9:1: walk_speeds: expected rising numbers"),
        (WALK + "walk_sweep_angle = { 0.6 };", "g=9.81", "walk.rc:9:1: walk_sweep_angle: expected 4 numbers, as many"),
        (WALK, "walk_speed=4", "walk_speed: expected a number from 0 to 3, as in walk_speeds, found 4"),
        (WALK, "walk_speed=true", "walk_speed: expected a number from 0 to 3, as in walk_speeds, found True"),
        (WALK, "walkexp_kp_range={ 3 1 2 }", "walkexp_kp_range: expected a list of numbers; write `{ 3 0.5 0.8 }`, as"),
        (
            "walkexp_kp_range = { 2000000 1 2 };",
            "g=9.81",
            "walkexp_kp_range: expected { number-of-values from to }, 1 to",
        ),
        ("walk_kd = { 1 1 1 1 1 2 };", "g=9.81", "walk.rc:1:1: walk_kd: expected the same number for each leg"),
        ("walkexp_kp_range = { 2.5 1 2 };", "g=9.81", "walkexp_kp_range: expected { number-of-values from to }"),
        (WALK + "walk_duty_factor = { 0.5 0.5 0.5 1.5 };", "g=9.81", "walk_duty_factor: expected duty factors between"),
        ("walkexp_dutyfactor_range = { 2 0.6 60 };", "g=9.81", "found 60"),
        ("walkexp_kp_range = { 2 1 };", "g=9.81", "walkexp_kp_range: expected { number-of-values from to }"),
        ('walkexp_kp_range = "high";', "g=9.81", "walkexp_kp_range: expected a list of numbers"),
    ],
)
def test_what_is_wrong_with_a_list_is_said(rc, text, override, message):
    with pytest.raises(ConfigError) as failure:
        load_config(rc(text), [override])
    assert message in str(failure.value)


def test_the_ranges_of_an_experiment_are_the_rows_of_a_sweep(rc):
    sweep = load_sweep_config(rc(WALK + EXPERIMENT))
    columns = {axis.key.removeprefix("inputs."): axis.values for factor in sweep.factors for axis in factor}
    combinations = itertools.product((-0.1, 0.0, 0.1), (0.6, 0.7), (0.5, 0.8))
    expected = [(t_c, duty * t_c, phi_o) for phi_o, duty, t_c in combinations]
    assert list(zip(columns["t_c"], columns["t_s"], columns["phi_o"], strict=True)) == [
        pytest.approx(row) for row in expected
    ]
    assert set(columns) == {"t_c", "t_s", "phi_o"}
    assert sweep.run.inputs["phi_s"] == 0.7  # a range of one value
    unused = " ".join(note for note in sweep.run.notes if "is not used" in note)
    assert "walkexp_repeats" in unused
    assert "walkexp_turnoffset_range" in unused


def test_one_run_of_an_experiment_has_the_values_outside_the_ranges_and_says_that_it_is_a_sweep(rc):
    config = load_config(rc(WALK + EXPERIMENT), ["walk_speed=0"])
    assert [config.inputs[name] for name in ("t_c", "phi_s", "phi_o")] == [0.9, 0.7, -0.15]
    assert config.inputs["t_s"] == pytest.approx(0.6875 * 0.9)
    assert any("`hybridsim sweep CONFIG` computes all runs" in note for note in config.notes)


def test_what_a_row_sets_is_a_column_if_a_single_run_has_another_value(rc):
    sweep = load_sweep_config(rc("t_c = 0.6; walkexp_dutyfactor_range = { 2 0.6 0.7 };"))
    columns = {axis.key.removeprefix("inputs."): list(axis.values) for factor in sweep.factors for axis in factor}
    assert columns == {"t_c": [0.53, 0.53], "t_s": [pytest.approx(0.6 * 0.53), pytest.approx(0.7 * 0.53)]}
    assert "walk.rc:1:1: t_c: in a sweep the ranges of the experiment replace it" in sweep.run.notes


def test_a_mistyped_symbol_gets_a_hint_and_the_others_of_rhexlib_do_not(rc):
    notes = load_config(rc("walkexp_cpg_period_range = { 2 0.5 0.8 }; walkexp_turnoffset_range = { 1 0 0 };")).notes
    assert any("did you mean `walkexp_cpgperiod_range`?" in note for note in notes)
    assert not any("mean" in note for note in notes if "turnoffset" in note)


def test_an_experiment_runs(rc, tmp_path):
    sweep = load_sweep_config(
        rc("walkexp_cpgperiod_range = { 2 0.5 0.8 };"), ["final_time=0.05", "metrics.y=final(r_y)"]
    )
    outcome = run_sweep(sweep, tmp_path / "results")
    assert (outcome.finished, dict(outcome.statuses)) == (2, {"FINAL_TIME": 2})


def test_a_model_that_does_not_walk_like_rhexlib_does_not_use_its_symbols(rc):
    config = load_config(rc('systemName = "slip";' + WALK))
    assert any("these symbols are not used" in note and "walk_speeds" in note for note in config.notes)
