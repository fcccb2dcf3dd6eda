from pathlib import Path

import pytest

from hybridsim.config.optimization import load_optimization_config
from hybridsim.optimisation import run_optimization

ROOT = Path(__file__).parents[2] / "configs"
SEARCHES = (*(ROOT / "humanoid").glob("*-search-*.yaml"), *(ROOT / "biped").glob("*-search.yaml"))
CONFIGS = sorted((*(ROOT / "optimisation").glob("*.yaml"), *SEARCHES))
SHORT = {"coman-search-const"}
"""Searches that the ordinary run has besides those of the runner."""


def is_long(name):
    return name not in SHORT and not name.startswith("slip")


@pytest.mark.slow
@pytest.mark.parametrize(
    "config",
    [pytest.param(path, id=path.stem, marks=[pytest.mark.exhaustive] * is_long(path.stem)) for path in CONFIGS],
)
def test_every_shipped_config_searches(config):
    """With few settings: whole searches are in `docs/optimisation.md`."""
    small = ["optimize.method.population=3", "optimize.method.generations=2", "optimize.runs=1"]
    found = run_optimization(load_optimization_config(config, small))
    assert found.finished
    assert found.searches[0].checks
