"""The hexapod that the benchmark has in C computes the slopes of the model."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

import hexapod

ALL_SLIP = 0b111111_111111
"""All toes down, and slipping."""

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")


@pytest.mark.exhaustive  # the one in C slips as the model does
@pytest.mark.members(1)
@needs_compiler
@pytest.mark.parametrize("friction", hexapod.RUNS)
def test_the_vector_field_in_c_is_that_of_the_model(friction):
    rivals = hexapod.Rivals(2.0, **hexapod.RUNS[friction])
    assert rivals.counts()[1] > 30  # charts
    assert rivals.apart() < 1e-10


@pytest.mark.members
@needs_compiler
@pytest.mark.parametrize("friction_coeff", [0.2, 1.5])
@pytest.mark.parametrize("friction", hexapod.RUNS)
def test_the_one_in_c_slips_as_the_model_does_wherever_a_toe_is(friction, friction_coeff):
    """All toes are set to slip, wherever they are: most would stick, or nothing presses them down."""
    parameters = {**hexapod.RUNS[friction]["parameters"], "friction_coeff": friction_coeff}
    rivals = hexapod.Rivals(2.0, parameters=parameters)
    rivals.chart = rivals.chart | ALL_SLIP
    releases = slice(hexapod.PLACES[6], hexapod.PLACES[6] + 6)
    rivals.x[:, releases] = np.random.default_rng(0).uniform(0.0, 1.0, (len(rivals.x), 6))
    assert rivals.apart() < 1e-9


def test_the_help_of_the_comparison_with_mujoco_needs_no_mujoco():
    without = "import sys, runpy; sys.modules['mujoco'] = None; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], "
    command = [sys.executable, "-c", without + "run_name='__main__')", str(hexapod.FOLDER / "hexapod_mujoco.py")]
    shown = subprocess.run([*command, "--help"], capture_output=True, text=True, check=False, timeout=120)
    assert shown.returncode == 0
    assert "--friction" in shown.stdout
    refused = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert refused.returncode == 1
    assert "pip install mujoco" in refused.stderr
    assert "Traceback" not in refused.stderr
