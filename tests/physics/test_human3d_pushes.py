"""Whoever is pushed stands or falls on a part that has a name: no run ends for the numerics."""

import pytest

from hybridsim import Status

from .human3d_pushes import run_of

TIME_LIMIT = 120.0
"""Of a run [s]; the longest takes 9 s of computing."""

PUSHES = [(control, seed) for control in ("standing", "walking") for seed in range(40)] + [("standing", 73)]
ORDINARY = [("standing", 26)]
"""Steps that catch the body are in `tests/models/test_human3d_steps.py`."""


@pytest.mark.parametrize(
    ("control", "seed"),
    [pytest.param(*push, marks=[pytest.mark.exhaustive] * (push not in ORDINARY)) for push in PUSHES],
)
def test_a_push_of_any_direction_ends_standing_or_on_a_part(control, seed):
    run = run_of(control, seed, max_wall_time=TIME_LIMIT)
    assert run.status in (Status.FINAL_TIME, Status.LEFT_CHART), run.message
    assert run.status is Status.FINAL_TIME or "is on the ground" in run.message
