"""The hexapod of the benchmark in C is ours."""

import shutil
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

import hexapod


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
@pytest.mark.parametrize("friction", hexapod.RUNS)
def test_the_vector_field_in_c_is_that_of_the_model(friction):
    rivals = hexapod.Rivals(2.0, **hexapod.RUNS[friction])
    assert rivals.counts()[1] > 30  # charts
    assert rivals.apart() < 1e-10
