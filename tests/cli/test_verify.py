from pathlib import Path

import h5py
import pytest

RUBBING = Path(__file__).parents[1] / "verification" / "models" / "rubbing.py"


@pytest.fixture
def run_file(hybridsim, ball):
    assert hybridsim("run", "ball.yaml").code == 0
    return ball / "ball.h5"


def test_a_solution_exits_with_0_and_lists_the_checks(hybridsim, run_file):
    outcome = hybridsim("verify", "ball.h5")
    assert outcome.code == 0
    first, *others = outcome.out.splitlines()
    assert "a solution of its model" in first
    assert any(line.split()[0] == "flow" for line in others)


def test_an_altered_run_exits_with_1_and_lists_the_violations(hybridsim, run_file):
    with h5py.File(run_file, "a") as file:
        file["x"][3, 1] += 0.5
    outcome = hybridsim("verify", "ball.h5")
    assert outcome.code == 1
    first, second, *_ = outcome.out.splitlines()
    assert "not a solution" in first
    assert "t = " in second
    assert "expected" in second


def test_a_run_that_cannot_be_judged_exits_with_3(hybridsim, tmp_path):
    """The flow of this model chatters on a jump of its vector field, where it should rest."""
    (tmp_path / "rubbing.yaml").write_text(
        f"model: {RUBBING}\nfinal_time: 0.0052\nengine: {{rtol: 1.0e-6, atol: 1.0e-8}}\nrecord: {{period: 0.001}}\n"
    )
    assert hybridsim("run", "rubbing.yaml").code == 0
    outcome = hybridsim("verify", "rubbing.h5")
    assert outcome.code == 3
    assert "not decided" in outcome.out.splitlines()[0]


def test_a_missing_file_a_text_and_half_a_run_exit_with_2(hybridsim, run_file):
    content = run_file.read_bytes()
    (run_file.parent / "text.h5").write_text("hello")
    (run_file.parent / "half.h5").write_bytes(content[: len(content) // 2])
    for name in ("none.h5", "text.h5", "half.h5"):
        outcome = hybridsim("verify", name)
        assert outcome.code == 2
        assert name in outcome.err


def test_a_model_that_has_moved_is_named_with_the_remedy(hybridsim, run_file):
    with h5py.File(run_file, "a") as file:
        text = file["config"].asstr()[()]
        plugin = text.split("model: ")[1].split("\n")[0]
        del file["config"]
        file["config"] = text.replace(plugin, "gone.py", 1)
    outcome = hybridsim("verify", "ball.h5")
    assert outcome.code == 2
    assert "--model" in outcome.err
    assert hybridsim("verify", "ball.h5", "--model", plugin).code == 0


def test_help_has_an_example(hybridsim):
    assert "verify runs/slip.h5" in hybridsim("verify", "--help").out
