"""What docs/optimisation.md shows is true: examples run, and find what is printed."""

import re
from pathlib import Path

import pytest

from hybridsim.config.optimization import load_optimization_config
from hybridsim.config.optimization_settings import OptimizationSettings
from hybridsim.optimisation import run_optimization

PAGE = (Path(__file__).parents[2] / "docs" / "optimisation.md").read_text()
LEGS, *PARTS = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
SESSION, MULTIPLIERS, PARETO = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.exhaustive  # slow: `make test-day` does what the pages show
@pytest.mark.slow
def test_the_first_example_finds_what_the_page_prints(tmp_path):
    (tmp_path / "legs.yaml").write_text(LEGS)
    found = run_optimization(load_optimization_config(tmp_path / "legs.yaml"))
    assert found.confirmed
    printed = float(re.search(r"best +minimize k: (\S+)", PAGE)[1])
    assert f"{found.best.value:.9g}" == f"{printed:.9g}"
    ordered = re.findall(r"^ +(\d+) +2 +(\d+\.\d+)  yes", PAGE, re.MULTILINE)
    assert [(str(one.run), f"{one.value:.9g}") for one in found.ordered[:2]] == ordered[:2]


@pytest.mark.exhaustive  # the first example is that of the command
@pytest.mark.slow
def test_the_examples_in_python_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(SESSION, names)
    assert names["found"].confirmed
    assert (tmp_path / "legs.png").is_file()
    exec(MULTIPLIERS, names)
    assert names["search"].best["k"] == pytest.approx(20409.21, abs=2.0)  # by an apex map of its own


@pytest.mark.slow
def test_the_front_by_pymoo_is_one(tmp_path, monkeypatch):
    pytest.importorskip("pymoo")
    names = {"hybridsim": __import__("hybridsim")}
    exec(PARETO, names)
    distance, force = -names["front"].F[:, 0], names["front"].F[:, 1]
    assert len(distance) > 10
    order = distance.argsort()
    assert (force[order][1:] >= force[order][:-1]).all()  # farther only with more force


def test_every_key_and_every_choice_is_in_the_table():
    for name, _ in OptimizationSettings.model_fields.items():
        assert re.search(rf"^\|.*`{name}`", PAGE, re.MULTILINE), name
    for word in ("pso", "mmpso", "cma", "random", "worst", "median"):
        assert f"`{word}`" in PAGE


@pytest.mark.parametrize("part", range(len(PARTS)))
def test_the_excerpts_are_keys_of_a_config(tmp_path, part):
    text = LEGS.replace("  method: {population: 20, generations: 60}\n", PARTS[part])
    text = text.replace("parameters: {hold_touchdown_angle: 1}\ninitial: {y: 1.0, ", "initial: {")
    (tmp_path / "legs.yaml").write_text(text)
    assert load_optimization_config(tmp_path / "legs.yaml").sweeps
