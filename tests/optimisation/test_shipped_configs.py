from pathlib import Path

import pytest

from hybridsim.config.optimization import load_optimization_config
from hybridsim.optimisation import run_optimization

ROOT = Path(__file__).parents[2] / "configs"
SEARCHES = (*(ROOT / "humanoid").glob("*-search-*.yaml"), *(ROOT / "biped").glob("*-search.yaml"))
CONFIGS = sorted((*(ROOT / "optimisation").glob("*.yaml"), *SEARCHES))
LONG = {
    *("biped-walk", "people-search", "hexapod-gait", "human-search-ppoly"),
    *("coman-search-pushed", "coman-search-pushed-ppoly", "coman-search-pushed-step"),
}
"""Searches whose runs take long; of each model, another one is among the ordinary tests."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "config",
    [pytest.param(path, id=path.stem, marks=[pytest.mark.exhaustive] * (path.stem in LONG)) for path in CONFIGS],
)
def test_every_shipped_config_searches(config):
    """With few settings: whole searches are in `docs/optimisation.md`."""
    small = ["optimize.method.population=3", "optimize.method.generations=2", "optimize.runs=1"]
    found = run_optimization(load_optimization_config(config, small))
    assert found.finished
    assert found.searches[0].checks
