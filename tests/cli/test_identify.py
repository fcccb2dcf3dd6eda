"""`hybridsim identify`: exit codes, files that other commands take, inputs that runs replay, Ctrl-C."""

import os
import signal
from pathlib import Path

import h5py
import numpy as np
import pytest

from hybridsim import Simulation, load_config, load_run
from hybridsim.cli import interruption
from hybridsim.cli.console.identifications import SolverProgress

CONFIGS = Path(__file__).parents[2] / "configs" / "identification"
PENDULUM = f"""
model: {CONFIGS / "pendulum.py"}
data: {{file: trial.csv, noise: {{theta: 0.01, omega: 0.01}}}}
measured: {{theta: theta, omega: omega}}
free: {{stiffness: 9}}
"""


@pytest.fixture
def pendulum(tmp_path):
    """A folder with data of a pendulum for ten seconds, and a config."""
    write_trial(tmp_path, 10)
    (tmp_path / "swing.yaml").write_text(PENDULUM)
    return tmp_path


def write_trial(folder, duration):
    overrides = ["initial.theta=30 deg", f"final_time={duration}", "record=0.02", "engine.rtol=1e-11"]
    run = Simulation.from_config(load_config(CONFIGS / "pendulum.py", overrides)).run()
    rows = "".join(f"{t!r},{x[0]!r},{x[1]!r}\n" for t, x in zip(run.t.tolist(), run.x.tolist(), strict=True))
    (folder / "trial.csv").write_text("t,theta,omega\n" + rows)


def test_what_is_confirmed_exits_with_0_and_says_so_first(hybridsim, pendulum):
    outcome = hybridsim("identify", "swing.yaml")
    assert outcome.code == 0
    assert outcome.out.startswith("solved, and confirmed by a simulation\n")
    assert "stiffness" in outcome.out
    assert sorted(path.name for path in pendulum.iterdir()) == ["swing-identified.h5", "swing.yaml", "trial.csv"]


@pytest.mark.exhaustive  # `tests/identification` has it in Python
@pytest.mark.slow
def test_zero_motion_is_a_false_minimum_that_exits_with_1(hybridsim, pendulum):
    write_trial(pendulum, 50)
    arguments = ["guess.states=zero", "collocation.scheme=midpoint", "free.stiffness=4"]
    outcome = hybridsim("identify", "swing.yaml", *arguments)
    assert outcome.code == 1
    assert outcome.out.startswith("the motion does not explain the data: 0 % of the variance of theta")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["swing.yaml", "free.stifness=3"], "did you mean `stiffness`"),
        (["swing.yaml", "collocation.scheme=simpson"], "hermite-simpson"),
        (["none.yaml"], "none.yaml"),
        (["swing.yaml", "--plot", "fit.docx"], "fit.docx"),
        (["swing.yaml", "-o", "trial.csv"], "trial.csv"),
        ([], "config"),
    ],
)
def test_bad_input_exits_with_2_and_a_sentence(hybridsim, pendulum, arguments, said):
    outcome = hybridsim("identify", *arguments)
    assert outcome.code == 2
    assert said in outcome.err


def test_without_the_solver_the_command_says_what_to_install(hybridsim, pendulum, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ipyopt", None)
    outcome = hybridsim("identify", "swing.yaml")
    assert outcome.code == 2
    assert "pip install 'hybridsim[identify]'" in outcome.err


def test_run_sweep_and_check_know_a_config_of_an_identification(hybridsim, pendulum):
    for command in ("run", "sweep"):
        outcome = hybridsim(command, "swing.yaml")
        assert outcome.code == 2
        assert "give it to `hybridsim identify`" in outcome.err
    outcome = hybridsim("check", "swing.yaml")
    assert outcome.code == 0
    # 501 nodes with two states, and one parameter; two equations for each interval
    assert outcome.out == "swing.yaml: fine, 1,003 unknowns, 1,000 equations; next: hybridsim identify swing.yaml\n"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("measured:", "measurd:", "measurd: there is no such key; did you mean `measured`"),
        ("measured: {theta: theta, omega: omega}", "minimise: {time: 1}", "did you mean `minimize`"),
    ],
)
def test_check_knows_a_config_of_an_identification_by_its_other_keys(hybridsim, pendulum, old, new, said):
    (pendulum / "swing.yaml").write_text(PENDULUM.replace(old, new))
    outcome = hybridsim("check", "swing.yaml")
    assert outcome.code == 2
    assert said in outcome.err
    assert "free" not in outcome.err


def test_the_file_of_a_result_is_that_of_a_run_for_other_commands(hybridsim, pendulum):
    assert hybridsim("identify", "swing.yaml", "-o", "fit.h5", "--plot", "fit.png").code == 0
    assert (pendulum / "fit.png").stat().st_size > 5000
    assert hybridsim("verify", "fit.h5").code == 0
    assert hybridsim("plot", "fit.h5", "-o", "run.png").code == 0
    run = load_run("fit.h5")
    assert run.t[-1] == 10.0
    assert run.parameters["stiffness"] == pytest.approx(10.0, rel=1e-5)
    with h5py.File("fit.h5") as file:
        group = file["identification"]
        assert group["values"][0] == run.parameters["stiffness"]
        assert group["guesses"][0] == 9.0
        np.testing.assert_allclose(group["trial_0/x"][-1], run.x[-1], atol=1e-5)
        assert group["trial_0/misfits"].shape == (501, 2)


def test_a_bouncing_ball_that_was_identified_can_be_seen(hybridsim, tmp_path):
    assert hybridsim("identify", str(CONFIGS / "bouncing_ball.yaml"), "-o", "ball.h5").code == 0
    assert hybridsim("verify", "ball.h5").code == 0
    run = load_run("ball.h5")
    assert len(run.events) == 5
    assert hybridsim("view", "ball.h5", "--export", "ball.gltf", "--at", "0.5").code == 0


def test_inputs_that_were_found_are_replayed_by_a_run(hybridsim, tmp_path):
    assert hybridsim("identify", str(CONFIGS / "block.yaml"), "-o", "found.h5", "--inputs", "u.csv").code == 0
    lines = (tmp_path / "u.csv").read_text().splitlines()
    assert lines[0] == "t,u"
    (tmp_path / "again.yaml").write_text(
        f"model: {CONFIGS / 'block.py'}\nfinal_time: 1\ninputs:\n  u: {{file: u.csv, column: u}}\n"
    )
    assert hybridsim("run", "again.yaml").code == 0
    assert hybridsim("verify", "again.h5").code == 0
    found, again = load_run("found.h5"), load_run("again.h5")
    np.testing.assert_allclose(again.x[-1], [1.0, 0.0], atol=1e-9)
    np.testing.assert_allclose(again.at(found.t), found.x, atol=1e-9)


@pytest.mark.exhaustive  # those of the test above are replayed, too
@pytest.mark.slow
def test_inputs_of_phases_are_replayed_by_a_run(hybridsim, tmp_path):
    config = CONFIGS / "powered_compass.yaml"
    assert hybridsim("identify", str(config), "-o", "found.h5", "--inputs", "torque.csv").code == 0
    found = load_run("found.h5")
    initial = "".join(
        f"  {name}: {float(found[name][0])!r}\n" for name in ("theta_st", "theta_sw", "thetadot_st", "thetadot_sw")
    )
    (tmp_path / "again.yaml").write_text(
        f"model: {CONFIGS / 'powered_compass.py'}\nfinal_time: 0.69\ninitial:\n{initial}"
        "inputs:\n  torque: {file: torque.csv, column: torque}\n"
    )
    assert hybridsim("run", "again.yaml").code == 0
    assert hybridsim("verify", "again.h5").code == 0
    again = load_run("again.h5")
    t = np.linspace(0.0, 0.69, 50)
    np.testing.assert_allclose(again.at(t), found.at(t), atol=1e-4)


@pytest.mark.skipif(os.name == "nt", reason="no such signals")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_search_and_keeps_the_best_point(hybridsim, pendulum, monkeypatch, sent, code):
    call = SolverProgress.__call__

    def interrupted(self, start, iteration, *rest):
        if iteration == 2:
            os.kill(os.getpid(), sent)
        return call(self, start, iteration, *rest)

    monkeypatch.setattr(SolverProgress, "__call__", interrupted)
    monkeypatch.setattr(interruption, "_received", [])  # commands after this one have received no signal
    outcome = hybridsim("identify", "swing.yaml", "free.stiffness=2", "-o", "best.h5")
    assert outcome.code == code
    assert outcome.out.startswith("not solved: stopped by the user\n")
    assert 2.0 < load_run("best.h5").parameters["stiffness"] < 20.0
