"""Rows that processes compute give the table of threads; a process that fails or dies says so."""

import os
import sys
from pathlib import Path

import pytest
from slow import BrokenRunner, DyingRunner

from hybridsim.errors import ModelError, SimulationError
from hybridsim.sweeps.api import compute_rows
from hybridsim.sweeps.batch import BatchRunner


@pytest.mark.slow
@pytest.mark.timeout(120)  # the limit of the waits for processes
def test_processes_give_the_rows_of_threads_and_pass_on_what_goes_wrong(balls, tmp_path, monkeypatch):
    folders = str(Path(__file__).parent), *filter(None, sys.path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(folders))  # the processes find slow.py there
    here, there = (compute_rows(balls(), BatchRunner, workers=workers) for workers in (1, 2))
    assert here.equals(there, check_metadata=True)
    with pytest.raises(ModelError, match=r"worker process \d+: model 'bouncing_ball': does not compile"):
        compute_rows(balls(), BrokenRunner, workers=2)
    with pytest.raises(SimulationError, match=r"a process ended while it computed rows \(exit code 3\)"):
        compute_rows(balls(), DyingRunner, folder=tmp_path / "rows", workers=2)
