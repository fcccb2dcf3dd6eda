from pathlib import Path

import pytest

from hybridsim.config.sweep import load_sweep_config


@pytest.fixture
def sweep(folder):
    """Load a sweep of that text, with overrides."""

    def load_text(text, *overrides, name="run.yaml"):
        Path(name).write_text(text)
        return load_sweep_config(name, overrides)

    return load_text


@pytest.fixture
def load(sweep):
    """Load sweeps in the fixtures `problems` and `refused` of the folder above."""
    return sweep


@pytest.fixture
def example_files(folder):
    """The files that the example names."""
    Path("runs.csv").write_text("spring,final_time\n1,5\n2,6\n")
    Path("clearance.py").write_text("def clearance(t, x, p, chart):\n    return x[0] - p[0]\n")
    return folder
