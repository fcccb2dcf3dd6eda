import json
import subprocess
import sys

import pytest

COMMANDS = ["run", "sweep", "plot", "linearize", "equilibrium", "models", "check", "new", "schema"]


def test_the_command_line_starts_without_heavy_imports():
    heavy = "{'numpy', 'scipy', 'numba', 'pydantic', 'h5py', 'matplotlib', 'yaml'}"
    code = f"import sys, hybridsim.cli.main; found = {heavy} & set(sys.modules); sys.exit(str(found) if found else 0)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=120).returncode == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_every_help_page_has_an_example(hybridsim, command):
    outcome = hybridsim(command, "--help")
    assert outcome.code == 0
    assert f"hybridsim {command}" in outcome.out.split("Examples:")[1]


def test_the_version_is_printed(hybridsim):
    assert hybridsim("--version").out.startswith("hybridsim 0.")


def test_an_unknown_command_exits_with_2(hybridsim):
    assert hybridsim("simulate").code == 2


def test_models_lists_what_is_installed(hybridsim):
    outcome = hybridsim("models")
    assert outcome.code == 0
    assert any(line.startswith("slip ") for line in outcome.out.splitlines())


def test_a_model_is_described_by_what_a_config_can_name(hybridsim):
    lines = hybridsim("models", "slip").out.splitlines()
    for start in ("touchdown_angle", "spri", "compression", "apex", "leg_force"):
        assert any(line.startswith(start) for line in lines), start
    assert any(line.startswith("body_mass") and "80.0" in line and "kg" in line for line in lines)


def test_an_unknown_model_gets_a_suggestion(hybridsim):
    outcome = hybridsim("models", "slipp")
    assert outcome.code == 2
    assert "did you mean `slip`" in outcome.err


def test_a_good_config_is_fine(hybridsim, ball):
    outcome = hybridsim("check", "ball.yaml")
    assert outcome.code == 0
    assert "hybridsim run ball.yaml" in outcome.out


def test_every_problem_of_a_config_is_reported(hybridsim, ball):
    (ball / "bad.yaml").write_text("model: slip\nfinal_time: soon\nparameters: {kk: 1}\n")
    outcome = hybridsim("check", "bad.yaml")
    assert outcome.code == 2
    assert [line.split(": ")[0] for line in outcome.err.splitlines()] == ["bad.yaml:2:1", "bad.yaml:3:14"]


def test_a_config_that_starts_outside_its_chart_is_refused(hybridsim, ball):
    (ball / "low.yaml").write_text((ball / "ball.yaml").read_text().replace("y: 1", "y: -1"))
    assert hybridsim("check", "low.yaml").code == 2


@pytest.mark.exhaustive  # the unpacked wheel checks one in `tests/packaging`
def test_an_installed_model_can_be_checked_by_name(hybridsim):
    assert hybridsim("check", "slip").out.startswith("slip: fine")


def test_a_new_plugin_passes_its_check_and_runs_at_once(hybridsim, tmp_path):
    outcome = hybridsim("new", "hopper")
    assert outcome.code == 0
    assert "hybridsim run hopper.yaml" in outcome.out
    assert hybridsim("check", "hopper.py").code == 0
    assert hybridsim("run", "hopper.yaml").code == 0
    assert (tmp_path / "hopper.h5").exists()


def test_a_new_plugin_overwrites_nothing(hybridsim, tmp_path):
    (tmp_path / "hopper.yaml").write_text("mine")
    outcome = hybridsim("new", "hopper")
    assert outcome.code == 2
    assert "hopper.yaml exists" in outcome.err
    assert not (tmp_path / "hopper.py").exists()


@pytest.mark.parametrize("name", ["2legs", "my-hopper", "class", "a/b", "hüpfer"])
def test_a_model_is_named_by_an_identifier(hybridsim, tmp_path, name):
    assert hybridsim("new", name).code == 2
    assert [*tmp_path.iterdir()] == []


def test_the_schema_is_json(hybridsim):
    assert "final_time" in json.loads(hybridsim("schema").out)["properties"]


def test_a_run_is_drawn_next_to_its_file(hybridsim, ball):
    hybridsim("run", "ball.yaml")
    outcome = hybridsim("plot", "ball.h5")
    assert outcome.code == 0
    assert (ball / "ball.png").read_bytes().startswith(b"\x89PNG")


def test_a_part_of_a_run_and_its_charts_are_drawn(hybridsim, ball):
    hybridsim("run", "ball.yaml")
    outcome = hybridsim("plot", "ball.h5", "y", "chart", "--from", "0.2", "--to", "0.6", "-o", "part.svg")
    assert outcome.code == 0
    assert "<!-- chart -->" in (ball / "part.svg").read_text()
    outcome = hybridsim("plot", "ball.h5", "--from", "3")
    assert outcome.code == 2
    assert "--from, --to: expected a part of the run, which goes from 0 s to 1 s" in outcome.err


def test_portraits_and_curves_over_time_do_not_share_a_picture(hybridsim, ball):
    hybridsim("run", "ball.yaml")
    assert hybridsim("plot", "ball.h5", "y:v").out == "wrote ball.png\n"
    assert hybridsim("plot", "ball.h5", "y:v").out == "wrote ball.png (replaced)\n"
    refused = hybridsim("plot", "ball.h5", "y:v", "y")
    assert refused.code == 2
    assert "y is drawn over time, and y:v is a phase portrait; draw two pictures" in refused.err


def test_what_is_no_run_is_not_drawn(hybridsim, ball):
    (ball / "ball.h5").write_text("none")
    outcome = hybridsim("plot", "ball.h5")
    assert outcome.code == 2
    assert "not an HDF5 file" in outcome.err
