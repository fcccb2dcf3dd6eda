"""How often a boundary is called where it decides nothing."""

import math

import pytest

from hybridsim import Boundary, Parameter, Status, simulate

from gallery import clock


def wave_and_tick(g, t, x, p, chart):
    """A wave down to 1/5; and a tick each second, or none."""
    g[0] = 1.2 + math.cos(2.0 * x[0])
    g[1] = (math.floor(t + 1e-9) + 1.0 if p[0] else 1e9) - t


@pytest.mark.parametrize("ticks", [0, 1])
def test_a_step_in_which_a_boundary_is_clear_of_zero_takes_four_calls(ticks):
    model = clock(wave_and_tick, Boundary("wave"), Boundary("tick", time=True), parameters=[Parameter("ticks", ticks)])
    run = simulate(model, final_time=10.0, method="rk4", first_step=0.5)
    assert run.status is Status.FINAL_TIME
    jumps = len(run.events)
    assert jumps == 10 * ticks
    of_steps = (
        4 * run.statistics["steps"]
    )  # values and slopes in the middle and at the end; those at the start are known
    of_charts = 4 * (1 + jumps)  # two that find the active boundaries, one for the slope, one for the time of the tick
    assert run.statistics["boundary_calls"] == of_steps + of_charts + jumps
