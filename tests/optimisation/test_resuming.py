import subprocess
import sys
from pathlib import Path

import pytest

from hybridsim.errors import ConfigError
from hybridsim.optimisation import load_optimization, run_optimization
from hybridsim.optimisation.confirmation import Confirmation

SOFTEST = (Path(__file__).with_name("conftest.py")).read_text().split('"""')[1]


def parts(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.glob("part-*"))}


def results(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.suffix in (".yaml", ".parquet")}


@pytest.mark.exhaustive  # sweeps that are killed are in the ordinary run, and interrupted searches
@pytest.mark.members(1)
@pytest.mark.slow
@pytest.mark.parametrize("kills", [5, pytest.param(20, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("method", ["pso", "cma"])
def test_killed_at_random_moments_the_results_are_those_of_an_undisturbed_search(softest, tmp_path, kills, method):
    pytest.importorskip("cma")
    text = SOFTEST.replace("population: 10, generations: 12", f"name: {method}, population: 10, generations: 60")
    config = softest(text=text.replace("k: 15e3..20e3", "k: 15e3..20e3, q_0: 0.99..1.01"))
    killed, undisturbed = tmp_path / "killed" / "search", tmp_path / "undisturbed" / "search"
    killed.parent.mkdir()
    undisturbed.parent.mkdir()
    victim = [sys.executable, Path(__file__).with_name("victim.py"), tmp_path / "softest.yaml", killed, "7", str(kills)]
    ends = subprocess.run(victim, capture_output=True, text=True, check=True, timeout=280).stdout.split()
    assert ends.count("9") >= 3
    run_optimization(config, killed, resume=True)
    run_optimization(config, undisturbed)
    assert results(killed) == results(undisturbed)


def test_what_is_found_does_not_depend_on_the_number_of_threads(softest, tmp_path):
    for workers in (1, 3):
        run_optimization(softest(), tmp_path / str(workers), workers=workers)
    assert parts(tmp_path / "1") == parts(tmp_path / "3")


def test_a_search_goes_on_with_more_generations(softest, tmp_path):
    run_optimization(softest("optimize.method.generations=7"), tmp_path / "longer")
    found = run_optimization(softest(), tmp_path / "longer", resume=True)
    assert found.computed == 5 * 20
    run_optimization(softest(), tmp_path / "at-once")
    assert parts(tmp_path / "longer") == parts(tmp_path / "at-once")


@pytest.mark.exhaustive  # an interrupted search is resumed in the ordinary run
def test_after_its_time_a_search_stops_and_can_be_resumed(softest, tmp_path):
    found = run_optimization(softest("optimize.method.generations=100000"), tmp_path / "a", time_limit=0.5)
    assert not found.finished
    assert not load_optimization(tmp_path / "a").finished
    assert 0 < found.table.num_rows < 100000 * 20


def test_a_damaged_part_is_computed_again(softest, tmp_path):
    run_optimization(softest(), tmp_path / "a")
    before = parts(tmp_path / "a")
    name = [*before][4]
    (tmp_path / "a" / name).write_bytes(before[name][:-30])
    assert run_optimization(softest(), tmp_path / "a", resume=True).computed == 20
    assert parts(tmp_path / "a") == before


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("optimize.seed=2", "another optimize.seed: it was 1 and is 2 now"),
        ("optimize.parameters.k=16e3..20e3", "another optimize.parameters.k"),
        ("initial.y=1.1", "another initial.y"),
        ("optimize.method.population=11", "optimize.method.population: it was 10 and is 11 now"),
    ],
)
def test_results_of_another_search_are_refused(softest, tmp_path, change, problem):
    run_optimization(softest("optimize.method.generations=2"), tmp_path / "a")
    before = results(tmp_path / "a")
    with pytest.raises(ConfigError, match=problem):
        run_optimization(softest("optimize.method.generations=2", change), tmp_path / "a", resume=True)
    assert results(tmp_path / "a") == before


def test_results_are_not_overwritten(softest, tmp_path):
    run_optimization(softest("optimize.method.generations=2"), tmp_path / "a")
    with pytest.raises(ConfigError, match="holds results of a search; continue it with --resume"):
        run_optimization(softest("optimize.method.generations=2"), tmp_path / "a")


def test_nothing_is_resumed_without_a_folder(softest):
    with pytest.raises(ConfigError, match="only results in a folder are resumed"):
        run_optimization(softest(), resume=True)


def test_a_search_is_over_when_nothing_gets_better(softest):
    found = run_optimization(softest("optimize.patience=3", "optimize.method.generations=1000"))
    generations = found.table["generation"].to_numpy()
    assert found.finished
    assert generations.max() < 999
    firsts = [one.row // 20 for one in found.searches]
    last = max(firsts)  # the best of each search before they are confirmed is no earlier
    assert last <= generations.max() - 3 + 1 or any(one.passed_over for one in found.searches)
    assert generations.max() > 5


def test_less_patience_on_resuming_reads_all_that_is_there(softest, tmp_path):
    found = run_optimization(softest(), tmp_path / "a")
    again = run_optimization(softest("optimize.patience=1"), tmp_path / "a", resume=True)
    assert again.table.equals(found.table)
    assert again.best.setting == found.best.setting


def test_another_quantity_of_a_metric_is_another_search(softest, tmp_path):
    text = SOFTEST.replace("distance: final(x)", "distance: 'after(touchdown, 2, x)'")
    short = "optimize.method.generations=2"
    run_optimization(softest(short, text=text), tmp_path / "a")
    with pytest.raises(ConfigError, match=r"another metrics\.distance"):
        run_optimization(softest(short, text=text.replace("2, x)", "2, y)")), tmp_path / "a", resume=True)


def test_an_interrupted_confirmation_keeps_the_best(softest, tmp_path, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Confirmation, "found", interrupt)
    found = run_optimization(softest("optimize.method.generations=2"), tmp_path / "a")
    assert found.interrupted
    assert not found.confirmed
    assert load_optimization(tmp_path / "a").best.setting == found.best.setting
    assert (tmp_path / "a" / "best.yaml").is_file()
