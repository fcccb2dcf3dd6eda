import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from hybridsim.config.sweep import load_sweep_config
from hybridsim.sweeps import load_sweep

from waiting import until

SWEEPS = sorted((Path(__file__).parents[2] / "configs" / "sweeps").glob("*.yaml"))


def fifth_touch(restitution, height, gravity=9.81):
    """t1 (1 + e - 2 e^n) / (1 - e), with t1 = sqrt(2 h / g) and n = 5."""
    return np.sqrt(2.0 * height / gravity) * (1.0 + restitution - 2.0 * restitution**5) / (1.0 - restitution)


def test_a_sweep_goes_to_a_folder_named_after_its_config(hybridsim, balls):
    outcome = hybridsim("sweep", "balls.yaml")
    assert outcome.code == 0
    assert sorted(path.name for path in balls.iterdir()) == ["ball.yaml", "balls", "balls.yaml"]
    table = pd.read_parquet(balls / "balls")
    assert table["row"].tolist() == list(range(6))
    expected = fifth_touch(np.repeat([0.2, 0.4, 0.6], 2), np.tile([1.0, 2.0], 3))
    reached = expected < 1.0  # where the run ends at the latest
    np.testing.assert_allclose(table["fifth"][reached], expected[reached], rtol=1e-9)
    assert table["fifth"][~reached].isna().all()
    assert table["status"].tolist() == ["STOPPED" if stopped else "FINAL_TIME" for stopped in reached]
    assert f"{reached.sum()} STOPPED: reached a stop that was asked for" in outcome.out
    assert f"{(~reached).sum()} FINAL_TIME: reached the final time" in outcome.out
    assert "3 parts" in outcome.out
    assert "hybridsim plot balls" in outcome.out


def test_overrides_choose_axes_and_folder(hybridsim, balls):
    assert hybridsim("sweep", "balls.yaml", "sweep.axes.restitution=[0.5]", "output.folder=deep/results").code == 0
    assert load_sweep(balls / "deep" / "results").n_rows == 2
    assert hybridsim("sweep", "-c", "balls.yaml", "output.base=named").code == 0
    assert load_sweep(balls / "named").n_rows == 6


def test_the_current_folder_is_used_where_it_is_named_and_empty(hybridsim, balls, monkeypatch):
    refused = hybridsim("sweep", "balls.yaml", "output.folder=.")
    assert refused.code == 2
    assert "ball.yaml: not a part of this sweep" in refused.err
    assert "choose another folder" in refused.err
    (balls / "empty").mkdir()
    monkeypatch.chdir(balls / "empty")
    assert hybridsim("sweep", "../balls.yaml", "output.folder=.").code == 0
    assert load_sweep(balls / "empty").table.num_rows == 6


def test_the_config_in_a_folder_is_that_of_a_sweep_into_a_folder_of_this_name(hybridsim, balls, monkeypatch):
    assert hybridsim("sweep", "balls.yaml", "output.folder=deep/results").code == 0
    (balls / "elsewhere").mkdir()
    monkeypatch.chdir(balls / "elsewhere")
    assert hybridsim("sweep", "../deep/results/_config.yaml").code == 0
    assert [path.name for path in (balls / "elsewhere").iterdir()] == ["results"]
    assert load_sweep("results").table.equals(load_sweep(balls / "deep" / "results").table)
    monkeypatch.chdir(balls / "deep")
    assert hybridsim("sweep", "results/_config.yaml", "--resume").code == 0  # into itself: nothing is left to do
    assert [path.name for path in (balls / "deep").iterdir()] == ["results"]


def test_a_run_is_not_written_into_the_folder_of_a_sweep(hybridsim, balls):
    assert hybridsim("sweep", "balls.yaml").code == 0
    before = sorted((balls / "balls").iterdir())
    refused = hybridsim("run", "balls.yaml", "output.folder=balls")
    assert refused.code == 2
    assert "holds the results of a sweep" in refused.err
    assert sorted((balls / "balls").iterdir()) == before


def test_a_value_that_an_axis_replaces_is_noted(hybridsim, balls):
    outcome = hybridsim("sweep", "balls.yaml", "parameters.restitution=0.3", "--dry-run")
    assert "note: command line: parameters.restitution: varies in sweep.axes.restitution" in outcome.err
    assert hybridsim("sweep", "balls.yaml", "--dry-run").err == ""


def test_the_command_that_goes_on_has_the_options_of_this_one(hybridsim, balls, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("hybridsim.sweeps.run_sweep", interrupt)
    given = ("balls.yaml", "final_time=2", "--workers", "2", "--keep-runs", "0,failed")
    assert hybridsim("sweep", *given).err.rstrip().endswith(f"hybridsim sweep {' '.join(given)} --resume")
    given = ("balls.yaml", "--cluster", "local:2")
    assert hybridsim("sweep", *given).err.rstrip().endswith(f"hybridsim sweep {' '.join(given)} --resume")


def test_results_are_not_overwritten_but_resumed(hybridsim, balls):
    assert hybridsim("sweep", "balls.yaml", "--resume").code == 0  # where there is nothing yet, it begins
    parts = sorted((balls / "balls").glob("part-*"))
    bits = [part.read_bytes() for part in parts]
    refused = hybridsim("sweep", "balls.yaml")
    assert refused.code == 2
    assert "--resume" in refused.err
    parts[1].unlink()
    resumed = hybridsim("sweep", "balls.yaml", "--resume", "--workers", "1")
    assert resumed.code == 0
    assert "2 of them now" in resumed.out
    assert [part.read_bytes() for part in parts] == bits
    changed = hybridsim("sweep", "balls.yaml", "--resume", "parameters.gravity=1.62")
    assert changed.code == 2
    assert "gravity" in changed.err


def test_a_dry_run_shows_the_plan_and_computes_nothing(hybridsim, balls):
    outcome = hybridsim("sweep", "balls.yaml", "--dry-run")
    assert outcome.code == 0
    assert "6, in 3 parts of 2 rows" in outcome.out
    assert "parameters.restitution: 3 values from 0.2 to 0.6" in outcome.out
    assert "initial.y: 2 values from 1 to 2 m" in outcome.out
    assert "fifth: time(floor, 5) [s]" in outcome.out
    lines = [line.split() for line in outcome.out.splitlines()]
    assert ["0", "0.2", "1"] in lines
    assert ["5", "0.6", "2"] in lines
    assert not (balls / "balls").exists()


def test_a_range_on_the_command_line_is_an_axis_new_or_in_place_of_the_files(hybridsim, balls):
    replaced = hybridsim("sweep", "balls.yaml", "parameters.restitution=0.3..0.5:5", "gravity=9..10:2", "--dry-run")
    assert "20, in " in replaced.out
    assert "parameters.restitution: 5 values from 0.3 to 0.5" in replaced.out
    assert "parameters.gravity: 2 values from 9 to 10" in replaced.out
    given = ("bouncing_ball", "y=1..2:3", "final_time=0.5", "output.folder=../" + balls.name + "/ranges")
    assert hybridsim("sweep", *given).code == 0
    assert load_sweep("ranges").table["y"].to_pylist() == [1.0, 1.5, 2.0]
    assert load_sweep("ranges").table["final(t)"].to_pylist() == [0.5] * 3
    angles = hybridsim("sweep", "slip", "touchdown_angle=-50 deg..-10 deg:3", "final_time=1", "--dry-run")
    assert "initial.touchdown_angle: 3 values from -50 to -10 deg" in angles.out


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("y=1..2", "y: expected how many values, FROM..TO:N; write for example parameters.k=15e3..25e3:40"),
        ("y=1..2:1", "y: expected FROM..TO or FROM..TO:N, with at least two values, found '1..2:1'"),
        ("y=..2:3", "y: expected FROM..TO or FROM..TO:N, with at least two values, found '..2:3'"),
        ("z=1..2:3", "there is no 'z' to vary"),
        ("y=a..2:3", "sweep.axes.y: "),
    ],
)
def test_a_range_that_is_none_is_refused_in_words(hybridsim, balls, word, message):
    refused = hybridsim("sweep", "bouncing_ball", word, "final_time=0.5")
    assert refused.code == 2
    assert message in refused.err.replace("\n", " ")


def test_a_former_option_leads_to_the_present_one(hybridsim, balls):
    refused = hybridsim("sweep", "balls.yaml", "--threads", "2")
    assert refused.code == 2
    assert "--workers" in refused.err


def test_a_plan_shows_angles_in_degrees_and_its_ends_alone(hybridsim):
    config = next(path for path in SWEEPS if path.stem == "slip-steps-to-fall")
    outcome = hybridsim("sweep", str(config), "--dry-run")
    assert "initial.touchdown_angle: 100 values from -50 to -10 deg" in outcome.out
    rows = outcome.out[outcome.out.index("row  ") :].splitlines()
    assert len(rows) == 1 + 3 + 1 + 3
    assert rows[-1].split() == ["9999", "50000", "-10"]


def test_chosen_runs_are_kept_and_can_be_drawn_and_verified(hybridsim, balls):
    outcome = hybridsim("sweep", "balls.yaml", "--keep-runs", "0,4-5")
    assert outcome.code == 0
    files = sorted((balls / "balls" / "_runs").iterdir())
    assert [int(file.stem.split("-")[1]) for file in files] == [0, 4, 5]
    assert str(files[0].relative_to(balls)) in outcome.out
    assert hybridsim("verify", str(files[0])).code == 0
    assert hybridsim("plot", str(files[0]), "-o", "kept.png").code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["balls.yaml", "sweep.axes.restitutoin=[1]"], "did you mean"),
        (["balls.yaml", "sweep.axes.y=[]"], "sweep.axes.y"),
        (["balls.yaml", "sweep.axes.restitution=[2]"], "restitution"),
        (["balls.yaml", "sweep.axes.y=linspace(1)"], "linspace(a, b, n)"),
        (["balls.yaml", "metrics.top=mox(y)"], "did you mean `max`"),
        (["balls.yaml", "metrics.top=count(flor)"], "did you mean `floor`"),
        (["balls.yaml", "engine.max_wall_time=1"], "max_wall_time"),
        (["balls.yaml", "--workers", "0"], "workers"),
        (["balls.yaml", "--workers", "1", "--cluster", "local:1"], "workers"),
        (["balls.yaml", "--cluster", "local:none"], "local:"),
        (["balls.yaml", "--keep-runs", "6"], "0 to 5"),
        (["balls.yaml", "--keep-runs", "some"], "keep_runs"),
        (["balls.yaml", "--keep-runs", ""], "keep_runs: ''"),
        (["balls.yaml", "--cluster", "foo"], "cluster: expected an address"),
        (["balls.yaml", "output.folder=/proc"], "output.folder"),
        (["ball.yaml"], "sweep"),
        (["nothing.yaml"], "nothing.yaml"),
        (["balls.yaml", "ball.yaml"], "expected one config"),
        ([], "expected a config; write hybridsim sweep CONFIG"),
    ],
)
def test_bad_input_is_one_message_exit_code_2_and_nothing_computed(hybridsim, balls, arguments, message):
    outcome = hybridsim("sweep", *arguments)
    assert outcome.code == 2
    assert message in outcome.err
    assert outcome.out == ""
    assert sorted(path.name for path in balls.iterdir()) == ["ball.yaml", "balls.yaml"]


@pytest.mark.skipif(os.name == "nt", reason="no signals to another process")
@pytest.mark.parametrize("sent", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.exhaustive)])
def test_an_interrupted_sweep_keeps_its_parts_and_prints_how_to_continue(balls, sent):
    """Two runs, one after another: the second would take 1e15 steps, so that only the engine itself can end it."""
    (balls / "throw.yaml").write_text(
        "model: projectile\nengine: {max_step: 1e-3}\n"
        "sweep: {axes: {final_time: [1, 1e12]}, block: 1}\nmetrics: [final(t), mean(y)]\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "hybridsim", "sweep", "throw.yaml", "--workers", "1"],
        cwd=balls,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        until(lambda: [*(balls / "throw").glob("part-*")])  # the first run on a machine compiles the engine
        time.sleep(0.2)  # now the second run goes on
        process.send_signal(sent)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 128 + sent, err
    assert "1 of 2" in out
    assert "interrupted; finished parts are kept in throw; continue with: hybridsim sweep throw.yaml" in err
    assert "--resume" in err
    assert load_sweep(balls / "throw").table["final(t)"].to_pylist() == [1.0]


def test_a_config_with_a_sweep_is_checked_and_can_be_run_once(hybridsim, balls):
    checked = hybridsim("check", "balls.yaml")
    assert checked.code == 0
    assert checked.out == "balls.yaml: fine, 6 runs; next: hybridsim sweep balls.yaml\n"
    run = hybridsim("run", "balls.yaml")
    assert run.code == 0
    assert "hybridsim sweep" in run.err
    (balls / "bad.yaml").write_text((balls / "balls.yaml").read_text().replace("count(floor)", "count(flor)"))
    refused = hybridsim("check", "bad.yaml")
    assert refused.code == 2
    assert "did you mean `floor`" in refused.err


def test_an_extra_output_that_does_not_compile_is_found_by_check(hybridsim, balls):
    (balls / "wrong.py").write_text("def wrong(t, x, p, chart):\n    return undefined_name\n")
    with (balls / "balls.yaml").open("a") as file:
        file.write("  low: min(wrong)\n")
    text = (balls / "balls.yaml").read_text().replace("  block: 2", "  block: 2\n  extra_outputs: wrong.py")
    (balls / "balls.yaml").write_text(text)
    refused = hybridsim("check", "balls.yaml")
    assert refused.code == 2
    assert "wrong" in refused.err


SHORTENED = {"vibrating-table": ["final_time=6"]}
"""Every row of it, for less than its 40 s, of which it shows the second half."""


LONG = {"slip-uncertain", "hexapod-cost"}
"""A large model; and samples, of which `test_pushes_of_the_biped_end_standing_or_with_a_fall` makes some, too."""


@pytest.mark.members(2)
@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=pytest.mark.exhaustive if path.stem in LONG else ()) for path in SWEEPS],
    ids=lambda path: path.stem,
)
def test_every_sweep_that_ships_runs_and_can_be_drawn_and_run_once(hybridsim, tmp_path, path):
    outcome = hybridsim("sweep", str(path), *SHORTENED.get(path.stem, ()))
    assert outcome.code == 0, outcome.err
    results = load_sweep(tmp_path / path.stem)
    assert results.table.num_rows == results.n_rows
    assert set(results.statuses()) <= {"STOPPED", "FINAL_TIME", "LEFT_CHART"}
    assert hybridsim("plot", path.stem).code == 0
    assert hybridsim("run", str(path), "output.folder=run").code == 0


@pytest.mark.exhaustive  # `tests/physics/test_biped_recovery.py` pushes it
def test_pushes_of_the_biped_end_standing_or_with_a_fall(hybridsim, tmp_path):
    path = SWEEPS[0].parents[1] / "biped" / "pushes.yaml"
    outcome = hybridsim("sweep", str(path), "sweep.random.samples=2", "final_time=3")
    assert outcome.code == 0, outcome.err
    assert set(load_sweep(tmp_path / "pushes").statuses()) <= {"FINAL_TIME", "LEFT_CHART"}


def test_the_shipped_balls_bounce_as_the_formula_says(hybridsim, tmp_path):
    path = next(path for path in SWEEPS if path.stem == "ball-restitution")
    hybridsim("sweep", str(path))
    table = pq.read_table(tmp_path / "ball-restitution").to_pandas()
    np.testing.assert_allclose(table["fifth_touch"], fifth_touch(table["restitution"], 1.0), rtol=1e-9)


@pytest.mark.exhaustive  # another sweep that ships is run above
def test_the_shipped_map_is_that_of_the_thesis(hybridsim, tmp_path):
    """100 stiffnesses from 0 to 50 kN/m, 100 angles of attack from 40 to 80 degrees, at most 24 steps."""
    path = next(path for path in SWEEPS if path.stem == "slip-steps-to-fall")
    k, angle = load_sweep_config(path).axes
    np.testing.assert_allclose(k.values, np.linspace(0.0, 50e3, 100))
    np.testing.assert_allclose(90.0 + np.degrees(angle.values), np.linspace(40.0, 80.0, 100))
    hybridsim("sweep", str(path))
    table = pd.read_parquet(tmp_path / "slip-steps-to-fall")
    assert table["steps"].max() == 24
    assert (table["status"][table["steps"] == 24] == "STOPPED").all()
    assert (table["steps"][table["k"] == 0.0] == 1).all()  # without a spring, the first step is the last
    stable = table[table["steps"] == 24]
    share = len(stable) / len(table)
    assert 0.05 < share < 0.065  # about six per cent of the map
