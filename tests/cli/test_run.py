from pathlib import Path

import numpy as np
import pytest

from hybridsim import load_config, load_run
from hybridsim.cli.console.runs import MAX_REPORTS_PER_STEP
from hybridsim.config import resolve

CONFIGS = Path(__file__).parents[2] / "configs"


def written(folder):
    return sorted(path.name for path in folder.iterdir() if path.suffix not in (".yaml", ".rc"))


def test_a_run_writes_its_files_into_the_current_folder_and_prints_how_it_ended(hybridsim, ball):
    outcome = hybridsim("run", "ball.yaml")
    assert outcome.code == 0
    assert written(ball) == ["ball.data", "ball.h5", "ball.initial", "ball.param"]
    # touches the floor at t1 (1 + e - 2 e^n) / (1 - e), n = 1, 2, ..., with t1 = sqrt(2 h / g) and e = 0.5
    t1 = np.sqrt(2 / 9.81)
    bounces = sum(t1 * (1 + 0.5 - 2 * 0.5**n) / (1 - 0.5) <= 1.0 for n in range(1, 50))
    assert f"{bounces} floor" in outcome.out
    assert "reached the final time" in outcome.out
    assert "ball.h5" in outcome.out


def test_an_installed_model_runs_without_a_config(hybridsim, tmp_path):
    outcome = hybridsim("run", "bouncing_ball", "final_time=0.25", "output.formats=[csv]")
    assert outcome.code == 0
    assert written(tmp_path) == ["bouncing_ball.csv"]
    *_, last = (tmp_path / "bouncing_ball.csv").read_text().splitlines()
    assert float(last.split(",")[3]) == pytest.approx(1.0 - 0.5 * 9.81 * 0.25**2, rel=1e-12)  # y = 1 - g t^2 / 2


def test_overrides_win_over_the_file(hybridsim, ball):
    assert hybridsim("run", "ball.yaml", "final_time=0.25", "output.folder=deep/runs", "output.base=drop").code == 0
    run = load_run(ball / "deep" / "runs" / "drop.h5")
    # free fall: y = 1 - g t^2 / 2
    assert run.t[-1] == 0.25
    assert run["y"][-1] == pytest.approx(1.0 - 0.5 * 9.81 * 0.25**2, rel=1e-12)


def test_a_status_other_than_the_end_or_a_stop_exits_with_1_and_keeps_the_data(hybridsim, ball):
    outcome = hybridsim("run", "ball.yaml", "engine.max_transitions=1")
    assert outcome.code == 1
    assert "max_transitions" in outcome.out
    assert len(load_run(ball / "ball.h5").events) == 1
    assert "ball.data" in written(ball)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ball.yaml", "parameters.gravty=1"], "did you mean `gravity`"),
        (["ball.yaml", "engine.rtol=1e-6x"], "engine.rtol"),
        (["ball.yaml", "engine.rtol=-1"], "engine.rtol"),
        (["ball.yaml", "initial.y=-1"], "floor"),
        (["ball.yaml", "other.yaml"], "expected one config"),
        (["ball.yaml", "-c", "other.yaml"], "expected one config"),
        (["nothing.yaml"], "nothing.yaml"),
        (["ball.yaml", "output.folder=/proc"], "output.folder"),
        (["ball.yaml", "output.folder=ball.yaml"], "output.folder"),
        ([], "there is no SimSect.rc in this folder"),
    ],
)
def test_bad_input_is_one_message_exit_code_2_and_nothing_written(hybridsim, ball, arguments, message):
    outcome = hybridsim("run", *arguments)
    assert outcome.code == 2
    assert message in outcome.err
    assert outcome.out == ""
    assert written(ball) == []


def test_without_a_config_it_is_simsect_rc(hybridsim, tmp_path):
    (tmp_path / "SimSect.rc").write_text('systemName = "slip"; finalTime = 0.1;\n')
    assert hybridsim("run", "g_flight=9").code == 0
    assert (tmp_path / "SimSect.param").read_text().splitlines()[5] == "g_flight = 9.0;"


def test_the_config_may_follow_dash_c_as_in_simsect(hybridsim, ball):
    assert hybridsim("run", "-c", "ball.yaml", "final_time=0.1").code == 0


def test_notes_are_shown_and_the_run_goes_on(hybridsim, tmp_path):
    (tmp_path / "a.rc").write_text('systemName = "slip"; finalTime = 0.1; g_fligt = 9;\n')
    outcome = hybridsim("run", "a.rc")
    assert outcome.code == 0
    assert "note: a.rc:1:" in outcome.err
    assert "did you mean `g_flight`" in outcome.err


def test_a_dry_run_is_a_config_of_the_same_run_with_origins(hybridsim, ball):
    outcome = hybridsim("run", "ball.yaml", "--dry-run", "engine.rtol=1e-9")
    assert outcome.code == 0
    assert written(ball) == []
    lines = outcome.out.splitlines()
    assert any(line.split() == ["rtol:", "1.0e-09", "#", "command", "line"] for line in lines)
    assert any(line.split() == ["y:", "1.0", "#", "ball.yaml:4:11"] for line in lines)
    assert any(line.split() == ["restitution:", "0.5", "#", "default"] for line in lines)
    (ball / "again.yaml").write_text(outcome.out)
    assert resolve(load_config(ball / "again.yaml")) == resolve(load_config(ball / "ball.yaml", ["engine.rtol=1e-9"]))


@pytest.mark.parametrize("begin", [0.0, 1e6])
def test_progress_messages_come_at_the_multiples_of_their_period(hybridsim, ball, begin):
    outcome = hybridsim(
        "run", "ball.yaml", f"initial_time={begin}", f"final_time={begin + 0.35}", "progress_period=0.1"
    )
    lines = [line for line in outcome.err.splitlines() if line.startswith("t = ")]
    assert [float(line.split()[2]) for line in lines] == pytest.approx([begin + k * 0.1 for k in (1, 2, 3)], abs=1e-9)
    assert all("x real time" in line for line in lines)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("period", ["1e-20", "1e-320"])
@pytest.mark.parametrize("begin", [0.0, 1e6, -1e6])
def test_a_period_below_the_resolution_of_time_gives_at_most_a_message_for_each_step(hybridsim, ball, begin, period):
    outcome = hybridsim(
        "run", "ball.yaml", f"initial_time={begin}", f"final_time={begin + 0.35}", f"progress_period={period}"
    )
    assert outcome.code == 0
    lines = [line for line in outcome.err.splitlines() if line.startswith("t = ")]
    run = load_run(ball / "ball.h5")
    assert 1 <= len(lines) <= run.statistics["steps"]
    assert float(lines[-1].split()[2]) == pytest.approx(run.t[-1], rel=1e-8)


def test_of_many_multiples_within_a_step_the_last_is_reported(hybridsim, ball):
    assert hybridsim("run", "ball.yaml", "progress_period=1e-6").code == 0
    run = load_run(ball / "ball.h5")
    outcome = hybridsim("run", "ball.yaml", "progress_period=1e-6")
    lines = [line for line in outcome.err.splitlines() if line.startswith("t = ")]
    assert len(lines) < MAX_REPORTS_PER_STEP * run.statistics["steps"]


def test_progress_messages_change_no_bit(hybridsim, ball):
    runs = []
    for period in (0.0, 0.013):
        assert hybridsim("run", "ball.yaml", f"progress_period={period}", "record.period=0.05").code == 0
        runs.append(load_run(ball / "ball.h5"))
    assert runs[0].t.tobytes() == runs[1].t.tobytes()
    assert runs[0].x.tobytes() == runs[1].x.tobytes()
    assert runs[0].events.t.tobytes() == runs[1].events.t.tobytes()


def test_formats_choose_what_is_written(hybridsim, ball):
    assert hybridsim("run", "ball.yaml", "output.formats=[hdf5]").code == 0
    assert written(ball) == ["ball.h5"]


def test_files_that_a_run_replaces_are_marked(hybridsim, ball):
    assert "(replaced)" not in hybridsim("run", "ball.yaml").out
    lines = hybridsim("run", "ball.yaml", "output.formats=[hdf5]").out.splitlines()
    assert [line.split() for line in lines if "ball." in line] == [["files", "ball.h5", "(replaced)"]]


def test_an_option_that_is_a_key_gets_the_key(hybridsim, ball):
    outcome = hybridsim("run", "ball.yaml", "--rtol", "1e-9")
    assert outcome.code == 2
    assert "without dashes, engine.rtol=VALUE" in outcome.err


def test_a_file_without_its_ending_and_a_folder_with_one_of_its_name_are_hints(hybridsim, ball):
    """`ball` may be ball.yaml; of a folder `walker`, the file walker/walker.py."""
    without = hybridsim("run", "./ball")
    assert without.code == 2
    assert "ball: there is no such file; did you mean `ball.yaml`?" in without.err
    (ball / "walker").mkdir()
    assert "found a folder; name a file in it" in hybridsim("run", "walker").err
    (ball / "walker" / "walker.py").write_text("")
    assert "found a folder; did you mean `walker/walker.py`?" in hybridsim("run", "walker").err
