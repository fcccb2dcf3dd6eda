"""Every benchmark runs to its end: what it measures is for a quiet machine, and no test."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
SHORT = {
    "biped.py": [],
    "contacts.py": ["--quick"],
    "engine.py": ["--quick"],
    "exact.py": ["3"],
    "extremes.py": ["charts"],
    "hexapod.py": ["--quick"],
    "hexapod_toes.py": ["--quick"],
    "identification.py": ["--quick"],
    "jacobians.py": [],
    "large_models.py": ["2000"],
    "loop.py": ["--quick"],
    "mechanisms.py": ["--alone"],
    "methods.py": ["--quick"],
    "networks.py": ["--quick"],
    "optimisation.py": ["--quick"],
    "orbits.py": ["--quick"],
    "planar_gait.py": ["--trials", "4"],
    "random_guards.py": ["1000"],
    "soft_contacts.py": [],
    "start.py": ["--quick"],
    "stepping.py": [],
    "stiff.py": ["--quick"],
    "sweep.py": ["--quick"],
    "verify.py": ["configs/slip.yaml"],
    "view.py": ["--size", "320x180", "--frames", "3"],
    "work_precision.py": ["--quick"],
}
"""The arguments with which each takes a minute or less."""

OTHERS = {
    "hexapod_mujoco.py": "needs MuJoCo",
    "mutants.py": "runs tests itself, for minutes",
    "same_bits.py": "compares two versions",
    "scorecard.py": "tests/scorecard runs its cases",
}


def commands():
    """Return the names of the files that are run by themselves."""
    return {file.name for file in BENCHMARKS.glob("*.py") if "__main__" in file.read_text()}


def test_every_benchmark_is_run_or_it_is_said_why_not():
    assert commands() == {*SHORT, *OTHERS}


@pytest.mark.exhaustive
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", SHORT)
def test_a_benchmark_runs_to_its_end(name):
    """It may end with a ratio beyond its limit, as other processes slow what it measures; and with nothing else."""
    command = [sys.executable, str(BENCHMARKS / name), *SHORT[name]]
    ran = subprocess.run(command, cwd=BENCHMARKS.parent, capture_output=True, text=True, timeout=600, check=False)
    assert ran.stdout.strip()
    if ran.returncode and "Traceback" in ran.stderr:
        assert ran.stderr.strip().splitlines()[-1].startswith("AssertionError"), ran.stderr
