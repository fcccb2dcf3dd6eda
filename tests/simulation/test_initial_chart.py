"""A run begins in the chart that its config gives; without one, the model decides."""

from pathlib import Path

import pytest

from hybridsim import simulate, sweep
from hybridsim.errors import ConfigError

RELAY = Path(__file__).parents[1] / "analysis" / "relay_oscillator.py"


@pytest.mark.parametrize(("chart", "slope"), [(None, 1.0), ("rise", 1.0), ("fall", -1.0), (1, -1.0)])
def test_a_run_begins_in_the_chart_that_is_given(chart, slope):
    run = simulate(RELAY, initial={"x": 0.5}, initial_chart=chart, final_time=0.25)
    assert run["x"][-1] == pytest.approx(0.5 + 0.25 * slope, abs=1e-12)


def test_the_model_does_not_change_the_state_then():
    # By itself the impact oscillator begins in `free` or in `stuck`.
    run = simulate("impact_oscillator", initial={"x": 0.05}, initial_chart="leaving", final_time=0.01)
    assert run.charts[run.chart[0]] == "leaving"


def test_all_runs_of_a_sweep_begin_there():
    table = sweep(
        RELAY, axes={"y": [0.2, 0.4]}, metrics=["final(x)"], initial={"x": 0.5}, initial_chart="fall", final_time=0.25
    )
    assert table["final(x)"].to_pylist() == pytest.approx([0.25, 0.25], abs=1e-12)


@pytest.mark.parametrize(
    ("chart", "message"),
    [
        ("falling", "no chart 'falling'; did you mean `fall`"),
        (2, "expected a chart of relay_oscillator, 0 to 1, found 2"),
        (1.5, "expected the name or the number of a chart, found 1.5; give for example 0$"),
        (True, "expected the name or the number of a chart, found True"),
        ("", "expected the name or the number of a chart, found ''"),
    ],
)
def test_a_chart_that_is_not_there_is_refused(chart, message):
    with pytest.raises(ConfigError, match=f"keyword: initial_chart: .*{message}"):
        simulate(RELAY, initial_chart=chart, final_time=1.0)
