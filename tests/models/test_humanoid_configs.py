"""Every config of humanoids and wearable robots runs, and the checker accepts its run."""

import pytest

from hybridsim import Status, verify

from .config_runs import CONFIGS, run_of

SHIPPED = sorted(
    f"{path.parent.name}/{path.stem}" for room in ("humanoid", "wearable") for path in (CONFIGS / room).glob("*.yaml")
)
FIRST = "humanoid/start-human"
"""Its left foot rattles at intervals that shrink by 0.15, 0.17, 0.75, 0.99, 0.26, and the fourth tells no limit."""
ROUGH = {FIRST, *(f"humanoid/human-search-{kind}" for kind in ("const", "step", "ppoly"))}
"""Their runs, which are no walks, rattle, and may end where no state of the contacts is consistent."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.exhaustive] if name != FIRST else []) for name in SHIPPED]
)
def test_the_checker_accepts_the_run_of_a_config(name):
    run = run_of(f"{name}.yaml")
    assert run.status in {Status.FINAL_TIME, *([Status.LEFT_CHART] if name in ROUGH else [])}
    assert verify(run).ok
