"""Voltages that jump every 20 ms at random: toes slip and leave the ground as no controller would have it."""

import numpy as np
import pytest

import hybridsim
from hybridsim import Status
from hybridsim.verification import verify

PERIOD, END, LARGEST_VOLTAGE = 0.02, 1.0, 12.0  # [s], [s], [V]


def driven_at_random(seed, rtol):
    simulation = hybridsim.Simulation(
        "hexapod", parameters={"control_type": "held", "friction": "creep"}, rtol=rtol, atol=1e-2 * rtol, record=True
    )
    rng = np.random.default_rng(seed)
    for k in range(1, round(END / PERIOD) + 1):
        for leg, voltage in enumerate(rng.uniform(-LARGEST_VOLTAGE, LARGEST_VOLTAGE, 6)):
            simulation.inputs[f"voltage{leg}"] = voltage
        simulation.advance(PERIOD * k)
    return simulation.result()


DRIVES = [(5, 1e-4), (13, 1e-6), (6, 1e-8)]
REST = [(2, 1e-6), (5, 1e-6), (11, 1e-6)]
REST += [(seed, rtol) for seed in range(20, 40) for rtol in (1e-4, 1e-6, 1e-8)]


@pytest.mark.members(1)
@pytest.mark.parametrize(
    ("seed", "rtol"), [*DRIVES, *(pytest.param(*drive, marks=pytest.mark.exhaustive) for drive in REST)]
)
def test_no_event_is_missed_and_none_invented(seed, rtol):
    run = driven_at_random(seed, rtol)
    assert run.status is Status.UNFINISHED, run.message
    assert str(verify(run)).splitlines()[0].endswith("a solution of its model")
    assert len(run.events) > 60
    assert not any(event.depth < event.error for event in run.events)
