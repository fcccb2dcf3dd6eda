"""A folder of a sweep that another process writes, that cannot be written, or whose disk is full."""

import itertools
import os
import resource
import subprocess
import threading

import numpy as np
import pytest

from hybridsim.errors import ConfigError
from hybridsim.sweeps import run_sweep
from hybridsim.sweeps.batch import BatchRunner
from hybridsim.sweeps.manifest import lock

from waiting import PATIENCE


def test_a_second_process_is_kept_out(balls, tmp_path):
    with lock(tmp_path), pytest.raises(ConfigError, match=rf"another process \(process {os.getpid()} on .*\)"):
        run_sweep(balls(), tmp_path)
    assert run_sweep(balls(), tmp_path).finished == 30


def test_an_unwritable_folder_is_refused_before_anything_is_computed(balls, use_runner):
    use_runner(None)
    with pytest.raises(ConfigError, match=r"'/proc/sweep' cannot be written"):
        run_sweep(balls(), "/proc/sweep")


def test_a_full_disk_is_a_message_and_what_is_finished_stays(balls, tmp_path, content):
    given = {"axes": {"restitution": np.linspace(0.1, 0.9, 600), "y": [1.0, 2.0]}, "block": 600}
    run_sweep(balls(**given), tmp_path / "whole")
    sizes = [len(part) for part in content(tmp_path / "whole").values()]
    run_sweep(balls(**given), tmp_path / "full")
    (tmp_path / "full" / "part-0000600-0001199.parquet").unlink()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (sizes[1] - 1, hard))
    try:
        with pytest.raises(ConfigError, match=r"part-0000600-0001199\.parquet: cannot be written .*--resume"):
            run_sweep(balls(**given), tmp_path / "full", resume=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [*content(tmp_path / "full")] == ["part-0000000-0000599.parquet"]
    assert not [*(tmp_path / "full").glob("_writing-*")]
    assert run_sweep(balls(**given), tmp_path / "full", resume=True).computed == 600
    assert content(tmp_path / "full") == content(tmp_path / "whole")


def test_a_disk_that_is_full_for_real_keeps_the_finished_parts(balls, tmp_path, content):
    mount = tmp_path / "disk"
    mount.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", mount]
    if subprocess.run(command, capture_output=True, check=False, timeout=60).returncode:
        pytest.skip("mounting needs root")
    try:
        with pytest.raises(ConfigError, match=r"cannot be written \(No space left on device\)"):
            run_sweep(balls(block=1), mount / "out", workers=2)
        parts = content(mount / "out")
        assert parts
        assert not [*(mount / "out").glob("_writing-*")]
        run_sweep(balls(block=1), tmp_path / "whole")
        assert parts.items() <= content(tmp_path / "whole").items()
    finally:
        subprocess.run(["umount", mount], check=True, timeout=60)


@pytest.mark.parametrize("replaced", [False, True])
@pytest.mark.parametrize("after", [0, 12])
def test_a_folder_that_is_removed_while_the_sweep_runs_ends_it_with_a_sentence(
    after, replaced, balls, tmp_path, content, use_runner
):
    folder = tmp_path / "out"
    begun, removed = itertools.count(), threading.Event()

    class Waiting(BatchRunner):
        """Half of the eight blocks wait until the folder is gone."""

        def run(self, values, stop):
            if next(begun) >= 4:
                assert removed.wait(PATIENCE)
            return super().run(values, stop)

    def remove(finished, _statuses):
        if finished >= after and not removed.is_set():
            folder.rename(tmp_path / "gone")
            if replaced:
                folder.mkdir()
            removed.set()

    use_runner(Waiting)
    with pytest.raises(ConfigError) as caught:
        run_sweep(balls(), folder, workers=2, progress=remove)
    (sentence,) = caught.value.problems
    assert sentence.startswith(f"{folder}: ")
    assert "was removed or moved while it was computed" in sentence
    assert folder.exists() == replaced
    assert not replaced or content(folder) == {}
    use_runner(BatchRunner)
    assert run_sweep(balls(), folder).finished == 30


def test_a_read_only_folder_is_refused_and_its_results_stay(balls, tmp_path, content):
    mount = tmp_path / "disk"
    mount.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "none", mount], capture_output=True, check=False, timeout=60).returncode:
        pytest.skip("mounting needs root")
    try:
        run_sweep(balls(), mount / "out")
        (mount / "out" / "part-0000004-0000007.parquet").unlink()
        before = content(mount / "out")
        subprocess.run(["mount", "-o", "remount,ro", mount], check=True, timeout=60)
        for resume in (False, True):
            with pytest.raises(ConfigError, match=r"cannot be written \(Read-only file system\)"):
                run_sweep(balls(), mount / "out", resume=resume)
        with pytest.raises(ConfigError, match=r"cannot be written \(Read-only file system\)"):
            run_sweep(balls(), mount / "new")
        assert content(mount / "out") == before
    finally:
        subprocess.run(["umount", mount], check=True, timeout=60)
