import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from slow import BrokenRunner

from hybridsim import load_model, load_sweep_config
from hybridsim.config.sweep import sweep_from_keywords
from hybridsim.errors import ConfigError, ModelError
from hybridsim.sweeps import load_sweep, manifest, provenance, run_sweep

BALLS = """
model: bouncing_ball
final_time: 1
sweep:
  axes: {restitution: 'linspace(0.1, 0.9, 20)', y: 'linspace(0.2, 4, 15)'}
  block: 3
metrics: [count(floor), final(t), mean(y)]
"""


@pytest.fixture
def folder(balls, tmp_path):
    run_sweep(balls(), tmp_path / "balls")
    return tmp_path / "balls"


@pytest.mark.slow
def test_killed_ten_times_at_random_moments_the_results_are_those_of_an_undisturbed_sweep(tmp_path, content):
    (tmp_path / "balls.yaml").write_text(BALLS)
    environment = os.environ | {"PAUSE": "0.005"}
    victim = [sys.executable, Path(__file__).with_name("victim.py"), tmp_path, "7", "10"]
    lines = subprocess.run(
        victim, env=environment, capture_output=True, text=True, check=True, timeout=280
    ).stdout.splitlines()
    deaths, parts = zip(*(map(int, line.split()) for line in lines), strict=True)
    assert set(deaths) <= {0, 9}
    assert deaths.count(9) >= 3
    assert list(parts) == sorted(parts)
    config = load_sweep_config(tmp_path / "balls.yaml")
    outcome = run_sweep(config, tmp_path / "killed", resume=True)
    assert outcome.finished == 300
    run_sweep(config, tmp_path / "undisturbed")
    assert content(tmp_path / "killed") == content(tmp_path / "undisturbed")
    assert load_sweep(tmp_path / "killed").table.equals(load_sweep(tmp_path / "undisturbed").table)
    assert not [*(tmp_path / "killed").glob("_writing-*")]


def test_results_are_refused_without_resume(balls, folder, content):
    before = content(folder)
    with pytest.raises(ConfigError, match=r"holds results of a sweep; continue it with --resume"):
        run_sweep(balls(), folder)
    assert content(folder) == before


def test_resume_begins_where_there_is_nothing_and_computes_only_what_is_missing(balls, tmp_path, use_runner):
    assert run_sweep(balls(), tmp_path / "new", resume=True).computed == 30
    (tmp_path / "new" / "part-0000004-0000007.parquet").unlink()
    outcome = run_sweep(balls(), tmp_path / "new", resume=True)
    assert (outcome.computed, outcome.finished) == (4, 30)
    assert sum(outcome.statuses.values()) == 30
    use_runner(None)
    outcome = run_sweep(balls(), tmp_path / "new", resume=True)  # no engine where there is no work
    assert (outcome.computed, outcome.finished) == (0, 30)


def test_a_damaged_part_is_computed_again(balls, folder, content):
    before = content(folder)
    part = folder / "part-0000004-0000007.parquet"
    part.write_bytes(part.read_bytes()[:-100])
    outcome = run_sweep(balls(), folder, resume=True)
    assert outcome.computed == 4
    assert (
        "part-0000004-0000007.parquet: the part is damaged, or its values were altered; it is computed again"
        in outcome.notes[0]
    )
    assert content(folder) == before


def test_a_part_with_other_rows_is_refused(balls, folder):
    (folder / "part-0000000-0000003.parquet").write_bytes((folder / "part-0000004-0000007.parquet").read_bytes())
    with pytest.raises(ConfigError, match=r"part-0000000-0000003\.parquet: holds other rows or columns"):
        run_sweep(balls(), folder, resume=True)


def test_a_file_that_would_be_read_as_a_part_is_refused(balls, folder):
    table = pq.ParquetFile(folder / "part-0000000-0000003.parquet").read()
    pq.write_table(table, folder / "part-0000000-0000029.parquet")
    with pytest.raises(ConfigError, match=r"part-0000000-0000029\.parquet: not a part of this sweep"):
        run_sweep(balls(), folder, resume=True)


@pytest.mark.parametrize("stranger", ["notes.txt", "other.parquet", "sub/part-0000000-0000003.parquet"])
def test_a_folder_of_other_files_is_refused_and_left_as_it_was(balls, tmp_path, stranger):
    (tmp_path / stranger).parent.mkdir(exist_ok=True)
    (tmp_path / stranger).write_text("")
    (tmp_path / ".hidden").write_text("")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(ConfigError, match=r"not a part of this sweep, and would be read as one; .* another folder"):
        run_sweep(balls(), tmp_path)
    assert [path for path in sorted(tmp_path.rglob("*")) if path.name != "_lock"] == before


@pytest.mark.parametrize("there", [True, False])
def test_of_a_sweep_that_cannot_start_nothing_stays(balls, tmp_path, there, use_runner):
    folder = tmp_path / "out"
    if there:
        folder.mkdir()
    use_runner(BrokenRunner)
    for failing in ({}, {"cluster": "local:none"}):
        with pytest.raises((ConfigError, ModelError)):
            run_sweep(balls(), folder, **failing)
        assert folder.exists() == there
        assert not [*tmp_path.rglob("_*")]


def test_a_sweep_that_goes_on_and_fails_keeps_what_it_found(balls, folder, content, use_runner):
    (folder / "part-0000004-0000007.parquet").unlink()
    before = sorted(folder.iterdir())
    use_runner(BrokenRunner)
    with pytest.raises(ModelError):
        run_sweep(balls(), folder, resume=True)
    for part in content(folder):
        (folder / part).unlink()
    use_runner(BrokenRunner)
    with pytest.raises(ModelError):  # not even a config without any part: it may be the one that was given
        run_sweep(load_sweep_config(folder / "_config.yaml"), folder)
    assert sorted(folder.iterdir()) == [path for path in before if not path.name.startswith("part-")]


def test_its_config_names_no_folder_but_that_of_the_sweep(balls, folder):
    output = load_sweep_config(folder / "_config.yaml").run.output
    assert output.base == "balls"
    assert "folder" not in (folder / "_config.yaml").read_text()


def test_lists_of_values_of_another_sweep_are_cleaned_up(balls, tmp_path):
    many = {"axes": {"restitution": np.linspace(0.1, 0.9, 1200), "y": [1.0]}, "block": 1200}
    run_sweep(balls(**many), tmp_path)
    assert (tmp_path / "_parameters.restitution.npy").exists()
    for part in tmp_path.glob("part-*"):
        part.unlink()
    again = load_sweep_config(tmp_path / "_config.yaml")  # it reads its values from the file, and goes on naming it
    run_sweep(again, tmp_path)
    assert load_sweep_config(tmp_path / "_config.yaml").axes[0].values.tolist() == again.axes[0].values.tolist()
    for part in tmp_path.glob("part-*"):
        part.unlink()
    run_sweep(balls(), tmp_path)
    assert not [*tmp_path.glob("*.npy")]


@pytest.mark.exhaustive  # slow: a matter of time
@pytest.mark.slow
def test_resuming_does_not_wait_for_pandas(balls, folder):
    (folder / "part-0000004-0000007.parquet").unlink()
    there = str(folder)
    code = (
        "import sys\n"
        "from hybridsim.config.sweep import load_sweep_config\n"
        "from hybridsim.sweeps import run_sweep\n"
        f"config = load_sweep_config({there + '/_config.yaml'!r})\n"
        f"outcome = run_sweep(config, {there!r}, resume=True, keep_runs='5')\n"
        "assert (outcome.computed, len(outcome.kept)) == (4, 1), outcome\n"
        "sys.exit('pandas' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_what_a_killed_process_left_behind_is_cleaned_up(balls, folder):
    (folder / "_writing-1-part-0000000-0000003.parquet").write_text("half")
    run_sweep(balls(), folder, resume=True)
    assert not [*folder.glob("_writing-*")]


AXES = {"restitution": [0.1, 0.3, 0.5, 0.7, 0.8, 0.9], "y": "linspace(0.2, 4, 5)"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"axes": AXES | {"y": "linspace(0.2, 4, 6)"}}, r"axis y: number of values: it was 5 and is 6 now"),
        ({"axes": AXES | {"y": "linspace(0.2, 4.1, 5)"}}, r"axis y: last value: it was 4\.0 and is 4\.1 now"),
        ({"axes": AXES | {"y": "logspace(0.2, 4, 5)"}}, r"axis y: values \(a hash of them\)"),
        ({"axes": dict(reversed(AXES.items()))}, r"list of columns: it was \['restitution', 'y'"),
        ({"metrics": ["final(t)"]}, r"list of columns"),
        ({"block": 5}, r"number of rows in a part: it was 4 and is 5 now"),
        ({"final_time": 1.5}, r"final_time: it was 1\.0 and is 1\.5 now"),
        ({"parameters": {"gravity": 1.62}}, r"parameters\.gravity: it was 9\.81 and is 1\.62 now"),
        ({"initial": {"v": 0.5}}, r"initial\.v: it was 0\.0 and is 0\.5 now"),
        ({"rtol": 1e-6}, r"engine\.rtol: it was 1e-08 and is 1e-06 now"),
        ({"method": "tsit5"}, r"engine\.method: it was 'dp5' and is 'tsit5' now"),
        ({"stop": [("floor", 3)]}, r"stop: it was \[\] and is \["),
    ],
)
def test_the_message_for_a_changed_plan_names_what_has_changed(balls, folder, content, changes, message):
    before = content(folder)
    with pytest.raises(ConfigError, match=message) as refused:
        run_sweep(balls(**changes), folder, resume=True)
    assert "begin in another folder" in str(refused.value)
    assert content(folder) == before


def test_a_metric_that_means_something_else_under_the_same_name_is_noticed(balls, tmp_path):
    run_sweep(balls(metrics={"m": "max(y)"}), tmp_path)
    with pytest.raises(ConfigError, match=r"metrics\.m\.kind: it was 'max' and is 'min' now"):
        run_sweep(balls(metrics={"m": "min(y)"}), tmp_path, resume=True)


def test_what_touches_no_result_may_change(balls, folder):
    config = balls(record=False, parameters={"restitution": 0.77})  # an axis replaces it
    output = config.run.output.model_copy(update={"folder": "elsewhere"})
    run = dataclasses.replace(config.run, output=output, progress_period=0.5, view=True)
    assert run_sweep(dataclasses.replace(config, run=run), folder, resume=True, workers=1).computed == 0


def test_another_plugin_is_noticed(tmp_path):
    source = Path(__file__).parents[2] / "models" / "basics" / "bouncing_ball.py"
    plugin = tmp_path / "ball.py"
    plugin.write_text(source.read_text())
    (tmp_path / "ball.yaml").write_text("model: ./ball.py\nfinal_time: 1\nsweep: {axes: {y: [1, 2]}}\n")
    run_sweep(load_sweep_config(tmp_path / "ball.yaml"), tmp_path / "out")
    plugin.write_text(source.read_text().replace("-p[P.gravity]", "-0.5 * p[P.gravity]"))
    with pytest.raises(ConfigError, match="with another plug-in"):
        run_sweep(load_sweep_config(tmp_path / "ball.yaml"), tmp_path / "out", resume=True)


def test_another_helper_of_a_plugin_is_noticed_and_another_place_of_it_is_not(tmp_path):
    source = (Path(__file__).parents[2] / "models" / "basics" / "bouncing_ball.py").read_text()
    for place, factor in (("a", "1.0"), ("b", "1.0"), ("c", "2.0")):
        folder = tmp_path / place
        folder.mkdir()
        (folder / "pull.py").write_text(f"FACTOR = {factor}\n\n\ndef pull(p):\n    return -FACTOR * p\n")
        plugin = "from .pull import pull\n" + source.replace("-p[P.gravity]", "pull(p[P.gravity])")
        (folder / "ball.py").write_text(plugin)
        (folder / "ball.yaml").write_text("model: ./ball.py\nfinal_time: 1\nsweep: {axes: {y: [1, 2]}}\n")
    run_sweep(load_sweep_config(tmp_path / "a" / "ball.yaml"), tmp_path / "out")
    assert run_sweep(load_sweep_config(tmp_path / "b" / "ball.yaml"), tmp_path / "out", resume=True).computed == 0
    with pytest.raises(ConfigError, match="with another plug-in"):
        run_sweep(load_sweep_config(tmp_path / "c" / "ball.yaml"), tmp_path / "out", resume=True)


def test_another_constant_in_a_file_of_the_plugin_is_noticed_and_a_comment_is_not(tmp_path):
    source = Path(load_model("bouncing_ball").source).read_text()
    plugin = "from . import moon\n" + source.replace("-p[P.gravity]", "-moon.SHARE * p[P.gravity]")
    (tmp_path / "ball.py").write_text(plugin)
    given = ({"y": [1.0, 2.0]}, ["final(v)"])

    def compute(resume):
        run_sweep(sweep_from_keywords(tmp_path / "ball.py", *given, final_time=0.1), tmp_path / "out", resume=resume)

    (tmp_path / "moon.py").write_text("SHARE = 1.0\n")
    compute(resume=False)
    (tmp_path / "ball.py").write_text(plugin + "# a comment\n")
    compute(resume=True)
    (tmp_path / "moon.py").write_text("SHARE = 0.165\n")
    with pytest.raises(ConfigError, match="another plug-in"):
        compute(resume=True)


def test_another_declaration_of_a_plugin_is_noticed(tmp_path):
    source = Path(load_model("bouncing_ball").source).read_text()
    plugin = tmp_path / "ball.py"
    given = ({"y": [1.0, 2.0]}, ["final(v)"])
    plugin.write_text(source)
    run_sweep(sweep_from_keywords(plugin, *given, final_time=0.1), tmp_path / "out")
    assert "degree=1" in source
    plugin.write_text(source.replace("degree=1", "degree=2"))
    with pytest.raises(ConfigError, match="another plug-in"):
        run_sweep(sweep_from_keywords(plugin, *given, final_time=0.1), tmp_path / "out", resume=True)


def test_another_file_of_extra_outputs_is_noticed(balls, tmp_path):
    file = tmp_path / "double.py"
    given = {"metrics": ["max(double)"], "extra_outputs": file}
    file.write_text("def double(t, x, p, chart):\n    return 2.0 * x[0]\n")
    run_sweep(balls(**given), tmp_path / "out")
    file.write_text("def double(t, x, p, chart):\n    return 2.5 * x[0]\n")
    with pytest.raises(ConfigError, match="another file of extra outputs"):
        run_sweep(balls(**given), tmp_path / "out", resume=True)


@pytest.mark.parametrize(
    ("what", "value", "message"),
    [
        (
            "compiler_target",
            lambda: {"cpu": "i386", "features": "0"},
            r"CPU: it was '\w[^']*' and is 'i386' now; set .*NUMBA_CPU_NAME",
        ),
        ("engine_hash", lambda: "0123", "another engine"),
    ],
)
def test_another_machine_or_engine_is_noticed(balls, folder, monkeypatch, what, value, message):
    monkeypatch.setattr(provenance, what, value)
    with pytest.raises(ConfigError, match=message):
        run_sweep(balls(), folder, resume=True)


def test_another_version_is_noticed_where_it_matters(balls, folder, monkeypatch):
    monkeypatch.setattr(provenance.pa, "__version__", "0.1")
    assert run_sweep(balls(), folder, resume=True).computed == 0
    monkeypatch.setattr(provenance.target, "numba_version", lambda: "0.1")
    with pytest.raises(ConfigError, match=r"versions\.numba: it was '[\d.]+' and is '0\.1' now"):
        run_sweep(balls(), folder, resume=True)


def test_parts_without_a_plan_are_refused(balls, folder):
    (folder / manifest.PLAN_FILE).unlink()
    with pytest.raises(ConfigError, match=r"_plan\.yaml: there is no such file with the parts"):
        run_sweep(balls(), folder, resume=True)


@pytest.mark.parametrize("content", ["", "[1, 2]", "a: b: c", "format: another\n", "\0"])
def test_a_damaged_plan_is_refused(balls, folder, content):
    (folder / manifest.PLAN_FILE).write_text(content)
    with pytest.raises(ConfigError, match=r"_plan\.yaml: "):
        run_sweep(balls(), folder, resume=True)


def test_a_plan_of_a_newer_hybridsim_is_refused(balls, folder):
    newer = manifest.read_plain(folder / manifest.PLAN_FILE) | {"format_version": 2}
    (folder / manifest.PLAN_FILE).write_bytes(manifest.to_bytes(newer))
    with pytest.raises(ConfigError, match="in format 2; use the hybridsim that wrote it"):
        load_sweep(folder)
