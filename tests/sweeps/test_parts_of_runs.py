"""Metrics that count from a time within the run on, against one run at a time."""

import pytest
from oracle import assert_same

from hybridsim.config.sweep import sweep_from_keywords

METRICS = [
    *("status", "count(apex)", "count(touchdown)", "time(liftoff, 2)", "time(touchdown)", "steps", "rejected"),
    *("final(t)", "final(x)", "final(leg_force)", "min(y)", "max(y)", "max(leg_force)", "min(leg_length)"),
    *("mean(y)", "mean(leg_force)", "max(t)", "mean(t)", "integral(y)", "std(y)", "std(xdot)", "integral(leg_force)"),
    *("at(touchdown, 2, ydot)", "after(bottom, 1, leg_force)", "at(apex, 3, t)", "after(apex, 3, energy)"),
]
PARTS = {
    "half of runs of several lengths": {"from_": "half", "axes": {"final_time": [0.3, 2.0, 6.0], "y": [1.0, 1.1]}},
    "a time, which a run may not reach": {"from_": 1.3, "axes": {"touchdown_angle": "linspace(-40 deg, -12 deg, 4)"}},
    "a percentage": {"from_": "37.5 %", "axes": {"initial_time": [-1.0, 0.0, 3.0]}},
}


@pytest.mark.members(1)
@pytest.mark.parametrize("what", PARTS)
def test_metrics_may_count_from_a_time_within_the_run_on(what):
    metrics = {
        **{text: text for text in METRICS},
        **{name: name for name in ("last(touchdown, 3, ydot)", "last_after(apex, 40, energy)", "last(liftoff, 1, t)")},
        "stride": "final(x) / count(touchdown)",
        "share": "mean(y) / max(y)",
        "never": "steps / rejected",
    }
    keywords = {"final_time": 5.0, "metrics": metrics, "parameters": {"hold_touchdown_angle": 1}} | PARTS[what]
    rounding = 1e-14  # of the state within a step, where the metrics begin to count
    compiled = assert_same(sweep_from_keywords("slip", **keywords), extremes=rounding)
    assert compiled["last_after(apex, 40, energy)"].shape[1] == 40
