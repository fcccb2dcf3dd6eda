import _thread
import sys
import threading
import time

import numpy as np
import pytest
from oracle import OracleRunner
from slow import SlowRunner

import hybridsim
from hybridsim.config.sweep import load_sweep_config, sweep_from_keywords
from hybridsim.errors import ConfigError, ModelError
from hybridsim.sweeps import load_sweep, run_sweep, threads
from hybridsim.sweeps.batch import BatchRunner, Cancelled
from hybridsim.sweeps.threads import thread_count


def test_the_table_is_that_of_runs_one_by_one(balls, tmp_path, content, use_runner):
    outcome = run_sweep(balls(), tmp_path / "compiled", workers=2)
    use_runner(OracleRunner)
    run_sweep(balls(), tmp_path / "oracle", workers=1)
    assert content(tmp_path / "compiled") == content(tmp_path / "oracle")
    assert (outcome.rows, outcome.finished, outcome.computed, outcome.interrupted) == (30, 30, 30, False)
    assert outcome.statuses == load_sweep(tmp_path / "compiled").statuses()


def test_threads_and_their_order_change_no_byte(balls, tmp_path, content, use_runner):
    class Uneven(BatchRunner):
        def run(self, values, stop):
            time.sleep(0.01 * (threading.get_ident() % 3))
            return super().run(values, stop)

    use_runner(Uneven)
    for number in (1, 2, 5):
        run_sweep(balls(block=1), tmp_path / str(number), workers=number)
    assert content(tmp_path / "1") == content(tmp_path / "2") == content(tmp_path / "5")


def test_each_thread_has_its_engine(balls, tmp_path, use_runner):
    used: dict[int, set[int]] = {}

    class Watched(SlowRunner):
        def run(self, values, stop):
            used.setdefault(id(self), set()).add(threading.get_ident())
            return super().run(values, stop)

    use_runner(Watched)
    run_sweep(balls(), tmp_path, workers=3)
    assert len(used) == 3
    assert all(len(threads) == 1 for threads in used.values())


def test_in_memory_and_in_a_folder_are_one_table(tmp_path):
    given = {"axes": {"restitution": np.linspace(0.1, 0.9, 7)}, "metrics": ["count(floor)"], "final_time": 1.0}
    table = hybridsim.sweep("bouncing_ball", **given)
    assert table.equals(hybridsim.sweep("bouncing_ball", **given, folder=tmp_path), check_metadata=True)
    assert table["row"].to_pylist() == list(range(7))


def test_the_package_can_be_called_like_the_function():
    assert hybridsim.sweeps is sys.modules["hybridsim.sweeps"]
    table = hybridsim.sweep("bouncing_ball", {"y": [1.0, 2.0]}, final_time=0.1)
    # free fall: neither reaches the floor
    assert table["count(floor)"].to_pylist() == [0, 0]


def test_a_failed_run_is_a_row_with_its_status(tmp_path):
    # a start below the floor is outside the chart; the others are not
    table = hybridsim.sweep("bouncing_ball", {"y": [-1.0, 1.0]}, final_time=0.1, folder=tmp_path)
    assert table["status"].to_pylist() == ["OUTSIDE_CHART", "FINAL_TIME"]


def test_progress_goes_up_to_all_rows_in_the_main_thread(balls, tmp_path):
    seen = []

    def progress(finished, statuses):
        assert threading.current_thread() is threading.main_thread()
        seen.append(finished)
        counted.append(statuses)

    counted: list[dict[str, int]] = []
    run_sweep(balls(), tmp_path, workers=3, progress=progress)
    assert [sum(statuses.values()) for statuses in counted] == seen  # each call has counts of its own
    assert seen == sorted(seen)
    assert seen[0] == 0
    assert seen[-1] == 30
    assert len(seen) >= 1 + 8


def test_ctrl_c_keeps_what_is_finished(balls, tmp_path, content, use_runner):
    def interrupt(finished, statuses):
        if 8 <= finished < 16:
            _thread.interrupt_main()

    began = time.monotonic()
    use_runner(SlowRunner)
    outcome = run_sweep(balls(block=2), tmp_path / "a", workers=2, progress=interrupt)
    assert outcome.interrupted
    assert 8 <= outcome.finished < 30
    assert outcome.finished == load_sweep(tmp_path / "a").table.num_rows
    assert time.monotonic() - began < 60
    outcome = run_sweep(balls(block=2), tmp_path / "a", resume=True)
    assert outcome.finished == 30
    run_sweep(balls(block=2), tmp_path / "b")
    assert content(tmp_path / "a") == content(tmp_path / "b")


def test_the_engine_stops_within_a_run_on_request():
    """The first run has a thousand steps; the second would have 1e15, which take years."""
    config = sweep_from_keywords("projectile", {"final_time": [1.0, 1e12]}, ["mean(y)", "steps"], max_step=1e-3)
    worker, stop, ended = BatchRunner(config), np.zeros(1, np.int64), []

    def work():
        try:
            ended.append(worker.run({"final_time": np.array([1.0, 1e12])}, stop))
        except Cancelled as cancelled:
            ended.append(cancelled)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(timeout=0.5)
    assert thread.is_alive()
    assert not ended
    stop[0] = 1
    thread.join(timeout=60)
    assert not thread.is_alive()
    assert isinstance(ended[0], Cancelled)
    stop[0] = 0
    results = worker.run({"final_time": np.array([1.0])}, stop)  # nothing of the run that was stopped is left
    assert results["steps"].tolist() == BatchRunner(config).run({"final_time": np.array([1.0])}, stop)["steps"].tolist()


def test_from_python_ctrl_c_is_raised_and_can_be_resumed(balls, tmp_path, monkeypatch):
    def interrupt(finished, statuses):
        raise KeyboardInterrupt

    given = {"axes": {"y": [1.0, 2.0, 3.0]}, "final_time": 0.1}
    with pytest.raises(KeyboardInterrupt):
        hybridsim.sweep("bouncing_ball", **given, folder=tmp_path, progress=interrupt)
    with pytest.raises(KeyboardInterrupt):
        hybridsim.sweep("bouncing_ball", **given, progress=interrupt)
    assert hybridsim.sweep("bouncing_ball", **given, folder=tmp_path, resume=True).num_rows == 3


def test_an_error_in_one_thread_ends_all_and_is_raised(balls, tmp_path, use_runner):
    class Broken(SlowRunner):
        def run(self, values, stop):
            if values["initial.y"][0] > 3:
                raise ModelError("broken")
            return super().run(values, stop)

    use_runner(Broken)
    with pytest.raises(ModelError, match="broken"):
        run_sweep(balls(block=1), tmp_path, workers=3)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith(threads.THREAD_NAME)]


def test_a_model_that_does_not_compile_is_reported_at_once(balls, tmp_path, use_runner):
    def refuse(config):
        raise ModelError("does not compile")

    use_runner(refuse)
    with pytest.raises(ModelError, match="does not compile"):
        run_sweep(balls(), tmp_path)


@pytest.mark.parametrize("threads", [0, -1, True, 1.5, "two"])
def test_threads_are_a_whole_number(threads):
    with pytest.raises(ConfigError, match=r"workers: expected a whole number of at least 1"):
        thread_count(threads)


def test_threads_and_a_cluster_exclude_each_other(balls, tmp_path):
    with pytest.raises(ConfigError, match="workers: has no effect on a cluster"):
        run_sweep(balls(), tmp_path, workers=2, cluster="local:2")


@pytest.mark.parametrize("given", [{"resume": True}, {"keep_runs": "all"}])
def test_what_needs_a_folder_is_refused_without_one(given):
    with pytest.raises(ConfigError, match="give folder="):
        hybridsim.sweep("bouncing_ball", {"y": [1.0]}, final_time=0.1, **given)


@pytest.mark.parametrize("folder", [5, b"bytes"])
def test_a_folder_is_a_path(folder):
    with pytest.raises(ConfigError, match="folder: expected a path, found"):
        hybridsim.sweep("bouncing_ball", {"y": [1.0]}, final_time=0.1, folder=folder)
    with pytest.raises(ConfigError, match="folder: expected a path, found"):
        load_sweep(folder)


def test_threads_are_looked_at_before_the_folder(balls, tmp_path):
    run_sweep(balls(), tmp_path / "out")
    with pytest.raises(ConfigError, match="workers: expected"):
        run_sweep(balls(), tmp_path / "out", workers=0)


def test_what_varies_may_be_given_without_axes():
    table = hybridsim.sweep("bouncing_ball", zip={"y": [1.0, 2.0], "v": [0.0, 1.0]}, final_time=0.1)
    assert table["v"].to_pylist() == [0.0, 1.0]


def test_an_extra_output_that_fails_is_reported_with_its_place_in_the_config(tmp_path):
    (tmp_path / "out.py").write_text("def out(t, x, p, chart):\n    return x[7]\n")
    (tmp_path / "balls.yaml").write_text(
        "model: bouncing_ball\nfinal_time: 1\nsweep: {axes: {y: [1]}, extra_outputs: ./out.py}\n"
    )
    with pytest.raises(ModelError, match=r"balls\.yaml:3:25: sweep\.extra_outputs: .*out\.py:2: in `out`: IndexError"):
        BatchRunner(load_sweep_config(tmp_path / "balls.yaml"))


def test_a_sweep_from_a_file_is_that_from_keywords(tmp_path, content):
    (tmp_path / "balls.yaml").write_text(
        "model: bouncing_ball\nfinal_time: 1\nsweep: {axes: {y: 'linspace(1, 2, 5)'}}\nmetrics: [count(floor)]\n"
    )
    run_sweep(load_sweep_config(tmp_path / "balls.yaml"), tmp_path / "a")
    config = sweep_from_keywords("bouncing_ball", {"y": np.linspace(1, 2, 5)}, ["count(floor)"], final_time=1.0)
    run_sweep(config, tmp_path / "b")
    assert content(tmp_path / "a") == content(tmp_path / "b")
