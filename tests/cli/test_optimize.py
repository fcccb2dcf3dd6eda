"""`hybridsim optimize`: exit codes, files that other commands take, resumption, Ctrl-C."""

import os
import signal

import pytest

from hybridsim import load_optimization
from hybridsim.cli import interruption
from hybridsim.optimisation.progress import SearchProgress

LEGS = """
model: slip
final_time: 100
parameters: {hold_touchdown_angle: 1}
initial: {y: 1.0, xdot: 5.0, touchdown_angle: -22 deg}
stop: [{boundary: touchdown, count: 8}]
metrics: {steps: count(touchdown), force: max(leg_force)}
optimize:
  parameters: {k: 17e3..20e3}
  stages: [{maximize: steps, until: steps >= 8}, {minimize: force}]
  method: {population: 6, generations: 5}
  runs: 3
"""


@pytest.fixture
def legs(tmp_path):
    (tmp_path / "legs.yaml").write_text(LEGS)
    return tmp_path


def test_what_is_found_and_confirmed_exits_with_0_and_says_so_first(hybridsim, legs):
    outcome = hybridsim("optimize", "legs.yaml")
    assert outcome.code == 0
    assert outcome.out.startswith("found, and confirmed by more exact runs\n")
    for text in ("minimize force", "k = ", "dop853, rtol ", "best", "median", "worst", "hybridsim plot legs"):
        assert text in outcome.out
    assert (legs / "legs" / "best-03.yaml").is_file()


def test_results_are_drawn_run_and_verified_by_the_other_commands(hybridsim, legs):
    hybridsim("optimize", "legs.yaml")
    for names in ([], ["k"], ["force", "k"], ["k", "steps", "force"]):
        outcome = hybridsim("plot", "legs", *names, "-o", f"picture{len(names)}.png")
        assert outcome.code == 0
        assert (legs / f"picture{len(names)}.png").stat().st_size > 5000
    assert hybridsim("run", "legs/best.yaml", "output.folder=runs").code == 0
    verified = hybridsim("verify", "legs")
    assert verified.code == 0
    assert verified.out.startswith("computed again to the same bits: 3 rows\nslip: ")
    assert hybridsim("sweep", "legs.yaml", "sweep.axes.k=[1e4]", "output.folder=legs").code == 2


@pytest.mark.exhaustive  # `tests/optimisation/test_resuming.py` has it in Python
def test_a_search_that_is_over_in_time_is_resumed(hybridsim, legs):
    stopped = hybridsim("optimize", "legs.yaml", "optimize.method.generations=40000", "--time-limit", "0.3")
    assert stopped.code == 1
    assert stopped.out.startswith("confirmed so far, and not finished\n")
    n = load_optimization("legs").table["generation"].to_pylist()[-1] + 3
    resumed = hybridsim("optimize", "legs.yaml", f"optimize.method.generations={n}", "--resume")
    assert resumed.code == 0
    assert "36 runs" in resumed.out


def test_the_plan_is_shown_and_nothing_is_computed(hybridsim, legs):
    outcome = hybridsim("optimize", "legs.yaml", "--dry-run", "optimize.method=random")
    assert outcome.code == 0
    for text in ("k: 17e3..20e3", "1: maximize steps until steps >= 8", "random, 40 settings in each of 100", "legs"):
        assert text in outcome.out
    assert not (legs / "legs").exists()


def test_a_config_is_checked(hybridsim, legs):
    outcome = hybridsim("check", "legs.yaml")
    assert outcome.code == 0
    assert "legs.yaml: fine, at most 90 runs; next: hybridsim optimize legs.yaml" in outcome.out
    noted = hybridsim("run", "legs.yaml")
    assert "`hybridsim optimize CONFIG` searches" in noted.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["legs.yaml", "optimize.parameters.kk=1..2"],
            "optimize.parameters.kk: there is no 'kk' to vary",
        ),
        (["legs.yaml", "optimize.method=pos"], "did you mean `pso`"),
        (["legs.yaml", "--resume", "--cluster", "nowhere"], "cluster: expected an address, found 'nowhere'"),
        (["legs.yaml", "--cluster", "local:1", "--workers", "2"], "workers: has no effect on a cluster"),
        (["nowhere.yaml"], "there is no such file"),
        (["slip"], "optimize: this key is required to optimize"),
    ],
)
def test_bad_input_exits_with_2_and_leaves_nothing(hybridsim, legs, arguments, said):
    outcome = hybridsim("optimize", *arguments)
    assert outcome.code == 2
    assert said in outcome.err
    assert sorted(path.name for path in legs.iterdir()) == ["legs.yaml"]


def test_other_commands_refuse_the_folder_with_a_sentence(hybridsim, legs):
    hybridsim("optimize", "legs.yaml", "optimize.method.generations=2")
    for arguments, said in (
        (["plot", "legs", "kk"], "did you mean `k`"),
        (["plot", "legs", "-x", "k"], "legs is the folder of an optimisation"),
        (["verify", "legs", "--model", "slip"], "an optimisation names its model itself"),
        (["verify", "."], "holds no results of an optimisation"),
        (["optimize", "legs.yaml"], "legs: holds results of a search; continue it with --resume"),
    ):
        outcome = hybridsim(*arguments)
        assert outcome.code == 2
        assert said in outcome.err


@pytest.mark.parametrize("received", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_keeps_what_was_computed(hybridsim, legs, monkeypatch, received):
    show = SearchProgress.__call__

    def interrupt(self, **state):
        show(self, **state)
        if state["generation"] == 3:
            os.kill(os.getpid(), received)

    monkeypatch.setattr(SearchProgress, "__call__", interrupt)
    monkeypatch.setattr(interruption, "_received", [])  # commands after this one have received no signal
    outcome = hybridsim("optimize", "legs.yaml")
    assert outcome.code == 128 + received
    assert (
        "interrupted; finished generations are kept in legs; continue with: hybridsim optimize legs.yaml --resume"
        in (outcome.err)
    )
    assert load_optimization("legs").table.num_rows >= 3 * 18
    monkeypatch.undo()
    monkeypatch.chdir(legs)
    assert hybridsim("optimize", "legs.yaml", "--resume").code == 0
    assert load_optimization("legs").table.num_rows == 90
